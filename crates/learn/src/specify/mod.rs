//! A specification that writes itself: from a wrapper and a page to TSIMMIS commands that find the same.
//!
//! A rule of CSS or XPath speaks of a tree, a TSIMMIS command of letters, so the one cannot be translated into the other.
//! But a wrapper at work on a page is evidence: it tells of every value where it stands, byte by byte. From these labels
//! commands are induced as [WTM](crate::feed) induces its rules: the texts around a value are compared over all records,
//! grown outwards until they locate it in each record that has it, and in none that lacks it.
//!
//! | what | becomes | files |
//! |---|---|---|
//! | where the values stand in the source | | `places.rs` |
//! | a list | a region between two texts, then `split` at the text with which its records begin | `split.rs` |
//! | a field, in its piece of the page | a pattern with the texts around it | `literals.rs` |
//! | all of it | run, and compared with what the wrapper finds | `verify.rs` |
//!
//! Nothing is believed: the commands are written, read and run on the page, and a field of which a single value differs is
//! left out and named, with the reason. Records that cannot be split are refused.
//!
//! Paper: J. Hammer et al., "Extracting Semistructured Information from the Web" (1997), whose authors planned a tool in
//! which one marks what is wanted on the page as a browser shows it, and writes no line.
//!
//! # What is lost
//!
//! `key` has no place in commands. Values that stand in no piece of the source (put together from several places, or with
//! something left out) cannot be saved by a pattern. What is found on other pages is not looked at.
//!
//! # Cost
//!
//! Each field tries a bounded number of texts, each a substring search over the records: linear in the page for each rule.

mod literals;
mod places;
mod split;
mod verify;

use std::fmt;
use std::sync::Arc;

use hashbrown::HashSet;
use windrow_wrapper::files::{self, Format};
use windrow_wrapper::{Errors, Extractor, Kind, Locator, Object, Page, Rule, Wrapper};

use literals::Sample;

/// A wrapper of patterns that finds what another finds on a page.
#[derive(Debug)]
pub struct Specification {
    /// The wrapper, as it is read from its text.
    pub wrapper: Wrapper,
    /// The commands; what is left out stands in comments in front.
    pub text: String,
    /// What could not be said, in the order of the rules.
    pub left_out: Vec<LeftOut>,
    /// How many values were compared, all of them equal.
    pub values: usize,
}

/// A rule that no command stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Its name and those around it, with dots: `ads.price`.
    pub rule: String,
    /// The reason.
    pub why: Why,
}

impl LeftOut {
    /// As a comment in front of the commands.
    fn comment(&self) -> String {
        let told = format!("left out: {}: {}", self.rule, self.why);
        format!("; {}\n", told.replace(|char: char| char.is_control(), " "))
    }
}

/// Why there is no command for a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Why {
    /// The page has nothing of it, so nothing can be learned about where it stands.
    NotOnPage,
    /// Its value is not a piece of the source: it was put together, or read off another page.
    NotInSource,
    /// No text around it tells where it is, in all records that have it and only there.
    NoText,
    /// No text stands at the beginning of each of its records, and nowhere else.
    NoBeginning,
    /// Its command finds something else on the page.
    Differs {
        /// What the wrapper finds there.
        wanted: String,
        /// What the command finds.
        found: String,
    },
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::NotOnPage => f.write_str("the page has nothing of it"),
            Why::NotInSource => f.write_str("its value is not a piece of the page's source"),
            Why::NoText => {
                f.write_str("no text around it tells where it is, in every record that has it and in no other")
            }
            Why::NoBeginning => f.write_str("no text begins each of its records and stands nowhere else"),
            Why::Differs { wanted, found } => write!(f, "a pattern would find `{found}` in place of `{wanted}`"),
        }
    }
}

/// Why there is no specification.
#[derive(Debug, Clone, PartialEq, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum Error {
    /// The rules are wrong.
    #[error("the rules cannot be run: {}", .0.0.first().map(ToString::to_string).unwrap_or_default())]
    #[diagnostic(code(specify::rules))]
    Rules(Errors),
    /// The rules find nothing on the page.
    #[error("the rules find nothing on the page, so there is nothing to learn from")]
    #[diagnostic(code(specify::nothing), help("give a page of the kind that the rules are for"))]
    Nothing,
    /// The records cannot be told apart by texts.
    #[error("the records of `{list}` cannot be split: {why}")]
    #[diagnostic(
        code(specify::split),
        help("commands look at letters, not at the tree: keep the rules as TOML or as XPaths")
    )]
    Split {
        /// The list.
        list: String,
        /// The reason.
        why: Why,
    },
    /// Nothing is left to write.
    #[error("no rule can be written as a command: {}", told(.0))]
    #[diagnostic(
        code(specify::no_rule),
        help("commands look at letters, not at the tree: keep the rules as TOML or as XPaths")
    )]
    NoRule(Vec<LeftOut>),
}

