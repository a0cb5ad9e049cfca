//! `windrow watch`: fetches, keeps, compares, mends if allowed, reports; and again.
//!
//! Each round stands for itself: the wrapper's file is read, the store opened, the pages fetched. So a round can fail, or
//! the program be killed, and the next one begins as if nothing had happened.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Instant;

use windrow::watch::{self, Round, WatchOptions};

use crate::args::WatchArguments;
use crate::fmt::print;
use crate::output::Console;
use crate::pages;
use crate::run::{Ending, tell, tell_errors};

/// Runs the command.
pub(crate) fn run(arguments: &WatchArguments) -> Ending {
    let (options, console) = (options(arguments), Console::new(arguments.reading.quiet));
    let mut done = 0;
    // What was broken in the round before: it is told once.
    let mut before = String::new();
    loop {
        let begun = Instant::now();
        let round = watch::round(&options, !before.is_empty(), &console).unwrap_or_else(|reports| {
            tell_errors(&reports);
            Round::failed()
        });
        done += 1;
        let is_news = !round.broken.is_empty() && round.broken != before;
        let mut text = String::new();
        if !arguments.reading.quiet {
            text += &round.summary;
        }
        if is_news {
            text += &round.news;
        }
        if !arguments.reading.quiet {
            text += &round.changes;
        }
        // If nobody reads the report there is still the store, and the alarm.
        let _ = if text.is_empty() { Ok(()) } else { print(&text) };
        if let Some(command) = &arguments.alarm {
            let news = if is_news && arguments.alarm_on.broken() { round.news.as_str() } else { "" };
            let changes = if arguments.alarm_on.changes() { round.changes.as_str() } else { "" };
            if !news.is_empty() || !changes.is_empty() {
                alarm(command, &format!("{news}{changes}"));
            }
        }
        before = round.broken;
        if arguments.times.is_some_and(|times| done >= times.get()) {
            return round.ending;
        }
        std::thread::sleep(arguments.every.saturating_sub(begun.elapsed()));
    }
}

fn options(arguments: &WatchArguments) -> WatchOptions {
    WatchOptions {
        wrapper: arguments.wrapper.clone(),
        pages: arguments.pages.clone(),
        store: arguments.keep.into.clone(),
        keep: arguments.keep.options(),
        repair: arguments.repair,
        repair_after: arguments.repair_after.get(),
        open: pages::options(&arguments.reading),
        threads: arguments.reading.threads(),
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
        Ok(status) => tell(&format!("warning: the command of --alarm ended with {status}")),
        Err(error) => tell(&format!("warning: the command of --alarm could not be run: {error}")),
    }
}
