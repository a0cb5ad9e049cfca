//! Pointing, running rules, finding lists.

use serde_json::{Value, json};

use crate::support::{Running, node};

const ADS: &str = "<body><ul>\
    <li class=ad><h2><a href=/1>Two-wheel rake</a></h2><i>€ 340</i><u>hay</u><u>rakes</u>\
    <li class=promo><h2><a href=/x>Visit us</a></h2>\
    <li class=ad><h2><a href=/2>Baler twine</a></h2><i>€ 55</i>\
    <li class=ad><h2><a href=/3>Old wagon</a></h2></ul>";

fn texts(table: &Value) -> Vec<Vec<Vec<String>>> {
    let cell = |cell: &Value| cell["text"].as_str().unwrap().to_owned();
    let cells = |cells: &Value| cells.as_array().unwrap().iter().map(cell).collect();
    let row = |row: &Value| row["cells"].as_array().unwrap().iter().map(cells).collect();
    table["rows"].as_array().unwrap().iter().map(row).collect()
}

fn firsts(table: &Value) -> Vec<String> {
    texts(table)
        .into_iter()
        .map(|row| row.first().and_then(|cells| cells.first().cloned()).unwrap_or_default())
        .collect()
}

#[test]
fn one_record_is_enough() {
    let studio = Running::new();
    let page = studio.open(ADS);
    let field = |name: &str, selector: &str| json!({ "name": name, "spot": { "node": node(ADS, selector) } });
    let shown = json!({ "page": page, "fields": [field("title", ".ad a"), field("price", ".ad i")] });
    let learned = studio.call("learn/example", &json!({ "page": page, "examples": [shown], "name": "offers" }));
    let table = &learned["result"]["tables"][0];
    assert_eq!(table["label"], "offers");
    assert_eq!(firsts(table), ["Two-wheel rake", "Baler twine", "Old wagon"], "{learned:#}");
    let columns: Vec<&str> =
        table["columns"].as_array().unwrap().iter().map(|it| it["rule"].as_str().unwrap()).collect();
    assert_eq!(columns, ["offers.title", "offers.price"]);
    // A cell knows where it stands, a row what it is.
    let cell = &table["rows"][1]["cells"][0][0];
    assert_eq!(cell["path"], "/html[1]/body[1]/ul[1]/li[3]/h2[1]/a[1]");
    assert_eq!(cell["spot"]["node"], node(ADS, ".ad ~ .ad a"));
    assert_eq!(table["rows"][1]["nodes"], json!([node(ADS, ".ad ~ .ad")]));
    let rules = learned["rules"]["text"].as_str().unwrap();
    assert!(rules.contains("[list.offers]") && rules.contains("2026-11-17T09:00:00Z"), "{rules}");
    // The rules are what was learned: run again they give the same.
    let again = studio.call("run", &json!({ "page": page, "rules": learned["rules"] }));
    assert_eq!(again["tables"], learned["result"]["tables"]);
    let report = |name: &str| {
        let rules = again["rules"].as_array().unwrap();
        rules.iter().find(|rule| rule["rule"] == name).unwrap_or_else(|| panic!("{name}")).clone()
    };
    assert_eq!(
        (report("offers.price")["asked"].as_u64(), report("offers.price")["matched"].as_u64()),
        (Some(3), Some(2))
    );
}

#[test]
fn a_record_is_crossed_out() {
    let html = "<body><ul><li><b>Rake</b><li><b>Advert</b><li><b>Twine</b><li><b>Fork</b></ul>";
    let studio = Running::new();
    let page = studio.open(html);
    let shown = json!({ "page": page, "fields": [{ "name": "name", "spot": { "node": node(html, "b") } }] });
    let learned = studio.call("learn/example", &json!({ "page": page, "examples": [shown] }));
    assert_eq!(firsts(&learned["result"]["tables"][0]).len(), 4);
    let not = json!({ "page": page, "spot": { "node": node(html, "li:nth-child(2)") } });
    let learned = studio.call("learn/example", &json!({ "page": page, "examples": [shown], "not": [not] }));
    assert_eq!(firsts(&learned["result"]["tables"][0]), ["Rake", "Twine", "Fork"]);
}

#[test]
fn a_part_of_a_text_is_a_field() {
    let html = "<body><ul><li>Rake, 340 kr<li>Twine, 55 kr<li>Fork, 18 kr</ul>";
    let studio = Running::new();
    let page = studio.open(html);
    let spot = json!({ "node": node(html, "li"), "text": 0, "part": "340" });
    let shown = json!({ "page": page, "fields": [{ "name": "price", "spot": spot }] });
    let learned = studio.call("learn/example", &json!({ "page": page, "examples": [shown] }));
    let table = &learned["result"]["tables"][0];
    assert_eq!(firsts(table), ["340", "55", "18"], "{learned:#}");
    assert_eq!(table["rows"][1]["cells"][0][0]["spot"]["part"], "55");
}

