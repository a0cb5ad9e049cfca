//! WTM rule XML: a start rule and an end rule for each field of a weblog entry.
//!
//! ```xml
//! <StalkerRules>
//!   <Data DType="Title"><start>&lt;h3[^>]*\sclass="storytitle"[^>]*>\s*&lt;a[^>]*></start><end>&lt;/a></end></Data>
//!   <Data DType="Link"><start>&lt;h3[^>]*\sclass="storytitle"[^>]*>\s*&lt;a[^>]*\shref="</start><end>"</end></Data>
//! </StalkerRules>
//! ```
//!
//! Paper: M. Zhang, Y. Zhou, J. Patrick, "Automatic Extraction of Complex Web Data", PACIS 2006, Table 4. Its storage
//! manager writes each rule as a regular expression, "so that any weblog crawlers can use them". The rules written
//! here ([`dialect`]) find the same places when a regular expression engine runs them on the page. The reader
//! ([`idioms`]) accepts these and the shorter forms that people write, as above.
//!
//! # Resulting wrapper
//!
//! One list, `entries`. The paper's data stand in the order of the page, so the first start rule begins an entry.
//! Each datum is a field between its two token rules: `title`, `date`, `link`, `body` (HTML), and our additions
//! `author` and `categories`. If a start rule ends within a tag, after `href="`, its value is that attribute: `<h3>
//! <a href=#>`.
//!
//! An entry without its first datum is not recognised: its data fall into the previous entry, which has its own, so
//! they are lost. The other data may be missing, and may stand in any order.
//!
//! # Departures from the paper
//!
//! A page may lack a datum, as a feed's items may; `optional="false"` on a `Data` makes it required. The types
//! `Author` and `Categories` are additions, and so are headers such as a name in comments before `<StalkerRules>`.
//! White space between the tokens of a rule is not kept. A file that uses none of these conforms to the paper's
//! schema.
//!
//! # Cost
//!
//! One pass over the file. Document type declarations and entities other than XML's five are rejected.

mod dialect;
mod idioms;
mod tokens;

use quick_xml::Reader;
use quick_xml::escape::{partial_escape, resolve_predefined_entity};
use quick_xml::events::{BytesStart, Event};
use windrow_xpath::Span;

use self::dialect::to_regex;
use self::idioms::from_regex;
use self::tokens::{AttributeTest, Token, from_rule, place_of, to_rule};
use super::header;
use crate::error::{Errors, WrapperError, nearest};
use crate::values::Type;
use crate::wrapper::{Find, Kind, Landmark, Locator, Rule, Text, Wrapper};

/// Name of the format in messages.
const FORMAT: &str = "WTM rules";

/// Name of the list.
const ENTRIES: &str = "entries";

/// The data: name in the file, name of the field, and type.
const DATA: [(&str, &str, Type); 6] = [
    ("Title", "title", Type::String),
    ("Date", "date", Type::Date),
    ("Link", "link", Type::Url),
    ("Body", "body", Type::Html),
    ("Author", "author", Type::String),
    ("Categories", "categories", Type::String),
];

const HINT: &str = "a rule is tags, texts and `.*?`, such as <h3[^>]*>\\s*<a[^>]*>";

/// Limits of the dialect.
const BOUNDS: &str =
    "a tag may have at most three attributes, or a single open one; a class at most three words; a comment no `--`";

