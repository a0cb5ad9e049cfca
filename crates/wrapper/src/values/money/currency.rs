//! Names of currencies: symbols, codes and words, and how the shared ones are resolved on a page.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::OnceLock;

use super::LeadingCurrency;
use crate::values::Hints;
use crate::values::fold::Folded;
use crate::values::token::is_unspaced;
use crate::values::words::Fnv;

/// The currency that a symbol or word stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    /// A single currency.
    Code(&'static str),
    /// Dollars or pesos of some country.
    Dollar,
    /// Some crown.
    Crown,
    /// Yen or yuan.
    Yen,
    /// Yuan or another dollar of the Chinese-speaking world.
    Yuan,
    /// Some rupee.
    Rupee,
    /// Some peso.
    Peso,
    /// Some riyal or rial.
    Riyal,
    /// Some franc.
    Franc,
    /// A dirham, dinar or pound that only the region determines.
    Local,
}

impl Name {
    /// Returns `true` if several countries share it.
    pub(super) fn is_shared(self) -> bool {
        !matches!(self, Name::Code(_))
    }

    /// Returns the code according to the page. Without evidence on the page, it is the most frequent currency if one
    /// clearly is; with contradictory evidence, `None`.
    pub(super) fn code(self, hints: &Hints) -> Option<&'static str> {
        match (self, self.evidence(hints)) {
            (Name::Code(code), _) => Some(code),
            (_, Evidence::Proven(code)) => Some(code),
            (_, Evidence::Contradictory) => None,
            (Name::Dollar, Evidence::Missing) => Some("USD"),
            (Name::Yuan, Evidence::Missing) => Some("CNY"),
            (Name::Rupee, Evidence::Missing) => Some("INR"),
            (Name::Riyal, Evidence::Missing) => Some("SAR"),
            _ => None,
        }
    }

    /// Returns the code if the page proves it.
    fn known_code(self, hints: &Hints) -> Option<&'static str> {
        match (self, self.evidence(hints)) {
            (Name::Code(code), _) | (_, Evidence::Proven(code)) => Some(code),
            _ => None,
        }
    }

    /// Collects evidence for one of the currencies that share the name: the currency that the page declares, or else
    /// its country and its language.
    fn evidence(self, hints: &Hints) -> Evidence {
        let choices = self.choices();
        let declared = hints.currency.as_deref().and_then(|own| choices.iter().find(|code| **code == own));
        if let Some(code) = declared {
            return Evidence::Proven(code);
        }
        let among = |code: &'static str| choices.contains(&code).then_some(code);
        let by_country = hints.country.as_deref().and_then(of_region).and_then(among);
        let by_tag = of_region(hints.language_region()).and_then(among);
        let by_language = self.of_language(hints).and_then(among);
        let mut told = [by_country, by_tag, by_language].into_iter().flatten();
        match told.next() {
            None => Evidence::Missing,
            Some(first) if told.all(|other| other == first) => Evidence::Proven(first),
            Some(_) => Evidence::Contradictory,
        }
    }

    /// Returns the currencies that it may stand for.
    fn choices(self) -> &'static [&'static str] {
        match self {
            Name::Code(_) => &[],
            Name::Dollar => {
                &["USD", "CAD", "AUD", "NZD", "SGD", "HKD", "TWD", "MXN", "ARS", "CLP", "COP", "UYU", "DOP", "JMD"]
            }
            Name::Crown => &["DKK", "NOK", "SEK", "ISK"],
            Name::Yen => &["CNY", "JPY"],
            Name::Yuan => &["CNY", "TWD", "HKD"],
            Name::Rupee => &["INR", "PKR", "LKR", "NPR", "MUR"],
            Name::Peso => &["MXN", "ARS", "CLP", "COP", "UYU", "PHP", "DOP"],
            Name::Riyal => &["SAR", "QAR", "OMR", "YER", "IRR"],
            Name::Franc => &["CHF", "XAF", "XOF"],
            Name::Local => &["AED", "MAD", "KWD", "BHD", "JOD", "TND", "DZD", "IQD", "EGP", "ZAR", "RSD"],
        }
    }

    /// Returns the currency of the page's language, where the language alone determines it.
    fn of_language(self, hints: &Hints) -> Option<&'static str> {
        let primary = hints.primary().to_ascii_lowercase();
        match (self, primary.as_str()) {
            (Name::Crown, "da" | "fo") => Some("DKK"),
            (Name::Crown, "no" | "nb" | "nn") => Some("NOK"),
            (Name::Crown, "sv") => Some("SEK"),
            (Name::Crown, "is") => Some("ISK"),
            (Name::Yen, "zh") => Some("CNY"),
            (Name::Yen, "ja") => Some("JPY"),
            (Name::Rupee, "ur") => Some("PKR"),
            (Name::Rupee, "ne") => Some("NPR"),
            (Name::Rupee, "si") => Some("LKR"),
            (Name::Rupee, "hi" | "mr" | "gu" | "kn" | "te") => Some("INR"),
            (Name::Riyal, "fa") => Some("IRR"),
            _ => None,
        }
    }
}

