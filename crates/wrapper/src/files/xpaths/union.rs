//! Combines paths: one after another, and one where another finds nothing.
//!
//! XPath 1.0 has no parentheses inside a path, so a union of paths is kept as a list of its members.

use windrow_xpath::Expr;

/// An expression that selects nodes, as the members of a union.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Path(Vec<String>);

impl Path {
    /// Parses an expression; `None` if it does not select nodes.
    pub(super) fn read(text: &str) -> Option<Path> {
        if !Expr::xpath(text).ok()?.selects() {
            return None;
        }
        let (mut depth, mut quote, mut from) = (0usize, None, 0);
        let mut members = Vec::new();
        for (at, byte) in text.bytes().enumerate() {
            match (quote, byte) {
                (Some(mark), _) => quote = (mark != byte).then_some(mark),
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'[' | b'(') => depth += 1,
                (None, b']' | b')') => depth = depth.checked_sub(1)?,
                (None, b'|') if depth == 0 => {
                    members.push(text[from..at].trim().to_owned());
                    from = at + 1;
                }
                _ => {}
            }
        }
        members.push(text[from..].trim().to_owned());
        Some(Path(members))
    }

    pub(super) fn one(text: impl Into<String>) -> Path {
        Path(vec![text.into()])
    }

    pub(super) fn written(&self) -> String {
        self.0.join(" | ")
    }

    /// Returns the path in parentheses, so that a predicate counts over the whole of it.
    pub(super) fn whole(&self) -> String {
        format!("({})", self.written())
    }

    /// Returns `true` if it begins at the page, wherever it is evaluated.
    pub(super) fn is_absolute(&self) -> bool {
        self.0.iter().all(|member| member.trim_start_matches('(').starts_with('/'))
    }

    /// Appends a path that is evaluated from each node of this one.
    pub(super) fn then(&self, next: &Path) -> Option<Path> {
        let mut members = Vec::new();
        for member in &self.0 {
            for step in &next.0 {
                members.push(match step.as_str() {
                    "." => member.clone(),
                    _ if !is_relative(step) => return None,
                    _ if member == "." => step.clone(),
                    _ => match step.strip_prefix('.').filter(|rest| rest.starts_with('/')) {
                        Some(rest) => format!("{member}{rest}"),
                        None => format!("{member}/{step}"),
                    },
                });
            }
        }
        Some(Path(members))
    }

    /// Restricts the path by a condition on the context it is evaluated in, or on the page.
    pub(super) fn where_(&self, condition: &str, on_page: bool) -> Option<Path> {
        if on_page {
            return Some(Path(self.0.iter().map(|member| format!("{member}[{condition}]")).collect()));
        }
        Path::one(format!("self::node()[{condition}]")).then(self)
    }

    /// Returns the union of both paths.
    pub(super) fn or(mut self, other: Path) -> Path {
        self.0.extend(other.0);
        self
    }

    /// Returns `true` if it selects attributes or texts rather than elements.
    pub(super) fn is_of_texts(&self) -> bool {
        self.0.iter().all(|member| {
            let last = last_step(member);
            last.starts_with('@') || last.starts_with("attribute::") || last.starts_with("text()")
        })
    }
}

/// Returns the part after the last slash outside of brackets.
fn last_step(path: &str) -> &str {
    let (mut depth, mut quote, mut last) = (0usize, None, 0);
    for (at, byte) in path.bytes().enumerate() {
        match (quote, byte) {
            (Some(mark), _) => quote = (mark != byte).then_some(mark),
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'[' | b'(') => depth += 1,
            (None, b']' | b')') => depth = depth.saturating_sub(1),
            (None, b'/') if depth == 0 => last = at + 1,
            _ => {}
        }
    }
    &path[last..]
}

/// Returns `true` if a path can follow another, since it begins with a step.
fn is_relative(path: &str) -> bool {
    let name = path.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')).count();
    let calls = path[name..].trim_start().starts_with('(')
        && !matches!(&path[..name], "text" | "node" | "comment" | "processing-instruction");
    !calls && !path.starts_with(['/', '(', '$', '"', '\''])
}
