//! Markup as the shop systems write it.

use super::check;

#[test]
fn woocommerce_attributes_and_meta() {
    check(
        r##"<html><head><title>Leaf rake – Garden Corner</title></head><body class="single-product woocommerce">
<nav class="woocommerce-breadcrumb"><a href="/">Home</a> / <a href="/c/tools">Tools</a> / Leaf rake</nav>
<div id="product-22" class="product type-product"><div class="summary entry-summary">
<h1 class="product_title entry-title">Leaf rake</h1>
<p class="price"><span class="woocommerce-Price-amount amount"><bdi><span>$</span>3.77</bdi></span></p>
<form class="cart"><button>Add to cart</button></form>
<div class="product_meta"><span class="sku_wrapper">SKU: <span class="sku">AC-22</span></span>
<span class="posted_in">Category: <a href="/c/tools">Tools</a></span></div></div>
<div class="woocommerce-tabs"><ul class="tabs wc-tabs"><li><a href="#tab-description">Description</a></li>
<li><a href="#tab-additional_information">Additional information</a></li><li><a href="#tab-reviews">Reviews (0)</a></li></ul>
<div class="woocommerce-Tabs-panel" id="tab-description"><h2>Description</h2><p>Rakes leaves, and nothing but leaves.</p></div>
<div class="woocommerce-Tabs-panel" id="tab-additional_information"><h2>Additional information</h2>
<table class="woocommerce-product-attributes shop_attributes">
<tr class="woocommerce-product-attributes-item"><th class="woocommerce-product-attributes-item__label">Weight</th>
<td class="woocommerce-product-attributes-item__value">3.2 lbs</td></tr>
<tr class="woocommerce-product-attributes-item"><th class="woocommerce-product-attributes-item__label">Dimensions</th>
<td class="woocommerce-product-attributes-item__value">60 × 20 × 2 in</td></tr>
<tr class="woocommerce-product-attributes-item"><th class="woocommerce-product-attributes-item__label">Color</th>
<td class="woocommerce-product-attributes-item__value"><p>Red</p></td></tr>
<tr class="woocommerce-product-attributes-item"><th class="woocommerce-product-attributes-item__label">Brand</th>
<td class="woocommerce-product-attributes-item__value"><p><a href="/b/acme">Acme</a></p></td></tr></table></div></div></div>
</body></html>"##,
        &[
            "code: AC-22",
            "description: Rakes leaves, and nothing but leaves.",
            "weight: 3.2 lbs",
            "size: 60 × 20 × 2 in",
            "color: Red",
            "brand: Acme",
        ],
    );
}

#[test]
fn magento_additional_attributes() {
    check(
        r#"<html><head><title>Leaf rake</title></head><body class="catalog-product-view">
<div class="page-title-wrapper product"><h1 class="page-title"><span class="base">Leaf rake</span></h1></div>
<div class="product-info-price"><div class="price-box price-final_price"><span class="price-label">Price</span>
<span class="price-wrapper"><span class="price">$3.77</span></span></div>
<div class="product-info-stock-sku"><div class="stock available" title="Availability"><span>In stock</span></div>
<div class="product attribute sku"><strong class="type">SKU</strong><div class="value">AC-22</div></div></div></div>
<div class="additional-attributes-wrapper table-wrapper"><table class="data table additional-attributes">
<caption class="table-caption">More Information</caption><tbody>
<tr><th class="col label" scope="row">Brand</th><td class="col data" data-th="Brand">Acme</td></tr>
<tr><th class="col label" scope="row">Color</th><td class="col data" data-th="Color">Red</td></tr>
<tr><th class="col label" scope="row">Material</th><td class="col data" data-th="Material">Ash, Steel</td></tr>
<tr><th class="col label" scope="row">Weight</th><td class="col data" data-th="Weight">3.2 lbs</td></tr>
</tbody></table></div></body></html>"#,
        &["price: $3.77", "code: AC-22", "brand: Acme", "color: Red", "material: Ash, Steel", "weight: 3.2 lbs"],
    );
}

#[test]
fn shopify_description_with_bold_labels_in_a_list() {
    check(
        r#"<html><head><title>Leaf rake – Acme Garden</title></head><body class="template-product">
<div class="product__info-wrapper"><p class="product__text caption-with-letter-spacing">ACME</p>
<div class="product__title"><h1>Leaf rake</h1></div>
<div class="price"><div class="price__container"><span class="visually-hidden">Regular price</span>
<span class="price-item price-item--regular">$3.77 USD</span></div></div>
<div class="product__description rte"><p>Rakes leaves, and nothing but leaves.</p>
<ul><li><strong>Brand:</strong> Acme</li><li><strong>Material:</strong> ash and steel</li>
<li><strong>Dimensions:</strong> 60 x 20 in</li><li><strong>Weight:</strong> 3.2 lbs</li></ul></div></div></body></html>"#,
        &["list_price: $3.77 USD", "brand: Acme", "material: ash and steel", "size: 60 x 20 in", "weight: 3.2 lbs"],
    );
}

