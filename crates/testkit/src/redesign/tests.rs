//! Each kind on small pages, with many seeds: what it does, and what it leaves alone.

use windrow_dom::{Document, NodeId, NodeKind};

use super::*;

const SEEDS: std::ops::Range<u64> = 0..60;

/// A shop's shelf: records with classes, in a frame.
const SHELF: &str = r#"<body><div id=top class=head><a href=/>Shop</a></div>
    <div class=page><div class=main><h1>Rakes</h1><div class=shelf><div class=list>
    <div class="card odd"><div class=pic><img src=1.png></div><h3 class=name><a href=/1 class=v>Oak</a></h3><p class=text>Long.</p><div class=row><b>Price:</b> <span class="amount v">340</span></div></div>
    <div class="card even"><div class=pic><img src=2.png></div><h3 class=name><a href=/2 class=v>Ash</a></h3><p class=text>Short.</p><div class=row><b>Price:</b> <span class="amount v">120</span></div></div>
    <div class="card odd"><div class=pic><img src=3.png></div><h3 class=name><a href=/3 class=v>Elm</a></h3><p class=text>Light.</p><div class=row><b>Price:</b> <span class="amount v">95</span></div></div>
    </div></div></div><div class=side><ul><li><a href=/a>All</a><li><a href=/n>New</a></ul></div></div><div class=foot>End</div>"#;

/// A table of records.
const TABLE: &str = "<body><h1>Yields</h1><table id=t><thead><tr><th>Farm<th>Code<th>Cut<th>Note</thead><tbody>
    <tr><td><a class=v href=/1>Weir</a><td>x1<td class=v>41<td>-
    <tr><td><a class=v href=/2>Veit</a><td>x2<td class=v>30<td>-
    <tr><td><a class=v href=/3>Nord</a><td>x3<td class=v>77<td>-</table><p>Source: own figures";

/// A page about one thing.
const DETAIL: &str = r#"<body><div class=nav><a href=/>Cars</a></div><div class="css-1x2ab main"><h1 class=v>Fit</h1>
    <p>A small car.</p><table class=specs><tr><th>Engine:<td class=v>1.5L<tr><th>Doors:<td>5<tr><th>Price:<td class=v>$ 15,900</table>
    <div class=more><div><span>See also</span></div></div></div><div class=foot>End</div>"#;

/// The page, and its values: the elements of class `v`, two a record, but for a page about one thing.
fn page(html: &str) -> (Document, Vec<Vec<Value>>) {
    let document = settled(html).expect("the page writes back");
    let values = document.nodes().filter(|&id| has_class(&document, id, "v"));
    let values: Vec<Value> = values.map(Value::Text).collect();
    let each = if html == DETAIL { values.len() } else { 2 };
    let records = values.chunks(each).map(<[Value]>::to_vec).collect();
    (document, records)
}

fn has_class(document: &Document, id: NodeId, class: &str) -> bool {
    document.attr(id, "class").is_some_and(|value| value.split_ascii_whitespace().any(|found| found == class))
}

fn elements(document: &Document) -> usize {
    document.nodes().filter(|&id| document.is_element(id)).count()
}

