//! A weblog as it is learned: its pages sorted by template, and the rules of each.
//!
//! Pages of items are entry pages. A page that the home page's rules fit is an index page, too, and what it shows in
//! another way becomes another alternative of its field. A page that lists entries in a way of its own, titles with links
//! for the most part, has rules of its own. Each template's rules stand in a group that tells its pages from all others.

use std::ops::Range;
use std::sync::Arc;

use windrow_dom::NodeId;
use windrow_feed::Item;
use windrow_wrapper::{Find, Kind, Learned, Locator, Page, Rule, Wrapper};

use super::body::{self, Bodies, Body, Case};
use super::entry;
use super::fields::{self, Seen};
use super::index::{self, Entries, Entry};
use super::kinds::{Kept, told_by, told_by_structure};
use super::matcher::Wanted;
use super::rules::{FEW, Found, Template};
use super::sheet::Sheet;
use super::{Error, FIELDS, Form, How, Lesson, Match, Matched, Note, Options, PageKind, Trial};
use crate::labels::Place;
use crate::scope::Cut;

/// The number of the body among the [`FIELDS`].
const BODY: usize = 3;
/// The scope of lead stories.
const LEADS: &str = "_leads";
/// Categories of an entry that are looked for in its body.
const CATEGORIES: usize = 32;

/// A weblog, read.
pub(super) struct Blog<'s, 'p> {
    items: &'s [Item],
    pages: &'s [Arc<Page>],
    sheets: &'s [Sheet<'p>],
    wanted: &'s [Wanted],
}

/// The rules of one template, and the pages that have it.
struct Learnt<'p> {
    kind: PageKind,
    list: Rule,
    /// The rules of stories in front of the list that are built otherwise.
    leads: Option<Rule>,
    kept: Vec<Kept<'p>>,
}

impl Learnt<'_> {
    /// The list, with the stories in front of it in a scope of their own: both give entries.
    fn rules(&self) -> Vec<Rule> {
        let leads = self
            .leads
            .iter()
            .map(|leads| Rule::group(LEADS, Locator::css("body")).with(vec![leads.clone()]).optional());
        leads.chain([self.list.clone()]).collect()
    }
}

/// What is known of the weblog so far.
struct State<'p> {
    kinds: Vec<PageKind>,
    matches: Vec<Matched>,
    trials: Vec<Trial>,
    learnt: Vec<Learnt<'p>>,
    notes: Vec<Note>,
}

