//! Reading: the three ways of packing, odd headers, damage.

use std::io::{self, Read};

use expect_test::{Expect, expect};
use proptest::prelude::*;
use windrow_fetch::warc::{Kind, Place, Reader, pages};

use super::{html, member, read, record};

fn three() -> [Vec<u8>; 3] {
    [html("http://a.example/1", "one"), html("http://a.example/2", "two"), html("http://a.example/3", "three")]
}

/// The last word of each record, and the notes.
fn check(bytes: &[u8], expected: Expect) {
    let (records, notes) = read(bytes);
    let mut shown = String::new();
    for record in records {
        let last = record.rsplit(['\n', ' ']).next().unwrap_or_default();
        shown += &format!("{last}\n");
    }
    for note in notes {
        shown += &format!("{note}\n");
    }
    expected.assert_eq(&shown);
}

#[test]
fn plain_by_record_and_as_a_whole() {
    let records = three();
    let plain = records.concat();
    let by_record: Vec<u8> = records.iter().flat_map(|record| member(record)).collect();
    let whole = member(&plain);
    let anywhere: Vec<u8> = plain.chunks(100).flat_map(member).collect();
    for bytes in [plain, by_record, whole, anywhere] {
        check(
            &bytes,
            expect![[r#"
            one
            two
            three
        "#]],
        );
    }
}

#[test]
fn places_lead_back() {
    let records = three();
    for pack in [|bytes: &[u8]| bytes.to_vec(), member] {
        let file: Vec<u8> = records.iter().flat_map(|record| pack(record)).collect();
        let mut reader = Reader::new(&file[..]);
        let mut end = 0;
        while let Some(record) = reader.next_record().expect("memory does not fail") {
            let Place::File { offset, length } = record.place() else { panic!("each record is a file of its own") };
            assert_eq!(offset, end);
            end = offset + length;
            let again = read(&file[offset as usize..end as usize]).0;
            assert!(again[0].ends_with(&*String::from_utf8_lossy(record.block())), "{again:?}");
        }
        assert_eq!(end, file.len() as u64);
    }
    let whole = member(&records.concat());
    let mut reader = Reader::new(&whole[..]);
    let place = reader.next_record().expect("memory does not fail").expect("a record").place();
    assert_eq!(place, Place::Member { offset: 0, unpacked: 0 });
    let place = reader.next_record().expect("memory does not fail").expect("a record").place();
    assert_eq!(place, Place::Member { offset: 0, unpacked: records[0].len() as u64 });
}

#[test]
fn fields_are_found_in_any_case_and_unfolded() {
    let text = "WARC/0.18\nwarc-type: RESPONSE\nWARC-Target-URI: <http://a.example/x>\nX-Long: one\n two\n\tthree\n\
                WARC-Date: 2009-01-02T03:04:05Z\nCONTENT-LENGTH:  19 \n\nHTTP/1.0 200 OK\n\nhi";
    let mut reader = Reader::new(text.as_bytes());
    let record = reader.next_record().expect("memory does not fail").expect("a record");
    assert_eq!(record.kind(), Kind::Response);
    assert_eq!(record.field("x-long").as_deref(), Some("one  two \tthree"));
    assert_eq!(record.fields().count(), 5);
    let answer = record.answer().expect("an answer").expect("a good one");
    assert_eq!(answer.url.as_str(), "http://a.example/x");
    assert_eq!(&answer.body[..], b"hi");
    assert_eq!(answer.at, record.date().expect("a date"));
}

#[test]
fn damaged_members_are_passed_over() {
    let records = three();
    let members: Vec<Vec<u8>> = records.iter().map(|record| member(record)).collect();
    let packed = members.concat();
    for at in 0..packed.len() {
        let mut bytes = packed.clone();
        bytes[at] ^= 0x10;
        let (found, notes) = read(&bytes);
        // Some bits do not matter, such as the time in the header of a member; no bit costs more than its own record.
        assert!(found.len() >= 2, "{at}: {found:?}, {notes:?}");
        assert_eq!(found.len() == 2, !notes.is_empty(), "{at}: {notes:?}");
    }
    // A member that was cut short, and something that never was one.
    let (first, rest) = members[0].split_at(members[0].len() / 2);
    assert!(!rest.is_empty());
    let bytes = [&members[2], first, &members[1], b"junk, of some length", &members[2]].concat();
    check(
        &bytes,
        expect![[r#"
            three
            two
            three
            at byte 187: a damaged gzip member
            at byte 464: bytes that are not a record
        "#]],
    );
}

#[test]
fn what_looks_like_a_member_does_not_swallow_the_next() {
    let [one, two, _] = three().map(|record| member(&record));
    // A header that says that 65,535 more bytes of it follow; one whose data is stored and longer than the file.
    let header = [0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 3, 0xff, 0xff];
    let stored =
        [&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 0xff, 0x7f, 0, 0x80][..], b"WARC/1.0\r\nno field\r\nat all"].concat();
    for junk in [&header[..], &stored] {
        let file = [&one[..], junk, &two].concat();
        let mut reader = Reader::new(&file[..]);
        let mut places = Vec::new();
        while let Some(record) = reader.next_record().expect("memory does not fail") {
            places.push(record.place());
        }
        let lengths = (one.len() as u64, two.len() as u64);
        let behind = (one.len() + junk.len()) as u64;
        let expected = [(0, lengths.0), (behind, lengths.1)].map(|(offset, length)| Place::File { offset, length });
        assert_eq!(places, expected);
        assert!(reader.problems() > 0);
    }
    // Zeros, as tapes have them, are no damage, and are not the record's.
    let file = [&[0; 5][..], &one].concat();
    let mut reader = Reader::new(&file[..]);
    let record = reader.next_record().expect("memory does not fail").expect("a record");
    assert_eq!(record.place(), Place::File { offset: 5, length: one.len() as u64 });
    assert_eq!(reader.problems(), 0);
}

#[test]
fn damaged_text_is_passed_over() {
    let [one, two, three] = three();
    let bytes =
        [&one[..], b"junk\nof two lines\n", &two, b"WARC/1.0\r\nWARC-Type: response\r\n\r\nno length\r\n\r\n", &three]
            .concat();
    check(
        &bytes,
        expect![[r#"
            one
            two
            three
            at byte 243: bytes that are not a record
            at byte 504: a record without Content-Length
        "#]],
    );
    check(
        &[&b"WARC/1.0\r\nnonsense\r\n"[..], &one].concat(),
        expect![[r#"
        one
        at byte 0: a record's header has a line that is not a field
    "#]],
    );
    check(
        b"<html>\n<p>no archive",
        expect![[r#"
        at byte 0: bytes that are not a record
    "#]],
    );
    check(b"", expect![""]);
}

#[test]
fn a_member_may_be_shorter_than_its_record_says() {
    let [one, two, _] = three();
    let short = &one[..one.len() - 6];
    check(
        &[member(short), member(&two)].concat(),
        expect![[r#"
        two
        at byte 0: a record that is shorter than its Content-Length
    "#]],
    );
}

#[test]
fn cut_at_any_byte_the_records_before_are_whole() {
    let records = three();
    let members: Vec<Vec<u8>> = records.iter().map(|record| member(record)).collect();
    for parts in [&records[..], &members] {
        let file = parts.concat();
        for length in 0..file.len() {
            let (found, notes) = read(&file[..length]);
            let mut before = 0;
            let whole = parts.iter().take_while(|part| {
                before += part.len();
                before <= length
            });
            let whole = whole.count();
            // The last bytes of a record, blank lines or a checksum, are not missed.
            assert!(found.len() == whole || found.len() == whole + 1, "{length}: {found:?}");
            let last_whole: usize = parts[..whole].iter().map(Vec::len).sum();
            assert!(length < last_whole + 5 || found.len() > whole || !notes.is_empty(), "{length}: {notes:?}");
        }
    }
    let whole = member(&records.concat());
    for length in 0..whole.len() {
        read(&whole[..length]);
    }
    // What was unpacked before the end counts, though the member is not whole.
    assert_eq!(read(&whole[..whole.len() - 1]).0.len(), 3);
}

#[test]
fn long_records_are_passed_over() {
    let long = html("http://a.example/long", &"x".repeat(100_000));
    let [one, two, _] = three();
    for file in [[&one[..], &long, &two].concat(), [member(&one), member(&long), member(&two)].concat()] {
        let mut reader = Reader::new(&file[..]).with_longest_block(1000);
        let mut found = 0;
        while let Some(record) = reader.next_record().expect("memory does not fail") {
            assert!(record.block().len() < 1000);
            found += 1;
        }
        assert_eq!(found, 2);
        assert_eq!(reader.problems(), 1);
        assert!(
            reader.notes()[0].to_string().ends_with("a record of 100068 bytes, which is too long"),
            "{}",
            reader.notes()[0]
        );
    }
    // A header without an end.
    let bytes = [&b"WARC/1.0\r\n"[..], &b"A: b\r\n".repeat(100_000), &one].concat();
    check(
        &bytes,
        expect![[r#"
        one
        at byte 0: a record's header has no end
    "#]],
    );
}

#[test]
fn pages_are_what_is_html() {
    let response = |url, status, media, body| {
        let block = format!("HTTP/1.1 {status}\r\nContent-Type: {media}\r\n\r\n{body}");
        record("response", url, "Content-Type: application/http\r\n", block.as_bytes())
    };
    let file = [
        record("warcinfo", "x", "", b"software: x"),
        response("http://a.example/1", "200 OK", "Text/HTML; charset=utf-8", "page"),
        response("http://a.example/2", "404 Not Found", "text/html", "error"),
        response("http://a.example/3", "200 OK", "image/png", "image"),
        response("http://a.example/4", "200 OK", "text/plain", "text"),
        response("http://a.example/5", "204 No Content", "text/html", ""),
        record("resource", "http://a.example/6", "Content-Type: text/html\r\n", b"resource"),
        record("conversion", "http://a.example/7", "Content-Type: text/plain\r\n", b"words"),
        record("response", "http://a.example/8", "Content-Type: application/http\r\n", b"no status"),
        record("response", "dns:a.example", "Content-Type: text/dns\r\n", b"a.example. 60 IN A 192.0.2.1"),
        record("metadata", "http://a.example/9", "Content-Type: text/html\r\n", b"metadata"),
        record("request", "http://a.example/10", "Content-Type: application/http\r\n", b"GET / HTTP/1.1\r\n\r\n"),
    ];
    let file = file.concat();
    let mut found = String::new();
    for page in pages(Reader::new(&file[..])) {
        let page = page.expect("memory does not fail");
        found +=
            &format!("{} {:?} {}\n", page.url.path(), page.header("content-type"), String::from_utf8_lossy(&page.body));
    }
    expect![[r#"
        /1 Some("Text/HTML; charset=utf-8") page
        /6 Some("text/html") resource
        /7 Some("text/plain; charset=utf-8") words
    "#]]
    .assert_eq(&found);
}

#[test]
fn a_source_that_fails_is_an_error() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("no"))
        }
    }
    let file = [&three()[0][..], b"WARC/1.0"].concat();
    let mut pages = pages(Reader::new(file.chain(Failing)));
    assert!(pages.by_ref().any(|page| page.is_err()));
    assert!(pages.next().is_none());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_blocks_read_back(blocks in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..5000), 1..8), cut in 1..5000_usize) {
        let records: Vec<Vec<u8>> = blocks.iter().map(|block| record("resource", "http://a.example/", "", block)).collect();
        let plain = records.concat();
        let by_record: Vec<u8> = records.iter().flat_map(|record| member(record)).collect();
        let anywhere: Vec<u8> = plain.chunks(cut).flat_map(member).collect();
        for file in [plain, by_record, anywhere] {
            let mut reader = Reader::new(Dripping { rest: &file, step: cut });
            for block in &blocks {
                let record = reader.next_record().expect("memory does not fail").expect("as many as there were");
                prop_assert_eq!(record.block(), &block[..]);
            }
            prop_assert!(reader.next_record().expect("memory does not fail").is_none());
            prop_assert_eq!(reader.notes(), &[]);
        }
    }

    #[test]
    fn any_bytes_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..2000), at in any::<prop::sample::Index>()) {
        read(&bytes);
        let mut file: Vec<u8> = three().iter().flat_map(|record| member(record)).collect();
        let at = at.index(file.len());
        file.splice(at..at, bytes);
        prop_assert!(read(&file).0.len() >= 2);
    }
}

/// Gives a few bytes at a time.
struct Dripping<'a> {
    rest: &'a [u8],
    step: usize,
}

impl Read for Dripping<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.step.min(into.len()).min(self.rest.len());
        into[..count].copy_from_slice(&self.rest[..count]);
        self.rest = &self.rest[count..];
        Ok(count)
    }
}
