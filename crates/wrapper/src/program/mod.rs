//! A compiled wrapper: expressions and patterns are compiled, names are resolved, and all mistakes are found.
//!
//! The rule tree stays a tree. Each rule that makes objects also gets a number, its *variable*, so that an object can
//! be stored as a few integers. Variables that groups take get a *slot*, in which the executor keeps the latest
//! match.

mod locators;

use std::collections::HashMap;

use regex::Regex;
use url::Url;
use windrow_xpath::{Expr, Span};

use crate::describe::{describe, place_of};
use crate::error::{Errors, WrapperError, nearest};
use crate::key;
use crate::landmark::TokenRule;
use crate::paths;
use crate::pattern::{Needle, Pattern};
use crate::save;
use crate::values::Type;
use crate::wrapper::{self, Column, Follow, Kind, Slice, Wrapper};

/// A compiled wrapper.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) variables: Vec<Variable>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) slots: usize,
    pub(crate) url: Option<Url>,
    pub(crate) follow: Follow,
    pub(crate) needs_document: bool,
    /// `true` if a rule fetches other pages.
    pub(crate) asks_for_pages: bool,
    /// Variable of each rule of the wrapper; rules are counted from 0 in depth-first order.
    pub(crate) numbered: Vec<u32>,
}

/// The properties of a rule's objects that are known before any page is seen.
#[derive(Debug)]
pub(crate) struct Variable {
    /// Name of the rule.
    pub(crate) name: String,
    /// Label of its objects.
    pub(crate) label: String,
    pub(crate) ty: Type,
    pub(crate) kind: Kind,
    pub(crate) optional: bool,
    pub(crate) temporary: bool,
    /// `true` if the object around can hold several of them.
    pub(crate) many: bool,
    /// `true` if its objects are sets, since it has rules or takes below it.
    pub(crate) complex: bool,
    /// `true` if it lists the rows of a table without naming fields: each column becomes a field.
    pub(crate) columns: bool,
    /// Labels of the fields that identify one of its objects.
    pub(crate) key: Vec<String>,
    /// Nearest rule around it that makes objects.
    pub(crate) parent: Option<u32>,
    /// Place in the wrapper file.
    pub(crate) place: Option<Span>,
    /// Description of the rule's locator.
    pub(crate) rule: String,
    /// Number of the rule; `None` if it is a copy of another rule's objects.
    pub(crate) number: Option<u32>,
}

#[derive(Debug, Clone)]
pub(crate) struct Rule {
    pub(crate) kind: Kind,
    pub(crate) variable: u32,
    pub(crate) locator: Locator,
    pub(crate) members: Option<Slice>,
    /// `true` if it makes no objects of its own.
    pub(crate) temporary: bool,
    /// `true` if its values have to be checked, since not every text is of its type.
    pub(crate) checked: bool,
    /// `true` if it makes one value of its scope and does nothing else; for a pattern that saves texts, if all its
    /// rules do so.
    pub(crate) plain: bool,
    /// Smallest number of objects that one match makes, if nothing is missing.
    pub(crate) objects: u32,
    /// Slot that keeps its matches for the groups that take it.
    pub(crate) slot: Option<u32>,
    pub(crate) rules: Vec<Rule>,
    /// Slots to empty before the rules below run again.
    pub(crate) clear: Vec<u32>,
}

#[derive(Debug, Clone)]
pub(crate) struct Locator {
    pub(crate) find: Find,
    pub(crate) until: Option<Until>,
    pub(crate) slice: Option<Slice>,
    pub(crate) without: Option<Without>,
    pub(crate) cut: Option<Box<Cut>>,
    pub(crate) then: Option<Box<Locator>>,
}

#[derive(Debug, Clone)]
pub(crate) enum Find {
    Scope,
    Expression {
        expr: Expr,
        absolute: bool,
    },
    Pattern(Pattern),
    Split(Needle),
    Between {
        start: TokenRule,
        end: Option<TokenRule>,
    },
    Each(TokenRule),
    Table(Box<Locator>),
    Column(Column),
    Case(Vec<Locator>),
    Get(Box<Locator>),
    /// The earlier matches of another rule.
    Slot(u32),
}

#[derive(Debug, Clone)]
pub(crate) enum Until {
    Next,
    Before(Expr),
}

/// Nodes left out of a value.
#[derive(Debug, Clone)]
pub(crate) struct Without {
    pub(crate) expr: Expr,
    /// `true` if the expression begins at the root.
    pub(crate) absolute: bool,
}