impl<'s, 'p> Blog<'s, 'p> {
    pub(super) fn new(
        items: &'s [Item],
        pages: &'s [Arc<Page>],
        sheets: &'s [Sheet<'p>],
        wanted: &'s [Wanted],
    ) -> Blog<'s, 'p> {
        Blog { items, pages, sheets, wanted }
    }

    /// The lesson.
    pub(super) fn lesson(&self, options: &Options) -> Result<Lesson, Error> {
        let mut state = State {
            kinds: vec![PageKind::Other; self.pages.len()],
            matches: Vec::new(),
            trials: Vec::new(),
            learnt: Vec::new(),
            notes: Vec::new(),
        };
        let mut own: Vec<(usize, usize)> = Vec::new();
        for (page, sheet) in self.sheets.iter().enumerate() {
            match entry::item_of(sheet, self.wanted).filter(|_| page > 0) {
                Some(item) => own.push((page, item)),
                None => self.index_page(page, options, &mut state),
            }
        }
        self.entry_pages(&own, options, &mut state);
        if state.matches.is_empty() {
            let items = self.items.iter().map(named).collect();
            return Err(Error::NotTogether { items, pages: self.names(|_| true) });
        }
        if state.learnt.is_empty() {
            let pages = self.names(|page| state.matches.iter().any(|matched| matched.page == page));
            let found = (0..self.items.len()).filter(|&item| state.matches.iter().any(|matched| matched.item == item));
            return Err(Error::NoRules { found: found.count(), pages });
        }
        self.note(options, &mut state);
        let rules = apart(&state.learnt);
        if state.learnt.len() > 1 && !rules.iter().any(|rule| rule.kind == Kind::Group && &*rule.name != LEADS) {
            state.notes.push(Note::NotApart);
        }
        let learned = Some(Learned { by: "feed".to_owned(), from: Vec::new(), at: None });
        let wrapper = Wrapper { learned, rules, ..Wrapper::default() };
        let State { kinds, matches, trials, notes, .. } = state;
        Ok(Lesson { wrapper, matches, kinds, trials, notes })
    }

    /// The names of pages.
    fn names(&self, which: impl Fn(usize) -> bool) -> Vec<String> {
        self.pages.iter().enumerate().filter(|(page, _)| which(*page)).map(|(_, page)| page.name().to_owned()).collect()
    }

    /// Learns from a page that is not an item's own.
    fn index_page(&self, page: usize, options: &Options, state: &mut State<'p>) {
        let sheet = &self.sheets[page];
        let entries = index::entries(sheet, self.wanted);
        let template = entries.as_ref().map(|entries| self.template(page, entries));
        // A page that has such records is of that template, whatever else is on it: a side bar has the newest entries on
        // all pages.
        if let Some(learnt) = state.learnt.iter_mut().find(|learnt| count(&learnt.list, &self.pages[page]) > 0) {
            state.kinds[page] = learnt.kind;
            match template.filter(|template| template.fits(&learnt.list)) {
                Some(template) => {
                    state.matches.extend(matched(&template, |_| page));
                    template.improve(&mut learnt.list);
                    learnt.kept.extend(kept_of(&template, 0..template.seen.len()));
                }
                None => learnt.kept.push(Kept { document: sheet.document, inside: Vec::new(), bodies: Vec::new() }),
            }
            return;
        }
        let Some(template) = template else { return };
        let kept = kept_of(&template, 0..template.seen.len());
        // The paper's form has rules for one template.
        if options.form == Form::Landmark && !state.learnt.is_empty() {
            return;
        }
        if page == 0 {
            state.matches.extend(matched(&template, |_| page));
        }
        let Some((list, trials)) = template.rule(options) else { return };
        // What is on the home page as well is a side bar, on whatever page.
        if page > 0 && count(&list, &self.pages[0]) > 1 {
            return;
        }
        if page > 0 {
            state.matches.extend(matched(&template, |_| page));
        }
        let bodies = template.bodies.bodies.iter().flatten().count();
        let kind = if page > 0 && bodies * 2 < template.seen.len() { PageKind::Titles } else { PageKind::Index };
        state.kinds[page] = kind;
        state.trials.extend(trials.into_iter().map(|trial| Trial { kind, ..trial }));
        let leads = entries.as_ref().filter(|_| page == 0).and_then(|list| self.leads(list, options, state));
        state.learnt.push(Learnt { kind, list, leads, kept: kept.into_iter().collect() });
    }

    /// Learns from stories of the home page that are built otherwise than those of its list.
    fn leads(&self, list: &Entries, options: &Options, state: &mut State<'p>) -> Option<Rule> {
        if options.form == Form::Landmark || list.cut != Cut::Nodes {
            return None;
        }
        let entries = index::leads(&self.sheets[0], self.wanted, list);
        if entries.is_empty() {
            return None;
        }
        let leads = Entries { cut: Cut::Nodes, entries };
        let mut template = self.template(0, &leads);
        // A story without a text has a button in its place.
        if leads.entries.iter().all(|entry| entry.start.is_none()) {
            template.found[BODY].fill(None);
            template.bodies.bodies.fill(None);
        }
        let (rule, _) = template.rule(options)?;
        // By position it would find something else on another day.
        let lasts = !matches!(&rule.locator.find, Find::XPath(path) if path.value.starts_with("/html"));
        let rule = Some(rule).filter(|rule| lasts && count(rule, &self.pages[0]) == template.seen.len())?;
        state.matches.extend(matched(&template, |_| 0));
        Some(rule)
    }

    /// The entries of an index page with their fields.
    fn template<'e>(&'e self, page: usize, entries: &'e Entries) -> Template<'e, 'p> {
        let seen: Vec<Seen<'e, 'p>> = entries
            .entries
            .iter()
            .map(|entry| Seen { sheet: &self.sheets[page], entry, wanted: entry.item.map(|item| &self.wanted[item]) })
            .collect();
        let (found, bodies) = find(&seen, true);
        let pages = vec![&self.pages[page]; seen.len()];
        Template { kind: PageKind::Index, cut: entries.cut, pages, seen, found, bodies }
    }

    /// Learns from the pages of items.
    fn entry_pages(&self, own: &[(usize, usize)], options: &Options, state: &mut State<'p>) {
        let pages: Vec<(&Sheet<'p>, usize)> = own.iter().map(|&(page, item)| (&self.sheets[page], item)).collect();
        let entries = entry::entries(&pages, self.wanted);
        let known: Vec<(usize, &Entry)> =
            own.iter().zip(&entries).filter_map(|((page, _), entry)| Some((*page, entry.as_ref()?))).collect();
        if known.is_empty() {
            return;
        }
        let seen: Vec<Seen<'_, 'p>> = known
            .iter()
            .map(|(page, entry)| Seen {
                sheet: &self.sheets[*page],
                entry,
                wanted: entry.item.map(|item| &self.wanted[item]),
            })
            .collect();
        let (found, bodies) = find(&seen, false);
        let pages = known.iter().map(|(page, _)| &self.pages[*page]).collect();
        let template = Template { kind: PageKind::Entry, cut: Cut::Nodes, pages, seen, found, bodies };
        state.matches.extend(matched(&template, |at| known[at].0));
        known.iter().for_each(|(page, _)| state.kinds[*page] = PageKind::Entry);
        // The paper's form has no rules for them; their items are found all the same.
        if options.form == Form::Landmark {
            return;
        }
        if let Some((list, trials)) = template.rule(options) {
            let kept = (0..known.len()).filter_map(|at| kept_of(&template, at..at + 1)).collect();
            state.trials.extend(trials);
            state.learnt.push(Learnt { kind: PageKind::Entry, list, leads: None, kept });
        }
    }

    /// Notes what there is to know.
    fn note(&self, options: &Options, state: &mut State<'p>) {
        let known = |item: usize| state.matches.iter().any(|matched| matched.item == item);
        let looked = self.items.len().min(index::ITEMS);
        let on_a_page = |&item: &usize| {
            let wanted = &self.wanted[item];
            self.sheets.iter().any(|sheet| !wanted.titles(sheet).is_empty() || !wanted.links(sheet).is_empty())
        };
        let unmatched = (0..looked).filter(|&item| !known(item));
        let (elsewhere, lost): (Vec<usize>, Vec<usize>) = unmatched.partition(on_a_page);
        let named = |items: Vec<usize>| items.into_iter().map(|item| named(&self.items[item])).collect::<Vec<String>>();
        let (elsewhere, lost) = (named(elsewhere), named(lost));
        // Of a long feed most are on pages that were not read.
        let shown = state.matches.iter().filter(|matched| matched.page == 0).count();
        if shown > 0 && !lost.is_empty() && lost.len() < self.items.len() {
            state.notes.push(Note::NotFound { items: lost, of: looked });
        }
        if shown > 0 && !elsewhere.is_empty() {
            state.notes.push(Note::Elsewhere { items: elsewhere, of: looked });
        }
        if looked < self.items.len() {
            state.notes.push(Note::NotLookedFor { looked, of: self.items.len() });
        }
        if shown == 0 {
            state.notes.push(Note::NoEntries { page: self.pages[0].name().to_owned() });
        } else if shown < FEW {
            state.notes.push(Note::Untested { entries: shown });
        }
        let of = |kind: PageKind| state.learnt.iter().find(|learnt| learnt.kind == kind);
        if of(PageKind::Entry).is_none() && options.form != Form::Landmark {
            state.notes.push(Note::NoEntryPages);
        }
        let told = |field: usize| {
            self.wanted.iter().any(|wanted| match FIELDS[field] {
                "title" => !wanted.title.is_empty(),
                "link" => !wanted.addresses.is_empty(),
                "date" => wanted.date.is_some(),
                "body" => !wanted.body.is_empty(),
                _ => false,
            })
        };
        for (kind, pages) in [(PageKind::Index, "index pages"), (PageKind::Entry, "entry pages")] {
            let Some(learnt) = of(kind) else { continue };
            let has = |field: &str| learnt.list.rules.iter().any(|rule| &*rule.name == field);
            // The link of an entry page is its own address.
            let asked = (0..FIELDS.len()).filter(|&field| kind == PageKind::Index || FIELDS[field] != "link");
            for field in asked.filter(|&field| told(field) && !has(FIELDS[field])) {
                state.notes.push(Note::NoField { field: FIELDS[field], pages });
            }
        }
        for (page, kind) in state.kinds.iter().enumerate().skip(1) {
            if *kind == PageKind::Other {
                state.notes.push(Note::Unused { page: self.pages[page].name().to_owned() });
            }
        }
    }
}

