//! Which elements and attributes of a page are shown, and as what.

use windrow::{Document, NodeId};

/// What becomes of an element.
pub(super) enum Fate {
    /// It is shown.
    Keep,
    /// Neither it nor what is in it.
    Drop,
    /// What is in it is shown in an element of this name, which has no meaning of its own.
    Rename(&'static str),
    /// It is shown as an empty element of this name.
    Empty(&'static str),
    /// It is a style, and rewritten.
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
            // What changes addresses later, or leaves the drawing.
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
            match words.clone().any(|word| word == "stylesheet") && !words.any(|word| word == "alternate") {
                true => Fate::Keep,
                false => Fate::Drop,
            }
        }
        // Browsers that run scripts, as the view's does, take these for text.
        "noscript" => Fate::Rename("windrow-noscript"),
        "noframes" => Fate::Rename("windrow-noframes"),
        "noembed" => Fate::Rename("windrow-noembed"),
        "xmp" | "plaintext" | "listing" => Fate::Rename("pre"),
        "frameset" => Fate::Rename("windrow-frameset"),
        "iframe" | "frame" | "embed" | "fencedframe" => Fate::Empty("windrow-frame"),
        // What is in them is for browsers that cannot show them: ours does not.
        "object" | "applet" => Fate::Rename("windrow-object"),
        "video" | "audio" | "track" | "dialog" => Fate::Keep,
        _ => Fate::Keep,
    }
}

/// Elements without an end tag.
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

/// Whether a name has nothing in it that markup could be made of.
pub(super) fn is_plain(name: &str) -> bool {
    name.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':' | b'.'))
}

/// Attributes that lead somewhere, do something, or mean something to us. Those that begin with `on` are handlers.
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

/// Whether an attribute is shown as it is.
pub(super) fn attribute_is_kept(name: &str) -> bool {
    let small = name.to_ascii_lowercase();
    is_plain(name)
        && !small.starts_with("on")
        && !small.starts_with("xlink:")
        && !small.starts_with("xml:")
        && !small.starts_with("xmlns")
        && !LEFT_OUT.contains(&small.as_str())
}
