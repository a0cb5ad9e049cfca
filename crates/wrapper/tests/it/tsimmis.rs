//! TSIMMIS bracket files: commands to rules and back, and what is said of wrong ones.

use std::sync::Arc;

use expect_test::{Expect, expect};
use windrow_wrapper::files::{Format, read, write};
use windrow_wrapper::values::Type;
use windrow_wrapper::{Extractor, Find, Kind, Limits, Locator, Page, Pages, Rule, Slice, Take, Wrapper};

use crate::bracket_support::{Dice, fixture, objects, outline, report};

/// The rules of a file, one a line; and what is read and written again is the same.
fn check(file: &str, expected: Expect) {
    let wrapper = match read(file, Format::Tsimmis) {
        Ok(wrapper) => wrapper,
        Err(errors) => panic!("{}", report(file, &errors)),
    };
    expected.assert_eq(&outline(&wrapper));
    round_trip(&wrapper);
}

fn round_trip(wrapper: &Wrapper) -> String {
    let text = write(wrapper, Format::Tsimmis).unwrap_or_else(|errors| panic!("{}", report("", &errors)));
    match read(&text, Format::Tsimmis) {
        Ok(again) => assert_eq!(again, *wrapper, "{text}"),
        Err(errors) => panic!("{text}\n{}", report(&text, &errors)),
    }
    text
}

fn check_errors(file: &str, expected: Expect) {
    let errors = read(file, Format::Tsimmis).expect_err("it is wrong");
    expected.assert_eq(&report(file, &errors));
}

/// One command behind a right one.
fn check_command(command: &str, expected: Expect) {
    check_errors(&format!("[[\"root\", \"get('u')\", \"#\"],\n {command}]"), expected);
}

#[test]
fn figure_3_is_a_tree() {
    let wrapper = read(&fixture("weather/weather.tsimmis"), Format::Tsimmis).unwrap();
    let text = |name: &str| Rule::field(name, Locator::default());
    let mut url = text("c_url").typed(Type::Url);
    url.label = Some("city_url".into());
    let mut tomorrow = text("weather_tomorrow");
    tomorrow.label = Some("weather_tom".into());
    let values = vec![
        text("country"),
        url,
        text("city"),
        text("weather_today"),
        text("high_today"),
        text("low_today"),
        tomorrow,
        text("high_tomorrow"),
        text("low_tomorrow"),
    ];
    let pattern = "*<TD>#</TD>*HREF=#>#</A>*<TD>#</TD>*<TD>#/#</TD>*<TD>#</TD>*<TD>#/#</TD>*";
    let mut city =
        Rule::group("city_temp", Locator::default()).with(vec![Rule::save(Locator::pattern(pattern), values)]);
    city.members = Some(Slice::Range { skip: 1, drop: 0 });
    let rows = Rule::list("_citytemp", Locator::split("<TR ALIGN=left>")).with(vec![city]);
    let mut table = Rule::group("temperatures", Locator::pattern("*<TABLE*<TABLE*</TR>#</TABLE>*")).with(vec![rows]);
    table.label = Some("temperature".into());
    let expected = Wrapper {
        name: Some("weather".to_owned()),
        url: Some("https://weather.example.org/europe.html".into()),
        rules: vec![Rule::group("root", Locator::default()).with(vec![table])],
        ..Wrapper::default()
    };
    assert_eq!(wrapper, expected);
}

#[test]
fn fixtures_read_back() {
    for name in ["weather", "weather-grouped", "weather-linked", "weather-case", "weather-table"] {
        let file = fixture(&format!("weather/{name}.tsimmis"));
        let wrapper = read(&file, Format::Tsimmis).unwrap_or_else(|errors| panic!("{}", report(&file, &errors)));
        assert_eq!(wrapper.name.as_deref(), Some(name));
        let written = round_trip(&wrapper);
        assert_eq!(written, round_trip(&read(&written, Format::Tsimmis).unwrap()), "the layout is stable");
        // The rest are in that layout, comments aside; this one leaves the signs of its table's pattern to the reader.
        if name == "weather-table" {
            continue;
        }
        let commands = |text: &str| text.lines().filter(|line| !line.starts_with(';')).collect::<Vec<_>>().join("\n");
        assert_eq!(commands(&written), commands(&file));
    }
}

