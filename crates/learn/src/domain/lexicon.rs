//! All keywords of a domain in one automaton, and where a page uses them as labels.
//!
//! A keyword may be anywhere on a page: in a menu, in prose, inside a longer label. It *labels* what follows if it stands
//! by itself: it begins where a line, a text node or what follows a separator begins, and it ends at a colon, at the end of
//! its text node or of its line. `Application deadline:` is a label, `Priority application deadline:` is another one, and
//! `the application deadline is` is none.
//!
//! # Cost
//!
//! One pass of the automaton over the page's folded text.

use std::ops::Range;

use aho_corasick::{AhoCorasick, MatchKind};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use windrow_dom::{NameId, NodeId, names};

use super::sheet::{Sheet, Unfolder, fold_into, is_space, is_unspaced};
use super::words::Domain;

/// Bytes of a keyword.
const LONGEST: usize = 400;
/// Bytes of a unit in brackets.
const LONGEST_UNIT: usize = 16;
/// Bytes of what stands in front of a label that ends its line.
const LONGEST_BEFORE: usize = 60;
/// Bytes of a number in front of what it counts, of a word in front of that, and of a number with its unit.
const LONGEST_COUNT: usize = 8;
const LONGEST_WORD: usize = 8;
const LONGEST_COUNTED: usize = 24;
/// Words behind which a class may end that names a value.
const OF_VALUES: [&str; 8] = ["value", "val", "text", "name", "link", "content", "number", "average"];
/// Words of a name that may be a keyword.
const MOST_WORDS: usize = 3;

/// The keywords of a domain, ready to be looked for.
#[derive(Debug, Clone)]
pub(super) struct Lexicon {
    automaton: Option<AhoCorasick>,
    /// By keyword: its roles, those at the top first.
    roles: Vec<Vec<u32>>,
    /// The number of each keyword.
    words: HashMap<String, u32, FixedState>,
    /// By role: whether its values have a pattern.
    shaped: Vec<bool>,
}

/// How a keyword stands on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Stand {
    /// A sign behind it says that it is a label: `Price:`.
    Marked,
    /// It is all of its line.
    Alone,
    /// It is all of its text node, at the beginning of a line that goes on.
    Leading,
    /// It is all of a text node in the middle of a line.
    Within,
    /// It stands in brackets behind what it labels: `Ann Lee (Author)`.
    Behind,
    /// It counts what stands in front of it: `4 servings`.
    Unit,
    /// A number follows it, and no more: `Serves 4`.
    Glued,
    /// It ends its line below or behind what it labels, as others do: `<b>16 GB</b> <small>RAM</small>`.
    Under,
    /// A dash or dots lead from it to the rest of its line. It is settled before marks are used.
    Dashed,
    /// It is a word among others.
    Prose,
}

/// A keyword on a page.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    pub(super) role: u32,
    /// The keyword, by its number.
    pub(super) key: u32,
    pub(super) stand: Stand,
    /// The pieces that it begins and ends in.
    pub(super) first: u32,
    pub(super) last: u32,
    pub(super) line: u32,
    /// Its bytes in the text.
    pub(super) start: u32,
    pub(super) end: u32,
    /// Where what it labels begins, in the text: behind its colon.
    pub(super) rest: u32,
}

