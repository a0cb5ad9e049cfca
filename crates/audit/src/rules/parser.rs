//! Recursive-descent parser of rule files.
//!
//! ```text
//! file       = { directive | rule }
//! directive  = "threshold" number | "reference" name { "," name } | "rename" field "=" text
//! rule       = name ":" ( condition "->" conclusions | conclusions "given" condition ) confidence [ text ]
//! conclusions = [ "not" ] name { "," [ "not" ] name }
//! confidence = "[" number [ "," number ] "]"
//! condition  = both { "or" both };   both = one { "and" one }
//! one        = "not" one | "(" condition ")" | "always" | ( "exists" | "none" ) name "(" condition ")"
//!            | "missing" field | name | operand comparison operand [ "at" number ]
//!            | field "in" list [ "at" number ] | field "contains" ( text | list )
//! operand    = [ number "*" ] term [ "*" number ] [ ( "+" | "-" ) number ]
//! term       = field | text | number | day | "today";   field = name "." ( name | text )
//! ```
//!
//! After an error, parsing resumes at the next line that begins a rule or a directive.

use super::error::{Errors, Found, RuleError};
use super::lexer::{Placed, Token, tokens};
use super::{
    Conclusion, Condition, DEFAULT_THRESHOLD, EXTRACTED, FieldName, Kind, MAX_BYTES, MAX_DEPTH, MAX_RULES, Name,
    Operand, Operator, Rename, Rule, Rules, Term,
};
use crate::logic::Interval;
use crate::nearest::nearest;
use crate::span::Span;

/// Keywords, which cannot be names of conclusions.
pub(super) const WORDS: [&str; 15] = [
    "and",
    "or",
    "not",
    "exists",
    "none",
    "missing",
    "in",
    "contains",
    "at",
    "given",
    "always",
    "today",
    "threshold",
    "reference",
    "rename",
];

/// Parses a rule file and checks its names.
pub(super) fn parse(text: &str) -> Result<Rules, Errors> {
    if text.len() > MAX_BYTES {
        return Err(Errors(vec![RuleError::TooLong { span: Span::new(0, 0) }]));
    }
    let mut found = Found::default();
    let rules = parse_alone(text, &mut found);
    super::check::names(&rules, &mut found);
    found.check()?;
    Ok(rules)
}

/// Parses a rule file without checking its names.
pub(super) fn parse_alone(text: &str, found: &mut Found) -> Rules {
    let tokens = tokens(text, found);
    let mut parser = Parser { tokens, at: 0, depth: 0, found: std::mem::take(found) };
    let rules = parser.file();
    *found = parser.found;
    rules
}

/// Marker that an error was already reported; parsing resumes elsewhere.
struct Reported;

struct Parser {
    tokens: Vec<Placed>,
    at: usize,
    depth: usize,
    found: Found,
}

impl Parser {
    fn file(&mut self) -> Rules {
        let mut rules =
            Rules { threshold: DEFAULT_THRESHOLD, references: Vec::new(), renames: Vec::new(), rules: Vec::new() };
        while self.peek().token != Token::End {
            let before = self.at;
            if self.statement(&mut rules).is_err() {
                self.skip(before);
            }
        }
        if rules.references.is_empty() {
            rules.references.push(Name { text: "S".to_owned(), span: Span::default() });
        }
        if rules.rules.is_empty() && self.found.is_empty() {
            self.found.push(RuleError::NoRules { span: Span::new(0, 0) });
        }
        rules
    }

    fn statement(&mut self, rules: &mut Rules) -> Result<(), Reported> {
        if self.is_word("threshold") && !self.is_rule() {
            self.at += 1;
            rules.threshold = self.threshold()?;
            return Ok(());
        }
        if self.is_word("reference") && !self.is_rule() {
            self.at += 1;
            loop {
                rules.references.push(self.name("the name of a reference table")?);
                if !self.take(&Token::Sign(',')) {
                    return Ok(());
                }
            }
        }
        if self.is_word("rename") && !self.is_rule() {
            self.at += 1;
            let field = self.field()?;
            self.expect(&Token::Comparison(Operator::Equal), "`=`")?;
            let Token::Text(to) = self.peek().token.clone() else {
                return Err(self.unexpected("a text with the name in the data", None));
            };
            self.at += 1;
            rules.renames.push(Rename { field, to });
            return Ok(());
        }
        let rule = self.rule()?;
        if rules.rules.len() == MAX_RULES {
            self.found.push(RuleError::TooMany { span: rule.name.span });
            self.at = self.tokens.len() - 1;
            return Ok(());
        }
        rules.rules.push(rule);
        Ok(())
    }

