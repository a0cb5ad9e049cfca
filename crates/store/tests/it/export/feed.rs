//! Atom and RSS, read back by a reader of feeds and by an XML parser.

use windrow_store::export::{ExportError, Exporter, Format, Options, Roles};
use windrow_store::{Kind, Value};

use super::sample::{ads, export_text, layout, nasty, record, text};

fn options() -> Options {
    Options::new().with_title("Farm <ads>").with_self_url("https://feeds.example/ads?a=1&b=2")
}

#[test]
fn an_atom_feed_as_it_is_written() {
    let (layout, records) = ads();
    let (text, summary) = export_text(Format::Atom, &layout, &options(), &records);
    let expected = r#"<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>https://feeds.example/ads?a=1&amp;b=2</id>
  <title>Farm &lt;ads&gt;</title>
  <updated>2026-11-15T00:00:00+00:00</updated>
  <author>
    <name>Farm &lt;ads&gt;</name>
  </author>
  <link rel="self" type="application/atom+xml" href="https://feeds.example/ads?a=1&amp;b=2"/>
  <link rel="alternate" href="https://farm.example/ads?p=1"/>
  <generator version="VERSION">Windrow</generator>
  <entry>
    <id>https://farm.example/1</id>
    <title>Flat, "sunny"</title>
    <published>2026-11-15T00:00:00+00:00</published>
    <updated>2026-11-15T00:00:00+00:00</updated>
    <link rel="alternate" href="https://farm.example/1"/>
    <category term="flat"/>
    <category term="sun"/>
    <content type="html" xml:base="https://farm.example/ads?p=1">&lt;p&gt;Big &amp; bright&lt;/p&gt;</content>
  </entry>
  <entry>
    <id>tag:farm.example,2026-11-01:ads/2</id>
    <title>=House</title>
    <published>2026-11-01T00:00:00+00:00</published>
    <updated>2026-11-01T00:00:00+00:00</updated>
    <link rel="alternate" href="https://farm.example/ads?p=1"/>
    <content type="text">price: 1200; place.city: Graz</content>
  </entry>
</feed>
"#;
    assert_eq!(text, expected.replace("VERSION", env!("CARGO_PKG_VERSION")));
    assert_eq!(summary.rows, 2);
    assert_eq!(
        summary.notes,
        ["columns used for the entries: title `title`, link `link`, date `posted`, content `body`"]
    );
}

#[test]
fn both_are_read_by_a_reader_of_feeds() {
    let (layout, records) = ads();
    for format in [Format::Atom, Format::Rss] {
        let (text, _) = export_text(format, &layout, &options(), &records);
        let feed = windrow_feed::parse(text.as_bytes(), &windrow_feed::Options::new()).unwrap();
        assert!(feed.notes.is_empty(), "{format:?}: {:?}", feed.notes);
        assert_eq!(feed.title.as_deref(), Some("Farm <ads>"));
        let titles: Vec<&str> = feed.items.iter().filter_map(|item| item.title.as_deref()).collect();
        assert_eq!(titles, ["Flat, \"sunny\"", "=House"]);
        assert_eq!(feed.items[0].link.as_deref(), Some("https://farm.example/1"));
        assert_eq!(feed.items[0].date().unwrap().to_string().split('T').next(), Some("2026-11-15"));
        assert_eq!(feed.items[0].categories, ["flat", "sun"]);
    }
}

#[test]
fn rss_says_whether_an_id_is_a_link() {
    let (layout, records) = ads();
    let (text, _) = export_text(Format::Rss, &layout, &options(), &records);
    assert!(text.contains("<guid isPermaLink=\"true\">https://farm.example/1</guid>"), "{text}");
    assert!(text.contains("<guid isPermaLink=\"false\">tag:farm.example,2026-11-01:ads/2</guid>"), "{text}");
    assert!(text.contains("<pubDate>Sun, 15 Nov 2026 00:00:00 +0000</pubDate>"), "{text}");
    assert!(text.contains("<description>&lt;p&gt;Big &amp; bright&lt;/p&gt;</description>"), "{text}");
}

#[test]
fn nasty_texts_leave_the_feed_well_formed() {
    let (layout, records) = nasty();
    for format in [Format::Atom, Format::Rss] {
        let (text, _) = export_text(format, &layout, &Options::new(), &records);
        let allowed = |character: char| matches!(character, '\n' | '\t' | '\u{20}'..='\u{fffd}' | '\u{10000}'..);
        assert!(text.chars().all(allowed), "{format:?}");
        let mut reader = quick_xml::Reader::from_str(&text);
        let mut titles = 0;
        loop {
            match reader.read_event().unwrap() {
                quick_xml::events::Event::Eof => break,
                quick_xml::events::Event::Start(tag) if tag.name().as_ref() == "title" => titles += 1,
                _ => {}
            }
        }
        assert_eq!(titles, 1 + records.len());
    }
}

