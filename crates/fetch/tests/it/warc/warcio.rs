//! Against `warcio`, the archives' own library: it reads what is written here, and what it writes is read here.
//!
//! Needs a Python that has it: `$WINDROW_WARCIO` names it, else `python3` is asked. Without one the tests say so;
//! `tools/warcio-check` installs it and runs them.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use http::HeaderMap;
use windrow_fetch::warc::{Reader, Replay, Writer, WriterConfig};

use super::{answer, url};

/// Runs `python …`, if there is a Python with warcio.
#[allow(clippy::print_stdout, reason = "a test that is skipped says so")]
fn python(arguments: &[&str]) -> Option<Output> {
    let program = std::env::var("WINDROW_WARCIO").unwrap_or_else(|_| "python3".to_owned());
    let found = Command::new(&program).args(["-c", "import warcio"]).output();
    if !found.is_ok_and(|output| output.status.success()) {
        println!("skipped: `{program}` has no warcio (set WINDROW_WARCIO to a Python that has)");
        return None;
    }
    Some(Command::new(&program).args(arguments).output().expect("it ran before"))
}

fn text(path: &Path) -> &str {
    path.to_str().expect("the folder's name is text")
}

fn assert_success(output: &Output) {
    let (out, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}\n{errors}");
}

#[test]
fn warcio_reads_what_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.warc.gz");
    let mut writer = Writer::create(&path, WriterConfig::default().with_revisits(true)).expect("it can be written");
    for (address, status, body) in [
        ("http://a.example/1", 200, "<p>one"),
        ("http://a.example/2", 200, "<p>one"),
        ("http://a.example/3?x=\u{e9}", 404, ""),
        ("https://a.example/1", 304, ""),
        ("http://a.example/4", 799, "odd"),
    ] {
        let mut page = answer(
            address,
            status,
            &[("content-type", "text/html"), ("set-cookie", "a=1"), ("set-cookie", "b=2")],
            body,
        );
        page.version = if status == 200 { http::Version::HTTP_2 } else { http::Version::HTTP_10 };
        writer.exchange(&HeaderMap::new(), &page).expect("it can be written");
    }
    writer.rendered(&answer("http://a.example/1", 200, &[], "<p>dom")).expect("it can be written");
    let Some(checked) = python(&["-m", "warcio.cli", "check", "-v", text(&path)]) else { return };
    assert_success(&checked);
    let said = String::from_utf8_lossy(&checked.stdout);
    assert!(!said.contains("failed") && said.matches("digest pass").count() >= 10, "{said}");

    let script = "import sys\n\
        from warcio.archiveiterator import ArchiveIterator\n\
        for r in ArchiveIterator(open(sys.argv[1], 'rb')):\n\
        \x20   h = r.http_headers\n\
        \x20   print(r.rec_type, r.rec_headers['WARC-Target-URI'], h and h.get_statuscode(), r.content_stream().read().decode()[:6])\n";
    let listed = python(&["-c", script, text(&path)]).expect("it was there before");
    assert_success(&listed);
    let listed = String::from_utf8_lossy(&listed.stdout);
    expect_test::expect![[r#"
        warcinfo None None softwa
        response http://a.example/1 200 <p>one
        request http://a.example/1 /1 
        revisit http://a.example/2 200 
        request http://a.example/2 /2 
        response http://a.example/3?x=%C3%A9 404 
        request http://a.example/3?x=%C3%A9 /3?x=%C3%A9 
        revisit https://a.example/1 304 
        request https://a.example/1 /1 
        response http://a.example/4 799 odd
        request http://a.example/4 /4 
        resource http://a.example/1 None <p>dom
    "#]]
    .assert_eq(&listed);
}

#[test]
fn what_warcio_writes_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = "import sys, io\n\
        from warcio.warcwriter import WARCWriter\n\
        from warcio.statusandheaders import StatusAndHeaders\n\
        def head(type): return StatusAndHeaders('200 OK', [('Content-Type', type), ('Transfer-Encoding', 'chunked')], protocol='HTTP/1.1')\n\
        for name, gzip in ('a.warc.gz', True), ('b.warc', False):\n\
        \x20   with open(sys.argv[1] + '/' + name, 'wb') as file:\n\
        \x20       w = WARCWriter(file, gzip=gzip, warc_version='1.1' if gzip else '1.0')\n\
        \x20       w.write_record(w.create_warcinfo_record(name, {'software': 'x'}))\n\
        \x20       for n in range(30):\n\
        \x20           body = b'5\\r\\n<p>%02d\\r\\n3\\r\\nxyz\\r\\n0\\r\\n\\r\\n' % n\n\
        \x20           w.write_record(w.create_warc_record('http://a.example/%d' % n, 'response', payload=io.BytesIO(body), http_headers=head('text/html')))\n\
        \x20       w.write_record(w.create_revisit_record('http://a.example/r', 'sha1:B6QJ6BNJ3R4B23XXMRKZKHLPGJY2VE4O', 'http://a.example/7', '2026-11-16T09:30:00Z', http_headers=head('text/html')))\n";
    let Some(written) = python(&["-c", script, text(folder.path())]) else { return };
    assert_success(&written);
    for name in ["a.warc.gz", "b.warc"] {
        let path = folder.path().join(name);
        let mut reader = Reader::open(&path).expect("the file is there");
        let mut records = 0;
        while reader.next_record().expect("the file can be read").is_some() {
            records += 1;
        }
        assert_eq!((records, reader.notes()), (32, &[][..]));
        let replay = Replay::open(&[&path]).expect("the file is there");
        for number in 0..30 {
            let answer = replay.get(&url(&format!("http://a.example/{number}"))).expect("the file is there");
            assert_eq!(answer.expect("an answer").body, format!("<p>{number:02}xyz"));
        }
        let revisit = replay.get(&url("http://a.example/r")).expect("the file is there").expect("an answer");
        assert_eq!(&revisit.body[..], b"<p>07xyz");
        fs::remove_file(path).expect("it is there");
    }
}
