//! CSS selectors, compiled to the same plan as XPath.
//!
//! A selector is evaluated in one of two directions. From the document's root it is a path: `ul > li a` is
//! `descendant::ul/child::li/descendant::a`, set by set, each step linear. Below an element, where `ul` may be an
//! ancestor of the element, and inside `:is()` and `:not()`, it is a condition read from the right: an `a` with an
//! ancestor `li` whose parent is a `ul`. `:has()` is a path again, from the element.
//!
//! `::text` and `::attr(name)` are additional steps at the end. After a descendant combinator alone (`div ::text`)
//! they apply to everything inside, as in the tools that introduced them.

mod parser;
mod selector;
mod translate;

use crate::ast::Axis;
use crate::compile::{Compiler, finish_path, make_step};
use crate::error::ParseError;
use crate::plan::*;
use selector::{Combinator, Complex, Compound, PseudoElement};

pub use translate::{Origin, TranslateError, css_to_xpath, xpath_literal};

/// Compiles a selector list.
pub(crate) fn compile(source: &str) -> Result<Plan, ParseError> {
    let mut compiler = Compiler::default();
    let selectors = parser::parse(source, &mut compiler)?;
    let from_root = union(selectors.iter(), |selector| forward(Start::Root, Axis::Descendant, selector));
    let below = union(selectors.iter(), below);
    Ok(compiler.finish(Ex::ByContext(Box::new((from_root, below)))))
}

/// Combines the paths of a list; simple elements (`h1, h2, h3`) are found in one pass.
fn union<'s>(selectors: impl Iterator<Item = &'s Complex> + Clone, path: impl Fn(&Complex) -> Ex) -> Ex {
    let simple = |selector: &Complex| selector.compounds.len() == 1 && selector.pseudo.is_none();
    if selectors.clone().count() > 1 && selectors.clone().all(simple) {
        let conditions = selectors.map(condition).collect();
        let step = make_step(Axis::Descendant, Test::Element, vec![Predicate::Test(Ex::Or(conditions))], vec![]);
        return Ex::Path(Box::new(finish_path(Start::Context, vec![step])));
    }
    let mut paths: Vec<Ex> = selectors.map(path).collect();
    match paths.len() {
        1 => paths.remove(0),
        _ => Ex::Union(paths.into()),
    }
}

/// Creates a step to the elements of a compound.
fn compound_step(axis: Axis, compound: &Compound) -> Step {
    let test = compound.name.map_or(Test::Element, Test::AnyNamespace);
    let tests = compound.conditions.iter().cloned().map(Predicate::Test).collect();
    make_step(axis, test, tests, vec![])
}

/// Appends the steps of one compound after a combinator.
fn push_steps(combinator: Combinator, compound: &Compound, steps: &mut Vec<Step>) {
    match combinator {
        Combinator::Descendant => steps.push(compound_step(Axis::Descendant, compound)),
        Combinator::Child => steps.push(compound_step(Axis::Child, compound)),
        Combinator::Later => steps.push(compound_step(Axis::FollowingSibling, compound)),
        Combinator::Next => {
            let mut predicates = vec![Predicate::Range(1, 1)];
            predicates.push(Predicate::Test(compound.condition()));
            steps.push(make_step(Axis::FollowingSibling, Test::Element, predicates, vec![]));
        }
    }
}

/// Compiles a selector to a path from `start`; `first` is the axis to its first compound.
fn forward(start: Start, first: Axis, selector: &Complex) -> Ex {
    let mut steps = Vec::new();
    let (last, before) = selector.split_bare();
    for (index, (combinator, compound)) in before.iter().enumerate() {
        match index {
            0 => steps.push(compound_step(first, compound)),
            _ => push_steps(*combinator, compound, &mut steps),
        }
    }
    match (&selector.pseudo, last) {
        (Some(pseudo), true) => {
            let inside = if before.is_empty() { Axis::Descendant } else { Axis::DescendantOrSelf };
            steps.extend(bare_pseudo(pseudo, inside, None));
        }
        (Some(pseudo), false) => steps.push(pseudo_step(pseudo)),
        (None, _) => {}
    }
    Ex::Path(Box::new(finish_path(start, steps)))
}

/// Creates the step for `::text` or `::attr()` of an element.
fn pseudo_step(pseudo: &PseudoElement) -> Step {
    match pseudo {
        PseudoElement::Text => make_step(Axis::Child, Test::Text, vec![], vec![]),
        PseudoElement::Attribute(slot) => make_step(Axis::Attribute, Test::Html(*slot), vec![], vec![]),
    }
}

