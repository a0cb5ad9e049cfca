//! Findings as they are printed: for people, as JSON, as CSV.

use std::io::{self, IsTerminal};
use std::path::Path;

use miette::{Diagnostic, Report};
use windrow::audit::logic::Interval;
use windrow::audit::{Evidence, Finding, rounded};

use crate::args::{AuditArguments, AuditFormat};
use crate::output::Sink;
use crate::printer::{Block, Printer};
use crate::text::excerpt;

/// Characters of a value that a line shows.
const VALUE: usize = 80;
/// Characters of a snippet.
const SNIPPET: usize = 200;

const HEADER: [&str; 9] = ["conclusion", "low", "high", "page", "path", "snippet", "rules", "messages", "evidence"];

#[derive(Debug, thiserror::Error, Diagnostic)]
enum DestinationError {
    #[error("the name `{path}` does not tell the format")]
    #[diagnostic(
        code(output::unknown_format),
        help("names end in .txt, .json, .jsonl, .ndjson or .csv; else say --format")
    )]
    UnknownFormat { path: String },
    #[error("cannot write `{path}`: {cause}")]
    #[diagnostic(code(output::unwritable))]
    Unwritable { path: String, cause: io::Error },
}

/// Where findings go, and in which format.
#[derive(Debug)]
pub(super) struct Destination {
    pub(super) style: Style,
    file: Option<String>,
}

impl Destination {
    /// What the command line asks for.
    pub(super) fn new(arguments: &AuditArguments) -> Result<Destination, Report> {
        let file = arguments.output.clone().filter(|file| file != "-");
        let is_kept = arguments.keep || arguments.into.is_some();
        let format = match (arguments.format, &arguments.output) {
            (Some(format), _) => Some(format),
            (None, Some(path)) if path != "-" => {
                Some(by_name(path).ok_or_else(|| DestinationError::UnknownFormat { path: path.clone() })?)
            }
            (None, None) if is_kept => None,
            (None, _) if io::stdout().is_terminal() => Some(AuditFormat::Text),
            (None, _) => Some(AuditFormat::Jsonl),
        };
        Ok(Destination { style: Style(format), file })
    }

    /// Opens it.
    pub(super) fn open(&self) -> Result<Sink, Report> {
        let Some(path) = &self.file else { return Ok(Sink::Standard) };
        let sink = Sink::file(Path::new(path));
        Ok(sink.map_err(|cause| DestinationError::Unwritable { path: path.clone(), cause })?)
    }
}

fn by_name(path: &str) -> Option<AuditFormat> {
    Some(match Path::new(path).extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "txt" => AuditFormat::Text,
        "json" => AuditFormat::Json,
        "jsonl" | "ndjson" => AuditFormat::Jsonl,
        "csv" => AuditFormat::Csv,
        _ => return None,
    })
}

/// Findings one after the other.
pub(crate) struct Findings(Printer);

impl Findings {
    pub(crate) fn new(style: Style) -> Findings {
        Findings(match style.0 {
            None | Some(AuditFormat::Text | AuditFormat::Jsonl) => Printer::plain(),
            Some(AuditFormat::Json) => Printer::json_array(),
            Some(AuditFormat::Csv) => Printer::below(csv_line(&HEADER.map(str::to_owned))),
        })
    }

    /// What stands above the first.
    pub(crate) fn header(&mut self) -> Vec<u8> {
        self.end().into_iter().flat_map(|(_, bytes)| bytes).collect()
    }

    pub(super) fn add(&mut self, finding: String) -> Vec<(usize, Vec<u8>)> {
        self.0.print(Block::Text(finding))
    }

    pub(super) fn end(&mut self) -> Vec<(usize, Vec<u8>)> {
        self.0.end()
    }
}

/// How a finding is written; not at all if it is kept and nobody asked to see it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style(Option<AuditFormat>);

impl Style {
    /// In this format; none: not at all.
    pub(crate) fn new(format: Option<AuditFormat>) -> Style {
        Style(format)
    }

    /// Whether findings are written at all.
    pub(crate) fn is_printed(self) -> bool {
        self.0.is_some()
    }

    pub(crate) fn render(self, finding: &Finding) -> String {
        let Some(format) = self.0 else { return String::new() };
        match format {
            AuditFormat::Text => outline(finding),
            AuditFormat::Json | AuditFormat::Jsonl => finding.to_json().to_string() + "\n",
            AuditFormat::Csv => csv_line(&cells(finding)),
        }
    }
}

/// `Counterfeit`, or `not Genuine`.
pub(crate) fn conclusion(finding: &Finding) -> String {
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
pub(super) fn joined_rules(finding: &Finding) -> String {
    finding.rules.iter().map(|rule| rule.name.as_str()).collect::<Vec<_>>().join("; ")
}

/// What they say.
pub(super) fn joined_messages(finding: &Finding) -> String {
    finding.rules.iter().filter_map(|rule| rule.message.as_deref()).collect::<Vec<_>>().join("; ")
}

fn csv_line(cells: &[String]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Into memory; that cannot fail.
    let _ = writer.write_record(cells);
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}
