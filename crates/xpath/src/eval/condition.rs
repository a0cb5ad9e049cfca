//! Conditions on a single element for which the compiler has special operations: attribute tests and those of CSS.
//!
//! `:nth-child()` and similar tests count all siblings when the first of them is tested and keep the ranks, so that
//! testing all of them is linear.

use memchr::memmem::Finder;
use windrow_dom::{NameId, Namespace, NodeId, NodeKind, QuirksMode, names};

use super::axis::Matcher;
use super::functions::language_matches;
use super::{Context, Eval};
use crate::node::Node;
use crate::number::is_space;
use crate::plan::{Among, AttributeTest, Case, CssOperator, CssTest, Nth, Slot, Spaces};

impl<'a> Eval<'a> {
    pub(super) fn attribute_passes(&self, slot: Slot, test: &AttributeTest, node: Node) -> bool {
        if node.is_attribute() {
            return false;
        }
        let owner = node.id();
        let Some((_, attr)) = self.attribute(slot, owner) else { return false };
        match test {
            AttributeTest::Present => true,
            AttributeTest::Equal(wanted) => attr.value() == &**wanted,
            AttributeTest::Differs(unwanted) => attr.value() != &**unwanted,
            AttributeTest::Contains(finder) => finder.find(attr.value().as_bytes()).is_some(),
            AttributeTest::StartsWith(start) => attr.value().starts_with(&**start),
            AttributeTest::Word(finder, spaces) => has_word(attr.value(), finder, *spaces),
            AttributeTest::Css(operator, wanted, case) => {
                let insensitive = match case {
                    Case::Sensitive => false,
                    Case::Insensitive => true,
                    Case::InsensitiveInHtml => self.is_html(owner),
                };
                css_operator(*operator, attr.value(), wanted, insensitive)
            }
        }
    }

