//! Known items of a list of plain values, in the words of the new page.
//!
//! A new design often comes with an edited text: `1 Tsp Sabatino Truffle salt` is now `1 tsp Truffle salt`, `Basmati Rice`
//! is `150 grams Basmati Rice`. Where records have several fields, one that stayed the same is enough to find them again;
//! an item of a plain list has nothing else. So each known item that does not stand on the page is taken for the text of the
//! page that has most of its words, if that is most of what either says, and from there on counts as what is known.
//! Words that many of the known items have, as `cup` and `tsp`, count for little: they are on every page of the kind.
//!
//! # Cost
//!
//! One walk over the page, and for each of its words the known items that have it.

use std::borrow::Cow;
use std::sync::Arc;

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use windrow_wrapper::values::text::collapse;
use windrow_wrapper::{Page, Wrapper};

use super::known::{Known, KnownList};
use super::refusal::Note;
use crate::reading::Reading;

/// Bytes of the longest text that may be an item: a step of a recipe is a paragraph.
const LONGEST: usize = 1200;
/// Words of a text that are compared.
const WORDS: usize = 60;
/// Items that are looked for.
const ITEMS: usize = 400;
/// Items that a word may be in to count: one that more have tells none of them from the others.
const SAME_WORD: usize = 40;
/// The share of the words that two texts must have in common, both counted, by their rarity.
// Set by hand; no other value was tried. All pages of other sites are refused with it (`score/redesign.py`, negatives).
const ALIKE: f32 = 0.6;
/// What it counts that all words of an item stand in a text that says more.
const WITHIN: f32 = 0.7;
/// The words that such a text may have beside twice those of the item.
const MORE: usize = 4;

/// The same knowledge, with items of plain lists as they read on these pages.
pub(super) fn reword<'k>(
    wrapper: &Wrapper,
    known: &'k Known,
    pages: &[Arc<Page>],
    notes: &mut Vec<Note>,
) -> Cow<'k, Known> {
    let is_plain = |list: &KnownList| {
        list.records.len() > 1
            && list.records.iter().all(|record| record.values.len() == 1 && record.lists.is_empty())
            && wrapper.rules.iter().any(|rule| super::is_mended(rule) && rule.shown() == list.label)
    };
    let mut known = Cow::Borrowed(known);
    for number in 0..known.lists.len() {
        if !is_plain(&known.lists[number]) {
            continue;
        }
        let values: Vec<String> = known.lists[number]
            .records
            .iter()
            .take(ITEMS)
            .map(|record| collapse(&record.values[0].raw).into())
            .collect();
        let found = in_other_words(&values, pages);
        if found.is_empty() {
            continue;
        }
        notes.push(Note::Reworded { list: known.lists[number].label.clone(), count: found.len() });
        let list = &mut known.to_mut().lists[number];
        for (item, text) in found {
            list.records[item].values[0].raw = text;
        }
    }
    known
}

