//! The request of a `select` command line: pages, expressions, and their names.
//!
//! Pages and expressions are told apart by place, never by guessing: without `-e` the first argument is the page, with
//! `-e` all are. Guessing only words the errors, for the two orders people mix up.

use std::path::Path;

use miette::{Diagnostic, NamedSource, Report};
use windrow::xpath::EvalError;
use windrow::{Document, Expr, Value};

use crate::args::SelectArguments;
use crate::pages::is_url;

/// A command line that makes sense.
#[derive(Debug)]
pub(crate) struct Query {
    /// The page arguments.
    pub(crate) pages: Vec<String>,
    /// The expression of the records, if rows are asked for.
    pub(crate) each: Option<Column>,
    /// The columns, in the order given; their names differ.
    pub(crate) columns: Vec<Column>,
}

/// One expression and what its results are called.
#[derive(Debug)]
pub(crate) struct Column {
    /// The name given, or the expression.
    pub(crate) name: String,
    /// True if a record's cell holds all matches (`NAME[]=…`), not just the first.
    pub(crate) list: bool,
    /// The expression.
    pub(crate) expr: Expr,
}

/// A command line that makes no sense.
#[derive(Debug, thiserror::Error, Diagnostic)]
enum QueryError {
    #[error("no expression was given for `{page}`")]
    #[diagnostic(code(select::no_expression), help("{USAGE}"))]
    NoExpression { page: String },
    #[error("no page was given for the expression `{expression}`")]
    #[diagnostic(code(select::no_page), help("{USAGE}"))]
    NoPage { expression: String },
    #[error("`{expression}` stands where the page should, and `{page}` is a page")]
    #[diagnostic(code(select::swapped), help("the page comes first: windrow select {page} '{expression}'"))]
    Swapped { expression: String, page: String },
    #[error("`{page}` is a page, but only the first argument is read as one")]
    #[diagnostic(
        code(select::second_page),
        help(
            "for several pages give the expressions with -e: windrow select -e EXPRESSION PAGE...\nif it is meant as an expression, put `css:` or `xpath:` in front"
        )
    )]
    SecondPage { page: String },
    #[error("two columns are named `{name}`")]
    #[diagnostic(code(select::same_name), help("rename one of them: NAME=EXPRESSION"))]
    SameName { name: String },
    #[error("`--each` must select nodes, and `{expression}` gives a {found}")]
    #[diagnostic(code(select::no_records), help("records are elements, as a rule: --each '//li'"))]
    NoRecords { expression: String, found: &'static str },
    #[error("a column cannot be named `page`: that column says which page a row is from")]
    #[diagnostic(code(select::reserved_name), help("choose another name"))]
    ReservedName,
}

const USAGE: &str = "one page, then expressions: windrow select PAGE EXPRESSION...
or expressions with -e, then pages: windrow select -e EXPRESSION PAGE...";

impl Query {
    /// Reads the command line.
    pub(crate) fn new(arguments: &SelectArguments) -> Result<Query, Report> {
        let each = arguments.each.as_deref().map(Column::records).transpose()?;
        let (pages, expressions) = split(arguments)?;
        let mut columns: Vec<Column> = Vec::new();
        for expression in expressions {
            let column = Column::named(expression)?;
            if columns.iter().any(|other| other.name == column.name) {
                return Err(QueryError::SameName { name: column.name }.into());
            }
            if column.name == "page" {
                return Err(QueryError::ReservedName.into());
            }
            columns.push(column);
        }
        if columns.is_empty() {
            columns.push(Column::named("record=.")?);
        }
        Ok(Query { pages: pages.to_vec(), each, columns })
    }

    /// Columns that look at the whole page from every record: rarely what was meant.
    pub(crate) fn hints(&self) -> Vec<String> {
        let Some(each) = &self.each else { return Vec::new() };
        if each.expr.source().trim() == "/" {
            return Vec::new();
        }
        let absolute = self.columns.iter().map(|column| column.expr.source().trim()).filter(|it| it.starts_with('/'));
        absolute
            .map(|it| format!("hint: `{it}` starts from the page, so it is the same in every row; write `.{it}` to start from the record"))
            .collect()
    }
}

