//! State that threads change one page after the other: each waits for its turn, so that a run gives the same however many
//! threads there are.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Something that pages change in their order.
#[derive(Debug)]
pub struct Turns<T> {
    state: Mutex<(usize, T)>,
    changed: Condvar,
}

/// The turn of one page: whatever becomes of the page, it passes.
#[derive(Debug)]
pub struct Turn<'t, T> {
    turns: &'t Turns<T>,
    number: usize,
    passed: bool,
}

impl<T> Turns<T> {
    /// Creates the shared state; the page of number 0 has the first turn.
    pub fn new(state: T) -> Turns<T> {
        Turns { state: Mutex::new((0, state)), changed: Condvar::new() }
    }

    /// The turn of the page of this number; the first is 0, and none is left out.
    pub fn of(&self, number: usize) -> Turn<'_, T> {
        Turn { turns: self, number, passed: false }
    }
}

impl<'t, T> Turn<'t, T> {
    /// Waits until all pages in front have had their turns, and takes this one.
    pub fn take<R>(mut self, work: impl FnOnce(&mut T) -> R) -> R {
        let mut state = self.wait();
        let result = work(&mut state.1);
        self.passed = true;
        self.pass(state);
        result
    }

    fn wait(&self) -> MutexGuard<'t, (usize, T)> {
        let turns = self.turns;
        // If a thread has panicked, the run ends with its panic; until then nobody is to wait for it.
        let mut state = turns.state.lock().unwrap_or_else(PoisonError::into_inner);
        while state.0 < self.number {
            state = turns.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state
    }

    fn pass(&self, mut state: MutexGuard<'_, (usize, T)>) {
        state.0 = self.number + 1;
        drop(state);
        self.turns.changed.notify_all();
    }
}

impl<T> Drop for Turn<'_, T> {
    fn drop(&mut self) {
        if !self.passed {
            let state = self.wait();
            self.pass(state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Turns;

    #[test]
    fn turns_are_taken_in_order_whoever_comes_first_and_pass_unused() {
        let turns = Turns::new(Vec::new());
        std::thread::scope(|scope| {
            for number in (0..20).rev() {
                let turn = turns.of(number);
                scope.spawn(move || {
                    if number % 3 == 0 {
                        drop(turn);
                    } else {
                        turn.take(|seen| seen.push(number));
                    }
                });
            }
        });
        let seen = turns.of(20).take(std::mem::take);
        assert_eq!(seen, (0..20).filter(|number| number % 3 != 0).collect::<Vec<_>>());
    }
}
