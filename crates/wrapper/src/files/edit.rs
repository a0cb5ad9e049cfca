//! Changes one rule of a wrapper file and leaves the rest of the file as its author wrote it.
//!
//! The change is made in the model and merged into the old file by [`revise`](super::revise), which keeps comments
//! and layout. A new name needs more: to the merge, a renamed key is one that disappears and one that appears
//! elsewhere. So keys are renamed in the old file first. References to a rule by its name (a list's `key`, a group's
//! `take`) are renamed with it; a removed rule is also removed from its list's `key`.
//!
//! The new wrapper is compiled before it is written, so the result can be run. Errors in the new part have no place,
//! since it is not in the file. Linear in the file.

use toml_edit::{DocumentMut, InlineTable, Item, Key, Table, TableLike, Value};

use super::{Format, check_size, read, revise, toml};
use crate::error::{Errors, WrapperError, nearest};
use crate::key;
use crate::named;
use crate::program::{DEPTH, names_in};
use crate::run::Extractor;
use crate::values::Type;
use crate::wrapper::{Kind, Locator, Rule, Text, Wrapper};

/// A change to a rule.
#[derive(Debug, Clone, PartialEq)]
pub enum Edit {
    /// Renames the rule.
    Rename(String),
    /// Changes its type, given by name.
    Type(String),
    /// Sets whether a page may lack it.
    Optional(bool),
    /// Replaces its locator. Its `path`, where it was found during learning, is removed.
    Locate(Box<Locator>),
    /// Removes the rule.
    Remove,
}

/// Changes one rule of a file; `rule` is its path, as for [`Wrapper::rule`]. In TOML, comments and layout are kept;
/// files in other formats are written anew.
///
/// ```
/// use windrow_wrapper::files::{self, Edit, Format};
///
/// let old = "field.title = \"h1\" # the heading\n";
/// let new = files::edit(old, Format::Toml, "title", &Edit::Rename("name".into()))?;
/// assert_eq!(new, "field.name = \"h1\" # the heading\n");
/// # Ok::<(), windrow_wrapper::Errors>(())
/// ```
pub fn edit(text: &str, format: Format, rule: &str, edit: &Edit) -> Result<String, Errors> {
    let old = read(text, format)?;
    let way = named::way(&old.rules, rule)?;
    let new = changed(&old, &way, edit)?;
    Extractor::new(&new)?;
    let renamed = match edit {
        Edit::Rename(name) if format == Format::Toml => rename_key(text, &old.rules, &way, name),
        _ => None,
    };
    revise(renamed.as_deref().unwrap_or(text), format, &new)
}

/// Parses a locator as in a rule of a TOML file: an expression, or a table in braces, `{ css = ".price", slice = 0
/// }`.
pub fn read_locator(text: &str) -> Result<Locator, Errors> {
    check_size(text)?;
    let text = text.trim();
    if !text.starts_with('{') {
        return Ok(Locator::from(text));
    }
    // No expression or selector begins with a brace.
    let file = format!("locator = {text}");
    let node = toml::parse(&file).map_err(unplaced)?;
    super::read::locator(&node).map(forget).map_err(unplaced)
}

/// Removes places, which do not refer to a file.
fn forget(mut locator: Locator) -> Locator {
    use crate::wrapper::{Column, Find, Landmark, Until};
    fn bare(text: &mut Text) {
        (text.span, text.exact) = (None, false);
    }
    match &mut locator.find {
        Find::Expression(text) | Find::XPath(text) | Find::Css(text) | Find::Pattern(text) | Find::Split(text) => {
            bare(text)
        }
        Find::Landmark(Landmark::Each(each)) => bare(each),
        Find::Landmark(Landmark::Between { start, end }) => [start].into_iter().chain(end).for_each(bare),
        Find::Column(Column::Named(name)) => bare(name),
        Find::Table(inner) | Find::Get(inner) => **inner = forget(std::mem::take(inner)),
        Find::Case(cases) => cases.iter_mut().for_each(|case| *case = forget(std::mem::take(case))),
        Find::Scope | Find::Column(Column::Number(_)) => {}
    }
    if let Some(Until::Before(stop)) = &mut locator.until {
        bare(stop);
    }
    let texts = [&mut locator.without, &mut locator.after, &mut locator.before, &mut locator.matches];
    texts.into_iter().flatten().for_each(bare);
    if let Some(then) = &mut locator.then {
        **then = forget(std::mem::take(then));
    }
    locator
}

