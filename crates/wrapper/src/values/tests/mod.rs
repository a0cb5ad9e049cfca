//! Tables of texts and the values they are, and robustness on everything that can be cut out of them.
//!
//! A table has one case a line: language (`-` for none), expected value (`-` for none), text, separated by tabs.
//! `\u{…}` stands for a character that an editor would not show. `@reference` and `@day_first` lines set hints.

use super::infer::infer;
use super::{Hints, LIMIT, Type, date, money, number};

/// One line of a table.
struct Case {
    line: usize,
    hints: Hints,
    expected: String,
    text: String,
}

fn cases(table: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut common = Hints::default();
    for (index, line) in table.lines().enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(directive) = line.strip_prefix('@') {
            let (name, value) = directive.split_once(' ').expect("a directive has a value");
            match name {
                "reference" => common.reference = date::parse(value, &Hints::default()),
                "day_first" => common.day_first = value.parse().ok(),
                _ => panic!("line {}: no such directive", index + 1),
            }
            continue;
        }
        let mut columns = line.splitn(3, '\t');
        let mut column = || columns.next().unwrap_or_else(|| panic!("line {}: too few columns", index + 1));
        let (language, expected, text) = (column(), column(), column());
        let mut hints = common.clone();
        hints.language = (language != "-").then(|| language.to_owned());
        cases.push(Case { line: index + 1, hints, expected: expected.to_owned(), text: unescape(text) });
    }
    cases
}

fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("\\u{") {
        let (code, after) = behind.split_once('}').expect("escapes are closed");
        out.push_str(before);
        out.push(u32::from_str_radix(code, 16).ok().and_then(char::from_u32).expect("escapes are characters"));
        rest = after;
    }
    out + rest
}

/// Runs a table and reports every failing line at once.
fn check(table: &str, least: usize, read: impl Fn(&Case) -> Option<String>) {
    let cases = cases(table);
    assert!(cases.len() >= least, "the table has {} cases", cases.len());
    let mut failures = String::new();
    for case in &cases {
        let found = read(case).unwrap_or_else(|| "-".to_owned());
        if found != case.expected {
            let language = case.hints.language.as_deref().unwrap_or("-");
            failures += &format!("\n{}: {:?} ({language}): {found}, expected {}", case.line, case.text, case.expected);
        }
    }
    assert!(failures.is_empty(), "{} of {} cases:{failures}", failures.lines().count() - 1, cases.len());
}

const DATES: &str = include_str!("dates.tsv");
const DATES_FOUND: &str = include_str!("dates_found.tsv");
const NUMBERS: &str = include_str!("numbers.tsv");
const MONEY: &str = include_str!("money.tsv");
const TYPES: &str = include_str!("types.tsv");

#[test]
fn dates() {
    check(DATES, 600, |case| date::parse(&case.text, &case.hints).map(|date| date.to_string()));
}

/// The expected value is the date, a space, and the text it was found in.
#[test]
fn dates_in_free_text() {
    check(DATES_FOUND, 40, |case| {
        date::find(&case.text, &case.hints).map(|(date, range)| format!("{date} {}", &case.text[range]))
    });
}

#[test]
fn numbers() {
    check(NUMBERS, 150, |case| number::parse(&case.text, &case.hints).map(|number| number.to_string()));
}

#[test]
fn amounts() {
    check(MONEY, 100, |case| money::parse(&case.text, &case.hints).map(|money| money.to_string()));
}

/// Reads a table of column types: the page's hints, the expected type, the label and the values of each line.
fn columns(table: &str) -> impl Iterator<Item = (usize, Hints, &str, Option<&str>, Vec<&str>)> {
    table.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).map(|(index, line)| {
        let mut columns = line.splitn(3, '\t');
        let mut column = || columns.next().unwrap_or_else(|| panic!("line {}: too few columns", index + 1));
        let (page, expected, values) = (column(), column(), column());
        let mut page = page.split(';').map(|part| (part != "-").then(|| part.to_owned()));
        let mut next = || page.next().flatten();
        let hints = Hints { language: next(), country: next(), currency: next(), ..Hints::default() };
        let (label, values) = match values.strip_prefix("label=").and_then(|rest| rest.split_once(' ')) {
            Some((label, values)) => (Some(label), values),
            None => (None, values),
        };
        (index + 1, hints, expected, label, values.split(" | ").collect())
    })
}

#[test]
fn types_lose_nothing() {
    let mut failures = String::new();
    let mut count = 0;
    for (line, hints, expected, label, values) in columns(TYPES) {
        count += 1;
        let inferred = infer(values.iter().copied(), label, &hints);
        if inferred.ty.name() != expected {
            failures +=
                &format!("\n{line}: {values:?}: {} ({}), expected {expected}", inferred.ty.name(), inferred.reason);
        }
    }
    assert!(count >= 200, "the table has {count} columns");
    assert!(failures.is_empty(), "{} of {count} columns:{failures}", failures.lines().count() - 1);
}

