//! Token rules: mark where a value begins and ends by the tags, texts and comments around it.
//!
//! `<div class="post"> * <h3>` is a sequence of token tests: an `h3` start tag somewhere after a `div` of that class.
//! Tests that follow each other without `*` must match neighbouring tokens; blank texts and comments between them are
//! ignored, since templates differ in them. A tag test names only the attributes that matter: `class` must contain
//! all words named, any other attribute must be equal.
//!
//! The last tag of a rule may use `#` as the value of an attribute: `<h3> <a href=#>`. Then that attribute is the
//! value the rule finds. `#` without quotes is this sign, as in patterns; `href="#"` is the literal text.
//!
//! Matching takes each run of tests at its first match, from left to right, as patterns do; it is linear in the
//! tokens times the length of the rule.
//!
//! Paper: M. Zhang, Y. Zhou, J. Patrick, "Automatic Extraction of Complex Web Data", PACIS 2006 (WTM), whose rules
//! are sequences of tokens before and after a value; the skipping `*` is that of STALKER, on which WTM builds.

use memchr::memmem;
use windrow_dom::{Document, Namespace, NodeId, Span, Token, TokenKind};
use windrow_xpath::Node;

use crate::error::WrapperError;
use crate::wrapper::Text;

/// A compiled token rule: runs of tests; anything may lie between two runs.
#[derive(Debug, Clone)]
pub(crate) struct TokenRule {
    runs: Vec<Vec<Test>>,
    /// Attribute of the last tag that is the value.
    value: Option<String>,
}

/// A match of a token rule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TokenMatch {
    /// Range from the first token to the last.
    pub(crate) span: Span,
    /// The last token.
    last: Token,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Test {
    /// A start tag with at least these attributes; an empty name matches any.
    Start { name: String, attributes: Vec<(String, Option<String>)> },
    /// An end tag; an empty name matches any.
    End { name: String },
    /// A text that contains this.
    Text(String),
    /// A comment that contains this.
    Comment(String),
}

const HINT: &str = "a token rule is tags, texts in quotes and `*`: `<div class=\"post\"> * <h3>`";

const VALUE_HINT: &str =
    "`#` is the value of one attribute of the last tag: `<h3> <a href=#>`; `href=\"#\"` is the text";

/// Largest number of tests, more than any rule needs; bounds the work per token.
const MOST_TESTS: usize = 64;

/// Largest number of blanks and comments that one match may skip, so that a page full of them is not read over and
/// over.
const MOST_SKIPPED: usize = 64;

impl TokenRule {
    /// Compiles a token rule. Errors carry places in the wrapper file.
    pub(crate) fn new(text: &Text) -> Result<TokenRule, WrapperError> {
        let wrong = |message: &str, hint, start: usize, end: usize| WrapperError::BadLandmark {
            message: message.to_owned(),
            hint,
            span: text.within(windrow_xpath::Span::new(start, end)),
        };
        let error = |message: &str, start: usize, end: usize| wrong(message, HINT, start, end);
        let source = text.value.as_str();
        let mut runs: Vec<Vec<Test>> = vec![Vec::new()];
        let mut value: Option<String> = None;
        let mut count = 0;
        let mut at = 0;
        while let Some(first) = source[at..].chars().next() {
            let begin = at;
            let test = match first {
                _ if first.is_whitespace() => {
                    at += first.len_utf8();
                    continue;
                }
                '*' => {
                    at += 1;
                    if runs.last().is_some_and(|run| !run.is_empty()) {
                        runs.push(Vec::new());
                    }
                    continue;
                }
                '"' | '\'' => {
                    let length = source[at + 1..]
                        .find(first)
                        .ok_or_else(|| error("a text is not closed", begin, source.len()))?;
                    let inside = &source[at + 1..at + 1 + length];
                    at += length + 2;
                    if inside.trim().is_empty() {
                        return Err(error("the text is empty", begin, at));
                    }
                    Test::Text(inside.trim().to_owned())
                }
                '<' if source[at..].starts_with("<!--") => {
                    let length = source[at..]
                        .find("-->")
                        .ok_or_else(|| error("a comment is not closed", begin, source.len()))?;
                    let inside = source[at + 4..(at + length).max(at + 4)].trim().to_owned();
                    at += length + 3;
                    Test::Comment(inside)
                }
                '<' => {
                    let length =
                        tag_length(&source[at..]).ok_or_else(|| error("a tag is not closed", begin, source.len()))?;
                    let inside = &source[at + 1..at + length - 1];
                    at += length;
                    let (test, mut values) = tag(inside).ok_or_else(|| error("this is not a tag", begin, at))?;
                    if value.is_some() || values.len() > 1 {
                        return Err(wrong("a tag after `#`, or a second `#`", VALUE_HINT, begin, at));
                    }
                    value = values.pop();
                    test
                }
                _ => return Err(error("a text needs quotes", begin, begin + first.len_utf8())),
            };
            if value.is_some() && !matches!(test, Test::Start { .. }) {
                return Err(wrong("the tag with `#` must be the last token", VALUE_HINT, begin, at));
            }
            count += 1;
            if count > MOST_TESTS {
                return Err(error("it has more than 64 tokens", begin, at));
            }
            runs.last_mut().expect("there is always a run").push(test);
        }
        runs.retain(|run| !run.is_empty());
        if runs.is_empty() {
            Err(error("it contains no token", 0, source.len()))
        } else {
            Ok(TokenRule { runs, value })
        }
    }

