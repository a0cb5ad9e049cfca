//! Extending: sheets laid over each other, and what must hold of the result.
//!
//! A role of the same name gets its keywords added and its other keys replaced; a role of another name is added. A
//! keyword belongs to the file on top: if another role below has it, it is taken from there, or the label would say two
//! roles. Within one file it is an error to give a keyword to two roles that stand beside each other or within each other.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use miette::Diagnostic;
use windrow_wrapper::files::nearest;
use windrow_xpath::Span;

use super::super::Domain;
use super::error::{DomainError, Errors, Found};
use super::sheet::{Part, Sheet, Text};
use super::{MAX_EXTENDS, MAX_KEYWORDS, MAX_ROLES, fold, read, shipped};

/// Reads a file and all that it extends.
pub(super) fn domain(text: &str, others: &dyn Fn(&str) -> Option<String>) -> Result<Domain, Errors> {
    let mut library = Library { others, done: BTreeMap::new(), asked: 0 };
    let mut chain = vec![Link { name: String::new(), text: text.into() }];
    library.read(&mut chain).map(Sheet::domain)
}

/// A file that is being read, on the way from the first.
struct Link {
    /// As it was asked for; the first was not.
    name: String,
    text: Rc<str>,
}

/// Where domains come from that are extended.
struct Library<'o> {
    others: &'o dyn Fn(&str) -> Option<String>,
    /// Those that were read, by name and whether they came along: many files may extend one.
    done: BTreeMap<(String, bool), Sheet>,
    asked: usize,
}

/// A domain that was looked for.
enum Answer {
    Text { text: Rc<str>, shipped: bool },
    Unknown,
    Cycle(Vec<String>),
    TooMany,
}

impl Library<'_> {
    /// Reads the last file of the chain, and what it extends.
    fn read(&mut self, chain: &mut Vec<Link>) -> Result<Sheet, Errors> {
        let mut found = Found::default();
        let text = chain.last().map(|link| Rc::clone(&link.text)).unwrap_or_default();
        let mut own = read::sheet(&text, &mut found)?;
        same_keywords(&own.parts, &mut Vec::new(), &mut found);
        two_titles(&own.parts, &mut found);
        let extends = own.extends.first().map(|name| name.span).unwrap_or_default();
        let mut base = Sheet::default();
        let mut whole = true;
        for name in std::mem::take(&mut own.extends) {
            match self.extended(&name, chain) {
                Ok(sheet) => base = over(base, sheet),
                Err(error) => {
                    found.push(*error);
                    whole = false;
                }
            }
        }
        // Without what it extends, nobody can tell what is missing.
        if !whole {
            found.check()?;
        }
        leave_out(&mut base.parts, &own.drop, &mut found);
        let sheet = over(base, own);
        without_keywords(&sheet.parts, "", &mut found);
        limits(&sheet.parts, extends, &mut found);
        if sheet.parts.is_empty() && found.len() == 0 {
            let first_line = text.lines().next().unwrap_or_default().len();
            found.push(DomainError::NoRoles { span: Span::new(0, first_line) });
        }
        found.check()?;
        Ok(sheet)
    }

    /// A domain that the last file of the chain extends.
    fn extended(&mut self, name: &Text, chain: &mut Vec<Link>) -> Result<Sheet, Box<DomainError>> {
        let span = name.span;
        let (text, shipped) = match self.find(&name.value, chain) {
            Answer::Text { text, shipped } => (text, shipped),
            Answer::Cycle(names) => return Err(Box::new(DomainError::Cycle { names, span })),
            Answer::TooMany => {
                let what = "domains that it extends";
                return Err(Box::new(DomainError::TooLarge { what, limit: MAX_EXTENDS, span }));
            }
            Answer::Unknown => {
                let known: Vec<&str> = shipped::shipped().iter().map(|&(name, _)| name).collect();
                let hint = match nearest(&name.value, known.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("a file beside this one, or one of those that come along: {}", known.join(", ")),
                };
                return Err(Box::new(DomainError::UnknownDomain { name: name.value.clone(), hint: Some(hint), span }));
            }
        };
        let key = (name.value.clone(), shipped);
        if let Some(sheet) = self.done.get(&key) {
            return Ok(sheet.clone());
        }
        chain.push(Link { name: name.value.clone(), text: Rc::clone(&text) });
        let read = self.read(chain);
        chain.pop();
        let mut sheet = read.map_err(|errors| Box::new(broken(&name.value, &text, errors, span)))?;
        disown(&mut sheet.parts);
        self.done.insert(key, sheet.clone());
        Ok(sheet)
    }

    fn find(&mut self, name: &str, chain: &[Link]) -> Answer {
        self.asked += 1;
        if self.asked > MAX_EXTENDS || chain.len() > MAX_EXTENDS {
            return Answer::TooMany;
        }
        let cycle = |at: usize| {
            let way = chain[at + 1..].iter().map(|link| link.name.clone());
            Answer::Cycle(std::iter::once(name.to_owned()).chain(way).chain([name.to_owned()]).collect())
        };
        let mut itself = None;
        if let Some(text) = (self.others)(name) {
            match chain.iter().position(|link| *link.text == *text) {
                None => return Answer::Text { text: text.into(), shipped: false },
                // A file called as a domain that comes along most likely wants to add to it.
                Some(at) if at + 1 == chain.len() => itself = Some(at),
                Some(at) => return cycle(at),
            }
        }
        match (shipped::text(name), itself) {
            (Some(text), _) => match chain.iter().position(|link| *link.text == *text) {
                None => Answer::Text { text: text.into(), shipped: true },
                Some(at) => cycle(at),
            },
            (None, Some(at)) => cycle(at),
            (None, None) => Answer::Unknown,
        }
    }
}

