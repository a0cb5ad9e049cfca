//! An invented register of approved drugs, and the advertisements that hold to it or do not.

use std::collections::BTreeSet;

use super::words::{self, Language, Topic};
use crate::generate::Rng;

/// An approved drug.
#[derive(Debug, Clone)]
pub struct Drug {
    /// The number of its approval.
    pub code: String,
    /// Brand name.
    pub name: String,
    /// Generic name.
    pub generic: String,
    /// Manufacturer.
    pub maker: String,
    /// Where.
    pub country: String,
    /// True for prescription drugs.
    pub prescription: bool,
    /// True for controlled substances.
    pub controlled: bool,
    /// The language of its market.
    pub language: Language,
}

/// The number of an approval, as each country writes it.
fn code(rng: &mut Rng, language: Language) -> String {
    match language {
        Language::English => format!("PL {:05}/{:04}", rng.below(100_000), rng.below(10_000)),
        Language::Chinese => format!("国药准字{}{:08}", rng.pick(&["H", "Z"]), 19_900_000 + rng.below(3_000_000)),
        Language::German => format!("{:05}.{:02}.00", rng.below(100_000), rng.below(100)),
    }
}

/// A register with so many drugs of each language: in fifths, two English, two Chinese, one German.
pub(super) fn register(rng: &mut Rng, fifths: usize) -> Vec<Drug> {
    let mut drugs: Vec<Drug> = Vec::new();
    for (language, count) in
        [(Language::English, 2 * fifths), (Language::Chinese, 2 * fifths), (Language::German, fifths)]
    {
        let end = drugs.len() + count;
        while drugs.len() < end {
            let (name, code) = (words::drug(rng, language), code(rng, language));
            if drugs.iter().any(|drug| drug.name == name || drug.code == code) {
                continue;
            }
            let generic = words::substance(rng, language);
            let known = drugs.iter().find(|drug| drug.generic == generic);
            // It is the substance that is controlled.
            let controlled = known.map_or_else(|| rng.once_in(8), |drug| drug.controlled);
            drugs.push(Drug {
                code,
                name,
                generic,
                maker: words::maker(rng, language),
                country: words::country(rng, language).to_owned(),
                prescription: rng.once_in(4),
                controlled,
                language,
            });
        }
    }
    drugs
}

/// The register as an authority publishes it.
pub(super) fn csv(drugs: &[Drug]) -> String {
    let mut text =
        "authentication_code,proprietary_name,generic_name,manufacturer,country,prescription,controlled\n".to_owned();
    let yes = |is: bool| if is { "yes" } else { "no" };
    for drug in drugs {
        text += &format!(
            "\"{}\",\"{}\",\"{}\",\"{}\",\"{}\",{},{}\n",
            drug.code,
            drug.name,
            drug.generic,
            drug.maker,
            drug.country,
            yes(drug.prescription),
            yes(drug.controlled)
        );
    }
    text
}

/// Kind of violation in an advertisement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Practice {
    /// A number that nobody gave.
    InventedCode,
    /// Neither a number nor a name that is known.
    UnknownDrug,
    /// The number of another maker's drug.
    OtherMaker,
    /// The number of another drug.
    BorrowedCode,
    /// From a country that the approval is not for.
    OtherCountry,
    /// Said to be imported, with a number that nobody gave.
    Smuggled,
    /// On prescription only, and sold without.
    WithoutPrescription,
    /// A controlled substance.
    Controlled,
    /// Nothing of its dangers.
    NoDangers,
    /// Not what it is for, nor how to take it.
    NoUse,
    /// Not what is in it.
    NoContents,
    /// Not who makes it.
    NoMaker,
}

impl Practice {
    /// All of them.
    pub const ALL: [Practice; 12] = [
        Practice::InventedCode,
        Practice::OtherMaker,
        Practice::WithoutPrescription,
        Practice::Controlled,
        Practice::NoDangers,
        Practice::OtherCountry,
        Practice::UnknownDrug,
        Practice::BorrowedCode,
        Practice::Smuggled,
        Practice::NoUse,
        Practice::NoContents,
        Practice::NoMaker,
    ];

    /// Returns the conclusions of the built-in rules about it.
    pub fn conclusions(self) -> &'static [&'static str] {
        match self {
            Practice::InventedCode => &["Unapproved"],
            // It lacks the number, too.
            Practice::UnknownDrug => &["Unapproved", "Misleading"],
            Practice::OtherMaker | Practice::BorrowedCode => &["Counterfeit"],
            Practice::OtherCountry => &["IllegallyImported"],
            Practice::Smuggled => &["Unapproved", "IllegallyImported"],
            Practice::WithoutPrescription => &["PrescriptionSoldFreely"],
            Practice::Controlled => &["Controlled"],
            Practice::NoDangers | Practice::NoUse | Practice::NoContents | Practice::NoMaker => &["Misleading"],
        }
    }
}

