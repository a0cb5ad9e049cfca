//! `windrow extract`: wrappers that are wrong, options that do not fit.

use expect_test::expect;

use crate::{Folder, check_error, windrow};

const ADS: &str = "testdata/pages/ads/page-1.html";
const BLOG: &str = "testdata/pages/blog/page-1.html";
const WRAPPER: &str = "testdata/wrappers/ads/ads.toml";
const OFFERS: &str = "testdata/wrappers/ads/offers.toml";

#[test]
fn every_error_of_a_wrapper_is_shown_where_it_stands() {
    let folder = Folder::new("wrong").with(
        "wrong.toml",
        "[list.ads]\nrecord = \"li\"\n\n[list.ads.field]\ntitle = \"h2[\"\nprice = { css = \".price\", type = \"mony\" }\n",
    );
    let run = windrow(&["extract", "-w", &folder.path("wrong.toml"), "no-page-is-read.html"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    expect![[r#"
        wrapper::missing_key

          × a list needs `records`
           ╭─[DIR/wrong.toml:1:7]
         1 │ [list.ads]
           ·       ─┬─
           ·        ╰── in this one
         2 │ record = "li"
           ╰────
          help: for example `records = "//table/tbody/tr"`

        wrapper::unknown_key

          × unknown key `record` in a list
           ╭─[DIR/wrong.toml:2:1]
         1 │ [list.ads]
         2 │ record = "li"
           · ───┬──
           ·    ╰── no such key here
         3 │ 
           ╰────
          help: did you mean `records`?

        wrapper::wrong_value

          × `type` must be one of `string`, `url`, `date`, `number`, `money`, `html`, not `mony`
           ╭─[DIR/wrong.toml:6:35]
         5 │ title = "h2["
         6 │ price = { css = ".price", type = "mony" }
           ·                                   ──┬─
           ·                                     ╰── here
           ╰────
          help: did you mean `money`?
    "#]]
    .assert_eq(&folder.hide(&run.stderr));
    let folder = Folder::new("wrong-xpath")
        .with("wrong.toml", "[field]\ntitle = \"//h2[contain(., 'x')]\"\nlink = { css = \"a:href\" }\n");
    let run = windrow(&["extract", "-w", &folder.path("wrong.toml"), ADS]);
    expect![[r#"
        wrapper::bad_expression

          × in the rule `title`: unknown function `contain()`
           ╭─[DIR/wrong.toml:2:15]
         1 │ [field]
         2 │ title = "//h2[contain(., 'x')]"
           ·               ───┬───
           ·                  ╰── here
         3 │ link = { css = "a:href" }
           ╰────
          help: did you mean `contains()`?

        wrapper::bad_expression

          × in the rule `link`: unknown pseudo-class `:href`
           ╭─[DIR/wrong.toml:3:18]
         2 │ title = "//h2[contain(., 'x')]"
         3 │ link = { css = "a:href" }
           ·                  ──┬──
           ·                    ╰── here
           ╰────
          help: did you mean `:has`?
    "#]]
    .assert_eq(&folder.hide(&run.stderr));
}

#[test]
fn wrappers_that_are_not_there_or_not_text() {
    check_error(
        &["extract", "-w", "no-such.toml", ADS],
        &expect![[r#"
        wrapper::unreadable

          × cannot read the wrapper `no-such.toml`: No such file or directory (os error 2)
    "#]],
    );
    let folder = Folder::new("binary");
    std::fs::write(folder.0.join("b.toml"), b"a = \xff").unwrap();
    let run = windrow(&["extract", "-w", &folder.path("b.toml"), ADS]);
    expect![[r#"
        wrapper::not_text

          × the wrapper `DIR/b.toml` is not UTF-8 text
          help: a wrapper is TOML, JSON, XML, bracket commands or a list of XPaths
    "#]]
    .assert_eq(&folder.hide(&run.stderr));
}

#[test]
fn options_that_do_not_fit() {
    check_error(
        &["extract", "-w", OFFERS],
        &expect![[r#"
        extract::no_page

          × no page was given, and the wrapper `testdata/wrappers/ads/offers.toml` has no `url`
          help: give a page: windrow extract -w testdata/wrappers/ads/offers.toml PAGE...
    "#]],
    );
    check_error(
        &["extract", "-w", WRAPPER, "--replay", "testdata/archives/barn.warc.gz"],
        &expect![[r#"
            fetch::not_recorded

              × the archive has no answer for `https://barn.example/tractors/`
              help: --replay uses only the archives; leave it out to fetch the page from the web
        "#]],
    );
    check_error(
        &["extract", "-w", OFFERS, ADS, BLOG, "--url", "https://example.org/"],
        &expect![[r#"
        extract::one_url

          × --url is the address of one page, and there are several
          help: run the command once for each page, or write `url` into the wrapper
    "#]],
    );
    check_error(
        &["extract", "-w", OFFERS, ADS, "-o", "ads.data"],
        &expect![[r#"
            output::unknown_format

              × the name `ads.data` does not tell the format
              help: names end in .txt, .json, .jsonl, .ndjson, .csv, .xml, .oem, .parquet, .arrow, .feather or .xlsx; else say --format
        "#]],
    );
    check_error(
        &["extract", "-w", OFFERS, ADS, "--explain", "--format", "csv"],
        &expect![[r#"
        output::explain

          × --explain is printed as an outline or as JSON only
          help: leave out --format, or say --format json or --format jsonl
    "#]],
    );
    check_error(
        &["extract", "-w", OFFERS, ADS, "--csv-dir", "d", "--format", "xml"],
        &expect![[r#"
        output::several_files

          × several files are written only as CSV
          help: leave out --format, or give one file with -o
    "#]],
    );
    check_error(
        &["extract", "-w", "-", "-"],
        &expect![[r#"
        extract::standard_input_twice

          × standard input (`-`) can be read only once, and the wrapper is to be read from it
    "#]],
    );
}
