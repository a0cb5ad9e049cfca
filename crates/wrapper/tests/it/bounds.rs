//! Files beyond all limits are rejected quickly, and without a stack overflow.

use expect_test::{Expect, expect};
use windrow_wrapper::WrapperError;
use windrow_wrapper::files::{self, Format, MAX_BYTES};

use crate::errors::render;

fn check(format: Format, source: &str, expected: Expect) {
    let errors = files::read(source, format).err().unwrap_or_else(|| panic!("accepted: {source:.200}"));
    expected.assert_eq(&render(source, &errors));
}

#[test]
fn files_beyond_bounds() {
    check(
        Format::Toml,
        &"[".repeat(100_000).replacen('[', "a = [", 1),
        expect![[r#"
        wrapper::too_large: the wrapper has too many levels: more than 64
          1:69  a = [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[
                                                                                    ^ here
    "#]],
    );
    check(
        Format::Toml,
        &format!("{} = 1", ["a"; 70].join(".")),
        expect![[r#"
        wrapper::too_large: the wrapper has too many levels: more than 64
          1:130 a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.
    "#]],
    );
    check(
        Format::Toml,
        &format!("[{}]", ["a"; 70].join(".")),
        expect![[r#"
        wrapper::too_large: the wrapper has too many levels: more than 64
          1:129 [a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a
    "#]],
    );
    check(
        Format::Json,
        &"[".repeat(100_000),
        expect![[r#"
        wrapper::too_large: the wrapper has too many levels: more than 64
          1:513 [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[
    "#]],
    );
    check(
        Format::Json,
        &"{\"a\":".repeat(100_000),
        expect![[r#"
        wrapper::too_large: the wrapper has too many levels: more than 64
          1:1282 {"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":
    "#]],
    );
    // Keys of many parts in inline tables of many levels: each is bounded, but their product is not.
    let deep = format!("{}1{}", format!("{} = {{ ", ["a"; 60].join(".")).repeat(60), " }".repeat(60));
    check(
        Format::Toml,
        &deep,
        expect![[r#"
        wrapper::too_large: the wrapper has too many levels: more than 64
          1:134 a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a 
    "#]],
    );
    let headed = format!("[{}]\nlist.{} = 1", ["list", "a"].repeat(31).join("."), ["b"; 60].join("."));
    check(
        Format::Toml,
        &headed,
        expect![[r#"
        wrapper::too_large: the wrapper has too many levels: more than 64
          2:8   list.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b
                       ^ here
    "#]],
    );

    let many: String = (0..10_001).map(|number| format!("f{number} = 'x'\n")).collect();
    check(
        Format::Toml,
        &format!("[field]\n{many}"),
        expect![[r#"
        wrapper::too_large: the wrapper has too many rules: more than 10000
        10002:1   f10000 = 'x'
                ^^^^^^ here
    "#]],
    );
    let long = " ".repeat(MAX_BYTES + 1);
    let errors = files::read(&long, Format::Toml).expect_err("it is too long");
    assert!(matches!(errors.0[..], [WrapperError::TooLarge { what: "bytes", .. }]), "{errors:?}");
}

#[test]
fn errors_are_bounded() {
    let many: String = (0..100_000).map(|number| format!("k{number} = 1\n")).collect();
    let errors = files::read(&many, Format::Toml).expect_err("no key is known");
    assert_eq!(errors.0.len(), 1000);
}

/// Searching anew for the header below each comment would take minutes here.
#[test]
fn layout_is_linear_in_comments() {
    let comments = "#\n".repeat(500_000);
    assert_eq!(files::format(&comments, Format::Toml).expect("comments are TOML"), comments);
}
