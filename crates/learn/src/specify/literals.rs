//! The texts around a value: those that are the same in all records, grown outwards until they locate it.
//!
//! In front of the value, a pattern needs texts of which each is found, one behind the other, where it first occurs; the
//! last has to end where the value begins. Three forms are tried, at the value and at the tags around it that hold nothing
//! else:
//!
//! | form | example |
//! |---|---|
//! | the text in front | `*<h2 class="title">#</h2>*` |
//! | how a tag begins, and how it ends: between them it differs | `*<a class="title" href="*">#</a>*` |
//! | the same, several times: the third cell of a row | `*<td>*<td>*<td>#</td>*` |
//!
//! Of those that find the value in all records which have it, and nothing in the others, the best has the fewest letters;
//! a class, an id or a label speak for it, line ends and repetition against it, since they change first.

use super::Why;

/// A piece of the page, and where the value stands in it.
#[derive(Debug, Clone)]
pub(super) struct Sample {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) core: Option<Core>,
    /// It has a value, which stands nowhere.
    pub(super) lost: bool,
}

/// The bytes of a value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Core {
    pub(super) from: usize,
    pub(super) to: usize,
    /// Of an attribute, where its tag begins.
    pub(super) tag: Option<usize>,
}

/// Letters that a text around a value may have: more than that is not read by anybody.
const LONGEST: usize = 240;

/// Tags around a value that are tried as its edges.
const LEVELS: usize = 5;

/// Texts that are tried on one side.
const CUTS: usize = 8;

/// How often a text may be repeated: the columns of a wide table.
const REPEATS: usize = 16;

/// Patterns that are tried, best first; each is a search over all records.
const TRIES: usize = 240;

/// A pattern that finds the value of each sample.
pub(super) fn locate(source: &str, samples: &[Sample]) -> Result<String, Why> {
    if samples.iter().any(|sample| sample.lost) {
        return Err(Why::NotInSource);
    }
    let present: Vec<(&Sample, Core)> = samples.iter().filter_map(|sample| Some((sample, sample.core?))).collect();
    if present.is_empty() {
        return Err(Why::NotOnPage);
    }
    let fronts = fronts(source, &present);
    let behinds = behinds(source, &present);
    let mut tries: Vec<(usize, Try<'_>)> = Vec::new();
    for front in &fronts {
        for behind in &behinds {
            tries.push((front.score + score_behind(behind), Try { front: &front.texts, behind }));
        }
    }
    tries.sort_by_key(|(score, _)| *score);
    let fits = |attempt: &Try<'_>| samples.iter().all(|sample| attempt.fits(source, sample));
    let best = tries.iter().take(TRIES).map(|(_, attempt)| attempt).find(|attempt| fits(attempt));
    best.map(Try::pattern).ok_or(Why::NoText)
}

/// Where a pattern's value is in a piece, if the pattern is written as [`locate`] does; for regions, whose pieces are
/// needed before anything is run.
pub(super) fn found(source: &str, pattern: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let (front, behind) = pattern.split_once_unescaped('#')?;
    let mut at = start;
    for text in front.texts() {
        at += memchr::memmem::find(source.as_bytes().get(at..end)?, text.as_bytes())? + text.len();
    }
    match behind.texts().first() {
        Some(text) => Some((at, at + memchr::memmem::find(source.as_bytes().get(at..end)?, text.as_bytes())?)),
        None => Some((at, end)),
    }
}

/// Patterns as texts.
trait Signs {
    fn split_once_unescaped(&self, sign: char) -> Option<(&str, &str)>;
    fn texts(&self) -> Vec<String>;
}

impl Signs for str {
    fn split_once_unescaped(&self, sign: char) -> Option<(&str, &str)> {
        let mut escaped = false;
        for (at, char) in self.char_indices() {
            if char == sign && !escaped {
                return Some((&self[..at], &self[at + 1..]));
            }
            escaped = char == '\\' && !escaped;
        }
        None
    }

    fn texts(&self) -> Vec<String> {
        let (mut texts, mut text, mut escaped) = (Vec::new(), String::new(), false);
        for char in self.chars() {
            match char {
                '\\' if !escaped => {
                    escaped = true;
                    continue;
                }
                '*' if !escaped => texts.push(std::mem::take(&mut text)),
                _ => text.push(char),
            }
            escaped = false;
        }
        texts.push(text);
        texts.retain(|text| !text.is_empty());
        texts
    }
}

/// Texts in front of a value.
#[derive(Debug)]
struct Front {
    texts: Vec<String>,
    score: usize,
}

#[derive(Debug)]
struct Try<'a> {
    front: &'a [String],
    behind: &'a str,
}

