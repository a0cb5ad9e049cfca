//! Redesigns of pages, from a seed: what site owners do to a page between two visits, while what it says stays.
//!
//! [`redesign`] is given a page and its values, record by record. It draws changes, makes each on a tree of
//! its own, writes the tree as HTML, and parses that: a change that a parser would undo, or that touches a value or the
//! order of the records, is thrown away and another is drawn. What comes out is a page with the same values in the same
//! order, so a rule that gives anything else there did not survive.
//!
//! # The mix
//!
//! | kind | of 100 | what |
//! |---|---|---|
//! | [`Kind::Wrap`] | 16 | an element around another, or around the contents of a cell or list entry |
//! | [`Kind::Unwrap`] | 8 | an element without id that only holds another goes |
//! | [`Kind::Insert`] | 16 | a notice, a share bar, a menu entry; a column in a table of records; a row on a page about one thing |
//! | [`Kind::Advertise`] | 14 | a block with picture, link and text; on list pages 6 of 10 stand between records |
//! | [`Kind::Reorder`] | 10 | two blocks, two parts of each record, or two columns change places |
//! | [`Kind::Drop`] | 10 | a block without value goes, or a column |
//! | [`Kind::RenameClass`] | 10 | one class, wherever it stands |
//! | [`Kind::Rebuild`] | 4 | all classes that a build generated, at once |
//! | [`Kind::Retag`] | 8 | `h3` to `h2`, `b` to `strong`, `div` to `section` |
//! | [`Kind::RenameId`] | 2 | one id: stylesheets, scripts and links from elsewhere hang on it |
//! | [`Kind::Relabel`] | 2 | a label in front of a value is reworded: words are what readers know a site by |
//!
//! The shares are a judgement, not a measurement: blocks come and go more often than markup is rewritten, and names that
//! much hangs on change last. A kind that a page has no place for is drawn again, so pages without generated classes
//! get more of the rest.
//!
//! # Where changes fall
//!
//! 45 of 100 in the frame (the elements around the records, and what stands beside those), 45 in the records (the
//! elements around values, and what stands beside those), 10 anywhere else. Uniformly over the page most changes would
//! fall where no rule looks, and every rule would seem to last. Within a zone the place of the template is drawn, not the
//! element. A change of a record's part is made in all records, as a template does it; one of the frame is made once.
//! On a page about one record, half the changes in it are made once, half at all elements of the place.
//!
//! Half of the advertisements between records are blocks of their own (in lists and tables they have to be an `li` or a
//! `tr`), three of ten have a record's tag, and two of ten are a record's own markup with other texts and another class
//! at the top. Half of the time there is one, otherwise one after every few records.
//!
//! # Unchanged parts
//!
//! Values and their texts; the order of records; labels in front of values (reworded, never dropped); `head`, scripts,
//! and elements that are foreign to HTML.
//!
//! # Cost
//!
//! A copy, a writing and a parse of the page for each change that is tried.

mod blocks;
mod map;
mod names;
mod shape;
mod table;
#[cfg(test)]
mod tests;
pub(crate) mod tree;
mod words;

use windrow_dom::{Document, NodeId};

use self::map::Map;
use self::tree::Tree;
use crate::generate::Rng;

/// Kind of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// An element comes around another.
    Wrap,
    /// An element around another goes.
    Unwrap,
    /// A block, column or row comes in.
    Insert,
    /// An advertisement comes in.
    Advertise,
    /// Blocks or columns change places.
    Reorder,
    /// A block or column without values goes.
    Drop,
    /// A class gets another name.
    RenameClass,
    /// All generated classes get other names.
    Rebuild,
    /// An element gets another tag.
    Retag,
    /// An id gets another name.
    RenameId,
    /// A label is reworded.
    Relabel,
}

impl Kind {
    /// All kinds, each with how many of 100 changes are of it.
    pub const MIX: [(Kind, usize); 11] = [
        (Kind::Wrap, 16),
        (Kind::Unwrap, 8),
        (Kind::Insert, 16),
        (Kind::Advertise, 14),
        (Kind::Reorder, 10),
        (Kind::Drop, 10),
        (Kind::RenameClass, 10),
        (Kind::Rebuild, 4),
        (Kind::Retag, 8),
        (Kind::RenameId, 2),
        (Kind::Relabel, 2),
    ];

    /// Returns the name used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Wrap => "wrap",
            Kind::Unwrap => "unwrap",
            Kind::Insert => "insert",
            Kind::Advertise => "advertise",
            Kind::Reorder => "reorder",
            Kind::Drop => "drop",
            Kind::RenameClass => "rename class",
            Kind::Rebuild => "rebuild",
            Kind::Retag => "retag",
            Kind::RenameId => "rename id",
            Kind::Relabel => "relabel",
        }
    }

    fn draw(rng: &mut Rng) -> Kind {
        let mut roll = rng.below(Kind::MIX.iter().map(|(_, share)| share).sum());
        for (kind, share) in Kind::MIX {
            if roll < share {
                return kind;
            }
            roll -= share;
        }
        unreachable!("the roll is below the sum of the shares")
    }

    fn make(self, tree: &mut Tree, map: &Map, rng: &mut Rng) -> Option<String> {
        match self {
            Kind::Wrap => shape::wrap(tree, map, rng),
            Kind::Unwrap => shape::unwrap(tree, map, rng),
            Kind::Insert => blocks::insert(tree, map, rng),
            Kind::Advertise => blocks::advertise(tree, map, rng),
            Kind::Reorder => shape::reorder(tree, map, rng),
            Kind::Drop => shape::drop_block(tree, map, rng),
            Kind::RenameClass => names::rename_class(tree, map, rng),
            Kind::Rebuild => names::rebuild(tree, rng),
            Kind::Retag => shape::retag(tree, map, rng),
            Kind::RenameId => names::rename_id(tree, map, rng),
            Kind::Relabel => names::relabel(tree, map, rng),
        }
    }
}

