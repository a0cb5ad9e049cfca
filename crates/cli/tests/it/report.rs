//! Reports of audits over several weeks: what they say, where they are refused, and that pages cannot harm them.

use expect_test::expect;
use serde_json::Value;
use windrow::store::Store;
use windrow::store::audits::{AuditedPage, PageKind, Scope, Site, Verdict};

use crate::{Folder, Run, check_error, command, windrow};

const SHOPS: &str = "testdata/archives/pharmacies.warc.gz";

/// Runs a command at nine in the morning of this day of November 2026 (or as many days after its end).
fn on(day: u64, arguments: &[&str]) -> Run {
    // 1793523600 is the first of them, at nine.
    let seconds = 1_793_523_600 + (day - 1) * 86_400;
    let output = command(arguments).env("SOURCE_DATE_EPOCH", seconds.to_string()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

fn audit(store: &str, day: u64, pages: &[&str]) {
    let register = "testdata/audit/register.csv";
    let first = ["audit", "--rules", "drugs", "--reference", register, "--domain", "drugs"];
    let run = on(day, &[&first[..], pages, &["--into", store, "--quiet"]].concat());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

/// A store with audits of three weeks: files first, three shops later.
fn audited(name: &str) -> (Folder, String) {
    let folder = Folder::new(name);
    let store = folder.path("found.db");
    audit(&store, 3, &["testdata/audit/pharmacy"]);
    audit(&store, 17, &[SHOPS]);
    let mut open = Store::open(&store).unwrap();
    let site = |host: &str, ip: &str| Site {
        host: host.into(),
        first: "2026-11-17T09:00:00Z".into(),
        last: "2026-11-17T09:00:00Z".into(),
        ip: Some(ip.into()),
        found_by: Some("buy drug online".into()),
    };
    open.note_site(&site("goldrick.example", "198.51.100.7")).unwrap();
    open.note_site(&site("rx.example:8080", "203.0.113.9")).unwrap();
    drop(open);
    audit(&store, 24, &["testdata/audit/pharmacy/unapproved.html", "testdata/audit/pharmacy/honest.html"]);
    (folder, store)
}

fn json(arguments: &[&str]) -> Value {
    let run = windrow(&[arguments, &["--format", "json"]].concat());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn a_week_has_its_new_sites_with_kinds_numbers_addresses_and_places() {
    let (_folder, store) = audited("report-week");
    let report = json(&["report", &store, "--week", "2026-11-18", "--geoip", "testdata/geoip/places.mmdb"]);
    let sites: Vec<String> = (report["sites"].as_array().unwrap().iter())
        .map(|site| {
            let text = |key: &str| site[key].as_str().unwrap_or("-").to_owned();
            format!(
                "{} {} {} new:{} records:{} open:{} {}\n",
                text("host"),
                text("ip"),
                text("location"),
                site["is_new"],
                site["records"],
                site["open"],
                site["kinds"]
            )
        })
        .collect();
    expect![[r#"
         - - new:false records:5 open:4 {"Counterfeit":1,"Misleading":1,"PrescriptionSoldFreely":1,"Unapproved":1}
        goldrick.example 198.51.100.7 Sankt Veit, Veitland new:true records:2 open:2 {"Counterfeit":1,"Unapproved":1}
        rx.example:8080 203.0.113.9 Weirland new:true records:1 open:1 {"PrescriptionSoldFreely":1}
        clearmeadow.example - - new:true records:2 open:1 {"Misleading":1}
    "#]]
    .assert_eq(&sites.concat());
    let trend: Vec<String> = report["trend"].as_array().unwrap().iter().map(|week| format!("{week}\n")).collect();
    expect![[r#"
        {"week":"2026-W45","sites":0,"new_sites":0,"open":4,"new":4,"gone":0}
        {"week":"2026-W46","sites":0,"new_sites":0,"open":4,"new":0,"gone":0}
        {"week":"2026-W47","sites":3,"new_sites":3,"open":8,"new":4,"gone":0}
    "#]]
    .assert_eq(&trend.concat());
    // The evidence is what the audit printed.
    let findings = report["findings"].as_array().unwrap();
    let finding = findings.iter().find(|finding| finding["conclusion"] == "Unapproved").unwrap();
    assert_eq!(finding["evidence"]["conclusion"], finding["conclusion"]);
    assert_eq!(finding["evidence"]["evidence"][0]["holds"], false);
}

#[test]
fn the_last_week_is_told_unless_another_is_asked_for() {
    let (folder, store) = audited("report-last");
    let page = folder.path("week.html");
    let run = on(31, &["report", &store, "-o", &page]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""));
    expect![[r#"
        wrote DIR/week.html: week 2026-W48, 2026-11-23 to 2026-11-29: 0 new sites, 8 findings
    "#]]
    .assert_eq(&folder.hide(&run.stderr));
    let text = folder.read("week.html");
    assert!(text.contains("Week 2026-W48, 2026-11-23 to 2026-11-29") && text.contains("Made 2026-12-01T09:00:00Z"));
    let sums = |arguments: &[&str]| json(&[&["report", store.as_str()], arguments].concat())["sums"].to_string();
    assert_eq!(
        sums(&["--since", "2026-11-01", "--until", "2026-11-30"]),
        r#"{"sites":3,"new_sites":3,"open":8,"new":8,"gone":0}"#
    );
    assert_eq!(sums(&["--until", "2026-11-04"]), r#"{"sites":0,"new_sites":0,"open":4,"new":4,"gone":0}"#);
    let early = windrow(&["report", &store, "--week", "2026-W01"]);
    assert_eq!((early.code, early.stdout.as_str()), (Some(1), ""));
    assert_eq!(early.stderr, "nothing was audited by the end of 2026-01-04\n");
}

#[test]
fn what_does_not_fit_on_the_page_is_told() {
    let (_folder, store) = audited("report-most");
    let run = windrow(&["report", &store, "--most", "3"]);
    assert_eq!(run.code, Some(0));
    assert_eq!(run.stdout.matches("<article").count(), 3);
    assert!(run.stdout.contains("<b>5 of 8 findings are left out here</b>"));
    assert_eq!(json(&["report", &store, "--most", "3"])["findings"].as_array().unwrap().len(), 8);
}

#[test]
fn an_interrupted_audit_is_marked() {
    let folder = Folder::new("report-interrupted");
    let path = folder.path("found.db");
    let mut store = Store::open(&path).unwrap();
    drop(store.begin_audit("drugs", "", "records", Scope::Pages, "2026-11-17T09:00:00Z").unwrap());
    let page = windrow(&["report", &path]);
    assert_eq!(page.code, Some(0), "{}", page.stderr);
    assert!(page.stdout.contains("<b>Not complete:</b> 1 of 1 audit") && page.stdout.contains("<b>interrupted</b>"));
    assert_eq!(json(&["report", &path])["audits"][0]["complete"], false);
}

#[test]
fn a_hostile_page_becomes_text() {
    let rows = "<tr><td><script>alert(1)</script>\"><img src=x onerror=alert(2)><td>Veit<td>MA-1'\"&lt;b><td>€ 1";
    let page = format!("<table>{rows}</table>");
    let folder = Folder::new("report-hostile").with("page.html", &page);
    let (store, shown) = (folder.path("found.db"), folder.path("page.html"));
    let shop = |name: &str| format!("testdata/audit/shop/{name}");
    let run = windrow(&[
        "audit",
        "--rules",
        &shop("shop.rules"),
        "--reference",
        &shop("register.csv"),
        "-w",
        &shop("shop.toml"),
        &shown,
        "--into",
        &store,
        "--quiet",
    ]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    // And an address that is none.
    let mut open = Store::open(&store).unwrap();
    let mut audit = open.begin_audit("shop", "", "drugs", Scope::Pages, "2025-11-16T09:00:00Z").unwrap();
    let looked = AuditedPage { page: "javascript:alert(3)", host: "<b>host</b>", kind: PageKind::Rich, records: 1 };
    let verdict =
        Verdict { conclusion: "Fake<script>".into(), low: 0.99, evidence: "[\"<\"]".into(), ..Verdict::default() };
    open.keep_findings(&mut audit, &looked, &[verdict]).unwrap();
    open.finish_audit(audit, "2025-11-16T09:00:00Z").unwrap();
    let report = windrow(&["report", &store, "--title", "</title><script>alert(4)</script>"]);
    assert_eq!((report.code, report.stderr.as_str()), (Some(0), ""));
    for bad in ["<script", "<img", "href=\"javascript", "<b>host"] {
        assert!(!report.stdout.contains(bad), "{bad}");
    }
    assert!(report.stdout.contains("<bdi>javascript:alert(3)</bdi>"));
    assert!(report.stdout.contains("&lt;/title&gt;&lt;script&gt;alert(4)"));
    // A browser's reading of the page agrees: no element that could do anything.
    let found =
        crate::windrow_on(report.stdout.as_bytes(), &["select", "-", "//script|//img|//iframe|//@onerror|//@src"]);
    assert_eq!((found.code, found.stdout.as_str()), (Some(1), ""));
    let links = crate::windrow_on(report.stdout.as_bytes(), &["select", "-", "//a/@href", "--format", "text"]);
    assert!(links.stdout.lines().all(|link| link.starts_with('#') || link.starts_with("http")), "{}", links.stdout);
}

#[test]
fn many_findings_stay_a_small_page() {
    let folder = Folder::new("report-many");
    let path = folder.path("found.db");
    let mut store = Store::open(&path).unwrap();
    let mut audit = store.begin_audit("drugs", "", "records", Scope::Pages, "2026-11-17T09:00:00Z").unwrap();
    for page in 0..50 {
        let verdicts: Vec<Verdict> = (0..200)
            .map(|n| Verdict {
                record: n.to_string(),
                conclusion: "Dear".into(),
                low: 0.6,
                evidence: "{}".into(),
                ..Verdict::default()
            })
            .collect();
        let name = format!("https://s{page}.example/");
        let host = format!("s{page}.example");
        let looked = AuditedPage { page: &name, host: &host, kind: PageKind::Rich, records: 200 };
        store.keep_findings(&mut audit, &looked, &verdicts).unwrap();
    }
    store.finish_audit(audit, "2026-11-17T10:00:00Z").unwrap();
    let run = windrow(&["report", &path]);
    assert_eq!(run.stdout.matches("<article").count(), 2000);
    assert!(run.stdout.len() < 5_000_000, "{}", run.stdout.len());
    assert!(run.stdout.contains("8\u{202f}000 of 10\u{202f}000 findings are left out here"));
    assert_eq!(json(&["report", &path])["findings"].as_array().unwrap().len(), 10_000);
}

#[test]
fn a_store_without_audits_says_what_to_do() {
    let folder = Folder::new("report-none");
    let store = folder.path("shop.db");
    let pages = "testdata/pages/ads/page-1.html";
    windrow(&["extract", "-w", "testdata/wrappers/ads/offers.toml", pages, "--into", &store, "--quiet"]);
    let run = windrow(&["report", &store]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    expect![[r#"
        report::no_audits

          × nothing was audited in `DIR/shop.db` yet, so there is nothing to report
          help: `windrow audit … --into DIR/shop.db` keeps what it finds; of a store's own records, --keep does
    "#]]
    .assert_eq(&folder.hide(&run.stderr));
}

#[test]
fn what_is_wrong_is_told() {
    check_error(
        &["report", "missing.db"],
        &expect![[r#"
            store::missing

              × the store `missing.db` does not exist
              help: `windrow extract -w RULES PAGE… --into FILE` creates a store; a store on a server has an address such as postgres://…
        "#]],
    );
    check_error(
        &["report", "missing.db", "--week", "2026-W54"],
        &expect![[r#"
            error: invalid value '2026-W54' for '--week <WEEK>': write a week such as 2026-W47, or a date in it such as 2026-11-17

            For more information, try '--help'.
        "#]],
    );
    check_error(
        &["report", "missing.db", "--since", "17.11."],
        &expect![[r#"
            error: invalid value '17.11.' for '--since <DATE>': write a date such as 2026-11-15

            For more information, try '--help'.
        "#]],
    );
    check_error(
        &["report", "missing.db", "-o", "week.pdf"],
        &expect![[r#"
            output::unknown_format

              × the name `week.pdf` does not tell the format
              help: names end in .html, .htm or .json; else say --format
        "#]],
    );
    check_error(
        &["report", "missing.db", "--geoip", "testdata/audit/register.csv"],
        &expect![[r#"
        report::geoip_wrong

          × `testdata/audit/register.csv` is no GeoIP database: invalid database: could not find MaxMind DB metadata in file
          help: it is a file such as GeoLite2-City.mmdb or GeoLite2-Country.mmdb; a .tar.gz has to be unpacked first
    "#]],
    );
    check_error(
        &["report", "missing.db", "--geoip", "missing.mmdb"],
        &expect![[r#"
            report::geoip_unreadable

              × cannot read the GeoIP database `missing.mmdb`: No such file or directory (os error 2)
        "#]],
    );
    let (_folder, store) = audited("report-wrong");
    check_error(
        &["report", &store, "--since", "2026-11-18", "--until", "2026-11-17"],
        &expect![[r#"
            report::no_time

              × 2026-11-18 comes after 2026-11-17
              help: --since is the first day, --until the last
        "#]],
    );
}
