//! The rules of ARCHITECTURE.md that a program can check: who depends on whom, who may do I/O, who may print.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The crates in the order of their dependencies: each may use those in front of it that are listed for it.
const MAY_USE: [(&str, &[&str]); 12] = [
    ("windrow-dom", &[]),
    ("windrow-xpath", &["windrow-dom"]),
    ("windrow-wrapper", &["windrow-dom", "windrow-xpath"]),
    ("windrow-feed", &["windrow-dom", "windrow-wrapper"]),
    ("windrow-learn", &["windrow-dom", "windrow-feed", "windrow-wrapper", "windrow-xpath"]),
    ("windrow-fetch", &[]),
    ("windrow-store", &[]),
    ("windrow-audit", &[]),
    (
        "windrow",
        &[
            "windrow-audit",
            "windrow-dom",
            "windrow-feed",
            "windrow-fetch",
            "windrow-learn",
            "windrow-store",
            "windrow-wrapper",
            "windrow-xpath",
        ],
    ),
    ("windrow-studio", &["windrow"]),
    ("windrow-cli", &["windrow", "windrow-studio"]),
    ("windrow-python", &["windrow"]),
];

/// Crates that do no I/O: they get bytes and give values.
const WITHOUT_IO: [&str; 5] = ["dom", "xpath", "wrapper", "feed", "learn"];

/// The signs of I/O, of a clock, and of the environment.
const IO: [&str; 9] = [
    "std::fs",
    "std::net",
    "std::env",
    "std::process",
    "std::io::stdin",
    "SystemTime::now",
    "Instant::now",
    "println!(",
    "thread::sleep",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn dependencies_run_one_way() {
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline", "--manifest-path"])
        .arg(root().join("Cargo.toml"))
        .output()
        .expect("cargo runs this test");
    assert!(metadata.status.success(), "{}", String::from_utf8_lossy(&metadata.stderr));
    let metadata: Value = serde_json::from_slice(&metadata.stdout).unwrap();
    let own = |dependency: &Value| {
        let name = dependency["name"].as_str().unwrap_or_default();
        // Tests and benchmarks may use everything.
        (name.starts_with("windrow") && dependency["kind"].is_null()).then(|| name.to_owned())
    };
    let used: BTreeMap<String, Vec<String>> = metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|package| {
            let dependencies = package["dependencies"].as_array().unwrap();
            (package["name"].as_str().unwrap().to_owned(), dependencies.iter().filter_map(own).collect())
        })
        .collect();
    for (name, may_use) in MAY_USE {
        let used = used.get(name).unwrap_or_else(|| panic!("{name} is not in the workspace"));
        let other: Vec<&String> = used.iter().filter(|used| !may_use.contains(&used.as_str())).collect();
        assert!(other.is_empty(), "{name} may not depend on {other:?}: see ARCHITECTURE.md");
    }
    let unknown: Vec<&String> = used.keys().filter(|name| !MAY_USE.iter().any(|(known, _)| known == name)).collect();
    assert_eq!(unknown, ["windrow-bench", "windrow-testkit"], "say in this test what a new crate may use");
}

#[test]
fn the_core_does_no_io() {
    for name in WITHOUT_IO {
        let mut files = Vec::new();
        sources(&root().join("crates").join(name).join("src"), &mut files);
        assert!(files.len() > 3, "{name}");
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            // Tests may read their data.
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let code: Vec<&str> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
            for sign in IO {
                let found = code.iter().find(|line| line.contains(sign));
                assert_eq!(found, None, "{} does I/O", file.display());
            }
        }
    }
}

/// Collects the source files below a folder, but not those of test modules.
fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_test = path.file_stem().is_some_and(|stem| stem == "tests" || stem == "test");
        if path.is_dir() && !is_test {
            sources(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") && !is_test {
            files.push(path);
        }
    }
}
