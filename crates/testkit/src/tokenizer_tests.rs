//! html5lib's tokenizer cases (`.test`, JSON).
//!
//! Character tokens of an expected output are coalesced, as the format asks. Cases whose strings hold lone
//! surrogates say so: no Rust string can carry them, and no decoder produces them.

use serde_json::Value;

/// One case, for one initial state.
#[derive(Debug, Clone, PartialEq)]
pub struct TokenizerCase {
    /// Its description.
    pub description: String,
    /// The input; none if it holds a lone surrogate.
    pub input: Option<String>,
    /// The state to begin in, as the suite names it (`Data state`).
    pub state: String,
    /// The name that makes an end tag appropriate.
    pub last_start_tag: Option<String>,
    /// The expected tokens, adjacent characters joined.
    pub output: Vec<Expected>,
}

/// An expected token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expected {
    /// A doctype.
    Doctype {
        /// Its name.
        name: Option<String>,
        /// Its public identifier.
        public_id: Option<String>,
        /// Its system identifier.
        system_id: Option<String>,
        /// True if the force-quirks flag is off.
        correct: bool,
    },
    /// A start tag.
    StartTag {
        /// Its name.
        name: String,
        /// Its attributes, sorted by name.
        attrs: Vec<(String, String)>,
        /// True if it ends in `/>`.
        self_closing: bool,
    },
    /// An end tag.
    EndTag(String),
    /// A comment.
    Comment(String),
    /// A run of characters.
    Characters(String),
}

/// Appends a run of characters, joining it to the one before.
pub fn push_characters(tokens: &mut Vec<Expected>, text: &str) {
    match tokens.last_mut() {
        Some(Expected::Characters(before)) => before.push_str(text),
        _ if text.is_empty() => {}
        _ => tokens.push(Expected::Characters(text.to_owned())),
    }
}

/// Reads the cases of a file, one for each initial state; an error names what is not as the format says.
pub fn read(file: &str) -> Result<Vec<TokenizerCase>, String> {
    let root: Value = serde_json::from_str(file).map_err(|error| error.to_string())?;
    let tests = root.get("tests").or_else(|| root.get("xmlViolationTests")).and_then(Value::as_array);
    let mut cases = Vec::new();
    for test in tests.ok_or("no list of tests")? {
        let description = string(test, "description")?;
        let double = test.get("doubleEscaped").and_then(Value::as_bool).unwrap_or(false);
        let raw = string(test, "input")?;
        let input = if double { unescape(&raw) } else { Some(raw) };
        let output = match &input {
            Some(_) => output(test, double).ok_or_else(|| format!("odd output: {description}"))?,
            None => Vec::new(),
        };
        let last_start_tag = test.get("lastStartTag").and_then(Value::as_str).map(str::to_owned);
        let states: Vec<String> = match test.get("initialStates").and_then(Value::as_array) {
            Some(states) => states.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            None => vec!["Data state".to_owned()],
        };
        for state in states {
            cases.push(TokenizerCase {
                description: description.clone(),
                input: input.clone(),
                state,
                last_start_tag: last_start_tag.clone(),
                output: output.clone(),
            });
        }
    }
    Ok(cases)
}

fn string(test: &Value, key: &str) -> Result<String, String> {
    test.get(key).and_then(Value::as_str).map(str::to_owned).ok_or_else(|| format!("a test without {key}"))
}

fn output(test: &Value, double: bool) -> Option<Vec<Expected>> {
    let text = |value: &Value| -> Option<String> {
        let raw = value.as_str()?;
        if double { unescape(raw) } else { Some(raw.to_owned()) }
    };
    let optional =
        |value: &Value| -> Option<Option<String>> { if value.is_null() { Some(None) } else { text(value).map(Some) } };
    let mut tokens = Vec::new();
    for token in test.get("output")?.as_array()? {
        let token = token.as_array()?;
        match token.first()?.as_str()? {
            "DOCTYPE" => tokens.push(Expected::Doctype {
                name: optional(token.get(1)?)?,
                public_id: optional(token.get(2)?)?,
                system_id: optional(token.get(3)?)?,
                correct: token.get(4)?.as_bool()?,
            }),
            "StartTag" => {
                let mut attrs = Vec::new();
                for (name, value) in token.get(2)?.as_object()? {
                    let name = if double { unescape(name)? } else { name.clone() };
                    attrs.push((name, text(value)?));
                }
                attrs.sort();
                let self_closing = token.get(3).and_then(Value::as_bool).unwrap_or(false);
                tokens.push(Expected::StartTag { name: text(token.get(1)?)?, attrs, self_closing });
            }
            "EndTag" => tokens.push(Expected::EndTag(text(token.get(1)?)?)),
            "Comment" => tokens.push(Expected::Comment(text(token.get(1)?)?)),
            "Character" => push_characters(&mut tokens, &text(token.get(1)?)?),
            _ => return None,
        }
    }
    Some(tokens)
}

/// Resolves `\uHHHH`; none if that gives a lone surrogate.
fn unescape(text: &str) -> Option<String> {
    let mut units: Vec<u16> = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\\u") {
        units.extend(rest[..at].encode_utf16());
        let digits = rest.get(at + 2..at + 6)?;
        units.push(u16::from_str_radix(digits, 16).ok()?);
        rest = &rest[at + 6..];
    }
    units.extend(rest.encode_utf16());
    String::from_utf16(&units).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_multiply_and_characters_join() {
        let cases = read(
            r#"{"tests":[{"description":"d","input":"x","initialStates":["RCDATA state","RAWTEXT state"],
                "output":[["Character","a"],["Character","b"],["StartTag","i",{"z":"1","y":"2"},true]]}]}"#,
        )
        .unwrap();
        assert_eq!(cases.len(), 2);
        assert_eq!(cases[1].state, "RAWTEXT state");
        assert_eq!(cases[0].output[0], Expected::Characters("ab".to_owned()));
        let Expected::StartTag { attrs, self_closing, .. } = &cases[0].output[1] else { panic!("{cases:?}") };
        assert_eq!((attrs[0].0.as_str(), *self_closing), ("y", true));
    }

    #[test]
    fn lone_surrogates_have_no_input() {
        let cases = read(
            r#"{"tests":[{"description":"d","doubleEscaped":true,"input":"\\uD800","output":[["Character","\\uD800"]]},
                {"description":"e","doubleEscaped":true,"input":"\\uD83D\\uDE00","output":[["Character","\\uD83D\\uDE00"]]}]}"#,
        )
        .unwrap();
        assert_eq!(cases[0].input, None);
        assert_eq!(cases[1].input.as_deref(), Some("😀"));
    }
}
