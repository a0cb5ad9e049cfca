//! What an expression found on a page, as cells ready to print.

use std::borrow::Cow;

use serde_json::{Value as Json, json};
use windrow::{Document, Node, NodeKind, Span, Value, path_of};

use crate::args::SelectArguments;
use windrow::text::collapse;

/// What to print of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Its visible text.
    Text,
    /// Its visible text on one line, everything else as text too.
    Raw,
    /// Its HTML.
    Html,
    /// The HTML inside it.
    InnerHtml,
}

/// What to print of every node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Show {
    /// The value.
    pub(crate) form: Form,
    /// Also its path.
    pub(crate) path: bool,
    /// Also its span.
    pub(crate) span: bool,
}

impl Show {
    /// What the command line asks for.
    pub(crate) fn new(arguments: &SelectArguments) -> Show {
        let form = match arguments {
            SelectArguments { html: true, .. } => Form::Html,
            SelectArguments { inner_html: true, .. } => Form::InnerHtml,
            SelectArguments { raw: true, .. } => Form::Raw,
            _ => Form::Text,
        };
        Show { form, path: arguments.path, span: arguments.span }
    }

    /// The names of the columns that one expression fills.
    pub(crate) fn columns(self, name: &str) -> impl Iterator<Item = String> {
        let path = self.path.then(|| format!("{name}.path"));
        let span = self.span.then(|| format!("{name}.span"));
        std::iter::once(name.to_owned()).chain(path).chain(span)
    }
}

/// What a value is, beside its text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Text,
    Number(f64),
    Boolean(bool),
}

/// One match: a node's value and place, or a value without a place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cell {
    /// The value as text.
    pub(crate) text: String,
    pub(crate) kind: Kind,
    pub(crate) path: Option<String>,
    pub(crate) span: Option<Span>,
}

/// What one expression found: any number of nodes, or one value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Found {
    Nodes(Vec<Cell>),
    Value(Cell),
}

impl Found {
    /// The cells of a value, of at most `limit` nodes.
    pub(crate) fn new(document: &Document, value: Value, show: Show, limit: usize) -> Found {
        if let Value::Nodes(nodes) = value {
            return Found::Nodes(nodes.iter().take(limit).map(|&node| Cell::of_node(document, node, show)).collect());
        }
        let text = value.to_text(document).into_owned();
        let (text, kind) = match value {
            _ if show.form == Form::Raw => (collapse(&text), Kind::Text),
            Value::Number(number) => (text, Kind::Number(number)),
            Value::Boolean(boolean) => (text, Kind::Boolean(boolean)),
            _ => (text, Kind::Text),
        };
        Found::Value(Cell { text, kind, path: None, span: None })
    }

    /// The cells.
    pub(crate) fn cells(&self) -> &[Cell] {
        match self {
            Found::Nodes(cells) => cells,
            Found::Value(cell) => std::slice::from_ref(cell),
        }
    }
}

impl Cell {
    fn of_node(document: &Document, node: Node, show: Show) -> Cell {
        Cell {
            text: text_of(document, node, show.form).into_owned(),
            kind: Kind::Text,
            path: show.path.then(|| path_of(document, node)),
            span: if show.span { span_of(document, node) } else { None },
        }
    }

    /// The span as text, empty if there is none.
    pub(crate) fn span_text(&self) -> String {
        self.span.map(|span| format!("{}..{}", span.start, span.end)).unwrap_or_default()
    }

    /// The cell as JSON: its value, or an object if places are shown too.
    pub(crate) fn json(&self, show: Show) -> Json {
        let value = match self.kind {
            Kind::Boolean(boolean) => json!(boolean),
            // Counts are integers; JSON has no NaN and no infinity, which stay as XPath writes them.
            Kind::Number(number) if number.fract() == 0.0 && number.abs() < 9e15 => json!(number as i64),
            Kind::Number(number) if number.is_finite() => json!(number),
            Kind::Number(_) | Kind::Text => json!(self.text),
        };
        if !show.path && !show.span {
            return value;
        }
        let mut object = serde_json::Map::new();
        object.insert("value".to_owned(), value);
        if show.path {
            object.insert("path".to_owned(), json!(self.path));
        }
        if show.span {
            object.insert("span".to_owned(), json!(self.span.map(|span| [span.start, span.end])));
        }
        object.into()
    }
}

fn text_of(document: &Document, node: Node, form: Form) -> Cow<'_, str> {
    let id = node.id();
    let in_tree = !node.is_attribute() && document.kind(id) != NodeKind::Comment;
    match form {
        Form::Html if !node.is_attribute() => document.outer_html(id).into(),
        Form::InnerHtml if in_tree => document.inner_html(id).into(),
        Form::Text if in_tree => document.visible_text(id).into(),
        Form::Raw if in_tree => collapse(&document.visible_text(id)).into(),
        Form::Raw => collapse(&node.string_value(document)).into(),
        Form::Text | Form::Html | Form::InnerHtml => node.string_value(document),
    }
}

fn span_of(document: &Document, node: Node) -> Option<Span> {
    match node.attr(document) {
        Some(attribute) => Some(attribute.span()),
        None => document.span(node.id()),
    }
}
