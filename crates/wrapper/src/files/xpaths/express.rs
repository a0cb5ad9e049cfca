//! Expresses locators as paths: selectors are translated, alternatives become a union of mutually exclusive members,
//! and parts that no path can express are kept as notes.
//!
//! `case = [A, B]` becomes `(A)[1][…] | self::node()[not((A)[1][…])]/B`, where `…` tests the same as the executor:
//! that the value is more than an empty text. White space that XPath does not know (a no-break space) counts as text
//! there. Records that extend over several siblings end where the next one begins, which a path inside one cannot
//! see. For these, and for alternatives with refinements of their own, each alternative gets its own line.

use windrow_xpath::{Expr, Language, Origin, TranslateError, css_to_xpath};

use super::Note;
use super::union::Path;
use crate::files::{toml, write as tree};
use crate::wrapper::{Find, Locator, Slice, Text, Until};

/// The path of one line, and the comments above it.
#[derive(Debug)]
pub(super) struct PathLine {
    pub(super) path: String,
    pub(super) notes: Vec<(Note, String)>,
    /// `true` if the path is copied unchanged from the rule.
    pub(super) literal: bool,
}

/// The use of the matches, as far as it decides which alternative is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MatchUse {
    /// Only the first match.
    One,
    /// All matches, as values.
    Values,
    /// All matches, as records with rules of their own.
    Records,
}

/// Expresses a locator as lines, each of which is tried if those before it find nothing; or returns the reason why it
/// cannot be.
pub(super) fn express(locator: &Locator, origin: Origin, wanted: MatchUse) -> Result<Vec<PathLine>, String> {
    match &locator.find {
        Find::Case(cases) if *locator == Locator::new(locator.find.clone()) => {
            if let Ok(path) = plain(locator, origin, wanted) {
                return Ok(vec![PathLine { path: path.written(), notes: Vec::new(), literal: false }]);
            }
            cases.iter().map(|case| line(case, origin, wanted)).collect()
        }
        _ => Ok(vec![line(locator, origin, wanted)?]),
    }
}

fn line(locator: &Locator, origin: Origin, wanted: MatchUse) -> Result<PathLine, String> {
    let Locator { find, until, slice, without, after, before, matches, then } = locator;
    if let Some(text) = xpath_of(find)
        && *locator == Locator::new(find.clone())
    {
        return Ok(PathLine { path: text, notes: Vec::new(), literal: true });
    }
    // A slice of extended matches is applied once all of them are known.
    let (slice, late) = if until.is_some() { (None, *slice) } else { (*slice, None) };
    // A slice of a list needs the whole list.
    let inner = if then.is_some() || slice.is_some() { MatchUse::Records } else { wanted };
    let mut path = match xpath_of(find) {
        // An author's own expression is kept, whatever it evaluates to.
        Some(path) if slice.is_none() => Path::read(&path).unwrap_or_else(|| Path::one(path)),
        _ => find_path(find, origin, inner)?,
    };
    if let Some(slice) = slice {
        path = sliced(&path, slice);
    }
    let mut notes = Vec::new();
    let below = if until.is_some() { Origin::Siblings } else { Origin::Element };
    if let Some(until) = until {
        notes.push((
            Note::Until,
            match until {
                Until::Next => "next".to_owned(),
                Until::Before(text) if &**text == "next" => {
                    return Err("its `until` would be read back differently".to_owned());
                }
                Until::Before(text) => expression(text, origin)?,
            },
        ));
    }
    notes.extend(late.map(|slice| (Note::Slice, slice.to_string())));
    if let Some(without) = without {
        notes.push((Note::Without, expression(without, below)?));
    }
    for (note, text) in [(Note::After, after), (Note::Before, before), (Note::Match, matches)] {
        notes.extend(text.as_ref().map(|text| (note, text.value.clone())));
    }
    if let Some(then) = then {
        // A locator inside the matches joins into one path if there is nothing in between; otherwise it becomes a
        // note. The extent and selection of matches are determined for each outer match separately.
        let reaches = |inner: &PathLine| inner.notes.iter().any(|(note, _)| matches!(note, Note::Until | Note::Slice));
        match notes.is_empty().then(|| line(then, below, wanted)) {
            Some(Ok(inner)) if !reaches(&inner) => {
                match Path::read(&inner.path).and_then(|inner| Path::read(&path.written())?.then(&inner)) {
                    Some(whole) => {
                        path = whole;
                        notes = inner.notes;
                    }
                    None => notes.push((Note::Then, toml::inline(&tree::locator_table(then)))),
                }
            }
            _ => notes.push((Note::Then, toml::inline(&tree::locator_table(then)))),
        }
    }
    Ok(PathLine { path: path.written(), notes, literal: false })
}

