//! Assembles a crawl: the keeper on the caller's thread, the scheduler on an async runtime, visitors on their own
//! threads.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, mpsc};

use url::Url;

use super::files::{Files, Lock, Wanted, part_of};
use super::frontier::Frontier;
use super::keeper::Keeper;
use super::scheduler::{self, Event, Exits};
use super::visit::{self, Parts, Visitor, Work};
use super::{Bounds, Checkpoint, Config, CrawlError, End, Progress, Source, Stop, Summary};

/// Receives the events of a crawl.
pub trait Observer {
    /// Called after a batch has been written.
    fn progress(&mut self, _progress: &Progress) {}

    /// Receives the bytes of an output without a file, once the page they came from is stored.
    fn output(&mut self, _number: usize, _bytes: &[u8]) {}

    /// Makes durable what visits have stored elsewhere, such as in a database, and stores the checkpoint there. It is
    /// called before the state is committed, so the state is never ahead of that data. Whoever resumes the crawl
    /// compares [`checkpoint`](super::checkpoint) with the stored one.
    ///
    /// # Errors
    ///
    /// The data could not be made durable; the crawl ends with its state as of the last batch.
    fn secure(&mut self, _checkpoint: &Checkpoint) -> Result<(), String> {
        Ok(())
    }
}

/// Starts or resumes a crawl; returns when it has ended.
///
/// After an error the state is as of the last batch, and the crawl can be resumed from there.
pub fn run(
    config: &Config,
    seeds: &[Url],
    source: Arc<dyn Source>,
    visitor: &dyn Visitor,
    stop: &Stop,
    observer: &mut dyn Observer,
) -> Result<Summary, CrawlError> {
    let _lock = Lock::take(&config.state)?;
    if config.restart {
        remove(config)?;
    }
    let mut frontier = Frontier::open(&config.state, config.order, config.canonical)?;
    let resumed = check_identity(&frontier, config)?;
    frontier.recover(is_changed(&frontier, config)?)?;
    let checkpoint = frontier.checkpoint()?;
    let files = Files::open(&wanted(config, &*source), &frontier)?;
    let mut bounds = Bounds::new(config.scope.clone());
    frontier.begin()?;
    for seed in seeds {
        frontier.add_page(seed, 0, true)?;
    }
    frontier.commit()?;
    source.name(&frontier.given()?);
    for seed in frontier.seeds()? {
        bounds.admit(&seed);
    }
    for site in frontier.sites()? {
        bounds.open(site.name);
    }
    let parts = Parts::new(config)?;
    let (work, queue) = mpsc::channel::<Work>();
    let (finished, inbox) = mpsc::channel();
    let (events, heard) = tokio::sync::mpsc::unbounded_channel();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(config.threads.clamp(1, 4))
        .enable_all()
        .build()
        .map_err(|cause| CrawlError::System { cause })?;
    let exits = Exits { work, finished: finished.clone() };
    runtime.spawn(scheduler::run(heard, Arc::clone(&source), exits, config.clone()));
    let queue = Mutex::new(queue);
    let visit = || {
        // The lock is poisoned only if `recv` panicked, and then there is nothing left to receive.
        while let Ok(Ok(work)) = queue.lock().map(|queue| queue.recv()) {
            let done = visit::settle_surely(work, visitor, &parts, config, &*source);
            if finished.send(done).is_err() || events.send(Event::Visited).is_err() {
                break;
            }
        }
    };
    let mut keeper = Keeper {
        frontier,
        files,
        bounds,
        config,
        inbox,
        scheduler: events.clone(),
        stop,
        progress: Progress::default(),
        checkpoint,
        streamed: Vec::new(),
    };
    if !resumed {
        // Outputs without a file begin here; files get their beginning when they are opened.
        for (number, (path, begin)) in config.outputs.iter().enumerate() {
            if path.is_none() && !begin.is_empty() {
                observer.output(number, begin);
            }
        }
    }
    let summary = std::thread::scope(|scope| {
        for _ in 0..config.threads.max(1) {
            scope.spawn(visit);
        }
        let end = keeper.run(observer);
        // Shutting down the scheduler closes the queue, which ends the visitors.
        runtime.shutdown_background();
        let end = end?;
        // A crawl that stored nothing must not replace earlier files.
        if end != End::Stopped && keeper.progress.counts.done > 0 {
            keeper.files.place(&keeper.frontier)?;
        }
        Ok(Summary {
            end,
            progress: keeper.progress,
            resumed,
            failures: keeper.failures()?,
            reasons: keeper.frontier.reasons()?,
            parts: keeper.files.parts(),
            tallies: keeper.frontier.tallies()?,
        })
    });
    drop(parts);
    keeper.frontier.close();
    summary
}

