//! What a record is called: often the one thing that no label says.
//!
//! The paper takes the first leaf of the data-rich node, or the leaf in front of it. Pages say it more than once, though: in
//! their `title` element, in a heading. So each text in front of the record, and the first ones in it, is weighed: how
//! much of the page's title it is, whether it is a heading, whether it is a link (a way to somewhere else), and how near
//! it is. Where none of that tells, it is the paper's leaf.

use windrow_dom::{Document, NodeId, names};

use super::Value;
use super::judge::Judged;
use super::layout::{Layout, Layouts};
use super::lexicon::Stand;
use super::names::is_of_others;
use super::records::Group;
use super::sheet::{Piece, fold_into};

/// Texts in front of the record that are looked at.
const MOST: usize = 4000;
/// Bytes of a title.
const LONGEST: usize = 300;
/// Main headings of a page that are looked at.
const MOST_HEADINGS: usize = 8;
/// What a text loses that a label tells.
const TOLD: f32 = 8.0;
/// Points for a text that the page's title begins with, and points off if it is a link nevertheless. Set on the open pages of SWDE
/// and `recipes`: 3 and 4 find fewer titles on pages whose heading is a link to the thing's first page.
const STARTS: f32 = 5.0;
const LINKED_START: f32 = 2.0;
/// Points for a text of which all words stand in the page's title, in another order or among others.
const SHARED: f32 = 4.0;
/// What tells a title.
const LEAST: f32 = 6.0;

/// The title of a record; of one that is alone on its page, what the page is called.
///
/// A record without a node of its own begins where its surest pairs do. The number is how much the text looks like a title; 0 if
/// only its place tells.
pub(super) fn title(layouts: &Layouts<'_, '_>, group: &Group, alone: bool) -> Option<(Value, f32)> {
    let sheet = layouts.sheet;
    let mut pairs: Vec<_> = group.pairs.iter().collect();
    pairs.sort_by(|one, two| two.score.total_cmp(&one.score));
    let surest = pairs.iter().take(pairs.len().div_ceil(2)).map(|pair| layouts.label_node(&pair.candidate)).min();
    let node = surest.filter(|_| group.entropy == 0.0).unwrap_or(group.node);
    let at = sheet.pieces.partition_point(|piece| piece.node < node);
    if alone && let Some(found) = of_page(layouts, group, at) {
        return Some(found);
    }
    if alone && let Some(found) = of_head(sheet.document) {
        return Some(found);
    }
    if !alone && let Some(found) = of_card(layouts, group) {
        return Some((found, 0.0));
    }
    let is_label = |piece: usize| {
        let line = sheet.pieces[piece].line;
        layouts.marks_in(line).iter().any(|mark| mark.stand < Stand::Prose)
    };
    let first = sheet.pieces.get(at).filter(|piece| piece.node < sheet.document.subtree_end(node));
    let first = first.map(|_| at).filter(|&piece| !is_label(piece));
    let before = || (0..at).rev().take(8).find(|&piece| !is_label(piece));
    let line = sheet.pieces[first.or_else(before)?].line;
    layouts.line_value(line).filter(|value| value.text.len() <= LONGEST).map(|value| (value, 0.0))
}

/// Returns the heading of a record that is one of several: the first heading in its node that is no label.
fn of_card(layouts: &Layouts<'_, '_>, group: &Group) -> Option<Value> {
    let sheet = layouts.sheet;
    let document = sheet.document;
    let end = document.subtree_end(group.node);
    let inside = document.descendants(group.node).take_while(|&id| id < end).take(MOST);
    let is_heading = |id: &NodeId| {
        matches!(document.name_id(*id), Some(names::H1 | names::H2 | names::H3 | names::H4 | names::H5 | names::H6))
    };
    let heading = inside.filter(is_heading).find(|&id| !sheet.pieces_below(id).is_empty())?;
    let pieces = sheet.pieces_below(heading);
    let line = sheet.pieces[pieces.start].line;
    if layouts.marks_in(line).iter().any(|mark| mark.stand < Stand::Prose) {
        return None;
    }
    let range = sheet.pieces[pieces.start].start as usize..sheet.pieces[pieces.end - 1].end as usize;
    layouts.text_value(range).filter(|value| value.text.len() <= LONGEST)
}

/// Returns the text of the page's `title` up to the first sign that sets something else apart.
fn of_head(document: &Document) -> Option<(Value, f32)> {
    let head = document.find_html(names::TITLE)?;
    let text = document.text_content(head).split_whitespace().collect::<Vec<_>>().join(" ");
    let end = [" | ", " - ", " – ", " — ", " » ", " :: ", " • "].iter().filter_map(|sign| text.find(sign)).min();
    let part = text[..end?].trim();
    let text = (part.len() > 2 && part.len() <= LONGEST).then(|| part.to_owned())?;
    let part = Some(0..text.len());
    Some((Value { text, node: head, part }, 0.0))
}

