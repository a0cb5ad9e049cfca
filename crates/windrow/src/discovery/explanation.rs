//! Why this list and no other: the cuts of a page that were compared, and what decided between them.
//!
//! Every cut has the same evidence with the same weights, so the distance between two scores is a sum of differences.
//! The largest of them, in words, are why a cut lost; the rest is told as one number, so that the lines add up.

use std::fmt::Write;
use std::ops::Range;

use crate::learn::discover::{Considered, DOUBTFUL, Division, Evidence, UNLIKELY};
use crate::{Document, NodeId};

use crate::data::json::Json;
use crate::text::{excerpt, plural};

/// Cuts that are shown beside the chosen one, if not all are.
const SHOWN: usize = 8;
/// Differences that are told of each.
const REASONS: usize = 3;
/// Characters that are shown of a first record.
const TEXT: usize = 70;

/// The cuts of a page, as they are told.
#[derive(Debug)]
pub struct Explanation {
    cuts: Vec<Cut>,
    /// Number of cuts that were compared.
    total: usize,
}

/// One cut.
#[derive(Debug)]
struct Cut {
    /// The name of the list it became.
    list: Option<String>,
    place: String,
    division: Division,
    records: usize,
    dropped: usize,
    score: f32,
    probability: f32,
    /// Beginning of its first record.
    text: String,
    /// Its place, seen from the chosen cut.
    relation: &'static str,
    evidence: Vec<Evidence>,
}

impl Explanation {
    /// Tells the best cuts, or all of them. `names`: what the lists are called that some became.
    pub fn new(document: &Document, considered: &[Considered], names: &[Option<String>], all: bool) -> Self {
        let chosen = considered.iter().find(|cut| cut.list == Some(0));
        let shown = if all { considered.len() } else { SHOWN + usize::from(chosen.is_some()) };
        let cut = |cut: &Considered| Cut {
            list: cut.list.and_then(|list| names.get(list).cloned().flatten()),
            place: cut.place.clone(),
            division: cut.division,
            records: cut.records.len(),
            dropped: cut.dropped,
            score: cut.score,
            probability: cut.probability,
            text: cut.records.first().map(|record| beginning(document, record)).unwrap_or_default(),
            relation: chosen.map_or("", |chosen| relation(&chosen.records, &cut.records)),
            evidence: cut.evidence.clone(),
        };
        Explanation { cuts: considered.iter().take(shown).map(cut).collect(), total: considered.len() }
    }

    /// The cuts for people, a line each of what is printed.
    pub fn lines(&self, page: &str) -> Vec<String> {
        let mut lines = vec![match self.total {
            0 => format!("explain: {page}: nothing on this page is repeated"),
            1 => format!("explain: {page}: there is 1 way of cutting it into records"),
            total => format!("explain: {page}: {total} ways of cutting it into records, the best first"),
        }];
        let chosen = self.cuts.iter().find(|cut| cut.list.is_some());
        for (number, cut) in self.cuts.iter().enumerate() {
            lines.push(String::new());
            cut.tell(number + 1, chosen, &mut lines);
        }
        if self.total > self.cuts.len() {
            lines.push(String::new());
            lines.push(format!("      … and {} more: --all shows them", self.total - self.cuts.len()));
        }
        lines
    }

    /// The cuts for programs.
    pub fn json(&self, json: &mut Json) {
        let number = |value: f32| if value.is_finite() { format!("{value:.3}") } else { "null".to_owned() };
        json.array(|json| {
            for cut in &self.cuts {
                json.element();
                json.object(|json| {
                    json.key("list");
                    match &cut.list {
                        Some(list) => json.text(list),
                        None => json.literal("null"),
                    }
                    json.key("score");
                    json.literal(&number(cut.score));
                    json.key("probability");
                    json.literal(&number(cut.probability));
                    json.key("place");
                    json.text(&cut.place);
                    json.key("division");
                    json.text(match cut.division {
                        Division::Nodes => "nodes",
                        Division::Starts => "starts",
                        Division::Ends => "ends",
                    });
                    json.key("records");
                    json.literal(&cut.records.to_string());
                    json.key("dropped");
                    json.literal(&cut.dropped.to_string());
                    json.key("text");
                    json.text(&cut.text);
                    json.key("evidence");
                    json.array(|json| {
                        for evidence in &cut.evidence {
                            json.element();
                            json.object(|json| {
                                json.key("name");
                                json.text(evidence.name);
                                json.key("value");
                                json.literal(&number(evidence.value));
                                json.key("weight");
                                json.literal(&number(evidence.weight));
                            });
                        }
                    });
                });
            }
        });
    }
}

