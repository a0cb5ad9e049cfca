//! Alternatives: other ways of finding what a rule finds, each with how long it will last and why.
//!
//! A rule that works today may hold on to something that tomorrow's redesign throws away. Here the inducer is asked for all
//! the ways that it would have considered (`offers`), the ordinary executor tries each where the rule itself runs (`trial`),
//! and of each it is told what it finds, how much of that is the same, and by what it holds (`holds`): the fewer and the more
//! lasting these things are, the longer it will live (`lasting`). The path by position, which is how the paper on learning
//! from one example writes rules, is always among them, as the measure of the rest.
//!
//! # Worked example
//!
//! `<li class=ad><h2>Rake</h2> <b class=price>€ 340</b></li>`, the rule `b[1]` for the price:
//!
//! | way | holds on to |
//! |---|---|
//! | `.price` | a class |
//! | `li .price` | a class in a tag |
//! | `b[1]` | a step by position |
//!
//! # Cost
//!
//! Two runs of the rules around, the second with `MOST` rules in the place of one.

mod holds;
mod lasting;
mod offers;
mod trial;

use std::sync::Arc;

use windrow_wrapper::files::write_locator;
use windrow_wrapper::{Errors, Extractor, Kind, Locator, Page, Rule, Wrapper};
use windrow_xpath::Node;

use self::holds::Holds;
pub use self::lasting::holds_on_to;
use self::offers::Offers;
use self::trial::{Trial, Tried};

/// Ways that are tried.
const MOST: usize = 80;
/// Ways that are told.
const TOLD: usize = 12;
/// Ways that hold on to the same things that are told.
const ALIKE: usize = 2;
/// Places of one way that are told.
const PLACES: usize = 2000;

/// One way of finding what a rule finds.
#[derive(Debug, Clone, PartialEq)]
pub struct Alternative {
    /// How it finds.
    pub locator: Locator,
    /// Whether it is what the rule says.
    pub current: bool,
    /// Values that it finds in all.
    pub found: usize,
    /// How many of them the rule finds just so.
    pub same: usize,
    /// How likely it is to outlive a redesign of five changes, from 0 to 1: an estimate, by what such ways did when pages
    /// were redesigned at random.
    pub robustness: f32,
    /// What it holds on to, in words.
    pub why: String,
    /// Where it finds something; of very many places the first.
    pub places: Vec<Node>,
}

/// The ways of finding what a rule finds on a page: the rule's own first, then others, the most lasting first. `rule` is a
/// path as [`Wrapper::rule`] takes it. A rule that finds nothing there, or runs in texts that a pattern saved, has no others.
///
/// ```
/// use std::sync::Arc;
/// use windrow_learn::alternatives::alternatives;
/// use windrow_wrapper::{Page, files};
///
/// let ads = "<ul><li><h2>Rake</h2><b class=price>€ 340</b><li><h2>Twine</h2><b class=price>€ 55</b></ul>";
/// let page = Arc::new(Page::from_text("ads.html", ads));
/// let rules = "[list.ads]\nrecords = 'li'\nfield.price = { xpath = 'b[1]' }";
/// let wrapper = files::read(rules, files::Format::Toml)?;
/// let ways = alternatives(&page, &wrapper, "ads.price")?;
/// assert!(ways[0].current);
/// assert_eq!(files::write_locator(&ways[1].locator), ".price");
/// assert_eq!((ways[1].found, ways[1].same), (2, 2));
/// assert!(ways[1].robustness > ways[0].robustness);
/// # Ok::<(), windrow_wrapper::Errors>(())
/// ```
pub fn alternatives(page: &Arc<Page>, wrapper: &Wrapper, rule: &str) -> Result<Vec<Alternative>, Errors> {
    Extractor::new(wrapper)?;
    let chain = wrapper.rule(rule)?;
    let Some((&target, above)) = chain.split_last() else { return Ok(Vec::new()) };
    let trial = Trial::new(page, wrapper, above, target);
    let own = trial.run(std::slice::from_ref(&target.locator));
    let mut current = told(target, &target.locator, own.first(), own.first());
    current.current = true;
    let in_texts = above.iter().any(|rule| rule.kind == Kind::Save) || target.kind == Kind::Save;
    let Some(found) = own.first().filter(|own| own.count() > 0 && !in_texts) else { return Ok(vec![current]) };
    let document = page.document();
    let mut ways = Offers::new(document, above, target, found).all();
    // What is written alike is the same to who reads it.
    let written = write_locator(&target.locator);
    let last = ways.last().cloned();
    ways.retain(|way| write_locator(way) != written);
    // The last one is by position, unless the rule itself is: see `Offers::all`.
    let by_position = ways.last() == last.as_ref();
    if ways.len() > MOST {
        ways.drain(MOST - 1..ways.len() - 1);
    }
    let tried = trial.run(&ways);
    let mut others: Vec<Alternative> =
        ways.iter().zip(&tried).map(|(way, tried)| told(target, way, Some(tried), Some(found))).collect();
    let position = if by_position { others.pop() } else { None };
    // One that misses most, or finds much else, finds something else.
    others.retain(|other| 2 * other.same >= found.count() && other.found <= 2 * found.count());
    rank(&mut others, found.count());
    let mut all = choose(others);
    all.extend(position.filter(|position| position.same > 0));
    all.dedup_by(|one, other| one.locator == other.locator);
    rank(&mut all, found.count());
    all.insert(0, current);
    Ok(all)
}

/// The most lasting first; of those that are about as lasting, the one that finds most of what it should, then the shorter.
fn rank(ways: &mut [Alternative], wanted: usize) {
    let wrong = |way: &Alternative| (wanted - way.same.min(wanted)) + (way.found - way.same.min(way.found));
    let length = |way: &Alternative| write_locator(&way.locator).len();
    ways.sort_by_cached_key(|way| ((-100.0 * way.robustness) as i32, wrong(way), length(way)));
}

/// A few of each sort, so that there is something to choose from.
fn choose(ways: Vec<Alternative>) -> Vec<Alternative> {
    let mut kinds: Vec<(String, usize)> = Vec::new();
    let mut chosen = Vec::new();
    for way in ways {
        let kind = Holds::of(&way.locator).kind();
        let at = kinds.iter().position(|(known, _)| *known == kind).unwrap_or_else(|| {
            kinds.push((kind, 0));
            kinds.len() - 1
        });
        kinds[at].1 += 1;
        if kinds[at].1 <= ALIKE && chosen.len() < TOLD {
            chosen.push(way);
        }
    }
    chosen
}

fn told(rule: &Rule, locator: &Locator, tried: Option<&Tried>, own: Option<&Tried>) -> Alternative {
    let holds = Holds::of(locator);
    let (found, same) = match (tried, own) {
        (Some(tried), Some(own)) => (tried.count(), tried.same(own, rule.kind == Kind::List)),
        _ => (0, 0),
    };
    Alternative {
        locator: locator.clone(),
        current: false,
        found,
        same,
        robustness: lasting::estimate(locator),
        why: holds.told(),
        places: tried.map(|tried| tried.places().take(PLACES).collect()).unwrap_or_default(),
    }
}
