//! Compiles locators: expressions, patterns, token rules and regular expressions, and reports the mistakes in them.

use regex::Regex;
use windrow_xpath::{Expr, Language};

use super::{Compiler, Cut, DEPTH, Find, Locator, Until, Without};
use crate::describe::describe;
use crate::error::WrapperError;
use crate::landmark::TokenRule;
use crate::pattern::{Needle, Pattern};
use crate::wrapper::{self, Column, Text};

/// Largest size in bytes of a compiled regular expression.
const REGEX_BYTES: usize = 1 << 20;

impl Compiler<'_> {
    /// Compiles a locator. `saves` is the number of texts its pattern must save, if it may save several.
    pub(super) fn locator(
        &mut self,
        locator: &wrapper::Locator,
        name: &Text,
        saves: Option<usize>,
        depth: usize,
    ) -> Locator {
        let find = if depth > DEPTH {
            self.errors.push(WrapperError::TooLarge {
                what: "levels of nested locators",
                limit: DEPTH,
                span: name.span,
            });
            Find::Scope
        } else {
            self.find(&locator.find, name, saves, depth)
        };
        let until = locator.until.as_ref().and_then(|until| {
            self.needs_document = true;
            match until {
                wrapper::Until::Next => Some(Until::Next),
                wrapper::Until::Before(text) => self.expression(text, name, Expr::parse).map(Until::Before),
            }
        });
        let without = locator.without.as_ref().and_then(|text| {
            self.needs_document = true;
            let expr = self.expression(text, name, Expr::parse)?;
            let absolute = is_absolute(&expr);
            Some(Without { expr, absolute })
        });
        let cut = (locator.after.is_some() || locator.before.is_some() || locator.matches.is_some()).then(|| {
            let matches = locator.matches.as_ref().and_then(|text| self.regex(text, name));
            let text = |text: &Option<Text>| text.as_ref().map(|text| text.value.clone());
            Box::new(Cut { after: text(&locator.after), before: text(&locator.before), matches })
        });
        if let Some(then) = &locator.then
            && cut.is_some()
        {
            self.refuse_beyond_text(then, name);
        }
        let then = locator.then.as_ref().map(|then| Box::new(self.locator(then, name, None, depth + 1)));
        Locator { find, until, slice: locator.slice, without, cut, then }
    }

    /// Rejects a locator that searches a part of a visible text. Such a part has no place on the page, so it can only
    /// be cut further, or used as the address of another page.
    pub(super) fn refuse_beyond_text(&mut self, locator: &wrapper::Locator, name: &Text) {
        if !matches!(locator.find, wrapper::Find::Scope | wrapper::Find::Get(_)) {
            self.errors.push(WrapperError::ConflictingKeys {
                first: "after, before or match".to_owned(),
                second: describe(locator),
                hint: Some(
                    "a part of a text has no place on the page: find the element first, and cut its text last"
                        .to_owned(),
                ),
                span: name.span,
            });
        }
    }

    fn find(&mut self, find: &wrapper::Find, name: &Text, saves: Option<usize>, depth: usize) -> Find {
        let expression = |this: &mut Self, text, parse: fn(&str) -> Result<Expr, windrow_xpath::ParseError>| {
            this.needs_document = true;
            let Some(expr) = this.expression(text, name, parse) else { return Find::Scope };
            let absolute = is_absolute(&expr);
            Find::Expression { expr, absolute }
        };
        match find {
            wrapper::Find::Scope => Find::Scope,
            wrapper::Find::Expression(text) => expression(self, text, Expr::parse),
            wrapper::Find::XPath(text) => expression(self, text, Expr::xpath),
            wrapper::Find::Css(text) => expression(self, text, Expr::css),
            wrapper::Find::Pattern(text) => self.pattern(text, saves).map_or(Find::Scope, Find::Pattern),
            wrapper::Find::Split(text) => {
                if text.is_empty() {
                    self.errors.push(WrapperError::EmptyDelimiter { span: text.span });
                }
                Find::Split(Needle::new(text.as_bytes()))
            }
            wrapper::Find::Landmark(landmark) => {
                self.needs_document = true;
                match landmark {
                    wrapper::Landmark::Each(text) => self.boundary("each", text).map_or(Find::Scope, Find::Each),
                    wrapper::Landmark::Between { start, end } => {
                        let Some(start) = self.token_rule(start) else { return Find::Scope };
                        if let Some(end) = end.as_ref().filter(|_| start.has_value()) {
                            self.errors.push(WrapperError::ConflictingKeys {
                                first: "#".to_owned(),
                                second: "end".to_owned(),
                                hint: Some("the value of an attribute has its own end: remove `end`".to_owned()),
                                span: end.span,
                            });
                        }
                        let end = end.as_ref().and_then(|end| self.boundary("end", end));
                        Find::Between { start, end }
                    }
                }
            }
            wrapper::Find::Table(inner) => {
                self.needs_document = true;
                let inner = match &inner.find {
                    // A pattern that only leads to the table need not save anything.
                    wrapper::Find::Pattern(text) => match Pattern::new(text) {
                        Ok(pattern) if pattern.saves() <= 1 => {
                            let mut compiled = self.locator(
                                &wrapper::Locator { find: wrapper::Find::Scope, ..(**inner).clone() },
                                name,
                                None,
                                depth + 1,
                            );
                            compiled.find = Find::Pattern(pattern.saving_the_rest());
                            compiled
                        }
                        _ => self.locator(inner, name, None, depth + 1),
                    },
                    _ => self.locator(inner, name, None, depth + 1),
                };
                Find::Table(Box::new(inner))
            }
            wrapper::Find::Column(column) => {
                self.needs_document = true;
                if let Column::Number(0) = column {
                    let (key, expected) = ("column".to_owned(), "a header or a number from 1 on".to_owned());
                    let found = "0".to_owned();
                    self.errors.push(WrapperError::WrongValue { key, expected, found, hint: None, span: name.span });
                }
                Find::Column(column.clone())
            }
            wrapper::Find::Case(cases) => {
                Find::Case(cases.iter().map(|case| self.locator(case, name, saves, depth + 1)).collect())
            }
            wrapper::Find::Get(inner) => {
                self.asks_for_pages = true;
                Find::Get(Box::new(self.locator(inner, name, None, depth + 1)))
            }
        }
    }

    fn expression(
        &mut self,
        text: &Text,
        name: &Text,
        parse: fn(&str) -> Result<Expr, windrow_xpath::ParseError>,
    ) -> Option<Expr> {
        match parse(text) {
            Ok(expr) => Some(expr),
            Err(error) => {
                self.errors.push(WrapperError::in_expression(name, text, error));
                None
            }
        }
    }

    fn pattern(&mut self, text: &Text, saves: Option<usize>) -> Option<Pattern> {
        match Pattern::new(text) {
            Err(error) => self.errors.push(error),
            Ok(pattern) if pattern.saves() == 0 => {
                self.errors.push(WrapperError::PatternWithoutSave { span: text.span });
            }
            Ok(pattern) if pattern.saves() != saves.unwrap_or(1) => {
                let (variables, saves) = (saves.unwrap_or(1), pattern.saves());
                self.errors.push(WrapperError::VariableCount { variables, saves, span: text.span });
            }
            Ok(pattern) => return Some(pattern),
        }
        None
    }

    fn token_rule(&mut self, text: &Text) -> Option<TokenRule> {
        TokenRule::new(text).map_err(|error| self.errors.push(error)).ok()
    }

    /// Compiles a token rule that only marks where something begins or ends.
    fn boundary(&mut self, key: &str, text: &Text) -> Option<TokenRule> {
        let rule = self.token_rule(text)?;
        if rule.has_value() {
            let message = format!("`#` is allowed in `start`, not in `{key}`");
            let hint = "`landmark = { start = '<h3> <a href=#>' }` finds the link after an h3";
            self.errors.push(WrapperError::BadLandmark { message, hint, span: text.span });
        }
        Some(rule)
    }

    fn regex(&mut self, text: &Text, name: &Text) -> Option<Regex> {
        match regex::RegexBuilder::new(text).size_limit(REGEX_BYTES).build() {
            Ok(regex) => Some(regex),
            Err(error) => {
                let (message, hint) = match error {
                    regex::Error::CompiledTooBig(_) => {
                        ("it is too large".to_owned(), Some("large counts such as `{1000}` multiply".to_owned()))
                    }
                    // The last line of the message describes the error; the lines before it draw the expression.
                    error => (
                        error.to_string().lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned(),
                        None,
                    ),
                };
                self.errors.push(WrapperError::BadRegex { rule: name.value.clone(), message, hint, span: text.span });
                None
            }
        }
    }
}

/// Returns `true` if an expression begins at the root, wherever it is evaluated.
fn is_absolute(expr: &Expr) -> bool {
    let begin = expr.source().trim_start_matches(|c: char| c == '(' || c.is_whitespace());
    expr.language() == Language::XPath && begin.starts_with('/')
}
