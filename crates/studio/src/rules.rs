//! Rules from requests: parsed, checked, ready to run.

use windrow::wrapper::Rule;
use windrow::{Extractor, Format, Wrapper};

use crate::api::{Form, RuleText};
use crate::failure::Refused;

/// Parsed rules.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) text: String,
    pub(crate) format: Format,
    pub(crate) wrapper: Wrapper,
    pub(crate) extractor: Extractor,
}

impl Rules {
    /// Parses rules; the refusal has the errors with their positions.
    pub(crate) fn read(rules: RuleText) -> Result<Rules, Refused> {
        let format = format(rules.form)?;
        let text = rules.text;
        let read = windrow::read_wrapper(&text, format).and_then(|wrapper| {
            let extractor = Extractor::new(&wrapper)?;
            Ok((wrapper, extractor))
        });
        match read {
            Ok((wrapper, extractor)) => Ok(Rules { text, format, wrapper, extractor }),
            Err(errors) => Err(Refused::of(&errors, &text)),
        }
    }

    /// Writes a wrapper as text and parses it again, so that all positions refer to that text.
    pub(crate) fn written(wrapper: &Wrapper) -> Result<Rules, Refused> {
        let text = windrow::write_wrapper(wrapper, Format::Toml).map_err(|errors| Refused::of(&errors, ""))?;
        Rules::read(RuleText { text, form: Form::Toml })
    }

    /// Returns the rules for an answer.
    pub(crate) fn sent(&self) -> RuleText {
        RuleText { text: self.text.clone(), form: form(self.format) }
    }
}

/// Returns the wrapper that the studio was started with.
pub(crate) fn given(file: &str, text: &str) -> RuleText {
    let extension = std::path::Path::new(file).extension().and_then(|extension| extension.to_str());
    let format = extension.and_then(Format::from_extension).unwrap_or_else(|| Format::guess(text));
    RuleText { text: text.to_owned(), form: form(format) }
}

/// Returns the file format of rules in this form.
pub(crate) fn format(form: Form) -> Result<Format, Refused> {
    Ok(match form {
        Form::Toml => Format::Toml,
        Form::Json => Format::Json,
        Form::Tsimmis => Format::Tsimmis,
        Form::Wtm => Format::Wtm,
        Form::Xpath => Format::XPaths,
        Form::Absolute => {
            return Err(Refused::unfit("studio::form", "absolute paths can only be written and not read")
                .with_help("they contain only a part of the wrapper; use the wrapper that they were created from"));
        }
    })
}

/// Returns the form of a file format.
pub(crate) fn form(format: Format) -> Form {
    match format {
        Format::Json => Form::Json,
        Format::Tsimmis => Form::Tsimmis,
        Format::Wtm => Form::Wtm,
        Format::XPaths => Form::Xpath,
        _ => Form::Toml,
    }
}

/// Visits all rules in preorder, as the executor numbers them, with their paths.
pub(crate) fn walk<'w>(rules: &'w [Rule], around: &str, visit: &mut dyn FnMut(&'w Rule, String)) {
    for rule in rules {
        let path = match around {
            "" => rule.name.to_string(),
            around => format!("{around}.{}", &*rule.name),
        };
        visit(rule, path.clone());
        walk(&rule.rules, &path, visit);
    }
}
