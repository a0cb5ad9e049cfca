//! Rule files: read and checked, all their errors drawn where they stand.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::audit::Rules;
use crate::audit::rules::{DRUGS, Errors, MAX_BYTES};
use crate::wrapper::files::nearest;
use miette::{NamedSource, Report};

use crate::monitor::Reports;

/// The sets that come along.
const SHIPPED: [(&str, &str); 1] = [("drugs", DRUGS)];

/// Rules, and the text they were read from.
#[derive(Debug)]
pub struct RuleFile {
    /// As given; `-` is standard input.
    pub name: String,
    /// Text of the file.
    pub text: String,
    /// The rules.
    pub rules: Rules,
}

/// Why there is no text to read rules from.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
enum RuleFileError {
    #[error("there are no rules `{name}`, neither a file nor a set that comes along")]
    #[diagnostic(code(rules::not_found), help("{hint}"))]
    NotFound { name: String, hint: String },
    #[error("cannot read the rules `{name}`: {cause}")]
    #[diagnostic(code(rules::unreadable))]
    Unreadable { name: String, cause: io::Error },
    #[error("the rules `{name}` are not UTF-8 text")]
    #[diagnostic(
        code(rules::not_text),
        help("rules are lines such as `R1: none S (E.code = S.code) -> Unapproved [0.9]`")
    )]
    NotText { name: String },
}

impl RuleFile {
    /// Reads and checks rules.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or it has mistakes: all of them.
    pub fn open(name: &str) -> Result<RuleFile, Reports> {
        // A directory that happens to be called `drugs` must not hide it; `./drugs` is a file.
        let shipped = SHIPPED.iter().find(|(shipped, _)| *shipped == name);
        let text = match shipped {
            Some((_, text)) => (*text).to_owned(),
            None => read(name)?,
        };
        match Rules::read(&text) {
            Ok(rules) => Ok(RuleFile { name: name.to_owned(), text, rules }),
            Err(errors) => Err(reports(name, &text, errors)),
        }
    }

    /// Returns every error as a report that points at its place in the file.
    pub fn reports(&self, errors: Errors) -> Reports {
        reports(&self.name, &self.text, errors)
    }
}

fn reports(name: &str, text: &str, errors: Errors) -> Reports {
    let source = || NamedSource::new(name, text.to_owned());
    Reports(errors.0.into_iter().map(|error| Report::new(error).with_source_code(source())).collect())
}

fn read(name: &str) -> Result<String, RuleFileError> {
    let mut bytes = Vec::new();
    // One byte more than may be: then it is said that the file is too long.
    let most = MAX_BYTES as u64 + 1;
    let read = match name {
        "-" => io::stdin().lock().take(most).read_to_end(&mut bytes),
        name => File::open(name).and_then(|file| file.take(most).read_to_end(&mut bytes)),
    };
    match read {
        Ok(_) => {}
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
            return Err(RuleFileError::NotFound { name: name.to_owned(), hint: hint(name) });
        }
        Err(cause) => return Err(RuleFileError::Unreadable { name: name.to_owned(), cause }),
    }
    // A file that was cut may end within a letter.
    let is_cut = bytes.len() > MAX_BYTES;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) if is_cut => Ok(String::from_utf8_lossy(error.as_bytes()).into_owned()),
        Err(_) => Err(RuleFileError::NotText { name: name.to_owned() }),
    }
}

/// Suggests names for one that is unknown.
fn hint(name: &str) -> String {
    let names: Vec<&str> = SHIPPED.iter().map(|&(name, _)| name).collect();
    let bare = Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or(name).to_lowercase();
    let list = format!("those that come along: {}", names.join(", "));
    match nearest(&bare, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`? {list}"),
        None => list,
    }
}
