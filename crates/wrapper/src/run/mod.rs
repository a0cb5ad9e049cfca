//! The executor: walks the rule tree once and runs each rule in the scopes that the rule above has found.
//!
//! A rule's locator pushes the scopes it finds onto one stack ([`locate`]). The rule then makes an object for each
//! and runs its own rules there. Missing values are recorded as problems and the walk continues: a page that does not
//! match the wrapper still yields whatever can be found.
//!
//! # Cost
//!
//! Patterns, splits and landmarks are linear in their scope. All expressions of a run share one budget, and the
//! numbers of objects and pages are bounded, so no page can make a wrapper run forever. Reaching a bound is reported
//! as a [`Problem`].

mod expression;
mod locate;
mod prune;
mod table;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;

use windrow_dom::Span;
use windrow_xpath::Expr;

use crate::error::Errors;
use crate::object::{Entry, Extraction};
use crate::page::Page;
use crate::problem::{Problem, ProblemKind};
use crate::program::{Find, Program, Rule, Variable};
use crate::scope::{Place, Scope};
use crate::typed::{self, Value};
use crate::wrapper::{Kind, Wrapper};

use expression::SharedSelection;
pub(crate) use table::Grid;

/// A wrapper compiled for extraction; cheap to clone, and can be shared between threads.
#[derive(Debug, Clone)]
pub struct Extractor {
    pub(crate) program: Arc<Program>,
}

/// A source of the pages that a wrapper fetches with `get`.
pub trait Pages {
    /// Returns the page at an absolute URL (or, if the first page has no address, at the reference as it stands on
    /// the page).
    fn get(&self, url: &str) -> Result<Arc<Page>, String>;
}

/// A source without pages: every `get` is reported as a problem.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoPages;

impl Pages for NoPages {
    fn get(&self, _url: &str) -> Result<Arc<Page>, String> {
        Err("this run cannot fetch linked pages".to_owned())
    }
}

/// Limits on one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Largest number of objects for one page and the pages it leads to.
    pub objects: u32,
    /// Largest number of nodes that all expressions together may visit.
    pub visits: u64,
}

impl Default for Limits {
    /// Allows ten million objects (200 MB), and about two seconds of expressions.
    fn default() -> Limits {
        Limits { objects: 10_000_000, visits: 200_000_000 }
    }
}

/// Number of problems kept; further ones are only counted. A page that lacks a field lacks it in every record.
const MOST_PROBLEMS: usize = 1000;

/// Largest total size of computed texts. Nested elements show the same text again and again.
const MOST_BYTES: usize = 1 << 26;

/// Largest number of objects that memory is reserved for at once.
const MOST_RESERVED: usize = 1 << 20;

impl Extractor {
    /// Compiles a wrapper. All mistakes are reported, with their places in the file it was read from.
    pub fn new(wrapper: &Wrapper) -> Result<Extractor, Errors> {
        Ok(Extractor { program: Arc::new(Program::new(wrapper)?) })
    }

    /// Returns `true` if a rule uses the page's tree; otherwise a page may as well be given as text.
    pub fn needs_document(&self) -> bool {
        self.program.needs_document
    }

    /// Returns `true` if a rule fetches other pages with `get`.
    pub fn asks_for_pages(&self) -> bool {
        self.program.asks_for_pages
    }

    /// Runs the wrapper on a page without following links.
    pub fn extract(&self, page: impl Into<Arc<Page>>) -> Extraction {
        self.extract_with(page, &NoPages, Limits::default())
    }

    /// Runs the wrapper on a page, with a source of linked pages and with limits.
    pub fn extract_with(&self, page: impl Into<Arc<Page>>, source: &dyn Pages, limits: Limits) -> Extraction {
        let made = Extraction::empty(self.program.clone(), page.into());
        let mut run = Run {
            program: &self.program,
            source,
            limits,
            made,
            levels: vec![0],
            fetched: HashMap::new(),
            header_numbers: HashMap::new(),
            found: Vec::new(),
            saved: Vec::new(),
            slots: vec![Vec::new(); self.program.slots],
            around: HashMap::new(),
            grids: HashMap::new(),
            places: table::MOST_PLACES,
            bytes: MOST_BYTES,
            visits: limits.visits,
            full: false,
        };
        run.rules(&self.program.rules, Scope::whole(0), (0, 1), None);
        run.check_members(&self.program.rules, 1, Scope::whole(0), None);
        // Sorted by object, so that an object can find its own problems; `None`, the top, comes first.
        run.made.problems.sort_by_key(|problem| problem.object);
        run.made
    }
}

