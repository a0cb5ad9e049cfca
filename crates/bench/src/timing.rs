//! The clock: the fastest of several runs, dropping what was built outside of the measured time.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// The shortest time that `work` took in `rounds` runs, and what its last run gave.
///
/// # Panics
///
/// If `rounds` is zero.
pub fn fastest<T>(rounds: usize, mut work: impl FnMut() -> T) -> (Duration, T) {
    assert!(rounds > 0, "nothing to measure in no rounds");
    let mut best = Duration::MAX;
    let mut last = None;
    for _ in 0..rounds {
        drop(last.take());
        let start = Instant::now();
        let result = black_box(work());
        best = best.min(start.elapsed());
        last = Some(result);
    }
    (best, last.expect("at least one round was run"))
}

/// The same, ending early once all runs together took `budget`.
///
/// # Panics
///
/// If `rounds` is zero.
pub fn fastest_within<T>(budget: Duration, rounds: usize, mut work: impl FnMut() -> T) -> (Duration, T) {
    let start = Instant::now();
    let (mut best, mut last) = fastest(1, &mut work);
    for _ in 1..rounds {
        if start.elapsed() > budget {
            break;
        }
        drop(last);
        let (time, result) = fastest(1, &mut work);
        best = best.min(time);
        last = result;
    }
    (best, last)
}

/// Megabytes (10^6) a second.
pub fn megabytes_per_second(bytes: usize, time: Duration) -> f64 {
    bytes as f64 / 1e6 / time.as_secs_f64()
}

/// The middle value; NaN of none.
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        length if length % 2 == 1 => values[length / 2],
        length => (values[length / 2 - 1] + values[length / 2]) / 2.0,
    }
}

/// The value that a share of them lie below; NaN of none.
pub fn quantile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = (values.len().saturating_sub(1) as f64 * share).round() as usize;
    values.get(at).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&mut [4.0, 1.0, 2.0, 3.0]), 2.5);
        assert!(median(&mut []).is_nan());
    }

    #[test]
    fn quantiles_are_values() {
        assert_eq!(quantile(&mut [4.0, 1.0, 2.0, 3.0, 5.0], 0.25), 2.0);
        assert_eq!(quantile(&mut [4.0, 1.0, 2.0, 3.0, 5.0], 1.0), 5.0);
        assert!(quantile(&mut [], 0.5).is_nan());
    }
}
