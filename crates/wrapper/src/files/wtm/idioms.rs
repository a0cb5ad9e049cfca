//! Tokens, as token rules write them and as WTM's regular expressions do.
//!
//! The paper's rules are sequences of tokens "represented as a regular expression in string format". Only the idioms that
//! such sequences consist of are read, so that a rule runs on tokens and not on characters:
//!
//! | token | regular expression |
//! |---|---|
//! | `<h3>` | `<h3[^>]*>`; `<h3>` is read as the same, since attributes that are not named are free |
//! | `<h3 class="t">` | `<h3[^>]*\sclass="t"[^>]*>`; also with `\s+` or a blank in front of the attribute |
//! | `</h3>` | `</h3>`; also `</h3\s*>` |
//! | `"Posted by"` | `Posted by`, punctuation escaped |
//! | `<!--ad-->` | `<!--ad-->` |
//! | `*` | `[\s\S]*?`; also `.*?`, `.*`, `[\s\S]*` |
//!
//! White space, `\s*` and `\s+` between tokens mean nothing.

/// One token of a rule.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    Start {
        name: String,
        attributes: Vec<(String, Option<String>)>,
    },
    End(String),
    Text(String),
    Comment(String),
    /// Any number of tokens.
    Skip,
}

/// The tokens of a regular expression, and the attribute whose value begins where it ends: `<a[^>]*\shref="`.
pub(super) fn from_regex(regex: &str) -> Result<(Vec<Token>, Option<String>), String> {
    let mut reader = Reader { rest: regex.trim(), tokens: Vec::new(), text: String::new() };
    while !reader.rest.is_empty() {
        if let Some(attribute) = reader.token()? {
            return Ok((reader.tokens, Some(attribute)));
        }
    }
    reader.end_text();
    Ok((reader.tokens, None))
}

struct Reader<'a> {
    rest: &'a str,
    tokens: Vec<Token>,
    text: String,
}

/// Ways to say "anything", longest first.
const ANYTHING: [&str; 4] = ["[\\s\\S]*?", "[\\s\\S]*", ".*?", ".*"];

/// Characters with a meaning of their own.
const SPECIAL: &str = "()[]{}|+?^$.*";