/// An advertisement.
#[derive(Debug, Clone)]
pub struct Ad {
    /// Name of the drug in the advertisement.
    pub name: String,
    /// Facts in the order of [`Topic::ALL`].
    pub facts: Vec<(Topic, String)>,
    /// Expected conclusions.
    pub expected: BTreeSet<&'static str>,
}

impl Ad {
    /// Returns the fact about a topic.
    pub fn fact(&self, topic: Topic) -> Option<&str> {
        self.facts.iter().find(|(known, _)| *known == topic).map(|(_, text)| text.as_str())
    }

    fn set(&mut self, topic: Topic, text: String) {
        if let Some((_, old)) = self.facts.iter_mut().find(|(known, _)| *known == topic) {
            *old = text;
        }
    }

    fn hide(&mut self, topics: &[Topic]) {
        self.facts.retain(|(topic, _)| !topics.contains(topic));
    }
}

/// An honest advertisement of a drug, and then what a practice makes of it. None if the drug is not one for it.
pub(super) fn ad(rng: &mut Rng, drugs: &[Drug], drug: &Drug, practice: Option<Practice>) -> Option<Ad> {
    let language = drug.language;
    let is_wanted = match practice {
        Some(Practice::WithoutPrescription) => drug.prescription && !drug.controlled,
        Some(Practice::Controlled) => drug.controlled,
        _ => !drug.controlled,
    };
    if !is_wanted {
        return None;
    }
    let price = 300 + rng.below(4000);
    let money = |cents: usize| match language {
        Language::English => format!("£{}.{:02}", cents / 100, cents % 100),
        Language::Chinese => format!("¥{}.{:02}", cents / 100, cents % 100),
        Language::German => format!("{},{:02} €", cents / 100, cents % 100),
    };
    let facts = Topic::ALL.into_iter().map(|topic| {
        let text = match topic {
            Topic::Generic => drug.generic.clone(),
            Topic::Code => drug.code.clone(),
            Topic::Maker => drug.maker.clone(),
            Topic::Country => drug.country.clone(),
            Topic::ListPrice => money(price + price / 4),
            Topic::Price => money(price),
            Topic::Availability if drug.prescription => words::prescribed(language).to_owned(),
            _ => words::text(rng, topic, language, &drug.generic),
        };
        (topic, text)
    });
    let mut ad = Ad { name: drug.name.clone(), facts: facts.collect(), expected: BTreeSet::new() };
    let Some(practice) = practice else { return Some(ad) };
    let known = |code: &str| drugs.iter().any(|drug| drug.code == code);
    let mut invented = || loop {
        let code = code(rng, language);
        if !known(&code) {
            break code;
        }
    };
    match practice {
        Practice::InventedCode => ad.set(Topic::Code, invented()),
        Practice::Smuggled => {
            ad.set(Topic::Code, invented());
            ad.set(Topic::Country, words::imported(language).to_owned());
        }
        Practice::UnknownDrug => {
            ad.name = loop {
                let name = words::drug(rng, language);
                if !drugs.iter().any(|drug| drug.name == name) {
                    break name;
                }
            };
            let substance = loop {
                let substance = words::substance(rng, language);
                if !drugs.iter().any(|drug| drug.generic == substance) {
                    break substance;
                }
            };
            ad.set(Topic::Ingredients, words::text(rng, Topic::Ingredients, language, &substance));
            ad.set(Topic::Generic, substance);
            ad.hide(&[Topic::Code]);
        }
        Practice::OtherMaker => loop {
            let maker = words::maker(rng, language);
            if maker != drug.maker {
                ad.set(Topic::Maker, maker);
                break;
            }
        },
        Practice::BorrowedCode => {
            let like = |other: &&Drug| {
                other.language == language
                    && !other.prescription
                    && !other.controlled
                    && other.name != drug.name
                    && other.generic != drug.generic
                    && other.country == drug.country
            };
            let other = drugs.iter().filter(like).nth(rng.below(4))?;
            ad.set(Topic::Code, other.code.clone());
        }
        Practice::OtherCountry => ad.set(Topic::Country, words::elsewhere(rng, language).to_owned()),
        Practice::WithoutPrescription => ad.set(Topic::Availability, words::freely(language).to_owned()),
        Practice::Controlled => {}
        Practice::NoDangers => ad.hide(&[Topic::Contraindications, Topic::Warnings]),
        Practice::NoUse => ad.hide(&[Topic::Indications, Topic::Dosage]),
        Practice::NoContents => ad.hide(&[Topic::Ingredients, Topic::Generic]),
        Practice::NoMaker => ad.hide(&[Topic::Maker]),
    }
    ad.expected = practice.conclusions().iter().copied().collect();
    Some(ad)
}
