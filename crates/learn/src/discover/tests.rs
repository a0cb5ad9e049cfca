//! Small pages, the wrapper that is written for each, and what it finds.

use expect_test::{Expect, expect};
use windrow_dom::Document;
use windrow_wrapper::{Extractor, Objects, Page, files};

use super::discover;

/// The main list's wrapper as TOML, and its records, one a line.
fn check(html: &str, expected: Expect) {
    fn line(objects: Objects<'_>, out: &mut String) {
        for object in objects {
            match object.is_set() {
                true => {
                    out.push_str(&format!(" {}{{", object.label()));
                    line(object.objects(), out);
                    out.push_str(" }");
                }
                false => out.push_str(&format!(" {}={:?}", object.label(), object.text())),
            }
        }
    }
    let document = Document::parse(html);
    let mut out = String::new();
    for wrapper in discover(&document, 1) {
        out.push_str(&files::write(&wrapper, files::Format::Toml).unwrap());
        let extraction = Extractor::new(&wrapper).unwrap().extract(Page::from_text("page", html));
        for record in extraction.objects() {
            line(record.objects(), &mut out);
            out.push('\n');
        }
    }
    expected.assert_eq(&out);
}

#[test]
fn the_list_is_found_and_the_menu_is_not() {
    check(
        "<nav><ul><li><a href=/>Home</a><li><a href=/s>Search</a><li><a href=/h>Help</a></ul></nav>\
         <div class=r><h3>Oslo in the snow</h3><p class=pop>709037</p></div>\
         <div class=ad>Umbrellas!</div>\
         <div class=r><h3>Rome in the rain</h3><p class=pop>2873494</p></div>\
         <div class=r><h3>Wien at night</h3></div>\
         <div class=r><h3>Bern by boat</h3><p class=pop>134591</p></div>",
        expect![[r#"
            learned = { by = "discover" }

            [list.records]
            records = { case = [".r:has(h3, .pop)", "div:has(h3, .pop)"] }

            [list.records.field]
            title = { css = "h3" }
            pop = { css = ".pop", type = "number", optional = true }
             title="Oslo in the snow" pop="709037"
             title="Rome in the rain" pop="2873494"
             title="Wien at night"
             title="Bern by boat" pop="134591"
        "#]],
    );
}

#[test]
fn sublists_of_any_length_are_lists() {
    check(
        "<ul class=ads><li><h2>Babysitter wanted</h2><ul class=seen><li>here 1<li>there 2<li>elsewhere 3</ul>\
         <li><h2>Nanny and driver</h2><ul class=seen><li>only here 4</ul>\
         <li><h2>Cook for a castle</h2><ul class=seen><li>nowhere 5<li>anywhere 6</ul></ul>",
        expect![[r#"
            learned = { by = "discover" }

            [list.ads]
            records = { case = [".ads li:has(h2)", "li:has(h2)"] }

            [list.ads.field]
            title = { css = "h2" }

            [list.ads.list.seen]
            records = { css = ".seen li" }
            optional = true
             title="Babysitter wanted" seen="here 1" seen="there 2" seen="elsewhere 3"
             title="Nanny and driver" seen="only here 4"
             title="Cook for a castle" seen="nowhere 5" seen="anywhere 6"
        "#]],
    );
}

#[test]
fn rows_of_a_table_without_its_header() {
    check(
        "<table><tr><th>City<th>People<tr><td>Oslo<td>709037<tr class=odd><td>Rome<td>2873494<tr><td>Bern<td>134591</table>",
        expect![[r#"
            learned = { by = "discover" }

            [list.records]
            records = "tr:has(> td:nth-child(2))"

            [list.records.field]
            city = { css = "td:nth-child(1)" }
            people = { css = "td:nth-child(2)", type = "number" }
             city="Oslo" people="709037"
             city="Rome" people="2873494"
             city="Bern" people="134591"
        "#]],
    );
}

#[test]
fn a_page_without_a_list_has_none() {
    check("<h1>About us</h1><p>We rake hay.</p>", expect![[r#""#]]);
    check("", expect![[r#""#]]);
}

#[test]
fn records_over_siblings() {
    check(
        "<dl><dt>Oslo<dd class=a>the capital of Norway<dd class=b>709037<dt>Rome<dd class=a>the eternal city<dd class=b>2873494\
         <dt>Bern<dd class=a>seat of the Swiss council<dd class=b>134591</dl>",
        expect![[r#"
            learned = { by = "discover" }

            [list.records]
            records = { find = "dt", until = "next" }

            [list.records.field]
            text = { css = "dt" }
            text_2 = { css = ".a" }
            number = { css = ".b", type = "number" }
             text="Oslo" text_2="the capital of Norway" number="709037"
             text="Rome" text_2="the eternal city" number="2873494"
             text="Bern" text_2="seat of the Swiss council" number="134591"
        "#]],
    );
}

#[test]
fn records_of_thousands_of_kinds_end_soon() {
    let record =
        |number: usize| (0..20_000).map(|kind| format!("<x{kind}>w {number} {kind}</x{kind}>")).collect::<String>();
    let page = format!("<ul><li>{}<li>{}</ul>", record(1), record(2));
    let wrappers = discover(&Document::parse(page), 1);
    assert!(wrappers.iter().all(|wrapper| wrapper.rules[0].rules.len() <= 200));
}

#[test]
fn a_text_is_not_chopped() {
    check(
        "<ul><li><h3><a href=/1>Rakes</a></h3><p class=d>All <b>hay</b> rakes, new and <i>old</i></p>\
         <li><h3><a href=/2>Scythes</a></h3><p class=d>Sharp<br>and light</p>\
         <li><h3><a href=/3>Wagons</a></h3><p class=d>For <b>hay</b>; see <a href=/r>rakes</a>, too</p>\
         <li><h3><a href=/4>Twine</a></h3><p class=d>Twelve rolls</p></ul>",
        expect![[r#"
            learned = { by = "discover" }

            [list.records]
            records = "li:has(h3 a, .d, .d a)"

            [list.records.field]
            name = { css = "h3 a" }
            name_link = { css = "h3 a::attr(href)", type = "url" }
            text = { css = ".d" }
            text_link = { css = ".d a::attr(href)", type = "url", optional = true }
             name="Rakes" name_link="/1" text="All hay rakes, new and old"
             name="Scythes" name_link="/2" text="Sharp and light"
             name="Wagons" name_link="/3" text="For hay; see rakes, too" text_link="/r"
             name="Twine" name_link="/4" text="Twelve rolls"
        "#]],
    );
}

#[test]
fn pieces_that_all_records_have_are_columns() {
    check(
        "<p class=c><a href=/1>Oslo</a> <b>Norway</b> 3 May 2024<br>Snow on the hills</p>\
         <p class=c><a href=/2>Rome</a> <b>Italy</b> 4 May 2024<br>Rain in the streets</p>\
         <p class=c><a href=/3>Bern</a> <b>Switzerland</b> 5 May 2024<br>Fog over the river</p>",
        expect![[r#"
            learned = { by = "discover" }

            [list.records]
            records = { case = [".c", "p:has(a)"] }

            [list.records.field]
            name = { css = "a" }
            name_link = { css = "a::attr(href)", type = "url" }
            text = { css = "b" }
            date = { xpath = "text()[normalize-space()][1]", type = "date" }
            text_2 = { xpath = "text()[normalize-space()][2]" }
             name="Oslo" name_link="/1" text="Norway" date="3 May 2024" text_2="Snow on the hills"
             name="Rome" name_link="/2" text="Italy" date="4 May 2024" text_2="Rain in the streets"
             name="Bern" name_link="/3" text="Switzerland" date="5 May 2024" text_2="Fog over the river"
        "#]],
    );
}

#[test]
fn a_date_in_lines_is_one_value() {
    check(
        "<ul><li><div class=d><b>17</b><br>May<br>2016</div><h3>Mowing begins</h3>\
         <li><div class=d><b>3</b><br>June<br>2016</div><h3>Rain again</h3>\
         <li><div class=d><b>9</b><br>July<br>2016</div><h3>All is dry</h3></ul>",
        expect![[r#"
            learned = { by = "discover" }

            [list.records]
            records = "li:has(.d, h3)"

            [list.records.field]
            date = { css = ".d", type = "date" }
            title = { css = "h3" }
             date="17 May 2016" title="Mowing begins"
             date="3 June 2016" title="Rain again"
             date="9 July 2016" title="All is dry"
        "#]],
    );
}

#[test]
fn a_cell_is_a_link_here_and_a_text_there() {
    check(
        "<table><tr><th>Farm<th>Keeper<tr><td>North<td><a href=/ann>Ann</a><tr><td>South<td>Bo<tr><td>East<td>Cy\
         <tr><td>West<td><a href=/di>Di</a></table>",
        expect![[r#"
            learned = { by = "discover" }

            [list.records]
            records = "tr:has(> td:nth-child(2))"

            [list.records.field]
            farm = { css = "td:nth-child(1)" }
            keeper = { css = "td:nth-child(2)" }
            keeper_link = { css = "td:nth-child(2) a::attr(href)", type = "url", optional = true }
             farm="North" keeper="Ann" keeper_link="/ann"
             farm="South" keeper="Bo"
             farm="East" keeper="Cy"
             farm="West" keeper="Di" keeper_link="/di"
        "#]],
    );
}

#[test]
fn labelled_lines_are_fields() {
    check(
        "<ul><li><h3>Ann Field</h3><p>Phone: 555 0172<br>Fax: 555 0173<br>Town: Oslo</p>\
         <li><h3>Bo Marsh</h3><p>Phone: 555 0180<br>Town: Rome</p>\
         <li><h3>Cy Barn</h3><p>Phone: 555 0190<br>Fax: 555 0191<br>Town: Bern</p>\
         <li><h3>Di Yard</h3><p>Town: Wien</p></ul>",
        expect![[r#"
            learned = { by = "discover" }

            [list.records]
            records = "li:has(h3)"

            [list.records.field]
            title = { css = "h3" }
            phone = { css = "p", then = { case = [{ landmark = { start = '"Phone:"', end = "<br>" } }, { landmark = { start = '"Phone:"' } }] }, optional = true }
            fax = { css = "p", then = { case = [{ landmark = { start = '"Fax:"', end = "<br>" } }, { landmark = { start = '"Fax:"' } }] }, optional = true }
            town = { css = "p", then = { case = [{ landmark = { start = '"Town:"', end = "<br>" } }, { landmark = { start = '"Town:"' } }] } }
             title="Ann Field" phone="555 0172" fax="555 0173" town="Oslo"
             title="Bo Marsh" phone="555 0180" town="Rome"
             title="Cy Barn" phone="555 0190" fax="555 0191" town="Bern"
             title="Di Yard" town="Wien"
        "#]],
    );
}

#[test]
fn one_text_with_several_fields() {
    let records: String = [
        ("Fox v. Hen", 17, "May 3, 2024"),
        ("Ox v. Ass", 18, "June 5, 2024"),
        ("Cat v. Dog", 25, "July 9, 2024"),
        ("Rat v. Mouse", 31, "July 10, 2024"),
    ]
    .iter()
    .map(|(title, number, date)| {
        format!("<li><a href=/{number}>{title}</a>, Case No. {number}, Filed {date}, 2024 UT {number}")
    })
    .collect();
    check(
        &format!("<ul>{records}</ul>"),
        expect![[r#"
            learned = { by = "discover" }

            [list.records]
            records = "li:has(a)"

            [list.records.field]
            name = { css = "a" }
            name_link = { css = "a::attr(href)", type = "url" }
            case_no = { xpath = "text()[normalize-space()][1]", match = '^.*?, \s*Case No\.(.*?), .*$' }
            filed = { xpath = "text()[normalize-space()][1]", match = '^.*?, .*?, \s*Filed((?:.*?, ){1}.*?), .*$', type = "date" }
            text = { xpath = "text()[normalize-space()][1]", match = "^.*?, .*?, (?:.*?, ){1}.*?, (.*)$" }
             name="Fox v. Hen" name_link="/17" case_no="17" filed="May 3, 2024" text="2024 UT 17"
             name="Ox v. Ass" name_link="/18" case_no="18" filed="June 5, 2024" text="2024 UT 18"
             name="Cat v. Dog" name_link="/25" case_no="25" filed="July 9, 2024" text="2024 UT 25"
             name="Rat v. Mouse" name_link="/31" case_no="31" filed="July 10, 2024" text="2024 UT 31"
        "#]],
    );
}

#[test]
fn labelled_values_are_fields_whether_all_have_them_or_not() {
    let card = |name: &str, rows: &[(&str, &str)]| {
        let row = |(label, value): &(&str, &str)| {
            format!("<li class=is-{}><b class=l>{label}</b><i class=v>{value}</i></li>", label.to_lowercase())
        };
        format!(
            "<div class=card><h3>{name}</h3><ul class=facts>{}</ul></div>",
            rows.iter().map(row).collect::<String>()
        )
    };
    let varied = [
        card("North barn", &[("Area", "12 ha"), ("Cuts", "2"), ("Keeper", "Ann")]),
        card("South barn", &[("Area", "9 ha"), ("Phone", "555 0172")]),
        card("East barn", &[("Cuts", "3"), ("Keeper", "Bo"), ("Phone", "555 0180")]),
        card("West barn", &[("Area", "4 ha"), ("Cuts", "1")]),
    ];
    check(
        &varied.concat(),
        expect![[r#"
            learned = { by = "discover" }

            [list.records]
            records = { case = [".card:has(h3, .is-area .v, .is-phone .v)", "div:has(h3, .is-area .v, .is-phone .v)"] }

            [list.records.field]
            title = { css = "h3" }
            area = { css = ".is-area .v", optional = true }
            phone = { css = ".is-phone .v", optional = true }
            cuts = { css = ".is-cuts .v", type = "number", optional = true }
            keeper = { css = ".is-keeper .v", optional = true }
             title="North barn" area="12 ha" cuts="2" keeper="Ann"
             title="South barn" area="9 ha" phone="555 0172"
             title="East barn" phone="555 0180" cuts="3" keeper="Bo"
             title="West barn" area="4 ha" cuts="1"
        "#]],
    );
    let steady = [
        card("North barn", &[("Area", "12 ha"), ("Cuts", "2"), ("Keeper", "Ann")]),
        card("South barn", &[("Area", "9 ha"), ("Cuts", "4"), ("Keeper", "Cy")]),
        card("East barn", &[("Area", "3 ha"), ("Cuts", "3"), ("Keeper", "Bo")]),
    ];
    check(
        &steady.concat(),
        expect![[r#"
            learned = { by = "discover" }

            [list.records]
            records = { case = [".card:has(h3, .is-area .v, .is-cuts .v)", "div:has(h3, .is-area .v, .is-cuts .v)"] }

            [list.records.field]
            title = { css = "h3" }
            area = { css = ".is-area .v" }
            cuts = { css = ".is-cuts .v", type = "number" }
            keeper = { css = ".is-keeper .v" }
             title="North barn" area="12 ha" cuts="2" keeper="Ann"
             title="South barn" area="9 ha" cuts="4" keeper="Cy"
             title="East barn" area="3 ha" cuts="3" keeper="Bo"
        "#]],
    );
}

/// Pages of records with fields that come and go at random: whatever is learned, no value is another record's, and
/// what a record lacks is not there.
#[test]
fn values_stay_in_their_records() {
    let mut state = 7u64;
    let mut chance = move |of: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % of
    };
    for _ in 0..60 {
        let count = 3 + chance(12) as usize;
        let mut html = String::from("<div id=all>");
        let mut lacking = Vec::new();
        for record in 0..count {
            let mut own = format!("<h3>title of r{record}x</h3>");
            let town = chance(2) == 0;
            lacking.push(!town);
            if town {
                own += &format!("<i class=town>town r{record}x</i>");
            }
            for line in 0..chance(3) {
                own += &format!("<p>line {line} <b>of</b> r{record}x<br>more r{record}x</p>");
            }
            if chance(2) == 0 {
                own += &format!("<span>bare r{record}x</span> text r{record}x");
            }
            for tag in 0..chance(4) {
                own += &format!("<a class=tag href=/{tag}>tag {tag} r{record}x</a>");
            }
            html += &format!("<div class=r>{own}</div>");
        }
        html += "</div>";
        let document = Document::parse(html.as_str());
        for wrapper in discover(&document, 1) {
            let extraction = Extractor::new(&wrapper).unwrap().extract(Page::from_text("page", html.as_str()));
            for record in extraction.objects() {
                let mut texts = Vec::new();
                gather(record.objects(), &mut texts);
                let mark = |text: &str| {
                    let from = text.find(" r").or(text.starts_with('r').then_some(0))?;
                    text[from..].split('x').next().map(|mark| mark.trim().to_owned())
                };
                let mut marks: Vec<String> = texts.iter().filter_map(|(_, text)| mark(text)).collect();
                marks.dedup();
                assert!(marks.len() <= 1, "{marks:?} in one record of {html}");
                let number = marks.first().and_then(|mark| mark[1..].parse::<usize>().ok());
                if let Some(number) = number
                    && lacking[number]
                {
                    assert!(!texts.iter().any(|(name, _)| name == "town"), "a town in r{number} of {html}");
                }
            }
        }
    }
}

/// The records of a page's main list, one a line; values of sublists in brackets.
fn records(html: &str) -> String {
    fn line(objects: Objects<'_>) -> String {
        let told = objects.map(|object| match object.is_set() {
            true => format!("{}[{}]", object.label(), line(object.objects())),
            false => format!("{}={}", object.label(), object.text()),
        });
        told.collect::<Vec<_>>().join(" ")
    }
    let document = Document::parse(html);
    let Some(wrapper) = discover(&document, 1).into_iter().next() else { return String::new() };
    let extraction = Extractor::new(&wrapper).unwrap().extract(Page::from_text("page", html));
    extraction.objects().map(|record| line(record.objects()) + "\n").collect()
}

/// A page of jobs, each with what stands behind its title.
fn jobs(details: &[&str]) -> String {
    let titles = ["Smith wanted", "Cook for the summer", "Baker at night", "Joiner in town", "Miller by the sea"];
    let job = |(title, detail): (&&str, &&str)| format!("<div class=job><h3>{title}</h3>{detail}</div>");
    titles.iter().zip(details).map(job).collect()
}

#[test]
fn items_with_a_class_of_their_own_are_one_list() {
    let page = jobs(&[
        "<div class=tags><span class='tag t-iron'>iron</span><span class='tag t-fire'>fire</span></div>",
        "<div class=tags><span class='tag t-fire'>fire</span></div>",
        "<div class=tags><span class='tag t-flour'>flour</span><span class='tag t-fire'>fire</span></div>",
        "<div class=tags><span class='tag t-wood'>wood</span><span class='tag t-iron'>iron</span></div>",
        "<div class=tags><span class='tag t-wood'>wood</span><span class='tag t-flour'>flour</span></div>",
    ]);
    expect![[r#"
        title=Smith wanted tag=iron tag=fire
        title=Cook for the summer tag=fire
        title=Baker at night tag=flour tag=fire
        title=Joiner in town tag=wood tag=iron
        title=Miller by the sea tag=wood tag=flour
    "#]]
    .assert_eq(&records(&page));
}

#[test]
fn a_last_item_with_another_class_belongs_to_the_list() {
    let page = jobs(&[
        "<ul><li class=item>iron<li class=item>fire<li class=end>coal</ul>",
        "<ul><li class=end>salt</ul>",
        "<ul><li class=item>flour<li class=end>fire</ul>",
        "<ul><li class=item>wood<li class=item>glue<li class=end>nails</ul>",
        "<ul><li class=end>grain</ul>",
    ]);
    expect![[r#"
        title=Smith wanted items=iron items=fire items=coal
        title=Cook for the summer items=salt
        title=Baker at night items=flour items=fire
        title=Joiner in town items=wood items=glue items=nails
        title=Miller by the sea items=grain
    "#]]
    .assert_eq(&records(&page));
}

#[test]
fn a_list_laid_out_in_two_columns_is_one() {
    let page = jobs(&[
        "<div class=c><ul><li>iron<li>fire</ul><ul><li>coal</ul></div>",
        "<div class=c><ul><li>salt</ul><ul><li>soup<li>fish</ul></div>",
        "<div class=c><ul><li>flour</ul><ul><li>fire</ul></div>",
        "<div class=c><ul><li>wood<li>glue</ul><ul><li>nails</ul></div>",
        "<div class=c><ul><li>grain<li>sacks</ul><ul><li>wind</ul></div>",
    ]);
    expect![[r#"
        title=Smith wanted items=iron items=fire items=coal
        title=Cook for the summer items=salt items=soup items=fish
        title=Baker at night items=flour items=fire
        title=Joiner in town items=wood items=glue items=nails
        title=Miller by the sea items=grain items=sacks items=wind
    "#]]
    .assert_eq(&records(&page));
}

#[test]
fn a_row_of_headers_is_no_item() {
    let page = jobs(&[
        "<table><tr><th>Tool<th>Price<tr><td>Hammer<td>12<tr><td>Tongs<td>9</table>",
        "<table><tr><th>Tool<th>Price<tr><td>Spoon<td>2</table>",
        "<table><tr><th>Tool<th>Price<tr><td>Peel<td>20<tr><td>Bowl<td>7<tr><td>Tin<td>3</table>",
        "<table><tr><th>Tool<th>Price<tr><td>Saw<td>31<tr><td>Plane<td>44</table>",
        "<table><tr><th>Tool<th>Price<tr><td>Stone<td>200</table>",
    ]);
    expect![[r#"
        title=Smith wanted items[tool=Hammer price=12] items[tool=Tongs price=9]
        title=Cook for the summer items[tool=Spoon price=2]
        title=Baker at night items[tool=Peel price=20] items[tool=Bowl price=7] items[tool=Tin price=3]
        title=Joiner in town items[tool=Saw price=31] items[tool=Plane price=44]
        title=Miller by the sea items[tool=Stone price=200]
    "#]]
    .assert_eq(&records(&page));
}

#[test]
fn terms_that_records_share_are_columns() {
    let page = jobs(&[
        "<dl><dt>Pay<dd>12 a day<dt>Start<dd>in May</dl>",
        "<dl><dt>Start<dd>at once<dt>Hours<dd>ten</dl>",
        "<dl><dt>Pay<dd>9 a day<dt>Start<dd>in June<dt>Hours<dd>eight</dl>",
        "<dl><dt>Pay<dd>14 a day</dl>",
        "<dl><dt>Hours<dd>nine</dl>",
    ]);
    expect![[r#"
        title=Smith wanted pay=12 a day start=in May
        title=Cook for the summer start=at once hours=ten
        title=Baker at night pay=9 a day start=in June hours=eight
        title=Joiner in town pay=14 a day
        title=Miller by the sea hours=nine
    "#]]
    .assert_eq(&records(&page));
}

#[test]
fn terms_of_their_own_are_a_list_of_pairs() {
    let page = jobs(&[
        "<h4>Hammer</h4><p>heavy</p><h4>Tongs</h4><p>long</p>",
        "<h4>Spoon</h4><p>wooden</p>",
        "<h4>Peel</h4><p>broad</p><h4>Bowl</h4><p>deep</p><h4>Tin</h4><p>round</p>",
        "<h4>Saw</h4><p>sharp</p><h4>Plane</h4><p>flat</p>",
        "<h4>Stone</h4><p>old</p>",
    ]);
    expect![[r#"
        title=Smith wanted items[title=Hammer text=heavy] items[title=Tongs text=long]
        title=Cook for the summer items[title=Spoon text=wooden]
        title=Baker at night items[title=Peel text=broad] items[title=Bowl text=deep] items[title=Tin text=round]
        title=Joiner in town items[title=Saw text=sharp] items[title=Plane text=flat]
        title=Miller by the sea items[title=Stone text=old]
    "#]]
    .assert_eq(&records(&page));
}

#[test]
fn a_link_marked_as_a_category_is_a_list_of_one() {
    let page = jobs(&[
        "<p>Posted in <a rel='category tag' href=/c/1>Craft</a></p>",
        "<p>Posted in <a rel='category tag' href=/c/2>Food</a></p>",
        "<p>Posted in <a rel='category tag' href=/c/2>Food</a></p>",
        "<p>Posted in <a rel='category tag' href=/c/1>Craft</a></p>",
        "<p>Posted in <a rel='category tag' href=/c/3>Mills</a></p>",
    ]);
    expect![[r#"
        title=Smith wanted text=Posted in items[name=Craft name_link=/c/1]
        title=Cook for the summer text=Posted in items[name=Food name_link=/c/2]
        title=Baker at night text=Posted in items[name=Food name_link=/c/2]
        title=Joiner in town text=Posted in items[name=Craft name_link=/c/1]
        title=Miller by the sea text=Posted in items[name=Mills name_link=/c/3]
    "#]]
    .assert_eq(&records(&page));
}

#[test]
fn a_label_names_the_list_behind_it() {
    let page = jobs(&[
        "<p>Needs: <a href=/1>iron</a>, <a href=/2>fire</a></p>",
        "<p>Needs: <a href=/3>salt</a></p>",
        "<p>Needs: <a href=/4>flour</a>, <a href=/2>fire</a>, <a href=/5>water</a></p>",
        "<p>Needs: <a href=/6>wood</a></p>",
        "<p>Needs: <a href=/7>wind</a>, <a href=/8>grain</a></p>",
    ]);
    expect![[r#"
        title=Smith wanted needs[name=iron name_link=/1] needs[name=fire name_link=/2]
        title=Cook for the summer needs[name=salt name_link=/3]
        title=Baker at night needs[name=flour name_link=/4] needs[name=fire name_link=/2] needs[name=water name_link=/5]
        title=Joiner in town needs[name=wood name_link=/6]
        title=Miller by the sea needs[name=wind name_link=/7] needs[name=grain name_link=/8]
    "#]]
    .assert_eq(&records(&page));
}

#[test]
fn columns_of_two_kinds_of_records_are_one() {
    let page = jobs(&[
        "<div class=top><b class=town>Oslo</b><i class=big>hot</i></div><p class=pay>12 a day</p>",
        "<footer><b class=town>Rome</b></footer><p class=pay>9 a day</p>",
        "<footer><b class=town>Bern</b></footer><p class=pay>11 a day</p>",
        "<div class=top><b class=town>Wien</b><i class=big>new</i></div><p class=pay>14 a day</p>",
        "<footer><b class=town>Lima</b></footer><p class=pay>8 a day</p>",
    ]);
    expect![[r#"
        title=Smith wanted town=Oslo text=hot pay=12 a day
        title=Cook for the summer town=Rome pay=9 a day
        title=Baker at night town=Bern pay=11 a day
        title=Joiner in town town=Wien text=new pay=14 a day
        title=Miller by the sea town=Lima pay=8 a day
    "#]]
    .assert_eq(&records(&page));
}

#[test]
fn a_number_and_its_unit_are_one_of_several_fields() {
    let page = jobs(&[
        "<p>2 rooms, 50 sqm, 800 €</p>",
        "<p>1 room, 31 sqm, 438 €</p>",
        "<p>3 rooms, 74 sqm, 990 €</p>",
        "<p>2 rooms, 55 sqm, 712 €</p>",
        "<p>4 rooms, 98 sqm, 1200 €</p>",
    ]);
    expect![[r#"
        title=Smith wanted text=2 rooms text_2=50 sqm amount=800 €
        title=Cook for the summer text=1 room text_2=31 sqm amount=438 €
        title=Baker at night text=3 rooms text_2=74 sqm amount=990 €
        title=Joiner in town text=2 rooms text_2=55 sqm amount=712 €
        title=Miller by the sea text=4 rooms text_2=98 sqm amount=1200 €
    "#]]
    .assert_eq(&records(&page));
}

#[test]
fn two_items_of_the_same_words_are_a_list() {
    let page = jobs(&[
        "<a class=tag>iron</a><a class=tag>fire</a>",
        "<a class=tag>fire</a><a class=tag>salt</a>",
        "<a class=tag>flour</a><a class=tag>iron</a>",
        "<a class=tag>wood</a><a class=tag>flour</a>",
        "<a class=tag>salt</a><a class=tag>wood</a>",
    ]);
    expect![[r#"
        title=Smith wanted tag=iron tag=fire
        title=Cook for the summer tag=fire tag=salt
        title=Baker at night tag=flour tag=iron
        title=Joiner in town tag=wood tag=flour
        title=Miller by the sea tag=salt tag=wood
    "#]]
    .assert_eq(&records(&page));
}

#[test]
fn badges_beside_some_titles_are_no_part_of_them() {
    let page = "<div class=n><h3><a href=/1><span class=hot>NEW</span>Oslo in the snow</a></h3><p>cold days</p></div>\
                <div class=n><h3><a href=/2>Rome in the rain</a></h3><p>wet days</p></div>\
                <div class=n><h3><a href=/3><span class=hot>NEW</span>Wien at night</a></h3><p>dark days</p></div>\
                <div class=n><h3><a href=/4>Bern by boat</a></h3><p>slow days</p></div>\
                <div class=n><h3><a href=/5>Lima by bus</a></h3><p>long days</p></div>";
    expect![[r#"
        name=Oslo in the snow name_link=/1 hot=NEW text=cold days
        name=Rome in the rain name_link=/2 text=wet days
        name=Wien at night name_link=/3 hot=NEW text=dark days
        name=Bern by boat name_link=/4 text=slow days
        name=Lima by bus name_link=/5 text=long days
    "#]]
    .assert_eq(&records(page));
}

/// All atomic values of a record, with their labels.
fn gather(objects: Objects<'_>, texts: &mut Vec<(String, String)>) {
    for object in objects {
        match object.is_set() {
            true => gather(object.objects(), texts),
            false => texts.push((object.label().to_owned(), object.text().to_string())),
        }
    }
}

#[test]
fn texts_that_comments_part_are_one() {
    let item = |name: &str, width: u32| {
        format!("<li><h3>{name}</h3><p>W <!-- -->{width}<!-- --> x H <!-- -->{}<!-- --> cm</p></li>", width * 2 + 1)
    };
    let items = [("Oak table", 80), ("Ash chair", 45), ("Pine bench", 120), ("Elm desk", 140)];
    let html: String = items.iter().map(|(name, width)| item(name, *width)).collect();
    let found = records(&format!("<ul>{html}</ul>"));
    assert!(found.contains("W 80 x H 161 cm"), "{found}");
}

#[test]
fn striped_rows_are_one_list() {
    let row = |number: usize| {
        format!("<tr class=r{}><td>Room {number}</td><td>€ {}.00</td></tr>", number % 2, 40 + 7 * number)
    };
    let rows: String = (1..=9).map(row).collect();
    let found = records(&format!("<table>{rows}</table>"));
    assert_eq!(found.lines().count(), 9, "{found}");
}

#[test]
fn old_prices_are_a_field_of_their_own() {
    let shop = |name: &str, price: &str| format!("<li><h3>{name}</h3><div class=price>{price}</div></li>");
    let html = shop("Sencha tea", "<span>12,00 €</span>")
        + &shop("Oolong tea", "<del>18,00 €</del> <ins>14,00 €</ins>")
        + &shop("Earl Grey", "<span>9,50 €</span>")
        + &shop("Lapsang", "<del>22,00 €</del> <ins>19,00 €</ins>")
        + &shop("Assam gold", "<span>8,00 €</span>");
    let found = records(&format!("<ul>{html}</ul>"));
    for price in ["14,00 €", "12,00 €", "18,00 €"] {
        let alone = found.split_whitespace().collect::<Vec<_>>().join(" ").contains(&format!("={price}"));
        assert!(alone, "{price} is a value in: {found}");
    }
}

#[test]
fn shops_with_their_prices_are_a_list() {
    let offer = |shop: &str, price: u32| format!("<div class=offer><span>{shop}</span> <b>{price},90 €</b></div>");
    let item = |name: &str, offers: &[(&str, u32)]| {
        let offers: String = offers.iter().map(|(shop, price)| offer(shop, *price)).collect();
        format!("<article><h2>{name}</h2><div class=offers>{offers}</div></article>")
    };
    let html = item("Kettle", &[("Darta", 29), ("Fnark", 31)])
        + &item("Toaster", &[("Fnark", 44), ("Darta", 45), ("Boulang", 49)])
        + &item("Mixer", &[("Boulang", 71), ("Fnark", 75)])
        + &item("Grill", &[("Darta", 99), ("Boulang", 104)])
        + &item("Scale", &[("Fnark", 12), ("Darta", 15), ("Boulang", 17)]);
    let found = records(&html);
    assert_eq!(found.matches("offer[").count(), 12, "{found}");
}

#[test]
fn what_stands_beside_some_values_is_no_label_of_theirs() {
    let room = |name: &str, note: &str, price: u32| {
        format!("<div class=room><h4>{name}</h4><p class=note>{note}</p><span class=cost>€ {price}</span></div>")
    };
    let free = "<strong>Free cancellation</strong>";
    let html =
        room("Double", free, 90) + &room("Single", "", 60) + &room("Suite", free, 180) + &room("Family", "", 140);
    let found = records(&html);
    assert!(!found.contains("free_cancellation="), "{found}");
}

#[test]
fn a_label_with_a_quote_in_it_loses_no_list() {
    let card = |city: &str, size: u32, floor: u32| {
        format!("<div class=card><h3>{city}</h3><ul><li>Size (m\"r): {size}</li><li>Floor: {floor}</li></ul></div>")
    };
    let html = card("Haifa", 80, 2) + &card("Jaffa", 65, 4) + &card("Lod", 102, 1) + &card("Acre", 77, 3);
    let found = records(&html);
    assert_eq!(found.lines().count(), 4, "{found}");
    assert!(found.contains("102"), "{found}");
}

#[test]
fn names_in_the_source_of_a_term_share_what_follows() {
    let html = "<dl><dt>abaft<dd>Towards the stern of a boat.<dt>bermudan rig<dt>marconi rig<dd>A rig with a tall mainsail, and one mast.\
                <dt>bight<dd>A loop in a rope, or a wide bay.<dt>cleat<dd>A fitting to make a rope fast to.</dl>";
    let found = records(html);
    assert_eq!(found.lines().count(), 4, "{found}");
}
