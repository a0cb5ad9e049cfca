//! The expressions that may stand for a place, the most lasting first.
//!
//! None of them is tried here: what each finds is asked later, on all pages that there are.

use std::rc::Rc;

use windrow_dom::NodeId;
use windrow_xpath::{Node, path_of};

use super::cut::cuts;
use super::heading;
use super::label::{self, Label, LabelKind};
use super::names::likeness;
use super::part::Cutting;
use super::path::{Mark, down, lasting_classes, lasting_end, lasting_id, plain_down, quoted, tag};
use super::shape::{self, Shape};
use super::way::{Kind, Way};
use crate::labels::Place;
use crate::reading::Reading;

/// Elements around a place that are looked at for something to hold on to.
const AROUND: usize = 10;
/// Elements with a name that ways down begin at.
const ANCHORS: usize = 2;

/// What a class costs more whose element is around a heading: on other pages more may be in there. Set by hand, a bit less
/// than what its name can take off; open recipes come out as before.
const AROUND_HEADING: f32 = 0.4;

/// Elements around a value and its label that may be named after the field, bytes of their text, and how much of the name
/// must be the field's: `recipe-cook-time-container` is a block of `cook_time`. Set by hand.
const BLOCKS: usize = 3;
const BLOCK: usize = 80;
const NAMED: f32 = 0.5;

/// Steps that an absolute path may have.
const DEEPEST: usize = 200;

/// How close the text that a way finds must be to the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fit {
    /// It must look like the value, if that has a shape.
    Close,
    /// Any text will do.
    Loose,
}

/// What is known of a place before expressions are written for it.
pub(crate) struct Site<'r, 'd> {
    pub(crate) reading: &'r Reading<'d>,
    pub(crate) place: Place,
    /// What the field is called.
    name: &'r str,
    /// The node, and the elements around it that have no other text, the innermost first.
    pub(crate) levels: Vec<NodeId>,
    /// What is in front of it.
    pub(crate) labels: Vec<Label>,
    shape: Option<Rc<Shape>>,
}

impl<'r, 'd> Site<'r, 'd> {
    pub(crate) fn new(reading: &'r Reading<'d>, place: &Place, name: &'r str) -> Site<'r, 'd> {
        let document = reading.document;
        let mut levels = vec![place.node];
        if place.attribute.is_none() {
            let own = reading.range(place.node);
            let around = document.ancestors(place.node).take(AROUND);
            let same = around.take_while(|&id| {
                let structure = matches!(document.name(id), Some("body" | "html" | "tr" | "tbody" | "table"));
                reading.range(id) == own && !own.is_empty() && !structure
            });
            levels.extend(same.filter(|&id| document.is_element(id)));
        }
        let outermost = levels.last().copied().unwrap_or(place.node);
        let labels = label::labels(reading, outermost, name);
        let value = place.text(document);
        let shape = shape::of(&value).filter(|_| place.attribute.is_none() && place.part.is_none());
        Site { reading, place: place.clone(), name, levels, labels, shape: shape.map(Rc::new) }
    }

    /// Its value.
    pub(crate) fn value(&self) -> String {
        self.place.text(self.reading.document)
    }

    /// How much something at the place says that it is the field: from 0 to 1.
    pub(crate) fn named(&self) -> f32 {
        let document = self.reading.document;
        let labels = self.labels.iter().map(|label| label.likeness);
        let around = self.levels.iter().copied().chain(document.ancestors(self.place.node).take(2));
        let attributes = around.flat_map(|id| {
            ["id", "class", "itemprop"].map(|name| likeness(self.name, document.attr(id, name).unwrap_or_default()))
        });
        labels.chain(attributes).fold(0.0, f32::max)
    }

