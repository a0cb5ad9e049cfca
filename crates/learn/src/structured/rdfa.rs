//! RDFa: attributes that say of which thing (`typeof`, `resource`, `about`) which property (`property`, `rel`) is worth what.
//!
//! The sequence of RDFa 1.1 Core (section 7.5) with HTML's additions, as statements: subject, name, object. A thing with an
//! address is one item however often it is spoken of; things without are items of their own. What is spoken of
//! only as an object is no item but a text, its address. RDFa Lite is the part of it that has no `rel` and `about`.
//!
//! # Cost
//!
//! One walk over all elements, on pages that have `typeof` or `property` only.

use std::rc::Rc;

use hashbrown::{HashMap, HashSet};
use windrow_dom::names;
use windrow_dom::{Document, NodeId};

use super::graph::Graph;
use super::{ItemId, Syntax, Value, vocabulary};

const SYNTAX: Syntax = Syntax::Rdfa;

/// Bytes of a vocabulary or prefix's address; longer ones are not heeded. Names are made of these, each time anew.
const MAX_ADDRESS_BYTES: usize = 300;

/// Prefixes in force at one place, and names that one attribute may have. Pages declare a dozen; a lookup compares all.
const MAX_DECLARED: usize = 64;

/// Reads the page's RDFa.
pub(super) fn read(graph: &mut Graph<'_>) {
    let document = graph.document;
    let mut reader = Reader {
        graph,
        things: vec![Thing { node: document.root(), address: None }],
        addresses: HashMap::new(),
        types: Vec::new(),
        statements: Vec::new(),
        known: HashSet::new(),
    };
    let mut open = vec![Frame {
        end: NodeId::from_index(document.len()),
        subject: PAGE,
        object: PAGE,
        hanging: Rc::default(),
        names: Rc::default(),
    }];
    for node in document.nodes() {
        while open.len() > 1 && open.pop_if(|frame| frame.end <= node).is_some() {}
        if let (Some(attributes), Some(frame)) = (Attributes::of(document, node), open.last())
            && let Some(inner) = reader.element(node, &attributes, frame)
        {
            open.push(inner);
        }
    }
    reader.tell();
}

/// The page itself, as a thing.
const PAGE: ThingId = ThingId(0);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct ThingId(u32);

struct Thing {
    node: NodeId,
    address: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Object {
    Thing(ThingId),
    Text(String),
}

struct Statement {
    subject: ThingId,
    name: Rc<str>,
    object: Object,
    node: NodeId,
}

/// What holds below an element.
struct Frame {
    end: NodeId,
    subject: ThingId,
    object: ThingId,
    /// Names said by `rel` and `rev` whose object is still to come; true for `rev`.
    hanging: Rc<Vec<(Rc<str>, bool)>>,
    names: Rc<Names>,
}

/// What names mean: the declarations of an element and of those around it.
#[derive(Default)]
struct Names {
    vocabulary: Option<String>,
    prefixes: Vec<(String, String)>,
    /// Prefixes here and around.
    declared: usize,
    around: Option<Rc<Names>>,
}

impl Names {
    /// What names mean inside an element.
    fn inside(around: &Rc<Names>, attributes: &Attributes<'_>) -> Rc<Names> {
        if attributes.vocab.is_none() && attributes.prefix.is_none() && attributes.xmlns.is_empty() {
            return Rc::clone(around);
        }
        let mut prefixes: Vec<(String, String)> = Vec::new();
        let mut words = attributes.prefix.unwrap_or_default().split_whitespace();
        while let (Some(prefix), Some(address)) = (words.next(), words.next()) {
            prefixes.push((prefix.trim_end_matches(':').to_owned(), address.to_owned()));
            if prefixes.len() >= MAX_DECLARED {
                break;
            }
        }
        prefixes.extend(attributes.xmlns.iter().map(|&(prefix, address)| (prefix.to_owned(), address.to_owned())));
        prefixes.retain(|(prefix, address)| !prefix.is_empty() && address.len() <= MAX_ADDRESS_BYTES);
        prefixes.truncate(MAX_DECLARED.saturating_sub(around.declared));
        let vocabulary = match attributes.vocab.map(str::trim) {
            None => around.vocabulary.clone(),
            Some("") => None,
            // Without the slash, names would be hosts.
            Some(vocabulary) if vocabulary.ends_with("schema.org") => Some(format!("{vocabulary}/")),
            Some(vocabulary) => Some(vocabulary.to_owned()).filter(|it| it.len() <= MAX_ADDRESS_BYTES),
        };
        let declared = around.declared;
        // Only what declares prefixes is worth a link of the chain, which the depth of the page bounds.
        let around = match around.prefixes.is_empty() {
            true => around.around.clone(),
            false => Some(Rc::clone(around)),
        };
        Rc::new(Names { vocabulary, declared: declared + prefixes.len(), prefixes, around })
    }