fn told(left_out: &[LeftOut]) -> String {
    let told: Vec<String> = left_out.iter().map(|left| format!("`{}`: {}", left.rule, left.why)).collect();
    told.join("; ")
}

/// Fields that are taken out because they differ are taken out at once; a second look finds what that changes.
const ROUNDS: usize = 3;

/// Writes the commands that find on a page what a wrapper finds there.
pub fn specify(wrapper: &Wrapper, page: impl Into<Arc<Page>>) -> Result<Specification, Error> {
    let page: Arc<Page> = page.into();
    let original = Extractor::new(wrapper).map_err(Error::Rules)?.extract(page.clone());
    if !original.has_values() {
        return Err(Error::Nothing);
    }
    let wanted = verify::Values::of(&original);
    let mut builder = Builder { page: &page, names: HashSet::new(), left_out: Vec::new(), failed: None, number: 0 };
    let whole = Piece { start: 0, end: page.source().len(), objects: original.objects().collect() };
    let rules = builder.rules(&wrapper.rules, &[whole], "");
    if let Some((list, why)) = builder.failed {
        return Err(Error::Split { list, why });
    }
    let mut left_out = builder.left_out;
    let mut root = Rule::group(builder.names.fresh("_root"), Locator::default()).with(rules);
    for _ in 0..ROUNDS {
        if root.rules.is_empty() {
            break;
        }
        let written = Wrapper {
            name: wrapper.name.clone(),
            description: wrapper.description.clone(),
            url: wrapper.url.clone(),
            learned: wrapper.learned.clone(),
            follow: wrapper.follow,
            search: wrapper.search.clone(),
            rules: vec![root.clone()],
        };
        // What counts is what the text says.
        let text = files::write(&written, Format::Tsimmis).map_err(Error::Rules)?;
        let read = files::read(&text, Format::Tsimmis).map_err(Error::Rules)?;
        let found = Extractor::new(&read).map_err(Error::Rules)?.extract(page.clone());
        let differing = verify::Values::of(&found).differing(&wanted, &left_out);
        if differing.is_empty() {
            let values = verify::Values::of(&found).len();
            let notes: String = left_out.iter().map(|left| left.comment()).collect();
            let text = format!("{notes}{text}");
            return Ok(Specification { wrapper: read, text, left_out, values });
        }
        for (path, why) in differing {
            if !verify::remove(&mut root.rules, &path) {
                // Not one of the fields: the records themselves.
                return Err(Error::Split { list: path, why });
            }
            left_out.push(LeftOut { rule: path, why });
        }
    }
    Err(Error::NoRule(left_out))
}

/// A stretch of the source in which rules look, and what the wrapper found in it.
struct Piece<'e> {
    start: usize,
    end: usize,
    objects: Vec<Object<'e>>,
}

struct Builder<'p> {
    page: &'p Page,
    names: HashSet<String>,
    left_out: Vec<LeftOut>,
    /// The first list of the page that could not be split.
    failed: Option<(String, Why)>,
    /// Of the rule that is next, among all.
    number: usize,
}

/// Names that no other variable has.
trait Fresh {
    fn fresh(&mut self, wanted: &str) -> String;
}

impl Fresh for HashSet<String> {
    fn fresh(&mut self, wanted: &str) -> String {
        // What a variable may be called: see the reader of commands.
        let odd = |char: char| char.is_whitespace() || char.is_control() || ",\"'`()[]{}=?:;>".contains(char);
        let mut name: String = wanted.chars().map(|char| if odd(char) { '_' } else { char }).collect();
        if !name.starts_with(|first: char| first.is_alphabetic() || first == '_') {
            name.insert(0, 'v');
        }
        let (base, mut count) = (name.clone(), 1usize);
        while !self.insert(name.clone()) {
            count += 1;
            name = format!("{base}{count}");
        }
        name
    }
}

