//! The paper's own: the tree of Figure 3, the two thresholds, and pages built as its Figures 1 and 2 are.

use windrow_dom::names;
use windrow_learn::domain::{Class, DATA_RICH, Entropy, Kind, LIST, Reader, Reading};
use windrow_wrapper::Page;

use super::{SHOP, check, check_none, domain, read};

/// The tree of Figure 3. A leaf is a label (C, M, P, D) or any other text (U).
const FIGURE_3: &str = "<body><div id=n1>\
    <div id=n2><div id=n4><div id=n6>MIST</div><div>Product code</div><div>Manufacturer</div><div>Price</div>\
    <div>Description</div><div id=n7>Buy now</div></div></div>\
    <div id=n3><div id=n5><div id=n8>Manufacturer</div><div>Price</div></div>\
    <div><div>Manufacturer</div><div>Price</div></div><div><div>Manufacturer</div><div>Price</div></div>\
    <div><div>Manufacturer</div><div>Price</div></div><div><div>Manufacturer</div><div>Price</div></div></div>\
    </div></body>";

/// The nodes with an id, as they came out.
fn by_id(html: &str) -> (Reading, Vec<(String, Entropy)>) {
    let page = Page::from_text("page", html);
    let reading = Reader::new(domain(SHOP)).unwrap().read(&page);
    let document = page.document();
    let named = reading.nodes.iter().filter_map(|node| {
        let id = document.attr_by_id(node.node, names::ID)?;
        Some((id.to_owned(), *node))
    });
    let named = named.collect();
    (reading, named)
}

#[track_caller]
fn entropy(nodes: &[(String, Entropy)], id: &str) -> Entropy {
    nodes.iter().find(|(known, _)| known == id).unwrap_or_else(|| panic!("{id} was passed over")).1
}

#[test]
fn figure_3_has_the_papers_entropies_to_eight_digits() {
    let (_, nodes) = by_id(FIGURE_3);
    for (id, expected) in
        [("n1", "1.93627812"), ("n2", "2.25162917"), ("n3", "1.00000000"), ("n4", "2.25162917"), ("n5", "1.00000000")]
    {
        assert_eq!(format!("{:.8}", entropy(&nodes, id).entropy), expected, "{id}");
    }
}

#[test]
fn leaves_of_figure_3_have_no_entropy_whether_or_not_it_was_computed() {
    let (reading, nodes) = by_id(FIGURE_3);
    for (id, node) in nodes.iter().filter(|(id, _)| ["n6", "n7", "n8"].contains(&id.as_str())) {
        assert_eq!(node.entropy, 0.0, "{id}");
    }
    assert!(reading.passed > 0, "a leaf needs no computation");
}

#[test]
fn of_two_nodes_with_the_same_entropy_the_child_is_data_rich() {
    let (_, nodes) = by_id(FIGURE_3);
    assert_eq!(entropy(&nodes, "n4").kind, Kind::DataRich);
    assert_eq!(entropy(&nodes, "n2").kind, Kind::Plain);
    assert_eq!(entropy(&nodes, "n1").kind, Kind::Plain);
}

#[test]
fn the_list_of_figure_3_is_a_link_offer() {
    let (_, nodes) = by_id(FIGURE_3);
    assert_eq!(entropy(&nodes, "n3").kind, Kind::LinkOffer);
    assert_eq!(entropy(&nodes, "n5").kind, Kind::Plain);
}

#[test]
fn the_roles_of_figure_3_are_counted() {
    let (_, nodes) = by_id(FIGURE_3);
    assert_eq!(entropy(&nodes, "n4").roles, 4);
    assert_eq!(entropy(&nodes, "n3").roles, 2);
    assert_eq!(entropy(&nodes, "n1").roles, 4);
}

#[test]
fn figure_3_with_values_in_the_same_leaves_has_the_same_entropies() {
    let html = FIGURE_3
        .replace(">Product code<", ">Product code: 83027<")
        .replace(">Manufacturer<", ">Manufacturer: BRISTOL-MYER<")
        .replace(">Price<", ">Price: $3.98<")
        .replace(">Description<", ">Description: Moisturizes dry noses.<");
    let (reading, nodes) = by_id(&html);
    assert_eq!(format!("{:.8}", entropy(&nodes, "n4").entropy), "2.25162917");
    assert_eq!(format!("{:.8}", entropy(&nodes, "n1").entropy), "1.93627812");
    assert_eq!(reading.class, Class::DataRich);
    assert_eq!(reading.records.len(), 1);
    assert_eq!(format!("{:.8}", reading.records[0].entropy), "2.25162917");
}

