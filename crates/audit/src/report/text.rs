//! Escaping of text from pages: all text in a report that comes from elsewhere passes through here.
//!
//! Such text is not trusted. It becomes text in HTML and nothing else: no tags, no attributes, and no links other than
//! to web addresses. Text that changes the writing direction is isolated in its element, so that it cannot affect what
//! follows.

/// Longest address that becomes a link; a longer one is shown as text.
const LONGEST_LINK: usize = 2000;

/// Escapes a text for use in an element or a quoted attribute.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(' '),
            // Control characters are not allowed in HTML.
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Escapes at most `most` characters of a text, on one line, isolated from the writing direction around it.
pub(super) fn quoted(text: &str, most: usize) -> String {
    format!("<bdi>{}</bdi>", escaped(&cut(text, most)))
}

/// Cuts a text to at most `most` characters, with `…` at the cut.
pub(super) fn cut(text: &str, most: usize) -> String {
    let text = text.trim();
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

/// Returns an address as HTML: a link if it is a web address, else text.
pub(super) fn linked(address: &str, most: usize) -> String {
    let shown = quoted(address, most);
    if is_web(address) {
        format!("<a href=\"{}\" rel=\"noreferrer noopener nofollow\">{shown}</a>", escaped(address))
    } else {
        shown
    }
}

/// Reports whether browsers can interpret the text only as a web address.
fn is_web(address: &str) -> bool {
    let starts = |scheme: &str| address.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    (starts("http://") || starts("https://"))
        && address.len() <= LONGEST_LINK
        && !address.contains(|c: char| c.is_control() || c.is_whitespace() || matches!(c, '"' | '<' | '>' | '\\'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_text() {
        assert_eq!(
            escaped("<script>alert('x' & \"y\")</script>"),
            "&lt;script&gt;alert(&#39;x&#39; &amp; &quot;y&quot;)&lt;/script&gt;"
        );
        assert_eq!(escaped("a\0b\u{1b}[31m\u{85}\nc"), "a\u{fffd}b\u{fffd}[31m\u{fffd} c");
        assert_eq!(quoted("\u{202e}gpj.exe", 40), "<bdi>\u{202e}gpj.exe</bdi>");
        assert_eq!(quoted(&"é".repeat(10), 3), "<bdi>ééé…</bdi>");
    }

    #[test]
    fn only_addresses_of_the_web_are_links() {
        assert!(
            linked("https://pills.example/a?b=1&c='", 80)
                .starts_with("<a href=\"https://pills.example/a?b=1&amp;c=&#39;\"")
        );
        assert!(linked("HTTP://pills.example", 80).starts_with("<a "));
        for hostile in [
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)//https://",
            " https://a.example",
            "https://a.example/\" onclick=\"x",
            "https://a.example/\u{0}",
            "https:/\\a.example",
            "data:text/html,<script>",
            "//a.example",
            "a.html",
            "vbscript:x",
            "file:///etc/passwd",
        ] {
            let shown = linked(hostile, 80);
            assert!(!shown.contains("<a ") && !shown.contains("href"), "{hostile}: {shown}");
        }
        assert!(!linked(&format!("https://a.example/{}", "x".repeat(3000)), 80).contains("href"));
    }
}
