//! What a value looks like: digits, signs and words in their order, as a regular expression that values of the same field
//! on other pages match as well.
//!
//! Only values with digits have a shape that tells them from their neighbours: amounts, dates, telephone numbers,
//! measures. A name looks like any other text.
//!
//! A shape is matched here without its regular expression: compiling one costs more than all the texts it is tried on
//! while learning.

use crate::reading::is_edge;

/// What a value looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shape {
    pieces: Vec<Piece>,
}

/// A piece of a shape; each stands for a regular expression of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    /// `[0-9]+`, or with bounds.
    Digits(usize, usize),
    /// `[0-9][0-9.,]*`
    Number,
    /// Digits and these signs, so many characters, a digit at both ends: a telephone number.
    Key(String, usize, usize),
    /// Whatever is no digit, space or sign: the classes of Unicode make expressions large.
    Word,
    /// ` ?`
    Space,
    /// A character as it is.
    Sign(char),
    /// Signs that may be missing.
    Edge(String),
}

/// Pieces that a shape may have.
const MOST: usize = 12;
/// What ends a word.
const SIGNS: &str = " .,:;/|()-";

impl Shape {
    /// The regular expression for a text that begins with such a value.
    pub(crate) fn at_start(&self) -> String {
        format!("^{}(?: |$)", self.pattern())
    }

    /// The regular expression for such a value, as a group.
    pub(crate) fn pattern(&self) -> String {
        let pieces: String = self.pieces.iter().map(Piece::pattern).collect();
        match self.more() {
            More::Smaller => format!("({pieces}(?:{NEXT}{pieces})*)"),
            More::Range => format!("({pieces}(?:{RANGE})?)"),
            More::Nothing => format!("({pieces})"),
        }
    }

    /// What may stand behind such a value and belongs to it.
    fn more(&self) -> More {
        let number = |piece: &Piece| matches!(piece, Piece::Digits(..) | Piece::Number);
        let spaces = |pieces: &[Piece]| pieces.iter().all(|piece| *piece == Piece::Space);
        match &self.pieces[..] {
            [first, rest @ .., Piece::Word] | [first, rest @ .., Piece::Word, Piece::Sign('.')]
                if number(first) && spaces(rest) =>
            {
                More::Smaller
            }
            [only] if number(only) => More::Range,
            [Piece::Sign(_), rest @ .., last] if number(last) && spaces(rest) => More::Range,
            _ => More::Nothing,
        }
    }

    /// The value that a text begins with, as that expression finds it.
    pub(crate) fn find<'t>(&self, text: &'t str) -> Option<&'t str> {
        let mut tries = 1000;
        let is_end = |rest: &&str| rest.is_empty() || rest.starts_with(' ');
        let rest = match self.more() {
            More::Smaller => {
                // Each of its pieces ends where another begins: there is one way to read it.
                let amount =
                    |text| self.pieces.iter().try_fold(text, |text: &str, piece| text.get(piece.reach(text)?.0..));
                let next = |rest: &&'t str| next(rest).and_then(amount);
                std::iter::successors(amount(text), next).filter(is_end).last()?
            }
            More::Range => match self.range(text).filter(is_end) {
                Some(rest) => rest,
                None => ends(&self.pieces, text, &mut tries)?,
            },
            More::Nothing => ends(&self.pieces, text, &mut tries)?,
        };
        Some(&text[..text.len() - rest.len()])
    }

    /// What is left of a text behind a range of such values.
    fn range<'t>(&self, text: &'t str) -> Option<&'t str> {
        let first = self.pieces.iter().try_fold(text, |text: &str, piece| text.get(piece.reach(text)?.0..))?;
        let second = first.strip_prefix(' ').unwrap_or(first).strip_prefix(['-', '–', '—'])?;
        let second = second.strip_prefix(' ').unwrap_or(second);
        let sign = second.find(|c: char| c.is_ascii_alphanumeric() || c == ' ')?;
        let second = second.get(sign..).filter(|_| second[..sign].chars().count() <= 2)?;
        let second = second.strip_prefix(' ').unwrap_or(second);
        second.get(Piece::Number.reach(second)?.0..)
    }
}

/// What may stand behind a value and belongs to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum More {
    Nothing,
    /// An amount in a smaller unit: `2 hours 20 minutes`.
    Smaller,
    /// The other end of a range: `$40 – $60`.
    Range,
}

impl Piece {
    fn pattern(&self) -> String {
        match self {
            Piece::Digits(1, usize::MAX) => "[0-9]+".to_owned(),
            Piece::Digits(least, most) => format!("[0-9]{{{least},{most}}}"),
            Piece::Number => "[0-9][0-9.,]*".to_owned(),
            Piece::Key(signs, least, most) => {
                let class: String = signs.chars().map(escaped).collect();
                format!("[0-9][0-9{class}]{{{},{}}}[0-9]", least - 2, most - 2)
            }
            Piece::Word => format!("[^0-9{SIGNS}]+"),
            Piece::Space => " ?".to_owned(),
            Piece::Sign(sign) => escaped(*sign),
            Piece::Edge(signs) => {
                let signs: String =
                    signs.chars().map(|c| if c == ' ' { " ?".to_owned() } else { escaped(c) }).collect();
                format!("(?:{signs})?")
            }
        }
    }

