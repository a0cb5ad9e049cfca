//! Lines on standard error that many pages or records give alike.
//!
//! A page of a thousand records that lack a price gives a thousand warnings, and nobody reads the eleventh. The first ten
//! of a run are printed, the others are counted.

use crate::run::tell;

/// Lines that are printed one by one.
const MOST: usize = 10;

/// Prints the first lines of a run and counts the others.
#[derive(Debug)]
pub(crate) struct Bounded {
    /// What the lines are, for the last one: `warnings`.
    what: &'static str,
    /// Lines that may be printed.
    most: usize,
    printed: usize,
    /// Lines that were not printed.
    more: usize,
}

impl Bounded {
    /// Counts lines of this kind; all are printed if `all` is set.
    pub(crate) fn new(what: &'static str, all: bool) -> Bounded {
        Bounded { what, most: if all { usize::MAX } else { MOST }, printed: 0, more: 0 }
    }

    /// The lines that are to be printed now.
    pub(crate) fn take<'l>(&mut self, lines: &'l [String]) -> &'l [String] {
        let now = lines.len().min(self.most - self.printed);
        self.printed += now;
        self.more += lines.len() - now;
        &lines[..now]
    }

    /// The line for those that were not printed. `details` says how to see them, if there is a way.
    pub(crate) fn end(&self, details: Option<&str>) -> Option<String> {
        let details = details.map(|details| format!("; {details}")).unwrap_or_default();
        (self.more > 0).then(|| format!("… and {} more {}{details}", self.more, self.what))
    }

    /// Prints the line for those that were not printed, if there are any.
    pub(crate) fn tell_end(&self, details: Option<&str>) {
        self.end(details).iter().for_each(|line| tell(line));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_lines_are_printed_and_the_others_counted() {
        let lines: Vec<String> = (0..8).map(|number| number.to_string()).collect();
        let mut bounded = Bounded::new("warnings", false);
        assert_eq!((bounded.take(&lines).len(), bounded.end(None)), (8, None));
        assert_eq!((bounded.take(&lines).len(), bounded.take(&lines).len()), (2, 0));
        assert_eq!(bounded.end(Some("--explain shows all")).unwrap(), "… and 14 more warnings; --explain shows all");
        let mut all = Bounded::new("warnings", true);
        assert_eq!((0..3).map(|_| all.take(&lines).len()).sum::<usize>(), 24);
        assert_eq!(all.end(None), None);
    }
}
