//! Converts a list's layout to a tree of members, for formats with nested data.
//!
//! Labels with dots become groups: `weather.high` and `weather.low` become a member `weather` with two members. A label
//! stays whole if the part before one of its dots is itself a label (`price` and `price.old`), if a part is empty or
//! has spaces around it (`No. 5`), or if it has very many parts.

use std::collections::HashSet;

use super::names::Names;
use super::of_values;
use crate::data::{Kind, Layout};

/// Largest number of parts that become nested groups. Real labels have fewer, and file formats limit their nesting.
const DEEPEST: usize = 16;

/// The members of a record.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    /// Members in the order of the layout, columns before lists.
    pub(crate) members: Vec<Member>,
}

/// A named value, group or list.
#[derive(Debug)]
pub(crate) struct Member {
    /// Name, unique in its tree or group.
    pub(crate) name: String,
    /// Content of the member.
    pub(crate) node: Node,
}

/// Content of a member.
#[derive(Debug)]
pub(crate) enum Node {
    /// The value in the record's column with this index.
    Column(usize, Kind),
    /// A group of members of the same record.
    Group(Vec<Member>),
    /// A list of values, by the index of the record's list.
    Values(usize, Kind),
    /// A list of records, by the index of the record's list.
    Records(usize, Tree),
}

impl Tree {
    /// Builds the tree of a layout. The top-level names in `reserved` are not available.
    pub(crate) fn new(layout: &Layout, reserved: &[&str]) -> Tree {
        let columns = layout.columns.iter().enumerate();
        let columns = columns.map(|(number, column)| (&column.label, Node::Column(number, column.kind)));
        let lists = layout.lists.iter().enumerate().map(|(number, list)| {
            if of_values(list) {
                (&list.label, Node::Values(number, list.columns[0].kind))
            } else {
                (&list.label, Node::Records(number, Tree::new(list, &[])))
            }
        });
        let leaves: Vec<(&String, Node)> = columns.chain(lists).collect();
        let labels: HashSet<&str> = leaves.iter().map(|(label, _)| label.as_str()).collect();
        let whole: Vec<bool> = leaves.iter().map(|(label, _)| stays_whole(label, &labels)).collect();
        let mut tree = Branch { names: Names::reserve(reserved.iter().copied()), ..Branch::default() };
        for ((label, node), whole) in leaves.into_iter().zip(whole) {
            let parts = if whole { vec![label.as_str()] } else { label.split('.').collect() };
            tree.put(&parts, node);
        }
        Tree { members: tree.finish() }
    }
}

fn stays_whole(label: &str, labels: &HashSet<&str>) -> bool {
    let parts = || label.split('.');
    parts().count() > DEEPEST
        || parts().any(|part| part.is_empty() || part.trim() != part)
        || label.match_indices('.').any(|(at, _)| labels.contains(&label[..at]))
}

/// A group that is being built.
#[derive(Default)]
struct Branch {
    names: Names,
    twigs: Vec<Twig>,
}

enum Twig {
    Leaf(Member),
    /// The label part that leads here, the unique name, and the members.
    Branch(String, String, Branch),
}

impl Branch {
    fn put(&mut self, parts: &[&str], node: Node) {
        match parts {
            [] => {}
            [name] => {
                let name = self.names.give(name);
                self.twigs.push(Twig::Leaf(Member { name, node }));
            }
            [part, rest @ ..] => {
                let same = |twig: &&mut Twig| matches!(twig, Twig::Branch(name, _, _) if name == part);
                if let Some(Twig::Branch(_, _, branch)) = self.twigs.iter_mut().find(same) {
                    return branch.put(rest, node);
                }
                let mut branch = Branch::default();
                branch.put(rest, node);
                let name = self.names.give(part);
                self.twigs.push(Twig::Branch((*part).to_owned(), name, branch));
            }
        }
    }

    fn finish(self) -> Vec<Member> {
        let member = |twig| match twig {
            Twig::Leaf(member) => member,
            Twig::Branch(_, name, branch) => Member { name, node: Node::Group(branch.finish()) },
        };
        self.twigs.into_iter().map(member).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Column;

    fn layout(labels: &[&str], lists: Vec<Layout>) -> Layout {
        let column = |label: &&str| Column { label: (*label).to_owned(), kind: Kind::Text, rule: String::new() };
        Layout { label: "list".to_owned(), key: Vec::new(), columns: labels.iter().map(column).collect(), lists }
    }

    fn outline(members: &[Member]) -> String {
        let one = |member: &Member| match &member.node {
            Node::Column(number, _) => format!("{}={number}", member.name),
            Node::Group(members) => format!("{}({})", member.name, outline(members)),
            Node::Values(number, _) => format!("{}=[{number}]", member.name),
            Node::Records(number, tree) => format!("{}=[{number}]({})", member.name, outline(&tree.members)),
        };
        members.iter().map(one).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn dots_make_groups_where_they_can() {
        let check = |labels: &[&str], expected: &str| {
            assert_eq!(outline(&Tree::new(&layout(labels, Vec::new()), &["_page"]).members), expected);
        };
        check(&["city", "temp.high", "date", "temp.low"], "city=0 temp(high=1 low=3) date=2");
        check(&["price.old", "price", "price.old.net"], "price.old=0 price=1 price.old.net=2");
        check(&["No. 5", ".a", "a.", "a..b"], "No. 5=0 .a=1 a.=2 a..b=3");
        check(&["a", "a", "b.c", "b.c", "_page", "_page.x"], "a=0 a_2=1 b(c=2 c_2=3) _page_2=4 _page.x=5");
        check(&["_page.x", "_page.y"], "_page_2(x=0 y=1)");
        let deep = vec!["x"; 40].join(".");
        check(&[&deep], &format!("{deep}=0"));
    }

    #[test]
    fn lists_of_values_are_told_from_lists_of_records() {
        let named = |label: &str, layout: Layout| Layout { label: label.to_owned(), ..layout };
        let tags = named("meta.tags", layout(&["value"], Vec::new()));
        let photos = named("photos", layout(&["src"], Vec::new()));
        assert_eq!(
            outline(&Tree::new(&layout(&["meta.by"], vec![tags, photos]), &[]).members),
            "meta(by=0 tags=[0]) photos=[1](src=0)"
        );
    }
}