    /// Returns its runs of tests.
    pub(crate) fn runs(&self) -> &[Vec<Test>] {
        &self.runs
    }

    /// Returns the attribute of the last tag that is the value.
    pub(crate) fn value_name(&self) -> Option<&str> {
        self.value.as_deref()
    }

    /// Returns `true` if the value is an attribute of the last tag.
    pub(crate) fn has_value(&self) -> bool {
        self.value.is_some()
    }

    /// Returns the attribute of a match that is its value, if there is one.
    pub(crate) fn value(&self, document: &Document, found: &TokenMatch) -> Option<Node> {
        let name = self.value.as_deref()?;
        let index =
            document.attrs(found.last.node).position(|attribute| attribute.name().eq_ignore_ascii_case(name))?;
        Some(Node::attribute_of(found.last.node, index))
    }

    /// Returns the first match at or after `from` that ends within `scope`.
    pub(crate) fn find(&self, document: &Document, tokens: &[Token], scope: Span, from: u32) -> Option<TokenMatch> {
        let mut whole: Option<TokenMatch> = None;
        for run in &self.runs {
            let at = whole.map_or(from, |whole| whole.span.end);
            let mut found = find_run(run, document, tokens, scope, at)?;
            found.span.start = whole.map_or(found.span.start, |whole| whole.span.start);
            whole = Some(found);
        }
        whole
    }
}

/// Returns the first place at or after `from` where all tests match neighbouring tokens.
fn find_run(run: &[Test], document: &Document, tokens: &[Token], scope: Span, from: u32) -> Option<TokenMatch> {
    let from = from.max(scope.start);
    let first = tokens.partition_point(|token| token.span.end <= from);
    for begin in first..tokens.len() {
        if tokens[begin].span.start >= scope.end {
            return None;
        }
        if let Some(found) = match_run(run, document, &tokens[begin..], scope, from) {
            return Some(found);
        }
    }
    None
}

fn match_run(run: &[Test], document: &Document, tokens: &[Token], scope: Span, from: u32) -> Option<TokenMatch> {
    let mut covered: Option<TokenMatch> = None;
    let mut skipped = 0;
    let mut tokens = tokens.iter();
    for test in run {
        loop {
            let token = tokens.next()?;
            if let Some(hit) = test.hits(document, token, from, scope.end) {
                if hit.end > scope.end {
                    return None;
                }
                let start = covered.map_or(hit.start, |covered| covered.span.start);
                covered = Some(TokenMatch { span: Span { start, end: hit.end }, last: *token });
                break;
            }
            skipped += 1;
            if covered.is_none() || skipped > MOST_SKIPPED || !is_transparent(document, token) {
                return None;
            }
        }
    }
    covered
}

