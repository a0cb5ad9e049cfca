//! Parser for robots.txt (RFC 9309), with two common extensions: `Crawl-delay` and `Sitemap`.
//!
//! Only the rules for one robot are kept. A rule is a prefix of path and query, with `*` for any text and a final `$`
//! for the end; the longest matching rule decides, and `Allow` wins ties. Rules and paths are normalized to the same
//! percent-encoding, so that spelling does not matter.
//!
//! Cost: parsing is linear in the file, of which the first 500 KiB count. A check is linear in the length of the rules
//! times that of the path in the worst case, and in the length of the rules for those without `*`.

use std::cmp::Reverse;
use std::time::Duration;

use url::Url;

/// Number of bytes that are parsed: the minimum that RFC 9309 (2.5) requires.
pub(super) const MAX_SIZE: usize = 500 << 10;
/// Largest number of sitemaps; enough for a site of 50 million pages with 50,000 in each.
const MAX_SITEMAPS: usize = 1000;

/// Rules of a robots.txt for one robot.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Robots {
    /// Rules, longest first; of equal length, `Allow` first.
    rules: Vec<Rule>,
    crawl_delay: Option<Duration>,
    sitemaps: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    allow: bool,
    /// True if the pattern must match up to the end of the path.
    anchored: bool,
    /// Pattern, percent-encoded like paths; `*` is the wildcard.
    pattern: Box<str>,
}

impl Robots {
    /// Parses the rules for the robot named `product`, ignoring case. A file that is not a robots.txt contains no
    /// rules.
    pub fn parse(bytes: &[u8], product: &str) -> Robots {
        let start = &bytes[..bytes.len().min(MAX_SIZE)];
        let text = String::from_utf8_lossy(start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start));
        let mut own = Group::default();
        let mut others = Group::default();
        let mut sitemaps = Vec::new();
        // Robots addressed by the current group, and whether its rules have begun.
        let (mut to_us, mut to_all, mut in_rules) = (false, false, false);
        for line in text.split(['\n', '\r']) {
            let line = line.split('#').next().unwrap_or_default();
            let Some((key, value)) = line.split_once(':') else { continue };
            let (key, value) = (key.trim().to_ascii_lowercase(), value.trim());
            match key.as_str() {
                "user-agent" | "useragent" | "user agent" => {
                    if in_rules {
                        (to_us, to_all, in_rules) = (false, false, false);
                    }
                    to_all |= value.starts_with('*');
                    to_us |= addresses(value, product);
                }
                "allow" | "disallow" => {
                    in_rules = true;
                    let rule = Rule::new(key == "allow", value);
                    // In a group that names both, the rules count as ours.
                    match (rule, to_us, to_all) {
                        (Some(rule), true, _) => own.rules.push(rule),
                        (Some(rule), false, true) => others.rules.push(rule),
                        _ => {}
                    }
                }
                // Extensions of the standard, so neither ends a group's list of names.
                "crawl-delay" => {
                    let delay = value.parse::<f64>().ok().and_then(|delay| Duration::try_from_secs_f64(delay).ok());
                    if to_us {
                        own.crawl_delay = own.crawl_delay.max(delay);
                    } else if to_all {
                        others.crawl_delay = others.crawl_delay.max(delay);
                    }
                }
                "sitemap" if sitemaps.len() < MAX_SITEMAPS && !value.is_empty() => sitemaps.push(value.to_owned()),
                _ => {}
            }
            own.named |= to_us;
        }
        let Group { mut rules, crawl_delay, .. } = if own.named { own } else { others };
        rules.sort_by_key(|rule| Reverse((rule.length(), rule.allow)));
        Robots { rules, crawl_delay, sitemaps }
    }

    /// Reports whether the robot may fetch this address.
    pub fn allows(&self, url: &Url) -> bool {
        if url.path() == "/robots.txt" {
            return true;
        }
        let mut path = normalise(url.path(), false);
        if let Some(query) = url.query() {
            path.push('?');
            path.push_str(&normalise(query, false));
        }
        // The rules are sorted, so the first match decides.
        self.rules.iter().find(|rule| rule.fits(&path)).is_none_or(|rule| rule.allow)
    }

    /// Returns the delay between requests that the site asks for.
    pub fn crawl_delay(&self) -> Option<Duration> {
        self.crawl_delay
    }

    /// Returns the sitemaps that the file lists, as written.
    pub fn sitemaps(&self) -> &[String] {
        &self.sitemaps
    }

    /// Returns the approximate memory use in bytes.
    pub(super) fn heap_size(&self) -> usize {
        let rules: usize = self.rules.iter().map(|rule| size_of::<Rule>() + rule.pattern.len()).sum();
        let sitemaps: usize = self.sitemaps.iter().map(|sitemap| size_of::<String>() + sitemap.len()).sum();
        rules + sitemaps
    }
}

