//! Splits a text into tokens: numbers, words that may be keywords, and signs.
//!
//! A word ends where letters end, where digits begin ("14h30" is three tokens), and in scripts without spaces after
//! the longest keyword. Every token knows its byte range in the original text. Cost: linear; one vector.

use super::fold::{self, Folded};
use super::text::is_ignorable;
use super::words::{Meaning, Sense, Table};

/// A piece of text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub(super) start: u32,
    pub(super) end: u32,
    /// `true` if white space precedes it.
    pub(super) spaced: bool,
    pub(super) kind: Kind,
}

/// The kind of a token.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    /// Digits of any script, or a number in Han numerals.
    Number { value: u64, digits: u8 },
    /// Letters, with their possible meanings; no senses if it is not a keyword.
    Word(&'static [Sense]),
    /// Anything else, in its ASCII form if it has one.
    Sign(char),
}

/// Splits a text into tokens.
pub(super) fn scan(text: &str) -> Vec<Token> {
    let mut scanner = Scanner { text, table: Table::get(), at: 0, spaced: false, out: Vec::with_capacity(24) };
    while let Some(character) = scanner.peek() {
        scanner.token(character);
    }
    scanner.out
}

/// Returns `true` if words of this script are written without spaces between them.
pub(super) fn is_unspaced(character: char) -> bool {
    is_thai(character) || is_han(character) || matches!(character, '\u{1100}'..='\u{11FF}' | '\u{AC00}'..='\u{D7AF}')
}

fn is_han(character: char) -> bool {
    matches!(character, '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}')
}

fn is_thai(character: char) -> bool {
    matches!(character, '\u{E01}'..='\u{E3A}' | '\u{E40}'..='\u{E4E}')
}

/// Returns `true` if a character is part of a word: a letter, or a mark on one.
fn is_letter(character: char) -> bool {
    character.is_alphabetic()
        || matches!(character, '\u{300}'..='\u{36F}' | '\u{591}'..='\u{5C7}' | '\u{64B}'..='\u{65F}' | '\u{670}'
            | '\u{900}'..='\u{903}' | '\u{93A}'..='\u{94F}' | '\u{981}'..='\u{983}' | '\u{9BC}'..='\u{9CD}' | '\u{200C}' | '\u{200D}')
}

struct Scanner<'t> {
    text: &'t str,
    table: &'static Table,
    at: usize,
    spaced: bool,
    out: Vec<Token>,
}

impl Scanner<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn push(&mut self, start: usize, kind: Kind) {
        let spaced = std::mem::take(&mut self.spaced);
        self.out.push(Token { start: start as u32, end: self.at as u32, spaced, kind });
    }

    fn token(&mut self, character: char) {
        if character.is_whitespace() {
            self.at += character.len_utf8();
            self.spaced = true;
        } else if fold::digit(character).is_some() {
            self.number();
        } else if is_unspaced(character) {
            self.unspaced(character);
        } else if character.is_alphabetic() && !matches!(character, 'º' | 'ª') {
            self.word();
        } else {
            let start = self.at;
            self.at += character.len_utf8();
            if !is_ignorable(character) && !is_letter(character) {
                self.push(start, Kind::Sign(fold::sign(character)));
            } else if matches!(character, 'º' | 'ª') {
                self.push(start, Kind::Sign('º'));
            }
        }
    }

    fn number(&mut self) {
        let start = self.at;
        let (mut value, mut digits) = (0_u64, 0_u8);
        while let Some(character) = self.peek()
            && let Some(digit) = fold::digit(character)
        {
            value = value.saturating_mul(10).saturating_add(digit.into());
            digits = digits.saturating_add(1);
            self.at += character.len_utf8();
        }
        self.push(start, Kind::Number { value, digits });
    }

    fn word(&mut self) {
        let start = self.at;
        let mut folded = Folded::new();
        let mut letters = self.letters(&mut folded);
        // "p.m." is one word.
        while letters == 1 && self.text[self.at..].starts_with('.') {
            let mut rest = self.text[self.at + 1..].chars();
            let Some(next) = rest.next().filter(|next| next.is_alphabetic() && !is_unspaced(*next)) else { break };
            if rest.next().is_some_and(is_letter) {
                break;
            }
            self.at += 1;
            letters = self.letters(&mut folded);
            debug_assert!(letters > 0, "{next}");
        }
        let senses = self.table.senses(folded.as_str());
        if self.spaced && self.pair(folded.as_str()) {
            return;
        }
        self.push(start, Kind::Word(senses));
    }

    /// Reads letters and returns their number.
    fn letters(&mut self, folded: &mut Folded) -> usize {
        let mut count = 0;
        for &byte in self.text.as_bytes()[self.at..].iter().take_while(|byte| byte.is_ascii_alphabetic()) {
            folded.push_ascii(byte);
            count += 1;
        }
        self.at += count;
        let rest = &self.text[self.at..];
        if rest.bytes().next().is_none_or(|next| next.is_ascii()) {
            return count;
        }
        let mut end = rest.len();
        for (at, character) in rest.char_indices() {
            if !is_letter(character) || is_unspaced(character) || matches!(character, 'º' | 'ª') {
                if is_ignorable(character) {
                    continue;
                }
                end = at;
                break;
            }
            folded.push(character);
            count += 1;
        }
        self.at += end;
        count
    }

    /// Joins a word with the one before it, if the pair is a keyword; returns `true` if so.
    fn pair(&mut self, second: &str) -> bool {
        let Some(last) = self.out.last_mut() else { return false };
        let Kind::Word(senses) = last.kind else { return false };
        if !senses.iter().any(|sense| sense.meaning == Meaning::PairStart) {
            return false;
        }
        let mut folded = Folded::from_word(&self.text[last.start as usize..last.end as usize]);
        folded.push(' ');
        second.chars().for_each(|character| folded.push(character));
        let senses = self.table.senses(folded.as_str());
        if senses.is_empty() {
            return false;
        }
        last.kind = Kind::Word(senses);
        last.end = self.at as u32;
        self.spaced = false;
        true
    }

    /// Reads a word in a script without spaces: the longest keyword, a number in Han numerals, or one character.
    fn unspaced(&mut self, first: char) {
        let start = self.at;
        let longest = self.table.longest(first);
        let mut best: Option<(usize, &'static [Sense])> = None;
        let mut folded = Folded::new();
        let mut count = 0;
        for (at, character) in self.text[start..].char_indices() {
            // Thai writes its abbreviations with dots inside: "เม.ย.".
            if character == '.' && count > 0 && count < 4 && is_thai(first) {
                continue;
            }
            if count == longest || !is_unspaced(character) {
                break;
            }
            folded.push(character);
            count += 1;
            let senses = self.table.senses(folded.as_str());
            if !senses.is_empty() {
                best = Some((start + at + character.len_utf8(), senses));
            }
        }
        let numeral = han_number(&self.text[start..]);
        if let Some((value, digits, length)) = numeral
            && best.is_none_or(|(end, _)| end <= start + length)
        {
            self.at += length;
            self.push(start, Kind::Number { value, digits });
        } else if let Some((end, senses)) = best {
            self.at = end;
            self.push(start, Kind::Word(senses));
        } else {
            self.at += first.len_utf8();
            self.push(start, Kind::Word(&[]));
        }
    }
}

