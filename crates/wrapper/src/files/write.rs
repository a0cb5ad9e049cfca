//! Builds the tree of a wrapper for both printers: everything in its shortest form, keys in the order of the
//! documentation.

use super::node::{Entry, Node, Value};
use crate::values::Type;
use crate::wrapper::{Column, Find, Follow, Kind, Landmark, Locator, Rule, Search, Slice, Take, Text, Until, Wrapper};

/// Builds the tree of a wrapper file.
pub(crate) fn document(wrapper: &Wrapper) -> Node {
    let mut entries = Vec::new();
    let texts = [
        ("name", wrapper.name.as_deref()),
        ("description", wrapper.description.as_deref()),
        ("url", wrapper.url.as_deref()),
    ];
    for (key, text) in texts {
        entries.extend(text.map(|text| Entry::new(key, text)));
    }
    if let Some(learned) = &wrapper.learned {
        let mut table = vec![Entry::new("by", learned.by.as_str())];
        match learned.from.as_slice() {
            [] => {}
            [from] => table.push(Entry::new("from", from.as_str())),
            several => {
                let from: Vec<Node> = several.iter().map(|from| from.as_str().into()).collect();
                table.push(Entry::new("from", from));
            }
        }
        table.extend(learned.at.clone().map(|at| Entry::new("at", Value::Datetime(at))));
        entries.push(Entry::new("learned", Node::table(table)));
    }
    if wrapper.follow != Follow::default() {
        let Follow { depth, pages } = wrapper.follow;
        entries.push(Entry::new("follow", Node::table(vec![Entry::new("depth", depth), Entry::new("pages", pages)])));
    }
    entries.extend(wrapper.search.as_ref().map(|search| Entry::new("search", self::search(search))));
    sections(&wrapper.rules, &mut entries);
    Node::table(entries)
}

fn search(search: &Search) -> Node {
    let usual = Search::default();
    let mut entries = vec![Entry::new("url", &*search.url)];
    let numbers =
        [("first", search.first, usual.first), ("step", search.step, usual.step), ("pages", search.pages, usual.pages)];
    for (key, number, _) in numbers.into_iter().filter(|(_, number, usual)| number != usual) {
        entries.push(Entry::new(key, number));
    }
    entries.extend(search.link.as_deref().map(|link| Entry::new("link", link)));
    Node::table(entries)
}

/// Adds the rules of a scope, sorted into sections; the order within each is kept.
fn sections(rules: &[Rule], entries: &mut Vec<Entry>) {
    let of = |kind: Kind| rules.iter().filter(move |rule| rule.kind == kind);
    let named = |kind: Kind, node: fn(&Rule) -> Node| -> Vec<Entry> {
        of(kind).map(|rule| Entry::new(&*rule.name, node(rule))).collect()
    };
    let saves: Vec<Node> = of(Kind::Save).map(save).collect();
    if !saves.is_empty() {
        entries.push(Entry::new("save", saves));
    }
    for (key, rules) in
        [("field", named(Kind::Field, field)), ("group", named(Kind::Group, group)), ("list", named(Kind::List, list))]
    {
        if !rules.is_empty() {
            entries.push(Entry::new(key, Node::table(rules)));
        }
    }
}

fn field(rule: &Rule) -> Node {
    let mut entries = locator_keys(&rule.locator);
    common(rule, &mut entries);
    shortened("find", entries)
}

fn group(rule: &Rule) -> Node {
    let mut entries = Vec::new();
    if !rule.locator.is_scope() {
        entries.push(Entry::new("at", locator(&rule.locator)));
    }
    take(&rule.take, &mut entries);
    common(rule, &mut entries);
    sections(&rule.rules, &mut entries);
    Node::table(entries)
}

fn list(rule: &Rule) -> Node {
    let mut entries = vec![Entry::new("records", locator(&rule.locator))];
    key(&rule.key, &mut entries);
    common(rule, &mut entries);
    sections(&rule.rules, &mut entries);
    shortened("records", entries)
}

fn save(rule: &Rule) -> Node {
    let mut entries = locator_keys(&rule.locator);
    entries.push(Entry::new("into", rule.rules.iter().map(into).collect::<Vec<_>>()));
    common(rule, &mut entries);
    Node::table(entries)
}

/// Builds the value of a single rule, without the rules below it and without its path.
pub(crate) fn alone(rule: &Rule) -> Node {
    // Not a clone, which would copy all the rules below.
    let mut bare = Rule::field(rule.name.clone(), rule.locator.clone()).typed(rule.ty);
    (bare.kind, bare.optional, bare.members) = (rule.kind, rule.optional, rule.members);
    (bare.label, bare.take, bare.key) = (rule.label.clone(), rule.take.clone(), rule.key.clone());
    match rule.kind {
        Kind::Field => field(&bare),
        Kind::Group => group(&bare),
        Kind::List => list(&bare),
        Kind::Save => {
            let mut entries = locator_keys(&bare.locator);
            common(&bare, &mut entries);
            Node::table(entries)
        }
    }
}