/// The errors of a file that is extended, as one of the file that does.
fn broken(name: &str, text: &str, errors: Errors, span: Span) -> DomainError {
    let more = errors.0.len().saturating_sub(1);
    let Some(first) = errors.0.into_iter().next() else { return DomainError::NoRoles { span } };
    // A circle is no fault of the file in which it closes.
    if let DomainError::Cycle { names, .. } = first {
        return DomainError::Cycle { names, span };
    }
    let line = text.get(..first.span().start).unwrap_or_default().matches('\n').count() + 1;
    let hint = first.help().map(|help| help.to_string());
    DomainError::Broken { name: name.to_owned(), error: Box::new(first), more, line, hint, span }
}

/// Lays a sheet over another.
fn over(mut base: Sheet, own: Sheet) -> Sheet {
    parts_over(&mut base.parts, own.parts);
    // A tractor is a product, but who looks for tractors does not look for products.
    let things = if own.things.is_empty() { base.things } else { own.things };
    Sheet {
        name: own.name.or(base.name),
        description: own.description.or(base.description),
        data_rich: own.data_rich.or(base.data_rich),
        list: own.list.or(base.list),
        things,
        ..base
    }
}

/// Depth is bounded by the reader, see [`MAX_DEPTH`](super::MAX_DEPTH).
fn parts_over(base: &mut Vec<Part>, own: Vec<Part>) {
    let mut owners: HashMap<String, String> = HashMap::new();
    for part in &own {
        owners.extend(part.keywords.iter().map(|keyword| (fold::key(&keyword.value), part.name.value.clone())));
    }
    let entitled = own.iter().any(|part| part.title == Some(true));
    for part in base.iter_mut() {
        let name = &part.name.value;
        part.keywords.retain(|keyword| owners.get(&fold::key(&keyword.value)).is_none_or(|owner| owner == name));
        if entitled {
            part.title = None;
        }
    }
    let mut numbers: HashMap<String, usize> = HashMap::new();
    numbers.extend(base.iter().enumerate().map(|(number, part)| (part.name.value.clone(), number)));
    for part in own {
        match numbers.get(&part.name.value) {
            Some(&number) => part_over(&mut base[number], part),
            None => base.push(part),
        }
    }
    // Whoever lost all its words to the file on top is nothing that could be found any more.
    base.retain(|part| part.own || part.can_be_found());
}

fn part_over(base: &mut Part, own: Part) {
    let known: HashSet<String> = base.keywords.iter().map(|keyword| fold::key(&keyword.value)).collect();
    base.keywords.extend(own.keywords.into_iter().filter(|keyword| !known.contains(&fold::key(&keyword.value))));
    (base.own, base.faulty, base.name.span) = (own.own, own.faulty, own.name.span);
    base.description = own.description.or(base.description.take());
    base.value = own.value.or(base.value.take());
    base.phrases = own.phrases.or(base.phrases.take());
    base.ty = own.ty.or(base.ty);
    base.many = own.many.or(base.many);
    base.title = own.title.or(base.title);
    base.schema = own.schema.or(base.schema.take());
    parts_over(&mut base.parts, own.parts);
}

