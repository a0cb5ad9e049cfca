//! Roles with several values, below headings; values in other places than behind their labels.

use windrow_learn::domain::{Class, Domain, Layout, Reader, Reading};
use windrow_wrapper::Page;

/// Recipes, in a few words.
const RECIPE: &str = r#"
name = "recipe"

[role.title]
title = true
schema = ["name"]

[role.ingredients]
keywords = ["ingredients", "you will need"]
many = true

[role.instructions]
keywords = ["instructions", "method", "preparation"]
many = true

[role.yields]
keywords = ["servings", "serves"]
value = '\d'

[role.prep_time]
keywords = ["prep time", "preparation"]
value = '\d'

[role.author]
keywords = ["author"]
schema = ["author.name"]
"#;

fn read(html: &str) -> (Reader, Reading) {
    let reader = Reader::new(Domain::read(RECIPE, &|_| None).unwrap()).unwrap();
    let reading = reader.read(&Page::from_text("page", html));
    (reader, reading)
}

/// The values of a role in the only record.
fn values(html: &str, role: &str) -> Vec<String> {
    let (reader, reading) = read(html);
    assert_eq!(reading.class, Class::DataRich, "{html}");
    let [record] = &reading.records[..] else { panic!("{} records", reading.records.len()) };
    let number = reader.domain().role(role);
    let pair = record.pairs.iter().find(|pair| pair.role == number);
    pair.map(|pair| pair.values.iter().map(|value| value.text.clone()).collect()).unwrap_or_default()
}

const REST: &str = "<h2>Method</h2><ol><li>Mix it.</li><li>Bake it.</li></ol>";

#[test]
fn the_list_and_not_the_block_behind_its_heading() {
    let page = format!(
        "<h1>Cake</h1><h2>Ingredients</h2><div><button>1x</button><button>2x</button></div><p>For four people.</p>\
         <ul><li><span>2</span> <span>eggs</span></li><li><label>▢</label> 100 g <a href=/flour>flour</a></li></ul>{REST}"
    );
    assert_eq!(values(&page, "ingredients"), ["2 eggs", "100 g flour"]);
    assert_eq!(values(&page, "instructions"), ["Mix it.", "Bake it."]);
}

#[test]
fn lists_below_smaller_headings_are_one() {
    let page = format!(
        "<h1>Cake</h1><h2>Ingredients</h2><h3>For the dough</h3><ul><li>2 eggs</li><li>100 g flour</li></ul>\
         <h3>For the cream</h3><ul><li>1 lemon</li></ul>{REST}<h2>More</h2><ul><li>Pie</li><li>Tart</li></ul>"
    );
    assert_eq!(values(&page, "ingredients"), ["2 eggs", "100 g flour", "1 lemon"]);
    assert_eq!(values(&page, "instructions"), ["Mix it.", "Bake it."]);
}

#[test]
fn rows_paragraphs_boxes_and_lines_are_items() {
    let layouts = [
        "<table><tr><td>2</td><td>eggs</td></tr><tr><td>100 g</td><td>flour</td></tr><tr><td>1</td><td>lemon</td></tr></table>",
        "<p>2 eggs</p><p>100 g flour</p><p>1 lemon</p>",
        "<div><div class=i><b>2</b> eggs</div><div class=i><b>100 g</b> flour</div><div class=i><b>1</b> lemon</div></div>",
        "<p>2 eggs<br>100 g flour<br>1 lemon</p>",
    ];
    for layout in layouts {
        let page = format!("<h1>Cake</h1><h2>Ingredients</h2>{layout}{REST}");
        assert_eq!(values(&page, "ingredients"), ["2 eggs", "100 g flour", "1 lemon"], "{layout}");
    }
}

