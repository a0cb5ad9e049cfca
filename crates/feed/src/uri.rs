//! Resolves references to addresses (RFC 3986, section 5), on text.
//!
//! The `url` crate would do, but it rewrites its input (`http://a.example` gains a slash, `é` becomes `%C3%A9`), and
//! it does not allow a relative base, which `xml:base` may be. An item's link is also its identifier, so it stays as
//! written.

/// The parts of a reference.
#[derive(Clone, Copy)]
struct Parts<'a> {
    scheme: Option<&'a str>,
    authority: Option<&'a str>,
    path: &'a str,
    query: Option<&'a str>,
    fragment: Option<&'a str>,
}

/// Returns `true` if a reference has a scheme of its own: `http:`, `tag:`.
pub(crate) fn is_absolute(reference: &str) -> bool {
    split(reference).scheme.is_some()
}

/// Returns `true` if it is the address of something on the web.
pub(crate) fn is_web(reference: &str) -> bool {
    split(reference)
        .scheme
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https"))
}

/// Resolves a reference against a base. Absolute references stay unchanged.
pub(crate) fn join(base: &str, reference: &str) -> String {
    let reference = reference.trim();
    if base.is_empty() || is_absolute(reference) {
        return one_authority(reference);
    }
    if reference.is_empty() {
        return base.to_owned();
    }
    let (base, own) = (split(base), split(reference));
    let mut joined = Parts { scheme: base.scheme, ..own };
    let path;
    if own.authority.is_none() {
        joined.authority = base.authority;
        if own.path.is_empty() {
            path = base.path.to_owned();
            joined.query = own.query.or(base.query);
        } else if own.path.starts_with('/') {
            path = without_dots(own.path);
        } else {
            let folder = match base.path.rfind('/') {
                Some(slash) => &base.path[..=slash],
                None if base.authority.is_some() => "/",
                None => "",
            };
            path = without_dots(&format!("{folder}{}", own.path));
        }
    } else {
        path = without_dots(own.path);
    }
    let mut out = String::new();
    if let Some(scheme) = joined.scheme {
        out.extend([scheme, ":"]);
    }
    if let Some(authority) = joined.authority {
        out.extend(["//", authority]);
    }
    out.push_str(&path);
    if let Some(query) = joined.query {
        out.extend(["?", query]);
    }
    if let Some(fragment) = joined.fragment {
        out.extend(["#", fragment]);
    }
    out
}

/// Repairs `http:////host/`, which means `http://host/`.
fn one_authority(reference: &str) -> String {
    if let Some((scheme, rest)) = reference.split_once("://")
        && rest.starts_with('/')
        && !scheme.eq_ignore_ascii_case("file")
    {
        return format!("{scheme}://{}", rest.trim_start_matches('/'));
    }
    reference.to_owned()
}

fn split(reference: &str) -> Parts<'_> {
    let (rest, fragment) = match reference.split_once('#') {
        Some((rest, fragment)) => (rest, Some(fragment)),
        None => (reference, None),
    };
    let (rest, query) = match rest.split_once('?') {
        Some((rest, query)) => (rest, Some(query)),
        None => (rest, None),
    };
    let (scheme, rest) = match rest.split_once(':') {
        Some((scheme, rest)) if is_scheme(scheme) => (Some(scheme), rest),
        _ => (None, rest),
    };
    let (authority, path) = match rest.strip_prefix("//") {
        Some(rest) => {
            let end = rest.find('/').unwrap_or(rest.len());
            (Some(&rest[..end]), &rest[end..])
        }
        None => (None, rest),
    };
    Parts { scheme, authority, path, query, fragment }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
}

/// Removes `.` and `..` from a path.
fn without_dots(path: &str) -> String {
    if !path.contains("./") && !path.ends_with('.') {
        return path.to_owned();
    }
    let rooted = path.starts_with('/');
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.split('/').skip(usize::from(rooted)).peekable();
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        match segment {
            "." | ".." => {
                if segment == ".." {
                    kept.pop();
                }
                if last {
                    kept.push("");
                }
            }
            _ => kept.push(segment),
        }
    }
    let joined = kept.join("/");
    if rooted { format!("/{joined}") } else { joined }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_resolved() {
        let base = "http://a/b/c/d;p?q";
        for (reference, expected) in [
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y#s", "http://a/b/c/g?y#s"),
            ("#s", "http://a/b/c/d;p?q#s"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../../../g", "http://a/g"),
            ("http://x.example", "http://x.example"),
            ("mailto:x", "mailto:x"),
            ("http:////x/", "http://x/"),
        ] {
            assert_eq!(join(base, reference), expected, "{reference}");
        }
    }

    #[test]
    fn a_base_may_be_relative_or_bare() {
        assert_eq!(join("/feed/", "a"), "/feed/a");
        assert_eq!(join("http://a", "b"), "http://a/b");
        assert_eq!(join("", "b"), "b");
    }
}