impl Reader<'_> {
    fn eat(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// White space, in any way.
    fn blank(&mut self) -> bool {
        let before = self.rest.len();
        loop {
            self.rest = self.rest.trim_start();
            if !(self.eat("\\s*") || self.eat("\\s+") || self.eat("\\s")) {
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

    fn token(&mut self) -> Result<Option<String>, String> {
        if self.blank() {
            self.text.push(' ');
            return Ok(None);
        }
        if ANYTHING.into_iter().any(|anything| self.eat(anything)) {
            self.end_text();
            if self.tokens.last() != Some(&Token::Skip) {
                self.tokens.push(Token::Skip);
            }
            return Ok(None);
        }
        if self.eat("<!--") {
            self.end_text();
            let end = self.rest.find("-->").ok_or("a comment is not closed")?;
            let comment = literal(&self.rest[..end])?;
            self.rest = &self.rest[end + 3..];
            self.tokens.push(Token::Comment(comment.trim().to_owned()));
            return Ok(None);
        }
        if self.eat("</") || self.eat("<\\/") {
            self.end_text();
            let name = self.name()?;
            while self.blank() || self.eat("[^>]*") {}
            if !self.eat(">") {
                return Err(format!("the end tag of `{name}` is not closed"));
            }
            self.tokens.push(Token::End(name));
            return Ok(None);
        }
        if self.eat("<") {
            self.end_text();
            return self.start_tag();
        }
        let char = self.character()?;
        self.text.push(char);
        Ok(None)
    }

    /// The rest of a start tag; the attribute in whose value the expression ends, if it does.
    fn start_tag(&mut self) -> Result<Option<String>, String> {
        let name = self.name()?;
        let mut attributes = Vec::new();
        loop {
            while self.blank() || self.eat("[^>]*?") || self.eat("[^>]*") || self.eat(".*?") {}
            if self.eat(">") || self.eat("/>") {
                self.tokens.push(Token::Start { name, attributes });
                return Ok(None);
            }
            if self.rest.is_empty() {
                return Err(format!("the tag `{name}` is not closed"));
            }
            let attribute = self.name()?;
            self.blank();
            if !self.eat("=") {
                attributes.push((attribute, None));
                continue;
            }
            self.blank();
            let Some(quote) = self.rest.chars().next().filter(|char| matches!(char, '"' | '\'')) else {
                return Err(format!("the value of `{attribute}` stands in quotes"));
            };
            self.rest = &self.rest[1..];
            if self.rest.is_empty() {
                attributes.push((attribute.clone(), None));
                self.tokens.push(Token::Start { name, attributes });
                return Ok(Some(attribute));
            }
            let mut value = String::new();
            while !self.rest.starts_with(quote) {
                if self.rest.is_empty() {
                    return Err(format!("the value of `{attribute}` is not closed"));
                }
                if self.eat("[^\"]*") || self.eat("[^']*") {
                    value.clear();
                    if !self.rest.starts_with(quote) {
                        return Err(format!("the value of `{attribute}` is partly open"));
                    }
                    attributes.push((attribute.clone(), None));
                    break;
                }
                value.push(self.character()?);
            }
            self.rest = &self.rest[1..];
            if attributes.last().is_none_or(|(last, value)| *last != attribute || value.is_some()) {
                attributes.push((attribute, Some(value)));
            }
        }
    }

    fn name(&mut self) -> Result<String, String> {
        let length = self.rest.find(|char: char| !is_name_char(char)).unwrap_or(self.rest.len());
        let name = &self.rest[..length];
        if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
            let found: String = self.rest.chars().take(8).collect();
            return Err(format!("a name stands at `{found}`"));
        }
        self.rest = &self.rest[length..];
        Ok(name.to_ascii_lowercase())
    }

    /// One character that stands for itself.
    fn character(&mut self) -> Result<char, String> {
        let mut chars = self.rest.chars();
        let char = match chars.next() {
            Some('\\') => match chars.next() {
                // One white space is as good as another, and XML has its own mind about carriage returns.
                Some(escaped) if escaped.is_whitespace() => ' ',
                Some(escaped) if !escaped.is_ascii_alphanumeric() => escaped,
                Some(class) => return Err(format!("`\\{class}` is beyond tokens")),
                None => return Err("it ends with a backslash".to_owned()),
            },
            Some(special) if SPECIAL.contains(special) => return Err(format!("`{special}` is beyond tokens")),
            Some(char) => char,
            None => return Err("it ends too early".to_owned()),
        };
        self.rest = chars.as_str();
        Ok(char)
    }
}

fn literal(text: &str) -> Result<String, String> {
    let mut reader = Reader { rest: text, tokens: Vec::new(), text: String::new() };
    let mut plain = String::new();
    while !reader.rest.is_empty() {
        plain.push(reader.character()?);
    }
    Ok(plain)
}

fn is_name_char(char: char) -> bool {
    char.is_ascii_alphanumeric() || matches!(char, '-' | '_' | ':')
}

/// The same as a regular expression; `open` leaves out the end of the last tag, behind the quote of that attribute.
/// None if there is no idiom for it.
pub(super) fn to_regex(tokens: &[Token], open: Option<&str>) -> Option<String> {
    let mut regex = String::new();
    for (index, token) in tokens.iter().enumerate() {
        // Blanks part no tokens on a page.
        if index > 0 && *token != Token::Skip && tokens[index - 1] != Token::Skip {
            regex.push_str("\\s*");
        }
        let last = index + 1 == tokens.len();
        match token {
            Token::Start { name, attributes } if is_name(name) => {
                regex.push('<');
                regex.push_str(name);
                for (attribute, value) in attributes {
                    if !is_name(attribute) {
                        return None;
                    }
                    regex.push_str("[^>]*\\s");
                    regex.push_str(attribute);
                    if last && open == Some(attribute) {
                        regex.push_str("=\"");
                        return (attributes.len() == 1 && value.is_none()).then_some(regex);
                    }
                    if let Some(value) = value {
                        let quote = if value.contains('"') { '\'' } else { '"' };
                        if value.contains(quote) {
                            return None;
                        }
                        regex.push('=');
                        regex.push(quote);
                        regex.push_str(&escape(value));
                        regex.push(quote);
                    }
                }
                regex.push_str("[^>]*>");
            }
            Token::End(name) if is_name(name) => {
                regex.push_str("</");
                regex.push_str(name);
                regex.push('>');
            }
            // Two texts in a row would be read as one.
            Token::Text(text) if index == 0 || !matches!(tokens[index - 1], Token::Text(_)) => {
                regex.push_str(&escape(text))
            }
            Token::Comment(text) if !text.contains("--") => {
                regex.push_str("<!--");
                regex.push_str(&escape(text));
                regex.push_str("-->");
            }
            Token::Skip => regex.push_str("[\\s\\S]*?"),
            _ => return None,
        }
    }
    open.is_none().then_some(regex)
}

fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic()) && name.chars().all(is_name_char)
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        // `<` would begin a tag.
        if SPECIAL.contains(char) || matches!(char, '\\' | '<') {
            escaped.push('\\');
        }
        escaped.push(char);
    }
    escaped
}

/// The token rule that these are. None if a text has both kinds of quotes.
pub(super) fn to_rule(tokens: &[Token]) -> Option<String> {
    let quoted = |text: &str| match (text.contains('"'), text.contains('\'')) {
        (false, _) => Some(format!("\"{text}\"")),
        (true, false) => Some(format!("'{text}'")),
        (true, true) => None,
    };
    let mut words = Vec::new();
    for token in tokens {
        words.push(match token {
            Token::Start { name, attributes } => {
                let mut tag = format!("<{name}");
                for (attribute, value) in attributes {
                    tag.push(' ');
                    tag.push_str(attribute);
                    if let Some(value) = value {
                        tag.push('=');
                        tag.push_str(&quoted(value)?);
                    }
                }
                tag + ">"
            }
            Token::End(name) => format!("</{name}>"),
            Token::Text(text) => quoted(text)?,
            Token::Comment(text) => format!("<!--{text}-->"),
            Token::Skip => "*".to_owned(),
        });
    }
    Some(words.join(" "))
}

