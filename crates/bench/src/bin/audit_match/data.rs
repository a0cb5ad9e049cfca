//! A register of drugs and what pages say of them: made up, the same for the same seed, and skewed as such tables are.
//!
//! Names are substances, often with a salt, and a form that thousands share; codes are `H20050001`, crowded in some
//! years; makers are few, some with thousands of drugs, and all called something like Pharmaceutical Co., Ltd. A second
//! name is in Han characters. Most records of pages are rows with up to three edits a value; one in ten is of no row.

/// The columns.
pub(crate) const COLUMNS: [&str; 4] = ["name", "code", "manufacturer", "chinese"];

/// The values of a row or of a record.
pub(crate) type Row = [String; COLUMNS.len()];

const SYLLABLES: [&str; 60] = [
    "ami", "amo", "xi", "cil", "lin", "pen", "ce", "fa", "le", "zol", "pro", "pra", "ome", "rani", "ti", "dine", "me",
    "for", "min", "gli", "pi", "ride", "ator", "va", "sta", "tin", "los", "ar", "tan", "val", "sar", "nife", "di",
    "pine", "bi", "so", "lol", "car", "ve", "di", "furo", "se", "mide", "hydro", "chloro", "thia", "zide", "dexa",
    "metha", "sone", "pred", "ni", "cyclo", "spo", "ri", "ne", "keto", "co", "na", "zole",
];
const SALTS: [&str; 9] =
    ["", "", "", "hydrochloride", "sodium", "potassium", "maleate", "sulfate", "phosphate disodium"];
const FORMS: [&str; 14] = [
    "tablets",
    "tablets",
    "tablets",
    "capsules",
    "capsules",
    "injection",
    "injection",
    "oral solution",
    "granules",
    "dispersible tablets",
    "enteric-coated tablets",
    "sustained-release capsules",
    "ointment",
    "for injection",
];
const PLACES: [&str; 32] = [
    "Beijing",
    "Shanghai",
    "Guangzhou",
    "Tianjin",
    "Harbin",
    "Shijiazhuang",
    "Chengdu",
    "Chongqing",
    "Hangzhou",
    "Wuhan",
    "Jiangsu",
    "Zhejiang",
    "Shandong",
    "Henan",
    "Hebei",
    "Hunan",
    "Hubei",
    "Sichuan",
    "Yunnan",
    "Guizhou",
    "Shaanxi",
    "Shanxi",
    "Jilin",
    "Liaoning",
    "Anhui",
    "Fujian",
    "Jiangxi",
    "Guangxi",
    "Hainan",
    "Gansu",
    "Inner Mongolia",
    "Xinjiang",
];
const PARTS: [&str; 40] = [
    "xin", "hua", "ren", "tang", "tong", "ji", "kang", "tai", "fu", "an", "bao", "ling", "sheng", "he", "long", "de",
    "yi", "zhong", "bai", "yun", "shan", "hai", "jin", "yao", "li", "wei", "da", "mei", "shi", "dong", "fang", "nan",
    "bei", "rui", "chang", "cheng", "yuan", "tian", "ze", "kai",
];
const ENDINGS: [&str; 8] = [
    "Pharmaceutical Co., Ltd.",
    "Pharmaceutical Co., Ltd.",
    "Pharmaceutical Co., Ltd.",
    "Pharmaceutical Group Co., Ltd.",
    "Bio-Pharmaceutical Co., Ltd.",
    "Pharmaceutical Factory",
    "Pharmaceutical Technology Development Co., Ltd.",
    "Traditional Chinese Medicine Co., Ltd.",
];
const HAN_FORMS: [&str; 9] = ["片", "片", "胶囊", "颗粒", "注射液", "口服液", "分散片", "缓释胶囊", "丸"];

/// A generator of pseudo-random numbers (xorshift).
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// Small numbers more often than large ones: the logarithm is uniform, as Zipf's law has it.
    fn skewed(&mut self, bound: usize) -> usize {
        let share = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
        (((bound + 1) as f64).powf(share) - 1.0) as usize
    }

    fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    pub(crate) fn edited(&mut self, text: &str) -> String {
        let edits = [0, 0, 0, 0, 1, 1, 1, 2, 2, 3][self.below(10)];
        let mut text: Vec<char> = text.chars().collect();
        for _ in 0..edits {
            let place = self.below(text.len() + 1);
            // From the text's own letters: digits become digits, ideographs become ideographs.
            let letter = if text.is_empty() { 'x' } else { text[self.below(text.len())] };
            match self.below(3) {
                0 => text.insert(place, letter),
                1 if place < text.len() => text[place] = letter,
                _ if place < text.len() => drop(text.remove(place)),
                _ => {}
            }
        }
        text.into_iter().collect()
    }
}

/// Generator of rows.
struct World {
    substances: Vec<String>,
    makers: Vec<String>,
    han: Vec<String>,
}

impl World {
    fn new(dice: &mut Dice) -> World {
        let substances = (0..30_000).map(|_| (0..3 + dice.below(3)).map(|_| dice.of(&SYLLABLES)).collect()).collect();
        let makers = (0..6000)
            .map(|_| {
                let name: String = (0..2 + dice.below(2)).map(|_| dice.of(&PARTS)).collect();
                format!("{} {name} {}", dice.of(&PLACES), dice.of(&ENDINGS))
            })
            .collect();
        let han = |dice: &mut Dice| char::from_u32(0x4E00 + 7 * dice.skewed(2000) as u32).unwrap_or('药');
        let han = (0..30_000).map(|_| (0..2 + dice.below(4)).map(|_| han(dice)).collect()).collect();
        World { substances, makers, han }
    }

    fn row(&self, dice: &mut Dice) -> Row {
        let substance = dice.skewed(self.substances.len());
        let salt = dice.of(&SALTS);
        let space = if salt.is_empty() { "" } else { " " };
        let name = format!("{}{space}{salt} {}", self.substances[substance], dice.of(&FORMS));
        let letter = ["H", "H", "H", "Z", "Z", "S"][dice.below(6)];
        let code = format!("{letter}{}{:04}", 1999 + (dice.below(12) + dice.below(13)), dice.below(10_000));
        let maker = self.makers[dice.skewed(self.makers.len())].clone();
        let chinese = format!("{}{}", self.han[substance], dice.of(&HAN_FORMS));
        [name, code, maker, chinese]
    }
}

/// The register's rows, and what pages say.
pub(crate) fn make(rows: usize, records: usize, seed: u64) -> (Vec<Row>, Vec<Row>) {
    let mut dice = Dice::new(seed);
    let world = World::new(&mut dice);
    let foreign = World::new(&mut dice);
    let rows: Vec<Row> = (0..rows).map(|_| world.row(&mut dice)).collect();
    let records = (0..records)
        .map(|_| {
            if dice.below(10) == 0 {
                return foreign.row(&mut dice);
            }
            let row = dice.below(rows.len());
            rows[row].each_ref().map(|value| dice.edited(value))
        })
        .collect();
    (rows, records)
}
