//! Lists in records: `comments.author` and `tags[]`.

use expect_test::expect;

use super::{check, check_both, lesson_on, showing};
use crate::table;

const POSTS: &str = "<article><h2>Mowing</h2><ul class=tags><li>hay<li>sun</ul><div class=comments>\
                     <p><b>Ann</b> <i>Good</i></p><p><b>Bo</b> <i>Hot</i></p></div></article>\
                     <article><h2>Raking</h2><ul class=tags><li>hay<li>wind<li>dust</ul></article>\
                     <article><h2>Resting</h2><div class=comments><p><b>Cy</b> <i>At last</i></p></div></article>";

#[test]
fn values() {
    check(
        POSTS,
        &[("title", "Mowing"), ("tags[]", "sun")],
        &expect![[r#"
        title "Mowing", tags "hay", tags "sun"
        title "Raking", tags "hay", tags "wind", tags "dust"
        title "Resting"
    "#]],
    );
}

#[test]
fn records() {
    check(
        POSTS,
        &[("title", "Mowing"), ("comments.author", "Bo"), ("comments.text", "Hot")],
        &expect![[r#"
            title "Mowing", comments {author "Ann", text "Good"}, comments {author "Bo", text "Hot"}
            title "Raking"
            title "Resting", comments {author "Cy", text "At last"}
        "#]],
    );
}

#[test]
fn both() {
    check(
        POSTS,
        &[("title", "Mowing"), ("tags[]", "hay"), ("comments.author", "Ann"), ("comments.text", "Good")],
        &expect![[r#"
            title "Mowing", tags "hay", tags "sun", comments {author "Ann", text "Good"}, comments {author "Bo", text "Hot"}
            title "Raking", tags "hay", tags "wind", tags "dust"
            title "Resting", comments {author "Cy", text "At last"}
        "#]],
    );
}

#[test]
fn without_a_name_for_it_only_one_is_meant() {
    check(
        POSTS,
        &[("title", "Mowing"), ("tag", "hay")],
        &expect![[r#"
        title "Mowing", tag "hay"
        title "Raking", tag "hay"
        title "Resting"
    "#]],
    );
}

#[test]
fn on_other_pages() {
    let other = "<article><h2>Baling</h2><div class=comments><p><b>Di</b> <i>Loud</i></p><p><b>Ed</b> <i>Yes</i></p>\
                 <p><b>Fay</b> <i>No</i></p></div></article><article><h2>End</h2></article>";
    check_both(
        POSTS,
        other,
        &[("title", "Mowing"), ("comments.author", "Ann"), ("comments.text", "Good")],
        &expect![[r#"
            title "Mowing", comments {author "Ann", text "Good"}, comments {author "Bo", text "Hot"}
            title "Raking"
            title "Resting", comments {author "Cy", text "At last"}
            --
            title "Baling", comments {author "Di", text "Loud"}, comments {author "Ed", text "Yes"}, comments {author "Fay", text "No"}
            title "End"
        "#]],
    );
}

#[test]
fn links_of_a_line() {
    check(
        "<ul><li><b>Rake</b><p>Tags: <a href=/t/1>new</a>, <a href=/t/2>steel</a></p><li><b>Twine</b><p>Tags: <a href=/t/3>sisal</a></p>\
         <li><b>Wagon</b><p>Tags: <a href=/t/4>old</a>, <a href=/t/5>wood</a>, <a href=/t/6>big</a></p></ul>",
        &[("name", "Rake"), ("tags.word", "steel"), ("tags.link", "@href of tags.word")],
        &expect![[r#"
            name "Rake", tags {word "new", link "/t/1"}, tags {word "steel", link "/t/2"}
            name "Twine", tags {word "sisal", link "/t/3"}
            name "Wagon", tags {word "old", link "/t/4"}, tags {word "wood", link "/t/5"}, tags {word "big", link "/t/6"}
        "#]],
    );
}

#[test]
fn a_list_in_a_list() {
    let day = |name: &str, inner: &str| format!("<section><h2>{name}</h2>{inner}</section>");
    let group = |name: &str, items: &[&str]| {
        let items: String = items.iter().map(|item| format!("<li>{item}</li>")).collect();
        format!("<div><h3>{name}</h3><ul>{items}</ul></div>")
    };
    let html = [
        day("Mon", &(group("Field", &["mow", "turn"]) + &group("Barn", &["sweep"]))),
        day("Tue", &(group("Field", &["rake"]) + &group("House", &["cook", "eat", "sleep"]))),
    ]
    .concat();
    check(
        &html,
        &[("day", "Mon"), ("groups.name", "Field"), ("groups.tasks[]", "turn")],
        &expect![[r#"
            day "Mon", groups {name "Field", tasks "mow", tasks "turn"}, groups {name "Barn", tasks "sweep"}
            day "Tue", groups {name "Field", tasks "rake"}, groups {name "House", tasks "cook", tasks "eat", tasks "sleep"}
        "#]],
    );
}

#[test]
fn what_holds_several_of_the_shown_records_is_none() {
    let talk = |time: &str, name: &str| format!("<div class=talk><b>{time}</b> {name}</div>");
    let day = |number: usize, talks: &str| format!("<td class=day><i>{number}</i>{talks}</td>");
    let rows = [
        [day(1, ""), day(2, &talk("10:00", "Bees")), day(3, &(talk("09:00", "Hay") + &talk("18:00", "Soil")))],
        [day(4, &talk("20:00", "Rain")), day(5, &talk("11:00", "Seeds")), day(6, "")],
    ];
    let page = format!("<table>{}</table>", rows.map(|row| format!("<tr>{}</tr>", row.concat())).concat());
    let wrapper = lesson_on(&[&page], &showing(&[&[("time", "18:00"), ("name", "Soil")]])).wrapper;
    expect![[r#"
        time "10:00", name "Bees"
        time "09:00", name "Hay"
        time "18:00", name "Soil"
        time "20:00", name "Rain"
        time "11:00", name "Seeds"
    "#]]
    .assert_eq(&table(&wrapper, &page));
}

#[test]
fn a_cell_over_several_rows_is_said_of_each() {
    let page = "<table class=games><tr><th>Day<th>Home<th>Guests</tr>\
                <tr><td rowspan=2 class=day>Saturday<td>Rakes<td>Ploughs</tr><tr><td>Wagons<td>Anvils</tr>\
                <tr><td rowspan=2 class=day>Sunday<td>Churns<td>Mills</tr><tr><td>Barns<td>Sheds</tr></table>";
    let shown = [("day", "Sunday"), ("home", "Churns"), ("guests", "Mills")];
    let wrapper = lesson_on(&[page], &showing(&[&shown])).wrapper;
    expect![[r#"
        day "Saturday", home "Rakes", guests "Ploughs"
        day "Saturday", home "Wagons", guests "Anvils"
        day "Sunday", home "Churns", guests "Mills"
        day "Sunday", home "Barns", guests "Sheds"
    "#]]
    .assert_eq(&table(&wrapper, page));
}
