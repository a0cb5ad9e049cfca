//! Limits on the time and depth of a running filter.
//!
//! The interpreter has no hook to interrupt a filter, but it accepts native filters. The native filter `!step` returns
//! its input and checks the clock and the stack. [`steps`] inserts it into the filter's tree, and into the definitions
//! that come with jq, wherever a filter may run long: at the start of recursive definitions and, if there is a time
//! limit, after each `.[]` and `range`. To stop a filter it raises a halt, which no `try` can catch. Users cannot write
//! this name in a filter.
//!
//! The stack depth is measured by the address of a local variable. That is crude, but it holds in any build, unlike a
//! count of calls.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use jaq_core::box_iter::box_once;
use jaq_core::data::HasLut;
use jaq_core::load::lex::StrPart;
use jaq_core::load::parse::{BinaryOp, Def, Pattern, Term};
use jaq_core::native::Fun;
use jaq_core::path::{Part, Path};
use jaq_core::{DataT, Exn, Lut, Native};
use jaq_json::Val;

/// Name of the native filter.
const STEP: &str = "!step";
/// Number of steps between checks of the clock, which cost more than a step; they take a millisecond or less.
const STEPS_A_LOOK: u32 = 256;

/// Reason for stopping a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    Time,
    Depth,
}

/// Limits and progress of a running filter.
#[derive(Debug)]
pub(super) struct Watch {
    deadline: Option<Instant>,
    /// Set when the caller no longer waits for results.
    abandoned: Arc<AtomicBool>,
    /// Address at which the stack begins; `depth` is the number of bytes that may be used.
    bottom: usize,
    depth: usize,
    steps: Cell<u32>,
    stopped: Cell<Option<Stop>>,
}

impl Watch {
    /// Creates a watch that measures depth from the current stack position.
    pub(super) fn new(deadline: Option<Instant>, abandoned: Arc<AtomicBool>, depth: usize) -> Watch {
        Watch { deadline, abandoned, bottom: here(), depth, steps: Cell::new(0), stopped: Cell::new(None) }
    }

    /// Returns the reason the filter was stopped, if it was.
    pub(super) fn stopped(&self) -> Option<Stop> {
        self.stopped.get()
    }

    fn step<'a>(&self) -> Result<(), Exn<'a, Val>> {
        if self.bottom.abs_diff(here()) > self.depth {
            return Err(self.stop(Stop::Depth));
        }
        let steps = self.steps.get().wrapping_add(1);
        self.steps.set(steps);
        if steps.is_multiple_of(STEPS_A_LOOK) {
            let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if late || self.abandoned.load(Ordering::Relaxed) {
                return Err(self.stop(Stop::Time));
            }
        }
        Ok(())
    }

    fn stop<'a>(&self, why: Stop) -> Exn<'a, Val> {
        self.stopped.set(Some(why));
        Exn::halt(1)
    }
}

/// Returns the approximate address of the stack's top.
#[inline(never)]
fn here() -> usize {
    let local = 0_u8;
    std::hint::black_box(std::ptr::from_ref(&local)).addr()
}

/// The data types that the interpreter passes to filters.
pub(super) struct Watched;

/// The compiled filter and its watch.
#[derive(Clone)]
pub(super) struct Around<'a> {
    pub(super) lut: &'a Lut<Watched>,
    pub(super) watch: &'a Watch,
}

impl DataT for Watched {
    type V<'a> = Val;
    type Data<'a> = Around<'a>;
}

impl<'a> HasLut<'a, Watched> for Around<'a> {
    fn lut(&self) -> &'a Lut<Watched> {
        self.lut
    }
}

/// Returns the native filter.
pub(super) fn function() -> Fun<Watched> {
    let native = Native::<Watched>::new(|cv| box_once(cv.0.data().watch.step().map(|()| cv.1)))
        .with_paths(|cv| box_once(cv.0.data().watch.step().map(|()| cv.1)))
        .with_update(|cv, update| match cv.0.data().watch.step() {
            Ok(()) => update(cv.1),
            Err(stop) => box_once(Err(stop)),
        });
    (STEP, Box::new([]), native)
}

/// Inserts steps into a definition; if `timed`, also where filters iterate over values.
pub(super) fn steps(definition: Def<&str>, timed: bool) -> Def<&str> {
    steps_and_calls(definition, timed, &mut Vec::new())
}

