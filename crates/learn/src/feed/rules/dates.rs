//! Dates that are not all in their entry: in a heading for several, or without a year, which stands elsewhere.

use windrow_dom::NodeId;
use windrow_wrapper::Locator;
use windrow_wrapper::values::date;
use windrow_xpath::Expr;

use super::Template;
use crate::feed::How;
use crate::feed::sheet::{Sheet, day_of};
use crate::induce::path::{class_test, named_step, quoted};
use crate::scope::Scope;

impl Template<'_, '_> {
    /// The locator of dates that have no year, with one from the entry's address or from a heading in front of it.
    pub(super) fn with_year(&self, entries: &[usize]) -> Option<Locator> {
        let sheet = self.seen.first()?.sheet;
        let document = sheet.document;
        let place = |at: usize| self.found[2][at].as_ref().filter(|found| found.how == How::Yearless)?.places.first();
        let day = |at: usize| self.seen[at].wanted.and_then(|wanted| day_of(wanted.date?));
        let known: Vec<usize> =
            entries.iter().copied().filter(|&at| place(at).is_some() && day(at).is_some()).collect();
        let &model = known.first()?;
        let node = place(model)?.node;
        let own = format!(".//{}", named_step(document, node));
        let mut years: Vec<String> = Vec::new();
        let year = day(model)?.0.to_string();
        if let Some(link) = self.found[1][model].as_ref().and_then(|link| link.places.first())
            && let Some(href) = document.attr(link.node, "href")
            && let Some(at) = href.find(&format!("/{year}"))
        {
            let own = format!(".//{}/@href", named_step(document, link.node));
            let behind = |prefix: String| format!("substring(substring-after({own}, {prefix}), 1, 4)");
            years.extend(quoted(&href[..at + 1]).map(behind));
        }
        // A heading in front that names the year.
        let before = sheet.shorts.iter().rev().filter(|short| short.node < self.seen[model].entry.scope.record.first);
        for short in before.filter(|short| sheet.reading.of(short.node).contains(&year)).take(3) {
            let test = named_step(document, short.node);
            years.extend([format!("preceding-sibling::{test}[1]"), format!("preceding::{test}[1]")]);
        }
        let right = |expression: &String| {
            let Ok(expr) = Expr::xpath(expression) else { return 0 };
            let gives = |&&at: &&usize| {
                let value = expr.evaluate(document, self.seen[at].entry.scope.record.first).ok();
                let text = value.map(|value| value.to_text(document).into_owned()).unwrap_or_default();
                date::parse(&text, &sheet.hints).and_then(day_of) == day(at)
            };
            known.iter().filter(gives).count()
        };
        let tries = years.iter().map(|year| format!("concat({own}, ' ', {year})"));
        let best = tries.map(|expression| (right(&expression), expression)).max_by_key(|best| best.0)?;
        (best.0 * 5 >= known.len() * 4).then(|| Locator::xpath(best.1))
    }
}

/// The locator of something in front of the entries, one for several of them.
pub(super) fn above(sheet: &Sheet<'_>, scopes: &[Scope], nodes: &[Option<NodeId>]) -> Option<Locator> {
    let document = sheet.document;
    // A heading may have a name where what is in it has none.
    let around = |node: NodeId| {
        let own = sheet.reading.range(node);
        let mut lineage = std::iter::once(node).chain(document.ancestors(node)).take(3);
        let named = lineage.find(|&id| !sheet.outline.words_of(id).is_empty() && sheet.reading.range(id) == own);
        named.unwrap_or(node)
    };
    let nodes: Vec<Option<NodeId>> = nodes.iter().map(|node| node.map(around)).collect();
    let at = nodes.iter().position(Option::is_some)?;
    let (node, record) = (nodes[at]?, scopes[at].record.first);
    let tag = document.name(node)?;
    let words = sheet.outline.words_of(node);
    let named = words.iter().take(2).map(|word| format!("*[{}]", class_test(word)));
    let tests: Vec<String> = named.chain([tag.to_owned()]).collect();
    let mut tries: Vec<String> = Vec::new();
    let sibling = document.parent(node) == document.parent(record);
    for test in &tests {
        if sibling {
            tries.push(format!("preceding-sibling::{test}[1]"));
        }
        tries.push(format!("preceding::{test}[1]"));
    }
    let right = |text: &String| {
        let Ok(expr) = Expr::xpath(text) else { return 0 };
        let gives = |scope: &Scope, wanted: Option<NodeId>| {
            let found = expr.select(document, scope.record.first).unwrap_or_default();
            wanted.is_some() && found.first().map(|node| node.id()) == wanted
        };
        scopes.iter().zip(&nodes).filter(|(scope, wanted)| gives(scope, **wanted)).count()
    };
    let best = tries.into_iter().map(|text| (right(&text), text));
    let best = best.reduce(|best, other| if other.0 > best.0 { other } else { best })?;
    (best.0 > 0).then(|| Locator::xpath(best.1))
}
