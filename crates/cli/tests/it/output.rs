//! Files that runs write: replaced when all is done, left alone when something went wrong.

use expect_test::expect;

use crate::{Folder, windrow};

const RULES: &str =
    "[list.ads]\nrecords = \"li\"\n[list.ads.field]\ntitle = \"b\"\nprice = { css = \"i\", optional = true }\n";

/// A page with these titles.
fn page(titles: &[&str]) -> String {
    let items: String = titles.iter().map(|title| format!("<li><b>{title}</b><i>3</i></li>")).collect();
    format!("<ul>{items}</ul>")
}

/// A folder with a wrapper, two pages, one without ads, and yesterday's file.
fn folder(name: &str) -> Folder {
    Folder::new(name)
        .with("ads.toml", RULES)
        .with("one.html", &page(&["Hay", "Rake"]))
        .with("two.html", &page(&["Seed"]))
        .with("none.html", "<p>Sold out")
        .with("good.csv", "yesterday\n")
}

/// Extracts from these pages to good.csv; the exit status and what was told.
fn extract(folder: &Folder, pages: &[&str], more: &[&str]) -> (Option<i32>, String) {
    let (rules, good) = (folder.path("ads.toml"), folder.path("good.csv"));
    let pages: Vec<String> = pages.iter().map(|page| folder.path(page)).collect();
    let mut arguments = vec!["extract", "-w", &rules, "-o", &good];
    arguments.extend(pages.iter().map(String::as_str));
    arguments.extend(more);
    let run = windrow(&arguments);
    assert_eq!(run.stdout, "");
    (run.code, folder.hide(&run.stderr))
}

#[test]
fn a_run_that_succeeds_replaces_the_file_and_says_so() {
    let folder = folder("output-good");
    let (code, told) = extract(&folder, &["one.html", "two.html"], &[]);
    assert_eq!((code, told.as_str()), (Some(0), "wrote DIR/good.csv: 3 records, 2 fields\n"));
    assert_eq!(folder.hide(&folder.read("good.csv")).lines().count(), 4);
    assert_eq!(extract(&folder, &["one.html"], &["--quiet"]), (Some(0), String::new()));
    assert_eq!(folder.names(), ["ads.toml", "good.csv", "none.html", "one.html", "two.html"]);
}