    /// The ways to the place, the best first.
    pub(crate) fn ways(&self) -> Vec<Way> {
        let mut ways = Vec::new();
        self.by_attributes(&mut ways);
        self.by_label(&mut ways);
        self.by_class(&mut ways);
        self.by_heading(&mut ways);
        self.by_anchor(&mut ways);
        self.by_words_inside(&mut ways);
        self.by_shape(&mut ways);
        if self.reading.document.ancestors(self.place.node).take(DEEPEST).count() < DEEPEST {
            let path = path_of(self.reading.document, Node::node(self.place.node)) + &self.tail();
            self.add(Way::new(Kind::Absolute, path), Fit::Close, &mut ways);
        }
        if self.place.part.is_some() {
            let cuts = self.cuts();
            let cut = |way: &Way, number: usize| {
                let cut = cuts.get(number)?.clone();
                Some(way.clone().cut(cut).costing(0.3 * number as f32))
            };
            ways = ways.iter().flat_map(|way| [cut(way, 0), cut(way, 1)]).flatten().collect();
        }
        ways.sort_by(|one, two| one.cost.total_cmp(&two.cost));
        ways
    }

    /// What may be cut from the text of the node, if the value is a part of it.
    fn cuts(&self) -> Vec<Cutting> {
        match (&self.place.part, &self.place.attribute) {
            (Some(part), None) => cuts(self.reading.of(self.place.node), part.clone()),
            (Some(part), Some(name)) => {
                cuts(self.reading.document.attr(self.place.node, name).unwrap_or_default(), part.clone())
            }
            (None, _) => Vec::new(),
        }
    }

    /// Adds a way; if its text must be close to the value, with what the value looks like.
    fn add(&self, way: Way, fit: Fit, ways: &mut Vec<Way>) {
        match &self.shape {
            Some(shape) if fit == Fit::Close => ways.push(way.looking(shape)),
            _ => ways.push(way),
        }
    }

    /// Adds the ways to the innermost and to the outermost of the place's nodes, of which the first may be missing on
    /// other pages, and the other may hold more.
    fn add_both(&self, group: u32, ways: &mut Vec<Way>, write: impl Fn(NodeId) -> Option<Way>) {
        let outer = self.levels.last().copied().unwrap_or(self.place.node);
        let inner = if self.is_format(self.place.node) { outer } else { self.place.node };
        let mut add = |id: NodeId, fit: Fit, more: f32| {
            if let Some(mut way) = write(id) {
                way.group = group;
                self.add(way.costing(more), fit, ways);
            }
        };
        add(inner, Fit::Close, 0.0);
        if outer != inner || self.shape.is_some() {
            add(outer, Fit::Loose, 0.05);
        }
    }

    /// Whether a node only formats what the one around it holds: there may be several of them elsewhere.
    fn is_format(&self, id: NodeId) -> bool {
        let document = self.reading.document;
        let formats = matches!(document.name(id), Some("span" | "b" | "strong" | "i" | "em" | "font"));
        formats && document.attrs(id).next().is_none() && self.place.part.is_none() && self.place.attribute.is_none()
    }

    /// The step to the attribute, if that is the value.
    fn tail(&self) -> String {
        self.place.attribute.as_ref().map_or(String::new(), |name| format!("/@{name}"))
    }

    /// Ids and properties of the place's own elements.
    fn by_attributes(&self, ways: &mut Vec<Way>) {
        let document = self.reading.document;
        let tail = self.tail();
        for (number, &id) in self.levels.iter().enumerate() {
            let Some(tag) = tag(document, id) else { continue };
            let further = 0.02 * number as f32;
            if let Some(value) = lasting_id(document, id) {
                let xpath = format!("//{tag}[@id='{value}']{tail}");
                let way = Way::new(Kind::Id, xpath).costing(further - 0.5 * likeness(self.name, value));
                self.add(way, Fit::Loose, ways);
            }
            if let Some(end) = lasting_end(document, id).filter(|_| lasting_id(document, id).is_none()) {
                let way = Way::new(Kind::Id, format!("//{tag}[contains(@id, '{end}')]{tail}"));
                self.add(way.costing(0.6 + further - 0.5 * likeness(self.name, end)), Fit::Loose, ways);
            }
            for name in ["itemprop", "property", "data-testid", "data-field"] {
                let Some(value) = document.attr(id, name).and_then(quoted) else { continue };
                let way = Way::new(Kind::Property, format!("//{tag}[@{name}={value}]{tail}")).costing(further);
                self.add(way, Fit::Loose, ways);
            }
        }
    }

