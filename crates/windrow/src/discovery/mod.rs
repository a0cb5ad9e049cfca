//! The lists of one page: learned, joined into one wrapper, and extracted in one run.
//!
//! The learner gives a wrapper for each list. One wrapper with all of them, the main list's rule first, is what every
//! format can print; it is also what a run's limits are for, so that a page with ten lists costs no more than one.

mod explanation;
pub mod render;

use std::sync::Arc;

use crate::learn::discover::Discovery;
use crate::wrapper::{Rule, Shape};
use crate::{Extraction, Extractor, Page, Wrapper, WrapperErrors};
use miette::{Diagnostic, Report};

use self::explanation::Explanation;
use crate::text::plural;

/// Lines about what a limit cut off, for one page.
const MOST_CUTS: usize = 10;

/// A page's lists.
#[derive(Debug)]
pub struct Lists {
    /// The rules that find them.
    pub wrapper: Wrapper,
    /// Their shapes, in the same order.
    pub shapes: Vec<Shape>,
    /// Their finds.
    pub extraction: Extraction,
    /// Errors in the rules of other lists, which were left out.
    wrong: Vec<String>,
    /// The cuts that were compared, if `--explain` asks for them.
    pub explanation: Option<Explanation>,
    /// The reason to doubt the main list, if there is one.
    pub doubt: Option<String>,
}

/// The lists that are looked for on a page.
#[derive(Debug, Clone, Copy)]
pub struct ListRequest {
    /// At most so many lists.
    pub most: usize,
    /// Explains why these lists were chosen.
    pub explain: bool,
    /// Explains all cuts rather than the best of those that were not chosen.
    pub all: bool,
}

/// A mistake of ours, not of the page.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("the rules that were learned from `{page}` are wrong: {cause}")]
#[diagnostic(code(discover::wrong_rules), help("this is a bug: please report it with the page"))]
struct WrongListRules {
    page: String,
    cause: String,
}

impl Lists {
    /// Finds the lists of a page.
    pub fn find(page: Arc<Page>, wanted: ListRequest) -> Result<Lists, Report> {
        let name = page.name().to_owned();
        let Discovery { lists: mut wrappers, considered } = crate::explain(&*page, wanted.most);
        let doubt = explanation::doubt(page.document(), &considered);
        let (mut wrong, mut right) = (Vec::new(), Vec::new());
        // A list that cannot be extracted must not take the others with it.
        wrappers.retain(|wrapper| match Extractor::new(wrapper) {
            Ok(_) => {
                right.push(true);
                true
            }
            Err(errors) => {
                right.push(false);
                wrong.push(in_words(&errors));
                false
            }
        });
        let wrapper = join(wrappers, &name);
        let explanation = wanted.explain.then(|| {
            let mut names = wrapper.rules.iter().map(|rule| rule.name.value.clone());
            let names: Vec<Option<String>> =
                right.iter().map(|&right| if right { names.next() } else { None }).collect();
            Explanation::new(page.document(), &considered, &names, wanted.all)
        });
        let extractor =
            Extractor::new(&wrapper).map_err(|errors| WrongListRules { page: name, cause: in_words(&errors) })?;
        Ok(Lists { shapes: extractor.shape(), extraction: extractor.extract(page), wrapper, wrong, explanation, doubt })
    }

    /// Returns `true` if there is any record.
    pub fn found(&self) -> bool {
        self.extraction.has_values()
    }

    /// Returns the number of records and fields of each list, in words.
    pub fn counts(&self) -> Vec<String> {
        let count = |shape: &Shape| {
            let records = self.extraction.objects().filter(|object| object.label() == shape.label).count();
            format!("{}, {}", plural(records, "record"), plural(fields(shape), "field"))
        };
        self.shapes.iter().map(count).collect()
    }

    /// Returns the reasons why the result is incomplete, a line each: lists left out, and what a limit has cut off.
    pub fn errors(&self, page: &str) -> Vec<String> {
        let cuts = self.extraction.problems().iter().filter(|problem| problem.is_cut()).take(MOST_CUTS);
        let cuts = cuts.map(|problem| problem.message(&self.extraction));
        let wrong = self.wrong.iter().map(|cause| format!("a list is left out, as its rules are wrong: {cause}"));
        wrong.chain(cuts).map(|what| format!("error: {page}: {what}")).collect()
    }
}

fn in_words(errors: &WrapperErrors) -> String {
    errors.0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// Fields of a list's records, those of lists inside them included.
fn fields(shape: &Shape) -> usize {
    if shape.is_set { shape.children.iter().map(fields).sum() } else { 1 }
}

/// One wrapper with the lists of all; their names made unique.
fn join(wrappers: Vec<Wrapper>, page: &str) -> Wrapper {
    let mut wrappers = wrappers.into_iter();
    let Some(mut joined) = wrappers.next() else { return Wrapper::default() };
    if let Some(learned) = &mut joined.learned {
        learned.from = vec![page.to_owned()];
    }
    for rule in wrappers.flat_map(|wrapper| wrapper.rules) {
        let rule = renamed(rule, &joined.rules);
        joined.rules.push(rule);
    }
    joined
}

fn renamed(mut rule: Rule, others: &[Rule]) -> Rule {
    let free = |name: &String| others.iter().all(|other| *other.name != **name && other.shown() != name);
    let own = rule.name.value.clone();
    let names = std::iter::once(own.clone()).chain((2..).map(|number| format!("{own}_{number}")));
    if let Some(name) = names.into_iter().find(free) {
        rule.name = name.into();
    }
    rule
}