/// The part of a visible text to keep.
#[derive(Debug, Clone)]
pub(crate) struct Cut {
    pub(crate) after: Option<String>,
    pub(crate) before: Option<String>,
    pub(crate) matches: Option<Regex>,
}

/// Largest nesting depth of rules, and of locators.
pub(crate) const DEPTH: usize = 64;
/// Largest number of rules.
pub(crate) const RULES: usize = 10_000;

impl Program {
    pub(crate) fn new(wrapper: &Wrapper) -> Result<Program, Errors> {
        let mut compiler = Compiler::default();
        // A specification may start from a file of its own; then there is no address to resolve links against.
        let url = wrapper.url.as_ref().and_then(|url| Url::parse(url).ok());
        compiler.find_takes(&wrapper.rules, 0);
        let rules = compiler.rules(&wrapper.rules, None, false, 0);
        paths::check(&wrapper.rules, &mut compiler.errors, 0);
        key::check(&wrapper.rules, &mut compiler.errors);
        let mut program = Program {
            variables: compiler.variables,
            rules,
            slots: compiler.slots as usize,
            url,
            follow: wrapper.follow,
            needs_document: compiler.needs_document,
            asks_for_pages: compiler.asks_for_pages,
            numbered: compiler.numbered,
        };
        mark_shared_labels(&mut program.variables);
        Errors::unless_empty(compiler.errors, program)
    }
}

/// Marks rules of one object with the same label as lists: they make one list together.
fn mark_shared_labels(variables: &mut [Variable]) {
    let mut seen: HashMap<(Option<u32>, String), usize> = HashMap::new();
    for at in 0..variables.len() {
        if variables[at].temporary {
            continue;
        }
        let key = (variables[at].parent, variables[at].label.clone());
        if let Some(&first) = seen.get(&key) {
            variables[first].many = true;
            variables[at].many = true;
        } else {
            seen.insert(key, at);
        }
    }
}

/// A name in scope and its rule.
#[derive(Clone)]
pub(crate) struct NamedRule<'w> {
    pub(crate) name: &'w str,
    pub(crate) rule: &'w wrapper::Rule,
}

#[derive(Default)]
struct Compiler<'w> {
    variables: Vec<Variable>,
    errors: Vec<WrapperError>,
    needs_document: bool,
    asks_for_pages: bool,
    slots: u32,
    /// Slots of taken rules, by the rule's address in the wrapper.
    taken: HashMap<*const wrapper::Rule, u32>,
    /// Names of each scope, from the outermost one inwards.
    scopes: Vec<Vec<NamedRule<'w>>>,
    /// Rules around the one being compiled.
    open: Vec<*const wrapper::Rule>,
    count: usize,
    /// Numbers of rules, by the rule's address in the wrapper, and the reverse.
    numbers: HashMap<*const wrapper::Rule, u32>,
    numbered: Vec<u32>,
    /// Nesting depth of the takes being compiled.
    copying: usize,
}

impl<'w> Compiler<'w> {
    /// Compiles the rules of one scope. `many` says that a temporary list lies between this scope and the object
    /// around it.
    fn rules(&mut self, rules: &'w [wrapper::Rule], parent: Option<u32>, many: bool, depth: usize) -> Vec<Rule> {
        if depth > DEPTH {
            let span = rules.first().and_then(|rule| rule.name.span);
            self.errors.push(WrapperError::TooLarge { what: "levels of nested rules", limit: DEPTH, span });
            return Vec::new();
        }
        self.scopes.push(names_in(rules));
        // Groups that show values of other rules are compiled last, wherever they are written.
        let (late, early): (Vec<_>, Vec<_>) = rules.iter().partition(|rule| !rule.take.is_empty());
        let compiled = early.into_iter().chain(late).map(|rule| self.rule(rule, parent, many, depth)).collect();
        self.scopes.pop();
        compiled
    }