    fn prefix(&self, prefix: &str) -> Option<&str> {
        let mut at = self;
        loop {
            let found = at.prefixes.iter().rev().find(|(known, _)| known.eq_ignore_ascii_case(prefix));
            match (found, &at.around) {
                (Some((_, address)), _) => return Some(address),
                (None, Some(around)) => at = around,
                (None, None) => return vocabulary::initial(prefix),
            }
        }
    }

    /// A name in full, and bare where it is schema.org's; none if it means nothing here.
    fn expand(&self, name: &str) -> Option<Rc<str>> {
        let full = match name.split_once(':') {
            Some(("_", _)) => return None,
            Some((_, rest)) if rest.starts_with("//") => name.to_owned(),
            Some((prefix, rest)) => match self.prefix(prefix) {
                Some(address) => format!("{address}{rest}"),
                // As the standard has it: with a prefix nobody declared it is an address by itself.
                None => name.to_owned(),
            },
            None => format!("{}{name}", self.vocabulary.as_deref()?),
        };
        Some(vocabulary::bare(&full).into())
    }

    /// The address in a `resource` or `about`: a CURIE in brackets or not, or a link.
    fn resource(&self, text: &str) -> Address {
        let text = text.trim();
        let safe = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        let curie = safe.unwrap_or(text);
        match curie.split_once(':') {
            Some(("_", _)) => Address::Blank(curie.to_owned()),
            Some((prefix, rest)) if !rest.starts_with("//") => match self.prefix(prefix) {
                Some(address) => Address::Full(format!("{address}{rest}")),
                None => Address::Link(curie.to_owned()),
            },
            _ => Address::Link(curie.to_owned()),
        }
    }
}

enum Address {
    Blank(String),
    Full(String),
    Link(String),
}

/// The attributes of an element that RDFa looks at.
#[derive(Default)]
struct Attributes<'d> {
    about: Option<&'d str>,
    resource: Option<&'d str>,
    href: Option<&'d str>,
    src: Option<&'d str>,
    type_of: Option<&'d str>,
    property: Option<&'d str>,
    rel: Option<&'d str>,
    rev: Option<&'d str>,
    content: Option<&'d str>,
    datatype: Option<&'d str>,
    datetime: Option<&'d str>,
    value: Option<&'d str>,
    vocab: Option<&'d str>,
    prefix: Option<&'d str>,
    xmlns: Vec<(&'d str, &'d str)>,
}

