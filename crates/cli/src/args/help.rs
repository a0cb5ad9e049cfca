//! `--help`: the commands grouped by task, and the rarely used options left out until `--all` asks for them.
//!
//! The groups and the rare options are tables here, not attributes of the arguments: one place says what a newcomer sees.

use std::ffi::OsString;

use clap::builder::StyledStr;
use clap::{Command, CommandFactory};

use super::Arguments;

/// The commands by task, in the order in which `windrow --help` lists them.
const GROUPS: &[(&str, &[&str])] = &[
    ("Get data", &["discover", "extract", "crawl", "query", "export", "feed"]),
    ("Learn rules", &["learn", "studio", "show", "test", "repair", "fmt"]),
    ("Keep and watch", &["check", "watch", "versions"]),
    ("Audit", &["audit", "hunt", "report", "domain"]),
    ("Look inside", &["dom", "select", "schema", "completions"]),
];

/// Headings whose options are rare, except the ones named here.
const USUAL_UNDER_HEADING: &[(&str, &[&str])] = &[
    ("Reading", &["quiet"]),
    ("Fetching", &["render", "record", "replay", "delay"]),
    ("Politeness", &[]),
    ("Keeping", &["into"]),
    ("Budget", &["pages", "sites", "time"]),
    ("Audit", &["rules", "reference"]),
    ("What to ask", &["query"]),
    ("With --feed", &["explain"]),
    ("Feeds", &["title", "entries"]),
];

/// Further rare options: the command and their names.
const RARE: &[(&str, &[&str])] = &[
    ("audit", &["list", "today", "lenient", "record", "replay"]),
    ("crawl", &["raw", "state", "no-next", "anywhere", "depth-first"]),
    ("extract", &["csv-dir", "strict", "page-by-page", "at"]),
    ("hunt", &["state", "record", "replay"]),
    ("learn", &["as-list", "as-page", "node"]),
    ("query", &["record", "replay"]),
    ("report", &["most"]),
    ("select", &["inner-html", "record", "replay"]),
    ("dom", &["record", "replay"]),
    ("fmt", &["absolute", "page"]),
];

const EXAMPLES: &str = "\
Examples:
  windrow discover https://example.org/jobs -o jobs.csv
          Save the main table of a page.
  windrow learn jobs.html --example 'title=Bus driver' --example 'city=Vienna' -o jobs.toml
          Learn rules for exactly these fields from one example.
  windrow extract -w jobs.toml pages/ -o jobs.csv
          Apply the rules to many pages.";

/// The meaning of the exit status, for every command.
const EXIT_STATUS: &str = "\
Exit status:
  0  something was found, or the work is done
  1  nothing was found
  2  an error; the message is on standard error
The help of a command says so if its statuses mean more than that.";

/// The whole command line for parsing and for completions: every option is there.
pub(crate) fn full_command() -> Command {
    let mut command = Arguments::command();
    let listed = grouped(&command);
    let options = "\
Options:
  -h, --help     Print help; `windrow COMMAND --help` describes a command
  -V, --version  Print version";
    command = command
        .help_template("{about-with-newline}\n{usage-heading} {usage}{after-help}")
        .override_usage("windrow <COMMAND> [OPTIONS] [ARGUMENTS]")
        .after_help(format!("{listed}{options}"))
        .after_long_help(format!("{EXAMPLES}\n\n{listed}{options}\n\n{EXIT_STATUS}"));
    command
}

/// The whole command line for the man pages, which list the commands themselves.
pub(crate) fn manual_command() -> Command {
    full_command().after_long_help(format!("{EXAMPLES}\n\n{EXIT_STATUS}"))
}

/// The command line as `--help` shows it: without the rare options.
fn brief_command() -> Command {
    let mut command = full_command();
    let names: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    for name in names {
        command = command.mut_subcommand(&name, |command| hide_rare(command, &name, &format!("windrow {name}")));
    }
    command
}

