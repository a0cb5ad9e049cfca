//! Other texts in the place of old ones: of the same kind and about the same length.
//!
//! Digits become other digits that can stand there, so that a date stays a date; words become words of other pages, in
//! the same case; signs and spaces stay. Letters that are written without spaces are drawn one by one from the text
//! itself.

use crate::generate::Rng;

/// Number of further draws if the first one repeats the old text.
const DRAWS: usize = 8;

/// The text with other digits; the same if it has none that can change.
pub(super) fn redigit(rng: &mut Rng, text: &str) -> String {
    draw(rng, text, &mut |rng, text| spell(rng, text, &mut |_, word| word.to_owned()))
}

/// The text with other words and digits.
pub(super) fn reword(rng: &mut Rng, text: &str, words: &[String]) -> String {
    let signs: Vec<char> = text.chars().filter(|&char| is_sign(char)).collect();
    draw(rng, text, &mut |rng, text| {
        spell(rng, text, &mut |rng, word| {
            let mut chars = word.chars();
            match (chars.next(), chars.next()) {
                (Some(char), None) if is_sign(char) => {
                    let other = signs[rng.below(signs.len())];
                    // A text of one sign has none to draw from: the next one in the table will do.
                    if signs.len() > 1 { other.to_string() } else { next_sign(char).to_string() }
                }
                // What binds words stays, as a rule: sentences of one language share it.
                _ if word.chars().count() < 4 && !rng.once_in(4) => word.to_owned(),
                _ if words.is_empty() => word.to_owned(),
                _ => in_case(word, &words[rng.below(words.len())]),
            }
        })
    })
}

/// An address with another last part: its digits, and its words if they are of letters alone.
pub(super) fn readdress(rng: &mut Rng, address: &str, words: &[String]) -> String {
    let plain: Vec<String> =
        words.iter().filter(|word| word.bytes().all(|byte| byte.is_ascii_lowercase())).cloned().collect();
    // The host and the folders are the site's, the ending is the file's kind.
    let start = address.trim_end_matches('/').rfind(['/', '?']).map_or(0, |at| at + 1);
    let end = address[start..].rfind('.').map_or(address.len(), |at| start + at);
    let last = draw(rng, &address[start..end], &mut |rng, part| {
        spell(rng, part, &mut |rng, word| {
            let lower = word.len() > 3 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
            if lower && !plain.is_empty() { plain[rng.below(plain.len())].clone() } else { word.to_owned() }
        })
    });
    if last != address[start..end] {
        return format!("{}{last}{}", &address[..start], &address[end..]);
    }
    redigit(rng, address)
}

/// Reports whether a text is a number, an amount, a date or a count.
pub(super) fn is_volatile(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let letters = text.chars().filter(|char| char.is_alphabetic()).count();
    let mut words = text.split_whitespace();
    let counts = words.next().is_some_and(|word| word.starts_with(|first: char| first.is_ascii_digit()));
    digits > 0 && (digits * 10 >= (digits + letters) * 4 || counts && text.split_whitespace().count() <= 3)
}

fn draw(rng: &mut Rng, text: &str, make: &mut dyn FnMut(&mut Rng, &str) -> String) -> String {
    for _ in 0..DRAWS {
        let new = make(rng, text);
        if new != text {
            return new;
        }
    }
    text.to_owned()
}

/// Writes a text anew: runs of digits by the rules of digits, words and lone signs by `word`.
fn spell(rng: &mut Rng, text: &str, word: &mut dyn FnMut(&mut Rng, &str) -> String) -> String {
    let mut new = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = |is: &dyn Fn(char) -> bool| rest.find(|char| !is(char)).unwrap_or(rest.len());
        let (end, part) = if first.is_ascii_digit() {
            let end = length(&|char| char.is_ascii_digit());
            (end, digits(rng, &rest[..end], new.ends_with(':')))
        } else if is_sign(first) {
            let end = first.len_utf8();
            (end, word(rng, &rest[..end]))
        } else if first.is_alphabetic() {
            let end = length(&|char| char.is_alphabetic() && !is_sign(char));
            (end, word(rng, &rest[..end]))
        } else {
            let end = first.len_utf8();
            (end, rest[..end].to_owned())
        };
        new.push_str(&part);
        rest = &rest[end..];
    }
    new
}

