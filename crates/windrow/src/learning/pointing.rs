//! `FIELD=VALUE`: what the command line points at.
//!
//! A value that begins with `@` is an XPath if it looks like one, or `@NAME of FIELD`; all else is text, also a text that
//! happens to begin with `@`. What is wrong is shown where it stands in the argument.

use std::ops::Range;

use crate::Expr;
use crate::learn::example::Pointer;
use miette::{Diagnostic, NamedSource, Report, SourceSpan};

/// An argument that points at something.
#[derive(Debug, Clone)]
pub struct PointingArgument {
    /// `--example`, `--not` or `--node`.
    option: &'static str,
    /// As given.
    text: String,
    /// The field, if one is named.
    pub field: Option<String>,
    /// The target.
    pub at: Pointer,
    /// Range of the value in the text.
    value: Range<usize>,
}

/// An argument that points at nothing.
#[derive(Debug, thiserror::Error, Diagnostic)]
enum PointingError {
    #[error("`{option} {text}` does not say which field it shows")]
    #[diagnostic(code(learn::no_field), help("write FIELD=VALUE, for instance {option} 'title={text}'"))]
    NoField { option: &'static str, text: String },
    #[error("`{name}` cannot be the name of a field")]
    #[diagnostic(
        code(learn::wrong_name),
        help("a name begins with a letter; letters, digits, `_` and `-` follow: {option} '{better}={value}'")
    )]
    WrongName {
        option: &'static str,
        name: String,
        better: String,
        value: String,
        #[source_code]
        argument: NamedSource<String>,
        #[label("not a name")]
        span: SourceSpan,
    },
    #[error("the value of `{field}` is empty")]
    #[diagnostic(code(learn::empty_value), help("give the text that the page shows, a part of it, or @XPATH"))]
    EmptyValue {
        field: String,
        #[source_code]
        argument: NamedSource<String>,
        #[label("nothing here")]
        span: SourceSpan,
    },
}

impl PointingArgument {
    /// Reads `FIELD=VALUE`.
    pub fn example(text: &str) -> Result<PointingArgument, Report> {
        let option = "--example";
        let Some((name, value)) = text.split_once('=') else {
            return Err(PointingError::NoField { option, text: text.to_owned() }.into());
        };
        if !is_field(name.trim()) {
            return Err(PointingError::WrongName {
                option,
                name: name.to_owned(),
                better: better_name(name),
                value: value.to_owned(),
                argument: NamedSource::new(option, text.to_owned()),
                span: (0..name.len()).into(),
            }
            .into());
        }
        PointingArgument::new(option, text, Some(name.trim()), name.len() + 1)
    }

    /// Reads `FIELD=VALUE` or `VALUE`. Only names of fields that are shown are taken for such: a text may have a `=`, too.
    pub fn not(text: &str, shown: &[PointingArgument]) -> Result<PointingArgument, Report> {
        let option = "--not";
        if let Some((name, _)) = text.split_once('=') {
            let is_shown = |argument: &PointingArgument| argument.field.as_deref() == Some(name.trim());
            if shown.iter().any(is_shown) {
                return PointingArgument::new(option, text, Some(name.trim()), name.len() + 1);
            }
        }
        PointingArgument::new(option, text, None, 0)
    }

    /// Reads the XPath of a record.
    pub fn record(text: &str) -> Result<PointingArgument, Report> {
        let option = "--node";
        match Expr::xpath(text) {
            Ok(_) => {
                let at = Pointer::XPath(text.to_owned());
                Ok(PointingArgument { option, text: text.to_owned(), field: None, at, value: 0..text.len() })
            }
            Err(error) => Err(Report::new(error).with_source_code(NamedSource::new(option, text.to_owned()))),
        }
    }

    fn new(option: &'static str, text: &str, field: Option<&str>, start: usize) -> Result<PointingArgument, Report> {
        let value = &text[start..];
        if value.trim().is_empty() {
            return Err(PointingError::EmptyValue {
                field: field.unwrap_or(option).to_owned(),
                argument: NamedSource::new(option, text.to_owned()),
                span: (start..text.len()).into(),
            }
            .into());
        }
        let at = pointer(value).map_err(|(error, by)| {
            let source = NamedSource::new(option, text.to_owned());
            Report::new(error.shifted(start + by)).with_source_code(source)
        })?;
        Ok(PointingArgument {
            option,
            text: text.to_owned(),
            field: field.map(str::to_owned),
            at,
            value: start..text.len(),
        })
    }

    /// The argument as a source to point into.
    pub fn source(&self) -> NamedSource<String> {
        NamedSource::new(self.option, self.text.clone())
    }

    /// Returns the range of the value.
    pub fn span(&self) -> SourceSpan {
        self.value.clone().into()
    }

    /// As given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The option it was given with.
    pub fn option(&self) -> &'static str {
        self.option
    }

    /// Returns `true` if it shows what must not come out.
    pub fn is_not(&self) -> bool {
        self.option == "--not"
    }
}

