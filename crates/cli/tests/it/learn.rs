//! `windrow learn`: what is shown, what comes out, and what is said when nothing can be learned.
//!
//! Which rules are chosen is the learner's to decide; here the records that they give count, and the words around them.

use expect_test::expect;
use serde_json::{Value, json};

use crate::{Folder, check_error, windrow, windrow_on};

const ADS: &str = "testdata/pages/ads/page-1.html";
const AUCTION: &str = "testdata/pages/auction/page-1.html";
const CLASSIFIEDS: &str = "testdata/pages/classifieds/page-1.html";
const RESULTS: &str = "testdata/pages/results/page-1.html";
const RAKE: &str = "testdata/pages/offer/rake.html";
const TWINE: &str = "testdata/pages/offer/twine.html";
const WAGON: &str = "testdata/pages/offer/wagon.html";

/// Learns with these arguments, and extracts from these pages: the records of each.
#[track_caller]
fn learned(name: &str, arguments: &[&str], pages: &[&str]) -> Vec<Value> {
    let folder = Folder::new(&format!("learn-{name}"));
    let rules = folder.path("rules.toml");
    let run = windrow(&[&["learn", "-o", &rules], arguments].concat());
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{}", run.stderr);
    let extract = [&["extract", "-w", &rules, "--format", "jsonl", "--raw", "-q"], pages].concat();
    let run = windrow(&extract);
    let lines = run.stdout.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line is an object"));
    lines.map(|line| without_marks(only_list(&line["data"]))).collect()
}

/// The records of the only list of a page, whatever it is called.
fn only_list(data: &Value) -> &Value {
    data.as_object().and_then(|lists| lists.values().next()).unwrap_or(&Value::Null)
}

/// Records without what they have beside their fields.
fn without_marks(records: &Value) -> Value {
    let mut records = records.clone();
    for record in records.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        record.retain(|label, _| label != "_missing");
    }
    records
}