/// As many other digits: days stay days, minutes minutes, and years years.
fn digits(rng: &mut Rng, old: &str, minutes: bool) -> String {
    let value: u64 = old.parse().unwrap_or(u64::MAX);
    let between = |rng: &mut Rng, low: usize, high: usize| low + rng.below(high + 1 - low);
    match (old.len(), value) {
        (1, 0) => old.to_owned(),
        (1, _) => between(rng, 1, 9).to_string(),
        (2, _) if minutes => format!("{:02}", between(rng, 0, 59)),
        // Cents, and what else ends in nothing.
        (2, 0) => old.to_owned(),
        (2, 1..=12) => format!("{:02}", if old.starts_with('0') { between(rng, 1, 9) } else { between(rng, 10, 12) }),
        (2, 13..=31) => between(rng, 13, 28).to_string(),
        (2, 32..=59) => between(rng, 32, 59).to_string(),
        (4, 1900..=2099) => {
            if rng.once_in(2) {
                old.to_owned()
            } else {
                (value + 1).to_string()
            }
        }
        _ => {
            let digit = |(rank, char): (usize, char)| match (rank, char) {
                (0, '0') => '0',
                (0, _) => char::from(b'1' + rng.below(9) as u8),
                _ => char::from(b'0' + rng.below(10) as u8),
            };
            old.chars().enumerate().map(digit).collect()
        }
    }
}

/// Reports whether a character belongs to a script written without spaces.
fn is_sign(char: char) -> bool {
    matches!(char, '\u{0E00}'..='\u{0EFF}' | '\u{3041}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}')
}

fn next_sign(char: char) -> char {
    char::from_u32(u32::from(char) ^ 1).filter(|&other| is_sign(other)).unwrap_or(char)
}

/// A word in the case of another.
fn in_case(like: &str, word: &str) -> String {
    let upper = |char: char| char.is_uppercase();
    if like.chars().count() > 1 && like.chars().all(upper) {
        word.to_uppercase()
    } else if like.starts_with(upper) {
        let mut chars = word.chars();
        chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
    } else {
        word.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stay_what_they_are() {
        for seed in 0..200 {
            let new = redigit(&mut Rng::new(seed), "Jan 29, 2018 14:05, $ 1,340.00");
            let numbers: Vec<usize> =
                new.split(|char: char| !char.is_ascii_digit()).filter_map(|run| run.parse().ok()).collect();
            assert_eq!(numbers.len(), 7, "{new}");
            assert!((13..29).contains(&numbers[0]) && (2018..=2019).contains(&numbers[1]), "{new}");
            assert!(numbers[2] < 29 && numbers[3] < 60 && numbers[6] == 0, "{new}");
            assert!(new.starts_with("Jan ") && new.ends_with(".00") && new.contains(", $ "), "{new}");
        }
    }

    #[test]
    fn words_get_other_words_in_their_case() {
        let words = ["meadow".to_owned(), "barley".to_owned()];
        let new = reword(&mut Rng::new(3), "Oak Rakes, (WOODEN)", &words);
        assert_ne!(new, "Oak Rakes, (WOODEN)");
        assert!(new.contains(", (") && new.ends_with(')'), "{new}");
        assert!(new.split(|char: char| !char.is_alphabetic()).filter(|word| !word.is_empty()).count() == 3, "{new}");
    }

    #[test]
    fn an_address_keeps_its_site_and_its_ending() {
        let words = ["meadow".to_owned()];
        let new = readdress(&mut Rng::new(1), "https://barn.example/tools/rakes-17.html", &words);
        assert!(new.starts_with("https://barn.example/tools/") && new.ends_with(".html"), "{new}");
        assert_ne!(new, "https://barn.example/tools/rakes-17.html");
    }

    #[test]
    fn amounts_dates_and_counts_are_volatile() {
        for text in ["$ 1,340", "Jan 29, 2018", "3 comments", "17", "2018-01-29T14:05"] {
            assert!(is_volatile(text), "{text}");
        }
        for text in ["Oak rake", "Room 567 on the second floor", "Apollo 13 returns home"] {
            assert!(!is_volatile(text), "{text}");
        }
    }
}
