//! Differential fuzzing: the tree Windrow builds against the tree html5ever builds.
//!
//! Inputs come from `windrow_testkit::generate`. Where the trees differ, the input is cut down as far as the
//! difference lasts and put into a group; each group's smallest input is written out with both trees. Differences
//! that the standard explains are counted by their reason instead.
//!
//! ```text
//! cargo run --release -p windrow-testkit --features oracle --bin diff_html5ever -- --count 10000000 --seed 1
//! ```
//!
//! | option | meaning |
//! |---|---|
//! | `--count N` | inputs to try (default 1,000,000) |
//! | `--seed N` | where to start (default 1) |
//! | `--out DIR` | write each group's reproducer there |
//! | `--show FILE` | parse one file with both and print the trees |
//! | `--corpus` | compare on the corpus pages instead of generated inputs |
//! | `--strict` | take no excuse of html5ever's: for a copy of it with its known departures mended |
//! | `--groups N` | stop after so many groups (default 200) |
//!
//! Exit code: 0 if every difference is explained, 1 if not.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use windrow_dom::{Document, ParseOptions};
use windrow_testkit::generate::{Generator, Input};
use windrow_testkit::{dat, oracle, shared, tree};

struct Settings {
    count: u64,
    seed: u64,
    out: Option<PathBuf>,
    show: Option<PathBuf>,
    corpus: bool,
    groups: usize,
    strict: bool,
}

fn main() -> ExitCode {
    let settings = match settings() {
        Ok(settings) => settings,
        Err(message) => {
            eprintln!("diff_html5ever: {message}");
            return ExitCode::from(2);
        }
    };
    if let Some(path) = &settings.show {
        return show(path);
    }
    // A panic of either parser is a difference like any other; its message would drown the report.
    std::panic::set_hook(Box::new(|_| {}));
    if settings.corpus { corpus() } else { fuzz(&settings) }
}

fn settings() -> Result<Settings, String> {
    let mut settings =
        Settings { count: 1_000_000, seed: 1, out: None, show: None, corpus: false, groups: 200, strict: false };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
        match arg.as_str() {
            "--count" => settings.count = number(&value()?)?,
            "--seed" => settings.seed = number(&value()?)?,
            "--groups" => settings.groups = number(&value()?)? as usize,
            "--out" => settings.out = Some(value()?.into()),
            "--show" => settings.show = Some(value()?.into()),
            "--strict" => settings.strict = true,
            "--corpus" => settings.corpus = true,
            _ => return Err(format!("unknown option {arg}")),
        }
    }
    Ok(settings)
}

fn number(text: &str) -> Result<u64, String> {
    text.replace('_', "").parse().map_err(|_| format!("not a number: {text}"))
}

/// Both parsers with buffers that are used again.
#[derive(Default)]
struct Pair {
    ours: Vec<u8>,
    theirs: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Same,
    Different,
    /// We panicked.
    OurPanic,
    /// html5ever panicked: it has no answer.
    TheirPanic,
}

impl Pair {
    fn compare(&mut self, html: &str, context: Option<&str>, scripting: bool) -> Verdict {
        let theirs =
            catch_unwind(AssertUnwindSafe(|| tree::encode(&their_tree(html, context, scripting), &mut self.theirs)));
        if theirs.is_err() {
            return Verdict::TheirPanic;
        }
        let ours = catch_unwind(AssertUnwindSafe(|| tree::encode(&our_tree(html, context, scripting), &mut self.ours)));
        match ours {
            Err(_) => Verdict::OurPanic,
            Ok(()) if self.ours == self.theirs => Verdict::Same,
            Ok(()) => Verdict::Different,
        }
    }
}

fn our_tree(html: &str, context: Option<&str>, scripting: bool) -> Document {
    let options = ParseOptions::default().with_scripting(scripting);
    match context {
        Some(context) => Document::parse_fragment(html, context, &options),
        None => Document::parse_with(html, &options),
    }
}

fn their_tree(html: &str, context: Option<&str>, scripting: bool) -> oracle::OracleTree {
    match context {
        Some(context) => oracle::fragment(html, context, scripting),
        None => oracle::page(html, scripting),
    }
}

