//! The rules for people: a block each, indented as they nest.

use std::fmt::Write;
use std::io::{self, IsTerminal};

use windrow::wrapper::{Kind, Learned};

use windrow::show::warnings::places;
use windrow::show::{PageFinds, RuleFinds, RuleReport, RuleScope};

use crate::terminal;
use windrow::text::excerpt;
use windrow::text::plural;
use windrow::wrapper_file::WrapperFile;

/// Columns of a line with a value where there is no terminal to ask.
const COLUMNS: usize = 60;
/// Columns that a value has in any case, however deep its rule is.
const LEAST: usize = 24;
/// Characters of a path or a name.
const LONG: usize = 500;

/// The abilities of the output.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    columns: usize,
    colors: bool,
}

impl Style {
    /// Returns those of standard output.
    pub(crate) fn of_output() -> Style {
        if !io::stdout().is_terminal() {
            return Style { columns: COLUMNS, colors: false };
        }
        let columns = terminal::columns();
        let unset = |name| std::env::var_os(name).is_none_or(|value| value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Style { columns, colors: unset("NO_COLOR") && !dumb }
    }

    fn dim(self, text: &str) -> String {
        if self.colors { format!("\x1b[2m{text}\x1b[0m") } else { text.to_owned() }
    }

    fn bold(self, text: &str) -> String {
        if self.colors { format!("\x1b[1m{text}\x1b[0m") } else { text.to_owned() }
    }

    fn loud(self, text: &str) -> String {
        if self.colors { format!("\x1b[33m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// All of it.
pub(crate) fn blocks(rules: &WrapperFile, pages: Option<&PageFinds>, shown: &[RuleReport<'_>], style: Style) -> String {
    let mut out = excerpt(&rules.file.name, LONG);
    match pages.map(|pages| pages.names.as_slice()) {
        None => {}
        Some([page]) => out += &format!(" on {}", excerpt(page, LONG)),
        Some(pages) => out += &format!(" on {}", plural(pages.len(), "page")),
    }
    out.push('\n');
    if let Some(learned) = &rules.wrapper.learned {
        out += &format!("{}\n", style.dim(&how_learned(learned)));
    }
    shown.iter().for_each(|rule| block(&mut out, rule, 0, style));
    out
}

fn how_learned(learned: &Learned) -> String {
    let mut text = format!("learned by {}", excerpt(&learned.by, LONG));
    match learned.from.as_slice() {
        [] => {}
        [page] => text += &format!(" from {}", excerpt(page, LONG)),
        pages => text += &format!(" from {}", plural(pages.len(), "page")),
    }
    if let Some(at) = &learned.at {
        text += &format!(", {}", excerpt(at, LONG));
    }
    text
}

/// As deep as rules nest, which is bounded.
fn block(out: &mut String, rule: &RuleReport<'_>, depth: usize, style: Style) {
    let indent = "  ".repeat(depth);
    let name = match rule.rule.kind {
        Kind::Save => String::new(),
        _ => format!(" {}", style.bold(&excerpt(&rule.rule.name, LONG))),
    };
    // Without pages, rules are only lines, as in a file.
    if depth == 0 || rule.found.is_some() {
        out.push('\n');
    }
    let _ = write!(out, "{indent}{}{name} = {}", rule.kind(), terminal::visible(&rule.written()));
    if let Some(path) = &rule.rule.path {
        let _ = write!(out, "  {}", style.dim(&format!("# {}", excerpt(path, LONG))));
    }
    out.push('\n');
    if let Some(found) = rule.found {
        let _ = writeln!(out, "{indent}  {}", style.dim(&counts(rule, found)));
        let room = style.columns.saturating_sub(indent.len() + 4).max(LEAST);
        for sample in found.samples() {
            let _ = writeln!(out, "{indent}  · {}", shortened(sample, room));
        }
        for warning in &rule.warnings {
            let _ = writeln!(
                out,
                "{indent}  {}",
                style.loud(&terminal::visible(&format!("warning: {}", warning.message())))
            );
        }
    }
    rule.below.iter().for_each(|below| block(out, below, depth + 1, style));
}

/// `matched 24 of 25 records, money`.
fn counts(rule: &RuleReport<'_>, found: &RuleFinds) -> String {
    if found.scopes == 0 {
        return "not looked for: what is around it was not found".to_owned();
    }
    let places = format!("{} of {}", found.matched, places(rule.around, found.scopes));
    let mut text = match rule.rule.kind {
        Kind::List => {
            let what = if rule.has_values() { "value" } else { "record" };
            let on = if rule.around == RuleScope::Pages { "on" } else { "in" };
            format!("{} {on} {places}", plural(found.found as usize, what))
        }
        _ => format!("matched {places}"),
    };
    if rule.has_values() {
        text += &format!(", {}", rule.rule.ty.name());
    }
    text
}

/// A text cut to so many columns, the mark of the cut included.
fn shortened(text: &str, columns: usize) -> String {
    let mut short = excerpt(text, columns);
    if short.chars().count() > columns {
        short = excerpt(text, columns - 1);
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_fit_their_columns() {
        assert_eq!(shortened("abcdef", 6), "abcdef");
        assert_eq!(shortened("abcdefg", 6), "abcde…");
        assert_eq!(shortened("über alles", 4), "übe…");
    }

    #[test]
    fn colours_are_only_for_terminals_that_have_them() {
        let plain = Style { columns: 60, colors: false };
        let fancy = Style { colors: true, ..plain };
        assert_eq!((plain.dim("a").as_str(), fancy.dim("a").as_str()), ("a", "\u{1b}[2ma\u{1b}[0m"));
        assert_eq!((plain.loud("a").as_str(), fancy.loud("a").as_str()), ("a", "\u{1b}[33ma\u{1b}[0m"));
    }
}
