//! Connection to the browser: sends commands, receives replies and events.
//!
//! Messages are JSON, each ended by a zero byte. A reply is matched with its caller by number; an event is passed
//! immediately to the [`Watch`] of its page, which may answer with commands. Nothing is queued, so a page that sends a
//! million requests costs time but no memory.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::{mpsc, oneshot};

use super::watch::Watch;

/// Error of a command.
#[derive(Debug)]
pub(super) enum WireError {
    /// The browser has ended.
    Closed,
    /// The browser rejected the command, with its reason.
    Refused(String),
}

/// Connection to a browser. Clones share it.
#[derive(Clone)]
pub(super) struct Wire {
    outgoing: mpsc::UnboundedSender<Vec<u8>>,
    shared: Arc<Shared>,
}

struct Shared {
    numbers: AtomicU64,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    closed: bool,
    waiting: HashMap<u64, oneshot::Sender<Result<Value, WireError>>>,
    /// Pages that are being rendered, by session id.
    watches: HashMap<String, Arc<Watch>>,
    /// Browser contexts, each with its first page; all other pages in it are popups.
    contexts: BTreeMap<String, Option<String>>,
}

impl Wire {
    /// Opens a connection over a browser's pipes. Incoming messages longer than `limit` are skipped.
    pub(super) fn open(
        input: impl AsyncBufRead + Unpin + Send + 'static,
        mut output: impl AsyncWrite + Unpin + Send + 'static,
        limit: usize,
    ) -> Wire {
        let (outgoing, mut queue) = mpsc::unbounded_channel::<Vec<u8>>();
        let shared = Arc::new(Shared { numbers: AtomicU64::new(1), state: Mutex::default() });
        tokio::spawn(async move {
            while let Some(message) = queue.recv().await {
                if output.write_all(&message).await.is_err() || output.flush().await.is_err() {
                    break;
                }
            }
        });
        // The reader must not keep the writer's queue open: closing it ends the browser.
        let answers = outgoing.downgrade();
        let reader = Arc::clone(&shared);
        tokio::spawn(async move {
            let mut input = input;
            let mut message = Vec::new();
            while next_message(&mut input, &mut message, limit).await {
                let Ok(value) = serde_json::from_slice::<Value>(&message) else { continue };
                for command in reader.take(value) {
                    if let Some(answers) = answers.upgrade() {
                        // A closed queue is noticed by the next read.
                        let _ = answers.send(command);
                    }
                }
            }
            reader.close();
        });
        Wire { outgoing, shared }
    }

    /// Reports whether the browser has ended.
    pub(super) fn is_closed(&self) -> bool {
        self.shared.state().closed
    }

    /// Sends a command to a page's session or to the browser, and waits for its result.
    pub(super) async fn call(&self, session: Option<&str>, method: &str, params: Value) -> Result<Value, WireError> {
        let (sender, receiver) = oneshot::channel();
        let number = self.shared.numbers.fetch_add(1, Ordering::Relaxed);
        {
            let mut state = self.shared.state();
            if state.closed {
                return Err(WireError::Closed);
            }
            state.waiting.insert(number, sender);
        }
        // A caller that gives up must remove its entry, since a page that hangs never replies.
        let _place = Place { shared: &self.shared, number };
        if self.outgoing.send(encode(number, session, method, params)).is_err() {
            return Err(WireError::Closed);
        }
        receiver.await.unwrap_or(Err(WireError::Closed))
    }

    /// Sends a command without waiting for a result.
    pub(super) fn tell(&self, session: Option<&str>, method: &str, params: Value) {
        let number = self.shared.numbers.fetch_add(1, Ordering::Relaxed);
        let _ = self.outgoing.send(encode(number, session, method, params));
    }

    /// Passes the session's events to `watch` from now on.
    pub(super) fn watch(&self, session: &str, watch: &Arc<Watch>) {
        self.shared.state().watches.insert(session.to_owned(), Arc::clone(watch));
    }

    /// Registers a context: its first page is kept, every other page is closed.
    pub(super) fn own(&self, context: &str) {
        self.shared.state().contexts.insert(context.to_owned(), None);
    }

    /// Removes a page that is done.
    pub(super) fn forget(&self, context: &str, session: Option<&str>) {
        let mut state = self.shared.state();
        state.contexts.remove(context);
        if let Some(session) = session {
            state.watches.remove(session);
        }
    }
}

