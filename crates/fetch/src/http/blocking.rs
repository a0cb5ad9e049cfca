//! Blocking interface of the client.

use std::io;
use std::sync::{Mutex, PoisonError, mpsc};

use tokio::runtime::{Builder, Handle, Runtime};

use super::client::Client;
use super::get::Fetched;
use super::request::Request;
use crate::FetchError;

impl Client {
    /// Like [`Client::get`], for callers that are not asynchronous. May be called from any number of threads at once;
    /// the first call starts one thread that serves them all.
    pub fn get_blocking(&self, request: &Request) -> Result<Fetched, FetchError> {
        let no_thread = |cause: String| FetchError::Connection { url: request.url.clone(), cause };
        let handle = self.shared.background.handle().map_err(|error| no_thread(error.to_string()))?;
        // `block_on` must not be called from asynchronous code; this works even there.
        let (sender, receiver) = mpsc::sync_channel(1);
        let (client, owned) = (self.clone(), request.clone());
        handle.spawn(async move {
            let fetched = client.get(&owned).await;
            // Sending fails if the caller's thread has ended.
            let _ = sender.send(fetched);
        });
        receiver.recv().unwrap_or_else(|_| Err(no_thread("the client was shut down".into())))
    }
}

/// A runtime that is started when it is first needed.
#[derive(Debug, Default)]
pub(super) struct Background {
    runtime: Mutex<Option<Runtime>>,
}

impl Background {
    fn handle(&self) -> io::Result<Handle> {
        let mut runtime = self.runtime.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(runtime) = &*runtime {
            return Ok(runtime.handle().clone());
        }
        let started =
            Builder::new_multi_thread().worker_threads(1).thread_name("windrow-fetch").enable_all().build()?;
        Ok(runtime.insert(started).handle().clone())
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // The last clone of a client may be dropped on the runtime's own thread, which cannot wait for itself.
        let runtime = self.runtime.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(runtime) = runtime.take() {
            runtime.shutdown_background();
        }
    }
}
