//! Pairs in blocks: definition lists, boxes side by side, headings with paragraphs below them.

use windrow_learn::domain::Layout;

use super::{check, check_layout};

const RAKE: &[&str] = &["brand: Acme", "model: R-22", "price: $3.77", "weight: 3.2 lbs"];

#[test]
fn a_definition_list() {
    let reading = check(
        "<h1>Leaf rake</h1><dl><dt>Brand</dt><dd>Acme</dd><dt>Model</dt><dd>R-22</dd><dt>Price</dt><dd>$3.77</dd>\
         <dt>Weight</dt><dd>3.2 lbs</dd></dl>",
        RAKE,
    );
    check_layout(&reading, Layout::Definition);
}

#[test]
fn a_definition_list_with_a_box_for_each_pair() {
    check(
        "<h1>Leaf rake</h1><dl><div><dt>Brand</dt><dd>Acme</dd></div><div><dt>Model</dt><dd>R-22</dd></div>\
         <div><dt>Price</dt><dd>$3.77</dd></div><div><dt>Weight</dt><dd>3.2 lbs</dd></div></dl>",
        RAKE,
    );
}

#[test]
fn a_definition_list_for_each_pair() {
    check(
        "<h1>Leaf rake</h1><dl><dt>Brand</dt><dd>Acme</dd></dl><dl><dt>Model</dt><dd>R-22</dd></dl>\
         <dl><dt>Price</dt><dd>$3.77</dd></dl><dl><dt>Weight</dt><dd>3.2 lbs</dd></dl>",
        RAKE,
    );
}

#[test]
fn several_definitions_of_a_role_with_one_value_are_one_text() {
    check(
        "<h1>Leaf rake</h1><dl><dt>Brand</dt><dd>Acme</dd><dt>Model</dt><dd>R-22</dd><dt>Price</dt><dd>$3.77</dd>\
         <dt>Material</dt><dd>ash</dd><dd>steel</dd><dt>Weight</dt><dd>3.2 lbs</dd></dl>",
        &["brand: Acme", "model: R-22", "price: $3.77", "material: ash steel", "weight: 3.2 lbs"],
    );
}

#[test]
fn several_definitions_of_a_role_with_many_values_are_its_values() {
    check(
        "<h1>Raking</h1><dl><dt>Authors</dt><dd>Ann Ash</dd><dd>Bob Oak</dd><dd>Cy Elm</dd><dt>Price</dt><dd>$3.77</dd>\
         <dt>ISBN</dt><dd>978-0-00-000000-2</dd><dt>Weight</dt><dd>1 lb</dd></dl>",
        &["authors: Ann Ash | Bob Oak | Cy Elm", "price: $3.77", "isbn: 978-0-00-000000-2", "weight: 1 lb"],
    );
}

#[test]
fn a_box_for_the_label_and_a_box_for_the_value() {
    let reading = check(
        "<h1>Leaf rake</h1><div class=row><div class=k>Brand</div><div class=v>Acme</div></div>\
         <div class=row><div class=k>Model</div><div class=v>R-22</div></div>\
         <div class=row><div class=k>Price</div><div class=v>$3.77</div></div>\
         <div class=row><div class=k>Weight</div><div class=v>3.2 lbs</div></div>",
        RAKE,
    );
    check_layout(&reading, Layout::Below);
}

#[test]
fn boxes_in_a_grid_without_rows() {
    check(
        "<h1>Leaf rake</h1><div class=grid><div>Brand</div><div>Acme</div><div>Model</div><div>R-22</div>\
         <div>Price</div><div>$3.77</div><div>Weight</div><div>3.2 lbs</div></div>",
        RAKE,
    );
}

#[test]
fn boxes_nested_for_style_alone() {
    let pair = |label: &str, value: &str| {
        format!(
            "<div class='sc-1 fLx'><div class='sc-2'><div><span class='sc-3'>{label}</span></div></div>\
             <div class='sc-4'><div class='sc-5'><div class='sc-6'><p>{value}</p></div></div></div></div>"
        )
    };
    let rows = [("Brand", "Acme"), ("Model", "R-22"), ("Price", "$3.77"), ("Weight", "3.2 lbs")];
    let rows = rows.map(|(label, value)| pair(label, value)).concat();
    check(&format!("<h1>Leaf rake</h1><div><div><div>{rows}</div></div></div>"), RAKE);
}

#[test]
#[ignore = "known: columns made of lists are not paired"]
fn a_column_of_labels_beside_a_column_of_values() {
    check(
        "<h1>Leaf rake</h1><div class=flex><ul class=keys><li>Brand</li><li>Model</li><li>Price</li><li>Weight</li></ul>\
         <ul class=values><li>Acme</li><li>R-22</li><li>$3.77</li><li>3.2 lbs</li></ul></div>",
        RAKE,
    );
}

