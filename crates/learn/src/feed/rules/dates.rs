//! Dates that are not all in their entry: in a heading for several, or without a year, which stands elsewhere.

use std::ops::Range;

use windrow_dom::NodeId;
use windrow_wrapper::Locator;
use windrow_wrapper::values::date;
use windrow_xpath::Expr;

use super::Template;
use crate::feed::sheet::{Sheet, day_of};
use crate::feed::{How, PageKind};
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
        let shown = place(model)?;
        let own = format!(".//{}", named_step(document, shown.node));
        // The whole text may be read as it is; what stands beside the date may be in the way.
        let cut = cut_out(&own, sheet.reading.of(shown.node), shown.part.as_ref());
        let owns: Vec<String> = std::iter::once(own).chain(cut).collect();
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
        let tries = owns.iter().flat_map(|own| years.iter().map(move |year| format!("concat({own}, ' ', {year})")));
        let best = tries.map(|expression| (right(&expression), expression));
        let best = best.reduce(|best, other| if other.0 > best.0 { other } else { best })?;
        (best.0 * 5 >= known.len() * 4).then(|| Locator::xpath(best.1))
    }
}

impl Template<'_, '_> {
    /// The locator of dates of digits in which day and month stand in the other order than the page's language has them:
    /// it writes them as ISO 8601 does, so that they are read as the feed reads them.
    pub(super) fn reordered(&self, entries: &[usize]) -> Option<Locator> {
        let day = |at: usize| self.seen[at].wanted.and_then(|wanted| day_of(wanted.date?));
        let place = |at: usize| self.found[2][at].as_ref().and_then(|found| found.places.first());
        let known: Vec<usize> =
            entries.iter().copied().filter(|&at| place(at).is_some() && day(at).is_some()).collect();
        let &model = known.first()?;
        let (sheet, shown) = (self.seen[model].sheet, place(model)?);
        let text = sheet.reading.of(shown.node);
        // A text with a label around its date is read as a whole; its digits are a part of it.
        let part = sheet.dates_at(shown.node).iter().find_map(|dated| dated.bytes.clone()).or(shown.part.clone());
        let own = match self.kind {
            PageKind::Entry => format!("//{}", named_step(sheet.document, shown.node)),
            _ => format!(".//{}", named_step(sheet.document, shown.node)),
        };
        let digits = part.clone().map_or(text, |part| text.get(part).unwrap_or_default());
        let sign = digits.trim().chars().find(|c| !c.is_ascii_digit())?;
        let long = digits.trim().rsplit(sign).next().is_some_and(|year| {
            year.starts_with(|c: char| c.is_ascii_digit()) && year.chars().take_while(char::is_ascii_digit).count() == 4
        });
        let own = cut_out(&own, text, part.as_ref())?;
        let sign = quoted(&sign.to_string())?;
        let rest = format!("substring-after({own}, {sign})");
        let (first, second) = (format!("substring-before({own}, {sign})"), format!("substring-before({rest}, {sign})"));
        let year = match long {
            true => format!("substring(substring-after({rest}, {sign}), 1, 4)"),
            false => format!("'20', substring(substring-after({rest}, {sign}), 1, 2)"),
        };
        let right = |expression: &String| {
            let Ok(expr) = Expr::xpath(expression) else { return 0 };
            let gives = |&&at: &&usize| {
                let (sheet, scope) = (self.seen[at].sheet, self.seen[at].entry.scope);
                let value = expr.evaluate(sheet.document, scope.record.first).ok();
                let text = value.map(|value| value.to_text(sheet.document).into_owned()).unwrap_or_default();
                date::parse(&text, &sheet.hints).and_then(day_of) == day(at)
            };
            known.iter().filter(gives).count()
        };
        let orders = [(&second, &first), (&first, &second)];
        let tries = orders.map(|(month, day)| format!("concat({year}, '-', {month}, '-', {day})"));
        let best = tries.into_iter().map(|expression| (right(&expression), expression)).max_by_key(|best| best.0)?;
        let locator = Locator { matches: Some(ISO_DAY.into()), ..Locator::xpath(best.1) };
        (best.0 * 5 >= known.len() * 4).then_some(locator)
    }
}

/// A day as [`Template::reordered`] writes it. A record without a date gives no digits.
const ISO_DAY: &str = r"^\d{4}-\d{1,2}-\d{1,2}$";

/// The part of a text that an XPath selects, as an XPath: between the word in front of it and the one behind it.
fn cut_out(own: &str, text: &str, part: Option<&Range<usize>>) -> Option<String> {
    let mut cut = format!("normalize-space({own})");
    let Some(part) = part else { return Some(cut) };
    let before = text.get(..part.start)?.split_whitespace().next_back();
    let behind = text.get(part.end..)?.split_whitespace().next();
    if let Some(before) = before {
        cut = format!("normalize-space(substring-after({cut}, {}))", quoted(before)?);
    }
    if let Some(behind) = behind {
        let apart = text[part.end..].starts_with(char::is_whitespace);
        let behind = if apart { format!(" {behind}") } else { behind.to_owned() };
        cut = format!("normalize-space(substring-before({cut}, {}))", quoted(&behind)?);
    }
    Some(cut)
}

/// The locator of a text among the siblings of a run that has no name, by the word that it begins with in all of them.
pub(super) fn by_first_word(sheet: &Sheet<'_>, scopes: &[Scope], nodes: &[Option<NodeId>]) -> Option<Locator> {
    let document = sheet.document;
    let first = nodes.iter().flatten().next()?;
    let word = |node: NodeId| sheet.reading.of(node).split_whitespace().next();
    let common = word(*first).filter(|word| word.chars().all(char::is_alphabetic))?;
    if !nodes.iter().flatten().all(|&node| word(node) == Some(common)) {
        return None;
    }
    let holder = if document.is_element(*first) { *first } else { document.parent(*first)? };
    let text = format!(
        "following-sibling::{}[starts-with(normalize-space(), {})][1]",
        named_step(document, holder),
        quoted(&format!("{common} "))?
    );
    let expr = Expr::xpath(&text).ok()?;
    let right = |(scope, node): &(&Scope, &Option<NodeId>)| {
        let found = expr.select(document, scope.record.first).unwrap_or_default();
        let found = found.first().map(|found| found.id());
        node.is_some_and(|node| found.is_some_and(|found| found == node || document.parent(node) == Some(found)))
    };
    let known = nodes.iter().flatten().count();
    (scopes.iter().zip(nodes).filter(right).count() == known).then(|| Locator::xpath(text))
}

/// The locator of something in front of the entries, one for several of them.
pub(super) fn above(sheet: &Sheet<'_>, scopes: &[Scope], nodes: &[Option<NodeId>]) -> Option<Locator> {
    let document = sheet.document;
    // A heading may have a name where what is in it has none.
    let around = |node: NodeId| {
        let own = sheet.reading.range(node);
        let mut lineage = std::iter::once(node).chain(document.ancestors(node)).take(3);
        let named = lineage.find(|&id| !sheet.view.words_of(id).is_empty() && sheet.reading.range(id) == own);
        named.unwrap_or(node)
    };
    let nodes: Vec<Option<NodeId>> = nodes.iter().map(|node| node.map(around)).collect();
    let at = nodes.iter().position(Option::is_some)?;
    let (node, record) = (nodes[at]?, scopes[at].record.first);
    let tag = document.name(node)?;
    let words = sheet.view.words_of(node);
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
