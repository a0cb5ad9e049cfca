//! Fields from attributes: what the page knows of a record and does not show.
//!
//! A `datetime` says exactly what "three hours ago" means, a `title` has the text that was cut short, an `alt` says what
//! is on a picture, a `data-price` or `data-sku` is there for a script. Most attributes say nothing of that kind: they
//! repeat the text, count the records, or steer a program. So an attribute is a field only if its values differ from
//! record to record and are news: not in what the record shows or links to, and in words, numbers or dates.
//!
//! # Cost
//!
//! For each column the attributes of a few elements around it in each record. The texts of the records are read once,
//! and only if there is an attribute to be held against them.

use std::cell::OnceCell;

use foldhash::fast::FixedState;
use hashbrown::HashSet;
use windrow_dom::{Document, NameId, NodeId, names};
use windrow_wrapper::values::{Hints, date};

use crate::scope::Scope;

/// An attribute that is a field.
pub(crate) struct Told<'d> {
    pub(crate) attribute: &'d str,
    /// For each record, the element that has it.
    pub(crate) nodes: Vec<Option<NodeId>>,
    pub(crate) values: Vec<Option<String>>,
}

/// Finds the attributes of a list's records.
pub(crate) struct Attributes<'s, 'd> {
    document: &'d Document,
    scopes: &'s [Scope],
    /// What each record shows and links to, folded.
    texts: OnceCell<Vec<String>>,
    /// What was looked at: an attribute, and the first element that has it.
    seen: HashSet<(NameId, NodeId), FixedState>,
    /// What was taken says already.
    told: Vec<Vec<Option<String>>>,
}

/// Fields from attributes that one list may have: a record with more is a program's, not a reader's.
const MOST: usize = 8;
/// Elements around a column's node whose attributes are about it.
const AROUND: usize = 3;
/// Records in which attributes are looked for at first; what none of them has is rare.
const SAMPLE: usize = 8;
/// Nodes below a column's node that are searched for a time or an abbreviation.
const BELOW: usize = 64;
/// Characters of the longest value.
const LONGEST: usize = 300;
/// The same for `data-*`, where long values are a program's.
const LONGEST_DATA: usize = 80;
/// Parts of names of `data-*` that are a program's.
const PROGRAMS: &[&str] = &[
    "action",
    "ajax",
    "analytics",
    "animation",
    "aos",
    "component",
    "controller",
    "delay",
    "event",
    "ga",
    "gtm",
    "height",
    "hook",
    "index",
    "key",
    "lazy",
    "less",
    "link",
    "module",
    "more",
    "node",
    "offset",
    "optimize",
    "original",
    "params",
    "pos",
    "position",
    "rank",
    "react",
    "reactid",
    "ref",
    "role",
    "selector",
    "sizes",
    "slide",
    "src",
    "srcset",
    "state",
    "target",
    "test",
    "testid",
    "toggle",
    "token",
    "track",
    "tracking",
    "trigger",
    "type",
    "uid",
    "uitype",
    "url",
    "uuid",
    "v",
    "ved",
    "view",
    "widget",
    "width",
    "xtparams",
];

impl<'s, 'd> Attributes<'s, 'd> {
    pub(crate) fn new(document: &'d Document, scopes: &'s [Scope]) -> Attributes<'s, 'd> {
        Attributes { document, scopes, texts: OnceCell::new(), seen: HashSet::default(), told: Vec::new() }
    }

