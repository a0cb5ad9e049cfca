//! `windrow domain`: what domains there are, what they say, and how they fare on pages; and what other commands need of
//! domains.

mod check;

use windrow::learn::domain::{Domain, file};

use crate::args::{DomainArguments, DomainCommand, DomainFormat};
use crate::fmt::print;
use crate::run::{self, Ending};
use crate::terminal;
use windrow::data::json::Json;
use windrow::format::text_table::layout;

/// Runs the command.
pub(crate) fn run(arguments: &DomainArguments) -> Ending {
    match &arguments.command {
        DomainCommand::List(arguments) => finish(&list(arguments.format)),
        DomainCommand::Show(arguments) => {
            run::ended(windrow::domains::domain(&arguments.domain).map(|domain| finish(&domain.write())))
        }
        DomainCommand::Check(arguments) => check::run(arguments),
    }
}

fn finish(text: &str) -> Ending {
    match print(text) {
        Ok(()) => Ending::Found,
        Err(error) => {
            run::tell_error(&miette::miette!(code = "output::failed", "cannot write the output: {error}"));
            Ending::Failed
        }
    }
}

/// The domains that come along.
fn list(format: DomainFormat) -> String {
    let domains = file::shipped().iter().filter_map(|(name, _)| Some((*name, Domain::shipped(name)?)));
    let keywords = |domain: &Domain| domain.roles.iter().map(|role| role.keywords.len()).sum::<usize>();
    match format {
        DomainFormat::Table => {
            let row = |(name, domain): (&str, Domain)| {
                vec![
                    name.to_owned(),
                    domain.roles.len().to_string(),
                    keywords(&domain).to_string(),
                    domain.description.clone(),
                ]
            };
            layout(
                &["name", "roles", "keywords", "description"].map(str::to_owned),
                &domains.map(row).collect::<Vec<_>>(),
                terminal::columns(),
            )
        }
        DomainFormat::Json => {
            let mut json = Json::pretty(0);
            json.array(|json| {
                for (name, domain) in domains {
                    json.element();
                    json.object(|json| {
                        json.key("name");
                        json.text(name);
                        json.key("description");
                        json.text(&domain.description);
                        json.key("roles");
                        json.array(|json| {
                            for number in 0..domain.roles.len() {
                                json.element();
                                json.text(&windrow::domains::tally::full_name(&domain, number));
                            }
                        });
                        json.key("keywords");
                        json.literal(&keywords(&domain).to_string());
                    });
                }
            });
            json.finish() + "\n"
        }
    }
}
