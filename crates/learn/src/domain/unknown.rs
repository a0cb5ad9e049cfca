//! Labels that the domain does not know: they look as the known ones do.
//!
//! Where two roles or more have labels of one look, and no value looks so, whatever else looks so is a label, too. It has no
//! role, but it ends the value in front of it, so that an empty value does not take it; and it tells which words the
//! domain lacks ([`Reader::unknown`]).

use std::ops::Range;

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use windrow_wrapper::Page;

use super::layout::{Candidate, Layouts};
use super::lexicon::{Lexicon, Mark, Stand, is_colon, is_edge};
use super::reader::Reader;
use super::sheet::Sheet;

/// The role of a label that is not known.
pub(super) const NONE: u32 = u32::MAX;
/// Bytes of a label.
const LONGEST: usize = 48;

/// A label on a page that the domain does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// As the page writes it.
    pub label: String,
    /// What it labels.
    pub value: String,
    /// The role whose keyword is a part of it, if there is one.
    pub near: Option<usize>,
}

/// What is known of a look.
#[derive(Default)]
struct Look {
    /// Roles whose labels look so.
    roles: Vec<u32>,
    /// How many of their labels have a sign behind them.
    marked: u32,
    labels: u32,
}

/// Adds the labels that look as known ones do.
pub(super) fn add(
    sheet: &Sheet<'_>,
    marks: Vec<Mark>,
    candidates: &[Candidate],
    layouts: &Layouts<'_, '_>,
) -> Vec<Mark> {
    let mut looks: HashMap<u64, Look, FixedState> = HashMap::default();
    // How often a value begins with a look.
    let mut values: HashMap<u64, u32, FixedState> = HashMap::default();
    for candidate in candidates {
        let mark = &marks[candidate.mark as usize];
        if mark.stand == Stand::Behind {
            continue;
        }
        let look = looks.entry(sheet.pieces[mark.first as usize].style).or_default();
        look.labels += 1;
        look.marked += u32::from(mark.stand == Stand::Marked);
        if look.roles.len() < 2 && !look.roles.contains(&mark.role) {
            look.roles.push(mark.role);
        }
        let pieces = layouts.pieces_of(candidate.start as usize, candidate.end as usize);
        *values.entry(sheet.pieces[pieces.start].style).or_default() += 1;
    }
    // An empty value makes the next label look like one: what looks so more often is a label.
    looks.retain(|style, look| look.roles.len() >= 2 && 3 * values.get(style).copied().unwrap_or(0) < look.labels);
    if looks.is_empty() {
        return marks;
    }
    let mut fresh: Vec<Mark> = Vec::new();
    for (number, piece) in sheet.pieces.iter().enumerate() {
        let Some(look) = looks.get(&piece.style) else { continue };
        let text = &sheet.text[piece.range()];
        let label = text.trim_matches(is_edge);
        if label.len() > LONGEST || !label.contains(char::is_alphabetic) {
            continue;
        }
        let line = sheet.line_pieces(piece.line);
        let line_end = sheet.pieces[line.end - 1].end as usize;
        let behind = &sheet.text[piece.end as usize..line_end];
        let marked = text.trim_end().ends_with(is_colon) || behind.trim_start().starts_with(is_colon);
        // Labels of one look all have a sign, or none has.
        if marked != (2 * look.marked > look.labels) {
            continue;
        }
        let stand = match () {
            () if marked => Stand::Marked,
            () if line.len() == 1 => Stand::Alone,
            () if number == line.start => Stand::Leading,
            () => Stand::Within,
        };
        let signs: usize = behind.chars().take_while(|c| is_edge(*c)).map(char::len_utf8).sum();
        let signs = if behind[..signs].contains(is_colon) { signs } else { 0 };
        fresh.push(Mark {
            role: NONE,
            key: NONE,
            stand,
            first: number as u32,
            last: number as u32,
            line: piece.line,
            start: piece.start,
            end: piece.end,
            rest: (piece.end as usize + signs) as u32,
        });
    }
    merge(marks, fresh)
}

/// Both, in the order of the page; of two that overlap the known one. A known word in prose gives way to a label.
fn merge(marks: Vec<Mark>, fresh: Vec<Mark>) -> Vec<Mark> {
    let mut all = Vec::with_capacity(marks.len() + fresh.len());
    let mut known = marks.into_iter().peekable();
    for mark in fresh {
        while let Some(next) = known.next_if(|next| next.end <= mark.start) {
            all.push(next);
        }
        let mut taken = false;
        let mut inside = Vec::new();
        while let Some(next) = known.next_if(|next| next.start < mark.end) {
            taken |= next.stand < Stand::Prose;
            inside.push(next);
        }
        match taken {
            true => all.extend(inside),
            false => all.push(mark),
        }
    }
    all.extend(known);
    all
}

impl Reader {
    /// The labels of a page that look as known ones do, with what they label: words that the domain may lack.
    pub fn unknown(&self, page: &Page) -> Vec<Unknown> {
        let sheet = Sheet::new(page.document());
        let marks = self.marks(&sheet);
        let layouts = Layouts::new(&sheet, &marks, self.patterns());
        let mut found: Vec<Unknown> = Vec::new();
        for (number, mark) in marks.iter().enumerate().filter(|(_, mark)| mark.role == NONE) {
            let Some(candidate) = layouts.follow(number) else { continue };
            let label = text(&sheet, mark.start as usize..mark.end as usize);
            let value = layouts.values(&candidate, Some(false));
            let Some(value) = value.into_iter().next() else { continue };
            let near = near(self.lexicon(), label);
            if !found.iter().any(|known| known.label == label) {
                found.push(Unknown { label: label.to_owned(), value: value.text, near });
            }
        }
        found
    }
}

fn text<'s>(sheet: &'s Sheet<'_>, range: Range<usize>) -> &'s str {
    sheet.text[range].trim_matches(is_edge)
}

/// The role whose keyword a label ends in, or begins with.
fn near(lexicon: &Lexicon, label: &str) -> Option<usize> {
    let folded = super::lexicon::folded(label);
    let words: Vec<&str> = folded.split(' ').collect();
    let ends = (1..words.len()).find_map(|at| lexicon.role(&words[at..].join(" ")));
    let begins = || (1..words.len()).rev().find_map(|at| lexicon.role(&words[..at].join(" ")));
    ends.or_else(begins).map(|role| role as usize)
}