impl Cut {
    fn tell(&self, number: usize, chosen: Option<&Cut>, lines: &mut Vec<String>) {
        let is_chosen = chosen.is_some_and(|chosen| std::ptr::eq(chosen, self));
        let mut head = format!("{number:>4}  {:.1}", self.score);
        match (&self.list, chosen) {
            (Some(list), _) if is_chosen => {
                let _ = write!(head, "  taken as `{list}`");
            }
            (Some(list), Some(chosen)) => {
                let _ = write!(head, "  {:+.1}, taken as `{list}`: {}", self.score - chosen.score, self.relation);
            }
            (None, Some(chosen)) => {
                let _ = write!(head, "  {:+.1}, {}", self.score - chosen.score, self.relation);
            }
            (_, None) => head += "  not taken",
        }
        let _ = write!(head, "; right with a probability of {:.2}", self.probability);
        lines.push(head);
        let mut what = plural(self.records, "record");
        if self.dropped > 0 {
            let _ = write!(what, ", {} unlike them left out", self.dropped);
        }
        lines.push(format!(
            "      {what}; {}",
            match self.division {
                Division::Nodes => "each is one node",
                Division::Starts => "each begins with a node of one kind and ends before the next",
                Division::Ends => "each ends with a node of one kind",
            }
        ));
        lines.push(format!("      {}", self.place));
        lines.push(format!("      \"{}\"", self.text));
        if !is_chosen {
            self.reasons(chosen, lines);
        }
    }

    /// Adds the differences to the chosen cut; without one, the evidence that speaks most against it.
    fn reasons(&self, chosen: Option<&Cut>, lines: &mut Vec<String>) {
        let other = |name: &str| {
            let evidence = chosen.and_then(|chosen| chosen.evidence.iter().find(|evidence| evidence.name == name));
            evidence.map_or(0.0, |evidence| evidence.value)
        };
        let mut reasons: Vec<(f32, &Evidence, f32)> = self
            .evidence
            .iter()
            .map(|own| (own.weight * (own.value - other(own.name)), own, other(own.name)))
            .filter(|(worth, ..)| worth.is_finite() && (chosen.is_some() || *worth < 0.0))
            .collect();
        reasons.sort_by(|one, two| two.0.abs().total_cmp(&one.0.abs()));
        let rest: f32 = reasons.iter().skip(REASONS).map(|reason| reason.0).sum();
        reasons.truncate(REASONS);
        // What speaks against it first.
        reasons.sort_by(|one, two| one.0.total_cmp(&two.0));
        for (worth, own, other) in reasons.into_iter().filter(|reason| reason.0.abs() >= 0.05) {
            let words = in_words(own.name, own.value > other);
            let values = match chosen {
                Some(_) => format!("{} against {}", short(own.value), short(other)),
                None => short(own.value),
            };
            lines.push(format!("      {worth:>+6.1}  {words} ({values})"));
        }
        if rest.abs() >= 0.05 && chosen.is_some() {
            lines.push(format!("      {rest:>+6.1}  all else"));
        }
    }
}

/// The reason to doubt the main list, if its probability is low: what it is, what was left out of it, and the best cut
/// of the same part of the page that lost.
pub(super) fn doubt(document: &Document, considered: &[Considered]) -> Option<String> {
    let chosen = considered.iter().find(|cut| cut.list == Some(0) && cut.probability < DOUBTFUL)?;
    let overlaps = |cut: &&Considered| {
        let shares =
            |record: &Range<NodeId>| chosen.records.iter().any(|own| own.start < record.end && record.start < own.end);
        // As many records are the same ones, with more or less around each.
        cut.records.len() != chosen.records.len() && cut.records.first().is_some_and(shares)
    };
    let rival = considered.iter().filter(overlaps).max_by(|one, two| one.probability.total_cmp(&two.probability));
    if chosen.probability >= UNLIKELY && rival.is_none_or(|rival| rival.probability < chosen.probability) {
        return None;
    }
    let first = |cut: &Considered| cut.records.first().map(|record| beginning(document, record)).unwrap_or_default();
    let mut text = format!(
        "the list may be wrong: {}, the first `{}`, are right with a probability of {:.2}",
        plural(chosen.records.len(), "record"),
        first(chosen),
        chosen.probability
    );
    if let Some(record) = &chosen.first_dropped {
        let left_out = plural(chosen.dropped, "sibling");
        let _ = write!(text, "; {left_out} unlike them left out, the first `{}`", beginning(document, record));
    }
    if let Some(other) = rival {
        let count = plural(other.records.len(), "record");
        let _ = write!(text, "; another cut ({:.2}): {count}, the first `{}`", other.probability, first(other));
    }
    Some(text + "; --explain shows all")
}

