//! Index pages: which places are the entries' titles, and where each entry begins and ends.
//!
//! An item may be on a page at several places: in the list of entries, among the recent ones in a side bar, in the
//! archive. The places that stand alike (by tags and classes from the root) belong together; the group that has most
//! items, with their bodies behind them, is the list of entries. Others that stand alike, but are no item's, are older
//! entries. A record is the highest element around one title alone; where the body is not in it, the record is a run of
//! siblings from there to the next.

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use windrow_dom::{NodeId, names};

use super::How;
use super::matcher::Wanted;
use super::sheet::Sheet;
use super::words;
use crate::page_view::{is_heading, share_class};
use crate::scope::{Cut, Record, Scope};

/// Items that are looked for on one page.
pub(super) const ITEMS: usize = 200;
/// Places of one item that are looked at: what is at more of them names nothing.
const PLACES: usize = 64;
/// Heights of a record above its title.
const HEIGHTS: usize = 24;

/// What must speak for places to be the entries' titles.
const LEAST: f32 = 1.9;
/// How much of its words a link must have in common with a title to be it.
const SIMILAR: f32 = 0.5;
/// Of so many items the body of one at least must be on the page for records to be cut by where bodies are.
const RUNS: usize = 4;
/// Items that a list must have for what stands beside it to be its lead stories.
const LIST: usize = 3;
/// Lead stories of a page.
const LEADS: usize = 4;
/// Words that a lead story has beside its title.
const MORE: usize = 3;
/// Words of a long entry.
const LONG: usize = 60;

/// The entries of an index page.
pub(super) struct Entries {
    pub(super) cut: Cut,
    /// In order of the page.
    pub(super) entries: Vec<Entry>,
}

/// An entry of an index page, or of its own page.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    /// Its item, if it is one's.
    pub(super) item: Option<usize>,
    pub(super) scope: Scope,
    /// Its title, or the link to it.
    pub(super) head: NodeId,
    /// How its title was known; none if it was not.
    pub(super) titled: Option<How>,
    /// The word that its body begins with, if that was found.
    pub(super) start: Option<usize>,
}

/// A place that may be an item's title or link.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    item: usize,
    node: NodeId,
    titled: Option<How>,
    linked: bool,
}

