//! The words of dates in many languages: names of months and days, units, marks and the small words between them.
//!
//! All languages share one table, because a page's `lang` is often missing or wrong. A word has the senses of all
//! languages that use it; the sense in the page's language comes first, otherwise the order of [`LANGUAGES`] decides
//! (`listopad` is November in Polish and Czech, October in Croatian). Cost: one hash of the folded word; the table is
//! built once.

mod europe;
mod germanic;
mod romance;
mod slavic;
mod world;

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::OnceLock;

use super::fold::Folded;

/// A set of languages, by their index in [`LANGUAGES`].
pub(super) type Languages = u64;

/// A meaning of a word in a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A month, 1 to 12.
    Month(u8),
    /// A month of the Persian solar calendar, 1 to 12.
    PersianMonth(u8),
    /// A day of the week.
    Weekday,
    /// A day relative to today: yesterday is -1.
    Day(i8),
    /// A unit of time.
    Unit(Unit),
    /// A word for the past before a count and a unit ("vor").
    AgoBefore,
    /// A word for the past after a count and a unit ("ago").
    AgoAfter,
    /// One ("an hour ago").
    One,
    /// Morning.
    Am,
    /// Afternoon or evening.
    Pm,
    /// A small word inside a date ("of", "de").
    Glue,
    /// A small word between date and time ("at", "kl").
    At,
    /// The end of an ordinal number ("st", "er").
    Ordinal,
    /// A mark after a year ("年", "года").
    YearMark,
    /// A mark after a month's number ("月").
    MonthMark,
    /// A mark before a month's number ("tháng").
    MonthBefore,
    /// A mark after a day's number ("日").
    DayMark,
    /// A mark after an hour ("h", "Uhr", "時").
    HourMark,
    /// A mark after a minute.
    MinuteMark,
    /// A mark after a second.
    SecondMark,
    /// An era before a year: the number to add to the year.
    Era(i16),
    /// The first year of an era ("元").
    First,
    /// A time zone: minutes east of Greenwich.
    Zone(i16),
    /// The first word of a pair that is a keyword.
    PairStart,
}

/// Units of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
}

const UNITS: [Unit; 7] = [Unit::Second, Unit::Minute, Unit::Hour, Unit::Day, Unit::Week, Unit::Month, Unit::Year];

/// One sense of a word, and the languages that have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sense {
    pub(super) meaning: Meaning,
    pub(super) languages: Languages,
}

