//! Parses tokens to a tree: recursive descent over the grammar of XPath 1.0, one function per level of precedence.
//!
//! Nesting is bounded ([`MAX_DEPTH`]); operators of one level are collected in one flat node, so the depth of the
//! tree is the nesting of the text, and later recursion over the tree cannot overflow the stack.

use crate::ast::*;
use crate::error::{ParseError, Span, nearest};
use crate::lexer::{Lexeme, Token, tokens};

/// Length of the longest expression, in bytes. Generated expressions have up to a few kilobytes.
pub(crate) const MAX_LENGTH: usize = 64 << 10;

/// Deepest nesting of parentheses, predicates, arguments and comparisons. Each level costs about a kilobyte of stack
/// here and in the evaluator; threads have two megabytes.
pub(crate) const MAX_DEPTH: usize = 128;

/// Parses an expression.
pub(crate) fn parse(source: &str) -> Result<Ast, ParseError> {
    if source.len() > MAX_LENGTH {
        return Err(ParseError::TooLong { length: source.len(), limit: MAX_LENGTH });
    }
    let mut parser = Parser { tokens: tokens(source)?, at: 0, depth: 0, source };
    if parser.peek() == Token::End {
        return Err(ParseError::Empty { span: Span::new(0, source.len()) });
    }
    let ast = parser.expression()?;
    match parser.peek() {
        Token::End => Ok(ast),
        _ => Err(parser.unexpected("an operator or the end of the expression")),
    }
}

