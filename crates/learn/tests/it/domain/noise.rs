//! Keywords that label nothing: in menus, filters, breadcrumbs, prose, footers and forms; and keywords that are values.

use windrow_learn::domain::Class;

use super::{check, check_none};

const RAKE: &[&str] = &["brand: Acme", "model: R-22", "price: $3.77", "weight: 3.2 lbs"];

/// A page with a record and something before and behind it.
fn page(before: &str, behind: &str) -> String {
    format!(
        "<html><head><title>Leaf rake</title></head><body>{before}<div class=main><h1>Leaf rake</h1><table>\
         <tr><td>Brand</td><td>Acme</td></tr><tr><td>Model</td><td>R-22</td></tr><tr><td>Price</td><td>$3.77</td></tr>\
         <tr><td>Weight</td><td>3.2 lbs</td></tr></table></div>{behind}</body></html>"
    )
}

#[test]
fn keywords_in_a_menu() {
    check(
        &page(
            "<ul class=menu><li><a href=/>Home</a></li><li><a href=/s>Size</a></li><li><a href=/c>Color</a></li>\
             <li><a href=/m>Material</a></li><li><a href=/b>Books</a></li></ul>",
            "",
        ),
        RAKE,
    );
}

#[test]
fn keywords_in_a_menu_of_boxes() {
    check(
        &page(
            "<nav><div><a href=/>Home</a></div><div><a href=/f>Format</a></div><div><a href=/s>Sizes</a></div>\
             <div><a href=/m>Fabric</a></div><div><a href=/x>Contact</a></div></nav>",
            "",
        ),
        RAKE,
    );
}

#[test]
fn keywords_in_a_menu_in_one_line() {
    check(
        &page("<p><a href=/f>Format</a> | <a href=/c>Color</a> | <a href=/a>Authors</a> | <a href=/h>Help</a></p>", ""),
        RAKE,
    );
}

#[test]
fn keywords_in_filters() {
    check(
        &page(
            "<aside><h4>Filter by</h4><h5>Color</h5><ul><li><label><input type=checkbox> Red (3)</label></li>\
             <li><label><input type=checkbox> Blue (5)</label></li></ul><h5>Material</h5><ul>\
             <li><label><input type=checkbox> Ash (3)</label></li><li><label><input type=checkbox> Steel (1)</label></li></ul>\
             </aside>",
            "",
        ),
        RAKE,
    );
}

#[test]
#[ignore = "known: filters fill the record"]
fn keywords_in_filters_of_links() {
    check(
        &page(
            "<div class=facets><h4>Size</h4><a href=?s=1>Small (12)</a><br><a href=?s=2>Large (9)</a>\
             <h4>Color</h4><a href=?c=1>Red (7)</a><br><a href=?c=2>Blue (2)</a></div>",
            "",
        ),
        RAKE,
    );
}

#[test]
fn keywords_in_breadcrumbs() {
    check(
        &page("<p><a href=/>Home</a> &gt; <a href=/b>Material</a> &gt; <a href=/b/ash>Ash</a> &gt; Leaf rake</p>", ""),
        RAKE,
    );
}

#[test]
fn keywords_in_prose() {
    check(
        &page(
            "",
            "<p>The color of this rake is a warm red, and its size suits every garden. No other material is as light: ash. \
             We ship in any format.</p>",
        ),
        RAKE,
    );
}

#[test]
fn a_sentence_that_begins_with_a_keyword() {
    check(
        &page(
            "",
            "<p>Color may differ from the picture.</p><p>Size matters when leaves are wet.</p><p>Material comes from Maine.</p>",
        ),
        RAKE,
    );
}

#[test]
fn a_bold_keyword_in_prose() {
    check(
        &page(
            "",
            "<p>We care about the <b>material</b> of our rakes, and about the <b>color</b> of their handles.</p>",
        ),
        RAKE,
    );
}

#[test]
fn keywords_in_a_footer() {
    check(
        &page(
            "",
            "<footer><div><h5>Shop</h5><ul><li><a href=/a>Availability</a></li><li><a href=/f>Format</a></li>\
             <li><a href=/s>Size guide</a></li></ul></div><div>Warning: prices may change. © Acme</div></footer>",
        ),
        // The notice is a label with a value, and nothing else on the page says so.
        &["brand: Acme", "model: R-22", "price: $3.77", "weight: 3.2 lbs", "warnings: prices may change. © Acme"],
    );
}

#[test]
fn labels_of_a_review_form() {
    check(
        &page(
            "",
            "<form><p><label>Author:</label> <input name=author></p><p><label>Size:</label> <select><option>Small</option>\
             <option>Large</option></select></p><p><label>Color:</label><textarea></textarea></p><button>Send</button></form>",
        ),
        RAKE,
    );
}

