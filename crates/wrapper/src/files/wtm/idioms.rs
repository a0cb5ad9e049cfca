//! Reads tokens from WTM's regular expressions.
//!
//! The paper's rules are sequences of tokens "represented as a regular expression in string format". Only the idioms
//! of such sequences are read, so that a rule runs on tokens rather than characters: those that
//! [`dialect`](super::dialect) writes, and the shorter ones that people write:
//!
//! | token | also read |
//! |---|---|
//! | `<h3>` | `<h3[^>]*>`; `<h3>` is read as the same, since attributes that are not named are free |
//! | `<h3 class="t">` | `<h3[^>]*\sclass="t"[^>]*>`; also with `\s+` or a blank in front of the attribute |
//! | `<a href=#>` | `<a[^>]*\shref="` |
//! | `</h3>` | `</h3>`, `</h3\s*>` |
//! | `<!--ad-->` | `<!--ad-->` |
//! | `*` | `.*?`, `.*`, `[\s\S]*` |
//!
//! White space, `\s*` and `\s+` between tokens are ignored. Alternatives are read only where the dialect writes them:
//! for the orders of attributes and the kinds of quotes.
//!
//! Cost: linear in the expression.

use super::dialect::{self, is_name_char};
use super::tokens::{AttributeTest, Token};

/// Parses a regular expression to tokens. It may end within the last tag: `<a[^>]*\shref="`.
pub(super) fn from_regex(regex: &str) -> Result<Vec<Token>, String> {
    let mut reader = Reader { rest: regex.trim(), tokens: Vec::new(), text: String::new() };
    while !reader.rest.is_empty() {
        reader.token()?;
    }
    reader.end_text();
    let mut tokens = reader.tokens;
    // At the ends it has no effect, and the dialect cannot express it.
    if tokens.last() == Some(&Token::Skip) {
        tokens.pop();
    }
    if tokens.first() == Some(&Token::Skip) {
        tokens.remove(0);
    }
    Ok(tokens)
}

struct Reader<'a> {
    rest: &'a str,
    tokens: Vec<Token>,
    text: String,
}

/// Expressions for "anything", longest first.
const ANYTHING: [&str; 5] = [dialect::ANYTHING_TO_TEXT, dialect::ANYTHING, "[\\s\\S]*", ".*?", ".*"];

/// Expressions for ignored parts between tokens, longest first.
const BETWEEN: [&str; 6] = [dialect::BETWEEN, dialect::IN_FRONT, dialect::BEHIND, "\\s*", "\\s+", "\\s"];

/// Expressions for ignored parts inside a tag, longest first.
const INSIDE: [&str; 4] = [dialect::MORE, "[^>]*?", "[^>]*", ".*?"];

