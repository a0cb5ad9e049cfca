//! What is in a body, but is the template's: share bars, links that lead on.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use windrow_dom::{Document, NodeId, names};

use super::Body;
use super::known::Known;

/// Kinds of noise in a body.
const KINDS: usize = 6;
/// Words of a link that leads on to the whole entry.
const LEADING: usize = 20;
/// Elements of a body that are looked at for noise.
const INSIDE: usize = 2000;

/// Selectors of elements in the bodies that are the template's: they say the same everywhere, or nothing that the feed
/// has, and are named alike in several entries.
pub(super) fn noise(known: &[Option<Known<'_, '_, '_>>], bodies: &[Option<Body>], whole: bool) -> Vec<String> {
    // By selector: cases in which all such elements are noise, and those in which one is not.
    let mut votes: HashMap<String, (u32, u32, bool), FixedState> = HashMap::default();
    for (known, body) in known.iter().zip(bodies) {
        let (Some(known), Some(body)) = (known, body) else { continue };
        let document = known.case.sheet.document;
        let (first, end) = match *body {
            Body::Element(id) => (NodeId::from_index(id.index() + 1), document.subtree_end(id)),
            Body::Run { first, end } => (first, end),
        };
        let mut own: HashMap<String, (bool, bool), FixedState> = HashMap::default();
        let mut inside: NodeId = first;
        let nodes = (first.index()..end.index()).map(NodeId::from_index).filter(|&id| document.is_element(id));
        for id in nodes.take(INSIDE) {
            let words = known.case.sheet.words_at(id);
            if words.is_empty() {
                continue;
            }
            let foreign = whole
                && known.common > 0
                && known.common(&words) * 4 < words.len()
                && known.case.sheet.reading.of(id).contains(char::is_alphabetic);
            // A link to the entry's own page leads on from where it breaks off.
            let own_page = known.leads_on(id);
            // Where the body begins is no noise: a card is a link as a whole.
            let begins = known.case.start.is_some_and(|start| words.contains(&start));
            let own_page = own_page && !begins;
            let is_noise = !begins && (known.count(&known.likely, &words) == words.len() || foreign || own_page);
            // What is in noise is told by it.
            if is_noise && id < inside {
                continue;
            }
            if is_noise {
                inside = document.subtree_end(id);
            }
            for selector in selectors(document, id) {
                let all = own.entry(selector).or_insert((true, false));
                all.0 &= is_noise;
                all.1 |= own_page;
            }
        }
        for (selector, all) in own {
            let vote = votes.entry(selector).or_default();
            match all {
                (true, own_page) => {
                    vote.0 += 1;
                    vote.2 |= own_page;
                }
                // Of an older entry nothing says that it is the author's.
                (false, _) => vote.1 += u32::from(known.case.wanted.is_some()),
            }
        }
    }
    let cases = bodies.iter().flatten().count() as u32;
    let mut found: Vec<(u32, String)> = votes
        .into_iter()
        .filter(|(_, (noise, body, sure))| *body == 0 && (*noise >= 2 && noise * 3 >= cases || *sure))
        .map(|(selector, (noise, ..))| (noise, selector))
        .collect();
    found.sort_by(|one, two| {
        two.0.cmp(&one.0).then_with(|| one.1.len().cmp(&two.1.len())).then_with(|| one.1.cmp(&two.1))
    });
    found.truncate(KINDS);
    found.into_iter().map(|(_, selector)| selector).collect()
}

impl Known<'_, '_, '_> {
    /// Whether what an element says is a link to the entry's own page, and little else.
    fn leads_on(&self, id: NodeId) -> bool {
        let sheet = self.case.sheet;
        let Some(wanted) = self.case.wanted else { return false };
        let words = sheet.words_at(id);
        let links = || std::iter::once(id).chain(sheet.document.descendants(id)).take(4);
        let link = links().find(|&id| sheet.document.name_id(id) == Some(names::A));
        words.len() <= LEADING
            && link.is_some_and(|link| {
                sheet.words_at(link) == words
                    && wanted.addresses.iter().any(|address| sheet.links_to(address).contains(&link))
            })
    }
}

/// Selectors of an element by its names.
fn selectors(document: &Document, id: NodeId) -> Vec<String> {
    let plain = |word: &&str| {
        word.starts_with(|c: char| c.is_ascii_alphabetic())
            && word.chars().all(|c| c.is_ascii_alphabetic() || c == '-' || c == '_')
    };
    let class = document.attr_by_id(id, names::CLASS).unwrap_or_default();
    let mut all: Vec<String> = class.split_ascii_whitespace().filter(plain).map(|word| format!(".{word}")).collect();
    all.extend(document.attr(id, "id").filter(|id| plain(id)).map(|id| format!("#{id}")));
    let jump = document
        .attr(id, "href")
        .and_then(|href| Some(href.split_once('#')?.1))
        .filter(|jump| jump.starts_with("more"));
    all.extend(jump.map(|_| "a[href*='#more']".to_owned()));
    all
}
