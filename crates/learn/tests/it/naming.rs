//! Names of lists, each kind of evidence on a small page of its own.

use std::sync::Arc;

use url::Url;
use windrow_dom::Document;
use windrow_learn::discover::discover;
use windrow_learn::example::{Example, Pointed, Pointer, Request, learn};
use windrow_learn::types;
use windrow_wrapper::Page;

/// Records of a shop, with these tags around each.
fn records(open: &str, close: &str) -> String {
    let things = [("Two-wheel rake", "€ 340"), ("Old hay wagon", "€ 900"), ("Baler twine", "€ 55"), ("Fork", "€ 12")];
    things.iter().map(|(name, price)| format!("{open}<b>{name}</b> <i>{price}</i>{close}")).collect()
}

/// The name of the list on a page.
fn name(page: Page) -> String {
    discover(&page, 1)[0].rules[0].name.value.clone()
}

fn name_of(body: &str) -> String {
    name(Page::from_text("page.html", body))
}

#[test]
fn a_list_is_called_after_its_heading_caption_or_label() {
    let divs = records("<div class=x1>", "</div>");
    assert_eq!(name_of(&format!("<h2>Farm tools</h2><div>{divs}</div>")), "farm_tools");
    assert_eq!(name_of(&format!("<section><h2>Farm tools:</h2>{divs}</section>")), "farm_tools");
    assert_eq!(name_of(&format!("<ul aria-label='Used tools'>{}</ul>", records("<li>", ""))), "used_tools");
    let labelled = format!("<p id=t>Tools on offer</p><p>{}</p>", "Words. ".repeat(9));
    assert_eq!(name_of(&format!("{labelled}<ul aria-labelledby=t>{}</ul>", records("<li>", ""))), "tools_on_offer");
    let rows = records("<tr><td>", "</td></tr>");
    assert_eq!(name_of(&format!("<table><caption>Stock</caption>{rows}</table>")), "stock");
}

#[test]
fn a_heading_that_is_a_sentence_or_a_count_names_nothing() {
    let divs = records("<div class=offer>", "</div>");
    assert_eq!(name_of(&format!("<h2>What our members sell on this day</h2><div>{divs}</div>")), "offer");
    assert_eq!(name_of(&format!("<h2>14 results</h2><div>{divs}</div>")), "offer");
}

#[test]
fn records_that_say_what_they_are_name_the_list() {
    let typed = records("<div itemscope itemtype='https://schema.org/JobPosting'>", "</div>");
    assert_eq!(name_of(&format!("<div>{typed}</div>")), "job_posting");
    assert_eq!(name_of(&records("<div class='c-product__item product--big'>", "</div>")), "product");
    assert_eq!(name_of(&records("<div class='search-result-item clearfix'>", "</div>")), "search_result");
    assert_eq!(name_of(&records("<div class='flex bg-white hover:shadow JobCard'>", "</div>")), "job");
    assert_eq!(name_of(&format!("<ul id=auctions>{}</ul>", records("<li class=row>", ""))), "auctions");
}

#[test]
fn a_class_that_only_says_how_it_is_shown_names_nothing() {
    for class in ["card", "list-item", "row col-md-4", "css-1x2y3z", "grid-item odd", "text-right mb-4"] {
        assert_eq!(name_of(&records(&format!("<div class='{class}'>"), "</div>")), "records", "{class}");
    }
}

#[test]
fn the_page_names_a_list_that_nothing_else_names() {
    let divs = records("<div class=row>", "</div>");
    assert_eq!(name_of(&format!("<title>Rakes and forks | The barn</title>{divs}")), "rakes_and_forks");
    let at = |url: &str, body: &str| name(Page::from_text("page.html", body).with_url(Url::parse(url).unwrap()));
    assert_eq!(at("https://barn.example/tools/used-rakes.html?page=2", &divs), "used_rakes");
    assert_eq!(at("https://barn.example/4711", &divs), "barn");
    assert_eq!(at("https://www.barn.co.uk/", &divs), "barn");
    assert_eq!(name(Page::from_text("saved/hay-wagons.html", divs.clone())), "hay_wagons");
    assert_eq!(name(Page::from_text("saved/index.html", divs)), "records");
}

