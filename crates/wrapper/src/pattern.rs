//! TSIMMIS patterns: `*` discards, `#` saves, everything else has to be found, one text after the other.
//!
//! A pattern is matched from left to right by substring search alone. `*<TABLE*</TR>#</TABLE>*` finds `<TABLE`, behind
//! it `</TR>`, behind that `</TABLE>`, and saves what lies between the last two. Each text is taken where it first
//! occurs, so nothing is ever tried twice: one match costs one pass over what it covers, on any page.
//!
//! A text that stands at the very beginning must begin the input; what follows the last one is not looked at unless the
//! pattern ends with `#`, which saves it.
//!
//! Paper: Hammer et al., "Extracting Semistructured Information from the Web" (1997), section 2.1, where the same is
//! done by Python's `find`.

use memchr::memmem;
use windrow_dom::Span;

use crate::error::WrapperError;
use crate::wrapper::Text;

/// A compiled pattern.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    /// What becomes of the input in front of the first text.
    lead: Gap,
    steps: Vec<Step>,
    saves: usize,
}

#[derive(Debug, Clone)]
struct Step {
    needle: Needle,
    /// What becomes of the input behind the text, up to the next one.
    after: Gap,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gap {
    /// There must be none.
    None,
    Discard,
    Save,
}

/// Where a match failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Miss {
    /// The text that was not found: its number in the pattern.
    pub(crate) step: u32,
    /// Where the search for it began.
    pub(crate) at: u32,
}

impl Pattern {
    /// Compiles a pattern. Errors carry places in the wrapper file.
    pub(crate) fn new(text: &Text) -> Result<Pattern, WrapperError> {
        let span = |start: usize, end: usize| text.within(windrow_xpath::Span::new(start, end));
        let mut lead = Gap::None;
        let mut steps: Vec<Step> = Vec::new();
        let mut literal = Vec::new();
        // The sign that opened the gap we are in: none right behind a literal or at the beginning.
        let mut sign: Option<(usize, Gap)> = None;
        let bytes = text.value.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let gap = match bytes[at] {
                b'*' => Gap::Discard,
                b'#' => Gap::Save,
                byte => {
                    let escaped = byte == b'\\' && matches!(bytes.get(at + 1), Some(b'*' | b'#' | b'\\'));
                    at += usize::from(escaped);
                    literal.push(bytes[at]);
                    at += 1;
                    sign = None;
                    continue;
                }
            };
            if !literal.is_empty() {
                steps.push(Step { needle: Needle::new(&std::mem::take(&mut literal)), after: gap });
            } else if let Some((before, old)) = sign {
                // Two signs without a text between them: at an end of the pattern the `*` adds nothing.
                let last = bytes[at + 1..].iter().all(|byte| *byte == b'*');
                let merged = match (old, gap) {
                    (Gap::Discard, Gap::Discard) => Some(Gap::Discard),
                    (Gap::Discard, Gap::Save) if steps.is_empty() => Some(Gap::Save),
                    (Gap::Save, Gap::Discard) if last => Some(Gap::Save),
                    _ => None,
                };
                let Some(merged) = merged else {
                    let pair = text.value[before..=at].to_owned();
                    return Err(WrapperError::AdjacentWildcards { pair, span: span(before, at + 1) });
                };
                match steps.last_mut() {
                    Some(step) => step.after = merged,
                    None => lead = merged,
                }
            } else {
                lead = gap;
            }
            sign = Some((at, gap));
            at += 1;
        }
        if !literal.is_empty() {
            steps.push(Step { needle: Needle::new(&literal), after: Gap::None });
        }
        let saves = usize::from(lead == Gap::Save) + steps.iter().filter(|step| step.after == Gap::Save).count();
        Ok(Pattern { lead, steps, saves })
    }

    /// How many texts a match saves.
    pub(crate) fn saves(&self) -> usize {
        self.saves
    }

    /// The same with what follows its last text saved, if it saves nothing yet.
    pub(crate) fn saving_the_rest(mut self) -> Pattern {
        if self.saves == 0 {
            match self.steps.last_mut() {
                Some(step) => step.after = Gap::Save,
                None => self.lead = Gap::Save,
            }
            self.saves = 1;
        }
        self
    }

    /// Whether it is `#`: all of the input.
    pub(crate) fn is_all(&self) -> bool {
        self.steps.is_empty() && self.lead == Gap::Save
    }

    /// The text that a miss was about.
    pub(crate) fn wanted(&self, miss: Miss) -> &[u8] {
        self.steps.get(miss.step as usize).map_or(&[], |step| &step.needle.bytes)
    }

    /// Matches the pattern against `source[input]` and hands each saved span to `save`; says where the match ended.
    ///
    /// On a miss, spans may have been handed over already.
    #[inline]
    pub(crate) fn run(&self, source: &[u8], input: Span, mut save: impl FnMut(Span)) -> Result<u32, Miss> {
        let end = (input.end as usize).min(source.len());
        let haystack = &source[..end];
        let mut at = input.start as usize;
        let mut gap = self.lead;
        for (number, step) in self.steps.iter().enumerate() {
            let found = match gap {
                Gap::None => step.needle.is_at(haystack, at).then_some(at),
                _ => step.needle.find(haystack, at),
            };
            let Some(found) = found else { return Err(Miss { step: number as u32, at: at as u32 }) };
            if gap == Gap::Save {
                save(Span { start: at as u32, end: found as u32 });
            }
            at = found + step.needle.bytes.len();
            gap = step.after;
        }
        if gap == Gap::Save {
            save(Span { start: at as u32, end: end as u32 });
            at = end;
        }
        Ok(at as u32)
    }
}

