//! Writes tokens as regular expressions.
//!
//! An expression finds in the source of a page the same as the token rule finds among its tokens, with any engine
//! that supports groups, classes, lazy repetition and `(?i:…)`; lookahead is not needed. For this:
//!
//! - names are written without regard to case, attributes in every order, with either quote or none;
//! - `class` is tested word by word;
//! - what is skipped inside a tag respects quotes, so `title="a > b"` does not end it;
//! - between neighbouring tokens there may be blanks and comments; next to a text, the rest of that text.
//!
//! | token | regular expression |
//! |---|---|
//! | `<h3>` | `<(?i:h3)` [`MORE`] `/?>` |
//! | `<h3 id="x">` | `<(?i:h3)` [`MORE`] `\s(?i:id)\s*=\s*(?:"x"\|'x'\|x)` [`MORE`] `/?>` |
//! | `<a href=#>`, last | `<(?i:a)` [`MORE`] `\s(?i:href)\s*=\s*["']?`, and for the end `["'\s>]` |
//! | `</h3>` | `</(?i:h3)\s*>` |
//! | `"Posted by"` | itself, with escapes |
//! | `<!--ad-->` | `<!--` [`COMMENT`] `?-*ad` [`COMMENT`] `--+>` |
//! | `*` | `[\s\S]*?`; in front of a text `(?:[\s\S]*?>)??[^<]*?` |
//!
//! Expressions over characters cannot tell that something that looks like a tag is in a script or in a comment, that
//! a text at the beginning of the rule is inside a tag, or that an attribute's value continues after a blank or the
//! other quote.

use super::tokens::{AttributeTest, Token};

/// Inside a tag: a blank and anything up to its end, or nothing.
pub(super) const MORE: &str = r#"(?:\s(?:[^>"']|"[^"]*"|'[^']*')*)?"#;

/// Inside a comment, up to its end.
pub(super) const COMMENT: &str = "(?:[^-]|-[^-]|--+[^->])*";

/// Between neighbouring tokens.
pub(super) const BETWEEN: &str = r"(?:\s|<!--(?:[^-]|-[^-]|--+[^->])*--+>)*?";

/// Between a token and a text after it, and between a text and the token after it.
pub(super) const IN_FRONT: &str = "[^<]*?";
pub(super) const BEHIND: &str = "[^<]*";

/// Any number of tokens.
pub(super) const ANYTHING: &str = r"[\s\S]*?";

/// Any number of tokens before a text that is not in a tag.
pub(super) const ANYTHING_TO_TEXT: &str = r"(?:[\s\S]*?>)??[^<]*?";

/// The name of any tag.
pub(super) const ANY_NAME: &str = r"[a-zA-Z][^\s/>]*";

/// An attribute that only has to be present, after its name.
pub(super) const PRESENT: &str = r#"(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?"#;

/// Before and after a value in any quotes or none.
pub(super) const OPEN: &str = r#"["']?"#;
pub(super) const CLOSE: &str = r#"["'\s>]"#;

/// Characters with a special meaning.
pub(super) const SPECIAL: &str = "()[]{}|+?^$.*";

/// Largest number of attributes of a tag, or words of a class, that are tested in every order: four would have 24
/// orders.
const MOST_ORDERED: usize = 3;

