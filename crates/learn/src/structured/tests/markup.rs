//! Microdata, RDFa and meta tags, and ways through what they say.

use expect_test::expect;
use windrow_dom::Document;

use super::{check, structured};
use crate::structured::{Syntax, read};

#[test]
fn elements_tell_their_values() {
    check(
        "<div itemscope itemtype='http://schema.org/Movie http://x.org/Y' itemid=' #m '>
         <meta itemprop=a content=' x  y '><img itemprop=b src=i.jpg><video itemprop=b src='v'></video>
         <a itemprop=c href='../l?q=1&amp;r'>text</a><area itemprop=c href=m><link itemprop=c href=//o.org>
         <object itemprop=d data=o></object><data itemprop=e value=7>seven</data><meter itemprop=e value=.5>half</meter>
         <time itemprop=f datetime=2026-11-02>today</time><time itemprop=f>2026</time>
         <span itemprop=g content=5.00>five</span><span itemprop=g>  two <b>words</b><br>more</span>
         <a itemprop=h>no link</a><img itemprop=h alt=none><p itemprop=i hidden>unseen</p>
         <p itemprop=j>seen<i hidden>unseen</i><script>1</script></p><p itemprop=k><i hidden>only this</i></p>
         <p itemprop=http://schema.org/l>l</p></div>",
        &expect![[r#"
            0 Movie+http://x.org/Y <https://barn.example/tools/rake#m>: a="x y" b="https://barn.example/tools/i.jpg" b="https://barn.example/tools/v" c="https://barn.example/l?q=1&r" c="https://barn.example/tools/m" c="https://o.org/" d="https://barn.example/tools/o" e="7" e=".5" f="2026-11-02" f="2026" g="5.00" g="two words more" h="no link" i="unseen" j="seen" k="only this" l="l"
        "#]],
    );
}

#[test]
fn properties_belong_to_the_nearest_item() {
    check(
        "<p itemprop=lost>nobody's</p>
         <div itemscope><b itemprop='name label name'>A</b>
           <div><div itemprop=part itemscope itemtype=https://schema.org/Part><b itemprop=name>B <i itemprop=short>b</i></b></div></div>
           <div itemscope><b itemprop=name>C</b></div></div>
         <div itemprop=lost itemscope><b itemprop=name>D</b></div>",
        &expect![[r#"
            0 : name="A" label="A" part→1
            1 (in) Part: name="B b" short="b"
            2 : name="C"
            3 : name="D"
        "#]],
    );
}

#[test]
fn references_lead_elsewhere_in_document_order() {
    check(
        "<p id=one itemprop=first>1</p><div itemscope itemref='two one gone two'><p itemprop=own>o</p></div>
         <div id=two><p itemprop=second>2</p><div itemprop=third itemscope><p itemprop=inner>3</p></div></div>",
        &expect![[r#"
            0 : first="1" own="o" second="2" third→1
            1 (in) : inner="3"
            note: an itemref names `gone`, and no element has that id
        "#]],
    );
}

#[test]
fn attributes_may_shout() {
    check(
        "<DIV ITEMSCOPE><B ItemProp=NAME>x</B></DIV>",
        &expect![[r#"
        0 : NAME="x"
    "#]],
    );
    assert_eq!(structured("<DIV ITEMSCOPE><B ItemProp=NAME>x</B></DIV>").items[0].find(&[], "name").len(), 1);
}

#[test]
fn rdfa_lite_is_read() {
    check(
        "<body vocab=http://schema.org/ prefix='o: http://o.org/ x:  http://x.org/'>
         <div typeof=Product resource=#r><h1 property=name>Rake</h1><img property=image src=i.jpg>
           <div property=offers typeof=Offer><meta property=price content=3.00><time property=from datetime=2026>now</time></div>
           <b property='o:a x:b schema:sku color'>v</b><a property=url href=l>text</a></div>
         <p resource=#r><i property=weight>2 kg</i></p><p vocab=''><i property=lost>x</i></p></body>",
        &expect![[r#"
            0 Product <https://barn.example/tools/rake#r>: name="Rake" image="https://barn.example/tools/i.jpg" offers→1 http://o.org/a="v" http://x.org/b="v" sku="v" color="v" url="https://barn.example/tools/l" weight="2 kg"
            1 (in) Offer: price="3.00" from="2026"
        "#]],
    );
}

#[test]
fn rdfa_of_old_is_read() {
    check(
        "<div xmlns:v='http://rdf.data-vocabulary.org/#' typeof=v:Review>
         <div rel=v:rating><div typeof=v:Rating><b property=v:best>10</b></div></div>
         <div rel=v:photo><img src=p.jpg></div><div rel=v:by><b property=v:name>Ada</b> <b property=v:age>36</b></div>
         <a rel='nofollow v:url' href=/u>u</a><a rel=nofollow href=/n>n</a></div>
         <p about=/ada typeof=v:Person><a rev=v:friend href=/bo>Bo</a></p>",
        &expect![[r#"
            0 Review: rating→1 photo="https://barn.example/tools/p.jpg" by→2 url="https://barn.example/u"
            1 (in) Rating: best="10"
            2 (in) : name="Ada" age="36"
            3 (in) Person <https://barn.example/ada>:
            4  <https://barn.example/bo>: friend→3
        "#]],
    );
}

#[test]
fn the_page_itself_may_be_meant() {
    check(
        "<html vocab=https://schema.org><body typeof=WebPage><h1 property=name>Title</h1>
         <p property=author typeof=Person about=''>x</p>",
        &expect![[r#"
            0 WebPage+Person: name="Title" author="x"
        "#]],
    );
}

#[test]
fn meta_tags_are_one_item() {
    check(
        "<meta property=og:type content=product><meta property=og:title content='A  rake'><meta name=twitter:card content=s>
         <meta property=og:image content=/a><meta property=og:image content=/b><meta property=product:price:amount content=3>
         <meta name=description content=no><meta property=og:empty content=''><meta property=og:url name=og:url content=/u>",
        &expect![[r#"
            0 product: og:type="product" og:title="A rake" twitter:card="s" og:image="/a" og:image="/b" product:price:amount="3" og:url="/u"
        "#]],
    );
}

#[test]
fn links_without_an_address_stay() {
    let document = Document::parse("<div itemscope><a itemprop=url href=' /x '>x</a></div>");
    let structured = read(&document, None);
    let found = structured.items[0].find(&structured.items, "url");
    assert_eq!(found.iter().map(|found| found.0).collect::<Vec<_>>(), ["/x"]);
}

#[test]
fn ways_lead_through_items() {
    let page = structured(
        "<div itemscope itemtype=http://schema.org/Product><p itemprop=brand itemscope><b itemprop=name>Oak</b></p>
         <p itemprop=brand>Ash</p><p itemprop=offers itemscope><b itemprop=price>1</b><b itemprop=seller itemscope></b></p>
         <p itemprop=offers itemscope><b itemprop=price>2</b></p></div>",
    );
    let product = page.of_type("product").next().unwrap();
    let texts = |way: &str| product.find(&page.items, way).into_iter().map(|found| found.0).collect::<Vec<_>>();
    assert_eq!(texts("brand"), ["Oak", "Ash"]);
    assert_eq!(texts("brand.name"), ["Oak"]);
    assert_eq!(texts("offers.price"), ["1", "2"]);
    assert_eq!(texts("Offers.Price"), ["1", "2"]);
    for nothing in ["", ".", "offers", "offers.seller", "offers.price.x", "price", "offers."] {
        assert_eq!(texts(nothing), [""; 0], "{nothing:?}");
    }
    assert_eq!(page.top().count(), 1);
}

#[test]
fn elements_are_remembered() {
    let document = Document::parse(
        "<div itemscope><b itemprop=name>x</b></div><script type=application/ld+json>{\"name\":\"y\"}</script>",
    );
    let page = read(&document, None);
    let [json, micro] = page.items.as_slice() else { panic!("{page:?}") };
    assert_eq!((json.syntax, micro.syntax), (Syntax::JsonLd, Syntax::Microdata));
    assert_eq!(document.name(json.node), Some("script"));
    assert_eq!(document.name(micro.node), Some("div"));
    assert_eq!(json.find(&page.items, "name"), [("y", None)]);
    let (text, node) = micro.find(&page.items, "name")[0];
    assert_eq!((text, node.and_then(|node| document.name(node))), ("x", Some("b")));
}
