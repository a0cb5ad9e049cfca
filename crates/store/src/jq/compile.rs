//! Compilation of a filter, with error positions in its text.

use jaq_core::compile::Undefined;
use jaq_core::load::lex::{Lexer, Token};
use jaq_core::load::parse::{Def, Parser, Term};
use jaq_core::load::{Arena, File, Loader, lex, parse, span};
use jaq_core::native::Fun;
use jaq_core::{Compiler, Filter};

use super::error::JqError;
use super::nearest::nearest;
use super::watch::{self, Watched};

/// Longest filter that is parsed, in bytes. The parser recurses for each bracket, so the limit also bounds its stack.
const LONGEST: usize = 16 * 1024;

/// Name under which the filter is defined beside jq's own definitions.
const MAIN: &str = "windrow_main";

/// Built-in filters with side effects: they read the environment or other inputs, or write to standard error.
const OUTSIDE: [&str; 6] = ["env", "stderr", "stderr_empty", "debug", "debug_empty", "halt_error"];

/// Compiles a filter that may use these variables, whose names include the `$`.
pub(super) fn compile(filter: &str, variables: &[String], timed: bool) -> Result<Filter<Watched>, JqError> {
    if filter.len() > LONGEST {
        return Err(JqError::TooLong { bytes: filter.len(), limit: LONGEST });
    }
    let main = Def { name: MAIN, args: Vec::new(), body: read(filter)? };
    let definitions = jaq_core::defs().chain(jaq_std::defs()).chain(jaq_json::defs());
    let definitions = definitions.filter(|definition| !OUTSIDE.contains(&definition.name));
    // Map before joining, since the filter's lifetime is shorter than that of jq's own definitions.
    let definitions = definitions.map(|definition| watch::steps(definition, timed)).chain([watch::steps(main, timed)]);
    let arena = Arena::default();
    let loader = Loader::new(definitions);
    let modules = loader.load(&arena, File { code: MAIN, path: () });
    // The name is a single word, so loading it cannot fail.
    let modules = modules.map_err(|_| JqError::Broken { message: "its definition could not be loaded".to_owned() })?;
    let compiler = Compiler::default().with_funs(functions()).with_global_vars(variables.iter().map(String::as_str));
    compiler.compile(modules).map_err(|errors| {
        let mut errors = errors.into_iter().flat_map(|(_, errors)| errors);
        let within = |name: &str| filter.as_bytes().as_ptr_range().contains(&name.as_ptr());
        match errors.find(|(name, _)| within(name)) {
            Some((name, what)) => undefined(filter, name, &what, variables),
            None => JqError::Broken { message: "one of jq's own definitions is missing".to_owned() },
        }
    })
}

fn functions() -> impl Iterator<Item = Fun<Watched>> {
    let functions = jaq_core::funs().chain(jaq_std::funs()).chain(jaq_json::funs());
    functions.filter(|(name, ..)| !OUTSIDE.contains(name)).chain([watch::function()])
}

/// Parses the filter.
fn read(filter: &str) -> Result<Term<&str>, JqError> {
    let tokens = Lexer::new(filter).lex().map_err(|errors| {
        let (expected, found) = errors.into_iter().next().unwrap_or((lex::Expect::Token, filter));
        // The lexer returns all of the remaining text; only its first character is wrong.
        let found = &found[..found.chars().next().map_or(0, char::len_utf8)];
        let mut error = syntax(filter, expected.as_str(), found, None);
        if let (lex::Expect::Delim(open), JqError::Syntax { span: place, hint, .. }) = (&expected, &mut error) {
            *place = span(filter, open).into();
            *hint = Some("close the bracket that is opened here".to_owned());
        }
        error
    })?;
    Parser::new(&tokens).parse(|parser| parser.term()).map_err(|errors| {
        let (expected, found) = errors.into_iter().next().unwrap_or((parse::Expect::Term, None));
        let found = Token::opt_as_str(found, filter);
        let hint = match (&expected, found) {
            (parse::Expect::Term, "") if filter.trim().is_empty() => Some("write `.` to get everything"),
            (_, "import" | "include" | "module") => {
                Some("modules are not supported; write the definitions in the filter itself")
            }
            (parse::Expect::Nothing, "=") => Some("write `==` to compare"),
            _ => None,
        };
        syntax(filter, expected.as_str(), found, hint.map(str::to_owned))
    })
}

fn syntax(filter: &str, expected: &str, found: &str, hint: Option<String>) -> JqError {
    let named = match found {
        "" => "the end of the filter".to_owned(),
        found => format!("`{}`", found.chars().take(40).collect::<String>()),
    };
    let expected = if expected.is_empty() || expected == "nothing" { "the end of the filter" } else { expected };
    JqError::Syntax { expected: expected.to_owned(), found: named, span: span(filter, found).into(), hint }
}

fn undefined(filter: &str, name: &str, what: &Undefined, variables: &[String]) -> JqError {
    let arguments = |count: &usize| match count {
        0 => "without arguments".to_owned(),
        1 => "with 1 argument".to_owned(),
        count => format!("with {count} arguments"),
    };
    let (described, hint) = match what {
        Undefined::Filter(_) if OUTSIDE.contains(&name) => {
            (format!("filter `{name}`"), Some("filters can only access the records".to_owned()))
        }
        Undefined::Filter(count) => {
            let same = arities(name);
            let hint = if same.is_empty() {
                names(name).map(|near| format!("did you mean `{near}`?"))
            } else {
                Some(format!("`{name}` exists {}", same.iter().map(arguments).collect::<Vec<_>>().join(" or ")))
            };
            (format!("filter `{name}` {}", arguments(count)), hint)
        }
        Undefined::Var => {
            let hint =
                nearest(name, variables.iter().map(String::as_str)).map(|near| format!("did you mean `{near}`?"));
            let given = || {
                if variables.is_empty() {
                    "no variables are defined".to_owned()
                } else {
                    format!("the defined variables are {}", variables.join(", "))
                }
            };
            (format!("variable `{name}`"), Some(hint.unwrap_or_else(given)))
        }
        other => (format!("{} `{name}`", other.as_str()), None),
    };
    JqError::Undefined { what: described, span: span(filter, name).into(), hint }
}

/// Returns the names of all available filters, with the number of their arguments.
fn known() -> Vec<(&'static str, usize)> {
    let definitions = jaq_core::defs().chain(jaq_std::defs()).chain(jaq_json::defs());
    let definitions = definitions.map(|definition| (definition.name, definition.args.len()));
    let known = definitions.chain(functions().map(|(name, arguments, _)| (name, arguments.len())));
    known.filter(|(name, _)| !OUTSIDE.contains(name) && !name.starts_with('!')).collect()
}

fn arities(name: &str) -> Vec<usize> {
    let mut arities: Vec<usize> =
        known().into_iter().filter(|(other, _)| *other == name).map(|(_, count)| count).collect();
    arities.sort_unstable();
    arities.dedup();
    arities
}

fn names(name: &str) -> Option<&'static str> {
    nearest(name, known().into_iter().map(|(name, _)| name))
}
