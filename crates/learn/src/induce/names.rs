//! Whether a name that a person gave to a field is what a page calls it: in a label, an id, a class.

/// How much a field's name and a text have the same words, from 0 to 1: `mpaa_rating` and `MPAA Rating:` have, `title`
/// and `btAsinTitle` have in part.
pub(crate) fn likeness(field: &str, text: &str) -> f32 {
    let wanted = words(field);
    let given = words(text);
    if wanted.is_empty() || given.is_empty() {
        return 0.0;
    }
    let same = |one: &str, two: &str| {
        // `authors` and `author`, `telephone` and `phone`.
        one == two || one.len() >= 4 && two.len() >= 4 && (one.contains(two) || two.contains(one))
    };
    let found = wanted.iter().filter(|word| given.iter().any(|other| same(word, other))).count();
    // Both ways: `Price:` is the price more than `Total price:` is.
    2.0 * found as f32 / (wanted.len() + given.len().max(found)) as f32
}

/// The words of a name, in small letters: parted by signs, digits, and capitals behind small letters.
fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut small = false;
    for c in name.chars().take(80) {
        if !word.is_empty() && (!c.is_alphabetic() || small && c.is_uppercase()) {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphabetic() {
            word.extend(c.to_lowercase());
        }
        small = c.is_lowercase();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::likeness;

    #[test]
    fn names() {
        for (field, text) in
            [("mpaa_rating", "MPAA Rating:"), ("phone", "Telephone"), ("author", "Authors"), ("isbn_13", "ISBN-13:")]
        {
            assert_eq!(likeness(field, text), 1.0, "{field} in {text}");
        }
        assert_eq!(likeness("title", "btAsinTitle"), 0.5);
        assert!(likeness("price", "Price") > likeness("price", "Total price:"));
        assert_eq!(likeness("price", "Total"), 0.0);
        assert_eq!(likeness("", "Total"), 0.0);
    }
}