impl Try<'_> {
    fn pattern(&self) -> String {
        let mut pattern = String::new();
        for text in self.front {
            pattern.push('*');
            pattern.push_str(&escaped(text));
        }
        pattern.push('#');
        if !self.behind.is_empty() {
            pattern.push_str(&escaped(self.behind));
            pattern.push('*');
        }
        pattern
    }

    /// Whether it finds the value of a sample, or nothing if there is none.
    fn fits(&self, source: &str, sample: &Sample) -> bool {
        let bytes = &source.as_bytes()[..sample.end];
        let mut at = sample.start;
        for text in self.front {
            match memchr::memmem::find(&bytes[at..], text.as_bytes()) {
                Some(found) => at += found + text.len(),
                None => return sample.core.is_none(),
            }
        }
        let to = match self.behind {
            "" => sample.end,
            behind => match memchr::memmem::find(&bytes[at..], behind.as_bytes()) {
                Some(found) => at + found,
                None => return sample.core.is_none(),
            },
        };
        match sample.core {
            None => is_markup(&source[at..to]),
            // An attribute's value has no tags around it.
            Some(core) if core.tag.is_some() => at == core.from && to == core.to,
            Some(core) => {
                at <= core.from && to >= core.to && is_markup(&source[at..core.from]) && is_markup(&source[core.to..to])
            }
        }
    }
}

/// The texts that can stand in front.
fn fronts(source: &str, present: &[(&Sample, Core)]) -> Vec<Front> {
    let mut fronts: Vec<Front> = Vec::new();
    // Where the value begins, and further out.
    let mut edges: Vec<Vec<usize>> = Vec::new();
    for (sample, core) in present {
        let mut levels = vec![core.from];
        if core.tag.is_none() {
            let mut at = back_over_space(source, core.from, sample.start);
            levels = vec![at];
            while levels.len() < LEVELS
                && let Some(tag) = tag_before(source, at, sample.start)
            {
                at = back_over_space(source, tag, sample.start);
                levels.push(at);
            }
        }
        edges.push(levels);
    }
    let depth = edges.iter().map(Vec::len).min().unwrap_or(0);
    for level in 0..depth {
        let before =
            common_suffix(present.iter().zip(&edges).map(|((sample, _), levels)| &source[sample.start..levels[level]]));
        let farther = level * 4;
        // The value begins where its piece does.
        if present.iter().zip(&edges).all(|((sample, _), levels)| levels[level] == sample.start) {
            fronts.push(Front { texts: Vec::new(), score: 30 + farther });
        }
        for text in suffixes(before) {
            push(&mut fronts, source, present, &edges, level, vec![text.to_owned()], farther);
        }
        // How the tag in front begins and ends.
        let tags: Option<Vec<&str>> = present
            .iter()
            .zip(&edges)
            .map(|((sample, core), levels)| {
                let from = match core.tag {
                    Some(tag) => Some(tag),
                    None => tag_before(source, levels[level], sample.start),
                }?;
                source.get(from..levels[level])
            })
            .collect();
        let Some(tags) = tags else { continue };
        let begin = whole_words(common_prefix(tags.iter().copied()));
        let rest = || tags.iter().map(|tag| &tag[begin.len().min(tag.len())..]);
        let end = common_suffix(rest());
        if begin.len() < 3 || end.is_empty() || begin.len() + end.len() > LONGEST {
            continue;
        }
        let outside = common_suffix(present.iter().zip(&edges).zip(&tags).map(|(((sample, _), levels), tag)| {
            source.get(sample.start..levels[level] - tag.len()).unwrap_or_default()
        }));
        let tail = last_part(end);
        for around in std::iter::once("").chain(suffixes(outside)).take(CUTS / 2) {
            let texts = vec![format!("{around}{begin}"), tail.to_owned()];
            push(&mut fronts, source, present, &edges, level, texts, farther + 6);
        }
    }
    fronts
}