/// The evidence on a page for a name that several currencies share.
enum Evidence {
    Missing,
    Contradictory,
    Proven(&'static str),
}

/// Returns the currency of a region, where symbols are shared.
fn of_region(region: &str) -> Option<&'static str> {
    REGIONS.iter().find(|(place, _)| place.eq_ignore_ascii_case(region)).map(|&(_, code)| code)
}

/// Codes that are words of everyday English before a number: "TOP 10", "ALL 5".
const WORDLIKE: &str = "ALL AMD BAM BOB COP CUP DEM GEL LAK MAD PEN RON SOS TOP TRY";

/// Languages and countries of currencies whose short names mean something else elsewhere: "20 kn" is a speed, "5
/// pounds" a weight, "DIN 4844" a standard.
const HOMES: &[(&str, &str)] = &[
    ("BRL", "pt BR"),
    ("CHF", "CH LI"),
    ("CZK", "cs CZ"),
    ("GBP", "GB"),
    ("HRK", "hr HR"),
    ("HUF", "hu HU"),
    ("IDR", "id ID"),
    ("ILS", "he IL"),
    ("JPY", "ja JP"),
    ("CNY", "zh CN"),
    ("KES", "sw KE"),
    ("KRW", "ko KR"),
    ("MYR", "ms MY"),
    ("NGN", "NG"),
    ("PLN", "pl PL"),
    ("RON", "ro RO"),
    ("RSD", "sr RS"),
    ("THB", "th TH"),
    ("TRY", "tr TR"),
    ("TWD", "TW"),
];

/// Returns the code of a name as written, if the text and the page leave no doubt about it.
pub(super) fn proven(name: Name, written: &str, in_front: bool, hints: &Hints) -> Option<&'static str> {
    let code = name.known_code(hints)?;
    if name.is_shared() || written.contains(is_symbol) || !written.is_ascii() {
        return Some(code);
    }
    if written == code {
        return (!in_front || !WORDLIKE.split(' ').any(|word| word == code)).then_some(code);
    }
    let euro = code == "EUR" || written.eq_ignore_ascii_case(code);
    let at_home = || {
        let places = HOMES.iter().find(|(home, _)| *home == code).map_or("", |&(_, places)| places);
        let is_here = |place: &str| {
            if place.len() == 2 && place.bytes().all(|byte| byte.is_ascii_uppercase()) {
                hints.region().eq_ignore_ascii_case(place)
            } else {
                hints.primary().eq_ignore_ascii_case(place)
            }
        };
        places.split(' ').any(is_here)
    };
    (euro || at_home()).then_some(code)
}

/// Returns `true` if a word is an ISO 4217 code.
pub(crate) fn is_code(word: &str) -> bool {
    word.len() == 3 && word.bytes().all(|byte| byte.is_ascii_uppercase()) && code_in(CODES, word).is_some()
}

/// Regions and their currencies, where symbols are shared.
const REGIONS: &[(&str, &str)] = &[
    ("CN", "CNY"),
    ("JP", "JPY"),
    ("IN", "INR"),
    ("SA", "SAR"),
    ("IR", "IRR"),
    ("US", "USD"),
    ("CA", "CAD"),
    ("AU", "AUD"),
    ("NZ", "NZD"),
    ("SG", "SGD"),
    ("HK", "HKD"),
    ("TW", "TWD"),
    ("MX", "MXN"),
    ("AR", "ARS"),
    ("CL", "CLP"),
    ("CO", "COP"),
    ("UY", "UYU"),
    ("DO", "DOP"),
    ("JM", "JMD"),
    ("PH", "PHP"),
    ("DK", "DKK"),
    ("NO", "NOK"),
    ("SE", "SEK"),
    ("IS", "ISK"),
    ("PK", "PKR"),
    ("LK", "LKR"),
    ("NP", "NPR"),
    ("MU", "MUR"),
    ("QA", "QAR"),
    ("OM", "OMR"),
    ("YE", "YER"),
    ("CH", "CHF"),
    ("CM", "XAF"),
    ("SN", "XOF"),
    ("AE", "AED"),
    ("MA", "MAD"),
    ("KW", "KWD"),
    ("BH", "BHD"),
    ("JO", "JOD"),
    ("TN", "TND"),
    ("DZ", "DZD"),
    ("IQ", "IQD"),
    ("EG", "EGP"),
    ("ZA", "ZAR"),
    ("RS", "RSD"),
];

