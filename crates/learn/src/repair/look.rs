//! Whether two values look alike, though they do not say the same: a new price in the place of the old one.

use crate::alignment::shape;

/// How much a value looks like the one that was there before, from 0 to 1, which is the same.
pub(super) fn likeness(before: &str, now: &str) -> f32 {
    if before == now {
        return 1.0;
    }
    if before.is_empty() || now.is_empty() {
        return 0.0;
    }
    // `3 comments` and `17 comments`.
    let digits = before.contains(|c: char| c.is_ascii_digit());
    if digits && masked(before, false) == masked(now, false) {
        return 0.5 + 0.2 * nearness(before, now);
    }
    if digits && masked(before, true) == masked(now, true) {
        return 0.4 + 0.1 * nearness(before, now);
    }
    let kinds = |text: &str| [shape::is_date(text), shape::is_money(text), shape::is_value(text)];
    let (one, two) = (kinds(before), kinds(now));
    if one == two && one.contains(&true) {
        return 0.4;
    }
    if one != two {
        return 0.0;
    }
    // Words: addresses with addresses, long texts with long ones.
    let address = |text: &str| text.contains("://") || text.starts_with('/');
    if address(before) != address(now) {
        return 0.0;
    }
    let (one, two) = (before.chars().count() as f32, now.chars().count() as f32);
    0.1 + 0.2 * (one.min(two) / one.max(two)) + 0.3 * shared(before, now)
}

/// How near the first numbers of two texts are, from 0 to 1: what changes, a price or a count of views, seldom changes
/// tenfold.
fn nearness(before: &str, now: &str) -> f32 {
    let first = |text: &str| {
        let from = text.find(|c: char| c.is_ascii_digit())?;
        let figures = text[from..].chars().take_while(|c| c.is_ascii_digit() || ".,' ".contains(*c)).take(20);
        let figures: String = figures.filter(char::is_ascii_digit).collect();
        figures.parse::<f64>().ok()
    };
    match (first(before), first(now)) {
        (Some(one), Some(two)) => 1.0 / (1.0 + ((one + 1.0) / (two + 1.0)).ln().abs() as f32),
        _ => 0.5,
    }
}

/// The share of words that two texts have in common.
fn shared(one: &str, two: &str) -> f32 {
    let words = |text: &str| {
        let mut words: Vec<String> = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .take(40)
            .map(str::to_lowercase)
            .collect();
        words.sort_unstable();
        words.dedup();
        words
    };
    let (one, two) = (words(one), words(two));
    let both = one.iter().filter(|word| two.binary_search(word).is_ok()).count();
    2.0 * both as f32 / (one.len() + two.len()).max(1) as f32
}

/// A text with its numbers as one sign each; and its words, too.
fn masked(text: &str, words: bool) -> String {
    let mut masked = String::with_capacity(text.len().min(64));
    for c in text.chars().take(120) {
        let sign = match c {
            '0'..='9' => '0',
            // Figures are grouped or not.
            '.' | ',' if masked.ends_with('0') => continue,
            _ if words && c.is_alphabetic() => 'a',
            _ => c,
        };
        if !(matches!(sign, '0' | 'a') && masked.ends_with(sign)) {
            masked.push(sign);
        }
    }
    masked
}

#[cfg(test)]
mod tests {
    use super::likeness;

    #[test]
    fn values_that_look_alike() {
        assert_eq!(likeness("3 comments", "3 comments"), 1.0);
        assert!(likeness("3 comments", "17 comments") > likeness("3 comments", "17 views"));
        assert!(likeness("€ 340", "€ 1,299.00") > 0.5);
        assert!(likeness("3 May 2011", "17 June 2012") > 0.4);
        assert_eq!(likeness("3 May 2011", "Oslo"), 0.0);
        assert_eq!(likeness("Oslo", ""), 0.0);
        assert!(likeness("Old hay wagon", "Old hay rake") > likeness("Old hay wagon", "Contact"));
    }
}