/// The items that do not stand on the pages as they were, and what most likely became of each.
fn in_other_words(items: &[String], pages: &[Arc<Page>]) -> Vec<(usize, String)> {
    let readings: Vec<Reading<'_>> = pages.iter().map(|page| Reading::new(page.document())).collect();
    let mut texts: Vec<&str> = Vec::new();
    let mut seen: HashSet<&str, FixedState> = HashSet::default();
    for (page, reading) in pages.iter().zip(&readings) {
        let document = page.document();
        for id in document.nodes() {
            let range = reading.range(id);
            let repeated = document.parent(id).is_some_and(|parent| reading.range(parent) == range);
            if !repeated && (1..=LONGEST).contains(&range.len()) && seen.insert(&reading.text[range.clone()]) {
                texts.push(&reading.text[range]);
            }
        }
    }
    let lost: Vec<usize> = (0..items.len()).filter(|&item| !seen.contains(items[item].as_str())).collect();
    if lost.is_empty() {
        return Vec::new();
    }
    let words: Vec<Vec<String>> = items.iter().map(|item| words_of(item)).collect();
    let mut has: HashMap<&str, Vec<usize>, FixedState> = HashMap::default();
    for (item, words) in words.iter().enumerate() {
        words.iter().for_each(|word| has.entry(word.as_str()).or_default().push(item));
    }
    let rarity = |word: &str| has.get(word).map_or(1.0, |items| 1.0 / items.len() as f32);
    let worth = |words: &[String]| words.iter().map(|word| rarity(word)).sum::<f32>();
    let known: HashSet<&str, FixedState> = items.iter().map(String::as_str).collect();
    let mut pairs: Vec<(f32, usize, usize)> = Vec::new();
    for (number, text) in texts.iter().enumerate().filter(|(_, text)| !known.contains(**text)) {
        let own = words_of(text);
        let mut shared: HashMap<usize, (f32, usize), FixedState> = HashMap::default();
        for word in &own {
            for &item in has.get(word.as_str()).filter(|items| items.len() <= SAME_WORD).into_iter().flatten() {
                let shared = shared.entry(item).or_default();
                *shared = (shared.0 + rarity(word), shared.1 + 1);
            }
        }
        let all = worth(&own);
        let likeness = |item: usize, (weight, count): (f32, usize)| {
            let alike = 2.0 * weight / (all + worth(&words[item])).max(f32::EPSILON);
            let within = count > 1 && count == words[item].len() && own.len() <= 2 * count + MORE;
            if within { alike.max(WITHIN) } else { alike }
        };
        let own = lost.iter().filter_map(|&item| Some((likeness(item, *shared.get(&item)?), item, number)));
        pairs.extend(own.filter(|pair| pair.0 >= ALIKE));
    }
    pairs.sort_by(|one, two| two.0.total_cmp(&one.0).then((one.1, one.2).cmp(&(two.1, two.2))));
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut items: HashSet<usize, FixedState> = HashSet::default();
    let mut taken: HashSet<usize, FixedState> = HashSet::default();
    for (_, item, text) in pairs {
        if !items.contains(&item) && taken.insert(text) {
            items.insert(item);
            found.push((item, texts[text].to_owned()));
        }
    }
    found
}

/// The different words of a text in small letters; numbers say nothing, but a sign of Chinese or Japanese is a word.
fn words_of(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut end = |word: &mut String| {
        if !word.is_empty() && words.len() < WORDS && !words.contains(word) {
            words.push(word.clone());
        }
        word.clear();
    };
    for c in text.chars() {
        match c.is_alphabetic() {
            true if c as u32 >= 0x2E80 => {
                end(&mut word);
                word.push(c);
                end(&mut word);
            }
            true => word.extend(c.to_lowercase()),
            false => end(&mut word),
        }
    }
    end(&mut word);
    words
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use windrow_wrapper::Page;

    use super::in_other_words;

    #[test]
    fn items_that_were_edited() {
        let items = ["1 large spaghetti squash", "1 Tsp Sabatino Truffle salt", "4 Tbsp butter", "Basmati Rice"];
        let html = "<h1>Squash</h1><ul><li>1 Large spaghetti squash<li>1 tsp Truffle salt<li>4 Tbsp butter\
                    <li>150 grams Basmati Rice</ul><p>Rice is good for you, and so is salt.";
        let page = Arc::new(Page::from_text("page.html", html));
        let mut found = in_other_words(&items.map(str::to_owned), &[page]);
        found.sort();
        let found: Vec<(usize, &str)> = found.iter().map(|(item, text)| (*item, text.as_str())).collect();
        assert_eq!(found, [(0, "1 Large spaghetti squash"), (1, "1 tsp Truffle salt"), (3, "150 grams Basmati Rice")]);
    }

    #[test]
    fn items_of_another_page() {
        let items = ["1 cup brown sugar", "2 cups flour", "1 cup milk"];
        let html = "<ul><li>1 cup rye<li>2 cups stock<li>1 cup wine</ul>";
        let page = Arc::new(Page::from_text("page.html", html));
        assert_eq!(in_other_words(&items.map(str::to_owned), &[page]), []);
    }
}
