//! Fetching one page: robots.txt, rate limits, retries, redirects and the cache.

use std::collections::HashSet;
use std::time::SystemTime;

use bytes::Bytes;
use http::header::SET_COOKIE;
use http::{HeaderMap, StatusCode};
use tokio::time::Instant;

use super::cache::Kept;
use super::client::{Beyond, Client};
use super::guard;
use super::request::Request;
use super::retry::backoff;
use super::transport::Reach;
use crate::answer::without_fragment;
use crate::error::is_transient;
use crate::{Answer, FetchError};

/// Size above which a body is decompressed on a separate thread, so as not to block other requests.
const LARGE: usize = 256 << 10;

/// A page, with the answers that led to it.
#[derive(Debug, Clone)]
pub struct Fetched {
    /// Final answer; its `url` is the page's final address.
    pub answer: Answer,
    /// Body with the content codings undone.
    pub content: Bytes,
    /// Redirects in order.
    pub hops: Vec<Answer>,
    /// Notes on problems with the page.
    pub notes: Vec<String>,
}

impl Client {
    /// Fetches a page: obeys robots.txt, respects the rate limits, retries transient failures, follows and checks
    /// redirects, and uses the cache.
    ///
    /// # Errors
    ///
    /// The page could not be fetched; a status of 400 or above is an error, too.
    pub async fn get(&self, request: &Request) -> Result<Fetched, FetchError> {
        let mut hops = Vec::new();
        let mut seen = HashSet::new();
        let mut next = request.clone();
        loop {
            seen.insert(without_fragment(&next.url));
            let (answer, content) = self.hop(&next).await?;
            let Some(target) = next.redirected(&answer) else {
                return Ok(Fetched { answer, content, hops, notes: Vec::new() });
            };
            // Some sites set a cookie and redirect back to the same page.
            if answer.headers.contains_key(SET_COOKIE) {
                seen.clear();
            }
            hops.push(answer);
            if hops.len() > self.config().redirects || seen.contains(&without_fragment(&target.url)) {
                return Err(FetchError::Redirects { url: request.url.clone() });
            }
            next = target;
        }
    }

    /// Sends one request like [`Client::once`], but takes fresh answers from the cache and revalidates stale ones.
    /// Without a cache it is the same.
    ///
    /// # Errors
    ///
    /// There is no complete answer.
    pub async fn once_cached(&self, request: &Request) -> Result<Answer, FetchError> {
        self.check(request).await?;
        let ask = async |headers| {
            let limit = self.config().max_size;
            Ok((self.exchange(request, headers, limit, Beyond::Refuse).await?, None))
        };
        Ok(self.through_cache(request, ask).await?.0)
    }

    /// Fetches one address without following its redirect.
    async fn hop(&self, request: &Request) -> Result<(Answer, Bytes), FetchError> {
        self.check(request).await?;
        if self.config().obey_robots {
            let verdict = self.allowed(request).await?;
            if !verdict.allowed {
                return Err(FetchError::Robots { url: request.url.clone() });
            }
            if let Some(delay) = verdict.delay {
                self.gate().slow(&request.url, delay);
            }
        }
        let ask = async |headers| {
            let (answer, content) = self.persist(request, headers).await?;
            Ok((answer, Some(content)))
        };
        let (answer, content) = self.through_cache(request, ask).await?;
        let content = match content {
            Some(content) => content,
            None => self.unpacked(&answer).await?,
        };
        finished(answer, content)
    }

    /// Returns the cached answer, or the result of `ask`, which gets the headers to send; with the decompressed body if
    /// `ask` returned it.
    async fn through_cache(
        &self,
        request: &Request,
        ask: impl AsyncFnOnce(HeaderMap) -> Result<(Answer, Option<Bytes>), FetchError>,
    ) -> Result<(Answer, Option<Bytes>), FetchError> {
        let plain = self.headers(request);
        // A request with its own validators must reach the server.
        let Some(cache) = self.cache.as_ref().filter(|_| request.validators.is_empty()) else {
            return ask(plain).await;
        };
        // A page must not obtain through the cache what it could not fetch directly.
        let is_guarded = self.check(request).await? == Reach::Public;
        let may_have = |answer: &Answer| !is_guarded || !answer.address.is_some_and(guard::is_private);
        let (stale, headers) = match cache.look(&request.url, &plain, SystemTime::now()).await {
            Kept::Fresh(answer) if may_have(&answer) => return Ok((answer, None)),
            Kept::Stale { answer, conditional } if may_have(&answer) => (Some(answer), conditional),
            _ => (None, plain.clone()),
        };
        let (mut answer, mut content) = ask(headers).await?;
        if let (StatusCode::NOT_MODIFIED, Some(kept)) = (answer.status, stale) {
            (answer, content) = (super::cache::refreshed(kept, &answer), None);
        }
        cache.keep(&plain, &answer).await;
        Ok((answer, content))
    }

    /// Retries until there is a definitive answer. Statuses of 400 and above that are not worth retrying are returned
    /// as answers.
    async fn persist(&self, request: &Request, headers: HeaderMap) -> Result<(Answer, Bytes), FetchError> {
        let config = self.config();
        let mut attempt = 0;
        loop {
            let permit = self.gate().enter(&request.url).await;
            let result = self.exchange(request, headers.clone(), config.max_size, Beyond::Refuse).await;
            drop(permit);
            let error = match result {
                Ok(answer) if is_transient(answer.status) => status_error(&answer),
                Ok(answer) => match self.unpacked(&answer).await {
                    Ok(content) => return Ok((answer, content)),
                    Err(error) => error,
                },
                Err(error) => error,
            };
            if attempt == config.retries || !error.is_transient() {
                return Err(error);
            }
            let mut wait = backoff(config.backoff, attempt, config.seed, request.url.as_str());
            if let FetchError::Status { retry_after: Some(after), .. } = error {
                if after > config.retry_after_limit {
                    return Err(error);
                }
                wait = wait.max(after);
                // `Retry-After` concerns the whole site and not just this page.
                self.gate().hold(&request.url, Instant::now() + after);
            }
            tokio::time::sleep(wait).await;
            attempt += 1;
        }
    }

    /// Returns the content of a successful answer, and nothing for other answers.
    async fn unpacked(&self, answer: &Answer) -> Result<Bytes, FetchError> {
        if !answer.status.is_success() {
            return Ok(Bytes::new());
        }
        let limit = self.config().max_size;
        if answer.body.len() < LARGE {
            return answer.content(limit);
        }
        let large = answer.clone();
        match tokio::task::spawn_blocking(move || large.content(limit)).await {
            Ok(content) => content,
            Err(error) => Err(FetchError::Coding { url: answer.url.clone(), cause: error.to_string() }),
        }
    }
}

fn finished(answer: Answer, content: Bytes) -> Result<(Answer, Bytes), FetchError> {
    if answer.status.as_u16() >= 400 { Err(status_error(&answer)) } else { Ok((answer, content)) }
}

/// Returns the error for an answer with an error status.
pub(crate) fn status_error(answer: &Answer) -> FetchError {
    FetchError::Status { url: answer.url.clone(), status: answer.status, retry_after: answer.retry_after() }
}
