//! Rewriting of style sheets, so that their addresses lead to the studio.
//!
//! A style sheet is scanned by the tokens of CSS: comments, strings, escapes and `url(…)` are recognized, so that an
//! address is found in any notation, and everything else is copied. Addresses that cannot be loaded become
//! `about:invalid`. The view's policy already prevents other loads; rewriting is what makes the styles work.
//!
//! Linear in the style sheet.

use super::Links;

/// Returns a style sheet with its addresses rewritten.
pub(crate) fn rewrite(css: &str, links: &Links) -> String {
    let mut scan = Scan { css, at: 0, copied: 0, links, out: String::with_capacity(css.len()) };
    scan.all();
    let out = scan.out;
    // A tag in a style sheet is harmless to a browser that parses it as CSS, but not if it is parsed as markup.
    if out.contains('<') { out.replace("</", "<\\/").replace("<!", "\\3c !").replace('<', "\\3c ") } else { out }
}

struct Scan<'c> {
    css: &'c str,
    /// Current position.
    at: usize,
    /// Position up to which the input was copied.
    copied: usize,
    links: &'c Links,
    out: String,
}

impl Scan<'_> {
    fn all(&mut self) {
        let bytes = self.css.as_bytes();
        // Open functions, innermost last; true if strings in them are addresses.
        let mut open: Vec<bool> = Vec::new();
        let mut import = false;
        while self.at < bytes.len() {
            match bytes[self.at] {
                b'/' if bytes.get(self.at + 1) == Some(&b'*') => {
                    let end = self.css[self.at + 2..].find("*/");
                    self.at = end.map_or(bytes.len(), |end| self.at + 2 + end + 2);
                }
                quote @ (b'"' | b'\'') => {
                    let (begin, text) = (self.at, self.string(quote));
                    if import || open.last() == Some(&true) {
                        self.replace(begin, &text, "\"", "\"");
                    }
                    import = false;
                }
                b'(' => {
                    open.push(false);
                    self.at += 1;
                }
                b')' => {
                    open.pop();
                    self.at += 1;
                }
                b';' | b'{' | b'}' => {
                    import = false;
                    // A block ends all open functions.
                    open.clear();
                    self.at += 1;
                }
                b'@' => {
                    self.at += 1;
                    import = self.name().eq_ignore_ascii_case("import");
                }
                byte if is_name(byte) => {
                    let begin = self.at;
                    let name = self.name().to_ascii_lowercase();
                    if bytes.get(self.at) == Some(&b'(') {
                        self.at += 1;
                        match name.as_str() {
                            "url" | "src" => {
                                self.address(begin);
                                import = false;
                            }
                            "image-set" | "-webkit-image-set" | "image" => open.push(true),
                            _ => open.push(false),
                        }
                    }
                }
                _ => self.at += self.css[self.at..].chars().next().map_or(1, char::len_utf8),
            }
        }
        self.out.push_str(&self.css[self.copied..]);
    }

    /// Reads the address in `url(`, whose name began at `begin`.
    fn address(&mut self, begin: usize) {
        let bytes = self.css.as_bytes();
        while bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        let text = match bytes.get(self.at) {
            Some(&quote @ (b'"' | b'\'')) => self.string(quote),
            _ => {
                let from = self.at;
                let mut text = String::new();
                while let Some(&byte) = bytes.get(self.at) {
                    match byte {
                        b')' => break,
                        b'\\' => text.extend(self.escape()),
                        _ => {
                            let letter = self.css[self.at..].chars().next().unwrap_or_default();
                            text.push(letter);
                            self.at += letter.len_utf8();
                        }
                    }
                }
                debug_assert!(self.at >= from);
                text.trim().to_owned()
            }
        };
        // Skips to the bracket: anything else makes the address invalid anyway.
        while self.at < bytes.len() && bytes[self.at] != b')' {
            self.at += self.css[self.at..].chars().next().map_or(1, char::len_utf8);
        }
        self.at = (self.at + 1).min(bytes.len());
        self.replace(begin, &text, "url(\"", "\")");
    }

    /// Replaces the text between `begin` and the current position by an address.
    fn replace(&mut self, begin: usize, address: &str, before: &str, behind: &str) {
        self.out.push_str(&self.css[self.copied..begin]);
        self.out.push_str(before);
        match address.starts_with('#') {
            // A fragment refers to a part of an SVG image in the page.
            true => quote(address, &mut self.out),
            false => match self.links.asset(address) {
                Some(asset) => quote(&asset, &mut self.out),
                None => self.out.push_str("about:invalid"),
            },
        }
        self.out.push_str(behind);
        self.copied = self.at;
    }

    /// Reads a quoted string and resolves its escapes; it ends at the end of the line, as in CSS.
    fn string(&mut self, quote: u8) -> String {
        let bytes = self.css.as_bytes();
        self.at += 1;
        let mut text = String::new();
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b'\n' => break,
                b'\\' => text.extend(self.escape()),
                byte if byte == quote => {
                    self.at += 1;
                    break;
                }
                _ => {
                    let letter = self.css[self.at..].chars().next().unwrap_or_default();
                    text.push(letter);
                    self.at += letter.len_utf8();
                }
            }
        }
        text
    }

    /// Reads a name and resolves its escapes.
    fn name(&mut self) -> String {
        let bytes = self.css.as_bytes();
        let mut name = String::new();
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b'\\' => name.extend(self.escape()),
                byte if is_name(byte) => {
                    let letter = self.css[self.at..].chars().next().unwrap_or_default();
                    name.push(letter);
                    self.at += letter.len_utf8();
                }
                _ => break,
            }
        }
        name
    }

    /// Reads an escape sequence; `None` for a line continuation.
    fn escape(&mut self) -> Option<char> {
        let bytes = self.css.as_bytes();
        self.at += 1;
        let digits = bytes[self.at..].iter().take(6).take_while(|byte| byte.is_ascii_hexdigit()).count();
        if digits > 0 {
            let code = u32::from_str_radix(&self.css[self.at..self.at + digits], 16).unwrap_or_default();
            self.at += digits;
            if bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
                self.at += 1;
            }
            return Some(char::from_u32(code).filter(|letter| *letter != '\0').unwrap_or('\u{FFFD}'));
        }
        let letter = self.css[self.at..].chars().next()?;
        self.at += letter.len_utf8();
        (letter != '\n').then_some(letter)
    }
}

/// Reports whether a byte may be part of a name, or begin an escape in one.
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'\\') || byte >= 0x80
}

/// Writes an address with escapes for quotes.
fn quote(address: &str, out: &mut String) {
    for letter in address.chars() {
        match letter {
            '"' | '\\' => {
                out.push('\\');
                out.push(letter);
            }
            letter if letter.is_control() => {}
            letter => out.push(letter),
        }
    }
}
