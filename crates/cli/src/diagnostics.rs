//! Errors as they are drawn on standard error.
//!
//! Every error is taken apart first and drawn from its parts. So escape sequences in messages, names and quoted source
//! lines are made visible while the colours of the frame stay; and long source lines are cut around what the error points
//! at. Uncut, a minified wrapper of one line would fill the screen, and beyond 65,535 columns the drawing panics, since
//! a format width is 16 bits.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt;

use miette::{
    Diagnostic, LabeledSpan, MietteError, MietteSpanContents, Report, Severity, SourceCode, SourceSpan, SpanContents,
};

use crate::terminal::{is_unsafe, visible};

/// Characters of a source line that is shown whole: two lines of a usual terminal.
const LONGEST_LINE: usize = 200;
/// Characters of a longer line that are shown on each side of the place an error points at.
const AROUND: usize = 60;
/// Characters of a message, label or hint. They quote what users wrote, which may be as long as a source line.
const LONGEST_MESSAGE: usize = 4000;

/// Draws an error.
pub(crate) fn draw(report: &Report) -> String {
    let drawn = format!("{:?}", Report::new(Drawable::new(report.as_ref(), None)));
    drawn.trim_end().to_owned()
}

/// A diagnostic whose parts are safe to draw.
#[derive(Debug)]
struct Drawable {
    message: String,
    code: Option<String>,
    help: Option<String>,
    url: Option<String>,
    severity: Option<Severity>,
    cause: Option<Box<Cause>>,
    labels: Vec<LabeledSpan>,
    source: Option<Quoted>,
    related: Vec<Drawable>,
}

/// An error behind an error.
#[derive(Debug)]
struct Cause {
    message: String,
    next: Option<Box<Cause>>,
}

impl Drawable {
    /// The parts of a diagnostic; `parent` is the source code that it points into if it has none itself.
    fn new(diagnostic: &dyn Diagnostic, parent: Option<&dyn SourceCode>) -> Drawable {
        let part = |part: Option<Box<dyn fmt::Display + '_>>| part.map(|part| safe(&part.to_string()));
        let source = diagnostic.source_code().or(parent);
        let labels: Vec<LabeledSpan> = diagnostic.labels().into_iter().flatten().collect();
        let (source_text, labels) = match source.map(|source| Quoted::new(source, &labels)) {
            Some(Some((source, labels))) => (Some(source), labels),
            // Nothing to point at, or a place outside the text.
            _ => (None, Vec::new()),
        };
        Drawable {
            message: safe(&diagnostic.to_string()),
            code: part(diagnostic.code()),
            help: part(diagnostic.help()),
            url: part(diagnostic.url()),
            severity: diagnostic.severity(),
            cause: Cause::new(diagnostic.source()),
            labels,
            source: source_text,
            related: diagnostic.related().into_iter().flatten().map(|other| Drawable::new(other, source)).collect(),
        }
    }
}

