//! Tables: aligned on standard output, as CSV in a file, from the same rows.

use std::fs;
use std::path::Path;

/// Rows under a heading.
pub struct Table {
    heading: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty table.
    pub fn new(heading: &[&str]) -> Table {
        Table { heading: heading.iter().map(|&name| name.to_owned()).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    ///
    /// # Panics
    ///
    /// If it has another number of cells than the heading.
    pub fn row(&mut self, cells: Vec<String>) {
        assert_eq!(cells.len(), self.heading.len(), "a row has a cell for each column");
        self.rows.push(cells);
    }

    /// Prints the table as Markdown, numbers to the right.
    pub fn print(&self, title: &str) {
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| &row[column]).chain([&self.heading[column]]);
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.heading.len()).map(width).collect();
        let line = |cells: &[String]| {
            let padded = cells.iter().zip(&widths).map(|(cell, &width)| {
                if cell.starts_with(|first: char| first.is_ascii_digit()) {
                    format!("{cell:>width$}")
                } else {
                    format!("{cell:<width$}")
                }
            });
            format!("| {} |", padded.collect::<Vec<_>>().join(" | "))
        };
        println!("\n### {title}\n");
        println!("{}", line(&self.heading));
        println!("|{}|", widths.iter().map(|width| "-".repeat(width + 2)).collect::<Vec<_>>().join("|"));
        for row in &self.rows {
            println!("{}", line(row));
        }
    }

    /// Writes the table as CSV, if a file is given.
    ///
    /// # Panics
    ///
    /// If it cannot be written.
    pub fn write(&self, file: Option<&Path>) {
        let Some(file) = file else { return };
        let quoted = |cell: &String| {
            if cell.contains([',', '"', '\n']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.clone() }
        };
        let lines = std::iter::once(&self.heading).chain(&self.rows);
        let text: String = lines.map(|row| row.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n").collect();
        fs::write(file, text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
}

/// The rows of a CSV file that [`Table::write`] or `bench/peers.py` wrote, the heading left out.
///
/// # Panics
///
/// If it cannot be read.
pub fn read(file: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    text.lines().skip(1).map(cells).collect()
}

fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    let mut chars = line.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cells.last_mut().expect("never empty").push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            other => cells.last_mut().expect("never empty").push(other),
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_cells_read_back() {
        assert_eq!(cells(r#"a,"b, ""c""",,d"#), ["a", "b, \"c\"", "", "d"]);
    }
}
