//! Expressions as in the grammar of XPath 1.0, with abbreviations expanded. Nothing is rewritten here: the plan is
//! compiled from this tree, and the reference evaluator of the tests runs it unchanged.

use crate::error::Span;

/// An expression and its place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ast {
    pub(crate) kind: AstKind,
    pub(crate) span: Span,
}

/// The forms of an expression.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum AstKind {
    /// Two or more operands of `or`.
    Or(Vec<Ast>),
    /// Two or more operands of `and`.
    And(Vec<Ast>),
    Compare(Comparison, Box<Ast>, Box<Ast>),
    /// Left-associative operators of one level of precedence; flat, so that long sums do not nest.
    Arithmetic(Box<Ast>, Vec<(Arithmetic, Ast)>),
    Negate(Box<Ast>),
    /// Two or more operands of `|`.
    Union(Vec<Ast>),
    Path(AstPath),
    Literal(String),
    Number(f64),
    Variable(String),
    Call(Function, Vec<Ast>),
}

/// A location path, or a filter expression followed by steps.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AstPath {
    pub(crate) start: AstStart,
    pub(crate) steps: Vec<AstStep>,
}

/// The start of a path.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum AstStart {
    Root,
    Context,
    /// `(…)[…][…]`
    Filter(Box<Ast>, Vec<Ast>),
}

/// `axis::test[predicate]…`
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AstStep {
    pub(crate) axis: Axis,
    pub(crate) test: AstTest,
    pub(crate) predicates: Vec<Ast>,
    pub(crate) span: Span,
}

/// A node test.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum AstTest {
    /// `*`
    Any,
    /// `prefix:*`
    Prefix(String),
    /// `name`, `prefix:name`
    Name(Option<String>, String),
    /// `node()`
    Node,
    /// `text()`
    Text,
    /// `comment()`
    Comment,
    /// `processing-instruction()`; HTML has none.
    Instruction,
}

/// A comparison operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Comparison {
    /// Returns the comparison for exchanged operands.
    pub(crate) fn flipped(self) -> Comparison {
        match self {
            Comparison::Less => Comparison::Greater,
            Comparison::LessEqual => Comparison::GreaterEqual,
            Comparison::Greater => Comparison::Less,
            Comparison::GreaterEqual => Comparison::LessEqual,
            same => same,
        }
    }

    #[inline]
    pub(crate) fn numbers(self, left: f64, right: f64) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
            Comparison::Less => left < right,
            Comparison::LessEqual => left <= right,
            Comparison::Greater => left > right,
            Comparison::GreaterEqual => left >= right,
        }
    }

    pub(crate) fn is_equality(self) -> bool {
        matches!(self, Comparison::Equal | Comparison::NotEqual)
    }
}

/// An arithmetic operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
}

impl Arithmetic {
    pub(crate) fn apply(self, left: f64, right: f64) -> f64 {
        match self {
            Arithmetic::Add => left + right,
            Arithmetic::Subtract => left - right,
            Arithmetic::Multiply => left * right,
            Arithmetic::Divide => left / right,
            // Rust's `%` truncates, as XPath's `mod` does.
            Arithmetic::Modulo => left % right,
        }
    }
}

/// The thirteen axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Axis {
    Ancestor,
    AncestorOrSelf,
    Attribute,
    Child,
    Descendant,
    DescendantOrSelf,
    Following,
    FollowingSibling,
    Namespace,
    Parent,
    Preceding,
    PrecedingSibling,
    Itself,
}

impl Axis {
    pub(crate) const NAMES: [&'static str; 13] = [
        "ancestor",
        "ancestor-or-self",
        "attribute",
        "child",
        "descendant",
        "descendant-or-self",
        "following",
        "following-sibling",
        "namespace",
        "parent",
        "preceding",
        "preceding-sibling",
        "self",
    ];

    pub(crate) fn from_name(name: &str) -> Option<Axis> {
        Some(match name {
            "ancestor" => Axis::Ancestor,
            "ancestor-or-self" => Axis::AncestorOrSelf,
            "attribute" => Axis::Attribute,
            "child" => Axis::Child,
            "descendant" => Axis::Descendant,
            "descendant-or-self" => Axis::DescendantOrSelf,
            "following" => Axis::Following,
            "following-sibling" => Axis::FollowingSibling,
            "namespace" => Axis::Namespace,
            "parent" => Axis::Parent,
            "preceding" => Axis::Preceding,
            "preceding-sibling" => Axis::PrecedingSibling,
            "self" => Axis::Itself,
            _ => return None,
        })
    }