    fn by_label(&self, ways: &mut Vec<Way>) {
        for (number, label) in self.labels.iter().enumerate() {
            let kind = if label.is_sure() { Kind::Label } else { Kind::Words };
            let surely = label.likeness + if label.kind == LabelKind::Colon { 0.3 } else { 0.0 };
            let write = |id: NodeId, tail: &str| {
                let (xpath, siblings) = label::from_label(self.reading, label, id, tail)?;
                // What is far from a value names it only if it says so.
                let further = match (siblings, label.kind) {
                    (true, _) => 0.0,
                    (_, LabelKind::Colon) => 0.4,
                    _ => 1.4,
                };
                Some(Way::new(kind, xpath).costing(further - surely))
            };
            let group = 100 + number as u32;
            self.add_both(group, ways, |id| write(id, &self.tail()));
            self.add_beside(group, label, ways, &write);
        }
    }

    /// Ways that hold on to what the field is called and to nothing else. They come behind all ways to the place that say
    /// more, and outlive a redesign that keeps the label or the name of a block.
    pub(crate) fn by_name_alone(&self) -> impl Iterator<Item = Way> {
        self.by_label_alone().into_iter().chain(self.by_named_block())
    }

    /// The way by a class of an element around the label and the value that has the field's name: what looks like the value
    /// in there is it.
    fn by_named_block(&self) -> Option<Way> {
        let document = self.reading.document;
        let shape = self.shape.as_ref()?;
        let around = document.ancestors(self.place.node).filter(|id| !self.levels.contains(id)).take(BLOCKS);
        let short = around.take_while(|&id| self.reading.range(id).len() <= BLOCK);
        let mut named = short.flat_map(|id| lasting_classes(document, id));
        let word = named.find(|word| likeness(self.name, word) >= NAMED)?;
        // The first number in there, or nothing.
        let matches = Some(format!("^[^0-9]*{}(?: |$)", shape.pattern()));
        Some(Way::css(Kind::Class, format!(".{word}")).cut(Cutting { matches, ..Cutting::default() }))
    }

    /// The way that knows the label alone: what stands next behind these words, whatever elements both are in.
    fn by_label_alone(&self) -> Option<Way> {
        let telling = |label: &&Label| label.is_sure() && (self.shape.is_some() || label.kind == LabelKind::Colon);
        let label = self.labels.iter().find(telling).filter(|_| self.place.attribute.is_none())?;
        let test = heading::says(&label.text)?;
        // Not `//text()`: these are texts with a name. What is behind them is a text, and of what is around that the largest
        // that begins with such a value: it may be in several pieces.
        let seen = "[not(parent::script or parent::style)]";
        let text =
            format!("//*/text(){seen}[{test}]/following::text(){seen}[translate(normalize-space(), ':', '')][1]");
        let way = |steps: &str| Way::new(Kind::Label, text.clone() + steps);
        if self.place.part.is_some() {
            return Some(way("").cut(self.cuts().into_iter().next()?));
        }
        Some(match &self.shape {
            Some(shape) => way("/ancestor-or-self::node()[position() < 4]").looking(shape),
            None => way(""),
        })
    }

    /// A text in what stands beside a label: on other pages nothing may be around it, or something else.
    fn add_beside(&self, group: u32, label: &Label, ways: &mut Vec<Way>, write: &dyn Fn(NodeId, &str) -> Option<Way>) {
        let document = self.reading.document;
        if !document.is_text(self.place.node) || self.place.part.is_some() {
            return;
        }
        let Some(beside) = label::beside(self.reading, label, self.place.node).filter(|&id| document.is_element(id))
        else {
            return;
        };
        let way = match self.shape {
            Some(_) => write(beside, ""),
            None => write(beside, "/descendant::text()[normalize-space()][1]"),
        };
        if let Some(mut way) = way {
            way.group = group;
            self.add(way.costing(0.06), Fit::Close, ways);
        }
    }

    fn by_class(&self, ways: &mut Vec<Way>) {
        let document = self.reading.document;
        let mut in_heading = 0.0;
        for (number, &id) in self.levels.iter().enumerate() {
            let Some(tag) = tag(document, id) else { continue };
            for word in lasting_classes(document, id).take(3) {
                let way = Mark::class(document, id, word).way(Kind::Class, tag, &self.tail());
                let way = way.costing(in_heading + 0.02 * number as f32 - 0.5 * likeness(self.name, word));
                self.add(way, Fit::Loose, ways);
            }
            if matches!(tag, "h1" | "h2") {
                in_heading = AROUND_HEADING;
            }
        }
    }

