//! Wrapper files: one model in five file formats.
//!
//! TOML is the canonical format, and JSON is the same structure in another syntax; both can express every wrapper.
//! The formats of the papers, TSIMMIS bracket commands, WTM rule XML and plain lists of XPath expressions, can
//! express only a part of the language each; writing a wrapper that needs more fails with an error.
//!
//! Reading is linear in the file and collects all errors; [`MAX_BYTES`], [`MAX_DEPTH`] and [`MAX_RULES`] bound it.

mod absolute;
mod edit;
mod format;
mod header;
mod json;
mod keys;
mod node;
mod read;
mod revise;
mod schema;
mod toml;
mod tsimmis;
mod write;
mod wtm;
mod xpaths;

use std::fmt;

use windrow_xpath::{Expr, Language, Span};

use crate::error::{Errors, WrapperError};
use crate::wrapper::{Find, Locator, Rule, Wrapper};

pub use crate::error::nearest;
pub use edit::{Edit, edit, read_locator};
pub use schema::schema;
pub use toml::too_deep;

/// Largest size of a wrapper file in bytes: a thousand times that of a long one.
pub const MAX_BYTES: usize = 4 << 20;

/// Largest nesting depth of tables and arrays in a file.
pub const MAX_DEPTH: usize = 64;

/// Largest number of rules in a wrapper.
pub const MAX_RULES: usize = 10_000;

