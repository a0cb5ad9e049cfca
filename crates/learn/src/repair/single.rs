//! A page that shows one record: what became of each of its fields.
//!
//! There is one known value a field, and the shortest of them (a time, a number of servings, a rating) stand on any page
//! by chance, so a value alone does not say where its field is. A place is believed by what speaks for it together: that
//! it says the known value, or the same quantity in other words; that a label, a class or an id there names the field, as
//! the old rule or the field's own name does; that the old rule still leads there; that the other fields are near. The
//! weights of these [traits](super::model) are fitted; together they give each text a probability, and a field of which no
//! text reaches [`SURE`] is left out, with a note.
//!
//! The page itself is taken for the old one only if enough of the fields that were found say so by their values
//! ([`SAME_PAGE`]).
//!
//! # Cost
//!
//! One walk over the page, and a search of its text for each field.

use std::ops::Range;
use std::sync::LazyLock;

use windrow_dom::{Document, NodeId};
use windrow_wrapper::{Find, Locator, Rule};

use super::answers;
use super::clues::telling;
use super::fields::Chosen;
use super::level::Level;
use super::look::likeness as looks;
use super::model::{Trait, Traits};
use super::offers::{attribute_of, line};
use super::quantity::{self, Quantity, quantity};
use super::{MendedField, trial};
use crate::domain::file::shipped;
use crate::domain::{Domain, Role};
use crate::example::{Wanted, firm_rule};
use crate::induce::names::likeness;
use crate::induce::ways::Site;
use crate::labels::Place;
use crate::reading::{Rung, Spot};
use crate::scope::Cut;

/// Probability that an answer must have to be taken for the field's. With sites held out, all of the 6 answers between 0.4
/// and 0.6 were right (`tools/fit-repair`): the model is less sure there than it could be. At 0.6, three open redesigns fewer
/// are right in the end.
const SURE: f32 = 0.45;
/// The share of what the known texts tell that must be found for the page to be the known one; times and numbers are the
/// same on many pages.
pub(super) const SAME_PAGE: f32 = 0.4;
/// What it counts that a person showed the value.
const SHOWN: f32 = 6.0;
/// Times and numbers under their labels that make a page the known one if no text is known.
const MEASURED: f32 = 3.0;
/// Places of one value that are looked at.
const PLACES: usize = 24;
/// What a label or a name must have in common with the field to name it.
const NAMES: f32 = 0.6;
/// How much a label names a field by another word for it.
const SYNONYM: f32 = 0.9;
/// Elements that may have a field's own class word.
const FEW: usize = 2;
/// Characters of the words in front of a value in the same text.
const INLINE: usize = 32;
/// Bytes of a text that a value is cut out of by the words around it.
const SENTENCE: usize = 120;
/// Stands for the label of a value that the old rule's words are around.
const BETWEEN: &str = "\u{0}";

/// Whether the records of a level are the page.
pub(super) fn is_page(level: &Level<'_, '_, '_>) -> bool {
    let html = level.sheet.document.find_html(windrow_dom::names::HTML);
    level.cut == Cut::Nodes
        && level.scopes.len() == 1
        && level.known.first().is_some_and(Option::is_some)
        && Some(level.scopes[0].record.first) == html
}

/// How a place says what is known.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Says {
    /// The known text.
    Text,
    /// The same quantity, in other words.
    Quantity,
    /// Much of a heading.
    Words(f32),
    /// Something else that looks like it.
    Alike,
}

/// A place where a field may be.
pub(super) struct Candidate {
    spot: Spot,
    pub(super) text: String,
    says: Says,
    /// How much something there names the field.
    named: f32,
    /// Log-odds added if a person showed the value.
    pub(super) shown: f32,
    pub(super) traits: Traits,
    pub(super) odds: f32,
    /// Bytes of the page's text.
    pub(super) range: Range<usize>,
    /// Places that give one answer have one number.
    pub(super) answer: usize,
}

impl Candidate {
    /// True if it says the known text.
    pub(super) fn is_known(&self) -> bool {
        self.says == Says::Text
    }
}