/// A change that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Kind of the change.
    pub kind: Kind,
    /// To what, as a person would say it.
    pub what: String,
}

/// Something on a page that stays as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// The text of an element, or a text.
    Text(NodeId),
    /// An attribute of an element, whose text may change.
    Attribute(NodeId),
}

impl Value {
    /// The element or text.
    pub fn node(self) -> NodeId {
        let (Value::Text(node) | Value::Attribute(node)) = self;
        node
    }

    fn moved(self, node: NodeId) -> Value {
        match self {
            Value::Text(_) => Value::Text(node),
            Value::Attribute(_) => Value::Attribute(node),
        }
    }

    /// Its text, white space aside; empty for an attribute: no change gives those another value.
    fn text(self, document: &Document) -> String {
        let text = match self {
            Value::Text(node) if document.is_text(node) => document.text(node).to_owned(),
            Value::Text(node) => document.visible_text(node),
            Value::Attribute(_) => String::new(),
        };
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// A page after some changes.
#[derive(Debug)]
pub struct Redesign {
    /// The page.
    pub document: Document,
    /// New places of the values, record by record, in their original order; values in parts that are not examined
    /// (`head`, scripts, foreign elements) are represented by the outermost such element.
    pub records: Vec<Vec<Value>>,
    /// Changes in order; fewer than requested if the page has no place for more.
    pub changes: Vec<Change>,
}

/// So many changes are tried for each that is made, before it is given up; fewer of one kind alone, since a page without
/// a place for it has none at the next attempt either.
const ATTEMPTS: usize = 40;
const ATTEMPTS_OF_KIND: usize = 12;

/// The page after so many random changes of any kind. The page has to be one that writes back to itself: see
/// [`settled`].
///
/// ```
/// use windrow_dom::names;
/// use windrow_testkit::redesign::{Value, redesign, settled};
///
/// let page = settled("<ul id=cities><li><b>Oslo</b> 3°<li><b>Rome</b> 19°</ul>").unwrap();
/// let cities = page.nodes().filter(|&id| page.is_html(id, names::B));
/// let records: Vec<Vec<Value>> = cities.map(|id| vec![Value::Text(id)]).collect();
/// let after = redesign(&page, &records, 7, 5);
/// assert_eq!(after.changes.len(), 5);
/// assert_eq!(after.document.visible_text(after.records[1][0].node()), "Rome");
/// ```
pub fn redesign(document: &Document, records: &[Vec<Value>], seed: u64, changes: usize) -> Redesign {
    draw(document, records, seed, changes, None)
}

/// As [`redesign`], with changes of one kind alone.
pub fn redesign_by(kind: Kind, document: &Document, records: &[Vec<Value>], seed: u64, changes: usize) -> Redesign {
    draw(document, records, seed, changes, Some(kind))
}

/// A page whose tree, written as HTML, parses to the same tree again; none if it takes more than a few rounds. Misnested
/// pages do not at first.
pub fn settled(html: &str) -> Option<Document> {
    let mut document = Document::parse(html);
    for _ in 0..8 {
        let tree = Tree::new(&document);
        let again = Document::parse(tree.to_html());
        if tree.matched(&again).is_some() {
            return Some(again);
        }
        document = again;
    }
    None
}

fn draw(document: &Document, records: &[Vec<Value>], seed: u64, changes: usize, only: Option<Kind>) -> Redesign {
    // The page is part of the seed: otherwise all pages of a corpus would get much the same changes.
    let mut rng = Rng::new(seed ^ map::hash(seed, document.source()));
    let mut tree = Tree::new(document);
    let records = &tree.known(document, records)[..];
    let texts: Vec<String> = records.iter().flatten().map(|value| value.text(document)).collect();
    let mut done = Redesign { document: document.clone(), records: records.to_vec(), changes: Vec::new() };
    for _ in 0..changes {
        let Some(map) = Map::new(&tree, records) else { break };
        for _ in 0..if only.is_some() { ATTEMPTS_OF_KIND } else { ATTEMPTS } {
            let kind = only.unwrap_or_else(|| Kind::draw(&mut rng));
            let mut next = tree.clone();
            let Some(what) = kind.make(&mut next, &map, &mut rng) else { continue };
            next.join_texts();
            let page = Document::parse(next.to_html());
            let Some(found) = found(&next, &page, records) else { continue };
            let same = found.iter().flatten().zip(&texts).all(|(value, before)| value.text(&page) == *before);
            if same && order(&found) == order(records) {
                done.document = page;
                done.records = found;
                done.changes.push(Change { kind, what });
                tree = next;
                break;
            }
        }
    }
    done
}

/// Returns the places of the values on the parsed page; `None` if its tree differs or a value is missing.
fn found(tree: &Tree, page: &Document, records: &[Vec<Value>]) -> Option<Vec<Vec<Value>>> {
    let nodes = tree.matched(page)?;
    let mut origins: Vec<(NodeId, NodeId)> =
        tree.items.iter().zip(nodes).filter_map(|(item, node)| Some((item.origin?, node?))).collect();
    origins.sort_unstable();
    let find = |value: &Value| {
        let at = origins.binary_search_by_key(&value.node(), |&(origin, _)| origin).ok()?;
        Some(value.moved(origins[at].1))
    };
    records.iter().map(|record| record.iter().map(find).collect()).collect()
}

/// The numbers of the records in the order in which they begin.
fn order(records: &[Vec<Value>]) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..records.len()).collect();
    numbers.sort_by_key(|&number| (records[number].iter().map(|value| value.node()).min(), number));
    numbers
}