#[test]
fn a_run_that_fails_leaves_the_file_and_puts_its_rows_beside_it() {
    let folder = folder("output-failed");
    let (code, told) = extract(&folder, &["one.html", "missing.html", "two.html"], &[]);
    expect![[r#"
        page::unreadable

          × cannot read `DIR/missing.html`: No such file or directory (os error 2)
        error: 1 of 3 pages failed; DIR/good.csv is unchanged, the rows of the other 2 pages are in DIR/good.partial.csv
    "#]]
    .assert_eq(&told);
    assert_eq!((code, folder.read("good.csv").as_str()), (Some(2), "yesterday\n"));
    let rows = folder.hide(&folder.read("good.partial.csv"));
    assert_eq!(rows, "page,title,price\nDIR/one.html,Hay,3\nDIR/one.html,Rake,3\nDIR/two.html,Seed,3\n");
}

#[test]
fn a_run_without_any_row_leaves_the_file() {
    let folder = folder("output-nothing");
    let (code, told) = extract(&folder, &["missing.html"], &["--quiet"]);
    assert_eq!(code, Some(2));
    assert!(told.ends_with("error: the page failed; DIR/good.csv is unchanged\n"), "{told}");
    let (code, told) = extract(&folder, &["none.html"], &[]);
    assert_eq!(code, Some(1));
    assert!(told.ends_with("note: nothing was found; DIR/good.csv is unchanged\n"), "{told}");
    assert_eq!(folder.read("good.csv"), "yesterday\n");
    // An empty file has nothing to lose.
    std::fs::write(folder.path("good.csv"), "").unwrap();
    assert_eq!(extract(&folder, &["none.html"], &["--quiet"]), (Some(1), String::new()));
    assert_eq!(folder.read("good.csv"), "page,title,price\n");
    assert_eq!(folder.names(), ["ads.toml", "good.csv", "none.html", "one.html", "two.html"]);
}

#[test]
fn a_run_with_a_wrong_wrapper_or_an_address_out_of_reach_leaves_the_file() {
    let folder = folder("output-wrong").with("wrong.toml", "[list.ads]\nrecords = \"li[\"\n");
    let (rules, wrong, good) = (folder.path("ads.toml"), folder.path("wrong.toml"), folder.path("good.csv"));
    // Port 9 of this machine: nobody answers there.
    for arguments in [[wrong.as_str(), "one.html"], [rules.as_str(), "http://127.0.0.1:9/"]] {
        let run = windrow(&["extract", "-w", arguments[0], arguments[1], "-o", &good]);
        assert_eq!((run.code, folder.read("good.csv").as_str()), (Some(2), "yesterday\n"), "{}", run.stderr);
    }
    assert!(!folder.names().iter().any(|name| name.contains("partial") || name.contains("tmp")));
}

#[test]
fn a_result_that_is_not_whole_is_put_beside_the_file() {
    let folder = folder("output-strict").with("half.html", "<ul><li><b>Hay</b><li>no title</ul>");
    let (code, told) = extract(&folder, &["half.html", "two.html"], &["--strict"]);
    assert_eq!((code, folder.read("good.csv").as_str()), (Some(2), "yesterday\n"));
    let end = "error: 1 of 2 pages is not whole; DIR/good.csv is unchanged, the rows that were found are in DIR/good.partial.csv\n";
    assert!(told.ends_with(end), "{told}");
}

#[test]
fn directories_of_files_are_treated_alike() {
    let folder = folder("output-directory");
    let (rules, tables) = (folder.path("ads.toml"), folder.path("tables"));
    let run = |pages: &[&str]| {
        let pages: Vec<String> = pages.iter().map(|page| folder.path(page)).collect();
        let mut arguments = vec!["extract", "-w", &rules, "--csv-dir", &tables];
        arguments.extend(pages.iter().map(String::as_str));
        let run = windrow(&arguments);
        (run.code, folder.hide(run.stderr.lines().last().unwrap_or_default()))
    };
    assert_eq!(run(&["one.html"]), (Some(0), "wrote DIR/tables: 2 records, 2 fields".to_owned()));
    let before = folder.read("tables/ads.csv");
    let message = "error: 1 of 2 pages failed; DIR/tables is unchanged, the rows of the other page are in the .partial files in DIR/tables";
    assert_eq!(run(&["two.html", "missing.html"]), (Some(2), message.to_owned()));
    assert_eq!(folder.read("tables/ads.csv"), before);
    assert!(folder.read("tables/ads.partial.csv").contains("Seed"));
    assert_eq!(run(&["none.html"]).0, Some(1));
    assert_eq!(folder.read("tables/ads.csv"), before);
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_the_file() {
    let folder = folder("output-interrupt");
    let (rules, good, pipe) = (folder.path("ads.toml"), folder.path("good.csv"), folder.path("pipe.html"));
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let one = folder.path("one.html");
    // Nobody writes to the pipe, so the run waits for its second page.
    let mut child = crate::command(&["extract", "-w", &rules, "-o", &good, &one, &pipe]).spawn().unwrap();
    while !folder.names().iter().any(|name| name.ends_with(".tmp")) {
        std::thread::yield_now();
    }
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(folder.read("good.csv"), "yesterday\n");
    assert!(!folder.names().iter().any(|name| name.ends_with(".tmp")), "{:?}", folder.names());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let folder = folder("output-full");
    let run = windrow(&[
        "extract",
        "-w",
        &folder.path("ads.toml"),
        &folder.path("one.html"),
        "-o",
        "/dev/full",
        "--format",
        "csv",
    ]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("cannot write the output: No space left"), "{}", run.stderr);
}

#[test]
fn other_commands_leave_their_files_when_they_fail() {
    let folder = folder("output-others").with("wrong.toml", "[list.ads\n");
    let (page, none, good) = (folder.path("one.html"), folder.path("none.html"), folder.path("good.csv"));
    let (wrong, rules, missing) = (folder.path("wrong.toml"), folder.path("ads.toml"), folder.path("missing.html"));
    let store = folder.path("ads.db");
    assert_eq!(windrow(&["extract", "-w", &rules, &none, "--into", &store]).code, Some(1));
    let (old, pages) = (folder.path("old.toml"), folder.path("old.html"));
    std::fs::write(&old, "yesterday").unwrap();
    std::fs::write(&pages, "yesterday").unwrap();
    for (code, arguments) in [
        (2, &["discover", missing.as_str(), "-o", good.as_str()][..]),
        (1, &["discover", &none, "-o", &good]),
        (1, &["discover", &none, "-o", &old]),
        (2, &["learn", "--example", "title=Nowhere", &page, "-o", &old]),
        (2, &["fmt", &wrong, "-o", &old]),
        (1, &["export", &store, "-o", &good]),
        (2, &["export", &store, "nowhere", "-o", &good]),
        (2, &["repair", &rules, &missing, "--store", &store, "-o", &old]),
        (2, &["versions", &store, "nowhere", "--put-back", "1", "-o", &old]),
        (2, &["report", &store, "-o", &pages]),
        (2, &["crawl", "http://127.0.0.1:9/", "-w", &rules, "-o", &good, "--retries", "0", "--delay", "0"]),
    ] {
        let run = windrow(arguments);
        assert_eq!(run.code, Some(code), "{arguments:?}: {}", run.stderr);
        assert_eq!((folder.read("good.csv").as_str(), folder.read("old.toml").as_str()), ("yesterday\n", "yesterday"));
        assert_eq!(folder.read("old.html"), "yesterday");
    }
    let run = windrow(&["export", &store, "-o", &good]);
    assert_eq!(folder.hide(&run.stderr), "note: no rows of ads; DIR/good.csv is unchanged\n");
    assert!(!folder.names().iter().any(|name| name.contains("partial") || name.contains("tmp")));
}

#[test]
fn a_failed_audit_puts_its_findings_beside_the_file() {
    let folder = folder("output-audit").with("x.rules", "R1: E.title = \"Hay\" -> Suspect [0.9]\n");
    let (rules, wrapper, good) = (folder.path("x.rules"), folder.path("ads.toml"), folder.path("good.csv"));
    let (one, two, missing) = (folder.path("one.html"), folder.path("two.html"), folder.path("missing.html"));
    let run = |pages: &[&str]| {
        let run = windrow(&[&["audit", "--rules", &rules, "-w", &wrapper, "-o", &good], pages].concat());
        (run.code, folder.hide(run.stderr.lines().last().unwrap_or_default()))
    };
    let message =
        "error: some pages failed; DIR/good.csv is unchanged, the findings of the others are in DIR/good.partial.csv";
    assert_eq!(run(&[&one, &missing]), (Some(2), message.to_owned()));
    assert_eq!(run(&[&two]), (Some(1), "note: there are no findings; DIR/good.csv is unchanged".to_owned()));
    assert_eq!(folder.read("good.csv"), "yesterday\n");
    assert_eq!(run(&[&one]), (Some(0), "wrote DIR/good.csv: 1 finding".to_owned()));
}

#[test]
fn a_record_is_one_row_of_csv_whatever_is_inside_it() {
    let page = "<article><h2>Inn</h2><em>old</em><em>red; blue</em>\
        <p><b>Single</b><i>80 EUR</i><p><b>Double|twin</b><i>120 EUR</i></article><article><h2>Barn</h2></article>";
    let rules = "[list.hotels]\nrecords = \"article\"\nfield.name = \"h2\"\nlist.words = { records = \"em\", optional = true }\n\
        [list.hotels.list.rooms]\nrecords = \"p\"\noptional = true\nfield = { kind = \"b\", price = { css = \"i\", type = \"money\" } }\n";
    let folder = Folder::new("output-csv").with("inn.html", page).with("inn.toml", rules);
    let run = windrow(&["extract", "-w", &folder.path("inn.toml"), &folder.path("inn.html"), "--format", "csv"]);
    expect![[r#"
        page,name,words,rooms
        DIR/inn.html,Inn,old; red\; blue,Single | 80 EUR; Double\|twin | 120 EUR
        DIR/inn.html,Barn,,
    "#]]
    .assert_eq(&folder.hide(&run.stdout));
    let note = "note: lists `words`, `rooms` (kind | price) are joined into one cell per record; for tables of their own, use --csv-dir DIR\n";
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), note));
}

#[test]
fn a_field_that_most_records_lack_is_told_once() {
    let items: String =
        (0..8).map(|at| format!("<li><b>Ad {at}</b>{}</li>", if at < 2 { "<i>3</i>" } else { "" })).collect();
    let folder = folder("output-empty").with("half.html", &format!("<ul>{items}</ul>"));
    let arguments = ["extract", "-w", &folder.path("ads.toml"), &folder.path("half.html"), "--format", "csv"];
    let run = windrow(&arguments);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), "note: `price` is empty in 6 of 8 records\n"));
    assert_eq!(windrow(&[&arguments[..], &["--quiet"]].concat()).stderr, "");
}

