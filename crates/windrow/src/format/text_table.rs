//! Tables for people: one line for each row, no wider than the terminal.
//!
//! A list of a real page often has thirty columns. Those that say most are shown, in the order of the page; cells are cut
//! with `…`; what is left out is counted below the table. Which columns say most is decided by `worth` on the rows that
//! are laid out together, so a table needs no knowledge of what its columns are.

use std::collections::HashSet;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::text::excerpt;
use crate::text::plural;

/// Characters of a value that are looked at: more than any terminal shows on one line.
const LONGEST_CELL: usize = 300;
/// Columns that a value should have before another column is added. Titles of products, jobs and articles are told apart
/// by their first 20 to 30 characters; with 24, a terminal of 80 columns shows three texts, or two and some numbers.
const COMFORTABLE: usize = 24;
/// Columns that a header should have: names of fields are longer than their values when these are numbers.
const COMFORTABLE_HEADER: usize = 12;
/// Mean length from which a longer value says no more: about a short title.
const TELLING_LENGTH: f64 = 20.0;
/// Worth of the shortest values compared to the longest: a rating or a price of one digit is worth a narrow column.
const SHORT: f64 = 0.3;
/// Worth of a column whose values are all the same, compared to one whose values all differ. Not zero: without anything
/// better the column is shown.
const CONSTANT: f64 = 0.1;
/// Worth of addresses compared to other texts: they differ in every row and are always there, but a person cannot read
/// them, and the part that differs is cut off.
const ADDRESS: f64 = 0.25;
/// Characters from which a text without spaces, but with a slash or the like, is taken for an address: `TCP/IP` is none.
const SHORTEST_ADDRESS: usize = 8;
/// Columns that the frame takes beside each value: `│ value `.
const FRAME: usize = 3;

/// A layout: which columns are shown, and how wide they are.
#[derive(Debug)]
pub struct Plan {
    shown: Vec<ShownColumn>,
    /// Columns that there was no room for.
    hidden: usize,
}

/// A column that is shown.
#[derive(Debug)]
struct ShownColumn {
    /// Its number among all columns.
    number: usize,
    header: Option<String>,
    width: usize,
    kind: CellAlignment,
}

/// Alignment of a column, and the end at which its values are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CellAlignment {
    Text,
    /// Aligned to the right.
    Number,
    /// Cut in front, as addresses begin alike.
    Address,
}

impl Plan {
    /// Lays out rows in so many columns of the terminal. Without names of columns all columns are shown.
    pub fn new(names: &[String], rows: &[Vec<String>], room: usize) -> Plan {
        let count = rows.iter().map(Vec::len).max().unwrap_or_default().max(names.len());
        let columns: Vec<Measured> = (0..count)
            .map(|number| {
                let cells: Vec<String> = rows.iter().map(|row| cell(row.get(number).map_or("", |it| it))).collect();
                Measured::new(names.get(number).map(|name| cell(name)), &cells)
            })
            .collect();
        let chosen = if names.is_empty() { (0..count).collect() } else { choose(&columns, room) };
        let widths = widths(&chosen.iter().map(|&number| &columns[number]).collect::<Vec<_>>(), room);
        let shown = chosen.iter().zip(widths).map(|(&number, width)| {
            let Measured { header, kind, .. } = &columns[number];
            ShownColumn { number, header: header.clone(), width, kind: *kind }
        });
        Plan { shown: shown.collect(), hidden: count - chosen.len() }
    }

    /// The top of the frame, and the names of the columns if there are any.
    pub fn head(&self) -> String {
        let mut text = self.line("┌", "─", "┬", "┐");
        if self.shown.iter().any(|column| column.header.is_some()) {
            text += &self.cells(|column| column.header.clone().unwrap_or_default());
            text += &self.line("╞", "═", "╪", "╡");
        }
        text
    }

    /// A row.
    pub fn row(&self, row: &[String]) -> String {
        self.cells(|column| cell(row.get(column.number).map_or("", |it| it)))
    }

    /// The bottom of the frame.
    pub fn foot(&self) -> String {
        self.line("└", "─", "┴", "┘")
    }

    /// Returns the number of columns that there was no room for.
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    fn cells(&self, value: impl Fn(&ShownColumn) -> String) -> String {
        let cells: Vec<String> = self.shown.iter().map(|column| column.fit(&value(column))).collect();
        format!("│ {} │\n", cells.join(" ┆ "))
    }

    fn line(&self, start: &str, middle: &str, cross: &str, end: &str) -> String {
        let parts: Vec<String> = self.shown.iter().map(|column| middle.repeat(column.width + 2)).collect();
        format!("{start}{}{end}\n", parts.join(cross))
    }
}

