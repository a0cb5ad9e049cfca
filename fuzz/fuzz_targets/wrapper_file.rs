//! Wrapper files: the first byte chooses the format, the rest is the file. What is read can be written and read again,
//! in its own format and in the two that express everything; laying out changes nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use windrow_wrapper::files::{self, Format};
use windrow_wrapper::{Kind, Rule, Wrapper};

fuzz_target!(|data: &[u8]| {
    let Some((&choice, rest)) = data.split_first() else { return };
    let Ok(text) = str::from_utf8(rest) else { return };
    let _ = Format::guess(text);
    let format = Format::ALL[choice as usize % Format::ALL.len()];
    let wrapper = match files::read(text, format) {
        Ok(wrapper) => wrapper,
        Err(errors) => {
            assert!(!errors.0.is_empty());
            for error in &errors.0 {
                let Some(span) = error.span() else { continue };
                assert!(text.get(span.range()).is_some(), "{error:?} points nowhere in {text:?}");
            }
            return;
        }
    };
    // The formats of the papers may lack words for what they read into, but then say so.
    if let Ok(written) = files::write(&wrapper, format) {
        let again = files::read(&written, format).unwrap_or_else(|errors| panic!("{errors:?}\n{written}"));
        assert_eq!(again, wrapper, "{written}");
    }
    if let Ok(formatted) = files::format(text, format) {
        assert_eq!(files::read(&formatted, format).as_ref(), Ok(&wrapper), "{formatted}");
        assert_eq!(files::format(&formatted, format).as_ref(), Ok(&formatted));
    }
    let sorted = sorted(wrapper);
    for format in [Format::Toml, Format::Json] {
        let written = files::write(&sorted, format).expect("it expresses everything");
        let again = files::read(&written, format).unwrap_or_else(|errors| panic!("{errors:?}\n{written}"));
        assert_eq!(again, sorted, "{written}");
    }
});

/// The rules in the order in which TOML and JSON have them: by section.
fn sorted(mut wrapper: Wrapper) -> Wrapper {
    fn sort(rules: &mut [Rule], sections: bool) {
        if sections {
            rules.sort_by_key(|rule| match rule.kind {
                Kind::Save => 0,
                Kind::Field => 1,
                Kind::Group => 2,
                Kind::List => 3,
            });
        }
        for rule in rules {
            let sections = rule.kind != Kind::Save;
            sort(&mut rule.rules, sections);
        }
    }
    sort(&mut wrapper.rules, true);
    wrapper
}
