//! The index gives what comparing with every row gives.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use windrow_audit::matching::Index;
use windrow_audit::normal::degree;
use windrow_audit::reference::Reference;

fn table(values: &[impl AsRef<str>]) -> Reference {
    Reference::from_rows("values", &["value"], values.iter().map(|value| [value.as_ref()]))
}

/// Every row that has a value, compared.
fn naive(reference: &Reference, value: &str) -> Vec<(usize, f64)> {
    (0..reference.rows()).filter_map(|row| Some((row, degree(value, reference.value(row, 0)?)))).collect()
}

fn check(values: &[impl AsRef<str>], queries: &[impl AsRef<str>], thresholds: &[f64]) {
    let reference = table(values);
    let index = Index::new(&reference, 0);
    for query in queries.iter().map(AsRef::as_ref) {
        let all = naive(&reference, query);
        for &threshold in thresholds {
            let mut expected = all.clone();
            expected.retain(|&(_, degree)| degree >= threshold);
            assert_eq!(index.within(query, threshold), expected, "{query:?} at {threshold}");
            expected.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
            assert_eq!(index.best(query, threshold), expected.first().copied(), "best for {query:?} at {threshold}");
            expected.truncate(3);
            assert_eq!(index.top(query, threshold, 3), expected, "top for {query:?} at {threshold}");
        }
    }
}

const THRESHOLDS: [f64; 9] = [0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 1.0];

/// Pseudo-random numbers below a bound, the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    fn edited(&mut self, text: &str, edits: usize, letters: &[char]) -> String {
        let mut text: Vec<char> = text.chars().collect();
        for _ in 0..edits {
            let place = self.below(text.len() + 1);
            let letter = letters[self.below(letters.len())];
            match self.below(3) {
                0 => text.insert(place, letter),
                1 if place < text.len() => text[place] = letter,
                2 if place < text.len() => drop(text.remove(place)),
                _ => {}
            }
        }
        text.into_iter().collect()
    }
}

#[test]
fn names_with_edits() {
    let letters: Vec<char> = "abcdefghilmnoprstuvxyz ".chars().collect();
    let endings = ["", " tablets", " capsules", " pharmaceutical co ltd", " oral solution 50 mg"];
    let mut dice = Dice(7);
    let values: Vec<String> = (0..3000)
        .map(|_| {
            let length = 1 + dice.below(18);
            let name: String =
                (0..length).map(|_| letters[dice.below(letters.len()).min(dice.below(letters.len()))]).collect();
            name + endings[dice.below(endings.len())]
        })
        .collect();
    let queries: Vec<String> = (0..150)
        .map(|_| {
            let edits = dice.below(6);
            let value = &values[dice.below(3000)];
            dice.edited(value, edits, &letters)
        })
        .collect();
    check(&values, &queries, &THRESHOLDS);
}

#[test]
fn codes_that_lie_close() {
    let digits: Vec<char> = "0123456789".chars().collect();
    let mut dice = Dice(11);
    let values: Vec<String> = (0..3000).map(|_| format!("H{}{:04}", 2000 + dice.below(5), dice.below(2000))).collect();
    let queries: Vec<String> = (0..150)
        .map(|_| {
            let edits = dice.below(4);
            let value = &values[dice.below(3000)];
            dice.edited(value, edits, &digits)
        })
        .collect();
    check(&values, &queries, &THRESHOLDS);
}

#[test]
fn ideographs() {
    let letters: Vec<char> = "北京同仁堂上海药业集团有限公司感冒灵颗粒阿莫西林胶囊".chars().collect();
    let mut dice = Dice(13);
    let values: Vec<String> =
        (0..2000).map(|_| (0..1 + dice.below(12)).map(|_| letters[dice.below(letters.len())]).collect()).collect();
    let queries: Vec<String> = (0..100)
        .map(|_| {
            let edits = dice.below(4);
            let value = &values[dice.below(2000)];
            dice.edited(value, edits, &letters)
        })
        .collect();
    check(&values, &queries, &THRESHOLDS);
}

#[test]
fn more_characters_than_a_byte_can_tell() {
    let letters: Vec<char> = (0..1500).filter_map(|number| char::from_u32(0x4E00 + 7 * number)).collect();
    let mut dice = Dice(23);
    let values: Vec<String> = (0..1500)
        .map(|_| {
            let length = 2 + dice.below(8);
            (0..length).map(|_| letters[dice.below(letters.len()).min(dice.below(letters.len()))]).collect::<String>()
        })
        .map(|name| name + "注射液")
        .collect();
    let queries: Vec<String> = (0..40)
        .map(|_| {
            let edits = dice.below(4);
            let value = &values[dice.below(1500)];
            dice.edited(value, edits, &letters)
        })
        .chain(["x".to_owned(), "xyz注射液".to_owned()])
        .collect();
    check(&values, &queries, &THRESHOLDS);
    // What a byte just tells, and what it just does not: the greatest stands for what is foreign.
    for characters in [254, 255, 256, 257] {
        let mut values: Vec<String> = letters[..characters].chunks(5).map(|chunk| chunk.iter().collect()).collect();
        values.extend((0..100).map(|place| letters[place..place + 4].iter().collect::<String>()));
        check(&values, &[values[3].clone(), "注射液".to_owned(), values[50].clone() + "x"], &THRESHOLDS);
    }
}

