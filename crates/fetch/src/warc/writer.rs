//! An archive that grows: see [`Encoder`] for what is in it.
//!
//! # Being killed
//!
//! An exchange is one write, and nothing is held back: what [`Writer::length`] counts has been handed to the system.
//! A program that may be killed keeps that length together with its own state, and cuts the file back to it when it
//! goes on: [`Writer::append`], then [`Writer::truncate_to`].

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use http::HeaderMap;

use super::encoder::{Encoder, WriterConfig};
use super::error::WarcError;
use super::record::Place;
use crate::Answer;

/// Writes an archive.
pub struct Writer {
    path: PathBuf,
    file: File,
    /// Bytes of whole records in the file.
    length: u64,
    encoder: Encoder,
}

impl Writer {
    /// Begins a file; what it held is gone.
    pub fn create(path: &Path, config: WriterConfig) -> Result<Writer, WarcError> {
        let mut writer = Writer::open(path, config)?;
        writer.truncate_to(0)?;
        Ok(writer)
    }

    /// Goes on with a file, or begins it. [`Writer::length`] tells how much it holds.
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

    /// How many bytes the file has. All of them are whole records, and with the system.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Cuts the file back to a length that [`Writer::length`] told before.
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

    /// Waits until the disk has everything: what is left after a power cut.
    pub fn sync(&self) -> Result<(), WarcError> {
        self.file.sync_data().map_err(WarcError::unwritable(&self.path))
    }

    /// Writes what was asked, by its headers, and what was answered. Tells where the answer is.
    ///
    /// An answer of status 304 becomes a `revisit` of the page that has not changed.
    pub fn exchange(&mut self, asked: &HeaderMap, answer: &Answer) -> Result<Place, WarcError> {
        let end = self.encoder.pack_exchange(asked, answer).map_err(WarcError::unwritable(&self.path))?;
        let offset = self.length;
        self.write_packed()?;
        Ok(Place::File { offset, length: end as u64 })
    }

    /// Writes a page as a browser had it after its scripts ([`Encoder::rendered`]). Tells where it is.
    pub fn rendered(&mut self, answer: &Answer) -> Result<Place, WarcError> {
        let length = self.encoder.rendered(answer).map_err(WarcError::unwritable(&self.path))?.len() as u64;
        let offset = self.length;
        self.write_packed()?;
        Ok(Place::File { offset, length })
    }

    /// Writes the record about the file that every file begins with.
    fn warcinfo(&mut self) -> Result<(), WarcError> {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.encoder.warcinfo(&name).map_err(WarcError::unwritable(&self.path))?;
        self.write_packed()
    }

    fn write_packed(&mut self) -> Result<(), WarcError> {
        if let Err(cause) = self.file.write_all(self.encoder.packed()) {
            // A full disk leaves half a record, which is better cut off. If even that fails, the next reader passes
            // over it.
            let _ = self.file.set_len(self.length);
            self.encoder.seek(self.length);
            return Err(WarcError::unwritable(&self.path)(cause));
        }
        self.length += self.encoder.packed().len() as u64;
        self.encoder.seek(self.length);
        Ok(())
    }
}
