//! Keys: the fields that identify a record of a list. Checks that a key names such fields, and finds their labels in
//! the objects.
//!
//! A key names rules, like every other reference in a wrapper: a field of the list, possibly saved by a pattern or
//! inside a temporary group, or `group.field` for a field of a group. Objects have labels, so callers who see only
//! objects get the labels.
//!
//! Like a path, a key has no effect while a page is read. A wrong one would be noticed only when records are stored,
//! so it is reported with the other mistakes of the file instead.
//!
//! # Cost
//!
//! Linear in the wrapper: a key has at most [`FIELDS`] names, each is looked up among the rules of its own list, and
//! the number of names considered for a hint is bounded.

use crate::error::{WrapperError, nearest};
use crate::program::{DEPTH, lists_columns, names_in};
use crate::wrapper::{Kind, Rule, Take, Text};

/// Largest number of fields in a key: far more than identifying records takes, and few enough to look each of them
/// up.
pub(crate) const FIELDS: usize = 16;

/// Hint for a key that stands outside a list.
pub(crate) const ONLY_LISTS: &str = "a key identifies the records of a list: put it in the list, next to `records`";

/// Largest number of errors reported; nobody reads more.
const ERRORS: usize = 1000;

/// Largest number of names considered for a hint.
const CANDIDATES: usize = 200;

/// Largest number of names listed in a hint.
const LISTED: usize = 8;

/// Checks the keys of rules and of those below them.
pub(crate) fn check(rules: &[Rule], errors: &mut Vec<WrapperError>) {
    Checker { scopes: Vec::new(), errors }.scope(rules, 0);
}

/// Returns the labels of the fields of a list's key; a field in a group is preceded by the group's label and a dot. A
/// name that no rule has is that of a table column, which only the page knows.
pub(crate) fn labels(list: &Rule) -> Vec<String> {
    let label = |name: &Text| {
        let mut way = KeyPath::default();
        match find(&list.rules, name, &mut way, 0) {
            Some(_) => way.labels.join("."),
            None => name.value.clone(),
        }
    };
    list.key.iter().take(FIELDS).map(label).collect()
}

/// The target of a name in a key.
enum KeyTarget<'w> {
    Rule(&'w Rule),
    /// An object that a group takes from another rule.
    Taken(&'w Take),
}

/// The path to a target.
#[derive(Default)]
struct KeyPath<'w> {
    /// Labels of the groups around it, then its own.
    labels: Vec<&'w str>,
    /// Rules with these labels; a take has no rule here.
    rules: Vec<&'w Rule>,
    /// Rules of each scope entered.
    scopes: Vec<&'w [Rule]>,
}

impl<'w> KeyPath<'w> {
    fn push(&mut self, rule: &'w Rule) {
        self.labels.push(rule.shown());
        self.rules.push(rule);
    }
}

/// Returns the names of a list's key after the rule `target` in it was renamed to `new`, or removed if `None`.
pub(crate) fn renamed_key(list: &Rule, target: &Rule, new: Option<&str>) -> Vec<Text> {
    let spell = |name: &Text| -> Option<Text> {
        let mut way = KeyPath::default();
        find(&list.rules, name, &mut way, 0);
        let Some(at) = way.rules.iter().position(|rule| std::ptr::eq(*rule, target)) else { return Some(name.clone()) };
        let mut names: Vec<&str> = way.rules.iter().map(|rule| &*rule.name).collect();
        names[at] = new?;
        names.extend(way.labels.get(way.rules.len()));
        Some(names.join(".").into())
    };
    list.key.iter().filter_map(spell).collect()
}

/// Finds the target named `wanted` among these rules of a list. The list's own rules come before those of groups.
///
/// A group is entered only if `wanted` begins with its name, so each scope is visited once.
fn find<'w>(rules: &'w [Rule], wanted: &str, way: &mut KeyPath<'w>, depth: usize) -> Option<KeyTarget<'w>> {
    if depth > DEPTH {
        return None;
    }
    way.scopes.push(rules);
    if let Some(rule) = rule_in_scope(rules, wanted, depth) {
        way.push(rule);
        return Some(KeyTarget::Rule(rule));
    }
    for rule in rules {
        let rest = match rule.kind {
            // Its objects are shown in the object around it.
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
            // Its variable may be a sibling of the group or of the group's own rules.
            way.scopes.push(&rule.rules);
            way.labels.push(&take.label);
            return Some(KeyTarget::Taken(take));
        }
        way.labels.truncate(labels);
        way.rules.truncate(labels);
    }
    way.scopes.pop();
    None
}