/// What a person calls an item.
fn named(item: &Item) -> String {
    let name = item.title.as_ref().or(item.link.as_ref()).or(item.id.as_ref());
    name.cloned().unwrap_or_else(|| "an item without title and link".to_owned())
}

/// How many records a list has on a page.
fn count(list: &Rule, page: &Arc<Page>) -> usize {
    let wrapper = Wrapper { rules: vec![list.clone()], ..Wrapper::default() };
    let extractor = windrow_wrapper::Extractor::new(&wrapper);
    extractor.map_or(0, |extractor| extractor.extract(Arc::clone(page)).objects().count())
}

/// Which item is where, by the entries of a template.
fn matched<'t>(
    template: &'t Template<'_, '_>,
    page: impl Fn(usize) -> usize + 't,
) -> impl Iterator<Item = Matched> + 't {
    template.seen.iter().enumerate().filter_map(move |(at, seen)| {
        let fields = std::array::from_fn(|field| template.found[field][at].clone());
        Some(Matched { page: page(at), item: seen.entry.item?, fields })
    })
}

/// The fields of entries of one template.
fn find(seen: &[Seen<'_, '_>], index: bool) -> (Found, Bodies) {
    let titles = fields::titles(seen);
    let links = if index { fields::links(seen) } else { vec![None; seen.len()] };
    let mut dates = fields::dates(seen, index);
    let days = dates.iter().flatten().filter(|found| found.how != How::Yearless).count();
    if days * 2 < seen.iter().filter(|seen| seen.wanted.is_some()).count() {
        let of_links = fields::dates_of_links(seen, &links);
        if of_links.iter().flatten().count() > days {
            dates = of_links;
        }
    }
    let cases: Vec<Case<'_, '_>> = seen
        .iter()
        .zip(titles.iter().zip(&dates))
        .map(|(seen, (_, date))| {
            let mut outside = vec![seen.entry.head];
            outside.extend(date.iter().flat_map(|found| &found.places).map(|place| place.node));
            outside.extend(fields::filed_under(seen).into_iter().take(CATEGORIES));
            let links = seen.wanted.map(|wanted| wanted.links(seen.sheet)).unwrap_or_default();
            let links = links.into_iter().filter(|&link| seen.entry.scope.contains(link)).collect();
            let (scope, start) = (seen.entry.scope, seen.entry.start);
            Case { sheet: seen.sheet, scope, start, wanted: seen.wanted, outside, links }
        })
        .collect();
    let bodies = body::bodies(&cases);
    let ranges: Vec<Option<(NodeId, NodeId)>> =
        bodies.bodies.iter().zip(seen).map(|(body, seen)| body.map(|body| body.range(seen.sheet.document))).collect();
    let authors = fields::authors(seen, &ranges);
    let categories = fields::categories(seen, &ranges);
    let body = |(body, seen): (&Option<Body>, &Seen<'_, '_>)| {
        let node = match (*body)? {
            Body::Element(id) => id,
            Body::Run { first, .. } => first,
        };
        let (first, end) = (*body)?.range(seen.sheet.document);
        let shown = seen.sheet.words_in(first, end).len();
        let shorter = seen.wanted.is_some_and(|wanted| shown * 10 < wanted.body.len() * 8);
        let how = match (bodies.whole, seen.entry.start) {
            (true, _) if shorter => How::Shorter,
            (true, _) => How::Same,
            (false, Some(_)) => How::Longer,
            (false, None) => How::Template,
        };
        Some(Match { places: vec![Place::node(node)], how })
    };
    let texts = bodies.bodies.iter().zip(seen).map(body).collect();
    ([titles, links, dates, texts, authors, categories], bodies)
}

