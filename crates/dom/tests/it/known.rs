//! Known failures in external suites, each with its reason. The tests fail if one of these cases passes.

use windrow_testkit::tally::Known;

const SCRIPT: &str = "the tree after a script has run; Windrow runs none";
const SURROGATE: &str = "a lone surrogate: no Rust string holds one, and no decoder yields one";
const PLAINTEXT: &str = "ends in a `plaintext` element, which no end tag closes";
const INFOSET: &str = "asks for the optional coercion to an XML infoset, which browsers do not do";

/// html5lib tree construction.
pub(crate) static TREE: &[Known] = &[
    Known { case: "scripted/adoption01.dat:1+script", reason: SCRIPT },
    Known { case: "scripted/ark.dat:1+script", reason: SCRIPT },
    Known { case: "scripted/webkit01.dat:1+script", reason: SCRIPT },
    Known { case: "scripted/webkit01.dat:2+script", reason: SCRIPT },
];

/// html5lib tokenizer.
pub(crate) static TOKENIZER: &[Known] = &[
    Known { case: "unicodeCharsProblematic.test:1", reason: SURROGATE },
    Known { case: "unicodeCharsProblematic.test:2", reason: SURROGATE },
    Known { case: "unicodeCharsProblematic.test:3", reason: SURROGATE },
    Known { case: "unicodeCharsProblematic.test:4", reason: SURROGATE },
    Known { case: "xmlViolation.test:1", reason: INFOSET },
    Known { case: "xmlViolation.test:2", reason: INFOSET },
    Known { case: "xmlViolation.test:3", reason: INFOSET },
];

/// html5lib encoding.
pub(crate) static ENCODING: &[Known] =
    &[Known { case: "scripted/tests1.dat:1", reason: "a script writes the declaration" }];

/// Pages whose tree the standard's serialisation cannot represent.
pub(crate) static ROUND_TRIP: &[Known] = &[
    Known { case: "testdata/studio/hostile.html", reason: PLAINTEXT },
    Known { case: "testdata/xpath/pages/template.html", reason: PLAINTEXT },
];
