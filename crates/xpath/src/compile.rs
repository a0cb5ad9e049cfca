//! Compiles the tree to a plan: fuses steps, classifies predicates, recognises frequent conditions.
//!
//! | written | planned |
//! |---|---|
//! | `descendant-or-self::node()/child::x` | `descendant::x`; with positions, `child::x` from every node below |
//! | `[3]`, `[position() <= 3]`, `[last()]` | ranges counted while nodes stream by; the last of a list |
//! | `@x`, `@x = 'y'`, `starts-with(@x, 'y')`, `contains(@x, 'y')` as conditions | a look at the attribute |
//! | `contains(concat(' ', normalize-space(@x), ' '), ' y ')` | a word of the attribute |
//! | `contains(…, 'y')` | a search prepared once |
//! | `boolean(x)` as a condition, `not(x)` | `x`, negated |
//! | `//x`, `id('x')` inside a predicate | found once |

use memchr::memmem::Finder;

use crate::ast::*;
use crate::plan::*;

/// Compiles a parsed XPath expression.
pub(crate) fn compile(ast: &Ast) -> Plan {
    let mut compiler = Compiler::default();
    let root = compiler.expression(ast);
    compiler.finish(root)
}

/// The names and variables of a plan, collected during compilation.
#[derive(Default)]
pub(crate) struct Compiler {
    names: Vec<NameRef>,
    variables: Vec<VariableRef>,
    counters: usize,
    kept: usize,
    /// Number of predicates around the part being compiled.
    depth: usize,
}

/// Returns `true` if an expression uses the context position or size outside of its own predicates.
fn uses(ast: &Ast, wanted: Function) -> bool {
    match &ast.kind {
        AstKind::Or(parts) | AstKind::And(parts) | AstKind::Union(parts) => parts.iter().any(|part| uses(part, wanted)),
        AstKind::Compare(_, left, right) => uses(left, wanted) || uses(right, wanted),
        AstKind::Arithmetic(first, rest) => uses(first, wanted) || rest.iter().any(|(_, part)| uses(part, wanted)),
        AstKind::Negate(inner) => uses(inner, wanted),
        AstKind::Path(path) => match &path.start {
            AstStart::Filter(primary, _) => uses(primary, wanted),
            AstStart::Root | AstStart::Context => false,
        },
        AstKind::Literal(_) | AstKind::Number(_) | AstKind::Variable(_) => false,
        AstKind::Call(function, arguments) => *function == wanted || arguments.iter().any(|part| uses(part, wanted)),
    }
}

impl Compiler {
    pub(crate) fn finish(self, root: Ex) -> Plan {
        Plan { root, names: self.names, variables: self.variables, counters: self.counters, kept: self.kept }
    }

    /// Returns the slot of a name, which all its uses share.
    pub(crate) fn slot(&mut self, name: NameRef) -> Slot {
        let same = |old: &NameRef| {
            old.prefix == name.prefix && old.exact == name.exact && old.is_attribute == name.is_attribute
        };
        self.names.iter().position(same).unwrap_or_else(|| {
            self.names.push(name);
            self.names.len() - 1
        })
    }

    /// Allocates a counter of siblings for [`CssTest::Nth`].
    pub(crate) fn counter(&mut self) -> usize {
        self.counters += 1;
        self.counters - 1
    }

    fn expression(&mut self, ast: &Ast) -> Ex {
        match &ast.kind {
            AstKind::Or(parts) => Ex::Or(self.conditions(parts)),
            AstKind::And(parts) => Ex::And(self.conditions(parts)),
            AstKind::Compare(comparison, left, right) => self.compare(*comparison, left, right),
            AstKind::Arithmetic(first, rest) => {
                let first = Box::new(self.expression(first));
                Ex::Arithmetic(first, rest.iter().map(|(operator, part)| (*operator, self.expression(part))).collect())
            }
            AstKind::Negate(inner) => match self.expression(inner) {
                Ex::Number(number) => Ex::Number(-number),
                inner => Ex::Negate(Box::new(inner)),
            },
            AstKind::Union(parts) => Ex::Union(parts.iter().map(|part| self.nodes(part)).collect()),
            AstKind::Path(path) => {
                let path = self.path(path);
                self.once(path)
            }
            AstKind::Literal(text) => Ex::Text(text.as_str().into()),
            AstKind::Number(number) => Ex::Number(*number),
            AstKind::Variable(name) => self.variable(name, ast, false),
            AstKind::Call(function, arguments) => self.call(*function, arguments),
        }
    }