/// The command line that fits the arguments, and the arguments without an `--all` that belongs to `--help`.
pub(super) fn prepare(mut arguments: Vec<OsString>) -> (Command, Vec<OsString>) {
    let options = arguments.iter().position(|argument| argument == "--").unwrap_or(arguments.len());
    let asks_for_help = arguments[..options].iter().any(|argument| argument == "--help" || argument == "-h")
        || arguments.get(1).is_some_and(|first| first == "help");
    if !asks_for_help {
        return (full_command(), arguments);
    }
    match arguments[..options].iter().position(|argument| argument == "--all") {
        Some(at) => {
            arguments.remove(at);
            (full_command(), arguments)
        }
        None => (brief_command(), arguments),
    }
}

/// The commands under the headings of their tasks, each with its line.
fn grouped(command: &Command) -> String {
    let mut text = String::new();
    for (task, names) in GROUPS {
        text += &format!("{task}:\n");
        for name in *names {
            let about = command.find_subcommand(name).and_then(Command::get_about).map(StyledStr::to_string);
            text += &format!("  {name:<12} {}\n", about.unwrap_or_default());
        }
        text.push('\n');
    }
    text
}

/// Hides the rare options of a command and of the commands below it, and says how to see them.
fn hide_rare(mut command: Command, name: &str, whole_name: &str) -> Command {
    let below: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    for below in below {
        let whole_name = format!("{whole_name} {below}");
        command = command.mut_subcommand(&below, |command| hide_rare(command, &below, &whole_name));
    }
    let mut hidden = 0;
    command = command.mut_args(|argument| {
        let rare = argument.get_long().is_some_and(|long| is_rare(name, long, argument.get_help_heading()));
        hidden += usize::from(rare && !argument.is_hide_set());
        if rare { argument.hide(true) } else { argument }
    });
    if hidden == 0 {
        return command;
    }
    let options = if hidden == 1 { "option" } else { "options" };
    let note = format!("{hidden} more {options}: {whole_name} --help --all");
    let long = command.get_after_long_help().map(|text| format!("{note}\n\n{text}"));
    let command = command.after_help(note.clone());
    command.after_long_help(long.unwrap_or(note))
}