/// Adds texts; and the first of them so often as it stands in front, if that is the same for all.
fn push(
    fronts: &mut Vec<Front>,
    source: &str,
    present: &[(&Sample, Core)],
    edges: &[Vec<usize>],
    level: usize,
    texts: Vec<String>,
    extra: usize,
) {
    let Some(first) = texts.first().cloned() else { return };
    let own: usize = texts.iter().map(|text| score(text)).sum();
    let mut times = None;
    for ((sample, _), levels) in present.iter().zip(edges) {
        let behind: usize = texts[1..].iter().map(String::len).sum();
        let end = levels[level].saturating_sub(behind);
        let Some(front) = source.as_bytes().get(sample.start..end) else { return };
        let count = memchr::memmem::find_iter(front, first.as_bytes()).take(REPEATS + 1).count();
        if *times.get_or_insert(count) != count {
            times = Some(0);
            break;
        }
    }
    let times = times.unwrap_or(0);
    if (2..=REPEATS).contains(&times) {
        let mut repeated = vec![first; times];
        repeated.extend_from_slice(&texts[1..]);
        fronts.push(Front { texts: repeated, score: own + extra + times * (8 + own / 4) });
    }
    fronts.push(Front { texts, score: own + extra });
}

/// The texts that can stand behind; the empty one, if nothing but markup follows in each piece.
fn behinds(source: &str, present: &[(&Sample, Core)]) -> Vec<String> {
    let mut behinds = Vec::new();
    let mut edges: Vec<usize> = present.iter().map(|(_, core)| core.to).collect();
    for level in 0..LEVELS {
        let rests = || {
            present.iter().zip(&edges).map(|((sample, core), &at)| {
                let at = if core.tag.is_some() { at } else { over_space(source, at, sample.end) };
                source.get(at..sample.end).unwrap_or_default()
            })
        };
        let after = common_prefix(rests());
        behinds.extend(prefixes(after).map(str::to_owned));
        if level == 0 {
            // White space may be all that parts it from what follows.
            let tight = present.iter().map(|(sample, core)| source.get(core.to..sample.end).unwrap_or_default());
            behinds.extend(prefixes(common_prefix(tight)).take(2).map(str::to_owned));
        }
        if present.iter().any(|(_, core)| core.tag.is_some()) {
            break;
        }
        let mut out = Vec::new();
        for ((sample, _), &at) in present.iter().zip(&edges) {
            let at = over_space(source, at, sample.end);
            let rest = source.get(at..sample.end).unwrap_or_default();
            match rest.starts_with('<').then(|| rest.find('>')).flatten() {
                Some(end) => out.push(at + end + 1),
                None => break,
            }
        }
        if out.len() < edges.len() {
            break;
        }
        edges = out;
    }
    let mut seen = hashbrown::HashSet::new();
    behinds.retain(|text| !text.is_empty() && seen.insert(text.clone()));
    behinds.truncate(3 * CUTS);
    behinds.push(String::new());
    behinds
}

/// How much speaks against a text in front: its length, and what changes first.
fn score(text: &str) -> usize {
    let named = ["class=", "id=", "itemprop=", "rel=", "title="].iter().any(|name| text.contains(name));
    let label = outside_tags(text).any(char::is_alphabetic);
    // It begins in the middle of a tag.
    let broken = !text.starts_with('<') && text.find('>') < text.find('<').or(Some(usize::MAX));
    let against = if broken { 15 } else { 0 } + if text.len() < 3 { 10 } else { 0 };
    let speaks = if named { 14 } else { 0 } + if label { 10 } else { 0 };
    (text.len() + 12 * breaks(text) + against + 24).saturating_sub(speaks)
}

/// The same of a text behind, where a tag that closes is what was meant. All that is left is the last resort.
fn score_behind(text: &str) -> usize {
    let kind = match text {
        "" => return 70,
        _ if text.starts_with("</") => 0,
        _ if text.starts_with('<') => 8,
        // The quote behind an attribute, a word of a sentence.
        _ => 12,
    };
    let label = outside_tags(text).filter(|char| char.is_alphabetic()).count().min(10);
    text.len() + 12 * breaks(text) + kind + label
}

/// Line ends, tabs and runs of spaces: how a page is laid out changes more often than what it says.
fn breaks(text: &str) -> usize {
    text.bytes().filter(|byte| matches!(byte, b'\n' | b'\r' | b'\t')).count() + text.matches("  ").count()
}

fn outside_tags(text: &str) -> impl Iterator<Item = char> + '_ {
    let mut inside = !text.starts_with('<') && text.contains('>') && !text.contains('<');
    text.chars().filter(move |&char| {
        match char {
            '<' => inside = true,
            '>' => inside = false,
            _ => return !inside,
        }
        false
    })
}

/// What a pattern shows for itself.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        if matches!(char, '*' | '#' | '\\') {
            escaped.push('\\');
        }
        escaped.push(char);
    }
    escaped
}

