//! What a check found, for people.

use windrow::store::{Finding, Report, What};

/// One wrapper's report: a line that sums up, and a few for each finding.
pub(crate) fn report(report: &Report) -> String {
    let several = |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
    let name = &report.wrapper;
    let Some(at) = &report.at else { return format!("{name}: no page was kept yet\n") };
    let (runs, pages) = (several(report.runs, "run"), several(report.pages, "page"));
    if report.findings.is_empty() {
        let compared = if report.runs < 2 { "nothing to compare it with yet" } else { "all is well" };
        return format!("{name}: {runs}, the last at {at} with {pages}: {compared}\n");
    }
    let mut text = format!("{name}: {runs}, the last at {at} with {pages}: {} broken\n", report.findings.len());
    for finding in &report.findings {
        text += &format!("  {}\n", line(finding));
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

/// What is wrong, in one line: `ads.price is found in 12 % of the records, in 98 % before`.
fn line(finding: &Finding) -> String {
    let what = match &finding.field {
        Some(field) => format!("{}.{field}", finding.list),
        None => finding.list.clone(),
    };
    let share = |share: f64| format!("{:.0} %", share * 100.0);
    let (before, now) = (finding.before, finding.now);
    match finding.what {
        What::Emptied => format!("{what} has no records, and had {before:.0}"),
        What::Fewer => format!("{what} has {now:.0} records, and had {before:.0} at least"),
        What::Missing => format!("{what} is found in {} of the records, in {} before", share(now), share(before)),
        What::Mistyped => {
            format!("{what} is of its type in {} of the records, in {} before", share(now), share(before))
        }
        What::Reshaped => format!("{what} looks as it never did, in {} of the records", share(now)),
        What::Constant => format!("{what} is the same in all records, and never was"),
    }
}
