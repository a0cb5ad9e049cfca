//! Why an archive cannot be read or written.

use std::io;
use std::path::Path;

/// Why an archive cannot be read or written. Each names its file.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum WarcError {
    /// The file system refused.
    #[error("cannot read `{name}`: {cause}")]
    #[diagnostic(code(warc::unreadable))]
    Unreadable {
        /// The file.
        name: String,
        /// What the system said. Not `source`: a report would say it twice.
        cause: io::Error,
    },
    /// The file system refused.
    #[error("cannot write `{name}`: {cause}")]
    #[diagnostic(code(warc::unwritable))]
    Unwritable {
        /// The file.
        name: String,
        /// What the system said.
        cause: io::Error,
    },
    /// A file without a single record.
    #[error("there is no record in `{name}`")]
    #[diagnostic(
        code(warc::no_records),
        help("a WARC file begins with `WARC/1.0` or `WARC/1.1`, or is one compressed by gzip")
    )]
    NoRecords {
        /// The file.
        name: String,
    },
    /// A list leads to where no record is, or the file changed since it was opened.
    #[error("there is no record at byte {offset} of `{name}`")]
    #[diagnostic(code(warc::no_record_there))]
    NoRecordThere {
        /// The file.
        name: String,
        /// Where it should be.
        offset: u64,
    },
    /// A list names a file that is not there.
    #[error("`{list}` names `{file}`, which is neither beside it nor below")]
    #[diagnostic(code(warc::no_listed_file), help("put the WARC files into the folder of the list"))]
    NoListedFile {
        /// The list.
        list: String,
        /// The file, as the list has it.
        file: String,
    },
    /// A line of a list that is none.
    #[error("line {line} of `{list}` does not say where a record is")]
    #[diagnostic(
        code(warc::bad_list_line),
        help("a line is `urlkey timestamp {{json}}`, or has the 11 fields of a CDX file")
    )]
    BadListLine {
        /// The list.
        list: String,
        /// The line's number, from 1.
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
