//! Tells words that people write from letters that a program put together, by which letters follow each other.
//!
//! Build tools name classes after a hash (`gloyjl`, `kRESZF`). Such a name says nothing about what it marks, so it may not name a field
//! or a list. It has letters in an order that no language has.
//!
//! The table is counted by `tools/fit-words` on the texts and classes of all open pages, which are in 25 languages. On words of sites
//! that were held out, the threshold below takes 0.7 % of the words of people for made-up ones and finds two of three
//! made-up ones; the script prints the shares for other thresholds. A field that loses its name to a mistake is worse off than one
//! that is named after a hash, so few words of people may be lost. Words with other letters than a to z are never taken for made up.

/// Words with fewer letters are often abbreviations (`btn`, `hdr`), of which letters say too little.
const SHORTEST: usize = 5;
/// The mean score, in sixteenths of a bit, below which a word is made up.
const MADE_UP: i32 = -16;

/// How much more often a letter follows another in words than in random letters, in sixteenths of a bit. The rows are the beginning of a
/// word and the letters a to z; the columns are the letters and the end of a word.
#[rustfmt::skip]
const FOLLOWS: [[i8; 27]; 27] = [
    [14, 8, 20, 8, 4, 3, -3, -3, -2, -24, -22, -1, 8, -8, -12, 14, -45, 8, 23, 7, -21, -14, -6, -62, -49, -45, -128],
    [-47, -6, 9, 4, -71, -36, -7, -47, -1, -71, -21, 24, -1, 29, -85, -6, -85, 28, 10, 28, -12, -18, -39, -59, -21, -49, 11],
    [26, -18, -41, -60, 35, -65, -63, -51, 20, -45, -72, 31, -44, -54, 26, -82, -93, 22, 0, -27, 15, -67, -66, -101, -22, -102, 5],
    [27, -74, -16, -78, 25, -79, -99, 32, 9, -119, 10, 1, -77, -70, 36, -86, -76, 6, -26, 18, 0, -119, -109, -120, -29, -103, 3],
    [13, -49, -50, -17, 40, -61, -29, -59, 28, -62, -87, -23, -38, -45, 6, -66, -92, -5, -2, -50, -5, -33, -47, -98, -25, -108, 50],
    [4, -35, -2, 18, -15, -28, -24, -53, -17, -94, -54, 7, -8, 27, -50, -23, -58, 32, 25, -2, -40, -22, -34, -18, -43, -57, 34],
    [24, -46, -53, -57, 27, 17, -62, -92, 35, -78, -93, 14, -64, -69, 28, -70, -92, 17, -33, 2, 13, -97, -66, -95, -24, -95, 13],
    [11, -68, -78, -72, 36, -69, -15, 7, 10, -93, -82, -5, -50, -7, 0, -81, -107, 17, -5, -36, 2, -108, -91, -107, -27, -88, 50],
    [33, -48, -63, -48, 40, -63, -84, -89, 27, -97, -71, -17, -27, -21, 28, -69, -90, -1, -31, 11, -4, -77, -46, -106, -19, -88, 28],
    [1, -22, 18, -3, 12, -20, -3, -89, -89, -61, -42, 7, -4, 43, 18, -16, -57, -6, 16, 17, -61, -5, -98, -50, -108, -26, -14],
    [32, -61, -57, -22, 38, -33, -38, -58, -4, -51, -12, -61, -39, -39, 37, -29, -49, -47, -18, -41, 37, -44, -39, -60, -65, -48, 16],
    [9, -33, -60, -50, 42, -41, -49, -45, 29, -56, -41, -1, -42, -10, 6, -42, -80, -23, 19, -6, -17, -71, -48, -54, -14, -59, 41],
    [26, -44, -45, -13, 37, -42, -49, -79, 32, -92, -43, 22, -45, -58, 18, -48, -107, -76, -4, -7, -7, -38, -90, -126, 12, -94, 27],
    [38, 0, -48, -74, 41, -60, -70, -80, 28, -112, -79, -46, 2, -51, 22, 19, -100, -92, -9, -51, -7, -96, -72, -100, -32, -110, 18],
    [9, -64, 4, 16, 20, -28, 31, -58, 7, -62, -27, -42, -59, -12, -3, -78, -92, -64, 17, 27, -22, -31, -78, -96, -38, -62, 36],
    [-20, -20, -5, -8, -44, -27, -14, -49, -21, -69, -24, 11, 11, 40, 0, 0, -107, 29, 4, 3, 14, -11, -5, -40, -39, -71, 5],
    [27, -51, -62, -52, 32, -54, -67, -1, 14, -101, -70, 18, -60, -78, 25, 9, -117, 31, -5, 4, -2, -101, -94, -91, -38, -95, 12],
    [-29, -52, -42, -40, -51, -40, -50, -53, -49, -53, -53, -15, -50, -57, -42, -49, -52, -32, -29, -31, 68, -55, -50, -50, -51, -40, 25],
    [25, -36, -20, -8, 38, -39, -20, -61, 25, -115, -23, -28, -13, -15, 19, -40, -95, -11, 10, 5, -13, -33, -57, -116, -9, -78, 30],
    [-4, -64, -1, -69, 21, -58, -85, -1, 12, -103, -34, -27, -35, -54, 1, -3, -62, -69, 8, 30, -1, -75, -39, -128, -44, -77, 52],
    [18, -57, -32, -73, 37, -57, -80, 6, 36, -110, -98, -20, -48, -54, 13, -68, -128, 13, 7, -6, -6, -83, -46, -100, -12, -51, 34],
    [2, -3, 3, -9, 8, -25, -7, -73, 4, -70, -45, 15, 8, 28, -47, 0, -96, 30, 26, 23, -78, -45, -71, -51, -59, -59, -10],
    [30, -48, -71, -69, 57, -98, -47, -81, 40, -82, -91, -52, -79, -91, 18, -76, -93, -27, -47, -67, -61, -79, -90, -95, -49, -84, -1],
    [36, -39, -52, -31, 39, -43, -68, 5, 31, -87, -56, -23, -56, 4, 22, -37, -76, -6, 3, -50, -48, -86, -60, -91, -43, -77, 23],
    [4, -33, 16, -56, 20, -46, -65, -21, 19, -66, -64, -27, -35, -43, -16, 34, -57, -67, -20, 29, -22, -60, -48, -26, -30, -69, 43],
    [-13, -30, -26, -35, 0, -67, -49, -64, -10, -86, -84, -12, -21, -20, -7, -15, -99, -28, 5, -22, -44, -69, -41, -95, -69, -52, 66],
    [24, -42, -56, -34, 49, -69, -54, -28, 20, -66, -63, -12, -48, -55, 10, -56, -68, -47, -54, -11, 11, -66, -20, -68, -16, -5, 35],
];

