//! Stores opened where they can hardly be, by several at a time, and lost in the middle.

use std::fs;

use windrow_store::{Error, Question, Store};

use crate::support::{Nobody, layout, on_each, page, record, rows, run, server_address, with_server};

fn keep(store: &mut Store, wrapper: &str, name: &str, count: usize) {
    let ads = layout("ads", &["title", "link:url"]);
    let version = store.version(wrapper, "rules", "toml", "given", "x").unwrap();
    let mut run = store.begin(version.id, "2026-11-01T08:00:00Z").unwrap();
    for n in 0..count {
        let ad = |k: usize| record(&ads, &[&format!("Ad {k}"), &format!("/{name}/{n}/{k}")]);
        store.keep(&mut run, &page(&format!("{name} {n}"), &ads, (0..5).map(ad).collect()), false).unwrap();
    }
    store.finish(run, "x").unwrap();
}

#[test]
fn what_is_no_address_is_refused() {
    for address in ["", ":memory:", "mysql://ann:secret@host/db", "http://example.org/"] {
        let error = Store::open(address).unwrap_err();
        assert!(matches!(error, Error::Address { .. }), "{address}: {error:?}");
        assert!(!format!("{error} {error:?}").contains("secret"));
    }
    let error = Store::open("postgres://ann:secret@127.0.0.1:1/db?sslmode=require").unwrap_err();
    assert!(matches!(&error, Error::Tls { mode } if mode == "require"), "{error:?}");
    let error = Store::open("postgres://ann:secret@127.0.0.1:1/db").unwrap_err();
    assert!(!format!("{error} {error:?}").contains("secret"), "{error:?}");
}

#[test]
fn a_file_of_something_else_is_left_as_it_is() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("other.db");
    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute_batch("create table bookmarks (a)").unwrap();
    drop(other);
    let before = fs::read(&path).unwrap();
    for open in [Store::open, Store::open_read_only, Store::open_existing] {
        let error = open(path.to_str().unwrap()).unwrap_err();
        assert!(matches!(error, Error::Foreign { .. }), "{error:?}");
    }
    assert_eq!(fs::read(&path).unwrap(), before);
    fs::write(&path, "no database at all, but a text that is long enough to be looked at").unwrap();
    let error = Store::open(path.to_str().unwrap()).unwrap_err();
    assert!(matches!(&error, Error::Foreign { place, .. } if place.ends_with("other.db")), "{error:?}");
}

#[test]
fn a_store_in_a_folder_that_cannot_be_written_to_can_be_read() {
    let directory = tempfile::tempdir().unwrap();
    // A name that means something in a URI.
    let folder = directory.path().join("read only?#%41");
    fs::create_dir(&folder).unwrap();
    let path = folder.join("s.db");
    keep(&mut Store::open(path.to_str().unwrap()).unwrap(), "shop", "a", 2);
    let set = |writable: bool| {
        for path in [&path, &folder] {
            let mut permissions = fs::metadata(path).unwrap().permissions();
            use std::os::unix::fs::PermissionsExt;
            permissions.set_mode(if writable { 0o755 } else { 0o555 });
            fs::set_permissions(path, permissions).unwrap();
        }
    };
    set(false);
    let read =
        Store::open_read_only(path.to_str().unwrap()).map(|mut store| rows(&mut store, "select count(*) from ads"));
    set(true);
    assert_eq!(read.unwrap(), ["10"]);
}

#[test]
fn several_write_at_a_time_and_one_reads() {
    on_each(|open| {
        let mut reader = open();
        let writers: Vec<Store> = (0..4).map(|_| open()).collect();
        std::thread::scope(|scope| {
            let threads: Vec<_> = writers
                .into_iter()
                .enumerate()
                .map(|(n, mut store)| {
                    // Two wrappers, each written by two.
                    scope.spawn(move || keep(&mut store, &format!("shop {}", n % 2), &format!("w{n}"), 10))
                })
                .collect();
            while !threads.iter().all(|thread| thread.is_finished()) {
                if rows(&mut reader, "select count(*) from _tables") == ["1"] {
                    let count: usize = rows(&mut reader, "select count(*) from ads")[0].parse().unwrap();
                    assert_eq!(count % 5, 0, "a page that is not whole");
                }
                std::thread::sleep(std::time::Duration::from_millis(2));
            }
        });
        assert_eq!(rows(&mut reader, "select count(*), count(distinct _key) from ads"), ["200|200"]);
        assert_eq!(rows(&mut reader, "select count(*) from _pages"), ["40"]);
    });
}

#[test]
fn a_new_file_is_made_by_one_of_several() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("new.db").display().to_string();
    std::thread::scope(|scope| {
        for n in 0..6 {
            let path = &path;
            scope.spawn(move || keep(&mut Store::open(path).unwrap(), "shop", &format!("w{n}"), 1));
        }
    });
    let mut store = Store::open_read_only(&path).unwrap();
    assert_eq!(rows(&mut store, "select count(*) from ads"), ["30"]);
}

#[test]
fn a_server_that_goes_away_is_an_error_and_nothing_is_half_kept() {
    let Some(server) = server_address() else { return };
    with_server(|open| {
        let mut store = open();
        keep(&mut store, "shop", "a", 1);
        let mut run = run(&mut store, 2);
        let backend = rows(&mut store, "select pg_backend_pid()")[0].clone();
        let mut other = postgres::Client::connect(&format!("{server}/postgres"), postgres::NoTls).unwrap();
        other.execute(&format!("select pg_terminate_backend({backend})"), &[]).unwrap();
        let ads = layout("ads", &["title", "link:url"]);
        let lost = page("b", &ads, vec![record(&ads, &["x", "/x"]), record(&ads, &["y", "/y"])]);
        for _ in 0..2 {
            let error = store.keep(&mut run, &lost, false).unwrap_err();
            assert!(matches!(error, Error::Postgres(_)), "{error:?}");
        }
        let error = store.query(&Question { sql: "select 1", ..Question::default() }, &mut Nobody).unwrap_err();
        assert!(matches!(error, Error::Postgres(_)), "{error:?}");
        let mut again = open();
        assert_eq!(rows(&mut again, "select count(*) from ads"), ["5"]);
    });
}
