//! Protection against links into private networks (server-side request forgery).
//!
//! Authors of pages decide which addresses are fetched next. From a user's machine or a company's server, such
//! addresses may reach routers, databases and the metadata service of a cloud, which the author could not reach. An
//! address taken from a page must therefore be public. Names are checked when they are resolved, by the very addresses
//! that are then connected to: a name that resolves differently the second time gains nothing.

use std::error::Error;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

/// Reports whether an address does not belong to a host on the public internet: loopback, private and local networks,
/// link-local (with the clouds' metadata services), carrier-grade NAT, multicast, reserved and documentation ranges,
/// and IPv6 forms that embed one of these.
pub fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_private_v4(address),
        IpAddr::V6(address) => is_private_v6(address),
    }
}

fn is_private_v4(address: Ipv4Addr) -> bool {
    match address.octets() {
        // "This" network, and the unspecified address, which reaches this machine.
        [0, ..] => true,
        // RFC 1918.
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] => true,
        // Carrier-grade NAT.
        [100, 64..=127, ..] => true,
        // Loopback, link-local.
        [127, ..] | [169, 254, ..] => true,
        // IETF protocol assignments, documentation, deprecated 6to4 relays.
        [192, 0, 0 | 2, _] | [198, 51, 100, _] | [203, 0, 113, _] | [192, 88, 99, _] => true,
        // Benchmarks.
        [198, 18 | 19, ..] => true,
        // Multicast, reserved, broadcast.
        [224..=255, ..] => true,
        _ => false,
    }
}

fn is_private_v6(address: Ipv6Addr) -> bool {
    let wrapped = |high: u16, low: u16| {
        let [a, b] = high.to_be_bytes();
        let [c, d] = low.to_be_bytes();
        is_private_v4(Ipv4Addr::new(a, b, c, d))
    };
    match address.segments() {
        // IPv4-compatible (with `::` and `::1`), IPv4-mapped, IPv4-translated.
        [0, 0, 0, 0, 0, 0, high, low] | [0, 0, 0, 0, 0, 0xffff, high, low] | [0, 0, 0, 0, 0xffff, 0, high, low] => {
            wrapped(high, low)
        }
        // NAT64. The meaning of the local-use prefix depends on the local network.
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => wrapped(high, low),
        [0x64, 0xff9b, 1, ..] => true,
        // 6to4.
        [0x2002, high, low, ..] => wrapped(high, low),
        // Teredo embeds the client's address inverted and its server's address unchanged.
        [0x2001, 0, server_high, server_low, _, _, high, low] => {
            wrapped(server_high, server_low) || wrapped(!high, !low)
        }
        // Discard-only, protocol assignments (benchmarks, ORCHID), documentation, segment routing.
        [0x100, 0, 0, 0, ..] | [0x2001, 1..=0x1ff, ..] | [0x2001, 0xdb8, ..] => true,
        [0x3fff, 0..=0xfff, ..] | [0x5f00, ..] => true,
        // Unique local, link-local, deprecated site-local, multicast.
        [0xfc00..=0xfdff, ..] | [0xfe80..=0xfeff, ..] | [0xff00..=0xffff, ..] => true,
        _ => false,
    }
}

/// Returns the private address that a URL's host is, without any lookup. Unusual spellings (`0x7f.1`, `2130706433`,
/// `[::ffff:7f00:1]`) are normalized when a URL is parsed.
pub fn private_host(url: &Url) -> Option<IpAddr> {
    match url.host()? {
        Host::Ipv4(address) => is_private_v4(address).then_some(address.into()),
        Host::Ipv6(address) => is_private_v6(address).then_some(address.into()),
        Host::Domain(name) => {
            let name = name.trim_end_matches('.');
            let top = name.rsplit('.').next().unwrap_or_default();
            top.eq_ignore_ascii_case("localhost").then_some(Ipv4Addr::LOCALHOST.into())
        }
    }
}

/// Resolves names, keeping only public addresses.
#[derive(Debug, Clone, Copy)]
pub(super) struct Public;

