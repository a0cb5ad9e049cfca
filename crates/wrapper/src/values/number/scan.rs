//! The scanner: digits, the separators between them, signs, and multiplying words.

use std::ops::Range;

use super::Number;
use crate::values::Hints;
use crate::values::fold::{self, Folded};
use crate::values::text::is_ignorable;
use crate::values::token::is_unspaced;

/// Largest number of digits; longer ones are identifiers.
const DIGITS: usize = 80;
/// Largest number of groups of digits in a number.
const GROUPS: usize = 24;
/// Largest power of ten in scientific notation.
const EXPONENT: i32 = 300;

/// The meaning of a single separator followed by three digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::values) enum Grouping {
    /// Every separator groups.
    Always,
    /// This separator is decimal, the other one groups.
    Decimal(char),
}

impl Grouping {
    /// Returns the convention of the page's language, or of its country if there is no language. Without either, the
    /// point is decimal.
    pub(in crate::values) fn from_hints(hints: &Hints) -> Grouping {
        Grouping::Decimal(by_language(hints).or_else(|| by_country(hints)).unwrap_or('.'))
    }

    /// Returns the decimal separator of the page, if its language and its country do not contradict each other.
    pub(in crate::values) fn known_decimal(hints: &Hints) -> Option<char> {
        let (language, country) = (by_language(hints), by_country(hints));
        match (language, country) {
            (Some(language), Some(country)) => (language == country).then_some(language),
            (language, country) => language.or(country),
        }
    }

    fn groups(self, separator: char) -> bool {
        self == Grouping::Always || self != Grouping::Decimal(separator)
    }
}

/// Returns the decimal separator of the page's language.
fn by_language(hints: &Hints) -> Option<char> {
    const COMMA: [&str; 44] = [
        "af", "az", "be", "bg", "bs", "ca", "cs", "da", "de", "el", "es", "et", "eu", "fi", "fo", "fr", "gl", "hr",
        "hu", "hy", "id", "is", "it", "ka", "kk", "lt", "lv", "mk", "nb", "nl", "nn", "no", "pl", "pt", "ro", "ru",
        "sk", "sl", "sq", "sr", "sv", "tr", "uk", "vi",
    ];
    let primary = hints.primary();
    let region = hints.region();
    let is_region = |regions: &[&str]| regions.iter().any(|other| region.eq_ignore_ascii_case(other));
    let pointed = primary.eq_ignore_ascii_case("es")
        && is_region(&["MX", "US", "PR", "GT", "HN", "NI", "PA", "PE", "SV", "DO"])
        || is_region(&["CH", "LI"]);
    let comma = COMMA.iter().any(|code| primary.eq_ignore_ascii_case(code)) && !pointed;
    (!primary.is_empty()).then_some(if comma { ',' } else { '.' })
}

/// Returns the decimal separator of the page's country. Countries that use both, such as Canada and South Africa,
/// have none.
fn by_country(hints: &Hints) -> Option<char> {
    const COMMA: &str = "AL AR AT AZ BA BE BG BO BR BY CL CO CR CZ DE DK DZ EC EE ES FI FR GE GR HR HU ID IS IT KZ LT LU LV \
                         MA ME MK NL NO PL PT PY RO RS RU SE SI SK TN TR UA UY VE VN";
    const POINT: &str =
        "AU BD CN EG GB GH GT HK HN IE IL IN JP KE KR LK MT MX MY NG NI NP NZ PA PE PH PK PR SG SV TH TW US";
    let country = hints.country.as_deref()?;
    let among = |list: &str| list.split(' ').any(|code| code.eq_ignore_ascii_case(country));
    match (among(COMMA), among(POINT)) {
        (true, _) => Some(','),
        (_, true) => Some('.'),
        _ => None,
    }
}

/// A number in a text.
#[derive(Debug, Clone)]
pub(in crate::values) struct FoundNumber {
    pub(in crate::values) number: Number,
    /// Byte range of sign, digits and multiplying word.
    pub(in crate::values) range: Range<usize>,
    /// `true` if it has a decimal part or grouped digits.
    separated: bool,
}

impl FoundNumber {
    /// Returns `true` if an accountant could have written it: it has a decimal part or groups.
    pub(in crate::values) fn is_written_out(&self) -> bool {
        self.separated
    }
}

/// An iterator over the numbers of a text.
pub(in crate::values) struct Scanner<'t> {
    text: &'t str,
    at: usize,
    grouping: Grouping,
    hints: &'t Hints,
}

