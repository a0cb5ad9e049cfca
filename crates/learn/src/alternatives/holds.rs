//! What a way holds on to: names, words, tags, steps and positions, read off the expression itself.
//!
//! The expressions may be anybody's, so they are not understood but scanned: what a redesign may change are the names and
//! numbers in them, and these can be told without a grammar. Linear in the expression.

use windrow_wrapper::{Column, Find, Landmark, Locator, Slice};
use windrow_xpath::{Expr, Language};

use crate::induce::generated::looks_generated;

/// What a way holds on to, each as often as it does.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Holds {
    /// Classes that a person named.
    pub(super) classes: Vec<String>,
    /// Classes and ids that a program made up.
    pub(super) generated: Vec<String>,
    /// Ids.
    pub(super) ids: Vec<String>,
    /// Attributes that are there for programs, such as `itemprop`.
    pub(super) properties: Vec<String>,
    /// Words on the page.
    pub(super) labels: Vec<String>,
    /// Tags by which something is found, as opposed to steps.
    pub(super) tags: Vec<String>,
    /// Steps from an element to its child.
    pub(super) steps: usize,
    /// Steps to a neighbour.
    pub(super) neighbours: usize,
    /// Positions among what is alike.
    pub(super) positions: usize,
    /// What must be inside, or not.
    pub(super) contexts: usize,
    /// Cuts out of a text by what it looks like.
    pub(super) shapes: usize,
    /// Whether it begins at the root.
    pub(super) absolute: bool,
    /// How many ways there are instead of each other.
    pub(super) cases: usize,
}

impl Holds {
    /// Of a locator; of several cases, what the first holds on to.
    pub(super) fn of(locator: &Locator) -> Holds {
        let mut holds = Holds::default();
        holds.add(locator, 0);
        holds
    }

    fn add(&mut self, locator: &Locator, depth: usize) {
        if depth > 64 {
            return;
        }
        match &locator.find {
            Find::Scope => {}
            Find::Css(text) => self.css(text),
            Find::XPath(text) => self.xpath(text),
            Find::Expression(text) => match Expr::parse(text).map(|expr| expr.language()) {
                Ok(Language::Css) => self.css(text),
                _ => self.xpath(text),
            },
            Find::Case(cases) => {
                self.cases += cases.len().saturating_sub(1);
                if let Some(first) = cases.first() {
                    self.add(first, depth + 1);
                }
            }
            Find::Table(inner) | Find::Get(inner) => self.add(inner, depth + 1),
            Find::Column(Column::Named(name)) => self.labels.push(name.value.clone()),
            Find::Column(Column::Number(_)) => self.positions += 1,
            // The source itself: as good as tags and the steps between them.
            Find::Pattern(text) | Find::Split(text) => self.source(text),
            Find::Landmark(Landmark::Each(text)) => self.source(text),
            Find::Landmark(Landmark::Between { start, end }) => {
                self.source(start);
                end.iter().for_each(|end| self.source(end));
            }
        }
        if locator.slice.is_some_and(|slice| slice != Slice::Range { skip: 0, drop: 0 }) {
            self.positions += 1;
        }
        self.labels.extend([&locator.after, &locator.before].into_iter().flatten().map(|text| text.value.clone()));
        self.shapes += usize::from(locator.matches.is_some());
        if let Some(then) = &locator.then {
            self.add(then, depth + 1);
        }
    }

    fn named(&mut self, name: &str) {
        match looks_generated(name) {
            true => self.generated.push(name.to_owned()),
            false => self.classes.push(name.to_owned()),
        }
    }

    /// An attribute, compared with a value or only asked for.
    fn attribute(&mut self, name: &str, value: &str) {
        match name {
            "class" => value.split_ascii_whitespace().for_each(|word| self.named(word)),
            "id" if looks_generated(value.trim_start_matches(['_', '-'])) => self.generated.push(value.to_owned()),
            "id" => self.ids.push(value.to_owned()),
            _ if value.is_empty() => self.contexts += 1,
            _ => self.properties.push(format!("{name}={value}")),
        }
    }

    fn source(&mut self, text: &str) {
        let tags = text.matches('<').count();
        self.steps += tags.saturating_sub(1);
        match tags {
            0 => self.labels.push(text.to_owned()),
            _ => self.tags.push(text.to_owned()),
        }
    }

