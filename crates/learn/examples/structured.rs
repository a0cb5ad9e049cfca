//! Prints what pages say of themselves for machines, a line of JSON for each page; or, with `--time`, how fast it is read.
//!
//! ```text
//! cargo run --release -p windrow-learn --example structured -- [--time] [--base URL] PAGE…
//! ```

#![allow(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use url::Url;
use windrow_dom::{Document, ParseOptions};
use windrow_learn::structured::{self, Structured, Value};

fn main() -> Result<(), Box<dyn Error>> {
    let mut base = None;
    let mut timed = false;
    let mut paths = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--time" => timed = true,
            "--base" => base = Some(Url::parse(&arguments.next().ok_or("--base needs an address")?)?),
            _ => paths.push(argument),
        }
    }
    if timed {
        return time(&paths, base.as_ref());
    }
    for path in &paths {
        let document = Document::from_bytes(std::fs::read(path)?, &ParseOptions::default());
        let base = based(&document, base.as_ref());
        let mut line = shown(&structured::read(&document, base.as_ref()));
        line["page"] = json!(path);
        line["encoding"] = json!(document.encoding().name);
        println!("{line}");
    }
    Ok(())
}

/// What links are relative to: the page's `base`, relative to its address.
fn based(document: &Document, address: Option<&Url>) -> Option<Url> {
    let element = document.find_html(windrow_dom::names::BASE);
    let href = element.and_then(|element| document.attr(element, "href"));
    match href {
        Some(href) => address.and_then(|address| address.join(href).ok()).or_else(|| address.cloned()),
        None => address.cloned(),
    }
}

fn shown(structured: &Structured) -> Json {
    let items: Vec<Json> = structured
        .items
        .iter()
        .map(|item| {
            let properties = item.properties.iter().map(|property| match &property.value {
                Value::Text(text) => json!([property.name, text]),
                Value::Item(id) => json!([property.name, id.index()]),
            });
            json!({
                "syntax": item.syntax.name(),
                "types": item.types,
                "id": item.id,
                "top": item.top,
                "properties": properties.collect::<Vec<_>>(),
            })
        })
        .collect();
    let notes: Vec<String> = structured.notes.iter().map(ToString::to_string).collect();
    json!({ "items": items, "notes": notes })
}

/// Reads all pages several times: the sums of each page's fastest parse, and fastest reading after it.
fn time(paths: &[String], base: Option<&Url>) -> Result<(), Box<dyn Error>> {
    const RUNS: usize = 7;
    let (mut bytes, mut items, mut with, mut parsing, mut reading) = (0, 0, 0, Duration::ZERO, Duration::ZERO);
    for path in paths {
        let page = std::fs::read(path)?;
        bytes += page.len();
        let (mut parse, mut read) = (Duration::MAX, Duration::MAX);
        let mut found = 0;
        for _ in 0..RUNS {
            let start = Instant::now();
            let document = Document::from_bytes(page.clone(), &ParseOptions::default());
            let parsed = start.elapsed();
            found = structured::read(&document, base).items.len();
            read = read.min(start.elapsed() - parsed);
            parse = parse.min(parsed);
        }
        items += found;
        with += usize::from(found > 0);
        parsing += parse;
        reading += read;
    }
    let speed = |time: Duration| bytes as f64 / 1e6 / time.as_secs_f64();
    println!(
        "{} pages, {with} with data, {items} items, {:.1} MB: parse {:.0} MB/s, read {:.0} MB/s ({:.1}% of the parse), \
         both {:.0} MB/s",
        paths.len(),
        bytes as f64 / 1e6,
        speed(parsing),
        speed(reading),
        100.0 * reading.as_secs_f64() / parsing.as_secs_f64(),
        speed(parsing + reading),
    );
    Ok(())
}