fn words(document: &Document) -> Vec<String> {
    let texts = document.nodes().filter(|&id| document.is_text(id));
    texts.flat_map(|id| document.text(id).split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect()
}

fn sorted(mut words: Vec<String>) -> Vec<String> {
    words.sort();
    words
}

/// Makes one change of a kind with each seed and shows each page before and after it; says how often there was one.
fn each(kind: Kind, html: &str, check: impl Fn(&Document, &Redesign)) -> usize {
    let (before, records) = page(html);
    let mut made = 0;
    for seed in SEEDS {
        let after = redesign_by(kind, &before, &records, seed, 1);
        assert!(after.changes.iter().all(|change| change.kind == kind));
        let texts = |document: &Document, records: &[Vec<Value>]| -> Vec<String> {
            records.iter().flatten().map(|value| document.visible_text(value.node())).collect()
        };
        assert_eq!(texts(&after.document, &after.records), texts(&before, &records), "{:?}", after.changes);
        if !after.changes.is_empty() {
            made += 1;
            check(&before, &after);
        }
    }
    made
}

const PAGES: [&str; 3] = [SHELF, TABLE, DETAIL];

#[test]
fn wrapping_adds_elements_and_no_words() {
    for html in PAGES {
        let made = each(Kind::Wrap, html, |before, after| {
            assert!(elements(&after.document) > elements(before));
            assert_eq!(words(&after.document), words(before));
        });
        assert_eq!(made, SEEDS.count());
    }
}

#[test]
fn unwrapping_takes_elements_and_no_words() {
    for html in [SHELF, DETAIL] {
        let made = each(Kind::Unwrap, html, |before, after| {
            assert!(elements(&after.document) < elements(before));
            assert_eq!(words(&after.document), words(before));
        });
        assert_eq!(made, SEEDS.count());
    }
    assert_eq!(each(Kind::Unwrap, TABLE, |_, _| ()), 0, "nothing on that page only holds another");
}

#[test]
fn inserting_adds_words_and_takes_none() {
    for html in PAGES {
        let made = each(Kind::Insert, html, |before, after| {
            let mut new = words(&after.document).into_iter();
            assert!(words(before).iter().all(|word| new.any(|other| other == *word)), "{:?}", after.changes);
            assert!(words(&after.document).len() > words(before).len());
        });
        assert_eq!(made, SEEDS.count());
    }
}

#[test]
fn a_new_column_is_in_every_row() {
    let columns = |document: &Document, id: NodeId| document.children(id).filter(|&id| document.is_element(id)).count();
    let mut wider = 0;
    for seed in SEEDS {
        let (before, records) = page(TABLE);
        let after = redesign_by(Kind::Insert, &before, &records, seed, 1).document;
        let rows = after.nodes().filter(|&id| after.is_html(id, windrow_dom::names::TR));
        let counts: Vec<usize> = rows.map(|row| columns(&after, row)).collect();
        assert!(counts.iter().all(|count| count == &counts[0]), "{counts:?}");
        wider += usize::from(counts[0] == 5);
    }
    assert!(wider > 5, "{wider} of {}", SEEDS.count());
}

#[test]
fn advertisements_stand_between_records_and_elsewhere() {
    for html in PAGES {
        let made = each(Kind::Advertise, html, |before, after| {
            assert!(elements(&after.document) > elements(before));
        });
        assert_eq!(made, SEEDS.count());
    }
    let (before, records) = page(SHELF);
    let whats: Vec<String> = SEEDS
        .flat_map(|seed| redesign_by(Kind::Advertise, &before, &records, seed, 1).changes)
        .map(|change| change.what)
        .collect();
    for what in ["a block, between", "like a record by its tag, between", "built as a record, between", "div.foot"] {
        assert!(whats.iter().any(|found| found.contains(what)), "no {what} in {whats:#?}");
    }
}

#[test]
fn reordering_moves_and_nothing_else() {
    for html in PAGES {
        let made = each(Kind::Reorder, html, |before, after| {
            assert_ne!(after.document.outer_html(NodeId::ROOT), before.outer_html(NodeId::ROOT));
            assert_eq!(sorted(words(&after.document)), sorted(words(before)));
            assert_eq!(elements(&after.document), elements(before));
        });
        assert!(made > SEEDS.count() / 2, "{made}");
    }
}

#[test]
fn dropping_takes_no_value_and_no_label() {
    for html in PAGES {
        let made = each(Kind::Drop, html, |before, after| {
            assert!(elements(&after.document) < elements(before));
            for label in ["Price:", "Engine:", "Farm", "Cut"] {
                let count = |document| words(document).iter().filter(|word| *word == label).count();
                assert_eq!(count(&after.document), count(before), "{label}: {:?}", after.changes);
            }
        });
        assert_eq!(made, SEEDS.count());
    }
}

#[test]
fn a_class_is_renamed_wherever_it_stands() {
    let made = each(Kind::RenameClass, SHELF, |before, after| {
        let what = &after.changes[0].what;
        let (old, new) = what.split_once(" to ").expect("one to another");
        let (old, new) = (&old[1..], &new[1..]);
        let count = |document: &Document, class| document.nodes().filter(|&id| has_class(document, id, class)).count();
        assert!(count(before, old) > 0, "{what}");
        assert_eq!((count(&after.document, old), count(&after.document, new)), (0, count(before, old)), "{what}");
    });
    assert_eq!(made, SEEDS.count());
}

#[test]
fn a_build_renames_what_it_generated_and_nothing_else() {
    let made = each(Kind::Rebuild, DETAIL, |_, after| {
        let main = after.document.nodes().find(|&id| has_class(&after.document, id, "main")).expect("it stays");
        let class = after.document.attr(main, "class").unwrap();
        assert!(class.starts_with("css-") && class != "css-1x2ab main", "{class}");
    });
    assert_eq!(made, SEEDS.count());
    assert_eq!(each(Kind::Rebuild, SHELF, |_, _| ()), 0);
}

#[test]
fn generated_classes_are_known_by_their_looks() {
    for class in ["css-1x2ab", "sc-bdVa1a", "Button__root___3xZ1q", "jsx-1234567890", "_2tK9xA"] {
        assert!(map::is_generated(class), "{class}");
    }
    for class in ["card", "col-md-6", "post-12345", "h3title", "navItem", "MainContent", "row2", "price_new", "w100"] {
        assert!(!map::is_generated(class), "{class}");
    }
}

#[test]
fn tags_ids_and_labels_change_alone() {
    for (kind, html) in [(Kind::Retag, SHELF), (Kind::RenameId, TABLE), (Kind::Relabel, DETAIL), (Kind::Relabel, SHELF)]
    {
        let made = each(kind, html, |before, after| {
            assert_eq!(after.document.len(), before.len());
            assert_ne!(after.document.outer_html(NodeId::ROOT), before.outer_html(NodeId::ROOT));
            assert_eq!(words(&after.document) == words(before), kind != Kind::Relabel);
        });
        assert_eq!(made, SEEDS.count(), "{kind:?}");
    }
}

/// The tags and first classes below a node: the second is `odd` or `even`.
fn skeleton(document: &Document, id: NodeId) -> String {
    let mut skeleton = String::new();
    for id in std::iter::once(id).chain(document.descendants(id)) {
        if document.kind(id) == NodeKind::Element {
            let class = document.attr(id, "class").and_then(|class| class.split(' ').next()).unwrap_or_default();
            skeleton += &format!("{}.{class} ", document.name(id).unwrap_or_default());
        }
    }
    skeleton
}

#[test]
fn records_change_alike() {
    for html in [SHELF, TABLE] {
        let (before, records) = page(html);
        for seed in 0..400 {
            let after = redesign(&before, &records, seed, 5);
            assert_eq!(after.changes.len(), 5);
            let document = &after.document;
            let tops: Vec<String> = after
                .records
                .iter()
                .map(|values| {
                    let around = |&id: &NodeId| document.is_ancestor(id, values[1].node());
                    let top = document
                        .ancestors(values[0].node())
                        .find(around)
                        .expect("a record's values are in one element");
                    skeleton(document, top)
                })
                .collect();
            assert!(tops.iter().all(|top| *top == tops[0]), "seed {seed}: {:#?} {tops:#?}", after.changes);
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_page() {
    for html in PAGES {
        let (before, records) = page(html);
        let html = |seed| redesign(&before, &records, seed, 5).document.source().to_owned();
        for seed in SEEDS {
            assert_eq!(html(seed), html(seed));
        }
        let mut all: Vec<String> = SEEDS.map(html).collect();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), SEEDS.count(), "other seeds give other pages");
    }
}

#[test]
fn what_a_parser_would_undo_is_not_done() {
    // A block in a paragraph would end it, a block in a table would leave it: neither may come about.
    let html = "<body><p>By <a class=v href=/1>Ann</a><p>By <a class=v href=/2>Bob</a>\
                <table><tr><td class=v>1<tr><td class=v>2</table>";
    let (before, records) = page(html);
    for seed in SEEDS {
        let after = redesign(&before, &records, seed, 5);
        let again = Document::parse(after.document.outer_html(NodeId::ROOT));
        assert_eq!(again.outer_html(NodeId::ROOT), after.document.outer_html(NodeId::ROOT));
    }
}

#[test]
fn misnested_pages_settle() {
    for html in ["<b><p>x</b>y", "<a>1<a>2", "<table><b>x<tr><td>y", "<p><div>x</p>", "<form><form>x"] {
        let page = settled(html).expect(html);
        let again = Document::parse(page.outer_html(NodeId::ROOT));
        assert_eq!(again.outer_html(NodeId::ROOT), page.outer_html(NodeId::ROOT));
    }
}

#[test]
fn the_shares_make_a_hundred() {
    assert_eq!(Kind::MIX.iter().map(|(_, share)| share).sum::<usize>(), 100);
}