impl Reader<'_> {
    fn eat(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Skips white space in all its forms; returns `true` if there was any.
    fn blank(&mut self) -> bool {
        let before = self.rest.len();
        loop {
            self.rest = self.rest.trim_start();
            if !BETWEEN.into_iter().any(|between| self.eat(between)) {
                return self.rest.len() < before;
            }
        }
    }

    fn end_text(&mut self) {
        let text = self.text.trim();
        if !text.is_empty() {
            self.tokens.push(Token::Text(text.to_owned()));
        }
        self.text.clear();
    }

    fn token(&mut self) -> Result<(), String> {
        if self.blank() {
            self.text.push(' ');
        } else if ANYTHING.into_iter().any(|anything| self.eat(anything)) {
            self.end_text();
            if self.tokens.last() != Some(&Token::Skip) {
                self.tokens.push(Token::Skip);
            }
        } else if self.eat("<!--") {
            self.end_text();
            let comment = self.comment()?;
            self.tokens.push(Token::Comment(comment));
        } else if self.eat("</") || self.eat("<\\/") {
            self.end_text();
            let name = self.tag_name()?;
            while self.blank() || self.eat("[^>]*") {}
            if !self.eat(">") {
                return Err(format!("the end tag of `{name}` is not closed"));
            }
            self.tokens.push(Token::End(name));
        } else if self.eat("<") {
            self.end_text();
            self.start_tag()?;
        } else {
            let char = self.character()?;
            self.text.push(char);
        }
        Ok(())
    }

    /// Reads the rest of a comment: the text that it has to contain.
    fn comment(&mut self) -> Result<String, String> {
        let lazy = format!("{}?-*", dialect::COMMENT);
        self.eat(&lazy);
        let mut text = String::new();
        loop {
            if self.eat(dialect::COMMENT) {
                return if self.eat("--+>") {
                    Ok(text.trim().to_owned())
                } else {
                    Err("a comment is not closed".into())
                };
            }
            if self.eat("-->") {
                return Ok(text.trim().to_owned());
            }
            if self.rest.is_empty() {
                return Err("a comment is not closed".to_owned());
            }
            text.push(self.character()?);
        }
    }

    /// Reads the rest of a start tag, which may end at the value of an attribute.
    fn start_tag(&mut self) -> Result<(), String> {
        let name = self.tag_name()?;
        let mut attributes: Vec<(String, AttributeTest)> = Vec::new();
        loop {
            if self.orders(&mut attributes)? {
                continue;
            }
            while self.blank() || INSIDE.into_iter().any(|inside| self.eat(inside)) {}
            if self.eat(">") || self.eat("/?>") || self.eat("/>") {
                break;
            }
            if self.rest.is_empty() {
                return Err(format!("the tag `{name}` is not closed"));
            }
            let attribute = self.attribute()?;
            let ended = attribute.1 == AttributeTest::Value;
            attributes.push(attribute);
            if ended {
                break;
            }
        }
        self.tokens.push(Token::Start { name, attributes });
        Ok(())
    }

    /// Reads attributes in every order, if they come next.
    fn orders(&mut self, attributes: &mut Vec<(String, AttributeTest)>) -> Result<bool, String> {
        let whole = self.rest;
        if !(self.eat("(?:") && self.eat(dialect::MORE)) {
            self.rest = whole;
            return Ok(false);
        }
        let mut first = Vec::new();
        loop {
            while self.blank() || self.eat(dialect::MORE) {}
            if self.rest.is_empty() || self.rest.starts_with(['|', ')']) {
                break;
            }
            first.push(self.attribute()?);
        }
        // The first order determines the others.
        self.rest = whole;
        match dialect::attributes_regex(&first) {
            Some(orders) if self.eat(&orders) => attributes.append(&mut first),
            _ => return Err("the alternatives are not the orders of the same attributes".to_owned()),
        }
        Ok(true)
    }

    /// Reads an attribute and its test.
    fn attribute(&mut self) -> Result<(String, AttributeTest), String> {
        let whole = self.rest;
        let name = self.name()?;
        if self.eat(dialect::PRESENT) {
            return Ok((name, AttributeTest::Present));
        }
        self.blank();
        if !self.eat("=") {
            return Ok((name, AttributeTest::Present));
        }
        self.blank();
        if self.eat(dialect::OPEN) {
            return if self.rest.is_empty() {
                Ok((name, AttributeTest::Value))
            } else {
                Err(format!("the value of `{name}` needs quotes"))
            };
        }
        if self.eat("(?:") {
            let value = self.first_way(&name)?;
            // The first way to write the value determines the others.
            self.rest = whole;
            let wanted = AttributeTest::Equal(value);
            return match dialect::attribute_regex(&name, &wanted) {
                Some(ways) if self.eat(&ways) => Ok((name, wanted)),
                _ => Err(format!("the alternatives are not the ways to quote the value of `{name}`")),
            };
        }
        let Some(quote) = self.rest.chars().next().filter(|char| matches!(char, '"' | '\'')) else {
            return Err(format!("the value of `{name}` needs quotes"));
        };
        self.rest = &self.rest[1..];
        if self.rest.is_empty() {
            return Ok((name, AttributeTest::Value));
        }
        if self.eat("[^\"]*") || self.eat("[^']*") {
            return match self.rest.strip_prefix(quote) {
                Some(rest) => {
                    self.rest = rest;
                    Ok((name, AttributeTest::Present))
                }
                None => Err(format!("the value of `{name}` is partly open")),
            };
        }
        let mut value = String::new();
        while !self.rest.starts_with(quote) {
            if self.rest.is_empty() {
                return Err(format!("the value of `{name}` is not closed"));
            }
            if self.rest.starts_with("[^\"]*") || self.rest.starts_with("[^']*") {
                return Err(format!("the value of `{name}` is partly open"));
            }
            value.push(self.character()?);
        }
        self.rest = &self.rest[1..];
        // The value of a class is a list of words.
        let is_class = name == "class";
        let value = if is_class { value.split_ascii_whitespace().collect::<Vec<_>>().join(" ") } else { value };
        Ok((name, if is_class && value.is_empty() { AttributeTest::Present } else { AttributeTest::Equal(value) }))
    }

    /// Reads the value in the first of the ways to quote it; for a class, its words.
    fn first_way(&mut self, name: &str) -> Result<String, String> {
        let quote = self.rest.chars().next().filter(|char| matches!(char, '"' | '\''));
        self.rest = &self.rest[quote.map_or(0, char::len_utf8)..];
        let (others, rest) = match quote {
            Some(quote) => (format!(r"(?:[^{quote}]*\s)?"), format!(r"(?:\s[^{quote}]*)?")),
            None => Default::default(),
        };
        let is_class = name == "class" && quote.is_some();
        if is_class {
            self.eat(&others);
            self.eat("(?:");
        }
        let mut value = String::new();
        while !self.rest.starts_with(['|', ')']) && !quote.is_some_and(|quote| self.rest.starts_with(quote)) {
            if self.rest.is_empty() {
                return Err(format!("the value of `{name}` is not closed"));
            }
            if is_class && self.rest.starts_with(&rest) {
                break;
            }
            if is_class && self.eat(&format!(r"\s{others}")) { value.push(' ') } else { value.push(self.character()?) }
        }
        Ok(value)
    }

    fn tag_name(&mut self) -> Result<String, String> {
        if self.eat(dialect::ANY_NAME) { Ok(String::new()) } else { self.name() }
    }

    fn name(&mut self) -> Result<String, String> {
        let folded = self.eat("(?i:");
        let length = self.rest.find(|char: char| !is_name_char(char)).unwrap_or(self.rest.len());
        let name = &self.rest[..length];
        if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
            let found: String = self.rest.chars().take(8).collect();
            return Err(format!("expected a name at `{found}`"));
        }
        self.rest = &self.rest[length..];
        if !folded || self.eat(")") {
            Ok(name.to_ascii_lowercase())
        } else {
            Err(format!("`(?i:{name}` is not closed"))
        }
    }

    /// Reads one literal character.
    fn character(&mut self) -> Result<char, String> {
        if self.eat(dialect::AMPERSAND) {
            return Ok('&');
        }
        let mut chars = self.rest.chars();
        let char = match chars.next() {
            Some('\\') => match chars.next() {
                // All white space is equivalent, and XML parsers change carriage returns.
                Some(escaped) if escaped.is_whitespace() => ' ',
                Some(kind @ ('x' | 'u')) => {
                    let digits = if kind == 'x' { 2 } else { 4 };
                    let code = chars.as_str().get(..digits).and_then(|code| u32::from_str_radix(code, 16).ok());
                    let Some(char) = code.and_then(char::from_u32) else {
                        return Err(format!("`\\{kind}` has {digits} digits"));
                    };
                    chars = chars.as_str()[digits..].chars();
                    char
                }
                Some(escaped) if !escaped.is_ascii_alphanumeric() => escaped,
                Some(class) => return Err(format!("`\\{class}` cannot be part of a token rule")),
                None => return Err("it ends with a backslash".to_owned()),
            },
            Some(special) if dialect::SPECIAL.contains(special) => {
                return Err(format!("`{special}` cannot be part of a token rule"));
            }
            Some(char) => char,
            None => return Err("it ends too early".to_owned()),
        };
        self.rest = chars.as_str();
        Ok(char)
    }
}