    /// The attributes in and around a column that are fields. `shown`: what the column says in each record.
    pub(crate) fn of(&mut self, nodes: &[Option<NodeId>], shown: &[Option<String>]) -> Vec<Told<'d>> {
        let mut found = Vec::new();
        for (name, attribute) in self.names(nodes) {
            if self.told.len() >= MOST {
                break;
            }
            let carriers: Vec<Option<NodeId>> = nodes
                .iter()
                .zip(self.scopes)
                .map(|(node, scope)| node.and_then(|node| self.carrier(node, *scope, name)))
                .collect();
            let Some(first) = carriers.iter().flatten().next() else { continue };
            if !self.seen.insert((name, *first)) {
                continue;
            }
            let read = |id: NodeId| {
                let value = self.document.attr_by_id(id, name)?.split_whitespace().collect::<Vec<_>>().join(" ");
                (!value.is_empty()).then_some(value)
            };
            let values: Vec<Option<String>> = carriers.iter().map(|carrier| carrier.and_then(read)).collect();
            if !self.told.contains(&values) && self.is_field(attribute, &values, shown) {
                self.told.push(values.clone());
                found.push(Told { attribute, nodes: carriers, values });
            }
        }
        found
    }

    /// The attributes that elements in and around a column have.
    fn names(&self, nodes: &[Option<NodeId>]) -> Vec<(NameId, &'d str)> {
        let document = self.document;
        let mut names: Vec<(NameId, &'d str)> = Vec::new();
        let filled = nodes.iter().zip(self.scopes).filter_map(|(node, scope)| Some(((*node)?, *scope)));
        for (node, scope) in filled.take(SAMPLE) {
            let near = self.around(node, scope).chain(document.descendants(node).take(BELOW));
            for id in near.filter(|&id| document.is_element(id)) {
                for attr in document.attrs(id) {
                    let about = self.is_about(id, node, attr.name());
                    if about && !names.iter().any(|known| known.0 == attr.name_id()) && names.len() < MOST * 2 {
                        names.push((attr.name_id(), attr.name()));
                    }
                }
            }
        }
        names
    }

    /// Whether an attribute of an element may say something of a column's node, which is in it or around it.
    fn is_about(&self, id: NodeId, node: NodeId, attribute: &str) -> bool {
        let document = self.document;
        match attribute {
            "alt" => id == node && document.name_id(id) == Some(names::IMG),
            "datetime" => document.name(id) == Some("time"),
            // Beside a time, a title only writes it out.
            "title" => (id <= node || document.name(id) == Some("abbr")) && document.name(id) != Some("time"),
            // What is below is one of several things in it.
            _ => id <= node && attribute.strip_prefix("data-").is_some_and(is_readable_name),
        }
    }

    /// A node and what is around it, in its record.
    fn around(&self, node: NodeId, scope: Scope) -> impl Iterator<Item = NodeId> + 'd {
        let above = self.document.ancestors(node).take(AROUND);
        std::iter::once(node).chain(above).filter(move |&id| scope.contains(id))
    }

    /// The element that has an attribute for a column's node: the nearest around it, or the only one below.
    fn carrier(&self, node: NodeId, scope: Scope, name: NameId) -> Option<NodeId> {
        let document = self.document;
        let has = |id: &NodeId| document.is_element(*id) && document.attr_by_id(*id, name).is_some();
        let attribute = |id: NodeId| document.attrs(id).find(|attr| attr.name_id() == name).map(|attr| attr.name());
        let fits = |id: &NodeId| has(id) && attribute(*id).is_some_and(|attribute| self.is_about(*id, node, attribute));
        self.around(node, scope).find(fits).or_else(|| {
            let mut below = document.descendants(node).take(BELOW).filter(fits);
            below.next().filter(|_| below.next().is_none())
        })
    }

    fn is_field(&self, attribute: &str, values: &[Option<String>], shown: &[Option<String>]) -> bool {
        let filled: Vec<&str> = values.iter().flatten().map(String::as_str).collect();
        let known = shown.iter().flatten().count();
        let data = attribute.starts_with("data-");
        let longest = if data { LONGEST_DATA } else { LONGEST };
        if filled.len() < 2
            || filled.len() * 3 < known
            || filled.iter().all(|value| *value == filled[0])
            || filled.iter().any(|value| value.chars().count() > longest)
            || counts(&filled)
            || (data && !filled.iter().all(|value| is_readable(value)))
        {
            return false;
        }
        if attribute == "datetime" {
            return !self.shows_dates(values, shown);
        }
        let texts = self.texts.get_or_init(|| self.scopes.iter().map(|scope| text_of(self.document, *scope)).collect());
        let (front, back) = frame(&filled);
        let is_told = |number: usize, value: &String| {
            let shown = shown[number].as_deref().unwrap_or_default();
            // "Profile of Ann" says no more than "Ann" if all begin like that.
            let own = value.get(front..value.len().saturating_sub(back)).unwrap_or(value);
            !continues(shown, value) && tells(&texts[number], &fold(own))
        };
        let told =
            |(number, value): &(usize, &Option<String>)| value.as_ref().is_some_and(|value| is_told(*number, value));
        values.iter().enumerate().filter(told).count() * 10 <= filled.len()
    }

    /// Whether the texts say the same days.
    fn shows_dates(&self, values: &[Option<String>], shown: &[Option<String>]) -> bool {
        let hints = Hints::default();
        let day =
            |text: &String| date::parse(text, &hints).map(|date| date.to_string().chars().take(10).collect::<String>());
        let pairs = values.iter().zip(shown).filter_map(|(value, shown)| Some((value.as_ref()?, shown.as_ref()?)));
        let (all, same) = pairs.take(30).fold((0, 0), |(all, same), (value, shown)| {
            let same_day = day(shown).is_some_and(|shown| day(value) == Some(shown));
            (all + 1, same + usize::from(same_day))
        });
        same * 10 >= all * 9
    }
}