#[test]
fn ten_warnings_of_a_run_are_printed() {
    let items = "<li><i>3</i></li>".repeat(40);
    let folder = folder("output-warnings").with("untitled.html", &format!("<ul>{items}</ul>"));
    let arguments = ["extract", "-w", &folder.path("ads.toml"), &folder.path("untitled.html"), "--format", "jsonl"];
    let run = windrow(&arguments);
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert_eq!(lines.len(), 12, "{}", run.stderr);
    assert!(lines[..10].iter().all(|line| line.starts_with("warning: ")));
    assert_eq!(lines[10], "… and 30 more notes; --explain shows all");
    assert_eq!(lines[11], "note: `title` is empty in 40 of 40 records");
    let all = windrow(&[&arguments[..], &["--explain"]].concat());
    assert_eq!(all.stderr.lines().filter(|line| line.starts_with("warning: ")).count(), 40);
}

#[test]
fn pages_that_are_kept_are_one_line_together() {
    let folder = Folder::new("output-kept");
    let source = std::fs::read_to_string(crate::root().join("testdata/domain/hay-rake.html")).unwrap();
    let mut pages = Vec::new();
    for number in 0..12 {
        let name = format!("{number}.html");
        std::fs::write(folder.path(&name), &source).unwrap();
        pages.push(folder.path(&name));
    }
    let store = folder.path("x.db");
    let mut arguments = vec!["extract", "--domain", "product", "--each", "--into", &store];
    arguments.extend(pages.iter().map(String::as_str));
    let run = windrow(&arguments);
    assert_eq!(run.stderr.matches("data-rich").count(), 1, "{}", run.stderr);
    assert!(run.stderr.contains("\n12 pages: 12 data-rich; 12 records\nkept in "), "{}", run.stderr);
    arguments.extend(["--refresh", "--explain"]);
    let run = windrow(&arguments);
    assert_eq!(run.stderr.matches("data-rich").count(), 13, "{}", run.stderr);
}

