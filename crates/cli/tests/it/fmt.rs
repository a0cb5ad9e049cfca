//! `windrow fmt` and `windrow schema`.

use expect_test::expect;
use serde_json::Value;

use crate::{Folder, check, windrow, windrow_on};

const MESSY: &str = "name='ads'   # keep me\n[list.ads]\nrecords   = \"li\"\n  field={title=\"h2\"}\n";

#[test]
fn files_are_changed_in_place_and_named() {
    let folder = Folder::new("fmt").with("a.toml", MESSY);
    let path = folder.path("a.toml");
    let check = |code, stdout: &str| {
        let run = windrow(&["fmt", "--check", &path]);
        assert_eq!((run.code, folder.hide(&run.stderr).as_str()), (Some(code), stdout));
    };
    check(1, "would change DIR/a.toml\n");
    assert_eq!(folder.read("a.toml"), MESSY, "--check changes nothing");
    let run = windrow(&["fmt", &path]);
    assert_eq!((run.code, folder.hide(&run.stdout).as_str()), (Some(0), "DIR/a.toml\n"));
    assert!(folder.read("a.toml").contains("# keep me"), "{}", folder.read("a.toml"));
    check(0, "");
    let run = windrow(&["fmt", &path]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""));
    assert_eq!(folder.names(), ["a.toml"]);
}