#[test]
fn amazon_detail_bullets() {
    check(
        "<html><head><title>Leaf rake : Patio, Lawn &amp; Garden</title></head><body><span id=productTitle>Leaf rake</span>\
<div id=detailBullets_feature_div><ul class='a-unordered-list a-nostyle detail-bullet-list'>\
<li><span class=a-list-item><span class=a-text-bold>Product Dimensions &rlm; : &lrm; </span> <span>60 x 20 x 2 inches</span></span></li>\
<li><span class=a-list-item><span class=a-text-bold>Item model number &rlm; : &lrm; </span> <span>R-22</span></span></li>\
<li><span class=a-list-item><span class=a-text-bold>Manufacturer &rlm; : &lrm; </span> <span>Acme Garden Inc.</span></span></li>\
<li><span class=a-list-item><span class=a-text-bold>ASIN &rlm; : &lrm; </span> <span>B000000022</span></span></li>\
<li><span class=a-list-item><span class=a-text-bold>Item Weight &rlm; : &lrm; </span> <span>3.2 pounds</span></span></li>\
</ul></div></body></html>",
        &["size: 60 x 20 x 2 inches", "model: R-22", "manufacturer: Acme Garden Inc.", "weight: 3.2 pounds"],
    );
}

#[test]
fn amazon_technical_details() {
    let row = |label: &str, value: &str| {
        format!(
            "<tr><th class='a-color-secondary a-size-base prodDetSectionEntry'> {label} </th>\
             <td class='a-size-base prodDetAttrValue'> &lrm;{value} </td></tr>"
        )
    };
    let rows = [("Brand", "Acme"), ("Item model number", "R-22"), ("Color", "Red"), ("Item Weight", "3.2 pounds")];
    let rows = rows.map(|(label, value)| row(label, value)).concat();
    check(
        &format!("<h1>Leaf rake</h1><table id=productDetails_techSpec_section_1><tbody>{rows}</tbody></table>"),
        &["brand: Acme", "model: R-22", "color: Red", "weight: 3.2 pounds"],
    );
}

#[test]
fn bootstrap_columns() {
    let row = |label: &str, value: &str| {
        format!("<div class='row'><div class='col-sm-3 fw-bold'>{label}</div><div class='col-sm-9'>{value}</div></div>")
    };
    let rows = [("Brand", "Acme"), ("Model", "R-22"), ("Price", "$3.77"), ("Weight", "3.2 lbs")];
    let rows = rows.map(|(label, value)| row(label, value)).concat();
    check(
        &format!("<div class=container><h1>Leaf rake</h1>{rows}</div>"),
        &["brand: Acme", "model: R-22", "price: $3.77", "weight: 3.2 lbs"],
    );
}

#[test]
fn tailwind_definition_list() {
    let row = |label: &str, value: &str| {
        format!(
            "<div class='py-6 sm:grid sm:grid-cols-3 sm:gap-4'><dt class='text-sm font-medium'>{label}</dt>\
             <dd class='mt-1 text-sm sm:col-span-2'>{value}</dd></div>"
        )
    };
    let rows = [("Brand", "Acme"), ("Model", "R-22"), ("Price", "$3.77"), ("Weight", "3.2 lbs")];
    let rows = rows.map(|(label, value)| row(label, value)).concat();
    check(
        &format!("<main><h1>Leaf rake</h1><div class='border-t'><dl class='divide-y'>{rows}</dl></div></main>"),
        &["brand: Acme", "model: R-22", "price: $3.77", "weight: 3.2 lbs"],
    );
}

#[test]
fn opencart_list_and_specification() {
    check(
        r##"<div id="product-info"><h1>Leaf rake</h1><ul class="list-unstyled"><li>Brand: <a href="/acme">Acme</a></li>
<li>Product Code: AC-22</li><li>Availability: In Stock</li></ul><ul class="list-unstyled"><li><h2>$3.77</h2></li>
<li>Ex Tax: $3.10</li></ul><ul class="nav nav-tabs"><li><a href="#tab-description">Description</a></li>
<li><a href="#tab-specification">Specification</a></li></ul><div class="tab-content">
<div id="tab-description"><p>Rakes leaves, and nothing but leaves.</p></div><div id="tab-specification">
<table class="table table-bordered"><thead><tr><td colspan="2"><strong>General</strong></td></tr></thead>
<tbody><tr><td>Weight</td><td>3.2 lbs</td></tr><tr><td>Color</td><td>Red</td></tr></tbody></table></div></div></div>"##,
        &[
            "brand: Acme",
            "code: AC-22",
            "availability: In Stock",
            // The panel's id says what it has; the tab is a link.
            "description: Rakes leaves, and nothing but leaves.",
            "weight: 3.2 lbs",
            "color: Red",
        ],
    );
}