    fn css(&mut self, text: &str) {
        let mut rest = text;
        let word = |text: &str| {
            let end = text.find(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_' | '\\')).unwrap_or(text.len());
            (text[..end].to_owned(), end)
        };
        while let Some(c) = rest.chars().next() {
            let mut length = c.len_utf8();
            match c {
                '.' | '#' => {
                    let (name, end) = word(&rest[1..]);
                    match c {
                        '.' => self.named(&name),
                        _ => self.attribute("id", &name),
                    }
                    length += end;
                }
                '[' => {
                    let end = rest.find(']').map_or(rest.len(), |end| end + 1);
                    let inner = rest[1..end].trim_end_matches(']');
                    let (name, value) = inner.split_once('=').unwrap_or((inner, ""));
                    let name = name.trim_end_matches(['~', '^', '$', '*', '|']).trim();
                    self.attribute(name, value.trim().trim_matches(['"', '\'']));
                    length = end;
                }
                '>' => self.steps += 1,
                '+' | '~' => self.neighbours += 1,
                ':' => {
                    let (name, end) = word(rest.trim_start_matches(':'));
                    let colons = rest.len() - rest.trim_start_matches(':').len();
                    length = colons + end;
                    let takes = rest[length..].starts_with('(');
                    let close = if takes { closing(&rest[length..]) } else { 0 };
                    match name.as_str() {
                        // Which part of it is read is no matter of design.
                        "attr" | "text" => length += close,
                        "has" | "not" => {
                            self.contexts += 1;
                            length += close;
                        }
                        "is" | "where" | "scope" => {}
                        _ => {
                            self.positions += 1;
                            length += close;
                        }
                    }
                }
                c if c.is_alphabetic() => {
                    let (name, end) = word(rest);
                    self.tags.push(name);
                    length = end;
                }
                _ => {}
            }
            rest = &rest[length.min(rest.len())..];
        }
        // A tag at the end of a step says where, and is no name by itself.
        let steps = self.steps.min(self.tags.len().saturating_sub(1));
        self.tags.truncate(self.tags.len() - steps);
    }

    fn xpath(&mut self, text: &str) {
        self.absolute |= text.starts_with('/') && !text.starts_with("//");
        let mut rest = text;
        // The attribute that a value is compared with; none for a text.
        let mut asked: Option<String> = None;
        let (mut depth, mut descends) = (0usize, true);
        while let Some(c) = rest.chars().next() {
            let mut length = c.len_utf8();
            match c {
                '\'' | '"' => {
                    let end = rest[1..].find(c).map_or(rest.len(), |end| end + 2);
                    let value = rest[1..end].trim_end_matches(c);
                    match &asked {
                        Some(name) if !value.trim().is_empty() => {
                            let name = name.clone();
                            self.attribute(&name, value.trim());
                        }
                        None if !value.trim().is_empty() => self.labels.push(value.to_owned()),
                        _ => {}
                    }
                    length = end;
                }
                '[' => {
                    depth += 1;
                    let inner = rest[1..].split(']').next().unwrap_or_default().trim();
                    let numbered = !inner.is_empty() && inner.bytes().all(|byte| byte.is_ascii_digit());
                    self.positions +=
                        usize::from(numbered || inner.starts_with("last()") || inner.starts_with("position()"));
                    asked = None;
                }
                ']' => {
                    depth = depth.saturating_sub(1);
                    asked = None;
                }
                '/' if rest.starts_with("//") => {
                    descends = true;
                    length = 2;
                }
                '/' => descends = false,
                '@' => {
                    let name: String =
                        rest[1..].chars().take_while(|c| c.is_alphanumeric() || "-_:.".contains(*c)).collect();
                    length += name.len();
                    // At the end of a path it is what is read.
                    if depth > 0 {
                        asked = Some(name);
                    }
                }
                '|' => descends = true,
                c if c.is_alphabetic() || c == '_' => {
                    let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || "-_".contains(*c)).collect();
                    length = name.len();
                    let behind = &rest[length..];
                    match (behind.starts_with("::"), behind.starts_with('(')) {
                        (true, _) => {
                            self.neighbours += usize::from(matches!(
                                name.as_str(),
                                "following-sibling" | "preceding-sibling" | "following" | "preceding"
                            ));
                            descends |= matches!(name.as_str(), "descendant" | "following" | "preceding");
                            length += 2;
                        }
                        (_, true) if name == "text" && depth == 0 => self.steps += 1,
                        (_, true) => {}
                        _ if matches!(name.as_str(), "and" | "or" | "div" | "mod") && depth > 0 => {}
                        _ if depth > 0 => self.contexts += 1,
                        _ if descends => self.tags.push(name),
                        _ => self.steps += 1,
                    }
                }
                '.' if rest.starts_with("..") => {
                    self.steps += 1;
                    length = 2;
                }
                _ => {}
            }
            rest = &rest[length.min(rest.len())..];
        }
    }