/// Combined groups of one robot.
#[derive(Debug, Default)]
struct Group {
    rules: Vec<Rule>,
    crawl_delay: Option<Duration>,
    named: bool,
}

/// Reports whether a `User-agent` line names our robot; a version after the product name is ignored.
fn addresses(value: &str, product: &str) -> bool {
    let end = value.find(|char: char| !(char.is_ascii_alphanumeric() || matches!(char, '-' | '_' | '.')));
    value[..end.unwrap_or(value.len())].eq_ignore_ascii_case(product)
}

impl Rule {
    /// Creates a rule; `None` for an empty value, which has no effect: `Disallow:` alone permits everything.
    fn new(allow: bool, value: &str) -> Option<Rule> {
        if value.is_empty() {
            return None;
        }
        let (value, anchored) = match value.strip_suffix('$') {
            Some(value) => (value, true),
            None => (value, false),
        };
        // `Disallow: private/` is not a valid path, but the intention is clear.
        let slash = if value.starts_with(['/', '*']) { "" } else { "/" };
        let mut pattern = normalise(&format!("{slash}{value}"), true);
        // `**` equals `*`, and a trailing `*` has no effect; but both count in the length.
        while pattern.contains("**") {
            pattern = pattern.replace("**", "*");
        }
        Some(Rule { allow, anchored, pattern: pattern.into() })
    }

    fn length(&self) -> usize {
        self.pattern.len() + usize::from(self.anchored)
    }

    fn fits(&self, path: &str) -> bool {
        let mut parts = self.pattern.split('*');
        let Some(mut rest) = path.strip_prefix(parts.next().unwrap_or_default()) else { return false };
        let mut parts = parts.peekable();
        if parts.peek().is_none() {
            return !self.anchored || rest.is_empty();
        }
        // The leftmost match of each part leaves the most text for the following parts.
        while let Some(part) = parts.next() {
            if self.anchored && parts.peek().is_none() {
                return rest.ends_with(part);
            }
            let Some(at) = rest.find(part) else { return false };
            rest = &rest[at + part.len()..];
        }
        true
    }
}

/// Normalizes percent-encoding: letters, digits and `-._~` are decoded; everything except ASCII URL characters is
/// encoded, with upper-case digits. `*` and `$` are encoded in paths, where they stand for themselves; in a pattern `*`
/// is the wildcard.
fn normalise(text: &str, pattern: bool) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let encoded = match (byte, bytes.get(at + 1), bytes.get(at + 2)) {
            (b'%', Some(&high), Some(&low)) => hex(high).zip(hex(low)).map(|(high, low)| high << 4 | low),
            _ => None,
        };
        at += if encoded.is_some() { 3 } else { 1 };
        let value = encoded.unwrap_or(byte);
        let unreserved = value.is_ascii_alphanumeric() || b"-._~".contains(&value);
        let wildcard = value == b'*' && encoded.is_none() && pattern;
        let kept = value.is_ascii_graphic() && encoded.is_none() && !b"*$%".contains(&value);
        if unreserved || wildcard || kept {
            out.push(char::from(value));
        } else {
            const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
            out.push('%');
            out.push(char::from(DIGITS[usize::from(value >> 4)]));
            out.push(char::from(DIGITS[usize::from(value & 15)]));
        }
    }
    out
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
#[path = "rules_tests.rs"]
mod tests;