struct Run<'r> {
    program: &'r Program,
    source: &'r dyn Pages,
    limits: Limits,
    made: Extraction,
    /// Number of `get` steps from the first page to each page.
    levels: Vec<u32>,
    fetched: HashMap<String, Result<u16, ()>>,
    header_numbers: HashMap<u32, HashMap<String, u32>>,
    /// Stack of the scopes found by the rules that are running.
    found: Vec<Scope>,
    /// Stack of the spans saved by the patterns that are running.
    saved: Vec<Span>,
    slots: Vec<Vec<Scope>>,
    /// Latest selection of each expression around scopes without a context of their own, by the expression's address.
    around: HashMap<*const Expr, Arc<SharedSelection>>,
    grids: HashMap<(u16, u32), Arc<Grid>>,
    /// Number of places that grids may still take.
    places: usize,
    /// Number of bytes that computed texts may still take.
    bytes: usize,
    /// Number of nodes that expressions may still visit.
    visits: u64,
    /// `true` once a limit was reached and no more objects are made.
    full: bool,
}

impl<'r> Run<'r> {
    fn page(&self, scope: Scope) -> &Arc<Page> {
        &self.made.pages[scope.page as usize]
    }

    /// Runs rules in a scope that is the member `(index, len)` of its list.
    fn rules(&mut self, rules: &'r [Rule], scope: Scope, member: (usize, usize), object: Option<u32>) {
        for rule in rules {
            if rule.members.is_none_or(|members| members.contains(member.0, member.1)) {
                self.rule(rule, scope, object);
            }
        }
    }

    fn rule(&mut self, rule: &'r Rule, scope: Scope, object: Option<u32>) {
        if self.full {
            return;
        }
        if rule.kind == Kind::Save {
            return self.save(rule, scope, object);
        }
        let base = self.found.len();
        let miss = self.locate(&rule.locator, scope, rule.kind == Kind::List, rule.variable, object);
        let count = self.found.len() - base;
        self.made.tallies[rule.variable as usize].add(count);
        if count == 0 && !self.program.variables[rule.variable as usize].optional {
            self.miss(rule.variable, scope, object, miss.unwrap_or(ProblemKind::Missing));
        }
        if let Some(slot) = rule.slot {
            self.slots[slot as usize] = self.found[base..].to_vec();
        }
        if count > 1 {
            // Growing step by step would copy the objects again and again; too large a guess costs only address
            // space.
            self.made.entries.reserve(count.saturating_mul(rule.objects as usize).min(MOST_RESERVED));
        }
        for index in 0..count {
            let scope = self.found[base + index];
            self.value(rule, scope, (index, count), object);
        }
        self.found.truncate(base);
        self.check_members(&rule.rules, count, scope, object);
    }

    /// Reports rules that are restricted to members which the list does not have.
    fn check_members(&mut self, rules: &'r [Rule], count: usize, scope: Scope, object: Option<u32>) {
        for rule in rules {
            if let Some(slice) = rule.members
                && count > 0
                && slice.is_empty_of(count)
                && !self.program.variables[rule.variable as usize].optional
            {
                self.miss(rule.variable, scope, object, ProblemKind::EmptySlice { slice, members: count as u32 });
            }
        }
    }

    /// Makes the object of one match and runs the rules below it.
    #[inline]
    fn value(&mut self, rule: &'r Rule, scope: Scope, member: (usize, usize), object: Option<u32>) {
        for &slot in &rule.clear {
            self.slots[slot as usize].clear();
        }
        if rule.temporary {
            return self.rules(&rule.rules, scope, member, object);
        }
        let Some(at) = self.push(rule.variable, scope) else { return };
        let variable = &self.program.variables[rule.variable as usize];
        if variable.complex {
            self.rules(&rule.rules, scope, member, Some(at));
            if variable.columns {
                self.columns(rule.variable, scope);
            }
            self.made.entries[at as usize].end = self.made.entries.len() as u32;
        } else if rule.checked {
            self.check(rule.variable, scope, at, object);
        }
    }

    /// Appends an object; returns `None` if there are too many.
    #[inline]
    fn push(&mut self, variable: u32, scope: Scope) -> Option<u32> {
        let at = self.made.entries.len() as u32;
        if at >= self.limits.objects {
            self.limit(variable, scope, "objects", u64::from(self.limits.objects));
            return None;
        }
        let mut entry = Entry::new(variable, scope);
        entry.end = at + 1;
        self.made.entries.push(entry);
        Some(at)
    }

    /// Reports a value that is not of its type.
    fn check(&mut self, variable: u32, scope: Scope, at: u32, object: Option<u32>) {
        // An empty optional value counts as missing.
        let Variable { ty, optional, .. } = self.program.variables[variable as usize];
        let untyped = typed::value(&self.made, scope, ty) == Value::None;
        if untyped && !(optional && typed::text(&self.made, scope).is_empty()) {
            self.problem(variable, Some(scope), object, ProblemKind::Untyped { object: at });
        }
    }

