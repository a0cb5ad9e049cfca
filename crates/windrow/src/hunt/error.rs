//! Why a hunt cannot begin, or came to nothing.

use miette::Diagnostic;

/// Why there is nothing to tell.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[expect(missing_docs, reason = "the messages describe the variants")]
pub enum HuntError {
    #[error("the domain has no records")]
    #[diagnostic(code(hunt::no_records))]
    NoRecords,
    #[error("the wrapper `{name}` does not say how its pages are searched")]
    #[diagnostic(
        code(hunt::no_search),
        help("add a table to it: [search], and below it url = \"https://search.example/?q={{query}}&page={{page}}\"")
    )]
    NoSearch { name: String },
    #[error("there is nothing to ask for")]
    #[diagnostic(code(hunt::no_queries), help("give --query, or a larger number of --queries"))]
    NoQueries,
    #[error("`{text}` is no column of a table of reference")]
    #[diagnostic(code(hunt::names), help("{hint}"))]
    Names { text: String, hint: String },
    #[error("the search engine gave no page: {why}")]
    #[diagnostic(
        code(hunt::unreachable),
        help(
            "see what it answers: windrow extract -w {wrapper} '{address}'; the same command goes on with what failed for a while"
        )
    )]
    Unreachable { why: String, wrapper: String, address: String },
    #[error("the wrapper `{wrapper}` finds no result on {pages}")]
    #[diagnostic(
        code(hunt::no_results),
        help(
            "see what its rules find: windrow extract -w {wrapper} '{address}'; an engine that asks who is there gives such pages, too; --restart asks again"
        )
    )]
    NoResults { wrapper: String, pages: String, address: String },
    #[error("the results lead to no site that could be read: {why}")]
    #[diagnostic(code(hunt::no_sites), help("{hint}"))]
    NoSites { why: String, hint: &'static str },
}