/// Returns `true` if a token may be skipped between two others.
fn is_transparent(document: &Document, token: &Token) -> bool {
    match token.kind {
        TokenKind::Comment => true,
        // Blanks around `</body>` are one text of the tree, whose span includes that tag.
        TokenKind::Text => {
            document.source()[token.span.range()].trim().is_empty() || document.text(token.node).trim().is_empty()
        }
        _ => false,
    }
}

impl Test {
    /// Returns the range that matched, if the test holds: the whole tag, or the occurrence of the text.
    fn hits(&self, document: &Document, token: &Token, from: u32, to: u32) -> Option<Span> {
        let whole = (token.span.start >= from).then_some(token.span);
        match (self, token.kind) {
            (Test::Start { name, attributes }, TokenKind::StartTag) => {
                let same =
                    name.is_empty() || document.name(token.node).is_some_and(|given| given.eq_ignore_ascii_case(name));
                let fits = same
                    && attributes.iter().all(|(name, wanted)| match (attribute(document, token.node, name), wanted) {
                        (Some(given), Some(wanted)) if name == "class" => wanted
                            .split_ascii_whitespace()
                            .all(|word| given.split_ascii_whitespace().any(|has| has == word)),
                        (Some(given), Some(wanted)) => given == wanted,
                        (Some(_), None) => true,
                        (None, _) => false,
                    });
                if fits { whole } else { None }
            }
            (Test::End { name }, TokenKind::EndTag) => {
                let same =
                    name.is_empty() || document.name(token.node).is_some_and(|given| given.eq_ignore_ascii_case(name));
                if same { whole } else { None }
            }
            (Test::Text(wanted), TokenKind::Text) | (Test::Comment(wanted), TokenKind::Comment) => {
                let start = token.span.start.max(from);
                let end = token.span.end.min(to).max(start);
                let found =
                    memmem::find(&document.source().as_bytes()[start as usize..end as usize], wanted.as_bytes())?;
                let start = start + found as u32;
                Some(match self {
                    Test::Comment(_) => token.span,
                    _ => Span { start, end: start + wanted.len() as u32 },
                })
            }
            _ => None,
        }
    }
}

/// Returns the value of an attribute. Case is ignored outside HTML: SVG has names such as `viewBox`.
fn attribute<'d>(document: &'d Document, id: NodeId, name: &str) -> Option<&'d str> {
    let folded = || document.attrs(id).find(|attribute| attribute.name().eq_ignore_ascii_case(name));
    document.attr(id, name).or_else(|| match document.namespace(id) {
        Namespace::Html => None,
        _ => folded().map(|attribute| attribute.value()),
    })
}

