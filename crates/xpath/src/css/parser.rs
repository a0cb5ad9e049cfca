//! Parses selectors in one pass over the characters, since their grammar needs no more than that.

use super::selector::{Combinator, Complex, Compound, PseudoElement};
use super::{any_of, has};
use crate::compile::Compiler;
use crate::error::{ParseError, Span, nearest};
use crate::parser::{MAX_DEPTH, MAX_LENGTH};
use crate::plan::*;

/// Parses a selector list.
pub(super) fn parse(source: &str, compiler: &mut Compiler) -> Result<Vec<Complex>, ParseError> {
    if source.len() > MAX_LENGTH {
        return Err(ParseError::TooLong { length: source.len(), limit: MAX_LENGTH });
    }
    let mut parser = Parser { source, at: 0, depth: 0, compiler };
    parser.skip_space();
    if parser.peek().is_none() {
        return Err(ParseError::Empty { span: Span::new(0, source.len()) });
    }
    let selectors = parser.list(Kind::Whole)?;
    match parser.peek() {
        None => Ok(selectors),
        Some(_) => Err(parser.unexpected("a combinator, `,` or the end of the selector")),
    }
}

/// The context of a selector list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// At the top level, where pseudo-elements are allowed at the end.
    Whole,
    /// Inside `:is()` and similar pseudo-classes.
    Inner,
    /// Inside `:has()`, where a selector may begin with a combinator.
    Relative,
}

struct Parser<'a, 'c> {
    source: &'a str,
    at: usize,
    depth: usize,
    compiler: &'c mut Compiler,
}

const PSEUDO_CLASSES: [&str; 23] = [
    "is",
    "where",
    "not",
    "has",
    "nth-child",
    "nth-last-child",
    "nth-of-type",
    "nth-last-of-type",
    "first-child",
    "last-child",
    "only-child",
    "first-of-type",
    "last-of-type",
    "only-of-type",
    "empty",
    "root",
    "scope",
    "lang",
    "checked",
    "disabled",
    "enabled",
    "link",
    "any-link",
];

/// Attributes whose values HTML compares without case, whatever the selector says (HTML, "Case-sensitivity of
/// selectors").
const INSENSITIVE: [&str; 46] = [
    "accept",
    "accept-charset",
    "align",
    "alink",
    "axis",
    "bgcolor",
    "charset",
    "checked",
    "clear",
    "codetype",
    "color",
    "compact",
    "declare",
    "defer",
    "dir",
    "direction",
    "disabled",
    "enctype",
    "face",
    "frame",
    "hreflang",
    "http-equiv",
    "lang",
    "language",
    "link",
    "media",
    "method",
    "multiple",
    "nohref",
    "noresize",
    "noshade",
    "nowrap",
    "readonly",
    "rel",
    "rev",
    "rules",
    "scope",
    "scrolling",
    "selected",
    "shape",
    "target",
    "text",
    "type",
    "valign",
    "valuetype",
    "vlink",
];

