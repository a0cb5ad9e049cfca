//! From records and columns to labels.
//!
//! Each column becomes a field: its text, the address where it is a link or an image, and what attributes say beyond
//! (`attributes`). What is the same in every
//! record is no field but a label, and may name the field behind it; what only says again what another column says is
//! left out.
//!
//! # Cost
//!
//! The texts of all columns are read once.

use std::rc::Rc;

use windrow_dom::{Document, NodeId, names};
use windrow_wrapper::values::infer::infer;
use windrow_wrapper::values::{Hints, Type};

use super::Candidate;
use super::attributes::{Attributes, Told};
use super::depth;
use super::headings;
use super::names::Namer;
use super::split::{self, Cutting};
use crate::alignment::shape;
use crate::alignment::{self, Column, Part, Sublist, Template};
use crate::labels::{Extent, LabelledField, Labels, Place};
use crate::naming;
use crate::page_view::PageView;
use crate::scope::{Cut, Record, Scope};
use crate::source::Source;

/// Characters of the longest label: a line of a narrow column.
const LABEL: usize = 40;

/// Labels the records of a candidate.
pub(crate) fn labels(source: &Source<'_>, view: &PageView<'_>, candidate: &Candidate, template: &Template) -> Labels {
    let labeller = Labeller { view, document: view.document, hints: &source.hints };
    let scopes: Vec<Scope> = candidate.records.iter().map(|&record| Scope::new(candidate.cut, record)).collect();
    let nodes: Vec<NodeId> = candidate.records.iter().map(|record| record.first).collect();
    let mut labels = Labels::new(naming::list_name(source, &nodes), candidate.cut, candidate.records.clone());
    labeller.label(&scopes, template, &mut labels);
    if candidate.cut == Cut::Nodes {
        if let Some(headings) = headings::headings(view, &nodes) {
            let taken = |name: &str| {
                labels.fields.iter().any(|field| field.name == name)
                    || labels.lists.iter().any(|list| list.name == name)
            };
            let name = ["group", "heading", "group_heading"].into_iter().find(|name| !taken(name)).unwrap_or("over");
            labels.fields.push(LabelledField::at(name, &headings, None));
        }
        if let Some(depth) = depth::depth(view, &nodes) {
            let taken = labels.fields.iter().any(|field| field.name == "depth")
                || labels.lists.iter().any(|list| list.name == "depth");
            let name = if taken { "depth_in_thread" } else { "depth" };
            let own: Vec<Option<NodeId>> = nodes.iter().copied().map(Some).collect();
            let field = LabelledField::at(name, &own, None);
            labels.fields.push(LabelledField { extent: depth, ty: Type::Number, ..field });
        }
    }
    labels
}

struct Labeller<'o, 'd> {
    view: &'o PageView<'d>,
    document: &'d Document,
    hints: &'o Hints,
}

