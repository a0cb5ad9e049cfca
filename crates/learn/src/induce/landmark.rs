//! Landmarks: the tokens in front of a value and behind it, as few as are needed to find it.
//!
//! Tags, texts and comments are tokens of one kind. A candidate rule has all the tokens that stand in front of the value
//! in every training entry, from the value outwards; where only the tags are the same, it has the tag with the
//! attributes that are, and where texts differ, as titles do, it skips them. It is then cut down: from the innermost token outwards, the first tokens that locate the value in
//! every entry, those held back included, are the rule. The same for what stands behind.
//!
//! Paper: M. Zhang, Y. Zhou, J. Patrick, "Automatic Extraction of Complex Web Data", PACIS 2006, Table 3 (candidate rule
//! generation) and figure 6 (pruning).
//!
//! # Departures from the paper
//!
//! The paper keeps a tag's name or all of it; here the attributes that all have are kept. It stops at the first token that
//! differs; here texts that differ are skipped, as STALKER does, on which it builds. A rule is looked for in its
//! entry, not on the whole page.
//!
//! # Cost
//!
//! A bounded number of rules, each one walk over the tokens of every entry.

use std::ops::Range;

use windrow_dom::{Document, NodeId, Token, TokenKind};
use windrow_wrapper::{Find, Landmark, Locator};

/// Tokens of one rule.
const LONGEST: usize = 16;
/// Bytes of a text or comment that may be a delimiter.
const TEXT: usize = 80;
/// Attributes of a tag, and words of a class, that a rule names: more do not tell more.
const NAMED: usize = 3;
/// Attributes that say what a tag is.
const TELLING: [&str; 6] = ["class", "id", "rel", "itemprop", "property", "name"];

/// What a token must be.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Test {
    Start {
        name: String,
        attributes: Vec<(String, String)>,
        taken: Option<String>,
    },
    End {
        name: String,
    },
    Text(String),
    Comment(String),
    /// A text that cannot be told: a long one, one with both kinds of quotes.
    Any,
    /// A comment that cannot be told.
    Remark,
    /// Any number of tokens.
    Skip,
}

/// A page as tokens, without blank texts.
pub(crate) struct Strip<'d> {
    document: &'d Document,
    tokens: Vec<Token>,
    /// By node: its first token, and the one behind its last.
    places: Vec<(u32, u32)>,
    /// Texts that are values, and so are in no rule.
    values: Vec<String>,
}

/// An entry, and where the value is in it.
#[derive(Clone)]
pub(crate) struct Sample<'s, 'd> {
    strip: &'s Strip<'d>,
    /// The tokens of the entry.
    scope: Range<usize>,
    /// Those of the value; for an attribute, the tag that has it.
    value: Range<usize>,
    /// The attribute that is the value.
    attribute: Option<String>,
}

