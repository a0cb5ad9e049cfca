//! Lists, groups and measures on a page that shows one record.

use expect_test::expect;
use windrow_learn::example::Note;

use super::{Show, check_both, check_on, lesson_on, showing};

/// A recipe: a list of what goes in, with the names of groups, and the steps.
fn recipe(title: &str, groups: &[(&str, &[&str])], steps: &[&str]) -> String {
    let item = |text: &&str| format!("<li>{text}</li>");
    let group = |(name, items): &(&str, &[&str])| {
        let name = if name.is_empty() { String::new() } else { format!("<h4>{name}</h4>") };
        format!("{name}<ul>{}</ul>", items.iter().map(item).collect::<String>())
    };
    format!(
        "<nav><ul><li>Home<li>Bread</ul></nav><article><h1>{title}</h1><p>A long story about hay and bread, and how one came to \
         the other on a summer day when nobody was at home.</p><div class=card><h3>Ingredients</h3>{}<h3>Steps</h3><ol>{}</ol>\
         <h3>Notes</h3><ul><li>Keeps a week.</ul></div></article>",
        groups.iter().map(group).collect::<String>(),
        steps.iter().map(item).collect::<String>(),
    )
}

const SHOW: Show<'static> = &[("title", "Hay bread"), ("ingredients[]", "1 cup flour"), ("steps[]", "Mix.")];

