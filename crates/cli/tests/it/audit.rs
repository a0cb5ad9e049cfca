//! Records held against a register: what is found, how it is told, what is refused.

use expect_test::expect;

use crate::{Folder, Run, check_error, windrow};

const REGISTER: &str = "testdata/audit/register.csv";
const SHOP: &str = "testdata/audit/pharmacy";

/// The arguments of an audit of a few pages by the shipped rules.
fn drugs<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["audit", "--rules", "drugs", "--reference", REGISTER, "--domain", "drugs", SHOP], more].concat()
}

fn findings(run: &Run) -> Vec<serde_json::Value> {
    run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Who is suspected of what.
fn suspects(run: &Run) -> Vec<String> {
    let told = findings(run).into_iter().map(|finding| {
        let page = finding["page"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
        format!("{page} {} {:.2}", finding["conclusion"].as_str().unwrap(), finding["probability"][0].as_f64().unwrap())
    });
    told.collect()
}

#[test]
fn the_shipped_rules_tell_the_culprits_from_the_honest() {
    let run = windrow(&drugs(&[]));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    expect![[]].assert_eq(&(suspects(&run).join("\n") + "\n" + &run.stderr));
}

#[test]
fn a_person_can_act_on_the_text() {
    let page = &format!("{SHOP}/counterfeit.html");
    let run = windrow(&[
        "audit", "--rules", "drugs", "--reference", REGISTER, "--domain", "drugs", page, "--format", "text",
    ]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    expect![[]].assert_eq(&(run.stdout + &run.stderr));
}

#[test]
fn kept_records_give_what_their_pages_give() {
    let folder = Folder::new("audit-kept");
    let store = folder.path("shop.db");
    let kept = windrow(&["extract", "--domain", "drugs", SHOP, "--each", "--into", &store, "--quiet"]);
    assert_eq!(kept.code, Some(0), "{}", kept.stderr);
    let run = windrow(&["audit", "--rules", "drugs", "--reference", REGISTER, &store, "records"]);
    let direct = windrow(&drugs(&[]));
    assert_eq!(suspects(&run), suspects(&direct));
    assert_eq!(run.stderr, direct.stderr);
    let paths = |run: &Run| findings(run).iter().map(|one| one["path"].clone()).collect::<Vec<_>>();
    assert_eq!(paths(&run), paths(&direct));
    assert!(paths(&run).iter().all(|path| path.as_str().unwrap().starts_with("/html[1]")));
}

/// A wrapper's records, a table, and rules of one's own.
fn ads(name: &str, rules: &str) -> Folder {
    let items: String = (0..300).map(|n| format!("<li><b>Rake {n}</b> <i>€ {}</i></li>\n", n + 1)).collect();
    Folder::new(name)
        .with("ads.html", &format!("<ul>{items}</ul>"))
        .with(
            "ads.toml",
            "[list.ads]\nrecords = \"li\"\nfield.title = \"b\"\nfield.price = { xpath = \"i\", type = \"money\" }\n",
        )
        .with("list.csv", "name;list price\nRake 7;4.00\nRake 8;9.00\n")
        .with("my.rules", rules)
}

const DEAR: &str = "rename S.price = \"list price\"\n\
                    R1: exists S (E.title = S.name at 1 and E.price > 1.5 * S.price) -> Dear [0.8] \"dearer than the list\"\n";

fn audit(folder: &Folder, more: &[&str]) -> Run {
    let (rules, list) = (folder.path("my.rules"), folder.path("list.csv"));
    let (wrapper, page) = (folder.path("ads.toml"), folder.path("ads.html"));
    let run = windrow(
        &[&["audit", "--rules", &rules, "--reference", &list, "-w", &wrapper, &page][..], more].concat(),
    );
    Run { stdout: folder.hide(&run.stdout), stderr: folder.hide(&run.stderr), ..run }
}

#[test]
fn every_format() {
    let folder = ads("audit-formats", DEAR);
    for (format, expected) in [("json", expect![[]]), ("csv", expect![[]]), ("text", expect![[]])] {
        let run = audit(&folder, &["--format", format]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), "1 finding in 300 records: 1 Dear\n"), "{format}");
        expected.assert_eq(&run.stdout);
    }
    let out = folder.path("found.csv");
    let run = audit(&folder, &["-o", &out, "--quiet"]);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", ""));
    assert_eq!(folder.hide(&folder.read("found.csv")), audit(&folder, &["--format", "csv"]).stdout);
    let run = audit(&folder, &["-o", &folder.path("found.xls")]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("output::unknown_format"), "{}", run.stderr);
}

#[test]
fn what_is_not_probable_enough_is_not_told() {
    let folder = ads("audit-at-least", DEAR);
    let run = audit(&folder, &["--at-least", "0.81"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
    assert_eq!(run.stderr, "no findings in 300 records\n");
    assert_eq!(audit(&folder, &["--at-least", "0.79"]).code, Some(0));
    assert_eq!(audit(&folder, &["--at-least", "80"]).code, Some(2));
}

#[test]
fn findings_come_in_the_records_order_however_many_threads_there_are() {
    let folder = ads("audit-order", "R1: E.price > 100 -> Dear [0.8]\n");
    let one = audit(&folder, &["-j", "1"]);
    assert_eq!(one.stdout.lines().count(), 200);
    let store = folder.path("ads.db");
    let (wrapper, page, rules) = (folder.path("ads.toml"), folder.path("ads.html"), folder.path("my.rules"));
    assert_eq!(windrow(&["extract", "-w", &wrapper, &page, "--into", &store, "-q"]).code, Some(0));
    for threads in ["1", "2", "5"] {
        let run = windrow(&["audit", "--rules", &rules, &store, "-j", threads]);
        let values = |run: &Run| findings(run).iter().map(|one| one["evidence"][0]["extracted"].clone()).collect::<Vec<_>>();
        assert_eq!(values(&run), values(&one), "{threads}");
    }
}

#[test]
fn today_may_be_another_day() {
    let folder = ads("audit-today", "R1: today >= 2030-01-01 -> Late [0.9]\n");
    assert_eq!(audit(&folder, &[]).code, Some(1));
    assert_eq!(audit(&folder, &["--today", "2031-05-01"]).code, Some(0));
    let run = audit(&folder, &["--today", "soon"]);
    assert!(run.code == Some(2) && run.stderr.contains("no day"), "{}", run.stderr);
}

#[test]
fn contradictions_are_told_and_give_way() {
    let rules = "R1: E.price > 299 -> Fine [0.9]\nR2: E.price > 298 -> not Fine [0.8]\n";
    let folder = ads("audit-contradiction", rules);
    let run = audit(&folder, &["--format", "text", "--at-least", "0.1"]);
    expect![[]].assert_eq(&(run.stdout + &run.stderr));
}

#[test]
fn all_errors_of_a_rule_file_are_drawn() {
    let rules = "R1: none S (E.title = S.name) -> Unlisted [90]\n\
                 R2: exists S (E.title = S.name and E.price > S.price -> Dear [0.8]\n\
                 R3: Unlistd -> Odd [0.5]\n";
    let folder = ads("audit-errors", rules);
    let run = audit(&folder, &[]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    expect![[]].assert_eq(&run.stderr);
}

#[test]
fn rules_that_contradict_each_other_are_refused() {
    let folder = ads("audit-inconsistent", "R1: E.price > 5 -> Fine [0.9]\nR2: E.price > 5 -> not Fine [0.8]\n");
    let run = audit(&folder, &["--check"]);
    assert_eq!(run.code, Some(2));
    expect![[]].assert_eq(&run.stderr);
}

#[test]
fn unknown_fields_and_columns_are_drawn_with_what_is_near() {
    let folder = ads("audit-unknown", "R1: exists S (E.titel = S.nam at 1) -> Listed [0.8]\n");
    let run = audit(&folder, &[]);
    assert_eq!(run.code, Some(2));
    expect![[]].assert_eq(&run.stderr);
    let run = audit(&folder, &["--lenient", "--check"]);
    assert!(!run.stderr.contains("titel` "), "{}", run.stderr);
}

#[test]
fn a_register_without_the_columns_is_refused_at_each_place() {
    let folder = Folder::new("audit-columns").with("register.csv", "code,name\n1,Rake\n");
    let register = folder.path("register.csv");
    let run = windrow(&["audit", "--rules", "drugs", "--reference", &register, "--check"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("unknown column of S `authentication_code`"), "{}", run.stderr);
    assert!(run.stderr.contains("╭─[drugs:"), "{}", run.stderr);
    assert!(run.stderr.matches("rules::unknown_name").count() > 10, "{}", run.stderr);
}

#[test]
fn rules_are_checked_without_records() {
    let run = windrow(&["audit", "--rules", "drugs", "--reference", REGISTER, "--check"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    expect![[]].assert_eq(&run.stdout);
    let run = windrow(&["audit", "--rules", "drugs", "--reference", REGISTER, "--check", "--domain", "drugs"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.ends_with("E: 19 fields\n"), "{}", run.stdout);
}

#[test]
fn the_shipped_rules_can_be_had_as_a_file() {
    let run = windrow(&["audit", "--rules", "drugs", "--show"]);
    assert_eq!(run.code, Some(0));
    let folder = Folder::new("audit-show").with("my.rules", &run.stdout);
    let mine = folder.path("my.rules");
    assert_eq!(windrow(&["audit", "--rules", &mine, "--reference", REGISTER, "--check"]).code, Some(0));
}

#[test]
fn tables_have_names_if_there_are_several() {
    let rules = "reference S, T\nR1: exists S (E.title = S.name at 1) and none T (E.title = T.name at 1) -> Old [0.9]\n";
    let folder = ads("audit-several", rules).with("new.csv", "name\nRake 8\n");
    let (mine, list, new) = (folder.path("my.rules"), folder.path("list.csv"), folder.path("new.csv"));
    let (wrapper, page) = (folder.path("ads.toml"), folder.path("ads.html"));
    let (s, t) = (format!("S={list}"), format!("T={new}"));
    let pages = ["-w", &wrapper, &page];
    let run = windrow(&[&["audit", "--rules", &mine, "--reference", &t, "--reference", &s][..], &pages].concat());
    assert_eq!(run.stderr, "1 finding in 300 records: 1 Old\n");
    assert_eq!(findings(&run)[0]["evidence"][0]["extracted"], "Rake 7");
    let run = windrow(&[&["audit", "--rules", &mine, "--reference", &list][..], &pages].concat());
    assert!(run.code == Some(2) && run.stderr.contains("audit::which_reference"), "{}", run.stderr);
    let run = windrow(&[&["audit", "--rules", &mine, "--reference", &s, "--reference", &s][..], &pages].concat());
    assert!(run.code == Some(2) && run.stderr.contains("audit::reference_twice"), "{}", run.stderr);
    let run = windrow(&[&["audit", "--rules", &mine, "--reference", &s][..], &pages].concat());
    assert!(run.code == Some(2) && run.stderr.contains("unknown reference table `T`"), "{}", run.stderr);
}

#[test]
fn what_is_not_there_is_told() {
    check_error(&["audit", "--rules", "drugz", "--reference", REGISTER, "x.db"], &expect![[]]);
    check_error(&["audit", "--rules", "drugs", "--reference", "no.csv", "--check"], &expect![[]]);
    check_error(&["audit", "--rules", "drugs", "--reference", REGISTER], &expect![[]]);
    check_error(&["audit", "--rules", "drugs", "--reference", REGISTER, "--domain", "drugs"], &expect![[]]);
}

#[test]
fn which_list_is_meant_must_be_said() {
    let folder = ads("audit-lists", "R1: missing E.name -> Nameless [0.9]\n").with(
        "ads.toml",
        "[list.ads]\nrecords = \"li\"\nfield.name = \"h9\"\n[list.other]\nrecords = \"b\"\nfield.name = \".\"\n",
    );
    let run = audit(&folder, &[]);
    assert!(run.code == Some(2) && run.stderr.contains("say which with --list: ads, other"), "{}", run.stderr);
    let run = audit(&folder, &["--list", "other"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), "no findings in 300 records\n"));
    let run = audit(&folder, &["--list", "othr"]);
    assert!(run.code == Some(2) && run.stderr.contains("audit::no_such_list"), "{}", run.stderr);
}

#[test]
fn a_page_that_cannot_be_read_fails_and_the_others_are_audited() {
    let run = windrow(&drugs(&["no.html"]));
    assert_eq!(run.code, Some(2));
    assert_eq!(suspects(&run), suspects(&windrow(&drugs(&[]))));
    assert!(run.stderr.contains("cannot read `no.html`"), "{}", run.stderr);
}

#[test]
fn a_page_cannot_steer_the_terminal() {
    let folder = ads("audit-escape", "R1: E.title contains \"rake\" -> Rake [0.9]\n")
        .with("ads.html", "<ul><li><b>rake \u{1b}[2J</b></ul>");
    let run = audit(&folder, &["--format", "text"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(!run.stdout.contains('\u{1b}'), "{}", run.stdout);
}
