//! The formats that records, findings and reports are written in.
//!
//! [`OutputFormat`] declares each format once: its name, the endings of its files, its media type. [`render`] turns an
//! extraction into what a page adds to the output, which can be done by several threads; [`printer`] joins that, page
//! after page, into files. [`columns`] lays a tree of values out as rows for [`csv`] and [`tables`].
//!
//! # Add a format
//!
//! Add a variant to [`OutputFormat`] and fill in the matches that the compiler then asks for: its declaration here, and
//! its writer in [`render::Renderer::of`]. The command line, the studio and the generated reference take it from here.

pub mod columns;
pub mod csv;
pub mod explained;
pub mod oem;
pub mod printer;
pub mod render;
pub mod tables;
pub mod text_table;
pub mod xml;

use std::path::Path;

use crate::store::export;

/// A format of output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OutputFormat {
    /// Tables or text for people.
    Table,
    /// One JSON document.
    Json,
    /// XML.
    Xml,
    /// OEM, the text form of objects in the TSIMMIS paper.
    Oem,
    /// A web page, for reports.
    Html,
    /// A format that a store exports, too; also JSON Lines and CSV.
    Export(export::Format),
}

impl OutputFormat {
    /// JSON Lines.
    pub const JSONL: OutputFormat = OutputFormat::Export(export::Format::Jsonl);
    /// Comma-separated values.
    pub const CSV: OutputFormat = OutputFormat::Export(export::Format::Csv);
    /// Apache Parquet.
    pub const PARQUET: OutputFormat = OutputFormat::Export(export::Format::Parquet);
    /// Arrow IPC.
    pub const ARROW: OutputFormat = OutputFormat::Export(export::Format::Arrow);
    /// Excel.
    pub const XLSX: OutputFormat = OutputFormat::Export(export::Format::Xlsx);

    /// All formats.
    pub const ALL: [OutputFormat; 12] = [
        OutputFormat::Table,
        OutputFormat::Json,
        OutputFormat::JSONL,
        OutputFormat::CSV,
        OutputFormat::Xml,
        OutputFormat::Oem,
        OutputFormat::PARQUET,
        OutputFormat::ARROW,
        OutputFormat::XLSX,
        OutputFormat::Export(export::Format::Atom),
        OutputFormat::Export(export::Format::Rss),
        OutputFormat::Html,
    ];

    /// Formats of the records of pages.
    pub const RECORDS: [OutputFormat; 9] = [
        OutputFormat::Table,
        OutputFormat::Json,
        OutputFormat::JSONL,
        OutputFormat::CSV,
        OutputFormat::Xml,
        OutputFormat::Oem,
        OutputFormat::PARQUET,
        OutputFormat::ARROW,
        OutputFormat::XLSX,
    ];

    /// Returns the name used on the command line.
    pub fn name(self) -> &'static str {
        match self {
            OutputFormat::Table => "table",
            OutputFormat::Json => "json",
            OutputFormat::Xml => "xml",
            OutputFormat::Oem => "oem",
            OutputFormat::Html => "html",
            OutputFormat::Export(format) => format.name(),
        }
    }

    /// Returns what the format is, in a few words for a list of formats.
    pub fn about(self) -> &'static str {
        use export::Format::{Arrow, Atom, Csv, Jsonl, Parquet, Rss, Xlsx};
        match self {
            OutputFormat::Table => "Tables or text for people",
            OutputFormat::Json => "One JSON document",
            OutputFormat::Xml => "XML",
            OutputFormat::Oem => "OEM, the text form of objects in the TSIMMIS paper",
            OutputFormat::Html => "A web page",
            OutputFormat::Export(Jsonl) => "JSON Lines: one object a line",
            OutputFormat::Export(Csv) => "Comma-separated values with a header",
            OutputFormat::Export(Parquet) => "Apache Parquet",
            OutputFormat::Export(Arrow) => "Arrow IPC, also called Feather",
            OutputFormat::Export(Atom) => "An Atom feed",
            OutputFormat::Export(Rss) => "An RSS feed",
            OutputFormat::Export(Xlsx) => "An Excel workbook",
        }
    }

    /// Returns the endings of file names that mean this format, the usual one first.
    pub fn endings(self) -> &'static [&'static str] {
        match self {
            OutputFormat::Table => &["txt"],
            OutputFormat::Json => &["json"],
            OutputFormat::Xml => &["xml"],
            OutputFormat::Oem => &["oem"],
            OutputFormat::Html => &["html", "htm"],
            OutputFormat::Export(format) => format.endings(),
        }
    }

    /// Returns the media type for HTTP.
    pub fn media_type(self) -> &'static str {
        match self {
            OutputFormat::Table | OutputFormat::Oem => "text/plain; charset=utf-8",
            OutputFormat::Json => "application/json",
            OutputFormat::Xml => "application/xml",
            OutputFormat::Html => "text/html; charset=utf-8",
            OutputFormat::Export(format) => format.media_type(),
        }
    }

    /// Returns the format with this name.
    pub fn from_name(name: &str) -> Option<OutputFormat> {
        OutputFormat::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Returns the one of these formats that the ending of a file's name means.
    ///
    /// ```
    /// use windrow::format::OutputFormat;
    ///
    /// let format = |path: &str| OutputFormat::from_path(path.as_ref(), &OutputFormat::RECORDS);
    /// assert_eq!(format("ads.NDJSON"), Some(OutputFormat::JSONL));
    /// assert_eq!(format("ads.parquet"), Some(OutputFormat::PARQUET));
    /// assert_eq!(format("ads.atom"), None);
    /// ```
    pub fn from_path(path: &Path, formats: &[OutputFormat]) -> Option<OutputFormat> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        formats.iter().copied().find(|format| format.endings().contains(&ending.as_str()))
    }

    /// Returns `true` if a terminal cannot show the format.
    pub fn is_binary(self) -> bool {
        matches!(self, OutputFormat::Export(format) if format.is_binary())
    }

    /// Lists the endings of some formats for a message: `.json, .csv or .xml`.
    pub fn list_endings(formats: &[OutputFormat]) -> String {
        let endings: Vec<String> =
            formats.iter().flat_map(|format| format.endings()).map(|ending| format!(".{ending}")).collect();
        match endings.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
            None => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::OutputFormat;

    #[test]
    fn every_format_has_a_name_and_endings_of_its_own() {
        for (number, format) in OutputFormat::ALL.into_iter().enumerate() {
            assert_eq!(OutputFormat::from_name(format.name()), Some(format));
            assert!(format.media_type().contains('/'));
            for ending in format.endings() {
                let path = format!("records.{ending}");
                assert_eq!(OutputFormat::from_path(path.as_ref(), &OutputFormat::ALL), Some(format), "{ending}");
            }
            assert!(!OutputFormat::ALL[..number].iter().any(|other| other.name() == format.name()));
        }
    }
}