#[test]
fn the_choices_of_a_form_are_no_values() {
    check(
        &page(
            "<form>Size: <select><option>S</option><option>M</option></select><input type=submit value=Go></form>",
            "",
        ),
        RAKE,
    );
}

#[test]
fn the_order_of_a_list_is_no_label() {
    check(&page("<p>Sort by: <a href=?o=c>Color</a> <a href=?o=s>Size</a> <a href=?o=a>Author</a></p>", ""), RAKE);
}

#[test]
fn tabs_are_no_labels_of_each_other() {
    check(
        &page(
            "",
            "<ul class=tabs><li><a href=#d>Description</a></li><li><a href=#w>Warnings</a></li><li><a href=#r>Reviews</a></li></ul>",
        ),
        RAKE,
    );
}

#[test]
fn scripts_styles_and_comments_say_nothing() {
    check(
        &page(
            "<script>var x = 'Color: red'; document.write('<p>Size: L</p>')</script><style>p:before{content:'Format: x'}</style>\
             <!-- Material: ash -->",
            "<noscript><p>Availability: none</p></noscript><template><p>Size: XL</p></template>",
        ),
        RAKE,
    );
}

#[test]
fn prices_of_related_products_do_not_win() {
    let card = |name: &str, price: &str| {
        format!("<div class=card><a href=/p/{name}>{name} rake</a><p>Price: {price}</p><p>Weight: 9 lbs</p></div>")
    };
    let cards = [("Hay", "$8.00"), ("Bow", "$9.00"), ("Moss", "$7.50")].map(|(name, price)| card(name, price)).concat();
    for html in [page(&cards, ""), page("", &cards)] {
        check(&html, RAKE);
    }
}

#[test]
#[ignore = "known: strays of offers fill the record"]
fn a_related_product_does_not_fill_what_the_record_lacks() {
    let card = "<div class=card><a href=/p/hay>Hay rake</a><p>Price: $8.00</p><p>Color: blue</p><p>Size: XL</p></div>";
    check(&page("", &format!("<h3>You may also like</h3><div>{card}{}</div>", card.replace("Hay", "Bow"))), RAKE);
}

#[test]
#[ignore = "known: strays of offers fill the record"]
fn a_single_related_product_does_not_win() {
    let card =
        "<div class=promo><a href=/p/hay>Hay rake</a><p>Brand: Hayco</p><p>Price: $8.00</p><p>Color: blue</p></div>";
    check(&page(card, ""), RAKE);
}

#[test]
fn a_cart_at_the_top_does_not_win() {
    check(&page("<div class=cart>Items: 2 <br>Price: $0.00 <a href=/cart>Check out</a></div>", ""), RAKE);
}

#[test]
fn a_block_that_stands_there_twice_is_one_record() {
    // Once for phones, once for desks.
    let block = "<div class=specs><p>Brand: Acme</p><p>Model: R-22</p><p>Price: $3.77</p><p>Weight: 3.2 lbs</p></div>";
    check(&format!("<h1>Leaf rake</h1><div class=mobile>{block}</div><div class=desktop>{block}</div>"), RAKE);
}

#[test]
fn a_short_block_that_repeats_a_part_is_no_record() {
    check(&page("<div class=sticky><b>Leaf rake</b><p>Price: $3.77</p><p>Brand: Acme</p></div>", ""), RAKE);
}

#[test]
fn a_keyword_as_a_value_in_a_line() {
    check(
        "<h1>Raking</h1><p>Authors: Ann Ash</p><p>Format: Hardcover</p><p>ISBN: 978-0-00-000000-2</p><p>Price: $3.77</p>",
        &["authors: Ann Ash", "format: Hardcover", "isbn: 978-0-00-000000-2", "price: $3.77"],
    );
}

#[test]
fn a_keyword_as_a_value_in_a_cell() {
    check(
        "<h1>Raking</h1><table><tr><td>Authors</td><td>Ann Ash</td></tr><tr><td>Format</td><td>Hardcover</td></tr>\
         <tr><td>ISBN</td><td>978-0-00-000000-2</td></tr><tr><td>Price</td><td>$3.77</td></tr></table>",
        &["authors: Ann Ash", "format: Hardcover", "isbn: 978-0-00-000000-2", "price: $3.77"],
    );
}