/// Returns true if the letters of a word look put together by a program.
pub(crate) fn is_made_up(word: &str) -> bool {
    let letters = word.len();
    if letters < SHORTEST || !word.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return false;
    }
    let column = |byte: u8| usize::from(byte.to_ascii_lowercase() - b'a');
    let mut row = 0;
    let mut sum = 0;
    for then in word.bytes().map(column) {
        sum += i32::from(FOLLOWS[row][then]);
        row = then + 1;
    }
    sum += i32::from(FOLLOWS[row][26]);
    sum < MADE_UP * i32::try_from(letters + 1).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::is_made_up;

    #[test]
    fn words_of_people() {
        for word in [
            "price",
            "Typography",
            "mainContent",
            "coursenumber",
            "lblPhone",
            "hersteller",
            "wojewodztwo",
            "xsmall",
            "thumbnail",
        ] {
            assert!(!is_made_up(word), "{word}");
        }
    }

    #[test]
    fn words_of_programs() {
        for word in ["gloyjl", "bfnjio", "kRESZF", "jGXhfD", "hcMhgc", "cBkzMN"] {
            assert!(is_made_up(word), "{word}");
        }
    }

    #[test]
    fn no_word_panics() {
        for word in ["", "é", "ñandúes", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "ZZZZZZZ", "a-b-c-d"] {
            is_made_up(word);
        }
    }
}
