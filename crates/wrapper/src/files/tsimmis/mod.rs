//! TSIMMIS bracket files: a list of commands `[variables, source, pattern]`.
//!
//! The flat list encodes the rule tree: the source of a command is a variable of an earlier command, and the
//! command's rule is a child of that variable's rule. A command with one variable becomes one rule; a command with
//! several becomes a [`Kind::Save`](crate::Kind::Save) with one rule for each `#`.
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
//! Strings stand in `"` or `'`, on one line; `\"`, `\'`, `\\`, `\n`, `\r`, `\t` are escapes; `\*` and `\#` are passed
//! on to the pattern. `;` begins a comment, except inside strings. Comments such as `; name: …` before the first
//! command are [headers](super::header).
//!
//! A saved text that follows `href=` or `src=` has the type `url`, as in Figure 4.
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
//! There is only one page to start from: a second `get('address')` must have the same address. Members of a variable
//! can be selected where `split` or `extract_table` made them, but not from copies. If a pattern with several `#`
//! follows `split`, `extract_table` or `get`, the reader adds a temporary variable (`_row_split`).
//!
//! # Cost
//!
//! Linear in the file, except for finding the name most similar to an unknown one, which [`MAX_ERRORS`] bounds.

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

/// Name of the format in messages.
const FORMAT: &str = "a list of TSIMMIS commands";

/// Number of errors after which reading stops: people read only the first ones.
const MAX_ERRORS: usize = 100;

/// Reads a bracket file.
pub(crate) fn read(text: &str) -> Result<Wrapper, Errors> {
    let mut errors = Vec::new();
    let (mut wrapper, mut paths) = (Wrapper::default(), header::Paths::default());
    let lexemes = lex::lex(text, &mut errors, |comment| {
        // The page's address is in the first command.
        if !comment.trim_start().starts_with("url") {
            header::take(&mut wrapper, &mut paths, comment);
        }
    });
    let commands = commands::commands(lexemes, &mut errors);
    build::build(&mut wrapper, &commands, &mut errors);
    paths.give(&mut wrapper);
    // A part without quotes is read twice and reported twice.
    let mut seen = HashSet::new();
    errors.retain(|error| {
        let place = error.span().map(|span| (span.start, span.end));
        seen.insert((place, std::mem::discriminant(error)))
    });
    Errors::unless_empty(errors, wrapper)
}