    /// How much of a text it can be, in bytes, the most first: the greatest, and the least.
    fn reach(&self, text: &str) -> Option<(usize, usize)> {
        let run = |most: usize, test: &dyn Fn(char) -> bool| {
            text.char_indices()
                .take(most)
                .find(|(_, c)| !test(*c))
                .map_or_else(|| text.char_indices().nth(most).map_or(text.len(), |(at, _)| at), |(at, _)| at)
        };
        match self {
            Piece::Digits(least, most) => {
                let length = run(*most, &|c| c.is_ascii_digit());
                (length >= *least).then_some((length, *least))
            }
            Piece::Number => {
                let number = text.starts_with(|c: char| c.is_ascii_digit());
                number.then(|| (run(usize::MAX, &|c| c.is_ascii_digit() || c == '.' || c == ','), 1))
            }
            Piece::Key(signs, least, most) => {
                let number = text.starts_with(|c: char| c.is_ascii_digit());
                let length = run(*most, &|c| c.is_ascii_digit() || signs.contains(c));
                (number && length >= *least).then_some((length, *least))
            }
            Piece::Word => {
                let length = run(usize::MAX, &|c| !c.is_ascii_digit() && !SIGNS.contains(c));
                (length > 0).then(|| (length, text.chars().next().map_or(1, char::len_utf8)))
            }
            Piece::Space => Some((usize::from(text.starts_with(' ')), 0)),
            Piece::Sign(sign) => text.starts_with(*sign).then_some((sign.len_utf8(), sign.len_utf8())),
            Piece::Edge(signs) => {
                let mut rest = text;
                for sign in signs.chars() {
                    match rest.strip_prefix(sign) {
                        Some(after) => rest = after,
                        None if sign == ' ' => {}
                        None => return Some((0, 0)),
                    }
                }
                let length = text.len() - rest.len();
                Some((length, if length == 0 { 0 } else { length }))
            }
        }
    }

    /// Whether it can be just so much of a text.
    fn can_be(&self, text: &str) -> bool {
        !matches!(self, Piece::Key(..)) || text.ends_with(|c: char| c.is_ascii_digit())
    }
}

/// What may stand between an amount and a smaller one: `, `, ` and `.
const NEXT: &str = ",? (?:[^0-9 ]{1,3} )?";

/// The other end of a range.
const RANGE: &str = " ?[-–—] ?[^0-9A-Za-z ]{0,2} ?[0-9][0-9.,]*";

/// What stands behind that in a text.
fn next(text: &str) -> Option<&str> {
    let text = text.strip_prefix(',').unwrap_or(text).strip_prefix(' ')?;
    match text.split_once(' ') {
        Some((word, rest))
            if (1..=3).contains(&word.chars().count()) && !word.contains(|c: char| c.is_ascii_digit()) =>
        {
            Some(rest)
        }
        _ => Some(text),
    }
}

/// What is left of a text behind these pieces and in front of a space or the end.
fn ends<'t>(pieces: &[Piece], text: &'t str, tries: &mut u32) -> Option<&'t str> {
    let Some((piece, others)) = pieces.split_first() else {
        return (text.is_empty() || text.starts_with(' ')).then_some(text);
    };
    let (most, least) = piece.reach(text)?;
    for length in (least..=most).rev() {
        *tries = tries.checked_sub(1)?;
        if let Some((own, rest)) = text.split_at_checked(length)
            && piece.can_be(own)
            && let Some(rest) = ends(others, rest, tries)
        {
            return Some(rest);
        }
    }
    // Signs that may be missing are there or not; nothing between.
    match piece {
        Piece::Edge(_) if most > 0 => ends(others, text, tries),
        _ => None,
    }
}

fn escaped(c: char) -> String {
    regex::escape(c.encode_utf8(&mut [0; 4]))
}

/// The shape of a value, if it has one that says something. Besides digits there may be one word: a month, a unit.
pub(crate) fn of(value: &str) -> Option<Shape> {
    let digits = value.chars().filter(char::is_ascii_digit).count();
    if digits == 0 || value.chars().count() > 40 {
        return None;
    }
    let pieces = match value.chars().any(char::is_alphabetic) {
        true => in_order(value),
        false => numeric(value, digits)?,
    };
    let words = pieces.iter().filter(|piece| **piece == Piece::Word).count();
    (pieces.len() <= MOST && words <= 1).then_some(Shape { pieces })
}

/// The shape of a value of several words and figures, such as a day with hours: what is in front of it must tell that it is there.
pub(crate) fn of_words(value: &str) -> Option<Shape> {
    let digits = value.chars().filter(char::is_ascii_digit).count();
    if digits < 2 || value.chars().count() > 60 {
        return None;
    }
    let pieces = in_order(value);
    let words = pieces.iter().filter(|piece| **piece == Piece::Word).count();
    (pieces.len() <= 2 * MOST && words <= 5).then_some(Shape { pieces })
}