/// The text that is what the page is called, if something tells.
fn of_page(layouts: &Layouts<'_, '_>, group: &Group, at: usize) -> Option<(Value, f32)> {
    let sheet = layouts.sheet;
    let document = sheet.document;
    let mut said = String::new();
    if let Some(head) = document.find_html(names::TITLE) {
        let text = document.text_content(head);
        fold_into(&text.split_whitespace().collect::<Vec<_>>().join(" "), &mut said);
    }
    let mut said_words: Vec<&str> = words(&said).collect();
    said_words.sort_unstable();
    let near = sheet.pieces.get(at).map_or(0, |piece| piece.line);
    let mut best: Option<(f32, usize, usize)> = None;
    let from = at.saturating_sub(MOST);
    let mut weigh = |start: usize, end: usize| {
        let (first, last) = (&sheet.pieces[start], &sheet.pieces[end - 1]);
        let text = sheet.folded[first.folded as usize..last.folded_end as usize].trim();
        if text.len() < 2 || text.len() > LONGEST || first.unseen || !text.contains(char::is_alphabetic) {
            return;
        }
        let mut weight = weight(document, first, text, Said { text: &said, words: &said_words }, near);
        // What a label says is something else than what the record is called.
        let told = |pair: &Judged| {
            let candidate = &pair.candidate;
            candidate.layout != Layout::Below && (candidate.start..candidate.end).contains(&first.start)
        };
        if group.pairs.iter().any(told) {
            weight -= TOLD;
        }
        if weight >= LEAST && best.is_none_or(|(known, ..)| weight > known) {
            best = Some((weight, start, end));
        }
    };
    // What a record is called stands in front of its first label, or among the first lines.
    let labels = group.pairs.iter().map(|pair| layouts.label_node(&pair.candidate));
    let first_label = labels.min().map_or(0, |label| sheet.pieces.partition_point(|piece| piece.node < label));
    let until = first_label.min(at + MOST);
    let mut piece = from;
    while let Some(first) = sheet.pieces.get(piece).filter(|first| piece < at || first.line < near + 6 || piece < until)
    {
        let line = sheet.line_pieces(first.line);
        weigh(line.start, line.end);
        if line.len() > 1 {
            line.clone().for_each(|piece| weigh(piece, piece + 1));
        }
        piece = line.end;
    }
    // A main heading counts wherever it stands: labels of a menu may come before it.
    for id in document.nodes().filter(|&id| document.name_id(id) == Some(names::H1)).take(MOST_HEADINGS) {
        let pieces = sheet.pieces_below(id);
        if !pieces.is_empty() && !is_of_others(document, group.node, id) {
            weigh(pieces.start, pieces.end);
        }
    }
    let (weight, start, end) = best?;
    let value = layouts.text_value(sheet.pieces[start].start as usize..sheet.pieces[end - 1].end as usize)?;
    Some((value, weight))
}

/// The page's title, folded, and its words in order.
#[derive(Clone, Copy)]
struct Said<'t> {
    text: &'t str,
    words: &'t [&'t str],
}

/// How much a text looks like what the page is called.
fn weight(document: &Document, first: &Piece, text: &str, said: Said<'_>, near: u32) -> f32 {
    let head = said.text;
    let mut weight = 0.0;
    let (mut linked, mut home, mut site_part, mut starts) = (false, false, false, false);
    for id in document.ancestors(first.node).take(5) {
        site_part |=
            [names::CLASS, names::ID].iter().any(|&name| document.attr_by_id(id, name).is_some_and(is_of_site));
        match document.name_id(id) {
            Some(names::H1) => weight += 8.0,
            Some(names::NAV) => site_part = true,
            // The header of an article is its own.
            Some(names::HEADER) => site_part |= !is_in_article(document, id),
            Some(names::H2) => weight += 3.0,
            Some(names::H3 | names::H4) => weight += 1.0,
            Some(names::A) => {
                linked = true;
                home |= document.attr_by_id(id, names::HREF).is_some_and(is_home);
            }
            _ => {}
        }
    }
    if let Some(place) = head.find(text).filter(|_| text.len() > 2) {
        // From one sign to the next: all that the title says of it.
        let (before, behind) = (head[..place].trim_end(), head[place + text.len()..].trim_start());
        let apart = |c: Option<char>| {
            c.is_none_or(|c| {
                matches!(c, '|' | '-' | '–' | '—' | ':' | '»' | '>' | '«' | '<' | '(' | ')' | ',' | '·' | '•')
            })
        };
        weight += 3.0 + (text.len() as f32 / 4.0).min(8.0);
        starts = before.is_empty();
        weight += if starts { if linked { 3.0 } else { STARTS } } else { 0.0 };
        weight += if apart(before.chars().next_back()) { 2.0 } else { 0.0 };
        weight += if apart(behind.chars().next()) { 2.0 } else { 0.0 };
    } else {
        weight += SHARED * shared(text, said.words);
    }
    if linked {
        weight -= if starts { LINKED_START } else { 4.0 };
    }
    if home {
        weight -= 8.0;
    }
    // The name of the site stands in its head.
    if site_part {
        weight -= 4.0;
    }
    let away = near.abs_diff(first.line) as f32;
    weight - (away / 10.0).min(4.0)
}

/// Returns whether an element stands in the main part of a page, or in an article or section of it.
fn is_in_article(document: &Document, id: NodeId) -> bool {
    let part = |id: NodeId| matches!(document.name_id(id), Some(names::ARTICLE | names::MAIN | names::SECTION));
    document.ancestors(id).any(part)
}

/// Returns the share of a text's words that the page's title has, too.
fn shared(text: &str, said: &[&str]) -> f32 {
    let (mut all, mut both) = (0, 0);
    for word in words(text) {
        all += 1;
        both += u32::from(said.binary_search(&word).is_ok());
    }
    if all == 0 { 0.0 } else { both as f32 / all as f32 }
}

/// The words of a folded text, those of a letter or two aside.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 2)
}

/// Whether a link leads to the beginning of its site.
fn is_home(href: &str) -> bool {
    let path = href.split("://").nth(1).map_or(href, |rest| rest.split_once('/').map_or("", |(_, path)| path));
    let path = path.split(['?', '#']).next().unwrap_or_default().trim_matches('/');
    path.is_empty() || path.starts_with("index.") || path.starts_with("default.") || path == "home"
}

/// Whether a class or id says that an element shows whose site it is.
fn is_of_site(name: &str) -> bool {
    ["logo", "masthead", "site-name", "sitename", "site-title", "branding"].iter().any(|word| name.contains(word))
}
