//! The modes up to the body: the doctype, `html`, `head` and its contents; templates.

use super::{Mode, Rest};
use crate::arena::{NONE, Node};
use crate::builder::stack::Open;
use crate::builder::tree::Place;
use crate::builder::{Builder, Item};
use crate::document::{Namespace, NodeKind, QuirksMode};
use crate::names::*;
use crate::span::Span;
use crate::tokenizer::{Model, StartTag};

impl Builder<'_> {
    pub(super) fn initial<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
        let mut item = item;
        match item {
            Item::Text(text) => item = Item::Text(self.split_space(text).1?),
            Item::Comment(text) => {
                self.insert_comment(text, Place::Into(0));
                return None;
            }
            Item::Doctype(tag) => {
                self.insert_doctype(tag);
                self.quirks = crate::builder::quirks::mode(tag);
                self.mode = Mode::BeforeHtml;
                return None;
            }
            _ => {}
        }
        self.quirks = QuirksMode::Full;
        self.mode = Mode::BeforeHtml;
        Some(item)
    }

    pub(super) fn before_html<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
        let mut item = item;
        match item {
            Item::Doctype(_) => return None,
            Item::Comment(text) => {
                self.insert_comment(text, Place::Into(0));
                return None;
            }
            Item::Text(text) => item = Item::Text(self.split_space(text).1?),
            Item::Start(tag) if tag.name == HTML => {
                self.insert(&tag);
                self.mode = Mode::BeforeHead;
                return None;
            }
            Item::End(name, _) if !matches!(name, HEAD | BODY | HTML | BR) => return None,
            _ => {}
        }
        self.insert_implied(HTML);
        self.mode = Mode::BeforeHead;
        Some(item)
    }

    pub(super) fn before_head<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
        let mut item = item;
        match item {
            Item::Text(text) => item = Item::Text(self.split_space(text).1?),
            Item::Comment(text) => {
                self.comment_here(text);
                return None;
            }
            Item::Doctype(_) => return None,
            Item::Start(tag) if tag.name == HTML => return self.in_body(item),
            Item::Start(tag) if tag.name == HEAD => {
                self.head = Some(self.insert(&tag));
                self.mode = Mode::InHead;
                return None;
            }
            Item::End(name, _) if !matches!(name, HEAD | BODY | HTML | BR) => return None,
            _ => {}
        }
        self.head = Some(self.insert_implied(HEAD));
        self.mode = Mode::InHead;
        Some(item)
    }

    pub(super) fn in_head<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
        let mut item = item;
        match item {
            Item::Text(text) => item = Item::Text(self.insert_leading_space(text)?),
            Item::Comment(text) => {
                self.comment_here(text);
                return None;
            }
            Item::Doctype(_) => return None,
            Item::Start(tag) => match tag.name {
                HTML => return self.in_body(item),
                BASE | BASEFONT | BGSOUND | LINK | META => {
                    self.insert_void(&tag);
                    return None;
                }
                TITLE => {
                    self.insert_raw(&tag, Model::Rcdata);
                    return None;
                }
                NOFRAMES | STYLE => {
                    self.insert_raw(&tag, Model::Rawtext);
                    return None;
                }
                NOSCRIPT if self.scripting => {
                    self.insert_raw(&tag, Model::Rawtext);
                    return None;
                }
                NOSCRIPT => {
                    self.insert(&tag);
                    self.mode = Mode::InHeadNoscript;
                    return None;
                }
                SCRIPT => {
                    self.insert_raw(&tag, Model::Script);
                    return None;
                }
                TEMPLATE => {
                    self.start_template(&tag);
                    return None;
                }
                HEAD => return None,
                _ => {}
            },
            Item::End(HEAD, span) => {
                self.pop_closed(Some(span));
                self.mode = Mode::AfterHead;
                return None;
            }
            Item::End(TEMPLATE, span) => {
                self.end_template(Some(span));
                return None;
            }
            Item::End(name, _) if !matches!(name, BODY | HTML | BR) => return None,
            _ => {}
        }
        self.pop();
        self.mode = Mode::AfterHead;
        Some(item)
    }

    pub(super) fn start_template(&mut self, tag: &StartTag) {
        self.push_marker();
        self.frameset_ok = false;
        self.mode = Mode::InTemplate;
        self.template_modes.push(Mode::InTemplate);
        let node = self.insert_void(tag);
        let contents = Node::new(NodeKind::Fragment, tag.span.end, NONE, NONE).with(Node::INSERTED);
        let contents = self.tree.loose(contents);
        self.tree.templates.push((node, contents));
        let mut open = Open::new(node, TEMPLATE, Namespace::Html);
        open.inside = contents;
        self.push_open(open);
    }

    pub(super) fn end_template(&mut self, tag: Option<Span>) {
        if !self.has_template() {
            return;
        }
        self.close_implied_thoroughly();
        if let Some(index) = self.stack.topmost(TEMPLATE) {
            self.pop_to(index, tag);
        }
        self.clear_to_marker();
        self.template_modes.pop();
        self.reset_mode();
    }

    pub(super) fn in_head_noscript<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
        let mut item = item;
        match item {
            Item::Doctype(_) => return None,
            Item::Start(tag) if tag.name == HTML => return self.in_body(item),
            Item::End(NOSCRIPT, span) => {
                self.pop_closed(Some(span));
                self.mode = Mode::InHead;
                return None;
            }
            Item::Text(text) => item = Item::Text(self.insert_leading_space(text)?),
            Item::Comment(_) => return self.in_head(item),
            Item::Start(tag) => match tag.name {
                BASEFONT | BGSOUND | LINK | META | NOFRAMES | STYLE => return self.in_head(item),
                HEAD | NOSCRIPT => return None,
                _ => {}
            },
            Item::End(name, _) if name != BR => return None,
            _ => {}
        }
        self.pop();
        self.mode = Mode::InHead;
        Some(item)
    }

    pub(super) fn after_head<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
        let mut item = item;
        match item {
            Item::Text(text) => item = Item::Text(self.insert_leading_space(text)?),
            Item::Comment(text) => {
                self.comment_here(text);
                return None;
            }
            Item::Doctype(_) => return None,
            Item::Start(tag) => match tag.name {
                HTML => return self.in_body(item),
                BODY => {
                    self.insert(&tag);
                    self.frameset_ok = false;
                    self.mode = Mode::InBody;
                    return None;
                }
                FRAMESET => {
                    self.insert(&tag);
                    self.mode = Mode::InFrameset;
                    return None;
                }
                BASE | BASEFONT | BGSOUND | LINK | META | NOFRAMES | SCRIPT | STYLE | TEMPLATE | TITLE => {
                    let head = self.head?;
                    let index = self.stack.len();
                    self.push_open(Open::new(head, HEAD, Namespace::Html));
                    let rest = self.in_head(item);
                    self.remove_open(index);
                    return rest;
                }
                HEAD => return None,
                _ => {}
            },
            Item::End(TEMPLATE, _) => return self.in_head(item),
            Item::End(name, _) if !matches!(name, BODY | HTML | BR) => return None,
            _ => {}
        }
        self.insert_implied(BODY);
        self.mode = Mode::InBody;
        Some(item)
    }

    // ---- templates ----

    pub(super) fn in_template<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
        let mode = match item {
            Item::Text(_) | Item::Comment(_) | Item::Doctype(_) => return self.in_body(item),
            Item::Start(tag) => match tag.name {
                BASE | BASEFONT | BGSOUND | LINK | META | NOFRAMES | SCRIPT | STYLE | TEMPLATE | TITLE => {
                    return self.in_head(item);
                }
                CAPTION | COLGROUP | TBODY | TFOOT | THEAD => Mode::InTable,
                COL => Mode::InColumnGroup,
                TR => Mode::InTableBody,
                TD | TH => Mode::InRow,
                _ => Mode::InBody,
            },
            Item::End(TEMPLATE, _) => return self.in_head(item),
            Item::End(..) => return None,
            Item::Eof => {
                if !self.has_template() {
                    return None;
                }
                if let Some(index) = self.stack.topmost(TEMPLATE) {
                    self.pop_to(index, None);
                }
                self.clear_to_marker();
                self.template_modes.pop();
                self.reset_mode();
                return Some(item);
            }
        };
        self.template_modes.pop();
        self.template_modes.push(mode);
        self.mode = mode;
        Some(item)
    }
}
