//! The commands that the documents show print what the documents say.
//!
//! A fenced block marked `console` is a session: lines that begin with `$` are commands (`windrow …`, or `cargo run … --
//! …` for the same), the lines below are their output, standard error behind standard output.

use std::path::Path;

use crate::{root, windrow};

/// The commands of a document and what it says they print.
fn sessions(document: &str) -> Vec<(String, String)> {
    let mut sessions: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in document.lines() {
        match line {
            "```console" => inside = true,
            "```" => inside = false,
            _ if !inside => {}
            _ => match line.strip_prefix("$ ") {
                Some(command) => sessions.push((command.to_owned(), String::new())),
                None => {
                    let (_, output) = sessions.last_mut().expect("a session begins with a command");
                    output.push_str(line);
                    output.push('\n');
                }
            },
        }
    }
    sessions
}

/// The words of a command line, single quotes taken off.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for character in command.chars() {
        match character {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            _ => words.last_mut().expect("there is always a last word").push(character),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[track_caller]
fn check_document(name: &str, at_least: usize) {
    let document = std::fs::read_to_string(root().join(Path::new(name))).unwrap();
    let mut checked = 0;
    for (command, output) in sessions(&document) {
        let words = words(&command);
        let arguments: Vec<&str> = match words[0].as_str() {
            "windrow" => words[1..].iter().map(String::as_str).collect(),
            "cargo" => words.iter().skip_while(|word| *word != "--").skip(1).map(String::as_str).collect(),
            _ => continue,
        };
        if arguments.is_empty() {
            continue;
        }
        let run = windrow(&arguments);
        assert_eq!(output, run.stdout + &run.stderr, "{name}: {command}");
        checked += 1;
    }
    assert!(checked >= at_least, "{name}: {checked} commands");
}

#[test]
fn the_readme_shows_real_output() {
    check_document("README.md", 2);
}

#[test]
fn words_are_split_as_a_shell_splits_them() {
    assert_eq!(
        words("windrow select a.html 'tags[]=.tags li' x='a b'"),
        ["windrow", "select", "a.html", "tags[]=.tags li", "x=a b"]
    );
}

/// The targets of a document's links, `[…](target)`.
fn links(document: &str) -> impl Iterator<Item = &str> {
    document.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(target, _)| target))
}

#[test]
fn links_between_documents_lead_somewhere() {
    let mut documents: Vec<_> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "testdata/pages/README.md"]
            .iter()
            .map(|name| root().join(name))
            .collect();
    documents.extend(std::fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path()));
    documents.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    for path in documents {
        let document = std::fs::read_to_string(&path).unwrap();
        for target in links(&document).filter(|target| !target.contains("://") && !target.starts_with('#')) {
            let file = target.split('#').next().unwrap_or_default();
            assert!(path.with_file_name("").join(file).exists(), "{}: {target}", path.display());
        }
    }
}