struct Parser<'a> {
    tokens: Vec<Lexeme<'a>>,
    at: usize,
    depth: usize,
    source: &'a str,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Token<'a> {
        self.tokens.get(self.at).map_or(Token::End, |lexeme| lexeme.token)
    }

    fn peek_second(&self) -> Token<'a> {
        self.tokens.get(self.at + 1).map_or(Token::End, |lexeme| lexeme.token)
    }

    fn span(&self) -> Span {
        let end = self.source.len();
        self.tokens.get(self.at).map_or(Span::new(end, end), |lexeme| lexeme.span)
    }

    fn previous_span(&self) -> Span {
        self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(Span::default(), |lexeme| lexeme.span)
    }

    fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    fn eat(&mut self, token: Token<'_>) -> bool {
        let found = self.peek() == token;
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, token: Token<'_>, expected: &'static str) -> Result<(), ParseError> {
        if self.eat(token) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    fn unexpected(&self, expected: &'static str) -> ParseError {
        let span = self.span();
        let found = match self.peek() {
            Token::End => "the end of the expression".to_owned(),
            _ => format!("`{}`", &self.source[span.range()]),
        };
        let hint = match (self.peek(), self.tokens.get(self.at.wrapping_sub(1)).map(|lexeme| lexeme.token)) {
            (Token::Equal, Some(Token::Equal)) => Some("XPath compares with a single `=`"),
            (Token::Pipe, Some(Token::Pipe)) => Some("write `or` between conditions, a single `|` between node-sets"),
            (Token::LeftBracket, Some(Token::Slash | Token::DoubleSlash)) => Some("write `*[…]` for any element"),
            (Token::End, Some(Token::Slash)) => Some("a path does not end in `/`"),
            (Token::End, Some(Token::DoubleSlash)) => Some("name what to look for: `//a`, `//*`"),
            (Token::Greater, _) => Some("`>` between elements is CSS; in XPath write `/`"),
            _ => None,
        };
        ParseError::UnexpectedToken { expected, found, hint, span }
    }

    fn enter(&mut self) -> Result<(), ParseError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(ParseError::TooDeep { limit: MAX_DEPTH, span: self.span() });
        }
        Ok(())
    }

    // ---- operators, loosest first ----

    fn expression(&mut self) -> Result<Ast, ParseError> {
        self.enter()?;
        let ast = self.list(Token::Or, |parser| parser.list(Token::And, Parser::equality, AstKind::And), AstKind::Or);
        self.depth -= 1;
        ast
    }

    /// Parses operands between operators of one kind; returns a single operand unchanged, else one node with all of
    /// them.
    fn list(
        &mut self,
        operator: Token<'_>,
        operand: impl Fn(&mut Self) -> Result<Ast, ParseError>,
        wrap: impl Fn(Vec<Ast>) -> AstKind,
    ) -> Result<Ast, ParseError> {
        let first = operand(self)?;
        if self.peek() != operator {
            return Ok(first);
        }
        let mut span = first.span;
        let mut operands = vec![first];
        while self.eat(operator) {
            let next = operand(self)?;
            span = span.to(next.span);
            operands.push(next);
        }
        Ok(Ast { kind: wrap(operands), span })
    }

    fn equality(&mut self) -> Result<Ast, ParseError> {
        self.comparison(
            |token| match token {
                Token::Equal => Some(Comparison::Equal),
                Token::NotEqual => Some(Comparison::NotEqual),
                _ => None,
            },
            |parser| {
                parser.comparison(
                    |token| match token {
                        Token::Less => Some(Comparison::Less),
                        Token::LessEqual => Some(Comparison::LessEqual),
                        Token::Greater => Some(Comparison::Greater),
                        Token::GreaterEqual => Some(Comparison::GreaterEqual),
                        _ => None,
                    },
                    Parser::sum,
                )
            },
        )
    }

    /// Parses comparisons. They chain to the left and nest in the tree, so each one counts as a level of depth.
    fn comparison(
        &mut self,
        operator: impl Fn(Token<'_>) -> Option<Comparison>,
        operand: impl Fn(&mut Self) -> Result<Ast, ParseError>,
    ) -> Result<Ast, ParseError> {
        let outside = self.depth;
        let mut left = operand(self)?;
        while let Some(comparison) = operator(self.peek()) {
            self.enter()?;
            self.advance();
            let right = operand(self)?;
            let span = left.span.to(right.span);
            left = Ast { kind: AstKind::Compare(comparison, Box::new(left), Box::new(right)), span };
        }
        self.depth = outside;
        Ok(left)
    }

    fn sum(&mut self) -> Result<Ast, ParseError> {
        self.arithmetic(
            |token| match token {
                Token::Plus => Some(Arithmetic::Add),
                Token::Minus => Some(Arithmetic::Subtract),
                _ => None,
            },
            |parser| {
                parser.arithmetic(
                    |token| match token {
                        Token::Multiply => Some(Arithmetic::Multiply),
                        Token::Div => Some(Arithmetic::Divide),
                        Token::Mod => Some(Arithmetic::Modulo),
                        _ => None,
                    },
                    Parser::unary,
                )
            },
        )
    }

    fn arithmetic(
        &mut self,
        operator: impl Fn(Token<'_>) -> Option<Arithmetic>,
        operand: impl Fn(&mut Self) -> Result<Ast, ParseError>,
    ) -> Result<Ast, ParseError> {
        let first = operand(self)?;
        let mut rest = Vec::new();
        let mut span = first.span;
        while let Some(arithmetic) = operator(self.peek()) {
            self.advance();
            let next = operand(self)?;
            span = span.to(next.span);
            rest.push((arithmetic, next));
        }
        if rest.is_empty() { Ok(first) } else { Ok(Ast { kind: AstKind::Arithmetic(Box::new(first), rest), span }) }
    }

    /// Parses a run of minus signs as one negation or, for an even number of signs, two: both convert the operand to
    /// a number.
    fn unary(&mut self) -> Result<Ast, ParseError> {
        let start = self.span();
        let mut signs = 0usize;
        while self.eat(Token::Minus) {
            signs += 1;
        }
        let operand = self.list(Token::Pipe, Parser::path, AstKind::Union)?;
        if let AstKind::Union(operands) = &operand.kind {
            for part in operands {
                need_nodes(part, "`|`")?;
            }
        }
        let span = start.to(operand.span);
        let wraps = if signs == 0 { 0 } else { 2 - signs % 2 };
        Ok((0..wraps).fold(operand, |inner, _| Ast { kind: AstKind::Negate(Box::new(inner)), span }))
    }

    // ---- paths ----

    fn path(&mut self) -> Result<Ast, ParseError> {
        let begin = self.span();
        let (start, mut steps) = match self.peek() {
            Token::Slash => {
                self.advance();
                if !self.at_step() {
                    return Ok(self.path_ast(AstStart::Root, Vec::new(), begin));
                }
                (AstStart::Root, Vec::new())
            }
            Token::DoubleSlash => {
                self.advance();
                (AstStart::Root, vec![any_below(begin)])
            }
            _ if self.at_primary() => {
                let primary = self.primary()?;
                let predicates = self.predicates()?;
                let more = matches!(self.peek(), Token::Slash | Token::DoubleSlash);
                if predicates.is_empty() && !more {
                    return Ok(primary);
                }
                need_nodes(&primary, if predicates.is_empty() { "`/`" } else { "a predicate" })?;
                let start = AstStart::Filter(Box::new(primary), predicates);
                if !more {
                    return Ok(self.path_ast(start, Vec::new(), begin));
                }
                let mut steps = Vec::new();
                if self.peek() == Token::DoubleSlash {
                    steps.push(any_below(self.span()));
                }
                self.advance();
                (start, steps)
            }
            _ => (AstStart::Context, Vec::new()),
        };
        loop {
            steps.push(self.step()?);
            match self.peek() {
                Token::Slash => self.advance(),
                Token::DoubleSlash => {
                    steps.push(any_below(self.span()));
                    self.advance();
                }
                _ => return Ok(self.path_ast(start, steps, begin)),
            }
        }
    }

    fn path_ast(&self, start: AstStart, steps: Vec<AstStep>, begin: Span) -> Ast {
        Ast { kind: AstKind::Path(AstPath { start, steps }), span: begin.to(self.previous_span()) }
    }

    /// Returns `true` if a step can begin here.
    fn at_step(&self) -> bool {
        matches!(
            self.peek(),
            Token::Dot
                | Token::DotDot
                | Token::At
                | Token::Star
                | Token::Name(_)
                | Token::Qualified(..)
                | Token::PrefixStar(_)
        )
    }

    /// Returns `true` if a primary expression rather than a step begins here: a name followed by a parenthesis is a
    /// function unless it is a node type.
    fn at_primary(&self) -> bool {
        match self.peek() {
            Token::Variable(_) | Token::LeftParen | Token::Literal(_) | Token::Number(_) => true,
            Token::Name(name) => self.peek_second() == Token::LeftParen && !is_node_type(name),
            Token::Qualified(..) => self.peek_second() == Token::LeftParen,
            _ => false,
        }
    }

    fn primary(&mut self) -> Result<Ast, ParseError> {
        let span = self.span();
        let kind = match self.peek() {
            Token::Variable(name) => AstKind::Variable(name.to_owned()),
            Token::Literal(text) => AstKind::Literal(text.to_owned()),
            Token::Number(number) => AstKind::Number(number),
            Token::LeftParen => {
                self.advance();
                let mut inner = self.expression()?;
                self.expect(Token::RightParen, "`)`")?;
                inner.span = span.to(self.previous_span());
                return Ok(inner);
            }
            _ => return self.call(),
        };
        self.advance();
        Ok(Ast { kind, span })
    }

    fn call(&mut self) -> Result<Ast, ParseError> {
        let span = self.span();
        let name = &self.source[span.range()];
        let Some(function) = Function::from_name(name) else {
            return Err(ParseError::UnknownFunction { name: name.to_owned(), hint: function_hint(name), span });
        };
        self.advance();
        self.expect(Token::LeftParen, "`(`")?;
        let mut arguments = Vec::new();
        if self.peek() != Token::RightParen {
            loop {
                arguments.push(self.expression()?);
                if !self.eat(Token::Comma) {
                    break;
                }
            }
        }
        self.expect(Token::RightParen, "`,` or `)`")?;
        let span = span.to(self.previous_span());
        let (fewest, most, wanted) = function.arity();
        if arguments.len() < fewest || arguments.len() > most {
            let (name, signature, given) = (function.name(), function.signature(), arguments.len());
            return Err(ParseError::ArgumentCount { name, wanted, given, signature, span });
        }
        let place = match function {
            Function::Count => Some("`count()`"),
            Function::Sum => Some("`sum()`"),
            Function::Name => Some("`name()`"),
            Function::LocalName => Some("`local-name()`"),
            Function::NamespaceUri => Some("`namespace-uri()`"),
            _ => None,
        };
        if let (Some(place), Some(argument)) = (place, arguments.first()) {
            need_nodes(argument, place)?;
        }
        Ok(Ast { kind: AstKind::Call(function, arguments), span })
    }

    fn predicates(&mut self) -> Result<Vec<Ast>, ParseError> {
        let mut predicates = Vec::new();
        while self.eat(Token::LeftBracket) {
            predicates.push(self.expression()?);
            self.expect(Token::RightBracket, "`]`")?;
        }
        Ok(predicates)
    }

    fn step(&mut self) -> Result<AstStep, ParseError> {
        let begin = self.span();
        let abbreviated = match self.peek() {
            Token::Dot => Some(Axis::Itself),
            Token::DotDot => Some(Axis::Parent),
            _ => None,
        };
        if let Some(axis) = abbreviated {
            self.advance();
            // The grammar allows no predicates after `.` and `..`: `.[1]` is an error in browsers, too.
            if self.peek() == Token::LeftBracket {
                return Err(ParseError::UnexpectedToken {
                    expected: "an operator or the end of the expression",
                    found: "`[`".to_owned(),
                    hint: Some("`.` and `..` take no predicate: write `self::node()[…]` or `parent::node()[…]`"),
                    span: self.span(),
                });
            }
            return Ok(AstStep { axis, test: AstTest::Node, predicates: Vec::new(), span: begin });
        }
        let axis = match self.peek() {
            Token::At => {
                self.advance();
                Axis::Attribute
            }
            Token::Name(name) if self.peek_second() == Token::ColonColon => {
                let Some(axis) = Axis::from_name(name) else {
                    let nearest = nearest(name, &Axis::NAMES);
                    return Err(ParseError::UnknownAxis { name: name.to_owned(), nearest, span: begin });
                };
                self.advance();
                self.advance();
                axis
            }
            _ => Axis::Child,
        };
        let test = self.test()?;
        let predicates = self.predicates()?;
        Ok(AstStep { axis, test, predicates, span: begin.to(self.previous_span()) })
    }

    fn test(&mut self) -> Result<AstTest, ParseError> {
        let test = match self.peek() {
            Token::Star => AstTest::Any,
            Token::PrefixStar(prefix) => AstTest::Prefix(prefix.to_owned()),
            Token::Qualified(prefix, name) => AstTest::Name(Some(prefix.to_owned()), name.to_owned()),
            Token::Name(name) if self.peek_second() == Token::LeftParen => return self.node_type(name),
            Token::Name(name) => AstTest::Name(None, name.to_owned()),
            _ => return Err(self.unexpected("a step such as `a`, `*`, `@href` or `text()`")),
        };
        self.advance();
        Ok(test)
    }

    fn node_type(&mut self, name: &str) -> Result<AstTest, ParseError> {
        let test = match name {
            "node" => AstTest::Node,
            "text" => AstTest::Text,
            "comment" => AstTest::Comment,
            "processing-instruction" => AstTest::Instruction,
            _ if Function::from_name(name).is_some() => {
                return Err(ParseError::UnexpectedToken {
                    expected: "a step such as `a`, `*`, `@href` or `text()`",
                    found: format!("`{name}(`"),
                    hint: Some("a function cannot be a step of a path: wrap the path instead, as in `string(//a)`"),
                    span: self.span(),
                });
            }
            _ => {
                let hint = function_hint(name);
                return Err(ParseError::UnknownFunction { name: name.to_owned(), hint, span: self.span() });
            }
        };
        self.advance();
        self.advance();
        if test == AstTest::Instruction && matches!(self.peek(), Token::Literal(_)) {
            self.advance();
        }
        self.expect(Token::RightParen, "`)`")?;
        Ok(test)
    }
}

fn any_below(span: Span) -> AstStep {
    AstStep { axis: Axis::DescendantOrSelf, test: AstTest::Node, predicates: Vec::new(), span }
}

fn is_node_type(name: &str) -> bool {
    matches!(name, "node" | "text" | "comment" | "processing-instruction")
}

fn need_nodes(ast: &Ast, place: &'static str) -> Result<(), ParseError> {
    match ast.value_type() {
        Type::Nodes | Type::Any => Ok(()),
        found => Err(ParseError::NotNodes { place, found: found.name(), span: ast.span }),
    }
}

/// Suggests what to write instead of a function that XPath 1.0 does not have.
fn function_hint(name: &str) -> String {
    let advice = match name {
        "lower-case" | "upper-case" | "lower" | "upper" => {
            "XPath 1.0 has no `lower-case()`: use `translate(…, 'ABC…', 'abc…')`"
        }
        "matches" | "replace" | "tokenize" => "XPath 1.0 has no regular expressions: `contains()`, `translate()`",
        "ends-with" => "XPath 1.0 has no `ends-with()`: compare `substring(…, string-length(…) - n)`",
        "exists" => "a path is true if it selects anything: remove `exists()`",
        "empty" => "write `not(path)`",
        "has-class" => "this is specific to parsel: use CSS, `.name`",
        "avg" | "max" | "min" => "XPath 1.0 has `sum()` and `count()` only",
        "string-join" => "XPath 1.0 has no `string-join()`: `concat()` joins a fixed number of strings",
        "element" | "document-node" | "item" => "XPath 1.0 has the node types `node()`, `text()` and `comment()`",
        "data" => "write `string()`",
        _ => return format!("did you mean `{}()`?", nearest(name, Function::NAMES)),
    };
    advice.to_owned()
}
