//! `windrow fmt`: wrapper files in their canonical layout, or in another format.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use miette::{Diagnostic, Report};
use windrow::convert::{Target, convert};
use windrow::learn::specify::{self, Specification, specify};
use windrow::wrapper::files;
use windrow::{Document, Format, Page, ParseOptions, atomic_file};

use crate::args::FmtArguments;
use crate::pages::PageError;
use crate::run::{Ending, tell, tell_error, tell_errors};
use crate::terminal;
use windrow::wrapper_file::WrapperText;

/// Why a file is not written.
#[derive(Debug, thiserror::Error, Diagnostic)]
enum FmtError {
    #[error("the name `{path}` does not tell the format")]
    #[diagnostic(
        code(fmt::unknown_format),
        help("names end in .toml, .json, .tsimmis, .xml (wtm) or .xpath; else say --to FORMAT")
    )]
    UnknownFormat { path: String },
    #[error("--absolute writes a list of XPaths, and nothing says to write one")]
    #[diagnostic(code(fmt::absolute), help("say --to xpath, or give -o a name that ends in .xpath"))]
    Absolute,
    #[error("--page is for TSIMMIS commands, and nothing says to write them")]
    #[diagnostic(code(fmt::page), help("say --to tsimmis, or give -o a name that ends in .tsimmis"))]
    Page,
    #[error("several wrappers do not fit into one file")]
    #[diagnostic(code(fmt::several), help("convert them one at a time"))]
    Several,
    #[error("`{path}` has comments that its format's layout has no place for")]
    #[diagnostic(
        code(fmt::comments),
        help("write it elsewhere with -o, or take them out first; TOML files keep their comments")
    )]
    Comments { path: String },
    #[error("cannot write `{path}`: {cause}")]
    #[diagnostic(code(output::unwritable))]
    Unwritable { path: String, cause: io::Error },
}

/// Runs the command.
pub(crate) fn run(arguments: &FmtArguments) -> Ending {
    let one = arguments.rules.len() == 1;
    let to = match target(arguments) {
        Ok(to) if arguments.absolute && to != Some(Format::XPaths) => Err(FmtError::Absolute.into()),
        Ok(to) if arguments.page.is_some() && to != Some(Format::Tsimmis) => Err(FmtError::Page.into()),
        Ok(_) if !one && (arguments.output.is_some() || arguments.to.is_some()) => Err(FmtError::Several.into()),
        to => to,
    };
    let to = match to {
        Ok(to) => to,
        Err(report) => {
            tell_error(&report);
            return Ending::Failed;
        }
    };
    let (mut failed, mut changed) = (false, false);
    for name in &arguments.rules {
        match file(arguments, name, to) {
            Some(differs) => changed |= differs,
            None => failed = true,
        }
    }
    match (failed, arguments.check && changed) {
        (true, _) => Ending::Failed,
        (false, true) => Ending::Nothing,
        (false, false) => Ending::Found,
    }
}

/// The format to write, if it is another.
fn target(arguments: &FmtArguments) -> Result<Option<Format>, Report> {
    if let Some(to) = arguments.to {
        return Ok(Some(to.into()));
    }
    let Some(path) = arguments.output.as_deref().filter(|path| *path != "-") else { return Ok(None) };
    let extension = Path::new(path).extension().and_then(|extension| extension.to_str());
    match extension.and_then(Format::from_extension) {
        Some(format) => Ok(Some(format)),
        None => Err(FmtError::UnknownFormat { path: path.to_owned() }.into()),
    }
}

/// Formats one file; says whether that changes it. None if it cannot be done, which is told.
fn file(arguments: &FmtArguments, name: &str, to: Option<Format>) -> Option<bool> {
    let file = WrapperText::open(name).map_err(|report| tell_error(&report)).ok()?;
    let target = match to {
        Some(_) if arguments.absolute => Target::Absolute,
        Some(to) => Target::Format(to),
        None => Target::Layout,
    };
    let text = convert(&file.text, file.format, target);
    let text = match (text, &arguments.page) {
        // What can be said as it is need not be learned.
        (Err(_), Some(page)) => learned(&file, page)?,
        (text, _) => text.map_err(|errors| tell_errors(&file.reports(errors))).ok()?,
    };
    let differs = text != file.text;
    if arguments.check {
        if differs {
            tell(&format!("would change {name}"));
        }
        return Some(differs);
    }
    let in_place = arguments.to.is_none() && arguments.output.is_none() && name != "-";
    if in_place && comments(&text, file.format) < comments(&file.text, file.format) {
        tell_error(&FmtError::Comments { path: name.to_owned() }.into());
        return None;
    }
    let written = match arguments.output.as_deref() {
        Some(path) if path != "-" => {
            atomic_file::write(Path::new(path), text.as_bytes()).map_err(|cause| (path, cause))
        }
        _ if in_place && !differs => Ok(()),
        _ if in_place => atomic_file::write(Path::new(name), text.as_bytes()).map_err(|cause| (name, cause)),
        _ => print(&text).map_err(|cause| ("standard output", cause)),
    };
    if let Err((path, cause)) = written {
        tell_error(&FmtError::Unwritable { path: path.to_owned(), cause }.into());
        return None;
    }
    if in_place && differs {
        let _ = print(&format!("{name}\n"));
    }
    Some(differs)
}

/// Commands that find what the rules find on a page; what they cannot find is told. None if there are none, which is told.
fn learned(file: &WrapperText, page: &str) -> Option<String> {
    let wrapper = files::read(&file.text, file.format).map_err(|errors| tell_errors(&file.reports(errors))).ok()?;
    let read = |name: &str| std::fs::read(name).map_err(|cause| PageError::Unreadable { name: name.to_owned(), cause });
    let bytes = read(page).map_err(|error| tell_error(&error.into())).ok()?;
    let document = Document::from_bytes(bytes, &ParseOptions::default());
    match specify(&wrapper, Page::from_document(page, document)) {
        Ok(Specification { text, left_out, .. }) => {
            left_out.iter().for_each(|left| tell(&format!("left out: {}: {}", left.rule, left.why)));
            Some(text)
        }
        Err(specify::Error::Rules(errors)) => {
            tell_errors(&file.reports(errors));
            None
        }
        Err(error) => {
            tell_error(&error.into());
            None
        }
    }
}

/// Counts the comment lines of a file, in the formats that are written anew.
fn comments(text: &str, format: Format) -> usize {
    let mark = match format {
        Format::Tsimmis => ";",
        Format::XPaths => "#",
        Format::Wtm => "<!--",
        _ => return 0,
    };
    text.lines().filter(|line| line.trim_start().starts_with(mark)).count()
}

/// Prints on standard output; on a terminal, without what would steer it. Nobody reading it is no error.
pub(crate) fn print(text: &str) -> io::Result<()> {
    if io::stdout().is_terminal() { print_as_is(&terminal::visible(text)) } else { print_as_is(text) }
}

/// Prints a text whose colours are our own on standard output. Nobody reading it is no error.
pub(crate) fn print_as_is(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}
