//! Wrapper files: one model in five written forms.
//!
//! TOML is the canonical form and JSON the same in other signs; both express every wrapper. The three forms of the
//! papers, TSIMMIS's bracket commands, WTM's rule XML and plain lists of XPath expressions, express a part of the
//! language each, and say so of a wrapper that needs more.
//!
//! Reading is linear in the file and collects all its errors; [`MAX_BYTES`], [`MAX_DEPTH`] and [`MAX_RULES`] bound it.

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

/// Bytes a wrapper file may have: a thousand times what a long one has.
pub const MAX_BYTES: usize = 4 << 20;

/// Tables and arrays of a file that may lie within each other.
pub const MAX_DEPTH: usize = 64;

/// Rules a wrapper may have.
pub const MAX_RULES: usize = 10_000;

/// A written form of wrappers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// The canonical one.
    Toml,
    /// The same model.
    Json,
    /// Bracket commands: `[variables, source, pattern]`.
    Tsimmis,
    /// The rule XML of WTM, `<StalkerRules>`.
    Wtm,
    /// An XPath expression for each field.
    XPaths,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 5] = [Format::Toml, Format::Json, Format::Tsimmis, Format::Wtm, Format::XPaths];

    /// What options and messages call it.
    pub fn name(self) -> &'static str {
        match self {
            Format::Toml => "toml",
            Format::Json => "json",
            Format::Tsimmis => "tsimmis",
            Format::Wtm => "wtm",
            Format::XPaths => "xpaths",
        }
    }

    /// The format with this name, case aside. WTM's rules are also called `stalker`, after their element.
    pub fn from_name(name: &str) -> Option<Format> {
        if name.eq_ignore_ascii_case("stalker") {
            return Some(Format::Wtm);
        }
        Format::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name))
    }

    /// The format that a file name's extension (without the dot) tells, case aside.
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

    /// The format that a text looks like; TOML if it looks like none.
    pub fn guess(text: &str) -> Format {
        guess(text)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Reads a wrapper. All errors of the file are reported, in its order; expressions and patterns inside it are checked
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

/// Writes a wrapper, in the canonical layout. Only the formats of the papers can fail, with
/// [`NotExpressible`](WrapperError::NotExpressible).
///
/// TOML and JSON have the rules of a scope in sections: what is read again has its saves first, then fields, groups and
/// lists, each kind in the order given.
pub fn write(wrapper: &Wrapper, format: Format) -> Result<String, Errors> {
    match format {
        Format::Toml => Ok(toml::print(&write::document(wrapper))),
        Format::Json => Ok(json::print(&write::document(wrapper))),
        Format::Tsimmis => tsimmis::write(wrapper),
        Format::Wtm => wtm::write(wrapper),
        Format::XPaths => xpaths::write(wrapper),
    }
}

/// One rule as TOML has it on one line behind the name, for people to read: `{ css = ".price", type = "money" }`. Without
/// the rules below it, and without its path.
pub fn write_rule(rule: &Rule) -> String {
    toml::inline(&write::alone(rule))
}

/// A locator as TOML has it behind a key, for people to read and for [`read_locator`]: an expression by itself if it is
/// enough and will be read as what it is, else a table in braces.
pub fn write_locator(locator: &Locator) -> String {
    let (text, language) = match &locator.find {
        Find::Expression(text) => (text, None),
        Find::XPath(text) => (text, Some(Language::XPath)),
        Find::Css(text) => (text, Some(Language::Css)),
        _ => return toml::inline(&write::locator_table(locator)),
    };
    let alone = *locator == Locator::new(locator.find.clone());
    let read_so = || {
        let read = Expr::parse(text.trim()).ok().map(|expr| expr.language());
        language.is_none_or(|language| read == Some(language))
    };
    match alone && !text.trim().is_empty() && !text.starts_with('{') && read_so() {
        true => text.trim().to_owned(),
        false => toml::inline(&write::locator_table(locator)),
    }
}

/// Writes the absolute paths that are kept beside the rules, as a list of XPath expressions: one for each field, as MERL
/// has them. What is read again finds by these paths, and knows no more than they say: types other than those of links,
/// refinements, labels and keys are left out, and a list inside another stands beside it.
///
/// Fails with [`NoPath`](WrapperError::NoPath) if a field or list has none, and with
/// [`NotExpressible`](WrapperError::NotExpressible) if its path would be read as something else.
pub fn write_absolute(wrapper: &Wrapper) -> Result<String, Errors> {
    absolute::write(wrapper)
}

/// The same file in the canonical layout. In TOML, comments, blank lines between groups, and the order of keys are kept.
pub fn format(text: &str, format: Format) -> Result<String, Errors> {
    let wrapper = read(text, format)?;
    match format {
        Format::Toml => Ok(format::toml(text)),
        Format::Json => Ok(json::print(&json::parse(text)?)),
        Format::Tsimmis | Format::Wtm | Format::XPaths => write(&wrapper, format),
    }
}

/// A wrapper that has changed, written over its old file: what is the same stays as it is. In TOML that is everything that
/// the author wrote and the change does not touch, comments and layout included; the other formats are written anew.
pub fn revise(old: &str, format: Format, wrapper: &Wrapper) -> Result<String, Errors> {
    let new = write(wrapper, format)?;
    if format != Format::Toml {
        return Ok(new);
    }
    let revised = revise::toml(old, &new);
    // The merge knows keys, not what they mean: if the result should mean something else, the plain text is right.
    let same = |text: &String| read(text, format).and_then(|read| write(&read, format)).is_ok_and(|text| text == new);
    Ok(revised.filter(same).unwrap_or(new))
}

fn check_size(text: &str) -> Result<(), Errors> {
    match text.len() <= MAX_BYTES {
        true => Ok(()),
        false => Err(WrapperError::TooLarge { what: "bytes", limit: MAX_BYTES, span: Some(Span::new(0, 0)) }.into()),
    }
}

/// By the first line that is neither blank nor a comment.
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
        // `[list.ads]`, `[[list.ads.save]]` and even `["list"]` are headers; `[`, `[ [` and `["root", …` are commands.
        let name = rest.strip_prefix('[').unwrap_or(rest).trim_start();
        let is_name = name.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '_' || first == '-');
        return if is_name || toml::is_header(line) { Format::Toml } else { Format::Tsimmis };
    }
    // `title = //h1` is a list of expressions, `title = "//h1"` a field.
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

/// What begins a comment in one of the formats, and nothing else in any.
const COMMENTS: [char; 2] = ['#', ';'];