/// The entries of a page, if at least one item is on it.
pub(super) fn entries(sheet: &Sheet<'_>, wanted: &[Wanted]) -> Option<Entries> {
    let document = sheet.document;
    let mut groups: HashMap<u64, Vec<Candidate>, FixedState> = HashMap::default();
    let mut starts: Vec<Vec<usize>> = Vec::with_capacity(wanted.len());
    let mut seen: HashSet<(usize, NodeId), FixedState> = HashSet::default();
    for (item, wanted) in wanted.iter().enumerate().take(ITEMS) {
        let links = wanted.links(sheet);
        let mut add = |node: NodeId, titled: Option<How>, linked: bool| {
            if seen.insert((item, node)) {
                let candidate = Candidate { item, node, titled, linked };
                groups.entry(sheet.view.path(node)).or_default().push(candidate);
            }
        };
        for (node, how) in wanted.titles(sheet).into_iter().take(PLACES) {
            let linked = std::iter::once(node)
                .chain(document.ancestors(node))
                .take(3)
                .chain(document.children(node).take(2))
                .any(|id| links.binary_search(&id).is_ok());
            add(node, Some(how), linked);
        }
        for &link in links.iter().take(PLACES) {
            let inner = innermost(sheet, link);
            let own = sheet.words[sheet.words_at(inner)].iter().map(|word| word.hash);
            // A page may call an entry by another name than the feed does, but by much of it.
            let similar = words::similarity(own.collect(), &wanted.title) >= SIMILAR;
            add(inner, similar.then_some(How::Other), true);
        }
        starts.push(wanted.starts(sheet));
    }
    let mut best: Option<(f32, u64)> = None;
    for (&key, group) in &groups {
        let worth = worth(sheet, group, &starts);
        // The same page gives the same group, whatever the order of the table is.
        if best.is_none_or(|best| (worth, key) > best) {
            best = Some((worth, key));
        }
    }
    // A link somewhere on the page is not an entry.
    let (_, key) = best.filter(|best| best.0 >= LEAST)?;
    // What stands like them is an entry, too, though a class on the way is another: entries are marked by what they are
    // about.
    let model = groups.get(&key)?.first()?.node;
    let like = |node: NodeId| alike(sheet, node, model);
    let group: Vec<Candidate> = groups.into_values().flatten().filter(|candidate| like(candidate.node)).collect();
    let mut known: HashMap<NodeId, &Candidate, FixedState> = HashMap::default();
    for candidate in &group {
        let best = known.entry(candidate.node).or_insert(candidate);
        if better(candidate, best) {
            *best = candidate;
        }
    }
    let mut nodes: Vec<NodeId> = sheet.shorts.iter().map(|short| short.node).filter(|&node| like(node)).collect();
    nodes.extend(known.keys());
    nodes.sort_unstable();
    nodes.dedup();
    let mut heads: Vec<(NodeId, Option<&Candidate>)> =
        nodes.iter().map(|node| (*node, known.get(node).copied())).collect();
    // One item has one entry, and one entry one link to its page: of several, the title is its head.
    let titled = |head: &(NodeId, Option<&Candidate>)| {
        head.1.is_some_and(|candidate| matches!(candidate.titled, Some(How::Same | How::Alike)))
    };
    let mut order: Vec<usize> = (0..heads.len()).collect();
    order.sort_by_key(|&at| !titled(&heads[at]));
    let (mut used, mut links) = (HashSet::<usize, FixedState>::default(), HashSet::<&str, FixedState>::default());
    let mut keep = vec![true; heads.len()];
    for at in order {
        let link = std::iter::once(heads[at].0).chain(document.ancestors(heads[at].0)).take(3);
        let href = link.into_iter().find_map(|id| document.attr(id, "href"));
        let again = heads[at].1.is_some_and(|candidate| !used.insert(candidate.item));
        keep[at] = !(href.is_some_and(|href| !links.insert(href)) || again);
    }
    let mut kept = keep.iter();
    heads.retain(|_| kept.next().is_none_or(|keep| *keep));
    let nodes: Vec<NodeId> = heads.iter().map(|head| head.0).collect();
    let mut entries = records(sheet, &nodes, &heads, &starts)?;
    let used: HashSet<usize, FixedState> = heads.iter().filter_map(|head| Some(head.1?.item)).collect();
    for (entry, (_, candidate)) in entries.entries.iter_mut().zip(&heads) {
        if let Some(candidate) = candidate {
            entry.item = Some(candidate.item);
            entry.titled = candidate.titled;
            let words = sheet.words_in(entry.scope.record.first, entry.scope.record.end);
            let title = sheet.words_at(entry.head);
            let inside = |start: &&usize| words.contains(*start) && !title.contains(*start);
            entry.start = starts[candidate.item].iter().find(inside).copied();
        }
    }
    add_untitled(sheet, &mut entries, wanted, &starts, &used);
    Some(entries)
}

