//! Invariants of every document, whatever the page: the arena's shape, the spans, the tokens, the round trip.
//!
//! Each check takes a pass or two over the document and reports the first violation and its place. Tests run them on
//! the corpus and on generated pages, the fuzzers on everything.

use std::ops::Range;

use windrow_dom::tokenizer::{Lexeme, Tokenizer};
use windrow_dom::{Document, Limits, Namespace, NodeId, NodeKind, ParseOptions, Span, TokenKind, names};

use crate::tree;

/// The shape of the arena: preorder, parents, ends, siblings, template contents, attributes.
pub fn structure(document: &Document) -> Result<(), String> {
    let root = document.root();
    if root.index() != 0 || document.parent(root).is_some() {
        return Err("the root is not the first node".to_owned());
    }
    let mut roots = vec![(root, document.len())];
    // Ranges of the arena, which the trees must fill without a gap.
    let mut covered: Vec<Range<usize>> = Vec::new();
    covered.push(0..document.len());
    let mut next = 0;
    while let Some(&(root, end)) = roots.get(next) {
        next += 1;
        subtree(document, root, end)?;
        for id in ids(root, end) {
            let is_template = document.is_html(id, names::TEMPLATE);
            match document.template_contents(id) {
                Some(_) if !is_template => return Err(format!("{id:?} has contents and is no template")),
                None if is_template => return Err(format!("{id:?} is a template without contents")),
                None => {}
                Some(contents) => {
                    if document.kind(contents) != NodeKind::Fragment || document.parent(contents).is_some() {
                        return Err(format!("{id:?}: its contents {contents:?} are no root of their own"));
                    }
                    let end = document.subtree_end(contents).index();
                    if contents.index() < document.len() || end <= contents.index() {
                        return Err(format!("{id:?}: its contents {contents:?} lie in the page"));
                    }
                    covered.push(contents.index()..end);
                    roots.push((contents, end));
                }
            }
        }
    }
    covered.sort_by_key(|range| range.start);
    if let Some(pair) = covered.windows(2).find(|pair| pair[0].end != pair[1].start) {
        return Err(format!("trees overlap or leave a gap: {pair:?}"));
    }
    Ok(())
}

fn ids(root: NodeId, end: usize) -> impl Iterator<Item = NodeId> {
    (root.index()..end).map(NodeId::from_index)
}

fn subtree(document: &Document, root: NodeId, end: usize) -> Result<(), String> {
    if document.subtree_end(root).index() != end {
        return Err(format!("{root:?} ends at {:?}, not at {end}", document.subtree_end(root)));
    }
    // Open nodes, and the last child seen of each.
    let mut open: Vec<(NodeId, Option<NodeId>)> = vec![(root, None)];
    let close = |open: &mut Vec<(NodeId, Option<NodeId>)>, upto: usize| -> Result<(), String> {
        while let Some(&(node, last)) = open.last() {
            if document.subtree_end(node).index() > upto {
                break;
            }
            open.pop();
            if document.last_child(node) != last {
                return Err(format!("{node:?}: last child {:?}, not {last:?}", document.last_child(node)));
            }
            if let Some(last) = last
                && document.next_sibling(last).is_some()
            {
                return Err(format!("{last:?} is the last child and has a next sibling"));
            }
        }
        Ok(())
    };
    for id in ids(root, end).skip(1) {
        close(&mut open, id.index())?;
        let Some((parent, last)) = open.last_mut() else { return Err(format!("{id:?} lies outside {root:?}")) };
        let parent = *parent;
        if document.parent(id) != Some(parent) {
            return Err(format!("{id:?}: parent {:?}, not {parent:?}", document.parent(id)));
        }
        let (own_end, parent_end) = (document.subtree_end(id), document.subtree_end(parent));
        if own_end <= id || own_end > parent_end {
            return Err(format!("{id:?} ends at {own_end:?}, its parent {parent:?} at {parent_end:?}"));
        }
        if last.is_none() && document.first_child(parent) != Some(id) {
            return Err(format!("{parent:?}: first child {:?}, not {id:?}", document.first_child(parent)));
        }
        if document.prev_sibling(id) != *last {
            return Err(format!("{id:?}: previous sibling {:?}, not {last:?}", document.prev_sibling(id)));
        }
        if let Some(last) = *last
            && document.next_sibling(last) != Some(id)
        {
            return Err(format!("{last:?}: next sibling {:?}, not {id:?}", document.next_sibling(last)));
        }
        *last = Some(id);
        node(document, id)?;
        if document.is_element(id) {
            open.push((id, None));
        } else if own_end.index() != id.index() + 1 {
            return Err(format!("{id:?} is no element and has descendants"));
        }
    }
    close(&mut open, end)
}

