//! Fragments in any context: the first byte chooses it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use windrow_dom::{Document, ParseOptions};
use windrow_testkit::checks;
use windrow_testkit::generate::CONTEXTS;

fuzz_target!(|data: &[u8]| {
    let Some((&choice, rest)) = data.split_first() else { return };
    let context = CONTEXTS[choice as usize / 2 % CONTEXTS.len()];
    let options = ParseOptions::default().with_scripting(choice & 1 == 1);
    let html = String::from_utf8_lossy(rest);
    let document = Document::parse_fragment(html, context, &options);
    checks::structure(&document).expect("structure");
    checks::tokens(&document).expect("tokens");
    checks::spans(&document, &options.limits).expect("spans");
    let again = Document::parse_fragment(document.inner_html(document.root()), context, &options);
    checks::structure(&again).expect("structure of the round trip");
});
