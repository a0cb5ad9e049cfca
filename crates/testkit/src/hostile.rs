//! Hostile inputs of any size: shapes on which a careless algorithm needs time in the square of the input.
//!
//! The tests read each shape at [`Shape::large`] and check what comes out. The program `growth` of `crates/bench` reads
//! it at both sizes and compares the times, which no test does: a test must not depend on how busy the machine is.

/// One input, as long as asked for.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// The name in tables.
    pub name: &'static str,
    /// Builds the input from so many repetitions of its unit.
    pub build: fn(usize) -> String,
    /// The number of repetitions at the smaller size.
    pub units: usize,
}

impl Shape {
    /// The larger size over the smaller one.
    pub const FACTOR: usize = 16;

    /// Builds the input at its smaller size.
    pub fn small(&self) -> String {
        (self.build)(self.units)
    }

    /// Builds the input at its larger size, [`Shape::FACTOR`] times the smaller.
    pub fn large(&self) -> String {
        (self.build)(self.units * Shape::FACTOR)
    }
}

/// Concatenates one part for each number below `count`.
fn each(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect()
}

/// Four labels that most domains of things for sale know.
const LABELS: [&str; 4] = ["Price", "Brand", "Color", "Size"];

/// Feeds for `windrow_feed::parse`.
pub const FEEDS: &[Shape] = &[
    Shape { name: "nesting", build: |n| format!("<rss><channel>{}", "<a>".repeat(n)), units: 5_000 },
    Shape {
        name: "nesting in content",
        build: |n| format!("<rss><item><description>{}", "<b>".repeat(n)),
        units: 5_000,
    },
    Shape { name: "bases", build: |n| format!("<rss>{}", "<a xml:base='b/'>".repeat(n)), units: 5_000 },
    Shape {
        name: "attributes",
        build: |n| format!("<rss><item{}>", each(n, |number| format!(" a{number}='b'"))),
        units: 5_000,
    },
    Shape {
        name: "namespaces",
        build: |n| format!("<rss{}><item>", each(n, |number| format!(" xmlns:a{number}='b'"))),
        units: 5_000,
    },
    Shape { name: "end tags", build: |n| format!("<rss>{}{}", "<a>".repeat(300), "</b>".repeat(n)), units: 5_000 },
    Shape { name: "open comments", build: |n| format!("<rss>{}", "<!--".repeat(n)), units: 5_000 },
    Shape { name: "open CDATA", build: |n| format!("<rss><title>{}", "<![CDATA[".repeat(n)), units: 5_000 },
    Shape { name: "open quotes", build: |n| format!("<rss>{}", "<a b=\"".repeat(n)), units: 5_000 },
    Shape { name: "ampersands", build: |n| format!("<rss><title>{}", "&".repeat(n)), units: 5_000 },
    Shape {
        name: "entities",
        build: |n| format!("<!DOCTYPE a [<!ENTITY e \"{}\">]><rss><title>{}", "x".repeat(n), "&e;".repeat(n)),
        units: 5_000,
    },
    Shape { name: "declarations", build: |n| format!("<!DOCTYPE a [{}", "<!ENTITY e \"x\">".repeat(n)), units: 5_000 },
    Shape { name: "items", build: |n| format!("<rss>{}", "<item><title>a</title>".repeat(n)), units: 5_000 },
    Shape {
        name: "categories",
        build: |n| format!("<rss><item>{}", each(n, |number| format!("<category>{number}</category>"))),
        units: 5_000,
    },
    Shape {
        name: "authors",
        build: |n| format!("<feed>{}", each(n, |number| format!("<author>{number}</author><entry/>"))),
        units: 5_000,
    },
    Shape {
        name: "summaries",
        build: |n| format!("<rss><item>{}", "<description>a&amp;b</description>".repeat(n)),
        units: 5_000,
    },
    Shape {
        name: "divs",
        build: |n| format!("<feed><entry><content type='xhtml'>{}", "<div></div>".repeat(n)),
        units: 5_000,
    },
    Shape {
        name: "JSON",
        build: |n| format!("{{\"version\":\"jsonfeed\",\"items\":[{}", "{\"id\":1},".repeat(n)),
        units: 5_000,
    },
    Shape { name: "deep JSON", build: |n| "[".repeat(n), units: 5_000 },
];

