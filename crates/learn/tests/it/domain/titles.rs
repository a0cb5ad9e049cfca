//! What a record is called.

use super::title;

const PAIRS: &str = "<p>Brand: Acme</p><p>Model: R-22</p><p>Price: $3.77</p><p>Weight: 3.2 lbs</p>";

#[test]
fn the_first_leaf_of_the_record() {
    let html = format!("<body><p>Welcome</p><div><div>Leaf rake</div>{PAIRS}</div></body>");
    assert_eq!(title(&html).as_deref(), Some("Leaf rake"));
}

#[test]
fn the_leaf_in_front_of_the_record() {
    let html = format!("<body><div><p>Leaf rake</p></div><div>{PAIRS}</div></body>");
    assert_eq!(title(&html).as_deref(), Some("Leaf rake"));
}

#[test]
fn a_line_that_the_pages_title_begins_with() {
    let html = format!(
        "<html><head><title>Leaf rake - Garden Corner</title></head><body><div>Garden Corner</div><p><b>Leaf rake</b></p>\
         <p>Free shipping</p><div>{PAIRS}</div></body></html>"
    );
    assert_eq!(title(&html).as_deref(), Some("Leaf rake"));
}

#[test]
fn a_line_that_the_pages_title_ends_with() {
    let html = format!(
        "<html><head><title>Garden Corner: Leaf rake</title></head><body><div class=logo>Garden Corner</div>\
         <h2>Leaf rake</h2><p>Free shipping</p><div>{PAIRS}</div></body></html>"
    );
    assert_eq!(title(&html).as_deref(), Some("Leaf rake"));
}

#[test]
#[ignore = "known: the name of the shop is taken"]
fn the_heading_of_the_page() {
    let html = format!(
        "<html><head><title>Garden Corner</title></head><body><div class=logo>Garden Corner</div><h1>Leaf rake</h1>\
         <p>Free shipping</p><div>{PAIRS}</div></body></html>"
    );
    assert_eq!(title(&html).as_deref(), Some("Leaf rake"));
}

#[test]
fn the_heading_although_a_breadcrumb_says_it_too() {
    let html = format!(
        "<html><head><title>Leaf rake | Shop</title></head><body><p><a href=/>Home</a> &gt; <a href=/t>Tools</a> &gt; \
         <span>Leaf rake</span></p><h1>Leaf rake</h1><div>{PAIRS}</div></body></html>"
    );
    assert_eq!(title(&html).as_deref(), Some("Leaf rake"));
}

#[test]
fn a_heading_that_says_more_than_the_title() {
    let html = format!(
        "<html><head><title>Leaf rake | Shop</title></head><body><h1>Leaf rake with ash handle, 60 in</h1><div>{PAIRS}</div>\
         </body></html>"
    );
    assert_eq!(title(&html).as_deref(), Some("Leaf rake with ash handle, 60 in"));
}

#[test]
fn a_label_beats_the_heading() {
    let html = format!("<body><h1>Welcome to our shop</h1><div><p>Product name: Leaf rake</p>{PAIRS}</div></body>");
    assert_eq!(title(&html).as_deref(), Some("Leaf rake"));
}

#[test]
fn a_heading_in_formats_is_one_text() {
    let html = format!("<body><h1><span>Leaf</span> <em>rake</em></h1><div>{PAIRS}</div></body>");
    assert_eq!(title(&html).as_deref(), Some("Leaf rake"));
}

#[test]
fn a_shop_name_in_the_first_heading_is_not_the_title() {
    // Old templates have their logo in the h1 of every page.
    let html = format!(
        "<html><head><title>Leaf rake - Garden Corner</title></head><body><h1 class=logo><a href=/>Garden Corner</a></h1>\
         <h2>Leaf rake</h2><div>{PAIRS}</div></body></html>"
    );
    assert_eq!(title(&html).as_deref(), Some("Leaf rake"));
}

#[test]
fn a_heading_of_a_section_is_not_the_title() {
    let html = format!(
        "<html><head><title>Leaf rake - Garden Corner</title></head><body><h1>Leaf rake</h1><img src=r.jpg>\
         <h2>Specifications</h2><div>{PAIRS}</div></body></html>"
    );
    assert_eq!(title(&html).as_deref(), Some("Leaf rake"));
}

#[test]
fn the_title_of_a_page_in_another_script() {
    let html = "<html><head><title>板蓝根颗粒_价格_说明书-药房网</title></head><body><div>药房网</div><h1>板蓝根颗粒</h1>\
        <div><p>Brand: 同仁堂</p><p>Model: R-22</p><p>Price: 12元</p><p>Weight: 5 g</p></div></body></html>";
    assert_eq!(title(html).as_deref(), Some("板蓝根颗粒"));
}

#[test]
fn a_page_without_a_title_or_heading_in_front_has_none() {
    let html = "<body><div><p>Brand: Acme</p><p>Model: R-22</p><p>Price: $3.77</p><p>Weight: 3.2 lbs</p></div></body>";
    assert_eq!(title(html), None);
}

#[test]
fn a_domain_without_a_role_for_titles_has_one_all_the_same() {
    let domain = super::domain(
        "name = \"bare\"\n[role.brand]\nkeywords = [\"brand\"]\n[role.model]\nkeywords = [\"model\"]\n\
         [role.price]\nkeywords = [\"price\"]\n[role.weight]\nkeywords = [\"weight\"]\n",
    );
    let reading = super::read_in(domain, &format!("<body><h1>Leaf rake</h1><div>{PAIRS}</div></body>"));
    let pair = reading.records[0].pairs.iter().find(|pair| pair.role.is_none()).unwrap();
    assert_eq!(pair.values[0].text, "Leaf rake");
}

#[test]
fn a_heading_below_the_menu_of_the_records_node_is_the_title() {
    let links = "<a href=/a>Rakes</a><br>".repeat(9);
    let html = format!("<title>Leaf rake | Acme</title><div>{links}<h1>Leaf rake</h1>{PAIRS}</div>");
    assert_eq!(title(&html).as_deref(), Some("Leaf rake"));
}

#[test]
fn a_button_is_no_part_of_a_title() {
    let html = format!("<title>Shop</title><h1>Leaf rake <button>×</button></h1><div>{PAIRS}</div>");
    assert_eq!(title(&html).as_deref(), Some("Leaf rake"));
}

#[test]
fn a_page_without_a_heading_is_called_as_its_title_says() {
    let html = format!("<title>Leaf rake | Garden shop</title><div><p>Back</p><p>Sale</p>{PAIRS}</div>");
    assert_eq!(title(&html).as_deref(), Some("Leaf rake"));
}
