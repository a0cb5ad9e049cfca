//! What repair promises, each on the smallest page that shows it.

use super::*;

/// Rows of a shop as a table of names and texts.
fn rows(of: &[(&str, &str)], write: &dyn Fn(&str, &str) -> String) -> String {
    of.iter().map(|(name, text)| write(name, text)).collect()
}

const FARMS: [(&str, &str); 5] = [
    ("Weir farm in the valley", "41"),
    ("Veit and daughters", "30"),
    ("Nordmark on the hill", "77"),
    ("Sandvik by the fjord", "12"),
    ("Old rectory gardens", "58"),
];

const FARM_RULES: &str = r#"
[list.farms]
records = "li.farm"
[list.farms.field]
name = { css = "b" }
cows = { css = ".n", type = "number" }
"#;

fn old_farms(farms: &[(&str, &str)]) -> String {
    let row = |name: &str, cows: &str| format!("<li class=farm><b>{name}</b> <span class=n>{cows}</span></li>");
    format!("<h1>Farms</h1><ul>{}</ul>", rows(farms, &row))
}

/// The same farms, the number in front now.
fn new_farms(farms: &[(&str, &str)]) -> String {
    let row = |name: &str, cows: &str| format!("<div class=r><i>{cows}</i><p><a href=/f>{name}</a></p></div>");
    format!("<h2>Farms</h2><div class=t>{}</div>", rows(farms, &row))
}

/// The texts of a field, record by record.
fn column(known: &Known, list: &str, field: &str) -> Vec<String> {
    known.list(list).iter().map(|record| record.value(field).unwrap_or("–").to_owned()).collect()
}

#[test]
fn a_field_that_moved_is_found_where_it_is_now() {
    let now = new_farms(&FARMS);
    let repaired = mend(FARM_RULES, &old_farms(&FARMS), &now).unwrap();
    assert_eq!(column(&gives(&repaired, &now), "farms", "cows"), ["41", "30", "77", "12", "58"]);
}

#[test]
fn numbers_that_belong_to_other_records_now_do_not_mislead() {
    // Every number is on the page, each in another record than before.
    let mut farms = FARMS;
    for (farm, cows) in farms.iter_mut().zip(["12", "58", "41", "30", "77"]) {
        farm.1 = cows;
    }
    let now = new_farms(&farms);
    let repaired = mend(FARM_RULES, &old_farms(&FARMS), &now).unwrap();
    assert_eq!(column(&gives(&repaired, &now), "farms", "cows"), ["12", "58", "41", "30", "77"]);
    assert_eq!(column(&gives(&repaired, &now), "farms", "name"), FARMS.map(|farm| farm.0));
}

#[test]
fn two_numbers_that_are_both_new_are_refused() {
    // Which of the two are the cows, nothing tells.
    let row = |name: &str, _: &str| {
        let length = name.len();
        format!("<div class=r><i>{length}</i><u>{}</u><p>{name}</p></div>", length * 3 + 1)
    };
    let now = format!("<h2>Farms</h2><div>{}</div>", rows(&FARMS, &row));
    let refusal = mend(FARM_RULES, &old_farms(&FARMS), &now).unwrap_err();
    assert!(matches!(refusal, Refusal::FieldLost { .. }), "{refusal}");
}

#[test]
fn a_list_of_the_same_shape_with_other_records_is_refused() {
    let others = FARMS.map(|(_, cows)| cows);
    let others: Vec<(String, &str)> =
        others.iter().map(|cows| (format!("Another estate number {cows}0 altogether"), *cows)).collect();
    let others: Vec<(&str, &str)> = others.iter().map(|(name, cows)| (name.as_str(), *cows)).collect();
    for now in [old_farms(&others), new_farms(&others)] {
        let refusal = mend(FARM_RULES, &old_farms(&FARMS), &now).unwrap_err();
        assert_ne!(refusal, Refusal::StillWorks, "{now}");
    }
}

#[test]
fn a_page_without_the_list_is_refused_whatever_else_repeats_on_it() {
    let menu: String =
        (1..9).map(|at| format!("<li class=farm><b>Section {at}</b> <span class=n>{at}</span></li>")).collect();
    let refusal = mend(FARM_RULES, &old_farms(&FARMS), &format!("<h1>Farms</h1><ul>{menu}</ul>")).unwrap_err();
    assert_ne!(refusal, Refusal::StillWorks);
}