/// Reads a pointer; the error is that of a wrong XPath, with its offset.
fn pointer(value: &str) -> Result<Pointer, (crate::ParseError, usize)> {
    let leading = value.len() - value.trim_start().len();
    let Some(rest) = value.trim().strip_prefix('@') else { return Ok(Pointer::Text(value.to_owned())) };
    if let Some((name, of)) = attribute(rest) {
        return Ok(Pointer::Attribute { name: name.to_owned(), of: of.to_owned() });
    }
    if !looks_like_xpath(rest) {
        return Ok(Pointer::Text(value.to_owned()));
    }
    match Expr::xpath(rest) {
        Ok(_) => Ok(Pointer::XPath(rest.to_owned())),
        Err(error) => Err((error, leading + 1)),
    }
}

/// `href of title`.
fn attribute(rest: &str) -> Option<(&str, &str)> {
    let (name, of) = rest.split_once(" of ")?;
    let (name, of) = (name.trim(), of.trim());
    let is_attribute = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ':'));
    (is_attribute && is_field(of)).then_some((name, of))
}

/// Returns `true` if this is meant as an XPath rather than as a text that begins with `@`, such as the name of an account.
fn looks_like_xpath(rest: &str) -> bool {
    ["/", "(", "./", ".//", "id("].iter().any(|start| rest.starts_with(start)) || rest.contains("::")
}

/// Returns `true` if this names a field: `title`, `comments.author` in a list `comments` of each record, or `tags[]`, each of several.
fn is_field(name: &str) -> bool {
    name.strip_suffix("[]").unwrap_or(name).split('.').all(is_name)
}

/// Returns `true` if a field may be called so: what needs no quotes in a wrapper, and is no temporary.
fn is_name(name: &str) -> bool {
    name.starts_with(char::is_alphabetic) && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
}

/// A name that is allowed and much like this one.
fn better_name(name: &str) -> String {
    let mut better = String::new();
    for character in name.trim().chars() {
        match character {
            _ if character.is_alphanumeric() => better.push(character),
            _ if better.is_empty() || better.ends_with('_') => {}
            _ => better.push('_'),
        }
    }
    let better = better.trim_matches('_').trim_start_matches(|c: char| !c.is_alphabetic());
    if better.is_empty() { "field".to_owned() } else { better.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(value: &str) -> Pointer {
        PointingArgument::example(&format!("field={value}")).unwrap().at
    }

    #[test]
    fn values_point_by_text_xpath_or_attribute() {
        let text = |value: &str| Pointer::Text(value.to_owned());
        let xpath = |value: &str| Pointer::XPath(value.to_owned());
        assert_eq!(at("Old hay wagon"), text("Old hay wagon"));
        assert_eq!(at("a=b"), text("a=b"));
        assert_eq!(at("@//h2[1]"), xpath("//h2[1]"));
        assert_eq!(at("@/html[1]/body[1]"), xpath("/html[1]/body[1]"));
        assert_eq!(at("@(//h2)[2]"), xpath("(//h2)[2]"));
        assert_eq!(at(" @descendant::h2 "), xpath("descendant::h2"));
        assert_eq!(at("@href of title"), Pointer::Attribute { name: "href".to_owned(), of: "title".to_owned() });
        assert_eq!(at("@data-id of größe"), Pointer::Attribute { name: "data-id".to_owned(), of: "größe".to_owned() });
        assert_eq!(at("@home"), text("@home"));
        assert_eq!(at("@home of the brave, and more"), text("@home of the brave, and more"));
        assert_eq!(at("@"), text("@"));
    }

    #[test]
    fn only_fields_that_are_shown_are_fields_of_a_counterexample() {
        let shown = [PointingArgument::example("title=Rake").unwrap()];
        let not = |text| PointingArgument::not(text, &shown).unwrap();
        assert_eq!(
            (not("title=x").field.as_deref(), not("title=x").at),
            (Some("title"), Pointer::Text("x".to_owned()))
        );
        assert_eq!((not("e=mc").field, not("e=mc").at), (None, Pointer::Text("e=mc".to_owned())));
    }

    #[test]
    fn names_are_words() {
        for name in ["title", "a1", "first_cut", "größe", "e-mail"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "1a", "_x", "a b", "a.b"] {
            assert!(!is_name(name), "{name}");
        }
        for field in ["title", "comments.author", "tags[]", "comments.tags[]"] {
            assert!(is_field(field), "{field}");
        }
        for field in ["", ".a", "a.", "[]", "a[]b", "a[].b", "a._b"] {
            assert!(!is_field(field), "{field}");
        }
        assert_eq!(better_name("first cut"), "first_cut");
        assert_eq!(better_name("_x "), "x");
        assert_eq!(better_name("1. cut"), "cut");
        assert_eq!(better_name("??"), "field");
    }
}
