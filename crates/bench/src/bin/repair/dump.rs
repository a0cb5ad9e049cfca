//! Keeps cases as files, for other tools and for people who want to look.
//!
//! One folder for each wrapper: `original.html`, `wrapper.toml`, `original.json` (the records of the page before,
//! each value with the XPath of its node), and for each case `KIND-SEED.html`, `KIND-SEED.json` (the truth; null if the page
//! has to be refused) and, if a wrapper came out, `KIND-SEED.toml`.

use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};
use windrow_testkit::mutate::{Content, Told};
use windrow_wrapper::files::{self, Format};
use windrow_wrapper::{Object, Objects, Wrapper};
use windrow_xpath::{Node, path_of};

use super::cases::Case;
use super::judge::Verdict;
use super::subjects::{Learned, Source};

/// Writes a wrapper and its cases.
pub(super) fn write(folder: &Path, source: &Source, learned: &Learned, cases: &[Case], verdicts: &[Verdict]) {
    let folder = folder.join(format!("{}-{}-{}", source.corpus, learned.method, source.name));
    fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let put = |name: String, text: String| {
        let file = folder.join(name);
        fs::write(&file, text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    };
    put("original.html".to_owned(), source.document.source().to_owned());
    put("wrapper.toml".to_owned(), toml(&learned.wrapper));
    let original = json!({
        "page": source.name,
        "corpus": source.corpus,
        "method": learned.method,
        "url": source.url.as_ref().map(|url| url.as_str()),
        "objects": places(learned.extraction.objects(), source),
    });
    put("original.json".to_owned(), format!("{original:#}\n"));
    for (case, verdict) in cases.iter().zip(verdicts) {
        let name = format!("{}-{}", case.kind, case.seed);
        put(format!("{name}.html"), case.html.clone());
        let truth = case.truth.as_ref().map(|truth| told(&truth.members));
        let case = json!({ "kind": case.kind, "seed": case.seed, "truth": truth, "end": verdict.end.name() });
        put(format!("{name}.json"), format!("{case:#}\n"));
        if let Some(wrapper) = &verdict.wrapper {
            put(format!("{name}.toml"), toml(wrapper));
        }
    }
}

fn toml(wrapper: &Wrapper) -> String {
    files::write(wrapper, Format::Toml).unwrap_or_else(|error| format!("# {error}\n"))
}

/// Objects with their places: an XPath to the element, and the attribute if it is one.
fn places(objects: Objects<'_>, source: &Source) -> Json {
    let one = |object: Object<'_>| {
        let node = object.node();
        let element = node.map(|node| {
            let id = node.id();
            let is_text = source.document.is_text(id);
            let id = if is_text { source.document.parent(id).unwrap_or(id) } else { id };
            path_of(&source.document, Node::node(id))
        });
        let attribute = node.and_then(|node| node.attr(&source.document)).map(|attribute| attribute.name());
        if object.is_set() {
            json!({ "label": object.label(), "record": object.is_record(), "xpath": element, "objects": places(object.objects(), source) })
        } else {
            json!({ "label": object.label(), "xpath": element, "attribute": attribute, "text": object.text() })
        }
    };
    Json::Array(objects.map(one).collect())
}

fn told(members: &[Told]) -> Json {
    let one = |told: &Told| match &told.value {
        Content::Text(text) => json!({ "label": told.label, "text": text }),
        Content::Set(members) => json!({ "label": told.label, "objects": self::told(members) }),
    };
    Json::Array(members.iter().map(one).collect())
}
