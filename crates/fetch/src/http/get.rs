//! Everything for one page: robots.txt, the wait for our turn, repetitions, redirects, the cache.

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

/// Larger bodies are unpacked on a thread of their own, so as not to hold up other requests.
const LARGE: usize = 256 << 10;

/// A page, and how it was come by.
#[derive(Debug, Clone)]
pub struct Fetched {
    /// The last answer; its `url` is where the page is in the end.
    pub answer: Answer,
    /// Its body with the content codings undone.
    pub content: Bytes,
    /// The redirects on the way, first to last.
    pub hops: Vec<Answer>,
    /// What is less than perfect about it, in words.
    pub notes: Vec<String>,
}

impl Client {
    /// A page: robots.txt is obeyed, the gate entered, what may pass tried again, redirects followed and checked each,
    /// fresh answers taken from the cache.
    ///
    /// # Errors
    ///
    /// If there is no page, which is also what a status of 400 and more means.
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
            // Some sites set a cookie and send the visitor back to where it came from.
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

    /// One request, as [`Client::once`], but what the cache has fresh is not asked for, and what is stale is asked for only
    /// if it has changed. Without a cache, it is the same.
    ///
    /// # Errors
    ///
    /// If there is no whole answer.
    pub async fn once_cached(&self, request: &Request) -> Result<Answer, FetchError> {
        self.check(request).await?;
        let ask = async |headers| {
            let limit = self.config().max_size;
            Ok((self.exchange(request, headers, limit, Beyond::Refuse).await?, None))
        };
        Ok(self.through_cache(request, ask).await?.0)
    }

    /// One address, its redirect not followed.
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

    /// What the cache has, or what `ask` brings when it is given the headers to send; with the unpacked body, if `ask`
    /// had it.
    async fn through_cache(
        &self,
        request: &Request,
        ask: impl AsyncFnOnce(HeaderMap) -> Result<(Answer, Option<Bytes>), FetchError>,
    ) -> Result<(Answer, Option<Bytes>), FetchError> {
        let plain = self.headers(request);
        // Who brings validators of its own wants the server's word.
        let Some(cache) = self.cache.as_ref().filter(|_| request.validators.is_empty()) else {
            return ask(plain).await;
        };
        // A page must not learn through the cache what it could not have fetched.
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

    /// Tries until there is an answer that will not change by trying. Answers of 400 and more that are no use trying
    /// again are given as they are.
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
                // It is the site that wants to be left alone, not this page.
                self.gate().hold(&request.url, Instant::now() + after);
            }
            tokio::time::sleep(wait).await;
            attempt += 1;
        }
    }

    /// The content of an answer that is a page; nothing of one that is none.
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

/// What an answer that is no page means.
pub(crate) fn status_error(answer: &Answer) -> FetchError {
    FetchError::Status { url: answer.url.clone(), status: answer.status, retry_after: answer.retry_after() }
}
