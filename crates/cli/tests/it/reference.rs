//! `docs/cli.md` is what `--help` says.

use expect_test::expect_file;

use crate::windrow;

#[test]
fn the_reference_is_up_to_date() {
    let mut reference = String::from(
        "# The command line\n\n\
         Generated from the command's own help by `UPDATE_EXPECT=1 cargo test -p windrow-cli reference`.\n",
    );
    for command in ["", "dom", "select", "discover", "learn", "show", "extract", "test", "fmt", "schema", "completions"]
    {
        let arguments: Vec<&str> = [command, "--help"].into_iter().filter(|argument| !argument.is_empty()).collect();
        let run = windrow(&arguments);
        assert_eq!(run.code, Some(0));
        let help: Vec<&str> = run.stdout.lines().map(str::trim_end).collect();
        let title = format!("windrow {command}");
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
