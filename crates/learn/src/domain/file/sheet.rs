//! A sheet: what one file says, before it is laid over what it extends.
//!
//! A key that was not said is told apart from one that was, so that an extending file replaces only what it names.

use windrow_wrapper::values::Type;
use windrow_xpath::Span;

use super::super::{DATA_RICH, Domain, LIST, Role, Thresholds};

/// A text and where it stands.
#[derive(Debug, Clone, Default)]
pub(super) struct Text {
    pub(super) value: String,
    pub(super) span: Span,
}

/// A file.
#[derive(Debug, Clone, Default)]
pub(super) struct Sheet {
    pub(super) name: Option<String>,
    pub(super) description: Option<String>,
    pub(super) things: Vec<Text>,
    pub(super) extends: Vec<Text>,
    pub(super) drop: Vec<Text>,
    pub(super) data_rich: Option<f64>,
    pub(super) list: Option<f64>,
    pub(super) parts: Vec<Part>,
}

/// A role.
#[derive(Debug, Clone, Default)]
pub(super) struct Part {
    pub(super) name: Text,
    /// Whether the file itself speaks of it, not only what it extends.
    pub(super) own: bool,
    /// Whether something is wrong with it, so that nothing more can be said about what it lacks.
    pub(super) faulty: bool,
    pub(super) description: Option<String>,
    pub(super) keywords: Vec<Text>,
    pub(super) value: Option<String>,
    pub(super) phrases: Option<Vec<String>>,
    pub(super) ty: Option<Type>,
    pub(super) many: Option<bool>,
    pub(super) title: Option<bool>,
    pub(super) schema: Option<Vec<String>>,
    /// The roles inside it.
    pub(super) parts: Vec<Part>,
}

impl Sheet {
    /// The domain that it describes, once everything is laid over everything.
    pub(super) fn domain(self) -> Domain {
        let mut roles = Vec::new();
        flatten(self.parts, None, &mut roles);
        Domain {
            name: self.name.unwrap_or_default(),
            description: self.description.unwrap_or_default(),
            things: self.things.into_iter().map(|thing| thing.value).collect(),
            roles,
            thresholds: Thresholds { data_rich: self.data_rich.unwrap_or(DATA_RICH), list: self.list.unwrap_or(LIST) },
        }
    }
}

impl Part {
    /// Whether anything on a page can tell it.
    pub(super) fn can_be_found(&self) -> bool {
        !self.keywords.is_empty()
            || self.title == Some(true)
            || [&self.schema, &self.phrases].into_iter().flatten().any(|texts| !texts.is_empty())
    }
}

/// Depth is bounded by the reader, see [`MAX_DEPTH`](super::MAX_DEPTH).
fn flatten(parts: Vec<Part>, within: Option<usize>, roles: &mut Vec<Role>) {
    for part in parts {
        let number = roles.len();
        roles.push(Role {
            name: part.name.value,
            description: part.description.unwrap_or_default(),
            keywords: part.keywords.into_iter().map(|keyword| keyword.value).collect(),
            value: part.value.filter(|pattern| !pattern.is_empty()),
            phrases: part.phrases.unwrap_or_default(),
            ty: part.ty.unwrap_or_default(),
            many: part.many,
            title: part.title.unwrap_or_default(),
            schema: part.schema.unwrap_or_default(),
            within,
        });
        flatten(part.parts, Some(number), roles);
    }
}
