//! A small search engine: an inverted index over pages' texts, ranked as engines do (BM25), with result pages of its own.
//!
//! Words are what stands between other signs; of scripts without spaces, every two letters. A host is shown at most twice
//! for a query, as engines do.

use std::collections::BTreeMap;

use windrow_dom::Document;

/// Results on a page.
const SHOWN: usize = 10;
/// Results of one host for a query.
const OF_HOST: usize = 2;

/// The index.
#[derive(Debug, Default)]
pub struct Engine {
    pages: Vec<Indexed>,
    /// By word: pages and how often they have it.
    words: BTreeMap<String, Vec<(usize, u32)>>,
    total: usize,
}

#[derive(Debug)]
struct Indexed {
    url: String,
    host: String,
    title: String,
    snippet: String,
    length: usize,
}

/// The words of a text.
fn words(text: &str) -> Vec<String> {
    let is_east = |letter: char| matches!(u32::from(letter), 0x2e80..0xa000 | 0xf900..0xfb00);
    let mut words = Vec::new();
    let text = text.to_lowercase();
    for run in text.split(|letter: char| !letter.is_alphanumeric()).filter(|run| !run.is_empty()) {
        let letters: Vec<char> = run.chars().collect();
        match letters.iter().any(|&letter| is_east(letter)) {
            true if letters.len() > 1 => words.extend(letters.windows(2).map(|two| two.iter().collect::<String>())),
            _ => words.push(run.to_owned()),
        }
    }
    words
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

impl Engine {
    /// Adds a page.
    pub fn add(&mut self, url: &str, html: &str) {
        let document = Document::parse(html);
        let title = document.find_html(windrow_dom::names::TITLE).map(|id| document.text_content(id));
        let text = document.visible_text(document.root());
        let all = words(&format!("{} {text}", title.as_deref().unwrap_or_default()));
        let number = self.pages.len();
        let mut counts: BTreeMap<&String, u32> = BTreeMap::new();
        all.iter().for_each(|word| *counts.entry(word).or_default() += 1);
        for (word, count) in counts {
            self.words.entry(word.clone()).or_default().push((number, count));
        }
        self.total += all.len();
        let host = url.split('/').nth(2).unwrap_or_default().to_owned();
        let snippet: String = text.split_whitespace().take(20).collect::<Vec<_>>().join(" ");
        let title = title.map_or_else(|| url.to_owned(), |title| title.trim().to_owned());
        self.pages.push(Indexed { url: url.to_owned(), host, title, snippet, length: all.len() });
    }

    /// The pages for a query, the best first.
    pub fn find(&self, query: &str) -> Vec<&str> {
        self.ranked(query).into_iter().map(|page| page.url.as_str()).collect()
    }

    fn ranked(&self, query: &str) -> Vec<&Indexed> {
        let count = self.pages.len() as f64;
        let average = self.total as f64 / count.max(1.0);
        let mut scores: BTreeMap<usize, f64> = BTreeMap::new();
        for word in words(query) {
            let Some(pages) = self.words.get(&word) else { continue };
            let rare = ((count - pages.len() as f64 + 0.5) / (pages.len() as f64 + 0.5) + 1.0).ln();
            for &(page, times) in pages {
                let (times, length) = (f64::from(times), self.pages[page].length as f64);
                *scores.entry(page).or_default() +=
                    rare * times * 2.2 / (times + 1.2 * (0.25 + 0.75 * length / average));
            }
        }
        let mut ranked: Vec<(usize, f64)> = scores.into_iter().collect();
        ranked.sort_by(|one, two| two.1.total_cmp(&one.1).then(one.0.cmp(&two.0)));
        let mut shown: BTreeMap<&str, usize> = BTreeMap::new();
        let pages = ranked.into_iter().map(|(page, _)| &self.pages[page]);
        pages
            .filter(|page| {
                let times = shown.entry(page.host.as_str()).or_default();
                *times += 1;
                *times <= OF_HOST
            })
            .collect()
    }

    /// A page of results, the first being 1.
    pub fn page(&self, query: &str, number: usize) -> String {
        let ranked = self.ranked(query);
        let from = number.saturating_sub(1) * SHOWN;
        let results = ranked.iter().skip(from).take(SHOWN).map(|page| {
            format!(
                "<li class=\"result\"><h3><a href=\"{}\">{}</a></h3><cite>{}</cite><p>{}</p></li>\n",
                escaped(&page.url),
                escaped(&page.title),
                escaped(&page.host),
                escaped(&page.snippet)
            )
        });
        let encoded = encode(query);
        let next = if ranked.len() > from + SHOWN {
            format!("<p class=\"pager\"><a href=\"/search?q={encoded}&amp;page={}\">Next</a></p>", number + 1)
        } else {
            String::new()
        };
        format!(
            "<!DOCTYPE html>\n<html><head><meta charset=utf-8><title>{query} - Gleaner</title></head><body>\n\
             <form action=\"/search\"><input name=q value=\"{query}\"></form>\n<div class=\"ad\"><a href=\"/about\">Advertise here</a>\
             </div>\n<ol class=\"results\">\n{}</ol>\n{next}\n</body></html>\n",
            results.collect::<String>(),
            query = escaped(query)
        )
    }
}

/// A text as a part of an address.
pub(super) fn encode(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric();
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// A part of an address as a text.
pub(super) fn decode(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, behind @ ..] = rest {
        let hex = || u8::from_str_radix(std::str::from_utf8(behind.get(..2)?).ok()?, 16).ok();
        rest = behind;
        match first {
            b'%' => {
                if let Some(byte) = hex() {
                    bytes.push(byte);
                    rest = &behind[2..];
                }
            }
            b'+' => bytes.push(b' '),
            byte => bytes.push(*byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_words_rank_and_hosts_take_turns() {
        let mut engine = Engine::default();
        engine.add("http://a/1", "<title>Hay</title><p>hay hay rake 药品说明");
        engine.add("http://a/2", "<title>Hay</title><p>hay fork");
        engine.add("http://a/3", "<title>Hay</title><p>hay");
        engine.add("http://b/1", "<title>Straw</title><p>straw");
        assert_eq!(engine.find("rake"), ["http://a/1"]);
        assert_eq!(engine.find("hay").len(), OF_HOST);
        assert_eq!(engine.find("药品"), ["http://a/1"]);
        assert_eq!(engine.find("straw rake").len(), 2);
        assert!(engine.page("hay & <b>", 1).contains("hay &amp; &lt;b>"));
        assert_eq!(decode(&encode("hay & 药 +")), "hay & 药 +");
    }
}
