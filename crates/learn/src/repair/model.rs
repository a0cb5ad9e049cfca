//! The odds that a place holds a field of a page with one record: traits of the place, and what each is worth.
//!
//! The weights are those of a conditional logit: the odds of a text are the sum of the exponents of its places' weights,
//! against all other texts and against none. `tools/fit-repair --write` fits them on the open redesigns.

/// Clues for and against a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trait {
    /// It says the known text.
    Text,
    /// Weight of that text as evidence.
    Telling,
    /// The known text is words, no quantity.
    Title,
    /// It says the known time in other words.
    Time,
    /// It says the known number in other words.
    Number,
    /// The share of the words of a heading that are the known ones.
    Words,
    /// It says something else that looks like the known text.
    Alike,
    /// The same, and something there names the field.
    AlikeNamed,
    /// It says the text in other letters.
    Folded,
    /// The value follows its label in the same text.
    Inline,
    /// The value is a part of a text.
    Part,
    /// A label, class or id there names the field.
    Named,
    /// Likeness of something there to a name of the field, if less.
    Likeness,
    /// Its label reads as the one that the old rule looked for.
    SameLabel,
    /// The words that the old rule cut the value out of stand around it.
    Between,
    /// Words that are no label stand in front of the number.
    Prose,
    /// Nearness of another quantity to the known one.
    Close,
    /// Another number, with a fraction where the known one has none, or without.
    OtherForm,
    /// It has a label that names no field.
    Unnamed,
    /// Its label names another field.
    Anothers,
    /// The first alternative of the old rule leads there, by a name.
    Firm,
    /// The same, to something else that looks like the known text.
    FirmAlike,
    /// Another alternative of the old rule leads there, by a name.
    Led,
    /// The old rule leads there, by position or look.
    LedByPlace,
    /// The old rule leads elsewhere by a name, to something of the same kind.
    Elsewhere,
    /// It is in the page's main heading.
    Heading,
    /// It is in a menu, a footer or an aside.
    Apart,
    /// Several fields have this value, and no label says which it is.
    Shared,
    /// It is the only place of a short text.
    Only,
    /// It is one of many places that nothing tells apart.
    Many,
    /// It is the first place of its text.
    First,
    /// Another field is near.
    Near,
    /// All other fields are far.
    Far,
    /// Another field is there.
    Taken,
}

/// All traits.
const ALL: [Trait; COUNT] = [
    Trait::Text,
    Trait::Telling,
    Trait::Title,
    Trait::Time,
    Trait::Number,
    Trait::Words,
    Trait::Alike,
    Trait::AlikeNamed,
    Trait::Folded,
    Trait::Inline,
    Trait::Part,
    Trait::Named,
    Trait::Likeness,
    Trait::SameLabel,
    Trait::Between,
    Trait::Prose,
    Trait::Close,
    Trait::OtherForm,
    Trait::Unnamed,
    Trait::Anothers,
    Trait::Firm,
    Trait::FirmAlike,
    Trait::Led,
    Trait::LedByPlace,
    Trait::Elsewhere,
    Trait::Heading,
    Trait::Apart,
    Trait::Shared,
    Trait::Only,
    Trait::Many,
    Trait::First,
    Trait::Near,
    Trait::Far,
    Trait::Taken,
];
const COUNT: usize = 34;

/// The weight of each trait in log-odds, and the log-odds of a place without any.
const WEIGHTS: [f32; COUNT] = [
    1.62,  // Text
    2.30,  // Telling
    0.36,  // Title
    0.50,  // Time
    -1.10, // Number
    1.05,  // Words
    -2.31, // Alike
    -0.49, // AlikeNamed
    -0.30, // Folded
    0.10,  // Inline
    -2.09, // Part
    1.93,  // Named
    1.39,  // Likeness
    0.35,  // SameLabel
    2.72,  // Between
    -2.00, // Prose
    1.19,  // Close
    -0.02, // OtherForm
    -0.40, // Unnamed
    -3.03, // Anothers
    1.40,  // Firm
    1.14,  // FirmAlike
    1.42,  // Led
    0.60,  // LedByPlace
    -1.08, // Elsewhere
    1.12,  // Heading
    -1.25, // Apart
    -1.19, // Shared
    0.66,  // Only
    -0.36, // Many
    0.15,  // First
    1.27,  // Near
    -0.78, // Far
    -1.85, // Taken
];
const BIAS: f32 = -1.23;

/// The traits of one place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Traits([f32; COUNT]);

impl Traits {
    pub(super) fn new(value: impl Fn(Trait) -> f32) -> Traits {
        Traits(ALL.map(value))
    }

    pub(super) fn set(&mut self, which: Trait, is: bool) {
        self.0[which as usize] = f32::from(is);
    }

    /// The log-odds of the place.
    pub(super) fn odds(&self) -> f32 {
        BIAS + self.0.iter().zip(WEIGHTS).map(|(value, weight)| value * weight).sum::<f32>()
    }

    pub(super) fn values(&self) -> &[f32] {
        &self.0
    }
}

/// The names of all traits.
pub(super) fn names() -> Vec<String> {
    ALL.iter().map(|each| format!("{each:?}")).collect()
}