/// Detail pages for the readers of `windrow_learn::domain`.
pub const DETAILS: &[Shape] = &[
    Shape {
        name: "labels in one cell",
        build: |n| format!("<table><tr><td>{}</td></tr></table>", "Price: 1 Brand: b ".repeat(n)),
        units: 5_000,
    },
    Shape {
        name: "labels in text nodes of their own",
        build: |n| format!("<p>{}</p>", "<b>Price</b> 1 <b>Brand</b> b ".repeat(n)),
        units: 4_000,
    },
    Shape {
        name: "bold labels with colons in one line",
        build: |n| format!("<p>{}</p>", "<b>Price:</b> 1 <b>Brand:</b> b <b>Other:</b> c ".repeat(n)),
        units: 2_000,
    },
    Shape {
        name: "labels without values",
        build: |n| format!("<div>{}</div>", "<p>Price</p><p>Brand</p><p>Color</p>".repeat(n)),
        units: 4_000,
    },
    Shape {
        name: "keywords in prose",
        build: |n| format!("<p>{}</p>", "the price of a brand is ".repeat(n)),
        units: 10_000,
    },
    // Looking for the next label must not pass over all of the prose again for each.
    Shape {
        name: "keywords in the prose of values",
        build: |n| {
            let row = "<tr><td>Brand</td><td>a price of a brand of a color in prose</td></tr>";
            format!("<table>{}</table>", row.repeat(n))
        },
        units: 3_000,
    },
    // Every byte of the folded text has to find its way back.
    Shape {
        name: "letters with accents",
        build: |n| format!("<p>{}</p>", "Größe é Price: 1 ñ ﬁ ".repeat(n)),
        units: 2_000,
    },
    Shape {
        name: "columns",
        build: |n| {
            let cells = LABELS.map(|label| format!("<td>{label}</td>").repeat(n / 4)).concat();
            format!("<table><tr>{cells}</tr><tr>{}</tr></table>", "<td>1</td>".repeat(n))
        },
        units: 150,
    },
    Shape {
        name: "columns without values",
        build: |n| format!("<table><tr>{}</tr></table>", "<th>Price</th>".repeat(n)),
        units: 300,
    },
    Shape {
        name: "rows",
        build: |n| {
            let rows = "<tr><td>1</td><td>b</td></tr>".repeat(n);
            format!("<table><tr><th>Price</th><th>Brand</th></tr>{rows}</table>")
        },
        units: 10_000,
    },
    Shape {
        name: "one record deep inside",
        build: |n| {
            let record = "<p>Price: 1</p><p>Brand: b</p><p>Color: c</p><p>Size: s</p>";
            format!("{}{record}{}", "<div>".repeat(n), "</div>".repeat(n))
        },
        units: 4_000,
    },
    Shape {
        name: "a label at every depth",
        build: |n| each(n, |at| format!("<div>{}: {at}", LABELS[at % 4])) + &"</div>".repeat(n),
        units: 500,
    },
    Shape {
        name: "a label without a value at every depth",
        build: |n| each(n, |at| format!("<div><p>{}</p>", LABELS[at % 4])) + &"</div>".repeat(n),
        units: 500,
    },
    Shape {
        name: "tables in tables",
        build: |n| {
            let (open, close) = ("<table><tr><td>Brand</td><td>", "</td></tr></table>");
            format!("{}Price: 1{}", open.repeat(n), close.repeat(n))
        },
        units: 200,
    },
    Shape {
        name: "elements named like a role",
        build: |n| {
            let names = each(n, |at| format!("<b id='n{at}-price' class='c{at} size'></b>"));
            format!("<p>Brand: b</p><p>Model: m</p><p>Color: c</p><p>Weight: 1</p>{names}")
        },
        units: 5_000,
    },
    Shape {
        name: "records",
        build: |n| {
            each(n, |at| {
                format!("<div><p>Brand: b{at}</p><p>Model: m{at}</p><p>Price: {at}</p><p>Weight: {at}</p></div>")
            })
        },
        units: 1_000,
    },
    Shape {
        name: "a value of many links",
        build: |n| format!("<p>Brand: b</p><p>Authors: {}</p>", "<a href=/>Ann</a>, ".repeat(n)),
        units: 5_000,
    },
];

