//! The output of a run: standard output, in whole lines only, or files that appear when all is done.
//!
//! The end of the run decides over files ([`Outcome`]): a run that failed leaves the old file as it was and
//! puts its rows beside it, and one that found nothing replaces no file that has something in it.
//!
//! A command renders a page into a block of complete lines and hands over the block. The block is written under a
//! lock that the Ctrl-C handler also takes, so an interrupt never cuts a line in two; a reader that has closed the
//! pipe (`| head`) ends the work and is no error.

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use windrow::fetch::crawl;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use miette::Report;
use windrow::atomic_file::{self, AtomicFile};
use windrow::monitor::Monitor;

use crate::run::{tell, tell_error};
use crate::terminal;

/// Held while a block is being written.
static WRITING: Mutex<()> = Mutex::new(());

/// Set by Ctrl-C: no block may be begun any more.
static INTERRUPT: AtomicBool = AtomicBool::new(false);

/// The exit status of a program that Ctrl-C ended, as shells have it.
const INTERRUPTED: i32 = 130;

/// The crawl that Ctrl-C stops instead of the program.
static STOP: OnceLock<Arc<crawl::Stop>> = OnceLock::new();

/// Makes the first Ctrl-C stop a crawl; the second ends the program.
pub(crate) fn stop_on_interrupt(stop: Arc<crawl::Stop>) {
    let _ = STOP.set(stop);
}

