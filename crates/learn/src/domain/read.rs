//! Reading a page in a domain.
use windrow_dom::{Document, NodeId, names};

use super::entropy::{Entropies, Entropy, Kind, Labelled};
use super::layout::{Candidate, Layout, Layouts};
use super::lexicon::{Lexicon, Mark, Stand};
use super::sheet::Sheet;
use super::words::Domain;

/// A reader.
pub struct Reader {
    domain: Domain,
    lexicon: Lexicon,
    patterns: Vec<Option<regex::Regex>>,
}

/// A pair.
#[derive(Debug, Clone)]
pub struct Pair {
    /// role
    pub role: usize,
    /// label
    pub label: String,
    /// value
    pub value: String,
    /// more
    pub values: Vec<String>,
    /// layout
    pub layout: Layout,
    /// node
    pub node: NodeId,
    /// score
    pub score: f32,
}

impl Reader {
    /// new
    pub fn new(domain: Domain) -> Reader {
        let lexicon = Lexicon::new(&domain);
        let patterns = domain.roles.iter().map(|role| role.value.as_ref().and_then(|value| regex::Regex::new(value).ok())).collect();
        Reader { domain, lexicon, patterns }
    }

    /// all pairs
    pub fn read(&self, document: &Document) -> Vec<Pair> {
        let sheet = Sheet::new(document);
        let marks = self.lexicon.marks(&sheet);
        let layouts = Layouts::new(&sheet, &marks);
        let candidates: Vec<Candidate> = (0..marks.len()).filter_map(|number| layouts.value(number)).collect();
        let labelled: Vec<Labelled> = marks.iter().filter(|mark| mark.stand < Stand::Prose).map(|mark| Labelled { node: sheet.pieces[mark.first as usize].node, role: mark.role }).collect();
        let leaves = |id: NodeId| { let pieces = sheet.pieces_below(id); if pieces.is_empty() { 0 } else { sheet.pieces[pieces.end - 1].row - sheet.pieces[pieces.start].row + 1 } };
        let entropies = Entropies::new(document, &labelled, leaves, false);
        if std::env::var("DLH").is_ok() {
            for node in &entropies.nodes { if node.kind != Kind::Plain { println!("H {:?} {:.3} roles {} {}", node.kind, node.entropy, node.roles, windrow_xpath::path_of(document, windrow_xpath::Node::node(node.node))); } }
        }
        let regions: Vec<&Entropy> = entropies.nodes.iter().filter(|node| node.kind == Kind::DataRich).collect();
        let region_of = |id: NodeId| {
            let at = regions.partition_point(|region| region.node <= id);
            at.checked_sub(1).filter(|&at| id < document.subtree_end(regions[at].node))
        };
        let mut scored: Vec<(f32, &Candidate, Option<usize>)> = Vec::new();
        for candidate in &candidates {
            let mark = &marks[candidate.mark as usize];
            let text = &sheet.text[candidate.start as usize..candidate.end as usize];
            let style = sheet.pieces[mark.first as usize].style;
            let mut score = match candidate.layout { Layout::Line | Layout::Cell | Layout::Definition => 1.0, Layout::Column => 0.8, Layout::Beside => 0.7, Layout::Below => 0.5 };
            if let Some(pattern) = &self.patterns[candidate.role as usize] {
                if pattern.is_match(text) { score += 0.5; }
                else if text.len() <= 24 && !text.contains('\n') { score -= 0.6; }
                else { continue; }
            }
            let others = candidates.iter().filter(|other| other.role != candidate.role && other.layout == candidate.layout && sheet.pieces[marks[other.mark as usize].first as usize].style == style).count();
            score += 0.2 * others.min(3) as f32;
            let linked = |id: NodeId| document.ancestors(id).take(4).any(|id| document.name_id(id) == Some(names::A));
            if candidate.layout == Layout::Below && linked(sheet.pieces[mark.first as usize].node) {
                let pieces = layouts.pieces_of(candidate.start as usize, candidate.end as usize);
                if linked(sheet.pieces[pieces.start].node) { score -= 1.5; }
            }
            if sheet.pieces[mark.first as usize].unseen { score -= 0.2; }
            score += 0.1 * (sheet.text[mark.start as usize..mark.end as usize].split(' ').count().min(4) as f32 - 1.0);
            if score < 0.5 { continue; }
            scored.push((score, candidate, region_of(sheet.pieces[mark.first as usize].node)));
        }
        // The record is the region that says most.
        let mut said: Vec<Vec<(u32, &str)>> = vec![Vec::new(); regions.len()];
        for (_, candidate, region) in &scored {
            if let Some(region) = *region {
                said[region].push((candidate.role, &sheet.text[candidate.start as usize..candidate.end as usize]));
            }
        }
        let distinct = |said: &[(u32, &str)]| { let mut roles: Vec<u32> = said.iter().map(|(role, _)| *role).collect(); roles.sort_unstable(); roles.dedup(); roles.len() };
        let main = (0..regions.len()).max_by(|&a, &b| distinct(&said[a]).cmp(&distinct(&said[b])).then(b.cmp(&a)));
        let foreign: Vec<bool> = (0..regions.len()).map(|at| {
            let Some(main) = main.filter(|&main| main != at) else { return false };
            let (mut same, mut other) = (0, 0);
            let mut roles: Vec<u32> = said[at].iter().map(|said| said.0).collect();
            roles.sort_unstable(); roles.dedup();
            for role in roles {
                let mains: Vec<&str> = said[main].iter().filter(|said| said.0 == role).map(|said| said.1).collect();
                if mains.is_empty() { continue; }
                if said[at].iter().any(|said| said.0 == role && mains.contains(&said.1)) { same += 1 } else { other += 1 }
            }
            if std::env::var("DLH").is_ok() { println!("region {at} same {same} other {other} of {}: {:?}", distinct(&said[at]), said[at]); }
            other > same && 2 * other >= distinct(&said[at])
        }).collect();
        let mut best: Vec<(f32, &Candidate)> = Vec::new();
        for (score, candidate, region) in scored {
            if region.is_some_and(|region| foreign[region]) { continue; }
            let score = if region.is_some() && region == main { score + 0.4 } else { score };
            match best.iter_mut().find(|(_, known)| known.role == candidate.role) {
                Some(known) if known.0 < score => *known = (score, candidate),
                Some(_) => {}
                None => best.push((score, candidate)),
            }
        }
        best.iter().map(|(score, candidate)| {
            let mark: &Mark = &marks[candidate.mark as usize];
            let (value, values) = layouts.values(candidate);
            Pair {
                role: candidate.role as usize,
                label: sheet.text[mark.start as usize..mark.end as usize].to_owned(),
                value, values,
                layout: candidate.layout,
                node: candidate.node,
                score: *score,
            }
        }).collect()
    }

    /// domain
    pub fn domain(&self) -> &Domain { &self.domain }
}
