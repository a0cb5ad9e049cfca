//! What a value is: texts, lists, placeholders, values in two states, roles inside roles.

use super::{check, check_in, domain};

#[test]
fn links_side_by_side_are_the_values_of_a_role_with_many() {
    check(
        "<h1>Raking</h1><p>Authors: <a href=/1>Ann Ash</a>, <a href=/2>Bob Oak</a> and <a href=/3>Cy Elm</a></p>\
         <p>Format: Hardcover</p><p>ISBN: 978-0-00-000000-2</p><p>Price: $3.77</p>",
        &["authors: Ann Ash | Bob Oak | Cy Elm", "format: Hardcover", "isbn: 978-0-00-000000-2", "price: $3.77"],
    );
}

#[test]
fn list_items_are_the_values_of_a_role_with_many() {
    check(
        "<h1>Raking</h1><table><tr><td>Authors</td><td><ul><li>Ann Ash</li><li>Bob Oak</li></ul></td></tr>\
         <tr><td>Format</td><td>Hardcover</td></tr><tr><td>ISBN</td><td>978-0-00-000000-2</td></tr>\
         <tr><td>Price</td><td>$3.77</td></tr></table>",
        &["authors: Ann Ash | Bob Oak", "format: Hardcover", "isbn: 978-0-00-000000-2", "price: $3.77"],
    );
}

#[test]
fn lines_are_the_values_of_a_role_with_many() {
    check(
        "<h1>Raking</h1><table><tr><td>Authors</td><td>Ann Ash<br>Bob Oak<br>Cy Elm</td></tr>\
         <tr><td>Format</td><td>Hardcover</td></tr><tr><td>ISBN</td><td>978-0-00-000000-2</td></tr>\
         <tr><td>Price</td><td>$3.77</td></tr></table>",
        &["authors: Ann Ash | Bob Oak | Cy Elm", "format: Hardcover", "isbn: 978-0-00-000000-2", "price: $3.77"],
    );
}

#[test]
fn text_with_commas_is_the_values_of_a_role_with_many() {
    check(
        "<h1>Raking</h1><p>Authors: Ann Ash, Bob Oak, Cy Elm</p><p>Format: Hardcover</p><p>ISBN: 978-0-00-000000-2</p>\
         <p>Price: $3.77</p>",
        &["authors: Ann Ash | Bob Oak | Cy Elm", "format: Hardcover", "isbn: 978-0-00-000000-2", "price: $3.77"],
    );
}

#[test]
fn one_link_is_one_value() {
    check(
        "<h1>Raking</h1><p>Authors: <a href=/1>Ann Ash</a></p><p>Format: Hardcover</p><p>ISBN: 978-0-00-000000-2</p>\
         <p>Price: $3.77</p>",
        &["authors: Ann Ash", "format: Hardcover", "isbn: 978-0-00-000000-2", "price: $3.77"],
    );
}

#[test]
fn links_are_one_text_if_the_role_says_that_it_has_one_value() {
    let one = domain(&super::SHOP.replace("[role.material]\n", "[role.material]\nmany = false\n"));
    check_in(
        one,
        "<h1>Leaf rake</h1><p>Brand: Acme</p><p>Model: R-22</p><p>Price: $3.77</p>\
         <p>Material: <a href=/ash>ash</a>, <a href=/steel>steel</a></p>",
        &["brand: Acme", "model: R-22", "price: $3.77", "material: ash, steel"],
    );
}

#[test]
fn links_side_by_side_are_a_list_if_the_role_does_not_say() {
    check(
        "<h1>Leaf rake</h1><p>Brand: Acme</p><p>Model: R-22</p><p>Price: $3.77</p>\
         <p>Material: <a href=/ash>ash</a>, <a href=/steel>steel</a></p>",
        &["brand: Acme", "model: R-22", "price: $3.77", "material: ash | steel"],
    );
}

