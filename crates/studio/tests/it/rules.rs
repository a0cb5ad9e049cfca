//! Rules as texts: converted, changed in one place, found otherwise.

use serde_json::json;

use crate::support::{ADS, RULES, Running, toml};

#[test]
fn rules_are_converted() {
    let studio = Running::new();
    let json = studio.call("rules/convert", &json!({ "rules": toml(RULES), "to": "json" }));
    assert_eq!(json["form"], "json");
    let back = studio.call("rules/convert", &json!({ "rules": json, "to": "toml" }));
    assert!(back["text"].as_str().unwrap().contains("title = \"h2/a\""), "{back}");
    let laid_out = studio.call("rules/convert", &json!({ "rules": toml("field.a='h1'"), "to": "toml" }));
    assert_eq!(laid_out["text"], "field.a = \"h1\"\n");
}

#[test]
fn commands_are_learned_from_a_page() {
    let studio = Running::new();
    let page = studio.open(ADS);
    assert_eq!(studio.refused("rules/convert", &json!({ "rules": toml(RULES), "to": "tsimmis" })), "wrapper::rejected");
    let commands = studio.call("rules/convert", &json!({ "rules": toml(RULES), "to": "tsimmis", "page": page }));
    assert_eq!(commands["form"], "tsimmis");
    let found = |rules: &serde_json::Value| {
        let run = studio.call("run", &json!({ "page": page, "rules": rules }));
        run["tables"][0]["rows"].as_array().map(Vec::len)
    };
    assert_eq!(found(&commands), found(&toml(RULES)), "{commands}");
    // Selectors become XPath without any page.
    let paths = studio.call("rules/convert", &json!({ "rules": toml(RULES), "to": "xpath" }));
    assert_eq!(found(&paths), found(&toml(RULES)), "{paths}");
}

#[test]
fn absolute_paths_are_those_of_the_lesson() {
    let studio = Running::new();
    let learned = "field.a = { css = \"h1\", path = \"/html[1]/body[1]/h1[1]\" }";
    let absolute = studio.call("rules/convert", &json!({ "rules": toml(learned), "to": "absolute" }));
    assert!(absolute["text"].as_str().unwrap().contains("a = /html[1]/body[1]/h1[1]"), "{absolute}");
    assert_eq!(absolute["form"], "absolute");
    let code = studio.refused("rules/convert", &json!({ "rules": toml(RULES), "to": "absolute" }));
    assert_eq!(code, "wrapper::rejected");
    assert_eq!(studio.refused("rules/convert", &json!({ "rules": absolute, "to": "toml" })), "studio::form");
}

#[test]
fn mistakes_are_told_at_their_place() {
    let studio = Running::new();
    let rules = "# ü\nfield.a = \"h1[\"";
    let failure = studio.ask("run", &json!({ "page": studio.open(ADS), "rules": toml(rules) })).json();
    let label = &failure["related"][0]["labels"][0];
    let start = label["start"].as_u64().unwrap() as usize;
    let units: Vec<u16> = rules.encode_utf16().collect();
    assert!(String::from_utf16_lossy(&units[start - 3..]).contains("h1["), "{failure}");
}

#[test]
fn one_rule_is_changed_and_the_rest_stays() {
    let studio = Running::new();
    let edit = |rule: &str, edit| json!({ "rules": toml(RULES), "rule": rule, "edit": edit });
    let renamed = studio.call("rules/edit", &edit("ads.title", json!({ "kind": "rename", "name": "what" })));
    assert_eq!(renamed["text"], RULES.replace("title =", "what ="));
    let typed = studio.call("rules/edit", &edit("ads.price", json!({ "kind": "type", "type": "string" })));
    assert_eq!(typed["text"], RULES.replace(", type = \"money\"", ""));
    let required = studio.call("rules/edit", &edit("ads.price", json!({ "kind": "optional", "optional": false })));
    assert_eq!(required["text"], RULES.replace(", optional = true", ""));
    let found = studio.call("rules/edit", &edit("ads", json!({ "kind": "locate", "expression": "#ads > li" })));
    assert_eq!(found["text"], RULES.replace("li.ad", "#ads > li"));
    let removed = studio.call("rules/edit", &edit("ads.link", json!({ "kind": "remove" })));
    assert!(!removed["text"].as_str().unwrap().contains("link"), "{removed}");
    for (rule, change) in [
        ("ads.nothing", json!({ "kind": "remove" })),
        ("ads.title", json!({ "kind": "rename", "name": "a b" })),
        ("ads.title", json!({ "kind": "type", "type": "mony" })),
        ("ads.title", json!({ "kind": "locate", "expression": "h2[" })),
        ("ads.title", json!({ "kind": "locate", "expression": "{ css = 3 }" })),
    ] {
        assert_eq!(studio.refused("rules/edit", &edit(rule, change.clone())), "wrapper::rejected", "{change}");
    }
    assert_eq!(studio.refused("rules/edit", &edit("ads", json!({ "kind": "burn" }))), "studio::request");
}

#[test]
fn alternatives_are_told_and_can_be_taken() {
    let studio = Running::new();
    let page = studio.open(ADS);
    let rules = RULES.replace("css = \".price\"", "xpath = \"b[1]\"");
    let asked = json!({ "page": page, "rules": toml(&rules), "rule": "ads.price" });
    let told = studio.call("rules/alternatives", &asked);
    let ways = told["alternatives"].as_array().unwrap();
    assert_eq!((&ways[0]["current"], &ways[0]["found"]), (&json!(true), &json!(2)), "{told}");
    let best = &ways[1];
    assert_eq!((&best["found"], &best["same"]), (&json!(2), &json!(2)), "{told}");
    assert_eq!(best["spots"].as_array().unwrap().len(), 2, "{told}");
    let number = |way: &serde_json::Value| way["robustness"].as_f64().unwrap();
    assert!(number(best) > number(&ways[0]), "{told}");
    // Every one of them can be put into the rule, and finds what was told.
    for way in ways {
        let edit = json!({ "kind": "locate", "expression": way["expression"] });
        let rules = studio.call("rules/edit", &json!({ "rules": toml(&rules), "rule": "ads.price", "edit": edit }));
        let result = studio.call("run", &json!({ "page": page, "rules": rules }));
        let rows = result["tables"][0]["rows"].as_array().unwrap();
        let found: usize = rows.iter().map(|row| row["cells"][2].as_array().unwrap().len()).sum();
        assert_eq!(json!(found), way["found"], "{way}");
    }
    let asked = json!({ "page": page, "rules": toml(&rules), "rule": "ads.nothing" });
    assert_eq!(studio.refused("rules/alternatives", &asked), "wrapper::rejected");
    let asked = json!({ "page": 99, "rules": toml(&rules), "rule": "ads" });
    assert_eq!(studio.refused("rules/alternatives", &asked), "studio::no_page");
}
