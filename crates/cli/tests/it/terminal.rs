//! Nothing that a page, a file's name or a long line holds reaches the terminal as it is.

use crate::{Folder, Run, windrow, windrow_on};

/// Renames a terminal's window, and what makes a text read backwards.
const BAD: &str = "\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}";

/// Checks that a run printed only what a terminal shows.
#[track_caller]
fn check_safe(run: &Run, stdout: bool) {
    let texts = [Some(&run.stderr), stdout.then_some(&run.stdout)];
    for text in texts.into_iter().flatten() {
        let bad = |letter: char| letter != '\n' && letter != '\t' && letter.is_control() || letter == '\u{202e}';
        assert!(!text.contains(bad), "{text:?}");
    }
}

fn folder(name: &str) -> Folder {
    let item = format!("<li><b>Hay{BAD}</b><i>no number{BAD}</i><a href='/x{BAD}'>x</a></li>");
    let page = format!("<title>A{BAD}</title><h1>B{BAD}</h1><ul>{}</ul>", item.repeat(6));
    let rules = "[list.ads]\nrecords = \"li\"\n[list.ads.field]\ntitle = \"b\"\nprice = { css = \"i\", type = \"number\" }\nnone = \"em\"\n";
    Folder::new(name).with("page.html", &page).with(&format!("{BAD}.html"), &page).with("ads.toml", rules)
}

#[test]
fn tables_warnings_and_notes_are_safe() {
    let folder = folder("terminal-tables");
    let rules = folder.path("ads.toml");
    for name in ["page.html".to_owned(), format!("{BAD}.html")] {
        let page = folder.path(&name);
        for arguments in [
            &["extract", "-w", &rules, &page, "--format", "table"][..],
            &["extract", "-w", &rules, &page, "--explain"],
            &["extract", "-w", &rules, &page, &page, "--format", "table"],
            &["extract", "--domain", "product", &page, "--format", "table"],
            &["discover", &page, "--format", "table"],
            &["discover", &page, &page, "--format", "table"],
            &["discover", &page, "--explain", "--format", "table"],
            &["select", &page, "//b", "--path"],
            &["select", "-e", "//b", &page, &page],
            &["dom", &page],
            &["show", &rules, &page],
        ] {
            check_safe(&windrow(arguments), true);
        }
        check_safe(&windrow(&["extract", "-w", &rules, &page, "--format", "jsonl"]), false);
        check_safe(&windrow(&["feed", &page]), false);
        check_safe(&windrow(&["learn", "--example", &format!("a=Nowhere{BAD}"), &page]), false);
        check_safe(&windrow(&["learn", "--example", &format!("a=Hay{BAD}"), &page, "-o", "-"]), false);
    }
    let run = windrow(&["extract", "-w", &rules, &folder.path("page.html"), "--format", "jsonl"]);
    assert!(run.stderr.contains("\\u{1b}]0;owned"), "{}", run.stderr);
}

#[test]
fn errors_are_safe() {
    let folder =
        folder("terminal-errors").with("wrong.toml", &format!("# {BAD}\n[list.ads]\nrecords = \"li[{BAD}\"\n"));
    let (rules, page) = (folder.path("ads.toml"), folder.path("page.html"));
    let (missing, bad) = (folder.path(&format!("missing{BAD}")), format!("//b[{BAD}"));
    for arguments in [
        &["extract", "-w", &rules, &missing][..],
        &["extract", "-w", &missing, &page],
        &["extract", "-w", &folder.path("wrong.toml"), &page],
        &["extract", "-w", &rules, &page, "-o", &format!("{missing}/x.csv")],
        &["extract", "-w", &rules, &format!("http://127.0.0.1:9/{BAD}")],
        &["select", &page, &bad],
        &["select", &page, BAD],
        &["discover", &page, "-o", &missing],
        &["query", &missing, "select 1"],
        &["extract", "--domain", &missing, &page],
        &["audit", "--rules", &missing, "-w", &rules, &page],
        &["fmt", &missing],
        &[&format!("--{BAD}")],
        &["extract", &format!("--{BAD}")],
    ] {
        let run = windrow(arguments);
        assert_eq!(run.code, Some(2), "{arguments:?}");
        assert!(!run.stderr.is_empty());
        check_safe(&run, true);
    }
}

