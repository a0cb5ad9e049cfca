//! Replay: answers requests from archives, by an index of addresses.
//!
//! Opening reads every archive once and stores the location of the best answer for each address: the last one with
//! status 2xx, else the last redirect, else the last answer of any kind. A record that refers to an earlier body is
//! answered with that body. Answers depend only on the files; nothing is requested from the network.
//!
//! # Cost
//!
//! Opening takes as long as reading the files, or their CDX lists. It needs 72 bytes for each record, of which 48
//! remain for each address. An answer is read from its file on request, by any number of threads at once.

use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::Write;
use std::path::{Path, PathBuf};

use url::Url;

use super::cdx::{Entries, without_method};
use super::digest::key;
use super::error::WarcError;
use super::note::Note;
use super::packer::Packer;
use super::pages::{at, is_list};
use super::reader::Reader;
use super::record::{Kind, Place, Record};
use super::{response, time};
use crate::Answer;

/// Answers requests from archives.
pub struct Replay {
    files: Vec<PathBuf>,
    /// Entries sorted by key, each key once.
    entries: Vec<Entry>,
    /// Locations of the bodies of revisits.
    origins: Vec<Spot>,
    notes: Vec<(PathBuf, Note)>,
    /// Temporary file, which removes itself.
    _spool: Option<Spool>,
}

/// Location of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Spot {
    file: u32,
    /// Length; 0 if it is unknown or too large.
    length: u32,
    offset: u64,
}

/// Best answer for an address.
#[derive(Debug, Clone, Copy)]
struct Entry {
    key: u128,
    spot: Spot,
    /// Time of capture in milliseconds since 1970.
    at: i64,
    /// Index into `Index::revisits` at first, then into `Replay::origins`.
    origin: u32,
    rank: u8,
}

/// Value of `origin` for a record that contains its own body.
const SELF: u32 = u32::MAX;

impl Replay {
    /// Indexes archives: WARC files, or CDX and CDXJ lists with their WARC files beside them.
    pub fn open<P: AsRef<Path>>(paths: &[P]) -> Result<Replay, WarcError> {
        let mut index = Index::default();
        for path in paths {
            let path = path.as_ref();
            if is_list(path) { index.add_list(path)? } else { index.add_archive(path)? }
        }
        Ok(index.finish())
    }

    /// Returns the answer for an address, ignoring its fragment. If there is none, the address is tried with the other
    /// of `http` and `https`.
    ///
    /// If only a rendered page was recorded, that is the answer.
    pub fn get(&self, url: &Url) -> Result<Option<Answer>, WarcError> {
        self.find(url, &["url", "rendered"])
    }

    /// Returns the page as rendered by a browser, if it was recorded so.
    pub fn rendered(&self, url: &Url) -> Result<Option<Answer>, WarcError> {
        self.find(url, &["rendered"])
    }

    /// Returns the number of addresses.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Reports whether there are no addresses.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns notes on skipped parts of the files: the first hundred of each.
    pub fn notes(&self) -> &[(PathBuf, Note)] {
        &self.notes
    }

    fn find(&self, url: &Url, kinds: &[&str]) -> Result<Option<Answer>, WarcError> {
        let mut address = url.clone();
        address.set_fragment(None);
        for _ in 0..2 {
            for kind in kinds {
                let key = key(kind, address.as_str());
                if let Ok(found) = self.entries.binary_search_by_key(&key, |entry| entry.key) {
                    let mut answer = self.read(&self.entries[found])?;
                    answer.url = url.clone();
                    return Ok(Some(answer));
                }
            }
            let other = if address.scheme() == "https" { "http" } else { "https" };
            // Only http and https can replace each other.
            if !matches!(address.scheme(), "http" | "https") || address.set_scheme(other).is_err() {
                break;
            }
        }
        Ok(None)
    }

    fn read(&self, entry: &Entry) -> Result<Answer, WarcError> {
        let missing = |spot: &Spot| WarcError::NoRecordThere {
            name: self.files[spot.file as usize].display().to_string(),
            offset: spot.offset,
        };
        let own = |record: &Record<'_>| record.answer().and_then(Result::ok);
        let Some(origin) = self.origins.get(entry.origin as usize) else {
            let answer = self.at(&entry.spot, |record| own(record).or_else(|| record.revisited()))?;
            return answer.ok_or_else(|| missing(&entry.spot));
        };
        let (date, revisit) = self.at(&entry.spot, |record| (record.date(), record.revisited()))?;
        let mut answer = self.at(origin, own)?.ok_or_else(|| missing(origin))?;
        answer.at = date.unwrap_or(answer.at);
        if let Some(mut revisit) = revisit {
            revisit.body = answer.body;
            answer = revisit;
        }
        Ok(answer)
    }