impl<'p> Builder<'p> {
    /// The commands for rules in pieces of the page. `around`: the names of the rules around, each with a dot.
    fn rules(&mut self, rules: &[Rule], pieces: &[Piece<'_>], around: &str) -> Vec<Rule> {
        let mut made = Vec::new();
        for rule in rules {
            let number = self.number;
            self.number += 1;
            let path = format!("{around}{}", rule.shown());
            match rule.kind {
                // Texts that are saved together are fields of the piece.
                Kind::Save => made.extend(self.rules(&rule.rules, pieces, around)),
                Kind::Field => {
                    self.skip(&rule.rules);
                    if rule.name.starts_with('_') {
                        continue;
                    }
                    let samples = self.samples(pieces, number);
                    match literals::locate(self.page.source(), &samples) {
                        Ok(pattern) => {
                            let field = self.named(Rule::field("", saved(pattern)), rule);
                            let absent = samples.iter().any(|sample| sample.core.is_none());
                            made.push(if absent { field.optional() } else { field });
                        }
                        Err(why) => self.left_out.push(LeftOut { rule: path, why }),
                    }
                }
                Kind::Group if rule.name.starts_with('_') => made.extend(self.rules(&rule.rules, pieces, around)),
                Kind::Group => {
                    let inner: Vec<Piece<'_>> = pieces
                        .iter()
                        .map(|piece| Piece { start: piece.start, end: piece.end, objects: children(piece, number) })
                        .collect();
                    let fields = self.rules(&rule.rules, &inner, &format!("{path}."));
                    if !fields.is_empty() {
                        let group = self.named(Rule::group("", Locator::default()), rule);
                        made.push(group.with(fields));
                    }
                }
                Kind::List => match self.list(rule, number, pieces, &path) {
                    Ok(list) => made.push(list),
                    Err(why) => {
                        if around.is_empty() && self.failed.is_none() {
                            self.failed = Some((path.clone(), why.clone()));
                        }
                        self.left_out.push(LeftOut { rule: path, why });
                    }
                },
            }
        }
        made
    }

    /// Passes over the numbers of rules.
    fn skip(&mut self, rules: &[Rule]) {
        for rule in rules {
            self.number += 1;
            self.skip(&rule.rules);
        }
    }

    /// The same with the name, label, type and optionality of another.
    fn named(&mut self, mut made: Rule, rule: &Rule) -> Rule {
        let name = self.names.fresh(&rule.name);
        if name != rule.shown() {
            made.label = Some(rule.shown().into());
        }
        made.name = name.into();
        made.ty = rule.ty;
        made.optional = rule.optional;
        made
    }

    /// Where a field stands in each piece.
    fn samples(&self, pieces: &[Piece<'_>], number: usize) -> Vec<Sample> {
        let sample = |piece: &Piece<'_>| {
            let object = piece.objects.iter().find(|object| object.rule_number() == Some(number));
            places::sample(self.page, object.copied(), piece.start, piece.end)
        };
        pieces.iter().map(sample).collect()
    }

    /// A list: its region, what it is split at, and the rules in its records.
    fn list(&mut self, rule: &Rule, number: usize, pieces: &[Piece<'_>], path: &str) -> Result<Rule, Why> {
        let first = self.number;
        let items: Vec<Vec<Object<'_>>> = pieces
            .iter()
            .map(|piece| piece.objects.iter().copied().filter(|object| object.rule_number() == Some(number)).collect())
            .collect();
        let cut = split::split(self.page, pieces, &items);
        let cut = match cut {
            Ok(cut) => cut,
            Err(why) => {
                self.skip(&rule.rules);
                return Err(why);
            }
        };
        let mut inner = Vec::new();
        for (object, &(start, end)) in items.iter().flatten().zip(&cut.pieces) {
            let objects = match rule.rules.is_empty() {
                true => vec![*object],
                false => object.objects().collect(),
            };
            inner.push(Piece { start, end, objects });
        }
        self.number = first;
        let list = Locator::split(cut.delimiter.as_str());
        let made = if rule.rules.is_empty() {
            let samples = self.samples(&inner, number);
            let pattern = literals::locate(self.page.source(), &samples)?;
            match cut.skips {
                true => {
                    let value = self.named(Rule::field("", saved(pattern)), rule);
                    self.skipping(rule, list, value)
                }
                false => {
                    let then = Some(Box::new(saved(pattern))).filter(|then| !then.is_scope());
                    self.named(Rule::list("", Locator { then, ..list }), rule)
                }
            }
        } else {
            let record = match cut.skips {
                true => self.named(Rule::group("", Locator::default()), rule),
                false => self.named(Rule::list("", list.clone()), rule),
            };
            let fields = self.rules(&rule.rules, &inner, &format!("{path}."));
            if fields.is_empty() {
                return Err(Why::NoText);
            }
            match cut.skips {
                true => self.skipping(rule, list, record.with(fields)),
                false => record.with(fields),
            }
        };
        Ok(match cut.region {
            Some(region) => {
                let name = self.names.fresh(&format!("_{}_all", rule.name));
                let group = Rule::group(name, Locator::pattern(region)).with(vec![made]);
                if cut.absent || rule.optional { group.optional() } else { group }
            }
            None => made,
        })
    }

    /// A list whose first piece is what stands in front of its records.
    fn skipping(&mut self, rule: &Rule, split: Locator, mut record: Rule) -> Rule {
        record.members = Some(windrow_wrapper::Slice::Range { skip: 1, drop: 0 });
        // Whether there is one is the business of the list.
        record.optional = record.optional && record.kind == Kind::Field;
        let name = self.names.fresh(&format!("_{}", rule.name));
        Rule::list(name, split).with(vec![record])
    }
}

/// What a pattern saves; all of its piece, if it says no more.
fn saved(pattern: String) -> Locator {
    if pattern == "#" { Locator::default() } else { Locator::pattern(pattern) }
}

/// What the group with this number holds.
fn children<'e>(piece: &Piece<'e>, number: usize) -> Vec<Object<'e>> {
    let group = piece.objects.iter().find(|object| object.rule_number() == Some(number));
    group.map(|group| group.objects().collect()).unwrap_or_default()
}
