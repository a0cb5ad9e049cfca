//! Plain lists of XPath expressions: one named expression per line.
//!
//! ```text
//! # list: ads
//! records = //table[@id='results']/tbody/tr
//! title = //table[@id='results']/tbody/tr/td[1]/a
//! link: //table[@id='results']/tbody/tr/td[1]/a/@href
//! pay? = td[3]
//! ```
//!
//! Name and expression are separated by `=`, `:` or a tab; a value named `name?` may be missing. `#` begins a comment
//! line. The fields of a list either begin with the path of its records or are relative to them. A path that ends in
//! `@href` or `@src` has the type `url`.
//!
//! | line | what follows |
//! |---|---|
//! | `# list: name` | the fields of one list; it is called `records` without such a line |
//! | `# list: name in outer` | the same in the records of a list, or in a group, that stands further up |
//! | `# group: name`, `# group: name in outer` | fields of one object; `at = path` says where, if not in what is around |
//! | `# page:` | fields of the page itself |
//! | `# values:` | page-wide lists of values, one for each line |
//!
//! Everything that a path cannot express stands in comments above its line, so that other tools can still read the
//! paths alone: `# type: money`, `# label: text`, `# key: field, field`, `# until: next` (or an expression), followed
//! by `# slice: [1:0]`, `# without: expression`, `# after: text`, `# before: text`, `# match: regular expression`, `#
//! then: { landmark = { start = "<br>" } }` (a locator in TOML). A line `or name = path` below another is used where
//! the path above finds nothing.
//!
//! Paper: D. Nikovski, A. Esenther, A. Baba, "Semi-Supervised Information Extraction From Variable-Length Web-Page
//! Lists" (2009), section 3.1: one absolute path per field, where every step has an index except the one that selects
//! the record. So without a `records` line, the record is the last step without an index that all paths have in
//! common:
//!
//! ```text
//! title = /html[1]/body[1]/table[1]/tbody[1]/tr/td[2]        records = /html[1]/body[1]/table[1]/tbody[1]/tr
//! price = /html[1]/body[1]/table[1]/tbody[1]/tr/td[4]        title = td[2], price = td[4]
//! ```
//!
//! A single path, or paths without such a common step, become one list of values each.
//!
//! # Departures from the paper
//!
//! The paper runs each path on the whole page and leaves open which values belong together. Here they are fields of a
//! record, so a record may lack one of them.
//!
//! # Cost
//!
//! Linear in the file.

mod express;
mod union;
mod write;

use std::collections::HashSet;

use windrow_xpath::Span;

use super::{MAX_DEPTH, MAX_RULES, edit, header};
use crate::error::{Errors, WrapperError};
use crate::values::Type;
use crate::wrapper::{Find, Kind, Locator, Rule, Slice, Text, Until, Wrapper};

pub(crate) use write::write;

/// Name of the format in messages.
pub(super) const FORMAT: &str = "a list of XPath expressions";

/// Default name of a list.
pub(super) const RECORDS: &str = "records";

/// Number of errors after which reading stops.
const MAX_ERRORS: usize = 100;

/// The kind of section that a header line begins.
#[derive(Debug)]
enum Section {
    /// No header: the kind is inferred from the lines.
    Plain,
    List(SectionName),
    Group(SectionName),
    Page,
    Values,
}

/// The name of a list or group, and the names of the lists and groups around it, from the inside outwards.
#[derive(Debug)]
struct SectionName {
    name: Text,
    around: Vec<Text>,
}

/// One line with an expression.
pub(super) struct Line {
    pub(super) name: Text,
    pub(super) optional: bool,
    pub(super) path: Text,
    /// Settings from the comments above it.
    notes: Vec<(Note, Text)>,
    /// Alternatives to try if it finds nothing.
    others: Vec<Line>,
}

impl Line {
    pub(super) fn new(name: Text, optional: bool, path: Text) -> Line {
        Line { name, optional, path, notes: Vec::new(), others: Vec::new() }
    }

    fn note(&self, wanted: Note) -> Option<&Text> {
        self.notes.iter().rev().find(|(note, _)| *note == wanted).map(|(_, text)| text)
    }
}

/// A setting that a comment above a line can give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Note {
    Type,
    Label,
    Key,
    Until,
    Without,
    After,
    Before,
    Match,
    Then,
    Slice,
}