/// The pieces of a text as they come.
fn in_order(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let same = |test: &dyn Fn(char) -> bool| rest.find(|c| !test(c)).unwrap_or(rest.len());
        let length = if c.is_ascii_digit() {
            // `1,299.00` is one number.
            let length = same(&|c| c.is_ascii_digit() || c == ',' || c == '.');
            let length = rest[..length].trim_end_matches([',', '.']).len();
            let grouped = rest[..length].contains([',', '.']);
            pieces.push(if grouped { Piece::Number } else { Piece::Digits(1, usize::MAX) });
            length
        } else if c.is_alphabetic() {
            pieces.push(Piece::Word);
            same(&char::is_alphabetic)
        } else if c.is_whitespace() {
            pieces.push(Piece::Space);
            same(&char::is_whitespace)
        } else {
            pieces.push(Piece::Sign(c));
            c.len_utf8()
        };
        rest = &rest[length..];
    }
    pieces
}

/// The pieces of a value without letters: how long it is, and of which signs.
fn numeric(value: &str, digits: usize) -> Option<Vec<Piece>> {
    let first = value.find(|c: char| c.is_ascii_digit())?;
    let last = value.rfind(|c: char| c.is_ascii_digit())? + 1;
    let (front, body, behind) = (&value[..first], &value[first..last], &value[last..]);
    let mut signs: Vec<char> = body.chars().filter(|c| !c.is_ascii_digit()).collect();
    signs.sort_unstable();
    signs.dedup();
    if signs.len() > 5 {
        return None;
    }
    let length = body.chars().count();
    let amount = signs.iter().all(|c| matches!(c, ',' | '.')) && (!front.trim().is_empty() || !signs.is_empty());
    let body = match (signs.is_empty(), digits) {
        // An amount may be of any length; where figures are grouped with a point or a comma, both may come.
        _ if amount => vec![Piece::Number],
        (true, 7..) => vec![Piece::Digits(length - 2, length + 2)],
        (true, _) => vec![Piece::Digits((length - 1).max(1), length + 1)],
        // A telephone number: its length says more than where its signs are.
        (_, 7..) if !body.contains('/') && body.is_ascii() => {
            vec![Piece::Key(signs.into_iter().collect(), length - 2, length + 2)]
        }
        _ => in_order(body),
    };
    // `(212) 227-6353 |`: without the signs at the edges it is still one.
    let edge = |text: &str| match text.trim() {
        "" => Vec::new(),
        signs if signs.chars().all(is_edge) => vec![Piece::Edge(text.to_owned())],
        _ => in_order(text),
    };
    Some([edge(front), body, edge(behind)].concat())
}

#[cfg(test)]
mod tests {
    use regex::Regex;

    fn alike(value: &str, others: &[&str], different: &[&str]) {
        let shape = super::of(value).unwrap_or_else(|| panic!("{value} has no shape"));
        let regex = Regex::new(&shape.at_start()).unwrap();
        let all = others.iter().chain([&value]).flat_map(|text| [text.to_string(), format!("{text} and more")]);
        for text in all.chain(different.iter().map(|text| text.to_string())) {
            let found = regex.captures(&text).map(|found| found.get(1).unwrap().as_str());
            assert_eq!(shape.find(&text), found, "{value}: {text}");
        }
        for other in others.iter().chain([&value]) {
            assert_eq!(shape.find(other), Some(*other), "{value} as {}", shape.at_start());
        }
        for other in different {
            assert_eq!(shape.find(other), None, "{value} as {}", shape.at_start());
        }
    }

    #[test]
    fn shapes() {
        alike("$129.00", &["$1,299.95", "$5", "$40 – $60", "$40-60"], &["129", "$", "129.00 €"]);
        alike("$ 15,900", &["$ 9,000", "$120,000"], &["15,900"]);
        alike("9780805087444", &["9780307474711"], &["0805087443", "2008"]);
        alike("(325) 674-2000", &["(800) 460-6228"], &["79699-9100", "325"]);
        alike("914-967-8140 |", &["914-967-8140"], &["|"]);
        alike("410-825-0420", &["410-825-0421"], &["21286"]);
        alike("6-2", &["6-11", "7-0"], &["62", "6-2-1990"]);
        alike("11/7/2010", &["1/17/2010"], &["2010", "11-7-2010"]);
        alike("195", &["85", "205"], &["20085", "1", "kg 195"]);
        alike("205 lbs.", &["85 lbs."], &["205", "6-5"]);
        alike("November 28, 2010", &["May 1, 2009"], &["28/11/2010"]);
        alike("2 hours", &["2 hours 20 minutes", "1 hour, 5 min", "1 hour and 5 min"], &["two hours"]);
        alike("6' 2\"", &["6' 11\"", "7' 0\""], &["6-2"]);
    }

    #[test]
    fn names_have_none() {
        assert_eq!(super::of("Atom Egoyan"), None);
        assert_eq!(super::of("901 Goucher Blvd."), None);
    }
}