/// What a record shows and links to, folded.
fn text_of(document: &Document, scope: Scope) -> String {
    let siblings = std::iter::successors(Some(scope.record.first), |&node| document.next_sibling(node));
    let mut text = String::new();
    for node in siblings.take_while(|&node| node < scope.record.end) {
        text += &document.visible_text(node);
        text.push(' ');
        for id in std::iter::once(node).chain(document.descendants(node)).filter(|&id| document.is_element(id)) {
            for address in
                [document.attr_by_id(id, names::HREF), document.attr_by_id(id, names::SRC)].into_iter().flatten()
            {
                text += address;
                text.push(' ');
            }
        }
    }
    fold(&text)
}

/// A text as it is compared: lower case, single spaces.
fn fold(text: &str) -> String {
    text.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// Whether a text says what a value says: all of it, or half of its words.
fn tells(text: &str, value: &str) -> bool {
    let (mut all, mut known) = (0, 0);
    let mut count = |word: &str| {
        all += 1;
        known += usize::from(text.contains(word));
    };
    for word in value.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if word.is_ascii() || !word.chars().any(is_ideograph) {
            // What every text holds by chance says nothing.
            if word.chars().count() >= 3 {
                count(word);
            }
        } else {
            // Written without spaces between words.
            word.char_indices().for_each(|(at, c)| count(&word[at..at + c.len_utf8()]));
        }
    }
    text.contains(value) || all > 0 && known * 2 >= all
}

/// Whether a character is one of Chinese or Japanese.
fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
}

/// How many bytes all values have in common at their beginnings and at their ends, cut at words.
fn frame(values: &[&str]) -> (usize, usize) {
    let Some((first, others)) = values.split_first() else { return (0, 0) };
    let (mut front, mut back) = (first.len(), first.len());
    for other in others {
        front = front.min(first.bytes().zip(other.bytes()).take_while(|(one, two)| one == two).count());
        back = back.min(first.bytes().rev().zip(other.bytes().rev()).take_while(|(one, two)| one == two).count());
    }
    let front = first.as_bytes()[..front].iter().rposition(|byte| *byte == b' ').map_or(0, |at| at + 1);
    let tail = &first.as_bytes()[first.len() - back..];
    let back = tail.iter().position(|byte| *byte == b' ').map_or(0, |at| tail.len() - at);
    (front, back)
}

