//! Plain lists of XPath expressions: one a line, with a name.
//!
//! ```text
//! # list: ads
//! records = //table[@id='results']/tbody/tr
//! title = //table[@id='results']/tbody/tr/td[1]/a
//! link: //table[@id='results']/tbody/tr/td[1]/a/@href
//! pay? = td[3]
//! ```
//!
//! Between name and expression stands `=`, `:` or a tab; `name?` may be missing. `#` begins a comment line. The fields of a
//! list either begin with the path of its records or are relative to them. A path that ends in `@href` or `@src` is a `url`.
//!
//! | line | what follows |
//! |---|---|
//! | `# list: name` | the fields of one list; it is called `records` without such a line |
//! | `# page:` | fields of the page itself |
//! | `# values:` | page-wide lists of values, one for each line |
//!
//! Paper: D. Nikovski, A. Esenther, A. Baba, "Semi-Supervised Information Extraction From Variable-Length Web-Page Lists"
//! (2009), section 3.1: one absolute path for each field, every step with its index but for the one that is the record.
//! So without a `records` line, the record is the last step without an index that all the paths have in common:
//!
//! ```text
//! title = /html[1]/body[1]/table[1]/tbody[1]/tr/td[2]        records = /html[1]/body[1]/table[1]/tbody[1]/tr
//! price = /html[1]/body[1]/table[1]/tbody[1]/tr/td[4]        title = td[2], price = td[4]
//! ```
//!
//! With a single path, or paths that have no such step in common, each is a list of values.
//!
//! # Departures from the paper
//!
//! The paper runs each path on the whole page and leaves it open which values belong together; here they are fields of a
//! record, so that a record may lack one.
//!
//! # Cost
//!
//! Linear in the file.

use std::collections::HashSet;

use windrow_xpath::{Expr, Language, Span};

use super::{MAX_RULES, header};
use crate::error::{Errors, WrapperError};
use crate::values::Type;
use crate::wrapper::{Find, Kind, Locator, Rule, Text, Wrapper};

/// How messages call these files.
pub(super) const FORMAT: &str = "a list of XPath expressions";

/// The name of a list that is given none.
pub(super) const RECORDS: &str = "records";

/// Reading stops after so many errors.
const MAX_ERRORS: usize = 100;

/// What the lines behind a header are.
#[derive(Debug)]
enum Section {
    /// Whatever they look like: there was no header.
    Plain,
    List(Text),
    Page,
    Values,
}

/// One line.
pub(super) struct Line {
    pub(super) name: Text,
    pub(super) optional: bool,
    pub(super) path: Text,
}

/// Reads a list of expressions.
pub(crate) fn read(text: &str) -> Result<Wrapper, Errors> {
    let mut reader = Reader { wrapper: Wrapper::default(), names: HashSet::new(), rules: 0, errors: Vec::new() };
    let (mut section, mut records, mut lines) = (Section::Plain, None, Vec::new());
    let mut paths = header::Paths::default();
    let (mut at, mut top) = (0, true);
    for line in text.split_inclusive('\n') {
        let (begin, place) = (at, at..at + line.len());
        at = place.end;
        let line = trim(text, begin, at);
        let content = &text[line.start..line.end];
        if let Some(comment) = content.strip_prefix('#') {
            if let Some(next) = header_line(comment, line.end) {
                reader.section(section, records.take(), std::mem::take(&mut lines));
                (section, top) = (next, false);
            } else if top {
                header::take(&mut reader.wrapper, &mut paths, comment);
            }
            continue;
        }
        if content.is_empty() {
            continue;
        }
        top = false;
        reader.rules += 1;
        if reader.rules > MAX_RULES {
            reader.errors.push(WrapperError::TooLarge { what: "rules", limit: MAX_RULES, span: Some(line) });
            break;
        }
        if reader.errors.len() >= MAX_ERRORS {
            break;
        }
        match parse(text, line) {
            Err(error) => reader.errors.push(*error),
            Ok(line) if matches!(&*line.name, "records" | "record") => match records {
                Some(_) => {
                    let (first, second) = ("records".to_owned(), line.name.value);
                    let hint = Some("begin another list with a line `# list: name`".to_owned());
                    reader.errors.push(WrapperError::ConflictingKeys { first, second, hint, span: line.name.span });
                }
                None => records = Some(line.path),
            },
            Ok(line) => lines.push(line),
        }
    }
    reader.section(section, records, lines);
    paths.give(&mut reader.wrapper);
    if reader.wrapper.rules.is_empty() && reader.errors.is_empty() {
        let (message, hint) = ("there is no line".to_owned(), Some("write `title = //h1`".to_owned()));
        reader.errors.push(WrapperError::Syntax { format: FORMAT, message, hint, span: Some(Span::new(0, 0)) });
    }
    Errors::unless_empty(reader.errors, reader.wrapper)
}