/// A value in few characters.
fn short(value: f32) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Describes that a cut has more, or less, of some evidence than the chosen one.
fn in_words(name: &str, more: bool) -> String {
    let (much, little) = match name {
        "what the records share, log" => ("its records have more in common", "its records have less in common"),
        "number of records, log" => ("more records", "fewer records"),
        "few records" => ("so few records may look alike by chance", "so many records do not look alike by chance"),
        "in a menu, footer or aside" => ("in a menu, footer or aside", "not in a menu, footer or aside"),
        "records are runs of nodes" => ("records of several nodes each", "records of one node each"),
        "different parents" => ("its records have different parents", "its records have one parent"),
        "places that are in many records" => {
            ("what one record has, more others have", "what one record has, fewer others have")
        }
        "different values" => {
            ("its values differ more from record to record", "its values repeat from record to record")
        }
        "size of a record, log" => ("its records say more", "its records say less"),
        "links only" => ("more of it is links", "less of it is links"),
        "longest text, log" => ("longer texts", "no texts as long"),
        "share of the page, log" => ("more of the page is in it", "less of the page is in it"),
        "share of its region" => ("less stands between its records", "more stands between its records"),
        "like nodes left out" => {
            ("more nodes like its records are left out", "fewer nodes like its records are left out")
        }
        "records with links" => ("more of its records have links", "fewer of its records have links"),
        "late on the page" => ("later on the page", "earlier on the page"),
        "class or id of results" => ("its class or id speaks of results", "no class or id speaks of results"),
        "side by side" => ("its records stand closer together", "its records stand further apart"),
        "records with short numbers" => ("more numbers, dates or prices", "fewer numbers, dates or prices"),
        "runs built differently" => ("its records are built less alike", "its records are built more alike"),
        "runs that begin with a heading" => {
            ("its records begin with headings", "its records do not begin with headings")
        }
        "records are rows of records" => {
            ("its records are rows of several records", "its records are not rows of several")
        }
        "records are sublists" => ("its records are lists inside other records", "its records are not inside others"),
        "records are parts of runs" => {
            ("its records are parts of longer ones", "its records are not parts of longer ones")
        }
        "inside one record of a longer list" => {
            ("it is inside one record of a longer list", "it is not inside one record of a longer list")
        }
        "paragraphs of prose" => ("its records are paragraphs of prose", "its records are no paragraphs of prose"),
        "a record looks wrong" => ("a record looks unlike the others", "no record looks unlike the others"),
        "a record looks left out" => ("a record seems to be left out", "no record seems to be left out"),
        "pieces in a record, log" => ("its records have more parts", "its records have fewer parts"),
        "places that most records have, log" => {
            ("more parts that most records have", "fewer parts that most records have")
        }
        "places whose values differ, log" => ("more parts with different values", "fewer parts with different values"),
        "records with images" => ("more of its records have images", "fewer of its records have images"),
        "records with headings" => ("more of its records have headings", "fewer of its records have headings"),
        "sizes differ" => ("its records differ more in size", "its records differ less in size"),
        "in a footer" => ("in a footer", "not in a footer"),
        "in a header" => ("in a header", "not in a header"),
        "in main or an article" => ("in the main part of the page", "not in the main part of the page"),
        "named like navigation" => ("a class or id speaks of navigation", "no class or id speaks of navigation"),
        "named like a filter" => {
            ("a class or id speaks of filters or tags", "no class or id speaks of filters or tags")
        }
        "named like something beside" => {
            ("a class or id speaks of a sidebar or promotion", "no class or id speaks of a sidebar or promotion")
        }
        "buttons and labels" => ("more buttons and labels of forms", "fewer buttons and labels of forms"),
        "records with inputs" => ("more of its records have inputs", "fewer of its records have inputs"),
        "links that lead nowhere" => ("more links that lead nowhere", "fewer links that lead nowhere"),
        "links in a record, log" => ("more links in a record", "fewer links in a record"),
        "length of a text, log" => ("longer pieces of text", "shorter pieces of text"),
        "the weakest record" => ("its weakest record fits better", "its weakest record fits worse"),
        "the mean record" => ("its records fit better", "its records fit worse"),
        "records dropped" => ("more records were left out", "fewer records were left out"),
        "share of what is around, log" => ("less stands around its records", "more stands around its records"),
        "children left out" => ("more siblings are left out", "fewer siblings are left out"),
        "size beside the largest" => ("closer in size to the largest cut", "smaller beside the largest cut"),
        "shared beside the most" => {
            ("closer to the cut whose records share most", "further from the cut whose records share most")
        }
        "depth" => ("deeper in the page", "less deep in the page"),
        "rows of a table" => ("its records are rows of a table", "its records are no rows of a table"),
        "list items" => ("its records are list items", "its records are no list items"),
        "inline elements" => ("its records are links or other inline elements", "its records are no inline elements"),
        "articles" => ("its records are articles", "its records are no articles"),
        "alike by tags only" => ("its records are alike by tags only", "its records are alike by classes, too"),
        "heading in front" => ("a heading stands in front of it", "no heading stands in front of it"),
        "one short text each" => ("its records are one short text each", "its records are more than one short text"),
        "digits" => ("more of it has digits", "less of it has digits"),
        "end on the page" => ("it ends later on the page", "it ends earlier on the page"),
        "items of microdata" => ("its records are items of microdata", "its records are no items of microdata"),
        "same class left out" => {
            ("more elements of the same class are left out", "fewer elements of the same class are left out")
        }
        "begins with a link" => ("more of its records begin with a link", "fewer of its records begin with a link"),
        "records that repeat" => ("more of its records say the same", "fewer of its records say the same"),
        "an end lacks what the rest has" => (
            "its first or last record lacks more of what others have",
            "its first and last records have what others have",
        ),
        "an end is smaller, log" => ("its first and last records are as large", "its first or last record is smaller"),
        "an end fits worse" => ("its first and last records fit as well", "its first or last record fits worse"),
        "header cells" => ("more of its records are header rows", "fewer of its records are header rows"),
        "one record apart" => ("one of its records stands apart", "no single record stands apart"),
        // A new kind of evidence is told by its own name until somebody finds better words.
        _ => return format!("{} {name}", if more { "more:" } else { "less:" }),
    };
    (if more { much } else { little }).to_owned()
}

