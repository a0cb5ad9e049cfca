//! Where records begin: a region of the page, and the text in it that stands in front of each record and nowhere else.
//!
//! The region is a value like any other, from the first record to the last, and is located by the texts around it. In it,
//! the longest common beginning of the records is tried first, then shorter and longer ones, then tags further inside that
//! every record has once, in front of all its values.

use windrow_wrapper::{Object, Page};

use super::literals::{self, Core, Sample};
use super::{Piece, Why, places};

/// How a list is cut.
#[derive(Debug)]
pub(super) struct Split {
    /// The pattern of the region, if it has one.
    pub(super) region: Option<String>,
    pub(super) delimiter: String,
    /// Whether something stands in front of the first record, which is no record.
    pub(super) skips: bool,
    /// Whether some piece has no records.
    pub(super) absent: bool,
    /// What each record has of the source, in the order of all records.
    pub(super) pieces: Vec<(usize, usize)>,
}

/// Tags of a record that are tried as its beginning.
const TAGS: usize = 24;

/// Finds out how the records of each piece are cut.
pub(super) fn split(page: &Page, pieces: &[Piece<'_>], items: &[Vec<Object<'_>>]) -> Result<Split, Why> {
    let source = page.source();
    let mut spans: Vec<Vec<Item>> = Vec::new();
    for (piece, items) in pieces.iter().zip(items) {
        let mut own: Vec<Item> = Vec::new();
        for &object in items {
            let span = object.span().ok_or(Why::NotInSource)?;
            let (start, end) = (span.start as usize, span.end as usize);
            let ordered = own.last().is_none_or(|last| last.start < start);
            if object.page().source().len() != source.len() || !ordered || start < piece.start || end > piece.end {
                return Err(Why::NotInSource);
            }
            // An attribute is found by its tag.
            let node = object.node().filter(|node| node.is_attribute());
            let tag = node.and_then(|node| page.document().start_tag(node.id())).map(|tag| tag.start as usize);
            let mut first = end;
            values(object, &mut |value| first = first.min(places::begin(page, value).unwrap_or(first)));
            own.push(Item { start: tag.unwrap_or(start), end, first });
        }
        spans.push(own);
    }
    if spans.iter().all(Vec::is_empty) {
        return Err(Why::NotOnPage);
    }
    if let Some(split) = regions(source, pieces, &spans) {
        return Ok(split);
    }
    // What stands in front of all records is as good a beginning: `<li><a href="` where `<a href="` is not enough.
    let back = before(source, pieces, &spans);
    if back > 0 {
        spans.iter_mut().flatten().for_each(|item| item.start -= back);
        if let Some(split) = regions(source, pieces, &spans) {
            return Ok(split);
        }
        spans.iter_mut().flatten().for_each(|item| item.start += back);
    }
    // Better records that lack a field than none: the beginning may take a part of the first value with it.
    spans.iter_mut().flatten().for_each(|item| item.first = item.end);
    regions(source, pieces, &spans).ok_or(Why::NoBeginning)
}

