//! Errors of archives.

use std::io;
use std::path::Path;

/// Error of reading or writing an archive. Each variant names its file.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum WarcError {
    /// The file could not be read.
    #[error("cannot read `{name}`: {cause}")]
    #[diagnostic(code(warc::unreadable))]
    Unreadable {
        /// Name of the file.
        name: String,
        /// Error of the operating system. Not `source`, which a report would print twice.
        cause: io::Error,
    },
    /// The file could not be written.
    #[error("cannot write `{name}`: {cause}")]
    #[diagnostic(code(warc::unwritable))]
    Unwritable {
        /// Name of the file.
        name: String,
        /// Error of the operating system.
        cause: io::Error,
    },
    /// The file contains no records.
    #[error("`{name}` contains no WARC records")]
    #[diagnostic(
        code(warc::no_records),
        help("a WARC file begins with `WARC/1.0` or `WARC/1.1`, or is one compressed by gzip")
    )]
    NoRecords {
        /// Name of the file.
        name: String,
    },
    /// A list refers to an offset without a record, or the file changed since it was opened.
    #[error("there is no record at byte {offset} of `{name}`")]
    #[diagnostic(code(warc::no_record_there))]
    NoRecordThere {
        /// Name of the file.
        name: String,
        /// Expected offset of the record.
        offset: u64,
    },
    /// A list names a file that does not exist.
    #[error("`{list}` names `{file}`, which is not in the list's folder or below it")]
    #[diagnostic(code(warc::no_listed_file), help("put the WARC files into the folder of the list"))]
    NoListedFile {
        /// Name of the list.
        list: String,
        /// Name of the file, as in the list.
        file: String,
    },
    /// A line of a list is invalid.
    #[error("line {line} of `{list}` does not give the location of a record")]
    #[diagnostic(
        code(warc::bad_list_line),
        help("write lines as `urlkey timestamp {{json}}`, or with the 11 fields of a CDX file")
    )]
    BadListLine {
        /// Name of the list.
        list: String,
        /// Number of the line, from 1.
        line: u64,
    },
}

impl WarcError {
    pub(super) fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> WarcError + use<> {
        let name = path.display().to_string();
        move |cause| WarcError::Unreadable { name, cause }
    }

    pub(super) fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> WarcError + use<> {
        let name = path.display().to_string();
        move |cause| WarcError::Unwritable { name, cause }
    }
}
