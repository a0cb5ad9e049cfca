//! Tests of reports on small inputs.

use std::convert::Infallible;

use super::*;

fn mark(id: i64, host: &str, conclusion: &str, low: f64, first: &str, gone: Option<&str>) -> Mark {
    let (host, conclusion, first) = (host.to_owned(), conclusion.to_owned(), first.to_owned());
    Mark { id, host, conclusion, low, first, gone: gone.map(str::to_owned) }
}

fn site(host: &str, first: &str) -> Site {
    Site { host: host.into(), first: first.into(), last: first.into(), ..Site::default() }
}

fn audit(id: i64, started: &str, ended: Option<&str>) -> Audit {
    let (ruleset, list) = ("drugs".to_owned(), "records".to_owned());
    Audit { id, ruleset, list, started: started.into(), ended: ended.map(str::to_owned), ..Audit::default() }
}

/// Two sites over three weeks.
fn input() -> Input {
    let visit =
        |audit: i64, host: &str, records: u64| Visit { audit, host: host.into(), rich: 1, records, ..Visit::default() };
    Input {
        title: "Pharmacies".into(),
        made: "2026-11-20T10:00:00Z".into(),
        sites: vec![
            Site { ip: Some("192.0.2.1".into()), ..site("a.example", "2026-11-03T08:00:00Z") },
            site("b.example", "2026-11-17T08:00:00Z"),
            site("c.example", "2026-11-24T08:00:00Z"),
        ],
        audits: vec![
            audit(1, "2026-11-03T08:00:00Z", Some("2026-11-03T09:00:00Z")),
            audit(2, "2026-11-17T08:00:00Z", None),
            audit(3, "2026-11-24T08:00:00Z", Some("2026-11-24T09:00:00Z")),
        ],
        visits: vec![
            visit(1, "a.example", 10),
            visit(2, "a.example", 12),
            visit(2, "b.example", 5),
            visit(3, "c.example", 9),
        ],
    }
}

fn marks() -> Vec<Mark> {
    vec![
        mark(1, "a.example", "Unapproved", 0.9, "2026-11-03T08:00:00Z", None),
        mark(2, "a.example", "Dear", 0.6, "2026-11-03T08:00:00Z", Some("2026-11-17T08:00:00Z")),
        mark(3, "b.example", "Counterfeit", 0.95, "2026-11-17T08:00:00Z", None),
        mark(4, "b.example", "Unapproved", 0.7, "2026-11-17T08:00:00Z", Some("2026-11-24T08:00:00Z")),
        mark(5, "c.example", "Unapproved", 0.9, "2026-11-24T08:00:00Z", None),
        mark(6, "a.example", "Dear", 0.6, "2026-11-03T08:00:00Z", Some("2026-11-04T08:00:00Z")),
    ]
}

fn report(week: &str, input: Input, marks: Vec<Mark>) -> Report {
    let period = Week::parse(week).unwrap().period();
    let all = |each: &mut dyn FnMut(Mark)| -> Result<(), Infallible> {
        marks.into_iter().for_each(each);
        Ok(())
    };
    Report::new(input, period, all).unwrap()
}

fn detail(id: i64) -> Detail {
    let evidence = r#"{"rules":[{"rule":"R2","message":"another maker","confidence":[0.85,1]}],
        "evidence":[{"rule":"R2","test":"not E.maker = S.maker","field":"maker","extracted":"Goldrick",
        "reference":"S","column":"maker","row":3,"value":"Veit","degree":0.12,"holds":false,"path":"/html[1]"}],
        "weakened":[{"rule":"R9","to":0.4}]}"#;
    Detail {
        id,
        page: "https://a.example/x".into(),
        conclusion: "Counterfeit".into(),
        low: 0.85,
        high: 1.0,
        evidence: evidence.into(),
        ..Detail::default()
    }
}

fn html(report: &Report, most: usize, detail: impl Fn(i64) -> Detail) -> String {
    let mut page = String::new();
    let details = |ids: &[i64]| Ok::<_, Infallible>(ids.iter().map(|id| detail(*id)).collect());
    report
        .html(most, details, |text| {
            page.push_str(text);
            Ok(())
        })
        .unwrap();
    page
}

