//! The fields that tell one record of a list from another: whether a key names such fields, and what these are called in
//! the objects.
//!
//! A key names rules, as everything in a wrapper does: a field of the list, one that a pattern saves or a temporary
//! group holds, or with a point between them a field of a group. The objects are called by labels, so callers who see
//! only objects are told the labels.
//!
//! Like a path, a key rules nothing while a page is read. A wrong one would be met only when records are kept, so it is
//! found with the other mistakes instead.
//!
//! # Cost
//!
//! Linear in the wrapper: a key has at most [`FIELDS`] names, each is looked for among the rules of its own list, and the
//! names that a hint chooses from are bounded.

use crate::error::{WrapperError, nearest};
use crate::program::{DEPTH, lists_columns, names_in};
use crate::wrapper::{Kind, Rule, Take, Text};

/// Fields that a key may have: far more than it takes to tell records apart, and few enough to look each of them up.
pub(crate) const FIELDS: usize = 16;

/// What is to be done with a key where there are no records.
pub(crate) const ONLY_LISTS: &str = "a key tells the records of a list apart: it stands in the list, beside `records`";

/// Errors reported at most; nobody reads more.
const ERRORS: usize = 1000;

/// Names that a hint is chosen from, at most.
const CANDIDATES: usize = 200;

/// Names that a hint lists.
const LISTED: usize = 8;

/// Checks the keys of rules and of those below them.
pub(crate) fn check(rules: &[Rule], errors: &mut Vec<WrapperError>) {
    Checker { scopes: Vec::new(), errors }.scope(rules, 0);
}

/// What the fields of a list's key are called in its objects: labels, those of groups in front with a point. A name that
/// no rule has is that of a column, which only the page knows.
pub(crate) fn labels(list: &Rule) -> Vec<String> {
    let label = |name: &Text| {
        let mut way = Way::default();
        match find(&list.rules, name, &mut way, 0) {
            Some(_) => way.labels.join("."),
            None => name.value.clone(),
        }
    };
    list.key.iter().take(FIELDS).map(label).collect()
}

/// What a name of a key stands for.
enum Named<'w> {
    Rule(&'w Rule),
    /// What a group shows of another rule.
    Taken(&'w Take),
}

/// How it was come by.
#[derive(Default)]
struct Way<'w> {
    /// The labels of the groups around it, and its own.
    labels: Vec<&'w str>,
    /// The rules that have these labels; none for what a group takes.
    rules: Vec<&'w Rule>,
    /// The rules of each scope entered.
    scopes: Vec<&'w [Rule]>,
}

impl<'w> Way<'w> {
    fn push(&mut self, rule: &'w Rule) {
        self.labels.push(rule.shown());
        self.rules.push(rule);
    }
}

/// The names of a list's key when a rule in it is called otherwise, or is gone.
pub(crate) fn respelled(list: &Rule, target: &Rule, new: Option<&str>) -> Vec<Text> {
    let spell = |name: &Text| -> Option<Text> {
        let mut way = Way::default();
        find(&list.rules, name, &mut way, 0);
        let Some(at) = way.rules.iter().position(|rule| std::ptr::eq(*rule, target)) else { return Some(name.clone()) };
        let mut names: Vec<&str> = way.rules.iter().map(|rule| &*rule.name).collect();
        names[at] = new?;
        names.extend(way.labels.get(way.rules.len()));
        Some(names.join(".").into())
    };
    list.key.iter().filter_map(spell).collect()
}

/// The rule of this name that is shown in the objects of a list with these rules: the list's own before those of groups.
///
/// A group is entered if the wanted name begins with its own, so that each scope is looked at once.
fn find<'w>(rules: &'w [Rule], wanted: &str, way: &mut Way<'w>, depth: usize) -> Option<Named<'w>> {
    if depth > DEPTH {
        return None;
    }
    way.scopes.push(rules);
    if let Some(rule) = own(rules, wanted, depth) {
        way.push(rule);
        return Some(Named::Rule(rule));
    }
    for rule in rules {
        let rest = match rule.kind {
            // What it holds is shown in the object around it.
            Kind::Save | Kind::Group if rule.is_temporary() => Some(wanted),
            Kind::Group => wanted.strip_prefix(&*rule.name).and_then(|rest| rest.strip_prefix('.')),
            _ => None,
        };
        let Some(rest) = rest else { continue };
        let labels = way.labels.len();
        if !rule.is_temporary() {
            way.push(rule);
        }
        let found = find(&rule.rules, rest, way, depth + 1);
        if found.is_some() {
            return found;
        }
        if let Some(take) = rule.take.iter().find(|take| &*take.label == rest) {
            // Its variable may be a neighbour's of the group or of what the group holds.
            way.scopes.push(&rule.rules);
            way.labels.push(&take.label);
            return Some(Named::Taken(take));
        }
        way.labels.truncate(labels);
        way.rules.truncate(labels);
    }
    way.scopes.pop();
    None
}

/// The rule of this name in a scope. The names of saved texts live where the save stands.
fn own<'w>(rules: &'w [Rule], wanted: &str, depth: usize) -> Option<&'w Rule> {
    rules.iter().find_map(|rule| match rule.kind {
        Kind::Save if depth < DEPTH => own(&rule.rules, wanted, depth + 1),
        Kind::Save => None,
        _ => (&*rule.name == wanted).then_some(rule),
    })
}

struct Checker<'w, 'e> {
    /// The rules of each scope from the outermost in.
    scopes: Vec<&'w [Rule]>,
    errors: &'e mut Vec<WrapperError>,
}

