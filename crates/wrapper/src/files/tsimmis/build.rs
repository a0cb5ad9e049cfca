//! Converts commands to rules: determines the parent and the kind of each rule.

use std::collections::{HashMap, HashSet};

use windrow_xpath::Span;

use super::MAX_ERRORS;
use super::commands::Command;
use super::parts::{self, CommandInput, CommandPatterns, Operation, Source, Variable};
use crate::error::{WrapperError, nearest};
use crate::files::{MAX_DEPTH, MAX_RULES};
use crate::pattern::Pattern;
use crate::values::Type;
use crate::wrapper::{Find, Kind, Locator, Rule, Slice, Take, Text, Wrapper};

/// Largest number of names that are compared with an unknown one.
const MAX_COMPARED: usize = 500;

/// Reads the parts of each command and adds its rules to the wrapper.
pub(super) fn build(wrapper: &mut Wrapper, commands: &[Command], errors: &mut Vec<WrapperError>) {
    let commands: Vec<ParsedCommand> = commands
        .iter()
        .map_while(|command| (errors.len() < MAX_ERRORS).then(|| ParsedCommand::new(command, errors)))
        .collect();
    let defined = definitions(&commands, errors);
    let cyclic = cycles(&commands, &defined, errors);
    let mut names: Vec<&str> = defined.keys().copied().collect();
    names.sort_unstable();
    let (nodes, variables, temporaries) = (Vec::new(), HashMap::new(), HashSet::new());
    let mut tree = Tree { nodes, variables, names, temporaries, url: None, full: false, errors };
    for (number, command) in commands.iter().enumerate() {
        if tree.errors.len() >= MAX_ERRORS || tree.full {
            break;
        }
        tree.add(number, command, &defined, cyclic[number]);
    }
    tree.check_types();
    wrapper.url = tree.url.take();
    wrapper.rules = assemble(tree.nodes);
}

/// A command with its parts parsed; a part that is `None` was wrong and has been reported.
struct ParsedCommand {
    variables: Vec<Variable>,
    source: Option<Source>,
    search: Option<CommandPatterns>,
    takes: Vec<Take>,
    /// Place of the source.
    place: Span,
}

impl ParsedCommand {
    fn new(command: &Command, errors: &mut Vec<WrapperError>) -> ParsedCommand {
        let variables = parts::variables(&command.variables, errors);
        let source = parts::source(&command.source, errors);
        let (mut search, mut takes) = (None, Vec::new());
        match &source {
            Some(Source { way: Operation::Group, .. }) => takes = parts::takes(&command.pattern, errors),
            _ => search = parts::search(&command.pattern, errors),
        }
        ParsedCommand { variables, source, search, takes, place: command.source.piece.all() }
    }

    /// Returns the variable that the command takes its input from.
    fn from(&self) -> Option<&Text> {
        match &self.source.as_ref()?.base {
            CommandInput::Variable(name, _) => Some(name),
            CommandInput::Page(_) => None,
        }
    }
}

/// The command that defines each variable, and the place of the definition.
type Definitions<'a> = HashMap<&'a str, (usize, Option<Span>)>;

fn definitions<'a>(commands: &'a [ParsedCommand], errors: &mut Vec<WrapperError>) -> Definitions<'a> {
    let mut defined = Definitions::new();
    for (number, command) in commands.iter().enumerate() {
        for variable in &command.variables {
            let name = &variable.name;
            if name.is_empty() {
                continue;
            }
            if defined.contains_key(&**name) {
                if errors.len() >= MAX_ERRORS {
                    break;
                }
                errors.push(WrapperError::DuplicateName { name: name.value.clone(), span: name.span });
            } else {
                defined.insert(name, (number, name.span));
            }
        }
    }
    defined
}

/// Returns which commands lie on a cycle. Each command has one source, so following the sources either ends or
/// repeats.
fn cycles(commands: &[ParsedCommand], defined: &Definitions<'_>, errors: &mut Vec<WrapperError>) -> Vec<bool> {
    let next =
        |number: usize| commands[number].from().and_then(|name| defined.get(&**name)).map(|(definer, _)| *definer);
    let mut seen: Vec<Option<usize>> = vec![None; commands.len()];
    let mut cyclic = vec![false; commands.len()];
    for start in 0..commands.len() {
        let mut at = start;
        while seen[at].is_none() {
            seen[at] = Some(start);
            match next(at) {
                Some(definer) => at = definer,
                None => break,
            }
        }
        // The walk came back to one of its own commands: a new cycle, unless the walk only ended there.
        if seen[at] != Some(start) || next(at).is_none() || cyclic[at] {
            continue;
        }
        let mut names = Vec::new();
        let first = at;
        loop {
            cyclic[at] = true;
            let Some(name) = commands[at].from() else { break };
            names.push(name.value.clone());
            match next(at) {
                Some(definer) if definer != first => at = definer,
                _ => break,
            }
        }
        // Sources lead from the last command to the first; the message lists them in order of definition.
        names.reverse();
        let span = commands[first].from().and_then(|name| name.span);
        errors.push(WrapperError::Cycle { names, span });
    }
    cyclic
}

