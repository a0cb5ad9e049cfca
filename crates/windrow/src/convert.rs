//! Conversion of wrapper files: to their canonical layout, or to another format.

use crate::wrapper::files;
use crate::{Format, WrapperErrors};

/// The form that a wrapper file is converted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The canonical layout of the same format; TOML files keep their comments.
    Layout,
    /// A format.
    Format(Format),
    /// A list of the absolute XPaths that are kept beside the rules.
    Absolute,
}

/// Converts the text of a wrapper file.
///
/// # Errors
///
/// The file has mistakes, or the format cannot express its rules.
pub fn convert(text: &str, from: Format, to: Target) -> Result<String, WrapperErrors> {
    match to {
        Target::Absolute => files::read(text, from).and_then(|wrapper| files::write_absolute(&wrapper)),
        Target::Format(to) if to != from => files::read(text, from).and_then(|wrapper| files::write(&wrapper, to)),
        Target::Format(_) | Target::Layout => files::format(text, from),
    }
}
