//! Saving wrappers, and pages as test cases for `windrow test`.

use std::path::Path;
use std::sync::Arc;

use windrow::data::json::Json;
use windrow::data::{self, Form as Values};
use windrow::{Document, Format, Page, ParseOptions};

use crate::api::{CaseRequest, Form, RuleText, SaveRequest, Saved};
use crate::failure::Refused;
use crate::folder::{self, ExistingFile};
use crate::rules::Rules;
use crate::state::{Open, State};

/// Saves a wrapper.
pub(crate) fn save(state: &State, request: SaveRequest) -> Result<Saved, Refused> {
    // In a file, absolute paths are an ordinary list of XPaths.
    let form = if request.rules.form == Form::Absolute { Form::Xpath } else { request.rules.form };
    let rules = Rules::read(RuleText { text: request.rules.text, form })?;
    let extension = Path::new(&request.path).extension().and_then(|extension| extension.to_str());
    if let Some(told) = extension.and_then(Format::from_extension).filter(|told| *told != rules.format) {
        let message = format!("`{}` would be read as {told}, but the rules are {}", request.path, rules.format);
        return Err(
            Refused::unfit("studio::extension", message).with_help("use the file extension of the rules' format")
        );
    }
    let path = folder::place(&state.config.folder, &request.path)?;
    folder::write(&path, rules.text.as_bytes(), request.replace.into())?;
    Ok(Saved { files: vec![folder::told(&state.config.folder, &path)] })
}

/// Saves a page with the expected results of the rules.
pub(crate) fn case(state: &State, request: CaseRequest) -> Result<Saved, Refused> {
    let open = state.page(request.page)?;
    let rules = Rules::read(request.rules)?;
    let name = format!("{}/{}", request.path.trim_end_matches('/'), stem(&open));
    let there = ExistingFile::from(request.replace);
    let page = folder::place(&state.config.folder, &format!("{name}.html"))?;
    let expected = folder::place(&state.config.folder, &format!("{name}.json"))?;
    folder::check(&page, there)?;
    folder::check(&expected, there)?;
    let source = open.page.source();
    let found = found(&rules, source, &page.display().to_string());
    // The expected results are written last: a page without them is not a test case.
    folder::write(&page, source.as_bytes(), there)?;
    folder::write(&expected, found.as_bytes(), there)?;
    Ok(Saved { files: [page, expected].iter().map(|path| folder::told(&state.config.folder, path)).collect() })
}

/// Returns what the rules find on the saved page: read from a file, without its address.
fn found(rules: &Rules, source: &str, name: &str) -> String {
    let document = Document::from_bytes(source.as_bytes().to_vec(), &ParseOptions::default());
    let extraction = rules.extractor.extract(Arc::new(Page::from_document(name, document)));
    let shapes = rules.extractor.shape();
    let mut json = Json::pretty(0);
    json.top(&shapes, &data::page(&shapes, &extraction, Values::Typed));
    json.finish() + "\n"
}

/// Returns the name of the page's file: the last part of its address.
fn stem(open: &Open) -> String {
    let name = open.info.name.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let last = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
    let plain = |c: char| if c.is_alphanumeric() || c == '-' || c == '_' { c } else { '-' };
    let stem: String = last.chars().map(plain).take(60).collect();
    match stem.trim_matches('-') {
        "" => "page".to_owned(),
        stem => stem.to_owned(),
    }
}