/// The page arguments and the expression arguments.
fn split(arguments: &SelectArguments) -> Result<(&[String], &[String]), QueryError> {
    if !arguments.expressions.is_empty() {
        return Ok((&arguments.arguments, &arguments.expressions));
    }
    let [page, expressions @ ..] = arguments.arguments.as_slice() else { unreachable!("clap requires an argument") };
    if !is_page(page) && !Path::new(page).exists() {
        if let Some(other) = expressions.iter().find(|expression| is_page(expression)) {
            return Err(QueryError::Swapped { expression: page.clone(), page: other.clone() });
        }
        if looks_like_expression(page) {
            return Err(QueryError::NoPage { expression: page.clone() });
        }
    }
    if let Some(other) = expressions.iter().find(|expression| is_page(expression)) {
        return Err(QueryError::SecondPage { page: other.clone() });
    }
    if expressions.is_empty() && arguments.each.is_none() {
        return Err(QueryError::NoExpression { page: page.clone() });
    }
    Ok((std::slice::from_ref(page), expressions))
}

/// Returns `true` if an argument can only be meant as a page. A directory is not enough: `main` is an element, too.
fn is_page(argument: &str) -> bool {
    argument == "-" || is_url(argument) || Path::new(argument).is_file()
}

/// Returns `true` if an argument has what expressions have and names of pages do not.
fn looks_like_expression(argument: &str) -> bool {
    let signs = argument.starts_with("//")
        || argument.starts_with(['#', '.', '@']) && !argument.contains('/')
        || argument.contains(['[', '(', '>', '|', '$', ' '])
        || ["::", "/@"].iter().any(|part| argument.contains(part));
    signs && !argument.contains(".htm")
}

impl Column {
    /// `NAME=EXPRESSION`, `NAME[]=EXPRESSION` or an expression that is its own name.
    fn named(argument: &str) -> Result<Column, Report> {
        let Some((name, list, at)) = name(argument) else { return Column::new(argument, argument, 0) };
        Ok(Column { list, ..Column::new(argument, name, at)? })
    }

    /// The expression that begins at byte `at` of the argument.
    fn new(argument: &str, name: &str, at: usize) -> Result<Column, Report> {
        let expr = Expr::parse(&argument[at..]).map_err(|error| {
            let source = NamedSource::new("expression", argument.to_owned());
            Report::new(error.shifted(at)).with_source_code(source)
        })?;
        let column = Column { name: name.to_owned(), list: false, expr };
        // What is wrong on every page is wrong on an empty one: say it once, before any page is read.
        let empty = Document::parse("");
        column.expr.evaluate(&empty, empty.root()).map_err(|error| column.complain(error))?;
        Ok(column)
    }

    /// The expression of `--each`.
    fn records(argument: &str) -> Result<Column, Report> {
        let column = Column::new(argument, "--each", 0)?;
        let empty = Document::parse("");
        match column.expr.evaluate(&empty, empty.root()).map_err(|error| column.complain(error))? {
            Value::Nodes(_) => Ok(column),
            value => Err(QueryError::NoRecords { expression: argument.to_owned(), found: value.type_name() }.into()),
        }
    }

    /// An error of evaluation, pointing into the expression.
    pub(crate) fn complain(&self, error: EvalError) -> Report {
        let source = NamedSource::new("expression", self.expr.source().to_owned());
        Report::new(error).with_source_code(source)
    }
}

/// The name in front of an expression, whether it is a list's, and where the expression begins.
///
/// `a = b` is an XPath comparison, `a=b` a named expression: the name must touch its `=`.
fn name(argument: &str) -> Option<(&str, bool, usize)> {
    let (before, _) = argument.split_once('=')?;
    let (name, list) = before.strip_suffix("[]").map_or((before, false), |name| (name, true));
    let mut characters = name.chars();
    let first = characters.next()?;
    let valid = (first.is_alphabetic() || first == '_')
        && characters.all(|character| character.is_alphanumeric() || matches!(character, '_' | '-' | '.'));
    valid.then_some((name, list, before.len() + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_touch_their_equals_sign() {
        assert_eq!(name("title=//h1"), Some(("title", false, 6)));
        assert_eq!(name("tags[]=.//li"), Some(("tags", true, 7)));
        assert_eq!(name("größe=td"), Some(("größe", false, 8)));
        for unnamed in ["//h1", "a = b", "//a[@href='x']", "(a=b)", "=x", "a!=b", "@class='x'", "1=1"] {
            assert_eq!(name(unnamed), None, "{unnamed}");
        }
    }

    #[test]
    fn expressions_look_like_expressions() {
        for expression in ["//h1", ".ad", "#results", "li > a", "tr[td]", "count(//a)", "/html/body/@class", "ul li"] {
            assert!(looks_like_expression(expression), "{expression}");
        }
        for page in ["page.html", "pages/page.html", "../page.html", "/tmp/page", "my page (1).html", "page"] {
            assert!(!looks_like_expression(page), "{page}");
        }
    }
}
