//! The tables of a file to a [`Sheet`]: what each key means, and what is wrong with those that mean nothing.
//!
//! The reader goes on after an error, so that a person sees all of them at once.

use std::collections::HashSet;

use regex_syntax::ast::Span as PatternSpan;
use toml_edit::{Item, Value};
use windrow_wrapper::files::nearest;
use windrow_wrapper::values::Type;
use windrow_xpath::Span;

use super::error::{DomainError, Errors, Found};
use super::sheet::{Part, Sheet, Text};
use super::syntax::{self, describe, describe_value, place, value_place};
use super::{
    MAX_DEPTH, MAX_ENTROPY, MAX_EXTENDS, MAX_KEYWORD, MAX_KEYWORDS, MAX_PATTERN, MAX_PHRASES, MAX_ROLES, MAX_THINGS,
    fold,
};

const DOMAIN_KEYS: [&str; 8] =
    ["name", "description", "things", "extends", "drop", "data_rich_entropy", "list_entropy", "role"];
const ROLE_KEYS: [&str; 9] = ["keywords", "description", "value", "phrases", "type", "many", "title", "schema", "role"];

/// What people write who have met other formats, and what it is called here.
const OTHER_WORDS: [(&str, &str); 12] = [
    ("attributes", "role"),
    ("fields", "role"),
    ("field", "role"),
    ("include", "extends"),
    ("inherits", "extends"),
    ("exclude", "drop"),
    ("labels", "keywords"),
    ("synonyms", "keywords"),
    ("words", "keywords"),
    ("pattern", "value"),
    ("regex", "value"),
    ("multiple", "many"),
];

/// Reads a file, and keeps what can be understood of it.
pub(super) fn sheet(source: &str, found: &mut Found) -> Result<Sheet, Errors> {
    let document = syntax::parse(source)?;
    let mut reader = Reader { source, found, roles: 0, keywords: 0, patterns: HashSet::new() };
    Ok(reader.document(&syntax::keys(document.as_table())))
}

struct Reader<'s> {
    source: &'s str,
    found: &'s mut Found,
    roles: usize,
    keywords: usize,
    /// Patterns that compile. Most roles with numbers share one, and compiling is what reading spends its time on.
    patterns: HashSet<String>,
}

