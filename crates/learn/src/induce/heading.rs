//! The heading above a list: what a redesign changes last.
//!
//! A new design gives the items of a list other classes and puts other elements around them, but the heading still reads
//! `Ingredients`. The expression written here knows nothing else: it goes from a heading with these words to the first list
//! behind it, takes what is in the same block, as far as no other heading begins, and is written only if that is exactly the
//! list on the page that it is learned from. It stands behind the alternatives by name, so it changes nothing while they
//! work, and in front of those by position.
//!
//! Measured on the 63 lists of the open redesigns whose new page has a heading such as `Ingredients` or `Method`, whatever the
//! learned page had: 41 come out whole, 2 in part, 4 wrong, and 16 give nothing. Without the test that no other heading stands
//! between, 42, 4, 12 and 5.

use windrow_dom::NodeId;
use windrow_wrapper::{Find, Locator, Rule};
use windrow_xpath::{Expr, Node};

use super::path::quoted;
use crate::page_view::PageView;

/// Characters that a heading may have: longer ones are sentences of this page.
const LONGEST: usize = 32;
/// Elements in front of a list that are looked at for its heading.
const REACH: usize = 400;
/// Records that make a list.
const FEWEST: usize = 2;

/// Adds the alternative by the heading above a list to the locator of its records; returns whether there is one.
pub(crate) fn add(view: &PageView<'_>, nodes: &[NodeId], locator: &mut Locator) -> bool {
    let plain = locator.until.is_none() && locator.slice.is_none() && locator.then.is_none();
    // Paths one by one are no rule; behind them, a heading may lead to a few more than the records of this page.
    let most = if super::record::is_one_by_one(locator) { nodes.len() + nodes.len() / 4 } else { nodes.len() };
    let Some((more, exact)) = by_heading(view, nodes, most).filter(|_| plain) else { return false };
    let mut cases = match &locator.find {
        Find::Case(cases) => cases.clone(),
        _ => vec![locator.clone()],
    };
    // On another page the same position may be another list's, and a list may have more items.
    cases.retain(|case| !exact || !super::record::is_one_by_one(case));
    let at = cases.iter().position(|case| exact && counts_siblings(case)).unwrap_or(cases.len());
    if !cases.contains(&more) {
        cases.insert(at, more);
    }
    *locator = match cases.len() {
        1 => cases.remove(0),
        _ => Locator::new(Find::Case(cases)),
    };
    true
}

/// Adds the whole item as the last way to the value of a plain list, where both say the same in all its records.
pub(crate) fn or_whole(rule: &mut Rule) {
    let whole = Locator::xpath(".");
    let mut cases = match &rule.locator.find {
        Find::Case(cases) => cases.clone(),
        _ => vec![rule.locator.clone()],
    };
    if !cases.contains(&whole) && !cases.contains(&Locator::default()) {
        cases.push(whole);
        rule.locator = Locator::new(Find::Case(cases));
    }
}

/// Returns whether a locator goes by the number of an element among its siblings.
fn counts_siblings(locator: &Locator) -> bool {
    let Find::XPath(text) = &locator.find else { return false };
    text.as_bytes().windows(2).any(|pair| pair[0] == b'[' && pair[1].is_ascii_digit())
}

