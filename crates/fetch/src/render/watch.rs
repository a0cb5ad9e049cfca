//! Events of a page: requests in progress, loading, the document's answer.
//!
//! A watch processes the page's events and reports when the network has been idle for long enough. It also answers
//! events that would otherwise wait for a user: dialogs are dismissed, unwanted resources are blocked. Each event takes
//! constant time; the only files it reads are those of a local page ([`LocalPage`]).

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::time::Instant;

use super::local::LocalPage;

/// Largest number of requests that are tracked. A page with more of them is far from idle.
const MOST_IN_FLIGHT: usize = 10_000;

/// Resource types that do not affect the document.
pub(super) const UNWANTED: [&str; 3] = ["Image", "Media", "Font"];

/// A page that is being rendered.
#[derive(Debug)]
pub(super) struct Watch {
    /// The local page, if it is one.
    local: Option<LocalPage>,
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Debug)]
struct State {
    loaded: bool,
    ended: bool,
    crashed: bool,
    /// Start time of each request, by its id.
    in_flight: HashMap<String, Instant>,
    /// Time since which no request is in progress.
    quiet_since: Instant,
    frame: Option<String>,
    document: Option<Response>,
    dialogs: usize,
}

/// Answer that a page's document came with.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Response {
    pub(super) status: u16,
    pub(super) media_type: String,
    pub(super) protocol: String,
    pub(super) headers: Vec<(String, String)>,
}

/// Result of waiting for the page to become idle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rest {
    /// No requests are in progress.
    Quiet,
    /// Only this number of long-running requests is in progress.
    QuietBut(usize),
    /// The page crashed.
    Crashed,
    /// The page was closed, possibly with its browser.
    Ended,
}

impl Watch {
    pub(super) fn new(local: Option<LocalPage>) -> Watch {
        let state = State {
            loaded: false,
            ended: false,
            crashed: false,
            in_flight: HashMap::new(),
            quiet_since: Instant::now(),
            frame: None,
            document: None,
            dialogs: 0,
        };
        Watch { local, state: Mutex::new(state), changed: Notify::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Marks the page as closed.
    pub(super) fn end(&self) {
        self.state().ended = true;
        self.changed.notify_waiters();
    }

    /// Sets the page's main frame; answers for other frames are ignored.
    pub(super) fn set_frame(&self, frame: &str) {
        self.state().frame = Some(frame.to_owned());
    }

    /// Returns the answer of the page's current document.
    pub(super) fn document(&self) -> Option<Response> {
        self.state().document.clone()
    }

    /// Returns the number of dismissed dialogs.
    pub(super) fn dialogs(&self) -> usize {
        self.state().dialogs
    }

    /// Processes an event. Returns the commands to answer it with.
    pub(super) fn take(&self, method: &str, params: &Value) -> Vec<(&'static str, Value)> {
        let mut state = self.state();
        let mut commands = Vec::new();
        match method {
            "Network.requestWillBeSent" => {
                // These never end, or nothing depends on them.
                let endless = matches!(params["type"].as_str(), Some("EventSource" | "WebSocket" | "Ping"));
                let fetched = params["request"]["url"].as_str().is_some_and(|url| url.starts_with("http"));
                if let Some(id) = params["requestId"].as_str()
                    && !endless
                    && fetched
                    && state.in_flight.len() < MOST_IN_FLIGHT
                {
                    // A redirect has the id of the redirected request.
                    state.in_flight.entry(id.to_owned()).or_insert_with(Instant::now);
                }
            }
            "Network.responseReceived" => {
                let response = &params["response"];
                let is_page = params["type"] == "Document"
                    && state.frame.as_deref().is_none_or(|frame| params["frameId"] == frame);
                if is_page {
                    state.document = Some(Response::read(response));
                }
                if response["mimeType"] == "text/event-stream" {
                    state.finish(params);
                }
            }
            "Network.loadingFinished" | "Network.loadingFailed" => state.finish(params),
            "Page.loadEventFired" => {
                state.loaded = true;
                state.quiet_since = Instant::now();
            }
            "Page.frameStartedLoading" if state.frame.as_deref().is_some_and(|frame| params["frameId"] == frame) => {
                state.loaded = false;
            }
            // Also sent for documents without a load event: an aborted navigation, a download.
            "Page.frameStoppedLoading" if state.frame.as_deref().is_some_and(|frame| params["frameId"] == frame) => {
                state.loaded = true;
                state.quiet_since = Instant::now();
            }
            "Page.javascriptDialogOpening" => {
                state.dialogs += 1;
                commands.push(("Page.handleJavaScriptDialog", json!({ "accept": false })));
            }
            // Only unwanted requests and those to the local page's host are paused.
            "Fetch.requestPaused" => {
                let id = &params["requestId"];
                let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
                let (address, kind) = (text(&params["request"]["url"]), text(&params["resourceType"]));
                let local = self.local.as_ref().filter(|_| !UNWANTED.contains(&kind.as_str()));
                commands.push(match local.and_then(|local| local.answer(id, &address, &kind)) {
                    Some(answer) => ("Fetch.fulfillRequest", answer),
                    None => ("Fetch.failRequest", json!({ "requestId": id, "errorReason": "BlockedByClient" })),
                });
            }
            "Inspector.targetCrashed" => state.crashed = true,
            _ => return commands,
        }
        drop(state);
        self.changed.notify_waiters();
        commands
    }

    /// Waits until the page has loaded and no request has been in progress for `quiet`. Requests open for longer than
    /// `patience` are assumed to be long-polling and are not waited for.
    pub(super) async fn rest(&self, quiet: Duration, patience: Duration) -> Rest {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            // Registers before checking; an event in between would be missed otherwise.
            changed.as_mut().enable();
            let until = match self.state().look(quiet, patience) {
                Ok(rest) => return rest,
                Err(until) => until,
            };
            match until {
                Some(until) => drop(tokio::time::timeout_at(until, changed).await),
                None => changed.await,
            }
        }
    }
}

impl State {
    fn finish(&mut self, params: &Value) {
        if let Some(id) = params["requestId"].as_str()
            && self.in_flight.remove(id).is_some()
            && self.in_flight.is_empty()
        {
            self.quiet_since = Instant::now();
        }
    }

