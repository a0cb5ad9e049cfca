//! Pairs in tables: adjacent cells, two pairs a row, a row of labels above a row of values, tables in tables.

use windrow_learn::domain::{Class, Layout};

use super::{SHOP, check, check_layout, check_records, domain, lines, read};

const RAKE: &[&str] = &["brand: Acme", "model: R-22", "price: $3.77", "weight: 3.2 lbs"];

#[test]
fn label_and_value_in_adjacent_cells() {
    let reading = check(
        "<h1>Leaf rake</h1><table><tr><td>Brand</td><td>Acme</td></tr><tr><td>Model</td><td>R-22</td></tr>\
         <tr><td>Price</td><td>$3.77</td></tr><tr><td>Weight</td><td>3.2 lbs</td></tr></table>",
        RAKE,
    );
    check_layout(&reading, Layout::Cell);
}

#[test]
fn label_in_a_header_cell() {
    let reading = check(
        "<h1>Leaf rake</h1><table><tbody><tr><th>Brand</th><td>Acme</td></tr><tr><th>Model</th><td>R-22</td></tr>\
         <tr><th scope=row>Price</th><td>$3.77</td></tr><tr><th>Weight</th><td>3.2 lbs</td></tr></tbody></table>",
        RAKE,
    );
    check_layout(&reading, Layout::Cell);
}

#[test]
fn label_cells_with_colons() {
    check(
        "<h1>Leaf rake</h1><table><tr><td align=right><b>Brand:</b></td><td>Acme</td></tr>\
         <tr><td align=right><b>Model:</b></td><td>R-22</td></tr><tr><td align=right><b>Price:</b></td><td>$3.77</td></tr>\
         <tr><td align=right><b>Weight:</b></td><td>3.2 lbs</td></tr></table>",
        RAKE,
    );
}

#[test]
fn an_empty_cell_between_label_and_value() {
    check(
        "<h1>Leaf rake</h1><table><tr><td>Brand</td><td width=10>&nbsp;</td><td>Acme</td></tr>\
         <tr><td>Model</td><td>&nbsp;</td><td>R-22</td></tr><tr><td>Price</td><td>&nbsp;</td><td>$3.77</td></tr>\
         <tr><td>Weight</td><td>&nbsp;</td><td>3.2 lbs</td></tr></table>",
        RAKE,
    );
}

#[test]
fn a_cell_with_a_colon_between_label_and_value() {
    check(
        "<h1>Leaf rake</h1><table><tr><td>Brand</td><td>:</td><td>Acme</td></tr>\
         <tr><td>Model</td><td>:</td><td>R-22</td></tr><tr><td>Price</td><td>:</td><td>$3.77</td></tr>\
         <tr><td>Weight</td><td>:</td><td>3.2 lbs</td></tr></table>",
        RAKE,
    );
}

#[test]
fn two_pairs_in_a_row() {
    check(
        "<h1>Leaf rake</h1><table><tr><td>Brand</td><td>Acme</td><td>Model</td><td>R-22</td></tr>\
         <tr><td>Price</td><td>$3.77</td><td>Weight</td><td>3.2 lbs</td></tr></table>",
        RAKE,
    );
}

#[test]
fn two_pairs_in_a_row_with_header_cells() {
    check(
        "<h1>Leaf rake</h1><table><tr><th>Brand</th><td>Acme</td><th>Model</th><td>R-22</td></tr>\
         <tr><th>Price</th><td>$3.77</td><th>Weight</th><td>3.2 lbs</td></tr></table>",
        RAKE,
    );
}

#[test]
fn three_pairs_in_a_row() {
    check(
        "<h1>Leaf rake</h1><table><tr><td>Brand:</td><td>Acme</td><td>Model:</td><td>R-22</td><td>Color:</td><td>red</td>\
         </tr><tr><td>Price:</td><td>$3.77</td><td>Weight:</td><td>3.2 lbs</td><td>Size:</td><td>L</td></tr></table>",
        &["brand: Acme", "model: R-22", "price: $3.77", "weight: 3.2 lbs", "color: red", "size: L"],
    );
}

#[test]
fn two_pairs_in_a_row_and_the_first_value_missing() {
    check(
        "<h1>Leaf rake</h1><table><tr><td>Brand</td><td>Acme</td><td>Model</td><td>R-22</td></tr>\
         <tr><td>Color</td><td></td><td>Material</td><td>ash</td></tr>\
         <tr><td>Price</td><td>$3.77</td><td>Weight</td><td>3.2 lbs</td></tr></table>",
        &["brand: Acme", "model: R-22", "price: $3.77", "weight: 3.2 lbs", "material: ash"],
    );
}

#[test]
fn a_row_of_labels_above_a_row_of_values() {
    let reading = check(
        "<h1>Leaf rake</h1><table><tr><td>Brand</td><td>Model</td><td>Price</td><td>Weight</td></tr>\
         <tr><td>Acme</td><td>R-22</td><td>$3.77</td><td>3.2 lbs</td></tr></table>",
        RAKE,
    );
    check_layout(&reading, Layout::Column);
}