/// Why html5ever 0.40 differs from the standard on an input that has been cut down to what the difference needs;
/// none if that is not known. `docs/conformance.md` tells what the standard says in each case.
fn explained(input: &Input) -> Option<&'static str> {
    let html = input.html.as_str();
    let context = input.context.unwrap_or("");
    let has = |words: &[&str]| words.iter().any(|word| contains(html, word) || contains(context, word));
    if has(&["selectedcontent"]) {
        return Some("leaves the copy of an option into selectedcontent to its sink, and calls it too rarely");
    }
    if has(&["isindex", "<search", "<keygen"]) {
        return Some("takes isindex for special, search and keygen not");
    }
    if context == "select" && has(&["<input"]) {
        return Some("inserts an input into a select that is a fragment's context");
    }
    if has(&["annotation-xml"]) {
        return Some("does not count annotation-xml among the scope bounds, nor as the end of leaving foreign content");
    }
    if has(&["<!doctype"]) && has(&["<t", "tbody", "table", "template"]) {
        return Some("lets a doctype pass without ending the table's text");
    }
    if has(&["<thead"]) {
        return Some("does not look for thead where a table body ends");
    }
    if has(&["<pre", "<listing", "<textarea"]) && (html.contains('&') || html.contains("</>")) {
        return Some("forgets to drop a leading line feed after a parse error");
    }
    if input.context.is_some() && html.contains("</") && has(&["svg", "math"]) {
        return Some("ignores an end tag that the foreign rules hand on at the root of a fragment");
    }
    let searches = html.contains("</") || has(&["<li", "<dd", "<dt"]);
    if searches && has(&["<mi", "<mo", "<mn", "<ms", "<mtext", "<foreignobject", "<desc", "<title"]) {
        return Some("does not count MathML and SVG elements among the special ones");
    }
    if has(&["template"]) {
        return Some("does not take characters right in a template for a table's text");
    }
    None
}

/// Reports whether the text contains the word, ignoring case.
fn contains(text: &str, word: &str) -> bool {
    text.as_bytes().windows(word.len()).any(|part| part.eq_ignore_ascii_case(word.as_bytes()))
}

struct Group {
    count: u64,
    html: String,
    context: Option<&'static str>,
    scripting: bool,
    verdict: Verdict,
}

fn fuzz(settings: &Settings) -> ExitCode {
    let samples = samples();
    if samples.is_empty() {
        eprintln!("{}", shared::missing("suites/html5lib-tests"));
    }
    let mut generator = Generator::new(settings.seed, &samples);
    let mut input = Input::default();
    let mut pair = Pair::default();
    let mut groups: BTreeMap<String, Group> = BTreeMap::new();
    let mut reasons: BTreeMap<&str, u64> = BTreeMap::new();
    let (mut bytes, mut different, mut tried, mut their_panics) = (0u64, 0u64, 0u64, 0u64);
    let begun = Instant::now();
    while tried < settings.count && groups.len() < settings.groups {
        generator.next(&mut input);
        tried += 1;
        bytes += input.html.len() as u64;
        let verdict = pair.compare(&input.html, input.context, input.scripting);
        match verdict {
            Verdict::Same => {}
            Verdict::TheirPanic => their_panics += 1,
            Verdict::Different | Verdict::OurPanic => {
                different += 1;
                let copies = contains(&input.html, "selectedcontent");
                let small = if copies { input.clone() } else { minimise(&mut pair, &input, verdict) };
                if verdict == Verdict::Different
                    && (copies || !settings.strict)
                    && let Some(reason) = explained(&small)
                {
                    *reasons.entry(reason).or_default() += 1;
                    continue;
                }
                let key = signature(&small, verdict);
                let group = groups.entry(key).or_insert_with(|| Group {
                    count: 0,
                    html: small.html.clone(),
                    context: small.context,
                    scripting: small.scripting,
                    verdict,
                });
                group.count += 1;
                if small.html.len() < group.html.len() {
                    (group.html, group.context, group.scripting) = (small.html, small.context, small.scripting);
                }
            }
        }
        if tried.is_multiple_of(1_000_000) {
            eprintln!("{tried} inputs, {different} differ, {} groups, {:.0?}", groups.len(), begun.elapsed());
        }
    }
    println!(
        "{tried} inputs ({bytes} bytes) from seed {} in {:.0?}: {different} differ, {} unexplained groups, {their_panics} without an answer of html5ever",
        settings.seed,
        begun.elapsed(),
        groups.len()
    );
    for (reason, count) in &reasons {
        println!("{count:>8}  explained: html5ever {reason}");
    }
    let mut sorted: Vec<(&String, &Group)> = groups.iter().collect();
    sorted.sort_by_key(|(_, group)| std::cmp::Reverse(group.count));
    for (at, (key, group)) in sorted.iter().enumerate() {
        println!("{:>8}  {:?} in {:?} [{key}]", group.count, group.html, group.context.unwrap_or("page"));
        if let Some(folder) = &settings.out {
            let report = report(group);
            if let Err(error) =
                fs::create_dir_all(folder).and_then(|()| fs::write(folder.join(format!("{at:03}.txt")), report))
            {
                eprintln!("{}: {error}", folder.display());
            }
        }
    }
    if groups.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

/// html5lib's own inputs, to splice from.
fn samples() -> Vec<String> {
    let Some(folder) = shared::find("suites/html5lib-tests/tree-construction") else { return Vec::new() };
    let mut samples = Vec::new();
    for path in shared::files(&folder, "dat").unwrap_or_default() {
        let file = fs::read(&path).unwrap_or_default();
        samples.extend(dat::read(&file).into_iter().filter_map(|case| String::from_utf8(case.data).ok()));
    }
    samples
}

/// The smallest input found that still differs in the same way: chunks, then characters, are left out.
fn minimise(pair: &mut Pair, input: &Input, verdict: Verdict) -> Input {
    let mut best = input.clone();
    if best.context.is_some() && pair.compare(&best.html, None, best.scripting) == verdict {
        best.context = None;
    }
    if best.scripting && pair.compare(&best.html, best.context, false) == verdict {
        best.scripting = false;
    }
    loop {
        let before = best.html.len();
        let mut size = (best.html.len() / 2).max(1);
        loop {
            let mut at = 0;
            while at < best.html.len() {
                let end = (at + size).min(best.html.len());
                if !best.html.is_char_boundary(at) || !best.html.is_char_boundary(end) {
                    at += 1;
                    continue;
                }
                let mut shorter = best.html.clone();
                shorter.replace_range(at..end, "");
                if pair.compare(&shorter, best.context, best.scripting) == verdict {
                    best.html = shorter;
                } else {
                    at += size;
                }
            }
            if size == 1 {
                break;
            }
            size = (size / 2).max(1);
        }
        if best.html.len() == before {
            return best;
        }
    }
}

/// Returns a signature that inputs with the same cause are likely to share: the distinct tags, and whether there is
/// text or space.
fn signature(input: &Input, verdict: Verdict) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut rest = input.html.as_str();
    while let Some(char) = rest.chars().next() {
        let length = if char == '<' {
            let name =
                rest[1..].find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '/' | '!' | '-' | '?' | '[')));
            let length = 1 + name.unwrap_or(rest.len() - 1);
            parts.push(rest[..length].to_ascii_lowercase());
            // The rest of a tag tells causes apart less often than it tells equal ones apart.
            rest[length..].find(['>', '<']).map_or(rest.len(), |end| length + end)
        } else {
            match char {
                '>' => {}
                '&' | '\0' => parts.push(char.escape_default().to_string()),
                _ if char.is_ascii_whitespace() => parts.push("space".to_owned()),
                _ => parts.push("text".to_owned()),
            }
            char.len_utf8()
        };
        rest = &rest[length..];
    }
    parts.sort();
    parts.dedup();
    format!("{verdict:?} {} {}", input.context.unwrap_or("page"), parts.join(" "))
}

