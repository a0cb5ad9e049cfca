//! `windrow discover`: lists that nobody has described, in every format, and the wrappers that find them.
//!
//! What the learner finds on real pages is shown for two of `testdata/pages`; all else is tested on a page whose list
//! cannot be mistaken.

use expect_test::expect;
use serde_json::{Value, json};

use crate::{Folder, check, check_error, windrow, windrow_on};

const ADS: &str = "testdata/pages/ads/page-1.html";
const RESULTS: &str = "testdata/pages/results/page-1.html";
const CLASSIFIEDS: &str = "testdata/pages/classifieds/page-1.html";

/// Six records of three fields, one of them not always there.
fn page() -> String {
    let cities = [("Oslo", "5", Some("Rain")), ("Rome", "21", None), ("Riga", "7", Some("Fog"))];
    let cities = cities.into_iter().chain([("Bern", "11", Some("Sun")), ("Vaduz", "9", None), ("Paris", "14", None)]);
    let records = cities.map(|(city, degrees, sky)| {
        let sky = sky.map(|sky| format!("<i class=sky>{sky}</i>")).unwrap_or_default();
        format!("<li class=city><b class=name>{city}</b> <span class=degrees>{degrees}</span> {sky}</li>\n")
    });
    format!("<!DOCTYPE html><title>Weather</title><h1>Weather</h1><ul>\n{}</ul>", records.collect::<String>())
}

fn folder(name: &str) -> Folder {
    Folder::new(name).with("page.html", &page()).with("none.html", "<h1>Nothing</h1><p>is repeated here.")
}

/// The JSON that a run prints, which must find something.
#[track_caller]
fn parsed(arguments: &[&str]) -> Value {
    let run = windrow(arguments);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    serde_json::from_str(&run.stdout).expect("one JSON value")
}

/// What the records of the main list say, whatever their fields are called.
fn texts(page: &Value) -> Vec<Vec<&str>> {
    let records = page["lists"][0]["records"].as_array().unwrap();
    let values = records.iter().map(|record| record.as_object().unwrap().values());
    values.map(|values| values.filter_map(Value::as_str).collect()).collect()
}