/// A field, and what the old rule knew it by.
struct Field<'r> {
    rule: &'r Rule,
    known: String,
    /// A person showed the value.
    is_shown: bool,
    /// The labels that the old rule looked for.
    labels: Vec<String>,
    /// They and the field's name.
    names: Vec<String>,
    /// What else pages call it, as far as it is a role of a domain that comes along.
    synonyms: Vec<&'static str>,
    /// The class words and ids that the old rule looked for.
    marks: Vec<String>,
}

/// What was found: by rule, and what speaks for it that the page is the known one.
pub(super) struct Single {
    pub(super) chosen: Vec<Chosen>,
    pub(super) same_page: f32,
}

/// The fields of a page's record, each with the places where it may be, the best first.
fn weigh<'r>(level: &Level<'_, '_, '_>, rules: &[&'r Rule]) -> (Vec<Field<'r>>, Vec<Vec<Candidate>>) {
    let known = |rule: &Rule| level.known_at(0).and_then(|record| record.value(rule.shown())).map(line);
    let field = |rule: &&'r Rule| match level.sheet.shown.iter().find(|value| value.label == rule.shown()) {
        Some(shown) => Field { is_shown: true, ..Field::new(rule, line(&shown.raw)) },
        None => Field::new(rule, known(rule).unwrap_or_default()),
    };
    let fields: Vec<Field<'_>> = rules.iter().map(field).collect();
    let mut all: Vec<Vec<Candidate>> = (0..fields.len()).map(|at| candidates(level, &fields, at)).collect();
    answers::settle(&mut all);
    (fields, all)
}

/// A place that was considered: its text, the number of its answer, and its traits.
pub(super) type Considered = (String, usize, Traits);

/// The places that are considered for each field: its label, and the text, the answer and the traits of each place.
pub(super) fn considered(level: &Level<'_, '_, '_>, rules: &[&Rule]) -> Vec<(String, Vec<Considered>)> {
    let (fields, all) = weigh(level, rules);
    let places = |own: Vec<Candidate>| own.into_iter().map(|place| (place.text, place.answer, place.traits)).collect();
    fields.iter().map(|field| field.rule.shown().to_owned()).zip(all.into_iter().map(places)).collect()
}

/// Finds the fields of a page's record.
pub(super) fn choose(level: &Level<'_, '_, '_>, rules: &[&Rule]) -> Single {
    let (fields, all) = weigh(level, rules);
    let old: Vec<Locator> = rules.iter().map(|rule| rule.locator.clone()).collect();
    let before = values(level, rules, &old);
    let mut single = Single { chosen: Vec::new(), same_page: 0.0 };
    let (mut told, mut all_told, mut measured): (f32, f32, f32) = (0.0, 0.0, 0.0);
    for (at, (field, candidates)) in fields.iter().zip(&all).enumerate() {
        let best = candidates.first().filter(|_| answers::certainty(candidates) >= SURE);
        let is_text = quantity(&field.known).is_none();
        all_told += if is_text { telling(&field.known) } else { 0.0 };
        if let Some(best) = best {
            match best.says {
                _ if field.is_shown => told += 1.0,
                Says::Text if is_text => told += telling(&field.known),
                Says::Words(share) => told += share * telling(&field.known),
                Says::Text | Says::Quantity => measured += if best.named >= NAMES { 1.0 } else { 0.0 },
                Says::Alike => {}
            }
        }
        let rule = if field.known.is_empty() {
            Some(field.rule.clone())
        } else {
            best.and_then(|best| write(level, field, best, before[at].as_deref()))
        };
        let agreed = best.is_some_and(|best| best.says == Says::Text && rule.is_some());
        let report = MendedField {
            label: field.rule.shown().to_owned(),
            compared: usize::from(!field.known.is_empty()),
            agreed: usize::from(agreed),
            kept: rule.as_ref().is_some_and(|rule| rule.locator == field.rule.locator),
        };
        let by_look = best.is_some_and(|best| best.says == Says::Alike);
        let stands = usize::from(candidates.iter().any(|candidate| candidate.says == Says::Text));
        single.chosen.push(Chosen { rule, report, stands, by_look, needed: false });
    }
    single.same_page = if all_told > 0.0 { told / all_told } else { told + measured / MEASURED * SAME_PAGE };
    single
}

