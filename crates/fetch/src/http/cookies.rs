//! Cookies within a run, with limits.
//!
//! Each site has its own cookie jar: a request searches only its site's cookies, and a site that sets thousands of them
//! fills no jar but its own. A site is the last two labels of a host name. Sites that share a registry such as `co.uk`
//! share a jar, but each cookie is still only sent where its domain permits.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use http::HeaderMap;
use http::header::{HeaderValue, SET_COOKIE};
use reqwest::cookie::{CookieStore, Jar};
use url::{Host, Url};

/// Largest number of cookie names per site, similar to browsers.
const PER_SITE: usize = 180;
/// Longest `Set-Cookie` that is accepted, as in browsers.
const LONGEST: usize = 4096;
/// Largest number of sites with cookies.
const SITES: usize = 2000;

/// Cookies of all sites.
#[derive(Debug, Default)]
pub(super) struct Cookies {
    sites: Mutex<Sites>,
}

#[derive(Debug, Default)]
struct Sites {
    by_name: HashMap<String, Site>,
    clock: u64,
}

#[derive(Debug, Default)]
struct Site {
    jar: Jar,
    names: HashSet<Box<[u8]>>,
    used: u64,
}

impl Cookies {
    /// Returns the `Cookie` header for a request.
    pub(super) fn header(&self, url: &Url) -> Option<HeaderValue> {
        let mut sites = self.lock();
        // Most runs never see a cookie, so skip the work.
        if sites.by_name.is_empty() {
            return None;
        }
        sites.clock += 1;
        let clock = sites.clock;
        let site = sites.by_name.get_mut(site_name(url)?)?;
        site.used = clock;
        site.jar.cookies(url)
    }

    /// Stores the cookies that an answer sets.
    pub(super) fn take(&self, url: &Url, headers: &HeaderMap) {
        if !headers.contains_key(SET_COOKIE) {
            return;
        }
        let Some(name) = site_name(url) else { return };
        let mut sites = self.lock();
        sites.clock += 1;
        let clock = sites.clock;
        if !sites.by_name.contains_key(name) {
            if sites.by_name.len() >= SITES {
                sites.drop_oldest();
            }
            sites.by_name.insert(name.to_owned(), Site::default());
        }
        let Some(site) = sites.by_name.get_mut(name) else { return };
        site.used = clock;
        for value in headers.get_all(SET_COOKIE) {
            let cookie = value.as_bytes().split(|&byte| byte == b'=').next().unwrap_or_default().trim_ascii();
            let known = site.names.contains(cookie);
            if value.len() > LONGEST || (!known && site.names.len() >= PER_SITE) {
                continue;
            }
            if !known {
                site.names.insert(cookie.into());
            }
            site.jar.set_cookies(&mut std::iter::once(value), url);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Sites> {
        self.sites.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sites {
    /// Drops the least recently used quarter of the sites, so that one linear pass serves many insertions.
    fn drop_oldest(&mut self) {
        let mut uses: Vec<u64> = self.by_name.values().map(|site| site.used).collect();
        uses.sort_unstable();
        let bound = uses.get(uses.len() / 4).copied().unwrap_or(u64::MAX);
        self.by_name.retain(|_, site| site.used > bound);
    }
}

/// Returns the last two labels of a host name, or the IP address.
fn site_name(url: &Url) -> Option<&str> {
    let host = url.host_str()?;
    match url.host()? {
        Host::Domain(_) => {
            let end = host.trim_end_matches('.');
            let mut dots = end.rmatch_indices('.').map(|(at, _)| at).skip(1);
            Some(dots.next().map_or(end, |at| &end[at + 1..]))
        }
        _ => Some(host),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(cookies: &Cookies, url: &str, values: &[&str]) {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(SET_COOKIE, value.parse().unwrap());
        }
        cookies.take(&Url::parse(url).unwrap(), &headers);
    }

    fn sent(cookies: &Cookies, url: &str) -> String {
        let header = cookies.header(&Url::parse(url).unwrap());
        header.map_or_else(String::new, |value| value.to_str().unwrap().to_owned())
    }

    #[test]
    fn cookies_go_where_their_domain_says() {
        let cookies = Cookies::default();
        set(&cookies, "https://www.example.org/a", &["own=1", "all=2; Domain=example.org; Path=/"]);
        assert_eq!(sent(&cookies, "https://shop.example.org/"), "all=2");
        assert_eq!(sent(&cookies, "https://www.example.org/a").len(), "own=1; all=2".len());
        assert_eq!(sent(&cookies, "https://example.com/"), "");
        set(&cookies, "https://www.example.org/a", &["all=; Domain=example.org; Path=/; Max-Age=0"]);
        assert_eq!(sent(&cookies, "https://shop.example.org/"), "");
        // Cookies for a top-level domain must be rejected.
        set(&cookies, "https://evil.org/", &["x=1; Domain=org"]);
        assert_eq!(sent(&cookies, "https://other.org/"), "");
    }

    #[test]
    fn jars_have_bounds() {
        let cookies = Cookies::default();
        for number in 0..1000 {
            set(&cookies, "http://many.example.org/", &[&format!("c{number}=1; Path=/")]);
        }
        assert_eq!(sent(&cookies, "http://many.example.org/").matches("=1").count(), PER_SITE);
        set(&cookies, "http://long.example.com/", &[&format!("c={}", "x".repeat(5000))]);
        assert_eq!(sent(&cookies, "http://long.example.com/"), "");
        for number in 0..3 * SITES {
            set(&cookies, &format!("http://site{number}.org/"), &["c=1"]);
        }
        assert!(cookies.lock().by_name.len() <= SITES);
        assert_eq!(sent(&cookies, &format!("http://site{}.org/", 3 * SITES - 1)), "c=1");
    }
}
