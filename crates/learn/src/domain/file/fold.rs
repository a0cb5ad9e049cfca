//! When two keywords are the same: case, accents and white space do not count, nor a colon at the end.

/// A keyword as it is compared with others: as pages are searched for it.
pub(super) fn key(keyword: &str) -> String {
    crate::domain::lexicon::folded(keyword)
}

/// Whether there is anything in a keyword that a page could be searched for. Signs such as `☎` and `№` are labels, too.
pub(super) fn is_empty(keyword: &str) -> bool {
    keyword.chars().all(|c| {
        c.is_whitespace() || c.is_control() || c.is_ascii_punctuation() || matches!(c, '：' | '、' | '。' | '，')
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
