//! Feeds of any bytes: the same twice, nothing larger than its source allows, and what comes before a cut stays.
#![no_main]

use libfuzzer_sys::fuzz_target;
use windrow_feed::{Feed, Options, parse};

fuzz_target!(|bytes: &[u8]| {
    let options = Options::new().with_base("http://a.example/b/");
    let Ok(feed) = parse(bytes, &options) else { return };
    assert_eq!(parse(bytes, &options).as_ref(), Ok(&feed));
    for item in &feed.items {
        let body = item.body.as_ref().map_or(0, |body| body.plain().len());
        // A byte may stand for a character of three, and entities may double what there is.
        assert!(body <= 16 * bytes.len() + (1 << 18), "{body} bytes of text from {}", bytes.len());
    }
    // Half a feed of ASCII: encodings are decided by all the bytes. A comment that a cut leaves open ends at once, lest a
    // forgotten `-->` swallow a whole feed, so what it hid may show.
    let comments = bytes.windows(4).any(|four| four == b"<!--");
    if bytes.is_ascii() && !comments && !bytes.trim_ascii_start().starts_with(b"{") {
        let half: Vec<_> = parse(&bytes[..bytes.len() / 2], &options).map(|feed: Feed| feed.items).unwrap_or_default();
        for (one, two) in half.iter().zip(&feed.items).take(half.len().saturating_sub(1)) {
            assert_eq!(one, two);
        }
    }
});