#[test]
fn the_number_of_a_step_is_no_part_of_it() {
    let layouts = [
        "<p>1. Mix it.</p><p>2. Bake it.</p><p>3. Eat it.</p>",
        "<div><h3>Step 1</h3><p>Mix it.</p><h3>Step 2</h3><p>Bake it.</p><h3>Step 3</h3><p>Eat it.</p></div>",
        "<ul><li><b>Step 1:</b> Mix it.</li><li><b>Step 2:</b> Bake it.</li><li><b>Step 3:</b> Eat it.</li></ul>",
    ];
    for layout in layouts {
        let page = format!(
            "<h1>Cake</h1><h2>Ingredients</h2><ul><li>2 eggs</li><li>3 lemons</li></ul><h2>Method</h2>{layout}"
        );
        assert_eq!(values(&page, "instructions"), ["Mix it.", "Bake it.", "Eat it."], "{layout}");
        assert_eq!(values(&page, "ingredients"), ["2 eggs", "3 lemons"]);
    }
}

#[test]
fn neither_a_menu_nor_prose_is_the_list() {
    let page = format!(
        "<nav><ul><li><a href=/i>Ingredients</a></li><li><a href=/n>News</a></li></ul></nav><h1>Cake</h1>\
         <p>The ingredients are few.</p><ul><li>Cheap</li><li>Quick</li></ul>\
         <h2>Ingredients</h2><ul><li>2 eggs</li><li>100 g flour</li></ul>{REST}"
    );
    assert_eq!(values(&page, "ingredients"), ["2 eggs", "100 g flour"]);
}

#[test]
fn a_sheet_of_pairs_is_no_list() {
    let page = "<h1>Cake</h1><h2>Ingredients</h2><ul><li>2 eggs</li><li>100 g flour</li></ul><h2>Preparation</h2>\
         <ul><li>Prep time: 10 min</li><li>Servings: 4</li></ul><p>Mix it.</p><p>Bake it.</p><p>Eat it.</p>";
    assert_eq!(values(page, "instructions"), ["Mix it.", "Bake it.", "Eat it."]);
    assert_eq!(values(page, "yields"), ["4"]);
}

#[test]
fn names_of_elements_tell_a_list_without_a_heading() {
    let page = format!(
        "<h1>Cake</h1><p>Servings: 4</p><ul class=recipe-ingredients><li>2 eggs</li><li>100 g flour</li></ul>{REST}"
    );
    assert_eq!(values(&page, "ingredients"), ["2 eggs", "100 g flour"]);
}

#[test]
fn a_number_in_front_of_what_it_counts_or_behind_it() {
    for line in ["<p>4 servings</p>", "<p><b>4</b> <span>servings</span></p>", "<p>Serves 4</p>"] {
        let page = format!("<h1>Cake</h1>{line}<h2>Ingredients</h2><ul><li>2 eggs</li><li>100 g flour</li></ul>{REST}");
        assert_eq!(values(&page, "yields"), ["4"], "{line}");
    }
    let prose = format!(
        "<h1>Cake</h1><p>It serves 4 of them well.</p><h2>Ingredients</h2><ul><li>2 eggs</li><li>1 l milk</li></ul>{REST}"
    );
    assert_eq!(values(&prose, "yields"), Vec::<String>::new());
}

#[test]
fn a_class_tells_a_role_that_machines_are_told_of() {
    let page = |more: &str| {
        format!(
            "<h1>Cake</h1><div class=post-author>Ann Ash</div>{more}<h2>Ingredients</h2><ul><li>2 eggs</li><li>1 l milk</li></ul>{REST}"
        )
    };
    assert_eq!(values(&page(""), "author"), ["Ann Ash"]);
    let comments = "<div class=comments><p class=author>Bob</p><p class=author>Eve</p></div>";
    assert_eq!(values(&page(comments), "author"), ["Ann Ash"]);
    assert_eq!(values(&page("<div class=author>Bob</div>"), "author"), Vec::<String>::new());
    // Cards of other recipes further down name other people.
    let cards = format!("{}<div class=author>Bob</div><div class=author>Eve</div>", "<p>Line</p>".repeat(12));
    assert_eq!(values(&page(&cards), "author"), ["Ann Ash"]);
}