impl<'d> Attributes<'d> {
    /// The attributes of an element, if it has one that changes anything.
    fn of(document: &'d Document, node: NodeId) -> Option<Attributes<'d>> {
        let element = document.name_id(node)?;
        let mut found = Attributes::default();
        for attr in document.attrs(node) {
            let value = attr.value();
            match attr.name_id() {
                names::HREF => found.href = Some(value),
                names::SRC => found.src = Some(value),
                names::TYPEOF => found.type_of = Some(value),
                names::PROPERTY => found.property = Some(value),
                names::RESOURCE => found.resource = Some(value),
                names::CONTENT => found.content = Some(value),
                names::DATETIME => found.datetime = Some(value),
                names::VALUE => found.value = (element == names::DATA).then_some(value),
                names::VOCAB => found.vocab = Some(value),
                names::PREFIX => found.prefix = Some(value),
                // `nofollow` and its like are said of links, not of the page's things.
                names::REL => found.rel = value.contains(':').then_some(value),
                names::REV => found.rev = value.contains(':').then_some(value),
                _ => match attr.name() {
                    "about" => found.about = Some(value),
                    "datatype" => found.datatype = Some(value),
                    name => {
                        if let Some(prefix) = name.strip_prefix("xmlns:")
                            && found.xmlns.len() < MAX_DECLARED
                        {
                            found.xmlns.push((prefix, value));
                        }
                    }
                },
            }
        }
        // The Open Graph's are read as meta tags.
        if element == names::META && found.property.is_some_and(vocabulary::is_social) {
            return None;
        }
        let changes = [
            found.about,
            found.resource,
            found.href,
            found.src,
            found.type_of,
            found.property,
            found.rel,
            found.rev,
            found.vocab,
            found.prefix,
        ];
        (changes.iter().any(Option::is_some) || !found.xmlns.is_empty()).then_some(found)
    }
}

struct Reader<'g, 'd> {
    graph: &'g mut Graph<'d>,
    things: Vec<Thing>,
    addresses: HashMap<String, ThingId>,
    types: Vec<(ThingId, Rc<str>)>,
    statements: Vec<Statement>,
    /// Statements made: what is said twice is said once.
    known: HashSet<(ThingId, Rc<str>, Object)>,
}

impl Reader<'_, '_> {
    /// Reads one element; gives what holds below it, if that is not what holds around it.
    fn element(&mut self, node: NodeId, has: &Attributes<'_>, around: &Frame) -> Option<Frame> {
        let document = self.graph.document;
        let names = Names::inside(&around.names, has);
        let end = document.subtree_end(node);
        let is_root = document.parent(node) == Some(document.root());
        // HTML's addition: the head and the body speak of what the page speaks of.
        let stays = is_root || matches!(document.name_id(node), Some(names::HEAD | names::BODY));
        let resource = |text: Option<&str>| text.map(|text| names.resource(text));
        let link = |text: Option<&str>| text.map(|text| Address::Link(text.to_owned()));
        let about = resource(has.about).map(|about| self.thing(about, node));
        let own = resource(has.resource).or_else(|| link(has.href)).or_else(|| link(has.src));
        let own = own.map(|own| self.thing(own, node));
        let is_typed = has.type_of.is_some();

        let mut subject = about;
        let mut object = None;
        let mut typed = about.filter(|_| is_typed);
        let mut skip = false;
        if has.rel.is_some() || has.rev.is_some() {
            object = own;
            if is_typed && about.is_none() {
                object = object.or_else(|| self.blank(node));
                typed = object;
            }
        } else if has.property.is_some() && has.content.is_none() && has.datatype.is_none() {
            if is_typed && about.is_none() {
                typed = if is_root { Some(PAGE) } else { own.or_else(|| self.blank(node)) };
            }
            object = typed;
        } else {
            subject = subject.or(own);
            if subject.is_none() && is_typed && !stays {
                subject = self.blank(node);
            }
            skip = subject.is_none() && !stays && has.property.is_none();
            typed = subject.or(Some(around.object)).filter(|_| is_typed);
        }
        let subject = subject.unwrap_or(around.object);

        if let Some(typed) = typed {
            for name in has.type_of.unwrap_or_default().split_whitespace().filter_map(|name| names.expand(name)) {
                if !self.graph.step(SYNTAX, 1) {
                    break;
                }
                self.types.push((typed, name));
            }
        }
        let mut hanging = Vec::new();
        for (words, is_reverse) in [(has.rel, false), (has.rev, true)] {
            let prefixed = words.unwrap_or_default().split_whitespace().filter(|word| word.contains(':'));
            for name in prefixed.filter_map(|name| names.expand(name)).take(MAX_DECLARED) {
                match object {
                    Some(object) => self.state_way(subject, name, object, is_reverse, node),
                    None => hanging.push((name, is_reverse)),
                }
            }
        }
        if !hanging.is_empty() {
            object = self.blank(node);
        }
        if let Some(property) = has.property {
            let own = own.filter(|_| has.rel.is_none() && has.rev.is_none());
            let worth = self.worth(node, has, own, typed.filter(|_| about.is_none()));
            for name in property.split_whitespace().filter_map(|name| names.expand(name)).take(MAX_DECLARED) {
                self.state(subject, name, worth.clone(), node);
            }
        }
        if skip {
            let (subject, object, hanging) = (around.subject, around.object, Rc::clone(&around.hanging));
            return (!Rc::ptr_eq(&names, &around.names)).then_some(Frame { end, subject, object, hanging, names });
        }
        for (name, is_reverse) in around.hanging.iter() {
            self.state_way(around.subject, Rc::clone(name), subject, *is_reverse, node);
        }
        Some(Frame { end, subject, object: object.unwrap_or(subject), hanging: Rc::new(hanging), names })
    }

