//! `windrow man`: man pages and shell completions, written to a directory for packages.

use std::fs;
use std::io;
use std::path::Path;

use clap::{Command, ValueEnum};
use clap_complete::Shell;
use clap_mangen::Man;
use miette::Diagnostic;

use crate::args::{ManArguments, help};
use crate::run::{Ending, tell_error};

#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("cannot write to `{directory}`: {cause}")]
#[diagnostic(code(output::unwritable))]
struct ManError {
    directory: String,
    cause: io::Error,
}

/// Runs the command.
pub(crate) fn run(arguments: &ManArguments) -> Ending {
    match write(&arguments.directory) {
        Ok(()) => Ending::Found,
        Err(cause) => {
            let directory = arguments.directory.display().to_string();
            tell_error(&ManError { directory, cause }.into());
            Ending::Failed
        }
    }
}

fn write(directory: &Path) -> io::Result<()> {
    let pages = directory.join("man1");
    fs::create_dir_all(&pages)?;
    let mut command = help::manual_command().disable_help_subcommand(true);
    command.build();
    write_page(&command, &pages)?;
    let scripts = directory.join("completions");
    fs::create_dir_all(&scripts)?;
    for shell in Shell::value_variants() {
        clap_complete::generate_to(*shell, &mut help::full_command(), "windrow", &scripts)?;
    }
    Ok(())
}

/// Writes the man page of a command, and those of the commands below it.
fn write_page(command: &Command, directory: &Path) -> io::Result<()> {
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    let man = Man::new(command.clone()).source(format!("windrow {}", env!("CARGO_PKG_VERSION"))).manual("Windrow");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.get_subcommands().any(|below| !below.is_hide_set()) {
        man.render_subcommands_section(&mut page)?;
    }
    if let Some(text) = command.get_after_long_help() {
        page.extend(sections(&text.to_string()).bytes());
    }
    fs::write(directory.join(format!("{name}.1")), page)?;
    command.get_subcommands().filter(|below| !below.is_hide_set()).try_for_each(|below| write_page(below, directory))
}

/// The text behind the options as sections of a man page. A line that ends in a colon and is not indented starts one.
///
/// Lines are kept as they are: most are commands and tables.
fn sections(text: &str) -> String {
    let mut roff = String::new();
    for line in text.lines() {
        match line.strip_suffix(':').filter(|_| !line.starts_with(' ')) {
            Some(heading) => roff += &format!(".SH {}\n.nf\n", escape(&heading.to_uppercase())),
            None => roff += &format!("{}\n", escape(line)),
        }
    }
    roff
}

/// A line of text for roff: no letter of it is a command.
fn escape(line: &str) -> String {
    let line = line.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq");
    if line.starts_with('.') { format!("\\&{line}") } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_become_sections_and_lines_stay() {
        let text = "Examples:\n  windrow x --all 'a\\b'\n\n.hidden\nExit status:\n  0  done";
        let expected =
            ".SH EXAMPLES\n.nf\n  windrow x \\-\\-all \\(aqa\\eb\\(aq\n\n\\&.hidden\n.SH EXIT STATUS\n.nf\n  0  done\n";
        assert_eq!(sections(text), expected);
    }
}
