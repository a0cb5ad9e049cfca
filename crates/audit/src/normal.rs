//! Equality as a degree: normalization of texts and similarity of the results.
//!
//! Registers and pages write the same name in many ways. Differences that no reader would notice are folded before the
//! comparison; others are left for the distance to count:
//!
//! - Unicode's compatibility forms (NFKC) and its case folding: full-width forms, ligatures, `㎎`, `STRASSE`. Accents
//!   stay; a missing one is an edit.
//! - Marks that belong to the page and not to the name: `™`, `®`, `©`, soft hyphens, what has no width.
//! - White space and punctuation are one separator, and a separator stays only where it parts like from like: two
//!   letters, as a space, or two digits, as a space or, for a point or comma alone, as a point. Between a letter and a
//!   digit, and beside ideographs and kana, the texts part by themselves: `50 mg` is `50mg`, `(PG)` is `PG`, `H-2005` is
//!   `H2005`, `北京 同仁堂` is `北京同仁堂`; but `1.5` is not `15`, `1-2` is not `12`, and `now here` is not `nowhere`.
//! - Apostrophes go. Signs that carry meaning stay: `%`, `&`, `@`, `#`, `+`, `°`, currencies, whatever Unicode calls a
//!   symbol. A hyphen is never a minus.
//!
//! So `H-2005 0001` is compared as `h2005 0001`, one edit in ten from `h20050001`: that digits were parted may matter,
//! and the degree says so. A text of punctuation alone, as registers write for "none", is compared as the empty text.
//!
//! The degree is that of the paper's section 5, turned so that 1 is equal: 1 − Levenshtein / longer length, counted in
//! characters of the folded texts. Folding is linear; the distance takes 1/64 of the product of the lengths.

use caseless::Caseless;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// Normalizes a text for comparison: folds Unicode compatibility forms, case, white space and punctuation.
pub fn normal(text: &str) -> String {
    if text.is_ascii() {
        return fold(text.chars().map(|character| character.to_ascii_lowercase()), text.len());
    }
    let marked = text.chars().filter(|character| !matches!(character, '™' | '℠' | '®' | '©'));
    let folded = fold(marked.nfkc().default_case_fold().nfkc(), text.len());
    // Removing characters may have brought a letter and its accent together.
    if is_nfkc_quick(folded.chars()) == IsNormalized::Yes { folded } else { folded.nfkc().collect() }
}

/// Returns 1 − Levenshtein / longer length over the characters of the normalized texts; 1 if both are empty.
pub fn degree(one: &str, other: &str) -> f64 {
    let (one, other) = (normal(one), normal(other));
    let distance = rapidfuzz::distance::levenshtein::distance(one.chars(), other.chars());
    degree_of(distance, one.chars().count().max(other.chars().count()))
}

/// Returns the degree of texts at this distance, given the length of the longer one.
///
/// The only place where the degree is computed, so that all callers get the same number to the last bit.
pub(crate) fn degree_of(distance: usize, longer: usize) -> f64 {
    if longer == 0 { 1.0 } else { 1.0 - distance as f64 / longer as f64 }
}

/// Class of a character for folding.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Letter,
    Digit,
    /// An ideograph or kana, which is not separated from its neighbours by spaces; or a symbol.
    Alone,
    /// An accent, which belongs to the preceding character.
    Mark,
    Point,
    Separator,
    Nothing,
}

/// Separators since the last character that was kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    None,
    Point,
    Space,
}

fn fold(characters: impl Iterator<Item = char>, length: usize) -> String {
    let mut folded = String::with_capacity(length);
    let mut last = Kind::Nothing;
    let mut gap = Gap::None;
    for character in characters {
        let kind = kind(character);
        match kind {
            Kind::Nothing => {}
            Kind::Point => gap = if gap == Gap::None { Gap::Point } else { Gap::Space },
            Kind::Separator => gap = Gap::Space,
            // A mark does not end a gap, since it belongs to the preceding character.
            Kind::Mark => folded.push(character),
            Kind::Letter | Kind::Digit | Kind::Alone => {
                match gap {
                    Gap::Point if last == Kind::Digit && kind == Kind::Digit => folded.push('.'),
                    Gap::Point | Gap::Space if last == kind && kind != Kind::Alone => folded.push(' '),
                    _ => {}
                }
                folded.push(character);
                (last, gap) = (kind, Gap::None);
            }
        }
    }
    folded
}

