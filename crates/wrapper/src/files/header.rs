//! Headers: a wrapper's metadata in the comments at the top of a file whose format has no other place for it.
//!
//! One `key: value` per line: `name`, `description`, `url`, `learned`, `learned from` (once for each page), `learned
//! at`, `follow`, `search`, `search first`, `search step`, `search pages`, `search link`; and `path: list field =
//! /html[1]/…` for each rule that has a path, with the names of the rules around it. Any other comment is ignored.

use std::collections::HashMap;

use crate::wrapper::{Follow, Kind, Learned, Rule, Search, Wrapper};

/// Paths of rules that have not been read yet, by the names of the rules around them and their own.
#[derive(Debug, Default)]
pub(super) struct Paths(HashMap<String, String>);

impl Paths {
    /// Assigns each rule its path. A path without a rule is ignored.
    pub(super) fn give(self, wrapper: &mut Wrapper) {
        if !self.0.is_empty() {
            each(&mut wrapper.rules, "", &mut |names, rule| rule.path = self.0.get(names).map(|path| (**path).into()));
        }
    }
}

/// Calls `with` for each rule and its names. Recursion is as deep as the rules, which their readers bound.
fn each(rules: &mut [Rule], around: &str, with: &mut impl FnMut(&str, &mut Rule)) {
    for rule in rules {
        // The names of saved texts belong to the scope of the save.
        if rule.kind == Kind::Save {
            each(&mut rule.rules, around, with);
            continue;
        }
        let names = below(around, &rule.name);
        with(&names, rule);
        each(&mut rule.rules, &names, with);
    }
}

fn below(around: &str, name: &str) -> String {
    if around.is_empty() { name.to_owned() } else { format!("{around} {name}") }
}

/// Reads one line of a comment and returns `true` if it is a header. `url` is read too; formats that keep the page's
/// address elsewhere must not pass it.
pub(super) fn take(wrapper: &mut Wrapper, paths: &mut Paths, line: &str) -> bool {
    let Some((key, value)) = line.split_once(':') else { return false };
    let value = unescape(value.trim_matches(BLANK));
    match key.trim_matches(BLANK) {
        "name" => wrapper.name = Some(value),
        "description" => wrapper.description = Some(value),
        "url" => wrapper.url = Some(value.into()),
        "learned" => learned(wrapper).by = value,
        "learned from" => learned(wrapper).from.push(value),
        "learned at" => learned(wrapper).at = Some(value),
        "follow" => match follow(&value) {
            Some(bounds) => wrapper.follow = bounds,
            None => return false,
        },
        "search" => search(wrapper).url = value.into(),
        "search link" => search(wrapper).link = Some(value.into()),
        key @ ("search first" | "search step" | "search pages") => {
            let Ok(number) = value.parse() else { return false };
            let search = search(wrapper);
            match key {
                "search first" => search.first = number,
                "search step" => search.step = number,
                _ => search.pages = number,
            }
        }
        "path" => match value.split_once(" = ") {
            Some((names, path)) if path.starts_with('/') => drop(paths.0.insert(names.to_owned(), path.to_owned())),
            _ => return false,
        },
        _ => return false,
    }
    true
}

/// Returns the lines that [`take`] reads back.
pub(super) fn lines(wrapper: &Wrapper, with_url: bool) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = |key: &str, value: &str| lines.push(format!("{key}: {}", escape(value)).trim_end().to_owned());
    if let Some(name) = &wrapper.name {
        line("name", name);
    }
    if let Some(description) = &wrapper.description {
        line("description", description);
    }
    if let (Some(url), true) = (&wrapper.url, with_url) {
        line("url", url);
    }
    if let Some(learned) = &wrapper.learned {
        line("learned", &learned.by);
        for page in &learned.from {
            line("learned from", page);
        }
        if let Some(at) = &learned.at {
            line("learned at", at);
        }
    }
    if wrapper.follow != Follow::default() {
        line("follow", &format!("depth {}, pages {}", wrapper.follow.depth, wrapper.follow.pages));
    }
    if let Some(search) = &wrapper.search {
        let usual = Search::default();
        line("search", &search.url);
        let numbers = [
            ("search first", search.first, usual.first),
            ("search step", search.step, usual.step),
            ("search pages", search.pages, usual.pages),
        ];
        for (key, number, _) in numbers.into_iter().filter(|(_, number, usual)| number != usual) {
            line(key, &number.to_string());
        }
        if let Some(link) = &search.link {
            line("search link", link);
        }
    }
    written_paths(&wrapper.rules, "", &mut line);
    lines
}

fn written_paths(rules: &[Rule], around: &str, line: &mut impl FnMut(&str, &str)) {
    for rule in rules {
        if rule.kind == Kind::Save {
            written_paths(&rule.rules, around, line);
            continue;
        }
        let names = below(around, &rule.name);
        if let Some(path) = &rule.path {
            line("path", &format!("{names} = {path}"));
        }
        written_paths(&rule.rules, &names, line);
    }
}