    /// Wraps an expression whose nodes are the same for every context, such as an absolute path, so that it is
    /// evaluated only once although a predicate needs it repeatedly. The number of such expressions is bounded, since
    /// their results take memory.
    fn once(&mut self, ex: Ex) -> Ex {
        const MAX_KEPT: usize = 8;
        let constant = match &ex {
            Ex::Path(path) => match &path.start {
                Start::Root => !path.steps.is_empty(),
                Start::Filter(Ex::Once(..), _) => true,
                _ => false,
            },
            Ex::Call(Function::Id, arguments) => matches!(**arguments, [Ex::Text(_)]),
            _ => false,
        };
        if !constant || self.depth == 0 || self.kept == MAX_KEPT {
            return ex;
        }
        self.kept += 1;
        Ex::Once(self.kept - 1, Box::new(ex))
    }

    fn variable(&mut self, name: &str, ast: &Ast, needs_nodes: bool) -> Ex {
        let known = self.variables.iter().position(|old| old.name == name && old.needs_nodes == needs_nodes);
        let index = known.unwrap_or_else(|| {
            self.variables.push(VariableRef { name: name.to_owned(), needs_nodes, span: ast.span });
            self.variables.len() - 1
        });
        Ex::Variable(index)
    }

    /// Compiles an expression that must return nodes.
    fn nodes(&mut self, ast: &Ast) -> Ex {
        match &ast.kind {
            AstKind::Variable(name) => self.variable(name, ast, true),
            _ => self.expression(ast),
        }
    }

    fn conditions(&mut self, parts: &[Ast]) -> Box<[Ex]> {
        parts.iter().map(|part| self.condition(part)).collect()
    }

    /// Compiles an expression of which only the `boolean()` value matters.
    fn condition(&mut self, ast: &Ast) -> Ex {
        match &ast.kind {
            AstKind::Call(Function::Boolean, arguments) => match arguments.first() {
                Some(argument) => self.condition(argument),
                None => Ex::Boolean(false),
            },
            _ => match attribute_name(ast) {
                Some(name) => Ex::Attribute(self.attribute_slot(name, ast), AttributeTest::Present),
                None => self.expression(ast),
            },
        }
    }

    fn attribute_slot(&mut self, name: &str, ast: &Ast) -> Slot {
        self.slot(NameRef { prefix: None, exact: name.to_owned(), is_attribute: true, span: ast.span })
    }

    fn compare(&mut self, comparison: Comparison, left: &Ast, right: &Ast) -> Ex {
        let literal = match (&left.kind, &right.kind) {
            (_, AstKind::Literal(text)) => Some((left, text)),
            (AstKind::Literal(text), _) => Some((right, text)),
            _ => None,
        };
        if let Some((other, text)) = literal
            && comparison.is_equality()
            && let Some(name) = attribute_name(other)
        {
            let text = text.as_str().into();
            let test = match comparison {
                Comparison::Equal => AttributeTest::Equal(text),
                _ => AttributeTest::Differs(text),
            };
            return Ex::Attribute(self.attribute_slot(name, other), test);
        }
        Ex::Compare(comparison, Box::new(self.expression(left)), Box::new(self.expression(right)))
    }

