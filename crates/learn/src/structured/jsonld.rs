//! JSON-LD: blocks of JSON whose objects are items, tied together by `@id`.
//!
//! All blocks of a page are one graph: objects of one `@id` are one item, wherever they stand, and an object that says nothing
//! but its `@id` refers to it. Contexts are read as far as the page writes them out (terms, prefixes, `@vocab`,
//! aliases of keywords); none is fetched, so names of a context elsewhere stay as they are.

use std::borrow::Cow;

use hashbrown::{HashMap, HashSet};
use windrow_dom::{NodeId, Span};

use super::graph::Graph;
use super::json::{self, Json};
use super::{ItemId, MAX_JSON_DEPTH, MAX_JSON_VALUES, Note, Syntax, Value, vocabulary};

const SYNTAX: Syntax = Syntax::JsonLd;

/// Bytes of what a term or prefix of a context stands for; longer ones are not heeded. Names are made of these, each time
/// anew: an address of a megabyte would be copied for each.
const MAX_MEANING_BYTES: usize = 300;

type Members<'a> = [(Cow<'a, str>, Json<'a>)];

/// Reads the page's blocks of JSON-LD.
pub(super) fn read(graph: &mut Graph<'_>, scripts: &[NodeId]) {
    let document = graph.document;
    let mut values_left = MAX_JSON_VALUES;
    let mut blocks = Vec::new();
    for &script in scripts {
        let Some(text) = document.first_child(script).filter(|&node| document.is_text(node)) else { continue };
        let reading = json::read(document.text(text), MAX_JSON_DEPTH, &mut values_left);
        if let Some(at) = reading.broken {
            let span = document.span(text).unwrap_or_default();
            // Offsets in the text are offsets in the source unless the parser replaced characters.
            let shift = if span.len() == document.text(text).len() { at } else { 0 };
            graph.note(Note::BrokenJson { node: script, span: Span { start: span.start + shift as u32, ..span } });
        }
        if reading.deep {
            graph.note(Note::DeepJson { node: script });
        }
        if values_left == 0 {
            graph.cut(SYNTAX, "MAX_JSON_VALUES");
        }
        blocks.push((script, reading.values));
    }

    let mut reader = Reader { graph, told: HashSet::new(), items: HashMap::new(), script: NodeId::ROOT };
    for (_, values) in &blocks {
        values.iter().for_each(|value| reader.hear(value, &Context::default()));
    }
    for (script, values) in &blocks {
        reader.script = *script;
        values.iter().for_each(|value| reader.stand(value, &Context::default()));
    }
}

struct Reader<'g, 'd> {
    graph: &'g mut Graph<'d>,
    /// Ids of which the page says something somewhere.
    told: HashSet<String>,
    items: HashMap<String, ItemId>,
    script: NodeId,
}

impl Reader<'_, '_> {
    /// Notes which ids the page says something about: only to them can be referred.
    fn hear(&mut self, value: &Json<'_>, context: &Context<'_>) {
        match value {
            Json::Array(values) => values.iter().for_each(|value| self.hear(value, context)),
            Json::Object(members) => {
                let context = &context.inside(members);
                if !is_reference(members, context)
                    && let Some(id) = id_of(members, context)
                {
                    let id = self.graph.identity(SYNTAX, id);
                    self.told.insert(id);
                }
                members.iter().filter(|(name, _)| name != "@context").for_each(|(_, value)| self.hear(value, context));
            }
            _ => {}
        }
    }

    /// A value that stands for itself: a block's, or one of a `@graph`.
    fn stand(&mut self, value: &Json<'_>, context: &Context<'_>) {
        match value {
            Json::Array(values) => values.iter().for_each(|value| self.stand(value, context)),
            Json::Object(members) => {
                let inner = &context.inside(members);
                let says = |(name, _): &(Cow<'_, str>, Json<'_>)| {
                    !matches!(inner.expand(name).as_ref(), "@context" | "@graph" | "@included" | "@id")
                };
                match members.iter().any(says) {
                    true => self.object(members, context, true, &mut Vec::new()),
                    false => self.graphs(members, inner),
                }
            }
            _ => {}
        }
    }