/// ISO 4217 codes in use, and a few that pages still show.
const CODES: &str = "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DEM DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP FRF GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK ITL JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NLG NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWL";

/// Codes that are not words, and may therefore be written in lower case.
const PLAIN: &str =
    "aud brl cad chf cny czk dkk eur gbp hkd huf inr jpy krw mxn nok nzd pln rub sek sgd twd uah usd vnd";

/// Symbols and words, by meaning.
const NAMES: &[(&str, Name)] = &[
    (
        "€ euro euros eur. ευρώ евро євро يورو אירו यूरो ยูโร ユーロ 欧元 歐元 유로 eura eurot euroa eurų eiro",
        Name::Code("EUR"),
    ),
    ("£ ￡ gbp£ £stg pound pounds quid sterling ポンド 英镑 파운드 фунтов", Name::Code("GBP")),
    (
        "us$ us-$ u$s u$d u.s.$ usd$ $us $usd 美元 美金 米ドル ドル 달러 доллар доллара долларов доларів دولار דולר",
        Name::Code("USD"),
    ),
    ("a$ au$ aud$", Name::Code("AUD")),
    ("c$ ca$ cdn$ cad$ can$ $ca", Name::Code("CAD")),
    ("nz$", Name::Code("NZD")),
    ("hk$ 港元 港币 港幣", Name::Code("HKD")),
    ("nt$ ntd 新台幣 新臺幣 台币 台幣", Name::Code("TWD")),
    ("s$ sg$", Name::Code("SGD")),
    ("mx$ mex$", Name::Code("MXN")),
    ("r$ reais real", Name::Code("BRL")),
    ("ar$", Name::Code("ARS")),
    ("cl$", Name::Code("CLP")),
    ("col$ cop$", Name::Code("COP")),
    ("rd$", Name::Code("DOP")),
    ("j$", Name::Code("JMD")),
    ("tt$", Name::Code("TTD")),
    ("ec$", Name::Code("XCD")),
    ("$ ＄ dollar dollars dólares dólar dollari dollár dollaria", Name::Dollar),
    ("kr kr. kronor kroner kronur krónur krona krone", Name::Crown),
    ("¥ ￥", Name::Yen),
    ("元 圓 圆 块 塊", Name::Yuan),
    ("円 yen jp¥ 日元 日圓 엔", Name::Code("JPY")),
    ("cn¥ rmb 人民币 人民幣 yuan 위안", Name::Code("CNY")),
    ("₩ ￦ 원 won", Name::Code("KRW")),
    ("₹ रुपये रुपए रु inr₹", Name::Code("INR")),
    ("rs rs. ₨ rupees rupee re. रू", Name::Rupee),
    ("฿ บาท baht", Name::Code("THB")),
    ("₫ đ vnđ đồng", Name::Code("VND")),
    ("₱ php₱", Name::Code("PHP")),
    ("rp rp. rupiah", Name::Code("IDR")),
    ("rm ringgit", Name::Code("MYR")),
    ("₪ שח ש״ח ש\"ח שקל שקלים nis", Name::Code("ILS")),
    ("₺ tl lira lirası", Name::Code("TRY")),
    ("₽ руб руб. рублей рубля рубль р р. rub.", Name::Code("RUB")),
    ("₴ грн грн. гривень гривні гривня", Name::Code("UAH")),
    ("лв лв. лева", Name::Code("BGN")),
    ("zł zl złotych złote złoty", Name::Code("PLN")),
    ("kč kc korun koruny kčs", Name::Code("CZK")),
    ("ft ft. forint", Name::Code("HUF")),
    ("lei leu", Name::Code("RON")),
    ("kn kuna", Name::Code("HRK")),
    ("din din. dinara дин дин. динара rsd.", Name::Code("RSD")),
    ("ден ден.", Name::Code("MKD")),
    ("fr. sfr sfr. fr franken stutz", Name::Code("CHF")),
    ("francs franc", Name::Franc),
    ("peso pesos", Name::Peso),
    ("₸ тг тенге", Name::Code("KZT")),
    ("₦ naira", Name::Code("NGN")),
    ("₵ gh₵ gh¢", Name::Code("GHS")),
    ("ksh kshs", Name::Code("KES")),
    ("₾", Name::Code("GEL")),
    ("₼", Name::Code("AZN")),
    ("₮", Name::Code("MNT")),
    ("៛", Name::Code("KHR")),
    ("₭", Name::Code("LAK")),
    ("৳ টাকা", Name::Code("BDT")),
    ("₡", Name::Code("CRC")),
    ("₲", Name::Code("PYG")),
    ("s/ s/.", Name::Code("PEN")),
    ("﷼ ريال ر.س ﷼. ریال", Name::Riyal),
    ("د.إ", Name::Code("AED")),
    ("جنيه ج.م", Name::Code("EGP")),
    ("درهم دينار", Name::Local),
    ("Ƀ", Name::Local),
];