impl Resolve for Public {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found: Vec<SocketAddr> = lookup(&name).await?.collect();
            let public: Vec<SocketAddr> = found.iter().copied().filter(|found| !is_private(found.ip())).collect();
            if let (true, Some(first)) = (public.is_empty(), found.first()) {
                return Err(PrivateName { address: first.ip() }.into());
            }
            Ok(Box::new(public.into_iter()) as Addrs)
        })
    }
}

/// Resolves names to any addresses, with an error that identifies resolver failures.
#[derive(Debug, Clone, Copy)]
pub(super) struct Anywhere;

impl Resolve for Anywhere {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move { Ok(Box::new(lookup(&name).await?) as Addrs) })
    }
}

async fn lookup(name: &Name) -> Result<std::vec::IntoIter<SocketAddr>, UnknownName> {
    match tokio::net::lookup_host((name.as_str(), 0)).await {
        Ok(found) => Ok(found.collect::<Vec<_>>().into_iter()),
        Err(error) => Err(UnknownName { cause: error.to_string() }),
    }
}

/// Error: a name has only private addresses.
#[derive(Debug)]
pub(super) struct PrivateName {
    pub(super) address: IpAddr,
}

impl fmt::Display for PrivateName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the name resolves to the private address {}", self.address)
    }
}

impl Error for PrivateName {}

/// Error: a name could not be resolved.
#[derive(Debug)]
pub(super) struct UnknownName {
    pub(super) cause: String,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.cause)
    }
}

impl Error for UnknownName {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_addresses_are_known_in_every_form() {
        let private = "127.0.0.1 127.255.255.254 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 \
            100.64.0.1 100.127.255.255 0.0.0.0 0.1.2.3 255.255.255.255 224.0.0.1 239.1.1.1 240.0.0.1 192.0.2.1 \
            198.51.100.7 203.0.113.9 198.18.0.1 198.19.255.255 192.0.0.1 :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 \
            ::ffff:10.0.0.1 ::ffff:0:192.168.0.1 64:ff9b::10.0.0.1 64:ff9b::169.254.169.254 64:ff9b:1::1 \
            2002:7f00:1:: 2002:c0a8:101::1 2001:0:7f00:1:: 2001:0:808:808::f5ff:fffe fe80::1 febf::1 fec0::1 fc00::1 \
            fdff:ffff::1 ff02::1 2001:db8::1 2001:2::1 100::1 3fff::1";
        for text in private.split_whitespace() {
            assert!(is_private(text.parse().unwrap()), "{text} is private");
        }
    }

    #[test]
    fn public_addresses_are_public() {
        let public = "1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.1 100.63.255.255 100.128.0.1 126.0.0.1 128.0.0.1 \
            169.253.1.1 172.15.0.1 172.32.0.1 192.0.1.1 192.167.1.1 192.169.1.1 198.17.0.1 198.20.0.1 223.255.255.255 \
            ::ffff:8.8.8.8 64:ff9b::8.8.8.8 2002:808:808::1 2606:4700:4700::1111 2a00:1450::1 2001:4860:4860::8888 \
            2001:200::1";
        for text in public.split_whitespace() {
            assert!(!is_private(text.parse().unwrap()), "{text} is public");
        }
    }

    #[test]
    fn hosts_are_seen_through_their_spelling() {
        let private = |text: &str| private_host(&Url::parse(text).unwrap()).is_some();
        for text in [
            "http://127.1/",
            "http://2130706433/",
            "http://0x7f.0.0.1/",
            "http://0177.0.0.01/",
            "http://[::ffff:7f00:1]/",
            "http://[0:0:0:0:0:0:0:1]:80/",
            "http://１２７.０.０.１/",
            "http://user@127.0.0.1@10.0.0.1/",
            "http://localhost:8000/",
            "http://LOCALHOST./",
            "http://db.localhost/",
            "http://0/",
        ] {
            assert!(private(text), "{text}");
        }
        assert!(!private("http://localhost.example.org/"));
        assert!(!private("http://example.org/?127.0.0.1"));
    }
}