impl Labeller<'_, '_> {
    /// Labels the fields of records and the lists in them.
    fn label(&self, scopes: &[Scope], template: &Template, labels: &mut Labels) {
        let mut namer = Namer::new(self.document);
        let mut links: Vec<Vec<Option<&str>>> = Vec::new();
        let mut hidden: Vec<LabelledField> = Vec::new();
        let mut named: Vec<(&Cell<'_>, String)> = Vec::new();
        let cells: Vec<Cell<'_>> = template.columns.iter().flat_map(|column| self.cut(self.cell(column))).collect();
        let names = self.labels(&cells);
        for (at, cell) in cells.iter().enumerate() {
            let furniture = cell.is_constant() && self.is_furniture(cell, scopes);
            let heads = template.sublists.iter().any(|sublist| self.heads(cell, sublist));
            if furniture || heads || names.contains(&Some(at)) || cells[..at].iter().any(|other| cell.repeats(other)) {
                continue;
            }
            if let Some(label) = names[at] {
                namer.label(&cells[label].values);
            }
            let name = self.field(scopes, cell, &mut namer, &mut links, &mut labels.fields);
            named.push((cell, name));
        }
        // What is not seen comes behind what is, and does not make records of images.
        let mut attributes = Attributes::new(self.document, scopes);
        for (cell, name) in named.iter().filter(|_| labels.fields.iter().any(|field| field.ty != Type::Url)) {
            for told in attributes.of(cell.nodes, &cell.values) {
                hidden.push(self.attribute(&told, name, &mut namer));
            }
        }
        labels.fields.append(&mut hidden);
        let mut said: Vec<Vec<(usize, Rc<str>)>> = Vec::new();
        for sublist in &template.sublists {
            // A list that only says again what another one says.
            let text = |&(record, node): &(usize, NodeId)| (record, self.view.text(node));
            let own: Vec<(usize, Rc<str>)> = sublist.items.iter().map(text).collect();
            let silent = own.iter().all(|item| item.1.is_empty());
            if !silent && !sublist.run && said.contains(&own) {
                continue;
            }
            said.push(own);
            labels.lists.extend(self.sublist(scopes, sublist, &mut namer));
        }
    }

    fn cell<'t>(&self, column: &'t Column) -> Cell<'t> {
        let document = self.document;
        let image = column.nodes.iter().flatten().next().is_some_and(|&node| self.is_image(node));
        let text = |node: NodeId| {
            if image {
                return document
                    .attr(node, "src")
                    .or_else(|| document.attr(node, "alt"))
                    .unwrap_or_default()
                    .to_owned();
            }
            column.part.of(&document.visible_text(node)).to_owned()
        };
        let read = |node: NodeId| Some(text(node).trim().to_owned()).filter(|text| !text.is_empty());
        let values = column.nodes.iter().map(|node| node.and_then(read)).collect();
        Cell { nodes: &column.nodes, part: column.part.clone(), label: None, told: column.label.clone(), values, image }
    }

    /// The cells that a cell is cut into, or itself.
    fn cut<'t>(&self, cell: Cell<'t>) -> Vec<Cell<'t>> {
        let filled = cell.values.iter().flatten().take(30);
        let (all, whole) =
            filled.fold((0, 0), |(all, whole), text| (all + 1, whole + usize::from(shape::is_value(text))));
        let cuttable = !cell.image && cell.part == Part::All && whole * 2 < all;
        if !cuttable || cell.nodes.iter().flatten().take(3).any(|&node| self.is_title(node)) {
            return vec![cell];
        }
        let Some(cuttings) = split::cut(&cell.values) else { return vec![cell] };
        let part = |cutting: Cutting| Cell {
            nodes: cell.nodes,
            part: Part::Matched(cutting.regex),
            label: cutting.label,
            told: None,
            values: cutting.values,
            image: false,
        };
        cuttings.into_iter().map(part).collect()
    }

    /// Whether a text is a heading or a link, which is one value to a reader whatever signs it has.
    fn is_title(&self, node: NodeId) -> bool {
        let document = self.document;
        let near = std::iter::once(node).chain(document.ancestors(node).take(3));
        let mut near = near.filter_map(|id| document.name(id));
        near.any(|name| matches!(name, "a" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6"))
    }

    fn is_image(&self, node: NodeId) -> bool {
        self.document.name_id(node) == Some(names::IMG)
    }

    /// Whether what is the same wherever it stands is furniture: an icon, or the words of a link or button of its own.
    fn is_furniture(&self, cell: &Cell<'_>, scopes: &[Scope]) -> bool {
        let document = self.document;
        let Some((node, scope)) = cell.nodes.iter().zip(scopes).find_map(|(node, scope)| Some(((*node)?, *scope)))
        else {
            return true;
        };
        let usual = cell.filled() * 10 >= scopes.len() * 9;
        // The headers of a table in each record.
        let mut above = document.ancestors(node).take(3).filter(|&id| scope.contains(id));
        if usual && (document.name(node) == Some("th") || above.any(|id| document.name(id) == Some("thead"))) {
            return true;
        }
        let button = std::iter::once(node)
            .chain(document.ancestors(node).take(2).filter(|&id| scope.contains(id)))
            .any(|id| document.name(id) == Some("button"));
        let alone = |link: NodeId| self.view.leaves_below(link).len() <= self.view.leaves_below(node).len().max(1);
        cell.image || usual && (button || self.link_of(node, scope).is_some_and(alone))
    }

    /// Says whether a cell is the label in front of a sublist, with a colon: it names the list.
    fn heads(&self, cell: &Cell<'_>, sublist: &Sublist) -> bool {
        let is_label = |value: &String| value.ends_with([':', '：']) && value.chars().count() <= LABEL;
        if cell.image || !cell.is_same(2) || !cell.values.iter().flatten().next().is_some_and(is_label) {
            return false;
        }
        let mut last = None;
        let firsts = sublist.items.iter().filter(|item| last.replace(item.0) != Some(item.0));
        let (mut all, mut told) = (0, 0);
        for &(record, first) in firsts {
            let Some(node) = cell.nodes.get(record).copied().flatten() else { continue };
            all += 1;
            let end = self.document.subtree_end(node);
            told += usize::from(self.view.leaf_before(first).is_some_and(|leaf| node <= leaf.node && leaf.node < end));
        }
        all > 0 && told == all
    }

    /// For each column the one that is its label: a text that never changes, in front of it or behind it.
    fn labels(&self, cells: &[Cell<'_>]) -> Vec<Option<usize>> {
        let mut found: Vec<(usize, usize, Telling)> = Vec::new();
        for (at, cell) in cells.iter().enumerate().filter(|(_, cell)| cell.is_same(2)) {
            let near = [Some(at + 1), at.checked_sub(1)].into_iter().flatten();
            let told = near.into_iter().find_map(|near| {
                let free = found.iter().all(|known| known.1 != near);
                let value = cells.get(near).filter(|_| free)?;
                Some((near, self.is_label(cell, value, near > at)?))
            });
            found.extend(told.map(|(near, telling)| (at, near, telling)));
        }
        // One box of two texts, one of which never changes, says nothing: the second may well be a value. Several do.
        let boxes = |holder: u64| {
            let same = |known: &&(usize, usize, Telling)| known.2 == Telling::Boxed(holder);
            found.iter().filter(same).count()
        };
        let mut labels = vec![None; cells.len()];
        for &(label, value, telling) in &found {
            let sure = match telling {
                Telling::SetOff => true,
                Telling::Boxed(holder) => boxes(holder) > 1,
            };
            if sure {
                labels[value] = Some(label);
            }
        }
        labels
    }

    /// How a constant text tells that it is the label of the column beside it: with a colon, or set off; or there is nothing but
    /// the two of them. What has a digit in it is a value, and a heading is no value of a label.
    fn is_label(&self, cell: &Cell<'_>, value: &Cell<'_>, first: bool) -> Option<Telling> {
        let document = self.document;
        let text = cell.values.iter().flatten().next().map_or("", String::as_str);
        // What stands only beside some of the values is no label of theirs.
        let beside =
            cell.nodes.iter().zip(value.nodes).filter(|(label, value)| label.is_some() && value.is_some()).count();
        if cell.image
            || value.image
            || value.is_constant()
            || beside * 10 < value.filled() * 9
            || text.chars().count() > LABEL
            || text.contains(|c: char| c.is_ascii_digit())
        {
            return None;
        }
        let (label, value_node) = cell.nodes.iter().zip(value.nodes).find_map(|(one, two)| Some(((*one)?, (*two)?)))?;
        let around = document.ancestors(label).find(|&id| document.is_ancestor(id, value_node))?;
        let within =
            |node: NodeId| std::iter::once(node).chain(document.ancestors(node)).take_while(move |&id| id != around);
        let is_heading = |id: NodeId| matches!(document.name(id), Some("h1" | "h2" | "h3" | "h4" | "h5" | "h6"));
        if within(value_node).any(is_heading)
            || within(label).any(|id| matches!(document.name(id), Some("a" | "button")))
            || within(value_node).count() > 3
        {
            return None;
        }
        let set_off = within(label).any(|id| matches!(document.name(id), Some("dt" | "th" | "label" | "b" | "strong")));
        if first && (set_off || text.ends_with([':', '：'])) {
            return Some(Telling::SetOff);
        }
        let alone = self.view.leaves_below(around).len() == 2 && value.is_short();
        alone.then(|| Telling::Boxed(document.parent(around).map_or(0, |holder| self.view.path(holder))))
    }

    /// Labels a column: its text, and where it is a link or an image, the address. Gives the column's name.
    fn field<'s>(
        &'s self,
        scopes: &[Scope],
        cell: &Cell<'_>,
        namer: &mut Namer<'_>,
        links: &mut Vec<Vec<Option<&'s str>>>,
        fields: &mut Vec<LabelledField>,
    ) -> String {
        let holders: Vec<Option<NodeId>> = cell.nodes.iter().map(|node| node.map(|node| self.holder(node))).collect();
        // Where some have a mark beside the text, the text is in all of them, but its element is not the same everywhere.
        let mixed = holders.iter().flatten().any(|&id| self.document.is_text(id));
        let nodes = if mixed { cell.nodes.to_vec() } else { holders };
        let ty = self.infer(&cell.values, None);
        let name = namer.name(self.view, scopes, cell, ty);
        let ty = if ty == Type::String { ty } else { self.infer(&cell.values, Some(&name)) };
        fields.push(LabelledField {
            filled: cell.filled(),
            told: cell.told.clone(),
            extent: Extent::Part(if cell.image { Part::All } else { cell.part.clone() }),
            ty: if cell.image { Type::Url } else { ty },
            ..LabelledField::at(name.as_str(), &nodes, cell.image.then_some("src"))
        });
        let nodes: Vec<Option<NodeId>> = cell
            .nodes
            .iter()
            .zip(scopes)
            .map(|(node, scope)| node.and_then(|node| self.link_of(node, *scope)))
            .collect();
        let addresses: Vec<Option<&str>> =
            nodes.iter().map(|link| link.and_then(|link| self.document.attr(link, "href"))).collect();
        let told = links.iter().any(|known| addresses.iter().zip(known).all(|(one, two)| one.is_none() || one == two));
        if addresses.iter().any(Option::is_some) && !told {
            let name = namer.unique(&format!("{name}_link"));
            fields.push(LabelledField { ty: Type::Url, ..LabelledField::at(name, &nodes, Some("href")) });
            links.push(addresses);
        }
        name
    }

    /// Labels an attribute in or around the column of that name.
    fn attribute(&self, told: &Told<'_>, column: &str, namer: &mut Namer<'_>) -> LabelledField {
        let name = namer.attribute(told.attribute, column);
        let ty = self.infer(&told.values, Some(&name));
        let filled = told.values.iter().flatten().count();
        LabelledField { filled, ty, ..LabelledField::at(name, &told.nodes, Some(told.attribute)) }
    }

    /// The type of a column of this name.
    fn infer(&self, values: &[Option<String>], name: Option<&str>) -> Type {
        infer(values.iter().flatten().map(String::as_str), name, self.hints).ty
    }

    fn sublist(&self, scopes: &[Scope], sublist: &Sublist, namer: &mut Namer<'_>) -> Option<Labels> {
        // The first item of the first record and of the last: a label stands in front of these.
        let (first, end) = (*sublist.items.first()?, sublist.items.last()?.0);
        let last = sublist.items.iter().find(|item| item.0 == end).copied().unwrap_or(first);
        let (cut, records) = match sublist.run {
            true => (Cut::Starts, alignment::run_records(self.document, &sublist.items)),
            false => (Cut::Nodes, sublist.items.iter().map(|&(_, node)| Record::node(self.document, node)).collect()),
        };
        let name = namer.list([first, last].map(|(record, node)| (node, scopes[record])));
        let mut list = Labels::new(name, cut, records);
        list.within = sublist.items.iter().map(|item| item.0).collect();
        self.label(&list.scopes(), &sublist.template, &mut list);
        let count = list.fields.len() + list.lists.len();
        let texts = list.fields.iter().filter(|field| field.ty != Type::Url).count() + list.lists.len();
        if count == 0 || texts == 0 && count > 1 {
            return None;
        }
        // A list of single values needs no record around each.
        if let ([only], []) = (&list.fields[..], &list.lists[..])
            && is_item(only, &list)
        {
            list.ty = only.ty;
            if list.name == "items" && only.name != "text" && !namer.is_used(&only.name) {
                list.name = namer.unique(&only.name);
            }
            list.fields.clear();
        }
        Some(list)
    }

    /// The element or text whose visible text is that of a node: the element, where it holds nothing else.
    fn holder(&self, node: NodeId) -> NodeId {
        let document = self.document;
        match document.parent(node) {
            Some(parent) if document.is_text(node) && document.subtree_end(parent).index() == parent.index() + 2 => {
                parent
            }
            _ => node,
        }
    }

    /// The link that a node of a record is in, or is, or holds if it holds just one.
    fn link_of(&self, node: NodeId, scope: Scope) -> Option<NodeId> {
        let document = self.document;
        let is = |id: &NodeId| document.name_id(*id) == Some(names::A) && document.attr(*id, "href").is_some();
        let around = std::iter::once(node).chain(document.ancestors(node).take(3)).filter(|&id| scope.contains(id));
        around.into_iter().find(is).or_else(|| {
            let mut below = document.descendants(node).take(64).filter(is);
            below.next().filter(|_| below.next().is_none())
        })
    }
}

/// Returns whether a field is all of the item of its list.
fn is_item(field: &LabelledField, list: &Labels) -> bool {
    let is_whole = |(place, record): (&Option<Place>, &Record)| {
        place.as_ref().is_none_or(|place| place.node == record.first && place.attribute.is_none())
    };
    list.cut == Cut::Nodes
        && field.told.is_none()
        && field.extent == Extent::Part(Part::All)
        && field.places.iter().zip(&list.records).all(is_whole)
}

/// How a text tells that it is a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Telling {
    /// With a colon, or as a term, a header or in bold.
    SetOff,
    /// It shares a box with one other text; this is the key of what the box stands in.
    Boxed(u64),
}

