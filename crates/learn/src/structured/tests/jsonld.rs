//! What blocks of JSON-LD mean.

use expect_test::expect;

use super::{check, check_json};

#[test]
fn names_of_schema_org_are_bare() {
    check_json(
        r#"{"@context": "http://schema.org", "@type": ["Product", "https://schema.org/Car", "schema:Thing", "http://other.org/X"],
            "name": "a", "schema:sku": "b", "http://schema.org/color": "c", "https://www.schema.org/gtin": "d",
            "http://health-lifesci.schema.org/dose": "e", "http://other.org/y": "f"}"#,
        &expect![[r#"
            0 Product+Car+Thing+http://other.org/X: name="a" sku="b" color="c" gtin="d" dose="e" http://other.org/y="f"
        "#]],
    );
}

#[test]
fn contexts_of_the_page_are_heeded() {
    check_json(
        r#"{"@context": ["http://schema.org", {"s": "http://schema.org/", "o": "http://other.org/", "label": "s:name",
                                               "id": "@id", "kind": {"@id": "@type"}, "note": {"@id": "o:note"}}],
            "id": "/x", "kind": "s:Person", "label": "Ada", "o:age": 36, "note": "n", "plain": "p"}
           {"@context": {"@vocab": "http://schema.org/"}, "@type": "Person", "name": "Bo"}
           {"@context": {"@vocab": "http://other.org/"}, "@type": "Cow", "name": "Zenzi",
            "owner": {"@context": {"@vocab": "https://schema.org/"}, "name": "Cid"}}"#,
        &expect![[r#"
            0 Person <https://barn.example/x>: name="Ada" http://other.org/age="36" http://other.org/note="n" plain="p"
            1 Person: name="Bo"
            2 http://other.org/Cow: http://other.org/name="Zenzi" http://other.org/owner→3
            3 (in) : name="Cid"
        "#]],
    );
}

#[test]
fn values_are_texts() {
    check_json(
        r#"{"a": " two\n words ", "b": 1.10, "c": true, "d": null, "e": "", "f": {"@value": "x", "@language": "en"},
            "g": {"@list": ["1", ["2"]]}, "h": {"@set": {"@value": 3}}, "i": [], "j": {}, "k": {"@id": "http://x.org/"}}"#,
        &expect![[r#"
            0 : a="two words" b="1.10" c="true" f="x" g="1" g="2" h="3" k="http://x.org/"
        "#]],
    );
}

#[test]
fn graphs_are_taken_apart() {
    check_json(
        r##"{"@context": "http://schema.org", "@graph": [{"@type": "A", "name": "a"}, [{"@type": "B", "of": {"@type": "C"}}]]}
           [{"@type": "D", "@id": "#d", "name": "d", "@graph": [{"@type": "E"}]}, "noise", 7]"##,
        &expect![[r#"
            0 A: name="a"
            1 B: of→2
            2 (in) C:
            3 D <https://barn.example/tools/rake#d>: name="d"
            4 E:
        "#]],
    );
}

#[test]
fn ids_tie_blocks_together() {
    let block = |json: &str| format!("<script type='application/ld+json'>{json}</script>");
    let page = [
        // Said before it is told, with and without the page's address.
        block(r##"{"@type": "WebPage", "@id": "#page", "mainEntity": {"@id": "https://barn.example/tools/rake#rake"}}"##),
        block(r##"{"@type": "Product", "@id": "#rake", "name": "Rake", "mainEntityOfPage": {"@id": "#page"}}"##),
        // Told again: once is enough.
        block(r##"{"@id": "#rake", "name": "Rake", "sku": "1", "brand": {"@id": "_:b", "name": "Oak"}, "seller": {"@id": "_:b"}}"##),
    ]
    .concat();
    check(
        &page,
        &expect![[r#"
            0 WebPage <https://barn.example/tools/rake#page>: mainEntity→1
            1 Product <https://barn.example/tools/rake#rake>: name="Rake" mainEntityOfPage→0 sku="1" brand→2 seller→2
            2 (in)  <_:b>: name="Oak"
        "#]],
    );
}

#[test]
fn reversed_properties_belong_to_the_others() {
    check_json(
        r#"{"@type": "Person", "name": "Ada", "@reverse": {"author": [{"@type": "Book", "name": "Notes"}, "noise"]}}"#,
        &expect![[r#"
            0 Person: name="Ada"
            1 (in) Book: name="Notes" author→0
        "#]],
    );
}

#[test]
fn types_of_scripts_are_read_as_browsers_do() {
    check(
        "<script type=' Application/LD+JSON; charset=utf-8'>{\"a\":\"1\"}</script>
         <script type=application/json>{\"a\":\"2\"}</script><script>{\"a\":\"3\"}</script>
         <script type=application/ld+json></script>
         <template><script type=application/ld+json>{\"a\":\"4\"}</script></template>",
        &expect![[r#"
            0 : a="1"
        "#]],
    );
}

#[test]
fn broken_blocks_are_noted_where_they_break() {
    let html = "<p>é<script type=application/ld+json>{\"name\": \"Pipe\", \"size\": \"12\" wide\"}</script>
                <script type=application/ld+json>{\"name\": \"Hose\"}</script>";
    check(
        html,
        &expect![[r#"
            0 : name="Pipe"
            1 : name="Hose"
            note: the JSON-LD is no JSON from byte 68 on: what stands before was read
        "#]],
    );
    assert!(html[68..].starts_with("wide"));
}
