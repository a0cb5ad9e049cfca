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
    expect![[r#"
        counterfeit.html Counterfeit 0.85
        incomplete.html Misleading 0.80
        prescription.html PrescriptionSoldFreely 0.90
        unapproved.html Unapproved 0.90
        4 findings in 5 records: 1 Unapproved, 1 Counterfeit, 1 PrescriptionSoldFreely, 1 Misleading
    "#]]
    .assert_eq(&(suspects(&run).join("\n") + "\n" + &run.stderr));
}

#[test]
fn pages_of_another_shop_and_in_another_language() {
    let shop = "testdata/domain/drugstore";
    let run = windrow(&["audit", "--rules", "drugs", "--reference", REGISTER, "--domain", "drugs", shop, "-q"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    expect![[r#"
        nasal-spray.html Misleading 0.70
        yaodian.html Unapproved 0.90
        yaodian.html Misleading 0.80
    "#]]
    .assert_eq(&(suspects(&run).join("\n") + "\n"));
}

#[test]
fn a_person_can_act_on_the_text() {
    let page = &format!("{SHOP}/counterfeit.html");
    let run =
        windrow(&["audit", "--rules", "drugs", "--reference", REGISTER, "--domain", "drugs", page, "--format", "text"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    expect![[r#"
        Counterfeit: probability 0.85 to 1.00
          page   testdata/audit/pharmacy/counterfeit.html
          at     /html[1]/body[1]/div[2]
          says   Clearmeadow Nasal Spray · xylometazoline · MA-10457 · $ 3.95 · Goldrick Trading · Ireland · Xylometazoline hydrochloride 0.1 %, sea water. · For a blocked nose in hay fever and colds. · Do not use for…
          R2, at least 0.85: name and authentication code are registered, but for another manufacturer
            E.proprietary_name "Clearmeadow Nasal Spray" · S.proprietary_name "Clearmeadow Nasal Spray" (row 3) · degree 1.00, holds
              at /html[1]/body[1]/div[2]/h1[1]/text()[1]
            E.generic_name "xylometazoline" · S.generic_name "xylometazoline" (row 3) · degree 1.00, holds
              at /html[1]/body[1]/div[2]/dl[1]/dd[2]/text()[1]
            E.authentication_code "MA-10457" · S.authentication_code "MA-10457" (row 3) · degree 1.00, holds
              at /html[1]/body[1]/div[2]/dl[1]/dd[3]/text()[1]
            E.manufacturer "Goldrick Trading" · S.manufacturer "Weir & Veit Ltd." (row 3) · degree 0.12, does not hold
              at /html[1]/body[1]/div[2]/dl[1]/dd[1]/text()[1]

        1 finding in 1 record: 1 Counterfeit
    "#]].assert_eq(&(run.stdout + &run.stderr));
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
    let run = windrow(&[&["audit", "--rules", &rules, "--reference", &list, "-w", &wrapper, &page][..], more].concat());
    Run { stdout: folder.hide(&run.stdout), stderr: folder.hide(&run.stderr), ..run }
}

#[test]
fn every_format() {
    let folder = ads("audit-formats", DEAR);
    for (format, expected) in [
        (
            "json",
            expect![[r#"
        [
        {"conclusion":"Dear","negated":false,"probability":[0.8,1.0],"page":"DIR/ads.html","path":"/html[1]/body[1]/ul[1]/li[8]","snippet":"Rake 7 € 8","rules":[{"rule":"R1","message":"dearer than the list","confidence":[0.8,1.0],"condition":[1.0,1.0]}],"evidence":[{"rule":"R1","test":"E.title = S.name at 1","field":"title","extracted":"Rake 7","reference":"S","column":"name","row":1,"value":"Rake 7","degree":1.0,"holds":true,"path":"/html[1]/body[1]/ul[1]/li[8]/b[1]","snippet":"Rake 7 € 8"},{"rule":"R1","test":"E.price > 1.5 * S.price","field":"price","extracted":"€ 8","reference":"S","column":"price","row":1,"value":"4.00","degree":null,"holds":true,"path":"/html[1]/body[1]/ul[1]/li[8]/i[1]","snippet":"Rake 7 € 8"}],"weakened":[]}
        ]
    "#]],
        ),
        (
            "csv",
            expect![[r#"
        conclusion,low,high,page,path,snippet,rules,messages,evidence
        Dear,0.8,1,DIR/ads.html,/html[1]/body[1]/ul[1]/li[8],Rake 7 € 8,R1,dearer than the list,"R1: E.title ""Rake 7"" · S.name ""Rake 7"" (row 1) · degree 1.00, holds; R1: E.price ""€ 8"" · S.price ""4.00"" (row 1) · holds"
    "#]],
        ),
        (
            "text",
            expect![[r#"
        Dear: probability 0.80 to 1.00
          page   DIR/ads.html
          at     /html[1]/body[1]/ul[1]/li[8]
          says   Rake 7 € 8
          R1, at least 0.80: dearer than the list
            E.title "Rake 7" · S.name "Rake 7" (row 1) · degree 1.00, holds
              at /html[1]/body[1]/ul[1]/li[8]/b[1]
            E.price "€ 8" · S.price "4.00" (row 1) · holds
              at /html[1]/body[1]/ul[1]/li[8]/i[1]

    "#]],
        ),
    ] {
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
        let values =
            |run: &Run| findings(run).iter().map(|one| one["evidence"][0]["extracted"].clone()).collect::<Vec<_>>();
        assert_eq!(values(&run), values(&one), "{threads}");
    }
}

#[test]
fn today_may_be_another_day() {
    let folder = ads("audit-today", "R1: today >= 2030-01-01 -> Late [0.9]\n");
    assert_eq!(audit(&folder, &[]).code, Some(1));
    assert_eq!(audit(&folder, &["--today", "2031-05-01"]).code, Some(0));
    let run = audit(&folder, &["--today", "soon"]);
    assert!(run.code == Some(2) && run.stderr.contains("write a date such as 2026-11-15"), "{}", run.stderr);
}

#[test]
fn contradictions_are_told_and_give_way() {
    let rules = "R1: E.price > 299 -> Fine [0.9]\nR2: E.price > 298 -> not Fine [0.8]\n";
    let folder = ads("audit-contradiction", rules);
    let run = audit(&folder, &["--format", "text", "--at-least", "0.1"]);
    expect![[r#"
        not Fine: probability 0.80 to 1.00
          page   DIR/ads.html
          at     /html[1]/body[1]/ul[1]/li[299]
          says   Rake 298 € 299
          R2, at least 0.80
            E.price "€ 299" · E.price > 298 · holds
              at /html[1]/body[1]/ul[1]/li[299]/i[1]

        Fine: probability 0.20 to 0.20
          page   DIR/ads.html
          at     /html[1]/body[1]/ul[1]/li[300]
          says   Rake 299 € 300
          R1, at least 0.90
            E.price "€ 300" · E.price > 299 · holds
              at /html[1]/body[1]/ul[1]/li[300]/i[1]
          contradicted: R1, at least 0.90, taken as 0.20 for this record

        not Fine: probability 0.80 to 0.80
          page   DIR/ads.html
          at     /html[1]/body[1]/ul[1]/li[300]
          says   Rake 299 € 300
          R2, at least 0.80
            E.price "€ 300" · E.price > 298 · holds
              at /html[1]/body[1]/ul[1]/li[300]/i[1]
          contradicted: R1, at least 0.90, taken as 0.20 for this record

        3 findings in 300 records: 1 Fine, 2 not Fine
        rules contradicted each other in 1 record and gave way: R1 in 1
    "#]]
    .assert_eq(&(run.stdout + &run.stderr));
}

#[test]
fn all_errors_of_a_rule_file_are_drawn() {
    let rules = "R1: none S (E.title = S.name) -> Unlisted [90]\n\
                 R2: exists S (E.title = S.name and E.price > S.price -> Dear [0.8]\n\
                 R3: Unlistd -> Odd [0.5]\n";
    let folder = ads("audit-errors", rules);
    let run = audit(&folder, &[]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    expect![[r#"
        rules::confidence

          × the confidence 90 is not between 0 and 1
           ╭─[DIR/my.rules:1:44]
         1 │ R1: none S (E.title = S.name) -> Unlisted [90]
           ·                                            ─┬
           ·                                             ╰── not a probability
         2 │ R2: exists S (E.title = S.name and E.price > S.price -> Dear [0.8]
           ╰────
          help: 0.9 means that the rule is right nine times out of ten; for 90 percent write 0.9

        rules::syntax

          × expected `)`, `and` or `or`, found `->`
           ╭─[DIR/my.rules:2:54]
         1 │ R1: none S (E.title = S.name) -> Unlisted [90]
         2 │ R2: exists S (E.title = S.name and E.price > S.price -> Dear [0.8]
           ·                                                      ─┬
           ·                                                       ╰── here
         3 │ R3: Unlistd -> Odd [0.5]
           ╰────

        rules::unknown_name

          × unknown conclusion `Unlistd`
           ╭─[DIR/my.rules:3:5]
         2 │ R2: exists S (E.title = S.name and E.price > S.price -> Dear [0.8]
         3 │ R3: Unlistd -> Odd [0.5]
           ·     ───┬───
           ·        ╰── unknown
           ╰────
          help: did you mean `Unlisted`?
    "#]]
    .assert_eq(&run.stderr);
}

#[test]
fn rules_that_contradict_each_other_are_refused() {
    let folder = ads("audit-inconsistent", "R1: E.price > 5 -> Fine [0.9]\nR2: E.price > 5 -> not Fine [0.8]\n");
    let run = audit(&folder, &["--check"]);
    assert_eq!(run.code, Some(2));
    expect![[r#"
        rules::inconsistent

          × where `R1` applies, the rules contradict each other: `R1`, `R2`
           ╭─[DIR/my.rules:1:25]
         1 │ R1: E.price > 5 -> Fine [0.9]
           ·                         ──┬──
           ·                           ╰── contradicts the others
         2 │ R2: E.price > 5 -> not Fine [0.8]
           ╰────
          help: smallest set of rules to weaken: `R1` could be at most 0.2000
    "#]]
    .assert_eq(&run.stderr);
}

#[test]
fn unknown_fields_and_columns_are_drawn_with_what_is_near() {
    let folder = ads("audit-unknown", "R1: exists S (E.titel = S.nam at 1) -> Listed [0.8]\n");
    let run = audit(&folder, &[]);
    assert_eq!(run.code, Some(2));
    expect![[r#"
        rules::unknown_name

          × unknown field `titel`
           ╭─[DIR/my.rules:1:15]
         1 │ R1: exists S (E.titel = S.nam at 1) -> Listed [0.8]
           ·               ───┬───
           ·                  ╰── unknown
           ╰────
          help: did you mean `title`?

        rules::unknown_name

          × unknown column of S `nam`
           ╭─[DIR/my.rules:1:25]
         1 │ R1: exists S (E.titel = S.nam at 1) -> Listed [0.8]
           ·                         ──┬──
           ·                           ╰── unknown
           ╰────
          help: did you mean `name`?
    "#]]
    .assert_eq(&run.stderr);
}

#[test]
fn a_field_that_records_lack_may_be_taken_for_one_without_a_value() {
    let folder = ads("audit-lenient", "R1: missing E.warnings -> Misleading [0.8]\n");
    let run = audit(&folder, &[]);
    assert!(run.code == Some(2) && run.stderr.contains("unknown field `warnings`"), "{}", run.stderr);
    assert_eq!(audit(&folder, &["--lenient"]).stderr, "300 findings in 300 records: 300 Misleading\n");
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
    expect![[r#"
        drugs: 14 rules, 6 conclusions: Unapproved, Counterfeit, IllegallyImported, PrescriptionSoldFreely, Controlled, Misleading
        S: testdata/audit/register.csv, 6 rows, 7 columns
    "#]].assert_eq(&run.stdout);
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
    let rules =
        "reference S, T\nR1: exists S (E.title = S.name at 1) and none T (E.title = T.name at 1) -> Old [0.9]\n";
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
    check_error(
        &["audit", "--rules", "drugz", "--reference", REGISTER, "x.db"],
        &expect![[r#"
        rules::not_found

          × there are no rules `drugz`, neither a file nor a set that comes along
          help: did you mean `drugs`? those that come along: drugs
    "#]],
    );
    check_error(
        &["audit", "--rules", "drugs", "--reference", "no.csv", "--check"],
        &expect![[r#"
        audit::reference::missing

          × the file `no.csv` does not exist
          help: a table is FILE.csv, FILE.parquet, FILE.db#TABLE or postgres://user@host/database#TABLE
    "#]],
    );
    check_error(
        &["audit", "--rules", "drugs", "--reference", REGISTER],
        &expect![[r#"
        store::none_given

          × no store was given
          help: name it in front, as in `windrow audit shop.db …`, with --store, or in WINDROW_STORE
    "#]],
    );
    check_error(
        &["audit", "--rules", "drugs", "--reference", REGISTER, "--domain", "drugs"],
        &expect![[r#"
        audit::no_page

          × no page was given
          help: give pages behind the options, or --check to check the rules alone
    "#]],
    );
}

#[test]
fn which_list_is_meant_must_be_said() {
    let folder = ads("audit-lists", "R1: missing E.name -> Nameless [0.9]\n").with(
        "ads.toml",
        "[list.ads]\nrecords = \"li\"\nfield.name = { xpath = \"h9\", optional = true }\n[list.other]\nrecords = \"b\"\nfield.name = \".\"\n",
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
