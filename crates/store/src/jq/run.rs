//! Runs a filter on its own thread.
//!
//! The thread has a stack large enough for deep recursion, and its caller need not wait for it: a filter that cannot be
//! interrupted (one that multiplies numbers of a million digits, say) is abandoned when its time is up.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use jaq_core::{Ctx, Vars};
use jaq_json::Val;

use super::error::JqError;
use super::watch::{Around, Stop, Watch, Watched};
use super::{Options, compile, print, values};

/// Size of the thread's stack. Pages that are never touched take no memory.
const STACK: usize = 256 << 20;
/// Part of the stack that a filter may use; the rest is for native calls and for dropping nested values.
const DEPTH: usize = STACK / 2;
/// Capacity of the channel of results.
const WAITING: usize = 64;
/// Extra time after the deadline for a filter to stop by itself.
const GRACE: Duration = Duration::from_millis(500);
/// Longest error message of a filter, in characters; it may contain a whole list.
const LONGEST_MESSAGE: usize = 300;

/// Message from the thread.
enum Message {
    Result(String),
    End(Result<(), JqError>),
}

/// Runs a filter; returns the number of results.
pub(super) fn run(
    filter: &str,
    input: Val,
    options: &Options,
    each: impl FnMut(String) -> ControlFlow<()>,
) -> Result<u64, JqError> {
    for (name, _) in &options.variables {
        let first = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
        if !name.as_bytes().first().is_some_and(first)
            || !name.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
        {
            return Err(JqError::Variable { name: name.clone() });
        }
    }
    let deadline = options.time.and_then(|time| Instant::now().checked_add(time));
    let abandoned = Arc::new(AtomicBool::new(false));
    let (sender, receiver) = mpsc::sync_channel(WAITING);
    let work = Work {
        filter: filter.to_owned(),
        input,
        options: options.clone(),
        deadline,
        abandoned: abandoned.clone(),
        sender,
    };
    let thread = thread::Builder::new().name("jq".to_owned()).stack_size(STACK).spawn(move || work.run());
    let thread = thread.map_err(|error| JqError::Broken { message: format!("no thread: {error}") })?;
    let result = receive(&receiver, options.time, deadline, each);
    abandoned.store(true, Ordering::Relaxed);
    drop(receiver);
    match result {
        Err(Waited::Out) => Err(JqError::Time { limit: options.time.unwrap_or_default() }),
        Err(Waited::InVain) => {
            // The thread ended without a message: it panicked, and the panic was printed.
            let _ = thread.join();
            Err(JqError::Broken { message: "the interpreter panicked".to_owned() })
        }
        Ok(result) => result,
    }
}

enum Waited {
    /// The filter exceeded its time.
    Out,
    /// The thread ended without a result.
    InVain,
}

fn receive(
    receiver: &Receiver<Message>,
    time: Option<Duration>,
    deadline: Option<Instant>,
    mut each: impl FnMut(String) -> ControlFlow<()>,
) -> Result<Result<u64, JqError>, Waited> {
    let mut results = 0;
    loop {
        let message = match deadline.filter(|_| time.is_some()) {
            None => receiver.recv().map_err(|_| Waited::InVain)?,
            Some(deadline) => {
                let left = deadline.saturating_duration_since(Instant::now()) + GRACE;
                receiver.recv_timeout(left).map_err(|error| match error {
                    RecvTimeoutError::Timeout => Waited::Out,
                    RecvTimeoutError::Disconnected => Waited::InVain,
                })?
            }
        };
        match message {
            Message::Result(result) => {
                results += 1;
                if each(result).is_break() {
                    return Ok(Ok(results));
                }
            }
            Message::End(end) => return Ok(end.map(|()| results)),
        }
    }
}

/// State that is moved to the thread.
struct Work {
    filter: String,
    input: Val,
    options: Options,
    deadline: Option<Instant>,
    abandoned: Arc<AtomicBool>,
    sender: SyncSender<Message>,
}

impl Work {
    fn run(self) {
        let sender = self.sender.clone();
        let end = self.results();
        // Sending fails if the caller wanted no more results.
        let _ = sender.send(Message::End(end));
    }

    fn results(self) -> Result<(), JqError> {
        let names: Vec<String> = self.options.variables.iter().map(|(name, _)| format!("${name}")).collect();
        let filter = compile::compile(&self.filter, &names, self.deadline.is_some())?;
        let texts = self.options.variables.iter().map(|(_, text)| values::text(text));
        let watch = Watch::new(self.deadline, self.abandoned, DEPTH);
        let around = Around { lut: &filter.lut, watch: &watch };
        let context = Ctx::<Watched>::new(around, Vars::new(texts));
        for result in filter.id.run((context, self.input)) {
            let value = match result {
                Ok(value) => value,
                Err(error) => match (error.get_err(), watch.stopped()) {
                    (_, Some(Stop::Time)) => {
                        return Err(JqError::Time { limit: self.options.time.unwrap_or_default() });
                    }
                    (_, Some(Stop::Depth)) => return Err(JqError::TooDeep),
                    (Ok(error), None) => return Err(failed(error)),
                    // `halt` ends the results.
                    (Err(_), None) => return Ok(()),
                },
            };
            if self.sender.send(Message::Result(print::print(&value, self.options.raw))).is_err() {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// Converts the error of a filter.
fn failed(error: jaq_json::Error) -> JqError {
    // Print a text without its quotes.
    let whole = print::print(&error.into_val(), true);
    let mut message: String = whole.chars().take(LONGEST_MESSAGE).collect();
    if message.len() < whole.len() {
        message.push('…');
    }
    let hint = (whole.starts_with("cannot index null") || whole.starts_with("cannot use null"))
        .then(|| "a missing value is `null`; append `?` to a step to skip such values".to_owned());
    JqError::Failed { message, hint }
}
