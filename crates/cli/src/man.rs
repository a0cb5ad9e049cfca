//! `windrow man`: man pages and shell completions, written to a directory for packages.

use std::fs;
use std::io;
use std::path::Path;

use clap::ValueEnum;
use clap_complete::Shell;
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
    // A man page lists the options, and not the terminal's help text of the whole.
    let command = help::full_command().disable_help_subcommand(true);
    clap_mangen::generate_to(command, &pages)?;
    let scripts = directory.join("completions");
    fs::create_dir_all(&scripts)?;
    for shell in Shell::value_variants() {
        clap_complete::generate_to(*shell, &mut help::full_command(), "windrow", &scripts)?;
    }
    Ok(())
}