/// The words of one language. Alternatives are separated by spaces; `_` joins the two words of a pair.
struct Language {
    code: &'static str,
    months: [&'static str; 12],
    weekdays: &'static str,
    today: &'static str,
    yesterday: &'static str,
    before_yesterday: &'static str,
    tomorrow: &'static str,
    /// Second, minute, hour, day, week, month, year: in the forms used after a count.
    units: [&'static str; 7],
    ago_before: &'static str,
    ago_after: &'static str,
    one: &'static str,
    glue: &'static str,
    at: &'static str,
    ordinal: &'static str,
    am: &'static str,
    pm: &'static str,
    year_mark: &'static str,
    day_mark: &'static str,
    hour_mark: &'static str,
    minute_mark: &'static str,
    second_mark: &'static str,
}

/// A language without words, for fields that a language leaves out.
const NONE: Language = Language {
    code: "",
    months: [""; 12],
    weekdays: "",
    today: "",
    yesterday: "",
    before_yesterday: "",
    tomorrow: "",
    units: [""; 7],
    ago_before: "",
    ago_after: "",
    one: "",
    glue: "",
    at: "",
    ordinal: "",
    am: "",
    pm: "",
    year_mark: "",
    day_mark: "",
    hour_mark: "",
    minute_mark: "",
    second_mark: "",
};

/// All languages; where two disagree about a word, the earlier one wins unless the page says otherwise.
const LANGUAGES: [&Language; 45] = [
    &germanic::ENGLISH,
    &germanic::GERMAN,
    &romance::FRENCH,
    &romance::SPANISH,
    &romance::PORTUGUESE,
    &romance::ITALIAN,
    &germanic::DUTCH,
    &germanic::DANISH,
    &germanic::NORWEGIAN,
    &germanic::SWEDISH,
    &europe::FINNISH,
    &germanic::ICELANDIC,
    &slavic::POLISH,
    &slavic::CZECH,
    &slavic::SLOVAK,
    &europe::HUNGARIAN,
    &romance::ROMANIAN,
    &slavic::SLOVENE,
    &slavic::CROATIAN,
    &slavic::SERBIAN,
    &slavic::RUSSIAN,
    &slavic::UKRAINIAN,
    &slavic::BULGARIAN,
    &slavic::MACEDONIAN,
    &slavic::BELARUSIAN,
    &europe::GREEK,
    &europe::TURKISH,
    &europe::LITHUANIAN,
    &europe::LATVIAN,
    &europe::ESTONIAN,
    &europe::BASQUE,
    &romance::CATALAN,
    &romance::GALICIAN,
    &world::INDONESIAN,
    &world::MALAY,
    &world::VIETNAMESE,
    &world::ARABIC,
    &world::HEBREW,
    &world::PERSIAN,
    &world::HINDI,
    &world::BENGALI,
    &world::THAI,
    &world::CHINESE,
    &world::JAPANESE,
    &world::KOREAN,
];

/// Time zone abbreviations: minutes east of Greenwich. Zones without a fixed offset ("ET") are left out.
const ZONES: &[(&str, i16)] = &[
    ("utc", 0),
    ("gmt", 0),
    ("ut", 0),
    ("wet", 0),
    ("est", -300),
    ("edt", -240),
    ("cst", -360),
    ("cdt", -300),
    ("mst", -420),
    ("mdt", -360),
    ("pst", -480),
    ("pdt", -420),
    ("akst", -540),
    ("akdt", -480),
    ("hst", -600),
    ("ast", -240),
    ("adt", -180),
    ("brt", -180),
    ("art", -180),
    ("bst", 60),
    ("west", 60),
    ("wat", 60),
    ("cet", 60),
    ("mez", 60),
    ("cest", 120),
    ("mesz", 120),
    ("eet", 120),
    ("cat", 120),
    ("sast", 120),
    ("eest", 180),
    ("msk", 180),
    ("мск", 180),
    ("eat", 180),
    ("trt", 180),
    ("gst", 240),
    ("pkt", 300),
    ("ist", 330),
    ("ict", 420),
    ("wib", 420),
    ("hkt", 480),
    ("sgt", 480),
    ("pht", 480),
    ("awst", 480),
    ("wita", 480),
    ("jst", 540),
    ("kst", 540),
    ("wit", 540),
    ("acst", 570),
    ("aest", 600),
    ("aedt", 660),
    ("nzst", 720),
    ("nzdt", 780),
];

/// Eras before a year: the number to add to get the common year.
const ERAS: &[(&str, i16)] = &[
    ("令和", 2018),
    ("平成", 1988),
    ("昭和", 1925),
    ("大正", 1911),
    ("明治", 1867),
    ("民國", 1911),
    ("民国", 1911),
    ("西暦", 0),
    ("公元", 0),
    ("พศ", -543),
    ("คศ", 0),
    ("서기", 0),
];

/// Returns the language of a primary subtag, as a set of one; empty if it is not known.
pub(super) fn language(primary: &str) -> Languages {
    let mut code = [0_u8; 3];
    if primary.is_empty() || primary.len() > code.len() {
        return 0;
    }
    let code = &mut code[..primary.len()];
    code.copy_from_slice(primary.as_bytes());
    code.make_ascii_lowercase();
    let code: &[u8] = match &*code {
        b"nb" | b"nn" => b"no",
        b"bs" | b"sh" => b"hr",
        b"iw" => b"he",
        b"in" => b"id",
        b"yue" | b"cmn" => b"zh",
        code => code,
    };
    LANGUAGES.iter().position(|language| language.code.as_bytes() == code).map_or(0, |index| 1 << index)
}

/// Returns the code of a set of one language; empty for the empty set.
pub(super) fn code(language: Languages) -> &'static str {
    LANGUAGES.get(language.trailing_zeros() as usize).map_or("", |language| language.code)
}

/// The table of all words.
pub(super) struct Table {
    senses: Vec<Sense>,
    ranges: HashMap<Box<str>, (u32, u32), BuildHasherDefault<Fnv>>,
    /// For scripts without spaces: the first character of keywords, and the length of the longest keyword that begins
    /// with it.
    starts: HashMap<char, u8, BuildHasherDefault<Fnv>>,
}

impl Table {
    /// Returns the table, building it on first use.
    pub(super) fn get() -> &'static Table {
        static TABLE: OnceLock<Table> = OnceLock::new();
        TABLE.get_or_init(Table::build)
    }

