//! dev tool
use std::io::Write;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use windrow::data::json::Json;
use windrow::data::{self, Data, Form};
use windrow::{Extractor, Page};
use windrow_dom::NodeId;

fn main() {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == "discover") {
        let path = arguments.last().unwrap();
        let text = one(path, None);
        writeln!(out, "{{\"lists\":[{{\"records\":{text}}}]}}").unwrap();
        return;
    }
    let given = arguments.first().is_some_and(|first| first == "--truth");
    for folder in arguments.iter().skip(usize::from(given)) {
        let text = one(&Path::new(folder).join("page.html").display().to_string(), given.then_some(folder.as_str()));
        writeln!(out, "{{\"page\":{folder:?},\"records\":{text}}}").unwrap();
    }
}

fn one(path: &str, given: Option<&str>) -> String {
    let bytes = std::fs::read(path).unwrap();
    let document = windrow_dom::Document::from_bytes(bytes, &windrow_dom::ParseOptions::default());
    let page = Arc::new(Page::from_document(path.to_owned(), document));
    let wrapper = match given {
        Some(folder) => truth(folder, &page),
        None => windrow::discover(&*page, 1).into_iter().next(),
    };
    let Some(wrapper) = wrapper else { return "[]".to_owned() };
    if std::env::var("RULES").is_ok() {
        for rule in &wrapper.rules {
            eprintln!("{}", windrow_wrapper::files::write_rule(rule));
        }
    }
    let extractor = match Extractor::new(&wrapper) {
        Ok(extractor) => extractor,
        Err(error) => {
            eprintln!("{path}: {error:?}");
            return "[]".to_owned();
        }
    };
    let shapes = extractor.shape();
    let extraction = extractor.extract(page);
    let record = data::page(&shapes, &extraction, Form::Raw);
    let mut json = Json::line();
    json.array(|json| {
        for (shape, value) in shapes.iter().zip(&record.values) {
            let Data::List(records) = value else { continue };
            for record in records {
                json.element();
                match record {
                    Data::Record(record) => json.top(&shape.children, record),
                    value => json.atom(value),
                }
            }
        }
    });
    json.finish()
}

fn truth(folder: &str, page: &Page) -> Option<windrow::Wrapper> {
    let document = page.document();
    let truth: Value = serde_json::from_slice(&std::fs::read(Path::new(folder).join("truth.json")).unwrap()).unwrap();
    let mut records: Vec<Range<NodeId>> = Vec::new();
    let mut runs = false;
    for record in truth["records"].as_array()? {
        let nodes: Vec<NodeId> = record["nodes"]
            .as_array()?
            .iter()
            .filter_map(|path| {
                let found = windrow_xpath::Expr::parse(path.as_str()?).ok()?.select(document, document.root()).ok()?;
                Some(found.first()?.id())
            })
            .collect();
        let (Some(&first), Some(&last)) = (nodes.first(), nodes.last()) else { continue };
        runs |= nodes.len() > 1;
        records.push(first..document.subtree_end(last));
    }
    records.sort_by_key(|record| record.start);
    if records.windows(2).any(|pair| pair[0].end > pair[1].start) {
        return None;
    }
    Some(windrow_learn::discover::of_records(page, records, runs))
}
