//! The published schema: it is up to date, and accepts and rejects the same files as the reader.

use boon::{Compiler, SchemaIndex, Schemas};
use expect_test::expect_file;
use proptest::prelude::*;
use serde_json::{Value, json};
use windrow_wrapper::files::{self, Format};

use crate::random;

/// `UPDATE_EXPECT=1 cargo test -p windrow-wrapper --test it schema` rewrites the file.
#[test]
fn the_published_schema_is_current() {
    let schema = serde_json::to_string_pretty(&files::schema()).expect("a schema is JSON") + "\n";
    expect_file!["../../../../schema/wrapper.schema.json"].assert_eq(&schema);
}

struct Validator {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Validator {
    fn new() -> Validator {
        let mut schemas = Schemas::new();
        let mut compiler = Compiler::new();
        compiler.add_resource("wrapper.json", files::schema()).expect("it is a resource");
        let index = compiler.compile("wrapper.json", &mut schemas).expect("it is a schema");
        Validator { schemas, index }
    }

    fn accepts(&self, file: &Value) -> bool {
        self.schemas.validate(file, self.index).is_ok()
    }
}

#[test]
fn reader_and_schema_agree() {
    let validator = Validator::new();
    let good = [
        json!({}),
        json!({"$schema": "x", "name": "a", "learned": {"by": "feed", "from": ["a", "b"], "at": "2026-11-15"}}),
        json!({"field": {"a": "//b", "_c": {"css": "d", "type": "date", "optional": true, "slice": 2}}}),
        json!({"list": {"a": ".b", "c": {"records": {"find": "d", "until": {"before": "next"}}, "members": [1, 0]}}}),
        json!({"group": {"a": {"at": {"get": {}}, "take": {"b": "_c"}, "list": {"d": {"records": {"table": true}}}}}}),
        json!({"save": [{"pattern": "#,#", "into": ["a", {"name": "b", "records": {"split": ";"}}]}]}),
        json!({"save": [{"case": ["a", {"pattern": "#"}], "into": [{"pattern": "#", "into": ["c"]}]}]}),
        json!({"list": {"a": {"records": "b", "path": "/html[1]/b", "field": {"c": {"css": "d", "path": "/html[1]/b/d"}}}}}),
        json!({"list": {"a": {"records": "b", "key": "c", "field": {"c": "d"}}}}),
        json!({"list": {"a": {"records": "b", "key": ["c", "e.f"], "field": {"c": "d"}, "group": {"e": {"field": {"f": "g"}}}}}}),
        json!({"save": [{"pattern": "#,#", "into": ["a", {"name": "b", "records": "c", "key": "d", "field": {"d": "e"}}]}]}),
        json!({"field": {"a": {"landmark": {"start": "<b>"}}, "b": {"column": 1}, "ж": {}}}),
    ];
    for file in good {
        assert!(validator.accepts(&file), "{file}");
        files::read(&file.to_string(), Format::Json).unwrap_or_else(|errors| panic!("{file}: {errors:?}"));
    }
    let bad = [
        json!([]),
        json!({"nmae": "a"}),
        json!({"name": null}),
        json!({"field": {"a": 1}}),
        json!({"field": {"a b": "c"}}),
        json!({"field": {"1st": "c"}}),
        json!({"field": {"a": {"xpath": "b", "css": "c"}}}),
        json!({"field": {"a": {"xpath": "b", "type": "dat"}}}),
        json!({"field": {"a": {"xpath": "b", "records": "c"}}}),
        json!({"field": {"a": {"table": false}}}),
        json!({"field": {"a": {"case": []}}}),
        json!({"field": {"a": {"column": 0}}}),
        json!({"field": {"a": {"slice": [1]}}}),
        json!({"field": {"a": {"xpath": "b", "path": 1}}}),
        json!({"list": {"a": {"records": {"xpath": "b", "path": "/c"}}}}),
        json!({"field": {"a": {"slice": [1, 2, 3]}}}),
        json!({"field": {"a": {"slice": -1}}}),
        json!({"field": {"a": {"landmark": {"end": "x"}}}}),
        json!({"field": {"a": {"landmark": {"each": "x", "start": "y"}}}}),
        json!({"list": {"a": {}}}),
        json!({"list": {"a": {"records": {"xpath": "b", "optional": true}}}}),
        json!({"list": {"a": {"records": "b", "key": [], "field": {"c": "d"}}}}),
        json!({"list": {"a": {"records": "b", "key": 1, "field": {"c": "d"}}}}),
        json!({"list": {"a": {"records": "b", "key": ["c", 1], "field": {"c": "d"}}}}),
        json!({"list": {"a": {"records": "b", "key": ["c", "c"], "field": {"c": "d"}}}}),
        json!({"list": {"a": {"records": {"css": "b", "key": "c"}, "field": {"c": "d"}}}}),
        json!({"group": {"a": {"key": "c", "field": {"c": "d"}}}}),
        json!({"save": [{"pattern": "#,#", "into": ["a", {"name": "b", "key": "d", "field": {"d": "e"}}]}]}),
        json!({"group": {"a": "b"}}),
        json!({"group": {"a": {"take": {"b": 1}}}}),
        json!({"save": {"pattern": "#"}}),
        json!({"save": [{"pattern": "#"}]}),
        json!({"save": [{"pattern": "#", "into": []}]}),
        json!({"save": [{"pattern": "#", "into": [{"type": "url"}]}]}),
        json!({"learned": {"from": "x"}}),
        json!({"follow": {"depth": -1}}),
    ];
    for file in bad {
        assert!(!validator.accepts(&file), "{file}");
        assert!(files::read(&file.to_string(), Format::Json).is_err(), "{file}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn written_wrappers_are_valid(wrapper in random::wrapper()) {
        thread_local!(static VALIDATOR: Validator = Validator::new());
        let text = files::write(&wrapper, Format::Json).expect("JSON can say it");
        let file: Value = serde_json::from_str(&text).expect("it is JSON");
        prop_assert!(VALIDATOR.with(|validator| validator.accepts(&file)), "{}", text);
    }
}