    fn by_heading(&self, ways: &mut Vec<Way>) {
        let document = self.reading.document;
        let around = self.levels.iter().copied().chain(document.parent(self.place.node));
        for id in around {
            if let Some(tag @ ("h1" | "h2" | "h3")) = tag(document, id)
                && let Some(path) = down(document, id, if self.levels.contains(&id) { id } else { self.place.node })
            {
                self.add(Way::new(Kind::Heading, format!("//{tag}{path}{}", self.tail())), Fit::Loose, ways);
            }
        }
    }

    /// What an element around is known by, its tag, and what that costs.
    fn anchor(&self, above: NodeId) -> Option<(Mark<'d>, &'d str, f32)> {
        let document = self.reading.document;
        let name = tag(document, above).filter(|name| !matches!(*name, "body" | "html"))?;
        Some(match lasting_id(document, above) {
            Some(id) => (Mark::Id(id), name, 0.0),
            None => (Mark::class(document, above, lasting_classes(document, above).next()?), name, 0.6),
        })
    }

    /// Ways down from elements around that have a name.
    fn by_anchor(&self, ways: &mut Vec<Way>) {
        let document = self.reading.document;
        let target = self.place.node;
        let anchors = document.ancestors(target).take(AROUND).filter(|id| !self.levels.contains(id));
        let anchors = anchors.filter_map(|above| Some((above, self.anchor(above)?)));
        let outer = self.levels.last().copied().filter(|&id| id != target);
        for (number, (above, (mark, name, cost))) in anchors.take(ANCHORS).enumerate() {
            let steps = document.ancestors(target).take_while(|&id| id != above).count() as f32;
            for (level, target) in [Some(target), outer].into_iter().flatten().enumerate() {
                let plain = plain_down(document, above, target);
                let ranked = down(document, above, target);
                let same = plain == ranked;
                for (path, more) in [(plain, 0.0), (ranked.filter(|_| !same), 0.3)] {
                    let Some(path) = path else { continue };
                    let more = more + 0.05 * level as f32 + 0.3 * steps + 0.5 * number as f32;
                    let mut way = mark.way(Kind::Anchored, name, &(path + &self.tail()));
                    way.group = 200 + level as u32;
                    self.add(way.costing(cost + more), Fit::Close, ways);
                }
            }
        }
    }

    /// A label that the text begins with: `Pub. Date: June 2010`, whether all of it is wanted or what is behind it.
    fn by_words_inside(&self, ways: &mut Vec<Way>) {
        let document = self.reading.document;
        if self.place.attribute.is_some() {
            return;
        }
        let text = self.reading.of(self.place.node);
        let Some((words, rest)) = text.split_once(':') else { return };
        let in_front = self.place.part.as_ref().is_none_or(|part| words.len() < part.start);
        if words.is_empty() || words.len() > 32 || words.split_whitespace().count() > 3 || !in_front || rest.is_empty()
        {
            return;
        }
        let Some(literal) = quoted(&format!("{words}:")) else { return };
        for (number, &id) in self.levels.iter().enumerate() {
            let step = match document.parent(id) {
                Some(parent) if document.is_text(id) => tag(document, parent).map(|tag| format!("{tag}/text()")),
                _ => tag(document, id).map(str::to_owned),
            };
            let Some(step) = step else { continue };
            let way = Way::new(Kind::LabelInside, format!("//{step}[starts-with(normalize-space(), {literal})]"));
            self.add(way.costing(0.02 * number as f32), Fit::Loose, ways);
        }
    }

    /// The first text in a block around that looks like the value.
    fn by_shape(&self, ways: &mut Vec<Way>) {
        let document = self.reading.document;
        let Some(shape) = &self.shape else { return };
        let outermost = self.levels.last().copied().unwrap_or(self.place.node);
        let anchor = document.ancestors(outermost).take(AROUND).find_map(|above| self.anchor(above));
        if let Some((mark, name, _)) = anchor {
            ways.push(mark.way(Kind::Shaped, name, "//text()").looking(shape));
        }
    }
}
