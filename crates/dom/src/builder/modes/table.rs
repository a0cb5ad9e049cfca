//! The table modes: rows and cells stay in the table, everything else is placed before it.

use super::TABLE_BODIES;
use super::{Mode, Rest};
use crate::builder::stack::Scope;
use crate::builder::{Builder, Item};
use crate::names::{self, *};
use crate::span::Span;
use crate::tokenizer::StartTag;

impl Builder<'_> {
    pub(super) fn in_table<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
        match item {
            Item::Text(_) if self.current_is_any(&[names::TABLE, TBODY, TEMPLATE, TFOOT, THEAD, TR]) => {
                self.table_texts.clear();
                self.original = self.mode;
                self.mode = Mode::InTableText;
                Some(item)
            }
            Item::Comment(text) => {
                self.comment_here(text);
                None
            }
            Item::Doctype(_) => None,
            Item::Start(tag) => self.start_in_table(tag),
            Item::End(names::TABLE, span) => {
                self.end_table(Some(span));
                None
            }
            Item::End(BODY | CAPTION | COL | COLGROUP | HTML | TBODY | TD | TFOOT | TH | THEAD | TR, _) => None,
            Item::End(TEMPLATE, _) => self.in_head(item),
            Item::Eof => self.in_body(item),
            _ => self.fostered(item),
        }
    }

    pub(super) fn start_in_table<'a>(&mut self, tag: StartTag) -> Rest<'a> {
        let item = Item::Start(tag);
        match tag.name {
            CAPTION => {
                self.clear_stack_to(&[names::TABLE]);
                self.push_marker();
                self.insert(&tag);
                self.mode = Mode::InCaption;
            }
            COLGROUP => {
                self.clear_stack_to(&[names::TABLE]);
                self.insert(&tag);
                self.mode = Mode::InColumnGroup;
            }
            COL => {
                self.clear_stack_to(&[names::TABLE]);
                self.insert_implied(COLGROUP);
                self.mode = Mode::InColumnGroup;
                return Some(item);
            }
            TBODY | TFOOT | THEAD => {
                self.clear_stack_to(&[names::TABLE]);
                self.insert(&tag);
                self.mode = Mode::InTableBody;
            }
            TD | TH | TR => {
                self.clear_stack_to(&[names::TABLE]);
                self.insert_implied(TBODY);
                self.mode = Mode::InTableBody;
                return Some(item);
            }
            names::TABLE => {
                if self.end_table(None) {
                    return Some(item);
                }
            }
            STYLE | SCRIPT | TEMPLATE => return self.in_head(item),
            INPUT if self.is_hidden_input(&tag) => {
                self.insert_void(&tag);
            }
            FORM => {
                if !self.has_template() && self.form.is_none() {
                    self.form = Some(self.insert_void(&tag));
                }
            }
            _ => return self.fostered(item),
        }
        None
    }

    /// Closes the table, if there is one in scope; returns `true` if there was.
    pub(super) fn end_table(&mut self, tag: Option<Span>) -> bool {
        let Some(index) = self.stack.find(names::TABLE, Scope::Table) else { return false };
        self.pop_to(index, tag);
        self.reset_mode();
        true
    }

    /// Inserts an item that does not belong in a table before the table.
    pub(super) fn fostered<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
        self.foster = true;
        let rest = self.in_body(item);
        self.foster = false;
        rest
    }

    pub(super) fn in_table_text<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
        if let Item::Text(text) = item {
            if !text.has_nul {
                self.table_texts.push(text);
            }
            return None;
        }
        let texts = std::mem::take(&mut self.table_texts);
        let space = texts.iter().all(|text| self.is_space(text));
        for &text in &texts {
            if space {
                self.insert_text(text);
            } else {
                self.fostered(Item::Text(text));
            }
        }
        self.table_texts = texts;
        self.table_texts.clear();
        self.mode = self.original;
        Some(item)
    }

    pub(super) fn in_caption<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
        let tag = match item {
            Item::End(CAPTION, span) => Some(span),
            Item::End(names::TABLE, _) => None,
            Item::Start(tag) if matches!(tag.name, CAPTION | COL | COLGROUP | TBODY | TD | TFOOT | TH | THEAD | TR) => {
                None
            }
            Item::End(BODY | COL | COLGROUP | HTML | TBODY | TD | TFOOT | TH | THEAD | TR, _) => return None,
            _ => return self.in_body(item),
        };
        let index = self.stack.find(CAPTION, Scope::Table)?;
        self.close_implied(None);
        self.pop_to(index, tag);
        self.clear_to_marker();
        self.mode = Mode::InTable;
        if tag.is_some() { None } else { Some(item) }
    }

    pub(super) fn in_column_group<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
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
                COL => {
                    self.insert_void(&tag);
                    return None;
                }
                TEMPLATE => return self.in_head(item),
                _ => {}
            },
            Item::End(COLGROUP, span) => {
                if self.current_is(COLGROUP) {
                    self.pop_closed(Some(span));
                    self.mode = Mode::InTable;
                }
                return None;
            }
            Item::End(COL, _) => return None,
            Item::End(TEMPLATE, _) => return self.in_head(item),
            Item::Eof => return self.in_body(item),
            Item::End(..) => {}
        }
        if !self.current_is(COLGROUP) {
            // In a template or fragment, characters are ignored one by one, but the space between them is not.
            if let Item::Text(text) = item {
                self.only_space(text, |builder, space| builder.insert_text(space));
            }
            return None;
        }
        self.pop();
        self.mode = Mode::InTable;
        Some(item)
    }

    pub(super) fn in_table_body<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
        match item {
            Item::Start(tag) if tag.name == TR => {
                self.clear_stack_to(&TABLE_BODIES);
                self.insert(&tag);
                self.mode = Mode::InRow;
                None
            }
            Item::Start(tag) if matches!(tag.name, TH | TD) => {
                self.clear_stack_to(&TABLE_BODIES);
                self.insert_implied(TR);
                self.mode = Mode::InRow;
                Some(item)
            }
            Item::End(name @ (TBODY | TFOOT | THEAD), span) => {
                if self.stack.has(name, Scope::Table) {
                    self.clear_stack_to(&TABLE_BODIES);
                    self.pop_closed(Some(span));
                    self.mode = Mode::InTable;
                }
                None
            }
            Item::Start(StartTag { name: CAPTION | COL | COLGROUP | TBODY | TFOOT | THEAD, .. })
            | Item::End(names::TABLE, _) => {
                self.stack.find_any(&TABLE_BODIES, Scope::Table)?;
                self.clear_stack_to(&TABLE_BODIES);
                self.pop();
                self.mode = Mode::InTable;
                Some(item)
            }
            Item::End(BODY | CAPTION | COL | COLGROUP | HTML | TD | TH | TR, _) => None,
            _ => self.in_table(item),
        }
    }

    pub(super) fn in_row<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
        let (tag, again) = match item {
            Item::Start(tag) if matches!(tag.name, TH | TD) => {
                self.clear_stack_to(&[TR]);
                self.insert(&tag);
                self.mode = Mode::InCell;
                self.push_marker();
                return None;
            }
            Item::End(TR, span) => (Some(span), None),
            Item::Start(StartTag { name: CAPTION | COL | COLGROUP | TBODY | TFOOT | THEAD | TR, .. })
            | Item::End(names::TABLE, _) => (None, Some(item)),
            Item::End(name @ (TBODY | TFOOT | THEAD), _) => {
                if !self.stack.has(name, Scope::Table) {
                    return None;
                }
                (None, Some(item))
            }
            Item::End(BODY | CAPTION | COL | COLGROUP | HTML | TD | TH, _) => return None,
            _ => return self.in_table(item),
        };
        if !self.stack.has(TR, Scope::Table) {
            return None;
        }
        self.clear_stack_to(&[TR]);
        self.pop_closed(tag);
        self.mode = Mode::InTableBody;
        again
    }

    pub(super) fn in_cell<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
        match item {
            Item::End(name @ (TD | TH), span) => {
                let index = self.stack.find(name, Scope::Table)?;
                self.close_implied(None);
                self.pop_to(index, Some(span));
                self.clear_to_marker();
                self.mode = Mode::InRow;
                None
            }
            Item::Start(StartTag { name: CAPTION | COL | COLGROUP | TBODY | TD | TFOOT | TH | THEAD | TR, .. }) => {
                self.close_cell().then_some(item)
            }
            Item::End(BODY | CAPTION | COL | COLGROUP | HTML, _) => None,
            Item::End(name @ (names::TABLE | TBODY | TFOOT | THEAD | TR), _) => {
                if self.stack.has(name, Scope::Table) && self.close_cell() { Some(item) } else { None }
            }
            _ => self.in_body(item),
        }
    }

    pub(super) fn close_cell(&mut self) -> bool {
        let Some(index) = self.stack.find_any(&[TD, TH], Scope::Table) else { return false };
        self.close_implied(None);
        self.pop_to(index, None);
        self.clear_to_marker();
        self.mode = Mode::InRow;
        true
    }
}
