//! `windrow versions`: the texts of a wrapper that records were kept with.

use std::path::Path;

use miette::{Diagnostic, Report};
use windrow::clock::stamp;
use windrow::store::{Store, Version};
use windrow::{atomic_file, patch, stores};

use crate::args::VersionsArguments;
use crate::fmt::print;
use crate::run::{Ending, tell, tell_error};

#[derive(Debug, thiserror::Error, Diagnostic)]
enum VersionsError {
    #[error("the store has several wrappers: {}", names.join(", "))]
    #[diagnostic(code(versions::several), help("name one of them"))]
    Several { names: Vec<String> },
    #[error("`{wrapper}` has no version {number}")]
    #[diagnostic(code(versions::none), help("it has versions 1 to {last}"))]
    None { wrapper: String, number: i64, last: i64 },
    #[error("cannot write `{path}`: {cause}")]
    #[diagnostic(code(output::unwritable))]
    Unwritable { path: String, cause: std::io::Error },
}

/// Runs the command.
pub(crate) fn run(arguments: &VersionsArguments) -> Ending {
    match versions(arguments) {
        Ok(ending) => ending,
        Err(report) => {
            tell_error(&report);
            Ending::Failed
        }
    }
}

fn versions(arguments: &VersionsArguments) -> Result<Ending, Report> {
    let mut store = match arguments.put_back {
        Some(_) => stores::open_existing(&arguments.store)?,
        None => stores::open_read_only(&arguments.store)?,
    };
    let Some(wrapper) = wrapper(&mut store, arguments)? else {
        tell("nothing has been kept yet, so there is no version");
        return Ok(Ending::Nothing);
    };
    let versions = store.versions(&wrapper).map_err(stores::report)?;
    let find = |number: i64| {
        let last = versions.last().map_or(0, |last| last.number);
        let found = versions.iter().find(|version| version.number == number);
        found.ok_or_else(|| VersionsError::None { wrapper: wrapper.clone(), number, last })
    };
    let text = match (arguments.show, arguments.diff, arguments.put_back) {
        (Some(number), ..) => find(number)?.text.clone(),
        (_, Some(number), _) => {
            let (new, old) = (find(number)?, find(number - 1).ok());
            let named = |version: Option<&Version>| match version {
                Some(version) => format!("{wrapper} {}", version.number),
                None => format!("{wrapper} 0"),
            };
            let before = old.map_or("", |old| old.text.as_str());
            patch::unified(before, &new.text, &named(old), &named(Some(new)))
        }
        (.., Some(number)) => return put_back(arguments, &mut store, &wrapper, find(number)?),
        _ => list(&wrapper, &versions),
    };
    print(&text).map_err(|error| miette::miette!(code = "output::failed", "cannot write the output: {error}"))?;
    Ok(Ending::Found)
}

/// The wrapper that is meant.
fn wrapper(store: &mut Store, arguments: &VersionsArguments) -> Result<Option<String>, Report> {
    if let Some(wrapper) = &arguments.wrapper {
        return Ok(Some(wrapper.clone()));
    }
    let mut names = store.wrappers().map_err(stores::report)?;
    match names.len() {
        0 | 1 => Ok(names.pop()),
        _ => Err(VersionsError::Several { names }.into()),
    }
}

fn list(wrapper: &str, versions: &[Version]) -> String {
    let last = versions.last().map(|last| last.number);
    let mut text = format!("{wrapper}\n");
    for version in versions {
        let used = if Some(version.number) == last { ", in use" } else { "" };
        text += &format!("{:>5}  {}  {}{used}\n", version.number, version.made, version.note);
    }
    text
}

fn put_back(
    arguments: &VersionsArguments,
    store: &mut Store,
    wrapper: &str,
    version: &Version,
) -> Result<Ending, Report> {
    let path = arguments.output.as_deref().unwrap_or_default();
    // The file first: a version that is noted and not in the file would be lost again by the next run.
    atomic_file::write(Path::new(path), version.text.as_bytes())
        .map_err(|cause| VersionsError::Unwritable { path: path.to_owned(), cause })?;
    let note = format!("{} put back", version.number);
    let new = store.version(wrapper, &version.text, &version.format, &note, &stamp()).map_err(stores::report)?;
    tell(&if new.number == version.number {
        format!("wrote {path}: version {} of {wrapper}, which is in use", version.number)
    } else {
        format!("wrote {path}: version {} of {wrapper}, now version {}", version.number, new.number)
    });
    Ok(Ending::Found)
}