/// The locator of these items by the heading above them, and whether it finds nothing else; with the others at most `most`.
fn by_heading(view: &PageView<'_>, nodes: &[NodeId], most: usize) -> Option<(Locator, bool)> {
    let document = view.document;
    let &first = nodes.first().filter(|_| nodes.len() >= FEWEST)?;
    if nodes.iter().any(|&id| document.name(id) != Some("li")) {
        return None;
    }
    // Below the list's own heading, lower ones name groups of its items.
    let ranks: [(&[&str], &str, &str); 2] = [
        (&["h1", "h2", "h3"], "*[self::h1 or self::h2 or self::h3]", ".//h1 or .//h2 or .//h3"),
        (&["h4"], "*[self::h1 or self::h2 or self::h3 or self::h4]", ".//h1 or .//h2 or .//h3 or .//h4"),
    ];
    ranks.into_iter().find_map(|(names, heading, inside)| {
        let mut before = (0..first.index()).rev().take(REACH).map(NodeId::from_index);
        let above = before.find(|&id| document.name(id).is_some_and(|name| names.contains(&name)))?;
        let text = &*view.text(above);
        let short = text.chars().count() <= LONGEST && text.chars().any(char::is_alphabetic);
        if !short || text.contains(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let test = says(text)?;
        let expression = format!(
            "//{heading}[{test}]/following::*[self::ul or self::ol][1]\
             /ancestor-or-self::*[not({inside})][last()]//li[not(.//li)][preceding::{heading}[1][{test}]]"
        );
        let mut left = VISITS * document.len() as u64;
        let expr = Expr::xpath(&expression).ok()?;
        let found = expr.evaluate_within(document, Node::node(document.root()), &mut left).ok()?;
        let found: Vec<NodeId> = found.as_nodes()?.iter().map(|node| node.id()).collect();
        let within = found.len() <= most && nodes.iter().all(|node| found.binary_search(node).is_ok());
        within.then(|| (Locator::xpath(expression), found == nodes))
    })
}

/// Nodes that the expression may visit, for each node of the page.
const VISITS: u64 = 64;

/// The XPath test that the text of a node is this one, whether in capitals or not, with a colon or without.
pub(crate) fn says(text: &str) -> Option<String> {
    let plain: String = text.chars().filter(|&c| c != ':').map(|c| if c == '-' { ' ' } else { c }).collect();
    let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ").to_ascii_lowercase();
    let literal = quoted(&plain).filter(|_| !plain.is_empty())?;
    Some(format!(
        "normalize-space(translate(., 'ABCDEFGHIJKLMNOPQRSTUVWXYZ-\u{A0}:', 'abcdefghijklmnopqrstuvwxyz  '))={literal}"
    ))
}

#[cfg(test)]
mod tests {
    use windrow_dom::Document;
    use windrow_wrapper::Locator;
    use windrow_xpath::Expr;

    use super::{add, says};
    use crate::page_view::PageView;
    use crate::page_view::Unseen;

    const OLD: &str =
        "<h1>Soup</h1><h2>Ingredients</h2><ul><li>Eel<li>Barley</ul><h2>Method</h2><ol><li>Cut<li>Cook</ol>";

    fn learned(html: &str, items: &str) -> Option<String> {
        let document = Document::parse(html);
        let nodes = Expr::css(items).unwrap().select(&document, document.root()).unwrap();
        let nodes: Vec<_> = nodes.into_iter().map(|node| node.id()).collect();
        let mut locator = Locator::css(items);
        add(&PageView::new(&document, Unseen::LeftOut), &nodes, &mut locator);
        match locator.find {
            windrow_wrapper::Find::Case(cases) => match &cases[1].find {
                windrow_wrapper::Find::XPath(text) => Some(text.to_string()),
                _ => None,
            },
            _ => None,
        }
    }

    fn found(html: &str, expression: &str) -> Vec<String> {
        let document = Document::parse(html);
        let nodes = Expr::xpath(expression).unwrap().select(&document, document.root()).unwrap();
        nodes.into_iter().map(|node| document.visible_text(node.id()).trim().to_owned()).collect()
    }

    #[test]
    fn finds_the_list_in_a_new_design() {
        let expression = learned(OLD, "ul > li").unwrap();
        let new = "<nav><ul><li>Home</ul></nav><h1>Soup</h1><section><h3>INGREDIENTS:</h3><div><h4>Broth</h4><ul><li>Eel</ul>\
                   <h4>Rest</h4><ul><li>Barley<li>Salt</ul></div></section><section><h3>Method</h3><ol><li>Cut</ol></section>";
        assert_eq!(found(new, &expression), ["Eel", "Barley", "Salt"]);
        // No list under this heading: nothing, and not the next list.
        assert!(found("<h2>Ingredients</h2><p>Eel</p><h2>Method</h2><ol><li>Cut<li>Cook</ol>", &expression).is_empty());
    }

    #[test]
    fn stands_in_front_of_positions() {
        let document = Document::parse(OLD);
        let nodes = Expr::css("ul > li").unwrap().select(&document, document.root()).unwrap();
        let nodes: Vec<_> = nodes.into_iter().map(|node| node.id()).collect();
        let found = |path: &str| {
            let mut locator = Locator::xpath(path);
            add(&PageView::new(&document, Unseen::LeftOut), &nodes, &mut locator);
            locator.find
        };
        let windrow_wrapper::Find::Case(cases) = found("/html[1]/body[1]/ul[1]/li") else { panic!("one alternative") };
        assert_eq!(cases[1], Locator::xpath("/html[1]/body[1]/ul[1]/li"));
        // What names each item is no rule at all.
        assert_eq!(found("/html[1]/ul[1]/li[1] | /html[1]/ul[1]/li[2]"), cases[0].find);
    }

    #[test]
    fn writes_nothing_that_finds_more() {
        assert_eq!(learned(OLD, "ul > li:first-child"), None);
        assert_eq!(learned("<p>Ingredients</p><ul><li>Eel<li>Barley</ul>", "li"), None);
    }

    #[test]
    fn tests_for_the_same_words() {
        let test = says("Prep-Time:").unwrap();
        for html in ["<b>prep time</b>", "<b> PREP TIME :</b>", "<b>Prep Time&nbsp;</b>"] {
            assert_eq!(found(html, &format!("//b[{test}]")).len(), 1, "{html}");
        }
        assert!(found("<b>Prep Time 10</b>", &format!("//b[{test}]")).is_empty());
    }
}
