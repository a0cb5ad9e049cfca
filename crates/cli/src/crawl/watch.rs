//! What the person at the terminal sees of a crawl: a line that counts, what is wrong with pages, a summary.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::{Arc, mpsc};
use std::time::Instant;

use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use miette::Report;
use windrow::fetch::crawl::{Checkpoint, End, Observer, Progress, Reason, Stop, Summary};

use crate::keep::Keeping;
use crate::output;
use crate::run::tell;

/// Reasons for failures that are told.
const MOST: usize = 10;

/// Takes lines from other threads.
#[derive(Debug, Clone)]
pub(crate) struct Lines(mpsc::Sender<String>);

impl Lines {
    pub(crate) fn tell(&self, line: String) {
        // Nobody listens when the crawl has ended.
        let _ = self.0.send(line);
    }
}

/// Watches a crawl.
pub(crate) struct Watch<'a> {
    /// The store that visits keep records in.
    keeping: Option<&'a Keeping>,
    bar: Option<ProgressBar>,
    begun: Instant,
    /// Pages that were stored before this run.
    before: Option<u64>,
    lines: (mpsc::Sender<String>, mpsc::Receiver<String>),
    stop: Arc<Stop>,
    /// Why standard output takes no more.
    failed: Option<io::Error>,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(quiet: bool, stop: Arc<Stop>, keeping: Option<&'a Keeping>) -> Watch<'a> {
        let bar = (!quiet && io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
                bar.set_style(style);
            }
            bar
        });
        Watch { keeping, bar, begun: Instant::now(), before: None, lines: mpsc::channel(), stop, failed: None }
    }

    /// Where other threads tell their lines.
    pub(crate) fn lines(&self) -> Lines {
        Lines(self.lines.0.clone())
    }

    /// Prints what is left to print; an error if standard output did not take everything.
    pub(crate) fn finish(&mut self) -> Result<(), Report> {
        self.print_lines();
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        match self.failed.take() {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(miette::miette!(code = "output::failed", "cannot write the output: {error}"))
            }
            _ => Ok(()),
        }
    }

    fn print_lines(&self) {
        let lines: Vec<String> = self.lines.1.try_iter().collect();
        if !lines.is_empty() {
            self.aside(|| lines.iter().for_each(|line| tell(line)));
        }
    }

    fn aside<R>(&self, print: impl FnOnce() -> R) -> R {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

impl Observer for Watch<'_> {
    fn secure(&mut self, checkpoint: &Checkpoint) -> Result<(), String> {
        match self.keeping {
            Some(keeping) => keeping.mark(checkpoint).map_err(|report| report.to_string()),
            None => Ok(()),
        }
    }

    fn progress(&mut self, progress: &Progress) {
        self.print_lines();
        let before = *self.before.get_or_insert(progress.counts.done);
        let Some(bar) = &self.bar else { return };
        let seconds = self.begun.elapsed().as_secs_f64().max(0.001);
        let stored = progress.counts.done.saturating_sub(before);
        bar.set_message(format!(
            "{} pages, {:.1}/s, {} queued, {} failed, {}, {} s",
            HumanCount(progress.counts.done),
            stored as f64 / seconds,
            HumanCount(progress.counts.queued),
            HumanCount(progress.counts.failed),
            HumanBytes(progress.bytes),
            seconds as u64,
        ));
        bar.tick();
    }

    fn output(&mut self, _number: usize, bytes: &[u8]) {
        if self.failed.is_some() {
            return;
        }
        let written = self.aside(|| output::print(bytes));
        if let Err(error) = written {
            self.failed = Some(error);
            self.stop.stop();
        }
    }
}

/// Tells how a crawl went.
pub(crate) fn tell_summary(summary: &Summary, state: &Path) {
    let counts = summary.progress.counts;
    let how = match (summary.end, summary.resumed, summary.progress.requests) {
        (End::Complete, true, 0) => "nothing was left to do",
        (End::Complete, _, _) => "complete",
        (End::Budget, _, _) => "the budget is used up",
        (End::Stopped, _, _) => "stopped",
    };
    let pages = if counts.done == 1 { "page" } else { "pages" };
    let mut line = format!("{how}: {} {pages} stored", HumanCount(counts.done));
    if counts.failed > 0 {
        line += &format!(", {} failed", HumanCount(counts.failed));
    }
    if counts.queued > 0 {
        line += &format!(", {} queued; the same command goes on", HumanCount(counts.queued));
    }
    line += &format!(" (state: {})", state.display());
    tell(&line);
    for part in &summary.parts {
        tell(&format!("so far in {}", part.display()));
    }
    summary.reasons.iter().take(MOST).for_each(|reason| tell(&format!("failed: {}", told_reason(reason))));
    let told: u64 = summary.reasons.iter().take(MOST).map(|reason| reason.count).sum();
    if counts.failed > told {
        tell(&format!("failed: {} more, for other reasons", HumanCount(counts.failed - told)));
    }
    if counts.failed > 0 {
        tell(
            "to retry: the same command tries again what may have passed; with other options (--timeout, --ignore-robots, \
             --allow-private, …) it tries all of them again",
        );
    }
}

/// Why pages failed, on one line.
fn told_reason(reason: &Reason) -> String {
    let (url, note) = (short(&reason.url), short(&reason.note));
    // Most reasons name the address themselves.
    match (reason.count, note.contains(&url)) {
        (1, true) => note,
        (1, false) => format!("{url}: {note}"),
        (count, _) => format!("{} pages: {}, for instance {url}", HumanCount(count), short(&reason.summary)),
    }
}

/// A text that fits on a few lines.
fn short(text: &str) -> String {
    match text.char_indices().nth(300) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
