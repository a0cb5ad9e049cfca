//! The progress of a crawl at the terminal: a line of counts, and problems of pages.

use std::io::{self, IsTerminal};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Instant;

use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use miette::Report;
use windrow::fetch::crawl::{Observer, Progress, Stop};
use windrow::monitor::Monitor;

use crate::output;
use crate::run::{tell, tell_error};

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