#[test]
fn a_link_in_prose_makes_no_list() {
    check(
        "<h1>Leaf rake</h1><p>Brand: Acme</p><p>Model: R-22</p><p>Price: $3.77</p>\
         <p>Description: This rake, made like our <a href=/hay>hay rake</a> and its big sister the <a href=/bow>bow rake</a>, \
         gathers leaves from lawns, beds and gravel without harm.</p>",
        &[
            "brand: Acme",
            "model: R-22",
            "price: $3.77",
            "description: This rake, made like our hay rake and its big sister the bow rake, gathers leaves from lawns, beds \
             and gravel without harm.",
        ],
    );
}

#[test]
fn a_placeholder_is_what_the_page_says() {
    check(
        "<h1>Leaf rake</h1><table><tr><td>Brand</td><td>N/A</td></tr><tr><td>Model</td><td>R-22</td></tr>\
         <tr><td>Price</td><td>$3.77</td></tr><tr><td>Weight</td><td>3.2 lbs</td></tr></table>",
        &["brand: N/A", "model: R-22", "price: $3.77", "weight: 3.2 lbs"],
    );
}

#[test]
fn a_dash_is_no_value() {
    check(
        "<h1>Leaf rake</h1><table><tr><td>Brand</td><td>-</td></tr><tr><td>Model</td><td>R-22</td></tr>\
         <tr><td>Color</td><td>—</td></tr><tr><td>Price</td><td>$3.77</td></tr><tr><td>Weight</td><td>3.2 lbs</td></tr>\
         <tr><td>Size</td><td>...</td></tr></table>",
        &["model: R-22", "price: $3.77", "weight: 3.2 lbs"],
    );
}

#[test]
fn a_value_that_does_not_match_the_pattern_is_none() {
    check(
        "<h1>Leaf rake</h1><table><tr><td>Brand</td><td>Acme</td></tr><tr><td>Model</td><td>R-22</td></tr>\
         <tr><td>Price</td><td>Please call our friendly sales people for a quote</td></tr>\
         <tr><td>Weight</td><td>3.2 lbs</td></tr><tr><td>Color</td><td>red</td></tr></table>",
        &["brand: Acme", "model: R-22", "weight: 3.2 lbs", "color: red"],
    );
}

#[test]
fn of_a_value_in_two_states_the_one_that_is_seen_counts() {
    check(
        "<h1>Leaf rake</h1><table><tr><td>Brand</td><td>Acme</td></tr><tr><td>Model</td><td>R-22</td></tr>\
         <tr><td>Price</td><td><span style='display:none'>$9.99</span><span>$3.77</span></td></tr>\
         <tr><td>Weight</td><td>3.2 lbs</td></tr></table>",
        &["brand: Acme", "model: R-22", "price: $3.77", "weight: 3.2 lbs"],
    );
}

#[test]
fn a_hidden_tab_has_values_too() {
    check(
        "<h1>Leaf rake</h1><div id=t1><p>Brand: Acme</p><p>Price: $3.77</p></div><div id=t2 style='display: none'><table>\
         <tr><td>Model</td><td>R-22</td></tr><tr><td>Weight</td><td>3.2 lbs</td></tr></table></div>",
        &["brand: Acme", "model: R-22", "price: $3.77", "weight: 3.2 lbs"],
    );
}

#[test]
fn a_link_to_more_in_brackets_is_no_part_of_the_value() {
    check(
        "<h1>Leaf rake</h1><p>Brand: Acme <a href=/b>[more by Acme]</a></p><p>Model: R-22</p><p>Price: $3.77</p>\
         <p>Weight: 3.2 lbs</p>",
        &["brand: Acme", "model: R-22", "price: $3.77", "weight: 3.2 lbs"],
    );
}

#[test]
fn a_link_in_brackets_alone_is_no_value() {
    check(
        "<h1>Leaf rake</h1><p>Brand: <a href=/b>[add]</a></p><p>Model: R-22</p><p>Price: $3.77</p><p>Weight: 3.2 lbs</p>\
         <p>Color: red</p>",
        &["model: R-22", "price: $3.77", "weight: 3.2 lbs", "color: red"],
    );
}

#[test]
fn white_space_in_values_is_one_blank() {
    check(
        "<h1>Leaf rake</h1><table><tr><td>Brand</td><td>\n\t Acme \n  Garden&nbsp;Tools \n</td></tr>\
         <tr><td>Model</td><td>R-22</td></tr><tr><td>Price</td><td>$\n3.77</td></tr><tr><td>Weight</td><td>3.2 lbs</td></tr>\
         </table>",
        &["brand: Acme Garden Tools", "model: R-22", "price: $ 3.77", "weight: 3.2 lbs"],
    );
}

