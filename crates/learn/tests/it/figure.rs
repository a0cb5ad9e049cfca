//! The example of the paper: Fontán et al. 2012, Figures 1 and 5.

use expect_test::expect;

/// A page like Figure 1: four ads of two or three siblings each, sublists of three, one, two and two, optional fields,
/// a menu and an advertisement in front, a pager behind.
fn page() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/pages/classifieds/page-1.html");
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn the_page_of_figure_1_gives_the_result_of_figure_5() {
    crate::check(
        &page(),
        &expect![[r#"
        path "Jobs and services / Services / Babysitter", name "Babysitter for two boys, evenings and weekends", name_link "/ad/4711", place "Aarhus (Denmark)", compensation "$350.00", extra_compensation "up to $50.00", job_type "full time (in the holidays only)", published_in {name "smallads.example", name_link "https://smallads.example/881", date "October 22, 2025"}, published_in {name "noticeboard.example", name_link "https://noticeboard.example/x/17", date "October 12, 2025"}, published_in {name "townlist.example", name_link "https://townlist.example/c/5", date "September 30, 2025"}
        path "Jobs and services / Jobs / Household", name "Housekeeper who drives, for a family of five", name_link "/ad/4712", place "Aarhus (Denmark)", compensation "$2,900.00", published_in {name "gumboot.example", name_link "https://gumboot.example/92", date "September 16, 2025"}
        path "Jobs and services / Services / Babysitter", name "Student offers to look after your children", name_link "/ad/4713", place "Girona (Spain)", compensation "6.00 €", extra_compensation "up to 3.00 €", job_type "part-time", published_in {name "baymarket.example", name_link "https://baymarket.example/n/3", date "October 27, 2025"}, published_in {name "mine.example", name_link "https://mine.example/ads/3", date "October 28, 2025"}
        path "Jobs and services / Services / Nanny", name "Nanny needed at once, twins of one year", name_link "/ad/4714", place "Lille (France)", compensation "200.00 €", job_type "part-time", published_in {name "redboard.example", name_link "https://redboard.example/44", date "January 4, 2026"}, published_in {name "smallads.example", name_link "https://smallads.example/902", date "February 16, 2026"}
    "#]],
    );
}
