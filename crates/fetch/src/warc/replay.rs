//! Answers given again: an index of archives by address.
//!
//! Opening reads every archive once and remembers, for each address, where its best answer is: the last of status 2xx;
//! if there is none, the last redirect; if there is none, the last answer of any kind. A record that only says that its
//! body has been seen before is answered with that body. Nothing else than the files decides what is answered, and
//! nothing is asked of any network.
//!
//! # Cost
//!
//! Opening takes as long as reading the files, or their CDX lists; it needs 72 bytes for each record, of which 48 stay
//! for each address. An answer is read from its file when it is asked for, by any number of threads at once.

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

/// Answers from archives.
pub struct Replay {
    files: Vec<PathBuf>,
    /// Sorted by key, each key once.
    entries: Vec<Entry>,
    /// Where the bodies of revisits are.
    origins: Vec<Spot>,
    notes: Vec<(PathBuf, Note)>,
    /// Removes itself.
    _spool: Option<Spool>,
}

/// Where a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Spot {
    file: u32,
    /// 0 if it is unknown, or does not fit.
    length: u32,
    offset: u64,
}

/// What is known of an address.
#[derive(Debug, Clone, Copy)]
struct Entry {
    key: u128,
    spot: Spot,
    /// In milliseconds since 1970.
    at: i64,
    /// An index: of `Index::revisits` at first, then of `Replay::origins`.
    origin: u32,
    rank: u8,
}

/// No origin: the record has its body itself.
const SELF: u32 = u32::MAX;

impl Replay {
    /// Reads the index of archives: WARC files, or CDX and CDXJ lists whose WARC files lie beside them.
    pub fn open<P: AsRef<Path>>(paths: &[P]) -> Result<Replay, WarcError> {
        let mut index = Index::default();
        for path in paths {
            let path = path.as_ref();
            if is_list(path) { index.add_list(path)? } else { index.add_archive(path)? }
        }
        Ok(index.finish())
    }

    /// The answer to an address, whose fragment does not matter. An address that is not there is looked for once more
    /// with the other of `http` and `https`.
    ///
    /// If there is only a page as a browser had it, that is the answer.
    pub fn get(&self, url: &Url) -> Result<Option<Answer>, WarcError> {
        self.find(url, &["url", "rendered"])
    }

    /// The page as a browser had it after its scripts, if it was recorded so.
    pub fn rendered(&self, url: &Url) -> Result<Option<Answer>, WarcError> {
        self.find(url, &["rendered"])
    }

    /// How many addresses there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What had to be left out of the files: the first hundred of each.
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
            // Only those two can stand for each other; others refuse.
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

/// The index while it is made.
#[derive(Default)]
struct Index {
    files: Vec<PathBuf>,
    entries: Vec<Entry>,
    /// What revisits say of the records that they refer to: the body's digest, and the address.
    revisits: Vec<(Option<u64>, u128)>,
    /// Digests of bodies, and where these are.
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
        // A revisit may leave out the headers as well.
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
            // Others, such as "not modified", are answers without a body, if anything.
            entry.origin = self.revisits.len() as u32;
            let refers = refers.map_or(entry.key, |mut refers| {
                refers.set_fragment(None);
                key("url", refers.as_str())
            });
            self.revisits.push((digest, refers));
        }
        self.entries.push(entry);
    }

    /// Copies a record that cannot be reached in its own file to one where it can.
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
        // The first that has a body is the one that revisits refer to.
        self.bodies.sort_unstable();
        self.bodies.dedup_by_key(|&mut (digest, _)| digest);
        // The best of each address first; of equals, the one that comes last in the files.
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

    /// Where the body of a revisit is: with the same digest, or else at the address that it refers to.
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

/// The higher, the better an answer it is.
fn rank(kind: Kind, status: u16) -> u8 {
    match status {
        // A page's text stands in for the page where there is no page.
        200..=299 => 2 + u8::from(kind != Kind::Conversion),
        301 | 302 | 303 | 307 | 308 => 1,
        _ => 0,
    }
}

/// A file of records that cannot be reached in their own: those of a file that is compressed as a whole.
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
        // It is in the folder for such files; who cleans that up will find it if this fails.
        let _ = fs::remove_file(&self.path);
    }
}