/// What locators give on the page, each under the rule of its number.
fn values(level: &Level<'_, '_, '_>, rules: &[&Rule], locators: &[Locator]) -> Vec<Option<String>> {
    let own = rules.iter().zip(locators);
    let own = own.map(|(&rule, locator)| Rule { locator: locator.clone(), ..rule.clone() }).collect();
    let found = trial::values(level.sheet, level.cut, &level.scopes, own).unwrap_or_default();
    let first = |values: Vec<Option<trial::Got>>| values.into_iter().next().flatten().map(|got| got.text);
    let mut found: Vec<Option<String>> = found.into_iter().map(first).collect();
    found.resize(locators.len(), None);
    found
}

impl<'r> Field<'r> {
    fn new(rule: &'r Rule, known: String) -> Field<'r> {
        // The others may lead to another field that had the same value.
        let first = alternatives(&rule.locator).first();
        let (mut names, marks) = first.map(words_of).unwrap_or_default();
        let labels = names.clone();
        names.push(rule.name.to_string());
        let synonyms = synonyms(&names);
        Field { rule, known, is_shown: false, labels, names, synonyms, marks }
    }

    /// True if a label reads as the one that the old rule looked for.
    fn had_label(&self, label: &str) -> bool {
        self.labels.iter().any(|own| plain(own) == plain(label))
    }

    /// How much a label is the field's.
    fn is_called(&self, label: &str) -> f32 {
        let own = self.names.iter().map(|name| likeness(name, label)).fold(0.0, f32::max);
        let label = plain(label);
        if self.synonyms.contains(&label.as_str()) { own.max(SYNONYM) } else { own }
    }
}

/// A label or a name as it is looked up: in small letters, without signs at its edges.
fn plain(text: &str) -> String {
    text.replace('_', " ").trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

/// What pages call a field of one of these names in other words, by the domains that come along.
fn synonyms(names: &[String]) -> Vec<&'static str> {
    static ROLES: LazyLock<Vec<Role>> = LazyLock::new(|| {
        let domains = shipped().iter().filter_map(|(_, text)| Domain::read(text, &|_| None).ok());
        domains.flat_map(|domain| domain.roles).filter(|role| role.within.is_none()).collect()
    });
    let names: Vec<String> = names.iter().map(|name| plain(name)).collect();
    let is_own = |role: &&Role| names.iter().any(|name| plain(&role.name) == *name || role.keywords.contains(name));
    ROLES.iter().filter(is_own).flat_map(|role| &role.keywords).map(String::as_str).collect()
}

/// The labels that a locator looks for, and the class words and ids.
fn words_of(locator: &Locator) -> (Vec<String>, Vec<String>) {
    let (mut labels, mut marks) = (Vec::new(), Vec::new());
    // A short word belongs to many things: `span.value` is no field's own.
    let mut mark = |text: &str| {
        marks.extend(text.split_whitespace().filter(|word| word.len() > 5).map(str::to_owned));
    };
    for way in alternatives(locator) {
        match &way.find {
            Find::XPath(text) | Find::Expression(text) => {
                // Every other piece stands between quotes.
                let mut front = "";
                for (number, piece) in text.split(['\'', '"']).enumerate() {
                    match number % 2 {
                        0 => front = piece,
                        _ if front.contains("@class") || front.contains("@id") => mark(piece),
                        _ if front.contains('@') => {}
                        _ => labels.push(piece.to_owned()),
                    }
                }
            }
            Find::Css(text) => text.split(['.', '#', ' ', '>', ':', '[']).for_each(&mut mark),
            _ => {}
        }
    }
    (labels, marks)
}

/// The alternatives of a locator.
fn alternatives(locator: &Locator) -> &[Locator] {
    match &locator.find {
        Find::Case(cases) => cases,
        _ => std::slice::from_ref(locator),
    }
}

/// The places where a field may be, each with what speaks for it by itself.
fn candidates(level: &Level<'_, '_, '_>, fields: &[Field<'_>], at: usize) -> Vec<Candidate> {
    let field = &fields[at];
    if field.known.is_empty() {
        return Vec::new();
    }
    let (reading, document) = (&level.sheet.reading, level.sheet.document);
    let wanted = quantity(&field.known);
    let is_title = field.known.chars().any(char::is_alphabetic) && wanted.is_none();
    let mut found: Vec<(Spot, Says, Option<String>)> = Vec::new();
    if attribute_of(&field.rule.locator).is_some() {
        let spots = level.sheet.attributes_in(level.scopes[0], super::sheet::hash(&field.known));
        found.extend(spots.iter().take(PLACES).filter_map(|&(node, number)| {
            let name = document.attrs(node).nth(number)?.name();
            Some((Spot { place: Place::attribute(node, name), rung: Rung::Whole }, Says::Text, None))
        }));
    } else {
        let spots = reading.find(&field.known).into_iter().filter(|spot| spot.rung < Rung::Inside);
        found.extend(spots.take(PLACES).map(|spot| (spot, Says::Text, None)));
    }
    if wanted.is_some() || is_title {
        for node in document.nodes().filter(|&id| document.is_element(id)) {
            let range = reading.range(node);
            let heading = is_title && matches!(document.name(node), Some("h1" | "h2"));
            if range.is_empty() || range.len() > if heading { 160 } else { quantity::LONGEST } {
                continue;
            }
            let inner =
                document.children(node).any(|child| document.is_element(child) && reading.range(child) == range);
            if inner && !heading {
                continue;
            }
            let text = &reading.text[range.clone()];
            let place = Place::node(node);
            if heading {
                let share = shared(&field.known, text);
                if (0.5..1.0).contains(&share) {
                    found.push((Spot { place, rung: Rung::Whole }, Says::Words(share), None));
                }
                continue;
            }
            let Some(wanted) = wanted else { continue };
            if text == field.known {
                continue;
            }
            if let Some(says) = compare(wanted, &field.known, text) {
                found.push((Spot { place: place.clone(), rung: Rung::Whole }, says, None));
            }
            // A label and its value in one text.
            let front = text.find(|c: char| c.is_ascii_digit()).unwrap_or(0);
            let label = text[..front].trim();
            if label.len() > 2
                && label.len() <= INLINE
                && document.children(node).all(|child| !document.is_element(child))
                && let Some(says) = compare(wanted, &field.known, &text[front..])
            {
                let place = Place { part: Some(front..text.len()), ..place };
                found.push((Spot { place, rung: Rung::Part }, says, Some(label.to_owned())));
            }
        }
    }
    found.extend(between_words(level, field));
    let ways = alternatives(&field.rule.locator);
    let leads: Vec<(bool, String)> = {
        let rules = vec![field.rule; ways.len()];
        let texts = values(level, &rules, ways);
        ways.iter().zip(texts).filter_map(|(way, text)| Some((is_named(way), text?))).collect()
    };
    // A word that many elements have is no field's own.
    let few = |mark: &&str| {
        let has = |&id: &NodeId| document.is_element(id) && words_at(document, id).any(|word| word == *mark);
        document.nodes().filter(has).nth(FEW).is_none()
    };
    let marks: Vec<&str> = field.marks.iter().map(String::as_str).filter(few).collect();
    // A value that several fields have says of none where it is.
    let shared_value = fields.iter().enumerate().any(|(number, other)| {
        number != at && (other.known == field.known || wanted.is_some() && quantity(&other.known) == wanted)
    });
    let mut all: Vec<Candidate> = Vec::new();
    let whole = found.iter().filter(|found| found.1 == Says::Text && found.0.rung == Rung::Whole).count();
    let same = found.iter().filter(|found| found.1 == Says::Text).count();
    for (spot, says, inline) in found {
        let site = Site::new(reading, &spot.place, &field.rule.name);
        let text = site.value();
        let between = inline.as_deref() == Some(BETWEEN);
        let inline = inline.filter(|_| !between);
        let label = match &inline {
            Some(label) => Some(label.clone()),
            None => site.labels.iter().filter(|label| label.is_sure()).map(|label| label.text.clone()).next(),
        };
        let called = label.as_deref().map_or(0.0, |label| field.is_called(label));
        let around: Vec<NodeId> =
            site.levels.iter().copied().chain(document.ancestors(spot.place.node).take(2)).collect();
        let marked = around.iter().any(|&id| words_at(document, id).any(|word| marks.contains(&word)));
        let named = called.max(site.named()).max(if marked { 0.5 } else { 0.0 });
        // What is no label by its look may be one by its words.
        let words = label.as_deref().or(site.labels.first().map(|label| label.text.as_str()));
        let other = |other: &Field<'_>| {
            let theirs = words.map_or(0.0, |label| other.is_called(label));
            theirs > called.max(if label.is_some() { 0.4 } else { NAMES })
        };
        let anothers = fields.iter().enumerate().any(|(number, field)| number != at && other(field));
        let led = leads.iter().position(|(_, lead)| *lead == text).map(|number| leads[number].0);
        let firm = led == Some(true) && leads.first().is_some_and(|lead| lead.1 == text);
        let is_text = says == Says::Text;
        let is_part = matches!(spot.rung, Rung::Run | Rung::Part | Rung::FoldedPart);
        let is_time = matches!(wanted, Some(Quantity::Time(_)));
        let heading = around.iter().any(|&id| document.name(id) == Some("h1"));
        // The only such text of the page.
        let short = telling(&field.known) < 0.3 && field.known.chars().count() > 1;
        let only = short && is_text && whole == 1 && spot.rung == Rung::Whole;
        // Where the old rule leads by a name, the value may be new; elsewhere the old one may be anything.
        let elsewhere = leads.first().is_some_and(|(named, lead)| {
            *named
                && *lead != text
                && *lead != field.known
                && wanted.is_some_and(|wanted| compare(wanted, &field.known, lead).is_some())
        });
        let is_first = !all.iter().any(|other| other.text == text);
        let traits = Traits::new(|is| match is {
            Trait::Text => f32::from(is_text),
            Trait::Telling => {
                if is_text {
                    telling(&field.known).min(0.6)
                } else {
                    0.0
                }
            }
            Trait::Title => f32::from(is_text && is_title),
            Trait::Time => f32::from(says == Says::Quantity && is_time),
            Trait::Number => f32::from(says == Says::Quantity && !is_time),
            Trait::Words => {
                if let Says::Words(share) = says {
                    share
                } else {
                    0.0
                }
            }
            Trait::Alike => f32::from(says == Says::Alike),
            Trait::AlikeNamed => f32::from(says == Says::Alike && named >= NAMES),
            Trait::Folded => f32::from(spot.rung == Rung::Folded),
            Trait::Prose if is_text || between || named >= NAMES => 0.0,
            Trait::Prose => f32::from(inline.as_deref().map_or_else(|| is_prose(&text), |label| !is_label(label))),
            Trait::Between => f32::from(between),
            Trait::SameLabel => f32::from(label.as_deref().is_some_and(|label| field.had_label(label))),
            Trait::Close if says == Says::Alike => {
                quantity(&text).zip(wanted).map_or(0.0, |pair| nearness(pair.0, pair.1))
            }
            Trait::Close => 0.0,
            Trait::OtherForm => f32::from(says == Says::Alike && is_decimal(&text) != is_decimal(&field.known)),
            Trait::Inline => f32::from(is_part && inline.is_some()),
            Trait::Part => f32::from(is_part && inline.is_none() && !between),
            Trait::Named => f32::from(named >= NAMES),
            Trait::Likeness => {
                if named < NAMES {
                    named
                } else {
                    0.0
                }
            }
            Trait::Unnamed => f32::from(label.is_some() && named < 0.4 && !anothers),
            Trait::Anothers => f32::from(anothers),
            Trait::Firm => f32::from(firm),
            Trait::FirmAlike => f32::from(firm && says == Says::Alike),
            Trait::Led => f32::from(!firm && led == Some(true)),
            Trait::LedByPlace => f32::from(!firm && led == Some(false)),
            Trait::Elsewhere => f32::from(elsewhere && called < NAMES),
            Trait::Heading => f32::from(heading && is_title),
            Trait::Apart => f32::from(is_apart(level, spot.place.node)),
            Trait::Shared => f32::from(shared_value && says != Says::Alike && called < NAMES),
            Trait::Only => f32::from(only),
            // Many places that nothing tells apart.
            Trait::Many => f32::from(is_text && same > 2 && named < NAMES && led.is_none()),
            Trait::First => f32::from(is_first),
            Trait::Near | Trait::Far | Trait::Taken => 0.0,
        });
        let shown = match field.is_shown {
            true if is_text => SHOWN,
            true => -SHOWN,
            false => 0.0,
        };
        let own = reading.range(spot.place.node);
        let range = match &spot.place.part {
            Some(part) if spot.place.attribute.is_none() => own.start + part.start..own.start + part.end,
            _ => own,
        };
        all.push(Candidate { spot, text, says, named, shown, traits, odds: shown + traits.odds(), range, answer: 0 });
    }
    answers::number(&mut all);
    all
}

