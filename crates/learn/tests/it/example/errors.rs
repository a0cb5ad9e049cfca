//! What cannot be learned is said with the field, the node, and what to do.

use expect_test::{Expect, expect};
use windrow_learn::example::{Error, Example, Pointed, Pointer, Request, Shape};

use super::{Show, shaped, showing, showing_but, try_on};

const LOTS: &str = "<ul><li><b>Rake</b> <i>340 kr</i> <a href=/1 class=more>more</a><li><b>Twine</b> <i>55 kr</i> <a href=/2>more</a>\
                    <li><b>Hay wagon, old</b> <i>900 kr</i> <a href=/3>more</a></ul>";

/// Checks what is said, and gives the error.
#[track_caller]
fn check_said(pages: &[&str], request: &Request, expected: &Expect) -> Error {
    let error = match try_on(pages, request) {
        Ok(lesson) => panic!("learned: {:?}", lesson.wrapper.rules),
        Err(error) => error,
    };
    let field = error.field().map_or("no field".to_owned(), |field| format!("field {field}"));
    let hint = error.hint().map_or(String::new(), |hint| format!("\nhint: {hint}"));
    expected.assert_eq(&format!("{field}: {error}{hint}"));
    error
}

#[track_caller]
fn check(html: &str, show: Show<'_>, expected: &Expect) -> Error {
    check_said(&[html], &showing(&[show]), expected)
}

