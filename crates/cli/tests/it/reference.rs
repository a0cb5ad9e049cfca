//! `docs/cli.md` is what `--help` says.

use expect_test::expect_file;

use crate::windrow;

/// The names of the commands below a command, as its help lists them.
fn listed(help: &str) -> Vec<&str> {
    let heading = |line: &str| line.ends_with(':') && !line.starts_with(' ');
    let not_commands = ["Examples:", "Options:", "Arguments:", "Formats:"];
    let mut names = Vec::new();
    let mut under_commands = false;
    for line in help.lines() {
        if heading(line) {
            under_commands = !not_commands.contains(&line) && (line == "Commands:" || help.contains("\nGet data:\n"));
        } else if let Some(entry) = line.strip_prefix("  ").filter(|entry| under_commands && !entry.starts_with(' ')) {
            names.extend(
                entry.split_whitespace().next().filter(|name| name.bytes().all(|byte| byte.is_ascii_lowercase())),
            );
        }
    }
    names.retain(|name| *name != "help");
    names
}

/// A command and all commands below it.
fn below(command: &[String]) -> Vec<Vec<String>> {
    let arguments: Vec<&str> = command.iter().map(String::as_str).chain(["--help"]).collect();
    let help = windrow(&arguments).stdout;
    let listed = listed(&help).into_iter().flat_map(|name| below(&[command, &[name.to_owned()]].concat()));
    std::iter::once(command.to_vec()).chain(listed).collect()
}

#[test]
fn the_reference_is_up_to_date() {
    let mut reference = String::from(include_str!("reference.md"));
    let commands = below(&[]);
    assert_eq!(commands.len(), 27, "{commands:?}");
    for command in &commands {
        let arguments: Vec<&str> = command.iter().map(String::as_str).chain(["--help", "--all"]).collect();
        let run = windrow(&arguments);
        assert_eq!(run.code, Some(0));
        let help: Vec<&str> = run.stdout.lines().map(str::trim_end).collect();
        let title = format!("windrow {}", command.join(" "));
        reference += &format!("\n## `{}`\n\n```text\n{}\n```\n", title.trim_end(), help.join("\n"));
    }
    // Comparing line by line first: the diff that a failed expectation draws takes minutes on a text of this size.
    if std::env::var_os("UPDATE_EXPECT").is_none() {
        let written = std::fs::read_to_string(crate::root().join("docs/cli.md")).unwrap();
        let differing = reference.lines().zip(written.lines()).find(|(help, written)| help != written);
        assert_eq!((differing, reference.len()), (None, written.len()), "UPDATE_EXPECT=1 writes docs/cli.md");
    }
    expect_file!["../../../../docs/cli.md"].assert_eq(&reference);
}

#[test]
fn there_are_completions_for_the_usual_shells() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = windrow(&["completions", shell]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{shell}");
        assert!(run.stdout.contains("select"), "{shell}");
    }
}
