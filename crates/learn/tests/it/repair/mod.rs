//! Repair: what still stands on a page that was built anew is found again, and what is another thing is refused.

mod changes;
mod hostile;
mod promises;
mod refusals;
mod single;

use std::sync::Arc;

use windrow_learn::repair::{Known, Refusal, Repair, repair};
use windrow_wrapper::{Extractor, Page, Wrapper, files};

/// A wrapper from its file.
fn wrapper(toml: &str) -> Wrapper {
    files::read(toml, files::Format::Toml).unwrap()
}

/// The wrapper of the shop, as somebody wrote it for the old page.
const SHOP: &str = r#"
[list.offers]
records = "li.ad"

[list.offers.field]
title = { css = "h2 a" }
title_link = { css = "h2 a::attr(href)", type = "url" }
price = { css = ".price", type = "money" }
place = { css = ".place", optional = true }

[list.offers.list.tags]
records = { css = ".tags li" }
optional = true
"#;

/// One offer: title, price, place, tags.
type Offer = (&'static str, &'static str, &'static str, &'static [&'static str]);

const OFFERS: [Offer; 6] = [
    ("Two-wheel rake, hardly used", "€ 340", "Tønder", &["rakes", "hay"]),
    ("Baler twine, twelve rolls", "€ 55", "Ribe", &["hay"]),
    ("Old wagon with ladders", "€ 900", "", &["wagons", "wood", "hay"]),
    ("Scythe blades in oak boxes", "€ 28", "Ribe", &[]),
    ("Fork with an ash handle", "€ 18", "Esbjerg", &["forks", "wood"]),
    ("Net for round bales", "€ 120", "Varde", &["hay", "nets"]),
];

/// The shop as the wrapper knows it.
fn old_shop(offers: &[Offer]) -> String {
    let ads: String = offers
        .iter()
        .map(|(title, price, place, tags)| {
            let place = if place.is_empty() { String::new() } else { format!("<span class=place>{place}</span>") };
            let tags: String = tags.iter().map(|tag| format!("<li>{tag}</li>")).collect();
            format!(
                "<li class=ad><h2><a href='/ad/{}'>{title}</a></h2><b class=price>{price}</b> {place}\
                 <ul class=tags>{tags}</ul></li>",
                title.len()
            )
        })
        .collect();
    format!("<title>Barn</title><div class=menu><a href=/>Home</a> <a href=/new>New</a></div><ul id=ads>{ads}</ul>")
}

/// The shop after its relaunch: other tags, other classes, other order, a column beside it.
fn new_shop(offers: &[Offer]) -> String {
    let ads: String = offers
        .iter()
        .map(|(title, price, place, tags)| {
            let place = if place.is_empty() { String::new() } else { format!("<em class=where>{place}</em>") };
            let tags: String = tags.iter().map(|tag| format!("<i>{tag}</i>")).collect();
            format!(
                "<div class=cell><article class=card><p class=cost>{price}</p><h3 class=head><a href='/ad/{}'>{title}\
                 </a></h3>{place}<div class=words>{tags}</div></article></div>",
                title.len()
            )
        })
        .collect();
    format!(
        "<title>Barn</title><header><nav><a href=/>Home</a> <a href=/all>All</a></nav></header><main><aside><h4>News\
         </h4><p>We moved.</p></aside><section class=grid>{ads}</section></main><footer>Barn 2026</footer>"
    )
}

fn page(html: &str) -> Arc<Page> {
    Arc::new(Page::from_text("https://barn.example/ads", html))
}

fn known(wrapper: &Wrapper, html: &str) -> Known {
    Known::of(&[Extractor::new(wrapper).unwrap().extract(page(html))])
}

/// Repairs what was learned on one page on another.
fn mend(toml: &str, before: &str, now: &str) -> Result<Repair, Refusal> {
    let wrapper = wrapper(toml);
    repair(&wrapper, &known(&wrapper, before), &[page(now)])
}

/// What a repaired wrapper gives on a page.
fn gives(repair: &Repair, html: &str) -> Known {
    known(&repair.wrapper, html)
}