impl<'a> Parser<'a, '_> {
    fn rest(&self) -> &'a str {
        &self.source[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    /// Skips white space and comments; returns `true` if there was white space, which is a combinator.
    fn skip_space(&mut self) -> bool {
        let mut spaced = false;
        loop {
            self.skip_comments();
            let rest = self.rest();
            let trimmed = rest.trim_start_matches([' ', '\t', '\n', '\r', '\x0c']);
            if trimmed.len() == rest.len() {
                return spaced;
            }
            spaced = true;
            self.at += rest.len() - trimmed.len();
        }
    }

    fn skip_comments(&mut self) {
        while let Some(comment) = self.rest().strip_prefix("/*") {
            // An unclosed comment extends to the end, as in style sheets.
            self.at += 2 + comment.find("*/").map_or(comment.len(), |at| at + 2);
        }
    }

    fn here(&self) -> Span {
        let length = self.peek().map_or(0, char::len_utf8);
        Span::new(self.at, self.at + length)
    }

    fn unexpected(&self, expected: &'static str) -> ParseError {
        let found = self.peek().map_or("the end of the selector".to_owned(), |c| format!("`{c}`"));
        let hint = match self.peek() {
            Some('/' | '@') => Some("this looks like XPath; put `xpath:` before an XPath expression"),
            Some('"' | '\'') => Some("strings are allowed only in attribute conditions, as in `[title=\"x y\"]`"),
            Some('0'..='9') => Some("names cannot begin with a digit: write `\\31 0` for `10`, or `[id=\"10\"]`"),
            Some('|') => {
                Some("namespaces other than `*|` and `|` are not supported in selectors; XPath has `svg:` and `math:`")
            }
            Some('!' | '$') => Some("values other than plain names need quotes: `[href=\"…\"]`"),
            _ => None,
        };
        ParseError::UnexpectedToken { expected, found, hint, span: self.here() }
    }

    fn expect(&mut self, wanted: char, expected: &'static str) -> Result<(), ParseError> {
        if self.eat(wanted) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    // ---- names and strings ----

    /// Reads a name and resolves its escapes; `None` if there is no name here.
    fn name(&mut self) -> Option<String> {
        let bytes = self.rest().as_bytes();
        let is_start = |at: usize| match bytes.get(at) {
            Some(b'\\') => !matches!(bytes.get(at + 1), Some(b'\n') | None),
            Some(&byte) => byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80,
            None => false,
        };
        let starts = match bytes.first() {
            Some(b'-') => bytes.get(1) == Some(&b'-') || is_start(1),
            _ => is_start(0),
        };
        starts.then(|| self.name_rest())
    }

    fn name_rest(&mut self) -> String {
        let mut name = String::new();
        while let Some(c) = self.peek() {
            match c {
                '\\' if !matches!(self.rest().as_bytes().get(1), Some(b'\n') | None) => {
                    self.at += 1;
                    name.extend(self.escape());
                }
                _ if c.is_ascii_alphanumeric() || c == '-' || c == '_' || !c.is_ascii() => {
                    name.push(c);
                    self.at += c.len_utf8();
                }
                _ => break,
            }
        }
        name
    }

    /// Reads the rest of an escape: up to six hexadecimal digits and one space, or the next character.
    fn escape(&mut self) -> Option<char> {
        let digits = self.rest().bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
        if digits == 0 {
            let c = self.peek()?;
            self.at += c.len_utf8();
            return Some(c);
        }
        let code = u32::from_str_radix(&self.rest()[..digits], 16).unwrap_or(0);
        self.at += digits;
        if self.rest().starts_with("\r\n") {
            self.at += 2;
        } else if self.rest().starts_with([' ', '\t', '\n', '\r', '\x0c']) {
            self.at += 1;
        }
        Some(char::from_u32(code).filter(|&c| c != '\0').unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    /// Reads a string in quotes.
    fn string(&mut self) -> Result<Option<String>, ParseError> {
        let Some(quote @ ('"' | '\'')) = self.peek() else { return Ok(None) };
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        while let Some(c) = self.peek() {
            self.at += c.len_utf8();
            match c {
                _ if c == quote => return Ok(Some(text)),
                '\\' if self.eat('\n') => {}
                '\\' => text.extend(self.escape()),
                '\n' => break,
                _ => text.push(c),
            }
        }
        Err(ParseError::UnclosedString { hint: None, span: Span::new(start, self.at) })
    }

    // ---- selectors ----

    fn list(&mut self, kind: Kind) -> Result<Vec<Complex>, ParseError> {
        let mut selectors = Vec::new();
        loop {
            selectors.push(self.complex(kind)?);
            self.skip_space();
            if !self.eat(',') {
                return Ok(selectors);
            }
        }
    }

    fn combinator(&mut self) -> Option<Combinator> {
        let combinator = match self.peek()? {
            '>' => Combinator::Child,
            '+' => Combinator::Next,
            '~' => Combinator::Later,
            _ => return None,
        };
        self.at += 1;
        self.skip_space();
        Some(combinator)
    }

    fn complex(&mut self, kind: Kind) -> Result<Complex, ParseError> {
        self.skip_space();
        let start = self.at;
        let mut combinator = match kind {
            Kind::Relative => self.combinator().unwrap_or(Combinator::Descendant),
            _ => Combinator::Descendant,
        };
        let mut compounds = Vec::new();
        let mut pseudo = None;
        loop {
            compounds.push((combinator, self.compound(kind, &mut pseudo)?));
            let end = self.at;
            let spaced = self.skip_space();
            if pseudo.is_some() || matches!(self.peek(), None | Some(',' | ')')) {
                let selector = Complex { compounds, pseudo, span: Span::new(start, end) };
                if selector.depth() > MAX_DEPTH {
                    return Err(ParseError::TooDeep { limit: MAX_DEPTH, span: selector.span });
                }
                return Ok(selector);
            }
            combinator = match self.combinator() {
                Some(combinator) => combinator,
                None if spaced => Combinator::Descendant,
                None => return Err(self.unexpected("a combinator, `,` or the end of the selector")),
            };
        }
    }

    fn compound(&mut self, kind: Kind, pseudo: &mut Option<PseudoElement>) -> Result<Compound, ParseError> {
        let start = self.at;
        let mut compound = Compound::default();
        if self.eat('*') {
            if self.rest().starts_with('|') && !self.rest().starts_with("|=") {
                self.at += 1;
                if !self.eat('*') {
                    compound.name = Some(self.type_name()?);
                }
            }
        } else if self.rest().starts_with('|') && !self.rest().starts_with("||") {
            // `|a` is an element without namespace; HTML has none.
            self.at += 1;
            if !self.eat('*') {
                compound.name = Some(self.type_name()?);
            }
            compound.conditions.push(Ex::Boolean(false));
        } else if let Some(name) = self.name() {
            let span = Span::new(start, self.at);
            compound.name = Some(self.slot(name, false, span));
        }
        loop {
            self.skip_comments();
            match self.peek() {
                Some('#') => {
                    self.at += 1;
                    let Some(name) = self.name() else { return Err(self.unexpected("an id")) };
                    compound.conditions.push(css(CssTest::Id(name.into())));
                }
                Some('.') => {
                    self.at += 1;
                    let Some(name) = self.name() else { return Err(self.unexpected("a class name")) };
                    compound.conditions.push(css(CssTest::Class(name.into())));
                }
                Some('[') => compound.conditions.push(self.attribute()?),
                Some(':') if self.rest().starts_with("::") => {
                    *pseudo = Some(self.pseudo_element(kind)?);
                    return Ok(compound);
                }
                Some(':') => {
                    let (condition, depth) = self.pseudo_class()?;
                    compound.depth = compound.depth.max(depth);
                    compound.conditions.push(condition);
                }
                _ if self.at == start => return Err(self.unexpected("a selector such as `a`, `.class` or `#id`")),
                _ => return Ok(compound),
            }
        }
    }

    fn type_name(&mut self) -> Result<Slot, ParseError> {
        let start = self.at;
        match self.name() {
            Some(name) => Ok(self.slot(name, false, Span::new(start, self.at))),
            None => Err(self.unexpected("an element name")),
        }
    }

    fn slot(&mut self, exact: String, is_attribute: bool, span: Span) -> Slot {
        self.compiler.slot(NameRef { prefix: None, exact, is_attribute, span })
    }

    /// Parses `[name]`, `[name=value]`, `[name*="value" i]`, `[*|name]`, …
    fn attribute(&mut self) -> Result<Ex, ParseError> {
        self.at += 1;
        self.skip_space();
        let any_namespace = self.rest().starts_with("*|");
        if any_namespace {
            self.at += 2;
        } else {
            // `[|name]` is equivalent to `[name]`.
            self.eat('|');
        }
        let start = self.at;
        let Some(name) = self.name() else { return Err(self.unexpected("an attribute name")) };
        let insensitive = INSENSITIVE.contains(&name.to_ascii_lowercase().as_str());
        let span = Span::new(start, self.at);
        let mut slots = vec![self.slot(name.clone(), true, span)];
        if any_namespace {
            for prefix in ["xlink", "xml"] {
                let (prefix, exact) = (Some(prefix.to_owned()), name.clone());
                slots.push(self.compiler.slot(NameRef { prefix, exact, is_attribute: true, span }));
            }
        }
        let condition = |test: AttributeTest| match slots.as_slice() {
            [slot] => Ex::Attribute(*slot, test),
            slots => Ex::Or(slots.iter().map(|&slot| Ex::Attribute(slot, test.clone())).collect()),
        };
        self.skip_space();
        if self.eat(']') {
            return Ok(condition(AttributeTest::Present));
        }
        let operator = match self.peek() {
            Some('=') => CssOperator::Equal,
            Some('~') => CssOperator::Word,
            Some('|') => CssOperator::Dash,
            Some('^') => CssOperator::Prefix,
            Some('$') => CssOperator::Suffix,
            Some('*') => CssOperator::Part,
            _ => return Err(self.unexpected("`]` or an operator such as `=`")),
        };
        if operator != CssOperator::Equal {
            self.at += 1;
        }
        self.expect('=', "`=`")?;
        self.skip_space();
        let value = match self.string()? {
            Some(value) => value,
            None => self.name().ok_or_else(|| self.unexpected("a name or a string in quotes"))?,
        };
        self.skip_space();
        let case = match self.peek() {
            Some('i' | 'I') => Case::Insensitive,
            Some('s' | 'S') => Case::Sensitive,
            _ if insensitive => Case::InsensitiveInHtml,
            _ => Case::Sensitive,
        };
        if matches!(self.peek(), Some('i' | 'I' | 's' | 'S')) {
            self.at += 1;
            self.skip_space();
        }
        self.expect(']', "`]`")?;
        Ok(condition(match (operator, case) {
            (CssOperator::Equal, Case::Sensitive) => AttributeTest::Equal(value.into()),
            _ => AttributeTest::Css(operator, value.into(), case),
        }))
    }

    fn pseudo_element(&mut self, kind: Kind) -> Result<PseudoElement, ParseError> {
        let start = self.at;
        self.at += 2;
        let name = self.name().unwrap_or_default();
        let pseudo = match name.to_ascii_lowercase().as_str() {
            "text" if kind == Kind::Whole => Some(PseudoElement::Text),
            "attr" if kind == Kind::Whole && self.eat('(') => {
                self.skip_space();
                let name_start = self.at;
                let Some(name) = self.name() else { return Err(self.unexpected("an attribute name")) };
                let slot = self.slot(name, true, Span::new(name_start, self.at));
                self.skip_space();
                self.expect(')', "`)`")?;
                Some(PseudoElement::Attribute(slot))
            }
            _ => None,
        };
        pseudo.ok_or(ParseError::UnknownPseudoElement { name, span: Span::new(start, self.at) })
    }

    // ---- pseudo-classes ----

    /// Parses a pseudo-class to a condition; also returns its nesting depth.
    fn pseudo_class(&mut self) -> Result<(Ex, usize), ParseError> {
        let start = self.at;
        self.at += 1;
        let written = self.name().unwrap_or_default();
        let name = written.to_ascii_lowercase();
        let span = Span::new(start, self.at);
        let unknown = || ParseError::UnknownPseudoClass { name: written.clone(), hint: hint(&name), span };
        if self.eat('(') {
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return Err(ParseError::TooDeep { limit: MAX_DEPTH, span });
            }
            let nth = |from_end, same_type| (from_end, same_type);
            let (condition, depth) = match name.as_str() {
                "is" | "where" | "not" | "has" => self.selectors(&name)?,
                "nth-child" => self.nth(nth(false, false))?,
                "nth-last-child" => self.nth(nth(true, false))?,
                "nth-of-type" => self.nth(nth(false, true))?,
                "nth-last-of-type" => self.nth(nth(true, true))?,
                "lang" => (self.lang()?, 0),
                _ => return Err(unknown()),
            };
            self.skip_space();
            self.expect(')', "`)`")?;
            self.depth -= 1;
            return Ok((condition, depth + 1));
        }
        let mut at = |offset_from_end: bool, same_type: bool| {
            let among = if same_type { Among::SameType } else { Among::All };
            let counter = self.compiler.counter();
            css(CssTest::Nth(Nth { step: 0, offset: 1, from_end: offset_from_end, among, counter }))
        };
        let condition = match name.as_str() {
            "first-child" => at(false, false),
            "last-child" => at(true, false),
            "only-child" => Ex::And([at(false, false), at(true, false)].into()),
            "first-of-type" => at(false, true),
            "last-of-type" => at(true, true),
            "only-of-type" => Ex::And([at(false, true), at(true, true)].into()),
            "empty" => css(CssTest::Empty),
            "root" => css(CssTest::Root),
            "scope" => css(CssTest::Scope),
            "checked" => css(CssTest::Checked),
            "disabled" => css(CssTest::Disabled),
            "enabled" => css(CssTest::Enabled),
            "link" | "any-link" => css(CssTest::Link),
            _ => return Err(unknown()),
        };
        Ok((condition, 0))
    }

    fn selectors(&mut self, name: &str) -> Result<(Ex, usize), ParseError> {
        self.skip_space();
        // The only list that may be empty; it matches nothing.
        if self.peek() == Some(')') && matches!(name, "is" | "where") {
            return Ok((Ex::Boolean(false), 0));
        }
        let selectors = self.list(if name == "has" { Kind::Relative } else { Kind::Inner })?;
        let depth = selectors.iter().map(Complex::depth).max().unwrap_or(0);
        let condition = match name {
            "not" => Ex::Not(Box::new(any_of(&selectors))),
            "has" => has(&selectors),
            _ => any_of(&selectors),
        };
        Ok((condition, depth))
    }

    fn lang(&mut self) -> Result<Ex, ParseError> {
        let mut ranges = Vec::new();
        loop {
            self.skip_space();
            let range = match self.string()? {
                Some(range) => range,
                None => self.name().ok_or_else(|| self.unexpected("a language such as `en`"))?,
            };
            ranges.push(range.into());
            self.skip_space();
            if !self.eat(',') {
                return Ok(css(CssTest::Lang(ranges.into())));
            }
        }
    }

    /// Parses the argument of `:nth-child()` or a similar pseudo-class.
    fn nth(&mut self, (from_end, same_type): (bool, bool)) -> Result<(Ex, usize), ParseError> {
        self.skip_space();
        let start = self.at;
        let length = self.rest().find(|c: char| !c.is_ascii_alphanumeric() && !"+- \t\n\r\x0c".contains(c));
        let text = &self.rest()[..length.unwrap_or(self.rest().len())];
        // `of` ends the position; the letters of a position cannot form that word.
        let of = text.to_ascii_lowercase().find("of").filter(|_| !same_type);
        let position = text[..of.unwrap_or(text.len())].trim_end();
        let bad = || ParseError::BadNth { found: position.to_owned(), span: Span::new(start, start + position.len()) };
        let (step, offset) = parse_nth(position).ok_or_else(bad)?;
        self.at = start + position.len();
        let spaced = self.skip_space();
        let mut depth = 0;
        let among = match of {
            Some(_) => {
                if !spaced {
                    return Err(bad());
                }
                self.at += 2;
                let selectors = self.list(Kind::Inner)?;
                depth = selectors.iter().map(Complex::depth).max().unwrap_or(0);
                Among::Matching(any_of(&selectors))
            }
            None if same_type => Among::SameType,
            None => Among::All,
        };
        let counter = self.compiler.counter();
        Ok((css(CssTest::Nth(Nth { step, offset, from_end, among, counter })), depth))
    }
}

fn css(test: CssTest) -> Ex {
    Ex::Css(Box::new(test))
}

/// Parses `odd`, `even`, `3`, `2n+1`, `-n + 3`, …
fn parse_nth(text: &str) -> Option<(i32, i32)> {
    let text = text.to_ascii_lowercase();
    match text.as_str() {
        "odd" => return Some((2, 1)),
        "even" => return Some((2, 0)),
        _ => {}
    }
    // Digits with an optional sign directly before them; numbers that are too large cannot be reached anyway.
    let integer = |text: &str| -> Option<i32> {
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let value = digits.parse().unwrap_or(i32::MAX);
        Some(if text.starts_with('-') { -value } else { value })
    };
    let Some((step, offset)) = text.split_once('n') else { return Some((0, integer(&text)?)) };
    let step = match step {
        "" | "+" => 1,
        "-" => -1,
        step => integer(step)?,
    };
    let offset = offset.trim_matches([' ', '\t', '\n', '\r', '\x0c']);
    if offset.is_empty() {
        return Some((step, 0));
    }
    let sign = offset.chars().next().filter(|c| matches!(c, '+' | '-'))?;
    let digits = offset[1..].trim_start_matches([' ', '\t', '\n', '\r', '\x0c']);
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let value = integer(digits)?;
    Some((step, if sign == '-' { -value } else { value }))
}

/// Suggests what to write instead of a pseudo-class that is not supported.
fn hint(name: &str) -> String {
    let advice = match name {
        "contains" | "has-text" | "-soup-contains" | "icontains" | "text" => {
            "CSS cannot look at text: use XPath, as in `//p[contains(., 'text')]`"
        }
        "eq" | "gt" | "lt" | "first" | "last" | "even" | "odd" | "nth" => {
            "this is specific to jQuery: use `:nth-child()`, or XPath's `(…)[n]`"
        }
        "parent" | "header" | "input" | "button" | "checkbox" | "visible" | "hidden" | "selected" => {
            "this is specific to jQuery, not CSS"
        }
        "hover" | "focus" | "active" | "visited" | "target" | "focus-within" | "focus-visible" => {
            "a page that is not displayed has no such state"
        }
        "before" | "after" | "first-line" | "first-letter" => "generated content is not part of the document",
        "matches" | "-webkit-any" | "any" => "write `:is()`",
        "is" | "where" | "not" | "has" | "nth-child" | "nth-last-child" | "nth-of-type" | "nth-last-of-type"
        | "lang" => {
            return format!("`:{name}` needs an argument in parentheses");
        }
        _ if PSEUDO_CLASSES.contains(&name) => return format!("`:{name}` takes no argument"),
        _ => return format!("did you mean `:{}`?", nearest(name, &PSEUDO_CLASSES)),
    };
    advice.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions() {
        for (text, expected) in [
            ("odd", (2, 1)),
            ("EVEN", (2, 0)),
            ("3", (0, 3)),
            ("-3", (0, -3)),
            ("n", (1, 0)),
            ("-n+3", (-1, 3)),
            ("2n + 1", (2, 1)),
            ("+2n- 1", (2, -1)),
            ("0n+0", (0, 0)),
            ("99999999999n", (i32::MAX, 0)),
        ] {
            assert_eq!(parse_nth(text), Some(expected), "{text}");
        }
        for text in ["", "x", "2n+", "2n 1", "n2", "+ 3", "2 n", "1n+-1", "nn", "--1"] {
            assert_eq!(parse_nth(text), None, "{text}");
        }
    }

    #[test]
    fn names_undo_escapes() {
        let mut compiler = Compiler::default();
        let mut parser = Parser { source: r"\31 0\:a\.b-é{", at: 0, depth: 0, compiler: &mut compiler };
        assert_eq!(parser.name().as_deref(), Some("10:a.b-é"));
        assert_eq!(parser.peek(), Some('{'));
    }
}
