//! Rendering of one page, from its address to the resulting document.
//!
//! The page has its own browser context, so it shares nothing with others, and a guard as its only way to the network.
//! Its document is read when the network activity has ended, or when its time is up; a script that never ends is
//! terminated then, and the document is taken as the script left it.

use std::sync::Arc;
use std::time::Duration;

use http::header::{HeaderName, HeaderValue};
use http::{HeaderMap, StatusCode, Version};
use serde_json::{Value, json};
use tokio::time::{Instant, timeout, timeout_at};
use url::Url;

use super::guard::Guard;
use super::local::LocalPage;
use super::watch::{Response, Rest, UNWANTED, Watch};
use super::wire::{Wire, WireError};
use super::{Config, RenderError, Rendered};

/// Time limit for browser operations that do not depend on the page.
const BROWSER: Duration = Duration::from_secs(20);
/// Time for reading a document after which the page is assumed to run an endless script.
const READING: Duration = Duration::from_secs(3);
/// Time that a page may continue after an endless script was terminated.
const AFTERMATH: Duration = Duration::from_millis(500);

/// Script that returns the document as text. It runs in an isolated world, so the page's scripts cannot redefine the
/// names it uses. The getter is taken from the prototype because a form named `documentElement` would shadow the
/// document's own.
const READ: &str = r"(limit => {
  const get = name => Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document);
  const root = get('documentElement'), doctype = get('doctype');
  const html = (doctype ? new XMLSerializer().serializeToString(doctype) + '\n' : '') + (root ? root.outerHTML : '');
  return html.length > limit ? { url: location.href } : { url: location.href, html: html.toWellFormed() };
})";

/// Script that runs in every document before its own scripts. WebRTC sends UDP, which bypasses the guard. The browser
/// is told to send none ([`super::process::FLAGS`]); this script protects in case a later browser no longer knows that
/// switch.
const PREPARE: &str = "for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection']) delete globalThis[name];";

/// A page that is being rendered. Dropping it closes the page.
pub(super) struct Visit<'a> {
    wire: &'a Wire,
    config: &'a Config,
    url: &'a Url,
    guard: Guard,
    context: String,
    session: Option<String>,
    watch: Arc<Watch>,
    notes: Vec<String>,
}

impl Drop for Visit<'_> {
    fn drop(&mut self) {
        self.wire.forget(&self.context, self.session.as_deref());
        self.wire.tell(None, "Target.disposeBrowserContext", json!({ "browserContextId": self.context }));
    }
}