    /// What a property is worth.
    fn worth(&mut self, node: NodeId, has: &Attributes<'_>, own: Option<ThingId>, typed: Option<ThingId>) -> Object {
        if let Some(text) = has.content.or(has.datetime).or(has.value) {
            return Object::Text(self.graph.collapsed(SYNTAX, text));
        }
        match own.or(typed).filter(|_| has.datatype.is_none()) {
            Some(thing) => Object::Thing(thing),
            None => Object::Text(self.graph.text(SYNTAX, node)),
        }
    }

    /// The thing of an address.
    fn thing(&mut self, address: Address, node: NodeId) -> ThingId {
        let (key, address) = match address {
            Address::Blank(name) => (name, None),
            Address::Full(address) => (address.clone(), Some(address)),
            Address::Link(link) if link.is_empty() => return PAGE,
            Address::Link(link) => {
                let address = self.graph.address(SYNTAX, &link);
                (address.clone(), Some(address))
            }
        };
        if let Some(&known) = self.addresses.get(&key) {
            return known;
        }
        let id = ThingId(self.things.len() as u32);
        self.things.push(Thing { node, address });
        self.addresses.insert(key, id);
        id
    }

    /// A thing without an address.
    fn blank(&mut self, node: NodeId) -> Option<ThingId> {
        let id = ThingId(self.things.len() as u32);
        self.things.push(Thing { node, address: None });
        Some(id)
    }

    fn state_way(&mut self, one: ThingId, name: Rc<str>, other: ThingId, is_reverse: bool, node: NodeId) {
        let (subject, object) = if is_reverse { (other, one) } else { (one, other) };
        self.state(subject, name, Object::Thing(object), node);
    }

    fn state(&mut self, subject: ThingId, name: Rc<str>, object: Object, node: NodeId) {
        if self.graph.step(SYNTAX, 1) && self.known.insert((subject, Rc::clone(&name), object.clone())) {
            self.statements.push(Statement { subject, name, object, node });
        }
    }

    /// Makes items of the things something was said of.
    fn tell(self) {
        let Reader { graph, things, types, statements, .. } = self;
        let mut speaks = vec![false; things.len()];
        let mut is_value = vec![false; things.len()];
        types.iter().for_each(|(thing, _)| speaks[thing.0 as usize] = true);
        for statement in &statements {
            speaks[statement.subject.0 as usize] = true;
            if let Object::Thing(object) = statement.object
                && object != statement.subject
            {
                is_value[object.0 as usize] = true;
            }
        }
        let mut items: Vec<Option<ItemId>> = Vec::with_capacity(things.len());
        for (index, thing) in things.iter().enumerate() {
            let item = speaks[index].then(|| graph.item(SYNTAX, thing.node, !is_value[index])).flatten();
            if let Some(item) = item {
                graph.get(item).id.clone_from(&thing.address);
            }
            items.push(item);
        }
        for (thing, name) in types {
            if let Some(item) = items[thing.0 as usize] {
                graph.add_type(item, &name);
            }
        }
        for Statement { subject, name, object, node } in statements {
            let Some(owner) = items[subject.0 as usize] else { continue };
            let value = match object {
                Object::Text(text) => Value::Text(text),
                Object::Thing(thing) => match (items[thing.0 as usize], &things[thing.0 as usize].address) {
                    (Some(item), _) => Value::Item(item),
                    (None, Some(address)) => Value::Text(address.clone()),
                    (None, None) => continue,
                },
            };
            graph.property(owner, &name, value, Some(node));
        }
    }
}