    /// Returns the result, or the time of the next check.
    fn look(&self, quiet: Duration, patience: Duration) -> Result<Rest, Option<Instant>> {
        if self.crashed {
            return Ok(Rest::Crashed);
        }
        if self.ended {
            return Ok(Rest::Ended);
        }
        if !self.loaded {
            return Err(None);
        }
        let now = Instant::now();
        if self.in_flight.is_empty() {
            let until = self.quiet_since + quiet;
            return if until <= now { Ok(Rest::Quiet) } else { Err(Some(until)) };
        }
        let youngest = self.in_flight.values().max().copied().unwrap_or(now);
        let until = youngest + patience.max(quiet);
        if until <= now { Ok(Rest::QuietBut(self.in_flight.len())) } else { Err(Some(until)) }
    }
}

impl Response {
    fn read(response: &Value) -> Response {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let mut headers = Vec::new();
        for (name, value) in response["headers"].as_object().into_iter().flatten() {
            // Several headers of one name arrive as lines of a single value.
            for line in value.as_str().unwrap_or_default().split('\n') {
                headers.push((name.clone(), line.to_owned()));
            }
        }
        Response {
            status: response["status"].as_u64().and_then(|status| u16::try_from(status).ok()).unwrap_or(0),
            media_type: text(&response["mimeType"]),
            protocol: text(&response["protocol"]),
            headers,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUIET: Duration = Duration::from_millis(500);
    const PATIENCE: Duration = Duration::from_secs(6);

    fn sent(watch: &Watch, id: &str, kind: &str) {
        let url = "http://example.org/";
        watch.take("Network.requestWillBeSent", &json!({ "requestId": id, "type": kind, "request": { "url": url } }));
    }

    fn finished(watch: &Watch, id: &str) {
        watch.take("Network.loadingFinished", &json!({ "requestId": id }));
    }

    /// Returns the time until the page is idle, and the result; time is virtual.
    async fn rest(watch: &Watch) -> (Duration, Option<Rest>) {
        let start = Instant::now();
        let rest = tokio::time::timeout(Duration::from_secs(60), watch.rest(QUIET, PATIENCE)).await.ok();
        (start.elapsed(), rest)
    }

    #[tokio::test(start_paused = true)]
    async fn quiet_is_counted_from_load() {
        let watch = Watch::new(None);
        assert_eq!(rest(&watch).await, (Duration::from_secs(60), None));
        watch.take("Page.loadEventFired", &json!({}));
        assert_eq!(rest(&watch).await, (QUIET, Some(Rest::Quiet)));
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_after_load_is_waited_for() {
        let watch = Watch::new(None);
        watch.take("Page.loadEventFired", &json!({}));
        sent(&watch, "1", "Fetch");
        let (waited, ()) = tokio::join!(rest(&watch), async {
            tokio::time::sleep(Duration::from_secs(2)).await;
            // Redirected: the same request.
            sent(&watch, "1", "Fetch");
            finished(&watch, "1");
        });
        assert_eq!(waited, (Duration::from_millis(2500), Some(Rest::Quiet)));
    }

    #[tokio::test(start_paused = true)]
    async fn what_pushes_for_ever_is_not_waited_for() {
        let watch = Watch::new(None);
        watch.take("Page.loadEventFired", &json!({}));
        sent(&watch, "1", "EventSource");
        sent(&watch, "2", "WebSocket");
        sent(&watch, "3", "Fetch");
        watch.take(
            "Network.responseReceived",
            &json!({ "requestId": "3", "type": "Fetch", "response": { "mimeType": "text/event-stream" } }),
        );
        assert_eq!(rest(&watch).await, (QUIET, Some(Rest::Quiet)));
        sent(&watch, "4", "XHR");
        assert_eq!(rest(&watch).await, (PATIENCE, Some(Rest::QuietBut(1))));
    }

    #[tokio::test(start_paused = true)]
    async fn another_navigation_is_waited_for() {
        let watch = Watch::new(None);
        watch.set_frame("main");
        watch.take("Page.loadEventFired", &json!({}));
        watch.take("Page.frameStartedLoading", &json!({ "frameId": "main" }));
        assert_eq!(rest(&watch).await.1, None);
        watch.take("Page.frameStoppedLoading", &json!({ "frameId": "main" }));
        watch.take("Page.frameStartedLoading", &json!({ "frameId": "another" }));
        assert_eq!(rest(&watch).await.1, Some(Rest::Quiet));
    }

    #[tokio::test(start_paused = true)]
    async fn the_document_is_the_page_s_own() {
        let watch = Watch::new(None);
        watch.set_frame("main");
        let answered = |frame: &str, status: u16| {
            watch.take(
                "Network.responseReceived",
                &json!({ "requestId": "1", "type": "Document", "frameId": frame, "response":
                    { "status": status, "mimeType": "text/html", "protocol": "h2", "headers": { "X": "a\nb" } } }),
            );
        };
        answered("main", 404);
        answered("inner", 200);
        let document = watch.document().unwrap();
        assert_eq!((document.status, document.media_type.as_str()), (404, "text/html"));
        assert_eq!(document.headers, [("X".to_owned(), "a".to_owned()), ("X".to_owned(), "b".to_owned())]);
    }

    #[tokio::test(start_paused = true)]
    async fn crashes_and_ends_are_told() {
        let watch = Watch::new(None);
        watch.end();
        assert_eq!(rest(&watch).await.1, Some(Rest::Ended));
        watch.take("Inspector.targetCrashed", &json!({}));
        assert_eq!(rest(&watch).await.1, Some(Rest::Crashed));
    }

    #[test]
    fn dialogs_are_dismissed_and_the_unwanted_is_not_loaded() {
        let watch = Watch::new(None);
        let commands = watch.take("Page.javascriptDialogOpening", &json!({ "type": "confirm" }));
        assert_eq!(commands, [("Page.handleJavaScriptDialog", json!({ "accept": false }))]);
        let commands = watch.take("Fetch.requestPaused", &json!({ "requestId": "7" }));
        assert_eq!(commands[0].0, "Fetch.failRequest");
        assert_eq!(commands[0].1["requestId"], "7");
        assert_eq!(watch.dialogs(), 1);
    }
}