/// The class words, the id and the property of an element.
fn words_at(document: &Document, id: NodeId) -> impl Iterator<Item = &str> {
    let class = document.attr(id, "class").unwrap_or_default();
    class.split_whitespace().chain(document.attr(id, "id")).chain(document.attr(id, "itemprop"))
}

/// The nearness of two quantities, from 0 to 1: what changes seldom changes tenfold.
fn nearness(one: Quantity, two: Quantity) -> f32 {
    let amount = |quantity| match quantity {
        Quantity::Time(amount) | Quantity::Number(amount) => amount as f32,
    };
    1.0 / (1.0 + 2.0 * ((amount(one) + 1.0) / (amount(two) + 1.0)).ln().abs())
}

/// Returns whether words that are no label stand in front of the number of a text: `Wait 10 minutes`.
fn is_prose(text: &str) -> bool {
    let front = text.find(|c: char| c.is_ascii_digit()).map_or("", |at| text[..at].trim());
    front.chars().any(char::is_alphabetic) && !is_label(front)
}

/// Returns whether the words in front of a number say by their look that they are its label.
fn is_label(words: &str) -> bool {
    words.trim_end().ends_with([':', '：'])
}

/// Returns whether a text has a number with a fraction.
fn is_decimal(text: &str) -> bool {
    let mut signs = text.as_bytes().windows(3);
    signs.any(|at| at[0].is_ascii_digit() && matches!(at[1], b'.' | b',') && at[2].is_ascii_digit())
}

