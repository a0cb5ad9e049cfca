//! Measures writing, reading and indexing of archives, and the memory needed.
//!
//! `warc [--megabytes 400] [--rounds 3] [--level 1] [--into DIR] [--python PYTHON] [--csv OUT.csv]`.
//!
//! An archive of that many megabytes (unpacked) is made of the corpus' pages, one after the other and over again, each
//! with an address and a title of its own; it is read packed by record, packed as a whole, and as text. So is one of a
//! quarter of the size: memory must not grow with the file. Each way of reading is a process of its own, so that its
//! memory can be told. `--python` names a Python with `warcio`, which then reads the same files in the same run.

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant, UNIX_EPOCH};

use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use http::{HeaderMap, HeaderValue, StatusCode, Version, header};
use url::Url;
use windrow_bench::arguments::Arguments;
use windrow_bench::corpus::{Page, pages};
use windrow_bench::report::Table;
use windrow_bench::timing::{fastest, megabytes_per_second};
use windrow_fetch::Answer;
use windrow_fetch::warc::{self, Reader, Replay, Writer, WriterConfig};

/// Reads a file with warcio: every record, its block to the end.
const PYTHON: &str = "
import sys, time
from warcio.archiveiterator import ArchiveIterator
begin, count, size = time.perf_counter(), 0, 0
with open(sys.argv[1], 'rb') as file:
    for record in ArchiveIterator(file, no_record_parse=True):
        count += 1
        while True:
            part = record.raw_stream.read(1 << 16)
            if not part: break
            size += len(part)
spent = time.perf_counter() - begin
peak = next(line for line in open('/proc/self/status') if line.startswith('VmHWM'))
print(count, spent, int(peak.split()[1]) / 1000)
";

fn main() {
    let arguments = Arguments::read();
    if let Some(path) = arguments.path("read") {
        let how = arguments.path("how").unwrap_or_default();
        return read(&path, &how.to_string_lossy(), arguments.number("rounds", 1));
    }
    let (rounds, level) = (arguments.number("rounds", 3), arguments.number("level", 1));
    let megabytes: u64 = arguments.number("megabytes", 400);
    let folder = arguments.path("into").unwrap_or_else(std::env::temp_dir);
    let python = arguments.path("python");
    let pages = pages(1);
    if pages.is_empty() {
        return;
    }

    let mut table =
        Table::new(&["what", "file", "records", "unpacked MB", "file MB", "MB/s unpacked", "MB/s file", "peak MB"]);
    for size in [megabytes / 4, megabytes] {
        let packed = folder.join(format!("windrow-bench-{size}.warc.gz"));
        let (time, unpacked) = write(&packed, &pages, size * 1_000_000, level);
        let row = |table: &mut Table, what: &str, path: &Path, records: &str, time: Duration, peak: &str| {
            let kind = path.file_name().unwrap_or_default().to_string_lossy().replace("windrow-bench-", "");
            let file = fs::metadata(path).map_or(0, |file| file.len());
            table.row(vec![
                what.to_owned(),
                kind,
                records.to_owned(),
                format!("{:.1}", unpacked as f64 / 1e6),
                format!("{:.1}", file as f64 / 1e6),
                format!("{:.0}", megabytes_per_second(unpacked as usize, time)),
                format!("{:.0}", megabytes_per_second(file as usize, time)),
                peak.to_owned(),
            ]);
        };
        row(&mut table, "write", &packed, "", time, "");
        let (plain, whole) = unpack(&packed);
        for path in [&packed, &whole, &plain] {
            for how in ["records", "pages", "replay"] {
                let said = run(
                    &std::env::current_exe().expect("this program has a path"),
                    &[
                        "--read".as_ref(),
                        path.as_os_str(),
                        "--how".as_ref(),
                        how.as_ref(),
                        "--rounds".as_ref(),
                        rounds.to_string().as_ref(),
                    ],
                );
                row(&mut table, how, path, &said[0], Duration::from_secs_f64(number(&said[1])), &said[2]);
            }
            // warcio refuses what is packed as a whole.
            if let Some(python) = python.as_deref().filter(|_| *path != whole) {
                let said = run(python, &["-c".as_ref(), PYTHON.as_ref(), path.as_os_str()]);
                row(&mut table, "warcio", path, &said[0], Duration::from_secs_f64(number(&said[1])), &said[2]);
            }
        }
        for path in [packed, plain, whole] {
            fs::remove_file(path).expect("it was written before");
        }
    }
    table.print("Archives: writing, reading every record, taking the pages, indexing; one thread");
    table.write(arguments.path("csv").as_deref());
}