    /// Returns the senses of a folded word; empty if it is not a keyword.
    pub(super) fn senses(&self, folded: &str) -> &[Sense] {
        self.ranges.get(folded).map_or(&[], |&(start, end)| &self.senses[start as usize..end as usize])
    }

    /// Returns the length of the longest keyword that begins with this character, in a script without spaces.
    pub(super) fn longest(&self, first: char) -> usize {
        self.starts.get(&first).map_or(0, |&longest| longest.into())
    }

    fn build() -> Table {
        let mut draft = Draft::default();
        for (index, language) in LANGUAGES.iter().enumerate() {
            draft.language(language, 1 << index);
        }
        for (index, names) in world::PERSIAN_MONTHS.iter().enumerate() {
            draft.words(names, Meaning::PersianMonth(index as u8 + 1), language("fa"));
        }
        for &(name, offset) in ERAS {
            draft.words(name, Meaning::Era(offset), 0);
        }
        for &(name, offset) in ZONES {
            draft.words(name, Meaning::Zone(offset), 0);
        }
        draft.words("元", Meaning::First, 0);
        draft.words("h", Meaning::HourMark, 0);
        draft.words("min", Meaning::MinuteMark, 0);
        draft.words("s sec", Meaning::SecondMark, 0);
        draft.finish()
    }
}

#[derive(Default)]
struct Draft {
    // Sorted, so that the table is the same in every process.
    words: std::collections::BTreeMap<Box<str>, Vec<Sense>>,
}

impl Draft {
    fn language(&mut self, language: &Language, set: Languages) {
        for (index, names) in language.months.iter().enumerate() {
            self.words(names, Meaning::Month(index as u8 + 1), set);
        }
        for (names, meaning) in [
            (language.weekdays, Meaning::Weekday),
            (language.today, Meaning::Day(0)),
            (language.yesterday, Meaning::Day(-1)),
            (language.before_yesterday, Meaning::Day(-2)),
            (language.tomorrow, Meaning::Day(1)),
            (language.ago_before, Meaning::AgoBefore),
            (language.ago_after, Meaning::AgoAfter),
            (language.one, Meaning::One),
            (language.glue, Meaning::Glue),
            (language.at, Meaning::At),
            (language.ordinal, Meaning::Ordinal),
            (language.am, Meaning::Am),
            (language.pm, Meaning::Pm),
            (language.year_mark, Meaning::YearMark),
            (language.day_mark, Meaning::DayMark),
            (language.hour_mark, Meaning::HourMark),
            (language.minute_mark, Meaning::MinuteMark),
            (language.second_mark, Meaning::SecondMark),
        ] {
            self.words(names, meaning, set);
        }
        for (names, unit) in language.units.iter().zip(UNITS) {
            self.words(names, Meaning::Unit(unit), set);
        }
        let mark = match language.code {
            "vi" => Some(("thang thg", Meaning::MonthBefore)),
            "zh" | "ja" => Some(("月", Meaning::MonthMark)),
            "ko" => Some(("월", Meaning::MonthMark)),
            _ => None,
        };
        if let Some((names, meaning)) = mark {
            self.words(names, meaning, set);
        }
    }

