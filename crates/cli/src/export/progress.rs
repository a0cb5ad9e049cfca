//! The progress of a long export: the number of rows that were read so far.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Short work shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);
/// Rows between looks at the clock.
const STRIDE: u64 = 256;

/// Counts rows.
#[derive(Debug)]
pub(crate) struct RowProgress {
    bar: Option<ProgressBar>,
    begun: Instant,
    rows: u64,
}

impl RowProgress {
    pub(crate) fn new(quiet: bool) -> RowProgress {
        let bar = (!quiet && io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
            if let Ok(style) = ProgressStyle::with_template("{spinner} {human_pos} rows, {per_sec}") {
                bar.set_style(style);
            }
            bar
        });
        RowProgress { bar, begun: Instant::now(), rows: 0 }
    }

    /// One row more.
    pub(crate) fn advance(&mut self) {
        self.rows += 1;
        let Some(bar) = self.bar.as_ref().filter(|_| self.rows.is_multiple_of(STRIDE)) else { return };
        if bar.is_hidden() && self.begun.elapsed() >= PATIENCE {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        bar.set_position(self.rows);
    }

    /// No rows more.
    pub(crate) fn end(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}
