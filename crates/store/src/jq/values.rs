//! Records as jaq values.
//!
//! The trees are those of JSON Lines: groups are objects, lists are arrays, an amount is an object with a currency, and
//! a number keeps its digits until it is used in arithmetic.

use jaq_core::ValT;
use jaq_json::{Map, Val};

use crate::data::{Layout, Record, Value};
use crate::export::{Member, Node, Tree, list, plain, value};

/// Input of a filter: lists of records under their labels.
#[derive(Debug, Default)]
pub struct Objects {
    lists: Vec<(String, Vec<Val>)>,
    other: Option<Val>,
}

/// A list that records are added to.
#[derive(Debug)]
pub struct List<'a> {
    members: Vec<Keyed>,
    records: &'a mut Vec<Val>,
}

impl Objects {
    /// Creates an empty input.
    pub fn new() -> Objects {
        Objects::default()
    }

    /// Creates an input from any JSON tree instead of lists of records.
    pub fn from_json(tree: &serde_json::Value) -> Objects {
        Objects { lists: Vec::new(), other: Some(json(tree)) }
    }

    /// Returns the list of a layout to add records to, creating it if there is none with this label.
    pub fn list(&mut self, layout: &Layout) -> List<'_> {
        let members = keyed(Tree::new(layout, &[]).members);
        let at = match self.lists.iter().position(|(label, _)| *label == layout.label) {
            Some(at) => at,
            None => {
                self.lists.push((layout.label.clone(), Vec::new()));
                self.lists.len() - 1
            }
        };
        List { members, records: &mut self.lists[at].1 }
    }

    pub(super) fn into_value(self) -> Val {
        if let Some(other) = self.other {
            return other;
        }
        Val::obj(self.lists.into_iter().map(|(label, records)| (text(&label), records.into_iter().collect())).collect())
    }
}

impl List<'_> {
    /// Adds a record.
    pub fn push(&mut self, record: &Record) {
        self.records.push(object(&self.members, record));
    }
}

/// A member whose name is converted to a value once instead of for each record.
#[derive(Debug)]
struct Keyed {
    key: Val,
    node: KeyedNode,
}

#[derive(Debug)]
enum KeyedNode {
    Column(usize),
    Group(Vec<Keyed>),
    Values(usize),
    Records(usize, Vec<Keyed>),
}

fn keyed(members: Vec<Member>) -> Vec<Keyed> {
    let one = |member: Member| Keyed {
        key: text(&member.name),
        node: match member.node {
            Node::Column(number, _) => KeyedNode::Column(number),
            Node::Group(members) => KeyedNode::Group(keyed(members)),
            Node::Values(number, _) => KeyedNode::Values(number),
            Node::Records(number, tree) => KeyedNode::Records(number, keyed(tree.members)),
        },
    };
    members.into_iter().map(one).collect()
}

fn object(members: &[Keyed], record: &Record) -> Val {
    let one = |member: &Keyed| {
        let member_value = match &member.node {
            KeyedNode::Column(number) => atom(value(record, *number)),
            KeyedNode::Group(members) => object(members, record),
            KeyedNode::Values(number) => list(record, *number).iter().map(|one| atom(value(one, 0))).collect(),
            KeyedNode::Records(number, members) => {
                list(record, *number).iter().map(|one| object(members, one)).collect()
            }
        };
        (member.key.clone(), member_value)
    };
    Val::obj(members.iter().map(one).collect())
}

fn atom(value: &Value) -> Val {
    match value {
        Value::Null => Val::Null,
        Value::Text(value) => text(value),
        Value::Number(digits) => number(digits),
        Value::Money { amount, currency } => {
            let currency = currency.as_deref().map_or(Val::Null, text);
            Val::obj(Map::from_iter([(text("amount"), number(amount)), (text("currency"), currency)]))
        }
    }
}

/// A text.
pub(super) fn text(value: &str) -> Val {
    Val::utf8_str(value.as_bytes().to_vec())
}

/// Converts a number; one whose digits are not valid becomes a text.
fn number(digits: &str) -> Val {
    plain(digits).and_then(|digits| Val::from_num(&digits).ok()).unwrap_or_else(|| text(digits))
}

fn json(tree: &serde_json::Value) -> Val {
    match tree {
        serde_json::Value::Null => Val::Null,
        serde_json::Value::Bool(truth) => Val::Bool(*truth),
        serde_json::Value::Number(digits) => number(&digits.to_string()),
        serde_json::Value::String(value) => text(value),
        serde_json::Value::Array(values) => values.iter().map(json).collect(),
        serde_json::Value::Object(members) => {
            Val::obj(members.iter().map(|(name, value)| (text(name), json(value))).collect())
        }
    }
}
