//! Options for storing records, for the commands that find them.

use clap::Args;
use windrow::keeping::KeepOptions;

/// Options for storing records.
#[derive(Debug, Args)]
#[command(next_help_heading = "Keeping")]
pub(crate) struct KeepArguments {
    /// Write the records to this store: a file such as shop.db, created if needed, or postgres://…
    #[arg(long, alias = "store", value_name = "STORE")]
    pub(crate) into: Option<String>,

    /// Extract pages again even if they have not changed since they were stored
    #[arg(long, requires = "into")]
    pub(crate) refresh: bool,

    /// Accept that a list which had records on a page is now empty, and mark its records as gone
    ///
    /// Without this option the rule is assumed to be broken: the list stays as it is, and the run exits with status 2.
    #[arg(long, requires = "into")]
    pub(crate) accept_empty: bool,

    /// Keep a list in the table of another wrapper whose list has the same name
    ///
    /// Otherwise such a list gets a table of its own, with the name of its wrapper in front.
    #[arg(long, requires = "into")]
    pub(crate) share_tables: bool,
}

impl KeepArguments {
    pub(crate) fn options(&self) -> KeepOptions {
        let KeepArguments { refresh, accept_empty, share_tables, .. } = *self;
        KeepOptions { refresh, accept_empty, share_tables }
    }
}
