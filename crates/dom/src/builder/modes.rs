//! The insertion modes: what each tag means, depending on where the builder is.
//!
//! Each mode is a method that takes an item and returns what is left to do: nothing, or an item to be dispatched
//! again (usually the same, after a change of mode; sometimes the rest of a text whose leading space was used).

use super::stack::{Open, Scope};
use super::tree::Place;
use super::{Builder, Item};
use crate::document::{NONE, Namespace, Node, NodeKind, QuirksMode};
use crate::names::{self, NameId, *};
use crate::span::Span;
use crate::tokenizer::{Model, StartTag, Text};

/// Where the builder is.
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

/// What is left to do with an item.
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

    /// Whether a text is white space and nothing else.
    pub(super) fn is_space(&self, text: &Text) -> bool {
        !text.has_nul && self.tokenizer.str(text).bytes().all(is_space)
    }

    /// The leading white space of a text, and the rest.
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

    /// The white space of a text, wherever it is: other characters are dropped.
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

    /// The `html` element (or the root of a fragment).
    fn root_element(&self) -> u32 {
        self.stack.get(0).map_or(0, |open| open.node)
    }

    /// "Reset the insertion mode appropriately".
    pub(super) fn reset_mode(&mut self) {
        self.mode = self.appropriate_mode();
    }

    fn appropriate_mode(&self) -> Mode {
        for index in (0..self.stack.len()).rev() {
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
            if last {
                break;
            }
        }
        Mode::InBody
    }

    /// Pops until the current node is one of these, `template` or `html`.
    fn clear_stack_to(&mut self, names: &[NameId]) {
        while self.stack.len() > 1
            && !self.stack.last().is_some_and(|open| open.is_any(names) || open.is_html(TEMPLATE) || open.is_html(HTML))
        {
            self.pop();
        }
    }

    // ---- before the body ----

    fn initial<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
        let mut item = item;
        match item {
            Item::Text(text) => item = Item::Text(self.split_space(text).1?),
            Item::Comment(text) => {
                self.insert_comment(text, Place::Into(0));
                return None;
            }
            Item::Doctype(tag) => {
                self.insert_doctype(tag);
                self.quirks = super::quirks::mode(tag);
                self.mode = Mode::BeforeHtml;
                return None;
            }
            _ => {}
        }
        self.quirks = QuirksMode::Full;
        self.mode = Mode::BeforeHtml;
        Some(item)
    }

    fn before_html<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
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

    fn before_head<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
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

    fn in_head<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
        let mut item = item;
        match item {
            Item::Text(text) => {
                let (space, rest) = self.split_space(text);
                if let Some(space) = space {
                    self.insert_text(space);
                }
                item = Item::Text(rest?);
            }
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

    fn start_template(&mut self, tag: &StartTag) {
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

    fn end_template(&mut self, tag: Option<Span>) {
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

    fn in_head_noscript<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
        let mut item = item;
        match item {
            Item::Doctype(_) => return None,
            Item::Start(tag) if tag.name == HTML => return self.in_body(item),
            Item::End(NOSCRIPT, span) => {
                self.pop_closed(Some(span));
                self.mode = Mode::InHead;
                return None;
            }
            Item::Text(text) => {
                let (space, rest) = self.split_space(text);
                if let Some(space) = space {
                    self.insert_text(space);
                }
                item = Item::Text(rest?);
            }
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

    fn after_head<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
        let mut item = item;
        match item {
            Item::Text(text) => {
                let (space, rest) = self.split_space(text);
                if let Some(space) = space {
                    self.insert_text(space);
                }
                item = Item::Text(rest?);
            }
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
                    let Some(head) = self.head else { return None };
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

    // ---- the body ----

    fn in_body<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
        match item {
            Item::Text(text) => {
                if text.has_nul {
                    return None;
                }
                self.reconstruct();
                if self.frameset_ok && !self.is_space(&text) {
                    self.frameset_ok = false;
                }
                self.insert_text(text);
                None
            }
            Item::Start(tag) => self.start_in_body(tag),
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

    fn start_in_body<'a>(&mut self, tag: StartTag) -> Rest<'a> {
        match tag.name {
            DIV | P | UL | OL | DL | ADDRESS | ARTICLE | ASIDE | BLOCKQUOTE | CENTER | DETAILS | DIALOG | DIR
            | FIELDSET | FIGCAPTION | FIGURE | FOOTER | HEADER | HGROUP | MAIN | MENU | NAV | SEARCH | SECTION
            | names::SUMMARY => {
                self.close_p();
                self.insert(&tag);
            }
            A => {
                self.end_open_anchor();
                self.insert_formatting(&tag);
            }
            SPAN => {
                self.reconstruct();
                self.insert(&tag);
            }
            B | BIG | CODE | EM | FONT | I | S | SMALL | STRIKE | STRONG | TT | U => self.insert_formatting(&tag),
            LI => {
                self.frameset_ok = false;
                if let Some(index) = self.stack.find(LI, Scope::Item) {
                    self.close_implied(Some(LI));
                    self.pop_to(index, None);
                }
                self.close_p();
                self.insert(&tag);
            }
            IMG | BR | AREA | EMBED | KEYGEN | WBR => {
                self.reconstruct();
                self.insert_void(&tag);
                self.frameset_ok = false;
            }
            H1 | H2 | H3 | H4 | H5 | H6 => {
                self.close_p();
                if self.current_is_any(&HEADINGS) {
                    self.pop();
                }
                self.insert(&tag);
            }
            names::TABLE => {
                if self.quirks != QuirksMode::Full {
                    self.close_p();
                }
                self.insert(&tag);
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
                self.insert_void(&tag);
                if !self.is_hidden_input(&tag) {
                    self.frameset_ok = false;
                }
            }
            SCRIPT | STYLE | LINK | META | TITLE | TEMPLATE | BASE | BASEFONT | BGSOUND | NOFRAMES => {
                return self.in_head(Item::Start(tag));
            }
            OPTION => {
                if self.stack.has(SELECT, Scope::Default) {
                    self.close_implied(Some(OPTGROUP));
                } else if self.current_is(OPTION) {
                    self.pop();
                }
                self.reconstruct();
                self.insert(&tag);
            }
            OPTGROUP => {
                if self.stack.has(SELECT, Scope::Default) {
                    self.close_implied(None);
                } else if self.current_is(OPTION) {
                    self.pop();
                }
                self.reconstruct();
                self.insert(&tag);
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
                self.insert(&tag);
                self.frameset_ok = false;
            }
            FORM => {
                if self.form.is_some() && !self.has_template() {
                    return None;
                }
                self.close_p();
                let node = self.insert(&tag);
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
                self.insert(&tag);
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
                self.insert(&tag);
            }
            HR => {
                self.close_p();
                if self.stack.has(SELECT, Scope::Default) {
                    self.close_implied(None);
                }
                self.insert_void(&tag);
                self.frameset_ok = false;
            }
            PRE | LISTING => {
                self.close_p();
                self.insert(&tag);
                self.skip_line_feed = true;
                self.frameset_ok = false;
            }
            TEXTAREA => {
                self.insert_raw(&tag, Model::Rcdata);
                self.skip_line_feed = true;
                self.frameset_ok = false;
            }
            IFRAME => {
                self.frameset_ok = false;
                self.insert_raw(&tag, Model::Rawtext);
            }
            NOEMBED => self.insert_raw(&tag, Model::Rawtext),
            NOSCRIPT if self.scripting => self.insert_raw(&tag, Model::Rawtext),
            XMP => {
                self.close_p();
                self.reconstruct();
                self.frameset_ok = false;
                self.insert_raw(&tag, Model::Rawtext);
            }
            PLAINTEXT => {
                self.close_p();
                self.insert(&tag);
                self.tokenizer.set_model(Model::Plaintext, None);
            }
            NOBR => {
                self.reconstruct();
                if self.stack.has(NOBR, Scope::Default) {
                    self.adopt(NOBR, None);
                    self.reconstruct();
                }
                let node = self.insert(&tag);
                self.push_formatting(node, tag.name, tag.attrs, tag.attr_count);
            }
            APPLET | MARQUEE | OBJECT => {
                self.reconstruct();
                self.insert(&tag);
                self.push_marker();
                self.frameset_ok = false;
            }
            PARAM | SOURCE | TRACK => {
                self.insert_void(&tag);
            }
            IMAGE => return Some(Item::Start(StartTag { name: IMG, ..tag })),
            RB | RTC => {
                if self.stack.has(RUBY, Scope::Default) {
                    self.close_implied(None);
                }
                self.insert(&tag);
            }
            RP | RT => {
                if self.stack.has(RUBY, Scope::Default) {
                    self.close_implied(Some(RTC));
                }
                self.insert(&tag);
            }
            SVG | MATH => {
                self.reconstruct();
                let namespace = if tag.name == SVG { Namespace::Svg } else { Namespace::MathMl };
                self.insert_foreign(tag, namespace);
            }
            HTML => {
                if !self.has_template() {
                    self.add_missing_attributes(self.root_element(), &tag);
                }
            }
            BODY => {
                if let Some(body) = self.body()
                    && !self.has_template()
                {
                    self.frameset_ok = false;
                    self.add_missing_attributes(body, &tag);
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
                    self.insert(&tag);
                    self.mode = Mode::InFrameset;
                }
            }
            CAPTION | COL | COLGROUP | FRAME | HEAD | TBODY | TD | TFOOT | TH | THEAD | TR => {}
            SELECTEDCONTENT => {
                self.selected_contents = true;
                self.reconstruct();
                self.insert(&tag);
            }
            _ => {
                self.reconstruct();
                self.insert(&tag);
            }
        }
        None
    }

    fn end_in_body<'a>(&mut self, name: NameId, span: Span) -> Rest<'a> {
        let tag = Some(span);
        match name {
            DIV | UL | OL | DL | ADDRESS | ARTICLE | ASIDE | BLOCKQUOTE | BUTTON | CENTER | DETAILS | DIALOG | DIR
            | FIELDSET | FIGCAPTION | FIGURE | FOOTER | HEADER | HGROUP | LISTING | MAIN | MENU | NAV | PRE
            | SEARCH | SECTION | SELECT | names::SUMMARY => {
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
                let Some(form) = self.form.take() else { return None };
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

    /// "Any other end tag": closes the element of that name, unless a special one is in the way.
    pub(super) fn any_other_end_tag(&mut self, name: NameId, tag: Option<Span>) {
        if let Some(index) = self.stack.find(name, Scope::Special) {
            self.close_implied(Some(name));
            self.pop_to(index, tag);
        }
    }

    fn insert_formatting(&mut self, tag: &StartTag) {
        self.reconstruct();
        let node = self.insert(tag);
        self.push_formatting(node, tag.name, tag.attrs, tag.attr_count);
    }

    /// The `body` element, if it is where it should be: the second open element.
    fn body(&self) -> Option<u32> {
        self.stack.get(1).filter(|open| open.is_html(BODY)).map(|open| open.node)
    }

    fn in_select_context(&self) -> bool {
        self.context.as_ref().is_some_and(|context| context.is_html(SELECT))
    }

    fn is_hidden_input(&self, tag: &StartTag) -> bool {
        self.tokenizer
            .attrs_of(tag.attrs, tag.attr_count)
            .iter()
            .find(|attr| attr.name() == TYPE)
            .is_some_and(|attr| {
                self.tokenizer.strings.value(self.tokenizer.source(), attr).eq_ignore_ascii_case("hidden")
            })
    }

    fn in_text<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
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

    // ---- tables ----

    fn in_table<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
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

    fn start_in_table<'a>(&mut self, tag: StartTag) -> Rest<'a> {
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

    /// Closes the table, if there is one in scope.
    fn end_table(&mut self, tag: Option<Span>) -> bool {
        let Some(index) = self.stack.find(names::TABLE, Scope::Table) else { return false };
        self.pop_to(index, tag);
        self.reset_mode();
        true
    }

    /// What does not belong into a table goes in front of it.
    fn fostered<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
        self.foster = true;
        let rest = self.in_body(item);
        self.foster = false;
        rest
    }

    fn in_table_text<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
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

    fn in_caption<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
        let tag = match item {
            Item::End(CAPTION, span) => Some(span),
            Item::End(names::TABLE, _) => None,
            Item::Start(tag)
                if matches!(tag.name, CAPTION | COL | COLGROUP | TBODY | TD | TFOOT | TH | THEAD | TR) =>
            {
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

    fn in_column_group<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
        let mut item = item;
        match item {
            Item::Text(text) => {
                let (space, rest) = self.split_space(text);
                if let Some(space) = space {
                    self.insert_text(space);
                }
                item = Item::Text(rest?);
            }
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
            // In a template or fragment: characters are ignored one by one, the space between them is not.
            if let Item::Text(text) = item {
                self.only_space(text, |builder, space| builder.insert_text(space));
            }
            return None;
        }
        self.pop();
        self.mode = Mode::InTable;
        Some(item)
    }

    fn in_table_body<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
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

    fn in_row<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
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

    fn in_cell<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
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

    fn close_cell(&mut self) -> bool {
        let Some(index) = self.stack.find_any(&[TD, TH], Scope::Table) else { return false };
        self.close_implied(None);
        self.pop_to(index, None);
        self.clear_to_marker();
        self.mode = Mode::InRow;
        true
    }

    // ---- templates ----

    fn in_template<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
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

    // ---- behind the body, framesets ----

    fn after_body<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
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

    fn in_frameset<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
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

    fn after_frameset<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
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

    fn after_after_body<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
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

    fn after_after_frameset<'a>(&mut self, item: Item<'a>) -> Rest<'a> {
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

#[inline]
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')
}