/// Whether a part of the source shows nothing: tags, comments and white space.
pub(super) fn is_markup(part: &str) -> bool {
    let mut rest = part.trim_start();
    while !rest.is_empty() {
        let end = match rest.strip_prefix("<!--") {
            Some(comment) => comment.find("-->").map(|at| at + 7),
            None if rest.starts_with('<') => rest.find('>').map(|at| at + 1),
            None => None,
        };
        match end.and_then(|end| rest.get(end..)) {
            Some(behind) => rest = behind.trim_start(),
            None => return false,
        }
    }
    true
}

fn back_over_space(source: &str, at: usize, start: usize) -> usize {
    start + source.get(start..at).map_or(0, |before| before.trim_end_matches(BLANK).len())
}

fn over_space(source: &str, at: usize, end: usize) -> usize {
    let rest = source.get(at..end).unwrap_or_default();
    at + (rest.len() - rest.trim_start_matches(BLANK).len())
}

const BLANK: [char; 5] = [' ', '\n', '\r', '\t', '\x0c'];

/// Where the tag that ends at a place begins.
fn tag_before(source: &str, at: usize, start: usize) -> Option<usize> {
    let from = at.saturating_sub(4 * LONGEST).max(start);
    let bytes = source.as_bytes().get(from..at)?;
    (bytes.last() == Some(&b'>')).then(|| memchr::memrchr(b'<', bytes)).flatten().map(|found| from + found)
}

/// The suffixes of a text that begin where something begins, the shortest first.
fn suffixes(text: &str) -> impl Iterator<Item = &str> {
    let begins = |at: &usize| {
        let rest = &text[*at..];
        let before = text[..*at].chars().next_back();
        rest.starts_with('<')
            || before.is_some_and(|char| char.is_whitespace() || char == '>')
                && rest.starts_with(|first: char| first.is_alphabetic())
    };
    let mut cuts: Vec<usize> = text.char_indices().map(|(at, _)| at).filter(begins).collect();
    cuts.reverse();
    cuts.truncate(CUTS);
    if !cuts.contains(&0) && !text.is_empty() {
        cuts.push(0);
    }
    cuts.into_iter().map(move |at| &text[at..]).filter(|text| !text.trim().is_empty())
}

/// The prefixes of a text that end where something ends, the shortest first.
fn prefixes(text: &str) -> impl Iterator<Item = &str> {
    let first = text.chars().next().map(char::len_utf8);
    let ends = text.char_indices().filter(|(_, char)| matches!(char, '>' | ' ')).map(|(at, _)| at + 1);
    let mut cuts: Vec<usize> = first.into_iter().filter(|_| !text.starts_with('<')).chain(ends).take(CUTS).collect();
    if !text.is_empty() && !text.starts_with('<') {
        cuts.push(text.find('<').unwrap_or(text.len()));
    }
    if !text.is_empty() && cuts.is_empty() {
        cuts.push(text.len());
    }
    cuts.dedup();
    cuts.into_iter().map(move |at| &text[..at]).filter(|text| !text.is_empty())
}

/// The last part of how a tag ends: from the last quote or blank on, which is where a value ends.
fn last_part(end: &str) -> &str {
    let inner = end.len() - end.trim_end_matches(['>', '"', '\'', '/', ' ', '=']).len();
    let at = end.len() - inner;
    if at == 0 {
        end
    } else if inner > 0 && end[at..].contains('>') {
        &end[at..]
    } else {
        end
    }
}

/// Without a word that breaks off.
fn whole_words(text: &str) -> &str {
    let kept = text.trim_end_matches(|char: char| char.is_alphanumeric());
    if kept.len() < 2 { text } else { kept }
}

pub(super) fn common_prefix<'a>(mut texts: impl Iterator<Item = &'a str>) -> &'a str {
    let Some(first) = texts.next() else { return "" };
    let mut length = floor(first, first.len().min(LONGEST));
    for text in texts {
        let same = first.bytes().take(length).zip(text.bytes()).take_while(|(a, b)| a == b).count();
        length = floor(first, same);
    }
    &first[..length]
}

pub(super) fn common_suffix<'a>(mut texts: impl Iterator<Item = &'a str>) -> &'a str {
    let Some(first) = texts.next() else { return "" };
    let mut from = ceil(first, first.len().saturating_sub(LONGEST));
    for text in texts {
        let same = first.bytes().rev().take(first.len() - from).zip(text.bytes().rev()).take_while(|(a, b)| a == b);
        from = ceil(first, first.len() - same.count());
    }
    &first[from..]
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn ceil(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}