fn pipe<'s>(left: Term<&'s str>, right: Term<&'s str>) -> Term<&'s str> {
    Term::BinOp(Box::new(left), BinaryOp::Pipe(None), Box::new(right))
}

/// Traversal of a filter's tree.
struct Walk<'w, 's> {
    timed: bool,
    /// Callback for each call, with its name and number of arguments.
    called: &'w mut dyn FnMut(&'s str, usize),
}

impl<'s> Walk<'_, 's> {
    fn term(&mut self, term: &mut Term<&'s str>) {
        let mut goes_through = false;
        match term {
            Term::Id | Term::Recurse | Term::Num(_) | Term::Break(_) | Term::Var(_) | Term::Arr(None) => {}
            Term::Str(_, parts) => {
                for part in parts {
                    if let StrPart::Term(term) = part {
                        self.term(term);
                    }
                }
            }
            Term::Arr(Some(inner)) | Term::Neg(inner) | Term::Label(_, inner) => self.term(inner),
            Term::Obj(entries) => {
                for (key, value) in entries {
                    self.term(key);
                    value.iter_mut().for_each(|value| self.term(value));
                }
            }
            Term::BinOp(left, operator, right) => {
                self.term(left);
                if let BinaryOp::Pipe(Some(pattern)) = operator {
                    self.pattern(pattern);
                }
                self.term(right);
            }
            Term::Fold(_, over, pattern, arguments) => {
                self.term(over);
                self.pattern(pattern);
                arguments.iter_mut().for_each(|argument| self.term(argument));
            }
            Term::TryCatch(inner, catch) => {
                self.term(inner);
                catch.iter_mut().for_each(|catch| self.term(catch));
            }
            Term::IfThenElse(branches, otherwise) => {
                for (condition, branch) in branches {
                    self.term(condition);
                    self.term(branch);
                }
                otherwise.iter_mut().for_each(|branch| self.term(branch));
            }
            Term::Def(definitions, inner) => {
                for definition in definitions {
                    // Collects the calls both for this definition and for the ones around it.
                    let taken = Def { name: definition.name, args: Vec::new(), body: Term::Id };
                    let taken = std::mem::replace(definition, taken);
                    let mut collected = Vec::new();
                    *definition = steps_and_calls(taken, self.timed, &mut collected);
                    collected.into_iter().for_each(|(name, arguments)| (self.called)(name, arguments));
                }
                self.term(inner);
            }
            Term::Call(name, arguments) => {
                (self.called)(name, arguments.len());
                goes_through = *name == "range" && arguments.len() == 3;
                arguments.iter_mut().for_each(|argument| self.term(argument));
            }
            Term::Path(inner, Path(parts)) => {
                self.term(inner);
                for (part, _) in parts {
                    match part {
                        Part::Index(index) => self.term(index),
                        Part::Range(None, None) => goes_through = true,
                        Part::Range(from, to) => from.iter_mut().chain(to).for_each(|bound| self.term(bound)),
                    }
                }
            }
        }
        if goes_through && self.timed {
            let inner = std::mem::take(term);
            *term = pipe(inner, Term::Call(STEP, Vec::new()));
        }
    }

    fn pattern(&mut self, pattern: &mut Pattern<&'s str>) {
        match pattern {
            Pattern::Var(_) => {}
            Pattern::Arr(patterns) => patterns.iter_mut().for_each(|pattern| self.pattern(pattern)),
            Pattern::Obj(entries) => {
                for (key, pattern) in entries {
                    self.term(key);
                    self.pattern(pattern);
                }
            }
        }
    }
}

/// Inserts steps into a definition and collects the calls it makes.
fn steps_and_calls<'s>(mut definition: Def<&'s str>, timed: bool, calls: &mut Vec<(&'s str, usize)>) -> Def<&'s str> {
    let mut walk = Walk { timed, called: &mut |name, arguments| calls.push((name, arguments)) };
    walk.term(&mut definition.body);
    if calls.contains(&(definition.name, definition.args.len())) {
        let body = std::mem::take(&mut definition.body);
        definition.body = pipe(Term::Call(STEP, Vec::new()), body);
    }
    definition
}
