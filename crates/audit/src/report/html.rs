//! The report as a single HTML page: no scripts, no external resources, readable on paper and on a phone.
//!
//! Each piece is passed on as soon as it is written. A content security policy in the page's head forbids scripts and
//! external resources, so that even markup which escaped wrongly could not run.

use std::fmt::Write;

use super::count::{Report, Shown, SiteRow};
use super::detail::{Basis, Compared, Detail};
use super::plot::Plot;
use super::text::{cut, escaped, linked, quoted};

/// Largest number of characters shown of a value; the others are for snippets, and for paths and addresses.
const VALUE: usize = 160;
const SNIPPET: usize = 300;
const PLACE: usize = 300;
/// Largest number of characters shown of a host name, which may be arbitrarily long.
const HOST: usize = 100;
/// Largest number of new sites in their table: more than anyone reads.
const MOST_SITES: usize = 500;
/// Number of findings whose evidence is requested at a time.
const CHUNK: usize = 200;

impl Report {
    /// Writes the page to `out`, with at most `most` findings; `details` returns the findings with the given numbers.
    pub fn html<E>(
        &self,
        most: usize,
        mut details: impl FnMut(&[i64]) -> Result<Vec<Detail>, E>,
        mut out: impl FnMut(&str) -> Result<(), E>,
    ) -> Result<(), E> {
        out(&self.head())?;
        out(&self.sites_table())?;
        out(&self.kinds_table())?;
        out(&self.trend_section())?;
        out(&self.findings_head(most))?;
        let mut room = most;
        for (number, row) in self.sites.iter().enumerate().filter(|(_, row)| !row.shown.is_empty()) {
            let shown = &row.shown[..row.shown.len().min(room)];
            room -= shown.len();
            out(&site_head(number, row, shown.len()))?;
            for some in shown.chunks(CHUNK) {
                let ids: Vec<i64> = some.iter().map(|one| one.id).collect();
                let mut text = String::new();
                for detail in details(&ids)? {
                    if let Some(one) = some.iter().find(|one| one.id == detail.id) {
                        finding(&mut text, &detail, *one);
                    }
                }
                out(&text)?;
            }
            out("</section>\n")?;
        }
        out(&self.audits_section())?;
        out(&format!(
            "<footer><p>Made {} by Windrow. A probability is an interval: the least and the greatest that the rules \
             allow.</p></footer>\n</body>\n</html>\n",
            escaped(&self.made)
        ))
    }