    /// Numbers the rules and assigns slots to the rules that groups take. This happens before anything is compiled,
    /// because a rule is often compiled before the group that takes from it, which may be nested further in.
    fn find_takes(&mut self, rules: &'w [wrapper::Rule], depth: usize) {
        if depth > DEPTH {
            return;
        }
        self.scopes.push(names_in(rules));
        for rule in rules {
            self.numbers.insert(std::ptr::from_ref(rule), self.numbered.len() as u32);
            self.numbered.push(0);
            for take in &rule.take {
                match self.lookup(&take.variable) {
                    Some(rule) => {
                        let next = self.slots;
                        let slot = *self.taken.entry(std::ptr::from_ref(rule)).or_insert(next);
                        self.slots = self.slots.max(slot + 1);
                    }
                    None => {
                        let known = self.scopes.iter().flatten().map(|known| known.name);
                        let hint = nearest(&take.variable, known).map(|name| format!("did you mean `{name}`?"));
                        let hint = self.list_with(&take.variable).map_or(hint, |list| {
                            Some(format!("it is in the list `{list}`, once for each member: put the group there"))
                        });
                        let (name, span) = (take.variable.value.clone(), take.variable.span);
                        self.errors.push(WrapperError::UnknownVariable { name, hint, span });
                    }
                }
            }
            self.find_takes(&rule.rules, depth + 1);
        }
        self.scopes.pop();
    }

    /// Returns the name of a temporary list in scope that has a rule of this name directly below it.
    fn list_with(&self, name: &str) -> Option<&'w str> {
        let mut lists = self.scopes.iter().flatten().filter(|known| known.rule.kind == Kind::List);
        let list =
            lists.find(|list| list.rule.is_temporary() && list.rule.rules.iter().any(|rule| &*rule.name == name));
        list.map(|list| list.name)
    }

    fn lookup(&self, name: &str) -> Option<&'w wrapper::Rule> {
        self.scopes.iter().rev().flatten().find(|known| known.name == name).map(|known| known.rule)
    }

    fn rule(&mut self, rule: &'w wrapper::Rule, parent: Option<u32>, many: bool, depth: usize) -> Rule {
        self.count += 1;
        if self.count == RULES + 1 {
            self.errors.push(WrapperError::TooLarge { what: "rules", limit: RULES, span: rule.name.span });
        }
        let saves = (rule.kind == Kind::Save).then_some(rule.rules.len());
        let locator = self.locator(&rule.locator, &rule.name, saves, depth);
        let temporary = rule.is_temporary();
        let columns = lists_columns(rule);
        let variable = self.variables.len() as u32;
        let number = self.numbers.get(&std::ptr::from_ref(rule)).copied().filter(|_| self.copying == 0);
        if let Some(number) = number {
            self.numbered[number as usize] = variable;
        }
        self.variables.push(Variable {
            number,
            name: rule.name.value.clone(),
            label: rule.shown().to_owned(),
            ty: rule.ty,
            kind: rule.kind,
            optional: rule.optional,
            temporary,
            many: many || rule.kind == Kind::List,
            complex: !rule.rules.is_empty() || !rule.take.is_empty() || columns || rule.kind == Kind::Group,
            columns,
            key: key::labels(rule),
            parent,
            place: rule.name.span.or_else(|| place_of(&rule.locator)),
            rule: describe(&rule.locator),
        });
        let (around, many) =
            if temporary { (parent, many || rule.kind == Kind::List) } else { (Some(variable), false) };
        self.open.push(std::ptr::from_ref(rule));
        let mut rules = match rule.kind {
            // The saved texts belong to the scope of the pattern itself: their names are siblings of the save.
            Kind::Save => self.saved(rule, around, many, depth),
            _ => self.rules(&rule.rules, around, many, depth + 1),
        };
        if self.count <= RULES {
            rules.extend(rule.take.iter().filter_map(|take| self.take(take, around, depth)));
        }
        self.open.pop();
        if rule.locator.ends_in_text() {
            rule.rules.iter().for_each(|below| self.refuse_beyond_text(&below.locator, &below.name));
        }
        let mut clear = Vec::new();
        slots_in(&rules, &mut clear);
        let slot = self.taken.get(&std::ptr::from_ref(rule)).copied();
        let checked = is_checked(rule.ty);
        let alone = rule.members.is_none() && slot.is_none();
        let plain = match rule.kind {
            Kind::Save => rules.iter().all(|rule| rule.kind == Kind::Field && rule.plain && !rule.checked),
            Kind::Field => alone && rule.locator.is_scope() && rules.is_empty(),
            Kind::Group | Kind::List => false,
        };
        let objects = rules.iter().fold(u32::from(!temporary), |sum, rule| sum.saturating_add(rule.objects));
        Rule {
            objects,
            kind: rule.kind,
            variable,
            locator,
            members: rule.members,
            temporary,
            checked,
            plain,
            slot,
            rules,
            clear,
        }
    }

    /// Compiles the rules for the texts that a pattern saves.
    fn saved(&mut self, save: &'w wrapper::Rule, around: Option<u32>, many: bool, depth: usize) -> Vec<Rule> {
        save::check(&save.locator, place_of(&save.locator), &mut self.errors);
        let mut compiled = Vec::new();
        for (number, rule) in save.rules.iter().enumerate() {
            // A pattern inside a pattern has no scope of its own, so `rules` does not count its depth.
            let depth = depth + usize::from(rule.kind == Kind::Save);
            if depth > DEPTH {
                let span = place_of(&rule.locator);
                self.errors.push(WrapperError::TooLarge { what: "levels of nested rules", limit: DEPTH, span });
                break;
            }
            let variable = self.variables.len();
            compiled.push(self.rule(rule, around, many, depth));
            if let Some(variable) = self.variables.get_mut(variable) {
                let own = std::mem::take(&mut variable.rule);
                variable.rule = format!("#{} of {}", number + 1, describe(&save.locator));
                if own != "." {
                    variable.rule += &format!(" then {own}");
                }
            }
        }
        compiled
    }

    /// Compiles a rule that shows the matches of another rule again.
    fn take(&mut self, take: &'w wrapper::Take, around: Option<u32>, depth: usize) -> Option<Rule> {
        let rule = self.lookup(&take.variable)?;
        let slot = self.taken.get(&std::ptr::from_ref(rule)).copied()?;
        if self.open.contains(&std::ptr::from_ref(rule)) {
            let names = vec![take.variable.value.clone(), take.label.value.clone()];
            self.errors.push(WrapperError::Cycle { names, span: take.variable.span });
            return None;
        }
        self.count += 1;
        if depth > DEPTH || self.count > RULES {
            let (what, limit) = if depth > DEPTH { ("levels of nested rules", DEPTH) } else { ("rules", RULES) };
            self.errors.push(WrapperError::TooLarge { what, limit, span: take.variable.span });
            return None;
        }
        let columns = lists_columns(rule);
        let variable = self.variables.len() as u32;
        self.variables.push(Variable {
            number: None,
            name: take.variable.value.clone(),
            label: take.label.value.clone(),
            ty: rule.ty,
            kind: rule.kind,
            optional: rule.optional,
            temporary: false,
            many: rule.kind == Kind::List,
            complex: !rule.rules.is_empty() || columns || rule.kind == Kind::Group,
            columns,
            key: key::labels(rule),
            parent: around,
            place: take.label.span,
            rule: format!("take {}", take.variable),
        });
        self.open.push(std::ptr::from_ref(rule));
        self.copying += 1;
        let mut rules = self.rules(&rule.rules, Some(variable), false, depth + 1);
        rules.extend(rule.take.iter().filter_map(|take| self.take(take, Some(variable), depth + 1)));
        self.copying -= 1;
        self.open.pop();
        let locator =
            Locator { find: Find::Slot(slot), until: None, slice: None, without: None, cut: None, then: None };
        Some(Rule {
            kind: rule.kind,
            variable,
            locator,
            members: None,
            temporary: false,
            checked: is_checked(rule.ty),
            plain: false,
            objects: 1,
            slot: None,
            rules,
            clear: Vec::new(),
        })
    }
}

