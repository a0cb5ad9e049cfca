//! What is said of what was learned.

use expect_test::{Expect, expect};
use windrow_learn::example::Note;

use super::{Show, lesson_on, showing};

#[track_caller]
fn check(html: &str, show: Show<'_>, expected: &Expect) -> Vec<Note> {
    let notes = lesson_on(&[html], &showing(&[show])).notes;
    expected.assert_eq(&notes.iter().map(|note| format!("{note}\n")).collect::<String>());
    notes
}

const ROOMS: &str = "<table><tr><td>Rake<td>2<td>2<tr><td>Twine<td>3<td>1<tr><td>Wagon<td>5<td>4</table>";

#[test]
fn nothing_to_say() {
    check(ROOMS, &[("name", "Twine"), ("left", "1")], &expect![[r#""#]]);
}

#[test]
fn one_record_that_is_the_page() {
    check(
        "<h1>Rake</h1><p>340 kr</p>",
        &[("name", "Rake")],
        &expect![[r#"
        no second record was found: the record is the page
    "#]],
    );
}

#[test]
fn several_places_in_the_record() {
    let notes = check(
        ROOMS,
        &[("name", "Rake"), ("left", "2")],
        &expect![[r#"
        `left` may be any of 2 places; /html[1]/body[1]/table[1]/tbody[1]/tr[1]/td[2] was taken
    "#]],
    );
    let [Note::Ambiguous { candidates, field }] = &notes[..] else { panic!("{notes:?}") };
    let told: Vec<_> = candidates.iter().map(|it| (it.path.as_str(), it.text.as_str())).collect();
    assert_eq!(field, "left");
    let [one, two] = [2, 3].map(|cell| format!("/html[1]/body[1]/table[1]/tbody[1]/tr[1]/td[{cell}]"));
    assert_eq!(told, [(&*one, "2"), (&*two, "2")]);
    assert_eq!(candidates[0].before, "Rake");
}

#[test]
fn each_place_with_what_is_in_front_of_it() {
    let notes = lesson_on(&[ROOMS], &showing(&[&[("name", "Rake"), ("left", "2")]])).notes;
    let [Note::Ambiguous { candidates, .. }] = &notes[..] else { panic!("{notes:?}") };
    assert_ne!(candidates[0].before, candidates[1].before);
}

#[test]
#[ignore = "known: only places in the same record are told"]
fn several_places_on_the_page() {
    // The menu has it, too, and nothing beside it says which is meant.
    let html = "<div id=m><ul><li>Rake<li>Twine<li>Wagon</ul></div><div id=l><ol><li>Oil<li>Twine<li>Anvil</ol></div>";
    let notes = lesson_on(&[html], &showing(&[&[("name", "Twine")]])).notes;
    assert!(matches!(&notes[..], [Note::Ambiguous { .. }]), "{notes:?}");
}

#[test]
fn several_places_of_which_one_was_pointed_at() {
    check(ROOMS, &[("name", "Rake"), ("left", "@//tr[1]/td[3]")], &expect![[r#""#]]);
}

#[test]
fn other_places_that_another_field_has() {
    check(ROOMS, &[("name", "Rake"), ("places", "2"), ("left", "2")], &expect![[r#""#]]);
}

#[test]
fn few_records_have_it() {
    let html = "<ul><li><b>Rake</b> <i>340</i><li><b>Twine</b><li><b>Wagon</b><li><b>Anvil</b></ul>";
    let notes = check(
        html,
        &[("name", "Rake"), ("price", "340")],
        &expect![[r#"
        `price` was found in 1 of 4 records
    "#]],
    );
    assert!(
        matches!(&notes[..], [Note::Rare { found: 1, records: 4, without, .. }] if without.path.ends_with("li[2]")),
        "{notes:?}"
    );
}

#[test]
fn few_items_of_a_list_have_it() {
    let html = "<div><h2>A</h2><p><b>x</b> <i>1</i></p><p><b>y</b></p></div><div><h2>B</h2><p><b>z</b></p><p><b>w</b></p></div>";
    check(
        html,
        &[("name", "A"), ("items.name", "x"), ("items.n", "1")],
        &expect![[r#"
        `n` was found in 1 of 4 records
    "#]],
    );
}

#[test]
fn a_value_that_stands_elsewhere_where_the_field_is_missing() {
    let plain = |name: &str, price: &str| {
        format!("<li class=lot><h3>{name}</h3><div class=box><b class=price>{price}</b></div></li>")
    };
    let lowered = "<li class=lot><h3>Anvil</h3><div class=box><p class=was>€ 90</p>\
                   <p class=now>€ 70</p></div></li>";
    let page = format!(
        "<ul>{}{}{lowered}{}{}</ul>",
        plain("Rake", "€ 340"),
        plain("Twine", "€ 55"),
        plain("Wagon", "€ 900"),
        plain("Plough", "€ 410")
    );
    let notes = lesson_on(&[&page], &showing(&[&[("name", "Twine"), ("price", "€ 55")]])).notes;
    let told = |note: &Note| matches!(note, Note::Elsewhere { field, count: 1, first } if field == "price" && first.text == "€ 90");
    assert!(notes.iter().any(told), "{notes:?}");
}