#[test]
fn the_records_of_the_ads() {
    // Known to be wrong: the wagon has a text, but no price in front of it, and the text is looked for by position.
    check(
        &["discover", "--format", "json", "--raw", ADS],
        &expect![[r#"
            {
              "page": "testdata/pages/ads/page-1.html",
              "lists": [
                {
                  "name": "tractors_and_tools",
                  "records": [
                    {
                      "name": "Two-wheel rake, hardly used",
                      "name_link": "/ad/101",
                      "price": "€ 340",
                      "text": "Folds for the road. Pick up near Tønder.",
                      "tags": [
                        "rakes",
                        "hay"
                      ]
                    },
                    {
                      "name": "Baler twine, 12 rolls",
                      "name_link": "/ad/102",
                      "price": "€ 55",
                      "text": "Sisal. Dry store, no mice.",
                      "tags": [
                        "hay"
                      ]
                    },
                    {
                      "name": "Old hay wagon",
                      "name_link": "/ad/103?ref=list&pos=3",
                      "price": null,
                      "text": "To give away: needs a new floor & one wheel.",
                      "tags": []
                    }
                  ]
                }
              ]
            }
        "#]],
    );
}

#[test]
fn the_rows_of_the_results() {
    // Known to be wrong: the header is not used for names, and the first cell is there twice.
    check(
        &["discover", "--format", "csv", RESULTS],
        &expect![[r#"
            page,farm,farm_link,hectares,first_cut,second_cut
            testdata/pages/results/page-1.html,Nørregård,/yard/7,12.5,41,28
            testdata/pages/results/page-1.html,Lower Weir,/yard/9,8,30,
            testdata/pages/results/page-1.html,Sankt Veit,/yard/12,21,77,49
            testdata/pages/results/page-1.html,Total,,41.5,148,77
        "#]],
    );
    check(
        &["discover", "--format", "table", RESULTS],
        &expect![[r#"
            ┌────────────┬───────────┬──────────┬───────────┬────────────┐
            │ farm       ┆ farm_link ┆ hectares ┆ first_cut ┆ second_cut │
            ╞════════════╪═══════════╪══════════╪═══════════╪════════════╡
            │ Nørregård  ┆ /yard/7   ┆     12.5 ┆        41 ┆         28 │
            │ Lower Weir ┆ /yard/9   ┆        8 ┆        30 ┆            │
            │ Sankt Veit ┆ /yard/12  ┆       21 ┆        77 ┆         49 │
            │ Total      ┆           ┆     41.5 ┆       148 ┆         77 │
            └────────────┴───────────┴──────────┴───────────┴────────────┘
        "#]],
    );
}

#[test]
fn one_page_is_an_object_and_several_are_an_array() {
    let folder = folder("discover-json");
    let (path, none) = (folder.path("page.html"), folder.path("none.html"));
    let one = parsed(&["discover", "--format", "json", "--raw", &path]);
    assert_eq!(one["page"], json!(path));
    assert_eq!(one["lists"].as_array().unwrap().len(), 1);
    let rows = texts(&one);
    assert_eq!(rows.len(), 6);
    assert_eq!((rows[0].as_slice(), rows[1].as_slice()), (["Oslo", "5", "Rain"].as_slice(), ["Rome", "21"].as_slice()));
    for record in one["lists"][0]["records"].as_array().unwrap() {
        assert_eq!(record.as_object().unwrap().len(), 3, "every record has every field: {record}");
    }

    let run = windrow(&["discover", "--format", "json", "--raw", &path, &none, &path]);
    assert_eq!(run.code, Some(0));
    assert_eq!(folder.hide(&run.stderr), "note: DIR/none.html: no list of records found\n");
    let several: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(several, json!([one, {"page": none, "lists": []}, one]));
}

#[test]
fn many_pages_keep_their_order() {
    let mut folder = Folder::new("discover-many");
    for number in 0..40 {
        folder = folder.with(&format!("{number:02}.html"), &page().replace("Oslo", &format!("Oslo {number}")));
    }
    let run = |threads: &str| windrow(&["discover", "-j", threads, "--raw", folder.0.to_str().unwrap()]);
    let (one, four) = (run("1"), run("4"));
    assert_eq!(one, four);
    assert_eq!(one.code, Some(0));
    for (number, line) in one.stdout.lines().enumerate() {
        let page: Value = serde_json::from_str(line).unwrap();
        assert_eq!(texts(&page)[0][0], format!("Oslo {number}"));
    }
    assert_eq!(one.stdout.lines().count(), 40);
}

#[test]
fn all_lists_have_names_of_their_own() {
    let books = ["The rake and its makers", "A year of rain", "Wagons of the north", "Dry grass", "Twelve barns"];
    let books = books.iter().enumerate().map(|(number, title)| {
        format!("<tr><td><a href=/book/{number}>{title}</a><td>{} pages<td>€ {}.50", number * 31 + 80, number + 9)
    });
    let both = format!("{}<h2>Books</h2><table>{}</table>", page(), books.collect::<String>());
    let folder = Folder::new("discover-all").with("page.html", &both);
    let path = folder.path("page.html");
    let page = parsed(&["discover", "--all", "--format", "jsonl", &path]);
    let main = parsed(&["discover", "--format", "jsonl", &path]);
    let lists = page["lists"].as_array().unwrap();
    assert!((2..=10).contains(&lists.len()), "{}", lists.len());
    assert_eq!(lists[0], main["lists"][0]);
    let mut names: Vec<&str> = lists.iter().map(|list| list["name"].as_str().unwrap()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), lists.len());
}

#[test]
fn written_rules_find_the_same_records() {
    let folder = folder("discover-rules");
    let path = folder.path("page.html");
    let found = parsed(&["discover", "--format", "jsonl", &path]);
    let rules = folder.path("rules.toml");
    let run = windrow(&["discover", &path, "-o", &rules]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""));
    assert_eq!(folder.hide(&run.stderr), "wrote DIR/rules.toml: 6 records, 3 fields\n");
    let extracted = parsed(&["extract", "-w", &rules, "--format", "jsonl", &path]);
    assert_eq!(extracted["data"]["weather"], found["lists"][0]["records"]);
    let learned = format!("learned = {{ by = \"discover\", from = \"{path}\" }}");
    assert_eq!(folder.read("rules.toml").lines().next(), Some(learned.as_str()));
    let printed = windrow(&["discover", &path, "--format", "toml"]);
    assert_eq!((printed.code, printed.stderr.as_str()), (Some(0), ""));
    assert_eq!(printed.stdout, folder.read("rules.toml"));
}

#[test]
fn records_go_to_files_in_the_format_of_their_names() {
    let folder = folder("discover-records");
    let path = folder.path("page.html");
    for (name, format) in [
        ("a.csv", "csv"),
        ("a.json", "json"),
        ("a.jsonl", "jsonl"),
        ("a.ndjson", "jsonl"),
        ("a.xml", "xml"),
        ("a.oem", "oem"),
        ("a.txt", "table"),
    ] {
        let run = windrow(&["discover", &path, "-o", &folder.path(name)]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""));
        assert_eq!(folder.hide(&run.stderr), format!("wrote DIR/{name}: 6 records, 3 fields\n"));
        assert_eq!(folder.read(name), windrow(&["discover", &path, "--format", format]).stdout);
    }
    let printed = windrow(&["discover", &path, "-o", "-"]);
    assert_eq!(printed.stdout, windrow(&["discover", &path]).stdout, "`-` is standard output");
}

#[test]
fn a_wrapper_has_all_lists() {
    let folder = folder("discover-all-lists");
    let rules = folder.path("rules.toml");
    let run = windrow(&["discover", "--all", ADS, "-o", &rules]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""));
    let all = parsed(&["discover", "--all", "--format", "jsonl", ADS]);
    let run = windrow(&["extract", "-w", &rules, "--format", "jsonl", "-q", "--raw", ADS]);
    let extracted: Value = serde_json::from_str(&run.stdout).unwrap();
    let names = |lists: &Value| lists.as_array().unwrap().iter().map(|list| list["name"].clone()).collect::<Vec<_>>();
    let labels: Vec<Value> = extracted["data"].as_object().unwrap().keys().map(|label| json!(label)).collect();
    assert_eq!(labels, names(&all["lists"]));
}

#[test]
fn a_page_without_a_list_says_so() {
    let folder = folder("discover-none");
    let none = folder.path("none.html");
    let run = |arguments: &[&str]| {
        let run = windrow(&[&["discover", none.as_str()], arguments].concat());
        (run.code, folder.hide(&run.stdout), folder.hide(&run.stderr))
    };
    let note = "note: DIR/none.html: no list of records found\n".to_owned();
    let object = "{\"page\":\"DIR/none.html\",\"lists\":[]}\n".to_owned();
    assert_eq!(run(&[]), (Some(1), object.clone(), note.clone()));
    assert_eq!(run(&["-q"]), (Some(1), object, String::new()));
    assert_eq!(run(&["--format", "table"]), (Some(1), String::new(), note.clone()));
    assert_eq!(run(&["--format", "csv"]), (Some(1), "page\n".to_owned(), note));
    let rules = folder.path("rules.toml");
    let note = "note: DIR/none.html: no list of records found; DIR/rules.toml is not written\n".to_owned();
    assert_eq!(run(&["-o", &rules]), (Some(1), String::new(), note));
    assert_eq!(folder.names(), ["none.html", "page.html"]);
}

#[test]
fn standard_input_and_charsets() {
    let mut bytes = page().replace("Paris", "Malm?").into_bytes();
    // ö in windows-1252, of which the page says nothing.
    let at = bytes.iter().position(|byte| *byte == b'?').unwrap();
    bytes[at] = 0xf6;
    let run = windrow_on(&bytes, &["discover", "--charset", "windows-1252", "--format", "jsonl", "-"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let page: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&page["page"], texts(&page)[5][0]), (&json!("-"), "Malmö"));
}

#[test]
fn what_cannot_be_asked() {
    check_error(
        &["discover", ADS, RESULTS, "-o", "rules.toml"],
        &expect![[r#"
            discover::one_page

              × a wrapper is learned from one page, and there are several
              help: learn from one page, then: windrow extract -w rules.toml PAGE...
        "#]],
    );
    check_error(
        &["discover", ADS, "-o", "records.parquet"],
        &expect![[r#"
            discover::unknown_format

              × the name `records.parquet` does not tell what to write
              help: records: .csv, .json, .jsonl, .ndjson, .xml, .oem or .txt (table); the wrapper that finds them: .toml, .tsimmis or .xpath
        "#]],
    );
    check_error(
        &["discover", ADS, "-o", "rules.toml", "--format", "jsonl"],
        &expect![[r#"
            discover::wrapper_or_records

              × `rules.toml` is the name of a wrapper, and --format jsonl is a form of records
              help: write the wrapper first: windrow discover PAGE -o rules.toml, then the records: windrow extract -w rules.toml PAGE --format jsonl
        "#]],
    );
    check_error(
        &["discover", ADS, RESULTS, "--format", "csv"],
        &expect![[r#"
        discover::one_list

          × CSV has one header, and every list has columns of its own
          help: give one page without --all, or another format; for many pages of one kind: windrow discover PAGE -o rules.toml, then windrow extract -w rules.toml PAGE... --format csv
    "#]],
    );
    check_error(
        &["discover", "missing.html", "--format", "json"],
        &expect![[r#"
        page::unreadable

          × cannot read `missing.html`: No such file or directory (os error 2)
    "#]],
    );
    let folder = Folder::new("discover-format");
    let run = windrow(&["discover", ADS, "-o", &folder.path("rules.tsimmis")]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("wrapper::not_expressible"), "{}", run.stderr);
    assert!(folder.names().is_empty());
}

#[test]
fn what_lost_is_told_behind_the_records() {
    let run = windrow(&["discover", CLASSIFIEDS, "--format", "csv", "--explain"]);
    assert_eq!(run.code, Some(0));
    assert_eq!(run.stdout, windrow(&["discover", CLASSIFIEDS, "--format", "csv"]).stdout);
    let cuts: Vec<&str> = run.stderr.split("\n\n").collect();
    // The header, the one that was taken, the best of the others, and how many more.
    assert_eq!(cuts.len(), 1 + 1 + 8 + 1, "{}", run.stderr);
    expect![[r#"
        note: list `published_in` (name | name_link | date) is joined into one cell per record; for a table of its own, use `discover -o rules.toml`, then `extract -w rules.toml --csv-dir DIR`
        explain: testdata/pages/classifieds/page-1.html: 29 ways of cutting it into records, the best first

           1  11.7  taken as `results`; right with a probability of 0.86
              4 records; each begins with a node of one kind and ends before the next
              /html[1]/body[1]/div[3]/div[3]
              "Jobs and services / Services / Babysitter Babysitter for two boys, eve…"

           2  10.8  -0.9, another cut of the same part of the page; right with a probability of 0.77
              4 records; each ends with a node of one kind
              /html[1]/body[1]/div[3]/text()[1]
              "Insure your household help from 9 a month 4 ads found. Sort by date or…"
                -0.7  its records are built less alike (0.5 against 0.25)
                -0.2  what one record has, fewer others have (0.89 against 0.97)
                -0.2  its values differ more from record to record (0.79 against 0.75)
                +0.3  all else"#]]
    .assert_eq(&cuts[..3].join("\n\n"));
    assert!(cuts.last().unwrap().trim().ends_with("--all shows them"), "{}", run.stderr);

    let all = windrow(&["discover", CLASSIFIEDS, "--all", "--explain", "--format", "toml"]);
    assert!(all.stdout.starts_with("learned"), "{}", all.stdout);
    assert!(all.stderr.matches("taken as `results").count() >= 1, "{}", all.stderr);
    assert!(all.stderr.split("\n\n").count() > cuts.len(), "{}", all.stderr);
    let quiet = windrow(&["discover", CLASSIFIEDS, "--format", "csv", "--explain", "-q"]);
    assert_eq!((quiet.code, quiet.stderr.as_str()), (Some(0), ""));
}

#[test]
fn what_lost_is_a_member_of_the_json() {
    let page = parsed(&["discover", CLASSIFIEDS, "--format", "json", "--explain"]);
    let plain = parsed(&["discover", CLASSIFIEDS, "--format", "json"]);
    assert_eq!(page["lists"], plain["lists"]);
    assert_eq!(plain.get("considered"), None);
    let considered = page["considered"].as_array().unwrap();
    assert_eq!(considered.len(), 9);
    let first = &considered[0];
    assert_eq!((&first["list"], &first["records"], &first["dropped"]), (&json!("results"), &json!(4), &json!(0)));
    assert_eq!(first["division"], json!("starts"));
    assert!(first["text"].as_str().unwrap().starts_with("Jobs and services / Services / Babysitter"), "{first}");
    for cut in considered {
        // The score is the sum of the evidence.
        let evidence = cut["evidence"].as_array().unwrap().iter();
        let sum: f64 = evidence.map(|it| it["value"].as_f64().unwrap() * it["weight"].as_f64().unwrap()).sum();
        assert!((sum - cut["score"].as_f64().unwrap()).abs() < 0.1, "{cut}");
    }
    let scores: Vec<f64> = considered.iter().map(|cut| cut["score"].as_f64().unwrap()).collect();
    assert!(scores.is_sorted_by(|one, two| one >= two), "{scores:?}");
}

#[test]
fn a_page_without_a_list_is_explained_too() {
    let menu = "<nav><ul><li><a href=/>Home</a><li><a href=/a>About</a><li><a href=/c>Contact</a></ul></nav>";
    let article = "<article><h1>Hay</h1><p>Grass is cut, dried and raked into rows.</article>";
    let run = windrow_on(format!("{menu}{article}").as_bytes(), &["discover", "-", "--format", "table", "--explain"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
    expect![[r#"
        note: -: no list of records found
        explain: -: 2 ways of cutting it into records, the best first

           1  -2.5  not taken; right with a probability of 0.17
              3 records; each is one node
              /html[1]/body[1]/nav[1]/ul[1]/li[1]
              "Home"
                -4.4  in a menu, footer or aside (1)
                -4.1  its values differ more from record to record (1)
                -3.0  more of it is links (1)

           2  -3.4  not taken; right with a probability of 0.17
              3 records; each is one node
              /html[1]/body[1]/nav[1]/ul[1]/li[1]/a[1]
              "Home"
                -4.4  in a menu, footer or aside (1)
                -4.1  its values differ more from record to record (1)
                -3.0  more of it is links (1)
    "#]]
    .assert_eq(&run.stderr);
    let run = windrow_on(b"<h1>Hay</h1>", &["discover", "-", "--format", "table", "--explain"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("nothing on this page is repeated"), "{}", run.stderr);
}

/// Codes, ranges and amounts of unknown currency are what they were on the page, in the output and in a store.
#[test]
fn types_that_would_lose_something_are_not_chosen() {
    let rows = [
        ("Rake", "02139", "4006381333931", "10–12", "$5", "€ 12.50", "7"),
        ("Wagon", "10001", "0012345678905", "20–30", "$12", "€ 8.00", "12"),
        ("Twine", "60614", "9783161484100", "3–4", "$7", "€ 1,299.00", "130"),
        ("Fork", "75001", "4011200296908", "5–6", "$9", "€ 3.20", "9"),
    ];
    let rows = rows.map(|(name, zip, ean, range, dollars, euros, left)| {
        format!(
            "<tr><td><b>{name}</b></td><td>{zip}</td><td>{ean}</td><td>{range}</td><td>{dollars}</td>\
             <td>{euros}</td><td>{left}</td></tr>"
        )
    });
    let head = "<tr><th>Name<th>Place<th>Article<th>Days<th>Fee<th>Price<th>Left</tr>";
    let page = format!("<table><caption>Stock</caption>{head}{}</table>", rows.concat());
    let folder = Folder::new("lossless").with("stock.html", &page);
    let (rules, path, store) = (folder.path("rules.toml"), folder.path("stock.html"), folder.path("s.db"));
    assert_eq!(windrow(&["discover", &path, "-o", &rules]).code, Some(0));
    let printed = windrow(&["extract", "-w", &rules, &path, "--format", "jsonl"]);
    let printed: serde_json::Value = serde_json::from_str(&printed.stdout).unwrap();
    assert_eq!(
        printed["data"]["stock"][0],
        json!({
            "name": "Rake", "place": "02139", "article": "4006381333931", "days": "10–12", "fee": "$5",
            "price": {"amount": 12.5, "currency": "EUR"}, "left": 7
        })
    );
    assert_eq!(windrow(&["extract", "-w", &rules, &path, "--into", &store]).code, Some(0));
    let kept =
        windrow(&["query", &store, "select place, article, days, fee from stock_now order by _id", "--format", "csv"]);
    assert!(kept.stdout.contains("02139,4006381333931,10–12,$5\n10001,0012345678905"), "{}", kept.stdout);
}
