//! Odd HTML from a seed: made for what tree builders and tokenizers get wrong.
//!
//! Inputs are small (mostly below 300 bytes) and dense: few names a page, so that the same elements meet again and
//! the repair algorithms have something to repair. A third are splices of given samples (html5lib's own inputs), and
//! some are then broken at random places. The same seed always gives the same input.
//!
//! # Cost
//!
//! About a microsecond an input; the caller's buffer is used again.

/// A small fast generator of numbers (xorshift64*): no dependency, the same everywhere.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// A generator; any seed will do.
    pub fn new(seed: u64) -> Rng {
        // One round of splitmix64, so that neighbouring seeds differ at once and zero is no trap.
        let mut state = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        state = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        state = (state ^ (state >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        Rng((state ^ (state >> 31)) | 1)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `bound` (0 if that is 0).
    pub fn below(&mut self, bound: usize) -> usize {
        (((self.bits() >> 32) * bound as u64) >> 32) as usize
    }

    /// True once in `of` times.
    pub fn once_in(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    /// One of the items.
    pub fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }
}

/// Names that take part in some rule of the tree construction, grouped so that a page's few names can have to do
/// with each other.
const THEMES: &[&[&str]] = &[
    &["b", "i", "a", "font", "nobr", "em", "p", "div", "u", "code", "small", "strong", "tt", "s", "big", "strike"],
    &[
        "table", "tr", "td", "th", "tbody", "thead", "tfoot", "caption", "colgroup", "col", "p", "b", "a", "div",
        "input", "form",
    ],
    &[
        "select",
        "option",
        "optgroup",
        "hr",
        "input",
        "keygen",
        "textarea",
        "button",
        "table",
        "tr",
        "td",
        "div",
        "selectedcontent",
        "datalist",
    ],
    &[
        "template", "table", "tr", "td", "col", "colgroup", "caption", "tbody", "div", "script", "style", "head",
        "body", "html",
    ],
    &[
        "svg",
        "math",
        "foreignObject",
        "desc",
        "title",
        "mi",
        "mo",
        "mn",
        "ms",
        "mtext",
        "annotation-xml",
        "mglyph",
        "malignmark",
        "p",
        "b",
        "table",
        "div",
        "font",
        "br",
        "path",
        "a",
        "textPath",
        "script",
        "style",
        "image",
    ],
    &[
        "html", "head", "body", "title", "meta", "link", "base", "style", "script", "noscript", "frameset", "frame",
        "noframes", "template", "p", "bgsound", "basefont",
    ],
    &["ul", "ol", "li", "dl", "dt", "dd", "menu", "dir", "p", "div", "b", "a", "address", "section", "h1", "span"],
    &[
        "h1",
        "h2",
        "h3",
        "h6",
        "p",
        "div",
        "button",
        "form",
        "pre",
        "listing",
        "plaintext",
        "xmp",
        "center",
        "details",
        "summary",
        "dialog",
        "search",
        "hr",
        "main",
    ],
    &["ruby", "rb", "rt", "rtc", "rp", "p", "span", "b", "div"],
    &["applet", "marquee", "object", "b", "i", "a", "p", "table", "td", "div", "param"],
    &[
        "textarea",
        "title",
        "script",
        "style",
        "xmp",
        "iframe",
        "noembed",
        "noframes",
        "noscript",
        "plaintext",
        "p",
        "svg",
        "table",
    ],
    &[
        "image", "img", "br", "wbr", "embed", "area", "input", "isindex", "menuitem", "nobr", "x-y", "a", "p", "track",
        "source", "param",
    ],
    &["form", "table", "tr", "td", "template", "div", "p", "button", "input", "select", "b"],
    &["frameset", "frame", "noframes", "html", "body", "head", "p", "br", "div", "form", "svg"],
];

/// Context elements of fragments, as html5lib names them.
pub const CONTEXTS: &[&str] = &[
    "div",
    "body",
    "html",
    "head",
    "p",
    "table",
    "tbody",
    "thead",
    "tfoot",
    "tr",
    "td",
    "th",
    "caption",
    "colgroup",
    "col",
    "select",
    "option",
    "optgroup",
    "template",
    "frameset",
    "form",
    "button",
    "a",
    "b",
    "li",
    "dd",
    "ul",
    "textarea",
    "title",
    "script",
    "style",
    "xmp",
    "iframe",
    "noembed",
    "noframes",
    "noscript",
    "plaintext",
    "pre",
    "applet",
    "object",
    "ruby",
    "svg svg",
    "svg g",
    "svg foreignObject",
    "svg desc",
    "svg title",
    "svg script",
    "math math",
    "math mi",
    "math mo",
    "math mtext",
    "math annotation-xml",
    "math ms",
    "span",
    "h1",
    "nobr",
    "input",
    "svg a",
    "svg p",
    "svg table",
    "math td",
    "svg template",
];

const ATTRIBUTES: &[&str] = &[
    "",
    "",
    "",
    "",
    " a",
    " a=1",
    " a='1'",
    " a=\"1\"",
    " a=1 b=2",
    " a=1 a=2",
    " A=1",
    " color",
    " face=x",
    " size=2",
    " type=hidden",
    " type=HIDDEN",
    " type=text",
    " encoding=text/html",
    " encoding='application/xhtml+xml'",
    " definitionurl=u",
    " viewbox=1",
    " xlink:href=h",
    " xml:lang=en",
    " xmlns=n",
    " xmlns:xlink=x",
    " xlink:foo=1",
    " xml:base=b",
    " class=c",
    " id=i",
    " href='&amp;x'",
    " title=\"&notit;\"",
    " x=&lt",
    " x='&lt=1'",
    " x=a&b;c",
    " =x",
    " a=",
    " a=>",
    " '",
    " \"",
    " <",
    " a<b=1",
    "/",
    " /",
    " a/b",
    " a=1/",
    " a = 1",
    "\ta\n=\r\n'\r'",
    " a=\"\0\"",
    " \0=1",
    " A\u{212A}=é",
    " selected",
    " charset=utf-8",
    " a='\r\nx\ry'",
    " a=x\r",
    " a=\"<b>\"",
    " prompt=p",
    " action=a",
    " x=\"&#x80;&#0;&#xD800;\"",
    "\u{c}a",
    " a=`",
    " a='>'",
    " shadowrootmode=open",
];

const TEXTS: &[&str] = &[
    "x",
    "y",
    "foo",
    " ",
    " ",
    "\n",
    "\n\n",
    "\r",
    "\r\n",
    "\t",
    "\u{c}",
    "\0",
    "x\0y",
    " \0 ",
    "a b",
    "é",
    "\u{FFFD}",
    "\u{FEFF}",
    "日本",
    "\u{10FFFF}",
    "\u{1}",
    "\u{80}",
    "]]>",
    "-->",
    "--!>",
    ">",
    "'",
    "\"",
    "=",
    "/",
    "&",
    ";",
    "  x",
    "x  ",
    "\u{A0}",
    "0",
];

const REFERENCES: &[&str] = &[
    "&amp;",
    "&amp",
    "&lt",
    "&lt;",
    "&ltx",
    "&notin;",
    "&notit;",
    "&not",
    "&no",
    "&AElig",
    "&AElig;",
    "&CounterClockwiseContourIntegral;",
    "&#65;",
    "&#65",
    "&#x41;",
    "&#X41",
    "&#",
    "&#;",
    "&#x",
    "&#x;",
    "&#xg",
    "&#0;",
    "&#128;",
    "&#x80",
    "&#x9f;",
    "&#xD800;",
    "&#x110000;",
    "&#99999999999999999999;",
    "&#x1;",
    "&#13;",
    "&#x0D",
    "&#xFDD0;",
    "&#xFFFF;",
    "&bogus;",
    "&bogus",
    "&a",
    "&",
    "&;",
    "&&amp;",
    "&nbsp;",
    "&nbsp",
    "&NotEqualTilde;",
    "&fjlig;",
    "&gt=",
    "&amp=",
    "&copy1",
    "&centerdot;",
    "&ApplyFunction;",
    "&prnsim",
    "&sup",
    "&sup1",
    "&sup1;",
];

const COMMENTS: &[&str] = &[
    "<!-- c -->",
    "<!---->",
    "<!-->",
    "<!--->",
    "<!-- a -- b -->",
    "<!-- a --!>",
    "<!-- a --!> b -->",
    "<!-- <!-- -->",
    "<!-- <!-->",
    "<!-- <!--->",
    "<!--a<!--b-->",
    "<!--a<!-",
    "<!--a<!",
    "<!--a<",
    "<!--<!---->",
    "<!-- a -",
    "<!-- a --",
    "<!-- a --!",
    "<!-",
    "<!--",
    "<!",
    "<!->",
    "<!>",
    "<!x>",
    "<?xml version=1?>",
    "<?",
    "<?>",
    "</ >",
    "</>",
    "</1>",
    "<!--\0-->",
    "<!--\r\n-->",
    "<!--a--!b-->",
    "<!---!>",
    "<!----!>",
    "<!--a<!>-->",
    "<!--a<!->-->",
    "<!--a<!-->",
    "<!--a<<!---->",
    "</\0>",
    "<!\0>",
    "<?\0>",
    "<!ELEMENT br EMPTY>",
    "<!--x--y>-->",
];

const DOCTYPES: &[&str] = &[
    "<!DOCTYPE html>",
    "<!doctype html>",
    "<!DOCTYPE>",
    "<!DOCTYPE >",
    "<!DOCTYPEhtml>",
    "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\">",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Transitional//EN\" \"x\">",
    "<!DOCTYPE html SYSTEM \"about:legacy-compat\">",
    "<!DOCTYPE html SYSTEM 'a'x>",
    "<!DOCTYPE html PUBLIC 'a''b'>",
    "<!DOCTYPE html PUBLIC 'a'b>",
    "<!DOCTYPE html x>",
    "<!DOCTYPE html PUBLIC",
    "<!DOCTYPE html PUBLIC \"",
    "<!DOCTYPE html SYSTEM>",
    "<!DOCTYPE \0>",
    "<!DOCTYPE html\0 >",
    "<!DOCTYPE html PUBLIC '\0' '\r'>",
    "<!DOCTYPE",
    "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01 Frameset//EN\" \"\">",
    "<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 4.01 Transitional//EN'>",
    "<!DOCTYPE html SYSTEM 'http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd'>",
    "<!DOCTYPE HTML PUBLIC html>",
    "<!DOCT",
    "<!DOCTYPE a PUBLICx>",
];

const CDATAS: &[&str] = &[
    "<![CDATA[x]]>",
    "<![CDATA[",
    "<![CDATA[x]]",
    "<![CDATA[]]>",
    "<![CDATA[]]]>",
    "<![CDATA[]]]]>",
    "<![cdata[x]]>",
    "<![CDATA[<b>]]>",
    "<![CDATA",
    "<![CDATA[\0\r\n]]>",
    "<![CDATA[ ]]>",
    "<![CDATA[x]>]]>",
    "<![",
];

const SCRIPTS: &[&str] = &[
    "<script>",
    "</script>",
    "<script><!--",
    "<!--<script>",
    "<script><!-- <script>x</script>",
    "--></script>",
    "<script><!--x-->",
    "</script ",
    "</scriptx",
    "</script/>",
    "</SCRIPT>",
    "<script><!--<script",
    "<script><!--<scriptx>",
    "<script><!--<script></script",
    "<script>--",
    "<script><!-",
    "<script></scrip</script>",
    "<script>\0</script>",
    "<script><!--\0--",
    "<script><!--<script>-<",
    "<script><!--<script>--</script>",
    "<script></",
];

const BROKEN: &[&str] = &[
    "<",
    "</",
    "<a",
    "<a ",
    "<a b",
    "<a b=",
    "<a b='",
    "<a b=c",
    "</a",
    "<a/",
    "<a /x",
    "<a b=\"c\"d",
    "<1",
    "<\0",
    "<a\0b>",
    "<A>",
    "</A >",
    "</a b=c>",
    "</a/>",
    "<a$>",
    "<a<b>",
    "<a\r\nb>",
    "<é>",
    "<aé>",
    "<TABLE>",
    "</p",
    "</br>",
    "</p>",
    "</body>",
    "</html>",
    "</head>",
    "<a =b>",
    "<a b==c>",
];

/// Generator of test inputs.
#[derive(Debug, Clone)]
pub struct Generator<'a> {
    rng: Rng,
    samples: &'a [String],
}

/// An input and how to parse it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Input {
    /// The page or fragment.
    pub html: String,
    /// The context element, if it is a fragment.
    pub context: Option<&'static str>,
    /// True if scripting is enabled.
    pub scripting: bool,
}