#[test]
fn a_label_in_a_menu_has_no_value() {
    let menu = "<nav><ul><li>Cook time</li><li>30 minutes or less</li></ul></nav>";
    let page = format!(
        "{menu}<h1>Cake</h1><h2>Ingredients</h2><ul><li>2 eggs</li><li>1 l milk</li></ul><h2>Method</h2><p>Mix.</p>"
    );
    assert_eq!(values(&page, "cook_time"), Vec::<String>::new());
}

#[test]
fn parts_of_a_list_have_titles_of_their_own() {
    let part = |number: u8, title: &str, items: [&str; 2]| {
        let items = items.map(|item| format!("<div class=item>{item}</div>")).concat();
        format!(
            "<div class=part-{number}><div class=title>{title}</div><div class=rows>{items}<div class=item>salt</div></div></div>"
        )
    };
    let page = format!(
        "<h1>Cake</h1><h2>Ingredients</h2><div>{}{}</div>{REST}",
        part(1, "For the crust", ["200 g flour", "100 g butter"]),
        part(2, "For the filling", ["3 eggs", "1 l milk"])
    );
    assert_eq!(values(&page, "ingredients"), ["200 g flour", "100 g butter", "salt", "3 eggs", "1 l milk", "salt"]);
}

#[test]
fn amounts_and_names_side_by_side_are_one_item() {
    let row = |amount: &str, name: &str| format!("<p class=amount>{amount}</p><p class=name>{name}</p>");
    let rows = [row("300 g", "pasta"), row("1", "onion"), row("", "salt"), row("2", "eggs")].concat();
    let page = format!("<h1>Pasta</h1><h2>Ingredients</h2><div>{rows}</div>{REST}");
    let items: Vec<String> = values(&page, "ingredients").iter().map(|item| item.replace('\n', " ")).collect();
    assert_eq!(items, ["300 g pasta", "1 onion", "salt", "2 eggs"]);
}

#[test]
fn a_list_in_an_item_takes_its_place() {
    let page = format!(
        "<h1>Chili</h1><h2>Ingredients</h2><ul><li>1 onion</li><li>2 cans of beans</li><li><b>Garnish</b><ul><li>cilantro</li><li>lime</li></ul></li></ul>{REST}"
    );
    assert_eq!(values(&page, "ingredients"), ["1 onion", "2 cans of beans", "cilantro", "lime"]);
}

fn shop(html: &str) -> Vec<String> {
    super::lines(&super::domain(super::SHOP), &super::read(html).records[0])
}

#[test]
fn a_value_above_its_label() {
    for (one, two) in [("strong", "small"), ("p", "div")] {
        let fact = |value: &str, label: &str| format!("<div><{one}>{value}</{one}><{two}>{label}</{two}></div>");
        let page = format!(
            "<h1>Leaf rake</h1><div>{}{}{}{}</div>",
            fact("Acme", "Brand"),
            fact("R-22", "Model"),
            fact("$3.77", "Price"),
            fact("3.2 lbs", "Weight")
        );
        let reading = super::read(&page);
        assert!(super::layouts(&reading).contains(&("brand".to_owned(), Layout::Above)), "{page}");
        let pairs = shop(&page);
        for pair in ["brand: Acme", "model: R-22", "price: $3.77", "weight: 3.2 lbs"] {
            assert!(pairs.iter().any(|known| known == pair), "{pair} in {pairs:?}");
        }
    }
}

#[test]
fn dashes_and_dots_lead_from_labels_to_values() {
    for sign in [" – ", " - ", " ........ "] {
        let page = format!(
            "<h1>Leaf rake</h1><p>Brand{sign}Acme</p><p>Model{sign}R-22</p><p>Price{sign}$3.77</p><p>Weight{sign}3.2 lbs</p>"
        );
        let pairs = shop(&page);
        assert!(pairs.contains(&"brand: Acme".to_owned()) && pairs.contains(&"price: $3.77".to_owned()), "{pairs:?}");
    }
    // One alone is a title.
    let pairs = shop(
        "<h1>Leaf rake</h1><p>Brand - why it matters</p><p>Model: R-22</p><p>Price: $3.77</p><p>Weight: 3 lbs</p>",
    );
    assert!(!pairs.iter().any(|pair| pair.starts_with("brand")), "{pairs:?}");
}

