//! Selection of the elements and attributes that are shown.

use windrow::{Document, NodeId};

/// Treatment of an element.
pub(super) enum Fate {
    /// Shown unchanged.
    Keep,
    /// Left out with its contents.
    Drop,
    /// Replaced by a neutral element of this name with the same contents.
    Rename(&'static str),
    /// Replaced by an empty element of this name.
    Empty(&'static str),
    /// A style sheet, which is rewritten.
    Style,
}

pub(super) fn fate(document: &Document, id: NodeId, name: &str, html: bool) -> Fate {
    if name == "style" {
        return Fate::Style;
    }
    if !is_plain(name) {
        return Fate::Rename("windrow-other");
    }
    if !html {
        return match name {
            // These change addresses later, or refer to other documents.
            "script" | "set" | "animate" | "animateMotion" | "animateTransform" | "handler" | "listener"
            | "feImage" => Fate::Drop,
            _ => Fate::Keep,
        };
    }
    match name {
        "script" | "template" | "base" | "meta" | "param" | "portal" | "bgsound" | "keygen" => Fate::Drop,
        "link" => {
            let rel = document.attr(id, "rel").unwrap_or_default().to_ascii_lowercase();
            let mut words = rel.split_ascii_whitespace();
            if words.clone().any(|word| word == "stylesheet") && !words.any(|word| word == "alternate") {
                Fate::Keep
            } else {
                Fate::Drop
            }
        }
        // With scripts enabled, as in the view, browsers treat their contents as text.
        "noscript" => Fate::Rename("windrow-noscript"),
        "noframes" => Fate::Rename("windrow-noframes"),
        "noembed" => Fate::Rename("windrow-noembed"),
        "xmp" | "plaintext" | "listing" => Fate::Rename("pre"),
        "frameset" => Fate::Rename("windrow-frameset"),
        "iframe" | "frame" | "embed" | "fencedframe" => Fate::Empty("windrow-frame"),
        // Their contents are fallbacks, which are shown because the object itself is not.
        "object" | "applet" => Fate::Rename("windrow-object"),
        "video" | "audio" | "track" | "dialog" => Fate::Keep,
        _ => Fate::Keep,
    }
}

/// Reports whether elements of this name have no end tag.
pub(super) fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "basefont"
            | "bgsound"
            | "br"
            | "col"
            | "embed"
            | "frame"
            | "hr"
            | "img"
            | "input"
            | "keygen"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
    )
}

/// Reports whether a name contains no characters of markup.
pub(super) fn is_plain(name: &str) -> bool {
    name.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':' | b'.'))
}

/// Attributes that refer to addresses, have effects, or are used by the studio. Names that begin with `on` are event
/// handlers and excluded separately.
const LEFT_OUT: &[&str] = &[
    "accesskey",
    "action",
    "archive",
    "autofocus",
    "autoplay",
    "attributionsrc",
    "cite",
    "classid",
    "code",
    "codebase",
    "command",
    "commandfor",
    "content",
    "contenteditable",
    "crossorigin",
    "data",
    "data-w",
    "download",
    "form",
    "formaction",
    "formtarget",
    "from",
    "href",
    "http-equiv",
    "integrity",
    "interestfor",
    "invoketarget",
    "is",
    "longdesc",
    "manifest",
    "nonce",
    "ping",
    "popover",
    "popovertarget",
    "profile",
    "shadowroot",
    "shadowrootmode",
    "slot",
    "src",
    "srcdoc",
    "srcset",
    "imagesrcset",
    "target",
    "to",
    "values",
];

/// Reports whether an attribute is shown unchanged.
pub(super) fn attribute_is_kept(name: &str) -> bool {
    let small = name.to_ascii_lowercase();
    is_plain(name)
        && !small.starts_with("on")
        && !small.starts_with("xlink:")
        && !small.starts_with("xml:")
        && !small.starts_with("xmlns")
        && !LEFT_OUT.contains(&small.as_str())
}
