//! Pages that come empty and are filled by scripts: without a browser, nothing is found on them.

use crate::Document;

/// Visible characters of a page that may be no more than a frame for what its scripts bring.
const FEW: usize = 500;

/// Visible characters of a page that has next to nothing to show.
const HARDLY_ANY: usize = 50;

/// Returns a hint for a page on which nothing was found, if its list seems to be made by scripts.
pub fn hint(name: &str, document: &Document, is_rendered: bool) -> Option<String> {
    (!is_rendered && seems_scripted(document)).then(|| {
        format!("hint: {name}: the page seems to be filled by its scripts; --render lets a browser run them first")
    })
}

/// Returns `true` if a page has scripts, little text, and a place for more: an empty container with an id, or a note to visitors
/// without scripts.
fn seems_scripted(document: &Document) -> bool {
    let nodes: Vec<_> = document.nodes().collect();
    let (mut visible, mut scripts, mut containers, mut asks_for_scripts) = (0, false, false, false);
    let mut at = 0;
    while let Some(&node) = nodes.get(at) {
        at += 1;
        let skip = document.subtree_end(node).index();
        match document.name(node) {
            Some("script") => {
                let is_data = document.attr(node, "type").is_some_and(|kind| kind.contains("json"));
                scripts |= !is_data;
                at = skip;
            }
            Some("noscript") => {
                let texts = document.descendants(node).filter(|&node| document.is_text(node));
                asks_for_scripts |=
                    texts.into_iter().any(|text| document.text(text).to_ascii_lowercase().contains("javascript"));
                at = skip;
            }
            Some("style" | "template" | "title") => at = skip,
            Some("div" | "main" | "section" | "ul" | "ol" | "table" | "tbody") => {
                let mut children = document.children(node);
                let is_empty =
                    children.all(|child| !document.is_element(child) && document.text(child).trim().is_empty());
                containers |= is_empty && document.attr(node, "id").is_some();
            }
            _ if document.is_text(node) => visible += document.text(node).trim().chars().count(),
            _ => {}
        }
    }
    scripts && visible < FEW && (containers || asks_for_scripts || visible < HARDLY_ANY)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expected: bool) {
        let document = Document::from_bytes(html.as_bytes().to_vec(), &crate::ParseOptions::default());
        assert_eq!(seems_scripted(&document), expected, "{html}");
    }

    #[test]
    fn an_empty_page_with_scripts_is_filled_by_them() {
        check("<title>Shop</title><div id=root></div><script src=app.js></script>", true);
        check("<h1>Shop</h1><ul id=list> </ul><script>fetch('/list')</script>", true);
        check(
            "<p>Please wait while the shop is being opened for you and your friends.</p><noscript>You need JavaScript.</noscript><script src=a.js></script>",
            true,
        );
    }

    #[test]
    fn a_page_with_text_or_without_scripts_is_not() {
        check("<div id=root></div>", false);
        check("<div id=root></div><script type=application/ld+json>{}</script>", false);
        check(&format!("<div id=ad></div><p>{}</p><script src=a.js></script>", "Hay. ".repeat(200)), false);
        check(
            "<p>A page that says something to everybody, with a script that counts its visitors.</p><script>1</script>",
            false,
        );
    }
}