#[test]
fn a_name_is_one_that_every_format_can_write() {
    let divs = records("<div class=row>", "</div>");
    assert_eq!(name_of(&format!("<h2>Page</h2><div>{divs}</div>")), "records");
    assert_eq!(name_of(&format!("<h2>Åkerredskap &amp; foder</h2><div>{divs}</div>")), "åkerredskap_foder");
    assert_eq!(name_of(&format!("<h2>***</h2><div>{divs}</div>")), "records");
}

/// Learns from one record, and sets types and names.
fn taught(page: Page, fields: &[(&str, &str)]) -> windrow_wrapper::Wrapper {
    let page = Arc::new(page);
    let pointed =
        |(field, text): &(&str, &str)| Pointed { field: (*field).to_owned(), at: Pointer::Text((*text).to_owned()) };
    let example = Example { fields: fields.iter().map(pointed).collect(), page: None };
    let request = Request { examples: vec![example], ..Request::default() };
    let documents: [&Document; 1] = [page.document()];
    let mut wrapper = learn(&documents, &request).unwrap().wrapper;
    types::assign(&mut wrapper, &[page]);
    wrapper
}

#[test]
fn lists_that_are_learned_from_an_example_have_names_and_types() {
    let html = "<h2>Farm tools</h2><ul>\
                <li><b>Rake</b> <i>€ 340</i> <u>02139</u> <s>7</s>\
                <li><b>Wagon</b> <i>€ 900</i> <u>10001</u> <s>12</s>\
                <li><b>Twine</b> <i>€ 55</i> <u>60614</u> <s>130</s></ul>";
    let shown = [("thing", "Rake"), ("price", "€ 340"), ("place", "02139"), ("left", "7")];
    let wrapper = taught(Page::from_text("page.html", html), &shown);
    let list = &wrapper.rules[0];
    let types: Vec<(&str, &str)> = list.rules.iter().map(|rule| (rule.shown(), rule.ty.name())).collect();
    assert_eq!(list.shown(), "farm_tools");
    assert_eq!(types, [("thing", "string"), ("price", "money"), ("place", "string"), ("left", "number")]);
}

/// The heading of a page about one thing names that thing, and the wrapper is for others, too.
#[test]
fn a_page_about_one_thing_is_called_after_its_kind() {
    let html = "<meta property='og:type' content='product'><h1>Two-wheel rake</h1><p>Price: <b>€ 340</b></p>";
    let shown = [("thing", "Two-wheel rake"), ("price", "€ 340")];
    assert_eq!(taught(Page::from_text("page.html", html), &shown).rules[0].shown(), "product");
    let html = "<h1>Two-wheel rake</h1><p>Price: <b>€ 340</b></p>";
    assert_eq!(taught(Page::from_text("page.html", html), &shown).rules[0].shown(), "records");
    let page = Page::from_text("page.html", html).with_url(Url::parse("https://barn.example/tools/17").unwrap());
    assert_eq!(taught(page, &shown).rules[0].shown(), "tools");
}

/// The same signs mean other things on other pages.
#[test]
fn the_page_decides_what_its_amounts_are() {
    let body = "<ul><li><b>Rake</b> <i>$46.920</i><li><b>Wagon</b> <i>$9.990</i><li><b>Twine</b> <i>$12.500</i></ul>";
    let kind = |page: Page| discover(&page, 1)[0].rules[0].rules[1].ty.name();
    let at = |url: &str| Page::from_text("page.html", body).with_url(Url::parse(url).unwrap());
    assert_eq!(kind(at("https://tienda.example.cl/")), "money");
    assert_eq!(kind(at("https://tienda.example/")), "string");
    let canonical = format!("<link rel=canonical href='https://tienda.example.cl/x'>{body}");
    assert_eq!(kind(Page::from_text("page.html", canonical)), "money");
    let yuan = "<ul><li><b>华为手机型号一</b> <i>￥1999</i><li><b>华为手机型号二</b> <i>￥2999</i><li><b>小米手机型号三</b> <i>￥999</i></ul>";
    assert_eq!(kind(Page::from_text("page.html", yuan)), "money");
    let latin = "<ul><li><b>Rake</b> <i>￥1999</i><li><b>Wagon</b> <i>￥2999</i><li><b>Twine</b> <i>￥999</i></ul>";
    assert_eq!(kind(Page::from_text("page.html", latin)), "string");
    let declared = "<script type='application/ld+json'>{\"priceCurrency\":\"JPY\"}</script>";
    assert_eq!(kind(Page::from_text("page.html", format!("{declared}{latin}"))), "money");
}