/// Whether a text was cut short, and a value has the rest of it.
fn continues(shown: &str, value: &str) -> bool {
    let cut = shown.strip_suffix('…').or_else(|| shown.strip_suffix("...")).map(str::trim_end);
    cut.is_some_and(|cut| value.starts_with(cut) && !cut.is_empty())
}

/// Whether values only count the records.
fn counts(values: &[&str]) -> bool {
    let numbers: Option<Vec<i64>> = values.iter().map(|value| value.parse().ok()).collect();
    let steps = |numbers: &Vec<i64>| numbers.windows(2).all(|pair| pair[0].checked_add(1) == Some(pair[1]));
    numbers.is_some_and(|numbers| numbers.len() > 2 && steps(&numbers))
}

/// Whether the name of a `data-*` attribute names something of a record.
fn is_readable_name(name: &str) -> bool {
    let words = || name.split(['-', '_', ':', '.']);
    name.len() <= 24
        && name.chars().all(|c| c.is_ascii_lowercase() || matches!(c, '-' | '_'))
        && words().all(|word| !PROGRAMS.contains(&word))
        && words().any(|word| word.len() > 1)
        // A number by itself, though not one of those that only a program can name: `hveid`, `rtid`.
        && words().all(|word| word == "id" || !word.ends_with("id"))
}

/// Whether a value is one that a person reads: words, a number, a date; no address, no program's text, no yes or no.
fn is_readable(value: &str) -> bool {
    let plain = !value.contains(['{', '}', '[', ']', '<', '>', '=', ';', '|', '#', '/', '\\', '&', '_', '@']);
    let opaque =
        |word: &str| word.len() >= 16 && word.chars().any(|c| c.is_ascii_digit()) && word.parse::<f64>().is_err();
    let answer = ["true", "false", "yes", "no", "on", "off", "0", "1"];
    plain && !answer.contains(&value) && !value.split(' ').any(opaque)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_text_tells() {
        assert!(tells("rake for hay 12 eur", "rake for hay"));
        assert!(tells("rake for hay 12 eur", "picture: rake for hay"));
        assert!(!tells("rake for hay 12 eur", "a wagon"));
        assert!(!tells("rake for hay 12 eur", "7"));
        assert!(tells("草刈り機 三万円", "草刈り機、新品"));
        assert!(!tells("草刈り機 三万円", "名古屋市"));
        assert!(tells("rake for hay 12 eur", "12"));
    }

    #[test]
    fn what_all_values_begin_and_end_with() {
        assert_eq!(frame(&["See Ann now", "See Bo now"]), ("See ".len(), " now".len()));
        assert_eq!(frame(&["Anna", "Anne"]), (0, 0));
        assert_eq!(frame(&["a b", "a b"]), (2, 2));
        assert_eq!(frame(&[]), (0, 0));
    }

    #[test]
    fn a_text_that_was_cut_is_continued() {
        assert!(continues("Rake for…", "Rake for hay"));
        assert!(continues("Rake for ...", "Rake for hay"));
        assert!(!continues("Rake for", "Rake for hay"));
        assert!(!continues("…", "Rake for hay"));
    }

    #[test]
    fn what_is_for_programs_is_no_field() {
        assert!(["price", "sku", "unit-price", "city", "id", "topic-id"].iter().all(|name| is_readable_name(name)));
        assert!(
            !["reactid", "v", "index", "track-id", "v-4f5a", "x1", "hveid"].iter().any(|name| is_readable_name(name))
        );
        assert!(["12.50", "Oslo", "2025-05-03", "AB-12", "3 rooms"].iter().all(|value| is_readable(value)));
        assert!(!["{\"a\":1}", "/x/y", "true", "0", "9f8e7d6c5b4a39281706"].iter().any(|value| is_readable(value)));
        assert!(counts(&["3", "4", "5"]) && !counts(&["3", "5", "6"]) && !counts(&["a", "b", "c"]));
    }
}
