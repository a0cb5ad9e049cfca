//! Which nodes are the records: the paper's table, siblings and cousins, optional parts, runs of siblings.

use expect_test::expect;
use windrow_learn::example::Request;

use super::{check, check_both, check_on, lesson_on, showing};
use crate::table;

/// Figure 1 of the paper: a table of rows with three fields each, whose `tbody` nobody wrote.
const FIGURE: &str = "<html><head><title>List</title><body><h1>Results</h1><table>\
                      <tr><td>F11</td><td>F12</td><td>F13</td></tr><tr><td>F21</td><td>F22</td><td>F23</td></tr>\
                      <tr><td>F31</td><td>F32</td><td>F33</td></tr></table><p>End</p></body></html>";

#[test]
fn the_paper() {
    check(
        FIGURE,
        &[("one", "F11"), ("two", "F12"), ("three", "F13")],
        &expect![[r#"
            one "F11", two "F12", three "F13"
            one "F21", two "F22", three "F23"
            one "F31", two "F32", three "F33"
        "#]],
    );
}

#[test]
fn the_paper_has_its_rules_with_the_index_of_the_record_dropped() {
    let rule = &lesson_on(&[FIGURE], &showing(&[&[("two", "F12"), ("three", "F13")]])).wrapper.rules[0];
    assert_eq!(rule.path.as_deref(), Some("/html[1]/body[1]/table[1]/tbody[1]/tr"));
    let fields: Vec<_> = rule.rules.iter().map(|rule| rule.path.as_deref()).collect();
    assert_eq!(
        fields,
        [Some("/html[1]/body[1]/table[1]/tbody[1]/tr/td[2]"), Some("/html[1]/body[1]/table[1]/tbody[1]/tr/td[3]")]
    );
}

#[test]
fn each_record_of_the_paper_shows_them_all() {
    let all = crate::table(&lesson_on(&[FIGURE], &showing(&[&[("a", "F11"), ("b", "F13")]])).wrapper, FIGURE);
    for [a, b] in [["F21", "F23"], ["F31", "F33"]] {
        let wrapper = lesson_on(&[FIGURE], &showing(&[&[("a", a), ("b", b)]])).wrapper;
        assert_eq!(crate::table(&wrapper, FIGURE), all);
    }
}

#[test]
fn one_field_is_enough() {
    // The paper's climb would stop at the row; but the cells of a row are no records.
    check(
        FIGURE,
        &[("two", "F22")],
        &expect![[r#"
        two "F12"
        two "F22"
        two "F32"
    "#]],
    );
}

#[test]
fn one_field_of_a_row_that_is_alone() {
    check(
        "<table><tr><td>Rake<td>Twine<td>Wagon</table>",
        &[("name", "Twine")],
        &expect![[r#"
            name "Rake"
            name "Twine"
            name "Wagon"
        "#]],
    );
}

#[test]
fn cells_that_are_cards() {
    check(
        "<table><tr><td><b>Rake</b><br>340<td><b>Twine</b><br>55<tr><td><b>Wagon</b><br>900<td><b>Anvil</b><br>70</table>",
        &[("name", "Twine")],
        &expect![[r#"
            name "Rake"
            name "Twine"
            name "Wagon"
            name "Anvil"
        "#]],
    );
}

#[test]
fn one_field_is_not_what_stands_beside_it() {
    check(
        "<ul><li><b>Oslo</b> <i>3</i><li><b>Rome</b> <i>12</i><li><b>Bern</b> <i>8</i></ul>",
        &[("city", "Rome")],
        &expect![[r#"
            city "Oslo"
            city "Rome"
            city "Bern"
        "#]],
    );
}

#[test]
fn tables_in_wrappers() {
    let row = |name: &str, price: &str| {
        format!("<tr><td><div><div><span>{name}</span></div></div></td><td><center><b>{price}</b></center></td></tr>")
    };
    let html = format!(
        "<div><div><table><thead><tr><th>Name</th><th>Price</th></tr></thead><tbody>{}{}</tbody></table></div></div>",
        row("Rake", "€ 340"),
        row("Twine", "€ 55")
    );
    check(
        &html,
        &[("name", "Twine"), ("price", "€ 55")],
        &expect![[r#"
        name "Rake", price "€ 340"
        name "Twine", price "€ 55"
    "#]],
    );
}

#[test]
fn several_bodies_of_one_table() {
    check(
        "<table><tbody><tr><td>Rake<td>340<tr><td>Twine<td>55</tbody><tbody><tr><td>Wagon<td>900<tr><td>Anvil<td>70\
         </tbody></table>",
        &[("name", "Rake"), ("price", "340")],
        &expect![[r#"
            name "Rake", price "340"
            name "Twine", price "55"
            name "Wagon", price "900"
            name "Anvil", price "70"
        "#]],
    );
}

#[test]
fn a_heading_row_is_no_record() {
    check(
        "<table><tr><th>Name<th>Price<tr><td>Rake<td>340<tr><td>Twine<td>55<tr><td>Wagon<td>900</table>",
        &[("name", "Wagon"), ("price", "900")],
        &expect![[r#"
            name "Rake", price "340"
            name "Twine", price "55"
            name "Wagon", price "900"
        "#]],
    );
}

#[test]
fn cousins_in_columns() {
    let card = |n: usize| format!("<div class=card><h3>Lot {n}</h3><p>{}0 kr</p></div>", n + 3);
    let column = |from: usize| format!("<div class=col>{}{}{}</div>", card(from), card(from + 1), card(from + 2));
    check(
        &format!("<main>{}{}</main>", column(1), column(4)),
        &[("lot", "Lot 2"), ("price", "50 kr")],
        &expect![[r#"
            lot "Lot 1", price "40 kr"
            lot "Lot 2", price "50 kr"
            lot "Lot 3", price "60 kr"
            lot "Lot 4", price "70 kr"
            lot "Lot 5", price "80 kr"
            lot "Lot 6", price "90 kr"
        "#]],
    );
}

#[test]
fn cousins_in_groups_with_headings() {
    check(
        "<section><h2>May</h2><ul><li><a href=/1>Mowing</a> <i>3 May</i><li><a href=/2>Turning</a> <i>5 May</i></ul></section>\
         <section><h2>June</h2><ul><li><a href=/3>Raking</a> <i>1 June</i></ul></section>\
         <section><h2>July</h2><ul><li><a href=/4>Baling</a> <i>2 July</i><li><a href=/5>Rest</a> <i>9 July</i></ul></section>",
        &[("what", "Turning"), ("when", "5 May")],
        &expect![[r#"
            what "Mowing", when "3 May"
            what "Turning", when "5 May"
            what "Raking", when "1 June"
            what "Baling", when "2 July"
            what "Rest", when "9 July"
        "#]],
    );
}

#[test]
fn groups_one_of_which_is_special() {
    check(
        "<div class='group first'><p class=x><b>Oslo</b> <i>1</i><p class=x><b>Rome</b> <i>2</i></div>\
         <div class=group><p class=x><b>Bern</b> <i>3</i></div>\
         <div class='group last'><p class=x><b>Riga</b> <i>4</i><p class=x><b>Wien</b> <i>5</i></div>",
        &[("city", "Bern"), ("n", "3")],
        &expect![[r#"
            city "Oslo", n "1"
            city "Rome", n "2"
            city "Bern", n "3"
            city "Riga", n "4"
            city "Wien", n "5"
        "#]],
    );
}

/// Records some of which lack parts.
const OPTIONAL: &str = "<ul id=l><li class=r><h3>Rake</h3><span class=old>€ 400</span><span class=price>€ 340</span><em>new</em></li>\
                        <li class=r><h3>Twine</h3><span class=price>€ 55</span></li>\
                        <li class=r><h3>Wagon</h3><em>sold</em></li>\
                        <li class=r><h3>Anvil</h3><span class=old>€ 90</span><span class=price>€ 70</span></li></ul>";

#[test]
fn parts_that_others_lack() {
    check(
        OPTIONAL,
        &[("name", "Rake"), ("old", "€ 400"), ("price", "€ 340"), ("mark", "new")],
        &expect![[r#"
        name "Rake", old "€ 400", price "€ 340", mark "new"
        name "Twine", price "€ 55"
        name "Wagon", mark "sold"
        name "Anvil", old "€ 90", price "€ 70"
    "#]],
    );
}

#[test]
fn parts_that_the_shown_one_lacks() {
    check(
        OPTIONAL,
        &[("name", "Twine"), ("price", "€ 55")],
        &expect![[r#"
        name "Rake", price "€ 340"
        name "Twine", price "€ 55"
        name "Wagon"
        name "Anvil", price "€ 70"
    "#]],
    );
    check(
        OPTIONAL,
        &[("name", "Wagon"), ("mark", "sold")],
        &expect![[r#"
        name "Rake", mark "new"
        name "Twine"
        name "Wagon", mark "sold"
        name "Anvil"
    "#]],
    );
}

#[test]
fn optional_parts_without_classes() {
    // Nothing but the order says which of two spans is missing: what is shown first is the first.
    check(
        "<ul><li><h3>Rake</h3><p>Good as new</p><a href=/1>€ 340</a><li><h3>Twine</h3><a href=/2>€ 55</a>\
         <li><h3>Wagon</h3><p>Needs a wheel</p><li><h3>Anvil</h3><p>Heavy</p><a href=/4>€ 70</a></ul>",
        &[("name", "Rake"), ("text", "Good as new"), ("price", "€ 340")],
        &expect![[r#"
            name "Rake", text "Good as new", price "€ 340"
            name "Twine", price "€ 55"
            name "Wagon", text "Needs a wheel"
            name "Anvil", text "Heavy", price "€ 70"
        "#]],
    );
}

/// One of the records has a wrapper more.
const WRAPPED: &str = "<div class=r><div class=top><h3>Rake</h3><i>340</i></div></div><div class=r><h3>Twine</h3><i>55</i></div>\
                       <div class=r><h3>Wagon</h3><i>900</i></div>";

#[test]
#[ignore = "known: fields without a class are not found in a wrapper"]
fn one_of_the_others_has_a_wrapper() {
    check(
        WRAPPED,
        &[("name", "Wagon"), ("price", "900")],
        &expect![[r#"
        name "Rake", price "340"
        name "Twine", price "55"
        name "Wagon", price "900"
    "#]],
    );
}

#[test]
#[ignore = "known: fields without a class are not found in a wrapper"]
fn only_the_shown_record_has_a_wrapper() {
    check(
        WRAPPED,
        &[("name", "Rake"), ("price", "340")],
        &expect![[r#"
        name "Rake", price "340"
        name "Twine", price "55"
        name "Wagon", price "900"
    "#]],
    );
}

#[test]
fn pairs_of_rows() {
    let pair = |name: &str, price: &str, text: &str| {
        format!("<tr class=h><td>{name}</td><td>{price}</td></tr><tr class=b><td colspan=2>{text}</td></tr>")
    };
    let html = format!(
        "<table>{}{}{}</table>",
        pair("Rake", "340", "Two wheels"),
        pair("Twine", "55", "Twelve rolls"),
        pair("Wagon", "900", "Old")
    );
    check(
        &html,
        &[("name", "Twine"), ("price", "55"), ("text", "Twelve rolls")],
        &expect![[r#"
        name "Rake", price "340", text "Two wheels"
        name "Twine", price "55", text "Twelve rolls"
        name "Wagon", price "900", text "Old"
    "#]],
    );
}

#[test]
fn pairs_of_rows_without_classes() {
    let pair = |name: &str, price: &str, text: &str| {
        format!("<tr><td><b>{name}</b></td><td>{price}</td></tr><tr><td colspan=2>{text}</td></tr>")
    };
    let html = format!(
        "<table>{}{}{}</table>",
        pair("Rake", "340", "Two wheels"),
        pair("Twine", "55", "Twelve rolls"),
        pair("Wagon", "900", "Old")
    );
    check(
        &html,
        &[("name", "Rake"), ("text", "Two wheels")],
        &expect![[r#"
        name "Rake", text "Two wheels"
        name "Twine", text "Twelve rolls"
        name "Wagon", text "Old"
    "#]],
    );
    let plain = html.replace("<b>", "").replace("</b>", "");
    check(
        &plain,
        &[("name", "Twine"), ("text", "Twelve rolls")],
        &expect![[r#"
        name "Rake", text "Two wheels"
        name "Twine", text "Twelve rolls"
        name "Wagon", text "Old"
    "#]],
    );
}

#[test]
fn terms_and_descriptions() {
    check(
        "<dl><dt>Rake</dt><dd>Two wheels</dd><dt>Twine</dt><dd>Twelve rolls</dd><dt>Wagon</dt><dd>Old</dd></dl>",
        &[("term", "Rake"), ("text", "Two wheels")],
        &expect![[r#"
            term "Rake", text "Two wheels"
            term "Twine", text "Twelve rolls"
            term "Wagon", text "Old"
        "#]],
    );
}

#[test]
fn headings_and_paragraphs() {
    check(
        "<div id=c><h3>Rake</h3><p>Two wheels</p><h3>Twine</h3><p>Twelve rolls</p><p>Cheap</p><h3>Wagon</h3><p>Old</p></div>",
        &[("name", "Twine"), ("text", "Twelve rolls")],
        &expect![[r#"
            name "Rake", text "Two wheels"
            name "Twine", text "Twelve rolls"
            name "Wagon", text "Old"
        "#]],
    );
}

#[test]
fn a_heading_without_a_paragraph_has_none() {
    check(
        "<div id=c><h3>Rake</h3><p>Two wheels</p><h3>Twine</h3><h3>Wagon</h3><p>Old</p><h3>Anvil</h3><p>Heavy</p></div>",
        &[("name", "Wagon"), ("text", "Old")],
        &expect![[r#"
            name "Rake", text "Two wheels"
            name "Twine"
            name "Wagon", text "Old"
            name "Anvil", text "Heavy"
        "#]],
    );
}

#[test]
fn one_field_of_a_run_of_siblings() {
    check(
        "<div id=c><h3>Rake</h3><p>Two wheels</p><h3>Twine</h3><p>Twelve rolls</p><h3>Wagon</h3><p>Old</p></div>",
        &[("text", "Old")],
        &expect![[r#"
            text "Two wheels"
            text "Twelve rolls"
            text "Old"
        "#]],
    );
}

#[test]
fn the_chosen_record_is_taken() {
    // The paper's interactive variant. Left alone, the lowest list that holds both is taken.
    let html = "<div class=day><h2>Mon</h2><p><b>9:00</b> <i>Mow</i></p><p><b>12:00</b> <i>Eat</i></p></div>\
                <div class=day><h2>Tue</h2><p><b>9:30</b> <i>Rake</i></p><p><b>13:00</b> <i>Nap</i></p></div>\
                <div class=day><h2>Wed</h2><p><b>8:00</b> <i>Bale</i></p></div>";
    let show = showing(&[&[("at", "9:00"), ("what", "Mow")]]);
    check_on(
        &[html],
        html,
        &show,
        &expect![[r#"
        at "9:00", what "Mow"
        at "12:00", what "Eat"
        at "9:30", what "Rake"
        at "13:00", what "Nap"
        at "8:00", what "Bale"
    "#]],
    );
    let chosen = Request { record: Some("/html/body/div[1]".to_owned()), ..show };
    check_on(
        &[html],
        html,
        &chosen,
        &expect![[r#"
        at "9:00", what "Mow"
        at "9:30", what "Rake"
        at "8:00", what "Bale"
    "#]],
    );
}

#[test]
fn the_highest_or_the_lowest_of_nested_records_is_chosen() {
    let html =
        "<ul><li><div><p><b>Rake</b> <i>340</i></p></div></li><li><div><p><b>Twine</b> <i>55</i></p></div></li></ul>";
    let show = showing(&[&[("name", "Rake"), ("price", "340")]]);
    for xpath in ["//li[1]", "//li[1]/div", "//li[1]/div/p"] {
        let chosen = Request { record: Some(xpath.to_owned()), ..show.clone() };
        let wrapper = lesson_on(&[html], &chosen).wrapper;
        assert_eq!(
            crate::table(&wrapper, html),
            "name \"Rake\", price \"340\"\nname \"Twine\", price \"55\"\n",
            "{xpath}"
        );
    }
}

#[test]
fn other_pages_of_the_list() {
    let row = |n: usize| format!("<li class=item><a href=/{n}>Lot {n}</a> <b>{n}0 kr</b></li>");
    let page = |rows: &[usize]| {
        format!("<nav><a href=/>Home</a></nav><ul class=lots>{}</ul>", rows.iter().map(|&n| row(n)).collect::<String>())
    };
    let lacking = page(&[8]).replace("<b>80 kr</b>", "") + &page(&[9]);
    for (other, expected) in [
        (
            page(&[4]),
            expect![[r#"
            lot "Lot 1", price "10 kr", link "/1"
            lot "Lot 2", price "20 kr", link "/2"
            lot "Lot 3", price "30 kr", link "/3"
            --
            lot "Lot 4", price "40 kr", link "/4"
        "#]],
        ),
        (
            page(&[4, 5, 6, 7, 8]),
            expect![[r#"
            lot "Lot 1", price "10 kr", link "/1"
            lot "Lot 2", price "20 kr", link "/2"
            lot "Lot 3", price "30 kr", link "/3"
            --
            lot "Lot 4", price "40 kr", link "/4"
            lot "Lot 5", price "50 kr", link "/5"
            lot "Lot 6", price "60 kr", link "/6"
            lot "Lot 7", price "70 kr", link "/7"
            lot "Lot 8", price "80 kr", link "/8"
        "#]],
        ),
        (
            page(&[]),
            expect![[r#"
            lot "Lot 1", price "10 kr", link "/1"
            lot "Lot 2", price "20 kr", link "/2"
            lot "Lot 3", price "30 kr", link "/3"
            --
        "#]],
        ),
        (
            lacking,
            expect![[r#"
            lot "Lot 1", price "10 kr", link "/1"
            lot "Lot 2", price "20 kr", link "/2"
            lot "Lot 3", price "30 kr", link "/3"
            --
            lot "Lot 8", link "/8"
            lot "Lot 9", price "90 kr", link "/9"
        "#]],
        ),
    ] {
        let html = page(&[1, 2, 3]);
        check_both(&html, &other, &[("lot", "Lot 2"), ("price", "20 kr"), ("link", "@href of lot")], &expected);
    }
}

#[test]
fn a_hidden_list() {
    // A page that was saved before its scripts ran.
    check(
        "<h1>Lots</h1><div style='display:none'><ul><li><b>Rake</b> <i>340</i><li><b>Twine</b> <i>55</i>\
         <li><b>Wagon</b> <i>900</i></ul></div>",
        &[("name", "Twine"), ("price", "55")],
        &expect![[r#"
            name "Rake", price "340"
            name "Twine", price "55"
            name "Wagon", price "900"
        "#]],
    );
}

#[test]
fn hidden_records_of_a_list_that_is_seen() {
    check(
        "<ul><li><b>Rake</b> <i>340</i><li style='display:none'><b>Template</b> <i>0</i><li><b>Twine</b> <i>55</i>\
         <li><b>Wagon</b> <i>900</i></ul>",
        &[("name", "Twine"), ("price", "55")],
        &expect![[r#"
            name "Rake", price "340"
            name "Twine", price "55"
            name "Wagon", price "900"
        "#]],
    );
}

/// Three lists that differ by nothing but the name of what they are in.
fn lists(name: &str) -> String {
    let list = |of: &str, items: &[&str]| {
        let items: String = items.iter().map(|item| format!("<li><a href=#>{item}</a></li>")).collect();
        format!("<div {name}={of}><ul>{items}</ul></div>")
    };
    [
        list("menu", &["Home", "News", "Help"]),
        list("lots", &["Rake", "Twine", "Wagon"]),
        list("foot", &["Imprint", "Terms"]),
    ]
    .concat()
}

#[test]
fn another_list_of_the_same_build() {
    check(
        &lists("id"),
        &[("name", "Twine")],
        &expect![[r#"
            name "Rake"
            name "Twine"
            name "Wagon"
        "#]],
    );
}

#[test]
#[ignore = "known: what is in a part of the page with another class is taken, too"]
fn another_list_of_the_same_build_by_class() {
    check(
        &lists("class"),
        &[("name", "Twine")],
        &expect![[r#"
            name "Rake"
            name "Twine"
            name "Wagon"
        "#]],
    );
}

/// The first post stands elsewhere and in another element; the class of posts tells that it is one.
#[test]
fn a_record_in_another_place() {
    let post = |user: &str, text: &str| {
        format!(
            "<div class=post-body><div class=head><b class=user>{user}</b> <i class=date>May {}</i></div><p class=text>{text}</p></div>",
            text.len()
        )
    };
    let html = format!(
        "<main><section class=question id=q>{}</section><h2>Comments</h2><ul class=comments><li>{}<li>{}<li>{}</ul></main>",
        post("ann", "Which oil is best for an old tractor of this kind, and how often should I change it?"),
        post("bo", "Any oil will do, but change it each spring before the work begins."),
        post("cy", "I take what the dealer has, and it has run for twenty years now."),
        post("di", "Read the book that came with it; it says so on the second page.")
    );
    let lesson = lesson_on(
        &[&html],
        &showing(&[&[("user", "bo"), ("text", "Any oil will do, but change it each spring before the work begins.")]]),
    );
    assert_eq!(table(&lesson.wrapper, &html).lines().count(), 4, "{:?}", lesson.wrapper);
}