impl<'a> Visit<'a> {
    /// Opens an empty page.
    pub(super) async fn open(
        wire: &'a Wire,
        config: &'a Config,
        url: &'a Url,
        trusted: bool,
        local: Option<LocalPage>,
    ) -> Result<Visit<'a>, RenderError> {
        let died = || RenderError::BrowserDied { url: url.clone() };
        let guard = Guard::open(url, trusted, config.allow_private, config.max_traffic)
            .await
            .map_err(|error| RenderError::Failed { url: url.clone(), cause: error.to_string() })?;
        let is_local = local.is_some();
        if local.as_ref().is_some_and(|local| !local.is_online()) {
            guard.close();
        }
        let open = async {
            let context = wire
                .call(
                    None,
                    "Target.createBrowserContext",
                    json!({
                        "disposeOnDetach": true,
                        "proxyServer": guard.server(),
                        // By default the browser connects to the local machine directly.
                        "proxyBypassList": "<-loopback>",
                    }),
                )
                .await?;
            let context = text(&context["browserContextId"]);
            wire.own(&context);
            let watch = Arc::new(Watch::new(local));
            // From here on, dropping the visit closes what was opened.
            let mut visit = Visit { wire, config, url, guard, context, session: None, watch, notes: Vec::new() };
            visit.prepare(is_local).await?;
            Ok(visit)
        };
        match timeout(BROWSER, open).await {
            Ok(Ok(visit)) => Ok(visit),
            Ok(Err(WireError::Refused(cause))) => Err(RenderError::Failed { url: url.clone(), cause }),
            // A browser that cannot open an empty page counts as dead.
            Ok(Err(WireError::Closed)) | Err(_) => Err(died()),
        }
    }

    /// Sets the restrictions of the page and subscribes to its events.
    async fn prepare(&mut self, is_local: bool) -> Result<(), WireError> {
        let wire = self.wire;
        let context = &self.context;
        wire.tell(None, "Browser.setDownloadBehavior", json!({ "behavior": "deny", "browserContextId": context }));
        // Permissions that are not granted are denied without a prompt.
        wire.tell(None, "Browser.grantPermissions", json!({ "permissions": [], "browserContextId": context }));
        let blank = json!({ "url": "about:blank", "browserContextId": context });
        let target = wire.call(None, "Target.createTarget", blank).await?;
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session = text(&wire.call(None, "Target.attachToTarget", attach).await?["sessionId"]);
        wire.watch(&session, &self.watch);
        let session = &**self.session.insert(session);
        let mut patterns = Vec::new();
        if !self.config.images {
            patterns.extend(UNWANTED.map(|kind| json!({ "resourceType": kind })));
        }
        if is_local {
            patterns.push(LocalPage::pattern());
        }
        if !patterns.is_empty() {
            wire.tell(Some(session), "Fetch.enable", json!({ "patterns": patterns }));
        }
        wire.tell(Some(session), "Inspector.enable", json!({}));
        wire.tell(Some(session), "Network.setBypassServiceWorker", json!({ "bypass": true }));
        // Bodies are never requested, so the browser need not keep them.
        let network = json!({ "maxTotalBufferSize": 0, "maxResourceBufferSize": 0, "maxPostDataSize": 0 });
        wire.tell(Some(session), "Network.enable", network);
        // Commands of a session run in order, so the reply to the last one confirms them all.
        wire.call(Some(session), "Page.enable", json!({})).await?;
        wire.call(Some(session), "Page.addScriptToEvaluateOnNewDocument", json!({ "source": PREPARE })).await?;
        let tree = wire.call(Some(session), "Page.getFrameTree", json!({})).await?;
        self.watch.set_frame(&text(&tree["frameTree"]["frame"]["id"]));
        Ok(())
    }

    /// Navigates to the address, waits, and reads the document.
    pub(super) async fn render(mut self) -> Result<Rendered, RenderError> {
        let deadline = Instant::now() + self.config.timeout;
        let failure = self.navigate(deadline).await?;
        if failure.is_none() {
            self.wait(deadline).await?;
        }
        let Some(document) = self.watch.document().filter(|document| document.status >= 100) else {
            return Err(self.failed(failure.unwrap_or_else(|| "no document was loaded".to_owned())));
        };
        let (url, html) = match &failure {
            None => self.read(&document).await?,
            // For an error without a body, the browser shows a page of its own.
            Some(failure) if failure == "net::ERR_HTTP_RESPONSE_CODE_FAILURE" => {
                self.notes.push("the answer has no body".to_owned());
                (self.url.clone(), String::new())
            }
            // Most likely a download.
            Some(failure) => {
                let cause = format!("{failure}; its media type is {}", or_unknown(&document.media_type));
                return Err(self.failed(cause));
            }
        };
        if html.len() > self.config.max_size {
            return Err(self.too_large());
        }
        self.add_notes();
        Ok(rendered(url, &document, html, std::mem::take(&mut self.notes)))
    }

    /// Starts loading the page. Returns after the first bytes of the document, with the error if there are none.
    async fn navigate(&self, deadline: Instant) -> Result<Option<String>, RenderError> {
        let navigate = self.call("Page.navigate", json!({ "url": self.url.as_str() }));
        match timeout_at(deadline, navigate).await {
            Ok(Ok(result)) => Ok(result["errorText"].as_str().map(str::to_owned)),
            Ok(Err(WireError::Refused(cause))) => Ok(Some(cause)),
            Ok(Err(WireError::Closed)) => Err(self.died()),
            Err(_) => Err(self.timed_out()),
        }
    }

    async fn wait(&mut self, deadline: Instant) -> Result<(), RenderError> {
        match timeout_at(deadline, self.watch.rest(self.config.quiet, self.config.patience)).await {
            Ok(Rest::Quiet) => {}
            Ok(Rest::QuietBut(open)) => {
                let s = if open == 1 { "" } else { "s" };
                let patience = self.config.patience.as_secs_f64();
                self.notes.push(format!("{open} request{s} not answered within {patience} s"));
            }
            Ok(Rest::Crashed) => return Err(RenderError::PageCrashed { url: self.url.clone() }),
            Ok(Rest::Ended) => return Err(self.died()),
            Err(_) => {
                let timeout = self.config.timeout.as_secs_f64();
                self.notes.push(format!("the page still used the network after {timeout} s"));
            }
        }
        Ok(())
    }

    /// Reads the current document and its address.
    async fn read(&mut self, document: &Response) -> Result<(Url, String), RenderError> {
        // A page that is navigating loses the world in which it is read; an endless script blocks the reading.
        for attempt in 0..4 {
            let read = match timeout(READING, self.evaluate()).await {
                Ok(Ok(value)) => value,
                Ok(Err(WireError::Closed)) => return Err(self.died()),
                Ok(Err(WireError::Refused(_))) => {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
                Err(_) => {
                    self.terminate(attempt == 0).await;
                    continue;
                }
            };
            let Some(html) = read["html"].as_str() else {
                match read["url"].is_string() {
                    true => return Err(self.too_large()),
                    // A script was terminated, and the reading with it.
                    false => continue,
                }
            };
            let url = read["url"].as_str().and_then(|url| Url::parse(url).ok()).unwrap_or_else(|| self.url.clone());
            if !matches!(url.scheme(), "http" | "https") {
                let cause =
                    format!("it redirects to a `{}:` address; the answer was {}", url.scheme(), document.status);
                return Err(self.failed(cause));
            }
            return Ok((url, html.to_owned()));
        }
        match self.watch.rest(Duration::ZERO, Duration::ZERO).await {
            Rest::Crashed => Err(RenderError::PageCrashed { url: self.url.clone() }),
            _ => Err(self.timed_out()),
        }
    }

    async fn evaluate(&self) -> Result<Value, WireError> {
        let tree = self.call("Page.getFrameTree", json!({})).await?;
        let world = json!({ "frameId": tree["frameTree"]["frame"]["id"], "worldName": "windrow" });
        let world = self.call("Page.createIsolatedWorld", world).await?;
        let read = json!({
            "expression": format!("{READ}({})", self.config.max_size),
            "contextId": world["executionContextId"],
            "returnByValue": true,
        });
        let mut result = self.call("Runtime.evaluate", read).await?;
        Ok(result["result"]["value"].take())
    }

    /// Terminates the running script, and gives the page a moment to load the rest of its document.
    async fn terminate(&mut self, is_first: bool) {
        if is_first {
            self.notes.push("a script that did not end was terminated".to_owned());
        }
        let terminate = self.call("Runtime.terminateExecution", json!({}));
        let _ = timeout(AFTERMATH, terminate).await;
        let _ = timeout(AFTERMATH, self.watch.rest(AFTERMATH, AFTERMATH)).await;
    }

    async fn call(&self, method: &str, params: Value) -> Result<Value, WireError> {
        self.wire.call(self.session.as_deref(), method, params).await
    }

    fn add_notes(&mut self) {
        if let Some((host, address)) = self.guard.refused() {
            self.notes.push(format!("the page may not reach the private address {address} ({host})"));
        }
        if self.guard.is_asked_in_vain() {
            self.notes.push("its scripts tried to use the network, which needs --fetch for a local file".to_owned());
        }
        if self.guard.is_exhausted() {
            self.notes.push(format!("the page's network access was cut off after {} bytes", self.config.max_traffic));
        }
        match self.watch.dialogs() {
            0 => {}
            1 => self.notes.push("a dialog was dismissed".to_owned()),
            several => self.notes.push(format!("{several} dialogs were dismissed")),
        }
    }

    fn failed(&self, cause: String) -> RenderError {
        let url = self.url.clone();
        match self.guard.refused() {
            Some((_, address)) => RenderError::Private { url, address },
            None => RenderError::Failed { url, cause },
        }
    }

    fn died(&self) -> RenderError {
        RenderError::BrowserDied { url: self.url.clone() }
    }

    fn timed_out(&self) -> RenderError {
        RenderError::TimedOut { url: self.url.clone(), after: self.config.timeout }
    }

    fn too_large(&self) -> RenderError {
        RenderError::TooLarge { url: self.url.clone(), limit: self.config.max_size }
    }
}

fn rendered(url: Url, document: &Response, html: String, notes: Vec<String>) -> Rendered {
    let mut headers = HeaderMap::new();
    for (name, value) in &document.headers {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value.trim())) {
            headers.append(name, value);
        }
    }
    let version = match document.protocol.as_str() {
        "h2" => Version::HTTP_2,
        "h3" => Version::HTTP_3,
        "http/1.0" => Version::HTTP_10,
        _ => Version::HTTP_11,
    };
    let status = StatusCode::from_u16(document.status).unwrap_or(StatusCode::OK);
    Rendered { url, status, version, headers, media_type: document.media_type.clone(), html, notes }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn or_unknown(media_type: &str) -> &str {
    if media_type.is_empty() { "unknown" } else { media_type }
}