/// Reads rule XML.
pub(crate) fn read(text: &str) -> Result<Wrapper, Errors> {
    let begin = text.trim_start().get(..14).unwrap_or_default().to_ascii_lowercase();
    if begin.starts_with("<!doctype html") || begin.starts_with("<html") {
        let hint = Some("give the rules with -w, followed by the page".to_owned());
        return Err(syntax("it is an HTML page".to_owned(), hint, Span::new(0, 0)).into());
    }
    let mut file = File::default();
    if let Err(error) = file.elements(text) {
        file.errors.push(*error);
    }
    let File { mut wrapper, paths, data, mut errors } = file;
    let mut list: Option<Rule> = None;
    for datum in data {
        let name = datum.kind.1;
        if list.as_ref().is_some_and(|list| list.rules.iter().any(|rule| &*rule.name == name)) {
            errors.push(WrapperError::DuplicateName { name: datum.kind.0.to_owned(), span: Some(datum.span) });
            continue;
        }
        match field(&datum) {
            Ok((first, rule)) => {
                let start = || Locator::new(Find::Landmark(Landmark::Each(first)));
                list.get_or_insert_with(|| Rule::list(ENTRIES, start())).rules.push(rule);
            }
            Err(error) => errors.push(*error),
        }
    }
    if list.is_none() && errors.is_empty() {
        let hint = Some("<Data DType=\"Title\"><start>&lt;h3></start><end>&lt;/h3></end></Data>".to_owned());
        errors.push(WrapperError::MissingKey { key: "Data", place: "StalkerRules", hint, span: Some(Span::new(0, 0)) });
    }
    wrapper.rules.extend(list);
    paths.give(&mut wrapper);
    Errors::unless_empty(errors, wrapper)
}

/// One `Data` element.
struct Datum {
    kind: (&'static str, &'static str, Type),
    optional: bool,
    start: Option<Text>,
    end: Option<Text>,
    /// Place of its start tag.
    span: Span,
}

#[derive(Default)]
struct File {
    wrapper: Wrapper,
    paths: header::Paths,
    data: Vec<Datum>,
    errors: Vec<WrapperError>,
}

/// The innermost open element.
#[derive(Debug, Clone, Copy, PartialEq)]
enum OpenElement {
    Outside,
    Rules,
    Data,
    Start,
    End,
}

impl File {
    /// Walks over the elements; an error that ends the walk is returned.
    fn elements(&mut self, text: &str) -> Result<(), Box<WrapperError>> {
        let mut reader = Reader::from_str(text);
        reader.config_mut().expand_empty_elements = true;
        let mut place = OpenElement::Outside;
        // Nesting depth inside an unexpected element.
        let mut strange = 0usize;
        let (mut rule, mut from, mut seen) = (String::new(), 0, false);
        loop {
            let begin = reader.buffer_position() as usize;
            let event = reader.read_event();
            let end = reader.buffer_position() as usize;
            let span = Span::new(begin.min(text.len()), end.min(text.len()));
            let event = event.map_err(|error| {
                let at = (reader.error_position() as usize).min(text.len());
                Box::new(syntax(error.to_string(), None, Span::new(at, at)))
            })?;
            match event {
                Event::Eof if place == OpenElement::Outside && seen => return Ok(()),
                Event::Eof => {
                    let message = if seen { "an element is not closed" } else { "there is no element" };
                    let hint = Some("rules are enclosed in <StalkerRules>".to_owned());
                    return Err(Box::new(syntax(message.to_owned(), hint, span)));
                }
                Event::DocType(_) => {
                    let hint = Some("remove the document type declaration".to_owned());
                    return Err(Box::new(syntax("document types are not allowed".to_owned(), hint, span)));
                }
                Event::Comment(comment) if place == OpenElement::Outside && !seen => {
                    for line in comment.into_inner().lines() {
                        header::take(&mut self.wrapper, &mut self.paths, line);
                    }
                }
                Event::Start(_) if strange > 0 => strange += 1,
                Event::End(_) if strange > 0 => strange -= 1,
                Event::Start(element) => {
                    let (next, expected) = match (place, element.name().0) {
                        (OpenElement::Outside, "StalkerRules") if !seen => (Some(OpenElement::Rules), "StalkerRules"),
                        (OpenElement::Outside, _) => (None, "StalkerRules"),
                        (OpenElement::Rules, "Data") => (Some(OpenElement::Data), "Data"),
                        (OpenElement::Rules, _) => (None, "Data"),
                        (OpenElement::Data, "start") => (Some(OpenElement::Start), "start"),
                        (OpenElement::Data, "end") => (Some(OpenElement::End), "end"),
                        (OpenElement::Data, _) => (None, "`start` or `end"),
                        (OpenElement::Start | OpenElement::End, _) => (None, ""),
                    };
                    let Some(next) = next else {
                        self.errors.push(unknown(element.name().0, place, expected, span));
                        strange = 1;
                        seen = true;
                        continue;
                    };
                    if next == OpenElement::Data && !self.datum(&element, span) {
                        strange = 1;
                        continue;
                    }
                    seen = true;
                    (place, from) = (next, end);
                    rule.clear();
                }
                Event::End(_) => {
                    let content = Text::at(rule.trim(), Span::new(from, begin.max(from)), false);
                    place = match place {
                        OpenElement::Outside | OpenElement::Rules => OpenElement::Outside,
                        OpenElement::Data => OpenElement::Rules,
                        inner => {
                            self.rule(inner, content, span);
                            OpenElement::Data
                        }
                    };
                }
                Event::Text(part) if matches!(place, OpenElement::Start | OpenElement::End) && strange == 0 => {
                    rule.push_str(&part.xml10_content());
                }
                Event::CData(part) if matches!(place, OpenElement::Start | OpenElement::End) && strange == 0 => {
                    rule.push_str(&part.xml10_content());
                }
                Event::Text(part) if !part.trim().is_empty() => {
                    let hint = Some("rules are enclosed in <start> and <end>".to_owned());
                    self.errors.push(syntax("unexpected text between the elements".to_owned(), hint, span));
                }
                Event::GeneralRef(entity) => {
                    let char = entity.resolve_char_ref().ok().flatten().map(String::from);
                    match char.or_else(|| resolve_predefined_entity(&entity.into_inner()).map(str::to_owned)) {
                        Some(resolved) => rule.push_str(&resolved),
                        None => {
                            let hint =
                                Some("there are `&lt;`, `&gt;`, `&amp;`, `&quot;`, `&apos;` and numbers".to_owned());
                            self.errors.push(syntax("an entity is unknown".to_owned(), hint, span));
                        }
                    }
                }
                _ => {}
            }
            if self.errors.len() >= MAX_ERRORS {
                return Ok(());
            }
        }
    }

