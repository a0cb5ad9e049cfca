//! Each kind of change that a wrapper is repaired after.

use super::*;

/// The repaired wrapper gives on the new page what the old one gave on the old page.
#[track_caller]
fn restores(toml: &str, before: &str, now: &str) -> Repair {
    let repaired = mend(toml, before, now).unwrap();
    assert_eq!(gives(&repaired, now), known(&wrapper(toml), before));
    repaired
}

#[test]
fn other_names() {
    let before = old_shop(&OFFERS);
    let now = before.replace("class=ad", "class=x1f9k2").replace("class=price", "class=sum").replace("id=ads", "id=it");
    let now = now.replace("class=tags", "class=css-4f2a1").replace("class=place", "class=where");
    restores(SHOP, &before, &now);
}

#[test]
fn everything_at_once() {
    let repaired = restores(SHOP, &old_shop(&OFFERS), &new_shop(&OFFERS));
    let learned = repaired.wrapper.learned.as_ref().unwrap();
    assert_eq!((learned.by.as_str(), &*learned.from), ("repair", &["https://barn.example/ads".to_owned()][..]));
    // It is the same wrapper but for how things are found.
    let (old, new) = (&wrapper(SHOP).rules[0], &repaired.wrapper.rules[0]);
    let shape = |rule: &windrow_wrapper::Rule| {
        rule.rules.iter().map(|rule| (rule.kind, rule.name.to_string(), rule.ty, rule.optional)).collect::<Vec<_>>()
    };
    assert_eq!(shape(old), shape(new));
    assert_eq!(new.path.as_deref(), Some("/html[1]/body[1]/main[1]/section[1]/div"));
    let report = &repaired.lists[0];
    assert_eq!((report.known, report.found, report.records, report.kept), (6, 6, 6, false));
    assert!(report.fields.iter().all(|field| field.agreed == field.compared && !field.kept));
    assert_eq!(report.lists[0].label, "tags");
}

#[test]
fn some_values_are_new() {
    let mut offers = OFFERS;
    offers[1].0 = "Baler twine, the last roll";
    offers[4].1 = "€ 21";
    offers[5].2 = "Billund";
    offers[0] = ("A roller that nobody knew before", "€ 77", "Tønder", &["rollers"]);
    let now = new_shop(&offers);
    let repaired = mend(SHOP, &old_shop(&OFFERS), &now).unwrap();
    assert_eq!(gives(&repaired, &now), known(&wrapper(SHOP), &old_shop(&offers)));
}

#[test]
fn all_prices_are_new() {
    let mut offers = OFFERS;
    for (offer, price) in offers.iter_mut().zip(["€ 311", "€ 59", "€ 845", "€ 31", "€ 22", "€ 99"]) {
        offer.1 = price;
    }
    let now = new_shop(&offers);
    let repaired = mend(SHOP, &old_shop(&OFFERS), &now).unwrap();
    assert_eq!(gives(&repaired, &now), known(&wrapper(SHOP), &old_shop(&offers)));
    let notes: Vec<String> = repaired.notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes, ["all values of `offers.price` are new: it was found by what they look like"]);
}

#[test]
fn one_field_alone() {
    let before = old_shop(&OFFERS);
    let now = before.replace("class=price", "class=sum");
    let repaired = restores(SHOP, &before, &now);
    let (old, mut new) = (wrapper(SHOP).rules.remove(0), repaired.wrapper.rules[0].clone());
    let price = old.rules.iter().position(|rule| &*rule.name == "price").unwrap();
    assert_ne!(new.rules[price].locator, old.rules[price].locator);
    // All else is as it was.
    new.rules[price] = old.rules[price].clone();
    assert_eq!(new, old);
    let kept: Vec<bool> = repaired.lists[0].fields.iter().map(|field| field.kept).collect();
    assert_eq!(kept, [true, true, false, true]);
}

#[test]
fn the_titles_again_in_a_column() {
    let mut now = new_shop(&OFFERS);
    let again: String =
        OFFERS.iter().map(|offer| format!("<li><a href='/ad/{}'>{}</a></li>", offer.0.len(), offer.0)).collect();
    now = now.replace("<p>We moved.</p>", &format!("<ul>{again}</ul>"));
    restores(SHOP, &old_shop(&OFFERS), &now);
}

#[test]
fn records_that_are_siblings_in_a_row() {
    let toml = r#"
[list.cities]
records = { css = "h3", until = "next" }
[list.cities.field]
name = { xpath = "self::h3" }
text = { css = "p" }
"#;
    let cities = [("Oslo", "Cold, and by the sea"), ("Rome", "Warm, and on hills"), ("Vienna", "On the Danube, windy")];
    let write = |head: &str, text: &str| {
        let of = |(name, says): &(&str, &str)| format!("<{head}>{name} city</{head}><{text}>{says}</{text}>");
        format!("<h1>Cities</h1><div>{}</div>", cities.iter().map(of).collect::<String>())
    };
    restores(toml, &write("h3", "p"), &write("h4 class=city", "div class=about"));
}

