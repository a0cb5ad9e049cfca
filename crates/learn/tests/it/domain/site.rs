//! Pages of one template, one after the other: a wrapper takes over, gives what reading gives, and is judged.

use std::sync::Arc;

use windrow_learn::domain::{Plan, Reader, Site};
use windrow_wrapper::{Extraction, Page};

use super::{SHOP, domain};

/// A page of a template with classes; each number gives other values.
fn page(number: usize) -> String {
    format!(
        "<html><head><title>Rake {number} - Garden Corner</title></head><body class=detail><div class=head>\
         <a class=logo href=/>Garden Corner</a></div><div class=main><h1 class=name>Rake {number}</h1>\
         <table class=specs><tr class=spec><th class=label>Brand</th><td class=value>Brand {}</td></tr>\
         <tr class=spec><th class=label>Model</th><td class=value>R-{number}</td></tr>\
         <tr class=spec><th class=label>Price</th><td class=value>${number}.99</td></tr>\
         <tr class=spec><th class=label>Weight</th><td class=value>{} lbs</td></tr></table></div>\
         <div class=foot>© Garden Corner</div></body></html>",
        number % 7,
        number + 2
    )
}

/// The fields of all records, in a line each.
fn fields(extraction: &Extraction) -> Vec<String> {
    let record = |record: windrow_wrapper::Object<'_>| {
        let fields = record.objects().map(|object| format!("{} {}", object.label(), object.text().trim()));
        let mut fields: Vec<String> = fields.collect();
        fields.sort();
        fields.join(", ")
    };
    extraction.objects().map(record).collect()
}

/// Goes over pages as a program would: by the wrapper where there is one, else by reading. Says which it was.
fn go(site: &mut Site, pages: impl Iterator<Item = String>) -> Vec<(bool, Vec<String>)> {
    let reader = site.reader().clone();
    pages
        .enumerate()
        .map(|(number, html)| {
            let page = Arc::new(Page::from_text(format!("page {number}"), html));
            let ticket = match site.plan(&page) {
                Plan::Wrapper(wrapper) => match wrapper.extract(&page) {
                    Some(extraction) => return (true, fields(&extraction)),
                    None => None,
                },
                Plan::Read(ticket) => Some(ticket),
            };
            let reading = reader.read(&page);
            if let Some(ticket) = ticket {
                site.learn(ticket, &page, &reading);
            }
            (false, fields(&reader.extraction(page, &reading)))
        })
        .collect()
}

fn site() -> Site {
    Site::new(Arc::new(Reader::new(domain(SHOP)).unwrap()))
}

#[test]
fn after_some_pages_a_wrapper_takes_over() {
    let mut site = site();
    let done = go(&mut site, (1..30).map(page));
    assert!(!done[0].0, "the first page has to be read");
    assert_eq!(site.wrappers(), 1);
    assert!(done.iter().filter(|(wrapped, _)| *wrapped).count() >= 15, "most pages need no reading");
}

#[test]
fn the_wrapper_gives_what_reading_gives() {
    let reader = Reader::new(domain(SHOP)).unwrap();
    for (number, (_, found)) in go(&mut site(), (1..40).map(page)).into_iter().enumerate() {
        let page = Arc::new(Page::from_text("page", page(number + 1)));
        let reading = reader.read(&page);
        assert_eq!(found, fields(&reader.extraction(page, &reading)), "page {number}");
    }
}

#[test]
fn pages_of_another_template_are_read() {
    let other = "<html><body id=b><section class=x><h2 class=y>Hoe</h2><p class=z>Brand: Hoeco</p><p class=z>Model: H-1</p>\
        <p class=z>Price: $9.00</p><p class=z>Weight: 2 lbs</p></section></body></html>";
    let mut site = site();
    let done = go(&mut site, (1..20).map(page).chain([other.to_owned()]));
    let (wrapped, found) = done.last().unwrap();
    assert!(!wrapped);
    assert_eq!(found, &["brand Hoeco, model H-1, name Hoe, price $9.00, weight 2 lbs"]);
}

#[test]
fn a_page_on_which_the_wrapper_finds_too_little_is_read() {
    // The site has moved its values; the classes are the same.
    let moved = |number: usize| {
        page(number)
            .replace("<table class=specs>", "<div class=specs>")
            .replace("</table>", "</div>")
            .replace("<tr class=spec>", "<p class=spec>")
            .replace("</tr>", "</p>")
            .replace("<th class=label>", "<b class=label>")
            .replace("</th>", ":</b> ")
            .replace("<td class=value>", "<i class=value>")
            .replace("</td>", "</i>")
    };
    let mut site = site();
    let reader = site.reader().clone();
    go(&mut site, (1..20).map(page));
    for (at, (_, found)) in go(&mut site, (20..40).map(moved)).into_iter().enumerate() {
        let page = Arc::new(Page::from_text("page", moved(at + 20)));
        let reading = reader.read(&page);
        assert_eq!(found, fields(&reader.extraction(page, &reading)), "page {at}");
    }
}

#[test]
fn a_page_of_nothing_among_the_others_gives_nothing() {
    let gone = "<html><head><title>Not found</title></head><body class=error><h1>Not found</h1></body></html>";
    let mut site = site();
    let done = go(&mut site, (1..20).map(page).chain([gone.to_owned()]).chain((20..25).map(page)));
    assert!(done[19].1.is_empty(), "{:?}", done[19]);
    assert_eq!(done[20].1, ["brand Brand 6, model R-20, name Rake 20, price $20.99, weight 22 lbs"]);
}

#[test]
fn a_role_that_comes_later_is_found_again_in_the_end() {
    let more = |number: usize| {
        page(number)
            .replace("</table>", "<tr class=spec><th class=label>Color</th><td class=value>red</td></tr></table>")
    };
    let mut site = site();
    go(&mut site, (1..20).map(page));
    let done = go(&mut site, (20..120).map(more));
    let (_, last) = done.last().unwrap();
    assert!(last[0].contains("color red"), "{last:?}");
}

#[test]
fn category_pages_teach_nothing() {
    let list = |number: usize| {
        let items: String = (0..6)
            .map(|at| {
                format!("<li class=item><a href=/{at}>Rake</a><p>Brand: B{at}</p><p>Price: ${number}.0{at}</p></li>")
            })
            .collect();
        format!("<html><body class=list><h1>Rakes</h1><ul class=items>{items}</ul></body></html>")
    };
    let mut site = site();
    go(&mut site, (1..20).map(list));
    assert_eq!(site.wrappers(), 0);
}

#[test]
fn pages_without_any_name_are_read() {
    let bare = |number: usize| {
        format!(
            "<h1>Rake {number}</h1><p>Brand: B{number}</p><p>Model: R-{number}</p><p>Price: ${number}</p><p>Weight: {number} lb</p>"
        )
    };
    for (at, (_, found)) in go(&mut site(), (1..20).map(bare)).into_iter().enumerate() {
        let number = at + 1;
        let expected =
            format!("brand B{number}, model R-{number}, name Rake {number}, price ${number}, weight {number} lb");
        assert_eq!(found, [expected]);
    }
}
