//! Standard input, many pages, closed pipes, interrupts.

use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::Stdio;

use crate::{command, windrow, windrow_on};

/// A directory of generated pages that removes itself.
struct Pages(PathBuf);

impl Pages {
    /// `count` pages, each with its number in an `h1` and `padding` bytes of comment.
    fn new(name: &str, count: usize, padding: usize) -> Pages {
        let directory = std::env::temp_dir().join(format!("windrow-test-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        for number in 0..count {
            // Sizes differ, so that pages finish out of order.
            let padding = "x".repeat(if number % 7 == 0 { 50 * padding } else { padding });
            let html = format!("<!--{padding}--><h1>Page {number}</h1>");
            std::fs::write(directory.join(format!("{number:05}.html")), html).unwrap();
        }
        Pages(directory)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn standard_input_is_a_page() {
    let run = windrow_on(b"<h1>Hay</h1>", &["select", "-", "//h1", "--format", "jsonl"]);
    assert_eq!(run.stdout, "{\"page\":\"-\",\"matches\":{\"//h1\":[\"Hay\"]}}\n");
}

#[test]
fn standard_input_can_be_read_once() {
    let run = windrow_on(b"<h1>Hay</h1>", &["select", "-e", "//h1", "--format", "text", "-", "-"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), "Hay\n"));
    assert!(run.stderr.contains("can be read only once"), "{}", run.stderr);
}

#[test]
fn many_pages_come_in_order_with_any_number_of_threads() {
    let pages = Pages::new("order", 300, 2000);
    let expected: String = (0..300).map(|number| format!("Page {number}\n")).collect();
    for threads in ["1", "2", "7"] {
        let run = windrow(&["select", "-j", threads, "-e", "//h1", "--format", "text", pages.path()]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
        assert!(run.stdout == expected, "{threads} threads: {}", run.stdout);
    }
}

#[test]
fn pages_keep_the_order_of_the_arguments() {
    let (ads, blog) = ("testdata/pages/ads/page-1.html", "testdata/pages/blog/page-1.html");
    let run = windrow(&["select", "-e", "//h1", "--format", "text", blog, ads, blog]);
    assert_eq!(run.stdout, "Notes from a small meadow\nTractors and tools\nNotes from a small meadow\n");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let pages = Pages::new("pipe", 2000, 100);
    for format in ["text", "jsonl", "json", "csv", "table"] {
        let mut child = command(&["select", "-e", "//h1", "--format", format, pages.path()])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut reader = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        assert!(line.ends_with('\n'), "{format}: {line}");
        drop(reader);
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert_eq!((child.wait().unwrap().code(), stderr.as_str()), (Some(0), ""), "{format}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_whole_lines() {
    let pages = Pages::new("interrupt", 3000, 1000);
    let mut child = command(&["select", "-e", "//h1", "--format", "jsonl", pages.path()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let mut output = String::new();
    reader.read_line(&mut output).unwrap();
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    reader.read_to_string(&mut output).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(output.ends_with("}\n"), "{:?}", &output[output.len().saturating_sub(100)..]);
    assert!(output.lines().count() < 3000, "the interrupt came too late to mean anything");
}

#[test]
fn a_huge_flat_page_and_a_deep_one_are_read() {
    let flat = "<p>hay".repeat(100_000);
    let run = windrow_on(flat.as_bytes(), &["select", "-", "count(//p)", "--format", "text"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "100000\n"));
    let deep = "<div>".repeat(100_000);
    let run = windrow_on(deep.as_bytes(), &["dom", "-"]);
    assert_eq!(run.code, Some(0));
    assert!(run.stderr.starts_with("note: -: "), "{}", run.stderr);
}
