//! The formats: what they are called, and how their files end.

/// Formats of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// JSON Lines: an object a line.
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
    /// A workbook of Excel's.
    Xlsx,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 7] =
        [Format::Jsonl, Format::Csv, Format::Parquet, Format::Arrow, Format::Atom, Format::Rss, Format::Xlsx];

    /// Its name on the command line.
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

    /// The format of that name.
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The format of a file by its ending, in any case: also `.ndjson` and `.feather`.
    ///
    /// ```
    /// use windrow_store::export::Format;
    ///
    /// assert_eq!(Format::from_path("ads.Feather".as_ref()), Some(Format::Arrow));
    /// assert_eq!(Format::from_path("ads".as_ref()), None);
    /// ```
    pub fn from_path(path: &std::path::Path) -> Option<Format> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "ndjson" => Some(Format::Jsonl),
            "feather" => Some(Format::Arrow),
            ending => Format::from_name(ending),
        }
    }

    /// Whether it is bytes that a terminal cannot show.
    pub fn is_binary(self) -> bool {
        matches!(self, Format::Parquet | Format::Arrow | Format::Xlsx)
    }
}