#[test]
fn prestashop_data_sheet() {
    check(
        r#"<h1 class="h1">Leaf rake</h1><div class="tab-pane" id="product-details">
<div class="product-reference"><label class="label">Product code </label> <span>AC-22</span></div>
<section class="product-features"><p class="h6">Data sheet</p><dl class="data-sheet"><dt class="name">Color</dt>
<dd class="value">Red</dd><dt class="name">Material</dt><dd class="value">Ash</dd><dt class="name">Dimensions</dt>
<dd class="value">60 x 20 in</dd><dt class="name">Weight</dt><dd class="value">3.2 lbs</dd></dl></section></div>"#,
        &["code: AC-22", "color: Red", "material: Ash", "size: 60 x 20 in", "weight: 3.2 lbs"],
    );
}

#[test]
fn wikipedia_infobox() {
    check(
        r##"<h1 id="firstHeading">Leaf rake</h1><table class="infobox"><tbody><tr><th colspan="2" class="infobox-above">Leaf rake</th></tr>
<tr><td colspan="2"><img src="r.jpg"></td></tr>
<tr><th scope="row" class="infobox-label">Manufacturer</th><td class="infobox-data"><a href="/wiki/Acme">Acme</a><sup class="reference"><a href="#c1">[1]</a></sup></td></tr>
<tr><th scope="row" class="infobox-label">Model</th><td class="infobox-data">R-22</td></tr>
<tr><th scope="row" class="infobox-label">Weight</th><td class="infobox-data">3.2 lb</td></tr>
<tr><th scope="row" class="infobox-label">Material</th><td class="infobox-data">Ash</td></tr></tbody></table>
<p>A leaf rake gathers leaves; its price rises in autumn.</p>"##,
        &["manufacturer: Acme", "model: R-22", "weight: 3.2 lb", "material: Ash"],
    );
}

#[test]
fn frames_and_fonts_of_1999() {
    check(
        r#"<HTML><HEAD><TITLE>ACME - Leaf rake</TITLE></HEAD><BODY BGCOLOR="WHITE"><CENTER><FONT FACE="Arial" SIZE="+2"><B>Leaf rake</B></FONT></CENTER>
<P><FONT FACE="Arial" SIZE="2"><B>Item #:</B> 4711<BR><B>Manufacturer:</B> ACME<BR><B>List Price:</B> <STRIKE>$5.00</STRIKE><BR>
<B>Our Price:</B> <FONT COLOR="RED">$3.77</FONT><BR><B>Availability:</B> Ships in 24 hours</FONT><P>
<A HREF="order.cgi?4711"><IMG SRC="buy.gif" BORDER=0></A></BODY></HTML>"#,
        &["code: 4711", "manufacturer: ACME", "list_price: $5.00", "price: $3.77", "availability: Ships in 24 hours"],
    );
}

#[test]
fn accordion_panels_of_a_script_shop() {
    let panel = |label: &str, value: &str| {
        format!(
            "<div class=accordion__item><button type=button aria-expanded=false class=accordion__title><span>{label}</span>\
             <svg><path d='M0 0'/></svg></button><div class=accordion__content hidden><p>{value}</p></div></div>"
        )
    };
    let panels = [
        ("Description", "Moisturizes dry noses."),
        ("Ingredients", "Water, salt."),
        ("Warnings", "Keep away from children."),
        ("Dimensions", "2 x 2 x 5 in"),
    ];
    let panels = panels.map(|(label, value)| panel(label, value)).concat();
    check(
        &format!("<h1>Saline mist</h1><div class=accordion>{panels}</div>"),
        &[
            "description: Moisturizes dry noses.",
            "ingredients: Water, salt.",
            "warnings: Keep away from children.",
            "size: 2 x 2 x 5 in",
        ],
    );
}

#[test]
fn details_and_summary() {
    check(
        "<h1>Saline mist</h1><details open><summary>Description</summary><p>Moisturizes dry noses.</p></details>\
         <details><summary>Ingredients</summary><p>Water, salt.</p></details>\
         <details><summary>Warnings</summary><p>Keep away from children.</p></details>\
         <details><summary>Dimensions</summary><p>2 x 2 x 5 in</p></details>",
        &[
            "description: Moisturizes dry noses.",
            "ingredients: Water, salt.",
            "warnings: Keep away from children.",
            "size: 2 x 2 x 5 in",
        ],
    );
}

#[test]
fn a_row_of_buttons_between_the_pairs() {
    check(
        "<h1>Leaf rake</h1><div><p>Brand: Acme</p><p>Model: R-22</p><div><button>Add to cart</button>\
         <button>Wish list</button><a href=#>Tell a friend</a></div><p>Price: $3.77</p><p>Weight: 3.2 lbs</p></div>",
        &["brand: Acme", "model: R-22", "price: $3.77", "weight: 3.2 lbs"],
    );
}