impl Note {
    const ALL: [(Note, &'static str); 10] = [
        (Note::Type, "type"),
        (Note::Label, "label"),
        (Note::Key, "key"),
        (Note::Until, "until"),
        (Note::Without, "without"),
        (Note::After, "after"),
        (Note::Before, "before"),
        (Note::Match, "match"),
        (Note::Then, "then"),
        (Note::Slice, "slice"),
    ];

    /// Parses a comment as a note; the comment ends at offset `end` of the file.
    fn read(comment: &str, end: usize) -> Option<(Note, Text)> {
        let (key, value) = comment.split_once(':')?;
        let (note, _) = Note::ALL.into_iter().find(|(_, name)| *name == key.trim())?;
        let value = value.trim();
        // An ordinary remark may begin with such a word, too.
        let is_note = match note {
            Note::Type => Type::from_name(value).is_some(),
            Note::Then => value.starts_with('{'),
            Note::Slice => slice(value).is_some(),
            _ => !value.is_empty(),
        };
        is_note.then(|| (note, Text::at(value, Span::new(end - value.len(), end), true)))
    }
}

/// Reads a list of expressions.
pub(crate) fn read(text: &str) -> Result<Wrapper, Errors> {
    let mut reader = Reader { wrapper: Wrapper::default(), names: HashSet::new(), rules: 0, errors: Vec::new() };
    let (mut section, mut records, mut lines) = (Section::Plain, None::<Line>, Vec::<Line>::new());
    let mut notes = Vec::new();
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
                notes.clear();
            } else if let Some(note) = Note::read(comment, line.end) {
                notes.push(note);
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
        let (other, mut line) = match parse(text, line) {
            Err(error) => {
                reader.errors.push(*error);
                continue;
            }
            Ok(parsed) => parsed,
        };
        line.notes = std::mem::take(&mut notes);
        let place = match section {
            Section::Group(_) => &*line.name == "at",
            _ => matches!(&*line.name, "records" | "record"),
        };
        let above = if place { records.as_mut() } else { lines.last_mut() };
        match (other, above) {
            (true, Some(above)) if above.name == line.name => above.others.push(line),
            (true, _) => {
                let hint = Some(format!("put it below the line `{} = …`", line.name));
                let message = "an alternative has no line above it".to_owned();
                reader.errors.push(WrapperError::Syntax { format: FORMAT, message, hint, span: line.name.span });
            }
            (false, Some(above)) if place => {
                let (first, second) = (above.name.value.clone(), line.name.value);
                let hint = Some("begin another list with a line `# list: name`".to_owned());
                reader.errors.push(WrapperError::ConflictingKeys { first, second, hint, span: line.name.span });
            }
            (false, _) if place => records = Some(line),
            (false, _) => lines.push(line),
        }
    }
    reader.section(section, records, lines);
    paths.give(&mut reader.wrapper);
    if reader.wrapper.rules.is_empty() && reader.errors.is_empty() {
        let (message, hint) = ("there are no rules".to_owned(), Some("write `title = //h1`".to_owned()));
        reader.errors.push(WrapperError::Syntax { format: FORMAT, message, hint, span: Some(Span::new(0, 0)) });
    }
    Errors::unless_empty(reader.errors, reader.wrapper)
}

struct Reader {
    wrapper: Wrapper,
    /// Names of the rules at the top.
    names: HashSet<String>,
    rules: usize,
    errors: Vec<WrapperError>,
}

impl Reader {
    /// Adds the rules of a section. `records` is the line that locates the list or group.
    fn section(&mut self, section: Section, records: Option<Line>, lines: Vec<Line>) {
        let single = match (&section, &records) {
            (Section::Page, None) => Some(false),
            (Section::Values, None) => Some(true),
            (Section::Page | Section::Values, Some(records)) => {
                let (first, second) = ("# page:".to_owned(), "records".to_owned());
                let hint = Some("records belong to a list: `# list: name`".to_owned());
                self.errors.push(WrapperError::ConflictingKeys { first, second, hint, span: records.path.span });
                return;
            }
            (Section::Plain, None) if lines.is_empty() => return,
            (Section::Plain, None) if derive(&lines).is_none() => Some(true),
            _ => None,
        };
        if let Some(values) = single {
            for line in lines {
                let rule = self.rule(if values { Kind::List } else { Kind::Field }, &line, line.path.clone());
                self.push(rule, &[]);
            }
            return;
        }
        let (name, around) = match section {
            Section::Group(SectionName { name, around }) => return self.group(name, &around, records, &lines),
            Section::List(SectionName { name, around }) => (name, around),
            _ => (Text::from(RECORDS), Vec::new()),
        };
        let records = records.or_else(|| derive(&lines).map(|path| Line::new(RECORDS.into(), false, path)));
        let Some(records) = records else {
            let hint = Some("records = //table/tbody/tr".to_owned());
            self.errors.push(WrapperError::MissingKey { key: "records", place: "a list", hint, span: name.span });
            return;
        };
        let mut list = self.rule(Kind::List, &records, records.path.clone());
        list.name = name;
        list.rules = self.fields(&lines, Some(&records.path));
        if !list.rules.is_empty() && records.note(Note::Type).is_none() {
            list.ty = Type::String;
        }
        self.push(list, &around);
    }

