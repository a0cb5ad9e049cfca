//! Running TSIMMIS specifications: a page built like the paper's Figure 2 gives objects like those of Figures 4 and
//! 5.

use std::sync::Arc;

use expect_test::{Expect, expect};
use windrow_wrapper::files::{Format, read};
use windrow_wrapper::{Extractor, Limits, Page, Pages};

use crate::bracket_support::{fixture, objects, report};

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