/// Writes tokens as a regular expression. `None` if the dialect cannot express them.
pub(super) fn to_regex(tokens: &[Token]) -> Option<String> {
    let mut regex = String::new();
    let mut before: Option<&Token> = None;
    for (index, token) in tokens.iter().enumerate() {
        let last = index + 1 == tokens.len();
        if let Some(before) = before.filter(|before| **before != Token::Skip && *token != Token::Skip) {
            if matches!(before, Token::Text(_)) {
                regex.push_str(BEHIND);
            }
            regex.push_str(BETWEEN);
            if matches!(token, Token::Text(_)) {
                regex.push_str(IN_FRONT);
            }
        }
        match token {
            Token::Start { name, attributes } => {
                regex.push('<');
                regex.push_str(&tag_name(name)?);
                if attributes.iter().any(|(_, wanted)| *wanted == AttributeTest::Value) {
                    // Other attributes might stand after it, where the expression has already ended.
                    let [(attribute, _)] = attributes.as_slice() else { return None };
                    regex.push_str(&format!(r"{MORE}\s{}\s*=\s*{OPEN}", attribute_name(attribute)?));
                    return last.then_some(regex);
                }
                regex.push_str(&attributes_regex(attributes)?);
                regex.push_str(MORE);
                regex.push_str("/?>");
            }
            Token::End(name) => {
                regex.push_str("</");
                regex.push_str(&tag_name(name)?);
                regex.push_str(r"\s*>");
            }
            // Two texts in a row would be read as one.
            Token::Text(_) if matches!(before, Some(Token::Text(_))) => return None,
            Token::Text(text) => regex.push_str(&escape(text)),
            Token::Comment(text) if text.is_empty() => regex.push_str(&format!("<!--{COMMENT}--+>")),
            Token::Comment(text) if !text.contains("--") => {
                regex.push_str(&format!("<!--{COMMENT}?-*{}{COMMENT}--+>", escape(text)));
            }
            Token::Comment(_) => return None,
            Token::Skip if matches!(tokens.get(index + 1), Some(Token::Text(_))) => regex.push_str(ANYTHING_TO_TEXT),
            Token::Skip => regex.push_str(ANYTHING),
        }
        before = Some(token);
    }
    Some(regex)
}

fn tag_name(name: &str) -> Option<String> {
    if name.is_empty() { Some(ANY_NAME.to_owned()) } else { attribute_name(name) }
}

fn attribute_name(name: &str) -> Option<String> {
    let plain = name.starts_with(|first: char| first.is_ascii_alphabetic()) && name.chars().all(is_name_char);
    plain.then(|| format!("(?i:{name})"))
}

pub(super) fn is_name_char(char: char) -> bool {
    char.is_ascii_alphanumeric() || matches!(char, '-' | '_' | ':')
}

/// Writes the attributes of a tag, in every order.
pub(super) fn attributes_regex(attributes: &[(String, AttributeTest)]) -> Option<String> {
    let tests = attributes.iter().map(|(name, wanted)| attribute_regex(name, wanted)).collect::<Option<Vec<_>>>()?;
    in_every_order(&tests, |test| format!(r"{MORE}\s{test}"), "")
}

/// Writes an attribute and its value.
pub(super) fn attribute_regex(name: &str, wanted: &AttributeTest) -> Option<String> {
    let start = attribute_name(name)?;
    let value = match wanted {
        AttributeTest::Value => return None,
        AttributeTest::Present => return Some(start + PRESENT),
        AttributeTest::Equal(value) if name == "class" && value.trim().is_empty() => return Some(start + PRESENT),
        AttributeTest::Equal(value) => value,
    };
    let mut ways = Vec::new();
    for quote in ['"', '\''].into_iter().filter(|&quote| !value.contains(quote)) {
        let inside = match name {
            "class" => {
                let words: Vec<String> = value.split_ascii_whitespace().map(escape_value).collect();
                let others = format!(r"(?:[^{quote}]*\s)?");
                let words = in_every_order(&words, str::to_owned, &format!(r"\s{others}"))?;
                format!(r"{others}{words}(?:\s[^{quote}]*)?")
            }
            _ => escape_value(value),
        };
        ways.push(format!("{quote}{inside}{quote}"));
    }
    let needs_quotes = |char: char| char.is_whitespace() || "\"'=<>`".contains(char);
    if !value.is_empty() && !value.contains(needs_quotes) {
        ways.push(escape_value(value));
    }
    (!ways.is_empty()).then(|| format!(r"{start}\s*=\s*(?:{})", ways.join("|")))
}