impl ShownColumn {
    /// A value cut and filled up to the column's width.
    fn fit(&self, value: &str) -> String {
        let value = match self.kind {
            CellAlignment::Address => cut_front(value, self.width),
            CellAlignment::Text | CellAlignment::Number => cut(value, self.width),
        };
        let space = " ".repeat(self.width.saturating_sub(value.width()));
        match self.kind {
            CellAlignment::Number => space + &value,
            CellAlignment::Text | CellAlignment::Address => value + &space,
        }
    }
}

/// Measures of a column, taken before columns are chosen.
#[derive(Debug)]
struct Measured {
    header: Option<String>,
    /// Columns that nothing of it needs more than.
    natural: usize,
    /// Columns that it should have.
    comfortable: usize,
    worth: f64,
    kind: CellAlignment,
}

impl Measured {
    fn new(header: Option<String>, cells: &[String]) -> Measured {
        let widest = cells.iter().map(|cell| cell.width()).max().unwrap_or_default();
        let header_width = header.as_ref().map_or(0, |header| header.width());
        Measured {
            natural: widest.max(header_width).max(1),
            comfortable: widest.max(header_width.min(COMFORTABLE_HEADER)).clamp(1, COMFORTABLE),
            worth: worth(cells),
            kind: kind(cells),
            header,
        }
    }
}

/// Returns the worth of a column: the share of rows that have a value, how much the values differ, and how much there is to read,
/// multiplied, so that a column which fails in one of them is not saved by the others.
fn worth(cells: &[String]) -> f64 {
    let filled: Vec<&String> = cells.iter().filter(|cell| !cell.is_empty()).collect();
    if filled.is_empty() {
        return 0.0;
    }
    let count = filled.len() as f64;
    let share = count / cells.len() as f64;
    let different = filled.iter().collect::<HashSet<_>>().len();
    let variety = match filled.len() {
        1 => 1.0,
        _ => CONSTANT + (1.0 - CONSTANT) * (different - 1) as f64 / (count - 1.0),
    };
    let length = filled.iter().map(|cell| cell.width()).sum::<usize>() as f64 / count;
    let readable = SHORT + (1.0 - SHORT) * length.min(TELLING_LENGTH) / TELLING_LENGTH;
    let readable = if kind(cells) == CellAlignment::Address { readable * ADDRESS } else { readable };
    share * variety * readable
}

/// Returns how a column is aligned and cut, by all of its values.
fn kind(cells: &[String]) -> CellAlignment {
    let mut filled = cells.iter().filter(|cell| !cell.is_empty()).peekable();
    if filled.peek().is_none() {
        return CellAlignment::Text;
    }
    if filled.clone().all(|cell| is_number(cell)) {
        return CellAlignment::Number;
    }
    if filled.all(|cell| is_address(cell)) { CellAlignment::Address } else { CellAlignment::Text }
}

/// Returns `true` if a value is a number, an amount with its currency, or a share.
fn is_number(cell: &str) -> bool {
    let amount = match cell.rsplit_once(' ') {
        Some((amount, unit)) if unit.len() == 3 && unit.bytes().all(|byte| byte.is_ascii_uppercase()) => amount,
        _ => cell,
    };
    let amount =
        amount.trim_end_matches(['%', '€', '£', ' ']).trim_start_matches(['$', '€', '£', '¥', '-', '+', '−', ' ']);
    amount.starts_with(|first: char| first.is_ascii_digit())
        && amount.chars().all(|letter| letter.is_ascii_digit() || matches!(letter, '.' | ',' | '\'' | ' ' | '\u{a0}'))
}

/// Returns `true` if a value is an address or the name of a file.
fn is_address(cell: &str) -> bool {
    let is_path = || cell.contains(['/', '?', '#', '%']) && cell.contains(char::is_alphabetic);
    !cell.contains(' ') && cell.len() >= SHORTEST_ADDRESS && (cell.contains("://") || is_path())
}

/// The columns that fit, in their order: the worthiest first, then those for which there is still room.
fn choose(columns: &[Measured], room: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..columns.len()).collect();
    // Stable, so that of equals the first comes first.
    order.sort_by(|&one, &two| columns[two].worth.total_cmp(&columns[one].worth));
    let all: usize = columns.iter().map(|column| column.comfortable + FRAME).sum();
    if all >= room {
        // Some have to go, and those without any value go first.
        order.retain(|&number| columns[number].worth > 0.0 || number == 0);
    }
    let mut used = 1;
    let mut chosen = Vec::new();
    for number in order {
        let needed = columns[number].comfortable + FRAME;
        if chosen.is_empty() || used + needed <= room {
            used += needed;
            chosen.push(number);
        }
    }
    chosen.sort_unstable();
    chosen
}

