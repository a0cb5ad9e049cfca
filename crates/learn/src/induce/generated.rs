//! Whether a class or an id was made up by a program: such a name says nothing, and the next build changes it.
//!
//! Words that a person chose are made of words; what a program chose is made of digits, of letters in random case, or
//! carries the mark of the tool (`css-`, `sc-`, `jss`). A short number behind a word (`col-2`, `h1`) is a person's.

/// Marks that tools put in front of the names they make.
const MARKS: &[&str] = &[
    "css-",
    "sc-",
    "jss",
    "emotion-",
    "svelte-",
    "styled-",
    "chakra-",
    "mui-",
    "makestyles-",
    "ember",
    "yui_",
    "yui-gen",
    "ext-gen",
    "gwt-uid",
    "ctl0",
    "react-",
    "radix-",
    "headlessui-",
    "ng-tns-",
    "_ngcontent",
    "data-v-",
    "uid-",
    "guid",
];

/// Whether a class word or an id looks like one that no person chose.
pub(crate) fn looks_generated(word: &str) -> bool {
    let word = word.trim();
    if word.is_empty() || word.len() > 60 {
        return true;
    }
    let lower = word.to_ascii_lowercase();
    if MARKS.iter().any(|mark| lower.starts_with(mark) && lower.len() > mark.len()) {
        return true;
    }
    let mut digits = 0;
    let mut run = 0;
    let mut longest = 0;
    for c in word.chars() {
        match c.is_ascii_digit() {
            true => {
                digits += 1;
                run += 1;
                longest = longest.max(run);
            }
            false => run = 0,
        }
    }
    // A number of three figures is a key of a record, a build, a size in a framework's grid; half of it digits is a hash.
    if longest >= 3 || digits >= 4 || 2 * digits > word.chars().count() {
        return true;
    }
    word.split(['-', '_', '.', ':']).any(is_hash)
}

/// Whether one part of a name is a hash: digits between letters again and again, or letters without any order of case.
fn is_hash(part: &str) -> bool {
    let letters = part.chars().filter(|c| c.is_ascii_alphabetic()).count();
    if part.chars().count() < 5 {
        return false;
    }
    // `a1b2c3`, `x7Yz9`: from letter to digit and back.
    let kinds: Vec<bool> = part.chars().filter(|c| c.is_ascii_alphanumeric()).map(|c| c.is_ascii_digit()).collect();
    let changes = kinds.windows(2).filter(|pair| pair[0] != pair[1]).count();
    if changes >= 3 || changes >= 2 && part.starts_with(|c: char| c.is_ascii_digit()) {
        return true;
    }
    // `kQzXw`: a capital after a small letter begins a word, and words are longer than that.
    let mut humps = 0;
    let mut before = ' ';
    for c in part.chars() {
        humps += usize::from(before.is_ascii_lowercase() && c.is_ascii_uppercase());
        before = c;
    }
    if humps >= 2 && letters < 2 * (humps + 1) {
        return true;
    }
    // `bcdfgh`: no person's word is without a vowel for so long; `nbsp`, `html` are shorter.
    let vowels = part.chars().filter(|c| "aeiouyAEIOUY".contains(*c)).count();
    letters >= 7 && letters == part.chars().count() && vowels == 0
}

#[cfg(test)]
mod tests {
    use super::looks_generated;

    #[test]
    fn names_of_persons() {
        for word in [
            "price",
            "product-title",
            "mainContent",
            "col-2",
            "h1",
            "articleBody",
            "main_address",
            "btAsinTitle",
            "t",
            "RestProfileAddress",
            "shsNamD",
            "row1",
            "pad5_b",
            "isbn-a",
            "isbn13",
            "nav",
            "lblPhone",
            "u-url",
        ] {
            assert!(!looks_generated(word), "{word}");
        }
    }

    #[test]
    fn names_of_programs() {
        for word in [
            "css-1x2y3z",
            "sc-bdVaJa",
            "_3kQz9",
            "jss142",
            "post-48213",
            "COPY_1002",
            "a1b2c3d4",
            "yui_3_9_1_12",
            "12",
            "ctl00_Main_lblPhone",
            "svelte-1abc",
            "x1n2onr6",
            "",
            "ember1204",
            "MuiBox_kQzXw",
            "bcdfghj",
        ] {
            assert!(looks_generated(word), "{word}");
        }
    }
}
