//! Blocks that come in: notices, share bars, columns, rows, advertisements.

use std::collections::BTreeMap;

use super::map::{Map, Target, Zone, lineage};
use super::shape::{describe, holds_text};
use super::table;
use super::tree::Tree;
use super::words;
use crate::generate::Rng;

/// Puts a new block beside an element; in all records alike, if it is in a record.
pub(super) fn insert(tree: &mut Tree, map: &Map, rng: &mut Rng) -> Option<String> {
    if let Some(rows) = table::of_records(tree, map).filter(|_| rng.once_in(3)) {
        return table::insert_column(tree, &rows, rng);
    }
    if map.is_single() && rng.once_in(4) {
        return insert_row(tree, map, rng);
    }
    let target = map.target(rng, &|at| fits_beside(tree, map, at))?;
    let class = words::class(rng, &words::BLOCKS);
    let (notice, number) = (rng.pick(&words::NOTICES), rng.below(100));
    put(tree, map, &target, rng, &mut |tree, name| {
        let block = tree.element(name, &[("class", &class)]);
        let link = tree.element("a", &[("href", &format!("/info/{number}"))]);
        let text = tree.text(notice);
        tree.append(link, text);
        tree.append(block, link);
        block
    })
}

/// Puts an advertisement between records, or somewhere in the frame.
pub(super) fn advertise(tree: &mut Tree, map: &Map, rng: &mut Rng) -> Option<String> {
    if !map.is_single() && rng.below(10) < 6 {
        return advertise_between(tree, map, rng);
    }
    let fits = |at: usize| fits_beside(tree, map, at) && (map.is_single() || !map.recorded[at]);
    let target = map.target(rng, &fits)?;
    let class = words::class(rng, &words::ADS);
    let slogan = rng.pick(&words::SLOGANS);
    put(tree, map, &target, rng, &mut |tree, name| plain_ad(tree, name, &class, slogan))
}

/// Reports whether a block may be inserted beside this element.
fn fits_beside(tree: &Tree, map: &Map, at: usize) -> bool {
    let parent = tree.items[at].parent;
    // Between the records of a list, what comes in is an advertisement or a record.
    let unit = !map.is_single() && map.units.iter().flatten().any(|&unit| unit == at);
    map.is_free(parent)
        && !unit
        && !tree.is_any(parent, &["html", "table", "thead", "tbody", "tfoot", "tr", "dl", "colgroup"])
}

/// Puts what `make` makes in front of each member or behind it.
fn put(
    tree: &mut Tree,
    map: &Map,
    target: &Target,
    rng: &mut Rng,
    make: &mut dyn FnMut(&mut Tree, &str) -> usize,
) -> Option<String> {
    let behind = rng.once_in(2);
    let what = format!("{} {}", if behind { "behind" } else { "before" }, describe(tree, &target.members));
    let mut parents: Vec<usize> = Vec::new();
    for &at in &target.members {
        let parent = tree.items[at].parent;
        // One in each record, also where an element has several neighbours of its kind.
        if parents.contains(&parent) || !map.is_free(parent) {
            continue;
        }
        parents.push(parent);
        let name = if tree.is_any(parent, &["ul", "ol", "menu"]) {
            "li"
        } else if lineage(tree, parent).any(|at| holds_text(tree, at)) {
            "span"
        } else {
            "div"
        };
        // Between the texts of a line nothing comes in: they may belong together.
        let rank = match (tree.has_own_text(parent), behind) {
            (true, false) => 0,
            (true, true) => tree.items[parent].children.len(),
            (false, behind) => tree.rank(at) + usize::from(behind),
        };
        let block = make(tree, name);
        tree.insert(parent, rank, block);
    }
    (!parents.is_empty()).then_some(what)
}

/// A new row of a table, or entry of a list, on a page about one thing: a copy of another, with other texts.
fn insert_row(tree: &mut Tree, map: &Map, rng: &mut Rng) -> Option<String> {
    let fits = |at: usize| tree.is_any(at, &["tr", "li"]) && map.is_free(at);
    let target = map.target_in(Zone::Records, rng, &fits)?;
    let at = *target.members.first()?;
    let mut shared: BTreeMap<String, usize> = BTreeMap::new();
    for at in tree.order() {
        for class in tree.classes(at) {
            *shared.entry(class.to_owned()).or_default() += 1;
        }
    }
    let mut first = true;
    let row = tree.copy(
        at,
        &mut |name, value| match name {
            // What one element alone is called would not be said of another.
            "class" => {
                let kept =
                    value.split_ascii_whitespace().filter(|class| shared.get(*class).is_some_and(|&times| times > 1));
                Some(kept.collect::<Vec<_>>().join(" ")).filter(|kept| !kept.is_empty())
            }
            "id" | "itemprop" | "name" => None,
            "href" | "src" => Some("/new".to_owned()),
            _ => Some(value.to_owned()),
        },
        &mut |text| {
            let colon = if text.trim_end().ends_with(':') { ":" } else { "" };
            let word = if std::mem::take(&mut first) { rng.pick(&words::ATTRIBUTES) } else { rng.pick(&words::SHORT) };
            format!("{word}{colon}")
        },
    );
    let rank = tree.rank(at) + rng.below(2);
    let parent = tree.items[at].parent;
    tree.insert(parent, rank, row);
    Some(format!("one more {}", describe(tree, &[at])))
}