fn node(document: &Document, id: NodeId) -> Result<(), String> {
    match document.kind(id) {
        NodeKind::Document | NodeKind::Fragment => Err(format!("{id:?} is a root inside a tree")),
        NodeKind::Text if document.text(id).is_empty() => Err(format!("{id:?} is an empty text")),
        NodeKind::Doctype if document.parent(id) != Some(NodeId::ROOT) => {
            Err(format!("{id:?} is a doctype below an element"))
        }
        NodeKind::Doctype if document.doctype(id).is_none() => Err(format!("{id:?} is a doctype without strings")),
        NodeKind::Element => {
            if !matches!(document.namespace(id), Namespace::Html | Namespace::Svg | Namespace::MathMl) {
                return Err(format!("{id:?} is an element of {:?}", document.namespace(id)));
            }
            let mut seen: Vec<_> = document.attrs(id).map(|attr| attr.name_id()).collect();
            seen.sort();
            if seen.windows(2).any(|pair| pair[0] == pair[1]) {
                return Err(format!("{id:?} has an attribute twice: {:?}", document.attrs(id).collect::<Vec<_>>()));
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// The spans: what the source says at a node's place is that node.
///
/// `limits` are those the document was parsed with: a start tag is read again under the same ones.
pub fn spans(document: &Document, limits: &Limits) -> Result<(), String> {
    let mut roots = vec![(document.root(), document.len())];
    while let Some((root, end)) = roots.pop() {
        for id in ids(root, end).skip(1) {
            node_span(document, id, limits).map_err(|message| format!("{id:?} {}: {message}", label(document, id)))?;
            if let Some(contents) = document.template_contents(id) {
                roots.push((contents, document.subtree_end(contents).index()));
            }
        }
    }
    Ok(())
}

fn label(document: &Document, id: NodeId) -> String {
    match document.kind(id) {
        NodeKind::Element => format!("<{}>", document.name(id).unwrap_or("")),
        kind => format!("{kind:?} {:?}", document.text(id).chars().take(60).collect::<String>()),
    }
}

fn slice(document: &Document, range: Range<usize>) -> Result<&str, String> {
    document.source().get(range.clone()).ok_or_else(|| format!("{range:?} is not a slice of the source"))
}

fn node_span(document: &Document, id: NodeId, limits: &Limits) -> Result<(), String> {
    if document.is_inserted(id) && !document.is_element(id) {
        // A copy (what `selectedcontent` shows): it has no place of its own.
        return match document.span(id) {
            Some(span) => Err(format!("inserted, but at {span:?}")),
            None => Ok(()),
        };
    }
    match document.kind(id) {
        NodeKind::Document | NodeKind::Fragment => Ok(()),
        NodeKind::Element => {
            for attr in document.attrs(id) {
                attribute(document, attr).map_err(|message| format!("{attr:?}: {message}"))?;
            }
            if let Some(span) = document.start_tag(id) {
                start_tag(document, id, span, limits)?;
            }
            if let Some(span) = document.end_tag(id) {
                end_tag(document, id, span)?;
            }
            inside_parent(document, id)
        }
        NodeKind::Text => {
            let Some(span) = document.span(id) else { return Err("no span".to_owned()) };
            text(document, id, span)?;
            inside_parent(document, id)
        }
        NodeKind::Comment => {
            let Some(span) = document.span(id) else { return Err("no span".to_owned()) };
            let source = slice(document, span.range())?;
            let mut tokenizer = Tokenizer::new(source, 0);
            match tokenizer.next(false) {
                Lexeme::Comment(comment) if tokenizer.str(&comment) == document.text(id) => inside_parent(document, id),
                other => Err(format!("{source:?} reads {other:?}")),
            }
        }
        NodeKind::Doctype => {
            let Some(span) = document.span(id) else { return Err("no span".to_owned()) };
            let source = slice(document, span.range())?;
            let expected = document.doctype(id).ok_or("no strings")?;
            match Tokenizer::new(source, 0).next(false) {
                Lexeme::Doctype(tag)
                    if tag.name.as_deref().unwrap_or("") == expected.name
                        && tag.public_id.as_deref().unwrap_or("") == expected.public_id.as_deref().unwrap_or("")
                        && tag.system_id.as_deref().unwrap_or("") == expected.system_id.as_deref().unwrap_or("") =>
                {
                    Ok(())
                }
                other => Err(format!("{source:?} reads {other:?}")),
            }
        }
    }
}

/// The tag at the span, read by itself, has the element's name and attributes.
fn start_tag(document: &Document, id: NodeId, span: Span, limits: &Limits) -> Result<(), String> {
    let source = slice(document, span.range())?;
    let mut tokenizer = Tokenizer::new(source, limits.attributes);
    let tag = match tokenizer.next(false) {
        Lexeme::StartTag(tag) if tag.span.range() == (0..source.len()) => tag,
        other => return Err(format!("{source:?} reads {other:?}")),
    };
    let (name, written) = (document.name(id).unwrap_or(""), tokenizer.name(tag.name));
    // The standard renames `image`; SVG has names with capitals.
    if !name.eq_ignore_ascii_case(written) && (name, written) != ("img", "image") {
        return Err(format!("{source:?} reads <{written}>"));
    }
    let mut own = document.attrs(id);
    for (name, value) in tokenizer.attributes(&tag) {
        match own.next() {
            Some(attr) if attr.name().eq_ignore_ascii_case(name) && attr.value() == value => {}
            other => return Err(format!("{source:?} reads {name}={value:?}, the element has {other:?}")),
        }
    }
    // Only `html` and `body` take attributes from later tags of the same name.
    let merged = document.is_html(id, names::HTML) || document.is_html(id, names::BODY);
    match own.next() {
        Some(attr) if !merged => Err(format!("{source:?} does not say {attr:?}")),
        Some(attr) if span.contains(attr.name_span()) => Err(format!("{attr:?} is in {source:?}, but not read there")),
        _ => Ok(()),
    }
}

fn attribute(document: &Document, attr: windrow_dom::Attr<'_>) -> Result<(), String> {
    let name = slice(document, attr.name_span().range())?;
    if !name.replace('\0', "\u{FFFD}").eq_ignore_ascii_case(attr.name()) {
        return Err(format!("the name's span says {name:?}"));
    }
    let raw = slice(document, attr.value_span().range())?;
    if !raw.contains(['&', '\r', '\0']) && raw != attr.value() {
        return Err(format!("the value's span says {raw:?}"));
    }
    let whole = slice(document, attr.span().range())?;
    // Read by itself, in a tag of its own, it is the attribute again.
    let tag = format!("<a {whole}>");
    let mut tokenizer = Tokenizer::new(&tag, 2);
    let Lexeme::StartTag(start) = tokenizer.next(false) else { return Err(format!("{tag:?} is no start tag")) };
    let mut found = tokenizer.attributes(&start);
    match (found.next(), found.next()) {
        (Some((name, value)), None) if name.eq_ignore_ascii_case(attr.name()) && value == attr.value() => Ok(()),
        other => Err(format!("{whole:?} reads {other:?}")),
    }
}

fn end_tag(document: &Document, id: NodeId, span: Span) -> Result<(), String> {
    let source = slice(document, span.range())?;
    let mut tokenizer = Tokenizer::new(source, 0);
    let written = match tokenizer.next(false) {
        Lexeme::EndTag { name, span } if span.range() == (0..source.len()) => tokenizer.name(name),
        other => return Err(format!("end tag {source:?} reads {other:?}")),
    };
    let name = document.name(id).unwrap_or("");
    let heading = |name: &str| matches!(name.as_bytes(), [b'h', b'1'..=b'6']);
    // Any heading's end tag closes any heading.
    let closes = name.eq_ignore_ascii_case(written) || heading(name) && heading(written);
    if !closes {
        return Err(format!("end tag {source:?}"));
    }
    match document.start_tag(id) {
        Some(start) if start.end > span.start => Err(format!("the end tag {source:?} stands before the start tag")),
        _ => Ok(()),
    }
}

fn text(document: &Document, id: NodeId, span: Span) -> Result<(), String> {
    let source = slice(document, span.range())?;
    let text = document.text(id);
    if source == text {
        return Ok(());
    }
    // `]]>` is markup too where it ends a CDATA section; between columns and frames all but the white space is dropped.
    let space = text.bytes().all(|byte| byte.is_ascii_whitespace());
    if !source.contains(['&', '\r', '\0', '<']) && !source.contains("]]>") && !space {
        return Err(format!("the source says {source:?}"));
    }
    if source.contains(['&', '\r', '\0']) {
        return Ok(());
    }
    // Pieces of it stand around markup that made no node here, or one elsewhere: all characters are there, in order.
    let mut chars = source.chars();
    match text.chars().find(|&wanted| !chars.any(|char| char == wanted)) {
        Some(char) => Err(format!("{char:?} is not where it should be in {source:?}")),
        None => Ok(()),
    }
}

/// A node stands behind its parent's start tag and before its end tag.
fn inside_parent(document: &Document, id: NodeId) -> Result<(), String> {
    let Some(parent) = document.parent(id) else { return Ok(()) };
    let own = match document.kind(id) {
        NodeKind::Element => document.start_tag(id),
        _ => document.span(id),
    };
    let Some(own) = own else { return Ok(()) };
    if let Some(tag) = document.start_tag(parent)
        && own.start < tag.end
    {
        return Err(format!("it stands before its parent <{}>", document.name(parent).unwrap_or("")));
    }
    // What follows `</head>`, `</body>` and `</html>` can still go into these.
    let open_ended = [names::HTML, names::HEAD, names::BODY].iter().any(|&name| document.is_html(parent, name));
    if let Some(tag) = document.end_tag(parent)
        && !open_ended
        && own.end > tag.start
    {
        return Err(format!("it stands behind the end of its parent <{}>", document.name(parent).unwrap_or("")));
    }
    Ok(())
}

/// The token view: source order, and every node of the source in it once.
pub fn tokens(document: &Document) -> Result<(), String> {
    let tokens = document.tokens();
    if let Some(pair) = tokens.windows(2).find(|pair| pair[0].span.start > pair[1].span.start) {
        return Err(format!("tokens out of order: {pair:?}"));
    }
    let mut seen = vec![[false; 2]; tokens.iter().map(|token| token.node.index() + 1).max().unwrap_or(0)];
    for token in &tokens {
        let at = &mut seen[token.node.index()][usize::from(token.kind == TokenKind::EndTag)];
        if std::mem::replace(at, true) {
            return Err(format!("a token twice: {token:?}"));
        }
    }
    for id in document.nodes().skip(1) {
        let expected = !document.is_inserted(id);
        if seen.get(id.index()).is_some_and(|seen| seen[0]) != expected {
            return Err(format!("{id:?}: inserted {}, but token {}", !expected, !expected));
        }
    }
    Ok(())
}

/// The whole document as HTML, parsed again: the same tree, or how the two differ.
///
/// Layout modes are not compared: that a doctype was broken is not a part of the tree.
pub fn round_trip(document: &Document, options: &ParseOptions) -> Result<(), String> {
    let html = document.inner_html(document.root());
    let again = Document::parse_with(html, options);
    let (mut before, mut after) = (Vec::new(), Vec::new());
    tree::encode(document, &mut before);
    tree::encode(&again, &mut after);
    // The first byte is the layout mode.
    if before[1..] == after[1..] {
        return Ok(());
    }
    let (before, after) = (tree::dump(document), tree::dump(&again));
    let line = before.lines().zip(after.lines()).position(|(a, b)| a != b);
    let at = line.unwrap_or_else(|| before.lines().count().min(after.lines().count()));
    let from = at.saturating_sub(6);
    let part = |text: &str| text.lines().skip(from).take(10).collect::<Vec<_>>().join("\n");
    Err(format!(
        "differs in line {at}\n#before {:?}\n{}\n#after {:?}\n{}",
        document.quirks(),
        part(&before),
        again.quirks(),
        part(&after)
    ))
}