/// Digits and separators as written.
struct Run {
    /// ASCII digits of all groups.
    digits: String,
    /// For each group: its end among the digits, its end in the text, and the separator before it.
    groups: [(usize, usize, char); GROUPS],
    count: usize,
}

/// The interpretation of the groups of a run.
enum Reading {
    /// The first so many groups are the number; the last of them is the decimal part.
    Fraction(usize),
    /// The first so many groups are a whole number.
    Whole(usize),
    /// Not a number, for example a version.
    Nothing,
}

impl<'t> Scanner<'t> {
    pub(in crate::values) fn new(text: &'t str, grouping: Grouping, hints: &'t Hints) -> Scanner<'t> {
        Scanner { text, at: 0, grouping, hints }
    }

    /// Returns the next number that is not attached to a word before it.
    pub(in crate::values) fn next_loose(&mut self) -> Option<FoundNumber> {
        while let Some(found) = self.next() {
            let before = self.text[..found.range.start].chars().next_back();
            let sticks = before.is_some_and(|before| (before.is_alphabetic() || before == '_') && !is_unspaced(before));
            if !sticks {
                return Some(found);
            }
        }
        None
    }

    /// Returns the next number.
    pub(in crate::values) fn next(&mut self) -> Option<FoundNumber> {
        loop {
            let rest = &self.text[self.at..];
            let (offset, first) = rest
                .char_indices()
                .find(|&(_, character)| fold::digit(character).is_some() || vulgar(character).is_some())?;
            let start = self.at + offset;
            if let Some(fraction) = vulgar(first) {
                self.at = start + first.len_utf8();
                return Some(self.signed("", fraction, start, false));
            }
            let run = self.run(start);
            let whole_end = run.groups[run.count - 1].1;
            self.at = whole_end;
            if run.digits.len() > DIGITS {
                continue;
            }
            // ".5": the point before it belongs to it.
            if run.count == 1 && self.is_bare_fraction(start) {
                let digits = run.digits.clone();
                return Some(self.signed("", &digits, start - 1, true));
            }
            match self.reading(&run) {
                Reading::Nothing => {}
                Reading::Whole(count) => {
                    self.at = run.groups[count - 1].1;
                    return Some(self.finish(&run.digits[..run.groups[count - 1].0], "", start, count > 1));
                }
                Reading::Fraction(count) => {
                    self.at = run.groups[count - 1].1;
                    let (point, end) = (run.groups[count - 2].0, run.groups[count - 1].0);
                    return Some(self.finish(&run.digits[..point], &run.digits[point..end], start, true));
                }
            }
        }
    }

    /// Reads digits with separators between them.
    fn run(&self, start: usize) -> Run {
        let mut run = Run { digits: String::with_capacity(24), groups: [(0, 0, ' '); GROUPS], count: 0 };
        let mut at = start;
        let mut separator = '\0';
        while run.count < GROUPS {
            let before = run.digits.len();
            for character in self.text[at..].chars() {
                let Some(digit) = fold::digit(character) else { break };
                run.digits.push((b'0' + digit) as char);
                at += character.len_utf8();
            }
            let length = run.digits.len() - before;
            // A space groups only if exactly three digits follow and at most three precede it.
            if separator == ' ' && length != 3 {
                run.digits.truncate(before);
                break;
            }
            run.groups[run.count] = (run.digits.len(), at, separator);
            run.count += 1;
            let Some(next) = self.text[at..].chars().next() else { break };
            let Some(normal) = separator_of(next) else { break };
            if normal == ' ' && (length > 3 || run.count > 1 && separator != ' ') {
                break;
            }
            if !self.text[at + next.len_utf8()..].starts_with(|behind| fold::digit(behind).is_some()) {
                break;
            }
            at += next.len_utf8();
            separator = normal;
        }
        run
    }

    /// Determines the meaning of the separators.
    fn reading(&self, run: &Run) -> Reading {
        let length = |group: usize| run.groups[group].0 - if group == 0 { 0 } else { run.groups[group - 1].0 };
        let mut count = run.count;
        while count > 1 {
            let last = run.groups[count - 1].2;
            let same =
                |range: Range<usize>, separator: char| range.into_iter().all(|group| run.groups[group].2 == separator);
            // Returns `true` if the first groups are digits grouped by one separator.
            let grouped = |count: usize| {
                let separator = run.groups[1].2;
                let by_threes = (1..=3).contains(&length(0)) && (1..count).all(|group| length(group) == 3);
                let indian = separator == ','
                    && length(0) <= 2
                    && (1..count - 1).all(|group| length(group) == 2)
                    && length(count - 1) == 3;
                separator != 'd' && same(1..count, separator) && (by_threes || indian)
            };
            let is_point = matches!(last, '.' | ',' | 'd');
            if count == 2 {
                let ambiguous =
                    matches!(last, '.' | ',') && length(1) == 3 && length(0) <= 3 && !run.digits.starts_with('0');
                match last {
                    'd' => return Reading::Fraction(2),
                    '.' | ',' if !ambiguous => return Reading::Fraction(2),
                    '.' | ',' if self.grouping.groups(last) => return Reading::Whole(2),
                    '.' | ',' => return Reading::Fraction(2),
                    _ if grouped(2) => return Reading::Whole(2),
                    _ => return Reading::Whole(1),
                }
            }
            if grouped(count) {
                return Reading::Whole(count);
            }
            if is_point && run.groups[1].2 != last && grouped(count - 1) {
                return Reading::Fraction(count);
            }
            // Versions, addresses, dates.
            if count == run.count && same(1..count, '.') {
                return Reading::Nothing;
            }
            // A list of numbers: only the first one is used.
            count = if same(1..count, ',') { 1 } else { count - 1 };
        }
        Reading::Whole(1)
    }

    /// Adds an exponent, a vulgar fraction or multiplying words after the digits.
    fn finish(&mut self, whole: &str, fraction: &str, start: usize, separated: bool) -> FoundNumber {
        if fraction.is_empty()
            && let Some((vulgar, end)) = self.vulgar_behind()
        {
            self.at = end;
            return self.signed(whole, vulgar, start, separated);
        }
        if let Some((exponent, end)) = self.exponent() {
            self.at = end;
            let (whole, fraction) = shift(whole, fraction, exponent);
            return self.signed(&whole, &fraction, start, separated);
        }
        if let Some((power, end)) = self.scale() {
            self.at = end;
            let (mut whole, fraction) = shift(whole, fraction, power);
            if fraction.is_empty() {
                self.continued(&mut whole, power);
            }
            return self.signed(&whole, &fraction, start, separated);
        }
        self.signed(whole, fraction, start, separated)
    }

    /// Reads "1億2000万": adds the smaller part after a Han power of ten.
    fn continued(&mut self, whole: &mut String, mut power: i32) {
        while self.text[..self.at].ends_with(is_unspaced) {
            let digits: String =
                self.text[self.at..].chars().map_while(fold::digit).map(|digit| (b'0' + digit) as char).collect();
            let bytes: usize = self.text[self.at..].chars().take(digits.len()).map(char::len_utf8).sum();
            if digits.is_empty() || digits.len() > 8 {
                return;
            }
            let before = self.at;
            self.at += bytes;
            let (next, end) = self.scale().unwrap_or((0, self.at));
            // The part must fit below the power before it.
            let room = usize::try_from(power - next).unwrap_or(0);
            if digits.len() > room || whole.len() < power as usize {
                self.at = before;
                return;
            }
            let at = whole.len() - next as usize - digits.len();
            whole.replace_range(at..at + digits.len(), &digits);
            self.at = end;
            if next == 0 {
                return;
            }
            power = next;
        }
    }

    /// Adds the sign before the digits.
    fn signed(&self, whole: &str, fraction: &str, start: usize, separated: bool) -> FoundNumber {
        let before = &self.text[..start];
        let mut range = start..self.at;
        let mut negative = false;
        if let Some(sign) = before.chars().next_back()
            && matches!(sign, '+' | '-' | '\u{2212}' | '\u{2013}' | '\u{2010}' | '\u{2011}' | '\u{FF0B}' | '\u{FF0D}')
        {
            let front = before[..before.len() - sign.len_utf8()].trim_end_matches(is_ignorable);
            let opens = front
                .chars()
                .next_back()
                .is_none_or(|last| !(last.is_alphanumeric() || matches!(last, ')' | '.' | '-' | '/')));
            // "5 –9" is a range.
            let span = sign == '\u{2013}' && front.trim_end().ends_with(|last| fold::digit(last).is_some());
            if opens && !span {
                negative = !matches!(sign, '+' | '\u{FF0B}');
                range.start = start - sign.len_utf8();
            }
        }
        FoundNumber { number: Number::new(negative, whole, fraction), range, separated }
    }

    fn is_bare_fraction(&self, start: usize) -> bool {
        let before = &self.text[..start];
        before.ends_with('.')
            && before[..before.len() - 1].chars().next_back().is_none_or(|last| {
                last.is_whitespace() || matches!(last, '-' | '+' | '$' | '€' | '£' | '(' | '~' | '<' | '=')
            })
    }

    fn vulgar_behind(&self) -> Option<(&'static str, usize)> {
        let rest = &self.text[self.at..];
        let trimmed = rest.strip_prefix([' ', '\u{A0}']).unwrap_or(rest);
        let character = trimmed.chars().next()?;
        let end = self.text.len() - trimmed.len() + character.len_utf8();
        vulgar(character).map(|fraction| (fraction, end))
    }

    /// Reads "e-7" after digits.
    fn exponent(&self) -> Option<(i32, usize)> {
        let rest = self.text[self.at..].strip_prefix(['e', 'E'])?;
        let (negative, digits) = match rest.strip_prefix(['-', '\u{2212}']) {
            Some(digits) => (true, digits),
            None => (false, rest.strip_prefix('+').unwrap_or(rest)),
        };
        let length = digits.bytes().take_while(u8::is_ascii_digit).count();
        if !(1..=3).contains(&length) || digits[length..].starts_with(char::is_alphanumeric) {
            return None;
        }
        let exponent: i32 = digits[..length].parse().ok().filter(|&exponent| exponent <= EXPONENT)?;
        Some((if negative { -exponent } else { exponent }, self.text.len() - digits.len() + length))
    }

    /// Reads a power of ten after the digits; also returns the end of its word.
    fn scale(&self) -> Option<(i32, usize)> {
        let rest = &self.text[self.at..];
        let word = rest.trim_start_matches([' ', '\u{A0}', '\u{2009}', '\u{202F}']);
        let spaced = word.len() != rest.len();
        let start = self.text.len() - word.len();
        let first = word.chars().next().filter(|first| first.is_alphabetic())?;
        if is_unspaced(first) {
            let power =
                HAN.iter().find_map(|&(sign, power)| word.starts_with(sign).then_some((power, start + sign.len())));
            return power.or_else(|| {
                THAI.iter().find_map(|&(sign, power)| word.starts_with(sign).then_some((power, start + sign.len())))
            });
        }
        let length =
            word.find(|character: char| !character.is_alphabetic() && !is_mark(character)).unwrap_or(word.len());
        let word = &word[..length];
        if !spaced && let Some(&(_, power)) = ATTACHED.iter().find(|(name, _)| *name == word) {
            return Some((power, start + length));
        }
        if length > 40 {
            return None;
        }
        let folded = Folded::from_word(word);
        let folded = folded.as_str();
        let entry = SCALES.binary_search_by(|(name, ..)| name.cmp(&folded)).ok().map(|index| SCALES[index])?;
        let (_, power, language) = entry;
        let said =
            language.is_empty() || language.split(' ').any(|code| self.hints.primary().eq_ignore_ascii_case(code));
        said.then_some((power, start + length))
    }
}