#[test]
fn a_week_is_told_as_it_stood_at_its_end() {
    let report = report("2026-W47", input(), marks());
    let rows: Vec<_> = report
        .sites()
        .iter()
        .map(|row| (row.site.host.as_str(), row.is_new, row.records, row.open, row.new, row.gone))
        .collect();
    assert_eq!(rows, [("b.example", true, 5, 2, 2, 0), ("a.example", false, 12, 1, 0, 1)]);
    let kinds: Vec<_> = report
        .kinds()
        .iter()
        .map(|kind| (kind.conclusion.as_str(), kind.open, kind.new, kind.gone, kind.sites))
        .collect();
    assert_eq!(kinds, [("Unapproved", 2, 1, 0, 2), ("Counterfeit", 1, 1, 0, 1), ("Dear", 0, 0, 1, 0)]);
    // A finding that was gone before the week is not shown.
    assert_eq!(report.findings(), 4);
}

#[test]
fn the_trend_goes_on_through_weeks_without_anything() {
    let report = report("2026-W48", input(), marks());
    let trend: Vec<_> = (report.trend().iter())
        .map(|one| (one.week.to_string(), one.sites, one.new_sites, one.open, one.new, one.gone))
        .collect();
    let expected = [
        ("2026-W45", 1, 1, 2, 3, 1),
        ("2026-W46", 1, 0, 2, 0, 0),
        ("2026-W47", 2, 1, 3, 2, 1),
        ("2026-W48", 3, 1, 3, 1, 1),
    ];
    assert_eq!(trend, expected.map(|(week, a, b, c, d, e)| (week.to_owned(), a, b, c, d, e)));
}

#[test]
fn a_long_trend_begins_with_what_was_there() {
    let old = vec![
        mark(1, "a.example", "Dear", 0.6, "2020-01-01T00:00:00Z", None),
        mark(2, "a.example", "Dear", 0.6, "2020-01-01T00:00:00Z", Some("2020-02-01T00:00:00Z")),
        mark(3, "a.example", "Dear", 0.6, "2020-02-01T00:00:00Z", None),
    ];
    let sites = vec![site("a.example", "2020-01-01T00:00:00Z")];
    let report = report("2026-W47", Input { sites, ..Input::default() }, old);
    assert_eq!(report.trend().len(), 53);
    assert!(report.trend().iter().all(|one| (one.sites, one.open, one.new) == (1, 2, 0)));
}

#[test]
fn the_last_week_is_the_last_with_something() {
    assert_eq!(input().last_week(), Week::parse("2026-W48"));
    assert_eq!(Input::default().last_week(), None);
    assert!(report("2026-W40", input(), marks()).is_empty());
    assert!(!report("2026-W46", input(), marks()).is_empty());
}

#[test]
fn the_page_shows_findings_with_their_evidence() {
    let page = html(&report("2026-W47", input(), marks()), 100, detail);
    for part in [
        "<a href=\"#f3\"><bdi>Counterfeit</bdi></a>: probability 0.85 to 1.00 <span class=\"tag\">new</span>",
        "<a href=\"https://a.example/x\" rel=",
        "<b><bdi>R2</bdi></b>, at least 0.85: <bdi>another maker</bdi>",
        "<bdi>Goldrick</bdi>",
        "<bdi>Veit</bdi> <span class=\"soft\">(row 3)</span>",
        "data-label=\"Degree\"><span>0.12</span></td>",
        "taken as 0.40 for this record",
        "1 of 1 audit did not come to its end",
        "192.0.2.1",
    ] {
        assert!(page.contains(part), "{part} is not in\n{page}");
    }
    // The worst site comes first, with its worst finding first; findings that are gone come last.
    let places: Vec<usize> =
        ["id=\"f3\"", "id=\"f4\"", "id=\"f1\"", "id=\"f2\""].map(|id| page.find(id).unwrap()).into();
    assert!(places.is_sorted(), "{places:?}");
    assert!(!page.contains("left out"));
    assert!(!page.contains("<script") && !page.contains("src=") && !page.contains("url(http"));
}

