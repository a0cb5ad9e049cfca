//! What a check found, for people.

use windrow::store::Report;

/// One wrapper's report: a line that sums up, and a few for each finding.
pub(crate) fn report(report: &Report) -> String {
    let several = |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
    let name = &report.wrapper;
    let failed = match report.failed {
        0 => String::new(),
        failed => format!("{name}: {} could not be read in the newest run\n", several(failed as usize, "page")),
    };
    let Some(at) = &report.at else { return format!("{failed}{name}: no page was kept yet\n") };
    let (runs, pages) = (several(report.runs, "run"), several(report.pages, "page"));
    if report.findings.is_empty() {
        let compared = if report.runs < 2 { "nothing to compare it with yet" } else { "all is well" };
        return format!("{failed}{name}: {runs}, the last at {at} with {pages}: {compared}\n");
    }
    let mut text = format!("{failed}{name}: {runs}, the last at {at} with {pages}: {} broken\n", report.findings.len());
    for finding in &report.findings {
        text += &format!("  {finding}\n");
        text += &format!("    since {}, on {} of {}: {}", finding.since, finding.on, several(finding.of, "page"), {
            let more = finding.on.saturating_sub(finding.pages.len());
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            finding.pages.join(", ") + &more
        });
        text.push('\n');
        for (word, values) in [("was", &finding.was), ("is", &finding.is)] {
            if !values.is_empty() {
                let quoted: Vec<String> = values.iter().map(|value| format!("“{value}”")).collect();
                text += &format!("    {word} {}\n", quoted.join(", "));
            }
        }
    }
    text
}