impl Lexicon {
    pub(super) fn new(domain: &Domain) -> Lexicon {
        let mut roles: Vec<Vec<u32>> = Vec::new();
        let mut words: HashMap<String, u32, FixedState> = HashMap::default();
        let mut patterns: Vec<String> = Vec::new();
        for (number, role) in domain.roles.iter().enumerate() {
            for word in role.keywords.iter().map(|keyword| folded(keyword)) {
                if word.is_empty() || word.len() > LONGEST {
                    continue;
                }
                let key = *words.entry(word).or_insert_with_key(|word| {
                    patterns.push(word.clone());
                    roles.push(Vec::new());
                    patterns.len() as u32 - 1
                });
                roles[key as usize].push(number as u32);
            }
        }
        for roles in &mut roles {
            roles.sort_by_key(|&role| domain.roles[role as usize].within.is_some());
        }
        let automaton = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&patterns).ok();
        let automaton = automaton.filter(|_| !patterns.is_empty());
        let shaped = domain.roles.iter().map(|role| role.value.is_some()).collect();
        Lexicon { automaton, roles, words, shaped }
    }

    /// The role whose keyword this is.
    pub(super) fn role(&self, word: &str) -> Option<u32> {
        self.words.get(word).and_then(|&key| self.roles[key as usize].first().copied())
    }

    /// The roles of each keyword, by its number.
    pub(super) fn keys(&self) -> &[Vec<u32>] {
        &self.roles
    }

    /// The role whose keyword a name ends in: `lblMainPhone`, `product-price`.
    pub(super) fn named(&self, name: &str) -> Option<u32> {
        let words = words_of(name);
        (words.len().saturating_sub(MOST_WORDS)..words.len()).find_map(|at| self.role(&words[at..].join(" ")))
    }

    /// The role whose keyword a class ends in, with or without a word for values: `rating-value`, `authorName`.
    pub(super) fn classed(&self, class: &str) -> Option<u32> {
        let mut words = words_of(class);
        let all = |words: &[String]| {
            (words.len().saturating_sub(MOST_WORDS)..words.len()).find_map(|at| self.role(&words[at..].join(" ")))
        };
        all(&words).or_else(|| {
            words.pop().filter(|word| OF_VALUES.contains(&word.as_str()))?;
            all(&words)
        })
    }

    /// All places where a page has a keyword as a word of its own, in order.
    pub(super) fn marks(&self, sheet: &Sheet<'_>) -> Vec<Mark> {
        let Some(automaton) = &self.automaton else { return Vec::new() };
        let text = sheet.folded.as_str();
        let mut marks: Vec<Mark> = Vec::new();
        let mut unfolder = Unfolder::new(sheet);
        for found in automaton.find_iter(text) {
            let (start, end) = (found.start(), found.end());
            if !is_apart(sheet, start, end) {
                continue;
            }
            let key = found.pattern().as_u32();
            let Some(&role) = self.roles[key as usize].first() else { continue };
            let earlier = marks.last().copied();
            let mark = mark(sheet, &mut unfolder, start..end, role, earlier);
            // What counts or is counted needs a pattern: of a role without one anything may be a value.
            let shaped = || self.roles[key as usize].iter().any(|&role| self.shaped[role as usize]);
            marks.extend(mark.map(|mark| match mark.stand {
                Stand::Unit | Stand::Glued if !shaped() => Mark { key, stand: Stand::Prose, ..mark },
                _ if sheet.pieces[mark.first as usize].in_menu => Mark { key, stand: Stand::Prose, ..mark },
                _ => Mark { key, ..mark },
            }));
        }
        settle_company(sheet, &mut marks);
        demote_values(sheet, &mut marks);
        marks
    }
}

/// Labels that need company: a dash behind one, or a value in front of it, says something only where labels of two roles
/// and one look have it. Others are words among others.
fn settle_company(sheet: &Sheet<'_>, marks: &mut [Mark]) {
    let mut company: HashMap<(Stand, u64), Vec<u32>, FixedState> = HashMap::default();
    let looks = |mark: &Mark| (mark.stand, sheet.pieces[mark.first as usize].style);
    let needs = |mark: &Mark| matches!(mark.stand, Stand::Dashed | Stand::Under);
    for mark in marks.iter().filter(|mark| needs(mark)) {
        let roles = company.entry(looks(mark)).or_default();
        if roles.len() < 2 && !roles.contains(&mark.role) {
            roles.push(mark.role);
        }
    }
    for mark in marks.iter_mut().filter(|mark| needs(mark)) {
        let alone = company.get(&looks(mark)).is_none_or(|roles| roles.len() < 2);
        mark.stand = match mark.stand {
            _ if alone => Stand::Prose,
            Stand::Dashed => Stand::Marked,
            stand => stand,
        };
    }
}

