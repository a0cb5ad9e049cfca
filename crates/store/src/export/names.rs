//! Unique names of columns, members and sheets.

use std::collections::HashSet;

/// The names given so far.
#[derive(Debug, Default)]
pub(super) struct Names {
    taken: HashSet<String>,
}

impl Names {
    /// Creates a set in which these names are already taken.
    pub(super) fn reserve<'a>(names: impl IntoIterator<Item = &'a str>) -> Names {
        Names { taken: names.into_iter().map(str::to_owned).collect() }
    }

    /// Returns a unique name: the given one, or one with the first free number appended, as in `name_2`.
    pub(super) fn give(&mut self, name: &str) -> String {
        let mut given = name.to_owned();
        let mut number = 2_u64;
        while !self.taken.insert(given.clone()) {
            given = format!("{name}_{number}");
            number += 1;
        }
        given
    }
}
