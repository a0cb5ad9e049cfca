//! Writing an archive: see [`Encoder`] for its contents.
//!
//! # Being killed
//!
//! An exchange is a single write without buffering: the bytes counted by [`Writer::length`] have been passed to the
//! operating system. A program that may be killed stores that length with its own state and cuts the file back to it
//! when it resumes: [`Writer::append`], then [`Writer::truncate_to`].

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use http::HeaderMap;

use super::encoder::{Encoder, WriterConfig};
use super::error::WarcError;
use super::record::Place;
use crate::Answer;

/// Writer of an archive.
pub struct Writer {
    path: PathBuf,
    file: File,
    /// Number of bytes of complete records in the file.
    length: u64,
    encoder: Encoder,
}

impl Writer {
    /// Creates a file, removing its previous contents.
    pub fn create(path: &Path, config: WriterConfig) -> Result<Writer, WarcError> {
        let mut writer = Writer::open(path, config)?;
        writer.truncate_to(0)?;
        Ok(writer)
    }

    /// Opens a file for appending, creating it if necessary. [`Writer::length`] returns its length.
    pub fn append(path: &Path, config: WriterConfig) -> Result<Writer, WarcError> {
        let mut writer = Writer::open(path, config)?;
        if writer.length == 0 {
            writer.warcinfo()?;
        }
        Ok(writer)
    }

    fn open(path: &Path, config: WriterConfig) -> Result<Writer, WarcError> {
        let opened = OpenOptions::new().append(true).read(true).create(true).open(path);
        let file = opened.map_err(WarcError::unwritable(path))?;
        let length = file.metadata().map_err(WarcError::unwritable(path))?.len();
        let mut encoder = Encoder::new(config);
        encoder.seek(length);
        Ok(Writer { path: path.to_owned(), file, length, encoder })
    }

    /// Returns the length of the file. All of it consists of complete records that were passed to the operating system.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Cuts the file back to a length that [`Writer::length`] returned earlier.
    pub fn truncate_to(&mut self, length: u64) -> Result<(), WarcError> {
        if length > self.length {
            let cause = io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("it has {} bytes, and should have {length}", self.length),
            );
            return Err(WarcError::unwritable(&self.path)(cause));
        }
        self.file.set_len(length).map_err(WarcError::unwritable(&self.path))?;
        self.length = length;
        self.encoder.seek(length);
        if length == 0 { self.warcinfo() } else { Ok(()) }
    }

    /// Waits until the disk has all data, so that it survives a power failure.
    pub fn sync(&self) -> Result<(), WarcError> {
        self.file.sync_data().map_err(WarcError::unwritable(&self.path))
    }

    /// Writes a request, given by its headers, and its answer. Returns the location of the answer.
    ///
    /// An answer with status 304 becomes a `revisit` of the unchanged page.
    pub fn exchange(&mut self, asked: &HeaderMap, answer: &Answer) -> Result<Place, WarcError> {
        let end = self.encoder.pack_exchange(asked, answer).map_err(WarcError::unwritable(&self.path))?;
        let offset = self.length;
        self.write_packed()?;
        Ok(Place::File { offset, length: end as u64 })
    }

    /// Writes a page as rendered by a browser ([`Encoder::rendered`]). Returns its location.
    pub fn rendered(&mut self, answer: &Answer) -> Result<Place, WarcError> {
        let length = self.encoder.rendered(answer).map_err(WarcError::unwritable(&self.path))?.len() as u64;
        let offset = self.length;
        self.write_packed()?;
        Ok(Place::File { offset, length })
    }

    /// Writes the record that describes the file and that every file begins with.
    fn warcinfo(&mut self) -> Result<(), WarcError> {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.encoder.warcinfo(&name).map_err(WarcError::unwritable(&self.path))?;
        self.write_packed()
    }

    fn write_packed(&mut self) -> Result<(), WarcError> {
        if let Err(cause) = self.file.write_all(self.encoder.packed()) {
            // A full disk leaves an incomplete record, which is cut off. If even that fails, readers skip it.
            let _ = self.file.set_len(self.length);
            self.encoder.seek(self.length);
            return Err(WarcError::unwritable(&self.path)(cause));
        }
        self.length += self.encoder.packed().len() as u64;
        self.encoder.seek(self.length);
        Ok(())
    }
}
