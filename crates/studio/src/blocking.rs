//! Work off the threads that answer: a call may take seconds, and others go on meanwhile.

use std::time::Duration;

use crate::failure::Refused;

/// What a call may take. Fetching has time-outs of its own, and learning is bounded by the page; this is for the rest.
const LONGEST: Duration = Duration::from_secs(120);

/// Runs a call on a thread of its own. One that takes too long goes on, but nobody waits for it.
pub(crate) async fn call<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refused> + Send + 'static,
) -> Result<T, Refused> {
    match tokio::time::timeout(LONGEST, tokio::task::spawn_blocking(work)).await {
        Ok(Ok(done)) => done,
        Ok(Err(_)) => Err(Refused::internal("the call ended before its time")),
        Err(_) => Err(Refused::internal("the call takes too long")),
    }
}