    /// The items of an object's `@graph`.
    fn graphs(&mut self, members: &Members<'_>, context: &Context<'_>) {
        for (name, value) in members {
            if matches!(context.expand(name).as_ref(), "@graph" | "@included") {
                self.stand(value, context);
            }
        }
    }

    /// What a property is worth, lists taken apart.
    fn values(&mut self, value: &Json<'_>, context: &Context<'_>, out: &mut Vec<Value>) {
        match value {
            Json::Null => {}
            Json::Word(text) => out.push(Value::Text(self.graph.collapsed(SYNTAX, text))),
            Json::Text(text) => out.push(Value::Text(self.graph.collapsed(SYNTAX, text))),
            Json::Array(values) => values.iter().for_each(|value| self.values(value, context, out)),
            Json::Object(members) => self.object(members, context, false, out),
        }
    }

    /// An object: an item, a reference to one, a value with its language or type, a list.
    fn object(&mut self, members: &Members<'_>, context: &Context<'_>, top: bool, out: &mut Vec<Value>) {
        let context = &context.inside(members);
        let keyword = |wanted: &str| members.iter().find(|(name, _)| context.expand(name) == wanted);
        for wrapped in ["@value", "@list", "@set"] {
            if let Some((_, value)) = keyword(wrapped) {
                return self.values(value, context, out);
            }
        }
        let id = id_of(members, context).map(|id| self.graph.identity(SYNTAX, id)).filter(|id| !id.is_empty());
        if let Some(id) = &id
            && is_reference(members, context)
            && !self.told.contains(id)
        {
            return out.push(Value::Text(id.clone()));
        }
        if id.is_none() && is_reference(members, context) {
            return; // An empty object says nothing.
        }
        let Some(item) = self.item(id, top) else { return };
        out.push(Value::Item(item));
        for (name, value) in members {
            match context.expand(name).as_ref() {
                "@type" => self.types(item, value, context),
                "@graph" | "@included" => self.stand(value, context),
                "@reverse" => self.reverse(item, value, context),
                name if name.starts_with('@') => {}
                name => {
                    let mut values = Vec::new();
                    self.values(value, context, &mut values);
                    for value in values {
                        self.graph.property(item, name, value, None);
                    }
                }
            }
        }
    }

    /// The item of an id, or a new one.
    fn item(&mut self, id: Option<String>, top: bool) -> Option<ItemId> {
        if let Some(known) = id.as_ref().and_then(|id| self.items.get(id)).copied() {
            self.graph.repeats(known);
            self.graph.get(known).top |= top;
            return Some(known);
        }
        let item = self.graph.item(SYNTAX, self.script, top)?;
        if let Some(id) = id {
            self.graph.get(item).id = Some(id.clone());
            self.items.insert(id, item);
        }
        Some(item)
    }

    fn types(&mut self, item: ItemId, value: &Json<'_>, context: &Context<'_>) {
        match value {
            Json::Text(name) => self.graph.add_type(item, &context.expand(name)),
            Json::Array(values) => values.iter().for_each(|value| self.types(item, value, context)),
            _ => {}
        }
    }

    /// Properties that others have, their value being this item.
    fn reverse(&mut self, item: ItemId, value: &Json<'_>, context: &Context<'_>) {
        let Json::Object(members) = value else { return };
        for (name, value) in members {
            let mut values = Vec::new();
            self.values(value, context, &mut values);
            for value in values {
                if let Value::Item(other) = value {
                    self.graph.property(other, &context.expand(name), Value::Item(item), None);
                }
            }
        }
    }
}

