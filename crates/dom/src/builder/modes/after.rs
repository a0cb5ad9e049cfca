//! The modes after the body, and those of framesets.

use super::{Mode, Rest};
use crate::builder::tree::Place;
use crate::builder::{Builder, Item};
use crate::names::*;

impl Builder<'_> {
    pub(super) fn after_body<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
        match item {
            Item::Text(text) => {
                let (space, rest) = self.split_space(text);
                if let Some(space) = space {
                    self.in_body(Item::Text(space));
                }
                self.mode = if rest.is_some() { Mode::InBody } else { Mode::AfterBody };
                rest.map(Item::Text)
            }
            Item::Comment(text) => {
                self.insert_comment(text, Place::Into(self.root_element()));
                None
            }
            Item::Doctype(_) | Item::Eof => self.in_body(item),
            Item::Start(tag) if tag.name == HTML => self.in_body(item),
            Item::End(HTML, span) => {
                if self.context.is_none() {
                    self.close_at(self.root_element(), Some(span));
                    self.mode = Mode::AfterAfterBody;
                }
                None
            }
            _ => {
                self.mode = Mode::InBody;
                Some(item)
            }
        }
    }

    pub(super) fn in_frameset<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
        match item {
            Item::Text(text) => self.only_space(text, |builder, space| builder.insert_text(space)),
            Item::Comment(text) => self.comment_here(text),
            Item::Start(tag) => match tag.name {
                HTML => return self.in_body(item),
                FRAMESET => {
                    self.insert(&tag);
                }
                FRAME => {
                    self.insert_void(&tag);
                }
                NOFRAMES => return self.in_head(item),
                _ => {}
            },
            Item::End(FRAMESET, span) if self.stack.len() > 1 => {
                self.pop_closed(Some(span));
                if self.context.is_none() && !self.current_is(FRAMESET) {
                    self.mode = Mode::AfterFrameset;
                }
            }
            _ => {}
        }
        None
    }

    pub(super) fn after_frameset<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
        match item {
            Item::Text(text) => self.only_space(text, |builder, space| builder.insert_text(space)),
            Item::Comment(text) => self.comment_here(text),
            Item::Start(tag) if tag.name == HTML => return self.in_body(item),
            Item::Start(tag) if tag.name == NOFRAMES => return self.in_head(item),
            Item::End(HTML, span) => {
                self.close_at(self.root_element(), Some(span));
                self.mode = Mode::AfterAfterFrameset;
            }
            _ => {}
        }
        None
    }

    pub(super) fn after_after_body<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
        match item {
            Item::Comment(text) => {
                self.insert_comment(text, Place::Into(0));
                None
            }
            Item::Doctype(_) | Item::Eof => self.in_body(item),
            Item::Text(text) => {
                let (space, rest) = self.split_space(text);
                if let Some(space) = space {
                    self.in_body(Item::Text(space));
                }
                if rest.is_some() {
                    self.mode = Mode::InBody;
                }
                rest.map(Item::Text)
            }
            Item::Start(tag) if tag.name == HTML => self.in_body(item),
            _ => {
                self.mode = Mode::InBody;
                Some(item)
            }
        }
    }

    pub(super) fn after_after_frameset<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
        match item {
            Item::Comment(text) => {
                self.insert_comment(text, Place::Into(0));
                None
            }
            Item::Text(text) => {
                self.only_space(text, |builder, space| {
                    builder.in_body(Item::Text(space));
                });
                None
            }
            Item::Start(tag) if tag.name == HTML => self.in_body(item),
            Item::Start(tag) if tag.name == NOFRAMES => self.in_head(item),
            _ => None,
        }
    }
}
