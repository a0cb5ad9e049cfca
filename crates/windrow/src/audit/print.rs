//! Findings as they are printed: for people, as JSON, as CSV.

use crate::audit::logic::Interval;
use crate::audit::{Evidence, Finding, rounded};

use crate::format::OutputFormat;
use crate::format::printer::{Block, Printer};
use crate::text::excerpt;

/// Characters of a value that a line shows.
const VALUE: usize = 80;
/// Characters of a snippet.
const SNIPPET: usize = 200;

const HEADER: [&str; 9] = ["conclusion", "low", "high", "page", "path", "snippet", "rules", "messages", "evidence"];

/// Formats of findings.
pub const FORMATS: [OutputFormat; 4] =
    [OutputFormat::Table, OutputFormat::Json, OutputFormat::JSONL, OutputFormat::CSV];

/// Returns the name of a format of findings; for people they are text, not a table.
pub fn name(format: OutputFormat) -> &'static str {
    if format == OutputFormat::Table { "text" } else { format.name() }
}

/// Findings one after the other.
pub struct Findings(Printer);

impl Findings {
    /// Begins the output of findings.
    pub fn new(style: Style) -> Findings {
        Findings(match style.0 {
            None => Printer::plain(),
            Some(OutputFormat::Json) => Printer::json_array(),
            Some(OutputFormat::CSV) => Printer::below(csv_line(&HEADER.map(str::to_owned))),
            Some(_) => Printer::plain(),
        })
    }

    /// Returns the bytes above the first finding.
    pub fn header(&mut self) -> Vec<u8> {
        self.end()
    }

    /// Returns the bytes of a finding.
    pub fn add(&mut self, finding: String) -> Vec<u8> {
        // Text always has a form in text formats.
        bytes(self.0.print(Block::Text(finding)).unwrap_or_default())
    }

    /// Returns the bytes behind the last finding.
    pub fn end(&mut self) -> Vec<u8> {
        bytes(self.0.end().unwrap_or_default())
    }
}

/// The format of findings; none if they are kept and nobody asked to see them.
#[derive(Debug, Clone, Copy)]
pub struct Style(Option<OutputFormat>);

impl Style {
    /// In this format; none: not at all.
    pub fn new(format: Option<OutputFormat>) -> Style {
        Style(format)
    }

    /// Returns `true` if findings are written at all.
    pub fn is_printed(self) -> bool {
        self.0.is_some()
    }

    /// Returns a finding as text.
    pub fn render(self, finding: &Finding) -> String {
        let Some(format) = self.0 else { return String::new() };
        match format {
            OutputFormat::Table => outline(finding),
            OutputFormat::CSV => csv_line(&cells(finding)),
            _ => finding.to_json().to_string() + "\n",
        }
    }
}

fn bytes(pieces: Vec<(usize, Vec<u8>)>) -> Vec<u8> {
    pieces.into_iter().flat_map(|(_, bytes)| bytes).collect()
}

/// Returns `Counterfeit`, or `not Genuine`.
pub fn conclusion(finding: &Finding) -> String {
    let not = if finding.negated { "not " } else { "" };
    format!("{not}{}", finding.conclusion)
}

/// A confidence alone is a lower end.
fn range(interval: Interval) -> String {
    match (interval.low, interval.high) {
        (low, high) if high >= 1.0 - 1e-6 => format!("at least {low:.2}"),
        (low, high) if high - low < 1e-6 => format!("{low:.2}"),
        (low, high) => format!("{low:.2} to {high:.2}"),
    }
}

/// For people.
fn outline(finding: &Finding) -> String {
    let Interval { low, high } = finding.interval;
    let mut text = format!("{}: probability {low:.2} to {high:.2}\n", conclusion(finding));
    text += &format!("  page   {}\n", excerpt(&finding.page, usize::MAX));
    if !finding.path.is_empty() {
        text += &format!("  at     {}\n", excerpt(&finding.path, usize::MAX));
    }
    if !finding.snippet.is_empty() {
        text += &format!("  says   {}\n", excerpt(&finding.snippet, SNIPPET));
    }
    let mut placed: Vec<&str> = Vec::new();
    for rule in &finding.rules {
        let message = rule.message.as_ref().map(|message| format!(": {message}")).unwrap_or_default();
        text += &format!("  {}, {}{message}\n", rule.name, range(rule.confidence));
        for evidence in finding.evidence.iter().filter(|evidence| evidence.rule == rule.name) {
            text += &format!("    {}\n", line(evidence));
            // Where a value stands is told once.
            let Some(path) = evidence.path.as_deref().filter(|path| !placed.contains(path)) else { continue };
            placed.push(path);
            text += &format!("      at {}\n", excerpt(path, usize::MAX));
            let told = [evidence.extracted.as_ref(), Some(&finding.snippet)];
            if let Some(around) = evidence.snippet.as_ref().filter(|around| !told.contains(&Some(*around))) {
                text += &format!("      in {}\n", excerpt(around, SNIPPET));
            }
        }
    }
    for rule in &finding.weakened {
        let confidence = range(rule.confidence);
        text += &format!("  contradicted: {}, {confidence}, taken as {:.2} for this record\n", rule.name, rule.to);
    }
    text.push('\n');
    text
}

/// One comparison: `E.maker "Oak Labs" · S.maker "Veit" (row 3) · degree 0.20, does not hold`.
fn line(evidence: &Evidence) -> String {
    let mut parts = Vec::new();
    if let Some(field) = &evidence.field {
        parts.push(match &evidence.extracted {
            Some(value) if !value.trim().is_empty() => format!("E.{field} \"{}\"", excerpt(value, VALUE)),
            _ => format!("E.{field} has no value"),
        });
    }
    if let (Some(reference), Some(column)) = (&evidence.reference, &evidence.column) {
        parts.push(match (&evidence.reference_value, evidence.row) {
            (Some(value), Some(row)) => format!("{reference}.{column} \"{}\" (row {})", excerpt(value, VALUE), row + 1),
            (None, Some(row)) => format!("{reference}.{column} empty (row {})", row + 1),
            (_, None) => format!("{reference}.{column} in no row"),
        });
    }
    // What is compared with a list, a number or a day is in the rule itself.
    if parts.len() < 2 {
        parts.push(evidence.test.clone());
    }
    let holds = match evidence.holds {
        Some(true) => "holds",
        Some(false) => "does not hold",
        None => "unknown",
    };
    parts.push(match evidence.degree {
        Some(degree) => format!("degree {degree:.2}, {holds}"),
        None => holds.to_owned(),
    });
    parts.join(" · ")
}

fn cells(finding: &Finding) -> Vec<String> {
    let evidence: Vec<String> =
        finding.evidence.iter().map(|evidence| format!("{}: {}", evidence.rule, line(evidence))).collect();
    vec![
        conclusion(finding),
        rounded(finding.interval.low).to_string(),
        rounded(finding.interval.high).to_string(),
        finding.page.clone(),
        finding.path.clone(),
        finding.snippet.clone(),
        joined_rules(finding),
        joined_messages(finding),
        evidence.join("; "),
    ]
}

/// The names of the rules that it rests on.
pub fn joined_rules(finding: &Finding) -> String {
    finding.rules.iter().map(|rule| rule.name.as_str()).collect::<Vec<_>>().join("; ")
}

/// Returns the messages of the rules that a finding rests on.
pub fn joined_messages(finding: &Finding) -> String {
    finding.rules.iter().filter_map(|rule| rule.message.as_deref()).collect::<Vec<_>>().join("; ")
}

fn csv_line(cells: &[String]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Into memory; that cannot fail.
    let _ = writer.write_record(cells);
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}
