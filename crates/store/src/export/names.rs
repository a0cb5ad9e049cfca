//! Names that must differ from each other: columns, members, sheets.

use std::collections::HashSet;

/// The names that are given.
#[derive(Debug, Default)]
pub(super) struct Names {
    taken: HashSet<String>,
}

impl Names {
    /// Some are given already.
    pub(super) fn reserve<'a>(names: impl IntoIterator<Item = &'a str>) -> Names {
        Names { taken: names.into_iter().map(str::to_owned).collect() }
    }

    /// The name, or with the first free number behind it: `name_2`.
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