/// Length of the longest name, in characters.
const LONGEST: usize = 12;

fn names() -> &'static HashMap<Box<str>, Name, BuildHasherDefault<Fnv>> {
    static NAMES_BY_WORD: OnceLock<HashMap<Box<str>, Name, BuildHasherDefault<Fnv>>> = OnceLock::new();
    NAMES_BY_WORD.get_or_init(|| {
        let mut names = HashMap::default();
        for &(words, name) in NAMES {
            for word in words.split(' ') {
                names.insert(Folded::from_word(word).as_str().into(), name);
            }
        }
        names
    })
}

/// Returns the currency that a word or symbol stands for.
fn lookup(word: &str) -> Option<Name> {
    if word.len() == 3 && word.is_ascii() {
        let upper = word.bytes().all(|byte| byte.is_ascii_uppercase());
        if (upper || code_in(PLAIN, word).is_some())
            && let Some(code) = code_in(CODES, word)
        {
            return Some(Name::Code(code));
        }
    }
    let folded = Folded::from_word(word);
    if folded.as_str().is_empty() {
        return None;
    }
    names().get(folded.as_str()).copied()
}

/// Returns the entry of a sorted list of codes that equals this word, ignoring case.
fn code_in(list: &'static str, word: &str) -> Option<&'static str> {
    let count = list.len() / 4 + 1;
    let code = |index: usize| &list[4 * index..4 * index + 3];
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = usize::midpoint(low, high);
        let key = code(middle).bytes().map(|byte| byte.to_ascii_lowercase());
        match key.cmp(word.bytes().map(|byte| byte.to_ascii_lowercase())) {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
            std::cmp::Ordering::Equal => return Some(code(middle)),
        }
    }
    None
}

/// Returns `true` if a character can be part of a currency's name.
fn is_name(character: char) -> bool {
    character.is_alphabetic() || is_symbol(character) || matches!(character, '.' | '/' | '"' | '״' | '-')
}

fn is_symbol(character: char) -> bool {
    matches!(character, '$' | '¢'..='¥' | '\u{E3F}' | '\u{17DB}' | '\u{9F3}' | '\u{20A0}'..='\u{20CF}' | '\u{FDFC}' | '\u{FF04}'
        | '\u{FFE0}'..='\u{FFE6}')
}

/// Returns the currency before a number that begins at `start`, with its sign.
pub(super) fn before(text: &str, start: usize) -> Option<LeadingCurrency> {
    // "$-5": the sign after the symbol is the number's own.
    let front = text[..start].trim_end_matches(|character: char| character.is_whitespace());
    let mut from = front.len();
    for character in front.chars().rev().take(LONGEST) {
        if !is_name(character) {
            break;
        }
        from -= character.len_utf8();
    }
    let run = &front[from..];
    let spaced = front.len() != start;
    // Takes the longest name at the end of the run; a word must not be the end of a longer one.
    let mut at = 0;
    while let Some(character) = run[at..].chars().next() {
        let word = &run[at..];
        let inside = run[..at].chars().next_back().is_some_and(|last| last.is_alphabetic() && !is_unspaced(last));
        let symbolic = word.starts_with(is_symbol);
        if (!inside || symbolic)
            && let Some(name) = lookup(word)
            && is_likely(word, spaced)
        {
            return Some(widened(front, from + at, name));
        }
        at += character.len_utf8();
    }
    None
}

