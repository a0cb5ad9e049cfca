//! Random wrappers on random pages: no panic, no run-away; every object's span lies in its page, sets enclose their
//! members, and text or tree makes no difference.
//!
//! The first byte says how many bytes choose the rules; the rest is the page. Locators come from lists, since random
//! bytes would hardly ever be an expression.
#![no_main]

use libfuzzer_sys::fuzz_target;
use windrow_dom::Document;
use windrow_wrapper::values::Type;
use windrow_wrapper::*;

const EXPRESSIONS: &[&str] = &[
    "//*", ".//a", "//li", "td", "a/@href", "text()", ".", "..", "following-sibling::*", "preceding::*[1]", "li", "*",
    "count(*)", "string(.)", "//table//tr", "//@*", "p > a", "td:last-child", "@class", "self::tr", "//b | //i",
];
const PATTERNS: &[&str] =
    &["#", "*<#>*", "#<", "*>#<*", "*<td#</td>*", "*<a#>*", "*href=#>*", "*a#b*", "x#", "#x", "*</#", "* # "];
const DELIMITERS: &[&str] = &["<", "<td", "<li>", ">", "a", " ", "<tr", "</"];
const TOKENS: &[&str] = &["<td>", "</td>", "<a>", "<*>", "</*>", "'a'", "<td> <a>", "<li> * <a>", "<b> * 'a'", "<!---->"];
const SAVES: &[(&str, usize)] = &[("*<#>#<*", 2), ("#<#", 2), ("*a#b#c*", 2), ("#>#<#", 3)];

struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> usize {
        match self.0.split_first() {
            Some((&first, rest)) => {
                self.0 = rest;
                first as usize
            }
            None => 0,
        }
    }

    fn pick<'s>(&mut self, list: &[&'s str]) -> &'s str {
        list[self.next() % list.len()]
    }

    fn locator(&mut self, depth: usize) -> Locator {
        let kind = self.next() % if depth > 3 { 6 } else { 12 };
        let mut locator = Locator::new(match kind {
            0 => Find::Scope,
            1 | 2 => Find::Expression(self.pick(EXPRESSIONS).into()),
            3 => Find::Pattern(self.pick(PATTERNS).into()),
            4 => Find::Split(self.pick(DELIMITERS).into()),
            5 => Find::Landmark(Landmark::Each(self.pick(TOKENS).into())),
            6 => Find::Landmark(Landmark::Between { start: self.pick(TOKENS).into(), end: Some(self.pick(TOKENS).into()) }),
            7 => Find::Table(Box::new(self.locator(depth + 1))),
            8 => Find::Column(Column::Number(1 + self.next() as u32 % 4)),
            9 => Find::Case(vec![self.locator(depth + 1), self.locator(depth + 1)]),
            10 => Find::Get(Box::new(self.locator(depth + 1))),
            _ => Find::Expression("*".into()),
        });
        let more = self.next();
        if more & 1 != 0 {
            locator.until = Some(if more & 2 != 0 { Until::Next } else { Until::Before(self.pick(EXPRESSIONS).into()) });
        }
        if more & 12 == 12 {
            locator.slice = Some(Slice::Range { skip: self.next() as u32 % 3, drop: self.next() as u32 % 3 });
        }
        if more & 24 == 24 {
            locator.without = Some(self.pick(EXPRESSIONS).into());
        }
        if more & 48 == 48 {
            locator.after = Some("a".into());
        }
        if more & 96 == 96 {
            locator.matches = Some(r"\w+".into());
        }
        if more & 192 == 192 && depth < 3 {
            locator.then = Some(Box::new(self.locator(depth + 1)));
        }
        locator
    }

    fn rule(&mut self, depth: usize, number: &mut usize) -> Rule {
        *number += 1;
        let kind = self.next();
        let name = format!("{}r{number}", if kind & 64 != 0 { "_" } else { "" });
        let mut rule = match kind % 4 {
            0 => Rule::field(name, self.locator(0)),
            1 => Rule::group(name, self.locator(0)),
            2 => Rule::list(name, self.locator(0)),
            _ => {
                let (pattern, saves) = SAVES[self.next() % SAVES.len()];
                let into = (0..saves).map(|_| Rule::field(format!("s{}", { *number += 1; *number }), Locator::default()));
                return Rule::save(Locator::pattern(pattern), into.collect());
            }
        };
        rule.ty = Type::ALL[self.next() % Type::ALL.len()];
        rule.optional = kind & 128 != 0;
        if kind % 4 != 0 && depth < 3 {
            rule.rules = (0..self.next() % 3).map(|_| self.rule(depth + 1, number)).collect();
        }
        if kind % 4 == 1 && kind & 32 != 0 {
            let variable = format!("r{}", 1 + self.next() % *number);
            rule.take.push(Take { label: "taken".into(), variable: variable.into() });
        }
        rule
    }
}

fn check(objects: Objects<'_>, end: usize, depth: usize) -> usize {
    let mut count = 0;
    for object in objects {
        count += 1;
        assert!(object.index() < end && depth < 100);
        if let Some(span) = object.span() {
            assert!(object.page().source().get(span.range()).is_some(), "a span is a slice of its page");
        }
        let _ = (object.raw(), object.text(), object.value(), object.node(), object.missing().count());
        if object.is_set() {
            count += check(object.objects(), end, depth + 1);
        }
    }
    count
}

fuzz_target!(|data: &[u8]| {
    let Some((&length, rest)) = data.split_first() else { return };
    let (choices, page) = rest.split_at((length as usize).min(rest.len()));
    let mut bytes = Bytes(choices);
    let mut number = 0;
    let rules = (0..1 + bytes.next() % 3).map(|_| bytes.rule(0, &mut number)).collect();
    let wrapper = Wrapper { rules, ..Wrapper::default() };
    let Ok(extractor) = Extractor::new(&wrapper) else { return };
    let source = String::from_utf8_lossy(page).into_owned();
    let mut limits = Limits::default();
    limits.objects = 20_000;
    limits.visits = 1_000_000;
    let from_text = extractor.extract_with(Page::from_text("page", source.as_str()), &NoPages, limits);
    assert_eq!(check(from_text.objects(), from_text.len(), 0), from_text.len());
    for problem in from_text.problems() {
        let _ = (problem.message(&from_text), problem.rule(&from_text));
    }
    let from_tree = extractor.extract_with(Page::from_document("page", Document::parse(source)), &NoPages, limits);
    assert_eq!(from_text.len(), from_tree.len(), "the same from text and from a tree");
});