impl<'d> Strip<'d> {
    /// `values`: texts that are values, and so are in no rule.
    pub(crate) fn new(document: &'d Document, values: Vec<String>) -> Strip<'d> {
        let source = document.source();
        let shown = |token: &Token| match token.kind {
            TokenKind::Doctype => false,
            TokenKind::Text => !source[token.span.range()].trim().is_empty(),
            _ => true,
        };
        let tokens: Vec<Token> = document.tokens().into_iter().filter(shown).collect();
        let mut places = vec![(u32::MAX, 0); document.len()];
        for (at, token) in tokens.iter().enumerate() {
            let place = &mut places[token.node.index()];
            *place = (place.0.min(at as u32), place.1.max(at as u32 + 1));
        }
        Strip { document, tokens, places, values }
    }

    /// The tokens of these nodes, from `first` up to the node `end`.
    fn of(&self, first: NodeId, end: NodeId) -> Option<Range<usize>> {
        // An element that was never closed may end inside others: its end tag is a token among theirs.
        let places = self.places.get(first.index()..end.index())?;
        let from = places.iter().map(|place| place.0).min().filter(|&from| from < u32::MAX)?;
        let to = places.iter().map(|place| place.1).max()?;
        Some(from as usize..to as usize)
    }

    /// An entry with the nodes that are its value.
    pub(crate) fn sample(&self, scope: (NodeId, NodeId), value: (NodeId, NodeId)) -> Option<Sample<'_, 'd>> {
        let mut own = self.of(scope.0, scope.1)?;
        let value = self.of(value.0, value.1)?;
        // The entry's own end tag ends the entry, not the value.
        let last = &self.tokens[own.end - 1];
        if last.kind == TokenKind::EndTag && last.node == scope.0 && value.end < own.end {
            own.end -= 1;
        }
        Some(Sample { strip: self, scope: own, value, attribute: None })
    }

    /// An entry with the content of an element for its value.
    pub(crate) fn content(&self, scope: (NodeId, NodeId), element: NodeId) -> Option<Sample<'_, 'd>> {
        let mut sample = self.sample(scope, (element, self.document.subtree_end(element)))?;
        let first = &self.tokens[sample.value.start];
        if first.kind == TokenKind::StartTag && first.node == element {
            sample.value.start += 1;
            let last = &self.tokens[sample.value.end - 1];
            if last.kind == TokenKind::EndTag && last.node == element {
                sample.value.end -= 1;
            }
        }
        (sample.value.start < sample.value.end).then_some(sample)
    }

    /// An entry with the texts of a node for its value.
    pub(crate) fn texts(&self, scope: (NodeId, NodeId), node: NodeId) -> Option<Sample<'_, 'd>> {
        let mut sample = self.sample(scope, (node, self.document.subtree_end(node)))?;
        let is_text = |at: &usize| self.tokens[*at].kind == TokenKind::Text;
        let first = sample.value.clone().find(is_text)?;
        let last = sample.value.clone().rev().find(is_text)?;
        sample.value = first..last + 1;
        Some(sample)
    }

    /// An entry with an attribute of an element for its value.
    pub(crate) fn attribute(&self, scope: (NodeId, NodeId), element: NodeId, name: &str) -> Option<Sample<'_, 'd>> {
        let mut sample = self.sample(scope, (element, self.document.subtree_end(element)))?;
        sample.value.end = sample.value.start + 1;
        sample.attribute = Some(name.to_owned());
        Some(sample)
    }

    fn test(&self, at: usize) -> Test {
        let token = &self.tokens[at];
        let source = &self.document.source()[token.span.range()];
        let name = || self.document.name(token.node).unwrap_or_default().to_owned();
        match token.kind {
            TokenKind::StartTag => {
                let attributes = TELLING.iter().filter_map(|&key| {
                    let value = self.document.attr(token.node, key)?.trim();
                    let plain = !value.is_empty() && !value.contains('"') && value.len() <= TEXT;
                    plain.then(|| (key.to_owned(), value.to_owned()))
                });
                Test::Start { name: name(), attributes: attributes.take(NAMED).collect(), taken: None }
            }
            TokenKind::EndTag => Test::End { name: name() },
            TokenKind::Text => match source.trim() {
                text if self.is_template(text) => Test::Text(text.to_owned()),
                _ => Test::Any,
            },
            TokenKind::Comment => {
                let inside = source.trim_start_matches("<!--").trim_end_matches("-->").trim();
                match inside.len() <= TEXT && !inside.is_empty() {
                    true => Test::Comment(inside.to_owned()),
                    false => Test::Remark,
                }
            }
            TokenKind::Doctype => Test::Any,
        }
    }

    /// Whether a text may be a delimiter. What has a number in it is a value.
    fn is_template(&self, text: &str) -> bool {
        let quotes = text.contains('"') && text.contains('\'');
        let value = |value: &String| text.contains(value.as_str());
        let strange = quotes || text.contains(|c: char| c == '&' || c.is_numeric());
        text.len() <= TEXT && !strange && !self.values.iter().any(value)
    }

    fn hits(&self, test: &Test, at: usize) -> bool {
        let token = &self.tokens[at];
        let same = |wanted: &str| self.document.name(token.node).is_some_and(|name| name.eq_ignore_ascii_case(wanted));
        let source = || &self.document.source()[token.span.range()];
        match (test, token.kind) {
            (Test::Start { name, attributes, taken }, TokenKind::StartTag) => {
                let has = |(key, wanted): &(String, String)| match self.document.attr(token.node, key) {
                    Some(given) if key == "class" => wanted
                        .split_ascii_whitespace()
                        .all(|word| given.split_ascii_whitespace().any(|has| has == word)),
                    Some(given) => given == wanted,
                    None => false,
                };
                same(name)
                    && attributes.iter().all(has)
                    && taken.as_ref().is_none_or(|taken| self.document.attr(token.node, taken).is_some())
            }
            (Test::End { name }, TokenKind::EndTag) => same(name),
            (Test::Text(text), TokenKind::Text) => source().contains(text.as_str()),
            (Test::Comment(text), TokenKind::Comment) => source().contains(text.as_str()),
            _ => false,
        }
    }

    /// The first place from `at` on where the runs of a rule match one behind the other: the token behind it.
    fn find(&self, rule: &[Test], at: usize, end: usize) -> Option<usize> {
        let mut at = at;
        for run in rule.split(|test| *test == Test::Skip) {
            at = (at..end).find_map(|at| self.matches(run, at, end))?;
        }
        Some(at)
    }

    /// Matches neighbouring tokens from `at` on; the token behind the match. Comments do not part others.
    fn matches(&self, rule: &[Test], at: usize, end: usize) -> Option<usize> {
        let mut at = at;
        for (number, test) in rule.iter().enumerate() {
            loop {
                if at >= end {
                    return None;
                }
                if self.hits(test, at) {
                    at += 1;
                    break;
                }
                if number == 0 || self.tokens[at].kind != TokenKind::Comment {
                    return None;
                }
                at += 1;
            }
        }
        Some(at)
    }
}

impl Sample<'_, '_> {
    /// The same value in other bounds, if it is in them.
    pub(crate) fn within(mut self, scope: Range<usize>) -> Option<Self> {
        let inside = scope.start <= self.value.start && self.value.end <= scope.end;
        self.scope = scope;
        inside.then_some(self)
    }