/// Makes Ctrl-C wait for the block that is being written, then exit.
pub(crate) fn exit_on_interrupt() {
    // Without a handler (the platform refused) Ctrl-C still ends the program, only less tidily.
    let _ = ctrlc::set_handler(|| {
        if let Some(stop) = STOP.get().filter(|stop| !stop.is_stopped()) {
            stop.stop();
            return;
        }
        INTERRUPT.store(true, Ordering::SeqCst);
        // A reader that takes nothing must not keep us alive: two seconds, then out.
        for _ in 0..200 {
            if let Ok(_guard) = WRITING.try_lock() {
                atomic_file::abandon_all();
                std::process::exit(INTERRUPTED);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        atomic_file::abandon_all();
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

/// The receiver of the output.
#[derive(Debug)]
pub(crate) enum Sink {
    /// Standard output.
    Standard,
    /// Files, by number.
    Files {
        /// Their common name: the file, or the directory that all are in.
        place: String,
        files: Vec<AtomicFile>,
    },
}

impl Sink {
    /// A file.
    pub(crate) fn file(path: &Path) -> io::Result<Sink> {
        Ok(Sink::Files { place: path.display().to_string(), files: vec![AtomicFile::create(path)?] })
    }

    /// Files of these names in a directory, which is made if there is none.
    pub(crate) fn directory(directory: &Path, names: &[String]) -> io::Result<Sink> {
        std::fs::create_dir_all(directory)?;
        let files = names.iter().map(|name| AtomicFile::create(&directory.join(name)));
        Ok(Sink::Files { place: directory.display().to_string(), files: files.collect::<io::Result<_>>()? })
    }
}

/// The end of a run, as far as its files are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// All was done, and there is something.
    Found,
    /// All was done, and there is nothing.
    Nothing,
    /// Not all was done.
    Failed {
        /// True if there is something all the same.
        rows: bool,
    },
}

/// The fate of the files of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Placed {
    /// There were none.
    Nowhere,
    /// They are in their places.
    Written { place: String },
    /// The targets are as they were.
    Untouched {
        place: String,
        /// True if there are any.
        exists: bool,
        /// The place of what was produced instead.
        beside: Option<String>,
    },
}

impl Placed {
    /// Describes the target for a message: `ads.csv is unchanged`. None if it was written.
    pub(crate) fn untouched(&self) -> Option<String> {
        match self {
            Placed::Untouched { place, exists: true, .. } => Some(format!("{place} is unchanged")),
            Placed::Untouched { place, exists: false, .. } => Some(format!("{place} is not written")),
            Placed::Nowhere | Placed::Written { .. } => None,
        }
    }
}

/// The person at the terminal: lines on standard error, and a progress bar that steps aside for them.
pub(crate) struct Console {
    quiet: bool,
    progress: Mutex<Option<PageProgress>>,
}

impl Console {
    /// Creates a console; a quiet one drops notes and shows no progress.
    pub(crate) fn new(quiet: bool) -> Console {
        Console { quiet, progress: Mutex::new(None) }
    }

    /// Runs what prints on the terminal, with the progress bar out of its way.
    pub(crate) fn aside<R>(&self, print: impl FnOnce() -> R) -> R {
        match &*self.progress() {
            Some(progress) => progress.bar.suspend(print),
            None => print(),
        }
    }

    fn progress(&self) -> MutexGuard<'_, Option<PageProgress>> {
        // A panic while drawing leaves a bar that can still be cleared.
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Monitor for Console {
    fn note(&self, line: &str) {
        if !self.quiet {
            self.aside(|| tell(line));
        }
    }

    fn alarm(&self, line: &str) {
        self.aside(|| tell(line));
    }

    fn error(&self, error: &Report) {
        self.aside(|| tell_error(error));
    }

    fn begin(&self, pages: Option<usize>) {
        // Of one page there is nothing to follow. Many that are read quickly show no bar either.
        let wanted = !self.quiet && pages.is_none_or(|pages| pages > 1) && io::stderr().is_terminal();
        *self.progress() = wanted.then(|| PageProgress::new(pages));
    }

    fn advance(&self) {
        if let Some(progress) = &*self.progress() {
            progress.advance();
        }
    }

    fn end(&self) {
        if let Some(progress) = self.progress().take() {
            progress.bar.finish_and_clear();
        }
    }
}

/// A sink, and the console that steps aside for standard output.
pub(crate) struct Output<'c> {
    sink: Sink,
    console: &'c Console,
}

impl<'c> Output<'c> {
    /// Creates an output.
    pub(crate) fn new(sink: Sink, console: &'c Console) -> Output<'c> {
        Output { sink, console }
    }

    /// Writes a block of complete lines, to the file of this number if there are files.
    pub(crate) fn write(&mut self, file: usize, block: &[u8]) -> ControlFlow<Stop> {
        if block.is_empty() {
            return ControlFlow::Continue(());
        }
        if let Sink::Files { files, .. } = &mut self.sink {
            return match files[file].write(block) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => ControlFlow::Break(Stop::Failed(error)),
            };
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
            print(block)
        };
        match self.console.aside(write) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ControlFlow::Break(Stop::Closed),
            Err(error) => ControlFlow::Break(Stop::Failed(error)),
        }
    }

    /// Puts files in their places, if the run ended well; says what became of them.
    pub(crate) fn finish(mut self, outcome: Outcome) -> io::Result<Placed> {
        let Sink::Files { place, files } = std::mem::replace(&mut self.sink, Sink::Standard) else {
            return Ok(Placed::Nowhere);
        };
        let exists = files.iter().any(AtomicFile::would_replace);
        let is_stream = files.iter().all(AtomicFile::is_stream);
        match outcome {
            Outcome::Failed { rows } if !is_stream => {
                let beside = if rows { Some(atomic_file::finish_beside(files)?) } else { None };
                let beside = beside.map(|paths| match paths.as_slice() {
                    [path] => path.display().to_string(),
                    _ => format!("the .partial files in {place}"),
                });
                Ok(Placed::Untouched { place, exists, beside })
            }
            Outcome::Nothing if exists => Ok(Placed::Untouched { place, exists, beside: None }),
            _ => atomic_file::finish(files).map(|()| Placed::Written { place }),
        }
    }

    /// Gives up writing; says what became of the target, if it is a file.
    pub(crate) fn abandon(mut self) -> Option<String> {
        let Sink::Files { place, files } = std::mem::replace(&mut self.sink, Sink::Standard) else { return None };
        let exists = files.iter().any(AtomicFile::would_replace);
        let is_stream = files.iter().all(AtomicFile::is_stream);
        Placed::Untouched { place, exists, beside: None }.untouched().filter(|_| !is_stream)
    }
}

/// Writes to standard output; to a terminal, without what would steer it.
pub(crate) fn print(block: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    if stdout.is_terminal() {
        stdout.write_all(&terminal::visible_bytes(block))?
    } else {
        stdout.write_all(block)?
    }
    stdout.flush()
}

struct PageProgress {
    bar: ProgressBar,
    began: Instant,
}

impl PageProgress {
    /// Short work shows no bar at all.
    const PATIENCE: Duration = Duration::from_secs(1);

    fn new(pages: Option<usize>) -> PageProgress {
        let bar = ProgressBar::with_draw_target(pages.map(|pages| pages as u64), ProgressDrawTarget::hidden());
        let template = match pages {
            Some(_) => "{bar:30} {pos}/{len} pages, {eta} left",
            None => "{spinner} {pos} pages, {per_sec}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        PageProgress { bar, began: Instant::now() }
    }

    fn advance(&self) {
        if self.bar.is_hidden() && self.began.elapsed() >= Self::PATIENCE {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.inc(1);
    }
}
