//! Small pages, one for each idea: what is shown on the first, and what must come out of the others.

use windrow_dom::Document;
use windrow_wrapper::{Extractor, Find, Locator, Page, Rule, Wrapper};

use super::rules;
use crate::example::Wanted;
use crate::reading::Reading;

/// The rules for fields that are shown on pages: `(page, field, text)`.
fn learn(pages: &[&str], shown: &[(usize, &str, &str)]) -> Vec<Rule> {
    let documents: Vec<Document> = pages.iter().map(|page| Document::parse(*page)).collect();
    let readings: Vec<Reading<'_>> = documents.iter().map(Reading::new).collect();
    let mut fields: Vec<Wanted> = Vec::new();
    for &(page, name, text) in shown {
        let spots = (page, readings[page].find(text));
        assert!(!spots.1.is_empty(), "{text} is not on page {page}");
        match fields.iter_mut().find(|wanted| wanted.name == name) {
            Some(wanted) => wanted.spots.push(spots),
            None => fields.push(Wanted { name: name.to_owned(), spots: vec![spots] }),
        }
    }
    rules(&readings, &fields)
}

/// What the executor makes of a page: `field=text` for each field that it finds.
fn extract(rules: &[Rule], page: &str) -> Vec<String> {
    let wrapper = Wrapper { rules: rules.to_vec(), ..Wrapper::default() };
    let extractor = Extractor::new(&wrapper).expect("the learned rules compile");
    let extraction = extractor.extract(Page::from_text("page", page));
    assert!(extraction.problems().is_empty(), "all is optional");
    extraction.objects().map(|object| format!("{}={}", object.label(), object.text())).collect()
}

/// The alternatives of a rule, the first first.
fn alternatives(rule: &Rule) -> Vec<String> {
    let written = |locator: &Locator| match &locator.find {
        Find::XPath(text) | Find::Css(text) => text.to_string(),
        other => panic!("{other:?}"),
    };
    match &rule.locator.find {
        Find::Case(cases) => cases.iter().map(written).collect(),
        _ => vec![written(&rule.locator)],
    }
}

/// Learns from one page, and checks the first way, what comes out of that page, and of another.
fn check(page: &str, shown: &[(&str, &str)], first: &str, other: &str, expected: &[&str]) {
    let shown: Vec<_> = shown.iter().map(|&(field, text)| (0, field, text)).collect();
    let rules = learn(&[page], &shown);
    let same: Vec<String> = shown.iter().map(|(_, field, text)| format!("{field}={text}")).collect();
    assert_eq!(extract(&rules, page), same, "{rules:#?}");
    assert_eq!(alternatives(&rules[0])[0], first, "{rules:#?}");
    assert_eq!(extract(&rules, other), expected, "{rules:#?}");
    assert!(rules.iter().all(|rule| rule.optional && rule.path.is_some()));
    assert!(rules.iter().all(|rule| alternatives(rule).len() <= super::CHAIN + 1));
}

#[test]
fn a_label_in_front() {
    check(
        "<p>x</p><ul><li><b>Phone:</b> 907/279 <li><b>Fax:</b> 907/280</ul>",
        &[("fax", "907/280")],
        "//b[.='Fax:']/following-sibling::text()[1]",
        "<ul><li><b>Fax:</b> 55/66 <li><b>Phone:</b> 1/2</ul>",
        &["fax=55/66"],
    );
}

#[test]
fn a_label_in_a_cell() {
    check(
        "<table><tr><td>Doors:<td>5<tr><td> Engine: <td><a>V6</a></table>",
        &[("motor", "V6")],
        "//td[normalize-space(text())='Engine:']/following-sibling::td[1]/a",
        // A block less, and no link.
        "<table><tr><td> Engine: <td>I4</table>",
        &["motor=I4"],
    );
}

#[test]
fn a_label_above_a_cell() {
    check(
        "<table><tr><th>Country<th>Rating<tr><td>Canada<td>PG</table>",
        &[("rating", "PG")],
        "//th[.='Rating']/../following-sibling::tr[1]/td[2]",
        "<table><tr><th>Country<th>Rating<tr><td>Peru<td>R</table>",
        &["rating=R"],
    );
}

#[test]
fn a_label_in_the_text() {
    check(
        "<p>No. 7<p>Pub. Date: June 2010",
        &[("date", "June 2010")],
        "//p/text()[starts-with(normalize-space(), 'Pub. Date:')]",
        "<p>Pub. Date: May 2011<p>No. 8",
        &["date=May 2011"],
    );
    check(
        "<ul><li>Pages: 12<li>Pub. Date: June 2010</ul>",
        &[("date", "Pub. Date: June 2010")],
        "//li[starts-with(normalize-space(), 'Pub. Date:')]",
        "<ul><li>Pub. Date: May 2011<li>Pages: 12</ul>",
        &["date=Pub. Date: May 2011"],
    );
}

#[test]
fn an_id_a_class_a_property() {
    let other = "<div>new</div><p>y<p id=cost class='a cost' itemprop=price>7";
    let expected = &["cost=7"];
    check("<p>x<p id=cost>5", &[("cost", "5")], "//p[@id='cost']", other, expected);
    check("<p>x<p class='a cost'>5", &[("cost", "5")], "p.cost", other, expected);
    check("<p>x<p itemprop=price>5", &[("cost", "5")], "//p[@itemprop='price']", other, expected);
}

