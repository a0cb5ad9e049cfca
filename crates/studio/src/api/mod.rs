//! The HTTP interface: requests, answers and errors, as JSON.
//!
//! These types are the studio's contract with its front end, the browser extension and whoever else asks; the OpenAPI
//! description is generated from them. They are converted by hand from the library's types, which are free to change.
//!
//! A node of a page is its number in the page's document; the view of a page carries it as the attribute `data-w` of
//! each element. A text has no attribute: it is told by its element and its number among that element's texts.

mod error;
mod learn;
mod more;
mod page;
mod rules;
mod table;

pub use error::{Failure, Label};
pub use learn::{DiscoverRequest, Discovered, Evidence, ExampleRequest, Field, FoundList, Learned, Mark, Not, Shown};
pub use more::{
    Alternative, Alternatives, AlternativesRequest, CaseRequest, DomainInfo, DomainRequest, ExportRequest, Exported,
    FeedRequest, ListChange, ManyRequest, ManyRow, RepairRequest, Repaired, RuleChange, SaveRequest, Saved,
    StoreRequest, Stored, StoredPage, StoredWrapper,
};
pub use page::{Attribute, Entry, OpenRequest, Opened, PageInfo, PlaceInfo, PlaceRequest, Spot, Start, Step};
pub use rules::{ConvertRequest, Edit, EditRequest, Form, RuleText};
pub use table::{Cell, Column, Problem, Row, RuleReport, RunRequest, RunResult, Table};
