//! Messages, progress and cancellation of a run, as one trait that front ends implement.
//!
//! The workflows of this crate print nothing. They report to a [`Monitor`]: the command line writes lines and draws a
//! progress bar, the studio collects notes for its answer, a program that wants neither passes [`Silent`].

use miette::Report;

/// Receives the messages and the progress of a run, and says when the run must stop.
///
/// Every method does nothing by default, so that a front end implements what it shows.
pub trait Monitor: Send + Sync {
    /// Takes a line that is worth knowing. A quiet front end drops it.
    fn note(&self, _line: &str) {}

    /// Takes a line that must be shown even by a quiet front end.
    fn alarm(&self, _line: &str) {}

    /// Takes an error. The run goes on with the next page.
    fn error(&self, _error: &Report) {}

    /// Begins a run over this many pages, if their number is known.
    fn begin(&self, _pages: Option<usize>) {}

    /// Counts a page that is finished.
    fn advance(&self) {}

    /// Ends the run that was begun last.
    fn end(&self) {}

    /// Returns `true` if the run must stop after the pages that are being worked on.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// A monitor that ignores everything and never cancels.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Monitor for Silent {}

/// The result of a run, in the three kinds that an exit code tells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Something was found.
    Found,
    /// Nothing was found, or less than was asked for.
    Nothing,
    /// There was an error, which was reported.
    Failed,
}

/// The number of notes that a run shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Details {
    /// The first ten; the front end has no option for the others.
    Few,
    /// The first ten; `--explain` shows all.
    OnRequest,
    /// All.
    All,
}

impl Details {
    /// Returns the details of a command with an option `--explain`.
    pub fn new(explain: bool) -> Details {
        if explain { Details::All } else { Details::OnRequest }
    }

    /// Returns the hint for seeing all notes, if there is a way.
    pub fn hint(self) -> Option<&'static str> {
        (self == Details::OnRequest).then_some("--explain shows all")
    }
}

/// One or more errors that have one cause, such as all mistakes of a file.
#[derive(Debug)]
pub struct Reports(pub Vec<Report>);

impl<E: Into<Report>> From<E> for Reports {
    fn from(error: E) -> Reports {
        Reports(vec![error.into()])
    }
}

/// Lines that many pages give alike: the first ones are shown, the others are counted.
///
/// A page of a thousand records that lack a price gives a thousand warnings, and nobody reads the eleventh.
#[derive(Debug)]
pub struct BoundedLines {
    /// Plural of the lines for the last one: `warnings`.
    plural: &'static str,
    /// Number of lines that may be shown.
    most: usize,
    shown: usize,
    /// Number of lines that were not shown.
    more: usize,
}

/// Lines that are shown one by one.
const MOST_LINES: usize = 10;

impl BoundedLines {
    /// Creates a counter for lines with this plural; it lets all of them through if `all` is set.
    pub fn new(plural: &'static str, all: bool) -> BoundedLines {
        BoundedLines { plural, most: if all { usize::MAX } else { MOST_LINES }, shown: 0, more: 0 }
    }

    /// Returns the lines that are to be shown now.
    pub fn take<'l>(&mut self, lines: &'l [String]) -> &'l [String] {
        let now = lines.len().min(self.most - self.shown);
        self.shown += now;
        self.more += lines.len() - now;
        &lines[..now]
    }

    /// Returns the line for those that were not shown, if there are any. `hint` says how to see them.
    pub fn end(&self, hint: Option<&str>) -> Option<String> {
        let hint = hint.map(|hint| format!("; {hint}")).unwrap_or_default();
        (self.more > 0).then(|| format!("… and {} more {}{hint}", self.more, self.plural))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_lines_are_shown_and_the_others_counted() {
        let lines: Vec<String> = (0..8).map(|number| number.to_string()).collect();
        let mut bounded = BoundedLines::new("warnings", false);
        assert_eq!((bounded.take(&lines).len(), bounded.end(None)), (8, None));
        assert_eq!((bounded.take(&lines).len(), bounded.take(&lines).len()), (2, 0));
        assert_eq!(bounded.end(Some("--explain shows all")).unwrap(), "… and 14 more warnings; --explain shows all");
        let mut all = BoundedLines::new("warnings", true);
        assert_eq!((0..3).map(|_| all.take(&lines).len()).sum::<usize>(), 24);
        assert_eq!(all.end(None), None);
    }
}
