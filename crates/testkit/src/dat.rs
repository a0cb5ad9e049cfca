//! html5lib's `.dat` files: cases of sections, each section a line `#name` and the lines below it.
//!
//! A case begins at `#data`. Inside `#data` and `#document` a line that looks like a heading would be ambiguous; the
//! suite avoids it by fixing the order of sections, and so this reader only accepts headings that may come next.

/// One case of a `.dat` file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Case {
    /// Position in the file, from 1.
    pub number: usize,
    /// The input, its final newline removed.
    pub data: Vec<u8>,
    /// The context element of a fragment case (`td`, `svg path`).
    pub fragment: Option<String>,
    /// Required state of scripting; `None` means that the case must pass with both.
    pub scripting: Option<bool>,
    /// The expected tree, or the expected encoding of an encoding case; its final newline removed.
    pub expected: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Data,
    Errors,
    Fragment,
    Expected,
}

/// Reads the cases of a file.
pub fn read(file: &[u8]) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut expected: Vec<u8> = Vec::new();
    let mut section = Section::Expected;
    let finish = |cases: &mut Vec<Case>, expected: &mut Vec<u8>| {
        if let Some(case) = cases.last_mut() {
            let text = String::from_utf8_lossy(expected);
            // One newline ends the last line, one more separates it from the next case.
            case.expected = text.trim_end_matches('\n').to_owned();
            if case.data.last() == Some(&b'\n') {
                case.data.pop();
            }
        }
        expected.clear();
    };
    for line in file.split_inclusive(|&byte| byte == b'\n') {
        let heading = line.strip_suffix(b"\n").unwrap_or(line);
        match heading {
            b"#data" if section == Section::Expected => {
                finish(&mut cases, &mut expected);
                cases.push(Case { number: cases.len() + 1, ..Case::default() });
                section = Section::Data;
            }
            b"#errors" if section == Section::Data => section = Section::Errors,
            b"#new-errors" if section == Section::Errors => {}
            b"#document-fragment" if section == Section::Errors => section = Section::Fragment,
            b"#script-on" | b"#script-off" if matches!(section, Section::Errors | Section::Fragment) => {
                if let Some(case) = cases.last_mut() {
                    case.scripting = Some(heading == b"#script-on");
                }
            }
            b"#document" | b"#encoding" if section != Section::Expected => section = Section::Expected,
            _ => {
                let Some(case) = cases.last_mut() else { continue };
                match section {
                    Section::Data => case.data.extend_from_slice(line),
                    Section::Errors => {}
                    Section::Fragment => {
                        if case.fragment.is_none() {
                            case.fragment = Some(String::from_utf8_lossy(heading).into_owned());
                        }
                    }
                    Section::Expected => expected.extend_from_slice(line),
                }
            }
        }
    }
    finish(&mut cases, &mut expected);
    cases
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_of_two_cases() {
        let cases = read(
            b"#data\na\n\nb\n#errors\nx\n#document-fragment\nsvg path\n#script-off\n#document\n| <p>\n|   \"a\n\nb\"\n\n#data\n\n#errors\n#document\n| <html>\n",
        );
        assert_eq!(cases.len(), 2);
        assert_eq!(cases[0].data, b"a\n\nb");
        assert_eq!(cases[0].fragment.as_deref(), Some("svg path"));
        assert_eq!(cases[0].scripting, Some(false));
        assert_eq!(cases[0].expected, "| <p>\n|   \"a\n\nb\"");
        assert_eq!((cases[1].data.as_slice(), cases[1].expected.as_str()), (&b""[..], "| <html>"));
    }

    #[test]
    fn encoding_cases_have_no_errors_section() {
        let cases = read(b"#data\n<meta charset=gbk>\n#encoding\ngbk\n\n#data\nx\n#encoding\nutf-8\n");
        assert_eq!(cases.len(), 2);
        assert_eq!(cases[0].data, b"<meta charset=gbk>");
        assert_eq!((cases[0].expected.as_str(), cases[1].expected.as_str()), ("gbk", "utf-8"));
    }
}