impl Reader<'_> {
    fn document(&mut self, entries: &[(&str, Span, &Item)]) -> Sheet {
        let mut sheet = Sheet::default();
        for &(key, span, item) in entries {
            match key {
                "name" => sheet.name = self.string(key, span, item).filter(|name| !name.is_empty()),
                "description" => sheet.description = self.string(key, span, item),
                "things" => sheet.things = self.things(span, item),
                "extends" => sheet.extends = self.names(key, span, item),
                "drop" => sheet.drop = self.names(key, span, item),
                "data_rich_entropy" => sheet.data_rich = self.entropy(key, span, item),
                "list_entropy" => sheet.list = self.entropy(key, span, item),
                "role" => sheet.parts = self.parts(span, item, ""),
                _ => self.unknown(key, "a domain", span, &DOMAIN_KEYS),
            }
        }
        if let Some(beyond) = sheet.extends.get(MAX_EXTENDS) {
            self.too_large("domains that it extends", MAX_EXTENDS, beyond.span);
            sheet.extends.truncate(MAX_EXTENDS);
        }
        sheet
    }

    /// The roles of a domain, or those inside the role `around`.
    fn parts(&mut self, span: Span, item: &Item, around: &str) -> Vec<Part> {
        let Some(entries) = syntax::entries(item) else {
            self.wrong(
                "role",
                "a table of roles",
                describe(item),
                "each role has a header: `[role.price]`",
                place(item, span),
            );
            return Vec::new();
        };
        let mut parts = Vec::new();
        for (name, span, item) in entries {
            self.roles += 1;
            if self.roles > MAX_ROLES {
                // One error says it for all that follow.
                if self.roles == MAX_ROLES + 1 {
                    self.too_large("roles", MAX_ROLES, span);
                }
                break;
            }
            if !is_name(name) {
                self.found.push(DomainError::BadName { name: name.to_owned(), span });
            }
            parts.push(self.part(name, span, item, around));
        }
        parts
    }

    fn part(&mut self, name: &str, span: Span, item: &Item, around: &str) -> Part {
        let full = if around.is_empty() { name.to_owned() } else { format!("{around}.{name}") };
        let mut part = Part { name: Text { value: name.to_owned(), span }, own: true, ..Part::default() };
        let Some(entries) = syntax::entries(item) else {
            let hint = "its keywords go below its header: `keywords = [\"price\", \"our price\"]`";
            self.wrong(&format!("role.{full}"), "a table", describe(item), hint, place(item, span));
            part.faulty = true;
            return part;
        };
        let before = self.found.len();
        for (key, span, item) in entries {
            match key {
                "keywords" => part.keywords = self.keywords(&full, span, item),
                "description" => part.description = self.string(key, span, item),
                "value" => {
                    part.value = self.string(key, span, item);
                    if let Some(pattern) = &part.value {
                        self.pattern(&full, pattern, place(item, span));
                    }
                }
                "phrases" => part.phrases = self.phrases(&full, span, item),
                "type" => part.ty = self.ty(span, item),
                "many" => part.many = self.boolean(key, span, item),
                "title" => {
                    part.title = self.boolean(key, span, item);
                    if part.title == Some(true) && !around.is_empty() {
                        let hint = format!("`{around}` is a part of the thing, and the title is that of the whole");
                        self.wrong(
                            key,
                            "left out in a role inside another",
                            "true".to_owned(),
                            &hint,
                            place(item, span),
                        );
                        part.title = None;
                    }
                }
                "schema" => part.schema = self.schema(span, item),
                "role" if full.split('.').count() >= MAX_DEPTH => {
                    self.too_large("roles within each other", MAX_DEPTH, span);
                }
                "role" => part.parts = self.parts(span, item, &full),
                _ => self.unknown(key, "a role", span, &ROLE_KEYS),
            }
        }
        part.faulty = self.found.len() > before;
        part
    }

    /// What its things are called: words, as keywords are.
    fn things(&mut self, span: Span, item: &Item) -> Vec<Text> {
        let hint = "each in quotes: `things = [\"medicine\", \"drug\"]`";
        let mut things: Vec<Text> = Vec::new();
        for text in self.strings("things", "an array of strings", hint, span, item) {
            let value = text.value.trim().to_owned();
            if fold::is_empty(&value) {
                self.wrong("things", "an array of words", "one with an empty string".to_owned(), hint, text.span);
            } else if value.chars().nth(MAX_KEYWORD).is_some() {
                self.too_large("characters in a word for things", MAX_KEYWORD, text.span);
            } else if things.len() == MAX_THINGS {
                self.too_large("words for things", MAX_THINGS, text.span);
                break;
            } else if !things.iter().any(|known| fold::key(&known.value) == fold::key(&value)) {
                things.push(Text { value, span: text.span });
            }
        }
        things
    }

    fn keywords(&mut self, role: &str, span: Span, item: &Item) -> Vec<Text> {
        let hint = "each in quotes: `keywords = [\"price\", \"our price\"]`";
        let mut keywords: Vec<Text> = Vec::new();
        let mut known = HashSet::new();
        for text in self.strings("keywords", "an array of strings", hint, span, item) {
            let value = text.value.trim();
            if fold::is_empty(value) {
                self.found.push(DomainError::EmptyKeyword { role: role.to_owned(), span: text.span });
                continue;
            }
            if value.chars().nth(MAX_KEYWORD).is_some() {
                self.too_large("characters in a keyword", MAX_KEYWORD, text.span);
                continue;
            }
            self.keywords += 1;
            if self.keywords > MAX_KEYWORDS {
                if self.keywords == MAX_KEYWORDS + 1 {
                    self.too_large("keywords", MAX_KEYWORDS, text.span);
                }
                break;
            }
            // A label written twice, once with an accent or a capital, means no more than once.
            if known.insert(fold::key(value)) {
                keywords.push(Text { value: value.to_owned(), span: text.span });
            }
        }
        keywords
    }

    /// Texts that tell a value: patterns with a group.
    fn phrases(&mut self, role: &str, span: Span, item: &Item) -> Option<Vec<String>> {
        let hint = "the first group is the value: `phrases = ['(\\d) of 5 stars']`";
        let mut phrases = Vec::new();
        for text in self.strings("phrases", "an array of regular expressions", hint, span, item) {
            if phrases.len() == MAX_PHRASES {
                self.too_large("phrases of a role", MAX_PHRASES, text.span);
                break;
            }
            self.pattern(role, &text.value, text.span);
            if regex::Regex::new(&text.value).is_ok_and(|pattern| pattern.captures_len() < 2) {
                let found = "one without a group".to_owned();
                self.wrong("phrases", "regular expressions with a group", found, hint, text.span);
            }
            phrases.push(text.value);
        }
        item.as_array().map(|_| phrases)
    }

    /// Sees whether a value pattern compiles.
    fn pattern(&mut self, role: &str, pattern: &str, span: Span) {
        if self.patterns.contains(pattern) {
            return;
        }
        let wrong = |message: String, hint: Option<&str>, span: Span| DomainError::BadPattern {
            role: role.to_owned(),
            message,
            hint: hint.map(str::to_owned),
            span,
        };
        let inside = |at: &PatternSpan| self.inside(pattern, span, at);
        let error = match regex_syntax::Parser::new().parse(pattern) {
            Err(regex_syntax::Error::Parse(error)) => {
                let hint = match error.kind() {
                    regex_syntax::ast::ErrorKind::UnsupportedLookAround
                    | regex_syntax::ast::ErrorKind::UnsupportedBackreference => {
                        Some("patterns are matched in linear time, which knows neither look-around nor back-references")
                    }
                    regex_syntax::ast::ErrorKind::RepetitionMissing => {
                        Some("a sign that means itself has a backslash in front: `\\*`, `\\+`, `\\?`")
                    }
                    _ => None,
                };
                Some(wrong(error.kind().to_string(), hint, inside(error.span())))
            }
            Err(regex_syntax::Error::Translate(error)) => {
                Some(wrong(error.kind().to_string(), None, inside(error.span())))
            }
            Err(error) => Some(wrong(error.to_string(), None, span)),
            Ok(_) => regex::RegexBuilder::new(pattern).size_limit(MAX_PATTERN).build().err().map(|error| match error {
                regex::Error::CompiledTooBig(_) => {
                    wrong("it is too large".to_owned(), Some("large counts such as `{1000}` multiply"), span)
                }
                error => wrong(error.to_string(), None, span),
            }),
        };
        match error {
            Some(error) => self.found.push(error),
            None => {
                self.patterns.insert(pattern.to_owned());
            }
        }
    }

    /// The place in the file of a part of a pattern, if the file writes the pattern as it is; else that of the whole.
    fn inside(&self, pattern: &str, span: Span, part: &PatternSpan) -> Span {
        let written = self.source.get(span.range()).unwrap_or_default();
        let long = written.starts_with("'''") || written.starts_with("\"\"\"");
        let quote = if long { 3 } else { 1 };
        let inner = written.get(quote..written.len().saturating_sub(quote)).unwrap_or_default();
        // A line break right behind the opening of a long string is not part of it.
        if inner != pattern && !(long && inner.trim_start_matches(['\r', '\n']) == pattern) {
            return span;
        }
        let begin = span.end - quote - pattern.len();
        Span::new(begin + part.start.offset, begin + part.end.offset.max(part.start.offset))
    }

    fn ty(&mut self, span: Span, item: &Item) -> Option<Type> {
        let name = self.string("type", span, item)?;
        let ty = Type::from_name(&name);
        if ty.is_none() {
            let names = Type::ALL.map(Type::name);
            let hint = match nearest(&name, names) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("a type is one of {}", names.map(|name| format!("`{name}`")).join(", ")),
            };
            self.found.push(DomainError::UnknownType { name, hint: Some(hint), span: place(item, span) });
        }
        ty
    }

    fn schema(&mut self, span: Span, item: &Item) -> Option<Vec<String>> {
        let hint = "for example `schema = [\"offers.price\", \"price\"]`";
        let mut ways = Vec::new();
        for text in self.strings("schema", "an array of schema.org properties", hint, span, item) {
            let property = |name: &str| {
                name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(|c| c.is_ascii_alphanumeric())
            };
            if text.value.split('.').all(property) {
                ways.push(text.value);
            } else {
                let found = format!("`{}`", text.value);
                self.wrong("schema", "made of schema.org properties with dots between them", found, hint, text.span);
            }
        }
        item.as_array().map(|_| ways)
    }

    /// A name, or several.
    fn names(&mut self, key: &str, span: Span, item: &Item) -> Vec<Text> {
        if let Some(name) = item.as_str() {
            return vec![Text { value: name.to_owned(), span: place(item, span) }];
        }
        let hint = format!("for example `{key} = \"{}\"`", if key == "drop" { "warranty" } else { "product" });
        self.strings(key, "a name or an array of names", &hint, span, item)
    }

    fn strings(&mut self, key: &str, expected: &str, hint: &str, span: Span, item: &Item) -> Vec<Text> {
        let Some(array) = item.as_array() else {
            self.wrong(key, expected, describe(item), hint, place(item, span));
            return Vec::new();
        };
        let mut strings = Vec::with_capacity(array.len());
        for value in array {
            let span = value_place(value, span);
            match value {
                Value::String(text) => strings.push(Text { value: text.value().clone(), span }),
                other => self.wrong(key, expected, format!("one with {}", describe_value(other)), hint, span),
            }
        }
        strings
    }

    fn string(&mut self, key: &str, span: Span, item: &Item) -> Option<String> {
        if item.as_str().is_none() {
            self.wrong(key, "a string", describe(item), "", place(item, span));
        }
        item.as_str().map(str::to_owned)
    }

    /// A threshold: a number that an entropy can reach.
    fn entropy(&mut self, key: &str, span: Span, item: &Item) -> Option<f64> {
        let number = item.as_float().or_else(|| item.as_integer().map(|number| number as f64));
        let number = number.filter(|number| (0.0..=MAX_ENTROPY).contains(number));
        if number.is_none() {
            self.wrong(key, &format!("a number from 0 to {MAX_ENTROPY}"), describe(item), "", place(item, span));
        }
        number
    }

    fn boolean(&mut self, key: &str, span: Span, item: &Item) -> Option<bool> {
        if item.as_bool().is_none() {
            self.wrong(key, "true or false", describe(item), "", place(item, span));
        }
        item.as_bool()
    }

    fn wrong(&mut self, key: &str, expected: &str, found: String, hint: &str, span: Span) {
        let hint = (!hint.is_empty()).then(|| hint.to_owned());
        self.found.push(DomainError::WrongValue {
            key: key.to_owned(),
            expected: expected.to_owned(),
            found,
            hint,
            span,
        });
    }

    fn too_large(&mut self, what: &'static str, limit: usize, span: Span) {
        self.found.push(DomainError::TooLarge { what, limit, span });
    }

    fn unknown(&mut self, key: &str, place: &'static str, span: Span, known: &[&str]) {
        if self.found.is_full() {
            return;
        }
        let other = OTHER_WORDS.iter().find(|(word, meant)| *word == key && known.contains(meant));
        let hint = match other.map(|&(_, meant)| meant).or_else(|| nearest(key, known.iter().copied())) {
            Some(near) => format!("did you mean `{near}`?"),
            // `[price]` instead of `[role.price]` is how most first files look.
            None if place == "a domain" => format!("if it is a role, write `[role.{key}]`"),
            None => {
                format!("{place} has {}", known.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", "))
            }
        };
        self.found.push(DomainError::UnknownKey { key: key.to_owned(), place, hint: Some(hint), span });
    }
}

/// Whether a role can be called so. It becomes the name of a rule when a wrapper is learned: what the languages of wrappers
/// and paths give a meaning to is left out, and so is a leading `_`, which hides a rule.
fn is_name(name: &str) -> bool {
    let clashes = |c: char| c.is_whitespace() || c.is_control() || ".,=\"'`()[]{}".contains(c);
    name.starts_with(char::is_alphabetic) && !name.contains(clashes) && name.len() <= MAX_KEYWORD
}