    fn words(&mut self, names: &str, meaning: Meaning, languages: Languages) {
        for name in names.split_whitespace() {
            if let Some((first, second)) = name.split_once('_') {
                let (first, second) = (Folded::from_word(first), Folded::from_word(second));
                self.add(format!("{} {}", first.as_str(), second.as_str()).into(), meaning, languages);
                self.add(first.as_str().into(), Meaning::PairStart, languages);
            } else {
                self.add(Folded::from_word(name).as_str().into(), meaning, languages);
            }
        }
    }

    fn add(&mut self, word: Box<str>, meaning: Meaning, languages: Languages) {
        let senses = self.words.entry(word).or_default();
        match senses.iter_mut().find(|sense| sense.meaning == meaning) {
            Some(sense) => sense.languages |= languages,
            None => senses.push(Sense { meaning, languages }),
        }
    }

    fn finish(self) -> Table {
        let mut table = Table { senses: Vec::new(), ranges: HashMap::default(), starts: HashMap::default() };
        for (word, senses) in self.words {
            if let Some(first) = word.chars().next()
                && super::token::is_unspaced(first)
            {
                let longest = table.starts.entry(first).or_default();
                *longest = (*longest).max(word.chars().count().min(32) as u8);
            }
            let start = table.senses.len() as u32;
            table.senses.extend(senses);
            table.ranges.insert(word, (start, table.senses.len() as u32));
        }
        table
    }
}

/// FNV-1a: keywords are a few bytes long, and no page can choose what is in the table.
#[derive(Clone, Copy)]
pub(super) struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }

    fn write_u32(&mut self, value: u32) {
        self.0 = (self.0 ^ u64::from(value)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        // The map uses the upper bits, too.
        self.0 ^ self.0 >> 29
    }
}

#[cfg(test)]
mod tests {
    use super::{LANGUAGES, Languages, Meaning, Table, code, language};
    use crate::values::fold::Folded;

    fn months(word: &str) -> Vec<(u8, Languages)> {
        let folded = Folded::from_word(word);
        let senses = Table::get().senses(folded.as_str()).iter();
        senses
            .filter_map(
                |sense| if let Meaning::Month(month) = sense.meaning { Some((month, sense.languages)) } else { None },
            )
            .collect()
    }

    #[test]
    fn languages_are_known_by_their_codes() {
        assert_eq!(language("en"), 1);
        assert_eq!(language("NB"), language("no"));
        assert_eq!(language("xx"), 0);
        assert_eq!((code(language("nn")), code(0)), ("no", ""));
        assert_eq!(language(""), 0);
        let codes: std::collections::BTreeSet<_> = LANGUAGES.iter().map(|language| language.code).collect();
        assert_eq!(codes.len(), LANGUAGES.len());
    }

    #[test]
    fn one_word_may_be_two_months() {
        assert_eq!(months("listopad").iter().map(|month| month.0).collect::<Vec<_>>(), [11, 10]);
        assert_eq!(months("März"), [(3, language("de"))]);
        assert!(months("mai").iter().any(|&(_, languages)| languages & language("fr") != 0));
    }

    /// Within one language, no word may name two months: that would be a mistake in the tables.
    #[test]
    fn no_language_contradicts_itself() {
        for entry in &LANGUAGES {
            let set = language(entry.code);
            for names in entry.months {
                for name in names.split_whitespace().filter(|name| !name.contains('_')) {
                    let found: Vec<_> = months(name).into_iter().filter(|month| month.1 & set != 0).collect();
                    assert_eq!(found.len(), 1, "{} {name}", entry.code);
                }
            }
        }
    }
}