    /// Where the value is on its page.
    pub(crate) fn position(&self) -> usize {
        self.value.start
    }

    /// Where the value begins; an attribute, behind its tag.
    fn begin(&self) -> usize {
        if self.attribute.is_some() { self.value.end } else { self.value.start }
    }

    /// Whether the first match of a start rule ends where the value begins.
    fn begins(&self, rule: &[Test]) -> bool {
        let wanted = self.begin();
        let found = self.strip.find(rule, self.scope.start, self.scope.end);
        found.is_some_and(|found| self.skip(found) == self.skip(wanted))
    }

    /// Whether the first match of an end rule behind the value's beginning is where the value ends. A value at the end
    /// of its entry needs none.
    fn ends(&self, rule: &[Test]) -> bool {
        let found =
            (self.value.start..self.scope.end).find(|&at| self.strip.matches(rule, at, self.scope.end).is_some());
        match found {
            Some(found) => self.skip(found) == self.skip(self.value.end) || found == self.value.end,
            None => self.skip(self.value.end) == self.scope.end,
        }
    }

    /// The first token from `at` on that is no comment.
    fn skip(&self, at: usize) -> usize {
        (at..self.scope.end).find(|&at| self.strip.tokens[at].kind != TokenKind::Comment).unwrap_or(self.scope.end)
    }

    fn before(&self, distance: usize) -> Option<Test> {
        let from = self.begin();
        let at = from.checked_sub(distance).filter(|&at| at >= self.scope.start)?;
        let mut test = self.strip.test(at);
        if let (1, Some(attribute), Test::Start { taken, attributes, .. }) = (distance, &self.attribute, &mut test) {
            *taken = Some(attribute.clone());
            // The paper's XML cannot say more of such a tag.
            attributes.clear();
        }
        Some(test)
    }