/// Checks that an error which points into a very long line is a few short lines.
#[track_caller]
fn check_short(run: &Run) {
    assert_eq!(run.code, Some(2), "{:.2000}", run.stderr);
    assert!(run.stderr.contains('×') && run.stderr.contains('…'), "{:.2000}", run.stderr);
    assert!(!run.stderr.contains("panicked"), "{:.2000}", run.stderr);
    assert!(run.stderr.len() < 10_000, "{} bytes", run.stderr.len());
}

#[test]
fn errors_quote_only_a_part_of_a_long_line() {
    let long = "x".repeat(200_000);
    let folder = Folder::new("terminal-long")
        .with("page.html", "<p>Hay")
        .with("rules.json", &format!("{{\"name\":\"{long}\",\"list\":{{\"ads\":{{\"records\":\"li[\"}}}}}}"))
        .with("rules.toml", &format!("name = \"{long}\"; wrong"))
        .with("x.rules", &format!("R1: E.title = \"{long}\" -> -> Suspect [0.9]\n"))
        .with("domain.toml", &format!("name = \"{long}\" wrong"));
    let page = folder.path("page.html");
    for wrapper in ["rules.json", "rules.toml"] {
        check_short(&windrow(&["extract", "-w", &folder.path(wrapper), &page]));
    }
    check_short(&windrow(&["extract", "--domain", &folder.path("domain.toml"), &page]));
    check_short(&windrow(&["audit", "--rules", &folder.path("x.rules"), "--check"]));
    // An expression has at most 64 KiB.
    let long = "x".repeat(60_000);
    check_short(&windrow(&["select", &page, &format!("//p[. = '{long}'] wrong(")]));
    check_short(&windrow(&["learn", "--example", &format!("a=xpath://p[. = '{long}'] wrong("), &page]));
    let store = folder.path("x.db");
    let rules = folder.path("ads.toml");
    std::fs::write(&rules, "[list.ads]\nrecords = \"p\"\nfield.title = \".\"\n").unwrap();
    let follow = format!("//p[. = '{long}'] wrong(");
    check_short(&windrow(&["crawl", "http://127.0.0.1:9/", "-w", &rules, "--follow", &follow]));
    assert_eq!(windrow(&["extract", "-w", &rules, &page, "--into", &store]).code, Some(0));
    let sql = format!("select '{}' form ads_now", "x".repeat(200_000));
    check_short(&windrow_on(sql.as_bytes(), &["query", &store, "-"]));
    check_short(&windrow(&["query", &store, &format!("select '{long}', nowhere from ads_now")]));
}

#[test]
fn deep_pages_are_printed_with_bounded_indentation() {
    let deep = "<template>".repeat(33_000);
    let run = windrow_on(deep.as_bytes(), &["dom", "-"]);
    assert_eq!(run.code, Some(0), "{:.2000}", run.stderr);
    let longest = run.stdout.lines().map(str::len).max().unwrap_or_default();
    assert!(longest < 300, "{longest}");
    assert!(run.stdout.len() < 10_000_000, "{} bytes", run.stdout.len());
}

#[test]
fn long_names_of_fields_are_no_format_width() {
    let name = "n".repeat(70_000);
    let page = "<ul><li><b>Hay</b></li><li><b>Rake</b></li></ul>";
    let run = windrow_on(page.as_bytes(), &["learn", "--example", &format!("{name}=Hay"), "-", "-o", "-"]);
    assert!(!run.stderr.contains("panicked"), "{:.500}", run.stderr);
}