/// List pages for `windrow_learn::next`: a link must not look at all of its surroundings.
pub const PAGERS: &[Shape] = &[
    Shape { name: "deep", build: |n| "<div>".repeat(n) + "<a href='?page=2'>Next</a>", units: 1_250 },
    Shape { name: "wide", build: |n| format!("<p>{}", "<a href='?page=2'>2</a> ".repeat(n)), units: 3_200 },
    Shape {
        name: "nested",
        build: |n| format!("<div class=pager>{}</div>", "<span><a href='/a'>".repeat(n)),
        units: 1_250,
    },
    Shape {
        name: "rows",
        build: |n| format!("<ul>{}", "<li><b>1</b> <a href='?page=2'>2</a>".repeat(n)),
        units: 1_250,
    },
];

/// Pages with the rules that `windrow_wrapper` runs on them.
pub const EXTRACTIONS: &[(&str, Shape)] = &[
    (
        r#"
        [list.ads]
        records = { css = "tr.h", until = "next" }
        field = { title = "h2", pay = { css = "p.pay", type = "money" } }
        "#,
        Shape {
            name: "records over siblings",
            build: |n| {
                let row = |at| format!("<tr class=h><td><h2>{at}</h2><tr><td><p class=pay>{at} EUR</p></tr>");
                format!("<table>{}", each(n, row))
            },
            units: 1_250,
        },
    ),
    (
        r#"
        [list.ads]
        records = { landmark = { each = "<li>" } }
        field = { title = { xpath = ".//b" }, id = { xpath = "li/b/@id" }, pay = { css = "i" } }
        "#,
        Shape {
            name: "ranges of the source",
            build: |n| format!("<ul>{}", each(n, |at| format!("<li><b id=b{at}>{at}</b> <i>{at} EUR</i></li>"))),
            units: 1_250,
        },
    ),
    (
        r#"
        [list.nodes]
        records = { css = "p", without = ".ad" }
        [list.absolute]
        records = { css = "p", without = "//*[@class='ad']" }
        [list.runs]
        records = { css = "h3", until = "next", without = ".ad" }
        field = { title = "h3", last = "p" }
        [list.ranges]
        records = { landmark = { each = "<h3>" }, without = ".ad" }
        field = { bold = "b" }
        [list.bodies]
        records = { landmark = { start = "</h3>", end = "<p>" }, without = ".ad" }
        "#,
        Shape {
            name: "parts left out",
            build: |n| {
                let part =
                    |at| format!("<h3>{at}</h3>text <b>{at}</b><i class=ad>ad</i> more<p>last<u class=ad>x</u></p>");
                format!("<div>{}", each(n, part))
            },
            units: 1_250,
        },
    ),
    (
        r#"
        [list.parts]
        records = { split = "<p>" }
        [list.parts.list.rows]
        records = { table = true }
        optional = true
        "#,
        Shape {
            name: "a table looked for in many ranges",
            build: |n| "<p>x".repeat(n) + "<table><tr><td>1</table>",
            units: 6_250,
        },
    ),
];

/// A shop before and after its relaunch, and the wrapper of the old one, for `windrow_learn::repair`.
#[derive(Debug, Clone, Copy)]
pub struct Relaunch {
    /// The wrapper of the old page.
    pub rules: &'static str,
    /// The old page, so many offers long.
    pub before: fn(usize) -> String,
    /// The new page, so many offers long.
    pub now: fn(usize) -> String,
}

/// Offers that differ by a number in their titles alone.
pub const RELAUNCH: Relaunch = Relaunch {
    rules: r#"
[list.offers]
records = "li.ad"

[list.offers.field]
title = { css = "h2 a" }
title_link = { css = "h2 a::attr(href)", type = "url" }
price = { css = ".price", type = "money" }
place = { css = ".place", optional = true }

[list.offers.list.tags]
records = { css = ".tags li" }
optional = true
"#,
    before: |count| {
        let offers = each(count, |at| {
            let (price, tag) = (at % 90 + 10, ["hay", "wood", "nets"][at % 3]);
            format!(
                "<li class=ad><h2><a href='/ad/{at}'>Offer number {at} of the barn</a></h2><b class=price>€ {price}</b>\
                 <span class=place>Ribe</span><ul class=tags><li>{tag}</li><li>hay</li></ul></li>"
            )
        });
        format!("<ul>{offers}")
    },
    now: |count| {
        let offers = each(count, |at| {
            let (price, tag) = (at % 90 + 10, ["hay", "wood", "nets"][at % 3]);
            format!(
                "<article><em>€ {price}</em><h3><a href='/ad/{at}'>Offer number {at} of the barn</a></h3><i>Ribe</i>\
                 <p><u>{tag}</u><u>hay</u></p></article>"
            )
        });
        format!("<main>{offers}")
    },
};