impl<'a> Generator<'a> {
    /// A generator that also splices from `samples` (none is fine).
    pub fn new(seed: u64, samples: &'a [String]) -> Generator<'a> {
        Generator { rng: Rng::new(seed), samples }
    }

    /// The generator's numbers, for choices of the caller's own.
    pub fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    /// The next input, written over the last one.
    pub fn next(&mut self, input: &mut Input) {
        input.html.clear();
        input.scripting = self.rng.once_in(4);
        input.context = self.rng.once_in(3).then(|| self.rng.pick(CONTEXTS));
        let out = &mut input.html;
        match self.rng.below(8) {
            0 | 1 if !self.samples.is_empty() => self.splice(out),
            2 if !self.samples.is_empty() => {
                self.splice(out);
                self.soup(out, 6);
            }
            3 => {
                self.soup(out, 16);
                self.mutate(out);
            }
            _ => self.soup(out, 24),
        }
        if self.rng.once_in(12) {
            self.mutate(out);
        }
    }

    /// Up to `most` pieces with the names of one theme, or of two.
    fn soup(&mut self, out: &mut String, most: usize) {
        let mut names: Vec<&str> = Vec::with_capacity(10);
        let theme = self.rng.pick(THEMES);
        let other = if self.rng.once_in(2) { theme } else { self.rng.pick(THEMES) };
        for _ in 0..2 + self.rng.below(7) {
            let from = if self.rng.once_in(3) { other } else { theme };
            names.push(self.rng.pick(from));
        }
        if out.is_empty() && self.rng.once_in(6) {
            out.push_str(self.rng.pick(DOCTYPES));
        }
        for _ in 0..1 + self.rng.below(most) {
            self.piece(out, &names);
        }
        if self.rng.once_in(16) {
            // The end may fall anywhere.
            self.cut(out);
        }
    }

    fn piece(&mut self, out: &mut String, names: &[&str]) {
        match self.rng.below(64) {
            0..=29 => {
                out.push('<');
                out.push_str(self.rng.pick(names));
                out.push_str(self.rng.pick(ATTRIBUTES));
                if self.rng.once_in(8) {
                    out.push_str(self.rng.pick(ATTRIBUTES));
                }
                if self.rng.once_in(24) {
                    out.push('/');
                }
                out.push('>');
            }
            30..=44 => {
                out.push_str("</");
                out.push_str(self.rng.pick(names));
                out.push('>');
            }
            45..=54 => out.push_str(self.rng.pick(TEXTS)),
            55 | 56 => out.push_str(self.rng.pick(REFERENCES)),
            57 => out.push_str(self.rng.pick(COMMENTS)),
            58 => out.push_str(self.rng.pick(CDATAS)),
            59 => out.push_str(self.rng.pick(BROKEN)),
            60 => out.push_str(self.rng.pick(SCRIPTS)),
            61 => out.push_str(self.rng.pick(DOCTYPES)),
            62 => {
                let theme = self.rng.pick(THEMES);
                out.push('<');
                out.push_str(self.rng.pick(theme));
                out.push('>');
            }
            _ => {
                // The same tag again and again: Noah's ark and the outer loop of the adoption agency count.
                let name = self.rng.pick(names);
                let end = self.rng.once_in(3);
                for _ in 0..2 + self.rng.below(8) {
                    out.push_str(if end { "</" } else { "<" });
                    out.push_str(name);
                    out.push('>');
                }
            }
        }
    }

    /// The head of one sample and the tail of another.
    fn splice(&mut self, out: &mut String) {
        let before = out.len();
        for tail in [false, true] {
            let sample = &self.samples[self.rng.below(self.samples.len())];
            let at = boundary(sample, self.rng.below(sample.len() + 1));
            let part = if tail { &sample[at..] } else { &sample[..at] };
            let part = &part[..boundary(part, 400)];
            out.push_str(part);
            if !tail && self.rng.once_in(4) {
                let theme = self.rng.pick(THEMES);
                let names = [self.rng.pick(theme)];
                self.piece(out, &names);
            }
        }
        if out.len() == before {
            out.push('x');
        }
    }

    /// A few random edits.
    fn mutate(&mut self, out: &mut String) {
        for _ in 0..1 + self.rng.below(3) {
            if out.is_empty() {
                return;
            }
            let start = boundary(out, self.rng.below(out.len()));
            let length = 1 + self.rng.below(6);
            let end = boundary(out, (start + length).min(out.len())).max(start);
            match self.rng.below(5) {
                0 => out.replace_range(start..end, ""),
                1 => {
                    let copy = out[start..end].to_owned();
                    let at = boundary(out, self.rng.below(out.len() + 1));
                    out.insert_str(at, &copy);
                }
                2 => out.insert_str(
                    start,
                    self.rng.pick(&[
                        "<", ">", "\"", "'", "/", "=", "&", "!", "-", "\0", "\r", "\n", " ", "]", "?", ";", "#",
                    ]),
                ),
                3 => {
                    let byte = [self.rng.below(128) as u8];
                    let text = std::str::from_utf8(&byte).unwrap_or("x");
                    out.replace_range(start..end, text);
                }
                _ => {
                    let parts: [&[&str]; 5] = [TEXTS, REFERENCES, COMMENTS, BROKEN, SCRIPTS];
                    let part = parts[self.rng.below(parts.len())];
                    out.insert_str(start, self.rng.pick(part));
                }
            }
        }
    }

    fn cut(&mut self, out: &mut String) {
        let at = boundary(out, self.rng.below(out.len() + 1));
        out.truncate(at);
    }
}

/// The nearest place at or before `at` that is not inside a character.
fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_always_gives_the_same_inputs() {
        let samples = vec!["<p>é".to_owned(), String::new()];
        let run = |seed| {
            let mut generator = Generator::new(seed, &samples);
            let mut input = Input::default();
            let mut all = Vec::new();
            for _ in 0..2000 {
                generator.next(&mut input);
                all.push(input.clone());
            }
            all
        };
        assert_eq!(run(7), run(7));
        assert_ne!(run(7), run(8));
        let mean = run(9).iter().map(|input| input.html.len()).sum::<usize>() / 2000;
        assert!((20..300).contains(&mean), "{mean}");
    }
}