/// A rule under construction.
struct Node {
    rule: Rule,
    parent: Option<usize>,
    depth: usize,
    /// Place of its type declaration.
    declared: Option<Span>,
    has_rules: bool,
}

struct Tree<'a> {
    /// Parents come before their children.
    nodes: Vec<Node>,
    /// Node of each variable; `None` if its command is wrong.
    variables: HashMap<&'a str, Option<usize>>,
    names: Vec<&'a str>,
    /// Names made up by the reader.
    temporaries: HashSet<String>,
    url: Option<Text>,
    /// `true` once a limit has been exceeded; no more commands are processed.
    full: bool,
    errors: &'a mut Vec<WrapperError>,
}

impl<'a> Tree<'a> {
    fn add(&mut self, number: usize, command: &'a ParsedCommand, defined: &Definitions<'_>, cyclic: bool) {
        let made = self.input(number, command, defined, cyclic).and_then(|input| self.rules(command, input));
        for (index, variable) in command.variables.iter().enumerate() {
            let node = made.as_ref().map(|nodes| nodes[index]);
            // If two variables have the same name, the first one is used.
            self.variables.entry(&variable.name).or_insert(node);
        }
    }

    /// Returns the parent rule and the selection of its members.
    fn input(
        &mut self,
        number: usize,
        command: &'a ParsedCommand,
        defined: &Definitions<'_>,
        cyclic: bool,
    ) -> Option<RuleInput> {
        for take in &command.takes {
            if self.errors.len() >= MAX_ERRORS {
                break;
            }
            self.check_defined(&take.variable, number, defined);
        }
        let (name, members) = match &command.source.as_ref()?.base {
            CommandInput::Page(url) => {
                return self.page(url.as_ref()).then_some(RuleInput { parent: None, members: None });
            }
            CommandInput::Variable(name, members) => (name, members),
        };
        if cyclic || !self.check_defined(name, number, defined) {
            return None;
        }
        // If the command that defines the variable is wrong, nothing more is reported here.
        let parent = (*self.variables.get(&**name)?)?;
        let members = match members {
            None => None,
            Some((slice, _)) if self.nodes[parent].rule.kind == Kind::List => Some(*slice),
            Some((Slice::Range { skip: 0, drop: 0 }, _)) => None,
            Some((_, text)) => {
                let message = format!("`{name}` is not a list; `split` and `extract_table` make lists");
                self.errors.push(WrapperError::BadSlice { slice: text.value.clone(), message, span: text.span });
                return None;
            }
        };
        Some(RuleInput { parent: Some(parent), members })
    }

    fn check_defined(&mut self, name: &Text, number: usize, defined: &Definitions<'_>) -> bool {
        match defined.get(&**name) {
            Some((definer, _)) if *definer < number => return true,
            Some((_, place)) => {
                let (name, span) = (name.value.clone(), name.span);
                self.errors.push(WrapperError::UsedBeforeDefined { name, span, defined: *place });
            }
            None => {
                let hint = match nearest(name, self.names.iter().copied().take(MAX_COMPARED)) {
                    Some(like) => Some(format!("did you mean `{like}`?")),
                    None if number == 0 => {
                        Some("the first command gets the page: `get('https://example.org/')`".to_owned())
                    }
                    None => None,
                };
                self.errors.push(WrapperError::UnknownVariable { name: name.value.clone(), hint, span: name.span });
            }
        }
        false
    }

