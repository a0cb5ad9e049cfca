//! What a value looks like: digits, signs and words in their order, as a regular expression that values of the same field
//! on other pages match as well.
//!
//! Only values with digits have a shape that tells them from their neighbours: amounts, dates, telephone numbers,
//! measures. A name looks like any other text.

use crate::reading::is_edge;

/// What a value looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shape {
    /// A regular expression without anchors, for texts in one line.
    pub(crate) pattern: String,
}

impl Shape {
    /// The expression for a text that begins with such a value.
    pub(crate) fn at_start(&self) -> String {
        format!("^({})(?: |$)", self.pattern)
    }
}

/// Parts that a shape may have.
const MOST: usize = 10;

/// The shape of a value, if it has one that says something. Besides digits there may be one word: a month, a unit.
pub(crate) fn of(value: &str) -> Option<Shape> {
    let digits = value.chars().filter(char::is_ascii_digit).count();
    let letters = value.chars().filter(|c| c.is_alphabetic()).count();
    if digits == 0 || value.chars().count() > 40 {
        return None;
    }
    if letters == 0 {
        return numeric(value, digits);
    }
    let mut pattern = String::new();
    let mut parts = 0;
    let mut words = 0;
    let mut rest = value;
    while let Some(c) = rest.chars().next() {
        parts += 1;
        let same = |test: &dyn Fn(char) -> bool| rest.find(|c| !test(c)).unwrap_or(rest.len());
        let length = if c.is_ascii_digit() {
            // `1,299.00` is one number.
            let length = same(&|c| c.is_ascii_digit() || c == ',' || c == '.');
            let length = rest[..length].trim_end_matches([',', '.']).len();
            pattern.push_str(if rest[..length].contains([',', '.']) { "[0-9][0-9.,]*" } else { "[0-9]+" });
            length
        } else if c.is_alphabetic() {
            words += 1;
            // Whatever is no digit, space or sign: the classes of Unicode make expressions large.
            pattern.push_str("[^0-9 .,:;/|()-]+");
            same(&char::is_alphabetic)
        } else if c.is_whitespace() {
            pattern.push_str(" ?");
            same(&char::is_whitespace)
        } else {
            pattern.push_str(&regex::escape(c.encode_utf8(&mut [0; 4])));
            c.len_utf8()
        };
        rest = &rest[length..];
    }
    (parts <= MOST && words <= 1).then_some(Shape { pattern })
}

/// The shape of a value without letters: how long it is, and of which signs.
fn numeric(value: &str, digits: usize) -> Option<Shape> {
    let first = value.find(|c: char| c.is_ascii_digit())?;
    let last = value.rfind(|c: char| c.is_ascii_digit())? + 1;
    let (front, body, behind) = (&value[..first], &value[first..last], &value[last..]);
    let sign = |text: &str| {
        let signs = text.split_whitespace().map(regex::escape).collect::<Vec<_>>().join(" ?");
        match (text.starts_with(char::is_whitespace), text.ends_with(char::is_whitespace)) {
            _ if signs.is_empty() => signs,
            (true, _) => format!(" ?{signs}"),
            (_, true) => format!("{signs} ?"),
            _ => signs,
        }
    };
    let mut signs: Vec<char> = body.chars().filter(|c| !c.is_ascii_digit()).collect();
    signs.sort_unstable();
    signs.dedup();
    if signs.len() > 5 {
        return None;
    }
    // An amount may be of any length; where figures are grouped with a point or a comma, both may come.
    if signs.iter().all(|c| matches!(c, ',' | '.')) && (!front.trim().is_empty() || !signs.is_empty()) {
        return Some(Shape { pattern: format!("{}[0-9][0-9.,]*{}", sign(front), sign(behind)) });
    }
    let length = body.chars().count();
    let body = match (signs.is_empty(), digits) {
        (true, 7..) => format!("[0-9]{{{},{}}}", length - 2, length + 2),
        (true, _) => format!("[0-9]{{{},{}}}", (length - 1).max(1), length + 1),
        // A telephone number: its length says more than where its signs are.
        (_, 7..) if !body.contains('/') => {
            let class: String = signs.iter().map(|&c| regex::escape(c.encode_utf8(&mut [0; 4]))).collect();
            format!("[0-9][0-9{class}]{{{},{}}}[0-9]", length - 4, length)
        }
        _ => grouped(body),
    };
    // `(212) 227-6353 |`: without the signs at the edges it is still one.
    let edge = |text: &str| match text.trim() {
        "" => String::new(),
        signs if signs.chars().all(is_edge) => format!("(?:{})?", sign(text)),
        _ => sign(text),
    };
    Some(Shape { pattern: format!("{}{body}{}", edge(front), edge(behind)) })
}

/// Numbers with the signs between them.
fn grouped(text: &str) -> String {
    let mut pattern = String::new();
    let mut number = false;
    for c in text.chars() {
        match c {
            '0'..='9' if number => {}
            '0'..='9' => pattern.push_str("[0-9]+"),
            ' ' => pattern.push_str(" ?"),
            _ => pattern.push_str(&regex::escape(c.encode_utf8(&mut [0; 4]))),
        }
        number = c.is_ascii_digit();
    }
    pattern
}

#[cfg(test)]
mod tests {
    use regex::Regex;

    fn alike(value: &str, others: &[&str], different: &[&str]) {
        let shape = super::of(value).unwrap_or_else(|| panic!("{value} has no shape"));
        let regex = Regex::new(&format!("^(?:{})$", shape.pattern)).unwrap();
        for other in others.iter().chain([&value]) {
            assert!(regex.is_match(other), "{value} as {}: {other}", shape.pattern);
        }
        for other in different {
            assert!(!regex.is_match(other), "{value} as {}: {other}", shape.pattern);
        }
    }

    #[test]
    fn shapes() {
        alike("$129.00", &["$1,299.95", "$5"], &["129", "$", "129.00 €"]);
        alike("$ 15,900", &["$ 9,000", "$120,000"], &["15,900"]);
        alike("9780805087444", &["9780307474711"], &["0805087443", "2008"]);
        alike("(325) 674-2000", &["(800) 460-6228"], &["79699-9100", "325"]);
        alike("410-825-0420", &["410-825-0421"], &["21286"]);
        alike("6-2", &["6-11", "7-0"], &["62", "6-2-1990"]);
        alike("11/7/2010", &["1/17/2010"], &["2010", "11-7-2010"]);
        alike("195", &["85", "205"], &["2008 kg", "1"]);
        alike("205 lbs.", &["85 lbs."], &["205", "6-5"]);
        alike("November 28, 2010", &["May 1, 2009"], &["28/11/2010"]);
        alike("6' 2\"", &["6' 11\"", "7' 0\""], &["6-2"]);
    }

    #[test]
    fn names_have_none() {
        assert_eq!(super::of("Atom Egoyan"), None);
        assert_eq!(super::of("901 Goucher Blvd."), None);
    }
}