fn unplaced(errors: Errors) -> Errors {
    Errors(errors.0.into_iter().map(WrapperError::unplaced).collect())
}

/// Returns the wrapper with the change made.
fn changed(old: &Wrapper, way: &[usize], edit: &Edit) -> Result<Wrapper, Errors> {
    let mut new = old.clone();
    match edit {
        Edit::Rename(name) => {
            check_name(old, way, name)?;
            update_references(&mut new, old, way, Some(name));
            at(&mut new.rules, way).name = name.as_str().into();
        }
        Edit::Remove => {
            update_references(&mut new, old, way, None);
            let (last, above) = way.split_last().expect("a way leads somewhere");
            let inside = above.iter().fold(&mut new.rules, |rules, &at| &mut rules[at].rules);
            inside.remove(*last);
        }
        Edit::Type(name) => {
            let rule = at(&mut new.rules, way);
            rule.ty = type_of(rule, name)?;
        }
        Edit::Optional(optional) => at(&mut new.rules, way).optional = *optional,
        Edit::Locate(locator) => {
            let rule = at(&mut new.rules, way);
            rule.locator = (**locator).clone();
            rule.path = None;
        }
    }
    Ok(new)
}

fn at<'w>(rules: &'w mut [Rule], way: &[usize]) -> &'w mut Rule {
    let (first, rest) = way.split_first().expect("a way leads somewhere");
    let rule = &mut rules[*first];
    if rest.is_empty() { rule } else { at(&mut rule.rules, rest) }
}

fn check_name(old: &Wrapper, way: &[usize], name: &str) -> Result<(), WrapperError> {
    if !super::read::is_name(name) {
        return Err(WrapperError::BadName { name: name.to_owned(), span: None });
    }
    let above = &way[..way.len() - 1];
    let mut rules = &old.rules;
    let mut scope = rules;
    for &at in above {
        // The names of saved texts belong to the scope of the save.
        let save = rules[at].kind == Kind::Save;
        rules = &rules[at].rules;
        if !save {
            scope = rules;
        }
    }
    let own = &rules[way[above.len()]];
    let taken = names_in(scope).into_iter().any(|known| known.name == name && !std::ptr::eq(known.rule, own));
    if taken { Err(WrapperError::DuplicateName { name: name.to_owned(), span: None }) } else { Ok(()) }
}

fn type_of(rule: &Rule, name: &str) -> Result<Type, WrapperError> {
    let wrong = |expected: String, hint: Option<String>| WrapperError::WrongValue {
        key: "type".to_owned(),
        expected,
        found: format!("`{name}`"),
        hint,
        span: None,
    };
    let names = || Type::ALL.into_iter().map(Type::name);
    let Some(ty) = Type::from_name(name) else {
        let all = names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let hint = nearest(name, names()).map(|name| format!("did you mean `{name}`?"));
        return Err(wrong(format!("one of {all}"), hint));
    };
    if rule.kind == Kind::Group || !rule.rules.is_empty() {
        let hint = format!("`{}` holds rules: its fields have types, it has none", rule.name);
        Err(wrong("left out".to_owned(), Some(hint)))
    } else {
        Ok(ty)
    }
}