/// What a run that must succeed says.
#[track_caller]
fn told(arguments: &[&str]) -> String {
    let run = windrow(&[&["learn"], arguments].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.stderr
}

#[test]
fn one_record_shows_the_list() {
    let records =
        learned("list", &[ADS, "--example", "title=Baler twine, 12 rolls", "--example", "price=€ 55"], &[ADS]);
    assert_eq!(
        records,
        [json!([
            {"title": "Two-wheel rake, hardly used", "price": "€ 340"},
            {"title": "Baler twine, 12 rolls", "price": "€ 55"},
            {"title": "Old hay wagon", "price": null},
        ])]
    );
}

#[test]
fn a_part_of_a_text_is_that_part() {
    let example = [AUCTION, "--example", "title=Two milk churns", "--example", "lot=2", "--example", "price=40"];
    let records = learned("part", &example, &[AUCTION]);
    let records = records[0].as_array().unwrap();
    assert_eq!(records[0], json!({"title": "Drum mower", "lot": "1", "price": "1,200"}));
    assert_eq!(records.last(), Some(&json!({"title": "Anvil", "lot": "6", "price": "210"})));
}

#[test]
fn the_rows_of_a_table() {
    let arguments = [RESULTS, "--example", "farm=Lower Weir", "--example", "area=8", "--example", "first=30"];
    let records = learned("table", &arguments, &[RESULTS]);
    assert_eq!(
        records[0].as_array().unwrap()[..3],
        [
            json!({"farm": "Nørregård", "area": "12.5", "first": "41"}),
            json!({"farm": "Lower Weir", "area": "8", "first": "30"}),
            json!({"farm": "Sankt Veit", "area": "21", "first": "77"}),
        ]
    );
}

#[test]
fn lists_inside_the_records() {
    let tags = [ADS, "--example", "title=Two-wheel rake, hardly used", "--example", "tags[]=rakes"];
    let records = learned("tags", &tags, &[ADS]);
    assert_eq!(records[0][0], json!({"title": "Two-wheel rake, hardly used", "tags": ["rakes", "hay"]}));
    assert_eq!(records[0][2], json!({"title": "Old hay wagon", "tags": []}));
    let ads = [CLASSIFIEDS, "--example", "title=Student offers to look after your children"];
    let sites = ["--example", "seen.site=mine.example", "--example", "seen.date=October 28, 2025"];
    let records = learned("sublist", &[&ads[..], &sites].concat(), &[CLASSIFIEDS]);
    let seen: Vec<_> = records[0].as_array().unwrap().iter().map(|it| it["seen"].as_array().unwrap().len()).collect();
    assert_eq!(seen, [3, 1, 2, 2]);
    assert_eq!(records[0][2]["seen"][1], json!({"site": "mine.example", "date": "October 28, 2025"}));
}

#[test]
fn advertisements_between_the_records_stay_out() {
    let arguments =
        [AUCTION, "--example", "title=Two milk churns", "--example", "lot=Lot 2", "--example", "price=€ 40"];
    let records = learned("auction", &arguments, &[AUCTION]);
    assert_eq!(
        records,
        [json!([
            {"title": "Drum mower", "lot": "Lot 1", "price": "€ 1,200"},
            {"title": "Two milk churns", "lot": "Lot 2", "price": "€ 40"},
            {"title": "Hay rake, horse-drawn", "lot": "Lot 3", "price": "€ 210"},
            {"title": "Anvil", "lot": "Lot 4", "price": null},
            {"title": "Potato sorter", "lot": "Lot 5", "price": "€ 310"},
            {"title": "Anvil", "lot": "Lot 6", "price": "€ 210"},
        ])]
    );
}

#[test]
fn counterexamples_stay_out() {
    // Nothing but the titles is shown, and the advertisements have such as well.
    let example = [AUCTION, "--example", "title=Two milk churns"];
    let not = ["--not", "title=Cheap loans for farmers", "--not", "Boots that last"];
    let records = learned("not", &[&example[..], &not].concat(), &[AUCTION]);
    let titles: Vec<_> = records[0].as_array().unwrap().iter().map(|record| record["title"].clone()).collect();
    assert_eq!(titles, ["Drum mower", "Two milk churns", "Hay rake, horse-drawn", "Anvil", "Potato sorter", "Anvil"]);
}

#[test]
fn nodes_and_attributes_are_pointed_at() {
    let arguments = [AUCTION, "--example", "title=@//div[@id='lots']/div[1]/b", "--example", "lot=Lot 1"];
    let link = ["--example", "bid=Bid", "--example", "link=@href of bid"];
    let records = learned("xpath", &[&arguments[..], &link].concat(), &[AUCTION]);
    let records = records[0].as_array().unwrap();
    // Whether the advertisements stay out is another test's.
    let last = json!({"title": "Anvil", "lot": "Lot 6", "bid": "Bid", "link": "/lot/6"});
    assert_eq!(records.last(), Some(&last));
    // An XPath may end at the attribute itself.
    let attribute = [ADS, "--example", "title=Old hay wagon", "--example", "link=@//li[last()]/h2/a/@href"];
    let records = learned("attribute", &attribute, &[ADS]);
    assert_eq!(records[0][1], json!({"title": "Baler twine, 12 rolls", "link": "/ad/102"}));
}

#[test]
fn a_field_given_again_begins_the_next_record() {
    let first = ["--example", "title=Two-wheel rake, hardly used", "--example", "price=€ 340"];
    let second = ["--example", "title=Old hay wagon"];
    let records = learned("two", &[&[ADS], &first[..], &second].concat(), &[ADS]);
    assert_eq!(records[0].as_array().unwrap().len(), 3);
    assert_eq!(records[0][2], json!({"title": "Old hay wagon", "price": null}));
}

#[test]
fn the_record_is_a_node_that_is_given() {
    // Each ad has a list of sites; without a word about records, these are the records.
    let example = [CLASSIFIEDS, "--example", "site=smallads.example", "--example", "date=October 22, 2025"];
    let sites = learned("no-record", &example, &[CLASSIFIEDS]);
    assert_eq!(sites[0].as_array().unwrap().len(), 8);
    assert_eq!(sites[0][7], json!({"site": "smallads.example", "date": "February 16, 2026"}));
    let record = ["--node", "//div[@class='ad'][1]"];
    let ads = learned("record", &[&example[..], &record].concat(), &[CLASSIFIEDS]);
    let sites: Vec<_> = ads[0].as_array().unwrap().iter().map(|record| record["site"].clone()).collect();
    assert_eq!(sites, ["smallads.example", "gumboot.example", "baymarket.example", "redboard.example"]);
}

#[test]
fn a_detail_page_is_the_record() {
    let fields = ["name=Two-wheel rake, hardly used", "price=€ 340", "seller=Nørregård", "weight=410 kg"];
    let mut arguments = vec![RAKE];
    fields.iter().for_each(|field| arguments.extend(["--example", field]));
    let records = learned("detail", &arguments, &[RAKE, TWINE, WAGON]);
    assert_eq!(
        records,
        [
            json!([{"name": "Two-wheel rake, hardly used", "price": "€ 340", "seller": "Nørregård", "weight": "410 kg"}]),
            json!([{"name": "Baler twine, 12 rolls", "price": "€ 55", "seller": "Lower Weir", "weight": "9 kg"}]),
            json!([{"name": "Old hay wagon", "price": "€ 90", "seller": "Sankt Veit", "weight": "890 kg"}]),
        ]
    );
    let said = told(&arguments);
    assert!(said.contains("note: no second record was found: the record is the page"), "{said}");
}

#[test]
fn other_pages_try_the_rules() {
    // The example is on the second page.
    let arguments = [TWINE, RAKE, WAGON, "--page", "--example", "name=Two-wheel rake, hardly used"];
    let more = ["--example", "seller=Nørregård", "--example", "width=6.5 m"];
    let said = told(&[&arguments[..], &more].concat());
    assert_eq!(said.lines().next(), Some("learned: 3 records on 3 pages, 3 fields"));
    assert!(said.contains("  width   2 of 3  \"6.5 m\"\n"), "{said}");
}

#[test]
fn the_summary_and_the_rules() {
    let folder = Folder::new("learn-summary");
    let rules = folder.path("rules.toml");
    let example = ["learn", ADS, "--example", "title=Two-wheel rake, hardly used", "--example", "price=€ 340"];
    let run = windrow(&[&example[..], &["-o", &rules]].concat());
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""));
    assert_eq!(
        folder.hide(&run.stderr),
        "wrote DIR/rules.toml: 3 records, 2 fields\n  \
         title  3 of 3  \"Two-wheel rake, hardly used\"\n  \
         price  2 of 3  \"€ 340\"\n"
    );
    let head = format!("learned = {{ by = \"example\", from = \"{ADS}\", at = 2025-11-16T09:00:00Z }}");
    assert_eq!(folder.read("rules.toml").lines().next(), Some(head.as_str()));
    for output in [&[][..], &["-o", "-"], &["--to", "toml"]] {
        let printed = windrow(&[&example[..], output, &["-q"]].concat());
        assert_eq!((printed.code, printed.stderr.as_str()), (Some(0), ""));
        assert_eq!(printed.stdout, folder.read("rules.toml"));
    }
    let json = folder.path("rules.json");
    assert_eq!(windrow(&[&example[..], &["-o", &json, "-q"]].concat()).stderr, "");
    assert_eq!(windrow(&["fmt", &json, "--to", "toml"]).stdout, folder.read("rules.toml"));
    // What the name says is overruled.
    let other = folder.path("rules.txt");
    assert_eq!(windrow(&[&example[..], &["-o", &other, "--to", "json", "-q"]].concat()).code, Some(0));
    assert_eq!(folder.read("rules.txt"), folder.read("rules.json"));
}

