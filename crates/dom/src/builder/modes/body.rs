//! The body mode, in which almost all of a page is read.

use super::HEADINGS;
use super::{Mode, Rest};
use crate::builder::stack::Scope;
use crate::builder::{Builder, Item};
use crate::document::{Namespace, QuirksMode};
use crate::names::{self, NameId, *};
use crate::span::Span;
use crate::tokenizer::{Model, StartTag, Text};

impl Builder<'_> {
    pub(super) fn in_body<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
        match item {
            Item::Text(text) => {
                if !text.has_nul {
                    self.text_in_body(&text);
                }
                None
            }
            Item::Start(tag) => self.start_in_body(&tag),
            Item::End(name, span) => self.end_in_body(name, span),
            Item::Comment(text) => {
                self.comment_here(text);
                None
            }
            Item::Doctype(_) => None,
            Item::Eof => {
                if !self.template_modes.is_empty() {
                    return self.in_template(item);
                }
                None
            }
        }
    }

    /// Inserts characters other than NUL.
    #[inline]
    pub(in crate::builder) fn text_in_body(&mut self, text: &Text) {
        self.reconstruct();
        if self.frameset_ok && !self.is_space(text) {
            self.frameset_ok = false;
        }
        self.insert_text(*text);
    }

    pub(in crate::builder) fn start_in_body<'a>(&mut self, tag: &StartTag) -> Rest<'a> {
        match tag.name {
            DIV
            | P
            | UL
            | OL
            | DL
            | ADDRESS
            | ARTICLE
            | ASIDE
            | BLOCKQUOTE
            | CENTER
            | DETAILS
            | DIALOG
            | DIR
            | FIELDSET
            | FIGCAPTION
            | FIGURE
            | FOOTER
            | HEADER
            | HGROUP
            | MAIN
            | MENU
            | NAV
            | SEARCH
            | SECTION
            | names::SUMMARY => {
                self.close_p();
                self.insert(tag);
            }
            A => {
                self.end_open_anchor();
                self.insert_formatting(tag);
            }
            SPAN => {
                self.reconstruct();
                self.insert(tag);
            }
            B | BIG | CODE | EM | FONT | I | S | SMALL | STRIKE | STRONG | TT | U => self.insert_formatting(tag),
            LI => {
                self.frameset_ok = false;
                if let Some(index) = self.stack.find(LI, Scope::Item) {
                    self.close_implied(Some(LI));
                    self.pop_to(index, None);
                }
                self.close_p();
                self.insert(tag);
            }
            IMG | BR | AREA | EMBED | KEYGEN | WBR => {
                self.reconstruct();
                self.insert_void(tag);
                self.frameset_ok = false;
            }
            H1 | H2 | H3 | H4 | H5 | H6 => {
                self.close_p();
                if self.current_is_any(&HEADINGS) {
                    self.pop();
                }
                self.insert(tag);
            }
            names::TABLE => {
                if self.quirks != QuirksMode::Full {
                    self.close_p();
                }
                self.insert(tag);
                self.frameset_ok = false;
                self.mode = Mode::InTable;
            }
            INPUT => {
                if self.in_select_context() {
                    return None;
                }
                if let Some(index) = self.stack.find(SELECT, Scope::Default) {
                    self.pop_to(index, None);
                }
                self.reconstruct();
                self.insert_void(tag);
                if !self.is_hidden_input(tag) {
                    self.frameset_ok = false;
                }
            }
            SCRIPT | STYLE | LINK | META | TITLE | TEMPLATE | BASE | BASEFONT | BGSOUND | NOFRAMES => {
                return self.in_head(Item::Start(*tag));
            }
            OPTION => {
                if self.stack.has(SELECT, Scope::Default) {
                    self.close_implied(Some(OPTGROUP));
                } else if self.current_is(OPTION) {
                    self.pop();
                }
                self.reconstruct();
                self.insert(tag);
            }
            OPTGROUP => {
                if self.stack.has(SELECT, Scope::Default) {
                    self.close_implied(None);
                } else if self.current_is(OPTION) {
                    self.pop();
                }
                self.reconstruct();
                self.insert(tag);
            }
            SELECT => {
                if self.in_select_context() {
                    return None;
                }
                if let Some(index) = self.stack.find(SELECT, Scope::Default) {
                    self.pop_to(index, None);
                    return None;
                }
                self.reconstruct();
                self.insert(tag);
                self.frameset_ok = false;
            }
            FORM => {
                if self.form.is_some() && !self.has_template() {
                    return None;
                }
                self.close_p();
                let node = self.insert(tag);
                if !self.has_template() {
                    self.form = Some(node);
                }
            }
            BUTTON => {
                if let Some(index) = self.stack.find(BUTTON, Scope::Default) {
                    self.close_implied(None);
                    self.pop_to(index, None);
                }
                self.reconstruct();
                self.insert(tag);
                self.frameset_ok = false;
            }
            DD | DT => {
                self.frameset_ok = false;
                if let Some(index) = self.stack.find_any(&[DD, DT], Scope::Item) {
                    let name = self.stack.get(index).map(|open| open.name);
                    self.close_implied(name);
                    self.pop_to(index, None);
                }
                self.close_p();
                self.insert(tag);
            }
            HR => {
                self.close_p();
                if self.stack.has(SELECT, Scope::Default) {
                    self.close_implied(None);
                }
                self.insert_void(tag);
                self.frameset_ok = false;
            }
            PRE | LISTING => {
                self.close_p();
                self.insert(tag);
                self.skip_line_feed = true;
                self.frameset_ok = false;
            }
            TEXTAREA => {
                self.insert_raw(tag, Model::Rcdata);
                self.skip_line_feed = true;
                self.frameset_ok = false;
            }
            IFRAME => {
                self.frameset_ok = false;
                self.insert_raw(tag, Model::Rawtext);
            }
            NOEMBED => self.insert_raw(tag, Model::Rawtext),
            NOSCRIPT if self.scripting => self.insert_raw(tag, Model::Rawtext),
            XMP => {
                self.close_p();
                self.reconstruct();
                self.frameset_ok = false;
                self.insert_raw(tag, Model::Rawtext);
            }
            PLAINTEXT => {
                self.close_p();
                self.insert(tag);
                self.tokenizer.set_model(Model::Plaintext, None);
            }
            NOBR => {
                self.reconstruct();
                if self.stack.has(NOBR, Scope::Default) {
                    self.adopt(NOBR, None);
                    self.reconstruct();
                }
                let node = self.insert(tag);
                self.push_formatting(node, tag.name, tag.attrs, tag.attr_count);
            }
            APPLET | MARQUEE | OBJECT => {
                self.reconstruct();
                self.insert(tag);
                self.push_marker();
                self.frameset_ok = false;
            }
            PARAM | SOURCE | TRACK => {
                self.insert_void(tag);
            }
            IMAGE => return Some(Item::Start(StartTag { name: IMG, ..*tag })),
            RB | RTC => {
                if self.stack.has(RUBY, Scope::Default) {
                    self.close_implied(None);
                }
                self.insert(tag);
            }
            RP | RT => {
                if self.stack.has(RUBY, Scope::Default) {
                    self.close_implied(Some(RTC));
                }
                self.insert(tag);
            }
            SVG | MATH => {
                self.reconstruct();
                let namespace = if tag.name == SVG { Namespace::Svg } else { Namespace::MathMl };
                self.insert_foreign(*tag, namespace);
            }
            HTML => {
                if !self.has_template() {
                    self.add_missing_attributes(self.root_element(), tag);
                }
            }
            BODY => {
                if let Some(body) = self.body()
                    && !self.has_template()
                {
                    self.frameset_ok = false;
                    self.add_missing_attributes(body, tag);
                }
            }
            FRAMESET => {
                if let Some(body) = self.body()
                    && self.frameset_ok
                {
                    self.tree.take(body);
                    while self.stack.len() > 1 {
                        self.pop();
                    }
                    self.insert(tag);
                    self.mode = Mode::InFrameset;
                }
            }
            CAPTION | COL | COLGROUP | FRAME | HEAD | TBODY | TD | TFOOT | TH | THEAD | TR => {}
            SELECTEDCONTENT => {
                self.selected_contents = true;
                self.reconstruct();
                self.insert(tag);
            }
            _ => {
                self.reconstruct();
                self.insert(tag);
            }
        }
        None
    }

    pub(in crate::builder) fn end_in_body<'a>(&mut self, name: NameId, span: Span) -> Rest<'a> {
        let tag = Some(span);
        match name {
            DIV
            | UL
            | OL
            | DL
            | ADDRESS
            | ARTICLE
            | ASIDE
            | BLOCKQUOTE
            | BUTTON
            | CENTER
            | DETAILS
            | DIALOG
            | DIR
            | FIELDSET
            | FIGCAPTION
            | FIGURE
            | FOOTER
            | HEADER
            | HGROUP
            | LISTING
            | MAIN
            | MENU
            | NAV
            | PRE
            | SEARCH
            | SECTION
            | SELECT
            | names::SUMMARY => {
                if let Some(index) = self.stack.find(name, Scope::Default) {
                    self.close_implied(None);
                    self.pop_to(index, tag);
                }
            }
            A | B | BIG | CODE | EM | FONT | I | NOBR | S | SMALL | STRIKE | STRONG | TT | U => self.adopt(name, tag),
            P => {
                if !self.stack.has(P, Scope::Button) {
                    self.insert_implied(P);
                }
                if let Some(index) = self.stack.find(P, Scope::Button) {
                    self.pop_to(index, tag);
                }
            }
            LI => {
                if let Some(index) = self.stack.find(LI, Scope::ListItem) {
                    self.close_implied(Some(LI));
                    self.pop_to(index, tag);
                }
            }
            DD | DT => {
                if let Some(index) = self.stack.find(name, Scope::Default) {
                    self.close_implied(Some(name));
                    self.pop_to(index, tag);
                }
            }
            H1 | H2 | H3 | H4 | H5 | H6 => {
                if let Some(index) = self.stack.find_any(&HEADINGS, Scope::Default) {
                    self.close_implied(None);
                    self.pop_to(index, tag);
                }
            }
            BODY | HTML => {
                if let Some(index) = self.stack.find(BODY, Scope::Default) {
                    self.mode = Mode::AfterBody;
                    if name == HTML {
                        return Some(Item::End(name, span));
                    }
                    if let Some(open) = self.stack.get(index) {
                        self.close_at(open.node, tag);
                    }
                }
            }
            FORM if !self.has_template() => {
                let form = self.form.take()?;
                if let Some(index) = self.stack.index_of(form, FORM)
                    && self.stack.in_scope(index, Scope::Default)
                {
                    self.close_implied(None);
                    self.close_at(form, tag);
                    if index + 1 == self.stack.len() {
                        self.pop();
                    } else {
                        self.remove_open(index);
                    }
                }
            }
            FORM => {
                if let Some(index) = self.stack.find(FORM, Scope::Default) {
                    self.close_implied(None);
                    self.pop_to(index, tag);
                }
            }
            APPLET | MARQUEE | OBJECT => {
                if let Some(index) = self.stack.find(name, Scope::Default) {
                    self.close_implied(None);
                    self.pop_to(index, tag);
                    self.clear_to_marker();
                }
            }
            BR => {
                self.reconstruct();
                self.insert_implied(BR);
                self.pop();
                self.frameset_ok = false;
            }
            TEMPLATE => self.end_template(tag),
            _ => self.any_other_end_tag(name, tag),
        }
        None
    }

    /// Implements "any other end tag": closes the element with that name, unless a special one is in the way.
    pub(in crate::builder) fn any_other_end_tag(&mut self, name: NameId, tag: Option<Span>) {
        if let Some(index) = self.stack.find(name, Scope::Special) {
            self.close_implied(Some(name));
            self.pop_to(index, tag);
        }
    }

    pub(super) fn insert_formatting(&mut self, tag: &StartTag) {
        self.reconstruct();
        let node = self.insert(tag);
        self.push_formatting(node, tag.name, tag.attrs, tag.attr_count);
    }

    /// Returns the `body` element, if it is the second open element, as it should be.
    pub(super) fn body(&self) -> Option<u32> {
        self.stack.get(1).filter(|open| open.is_html(BODY)).map(|open| open.node)
    }

    pub(super) fn in_select_context(&self) -> bool {
        self.context.as_ref().is_some_and(|context| context.is_html(SELECT))
    }

    pub(super) fn is_hidden_input(&self, tag: &StartTag) -> bool {
        self.tokenizer.attrs_of(tag.attrs, tag.attr_count).iter().find(|attr| attr.name() == TYPE).is_some_and(|attr| {
            self.tokenizer.strings.value(self.tokenizer.source(), attr).eq_ignore_ascii_case("hidden")
        })
    }

    pub(super) fn in_text<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
        match item {
            Item::Text(text) => {
                self.insert_text(text);
                None
            }
            Item::End(_, span) => {
                self.pop_closed(Some(span));
                self.mode = self.original;
                None
            }
            _ => {
                self.pop();
                self.mode = self.original;
                Some(item)
            }
        }
    }
}
