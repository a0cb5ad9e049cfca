//! CSV: one file of rows, or several that refer to each other by numbers.
//!
//! Columns are known before the first page as a rule. Where only the page's tables tell them, the first page that has
//! any settles them: a header cannot be changed once it is printed. What a later page adds is left out, and told.

use std::collections::BTreeSet;

/// The rows that one page adds to a file.
#[derive(Debug, Default)]
pub struct CsvSheet {
    /// The columns of these rows.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<CsvRow>,
}

/// A row.
#[derive(Debug, Clone, Default)]
pub struct CsvRow {
    /// The page.
    pub page: String,
    /// The row it belongs to: the file's number, and that of the row among the page's own.
    pub parent: Option<(usize, usize)>,
    /// The values.
    pub cells: Vec<String>,
}

/// The files of a run.
#[derive(Debug)]
pub struct CsvFiles {
    files: Vec<State>,
    /// True if rows are numbered and refer to each other.
    linked: bool,
    left_out: BTreeSet<String>,
}

#[derive(Debug)]
struct State {
    columns: Vec<String>,
    /// True if only the pages tell the columns.
    open: bool,
    begun: bool,
    rows: usize,
}

impl CsvFiles {
    /// Files with these columns. `open`: further ones come from the pages.
    pub fn new(files: Vec<(Vec<String>, bool)>, linked: bool) -> CsvFiles {
        let files = files.into_iter().map(|(columns, open)| State { columns, open, begun: false, rows: 0 });
        CsvFiles { files: files.collect(), linked, left_out: BTreeSet::new() }
    }

    /// Returns the bytes that a page adds, with the number of their file.
    pub fn print(&mut self, sheets: Vec<CsvSheet>) -> Vec<(usize, Vec<u8>)> {
        let before: Vec<usize> = self.files.iter().map(|file| file.rows).collect();
        let mut pieces = Vec::new();
        for (number, sheet) in sheets.into_iter().enumerate() {
            if sheet.rows.is_empty() {
                continue;
            }
            if self.files[number].open && !self.files[number].begun {
                self.files[number].columns.clone_from(&sheet.columns);
            }
            let mut writer = csv::Writer::from_writer(Vec::new());
            self.begin(number, &mut writer);
            let file = &mut self.files[number];
            let places: Option<Vec<Option<usize>>> = (file.columns != sheet.columns).then(|| {
                let place = |column: &String| sheet.columns.iter().position(|other| other == column);
                file.columns.iter().map(place).collect()
            });
            if places.is_some() {
                let new = sheet.columns.iter().filter(|column| !file.columns.contains(column));
                self.left_out.extend(new.cloned());
            }
            for row in sheet.rows {
                file.rows += 1;
                let mut record = vec![row.page];
                if self.linked {
                    let parent = row.parent.map(|(file, row)| (before[file] + row + 1).to_string());
                    record.extend([file.rows.to_string(), parent.unwrap_or_default()]);
                }
                match &places {
                    None => record.extend(row.cells),
                    Some(places) => record.extend(places.iter().map(|place| match place {
                        Some(at) => row.cells.get(*at).cloned().unwrap_or_default(),
                        None => String::new(),
                    })),
                }
                write(&mut writer, &record);
            }
            pieces.push((number, bytes(writer)));
        }
        pieces
    }

    /// The headers of files that have got no row.
    pub fn end(&mut self) -> Vec<(usize, Vec<u8>)> {
        let mut pieces = Vec::new();
        for number in 0..self.files.len() {
            let mut writer = csv::Writer::from_writer(Vec::new());
            self.begin(number, &mut writer);
            pieces.push((number, bytes(writer)));
        }
        pieces
    }

    /// The columns that could not be printed.
    pub fn notes(&self) -> Vec<String> {
        let names = |column: &String| format!("`{column}`");
        if self.left_out.is_empty() {
            Vec::new()
        } else {
            vec![format!(
                "warning: not in the header, which the first page has settled, and so left out: {}",
                self.left_out.iter().map(names).collect::<Vec<_>>().join(", ")
            )]
        }
    }

    fn begin(&mut self, number: usize, writer: &mut csv::Writer<Vec<u8>>) {
        let file = &mut self.files[number];
        if !std::mem::replace(&mut file.begun, true) {
            let links = if self.linked { &["page", "_id", "_parent"][..] } else { &["page"] };
            let header: Vec<String> = links.iter().map(|name| (*name).to_owned()).chain(file.columns.clone()).collect();
            write(writer, &header);
        }
    }
}

fn write(writer: &mut csv::Writer<Vec<u8>>, record: &[String]) {
    writer.write_record(record).expect("writing to memory cannot fail, and rows are as long as the header");
}

fn bytes(writer: csv::Writer<Vec<u8>>) -> Vec<u8> {
    writer.into_inner().expect("writing to memory cannot fail")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    fn sheet(columns: &str, rows: &[&str]) -> CsvSheet {
        let row = |row: &&str| CsvRow { page: "p".to_owned(), parent: None, cells: words(row) };
        CsvSheet { columns: words(columns), rows: rows.iter().map(row).collect() }
    }

    fn text(pieces: Vec<(usize, Vec<u8>)>) -> String {
        pieces.into_iter().map(|(_, bytes)| String::from_utf8(bytes).unwrap()).collect()
    }

    #[test]
    fn the_first_page_with_rows_settles_open_columns() {
        let mut sheets = CsvFiles::new(vec![(Vec::new(), true)], false);
        assert_eq!(text(sheets.print(vec![sheet("", &[])])), "");
        assert_eq!(text(sheets.print(vec![sheet("a b", &["1 2"])])), "page,a,b\np,1,2\n");
        assert_eq!(text(sheets.print(vec![sheet("b c", &["3 4"])])), "p,,3\n");
        assert_eq!(
            sheets.notes(),
            ["warning: not in the header, which the first page has settled, and so left out: `c`"]
        );
    }

    #[test]
    fn a_file_without_rows_has_its_header() {
        let mut sheets = CsvFiles::new(vec![(words("a"), false)], false);
        assert_eq!(text(sheets.end()), "page,a\n");
    }

    #[test]
    fn numbers_go_on_from_page_to_page() {
        let mut sheets = CsvFiles::new(vec![(Vec::new(), false), (words("a"), false)], true);
        let page = || {
            let own =
                CsvSheet { columns: Vec::new(), rows: vec![CsvRow { page: "p".to_owned(), ..CsvRow::default() }] };
            let mut below = sheet("a", &["x", "y"]);
            below.rows.iter_mut().for_each(|row| row.parent = Some((0, 0)));
            vec![own, below]
        };
        sheets.print(page());
        assert_eq!(text(sheets.print(page())), "p,2,\np,3,2,x\np,4,2,y\n");
    }
}
