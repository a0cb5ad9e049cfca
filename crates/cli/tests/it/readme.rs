//! The commands that the documents show print what the documents say.
//!
//! A fenced block marked `console` is a session: lines that begin with `$` are commands (`windrow …`, or `cargo run … --
//! …` for the same, `cat FILE`, `cp FROM TO`, `echo $?`; others are passed over), the lines below are their output, standard error
//! behind standard output. A line that is only `…` stands for any lines.
//!
//! Another block whose first line is a comment with a file's name, `# ads.toml`, is that file. The sessions of a document
//! run in a directory that has its files, and a copy of the pages and wrappers of `testdata`.
//!
//! `UPDATE_EXPECT=1 cargo test -p windrow-cli shows_real_output` writes the real output into the documents.

use std::path::Path;

use expect_test::{ExpectFile, expect_file};

use crate::{Folder, command, root};

/// Runs a document's sessions: the document with what they really print, and how many commands that were.
fn run_sessions(name: &str, document: &str) -> (String, usize) {
    let folder = Folder::new(&name.replace(['/', '.'], "-"));
    for directory in [
        "testdata/archives",
        "testdata/audit",
        "testdata/blog",
        "testdata/domain",
        "testdata/hunt",
        "testdata/pages",
        "testdata/redesigned",
        "testdata/wrappers",
    ] {
        copy(&root().join(directory), &folder.0.join(directory));
    }
    let (mut real, mut count, mut status) = (String::new(), 0, 0);
    let mut lines = document.lines();
    while let Some(line) = lines.next() {
        real += line;
        real.push('\n');
        let Some(kind) = line.strip_prefix("```") else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        if kind != "console" {
            let text: String = block.iter().flat_map(|line| [line, "\n"]).collect();
            if let Some(file) = block.first().and_then(|line| file_name(line)) {
                let path = folder.0.join(file);
                std::fs::create_dir_all(path.parent().expect("a file is in a directory")).unwrap();
                std::fs::write(path, &text).unwrap();
            }
            real += &text;
        }
        let sessions = if kind == "console" { sessions(&block) } else { Vec::new() };
        for (command, shown) in sessions {
            real += &format!("$ {command}\n");
            match run(&folder, command, &mut status) {
                Some(printed) => {
                    count += 1;
                    real += if fits(&shown, &printed) { &shown } else { &printed };
                }
                None => real += &shown,
            }
        }
        real += "```\n";
    }
    (real, count)
}

/// The commands of a session and what they are said to print.
fn sessions<'a>(block: &[&'a str]) -> Vec<(&'a str, String)> {
    let mut sessions: Vec<(&str, String)> = Vec::new();
    for line in block {
        match (line.strip_prefix("$ "), sessions.last_mut()) {
            (Some(command), _) => sessions.push((command, String::new())),
            (None, Some((_, output))) => *output += &format!("{line}\n"),
            (None, None) => panic!("a session begins with a command, not with `{line}`"),
        }
    }
    sessions
}

/// The name in a comment that is nothing but a file's name.
fn file_name(line: &str) -> Option<&str> {
    let comment = line.strip_prefix("# ").or_else(|| line.strip_prefix("; "));
    let name = comment.or_else(|| line.strip_prefix("<!-- ")?.strip_suffix(" -->"))?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '/');
    let (_, extension) = name.rsplit_once('.')?;
    (name.chars().all(is_name) && !extension.is_empty()).then_some(name)
}

/// What a command prints; none if it is not for us.
fn run(folder: &Folder, line: &str, status: &mut i32) -> Option<String> {
    let words = words(line);
    let arguments: Vec<&str> = match words[0].as_str() {
        "windrow" => words[1..].iter().map(String::as_str).collect(),
        "cargo" => words.iter().skip_while(|word| *word != "--").skip(1).map(String::as_str).collect(),
        "cp" => {
            std::fs::copy(folder.0.join(&words[1]), folder.0.join(&words[2])).unwrap();
            return Some(String::new());
        }
        "cat" => return Some(folder.read(&words[1])),
        "echo" if words[1] == "$?" => return Some(format!("{status}\n")),
        _ => return None,
    };
    if arguments.is_empty() {
        return None;
    }
    let output = command(&arguments).current_dir(&folder.0).output().unwrap();
    *status = output.status.code().expect("the command ends by itself");
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Some(text(output.stdout) + &text(output.stderr))
}

