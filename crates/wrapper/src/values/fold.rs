//! Folding: converts a word to the form in which keywords are looked up.
//!
//! Case, accents and the usual spelling variants of a script are removed, so that "FÉVRIER", "fevrier" and a
//! decomposed "février" are one key. The folded word is kept in a small buffer; byte ranges always refer to the
//! original text. Cost: linear; words too long for any keyword fold to an empty string.

/// Longest folded keyword, in bytes.
const CAPACITY: usize = 64;

/// A folded word.
pub(super) struct Folded {
    bytes: [u8; CAPACITY],
    len: usize,
    overflow: bool,
}

impl Folded {
    /// Creates an empty word.
    pub(super) fn new() -> Folded {
        Folded { bytes: [0; CAPACITY], len: 0, overflow: false }
    }

    /// Folds a word.
    pub(super) fn from_word(word: &str) -> Folded {
        let mut folded = Folded::new();
        word.chars().for_each(|character| folded.push(character));
        folded
    }

    /// Appends a character, folded.
    pub(super) fn push(&mut self, character: char) {
        if let Some(character) = fold(character) {
            self.append(character);
        }
    }

    /// Returns the folded word, or an empty string if it is longer than any keyword.
    pub(super) fn as_str(&self) -> &str {
        if self.overflow { "" } else { std::str::from_utf8(&self.bytes[..self.len]).unwrap_or("") }
    }

    /// Appends an ASCII letter, folded.
    pub(super) fn push_ascii(&mut self, letter: u8) {
        match self.bytes.get_mut(self.len) {
            Some(byte) => {
                *byte = letter.to_ascii_lowercase();
                self.len += 1;
            }
            None => self.overflow = true,
        }
    }

    fn append(&mut self, character: char) {
        let width = character.len_utf8();
        if self.len + width > CAPACITY {
            self.overflow = true;
            return;
        }
        character.encode_utf8(&mut self.bytes[self.len..]);
        self.len += width;
    }
}

/// Base letters of U+00C0 to U+017F.
const LATIN: &[u8; 192] = b"aaaaaaaceeeeiiiidnooooo*ouuuuytsaaaaaaaceeeeiiiidnooooo*ouuuuyty\
aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllll\
lllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";

/// Folds a character; `None` if it is removed.
fn fold(character: char) -> Option<char> {
    if character.is_ascii() {
        return Some(character.to_ascii_lowercase());
    }
    let code = character as u32;
    Some(match code {
        0xC0..=0x17F => LATIN[code as usize - 0xC0] as char,
        0x1A0 | 0x1A1 => 'o',
        0x1AF | 0x1B0 => 'u',
        0x218 | 0x219 => 's',
        0x21A | 0x21B => 't',
        // Combining accents, and the vowel points of Hebrew and Arabic.
        0x300..=0x36F | 0x591..=0x5C7 | 0x640 | 0x64B..=0x65F | 0x670 => return None,
        // The common capitals, without a lookup in Unicode's tables; breve and diaeresis are handled below.
        0x410..=0x418 | 0x41A..=0x42F => return char::from_u32(code + 0x20),
        0x430..=0x438 | 0x43A..=0x44F => character,
        0x3040..=0x9FFF | 0xAC00..=0xD7AF => character,
        0x1EA0..=0x1EB7 => 'a',
        0x1EB8..=0x1EC7 => 'e',
        0x1EC8..=0x1ECB => 'i',
        0x1ECC..=0x1EE3 => 'o',
        0x1EE4..=0x1EF1 => 'u',
        0x1EF2..=0x1EF9 => 'y',
        // The nukta, and joiners.
        0x93C | 0x200C | 0x200D => return None,
        0x958 => 'क',
        0x959 => 'ख',
        0x95A => 'ग',
        0x95B => 'ज',
        0x95C => 'ड',
        0x95D => 'ढ',
        0x95E => 'फ',
        0x95F => 'य',
        0xFF01..=0xFF5E => return char::from_u32(code - 0xFEE0).map(|ascii| ascii.to_ascii_lowercase()),
        _ => match character {
            'أ' | 'إ' | 'آ' => 'ا',
            'ى' | 'ی' | 'ئ' => 'ي',
            'ة' => 'ه',
            'ؤ' => 'و',
            'ک' => 'ك',
            _ => match character.to_lowercase().next().unwrap_or(character) {
                'ά' => 'α',
                'έ' => 'ε',
                'ή' => 'η',
                'ί' | 'ϊ' | 'ΐ' => 'ι',
                'ό' => 'ο',
                'ύ' | 'ϋ' | 'ΰ' => 'υ',
                'ώ' => 'ω',
                'ς' => 'σ',
                'ё' => 'е',
                'й' | 'ѝ' => 'и',
                'ї' => 'і',
                'ґ' => 'г',
                lower => lower,
            },
        },
    })
}

/// The digit zero of each script.
const ZEROS: [u32; 16] =
    [0x660, 0x6F0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xE50, 0xED0, 0x1040, 0x17E0, 0xFF10];

/// Returns the value of a decimal digit of any common script.
pub(super) fn digit(character: char) -> Option<u8> {
    if character.is_ascii() {
        return character.is_ascii_digit().then_some(character as u8 & 15);
    }
    let code = character as u32;
    if code < ZEROS[0] {
        return None;
    }
    ZEROS.iter().find_map(|zero| (*zero..zero + 10).contains(&code).then(|| (code - zero) as u8))
}

/// Converts a sign to the ASCII sign it corresponds to: full-width forms, dashes, apostrophes, the commas of other
/// scripts.
pub(super) fn sign(character: char) -> char {
    match character {
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE58}' | '\u{FE63}' => '-',
        '\u{2018}' | '\u{2019}' | '\u{2BC}' | '\u{B4}' | '\u{2032}' => '\'',
        // The Hebrew abbreviation mark looks like an apostrophe; the Devanagari one like a full stop.
        '\u{5F3}' => '\'',
        '\u{970}' | '。' => '.',
        '、' | '،' => ',',
        '\u{2044}' => '/',
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(character as u32 - 0xFEE0).unwrap_or(character),
        _ => character,
    }
}

#[cfg(test)]
mod tests {
    use super::{Folded, digit, sign};

    #[test]
    fn variants_fold_to_one_form() {
        for (word, expected) in [
            ("FÉVRIER", "fevrier"),
            ("fe\u{301}vrier", "fevrier"),
            ("Października", "pazdziernika"),
            ("ŞUBAT", "subat"),
            ("Μαρτίου", "μαρτιου"),
            ("МАЙ", "маи"),
            ("маи\u{306}", "маи"),
            ("أغسطس", "اغسطس"),
            ("फ़रवरी", "फरवरी"),
            ("ｊａｎ", "jan"),
            ("thứ", "thu"),
        ] {
            assert_eq!(Folded::from_word(word).as_str(), expected, "{word}");
        }
        assert_eq!(Folded::from_word(&"x".repeat(65)).as_str(), "");
    }

    #[test]
    fn digits_of_many_scripts() {
        assert_eq!("٣۴५৬๗８9".chars().map(digit).collect::<Option<Vec<_>>>(), Some(vec![3, 4, 5, 6, 7, 8, 9]));
        assert_eq!(digit('x'), None);
        assert_eq!(digit('三'), None);
    }

    #[test]
    fn signs_fold() {
        assert_eq!("−–／：，’".chars().map(sign).collect::<String>(), "--/:,'");
    }
}