/// A keyword in the place of a value is one: `Format: Hardcover`, where other pages write `Hardcover: 320 pages`. It is one
/// if the label in front of it has a sign behind it and it has none, if it does not look as labels do here, or if labels
/// stand one below the other.
fn demote_values(sheet: &Sheet<'_>, marks: &mut [Mark]) {
    let mut styles: HashMap<u64, u32, FixedState> = HashMap::default();
    for mark in marks.iter().filter(|mark| mark.stand < Stand::Prose) {
        *styles.entry(sheet.pieces[mark.first as usize].style).or_default() += 1;
    }
    for at in 1..marks.len() {
        let (label, mark) = (marks[at - 1], marks[at]);
        if label.stand == Stand::Prose || mark.stand == Stand::Prose || mark.stand == Stand::Marked {
            continue;
        }
        let between = sheet.text.get(label.rest as usize..mark.start as usize);
        if between.is_none_or(|text| text.contains(char::is_alphanumeric)) {
            continue;
        }
        let (one, two) = (sheet.pieces[label.first as usize], sheet.pieces[mark.first as usize]);
        let often = |style: u64| styles.get(&style).copied().unwrap_or(0);
        let value = if one.row == two.row {
            // An empty cell between them is the label's value.
            if !is_beside(sheet, one.node, two.node) {
                continue;
            }
            let strange = one.style != two.style && often(two.style) < 2 && often(one.style) >= 2;
            label.stand == Stand::Marked || strange || is_column_of_labels(sheet, marks, at - 1)
        } else {
            in_definition(sheet, one.node) == Some(names::DT) && in_definition(sheet, two.node) == Some(names::DD)
        };
        if value {
            marks[at].stand = Stand::Prose;
        }
    }
}

/// Whether two texts of a row are in one cell, or in cells side by side.
fn is_beside(sheet: &Sheet<'_>, one: NodeId, two: NodeId) -> bool {
    let (Some(one), Some(two)) = (sheet.cell(one), sheet.cell(two)) else { return true };
    let siblings = std::iter::successors(sheet.document.next_sibling(one), |&id| sheet.document.next_sibling(id));
    one == two || siblings.into_iter().find(|&id| sheet.document.is_element(id)).is_none_or(|next| next == two)
}

/// The part of a definition list that a text is in.
fn in_definition(sheet: &Sheet<'_>, id: NodeId) -> Option<NameId> {
    let names = sheet.document.ancestors(id).take(6).filter_map(|id| sheet.document.name_id(id));
    names.into_iter().find(|name| matches!(*name, names::DT | names::DD))
}

/// Whether the cell below a label's is a label again, and the one beside it is none: rows are pairs here.
fn is_column_of_labels(sheet: &Sheet<'_>, marks: &[Mark], number: usize) -> bool {
    let mark = &marks[number];
    let document = sheet.document;
    let Some(cell) = sheet.cell(sheet.pieces[mark.first as usize].node) else { return false };
    let Some(row) = document.parent(cell) else { return false };
    let Some(column) = sheet.cells(row).iter().position(|&id| id == cell) else { return false };
    let labelled = |cell: Option<&NodeId>| {
        let Some(&cell) = cell else { return false };
        let pieces = sheet.pieces_below(cell);
        let at = marks.partition_point(|mark| (mark.first as usize) < pieces.start);
        marks.get(at).is_some_and(|mark| (mark.first as usize) < pieces.end && mark.stand < Stand::Prose)
    };
    let below = sheet.rows_below(row).next().map(|row| sheet.cells(row)).unwrap_or_default();
    labelled(below.get(column)) && !labelled(below.get(column + 1)) || {
        // Above, if it is the last row.
        let above = std::iter::successors(document.prev_sibling(row), |&id| document.prev_sibling(id))
            .find(|&id| document.name_id(id) == Some(names::TR))
            .map(|row| sheet.cells(row))
            .unwrap_or_default();
        below.is_empty() && labelled(above.get(column)) && !labelled(above.get(column + 1))
    }
}