/// A column with what it says in each record.
pub(crate) struct Cell<'t> {
    pub(crate) nodes: &'t [Option<NodeId>],
    pub(crate) part: Part,
    /// The words that were taken off its front.
    pub(crate) label: Option<String>,
    /// The label that its nodes begin or end with.
    pub(crate) told: Option<String>,
    values: Vec<Option<String>>,
    /// Its values are images' addresses.
    image: bool,
}

impl Cell<'_> {
    /// Whether its values are words or numbers, not sentences.
    fn is_short(&self) -> bool {
        let longest = self.values.iter().flatten().map(|value| value.chars().count()).max();
        longest.is_some_and(|longest| longest <= LABEL)
    }

    fn filled(&self) -> usize {
        self.values.iter().flatten().count()
    }

    /// Whether it says the same wherever it says something, in three records and more.
    fn is_constant(&self) -> bool {
        self.is_same(3)
    }

    /// Whether it says the same wherever it says something, in so many records at least.
    fn is_same(&self, least: usize) -> bool {
        let mut values = self.values.iter().flatten();
        let first = values.next();
        self.filled() >= least && values.all(|value| Some(value) == first)
    }

    /// Whether it only says again what another one says.
    fn repeats(&self, other: &Cell<'_>) -> bool {
        let filled = self.filled();
        let pairs = self.values.iter().zip(&other.values);
        let same = pairs.filter(|(mine, theirs)| mine.is_some() && mine == theirs).count();
        // Numbers and dates may agree by chance in a few records.
        filled > 1 && self.image == other.image && same * 10 >= filled * 9
    }
}