#[test]
fn a_keyword_as_a_value_in_a_definition() {
    check(
        "<h1>Raking</h1><dl><dt>Authors</dt><dd>Ann Ash</dd><dt>Binding</dt><dd>Paperback</dd>\
         <dt>ISBN</dt><dd>978-0-00-000000-2</dd><dt>Price</dt><dd>$3.77</dd></dl>",
        &["authors: Ann Ash", "format: Paperback", "isbn: 978-0-00-000000-2", "price: $3.77"],
    );
}

#[test]
fn a_keyword_as_a_value_behind_a_bold_label() {
    check(
        "<h1>Raking</h1><p><b>Authors:</b> Ann Ash</p><p><b>Format:</b> Hardcover</p>\
         <p><b>ISBN:</b> 978-0-00-000000-2</p><p><b>Price:</b> $3.77</p>",
        &["authors: Ann Ash", "format: Hardcover", "isbn: 978-0-00-000000-2", "price: $3.77"],
    );
}

#[test]
fn the_same_keyword_as_a_label_on_another_page() {
    check(
        "<h1>Raking</h1><ul><li><b>Hardcover:</b> 320 pages</li><li><b>Authors:</b> Ann Ash</li>\
         <li><b>ISBN:</b> 978-0-00-000000-2</li><li><b>Price:</b> $3.77</li></ul>",
        &["format: 320 pages", "authors: Ann Ash", "isbn: 978-0-00-000000-2", "price: $3.77"],
    );
}

#[test]
fn a_keyword_at_the_beginning_of_a_value_does_not_cut_it() {
    check(
        "<h1>Leaf rake</h1><table><tr><td>Brand</td><td>Acme</td></tr><tr><td>Model</td><td>R-22</td></tr>\
         <tr><td>Description</td><td>Color that lasts, size that fits, and a fair price for all.</td></tr>\
         <tr><td>Price</td><td>$3.77</td></tr></table>",
        &[
            "brand: Acme",
            "model: R-22",
            "description: Color that lasts, size that fits, and a fair price for all.",
            "price: $3.77",
        ],
    );
}

#[test]
fn prose_alone_is_neither() {
    check_none(
        "<h1>How to rake</h1><p>The price of a rake depends on its material, its brand and its weight.</p>\
         <p>Before you buy, think of the size of your garden. The color is a matter of taste.</p>",
        Class::Neither,
    );
}

#[test]
fn a_menu_alone_is_neither() {
    check_none(
        "<ul><li><a href=/1>Brand</a></li><li><a href=/2>Price</a></li><li><a href=/3>Color</a></li>\
         <li><a href=/4>Size</a></li><li><a href=/5>Material</a></li></ul><p>Welcome to our shop.</p>",
        Class::Neither,
    );
}

#[test]
fn a_search_form_alone_is_neither() {
    check_none(
        "<h1>Advanced search</h1><form><table><tr><td>Brand:</td><td><input name=b></td></tr>\
         <tr><td>Price:</td><td><input name=p1> to <input name=p2></td></tr><tr><td>Color:</td><td><select><option>any</option>\
         <option>red</option></select></td></tr><tr><td>Size:</td><td><input name=s></td></tr></table>\
         <input type=submit value=Search></form>",
        Class::Neither,
    );
}

#[test]
fn a_page_of_nothing_is_neither() {
    check_none(
        "<html><head><title>404 Not Found</title></head><body><h1>Not Found</h1><hr>nginx</body></html>",
        Class::Neither,
    );
}

#[test]
fn one_label_makes_no_record() {
    check_none(
        "<html><body><h1>News</h1><p>Price: free</p><p>The garden show opens today.</p></body></html>",
        Class::Neither,
    );
}

#[test]
fn a_domain_without_keywords_finds_nothing() {
    let reading = super::read_in(super::domain("name = \"none\"\n[role.name]\ntitle = true\n"), &page("", ""));
    assert!(reading.records.is_empty());
    assert_eq!(reading.class, Class::Neither);
}

#[test]
fn headings_over_links_at_the_foot_of_a_page_are_no_record() {
    check_none(
        "<html><body><h1>Find a rake</h1><p>Nothing found.</p><footer><h5>Price</h5><ul><li><a href=/1>up to $5</a></li>\
         <li><a href=/2>up to $9</a></li></ul><h5>Brand</h5><ul><li><a href=/3>Acme</a></li><li><a href=/4>Meadow</a></li></ul>\
         </footer></body></html>",
        Class::Neither,
    );
}

#[test]
fn what_a_script_has_not_filled_is_no_value() {
    super::check(
        "<h1>Leaf rake</h1><p>Brand: Acme</p><p>Model: R-22</p><p>Price: $3.77</p><p>Material: Loading…</p>",
        &["brand: Acme", "model: R-22", "price: $3.77"],
    );
}