/// Expresses a locator that is a path and nothing else.
fn plain(locator: &Locator, origin: Origin, wanted: MatchUse) -> Result<Path, String> {
    let expressed = match &locator.find {
        Find::Case(_) if *locator == Locator::new(locator.find.clone()) => {
            return find_path(&locator.find, origin, wanted);
        }
        _ => line(locator, origin, wanted)?,
    };
    if !expressed.notes.is_empty() {
        return Err("an expression has no refinements".to_owned());
    }
    Path::read(&expressed.path).ok_or_else(|| "its expression does not return nodes".to_owned())
}

fn find_path(find: &Find, origin: Origin, wanted: MatchUse) -> Result<Path, String> {
    let text = match find {
        Find::Scope => return Ok(Path::one(".")),
        Find::XPath(text) | Find::Css(text) | Find::Expression(text) => match xpath_of(find) {
            Some(path) => path,
            None => translated(text.strip_prefix("css:").unwrap_or(text), origin)?,
        },
        Find::Case(cases) => return alternatives(cases, origin, wanted),
        Find::Pattern(_) | Find::Split(_) | Find::Landmark(_) | Find::Table(_) | Find::Column(_) | Find::Get(_) => {
            return Err("its locator is neither an XPath expression nor a selector".to_owned());
        }
    };
    Path::read(&text).ok_or_else(|| "its expression does not return nodes".to_owned())
}

/// Expresses the first alternative that finds something as one expression.
fn alternatives(cases: &[Locator], origin: Origin, wanted: MatchUse) -> Result<Path, String> {
    if origin == Origin::Siblings {
        return Err("a path cannot see where a record of several siblings ends".to_owned());
    }
    let mut union: Option<Path> = None;
    let mut missing: Vec<String> = Vec::new();
    let mut on_page = true;
    for (index, case) in cases.iter().enumerate() {
        let path = plain(case, origin, wanted)?;
        let last = index + 1 == cases.len();
        on_page &= path.is_absolute();
        let holds =
            if path.is_of_texts() { "[normalize-space()]" } else { "[normalize-space() or count(.//node()) > 1]" };
        let (given, test) = match wanted {
            MatchUse::One => {
                let given = format!("{}[1]{holds}", path.whole());
                (given.clone(), given)
            }
            MatchUse::Values => (path.written(), format!("{}{holds}", path.whole())),
            MatchUse::Records => (path.written(), path.written()),
        };
        let member = match (&union, last) {
            (None, _) => Path::read(&given),
            _ => path.where_(&missing.join(" and "), on_page),
        };
        let member = member.ok_or("its alternatives cannot be combined into one expression")?;
        union = Some(match union {
            None => member,
            Some(before) => before.or(member),
        });
        missing.push(format!("not({test})"));
    }
    union.ok_or_else(|| "its `case` has no alternatives".to_owned())
}

fn sliced(path: &Path, slice: Slice) -> Path {
    let whole = path.whole();
    Path::one(match slice {
        Slice::Index(index) => format!("{whole}[{}]", u64::from(index) + 1),
        Slice::Range { skip: 0, drop: 0 } => return path.clone(),
        Slice::Range { skip, drop: 0 } => format!("{whole}[position() > {skip}]"),
        Slice::Range { skip: 0, drop } => format!("{whole}[position() <= last() - {drop}]"),
        Slice::Range { skip, drop } => format!("{whole}[position() > {skip} and position() <= last() - {drop}]"),
    })
}

/// Returns the XPath expression of a locator, if it has one as it stands.
fn xpath_of(find: &Find) -> Option<String> {
    match find {
        Find::XPath(path) => Some(path.value.clone()),
        Find::Expression(path) => {
            let expr = Expr::parse(path).ok().filter(|expr| expr.language() == Language::XPath)?;
            Some(expr.source().to_owned())
        }
        Find::Scope
        | Find::Css(_)
        | Find::Pattern(_)
        | Find::Split(_)
        | Find::Landmark(_)
        | Find::Table(_)
        | Find::Column(_)
        | Find::Case(_)
        | Find::Get(_) => None,
    }
}

/// Translates an expression in a comment to XPath if it is a selector.
fn expression(text: &Text, origin: Origin) -> Result<String, String> {
    match Expr::parse(text) {
        Ok(expr) if expr.language() == Language::Css => translated(expr.source(), origin),
        _ => Ok(text.value.clone()),
    }
}

fn translated(selector: &str, origin: Origin) -> Result<String, String> {
    css_to_xpath(selector, origin).map_err(|error| match error {
        TranslateError::Selector(error) => format!("its selector is wrong: {error}"),
        other => other.to_string(),
    })
}
