//! The shape of a wrapper's objects before any page is seen: the labels, in order, and which of them are lists.
//!
//! Outputs that promise the same columns or keys for every page are built from it: a value that a page lacks is then
//! empty rather than absent. Computed in one pass over the rules.

use std::collections::HashMap;

use crate::object::Extraction;
use crate::problem::Problem;
use crate::run::Extractor;
use crate::values::Type;

/// The objects with one label.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shape {
    /// Label of the objects.
    pub label: String,
    /// Type of the values, if they are atomic.
    pub ty: Type,
    /// `true` if one set can hold several of them.
    pub many: bool,
    /// `true` if the values are sets.
    pub is_set: bool,
    /// `true` if a page may lack it.
    pub optional: bool,
    /// `true` if its sets also hold a field for each column of the page's table, in addition to `children`.
    pub columns: bool,
    /// Short description of the rule's locator.
    pub rule: String,
    /// Labels of the fields that identify one of its sets, from the wrapper's `key`; `group.field` for a field in a
    /// group. Empty without a `key`. If several lists share a label, the key of the first that has one.
    pub key: Vec<String>,
    /// Objects in its sets, in the order of the rules.
    pub children: Vec<Shape>,
}

impl Extractor {
    /// Returns the shapes of the objects at the top of every extraction, in the order of the rules.
    pub fn shape(&self) -> Vec<Shape> {
        let variables = &self.program.variables;
        // Variables precede their children, so in a reverse pass every set is complete when it is handed to its
        // parent.
        let mut below: Vec<Vec<Shape>> = vec![Vec::new(); variables.len()];
        let mut top = Vec::new();
        for (at, variable) in variables.iter().enumerate().rev() {
            if variable.temporary {
                continue;
            }
            let shape = Shape {
                label: variable.label.clone(),
                ty: variable.ty,
                many: variable.many,
                is_set: variable.complex,
                optional: variable.optional,
                columns: variable.columns,
                rule: variable.rule.clone(),
                key: variable.key.clone(),
                children: in_order(std::mem::take(&mut below[at])),
            };
            match variable.parent {
                Some(parent) => below[parent as usize].push(shape),
                None => top.push(shape),
            }
        }
        in_order(top)
    }
}

/// Reverses a reversed set and merges shapes with the same label.
fn in_order(reversed: Vec<Shape>) -> Vec<Shape> {
    let mut shapes: Vec<Shape> = Vec::with_capacity(reversed.len());
    let mut known: HashMap<String, usize> = HashMap::new();
    for shape in reversed.into_iter().rev() {
        match known.get(&shape.label) {
            None => {
                known.insert(shape.label.clone(), shapes.len());
                shapes.push(shape);
            }
            Some(&at) => {
                shapes[at].many = true;
                merge(&mut shapes[at], shape);
            }
        }
    }
    shapes
}

/// Merges two shapes with the same label.
fn merge(first: &mut Shape, second: Shape) {
    first.is_set |= second.is_set;
    first.optional &= second.optional;
    first.columns |= second.columns;
    if first.key.is_empty() {
        first.key = second.key;
    }
    // Each set is made by one of the rules, so a child that both have occurs at most as often as either rule says.
    for child in second.children {
        match first.children.iter_mut().find(|known| known.label == child.label) {
            Some(known) => {
                known.many |= child.many;
                merge(known, child);
            }
            None => first.children.push(child),
        }
    }
}

impl Extraction {
    /// Returns the labels of the required objects that are missing at the top.
    pub fn missing(&self) -> impl Iterator<Item = &str> {
        let top = self.problems.iter().take_while(|problem| problem.object.is_none());
        top.filter(|problem| problem.is_missing()).map(|problem| problem.label(self))
    }

    /// Returns the path of an object in the extraction: `ads[3].seller`; the first member of a list is 0.
    fn path_to(&self, object: usize) -> Vec<String> {
        let mut path = Vec::new();
        let mut objects = self.objects();
        loop {
            // The last candidate that does not begin after the object.
            let candidates = objects.take_while(|candidate| candidate.index() <= object);
            let Some(around) = candidates.clone().last() else { return path };
            let label = around.label();
            path.push(if around.is_many() {
                format!("{label}[{}]", candidates.filter(|other| other.label() == label).count() - 1)
            } else {
                label.to_owned()
            });
            if around.index() == object {
                return path;
            }
            objects = around.objects();
        }
    }
}

impl Problem {
    /// Returns the path of the missing or wrong value through the objects: `ads[3].pay`.
    pub fn path(&self, extraction: &Extraction) -> String {
        let mut path = self.object.map_or_else(Vec::new, |object| extraction.path_to(object as usize));
        let label = self.label(extraction);
        if !label.is_empty() {
            path.push(label.to_owned());
        }
        path.join(".")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::{self, Format};
    use crate::page::Page;

    fn extractor(rules: &str) -> Extractor {
        Extractor::new(&files::read(rules, Format::Toml).unwrap()).unwrap()
    }

    /// Formats shapes as `label`, `label*` for a list, `label*!` for a list with the page's columns, and the
    /// children.
    fn words(shapes: &[Shape]) -> String {
        let word = |shape: &Shape| {
            let signs = [(shape.many, "*"), (shape.columns, "!"), (shape.optional, "?")];
            let signs: String = signs.iter().filter(|(is, _)| *is).map(|(_, sign)| *sign).collect();
            let below = if shape.is_set { format!("({})", words(&shape.children)) } else { String::new() };
            format!("{}{signs}{below}", shape.label)
        };
        shapes.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn labels_come_in_the_order_of_the_rules() {
        let extractor = extractor(
            r#"
            [field]
            heading = "h1"
            [list.ads]
            records = "li"
            field = { title = "b", pay = { xpath = "i", type = "money", optional = true } }
            list.tags = ".tags li"
            [list.rows]
            records = { table = "table" }
            "#,
        );
        assert_eq!(words(&extractor.shape()), "heading ads*(title pay? tags*) rows*!()");
    }

    #[test]
    fn temporaries_have_no_shape_and_equal_labels_are_one_list() {
        let extractor = extractor(
            r#"
            [list._rows]
            records = "li"
            field = { city = "b" }
            [group._box]
            at = "div"
            field = { town = { css = "i", label = "city" }, size = "u" }
            "#,
        );
        assert_eq!(words(&extractor.shape()), "city* size");
    }

    #[test]
    fn lists_of_one_label_are_not_lists_of_their_fields() {
        let extractor = extractor(
            r#"
            [group._index]
            at = "ul"
            [group._index.list.entries]
            records = "li"
            field = { title = "b", link = "a/@href" }
            [group._entry]
            at = "main"
            [group._entry.list.entries]
            records = "article"
            field = { title = "h1", author = "i" }
            list.tags = "u"
            "#,
        );
        assert_eq!(words(&extractor.shape()), "entries*(title link author tags*)");
    }

    #[test]
    fn problems_say_where() {
        let extractor = extractor(
            r#"
            [field]
            heading = "h1"
            [list.ads]
            records = "//li"
            field = { title = "b" }
            "#,
        );
        let page = Page::from_text("p", "<ul><li><b>x</b><li>y<li>z</ul>");
        let extraction = extractor.extract(page);
        let paths: Vec<_> = extraction.problems().iter().map(|problem| problem.path(&extraction)).collect();
        assert_eq!(paths, ["heading", "ads[1].title", "ads[2].title"]);
        assert_eq!(extraction.missing().collect::<Vec<_>>(), ["heading"]);
    }
}