#[test]
fn fields_of_the_page() {
    let toml =
        "[field]\nname = { css = \"h1\" }\nmaker = { css = \".maker\" }\nnote = { css = \".note\", optional = true }\n";
    let before = "<h1>Two-wheel rake</h1><p class=maker>Nørregård & Sons</p><p>Other things</p>";
    let now = "<div><h2 class=t>Two-wheel rake</h2><div><span class=m>Nørregård & Sons</span> <i>New</i></div></div>";
    restores(toml, before, now);
}

#[test]
fn rules_by_hand_stay_if_they_work() {
    let toml = format!("{SHOP}\n[list.offers.group.where]\nat = {{ xpath = \".\" }}\nfield = {{ id = \"@id\" }}\n");
    let write = |html: String| {
        html.replace("<li class=ad>", "<li class=ad id=k>").replace("<article class=card>", "<article class=card id=k>")
    };
    let before = write(old_shop(&OFFERS));
    let now = before.replace("class=price", "class=sum");
    let repaired = mend(&toml, &before, &now).unwrap();
    assert_eq!(gives(&repaired, &now), known(&wrapper(&toml), &before));
}

/// A shop whose offers are all built alike, with an offer that nobody knew before.
fn relocated(change: &dyn Fn(String) -> String) {
    let before = old_shop(&OFFERS);
    let new = "<li class=ad><h2><a href='/ad/new'>A churn that came in today</a></h2><b class=price>€ 75</b> \
               <ul class=tags></ul></li></ul>";
    let now = change(before.replacen("</ul></li></ul>", &format!("</ul></li>{new}"), 1));
    let repaired = mend(SHOP, &before, &now).unwrap();
    let titles: Vec<String> = gives(&repaired, &now)
        .list("offers")
        .iter()
        .filter_map(|record| record.value("title").map(str::to_owned))
        .collect();
    assert_eq!(titles.len(), OFFERS.len() + 1, "{titles:?}");
    assert_eq!(titles.last().map(String::as_str), Some("A churn that came in today"));
}

#[test]
fn all_siblings_after_a_class_rename() {
    relocated(&|page| page.replace("class=ad", "class=offer-tile").replace("class=price", "class=amount"));
}

#[test]
fn all_siblings_after_a_change_of_tags() {
    relocated(&|page| {
        let page = page.replace("<li class=ad>", "<article>").replace("</ul></li>", "</ul></article>");
        let (ads, behind) = page.rsplit_once("</ul>").unwrap();
        let page = format!("{ads}</section>{behind}").replace("<ul id=ads>", "<section id=ads>");
        page.replace("<h2>", "<h3>")
            .replace("</h2>", "</h3>")
            .replace("<b class=price>", "<em>")
            .replace("</b>", "</em>")
    });
}

/// A shop's products as elements beside each other with nothing in them but a name.
fn products(tag: &str, class: &str) -> String {
    let names = ["Red kettle", "Oak table", "Desk lamp", "Wool blanket", "Bread knife", "Tea towel", "Coat hook"];
    let all: String = names.iter().map(|name| format!("<{tag} class='{class}'>{name}</{tag}>")).collect();
    format!("<h1>Shop</h1><div class=nav><a href=/>Home</a><a href=/cart>Cart</a></div><div class=box>{all}</div>")
}

const PRODUCTS: &str = "[list.products]\nrecords = \"p.product\"\n[list.products.field]\nname = \".\"\n";

#[test]
fn all_siblings_with_nothing_in_them_but_a_text() {
    for (tag, class) in [("p", "item-card"), ("article", "product"), ("article", "item-card")] {
        let repaired = restores(PRODUCTS, &products("p", "product"), &products(tag, class));
        assert_eq!(repaired.lists[0].records, 7, "{tag}.{class}");
    }
}

#[test]
fn items_in_other_words() {
    let before = "<h1>Squash</h1><h2>You need</h2><ul class=old><li>1 large spaghetti squash<li>1 Tsp Sabatino Truffle salt\
                  <li>4 Tbsp butter<li>Basmati Rice</ul><h2>Steps</h2><ol><li>Bake it.<li>Eat it.</ol>";
    let now = "<h1>Squash</h1><div class=needs><p>1 Large spaghetti squash</p><p>1 tsp Truffle salt</p><p>4 Tbsp butter</p>\
               <p>150 grams Basmati Rice</p></div><div class=steps><p>Bake it.</p><p>Eat it.</p></div>";
    let list = "[list.needs]\nrecords = \"ul.old li\"\n[list.needs.field]\nitem = \".\"\n";
    let repaired = mend(list, before, now).unwrap();
    let gives = gives(&repaired, now);
    let items: Vec<&str> = gives.list("needs").iter().filter_map(|record| record.value("item")).collect();
    assert_eq!(items, ["1 Large spaghetti squash", "1 tsp Truffle salt", "4 Tbsp butter", "150 grams Basmati Rice"]);
    let notes: Vec<String> = repaired.notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes, ["3 of the known items of `needs` were found in other words; compare them with the page"]);
}