#[test]
fn a_long_value_stays_whole() {
    let text = "It gathers leaves from lawns and beds. ".repeat(200);
    let text = text.trim();
    check(
        &format!(
            "<h1>Leaf rake</h1><table><tr><td>Brand</td><td>Acme</td></tr><tr><td>Model</td><td>R-22</td></tr>\
             <tr><td>Price</td><td>$3.77</td></tr><tr><td>Description</td><td>{text}</td></tr></table>"
        ),
        &["brand: Acme", "model: R-22", "price: $3.77", &format!("description: {text}")],
    );
}

/// A book with people that have roles of their own.
const NESTED: &str = r#"
name = "nested"
[role.price]
keywords = ["price"]
[role.isbn]
keywords = ["isbn"]
[role.format]
keywords = ["format"]
[role.publisher]
keywords = ["publisher"]
[role.publisher.role.city]
keywords = ["city"]
[role.publisher.role.phone]
keywords = ["phone"]
"#;

#[test]
fn roles_inside_a_role_are_found_in_its_value() {
    let domain = domain(NESTED);
    let reading = super::read_in(
        domain.clone(),
        "<h1>Raking</h1><table><tr><td>Price</td><td>$3.77</td></tr><tr><td>ISBN</td><td>978-0-00-000000-2</td></tr>\
         <tr><td>Format</td><td>Hardcover</td></tr><tr><td>Publisher</td><td><table><tr><td>City</td><td>Oslo</td></tr>\
         <tr><td>Phone</td><td>22 33 44</td></tr></table></td></tr></table>",
    );
    assert_eq!(reading.records.len(), 1);
    let publisher = reading.records[0].pairs.iter().find(|pair| pair.role == domain.role("publisher")).unwrap();
    let inner: Vec<Vec<String>> = publisher
        .inner
        .iter()
        .map(|pairs| {
            let show = |pair: &windrow_learn::domain::Pair| {
                format!("{}: {}", domain.roles[pair.role.unwrap()].name, pair.values[0].text)
            };
            pairs.iter().map(show).collect()
        })
        .collect();
    assert_eq!(inner, [["city: Oslo", "phone: 22 33 44"]]);
}

#[test]
fn a_role_inside_a_role_is_not_taken_from_elsewhere() {
    let domain = domain(NESTED);
    let reading = super::read_in(
        domain.clone(),
        "<h1>Raking</h1><table><tr><td>Price</td><td>$3.77</td></tr><tr><td>ISBN</td><td>978-0-00-000000-2</td></tr>\
         <tr><td>Format</td><td>Hardcover</td></tr><tr><td>Publisher</td><td>Ash Press</td></tr></table>\
         <div class=shop><p>Visit us</p><p>City: Rome</p><p>Phone: 06 12 34</p></div>",
    );
    assert_eq!(reading.records.len(), 1);
    let names: Vec<&str> =
        reading.records[0].pairs.iter().filter_map(|pair| Some(domain.roles[pair.role?].name.as_str())).collect();
    assert_eq!(names, ["price", "isbn", "format", "publisher"]);
}

#[test]
fn a_keyword_of_two_roles_is_the_one_whose_pattern_the_value_matches() {
    let domain = domain(
        "[role.price]\nkeywords = ['price']\nvalue = '\\d'\n[role.width]\nkeywords = ['size']\nvalue = '\\d'\n\
         [role.fit]\nkeywords = ['size']\n[role.brand]\nkeywords = ['brand']\n",
    );
    for (said, role) in [("32 inches", "width"), ("small", "fit")] {
        let html = format!("<h1>Rake</h1><p>Price: $3</p><p>Brand: Acme</p><p>Size: {said}</p>");
        let reading = super::read_in(domain.clone(), &html);
        let pair = reading.records[0].pairs.iter().find(|pair| pair.values[0].text == said).unwrap();
        assert_eq!(pair.role, domain.role(role), "{said}");
    }
}