    /// Stores the address of the first page and rejects a second one; returns `false` after an error.
    fn page(&mut self, url: Option<&Text>) -> bool {
        let Some(url) = url else { return true };
        if url.trim().is_empty() {
            let (key, expected, found) = ("get".to_owned(), "given an address".to_owned(), "an empty text".to_owned());
            let hint = Some("`get()` is the page that the wrapper is run on".to_owned());
            self.errors.push(WrapperError::WrongValue { key, expected, found, hint, span: url.span });
            return false;
        }
        match &self.url {
            Some(first) if first != url => {
                let hint = "a list of commands begins with one page: put the other in a file of its own, or take its address from the first page and `get(variable)`";
                self.errors.push(WrapperError::WrongValue {
                    key: "get".to_owned(),
                    expected: format!("given a variable, or the first page's address `{first}`"),
                    found: format!("`{url}`"),
                    hint: Some(hint.to_owned()),
                    span: url.span,
                });
                return false;
            }
            Some(_) => {}
            None => self.url = Some(url.clone()),
        }
        true
    }

    /// Adds the rules of a command and returns the nodes of its variables.
    fn rules(&mut self, command: &ParsedCommand, input: RuleInput) -> Option<Vec<usize>> {
        let source = command.source.as_ref()?;
        let variables = &command.variables;
        if matches!(source.way, Operation::Group) {
            let [variable] = variables.as_slice() else {
                let (key, found) = ("group".to_owned(), format!("{} variables", variables.len()));
                let (expected, span) = ("the source of one variable".to_owned(), Some(command.place));
                self.errors.push(WrapperError::WrongValue { key, expected, found, hint: None, span });
                return None;
            };
            let mut rule = Rule::group(variable.name.clone(), Locator::default());
            rule.take = command.takes.clone();
            return Some(vec![self.variable(variable, rule, None, &input)]);
        }
        let search = command.search.as_ref()?;
        if search.saves != variables.len() {
            let (variables, saves) = (variables.len(), search.saves);
            self.errors.push(WrapperError::VariableCount { variables, saves, span: Some(search.span) });
            return None;
        }
        let (list, first) = match &source.way {
            Operation::Copy | Operation::Group => (None, None),
            Operation::Split(delimiter) => (Some(Kind::List), Some(Find::Split(delimiter.clone()))),
            Operation::Table(pattern) => {
                let table = pattern.clone().map_or_else(Locator::default, Locator::pattern);
                (Some(Kind::List), Some(Find::Table(Box::new(table))))
            }
            Operation::Follow => (Some(Kind::Group), Some(Find::Get(Box::default()))),
        };
        let locator = search.locator();
        if let [variable] = variables.as_slice() {
            let locator = match first {
                Some(find) => {
                    Locator { find, then: (!locator.is_scope()).then(|| Box::new(locator)), ..Locator::default() }
                }
                None => locator,
            };
            let make = if list == Some(Kind::List) { Rule::list } else { Rule::field };
            let rule = make(variable.name.clone(), locator);
            return Some(vec![self.variable(variable, rule, Some((search, 0)), &input)]);
        }
        // The pieces, the rows or the page get a rule of their own, so that the pattern has a scope to run in.
        let optional = variables.iter().all(|variable| variable.optional);
        let input = match first {
            None => input,
            Some(find) => {
                let name = self.temporary(command.from(), &source.way);
                let make = if list == Some(Kind::List) { Rule::list } else { Rule::group };
                let mut rule = make(name, Locator::new(find));
                (rule.members, rule.optional) = (input.members, optional);
                RuleInput { parent: Some(self.push(rule, None, input.parent, command.place)), members: None }
            }
        };
        let mut save = Rule::save(locator, Vec::new());
        (save.members, save.optional) = (input.members, optional);
        let below = RuleInput { parent: Some(self.push(save, None, input.parent, command.place)), members: None };
        let nodes = variables.iter().enumerate().map(|(index, variable)| {
            let rule = Rule::field(variable.name.clone(), Locator::default());
            self.variable(variable, rule, Some((search, index)), &below)
        });
        Some(nodes.collect())
    }

    /// Makes up an unused name for a rule that has none in the file.
    fn temporary(&mut self, from: Option<&Text>, way: &Operation) -> String {
        let kind = match way {
            Operation::Split(_) => "split",
            Operation::Table(_) => "table",
            _ => "page",
        };
        let from = from.map_or("page", |name| name.trim_start_matches('_'));
        let mut name = format!("_{from}_{kind}");
        let mut number = self.temporaries.len();
        while self.names.binary_search(&name.as_str()).is_ok() || !self.temporaries.insert(name.clone()) {
            number += 1;
            name = format!("_{from}_{kind}{number}");
        }
        name
    }