/// The widths of columns: what they need if there is room, else the widest are cut alike, addresses first.
fn widths(columns: &[&Measured], room: usize) -> Vec<usize> {
    let available = room.saturating_sub(FRAME * columns.len() + 1).max(columns.len());
    let needed: Vec<usize> = columns.iter().map(|column| column.natural).collect();
    if needed.iter().sum::<usize>() <= available {
        return needed;
    }
    let modest = columns.iter().map(|column| match column.kind {
        CellAlignment::Address => column.natural.min(COMFORTABLE),
        CellAlignment::Text | CellAlignment::Number => column.natural,
    });
    let mut widths = fit(&modest.collect::<Vec<_>>(), available);
    let mut left = available.saturating_sub(widths.iter().sum());
    for (width, needed) in widths.iter_mut().zip(needed) {
        let more = left.min(needed - *width);
        *width += more;
        left -= more;
    }
    widths
}

/// As much as fits of what columns need: the widest are cut alike.
fn fit(needed: &[usize], available: usize) -> Vec<usize> {
    let with_limit = |limit: usize| needed.iter().map(move |width| *width.min(&limit));
    let widest = needed.iter().copied().max().unwrap_or(1);
    // The largest limit at which all fit.
    let (mut fits, mut too_wide) = (1, widest + 1);
    while fits + 1 < too_wide {
        let middle = usize::midpoint(fits, too_wide);
        if with_limit(middle).sum::<usize>() <= available { fits = middle } else { too_wide = middle }
    }
    with_limit(fits).collect()
}

/// A value on one line, without what would steer the terminal.
fn cell(value: &str) -> String {
    if value.trim().is_empty() { String::new() } else { excerpt(value, LONGEST_CELL) }
}

/// The beginning of a line that fits so many columns of the terminal, with `…` if it was cut.
pub fn cut(line: &str, columns: usize) -> String {
    if line.width() <= columns {
        return line.to_owned();
    }
    let mut used = 0;
    let fits = |letter: &char| {
        used += letter.width().unwrap_or(0);
        used < columns
    };
    line.chars().take_while(fits).collect::<String>().trim_end().to_owned() + "…"
}

/// The end of a line that fits so many columns of the terminal, with `…` in front if it was cut.
fn cut_front(line: &str, columns: usize) -> String {
    if line.width() <= columns {
        return line.to_owned();
    }
    let mut used = 0;
    let fits = |letter: &char| {
        used += letter.width().unwrap_or(0);
        used < columns
    };
    let kept: Vec<char> = line.chars().rev().take_while(fits).collect();
    std::iter::once('…').chain(kept.into_iter().rev()).collect()
}

/// Returns a whole table of at most this width in columns of text; without a header if there are no names.
pub fn layout(names: &[String], rows: &[Vec<String>], width: usize) -> String {
    let plan = Plan::new(names, rows, width);
    let body: String = rows.iter().map(|row| plan.row(row)).collect();
    plan.head() + &body + &plan.foot()
}

