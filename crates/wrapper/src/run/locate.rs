//! Evaluates locators: finds scopes inside a scope and pushes them onto the run's stack.

use windrow_dom::{NodeId, Span};

use super::Run;
use crate::landmark::{TokenMatch, TokenRule};
use crate::object::Computed;
use crate::pattern::{Needle, Pattern};
use crate::problem::ProblemKind;
use crate::program::{Cut, Find, Locator, Until};
use crate::scope::{Place, Scope};
use crate::typed;
use crate::values::text::collapse;

impl<'r> Run<'r> {
    /// Pushes the matches of a locator: all of them if `many`, else the first. Returns the reason if there are none.
    pub(super) fn locate(
        &mut self,
        locator: &'r Locator,
        scope: Scope,
        many: bool,
        variable: u32,
        object: Option<u32>,
    ) -> Option<ProblemKind> {
        let base = self.found.len();
        // Refinements can drop matches, so all are needed until they have run.
        let all = many || locator.slice.is_some() || locator.cut.is_some() || locator.then.is_some();
        let mut miss = self.find(&locator.find, scope, all, variable, object);
        self.drop_left_out(scope, base);
        if let Some(until) = &locator.until {
            self.extend(until, base, scope, variable, object);
        }
        if let Some(slice) = locator.slice {
            let count = self.found.len() - base;
            let mut index = 0;
            let mut keep = |_: &Scope| {
                index += 1;
                slice.contains(index - 1, count)
            };
            retain_from(&mut self.found, base, &mut keep);
            if count > 0 && self.found.len() == base {
                miss = Some(ProblemKind::EmptySlice { slice, members: count as u32 });
            }
        }
        let prunes = locator.without.is_some() || matches!(scope.place, Place::Pruned(_));
        if prunes || locator.cut.is_some() {
            // If only one value is wanted, the others need not be read.
            let one = !many && locator.then.is_none();
            let mut kept = base;
            for at in base..self.found.len() {
                if self.full || one && kept > base {
                    break;
                }
                let mut found = self.found[at];
                if prunes {
                    found = self.prune(locator.without.as_ref(), scope, found, variable, object);
                }
                if let Some(cut) = &locator.cut {
                    match self.cut(cut, found, variable) {
                        Some(part) => found = part,
                        None => continue,
                    }
                }
                self.found[kept] = found;
                kept += 1;
            }
            self.found.truncate(kept);
        }
        if let Some(then) = &locator.then {
            let inner = self.found.len();
            for at in base..inner {
                let more = self.locate(then, self.found[at], many, variable, object);
                miss = miss.or(more);
                if !many && self.found.len() > inner {
                    break;
                }
            }
            self.found.drain(base..inner);
        }
        if !many {
            self.found.truncate(base + 1);
        }
        miss
    }

    fn find(
        &mut self,
        find: &'r Find,
        scope: Scope,
        many: bool,
        variable: u32,
        object: Option<u32>,
    ) -> Option<ProblemKind> {
        match find {
            Find::Scope => self.found.push(scope),
            Find::Slot(slot) => self.found.extend_from_slice(&self.slots[*slot as usize]),
            Find::Expression { expr, absolute } => self.expression(expr, *absolute, scope, variable, object),
            Find::Pattern(pattern) => return self.pattern(pattern, scope, many),
            Find::Split(needle) => self.split(needle, scope),
            Find::Between { start, end } => self.between(start, end.as_ref(), scope, many),
            Find::Each(rule) => self.each(rule, scope),
            Find::Table(inner) => return self.table(inner, scope, variable, object),
            Find::Column(column) => self.column(column, scope, variable),
            Find::Case(cases) => {
                let base = self.found.len();
                for case in cases {
                    self.locate(case, scope, many, variable, object);
                    if self.found[base..].iter().any(|&found| self.holds_something(found)) {
                        return None;
                    }
                    self.found.truncate(base);
                }
                return Some(ProblemKind::NoCase { tried: cases.len() as u32 });
            }
            Find::Get(inner) => {
                let base = self.found.len();
                let miss = self.locate(inner, scope, many, variable, object);
                let mut kept = base;
                for at in base..self.found.len() {
                    if let Some(page) = self.get(self.found[at], variable, object) {
                        self.found[kept] = Scope::whole(page);
                        kept += 1;
                    }
                }
                self.found.truncate(kept);
                return miss;
            }
        }
        None
    }

    /// Returns `true` if an alternative has found more than an empty text. Whole elements always count: their content
    /// is left to the rules below.
    fn holds_something(&self, scope: Scope) -> bool {
        match scope.place {
            Place::Node(node) if !node.is_attribute() => {
                let document = self.page(scope).document();
                let id = node.id();
                document.is_element(id) && document.subtree_end(id).index() > id.index() + 2
                    || !typed::text(&self.made, scope).is_empty()
            }
            Place::Run { .. } => true,
            _ => !typed::text(&self.made, scope).is_empty(),
        }
    }

