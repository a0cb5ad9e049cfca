//! Pages: opened, looked at, pointed into.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Initial state of the studio: the pages and wrapper given at the start.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Start {
    /// The version of Windrow.
    pub version: String,
    /// Pages that were named on the command line, opened already.
    pub pages: Vec<PageInfo>,
    /// Failures of the pages that could not be opened.
    pub failures: Vec<super::Failure>,
    /// The wrapper that was named, if any.
    pub rules: Option<super::RuleText>,
    /// The wrapper's file, if it has one: where it is saved to unless another name is given.
    pub file: Option<String>,
    /// The domains that come along.
    pub domains: Vec<super::DomainInfo>,
    /// True if a browser for rendering pages is installed.
    pub can_render: bool,
}

/// A page to open.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum OpenRequest {
    /// From the web.
    Address {
        /// The address; `https://` may be left out.
        url: String,
        /// Let a browser run its scripts first.
        #[serde(default)]
        render: bool,
    },
    /// A file on this machine: a page, or an archive (WARC), of which all pages are listed unless `url` names one.
    File {
        /// Its path.
        path: String,
        /// The page of the archive; for a page, where it was found.
        #[serde(default)]
        url: Option<String>,
    },
    /// A page that the asker has: dropped on the studio, or sent by a browser extension.
    Text {
        /// Name of the page.
        name: String,
        /// Its source.
        html: String,
        /// Address at which it was found.
        #[serde(default)]
        url: Option<String>,
    },
}

/// Result of opening: a page or an archive.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Opened {
    /// A page.
    Page {
        /// It.
        page: PageInfo,
    },
    /// An archive: one of these can be opened.
    Archive {
        /// Its path.
        path: String,
        /// Its pages; of thousands the first ones.
        entries: Vec<Entry>,
        /// Number of further pages.
        more: usize,
    },
}

/// A page of an archive.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Entry {
    /// Its address.
    pub url: String,
    /// Media type given by the server.
    pub media_type: Option<String>,
    /// Its size.
    pub bytes: usize,
}

/// An open page.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PageInfo {
    /// Its number.
    pub id: u64,
    /// As it was given: an address or a file.
    pub name: String,
    /// Its address, if it has one.
    pub url: Option<String>,
    /// Title of the page.
    pub title: String,
    /// Bytes of its source.
    pub bytes: usize,
    /// Nodes of its tree.
    pub nodes: usize,
    /// Path of its view, for a sandboxed frame.
    pub view: String,
    /// Notes on problems with the page.
    pub notes: Vec<String>,
    /// The feeds that it names.
    pub feeds: Vec<String>,
}

/// A place on a page: an element, a text, an attribute, or a part of a text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
pub struct Spot {
    /// The element (`data-w`).
    pub node: usize,
    /// The number of the text among the element's texts, from 0, if it is a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<usize>,
    /// The attribute, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
    /// The part that is meant, as it reads, if it is not all of that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
}

/// Request for the description of a place.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct PlaceRequest {
    /// The place.
    pub spot: Spot,
}

/// Description of a place.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PlaceInfo {
    /// Its absolute XPath.
    pub path: String,
    /// The same, step by step from `html` on; each can be lit up, and picked as the record.
    pub steps: Vec<Step>,
    /// Its text as a person reads it.
    pub value: String,
    /// The attributes of its element.
    pub attributes: Vec<Attribute>,
    /// A name for a field there: what the page calls it, its class, or what it is.
    pub name: String,
}

/// A step of an absolute XPath.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Step {
    /// As it is written: `li[2]`.
    pub text: String,
    /// Its element.
    pub node: usize,
}

/// An attribute.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}