#[test]
fn standard_input_is_printed() {
    let run = windrow_on(MESSY.as_bytes(), &["fmt", "-"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("name = "), "{}", run.stdout);
}

#[test]
fn a_bracket_file_becomes_toml() {
    check(
        &["fmt", "testdata/wrappers/ads/titles.tsimmis", "--to", "toml"],
        &expect![[r##"
        name = "titles"
        url = "https://barn.example/tractors/"

        [group.root.group._ads]
        at = { pattern = '*<ul id="ads">#<p class="pager">*' }

        [group.root.group._ads.list._pieces]
        records = { split = "<h2>" }

        [group.root.group._ads.list._pieces.group.ad]
        members = [1, 0]

        [[group.root.group._ads.list._pieces.group.ad.save]]
        pattern = '*href="#">#</a>*'
        into = [{ name = "link", type = "url" }, "title"]
    "##]],
    );
}

#[test]
fn the_name_of_the_output_tells_the_format() {
    let folder = Folder::new("fmt-o");
    let (toml, json) = (folder.path("w.toml"), folder.path("w.json"));
    let run = windrow(&["fmt", "testdata/wrappers/ads/titles.tsimmis", "-o", &toml]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{}", run.stderr);
    assert_eq!(windrow(&["fmt", &toml, "-o", &json]).code, Some(0));
    let ads = "testdata/pages/ads/page-1.html";
    let outputs =
        ["testdata/wrappers/ads/titles.tsimmis", &toml, &json].map(|rules| windrow(&["extract", "-w", rules, ads]));
    assert_eq!(outputs[0], outputs[1]);
    assert_eq!(outputs[0], outputs[2]);
}

#[test]
fn what_a_format_cannot_say_is_an_error() {
    let run = windrow(&["fmt", "testdata/wrappers/ads/ads.toml", "--to", "wtm"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("wrapper::not_expressible"), "{}", run.stderr);
}

/// A wrapper of landmarks says the same as rule XML, and finds the same.
#[test]
fn rule_xml_finds_the_same() {
    let folder = Folder::new("fmt-wtm");
    let (toml, xml) = (folder.path("w.toml"), folder.path("w.xml"));
    let rules = "testdata/wrappers/weblog/rules.xml";
    assert_eq!(windrow(&["fmt", rules, "-o", &toml]).code, Some(0));
    assert_eq!(windrow(&["fmt", &toml, "-o", &xml]).code, Some(0));
    assert_eq!(folder.read("w.xml"), std::fs::read_to_string(crate::root().join(rules)).unwrap());
    assert_eq!(windrow(&["fmt", &toml, "--to", "stalker"]), windrow(&["fmt", &toml, "--to", "wtm"]));
    let page = "testdata/wrappers/weblog/page.html";
    let found = [&toml, &xml].map(|rules| windrow(&["extract", "-w", rules, page, "--format", "jsonl"]).stdout);
    assert!(found[0].contains("\"title\":\"Rain at last\",\"link\":\"/2005/07/rain/?p=1570&x=1\""), "{}", found[0]);
    assert_eq!(found[0], found[1]);
    let shown = windrow(&["show", &xml, page]);
    assert_eq!(shown.code, Some(0), "{}", shown.stderr);
    assert!(shown.stdout.contains("<h3 class=\"storytitle\"> <a href=#>"), "{}", shown.stdout);
}

#[test]
fn a_wrong_file_is_left_alone_and_the_others_are_done() {
    let folder = Folder::new("fmt-wrong").with("a.toml", "nme = 1\n").with("b.toml", MESSY);
    let run = windrow(&["fmt", &folder.path("a.toml"), &folder.path("b.toml")]);
    assert_eq!((run.code, folder.hide(&run.stdout).as_str()), (Some(2), "DIR/b.toml\n"));
    assert!(run.stderr.contains("unknown key `nme`"), "{}", run.stderr);
    assert_eq!(folder.read("a.toml"), "nme = 1\n");
}

#[test]
fn several_files_do_not_go_into_one() {
    let run = windrow(&["fmt", "a.toml", "b.toml", "--to", "json"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("several wrappers do not fit into one file"), "{}", run.stderr);
}

#[test]
fn the_schema_is_the_published_one() {
    let run = windrow(&["schema"]);
    let printed: Value = serde_json::from_str(&run.stdout).unwrap();
    let published = std::fs::read_to_string(crate::root().join("schema/wrapper.schema.json")).unwrap();
    assert_eq!(printed, serde_json::from_str::<Value>(&published).unwrap());
}

#[test]
fn comments_are_not_lost_in_place() {
    let folder = Folder::new("comments").with("w.tsimmis", "; why this is so\n[[\"a\", \"get()\", \"*<b>#</b>*\"]]\n");
    let before = folder.read("w.tsimmis");
    let run = windrow(&["fmt", &folder.path("w.tsimmis")]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("has comments that its format's layout has no place for"), "{}", run.stderr);
    assert_eq!(folder.read("w.tsimmis"), before);
    let run = windrow(&["fmt", &folder.path("w.tsimmis"), "-o", &folder.path("other.tsimmis")]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

const LEARNED: &str = r#"
name = "ads"
learned = { by = "example", from = "page.html", at = 2026-11-15T09:00:00Z }

[list.ads]
records = "li.ad"
path = "/html[1]/body[1]/ul[1]/li"

[list.ads.field]
title = { css = "h2", path = "/html[1]/body[1]/ul[1]/li/h2[1]" }
price = { css = ".price", type = "money", path = "/html[1]/body[1]/ul[1]/li/span[1]" }
"#;

const PAGE: &str = "<ul><li class=ad><h2>Rake</h2><span class=price>€ 340</span>\
                    <li class=ad><h2>Twine</h2><span class=price>€ 55</span></ul>";

/// As the paper has its rules; and they find what the wrapper finds.
#[test]
fn absolute_paths_are_rules_too() {
    let folder = Folder::new("fmt-absolute").with("w.toml", LEARNED).with("page.html", PAGE);
    let (rules, page, paths) = (folder.path("w.toml"), folder.path("page.html"), folder.path("w.xpath"));
    check(
        &["fmt", "--absolute", "--to", "xpaths", &rules],
        &expect![[r#"
        # name: ads
        # learned: example
        # learned from: page.html
        # learned at: 2026-11-15T09:00:00Z
        # list: ads
        title = /html[1]/body[1]/ul[1]/li/h2[1]
        price = /html[1]/body[1]/ul[1]/li/span[1]
    "#]],
    );
    assert_eq!(windrow(&["fmt", "--absolute", &rules, "-o", &paths]).code, Some(0));
    let found = |rules: &str| windrow(&["extract", "-w", rules, &page, "--raw", "--format", "jsonl"]);
    assert_eq!(found(&paths), found(&rules));
    assert!(found(&paths).stdout.contains(r#"{"title":"Twine","price":"€ 55"}"#), "{:?}", found(&paths));
}

#[test]
fn absolute_paths_have_to_be_there_and_to_go_somewhere() {
    let folder = Folder::new("fmt-no-path").with("w.toml", "field.title = \"h1\"\n").with("l.toml", LEARNED);
    let run = windrow(&["fmt", "--absolute", "--to", "xpath", &folder.path("w.toml")]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    expect![[r#"
        wrapper::no_path

          × the rule `title` has no `path`
           ╭─[DIR/w.toml:1:7]
         1 │ field.title = "h1"
           ·       ──┬──
           ·         ╰── this one
           ╰────
          help: learned wrappers have one in each rule; add it by hand as `path = "/html[1]/body[1]/…"`
    "#]]
    .assert_eq(&folder.hide(&run.stderr));
    for elsewhere in [&["--to", "json"][..], &["-o", "w.json"], &[]] {
        let run = windrow(&[&["fmt", "--absolute", &folder.path("l.toml")], elsewhere].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
        assert!(run.stderr.contains("say --to xpath"), "{}", run.stderr);
    }
    assert_eq!(folder.read("l.toml"), LEARNED);
}

#[test]
fn layout_keeps_paths() {
    let run = windrow_on(LEARNED.as_bytes(), &["fmt", "-"]);
    assert_eq!(run.stdout.matches("path = ").count(), 3, "{}", run.stdout);
}
