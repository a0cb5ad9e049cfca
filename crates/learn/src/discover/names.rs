//! Names for fields: from table headers, labels, microdata, class names, or what the field is; readable and unique.

use std::collections::HashSet;

use windrow_dom::{Document, NodeId, names};
use windrow_wrapper::values::Type;

use super::columns::Cell;
use crate::alignment::Part;
use crate::class_words;
use crate::page_view::PageView;
use crate::scope::Scope;

/// Gives names within one scope.
pub(crate) struct Namer<'d> {
    document: &'d Document,
    used: HashSet<String>,
    /// A text that stood the same in front of the next field in every record.
    label: Option<String>,
}

/// Characters that a name may have.
const LONGEST: usize = 32;
/// Words that a name from a class may have.
const MOST_WORDS: usize = 3;
/// Attributes in which pages say what a value is: headers repeated for narrow screens, and marks for tests.
const NAMING: &[&str] = &["data-label", "data-th", "data-title", "data-field", "data-testid", "data-test", "data-qa"];

impl<'d> Namer<'d> {
    pub(crate) fn new(document: &'d Document) -> Namer<'d> {
        Namer { document, used: HashSet::new(), label: None }
    }

    /// A constant text that may be the label of what follows.
    pub(crate) fn label(&mut self, values: &[Option<String>]) {
        let text = values.iter().flatten().next().map_or("", String::as_str);
        self.label = (text.chars().count() <= 40 && !text.contains('\n')).then(|| slug(text)).flatten();
    }

    /// A name for a column.
    pub(crate) fn name(&mut self, view: &PageView<'_>, scopes: &[Scope], cell: &Cell<'_>, ty: Type) -> String {
        let own = match &cell.part {
            Part::Labelled(label) | Part::Behind(label, _) | Part::Before(label) => slug(label),
            _ => cell.label.as_deref().or(cell.told.as_deref()).and_then(slug),
        };
        let label = self.label.take();
        let mut filled = cell.nodes.iter().zip(scopes).filter_map(|(node, scope)| Some(((*node)?, scope.record.first)));
        let Some((example, record)) = filled.next() else { return self.unique("field") };
        // What the record itself is called does not name what is in it.
        let around = |node: NodeId, record: NodeId| -> Vec<NodeId> {
            let above = self.document.ancestors(node).take_while(|&id| id > record).take(2);
            std::iter::once(node).chain(above).collect()
        };
        let near = around(example, record);
        let property = near.iter().find_map(|&id| self.document.attr(id, "itemprop")).and_then(slug);
        // A class that the others have, too: not one that only the first of a list has.
        let others = filled.next_back().map_or(near.clone(), |(other, record)| around(other, record));
        let class = || {
            near.iter().zip(&others).find_map(|(&id, &other)| {
                let shared = view.class_words(other);
                let words = view.class_words(id).into_iter().filter(|word| shared.contains(word));
                words.into_iter().find_map(|word| class_name(self.document, Some(record), word))
            })
        };
        // What the page says of the values in all records, not of one.
        let marked = || {
            near.iter().zip(&others).find_map(|(&id, &other)| {
                let marks = NAMING.iter().filter_map(|name| Some((*name, self.document.attr(id, name)?)));
                let shared = marks.filter(|(name, mark)| self.document.attr(other, name) == Some(mark));
                let named = |mark: &str| class_name(self.document, Some(record), mark);
                shared.into_iter().find_map(|(name, mark)| {
                    if name.starts_with("data-t") && name.len() > 8 { named(mark) } else { slug(mark) }
                })
            })
        };
        let header = self.header(example);
        let name = own
            .or(header)
            .or(label)
            .or(property)
            .or_else(marked)
            .or_else(class)
            .unwrap_or_else(|| self.kind(example, ty).to_owned());
        self.unique(&name)
    }

    /// What the header row of its table calls the column of a cell.
    fn header(&self, node: NodeId) -> Option<String> {
        let document = self.document;
        let is = |id: NodeId, name| document.name_id(id) == Some(name);
        let cell = std::iter::once(node).chain(document.ancestors(node)).find(|&id| is(id, names::TD))?;
        let row = document.parent(cell)?;
        let cells = |row: NodeId| document.children(row).filter(|&cell| is(cell, names::TD) || is(cell, names::TH));
        let number = cells(row).position(|other| other == cell)?;
        let table = document.ancestors(row).find(|&id| is(id, names::TABLE))?;
        // Headers stand at the top; a table of a thousand rows need not be searched for them.
        let rows = document.descendants(table).filter(|&id| is(id, names::TR)).take(4);
        let head = rows.take_while(|&other| other != row).find(|&row| {
            let mut any = false;
            cells(row).all(|cell| {
                any = true;
                is(cell, names::TH)
            }) && any
        })?;
        let title = cells(head).nth(number)?;
        slug(&document.visible_text(title))
    }

    /// A name for a list, of which these are two nodes, each with the record it is in.
    pub(crate) fn list(&mut self, members: [(NodeId, Scope); 2]) -> String {
        let document = self.document;
        let [(one, record), (two, other_record)] = members;
        let words = |id: NodeId| document.attr_by_id(id, names::CLASS).unwrap_or_default().split_ascii_whitespace();
        let shared = |one: NodeId, two: NodeId| {
            words(one)
                .filter(|word| words(two).any(|other| other == *word))
                .find_map(|word| class_name(document, Some(record.record.first), word))
        };
        // What holds the members, without the record: its class does not name what is in it.
        let above = |id: NodeId, scope: Scope| {
            document.ancestors(id).take_while(move |&id| scope.contains(id) && (scope.run || id != scope.record.first))
        };
        let holders: Vec<(NodeId, NodeId)> = above(one, record).zip(above(two, other_record)).take(2).collect();
        let label = std::iter::once((one, two)).chain(holders.iter().copied()).find_map(|(one, two)| {
            let label = self.label_before(one)?;
            (self.label_before(two).as_ref() == Some(&label)).then_some(label)
        });
        let class = || shared(one, two).or_else(|| holders.iter().find_map(|&(one, two)| shared(one, two)));
        let name = label.or_else(class).unwrap_or_else(|| "items".to_owned());
        self.unique(&name)
    }

    /// The label that stands right in front of a node: a short text with a colon.
    fn label_before(&self, node: NodeId) -> Option<String> {
        let document = self.document;
        let before = std::iter::successors(document.prev_sibling(node), |&id| document.prev_sibling(id)).take(3);
        let said = |id: NodeId| match document.is_text(id) {
            true => document.text(id).to_owned(),
            false => document.visible_text(id),
        };
        let text = before.map(said).find(|text| !text.trim().is_empty())?;
        let text = text.trim();
        (text.ends_with([':', '：']) && text.chars().count() <= 40 && !text.contains('\n'))
            .then(|| slug(text))
            .flatten()
    }

    fn kind(&self, node: NodeId, ty: Type) -> &'static str {
        let mut near = std::iter::once(node).chain(self.document.ancestors(node)).take(3);
        near.find_map(|id| match self.document.name(id)? {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => Some("title"),
            "time" => Some("date"),
            "img" => Some("image"),
            "a" => Some("name"),
            "td" => Some("cell"),
            _ => None,
        })
        .unwrap_or(match ty {
            Type::Date => "date",
            Type::Money => "amount",
            Type::Number => "number",
            _ => "text",
        })
    }

