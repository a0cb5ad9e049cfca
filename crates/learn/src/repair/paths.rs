//! Where the new rules found their values: the absolute path of each, as other learners write it.

use windrow_dom::NodeId;
use windrow_wrapper::{Extraction, Kind, Object, Rule, Wrapper};
use windrow_xpath::{Node, path_of};

/// Records that are looked at for one that has a value.
const RECORDS: usize = 40;

/// Writes the paths of the rules that have none; `old` are those that were there before.
pub(super) fn write(wrapper: &mut Wrapper, old: &Wrapper, extraction: &Extraction) {
    for (rule, old) in wrapper.rules.iter_mut().zip(&old.rules) {
        if rule.is_temporary() {
            // It makes no object of its own: what is below it is at the top.
            for (own, old) in rule.rules.iter_mut().zip(&old.rules) {
                let records = of_rule(extraction.objects(), own);
                below(own, old, &records, &[]);
            }
            continue;
        }
        let records: Vec<Object<'_>> = of_rule(extraction.objects(), rule);
        below(rule, old, &records, &[]);
    }
}

fn of_rule<'e>(objects: impl Iterator<Item = Object<'e>>, rule: &Rule) -> Vec<Object<'e>> {
    objects.filter(|object| object.label() == rule.shown()).take(RECORDS).collect()
}

fn below(rule: &mut Rule, old: &Rule, found: &[Object<'_>], above: &[NodeId]) {
    if rule.locator != old.locator {
        rule.path = found.first().and_then(|object| path(object, above, rule.kind == Kind::List)).map(Into::into);
    }
    for own in &mut rule.rules {
        let Some(before) = old.rules.iter().find(|before| before.name == own.name) else { continue };
        let inner = found.iter().find_map(|&object| {
            let found = of_rule(object.objects(), own);
            let node = object.node()?.id();
            (!found.is_empty()).then_some((found, node))
        });
        let (found, node) = inner.unzip();
        let above: Vec<NodeId> = node.into_iter().chain(above.iter().copied()).collect();
        below(own, before, &found.unwrap_or_default(), &above);
    }
}

/// The path of what an object is from, without the indexes of the records that it leads through.
fn path(object: &Object<'_>, above: &[NodeId], list: bool) -> Option<String> {
    let document = object.page().built()?;
    let node = object.node()?;
    let mut path = path_of(document, node);
    let own = list.then(|| node.id());
    for record in own.into_iter().chain(above.iter().copied()) {
        let prefix = path_of(document, Node::node(record));
        if path.starts_with(&prefix) && prefix.ends_with(']') {
            let at = prefix.rfind('[').unwrap_or(prefix.len());
            path.replace_range(at..prefix.len(), "");
        }
    }
    Some(path)
}
