//! What to ask a search engine for, where no site of a domain is known.
//!
//! The paper asks "using a set of predefined keywords such as medicine, drug, dosage" (section 5). A domain has such words:
//! what its [`things`](Domain::things) are called, and what pages call their roles. A word for things alone finds what the
//! engine thinks most of; with a label beside it, pages that describe such things, in a shop or not. Labels that few other
//! domains have come first: a `price` is on every shop's pages, `contraindications` only on those that are looked for.
//!
//! Words go together if they are written in one script. Languages of one script are not told apart, so of each script only
//! the first word for things gets labels beside it.
//!
//! # Cost
//!
//! The domains that come along are read once, to see which labels they share.

use std::collections::HashSet;

use super::Domain;
use super::lexicon::folded;
use super::telling::Telling;

/// At most so many queries, the best first: each word for things alone, then with a label beside it, the scripts in turn. The
/// same domain always gives the same.
pub fn queries(domain: &Domain, most: usize) -> Vec<String> {
    let name = [domain.name.replace(['-', '_'], " ")];
    let things: &[String] = if domain.things.is_empty() { &name } else { &domain.things };
    let mut queries: Vec<String> = Vec::new();
    let mut known = HashSet::new();
    let mut add = |query: String| {
        if queries.len() < most && !query.trim().is_empty() && known.insert(folded(&query)) {
            queries.push(query);
        }
    };
    things.iter().cloned().for_each(&mut add);
    let mut scripts: Vec<(Script, &String)> = Vec::new();
    for thing in things {
        let script = Script::of(thing);
        if !scripts.iter().any(|(known, _)| *known == script) {
            scripts.push((script, thing));
        }
    }
    for labels in labels(domain) {
        for (script, thing) in &scripts {
            if let Some(label) = labels.iter().find(|label| Script::of(label) == *script) {
                add(format!("{thing} {label}"));
            }
        }
    }
    queries
}

/// The keywords of each role at the top, those first that tell most of the domain; the title's aside, which is every page's.
fn labels(domain: &Domain) -> Vec<&[String]> {
    let telling = Telling::new(domain);
    let title = domain.title();
    let mut roles: Vec<usize> = (0..domain.roles.len()).filter(|&number| Some(number) != title).collect();
    roles.retain(|&number| domain.roles[number].within.is_none() && !domain.roles[number].keywords.is_empty());
    roles.sort_by_key(|&number| telling.elsewhere(number));
    roles.into_iter().map(|number| domain.roles[number].keywords.as_slice()).collect()
}

/// What words are written in, as far as it tells which go together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Greek,
    Cyrillic,
    Semitic,
    /// Chinese, Japanese, Korean.
    East,
    Other,
}

impl Script {
    fn of(word: &str) -> Script {
        let first = word.chars().find(|letter| letter.is_alphabetic());
        match first.map_or(0, u32::from) {
            0..0x0370 | 0x1e00..0x1f00 => Script::Latin,
            0x0370..0x0400 => Script::Greek,
            0x0400..0x0530 => Script::Cyrillic,
            0x0590..0x0780 => Script::Semitic,
            0x1100..0x1200 | 0x2e80..0xd7b0 | 0xf900..0xfb00 | 0xff00..0xffe0 | 0x20000..0x32000 => Script::East,
            _ => Script::Other,
        }
    }
}