    fn at<T>(&self, spot: &Spot, use_record: impl FnOnce(&Record<'_>) -> T) -> Result<T, WarcError> {
        let length = (spot.length > 0).then_some(u64::from(spot.length));
        at(&self.files[spot.file as usize], spot.offset, length, use_record)
    }
}

/// The index while it is built.
#[derive(Default)]
struct Index {
    files: Vec<PathBuf>,
    entries: Vec<Entry>,
    /// For each revisit, the digest of its body and the key of the address that it refers to.
    revisits: Vec<(Option<u64>, u128)>,
    /// Digests of bodies and their locations.
    bodies: Vec<(u64, Spot)>,
    notes: Vec<(PathBuf, Note)>,
    spool: Option<Spool>,
}

impl Index {
    fn add_file(&mut self, path: &Path) -> u32 {
        self.files.push(path.to_owned());
        self.files.len() as u32 - 1
    }

    fn add_archive(&mut self, path: &Path) -> Result<(), WarcError> {
        let file = self.add_file(path);
        let mut reader = Reader::open(path)?;
        let mut records = false;
        while let Some(record) = reader.next_record().map_err(WarcError::unreadable(path))? {
            records = true;
            self.add_record(&record, file)?;
        }
        if !records {
            return Err(WarcError::NoRecords { name: path.display().to_string() });
        }
        self.notes.extend(reader.notes().iter().map(|&note| (path.to_owned(), note)));
        Ok(())
    }

    fn add_record(&mut self, record: &Record<'_>, file: u32) -> Result<(), WarcError> {
        let kind = record.kind();
        let revisit = kind == Kind::Revisit;
        let status = match kind {
            Kind::Response | Kind::Revisit => response::status(record.block()),
            Kind::Resource | Kind::Conversion => Some(200),
            _ => return Ok(()),
        };
        // A revisit may omit the headers, too.
        let Some(status) = status.or(revisit.then_some(200)) else { return Ok(()) };
        let Some(mut url) = record.target() else { return Ok(()) };
        url.set_fragment(None);
        let spot = match record.place() {
            Place::File { offset, length } => Spot { file, length: length.try_into().unwrap_or(0), offset },
            Place::Member { .. } => self.keep(record)?,
        };
        let digest = record.field("WARC-Payload-Digest").map(|digest| digest_key(&without_method(&digest)));
        let key = key(if record.is_rendered() { "rendered" } else { "url" }, url.as_str());
        let refers = record.address("WARC-Refers-To-Target-URI");
        let at = record.date().map_or(0, time::millis);
        self.add(Entry { key, spot, at, origin: SELF, rank: rank(kind, status) }, revisit, digest, refers);
        Ok(())
    }

    fn add_list(&mut self, path: &Path) -> Result<(), WarcError> {
        let mut entries = Entries::open(path)?;
        let mut last: Option<(String, u32)> = None;
        while let Some(entry) = entries.next().transpose()? {
            let Some(mut url) = entry.url.clone() else { continue };
            url.set_fragment(None);
            let file = match &last {
                Some((name, file)) if *name == entry.file => *file,
                _ => {
                    let located = entries.locate(&entry)?;
                    let known = self.files.iter().position(|known| *known == located);
                    let file = known.map_or_else(|| self.add_file(&located), |at| at as u32);
                    last = Some((entry.file.clone(), file));
                    file
                }
            };
            let spot = Spot {
                file,
                length: entry.length.and_then(|length| length.try_into().ok()).unwrap_or(0),
                offset: entry.offset,
            };
            let revisit = entry.media_type.as_deref() == Some("warc/revisit");
            let status = entry.status.unwrap_or(200);
            let kind = if revisit { Kind::Revisit } else { Kind::Response };
            let digest = entry.digest.as_deref().map(digest_key);
            let at = entry.date.map_or(0, time::millis);
            let key = key("url", url.as_str());
            self.add(Entry { key, spot, at, origin: SELF, rank: rank(kind, status) }, revisit, digest, None);
        }
        Ok(())
    }