/// A page with the titles and bodies of these entries.
fn kept_of<'d>(template: &Template<'_, 'd>, entries: Range<usize>) -> Option<Kept<'d>> {
    let document = template.seen.get(entries.start)?.sheet.document;
    let titles = template.found[0][entries.clone()].iter().flatten().flat_map(|found| &found.places);
    let inside = titles.map(|place| place.node).collect();
    let bodies = template.bodies.bodies[entries].iter().flatten().map(|body| body.range(document));
    Some(Kept { document, inside, bodies: bodies.collect() })
}

/// The rules of all templates, each for its own pages.
fn apart(learnt: &[Learnt<'_>]) -> Vec<Rule> {
    let Some((first, others)) = learnt.split_first() else { return Vec::new() };
    if others.is_empty() {
        return first.rules();
    }
    let rest = |own: usize| -> Vec<&Kept<'_>> {
        let others = learnt.iter().enumerate().filter(move |(at, _)| *at != own);
        others.flat_map(|(_, learnt)| &learnt.kept).collect()
    };
    let of = |own: usize| -> Vec<&Kept<'_>> { learnt[own].kept.iter().collect() };
    // What all others are told by, the first is told by the lack of.
    let mut told: Vec<(usize, String)> = Vec::new();
    for at in 1..learnt.len() {
        told.extend(told_by(&of(at), &rest(at)).map(|name| (at, name)));
    }
    let group = |at: usize, guard: String| {
        let name = match (learnt[at].kind, at) {
            (PageKind::Entry, _) => "_entry".to_owned(),
            (PageKind::Titles, _) => format!("_titles{}", number(learnt, at)),
            _ => format!("_index{}", number(learnt, at)),
        };
        Rule::group(name, Locator::css(guard)).with(learnt[at].rules()).optional()
    };
    if told.is_empty() {
        // Where nothing tells them apart, an entry is shown in the same way on both.
        if let Some(name) = told_by(&of(0), &rest(0)).filter(|_| learnt.len() == 2) {
            return vec![group(0, format!("html:has({name})")), group(1, format!("html:not(:has({name}))"))];
        }
        for at in 1..learnt.len() {
            told.extend(told_by_structure(&of(at), &rest(at)).map(|piece| (at, piece)));
        }
    }
    if told.is_empty() {
        return first.rules();
    }
    let none: String = told.iter().map(|(_, name)| format!(":not(:has({name}))")).collect();
    let mut rules = vec![group(0, format!("html{none}"))];
    rules.extend(told.iter().map(|(at, name)| group(*at, format!("html:has({name})"))));
    rules
}

/// The number of a template among those of its kind, from the second on.
fn number(learnt: &[Learnt<'_>], at: usize) -> String {
    match learnt[..at].iter().filter(|other| other.kind == learnt[at].kind).count() {
        0 => String::new(),
        before => format!("_{}", before + 1),
    }
}