    /// Reads a `Data` element; returns `false` if it is wrong.
    fn datum(&mut self, element: &BytesStart<'_>, span: Span) -> bool {
        let (mut kind, mut optional) = (None, true);
        for attribute in element.attributes() {
            let attribute = match attribute {
                Ok(attribute) => attribute,
                Err(error) => {
                    self.errors.push(syntax(error.to_string(), None, span));
                    return false;
                }
            };
            let value = &*attribute.value;
            match attribute.key.0 {
                "DType" => match DATA.into_iter().find(|(name, _, _)| *name == value) {
                    Some(found) => kind = Some(found),
                    None => {
                        let names: Vec<String> = DATA.iter().map(|(name, _, _)| format!("`{name}`")).collect();
                        let near = nearest(value, DATA.iter().map(|(name, _, _)| *name));
                        self.errors.push(WrapperError::WrongValue {
                            key: "DType".to_owned(),
                            expected: format!("one of {}", names.join(", ")),
                            found: format!("`{value}`"),
                            hint: near.map(|name| format!("did you mean `{name}`?")),
                            span: Some(span),
                        });
                        return false;
                    }
                },
                "optional" if matches!(value, "true" | "false") => optional = value == "true",
                "optional" => {
                    let (key, expected) = ("optional".to_owned(), "`true` or `false`".to_owned());
                    let (found, span) = (format!("`{value}`"), Some(span));
                    self.errors.push(WrapperError::WrongValue { key, expected, found, hint: None, span });
                }
                key => {
                    let hint = Some("it may have `DType` and `optional`".to_owned());
                    let key = key.to_owned();
                    self.errors.push(WrapperError::UnknownKey { key, place: "a Data element", hint, span: Some(span) });
                }
            }
        }
        let Some(kind) = kind else {
            let hint = Some("<Data DType=\"Title\">".to_owned());
            self.errors.push(WrapperError::MissingKey {
                key: "DType",
                place: "a Data element",
                hint,
                span: Some(span),
            });
            return false;
        };
        self.data.push(Datum { kind, optional, start: None, end: None, span });
        true
    }

