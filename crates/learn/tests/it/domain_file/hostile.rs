//! Files that nobody wrote in good faith: bounded in time and memory, and no panic.

use windrow_learn::domain::Domain;
use windrow_learn::domain::file::{DomainError, MAX_BYTES, MAX_ERRORS, MAX_KEYWORDS, MAX_ROLES};

use super::errors::render;
use super::read;

#[track_caller]
fn too_large(text: &str, what: &str) {
    let errors = read(text).unwrap_err();
    let found =
        errors.0.iter().any(|error| matches!(error, DomainError::TooLarge { what: found, .. } if *found == what));
    assert!(found, "{}", render(text, &errors));
}

#[test]
fn limits() {
    too_large(&"#".repeat(MAX_BYTES + 1), "bytes");
    too_large(&(0..=MAX_ROLES).map(|n| format!("[role.r{n}]\nkeywords = ['k{n}']\n")).collect::<String>(), "roles");
    let words: Vec<String> = (0..=MAX_KEYWORDS).map(|n| format!("'k{n}'")).collect();
    too_large(&format!("[role.x]\nkeywords = [{}]\n", words.join(",")), "keywords");
    too_large(&format!("[role.x]\nkeywords = ['{}']\n", "x".repeat(300)), "characters in a keyword");
    too_large(&format!("[role{}]\n", ".a.role".repeat(9)), "roles within each other");
    too_large(&format!("[role{}]\n", ".a".repeat(10_000)), "tables within each other");
    too_large(&format!("x = {}", "[".repeat(100_000)), "tables within each other");
    let many: Vec<String> = (0..40).map(|n| format!("'d{n}'")).collect();
    too_large(&format!("extends = [{}]", many.join(",")), "domains that it extends");
}

#[test]
fn limits_hold_for_what_is_extended_as_well() {
    let half = |front: &str| -> String {
        (0..300).map(|n| format!("[role.{front}{n}]\nkeywords = ['{front}{n}']\n")).collect()
    };
    let others = |name: &str| Some(half(name));
    let text = "extends = ['a', 'b']\n";
    let errors = Domain::read(text, &others).unwrap_err();
    assert!(matches!(errors.0[..], [DomainError::TooLarge { what: "roles", .. }]), "{}", render(text, &errors));
}

#[test]
fn what_is_extended_without_end_is_given_up() {
    // Each is another text, so there is no circle to be seen.
    let others = |name: &str| Some(format!("extends = ['{name}x', '{name}y']\n"));
    assert!(Domain::read("extends = 'a'\n", &others).is_err());
}

#[test]
fn errors_are_counted() {
    let text: String = (0..5000).map(|n| format!("unknown{n} = 1\n")).collect();
    assert_eq!(read(&text).unwrap_err().0.len(), MAX_ERRORS);
}

/// Cuts a good file off at every place, and puts odd signs into it.
#[test]
fn broken_files_give_errors_with_places() {
    let good = "name = 'x'\nextends = 'person'\n[role.é]\nkeywords = [\"größe\", '颜色']\nvalue = '\\d{1,3}'\ntype = 'money'\n";
    for (at, _) in good.char_indices() {
        for sign in ["", "\"", "[", "=", "\\", "é", "\n", "\u{0}"] {
            let text = format!("{}{sign}{}", &good[..at], if sign.is_empty() { "" } else { &good[at..] });
            if let Err(errors) = read(&text) {
                assert!(!errors.0.is_empty());
                render(&text, &errors);
            }
        }
    }
}