    /// A name for an attribute in or around a column: what `data-` says it is, or what it is of the column.
    pub(crate) fn attribute(&mut self, attribute: &str, column: &str) -> String {
        let own = attribute.strip_prefix("data-").and_then(slug).filter(|own| !self.is_used(own));
        let of_column = || format!("{column}_{}", slug(attribute).unwrap_or_default());
        let name = own.unwrap_or_else(of_column);
        self.unique(&name)
    }

    /// Whether a name is taken.
    pub(crate) fn is_used(&self, name: &str) -> bool {
        self.used.contains(name)
    }

    /// The name, or with a number behind if it is taken.
    pub(crate) fn unique(&mut self, name: &str) -> String {
        if self.used.insert(name.to_owned()) {
            return name.to_owned();
        }
        let mut number = 2;
        loop {
            let numbered = format!("{name}_{number}");
            if self.used.insert(numbered.clone()) {
                return numbered;
            }
            number += 1;
        }
    }
}

/// A name for a field that a person points at, from what is around it: the header of its column, the label in front of
/// it, microdata, a class, or what it is.
pub fn suggest(document: &Document, node: NodeId, ty: Type) -> String {
    let namer = Namer::new(document);
    let near: Vec<NodeId> = std::iter::once(node).chain(document.ancestors(node)).take(3).collect();
    let classes = |&id: &NodeId| {
        let class = document.attr_by_id(id, names::CLASS).unwrap_or_default();
        class.split_ascii_whitespace().find_map(|word| class_name(document, None, word))
    };
    let property = || near.iter().find_map(|&id| document.attr(id, "itemprop")).and_then(slug);
    let label = || near.iter().take(2).find_map(|&id| namer.label_before(id));
    let class = || near.iter().take(2).find_map(classes);
    namer
        .header(node)
        .or_else(label)
        .or_else(property)
        .or_else(class)
        .unwrap_or_else(|| namer.kind(node, ty).to_owned())
}

/// Returns the name that a class word gives a field of this record; none if it only says how or where something is shown.
///
/// Words that the record has too are left out, since they name the record: `product-price` in a `product-card` is a `price`.
fn class_name(document: &Document, record: Option<NodeId>, class: &str) -> Option<String> {
    let mut words = class_words::meaningful(class);
    if let Some(record) = record {
        let of_record = document.attr_by_id(record, names::CLASS).unwrap_or_default();
        let of_record: Vec<String> = of_record.split_ascii_whitespace().flat_map(class_words::meaningful).collect();
        let own = words.iter().take_while(|word| of_record.contains(word)).count();
        if own < words.len() {
            words.drain(..own);
        }
    }
    // `title-link` is the title; the link has a column of its own. Of many words the last say most.
    let from = words.len().saturating_sub(MOST_WORDS);
    slug(&words[from..].join("_"))
}

/// A text as a name: letters and digits, lower case, the rest as `_`.
fn slug(text: &str) -> Option<String> {
    let mut name = String::new();
    for c in text.trim().chars() {
        if c.is_alphanumeric() {
            name.extend(c.to_lowercase());
        } else if !name.is_empty() && !name.ends_with('_') {
            name.push('_');
        }
        if name.chars().count() >= LONGEST {
            break;
        }
    }
    let name = name.trim_matches('_');
    name.starts_with(char::is_alphabetic).then(|| name.to_owned())
}
