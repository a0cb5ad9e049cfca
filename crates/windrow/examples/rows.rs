//! dev tool
use serde_json::Value;
use std::io::Write;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use windrow::data::json::Json;
use windrow::data::{self, Data, Form};
use windrow::{Extractor, Page};
use windrow_dom::NodeId;
fn main() {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut given = false;
    for folder in std::env::args().skip(1) {
        if folder == "--truth" {
            given = true;
            continue;
        }
        let bytes = std::fs::read(Path::new(&folder).join("page.html")).unwrap();
        let page = Arc::new(Page::from_document(
            Path::new(&folder).join("page.html").display().to_string(),
            windrow_dom::Document::from_bytes(bytes, &windrow_dom::ParseOptions::default()),
        ));
        let wrapper = if given { truth(&folder, &page) } else { windrow::discover(&*page, 1).into_iter().next() };
        let Some(wrapper) = wrapper else {
            writeln!(out, "{{\"page\":{folder:?},\"records\":[]}}").unwrap();
            continue;
        };
        let extractor = match Extractor::new(&wrapper) {
            Ok(e) => e,
            Err(e) => {
                eprintln!("{folder}: {e:?}");
                continue;
            }
        };
        let shapes = extractor.shape();
        let extraction = extractor.extract(page.clone());
        let record = data::page(&shapes, &extraction, Form::Raw);
        let mut json = Json::line();
        json.object(|json| {
            json.key("page");
            json.text(&folder);
            json.key("records");
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
        });
        writeln!(out, "{}", json.finish()).unwrap();
    }
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
