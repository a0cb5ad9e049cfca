//! Where sites are not known: what to ask for, and where to go on.

use url::Url;
use windrow_learn::domain::leads::{LISTED, NAMED, NEXT, OFFERED, OTHER, UNLIKELY};
use windrow_learn::domain::{Domain, Leads, Reader, Telling, queries};
use windrow_wrapper::Page;

fn leads(html: &str) -> (usize, Leads) {
    let reader = Reader::new(Domain::shipped("drugs").unwrap()).unwrap();
    let page = Page::from_text("p", html).with_url(Url::parse("https://shop.example/list").unwrap());
    let reading = reader.read(&page);
    let leads = reader.leads(&page, &reading);
    (reading.records.len(), leads)
}

fn rank(leads: &Leads, path: &str) -> Option<u8> {
    leads.links.iter().find(|lead| lead.url.path() == path).map(|lead| lead.rank)
}

#[test]
fn queries_are_the_domains_words_by_script() {
    let drugs = Domain::shipped("drugs").unwrap();
    let all = queries(&drugs, 100);
    assert_eq!(all[..4], ["medicine", "drug", "online pharmacy", "药品"]);
    assert_eq!(queries(&drugs, 2), ["medicine", "drug"]);
    assert!(queries(&drugs, 0).is_empty());
    assert!(all.contains(&"medicine dosage".to_owned()) && all.contains(&"药品 用法用量".to_owned()), "{all:?}");
    // Labels that other domains have, too, come behind those that tell of drugs.
    let at = |query: &str| all.iter().position(|known| known == query).unwrap();
    assert!(at("medicine contraindications") < at("medicine discount price"), "{all:?}");
    // A word of one script does not stand beside a label of another.
    assert!(!all.iter().any(|query| query.starts_with("medicine") && !query.is_ascii()));
    // A domain that says no words for its things has its name.
    let bare = Domain { name: "hay-rakes".to_owned(), ..Domain::default() };
    assert_eq!(queries(&bare, 5), ["hay rakes"]);
}

#[test]
fn links_are_ranked_by_what_they_lead_to() {
    let cards: String = (1..=5)
        .map(|n| {
            format!("<div class=card><a href=/p/{n}><img src=/{n}.jpg></a><h3><a href=/p/{n}>Thing {n}</a></h3></div>")
        })
        .collect();
    let html = format!(
        "<ul class=menu><li><a href=/>Home</a><li><a href=/medicine/>Medicines</a><li><a href=/cart>Cart</a></ul>{cards}\
         <p><a href=/news/1>News</a> <a href=/leaflet.pdf>Leaflet</a> <a href=#top>Top</a> <a href=/list>Here</a></p>\
         <div class=pagination><span>1</span> <a href='/list?page=2'>2</a> <a href='/list?page=2'>Next</a></div>\
         <footer><a href=/terms>Terms</a></footer>"
    );
    let (_, leads) = leads(&html);
    assert_eq!(rank(&leads, "/p/3"), Some(LISTED));
    assert_eq!(rank(&leads, "/medicine/"), Some(NAMED));
    assert_eq!(rank(&leads, "/news/1"), Some(OTHER));
    assert_eq!((rank(&leads, "/cart"), rank(&leads, "/terms")), (Some(UNLIKELY), Some(UNLIKELY)));
    assert_eq!(rank(&leads, "/leaflet.pdf"), None);
    let next = leads.links.iter().find(|lead| lead.url.query() == Some("page=2")).unwrap();
    assert_eq!(next.rank, NEXT);
    // Neither the page itself nor an address twice.
    assert_eq!(leads.links.iter().filter(|lead| lead.url.as_str().ends_with("/list")).count(), 0);
    assert_eq!(leads.links.iter().filter(|lead| lead.url.path() == "/p/3").count(), 1);
}

#[test]
fn a_record_whose_name_is_a_link_is_an_offer() {
    let section = |n: u32, name: &str| {
        format!(
            "<section><h2>{name}</h2><ul><li>Generic name: substance {n}<li>Manufacturer: Maker {n}<li>Approval number: MA-{n}\
             <li>Price: € {n}.50<li>Dosage: {n} a day<li>Indications: ache number {n}</ul></section>"
        )
    };
    let linked = |n: u32| section(n, &format!("<a href=/p/{n}>Drug number {n}</a>"));
    let (records, told) = leads(&format!("<h1>All</h1>{}{}{}", linked(1), linked(2), linked(3)));
    assert_eq!(records, 3);
    let targets: Vec<Option<&str>> = told.offers.iter().map(|offer| offer.as_ref().map(Url::path)).collect();
    assert_eq!(targets, [Some("/p/1"), Some("/p/2"), Some("/p/3")]);
    assert_eq!(rank(&told, "/p/2"), Some(OFFERED));
    // Names without links are told here.
    let plain = |n: u32| section(n, &format!("Drug number {n}"));
    let (records, told) = leads(&format!("<h1>All</h1>{}{}", plain(1), plain(2)));
    assert_eq!((records, told.offers), (2, vec![None, None]));
    // A list of one is a list.
    let (records, told) = leads(&linked(1));
    assert_eq!((records, told.offers[0].as_ref().map(Url::path)), (1, Some("/p/1")));
    // A page about one thing is where it is told, whatever its heading leads to.
    let (records, told) = leads(&linked(1).replace("h2", "h1"));
    assert_eq!((records, told.offers), (1, vec![None]));
}

#[test]
fn what_any_shop_says_tells_nothing() {
    let drugs = Domain::shipped("drugs").unwrap();
    let telling = Telling::new(&drugs);
    let reader = Reader::new(drugs).unwrap();
    let has = |rows: &str| {
        let page = Page::from_text("p", format!("<h1>Thing</h1><table>{rows}</table>"));
        let reading = reader.read(&page);
        assert_eq!(reading.records.len(), 1, "{rows}");
        telling.has(&reading.records[0])
    };
    let rake = "<tr><th>Manufacturer<td>Weir<tr><th>Price<td>€ 34.00<tr><th>Availability<td>In stock<tr><th>Country<td>Ireland";
    assert!(!has(rake));
    assert!(has(&format!("{rake}<tr><th>Contraindications<td>None known")));
    // Where all are common, none is asked for.
    assert!(Telling::new(&Domain::default()).has(&reader.read(&Page::from_text("p", rake_page())).records[0]));
}

fn rake_page() -> &'static str {
    "<h1>Rake</h1><dl><dt>Manufacturer<dd>Weir<dt>Price<dd>€ 34<dt>Availability<dd>In stock<dt>Country<dd>Ireland</dl>"
}
