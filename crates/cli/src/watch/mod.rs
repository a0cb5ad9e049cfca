//! `windrow watch`: fetch, keep, compare, mend if allowed, report; and again.
//!
//! Each round stands for itself: the wrapper's file is read, the store opened, the pages fetched. So a round can fail, or
//! the program be killed, and the next one begins as if nothing had happened.

mod round;

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::args::WatchArguments;
use crate::fmt::print;
use crate::run::{Ending, tell};

use round::Round;

/// Runs the command.
pub(crate) fn run(arguments: &WatchArguments) -> Ending {
    let mut done = 0;
    let mut before = String::new();
    loop {
        let begun = Instant::now();
        let round = Round::run(arguments, !before.is_empty());
        done += 1;
        let news = !round.news.is_empty() && round.news != before;
        if !round.summary.is_empty() && !arguments.reading.quiet || news {
            // If nobody reads the report there is still the store, and the alarm.
            let _ = print(&format!("{}{}", round.summary, if news { round.news.as_str() } else { "" }));
        }
        if let Some(command) = arguments.alarm.as_deref().filter(|_| news) {
            alarm(command, &round.news);
        }
        before = round.news;
        if arguments.times.is_some_and(|times| done >= times.get()) {
            return round.ending;
        }
        std::thread::sleep(arguments.every.saturating_sub(begun.elapsed()));
    }
}

/// Runs a command of the user's with the report on its standard input.
fn alarm(command: &str, report: &str) {
    let shell = if cfg!(windows) { ["cmd", "/C"] } else { ["sh", "-c"] };
    let child = Command::new(shell[0]).args([shell[1], command]).stdin(Stdio::piped()).spawn();
    let ended = child.and_then(|mut child| {
        if let Some(mut input) = child.stdin.take() {
            // A command that does not want to know closes it.
            let _ = input.write_all(report.as_bytes());
        }
        child.wait()
    });
    match ended {
        Ok(status) if status.success() => {}
        Ok(status) => tell(&format!("warning: the alarm ended with {status}")),
        Err(error) => tell(&format!("warning: the alarm could not be run: {error}")),
    }
}