    /// Matches a pattern and runs one rule in each text that it saved.
    fn save(&mut self, rule: &'r Rule, scope: Scope, object: Option<u32>) {
        if rule.plain && self.save_plain(rule, scope) {
            return;
        }
        let base = self.saved.len();
        let Some(input) = self.span(scope) else {
            self.made.tallies[rule.variable as usize].add(0);
            return self.miss_saved(rule, scope, object, ProblemKind::Missing);
        };
        let page = self.page(scope).clone();
        let source = page.source().as_bytes();
        let mut problem = None;
        let matched = match &rule.locator.find {
            Find::Pattern(pattern) => match pattern.run(source, input, |span| self.saved.push(span)) {
                Ok(_) => true,
                Err(miss) => {
                    let wanted = String::from_utf8_lossy(pattern.wanted(miss)).into_owned();
                    problem = Some(ProblemKind::Unmatched { wanted, at: miss.at });
                    false
                }
            },
            Find::Case(cases) => cases.iter().any(|case| {
                self.saved.truncate(base);
                match &case.find {
                    Find::Pattern(pattern) => pattern.run(source, input, |span| self.saved.push(span)).is_ok(),
                    _ => false,
                }
            }),
            _ => false,
        };
        self.made.tallies[rule.variable as usize].add(usize::from(matched));
        if !matched {
            self.saved.truncate(base);
            let tried = match &rule.locator.find {
                Find::Case(cases) => cases.len() as u32,
                _ => 1,
            };
            self.miss_saved(rule, scope, object, problem.unwrap_or(ProblemKind::NoCase { tried }));
            return;
        }
        for (index, rule) in rule.rules.iter().enumerate() {
            let saved = Scope { page: scope.page, place: Place::Span(self.saved[base + index]) };
            // A plain value needs no locating: the saved text is the value.
            if !rule.plain || rule.kind == Kind::Save {
                self.rule(rule, saved, object);
            } else if !rule.temporary
                && let Some(at) = self.push(rule.variable, saved)
                && rule.checked
            {
                self.check(rule.variable, saved, at, object);
            }
        }
        self.saved.truncate(base);
    }

    /// Does the same for a pattern whose saved texts are all plain values, writing them directly as objects. Returns
    /// `false`, without any effect, if the pattern does not match.
    fn save_plain(&mut self, save: &'r Rule, scope: Scope) -> bool {
        let Find::Pattern(pattern) = &save.locator.find else { return false };
        let Some(input) = self.span(scope) else { return false };
        let Extraction { pages, entries, .. } = &mut self.made;
        let base = entries.len();
        if base + save.rules.len() > self.limits.objects as usize {
            return false;
        }
        let mut rules = save.rules.iter();
        let matched = pattern.run(pages[scope.page as usize].source().as_bytes(), input, |span| {
            if let Some(rule) = rules.next().filter(|rule| !rule.temporary) {
                let mut entry = Entry::new(rule.variable, Scope { page: scope.page, place: Place::Span(span) });
                entry.end = entries.len() as u32 + 1;
                entries.push(entry);
            }
        });
        if matched.is_err() {
            entries.truncate(base);
            return false;
        }
        self.made.tallies[save.variable as usize].add(1);
        true
    }

    /// Reports everything that a pattern would have saved as missing; the reason is given once.
    fn miss_saved(&mut self, save: &'r Rule, scope: Scope, object: Option<u32>, kind: ProblemKind) {
        if self.program.variables[save.variable as usize].optional {
            return;
        }
        let mut kind = Some(kind);
        for rule in &save.rules {
            let variable = &self.program.variables[rule.variable as usize];
            if variable.optional || variable.temporary && rule.rules.is_empty() {
                continue;
            }
            self.miss(rule.variable, scope, object, kind.take().unwrap_or(ProblemKind::Missing));
        }
        if let Some(kind) = kind {
            self.miss(save.variable, scope, object, kind);
        }
    }

    /// Marks the object that lacks something, and records the reason.
    #[cold]
    fn miss(&mut self, variable: u32, scope: Scope, object: Option<u32>, kind: ProblemKind) {
        if let Some(object) = object {
            self.made.entries[object as usize].incomplete = true;
        }
        self.problem(variable, Some(scope), object, kind);
    }

    #[cold]
    fn problem(&mut self, variable: u32, scope: Option<Scope>, object: Option<u32>, kind: ProblemKind) {
        if self.made.problems.len() >= MOST_PROBLEMS {
            self.made.unreported += 1;
            return;
        }
        let span = scope.and_then(|scope| self.span(scope));
        let page = scope.map_or(0, |scope| scope.page);
        self.made.problems.push(Problem { kind, object, variable, page, scope: span });
    }

    #[cold]
    fn limit(&mut self, variable: u32, scope: Scope, what: &'static str, limit: u64) {
        if !self.full {
            self.full = true;
            // Always reported, even after many other problems, since the result is incomplete.
            self.made.problems.truncate(MOST_PROBLEMS - 1);
            self.problem(variable, Some(scope), None, ProblemKind::Limit { what, limit });
        }
    }

    /// Returns the scope's range of the source.
    fn span(&self, scope: Scope) -> Option<Span> {
        scope.bare(&self.made).place.span(self.page(scope))
    }
}
