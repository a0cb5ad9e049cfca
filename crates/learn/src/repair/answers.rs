//! Which of the places of a field say the same, and how sure the best answer is.
//!
//! `20 min` and `20 min. preparation` around it are one answer, and so is a title that stands three times on a page: their
//! places speak for it together, against all other answers and against none of them.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use super::model::Trait;
use super::quantity::quantity;
use super::single::Candidate;

/// Probability of an answer that makes its place a neighbour of other fields.
const LIKELY: f32 = 0.5;
/// Log-odds beyond which nothing gets surer.
const MOST: f32 = 20.0;

/// Numbers the places of a field by what they answer.
pub(super) fn number(own: &mut [Candidate]) {
    let mut texts: HashMap<String, usize, FixedState> = HashMap::default();
    for place in own.iter_mut() {
        let next = texts.len();
        place.answer = *texts.entry_ref(place.text.as_str()).or_insert(next);
    }
    let mut same: Vec<usize> = (0..texts.len()).collect();
    fn first(same: &[usize], mut answer: usize) -> usize {
        while same[answer] != answer {
            answer = same[answer];
        }
        answer
    }
    let mut order: Vec<usize> = (0..own.len()).collect();
    order.sort_by_key(|&at| (own[at].range.start, std::cmp::Reverse(own[at].range.end)));
    for pair in order.windows(2) {
        let (one, two) = (&own[pair[0]], &own[pair[1]]);
        let says = quantity(&one.text);
        if two.range.start < one.range.end && says.is_some() && says == quantity(&two.text) {
            let (one, two) = (first(&same, one.answer), first(&same, two.answer));
            same[one.max(two)] = one.min(two);
        }
    }
    for place in own.iter_mut() {
        place.answer = first(&same, place.answer);
    }
}

/// The probability of the answer of the best place.
pub(super) fn certainty(own: &[Candidate]) -> f32 {
    let Some(best) = own.first() else { return 0.0 };
    let sum = |own: &mut dyn Iterator<Item = &Candidate>| own.map(|place| place.odds.min(MOST).exp()).sum::<f32>();
    sum(&mut own.iter().filter(|place| place.answer == best.answer)) / (1.0 + sum(&mut own.iter()))
}

/// Judges the places of all fields once more, with the others in view: fields of one record stand together, and two
/// fields are seldom in one place.
pub(super) fn settle(all: &mut [Vec<Candidate>]) {
    all.iter_mut().for_each(|own| order(own));
    let likely = |own: &Vec<Candidate>| {
        let best = own.first()?;
        (certainty(own) >= LIKELY).then_some((best.range.start, best.odds))
    };
    let chosen: Vec<Option<(usize, f32)>> = all.iter().map(likely).collect();
    for (number, own) in all.iter_mut().enumerate() {
        for candidate in own.iter_mut() {
            let others = chosen.iter().enumerate().filter(|(other, _)| *other != number).filter_map(|(_, at)| *at);
            let start = candidate.range.start;
            let nearest = others.clone().map(|(at, _)| at.abs_diff(start)).min();
            let taken = |(at, odds): (usize, f32)| at == start && odds >= candidate.odds;
            candidate.traits.set(Trait::Near, nearest.is_some_and(|away| away < 300));
            candidate.traits.set(Trait::Far, nearest.is_some_and(|away| away > 4000));
            candidate.traits.set(Trait::Taken, others.clone().any(taken));
            candidate.odds = candidate.shown + candidate.traits.odds();
        }
        order(own);
    }
}

/// Orders the places of a field: those of the answer that most speaks for come first, and of them those that say it as it
/// was said before.
fn order(own: &mut [Candidate]) {
    let mut sums: HashMap<usize, f32, FixedState> = HashMap::default();
    for place in own.iter() {
        *sums.entry(place.answer).or_default() += place.odds.min(MOST).exp();
    }
    let sum = |place: &Candidate| sums.get(&place.answer).copied().unwrap_or_default();
    own.sort_by(|one, two| {
        let known = two.is_known().cmp(&one.is_known());
        sum(two).total_cmp(&sum(one)).then(one.answer.cmp(&two.answer)).then(known).then(two.odds.total_cmp(&one.odds))
    });
}
