//! Which places are the fields: by text, part of a text, XPath, attribute; where one text is at several places.

use expect_test::expect;

use super::{Error, Pointed, Pointer, check, check_both, showing, try_on};

const LOTS: &str = "<ul><li><h3><a href=/1 title='A rake'>Rake</a></h3><p>Price: 340 kr (fixed)</p><img src=/1.png alt=Photo></li>\
                    <li><h3><a href=/2 title='Some twine'>Twine</a></h3><p>Price: 55 kr (open)</p><img src=/2.png alt=Photo></li>\
                    <li><h3><a href=/3 title='An old wagon'>Old WAGON</a></h3><p>Price: 1,900 kr (open)</p></li></ul>";

#[test]
fn by_text() {
    check(
        LOTS,
        &[("name", "Twine"), ("price", "Price: 55 kr (open)")],
        &expect![[r#"
        name "Rake", price "Price: 340 kr (fixed)"
        name "Twine", price "Price: 55 kr (open)"
        name "Old WAGON", price "Price: 1,900 kr (open)"
    "#]],
    );
}

#[test]
fn by_part_of_a_text() {
    check(
        LOTS,
        &[("name", "Twine"), ("price", "55 kr")],
        &expect![[r#"
        name "Rake", price "340 kr"
        name "Twine", price "55 kr"
        name "Old WAGON", price "1,900 kr"
    "#]],
    );
    check(
        LOTS,
        &[("name", "Twine"), ("price", "55"), ("how", "open")],
        &expect![[r#"
        name "Rake", price "340", how "fixed"
        name "Twine", price "55", how "open"
        name "Old WAGON", price "1,900", how "open"
    "#]],
    );
    check(
        LOTS,
        &[("name", "Old WAGON"), ("price", "1,900")],
        &expect![[r#"
        name "Rake", price "340"
        name "Twine", price "55"
        name "Old WAGON", price "1,900"
    "#]],
    );
}

#[test]
fn by_folded_text() {
    check(
        LOTS,
        &[("name", "old wagon"), ("price", "1,900 KR")],
        &expect![[r#"
        name "Rake", price "340 kr"
        name "Twine", price "55 kr"
        name "Old WAGON", price "1,900 kr"
    "#]],
    );
    check(
        "<p class=x><b>It’s “new”</b> – <i>A</i><p class=x><b>Old</b> – <i>B</i>",
        &[("name", "it's \"NEW\""), ("mark", "a")],
        &expect![[r#"
            name "It’s “new”", mark "A"
            name "Old", mark "B"
        "#]],
    );
}

#[test]
fn white_space_does_not_count() {
    check(
        "<ul><li><b> Hay\n  wagon&nbsp;</b><i>1</i><li><b>Rake,\u{a0}old</b><i>2</i></ul>",
        &[("name", "  Hay wagon "), ("n", "1")],
        &expect![[r#"
            name "Hay wagon", n "1"
            name "Rake, old", n "2"
        "#]],
    );
    check(
        "<ul><li><b> Hay\n  wagon&nbsp;</b><i>1</i><li><b>Rake,\u{a0}old</b><i>2</i></ul>",
        &[("name", "Rake, old"), ("n", "2")],
        &expect![[r#"
            name "Hay wagon", n "1"
            name "Rake, old", n "2"
        "#]],
    );
}

#[test]
fn by_xpath() {
    check(
        LOTS,
        &[("name", "@//li[2]/h3/a"), ("price", "@//li[2]/p")],
        &expect![[r#"
        name "Rake", price "Price: 340 kr (fixed)"
        name "Twine", price "Price: 55 kr (open)"
        name "Old WAGON", price "Price: 1,900 kr (open)"
    "#]],
    );
    check(
        LOTS,
        &[("name", "@//li[2]//a/text()"), ("link", "@//li[2]//a/@href")],
        &expect![[r#"
        name "Rake", link "/1"
        name "Twine", link "/2"
        name "Old WAGON", link "/3"
    "#]],
    );
    check(
        LOTS,
        &[("name", "Twine"), ("photo", "@(//img)[2]/@src")],
        &expect![[r#"
        name "Rake", photo "/1.png"
        name "Twine", photo "/2.png"
        name "Old WAGON"
    "#]],
    );
}

#[test]
fn by_attribute() {
    check(
        LOTS,
        &[("name", "Twine"), ("link", "@href of name"), ("more", "@title of name")],
        &expect![[r#"
        name "Rake", link "/1", more "A rake"
        name "Twine", link "/2", more "Some twine"
        name "Old WAGON", link "/3", more "An old wagon"
    "#]],
    );
    // The nearest around, or below.
    check(
        "<ul><li data-id=a1><h3>Rake</h3><p><img src=/1.png> new</p><li data-id=a2><h3>Twine</h3><p><img src=/2.png> old</p></ul>",
        &[("name", "Twine"), ("id", "@data-id of name"), ("how", "old"), ("photo", "@src of how")],
        &expect![[r#"
            name "Rake", id "a1", how "new", photo "/1.png"
            name "Twine", id "a2", how "old", photo "/2.png"
        "#]],
    );
}

#[test]
fn by_what_an_attribute_says() {
    check(
        LOTS,
        &[("name", "Twine"), ("photo", "/2.png")],
        &expect![[r#"
        name "Rake", photo "/1.png"
        name "Twine", photo "/2.png"
        name "Old WAGON"
    "#]],
    );
    check(
        LOTS,
        &[("name", "Twine"), ("more", "Some twine")],
        &expect![[r#"
        name "Rake", more "A rake"
        name "Twine", more "Some twine"
        name "Old WAGON", more "An old wagon"
    "#]],
    );
    check(
        LOTS,
        &[("name", "Twine"), ("link", "https://lots.example/2")],
        &expect![[r#"
        name "Rake", link "/1"
        name "Twine", link "/2"
        name "Old WAGON", link "/3"
    "#]],
    );
}

#[test]
fn an_attribute_alone() {
    check(
        LOTS,
        &[("photo", "/2.png")],
        &expect![[r#"
        photo "/1.png"
        photo "/2.png"
    "#]],
    );
}

#[test]
fn the_others_say_which() {
    // `2` is in the pager, in the menu, and in each record.
    let html = "<nav><a href=/1>1</a> <a href=/2>2</a> <a href=/3>3</a></nav><ol>\
                <li><b>Rake</b> <i>2</i> <u>7</u><li><b>Twine</b> <i>3</i> <u>2</u><li><b>Wagon</b> <i>2</i> <u>2</u></ol>\
                <p>Page <b>2</b> of <b>2</b></p>";
    check(
        html,
        &[("name", "Twine"), ("places", "2")],
        &expect![[r#"
        name "Rake", places "7"
        name "Twine", places "2"
        name "Wagon", places "2"
    "#]],
    );
    check(
        html,
        &[("name", "Rake"), ("left", "2")],
        &expect![[r#"
        name "Rake", left "2"
        name "Twine", left "3"
        name "Wagon", left "2"
    "#]],
    );
    check(
        html,
        &[("left", "3"), ("places", "2"), ("name", "Twine")],
        &expect![[r#"
        left "2", places "7", name "Rake"
        left "3", places "2", name "Twine"
        left "2", places "2", name "Wagon"
    "#]],
    );
}

#[test]
fn a_name_that_is_also_said_elsewhere() {
    let html = "<h1>Twine</h1><p>We sell Twine and other things.</p><ul><li><b>Rake</b> <i>340 kr</i><li><b>Twine</b> <i>55 kr</i>\
                <li><b>Wagon</b> <i>900 kr</i></ul><p>Twine</p>";
    check(
        html,
        &[("name", "Twine"), ("price", "55 kr")],
        &expect![[r#"
        name "Rake", price "340 kr"
        name "Twine", price "55 kr"
        name "Wagon", price "900 kr"
    "#]],
    );
}

#[test]
fn one_text_in_two_fields() {
    let html = "<table><tr><td>Oslo<td>3<td>5<tr><td>Rome<td>7<td>7<tr><td>Bern<td>1<td>4</table>";
    check(
        html,
        &[("city", "Rome"), ("low", "7"), ("high", "7")],
        &expect![[r#"
        city "Oslo", low "3", high "5"
        city "Rome", low "7", high "7"
        city "Bern", low "1", high "4"
    "#]],
    );
}

#[test]
fn one_text_that_is_a_part_of_another() {
    let html = "<ul><li><b>Hay</b> <i>Hay wagon</i> <u>12</u><li><b>Rake</b> <i>Rake, old</i> <u>2</u><li><b>Oil</b> <i>Oil can</i> <u>1</u></ul>";
    check(
        html,
        &[("kind", "Hay"), ("name", "Hay wagon"), ("n", "12")],
        &expect![[r#"
        kind "Hay", name "Hay wagon", n "12"
        kind "Rake", name "Rake, old", n "2"
        kind "Oil", name "Oil can", n "1"
    "#]],
    );
    check(
        html,
        &[("kind", "Oil"), ("n", "1")],
        &expect![[r#"
        kind "Hay", n "12"
        kind "Rake", n "2"
        kind "Oil", n "1"
    "#]],
    );
}

#[test]
fn two_fields_of_one_text() {
    check(
        "<ul><li>Rake: 340 kr<li>Twine: 55 kr<li>Old wagon: 900 kr</ul>",
        &[("name", "Twine"), ("price", "55 kr")],
        &expect![[r#"
            name "Rake", price "340 kr"
            name "Twine", price "55 kr"
            name "Old wagon", price "900 kr"
        "#]],
    );
}

#[test]
fn lines_of_one_element() {
    check(
        "<ul><li>Rake<br>Nørregård<br>340 kr<li>Twine<br>Søby<br>55 kr<li>Wagon<br>Aarhus<br>900 kr</ul>",
        &[("name", "Twine"), ("place", "Søby"), ("price", "55 kr")],
        &expect![[r#"
            name "Rake", place "Nørregård", price "340 kr"
            name "Twine", place "Søby", price "55 kr"
            name "Wagon", place "Aarhus", price "900 kr"
        "#]],
    );
}

#[test]
fn labels_in_front_of_values() {
    check(
        "<ul><li><b>Rake</b><p><span>Price:</span> 340<br><span>Weight:</span> 410<br><li><b>Twine</b><p><span>Weight:</span> 12<br>\
         <li><b>Wagon</b><p><span>Price:</span> 900<br><span>Weight:</span> 800<br></ul>",
        &[("name", "Wagon"), ("price", "900"), ("weight", "800")],
        &expect![[r#"
            name "Rake", price "340", weight "410"
            name "Twine", weight "12"
            name "Wagon", price "900", weight "800"
        "#]],
    );
}

#[test]
fn text_over_several_nodes() {
    check(
        "<ul><li><p>by <a>Ann</a> <b>Lee</b>, 1 May</p><i>x</i><li><p>by <a>Bo</a> <b>Ek</b>, 2 May</p><i>y</i></ul>",
        &[("author", "Ann Lee"), ("mark", "x")],
        &expect![[r#"
            author "Ann Lee", mark "x"
            author "Bo Ek", mark "y"
        "#]],
    );
    check(
        "<ul><li><p>Hay <em>wagon</em>, old</p><i>x</i><li><p>Rake</p><i>y</i></ul>",
        &[("name", "Hay wagon, old"), ("mark", "x")],
        &expect![[r#"
            name "Hay wagon, old", mark "x"
            name "Rake", mark "y"
        "#]],
    );
}

#[test]
fn signs_around_a_value() {
    check(
        "<ul><li><b>Rake</b> (340 kr)<li><b>Twine</b> (55 kr)<li><b>Wagon</b></ul>",
        &[("name", "Twine"), ("price", "55 kr")],
        &expect![[r#"
            name "Rake", price "340 kr"
            name "Twine", price "55 kr"
            name "Wagon"
        "#]],
    );
    check(
        "<ul><li><b>Rake</b> (340 kr)<li><b>Twine</b> (55 kr)<li><b>Wagon</b></ul>",
        &[("name", "Twine"), ("price", "(55 kr)")],
        &expect![[r#"
            name "Rake", price "(340 kr)"
            name "Twine", price "(55 kr)"
            name "Wagon"
        "#]],
    );
}

#[test]
fn many_writings() {
    check(
        "<ul><li><b>乾草車</b><i>三百円</i><li><b>熊手</b><i>五十円</i></ul>",
        &[("name", "熊手"), ("price", "五十円")],
        &expect![[r#"
            name "乾草車", price "三百円"
            name "熊手", price "五十円"
        "#]],
    );
    check(
        "<ul dir=rtl><li><b>عربة قش</b><i>٣٠٠</i><li><b>مجرفة</b><i>٥٠</i></ul>",
        &[("name", "مجرفة"), ("price", "٥٠")],
        &expect![[r#"
            name "عربة قش", price "٣٠٠"
            name "مجرفة", price "٥٠"
        "#]],
    );
    check(
        "<ul><li><b>価格：三百円（税込）</b><i>a</i><li><b>価格：五十円（税込）</b><i>b</i></ul>",
        &[("price", "五十円"), ("mark", "b")],
        &expect![[r#"
            price "三百円", mark "a"
            price "五十円", mark "b"
        "#]],
    );
}

#[test]
fn names_that_are_not_names_in_a_file() {
    check(
        "<ul><li><b>Rake</b> <i>340</i><li><b>Twine</b> <i>55</i></ul>",
        &[("Name of the lot", "Rake"), ("preis €", "340")],
        &expect![[r#"
            Name of the lot "Rake", preis € "340"
            Name of the lot "Twine", preis € "55"
        "#]],
    );
}

#[test]
fn a_missing_value_is_not_the_next_records() {
    let html = "<div id=c><h3>Rake</h3><p class=a>Two wheels</p><p class=b>340</p><h3>Twine</h3><p class=b>55</p>\
                <h3>Wagon</h3><p class=a>Old</p><h3>Anvil</h3><p class=a>Heavy</p><p class=b>70</p></div>";
    let other = "<div id=c><h3>Churn</h3><h3>Oil</h3><p class=b>3</p><h3>Can</h3><p class=a>Tin</p></div>";
    check_both(
        html,
        other,
        &[("name", "Rake"), ("text", "Two wheels"), ("price", "340")],
        &expect![[r#"
        name "Rake", text "Two wheels", price "340"
        name "Twine", price "55"
        name "Wagon", text "Old"
        name "Anvil", text "Heavy", price "70"
        --
        name "Churn"
        name "Oil", price "3"
        name "Can", text "Tin"
    "#]],
    );
}

/// A part of one text is pointed at by where it stands, not by what else reads so.
#[test]
fn a_part_at_a_path_is_that_part() {
    let html = "<p>kr 55</p><ul><li><b>Rake</b> <i>from 340 kr</i><li><b>Twine</b> <i>from 55 kr</i><li><b>Fork</b> <i>from 18 kr</i></ul>";
    let part = |xpath: &str, text: &str| Pointer::Part { xpath: xpath.to_owned(), text: text.to_owned() };
    let mut request = showing(&[&[("name", "Twine")]]);
    let shown = |at: Pointer| Pointed { field: "price".to_owned(), at };
    request.examples[0].fields.push(shown(part("//li[2]/i", "55")));
    let lesson = try_on(&[html], &request).unwrap();
    let rule = windrow_wrapper::files::write(&lesson.wrapper, windrow_wrapper::files::Format::Toml).unwrap();
    assert_eq!(
        crate::table(&lesson.wrapper, html),
        "name \"Rake\", price \"340\"\nname \"Twine\", price \"55\"\nname \"Fork\", price \"18\"\n",
        "{rule}"
    );
    request.examples[0].fields[1] = shown(part("//li[2]/i", "56"));
    assert!(matches!(try_on(&[html], &request), Err(Error::NotFound { .. })));
}

/// The first record has one paragraph, others have several: the text is all of them.
#[test]
fn a_text_is_all_its_paragraphs() {
    let html = "<ol><li><b>Ann</b><div class=t><p>Good.</p></div><li><b>Bo</b><div class=t><p>Fine soup.</p><p>Slow staff.</p></div>\
                <li><b>Cy</b><div class=t><p>Never again.</p></div></ol>";
    check(
        html,
        &[("name", "Ann"), ("text", "Good.")],
        &expect![[r#"
        name "Ann", text "Good."
        name "Bo", text "Fine soup. Slow staff."
        name "Cy", text "Never again."
    "#]],
    );
}

/// What stands at the end of a line in most records is not the whole line in one that lacks it.
#[test]
fn a_value_in_front_of_a_word_is_not_what_stands_without_it() {
    let html = "<ul><li><b>Oslo</b><p><span>31 points</span> by <a href=1>Ann</a> <a href=2>1 hour ago</a></p>\
                <li><b>Rome</b><p><span>7 points</span> by <a href=3>Bo</a> <a href=4>2 hours ago</a></p>\
                <li><b>Bonn</b><p><a href=5>3 hours ago</a></p>\
                <li><b>Bern</b><p><span>12 points</span> by <a href=6>Cy</a> <a href=7>4 hours ago</a></p></ul>";
    check(
        html,
        &[("title", "Oslo"), ("points", "31 points")],
        &expect![[r#"
        title "Oslo", points "31 points"
        title "Rome", points "7 points"
        title "Bonn"
        title "Bern", points "12 points"
    "#]],
    );
}

/// The class of a number says its state.
#[test]
fn a_number_whose_class_differs() {
    let html = "<ul><li><b>Oslo</b><div class=n><div class='s open'><i>0</i></div></div>\
                <li><b>Rome</b><div class=n><div class='s done'><i>3</i></div></div>\
                <li><b>Bonn</b><div class=n><div class='s open'><i>0</i></div></div>\
                <li><b>Bern</b><div class=n><div class='s best'><i>12</i></div></div></ul>";
    check(
        html,
        &[("title", "Oslo"), ("answers", "0")],
        &expect![[r#"
        title "Oslo", answers "0"
        title "Rome", answers "3"
        title "Bonn", answers "0"
        title "Bern", answers "12"
    "#]],
    );
}