#[test]
fn a_heading_with_a_paragraph_below() {
    check(
        "<h1>Saline mist</h1><h2>Description</h2><p>Moisturizes dry noses.</p><h2>Ingredients</h2><p>Water, salt.</p>\
         <h2>Warnings</h2><p>Keep away from children.</p><h2>Manufacturer</h2><p>Acme Labs</p>",
        &[
            "description: Moisturizes dry noses.",
            "ingredients: Water, salt.",
            "warnings: Keep away from children.",
            "manufacturer: Acme Labs",
        ],
    );
}

#[test]
fn a_heading_with_several_paragraphs_below() {
    check(
        "<h1>Saline mist</h1><h2>Description</h2><p>Moisturizes dry noses.</p><p>For the whole family.</p>\
         <h2>Ingredients</h2><p>Water, salt.</p><h2>Warnings</h2><p>Keep away from children.</p><p>Do not drink.</p>\
         <h2>Manufacturer</h2><p>Acme Labs</p>",
        &[
            "description: Moisturizes dry noses. For the whole family.",
            "ingredients: Water, salt.",
            "warnings: Keep away from children. Do not drink.",
            "manufacturer: Acme Labs",
        ],
    );
}

#[test]
fn sections_with_a_heading_each() {
    check(
        "<h1>Saline mist</h1><section><h3>Description</h3><div><p>Moisturizes dry noses.</p><p>For the whole family.</p></div>\
         </section><section><h3>Ingredients</h3><div>Water, salt.</div></section>\
         <section><h3>Warnings</h3><div>Keep away from children.</div></section>\
         <section><h3>Manufacturer</h3><div>Acme Labs</div></section>",
        &[
            "description: Moisturizes dry noses. For the whole family.",
            "ingredients: Water, salt.",
            "warnings: Keep away from children.",
            "manufacturer: Acme Labs",
        ],
    );
}

#[test]
fn a_heading_with_a_list_below() {
    check(
        "<h1>Saline mist</h1><h2>Brand</h2><p>Acme</p><h2>Ingredients</h2><ul><li>Water</li><li>Salt</li><li>Mint</li></ul>\
         <h2>Warnings</h2><p>Keep away from children.</p><h2>Manufacturer</h2><p>Acme Labs</p>",
        &[
            "brand: Acme",
            "ingredients: Water Salt Mint",
            "warnings: Keep away from children.",
            "manufacturer: Acme Labs",
        ],
    );
}

#[test]
fn an_unknown_heading_ends_the_value_above() {
    check(
        "<h1>Saline mist</h1><h2>Brand</h2><p>Acme</p><h2>Description</h2><p>Moisturizes dry noses.</p>\
         <h2>Our promise</h2><p>Thirty days to return.</p><h2>Warnings</h2><p>Keep away from children.</p>\
         <h2>Ingredients</h2><p>Water, salt.</p>",
        &[
            "brand: Acme",
            "description: Moisturizes dry noses.",
            "warnings: Keep away from children.",
            "ingredients: Water, salt.",
        ],
    );
}

#[test]
fn list_items_with_label_and_value_in_boxes() {
    check(
        "<h1>Leaf rake</h1><ul class=specs><li><div>Brand</div><div>Acme</div></li><li><div>Model</div><div>R-22</div></li>\
         <li><div>Price</div><div>$3.77</div></li><li><div>Weight</div><div>3.2 lbs</div></li></ul>",
        RAKE,
    );
}

#[test]
fn labels_of_a_form_that_shows_values() {
    check(
        "<h1>Leaf rake</h1><form><p><label>Brand</label> <output>Acme</output></p>\
         <p><label>Model</label> <output>R-22</output></p><p><label>Price</label> <output>$3.77</output></p>\
         <p><label>Weight</label> <output>3.2 lbs</output></p></form>",
        RAKE,
    );
}

#[test]
fn pairs_in_two_places_of_a_page_are_one_record() {
    check(
        "<title>Leaf rake</title><div class=head><h1>Leaf rake</h1><p>Price: $3.77</p><p>Availability: in stock</p></div>\
         <div class=tabs><table><tr><td>Brand</td><td>Acme</td></tr><tr><td>Model</td><td>R-22</td></tr>\
         <tr><td>Weight</td><td>3.2 lbs</td></tr><tr><td>Color</td><td>red</td></tr></table></div>",
        &["price: $3.77", "availability: in stock", "brand: Acme", "model: R-22", "weight: 3.2 lbs", "color: red"],
    );
}

#[test]
fn labels_with_an_icon_in_front() {
    check(
        "<h1>Leaf rake</h1><div><p><i class='fa fa-tag'></i> Brand: Acme</p><p><svg><title>m</title></svg>Model: R-22</p>\
         <p><img src=p.png alt=''> Price: $3.77</p><p>► Weight: 3.2 lbs</p></div>",
        RAKE,
    );
}

#[test]
fn a_required_star_behind_a_label() {
    check(
        "<h1>Leaf rake</h1><div><p><b>Brand*</b> Acme</p><p><b>Model*</b> R-22</p><p><b>Price*</b> $3.77</p>\
         <p><b>Weight*</b> 3.2 lbs</p></div>",
        RAKE,
    );
}