/// Returns the files of a crawl: its outputs, then its archive.
fn wanted(config: &Config, source: &dyn Source) -> Vec<Wanted> {
    let outputs = config.outputs.iter().map(|(path, begin)| Wanted {
        path: path.clone(),
        begin: begin.clone(),
        may_replace: true,
    });
    // Other commands append to archives, so an existing one is only replaced with `restart`.
    let archive = config.record.iter().map(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Wanted { path: Some(path.clone()), begin: source.prelude(&name), may_replace: config.restart }
    });
    outputs.chain(archive).collect()
}

/// Removes the state of an earlier run and its unfinished files. Finished files stay until new ones replace them.
fn remove(config: &Config) -> Result<(), CrawlError> {
    let beside = |ending: &str| {
        let mut name = config.state.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    let state = [config.state.clone(), beside("-wal"), beside("-shm")];
    let files = config.outputs.iter().filter_map(|(path, _)| path.as_ref()).chain(&config.record);
    for path in state.into_iter().chain(files.map(|path| part_of(path))) {
        match std::fs::remove_file(&path) {
            Err(cause) if cause.kind() != std::io::ErrorKind::NotFound => return Err(CrawlError::File { path, cause }),
            _ => {}
        }
    }
    Ok(())
}

/// Reports whether the state was begun by an earlier run; an error if it belongs to another crawl.
fn check_identity(frontier: &Frontier, config: &Config) -> Result<bool, CrawlError> {
    match frontier.fact("identity")? {
        Some(known) if known == config.identity => Ok(true),
        Some(known) => {
            let difference = difference(&known, &config.identity);
            Err(CrawlError::Other { path: config.state.clone(), difference })
        }
        None => {
            frontier.set_fact("identity", &config.identity)?;
            Ok(false)
        }
    }
}

/// Describes the difference between two crawls by their identities, which are parts separated by commas. The hash in a
/// part such as `wrapper#12ab` means nothing to a user, so it is reported as "another wrapper".
fn difference(known: &str, wanted: &str) -> String {
    let missing = |of: &str, from: &str, sign: &str| -> Vec<String> {
        let is_missing = |part: &&str| !from.split(", ").any(|other| other == *part);
        let parts = of.split(", ").filter(is_missing);
        parts
            .map(|part| match part.split_once('#') {
                Some((name, _)) => format!("another {name}"),
                None => format!("{sign}{part}"),
            })
            .collect()
    };
    let mut parts = missing(known, wanted, "");
    if parts.is_empty() {
        parts = missing(wanted, known, "without ");
    }
    parts.join(", ")
}

/// Reports whether pages are requested under other conditions than in the last run.
fn is_changed(frontier: &Frontier, config: &Config) -> Result<bool, CrawlError> {
    let known = frontier.fact("conditions")?;
    if known.as_ref() != Some(&config.conditions) {
        frontier.set_fact("conditions", &config.conditions)?;
    }
    Ok(known.is_some_and(|known| known != config.conditions))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crawls_differ_in_words() {
        let csv = "wrapper#12ab, CSV output, to depth 3";
        assert_eq!(difference(csv, "wrapper#34cd, JSONL output, to depth 3"), "another wrapper, CSV output");
        assert_eq!(difference(csv, "wrapper#12ab, CSV output"), "to depth 3");
        assert_eq!(difference("wrapper#12ab", "wrapper#12ab, anywhere"), "without anywhere");
    }
}