    fn rule(&mut self, place: OpenElement, content: Text, span: Span) {
        let Some(datum) = self.data.last_mut() else { return };
        let (slot, name) = match place {
            OpenElement::Start => (&mut datum.start, "start"),
            _ => (&mut datum.end, "end"),
        };
        if slot.is_some() {
            let (first, second) = (name.to_owned(), name.to_owned());
            let hint = Some("a Data element has one of each".to_owned());
            self.errors.push(WrapperError::ConflictingKeys { first, second, hint, span: Some(span) });
        }
        *slot = Some(content);
    }
}

/// Number of errors after which reading stops.
const MAX_ERRORS: usize = 100;

fn syntax(message: String, hint: Option<String>, span: Span) -> WrapperError {
    WrapperError::Syntax { format: "WTM rule XML", message, hint, span: Some(span) }
}

fn unknown(key: &str, place: OpenElement, expected: &str, span: Span) -> WrapperError {
    let (place, hint) = match place {
        OpenElement::Outside => ("the file", format!("there is one `{expected}`")),
        OpenElement::Rules => ("StalkerRules", format!("there are `{expected}` elements")),
        OpenElement::Data => ("a Data element", format!("there are {expected}`")),
        OpenElement::Start | OpenElement::End => ("a rule", "write `&lt;` for `<`".to_owned()),
    };
    WrapperError::UnknownKey { key: key.to_owned(), place, hint: Some(hint), span: Some(span) }
}

/// Returns the token rule that the datum begins with, and its field.
fn field(datum: &Datum) -> Result<(Text, Rule), Box<WrapperError>> {
    let (kind, name, ty) = datum.kind;
    let wrong = |message: String, text: &Text| {
        let (rule, hint, span) = (kind.to_owned(), Some(HINT.to_owned()), text.span);
        Box::new(WrapperError::BadRegex { rule, message, hint, span })
    };
    let Some(start) = datum.start.as_ref().filter(|start| !start.is_empty()) else {
        let hint = Some("<start>&lt;h3[^>]*></start>".to_owned());
        let (key, place, span) = ("start", "a Data element", Some(datum.span));
        return Err(Box::new(WrapperError::MissingKey { key, place, hint, span }));
    };
    let rule = |tokens: &[Token], text: &Text| match to_rule(tokens) {
        // Everything that is read must be writable.
        Some(_) if to_regex(tokens).is_none() => Err(wrong(BOUNDS.to_owned(), text)),
        Some(rule) if tokens.iter().any(|token| *token != Token::Skip) => {
            Ok(Text { value: rule, span: text.span, exact: false })
        }
        Some(_) => Err(wrong("it contains no token".to_owned(), text)),
        None => Err(wrong("a text has both kinds of quotes".to_owned(), text)),
    };
    let tokens = from_regex(start).map_err(|message| wrong(message, start))?;
    let first = rule(&place_of(&tokens), start)?;
    let end = datum.end.as_ref().filter(|end| !end.is_empty());
    let end = match (has_value(&tokens), end) {
        (true, Some(end)) if !VALUE_ENDS.contains(&&**end) => {
            return Err(wrong("a value ends with its quote".to_owned(), end));
        }
        (true, _) | (false, None) => None,
        (false, Some(end)) => match from_regex(end).map_err(|message| wrong(message, end))? {
            tokens if has_value(&tokens) => return Err(wrong("it ends within a tag".to_owned(), end)),
            tokens => Some(rule(&tokens, end)?),
        },
    };
    let locator = Locator::new(Find::Landmark(Landmark::Between { start: rule(&tokens, start)?, end }));
    let mut field = Rule::field(name, locator).typed(ty);
    field.optional = datum.optional;
    Ok((first, field))
}

/// Expressions for the end of an attribute's value.
const VALUE_ENDS: [&str; 4] = [dialect::CLOSE, "\"", "'", "[\"']"];

/// Returns `true` if the value is an attribute of the last tag.
fn has_value(tokens: &[Token]) -> bool {
    match tokens.last() {
        Some(Token::Start { attributes, .. }) => attributes.iter().any(|(_, wanted)| *wanted == AttributeTest::Value),
        _ => false,
    }
}

