//! The text of nodes: visible text, and the DOM's text content.

use std::borrow::Cow;

use crate::document::{Document, Namespace, NodeId, NodeKind};
use crate::names::{self, traits};
use crate::span::Span;

impl Document {
    /// Returns the text a person sees at a node: white space collapsed, a line feed where a block or `br` breaks the
    /// line, a tab between table cells, `pre` unchanged; without scripts, styles, templates, and elements hidden by
    /// attributes.
    ///
    /// The node itself is never treated as hidden: the visible text of a `title` or `script` element is its text.
    ///
    /// # Cost
    ///
    /// Linear in the subtree.
    pub fn visible_text(&self, id: NodeId) -> String {
        self.write_visible(id, |_, _| {})
    }

    /// Returns the visible text and, for each text node that contributed to it, its range in that text.
    pub fn visible_pieces(&self, id: NodeId) -> (String, Vec<(NodeId, Span)>) {
        let mut pieces = Vec::new();
        let text = self.write_visible(id, |node, span| pieces.push((node, span)));
        (text, pieces)
    }

    fn write_visible(&self, id: NodeId, mut tell: impl FnMut(NodeId, Span)) -> String {
        if self.kind(id) == NodeKind::Comment {
            return String::new();
        }
        let mut writer = Writer::default();
        // Open elements: their ends, and their effects at the end.
        let mut open: Vec<(usize, Break, bool)> = Vec::new();
        let end = self.subtree_end(id).index();
        let mut at = id.index();
        while at < end {
            while let Some(&(until, after, preserved)) = open.last()
                && until <= at
            {
                open.pop();
                writer.want(after);
                writer.preserve -= u32::from(preserved);
            }
            let node = NodeId::from_index(at);
            match self.kind(node) {
                NodeKind::Text => {
                    let before = writer.out.len();
                    writer.text(self.text(node));
                    let own = &writer.out[before..];
                    if !own.is_empty() {
                        // The break between it and the previous text belongs to neither.
                        let between = own.len() - own.trim_start().len();
                        tell(node, Span::new(before + between, writer.out.len()));
                    }
                }
                NodeKind::Element => {
                    if node != id && self.is_hidden(node) {
                        at = self.subtree_end(node).index();
                        continue;
                    }
                    let (before, after, preserved) = self.breaks(node);
                    writer.want(before);
                    writer.preserve += u32::from(preserved);
                    if after != Break::None || preserved {
                        open.push((self.subtree_end(node).index(), after, preserved));
                    }
                }
                _ => {}
            }
            at += 1;
        }
        writer.out
    }

    /// Returns all characters below a node, concatenated (the DOM's `textContent`, XPath's string-value).
    pub fn text_content(&self, id: NodeId) -> Cow<'_, str> {
        if matches!(self.kind(id), NodeKind::Text | NodeKind::Comment) {
            return Cow::Borrowed(self.text(id));
        }
        let mut texts = self.descendants(id).filter(|&node| self.is_text(node)).map(|node| self.text(node));
        let Some(first) = texts.next() else { return Cow::Borrowed("") };
        let Some(second) = texts.next() else { return Cow::Borrowed(first) };
        let mut out = String::with_capacity((first.len() + second.len()) * 2);
        out.push_str(first);
        out.push_str(second);
        texts.for_each(|text| out.push_str(text));
        Cow::Owned(out)
    }

    /// Returns `true` if a reader does not see an element: because of its kind, the `hidden` attribute, an inline
    /// style, or a class that reserves it for screen readers.
    pub fn is_hidden(&self, id: NodeId) -> bool {
        let Some(name) = self.name_id(id) else { return false };
        if name.has(traits::HIDDEN) || name == names::NOSCRIPT || name == names::DESC {
            return true;
        }
        self.attrs(id).any(|attr| match attr.name_id() {
            names::HIDDEN => true,
            names::STYLE => hides(attr.value()),
            names::CLASS => attr.value().split_ascii_whitespace().any(|word| SPOKEN.contains(&word)),
            names::TYPE => name == names::INPUT && attr.value().eq_ignore_ascii_case("hidden"),
            _ => false,
        })
    }

    /// Returns the breaks that an element causes before and after it, and whether it preserves white space.
    fn breaks(&self, id: NodeId) -> (Break, Break, bool) {
        if self.namespace(id) != Namespace::Html {
            return (Break::None, Break::None, false);
        }
        let Some(name) = self.name_id(id) else { return (Break::None, Break::None, false) };
        match name {
            names::BR => (Break::Forced, Break::None, false),
            names::TD | names::TH => (Break::None, Break::Cell, false),
            names::PRE | names::LISTING | names::XMP | names::PLAINTEXT => (Break::Line, Break::Line, true),
            names::TEXTAREA => (Break::None, Break::None, true),
            _ if name.has(traits::BLOCK) => (Break::Line, Break::Line, false),
            _ => (Break::None, Break::None, false),
        }
    }
}

/// Class names for text that only screen readers present, as in common style sheets.
const SPOKEN: [&str; 5] = ["sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text", "screen-reader-only"];