/// Returns the beginning of a record.
fn beginning(document: &Document, record: &Range<NodeId>) -> String {
    let siblings = std::iter::successors(Some(record.start), |&node| document.next_sibling(node));
    let mut text = String::new();
    for node in siblings.take_while(|&node| node < record.end).take(TEXT) {
        text += &document.visible_text(node);
        text.push(' ');
        if text.trim().chars().count() > TEXT {
            break;
        }
    }
    excerpt(text.trim(), TEXT)
}

/// Describes where records are, seen from those of the chosen list.
fn relation(chosen: &[Range<NodeId>], other: &[Range<NodeId>]) -> &'static str {
    let hull = |records: &[Range<NodeId>]| {
        let first = records.iter().map(|record| record.start).min().unwrap_or(NodeId::ROOT);
        first..records.iter().map(|record| record.end).max().unwrap_or(NodeId::ROOT)
    };
    let (one, two) = (hull(chosen), hull(other));
    if one.end <= two.start || two.end <= one.start {
        return "elsewhere on the page";
    }
    let inside = |inner: &[Range<NodeId>], outer: &[Range<NodeId>]| {
        inner.iter().all(|inner| {
            // Records are in order and apart.
            let at = outer.partition_point(|outer| outer.end <= inner.start);
            outer.get(at).is_some_and(|outer| outer.start <= inner.start && inner.end <= outer.end)
        })
    };
    match (inside(other, chosen), inside(chosen, other)) {
        (true, true) => "the same records",
        (true, false) if other.len() < chosen.len() => "some of the same records, or parts of them",
        (true, false) => "parts of its records",
        (false, true) => "around its records",
        (false, false) => "another cut of the same part of the page",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_evidence_has_words() {
        let page = Document::parse("<ul><li>Oslo<li>Rome<li>Bern</ul>");
        let discovery = crate::explain(&page, 1);
        let cut = discovery.considered.first().expect("a list of three");
        for evidence in &cut.evidence {
            for more in [false, true] {
                assert!(!in_words(evidence.name, more).contains(": "), "no words for `{}`", evidence.name);
            }
        }
    }

    #[test]
    fn values_are_short() {
        assert_eq!([short(1.0), short(0.25), short(-0.001), short(12.345)], ["1", "0.25", "0", "12.35"]);
    }

    #[test]
    fn a_cut_is_placed_beside_the_chosen_one() {
        let records = |numbers: &[(usize, usize)]| -> Vec<Range<NodeId>> {
            numbers.iter().map(|&(from, to)| NodeId::from_index(from)..NodeId::from_index(to)).collect()
        };
        let chosen = records(&[(10, 20), (20, 30), (30, 40)]);
        for (other, expected) in [
            (records(&[(40, 50), (50, 60)]), "elsewhere on the page"),
            (records(&[(11, 12), (21, 22), (31, 32)]), "parts of its records"),
            (records(&[(11, 12), (31, 32)]), "some of the same records, or parts of them"),
            (records(&[(9, 20), (20, 40)]), "around its records"),
            (records(&[(15, 25), (25, 40)]), "another cut of the same part of the page"),
        ] {
            assert_eq!(relation(&chosen, &other), expected);
        }
    }
}
