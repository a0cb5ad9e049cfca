//! Where a list goes on: each rule on a small page, and the labelled pages of the corpus beside the repository.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use url::Url;
use windrow_dom::{Document, ParseOptions};
use windrow_learn::next;
use windrow_testkit::{hostile, shared};

/// Checks the next page, as its path and query and what says so.
#[track_caller]
fn check(address: &str, html: &str, expected: &Expect) {
    let next = next::page(&Document::parse(html), &Url::parse("https://example.org/").unwrap().join(address).unwrap());
    let shown = next.map_or("nothing".to_owned(), |next| format!("{} {:?}", short(&next.url), next.why));
    expected.assert_eq(&shown);
}

fn short(url: &Url) -> &str {
    &url[url::Position::BeforePath..]
}

#[test]
fn machines_are_told() {
    check("/list", "<link rel=next href='/list?page=2'><p>x", &expect!["/list?page=2 Rel"]);
    check("/list", "<a rel='nofollow next' href='?after=t3_x'>on we go", &expect!["/list?after=t3_x Rel"]);
    check("/list?page=2", "<link rel=next href='?page=1'>", &expect!["nothing"]);
}

#[test]
fn neighbours_of_entries_are_no_pages() {
    check("/2024/05/snow", "<link rel=next title='Thaw' href='/2024/06/thaw'>", &expect!["nothing"]);
    check("/2024/05/snow", "<link rel=next href='/2024/06/thaw'>", &expect!["nothing"]);
    check(
        "/2024/05/snow",
        "<nav class=post-navigation><div class=nav-links><a rel=next href='/2024/06/thaw'>Next</a></div></nav>",
        &expect!["nothing"],
    );
    check("/2024/05/snow", "<p><a href='/2024/06/thaw'>Next article</a>", &expect!["nothing"]);
}

#[test]
fn words_in_a_pager() {
    check("/list", "<div class=pager><a href='/b'>Back</a> <a href='/c'>Next</a></div>", &expect!["/c Words"]);
    check(
        "/liste?seite=2",
        "<p><a href='?seite=1'>Zurück</a> <a href='?seite=3'>Weiter »</a>",
        &expect!["/liste?seite=3 Words"],
    );
    check("/a/", "<ul class=sunpage><li><a href='list_70_2.html'>下一页</a></ul>", &expect!["/a/list_70_2.html Words"]);
    check(
        "/l",
        "<ul class=pagination><li class=next><a href='?start=20' title='Página siguiente'><i></i></a></ul>",
        &expect!["/l?start=20 Words"],
    );
    // Words alone may lead anywhere.
    check("/list", "<p>And <a href='/elsewhere'>next</a> we go", &expect!["nothing"]);
}

#[test]
fn older_is_onwards_whatever_the_arrow() {
    check(
        "/blog/page/2/",
        "<div class=pagination><a href='/blog/page/3/'>← Older posts</a> <a href='/blog/'>Newer posts →</a></div>",
        &expect!["/blog/page/3/ Words"],
    );
    check("/blog/", "<p><a href='/blog/page/2/'>« Previous Entries</a>", &expect!["/blog/page/2/ Words"]);
    check("/blog/page/2/", "<p><a href='/blog/'>« Previous Entries</a>", &expect!["nothing"]);
}

#[test]
fn arrows() {
    let pager =
        "<p class=pages><a href='?p=1'>«</a> <a href='?p=1'>‹</a> <a href='?p=3'>›</a> <a href='?p=9'>»</a></p>";
    check("/list?p=2", pager, &expect!["/list?p=3 Arrow"]);
    check("/list", "<div class=carousel><a href='?page=2'>›</a></div>", &expect!["nothing"]);
    check("/day", "<div class=calendar-nav><a href='?month=6'>»</a></div>", &expect!["nothing"]);
    check("/list", "<p><a href='/shop'>Shop</a> <a href='/all'>»</a>", &expect!["nothing"]);
    // Days have arrows on both sides, too.
    check("/day", "<p><a href='?bd=17&y=4'>&lt;</a> <a href='?bd=19&y=4'>&gt;</a>", &expect!["nothing"]);
    check("/list", "<p><a href='/a?x'>Previous</a> <a href='/b?x'>Next</a>", &expect!["/b?x Words"]);
}

