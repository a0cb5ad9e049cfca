//! `docs/cli.md` is what `--help` says.

use expect_test::expect_file;

use crate::windrow;

/// A command and all that are below it.
fn below(command: &[String]) -> Vec<Vec<String>> {
    let arguments: Vec<&str> = command.iter().map(String::as_str).chain(["--help"]).collect();
    let help = windrow(&arguments).stdout;
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let listed = listed.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    let listed = listed.flat_map(|name| below(&[command, &[name.to_owned()]].concat()));
    std::iter::once(command.to_vec()).chain(listed).collect()
}

#[test]
fn the_reference_is_up_to_date() {
    let mut reference = String::from(
        "# The command line\n\n\
         Generated from the command's own help by `UPDATE_EXPECT=1 cargo test -p windrow-cli reference`.\n",
    );
    let commands = below(&[]);
    assert!(commands.len() > 10, "{commands:?}");
    for command in &commands {
        let arguments: Vec<&str> = command.iter().map(String::as_str).chain(["--help"]).collect();
        let run = windrow(&arguments);
        assert_eq!(run.code, Some(0));
        let help: Vec<&str> = run.stdout.lines().map(str::trim_end).collect();
        let title = format!("windrow {}", command.join(" "));
        reference += &format!("\n## `{}`\n\n```text\n{}\n```\n", title.trim_end(), help.join("\n"));
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