/// The tokens of a token rule. None if it is not one, or names no tag by `<*>`, for which there is no idiom.
pub(super) fn from_rule(rule: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = rule.trim_start();
    while let Some(first) = rest.chars().next() {
        if first == '*' {
            tokens.push(Token::Skip);
            rest = &rest[1..];
        } else if matches!(first, '"' | '\'') {
            let length = rest[1..].find(first)?;
            tokens.push(Token::Text(rest[1..1 + length].trim().to_owned()));
            rest = &rest[length + 2..];
        } else if let Some(inside) = rest.strip_prefix("<!--") {
            let length = inside.find("-->")?;
            tokens.push(Token::Comment(inside[..length].trim().to_owned()));
            rest = &inside[length + 3..];
        } else if let Some(inside) = rest.strip_prefix("</") {
            let length = inside.find('>')?;
            tokens.push(Token::End(inside[..length].trim().to_ascii_lowercase()));
            rest = &inside[length + 1..];
        } else {
            let (token, behind) = start_tag(rest.strip_prefix('<')?)?;
            tokens.push(token);
            rest = behind;
        }
        rest = rest.trim_start();
    }
    Some(tokens)
}

fn start_tag(inside: &str) -> Option<(Token, &str)> {
    let stop = |char: char| char.is_whitespace() || matches!(char, '>' | '=' | '"' | '\'');
    let length = inside.find(stop)?;
    let name = inside[..length].to_ascii_lowercase();
    let mut attributes = Vec::new();
    let mut rest = inside[length..].trim_start();
    while !rest.starts_with('>') {
        let length = rest.find(stop)?;
        if length == 0 {
            return None;
        }
        let attribute = rest[..length].to_ascii_lowercase();
        rest = rest[length..].trim_start();
        let mut value = None;
        if let Some(behind) = rest.strip_prefix('=') {
            let behind = behind.trim_start();
            let quote = behind.chars().next()?;
            let (text, after) = match quote {
                '"' | '\'' => {
                    let length = behind[1..].find(quote)?;
                    (&behind[1..1 + length], &behind[length + 2..])
                }
                _ => behind.split_at(behind.find(|char: char| char.is_whitespace() || char == '>')?),
            };
            value = Some(text.to_owned());
            rest = after.trim_start();
        }
        attributes.push((attribute, value));
    }
    Some((Token::Start { name, attributes }, &rest[1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(regex: &str) -> String {
        from_regex(regex).map_or_else(|message| message, |(tokens, _)| to_rule(&tokens).unwrap())
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
        assert_eq!(from_regex(r#"<h3><a[^>]*\shref=""#).unwrap().1.as_deref(), Some("href"));
    }

    #[test]
    fn what_is_beyond_tokens_is_said() {
        for (regex, message) in [
            ("(a|b)", "`(` is beyond tokens"),
            (r"\d+", r"`\d` is beyond tokens"),
            ("a.b", "`.` is beyond tokens"),
            ("<h3", "the tag `h3` is not closed"),
            ("</h3", "the end tag of `h3` is not closed"),
            ("<(h1|h2)>", "a name stands at `(h1|h2)>`"),
            ("<a href=x>", "the value of `href` stands in quotes"),
            ("<a href=\"x", "the value of `href` is not closed"),
            ("<!-- x", "a comment is not closed"),
            ("x\\", "it ends with a backslash"),
        ] {
            assert_eq!(rule(regex), message, "{regex}");
        }
    }

    #[test]
    fn both_ways_round() {
        for text in [
            "<h3>",
            "<h3 class=\"t (1)\" id> <a>",
            "</div> * <p> \"Posted by (me)\"",
            "<!--post 1--> \"a < b\" </p>",
            "<img alt='say \"x\"'> * \"it's\"",
        ] {
            let tokens = from_rule(text).unwrap();
            assert_eq!(to_rule(&tokens).as_deref(), Some(text));
            let regex = to_regex(&tokens, None).unwrap();
            assert_eq!(from_regex(&regex), Ok((tokens, None)), "{regex}");
        }
        assert_eq!(
            from_rule("<b><I  X=1>*'y'").and_then(|tokens| to_rule(&tokens)).as_deref(),
            Some("<b> <i x=\"1\"> * \"y\"")
        );
        assert_eq!(to_regex(&from_rule("<*>").unwrap(), None), None);
        assert_eq!(to_regex(&from_rule("'a' 'b'").unwrap(), None), None);
    }
}