    fn call(&mut self, function: Function, arguments: &[Ast]) -> Ex {
        match (function, arguments) {
            (Function::True, _) => Ex::Boolean(true),
            (Function::False, _) => Ex::Boolean(false),
            (Function::Not, [argument]) => match self.condition(argument) {
                Ex::Boolean(value) => Ex::Boolean(!value),
                condition => Ex::Not(Box::new(condition)),
            },
            (Function::Boolean, [argument]) => Ex::Call(function, [self.condition(argument)].into()),
            (Function::StartsWith, [Ast { .. }, Ast { kind: AstKind::Literal(text), .. }])
                if !text.is_empty() && attribute_name(&arguments[0]).is_some() =>
            {
                let name = attribute_name(&arguments[0]).unwrap_or_default();
                let slot = self.attribute_slot(name, &arguments[0]);
                Ex::Attribute(slot, AttributeTest::StartsWith(text.as_str().into()))
            }
            (Function::Contains, [whole, Ast { kind: AstKind::Literal(text), .. }]) if !text.is_empty() => {
                self.contains(whole, text)
            }
            (Function::Count | Function::Sum | Function::Name | Function::LocalName | Function::NamespaceUri, _) => {
                Ex::Call(function, arguments.iter().map(|argument| self.nodes(argument)).collect())
            }
            _ => {
                let arguments = arguments.iter().map(|argument| self.expression(argument)).collect();
                self.once(Ex::Call(function, arguments))
            }
        }
    }

    /// Compiles `contains(whole, 'text')` with a non-empty text.
    fn contains(&mut self, whole: &Ast, text: &str) -> Ex {
        let finder = |text: &str| Box::new(Finder::new(text).into_owned());
        if let Some(name) = attribute_name(whole) {
            return Ex::Attribute(self.attribute_slot(name, whole), AttributeTest::Contains(finder(text)));
        }
        if let Some((attribute, spaces)) = spaced_attribute(whole)
            && let Some(name) = attribute_name(attribute)
            && let Some(word) = text.strip_prefix(' ').and_then(|text| text.strip_suffix(' '))
            && !word.is_empty()
            && !word.bytes().any(crate::number::is_space)
        {
            let slot = self.attribute_slot(name, attribute);
            return Ex::Attribute(slot, AttributeTest::Word(finder(word), spaces));
        }
        Ex::Contains(Box::new(self.expression(whole)), finder(text))
    }

    // ---- paths ----

    fn path(&mut self, path: &AstPath) -> Ex {
        let start = match &path.start {
            AstStart::Root => Start::Root,
            AstStart::Context => Start::Context,
            AstStart::Filter(primary, predicates) => {
                let primary = self.nodes(primary);
                Start::Filter(primary, predicates.iter().map(|predicate| self.predicate(predicate)).collect())
            }
        };
        let mut steps: Vec<Step> = Vec::with_capacity(path.steps.len());
        let mut at = 0;
        while let Some(step) = path.steps.get(at) {
            at += 1;
            // `.` between steps changes nothing; alone it is the context node.
            if step.axis == Axis::Itself && step.test == AstTest::Node && step.predicates.is_empty() {
                continue;
            }
            let is_below = |step: &AstStep| {
                step.axis == Axis::DescendantOrSelf && step.test == AstTest::Node && step.predicates.is_empty()
            };
            if is_below(step) {
                // `//` and `//.//` are equivalent.
                let mut next = at;
                while path.steps.get(next).is_some_and(|step| {
                    is_below(step)
                        || step.axis == Axis::Itself && step.test == AstTest::Node && step.predicates.is_empty()
                }) {
                    next += 1;
                }
                if let Some(child) = path.steps.get(next)
                    && matches!(
                        child.axis,
                        Axis::Child | Axis::Descendant | Axis::DescendantOrSelf | Axis::Itself | Axis::Attribute
                    )
                {
                    let mut step = self.step(child);
                    match (step.positional, child.axis) {
                        (false, Axis::Child | Axis::Descendant) => step.axis = Axis::Descendant,
                        (false, Axis::DescendantOrSelf | Axis::Itself) => step.axis = Axis::DescendantOrSelf,
                        _ => step.below = true,
                    }
                    steps.push(step);
                    at = next + 1;
                    continue;
                }
            }
            steps.push(self.step(step));
        }
        Ex::Path(Box::new(finish_path(start, steps)))
    }

    fn step(&mut self, step: &AstStep) -> Step {
        let predicates = step.predicates.iter().map(|predicate| self.predicate(predicate)).collect();
        let needs_list = step.predicates.iter().map(|predicate| uses(predicate, Function::Last)).collect();
        make_step(step.axis, self.test(step), predicates, needs_list)
    }