pub(crate) fn names_in(rules: &[wrapper::Rule]) -> Vec<NamedRule<'_>> {
    let mut names = Vec::new();
    flatten(rules, &mut names, 0);
    names
}

/// Collects the names that rules define in their scope. Names of saved texts and names below temporaries belong to
/// that scope too, except those below temporary lists: they stand for something else in each member.
fn flatten<'w>(rules: &'w [wrapper::Rule], names: &mut Vec<NamedRule<'w>>, depth: usize) {
    for rule in rules {
        if rule.kind != Kind::Save {
            names.push(NamedRule { name: &rule.name, rule });
        }
        if rule.is_temporary() && rule.kind != Kind::List && depth < DEPTH {
            flatten(&rule.rules, names, depth + 1);
        }
    }
}

/// Returns `true` if a rule lists the rows of a table without naming fields.
pub(crate) fn lists_columns(rule: &wrapper::Rule) -> bool {
    matches!(rule.locator.find, wrapper::Find::Table(_)) && rule.rules.is_empty()
}

/// Returns `true` if a text may fail to be of the type.
fn is_checked(ty: Type) -> bool {
    matches!(ty, Type::Date | Type::Number | Type::Money)
}

fn slots_in(rules: &[Rule], slots: &mut Vec<u32>) {
    for rule in rules {
        slots.extend(rule.slot);
        slots_in(&rule.rules, slots);
    }
    slots.sort_unstable();
    slots.dedup();
}