/// A text to search for, many times, at short distances.
///
/// `memmem` alone is made for long ways; what we look for is mostly the next tag, a few bytes on, where calling it costs
/// more than the search. So one byte of the text is looked for first, eight bytes at a step, and the text is compared as
/// one machine word. Only after a few false finds does the general searcher take over: it keeps the bound.
#[derive(Debug, Clone)]
pub(crate) struct Needle {
    bytes: Box<[u8]>,
    /// Boxed: it is large, and the others should lie close together.
    finder: Box<memmem::Finder<'static>>,
    /// The byte to look for first, eight times, and where it stands in the text.
    rare: u64,
    offset: usize,
    /// The first eight bytes as one word, and which of its bits count.
    head: u64,
    mask: u64,
}

/// Finds of the rare byte that may turn out false before the general searcher is asked: a few, so that a text full of
/// them costs little more than the general search alone.
const TRIES: usize = 6;

impl Needle {
    pub(crate) fn new(text: &[u8]) -> Needle {
        let rarest = text.iter().copied().enumerate().max_by_key(|&(at, byte)| (rarity(byte), usize::MAX - at));
        let (offset, rare) = rarest.unwrap_or((0, 0));
        let mut head = [0; 8];
        let mut mask = [0; 8];
        for (at, &byte) in text.iter().take(8).enumerate() {
            head[at] = byte;
            mask[at] = 0xFF;
        }
        Needle {
            bytes: text.into(),
            finder: Box::new(memmem::Finder::new(text).into_owned()),
            rare: ONES * u64::from(rare),
            offset,
            head: u64::from_le_bytes(head),
            mask: u64::from_le_bytes(mask),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The first occurrence at or behind `from`, which is likely to be near.
    #[inline]
    pub(crate) fn find(&self, haystack: &[u8], from: usize) -> Option<usize> {
        // The next eight bytes without a call, which is where it mostly is.
        let at = from + self.offset;
        if let Some(ahead) = word(haystack, at)
            && let Some(step) = first_in(ahead, self.rare)
            && let Some(here) = word(haystack, from + step)
            && here & self.mask == self.head
            && self.bytes.len() <= 8
        {
            return Some(from + step);
        }
        self.find_near(haystack, from)
    }

    #[inline(never)]
    fn find_near(&self, haystack: &[u8], from: usize) -> Option<usize> {
        let mut at = from + self.offset;
        for _ in 0..TRIES {
            at = find_byte(self.rare, haystack, at)?;
            let begin = at - self.offset;
            if self.is_at(haystack, begin) {
                return Some(begin);
            }
            at += 1;
        }
        self.find_far(haystack, at - self.offset)
    }

    /// The first occurrence at or behind `from`, which is likely to be far.
    pub(crate) fn find_far(&self, haystack: &[u8], from: usize) -> Option<usize> {
        Some(from + self.finder.find(haystack.get(from..)?)?)
    }

    /// Whether the text stands there.
    #[inline]
    fn is_at(&self, haystack: &[u8], begin: usize) -> bool {
        match word(haystack, begin) {
            Some(word) if word & self.mask != self.head => false,
            Some(_) if self.bytes.len() <= 8 => true,
            _ => haystack.get(begin..).is_some_and(|rest| rest.starts_with(&self.bytes)),
        }
    }
}

/// Eight bytes as one word.
#[inline]
fn word(haystack: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*haystack.get(at..)?.first_chunk()?))
}

