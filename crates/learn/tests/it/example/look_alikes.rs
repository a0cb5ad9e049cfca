//! Tests of look-alikes of fields and records, and of fields that stand outside of their record.

use expect_test::expect;
use windrow_learn::example::Question;

use super::{check, check_both, lesson_on, showing};

#[test]
fn a_heading_is_a_field_of_each_record_below_it() {
    check_both(
        "<main><h2>Friday</h2><div><b>19:30</b> <a>Orchard</a></div><div><b>20:00</b> <a>Open Mic</a></div>\
         <h2>Saturday</h2><div><b>11:00</b> <a>Puppets</a></div><div><b>15:00</b> <a>Organ</a></div></main>",
        "<main><h2>Sunday</h2><div><b>10:00</b> <a>Car Boot</a></div></main>",
        &[("day", "Saturday"), ("time", "15:00"), ("title", "Organ")],
        &expect![[r#"
            day "Friday", time "19:30", title "Orchard"
            day "Friday", time "20:00", title "Open Mic"
            day "Saturday", time "11:00", title "Puppets"
            day "Saturday", time "15:00", title "Organ"
            --
            day "Sunday", time "10:00", title "Car Boot"
        "#]],
    );
}

#[test]
fn a_cell_that_covers_rows_is_read_in_each_of_them() {
    check(
        "<table><tr><td rowspan=3>Towns<td>A<td>Mon<tr><td>B<td>Wed<tr><td>C<td>Thu\
         <tr><td rowspan=3>Roads<td>A<td>Tue<tr><td>B<td>Fri<tr><td>C<td>Sat</table>",
        &[("course", "Roads"), ("group", "B"), ("day", "Fri")],
        &expect![[r#"
            course "Towns", group "A", day "Mon"
            course "Towns", group "B", day "Wed"
            course "Towns", group "C", day "Thu"
            course "Roads", group "A", day "Tue"
            course "Roads", group "B", day "Fri"
            course "Roads", group "C", day "Sat"
        "#]],
    );
}

#[test]
fn an_icon_tells_what_a_number_counts() {
    let link = |of: &str, count: &str| format!("<a class=n href=/p/{of}><svg aria-label={of}></svg> {count}</a>");
    let html = format!(
        "<ul><li><h3>alpha</h3><p>{}{}</p><li><h3>beta</h3><p>{}</p><li><h3>gamma</h3><p>{}{}</p></ul>",
        link("stars", "1204"),
        link("forks", "88"),
        link("forks", "2"),
        link("stars", "310"),
        link("forks", "21")
    );
    check(
        &html,
        &[("name", "gamma"), ("stars", "310"), ("forks", "21")],
        &expect![[r#"
            name "alpha", stars "1204", forks "88"
            name "beta", forks "2"
            name "gamma", stars "310", forks "21"
        "#]],
    );
}

#[test]
fn headers_and_sums_are_no_records() {
    check(
        "<table><tr><td>Name<td>People<td><tr><td>Alden<td>12,044<td><a href=a>map</a><tr><td>Brook<td>3,870<td><a href=b>map</a>\
         <tr><td>Carse<td>940<td><a href=c>map</a><tr><td>Total<td>16,854<td></table>",
        &[("town", "Brook"), ("people", "3,870"), ("map", "@//tr[3]/td[3]/a/@href")],
        &expect![[r#"
            town "Alden", people "12,044", map "a"
            town "Brook", people "3,870", map "b"
            town "Carse", people "940", map "c"
        "#]],
    );
}

#[test]
fn a_striped_row_begins_a_record_like_any_other() {
    let hearing = |class: &str, time: &str, name: &str| {
        format!("<tr class='main{class}'><td>{time}<td>x<tr class='sub{class}'><td><td><i>{name}</i>")
    };
    let html = format!(
        "<table>{}{}{}{}</table>",
        hearing("", "09:30", "Harrow"),
        hearing(" stripe", "10:15", "Poole"),
        hearing("", "11:00", "Lacey"),
        hearing(" stripe", "11:45", "Trent")
    );
    check(
        &html,
        &[("time", "10:15"), ("name", "Poole")],
        &expect![[r#"
            time "09:30", name "Harrow"
            time "10:15", name "Poole"
            time "11:00", name "Lacey"
            time "11:45", name "Trent"
        "#]],
    );
}

#[test]
fn short_words_around_a_value_are_words() {
    check_both(
        "<ul><li><b>Owls</b><p>by Ruth on 7 May</p><li><b>Pool</b><p>by Ann on 6 May</p><li><b>Ferry</b><p>by Cal</p></ul>",
        "<ul><li><b>Show</b><p>by Ida von Holt on 5 May</p></ul>",
        &[("title", "Owls"), ("author", "Ruth"), ("date", "7 May")],
        &expect![[r#"
            title "Owls", author "Ruth", date "7 May"
            title "Pool", author "Ann", date "6 May"
            title "Ferry", author "Cal"
            --
            title "Show", author "Ida von Holt", date "5 May"
        "#]],
    );
}

#[test]
fn the_report_asks_about_the_record_that_settles_it() {
    let html = "<ul><li><b>Rake</b> <i>340</i><li><b>Twine</b><li><b>Wagon</b><li><b>Anvil</b></ul>";
    let report = lesson_on(&[html], &showing(&[&[("name", "Rake"), ("price", "340")]])).report();
    assert_eq!((report.records, report.fields[0].values, report.fields[1].values), (4, 4, 1));
    let Some(Question::Field { field, record }) = report.question else { panic!("{report:?}") };
    assert_eq!((field.as_str(), record.text.as_str()), ("price", "Twine"));
}