/// The id of an object, if it is written as a text.
fn id_of<'a>(members: &'a Members<'_>, context: &Context<'_>) -> Option<&'a str> {
    members.iter().find_map(|(name, value)| match value {
        Json::Text(id) if context.expand(name) == "@id" => Some(id.as_ref()),
        _ => None,
    })
}

/// Whether an object says nothing but whom it means.
fn is_reference(members: &Members<'_>, context: &Context<'_>) -> bool {
    members.iter().all(|(name, _)| matches!(context.expand(name).as_ref(), "@id" | "@context" | "@index"))
}

/// Contexts inside each other; further ones are not heeded. Pages have one, and a lookup probes each.
const MAX_CONTEXTS: usize = 8;

/// What names mean inside an object: its own context before those around it.
#[derive(Default)]
struct Context<'a> {
    terms: HashMap<&'a str, &'a str>,
    vocabulary: Option<&'a str>,
    around: Option<&'a Context<'a>>,
    /// Contexts around this one.
    depth: usize,
}

impl<'a> Context<'a> {
    /// The context inside an object.
    fn inside(&'a self, members: &'a Members<'_>) -> Context<'a> {
        let around = if self.terms.is_empty() { self.around } else { Some(self) };
        let depth = self.depth + usize::from(!self.terms.is_empty());
        let mut inner = Context { terms: HashMap::new(), vocabulary: self.vocabulary, around, depth };
        if let Some((_, context)) = members.iter().find(|(name, _)| name == "@context")
            && depth < MAX_CONTEXTS
        {
            inner.declare(context);
        }
        inner
    }

    fn declare(&mut self, context: &'a Json<'_>) {
        match context {
            Json::Array(contexts) => contexts.iter().for_each(|context| self.declare(context)),
            Json::Object(members) => {
                for (name, value) in members {
                    let meaning = match value {
                        Json::Text(meaning) => Some(meaning),
                        Json::Object(definition) => definition.iter().find_map(|(name, value)| match value {
                            Json::Text(meaning) if name == "@id" => Some(meaning),
                            _ => None,
                        }),
                        _ => None,
                    };
                    let meaning = meaning.map(|meaning| meaning.as_ref()).filter(|it| it.len() <= MAX_MEANING_BYTES);
                    match (name.as_ref(), meaning) {
                        ("@vocab", meaning) => {
                            let probe = format!("{}x", meaning.unwrap_or_default());
                            self.vocabulary = meaning.filter(|_| vocabulary::bare(&probe) != "x");
                        }
                        (name, Some(meaning)) if !name.starts_with('@') => {
                            self.terms.insert(name, meaning);
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    fn term(&self, name: &str) -> Option<&'a str> {
        let mut at = self;
        loop {
            match (at.terms.get(name), at.around) {
                (Some(meaning), _) => return Some(meaning),
                (None, Some(around)) => at = around,
                (None, None) => return None,
            }
        }
    }

    /// A name in full, and bare where it is schema.org's; keywords (`@id`) as keywords, also by an alias.
    fn expand<'n>(&self, name: &'n str) -> Cow<'n, str>
    where
        'a: 'n,
    {
        if name.starts_with('@') {
            return Cow::Borrowed(name);
        }
        // `@vocab` and prefixes of schema.org lead back to the bare name; the common page has no terms at all.
        let name = self.term(name).unwrap_or(name);
        if let Some((prefix, rest)) = name.split_once(':') {
            return match self.term(prefix) {
                Some(meaning) if !rest.starts_with("//") => owned_bare(format!("{meaning}{rest}")),
                _ => Cow::Borrowed(vocabulary::bare(name)),
            };
        }
        match self.vocabulary {
            Some(vocabulary) if !name.starts_with('@') => owned_bare(format!("{vocabulary}{name}")),
            _ => Cow::Borrowed(name),
        }
    }
}

fn owned_bare(name: String) -> Cow<'static, str> {
    match vocabulary::bare(&name) {
        bare if bare.len() == name.len() => Cow::Owned(name),
        bare => Cow::Owned(bare.to_owned()),
    }
}
