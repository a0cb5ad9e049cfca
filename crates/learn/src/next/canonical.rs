//! One spelling of an address.
//!
//! Pages are linked by many spellings of one address; a crawl that took each for another page would fetch it as often.
//! Only what cannot change the page goes: two addresses that become one here are the same page, and some that stay two
//! are the same page as well.

use url::Url;

/// Parameters that say where a visitor came from. Names that begin with `utm_` are the same.
const TRACKING: [&str; 19] = [
    "_ga", "_gl", "_hsenc", "_hsmi", "dclid", "fbclid", "gbraid", "gclid", "gclsrc", "igsh", "igshid", "mc_cid",
    "mc_eid", "mkt_tok", "msclkid", "twclid", "wbraid", "yclid", "ysclid",
];

/// Parameters that name a visit.
const SESSIONS: [&str; 2] = ["jsessionid", "phpsessid"];

/// Parameters that name a visit if they look like it, and something else if they do not.
const MAYBE_SESSIONS: [&str; 6] = ["sid", "s", "zenid", "sessionid", "cfsessionid", "aspsessionid"];

/// The address in the spelling that all others of it become: without fragment, without parameters that track visitors
/// or name visits, percent-encoded no more than needed. Parameters stay in their order, which some servers care about.
///
/// ```
/// # use url::Url;
/// # use windrow_learn::next::canonical;
/// let url = Url::parse("HTTP://Example.org:80/a/%7eb%2fc?utm_source=x&page=2&fbclid=y#top")?;
/// assert_eq!(canonical(&url).as_str(), "http://example.org/a/~b%2Fc?page=2");
/// # Ok::<(), url::ParseError>(())
/// ```
pub fn canonical(url: &Url) -> Url {
    let mut url = url.clone();
    url.set_fragment(None);
    if url.cannot_be_a_base() {
        return url;
    }
    let path: Vec<String> = url.path().split('/').map(|segment| plain(without_session(segment))).collect();
    url.set_path(&path.join("/"));
    if let Some(query) = url.query() {
        let kept: Vec<String> =
            query.split('&').filter(|pair| !pair.is_empty() && !is_noise(pair)).map(plain).collect();
        let query = kept.join("&");
        url.set_query((!query.is_empty()).then_some(query.as_str()));
    }
    url
}

/// An address but for what does not tell pages apart on any usual site: how it is fetched, `www.`, `index.html`, a last
/// slash, what tracks visitors. Good for knowing pages again, not for fetching them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Address {
    /// The host, and its port if it is not the usual one.
    pub site: String,
    /// Path and parameters.
    pub page: String,
}

impl Address {
    /// The address of a page.
    pub fn new(url: &Url) -> Address {
        let url = canonical(url);
        let host = url.host_str().unwrap_or_default();
        let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
        let path = url.path().trim_end_matches('/');
        let path = match path.rsplit_once('/') {
            Some((folder, "index.html" | "index.htm" | "index.php")) => folder.trim_end_matches('/'),
            _ => path,
        };
        let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
        Address { site: format!("{}{port}", host.strip_prefix("www.").unwrap_or(host)), page: format!("{path}{query}") }
    }
}

/// A path's segment without the visit that Java servers write behind it.
fn without_session(segment: &str) -> &str {
    match segment.find(';') {
        Some(at) if segment[at + 1..].get(..11).is_some_and(|name| name.eq_ignore_ascii_case("jsessionid=")) => {
            &segment[..at]
        }
        _ => segment,
    }
}

fn is_noise(pair: &str) -> bool {
    let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
    let name = name.to_ascii_lowercase();
    if name.starts_with("utm_") || TRACKING.contains(&name.as_str()) || SESSIONS.contains(&name.as_str()) {
        return true;
    }
    let is_random = value.len() >= 20
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && value.bytes().any(|byte| byte.is_ascii_alphabetic());
    is_random && MAYBE_SESSIONS.contains(&name.as_str())
}

/// Percent-encoding as it is needed: letters that stand for themselves do, and hexadecimal digits are capitals.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let digits = rest.get(1..3).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let Some(digits) = digits else {
            // No encoding at all; servers see the sign itself.
            out.push('%');
            rest = &rest[1..];
            continue;
        };
        match u8::from_str_radix(digits, 16) {
            Ok(byte) if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') => {
                out.push(char::from(byte));
            }
            _ => {
                out.push('%');
                out.push_str(&digits.to_ascii_uppercase());
            }
        }
        rest = &rest[3..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_one_page_are_one() {
        let of = |text: &str| Address::new(&Url::parse(text).unwrap());
        assert_eq!(of("http://www.hay.example/a/"), of("https://hay.example/a?utm_source=feed#top"));
        assert_eq!(of("https://hay.example/a/index.html"), of("https://hay.example/a"));
        assert_ne!(of("https://hay.example/?p=1"), of("https://hay.example/?p=2"));
        assert_ne!(of("https://hay.example/a"), of("https://straw.example/a"));
        assert_eq!(of("https://hay.example/a").site, of("http://www.hay.example/b").site);
        assert_ne!(of("http://hay.example:8080/").site, of("http://hay.example:8081/").site);
    }

    fn check(url: &str, expected: &str) {
        let canonical_url = canonical(&Url::parse(url).unwrap());
        assert_eq!(canonical_url.as_str(), expected);
        assert_eq!(canonical(&canonical_url), canonical_url, "the second time it changes nothing");
    }

    #[test]
    fn what_cannot_change_the_page_goes() {
        check("https://a.org:443/x/../y?#z", "https://a.org/y");
        check("https://a.org/?utm_source=b&utm_x=c&gclid=d", "https://a.org/");
        check("https://a.org/b;jsessionid=0F?PHPSESSID=1&c=2", "https://a.org/b?c=2");
        check("https://a.org/forum?s=1d0f438e682374556630f48524e4a39b&t=4", "https://a.org/forum?t=4");
        check("https://a.org/%7Eb/%e4%BD%a0?q=%41%2b", "https://a.org/~b/%E4%BD%A0?q=A%2B");
    }

    #[test]
    fn what_may_change_the_page_stays() {
        for url in [
            "https://a.org/b/",
            "https://a.org/b",
            "https://a.org/?b=2&a=1",
            "https://a.org/?sid=17&s=shoes",
            "https://a.org/?q=100%",
            "https://a.org/a%2Fb?c=d%26e",
            "https://a.org/?page",
            "mailto:someone@example.org",
        ] {
            check(url, url);
        }
    }
}
