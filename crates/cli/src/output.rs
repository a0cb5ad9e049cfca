//! Standard output, written in whole lines only.
//!
//! A command renders a page into a block of complete lines and hands over the block. The block is written under a
//! lock that the Ctrl-C handler also takes, so an interrupt never cuts a line in two; a reader that has closed the
//! pipe (`| head`) ends the work and is no error.

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Held while a block is being written.
static WRITING: Mutex<()> = Mutex::new(());

/// Set by Ctrl-C: no block may be begun any more.
static INTERRUPT: AtomicBool = AtomicBool::new(false);

/// The exit status of a program that Ctrl-C ended, as shells have it.
const INTERRUPTED: i32 = 130;

/// Makes Ctrl-C wait for the block that is being written, then exit.
pub(crate) fn exit_on_interrupt() {
    // Without a handler (the platform refused) Ctrl-C still ends the program, only less tidily.
    let _ = ctrlc::set_handler(|| {
        INTERRUPT.store(true, Ordering::SeqCst);
        // A reader that takes nothing must not keep us alive: two seconds, then out.
        for _ in 0..200 {
            if let Ok(_guard) = WRITING.try_lock() {
                std::process::exit(INTERRUPTED);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        std::process::exit(INTERRUPTED);
    });
}

/// Why printing ended before its time.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Nobody reads any more.
    Closed,
    /// The output cannot be written: a full disk, as a rule.
    Failed(io::Error),
}

/// Standard output with the progress bar that must step aside for it.
pub(crate) struct Output {
    progress: Option<Progress>,
}

impl Output {
    /// Output of a run over `pages` pages.
    pub(crate) fn new(pages: usize, quiet: bool) -> Output {
        // Below a few pages there is nothing worth following.
        let wanted = !quiet && pages > 8 && io::stderr().is_terminal();
        Output { progress: wanted.then(|| Progress::new(pages)) }
    }

    /// Writes a block of complete lines.
    pub(crate) fn write(&self, block: &[u8]) -> ControlFlow<Stop> {
        if block.is_empty() {
            return ControlFlow::Continue(());
        }
        let write = || {
            let guard = WRITING.lock();
            if INTERRUPT.load(Ordering::SeqCst) {
                drop(guard);
                // The handler is about to exit; it must find the lock free.
                loop {
                    std::thread::park();
                }
            }
            let mut stdout = io::stdout().lock();
            stdout.write_all(block).and_then(|()| stdout.flush())
        };
        match self.aside(write) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ControlFlow::Break(Stop::Closed),
            Err(error) => ControlFlow::Break(Stop::Failed(error)),
        }
    }

    /// Runs what prints on the terminal, with the progress bar out of its way.
    pub(crate) fn aside<R>(&self, print: impl FnOnce() -> R) -> R {
        match &self.progress {
            Some(progress) => progress.bar.suspend(print),
            None => print(),
        }
    }

    /// One page is done.
    pub(crate) fn advance(&self) {
        if let Some(progress) = &self.progress {
            progress.advance();
        }
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some(progress) = &self.progress {
            progress.bar.finish_and_clear();
        }
    }
}

struct Progress {
    bar: ProgressBar,
    began: Instant,
}

impl Progress {
    /// Short work shows no bar at all.
    const PATIENCE: Duration = Duration::from_secs(1);

    fn new(pages: usize) -> Progress {
        let bar = ProgressBar::with_draw_target(Some(pages as u64), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} pages, {eta} left") {
            bar.set_style(style);
        }
        Progress { bar, began: Instant::now() }
    }

    fn advance(&self) {
        if self.bar.is_hidden() && self.began.elapsed() >= Self::PATIENCE {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.inc(1);
    }
}