    fn head(&self) -> String {
        let (open, new, gone) = self.sums();
        let figure = |number: u64, what: &str| format!("<li><b>{}</b> {what}</li>", grouped(number));
        let new_sites = self.new_sites().count() as u64;
        let figures = [
            figure(new_sites, if new_sites == 1 { "new site" } else { "new sites" }),
            figure(self.sites_known, "sites known"),
            figure(open, "findings open"),
            figure(new, "new findings"),
            figure(gone, "findings gone"),
        ];
        let interrupted = self.audits.iter().filter(|audit| audit.ended.is_none()).count();
        let note = match interrupted {
            0 => String::new(),
            number => format!(
                "<p class=\"note\"><b>Not complete:</b> {number} of {} did not come to its end; what it had not looked \
                 at is as it was before.</p>\n",
                several(self.audits.len() as u64, "audit"),
            ),
        };
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"referrer\" content=\"no-referrer\">\n<title>{title}</title>\n<style>\n{style}</style>\n</head>\n\
             <body>\n<header><h1>{title}</h1>\n<p class=\"soft\">{period}</p></header>\n{note}\
             <ul class=\"figures\">{figures}</ul>\n<nav aria-label=\"Sections\"><ul><li><a href=\"#sites\">New sites</a></li>\
             <li><a href=\"#kinds\">Kinds</a></li><li><a href=\"#trend\">Trend</a></li>\
             <li><a href=\"#findings\">Findings</a></li><li><a href=\"#audits\">Audits</a></li></ul></nav>\n",
            title = escaped(&self.title),
            style = include_str!("style.css"),
            period = capital(&self.period.to_string()),
            figures = figures.concat(),
        )
    }

    fn sites_table(&self) -> String {
        let mut text = "<section id=\"sites\"><h2>New sites</h2>\n".to_owned();
        if self.new_sites().next().is_none() {
            return text + "<p>No site is new.</p></section>\n";
        }
        let labels = ["Host", "IP address", "Location", "Found by", "Pages", "Records", "Findings", "Kinds"];
        text += &header("wide", "", &labels, &[5, 6]);
        let new = self.sites.iter().enumerate().filter(|(_, row)| row.is_new);
        for (number, row) in new.take(MOST_SITES) {
            let host =
                if row.shown.is_empty() { host(row) } else { format!("<a href=\"#s{number}\">{}</a>", host(row)) };
            let site = &row.site;
            let maybe = |text: &Option<String>| text.as_deref().map(|text| quoted(text, HOST)).unwrap_or_default();
            let cells = [
                host,
                maybe(&site.ip),
                maybe(&site.location),
                maybe(&site.found_by),
                pages(row),
                grouped(row.records),
                grouped(row.open),
                kinds(row),
            ];
            text += &line(&labels, &cells, &[5, 6]);
        }
        text += "</tbody></table>\n";
        let left_out = self.new_sites().count().saturating_sub(MOST_SITES);
        if left_out > 0 {
            let _ = writeln!(
                text,
                "<p class=\"note\"><b>{} more new sites are left out here</b>, those with the weakest findings. \
                 <code>--format json</code> has all of them.</p>",
                grouped(left_out as u64),
            );
        }
        text + "</section>\n"
    }

    fn kinds_table(&self) -> String {
        let mut text = "<section id=\"kinds\"><h2>Kinds of violation</h2>\n".to_owned();
        if self.kinds.is_empty() {
            return text + "<p>Nothing was found.</p></section>\n";
        }
        let labels = ["Kind", "Open", "New", "Gone", "Sites"];
        text += &header("", "", &labels, &[1, 2, 3, 4]);
        for kind in &self.kinds {
            let numbers = [kind.open, kind.new, kind.gone, kind.sites].map(grouped);
            let cells: Vec<String> = std::iter::once(quoted(&kind.conclusion, HOST)).chain(numbers).collect();
            text += &line(&labels, &cells, &[1, 2, 3, 4]);
        }
        text + "</tbody></table></section>\n"
    }

    fn trend_section(&self) -> String {
        let weeks: Vec<String> = self.trend.iter().map(|one| one.week.to_string()).collect();
        let short: Vec<String> =
            weeks.iter().map(|week| week.split_once('-').map_or(week.as_str(), |(_, week)| week).to_owned()).collect();
        let all = |of: fn(&super::Trend) -> u64| self.trend.iter().map(of).collect::<Vec<u64>>();
        let plots = [
            Plot {
                id: "plot-sites",
                title: "Sites known and sites new, by week",
                labels: &short,
                line: ("sites known", all(|one| one.sites)),
                bars: vec![("new in the week", all(|one| one.new_sites))],
            },
            Plot {
                id: "plot-findings",
                title: "Findings open, new and gone, by week",
                labels: &short,
                line: ("findings open", all(|one| one.open)),
                bars: vec![("new in the week", all(|one| one.new)), ("gone", all(|one| one.gone))],
            },
        ];
        let mut text = "<section id=\"trend\"><h2>Trend</h2>\n<div class=\"plots\">\n".to_owned();
        for plot in plots {
            let _ = writeln!(
                text,
                "<figure>{}<figcaption>{}. {}</figcaption></figure>",
                plot.svg(),
                escaped(plot.title),
                plot.legend()
            );
        }
        let labels = ["Week", "Sites known", "New sites", "Open", "New", "Gone"];
        text += "</div>\n";
        text +=
            &header("", "The same in numbers; sites and findings at the end of each week", &labels, &[1, 2, 3, 4, 5]);
        for (one, week) in self.trend.iter().zip(&weeks).rev() {
            let numbers = [one.sites, one.new_sites, one.open, one.new, one.gone].map(grouped);
            let cells: Vec<String> = std::iter::once(escaped(week)).chain(numbers).collect();
            text += &line(&labels, &cells, &[1, 2, 3, 4, 5]);
        }
        text + "</tbody></table></section>\n"
    }

    fn findings_head(&self, most: usize) -> String {
        let mut text = "<section id=\"findings\"><h2>Findings</h2>\n".to_owned();
        let all = self.findings();
        if all == 0 {
            return text + "<p>There are none.</p></section>\n";
        }
        text += "<p>By site, the worst first: those that stand at the end of the period, and those that are gone since \
                 its beginning. Each can be linked to by its number.</p>\n";
        if all > most {
            let _ = writeln!(
                text,
                "<p class=\"note\"><b>{} of {} findings are left out here</b>, the least probable of the last sites. \
                 <code>--format json</code> has all of them, and so has <code>windrow query STORE &#39;select * from \
                 _findings&#39; --format csv</code>; <code>--most</code> makes room for more.</p>",
                grouped((all - most) as u64),
                grouped(all as u64),
            );
        }
        text + "</section>\n"
    }

    fn audits_section(&self) -> String {
        let mut text = "<section id=\"audits\"><h2>Audits</h2>\n".to_owned();
        if self.audits.is_empty() {
            return text + "<p>There was none in this time.</p></section>\n";
        }
        let labels = ["Begun", "Rules", "List", "Pages", "Unread", "Records", "Findings", "Ended"];
        text += &header("wide", "", &labels, &[3, 4, 5, 6]);
        for audit in &self.audits {
            let [pages, failed, records, findings] =
                [audit.pages, audit.failed, audit.records, audit.findings].map(grouped);
            let cells = [
                escaped(&moment(&audit.started)),
                quoted(&audit.ruleset, HOST),
                quoted(&audit.list, HOST),
                pages,
                failed,
                records,
                findings,
                audit.ended.as_deref().map_or("<b>interrupted</b>".to_owned(), |ended| escaped(&moment(ended))),
            ];
            text += &line(&labels, &cells, &[3, 4, 5, 6]);
        }
        text + "</tbody></table></section>\n"
    }
}