/// Adds what stands among the entries and is named as they are, but has no title, or has it elsewhere: entries that have
/// none, and one that is shown in front of the others.
fn add_untitled(
    sheet: &Sheet<'_>,
    entries: &mut Entries,
    wanted: &[Wanted],
    starts: &[Vec<usize>],
    used: &HashSet<usize, FixedState>,
) {
    let document = sheet.document;
    if entries.cut != Cut::Nodes || entries.entries.is_empty() {
        return;
    }
    let records: Vec<NodeId> = entries.entries.iter().map(|entry| entry.scope.record.first).collect();
    let words = |id: NodeId| document.attr_by_id(id, names::CLASS).unwrap_or_default().split_ascii_whitespace();
    // Entries with a title may share a class that those without have not (`post text` and `post quote`): what they all are
    // called is what siblings share, too, in which the feed knows an entry.
    let siblings = known_siblings(sheet, &records, wanted, starts, used);
    let all = || records.iter().chain(&siblings);
    let common: Vec<&str> =
        words(records[0]).filter(|word| all().all(|&other| words(other).any(|has| has == *word))).collect();
    if common.is_empty() {
        return;
    }
    let mut parents: Vec<NodeId> = records.iter().filter_map(|&record| document.parent(record)).collect();
    parents.sort_unstable();
    parents.dedup();
    // They are siblings of the entries, or stand in a parent of their own that stands like those of the entries: each day
    // has a box.
    let stands = |id: NodeId| {
        document.parent(id).is_some_and(|parent| {
            parents.binary_search(&parent).is_ok() || parents.iter().any(|&other| alike(sheet, parent, other))
        })
    };
    let holds = |id: NodeId| records.iter().any(|&record| record == id || document.is_ancestor(id, record));
    let more = document.nodes().filter(|&id| {
        document.is_element(id)
            && document.name_id(id) == document.name_id(records[0])
            && common.iter().all(|word| words(id).any(|has| has == *word))
            && !sheet.words_at(id).is_empty()
            && sheet.skeleton(id) == sheet.skeleton(records[0])
            && stands(id)
    });
    let more: Vec<NodeId> = more.filter(|&id| !holds(id)).collect();
    for id in more {
        let own = sheet.words_at(id);
        let inside = |node: NodeId| node == id || document.is_ancestor(id, node);
        let mut head = None;
        let item = (0..wanted.len().min(starts.len())).filter(|item| !used.contains(item)).find(|&item| {
            let start = starts[item].iter().any(|start| own.contains(start));
            let link = wanted[item].links(sheet).into_iter().find(|&link| inside(link));
            head = link;
            start || link.is_some()
        });
        // Away from the entries a like name alone proves nothing: the feed must know it.
        if item.is_none() && document.parent(id).is_none_or(|parent| parents.binary_search(&parent).is_err()) {
            continue;
        }
        let start = item.and_then(|item| starts[item].iter().find(|start| own.contains(start)).copied());
        let head = head.or_else(|| sheet.node_of(own.start)).unwrap_or(id);
        let scope = Scope { record: Record::node(document, id), run: false };
        entries.entries.push(Entry { item, scope, head, titled: None, start });
    }
    entries.entries.sort_by_key(|entry| entry.scope.record.first);
}

/// Siblings of the records, of the same name and with a class in common, that have the link or the body of an item which no record
/// has.
fn known_siblings(
    sheet: &Sheet<'_>,
    records: &[NodeId],
    wanted: &[Wanted],
    starts: &[Vec<usize>],
    used: &HashSet<usize, FixedState>,
) -> Vec<NodeId> {
    let document = sheet.document;
    let Some(&first) = records.first() else { return Vec::new() };
    let items = (0..wanted.len().min(starts.len())).filter(|item| !used.contains(item));
    let items: Vec<(usize, Vec<NodeId>)> = items.map(|item| (item, wanted[item].links(sheet))).collect();
    let has_item = |id: NodeId| {
        let own = sheet.words_at(id);
        let link = |links: &[NodeId]| links.iter().any(|&link| document.is_ancestor(id, link));
        items.iter().any(|(item, links)| starts[*item].iter().any(|start| own.contains(start)) || link(links))
    };
    let siblings = document.parent(first).into_iter().flat_map(|parent| document.children(parent));
    let like = |id: &NodeId| {
        document.name_id(*id) == document.name_id(first) && share_class(document, *id, first) && !records.contains(id)
    };
    siblings.filter(like).take(ITEMS).filter(|&id| has_item(id)).collect()
}

