//! TSIMMIS bracket files: a list of commands `[variables, source, pattern]`.
//!
//! The flat list is the rule tree: a command's source is a variable of an earlier command, and its rule is a child of
//! that variable's rule. A command with one variable is one rule; with several, a [`Kind::Save`](crate::Kind::Save) with
//! one rule for each `#`.
//!
//! Paper: J. Hammer et al., "Extracting Semistructured Information from the Web" (1997), Figures 3 to 5 and section 2.3.
//!
//! # The language
//!
//! | part | written |
//! |---|---|
//! | variables | names between commas; `_name` is temporary; ours: `name?` optional, `name:type`, `name->label`, in this order |
//! | source | `get('address')`, `get()` for the page it is run on, `get(variable)`, `variable`, `split(variable, 'text')`, `extract_table(variable)`, `extract_table(variable, 'pattern')`, ours: `group(variable)` |
//! | members | behind any variable of a source: `variable[1:0]` leaves out one in front and none at the end, `variable[2]` is the third |
//! | pattern | `*` discards, `#` saves; or `case('pattern', 'pattern', …)`; for a `group`, `label=variable, …` |
//!
//! Strings stand in `"` or `'`, on one line; `\"`, `\'`, `\\`, `\n`, `\r`, `\t` are escapes, and `\*` and `\#` are left
//! to the pattern. `;` begins a comment outside of strings, where it has no other use; `; name: …` and the like in front
//! of the first command are [headers](super::header).
//!
//! A saved text in front of which `href=` or `src=` stands is a `url`, as in Figure 4.
//!
//! # Worked example
//!
//! ```text
//! [["root", "get('https://example.org/')", "#"],        group root
//!  ["_row", "split(root, '<TR>')", "#"],                  list _row = pieces between <TR>
//!  ["city,low", "_row[1:0]", "*<TD>#</TD>*/#</TD>*"]]        save (but for the first piece): field city, field low
//! ```
//!
//! # Departures from the paper
//!
//! One page to begin with: a second `get('address')` has to name the same. The members of a variable can be chosen where
//! `split` or `extract_table` made them, not of copies. Several `#` behind `split`, `extract_table` or `get` go through a
//! temporary variable that the reader adds (`_row_split`).
//!
//! # Cost
//!
//! Linear in the file, but for the search for names like one that is unknown, which [`MAX_ERRORS`] bounds.

mod build;
mod commands;
mod expression;
mod lex;
mod parts;
mod write;

use std::collections::HashSet;

use super::header;
use crate::error::Errors;
use crate::wrapper::Wrapper;

pub(crate) use write::write;

/// How messages call these files.
const FORMAT: &str = "a list of TSIMMIS commands";

/// Reading stops after so many errors: whoever wrote the file reads the first ones.
const MAX_ERRORS: usize = 100;

/// Reads a bracket file.
pub(crate) fn read(text: &str) -> Result<Wrapper, Errors> {
    let mut errors = Vec::new();
    let (mut wrapper, mut paths) = (Wrapper::default(), header::Paths::default());
    let lexemes = lex::lex(text, &mut errors, |comment| {
        // The page's address stands in the first command.
        if !comment.trim_start().starts_with("url") {
            header::take(&mut wrapper, &mut paths, comment);
        }
    });
    let commands = commands::commands(lexemes, &mut errors);
    build::build(&mut wrapper, &commands, &mut errors);
    paths.give(&mut wrapper);
    // A part without quotes is read twice, and complains twice.
    let mut seen = HashSet::new();
    errors.retain(|error| {
        let place = error.span().map(|span| (span.start, span.end));
        seen.insert((place, std::mem::discriminant(error)))
    });
    Errors::unless_empty(errors, wrapper)
}
