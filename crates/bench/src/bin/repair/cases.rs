//! Test cases: changes of pages after which a wrapper must be repaired, and pages that must be refused.

use std::ops::Range;

use windrow_learn::repair::KnownRecord;
use windrow_testkit::generate::Rng;
use windrow_testkit::mutate::{Kind, Truth, negative};

use super::subjects::{Learned, Source};

/// So many words of other pages new texts are made of.
const WORDS: usize = 400;

/// One page that a wrapper meets.
pub(super) struct Case {
    /// Kind of change, as named in the table.
    pub(super) kind: &'static str,
    pub(super) seed: u64,
    pub(super) html: String,
    /// Expected result; `None` if the page must be refused.
    pub(super) truth: Option<Truth>,
}

/// The kinds of pages that must be refused, in the order of the table.
pub(super) const NEGATIVE: [&str; 8] = ["gone", "other", "next", "sibling", "foreign", "teasers", "error", "blank"];

/// A value with so many letters on another page is no chance.
const TELLING: usize = 12;

/// All cases of a wrapper, and how many kinds found nothing to change on its page.
pub(super) fn of(
    learned: &[Learned],
    number: usize,
    sources: &[Source],
    seeds: Range<u64>,
) -> (Vec<Case>, Vec<&'static str>) {
    let one = &learned[number];
    let source = &sources[one.source];
    let (mut cases, mut without) = (Vec::new(), Vec::new());
    for kind in Kind::ALL {
        for seed in seeds.clone() {
            let mutation = one.subject.mutate(kind, seed, &pool(sources, one.source, seed));
            if mutation.steps == 0 {
                without.push(kind.name());
                continue;
            }
            let (html, truth) = (mutation.html, Some(mutation.truth));
            cases.push(Case { kind: kind.name(), seed, html, truth });
        }
    }
    let mut refuse = |kind: &'static str, seed: u64, html: Option<String>| match html {
        Some(html) => cases.push(Case { kind, seed, html, truth: None }),
        None => without.push(kind),
    };
    let mut rng = Rng::new(one.source as u64 ^ seeds.start << 32);
    let once = seeds.start;
    for seed in seeds {
        refuse("gone", seed, one.subject.gone(seed));
        refuse("next", seed, one.subject.next(seed, &pool(sources, one.source, seed)));
        refuse("teasers", seed, one.subject.teasers(seed));
        let others = |learned: &&Learned| sources[learned.source].site != source.site;
        let others: Vec<&Learned> = learned.iter().filter(others).collect();
        let other = others.get(rng.below(others.len())).and_then(|other| other.subject.records_html());
        refuse("other", seed, other.and_then(|records| one.subject.other(&records)));
        // One of the same language, and any.
        let elsewhere = |page: &&Source| page.site != source.site;
        let same = |page: &&Source| elsewhere(page) && page.language == source.language;
        for (rank, pages) in
            [sources.iter().filter(same).collect::<Vec<_>>(), sources.iter().filter(elsewhere).collect()]
                .into_iter()
                .enumerate()
        {
            let page = pages.get(rng.below(pages.len()));
            refuse("foreign", seed * 2 + rank as u64, page.map(|page| page.document.source().to_owned()));
        }
    }
    // Other lists of the same site, as they are.
    let siblings = sources.iter().enumerate().filter(|(at, page)| *at != one.source && page.site == source.site);
    let siblings = siblings.filter(|(_, page)| !shows(page, one));
    for (rank, (_, page)) in siblings.enumerate() {
        refuse("sibling", once + rank as u64, Some(page.document.source().to_owned()));
    }
    refuse("error", 0, Some(negative::missing(&source.site)));
    refuse("error", 1, Some(negative::login(&source.site)));
    refuse("blank", 0, Some(negative::blank()));
    (cases, without)
}

/// Reports whether a page still shows some of the known records: one in ten.
fn shows(page: &Source, learned: &Learned) -> bool {
    fn tells(record: &KnownRecord, text: &str) -> bool {
        let long = |value: &str| value.chars().filter(|char| char.is_alphabetic()).count() >= TELLING;
        record.values.iter().any(|value| long(&value.raw) && text.contains(value.raw.as_str()))
            || record.lists.iter().flat_map(|list| &list.records).any(|record| tells(record, text))
    }
    let text = page.document.visible_text(page.document.root());
    let records = || learned.known.lists.iter().flat_map(|list| &list.records);
    records().filter(|record| tells(record, &text)).count() * 10 > records().count()
}

/// Words of other pages of the same language, as far as there are any.
fn pool(sources: &[Source], own: usize, seed: u64) -> Vec<String> {
    let language = &sources[own].language;
    let of = |same: bool| {
        let others = sources
            .iter()
            .enumerate()
            .filter(move |(number, page)| *number != own && (page.language == *language) == same);
        others.flat_map(|(_, page)| &page.words)
    };
    let mut all: Vec<&String> = of(true).collect();
    if all.len() < WORDS {
        all.extend(of(false));
    }
    let mut rng = Rng::new(seed ^ (own as u64) << 8);
    (0..WORDS.min(all.len())).map(|_| all[rng.below(all.len())].clone()).collect()
}
