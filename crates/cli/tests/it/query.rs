//! Questions to stores and pages: what is printed, what is refused, how it ends.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use expect_test::expect;

use crate::{Folder, Run, check, check_error, command, windrow, windrow_on};

pub(crate) const ADS: &str = "testdata/pages/ads/page-1.html";
pub(crate) const RULES: &str = "testdata/wrappers/ads/ads.toml";
const WEATHER: &str = "testdata/wrappers/weather/weather-grouped.tsimmis";
const EUROPE: &str = "testdata/wrappers/weather/europe.html";

/// Keeps what a wrapper finds on pages in a new store.
pub(crate) fn keep(folder: &Folder, store: &str, rules: &str, pages: &[&str]) -> String {
    let store = folder.path(store);
    let run = windrow(&[&["extract", "-w", rules, "--into", &store, "--quiet"], pages].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    store
}

/// A folder with a store of ads.
fn shop(name: &str) -> (Folder, String) {
    let folder = Folder::new(name);
    let store = keep(&folder, "shop.db", RULES, &[ADS]);
    (folder, store)
}

#[test]
fn every_format() {
    let (_folder, shop) = shop("query-formats");
    let sql = "select title, price, price__currency as currency from ads_now order by title";
    check(
        &["query", &shop, sql, "--format", "table"],
        &expect![[r#"
            ┌─────────────────────────────┬───────┬──────────┐
            │ title                       ┆ price ┆ currency │
            ╞═════════════════════════════╪═══════╪══════════╡
            │ Baler twine, 12 rolls       ┆    55 ┆ EUR      │
            │ Old hay wagon               ┆       ┆          │
            │ Two-wheel rake, hardly used ┆   340 ┆ EUR      │
            └─────────────────────────────┴───────┴──────────┘
        "#]],
    );
    check(
        &["query", &shop, sql, "--format", "csv"],
        &expect![[r#"
        title,price,currency
        "Baler twine, 12 rolls",55,EUR
        Old hay wagon,,
        "Two-wheel rake, hardly used",340,EUR
    "#]],
    );
    check(
        &["query", &shop, sql, "--format", "json"],
        &expect![[r#"
        [
        {"title":"Baler twine, 12 rolls","price":55,"currency":"EUR"},
        {"title":"Old hay wagon","price":null,"currency":null},
        {"title":"Two-wheel rake, hardly used","price":340,"currency":"EUR"}
        ]
    "#]],
    );
    check(
        &["query", &shop, sql, "--format", "jsonl"],
        &expect![[r#"
        {"title":"Baler twine, 12 rolls","price":55,"currency":"EUR"}
        {"title":"Old hay wagon","price":null,"currency":null}
        {"title":"Two-wheel rake, hardly used","price":340,"currency":"EUR"}
    "#]],
    );
    // Not a terminal.
    check(
        &["query", &shop, "select count(*) as ads, avg(price) from ads_now"],
        &expect![[r#"
        {"ads":3,"avg(price)":197.5}
    "#]],
    );
}

#[test]
fn without_sql_it_tells_what_there_is() {
    let (_folder, shop) = shop("query-overview");
    check(
        &["query", &shop, "--format", "table"],
        &expect![[r#"
        page_now: 1 record
          _id         number
          page        text
          first_seen  date
          last_seen   date
          heading     text

        ads_now: 3 records
          _id              number
          page             text
          first_seen       date
          last_seen        date
          title            text
          link             url
          price            money
          price__currency  text

        ads_tags_now: 3 records; _parent is the _id in ads_now
          _id         number
          _parent     number
          page        text
          first_seen  date
          last_seen   date
          value       text

        Of the store itself: _pages, _runs, _changes, _wrappers, _versions, _rules, _yields, _findings, _sites, _audits, _visits, _tables, _columns
    "#]],
    );
    check(
        &["query", &shop, "--format", "jsonl"],
        &expect![[r#"
        {"table":"page_now","with_gone":"page","parent":null,"records":1,"gone":0,"columns":[{"name":"_id","kind":"number"},{"name":"page","kind":"text"},{"name":"first_seen","kind":"date"},{"name":"last_seen","kind":"date"},{"name":"heading","kind":"text"}]}
        {"table":"ads_now","with_gone":"ads","parent":null,"records":3,"gone":0,"columns":[{"name":"_id","kind":"number"},{"name":"page","kind":"text"},{"name":"first_seen","kind":"date"},{"name":"last_seen","kind":"date"},{"name":"title","kind":"text"},{"name":"link","kind":"url"},{"name":"price","kind":"money"},{"name":"price__currency","kind":"text"}]}
        {"table":"ads_tags_now","with_gone":"ads_tags","parent":"ads_now","records":3,"gone":0,"columns":[{"name":"_id","kind":"number"},{"name":"_parent","kind":"number"},{"name":"page","kind":"text"},{"name":"first_seen","kind":"date"},{"name":"last_seen","kind":"date"},{"name":"value","kind":"text"}]}
    "#]],
    );
    let csv = windrow(&["query", &shop, "--format", "csv"]).stdout;
    assert!(csv.starts_with("table,records,column,kind\n"), "{csv}");
    assert!(csv.contains("\nads_now,3,price,money\nads_now,3,price__currency,text\n"), "{csv}");
    let json = windrow(&["query", &shop, "--format", "json"]).stdout;
    let tables: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(tables.as_array().map(Vec::len), Some(3), "{json}");
}

#[test]
fn parameters() {
    let (_folder, shop) = shop("query-params");
    let titles = |arguments: &[&str]| {
        let run = windrow(&[&["query", &shop, "--format", "csv"], arguments].concat());
        assert_eq!(run.stderr, "");
        run.stdout.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(
        titles(&["select title from ads_now where price < ? and title like ?", "-p", "100", "-p", "B%"]).len(),
        1
    );
    assert_eq!(titles(&["select title from ads_now where price > $1", "--param", "100"]).len(), 1);
    assert_eq!(titles(&["select title from ads_now where title = :title", "-p", "title=Old hay wagon"]).len(), 1);
    assert_eq!(titles(&["select ?1 as text", "-p", "=a=b"]), ["a=b"]);
    assert_eq!(titles(&["select ? - 1 as number", "-p", "-2"]), ["-3"]);
    check_error(
        &["query", &shop, "select :city"],
        &expect![[r#"
            query::sql

              × no value is given for `:city`
              help: pass --param VALUE once for each `?`, or --param NAME=VALUE for `:NAME`
        "#]],
    );
}

#[test]
fn columns_of_one_name_are_told_apart() {
    let (_folder, shop) = shop("query-names");
    check(
        &["query", &shop, "select 1 as a, 2 as a, null as b, 0.5 as c, x'00ff' as d, '\"' as e"],
        &expect![[r#"
        {"a":1,"a_2":2,"b":null,"c":0.5,"d":"\\x00ff","e":"\""}
    "#]],
    );
}

#[test]
fn mistakes_are_drawn_where_they_are() {
    let (_folder, shop) = shop("query-errors");
    check_error(
        &["query", &shop, "select title form ads_now where price > 1"],
        &expect![[r#"
        query::sql

          × near "ads_now": syntax error
           ╭─[SQL:1:19]
         1 │ select title form ads_now where price > 1
           ·                   ───┬───
           ·                      ╰── here
           ╰────
    "#]],
    );
    check_error(
        &["query", &shop, "select title from adds_now"],
        &expect![[r#"
        query::sql

          × no such table: adds_now
           ╭─[SQL:1:19]
         1 │ select title from adds_now
           ·                   ────┬───
           ·                       ╰── not known
           ╰────
          help: did you mean `ads_now`?
    "#]],
    );
    check_error(
        &["query", &shop, "select count(*) from products"],
        &expect![[r#"
        query::sql

          × no such table: products
           ╭─[SQL:1:22]
         1 │ select count(*) from products
           ·                      ────┬───
           ·                          ╰── not known
           ╰────
          help: it has page_now, ads_now, ads_tags_now
    "#]],
    );
    check_error(
        &["query", &shop, "select a.titel from ads_now a"],
        &expect![[r#"
            query::sql

              × no such column: a.titel
               ╭─[SQL:1:10]
             1 │ select a.titel from ads_now a
               ·          ──┬──
               ·            ╰── not known
               ╰────
              help: did you mean `title`?
        "#]],
    );
    check_error(
        &["query", &shop, "select title from ads_now where"],
        &expect![[r#"
        query::sql

          × the query ends too early
           ╭─[SQL:1:32]
         1 │ select title from ads_now where
           ╰────
    "#]],
    );
    check_error(
        &["query", &shop, "select 1; select 2"],
        &expect![[r#"
        query::sql

          × the query contains more than one statement
           ╭─[SQL:1:9]
         1 │ select 1; select 2
           ·         ┬
           ·         ╰── here
           ╰────
          help: run one statement at a time
    "#]],
    );
}

#[test]
fn a_query_only_reads() {
    let (_folder, shop) = shop("query-writes");
    check_error(
        &["query", &shop, "delete from ads where price > 1"],
        &expect![[r#"
        query::writes

          × the query would modify the store; queries may only read
           ╭─[SQL:1:1]
         1 │ delete from ads where price > 1
           · ───┬──
           ·    ╰── this would write
           ╰────
          help: use `select …`; only `windrow extract --into` changes a store
    "#]],
    );
    for sql in [
        "insert into ads (title) values ('x')",
        "update ads set title = 'x'",
        "drop table ads",
        "create table x (y)",
        "pragma user_version = 3",
        "attach 'other.db' as other",
        "vacuum",
    ] {
        let run = windrow(&["query", &shop, sql]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{sql}");
    }
    let count = windrow(&["query", &shop, "select count(*) as n from ads where title <> 'x'"]);
    assert_eq!(count.stdout, "{\"n\":3}\n");
}

#[test]
fn what_is_no_store() {
    let folder = Folder::new("query-no-store").with("page.html", "<h1>Hay</h1>");
    let hidden = |arguments: &[&str]| {
        let run = windrow(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
        folder.hide(&run.stderr)
    };
    expect![[r#"
        store::missing

          × the store `DIR/shop.db` does not exist
          help: `windrow extract -w RULES PAGE… --into FILE` creates a store; a store on a server has an address such as postgres://…
    "#]]
    .assert_eq(&hidden(&["query", &folder.path("shop.db"), "select 1"]));
    expect![[r#"
        store::foreign

          × `DIR/page.html` is not a Windrow store: it is not a SQLite database
          help: give the name of a new file, or of an empty database
    "#]]
    .assert_eq(&hidden(&["query", &folder.path("page.html"), "select 1"]));
    expect![[r#"
        store::none_given

          × no store was given
          help: name it in front, as in `windrow query shop.db …`, with --store, or in WINDROW_STORE
    "#]]
    .assert_eq(&hidden(&["query", "select 1"]));
    assert!(!folder.names().contains(&"shop.db".to_owned()), "asking makes no store");
}

#[test]
fn a_store_is_named_by_an_option_or_the_environment() {
    let (_folder, shop) = shop("query-named");
    let sql = "select count(*) as n from ads_now";
    let expected = "{\"n\":3}\n";
    assert_eq!(windrow(&["query", "--store", &shop, sql]).stdout, expected);
    let run = command(&["query", sql]).env("WINDROW_STORE", &shop).output().unwrap();
    assert_eq!(String::from_utf8(run.stdout).unwrap(), expected);
    assert_eq!(windrow_on(sql.as_bytes(), &["query", &shop, "-"]).stdout, expected);
    check_error(
        &["query", "--store", &shop, sql, sql],
        &expect![[r#"
        query::too_many

          × there is one argument too many: `select count(*) as n from ads_now`
          help: give a store and one query; a query with spaces stands in quotes
    "#]],
    );
}

#[test]
fn no_rows_are_no_error() {
    let (_folder, shop) = shop("query-nothing");
    let run = |format| windrow(&["query", &shop, "select title from ads_now where 0", "--format", format]);
    let nothing = |stdout: &str| Run { code: Some(1), stdout: stdout.to_owned(), stderr: String::new() };
    assert_eq!(run("table"), nothing(""));
    assert_eq!(run("csv"), nothing("title\n"));
    assert_eq!(run("json"), nothing("[]\n"));
    assert_eq!(run("jsonl"), nothing(""));
    assert_eq!(windrow(&["query", "--jq", ".ads[] | select(false)", &shop]), nothing(""));
}

/// A query without end.
const ENDLESS: &str = "with recursive n(n) as (select 1 union all select n + 1 from n) select n from n";

#[test]
fn a_query_is_stopped_in_time() {
    let (_folder, shop) = shop("query-time");
    let sql = format!("select count(*) from ({ENDLESS})");
    check_error(
        &["query", &shop, &sql, "--time", "0.2"],
        &expect![[r#"
        query::slow

          × the query was stopped after 1 s
          help: ask for less, or allow more with --time
    "#]],
    );
    check_error(
        &["query", &shop, "--jq", "[range(1e12)] | length", "--time", "0.2"],
        &expect![[r#"
        jq::time

          × the filter was stopped because it took longer than 200 ms
    "#]],
    );
}

#[test]
fn rows_come_before_the_last_one_is_known() {
    let (_folder, shop) = shop("query-stream");
    let mut child = command(&["query", &shop, ENDLESS]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "{\"n\":1}");
    // Whoever has seen enough closes the pipe, which is no error.
    drop(lines);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}

#[test]
fn jq_sees_the_objects_as_trees() {
    let (_folder, shop) = shop("query-jq");
    check(
        &["query", "--jq", ".ads[]", &shop],
        &expect![[r#"
        {"title":"Two-wheel rake, hardly used","link":"https://barn.example/ad/101","price":{"amount":340,"currency":"EUR"},"tags":["rakes","hay"]}
        {"title":"Baler twine, 12 rolls","link":"https://barn.example/ad/102","price":{"amount":55,"currency":"EUR"},"tags":["hay"]}
        {"title":"Old hay wagon","link":"https://barn.example/ad/103?ref=list&pos=3","price":null,"tags":[]}
    "#]],
    );
    check(
        &["query", "--jq", ".ads[].title", "--raw", &shop],
        &expect![[r#"
        Two-wheel rake, hardly used
        Baler twine, 12 rolls
        Old hay wagon
    "#]],
    );
    check(
        &["query", "--jq", ".ads[] | select(.tags | index($tag)) | .title", "-p", "tag=hay", &shop],
        &expect![[r#"
        "Two-wheel rake, hardly used"
        "Baler twine, 12 rolls"
    "#]],
    );
    check(
        &["query", "--jq", ".page[].heading, (.ads | length)", "--format", "json", &shop],
        &expect![[r#"
        [
        "Tractors and tools",
        3
        ]
    "#]],
    );
    check_error(
        &["query", "--jq", ".ads[] | selct(.price)", &shop],
        &expect![[r#"
            jq::undefined

              × unknown filter `selct` with 1 argument
               ╭─[--jq:1:10]
             1 │ .ads[] | selct(.price)
               ·          ──┬──
               ·            ╰── unknown
               ╰────
              help: did you mean `select`?
        "#]],
    );
    check_error(
        &["query", "--jq", ".", "--format", "csv", &shop],
        &expect![[r#"
        query::format

          × the results of jq are JSON, and no rows
          help: leave out --format, or say --format json; SQL gives tables and CSV
    "#]],
    );
    check_error(
        &["query", "--jq", ".", "-p", "hay", &shop],
        &expect![[r#"
        query::param

          × the value `hay` has no name, and in jq every value needs one
          help: write --param NAME=VALUE, and `$NAME` in the filter
    "#]],
    );
}

#[test]
fn pages_are_asked_without_keeping_anything() {
    let sql = "select a.title, count(t.value) as tags from ads_now a left join ads_tags_now t on t._parent = a._id \
               group by a._id order by tags desc, a.title";
    let run = windrow(&["query", "--over", RULES, ADS, sql, "--format", "csv"]);
    assert_eq!(run.code, Some(0));
    expect![[r#"
        title,tags
        "Two-wheel rake, hardly used",2
        "Baler twine, 12 rolls",1
        Old hay wagon,0
    "#]]
    .assert_eq(&run.stdout);
    // What a page lacks is told, as by `extract`.
    expect![[r#"
        warning: testdata/pages/ads/page-1.html: ads[2].price (ads.toml:14): not found in `<li class="ad"> <h2><a href="/ad/103?ref=list&amp;pos=3">Old hay…`
    "#]].assert_eq(&run.stderr);
    let quiet = windrow(&["query", "--over", RULES, ADS, "--jq", ".ads[0].title", "-q"]);
    assert_eq!(
        quiet,
        Run { code: Some(0), stdout: "\"Two-wheel rake, hardly used\"\n".to_owned(), stderr: String::new() }
    );
}

#[test]
fn pages_and_sql_in_the_wrong_places() {
    check_error(
        &["query", "--over", RULES, ADS],
        &expect![[r#"
            query::no_sql

              × no SQL was given
              help: `testdata/pages/ads/page-1.html` is a page; the SQL comes behind the pages, for instance 'select * from ads_now'
        "#]],
    );
    check_error(
        &["query", "--over", RULES, "select 1"],
        &expect![[r#"
            query::no_page

              × no page was given
              help: the pages come first, the SQL last: windrow query -w testdata/wrappers/ads/ads.toml PAGE… 'select …'
        "#]],
    );
    check_error(
        &["query", "--over", RULES],
        &expect![[r#"
            query::no_page

              × no page was given
              help: the pages come first, the SQL last: windrow query -w testdata/wrappers/ads/ads.toml PAGE… 'select …'
        "#]],
    );
    let run = windrow(&["query", "-q", "--over", RULES, "no-such-page.html", ADS, "select count(*) as n from ads_now"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), "{\"n\":3}\n"), "the other page is asked all the same");
    assert!(run.stderr.contains("cannot read `no-such-page.html`"), "{}", run.stderr);
}

/// "What is the high and low temperature for Jan. 29 for Vienna, Austria?" (section 2.4 of the TSIMMIS paper)
#[test]
fn the_papers_question() {
    let folder = Folder::new("query-paper");
    let weather = keep(&folder, "weather.db", WEATHER, &[EUROPE]);
    let sql = "select tomorrows_weather_high as high, tomorrows_weather_low as low from root_temperature_city_temp_now \
               where city = 'Vienna' and country = 'Austria' and tomorrows_weather_date like '%Jan 29%'";
    let filter = ".city_temp[] | select(.city == \"Vienna\" and .country == \"Austria\") \
                  | (.todays_weather, .tomorrows_weather) | select(.date | contains(\"Jan 29\")) | {high, low}";
    let answer = Run { code: Some(0), stdout: "{\"high\":\"-2\",\"low\":\"-7\"}\n".to_owned(), stderr: String::new() };
    assert_eq!(windrow(&["query", &weather, sql]), answer);
    assert_eq!(windrow(&["query", "--jq", filter, &weather]), answer);
    assert_eq!(windrow(&["query", "--over", WEATHER, EUROPE, sql]), answer);
    assert_eq!(windrow(&["query", "--over", WEATHER, EUROPE, "--jq", filter]), answer);
}

/// Runs with the address of an empty database, if there is a server.
#[expect(clippy::print_stderr, reason = "it is told that nothing was tested")]
pub(crate) fn with_server(name: &str, test: impl FnOnce(&str)) {
    let Ok(server) = std::env::var("WINDROW_POSTGRES") else {
        eprintln!("not tested on PostgreSQL: WINDROW_POSTGRES is not set");
        return;
    };
    let name = format!("windrow_cli_{}_{name}", std::process::id());
    let sql = |sql: &str| {
        let status = std::process::Command::new("psql").args([&format!("{server}/postgres"), "-qc", sql]).status();
        assert!(status.unwrap().success(), "{sql}");
    };
    sql(&format!("create database {name}"));
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| test(&format!("{server}/{name}"))));
    sql(&format!("drop database {name} with (force)"));
    if let Err(panic) = result {
        std::panic::resume_unwind(panic);
    }
}

#[test]
fn a_server_is_asked_as_a_file_is() {
    with_server("query", |address| {
        let run = windrow(&["extract", "-w", RULES, "--into", address, "--quiet", ADS]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        check(
            &["query", address, "--format", "table"],
            &expect![[r#"
            page_now: 1 record
              _id         number
              page        text
              first_seen  date
              last_seen   date
              heading     text

            ads_now: 3 records
              _id              number
              page             text
              first_seen       date
              last_seen        date
              title            text
              link             url
              price            money
              price__currency  text

            ads_tags_now: 3 records; _parent is the _id in ads_now
              _id         number
              _parent     number
              page        text
              first_seen  date
              last_seen   date
              value       text

            Of the store itself: _pages, _runs, _changes, _wrappers, _versions, _rules, _yields, _findings, _sites, _audits, _visits, _tables, _columns
        "#]],
        );
        let sql = "select title, price, price > 100 as dear from ads_now where price > $1 order by 1";
        check(
            &["query", address, sql, "-p", "10"],
            &expect![[r#"
            {"title":"Baler twine, 12 rolls","price":55,"dear":false}
            {"title":"Two-wheel rake, hardly used","price":340,"dear":true}
        "#]],
        );
        check(
            &["query", address, "--jq", "[.ads[].price.amount]"],
            &expect![[r#"
            [340,55,null]
        "#]],
        );
        check_error(
            &["query", address, "select titel from ads_now"],
            &expect![[r#"
            query::sql

              × column "titel" does not exist
               ╭─[SQL:1:8]
             1 │ select titel from ads_now
               ·        ──┬──
               ·          ╰── not known
               ╰────
              help: did you mean `title`?
        "#]],
        );
        check_error(
            &["query", address, "select * from adds_now"],
            &expect![[r#"
            query::sql

              × relation "adds_now" does not exist
               ╭─[SQL:1:15]
             1 │ select * from adds_now
               ·               ────┬───
               ·                   ╰── not known
               ╰────
              help: did you mean `ads_now`?
        "#]],
        );
        check_error(
            &["query", address, "delete from ads"],
            &expect![[r#"
            query::writes

              × the query would modify the store; queries may only read
               ╭─[SQL:1:1]
             1 │ delete from ads
               · ───┬──
               ·    ╰── this would write
               ╰────
              help: use `select …`; only `windrow extract --into` changes a store
        "#]],
        );
        check_error(
            &["query", address, "select :a", "-p", "a=1"],
            &expect![[r#"
            query::param

              × `:a` is known to SQLite only; a server numbers its parameters
              help: write $1, $2, … in the query, and --param VALUE for each
        "#]],
        );
    });
}