#[test]
fn ids_stay_apart_where_links_do_not() {
    let layout = layout("list", &[("name", Kind::Text), ("url", Kind::Url)], Vec::new());
    let links = ["https://a.example/", "https://a.example/", "javascript:alert(1)", "/relative"];
    let mut records: Vec<_> =
        (1..).zip(links).map(|(id, link)| record(id, vec![text("x"), text(link)], Vec::new())).collect();
    records.push(records[3].clone());
    records.push(record(9, vec![Value::Null, Value::Null], Vec::new()));
    records[5].page = "pages/a b.html".to_owned();
    let (atom, _) = export_text(Format::Atom, &layout, &Options::new(), &records);
    let ids: Vec<&str> =
        atom.lines().filter_map(|line| line.trim().strip_prefix("<id>")?.strip_suffix("</id>")).skip(1).collect();
    let expected = [
        "tag:farm.example,2026-11-01:list/1",
        "tag:farm.example,2026-11-01:list/2",
        "tag:farm.example,2026-11-01:list/3",
        "tag:farm.example,2026-11-01:list/4",
        "tag:farm.example,2026-11-01:list/4_2",
        "tag:localhost,2026-11-01:list/9",
    ];
    assert_eq!(ids, expected);
    assert!(!atom.contains("javascript:"), "{atom}");
    assert!(atom.contains("<title>list 9</title>"), "{atom}");
}

#[test]
fn entries_are_bounded_and_the_rest_is_told() {
    let layout = layout("list", &[("name", Kind::Text)], Vec::new());
    let records: Vec<_> = (1..=150).map(|id| record(id, vec![text(&id.to_string())], Vec::new())).collect();
    let (atom, summary) = export_text(Format::Atom, &layout, &Options::new(), &records);
    assert_eq!(atom.matches("<entry>").count(), 100);
    assert_eq!(summary.rows, 150);
    assert_eq!(summary.notes[1], "the feed contains the first 100 of 150 records");
    let (rss, _) = export_text(Format::Rss, &layout, &Options::new().with_entries(3), &records);
    assert_eq!(rss.matches("<item>").count(), 3);
    let (empty, _) = export_text(Format::Atom, &layout, &Options::new(), &[]);
    assert!(empty.contains("<updated>1970-01-01T00:00:00+00:00</updated>"), "{empty}");
}

#[test]
fn parts_can_be_named() {
    let (layout, records) = ads();
    let roles = Roles::new().with_title("place.city").with_content("title").with_author("place.zip");
    let (atom, _) = export_text(Format::Atom, &layout, &Options::new().with_roles(roles), &records);
    assert!(atom.contains("<title>Vienna</title>"), "{atom}");
    assert!(atom.contains("<content type=\"text\">Flat, \"sunny\"</content>"), "{atom}");
    assert!(atom.contains("<name>1010</name>"), "{atom}");

    let options = Options::new().with_roles(Roles::new().with_link("url"));
    let error = Exporter::new(Format::Rss, &layout, &options, Vec::new()).unwrap_err();
    assert!(matches!(error, ExportError::UnknownColumn { .. }));
    assert_eq!(error.to_string(), "`ads` has no column `url`, which was given as the link of the feed's entries");
    let help = miette::Diagnostic::help(&error).unwrap().to_string();
    assert!(help.starts_with("its columns are `title`, `link`, `posted`,"), "{help}");
}

/// The times of `updated`: the feed's, then those of its entries.
fn updated(store: &mut windrow_store::Store) -> Vec<String> {
    let layout = store.layout("ads").unwrap();
    let mut records = Vec::new();
    let (which, form) = Default::default();
    store
        .records("ads", which, form, |record| {
            records.push(record);
            true
        })
        .unwrap();
    let (text, _) = export_text(Format::Atom, &layout, &Options::new(), &records);
    let time = |line: &str| Some(line.trim().strip_prefix("<updated>")?.strip_suffix("</updated>")?[..10].to_owned());
    text.lines().filter_map(time).collect()
}

#[test]
fn an_entry_was_updated_when_its_record_changed() {
    use crate::support;
    support::on_each(|open| {
        let mut store = open();
        let ads = support::layout("ads", &["title", "link:url", "price:money", "date:date"]);
        let mut day = |number: u32, prices: [&str; 3]| {
            let mut run = support::run(&mut store, number);
            // A day before it was first seen, none, and a day that is still to come.
            let dates = ["2026-10-31", "", "2027-01-01"];
            let ad = |n: usize| {
                let link = format!("https://example.org/{n}");
                support::record(&ads, &[&format!("Ad {n}"), &link, prices[n], dates[n]])
            };
            store.keep(&mut run, &support::page("p1", &ads, (0..3).map(ad).collect()), false).unwrap();
            store.finish(run, "x").unwrap();
            updated(&mut store)
        };
        assert_eq!(day(1, ["1", "2", "3"]), ["2026-11-01", "2026-10-31", "2026-11-01", "2026-11-01"]);
        assert_eq!(day(2, ["1", "2", "3"]), ["2026-11-01", "2026-10-31", "2026-11-01", "2026-11-01"]);
        assert_eq!(day(3, ["1", "5", "3"]), ["2026-11-03", "2026-10-31", "2026-11-03", "2026-11-01"]);
        assert_eq!(day(4, ["9", "5", "3"]), ["2026-11-04", "2026-11-04", "2026-11-03", "2026-11-01"]);
    });
}