#[test]
fn what_does_not_fit_is_told_and_json_has_all() {
    let many: Vec<Mark> =
        (1..=500).map(|id| mark(id, "a.example", "Dear", 0.6, "2026-11-17T08:00:00Z", None)).collect();
    let report = report("2026-W47", input(), many);
    let page = html(&report, 7, detail);
    assert_eq!(page.matches("<article").count(), 7);
    assert!(page.contains("493 of 500 findings are left out here"));
    assert!(page.contains("<b>493 findings not shown</b>"));
    let mut json = String::new();
    let details = |ids: &[i64]| Ok::<_, Infallible>(ids.iter().map(|id| detail(*id)).collect());
    report
        .json(details, |text| {
            json.push_str(text);
            Ok(())
        })
        .unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["findings"].as_array().unwrap().len(), 500);
    assert_eq!((&json["week"], &json["sums"]["open"]), (&"2026-W47".into(), &500.into()));
    assert_eq!(json["findings"][0]["evidence"]["rules"][0]["rule"], "R2");
}

#[test]
fn the_table_of_new_sites_ends() {
    let mut input = input();
    input.sites.extend((0..700).map(|number| site(&format!("s{number:03}.example"), "2026-11-18T08:00:00Z")));
    let page = html(&report("2026-W47", input, marks()), 10, detail);
    // The site with findings comes first; all 701 are counted.
    assert!(page.contains("<b>201 more new sites are left out here</b>"));
    assert!(page.contains("b.example") && page.contains("s498.example") && !page.contains("s499.example"));
}

#[test]
fn nothing_that_a_page_says_becomes_markup() {
    const HOSTILE: &str = "\"'><script>alert(1)</script><img src=x onerror=alert(2)>&lt;\u{202e}\0]]>-->";
    let input = Input {
        title: HOSTILE.into(),
        sites: vec![Site {
            ip: Some(HOSTILE.into()),
            location: Some(HOSTILE.into()),
            found_by: Some(HOSTILE.into()),
            ..site(HOSTILE, "2026-11-17T08:00:00Z")
        }],
        audits: vec![Audit {
            ruleset: HOSTILE.into(),
            list: HOSTILE.into(),
            ..audit(1, "2026-11-17T08:00:00Z", Some(HOSTILE))
        }],
        made: HOSTILE.into(),
        ..Input::default()
    };
    let report = report("2026-W47", input, vec![mark(1, HOSTILE, HOSTILE, 0.9, "2026-11-17T08:00:00Z", None)]);
    let evidence =
        detail(1).evidence.replace("Goldrick", &HOSTILE.replace('"', "\\\"").replace('\0', "")).replace("R2", "R<2>");
    let hostile = |id: i64| Detail {
        page: "javascript:alert(1)".into(),
        path: HOSTILE.into(),
        conclusion: HOSTILE.into(),
        snippet: HOSTILE.into(),
        ruleset: HOSTILE.into(),
        first: HOSTILE.into(),
        last: HOSTILE.into(),
        evidence: evidence.clone(),
        ..detail(id)
    };
    let page = html(&report, 100, hostile);
    assert!(serde_json::from_str::<serde_json::Value>(&evidence).is_ok());
    assert!(page.contains("R&lt;2&gt;") && page.contains("&lt;script&gt;alert(1)"));
    for bad in ["<script", "<img", "href=\"javascript", "\0", "onerror=alert(2)>"] {
        assert!(!page.contains(bad), "{bad}");
    }
    // Every element must be one that the report writes.
    let ours = [
        "!DOCTYPE",
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "header",
        "h1",
        "h2",
        "h3",
        "h4",
        "p",
        "ul",
        "li",
        "b",
        "i",
        "a",
        "nav",
        "section",
        "table",
        "caption",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "bdi",
        "div",
        "figure",
        "figcaption",
        "svg",
        "defs",
        "pattern",
        "rect",
        "line",
        "text",
        "polyline",
        "circle",
        "span",
        "code",
        "br",
        "blockquote",
        "article",
        "footer",
    ];
    let body = page.split_once("</style>").unwrap().1;
    for tag in body.split('<').skip(1) {
        let name: String = tag.trim_start_matches('/').chars().take_while(|c| c.is_ascii_alphanumeric()).collect();
        assert!(ours.contains(&name.as_str()), "<{name} …");
    }
}

#[test]
fn an_empty_report_is_a_page() {
    let page = html(&report("2026-W47", Input::default(), Vec::new()), 100, detail);
    assert!(page.contains("No site is new.") && page.contains("There are none.") && page.ends_with("</html>\n"));
}