fn kind(character: char) -> Kind {
    use GeneralCategory as Category;
    match character {
        'a'..='z' => Kind::Letter,
        '0'..='9' => Kind::Digit,
        '.' | ',' => Kind::Point,
        '\'' | '‘' | '’' | 'ʼ' | '`' | '′' => Kind::Nothing,
        '%' | '&' | '@' | '#' | '$' | '+' | '<' | '=' | '>' | '~' | '|' | '^' | '‰' => Kind::Alone,
        '!'..='/' | ':'..='?' | '['..='_' | '{'..='}' => Kind::Separator,
        _ if character.is_whitespace() => Kind::Separator,
        // Variation selectors affect only the appearance.
        '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' => Kind::Nothing,
        _ => match character.general_category() {
            Category::DecimalNumber | Category::LetterNumber | Category::OtherNumber => Kind::Digit,
            Category::NonspacingMark | Category::SpacingMark | Category::EnclosingMark => Kind::Mark,
            Category::Control | Category::Format => Kind::Nothing,
            Category::ConnectorPunctuation
            | Category::DashPunctuation
            | Category::OpenPunctuation
            | Category::ClosePunctuation
            | Category::InitialPunctuation
            | Category::FinalPunctuation
            | Category::OtherPunctuation => Kind::Separator,
            Category::MathSymbol | Category::CurrencySymbol | Category::ModifierSymbol | Category::OtherSymbol => {
                Kind::Alone
            }
            _ if unspaced(character) => Kind::Alone,
            _ => Kind::Letter,
        },
    }
}

/// Reports whether the character belongs to a script written without spaces: Han, Hiragana, Katakana.
fn unspaced(character: char) -> bool {
    matches!(character as u32,
        0x2E80..=0x2FDF | 0x3005..=0x3007 | 0x3021..=0x3029 | 0x3031..=0x3035 | 0x3041..=0x30FF | 0x31F0..=0x31FF
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x1B000..=0x1B16F | 0x20000..=0x3FFFF)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{degree, normal};

    #[test]
    fn what_no_reader_takes_for_a_difference_is_folded() {
        for (text, expected) in [
            ("  Aspirin®\u{A0} Protect ", "aspirin protect"),
            ("ASPIRIN™", "aspirin"),
            ("Ｈ２００５０００１", "h20050001"),
            ("H-2005 0001", "h2005 0001"),
            ("50 mg", "50mg"),
            ("50㎎", "50mg"),
            ("Co., Ltd.", "co ltd"),
            ("Co.,Ltd", "co ltd"),
            ("(PG)", "pg"),
            ("Prostaglandin (PG)", "prostaglandin pg"),
            ("Johnson’s", "johnsons"),
            ("anti\u{AD}biotic", "antibiotic"),
            ("anti-inflammatory", "anti inflammatory"),
            ("STRASSE", "strasse"),
            ("Straße", "strasse"),
            ("ﬁlm", "film"),
            ("cafe\u{301}", "café"),
            ("北京 同仁堂（集团）", "北京同仁堂集团"),
            ("感冒灵・颗粒 10 g", "感冒灵颗粒10g"),
            ("1.5 mg", "1.5mg"),
            ("1,5 mg", "1.5mg"),
            ("1-2", "1 2"),
            ("2005/01/01", "2005 01 01"),
            ("5 %", "5%"),
            ("B & Q", "b&q"),
            ("—", ""),
            ("", ""),
        ] {
            assert_eq!(normal(text), expected, "{text}");
        }
    }

    #[test]
    fn what_may_be_a_difference_stays() {
        for (one, other) in
            [("1.5 mg", "15 mg"), ("1-2", "12"), ("now here", "nowhere"), ("5%", "5"), ("résumé", "resume")]
        {
            assert_ne!(normal(one), normal(other));
        }
    }

    #[test]
    fn the_degree_counts_characters() {
        assert_eq!(degree("H20050001", "H-20050001"), 1.0);
        assert_eq!(degree("H2005 0001", "H20050001"), 0.9);
        assert_eq!(degree("同仁堂", "同济堂"), 1.0 - 1.0 / 3.0);
        assert_eq!(degree("", "—"), 1.0);
        assert_eq!(degree("", "abc"), 0.0);
    }

    proptest! {
        #[test]
        fn folding_twice_is_folding_once(text in r"(\PC|[ -~]|[äÉß±́ﬁＨ½™ 同のー.,-]){0,12}") {
            let once = normal(&text);
            prop_assert_eq!(normal(&once), once);
        }
    }
}
