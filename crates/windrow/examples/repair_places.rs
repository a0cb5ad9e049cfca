//! Prints the places that repair considers for the fields of a page with one record; `tools/fit-repair` fits its model to
//! them.
//!
//! ```text
//! repair_places RULES.toml OLD.html NEW.html
//! ```
//!
//! The first line has the names of the traits, each other line a place: its field, its text, the number of its answer, and
//! its traits.

use std::io::Write;
use std::sync::Arc;

use serde_json::json;
use windrow_learn::repair::{Known, explain, traits};
use windrow_wrapper::{Extractor, Page, files};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [rules, old, new] = &arguments[..] else { return Err("RULES OLD NEW".into()) };
    let wrapper =
        files::read(&std::fs::read_to_string(rules)?, files::Format::Toml).map_err(|errors| errors.to_string())?;
    let page = |path: &str| -> Result<Arc<Page>, std::io::Error> {
        Ok(Arc::new(Page::from_text(path, String::from_utf8_lossy(&std::fs::read(path)?).into_owned())))
    };
    let extractor = Extractor::new(&wrapper).map_err(|errors| errors.to_string())?;
    let known = Known::of(&[extractor.extract(page(old)?)]);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    writeln!(out, "{}", json!({ "traits": traits() }))?;
    for place in explain(&wrapper, &known, &page(new)?) {
        writeln!(
            out,
            "{}",
            json!({ "field": place.field, "text": place.text, "answer": place.answer, "traits": place.traits })
        )?;
    }
    Ok(out.flush()?)
}
