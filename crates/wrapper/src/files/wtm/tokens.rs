//! Tokens of a rule, converted from and to token rules.

use crate::landmark::{Test, TokenRule};
use crate::wrapper::Text;

/// One token of a rule.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// A start tag; an empty name matches any.
    Start {
        name: String,
        attributes: Vec<(String, AttributeTest)>,
    },
    /// An end tag; an empty name matches any.
    End(String),
    Text(String),
    Comment(String),
    /// Any number of tokens.
    Skip,
}

/// The test of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum AttributeTest {
    /// The attribute is present.
    Present,
    /// The attribute has this value; for a class, it contains these words.
    Equal(String),
    /// Its value is the value that the rule finds.
    Value,
}

/// Parses a token rule to tokens, without a `*` at its ends, which has no effect. `None` if it is not a token rule.
pub(super) fn from_rule(rule: &Text) -> Option<Vec<Token>> {
    let rule = TokenRule::new(rule).ok()?;
    let mut tokens = Vec::new();
    for (index, run) in rule.runs().iter().enumerate() {
        if index > 0 {
            tokens.push(Token::Skip);
        }
        tokens.extend(run.iter().map(|test| {
            match test {
                Test::Start { name, attributes } => Token::Start {
                    name: name.clone(),
                    attributes: attributes
                        .iter()
                        .map(|(attribute, wanted)| {
                            (attribute.clone(), wanted.clone().map_or(AttributeTest::Present, AttributeTest::Equal))
                        })
                        .collect(),
                },
                Test::End { name } => Token::End(name.clone()),
                Test::Text(text) => Token::Text(text.clone()),
                Test::Comment(text) => Token::Comment(text.clone()),
            }
        }));
    }
    if let (Some(value), Some(Token::Start { attributes, .. })) = (rule.value_name(), tokens.last_mut())
        && let Some((_, wanted)) =
            attributes.iter_mut().find(|(name, wanted)| name == value && *wanted == AttributeTest::Present)
    {
        *wanted = AttributeTest::Value;
    }
    Some(tokens)
}

/// Writes tokens as a token rule. `None` if a text contains both kinds of quotes, or a comment contains `-->`.
pub(super) fn to_rule(tokens: &[Token]) -> Option<String> {
    let quoted = |text: &str| match (text.contains('"'), text.contains('\'')) {
        (false, _) => Some(format!("\"{text}\"")),
        (true, false) => Some(format!("'{text}'")),
        (true, true) => None,
    };
    let mut words = Vec::new();
    for token in tokens {
        let name_of = |name: &String| if name.is_empty() { "*".to_owned() } else { name.clone() };
        words.push(match token {
            Token::Start { name, attributes } => {
                let mut tag = format!("<{}", name_of(name));
                for (attribute, wanted) in attributes {
                    tag.push(' ');
                    tag.push_str(attribute);
                    match wanted {
                        AttributeTest::Present => {}
                        AttributeTest::Equal(value) => {
                            tag.push('=');
                            tag.push_str(&quoted(value)?);
                        }
                        AttributeTest::Value => tag.push_str("=#"),
                    }
                }
                tag + ">"
            }
            Token::End(name) => format!("</{}>", name_of(name)),
            Token::Text(text) => quoted(text)?,
            Token::Comment(text) if text.contains("-->") => return None,
            Token::Comment(text) => format!("<!--{text}-->"),
            Token::Skip => "*".to_owned(),
        });
    }
    Some(words.join(" "))
}

/// Removes the value mark, so that the tokens match where the tag of the value begins.
pub(super) fn place_of(tokens: &[Token]) -> Vec<Token> {
    let mut tokens = tokens.to_vec();
    if let Some(Token::Start { attributes, .. }) = tokens.last_mut() {
        attributes
            .iter_mut()
            .filter(|(_, wanted)| *wanted == AttributeTest::Value)
            .for_each(|(_, w)| *w = AttributeTest::Present);
    }
    tokens
}