#[test]
fn a_row_of_header_cells_above_a_row_of_values() {
    let reading = check(
        "<h1>Leaf rake</h1><table><thead><tr><th>Brand</th><th>Model</th><th>Price</th><th>Weight</th></tr></thead>\
         <tbody><tr><td>Acme</td><td>R-22</td><td>$3.77</td><td>3.2 lbs</td></tr></tbody></table>",
        RAKE,
    );
    check_layout(&reading, Layout::Column);
}

#[test]
fn unknown_columns_between_the_known_ones() {
    check(
        "<h1>Leaf rake</h1><table><tr><th>#</th><th>Brand</th><th>Series</th><th>Model</th><th>Price</th><th>Weight</th></tr>\
         <tr><td>1</td><td>Acme</td><td>Autumn</td><td>R-22</td><td>$3.77</td><td>3.2 lbs</td></tr></table>",
        RAKE,
    );
}

#[test]
fn wide_cells_keep_columns_in_line() {
    check(
        "<h1>Leaf rake</h1><table><tr><th colspan=2>Brand</th><th>Model</th><th>Price</th><th>Weight</th></tr>\
         <tr><td>Acme</td><td>(US)</td><td>R-22</td><td>$3.77</td><td>3.2 lbs</td></tr></table>",
        RAKE,
    );
}

#[test]
fn a_row_of_labels_with_an_empty_value_leaves_that_role_out() {
    check(
        "<h1>Leaf rake</h1><table><tr><th>Brand</th><th>Color</th><th>Model</th><th>Price</th><th>Weight</th></tr>\
         <tr><td>Acme</td><td></td><td>R-22</td><td>$3.77</td><td>3.2 lbs</td></tr></table>",
        RAKE,
    );
}

#[test]
fn two_rows_of_labels_each_above_its_row_of_values() {
    check(
        "<h1>Leaf rake</h1><table><tr><td>Brand</td><td>Model</td></tr><tr><td>Acme</td><td>R-22</td></tr>\
         <tr><td>Price</td><td>Weight</td></tr><tr><td>$3.77</td><td>3.2 lbs</td></tr></table>",
        RAKE,
    );
}

#[test]
fn a_label_alone_in_its_row_has_its_value_in_the_next() {
    check(
        "<h1>Leaf rake</h1><table><tr><td>Brand</td><td>Acme</td></tr><tr><td>Model</td><td>R-22</td></tr>\
         <tr><td>Price</td><td>$3.77</td></tr><tr><td colspan=2>Description</td></tr>\
         <tr><td colspan=2>Rakes leaves, and nothing but leaves.</td></tr></table>",
        &["brand: Acme", "model: R-22", "price: $3.77", "description: Rakes leaves, and nothing but leaves."],
    );
}

#[test]
fn group_headings_between_rows_are_passed_over() {
    check(
        "<h1>Leaf rake</h1><table><tr><th colspan=2>General</th></tr><tr><td>Brand</td><td>Acme</td></tr>\
         <tr><td>Model</td><td>R-22</td></tr><tr><th colspan=2>Physical</th></tr><tr><td>Weight</td><td>3.2 lbs</td></tr>\
         <tr><th colspan=2>Offer</th></tr><tr><td>Price</td><td>$3.77</td></tr></table>",
        RAKE,
    );
}

#[test]
fn a_layout_table_around_the_table_of_pairs() {
    check(
        "<table width=100%><tr><td width=120><img src=logo.gif alt=logo></td><td>\
         <table><tr><td><img src=rake.jpg></td><td><table border=1>\
         <tr><td>Brand</td><td>Acme</td></tr><tr><td>Model</td><td>R-22</td></tr>\
         <tr><td>Price</td><td>$3.77</td></tr><tr><td>Weight</td><td>3.2 lbs</td></tr>\
         </table></td></tr></table></td></tr></table>",
        RAKE,
    );
}

#[test]
fn each_pair_in_a_table_of_its_own() {
    let pair = |label: &str, value: &str| {
        format!("<tr><td><table width=100%><tr><td><b>{label}</b></td><td>{value}</td></tr></table></td></tr>")
    };
    let rows = [("Brand", "Acme"), ("Model", "R-22"), ("Price", "$3.77"), ("Weight", "3.2 lbs")];
    let rows = rows.map(|(label, value)| pair(label, value)).concat();
    check(&format!("<h1>Leaf rake</h1><table>{rows}</table>"), RAKE);
}

#[test]
fn a_value_that_is_a_table_stays_whole() {
    check(
        "<h1>Leaf rake</h1><table><tr><td>Brand</td><td>Acme</td></tr><tr><td>Model</td><td>R-22</td></tr>\
         <tr><td>Price</td><td>$3.77</td></tr><tr><td>Dimensions</td><td><table><tr><td>60 in</td><td>long</td></tr>\
         <tr><td>20 in</td><td>wide</td></tr></table></td></tr></table>",
        &["brand: Acme", "model: R-22", "price: $3.77", "size: 60 in long 20 in wide"],
    );
}