    fn test(&mut self, step: &AstStep) -> Test {
        let is_attribute = step.axis == Axis::Attribute;
        let mut slot = |prefix: Option<&String>, exact: &str| {
            let (prefix, exact) = (prefix.cloned(), exact.to_owned());
            self.slot(NameRef { prefix, exact, is_attribute, span: step.span })
        };
        match &step.test {
            _ if step.axis == Axis::Namespace => Test::Nothing,
            AstTest::Any => Test::Element,
            AstTest::Prefix(prefix) => Test::Qualified(slot(Some(prefix), "")),
            AstTest::Name(None, name) => Test::Html(slot(None, name)),
            AstTest::Name(prefix, name) => Test::Qualified(slot(prefix.as_ref(), name)),
            AstTest::Node => Test::Node,
            AstTest::Text if !is_attribute => Test::Text,
            AstTest::Comment if !is_attribute => Test::Comment,
            AstTest::Text | AstTest::Comment | AstTest::Instruction => Test::Nothing,
        }
    }

    fn predicate(&mut self, ast: &Ast) -> Predicate {
        self.depth += 1;
        let predicate = self.classify(ast);
        self.depth -= 1;
        predicate
    }

    fn classify(&mut self, ast: &Ast) -> Predicate {
        let positional = uses(ast, Function::Position) || uses(ast, Function::Last);
        match ast.value_type() {
            Type::Number => match &ast.kind {
                AstKind::Number(number) => range(Comparison::Equal, *number),
                AstKind::Call(Function::Last, _) => Predicate::Last,
                _ => Predicate::Number(self.expression(ast)),
            },
            Type::Any => Predicate::Any(self.expression(ast)),
            _ if !positional => Predicate::Test(self.condition(ast)),
            _ => {
                if let AstKind::Compare(comparison, left, right) = &ast.kind {
                    let is_position = |ast: &Ast| matches!(ast.kind, AstKind::Call(Function::Position, _));
                    let is_last = |ast: &Ast| matches!(ast.kind, AstKind::Call(Function::Last, _));
                    match (&left.kind, &right.kind) {
                        (_, AstKind::Number(number)) if is_position(left) => return range(*comparison, *number),
                        (AstKind::Number(number), _) if is_position(right) => {
                            return range(comparison.flipped(), *number);
                        }
                        _ if *comparison == Comparison::Equal
                            && (is_position(left) && is_last(right) || is_last(left) && is_position(right)) =>
                        {
                            return Predicate::Last;
                        }
                        _ => {}
                    }
                }
                Predicate::Positional(self.condition(ast))
            }
        }
    }
}

/// Returns the range of positions for which a comparison with a constant holds. `!=` is not a range and rare enough
/// to be tested position by position.
fn range(comparison: Comparison, number: f64) -> Predicate {
    // Positions are whole numbers from one; a document has fewer than four billion nodes. Casts saturate, and NaN,
    // for which every comparison but `!=` is false, is handled first.
    let largest = f64::from(u32::MAX);
    if number.is_nan() && comparison != Comparison::NotEqual {
        return Predicate::Range(1, 0);
    }
    let (first, last) = match comparison {
        Comparison::Equal if number.fract() != 0.0 => return Predicate::Range(1, 0),
        Comparison::Equal => (number, number),
        Comparison::Less => (1.0, number.ceil() - 1.0),
        Comparison::LessEqual => (1.0, number.floor()),
        Comparison::Greater => (number.floor() + 1.0, largest),
        Comparison::GreaterEqual => (number.ceil(), largest),
        Comparison::NotEqual => {
            let position = Ex::Call(Function::Position, [].into());
            let other = Box::new(Ex::Number(number));
            return Predicate::Positional(Ex::Compare(Comparison::NotEqual, Box::new(position), other));
        }
    };
    let (first, last) = (first.max(1.0), last);
    if last < first || first > largest {
        return Predicate::Range(1, 0);
    }
    Predicate::Range(first as u32, last.min(largest) as u32)
}

/// Creates a step from its predicates and, for each of them, whether it needs the whole list.
pub(crate) fn make_step(axis: Axis, test: Test, predicates: Vec<Predicate>, needs_list: Vec<bool>) -> Step {
    let positional = predicates.iter().any(|predicate| !matches!(predicate, Predicate::Test(_)));
    let mut counters = 0;
    let mut split = predicates.len();
    for (at, predicate) in predicates.iter().enumerate() {
        if !matches!(predicate, Predicate::Test(_)) {
            counters += 1;
        }
        let listed = matches!(predicate, Predicate::Last) || needs_list.get(at) == Some(&true);
        if listed || counters > Step::COUNTERS {
            split = at;
            break;
        }
    }
    let mut stream = predicates;
    let gather = stream.split_off(split);
    Step { axis, test, stream: stream.into(), gather: gather.into(), positional, below: false }
}

