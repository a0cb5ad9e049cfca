//! Fields that stand at another place in some records.

use expect_test::expect;
use windrow_learn::example::Note;

use super::{check, check_both, lesson_on, showing};

#[test]
fn a_date_at_another_place_in_one_record() {
    let posts = ["May 4, 2024", "May 5, 2024", "May 7, 2024"];
    let rest: String = posts
        .iter()
        .zip(["Ben", "Cleo", "Dan"])
        .map(|(date, name)| format!("<div class=post><b>{name}</b><p class=meta><i class=when>{date}</i></p></div>"))
        .collect();
    let page =
        format!("<div class=post><section class=top><h4><em>May 3, 2024</em></h4></section><b>Ann</b></div>{rest}");
    check(
        &page,
        &[("name", "Ben"), ("date", "May 4, 2024")],
        &expect![[r#"
            name "Ann", date "May 3, 2024"
            name "Ben", date "May 4, 2024"
            name "Cleo", date "May 5, 2024"
            name "Dan", date "May 7, 2024"
        "#]],
    );
    let lesson = lesson_on(&[&page], &showing(&[&[("name", "Ben"), ("date", "May 4, 2024")]]));
    let told =
        lesson.notes.iter().any(|note| matches!(note, Note::OtherPlace { field, count: 1, .. } if field == "date"));
    assert!(told, "{:?}", lesson.notes);
}

/// Two dates at other places tell nothing: neither is taken.
#[test]
fn one_of_two_dates_is_not_guessed() {
    let rest = "<div class=post><b>Ben</b><p class=meta><i class=when>May 4, 2024</i></p></div>
        <div class=post><b>Cleo</b><p class=meta><i class=when>May 5, 2024</i></p></div>
        <div class=post><b>Dan</b><p class=meta><i class=when>May 7, 2024</i></p></div>";
    let first = "<div class=post><b>Ann</b><p class=top><u class=opened>May 3, 2024</u> <s class=closed>May 9, 2024</s></p></div>";
    check(
        &format!("{first}{rest}"),
        &[("name", "Ben"), ("date", "May 4, 2024")],
        &expect![[r#"
            name "Ann"
            name "Ben", date "May 4, 2024"
            name "Cleo", date "May 5, 2024"
            name "Dan", date "May 7, 2024"
        "#]],
    );
}

/// Where another line stands in front, the label in the text tells which one is meant, on the next page as well.
#[test]
fn a_value_behind_its_label_where_lines_shift() {
    let product = |name: &str, more: &str, count: &str| {
        format!(
            "<div class=product><a class=name>{name}</a><p>Code: 17{count}</p>{more}<p>Case quantity: {count}</p></div>"
        )
    };
    let page = [
        product("Napkins", "", "192"),
        product("Cups", "<p class='info red'><strong>Out of stock until May</strong></p>", "12"),
        product("Plates", "", "96"),
        product("Bowls", "", "48"),
    ];
    let other =
        [product("Forks", "<p class='info red'><strong>Out of stock</strong></p>", "36"), product("Knives", "", "24")];
    check_both(
        &page.concat(),
        &other.concat(),
        &[("name", "Napkins"), ("quantity", "192")],
        &expect![[r#"
            name "Napkins", quantity "192"
            name "Cups", quantity "12"
            name "Plates", quantity "96"
            name "Bowls", quantity "48"
            --
            name "Forks", quantity "36"
            name "Knives", quantity "24"
        "#]],
    );
}