fn is_mark(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36F}' | '\u{93C}'..='\u{94D}' | '\u{902}')
}

/// Normalises a separator to `.`, `,`, an apostrophe, a space, `d` for one that is always decimal, or `t` for one
/// that always groups.
pub(in crate::values) fn separator_of(character: char) -> Option<char> {
    Some(match character {
        '.' | '\u{FF0E}' => '.',
        ',' | '\u{FF0C}' => ',',
        '\'' | '\u{2019}' | '\u{2BC}' | '\u{FF07}' => '\'',
        ' ' | '\u{A0}' | '\u{2009}' | '\u{202F}' | '\u{2007}' | '\u{2008}' => ' ',
        '\u{66B}' => 'd',
        '\u{66C}' | '\u{60C}' => 't',
        _ => return None,
    })
}

/// Returns the decimal digits of a vulgar fraction with finitely many of them.
fn vulgar(character: char) -> Option<&'static str> {
    Some(match character {
        '½' => "5",
        '¼' => "25",
        '¾' => "75",
        '⅛' => "125",
        '⅜' => "375",
        '⅝' => "625",
        '⅞' => "875",
        '⅕' => "2",
        '⅖' => "4",
        '⅗' => "6",
        '⅘' => "8",
        _ => return None,
    })
}

/// Multiplies digits by a power of ten.
fn shift(whole: &str, fraction: &str, power: i32) -> (String, String) {
    let distance = power.unsigned_abs() as usize;
    if power >= 0 {
        let moved = distance.min(fraction.len());
        let zeros = "0".repeat(distance - moved);
        (format!("{whole}{}{zeros}", &fraction[..moved]), fraction[moved..].to_owned())
    } else {
        let moved = distance.min(whole.len());
        let zeros = "0".repeat(distance - moved);
        let point = whole.len() - moved;
        (whole[..point].to_owned(), format!("{zeros}{}{fraction}", &whole[point..]))
    }
}

