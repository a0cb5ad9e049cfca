//! Writes the decoded pages, whole and as markup only, for peers that are not written in Rust.
//!
//! `inputs --into DIR [--step N]` makes `DIR/whole/00000.html …`, `DIR/markup/…` and `DIR/pages.csv` (number, name).

use std::fs;

use windrow_bench::arguments::Arguments;
use windrow_bench::corpus::{markup_only, pages};
use windrow_bench::report::Table;

fn main() {
    let arguments = Arguments::read();
    let into = arguments.path("into").expect("--into names a folder");
    let mut names = Table::new(&["number", "page"]);
    for set in ["whole", "markup"] {
        fs::create_dir_all(into.join(set)).expect("the folder can be made");
    }
    for (number, page) in pages(arguments.number("step", 1)).iter().enumerate() {
        let file = format!("{number:05}.html");
        fs::write(into.join("whole").join(&file), &page.text).expect("a page can be written");
        fs::write(into.join("markup").join(&file), markup_only(page).text).expect("a page can be written");
        names.row(vec![format!("{number:05}"), page.name.clone()]);
    }
    names.write(Some(&into.join("pages.csv")));
}