    /// What sort of way it is, so that ways of one sort can be told from those of others.
    pub(super) fn kind(&self) -> String {
        let signs = [
            ("p", self.properties.len()),
            ("i", self.ids.len()),
            ("l", self.labels.len()),
            ("c", self.classes.len()),
            ("g", self.generated.len()),
            ("t", usize::from(!self.tags.is_empty())),
            ("s", usize::from(self.steps > 0)),
            ("n", usize::from(self.positions > 0)),
            ("x", usize::from(self.shapes > 0)),
            ("o", self.cases),
        ];
        signs.iter().filter(|(_, count)| *count > 0).map(|(sign, count)| format!("{sign}{count}")).collect()
    }

    /// What it holds on to, in words.
    pub(super) fn told(&self) -> String {
        let one = |names: &[String], what: &str, several: &str| -> Option<String> {
            let quoted = |name: &String| format!("`{}`", name.chars().take(40).collect::<String>());
            match names {
                [] => None,
                [only] => Some(format!("{what} {}", quoted(only))),
                _ => Some(format!("{several} {}", names.iter().take(3).map(quoted).collect::<Vec<_>>().join(", "))),
            }
        };
        if self.absolute {
            return "by its position from the top of the page: breaks if anything is added above it".to_owned();
        }
        let mut parts: Vec<String> = Vec::new();
        parts.extend(one(&self.properties, "what the page says for programs,", "what the page says for programs,"));
        parts.extend(one(&self.ids, "the id", "the ids"));
        parts.extend(one(&self.labels, "the words", "the words"));
        parts.extend(one(&self.classes, "the class", "the classes"));
        parts.extend(one(&self.generated, "the made-up name", "the made-up names"));
        let mut text = match parts.is_empty() {
            false => format!("by {}", parts.join(" and ")),
            true if self.positions > 0 => "by its position: breaks if anything is added".to_owned(),
            true => match one(&self.tags, "the tag", "the tags") {
                Some(tags) => format!("by {tags}"),
                None if self.steps > 0 => "by the way the page is built".to_owned(),
                None => "by where it is: the record itself".to_owned(),
            },
        };
        let named = !parts.is_empty();
        if named && self.positions > 0 {
            text += ", then by position";
        } else if named && self.steps + self.neighbours > 1 {
            text += ", then by steps";
        }
        if self.shapes > 0 {
            text += ", and by what it looks like";
        }
        if !self.generated.is_empty() {
            text += ": made by a program, may change with every build";
        }
        if self.cases > 0 {
            text += if self.cases == 1 { "; if that fails, another way" } else { "; if that fails, other ways" };
        }
        text
    }
}

/// How long a part in parentheses is, which the text begins with.
fn closing(text: &str) -> usize {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at + c.len_utf8();
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(locator: impl Into<Locator>) -> String {
        Holds::of(&locator.into()).told()
    }

    #[test]
    fn names_words_and_positions_are_told() {
        assert_eq!(told(".price"), "by the class `price`");
        assert_eq!(told("#main > .price"), "by the id `main` and the class `price`");
        assert_eq!(told("[itemprop=price]"), "by what the page says for programs, `itemprop=price`");
        assert_eq!(
            told(".css-1x2y3z"),
            "by the made-up name `css-1x2y3z`: made by a program, may change with every build"
        );
        assert_eq!(told("h2 a"), "by the tags `h2`, `a`");
        assert_eq!(told("//b[.='Price:']/following-sibling::i[1]"), "by the words `Price:`, then by position");
        assert_eq!(told("div[2]/b[1]"), "by its position: breaks if anything is added");
        assert_eq!(
            told("/html[1]/body[1]/p[3]"),
            "by its position from the top of the page: breaks if anything is added above it"
        );
        assert_eq!(told("//p[contains(concat(' ', normalize-space(@class), ' '), ' price ')]"), "by the class `price`");
        assert_eq!(told("."), "by where it is: the record itself");
    }

    #[test]
    fn no_expression_is_too_odd() {
        for text in ["", "[", ".", "#", "::", ":has(", "'", "@", "//", "é.ü#ß[ö='", "a:not(.b", "\u{1F600}>.\u{1F600}"]
        {
            for locator in [Locator::css(text), Locator::xpath(text), Locator::from(text)] {
                Holds::of(&locator).told();
            }
        }
    }
}
