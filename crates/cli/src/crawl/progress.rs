//! What the person at the terminal sees of a crawl: a line that counts, what is wrong with pages, a summary.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Instant;

use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use miette::Report;
use windrow::fetch::crawl::{End, Observer, Progress, Reason, Stop, Summary};
use windrow::monitor::Monitor;

use crate::output;
use crate::run::{tell, tell_error};

/// Reasons for failures that are told.
const MOST: usize = 10;

/// Takes lines from the threads of a crawl, and hands them to its [`Watch`].
pub(crate) struct Lines {
    quiet: bool,
    sender: Mutex<mpsc::Sender<String>>,
}

impl Lines {
    fn send(&self, line: &str) {
        // Nobody listens when the crawl has ended.
        let _ = self.sender.lock().unwrap_or_else(PoisonError::into_inner).send(line.to_owned());
    }
}

impl Monitor for Lines {
    fn note(&self, line: &str) {
        if !self.quiet {
            self.send(line);
        }
    }

    fn alarm(&self, line: &str) {
        self.send(line);
    }

    fn error(&self, error: &Report) {
        tell_error(error);
    }
}

/// Watches a crawl.
pub(crate) struct Watch {
    bar: Option<ProgressBar>,
    begun: Instant,
    /// Pages that were stored before this run.
    before: Option<u64>,
    lines: mpsc::Receiver<String>,
    stop: Arc<Stop>,
    /// Why standard output takes no more.
    failed: Option<io::Error>,
}

impl Watch {
    /// Creates a watch, and the monitor that its lines come from. Ctrl-C stops the crawl.
    pub(crate) fn new(quiet: bool) -> (Watch, Lines, Arc<Stop>) {
        let stop = Arc::new(Stop::default());
        output::stop_on_interrupt(Arc::clone(&stop));
        let bar = (!quiet && io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
                bar.set_style(style);
            }
            bar
        });
        let (sender, lines) = mpsc::channel();
        let watch = Watch { bar, begun: Instant::now(), before: None, lines, stop: Arc::clone(&stop), failed: None };
        (watch, Lines { quiet, sender: Mutex::new(sender) }, stop)
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
        let lines: Vec<String> = self.lines.try_iter().collect();
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

impl Observer for Watch {
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