/// Entry of a waiting caller, removed when dropped.
struct Place<'a> {
    shared: &'a Shared,
    number: u64,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.shared.state().waiting.remove(&self.number);
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        state.waiting.clear();
        for watch in std::mem::take(&mut state.watches).into_values() {
            watch.end();
        }
    }

    /// Processes a message. Returns the encoded commands to answer it with.
    fn take(&self, mut message: Value) -> Vec<Vec<u8>> {
        if let Some(number) = message["id"].as_u64() {
            let sender = self.state().waiting.remove(&number);
            if let Some(sender) = sender {
                let result = match message.get("error") {
                    Some(error) => {
                        Err(WireError::Refused(error["message"].as_str().unwrap_or("no reason given").to_owned()))
                    }
                    None => Ok(message["result"].take()),
                };
                let _ = sender.send(result);
            }
            return Vec::new();
        }
        let (session, method, params) =
            (message["sessionId"].as_str(), message["method"].as_str().unwrap_or_default(), &message["params"]);
        let commands = match session {
            Some(session) => {
                let watch = self.state().watches.get(session).cloned();
                watch.map_or_else(Vec::new, |watch| watch.take(method, params))
            }
            None => self.take_browser_event(method, params),
        };
        let encode = |(method, params): (&'static str, Value)| {
            encode(self.numbers.fetch_add(1, Ordering::Relaxed), session, method, params)
        };
        commands.into_iter().map(encode).collect()
    }

    fn take_browser_event(&self, method: &str, params: &Value) -> Vec<(&'static str, Value)> {
        let mut state = self.state();
        match method {
            "Target.targetCreated" => {
                let target = &params["targetInfo"];
                let (Some(context), Some(id)) = (target["browserContextId"].as_str(), target["targetId"].as_str())
                else {
                    return Vec::new();
                };
                match (target["type"].as_str(), state.contexts.get_mut(context)) {
                    (Some("page"), Some(own @ None)) => *own = Some(id.to_owned()),
                    (Some("page"), Some(Some(own))) if own != id => {
                        return vec![("Target.closeTarget", json!({ "targetId": id }))];
                    }
                    _ => {}
                }
            }
            "Target.detachedFromTarget" => {
                if let Some(watch) = params["sessionId"].as_str().and_then(|session| state.watches.remove(session)) {
                    watch.end();
                }
            }
            _ => {}
        }
        Vec::new()
    }
}

fn encode(number: u64, session: Option<&str>, method: &str, params: Value) -> Vec<u8> {
    let mut message = json!({ "id": number, "method": method, "params": params });
    if let Some(session) = session {
        message["sessionId"] = session.into();
    }
    let mut bytes = message.to_string().into_bytes();
    bytes.push(0);
    bytes
}

/// Reads the next message of at most `limit` bytes; longer ones are skipped. Returns false at the end.
async fn next_message(input: &mut (impl AsyncBufRead + Unpin), message: &mut Vec<u8>, limit: usize) -> bool {
    message.clear();
    // Releases the memory of a very large document.
    message.shrink_to(1 << 20);
    let mut too_long = false;
    loop {
        let chunk = match input.fill_buf().await {
            Ok(chunk) if !chunk.is_empty() => chunk,
            _ => return false,
        };
        let end = chunk.iter().position(|&byte| byte == 0);
        let part = &chunk[..end.unwrap_or(chunk.len())];
        too_long |= message.len() + part.len() > limit;
        if too_long {
            message.clear()
        } else {
            message.extend_from_slice(part)
        }
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            if !too_long {
                return true;
            }
            too_long = false;
            message.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn messages_end_at_zero_and_long_ones_are_passed_over() {
        let mut input = &b"{}\0[1,2,3,4,5,6]\0[7]\0[8"[..];
        let mut message = Vec::new();
        let mut seen = Vec::new();
        while next_message(&mut input, &mut message, 5).await {
            seen.push(String::from_utf8(message.clone()).unwrap());
        }
        assert_eq!(seen, ["{}", "[7]"]);
    }

    #[tokio::test]
    async fn a_reply_finds_its_caller_and_the_end_finds_all() {
        let (ours, browser) = tokio::io::duplex(1 << 16);
        let (input, output) = tokio::io::split(ours);
        let wire = Wire::open(tokio::io::BufReader::new(input), output, 1 << 16);
        let (browser_in, mut browser_out) = tokio::io::split(browser);
        let mut browser_in = tokio::io::BufReader::new(browser_in);
        let acting = tokio::spawn(async move {
            let mut message = Vec::new();
            let mut numbers = Vec::new();
            for _ in 0..3 {
                assert!(next_message(&mut browser_in, &mut message, 1 << 16).await);
                let command: Value = serde_json::from_slice(&message).unwrap();
                numbers.push(command["id"].as_u64().unwrap());
            }
            // In another order, and none for the third.
            let replies = format!(
                "{{\"id\":{},\"error\":{{\"message\":\"no such page\"}}}}\0{{\"id\":{},\"result\":{{\"a\":1}}}}\0",
                numbers[1], numbers[0]
            );
            browser_out.write_all(replies.as_bytes()).await.unwrap();
        });
        let (first, second, third) = tokio::join!(
            wire.call(None, "A.a", json!({})),
            wire.call(None, "B.b", json!({})),
            wire.call(None, "C.c", json!({})),
        );
        acting.await.unwrap();
        assert_eq!(first.unwrap(), json!({ "a": 1 }));
        assert!(matches!(second, Err(WireError::Refused(reason)) if reason == "no such page"));
        assert!(matches!(third, Err(WireError::Closed)));
        assert!(wire.is_closed());
        assert!(matches!(wire.call(None, "D.d", json!({})).await, Err(WireError::Closed)));
    }

    #[test]
    fn pages_after_the_first_are_closed() {
        let shared = Shared { numbers: AtomicU64::new(1), state: Mutex::default() };
        shared.state().contexts.insert("ours".to_owned(), None);
        let created = |context: &str, id: &str| {
            shared.take(json!({ "method": "Target.targetCreated", "params": { "targetInfo":
                { "browserContextId": context, "targetId": id, "type": "page" } } }))
        };
        assert!(created("ours", "page").is_empty());
        assert!(created("other", "page 2").is_empty());
        let commands = created("ours", "popup");
        let command = String::from_utf8(commands[0].clone()).unwrap();
        assert!(command.contains("Target.closeTarget") && command.contains("popup"), "{command}");
    }
}