/// Items that stand in front of the list or beside it and are built otherwise: the lead story of a news page. Each has a
/// heading with its title, a link to its page, and more to say than its title; together they are of one template.
pub(super) fn leads(sheet: &Sheet<'_>, wanted: &[Wanted], list: &Entries) -> Vec<Entry> {
    let document = sheet.document;
    let used: HashSet<usize, FixedState> = list.entries.iter().filter_map(|entry| entry.item).collect();
    if used.len() < LIST {
        return Vec::new();
    }
    let aside = |id: NodeId| matches!(document.name_id(id), Some(names::NAV | names::ASIDE | names::FOOTER));
    let in_list = |id: NodeId| list.entries.iter().any(|entry| entry.scope.contains(id));
    let holds_list = |id: NodeId| list.entries.iter().any(|entry| document.is_ancestor(id, entry.scope.record.first));
    let mut found: Vec<Entry> = Vec::new();
    for (item, wanted) in wanted.iter().enumerate().take(ITEMS).filter(|(item, _)| !used.contains(item)) {
        let (links, starts) = (wanted.links(sheet), wanted.starts(sheet));
        let is_head = |node: NodeId| {
            let near = || std::iter::once(node).chain(document.ancestors(node).take(3));
            near().any(|id| is_heading(document, id))
                && near().chain(document.descendants(node).take(4)).any(|id| links.binary_search(&id).is_ok())
                && !near().chain(document.ancestors(node)).take(HEIGHTS).any(aside)
                && !in_list(node)
        };
        let Some((head, how)) = wanted.titles(sheet).into_iter().take(PLACES).find(|(node, _)| is_head(*node)) else {
            continue;
        };
        let mut record = head;
        for above in document.ancestors(head).take(HEIGHTS) {
            let whole =
                matches!(document.name_id(above), Some(names::BODY | names::HTML)) || !document.is_element(above);
            let other = found.iter().any(|lead| document.is_ancestor(above, lead.head));
            if whole || other || holds_list(above) {
                break;
            }
            record = above;
        }
        let words = sheet.words_at(record);
        if record == head || words.len() < sheet.words_at(head).len() + MORE {
            continue;
        }
        let title = sheet.words_at(head);
        let start = starts.iter().find(|start| words.contains(*start) && !title.contains(*start)).copied();
        let scope = Scope { record: Record::node(document, record), run: false };
        found.push(Entry { item: Some(item), scope, head, titled: Some(how), start });
    }
    let Some(model) = found.first().map(|lead| lead.scope.record.first) else { return found };
    found.retain(|lead| alike(sheet, lead.scope.record.first, model));
    found.truncate(LEADS);
    found.sort_by_key(|lead| lead.scope.record.first);
    found
}

/// Whether two nodes stand alike: under the same tags, whose classes have a word in common, or of which neither has one.
fn alike(sheet: &Sheet<'_>, one: NodeId, other: NodeId) -> bool {
    let document = sheet.document;
    if one == other {
        return true;
    }
    if sheet.skeleton(one) != sheet.skeleton(other) {
        return false;
    }
    let step = |(one, other): &(NodeId, NodeId)| Some((sheet.around(*one)?, sheet.around(*other)?));
    let begin = (bare(sheet, one), bare(sheet, other));
    let mut pairs = std::iter::successors(Some(begin), step).take_while(|(one, other)| one != other).take(HEIGHTS);
    pairs.all(|(one, other)| share_class(document, one, other))
}

/// A node, or the element around it if it only gives a look.
fn bare(sheet: &Sheet<'_>, node: NodeId) -> NodeId {
    let above = sheet.around(node);
    let same = |above: &NodeId| sheet.skeleton(*above) == sheet.skeleton(node);
    above.filter(same).unwrap_or(node)
}

fn better(one: &Candidate, other: &Candidate) -> bool {
    (one.titled.is_some(), one.linked) > (other.titled.is_some(), other.linked)
}

/// The innermost element with the same text.
fn innermost(sheet: &Sheet<'_>, node: NodeId) -> NodeId {
    let document = sheet.document;
    let range = sheet.reading.range(node);
    let mut inner = node;
    while let Some(child) = document
        .children(inner)
        .find(|&child| document.is_element(child) && sheet.reading.range(child) == range && !range.is_empty())
    {
        inner = child;
    }
    inner
}