/// The words that a program prints.
fn run(program: &Path, arguments: &[&std::ffi::OsStr]) -> Vec<String> {
    let output =
        Command::new(program).args(arguments).output().unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).split_whitespace().map(str::to_owned).collect()
}

fn number(text: &str) -> f64 {
    text.parse().unwrap_or_else(|_| panic!("`{text}` is no number"))
}

/// The other process: reads the file, and prints how many there were, seconds, and the memory in megabytes.
fn read(path: &Path, how: &str, rounds: usize) {
    let (time, count) = fastest(rounds, || match how {
        "records" => {
            let mut reader = Reader::open(path).expect("it was written before");
            let mut count = 0;
            while reader.next_record().expect("it was written before").is_some() {
                count += 1;
            }
            count
        }
        "pages" => warc::pages(Reader::open(path).expect("it was written before")).map(Result::unwrap).count(),
        _ => Replay::open(&[path]).expect("it was written before").len(),
    });
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0");
    let peak: f64 = number(peak.split_whitespace().next().unwrap_or("0"));
    println!("{count} {} {:.1}", time.as_secs_f64(), peak / 1000.0);
}

/// Writes an archive of about so many bytes; how long that took, and how many bytes there are before packing.
fn write(path: &Path, pages: &[Page], bytes: u64, level: u32) -> (Duration, u64) {
    let mut writer =
        Writer::create(path, WriterConfig::default().with_level(level)).expect("the folder can be written to");
    let mut asked = HeaderMap::new();
    asked.insert(header::USER_AGENT, HeaderValue::from_static("windrow-bench"));
    asked.insert(header::ACCEPT, HeaderValue::from_static("text/html"));
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::SERVER, HeaderValue::from_static("example"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("max-age=3600"));
    let mut spent = Duration::ZERO;
    let mut written = 0;
    for (number, page) in pages.iter().cycle().enumerate() {
        if written >= bytes {
            break;
        }
        let body = format!("<!-- {number} --><title>{} {number}</title>{}", page.name, page.text);
        written += body.len() as u64;
        let answer = Answer {
            url: Url::parse(&format!("https://example.org/{number}/{}", page.name)).expect("an address"),
            at: UNIX_EPOCH + Duration::from_secs(1_794_000_000 + number as u64),
            address: None,
            version: Version::HTTP_11,
            status: StatusCode::OK,
            headers: headers.clone(),
            body: body.into(),
        };
        let begin = Instant::now();
        writer.exchange(&asked, &answer).expect("the folder can be written to");
        spent += begin.elapsed();
    }
    let mut unpacked = MultiGzDecoder::new(BufReader::new(File::open(path).expect("it was written")));
    let bytes = std::io::copy(&mut unpacked, &mut std::io::sink()).expect("it was written");
    (spent, bytes)
}

/// The same file as text, and packed as a whole.
fn unpack(packed: &Path) -> (PathBuf, PathBuf) {
    let plain_path = packed.with_extension("");
    let whole_path = packed.with_extension("whole.gz");
    let mut plain = BufWriter::new(File::create(&plain_path).expect("the folder can be written to"));
    let whole = File::create(&whole_path).expect("the folder can be written to");
    let mut whole = GzEncoder::new(BufWriter::new(whole), Compression::new(1));
    let mut source = MultiGzDecoder::new(BufReader::new(File::open(packed).expect("it was written before")));
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = source.read(&mut buffer).expect("it was written before");
        if count == 0 {
            break;
        }
        plain.write_all(&buffer[..count]).expect("the folder can be written to");
        whole.write_all(&buffer[..count]).expect("the folder can be written to");
    }
    plain.flush().expect("the folder can be written to");
    whole.finish().expect("the folder can be written to").flush().expect("the folder can be written to");
    (plain_path, whole_path)
}
