//! Export of records to files, in the formats that stores export.
//!
//! The records are stored in a store in memory, as by `extract --into`, and exported from there, so files from the
//! studio equal those of the command.

use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use windrow::export::ExportFailure;
use windrow::keep::Keeper;
use windrow::store::export::{Format, Options};
use windrow::store::{self, Store, Which};

use crate::api::ExportRequest;
use crate::failure::Refused;
use crate::rules::Rules;
use crate::state::State;

/// Largest number of pages in one file.
const MOST_PAGES: usize = 64;
/// Time that is used if there is no clock.
const NO_TIME: &str = "1970-01-01T00:00:00Z";

/// An exported file.
#[derive(Debug)]
pub(crate) struct File {
    name: String,
    format: Format,
    bytes: Vec<u8>,
}

/// Converts an error of the store.
pub(crate) fn refused(error: &store::Error) -> Refused {
    let refused = Refused::unfit(error.code(), error.to_string());
    match error.hint() {
        Some(hint) => refused.with_help(hint),
        None => refused,
    }
}

/// Exports the records of a list that rules find on pages.
pub(crate) fn export(state: &State, request: ExportRequest) -> Result<File, Refused> {
    let format = Format::from_name(&request.format).ok_or_else(|| {
        let known = Format::ALL.map(Format::name).join(", ");
        Refused::unfit("studio::format", format!("unknown format `{}`", request.format))
            .with_help(format!("the formats are {known}"))
    })?;
    if request.pages.is_empty() || request.pages.len() > MOST_PAGES {
        return Err(Refused::unfit("studio::pages", format!("give 1 to {MOST_PAGES} pages")));
    }
    let rules = Rules::read(request.rules)?;
    let fail = |error: store::Error| refused(&error);
    let at = (state.config.now)().unwrap_or_else(|| NO_TIME.to_owned());
    let mut kept = Store::in_memory().map_err(fail)?;
    let keeper = Keeper::new(&rules.extractor.shape());
    let version = kept.version("wrapper", &rules.text, rules.format.name(), "given", &at).map_err(fail)?;
    let mut run = kept.begin(version.id, &at).map_err(fail)?;
    for id in request.pages {
        let open = state.page(id)?;
        let extraction = rules.extractor.extract(open.page.clone());
        let page = keeper.page(&open.info.name, open.page.source().as_bytes(), &extraction);
        kept.keep(&mut run, &page, true).map_err(fail)?;
    }
    kept.finish(run, &at).map_err(fail)?;
    let lists: Vec<String> = kept.layouts().into_iter().map(|layout| layout.label).collect();
    let list = match (request.list, &lists[..]) {
        (Some(list), _) => list,
        (None, [only]) => only.clone(),
        (None, []) => return Err(Refused::unfit("studio::nothing", "the rules find no records to export")),
        (None, several) => {
            let refused =
                Refused::unfit("studio::lists", "the rules find several lists, but a file can contain only one");
            return Err(refused.with_help(format!("choose one of {}", several.join(", "))));
        }
    };
    let layout = kept.layout(&list).map_err(fail)?;
    let mut bytes = Vec::new();
    let written =
        windrow::export::write(&mut kept, (&layout, Which::Present), (format, &Options::new()), &mut bytes, &mut || ());
    written.map_err(|failure| match failure {
        ExportFailure::Store(error) => refused(&error),
        ExportFailure::Export(error) => Refused::unfit("export::failed", error.to_string()),
    })?;
    Ok(File { name: layout.label, format, bytes })
}

impl IntoResponse for File {
    fn into_response(self) -> Response {
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
        let name: String = self.name.chars().map(plain).take(60).collect();
        let disposition = format!("attachment; filename=\"{name}.{}\"", self.format.name());
        let mut answer = Body::from(self.bytes).into_response();
        let headers = answer.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.format.media_type()));
        if let Ok(value) = HeaderValue::from_str(&disposition) {
            headers.insert(header::CONTENT_DISPOSITION, value);
        }
        answer
    }
}