#[test]
fn an_optional_field_is_found_where_it_is_and_nowhere_else() {
    let toml = format!("{FARM_RULES}note = {{ css = \".note\", optional = true }}\n");
    let notes = ["Open on Sundays only", "", "Sells its own cheese", "", "Closed for the winter"];
    let write = |open: &str, close: &str, note: &str, page: String| {
        let mut parts = page.split(close).map(str::to_owned).collect::<Vec<_>>();
        let last = parts.pop().unwrap_or_default();
        let with = parts.iter().zip(notes).map(|(part, text)| {
            let text = if text.is_empty() { String::new() } else { format!("<{note}>{text}</{}>", &note[..1]) };
            format!("{part}{open}{text}{close}")
        });
        with.collect::<String>() + &last
    };
    let before = write("", "</li>", "u class=note", old_farms(&FARMS));
    let now = write("<hr>", "</div>", "q", new_farms(&FARMS)).replacen("<hr></div>", "</div>", 1);
    let repaired = mend(&toml, &before, &now).unwrap();
    let wanted = notes.map(|note| if note.is_empty() { "–" } else { note });
    assert_eq!(column(&gives(&repaired, &now), "farms", "note"), wanted);
}

#[test]
fn lists_in_lists_in_records() {
    let toml = r#"
[list.farms]
records = "li.farm"
[list.farms.field]
name = { css = "b" }
[list.farms.list.fields]
records = { css = ".field" }
[list.farms.list.fields.field]
crop = { css = "i" }
[list.farms.list.fields.list.years]
records = { css = "span" }
"#;
    let crops = [["barley", "1998", "2004"], ["clover", "2011", "2012"], ["winter rye", "1987", "2020"]];
    let write = |farm: [&str; 2], field: [&str; 2], year: &str| {
        let one = |(at, (name, _)): (usize, &(&str, &str))| {
            let fields: String = crops[..1 + at % 3]
                .iter()
                .map(|[crop, first, second]| {
                    format!(
                        "<{}><{1}>{crop}</{1}><{year}>{first}</{year}><{year}>{second}</{year}></{2}>",
                        field[0],
                        field[1],
                        &field[0][..3]
                    )
                })
                .collect();
            format!("<{}><b>{name}</b>{fields}</{}>", farm[0], farm[1])
        };
        format!("<h1>Farms</h1><main>{}</main>", FARMS.iter().enumerate().map(one).collect::<String>())
    };
    let before = write(["li class=farm", "li"], ["div class=field", "i"], "span");
    let now = write(["article class=box", "article"], ["div class=plot", "em"], "small");
    let repaired = mend(toml, &before, &now).unwrap();
    assert_eq!(gives(&repaired, &now), known(&wrapper(toml), &before));
}

#[test]
fn a_page_of_one_record() {
    let toml = r#"
[field]
name = { css = "h1" }
maker = { css = ".maker" }
price = { css = ".price", type = "money" }
"#;
    let before =
        "<h1>Two-wheel rake</h1><p class=maker>Nørregård and Sons</p><b class=price>€ 340</b><p>Other things</p>";
    let now =
        "<main><h2>Two-wheel rake</h2><dl><dt>By</dt><dd>Nørregård and Sons</dd><dt>Now</dt><dd>€ 340</dd></dl></main>";
    let repaired = mend(toml, before, now).unwrap();
    assert_eq!(gives(&repaired, now), known(&wrapper(toml), before));
    // The page of another thing is none to repair it with.
    let other =
        "<main><h2>Baler</h2><dl><dt>By</dt><dd>Lely and Daughters</dd><dt>Now</dt><dd>€ 9,900</dd></dl></main>";
    assert!(mend(toml, before, other).is_err());
}

#[test]
fn the_page_that_shows_the_records_is_the_one_that_teaches() {
    let farms = wrapper(FARM_RULES);
    let records = known(&farms, &old_farms(&FARMS));
    let now = new_farms(&FARMS);
    let pages = [page("<h1>Contact</h1><p>Write to us."), page(&now)];
    assert_eq!(gives(&repair(&farms, &records, &pages).unwrap(), &now), records);
}
