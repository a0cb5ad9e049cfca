//! A large page of the kind that TSIMMIS was made for, and the specification that takes it apart.

use std::fmt::Write;

use windrow_wrapper::{Locator, Rule, Slice, Wrapper};

/// A weather table with so many rows, 200 bytes a row.
pub fn page(rows: usize) -> String {
    const COUNTRIES: [&str; 6] = ["Austria", "Belgium", "Czech Republic", "Denmark", "England", "Finland"];
    const WEATHER: [&str; 5] = ["snow", "fog", "partly cloudy", "rain", "sleet and hail"];
    let mut page = String::from(
        "<HTML>\n<HEAD>\n<TITLE>europe weather</TITLE>\n<TABLE BORDER=0>\n<TR><TD>temperatures in degrees celsius</TD></TR>\n\
         </TABLE>\n<TABLE CELLSPACING=0>\n<TR ALIGN=left><TH>Tue, Jan 28, 1997</TH></TR>\n<TR ALIGN=left>\n<TH>country</TH>\n\
         <TH>city</TH>\n</TR>\n",
    );
    for row in 0..rows {
        let (country, one, two) = (COUNTRIES[row % 6], WEATHER[row % 5], WEATHER[row / 5 % 5]);
        let (high, low) = (row as i32 * 7 % 40 - 10, row as i32 * 3 % 30 - 20);
        writeln!(
            page,
            "<TR ALIGN=left>\n<TD>{country}</TD>\n<TD><A HREF=http://weather.example.org/europe/forecast/c{row:05}/>City number {row}</A></TD>\n\
             <TD>{one}</TD>\n<TD>{high}/{low}</TD>\n<TD>{two}</TD>\n<TD>{low}/{high}</TD>\n</TR>"
        )
        .expect("a string can be written to");
    }
    page.push_str("</TABLE>\n</HTML>\n");
    page
}

/// Delimiter of the rows.
pub const ROW: &str = "<TR ALIGN=left>";

/// The texts of the pattern, in order; those behind a `true` end a saved text.
pub const TEXTS: [(&str, bool); 15] = [
    ("<TD>", false),
    ("</TD>", true),
    ("HREF=", false),
    (">", true),
    ("</A>", true),
    ("<TD>", false),
    ("</TD>", true),
    ("<TD>", false),
    ("/", true),
    ("</TD>", true),
    ("<TD>", false),
    ("</TD>", true),
    ("<TD>", false),
    ("/", true),
    ("</TD>", true),
];

/// Figure 3 of the paper, as a wrapper.
pub fn wrapper() -> Wrapper {
    let names =
        ["country", "url", "city", "weather", "high", "low", "weather_tomorrow", "high_tomorrow", "low_tomorrow"];
    let fields = names.iter().map(|&name| Rule::field(name, Locator::default())).collect();
    let pattern = "*<TD>#</TD>*HREF=#>#</A>*<TD>#</TD>*<TD>#/#</TD>*<TD>#</TD>*<TD>#/#</TD>*";
    let mut city =
        Rule::group("city_temp", Locator::default()).with(vec![Rule::save(Locator::pattern(pattern), fields)]);
    city.members = Some(Slice::Range { skip: 1, drop: 0 });
    let rows = Rule::list("_citytemp", Locator::split(ROW)).with(vec![city]);
    let table = Rule::group("temperatures", Locator::pattern("*<TABLE*<TABLE*</TR>#</TABLE>*")).with(vec![rows]);
    Wrapper { rules: vec![Rule::group("root", Locator::default()).with(vec![table])], ..Wrapper::default() }
}
