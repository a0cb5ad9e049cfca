//! The parts of a crawl put together: the keeper on the caller's thread, the scheduler on a runtime, visitors on threads
//! of their own.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, mpsc};

use url::Url;

use super::files::{Files, Lock};
use super::frontier::Frontier;
use super::keeper::Keeper;
use super::scheduler::{self, Event, Exits};
use super::visit::{self, Parts, Visitor, Work};
use super::{Bounds, Config, CrawlError, Progress, Source, Stop, Summary};

/// Watches a crawl.
pub trait Observer {
    /// Something has been written.
    fn progress(&mut self, _progress: &Progress) {}

    /// What goes to an output that has no file: told once what it came from is stored.
    fn output(&mut self, _number: usize, _bytes: &[u8]) {}
}

/// Begins a crawl or goes on with it; returns when it has ended.
///
/// On an error the state is as of the last batch, and the crawl can go on from there.
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
    let archive = config.record.as_ref().map(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        (Some(path.clone()), source.prelude(&name))
    });
    let paths = config.outputs.iter().cloned().chain(archive);
    let files = Files::open(&paths.collect::<Vec<_>>(), &frontier)?;
    let mut bounds = Bounds::new(config.scope.clone());
    frontier.begin()?;
    for seed in seeds {
        frontier.add_page(seed, 0, true)?;
    }
    frontier.commit()?;
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
        // A poisoned lock would mean that `recv` panicked, and then there is nothing to receive.
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
        streamed: Vec::new(),
    };
    if !resumed {
        // Outputs without a file are begun here; those with one, when it is opened.
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
        // Ends the scheduler, which closes the queue, which ends the visitors.
        runtime.shutdown_background();
        let end = end?;
        Ok(Summary {
            end,
            progress: keeper.progress,
            resumed,
            failures: keeper.failures()?,
            tallies: keeper.frontier.tallies()?,
        })
    });
    drop(parts);
    keeper.frontier.close();
    summary
}

/// Removes what an earlier run left.
fn remove(config: &Config) -> Result<(), CrawlError> {
    let beside = |ending: &str| {
        let mut name = config.state.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    let state = [config.state.clone(), beside("-wal"), beside("-shm")];
    let outputs = config.outputs.iter().filter_map(|(path, _)| path.clone());
    for path in state.into_iter().chain(outputs).chain(config.record.clone()) {
        match std::fs::remove_file(&path) {
            Err(cause) if cause.kind() != std::io::ErrorKind::NotFound => return Err(CrawlError::File { path, cause }),
            _ => {}
        }
    }
    Ok(())
}

/// Whether the state has been begun; an error if it belongs to another crawl.
fn check_identity(frontier: &Frontier, config: &Config) -> Result<bool, CrawlError> {
    match frontier.fact("identity")? {
        Some(known) if known == config.identity => Ok(true),
        Some(known) => Err(CrawlError::Other {
            path: config.state.clone(),
            difference: format!("it is {known}, and this is {}", config.identity),
        }),
        None => {
            frontier.set_fact("identity", &config.identity)?;
            Ok(false)
        }
    }
}