/// How much speaks for a group of places being the entries' titles.
fn worth(sheet: &Sheet<'_>, group: &[Candidate], starts: &[Vec<usize>]) -> f32 {
    let document = sheet.document;
    let mut heads: Vec<(usize, &Candidate)> =
        group.iter().map(|candidate| (sheet.words_at(candidate.node).start, candidate)).collect();
    heads.sort_by_key(|head| head.1.node);
    let mut counted: HashMap<usize, f32, FixedState> = HashMap::default();
    // By head: where the next one of another item begins.
    let mut nexts = vec![usize::MAX; heads.len()];
    for at in (1..heads.len()).rev() {
        let same = heads[at - 1].1.item == heads[at].1.item;
        nexts[at - 1] = if same { nexts[at] } else { heads[at].0 };
    }
    for ((word, candidate), next) in heads.iter().zip(nexts) {
        let mut worth = match (candidate.titled, candidate.linked) {
            // What has more than the title in it may have the date, too.
            (Some(How::Other), true) => 2.5,
            (Some(_), true) => 3.0,
            (Some(_), false) => 2.0,
            (None, _) => 1.0,
        };
        // The body is behind the title, and in front of the next.
        if starts[candidate.item].iter().any(|start| (*word..next).contains(start)) {
            worth += 6.0;
        }
        // In a list of titles there is little between them.
        worth += (next.min(sheet.words.len()) - word.min(&next)).min(LONG) as f32 / LONG as f32;
        let lineage = || std::iter::once(candidate.node).chain(document.ancestors(candidate.node));
        if lineage().take(4).any(|id| is_heading(document, id)) {
            worth += 0.7;
        }
        let aside = |id: NodeId| matches!(document.name_id(id), Some(names::NAV | names::ASIDE | names::FOOTER));
        if lineage().take(HEIGHTS).any(aside) {
            worth -= 0.7;
        }
        let known = counted.entry(candidate.item).or_insert(worth);
        *known = known.max(worth);
    }
    let mut all: Vec<f32> = counted.into_values().collect();
    all.sort_by(f32::total_cmp);
    all.iter().sum()
}

/// The records around these titles.
fn records(
    sheet: &Sheet<'_>,
    nodes: &[NodeId],
    heads: &[(NodeId, Option<&Candidate>)],
    starts: &[Vec<usize>],
) -> Option<Entries> {
    let document = sheet.document;
    // All stand alike, so they have the same number of ancestors: climb with all at once, as long as no two meet.
    let mut level: Vec<NodeId> = nodes.to_vec();
    let single = nodes.len() == 1;
    for _ in 0..HEIGHTS {
        let above: Option<Vec<NodeId>> = level.iter().map(|&node| sheet.around(node)).collect();
        let Some(above) = above else { break };
        let top = above.iter().any(|&node| {
            !document.is_element(node) || matches!(document.name_id(node), Some(names::BODY | names::HTML))
        });
        if top || above.windows(2).any(|pair| pair[0] >= pair[1] || document.subtree_end(pair[0]) > pair[1]) {
            break;
        }
        if single && holds_body(sheet, level[0], heads[0].1, starts) {
            break;
        }
        level = above;
    }
    let with_body = |(node, head): &(NodeId, &(NodeId, Option<&Candidate>))| {
        head.1.map(|_| holds_body(sheet, *node, head.1, starts))
    };
    let told: Vec<bool> = level
        .iter()
        .copied()
        .zip(heads)
        .filter_map(|pair| {
            let (node, head) = pair;
            let candidate = head.1?;
            if starts[candidate.item].is_empty() { None } else { with_body(&(node, head)) }
        })
        .collect();
    let inside = told.iter().filter(|inside| **inside).count();
    let record = |node: NodeId, end: NodeId, run: bool| Scope { record: Record { first: node, end }, run };
    // A few words that begin a body may stand anywhere: in the title of another entry, say.
    let items = heads.iter().filter(|head| head.1.is_some()).count();
    let runs = !told.is_empty() && told.len() * RUNS >= items && inside * 2 < told.len() && !single;
    let mut entries: Vec<Entry> = Vec::with_capacity(level.len());
    for (at, (&node, &(head, _))) in level.iter().zip(heads).enumerate() {
        let end = match runs {
            false => document.subtree_end(node),
            true => {
                let close =
                    document.parent(node).map_or(document.subtree_end(node), |parent| document.subtree_end(parent));
                level.get(at + 1).copied().filter(|&next| next < close).unwrap_or(close)
            }
        };
        entries.push(Entry { item: None, scope: record(node, end, runs), head, titled: None, start: None });
    }
    Some(Entries { cut: if runs { Cut::Starts } else { Cut::Nodes }, entries })
}

/// Whether an element holds the beginning of its item's body.
fn holds_body(sheet: &Sheet<'_>, node: NodeId, candidate: Option<&Candidate>, starts: &[Vec<usize>]) -> bool {
    let Some(candidate) = candidate else { return false };
    let words = sheet.words_at(node);
    let title = sheet.words_at(candidate.node);
    starts[candidate.item].iter().any(|start| words.contains(start) && !title.contains(start))
}