/// The paper's second method: the person says which element is the record.
#[test]
fn the_record_may_be_picked() {
    let html = "<body><div class=g><p><b>A</b><i>1</i></p><p><b>B</b><i>2</i></p></div>\
                <div class=g><p><b>C</b><i>3</i></p><p><b>D</b><i>4</i></p></div>\
                <div class=g><p><b>E</b><i>5</i></p><p><b>F</b><i>6</i></p></div>";
    let studio = Running::new();
    let page = studio.open(html);
    let shown = json!({ "page": page, "fields": [{ "name": "name", "spot": { "node": node(html, "b") } }] });
    let rows = |record: Value| {
        let learned = studio.call("learn/example", &json!({ "page": page, "examples": [shown], "record": record }));
        learned["result"]["tables"][0]["rows"].as_array().unwrap().len()
    };
    assert_eq!(rows(Value::Null), 6);
    assert_eq!(rows(json!({ "page": page, "node": node(html, "div") })), 3);
    let outside = json!({ "page": page, "examples": [shown], "record": { "page": page, "node": node(html, "i") } });
    let reply = studio.ask("learn/example", &outside);
    assert_eq!((reply.status, reply.json()["code"].as_str()), (422, Some("learn::example")));
}

#[test]
fn wrong_rules_are_shown_where_they_stand() {
    let studio = Running::new();
    let page = studio.open(ADS);
    let text = "# für €\n[list.ads]\nrecords = \"//li[\"\n";
    let reply = studio.ask("run", &json!({ "page": page, "rules": { "text": text } }));
    assert_eq!(reply.status, 422);
    let error = &reply.json()["related"][0];
    let label = &error["labels"][0];
    let units: Vec<u16> = text.encode_utf16().collect();
    let (start, end) = (label["start"].as_u64().unwrap() as usize, label["end"].as_u64().unwrap() as usize);
    assert!(String::from_utf16(&units[..start]).unwrap().ends_with("//li["), "{error} {end}");
}

#[test]
fn lists_are_found_without_pointing() {
    let studio = Running::new();
    let page = studio.open(ADS);
    let found = studio.call("discover", &json!({ "page": page }));
    let list = &found["lists"][0];
    assert_eq!(firsts(&list["result"]["tables"][0])[0], "Two-wheel rake", "{found:#}");
    assert!(!list["evidence"].as_array().unwrap().is_empty());
    let again = studio.call("run", &json!({ "page": page, "rules": list["rules"] }));
    assert_eq!(again["tables"], list["result"]["tables"]);
}

#[test]
fn records_of_several_siblings_are_all_of_them() {
    let html = "<body><div><h3>A</h3><p>1</p><p>x</p><h3>B</h3><p>2</p><h3>C</h3><p>3</p></div>";
    let studio = Running::new();
    let page = studio.open(html);
    let rules = "[list.r]\nrecords = { xpath = \"//h3\", until = \"next\" }\nfield.n = \"self::h3\"\n";
    let run = studio.call("run", &json!({ "page": page, "rules": { "text": rules } }));
    let first = run["tables"][0]["rows"][0]["nodes"].as_array().unwrap().len();
    assert_eq!(first, 3, "{run:#}");
}

#[test]
fn nested_lists_are_rows_in_cells() {
    let html = "<body><div class=t><h3>A</h3><ul><li><b>x</b><i>1</i><li><b>y</b><i>2</i></ul></div>\
                <div class=t><h3>B</h3><ul><li><b>z</b><i>3</i></ul></div>";
    let studio = Running::new();
    let page = studio.open(html);
    let rules = "[list.t]\nrecords = \".t\"\nfield.name = \"h3\"\n[list.t.list.m]\nrecords = \"li\"\nfield = { who = \"b\", n = { xpath = \"i\", type = \"number\" } }\n";
    let run = studio.call("run", &json!({ "page": page, "rules": { "text": rules } }));
    let table = &run["tables"][0];
    assert_eq!(table["columns"][1]["type"], "list");
    assert_eq!(table["columns"][1]["columns"][1]["rule"], "t.m.n");
    let inner = &table["rows"][0]["cells"][1][1]["row"];
    assert_eq!((inner["cells"][0][0]["text"].as_str(), inner["cells"][1][0]["value"].as_u64()), (Some("y"), Some(2)));
}
