//! html5lib's tokenizer cases in all their initial states. Parse errors are not compared: Windrow reports none.

use std::panic::catch_unwind;

use windrow_dom::tokenizer::{Lexeme, Model, Tokenizer};
use windrow_testkit::html5lib::{SUITE, tokenizer_runs};
use windrow_testkit::shared;
use windrow_testkit::tally::Tally;
use windrow_testkit::tokenizer_tests::{Expected, TokenizerCase, push_characters};

use crate::known;

fn model(state: &str) -> Model {
    match state {
        "Data state" => Model::Data,
        "PLAINTEXT state" => Model::Plaintext,
        "RCDATA state" => Model::Rcdata,
        "RAWTEXT state" => Model::Rawtext,
        "Script data state" => Model::Script,
        "CDATA section state" => Model::Cdata,
        other => panic!("the suite has a new initial state: {other}"),
    }
}

fn tokenize(input: &str, state: &str, last_start_tag: Option<&str>) -> Vec<Expected> {
    let mut tokenizer = Tokenizer::new(input, usize::MAX);
    let end_tag = last_start_tag.map(|name| tokenizer.intern(name));
    tokenizer.set_model(model(state), end_tag);
    let mut tokens = Vec::new();
    loop {
        match tokenizer.next(false) {
            Lexeme::StartTag(tag) => {
                let mut attrs: Vec<(String, String)> =
                    tokenizer.attributes(&tag).map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
                attrs.sort();
                let name = tokenizer.name(tag.name).to_owned();
                tokens.push(Expected::StartTag { name, attrs, self_closing: tag.self_closing });
            }
            Lexeme::EndTag { name, .. } => tokens.push(Expected::EndTag(tokenizer.name(name).to_owned())),
            Lexeme::Text(text) => push_characters(&mut tokens, tokenizer.str(&text)),
            Lexeme::Comment(text) => tokens.push(Expected::Comment(tokenizer.str(&text).to_owned())),
            Lexeme::Doctype(tag) => tokens.push(Expected::Doctype {
                name: tag.name,
                public_id: tag.public_id,
                system_id: tag.system_id,
                correct: !tag.force_quirks,
            }),
            Lexeme::Eof => return tokens,
        }
    }
}

fn run(case: &TokenizerCase) -> Option<Vec<Expected>> {
    let input = case.input.as_deref()?;
    catch_unwind(|| tokenize(input, &case.state, case.last_start_tag.as_deref())).ok()
}

#[test]
fn all_tokenizer_cases() {
    let Some(runs) = tokenizer_runs() else {
        shared::not_checked(SUITE);
        return;
    };
    assert!(runs.len() > 6800, "the suite has shrunk to {} runs", runs.len());
    let mut tally = Tally::new(known::TOKENIZER);
    for (name, case) in &runs {
        let found = run(case);
        tally.count(name, found.as_ref() == Some(&case.output), || {
            format!(
                "{} ({})\n#input {:?}\n#expected {:?}\n#found    {found:?}",
                case.description, case.state, case.input, case.output
            )
        });
    }
    eprintln!("html5lib tokenizer: {}", tally.summary());
    let complaints = tally.complaints();
    assert!(complaints.is_empty(), "{}\n{complaints}", tally.summary());
}