const BLANK: [char; 2] = [' ', '\t'];

fn learned(wrapper: &mut Wrapper) -> &mut Learned {
    wrapper.learned.get_or_insert_default()
}

fn search(wrapper: &mut Wrapper) -> &mut Search {
    wrapper.search.get_or_insert_default()
}

fn follow(value: &str) -> Option<Follow> {
    let (depth, pages) = value.split_once(',')?;
    let depth = depth.trim().strip_prefix("depth ")?.trim().parse().ok()?;
    let pages = pages.trim().strip_prefix("pages ")?.trim().parse().ok()?;
    Some(Follow { depth, pages })
}

/// Escapes a value so that it is one line without white space at its ends and without `--`, which would end an XML
/// comment.
fn escape(value: &str) -> String {
    let mut escaped = String::with_capacity(value.len());
    let last = value.chars().count().saturating_sub(1);
    let mut hyphen = false;
    for (index, char) in value.chars().enumerate() {
        let end = index == 0 || index == last;
        match char {
            '\\' => escaped.push_str("\\\\"),
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '-' if hyphen => escaped.push_str("\\-"),
            ' ' if end => escaped.push_str("\\s"),
            _ if char.is_whitespace() && end => {
                // Escaped by number, so that trimming the line does not remove it.
                escaped.push_str(&format!("\\u{{{:x}}}", char as u32));
            }
            _ => escaped.push(char),
        }
        hyphen = char == '-';
    }
    escaped
}

fn unescape(value: &str) -> String {
    let mut plain = String::with_capacity(value.len());
    let mut rest = value.chars();
    while let Some(char) = rest.next() {
        if char != '\\' {
            plain.push(char);
            continue;
        }
        match rest.next() {
            Some('n') => plain.push('\n'),
            Some('r') => plain.push('\r'),
            Some('s') => plain.push(' '),
            Some('u') => match number(rest.as_str()) {
                Some((char, length)) => {
                    plain.push(char);
                    rest = rest.as_str()[length..].chars();
                }
                None => plain.push('u'),
            },
            Some(char) => plain.push(char),
            None => plain.push('\\'),
        }
    }
    plain
}

/// Parses `{2003}` at the beginning: the character and the length of its number.
fn number(rest: &str) -> Option<(char, usize)> {
    let inner = rest.strip_prefix('{')?;
    let end = inner.find('}')?;
    let char = char::from_u32(u32::from_str_radix(&inner[..end], 16).ok()?)?;
    Some((char, end + 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wrapper::Locator;

    #[test]
    fn what_is_written_is_read() {
        for odd in
            ["", " ", "a b", " a\u{2003}", "\u{2003}", "--->", "a\\nb\n\r", "\\", "\\-", "-", "-- \\u{20}", "\t\tx\t"]
        {
            let wrapper = Wrapper {
                name: Some(odd.to_owned()),
                description: Some(odd.to_owned()),
                url: Some(odd.into()),
                learned: Some(Learned {
                    by: odd.to_owned(),
                    from: vec![odd.to_owned(), "b".to_owned()],
                    at: Some(odd.to_owned()),
                }),
                follow: Follow { depth: 7, pages: 9 },
                search: Some(Search { url: odd.into(), first: 0, step: 10, pages: 7, link: Some(odd.into()) }),
                rules: vec![Rule::list("a", "b").found_at(format!("/a--b/{odd}")).with(vec![
                    Rule::field("c", "d").found_at("/a/b[1]"),
                    Rule::save(Locator::pattern("#,#"), vec![Rule::field("e.f:g", ".").found_at("/e")]),
                ])],
            };
            let mut read = Wrapper { rules: wrapper.rules.clone(), ..Wrapper::default() };
            each(&mut read.rules, "", &mut |_, rule| rule.path = None);
            let mut paths = Paths::default();
            for line in lines(&wrapper, true) {
                assert!(!line.contains("--") && !line.contains('\n'), "{line}");
                assert!(take(&mut read, &mut paths, &format!(" {line} ")), "{line}");
            }
            paths.give(&mut read);
            assert_eq!(read, wrapper);
        }
    }

    #[test]
    fn other_comments_are_comments() {
        let mut wrapper = Wrapper::default();
        let mut paths = Paths::default();
        for line in ["a note", "see: below", "follow: the money", "follow: depth x, pages 2", "path: a = down the hill"]
        {
            assert!(!take(&mut wrapper, &mut paths, line), "{line}");
        }
        assert!(take(&mut wrapper, &mut paths, "path: nobody = /html[1]"));
        paths.give(&mut wrapper);
        assert_eq!(wrapper, Wrapper::default());
    }
}