#[test]
fn nothing_is_shown() {
    let said = expect![[r#"
        no field: no field was shown
        hint: show at least one field of one record, as `--example title="its text"`"#]];
    check_said(&[LOTS], &Request::default(), &said);
    check_said(&[LOTS], &showing(&[&[]]), &said);
    check_said(&[LOTS], &showing(&[&[("name", "Rake")], &[]]), &said);
}

#[test]
fn there_is_no_page() {
    check_said(
        &[],
        &showing(&[&[("name", "Rake")]]),
        &expect![[r#"
        no field: no field was shown
        hint: show at least one field of one record, as `--example title="its text"`"#]],
    );
}

#[test]
fn a_field_twice() {
    let error = check(
        LOTS,
        &[("name", "Rake"), ("name", "Twine")],
        &expect![[r#"
        field name: `name` is shown twice in one record
        hint: each field of a record is shown once"#]],
    );
    assert_eq!(error, Error::Twice { field: "name".to_owned() });
}

#[test]
fn a_text_that_is_not_there() {
    let error = check(
        LOTS,
        &[("name", "Old hay wagons"), ("price", "900 kr")],
        &expect![[r#"
        field name: `name`: `Old hay wagons` is not on the page
        hint: near it: `Hay wagon, old`"#]],
    );
    let Error::NotFound { nearest, text, .. } = error else { panic!("{error:?}") };
    assert_eq!(text, "Old hay wagons");
    assert_eq!(nearest[0].path, "/html[1]/body[1]/ul[1]/li[3]/b[1]/text()[1]");
    assert_eq!(nearest[0].text, "Hay wagon, old");
}

#[test]
fn a_text_that_is_like_nothing() {
    check(
        LOTS,
        &[("name", "Combine")],
        &expect![[r#"
        field name: `name`: `Combine` is not on the page
        hint: give the text as the page shows it, or an XPath behind `@`"#]],
    );
    let error = try_on(&[LOTS], &showing(&[&[("name", "")]])).unwrap_err();
    assert!(
        matches!(&error, Error::NotFound { field, nearest, .. } if field == "name" && nearest.is_empty()),
        "{error:?}"
    );
    let error = try_on(&[LOTS], &showing(&[&[("name", " \n ")]])).unwrap_err();
    assert!(
        matches!(&error, Error::NotFound { field, nearest, .. } if field == "name" && nearest.is_empty()),
        "{error:?}"
    );
    check(
        "",
        &[("name", "Rake")],
        &expect![[r#"
        field name: `name`: `Rake` is not on the page
        hint: give the text as the page shows it, or an XPath behind `@`"#]],
    );
}

#[test]
fn a_text_that_is_on_another_page_than_the_first() {
    check_said(
        &["<p>Nothing", LOTS],
        &showing(&[&[("name", "Rake"), ("price", "550 kr")]]),
        &expect![[r#"
        field price: `price`: `550 kr` is not on the page
        hint: near it: `55 kr`, `340 kr`, `900 kr`"#]],
    );
}

#[test]
fn an_xpath_that_cannot_be_read() {
    let error = check(
        LOTS,
        &[("name", "@//li[1/b")],
        &expect![[r#"
        field name: `name`: `/` needs nodes, but this is a number
        hint: only paths, unions, variables and `id()` return nodes"#]],
    );
    assert!(matches!(error, Error::XPath { xpath, .. } if xpath == "//li[1/b"));
}

#[test]
fn an_xpath_that_selects_nothing() {
    let error = check(
        LOTS,
        &[("name", "@//li[9]/b")],
        &expect![[r#"
        field name: `name`: `//li[9]/b` selects nothing on the page
        hint: `windrow select` shows what an expression finds"#]],
    );
    assert_eq!(error, Error::Nothing { field: "name".to_owned(), xpath: "//li[9]/b".to_owned() });
    check(
        LOTS,
        &[("name", "@count(//li)")],
        &expect![[r#"
        field name: `name`: `count(//li)` selects nothing on the page
        hint: `windrow select` shows what an expression finds"#]],
    );
}

#[test]
fn an_attribute_of_no_field() {
    check(
        LOTS,
        &[("name", "Rake"), ("link", "@href of title")],
        &expect![[r#"
        field link: `link`: there is no field `title`
        hint: `@NAME of FIELD` needs that field in the same record"#]],
    );
    check(
        LOTS,
        &[("link", "@href of link")],
        &expect![[r#"
        field link: `link`: there is no field `link`
        hint: `@NAME of FIELD` needs that field in the same record"#]],
    );
    check(
        LOTS,
        &[("a", "@href of b"), ("b", "@href of a")],
        &expect![[r#"
        field a: `a`: there is no field `b`
        hint: `@NAME of FIELD` needs that field in the same record"#]],
    );
}

#[test]
fn an_attribute_that_is_not_there() {
    let error = check(
        LOTS,
        &[("more", "@//li[1]/a"), ("photo", "@src of more")],
        &expect![[r#"
        field photo: `photo`: no attribute `src` at /html[1]/body[1]/ul[1]/li[1]/a[1], nor around it
        hint: there are: `href`, `class`"#]],
    );
    let Error::NoAttribute { known, path, .. } = error else { panic!("{error:?}") };
    assert_eq!(
        (path.as_str(), known),
        ("/html[1]/body[1]/ul[1]/li[1]/a[1]", vec!["href".to_owned(), "class".to_owned()])
    );
    check(
        LOTS,
        &[("name", "Rake"), ("photo", "@src of name")],
        &expect![[r#"
        field photo: `photo`: no attribute `src` at /html[1]/body[1]/ul[1]/li[1]/b[1], nor around it"#]],
    );
}

const TWO_LISTS: &str = "<div id=a><ul><li><b>Rake</b><li><b>Twine</b><li><b>Wagon</b></ul></div>\
                         <div id=b><ol><li><i>Oslo</i><li><i>Rome</i><li><i>Bern</i></ol></div>";

#[test]
fn fields_in_different_lists() {
    let error = check_said(
        &[TWO_LISTS],
        &shaped(&[("name", "Twine"), ("city", "Rome")], Shape::List),
        &expect![[r#"
            field name: `name` (/html[1]/body[1]/div[1]/ul[1]/li[2]/b[1]) and `city` (/html[1]/body[1]/div[2]/ol[1]/li[2]/i[1]) are in different lists
            hint: show fields of one record, or learn a wrapper for each list"#]],
    );
    assert!(matches!(error, Error::Apart { .. }));
}

#[test]
fn fields_in_different_lists_where_a_page_would_do() {
    let error = try_on(&[TWO_LISTS], &showing(&[&[("name", "Twine"), ("city", "Rome")]])).unwrap_err();
    assert!(matches!(&error, Error::Apart { field, other, .. } if field == "name" && other == "city"), "{error:?}");
}

#[test]
fn no_second_record() {
    let html = "<h1>Rake</h1><p>340 kr</p>";
    let error = check_said(
        &[html],
        &shaped(&[("name", "Rake"), ("price", "340 kr")], Shape::List),
        &expect![[r#"
        no field: there is no second record like /html[1]/body[1]/h1[1]
        hint: leave out `--as-list` to take the page as the record"#]],
    );
    assert!(matches!(error, Error::NoList { .. }));
}

#[test]
fn a_chosen_record_without_a_second() {
    let html = "<div id=one><h1>Rake</h1><p>340 kr</p></div><span>End</span>";
    let request = Request { record: Some("//div".to_owned()), ..showing(&[&[("name", "Rake"), ("price", "340 kr")]]) };
    check_said(
        &[html],
        &request,
        &expect![[r#"
        no field: there is no second record like /html[1]/body[1]/div[1]
        hint: leave out `--as-list` to take the page as the record"#]],
    );
}

#[test]
fn a_chosen_record_that_holds_not_all() {
    let request =
        Request { record: Some("//li[1]".to_owned()), ..showing(&[&[("name", "Twine"), ("price", "55 kr")]]) };
    let error = check_said(
        &[LOTS],
        &request,
        &expect![[r#"
        field name: `name` (/html[1]/body[1]/ul[1]/li[2]/b[1]) is not in the record /html[1]/body[1]/ul[1]/li[1]
        hint: choose an element around all the fields"#]],
    );
    assert!(matches!(error, Error::Outside { .. }));
    let request =
        Request { record: Some("//li[1]/b".to_owned()), ..showing(&[&[("name", "Rake"), ("price", "340 kr")]]) };
    check_said(
        &[LOTS],
        &request,
        &expect![[r#"
        field price: `price` (/html[1]/body[1]/ul[1]/li[1]/i[1]) is not in the record /html[1]/body[1]/ul[1]/li[1]/b[1]
        hint: choose an element around all the fields"#]],
    );
}

#[test]
fn a_chosen_record_that_is_none() {
    for xpath in ["//li[", "//table", "count(//li)"] {
        let request = Request { record: Some(xpath.to_owned()), ..showing(&[&[("name", "Twine")]]) };
        let error = try_on(&[LOTS], &request).unwrap_err();
        assert!(matches!(error, Error::XPath { .. } | Error::Nothing { .. }), "{xpath}: {error:?}");
        assert_eq!(error.field(), Some("record"));
    }
}

#[test]
fn what_is_shown_is_excluded() {
    let show: Show<'_> = &[("name", "Twine"), ("price", "55 kr")];
    check_said(
        &[LOTS],
        &showing_but(show, &[("name", "Twine")]),
        &expect![[r#"
        field name: `name`: /html[1]/body[1]/ul[1]/li[2]/b[1] is shown as an example and excluded
        hint: take one of them back"#]],
    );
    check_said(
        &[LOTS],
        &showing_but(show, &[("", "Twine")]),
        &expect![[r#"
        no field: the record at /html[1]/body[1]/ul[1]/li[2] is shown and excluded
        hint: take one of them back"#]],
    );
    check_said(
        &[LOTS],
        &showing_but(show, &[("", "@//li[2]/a")]),
        &expect![[r#"
        no field: the record at /html[1]/body[1]/ul[1]/li[2] is shown and excluded
        hint: take one of them back"#]],
    );
}

#[test]
fn what_is_excluded_is_not_there() {
    let show: Show<'_> = &[("name", "Twine"), ("price", "55 kr")];
    check_said(
        &[LOTS],
        &showing_but(show, &[("name", "Rakes")]),
        &expect![[r#"
        field name: `name`: `Rakes` is not on the page
        hint: near it: `Rake`"#]],
    );
    check_said(
        &[LOTS],
        &showing_but(show, &[("", "Combine")]),
        &expect![[r#"
        field not: `not`: `Combine` is not on the page
        hint: give the text as the page shows it, or an XPath behind `@`"#]],
    );
    check_said(
        &[LOTS],
        &showing_but(show, &[("", "@//table")]),
        &expect![[r#"
        field not: `not`: `//table` selects nothing on the page
        hint: `windrow select` shows what an expression finds"#]],
    );
    check_said(
        &[LOTS],
        &showing_but(show, &[("price", "@href of name")]),
        &expect![[r#"
        field price: `price`: there is no field `name`
        hint: `@NAME of FIELD` needs that field in the same record"#]],
    );
}

#[test]
fn a_field_to_exclude_from_that_is_not_shown() {
    let error = try_on(&[LOTS], &showing_but(&[("name", "Twine")], &[("prise", "900 kr")])).unwrap_err();
    assert_eq!(error.field(), Some("prise"));
}

#[test]
fn examples_that_contradict_each_other() {
    // One says that the name is the name, the other that it is the price.
    let request = showing(&[&[("name", "Rake"), ("price", "340 kr")], &[("name", "55 kr"), ("price", "Twine")]]);
    let error = check_said(
        &[LOTS],
        &request,
        &expect![[r#"
        field name: `name`: no one rule finds /html[1]/body[1]/ul[1]/li[1]/b[1] and /html[1]/body[1]/ul[1]/li[2]/i[1]
        hint: check the values, or learn a wrapper for each kind of page"#]],
    );
    assert!(matches!(error, Error::Contradiction { .. }));
}

#[test]
#[ignore = "known: the lists are taken for the records"]
fn examples_of_different_lists() {
    let request = showing(&[&[("name", "Twine")], &[("name", "Rome")]]);
    let error = try_on(&[TWO_LISTS], &request).unwrap_err();
    assert_eq!(error.field(), Some("name"));
}

#[test]
fn two_examples_in_one_record() {
    let request = showing(&[&[("name", "Rake")], &[("name", "340 kr")]]);
    let error = try_on(&[LOTS], &request).unwrap_err();
    assert!(matches!(&error, Error::Contradiction { paths, .. } if paths.len() == 2), "{error:?}");
}

#[test]
fn a_list_in_records_that_is_none() {
    check(
        LOTS,
        &[("name", "Rake"), ("price[]", "340 kr")],
        &expect![[r#"
        no field: there is no second record like /html[1]/body[1]/ul[1]/li[1]/i[1]
        hint: leave out `--as-list` to take the page as the record"#]],
    );
}

#[test]
fn odd_names() {
    for name in ["", ".", "[]", "a.", ".b", "a[]b", "a..b", "a[].b", "…"] {
        let pointed = |field: &str, text: &str| Pointed { field: field.to_owned(), at: Pointer::Text(text.to_owned()) };
        let example = Example { fields: vec![pointed("name", "Rake"), pointed(name, "340 kr")], page: None };
        let request = Request { examples: vec![example], ..Request::default() };
        if let Ok(lesson) = try_on(&[LOTS], &request) {
            assert!(windrow_wrapper::Extractor::new(&lesson.wrapper).is_ok(), "{name}: a wrapper that cannot be run");
        }
    }
}
