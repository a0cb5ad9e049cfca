//! Two examples and more, on one page and on several.

use expect_test::expect;

use super::{check_on, showing};

#[test]
fn a_second_one_has_what_the_first_lacks() {
    let html = "<ul><li><h3>Rake</h3><p>340 kr</p></li><li><h3>Twine</h3><em>Søby</em><p>55 kr</p></li>\
                <li><h3>Wagon</h3><em>Aarhus</em></li></ul>";
    let request = showing(&[&[("name", "Rake"), ("price", "340 kr")], &[("name", "Twine"), ("place", "Søby")]]);
    check_on(
        &[html],
        html,
        &request,
        &expect![[r#"
        name "Rake", price "340 kr"
        name "Twine", price "55 kr", place "Søby"
        name "Wagon", place "Aarhus"
    "#]],
    );
}

#[test]
fn a_second_one_looks_different() {
    let html = "<ul><li><h3>Rake</h3><p class=price>340 kr</p></li><li><h3>Twine</h3><p class=offer>55 kr</p></li>\
                <li><h3>Wagon</h3><p class=price>900 kr</p></li><li><h3>Anvil</h3><p class=offer>70 kr</p></li></ul>";
    let one: super::Show<'_> = &[("name", "Rake"), ("price", "340 kr")];
    let two: super::Show<'_> = &[("name", "Twine"), ("price", "55 kr")];
    check_on(
        &[html],
        html,
        &showing(&[one, two]),
        &expect![[r#"
        name "Rake", price "340 kr"
        name "Twine", price "55 kr"
        name "Wagon", price "900 kr"
        name "Anvil", price "70 kr"
    "#]],
    );
}

#[test]
fn records_of_two_kinds() {
    let html = "<div id=l><div class=story><h2>Mowing</h2><p>3 May</p></div><div class=brief><h2>Rain</h2><p>4 May</p></div>\
                <div class=story><h2>Sun</h2><p>5 May</p></div><div class=brief><h2>Wind</h2><p>6 May</p></div></div>";
    let request = showing(&[&[("what", "Mowing"), ("when", "3 May")], &[("what", "Rain"), ("when", "4 May")]]);
    check_on(
        &[html],
        html,
        &request,
        &expect![[r#"
        what "Mowing", when "3 May"
        what "Rain", when "4 May"
        what "Sun", when "5 May"
        what "Wind", when "6 May"
    "#]],
    );
}

#[test]
#[ignore = "known: two examples must be two records"]
fn the_same_record_twice_is_no_harm() {
    let html = "<ul><li><b>Rake</b> <i>340</i><li><b>Twine</b> <i>55</i><li><b>Wagon</b> <i>900</i></ul>";
    let request = showing(&[&[("name", "Rake")], &[("price", "340")]]);
    check_on(
        &[html],
        html,
        &request,
        &expect![[r#"
        name "Rake", price "340"
        name "Twine", price "55"
        name "Wagon", price "900"
    "#]],
    );
}

#[test]
fn they_tell_what_is_meant() {
    // The first alone cannot tell the number of places from that of those left.
    let html = "<table><tr><td>Rake<td>2<td>2<tr><td>Twine<td>3<td>1<tr><td>Wagon<td>5<td>4</table>";
    let first: super::Show<'_> = &[("name", "Rake"), ("left", "2")];
    check_on(
        &[html],
        html,
        &showing(&[first, &[("name", "Twine"), ("left", "1")]]),
        &expect![[r#"
        name "Rake", left "2"
        name "Twine", left "1"
        name "Wagon", left "4"
    "#]],
    );
}

#[test]
fn each_on_its_own_page() {
    let page = |rows: &[(&str, &str)]| {
        let rows: String = rows.iter().map(|(name, price)| format!("<li><b>{name}</b>{price}</li>")).collect();
        format!("<ul class=lots>{rows}</ul>")
    };
    let one = page(&[("Rake", "<i>340</i>"), ("Twine", "<i>55</i>"), ("Wagon", "")]);
    let two = page(&[("Anvil", "<em>Søby</em><i>70</i>"), ("Churn", "<i>40</i>"), ("Oil", "<em>Aarhus</em>")]);
    let request = showing(&[&[("name", "Rake"), ("price", "340")], &[("name", "Anvil"), ("place", "Søby")]]);
    check_on(
        &[&one, &two],
        &one,
        &request,
        &expect![[r#"
        name "Rake", price "340"
        name "Twine", price "55"
        name "Wagon"
    "#]],
    );
    check_on(
        &[&one, &two],
        &two,
        &request,
        &expect![[r#"
        name "Anvil", price "70", place "Søby"
        name "Churn", price "40"
        name "Oil", place "Aarhus"
    "#]],
    );
}
