//! The loop over pages: worked on by several threads, handed back in the order of the arguments.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::thread::available_parallelism;

use miette::Report;

use crate::monitor::Monitor;
use crate::open::{Source, Sources};
use crate::parallel;

/// Returns the number of threads to use: the given one, else one for each processor.
pub fn threads(wanted: Option<NonZeroUsize>) -> usize {
    wanted.or_else(|| available_parallelism().ok()).map_or(1, NonZeroUsize::get)
}

/// Runs `work` on every page with its number, the first being 0, and `take` on every result in the pages' order.
///
/// A page that cannot be found is given to `work` as an error, so that it keeps its number. The run ends early if `take`
/// breaks, or if the monitor cancels it.
pub fn over<R: Send, B>(
    sources: Sources<'_>,
    threads: usize,
    monitor: &dyn Monitor,
    work: impl Fn(usize, Result<&Source, Report>) -> Result<R, Report> + Sync,
    mut take: impl FnMut(Result<R, Report>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    monitor.begin(sources.count);
    let flow = parallel::map(
        sources.enumerate().take_while(|_| !monitor.is_cancelled()),
        threads,
        |(number, source)| match source {
            Ok(source) => work(number, Ok(&source)),
            Err(error) => work(number, Err(error.into())),
        },
        |result| {
            let flow = take(result);
            monitor.advance();
            flow
        },
    );
    monitor.end();
    flow
}