/// Creates the steps for `::text` or `::attr()` of everything inside.
fn bare_pseudo(pseudo: &PseudoElement, inside: Axis, condition: Option<Ex>) -> Vec<Step> {
    let predicates: Vec<Predicate> = condition.map(Predicate::Test).into_iter().collect();
    match pseudo {
        PseudoElement::Text => vec![make_step(Axis::Descendant, Test::Text, predicates, vec![])],
        PseudoElement::Attribute(_) => {
            vec![make_step(inside, Test::Element, predicates, vec![]), pseudo_step(pseudo)]
        }
    }
}

/// Compiles a selector below an element: selects the matching nodes inside it.
fn below(selector: &Complex) -> Ex {
    // `:scope > a` and `:scope a` need not visit everything.
    if let [(_, scope), (combinator, _), ..] = selector.compounds.as_slice()
        && scope.is_scope()
        && selector.compounds[1..]
            .iter()
            .all(|(combinator, _)| matches!(combinator, Combinator::Child | Combinator::Descendant))
        && selector.pseudo.is_none()
    {
        let first = if *combinator == Combinator::Child { Axis::Child } else { Axis::Descendant };
        let rest = Complex { compounds: selector.compounds[1..].to_vec(), pseudo: None, span: selector.span };
        return forward(Start::Scope, first, &rest);
    }
    let steps = match (selector.split_bare(), &selector.pseudo) {
        ((true, []), Some(pseudo)) => bare_pseudo(pseudo, Axis::Descendant, None),
        ((true, before), Some(pseudo)) => {
            let axis = match pseudo {
                PseudoElement::Text => Axis::Ancestor,
                PseudoElement::Attribute(_) => Axis::AncestorOrSelf,
            };
            let condition = Ex::Path(Box::new(finish_path(Start::Context, vec![match_step(axis, before, vec![])])));
            bare_pseudo(pseudo, Axis::Descendant, Some(condition))
        }
        (_, pseudo) => {
            let mut steps = vec![match_step(Axis::Descendant, &selector.compounds, vec![])];
            steps.extend(pseudo.as_ref().map(pseudo_step));
            steps
        }
    };
    Ex::Path(Box::new(finish_path(Start::Context, steps)))
}

/// Compiles a selector to a condition on the context element.
fn condition(selector: &Complex) -> Ex {
    let (name, conditions) = matching(&selector.compounds);
    all(name, conditions)
}

/// Compiles several selectors to a condition that holds if one of them matches.
fn any_of(selectors: &[Complex]) -> Ex {
    match selectors {
        [one] => condition(one),
        _ => Ex::Or(selectors.iter().map(condition).collect()),
    }
}

/// Compiles `:has()`: a path from the element to anything that matches.
fn has(selectors: &[Complex]) -> Ex {
    let paths = selectors.iter().map(|selector| {
        let mut steps = Vec::new();
        for (combinator, compound) in &selector.compounds {
            push_steps(*combinator, compound, &mut steps);
        }
        Ex::Path(Box::new(finish_path(Start::Context, steps)))
    });
    Ex::Or(paths.collect())
}

/// Creates a step to elements that match compounds read from the right.
fn match_step(axis: Axis, compounds: &[(Combinator, Compound)], mut predicates: Vec<Predicate>) -> Step {
    let (name, conditions) = matching(compounds);
    // If predicates count positions first, they have to see every element.
    if predicates.is_empty() {
        predicates.extend(conditions.into_iter().map(Predicate::Test));
        return make_step(axis, name.map_or(Test::Element, Test::AnyNamespace), predicates, vec![]);
    }
    predicates.push(Predicate::Test(all(name, conditions)));
    make_step(axis, Test::Element, predicates, vec![])
}

/// Returns the conditions of the last compound, including one that the compounds before it are found from there.
fn matching(compounds: &[(Combinator, Compound)]) -> (Option<Slot>, Vec<Ex>) {
    let Some(((combinator, last), before)) = compounds.split_last() else { return (None, Vec::new()) };
    let mut conditions = last.conditions.clone();
    if !before.is_empty() {
        let step = match combinator {
            Combinator::Descendant => match_step(Axis::Ancestor, before, vec![]),
            Combinator::Child => match_step(Axis::Parent, before, vec![]),
            Combinator::Later => match_step(Axis::PrecedingSibling, before, vec![]),
            Combinator::Next => match_step(Axis::PrecedingSibling, before, vec![Predicate::Range(1, 1)]),
        };
        conditions.push(Ex::Path(Box::new(finish_path(Start::Context, vec![step]))));
    }
    (last.name, conditions)
}

/// Combines a name and conditions into one condition.
fn all(name: Option<Slot>, conditions: Vec<Ex>) -> Ex {
    let name = name.map(|slot| Ex::Css(Box::new(CssTest::Type(slot))));
    let mut parts: Vec<Ex> = name.into_iter().chain(conditions).collect();
    match parts.len() {
        1 => parts.remove(0),
        _ => Ex::And(parts.into()),
    }
}