#[test]
fn unknown_rows_outnumber_the_known_ones() {
    let unknown: String = (0..40).map(|at| format!("<tr><td>Feature {at}</td><td>yes {at}</td></tr>")).collect();
    check(
        &format!(
            "<h1>Leaf rake</h1><table><tr><td>Brand</td><td>Acme</td></tr><tr><td>Model</td><td>R-22</td></tr>{unknown}\
             <tr><td>Price</td><td>$3.77</td></tr><tr><td>Weight</td><td>3.2 lbs</td></tr></table>"
        ),
        RAKE,
    );
}

#[test]
fn a_row_with_three_cells_takes_the_one_beside_the_label() {
    check(
        "<h1>Leaf rake</h1><table><tr><td>Brand</td><td>Acme</td><td><a href=#>What is this?</a></td></tr>\
         <tr><td>Model</td><td>R-22</td><td><a href=#>What is this?</a></td></tr>\
         <tr><td>Price</td><td>$3.77</td><td><a href=#>What is this?</a></td></tr>\
         <tr><td>Weight</td><td>3.2 lbs</td><td><a href=#>What is this?</a></td></tr></table>",
        RAKE,
    );
}

#[test]
fn rows_without_end_tags_from_the_nineties() {
    check(
        "<TITLE>Leaf rake</TITLE><BODY BGCOLOR=#ffffff><H1>Leaf rake</H1><TABLE><TR><TD>Brand<TD>Acme<TR><TD>Model<TD>R-22\
         <TR><TD>Price<TD>$3.77<TR><TD>Weight<TD>3.2 lbs</TABLE>",
        RAKE,
    );
}

#[test]
fn label_and_value_in_one_cell() {
    check(
        "<h1>Leaf rake</h1><table><tr><td>Brand: Acme</td><td>Model: R-22</td></tr>\
         <tr><td>Price: $3.77</td><td>Weight: 3.2 lbs</td></tr></table>",
        RAKE,
    );
}

#[test]
fn a_comparison_with_other_products_gives_the_first_column() {
    // Beside the thing itself, the page compares it with others.
    check(
        "<title>Leaf rake R-22</title><h1>Leaf rake R-22</h1><table><tr><td>Brand</td><td>Acme</td></tr>\
         <tr><td>Model</td><td>R-22</td></tr><tr><td>Price</td><td>$3.77</td></tr><tr><td>Weight</td><td>3.2 lbs</td></tr>\
         </table><h2>Compare with similar items</h2><table><tr><th></th><th>This item</th><th><a href=/2>Hay rake</a></th>\
         </tr><tr><th>Price</th><td>$3.77</td><td>$8.00</td></tr><tr><th>Weight</th><td>3.2 lbs</td><td>5 lbs</td></tr>\
         </table>",
        RAKE,
    );
}

#[test]
fn a_table_with_a_head_has_a_record_in_each_row() {
    let reading = check_records(
        "<h1>Rakes</h1><table><thead><tr><th>Model</th><th>Brand</th><th>Price</th><th>Weight</th></tr></thead><tbody>\
         <tr><td colspan=4><b>For leaves</b></td></tr>\
         <tr><td>R-22</td><td>Acme</td><td>$3.77</td><td>3.2 lbs</td></tr>\
         <tr><td>R-23</td><td>Acme</td><td>$4.50</td><td>–</td></tr></tbody></table>",
        &[
            &["model: R-22", "brand: Acme", "price: $3.77", "weight: 3.2 lbs"],
            &["model: R-23", "brand: Acme", "price: $4.50"],
        ],
    );
    assert_eq!(reading.class, Class::DataRich);
}

#[test]
fn a_table_of_sizes_beside_the_data_of_one_thing_is_no_list_of_things() {
    let reading = read(
        "<h1>Leaf rake</h1><p>Brand: Acme</p><p>Model: R-22</p><p>Material: Ash</p><p>SKU: 12</p>\
         <table><tr><th>Size</th><th>Price</th><th>Weight</th></tr><tr><td>S</td><td>$3</td><td>3 lbs</td></tr>\
         <tr><td>L</td><td>$4</td><td>4 lbs</td></tr></table>",
    );
    assert_eq!(reading.records.len(), 1);
}

#[test]
fn labels_above_numbers_are_no_pairs() {
    let reading = read(
        "<h1>Leaf rake</h1><p>Model: R-22</p><p>Price: $3.77</p><p>Weight: 3.2 lbs</p>\
         <table><tr><td class=a>Year</td><td class=b>Brand</td><td class=c>G</td><td class=d>Sold</td><td class=e>Sent</td></tr>\
         <tr><td>2019</td><td>Acme</td><td>12</td><td>55</td><td>3</td></tr></table>",
    );
    let lines = lines(&domain(SHOP), &reading.records[0]);
    assert!(lines.contains(&"brand: Acme".to_owned()), "{lines:?}");
}