    fn add(&mut self, mut entry: Entry, revisit: bool, digest: Option<u64>, refers: Option<Url>) {
        if !revisit {
            self.bodies.extend(digest.map(|digest| (digest, entry.spot)));
        } else if entry.rank > 0 {
            // Others, such as "not modified", have no body.
            entry.origin = self.revisits.len() as u32;
            let refers = refers.map_or(entry.key, |mut refers| {
                refers.set_fragment(None);
                key("url", refers.as_str())
            });
            self.revisits.push((digest, refers));
        }
        self.entries.push(entry);
    }

    /// Copies a record that cannot be read on its own to the temporary file.
    fn keep(&mut self, record: &Record<'_>) -> Result<Spot, WarcError> {
        let spool = match &mut self.spool {
            Some(spool) => spool,
            None => {
                let spool = Spool::new(self.files.len() as u32)?;
                self.files.push(spool.path.clone());
                self.spool.insert(spool)
            }
        };
        spool.put(record)
    }

    fn finish(mut self) -> Replay {
        // Revisits refer to the first record with the body.
        self.bodies.sort_unstable();
        self.bodies.dedup_by_key(|&mut (digest, _)| digest);
        // Sorts the best answer of each address first; among equals, the last in the files.
        self.entries.sort_unstable_by(|a, b| {
            let order = a.key.cmp(&b.key).then(b.rank.cmp(&a.rank)).then(b.at.cmp(&a.at));
            order.then((b.spot.file, b.spot.offset).cmp(&(a.spot.file, a.spot.offset)))
        });
        let mut origins = Vec::new();
        let whole: Vec<Option<Spot>> = self.revisits.iter().map(|revisit| self.origin(revisit)).collect();
        self.entries.retain_mut(|entry| {
            let Some(origin) = whole.get(entry.origin as usize) else { return true };
            let Some(origin) = origin else { return false };
            entry.origin = origins.len() as u32;
            origins.push(*origin);
            true
        });
        self.entries.dedup_by_key(|entry| entry.key);
        self.entries.shrink_to_fit();
        Replay { files: self.files, entries: self.entries, origins, notes: self.notes, _spool: self.spool }
    }

    /// Returns the location of a revisit's body: a record with the same digest, else the address that it refers to.
    fn origin(&self, &(digest, refers): &(Option<u64>, u128)) -> Option<Spot> {
        if let Some(digest) = digest
            && let Ok(at) = self.bodies.binary_search_by_key(&digest, |&(digest, _)| digest)
        {
            return Some(self.bodies[at].1);
        }
        let first = self.entries.partition_point(|entry| entry.key < refers);
        let same = self.entries[first..].iter().take_while(|entry| entry.key == refers);
        same.filter(|entry| entry.origin == SELF && entry.rank > 0).map(|entry| entry.spot).next()
    }
}

fn digest_key(digest: &str) -> u64 {
    key("digest", digest) as u64
}

/// Returns the rank of an answer; higher is better.
fn rank(kind: Kind, status: u16) -> u8 {
    match status {
        // The text of a page is only used if there is no page.
        200..=299 => 2 + u8::from(kind != Kind::Conversion),
        301 | 302 | 303 | 307 | 308 => 1,
        _ => 0,
    }
}

/// Temporary file for records that cannot be read on their own: those of a file that is compressed as a whole.
struct Spool {
    path: PathBuf,
    file: File,
    number: u32,
    length: u64,
    packer: Packer,
    packed: Vec<u8>,
}

impl Spool {
    fn new(number: u32) -> Result<Spool, WarcError> {
        let name =
            format!("windrow-{}-{:016x}.warc.gz", std::process::id(), RandomState::new().build_hasher().finish());
        let path = std::env::temp_dir().join(name);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&path).map_err(WarcError::unwritable(&path))?;
        Ok(Spool { path, file, number, length: 0, packer: Packer::new(1), packed: Vec::new() })
    }

    fn put(&mut self, record: &Record<'_>) -> Result<Spot, WarcError> {
        self.packed.clear();
        let parts = [record.header, record.block, b"\r\n\r\n"];
        let packed = self.packer.pack(&parts, &mut self.packed).and_then(|()| self.file.write_all(&self.packed));
        packed.map_err(WarcError::unwritable(&self.path))?;
        let offset = self.length;
        self.length += self.packed.len() as u64;
        Ok(Spot { file: self.number, length: self.packed.len().try_into().unwrap_or(0), offset })
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        // If this fails, the file stays in the folder for temporary files.
        let _ = fs::remove_file(&self.path);
    }
}