fn is_rare(command: &str, long: &str, heading: Option<&str>) -> bool {
    let find = |table: &'static [(&str, &'static [&str])], key: &str| {
        table.iter().find(|(name, _)| *name == key).map(|(_, options)| *options)
    };
    let usual = heading.and_then(|heading| find(USUAL_UNDER_HEADING, heading));
    usual.is_some_and(|usual| !usual.contains(&long)) || find(RARE, command).is_some_and(|rare| rare.contains(&long))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::time::Duration;

    use clap::Arg;
    use clap::builder::ValueParser;

    use super::*;

    /// Options whose values differ from command to command, each with the reason.
    const DIFFERENT: &[(&str, &str)] = &[("format", "each command has formats of its own")];

    /// Every command, with its name and the names of those above it.
    fn commands(command: &Command, above: &str) -> Vec<(String, Command)> {
        let name = format!("{above} {}", command.get_name()).trim().to_owned();
        let below = command.get_subcommands().flat_map(|below| commands(below, &name)).collect::<Vec<_>>();
        std::iter::once((name, command.clone())).chain(below).collect()
    }

    fn options(command: &Command) -> impl Iterator<Item = &Arg> {
        command.get_arguments().filter(|argument| argument.get_long().is_some())
    }

    #[test]
    fn every_command_is_in_one_group() {
        let command = full_command();
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let mut visible: Vec<&str> =
            command.get_subcommands().filter(|command| !command.is_hide_set()).map(Command::get_name).collect();
        grouped.sort_unstable();
        visible.sort_unstable();
        assert_eq!(grouped, visible);
    }

    #[test]
    fn no_option_has_two_meanings() {
        let mut meanings: BTreeMap<String, BTreeMap<String, Vec<String>>> = BTreeMap::new();
        let mut longs_of_short: BTreeMap<char, BTreeMap<String, Vec<String>>> = BTreeMap::new();
        for (name, command) in commands(&full_command(), "") {
            for option in options(&command) {
                let long = option.get_long().expect("options have long names").to_owned();
                let parser = option.get_value_parser().type_id();
                let file = [ValueParser::path_buf().type_id(), ValueParser::string().type_id()];
                let parser = if file.contains(&parser) { "text".to_owned() } else { format!("{parser:?}") };
                let takes_value = option.get_action().takes_values();
                let values = option.get_value_names().filter(|_| takes_value);
                let meaning = format!("values {values:?} of {parser}");
                if let Some(short) = option.get_short() {
                    longs_of_short.entry(short).or_default().entry(long.clone()).or_default().push(name.clone());
                }
                meanings.entry(long).or_default().entry(meaning).or_default().push(name.clone());
            }
        }
        meanings.retain(|long, meanings| meanings.len() > 1 && !DIFFERENT.iter().any(|(name, _)| name == long));
        longs_of_short.retain(|_, longs| longs.len() > 1);
        assert!(meanings.is_empty() && longs_of_short.is_empty(), "{meanings:#?}\n{longs_of_short:#?}");
    }

    #[test]
    fn hidden_aliases_mean_nothing_else_in_their_command() {
        for (name, command) in commands(&full_command(), "") {
            let longs: Vec<&str> = options(&command).filter_map(Arg::get_long).collect();
            for alias in options(&command).flat_map(|option| option.get_all_aliases().unwrap_or_default()) {
                assert!(!longs.contains(&alias), "{name}: {alias}");
            }
        }
    }

    #[test]
    fn every_duration_is_read_by_the_same_parser() {
        let duration = Command::new("x").arg(Arg::new("x").value_parser(super::super::values::duration));
        let duration = duration.get_arguments().next().expect("it was added").get_value_parser().type_id();
        let mut count = 0;
        for (name, command) in commands(&full_command(), "") {
            for option in options(&command) {
                let is_duration = option.get_value_parser().type_id() == duration;
                let value_names = option.get_value_names().unwrap_or_default();
                assert_eq!(is_duration, value_names.iter().any(|name| name == "DURATION"), "{name}: {option}");
                if !is_duration {
                    continue;
                }
                count += 1;
                let long = format!("--{}", option.get_long().expect("options have long names"));
                for (text, milliseconds) in [("500ms", 500), ("30", 30_000), ("2m", 120_000), ("1d", 86_400_000)] {
                    let parsed = Command::new("x").arg(option.clone()).try_get_matches_from(["x", &long, text]);
                    let parsed = parsed.unwrap_or_else(|error| panic!("{name} {long} {text}: {error}"));
                    let value: Option<&Duration> = parsed.get_one(option.get_id().as_str());
                    assert_eq!(value, Some(&Duration::from_millis(milliseconds)), "{name} {long} {text}");
                }
            }
        }
        assert!(count >= 10, "{count}");
    }

    #[test]
    fn the_usual_options_are_few() {
        for (name, command) in commands(&brief_command(), "") {
            let shown = options(&command).filter(|option| !option.is_hide_set()).count();
            let most = if name == "windrow hunt" { 15 } else { 18 };
            assert!(shown <= most, "{name} shows {shown}");
        }
    }

    #[test]
    fn the_tables_name_options_that_exist() {
        let commands = commands(&full_command(), "");
        for (name, rare) in RARE {
            let (_, command) = commands.iter().find(|(whole, _)| whole == &format!("windrow {name}")).expect(name);
            for long in *rare {
                assert!(options(command).any(|option| option.get_long() == Some(long)), "{name} --{long}");
            }
        }
        for (heading, usual) in USUAL_UNDER_HEADING {
            for long in *usual {
                let mut all = commands.iter().flat_map(|(_, command)| options(command));
                let there =
                    |option: &Arg| option.get_long() == Some(long) && option.get_help_heading() == Some(heading);
                assert!(all.any(there), "{heading}: --{long}");
            }
        }
    }

    #[test]
    fn the_command_line_is_consistent() {
        full_command().debug_assert();
        brief_command().debug_assert();
    }
}