    pub(super) fn css(&self, test: &'a CssTest, node: Node) -> bool {
        let document = self.document;
        let id = node.id();
        if node.is_attribute() || !document.is_element(id) {
            return false;
        }
        let quirks = || document.quirks() == QuirksMode::Full;
        match test {
            CssTest::Type(slot) => {
                let name = self.names[*slot];
                let wanted = if document.namespace(id) == Namespace::Html { name.html } else { name.foreign };
                wanted.is_some() && document.name_id(id) == wanted
            }
            CssTest::Id(wanted) => {
                document.attr_by_id(id, names::ID).is_some_and(|value| same(value, wanted, quirks()))
            }
            CssTest::Class(wanted) => {
                let Some(value) = document.attr_by_id(id, names::CLASS) else { return false };
                if quirks() {
                    value.split([' ', '\t', '\n', '\r', '\x0c']).any(|word| same(word, wanted, true))
                } else {
                    has_class(value.as_bytes(), wanted.as_bytes())
                }
            }
            CssTest::Nth(nth) => self.nth(nth, id),
            CssTest::Empty => !self.children(Matcher::Node, id, &mut |child| match document.kind(child) {
                NodeKind::Element => true,
                NodeKind::Text => !document.text(child).is_empty(),
                _ => false,
            }),
            CssTest::Root => document.parent(id).is_some_and(|parent| document.kind(parent) == NodeKind::Document),
            CssTest::Scope => {
                if document.is_element(self.scope.id()) {
                    self.scope.id() == id
                } else {
                    self.css(&CssTest::Root, node)
                }
            }
            CssTest::Lang(ranges) => self.css_lang(ranges, id),
            CssTest::Checked => self.is_checked(id),
            CssTest::Disabled => self.can_be_disabled(id) && self.is_disabled(id),
            CssTest::Enabled => self.can_be_disabled(id) && !self.is_disabled(id),
            CssTest::Link => match document.namespace(id) {
                Namespace::Html => {
                    (document.is_html(id, names::A) || document.is_html(id, names::AREA)) && self.has(id, names::HREF)
                }
                Namespace::Svg => {
                    let is_target = |attr: windrow_dom::Attr<'_>| {
                        attr.local_name() == "href" && matches!(attr.namespace(), Namespace::None | Namespace::XLink)
                    };
                    document.name_id(id) == Some(names::A) && document.attrs(id).any(is_target)
                }
                _ => false,
            },
        }
    }

    pub(super) fn has(&self, id: NodeId, name: NameId) -> bool {
        self.document.attr_by_id(id, name).is_some()
    }

    /// Decides by the nearest `lang` (or, on foreign elements, `xml:lang`).
    fn css_lang(&self, ranges: &[Box<str>], id: NodeId) -> bool {
        let document = self.document;
        let mut at = Some(id);
        while let Some(node) = at {
            if !self.charge(1) {
                return false;
            }
            let is_xml =
                |attr: &windrow_dom::Attr<'_>| attr.name_id() == names::XML_LANG && attr.namespace() == Namespace::Xml;
            let own = document.attrs(node).find(is_xml).map(|attr| attr.value());
            if let Some(language) = own.or_else(|| document.attr_by_id(node, names::LANG)) {
                return speaks(language, ranges);
            }
            at = document.parent(node);
        }
        let default = *self.language.get_or_init(|| self.declared_language());
        default.is_some_and(|language| speaks(language, ranges))
    }

    /// Returns the language that the last `<meta http-equiv=content-language>` declares; a list of languages is
    /// ignored.
    fn declared_language(&self) -> Option<&'a str> {
        let document = self.document;
        let is_declaration = |&id: &NodeId| {
            document.is_html(id, names::META)
                && document
                    .attr_by_id(id, names::HTTP_EQUIV)
                    .is_some_and(|value| value.eq_ignore_ascii_case("content-language"))
        };
        self.charge(document.len());
        let value = document.attr_by_id(document.nodes().rev().find(is_declaration)?, names::CONTENT)?;
        value.split_ascii_whitespace().next().filter(|_| !value.contains(','))
    }

    // ---- ranks ----

    fn nth(&self, nth: &'a Nth, id: NodeId) -> bool {
        // `:first-child` is frequent, and the first child answers it.
        if let Nth { step: 0, offset: 1, from_end: false, among: Among::All, .. } = nth {
            let mut first = None;
            let Some(parent) = self.document.parent(id) else { return true };
            self.children(Matcher::Element, parent, &mut |child| {
                first = Some(child);
                true
            });
            return first == Some(id);
        }
        let known = self.ranks.borrow()[nth.counter].get(&(id.index() as u32)).copied();
        let ranks = match known {
            Some(ranks) => Some(ranks),
            None => self.rank_siblings(nth, id),
        };
        let Some((rank, total)) = ranks else { return false };
        if rank == 0 {
            return false;
        }
        let rank = if nth.from_end { total - rank + 1 } else { rank };
        let from_offset = i64::from(rank) - i64::from(nth.offset);
        match i64::from(nth.step) {
            0 => from_offset == 0,
            step => from_offset % step == 0 && from_offset / step >= 0,
        }
    }

    /// Counts the siblings of an element and keeps the ranks of all; returns the rank and total of this one. Rank
    /// zero means that it is not among the siblings counted.
    fn rank_siblings(&self, nth: &'a Nth, id: NodeId) -> Option<(u32, u32)> {
        let document = self.document;
        let Some(parent) = document.parent(id) else {
            // The root of a fragment's tree is not an element, so an element has a parent. Alone, it would be the
            // first.
            return Some((1, 1));
        };
        let mut siblings: Vec<NodeId> = Vec::new();
        self.children(Matcher::Element, parent, &mut |child| {
            siblings.push(child);
            false
        });
        // Ranks are kept until the evaluation ends, so their memory is charged, too.
        if !self.charge(4 * siblings.len()) {
            return None;
        }
        let mut ranked: Vec<(u32, u32)> = Vec::with_capacity(siblings.len());
        match &nth.among {
            Among::All | Among::Matching(_) => {
                let mut total = 0;
                for &sibling in &siblings {
                    let counts = match &nth.among {
                        Among::Matching(condition) => {
                            self.boolean(condition, Context { node: Node::node(sibling), position: 1, size: 1 })
                        }
                        _ => true,
                    };
                    total += u32::from(counts);
                    ranked.push((if counts { total } else { 0 }, 0));
                }
                ranked.iter_mut().for_each(|entry| entry.1 = total);
            }
            Among::SameType => {
                let kind = |node| (document.name_id(node), document.namespace(node));
                let mut totals = hashbrown::HashMap::new();
                for &sibling in &siblings {
                    let total = totals.entry(kind(sibling)).or_insert(0);
                    *total += 1;
                    ranked.push((*total, 0));
                }
                for (entry, &sibling) in ranked.iter_mut().zip(&siblings) {
                    entry.1 = totals.get(&kind(sibling)).copied().unwrap_or(0);
                }
            }
        }
        let mut ranks = self.ranks.borrow_mut();
        let mut own = None;
        for (&sibling, &entry) in siblings.iter().zip(&ranked) {
            ranks[nth.counter].insert(sibling.index() as u32, entry);
            if sibling == id {
                own = Some(entry);
            }
        }
        own
    }
}

