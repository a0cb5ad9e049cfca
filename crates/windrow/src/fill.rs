//! Fields that most records of a run lack: the first sign that a page has changed or a rule is too narrow.

use std::collections::BTreeMap;

use crate::data::{Data, Record};
use crate::wrapper::Shape;

use crate::format::columns::{as_record, lists};

/// Records below which a share says little: with four, one odd record is a quarter.
const FEWEST: usize = 5;
/// Fields that are named; further ones are counted.
const NAMED: usize = 3;

/// Counts of records with a value, for each field of each list.
#[derive(Debug, Default)]
pub struct Fill {
    lists: BTreeMap<String, ListCounts>,
}

/// The counts of one list.
#[derive(Debug, Default)]
struct ListCounts {
    records: usize,
    /// Names in the order of the wrapper, each with the number of records that have a value.
    fields: Vec<(String, usize)>,
}

impl Fill {
    /// Counts the records of a page.
    pub fn count(shapes: &[Shape], page: &Record<'_>) -> Fill {
        let mut fill = Fill::default();
        if lists(shapes).iter().all(|(_, shape)| !shape.is_set) {
            // A page is a record.
            let mut counts = ListCounts { records: 1, ..ListCounts::default() };
            counts.add_fields(shapes, &[page]);
            fill.lists.insert(String::new(), counts);
            return fill;
        }
        for (way, shape) in lists(shapes).into_iter().filter(|(_, shape)| shape.is_set) {
            let mut counts = ListCounts::default();
            let values = list(page, &way).iter();
            let records: Vec<&Record<'_>> = values.filter_map(|value| as_record(value)).collect();
            counts.records = records.len();
            counts.add_fields(&shape.children, &records);
            fill.lists.insert(shape.label.clone(), counts);
        }
        fill
    }

    /// Adds the counts of another page.
    pub fn add(&mut self, other: Fill) {
        for (label, counts) in other.lists {
            let own = self.lists.entry(label).or_default();
            own.records += counts.records;
            for (name, filled) in counts.fields {
                match own.fields.iter_mut().find(|(other, _)| *other == name) {
                    Some((_, count)) => *count += filled,
                    None => own.fields.push((name, filled)),
                }
            }
        }
    }

    /// The same without fields that some records lack: nothing is said of them.
    pub fn without_empty_fields(mut self) -> Fill {
        for counts in self.lists.values_mut() {
            counts.fields.retain(|(_, filled)| *filled > 0);
            counts.fields.iter_mut().for_each(|(_, filled)| *filled = counts.records);
        }
        self
    }

    /// Returns the number of records and of fields.
    pub fn totals(&self) -> (usize, usize) {
        let lists = self.lists.values().filter(|counts| counts.records > 0);
        lists.fold((0, 0), |(records, fields), counts| (records + counts.records, fields + counts.fields.len()))
    }

    /// A line about the fields that more than half of the records lack.
    pub fn note(&self) -> Option<String> {
        let several = self.lists.values().filter(|counts| counts.records > 0).count() > 1;
        let enough = self.lists.iter().filter(|(_, counts)| counts.records >= FEWEST);
        let empty: Vec<(String, usize, usize)> = enough
            .flat_map(|(list, counts)| {
                let empty = counts.fields.iter().map(|(name, filled)| (name, counts.records - filled));
                let empty = empty.filter(|(_, empty)| 2 * empty > counts.records);
                empty.map(move |(name, empty)| {
                    (if several { format!("{list}.{name}") } else { name.clone() }, empty, counts.records)
                })
            })
            .collect();
        let mut parts = Vec::new();
        let mut before = None;
        for (name, empty, records) in empty.iter().take(NAMED) {
            parts.push(match before {
                None => format!("`{name}` is empty in {empty} of {records} records"),
                Some(before) if before == *records => format!("`{name}` in {empty}"),
                Some(_) => format!("`{name}` in {empty} of {records}"),
            });
            before = Some(*records);
        }
        match empty.len().saturating_sub(NAMED) {
            0 => {}
            1 => parts.push("1 other field in more than half".to_owned()),
            more => parts.push(format!("{more} other fields in more than half")),
        }
        (!parts.is_empty()).then(|| format!("note: {}", parts.join(", ")))
    }
}