/// The order of the values does not matter, nor does a value that is there twice or blank.
#[test]
fn types_are_those_of_the_whole_column() {
    for (line, hints, expected, label, values) in columns(TYPES) {
        let again = values.iter().rev().chain(&values).copied().chain(["", " \n"]);
        // A column of one value is not the same as one of two.
        if values.len() > 1 {
            assert_eq!(infer(again, label, &hints).ty.name(), expected, "line {line}");
        }
        let with_code = values.iter().copied().chain(["00"]);
        assert_eq!(infer(with_code, label, &hints).ty, Type::String, "line {line}");
    }
}

#[test]
fn reasons_name_the_value() {
    let because = |values: &[&str]| infer(values.iter().copied(), None, &Hints::default()).reason.to_string();
    for (values, expected) in [
        (&["1", "2"][..], "every value can be written back"),
        (&[], "there are no values"),
        (&["12", "0042"], "`0042` looks like a code"),
        (&["1.234"], "the separator in `1.234` may group digits or part decimals"),
        (&["1.9", "1.10"], "`1.10` could not be written back from its number"),
        (&["$5"], "the currency of `$5` may be one of several"),
        (&["4/7/2013"], "the order of day and month in `4/7/2013` is not known"),
        (&["12 km"], "`12 km` is more than a number, an amount or a date"),
    ] {
        assert_eq!(because(values), expected);
    }
}

/// Checks that everything `find` returns lies in the text, on character boundaries.
fn probe(text: &str, hints: &Hints) {
    let _ = (date::parse(text, hints), number::parse(text, hints), money::parse(text, hints));
    let ranges = [
        date::find(text, hints).map(|found| found.1),
        number::find(text, hints).map(|found| found.1),
        money::find(text, hints).map(|found| found.1),
    ];
    for range in ranges.into_iter().flatten() {
        assert!(text.get(range.clone()).is_some_and(|part| !part.is_empty()), "{text:?} {range:?}");
    }
    let _ = infer([text, text], None, hints);
    let collapsed = super::text::collapse(text);
    assert_eq!(super::text::collapse(&collapsed), collapsed, "{text:?}");
}

#[test]
fn parts_of_texts_do_no_harm() {
    for table in [DATES, DATES_FOUND, NUMBERS, MONEY] {
        for case in cases(table) {
            for (at, _) in case.text.char_indices() {
                probe(&case.text[..at], &case.hints);
                probe(&case.text[at..], &case.hints);
            }
        }
    }
}

/// A small generator, so that the test is the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

#[test]
fn noise_does_no_harm() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let reference = date::Date::from_day(2026, 11, 15);
    let pieces: Vec<String> =
        [DATES, DATES_FOUND, NUMBERS, MONEY].into_iter().flat_map(cases).map(|case| case.text).collect();
    for round in 0..4000 {
        let mut hints = Hints { reference: reference.filter(|_| round % 2 == 0), ..Hints::default() };
        hints.language = [None, Some("de"), Some("th"), Some("fa"), Some("zh-TW")][round % 5].map(str::to_owned);
        let bytes: Vec<u8> = (0..random.below(60)).map(|_| random.below(256) as u8).collect();
        probe(&String::from_utf8_lossy(&bytes), &hints);
        // Characters of the tables in any order meet more branches than bytes do.
        let mut mixed = String::new();
        for _ in 0..random.below(12) {
            let piece = &pieces[random.below(pieces.len())];
            let start = piece.floor_char_boundary(random.below(piece.len() + 1));
            let end = piece.ceil_char_boundary(start + random.below(piece.len() + 1 - start));
            mixed += &piece[start..end];
        }
        probe(&mixed, &hints);
    }
}

#[test]
fn long_texts_are_cut() {
    let hints = Hints::default();
    let digits = "1".repeat(3 * LIMIT);
    probe(&digits, &hints);
    probe(&"1.".repeat(2 * LIMIT), &hints);
    probe(&"1 234 ".repeat(LIMIT), &hints);
    probe(&"é年4月 ".repeat(LIMIT), &hints);
    let far = format!("{}3 March 2020 €5", "x ".repeat(LIMIT));
    assert_eq!(date::parse(&far, &hints), None);
    assert_eq!(number::parse(&far, &hints), None);
    assert_eq!(money::parse(&far, &hints), None);
}

#[test]
fn types_have_names() {
    for kind in Type::ALL {
        assert_eq!(Type::from_name(kind.name()), Some(kind));
    }
    assert_eq!(Type::from_name("String"), None);
}