/// Returns `true` if an inline style hides its element.
fn hides(style: &str) -> bool {
    style.split(';').any(|declaration| {
        declaration.split_once(':').is_some_and(|(property, value)| {
            let value = value.trim();
            let value = value.strip_suffix("!important").map_or(value, str::trim);
            let property = property.trim();
            property.eq_ignore_ascii_case("display") && value.eq_ignore_ascii_case("none")
                || property.eq_ignore_ascii_case("visibility") && value.eq_ignore_ascii_case("hidden")
        })
    })
}

/// The separator required between two pieces of text, from the weakest to the strongest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
enum Break {
    #[default]
    None,
    Space,
    Cell,
    Line,
    /// A `br`; several of them add up.
    Forced,
}

/// Joins texts with one break between them.
#[derive(Default)]
struct Writer {
    out: String,
    pending: Break,
    /// Number of `br`s since the last text.
    forced: u32,
    /// Nesting depth of elements that preserve white space.
    preserve: u32,
}

impl Writer {
    fn want(&mut self, wanted: Break) {
        if wanted == Break::Forced {
            self.forced += 1;
            self.pending = self.pending.max(Break::Line);
        } else {
            self.pending = self.pending.max(wanted);
        }
    }

    fn flush(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        let forced = std::mem::take(&mut self.forced);
        if self.out.is_empty() {
            return;
        }
        match pending {
            Break::None => {}
            Break::Space => self.out.push(' '),
            Break::Cell => self.out.push('\t'),
            Break::Line | Break::Forced => (0..forced.clamp(1, 2)).for_each(|_| self.out.push('\n')),
        }
    }

    fn text(&mut self, text: &str) {
        if self.preserve > 0 {
            let text = if self.out.is_empty() { text.trim_start_matches('\n') } else { text };
            // A trailing line feed is the end of the line, not a line of its own.
            let (text, ended) = text.strip_suffix('\n').map_or((text, false), |text| (text, true));
            if !text.is_empty() {
                self.flush();
                self.out.push_str(text);
            }
            if ended {
                self.want(Break::Forced);
            }
            return;
        }
        let mut words = text.split(char::is_whitespace);
        // `split` yields an empty word for each white space at the edges and between two of them.
        if let Some(first) = words.next()
            && !first.is_empty()
        {
            self.flush();
            self.out.push_str(first);
        }
        for word in words {
            self.want(Break::Space);
            if !word.is_empty() {
                self.flush();
                self.out.push_str(word);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Document;

    fn check(html: &str, expected: &str) {
        let document = Document::parse(html);
        assert_eq!(document.visible_text(document.root()), expected, "{html}");
    }

    #[test]
    fn inline_elements_do_not_break_words() {
        check("<p>a <b>bold</b> wo<i>rd</i>", "a bold word");
        check("<p> a \n b\u{A0} c </p>", "a b c");
    }

    #[test]
    fn blocks_and_br_break_lines() {
        check("<div>one</div><div>two</div>", "one\ntwo");
        check("one<br>two<br><br>three", "one\ntwo\n\nthree");
        check("<ul><li>a<li>b</ul>c", "a\nb\nc");
        check("<div><p></p></div>x<hr>", "x");
    }

    #[test]
    fn cells_are_apart() {
        check("<table><tr><td>a<td>b<tr><td>c<td> </table>", "a\tb\nc");
    }

    #[test]
    fn what_is_not_shown_is_left_out() {
        check("<title>t</title><script>s</script><style>s</style>x<noscript>n</noscript><template>t</template>", "x");
        check("<p hidden>h</p><p style='color:red; DISPLAY : none'>n</p><p>x</p><!--c-->", "x");
    }

    #[test]
    fn preformatted_text_stays() {
        check("<pre>\n a\n  b\n</pre>c", "a\n  b\nc".replacen('a', " a", 1).as_str());
    }

    #[test]
    fn pieces_know_their_nodes() {
        let document = Document::parse("<p>a <b>bold</b> w<i>ord</i><p> x <script>s</script><pre> y </pre>");
        let (text, pieces) = document.visible_pieces(document.root());
        assert_eq!(text, document.visible_text(document.root()));
        let own: Vec<_> = pieces.iter().map(|(node, span)| (document.text(*node), &text[span.range()])).collect();
        let expected = [("a ", "a"), ("bold", "bold"), (" w", "w"), ("ord", "ord"), (" x ", "x"), (" y ", "y ")];
        assert_eq!(own, expected);
    }

    #[test]
    fn what_screen_readers_say() {
        let document =
            Document::parse("<p>5<span class='unit sr-only'> minutes</span> min<i class=sr-only-focusable>!</i>");
        assert_eq!(document.visible_text(document.root()), "5 min!");
    }

    #[test]
    fn the_node_itself_is_not_judged() {
        let document = Document::parse("<title> A  page </title>");
        let title = document.find_html(crate::names::TITLE).unwrap();
        assert_eq!(document.visible_text(title), "A page");
    }
}
