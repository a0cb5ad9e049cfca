//! Reports of a check, for people.

use crate::store::{Changes, Report};

use super::changes;

/// One wrapper's report: a line that sums up, the problems with what to do about them, then the changed records.
/// `address` is the store's.
pub fn report(report: &Report, changes: Option<&Changes>, address: &str) -> String {
    let several = |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
    let name = &report.wrapper;
    let mut text = match report.failed {
        0 => String::new(),
        failed => format!(
            "{name}: {} could not be read in the newest run; run it again, and see what it prints\n",
            several(failed as usize, "page")
        ),
    };
    let Some(at) = &report.at else { return format!("{text}{name}: no page was kept yet\n") };
    let verdict = match report.findings.len() {
        0 if report.runs < 2 => "nothing to compare with yet".to_owned(),
        0 => "the wrapper finds what it found before".to_owned(),
        count => several(count, "problem"),
    };
    let (runs, pages) = (several(report.runs, "run"), several(report.pages, "page"));
    text += &format!("{name}: {verdict} ({runs}, the last at {at} with {pages})\n");
    let check = format!("windrow check {} {name}", shown(address));
    for finding in &report.findings {
        text += &format!("  {finding}\n");
        text += &format!("    since {}, on {} of {}: {}", finding.since, finding.on, several(finding.of, "page"), {
            let more = finding.on.saturating_sub(finding.pages.len());
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            finding.pages.join(", ") + &more
        });
        text.push('\n');
        for (word, values) in [("before", &finding.was), ("now", &finding.is)] {
            if !values.is_empty() {
                let quoted: Vec<String> = values.iter().map(|value| format!("“{value}”")).collect();
                text += &format!("    {word}, for example: {}\n", quoted.join(", "));
            }
        }
        text += &format!("    {}\n", finding.what.cause());
    }
    if !report.findings.is_empty() {
        text += &format!("  if the page really is like this now: {check} --accept\n");
        text += &format!(
            "  if not, mend the wrapper: windrow repair RULES PAGE --store {}, or change its rules by hand\n",
            shown(address)
        );
    }
    if let Some(changes) = changes {
        text += &changes::text(changes, &all_changes(address, name));
    }
    text
}

/// The command that prints all changes of the last run.
pub fn all_changes(address: &str, wrapper: &str) -> String {
    format!("windrow check {} {wrapper} --changes all", shown(address))
}

/// An address as it can be shown: one of a server may have a password in it.
fn shown(address: &str) -> &str {
    if address.contains("://") { "STORE" } else { address }
}