/// Creates a path and determines the properties of its order.
pub(crate) fn finish_path(start: Start, steps: Vec<Step>) -> Path {
    // Depth-first search recurses once per step; long paths are evaluated set by set anyway.
    const MAX_WALK: usize = 16;
    let single = !matches!(start, Start::Filter(..));
    let mut walkable = single && steps.len() <= MAX_WALK;
    let mut ordered = walkable;
    // The result of the steps so far from one node: a single node; nodes none of which contains another; nodes that
    // may be nested, without duplicates; attributes.
    enum StepOutput {
        One,
        Disjoint,
        Nested,
        Attributes,
    }
    let mut given = StepOutput::One;
    for step in &steps {
        let (next, fine, in_order) = match (&given, step.axis) {
            _ if step.below => (StepOutput::Nested, false, false),
            (_, Axis::Itself) => continue,
            (StepOutput::One, Axis::Parent) => (StepOutput::One, true, true),
            (StepOutput::One | StepOutput::Disjoint, Axis::Child) => (StepOutput::Disjoint, true, true),
            (StepOutput::One | StepOutput::Disjoint, Axis::Descendant | Axis::DescendantOrSelf) => {
                (StepOutput::Nested, true, true)
            }
            // The children of nested nodes are ordered by parent, not by document order.
            (StepOutput::Nested, Axis::Child) => (StepOutput::Nested, true, false),
            (StepOutput::Attributes, _) => (StepOutput::Attributes, false, false),
            (_, Axis::Attribute) => (StepOutput::Attributes, true, true),
            (StepOutput::One, Axis::FollowingSibling) => (StepOutput::Disjoint, true, true),
            (StepOutput::One, Axis::Following) => (StepOutput::Nested, true, true),
            (StepOutput::One, Axis::PrecedingSibling) => (StepOutput::Disjoint, true, false),
            (StepOutput::One, Axis::Preceding | Axis::Ancestor | Axis::AncestorOrSelf) => {
                (StepOutput::Nested, true, false)
            }
            _ => (StepOutput::Nested, false, false),
        };
        given = next;
        walkable &= fine;
        ordered &= fine && in_order;
    }
    let near = |step: &Step| matches!(step.axis, Axis::Child | Axis::Attribute | Axis::Itself | Axis::Parent);
    let direct = ordered && steps.iter().all(near);
    Path { start, steps: steps.into(), walkable, ordered, direct }
}

/// Returns the name if the expression is `@name`.
fn attribute_name(ast: &Ast) -> Option<&str> {
    let AstKind::Path(AstPath { start: AstStart::Context, steps }) = &ast.kind else { return None };
    let is_dot =
        |step: &&AstStep| step.axis == Axis::Itself && step.test == AstTest::Node && step.predicates.is_empty();
    let dots = steps.iter().take_while(is_dot).count();
    match &steps[dots..] {
        [AstStep { axis: Axis::Attribute, test: AstTest::Name(None, name), predicates, .. }]
            if predicates.is_empty() =>
        {
            Some(name)
        }
        _ => None,
    }
}

/// Returns the attribute if the expression is `concat(' ', @name, ' ')`, possibly with `normalize-space(@name)` in
/// the middle.
fn spaced_attribute(ast: &Ast) -> Option<(&Ast, Spaces)> {
    let AstKind::Call(Function::Concat, arguments) = &ast.kind else { return None };
    let [before, middle, after] = arguments.as_slice() else { return None };
    let is_space = |ast: &Ast| matches!(&ast.kind, AstKind::Literal(text) if text == " ");
    if !is_space(before) || !is_space(after) {
        return None;
    }
    match &middle.kind {
        AstKind::Call(Function::NormalizeSpace, inner) => Some((inner.first()?, Spaces::Xml)),
        _ => Some((middle, Spaces::Space)),
    }
}
