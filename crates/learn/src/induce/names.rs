//! Whether a name that a person gave to a field is what a page calls it: in a label, an id, a class.

/// Characters of a name that are looked at.
const LONGEST: usize = 80;

/// How much a field's name and a text have the same words, from 0 to 1: `mpaa_rating` and `MPAA Rating:` have, `title`
/// and `btAsinTitle` have in part.
pub(crate) fn likeness(field: &str, text: &str) -> f32 {
    if text.is_empty() {
        return 0.0;
    }
    let wanted = words(field);
    let given = words(text);
    if wanted.is_empty() || given.is_empty() {
        return 0.0;
    }
    let found = wanted.iter().filter(|word| given.iter().any(|other| same(word, other))).count();
    // Both ways: `Price:` is the price more than `Total price:` is.
    2.0 * found as f32 / (wanted.len() + given.len().max(found)) as f32
}

/// Whether two words are the same, or one is in the other: `authors` and `author`, `telephone` and `phone`.
fn same(one: &str, two: &str) -> bool {
    let (short, long) = if one.len() <= two.len() { (one, two) } else { (two, one) };
    let within = || long.as_bytes().windows(short.len()).any(|part| part.eq_ignore_ascii_case(short.as_bytes()));
    match short.len() == long.len() {
        true => short.eq_ignore_ascii_case(long) || !short.is_ascii() && short.to_lowercase() == long.to_lowercase(),
        false => short.len() >= 4 && within(),
    }
}

/// The words of a name: parted by signs, digits, and capitals behind small letters.
fn words(name: &str) -> Vec<&str> {
    let name = name.char_indices().nth(LONGEST).map_or(name, |(end, _)| &name[..end]);
    let mut words = Vec::new();
    let mut start = None;
    let mut small = false;
    for (at, c) in name.char_indices() {
        if let Some(from) = start
            && (!c.is_alphabetic() || small && c.is_uppercase())
        {
            words.push(&name[from..at]);
            start = None;
        }
        if c.is_alphabetic() && start.is_none() {
            start = Some(at);
        }
        small = c.is_lowercase();
    }
    words.extend(start.map(|from| &name[from..]));
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