/// Whether an output is as shown, a line `…` standing for any lines.
fn fits(shown: &str, printed: &str) -> bool {
    let parts: Vec<&str> = shown.split_inclusive('\n').collect();
    let mut parts = parts.split(|line| *line == "…\n").map(|lines| lines.concat());
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = printed.strip_prefix(first.as_str()) else { return false };
    let parts: Vec<String> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.split_once(part.as_str()) {
            Some((_, behind)) => rest = behind,
            None => return false,
        }
    }
    rest.ends_with(last.as_str())
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(|entry| entry.unwrap()) {
        let to = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(std::fs::copy(entry.path(), to).unwrap()),
        }
    }
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
fn check_document(name: &str, file: &ExpectFile, at_least: usize) {
    let document = std::fs::read_to_string(root().join(name)).unwrap();
    let (real, count) = run_sessions(name, &document);
    assert!(count >= at_least, "{name}: {count} commands");
    file.assert_eq(&real);
}

#[test]
fn the_readme_shows_real_output() {
    check_document("README.md", &expect_file!["../../../../README.md"], 2);
}

#[test]
fn the_language_guide_shows_real_output() {
    check_document("docs/wrappers.md", &expect_file!["../../../../docs/wrappers.md"], 60);
}

#[test]
fn the_guide_to_specifications_shows_real_output() {
    check_document("docs/methods/hand.md", &expect_file!["../../../../docs/methods/hand.md"], 7);
}

#[test]
fn the_guide_to_discover_shows_real_output() {
    check_document("docs/methods/discover.md", &expect_file!["../../../../docs/methods/discover.md"], 1);
}

#[test]
fn the_guide_to_examples_shows_real_output() {
    check_document("docs/methods/example.md", &expect_file!["../../../../docs/methods/example.md"], 12);
}

#[test]
fn the_feed_guide_prints_what_it_shows() {
    check_document("docs/methods/feed.md", &expect_file!["../../../../docs/methods/feed.md"], 7);
}

#[test]
fn the_guide_to_domains_shows_real_output() {
    check_document("docs/domains.md", &expect_file!["../../../../docs/domains.md"], 5);
}

#[test]
fn the_guide_to_reading_by_domains() {
    check_document("docs/methods/domain.md", &expect_file!["../../../../docs/methods/domain.md"], 8);
}

#[test]
fn the_guide_to_fetching_shows_real_output() {
    check_document("docs/fetch.md", &expect_file!["../../../../docs/fetch.md"], 3);
}

#[test]
fn the_guide_to_repair_shows_real_output() {
    check_document("docs/repair.md", &expect_file!["../../../../docs/repair.md"], 8);
}

#[test]
fn the_guide_to_the_store_shows_real_output() {
    check_document("docs/store.md", &expect_file!["../../../../docs/store.md"], 15);
}

#[test]
fn the_guide_to_audits_shows_real_output() {
    check_document("docs/audit.md", &expect_file!["../../../../docs/audit.md"], 5);
}

#[test]
fn the_guide_to_hunts_shows_real_output() {
    check_document("docs/hunt.md", &expect_file!["../../../../docs/hunt.md"], 6);
}

#[test]
fn what_is_left_out_of_an_output_may_be_anything() {
    assert!(fits("a\nb\n", "a\nb\n"));
    assert!(!fits("a\n", "a\nb\n"));
    assert!(fits("a\n…\nd\n", "a\nb\nc\nd\n"));
    assert!(!fits("a\n…\nd\n", "a\nb\nc\n"));
    assert!(!fits("b\n…\nd\n", "a\nb\nc\nd\n"));
    assert!(fits("a\n…\nc\n…\n", "a\nb\nc\nd\n"));
    assert!(!fits("a…\nd\n", "a\nb\nd\n"));
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
    for directory in ["docs", "docs/methods"] {
        documents.extend(std::fs::read_dir(root().join(directory)).unwrap().map(|entry| entry.unwrap().path()));
    }
    documents.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    for path in documents {
        let document = std::fs::read_to_string(&path).unwrap();
        for target in links(&document).filter(|target| !target.contains("://") && !target.starts_with('#')) {
            let file = target.split('#').next().unwrap_or_default();
            assert!(path.with_file_name("").join(file).exists(), "{}: {target}", path.display());
        }
    }
}