/// Builds the entry for one saved text. Its keys determine the kind: see the reader.
fn into(rule: &Rule) -> Node {
    if rule.kind == Kind::Save {
        return save(rule);
    }
    let mut entries = vec![Entry::new("name", &*rule.name)];
    match rule.kind {
        Kind::List => {
            entries.push(Entry::new("records", locator(&rule.locator)));
            key(&rule.key, &mut entries);
        }
        Kind::Group if rule.rules.is_empty() && rule.take.is_empty() => {
            entries.push(Entry::new("at", locator(&rule.locator)));
        }
        _ => entries.append(&mut locator_keys(&rule.locator)),
    }
    take(&rule.take, &mut entries);
    common(rule, &mut entries);
    sections(&rule.rules, &mut entries);
    shortened("name", entries)
}

fn take(takes: &[Take], entries: &mut Vec<Entry>) {
    if !takes.is_empty() {
        let takes = takes.iter().map(|take| Entry::new(&*take.label, &*take.variable)).collect();
        entries.push(Entry::new("take", Node::table(takes)));
    }
}

/// Adds the fields of a record's key; a single one by its name alone.
fn key(key: &[Text], entries: &mut Vec<Entry>) {
    match key {
        [] => {}
        [only] => entries.push(Entry::new("key", &**only)),
        several => {
            let names: Vec<Node> = several.iter().map(|name| (&**name).into()).collect();
            entries.push(Entry::new("key", names));
        }
    }
}

/// Adds the keys common to all kinds of rules.
fn common(rule: &Rule, entries: &mut Vec<Entry>) {
    if rule.ty != Type::default() {
        entries.push(Entry::new("type", rule.ty.name()));
    }
    if rule.optional {
        entries.push(Entry::new("optional", true));
    }
    entries.extend(rule.label.as_deref().map(|label| Entry::new("label", label)));
    entries.extend(rule.members.map(|members| Entry::new("members", slice(members))));
    entries.extend(rule.path.as_deref().map(|path| Entry::new("path", path)));
}

/// Returns a table, or the string it can be shortened to if it contains only this key.
fn shortened(key: &str, entries: Vec<Entry>) -> Node {
    match entries.as_slice() {
        [only] if &*only.key == key && matches!(only.node.value, Value::String(_)) => only.node.clone(),
        _ => Node::table(entries),
    }
}

/// Builds a locator as a table, even if it could be shortened.
pub(crate) fn locator_table(locator: &Locator) -> Node {
    Node::table(locator_keys(locator))
}

fn locator(locator: &Locator) -> Node {
    shortened("find", locator_keys(locator))
}

fn locator_keys(locator: &Locator) -> Vec<Entry> {
    let mut entries = Vec::new();
    entries.extend(find(&locator.find));
    if let Some(until) = &locator.until {
        let node = match until {
            Until::Next => "next".into(),
            Until::Before(expression) if &**expression == "next" => {
                Node::table(vec![Entry::new("before", &**expression)])
            }
            Until::Before(expression) => (&**expression).into(),
        };
        entries.push(Entry::new("until", node));
    }
    entries.extend(locator.slice.map(|members| Entry::new("slice", slice(members))));
    for (key, text) in [
        ("without", &locator.without),
        ("after", &locator.after),
        ("before", &locator.before),
        ("match", &locator.matches),
    ] {
        entries.extend(text.as_deref().map(|text| Entry::new(key, text)));
    }
    entries.extend(locator.then.as_deref().map(|then| Entry::new("then", self::locator(then))));
    entries
}

fn find(find: &Find) -> Option<Entry> {
    let key = find.name()?;
    Some(match find {
        Find::Scope => return None,
        Find::Expression(text) => Entry::new(key, &**text),
        Find::XPath(text) => Entry::new(key, &**text),
        Find::Css(text) => Entry::new(key, &**text),
        Find::Pattern(text) => Entry::new(key, &**text),
        Find::Split(text) => Entry::new(key, &**text),
        Find::Landmark(Landmark::Each(each)) => Entry::new(key, Node::table(vec![Entry::new("each", &**each)])),
        Find::Landmark(Landmark::Between { start, end }) => {
            let mut table = vec![Entry::new("start", &**start)];
            table.extend(end.as_deref().map(|end| Entry::new("end", end)));
            Entry::new(key, Node::table(table))
        }
        Find::Table(inner) if inner.is_scope() => Entry::new(key, true),
        Find::Table(inner) => Entry::new(key, locator(inner)),
        Find::Column(Column::Named(name)) => Entry::new(key, &**name),
        Find::Column(Column::Number(number)) => Entry::new(key, *number),
        Find::Case(cases) => Entry::new(key, cases.iter().map(locator).collect::<Vec<_>>()),
        Find::Get(inner) => Entry::new(key, locator(inner)),
    })
}

fn slice(slice: Slice) -> Node {
    match slice {
        Slice::Range { skip, drop } => vec![skip.into(), drop.into()].into(),
        Slice::Index(index) => index.into(),
    }
}