#[test]
fn groups_show_what_others_hold() {
    check(
        &fixture("weather/weather-grouped.tsimmis"),
        expect![[r#"
        url https://weather.example.org/europe.html
        group root
          save = pattern "*<TABLE*<TABLE*<TH COLSPAN=2><I>#</I>*<TH COLSPAN=2><I>#</I>*</TR>#</TABLE>*"
            field _date_today
            field _date_tomorrow
            group temperatures->temperature
              list _citytemp = split "<TR ALIGN=left>"
                group city_temp of [1:0]
                  save = pattern "*<TD>#</TD>*HREF=#>#</A>*<TD>#</TD>*<TD>#/#</TD>*<TD>#</TD>*<TD>#/#</TD>*"
                    field country
                    field c_url:url->city_url
                    field city
                    field _w1
                    field _high1
                    field _low1
                    field _w2
                    field _high2
                    field _low2
                  group todays_weather date=_date_today weather=_w1 high=_high1 low=_low1
                  group tomorrows_weather date=_date_tomorrow weather=_w2 high=_high2 low=_low2
    "#]],
    );
}

#[test]
fn every_way_to_find_has_its_command() {
    check(
        r##"[["root", "get('u')", "#"],
            ["head", "root", "*<H1>#</H1>*"],
            ["copy", "root", "#"],
            ["again", "get('u')", "*<P>#"],
            ["page", "get()", "#"],
            ["lines", "split(root, '\n')", "#"],
            ["links", "split(root, '<LI>')", "*HREF='#'*"],
            ["a,b", "split(root[0:0], '<TR>')", "*<TD>#<TD>#"],
            ["c,d", "split(root, '<DL>')", "*<DT>#<DD>#"],
            ["rows", "extract_table(root)", "#"],
            ["cells", "extract_table(rows, '*Prices*')", "*<TD>#</TD>*"],
            ["some", "extract_table(rows[2], '<TABLE>#</TABLE>')", "#"],
            ["detail", "get(links[0:3])", "#"],
            ["x,y", "get(links)", "*<B>#</B>*<I>#</I>*"],
            ["either", "copy", "case('*<B>#</B>*', '*<I>#</I>*')"],
            ["m,n", "copy", case("*SRC=#>#<", '*src="#">#<')],
            ["top", "split(get('u'), '<HR>')", "#"],
            ["kept", "group(copy)", "head, other=either"],
        ]"##,
        expect![[r##"
            url u
            group root
              field head = pattern "*<H1>#</H1>*"
              group copy
                field either = case(pattern "*<B>#</B>*" | pattern "*<I>#</I>*")
                save = case(pattern "*SRC=#>#<" | pattern "*src=\"#\">#<")
                  field m:url
                  field n
                group kept head=head other=either
              list lines = split "\n"
              list links = split "<LI>" then pattern "*HREF='#'*"
                field detail of [0:3] = get()
                group _links_page = get()
                  save = pattern "*<B>#</B>*<I>#</I>*"
                    field x
                    field y
              list _root_split = split "<TR>"
                save = pattern "*<TD>#<TD>#"
                  field a
                  field b
              list _root_split2 = split "<DL>"
                save = pattern "*<DT>#<DD>#"
                  field c
                  field d
              list rows = table()
                list cells = table(pattern "*Prices#") then pattern "*<TD>#</TD>*"
                list some of [2] = table(pattern "<TABLE>#</TABLE>")
            field again = pattern "*<P>#"
            field page
            list top = split "<HR>"
        "##]],
    );
}

#[test]
fn variables_say_more() {
    check(
        r##"[["root", "get()", "#"],
            ["when?:date -> published on", "root", "*<I>#</I>*"],
            ["a?,_b:number,c->d", "root", "*HREF=#>#<*SRC=#>*"],
            ["plain:string", "root", "*href=\"#\"*"],
            ["rows?->row", "split(root, '<TR>')", "#"],
            ["deep?", "rows", "#"],
            ["leaf:html", "deep", "#"]]"##,
        expect![[r##"
            group root
              field when?:date->published on = pattern "*<I>#</I>*"
              save = pattern "*HREF=#>#<*SRC=#>*"
                field a?:url
                field _b:number
                field c:url->d
              field plain = pattern "*href=\"#\"*"
              list rows?->row = split "<TR>"
                group deep?
                  field leaf:html
        "##]],
    );
}

#[test]
fn strings_nest_and_escape() {
    check(
        r##"[['root', 'get("https://example.org/?q=\'a\'")', '#'],
            ["a", "split(root, 'it\\'s')", "*\*#\#*"],
            ['b', 'root', 'say "#" \\ \'*'],
            ["c", "split(root, '\\\\')", "\t#\n"]] ; and no more"##,
        expect![[r##"
            url https://example.org/?q='a'
            group root
              list a = split "it's" then pattern "*\\*#\\#*"
              field b = pattern "say \"#\" \\ '*"
              list c = split "\\" then pattern "\t#\n"
        "##]],
    );
}

#[test]
fn headers_and_comments() {
    let file = "; name: ads\n; a remark\n  ;follow: depth 1, pages 5\n[ ; first\n[\"root\", \"get()\", \"#\"], ; name: other\n]\n";
    let wrapper = read(file, Format::Tsimmis).unwrap();
    assert_eq!(wrapper.name.as_deref(), Some("ads"));
    assert_eq!((wrapper.follow.depth, wrapper.follow.pages), (1, 5));
    assert_eq!(wrapper.rules, [Rule::field("root", Locator::default())]);
    expect![[r##"
        ; name: ads
        ; follow: depth 1, pages 5
        [["root",
          "get()",
          "#"]]
    "##]]
    .assert_eq(&round_trip(&wrapper));
}

/// The files of the weather site.
struct Site;

impl Pages for Site {
    fn get(&self, url: &str) -> Result<Arc<Page>, String> {
        let name = url.strip_prefix("https://weather.example.org/").ok_or("another site")?;
        let page = Page::from_text(url, fixture(&format!("weather/{name}")));
        Ok(Arc::new(page.with_url(url.parse().map_err(|_| "no address")?)))
    }
}

/// Runs a specification on a page of the site.
fn run(specification: &str, page: &str, expected: Expect) {
    let wrapper = read(&fixture(&format!("weather/{specification}.tsimmis")), Format::Tsimmis).unwrap();
    let extractor = Extractor::new(&wrapper).unwrap_or_else(|errors| panic!("{}", report("", &errors)));
    let page = Site.get(&format!("https://weather.example.org/{page}")).unwrap();
    let extraction = extractor.extract_with(page, &Site, Limits::default());
    expected.assert_eq(&objects(&extraction));
}

#[test]
fn figure_3_on_figure_2_gives_figure_4() {
    run(
        "weather",
        "europe.html",
        expect![[r#"
        root complex {
          temperature complex {
            city_temp complex {
              country string "Austria"
              city_url url "https://weather.example.org/europe/vie.html"
              city string "Vienna"
              weather_today string "snow"
              high_today string "-2"
              low_today string "-7"
              weather_tom string "snow"
              high_tomorrow string "-2"
              low_tomorrow string "-7"
            }
            city_temp complex {
              country string "Belgium"
              city_url url "https://weather.example.org/europe/bru.html"
              city string "Brussels"
              weather_today string "fog"
              high_today string "2"
              low_today string "-2"
              weather_tom string "sleet"
              high_tomorrow string "3"
              low_tomorrow string "-1"
            }
            city_temp complex {
              country string "Czech Republic"
              city_url url "https://weather.example.org/europe/prg.html"
              city string "Prague"
              weather_today string "snow"
              high_today string "-1"
              low_today string "-7"
              weather_tom string "ptcldy"
              high_tomorrow string "0"
              low_tomorrow string "-5"
            }
            city_temp complex {
              country string "Denmark"
              city_url url "https://weather.example.org/europe/cph.html"
              city string "Copenhagen"
              weather_today string "fog"
              high_today string "3"
              low_today string "-1"
              weather_tom string "fog"
              high_tomorrow string "3"
              low_tomorrow string "-1"
            }
            city_temp complex {
              country string "England"
              city_url url "https://weather.example.org/europe/bir.html"
              city string "Birmingham"
              weather_today string "ptcldy"
              high_today string "9"
              low_today string "-3"
              weather_tom string "ptcldy"
              high_tomorrow string "7"
              low_tomorrow string "3"
            }
            city_temp complex {
              country string "England"
              city_url url "https://weather.example.org/europe/lon.html"
              city string "London"
              weather_today string "ptcldy"
              high_today string "9"
              low_today string "0"
              weather_tom string "rain"
              high_tomorrow string "8"
              low_tomorrow string "4"
            }
            city_temp complex {
              country string "Norway"
              city_url url "https://weather.example.org/europe/osl.html"
              city string "Oslo"
              weather_today string "clear"
              high_today string "-6"
              low_today string "-14"
              weather_tom string "snow"
              high_tomorrow string "-4"
              low_tomorrow string "-9"
            }
            city_temp complex {
              country string "Portugal"
              city_url url "https://weather.example.org/europe/lis.html"
              city string "Lisbon"
              weather_today string "showers"
              high_today string "15"
              low_today string "9"
              weather_tom string "sunny"
              high_tomorrow string "16"
              low_tomorrow string "10"
            }
          }
        }
    "#]],
    );
}

#[test]
fn the_same_by_day_is_figure_5() {
    run(
        "weather-grouped",
        "europe.html",
        expect![[r#"
        root complex {
          temperature complex {
            city_temp complex {
              country string "Austria"
              city_url url "https://weather.example.org/europe/vie.html"
              city string "Vienna"
              todays_weather complex {
                date string "Tue, Jan 28, 1997"
                weather string "snow"
                high string "-2"
                low string "-7"
              }
              tomorrows_weather complex {
                date string "Wed, Jan 29, 1997"
                weather string "snow"
                high string "-2"
                low string "-7"
              }
            }
            city_temp complex {
              country string "Belgium"
              city_url url "https://weather.example.org/europe/bru.html"
              city string "Brussels"
              todays_weather complex {
                date string "Tue, Jan 28, 1997"
                weather string "fog"
                high string "2"
                low string "-2"
              }
              tomorrows_weather complex {
                date string "Wed, Jan 29, 1997"
                weather string "sleet"
                high string "3"
                low string "-1"
              }
            }
            city_temp complex {
              country string "Czech Republic"
              city_url url "https://weather.example.org/europe/prg.html"
              city string "Prague"
              todays_weather complex {
                date string "Tue, Jan 28, 1997"
                weather string "snow"
                high string "-1"
                low string "-7"
              }
              tomorrows_weather complex {
                date string "Wed, Jan 29, 1997"
                weather string "ptcldy"
                high string "0"
                low string "-5"
              }
            }
            city_temp complex {
              country string "Denmark"
              city_url url "https://weather.example.org/europe/cph.html"
              city string "Copenhagen"
              todays_weather complex {
                date string "Tue, Jan 28, 1997"
                weather string "fog"
                high string "3"
                low string "-1"
              }
              tomorrows_weather complex {
                date string "Wed, Jan 29, 1997"
                weather string "fog"
                high string "3"
                low string "-1"
              }
            }
            city_temp complex {
              country string "England"
              city_url url "https://weather.example.org/europe/bir.html"
              city string "Birmingham"
              todays_weather complex {
                date string "Tue, Jan 28, 1997"
                weather string "ptcldy"
                high string "9"
                low string "-3"
              }
              tomorrows_weather complex {
                date string "Wed, Jan 29, 1997"
                weather string "ptcldy"
                high string "7"
                low string "3"
              }
            }
            city_temp complex {
              country string "England"
              city_url url "https://weather.example.org/europe/lon.html"
              city string "London"
              todays_weather complex {
                date string "Tue, Jan 28, 1997"
                weather string "ptcldy"
                high string "9"
                low string "0"
              }
              tomorrows_weather complex {
                date string "Wed, Jan 29, 1997"
                weather string "rain"
                high string "8"
                low string "4"
              }
            }
            city_temp complex {
              country string "Norway"
              city_url url "https://weather.example.org/europe/osl.html"
              city string "Oslo"
              todays_weather complex {
                date string "Tue, Jan 28, 1997"
                weather string "clear"
                high string "-6"
                low string "-14"
              }
              tomorrows_weather complex {
                date string "Wed, Jan 29, 1997"
                weather string "snow"
                high string "-4"
                low string "-9"
              }
            }
            city_temp complex {
              country string "Portugal"
              city_url url "https://weather.example.org/europe/lis.html"
              city string "Lisbon"
              todays_weather complex {
                date string "Tue, Jan 28, 1997"
                weather string "showers"
                high string "15"
                low string "9"
              }
              tomorrows_weather complex {
                date string "Wed, Jan 29, 1997"
                weather string "sunny"
                high string "16"
                low string "10"
              }
            }
          }
        }
    "#]],
    );
}

#[test]
fn links_are_followed() {
    run(
        "weather-linked",
        "europe.html",
        expect![[r#"
        root complex {
          city complex {
            url url "https://weather.example.org/europe/vie.html"
            name string "Vienna"
            country string "Austria"
            sunrise string "07:31"
            sunset string "16:47"
          }
          city complex {
            url url "https://weather.example.org/europe/bru.html"
            name string "Brussels"
            country string "Belgium"
            sunrise string "08:23"
            sunset string "17:23"
          }
          city complex {
            url url "https://weather.example.org/europe/prg.html"
            name string "Prague"
            country string "Czech Republic"
            sunrise string "07:40"
            sunset string "16:43"
          }
          city complex {
            url url "https://weather.example.org/europe/cph.html"
            name string "Copenhagen"
            country string "Denmark"
            sunrise string "08:12"
            sunset string "16:32"
          }
          city complex {
            url url "https://weather.example.org/europe/bir.html"
            name string "Birmingham"
            country string "England"
            sunrise string "07:56"
            sunset string "16:42"
          }
          city complex {
            url url "https://weather.example.org/europe/lon.html"
            name string "London"
            country string "England"
            sunrise string "07:45"
            sunset string "16:43"
          }
          city complex {
            url url "https://weather.example.org/europe/osl.html"
            name string "Oslo"
            country string "Norway"
            sunrise string "08:38"
            sunset string "16:16"
          }
          city complex {
            url url "https://weather.example.org/europe/lis.html"
            name string "Lisbon"
            country string "Portugal"
            sunrise string "07:45"
            sunset string "17:50"
          }
        }
    "#]],
    );
}

#[test]
fn the_case_that_matches_counts() {
    run(
        "weather-case",
        "europe-gap.html",
        expect![[r#"
        root complex {
          city_temp complex {
            city string "Vienna"
            today string "-2/-7"
            tomorrow string "-2/-7"
          }
          city_temp complex {
            city string "Brussels"
            today string "2/-2"
            tomorrow string "3/-1"
          }
          city_temp complex {
            city string "Prague"
            today string "-1/-7"
            tomorrow string "no report"
          }
          city_temp complex {
            city is missing
            today is missing
            tomorrow is missing
          }
          city_temp complex {
            city string "Copenhagen"
            today string "3/-1"
            tomorrow string "3/-1"
          }
          city_temp complex {
            city string "Birmingham"
            today string "9/-3"
            tomorrow string "7/3"
          }
          city_temp complex {
            city string "London"
            today string "9/0"
            tomorrow string "8/4"
          }
        }
        ! root.city_temp[3].city
        ! root.city_temp[3].today
        ! root.city_temp[3].tomorrow
    "#]],
    );
}

#[test]
fn a_table_is_found_by_where_it_begins() {
    run(
        "weather-table",
        "europe.html",
        expect![[r#"
        root complex {
          city_temp complex {
            country string "Austria"
            c_url url "https://weather.example.org/europe/vie.html"
            city string "Vienna"
          }
          city_temp complex {
            country string "Belgium"
            c_url url "https://weather.example.org/europe/bru.html"
            city string "Brussels"
          }
          city_temp complex {
            country string "Czech Republic"
            c_url url "https://weather.example.org/europe/prg.html"
            city string "Prague"
          }
          city_temp complex {
            country string "Denmark"
            c_url url "https://weather.example.org/europe/cph.html"
            city string "Copenhagen"
          }
          city_temp complex {
            country string "England"
            c_url url "https://weather.example.org/europe/bir.html"
            city string "Birmingham"
          }
          city_temp complex {
            country string "England"
            c_url url "https://weather.example.org/europe/lon.html"
            city string "London"
          }
          city_temp complex {
            country string "Norway"
            c_url url "https://weather.example.org/europe/osl.html"
            city string "Oslo"
          }
          city_temp complex {
            country string "Portugal"
            c_url url "https://weather.example.org/europe/lis.html"
            city string "Lisbon"
          }
        }
    "#]],
    );
}

#[test]
fn figure_3_as_it_was_printed() {
    // It has `{` for `[`, lacks a quote, and gives nine variables to eight `#`: each is said, and nothing else.
    check_errors(
        &fixture("weather/figure-3-as-printed.tsimmis"),
        expect![[r##"
        wrapper::wrong_bracket: `{` stands where `[` belongs
          1 | [{"root",
            |  ^ put `[` here
            = the list of commands and each command stand in `[` and `]`: [["root", "get('…')", "#"], …]
        wrapper::unbalanced: `"` is not closed
          2 |    "get('https://weather.example.org/europe.html'),
            |    ^ opened here
            = a string ends on the line where it begins: put `"` behind `urope.html')`
        wrapper::variable_count: 9 variables for 8 `#`
         19 |   "*<TD>#</TD>*HREF=#>#</A>*<TD>#</TD>*<TD>#</TD>*<TD>#</TD>*<TD>#</TD>*<TD>#</TD>*"
            |    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ 8 saved here
            = each `#` fills one variable, in order; `_` and a name for a text that is not wanted
    "##]],
    );
}

#[test]
fn brackets_that_do_not_pair() {
    check_errors(
        r##"[["root", "get('u')", "#"]"##,
        expect![[r##"
        wrapper::unbalanced: `[` is not closed
          1 | [["root", "get('u')", "#"]
            | ^ opened here
            = put a `]` at the end, behind the last command
    "##]],
    );
    check_errors(
        r##"[["root", "get('u')", "#", ["a", "root", "#"]]"##,
        expect![[r##"
            wrapper::unbalanced: `[` is not closed
              1 | [["root", "get('u')", "#", ["a", "root", "#"]]
                |  ^ opened here
                = put a `]` behind the pattern
        "##]],
    );
    check_errors(
        r##"["root", "get('u')", "#"]"##,
        expect![[r##"
        wrapper::syntax: this is not a list of TSIMMIS commands: the list of commands has no bracket of its own
          1 | ["root", "get('u')", "#"]
            | ^ here
            = put a `[` in front of the first command and a `]` behind the last
    "##]],
    );
    check_errors(
        r##"[["root", "get('u')", "#"]]]"##,
        expect![[r##"
        wrapper::syntax: this is not a list of TSIMMIS commands: the list of commands is closed, and something follows
          1 | [["root", "get('u')", "#"]]]
            |                            ^ here
            = take this bracket out
    "##]],
    );
    check_errors(
        r##"[["root", "get('u')", "#"]], ["a", "root", "#"]]"##,
        expect![[r##"
        wrapper::syntax: this is not a list of TSIMMIS commands: the list of commands is closed, and something follows
          1 | [["root", "get('u')", "#"]], ["a", "root", "#"]]
            |                            ^ here
            = the bracket that closes the list stands too early: put it at the end
    "##]],
    );
    check_errors(
        r##"{["root", "get('u')", "#"}, ("a", "root", "#")}"##,
        expect![[r##"
        wrapper::wrong_bracket: `{` stands where `[` belongs
          1 | {["root", "get('u')", "#"}, ("a", "root", "#")}
            | ^ put `[` here
            = the list of commands and each command stand in `[` and `]`: [["root", "get('…')", "#"], …]
        wrapper::wrong_bracket: `}` stands where `]` belongs
          1 | {["root", "get('u')", "#"}, ("a", "root", "#")}
            |                          ^ put `]` here
            = the list of commands and each command stand in `[` and `]`: [["root", "get('…')", "#"], …]
        wrapper::wrong_bracket: `(` stands where `[` belongs
          1 | {["root", "get('u')", "#"}, ("a", "root", "#")}
            |                             ^ put `[` here
            = the list of commands and each command stand in `[` and `]`: [["root", "get('…')", "#"], …]
    "##]],
    );
    check_errors(
        "]",
        expect![[r#"
        wrapper::unopened: `]` closes nothing
          1 | ]
            | ^ nothing is open here
            = take it out, or put the opening one where it is missing
    "#]],
    );
}

#[test]
fn quotes_and_parentheses_that_do_not_pair() {
    check_command(
        r##"["a, "root", "#"]"##,
        expect![[r##"
            wrapper::syntax: this is not a list of TSIMMIS commands: there is no comma between two parts of a command
              2 |  ["a, "root", "#"]]
                |        ^^^^ here
                = put a `,` in front of this one, or a quote where one is missing
            wrapper::unbalanced: `"` is not closed
              2 |  ["a, "root", "#"]]
                |                 ^ opened here
                = a string ends on the line where it begins: put a second `"`
        "##]],
    );
    check_command(
        r##"["a", "root", "*<B>#]"##,
        expect![[r#"
        wrapper::unbalanced: `"` is not closed
          2 |  ["a", "root", "*<B>#]]
            |                ^ opened here
            = a string ends on the line where it begins: put `"` behind `*<B>#`
    "#]],
    );
    check_command(
        r##"["a", "split(root, '<TR>)", "#"]"##,
        expect![[r##"
        wrapper::unbalanced: `'` is not closed
          2 |  ["a", "split(root, '<TR>)", "#"]]
            |                     ^ opened here
            = a string ends on the line where it begins: put `'` behind `<TR>`
    "##]],
    );
    check_command(
        r##"["a", "split(root, '<TR>'", "#"]"##,
        expect![[r##"
        wrapper::unbalanced: `(` is not closed
          2 |  ["a", "split(root, '<TR>'", "#"]]
            |              ^ opened here
            = put `)` behind the last argument of `split`
    "##]],
    );
    check_command(
        r##"["a", "split(root, '<TR>'))", "#"]"##,
        expect![[r##"
        wrapper::unopened: `)` closes nothing
          2 |  ["a", "split(root, '<TR>'))", "#"]]
            |                            ^ nothing is open here
            = take it out
    "##]],
    );
    check_command(
        r##"["a", "root", case('#', 'x#'"##,
        expect![[r##"
            wrapper::unbalanced: `[` is not closed
              1 | [["root", "get('u')", "#"],
                | ^ opened here
                = put a `]` at the end, behind the last command
            wrapper::unbalanced: `[` is not closed
              2 |  ["a", "root", case('#', 'x#']
                |  ^ opened here
                = put a `]` behind the pattern
            wrapper::unbalanced: `(` is not closed
              2 |  ["a", "root", case('#', 'x#']
                |                    ^ opened here
                = put `)` behind the last argument
        "##]],
    );
    check_command(
        r##"["a", "root[1:0", "#"]"##,
        expect![[r##"
        wrapper::unbalanced: `[` is not closed
          2 |  ["a", "root[1:0", "#"]]
            |             ^ opened here
            = put `]` behind the numbers
    "##]],
    );
}

#[test]
fn commands_of_another_length() {
    check_errors(
        "",
        expect![[r##"
        wrapper::syntax: this is not a list of TSIMMIS commands: there is no command
          1 | 
            | ^ here
            = the first command gets the page: [["root", "get('https://example.org/')", "#"]]
    "##]],
    );
    check_errors(
        " ; nothing\n",
        expect![[r##"
        wrapper::syntax: this is not a list of TSIMMIS commands: there is no command
          1 |  ; nothing
            | ^ here
            = the first command gets the page: [["root", "get('https://example.org/')", "#"]]
    "##]],
    );
    check_errors(
        "[]",
        expect![[r##"
        wrapper::syntax: this is not a list of TSIMMIS commands: there is no command
          1 | []
            | ^ here
            = the first command gets the page: [["root", "get('https://example.org/')", "#"]]
    "##]],
    );
    check_command(
        r##"["a", "root"]"##,
        expect![[r#"
        wrapper::command_parts: a command has three parts, this one has 2
          2 |  ["a", "root"]]
            |  ^^^^^^^^^^^^^ this command
            = [variables, source, pattern], each in quotes: ["title", "root", "*<H1>#</H1>*"]
    "#]],
    );
    check_command(
        r##"["a", "root", "#", "#"]"##,
        expect![[r##"
        wrapper::command_parts: a command has three parts, this one has 4
          2 |  ["a", "root", "#", "#"]]
            |  ^^^^^^^^^^^^^^^^^^^^^^^ this command
            = [variables, source, pattern], each in quotes: ["title", "root", "*<H1>#</H1>*"]
    "##]],
    );
    check_command(
        r##"[]"##,
        expect![[r#"
        wrapper::command_parts: a command has three parts, this one has 0
          2 |  []]
            |  ^^ this command
            = [variables, source, pattern], each in quotes: ["title", "root", "*<H1>#</H1>*"]
    "#]],
    );
    check_command(
        r##"["a" "root", "#"]"##,
        expect![[r##"
        wrapper::syntax: this is not a list of TSIMMIS commands: there is no comma between two parts of a command
          2 |  ["a" "root", "#"]]
            |       ^^^^^^ here
            = put a `,` in front of this one, or a quote where one is missing
    "##]],
    );
    check_command(
        r##"["a",, "root", "#"]"##,
        expect![[r##"
        wrapper::syntax: this is not a list of TSIMMIS commands: there is nothing in front of this comma
          2 |  ["a",, "root", "#"]]
            |       ^ here
            = take the comma out
    "##]],
    );
    check_command(
        r##"["a", "root", "#"] ["b", "root", "#"]"##,
        expect![[r##"
        wrapper::syntax: this is not a list of TSIMMIS commands: there is no comma between two commands
          2 |  ["a", "root", "#"] ["b", "root", "#"]]
            |                     ^ here
            = put a `,` in front of this one
    "##]],
    );
    check_command(
        r##""a", "root", "#""##,
        expect![[r##"
            wrapper::syntax: this is not a list of TSIMMIS commands: this stands outside of a command
              2 |  "a", "root", "#"]
                |  ^^^ here
                = a command is `[variables, source, pattern]`, each in quotes
        "##]],
    );
    check_command(
        r##"[a, "root", #]"##,
        expect![[r#"
        wrapper::syntax: this is not a list of TSIMMIS commands: the variables stand in quotes
          2 |  [a, "root", #]]
            |   ^ here
            = put a quote in front and behind
        wrapper::syntax: this is not a list of TSIMMIS commands: the pattern stands in quotes
          2 |  [a, "root", #]]
            |              ^ here
            = put a quote in front and behind
    "#]],
    );
}

#[test]
fn variables_that_are_not_there() {
    check_command(
        r##"["a", "rot", "#"], ["b", "something_else", "#"]"##,
        expect![[r##"
        wrapper::unknown_variable: no rule defines `rot`
          2 |  ["a", "rot", "#"], ["b", "something_else", "#"]]
            |         ^^^ used here
            = did you mean `root`?
        wrapper::unknown_variable: no rule defines `something_else`
          2 |  ["a", "rot", "#"], ["b", "something_else", "#"]]
            |                            ^^^^^^^^^^^^^^ used here
    "##]],
    );
    check_command(
        r##"["a", "b", "#"], ["b", "root", "#"]"##,
        expect![[r##"
        wrapper::used_before_defined: `b` is used before it is defined
          2 |  ["a", "b", "#"], ["b", "root", "#"]]
            |         ^ used here
          2 |  ["a", "b", "#"], ["b", "root", "#"]]
            |                     ^ defined here
            = commands run in order: move the one that defines it up
    "##]],
    );
    check_command(
        r##"["a", "b", "#"], ["b", "a", "#"]"##,
        expect![[r##"
        wrapper::cycle: a → b → a is a cycle: none of them can come first
          2 |  ["a", "b", "#"], ["b", "a", "#"]]
            |         ^ begins here
            = one of them has to come from a page: `get('…')`
    "##]],
    );
    check_command(
        r##"["a", "a", "#"]"##,
        expect![[r##"
        wrapper::cycle: a → a is a cycle: none of them can come first
          2 |  ["a", "a", "#"]]
            |         ^ begins here
            = one of them has to come from a page: `get('…')`
    "##]],
    );
    check_command(
        r##"["a", "b", "#"], ["b", "c", "#"], ["c", "a", "#"], ["d", "c", "#"]"##,
        expect![[r##"
        wrapper::cycle: a → c → b → a is a cycle: none of them can come first
          2 |  ["a", "b", "#"], ["b", "c", "#"], ["c", "a", "#"], ["d", "c", "#"]]
            |         ^ begins here
            = one of them has to come from a page: `get('…')`
    "##]],
    );
    check_command(
        r##"["a", "root", "#"], ["b,a", "root", "#x#"], ["root", "a", "#"]"##,
        expect![[r##"
        wrapper::duplicate_name: there are two rules `a` in one scope
          2 |  ["a", "root", "#"], ["b,a", "root", "#x#"], ["root", "a", "#"]]
            |                          ^ the second one
            = rename one; `label` lets both show under one label
        wrapper::duplicate_name: there are two rules `root` in one scope
          2 |  ["a", "root", "#"], ["b,a", "root", "#x#"], ["root", "a", "#"]]
            |                                                ^^^^ the second one
            = rename one; `label` lets both show under one label
    "##]],
    );
    check_command(
        r##"["g", "group(root)", "x=a, y=lates"], ["a", "root", "#"], ["late", "root", "#"]"##,
        expect![[r##"
            wrapper::used_before_defined: `a` is used before it is defined
              2 |  ["g", "group(root)", "x=a, y=lates"], ["a", "root", "#"], ["late", "root", "#"]]
                |                          ^ used here
              2 |  ["g", "group(root)", "x=a, y=lates"], ["a", "root", "#"], ["late", "root", "#"]]
                |                                          ^ defined here
                = commands run in order: move the one that defines it up
            wrapper::unknown_variable: no rule defines `lates`
              2 |  ["g", "group(root)", "x=a, y=lates"], ["a", "root", "#"], ["late", "root", "#"]]
                |                               ^^^^^ used here
                = did you mean `late`?
        "##]],
    );
    check_errors(
        r##"[["a", "page", "#"]]"##,
        expect![[r##"
        wrapper::unknown_variable: no rule defines `page`
          1 | [["a", "page", "#"]]
            |         ^^^^ used here
            = the first command gets the page: `get('https://example.org/')`
    "##]],
    );
}

#[test]
fn patterns_that_cannot_be() {
    check_command(
        r##"["a", "root", "*<B>*"]"##,
        expect![[r#"
        wrapper::pattern_without_save: the pattern saves nothing: it has no `#`
          2 |  ["a", "root", "*<B>*"]]
            |                 ^^^^^ no `#` in it
            = `*` discards and `#` saves: `*<b>#</b>*` saves what stands between the first <b> and </b>
    "#]],
    );
    check_command(
        r##"["a", "root", ""]"##,
        expect![[r#"
        wrapper::pattern_without_save: the pattern saves nothing: it has no `#`
          2 |  ["a", "root", ""]]
            |                 ^ no `#` in it
            = `*` discards and `#` saves: `*<b>#</b>*` saves what stands between the first <b> and </b>
    "#]],
    );
    check_command(
        r##"["a", "root", "*<B>##</B>"]"##,
        expect![[r#"
        wrapper::adjacent_wildcards: `##` has no text between its two signs, so where the first ends is open
          2 |  ["a", "root", "*<B>##</B>"]]
            |                     ^^ here
            = put the text that stands between them, or leave one out
    "#]],
    );
    check_command(
        r##"["a", "root", "*<B>*#</B>"]"##,
        expect![[r#"
        wrapper::adjacent_wildcards: `*#` has no text between its two signs, so where the first ends is open
          2 |  ["a", "root", "*<B>*#</B>"]]
            |                     ^^ here
            = put the text that stands between them, or leave one out
    "#]],
    );
    check_command(
        r##"["a", "root", "#<B>#"]"##,
        expect![[r##"
        wrapper::variable_count: 1 variables for 2 `#`
          2 |  ["a", "root", "#<B>#"]]
            |                 ^^^^^ 2 saved here
            = each `#` fills one variable, in order; `_` and a name for a text that is not wanted
    "##]],
    );
    check_command(
        r##"["a,b,c", "root", "#<B>#"]"##,
        expect![[r##"
        wrapper::variable_count: 3 variables for 2 `#`
          2 |  ["a,b,c", "root", "#<B>#"]]
            |                     ^^^^^ 2 saved here
            = each `#` fills one variable, in order; `_` and a name for a text that is not wanted
    "##]],
    );
    check_command(
        r##"["a,b", "root", "case('#<B>#', '#<I>')"]"##,
        expect![[r#"
        wrapper::case_count: the alternatives of a `case` save as many texts each: 2 in the first, 1 in this one
          2 |  ["a,b", "root", "case('#<B>#', '#<I>')"]]
            |                                  ^^^^ 1 saved here
            = each `#` fills one variable, whichever alternative matches
    "#]],
    );
    check_command(
        r##"["a", "root", "case('#<B>', '<I>')"]"##,
        expect![[r#"
        wrapper::pattern_without_save: the pattern saves nothing: it has no `#`
          2 |  ["a", "root", "case('#<B>', '<I>')"]]
            |                               ^^^ no `#` in it
            = `*` discards and `#` saves: `*<b>#</b>*` saves what stands between the first <b> and </b>
    "#]],
    );
    check_command(
        r##"["a", "root", "case('#<B>', root)"]"##,
        expect![[r#"
        wrapper::wrong_value: `case` must be given patterns in quotes, not something else
          2 |  ["a", "root", "case('#<B>', root)"]]
            |                              ^^^^ here
            = for example case('*<TD>#</TD>*', '*<B>#</B>*')
    "#]],
    );
    check_command(
        r##"["a", "extract_table(root, '#x#')", "#"]"##,
        expect![[r##"
        wrapper::variable_count: 1 variables for 2 `#`
          2 |  ["a", "extract_table(root, '#x#')", "#"]]
            |                              ^^^ 2 saved here
            = each `#` fills one variable, in order; `_` and a name for a text that is not wanted
    "##]],
    );
}

#[test]
fn functions_that_are_not_there() {
    check_command(
        r##"["a", "spilt(root, '<TR>')", "#"]"##,
        expect![[r##"
        wrapper::unknown_function: unknown function `spilt`
          2 |  ["a", "spilt(root, '<TR>')", "#"]]
            |         ^^^^^ no such function
            = did you mean `split`?
    "##]],
    );
    check_command(
        r##"["a", "frobnicate(root)", "#"]"##,
        expect![[r##"
        wrapper::unknown_function: unknown function `frobnicate`
          2 |  ["a", "frobnicate(root)", "#"]]
            |         ^^^^^^^^^^ no such function
            = there are `get`, `split`, `extract_table` and `group`, and `case` in patterns
    "##]],
    );
    check_command(
        r##"["a", "case('#')", "#"]"##,
        expect![[r##"
        wrapper::unknown_function: unknown function `case`
          2 |  ["a", "case('#')", "#"]]
            |         ^^^^ no such function
            = `case` stands in the pattern: ["a", "variable", "case('…#…', '…#…')"]
    "##]],
    );
    check_command(
        r##"["a", "split(root)", "#"]"##,
        expect![[r##"
        wrapper::wrong_value: `split` must be `split(variable, 'delimiter')`, not `split(root)`
          2 |  ["a", "split(root)", "#"]]
            |         ^^^^^^^^^^^ here
    "##]],
    );
    check_command(
        r##"["a", "split('root', '<TR>')", "#"]"##,
        expect![[r##"
        wrapper::wrong_value: `the first argument` must be a variable or the page, not a string
          2 |  ["a", "split('root', '<TR>')", "#"]]
            |                ^^^^ here
            = a variable stands without quotes
    "##]],
    );
    check_command(
        r##"["a", "split(split(root, 'a'), 'b')", "#"]"##,
        expect![[r##"
        wrapper::wrong_value: `the first argument` must be a variable or the page, not a function
          2 |  ["a", "split(split(root, 'a'), 'b')", "#"]]
            |               ^^^^^^^^^^^^^^^^ here
            = give the inner one a command and a variable of its own
    "##]],
    );
    check_command(
        r##"["a", "split(root, '')", "#"]"##,
        expect![[r##"
        wrapper::empty_delimiter: nothing to split by: the delimiter is empty
          2 |  ["a", "split(root, '')", "#"]]
            |                      ^ empty
            = `split` cuts at each occurrence of a text, such as `<tr`
    "##]],
    );
    check_command(
        r##"["a", "get('v')", "#"]"##,
        expect![[r##"
        wrapper::wrong_value: `get` must be given a variable, or the first page's address `u`, not `v`
          2 |  ["a", "get('v')", "#"]]
            |              ^ here
            = a list of commands begins with one page: put the other in a file of its own, or take its address from the first page and `get(variable)`
    "##]],
    );
    check_command(
        r##"["a", "get('')", "#"]"##,
        expect![[r##"
        wrapper::wrong_value: `get` must be given an address, not an empty text
          2 |  ["a", "get('')", "#"]]
            |              ^ here
            = `get()` is the page that the wrapper is run on
    "##]],
    );
    check_command(
        r##"["a", "root root", "#"]"##,
        expect![[r##"
        wrapper::syntax: this is not a list of TSIMMIS commands: `root` follows what is complete without it
          2 |  ["a", "root root", "#"]]
            |              ^^^^ here
            = a source is one variable or one function
    "##]],
    );
    check_command(
        r##"["a", "'root'", "#"]"##,
        expect![[r##"
        wrapper::wrong_value: `source` must be a variable or a function, not a string
          2 |  ["a", "'root'", "#"]]
            |          ^^^^ here
            = to get a page: get('root')
    "##]],
    );
    check_command(
        r##"["a", "", "#"]"##,
        expect![[r##"
        wrapper::syntax: this is not a list of TSIMMIS commands: a variable is missing
          2 |  ["a", "", "#"]]
            |         ^ here
            = a source is a variable, or `get('address')` for the page
    "##]],
    );
}

#[test]
fn slices_that_are_none() {
    let slice = |slice: &str, expected: Expect| {
        check_command(&format!(r##"["_l", "split(root, 'x')", "#"], ["a", "_l{slice}", "#"]"##), expected);
    };
    slice(
        "[1:]",
        expect![[r##"
        wrapper::bad_slice: `[1:]` is no slice: a number is missing
          2 |  ["_l", "split(root, 'x')", "#"], ["a", "_l[1:]", "#"]]
            |                                            ^^^^ here
            = `[1:0]` leaves out one member at the beginning and none at the end; `[2]` is the third alone
    "##]],
    );
    slice(
        "[a:b]",
        expect![[r##"
        wrapper::bad_slice: `[a:b]` is no slice: `a` is not a number
          2 |  ["_l", "split(root, 'x')", "#"], ["a", "_l[a:b]", "#"]]
            |                                            ^^^^^ here
            = `[1:0]` leaves out one member at the beginning and none at the end; `[2]` is the third alone
    "##]],
    );
    slice(
        "[-1]",
        expect![[r##"
        wrapper::bad_slice: `[-1]` is no slice: `-1` is negative
          2 |  ["_l", "split(root, 'x')", "#"], ["a", "_l[-1]", "#"]]
            |                                            ^^^^ here
            = `[1:0]` leaves out one member at the beginning and none at the end; `[2]` is the third alone
    "##]],
    );
    slice(
        "[0:99999999999]",
        expect![[r##"
        wrapper::bad_slice: `[0:99999999999]` is no slice: `99999999999` is too large
          2 |  ["_l", "split(root, 'x')", "#"], ["a", "_l[0:99999999999]", "#"]]
            |                                            ^^^^^^^^^^^^^^^ here
            = `[1:0]` leaves out one member at the beginning and none at the end; `[2]` is the third alone
    "##]],
    );
    slice(
        "[]",
        expect![[r##"
        wrapper::bad_slice: `[]` is no slice: a number is missing
          2 |  ["_l", "split(root, 'x')", "#"], ["a", "_l[]", "#"]]
            |                                            ^^ here
            = `[1:0]` leaves out one member at the beginning and none at the end; `[2]` is the third alone
    "##]],
    );
    check_command(
        r##"["a", "root[1:0]", "#"]"##,
        expect![[r##"
        wrapper::bad_slice: `[1:0]` is no slice: `root` is not a list; `split` and `extract_table` make lists
          2 |  ["a", "root[1:0]", "#"]]
            |             ^^^^^ here
            = `[1:0]` leaves out one member at the beginning and none at the end; `[2]` is the third alone
    "##]],
    );
}

#[test]
fn variables_that_cannot_be() {
    check_command(
        r##"["a b", "root", "#"]"##,
        expect![[r##"
        wrapper::bad_name: `a b` cannot be a name
          2 |  ["a b", "root", "#"]]
            |    ^^^ here
            = a name begins with a letter or `_` and has no space, comma, quote or bracket
    "##]],
    );
    check_command(
        r##"["a,,b", "root", "#x#y#"]"##,
        expect![[r##"
        wrapper::bad_name: `` cannot be a name
          2 |  ["a,,b", "root", "#x#y#"]]
            |      ^ here
            = a name begins with a letter or `_` and has no space, comma, quote or bracket
    "##]],
    );
    check_command(
        r##"["a:dat", "root", "#"]"##,
        expect![[r##"
        wrapper::wrong_value: `type` must be one of `string`, `url`, `date`, `number`, `money`, `html`, not `dat`
          2 |  ["a:dat", "root", "#"]]
            |     ^^^^ here
            = did you mean `date`?
    "##]],
    );
    check_command(
        r##"["a->", "root", "#"]"##,
        expect![[r##"
        wrapper::wrong_value: `->` must be followed by a label, not by nothing
          2 |  ["a->", "root", "#"]]
            |    ^^^ here
            = `a->another_label`
    "##]],
    );
    check_command(
        r##"["a:url", "root", "#"], ["b", "get(a)", "#"]"##,
        expect![[r##"
        wrapper::wrong_value: `a` must be without a type, not `url`
          2 |  ["a:url", "root", "#"], ["b", "get(a)", "#"]]
            |     ^^^^ here
            = `a` holds what is taken from it; copy it to a variable with a type: ["copy:url", "a", "#"]
    "##]],
    );
    check_command(
        r##"["a,b", "group(root)", ""]"##,
        expect![[r#"
        wrapper::wrong_value: `group` must be the source of one variable, not 2 variables
          2 |  ["a,b", "group(root)", ""]]
            |           ^^^^^^^^^^^ here
    "#]],
    );
    check_command(
        r##"["a", "group(root)", "x="]"##,
        expect![[r#"
        wrapper::wrong_value: `group` must be given what it shows as `label=variable`, not `x=`
          2 |  ["a", "group(root)", "x="]]
            |                        ^^ here
            = for example "date=_date_today, weather=_forecast"
    "#]],
    );
}

#[test]
fn too_much_is_refused() {
    let mut deep = String::from("[[\"v0\", \"get()\", \"#\"]");
    for level in 1..200 {
        deep.push_str(&format!(",\n[\"v{level}\", \"v{}\", \"#\"]", level - 1));
    }
    let errors = read(&format!("{deep}]"), Format::Tsimmis).unwrap_err();
    expect!["the wrapper has too many levels: more than 64"].assert_eq(&errors.0[0].to_string());
    let mut long = String::from("[[\"v0\", \"get()\", \"#\"]");
    for number in 1..20_000 {
        long.push_str(&format!(",[\"v{number}\", \"v0\", \"#\"]"));
    }
    let errors = read(&format!("{long}]"), Format::Tsimmis).unwrap_err();
    expect!["the wrapper has too many commands: more than 10000"].assert_eq(&errors.0[0].to_string());
    for hostile in ["[", "{", "(", "\"", "[\"", "a(", "[[\"a\",\"a(", "];", "\\"] {
        assert!(read(&hostile.repeat(100_000), Format::Tsimmis).is_err());
    }
    let mut unknown = String::from("[[\"v0\", \"get()\", \"#\"]");
    for number in 1..9_000 {
        unknown.push_str(&format!(",[\"{}{number}\", \"{}{number}\", \"#\"]", "v".repeat(60), "w".repeat(60)));
    }
    assert!(read(&format!("{unknown}]"), Format::Tsimmis).unwrap_err().0.len() <= 102);
}

#[test]
fn what_commands_cannot_say() {
    let refused = |rule: Rule, expected: Expect| {
        let wrapper = Wrapper { rules: vec![rule], ..Wrapper::default() };
        let errors = write(&wrapper, Format::Tsimmis).expect_err("it cannot be written");
        expected.assert_eq(&errors.0[0].to_string());
    };
    refused(
        Rule::field("title", "//h1"),
        expect![
            "the rule `title` cannot be written as TSIMMIS commands: only a pattern, or a `case` of patterns, can be written"
        ],
    );
    refused(
        Rule::field("a b", Locator::pattern("*#")),
        expect!["the rule `a b` cannot be written as TSIMMIS commands: a variable cannot be called so"],
    );
    refused(
        Rule::field("title", Locator::pattern("*<b>*")),
        expect![
            "the rule `title` cannot be written as TSIMMIS commands: only a pattern, or a `case` of patterns, can be written"
        ],
    );
    refused(
        Rule::list("rows", Locator::pattern("<b>#")),
        expect![
            "the rule `rows` cannot be written as TSIMMIS commands: `split` and `table` make lists, and nothing else does"
        ],
    );
    refused(
        Rule::save(Locator::pattern("*<b>#"), vec![Rule::field("a", Locator::default())]),
        expect![
            "the rule `a` cannot be written as TSIMMIS commands: 1 rules for 1 saved texts; one text is a field's own pattern"
        ],
    );
    let field = || Rule::field("a", Locator::pattern("*<b>#"));
    refused(
        Rule::group("g", Locator::default()).with(vec![field(), field()]),
        expect![
            "the rule `a` cannot be written as TSIMMIS commands: another rule has the same name, and commands share their variables"
        ],
    );
    let mut labelled = field();
    labelled.label = Some("one, two".into());
    refused(labelled, expect!["the rule `a` cannot be written as TSIMMIS commands: `one, two` cannot be a label"]);
    let mut sliced = field();
    sliced.locator.slice = Some(Slice::Index(1));
    refused(
        sliced,
        expect![
            "the rule `a` cannot be written as TSIMMIS commands: only patterns, `split`, `table`, `case` and `get` can be written, without refinements"
        ],
    );
    let mut group = Rule::group("g", Locator::default());
    group.take = vec![Take { label: "x".into(), variable: "nobody".into() }];
    refused(
        group,
        expect!["the rule `g` cannot be written as TSIMMIS commands: no command in front of it defines `nobody`"],
    );
    let mut group = Rule::group("g", Locator::default()).with(vec![field()]);
    group.ty = Type::Date;
    refused(group, expect!["the rule `g` cannot be written as TSIMMIS commands: what holds other objects has no type"]);
    assert!(write(&Wrapper::default(), Format::Tsimmis).is_err());
}

#[test]
fn what_is_written_is_read() {
    let mut written = 0;
    for seed in 0..5_000 {
        let mut dice = Dice::new(seed);
        let wrapper = random_wrapper(&mut dice);
        if let Ok(text) = write(&wrapper, Format::Tsimmis) {
            written += 1;
            match read(&text, Format::Tsimmis) {
                Ok(again) => assert_eq!(again, wrapper, "{text}"),
                Err(errors) => panic!("{wrapper:?}\n{text}\n{}", report(&text, &errors)),
            }
        }
    }
    assert!(written > 1_000, "{written}");
}

#[test]
fn what_is_read_is_written() {
    let files: Vec<String> = ["weather", "weather-grouped", "weather-linked", "weather-case", "weather-table"]
        .iter()
        .map(|name| fixture(&format!("weather/{name}.tsimmis")))
        .collect();
    let scraps = [
        "[",
        "]",
        "\"",
        "'",
        ",",
        "#",
        "*",
        "\\",
        "(",
        ")",
        "?",
        ":date",
        "->x",
        "case('#')",
        "[1:0]",
        "get()",
        "é",
        ";",
        "root",
    ];
    let mut right = 0;
    for seed in 0..5_000 {
        let mut dice = Dice::new(seed);
        let mut file = dice.pick(&files).clone();
        for _ in 0..1 + dice.below(3) {
            let mut at = dice.below(file.len());
            while !file.is_char_boundary(at) {
                at -= 1;
            }
            match dice.below(3) {
                0 => file.insert_str(at, dice.pick::<&str>(&scraps)),
                1 => drop(file.remove(at.min(file.len() - 1))),
                _ => {
                    file.remove(at);
                    file.insert_str(at, dice.pick::<&str>(&scraps));
                }
            }
        }
        match read(&file, Format::Tsimmis) {
            Ok(wrapper) => {
                right += 1;
                round_trip(&wrapper);
            }
            Err(errors) => {
                for error in &errors.0 {
                    let span = error.span().expect("errors of a file have a place");
                    assert!(file.get(span.range()).is_some(), "{file}\n{error} {span:?}");
                }
            }
        }
    }
    assert!((500..4_750).contains(&right), "{right}");
}

fn random_wrapper(dice: &mut Dice) -> Wrapper {
    let mut names = 0;
    let rules = (0..1 + dice.below(3)).map(|_| random_rule(dice, &mut names, 0, false)).collect();
    let url = dice.chance(2).then(|| random_text(dice, &["https://example.org/", "'", "\"", "a b"]).into());
    Wrapper {
        name: dice.chance(3).then(|| random_text(dice, &["a", "--", " ", "\n"])),
        url,
        rules,
        ..Wrapper::default()
    }
}

fn random_text(dice: &mut Dice, scraps: &[&str]) -> String {
    (0..1 + dice.below(3)).map(|_| *dice.pick(scraps)).collect()
}

fn random_pattern(dice: &mut Dice, saves: usize) -> String {
    let scraps = ["<TD>", "'", "\"", "\\\\", "\\*", "\\#", "\n", "é", "case(", "HREF=", "src=\"", ", ", "\\x"];
    let mut pattern = String::from(if dice.chance(2) { "*" } else { "" });
    for _ in 0..saves {
        pattern.push_str(&random_text(dice, &scraps));
        pattern.push('#');
    }
    pattern.push_str(&random_text(dice, &scraps));
    pattern + if dice.chance(2) { "*" } else { "" }
}

fn random_search(dice: &mut Dice, saves: usize) -> Locator {
    match dice.below(4) {
        0 if saves == 1 => Locator::default(),
        1 => Locator::new(Find::Case(
            (0..1 + dice.below(3)).map(|_| Locator::pattern(random_pattern(dice, saves))).collect(),
        )),
        _ => Locator::pattern(random_pattern(dice, saves)),
    }
}

fn random_rule(dice: &mut Dice, names: &mut usize, depth: usize, in_list: bool) -> Rule {
    let mut name = || {
        *names += 1;
        format!("{}{names}", dice.pick(&["_t", "name", "größe", "a-b", "x.y"]))
    };
    let (mut rule, below) = match dice_kind(depth, name(), dice) {
        (Kind::Save, _) => {
            let saves = 2 + dice.below(2);
            let optional = dice.chance(3);
            let mut into = Vec::new();
            for _ in 0..saves {
                let mut rule = random_rule(dice, names, depth + 2, false);
                (rule.kind, rule.locator, rule.members) = (Kind::Field, Locator::default(), None);
                if !rule.rules.is_empty() {
                    (rule.kind, rule.ty) = (Kind::Group, Type::String);
                }
                rule.take = Vec::new();
                rule.optional = optional;
                into.push(rule);
            }
            let mut save = Rule::save(random_search(dice, saves), into);
            save.optional = optional;
            (save, false)
        }
        (Kind::List, name) => {
            let find = match dice.below(3) {
                0 => Find::Table(Box::default()),
                1 => Find::Table(Box::new(Locator::pattern(random_pattern(dice, 1)))),
                _ => Find::Split(random_text(dice, &["<TR>", "'", "\"", "\\", "\n"]).into()),
            };
            let then = Some(random_search(dice, 1)).filter(|then| !then.is_scope()).map(Box::new);
            (Rule::list(name, Locator { find, then, ..Locator::default() }), true)
        }
        (Kind::Group, name) => {
            let locator = match dice.below(3) {
                0 if depth > 0 => Locator::new(Find::Get(Box::default())),
                _ => random_search(dice, 1),
            };
            (Rule::group(name, locator), true)
        }
        (_, name) => (Rule::field(name, random_search(dice, 1)), false),
    };
    if below && depth < 4 {
        let list = rule.kind == Kind::List;
        rule.rules = (0..dice.below(3)).map(|_| random_rule(dice, names, depth + 1, list)).collect();
    }
    if rule.kind == Kind::Group && rule.rules.is_empty() && !rule.locator.is_scope() {
        rule.kind = Kind::Field;
    }
    if rule.kind != Kind::Save {
        rule.optional = dice.chance(4);
        rule.label = dice.chance(4).then(|| random_text(dice, &["a", "b c", "é", "->", "?"]).trim().into());
        if rule.kind == Kind::Field || (rule.kind == Kind::List && rule.rules.is_empty()) {
            rule.ty = *dice.pick(&Type::ALL);
        }
    }
    if in_list && dice.chance(2) {
        rule.members = Some(match dice.chance(2) {
            true => Slice::Index(dice.below(5) as u32),
            false => Slice::Range { skip: dice.below(3) as u32, drop: dice.below(3) as u32 },
        });
    }
    rule
}

fn dice_kind(depth: usize, name: String, dice: &mut Dice) -> (Kind, String) {
    let kinds = [Kind::Field, Kind::Group, Kind::List, Kind::Save];
    (if depth > 4 { Kind::Field } else { *dice.pick(&kinds) }, name)
}