    /// Stores a text that is on no page; returns `None` if there are too many.
    pub(super) fn compute(&mut self, text: String, from: Scope, variable: u32) -> Option<Scope> {
        let Some(left) = self.bytes.checked_sub(text.len()) else {
            self.limit(variable, from, "bytes of computed texts", super::MOST_BYTES as u64);
            return None;
        };
        self.bytes = left;
        let origin = match from.place {
            Place::Computed(index) => self.made.computed[index as usize].from,
            _ => from.bare(&self.made).place,
        };
        self.made.computed.push(Computed { text, from: origin });
        Some(Scope { page: from.page, place: Place::Computed(self.made.computed.len() as u32 - 1) })
    }

    fn pattern(&mut self, pattern: &Pattern, scope: Scope, many: bool) -> Option<ProblemKind> {
        if pattern.is_all() {
            self.found.push(scope);
            return None;
        }
        let mut input = self.span(scope)?;
        let page = self.page(scope).clone();
        let source = page.source().as_bytes();
        let base = self.found.len();
        // One more than the limit on objects, so that exceeding it is reported.
        let most = self.limits.objects as usize;
        loop {
            let found = &mut self.found;
            let push = |span| found.push(Scope { page: scope.page, place: Place::Span(span) });
            match pattern.run(source, input, push) {
                Ok(end) if many && end > input.start && end < input.end && self.found.len() - base <= most => {
                    input.start = end;
                }
                Ok(_) => return None,
                Err(_) if self.found.len() > base => return None,
                Err(miss) => {
                    let wanted = String::from_utf8_lossy(pattern.wanted(miss)).into_owned();
                    return Some(ProblemKind::Unmatched { wanted, at: miss.at });
                }
            }
        }
    }

    /// Pushes the pieces between delimiters. A blank piece before the first delimiter or after the last is ignored,
    /// because the paper counts rows so (its `[1:0]` leaves out the header, not the line feed before it).
    fn split(&mut self, needle: &Needle, scope: Scope) {
        let Some(input) = self.span(scope) else { return };
        let page = self.page(scope).clone();
        let source = &page.source().as_bytes()[..input.end as usize];
        let blank = |span: Span| source[span.range()].iter().all(u8::is_ascii_whitespace);
        let mut start = input.start as usize;
        let mut first = true;
        let most = self.found.len().saturating_add(self.limits.objects as usize);
        loop {
            let found = needle.find_far(source, start);
            let piece = Span::new(start, found.unwrap_or(source.len()));
            if !((first || found.is_none()) && blank(piece)) {
                self.found.push(Scope { page: scope.page, place: Place::Span(piece) });
            }
            first = false;
            match found {
                // One more than the limit on objects, so that exceeding it is reported.
                Some(at) if self.found.len() <= most => start = at + needle.len(),
                _ => return,
            }
        }
    }

    fn between(&mut self, start: &TokenRule, end: Option<&TokenRule>, scope: Scope, many: bool) {
        let Some(range) = self.span(scope) else { return };
        let page = self.page(scope).clone();
        let (document, tokens) = (page.document(), page.tokens());
        let mut from = range.start;
        while let Some(found) = start.find(document, tokens, range, from) {
            let before = found.span;
            if let Some(value) = start.value(document, &found) {
                self.found.push(Scope { page: scope.page, place: Place::Node(value) });
                if many {
                    from = before.end.max(from + 1)
                } else {
                    return;
                }
                continue;
            }
            let (value, next) = match end {
                None => (Span { start: before.end, end: range.end }, range.end),
                Some(end) => match end.find(document, tokens, range, before.end) {
                    Some(TokenMatch { span: after, .. }) => {
                        (Span { start: before.end, end: after.start }, after.start.max(before.end))
                    }
                    None => return,
                },
            };
            self.found.push(Scope { page: scope.page, place: Place::Span(value) });
            if !many || next >= range.end || next <= from && before.end <= from {
                return;
            }
            from = next.max(from + 1);
        }
    }

    fn each(&mut self, rule: &TokenRule, scope: Scope) {
        let Some(range) = self.span(scope) else { return };
        let page = self.page(scope).clone();
        let (document, tokens) = (page.document(), page.tokens());
        let mut open: Option<u32> = None;
        let mut from = range.start;
        while let Some(TokenMatch { span: found, .. }) = rule.find(document, tokens, range, from) {
            if let Some(start) = open.replace(found.start) {
                self.found.push(Scope { page: scope.page, place: Place::Span(Span { start, end: found.start }) });
            }
            from = found.end.max(from + 1);
        }
        if let Some(start) = open {
            self.found.push(Scope { page: scope.page, place: Place::Span(Span { start, end: range.end }) });
        }
    }