    fn variable(
        &mut self,
        variable: &Variable,
        mut rule: Rule,
        saved: Option<(&CommandPatterns, usize)>,
        input: &RuleInput,
    ) -> usize {
        rule.label = variable.label.clone();
        rule.optional = variable.optional;
        rule.members = input.members;
        let inferred = saved.map_or(Type::String, |(search, index)| inferred(&search.patterns, index));
        rule.ty = variable.ty.map_or(inferred, |(ty, _)| ty);
        let declared = variable.ty.map(|(_, span)| span);
        self.push(rule, declared, input.parent, variable.name.span.unwrap_or(Span::new(0, 0)))
    }

    fn push(&mut self, rule: Rule, declared: Option<Span>, parent: Option<usize>, place: Span) -> usize {
        let depth = parent.map_or(1, |parent| self.nodes[parent].depth + 1);
        let limit = match (depth > MAX_DEPTH, self.nodes.len() >= MAX_RULES) {
            (true, _) => Some(("levels", MAX_DEPTH)),
            (_, true) => Some(("rules", MAX_RULES)),
            _ => None,
        };
        if let (Some((what, limit)), false) = (limit, self.full) {
            self.errors.push(WrapperError::TooLarge { what, limit, span: Some(place) });
            self.full = true;
        }
        if let Some(parent) = parent {
            self.nodes[parent].has_rules = true;
        }
        self.nodes.push(Node { rule, parent, depth, declared, has_rules: false });
        self.nodes.len() - 1
    }

    /// Rejects types of variables that others take their input from: these become groups, and a type would be ignored
    /// silently.
    fn check_types(&mut self) {
        for node in &mut self.nodes {
            let complex = node.has_rules || node.rule.kind == Kind::Group;
            if !complex {
                continue;
            }
            if let Some(span) = node.declared {
                let name = &node.rule.name;
                self.errors.push(WrapperError::WrongValue {
                    key: name.value.clone(),
                    expected: "without a type".to_owned(),
                    found: format!("`{}`", node.rule.ty.name()),
                    hint: Some(format!("`{name}` holds what is taken from it; copy it to a variable with a type: [\"copy:{}\", \"{name}\", \"#\"]", node.rule.ty.name())),
                    span: Some(span),
                });
            }
            node.rule.ty = Type::String;
            if node.rule.kind == Kind::Field {
                node.rule.kind = Kind::Group;
            }
        }
    }
}

/// The parent rule and the selection of its members.
struct RuleInput {
    parent: Option<usize>,
    members: Option<Slice>,
}

impl CommandPatterns {
    fn locator(&self) -> Locator {
        match self.patterns.as_slice() {
            [all] if !self.case && is_all(all) => Locator::default(),
            [pattern] if !self.case => Locator::pattern(pattern.clone()),
            _ => Locator::new(Find::Case(self.patterns.iter().cloned().map(Locator::pattern).collect())),
        }
    }
}

/// Returns `true` if a pattern is `#` or equivalent to it.
pub(super) fn is_all(pattern: &Text) -> bool {
    Pattern::new(pattern).is_ok_and(|pattern| pattern.is_all())
}

/// Infers the type of the text that the `#` with this number saves: `url` if `href=` or `src=` precedes it in all
/// patterns.
pub(super) fn inferred<'a>(patterns: impl IntoIterator<Item = &'a Text>, number: usize) -> Type {
    let mut patterns = patterns.into_iter().peekable();
    let some = patterns.peek().is_some();
    if some && patterns.all(|pattern| follows_address(pattern, number)) { Type::Url } else { Type::String }
}

fn follows_address(pattern: &str, number: usize) -> bool {
    let mut saves = 0;
    let mut escaped = false;
    for (at, byte) in pattern.bytes().enumerate() {
        if byte == b'#' && !escaped {
            if saves == number {
                let front = pattern[..at].trim_end_matches(['"', '\'']);
                let ends = |sign: &str| {
                    front.len() >= sign.len()
                        && front.as_bytes()[front.len() - sign.len()..].eq_ignore_ascii_case(sign.as_bytes())
                };
                return at - front.len() <= 1 && (ends("href=") || ends("src="));
            }
            saves += 1;
        }
        escaped = byte == b'\\' && !escaped;
    }
    false
}

/// Assembles the tree. Parents come before their children, so nodes taken from the end are always complete.
fn assemble(mut nodes: Vec<Node>) -> Vec<Rule> {
    let mut top = Vec::new();
    while let Some(mut node) = nodes.pop() {
        node.rule.rules.reverse();
        match node.parent {
            Some(parent) => nodes[parent].rule.rules.push(node.rule),
            None => top.push(node.rule),
        }
    }
    top.reverse();
    top
}
