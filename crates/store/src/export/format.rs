//! Export formats: names, endings of files, media types.

/// Export formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// JSON Lines: one object per line.
    Jsonl,
    /// Comma-separated values.
    Csv,
    /// Apache Parquet, zstd.
    Parquet,
    /// Arrow IPC, the file format (also known as Feather 2), zstd.
    Arrow,
    /// Atom (RFC 4287).
    Atom,
    /// RSS 2.0.
    Rss,
    /// Excel workbook.
    Xlsx,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 7] =
        [Format::Jsonl, Format::Csv, Format::Parquet, Format::Arrow, Format::Atom, Format::Rss, Format::Xlsx];

    /// Returns the name used on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Jsonl => "jsonl",
            Format::Csv => "csv",
            Format::Parquet => "parquet",
            Format::Arrow => "arrow",
            Format::Atom => "atom",
            Format::Rss => "rss",
            Format::Xlsx => "xlsx",
        }
    }

    /// Returns the format with this name.
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Returns the endings of file names that mean this format, the usual one first.
    pub fn endings(self) -> &'static [&'static str] {
        match self {
            Format::Jsonl => &["jsonl", "ndjson"],
            Format::Csv => &["csv"],
            Format::Parquet => &["parquet"],
            Format::Arrow => &["arrow", "feather"],
            Format::Atom => &["atom"],
            Format::Rss => &["rss"],
            Format::Xlsx => &["xlsx"],
        }
    }

    /// Returns the media type for HTTP.
    pub fn media_type(self) -> &'static str {
        match self {
            Format::Jsonl => "application/jsonl",
            Format::Csv => "text/csv; charset=utf-8",
            Format::Parquet => "application/vnd.apache.parquet",
            Format::Arrow => "application/vnd.apache.arrow.file",
            Format::Atom => "application/atom+xml",
            Format::Rss => "application/rss+xml",
            Format::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        }
    }

    /// Returns the format for a file's extension, ignoring case; `.ndjson` and `.feather` are accepted, too.
    ///
    /// ```
    /// use windrow_store::export::Format;
    ///
    /// assert_eq!(Format::from_path("ads.Feather".as_ref()), Some(Format::Arrow));
    /// assert_eq!(Format::from_path("ads".as_ref()), None);
    /// ```
    pub fn from_path(path: &std::path::Path) -> Option<Format> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        Format::ALL.into_iter().find(|format| format.endings().contains(&ending.as_str()))
    }

    /// Reports whether the format is binary, so that a terminal cannot show it.
    pub fn is_binary(self) -> bool {
        matches!(self, Format::Parquet | Format::Arrow | Format::Xlsx)
    }
}
