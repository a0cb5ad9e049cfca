//! The size of tables.

use clap::Args;

/// The size of tables.
#[derive(Debug, Args)]
pub(crate) struct TableArguments {
    /// Rows of a table: a number, or `all` [default: what fits the terminal, 20 elsewhere]
    #[arg(long, value_name = "N", value_parser = row_limit)]
    pub(crate) rows: Option<RowLimit>,
}

/// The number of rows of a table that are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowLimit {
    /// At most so many.
    Count(usize),
    /// All.
    All,
}

fn row_limit(text: &str) -> Result<RowLimit, String> {
    match text.trim() {
        "all" => Ok(RowLimit::All),
        number => match number.parse() {
            Ok(rows) if rows > 0 => Ok(RowLimit::Count(rows)),
            _ => Err("write a number from 1 on, or `all`".to_owned()),
        },
    }
}