#[cfg(test)]
mod tests {
    use super::super::dialect::to_regex;
    use super::super::tokens::{from_rule, to_rule};
    use super::*;

    fn rule(regex: &str) -> String {
        from_regex(regex).map_or_else(|message| message, |tokens| to_rule(&tokens).unwrap())
    }

    #[test]
    fn idioms_are_read() {
        assert_eq!(rule("<h3[^>]*>"), "<h3>");
        assert_eq!(rule("<H3 class=\"storytitle\"><a[^>]*>"), "<h3 class=\"storytitle\"> <a>");
        assert_eq!(
            rule(r#"<div\s+id='x'\s+class="a b"[^>]*>\s*.*?</div\s*>"#),
            "<div id=\"x\" class=\"a b\"> * </div>"
        );
        assert_eq!(rule(r"<p>Posted\s+by\. [\s\S]*<!-- \(ad\) -->"), "<p> \"Posted by.\" * <!--(ad)-->");
        assert_eq!(rule(r#"<a[^>]*href="[^"]*">"#), "<a href>");
        assert_eq!(rule(r#"<h3><a[^>]*\shref=""#), "<h3> <a href=#>");
        assert_eq!(rule("<a href='"), "<a href=#>");
        assert_eq!(rule("<b class=''> <b class=' x  y '>"), "<b class> <b class=\"x y\">");
    }

    #[test]
    fn what_is_beyond_tokens_is_said() {
        for (regex, message) in [
            ("(a|b)", "`(` cannot be part of a token rule"),
            (r"\d+", r"`\d` cannot be part of a token rule"),
            (r"\x4", r"`\x` has 2 digits"),
            ("a.b", "`.` cannot be part of a token rule"),
            ("<h3", "the tag `h3` is not closed"),
            ("</h3", "the end tag of `h3` is not closed"),
            ("<(h1|h2)>", "expected a name at `(h1|h2)>`"),
            ("<(?i:h1>", "`(?i:h1` is not closed"),
            ("<a href=x>", "the value of `href` needs quotes"),
            ("<a href=\"x", "the value of `href` is not closed"),
            ("<a href=\"x[^\"]*\">", "the value of `href` is partly open"),
            (r#"<a id=(?:"x"|'y')>"#, "the alternatives are not the ways to quote the value of `id`"),
            (r#"<a id=(?:"x"#, "the value of `id` is not closed"),
            ("<!-- x", "a comment is not closed"),
            ("x\\", "it ends with a backslash"),
        ] {
            assert_eq!(rule(regex), message, "{regex}");
        }
        let orders = to_regex(&from_rule(&"<a id=\"x\" title=\"y\">".into()).unwrap()).unwrap();
        let other = orders.replacen("title", "lang", 1);
        assert_eq!(rule(&other), "the alternatives are not the orders of the same attributes");
    }

    #[test]
    fn both_ways_round() {
        for text in [
            "<h3>",
            "<*> </*>",
            "<h3 class=\"t (1)\" id> <a>",
            "<h3 id=\"x\" class=\"a b c\" title> * </h3>",
            "</div> * <p> \"Posted by (me)\"",
            "\"Posted  by\tme\u{A0}\u{2003}x\" <b>",
            "<!--post 1--> \"a < b\" </p>",
            "<!----> <a href=#>",
            "<!---x y--> <a href=\"/a?b&c=<1>\">",
            "<img alt='say \"x\"'> * \"it's\"",
            "<img alt=\"it's\" class=\"\"> <b data-x=\"\">",
        ] {
            let tokens = from_rule(&text.into()).unwrap();
            assert_eq!(to_rule(&tokens).as_deref(), Some(text));
            let regex = to_regex(&tokens).unwrap();
            let again = from_regex(&regex).unwrap_or_else(|message| panic!("{regex}: {message}"));
            assert_eq!(to_rule(&again).as_deref(), Some(text.replace(" class=\"\"", " class").as_str()), "{regex}");
            regex::Regex::new(&regex).unwrap();
        }
        for (text, same) in [("<b><I  X=1>*'y'", "<b> <i x=\"1\"> * \"y\""), ("* <b> * * <i> *", "<b> * <i>")] {
            assert_eq!(from_rule(&text.into()).and_then(|tokens| to_rule(&tokens)).as_deref(), Some(same));
        }
        for text in ["'a' 'b'", "<a href=# id>", "<a a b c d>", "<a class='a b c d'>", "<!--a -- b-->"] {
            assert_eq!(to_regex(&from_rule(&text.into()).unwrap()), None, "{text}");
        }
    }
}
