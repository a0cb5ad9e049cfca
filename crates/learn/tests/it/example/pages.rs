//! A page that shows one record: the record is the page, and on other pages blocks come and go.

use expect_test::expect;
use windrow_learn::example::{Note, Shape};

use super::{Show, check_both, check_on, lesson_on, shaped, showing, try_on};

const SHOW: Show<'static> = &[("name", "Two-wheel rake"), ("price", "€ 340"), ("weight", "410 kg")];

fn page(title: &str, price: &str, rows: &[(&str, &str)], block: &str) -> String {
    let rows: String = rows.iter().map(|(label, value)| format!("<tr><th>{label}<td>{value}")).collect();
    format!(
        "<header><a href=/>Shop</a></header>{block}<div id=main><h1>{title}</h1><p class=price>{price}</p><table>{rows}</table></div>"
    )
}

fn rake() -> String {
    page("Two-wheel rake", "€ 340", &[("Colour", "red"), ("Weight", "410 kg"), ("Seller", "Nørregård")], "")
}

#[test]
fn blocks_come_and_go() {
    let twine = page("Twine", "€ 55", &[("Weight", "12 kg")], "<div class=ad><h2>Sow now</h2><p>€ 9</p></div>");
    check_both(
        &rake(),
        &twine,
        SHOW,
        &expect![[r#"
        name "Two-wheel rake", price "€ 340", weight "410 kg"
        --
        name "Twine", price "€ 55", weight "12 kg"
    "#]],
    );
    let wagon = page("Wagon", "", &[("Seller", "Søby"), ("Length", "4 m"), ("Weight", "800 kg")], "");
    check_both(
        &rake(),
        &wagon,
        SHOW,
        &expect![[r#"
        name "Two-wheel rake", price "€ 340", weight "410 kg"
        --
        name "Wagon", weight "800 kg"
    "#]],
    );
}

#[test]
fn a_missing_value_is_not_the_next_one() {
    let twine = page("Twine", "€ 55", &[("Colour", "white"), ("Seller", "Søby")], "");
    check_both(
        &rake(),
        &twine,
        SHOW,
        &expect![[r#"
        name "Two-wheel rake", price "€ 340", weight "410 kg"
        --
        name "Twine", price "€ 55"
    "#]],
    );
}

#[test]
fn it_is_said() {
    assert_eq!(lesson_on(&[&rake()], &showing(&[SHOW])).notes, [Note::SingleRecord]);
    assert_eq!(lesson_on(&[&rake()], &shaped(SHOW, Shape::Page)).notes, []);
}

#[test]
fn a_page_though_it_has_a_list() {
    let html = rake() + "<ul><li><b>Twine</b> <i>€ 55</i><li><b>Wagon</b> <i>€ 900</i></ul>";
    check_on(
        &[&html],
        &html,
        &shaped(&[("name", "Twine"), ("price", "€ 55")], Shape::Page),
        &expect![[r#"
        name "Twine", price "€ 55"
    "#]],
    );
}

#[test]
fn a_list_of_two() {
    let html = "<div><p><b>Twine</b> <i>€ 55</i></p><p><b>Wagon</b> <i>€ 900</i></p></div>";
    check_on(
        &[html],
        html,
        &shaped(&[("name", "Twine"), ("price", "€ 55")], Shape::List),
        &expect![[r#"
        name "Twine", price "€ 55"
        name "Wagon", price "€ 900"
    "#]],
    );
}

#[test]
fn attributes_and_paths_of_a_page() {
    let page = |name: &str| {
        format!(
            "<h1>{name}</h1><img class=photo src=/{name}.png alt=x><a class=buy href=/buy/{name}>Buy</a><p id=text>About {name}.</p>"
        )
    };
    check_both(
        &page("rake"),
        &page("twine"),
        &[("name", "rake"), ("photo", "/rake.png"), ("buy", "@href of how"), ("how", "Buy"), ("text", "@//p")],
        &expect![[r#"
            name "rake", photo "/rake.png", buy "/buy/rake", how "Buy", text "About rake."
            --
            name "twine", photo "/twine.png", buy "/buy/twine", how "Buy", text "About twine."
        "#]],
    );
}

#[test]
fn a_second_page_with_an_example() {
    let twine = page("Twine", "€ 55", &[("Weight", "12 kg")], "<div class=ad><h2>Sow now</h2><p>€ 9</p></div>");
    let request = showing(&[SHOW, &[("name", "Twine"), ("price", "€ 55"), ("weight", "12 kg")]]);
    let rake = rake();
    check_on(
        &[&rake, &twine],
        &rake,
        &request,
        &expect![[r#"
        name "Two-wheel rake", price "€ 340", weight "410 kg"
    "#]],
    );
    check_on(
        &[&rake, &twine],
        &twine,
        &request,
        &expect![[r#"
        name "Twine", price "€ 55", weight "12 kg"
    "#]],
    );
}

#[test]
fn further_pages_need_no_example() {
    let twine = page("Twine", "€ 55", &[("Weight", "12 kg")], "");
    let rake = rake();
    check_on(
        &[&rake, &twine],
        &twine,
        &showing(&[SHOW]),
        &expect![[r#"
        name "Twine", price "€ 55", weight "12 kg"
    "#]],
    );
}

/// A path is on every page, so an example may say which one it means.
#[test]
fn an_example_is_on_the_page_that_it_names() {
    let list = |names: &[&str]| {
        let items: String = names.iter().map(|name| format!("<li><b>{name}</b> <i>new</i>")).collect();
        format!("<ul>{items}</ul>")
    };
    let (first, second) = (list(&["Rake", "Twine", "Fork"]), list(&["Wagon", "Net", "Scythe"]));
    let mut request = showing(&[&[("name", "@//li[2]/b")]]);
    request.examples[0].page = Some(1);
    let lesson = try_on(&[&first, &second], &request).unwrap();
    let pages: Vec<usize> = lesson.labels.iter().map(|labels| labels.page).collect();
    assert_eq!(pages, [1], "{:?}", lesson.labels);
    request.examples[0].page = Some(7);
    assert!(try_on(&[&first, &second], &request).is_err());
}