/// Returns the rule of this name in a scope. The names of saved texts belong to the scope of the save.
fn rule_in_scope<'w>(rules: &'w [Rule], wanted: &str, depth: usize) -> Option<&'w Rule> {
    rules.iter().find_map(|rule| match rule.kind {
        Kind::Save if depth < DEPTH => rule_in_scope(&rule.rules, wanted, depth + 1),
        Kind::Save => None,
        _ => (&*rule.name == wanted).then_some(rule),
    })
}

struct Checker<'w, 'e> {
    /// Rules of each scope, from the outermost one inwards.
    scopes: Vec<&'w [Rule]>,
    errors: &'e mut Vec<WrapperError>,
}

impl<'w> Checker<'w, '_> {
    fn scope(&mut self, rules: &'w [Rule], depth: usize) {
        // Deeper nesting is reported elsewhere.
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
            let mistake = if rule.key[..at].contains(name) {
                Some(("it is named twice".to_owned(), None))
            } else {
                self.mistake(rule, name)
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

    /// Explains why a name cannot be in the key of a list, with a hint if there is one.
    fn mistake(&self, list: &'w Rule, name: &str) -> Option<(String, Option<String>)> {
        if list.is_temporary() {
            return Some(("the list is temporary and shows no records".to_owned(), None));
        }
        if list.rules.is_empty() {
            // The columns of a table are known only once there is a page.
            let hint = "only records with fields need a key".to_owned();
            return (!lists_columns(list)).then(|| ("it is a list of values without fields".to_owned(), Some(hint)));
        }
        let mut way = KeyPath::default();
        let named = match find(&list.rules, name, &mut way, 0) {
            None => return Some(("the list has no such field".to_owned(), hint(&list.rules, name))),
            Some(KeyTarget::Rule(rule)) if rule.is_temporary() => {
                return Some(("a temporary is not shown in the records".to_owned(), None));
            }
            Some(KeyTarget::Rule(rule)) => rule,
            Some(KeyTarget::Taken(take)) => {
                let scopes = way.scopes.iter().rev().chain(self.scopes.iter().rev());
                // A variable that no rule defines is reported elsewhere.
                scopes.flat_map(|rules| names_in(rules)).find(|known| known.name == &*take.variable)?.rule
            }
        };
        match named.kind {
            Kind::List => Some(("it is a list, and a record can have any number of its members".to_owned(), None)),
            Kind::Field if named.rules.is_empty() => None,
            _ => {
                let first = fields_in(&named.rules).into_iter().next();
                let hint = first.map(|first| format!("name one of its fields, such as `{name}.{}`", first.name));
                Some(("it is a group".to_owned(), hint))
            }
        }
    }
}

/// Returns a hint: the field with this label, the most similar name, or the list of fields.
fn hint(rules: &[Rule], name: &str) -> Option<String> {
    let fields = fields_in(rules);
    if let Some(field) = fields.iter().find(|field| field.label == name) {
        return Some(format!("this is a label; use the name of the rule, `{}`", field.name));
    }
    if let Some(field) = nearest(name, fields.iter().map(|field| field.name.as_str())) {
        return Some(format!("did you mean `{field}`?"));
    }
    let more = if fields.len() > LISTED { " and more" } else { "" };
    let listed: Vec<String> = fields.iter().take(LISTED).map(|field| format!("`{}`", field.name)).collect();
    (!listed.is_empty()).then(|| format!("the fields are {}{more}", listed.join(", ")))
}

/// A name that a key may contain.
#[derive(Default)]
struct Candidate {
    name: String,
    label: String,
}

impl Candidate {
    /// Appends a rule to the path: after a dot, unless the path is empty.
    fn below(&self, rule: &Rule) -> Candidate {
        let join = |front: &str, part: &str| if front.is_empty() { part.to_owned() } else { format!("{front}.{part}") };
        Candidate { name: join(&self.name, &rule.name), label: join(&self.label, rule.shown()) }
    }
}

/// Lists the names that a key of a list with these rules may contain, up to the number needed for hints.
fn fields_in(rules: &[Rule]) -> Vec<Candidate> {
    fn walk(rules: &[Rule], front: &Candidate, fields: &mut Vec<Candidate>, depth: usize) {
        // Names this long do not help anybody, and they make all names below them long.
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