/// Returns `true` if a language is one of the wanted ones.
fn speaks(language: &str, ranges: &[Box<str>]) -> bool {
    ranges.iter().any(|range| match &**range {
        "" => language.is_empty(),
        "*" => !language.is_empty(),
        range => !language.is_empty() && extended_filter(language, range),
    })
}

fn same(value: &str, wanted: &str, insensitive: bool) -> bool {
    if insensitive { value.eq_ignore_ascii_case(wanted) } else { value == wanted }
}

/// Returns `true` if a class is one of the words of a value. Most values are short and do not contain the word:
/// searching for its first letter decides without splitting the value.
fn has_class(value: &[u8], wanted: &[u8]) -> bool {
    let Some((&first, rest)) = wanted.split_first() else { return false };
    let is_space = |byte: u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c');
    let mut from = 0;
    while let Some(at) = value.get(from..).and_then(|value| memchr::memchr(first, value)).map(|at| from + at) {
        let behind = at + wanted.len();
        if behind > value.len() {
            return false;
        }
        if (at == 0 || is_space(value[at - 1]))
            && &value[at + 1..behind] == rest
            && (behind == value.len() || is_space(value[behind]))
        {
            return true;
        }
        from = at + 1;
    }
    false
}

/// Returns `true` if the finder's needle occurs in the value between spaces or ends.
fn has_word(value: &str, finder: &Finder<'_>, spaces: Spaces) -> bool {
    let bytes = value.as_bytes();
    let parts = |byte: Option<&u8>| match (byte, spaces) {
        (None, _) => true,
        (Some(&byte), Spaces::Space) => byte == b' ',
        (Some(&byte), Spaces::Xml) => is_space(byte),
    };
    let length = finder.needle().len();
    // Occurrences cannot overlap a later match: they would have to extend over the space.
    finder
        .find_iter(bytes)
        .any(|at| parts(at.checked_sub(1).and_then(|at| bytes.get(at))) && parts(bytes.get(at + length)))
}

fn css_operator(operator: CssOperator, value: &str, wanted: &str, insensitive: bool) -> bool {
    if insensitive {
        return css_operator(operator, &value.to_ascii_lowercase(), &wanted.to_ascii_lowercase(), false);
    }
    match operator {
        CssOperator::Equal => value == wanted,
        CssOperator::Word => {
            !wanted.is_empty() && value.split([' ', '\t', '\n', '\r', '\x0c']).any(|word| word == wanted)
        }
        CssOperator::Dash => value.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('-')),
        CssOperator::Prefix => !wanted.is_empty() && value.starts_with(wanted),
        CssOperator::Suffix => !wanted.is_empty() && value.ends_with(wanted),
        CssOperator::Part => !wanted.is_empty() && memchr::memmem::find(value.as_bytes(), wanted.as_bytes()).is_some(),
    }
}

/// Implements RFC 4647's extended filtering: the range's subtags occur in the language in order, the first at the
/// beginning; single characters such as `x` cannot be skipped.
fn extended_filter(language: &str, range: &str) -> bool {
    if !range.contains('*') && language_matches(language, range) {
        return true;
    }
    let mut subtags = language.split('-');
    let mut wanted = range.split('-');
    let (Some(first), Some(first_wanted)) = (subtags.next(), wanted.next()) else { return false };
    if first_wanted != "*" && !first.eq_ignore_ascii_case(first_wanted) {
        return false;
    }
    wanted.filter(|&wanted| wanted != "*").all(|wanted| {
        for subtag in subtags.by_ref() {
            if subtag.eq_ignore_ascii_case(wanted) {
                return true;
            }
            if subtag.len() == 1 {
                return false;
            }
        }
        false
    })
}
