//! The command `windrow`: arguments in, rows out.
//!
//! The crate `windrow` does the work; here are the arguments, the printing, and the exit codes (0 found, 1 nothing found,
//! 2 error).

mod args;
mod audit;
mod check;
mod crawl;
mod diagnostics;
mod discover;
mod dom;
mod domain;
mod export;
mod extract;
mod feed;
mod fmt;
mod hunt;
mod learn;
mod man;
mod output;
mod pages;
mod query;
mod repair;
mod report;
mod run;
mod select;
mod show;
mod studio;
mod terminal;
mod test;
mod versions;
mod watch;

use std::borrow::Cow;
use std::process::ExitCode;

use crate::args::{Arguments, Command, CompletionsArguments, SchemaArguments};
use crate::run::Ending;

fn main() -> ExitCode {
    let arguments = match Arguments::read() {
        Ok(arguments) => arguments,
        Err(error) => return complain(&error),
    };
    output::exit_on_interrupt();
    // Errors show commands to copy, so their lines are the terminal's to break.
    let handler = || miette::MietteHandlerOpts::new().wrap_lines(false).build();
    miette::set_hook(Box::new(move |_| Box::new(handler()))).expect("nothing has been reported yet");
    let ending = match arguments.command {
        Command::Dom(arguments) => dom::run(&arguments),
        Command::Select(arguments) => select::run(&arguments),
        Command::Discover(arguments) => discover::run(&arguments),
        Command::Learn(arguments) => learn::run(&arguments),
        Command::Studio(arguments) => studio::run(&arguments),
        Command::Show(arguments) => show::run(&arguments),
        Command::Extract(arguments) => extract::run(&arguments),
        Command::Domain(arguments) => domain::run(&arguments),
        Command::Feed(arguments) => feed::run(&arguments),
        Command::Crawl(arguments) => crawl::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Repair(arguments) => repair::run(&arguments),
        Command::Versions(arguments) => versions::run(&arguments),
        Command::Watch(arguments) => watch::run(&arguments),
        Command::Query(arguments) => query::run(&arguments),
        Command::Export(arguments) => export::run(&arguments),
        Command::Audit(arguments) => audit::run(&arguments),
        Command::Hunt(arguments) => hunt::run(&arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Test(arguments) => test::run(&arguments),
        Command::Fmt(arguments) => fmt::run(&arguments),
        Command::Schema(SchemaArguments {}) => print(&format!("{:#}\n", windrow::wrapper::files::schema())),
        Command::Completions(arguments) => completions(&arguments),
        Command::Man(arguments) => man::run(&arguments),
    };
    match ending {
        Ending::Found => ExitCode::SUCCESS,
        Ending::Nothing => ExitCode::from(1),
        Ending::Failed => ExitCode::from(2),
    }
}

/// Prints what is wrong with the arguments, or the help that was asked for.
fn complain(error: &clap::Error) -> ExitCode {
    // Arguments may be names of files that a shell has filled in, and those may hold anything.
    let plain = error.render().to_string();
    match terminal::visible(&plain) {
        Cow::Owned(safe) => run::tell(safe.trim_end()),
        // With colours.
        Cow::Borrowed(_) => drop(error.print()),
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

fn completions(arguments: &CompletionsArguments) -> Ending {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut args::help::full_command(), "windrow", &mut script);
    print(&String::from_utf8_lossy(&script))
}

fn print(text: &str) -> Ending {
    match fmt::print(text) {
        Ok(()) => Ending::Found,
        Err(_) => Ending::Failed,
    }
}
