//! A robots.txt read as RFC 9309 says, and two things more that sites rely on: `Crawl-delay` and `Sitemap`.
//!
//! Only what concerns one robot is kept. A rule is a prefix of the path and query, with `*` for anything and a final
//! `$` for the end; the longest rule that fits decides, and `Allow` wins a tie. Rules and paths are compared with the
//! same characters percent-encoded on both sides, so that spelling does not matter.
//!
//! Cost: reading is linear in the file, of which the first 500 KiB count. A question is linear in the length of the
//! rules times that of the path in the worst case, and in the length of the rules for those without `*`.

use std::cmp::Reverse;
use std::time::Duration;

use url::Url;

/// What a robots.txt must be read up to, and what it is read up to here (RFC 9309, 2.5).
pub(super) const MAX_SIZE: usize = 500 << 10;
/// More sitemaps than any site of 50 million pages needs, 50,000 each.
const MAX_SITEMAPS: usize = 1000;

/// What a site asks of one robot.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Robots {
    /// Longest first; of the same length, `Allow` first.
    rules: Vec<Rule>,
    crawl_delay: Option<Duration>,
    sitemaps: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    allow: bool,
    /// Whether the pattern must reach the end of the path.
    anchored: bool,
    /// With the same characters encoded as in paths; `*` is the wildcard.
    pattern: Box<str>,
}

impl Robots {
    /// Reads what concerns the robot named `product`, which is compared without regard to case. Whatever is no
    /// robots.txt asks nothing.
    pub fn parse(bytes: &[u8], product: &str) -> Robots {
        let start = &bytes[..bytes.len().min(MAX_SIZE)];
        let text = String::from_utf8_lossy(start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start));
        let mut own = Group::default();
        let mut others = Group::default();
        let mut sitemaps = Vec::new();
        // Whom the current group addresses, and whether its rules have begun.
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
                    // In a group for both, the rules are ours in either case.
                    match (rule, to_us, to_all) {
                        (Some(rule), true, _) => own.rules.push(rule),
                        (Some(rule), false, true) => others.rules.push(rule),
                        _ => {}
                    }
                }
                // Not the standard's, so neither ends the names of a group.
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

    /// Whether the robot may fetch this address.
    pub fn allows(&self, url: &Url) -> bool {
        if url.path() == "/robots.txt" {
            return true;
        }
        let mut path = normalise(url.path(), false);
        if let Some(query) = url.query() {
            path.push('?');
            path.push_str(&normalise(query, false));
        }
        // Sorted, so the first that fits is the one that decides.
        self.rules.iter().find(|rule| rule.fits(&path)).is_none_or(|rule| rule.allow)
    }

    /// The time between requests that the site asks for.
    pub fn crawl_delay(&self) -> Option<Duration> {
        self.crawl_delay
    }

    /// The sitemaps that the file lists, as they are written there.
    pub fn sitemaps(&self) -> &[String] {
        &self.sitemaps
    }

    /// About how many bytes this takes.
    pub(super) fn heap_size(&self) -> usize {
        let rules: usize = self.rules.iter().map(|rule| size_of::<Rule>() + rule.pattern.len()).sum();
        let sitemaps: usize = self.sitemaps.iter().map(|sitemap| size_of::<String>() + sitemap.len()).sum();
        rules + sitemaps
    }
}

/// All groups of one robot in one.
#[derive(Debug, Default)]
struct Group {
    rules: Vec<Rule>,
    crawl_delay: Option<Duration>,
    named: bool,
}

/// Whether a `User-agent` line means us: its product token, which ends before a version, is our name.
fn addresses(value: &str, product: &str) -> bool {
    let end = value.find(|char: char| !(char.is_ascii_alphanumeric() || matches!(char, '-' | '_' | '.')));
    value[..end.unwrap_or(value.len())].eq_ignore_ascii_case(product)
}

impl Rule {
    /// None for an empty rule, which says nothing: `Disallow:` alone allows all.
    fn new(allow: bool, value: &str) -> Option<Rule> {
        if value.is_empty() {
            return None;
        }
        let (value, anchored) = match value.strip_suffix('$') {
            Some(value) => (value, true),
            None => (value, false),
        };
        // `Disallow: private/` is not a path, but what is meant is clear.
        let slash = if value.starts_with(['/', '*']) { "" } else { "/" };
        let mut pattern = normalise(&format!("{slash}{value}"), true);
        // `**` is `*`, and a final `*` before no end says nothing more; but both count in the length.
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
        // The leftmost place for each part leaves the most for those that follow.
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

/// The same text for the same path: percent-encoded are all bytes but the ASCII signs of a URL, with capital digits;
/// letters, digits and `-._~` are not encoded. `*` and `$` are encoded in paths, where they mean themselves; in a
/// pattern `*` is the wildcard.
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
