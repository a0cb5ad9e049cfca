//! Notes on pages that a domain reads: the class, and values that the structured data contradicts.
//!
//! A run that keeps records prints no line for each page, only the sum of all ([`Classes`]).

use crate::data::json::Json;
use crate::learn::domain::{Class, Domain, Pair, Reader, Reading, Record};
use crate::learn::structured::Syntax;

use crate::text::excerpt;
use crate::text::plural;

/// Characters of a value that a line shows.
const VALUE: usize = 60;

/// Notes on a page.
#[derive(Debug)]
pub struct PageNotes {
    /// The class of the page and how much it has, on one line.
    pub line: String,
    class: Class,
    records: usize,
    by_wrapper: bool,
    /// Lines about values that machines are told otherwise than people, and about what was left out.
    pub conflicts: Vec<String>,
    /// By record: its fields and their confidence.
    confidence: Vec<Vec<(String, f32)>>,
    /// Values that were left out: field, value, confidence.
    doubtful: Vec<(String, String, f32)>,
}

impl PageNotes {
    /// Creates the notes on a page that was read by a domain's words.
    pub fn new(page: &str, reader: &Reader, reading: &Reading) -> PageNotes {
        let domain = reader.domain();
        let fields = |record: &Record| -> Vec<(String, f32)> {
            record.pairs.iter().map(|pair| (reader.name(pair).to_owned(), pair.confidence)).collect()
        };
        let left_out = |pair: &Pair| {
            let value = pair.values.first().map_or("", |value| value.text.as_str());
            (reader.name(pair).to_owned(), value.to_owned(), pair.confidence)
        };
        PageNotes {
            confidence: reading.records.iter().map(fields).collect(),
            doubtful: reading.doubtful.iter().map(left_out).collect(),
            line: format!("{page}: {}", class(reading)),
            class: reading.class,
            records: reading.records.len(),
            by_wrapper: false,
            conflicts: conflicts(domain, reading)
                .chain(doubtful(domain, reading))
                .map(|line| format!("note: {page}: {line}"))
                .collect(),
        }
    }

    /// Creates the notes on a page that a wrapper learned on the way was used for.
    pub fn by_wrapper(page: &str, records: usize, confidence: &[(String, f32)]) -> PageNotes {
        let line = format!("{page}: data-rich, by the wrapper of its template");
        PageNotes {
            line,
            class: Class::DataRich,
            records,
            by_wrapper: true,
            conflicts: Vec::new(),
            confidence: vec![confidence.to_vec(); records],
            doubtful: Vec::new(),
        }
    }

    /// Writes the confidence of each value, and the values that were left out.
    pub fn json(&self, json: &mut Json) {
        let number = |json: &mut Json, value: f32| json.literal(&format!("{value:.2}"));
        json.key("confidence");
        json.object(|json| {
            json.key("records");
            json.array(|json| {
                for record in &self.confidence {
                    json.element();
                    json.object(|json| {
                        for (field, confidence) in record {
                            json.key(field);
                            number(json, *confidence);
                        }
                    });
                }
            });
        });
        if self.doubtful.is_empty() {
            return;
        }
        json.key("doubtful");
        json.array(|json| {
            for (field, value, confidence) in &self.doubtful {
                json.element();
                json.object(|json| {
                    json.key("field");
                    json.text(field);
                    json.key("value");
                    json.text(value);
                    json.key("confidence");
                    number(json, *confidence);
                });
            }
        });
    }

    /// All lines.
    pub fn lines(self) -> Vec<String> {
        std::iter::once(self.line).chain(self.conflicts).collect()
    }
}

/// Counts of the pages of a run by class.
#[derive(Debug, Default)]
pub struct Classes {
    rich: usize,
    offers: usize,
    neither: usize,
    by_wrapper: usize,
    records: usize,
}

impl Classes {
    /// Counts a page.
    pub fn add(&mut self, page: &PageNotes) {
        match page.class {
            Class::DataRich => self.rich += 1,
            Class::LinkOffer => self.offers += 1,
            Class::Neither => self.neither += 1,
        }
        self.by_wrapper += usize::from(page.by_wrapper);
        self.records += page.records;
    }

    /// One line for all pages: `240 pages: 230 data-rich (12 by a learned wrapper), 6 link offers, 4 neither; 231 records`.
    pub fn line(&self) -> Option<String> {
        let Classes { rich, offers, neither, by_wrapper, records } = *self;
        let pages = rich + offers + neither;
        let mut parts = Vec::new();
        let wrapped = if by_wrapper > 0 { format!(" ({by_wrapper} by a learned wrapper)") } else { String::new() };
        parts.extend((rich > 0).then(|| format!("{rich} data-rich{wrapped}")));
        parts.extend((offers > 0).then(|| plural(offers, "link offer")));
        parts.extend((neither > 0).then(|| format!("{neither} neither")));
        let sum = format!("{}: {}; {}", plural(pages, "page"), parts.join(", "), plural(records, "record"));
        (pages > 0).then_some(sum)
    }
}

/// Describes values that the page's structured data contradicts.
pub fn conflicts(domain: &Domain, reading: &Reading) -> impl Iterator<Item = String> {
    reading.conflicts.iter().map(|conflict| {
        let role = domain.roles.get(conflict.role).map_or("", |role| role.name.as_str());
        let (seen, said) = (excerpt(&conflict.seen, VALUE), excerpt(&conflict.said, VALUE));
        format!("{role}: the page shows \"{seen}\", its {} says \"{said}\"", syntax(conflict.syntax))
    })
}

/// Values that were left out, since they are less sure than was asked for.
pub fn doubtful(domain: &Domain, reading: &Reading) -> impl Iterator<Item = String> {
    reading.doubtful.iter().map(|pair| {
        let role = pair.role.and_then(|role| domain.roles.get(role)).map_or("title", |role| role.name.as_str());
        let value = pair.values.first().map_or("", |value| value.text.as_str());
        let confidence = pair.confidence * 100.0;
        format!("{role}: \"{}\" is left out, its confidence is {confidence:.0} %", excerpt(value, VALUE))
    })
}

/// The class of a page, and how much it has.
pub fn class(reading: &Reading) -> String {
    let class = reading.class.name();
    let pairs: usize = reading.records.iter().map(|record| record.pairs.len()).sum();
    match reading.records.len() {
        0 => format!("{class}, no record"),
        records => format!("{class}, {}, {}", plural(records, "record"), plural(pairs, "pair")),
    }
}

/// A syntax as people call it.
pub fn syntax(syntax: Syntax) -> &'static str {
    match syntax {
        Syntax::JsonLd => "JSON-LD",
        Syntax::Microdata => "microdata",
        Syntax::Rdfa => "RDFa",
        Syntax::Meta => "meta element",
        other => other.name(),
    }
}