    fn rule(&mut self) -> Result<Rule, Reported> {
        if !matches!(self.peek().token, Token::Name(_)) || self.after(1) != &Token::Sign(':') {
            let hint = "a rule begins with its name: `R1: none S (E.code = S.code) -> Unapproved [0.9]`";
            return Err(self.unexpected("a rule", Some(hint.to_owned())));
        }
        let name = self.name("the name of a rule")?;
        self.at += 1;
        self.depth = 0;
        let (kind, condition, conclusions) = if self.turns_on_given() {
            let conclusions = self.conclusions()?;
            self.word("given")?;
            (Kind::Conditional, self.condition()?, conclusions)
        } else {
            let condition = self.condition()?;
            self.expect(&Token::Arrow, "`->`, `and` or `or`")?;
            (Kind::Implication, condition, self.conclusions()?)
        };
        let (confidence, confidence_span) = self.confidence()?;
        let mut end = confidence_span;
        let message = match self.peek().token.clone() {
            Token::Text(text) => {
                end = self.peek().span;
                self.at += 1;
                Some(text)
            }
            _ => None,
        };
        let span = name.span.to(end);
        Ok(Rule { name, condition, conclusions, confidence, confidence_span, kind, message, span })
    }

    /// Reports whether `given` comes before any arrow in the rule that begins here.
    fn turns_on_given(&self) -> bool {
        for (offset, placed) in self.tokens[self.at..].iter().enumerate() {
            match &placed.token {
                Token::Name(word) if word == "given" => return true,
                Token::Arrow | Token::Sign('[') | Token::End => return false,
                Token::Name(_) if placed.first && offset > 0 && self.after(offset + 1) == &Token::Sign(':') => {
                    return false;
                }
                _ => {}
            }
        }
        false
    }

    fn conclusions(&mut self) -> Result<Vec<Conclusion>, Reported> {
        let mut conclusions = Vec::new();
        loop {
            let negated = self.take_word("not");
            let name = self.name("a conclusion")?;
            if self.peek().token == Token::Sign('.') {
                let hint = "a conclusion is a name without a dot: `Counterfeit`";
                return Err(self.unexpected("`,` or a confidence", Some(hint.to_owned())));
            }
            conclusions.push(Conclusion { name, negated });
            if !self.take(&Token::Sign(',')) {
                return Ok(conclusions);
            }
        }
    }

    fn confidence(&mut self) -> Result<(Interval, Span), Reported> {
        let start = self.peek().span;
        if !self.take(&Token::Sign('[')) {
            return Err(self.unexpected(
                "a confidence",
                Some("write the confidence of the rule as `[0.9]` or `[0.8, 0.95]`".to_owned()),
            ));
        }
        let (low, low_span) = self.number()?;
        let (high, high_span) = if self.take(&Token::Sign(',')) { self.number()? } else { (1.0, low_span) };
        let end = self.peek().span;
        self.expect(&Token::Sign(']'), "`]`")?;
        for (value, span) in [(low, low_span), (high, high_span)] {
            if !(0.0..=1.0).contains(&value) {
                self.found.push(RuleError::Confidence { value, span });
                return Ok((Interval::UNKNOWN, start.to(end)));
            }
        }
        if low > high {
            self.found.push(RuleError::ConfidenceOrder { low, high, span: low_span.to(high_span) });
            return Ok((Interval::UNKNOWN, start.to(end)));
        }
        Ok((Interval::new(low, high), start.to(end)))
    }