/// How a text says a quantity that is known.
fn compare(wanted: Quantity, known: &str, text: &str) -> Option<Says> {
    let own = quantity(text)?;
    match (wanted, own) {
        _ if own == wanted => Some(Says::Quantity),
        (Quantity::Time(_), Quantity::Time(_)) => Some(Says::Alike),
        (Quantity::Number(_), Quantity::Number(_)) if looks(known, text) > 0.5 => Some(Says::Alike),
        _ => None,
    }
}

/// The places that stand between the words that the old rule cut the value out of: of `(5 from 67 votes)` what stands
/// before `from`.
fn between_words(level: &Level<'_, '_, '_>, field: &Field<'_>) -> Vec<(Spot, Says, Option<String>)> {
    let (reading, document) = (&level.sheet.reading, level.sheet.document);
    let Some(wanted) = quantity(&field.known) else { return Vec::new() };
    let told = |text: &Option<_>| {
        let text: Option<&windrow_wrapper::Text> = text.as_ref();
        text.map_or(String::new(), |text| text.value.trim().to_owned())
    };
    let ways = alternatives(&field.rule.locator).iter().map(|way| way.then.as_deref().unwrap_or(way));
    let mut words: Vec<(String, String)> = ways.map(|way| (told(&way.after), told(&way.before))).collect();
    words.retain(|(after, before)| [after, before].iter().any(|text| text.chars().any(char::is_alphabetic)));
    words.dedup();
    let mut found = Vec::new();
    for node in document.nodes().filter(|&id| document.is_element(id)) {
        let range = reading.range(node);
        let inner = document.children(node).any(|child| document.is_element(child) && reading.range(child) == range);
        if range.is_empty() || range.len() > SENTENCE || inner || found.len() >= PLACES {
            continue;
        }
        let text = &reading.text[range];
        for (after, before) in &words {
            let Some(from) = text.find(after.as_str()).map(|at| at + after.len()) else { continue };
            let Some(to) = text[from..].find(before.as_str()).map(|at| from + at) else { continue };
            let to = if before.is_empty() { text.len() } else { to };
            let value = text[from..to].trim();
            let from = from + text[from..to].find(value).unwrap_or(0);
            if value.is_empty() || value == text || value == field.known {
                continue;
            }
            if let Some(says) = compare(wanted, &field.known, value) {
                let place = Place { part: Some(from..from + value.len()), ..Place::node(node) };
                found.push((Spot { place, rung: Rung::Part }, says, Some(BETWEEN.to_owned())));
                break;
            }
        }
    }
    found
}