/// Marks roles as those of another file.
fn disown(parts: &mut [Part]) {
    for part in parts {
        part.own = false;
        disown(&mut part.parts);
    }
}

/// Leaves out roles of what is extended; `maker.address` is one inside another.
fn leave_out(parts: &mut Vec<Part>, names: &[Text], found: &mut Found) {
    for name in names {
        if found.is_full() {
            break;
        }
        if remove(parts, &name.value) {
            continue;
        }
        let known = parts.iter().map(|part| part.name.value.as_str());
        let hint = match (parts.is_empty(), nearest(&name.value, known)) {
            (true, _) => "`drop` leaves out roles of the domains that this one `extends`".to_owned(),
            (_, Some(near)) => format!("did you mean `{near}`?"),
            (_, None) => "what this one extends has no role of this name".to_owned(),
        };
        found.push(DomainError::UnknownRole { role: name.value.clone(), hint: Some(hint), span: name.span });
    }
}

fn remove(parts: &mut Vec<Part>, way: &str) -> bool {
    let (name, rest) = way.split_once('.').map_or((way, None), |(name, rest)| (name, Some(rest)));
    let Some(at) = parts.iter().position(|part| part.name.value == name) else { return false };
    match rest {
        Some(rest) => remove(&mut parts[at].parts, rest),
        None => {
            parts.remove(at);
            true
        }
    }
}

/// Finds keywords that two roles have, beside each other or one within the other. `around` holds those of the roles
/// around these.
fn same_keywords<'p>(parts: &'p [Part], around: &mut Vec<HashMap<String, (&'p Part, &'p Text)>>, found: &mut Found) {
    let mut here: HashMap<String, (&Part, &Text)> = HashMap::new();
    for part in parts {
        for keyword in &part.keywords {
            let key = fold::key(&keyword.value);
            // Of two beside each other, what their values look like may tell.
            let beside = here.get(&key).filter(|(other, _)| other.value == part.value);
            let other = around.iter().find_map(|outer| outer.get(&key)).or(beside);
            if let Some(&(other, first)) = other {
                found.push(DomainError::SameKeyword {
                    keyword: keyword.value.clone(),
                    first: other.name.value.clone(),
                    second: part.name.value.clone(),
                    first_span: first.span,
                    span: keyword.span,
                });
            }
            here.entry(key).or_insert((part, keyword));
        }
    }
    for part in parts.iter().filter(|part| !part.parts.is_empty()) {
        around.push(part.keywords.iter().map(|keyword| (fold::key(&keyword.value), (part, keyword))).collect());
        same_keywords(&part.parts, around, found);
        around.pop();
    }
}

fn two_titles(parts: &[Part], found: &mut Found) {
    let mut titles = parts.iter().filter(|part| part.title == Some(true));
    let Some(first) = titles.next() else { return };
    for second in titles {
        found.push(DomainError::TwoTitles {
            first: first.name.value.clone(),
            second: second.name.value.clone(),
            first_span: first.name.span,
            span: second.name.span,
        });
    }
}

/// Finds roles of this file that nothing can tell. Those of others have been looked at in their own.
fn without_keywords(parts: &[Part], around: &str, found: &mut Found) {
    for part in parts {
        let full = format!("{around}{}", part.name.value);
        if part.own && !part.faulty && !part.can_be_found() {
            found.push(DomainError::NoKeywords { role: full.clone(), span: part.name.span });
        }
        without_keywords(&part.parts, &format!("{full}."), found);
    }
}

/// Each file is within its limits; together they may not be.
fn limits(parts: &[Part], extends: Span, found: &mut Found) {
    fn count(parts: &[Part]) -> (usize, usize) {
        parts.iter().fold((0, 0), |(roles, keywords), part| {
            let inner = count(&part.parts);
            (roles + 1 + inner.0, keywords + part.keywords.len() + inner.1)
        })
    }
    let (roles, keywords) = count(parts);
    if roles > MAX_ROLES {
        found.push(DomainError::TooLarge { what: "roles", limit: MAX_ROLES, span: extends });
    }
    if keywords > MAX_KEYWORDS {
        found.push(DomainError::TooLarge { what: "keywords", limit: MAX_KEYWORDS, span: extends });
    }
}