/// A one in each byte of a word.
const ONES: u64 = u64::MAX / 0xFF;

/// Where in a word the byte first stands that fills `rare`.
#[inline]
fn first_in(word: u64, rare: u64) -> Option<usize> {
    // A zero byte where it stands; the lowest high bit that the subtraction leaves is the first of them.
    let zeros = word ^ rare;
    let found = zeros.wrapping_sub(ONES) & !zeros & (ONES << 7);
    (found != 0).then(|| found.trailing_zeros() as usize / 8)
}

/// The first occurrence of the byte that fills `rare`, at or behind `at`: three words by hand, then `memchr`.
#[inline]
fn find_byte(rare: u64, haystack: &[u8], mut at: usize) -> Option<usize> {
    for _ in 0..3 {
        let Some(word) = word(haystack, at) else { break };
        if let Some(step) = first_in(word, rare) {
            return Some(at + step);
        }
        at += 8;
    }
    Some(at + memchr::memchr(rare as u8, haystack.get(at..)?)?)
}

/// How seldom a byte is on web pages, roughly: markup signs are where tags are, letters are everywhere.
fn rarity(byte: u8) -> u8 {
    match byte {
        b' ' | b'\n' | b'\t' | b'\r' => 0,
        b'a'..=b'z' => 1,
        b'0'..=b'9' | b'-' | b'.' | b'"' => 2,
        b'/' | b'=' | b'A'..=b'Z' => 3,
        b'<' | b'>' => 4,
        0x80.. => 1,
        _ => 5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saved<'a>(pattern: &str, input: &'a str) -> Result<Vec<&'a str>, String> {
        let pattern = Pattern::new(&pattern.into()).map_err(|error| error.to_string())?;
        let mut saved = Vec::new();
        pattern
            .run(input.as_bytes(), Span::new(0, input.len()), |span| saved.push(&input[span.range()]))
            .map_err(|miss| format!("no {:?} from {}", String::from_utf8_lossy(pattern.wanted(miss)), miss.at))?;
        Ok(saved)
    }

    #[test]
    fn the_papers_pattern() {
        let page = "<TABLE>1</TABLE><TABLE><TR>head</TR> rows </TABLE> tail";
        assert_eq!(saved("*<TABLE*<TABLE*</TR>#</TABLE>*", page).unwrap(), [" rows "]);
        assert_eq!(saved("#", page).unwrap(), [page]);
        assert_eq!(saved("*HREF=#>#</A>*", "<TD><A HREF=http://x/>Vienna</A></TD>").unwrap(), ["http://x/", "Vienna"]);
    }

    #[test]
    fn the_ends() {
        assert_eq!(saved("a#", "abc").unwrap(), ["bc"]);
        assert_eq!(saved("#c", "abc").unwrap(), ["ab"]);
        assert_eq!(saved("*#c", "abc").unwrap(), ["ab"]);
        assert_eq!(saved("*b#*", "abc").unwrap(), ["c"]);
        assert_eq!(saved("b#", "abc").unwrap_err(), "no \"b\" from 0");
        assert_eq!(saved("*b#b", "abc").unwrap_err(), "no \"b\" from 2");
        assert_eq!(
            saved("*a*#*b*", "ab").unwrap_err(),
            "`*#` has no text between its two signs, so where the first ends is open"
        );
        assert!(saved("##", "ab").is_err());
        assert_eq!(saved("**b#", "abc").unwrap(), ["c"]);
        assert_eq!(saved("", "abc").unwrap(), [""; 0]);
    }

    #[test]
    fn escaped_signs_stand_for_themselves() {
        assert_eq!(saved(r"*\##\**", "a#b*c").unwrap(), ["b"]);
        assert_eq!(saved(r"*\\#x", r"a\bx").unwrap(), ["b"]);
    }

    #[test]
    fn a_needle_finds_what_memmem_finds() {
        let hay = b"<td>a</td><td class=x>bbb</td>aaaaaaaaaaaaaaaaaaaaab<tt><td>";
        for needle in [&b"<td>"[..], b"</td>", b"ab", b"a", b"<tt>", b"class=", b"zz", b"x>b"] {
            let ours = Needle::new(needle);
            for from in 0..=hay.len() {
                let theirs = memmem::find(&hay[from..], needle).map(|at| at + from);
                assert_eq!(ours.find(hay, from), theirs, "{needle:?} from {from}");
            }
        }
    }
}