/// Updates references to a rule by its name. Without a new name, references that can be left out are removed.
fn update_references(new: &mut Wrapper, old: &Wrapper, way: &[usize], name: Option<&str>) {
    let mut rules = &old.rules;
    for (depth, &index) in way.iter().enumerate() {
        let rule = &rules[index];
        if rule.kind == Kind::List && depth + 1 < way.len() && !rule.key.is_empty() {
            let target =
                way[depth + 1..].iter().fold((&rule.rules, rule), |(rules, _), &at| (&rules[at].rules, &rules[at]));
            at(&mut new.rules, &way[..=depth]).key = key::renamed_key(rule, target.1, name);
        }
        rules = &rule.rules;
    }
    let Some(name) = name else { return };
    let target = way.iter().fold((&old.rules, None), |(rules, _), &at| (&rules[at].rules, Some(&rules[at]))).1;
    let Some(target) = target else { return };
    let mut takes = Vec::new();
    find_takes(&old.rules, target, &mut Vec::new(), &mut Vec::new(), &mut takes);
    for (group, number) in takes {
        at(&mut new.rules, &group).take[number].variable = name.into();
    }
}

/// Collects the takes that show a rule's matches: the position of the group, and the index of the take.
fn find_takes<'w>(
    rules: &'w [Rule],
    target: &Rule,
    scopes: &mut Vec<&'w [Rule]>,
    way: &mut Vec<usize>,
    takes: &mut Vec<(Vec<usize>, usize)>,
) {
    if way.len() > DEPTH {
        return;
    }
    scopes.push(rules);
    for (index, rule) in rules.iter().enumerate() {
        way.push(index);
        for (number, take) in rule.take.iter().enumerate() {
            let known =
                scopes.iter().rev().flat_map(|rules| names_in(rules)).find(|known| known.name == &*take.variable);
            if known.is_some_and(|known| std::ptr::eq(known.rule, target)) {
                takes.push((way.clone(), number));
            }
        }
        find_takes(&rule.rules, target, scopes, way, takes);
        way.pop();
    }
    scopes.pop();
}

/// Renames the rule's key in the old file; `None` if it has no key of its own, as in a save.
fn rename_key(text: &str, rules: &[Rule], way: &[usize], name: &str) -> Option<String> {
    let mut document: DocumentMut = text.parse().ok()?;
    let mut item = document.as_item_mut();
    let mut rules = rules;
    for (depth, &at) in way.iter().enumerate() {
        let rule = &rules[at];
        let section = match rule.kind {
            Kind::Field => "field",
            Kind::Group => "group",
            Kind::List => "list",
            Kind::Save => return None,
        };
        item = item.as_table_like_mut()?.get_mut(section)?;
        if depth + 1 == way.len() {
            match item {
                Item::Table(table) => rename_in(table, &rule.name, name),
                Item::Value(Value::InlineTable(table)) => rename_in(table, &rule.name, name),
                _ => return None,
            }
            break;
        }
        item = item.as_table_like_mut()?.get_mut(&rule.name)?;
        rules = &rule.rules;
    }
    Some(document.to_string())
}

/// A table whose keys can be removed and reinserted with their layout.
trait Keyed: TableLike {
    fn take(&mut self, key: &str) -> Option<(Key, Item)>;
    fn put(&mut self, key: &Key, item: Item);
}

impl Keyed for Table {
    fn take(&mut self, key: &str) -> Option<(Key, Item)> {
        self.remove_entry(key)
    }

    fn put(&mut self, key: &Key, item: Item) {
        self.insert_formatted(key, item);
    }
}

impl Keyed for InlineTable {
    fn take(&mut self, key: &str) -> Option<(Key, Item)> {
        self.remove_entry(key).map(|(key, value)| (key, Item::Value(value)))
    }

    fn put(&mut self, key: &Key, item: Item) {
        if let Ok(value) = item.into_value() {
            self.insert_formatted(key, value);
        }
    }
}

/// Renames a key in its place: all keys are removed and reinserted in order.
fn rename_in(table: &mut impl Keyed, old: &str, new: &str) {
    let keys: Vec<String> = table.iter().map(|(key, _)| key.to_owned()).collect();
    for name in keys {
        let Some((mut key, item)) = table.take(&name) else { continue };
        if name == old {
            let (leaf, dotted) = (key.leaf_decor().clone(), key.dotted_decor().clone());
            key = Key::new(new).with_leaf_decor(leaf).with_dotted_decor(dotted);
        }
        table.put(&key, item);
    }
}