struct Reader {
    wrapper: Wrapper,
    /// Of the rules of the page.
    names: HashSet<String>,
    rules: usize,
    errors: Vec<WrapperError>,
}

impl Reader {
    /// Adds the rules of a section.
    fn section(&mut self, section: Section, records: Option<Text>, lines: Vec<Line>) {
        let single = match (&section, &records) {
            (Section::Page, None) => Some(false),
            (Section::Values, None) => Some(true),
            (Section::Page | Section::Values, Some(records)) => {
                let (first, second) = ("# page:".to_owned(), "records".to_owned());
                let hint = Some("records belong to a list: `# list: name`".to_owned());
                self.errors.push(WrapperError::ConflictingKeys { first, second, hint, span: records.span });
                return;
            }
            (Section::Plain, None) if lines.is_empty() => return,
            (Section::Plain, None) if derive(&lines).is_none() => Some(true),
            _ => None,
        };
        if let Some(values) = single {
            for line in lines {
                let rule = rule(if values { Kind::List } else { Kind::Field }, &line, line.path.clone());
                self.push(rule);
            }
            return;
        }
        let name = match section {
            Section::List(name) => name,
            _ => Text::from(RECORDS),
        };
        let Some(records) = records.or_else(|| derive(&lines)) else {
            let hint = Some("records = //table/tbody/tr".to_owned());
            self.errors.push(WrapperError::MissingKey { key: "records", place: "a list", hint, span: name.span });
            return;
        };
        let mut list = Rule::list(name, Locator::xpath(records.clone()));
        let mut names = HashSet::new();
        for line in &lines {
            if !names.insert(line.name.value.as_str()) {
                let (name, span) = (line.name.value.clone(), line.name.span);
                self.errors.push(WrapperError::DuplicateName { name, span });
            }
            match relative(&records, &line.path) {
                Some(path) => list.rules.push(rule(Kind::Field, line, path)),
                None => self.errors.push(WrapperError::WrongValue {
                    key: line.name.value.clone(),
                    expected: "within the records".to_owned(),
                    found: format!("`{}`", line.path),
                    hint: Some(format!("begin it with `{records}/`, or with the step below a record")),
                    span: line.path.span,
                }),
            }
        }
        if list.rules.is_empty() {
            list.ty = inferred(&records);
        }
        self.push(list);
    }

    fn push(&mut self, rule: Rule) {
        if !self.names.insert(rule.name.value.clone()) {
            let (name, span) = (rule.name.value.clone(), rule.name.span);
            self.errors.push(WrapperError::DuplicateName { name, span });
        }
        self.wrapper.rules.push(rule);
    }
}

fn rule(kind: Kind, line: &Line, path: Text) -> Rule {
    let ty = inferred(&path);
    let make = if kind == Kind::List { Rule::list } else { Rule::field };
    let mut rule = make(line.name.clone(), Locator::xpath(path)).typed(ty);
    rule.optional = line.optional;
    rule
}

/// The header that a comment is; the comment ends at `end` of the file.
fn header_line(comment: &str, end: usize) -> Option<Section> {
    let (key, value) = comment.split_once(':')?;
    match (key.trim(), value.trim()) {
        ("list", name) if is_name(name) => Some(Section::List(Text::at(name, Span::new(end - name.len(), end), true))),
        ("page", "") => Some(Section::Page),
        ("values", "") => Some(Section::Values),
        _ => None,
    }
}

/// Reads `name = path`.
fn parse(text: &str, line: Span) -> Result<Line, Box<WrapperError>> {
    let content = &text[line.range()];
    let Some(sign) = content.find(['=', ':', '\t']) else {
        let (message, hint) = ("there is no name in front of the expression", "write `name = //path`");
        let (message, hint) = (message.to_owned(), Some(hint.to_owned()));
        return Err(Box::new(WrapperError::Syntax { format: FORMAT, message, hint, span: Some(line) }));
    };
    let mut name = trim(text, line.start, line.start + sign);
    let optional = text[name.range()].ends_with('?');
    if optional {
        name = trim(text, name.start, name.end - 1);
    }
    let path = trim(text, line.start + sign + 1, line.end);
    if !is_name(&text[name.range()]) {
        let span = if name.start == name.end { line } else { name };
        return Err(Box::new(WrapperError::BadName { name: text[name.range()].to_owned(), span: Some(span) }));
    }
    if path.start == path.end {
        return Err(Box::new(WrapperError::WrongValue {
            key: text[name.range()].to_owned(),
            expected: "followed by an XPath expression".to_owned(),
            found: "by nothing".to_owned(),
            hint: Some("write `name = //path`".to_owned()),
            span: Some(line),
        }));
    }
    let at = |span: Span| Text::at(&text[span.range()], span, true);
    Ok(Line { name: at(name), optional, path: at(path) })
}