/// How many bytes of markup in front of each record are the same.
fn before(source: &str, pieces: &[Piece<'_>], spans: &[Vec<Item>]) -> usize {
    let mut fronts = Vec::new();
    for (piece, items) in pieces.iter().zip(spans) {
        let mut from = piece.start;
        for item in items {
            fronts.push(source.get(from..item.start).unwrap_or_default());
            from = item.end;
        }
    }
    let same = literals::common_suffix(fronts.into_iter());
    let markup = same.match_indices('<').map(|(at, _)| &same[at..]).find(|text| literals::is_markup(text));
    markup.map_or(0, str::len)
}

fn regions(source: &str, pieces: &[Piece<'_>], spans: &[Vec<Item>]) -> Option<Split> {
    let absent = spans.iter().any(Vec::is_empty);
    let mut regions: Vec<Option<String>> = Vec::new();
    let whole = |open: bool| {
        let samples: Vec<Sample> = pieces
            .iter()
            .zip(spans)
            .map(|(piece, items)| {
                let core = items.first().zip(items.last()).map(|(first, last)| Core {
                    from: first.start,
                    to: if open { piece.end } else { last.end },
                    tag: None,
                });
                Sample { start: piece.start, end: piece.end, core, lost: false }
            })
            .collect();
        literals::locate(source, &samples).ok().filter(|pattern| pattern != "#")
    };
    regions.extend(whole(false).map(Some));
    regions.extend(whole(true).map(Some));
    regions.push(None);
    for region in regions {
        let bounds: Option<Vec<(usize, usize)>> = pieces
            .iter()
            .zip(spans)
            .map(|(piece, items)| match &region {
                None => Some((piece.start, piece.end)),
                Some(_) if items.is_empty() => Some((piece.end, piece.end)),
                Some(region) => literals::found(source, region, piece.start, piece.end),
            })
            .collect();
        let Some(bounds) = bounds else { continue };
        if let Some((delimiter, skips, pieces)) = delimiter(source, &bounds, spans) {
            let absent = absent && region.is_some();
            return Some(Split { region, delimiter, skips, absent, pieces });
        }
    }
    None
}

struct Item {
    start: usize,
    end: usize,
    /// Where its first value begins.
    first: usize,
}

fn values<'e>(object: Object<'e>, with: &mut impl FnMut(Object<'e>)) {
    if !object.is_set() {
        return with(object);
    }
    for inner in object.objects() {
        values(inner, with);
    }
}

type Found = (String, bool, Vec<(usize, usize)>);

/// A text that stands in front of each record, and nowhere else between the bounds.
fn delimiter(source: &str, bounds: &[(usize, usize)], spans: &[Vec<Item>]) -> Option<Found> {
    let items = || spans.iter().flatten();
    let begins = literals::common_prefix(items().map(|item| &source[item.start..item.first.max(item.start)]));
    let mut tries: Vec<String> = Vec::new();
    let tag = begins.find('>').map_or(begins.len(), |at| at + 1);
    // The start tag, or how it begins; then more of the record; then less.
    let whole = begins[..tag].trim_end_matches(|char: char| char.is_alphanumeric() && !begins[..tag].ends_with('>'));
    tries.push(whole.to_owned());
    tries.extend(begins.match_indices('>').map(|(at, _)| begins[..=at].to_owned()).take(6));
    tries.push(begins.to_owned());
    tries.extend(begins[..tag].match_indices(['"', ' ']).map(|(at, _)| begins[..=at].to_owned()));
    // What every record has further inside.
    if let Some(first) = items().next() {
        let inside = &source[first.start..first.first.max(first.start)];
        let tags = inside.match_indices('<').skip(1).take(TAGS);
        for (at, _) in tags {
            let rest = &inside[at..];
            if let Some(end) = rest.find('>') {
                tries.push(rest[..=end].to_owned());
                tries.extend(rest[..=end].match_indices('"').map(|(at, _)| rest[..=at].to_owned()).take(4));
            }
        }
    }
    tries
        .into_iter()
        .filter(|text| text.len() > 2 && text.len() < 400)
        .find_map(|text| cut(source, &text, bounds, spans))
}

fn cut(source: &str, delimiter: &str, bounds: &[(usize, usize)], spans: &[Vec<Item>]) -> Option<Found> {
    let mut pieces = Vec::new();
    let mut skips = None;
    let finder = memchr::memmem::Finder::new(delimiter.as_bytes());
    for (&(start, end), items) in bounds.iter().zip(spans) {
        let region = source.as_bytes().get(start..end)?;
        let mut found = finder.find_iter(region).map(|at| start + at);
        let mut begins = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let at = found.next()?;
            // In the record, in front of its values, and not in the next.
            let next = items.get(index + 1).map_or(end, |next| next.start);
            if at < item.start || at + delimiter.len() > item.first || at >= next {
                return None;
            }
            begins.push(at);
        }
        if found.next().is_some() {
            return None;
        }
        let Some(&first) = begins.first() else {
            // All of it is one piece, which is no record.
            if start < end && !source[start..end].trim().is_empty() && !*skips.get_or_insert(true) {
                return None;
            }
            continue;
        };
        let blank = source[start..first].bytes().all(|byte| byte.is_ascii_whitespace());
        if *skips.get_or_insert(!blank) == blank {
            return None;
        }
        for (index, &at) in begins.iter().enumerate() {
            pieces.push((at + delimiter.len(), begins.get(index + 1).copied().unwrap_or(end)));
        }
    }
    Some((delimiter.to_owned(), skips?, pieces))
}