/// Joins parts in every order. `None` if there are too many.
fn in_every_order(parts: &[String], write: impl Fn(&str) -> String, between: &str) -> Option<String> {
    let orders: &[&[usize]] = match parts.len() {
        0 => &[&[]],
        1 => &[&[0]],
        2 => &[&[0, 1], &[1, 0]],
        MOST_ORDERED => &[&[0, 1, 2], &[0, 2, 1], &[1, 0, 2], &[1, 2, 0], &[2, 0, 1], &[2, 1, 0]],
        _ => return None,
    };
    let order = |order: &&[usize]| order.iter().map(|&at| write(&parts[at])).collect::<Vec<_>>().join(between);
    let ways: Vec<String> = orders.iter().map(order).collect();
    Some(if let [one] = ways.as_slice() { one.clone() } else { format!("(?:{})", ways.join("|")) })
}

/// Escapes a value as the source may write it: an ampersand may stand for itself.
fn escape_value(value: &str) -> String {
    escape(value).replace('&', AMPERSAND)
}

/// An ampersand in a value.
pub(super) const AMPERSAND: &str = "&(?:amp;)?";

/// Escapes literal text. White space other than one blank between words is written by number, since reading ignores
/// blanks.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut after_blank = true;
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        let lone = char == ' ' && !after_blank && chars.peek().is_some_and(|next| !next.is_whitespace());
        match char {
            _ if SPECIAL.contains(char) || char == '\\' => escaped.extend(['\\', char]),
            // It would begin a tag; and `\<` is a word boundary in some engines.
            '<' => escaped.push_str(r"\x3C"),
            ' ' if lone => escaped.push(' '),
            _ if (char.is_whitespace() || char.is_control()) && u32::from(char) < 0x100 => {
                escaped.push_str(&format!(r"\x{:02X}", u32::from(char)));
            }
            _ if char.is_whitespace() => escaped.push_str(&format!(r"\u{:04X}", u32::from(char))),
            _ => escaped.push(char),
        }
        after_blank = char.is_whitespace();
    }
    escaped
}

#[cfg(test)]
mod tests {
    use windrow_dom::{Document, Span, TokenKind};

    use super::super::tokens::from_rule;
    use super::*;
    use crate::landmark::TokenRule;

    /// Returns the matches of a token rule and those of its regular expression: from the first token to the last, or
    /// to the attribute that is the value.
    fn places(rule: &str, page: &Document) -> Option<[Vec<(usize, usize)>; 2]> {
        let regex = regex::Regex::new(&to_regex(&from_rule(&rule.into())?)?).unwrap();
        let rule = TokenRule::new(&rule.into()).unwrap();
        let (source, tokens) = (page.source(), page.tokens());
        let (mut from, mut among_tokens) = (0, Vec::new());
        while let Some(found) = rule.find(page, &tokens, Span::new(0, source.len()), from) {
            let value = rule.value(page, &found).and_then(|node| node.attr(page));
            let end = value.map_or(found.span.end, |attribute| attribute.value_span().start);
            among_tokens.push((found.span.start as usize, end as usize));
            from = found.span.end;
        }
        Some([among_tokens, regex.find_iter(source).map(|found| (found.start(), found.end())).collect()])
    }

    fn check(rule: &str, page: &str, count: usize) {
        let [tokens, regex] = places(rule, &Document::parse(page)).unwrap();
        assert_eq!(tokens, regex, "{rule} on {page}");
        assert_eq!(tokens.len(), count, "{rule} on {page}");
    }

