//! How records are kept, for the commands that find them.

use clap::Args;

/// How records are kept.
#[derive(Debug, Args)]
#[command(next_help_heading = "Keeping")]
pub(crate) struct KeepArguments {
    /// Keep the records in this store: a file such as shop.db, made if there is none, or postgres://…
    #[arg(long, visible_alias = "store", value_name = "STORE")]
    pub(crate) into: Option<String>,

    /// Extract again from pages that are as they were when they were kept
    #[arg(long, requires = "into")]
    pub(crate) refresh: bool,

    /// Take a list that had records on a page, and has none now, for empty: its records are gone
    ///
    /// Otherwise the rule is taken for broken: nothing of the list is touched, and the run ends with status 2.
    #[arg(long, requires = "into")]
    pub(crate) accept_empty: bool,

    /// Keep a list in the table of another wrapper whose list has the same name
    ///
    /// Otherwise such a list gets a table of its own, with the name of its wrapper in front.
    #[arg(long, requires = "into")]
    pub(crate) share_tables: bool,
}
