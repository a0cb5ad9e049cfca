//! The environment of an evaluation: variables, namespace prefixes, and the budget.

use std::collections::BTreeMap;

use windrow_dom::Namespace;

use crate::value::Value;

/// Variables, namespace prefixes and the budget of an evaluation.
#[derive(Debug, Clone, PartialEq)]
pub struct Environment {
    variables: BTreeMap<String, Value>,
    /// Additional prefixes; `None` for a namespace that does not occur in HTML documents.
    prefixes: BTreeMap<String, Option<Namespace>>,
    budget: u64,
}

impl Environment {
    /// Default number of nodes that an evaluation may visit: about a second's work. An ordinary expression visits
    /// each node of the page a few times; the largest page of our corpus has some 60,000.
    pub const DEFAULT_BUDGET: u64 = 100_000_000;

    /// Creates an environment without variables, with the default prefixes and the default budget.
    pub const fn new() -> Environment {
        Environment { variables: BTreeMap::new(), prefixes: BTreeMap::new(), budget: Self::DEFAULT_BUDGET }
    }

    /// Sets the value of `$name`.
    pub fn with_variable(mut self, name: impl Into<String>, value: impl Into<Value>) -> Environment {
        let value = match value.into() {
            // A caller may build the variant directly, in any order; node-sets here are sorted.
            Value::Nodes(nodes) => Value::from(nodes),
            value => value,
        };
        self.variables.insert(name.into(), value);
        self
    }

    /// Declares a namespace prefix. `html`, `xhtml`, `svg`, `math`, `xlink` and `xml` are predeclared.
    pub fn with_prefix(mut self, prefix: impl Into<String>, uri: &str) -> Environment {
        const KNOWN: [Namespace; 6] =
            [Namespace::Html, Namespace::Svg, Namespace::MathMl, Namespace::XLink, Namespace::Xml, Namespace::XmlNs];
        let namespace = KNOWN.into_iter().find(|namespace| namespace.uri() == uri);
        self.prefixes.insert(prefix.into(), namespace);
        self
    }

    /// Sets the number of nodes that an evaluation may visit. Eight bytes of a constructed string count as one node.
    pub fn with_budget(mut self, nodes: u64) -> Environment {
        self.budget = nodes;
        self
    }

    /// Returns the number of nodes that an evaluation may visit.
    pub fn budget(&self) -> u64 {
        self.budget
    }

    /// Returns the value of `$name`.
    pub fn variable(&self, name: &str) -> Option<&Value> {
        self.variables.get(name)
    }

    /// Returns the namespace of a prefix: `None` if it is not declared, `Some(None)` if it does not occur in HTML
    /// documents.
    pub(crate) fn namespace(&self, prefix: &str) -> Option<Option<Namespace>> {
        if let Some(namespace) = self.prefixes.get(prefix) {
            return Some(*namespace);
        }
        match prefix {
            "html" | "xhtml" => Some(Some(Namespace::Html)),
            "svg" => Some(Some(Namespace::Svg)),
            "math" => Some(Some(Namespace::MathMl)),
            "xlink" => Some(Some(Namespace::XLink)),
            "xml" => Some(Some(Namespace::Xml)),
            _ => None,
        }
    }
}

impl Default for Environment {
    fn default() -> Environment {
        Environment::new()
    }
}
