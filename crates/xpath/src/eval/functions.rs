//! The core function library.

use std::borrow::Cow;

use hashbrown::HashSet;
use windrow_dom::{Namespace, NodeId, names};

use super::strings::{normalize_space, part};
use super::{Context, Eval};
use crate::ast::{Function, Type};
use crate::node::Node;
use crate::number;
use crate::plan::Ex;

impl<'a> Eval<'a> {
    pub(super) fn boolean_call(&self, function: Function, arguments: &'a [Ex], context: Context) -> bool {
        match (function, arguments) {
            (Function::True, _) => true,
            (Function::Boolean, [value]) => self.boolean(value, context),
            (Function::Not, [value]) => !self.boolean(value, context),
            (Function::StartsWith, [whole, start]) => {
                self.text(whole, context).starts_with(self.text(start, context).as_ref())
            }
            (Function::Contains, [whole, part]) => {
                let (whole, part) = (self.text(whole, context), self.text(part, context));
                memchr::memmem::find(whole.as_bytes(), part.as_bytes()).is_some()
            }
            (Function::Lang, [language]) => self.lang(&self.text(language, context), context.node),
            _ => false,
        }
    }

    pub(super) fn number_call(&self, function: Function, arguments: &'a [Ex], context: Context) -> f64 {
        match (function, arguments) {
            (Function::Position, _) => context.position as f64,
            (Function::Last, _) => context.size as f64,
            (Function::Count, [nodes]) => self.count(nodes, context) as f64,
            (Function::Sum, [nodes]) => {
                // In document order, because adding floating-point numbers is not associative.
                let mut list = self.take();
                self.nodes(nodes, context, &mut list);
                let sum = list.iter().map(|&node| number::parse(&self.node_text(node))).sum::<f64>();
                self.give(list);
                // Rust's sum of nothing is minus zero.
                sum + 0.0
            }
            (Function::StringLength, _) => self.argument_text(arguments, context).chars().count() as f64,
            (Function::Number, []) => number::parse(&self.node_text(context.node)),
            (Function::Number, [value]) => self.number(value, context),
            (Function::Floor, [value]) => self.number(value, context).floor(),
            (Function::Ceiling, [value]) => self.number(value, context).ceil(),
            (Function::Round, [value]) => number::round(self.number(value, context)),
            _ => f64::NAN,
        }
    }