    /// Returns `true` if positions count against document order.
    #[cfg(test)]
    pub(crate) fn is_reverse(self) -> bool {
        matches!(self, Axis::Ancestor | Axis::AncestorOrSelf | Axis::Preceding | Axis::PrecedingSibling)
    }
}

/// The type of an expression's value, as far as it is known before evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Type {
    Nodes,
    Boolean,
    Number,
    String,
    /// Any type: the value of a variable.
    Any,
}

impl Type {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Type::Nodes => "node-set",
            Type::Boolean => "boolean",
            Type::Number => "number",
            Type::String => "string",
            Type::Any => "value",
        }
    }
}

macro_rules! functions {
    ($($variant:ident $name:literal $min:literal..=$max:literal $wanted:literal $type:ident $signature:literal;)*) => {
        /// The core function library.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Function {
            $(#[doc = $signature] $variant,)*
        }

        impl Function {
            pub(crate) const NAMES: &'static [&'static str] = &[$($name),*];

            pub(crate) fn from_name(name: &str) -> Option<Function> {
                match name {
                    $($name => Some(Function::$variant),)*
                    _ => None,
                }
            }

            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(Function::$variant => $name,)*
                }
            }

            /// Returns the smallest and largest number of arguments, and a description of them.
            pub(crate) fn arity(self) -> (usize, usize, &'static str) {
                match self {
                    $(Function::$variant => ($min, $max, $wanted),)*
                }
            }

            pub(crate) fn result(self) -> Type {
                match self {
                    $(Function::$variant => Type::$type,)*
                }
            }

            pub(crate) fn signature(self) -> &'static str {
                match self {
                    $(Function::$variant => $signature,)*
                }
            }
        }
    };
}

functions! {
    Last "last" 0..=0 "no argument" Number "last() → number";
    Position "position" 0..=0 "no argument" Number "position() → number";
    Count "count" 1..=1 "one argument" Number "count(nodes) → number";
    Id "id" 1..=1 "one argument" Nodes "id(value) → nodes";
    LocalName "local-name" 0..=1 "at most one argument" String "local-name(nodes?) → string";
    NamespaceUri "namespace-uri" 0..=1 "at most one argument" String "namespace-uri(nodes?) → string";
    Name "name" 0..=1 "at most one argument" String "name(nodes?) → string";
    String "string" 0..=1 "at most one argument" String "string(value?) → string";
    Concat "concat" 2..=65535 "at least two arguments" String "concat(string, string, …) → string";
    StartsWith "starts-with" 2..=2 "two arguments" Boolean "starts-with(string, prefix) → boolean";
    Contains "contains" 2..=2 "two arguments" Boolean "contains(string, part) → boolean";
    SubstringBefore "substring-before" 2..=2 "two arguments" String "substring-before(string, part) → string";
    SubstringAfter "substring-after" 2..=2 "two arguments" String "substring-after(string, part) → string";
    Substring "substring" 2..=3 "two or three arguments" String "substring(string, start, length?) → string";
    StringLength "string-length" 0..=1 "at most one argument" Number "string-length(string?) → number";
    NormalizeSpace "normalize-space" 0..=1 "at most one argument" String "normalize-space(string?) → string";
    Translate "translate" 3..=3 "three arguments" String "translate(string, from, to) → string";
    Boolean "boolean" 1..=1 "one argument" Boolean "boolean(value) → boolean";
    Not "not" 1..=1 "one argument" Boolean "not(boolean) → boolean";
    True "true" 0..=0 "no argument" Boolean "true() → boolean";
    False "false" 0..=0 "no argument" Boolean "false() → boolean";
    Lang "lang" 1..=1 "one argument" Boolean "lang(string) → boolean";
    Number "number" 0..=1 "at most one argument" Number "number(value?) → number";
    Sum "sum" 1..=1 "one argument" Number "sum(nodes) → number";
    Floor "floor" 1..=1 "one argument" Number "floor(number) → number";
    Ceiling "ceiling" 1..=1 "one argument" Number "ceiling(number) → number";
    Round "round" 1..=1 "one argument" Number "round(number) → number";
}

impl Ast {
    /// Returns the type of the expression's value.
    pub(crate) fn value_type(&self) -> Type {
        match &self.kind {
            AstKind::Or(_) | AstKind::And(_) | AstKind::Compare(..) => Type::Boolean,
            AstKind::Arithmetic(..) | AstKind::Negate(_) | AstKind::Number(_) => Type::Number,
            AstKind::Union(_) | AstKind::Path(_) => Type::Nodes,
            AstKind::Literal(_) => Type::String,
            AstKind::Variable(_) => Type::Any,
            AstKind::Call(function, _) => function.result(),
        }
    }
}
