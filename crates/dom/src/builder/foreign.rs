//! SVG and MathML inside HTML: decides which rules apply, and implements the standard's "rules for parsing tokens in
//! foreign content".

use super::foreign_table::{SVG_ATTRIBUTES, SVG_TAGS};
use super::stack::Open;
use super::{Builder, Item};
use crate::arena::StrRef;
use crate::document::Namespace;
use crate::names::{self, NameId, traits};
use crate::tokenizer::StartTag;

impl<'s> Builder<'s> {
    /// Implements the tree construction dispatcher: returns `true` if an item is parsed as foreign content.
    #[inline]
    pub(super) fn is_foreign(&self, item: &Item<'_>) -> bool {
        match self.adjusted() {
            Some(open) if open.namespace != Namespace::Html => Self::is_foreign_in(open, item),
            _ => false,
        }
    }

    fn is_foreign_in(open: &Open, item: &Item<'_>) -> bool {
        let html = match item {
            Item::Start(tag) => {
                open.is_html_point()
                    || open.is_text_point() && !matches!(tag.name, names::MGLYPH | names::MALIGNMARK)
                    || tag.name == names::SVG
                        && open.namespace == Namespace::MathMl
                        && open.name == names::ANNOTATION_XML
            }
            Item::Text(_) => open.is_html_point() || open.is_text_point(),
            Item::Eof => true,
            _ => false,
        };
        !html
    }

    pub(super) fn foreign<'a>(&mut self, item: Item<'a>) -> Option<Item<'a>> {
        match item {
            Item::Text(mut text) if text.has_nul => {
                let store = &mut self.tokenizer.strings.store;
                let start = store.len();
                for _ in 0..text.string.len() {
                    store.push('\u{FFFD}');
                }
                text.string = StrRef::own(start, store.len());
                self.insert_text(text);
            }
            Item::Text(text) => {
                if self.frameset_ok && !self.is_space(&text) {
                    self.frameset_ok = false;
                }
                self.insert_text(text);
            }
            Item::Comment(text) => {
                let place = self.place();
                self.insert_comment(text, place);
            }
            Item::Start(tag) if tag.name.has(traits::BREAKOUT) || self.is_breakout_font(&tag) => {
                self.leave_foreign();
                return self.by_mode(self.mode, item);
            }
            Item::End(names::BR | names::P, _) => {
                self.leave_foreign();
                return self.by_mode(self.mode, item);
            }
            Item::Start(tag) => {
                let namespace = self.adjusted().map_or(Namespace::Html, |open| open.namespace);
                self.insert_foreign(tag, namespace);
            }
            Item::End(name, span) => match self.stack.find_foreign(name) {
                Some(index) => self.pop_to(index, Some(span)),
                // The outermost level of a fragment in a foreign context.
                None if self.stack.len() == 1 => {}
                None => return self.by_mode(self.mode, item),
            },
            Item::Doctype(_) | Item::Eof => {}
        }
        None
    }

    fn is_breakout_font(&self, tag: &StartTag) -> bool {
        tag.name == names::FONT
            && self
                .tokenizer
                .attrs_of(tag.attrs, tag.attr_count)
                .iter()
                .any(|attr| matches!(attr.name(), names::COLOR | names::FACE | names::SIZE))
    }

    fn leave_foreign(&mut self) {
        while self
            .stack
            .last()
            .is_some_and(|open| open.namespace != Namespace::Html && !open.is_text_point() && !open.is_html_point())
        {
            self.pop();
        }
    }

    /// Inserts a foreign element, restoring the case of its names.
    pub(super) fn insert_foreign(&mut self, tag: StartTag, namespace: Namespace) {
        let mut name = tag.name;
        if namespace == Namespace::Svg {
            name = self.restore_case(name, &SVG_TAGS);
        }
        let attrs = tag.attrs as usize..tag.attrs as usize + tag.attr_count as usize;
        let mut html_point = false;
        for index in attrs {
            let attr = self.tokenizer.strings.attrs[index];
            let (name, space) = self.foreign_attribute(attr.name(), namespace);
            if attr.name() == names::ENCODING && namespace == Namespace::MathMl && tag.name == names::ANNOTATION_XML {
                let value = self.tokenizer.strings.value(self.tokenizer.source(), &attr);
                html_point =
                    value.eq_ignore_ascii_case("text/html") || value.eq_ignore_ascii_case("application/xhtml+xml");
            }
            self.tokenizer.strings.attrs[index].rename(name, space);
        }
        self.claimed = true;
        let place = self.place();
        let node = self.tree.add(Self::element(&tag, name, namespace), place);
        if !tag.self_closing {
            let mut open = Open::new(node, tag.name, namespace);
            open.html_point = html_point;
            self.push_open(open);
        }
    }

    fn foreign_attribute(&mut self, name: NameId, namespace: Namespace) -> (NameId, Namespace) {
        let text = self.tokenizer.name(name);
        let space = match text {
            "xlink:actuate" | "xlink:arcrole" | "xlink:href" | "xlink:role" | "xlink:show" | "xlink:title"
            | "xlink:type" => Namespace::XLink,
            "xml:lang" | "xml:space" => Namespace::Xml,
            "xmlns" | "xmlns:xlink" => Namespace::XmlNs,
            _ => Namespace::None,
        };
        let name = match namespace {
            Namespace::MathMl if text == "definitionurl" => names::DEFINITIONURL_CASED,
            Namespace::Svg => self.restore_case(name, &SVG_ATTRIBUTES),
            _ => name,
        };
        (name, space)
    }

    fn restore_case(&mut self, name: NameId, table: &[(&str, &'static str)]) -> NameId {
        let text = self.tokenizer.name(name);
        match table.binary_search_by_key(&text, |(lower, _)| lower) {
            Ok(found) => self.tokenizer.intern(table[found].1),
            Err(_) => name,
        }
    }
}
