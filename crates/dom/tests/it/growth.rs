//! Hostile pages: parsing ends, and nodes and heap grow with the page, not with its square.
//!
//! Nothing is timed here: a quadratic parser would take hours on these pages, and so never pass.

use windrow_dom::{Document, Limits, Note, ParseOptions};
use windrow_testkit::checks;

/// Parses a page, checks the arena, and compares nodes and heap with the page's size.
fn grow(what: &str, html: String) -> Document {
    let bytes = html.len();
    let document = Document::parse(html);
    let (nodes, heap) = (document.len(), document.heap_size());
    eprintln!("{what}: {bytes} bytes, {nodes} nodes, {heap} bytes of heap, {:?}", document.notes());
    checks::structure(&document).unwrap_or_else(|message| panic!("{what}: {message}"));
    // `Limits::repairs_per_byte` allows five times the byte count in nodes, and each is 32 bytes.
    assert!(nodes <= 5 * bytes + 1100, "{what}: {nodes} nodes from {bytes} bytes");
    assert!(heap <= 400 * bytes + (1 << 20), "{what}: {heap} bytes of heap from {bytes} bytes");
    document
}

fn depth(document: &Document) -> usize {
    let mut open: Vec<usize> = Vec::new();
    let mut deepest = 0;
    for id in document.nodes() {
        while open.last().is_some_and(|&end| end <= id.index()) {
            open.pop();
        }
        open.push(document.subtree_end(id).index());
        deepest = deepest.max(open.len());
    }
    deepest
}

#[test]
fn nesting_is_cut_at_the_depth_limit() {
    for tag in [
        "<b>",
        "<div>",
        "<ul><li>",
        "<table><tr><td>",
        "<svg>",
        "<math>",
        "<template>",
        "<font size=1>",
        "<a><table><td>",
    ] {
        let document = grow(tag, tag.repeat(1_000_000 / tag.matches('<').count()));
        let deepest = depth(&document);
        assert!(deepest <= Limits::default().depth + 8, "{tag}: {deepest} levels");
        if tag != "<template>" {
            let noted = document.notes().iter().any(|note| matches!(note, Note::DepthLimited { .. }));
            assert!(noted, "{tag}: {:?}", document.notes());
        }
    }
}

#[test]
fn misnested_formatting_stays_linear() {
    let different: String = (0..100_000).map(|at| format!("<font color={at}>")).collect();
    grow("different fonts", different.clone());
    grow("different fonts, then paragraphs", different.clone() + &"<p>x</p>".repeat(100_000));
    grow("different fonts, then cells", different + &"<table><td>x</table>".repeat(50_000));
    grow("blocks in links", "<a><div>".repeat(200_000));
    grow("crossing", "<b><p></b>".repeat(200_000));
    grow("crossing, with text", "<b><i><p>x</b></i>".repeat(100_000));
    grow("open, then closed", "<b><i><u><p>".repeat(50_000) + &"</b></i></u>".repeat(50_000));
    grow("nobr", "<nobr><p>x".repeat(200_000));
    grow("fostered", format!("<table>{}", "<b>x<i>y</b>".repeat(100_000)));
    grow("fostered texts", format!("<table>{}", "x<tr>".repeat(200_000)));
}

#[test]
fn stray_end_tags_stay_linear() {
    let deep = "<div>".repeat(400);
    for stray in ["</p>", "</b>", "</x>", "</table>", "</h1>", "</li>", "</body>", "</form>", "</template>"] {
        grow(stray, deep.clone() + &stray.repeat(200_000));
    }
    grow("open p, stray", format!("<p>{}", "<span></x>".repeat(200_000)));
    grow("lists", "<ul><li>x".repeat(200) + &"</ul></li>".repeat(200_000));
}

#[test]
fn attribute_floods_are_cut() {
    let many: String = (0..200_000).map(|at| format!(" a{at}=1")).collect();
    let document = grow("different attributes", format!("<p{many}>x"));
    let noted = document.notes().iter().any(|note| matches!(note, Note::AttributesLimited { .. }));
    assert!(noted, "{:?}", document.notes());
    grow("the same attribute", format!("<p{}>", " a=1".repeat(1_000_000)));
    // Each tag adds one attribute to an element that already has many.
    let tags: String = (0..20_000).map(|at| format!("<body a{at}=1><html b{at}=1>")).collect();
    grow("attributes for body and html", tags);
    grow("formatting with attributes", format!("<p>{}", "<b a=1 c=2 d=3 e=4><p>".repeat(50_000)));
}

#[test]
fn tokens_without_an_end_stay_linear() {
    for piece in [
        "<!--",
        "<![CDATA[",
        "<a ",
        "<a b='",
        "</",
        "<!",
        "<?",
        "<",
        "&",
        "&#",
        "&a",
        "<script><!--<script>",
        "<title>",
        "<!DOCTYPE ",
        "\0",
        "\r",
        "<svg><![CDATA[",
        "<textarea></x",
        "<!--<!--",
        "<!-- --!",
        "-->",
        "<plaintext>",
        "<a/",
    ] {
        grow(piece, piece.repeat(500_000));
    }
}

#[test]
fn tables_and_templates_stay_linear() {
    grow("rows", format!("<table>{}", "<tr><td>x".repeat(200_000)));
    grow("tables side by side", "<table><tr><td>x</table>".repeat(100_000));
    grow("templates side by side", "<template><tr><td>x</template>".repeat(50_000));
    grow("options", format!("<select>{}", "<option>x".repeat(200_000)));
    grow("selected contents", format!("<select><button><selectedcontent></button>{}", "<option>x".repeat(100_000)));
    grow(
        "selected options",
        format!("<select><button><selectedcontent></button>{}", "<option selected>x".repeat(100_000)),
    );
    grow(
        "a large option for many selects",
        "<select><button><selectedcontent></button><option><b>x</b></select>".repeat(20_000),
    );
    grow("ruby", "<ruby>x<rt>y<rp>z".repeat(100_000));
    grow("framesets", format!("<frameset>{}", "<frameset><frame></frameset>".repeat(100_000)));
    grow("comments behind the page", format!("</html>{}", "<!--x-->y".repeat(100_000)));
}

#[test]
fn limits_cut_and_say_so() {
    let mut limits = Limits::default();
    limits.nodes = 1000;
    let options = ParseOptions::default().with_limits(limits);
    let document = Document::parse_with("<p>x".repeat(10_000), &options);
    assert!(document.len() <= 1010, "{}", document.len());
    assert!(document.notes().iter().any(|note| matches!(note, Note::NodesLimited { .. })), "{:?}", document.notes());
    checks::structure(&document).expect("a cut document is a document");

    let mut limits = Limits::default();
    limits.source_bytes = 100;
    let options = ParseOptions::default().with_limits(limits);
    let document = Document::from_bytes("<p>x".repeat(100), &options);
    assert_eq!(document.source().len(), 100);
    assert!(document.notes().contains(&Note::SourceCut { dropped: 300 }), "{:?}", document.notes());
}
