//! Results of a wrapper, actual or expected: labels, texts and sets, without places or types.
//!
//! Two results are equal if they have the same contents whatever the order of fields in a record, since a redesign may
//! change it. Records, and values of one label, are in page order. Empty texts and sets are left out.
//!
//! [`Truth::compare`] pairs records in order so that as many values as possible agree; it costs the product of the
//! lists' lengths, restricted to a band around the diagonal.

use windrow_wrapper::{Extraction, Objects};

/// The objects of a page as labels and texts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Truth {
    /// By label, those of one label in the order of the page.
    pub members: Vec<Told>,
}

/// A labelled text or set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// The object's label.
    pub label: String,
    /// Its value.
    pub value: Content,
}

/// Contents of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// A visible text on one line.
    Text(String),
    /// A record or group.
    Set(Vec<Told>),
}

/// Number of values in which two results agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Agreement {
    /// Values that are wanted.
    pub wanted: usize,
    /// Values that are given.
    pub given: usize,
    /// Values that are both, in records that belong together.
    pub right: usize,
}

/// Width of the band around the diagonal in which records are paired, beyond the difference in length.
const BAND: usize = 40;

impl Truth {
    /// Converts an extraction.
    pub fn of(extraction: &Extraction) -> Truth {
        Truth::new(told(extraction.objects()))
    }

    /// From members in the order of the page.
    pub fn new(members: Vec<Told>) -> Truth {
        Truth { members: ordered(members) }
    }

    /// Returns the number of sets at the top level.
    pub fn records(&self) -> usize {
        self.members.iter().filter(|told| matches!(told.value, Content::Set(_))).count()
    }

    /// Returns the number of values at all levels.
    pub fn values(&self) -> usize {
        count(&self.members)
    }

    /// Compares a result with this expected one.
    pub fn compare(&self, given: &Truth) -> Agreement {
        Agreement { wanted: self.values(), given: given.values(), right: right(&self.members, &given.members) }
    }
}

impl Agreement {
    /// The share of what is given that is right; 1 of nothing.
    pub fn precision(self) -> f64 {
        if self.given == 0 { 1.0 } else { self.right as f64 / self.given as f64 }
    }

    /// The share of what is wanted that is given; 1 of nothing.
    pub fn recall(self) -> f64 {
        if self.wanted == 0 { 1.0 } else { self.right as f64 / self.wanted as f64 }
    }
}

fn told(objects: Objects<'_>) -> Vec<Told> {
    let tell = |object: windrow_wrapper::Object<'_>| Told {
        label: object.label().to_owned(),
        value: if object.is_set() {
            Content::Set(told(object.objects()))
        } else {
            Content::Text(object.text().into_owned())
        },
    };
    objects.map(tell).collect()
}

/// Members by label; what says nothing is left out.
fn ordered(members: Vec<Told>) -> Vec<Told> {
    let mut members: Vec<Told> = members
        .into_iter()
        .filter_map(|told| {
            let value = match told.value {
                Content::Text(text) => Content::Text(text).filled()?,
                Content::Set(members) => Content::Set(ordered(members)).filled()?,
            };
            Some(Told { label: told.label, value })
        })
        .collect();
    members.sort_by(|one, other| one.label.cmp(&other.label));
    members
}

impl Content {
    fn filled(self) -> Option<Content> {
        let says = match &self {
            Content::Text(text) => !text.trim().is_empty(),
            Content::Set(members) => !members.is_empty(),
        };
        says.then_some(self)
    }
}

fn count(members: &[Told]) -> usize {
    let each = |told: &Told| match &told.value {
        Content::Text(_) => 1,
        Content::Set(members) => count(members),
    };
    members.iter().map(each).sum()
}

/// Returns the number of values in which two sets agree. Members are sorted by label, so that both can be walked in
/// parallel.
fn right(one: &[Told], other: &[Told]) -> usize {
    let (mut one, mut other, mut sum) = (one, other, 0);
    while let (Some(first), Some(second)) = (one.first(), other.first()) {
        if first.label != second.label {
            if first.label < second.label {
                one = &one[1..]
            } else {
                other = &other[1..]
            }
            continue;
        }
        let same = |told: &&Told| told.label == first.label;
        let (mine, theirs) = (one.iter().take_while(same).count(), other.iter().take_while(same).count());
        sum += paired(&one[..mine], &other[..theirs]);
        (one, other) = (&one[mine..], &other[theirs..]);
    }
    sum
}

/// Pairs members of one label in order so that most values agree.
fn paired(one: &[Told], other: &[Told]) -> usize {
    if one == other {
        return count(one);
    }
    let agree = |a: &Told, b: &Told| match (&a.value, &b.value) {
        (Content::Text(a), Content::Text(b)) => usize::from(a == b),
        (Content::Set(a), Content::Set(b)) => right(a, b),
        _ => 0,
    };
    let band = BAND + one.len().abs_diff(other.len());
    let mut above = vec![0; other.len() + 1];
    let mut row = above.clone();
    for (rank, a) in one.iter().enumerate() {
        let from = rank.saturating_sub(band);
        for (column, b) in other.iter().enumerate() {
            let best = above[column + 1].max(row[column]);
            let near = column >= from && column <= rank + band;
            row[column + 1] = if near { best.max(above[column] + agree(a, b)) } else { best };
        }
        std::mem::swap(&mut above, &mut row);
        row[0] = 0;
    }
    above[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(fields: &[(&str, &str)]) -> Told {
        let field = |&(label, text): &(&str, &str)| Told { label: label.into(), value: Content::Text(text.into()) };
        Told { label: "ads".into(), value: Content::Set(fields.iter().map(field).collect()) }
    }

    #[test]
    fn the_order_of_fields_does_not_count_that_of_records_does() {
        let one = Truth::new(vec![record(&[("b", "2"), ("a", "1")]), record(&[("a", "3")])]);
        assert_eq!(one, Truth::new(vec![record(&[("a", "1"), ("b", "2"), ("c", " ")]), record(&[("a", "3")])]));
        assert_ne!(one, Truth::new(vec![record(&[("a", "3")]), record(&[("a", "1"), ("b", "2")])]));
    }

    #[test]
    fn a_record_too_many_does_not_shift_the_rest() {
        let wanted = Truth::new(vec![record(&[("a", "1"), ("b", "2")]), record(&[("a", "3")])]);
        let given = Truth::new(vec![record(&[("a", "9")]), record(&[("a", "1"), ("b", "0")]), record(&[("a", "3")])]);
        assert_eq!(wanted.compare(&given), Agreement { wanted: 3, given: 4, right: 2 });
    }
}