    pub(super) fn text_call(&self, function: Function, arguments: &'a [Ex], context: Context) -> Cow<'a, str> {
        match (function, arguments) {
            (Function::String, _) => self.argument_text(arguments, context),
            (Function::Name, _) => {
                self.argument_node(arguments, context).map_or("", |node| node.name(self.document)).into()
            }
            (Function::LocalName, _) => {
                self.argument_node(arguments, context).map_or("", |node| node.local_name(self.document)).into()
            }
            (Function::NamespaceUri, _) => {
                let namespace = self.argument_node(arguments, context).map(|node| node.namespace(self.document));
                namespace.map_or("", Namespace::uri).into()
            }
            (Function::Concat, _) => {
                let mut joined = String::new();
                for argument in arguments {
                    let text = self.text(argument, context);
                    if !self.charge_bytes(text.len()) {
                        break;
                    }
                    joined.push_str(&text);
                }
                joined.into()
            }
            (Function::SubstringBefore, [whole, mark]) => {
                let mark = self.text(mark, context);
                part(self.text(whole, context), |whole| 0..whole.find(mark.as_ref()).unwrap_or(0))
            }
            (Function::SubstringAfter, [whole, mark]) => {
                let mark = self.text(mark, context);
                part(self.text(whole, context), |whole| match whole.find(mark.as_ref()) {
                    Some(at) => at + mark.len()..whole.len(),
                    None => 0..0,
                })
            }
            (Function::Substring, [whole, start, rest @ ..]) => {
                let start = number::round(self.number(start, context));
                let length = match rest {
                    [length, ..] => number::round(self.number(length, context)),
                    [] => f64::INFINITY,
                };
                part(self.text(whole, context), |whole| substring(whole, start, start + length))
            }
            (Function::NormalizeSpace, _) => {
                let text = self.argument_text(arguments, context);
                self.charge_bytes(text.len());
                normalize_space(text)
            }
            (Function::Translate, [whole, from, to]) => {
                let (from, to) = (self.text(from, context), self.text(to, context));
                let whole = self.text(whole, context);
                self.charge_bytes(whole.len().saturating_mul(from.len().min(64)));
                translate(whole, &from, &to)
            }
            _ => Cow::Borrowed(""),
        }
    }

    /// Returns the string of the only argument, or of the context node.
    fn argument_text(&self, arguments: &'a [Ex], context: Context) -> Cow<'a, str> {
        match arguments {
            [value, ..] => self.text(value, context),
            [] => self.node_text(context.node),
        }
    }

    /// Returns the first node of the only argument, or the context node.
    fn argument_node(&self, arguments: &'a [Ex], context: Context) -> Option<Node> {
        match arguments {
            [nodes, ..] => self.first(nodes, context),
            [] => Some(context.node),
        }
    }

    /// Implements `lang()` as browsers do: only `xml:lang` counts, which the HTML parser creates only on foreign
    /// elements, and an attribute as context node has no ancestors.
    fn lang(&self, wanted: &str, node: Node) -> bool {
        let document = self.document;
        let mut at = (!node.is_attribute()).then(|| node.id());
        while let Some(id) = at {
            if !self.charge(1) {
                return false;
            }
            let found =
                document.attrs(id).find(|attr| attr.name_id() == names::XML_LANG && attr.namespace() == Namespace::Xml);
            if let Some(attr) = found {
                return language_matches(attr.value(), wanted);
            }
            at = document.parent(id);
        }
        false
    }

    /// Implements `id()`: the first element with each id, as `getElementById` finds it.
    pub(super) fn by_ids(&self, arguments: &'a [Ex], context: Context, out: &mut Vec<Node>) {
        let Some(argument) = arguments.first() else { return };
        let mut texts: Vec<Cow<'a, str>> = Vec::new();
        match self.type_of(argument) {
            Type::Nodes => {
                let mut nodes = self.take();
                self.nodes(argument, context, &mut nodes);
                texts.extend(nodes.iter().map(|&node| self.node_text(node)));
                self.give(nodes);
            }
            _ => texts.push(self.text(argument, context)),
        }
        let words = texts.iter().flat_map(|text| text.split([' ', '\t', '\r', '\n'])).filter(|word| !word.is_empty());
        let mut wanted: HashSet<&str> = words.collect();
        if wanted.is_empty() {
            return;
        }
        let document = self.document;
        let tree = self.root_of(context.node.id());
        let (from, to) = (tree.index(), document.subtree_end(tree).index());
        if !self.charge(to - from) {
            return;
        }
        for index in from..to {
            let element = NodeId::from_index(index);
            if let Some(value) = document.attr_by_id(element, names::ID)
                && wanted.remove(value)
            {
                out.push(Node::node(element));
                if wanted.is_empty() {
                    return;
                }
            }
        }
    }
}

/// Returns `true` if a language is the wanted one or a variant of it: `en-GB` is `en`.
pub(super) fn language_matches(language: &str, wanted: &str) -> bool {
    let (language, wanted) = (language.as_bytes(), wanted.as_bytes());
    language.len() >= wanted.len()
        && language[..wanted.len()].eq_ignore_ascii_case(wanted)
        && language.get(wanted.len()).is_none_or(|&next| next == b'-')
}

/// Returns the byte range of the characters whose positions, counted from one, are at least `start` and less than
/// `end`. Comparisons with NaN are false, so NaN gives an empty range.
fn substring(text: &str, start: f64, end: f64) -> std::ops::Range<usize> {
    let inside = |index: usize| {
        let position = (index + 1) as f64;
        position >= start && position < end
    };
    let mut from = None;
    for (index, (at, _)) in text.char_indices().enumerate() {
        match (from, inside(index)) {
            (None, true) => from = Some(at),
            (Some(from), false) => return from..at,
            _ => {}
        }
    }
    from.map_or(0..0, |from| from..text.len())
}

/// Replaces the characters of `from` by those of `to` at the same position, and removes those without one.
fn translate<'a>(text: Cow<'a, str>, from: &str, to: &str) -> Cow<'a, str> {
    // The first of repeated characters is used.
    let mut ascii: [Option<Option<char>>; 128] = [None; 128];
    let mut others: Vec<(char, Option<char>)> = Vec::new();
    let mut replacements = to.chars();
    for c in from.chars() {
        let replacement = replacements.next();
        match ascii.get_mut(c as usize) {
            Some(slot) => *slot = slot.or(Some(replacement)),
            None => others.push((c, replacement)),
        }
    }
    // The sort is stable, so the first of equal characters stays first.
    others.sort_by_key(|&(c, _)| c);
    others.dedup_by_key(|&mut (c, _)| c);
    let replace = |c: char| match ascii.get(c as usize) {
        Some(entry) => entry.unwrap_or(Some(c)),
        None => match others.binary_search_by_key(&c, |&(c, _)| c) {
            Ok(at) => others[at].1,
            Err(_) => Some(c),
        },
    };
    if text.chars().all(|c| replace(c) == Some(c)) {
        return text;
    }
    Cow::Owned(text.chars().filter_map(replace).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn substrings_follow_the_recommendation() {
        let check = |start: f64, length: f64, expected: &str| {
            let (start, length) = (number::round(start), number::round(length));
            assert_eq!(&"12345"[substring("12345", start, start + length)], expected, "{start} {length}");
        };
        check(1.5, 2.6, "234");
        check(0.0, 3.0, "12");
        check(0.0, f64::NAN, "");
        check(f64::NAN, 3.0, "");
        check(1.0, f64::NAN, "");
        check(-42.0, f64::INFINITY, "12345");
        check(f64::NEG_INFINITY, f64::INFINITY, "");
        check(2.0, -1.0, "");
    }

    #[test]
    fn translations_take_the_first_of_repeats() {
        assert_eq!(translate("bar".into(), "abc", "ABC"), "BAr");
        assert_eq!(translate("--aaa--".into(), "abc-", "ABC"), "AAA");
        assert_eq!(translate("aé".into(), "aaéé", "xyzw"), "xz");
    }

    #[test]
    fn languages_match_by_their_beginning() {
        assert!(language_matches("en", "EN") && language_matches("en-GB", "en") && !language_matches("eng", "en"));
    }
}