/// Writes rule XML.
pub(crate) fn write(wrapper: &Wrapper) -> Result<String, Errors> {
    let refuse = |rule: &Rule, message: &str| {
        let (rule, span) = (rule.name.value.clone(), rule.name.span);
        Errors::from(WrapperError::NotExpressible { rule, format: FORMAT, message: message.to_owned(), span })
    };
    let (list, start) = match wrapper.rules.as_slice() {
        [list] => match &list.locator.find {
            Find::Landmark(Landmark::Each(start)) => (list, start),
            Find::Landmark(Landmark::Between { .. })
            | Find::Scope
            | Find::Expression(_)
            | Find::XPath(_)
            | Find::Css(_)
            | Find::Pattern(_)
            | Find::Split(_)
            | Find::Table(_)
            | Find::Column(_)
            | Find::Case(_)
            | Find::Get(_) => {
                return Err(refuse(list, "records have to begin with a token rule"));
            }
        },
        rules => return Err(refuse(rules.get(1).unwrap_or(&Rule::list("", "")), "the format allows only one list")),
    };
    if !list.key.is_empty() {
        return Err(refuse(list, "the format has no place for its `key`"));
    }
    let plain = Rule { rules: Vec::new(), name: list.name.clone(), ..Rule::list(ENTRIES, list.locator.clone()) };
    let bare = Rule { rules: Vec::new(), path: None, ..list.clone() };
    if bare != plain || &*list.name != ENTRIES || list.locator != Locator::new(list.locator.find.clone()) {
        return Err(refuse(list, "the list must be named `entries`, be required, and have no refinements"));
    }
    if list.rules.is_empty() {
        return Err(refuse(list, "it has no fields"));
    }
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    for line in header::lines(wrapper, true) {
        xml.push_str(&format!("<!-- {line} -->\n"));
    }
    xml.push_str("<StalkerRules>\n");
    for (index, rule) in list.rules.iter().enumerate() {
        let Some((kind, _, _)) = DATA.into_iter().find(|(_, name, ty)| *name == &*rule.name && *ty == rule.ty) else {
            return Err(refuse(
                rule,
                "the fields must be title, date, link, body, author and categories, each with its own type",
            ));
        };
        let mut expected = Rule::field(rule.name.clone(), rule.locator.clone()).typed(rule.ty);
        (expected.optional, expected.path) = (rule.optional, rule.path.clone());
        if expected != *rule || rule.kind != Kind::Field {
            return Err(refuse(rule, "here a field can have no label, members or rules of its own"));
        }
        let Some((first, begin, end)) = regexes(&rule.locator) else {
            return Err(refuse(
                rule,
                "it has to lie between two token rules, or be an attribute: `landmark = { start = '<h3> <a href=#>' }`; \
                 a tag names at most three attributes, and none beside `#`",
            ));
        };
        if index == 0 && from_rule(start).as_ref() != Some(&place_of(&first)) {
            return Err(refuse(rule, "the first field must begin with the token rule of the records"));
        }
        let optional = if rule.optional { "" } else { " optional=\"false\"" };
        let (begin, end) = (partial_escape(begin), partial_escape(end));
        xml.push_str(&format!(
            "  <Data DType=\"{kind}\"{optional}>\n    <start>{begin}</start>\n    <end>{end}</end>\n  </Data>\n"
        ));
    }
    xml.push_str("</StalkerRules>\n");
    Ok(xml)
}

/// Returns the tokens that a field begins with, and its two regular expressions.
fn regexes(locator: &Locator) -> Option<(Vec<Token>, String, String)> {
    let Find::Landmark(Landmark::Between { start, end }) = &locator.find else { return None };
    if *locator != Locator::new(locator.find.clone()) {
        return None;
    }
    let tokens = from_rule(start)?;
    let begin = to_regex(&tokens)?;
    let end = match end {
        _ if has_value(&tokens) => dialect::CLOSE.to_owned(),
        None => String::new(),
        Some(end) => to_regex(&from_rule(end)?)?,
    };
    Some((tokens, begin, end))
}