/// A file format for wrappers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// TOML, the canonical format.
    Toml,
    /// JSON, with the same structure as TOML.
    Json,
    /// TSIMMIS bracket commands: `[variables, source, pattern]`.
    Tsimmis,
    /// The rule XML of WTM, `<StalkerRules>`.
    Wtm,
    /// Plain lists with one XPath expression per field.
    XPaths,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 5] = [Format::Toml, Format::Json, Format::Tsimmis, Format::Wtm, Format::XPaths];

    /// Returns its name in options and messages.
    pub fn name(self) -> &'static str {
        match self {
            Format::Toml => "toml",
            Format::Json => "json",
            Format::Tsimmis => "tsimmis",
            Format::Wtm => "wtm",
            Format::XPaths => "xpaths",
        }
    }

    /// Returns the format with this name, ignoring case. WTM's rules are also called `stalker`, after their root
    /// element.
    pub fn from_name(name: &str) -> Option<Format> {
        if name.eq_ignore_ascii_case("stalker") {
            return Some(Format::Wtm);
        }
        Format::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name))
    }

    /// Returns the format for a file name extension (without the dot), ignoring case.
    pub fn from_extension(extension: &str) -> Option<Format> {
        Some(match extension.to_ascii_lowercase().as_str() {
            "toml" => Format::Toml,
            "json" => Format::Json,
            "tsimmis" | "tsm" | "spec" => Format::Tsimmis,
            "xml" => Format::Wtm,
            "xpath" | "xpaths" | "txt" => Format::XPaths,
            _ => return None,
        })
    }

    /// Guesses the format of a text; TOML if it looks like none of the others.
    pub fn guess(text: &str) -> Format {
        guess(text)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Reads a wrapper. All errors of the file are reported, in order; the expressions and patterns in it are checked
/// when the wrapper is compiled.
pub fn read(text: &str, format: Format) -> Result<Wrapper, Errors> {
    check_size(text)?;
    match format {
        Format::Toml => read::wrapper(&toml::parse(text)?),
        Format::Json => read::wrapper(&json::parse(text)?),
        Format::Tsimmis => tsimmis::read(text),
        Format::Wtm => wtm::read(text),
        Format::XPaths => xpaths::read(text),
    }
}

/// Writes a wrapper in the canonical layout. Only the formats of the papers can fail, with
/// [`NotExpressible`](WrapperError::NotExpressible).
///
/// TOML and JSON sort the rules of a scope into sections: after reading the file back, saves come first, then fields,
/// groups and lists, each kind in the order given.
pub fn write(wrapper: &Wrapper, format: Format) -> Result<String, Errors> {
    match format {
        Format::Toml => Ok(toml::print(&write::document(wrapper))),
        Format::Json => Ok(json::print(&write::document(wrapper))),
        Format::Tsimmis => tsimmis::write(wrapper),
        Format::Wtm => wtm::write(wrapper),
        Format::XPaths => xpaths::write(wrapper),
    }
}

/// Writes one rule as the TOML value after its name, for people to read: `{ css = ".price", type = "money" }`. The
/// rules below it and its path are left out.
pub fn write_rule(rule: &Rule) -> String {
    toml::inline(&write::alone(rule))
}

/// Writes a locator as a TOML value, for people to read and for [`read_locator`]: only the expression if that is
/// enough and its language would be recognised, else a table in braces.
pub fn write_locator(locator: &Locator) -> String {
    let (text, language) = match &locator.find {
        Find::Expression(text) => (text, None),
        Find::XPath(text) => (text, Some(Language::XPath)),
        Find::Css(text) => (text, Some(Language::Css)),
        Find::Scope
        | Find::Pattern(_)
        | Find::Split(_)
        | Find::Landmark(_)
        | Find::Table(_)
        | Find::Column(_)
        | Find::Case(_)
        | Find::Get(_) => {
            return toml::inline(&write::locator_table(locator));
        }
    };
    let alone = *locator == Locator::new(locator.find.clone());
    let read_so = || {
        let read = Expr::parse(text.trim()).ok().map(|expr| expr.language());
        language.is_none_or(|language| read == Some(language))
    };
    if alone && !text.trim().is_empty() && !text.starts_with('{') && read_so() {
        text.trim().to_owned()
    } else {
        toml::inline(&write::locator_table(locator))
    }
}

/// Writes the absolute paths kept with the rules as a list of XPath expressions, one per field, as in MERL's paper. A
/// wrapper read from this list finds values by these paths only: types other than those of links, refinements, labels
/// and keys are left out, and a list inside another is written beside it.
///
/// Fails with [`NoPath`](WrapperError::NoPath) if a field or list has no path, and with
/// [`NotExpressible`](WrapperError::NotExpressible) if its path would be read back differently.
pub fn write_absolute(wrapper: &Wrapper) -> Result<String, Errors> {
    absolute::write(wrapper)
}

/// Formats a file in the canonical layout. In TOML, comments, blank lines between groups, and the order of keys are
/// kept.
pub fn format(text: &str, format: Format) -> Result<String, Errors> {
    let wrapper = read(text, format)?;
    match format {
        Format::Toml => Ok(format::toml(text)),
        Format::Json => Ok(json::print(&json::parse(text)?)),
        Format::Tsimmis | Format::Wtm | Format::XPaths => write(&wrapper, format),
    }
}

/// Merges a changed wrapper into its old file. In TOML, everything that the change does not affect stays as the
/// author wrote it, including comments and layout; files in other formats are written anew.
pub fn revise(old: &str, format: Format, wrapper: &Wrapper) -> Result<String, Errors> {
    let new = write(wrapper, format)?;
    if format != Format::Toml {
        return Ok(new);
    }
    let revised = revise::toml(old, &new);
    // The merge compares keys, not their meaning: if the merged file means something else, the plain text is used.
    let same = |text: &String| read(text, format).and_then(|read| write(&read, format)).is_ok_and(|text| text == new);
    Ok(revised.filter(same).unwrap_or(new))
}

fn check_size(text: &str) -> Result<(), Errors> {
    if text.len() <= MAX_BYTES {
        Ok(())
    } else {
        Err(WrapperError::TooLarge { what: "bytes", limit: MAX_BYTES, span: Some(Span::new(0, 0)) }.into())
    }
}

/// Guesses the format from the first line that is neither blank nor a comment.
fn guess(text: &str) -> Format {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.lines().map(str::trim);
    let Some(line) = lines.find(|line| !line.is_empty() && !line.starts_with(COMMENTS)) else { return Format::Toml };
    if line.starts_with('<') {
        return Format::Wtm;
    }
    if line.starts_with('{') {
        return Format::Json;
    }
    if let Some(rest) = line.strip_prefix('[') {
        // `[list.ads]`, `[[list.ads.save]]` and even `["list"]` are headers; `[`, `[ [` and `["root", …` are
        // commands.
        let name = rest.strip_prefix('[').unwrap_or(rest).trim_start();
        let is_name = name.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '_' || first == '-');
        return if is_name || toml::is_header(line) { Format::Toml } else { Format::Tsimmis };
    }
    // `title = //h1` is from a list of expressions, `title = "//h1"` is a TOML field.
    match line.find(['=', ':', '\t', '"', '\'']) {
        Some(at) if line[at..].starts_with([':', '\t']) => Format::XPaths,
        Some(at) if line[at..].starts_with('=') => {
            let value = line[at + 1..].trim_start();
            let is_toml = value.starts_with(['"', '\'', '{', '[', '+', '-'])
                || value.starts_with(|first: char| first.is_ascii_digit())
                || value.is_empty()
                || value == "true"
                || value == "false";
            if is_toml { Format::Toml } else { Format::XPaths }
        }
        _ => Format::Toml,
    }
}

/// Characters that begin a comment in one of the formats and nothing else in any of them.
const COMMENTS: [char; 2] = ['#', ';'];