    fn group(&mut self, name: Text, around: &[Text], at: Option<Line>, lines: &[Line]) {
        let mut group = match &at {
            Some(at) => self.rule(Kind::Group, at, at.path.clone()),
            None => Rule::group("", Locator::default()),
        };
        (group.name, group.ty) = (name, Type::String);
        group.rules = self.fields(lines, None);
        self.push(group, around);
    }

    /// Converts the fields of a list or group.
    fn fields(&mut self, lines: &[Line], records: Option<&Text>) -> Vec<Rule> {
        let mut names = HashSet::new();
        let mut fields = Vec::new();
        for line in lines {
            if !names.insert(line.name.value.as_str()) {
                let (name, span) = (line.name.value.clone(), line.name.span);
                self.errors.push(WrapperError::DuplicateName { name, span });
            }
            let path = match records {
                Some(records) => relative(records, &line.path),
                None => Some(line.path.clone()),
            };
            match (path, records) {
                (Some(path), _) => fields.push(self.rule(Kind::Field, line, path)),
                (None, records) => self.errors.push(WrapperError::WrongValue {
                    key: line.name.value.clone(),
                    expected: "within the records".to_owned(),
                    found: format!("`{}`", line.path),
                    hint: records.map(|path| format!("begin it with `{path}/`, or with the step below a record")),
                    span: line.path.span,
                }),
            }
        }
        fields
    }

    /// Converts a line to a rule.
    fn rule(&mut self, kind: Kind, line: &Line, path: Text) -> Rule {
        let ty = line.note(Note::Type).and_then(|name| Type::from_name(name)).unwrap_or_else(|| inferred(&path));
        let make = match kind {
            Kind::List => Rule::list,
            Kind::Group => Rule::group,
            _ => Rule::field,
        };
        let first = self.locator(line, path);
        let locator = if line.others.is_empty() {
            first
        } else {
            let mut cases = vec![first];
            cases.extend(line.others.iter().map(|other| self.locator(other, other.path.clone())));
            Locator::new(Find::Case(cases))
        };
        let mut rule = make(line.name.clone(), locator).typed(ty);
        rule.optional = line.optional;
        rule.label = line.note(Note::Label).cloned();
        let names = line.note(Note::Key).into_iter().flat_map(|key| key.value.split(','));
        rule.key = names.map(|name| Text::from(name.trim())).filter(|name| !name.is_empty()).collect();
        rule
    }

    /// Combines a path with the notes above its line.
    fn locator(&mut self, line: &Line, path: Text) -> Locator {
        let then = line.note(Note::Then).and_then(|then| match edit::read_locator(then) {
            Ok(locator) => Some(Box::new(locator)),
            Err(_) => {
                let (key, found) = ("then".to_owned(), format!("`{then}`"));
                let hint = Some("{ landmark = { start = \"<br>\" } }".to_owned());
                let expected = "a locator".to_owned();
                self.errors.push(WrapperError::WrongValue { key, expected, found, hint, span: then.span });
                None
            }
        });
        Locator {
            until: line.note(Note::Until).map(|until| match &**until {
                "next" => Until::Next,
                _ => Until::Before(until.clone()),
            }),
            slice: line.note(Note::Slice).and_then(|members| slice(members)),
            without: line.note(Note::Without).cloned(),
            after: line.note(Note::After).cloned(),
            before: line.note(Note::Before).cloned(),
            matches: line.note(Note::Match).cloned(),
            then,
            ..Locator::xpath(path)
        }
    }

    /// Adds a rule to the list or group it belongs to.
    fn push(&mut self, rule: Rule, around: &[Text]) {
        let mut names = HashSet::new();
        let mut rules = &mut self.wrapper.rules;
        for name in around.iter().rev() {
            let holds = |rule: &&mut Rule| rule.name == *name && matches!(rule.kind, Kind::List | Kind::Group);
            match rules.iter_mut().find(holds) {
                Some(outer) => rules = &mut outer.rules,
                None => {
                    let (key, found) = (rule.name.value.clone(), format!("`{name}`, which is not defined above"));
                    let expected = "in a list or group defined above it".to_owned();
                    let error = WrapperError::WrongValue { key, expected, found, hint: None, span: name.span };
                    return self.errors.push(error);
                }
            }
        }
        let known = if around.is_empty() {
            !self.names.insert(rule.name.value.clone())
        } else {
            names.extend(rules.iter().map(|rule| rule.name.value.as_str()));
            names.contains(rule.name.value.as_str())
        };
        if known {
            let (name, span) = (rule.name.value.clone(), rule.name.span);
            self.errors.push(WrapperError::DuplicateName { name, span });
        }
        rules.push(rule);
    }
}

