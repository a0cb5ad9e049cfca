//! Work on many items by several threads, results handed back in the items' order.
//!
//! Each job carries the sender of its own one-result channel; the receivers wait in a queue, oldest first, and
//! the queue's length bounds both the work under way and the finished results not yet taken. So memory stays at a
//! few items however many there are, and a slow item delays the printing of its successors but not their work.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

/// Results that may be finished before an earlier one is, for each thread.
const AHEAD: usize = 4;

/// Runs `work` on every item, on `threads` threads, and `take` on every result, on this thread and in order.
///
/// `take` ends everything early by breaking: work under way is finished and thrown away.
pub fn map<T, R, B>(
    items: impl IntoIterator<Item = T>,
    threads: usize,
    work: impl Fn(T) -> R + Sync,
    mut take: impl FnMut(R) -> ControlFlow<B>,
) -> ControlFlow<B>
where
    T: Send,
    R: Send,
{
    let mut items = items.into_iter();
    if threads <= 1 {
        return items.try_for_each(|item| take(work(item)));
    }
    let (jobs, queue) = mpsc::channel::<(T, mpsc::SyncSender<R>)>();
    let queue = Mutex::new(queue);
    let stopped = AtomicBool::new(false);
    let worker = || {
        // A poisoned lock would mean that `recv` panicked, and then there is nothing to receive.
        while let Ok(Ok((item, result))) = queue.lock().map(|queue| queue.recv()) {
            if !stopped.load(Ordering::Relaxed) {
                // The receiver is gone if `take` has broken off meanwhile: nobody wants the result.
                let _ = result.send(work(item));
            }
        }
    };
    std::thread::scope(|scope| {
        // Owned here, so that leaving the scope closes the channel and the workers end.
        let jobs = jobs;
        let mut running = 0;
        let mut waiting: VecDeque<mpsc::Receiver<R>> = VecDeque::new();
        loop {
            while waiting.len() < threads * AHEAD {
                let Some(item) = items.next() else { break };
                let (result, receiver) = mpsc::sync_channel(1);
                waiting.push_back(receiver);
                jobs.send((item, result)).expect("the queue outlives the scope");
                // Threads start as work appears: one page must not cost eight threads.
                if running < threads {
                    running += 1;
                    scope.spawn(worker);
                }
            }
            let Some(oldest) = waiting.pop_front() else { break };
            // A missing result means that `work` panicked; leaving the scope passes the panic on.
            let Ok(result) = oldest.recv() else { break };
            let flow = take(result);
            if flow.is_break() {
                stopped.store(true, Ordering::Relaxed);
                return flow;
            }
        }
        ControlFlow::Continue(())
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::time::Duration;

    use super::*;

    #[test]
    fn results_come_in_the_items_order() {
        for threads in [1, 2, 8] {
            let mut taken = Vec::new();
            let flow = map(
                0..200_u64,
                threads,
                |item| {
                    // Early items are the slow ones.
                    std::thread::sleep(Duration::from_micros(200 - item));
                    item * 2
                },
                |result| {
                    taken.push(result);
                    ControlFlow::<()>::Continue(())
                },
            );
            assert_eq!(flow, ControlFlow::Continue(()));
            assert_eq!(taken, (0..200).map(|item| item * 2).collect::<Vec<_>>());
        }
    }

    #[test]
    fn breaking_off_stops_the_work() {
        let begun = AtomicUsize::new(0);
        let flow = map(
            0..1_000_000,
            2,
            |item| {
                begun.fetch_add(1, Ordering::Relaxed);
                item
            },
            |result| if result == 10 { ControlFlow::Break("enough") } else { ControlFlow::Continue(()) },
        );
        assert_eq!(flow, ControlFlow::Break("enough"));
        assert!(begun.load(Ordering::Relaxed) <= 11 + 2 * AHEAD);
    }

    #[test]
    fn a_panic_is_passed_on() {
        let caught = std::panic::catch_unwind(|| {
            map(0..10, 2, |item| assert_ne!(item, 5), |()| ControlFlow::<()>::Continue(()))
        });
        assert!(caught.is_err());
    }
}