#[test]
fn numbers() {
    let row = "<div><a href='?s=0'>1</a> <b>2</b> <a href='?s=20'>3</a> <a href='?s=30'>4</a></div>";
    check("/list?s=10", row, &expect!["/list?s=20 Number"]);
    let marked = "<ul><li class=active><a href='/x/a'>1</a><li><a href='/x/b'>2</a><li><a href='/x/c'>3</a></ul>";
    check("/x", marked, &expect!["/x/b Number"]);
    let current =
        "<nav><a href='/q?page=1'>1</a><a aria-current=page href='/q?page=2'>2</a><a href='/q?page=3'>3</a></nav>";
    check("/q?page=2", current, &expect!["/q?page=3 Number"]);
    // Nothing is marked, but the addresses count.
    check(
        "/list/",
        "<p>Page <a href='/list/page/2/'>2</a> <a href='/list/page/3/'>3</a>",
        &expect!["/list/page/2/ Number"],
    );
    // The last page.
    check("/list?s=30", "<div><a href='?s=10'>1</a> <a href='?s=20'>2</a> <b>3</b></div>", &expect!["nothing"]);
}

#[test]
fn numbers_of_something_else() {
    // A thread's pages, on the page that lists threads.
    let threads = "<table><tr><td>Snow <a href='/t/5'>1</a> <a href='/t/5/2'>2</a> <a href='/t/5/3'>3</a></table>";
    check("/forum", threads, &expect!["nothing"]);
    // Records to a page.
    check("/list", "<p>Show 10 <a href='?n=20'>20</a> <a href='?n=40'>40</a>", &expect!["nothing"]);
    // Days.
    let days: String = (2..=30).map(|day| format!("<td><a href='/2024/05/{day}'>{day}</a>")).collect();
    check("/2024/05/1", &format!("<table><tr><td><b>1</b>{days}</table>"), &expect!["nothing"]);
}

#[test]
fn loading_more() {
    check(
        "/search?q=a",
        "<a class=btn href='?q=a&startIndex=20'>More stories</a>",
        &expect!["/search?q=a&startIndex=20 More"],
    );
    check("/list", "<button class=load-more data-url='/list?page=2'>Load more</button>", &expect!["/list?page=2 More"]);
    check(
        "/list",
        "<div hx-get='/ajax/list?page=2' class=load-more>加载更多</div>",
        &expect!["/ajax/list?page=2 More"],
    );
    let form = "<form action=/list><input type=hidden name=q value=a><input type=hidden name=page value=2><button>Next</button></form>";
    check("/list?q=a", form, &expect!["/list?q=a&page=2 More"]);
    check("/", "<nav><a href='/more/'>More</a></nav>", &expect!["nothing"]);
    check("/list", "<form method=post action='?page=2'><button>Next</button></form>", &expect!["nothing"]);
}

#[test]
fn only_pages_of_this_site() {
    let pager = |href: &str| format!("<div class=pager><a href='{href}'>Next page</a></div>");
    for href in [
        "javascript:next()",
        "mailto:a@example.org",
        "#",
        "#top",
        "https://elsewhere.test/list?page=2",
        "",
        "ftp://example.org/2",
    ] {
        check("/list", &pager(href), &expect!["nothing"]);
    }
    // The page itself, spelled differently.
    check("/list?page=2&utm_source=a", &pager("/l%69st?page=2#list"), &expect!["nothing"]);
    check("/list", &pager("https://www.example.org/list?page=2"), &expect!["/list?page=2 Words"]);
    check(
        "/list",
        "<base href='/shop/'><div class=pager><a href='?page=2'>Next page</a></div>",
        &expect!["/shop/?page=2 Words"],
    );
}