#[test]
fn standard_input_is_a_page() {
    let page = std::fs::read(crate::root().join(ADS)).unwrap();
    let run = windrow_on(&page, &["learn", "-", "--example", "title=Old hay wagon", "-q"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(run.stdout.starts_with("learned = { by = \"example\", from = \"-\""), "{}", run.stdout);
}

#[test]
fn arguments_that_point_at_nothing() {
    check_error(
        &["learn", ADS],
        &expect![[r#"
            learn::no_example

              × no field was shown
              help: show at least one field of one record, as `--example title="its text"`, or give a weblog's feed with --feed
        "#]],
    );
    check_error(
        &["learn", ADS, "--example", "Old hay wagon"],
        &expect![[r#"
        learn::no_field

          × `--example Old hay wagon` does not say which field it shows
          help: write FIELD=VALUE, for instance --example 'title=Old hay wagon'
    "#]],
    );
    check_error(
        &["learn", ADS, "--example", "job title=Old hay wagon"],
        &expect![[r#"
        learn::wrong_name

          × `job title` cannot be the name of a field
           ╭─[--example:1:1]
         1 │ job title=Old hay wagon
           · ────┬────
           ·     ╰── not a name
           ╰────
          help: a name begins with a letter; letters, digits, `_` and `-` follow: --example 'job_title=Old hay wagon'
    "#]],
    );
    check_error(
        &["learn", ADS, "--example", "title="],
        &expect![[r#"
        learn::empty_value

          × the value of `title` is empty
           ╭─[--example:1:7]
         1 │ title=
           ╰────
          help: give the text that the page shows, a part of it, or @XPATH
    "#]],
    );
    check_error(
        &["learn", ADS, "--example", "title=@//h2[contain(., 'hay')]"],
        &expect![[r#"
        xpath::unknown_function

          × unknown function `contain()`
           ╭─[--example:1:13]
         1 │ title=@//h2[contain(., 'hay')]
           ·             ───┬───
           ·                ╰── not an XPath 1.0 function
           ╰────
          help: did you mean `contains()`?
    "#]],
    );
    check_error(
        &["learn", ADS, "--example", "title=Old hay wagon", "--node", "//li["],
        &expect![[r#"
        xpath::unexpected_token

          × expected a step such as `a`, `*`, `@href` or `text()`, found the end of the expression
           ╭─[--node:1:6]
         1 │ //li[
           ╰────
    "#]],
    );
}

#[test]
fn a_text_that_is_not_on_the_page() {
    check_error(
        &["learn", ADS, "--example", "title=Old hay waggon"],
        &expect![[r#"
            learn::not_found

              × `title`: `Old hay waggon` is not on the page
               ╭─[--example:1:7]
             1 │ title=Old hay waggon
               ·       ───────┬──────
               ·              ╰── not on the page
               ╰────
              help: nearest to it on the page:
                      "Old hay wagon", behind "Sow now, save 20 %" (@/html[1]/body[1]/ul[1]/li[4]/h2[1]/a[1]/text()[1])
        "#]],
    );
    let several = ["learn", ADS, AUCTION, "--example", "title=Old hay wagon", "--example", "title=Second-hand plough"];
    check_error(
        &several,
        &expect![[r#"
        learn::not_found

          × `title`: `Second-hand plough` is not on the page
           ╭─[--example:1:7]
         1 │ title=Second-hand plough
           ·       ─────────┬────────
           ·                ╰── on none of the 2 pages
           ╰────
          help: give the text as the page shows it, or an XPath behind `@`
    "#]],
    );
    check_error(
        &["learn", ADS, "--example", "title=Old hay wagon", "--not", "title=Plough"],
        &expect![[r#"
        learn::not_found

          × `title`: `Plough` is not on the page
           ╭─[--not:1:7]
         1 │ title=Plough
           ·       ───┬──
           ·          ╰── not on the page
           ╰────
          help: give the text as the page shows it, or an XPath behind `@`
    "#]],
    );
}

#[test]
fn a_node_that_is_not_on_the_page() {
    check_error(
        &["learn", ADS, "--example", "title=@//h7"],
        &expect![[r#"
        learn::selects_nothing

          × `title`: `//h7` selects nothing on the page
           ╭─[--example:1:7]
         1 │ title=@//h7
           ·       ──┬──
           ·         ╰── selects nothing
           ╰────
          help: `windrow select` shows what an expression finds
    "#]],
    );
    let record = ["learn", ADS, "--example", "title=Old hay wagon", "--node", "//article"];
    check_error(
        &record,
        &expect![[r#"
        learn::selects_nothing

          × `//article` selects nothing on the page
           ╭─[--node:1:1]
         1 │ //article
           · ────┬────
           ·     ╰── selects nothing
           ╰────
          help: `windrow select` shows what an expression finds
    "#]],
    );
}

#[test]
fn attributes_that_are_not_there() {
    let title = ["learn", ADS, "--example", "title=Old hay wagon", "--example"];
    check_error(
        &[&title[..], &["link=@hreff of title"]].concat(),
        &expect![[r#"
        learn::no_attribute

          × `link`: no attribute `hreff` at /html[1]/body[1]/ul[1]/li[4]/h2[1]/a[1], nor around it
           ╭─[--example:1:6]
         1 │ link=@hreff of title
           ·      ───────┬───────
           ·             ╰── no such attribute
           ╰────
          help: there are: `href`
    "#]],
    );
    check_error(
        &[&title[..], &["link=@href of titel"]].concat(),
        &expect![[r#"
        learn::unknown_field

          × `link`: there is no field `titel`
           ╭─[--example:1:6]
         1 │ link=@href of titel
           ·      ───────┬──────
           ·             ╰── refers to a field that is not shown
           ╰────
          help: the other fields of the record are `title`
    "#]],
    );
}

#[test]
fn fields_of_different_lists() {
    let places = "<ul id=a><li><b>Oslo</b><li><b>Rome</b><li><b>Riga</b></ul>";
    let books = "<table id=b><tr><td>Dry grass<td>80<tr><td>Twelve barns<td>111<tr><td>Rain<td>142</table>";
    let folder = Folder::new("learn-apart").with("page.html", &format!("{places}{books}"));
    let page = folder.path("page.html");
    let run = windrow(&["learn", &page, "--example", "city=Rome", "--example", "book=Rain"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{}", run.stderr);
    expect![[r#"
        learn::apart

          × `city` (/html[1]/body[1]/ul[1]/li[2]/b[1]) and `book` (/html[1]/body[1]/table[1]/tbody[1]/tr[3]/td[1]) are in different lists
           ╭─[--example:1:6]
         1 │ city=Rome
           ·      ──┬─
           ·        ╰── /html[1]/body[1]/ul[1]/li[2]/b[1]
         2 │ book=Rain
           ·      ──┬─
           ·        ╰── /html[1]/body[1]/table[1]/tbody[1]/tr[3]/td[1]
           ╰────
          help: show fields of one record, or learn a wrapper for each list
    "#]].assert_eq(&run.stderr);
}

#[test]
fn examples_that_contradict() {
    let shown = ["learn", AUCTION, "--example", "title=Drum mower", "--example", "lot=Lot 1"];
    let other = ["--example", "title=Lot 3", "--example", "lot=€ 210"];
    check_error(
        &[&shown[..], &other].concat(),
        &expect![[r#"
        learn::contradiction

          × `title`: no one rule finds /html[1]/body[1]/div[1]/div[1]/b[1] and /html[1]/body[1]/div[1]/div[4]/i[1]
           ╭─[--example:1:7]
         1 │ title=Drum mower
           ·       ─────┬────
           ·            ╰── /html[1]/body[1]/div[1]/div[1]/b[1]
         2 │ title=Lot 3
           ·       ──┬──
           ·         ╰── /html[1]/body[1]/div[1]/div[4]/i[1]
           ╰────
          help: check the values, or learn a wrapper for each kind of page
    "#]],
    );
    check_error(
        &[&shown[..], &["--not", "title=Drum mower"]].concat(),
        &expect![[r#"
        learn::excluded

          × `title`: /html[1]/body[1]/div[1]/div[1]/b[1] is shown as an example and excluded
           ╭─[--not:1:7]
         1 │ title=Drum mower
           ·       ─────┬────
           ·            ╰── shown and excluded
           ╰────
          help: take one of them back
    "#]],
    );
}

#[test]
fn a_list_that_is_none() {
    check_error(
        &["learn", RAKE, "--list", "--example", "name=Two-wheel rake, hardly used"],
        &expect![[r#"
        learn::no_list

          × there is no second record like /html[1]/body[1]/main[1]/h1[1]
          help: leave out `--as-list` to take the page as the record
    "#]],
    );
}

#[test]
fn an_error_leaves_what_was_there() {
    let folder = Folder::new("learn-kept").with("rules.toml", "before");
    let rules = folder.path("rules.toml");
    let run = windrow(&["learn", ADS, "--example", "title=Plough", "-o", &rules]);
    assert_eq!(run.code, Some(2));
    assert_eq!((folder.read("rules.toml").as_str(), folder.names().len()), ("before", 1));
    let example = ["learn", ADS, "--example", "title=Old hay wagon"];
    check_error(
        &[&example[..], &["-o", "rules.csv"]].concat(),
        &expect![[r#"
        learn::unknown_format

          × the name `rules.csv` does not tell the format of the rules
          help: names end in .toml, .json, .tsimmis, .xml (WTM) or .xpath; else say --to FORMAT
    "#]],
    );
    check_error(
        &["learn", ADS, "missing.html", "--example", "title=Old hay wagon"],
        &expect![[r#"
        page::unreadable

          × cannot read `missing.html`: No such file or directory (os error 2)
    "#]],
    );
    let run = windrow(&[&example[..], &["-o", &folder.path("no/rules.toml")]].concat());
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("output::unwritable"), "{}", run.stderr);
    assert_eq!(windrow(&[&example[..], &["--list", "--page"]].concat()).code, Some(2));
}