/// The words of a name that was written for machines: `streetAddress`, `street-address`, `street_address`.
pub(super) fn words_of(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    let mut low = false;
    for c in name.chars().take(200) {
        if !c.is_alphanumeric() {
            open = false;
            continue;
        }
        if !open || (c.is_uppercase() && low) {
            words.push(String::new());
        }
        open = true;
        low = c.is_lowercase() || c.is_numeric();
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    words
}

/// A keyword as it is looked for: folded, in one line, without signs at its edges that pages add themselves.
pub(super) fn folded(keyword: &str) -> String {
    let mut out = String::with_capacity(keyword.len());
    fold_into(&keyword.split(is_space).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "), &mut out);
    out.trim_matches(|c: char| c == ':' || c.is_whitespace()).to_owned()
}

/// Whether these bytes are words of their own: nothing joins them to a letter before or behind. Where a script writes no
/// spaces there is no telling, and where one element ends and another begins there is an edge.
fn is_apart(sheet: &Sheet<'_>, start: usize, end: usize) -> bool {
    let text = sheet.folded.as_str();
    let joins = |outer: Option<char>, inner: Option<char>, at: usize| match (outer, inner) {
        (Some(outer), Some(inner)) => {
            outer.is_alphanumeric()
                && inner.is_alphanumeric()
                && !is_unspaced(outer)
                && !is_unspaced(inner)
                && !sheet.is_edge(at)
        }
        _ => false,
    };
    let word = &text[start..end];
    !joins(text[..start].chars().next_back(), word.chars().next(), start)
        && !joins(text[end..].chars().next(), word.chars().next_back(), end)
}

/// How a keyword stands at these bytes of the folded text.
fn mark(
    sheet: &Sheet<'_>,
    unfolder: &mut Unfolder<'_, '_>,
    folded: Range<usize>,
    role: u32,
    earlier: Option<Mark>,
) -> Option<Mark> {
    let (first, from) = unfolder.unfold(folded.start)?;
    let (last, _) = unfolder.unfold(folded.end.checked_sub(1)?)?;
    let to = match sheet.pieces[last].folded_end as usize == folded.end {
        true => sheet.pieces[last].end as usize,
        false => unfolder.unfold(folded.end)?.1,
    };
    let (piece, final_piece) = (sheet.pieces[first], sheet.pieces[last]);
    let line = piece.line;
    if final_piece.line != line {
        return None;
    }
    let pieces = sheet.line_pieces(line);
    let line_start = sheet.pieces[pieces.start].start as usize;
    let line_end = sheet.pieces[pieces.end - 1].end as usize;
    let before = &sheet.text[line_start..from];
    let in_piece = &sheet.text[piece.start as usize..from];
    let begins_line = before.chars().all(is_edge);
    let begins_piece = in_piece.chars().all(is_edge);
    // A year in front of a label does not make it another, if a sign says that it is one.
    let dated = before.chars().all(|c| is_edge(c) || c.is_ascii_digit());
    let behind_separator = before.trim_end().ends_with(is_separator);
    let behind_label = earlier.is_some_and(|mark| mark.line == line && mark.stand < Stand::Prose);
    // A unit in brackets does not make it another label.
    let to = to + unit(&sheet.text[to..final_piece.end as usize]);
    // Signs behind it that belong to no value.
    let after = &sheet.text[to..line_end];
    let own = &sheet.text[to..final_piece.end as usize];
    let ends_line = after.chars().all(is_edge);
    let ends_piece = own.chars().all(is_edge);
    let signs: usize = after.chars().take_while(|c| is_edge(*c)).map(char::len_utf8).sum();
    let marked = after[..signs].contains(is_colon);
    // A bracket that opens behind a label begins its value.
    let rest = to
        + after[..signs].rfind(is_colon).map_or_else(
            || after[..signs].find(is_opening).unwrap_or(signs),
            |at| at + after[at..].chars().next().map_or(0, char::len_utf8),
        );
    let begins = begins_line || begins_piece || behind_separator;
    let bracketed = before.trim_end().ends_with(['(', '（']) && after.trim_start().starts_with([')', '）']);
    let stand = match () {
        () if bracketed && before.contains(char::is_alphanumeric) => Stand::Behind,
        () if marked && (begins || behind_label || dated) => Stand::Marked,
        () if begins_line && ends_line => Stand::Alone,
        () if begins_line && ends_piece => Stand::Leading,
        () if begins_line && !ends_line && is_leader(&after[..signs]) => Stand::Dashed,
        () if ends_piece && (behind_separator || behind_label) && begins => Stand::Within,
        () if ends_piece && count_before(before).is_some() && (ends_line || begins_piece) => Stand::Unit,
        () if (begins_line || begins_piece) && is_count(own.trim()) && own.starts_with(is_space) => Stand::Glued,
        () if ends_line && begins_piece && !begins_line && before.len() <= LONGEST_BEFORE => Stand::Under,
        () => Stand::Prose,
    };
    // A dash or dots that lead to a value are no part of it.
    let rest = if stand == Stand::Dashed { to + signs } else { rest };
    Some(Mark {
        role,
        key: 0,
        stand,
        first: first as u32,
        last: last as u32,
        line,
        start: from as u32,
        end: to as u32,
        rest: rest.min(line_end) as u32,
    })
}

/// Whether signs behind a label lead to its value: a dash between blanks, or a row of dots.
fn is_leader(signs: &str) -> bool {
    let dash = signs.trim();
    let dots = dash.chars().filter(|c| matches!(c, '.' | '…' | '_')).count();
    matches!(dash, "-" | "–" | "—" | "--") && signs.starts_with(is_space) && signs.ends_with(is_space)
        || dots >= 3
        || dash.contains("……")
}

/// Where the number at the end of a text begins, if there is little in front of it: `4`, `for 4`, `2-3`.
pub(super) fn count_before(text: &str) -> Option<usize> {
    let text = text.trim_end();
    let number = |c: char| c.is_numeric() || matches!(c, '-' | '–' | '.' | ',' | '/' | '½' | '¼' | '¾' | '+');
    let head = text.trim_end_matches(number);
    let count = &text[head.len()..];
    let word = head.trim_matches(is_edge);
    let short = word.len() <= LONGEST_WORD && !word.contains(char::is_numeric) && !word.contains(' ');
    (count.len() <= LONGEST_COUNT
        && count.contains(char::is_numeric)
        && short
        && (head.is_empty() || head.ends_with(is_space) || head.ends_with(is_edge)))
    .then_some(head.len())
}

/// Whether a text is a number, with a unit at the most: `4`, `30 min`, `1 hr 10 min`, `$ 5`.
fn is_count(text: &str) -> bool {
    let begins = text.trim_start_matches(['~', '$', '€', '£', '¥', ' ', '+', '-']).starts_with(char::is_numeric);
    let words = text.split(' ').filter(|word| !word.starts_with(char::is_numeric)).count();
    begins && text.len() <= LONGEST_COUNTED && words <= 2 && !text.contains(['?', '!'])
}

/// The bytes of a short word in brackets behind a label, such as `(lbs)`.
fn unit(after: &str) -> usize {
    let spaces = after.len() - after.trim_start().len();
    let Some(inner) = after.trim_start().strip_prefix('(') else { return 0 };
    match inner.find(')') {
        Some(end) if end <= LONGEST_UNIT && !inner[..end].contains(|c: char| c.is_ascii_digit() || c == '(') => {
            spaces + end + 2
        }
        _ => 0,
    }
}

/// Signs that stand around labels and values and are no part of them.
pub(super) fn is_edge(c: char) -> bool {
    is_space(c)
        || is_colon(c)
        || is_separator(c)
        || matches!(c, '*' | '-' | '–' | '—' | '.' | '#' | '(' | ')' | '"' | '\'' | '?' | '>' | '»')
}

fn is_opening(c: char) -> bool {
    matches!(c, '(' | '"' | '\'' | '-' | '–' | '—' | '#' | '.')
}

/// Signs behind a label that say that it is one.
pub(super) fn is_colon(c: char) -> bool {
    matches!(c, ':' | '：' | '=' | '|' | '】' | ']' | '︰')
}

/// Signs between one pair and the next.
fn is_separator(c: char) -> bool {
    matches!(c, '|' | '•' | '·' | ';' | '【' | '[' | '】' | ']' | '►' | '▪' | '●' | '■' | '✓')
}
