//! Access control: only the page that was opened with the token may make calls, and only from this machine.
//!
//! Any website can make a browser send requests to loopback, and by DNS rebinding it could even read the answers. Every
//! request must therefore name this machine as its host; every call must come from the studio's own page, if the
//! browser reports an origin, and carry the token, which no other page knows. Pages and assets are requested by a frame
//! without an origin, which cannot send headers: their addresses contain a key of their own.

use std::sync::Arc;

use axum::extract::{Request, State as Given};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::failure::Refused;
use crate::state::State;

/// Header that carries the token.
pub(crate) const TOKEN: HeaderName = HeaderName::from_static("x-windrow-token");

/// Rejects requests for other hosts.
pub(crate) async fn host(Given(state): Given<Arc<State>>, request: Request, next: Next) -> Response {
    match named(request.headers()).filter(|host| state.is_own_host(host)) {
        Some(_) => next.run(request).await,
        None => Refused::forbidden("studio::host", "the request names a host that is not the studio's").into_response(),
    }
}

/// Rejects calls that do not come from the studio's own page or lack the token.
pub(crate) async fn call(Given(state): Given<Arc<State>>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let own = named(headers).map(|host| format!("http://{host}"));
    let origin = headers.get(header::ORIGIN).map(|origin| origin.to_str().unwrap_or_default());
    let site = headers.get("sec-fetch-site").map(|site| site.to_str().unwrap_or_default());
    let foreign = origin.is_some_and(|origin| Some(origin) != own.as_deref())
        || site.is_some_and(|site| !matches!(site, "same-origin" | "none"));
    if foreign {
        return Refused::forbidden("studio::origin", "calls from other sites are not permitted").into_response();
    }
    let given = headers.get(TOKEN).map(HeaderValue::as_bytes).unwrap_or_default();
    if !same(given, state.token.as_bytes()) {
        let refused = Refused::forbidden("studio::token", "the token is missing or wrong");
        return refused.with_help("open the address that `windrow studio` printed").into_response();
    }
    state.close_door();
    let mut answer = next.run(request).await;
    answer.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

/// Adds security headers to every answer: no content sniffing, no referrer, no shared window.
pub(crate) async fn headers(request: Request, next: Next) -> Response {
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let mut answer = next.run(request).await;
    let headers = answer.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    if !is_read {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    answer
}

/// Returns the host that a request names.
pub(crate) fn named(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::HOST)?.to_str().ok()
}

/// Compares two texts in constant time.
pub(crate) fn same(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && one.iter().zip(other).fold(0, |differ, (one, other)| differ | (one ^ other)) == 0
}