#[test]
fn a_table_shows_a_screen_and_counts_the_rest() {
    let folder = Folder::new("output-table");
    let rows: String = (0..30)
        .map(|row| {
            let cells: String =
                (0..12).map(|column| format!("<td>row {row} has a cell in column {column}</td>")).collect();
            format!("<tr>{cells}</tr>")
        })
        .collect();
    let folder = folder.with("wide.html", &format!("<table>{rows}</table>"));
    let path = folder.path("wide.html");
    let columns: Vec<String> = (1..=12).map(|at| format!("c{at}=td[{at}]")).collect();
    let run = |more: &[&str]| {
        let mut arguments = vec!["select", &path, "--each", "//tr"];
        arguments.extend(columns.iter().map(String::as_str));
        arguments.extend(more);
        windrow(&arguments).stdout
    };
    let table = run(&[]);
    assert!(table.lines().all(|line| line.chars().count() <= 100), "{table}");
    assert!(table.ends_with("+9 columns and 10 more rows; --format csv shows all\n"), "{table}");
    assert_eq!(table.lines().count(), 20 + 5);
    assert!(run(&["--rows", "2"]).ends_with("+9 columns and 28 more rows; --format csv shows all\n"));
    assert!(run(&["--rows", "all"]).ends_with("+9 columns; --format csv shows all\n"));
}