fn trim(text: &str, start: usize, end: usize) -> Span {
    let part = &text[start..end];
    // A byte order mark is no part of the first name.
    let front = part.trim_start_matches(|char: char| char.is_whitespace() || char == '\u{feff}');
    let start = start + (part.len() - front.len());
    Span::new(start, start + front.trim_end().len())
}

pub(super) fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && !name.contains(|char: char| char.is_whitespace() || char.is_control() || ",\"'`()[]{}=:?#".contains(char))
}

fn inferred(path: &str) -> Type {
    match path.ends_with("@href") || path.ends_with("@src") {
        true => Type::Url,
        false => Type::String,
    }
}

/// The path of the records that MERL's paths speak of: the last step without an index that they have in common.
pub(super) fn derive(lines: &[Line]) -> Option<Text> {
    let (first, others) = lines.split_first().filter(|(_, others)| !others.is_empty())?;
    let path = &*first.path;
    let ends = steps(path)?;
    let mut common = ends.len();
    for line in others {
        let other = steps(&line.path)?;
        let same =
            |index: usize| other.get(index) == Some(&ends[index]) && line.path[..ends[index]] == path[..ends[index]];
        // Steps that are the same up to an end have the same text in front of it, too.
        common = (0..common).take_while(|&index| same(index)).count();
    }
    let begin = |index: usize| if index == 0 { 0 } else { ends[index - 1] };
    let record = (0..common).rev().find(|&index| {
        let step = &path[begin(index)..ends[index]];
        let name = step.trim_start_matches('/');
        !is_indexed(step) && !name.starts_with('@') && !matches!(name, "html" | "body" | "head")
    })?;
    let span = first.path.within(Span::new(0, ends[record]))?;
    Some(Text::at(&path[..ends[record]], span, true))
}

