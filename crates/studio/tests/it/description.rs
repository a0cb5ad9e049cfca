//! The description: it names every call, and answers are what it says.

use boon::{Compiler, Schemas};
use serde_json::{Value, json};

use crate::support::{ADS, RULES, Running, testdata, toml};

/// The calls of the contract: method, path, the schema of the answer.
const CALLS: [(&str, &str, &str); 18] = [
    ("get", "/api/v1/start", "Start"),
    ("post", "/api/v1/pages", "Opened"),
    ("delete", "/api/v1/pages/{page}", ""),
    ("post", "/api/v1/pages/{page}/place", "PlaceInfo"),
    ("post", "/api/v1/run", "RunResult"),
    ("post", "/api/v1/learn/example", "Learned"),
    ("post", "/api/v1/learn/feed", "Learned"),
    ("post", "/api/v1/learn/domain", "Learned"),
    ("post", "/api/v1/discover", "Discovered"),
    ("post", "/api/v1/rules/convert", "RuleText"),
    ("post", "/api/v1/rules/edit", "RuleText"),
    ("post", "/api/v1/rules/alternatives", "Alternatives"),
    ("post", "/api/v1/rules/save", "Saved"),
    ("post", "/api/v1/rules/case", "Saved"),
    ("post", "/api/v1/export", "Exported"),
    ("post", "/api/v1/many", "ManyRow"),
    ("post", "/api/v1/store", "Stored"),
    ("post", "/api/v1/repair", "Repaired"),
];

#[test]
fn every_call_is_described() {
    let studio = Running::new();
    let description = studio.get("/api/v1/openapi.json").json();
    assert!(description["openapi"].as_str().unwrap().starts_with("3.1"), "{description}");
    let paths = description["paths"].as_object().unwrap();
    for (method, path, answer) in CALLS {
        let call = &paths[path][method];
        assert!(call["responses"].is_object(), "{method} {path} is not described");
        let told = call["responses"].to_string();
        assert!(told.contains(&format!("schemas/{answer}")) || answer.is_empty(), "{path}: {told}");
        assert!(method != "post" || call["requestBody"].is_object(), "{path} takes nothing");
    }
    let described: usize = paths.values().map(|path| path.as_object().unwrap().len()).sum();
    assert_eq!(described, CALLS.len(), "{:?}", paths.keys().collect::<Vec<_>>());
}

#[test]
fn answers_are_as_described() {
    let studio = Running::new();
    let description = studio.get("/api/v1/openapi.json").json();
    let check = |schema: &str, answer: &Value| {
        let mut compiler = Compiler::new();
        compiler.add_resource("https://windrow.example/openapi.json", description.clone()).unwrap();
        let mut schemas = Schemas::new();
        let at = format!("https://windrow.example/openapi.json#/components/schemas/{schema}");
        let compiled = compiler.compile(&at, &mut schemas).unwrap_or_else(|error| panic!("{schema}: {error}"));
        schemas.validate(answer, compiled).unwrap_or_else(|error| panic!("{schema}: {error}\n{answer}"));
    };
    let page = studio.open(ADS);
    let rules = toml(RULES);
    check("Start", &studio.get("/api/v1/start").json());
    check("RunResult", &studio.call("run", &json!({ "page": page, "rules": rules })));
    check("Discovered", &studio.call("discover", &json!({ "page": page })));
    check("RuleText", &studio.call("rules/convert", &json!({ "rules": rules, "to": "json" })));
    let asked = json!({ "page": page, "rules": rules, "rule": "ads.price" });
    check("Alternatives", &studio.call("rules/alternatives", &asked));
    check("Saved", &studio.call("rules/save", &json!({ "rules": rules, "path": "ads.toml" })));
    let rows = studio.call("many", &json!({ "rules": rules, "pages": [testdata("pages/ads/page-1.html"), "none"] }));
    rows.as_array().unwrap().iter().for_each(|row| check("ManyRow", row));
    check("Repaired", &studio.call("repair", &json!({ "rules": rules, "before": page, "after": page })));
    let drug = studio.open_file("domain/drugstore/nasal-spray.html");
    check("Learned", &studio.call("learn/domain", &json!({ "page": drug, "domain": "drugs" })));
    let refused = studio.ask("rules/edit", &json!({ "rules": toml("x"), "rule": "a", "edit": { "kind": "remove" } }));
    check("Failure", &refused.json());
}

#[test]
fn no_call_takes_anything_or_goes_without_the_token() {
    let studio = Running::new();
    for (method, path, _) in CALLS {
        let path = path.replace("{page}", "1");
        let answer = studio.send(&method.to_uppercase(), &path, "{}", "wrong");
        assert_eq!(answer.status, 403, "{path}");
        if method == "post" {
            for body in ["", "{}", "[]", "null", "{\"page\":-1}", "\u{0}"] {
                let answer = studio.raw(&path, body);
                assert!((400..500).contains(&answer.status), "{path} {body}: {}", answer.status);
            }
        }
    }
}
