//! Matches of an expression on a page, as cells ready to print.

use std::borrow::Cow;

use crate::{Document, Node, NodeKind, Span, Value, path_of};
use serde_json::{Value as Json, json};

use crate::text::collapse;

/// The form in which a node's value is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueForm {
    /// Its visible text.
    Text,
    /// Its visible text on one line, everything else as text too.
    Raw,
    /// Its HTML.
    Html,
    /// The HTML inside it.
    InnerHtml,
}

/// The parts that are printed of every match.
#[derive(Debug, Clone, Copy)]
pub struct MatchParts {
    /// The value.
    pub form: ValueForm,
    /// Also its path.
    pub path: bool,
    /// Also its span.
    pub span: bool,
}

impl MatchParts {
    /// The names of the columns that one expression fills.
    pub fn columns(self, name: &str) -> impl Iterator<Item = String> {
        let path = self.path.then(|| format!("{name}.path"));
        let span = self.span.then(|| format!("{name}.span"));
        std::iter::once(name.to_owned()).chain(path).chain(span)
    }
}

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CellKind {
    /// A text.
    Text,
    /// A number.
    Number(f64),
    /// A boolean.
    Boolean(bool),
}

/// One match: a node's value and place, or a value without a place.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchCell {
    /// The value as text.
    pub text: String,
    /// Type of the value.
    pub kind: CellKind,
    /// Path of the node, if it is wanted.
    pub path: Option<String>,
    /// Range of the node in the source, if it is wanted.
    pub span: Option<Span>,
}

/// The matches of one expression: any number of nodes, or one value.
#[derive(Debug, Clone, PartialEq)]
pub enum Matches {
    /// Nodes.
    Nodes(Vec<MatchCell>),
    /// One value.
    Value(MatchCell),
}

impl Matches {
    /// The cells of a value, of at most `limit` nodes.
    pub fn new(document: &Document, value: Value, show: MatchParts, limit: usize) -> Matches {
        if let Value::Nodes(nodes) = value {
            return Matches::Nodes(
                nodes.iter().take(limit).map(|&node| MatchCell::of_node(document, node, show)).collect(),
            );
        }
        let text = value.to_text(document).into_owned();
        let (text, kind) = match value {
            _ if show.form == ValueForm::Raw => (collapse(&text), CellKind::Text),
            Value::Number(number) => (text, CellKind::Number(number)),
            Value::Boolean(boolean) => (text, CellKind::Boolean(boolean)),
            _ => (text, CellKind::Text),
        };
        Matches::Value(MatchCell { text, kind, path: None, span: None })
    }

    /// The cells.
    pub fn cells(&self) -> &[MatchCell] {
        match self {
            Matches::Nodes(cells) => cells,
            Matches::Value(cell) => std::slice::from_ref(cell),
        }
    }
}

impl MatchCell {
    fn of_node(document: &Document, node: Node, show: MatchParts) -> MatchCell {
        MatchCell {
            text: text_of(document, node, show.form).into_owned(),
            kind: CellKind::Text,
            path: show.path.then(|| path_of(document, node)),
            span: if show.span { span_of(document, node) } else { None },
        }
    }

    /// The span as text, empty if there is none.
    pub fn span_text(&self) -> String {
        self.span.map(|span| format!("{}..{}", span.start, span.end)).unwrap_or_default()
    }

    /// The cell as JSON: its value, or an object if places are shown too.
    pub fn json(&self, show: MatchParts) -> Json {
        let value = match self.kind {
            CellKind::Boolean(boolean) => json!(boolean),
            // Counts are integers; JSON has no NaN and no infinity, which stay as XPath writes them.
            CellKind::Number(number) if number.fract() == 0.0 && number.abs() < 9e15 => json!(number as i64),
            CellKind::Number(number) if number.is_finite() => json!(number),
            CellKind::Number(_) | CellKind::Text => json!(self.text),
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

fn text_of(document: &Document, node: Node, form: ValueForm) -> Cow<'_, str> {
    let id = node.id();
    let in_tree = !node.is_attribute() && document.kind(id) != NodeKind::Comment;
    match form {
        ValueForm::Html if !node.is_attribute() => document.outer_html(id).into(),
        ValueForm::InnerHtml if in_tree => document.inner_html(id).into(),
        ValueForm::Text if in_tree => document.visible_text(id).into(),
        ValueForm::Raw if in_tree => collapse(&document.visible_text(id)).into(),
        ValueForm::Raw => collapse(&node.string_value(document)).into(),
        ValueForm::Text | ValueForm::Html | ValueForm::InnerHtml => node.string_value(document),
    }
}

fn span_of(document: &Document, node: Node) -> Option<Span> {
    match node.attr(document) {
        Some(attribute) => Some(attribute.span()),
        None => document.span(node.id()),
    }
}