/// Parses a comment as a section header; the comment ends at offset `end` of the file.
fn header_line(comment: &str, end: usize) -> Option<Section> {
    let (key, value) = comment.split_once(':')?;
    match (key.trim(), value.trim()) {
        ("list", place) => self::place(place, end).map(Section::List),
        ("group", place) => self::place(place, end).map(Section::Group),
        ("page", "") => Some(Section::Page),
        ("values", "") => Some(Section::Values),
        _ => None,
    }
}

/// Parses `name` or `name in outer in outer`, which ends at offset `end` of the file.
fn place(text: &str, end: usize) -> Option<SectionName> {
    let mut at = end - text.len();
    let mut names = text.split(" in ").map(|name| {
        let from = at;
        at += name.len() + " in ".len();
        is_name(name).then(|| Text::at(name, Span::new(from, from + name.len()), true))
    });
    let name = names.next()??;
    let around: Vec<Text> = names.collect::<Option<_>>()?;
    (around.len() < MAX_DEPTH).then_some(SectionName { name, around })
}

/// Parses `name = path`; the flag is `true` if the name is preceded by `or`.
fn parse(text: &str, line: Span) -> Result<(bool, Line), Box<WrapperError>> {
    let content = &text[line.range()];
    let Some(sign) = content.find(['=', ':', '\t']) else {
        let (message, hint) = ("there is no name before the expression", "write `name = //path`");
        let (message, hint) = (message.to_owned(), Some(hint.to_owned()));
        return Err(Box::new(WrapperError::Syntax { format: FORMAT, message, hint, span: Some(line) }));
    };
    let mut name = trim(text, line.start, line.start + sign);
    let optional = text[name.range()].ends_with('?');
    if optional {
        name = trim(text, name.start, name.end - 1);
    }
    let path = trim(text, line.start + sign + 1, line.end);
    let other = text[name.range()].strip_prefix("or ").map(str::len);
    if let Some(length) = other {
        name = trim(text, name.end - length, name.end);
    }
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
    Ok((other.is_some(), Line::new(at(name), optional, at(path))))
}

fn trim(text: &str, start: usize, end: usize) -> Span {
    let part = &text[start..end];
    // A byte order mark is not part of the first name.
    let front = part.trim_start_matches(|char: char| char.is_whitespace() || char == '\u{feff}');
    let start = start + (part.len() - front.len());
    Span::new(start, start + front.trim_end().len())
}

pub(super) fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && !name.contains(|char: char| char.is_whitespace() || char.is_control() || ",\"'`()[]{}=:?#".contains(char))
}

fn inferred(path: &str) -> Type {
    if path.ends_with("@href") || path.ends_with("@src") { Type::Url } else { Type::String }
}

/// Derives the path of the records from MERL paths: up to the last step without an index that all lines have in
/// common.
pub(super) fn derive(lines: &[Line]) -> Option<Text> {
    let (first, others) = lines.split_first().filter(|(_, others)| !others.is_empty())?;
    let path = &*first.path;
    let ends = steps(path)?;
    let mut common = ends.len();
    for line in others {
        let other = steps(&line.path)?;
        let same =
            |index: usize| other.get(index) == Some(&ends[index]) && line.path[..ends[index]] == path[..ends[index]];
        // If two steps end alike, the paths before them are the same, too.
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

/// Returns `true` if a step ends with a number in brackets.
fn is_indexed(step: &str) -> bool {
    let inside = step.strip_suffix(']').and_then(|step| step.rsplit_once('['));
    inside.is_some_and(|(_, number)| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns the end of each step of an absolute path, or `None` for any other expression.
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
            // Allows `text()`, but no function with arguments.
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

/// Returns the path of a field relative to a record, or `None` if it lies outside.
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

/// Parses a slice such as `[1:0]` or `[2]`.
fn slice(text: &str) -> Option<Slice> {
    let inside = text.strip_prefix('[')?.strip_suffix(']')?;
    match inside.split_once(':') {
        Some((skip, drop)) => Some(Slice::Range { skip: skip.parse().ok()?, drop: drop.parse().ok()? }),
        None => inside.parse().ok().map(Slice::Index),
    }
}

/// Returns `true` if an expression can be written on a line and read back unchanged.
pub(super) fn is_line(path: &str) -> bool {
    !path.is_empty() && path.trim() == path && !path.contains(['\n', '\r']) && !path.starts_with('\u{feff}')
}
