//! Pages on which there is nothing to repair: the list is gone, or another stands in its place. A repair that gives a
//! wrapper here reads things that nobody asked for.

use super::slots::{MadeOf, Member, Slot};
use super::{State, Subject, hash, names, values};
use crate::generate::Rng;
use crate::redesign::tree::ROOT;

/// Texts that replace a list.
const NOTHING: [&str; 4] = [
    "No results found.",
    "Nothing matches your search.",
    "This section is being rebuilt.",
    "There are no entries yet.",
];

impl Subject {
    /// The page without its records, and a line in their place. None if records are cut by text alone.
    pub fn gone(&self, seed: u64) -> Option<String> {
        let (mut state, (parent, rank)) = self.emptied()?;
        let mut rng = Rng::new(hash(seed ^ self.source, "gone"));
        let note = state.tree.text(rng.pick(&NOTHING));
        let block = state.tree.element(holder(&state, parent), &[("class", "empty")]);
        state.tree.append(block, note);
        state.tree.insert(parent, rank, block);
        Some(state.tree.to_html())
    }

    /// The page with other records, in their own markup, where its own were. None if records are cut by text alone.
    pub fn other(&self, records: &str) -> Option<String> {
        let (mut state, (parent, rank)) = self.emptied()?;
        // The text cannot be mistaken for one of the page; it is taken out again below.
        let mark = "\u{E000}other\u{E000}";
        let text = state.tree.text(mark);
        let block = state.tree.element(holder(&state, parent), &[]);
        state.tree.append(block, text);
        state.tree.insert(parent, rank, block);
        Some(state.tree.to_html().replacen(mark, records, 1))
    }

    /// The page with other records of its own kind, as the next page of the list or another section has them; with other
    /// classes every other time. None if nothing tells its records from others, or if one of them stayed as it is.
    pub fn next(&self, seed: u64, words: &[String]) -> Option<String> {
        let mut rng = Rng::new(hash(seed ^ self.source, "next"));
        let mut state = self.state.clone();
        let told = |state: &State| -> Vec<Vec<String>> {
            let texts = |member: &Member| member.slots().iter().map(|&slot| state.slots[slot].text.clone()).collect();
            state.members.iter().map(texts).collect()
        };
        let before = told(&state);
        if !values::renew_records(&mut state, &mut rng, words) {
            return None;
        }
        if before.iter().zip(told(&state)).any(|(before, now)| *before == now) {
            return None;
        }
        if seed % 2 == 1 {
            names::rename(&mut state, &mut rng, words);
        }
        Some(state.tree.to_html())
    }

    /// The page without its records, a few of whose titles are links in a column of what is popular, with their own
    /// addresses every other time. None if records are cut by text alone, or have no titles.
    pub fn teasers(&self, seed: u64) -> Option<String> {
        let titles = self.titles()?;
        let (mut state, _) = self.emptied()?;
        let mut rng = Rng::new(hash(seed ^ self.source, "teasers"));
        let count = (3 + rng.below(3)).min(titles.len());
        let first = rng.below(titles.len() + 1 - count);
        let tree = &mut state.tree;
        let body = tree.order().into_iter().find(|&at| tree.is_any(at, &["body"]))?;
        let column = tree.element("div", &[("class", "sidebar popular")]);
        let heading = tree.element("h4", &[]);
        let list = tree.element("ul", &[]);
        let text = tree.text("Popular");
        tree.append(heading, text);
        tree.append(column, heading);
        tree.append(column, list);
        for (rank, (title, address)) in titles[first..first + count].iter().enumerate() {
            let entry = tree.element("li", &[]);
            let counted = format!("/popular/{}", rank + 1);
            let address = address.as_ref().filter(|_| seed % 2 == 1).unwrap_or(&counted);
            let link = tree.element("a", &[("href", address)]);
            let text = tree.text(title);
            tree.append(link, text);
            tree.append(entry, link);
            tree.append(list, entry);
        }
        let rank = if rng.once_in(2) { 0 } else { tree.items[body].children.len() };
        tree.insert(body, rank, column);
        Some(tree.to_html())
    }

    /// The HTML of its records, for another page's [`Subject::other`]; none if records are cut by text alone.
    pub fn records_html(&self) -> Option<String> {
        let mut html = String::new();
        for &unit in self.state.members.iter().flat_map(Member::units) {
            html.push_str(&self.state.tree.subtree_html(unit));
            html.push('\n');
        }
        (!html.is_empty()).then_some(html)
    }

