//! Types and list names of a wrapper that was learned, from what it finds.
//!
//! [`assign`] runs a wrapper on the pages it was learned from and gives every field that is text the type that
//! [`infer`] chooses for all its values. A list that is called `records` for want of a name is called after what it
//! lists (`naming`).
//!
//! Cost: one run of the wrapper on each page.

use std::collections::BTreeMap;
use std::sync::Arc;

use windrow_dom::NodeId;
use windrow_wrapper::values::Type;
use windrow_wrapper::values::infer::infer;
use windrow_wrapper::{Extractor, Kind, Object, Page, Rule, Wrapper};

use crate::alignment::shape;
use crate::naming;
use crate::source::Source;

/// Returns whether a text is a single date, number or amount, and little else.
pub fn is_value(text: &str) -> bool {
    shape::is_value(text)
}

/// Sets the types of fields that are text so far, and names a list that has no name of its own. A wrapper that is wrong
/// stays as it is.
pub fn assign(wrapper: &mut Wrapper, pages: &[Arc<Page>]) {
    let Ok(extractor) = Extractor::new(wrapper) else { return };
    let extractions: Vec<_> = pages.iter().map(|page| extractor.extract(Arc::clone(page))).collect();
    let mut columns = Columns::default();
    extractions.iter().flat_map(|extraction| extraction.objects()).for_each(|object| columns.add(object, ""));
    let Some(first) = pages.first() else { return };
    for rule in &mut wrapper.rules {
        columns.set(rule, "", pages);
    }
    if let [list] = &mut wrapper.rules[..]
        && list.kind == Kind::List
        && &*list.name == naming::FALLBACK
    {
        let records = extractions.iter().find(|extraction| extraction.has_values());
        let nodes = |object: Object<'_>| object.node().map(windrow_xpath::Node::id);
        let nodes: Vec<NodeId> = records.into_iter().flat_map(|found| found.objects()).filter_map(nodes).collect();
        let page = records.map_or(first, |found| &found.pages()[0]);
        list.name = naming::list_name(&Source::from(&**page), &nodes).as_str().into();
    }
}

/// The texts of each field, by the labels on the way to it.
#[derive(Debug, Default)]
struct Columns {
    texts: BTreeMap<String, Vec<String>>,
}

impl Columns {
    fn add(&mut self, object: Object<'_>, above: &str) {
        let path = format!("{above}/{}", object.label());
        if object.is_set() {
            object.objects().for_each(|object| self.add(object, &path));
        } else if object.ty() == Type::String {
            self.texts.entry(path).or_default().push(object.text().into_owned());
        }
    }

    fn set(&self, rule: &mut Rule, above: &str, pages: &[Arc<Page>]) {
        let path = format!("{above}/{}", rule.shown());
        for inner in &mut rule.rules {
            self.set(inner, &path, pages);
        }
        if rule.rules.is_empty()
            && rule.ty == Type::String
            && let Some(texts) = self.texts.get(&path)
        {
            // Each page is read with its own hints, so the type must hold with all of them.
            let values = || texts.iter().map(String::as_str);
            let mut types = pages.iter().map(|page| infer(values(), Some(rule.shown()), page.hints()).ty);
            let ty = types.next().unwrap_or_default();
            rule.ty = if types.all(|other| other == ty) { ty } else { Type::String };
        }
    }
}
