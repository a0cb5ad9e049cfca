//! Meta tags of the Open Graph and its relatives: one item for the page, its properties named as written.

use windrow_dom::{NodeId, names};

use super::graph::Graph;
use super::survey::filled;
use super::{Syntax, Value, vocabulary};

const SYNTAX: Syntax = Syntax::Meta;

/// Reads the page's meta tags into one item, whose type is what `og:type` says.
pub(super) fn read(graph: &mut Graph<'_>, metas: &[NodeId]) {
    let document = graph.document;
    let Some(&first) = metas.first() else { return };
    let Some(item) = graph.item(SYNTAX, document.parent(first).unwrap_or(first), true) else { return };
    for &meta in metas {
        let names = [names::PROPERTY, names::NAME].map(|attribute| filled(document, meta, attribute));
        let social = names.into_iter().flatten().find(|name| vocabulary::is_social(name));
        let (Some(name), Some(content)) = (social, filled(document, meta, names::CONTENT)) else { continue };
        let content = graph.collapsed(SYNTAX, content);
        if name.eq_ignore_ascii_case("og:type") {
            graph.add_type(item, &content);
        }
        graph.property(item, name, Value::Text(content), Some(meta));
    }
}
