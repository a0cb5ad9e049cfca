//! The domains that come along: whole, consistent, and as the documents say.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use windrow_learn::domain::Domain;
use windrow_learn::domain::file::shipped;
use windrow_testkit::shared;

use super::errors::render;
use super::read;

#[test]
fn all_are_read() {
    for (name, text) in shipped() {
        let domain = read(text).unwrap_or_else(|errors| panic!("{name}:\n{}", render(text, &errors)));
        assert_eq!(domain.name, *name);
        assert!(!domain.description.is_empty(), "{name} says nothing about itself");
        assert!(domain.title().is_some(), "{name} has no title");
        for role in &domain.roles {
            assert!(!role.description.is_empty(), "{name}.{} says nothing about itself", role.name);
            assert!(role.keywords.len() >= 3, "{name}.{} has too few keywords", role.name);
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            assert!(role.name.chars().all(plain), "{name}.{}", role.name);
            for keyword in &role.keywords {
                assert_eq!(*keyword, keyword.to_lowercase(), "{name}.{}: keywords are in small letters", role.name);
            }
        }
    }
}

#[test]
fn no_file_is_forgotten() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("domains");
    let files: BTreeSet<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap().trim_end_matches(".toml").to_owned())
        .collect();
    let known: Vec<&str> = shipped().iter().map(|&(name, _)| name).collect();
    assert_eq!(files.iter().map(String::as_str).collect::<Vec<_>>(), known);
    assert!(Domain::shipped("moon").is_none());
}

#[test]
fn drugs_have_the_attributes_of_the_paper() {
    let drugs = Domain::shipped("drugs").unwrap();
    let names: Vec<&str> = drugs.roles.iter().map(|role| role.name.as_str()).collect();
    let paper = [
        "proprietary_name",
        "generic_name",
        "authentication_code",
        "suggested_price",
        "discount_price",
        "manufacturer",
        "country",
        "availability",
        "package",
        "ingredients",
        "indications",
        "contraindications",
        "warnings",
        "dosage",
        "description",
    ];
    assert_eq!(names[..15], paper);
}

#[test]
fn the_papers_domains_speak_chinese() {
    for name in ["drugs", "cosmetics", "health-food"] {
        for role in Domain::shipped(name).unwrap().roles {
            let chinese = |keyword: &String| keyword.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
            assert!(role.keywords.iter().any(chinese), "{name}.{}", role.name);
            assert!(role.keywords.iter().any(|keyword| keyword.is_ascii()), "{name}.{}", role.name);
        }
    }
}

/// The table of `docs/domains.md`.
#[test]
fn the_documents_name_them_all() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/domains.md");
    let text = fs::read_to_string(path).unwrap();
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| `") && line.contains(".toml`](")).collect();
    let expected = shipped().iter().map(|(name, _)| {
        let domain = Domain::shipped(name).unwrap();
        let keywords: usize = domain.roles.iter().map(|role| role.keywords.len()).sum();
        let roles = domain.roles.len();
        let about = domain.description.trim_end_matches('.');
        format!("| `{name}` | {about} | {roles} | {keywords} | [`{name}.toml`](../crates/learn/domains/{name}.toml) |")
    });
    let expected: Vec<String> = expected.collect();
    assert_eq!(rows, expected, "the table of docs/domains.md should be\n{}", expected.join("\n"));
}

/// The files of `docs/domains.md` can be read.
#[test]
fn the_documents_show_files_that_can_be_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/domains.md");
    let text = fs::read_to_string(path).unwrap();
    let mut files = 0;
    for block in text.split("```toml\n").skip(1) {
        let file = block.split("```").next().unwrap_or_default();
        read(file).unwrap_or_else(|errors| panic!("{file}\n{}", render(file, &errors)));
        files += 1;
    }
    assert!(files >= 5, "only {files} files");
}

/// Files that others wrote for the labelled pages of the corpus, and those of our own pages.
#[test]
fn outside_files_are_read() {
    let mut files = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/domain/figure-3/shop.toml")];
    for corpus in ["corpus/details", "corpus/recipes"] {
        match shared::find(corpus) {
            Some(folder) => files.extend(shared::files(&folder, "toml").unwrap()),
            None => shared::not_checked(corpus),
        }
    }
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let domain = read(&text).unwrap_or_else(|errors| panic!("{}\n{}", path.display(), render(&text, &errors)));
        assert_eq!(domain.roles.len(), text.matches("[role.").count(), "{}", path.display());
    }
}