/// Whether a step ends with a number in brackets.
fn is_indexed(step: &str) -> bool {
    let inside = step.strip_suffix(']').and_then(|step| step.rsplit_once('['));
    inside.is_some_and(|(_, number)| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Where each step of an absolute path ends. None if it is not just a path.
fn steps(path: &str) -> Option<Vec<usize>> {
    let bytes = path.as_bytes();
    let mut ends = Vec::new();
    let (mut depth, mut quote, mut begin) = (0usize, None, 0);
    for (at, &byte) in bytes.iter().enumerate() {
        match (quote, byte) {
            (Some(mark), _) => quote = (mark != byte).then_some(mark),
            (None, b'"' | b'\'') if depth > 0 => quote = Some(byte),
            (None, b'[') => depth += 1,
            (None, b']') => depth = depth.checked_sub(1)?,
            _ if depth > 0 => {}
            // `//` begins one step.
            (None, b'/') if at == begin || (at == begin + 1 && bytes[begin] == b'/') => {}
            (None, b'/') => {
                ends.push(at);
                begin = at;
            }
            // `text()`, but no function with arguments.
            (None, b'(') if bytes.get(at + 1) == Some(&b')') => {}
            (None, b')') if at > 0 && bytes[at - 1] == b'(' => {}
            (None, b'(' | b')' | b'|' | b'=' | b'<' | b'>' | b'!' | b'+' | b'$' | b',' | b'"' | b'\'') => return None,
            (None, _) if byte.is_ascii_whitespace() => return None,
            _ => {}
        }
    }
    ends.push(path.len());
    let complete = path.starts_with('/') && !path.ends_with('/') && depth == 0 && quote.is_none();
    complete.then_some(ends)
}

/// The path of a field as seen from a record. None if it leads elsewhere.
pub(super) fn relative(records: &Text, path: &Text) -> Option<Text> {
    if !path.starts_with('/') {
        return Some(path.clone());
    }
    steps(records)?;
    steps(path)?;
    let rest = path.strip_prefix(&**records)?;
    let from = path.len() - rest.len();
    if rest.is_empty() {
        return Some(Text { value: ".".to_owned(), span: path.span, exact: false });
    }
    if rest.starts_with("//") {
        return Some(Text { value: format!(".{rest}"), span: path.span, exact: false });
    }
    let step = rest.strip_prefix('/')?;
    Some(Text { value: step.to_owned(), span: path.within(Span::new(from + 1, path.len())), exact: path.exact })
}

/// Writes a list of expressions.
///
/// What is not said to be XPath but looks like it is written, too, and comes back as XPath.
pub(crate) fn write(wrapper: &Wrapper) -> Result<String, Errors> {
    let mut file = String::new();
    for line in header::lines(wrapper, true) {
        file.push_str(&format!("# {line}\n"));
    }
    let mut errors = Vec::new();
    let mut section = "";
    let only = wrapper.rules.len() == 1;
    if wrapper.rules.is_empty() {
        errors.push(refusal("", "there is none", None));
    }
    let mut names = HashSet::new();
    for rule in &wrapper.rules {
        let written = match (rule.kind, rule.rules.is_empty()) {
            (Kind::Field, true) => line(rule).map(|line| ("# page:\n", line)),
            // A line with this name would be another thing.
            (Kind::List, true) if matches!(&*rule.name, "records" | "record") => {
                list(rule, only).map(|list| ("# list", list))
            }
            (Kind::List, true) => line(rule).map(|line| ("# values:\n", line)),
            (Kind::List, false) => list(rule, only).map(|list| ("# list", list)),
            _ => Err("only fields, and lists of fields, can be written".to_owned()),
        };
        let written = match names.insert(&*rule.name) {
            true => written,
            false => Err("another rule has the same name".to_owned()),
        };
        match written {
            Ok((kind, text)) => {
                if kind != section && kind != "# list" {
                    file.push_str(kind);
                }
                section = if kind == "# list" { "" } else { kind };
                file.push_str(&text);
            }
            Err(message) => errors.push(refusal(&rule.name, &message, rule.name.span)),
        }
    }
    Errors::unless_empty(errors, file)
}

fn refusal(rule: &str, message: &str, span: Option<Span>) -> WrapperError {
    WrapperError::NotExpressible { rule: rule.to_owned(), format: FORMAT, message: message.to_owned(), span }
}

/// A list and its fields.
fn list(rule: &Rule, only: bool) -> Result<String, String> {
    let records = Text::from(checked(rule)?);
    let ty = if rule.rules.is_empty() { inferred(&records) } else { Type::String };
    if rule.optional || rule.ty != ty {
        return Err("a list is required and has no type of its own".to_owned());
    }
    let mut text = match only && &*rule.name == RECORDS {
        true => String::new(),
        false => format!("# list: {}\n", rule.name),
    };
    text.push_str(&format!("records = {records}\n"));
    let mut names = HashSet::new();
    for field in &rule.rules {
        let said = |message: String| format!("its field `{}`: {message}", field.name);
        if field.kind != Kind::Field || !field.rules.is_empty() || !names.insert(&*field.name) {
            return Err(said("a list holds fields of different names".to_owned()));
        }
        let path = checked(field).map_err(said)?;
        // Absolute, as in the paper, if it comes back as it was; else as it is.
        let whole = match path {
            "." => records.value.clone(),
            _ if path.starts_with(".//") => format!("{records}{}", &path[1..]),
            _ => format!("{records}/{path}"),
        };
        let comes_back = |written: &str| relative(&records, &Text::from(written)).is_some_and(|read| &*read == path);
        let written = match [whole.as_str(), path].into_iter().find(|written| comes_back(written)) {
            Some(written) => written,
            None => return Err(said("an absolute path leads out of the record".to_owned())),
        };
        text.push_str(&line_of(field, path, written).map_err(said)?);
    }
    Ok(text)
}

fn line(rule: &Rule) -> Result<String, String> {
    let path = checked(rule)?;
    line_of(rule, path, path)
}

fn line_of(rule: &Rule, path: &str, written: &str) -> Result<String, String> {
    if rule.ty != inferred(path) {
        return Err("there is no place for its type".to_owned());
    }
    let optional = if rule.optional { "?" } else { "" };
    Ok(format!("{}{optional} = {written}\n", rule.name))
}

/// The path of a rule that says nothing else.
fn checked(rule: &Rule) -> Result<&str, String> {
    if !is_name(&rule.name) || matches!(&*rule.name, "records" | "record") && rule.kind == Kind::Field {
        return Err("it cannot be called so".to_owned());
    }
    if rule.label.is_some() || rule.members.is_some() || !rule.take.is_empty() {
        return Err("there is no place for labels, members or what a group takes".to_owned());
    }
    if !rule.key.is_empty() {
        return Err("there is no place for its `key`".to_owned());
    }
    let path = match &rule.locator.find {
        Find::XPath(path) => path,
        Find::Expression(path) if path.starts_with("xpath:") => return Err("its expression has a prefix".to_owned()),
        Find::Expression(path) if Expr::parse(path).is_ok_and(|expr| expr.language() == Language::XPath) => path,
        _ => return Err("its locator is not an XPath expression".to_owned()),
    };
    if rule.locator != Locator::new(rule.locator.find.clone()) {
        return Err("an expression has no refinements".to_owned());
    }
    if is_line(path) { Ok(path) } else { Err("its expression is not one line".to_owned()) }
}

/// Whether an expression is read again as it is written.
pub(super) fn is_line(path: &str) -> bool {
    !path.is_empty() && path.trim() == path && !path.contains(['\n', '\r']) && !path.starts_with('\u{feff}')
}
