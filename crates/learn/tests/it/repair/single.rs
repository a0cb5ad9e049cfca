//! Pages that show one record: the fields that are sure are restored, the others are named, and nothing is taken from a
//! place that only happens to say the same.

use windrow_learn::repair::{KnownValue, Note};

use super::*;

/// A wrapper of a page, as it was learned by an example.
const LESSON: &str = r#"
[list.course]
records = { xpath = "/html" }

[list.course.field]
title = { css = "h1.course-title", optional = true }
prep_time = { xpath = "//b[.='Prep Time']/following-sibling::span[1]", optional = true }
cook_time = { xpath = "//b[.='Cook Time']/following-sibling::span[1]", optional = true }
servings = { xpath = "//b[.='Serves']/following-sibling::span[1]", optional = true }
rating = { css = "span.rating-average", optional = true }
"#;

/// The page as it was.
fn old_page() -> String {
    "<h1 class=course-title>Barley soup with smoked eel</h1><p><b>Prep Time</b><span>10 mins</span></p>\
     <p><b>Cook Time</b><span>1h20</span></p><p><b>Serves</b><span>4</span></p>\
     <p><span class=rating-average>4</span> of 9 votes</p>"
        .to_owned()
}

/// The page in its new design: labels with colons, units in full, another rating.
fn new_page(fields: &str) -> String {
    format!(
        "<nav><a href=/soups>Soups</a></nav><main><div class=hero><h1>Barley soup with smoked eel</h1></div>\
         <dl class=facts>{fields}</dl><div class=stars><span class=rating-average>4.6</span> of 31 votes</div>\
         <ol class=steps><li>Cut the eel in 4 pieces.</li><li>Wait 10 minutes.</li></ol></main>\
         <aside><h2>More</h2><p>Ready in 10 mins</p></aside>"
    )
}

fn facts(rows: &[(&str, &str)]) -> String {
    rows.iter().map(|(label, value)| format!("<dt>{label}</dt><dd>{value}</dd>")).collect()
}

/// The value that a repaired wrapper gives for a field.
fn value(repair: &Repair, html: &str, field: &str) -> Option<String> {
    gives(repair, html).list("course").first()?.value(field).map(str::to_owned)
}

fn dropped(repair: &Repair) -> Vec<&str> {
    let names = repair.notes.iter().filter_map(|note| match note {
        Note::Dropped { field, .. } => Some(field.as_str()),
        _ => None,
    });
    names.collect()
}

#[test]
fn the_same_times_in_other_words() {
    let now = new_page(&facts(&[("Prep Time:", "10 minutes"), ("Cook Time:", "1 hr 20 mins"), ("Serves", "4 people")]));
    let repair = mend(LESSON, &old_page(), &now).unwrap();
    for (field, expected) in
        [("title", "Barley soup with smoked eel"), ("prep_time", "10 minutes"), ("cook_time", "1 hr 20 mins")]
    {
        assert_eq!(value(&repair, &now, field).as_deref(), Some(expected), "{field}");
    }
    // The rating changed; its place did not.
    assert_eq!(value(&repair, &now, "rating").as_deref(), Some("4.6"));
}

#[test]
fn the_label_tells_like_values_apart_on_another_page() {
    let now = new_page(&facts(&[("Prep Time:", "10 minutes"), ("Cook Time:", "80 minutes"), ("Serves", "4")]));
    let repair = mend(LESSON, &old_page(), &now).unwrap();
    let other = new_page(&facts(&[("Total Time:", "50 minutes"), ("Cook Time:", "35 minutes")]));
    assert_eq!(value(&repair, &other, "cook_time").as_deref(), Some("35 minutes"));
    assert_eq!(value(&repair, &other, "prep_time"), None);
}

#[test]
fn a_field_that_is_gone_is_dropped_with_a_note() {
    let now = new_page(&facts(&[("Cook Time:", "1 h 20 min")]));
    let repair = mend(LESSON, &old_page(), &now).unwrap();
    assert_eq!(value(&repair, &now, "cook_time").as_deref(), Some("1 h 20 min"));
    // Ten minutes are waited, and another course is ready in ten.
    assert_eq!(value(&repair, &now, "prep_time"), None);
    assert!(dropped(&repair).contains(&"prep_time"), "{:?}", repair.notes);
    assert!(dropped(&repair).contains(&"servings"), "{:?}", repair.notes);
}

#[test]
fn another_course_is_refused() {
    let now = new_page(&facts(&[("Prep Time:", "10 mins"), ("Cook Time:", "1h20"), ("Serves", "4")]));
    let now = now.replace("Barley soup with smoked eel", "Rye bread in a pot");
    assert_eq!(mend(LESSON, &old_page(), &now), Err(Refusal::TooFew { list: "course".to_owned(), known: 1, found: 0 }));
}

#[test]
fn what_a_person_shows_completes_a_repair() {
    let now = new_page(&facts(&[("Cook Time:", "1 h 20 min"), ("Enough for", "six")]));
    let wrapper = wrapper(LESSON);
    let mut known = known(&wrapper, &old_page());
    known.shown.push(KnownValue { label: "servings".to_owned(), raw: "six".to_owned() });
    let repaired = repair(&wrapper, &known, &[page(&now)]).unwrap();
    assert_eq!(value(&repaired, &now, "servings").as_deref(), Some("six"));
    known.shown[0].raw = "seventeen".to_owned();
    let refusal = repair(&wrapper, &known, &[page(&now)]).unwrap_err();
    assert_eq!(refusal, Refusal::NotShown { field: "servings".to_owned() });
}
