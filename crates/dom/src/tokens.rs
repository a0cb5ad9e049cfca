//! The token view: the same document as a flat sequence of tags, texts and comments, in source order.
//!
//! Rules that look at the text before and after a value (WTM's landmarks, TSIMMIS's patterns) need the page as it was
//! written, not as a tree. Tokens are derived from the arena, so each knows its node. Tags the parser ignored (a
//! stray `</b>`) and elements it inserted (a missing `tbody`) have no token.

use crate::document::{Document, NodeId, NodeKind};
use crate::span::Span;

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TokenKind {
    /// A start tag; its name and attributes are those of the node.
    StartTag,
    /// An end tag.
    EndTag,
    /// A text.
    Text,
    /// A comment.
    Comment,
    /// The doctype.
    Doctype,
}

/// One token of the flat view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// Kind of the token.
    pub kind: TokenKind,
    /// Node it belongs to.
    pub node: NodeId,
    /// Place in the source.
    pub span: Span,
}

impl Document {
    /// Returns the page as tokens, in source order.
    ///
    /// # Cost
    ///
    /// Linear, plus a sort of the few tokens that the tree has moved (content fostered out of a table).
    pub fn tokens(&self) -> Vec<Token> {
        let mut tokens = Vec::with_capacity(self.nodes.len() * 2);
        // Open elements, innermost last.
        let mut open: Vec<NodeId> = Vec::new();
        let close = |tokens: &mut Vec<Token>, open: &mut Vec<NodeId>, upto: usize| {
            while let Some(&node) = open.last() {
                if self.node(node).end as usize > upto {
                    break;
                }
                open.pop();
                if let Some(span) = self.end_tag(node) {
                    tokens.push(Token { kind: TokenKind::EndTag, node, span });
                }
            }
        };
        for index in 0..self.nodes.len() {
            close(&mut tokens, &mut open, index);
            let id = NodeId::from_index(index);
            let kind = match self.kind(id) {
                NodeKind::Document | NodeKind::Fragment => continue,
                NodeKind::Doctype => TokenKind::Doctype,
                NodeKind::Text => TokenKind::Text,
                NodeKind::Comment => TokenKind::Comment,
                NodeKind::Element => {
                    open.push(id);
                    TokenKind::StartTag
                }
            };
            if let Some(span) = self.own_span(id) {
                tokens.push(Token { kind, node: id, span });
            }
        }
        close(&mut tokens, &mut open, self.nodes.len());
        if !tokens.is_sorted_by_key(|token| token.span.start) {
            tokens.sort_by_key(|token| token.span.start);
        }
        tokens
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the source text of all tokens.
    fn check(html: &str, expected: &[&str]) {
        let document = Document::parse(html);
        let tokens: Vec<&str> = document.tokens().iter().map(|token| &html[token.span.range()]).collect();
        assert_eq!(tokens, expected, "{html}");
    }

    #[test]
    fn tokens_are_the_page_as_written() {
        check(
            "<!DOCTYPE html><p class=a>x<br><b>y</b><!--c-->",
            &["<!DOCTYPE html>", "<p class=a>", "x", "<br>", "<b>", "y", "</b>", "<!--c-->"],
        );
    }

    #[test]
    fn what_the_parser_made_up_or_ignored_has_no_token() {
        check("<table><tr><td>x</table></i>", &["<table>", "<tr>", "<td>", "x", "</table>"]);
    }

    #[test]
    fn fostered_content_is_where_it_was_written() {
        check("<table>a<tr><td>b", &["<table>", "a", "<tr>", "<td>", "b"]);
        check("<b>1<p>2</b>3", &["<b>", "1", "<p>", "2", "</b>", "3"]);
    }

    #[test]
    fn each_token_knows_its_node() {
        let document = Document::parse("<ul><li>Oslo</li></ul>");
        let names: Vec<_> = document.tokens().iter().map(|token| (token.kind, document.name(token.node))).collect();
        assert_eq!(
            names,
            [
                (TokenKind::StartTag, Some("ul")),
                (TokenKind::StartTag, Some("li")),
                (TokenKind::Text, None),
                (TokenKind::EndTag, Some("li")),
                (TokenKind::EndTag, Some("ul")),
            ]
        );
    }
}
