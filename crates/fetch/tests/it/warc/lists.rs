//! Lists: pages of archives by CDX and CDXJ.

use std::fs;
use std::path::Path;

use expect_test::{Expect, expect};
use windrow_fetch::warc::cdx::Entries;
use windrow_fetch::warc::{Archive, Replay};

use super::{html, member, url};

/// A folder with an archive of three pages, each a member, and where these are.
fn folder() -> (tempfile::TempDir, Vec<(u64, usize)>) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut file = Vec::new();
    let mut places = Vec::new();
    for number in 1..=3 {
        let packed = member(&html(&format!("http://a.example/{number}"), &format!("<p>{number}")));
        places.push((file.len() as u64, packed.len()));
        file.extend(packed);
    }
    fs::create_dir(folder.path().join("segment")).expect("a folder");
    fs::write(folder.path().join("segment/a.warc.gz"), file).expect("it can be written");
    (folder, places)
}

fn check(path: &Path, expected: Expect) {
    let shown: String = Archive::open(path)
        .expect("the list is there")
        .map(|page| match page {
            Ok(page) => format!("{} {}\n", page.url, String::from_utf8_lossy(&page.body)),
            Err(error) => {
                format!("{}\n", error.to_string().replace(&path.parent().expect("a folder").display().to_string(), "…"))
            }
        })
        .collect();
    expected.assert_eq(&shown);
}

#[test]
fn the_json_form() {
    let (folder, places) = folder();
    let path = folder.path().join("a.cdxj");
    let line = |number: usize, file: &str, rest: &str| {
        let (offset, length) = places[number - 1];
        format!(
            "example,a)/{number} 20261116093000 {{\"url\": \"http://a.example/{number}\", \"mime\": \"text/html\", \
             \"filename\": \"{file}\", \"offset\": \"{offset}\", \"length\": {length}{rest}}}\n"
        )
    };
    let list = [
        "!meta {}\n".to_owned(),
        line(3, "segment/a.warc.gz", ", \"status\": \"200\""),
        line(2, "segment/a.warc.gz", ", \"status\": \"404\""),
        "nonsense\n".to_owned(),
        line(1, "/../elsewhere/a.warc.gz", ""),
        line(1, "../segment/a.warc.gz", "")
            .split_once(' ')
            .expect("a space")
            .1
            .split_once(' ')
            .expect("a space")
            .1
            .to_owned(),
        line(1, "segment/a.warc.gz", "").replace("\"offset\": \"0\"", "\"offset\": \"7\""),
    ];
    fs::write(&path, member(list.concat().as_bytes())).expect("it can be written");
    check(
        &path,
        expect![[r#"
        http://a.example/3 <p>3
        line 4 of `…/a.cdxj` does not give the location of a record
        `…/a.cdxj` names `/../elsewhere/a.warc.gz`, which is not in the list's folder or below it
        http://a.example/1 <p>1
        there is no record at byte 7 of `…/segment/a.warc.gz`
    "#]],
    );
    let entries: Vec<_> = Entries::open(&path).expect("the list is there").filter_map(Result::ok).collect();
    assert_eq!(entries.len(), 5);
    assert_eq!((entries[0].status, entries[0].length), (Some(200), Some(places[2].1 as u64)));
}

#[test]
fn the_classic_forms() {
    let (folder, places) = folder();
    let path = folder.path().join("a.cdx");
    let ((second, length), (third, _)) = (places[1], places[2]);
    let list = format!(
        " CDX N b a m s k r M S V g\n\
         example,a)/2 20261116093000 http://a.example/2 text/html 200 ABC - - {length} {second} a.warc.gz\n\
         example,a)/3 20261116093000 http://a.example/3 text/html - - - - - {third} segment/a.warc.gz\n\
         too few fields\n"
    );
    fs::write(&path, list).expect("it can be written");
    fs::rename(folder.path().join("segment/a.warc.gz"), folder.path().join("a.warc.gz")).expect("it can be moved");
    check(
        &path,
        expect![[r#"
        http://a.example/2 <p>2
        http://a.example/3 <p>3
        line 4 of `…/a.cdx` does not give the location of a record
    "#]],
    );
    fs::write(&path, format!("x 20261116 http://a.example/3 text/html 200 - - {third} a.warc.gz\n"))
        .expect("it can be written");
    check(
        &path,
        expect![[r#"
        http://a.example/3 <p>3
    "#]],
    );
    let replay = Replay::open(&[&path]).expect("the list is there");
    assert_eq!(replay.len(), 1);
    let answer = replay.get(&url("http://a.example/3")).expect("the file is there").expect("the list has it");
    assert_eq!(&answer.body[..], b"<p>3");
}

#[test]
fn names_of_archives() {
    for name in ["a.warc", "a.WARC.gz", "a.warc.wet.gz", "a.cdx", "cdx-00000.cdxj.gz"] {
        assert!(Archive::is_one(Path::new(name)), "{name}");
    }
    for name in ["a.html", "warc", "a.warc.html", "a.gz"] {
        assert!(!Archive::is_one(Path::new(name)), "{name}");
    }
}