#[test]
fn a_heading() {
    check("<p>x<h1>Oslo</h1>", &[("name", "Oslo")], "//h1", "<div>new</div><div><h1>Rome</h1></div>", &["name=Rome"]);
}

#[test]
fn no_name_that_was_made_up() {
    let page = "<p>x</p><div id=ctl00_77><p class='css-1x2y3z'>5";
    for way in alternatives(&learn(&[page], &[(0, "cost", "5")])[0]) {
        assert!(!way.contains("css-") && !way.contains("ctl"), "{way}");
    }
    // But for the end of one, which a person gave.
    check(
        "<p>x</p><b id=ctl00_77_lblCity>Oslo</b>",
        &[("city", "Oslo")],
        "//b[contains(@id, '_lblCity')]",
        "<b id=ctl00_91_lblCity>Rome</b>",
        &["city=Rome"],
    );
}

#[test]
fn a_block_that_is_missing() {
    // Where the label is not, nothing is better than its neighbour.
    check(
        "<dl><dt>Team:<dd>Hawks<dt>Height:<dd>tall</dl>",
        &[("team", "Hawks"), ("height", "tall")],
        "//dt[.='Team:']/following-sibling::dd[1]",
        "<dl><dt>Height:<dd>short</dl>",
        &["height=short"],
    );
    // A value with a shape is found among its neighbours.
    check(
        "<div id=at><p>Mall<p>Main St<p>410-825-0420</div>",
        &[("phone", "410-825-0420")],
        "//div[@id='at']/p",
        "<div id=at><p>Side St<p>831-626-8885 | <a>book</a></div>",
        &["phone=831-626-8885"],
    );
}

#[test]
fn the_place_that_is_meant() {
    // Not the one in the list of others, though its label ends with a colon.
    let others = "<li>Our price: <i>$5</i><li>Our price: <i>$6</i><li>Our price: <i>$7</i><li>Our price: <i>$8</i>";
    let page = format!("<h1>Rake</h1><p class=red>$5</p><p>text</p><ul>{others}</ul>");
    check(
        &page,
        &[("price", "$5"), ("name", "Rake")],
        "//p[@class='red']",
        &page.replacen("$5", "$9", 1).replace("Rake", "Hoe"),
        &["price=$9", "name=Hoe"],
    );
    // The one that the page calls as the person does.
    check(
        "<p><b>Price</b> <i>$5</i><p><b>Total price:</b> <i>$5</i>",
        &[("price", "$5")],
        "//b[.='Price']/following-sibling::i[1]",
        "<p><b>Price</b> <i>$6</i><p><b>Total price:</b> <i>$8</i>",
        &["price=$6"],
    );
}

#[test]
fn a_part_of_a_text() {
    check("<h1>Oslo (Norway)</h1>", &[("city", "Oslo")], "//h1", "<h1>Rome (Italy)</h1>", &["city=Rome"]);
    check(
        "<i class=rating>(PG)</i>",
        &[("rating", "PG")],
        "//i[@class='rating']",
        "<i class=rating>R</i>",
        &["rating=R"],
    );
}

#[test]
fn several_examples() {
    // The first class is the value's on one page only; the second on both.
    let pages = ["<p>x<p class='one cost'>5", "<p class=one>x<p class=cost>6"];
    let rules = learn(&pages, &[(0, "sum", "5"), (1, "sum", "6")]);
    assert_eq!(alternatives(&rules[0])[0], "p.cost");
    assert_eq!(extract(&rules, pages[0]), ["sum=5"]);
    assert_eq!(extract(&rules, pages[1]), ["sum=6"]);
    // No way finds both: there is one for each.
    let pages = ["<div><b id=price>5 kr</b></div>", "<ul><li>a<li><i id=amount>6 kr</i></ul>"];
    let rules = learn(&pages, &[(0, "sum", "5 kr"), (1, "sum", "6 kr")]);
    assert_eq!(extract(&rules, pages[0]), ["sum=5 kr"]);
    assert_eq!(extract(&rules, pages[1]), ["sum=6 kr"]);
}

#[test]
fn pages_without_examples_test_the_ways() {
    // The id is the same on all pages, and so is what it finds: that is no value of a record.
    let page = |name: &str| format!("<b id=city>Oslo</b><p class=town>{name}</p>");
    let pages = [page("Oslo"), page("Rome"), page("Bern")];
    let rules = learn(&[&pages[0], &pages[1], &pages[2]], &[(0, "city", "Oslo")]);
    assert_eq!(extract(&rules, &pages[1]), ["city=Rome"], "{rules:#?}");
}

#[test]
fn examples_that_contradict() {
    // One place, two values: each page's own is found, or nothing; never a panic.
    let pages = ["<p>5 kr<p>6 kr", "<p>5 kr<p>6 kr"];
    let rules = learn(&pages, &[(0, "sum", "5 kr"), (1, "sum", "6 kr")]);
    assert!(rules.len() <= 1);
}

#[test]
fn odd_pages() {
    for page in [
        "x",
        "<svg><text>x</text></svg>",
        "<p title=x>",
        "<p hidden>x",
        "<a\u{df}>x</a\u{df}>",
        "<p>it's \"x\": <i>x</i>",
    ] {
        for rule in learn(&[page], &[(0, "f", "x")]) {
            assert_eq!(extract(&[rule], page), ["f=x"], "{page}");
        }
    }
}