impl ListCounts {
    /// Counts the fields of records.
    fn add_fields(&mut self, shapes: &[Shape], records: &[&Record<'_>]) {
        names(shapes, "", &mut self.fields);
        for record in records {
            let mut filled = Vec::new();
            is_filled(shapes, Some(record), &mut filled);
            self.fields.iter_mut().zip(filled).for_each(|(field, filled)| field.1 += usize::from(filled));
        }
    }
}

/// The records of the list that a way of indexes leads to.
fn list<'d, 'e>(record: &'d Record<'e>, way: &[usize]) -> &'d [Data<'e>] {
    let Some((&first, rest)) = way.split_first() else { return &[] };
    match (record.values.get(first), rest) {
        (Some(Data::List(values)), []) => values,
        (Some(Data::Record(group)), rest) => list(group, rest),
        _ => &[],
    }
}

fn names(shapes: &[Shape], prefix: &str, fields: &mut Vec<(String, usize)>) {
    for shape in shapes {
        if shape.is_set && !shape.many {
            names(&shape.children, &format!("{prefix}{}.", shape.label), fields)
        } else {
            fields.push((format!("{prefix}{}", shape.label), 0))
        }
    }
}

/// For each field in the order of [`names`], whether the record has a value.
fn is_filled(shapes: &[Shape], record: Option<&Record<'_>>, filled: &mut Vec<bool>) {
    for (at, shape) in shapes.iter().enumerate() {
        let value = record.and_then(|record| record.values.get(at));
        match (shape.is_set && !shape.many, value) {
            (true, Some(Data::Record(group))) => is_filled(&shape.children, Some(group), filled),
            (true, _) => is_filled(&shape.children, None, filled),
            (false, value) => filled.push(value.is_some_and(has_value)),
        }
    }
}

fn has_value(value: &Data<'_>) -> bool {
    match value {
        Data::Absent | Data::Null => false,
        Data::Text(text) | Data::Untyped(text) => !text.trim().is_empty(),
        Data::Number(_) | Data::Money { .. } => true,
        Data::List(values) => values.iter().any(has_value),
        Data::Record(record) => record.values.iter().any(has_value) || !record.columns.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(records: usize, fields: &[(&str, usize)]) -> Fill {
        let fields = fields.iter().map(|(name, filled)| ((*name).to_owned(), *filled)).collect();
        Fill { lists: BTreeMap::from([("ads".to_owned(), ListCounts { records, fields })]) }
    }

    #[test]
    fn fields_that_most_records_lack_are_one_line() {
        let note = |fill: &Fill| fill.note().unwrap_or_default();
        assert_eq!(note(&fill(40, &[("title", 40), ("price", 9)])), "note: `price` is empty in 31 of 40 records");
        assert_eq!(note(&fill(40, &[("title", 40), ("price", 20)])), "", "half is not more than half");
        assert_eq!(note(&fill(4, &[("price", 0)])), "", "too few to tell");
        let many = fill(40, &[("a", 9), ("b", 0), ("c", 1), ("d", 2), ("e", 3)]);
        let expected = "note: `a` is empty in 31 of 40 records, `b` in 40, `c` in 39, 2 other fields in more than half";
        assert_eq!(note(&many), expected);
    }

    #[test]
    fn pages_are_counted_together() {
        let mut all = fill(3, &[("price", 1)]);
        all.add(fill(3, &[("price", 0), ("note", 0)]));
        assert_eq!(all.totals(), (6, 2));
        assert_eq!(all.note().unwrap(), "note: `price` is empty in 5 of 6 records, `note` in 6");
    }
}