impl Cause {
    fn new(error: Option<&(dyn Error + 'static)>) -> Option<Box<Cause>> {
        let error = error?;
        Some(Box::new(Cause { message: safe(&error.to_string()), next: Cause::new(error.source()) }))
    }
}

/// A text without control characters, cut if it is very long.
fn safe(text: &str) -> String {
    match text.char_indices().nth(LONGEST_MESSAGE) {
        Some((end, _)) => format!("{}…", visible(&text[..end])),
        None => visible(text).into_owned(),
    }
}

impl fmt::Display for Drawable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for Drawable {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.as_ref().map(|cause| &**cause as &(dyn Error + 'static))
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for Cause {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.next.as_ref().map(|cause| &**cause as &(dyn Error + 'static))
    }
}

impl Diagnostic for Drawable {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.code.as_ref().map(|code| Box::new(code) as Box<dyn fmt::Display>)
    }

    fn severity(&self) -> Option<Severity> {
        self.severity
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn url<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.url.as_ref().map(|url| Box::new(url) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        (!self.labels.is_empty()).then(|| Box::new(self.labels.iter().cloned()) as Box<dyn Iterator<Item = _>>)
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        let related = self.related.iter().map(|other| other as &dyn Diagnostic);
        (!self.related.is_empty()).then(|| Box::new(related) as Box<dyn Iterator<Item = _>>)
    }
}

/// The lines that labels point into, with long ones cut, under their own line numbers.
#[derive(Debug)]
struct Quoted {
    name: Option<String>,
    text: String,
    /// The number of the first line; the first of a file is 0.
    first_line: usize,
    lines: Vec<QuotedLine>,
}

/// One line of the quoted text.
#[derive(Debug)]
struct QuotedLine {
    /// The byte it begins at in the quoted text.
    start: usize,
    /// For each shown character, its byte in the quoted text and its column (in bytes) in the source.
    columns: Vec<(usize, usize)>,
}

impl Quoted {
    /// Quotes what the labels point at; gives the labels at their new places. `None` if there is nothing to quote.
    fn new(source: &dyn SourceCode, labels: &[LabeledSpan]) -> Option<(Quoted, Vec<LabeledSpan>)> {
        let start = labels.iter().map(LabeledSpan::offset).min()?;
        let end = labels.iter().map(|label| label.offset() + label.len()).max()?;
        let contents = source.read_span(&(start, end - start).into(), 1, 1).ok()?;
        let text = String::from_utf8_lossy(contents.data());
        let begin = contents.span().offset();
        let places: BTreeSet<usize> = labels
            .iter()
            .flat_map(|label| [label.offset(), label.offset() + label.len()])
            .map(|place| place.saturating_sub(begin))
            .collect();
        let mut quoted = Quoted {
            name: contents.name().map(safe),
            text: String::new(),
            first_line: contents.line(),
            lines: Vec::new(),
        };
        // Where characters went: their bytes before and after.
        let mut moved: Vec<(usize, usize)> = Vec::new();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            quoted.line(line, at, &places, &mut moved);
            at += line.len();
        }
        moved.push((text.len(), quoted.text.len()));
        let place = |old: usize| {
            let after = moved.partition_point(|(before, _)| *before <= old.saturating_sub(begin));
            moved[after.saturating_sub(1)].1
        };
        let labels = labels.iter().map(|label| {
            let (start, end) = (place(label.offset()), place(label.offset() + label.len()));
            let text = label.label().map(safe);
            if label.primary() {
                LabeledSpan::new_primary_with_span(text, (start, end.saturating_sub(start)))
            } else {
                LabeledSpan::new(text, start, end.saturating_sub(start))
            }
        });
        let labels = labels.collect();
        Some((quoted, labels))
    }

    /// Adds a line that begins at byte `at` of the source lines.
    fn line(&mut self, line: &str, at: usize, places: &BTreeSet<usize>, moved: &mut Vec<(usize, usize)>) {
        let body = line.trim_end_matches(['\n', '\r']);
        let letters: Vec<(usize, char)> = body.char_indices().collect();
        let kept = kept(&letters, body.len(), places.range(at..=at + body.len()).map(|place| place - at));
        let start = self.text.len();
        let mut columns = Vec::new();
        let mut next = 0;
        for (from, to) in kept {
            if from > next {
                moved.push((at + letters[next].0, self.text.len()));
                self.text.push('…');
            }
            for &(byte, letter) in &letters[from..to] {
                moved.push((at + byte, self.text.len()));
                columns.push((self.text.len(), byte));
                if is_unsafe(letter) { self.text.extend(letter.escape_unicode()) } else { self.text.push(letter) }
            }
            next = to;
        }
        if next < letters.len() {
            moved.push((at + letters[next].0, self.text.len()));
            self.text.push('…');
        }
        moved.push((at + body.len(), self.text.len()));
        columns.push((self.text.len(), body.len()));
        if line.len() > body.len() {
            self.text.push('\n');
        }
        self.lines.push(QuotedLine { start, columns });
    }

    /// The column of the source that a byte of the quoted text is from.
    fn column(&self, place: usize) -> Option<usize> {
        let line = &self.lines[self.lines.partition_point(|line| line.start <= place).checked_sub(1)?];
        let after = line.columns.partition_point(|(byte, _)| *byte <= place);
        Some(line.columns.get(after.checked_sub(1)?)?.1)
    }
}

/// The ranges of characters of a line that are shown. `places` are the bytes that labels begin and end at.
fn kept(letters: &[(usize, char)], length: usize, places: impl Iterator<Item = usize>) -> Vec<(usize, usize)> {
    if letters.len() <= LONGEST_LINE {
        return vec![(0, letters.len())];
    }
    let mut ranges: Vec<(usize, usize)> = places
        .map(|place| if place >= length { letters.len() } else { letters.partition_point(|(byte, _)| *byte < place) })
        .map(|place| (place.saturating_sub(AROUND), (place + AROUND).min(letters.len())))
        .collect();
    if ranges.is_empty() {
        ranges.push((0, 2 * AROUND));
    }
    let mut joined: Vec<(usize, usize)> = Vec::new();
    for (from, to) in ranges {
        match joined.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => joined.push((from, to)),
        }
    }
    joined
}

impl SourceCode for Quoted {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let contents = self.text.read_span(span, before, after)?;
        let (line, count) = (contents.line() + self.first_line, contents.line_count());
        // Without lines around it, the start of the span is asked for.
        let column = match before {
            0 => self.column(span.offset()).unwrap_or_else(|| contents.column()),
            _ => contents.column(),
        };
        Ok(Box::new(match &self.name {
            Some(name) => {
                MietteSpanContents::new_named(name.clone(), contents.data(), *contents.span(), line, column, count)
            }
            None => MietteSpanContents::new(contents.data(), *contents.span(), line, column, count),
        }))
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use miette::{NamedSource, miette};

    use super::*;

    /// Draws an error that points at the first `«…»` of a text; the marks come out before.
    fn check(marked: &str, expected: &Expect) {
        let start = marked.find('«').unwrap();
        let text = marked.replacen('«', "", 1);
        let end = text.find('»').unwrap();
        let text = text.replacen('»', "", 1);
        let label = LabeledSpan::new(Some("here".to_owned()), start, end - start);
        let report = miette!(labels = vec![label], "wrong").with_source_code(NamedSource::new("x", text));
        let handler = miette::GraphicalReportHandler::new_themed(miette::GraphicalTheme::unicode_nocolor());
        let mut drawn = String::new();
        handler.render_report(&mut drawn, &Drawable::new(report.as_ref(), None)).unwrap();
        // The bar keeps the margin of the drawing: expectations lose the indentation that all of their lines share.
        let drawn: String = drawn.lines().map(|line| format!("|{line}\n")).collect();
        expected.assert_eq(&drawn);
    }

    #[test]
    fn short_lines_are_drawn_as_they_are() {
        check(
            "one\ntwo\nthree «four» five\nsix\nseven",
            &expect![[r#"
                |  × wrong
                |   ╭─[x:3:7]
                | 2 │ two
                | 3 │ three four five
                |   ·       ──┬─
                |   ·         ╰── here
                | 4 │ six
                |   ╰────
            "#]],
        );
        check(
            "«»",
            &expect![[r#"
                |  × wrong
                |   ╭─[x:1:1]
                |   ╰────
            "#]],
        );
        check(
            "unfinished «»",
            &expect![[r#"
                |  × wrong
                |   ╭─[x:1:12]
                | 1 │ unfinished 
                |   ╰────
            "#]],
        );
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let (before, after) = ("a".repeat(100_000), "z".repeat(100_000));
        check(
            &format!("{before} «wrong» {after}"),
            &expect![[r#"
                |  × wrong
                |   ╭─[x:1:100002]
                | 1 │ …aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa wrong zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz…
                |   ·                                                              ──┬──
                |   ·                                                                ╰── here
                |   ╰────
            "#]],
        );
        check(
            &format!("{before}\n«wrong» {after}\nend"),
            &expect![[r#"
                |  × wrong
                |   ╭─[x:2:1]
                | 1 │ aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…
                | 2 │ wrong zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz…
                |   · ──┬──
                |   ·   ╰── here
                | 3 │ end
                |   ╰────
            "#]],
        );
        check(
            &format!("«{before}»"),
            &expect![[r#"
                |  × wrong
                |   ╭─[x:1:1]
                | 1 │ aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                |   · ────────────────────────────────────────────────────────────┬────────────────────────────────────────────────────────────
                |   ·                                                             ╰── here
                |   ╰────
            "#]],
        );
        check(
            &format!("{}«»", "草".repeat(70_000)),
            &expect![[r#"
                |  × wrong
                |   ╭─[x:1:210001]
                | 1 │ …草草草草草草草草草草草草草草草草草草草草草草草草草草草草草草草草草草草草草草草草草草草草草草草草草草草草草草草草草草草草
                |   ╰────
            "#]],
        );
    }

    #[test]
    fn control_characters_are_shown_and_the_label_stays_in_place() {
        check(
            "a\u{1b}[31mb «c\u{7}d»\r\ne",
            &expect![[r#"
                |  × wrong
                |   ╭─[x:1:9]
                | 1 │ a\u{1b}[31mb c\u{7}d
                |   ·              ───┬───
                |   ·                 ╰── here
                | 2 │ e
                |   ╰────
            "#]],
        );
    }
}
