//! Writes data as JSON, directly into the output: numbers keep all their digits, keys the order of the rules.

use windrow_wrapper::Shape;

use super::{Data, Record};

/// A JSON text being written.
#[derive(Debug)]
pub struct Json {
    out: String,
    /// Indentation of the lines; `None` for a single line.
    indent: Option<usize>,
    /// `true` to leave labels without a value out of records.
    sparse: bool,
}

impl Json {
    /// Creates a writer for a single line.
    pub fn line() -> Json {
        Json { out: String::new(), indent: None, sparse: false }
    }

    /// Creates a writer for several lines; the first one is already indented this deep.
    pub fn pretty(indent: usize) -> Json {
        Json { out: String::new(), indent: Some(indent), sparse: false }
    }

    /// Leaves labels without a value out of records.
    pub fn sparse(self) -> Json {
        Json { sparse: true, ..self }
    }

    /// Returns the text written.
    pub fn finish(self) -> String {
        self.out
    }

    /// Writes an object; `write` calls [`Json::key`] before each value.
    pub fn object(&mut self, write: impl FnOnce(&mut Json)) {
        self.nested('{', '}', write);
    }

    /// Writes an array; `write` calls [`Json::element`] before each value.
    pub fn array(&mut self, write: impl FnOnce(&mut Json)) {
        self.nested('[', ']', write);
    }

    fn nested(&mut self, open: char, close: char, write: impl FnOnce(&mut Json)) {
        self.out.push(open);
        let begin = self.out.len();
        self.indent = self.indent.map(|indent| indent + 1);
        write(self);
        self.indent = self.indent.map(|indent| indent - 1);
        if self.out.len() > begin {
            self.new_line();
        }
        self.out.push(close);
    }

    /// Begins an element of an array.
    pub fn element(&mut self) {
        if !self.out.ends_with(['{', '[']) {
            self.out.push(',');
        }
        self.new_line();
    }

    /// Begins a value of an object.
    pub fn key(&mut self, key: &str) {
        self.element();
        self.text(key);
        self.out.push_str(if self.indent.is_some() { ": " } else { ":" });
    }

    fn new_line(&mut self) {
        if let Some(indent) = self.indent {
            self.out.push('\n');
            (0..indent).for_each(|_| self.out.push_str("  "));
        }
    }

    /// Writes a string.
    pub fn text(&mut self, text: &str) {
        self.out.push('"');
        let mut done = 0;
        for (at, byte) in text.bytes().enumerate() {
            if byte >= 0x20 && byte != b'"' && byte != b'\\' {
                continue;
            }
            self.out.push_str(&text[done..at]);
            done = at + 1;
            match byte {
                b'"' => self.out.push_str("\\\""),
                b'\\' => self.out.push_str("\\\\"),
                b'\n' => self.out.push_str("\\n"),
                b'\r' => self.out.push_str("\\r"),
                b'\t' => self.out.push_str("\\t"),
                other => self.out.push_str(&format!("\\u{other:04x}")),
            }
        }
        self.out.push_str(&text[done..]);
        self.out.push('"');
    }

    /// Writes a number, a boolean or null unchanged.
    pub fn literal(&mut self, literal: &str) {
        self.out.push_str(literal);
    }

    /// Writes a page's own record with the wrapper's labels only, so that every list in it is a list of the wrapper.
    pub fn top(&mut self, shapes: &[Shape], record: &Record<'_>) {
        self.object(|json| json.values(shapes, record, false));
    }

    fn values(&mut self, shapes: &[Shape], record: &Record<'_>, sparse: bool) {
        for (shape, value) in shapes.iter().zip(&record.values).filter(|(_, value)| !(sparse && value.is_absent())) {
            self.key(&shape.label);
            self.data(shape, value);
        }
        for (label, value) in &record.columns {
            self.key(label);
            self.atom(value);
        }
    }

    /// Writes the labels of the values that a record lacks, if there are any.
    fn missing(&mut self, record: &Record<'_>) {
        if !record.missing.is_empty() {
            self.key("_missing");
            self.array(|json| {
                for label in &record.missing {
                    json.element();
                    json.text(label);
                }
            });
        }
    }

    fn record(&mut self, shapes: &[Shape], record: &Record<'_>) {
        self.object(|json| {
            json.values(shapes, record, json.sparse);
            json.missing(record);
        });
    }

    fn data(&mut self, shape: &Shape, data: &Data<'_>) {
        match data {
            Data::Record(record) => self.record(&shape.children, record),
            Data::List(list) => self.array(|json| {
                for value in list {
                    json.element();
                    json.data(shape, value);
                }
            }),
            atom => self.atom(atom),
        }
    }

    /// Writes an atomic value.
    pub fn atom(&mut self, data: &Data<'_>) {
        match data {
            Data::Text(text) | Data::Untyped(text) => self.text(text),
            Data::Number(digits) => self.out.push_str(digits),
            Data::Money { amount, currency } => self.object(|json| {
                json.key("amount");
                json.out.push_str(amount);
                json.key("currency");
                match currency {
                    Some(currency) => json.text(currency),
                    None => json.out.push_str("null"),
                }
            }),
            Data::Absent | Data::Null | Data::List(_) | Data::Record(_) => self.out.push_str("null"),
        }
    }
}

/// Writes a page's data with its name.
pub fn page(json: Json, name: &str, shapes: &[Shape], record: &Record<'_>) -> String {
    page_with(json, name, shapes, record, |_| ())
}

/// Writes a page's data with its name; `more` writes further keys behind them.
pub fn page_with(
    mut json: Json,
    name: &str,
    shapes: &[Shape],
    record: &Record<'_>,
    more: impl FnOnce(&mut Json),
) -> String {
    json.object(|json| {
        json.key("page");
        json.text(name);
        json.key("data");
        json.top(shapes, record);
        json.missing(record);
        more(json);
    });
    json.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_escaped_as_json_wants_it() {
        for text in ["", "a", "\"", "\\", "a\nb\tc\r", "\u{1}\u{1f} \u{7f}", "Grüße \u{2028} 😀", "{[", "x\\\"y"] {
            let mut json = Json::line();
            json.text(text);
            assert_eq!(serde_json::from_str::<String>(&json.finish()).unwrap(), text);
        }
    }

    #[test]
    fn both_layouts_say_the_same() {
        let write = |mut json: Json| {
            json.object(|json| {
                json.key("empty");
                json.array(|_| {});
                // A value that ends like the beginning of a list must not suppress the comma.
                json.key("text");
                json.text("{[");
                json.key("list");
                json.array(|json| {
                    for number in ["1", "0.50", "123456789012345678901234567890.5"] {
                        json.element();
                        json.atom(&Data::Number(number.to_owned()));
                    }
                });
            });
            json.finish()
        };
        let (line, pretty) = (write(Json::line()), write(Json::pretty(0)));
        assert_eq!(line, r#"{"empty":[],"text":"{[","list":[1,0.50,123456789012345678901234567890.5]}"#);
        let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(value(&line), value(&pretty));
        assert!(pretty.starts_with("{\n  \"empty\": [],\n  \"text\": \"{[\",\n  \"list\": [\n    1,\n"), "{pretty}");
        assert!(pretty.ends_with(".5\n  ]\n}"), "{pretty}");
    }
}
