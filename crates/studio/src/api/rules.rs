//! Rules as text: written, converted, changed in one place.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The formats of rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// The canonical format.
    #[default]
    Toml,
    /// The same model.
    Json,
    /// TSIMMIS's bracket commands.
    Tsimmis,
    /// The rule XML of WTM.
    Wtm,
    /// A list of XPaths.
    Xpath,
    /// The same with absolute paths, as in MERL's paper; can be written, not read.
    Absolute,
}

/// A wrapper file.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct RuleText {
    /// Its text.
    pub text: String,
    /// Its format.
    #[serde(default)]
    pub form: Form,
}

/// Rules to convert; to their own format lays them out.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct ConvertRequest {
    /// The rules.
    pub rules: RuleText,
    /// Target format.
    pub to: Form,
    /// A page that they are for: what the format cannot say of the tree is learned from what they find there.
    #[serde(default)]
    pub page: Option<u64>,
}

/// A change of one rule. The rest of the text stays as it is, comments too.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct EditRequest {
    /// The rules.
    pub rules: RuleText,
    /// The rule: names from the outermost on, parted by `.`
    pub rule: String,
    /// The change.
    pub edit: Edit,
}

/// A change of a rule.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Edit {
    /// Call it otherwise.
    Rename {
        /// The new name.
        name: String,
    },
    /// Give it another type.
    Type {
        /// `string`, `url`, `date`, `number`, `money` or `html`.
        #[serde(rename = "type")]
        ty: String,
    },
    /// Say whether a page may lack it.
    Optional {
        /// Whether.
        optional: bool,
    },
    /// Find it otherwise: by one of the alternatives, or by an expression of one's own.
    Locate {
        /// XPath or CSS.
        expression: String,
    },
    /// Leave it out.
    Remove,
}