#[test]
fn all_pages_of_a_pager() {
    let html = "<div class=pager><a href='?page=1'>1</a> <b>2</b> <a href='?page=3'>3</a> <a href='?page=9'>9</a>
        <a href='?page=3'>Next</a></div>";
    let pages = |address: &str, html: &str| {
        let pages = next::pages(&Document::parse(html), &Url::parse(address).unwrap());
        pages.iter().map(|page| format!("{} {:?}", short(&page.url), page.why)).collect::<Vec<_>>().join("\n")
    };
    expect![[r#"
        /list?page=1 Number
        /list?page=3 Words
        /list?page=9 Number"#]]
    .assert_eq(&pages("http://example.org/list?page=2", html));
    let last = "<div class=pager><a href='?page=1'>1</a> <a href='?page=2'>2</a> <b>3</b></div>";
    expect![[r#"
        /list?page=1 Number
        /list?page=2 Number"#]]
    .assert_eq(&pages("http://example.org/list?page=3", last));
    expect![[""]].assert_eq(&pages("http://example.org/list", "<p>1 2 3"));
}

/// Deep, wide and long pages. The program `growth` of `crates/bench` times them.
#[test]
fn hostile_pages_are_read() {
    let mut out = String::new();
    for shape in hostile::PAGERS {
        let pages = next::pages(&Document::parse(shape.large()), &Url::parse("https://example.org/list").unwrap());
        let shown: Vec<String> = pages.iter().map(|page| format!("{} {:?}", short(&page.url), page.why)).collect();
        let _ =
            writeln!(out, "{}: {}", shape.name, if shown.is_empty() { "none".to_owned() } else { shown.join(", ") });
    }
    expect![[r#"
        deep: none
        wide: none
        nested: none
        rows: /list?page=2 Number
    "#]]
    .assert_eq(&out);
}

#[test]
fn our_own_weblog_goes_on() {
    let path = shared::own_pages().into_iter().find(|path| path.ends_with("blog/home.html")).unwrap();
    let document = Document::from_bytes(std::fs::read(path).unwrap(), &ParseOptions::default());
    let next = next::page(&document, &Url::parse("https://example.org/").unwrap());
    assert_eq!(next.map(|next| short(&next.url).to_owned()).as_deref(), Some("/page/2/"));
}

/// How the labelled pages come out.
#[derive(Default)]
struct Tally {
    right: usize,
    wrong: usize,
    missed: usize,
    invented: usize,
    rightly_none: usize,
}

impl Tally {
    fn precision(&self) -> f64 {
        self.right as f64 / (self.right + self.wrong + self.invented).max(1) as f64
    }

    fn recall(&self) -> f64 {
        self.right as f64 / (self.right + self.wrong + self.missed).max(1) as f64
    }
}

#[test]
#[allow(clippy::print_stderr)] // The figures, for whoever runs it by hand.
fn labelled_pages() {
    let Some(corpus) = shared::find("corpus") else {
        shared::not_checked("corpus");
        return;
    };
    let truth = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/next/truth.toml");
    let truth: toml_edit::DocumentMut = std::fs::read_to_string(truth).unwrap().parse().unwrap();
    let mut tallies = [Tally::default(), Tally::default()];
    let mut report = String::new();
    for page in truth["page"].as_array_of_tables().unwrap() {
        let text = |key: &str| page.get(key).map(|value| value.as_str().unwrap());
        let file = text("file").unwrap();
        let address = Url::parse(text("address").unwrap()).unwrap();
        let document = Document::from_bytes(std::fs::read(corpus.join(file)).unwrap(), &ParseOptions::default());
        let found = next::page(&document, &address);
        let found_url = found.as_ref().map(|next| next::canonical(&next.url));
        let expected = text("next").map(|url| next::canonical(&Url::parse(url).unwrap()));
        let tally = &mut tallies[usize::from(page.contains_key("held_out"))];
        let count = match (&found_url, &expected) {
            (Some(found), Some(expected)) if found == expected => &mut tally.right,
            (Some(_), Some(_)) => &mut tally.wrong,
            (None, Some(_)) => &mut tally.missed,
            (Some(_), None) => &mut tally.invented,
            (None, None) => &mut tally.rightly_none,
        };
        *count += 1;
        if found_url != expected {
            let url = |url: &Option<Url>| url.as_ref().map_or("none".to_owned(), Url::to_string);
            let why = found.map_or(String::new(), |next| format!(" ({:?})", next.why));
            let _ = writeln!(report, "{file}\n  found {}{why}\n  is    {}", url(&found_url), url(&expected));
        }
    }
    for (name, tally) in ["development", "held out"].into_iter().zip(&tallies) {
        let Tally { right, wrong, missed, invented, rightly_none } = tally;
        let _ = writeln!(
            report,
            "{name}: {right} right, {wrong} wrong, {missed} missed, {invented} invented, {rightly_none} rightly none; precision {:.3}, recall {:.3}",
            tally.precision(),
            tally.recall()
        );
    }
    eprintln!("{report}");
    assert!(tallies[0].precision() >= 0.97 && tallies[0].recall() >= 0.97, "{report}");
    assert!(tallies[1].precision() >= 0.96 && tallies[1].recall() >= 0.90, "{report}");
}