    #[test]
    fn an_engine_for_regular_expressions_finds_the_same() {
        let tags = "<H3 CLASS='a b' id=x>1</H3><h3 id=\"x\" class=\"b c a\"/>2</h3 ><h3x class=a><h3 class=ab>\
            <h3 title='class=\"a\"' data-class=a><h3 title=\">\" class=a id=y>3<p><br/><h3\nid = 'x'\tclass=a>";
        check("<h3>", tags, 6);
        check("<h3 class=a>", tags, 4);
        check("<h3 class='a b'>", tags, 2);
        check("<h3 id=x class=a>", tags, 3);
        check("<h3 class=a id=x title>", tags, 0);
        check("<h3 title class=a>", tags, 1);
        check("<h3 id>", tags, 4);
        check("<br>", tags, 1);
        check("</h3>", tags, 2);
        check("<*> <*>", tags, 3);
        let links = "<p><a href='/a?x=1&amp;y=2'>1</a><p>x<a class=c href=/b>2</a><p> <!-- c --> <a\n HREF = \"/c\">3";
        check("<a href=#>", links, 3);
        check("<p> <a href=#>", links, 2);
        check("<p> * <a href=#>", links, 3);
        check("<a href='/a?x=1&y=2'>", links, 1);
        check("<a href='/b'>", links, 1);
        let texts =
            "<p>Posted by Ann (1.5) <b>x</b><p>by <!-- -ad - 7 --><!--ad--><b>y</b><p><!-- no --> <!-- b--ad --->z";
        check("'by' <b>", texts, 2);
        check("<p> 'by'", texts, 2);
        check("'Ann (1.5)' <b>", texts, 1);
        check("'by'", texts, 2);
        check("<!--ad-->", texts, 3);
        check("<p> <!--ad-->", texts, 1);
        check("<!----> 'z'", texts, 1);
        check("<b> * <!--no-->", texts, 1);
    }

    /// Compares rules made of the tokens of a page, on that page; returns the number of comparisons.
    fn check_page(name: &str, source: String) -> usize {
        let page = Document::parse(source);
        let written: Vec<String> = page
            .tokens()
            .iter()
            .filter_map(|token| {
                let name = page.name(token.node).unwrap_or_default();
                let text = &page.source()[token.span.range()];
                match token.kind {
                    TokenKind::StartTag => {
                        let attributes: String = page
                            .attrs(token.node)
                            .take(MOST_ORDERED)
                            .filter(|attribute| !attribute.value().contains(['"', '\'']))
                            .map(|attribute| format!(" {}=\"{}\"", attribute.name(), attribute.value()))
                            .collect();
                        Some(format!("<{name}{attributes}>"))
                    }
                    TokenKind::EndTag => Some(format!("</{name}>")),
                    TokenKind::Text if text.trim().is_empty() || text.contains(['"', '<']) => None,
                    TokenKind::Text => Some(format!("\"{}\"", text.trim())),
                    TokenKind::Comment => Some(text.to_owned()).filter(|text| text.len() > 7),
                    _ => None,
                }
            })
            .collect();
        let mut compared = 0;
        for at in 0..written.len() {
            for (length, between) in [(1, ""), (2, " "), (3, " "), (2, " * ")] {
                let Some(tokens) = written.get(at..at + length) else { continue };
                let rule = tokens.join(between);
                // To the regular expression, a text at the beginning may be inside an attribute.
                if !rule.starts_with('"')
                    && let Some([tokens, regex]) = places(&rule, &page)
                {
                    assert_eq!(tokens, regex, "{rule} on {name}");
                    compared += 1;
                }
            }
        }
        compared
    }

    #[test]
    fn on_whole_pages_too() {
        let testdata = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/");
        for (name, least) in [
            ("wrappers/weblog/page.html", 100),
            ("pages/ads/page-1.html", 100),
            ("pages/results/page-1.html", 100),
            ("pages/blog/page-1.html", 50),
            ("blog/home.html", 100),
        ] {
            let page = std::fs::read_to_string(format!("{testdata}{name}")).unwrap();
            // Text that looks like a tag in a script or in a comment is a tag to the regular expression.
            let end = page.find("<script").unwrap_or(page.len());
            let compared = check_page(name, page[..end].to_owned());
            assert!(compared >= least, "{name}: {compared}");
        }
    }
}
