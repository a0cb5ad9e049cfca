//! Runs calls on separate threads: a call may take seconds, and others must be answered meanwhile.

use std::time::Duration;

use crate::failure::Refused;

/// Time limit of a call. Fetching has its own limits, and learning is bounded by the size of the page; this is for the
/// rest.
const LONGEST: Duration = Duration::from_secs(120);

/// Runs a call on a blocking thread. A call that exceeds the limit continues, but its result is discarded.
pub(crate) async fn call<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refused> + Send + 'static,
) -> Result<T, Refused> {
    match tokio::time::timeout(LONGEST, tokio::task::spawn_blocking(work)).await {
        Ok(Ok(done)) => done,
        Ok(Err(_)) => Err(Refused::internal("the call panicked")),
        Err(_) => Err(Refused::internal("the call took too long")),
    }
}
