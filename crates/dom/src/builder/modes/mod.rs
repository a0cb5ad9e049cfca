//! The insertion modes: the meaning of each tag in each state of the builder.
//!
//! Each mode is a method that takes an item and returns the remaining work: nothing, or an item to be dispatched
//! again (usually the same, after a change of mode; sometimes the rest of a text whose leading space was used).

mod after;
mod body;
mod head;
mod table;

use super::stack::Scope;
use super::{Builder, Item};
use crate::document::Namespace;
use crate::names::{self, NameId, *};
use crate::tokenizer::{Model, StartTag, Text};

/// The state of the builder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Initial,
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InBody,
    Text,
    InTable,
    InTableText,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    InTemplate,
    AfterBody,
    InFrameset,
    AfterFrameset,
    AfterAfterBody,
    AfterAfterFrameset,
}

const HEADINGS: [NameId; 6] = [H1, H2, H3, H4, H5, H6];
const TABLE_BODIES: [NameId; 3] = [TBODY, TFOOT, THEAD];

/// The rest of an item that is still to be processed.
type Rest<'a> = Option<Item<'a>>;

impl Builder<'_> {
    #[inline]
    pub(super) fn by_mode<'a>(&mut self, mode: Mode, item: Item<'a>) -> Rest<'a> {
        match mode {
            Mode::InBody => self.in_body(item),
            Mode::Text => self.in_text(item),
            Mode::InTable => self.in_table(item),
            Mode::InTableText => self.in_table_text(item),
            Mode::InCell => self.in_cell(item),
            Mode::InRow => self.in_row(item),
            Mode::InTableBody => self.in_table_body(item),
            Mode::InHead => self.in_head(item),
            Mode::Initial => self.initial(item),
            Mode::BeforeHtml => self.before_html(item),
            Mode::BeforeHead => self.before_head(item),
            Mode::InHeadNoscript => self.in_head_noscript(item),
            Mode::AfterHead => self.after_head(item),
            Mode::InCaption => self.in_caption(item),
            Mode::InColumnGroup => self.in_column_group(item),
            Mode::InTemplate => self.in_template(item),
            Mode::AfterBody => self.after_body(item),
            Mode::InFrameset => self.in_frameset(item),
            Mode::AfterFrameset => self.after_frameset(item),
            Mode::AfterAfterBody => self.after_after_body(item),
            Mode::AfterAfterFrameset => self.after_after_frameset(item),
        }
    }

    // ---- helpers ----

    /// Returns `true` if a text consists only of white space.
    pub(super) fn is_space(&self, text: &Text) -> bool {
        !text.has_nul && self.tokenizer.str(text).bytes().all(is_space)
    }

    /// Splits a text into its leading white space and the rest.
    fn split_space(&self, text: Text) -> (Option<Text>, Option<Text>) {
        if text.has_nul {
            return (None, Some(text));
        }
        let string = self.tokenizer.str(&text);
        match string.bytes().position(|byte| !is_space(byte)) {
            None => (Some(text), None),
            Some(0) => (None, Some(text)),
            Some(count) => {
                let (space, rest) = self.tokenizer.split(text, count);
                (Some(space), Some(rest))
            }
        }
    }

    /// Inserts the leading white space of a text and returns the rest.
    fn insert_leading_space(&mut self, text: Text) -> Option<Text> {
        let (space, rest) = self.split_space(text);
        if let Some(space) = space {
            self.insert_text(space);
        }
        rest
    }

    /// Passes all white space of a text to `use_it` and drops the other characters.
    fn only_space(&mut self, text: Text, mut use_it: impl FnMut(&mut Self, Text)) {
        let mut rest = Some(text).filter(|text| !text.has_nul);
        while let Some(text) = rest {
            let (space, other) = self.split_space(text);
            if let Some(space) = space {
                use_it(self, space);
            }
            rest = other.and_then(|other| {
                let count = self.tokenizer.str(&other).bytes().position(is_space)?;
                Some(self.tokenizer.split(other, count).1)
            });
        }
    }

    fn comment_here(&mut self, text: Text) {
        let place = self.place();
        self.insert_comment(text, place);
    }

    /// Inserts an element whose content is a text up to its end tag.
    fn insert_raw(&mut self, tag: &StartTag, model: Model) {
        self.insert(tag);
        self.tokenizer.set_model(model, Some(tag.name));
        self.original = self.mode;
        self.mode = Mode::Text;
    }

    fn has_template(&self) -> bool {
        self.stack.topmost(TEMPLATE).is_some()
    }

    /// Returns the `html` element (or the root of a fragment).
    fn root_element(&self) -> u32 {
        self.stack.get(0).map_or(0, |open| open.node)
    }

    /// Implements "reset the insertion mode appropriately".
    pub(super) fn reset_mode(&mut self) {
        self.mode = self.appropriate_mode();
    }

    fn appropriate_mode(&self) -> Mode {
        for index in self.stack.boundaries(Scope::Mode) {
            let last = index == 0;
            let open = match (&self.context, self.stack.get(index)) {
                (Some(context), _) if last => context,
                (_, Some(open)) => open,
                _ => return Mode::InBody,
            };
            if open.namespace == Namespace::Html {
                match open.name {
                    TD | TH if !last => return Mode::InCell,
                    TR => return Mode::InRow,
                    TBODY | THEAD | TFOOT => return Mode::InTableBody,
                    CAPTION => return Mode::InCaption,
                    COLGROUP => return Mode::InColumnGroup,
                    names::TABLE => return Mode::InTable,
                    TEMPLATE => return self.template_modes.last().copied().unwrap_or(Mode::InBody),
                    HEAD if !last => return Mode::InHead,
                    BODY => return Mode::InBody,
                    FRAMESET => return Mode::InFrameset,
                    HTML => return if self.head.is_none() { Mode::BeforeHead } else { Mode::AfterHead },
                    _ => {}
                }
            }
        }
        Mode::InBody
    }

    /// Pops until the current node has one of these names or is `template` or `html`.
    fn clear_stack_to(&mut self, names: &[NameId]) {
        while self.stack.len() > 1
            && !self.stack.last().is_some_and(|open| open.is_any(names) || open.is_html(TEMPLATE) || open.is_html(HTML))
        {
            self.pop();
        }
    }
}

#[inline]
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')
}
