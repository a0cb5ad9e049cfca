//! Row integrity: whatever is left out of whichever records, no value is another record's, and what is missing is
//! missing.

use std::collections::BTreeMap;

use windrow_dom::Document;
use windrow_learn::discover::discover;
use windrow_testkit::generate::Rng;
use windrow_wrapper::{Extractor, Objects, Page};

/// How the records of a generated page stand.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Build {
    /// Each in an element, with classes.
    Marked,
    /// Each in an element, without classes.
    Bare,
    /// Each from a heading to the next.
    Runs,
    /// Lines of one element.
    Lines,
    /// Rows of a table.
    Rows,
}

impl Build {
    /// One in so many optional values is missing: where nothing but order says what belongs together, fewer.
    fn gaps(self) -> usize {
        match self {
            Build::Marked | Build::Bare | Build::Rows => 3,
            Build::Runs | Build::Lines => 12,
        }
    }
}

/// The value of a field of a record: it tells whose it is, and of which field, and looks like its field.
pub(crate) fn value(field: char, record: usize) -> String {
    let mark = format!("{field}{record:02}q");
    match field {
        'a' => format!("{mark} on the hill"),
        'b' => format!("{mark} Tønder"),
        'c' => format!("{mark} was cut on a dry morning and lay in the sun for {} days", record + 2),
        _ => format!("{mark} {} EUR", record * 17 + 40),
    }
}

/// A page of records, and the fields that each of them has.
pub(crate) fn page(build: Build, rng: &mut Rng) -> (String, Vec<String>) {
    let count = 4 + rng.below(9);
    let mut html = String::new();
    let mut present = Vec::new();
    for record in 0..count {
        // Every record has its title; the others come and go.
        let fields: String = "abcd".chars().filter(|&field| field == 'a' || !rng.once_in(build.gaps())).collect();
        let part = |field: char| {
            if !fields.contains(field) {
                return match build {
                    Build::Rows => "<td></td>".to_owned(),
                    _ => String::new(),
                };
            }
            let value = value(field, record);
            match (build, field) {
                (Build::Rows, _) => format!("<td>{value}</td>"),
                (Build::Lines, 'a') => format!("<b>{value}</b><br>"),
                (Build::Lines, 'b') => format!("<i>{value}</i><br>"),
                (Build::Lines, 'c') => format!("<u>{value}</u><br>"),
                (Build::Lines, _) => format!("<a href=/{record}>{value}</a><br>"),
                (_, 'a') => format!("<h3>{value}</h3>"),
                (Build::Bare, 'b') => format!("<i>{value}</i>"),
                (Build::Bare, 'c') => format!("<div>{value}</div>"),
                (Build::Bare, _) => format!("<a href=/{record}>{value}</a>"),
                (_, field) => format!("<p class={field}{field}{field}>{value}</p>"),
            }
        };
        let own: String = "abcd".chars().map(part).collect();
        html += &match build {
            Build::Marked => format!("<div class=rec>{own}</div>"),
            Build::Bare => format!("<li>{own}</li>"),
            Build::Runs | Build::Lines => own,
            Build::Rows => format!("<tr>{own}</tr>"),
        };
        present.push(fields);
    }
    let html = match build {
        Build::Rows => format!("<table>{html}</table>"),
        Build::Bare => format!("<ul>{html}</ul>"),
        Build::Marked | Build::Runs | Build::Lines => format!("<div id=all>{html}</div>"),
    };
    (html, present)
}

pub(crate) fn gather(objects: Objects<'_>, values: &mut Vec<(String, String)>) {
    for object in objects {
        match object.is_set() {
            true => gather(object.objects(), values),
            false => values.push((object.label().to_owned(), object.text().to_string())),
        }
    }
}

/// The marks in a text: field and number of record.
pub(crate) fn marks(text: &str) -> Vec<(char, usize)> {
    let word = |word: &str| {
        let mut chars = word.chars();
        let field = chars.next().filter(|field| "abcd".contains(*field))?;
        Some((field, chars.as_str().strip_suffix('q')?.parse().ok()?))
    };
    text.split_whitespace().filter_map(word).collect()
}

/// What was found in one record: the values with their columns, and the marks in them.
struct Found {
    values: Vec<(String, String)>,
    marks: Vec<(char, usize)>,
}

fn records(html: &str) -> Vec<Found> {
    let document = Document::parse(html);
    let Some(wrapper) = discover(&document, 1).into_iter().next() else { return Vec::new() };
    let extraction = Extractor::new(&wrapper).unwrap().extract(Page::from_text("page", html));
    let found = extraction.objects().map(|record| {
        let mut values = Vec::new();
        gather(record.objects(), &mut values);
        Found { marks: values.iter().flat_map(|(_, text)| marks(text)).collect(), values }
    });
    found.filter(|found| !found.marks.is_empty()).collect()
}

/// Checks 200 pages of one build; `least`: on so many of them the records must be found as they are. A value that only
/// one record has may be left out. `most`: on so many pages the page may be cut at the wrong places.
fn check(build: Build, least: usize, most: usize) {
    let (mut right, mut there, mut wanted) = (0, 0, 0);
    let mut mixed: Vec<u64> = Vec::new();
    for seed in 0..200 {
        let (html, present) = page(build, &mut Rng::new(seed));
        let records = records(&html);
        let two = records.iter().any(|found| found.marks.iter().any(|mark| mark.1 != found.marks[0].1));
        if two {
            mixed.push(seed);
            continue;
        }
        for Found { marks, .. } in &records {
            let own = marks.iter().all(|mark| present[mark.1].contains(mark.0));
            assert!(own, "seed {seed}: a value from nowhere: {marks:?}\n{html}");
        }
        // Another cut of the page has other records, and other fields.
        if !records.iter().map(|found| found.marks[0].1).eq(0..present.len()) {
            continue;
        }
        right += 1;
        let mut columns: BTreeMap<&str, char> = BTreeMap::new();
        for (Found { values, marks: own }, present_here) in records.iter().zip(&present) {
            there += own.len();
            wanted += present_here.len();
            for (label, text) in values {
                let [(field, _)] = marks(text)[..] else { continue };
                let known = *columns.entry(label).or_insert(field);
                // Two that never meet may well be one, said in two ways.
                let met = present.iter().any(|own| own.contains(known) && own.contains(field));
                assert!(known == field || !met, "seed {seed}: `{label}` is {known} and {field}\n{html}");
            }
        }
    }
    let told = format!(
        "{build:?}: the records as they are on {right} pages, with {there} of {wanted} values; two records in one on {mixed:?}"
    );
    assert!(right >= least && mixed.len() <= most && there * 100 >= wanted * 98, "{told}");
}

#[test]
fn records_in_elements_with_classes() {
    check(Build::Marked, 190, 0);
}

#[test]
fn records_in_elements_without_classes() {
    check(Build::Bare, 190, 0);
}

#[test]
fn records_that_are_runs_of_siblings() {
    // Known to be wrong on a few: the paragraphs under each heading are taken for the records.
    check(Build::Runs, 140, 2);
}

#[test]
fn records_that_are_lines() {
    // Known to be wrong on some: records are cut in front of their last line, not behind it.
    check(Build::Lines, 150, 50);
}

#[test]
fn records_that_are_rows() {
    check(Build::Rows, 190, 0);
}