/// Returns the length of the tag at the beginning, respecting quotes.
fn tag_length(source: &str) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in source.bytes().enumerate() {
        match (quote, byte) {
            (Some(mark), _) if byte == mark => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'>') => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Parses the text between `<` and `>`; also returns the attributes whose value is `#`.
fn tag(inside: &str) -> Option<(Test, Vec<String>)> {
    if let Some(name) = inside.strip_prefix('/') {
        let name = name.trim().to_ascii_lowercase();
        let name = if name == "*" { String::new() } else { name };
        return (name.is_empty() || is_name(&name)).then_some((Test::End { name }, Vec::new()));
    }
    let inside = inside.trim().trim_end_matches('/').trim_end();
    let length = inside.find(char::is_whitespace).unwrap_or(inside.len());
    let name = inside[..length].to_ascii_lowercase();
    let name = if name == "*" { String::new() } else { name };
    if !name.is_empty() && !is_name(&name) {
        return None;
    }
    if name.is_empty() && !inside.starts_with('*') {
        return None;
    }
    let (mut attributes, mut values) = (Vec::new(), Vec::new());
    let mut rest = inside[length..].trim_start();
    while !rest.is_empty() {
        let length = rest.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(rest.len());
        let key = rest[..length].to_ascii_lowercase();
        if key.is_empty() {
            return None;
        }
        rest = rest[length..].trim_start();
        let mut value = None;
        if let Some(after) = rest.strip_prefix('=') {
            let after = after.trim_start();
            let (text, behind) = match after.chars().next() {
                Some(mark @ ('"' | '\'')) => {
                    let length = after[1..].find(mark)?;
                    (&after[1..1 + length], &after[length + 2..])
                }
                _ => after.split_at(after.find(char::is_whitespace).unwrap_or(after.len())),
            };
            rest = behind.trim_start();
            if after.starts_with('#') && text == "#" { values.push(key.clone()) } else { value = Some(text.to_owned()) }
        }
        attributes.push((key, value));
    }
    Some((Test::Start { name, attributes }, values))
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name
            .bytes()
            .all(|byte| !matches!(byte, b'<' | b'>' | b'"' | b'\'' | b'=' | b'/') && !byte.is_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<'a>(rule: &str, page: &'a str) -> Option<&'a str> {
        let document = Document::parse(page);
        let rule = TokenRule::new(&rule.into()).unwrap();
        let found = rule.find(&document, &document.tokens(), Span::new(0, page.len()), 0)?;
        let value = rule.value(&document, &found).and_then(|node| node.attr(&document));
        Some(&page[value.map_or(found.span, |value| value.value_span()).range()])
    }

    #[test]
    fn tags_match_by_name_and_named_attributes() {
        let page = "<div id=a><h3 class='t big' id=x>Oslo</h3></div>";
        assert_eq!(found("<h3>", page), Some("<h3 class='t big' id=x>"));
        assert_eq!(found("<H3 class=t>", page), Some("<h3 class='t big' id=x>"));
        assert_eq!(found("<h3 class=\"big t\" id>", page), Some("<h3 class='t big' id=x>"));
        assert_eq!(found("<h3 class=u>", page), None);
        assert_eq!(found("<div><h3>", page), Some("<div id=a><h3 class='t big' id=x>"));
        assert_eq!(found("<*> <*>", page), Some("<div id=a><h3 class='t big' id=x>"));
    }

    #[test]
    fn blanks_and_comments_do_not_part_tokens() {
        assert_eq!(found("<b><i>", "<b> \n<!--ad--> <i>x"), Some("<b> \n<!--ad--> <i>"));
        assert_eq!(found("<b><i>", "<b>x<i>x"), None);
        assert_eq!(found("<b>*<i>", "<b>x<i>x"), Some("<b>x<i>"));
        assert_eq!(found("<!--ad--> <i>", "<b> \n<!-- ad 7 --> <i>x"), Some("<!-- ad 7 --> <i>"));
    }

    #[test]
    fn texts_match_inside_tokens() {
        assert_eq!(found("\"by\"", "<p>Posted by Ann"), Some("by"));
        assert_eq!(found("<p> 'Posted by'", "<p>Posted by Ann"), Some("<p>Posted by"));
    }

    #[test]
    fn a_sign_stands_for_the_value_of_an_attribute() {
        let page = "<h3><a name=x>1</a></h3><h3 class=t> <a class=u href='/a?b=1&amp;c'>2</a></h3><a href='#'>3</a>";
        assert_eq!(found("<h3> <a href=#>", page), Some("/a?b=1&amp;c"));
        assert_eq!(found("<h3 class=t> * <a class=u href = # >", page), Some("/a?b=1&amp;c"));
        assert_eq!(found("<a href=\"#\">", page), Some("<a href='#'>"));
        assert_eq!(found("<a href='#' href=#>", page), Some("#"));
        assert_eq!(found("<img SRC=#/>", "<p><img src=a.png>"), Some("a.png"));
        assert_eq!(found("<a href=#>", "<a>"), None);
        for rule in ["<a href=#> <b>", "<a href=# id=#>", "<a href=#> 'x'", "<a href=#> </a>", "<a href=#> <!--x-->"] {
            let error = TokenRule::new(&rule.into()).unwrap_err().to_string();
            assert!(error.contains("`#`"), "{rule}: {error}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (rule, message) in [
            ("", "it contains no token"),
            ("* *", "it contains no token"),
            ("<div", "a tag is not closed"),
            ("div", "a text needs quotes"),
            ("'x", "a text is not closed"),
            ("< >", "this is not a tag"),
            ("\"\"", "the text is empty"),
        ] {
            let error = TokenRule::new(&rule.into()).unwrap_err().to_string();
            assert_eq!(error, format!("invalid token rule: {message}"), "{rule}");
        }
    }
}
