//! Findings kept from one audit to the next.

use expect_test::expect;

use crate::{Folder, Run, check_error, windrow};

const SHOP: &str = "testdata/audit/shop";

/// The page of a shop with these rows of its table, in a folder that has its wrapper, rules and register.
fn shop(name: &str, rows: &[&str]) -> Folder {
    let file = |name: &str| std::fs::read_to_string(crate::root().join(SHOP).join(name)).unwrap();
    Folder::new(name)
        .with("shop.toml", &file("shop.toml"))
        .with("shop.rules", &file("shop.rules"))
        .with("register.csv", &file("register.csv"))
        .with("page.html", &page(rows))
}

fn page(rows: &[&str]) -> String {
    let row = |row: &&str| format!("<tr><td>{}", row.split('|').collect::<Vec<_>>().join("<td>"));
    format!("<table>{}</table>", rows.iter().map(row).collect::<String>())
}

const HONEST: &str = "Hayfield Drops|Oak Labs Ltd|MA-10234|€ 4.10";
const UNAPPROVED: &str = "Ricksweet Granules|Rick Remedies|MA-99871|€ 14.00";
const INCOMPLETE: &str = "Barley Balm|Veit||€ 3.20";

/// Audits the shop's page, or what else is said.
fn audit(folder: &Folder, what: &[&str]) -> Run {
    let (rules, register) = (folder.path("shop.rules"), folder.path("register.csv"));
    let run = windrow(&[&["audit", "--rules", &rules, "--reference", &register][..], what].concat());
    Run { stdout: folder.hide(&run.stdout), stderr: folder.hide(&run.stderr), ..run }
}

fn audit_pages(folder: &Folder, more: &[&str]) -> Run {
    let (wrapper, page) = (folder.path("shop.toml"), folder.path("page.html"));
    audit(folder, &[&["-w", &wrapper, &page][..], more].concat())
}

