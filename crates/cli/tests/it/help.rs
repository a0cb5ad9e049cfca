//! `--help`, `--version`, the names of commands and options, and the forms that scripts of the first release use.

use expect_test::expect;

use crate::{Folder, command, windrow, windrow_on};

const RULES: &str = "testdata/wrappers/ads/offers.toml";
const PAGE: &str = "testdata/pages/ads/page-1.html";

#[test]
fn the_short_help_lists_the_commands_by_task() {
    let run = windrow(&["-h"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    expect![[r#"
        Windrow turns web pages into tables

        Usage: windrow <COMMAND> [OPTIONS] [ARGUMENTS]

        Get data:
          discover     Find the lists on a page and print them as tables, without any rules
          extract      Extract records from pages with a wrapper, or with a domain's vocabulary
          crawl        Follow links through a site and extract records from every page
          query        Query a store, or pages, with SQL or jq
          export       Write records from a store to a file: CSV, JSON Lines, Parquet, Arrow, Excel or a feed
          feed         Print the items of RSS, Atom and JSON feeds, or list the feeds of a page

        Learn rules:
          learn        Learn a wrapper from one example, from a weblog's feed, or from a domain's vocabulary
          studio       Learn, check and repair wrappers in the browser, by clicking
          show         Print a wrapper's rules, and what each of them finds on pages
          test         Check a wrapper against saved pages and their expected records
          repair       Fix a wrapper after its site was redesigned
          fmt          Format wrapper files, or convert them to another format

        Keep and watch:
          check        Report wrappers that no longer find what they used to find, and the records that changed
          watch        Fetch pages again and again, keep their records, and say what changed and what broke
          versions     List a wrapper's versions in a store, compare them, or restore one

        Audit:
          audit        Check records against reference data, with rules that have a confidence
          hunt         Find sites with a search engine, extract their records, and audit them
          report       Write a weekly report of audit findings as one HTML page
          domain       List, print and test domains: vocabularies for reading pages of any site

        Look inside:
          dom          Print the parsed tree of a page, each node with its byte span in the source
          select       Print what XPath expressions or CSS selectors match
          schema       Print the JSON Schema of wrapper files
          completions  Print a completion script for your shell

        Options:
          -h, --help     Print help; `windrow COMMAND --help` describes a command
          -V, --version  Print version
    "#]]
    .assert_eq(&run.stdout);
}

#[test]
fn the_long_help_starts_with_examples() {
    let run = windrow(&["--help"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    expect![[r#"
        Windrow turns web pages into tables.

        Give it a page and get CSV, without writing selectors. Show it one example to get exactly the
        fields you want. When the site is redesigned, Windrow says what broke and proposes a fix.

        Usage: windrow <COMMAND> [OPTIONS] [ARGUMENTS]

        Examples:
          windrow discover https://example.org/jobs -o jobs.csv
                  Save the main table of a page.
          windrow learn jobs.html --example 'title=Bus driver' --example 'city=Vienna' -o jobs.toml
                  Learn rules for exactly these fields from one example.
          windrow extract -w jobs.toml pages/ -o jobs.csv
                  Apply the rules to many pages.

        Get data:
          discover     Find the lists on a page and print them as tables, without any rules
          extract      Extract records from pages with a wrapper, or with a domain's vocabulary
          crawl        Follow links through a site and extract records from every page
          query        Query a store, or pages, with SQL or jq
          export       Write records from a store to a file: CSV, JSON Lines, Parquet, Arrow, Excel or a feed
          feed         Print the items of RSS, Atom and JSON feeds, or list the feeds of a page

        Learn rules:
          learn        Learn a wrapper from one example, from a weblog's feed, or from a domain's vocabulary
          studio       Learn, check and repair wrappers in the browser, by clicking
          show         Print a wrapper's rules, and what each of them finds on pages
          test         Check a wrapper against saved pages and their expected records
          repair       Fix a wrapper after its site was redesigned
          fmt          Format wrapper files, or convert them to another format

        Keep and watch:
          check        Report wrappers that no longer find what they used to find, and the records that changed
          watch        Fetch pages again and again, keep their records, and say what changed and what broke
          versions     List a wrapper's versions in a store, compare them, or restore one

        Audit:
          audit        Check records against reference data, with rules that have a confidence
          hunt         Find sites with a search engine, extract their records, and audit them
          report       Write a weekly report of audit findings as one HTML page
          domain       List, print and test domains: vocabularies for reading pages of any site

        Look inside:
          dom          Print the parsed tree of a page, each node with its byte span in the source
          select       Print what XPath expressions or CSS selectors match
          schema       Print the JSON Schema of wrapper files
          completions  Print a completion script for your shell

        Options:
          -h, --help     Print help; `windrow COMMAND --help` describes a command
          -V, --version  Print version

        Exit status:
          0  something was found, or the work is done
          1  nothing was found
          2  an error; the message is on standard error
        The help of a command says so if its statuses mean more than that.
    "#]]
    .assert_eq(&run.stdout);
}

#[test]
fn without_arguments_the_help_is_an_error() {
    let run = windrow(&[]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert_eq!(run.stderr, windrow(&["-h"]).stdout);
}

#[test]
fn a_mistyped_command_gets_a_suggestion() {
    let run = windrow(&["extarct", PAGE]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    expect![[r#"
        error: unrecognized subcommand 'extarct'

          tip: some similar subcommands exist: 'export', 'extract'

        Usage: windrow <COMMAND> [OPTIONS] [ARGUMENTS]

        For more information, try '--help'.
    "#]]
    .assert_eq(&run.stderr);
}

#[test]
fn every_command_has_the_version() {
    let expected = format!("windrow {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(windrow(&["-V"]).stdout, expected);
    assert_eq!(windrow(&["--version"]).stdout, expected);
}

#[test]
fn rare_options_are_shown_by_all() {
    let brief = windrow(&["hunt", "--help"]);
    let all = windrow(&["hunt", "--help", "--all"]);
    assert_eq!((brief.code, all.code), (Some(0), Some(0)));
    for rare in ["--most-names", "--back-off", "--user-agent", "--charset", "--accept-empty"] {
        assert!(!brief.stdout.contains(rare), "{rare}");
        assert!(all.stdout.contains(rare), "{rare}");
    }
    for usual in ["--domain", "--search", "--into", "--delay", "--render", "--output"] {
        assert!(brief.stdout.contains(usual) && all.stdout.contains(usual), "{usual}");
    }
    assert!(brief.stdout.contains("more options: windrow hunt --help --all"), "{}", brief.stdout);
    assert!(!all.stdout.contains("more options:"), "{}", all.stdout);
    assert_eq!(windrow(&["hunt", "--all", "--help"]), all);
    assert_eq!(windrow(&["help", "hunt", "--all"]), all);
    // Elsewhere, --all is an option of the command.
    assert!(windrow(&["discover", "--help"]).stdout.contains("--all"));
    assert_eq!(windrow(&["hunt", "--all"]).code, Some(2));
}

#[test]
fn a_rare_option_works_without_being_shown() {
    assert!(!windrow(&["select", "-h"]).stdout.contains("--charset"));
    let run = windrow(&["select", PAGE, "//title", "--charset", "utf-8", "--format", "text"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn the_wrapper_is_an_option_and_may_be_the_first_argument() {
    let new = windrow(&["show", "-w", RULES, PAGE]);
    assert_eq!(new.code, Some(0), "{}", new.stderr);
    assert_eq!(windrow(&["show", RULES, PAGE]), new);
    assert_eq!(windrow(&["show", PAGE, "--wrapper", RULES]), new);
    assert_eq!(windrow(&["show", "-w", RULES]), windrow(&["show", RULES]));

    let repair = ["--before", PAGE];
    let new = windrow(&[&["repair", "-w", RULES, PAGE][..], &repair].concat());
    assert_eq!(new.code, Some(0), "{}", new.stderr);
    assert_eq!(windrow(&[&["repair", RULES, PAGE][..], &repair].concat()), new);

    let folder = Folder::new("help-watch");
    let watch = |first: &[&str], store: &str| {
        let store = folder.path(store);
        windrow(&[&["watch"], first, &[PAGE, "--into", &store, "--times", "1", "--quiet"]].concat())
    };
    assert_eq!(watch(&["-w", RULES], "a.db").code, Some(0));
    assert_eq!(watch(&[RULES], "b.db").code, Some(0));
}

#[test]
fn a_missing_wrapper_page_or_store_is_named() {
    let missing = |arguments: &[&str]| {
        let run = windrow(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{arguments:?}");
        run.stderr
    };
    expect![[r#"
        error: the following required arguments were not provided:
          <PAGE>...

        Usage: windrow repair [OPTIONS] -w <FILE> <PAGE>... --store <STORE>
               windrow repair [OPTIONS] -w <FILE> <PAGE>... --before <PAGE>

        For more information, try '--help'.
    "#]]
    .assert_eq(&missing(&["repair", "-w", RULES, "--before", PAGE]));
    assert!(missing(&["repair", RULES, "--before", PAGE]).contains("<PAGE>..."));
    assert!(missing(&["watch", RULES]).contains("<PAGE>..."));
    assert!(missing(&["watch"]).contains("--wrapper <FILE>"));
    assert!(missing(&["show"]).contains("--wrapper <FILE>"));
    for command in ["check", "versions", "report"] {
        assert!(missing(&[command]).contains("<STORE>"), "{command}");
    }
    assert!(missing(&["check", "ads.db", "--accept"]).contains("<WRAPPER>..."));
}

#[test]
fn a_store_is_an_argument_an_option_or_a_variable() {
    let folder = Folder::new("help-store");
    let store = folder.path("ads.db");
    assert_eq!(windrow(&["extract", "-w", RULES, PAGE, "--into", &store, "--quiet"]).code, Some(0));
    for (name, rest) in [("check", &["offers"][..]), ("versions", &["offers"]), ("export", &[]), ("query", &[])] {
        let by_argument = windrow(&[&[name, &store], rest].concat());
        assert_eq!(by_argument.code, Some(0), "{name}: {}", by_argument.stderr);
        assert_eq!(windrow(&[&[name, "--store", &store], rest].concat()), by_argument, "{name}");
        let output = command(&[&[name], rest].concat()).env("WINDROW_STORE", &store).output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), by_argument.stdout, "{name}");
    }
    let report = windrow(&["report", &store]);
    assert_eq!(windrow(&["report", "--store", &store]), report);
    let output = command(&["report"]).env("WINDROW_STORE", &store).output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap()), (report.code, report.stderr));
}

#[test]
fn the_names_of_the_first_release_still_work() {
    let over = ["query", "--over", RULES, PAGE, "select count(*) as n from offers_now"];
    let wrapper = ["query", "-w", RULES, PAGE, "select count(*) as n from offers_now"];
    assert_eq!(windrow(&over).code, Some(0), "{}", windrow(&over).stderr);
    assert_eq!(windrow(&over), windrow(&wrapper));

    let feed = br#"<rss version="2.0"><channel><item><title>Rain</title><link>/rain</link></item></channel></rss>"#;
    let old = windrow_on(feed, &["feed", "-", "--base", "http://a.example/"]);
    assert!(old.stdout.contains("http://a.example/rain"), "{old:?}");
    assert_eq!(windrow_on(feed, &["feed", "-", "--url", "http://a.example/"]), old);

    assert_eq!(
        windrow(&["audit", "--rules", "drugs", "--show"]),
        windrow(&["audit", "--rules", "drugs", "--print-rules"])
    );

    let page = "testdata/audit/shop/page.html";
    let each = windrow(&["extract", "--domain", "drugs", "--each", page]);
    assert_eq!(windrow(&["extract", "--domain", "drugs", "--page-by-page", page]), each);

    let folder = Folder::new("help-aliases");
    let run = windrow(&["extract", "-w", RULES, PAGE, "--store", &folder.path("ads.db"), "--quiet"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let run = windrow(&["repair", RULES, PAGE, "--into", &folder.path("ads.db")]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn a_wrong_duration_gets_the_same_answer_from_every_option() {
    let crawl = ["crawl", "https://example.org/", "-w", RULES];
    let mut arguments: Vec<Vec<&str>> = ["--time", "--delay", "--back-off", "--timeout"]
        .iter()
        .map(|option| [&crawl[..], &[*option, "soon"]].concat())
        .collect();
    arguments.push(vec!["watch", "-w", RULES, PAGE, "--every", "soon"]);
    arguments.push(vec!["query", "x.db", "--time", "soon"]);
    for arguments in arguments {
        let run = windrow(&arguments);
        assert_eq!(run.code, Some(2), "{arguments:?}");
        let expected = "write a duration such as 500ms, 30s, 30m, 1h or 1d; a number alone counts seconds";
        assert!(run.stderr.contains(expected), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn man_pages_and_completions_are_written() {
    let folder = Folder::new("help-man");
    let directory = folder.path("share");
    let run = windrow(&["man", &directory]);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", ""));
    let hunt = folder.read("share/man1/windrow-hunt.1");
    assert!(hunt.starts_with(".ie \\n(.g") && hunt.contains(".TH windrow-hunt 1"), "{hunt}");
    assert!(hunt.contains("most\\-names"), "a man page has the rare options, too");
    let main = folder.read("share/man1/windrow.1");
    assert!(main.contains("windrow\\-discover(1)"), "{main}");
    for script in ["windrow.bash", "_windrow", "windrow.fish", "_windrow.ps1", "windrow.elv"] {
        assert!(folder.read(&format!("share/completions/{script}")).contains("discover"), "{script}");
    }
    assert!(!windrow(&["--help"]).stdout.contains("\n  man "), "it is for packages");
}