#[test]
fn lists_in_one_call() {
    let bread = recipe("Hay bread", &[("", &["1 cup flour", "hay", "water"])], &["Mix.", "Bake."]);
    let soup = recipe(
        "Soup",
        &[("For the broth", &["bones", "salt"]), ("For the rest", &["peas"])],
        &["Boil.", "Wait.", "Strain."],
    );
    check_both(
        &bread,
        &soup,
        SHOW,
        &expect![[r#"
            title "Hay bread", ingredients "1 cup flour", ingredients "hay", ingredients "water", steps "Mix.", steps "Bake."
            --
            title "Soup", ingredients "bones", ingredients "salt", ingredients "peas", steps "Boil.", steps "Wait.", steps "Strain."
        "#]],
    );
}

#[test]
fn the_groups_of_a_list() {
    let groups: &[(&str, &[&str])] = &[("Dough", &["1 cup flour", "hay"]), ("Crust", &["salt"])];
    let bread = recipe("Hay bread", groups, &["Mix.", "Bake."]);
    check_on(
        &[&bread],
        &bread,
        &showing(&[SHOW]),
        &expect![[r#"
            title "Hay bread", ingredients "1 cup flour", ingredients "hay", ingredients "salt", steps "Mix.", steps "Bake."
        "#]],
    );
}

#[test]
fn a_class_of_the_items() {
    let page = |name: &str, items: &str| format!("<h1>{name}</h1><ul>{items}</ul><p>The end of it</p>");
    check_both(
        &page("Rake", "<li class=part>handle<li class=part>teeth<li class=ad>Buy now"),
        &page("Wagon", "<li class=ad>Buy now<li class=part>wheel<li class=part>axle"),
        &[("name", "Rake"), ("parts[]", "handle")],
        &expect![[r#"
            name "Rake", parts "handle", parts "teeth"
            --
            name "Wagon", parts "wheel", parts "axle"
        "#]],
    );
}

#[test]
fn numbers_in_front_of_items() {
    let page = |name: &str, items: &str| format!("<h1>{name}</h1><div id=steps>{items}</div>");
    check_both(
        &page("Bread", "<p><b>Step 1</b> Mix it.</p><p><b>Step 2</b> Bake it.</p>"),
        &page("Soup", "<p><b>Step 1</b> Boil it.</p><p><b>Step 2</b> Stir it.</p><p><b>Step 3</b> Eat it.</p>"),
        &[("name", "Bread"), ("steps[]", "Mix it.")],
        &expect![[r#"
            name "Bread", steps "Mix it.", steps "Bake it."
            --
            name "Soup", steps "Boil it.", steps "Stir it.", steps "Eat it."
        "#]],
    );
}

#[test]
fn a_value_in_an_item_is_the_items() {
    let page = |name: &str, eggs: &str, yields: &str| {
        format!(
            "<h1>{name}</h1><ul class=in><li><b>{eggs}</b> eggs<li><b>1</b> onion</ul><p>Makes <i class=n>{yields}</i> cakes</p>"
        )
    };
    check_both(
        &page("Cake", "3", "3"),
        &page("Tart", "5", "8"),
        &[("name", "Cake"), ("in[]", "3 eggs"), ("yields", "3")],
        &expect![[r#"
            name "Cake", in "3 eggs", in "1 onion", yields "3"
            --
            name "Tart", in "5 eggs", in "1 onion", yields "8"
        "#]],
    );
}

#[test]
fn fields_of_a_group() {
    let page = |name: &str, author: &str, town: &str| {
        format!("<h1>{name}</h1><p class=by>By <b>{author}</b>, <i class=town>{town}</i></p><p>Text</p>")
    };
    check_both(
        &page("Bread", "Ann Lee", "Oslo"),
        &page("Soup", "Bo", "Rome"),
        &[("name", "Bread"), ("author.name", "Ann Lee"), ("author.town", "Oslo")],
        &expect![[r#"
            name "Bread", author {name "Ann Lee", town "Oslo"}
            --
            name "Soup", author {name "Bo", town "Rome"}
        "#]],
    );
}

#[test]
fn records_in_a_page() {
    let page = |name: &str, comments: &[(&str, &str)]| {
        let comment = |(author, text): &(&str, &str)| format!("<li class=c><b>{author}</b> <p>{text}</p></li>");
        let comments: String = comments.iter().map(comment).collect();
        format!("<h1>{name}</h1><p class=price>{} kr</p><ul id=comments>{comments}</ul>", name.len())
    };
    check_both(
        &page("Bread", &[("Ann", "Good"), ("Bo", "Hard"), ("Cy", "Dry")]),
        &page("Soup", &[("Di", "Hot")]),
        &[("name", "Bread"), ("price", "5 kr"), ("comments.author", "Bo"), ("comments.text", "Hard")],
        &expect![[r#"
            name "Bread", price "5 kr", comments {author "Ann", text "Good"}, comments {author "Bo", text "Hard"}, comments {author "Cy", text "Dry"}
            --
            name "Soup", price "4 kr", comments {author "Di", text "Hot"}
        "#]],
    );
}

/// Times in rows that are built alike, with texts for screen readers.
fn times(rows: &[(&str, &str)]) -> String {
    let row = |(label, time): &(&str, &str)| {
        format!("<div><span>{label}</span> <span>{time}<span class=sr-only> in all</span></span></div>")
    };
    format!("<h1>Bread</h1><div class=times>{}</div>", rows.iter().map(row).collect::<String>())
}

#[test]
fn measures_are_not_cut() {
    check_both(
        &times(&[("Rest", "1 hour"), ("Oven", "2 hours")]),
        &times(&[("Knead", "5 minutes"), ("Rest", "1 hour"), ("Oven", "2 hours 20 minutes")]),
        &[("name", "Bread"), ("baking", "2 hours")],
        &expect![[r#"
            name "Bread", baking "2 hours"
            --
            name "Bread", baking "2 hours 20 minutes"
        "#]],
    );
}

#[test]
fn what_to_know() {
    let notes = |html: &str, show: Show<'_>| lesson_on(&[html], &showing(&[show])).notes;
    let page = "<h1>Bread</h1><ul class=in><li>flour</ul><p>Text</p>";
    assert!(notes(page, &[("name", "Bread"), ("in[]", "flour")]).contains(&Note::OneItem { field: "in".to_owned() }));
    let page = "<h1>Bread</h1><p><i class=x>5 kr</i></p><p><i class=y>5 kr</i></p>";
    let two =
        |note: &Note| matches!(note, Note::Ambiguous { field, candidates } if field == "sum" && candidates.len() == 2);
    assert!(notes(page, &[("name", "Bread"), ("sum", "5 kr")]).iter().any(two));
}
