//! TSIMMIS patterns: `*` discards, `#` saves, and everything else is text that has to occur in this order.
//!
//! A pattern is matched from left to right by substring search alone. `*<TABLE*</TR>#</TABLE>*` finds `<TABLE`, then
//! `</TR>` after it, then `</TABLE>`, and saves the part between the last two. Each text is matched at its first
//! occurrence, so there is no backtracking: one match costs one pass over the part it covers, on any page.
//!
//! A text at the very beginning of a pattern must begin the input. The input after the last text is ignored, unless
//! the pattern ends with `#`, which saves it.
//!
//! Paper: Hammer et al., "Extracting Semistructured Information from the Web" (1997), section 2.1, which does the
//! same with Python's `find`.

use memchr::memmem;
use windrow_dom::Span;

use crate::error::WrapperError;
use crate::wrapper::Text;

/// A compiled pattern.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    /// Treatment of the input before the first text.
    lead: Gap,
    steps: Vec<Step>,
    saves: usize,
}

#[derive(Debug, Clone)]
struct Step {
    needle: Needle,
    /// Treatment of the input after the text, up to the next one.
    after: Gap,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gap {
    /// No input is allowed here.
    None,
    Discard,
    Save,
}

/// The point at which a match failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Miss {
    /// Number of the step whose text was not found.
    pub(crate) step: u32,
    /// Offset at which the search for it began.
    pub(crate) at: u32,
}

impl Pattern {
    /// Compiles a pattern. Errors carry places in the wrapper file.
    pub(crate) fn new(text: &Text) -> Result<Pattern, WrapperError> {
        let span = |start: usize, end: usize| text.within(windrow_xpath::Span::new(start, end));
        let mut lead = Gap::None;
        let mut steps: Vec<Step> = Vec::new();
        let mut literal = Vec::new();
        // The wildcard that opened the current gap; `None` after a literal and at the beginning.
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
                // Two wildcards without a text between them: at an end of the pattern the `*` adds nothing.
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

    /// Returns the number of texts that a match saves.
    pub(crate) fn saves(&self) -> usize {
        self.saves
    }

    /// Makes the pattern save the input after its last text, if it saves nothing yet.
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

    /// Returns `true` if the pattern is `#`, which matches all of the input.
    pub(crate) fn is_all(&self) -> bool {
        self.steps.is_empty() && self.lead == Gap::Save
    }

    /// Returns the text that was not found.
    pub(crate) fn wanted(&self, miss: Miss) -> &[u8] {
        self.steps.get(miss.step as usize).map_or(&[], |step| &step.needle.bytes)
    }

    /// Matches the pattern against `source[input]`, passes each saved span to `save`, and returns the end of the
    /// match.
    ///
    /// On a miss, `save` may already have been called.
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

/// A text to search for many times, usually at short distances.
///
/// `memmem` is made for long distances. Here the text is mostly the next tag, a few bytes ahead, where the call costs
/// more than the search. So the rarest byte of the text is searched for first, eight bytes per step, and the text is
/// compared as one machine word. After a few false hits the general searcher takes over, which keeps the worst case
/// linear.
#[derive(Debug, Clone)]
pub(crate) struct Needle {
    bytes: Box<[u8]>,
    /// Boxed because it is large and the other fields should lie close together.
    finder: Box<memmem::Finder<'static>>,
    /// The rarest byte, repeated eight times, and its offset in the text.
    rare: u64,
    offset: usize,
    /// The first eight bytes as one word, and the mask of the bits that are used.
    head: u64,
    mask: u64,
}

/// Number of false hits of the rare byte before the general searcher takes over; with so few, a text full of them
/// costs little more than the general search alone.
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

    /// Returns the first occurrence at or after `from`; fast if it is near.
    #[inline]
    pub(crate) fn find(&self, haystack: &[u8], from: usize) -> Option<usize> {
        // Checks the next eight bytes without a call: most occurrences are there.
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

    /// Returns the first occurrence at or after `from`; fast if it is far away.
    pub(crate) fn find_far(&self, haystack: &[u8], from: usize) -> Option<usize> {
        Some(from + self.finder.find(haystack.get(from..)?)?)
    }

    /// Returns `true` if the text stands at `begin`.
    #[inline]
    fn is_at(&self, haystack: &[u8], begin: usize) -> bool {
        match word(haystack, begin) {
            Some(word) if word & self.mask != self.head => false,
            Some(_) if self.bytes.len() <= 8 => true,
            _ => haystack.get(begin..).is_some_and(|rest| rest.starts_with(&self.bytes)),
        }
    }
}

/// Reads eight bytes as one word.
#[inline]
fn word(haystack: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*haystack.get(at..)?.first_chunk()?))
}

/// A word with the value 1 in each byte.
const ONES: u64 = u64::MAX / 0xFF;

/// Returns the first position in a word of the byte that fills `rare`.
#[inline]
fn first_in(word: u64, rare: u64) -> Option<usize> {
    // Matching bytes are zero in `zeros`; the lowest high bit that the subtraction leaves marks the first of them.
    let zeros = word ^ rare;
    let found = zeros.wrapping_sub(ONES) & !zeros & (ONES << 7);
    (found != 0).then(|| found.trailing_zeros() as usize / 8)
}

/// Returns the first position at or after `at` of the byte that fills `rare`: checks three words, then calls
/// `memchr`.
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

/// Rates how rare a byte is on web pages, roughly: markup characters occur where tags are, letters everywhere.
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
            "`*#` has no text between its two wildcards, so the end of the first is ambiguous"
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
