//! The rest: feeds and domains, alternatives, files, exports, stores, repair.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Failure, RuleText, RunResult, Spot};

/// A weblog's home page to learn from.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct FeedRequest {
    /// The page.
    pub page: u64,
    /// The feed, an address or a file; without one it is found.
    #[serde(default)]
    pub feed: Option<String>,
}

/// A domain that comes along.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct DomainInfo {
    /// Its name.
    pub name: String,
    /// Short description.
    pub about: String,
}

/// A page to read by a domain's words.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct DomainRequest {
    /// The page whose table is asked for.
    pub page: u64,
    /// Further pages of the same site, which make the rules surer.
    #[serde(default)]
    pub pages: Vec<u64>,
    /// The domain's name.
    pub domain: String,
}

/// A rule to find alternatives for.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct AlternativesRequest {
    /// The page.
    pub page: u64,
    /// The rules.
    pub rules: RuleText,
    /// The rule: names from the outermost on, parted by `.`
    pub rule: String,
}

/// Ways to find what a rule finds.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Alternatives {
    /// The rule's own first, then the others, the most lasting first.
    pub alternatives: Vec<Alternative>,
}

/// One way to find what a rule finds.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Alternative {
    /// XPath or CSS.
    pub expression: String,
    /// True for the rule's current locator.
    pub current: bool,
    /// Values that it finds in all.
    pub found: usize,
    /// Values that it finds just as the rule does.
    pub same: usize,
    /// Estimated probability of surviving a redesign, from 0 to 1.
    pub robustness: f32,
    /// Why: what it holds on to.
    pub why: String,
    /// Places of the values that it finds.
    pub spots: Vec<Spot>,
}

/// A wrapper to save.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct SaveRequest {
    /// The rules.
    pub rules: RuleText,
    /// The file, below the folder that the studio was started in.
    pub path: String,
    /// True if an existing file may be replaced.
    #[serde(default)]
    pub replace: bool,
}

/// Result of saving.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Saved {
    /// The files that were written.
    pub files: Vec<String>,
}

/// A page to hold a wrapper against from now on (`windrow test`).
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct CaseRequest {
    /// The page.
    pub page: u64,
    /// The rules.
    pub rules: RuleText,
    /// The folder of the case, below the folder that the studio was started in.
    pub path: String,
    /// True if existing files may be replaced.
    #[serde(default)]
    pub replace: bool,
}

/// Records to write to a file.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct ExportRequest {
    /// The pages.
    pub pages: Vec<u64>,
    /// The rules.
    pub rules: RuleText,
    /// The list; without one, the only one.
    #[serde(default)]
    pub list: Option<String>,
    /// `jsonl`, `csv`, `parquet`, `arrow`, `xlsx`, `atom` or `rss`.
    pub format: String,
}

/// A file of records: the answer's body, with its name in `Content-Disposition`.
#[derive(Debug, Clone, ToSchema)]
#[schema(value_type = String, format = Binary)]
pub struct Exported(pub Vec<u8>);

/// Rules to run on further pages.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct ManyRequest {
    /// The rules.
    pub rules: RuleText,
    /// Addresses, files and folders.
    pub pages: Vec<String>,
}

/// Results of rules on one of several pages.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ManyRow {
    /// The page's name.
    pub name: String,
    /// The page, if it could be opened.
    pub page: Option<super::PageInfo>,
    /// Records that were found.
    pub result: Option<RunResult>,
    /// Why not.
    pub failure: Option<Failure>,
}

/// A store to look into.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct StoreRequest {
    /// A file or `postgres://…`.
    pub store: String,
}

/// Contents of a store.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Stored {
    /// Its wrappers, with the last version of each.
    pub wrappers: Vec<StoredWrapper>,
}

/// A wrapper of a store.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct StoredWrapper {
    /// Its name.
    pub name: String,
    /// Its last version.
    pub rules: RuleText,
    /// Time at which it was first run.
    pub since: String,
    /// The pages it was run on, the last ones first.
    pub pages: Vec<StoredPage>,
    /// Faults in its last runs, for display.
    pub broken: Vec<String>,
}

/// A page of a store: its records are kept, the page is where it was.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct StoredPage {
    /// An address or a file.
    pub name: String,
    /// Time at which it was last seen.
    pub seen: String,
}

/// A wrapper to repair.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct RepairRequest {
    /// The rules.
    pub rules: RuleText,
    /// The page as it was.
    #[serde(default)]
    pub before: Option<u64>,
    /// Or a store that knows its records, and the wrapper's name there.
    #[serde(default)]
    pub store: Option<String>,
    /// The wrapper's name in the store.
    #[serde(default)]
    pub wrapper: Option<String>,
    /// The page as it is.
    pub after: u64,
}

/// Result of a repair, or the reason for its refusal.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Repaired {
    /// Reason for a refusal, for display; the other fields are then empty, except `before` and `after`.
    pub refused: Option<String>,
    /// Hint on how to proceed.
    pub hint: Option<String>,
    /// The new rules.
    pub rules: Option<RuleText>,
    /// Differences between the old and the new text.
    pub patch: String,
    /// Changes to each list.
    pub lists: Vec<ListChange>,
    /// Notes about it.
    pub notes: Vec<String>,
    /// Results of the old rules on the old page, if that is open.
    pub before: Option<RunResult>,
    /// Results of the new rules on the new page; of the old rules if the repair was refused.
    pub after: Option<RunResult>,
}

/// Change of a list.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ListChange {
    /// Its label; empty for what the page tells of itself.
    pub label: String,
    /// Records that were known.
    pub known: usize,
    /// Number of these that the new rules find again.
    pub found: usize,
    /// Records that they find.
    pub records: usize,
    /// Its rules and those in its records.
    pub rules: Vec<RuleChange>,
}

/// Change of a rule.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct RuleChange {
    /// The rule: names from the outermost on, parted by `.`
    pub rule: String,
    /// Locator before the repair.
    pub before: String,
    /// Locator after the repair.
    pub after: String,
    /// True if it was not changed.
    pub kept: bool,
    /// Values that could be compared.
    pub compared: usize,
    /// Number of these that are equal.
    pub agreed: usize,
}
