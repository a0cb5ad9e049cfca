//! Tests of the parts of pages that are written and left out.

use url::Url;
use windrow::Document;

use super::{Links, rewrite_css, write};

fn links() -> Links {
    Links { base: Url::parse("http://a.example/x/").ok(), assets: "/asset/k/1".to_owned() }
}

/// Returns the body of the view, without numbers.
fn shown(html: &str) -> String {
    let view = write(&Document::parse(html), &links(), "", "n");
    let body = view.split_once("<body").map_or("", |(_, body)| body);
    let body = body.split_once('>').map_or("", |(_, body)| body);
    let body = body.split("</body>").next().unwrap_or_default();
    let mut out = String::new();
    for (at, part) in body.split(" data-w=\"").enumerate() {
        out.push_str(if at == 0 { part } else { part.split_once('"').map_or("", |(_, rest)| rest) });
    }
    out
}

#[test]
fn what_does_something_is_left_out() {
    assert_eq!(shown("<body>a<script>alert(1)</script>b"), "a<!---->b");
    assert_eq!(shown("<body><p onclick=x ONLOAD=y title=t>a"), "<p title=\"t\">a</p>");
    assert_eq!(shown("<body><a href='javascript:x' target=_top ping=/p>a</a>"), "<a href=\"#\">a</a>");
    assert_eq!(
        shown("<body><form action=/x><button formaction=javascript:1>b</button></form>"),
        "<form><button>b</button></form>"
    );
    assert_eq!(shown("<body><iframe srcdoc='<script>1</script>'></iframe>"), "<windrow-frame></windrow-frame>");
    assert_eq!(
        shown(
            "<body><svg><script>1</script><a xlink:href='javascript:1'><set attributeName=href to=javascript:1 />x</a></svg>"
        ),
        "<svg><!----><a href=\"#\"><!---->x</a></svg>"
    );
    assert_eq!(shown("<body><template><img src=x onerror=1></template>"), "<!---->");
    assert_eq!(shown("<body><xmp><img onerror=1></xmp>"), "<pre>&lt;img onerror=1&gt;</pre>");
    assert_eq!(shown("<body><object data=x><b>y</b></object>"), "<windrow-object><b>y</b></windrow-object>");
    assert_eq!(shown("<body><noscript><p>n</p></noscript>"), "<windrow-noscript><p>n</p></windrow-noscript>");
}

#[test]
fn numbers_are_ours() {
    let document = Document::parse("<body><p data-w=7>a");
    let view = write(&document, &links(), "", "n");
    assert!(!view.contains("data-w=\"7\""), "{view}");
    assert!(view.contains("<p data-w=\"4\">a</p>") || view.contains("<p data-w=\"5\">a</p>"), "{view}");
}

#[test]
fn images_lead_to_the_studio() {
    let asset = "/asset/k/1?u=http%3A%2F%2Fa.example%2Fx%2Fi.png";
    assert_eq!(shown("<body><img src=i.png>"), format!("<img src=\"{asset}\">"));
    assert_eq!(
        shown("<body><img data-src=i.png src='data:image/gif;base64,R0'>"),
        format!("<img data-src=\"i.png\" src=\"{asset}\">")
    );
    assert_eq!(shown("<body><img srcset='i.png 2x, javascript:1 3x'>"), format!("<img srcset=\"{asset} 2x\">"));
    assert_eq!(shown("<body><img src='data:text/html,<script>'>"), "<img>");
    assert_eq!(
        shown("<body><p style='background:url(i.png)'>"),
        format!("<p style=\"background:url(&quot;{asset}&quot;)\"></p>")
    );
}

#[test]
fn styles_load_from_nowhere_else() {
    let css = |css: &str| rewrite_css(css, &links());
    let asset = |name: &str| format!("\"/asset/k/1?u=http%3A%2F%2Fa.example%2Fx%2F{name}\"");
    assert_eq!(css("a{b:url( 'i' )}"), format!("a{{b:url({})}}", asset("i")));
    assert_eq!(css("@import 'i';"), format!("@import {};", asset("i")));
    assert_eq!(css("@import url(i) print;"), format!("@import url({}) print;", asset("i")));
    assert_eq!(css("@\\69mport 'i';"), format!("@\\69mport {};", asset("i")));
    assert_eq!(css("a{b:\\75 rl(i)}"), format!("a{{b:url({})}}", asset("i")));
    assert_eq!(css("a{b:image-set('i' 1x)}"), format!("a{{b:image-set({} 1x)}}", asset("i")));
    assert_eq!(css("a{content:'url(i)'} /* url(i) */"), "a{content:'url(i)'} /* url(i) */");
    assert_eq!(css("a{b:url(javascript:1)}"), "a{b:url(\"about:invalid\")}");
    assert_eq!(css("a{b:url(#g)}"), "a{b:url(\"#g\")}");
    assert_eq!(css("a{content:'</style><img onerror=1>'}"), "a{content:'\\3c \\/style>\\3c img onerror=1>'}");
}

/// The scan terminates and does not panic on any input.
#[test]
fn styles_may_end_anywhere() {
    let whole = "@import url(\"a\\62 c\" x) é; a{b:url(é\\} c:'\\\n' image-set(((\"x\" /* é */ \\";
    for end in (0..=whole.len()).filter(|&end| whole.is_char_boundary(end)) {
        for begin in (0..end).filter(|&begin| whole.is_char_boundary(begin)) {
            let _ = rewrite_css(&whole[begin..end], &links());
        }
    }
}

/// In a browser that reads the view, an element has as many texts as on the page.
#[test]
fn texts_can_be_counted() {
    let html = "<body><p>one<script>1</script>two<!-- c -->three<b>x</b>four</p>";
    let texts = |document: &Document| {
        let p = document.find_html(windrow::dom::names::P).unwrap();
        let texts = document.children(p).filter(|&id| document.is_text(id));
        texts.map(|id| document.text(id).to_owned()).collect::<Vec<_>>()
    };
    let document = Document::parse(html);
    let again = Document::parse(write(&document, &links(), "", "n").as_str());
    assert_eq!(texts(&document), ["one", "two", "three", "four"]);
    assert_eq!(texts(&again), texts(&document));
}