#[test]
fn a_leaf_with_several_roles_counts_once_for_each() {
    // Four labels in one text are four leaves: log2 4.
    let html = "<body><div id=box><p>Brand: Acme; Model: R2; Price: $4; Weight: 3 kg</p></div></body>";
    let (_, nodes) = by_id(html);
    let node = entropy(&nodes, "box");
    assert_eq!(format!("{:.8}", node.entropy), "2.00000000");
    assert_eq!(node.roles, 4);
}

#[test]
fn four_equal_roles_reach_the_threshold_exactly() {
    let html = "<body><div id=box><div>Brand: Acme</div><div>Model: R2</div><div>Price: $4</div>\
        <div>Weight: 3 kg</div></div></body>";
    let (_, nodes) = by_id(html);
    let node = entropy(&nodes, "box");
    assert_eq!(node.entropy, DATA_RICH);
    assert_eq!(node.kind, Kind::DataRich);
}

#[test]
fn formatting_tags_make_no_leaves() {
    let html = "<body><div id=box><div><b>Brand:</b> <i><font color=red>Acme</font></i></div><div><b>Model:</b> R2</div>\
        <div><b>Price:</b> <font>$4</font></div><div><b>Weight:</b> 3 kg</div></div></body>";
    let (_, nodes) = by_id(html);
    assert_eq!(format!("{:.8}", entropy(&nodes, "box").entropy), "2.00000000");
}

#[test]
fn a_richer_ancestor_makes_its_descendants_plain() {
    let row = |label: &str| format!("<div>{label}: a 1</div>");
    let four = ["Brand", "Model", "Price", "Weight"].map(row).concat();
    let more = ["Color", "Material", "Size", "Format"].map(row).concat();
    let (_, nodes) = by_id(&format!("<body><div id=outer><div id=inner>{four}</div><div>{more}</div></div></body>"));
    assert_eq!(entropy(&nodes, "outer").kind, Kind::DataRich);
    assert_eq!(entropy(&nodes, "inner").kind, Kind::Plain);
    assert!(entropy(&nodes, "inner").entropy >= DATA_RICH);
}

#[test]
fn all_entropies_are_between_nothing_and_the_logarithm_of_the_kinds() {
    for html in [FIGURE_3, FIGURE_1, FIGURE_2] {
        for node in read(html).nodes {
            assert!(node.entropy >= 0.0);
            assert!(node.entropy <= ((node.roles + 1) as f64).log2() + 1e-9, "{node:?}");
        }
    }
}

#[test]
fn nodes_come_in_document_order() {
    for html in [FIGURE_3, FIGURE_1, FIGURE_2] {
        let nodes = read(html).nodes;
        assert!(!nodes.is_empty());
        assert!(nodes.windows(2).all(|pair| pair[0].node < pair[1].node));
    }
}

#[test]
fn the_list_threshold_is_below_the_data_rich_one() {
    let (_, nodes) = by_id(FIGURE_3);
    for (id, node) in nodes.iter().filter(|(_, node)| node.kind == Kind::LinkOffer) {
        assert!((LIST..DATA_RICH).contains(&node.entropy), "{id}");
    }
}