fn query(folder: &Folder, sql: &str) -> String {
    let run = windrow(&["query", &folder.path("found.db"), sql, "--format", "csv"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{sql}");
    folder.hide(&run.stdout)
}

#[test]
fn what_is_found_is_new_then_known_then_gone() {
    let folder = shop("audit-keep", &[HONEST, UNAPPROVED, INCOMPLETE]);
    let store = folder.path("found.db");
    let first = audit_pages(&folder, &["--into", &store]);
    assert_eq!((first.code, first.stdout.as_str()), (Some(0), ""));
    expect![[r#"
        3 findings in 3 records: 1 Unapproved, 1 Incomplete, 1 Dangerous
        kept in DIR/found.db: 3 new findings, 0 known, 0 gone
    "#]]
    .assert_eq(&first.stderr);
    // One more above, which moves the others down; one is mended.
    let folder = folder.with("page.html", &page(&[HONEST, HONEST, UNAPPROVED]));
    let second = audit_pages(&folder, &["--into", &store]);
    expect![[r#"
        2 findings in 3 records: 1 Unapproved, 1 Dangerous
        kept in DIR/found.db: 0 new findings, 2 known, 1 gone
    "#]]
    .assert_eq(&second.stderr);
    expect![[r#"
        ruleset,list,page,host,path,conclusion,low,rules,messages,gone
        shop,drugs,DIR/page.html,,/html[1]/body[1]/table[1]/tbody[1]/tr[3],Unapproved,0.9,R1,no such approval in the register,0
        shop,drugs,DIR/page.html,,/html[1]/body[1]/table[1]/tbody[1]/tr[3],Dangerous,0.85,R1; R5,no such approval in the register,0
        shop,drugs,DIR/page.html,,/html[1]/body[1]/table[1]/tbody[1]/tr[3],Incomplete,0.7,R4,no approval is shown,1
    "#]]
    .assert_eq(&query(
        &folder,
        "select ruleset, list, page, host, path, conclusion, low, rules, messages, gone is not null as gone
         from _findings order by id",
    ));
    expect![[r#"
        pages,failed,records,findings,new,gone,whole
        1,0,3,3,3,0,1
        1,0,3,2,0,1,1
    "#]]
    .assert_eq(&query(
        &folder,
        "select pages, failed, records, findings, new, gone, ended is not null as whole from _audits order by id",
    ));
}

#[test]
fn what_is_kept_is_what_is_printed() {
    let folder = shop("audit-keep-print", &[UNAPPROVED]);
    let store = folder.path("found.db");
    let run = audit_pages(&folder, &["--into", &store, "--format", "jsonl"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let printed: Vec<serde_json::Value> = run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kept = windrow(&["query", &store, "select evidence from _findings order by id", "--format", "jsonl"]);
    let kept: Vec<serde_json::Value> = (kept.stdout.lines())
        .map(|line| serde_json::from_str::<serde_json::Value>(&folder.hide(line)).unwrap())
        .map(|row| serde_json::from_str(row["evidence"].as_str().unwrap()).unwrap())
        .collect();
    assert_eq!(printed, kept);
    assert_eq!(printed.len(), 2);
}

#[test]
fn records_of_a_store_keep_their_findings_beside_them() {
    let folder = shop("audit-keep-store", &[UNAPPROVED, INCOMPLETE]);
    let (store, wrapper, shown) = (folder.path("found.db"), folder.path("shop.toml"), folder.path("page.html"));
    let extract = || {
        let run = windrow(&["extract", "-w", &wrapper, &shown, "--into", &store, "--quiet", "--accept-empty"]);
        assert_eq!(run.stderr, "");
    };
    extract();
    let first = audit(&folder, &[&store, "--keep"]);
    assert!(first.stderr.ends_with("3 new findings, 0 known, 0 gone\n"), "{}", first.stderr);
    let again = audit(&folder, &[&store, "--into", &store]);
    assert!(again.stderr.ends_with("0 new findings, 3 known, 0 gone\n"), "{}", again.stderr);
    // A page that has no records any more is not looked at, and its findings are gone all the same.
    std::fs::write(&shown, page(&[])).unwrap();
    extract();
    let last = audit(&folder, &[&store, "--keep"]);
    assert_eq!(last.code, Some(1));
    assert!(last.stderr.ends_with("0 new findings, 0 known, 3 gone\n"), "{}", last.stderr);
}

#[test]
fn a_page_that_cannot_be_read_loses_nothing() {
    let folder = shop("audit-keep-unread", &[UNAPPROVED]);
    let store = folder.path("found.db");
    assert_eq!(audit_pages(&folder, &["--into", &store, "--quiet"]).code, Some(0));
    std::fs::remove_file(folder.path("page.html")).unwrap();
    std::fs::create_dir(folder.path("page.html")).unwrap();
    let missing = folder.path("missing.html");
    let run = audit_pages(&folder, &[&missing, "--into", &store]);
    assert_eq!(run.code, Some(2));
    assert_eq!(query(&folder, "select count(*) as open from _findings where gone is null"), "open\n2\n");
}

#[test]
fn pages_of_a_domain_are_counted_by_their_kind() {
    let folder = Folder::new("audit-keep-kinds");
    let store = folder.path("found.db");
    let (archive, register) = ("testdata/archives/barn.warc.gz", "testdata/audit/register.csv");
    let arguments = ["audit", "--rules", "drugs", "--reference", register, "--domain", "drugs"];
    let run = windrow(&[&arguments[..], &["testdata/audit/pharmacy", archive, "--into", &store, "--quiet"]].concat());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    expect![[r#"
        host,rich,offers,neither,records,findings
        ,5,0,0,5,4
        barn.example,0,0,8,0,0
    "#]]
    .assert_eq(&query(&folder, "select host, rich, offers, neither, records, findings from _visits order by host"));
    let overview = windrow(&["query", &store, "--format", "table"]);
    assert!(overview.stdout.starts_with("no records have been kept; of the store itself: _pages,"), "{overview:?}");
    expect![[r#"
        host,first_seen,ip
        barn.example,2025-11-16T09:00:00Z,
    "#]]
    .assert_eq(&query(&folder, "select host, first_seen, ip from _sites"));
}

#[test]
fn a_store_that_takes_nothing_is_an_error() {
    let folder =
        shop("audit-keep-refused", &[UNAPPROVED]).with("other.db", "a text that is no database at all, but long");
    let (rules, register) = (folder.path("shop.rules"), folder.path("register.csv"));
    let (wrapper, page, other) = (folder.path("shop.toml"), folder.path("page.html"), folder.path("other.db"));
    let run = windrow(&["audit", "--rules", &rules, "--reference", &register, "-w", &wrapper, &page, "--into", &other]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("is not a Windrow store"), "{}", run.stderr);
    check_error(
        &["audit", "--rules", "drugs", "--domain", "drugs", "a.html", "--keep"],
        &expect![[r#"
            error: the argument '--domain <DOMAIN>' cannot be used with '--keep'

            Usage: windrow audit --rules <RULES> [--reference <TABLE>]... [OPTIONS] <STORE> [<LIST>]
                   windrow audit --rules <RULES> [--reference <TABLE>]... [OPTIONS] -w <FILE> <PAGE>...
                   windrow audit --rules <RULES> [--reference <TABLE>]... [OPTIONS] --domain <DOMAIN> <PAGE>...

            For more information, try '--help'.
        "#]],
    );
}