/// A block with a picture, a link and a line.
fn plain_ad(tree: &mut Tree, name: &str, class: &str, slogan: &str) -> usize {
    let ad = tree.element(name, &[("class", class)]);
    let link = tree.element("a", &[("href", "/out?c=77"), ("rel", "nofollow")]);
    let picture = tree.element("img", &[("src", "/ads/77.png"), ("alt", "")]);
    let strong = tree.element(if name == "span" { "b" } else { "strong" }, &[]);
    let (text, note) = (tree.text(slogan), tree.element("span", &[]));
    let sponsored = tree.text("Sponsored");
    tree.append(strong, text);
    tree.append(link, picture);
    tree.append(link, strong);
    tree.append(note, sponsored);
    tree.append(ad, link);
    tree.append(ad, note);
    ad
}

/// Structure of an advertisement between records.
#[derive(Clone, Copy, PartialEq)]
enum Likeness {
    /// A block of its own.
    Plain,
    /// The tag of a record, its own class.
    Tag,
    /// A copy of a record, its own class at the top.
    Native,
}

fn advertise_between(tree: &mut Tree, map: &Map, rng: &mut Rng) -> Option<String> {
    let likeness = match rng.below(10) {
        0..5 => Likeness::Plain,
        5..8 => Likeness::Tag,
        _ => Likeness::Native,
    };
    // One, or one after every so many records, as sites do both.
    let (first, every) = (1 + rng.below(map.units.len() - 1), rng.once_in(2).then(|| 2 + rng.below(5)));
    let places = (first..map.units.len()).step_by(every.unwrap_or(map.units.len()));
    let class = words::class(rng, &words::ADS);
    let mut anchors = Vec::new();
    for record in places {
        let [at, more @ ..] = &map.units[record][..] else { continue };
        // In front of a record's first part. Where records are in groups, only between two of one group.
        let parent = tree.items[*at].parent;
        if map.units[record - 1].iter().any(|&before| tree.items[before].parent == parent) {
            anchors.push((*at, more.is_empty()));
        }
    }
    for &(at, alone) in &anchors {
        let parent = tree.items[at].parent;
        let own = tree.name(at)?.to_owned();
        let ad = if likeness == Likeness::Native && alone {
            native_ad(tree, rng, at, &class)
        } else {
            let slogan = rng.pick(&words::SLOGANS);
            match tree.name(parent)? {
                "table" | "thead" | "tbody" | "tfoot" => {
                    let row = tree.element("tr", &[("class", &class)]);
                    let columns = tree.elements(at).count().to_string();
                    let cell = tree.element("td", &[("colspan", &columns)]);
                    let ad = plain_ad(tree, "div", "ad-body", slogan);
                    tree.append(cell, ad);
                    tree.append(row, cell);
                    row
                }
                "tr" => plain_ad(tree, "td", &class, slogan),
                "ul" | "ol" | "menu" => plain_ad(tree, "li", &class, slogan),
                "dl" => return None,
                _ if likeness == Likeness::Tag => plain_ad(tree, &own, &class, slogan),
                _ if lineage(tree, parent).any(|at| holds_text(tree, at)) => plain_ad(tree, "span", &class, slogan),
                _ => plain_ad(tree, "div", &class, slogan),
            }
        };
        let rank = tree.rank(at);
        tree.insert(parent, rank, ad);
    }
    let how = match likeness {
        Likeness::Plain => "a block",
        Likeness::Tag => "like a record by its tag",
        Likeness::Native => "built as a record",
    };
    (!anchors.is_empty()).then(|| format!("{how}, between records, {} times", anchors.len()))
}

fn native_ad(tree: &mut Tree, rng: &mut Rng, record: usize, class: &str) -> usize {
    let ad = tree.copy(
        record,
        &mut |name, value| match name {
            "id" | "itemscope" | "itemtype" | "itemprop" | "name" => None,
            "href" | "src" => Some("/out?c=78".to_owned()),
            _ => Some(value.to_owned()),
        },
        &mut |text| words::like(rng, text),
    );
    tree.set_attr(ad, "class", class);
    ad
}