/// The line below a table that says what is left out; `all` says how to get it.
pub fn left_out(columns: usize, rows: usize, all: &str) -> Option<String> {
    match (columns, rows) {
        (0, 0) => None,
        (0, rows) => Some(format!("+{}; --rows all shows all", plural(rows, "row"))),
        (columns, 0) => Some(format!("+{}; {all}", plural(columns, "column"))),
        (columns, rows) => Some(format!("+{} and {}; {all}", plural(columns, "column"), plural(rows, "more row"))),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn words(cells: &[&str]) -> Vec<String> {
        cells.iter().map(|cell| (*cell).to_owned()).collect()
    }

    /// Lays out a table in so many columns; says what is left out.
    fn check(room: usize, names: &[&str], rows: &[&[&str]], expected: &Expect) {
        let rows: Vec<Vec<String>> = rows.iter().map(|row| words(row)).collect();
        let plan = Plan::new(&words(names), &rows, room);
        let body: String = rows.iter().map(|row| plan.row(row)).collect();
        let text = plan.head() + &body + &plan.foot();
        for line in text.lines() {
            assert!(line.width() <= room, "{line}");
        }
        let left_out = left_out(plan.hidden(), 0, "--format csv shows all").unwrap_or_default();
        expected.assert_eq(&(text + &left_out));
    }

    #[test]
    fn what_fits_is_shown_whole() {
        check(
            60,
            &["city", "°C"],
            &[&["Wien", "21"], &["San Francisco", "-3.5"]],
            &expect![[r#"
            ┌───────────────┬──────┐
            │ city          ┆   °C │
            ╞═══════════════╪══════╡
            │ Wien          ┆   21 │
            │ San Francisco ┆ -3.5 │
            └───────────────┴──────┘
        "#]],
        );
        check(
            60,
            &[],
            &[&["title", "Hay"], &["price", "340 EUR"]],
            &expect![[r#"
            ┌───────┬─────────┐
            │ title ┆ Hay     │
            │ price ┆ 340 EUR │
            └───────┴─────────┘
        "#]],
        );
    }

    #[test]
    fn cells_are_cut_by_display_width() {
        let rows: &[&[&str]] = &[
            &["草原上的第一次收割，以及那台旧拖拉机", "https://example.org/ads/1"],
            &["A tractor, used, with a new engine", "https://example.org/ads/2"],
        ];
        check(
            50,
            &["title", "link"],
            rows,
            &expect![[r#"
            ┌──────────────────────────────────────┐
            │ title                                │
            ╞══════════════════════════════════════╡
            │ 草原上的第一次收割，以及那台旧拖拉机 │
            │ A tractor, used, with a new engine   │
            └──────────────────────────────────────┘
            +1 column; --format csv shows all"#]],
        );
        check(
            20,
            &["title", "link"],
            rows,
            &expect![[r#"
            ┌──────────────────┐
            │ title            │
            ╞══════════════════╡
            │ 草原上的第一次…  │
            │ A tractor, used… │
            └──────────────────┘
            +1 column; --format csv shows all"#]],
        );
    }

    #[test]
    fn the_columns_that_say_most_are_kept_in_their_order() {
        let names = ["shop", "link", "title", "note", "price"];
        let rows: &[&[&str]] = &[
            &["The long-established shop", "https://example.org/ads/1", "Hay turner, red", "", "1,340 EUR"],
            &["The long-established shop", "https://example.org/ads/2", "Seed drill, used", "", "950 EUR"],
            &["The long-established shop", "https://example.org/ads/3", "Two-wheel tractor", "rare", "4 EUR"],
        ];
        check(
            50,
            &names,
            rows,
            &expect![[r#"
            ┌───────────────────┬──────┬───────────┐
            │ title             ┆ note ┆     price │
            ╞═══════════════════╪══════╪═══════════╡
            │ Hay turner, red   ┆      ┆ 1,340 EUR │
            │ Seed drill, used  ┆      ┆   950 EUR │
            │ Two-wheel tractor ┆ rare ┆     4 EUR │
            └───────────────────┴──────┴───────────┘
            +2 columns; --format csv shows all"#]],
        );
        check(
            20,
            &names,
            rows,
            &expect![[r#"
            ┌──────────────────┐
            │ title            │
            ╞══════════════════╡
            │ Hay turner, red  │
            │ Seed drill, used │
            │ Two-wheel tract… │
            └──────────────────┘
            +4 columns; --format csv shows all"#]],
        );
    }

    #[test]
    fn values_stay_on_one_line_and_cannot_steer_the_terminal() {
        check(
            40,
            &["a\u{1b}[2Jb"],
            &[&["one\ntwo\t\u{1b}]0;x\u{7}"], &[" \n "]],
            &expect![[r#"
            ┌─────────────────────────┐
            │ a\u{1b}[2Jb             │
            ╞═════════════════════════╡
            │ one two \u{1b}]0;x\u{7} │
            │                         │
            └─────────────────────────┘
        "#]],
        );
    }

    #[test]
    fn numbers_are_told_from_texts() {
        for number in ["3", "-3.5", "1,340 EUR", "$12", "99 %", "1'000", "12 345"] {
            assert!(is_number(number), "{number}");
        }
        for text in ["", "2026-11-15", "3 records", "A4", "$", "12:30"] {
            assert!(!is_number(text), "{text}");
        }
    }

    #[test]
    fn what_is_left_out_is_counted() {
        let line = |columns, rows| left_out(columns, rows, "--format csv shows all").unwrap_or_default();
        assert_eq!(line(27, 12), "+27 columns and 12 more rows; --format csv shows all");
        assert_eq!(line(1, 1), "+1 column and 1 more row; --format csv shows all");
        assert_eq!(line(3, 0), "+3 columns; --format csv shows all");
        assert_eq!(line(0, 2), "+2 rows; --rows all shows all");
        assert_eq!(line(0, 0), "");
    }
}