    /// The texts of the field that says most, one for each record that has it, with the addresses they link to.
    fn titles(&self) -> Option<Vec<(String, Option<String>)>> {
        let mut fields: std::collections::BTreeMap<&str, (usize, Vec<&Slot>)> = Default::default();
        for slot in self.state.used().filter(|slot| !slot.is_volatile && !slot.is_constant) {
            if matches!(slot.made_of, MadeOf::Pieces { .. }) {
                let field = fields.entry(&slot.field).or_default();
                // A body says more than a title, but nobody links to it by all of its words.
                field.0 += slot.text.chars().count().min(80) * if self.is_title(slot) { 4 } else { 1 };
                field.1.push(slot);
            }
        }
        let short = |slots: &[&Slot]| slots.iter().all(|slot| slot.text.chars().count() < 300);
        let (_, slots) =
            fields.into_values().filter(|(_, slots)| slots.len() > 1 && short(slots)).max_by_key(|(sum, _)| *sum)?;
        let tree = &self.state.tree;
        let address = |slot: &Slot| {
            let link = self.around(slot).into_iter().find(|&at| tree.is_any(at, &["a"]))?;
            tree.attr(link, "href").map(str::to_owned)
        };
        Some(slots.into_iter().map(|slot| (slot.text.clone(), address(slot))).collect())
    }

    /// Reports whether it is a link or a heading, or inside one.
    fn is_title(&self, slot: &Slot) -> bool {
        let tree = &self.state.tree;
        self.around(slot).into_iter().any(|at| tree.is_any(at, &["a", "h1", "h2", "h3", "h4", "h5", "h6"]))
    }

    /// Returns the element of a value and the next ones around it.
    fn around(&self, slot: &Slot) -> Vec<usize> {
        let mut line: Vec<usize> = State::places(slot).into_iter().take(1).collect();
        while let Some(&at) = line.last().filter(|&&at| at != ROOT && line.len() < 4) {
            line.push(self.state.tree.items[at].parent);
        }
        line
    }

    /// The page without its records, and where they began: the parent and the rank in it.
    fn emptied(&self) -> Option<(State, (usize, usize))> {
        let mut state = self.state.clone();
        let first = *state.members.iter().flat_map(Member::units).next()?;
        let place = (state.tree.items[first].parent, state.tree.rank(first));
        for unit in state.members.iter().flat_map(|member| member.units().to_vec()).collect::<Vec<_>>() {
            state.tree.remove(unit);
        }
        Some((state, place))
    }
}

/// Returns the name of an element that may be a child of `parent`.
fn holder(state: &State, parent: usize) -> &'static str {
    match state.tree.name(parent) {
        Some("table" | "tbody" | "thead" | "tfoot") => "tr",
        Some("tr") => "td",
        Some("ul" | "ol") => "li",
        Some("dl") => "dd",
        _ => "div",
    }
}

/// A page that says that there is none at this address.
pub fn missing(site: &str) -> String {
    format!(
        "<!doctype html><html><head><title>404 Not Found</title></head><body><div id=\"page\"><h1>Page not found</h1>\
         <p>The page you asked for is not on {site} any more.</p><ul><li><a href=\"/\">Home</a></li><li><a \
         href=\"/search\">Search</a></li><li><a href=\"/help\">Help</a></li></ul></div></body></html>"
    )
}

/// A page that asks who is there.
pub fn login(site: &str) -> String {
    format!(
        "<!doctype html><html><head><title>Sign in</title></head><body><div class=\"login\"><h1>Sign in to {site}</h1>\
         <form action=\"/login\" method=\"post\"><p><label for=\"user\">Name</label> <input id=\"user\" name=\"user\"></p>\
         <p><label for=\"word\">Password</label> <input id=\"word\" name=\"word\" type=\"password\"></p><p><button>Sign \
         in</button></p></form><p><a href=\"/forgot\">Forgot your password?</a></p></div></body></html>"
    )
}

/// A page with nothing on it.
pub fn blank() -> String {
    "<!doctype html><html><head><title></title></head><body><div id=\"root\"></div></body></html>".to_owned()
}
