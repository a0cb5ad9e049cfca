//! Private servers that the user named.
//!
//! Pages must not link into private networks, but a user who crawls a server on their own machine wants its links to be
//! followed. Pages may therefore link to the origin (scheme, host, port) of an address that the user gave, if that
//! origin is private: its host is a private address, or a name with private addresses only.
//!
//! A name is resolved once and keeps its addresses. All requests to such an origin, from the user or from pages,
//! connect only to these. Otherwise a name could be private when it is checked, public when its page is fetched, and
//! private again when that page's links are fetched. A name that was public at first stays forbidden to pages, whatever
//! it resolves to later.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::sync::OnceCell;
use url::{Host, Url};

use super::gate::origin_key;
use super::guard::{self, UnknownName};

/// Time limit of the lookup.
const LOOKUP: Duration = Duration::from_secs(10);

/// Origins that the user named.
#[derive(Debug, Default)]
pub(super) struct NamedOrigins {
    /// For each origin, whether it is private, once that is known.
    origins: Mutex<HashMap<String, Arc<OnceCell<bool>>>>,
    pins: Pins,
}

impl NamedOrigins {
    /// Creates an empty set whose resolved names are stored in `pins`.
    pub(super) fn new(pins: Pins) -> NamedOrigins {
        NamedOrigins { origins: Mutex::default(), pins }
    }

    /// Records that the user gave an address of this origin.
    pub(super) fn add(&self, url: &Url) {
        self.lock().entry(origin_key(url)).or_default();
    }

    /// Reports whether an address belongs to a private origin that the user named.
    pub(super) async fn is_private(&self, url: &Url) -> bool {
        let Some(known) = self.lock().get(&origin_key(url)).cloned() else { return false };
        *known.get_or_init(|| self.judge(url)).await
    }

    async fn judge(&self, url: &Url) -> bool {
        let name = match url.host() {
            Some(Host::Domain(name)) => name,
            Some(_) => return guard::private_host(url).is_some(),
            None => return false,
        };
        let lookup = tokio::net::lookup_host((name, 0));
        // A name that cannot be resolved now stays forbidden, even if it resolves later.
        let Ok(Ok(found)) = tokio::time::timeout(LOOKUP, lookup).await else { return false };
        let addresses: Vec<SocketAddr> = found.collect();
        if addresses.is_empty() || addresses.iter().any(|address| !guard::is_private(address.ip())) {
            return false;
        }
        self.pins.lock().entry(name.to_owned()).or_insert(addresses);
        true
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<OnceCell<bool>>>> {
        self.origins.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Addresses of names that are resolved only once. Clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct Pins(Arc<Mutex<HashMap<String, Vec<SocketAddr>>>>);

impl Pins {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Vec<SocketAddr>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Resolve for Pins {
    fn resolve(&self, name: Name) -> Resolving {
        let found = self.lock().get(name.as_str()).cloned();
        Box::pin(async move {
            match found {
                Some(found) => Ok(Box::new(found.into_iter()) as Addrs),
                None => Err(UnknownName { cause: "its addresses were not looked up".to_owned() }.into()),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[tokio::test]
    async fn only_the_origin_that_was_named_is_open() {
        let origins = NamedOrigins::default();
        origins.add(&url("http://127.0.0.1:8000/list?page=1"));
        origins.add(&url("http://localhost:8001/"));
        for open in ["http://127.0.0.1:8000/other", "http://127.1:8000/", "http://localhost:8001/x"] {
            assert!(origins.is_private(&url(open)).await, "{open}");
        }
        // Another scheme, port, address, or spelling of the same host is not included.
        for closed in [
            "https://127.0.0.1:8000/",
            "http://127.0.0.1:8001/",
            "http://127.0.0.1/",
            "http://127.0.0.2:8000/",
            "http://localhost:8000/",
            "http://[::1]:8000/",
            "http://[::ffff:127.0.0.1]:8000/",
        ] {
            assert!(!origins.is_private(&url(closed)).await, "{closed}");
        }
    }

    #[tokio::test]
    async fn a_public_or_unknown_name_is_not_private() {
        let origins = NamedOrigins::default();
        for named in ["http://8.8.8.8/", "http://windrow.invalid/"] {
            origins.add(&url(named));
            assert!(!origins.is_private(&url(named)).await, "{named}");
        }
        // The first result is final, even if the name now resolves to a private address.
        origins.pins.lock().insert("windrow.invalid".to_owned(), vec![([127, 0, 0, 1], 0).into()]);
        assert!(!origins.is_private(&url("http://windrow.invalid/")).await);
    }

    #[tokio::test]
    async fn a_private_name_keeps_its_addresses() {
        let origins = NamedOrigins::default();
        let page = url("http://localhost:8000/");
        origins.add(&page);
        assert!(origins.is_private(&page).await);
        let mut resolved = origins.pins.resolve("localhost".parse().unwrap()).await.unwrap();
        assert!(resolved.all(|address| address.ip().is_loopback()));
        assert!(origins.pins.resolve("other.example".parse().unwrap()).await.is_err());
    }
}