    /// Extends the matched nodes over their following siblings.
    fn extend(&mut self, until: &Until, base: usize, scope: Scope, variable: u32, object: Option<u32>) {
        let begins: Vec<(usize, NodeId)> = (base..self.found.len())
            .filter_map(|at| match self.found[at].place {
                Place::Node(node) if !node.is_attribute() => Some((at, node.id())),
                _ => None,
            })
            .collect();
        let mut stops: Vec<NodeId> = begins.iter().map(|&(_, id)| id).collect();
        if let Until::Before(expr) = until {
            let behind = self.found.len();
            self.expression(expr, false, scope, variable, object);
            stops.extend(self.found.drain(behind..).filter_map(|scope| match scope.place {
                Place::Node(node) => Some(node.id()),
                _ => None,
            }));
        }
        stops.sort_unstable();
        let page = self.page(scope).clone();
        let document = page.document();
        for (at, id) in begins {
            let last = document.parent(id).map_or(document.subtree_end(id), |parent| document.subtree_end(parent));
            let own = document.subtree_end(id);
            let next = stops[stops.partition_point(|&stop| stop < own)..].first().copied();
            // The next record may begin deeper down; then the sibling that contains it no longer belongs to this one.
            let end = match next.filter(|&next| next < last) {
                None => last,
                Some(mut next) => {
                    while document.parent(next) != document.parent(id) {
                        match document.parent(next) {
                            Some(parent) => next = parent,
                            None => break,
                        }
                    }
                    next.max(own)
                }
            };
            self.found[at].place = Place::Run { first: id, end };
        }
    }

    /// Returns the part of a visible text to keep, or `None` if it is not there.
    fn cut(&mut self, cut: &Cut, scope: Scope, variable: u32) -> Option<Scope> {
        let text = typed::text(&self.made, scope);
        let mut part: &str = &text;
        if let Some(label) = &cut.after {
            part = &part[find_folded(part, label)?.1..];
        }
        if let Some(label) = &cut.before {
            part = &part[..find_folded(part, label)?.0];
        }
        if let Some(regex) = &cut.matches {
            let found = regex.captures(part)?;
            part = found.get(1).or_else(|| found.get(0))?.as_str();
        }
        let part = part.trim();
        if part.is_empty() {
            return None;
        }
        let part = part.to_owned();
        self.compute(part, scope, variable)
    }

    /// Fetches the page at the URL that a scope holds.
    fn get(&mut self, scope: Scope, variable: u32, object: Option<u32>) -> Option<u16> {
        let level = self.levels[scope.page as usize];
        let url = typed::reference(&self.made, scope)?;
        // The part after `#` is a place on the page.
        let url = url.split('#').next().filter(|page| !page.is_empty()).unwrap_or(&url).to_owned();
        if let Some(&known) = self.fetched.get(&url) {
            // A page that is also linked from a nearer page may lead further.
            if let Ok(page) = known {
                let known_level = &mut self.levels[page as usize];
                *known_level = (*known_level).min(level + 1);
            }
            return known.ok();
        }
        let follow = self.program.follow;
        if level >= follow.depth {
            // Not stored: a nearer page may link there, too.
            let message = format!("it is more than {} links away; raise `follow.depth` to allow more", follow.depth);
            self.problem(variable, Some(scope), object, ProblemKind::NotFetched { url, message });
            return None;
        }
        let got = self.made.pages.len();
        let asked = self.fetched.len();
        let known = if asked >= follow.pages as usize || got >= usize::from(u16::MAX) {
            Err(format!("{asked} pages were already fetched; raise `follow.pages` to allow more"))
        } else {
            self.source.get(&url)
        };
        let known = match known {
            Ok(page) => {
                self.made.pages.push(page);
                self.levels.push(level + 1);
                Ok(got as u16)
            }
            Err(message) => {
                self.problem(variable, Some(scope), object, ProblemKind::NotFetched { url: url.clone(), message });
                Err(())
            }
        };
        self.fetched.insert(url, known);
        known.ok()
    }
}

/// Drops matches from index `base` on for which `keep` returns `false`.
pub(super) fn retain_from(found: &mut Vec<Scope>, base: usize, keep: &mut dyn FnMut(&Scope) -> bool) {
    let mut kept = base;
    for at in base..found.len() {
        if keep(&found[at]) {
            found[kept] = found[at];
            kept += 1;
        }
    }
    found.truncate(kept);
}

/// Returns the byte range of the first occurrence of a label in a text, ignoring case and the kind of white space.
fn find_folded(text: &str, label: &str) -> Option<(usize, usize)> {
    let label = collapse(label);
    if let Some(at) = text.find(&*label) {
        return Some((at, at + label.len()));
    }
    let wanted: Vec<char> = label.chars().flat_map(char::to_lowercase).collect();
    let first = *wanted.first()?;
    // Labels are short: a long text full of the first letter costs at most its length times the label's.
    for (at, c) in text.char_indices() {
        if c.to_lowercase().next() != Some(first) {
            continue;
        }
        let mut rest = text[at..]
            .char_indices()
            .flat_map(|(offset, c)| c.to_lowercase().map(move |low| (offset + c.len_utf8(), low)));
        let mut end = at;
        let matched = wanted.iter().all(|wanted| match rest.next() {
            Some((behind, low)) if low == *wanted => {
                end = at + behind;
                true
            }
            _ => false,
        });
        if matched {
            return Some((at, end));
        }
    }
    None
}