impl<'w> Checker<'w, '_> {
    fn scope(&mut self, rules: &'w [Rule], depth: usize) {
        // Deeper ones are an error of their own.
        if depth > DEPTH {
            return;
        }
        self.scopes.push(rules);
        for rule in rules {
            if !rule.key.is_empty() {
                self.key(rule);
            }
            self.scope(&rule.rules, depth + 1);
        }
        self.scopes.pop();
    }

    fn key(&mut self, rule: &'w Rule) {
        let place = match rule.kind {
            Kind::List => None,
            Kind::Field => Some("a field"),
            Kind::Group => Some("a group"),
            Kind::Save => Some("a save"),
        };
        if let Some(place) = place {
            let (hint, span) = (Some(ONLY_LISTS.to_owned()), rule.key.first().and_then(|name| name.span));
            self.push(WrapperError::UnknownKey { key: "key".to_owned(), place, hint, span });
            return;
        }
        if let Some(beyond) = rule.key.get(FIELDS) {
            self.push(WrapperError::TooLarge { what: "fields in a key", limit: FIELDS, span: beyond.span });
        }
        for (at, name) in rule.key.iter().enumerate().take(FIELDS) {
            if self.errors.len() >= ERRORS {
                return;
            }
            let mistake = match rule.key[..at].contains(name) {
                true => Some(("it is named twice".to_owned(), None)),
                false => self.mistake(rule, name),
            };
            if let Some((message, hint)) = mistake {
                let (name, span) = (name.value.clone(), name.span);
                self.push(WrapperError::BadKey { name, list: rule.name.value.clone(), message, hint, span });
            }
        }
    }

    fn push(&mut self, error: WrapperError) {
        if self.errors.len() < ERRORS {
            self.errors.push(error);
        }
    }

    /// Why a name cannot be in the key of a list, and what could be done.
    fn mistake(&self, list: &'w Rule, name: &str) -> Option<(String, Option<String>)> {
        if list.is_temporary() {
            return Some(("the list is a temporary, and shows no records".to_owned(), None));
        }
        if list.rules.is_empty() {
            // The columns of a table are known when there is a page.
            let hint = "only what has fields needs a key: values differ by themselves".to_owned();
            return (!lists_columns(list)).then(|| ("it is a list of values without fields".to_owned(), Some(hint)));
        }
        let mut way = Way::default();
        let named = match find(&list.rules, name, &mut way, 0) {
            None => return Some(("there is no such field in it".to_owned(), hint(&list.rules, name))),
            Some(Named::Rule(rule)) if rule.is_temporary() => {
                return Some(("a temporary is not shown in the records".to_owned(), None));
            }
            Some(Named::Rule(rule)) => rule,
            Some(Named::Taken(take)) => {
                let scopes = way.scopes.iter().rev().chain(self.scopes.iter().rev());
                // A variable that no rule defines is an error of its own.
                scopes.flat_map(|rules| names_in(rules)).find(|known| known.name == &*take.variable)?.rule
            }
        };
        match named.kind {
            Kind::List => Some(("it is a list, of which a record has any number".to_owned(), None)),
            Kind::Field if named.rules.is_empty() => None,
            _ => {
                let first = fields_in(&named.rules).into_iter().next();
                let hint = first.map(|first| format!("name fields of it, such as `{name}.{}`", first.name));
                Some(("it is a group".to_owned(), hint))
            }
        }
    }
}

/// The field with this label, the one most like the name, or those that there are.
fn hint(rules: &[Rule], name: &str) -> Option<String> {
    let fields = fields_in(rules);
    if let Some(field) = fields.iter().find(|field| field.label == name) {
        return Some(format!("that is a label: name the rule, `{}`", field.name));
    }
    if let Some(field) = nearest(name, fields.iter().map(|field| field.name.as_str())) {
        return Some(format!("did you mean `{field}`?"));
    }
    let more = if fields.len() > LISTED { " and more" } else { "" };
    let listed: Vec<String> = fields.iter().take(LISTED).map(|field| format!("`{}`", field.name)).collect();
    (!listed.is_empty()).then(|| format!("there are {}{more}", listed.join(", ")))
}

/// What a key may name.
#[derive(Default)]
struct Candidate {
    name: String,
    label: String,
}

impl Candidate {
    /// A part of it: with a point behind a group, with nothing at the beginning.
    fn below(&self, rule: &Rule) -> Candidate {
        let join = |front: &str, part: &str| if front.is_empty() { part.to_owned() } else { format!("{front}.{part}") };
        Candidate { name: join(&self.name, &rule.name), label: join(&self.label, rule.shown()) }
    }
}

/// What the key of a list with these rules may name, as far as hints need it.
fn fields_in(rules: &[Rule]) -> Vec<Candidate> {
    fn walk(rules: &[Rule], front: &Candidate, fields: &mut Vec<Candidate>, depth: usize) {
        // Names this long are no hint to anybody, and make long ones of all below them.
        if depth > DEPTH || front.name.len().max(front.label.len()) > 200 {
            return;
        }
        for rule in rules {
            if fields.len() >= CANDIDATES {
                return;
            }
            match rule.kind {
                Kind::Field if !rule.is_temporary() => fields.push(front.below(rule)),
                Kind::Save | Kind::Group if rule.is_temporary() => walk(&rule.rules, front, fields, depth + 1),
                Kind::Group => walk(&rule.rules, &front.below(rule), fields, depth + 1),
                _ => {}
            }
        }
    }
    let mut fields = Vec::new();
    walk(rules, &Candidate::default(), &mut fields, 0);
    fields
}