    fn condition(&mut self) -> Result<Condition, Reported> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            self.found.push(RuleError::TooDeep { span: self.peek().span });
            return Err(Reported);
        }
        let mut either = vec![self.both()?];
        while self.take_word("or") {
            either.push(self.both()?);
        }
        self.depth -= 1;
        Ok(Condition::any(either))
    }

    fn both(&mut self) -> Result<Condition, Reported> {
        let mut both = vec![self.one()?];
        while self.take_word("and") {
            both.push(self.one()?);
        }
        Ok(Condition::all(both))
    }

    fn one(&mut self) -> Result<Condition, Reported> {
        if self.take_word("not") {
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                self.found.push(RuleError::TooDeep { span: self.peek().span });
                return Err(Reported);
            }
            let inner = self.one()?;
            self.depth -= 1;
            return Ok(Condition::Not(Box::new(inner)));
        }
        if self.take(&Token::Sign('(')) {
            let inner = self.condition()?;
            self.expect(&Token::Sign(')'), "`)`, `and` or `or`")?;
            return Ok(inner);
        }
        if self.take_word("always") {
            return Ok(Condition::Always);
        }
        if self.take_word("missing") {
            return Ok(Condition::Missing(self.field()?));
        }
        for (word, none) in [("exists", false), ("none", true)] {
            if self.take_word(word) {
                let reference = self.name("the name of a reference table")?;
                self.expect(&Token::Sign('('), "`(`")?;
                let condition = Box::new(self.condition()?);
                self.expect(&Token::Sign(')'), "`)`, `and` or `or`")?;
                return Ok(Condition::Rows { none, reference, condition });
            }
        }
        match &self.peek().token {
            Token::Name(word) if !WORDS.contains(&word.as_str()) && self.after(1) != &Token::Sign('.') => {
                let compared = matches!(self.after(1), Token::Comparison(_))
                    || matches!(self.after(1), Token::Name(next) if next == "in" || next == "contains");
                if compared {
                    let hint = format!("to use a field of the record, write `{EXTRACTED}.{word}`");
                    return Err(self.unexpected("a field", Some(hint)));
                }
                // `misisng E.a`: a conclusion is never followed by a name.
                let misspelled = !self.tokens[self.at + 1].first && self.after(2) == &Token::Sign('.');
                if misspelled && nearest(word, WORDS).is_some() {
                    return Err(self.unexpected("a condition", None));
                }
                Ok(Condition::Conclusion(self.name("a conclusion")?))
            }
            _ => self.comparison(),
        }
    }

    fn comparison(&mut self) -> Result<Condition, Reported> {
        let left = self.operand()?;
        if let Some(field) = left.plain_field().cloned() {
            if self.take_word("in") {
                let list = self.list()?;
                return Ok(Condition::In { field, list, at: self.own_threshold()? });
            }
            if self.take_word("contains") {
                let list = match self.peek().token.clone() {
                    Token::Text(text) => {
                        self.at += 1;
                        vec![text]
                    }
                    _ => self.list()?,
                };
                return Ok(Condition::Contains { field, list });
            }
        }
        let Token::Comparison(operator) = self.peek().token else {
            return Err(
                self.unexpected("a comparison", Some("`=`, `!=`, `<`, `<=`, `>`, `>=`, `in` or `contains`".to_owned()))
            );
        };
        self.at += 1;
        let right = self.operand()?;
        let at = self.own_threshold()?;
        Ok(Condition::Compare { left, operator, right, at })
    }

    fn list(&mut self) -> Result<Vec<String>, Reported> {
        self.expect(&Token::Sign('('), "a list: `(\"one\", \"other\")`")?;
        let mut list = Vec::new();
        loop {
            let Token::Text(text) = self.peek().token.clone() else {
                return Err(self.unexpected("a text", None));
            };
            self.at += 1;
            list.push(text);
            if !self.take(&Token::Sign(',')) {
                self.expect(&Token::Sign(')'), "`,` or `)`")?;
                return Ok(list);
            }
        }
    }

    fn operand(&mut self) -> Result<Operand, Reported> {
        let start = self.peek().span;
        let mut factor = None;
        let negative = self.peek().token == Token::Sign('-');
        let number_at = if negative { 1 } else { 0 };
        if matches!(self.after(number_at), Token::Number(_)) && self.after(number_at + 1) == &Token::Sign('*') {
            factor = Some(self.number()?.0);
            self.at += 1;
        }
        let term = self.term()?;
        if factor.is_none() && self.take(&Token::Sign('*')) {
            factor = Some(self.number()?.0);
        }
        let mut plus = None;
        for (sign, by) in [('+', 1.0), ('-', -1.0)] {
            if plus.is_none() && self.take(&Token::Sign(sign)) {
                plus = Some(by * self.number()?.0);
            }
        }
        let span = start.to(self.tokens[self.at - 1].span);
        Ok(Operand { factor, term, plus, span })
    }

    fn term(&mut self) -> Result<Term, Reported> {
        match self.peek().token.clone() {
            Token::Text(text) => {
                self.at += 1;
                Ok(Term::Text(text))
            }
            Token::Date(day) => {
                self.at += 1;
                Ok(Term::Date(day))
            }
            Token::Number(_) | Token::Sign('-') => Ok(Term::Number(self.number()?.0)),
            Token::Name(word) if word == "today" => {
                self.at += 1;
                Ok(Term::Today)
            }
            Token::Name(word) if !WORDS.contains(&word.as_str()) => Ok(Term::Field(self.field()?)),
            _ => Err(self.unexpected("a condition", None)),
        }
    }

    fn field(&mut self) -> Result<FieldName, Reported> {
        let of = self.name("a field, as `E.price`")?;
        if !self.take(&Token::Sign('.')) {
            let hint = format!("to use a field of the record, write `{EXTRACTED}.{}`", of.text);
            return Err(self.unexpected("`.` and the name of a field", Some(hint)));
        }
        let placed = self.peek().clone();
        let (Token::Name(name) | Token::Text(name)) = placed.token else {
            return Err(self.unexpected("the name of a field", None));
        };
        self.at += 1;
        Ok(FieldName { of: of.text, name, span: of.span.to(placed.span) })
    }

    fn own_threshold(&mut self) -> Result<Option<f64>, Reported> {
        if self.take_word("at") { self.threshold().map(Some) } else { Ok(None) }
    }

    fn threshold(&mut self) -> Result<f64, Reported> {
        let (value, span) = self.number()?;
        if value > 0.0 && value <= 1.0 {
            return Ok(value);
        }
        self.found.push(RuleError::Threshold { value, span });
        Ok(DEFAULT_THRESHOLD)
    }

    fn number(&mut self) -> Result<(f64, Span), Reported> {
        let start = self.peek().span;
        let negative = self.take(&Token::Sign('-'));
        let Token::Number(value) = self.peek().token else {
            return Err(self.unexpected("a number", None));
        };
        let span = start.to(self.peek().span);
        self.at += 1;
        Ok((if negative { -value } else { value }, span))
    }

    /// Parses a name that is not a keyword.
    fn name(&mut self, expected: &str) -> Result<Name, Reported> {
        match self.peek().clone() {
            Placed { token: Token::Name(text), span, .. } if !WORDS.contains(&text.as_str()) => {
                self.at += 1;
                Ok(Name { text, span })
            }
            _ => Err(self.unexpected(expected, None)),
        }
    }

    fn peek(&self) -> &Placed {
        // The last token is `End`, and the index is limited to it.
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn after(&self, count: usize) -> &Token {
        &self.tokens[(self.at + count).min(self.tokens.len() - 1)].token
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(&self.peek().token, Token::Name(name) if name == word)
    }

    fn is_rule(&self) -> bool {
        self.after(1) == &Token::Sign(':')
    }

    fn take_word(&mut self, word: &str) -> bool {
        let is = self.is_word(word);
        self.at += usize::from(is);
        is
    }

    fn take(&mut self, token: &Token) -> bool {
        let is = self.peek().token == *token;
        self.at += usize::from(is);
        is
    }

    fn expect(&mut self, token: &Token, expected: &str) -> Result<(), Reported> {
        if self.take(token) { Ok(()) } else { Err(self.unexpected(expected, None)) }
    }

    fn word(&mut self, word: &str) -> Result<(), Reported> {
        if self.take_word(word) { Ok(()) } else { Err(self.unexpected(&format!("`{word}`"), None)) }
    }

    fn unexpected(&mut self, expected: &str, hint: Option<String>) -> Reported {
        let Placed { token, mut span, first } = self.peek().clone();
        let found = match &token {
            // If the next token begins a rule, the error is at the end of the current one.
            _ if first && self.at > 0 && self.begins() => {
                let end = self.tokens[self.at - 1].span.end;
                span = Span::new(end, end);
                "the end of the rule".to_owned()
            }
            Token::Name(name) => format!("`{name}`"),
            Token::Text(text) => format!("the text \"{text}\""),
            Token::Number(number) => format!("the number {number}"),
            Token::Date(day) => format!("the day {day}"),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::Comparison(operator) => format!("`{}`", operator.sign()),
            Token::Arrow => "`->`".to_owned(),
            Token::End => "the end".to_owned(),
        };
        // Suggests a keyword for a misspelled one: `adn`, `exist`.
        let misspelled = match &token {
            Token::Name(name) if !WORDS.contains(&name.as_str()) => nearest(name, WORDS),
            _ => None,
        };
        let hint = misspelled.map(|word| format!("did you mean `{word}`?")).or(hint);
        self.found.push(RuleError::Syntax { expected: expected.to_owned(), found, hint, span });
        Reported
    }

    /// Skips to the next line that begins a rule or a directive.
    fn skip(&mut self, before: usize) {
        self.at = self.at.max(before + 1);
        while self.peek().token != Token::End {
            if self.peek().first && self.begins() {
                return;
            }
            self.at += 1;
        }
    }

    /// Reports whether a rule or a directive begins here, if a line does.
    fn begins(&self) -> bool {
        ["threshold", "reference", "rename"].iter().any(|word| self.is_word(word)) || self.is_rule()
    }
}