/// Parses a number in Han numerals: value, digits, and bytes. "二〇二四" is 2024, "二十三" is 23.
fn han_number(text: &str) -> Option<(u64, u8, usize)> {
    let (mut value, mut digits, mut length, mut tens) = (0_u64, 0_u8, 0, false);
    // Number of digits read after 十.
    let mut units = 0;
    for character in text.chars().take(8) {
        let digit = match character {
            '〇' | '零' | '○' => 0,
            '一' => 1,
            '二' => 2,
            '三' => 3,
            '四' => 4,
            '五' => 5,
            '六' => 6,
            '七' => 7,
            '八' => 8,
            '九' => 9,
            '十' if !tens => {
                tens = true;
                value = if digits == 0 { 10 } else { value * 10 };
                length += character.len_utf8();
                digits += 1;
                continue;
            }
            _ => break,
        };
        if tens {
            if units == 1 {
                break;
            }
            units += 1;
            value += digit;
        } else {
            value = value * 10 + digit;
        }
        digits += 1;
        length += character.len_utf8();
    }
    (digits > 0).then_some((value, if tens { 2 } else { digits }, length))
}

#[cfg(test)]
mod tests {
    use super::{Kind, scan};

    fn check(text: &str, expected: &[&str]) {
        let tokens = scan(text);
        let found: Vec<_> = tokens.iter().map(|token| &text[token.start as usize..token.end as usize]).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn words_numbers_and_signs_are_apart() {
        check("14h30, 4th", &["14", "h", "30", ",", "4", "th"]);
        check("9:15 p.m. J. Doe", &["9", ":", "15", "p.m", ".", "J", ".", "Doe"]);
        check("il y a 3 jours", &["il", "y a", "3", "jours"]);
        check("fe\u{301}vrier", &["fe\u{301}vrier"]);
    }

    #[test]
    fn scripts_without_spaces_break_at_keywords() {
        check("2024年3月5日(火)下午3点", &["2024", "年", "3", "月", "5", "日", "(", "火", ")", "下午", "3", "点"]);
        check("3 ชั่วโมงที่แล้ว", &["3", "ชั่วโมง", "ที่แล้ว"]);
        check("5 เม.ย. 63", &["5", "เม.ย", ".", "63"]);
        check("3시간전", &["3", "시간", "전"]);
    }

    #[test]
    fn han_numerals_are_numbers() {
        for (text, expected) in [("二〇二四年", 2024), ("十二月", 12), ("二十三日", 23), ("三十日", 30), ("十日", 10)]
        {
            let Kind::Number { value, .. } = scan(text)[0].kind else { panic!("{text}") };
            assert_eq!(value, expected, "{text}");
        }
    }
}
