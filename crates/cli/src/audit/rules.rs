//! Rule files: read and checked, all their errors drawn where they stand.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use miette::{NamedSource, Report};
use windrow::audit::Rules;
use windrow::audit::rules::{DRUGS, Errors, MAX_BYTES};
use windrow::wrapper::files::nearest;

use crate::run::{tell, tell_error};

/// The sets that come along.
const SHIPPED: [(&str, &str); 1] = [("drugs", DRUGS)];

/// Rules, and the text they were read from.
#[derive(Debug)]
pub(crate) struct RuleFile {
    /// As given; `-` is standard input.
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) rules: Rules,
}

/// Why there is no text to read rules from.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
enum FileError {
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
    /// Reads and checks rules; if they are wrong, says so and gives none.
    pub(crate) fn open(name: &str) -> Result<Option<RuleFile>, Report> {
        // A directory that happens to be called `drugs` must not hide it; `./drugs` is a file.
        let shipped = SHIPPED.iter().find(|(shipped, _)| *shipped == name);
        let text = match shipped {
            Some((_, text)) => (*text).to_owned(),
            None => read(name)?,
        };
        match Rules::read(&text) {
            Ok(rules) => Ok(Some(RuleFile { name: name.to_owned(), text, rules })),
            Err(errors) => {
                complain(name, &text, errors);
                Ok(None)
            }
        }
    }

    /// Tells every error where it stands.
    pub(crate) fn complain(&self, errors: Errors) {
        complain(&self.name, &self.text, errors);
    }
}

fn complain(name: &str, text: &str, errors: Errors) {
    for (number, error) in errors.0.into_iter().enumerate() {
        if number > 0 {
            tell("");
        }
        tell_error(&Report::new(error).with_source_code(NamedSource::new(name, text.to_owned())));
    }
}

fn read(name: &str) -> Result<String, FileError> {
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
            return Err(FileError::NotFound { name: name.to_owned(), hint: hint(name) });
        }
        Err(cause) => return Err(FileError::Unreadable { name: name.to_owned(), cause }),
    }
    // A file that was cut may end within a letter.
    let is_cut = bytes.len() > MAX_BYTES;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) if is_cut => Ok(String::from_utf8_lossy(error.as_bytes()).into_owned()),
        Err(_) => Err(FileError::NotText { name: name.to_owned() }),
    }
}

/// What may have been meant by a name that is none.
fn hint(name: &str) -> String {
    let names: Vec<&str> = SHIPPED.iter().map(|&(name, _)| name).collect();
    let bare = Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or(name).to_lowercase();
    let list = format!("those that come along: {}", names.join(", "));
    match nearest(&bare, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`? {list}"),
        None => list,
    }
}