/// Letters that multiply only directly after the digits.
const ATTACHED: &[(&str, i32)] = &[("k", 3), ("K", 3), ("M", 6), ("B", 9), ("m", 0), ("bn", 9), ("mn", 6), ("mm", 0)];

const HAN: &[(&str, i32)] =
    &[("万", 4), ("萬", 4), ("億", 8), ("亿", 8), ("兆", 12), ("千", 3), ("만", 4), ("억", 8), ("조", 12), ("천", 3)];

const THAI: &[(&str, i32)] = &[("ล้าน", 6), ("แสน", 5), ("หมื่น", 4), ("พัน", 3)];

/// Multiplying words, folded and sorted; if a word has other meanings, with the languages of pages on which it
/// multiplies.
const SCALES: &[(&str, i32, &str)] = &[
    ("billion", 9, ""),
    ("billions", 9, ""),
    ("bin", 3, "tr"),
    ("bln", 9, ""),
    ("bn", 9, ""),
    ("crore", 7, ""),
    ("crores", 7, ""),
    ("hundred", 2, ""),
    ("juta", 6, ""),
    ("lac", 5, ""),
    ("lakh", 5, ""),
    ("lakhs", 5, ""),
    ("mia", 9, ""),
    ("mil", 3, "es pt"),
    ("milhao", 6, ""),
    ("milhoes", 6, ""),
    ("miliard", 9, ""),
    ("miliarda", 9, ""),
    ("miliarde", 9, ""),
    ("miliardi", 9, ""),
    ("miliardo", 9, ""),
    ("miliardu", 9, ""),
    ("miliardy", 9, ""),
    ("milijard", 9, ""),
    ("milijon", 6, ""),
    ("milijun", 6, ""),
    ("milijuna", 6, ""),
    ("milioane", 6, ""),
    ("milion", 6, ""),
    ("milionai", 6, ""),
    ("milione", 6, ""),
    ("milioni", 6, ""),
    ("milionow", 6, ""),
    ("milionu", 6, ""),
    ("miliony", 6, ""),
    ("miljard", 9, ""),
    ("miljarder", 9, ""),
    ("miljardia", 9, ""),
    ("miljoen", 6, ""),
    ("miljon", 6, ""),
    ("miljonaa", 6, ""),
    ("miljoner", 6, ""),
    ("miljoonaa", 6, ""),
    ("millao", 6, ""),
    ("milliard", 9, ""),
    ("milliarde", 9, ""),
    ("milliarden", 9, ""),
    ("milliarder", 9, ""),
    ("milliards", 9, ""),
    ("million", 6, ""),
    ("millionen", 6, ""),
    ("millioner", 6, ""),
    ("millions", 6, ""),
    ("millon", 6, ""),
    ("millones", 6, ""),
    ("milyar", 9, ""),
    ("milyon", 6, ""),
    ("mio", 6, ""),
    ("mld", 9, ""),
    ("mln", 6, ""),
    ("mn", 6, ""),
    ("mrd", 9, ""),
    ("nghin", 3, ""),
    ("ribu", 3, ""),
    ("thousand", 3, ""),
    ("tis", 3, ""),
    ("trieu", 6, ""),
    ("trillion", 12, ""),
    ("tsd", 3, ""),
    ("tusen", 3, ""),
    ("ty", 9, "vi"),
    ("tys", 3, ""),
    ("миллиард", 9, ""),
    ("миллиарда", 9, ""),
    ("миллиардов", 9, ""),
    ("миллион", 6, ""),
    ("миллиона", 6, ""),
    ("миллионов", 6, ""),
    ("млн", 6, ""),
    ("млрд", 9, ""),
    ("тис", 3, ""),
    ("тыс", 3, ""),
    ("тысяч", 3, ""),
    ("хил", 3, ""),
    ("الف", 3, ""),
    ("مليار", 9, ""),
    ("مليون", 6, ""),
    ("ميليون", 6, ""),
    ("करोड", 7, ""),
    ("लाख", 5, ""),
    ("हजार", 3, ""),
];

#[cfg(test)]
mod tests {
    use super::SCALES;

    #[test]
    fn words_are_sorted_and_folded() {
        for pair in SCALES.windows(2) {
            assert!(pair[0].0 < pair[1].0, "{} {}", pair[0].0, pair[1].0);
        }
        for (word, ..) in SCALES {
            assert_eq!(super::Folded::from_word(word).as_str(), *word);
        }
    }
}