#[test]
fn many_codes() {
    let digits: Vec<char> = "0123456789".chars().collect();
    let mut dice = Dice(29);
    let values: Vec<String> =
        (0..20_000).map(|_| format!("H{}{:04}", 2000 + dice.below(9), dice.below(10_000))).collect();
    let queries: Vec<String> = (0..20)
        .map(|edits| {
            let value = &values[dice.below(20_000)];
            dice.edited(value, edits % 4, &digits)
        })
        .collect();
    check(&values, &queries, &[0.7, 0.8, 0.9]);
}

#[test]
fn the_last_edit_that_a_threshold_allows() {
    let letters: Vec<char> = "abcdefghij".chars().collect();
    let mut dice = Dice(31);
    // What is edited is foreign to the text, so each edit counts. Others are there so that there is something to leave out.
    let mut values: Vec<String> = (0..2000)
        .map(|_| {
            let length = 1 + dice.below(70);
            (0..length).map(|_| letters[dice.below(letters.len())]).collect()
        })
        .collect();
    let text: String = (0..260).map(|place| letters[(place * place + place / 3) % letters.len()]).collect();
    let lengths = [1, 2, 4, 5, 6, 9, 10, 11, 15, 20, 63, 64, 65, 100, 127, 128, 129, 254, 255, 256, 260];
    for length in lengths {
        for edits in [0, 1, length / 5, length / 5 + 1, length / 10, length / 10 + 1] {
            let (kept, lost) = text[..length].split_at(length - edits.min(length));
            values.push(format!("{kept}{}", "x".repeat(lost.len())));
            values.push(format!("{}{kept}", "x".repeat(lost.len())));
            values.push(kept.to_owned());
            values.push(format!("{}{}", &text[..length], "x".repeat(edits)));
        }
    }
    let queries: Vec<&str> = lengths.iter().map(|&length| &text[..length]).collect();
    check(&values, &queries, &[0.8, 0.9]);
}

#[test]
fn texts_of_one_character_and_of_none() {
    let mut values: Vec<String> = ('a'..='z').map(String::from).collect();
    values.extend(["--", "", "同", "仁", "é", "ab", "ba", "aa"].map(String::from));
    values.extend((0..200).map(|number| format!("{number}")));
    check(&values, &["", "-", "a", "ß", "同", "仁同", "ab", "7", "77"], &THRESHOLDS);
}

#[test]
fn any_texts() {
    let text = r"([ab ]{0,9}|[abc]{0,30}|[ab]{11,12}|[aé ß北Ａ.-]{0,8}|\PC{0,12}|[ab]{60,70})";
    let strategy = (prop::collection::vec(text, 0..300), prop::collection::vec(text, 1..4), 0.0_f64..1.05);
    TestRunner::new(Config { cases: 100, ..Config::default() })
        .run(&strategy, |(values, queries, threshold)| {
            check(&values, &queries, &[threshold]);
            Ok(())
        })
        .unwrap();
}

#[test]
fn values_that_are_all_nearly_equal() {
    let mut dice = Dice(17);
    let letters: Vec<char> = "abc".chars().collect();
    let values: Vec<String> = (0..2000).map(|_| dice.edited("shanghai pharmaceutical co ltd", 2, &letters)).collect();
    check(
        &values,
        &["shanghai pharmaceutical co ltd", "shanghai farmaceutical", "beijing pharmaceutical co ltd"],
        &THRESHOLDS,
    );
    check(&vec!["same"; 2000], &["same", "some", "", "other"], &THRESHOLDS);
}

#[test]
fn long_texts() {
    let mut dice = Dice(19);
    let letters: Vec<char> = "abcdefgh ".chars().collect();
    let text: String = (0..10_000).map(|_| letters[dice.below(letters.len())]).collect();
    let mut values: Vec<String> = (0..6).map(|edits| dice.edited(&text, edits * 300, &letters)).collect();
    // Beside the longest that are cut into grams.
    values.extend((0..300).map(|length| text.chars().skip(length * 20).take(200 + length % 90).collect()));
    let queries = [text.clone(), values[3].clone(), values[40].clone(), values[61].replace('a', "b"), "x".repeat(9000)];
    check(&values, &queries, &[0.5, 0.8, 0.95, 1.0]);
}

#[test]
fn odd_thresholds_and_rows_without_values() {
    let reference = table(&["a", "", "--", "b"]);
    let index = Index::new(&reference, 0);
    assert_eq!(index.within("a", 0.0), [(0, 1.0), (2, 0.0), (3, 0.0)]);
    assert_eq!(index.within("a", -1.0).len(), 3);
    assert_eq!(index.within("", 0.5), [(2, 1.0)]);
    assert_eq!(index.within("a", f64::NAN), []);
    assert_eq!(index.within("a", 1.1), []);
    assert_eq!(index.top("a", 0.0, 0), []);
    assert_eq!(Index::new(&reference, 9).within("a", 0.0), []);
}

#[test]
fn an_index_can_be_asked_from_many_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Index>();
}