    fn behind(&self, distance: usize) -> Option<Test> {
        let at = self.value.end + distance - 1;
        (at < self.scope.end).then(|| self.strip.test(at))
    }
}

/// What two tokens have in common; none if that is nothing.
fn merge(one: &Test, other: &Test) -> Option<Test> {
    match (one, other) {
        (Test::Any | Test::Remark, _) | (_, Test::Any | Test::Remark) => None,
        (Test::Start { name, attributes, taken }, Test::Start { name: other, attributes: others, .. })
            if name == other =>
        {
            let same = attributes.iter().filter_map(|(key, value)| {
                let (_, other) = others.iter().find(|(other, _)| other == key)?;
                if key != "class" {
                    return (value == other).then(|| (key.clone(), value.clone()));
                }
                let words = value
                    .split_ascii_whitespace()
                    .filter(|word| other.split_ascii_whitespace().any(|has| has == *word));
                let words = words.take(NAMED).collect::<Vec<_>>().join(" ");
                (!words.is_empty()).then(|| (key.clone(), words))
            });
            Some(Test::Start { name: name.clone(), attributes: same.collect(), taken: taken.clone() })
        }
        (one, other) => (one == other).then(|| one.clone()),
    }
}

/// The tokens at each distance that all samples have there, from the value outwards.
fn candidate<'s, 'd>(samples: &[&Sample<'s, 'd>], at: impl Fn(&Sample<'s, 'd>, usize) -> Option<Test>) -> Vec<Test> {
    let mut rule: Vec<Test> = Vec::new();
    // By sample: how far out it is looked at.
    let mut distances = vec![1; samples.len()];
    for _ in 1..=LONGEST {
        let look = |distances: &[usize]| -> Option<Vec<Test>> {
            samples.iter().zip(distances).map(|(sample, &distance)| at(sample, distance)).collect()
        };
        let Some(mut tests) = look(&distances).filter(|tests| !tests.is_empty()) else { break };
        if tests.iter().any(|test| matches!(test, Test::Comment(_) | Test::Remark))
            && tests.iter().any(|test| *test != tests[0])
        {
            // Comments that differ do not part other tokens.
            for (distance, sample) in distances.iter_mut().zip(samples) {
                while matches!(at(sample, *distance), Some(Test::Comment(_) | Test::Remark)) {
                    *distance += 1;
                }
            }
            match look(&distances) {
                Some(further) => tests = further,
                None => break,
            }
        }
        let merged = tests[1..].iter().try_fold(tests[0].clone(), |one, other| merge(&one, other));
        match merged.filter(|test| !matches!(test, Test::Any | Test::Remark)) {
            Some(test) => rule.push(test),
            None if !rule.is_empty() && tests.iter().all(|test| matches!(test, Test::Text(_) | Test::Any)) => {
                rule.push(Test::Skip);
            }
            None => break,
        }
        distances.iter_mut().for_each(|distance| *distance += 1);
    }
    while rule.last() == Some(&Test::Skip) {
        rule.pop();
    }
    rule
}

/// The rule of these values: the locator, and how many tokens it names. `held_back` values take part in the pruning
/// alone.
pub(crate) fn compose<'s, 'd>(training: &[&Sample<'s, 'd>], held_back: &[&Sample<'s, 'd>]) -> Option<(Locator, usize)> {
    let all: Vec<&Sample<'s, 'd>> = training.iter().chain(held_back).copied().collect();
    let tests = if held_back.is_empty() { training } else { held_back };
    let starts = candidate(training, Sample::before);
    let start = prune(
        &starts,
        true,
        |rule| tests.iter().all(|sample| sample.begins(rule)),
        |rule| all.iter().filter(|sample| sample.begins(rule)).count(),
    )?;
    let taken = training.first()?.attribute.is_some();
    // A value that always ends where its entry does needs no end.
    let open = all.iter().all(|sample| sample.skip(sample.value.end) == sample.scope.end);
    let end = match taken || open {
        true => Vec::new(),
        false => {
            let with_end: Vec<&Sample<'s, 'd>> =
                training.iter().copied().filter(|sample| sample.skip(sample.value.end) < sample.scope.end).collect();
            let mut ends = candidate(&with_end, Sample::behind);
            ends.truncate(ends.iter().position(|test| *test == Test::Skip).unwrap_or(ends.len()));
            prune(
                &ends,
                false,
                |rule| tests.iter().all(|sample| sample.ends(rule)),
                |rule| all.iter().filter(|sample| sample.ends(rule)).count(),
            )?
        }
    };
    let count = start.len() + end.len();
    let text = |rule: &[Test]| rule.iter().map(written).collect::<Vec<_>>().join(" ");
    let end = (!end.is_empty()).then(|| text(&end).into());
    Some((Locator::new(Find::Landmark(Landmark::Between { start: text(&start).into(), end })), count))
}

/// Records that begin with their first value, all on one page: the tokens in front of these values that are in front of
/// nothing else on it, and by sample the tokens of its record.
pub(crate) fn each(samples: &[&Sample<'_, '_>]) -> Option<(String, Vec<Range<usize>>)> {
    let strip = samples.first()?.strip;
    let end = strip.tokens.len();
    let mut candidate = candidate(samples, Sample::before);
    // What a record begins with stands in a row.
    candidate.truncate(candidate.iter().position(|test| *test == Test::Skip).unwrap_or(candidate.len()));
    let wanted = samples.iter().map(|sample| sample.begin());
    for count in 1..=candidate.len() {
        let rule: Vec<Test> = candidate[..count].iter().rev().cloned().collect();
        let found: Vec<(usize, usize)> = (0..end).filter_map(|at| Some((at, strip.matches(&rule, at, end)?))).collect();
        if found.iter().map(|found| found.1).eq(wanted.clone()) {
            let text = rule.iter().map(written).collect::<Vec<_>>().join(" ");
            let ends = found.iter().skip(1).map(|found| found.0).chain([end]);
            return Some((text, found.iter().zip(ends).map(|(found, end)| found.0..end).collect()));
        }
    }
    None
}

/// The fewest tokens, from the innermost outwards, that locate the value in all tests; else in most.
fn prune(
    candidate: &[Test],
    reversed: bool,
    exact: impl Fn(&[Test]) -> bool,
    right: impl Fn(&[Test]) -> usize,
) -> Option<Vec<Test>> {
    let order = |count: usize| -> Vec<Test> {
        let own = candidate[..count].iter().cloned();
        if reversed { own.rev().collect() } else { own.collect() }
    };
    let counts = (1..=candidate.len()).filter(|&count| candidate[count - 1] != Test::Skip);
    let mut tried: Vec<(usize, Vec<Test>)> = Vec::new();
    for count in counts {
        let rule = order(count);
        if exact(&rule) {
            return Some(rule);
        }
        tried.push((right(&rule), rule));
    }
    // None is right everywhere: the shortest that is about as good as any.
    let most = tried.iter().map(|tried| tried.0).max().filter(|&most| most > 0)?;
    tried.into_iter().find(|tried| tried.0 * 4 >= most * 3).map(|tried| tried.1)
}

fn written(test: &Test) -> String {
    match test {
        Test::Start { name, attributes, taken } => {
            let mut text = format!("<{name}");
            attributes.iter().for_each(|(key, value)| text.push_str(&format!(" {key}=\"{value}\"")));
            taken.iter().for_each(|key| text.push_str(&format!(" {key}=#")));
            text + ">"
        }
        Test::End { name } => format!("</{name}>"),
        Test::Text(text) if text.contains('"') => format!("'{text}'"),
        Test::Text(text) => format!("\"{text}\""),
        Test::Comment(text) => format!("<!--{text}-->"),
        Test::Any | Test::Remark | Test::Skip => "*".to_owned(),
    }
}