fn report(group: &Group) -> String {
    let mut out = String::new();
    let context = group.context.unwrap_or("page");
    let _ = writeln!(
        out,
        "#data {:?}\n#context {context} scripting={}\n#verdict {:?}",
        group.html, group.scripting, group.verdict
    );
    let ours = catch_unwind(|| tree_text(&our_tree(&group.html, group.context, group.scripting)));
    let _ = writeln!(out, "#ours\n{}", ours.unwrap_or_else(|_| "(panic)".to_owned()));
    let _ = writeln!(out, "#html5ever\n{}", tree_text(&their_tree(&group.html, group.context, group.scripting)));
    out
}

fn tree_text(tree: &impl tree::Tree) -> String {
    format!("{:?}\n{}", tree.quirks(), tree::dump(tree))
}

fn show(path: &PathBuf) -> ExitCode {
    match fs::read_to_string(path) {
        Ok(html) => {
            println!("#ours\n{}", tree_text(&our_tree(&html, None, false)));
            println!("#html5ever\n{}", tree_text(&their_tree(&html, None, false)));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{}: {error}", path.display());
            ExitCode::from(2)
        }
    }
}

/// Compares on the corpus: real pages prove little about repair, but a lot about everything else.
fn corpus() -> ExitCode {
    let Some(pages) = shared::pages() else {
        eprintln!("{}", shared::missing("corpus"));
        return ExitCode::from(2);
    };
    let mut pair = Pair::default();
    let mut same = 0;
    for path in &pages {
        let bytes = fs::read(path).unwrap_or_default();
        let document = Document::from_bytes(bytes, &ParseOptions::default());
        let verdict = pair.compare(document.source(), None, false);
        if verdict == Verdict::Same {
            same += 1;
        } else {
            println!("{verdict:?}: {}", shared::short_name(path));
        }
    }
    println!("{same} of {} pages have the same tree", pages.len());
    if same == pages.len() { ExitCode::SUCCESS } else { ExitCode::from(1) }
}
