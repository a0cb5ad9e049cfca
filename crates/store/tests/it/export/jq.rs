//! jq over records: what filters give, what is said of wrong ones, and that none runs away.

use std::ops::ControlFlow;
use std::time::Duration;

use miette::Diagnostic;
use windrow_store::Kind;
use windrow_store::jq::{JqError, Objects, Options, jq};

use super::sample::{ads, layout, number, record, text};

fn objects() -> Objects {
    let mut objects = Objects::new();
    let (layout, records) = ads();
    let mut list = objects.list(&layout);
    records.iter().for_each(|record| list.push(record));
    objects
}

fn run(filter: &str, objects: Objects, options: &Options) -> Result<Vec<String>, JqError> {
    let mut found = Vec::new();
    let count = jq(filter, objects, options, |result| {
        found.push(result);
        ControlFlow::Continue(())
    })?;
    assert_eq!(count, found.len() as u64);
    Ok(found)
}

fn check(filter: &str, expected: &[&str]) {
    assert_eq!(run(filter, objects(), &Options::new()).unwrap(), expected, "{filter}");
    // Watching the time changes nothing.
    let options = Options::new().with_time(Duration::from_secs(600));
    assert_eq!(run(filter, objects(), &options).unwrap(), expected, "{filter}");
}

#[test]
fn filters_see_the_lists_as_trees() {
    check("keys", &[r#"["ads"]"#]);
    check(".ads[] | .title", &[r#""Flat, \"sunny\"""#, r#""=House""#]);
    check(".ads[] | select(.place.city == \"Graz\").price", &[r#"{"amount":1200,"currency":null}"#]);
    check(".ads[0] | .rooms, .price.amount, .rooms + 1", &["3.50", "340.00", "4.5"]);
    check("[.ads[].photos[].sizes[].width] | add", &["720"]);
    check(".ads | map({title, tags: (.tags | length)}) | .[1]", &[r#"{"title":"=House","tags":0}"#]);
    check("path(.ads[0].photos[])", &[r#"["ads",0,"photos",0]"#, r#"["ads",0,"photos",1]"#]);
    check("(.ads[] | .photos) |= length | [.ads[].photos]", &["[2,0]"]);
    check("[range(3)], [limit(3; repeat(7))], ([..] | length > 20)", &["[0,1,2]", "[7,7,7]", "true"]);
    check("[1, [2, [3]]] | flatten", &["[1,2,3]"]);
    check("def f(n): if n == 0 then 0 else f(n - 1) + 1 end; f(50)", &["50"]);
    check("1, halt, 2", &["1"]);
    check("nan, infinite, 1e3, 0.1 + 0.2", &["null", "1.7976931348623157e308", "1e3", "0.30000000000000004"]);
    check(".ads[0].posted | strptime(\"%Y-%m-%d\") | mktime", &["1794700800"]);
}

#[test]
fn the_papers_question() {
    let columns = [("city", Kind::Text), ("date", Kind::Text), ("high", Kind::Text), ("low", Kind::Text)];
    let layout = layout("city_temp", &columns, Vec::new());
    let mut objects = Objects::new();
    let mut list = objects.list(&layout);
    for row in [
        ["Vienna", "Jan. 28", "29/-2", "16/-9"],
        ["Vienna", "Jan. 29", "35/2", "23/-5"],
        ["Oslo", "Jan. 29", "20/-7", "9/-13"],
    ] {
        list.push(&record(1, row.map(text).to_vec(), Vec::new()));
    }
    let filter = ".city_temp[] | select(.city == \"Vienna\" and .date == \"Jan. 29\") | {high, low}";
    assert_eq!(run(filter, objects, &Options::new()).unwrap(), [r#"{"high":"35/2","low":"23/-5"}"#]);
}

#[test]
fn variables_and_raw_texts() {
    let options = Options::new().with_variable("city", "Graz").with_variable("n", "2").with_raw(true);
    let filter = ".ads[] | select(.place.city == $city) | .title, ($n | tonumber) + 1, [$n]";
    assert_eq!(run(filter, objects(), &options).unwrap(), ["=House", "3", "[\"2\"]"]);
    let options = Options::new().with_variable("9", "x");
    assert_eq!(run(".", objects(), &options), Err(JqError::Variable { name: "9".to_owned() }));
}

#[test]
fn any_tree_will_do() {
    let objects = Objects::from_json(&serde_json::json!([{"a": 1.5, "b": [true, null, "x"]}]));
    assert_eq!(run(".[0]", objects, &Options::new()).unwrap(), [r#"{"a":1.5,"b":[true,null,"x"]}"#]);
    assert_eq!(run(".", Objects::new(), &Options::new()).unwrap(), ["{}"]);
}

#[test]
fn whoever_takes_the_results_may_stop() {
    let mut found = Vec::new();
    let count = jq("repeat(1)", objects(), &Options::new(), |result| {
        found.push(result);
        if found.len() == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!((count, found.len()), (Ok(3), 3));
}

#[test]
fn wrong_filters_are_told_where() {
    // Filter, error, the text that it points at, hint.
    let cases = [
        (
            ".ads[",
            "the filter is not valid jq: expected closing bracket, found the end of the filter",
            "[",
            "close the bracket that is opened here",
        ),
        (".ads | ", "the filter is not valid jq: expected term, found the end of the filter", "", ""),
        (
            "",
            "the filter is not valid jq: expected term, found the end of the filter",
            "",
            "write `.` to get everything",
        ),
        (".a §", "the filter is not valid jq: expected token, found `§`", "§", ""),
        (".a )", "the filter is not valid jq: expected token, found `)`", ")", ""),
        (
            "\"abc",
            "the filter is not valid jq: expected closing quote, found the end of the filter",
            "\"",
            "close the bracket that is opened here",
        ),
        ("if . then 1", "the filter is not valid jq: expected else or end, found the end of the filter", "", ""),
        ("include \"x\"; .", "the filter is not valid jq: expected the end of the filter, found `\"x\"`", "\"x\"", ""),
        (".ads[] | selct(.a)", "unknown filter `selct` with 1 argument", "selct", "did you mean `select`?"),
        ("map", "unknown filter `map` without arguments", "map", "`map` exists with 1 argument"),
        (".ads[] | .title == $cty", "unknown variable `$cty`", "$cty", "did you mean `$city`?"),
        ("$zone", "unknown variable `$zone`", "$zone", "the defined variables are $city"),
        ("env", "unknown filter `env`", "env", "filters can only access the records"),
        ("$ENV", "unknown variable `$ENV`", "$ENV", "the defined variables are $city"),
        ("input", "unknown filter `input` without arguments", "input", ""),
        (".title.x.y[0] | error(\"no\")", "the filter failed: no", "", ""),
    ];
    let mut differ = Vec::new();
    for (filter, message, at, hint) in cases {
        let error = run(filter, objects(), &Options::new().with_variable("city", "Oslo")).unwrap_err();
        let help = error.help().map(|help| help.to_string()).unwrap_or_default();
        let found = (error.to_string(), &filter[error.span().unwrap_or(0..0)], help);
        if (found.0.as_str(), found.1, found.2.as_str()) != (message, at, hint) {
            differ.push(format!("{filter}: {found:?}"));
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}

#[test]
fn filters_that_run_away_are_stopped() {
    let options = Options::new().with_time(Duration::from_millis(300));
    let endless = [
        "def f: f; f",
        "def f: try f catch f; try f catch 1",
        "last(range(1e15))",
        "[.ads[0].title | explode | .[] as $a | .[] as $b | .[] as $c | .[] as $d | .[] as $e | .[] as $f | .[] as $g | .[] as $h | 1] | length",
        "last(repeat(1))",
        "reduce repeat(1) as $x (0; . + $x)",
        "[1] | until(false; .)",
        "try error(1) catch last(repeat(.))",
    ];
    for filter in endless {
        let error = run(filter, objects(), &options).unwrap_err();
        // One that catches its own depth is stopped by whichever bound it meets first: that depends on the machine.
        if filter.contains("catch f") && error == JqError::TooDeep {
            continue;
        }
        assert_eq!(error, JqError::Time { limit: Duration::from_millis(300) }, "{filter}");
        assert_eq!(error.to_string(), "the filter was stopped because it took longer than 300 ms");
    }
}

#[test]
fn filters_that_recurse_are_stopped() {
    let options = Options::new().with_time(Duration::from_secs(600));
    for filter in ["def f: 1 + f; f", "def f: [f]; f", "def g(f): f; def h: g(h); h"] {
        assert_eq!(run(filter, objects(), &options), Err(JqError::TooDeep), "{filter}");
    }
}

#[test]
fn long_filters_do_not_fill_the_stack() {
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("{a:", "}"),
        ("-", ""),
        (".[", "]"),
        ("try ", ""),
        ("1+", ""),
        (".|", ""),
        ("\"\\(", ")\""),
    ] {
        let bytes = if crate::support::all() { 16_000 } else { 8_000 };
        let depth = bytes / (open.len() + close.len());
        let filter = format!("{}1{}", open.repeat(depth), close.repeat(depth));
        // Whatever comes of it, it comes back.
        let _ = run(&filter, objects(), &Options::new());
        let _ = run(&filter[..8_000.min(depth * open.len())], objects(), &Options::new());
    }
    let error = run(&" ".repeat(17_000), objects(), &Options::new()).unwrap_err();
    assert_eq!(error.to_string(), "the filter has 17000 bytes, but may have at most 16384");
}

#[test]
fn a_failing_filters_message_is_short() {
    let layout = layout("list", &[("n", Kind::Number)], Vec::new());
    let mut objects = Objects::new();
    let mut list = objects.list(&layout);
    (0..10_000).for_each(|at| list.push(&record(at, vec![number("1")], Vec::new())));
    let error = run(".list.a", objects, &Options::new()).unwrap_err().to_string();
    assert!(error.chars().count() < 400 && error.ends_with('…'), "{error}");
}