/// Returns a site's heading with its details.
fn site_head(number: usize, row: &SiteRow, shown: usize) -> String {
    let site = &row.site;
    let mut facts = Vec::new();
    facts.extend(site.ip.as_deref().map(|ip| quoted(ip, HOST)));
    facts.extend(site.location.as_deref().map(|place| quoted(place, HOST)));
    facts.extend(site.found_by.as_deref().map(|by| format!("found by {}", quoted(by, HOST))));
    if !site.first.is_empty() {
        facts.push(format!("first seen {}", escaped(&moment(&site.first))));
    }
    if row.records > 0 {
        facts.push(several(row.records, "record"));
    }
    facts.push(format!("{} open, {} new, {} gone", grouped(row.open), grouped(row.new), grouped(row.gone)));
    if shown < row.shown.len() {
        let rest = (row.shown.len() - shown) as u64;
        facts.push(format!("<b>{} not shown</b>", several(rest, "finding")));
    }
    let tag = if row.is_new { " <span class=\"tag\">new</span>" } else { "" };
    format!("<section id=\"s{number}\"><h3>{}{tag}</h3>\n<p class=\"where\">{}</p>\n", host(row), facts.join(" · "),)
}

fn finding(text: &mut String, detail: &Detail, shown: Shown) {
    let mut tags = String::new();
    if shown.is_new {
        tags += " <span class=\"tag\">new</span>";
    }
    if shown.is_gone {
        tags += " <span class=\"tag\">gone</span>";
    }
    let class = if shown.is_gone { "finding gone" } else { "finding" };
    let _ = writeln!(
        text,
        "<article class=\"{class}\" id=\"f{0}\"><h4><a href=\"#f{0}\">{1}</a>: probability {2:.2} to {3:.2}{tags}</h4>",
        detail.id,
        quoted(&detail.conclusion, HOST),
        detail.low,
        detail.high,
    );
    let _ = write!(text, "<p class=\"where\">{}", linked(&detail.page, PLACE));
    if !detail.path.is_empty() {
        let _ = write!(text, "<br><code>{}</code>", quoted(&detail.path, PLACE));
    }
    let _ = write!(text, "<br>no. {}, first seen {}", detail.id, escaped(&moment(&detail.first)));
    match &detail.gone {
        Some(gone) if shown.is_gone => drop(write!(text, ", gone {}", escaped(&moment(gone)))),
        _ => drop(write!(text, ", last seen {}", escaped(&moment(&detail.last)))),
    }
    let _ = writeln!(text, "; rules {}</p>", quoted(&detail.ruleset, HOST));
    if !detail.snippet.trim().is_empty() {
        let _ = writeln!(text, "<blockquote>{}</blockquote>", quoted(&detail.snippet, SNIPPET));
    }
    let (bases, weakened) = detail.bases();
    bases.iter().for_each(|one| basis(text, one));
    for (rule, to) in weakened {
        let _ = writeln!(
            text,
            "<p class=\"rule\">Contradicted: {}, taken as {to:.2} for this record.</p>",
            quoted(&rule, HOST)
        );
    }
    text.push_str("</article>\n");
}

