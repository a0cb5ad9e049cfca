//! When two keywords are the same: case, accents and white space do not count, nor a colon at the end.

/// A keyword as it is compared with others.
pub(super) fn key(keyword: &str) -> String {
    let mut key = String::with_capacity(keyword.len());
    for word in keyword.trim_end_matches([':', '：', ' ']).split_whitespace() {
        if !key.is_empty() {
            key.push(' ');
        }
        key.extend(word.chars().flat_map(char::to_lowercase).filter_map(bare));
    }
    key
}

/// Whether there is anything in a keyword that a page could be searched for. Signs such as `☎` and `№` are labels, too.
pub(super) fn is_empty(keyword: &str) -> bool {
    keyword.chars().all(|c| {
        c.is_whitespace() || c.is_control() || c.is_ascii_punctuation() || matches!(c, '：' | '、' | '。' | '，')
    })
}

/// A small letter without its accent; nothing for an accent that stands alone.
fn bare(c: char) -> Option<char> {
    Some(match c {
        '\0'..='\u{7f}' => c,
        '\u{300}'..='\u{36f}' => return None,
        'à'..='å' | 'ā' | 'ă' | 'ą' => 'a',
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => 'c',
        'ď' | 'đ' => 'd',
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => 'e',
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => 'g',
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' => 'i',
        'ķ' => 'k',
        'ĺ' | 'ļ' | 'ľ' | 'ł' => 'l',
        'ñ' | 'ń' | 'ņ' | 'ň' => 'n',
        'ò'..='ö' | 'ø' | 'ō' | 'ŏ' | 'ő' => 'o',
        'ŕ' | 'ř' => 'r',
        'ś' | 'ş' | 'š' | 'ș' => 's',
        'ţ' | 'ť' | 'ț' => 't',
        'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => 'u',
        'ý' | 'ÿ' => 'y',
        'ź' | 'ż' | 'ž' => 'z',
        c => c,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_accents_and_spaces_do_not_count() {
        assert_eq!(key("  Año  de\tEDICIÓN: "), "ano de edicion");
        assert_eq!(key("An\u{303}o de edicio\u{301}n"), "ano de edicion");
        assert_eq!(key("批准文号："), "批准文号");
        assert_ne!(key("ISBN-10"), key("ISBN 10"));
    }

    #[test]
    fn signs_are_keywords_and_punctuation_is_not() {
        assert!(is_empty("") && is_empty(" : ") && is_empty("：") && is_empty("--"));
        assert!(!is_empty("☎") && !is_empty("价") && !is_empty("x"));
    }
}