/// The page of the paper's Figure 1: a nasal spray, and offers like it below.
const FIGURE_1: &str = r##"<html><head><title>4 Way Saline Moisturizing Mist - 1oz | Healthy Corner</title></head><body>
<table width=760 cellpadding=0 cellspacing=0><tr>
<td width=150 valign=top class=nav><a href="/">Home</a><br><a href="/medicine">Medicine Shop</a><br>
<a href="/cold">Cold &amp; Cough</a><br><a href="/vitamins">Vitamins</a><br><a href="/brands">Brand</a><br>
<a href="/help">Shipping</a></td>
<td valign=top>
<table class=item><tr><td colspan=2><h1>4 Way Saline Moisturizing Mist - 1oz</h1></td></tr>
<tr><td><b>Availability:</b></td><td>Usually ships the next business day</td></tr>
<tr><td><b>Product Code:</b></td><td>83027</td></tr>
<tr><td><b>Manufacturer:</b></td><td>BRISTOL-MYER</td></tr>
<tr><td><b>Price:</b></td><td><font color="#cc0000">$3.98</font></td></tr>
<tr><td colspan=2><input type=submit value="Add to cart"> <input type=submit value="Wish list"></td></tr>
<tr><td><b>Description:</b></td><td>Moisturizes and relieves dry nasal passages.</td></tr>
<tr><td><b>Ingredients:</b></td><td>Water, Boric Acid, Glycerin, Sodium Chloride, Eucalyptol, Menthol</td></tr>
<tr><td><b>Warnings:</b></td><td>Keep out of reach of children.</td></tr></table>
<h3>Similar items</h3>
<table class=offers><tr>
<td><a href="/i/1">666 Cold Caplets - 16 CP</a><br>Manufacturer: MONTICELLO<br>Price: $3.77</td>
<td><a href="/i/2">666 Cold Preparation - 4 OZ</a><br>Manufacturer: MONTICELLO<br>Price: $3.70</td>
<td><a href="/i/3">Afrin No Drip Nasal Mist</a><br>Manufacturer: SCHERING-PLG<br>Price: $6.27</td>
</tr></table></td></tr></table></body></html>"##;

#[test]
fn the_nasal_spray_of_figure_1_has_its_seven_labelled_attributes() {
    check(
        FIGURE_1,
        &[
            "availability: Usually ships the next business day",
            "code: 83027",
            "description: Moisturizes and relieves dry nasal passages.",
            "ingredients: Water, Boric Acid, Glycerin, Sodium Chloride, Eucalyptol, Menthol",
            "manufacturer: BRISTOL-MYER",
            "price: $3.98",
            "warnings: Keep out of reach of children.",
        ],
    );
}

#[test]
fn the_nasal_spray_of_figure_1_has_its_title() {
    assert_eq!(super::title(FIGURE_1).as_deref(), Some("4 Way Saline Moisturizing Mist - 1oz"));
}

/// The page of the paper's Figure 2: offers that lead to pages of their own.
const FIGURE_2: &str = r#"<html><head><title>Cold &amp; Cough - page 1 of 9</title></head><body>
<div>Home &gt; Medicine Shop &gt; Cold &amp; Cough</div>
<form>Filter items by: <input name=q></form>
<p>Sort by: <a href="?s=n">Name</a> <a href="?s=p">Price</a></p>
<table>
<tr><td><a href="/i/1">666 Cold Caplets - 16 CP</a></td><td>Manufacturer: MONTICELLO</td><td>Price: $3.77</td></tr>
<tr><td><a href="/i/2">666 Cold Preparation - 4 OZ</a></td><td>Manufacturer: MONTICELLO</td><td>Price: $3.70</td></tr>
<tr><td><a href="/i/3">4 Way Saline Moisturizing Mist</a></td><td>Manufacturer: BRISTOL-MYER</td><td>Price: $3.98</td></tr>
<tr><td><a href="/i/4">Arizona Natural Allergy Capsules</a></td><td>Manufacturer: BIORIGHT INT</td><td>Price: $6.74</td></tr>
<tr><td><a href="/i/5">Afrin No Drip Nasal Mist</a></td><td>Manufacturer: SCHERING-PLG</td><td>Price: $6.27</td></tr>
</table><p>1 <a href="?p=2">2</a> <a href="?p=3">3</a> View all items</p></body></html>"#;

#[test]
fn figure_2_is_a_link_offer_and_has_no_record() {
    check_none(FIGURE_2, Class::LinkOffer);
}

#[test]
fn a_value_that_does_not_match_gives_way_to_the_next_text_that_does() {
    // Algorithm 1, step 21: if the string is not valid, the next node is looked at, until the next role.
    let html = "<body><div><div>Brand: Acme</div><div>Model: R2</div><div>Weight: 3 kg</div>\
        <div>Price</div><div>Special offer!</div><div>$4.99</div><div>Material: ash</div></div></body>";
    check(html, &["brand: Acme", "model: R2", "weight: 3 kg", "price: $4.99", "material: ash"]);
}