/// The share of the words of two texts that they have in common.
fn shared(one: &str, two: &str) -> f32 {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.take(40).map(str::to_lowercase).collect()
    };
    let (one, two) = (words(one), words(two));
    let both = one.iter().filter(|word| two.contains(word)).count();
    both as f32 / one.len().max(two.len()).max(1) as f32
}

/// Whether a locator goes by a name: a label, a class, an id; not by where something stands or what it looks like.
fn is_named(way: &Locator) -> bool {
    match &way.find {
        Find::Css(text) => text.contains(['.', '#', '[']),
        Find::XPath(text) | Find::Expression(text) => text.contains('\'') && !text.contains("//text()"),
        _ => false,
    }
}

/// Whether a place is in a part of the page that tells of other pages.
fn is_apart(level: &Level<'_, '_, '_>, node: NodeId) -> bool {
    let document = level.sheet.document;
    document.ancestors(node).any(|id| matches!(document.name(id), Some("nav" | "footer" | "aside" | "select")))
}

/// The rule that finds a place: the old one, if it gives what stands there.
fn write(level: &Level<'_, '_, '_>, field: &Field<'_>, best: &Candidate, before: Option<&str>) -> Option<Rule> {
    if before == Some(best.text.as_str()) {
        return Some(field.rule.clone());
    }
    let wanted = Wanted { name: field.rule.name.to_string(), spots: vec![(0, vec![best.spot.clone()])] };
    let new = firm_rule(&level.sheet.reading, &wanted)?;
    [lasting(field, &new.locator), new.locator].into_iter().find_map(|locator| {
        let rule = Rule { locator, path: new.path.clone(), ..field.rule.clone() };
        let gives = values(level, &[&rule], std::slice::from_ref(&rule.locator)).pop().flatten();
        (gives.as_deref() == Some(best.text.as_str())).then_some(rule)
    })
}

/// A locator without the alternatives that say nothing of the field, if the first one names it: where the label is missing
/// on another page the value is, too, and whatever else stands there belongs to another field.
fn lasting(field: &Field<'_>, locator: &Locator) -> Locator {
    let Find::Case(cases) = &locator.find else { return locator.clone() };
    let names = |way: &Locator| {
        let (labels, marks) = words_of(way);
        labels.iter().chain(&marks).any(|word| field.is_called(word) >= 0.5)
    };
    let by_label = cases.first().is_some_and(names);
    let mut kept: Vec<Locator> =
        cases.iter().filter(|way| if by_label { names(way) } else { is_named(way) }).cloned().collect();
    match kept.len() {
        0 => locator.clone(),
        1 => kept.remove(0),
        _ => Locator::new(Find::Case(kept)),
    }
}