/// Returns `true` if a short word before a number is written like a name: "R$", "kr 5", but not "p 5".
fn is_likely(word: &str, spaced: bool) -> bool {
    let letters = word.chars().filter(|character| character.is_alphabetic()).count();
    word.contains(is_symbol) || letters > 1 || !spaced && word.chars().any(is_unspaced)
}

/// Includes a minus or a country before the symbol: "-$5", "US $5".
fn widened(front: &str, start: usize, name: Name) -> LeadingCurrency {
    let before = &front[..start];
    if name == Name::Dollar {
        let trimmed = before.trim_end();
        let country = trimmed.len() - trimmed.chars().rev().take_while(|last| last.is_ascii_alphabetic()).count();
        let code = match &trimmed[country..] {
            "US" | "USD" | "U" => Some("USD"),
            "AU" | "AUD" => Some("AUD"),
            "CA" | "CAD" | "CDN" => Some("CAD"),
            "HK" | "HKD" => Some("HKD"),
            "NZ" | "NZD" => Some("NZD"),
            "SG" | "SGD" => Some("SGD"),
            _ => None,
        };
        if let Some(code) = code {
            return LeadingCurrency { name: Name::Code(code), start: country, negative: false };
        }
    }
    let minus = before.chars().next_back().filter(|last| matches!(last, '-' | '\u{2212}' | '\u{2013}'));
    let opens = minus.is_some_and(|minus| {
        before[..before.len() - minus.len_utf8()]
            .chars()
            .next_back()
            .is_none_or(|last| last.is_whitespace() || last == '(')
    });
    match minus {
        // "€5 –€9" is a range.
        Some(minus)
            if opens
                && !before[..before.len() - minus.len_utf8()].trim_end().ends_with(|last: char| last.is_numeric()) =>
        {
            LeadingCurrency { name, start: start - minus.len_utf8(), negative: true }
        }
        _ => LeadingCurrency { name, start, negative: false },
    }
}

/// Returns the currency after a number, and the end of its name.
pub(super) fn after(text: &str, end: usize) -> Option<(Name, usize)> {
    let rest = text[end..].trim_start_matches(|character: char| character.is_whitespace());
    let start = text.len() - rest.len();
    let first = rest.chars().next().filter(|&first| is_name(first) && !matches!(first, '.' | '/' | '-' | '"' | '״'))?;
    let spaced = start != end;
    let mut best = None;
    let mut length = 0;
    for (count, character) in rest.chars().enumerate() {
        if count == LONGEST || !is_name(character) {
            break;
        }
        length += character.len_utf8();
        let word = &rest[..length];
        let next = rest[length..].chars().next();
        // A word must not be the beginning of a longer one.
        let inside = character.is_alphabetic()
            && !is_unspaced(character)
            && next.is_some_and(|next| next.is_alphanumeric() && !is_unspaced(next));
        if !inside && let Some(name) = lookup(word) {
            best = Some((name, start + length, word));
        }
    }
    let (name, end, word) = best?;
    // "$" behind a number belongs to the next one if that follows directly: "5 $10".
    if word.chars().all(is_symbol) && spaced && rest[word.len()..].starts_with(|next: char| next.is_ascii_digit()) {
        return None;
    }
    // Feet, rooms and the like: a word that is also a unit must look like a currency.
    let measure = word == "ft" || word == "ft." || word == "re." || word == "p";
    (!measure && (first != 'R' || word.len() > 1)).then_some((name, end))
}

#[cfg(test)]
mod tests {
    use super::{CODES, Name, PLAIN, lookup};

    #[test]
    fn lists_are_well_formed() {
        for list in [CODES, PLAIN] {
            assert_eq!(list.len() % 4, 3);
            assert!(list.split(' ').all(|code| code.len() == 3));
        }
        assert!(CODES.split(' ').is_sorted() && PLAIN.split(' ').is_sorted());
        for code in CODES.split(' ') {
            assert_eq!(lookup(code), Some(Name::Code(code)));
        }
    }

    #[test]
    fn codes_are_capital_unless_plain() {
        assert_eq!(lookup("TRY"), Some(Name::Code("TRY")));
        assert_eq!(lookup("try"), None);
        assert_eq!(lookup("eur"), Some(Name::Code("EUR")));
    }
}
