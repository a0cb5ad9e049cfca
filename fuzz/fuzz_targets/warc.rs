//! Archives: the first byte says how the rest is packed. Whatever the bytes are, reading ends; records do not overlap
//! and are told apart from notes; a record that has a place in the file can be read from there alone; whole records in
//! front of the bytes and, if these are packed by record, behind them are found.
#![no_main]

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use libfuzzer_sys::fuzz_target;
use windrow_fetch::warc::{Place, Reader, pages};

const GOOD: &[u8] = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\n\
    WARC-Date: 2026-11-16T09:30:00Z\r\nContent-Length: 26\r\n\r\nHTTP/1.1 200 OK\r\n\r\n<p>good\r\n\r\n";

fuzz_target!(|data: &[u8]| {
    let Some((&choice, rest)) = data.split_first() else { return };
    let file = match choice % 4 {
        0 => rest.to_vec(),
        1 => packed(rest),
        2 => [GOOD, rest].concat(),
        _ => [&packed(GOOD), rest, &packed(GOOD)].concat(),
    };
    let found = read(&file);
    match choice % 4 {
        2 => assert!(found >= 1),
        3 => assert!(found >= 2, "{found} of {file:?}"),
        _ => {}
    }
    for page in pages(Reader::new(&file[..])) {
        assert!(page.expect("memory does not fail").status.is_success());
    }
});

/// Reads all records, each once more by its place if it has one; how many there are.
fn read(file: &[u8]) -> usize {
    let mut reader = Reader::new(file).with_longest_block(1 << 20);
    let (mut count, mut end) = (0, 0);
    while let Some(record) = reader.next_record().expect("memory does not fail") {
        count += 1;
        let _ = (record.kind(), record.target(), record.date(), record.is_rendered());
        if let Some(Ok(answer)) = record.answer() {
            assert!(answer.body.len() <= record.block().len());
        }
        let Place::File { offset, length } = record.place() else { continue };
        assert!(offset >= end, "{offset} {end}");
        end = offset + length;
        let mut alone = Reader::new(&file[offset as usize..end as usize]).with_longest_block(1 << 20);
        let again = alone.next_record().expect("memory does not fail").expect("it was there before");
        assert_eq!(again.block(), record.block());
        assert!(again.fields().eq(record.fields()));
    }
    assert_eq!(reader.notes().len().min(100) as u64, reader.problems().min(100));
    count
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("into memory");
    encoder.finish().expect("into memory")
}