#[test]
fn what_is_struck_out_beside_a_value_is_none_of_it() {
    for price in ["<s>$5.00</s> <b>$3.77</b>", "<span>$3.77</span><del>$5.00</del>"] {
        let page =
            format!("<h1>Leaf rake</h1><p>Price: {price}</p><p>Brand: Acme</p><p>Model: R-22</p><p>Weight: 3 lbs</p>");
        assert!(shop(&page).contains(&"price: $3.77".to_owned()), "{price}");
    }
}

#[test]
fn things_side_by_side_in_a_table_are_records() {
    let page = "<h1>Compare</h1><table><tr><th></th><th>Leaf rake</th><th>Hay rake</th></tr>\
                <tr><th>Brand</th><td>Acme</td><td>Meadow</td></tr><tr><th>Model</th><td>R-22</td><td>M-1</td></tr>\
                <tr><th>Price</th><td>$3.77</td><td>$5.00</td></tr><tr><th>Weight</th><td>3 lbs</td><td>4 lbs</td></tr></table>";
    let reading = super::read(page);
    let names: Vec<&str> = reading.records.iter().map(|record| record.pairs[0].values[0].text.as_str()).collect();
    assert_eq!(names, ["Leaf rake", "Hay rake"]);
    assert!(reading.records.iter().all(|record| record.pairs.len() == 5));
}

#[test]
fn a_guess_gives_way_to_structured_data() {
    let page = "<script type='application/ld+json'>{\"@type\":\"Recipe\",\"name\":\"Cake\",\"author\":{\"name\":\"Ann Ash\"}}</script>\
                <h1>Cake</h1><h4>Author</h4><div>Sign in to see more</div>\
                <h2>Ingredients</h2><ul><li>2 eggs</li><li>1 l milk</li></ul><h2>Method</h2><ol><li>Mix.</li><li>Bake.</li></ol>";
    let (_, reading) = read(page);
    assert_eq!(values(page, "author"), ["Ann Ash"]);
    assert_eq!(reading.conflicts.len(), 1);
}

#[test]
fn one_item_in_front_of_a_list_is_not_the_list() {
    let page = "<h1>Cake</h1><h3>Ingredients</h3><ul class=meta><li>4 servings</li></ul><ul><li>2 eggs</li><li>1 l milk</li></ul>\
                <h3>Method</h3><ol><li>Mix.</li><li>Bake.</li></ol>";
    assert_eq!(values(page, "ingredients"), ["2 eggs", "1 l milk"]);
}

#[test]
fn a_list_of_one_is_a_list_if_another_part_follows() {
    let page = "<h1>Cake</h1><h3>Ingredients</h3><ul><li>2 eggs</li></ul><p>Tools</p><ul class=tools><li>Bowl</li><li>Spoon</li></ul>\
                <h3>Method</h3><ol><li>Mix.</li><li>Bake.</li></ol>";
    assert_eq!(values(page, "ingredients"), ["2 eggs"]);
}

#[test]
fn numbers_between_steps_are_no_steps() {
    let page = "<h1>Cake</h1><h2>Ingredients</h2><ul><li>2 eggs</li><li>1 l milk</li></ul><h2>Method</h2>\
                <div class=n><i>1</i></div><div class=step>Mix the eggs with the milk.</div>\
                <div class=n><i>2</i></div><div class=step>Bake it for an hour.</div>";
    assert_eq!(values(page, "instructions"), ["Mix the eggs with the milk.", "Bake it for an hour."]);
}

#[test]
fn an_advertisement_is_no_step() {
    let page = "<h1>Cake</h1><h2>Ingredients</h2><ul><li>2 eggs</li><li>1 l milk</li></ul><h2>Method</h2>\
                <ol><li>Mix.</li><li>Advertisement</li><li>Bake.</li></ol>";
    assert_eq!(values(page, "instructions"), ["Mix.", "Bake."]);
}