fn basis(text: &mut String, basis: &Basis) {
    let confidence = match basis.confidence {
        Some((low, high)) if high >= 1.0 - 1e-6 => format!(", at least {low:.2}"),
        Some((low, high)) if high - low < 1e-6 => format!(", {low:.2}"),
        Some((low, high)) => format!(", {low:.2} to {high:.2}"),
        None => String::new(),
    };
    let message = match basis.message.trim() {
        "" => String::new(),
        message => format!(": {}", quoted(message, SNIPPET)),
    };
    let _ = writeln!(text, "<p class=\"rule\"><b>{}</b>{confidence}{message}</p>", quoted(&basis.rule, HOST));
    if basis.compared.is_empty() {
        return;
    }
    let labels = ["Compared", "The page says", "The table says", "Degree", "Holds"];
    *text += &header("wide", "", &labels, &[3]);
    for one in &basis.compared {
        *text += &line(&labels, &compared(one), &[3]);
    }
    text.push_str("</tbody></table>\n");
}

fn compared(one: &Compared) -> [String; 5] {
    let place = match &one.path {
        Some(path) => format!("<br><code class=\"soft\">{}</code>", quoted(path, PLACE)),
        None => String::new(),
    };
    let said = match (&one.extracted, one.field.is_empty()) {
        (Some(value), _) => format!("{}{place}", quoted(value, VALUE)),
        (None, false) => format!("<i>nothing</i>{place}"),
        (None, true) => String::new(),
    };
    let known = match (&one.value, one.row, one.column.is_empty()) {
        (_, _, true) => String::new(),
        (Some(value), row, _) => {
            let row = row.map(|row| format!(" <span class=\"soft\">(row {row})</span>")).unwrap_or_default();
            format!("{}{row}", quoted(value, VALUE))
        }
        (None, Some(row), _) => format!("<i>empty</i> <span class=\"soft\">(row {row})</span>"),
        (None, None, _) => "<i>in no row</i>".to_owned(),
    };
    let holds = match one.holds {
        Some(true) => "yes",
        Some(false) => "no",
        None => "unknown",
    };
    let degree = one.degree.map(|degree| format!("{degree:.2}")).unwrap_or_default();
    [format!("<code>{}</code>", quoted(&one.test, VALUE)), said, known, degree, holds.to_owned()]
}

/// Returns the beginning of a table; `numbers` are the columns of numbers.
fn header(class: &str, caption: &str, labels: &[&str], numbers: &[usize]) -> String {
    let mut text = match class {
        "" => "<table>".to_owned(),
        class => format!("<table class=\"{class}\">"),
    };
    if !caption.is_empty() {
        let _ = write!(text, "<caption>{}</caption>", escaped(caption));
    }
    text += "<thead><tr>";
    for (at, label) in labels.iter().enumerate() {
        let class = if numbers.contains(&at) { " class=\"n\"" } else { "" };
        let _ = write!(text, "<th scope=\"col\"{class}>{}</th>", escaped(label));
    }
    text + "</tr></thead>\n<tbody>\n"
}

/// Returns a row of a table; the cells are HTML.
fn line(labels: &[&str], cells: &[String], numbers: &[usize]) -> String {
    let mut text = "<tr>".to_owned();
    for (at, (label, cell)) in labels.iter().zip(cells).enumerate() {
        let class = if numbers.contains(&at) { " class=\"n\"" } else { "" };
        // On a phone, each cell shows a label with its content; empty cells are hidden.
        let cell = if cell.is_empty() { String::new() } else { format!("<span>{cell}</span>") };
        let _ = write!(text, "<td{class} data-label=\"{}\">{cell}</td>", escaped(label));
    }
    text + "</tr>\n"
}

fn host(row: &SiteRow) -> String {
    match row.site.host.as_str() {
        "" => "Files, which have no host".to_owned(),
        host => quoted(host, HOST),
    }
}

/// Returns the numbers of pages by kind: `3 with records, 1 with links`.
fn pages(row: &SiteRow) -> String {
    let [rich, offers, neither] = row.pages;
    let parts = [(rich, "with records"), (offers, "with links to such"), (neither, "other")];
    let told = parts.iter().filter(|(count, _)| *count > 0);
    told.map(|(count, what)| format!("{} {what}", grouped(*count))).collect::<Vec<_>>().join(", ")
}

/// Returns the conclusions with their counts: `2 Unapproved, 1 Counterfeit`.
fn kinds(row: &SiteRow) -> String {
    let told = row.kinds.iter().map(|(kind, count)| format!("{} {}", grouped(*count), quoted(kind, HOST)));
    told.collect::<Vec<_>>().join(", ")
}

/// Formats a time to the minute.
fn moment(time: &str) -> String {
    cut(time.get(..16).unwrap_or(time), 40).replace('T', " ")
}

fn several(number: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// Formats a number with groups of three digits, separated by a non-breaking space.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// Capitalizes the first letter.
fn capital(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}
