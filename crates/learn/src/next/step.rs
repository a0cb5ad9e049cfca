//! What the step from one address to another is, by their spelling: the next page of the same list, or somewhere else.

use url::Url;

/// The step from one address to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// The same page.
    Stay,
    /// To an earlier page of the list.
    Back,
    /// To a later page of the list; the next, if the addresses count pages by one.
    On {
        /// By how much the counting number grows, if both have one.
        by: Option<u64>,
    },
    /// The same place with another query: the same list, maybe in another order.
    Beside,
    /// Anywhere.
    Away,
}

/// Parameters that count pages or records.
const COUNTING: [&str; 34] = [
    "page",
    "p",
    "pg",
    "paged",
    "pagenum",
    "pageno",
    "pagenr",
    "pagenumber",
    "pageindex",
    "pageid",
    "currentpage",
    "curpage",
    "cpage",
    "pn",
    "seite",
    "pagina",
    "strana",
    "sayfa",
    "start",
    "startindex",
    "startrow",
    "startat",
    "start_index",
    "offset",
    "first",
    "from",
    "skip",
    "begin",
    "b",
    "xstart",
    "firstresult",
    "pagestart",
    "o",
    "st",
];

/// Parameters that name where the next page begins.
const CURSORS: [&str; 9] =
    ["after", "cursor", "continuation", "pagetoken", "page_token", "nexttoken", "max_id", "scrollid", "nextpage"];

/// Numbers above this are years with months, ids, or dates; pages are not counted so high.
const MOST_PAGES: u64 = 100_000;

/// Whether two addresses are of one site: the same host, with or without `www.`, or one within the other.
pub(super) fn is_same_site(a: &Url, b: &Url) -> bool {
    let (Some(a), Some(b)) = (a.host_str(), b.host_str()) else { return false };
    let (a, b) = (a.strip_prefix("www.").unwrap_or(a), b.strip_prefix("www.").unwrap_or(b));
    let within = |inner: &str, outer: &str| {
        outer.contains('.') && inner.strip_suffix(outer).is_some_and(|rest| rest.ends_with('.'))
    };
    a == b || within(a, b) || within(b, a)
}

/// The step from one page to another of the same site. Both are canonical.
pub(super) fn step(from: &Url, to: &Url) -> Step {
    if from[url::Position::BeforePath..] == to[url::Position::BeforePath..] {
        return Step::Stay;
    }
    let (from_stem, from_number) = split_path(from.path());
    let (to_stem, to_number) = split_path(to.path());
    if from_stem != to_stem {
        return Step::Away;
    }
    match (from_number, to_number) {
        (from_number, Some(to_number)) if from_number != Some(to_number) => {
            return count(from_number, to_number);
        }
        // From a numbered page to the page without: the first.
        (Some(_), None) => return Step::Back,
        _ => {}
    }
    step_of_query(from, to)
}

fn step_of_query(from: &Url, to: &Url) -> Step {
    let old: Vec<(String, String)> = from.query_pairs().into_owned().take(64).collect();
    let new: Vec<(String, String)> = to.query_pairs().into_owned().take(64).collect();
    let value = |pairs: &[(String, String)], name: &str| {
        pairs.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.clone())
    };
    let number = |value: &str| value.parse::<u64>().ok().filter(|number| *number < MOST_PAGES);
    let mut beside = Step::Beside;
    for (name, value_now) in &new {
        let value_before = value(&old, name);
        if value_before.as_ref() == Some(value_now) {
            continue;
        }
        let name = name.to_ascii_lowercase();
        if CURSORS.contains(&name.as_str()) {
            beside = Step::On { by: None };
            continue;
        }
        let is_counting = COUNTING.contains(&name.as_str())
            || name.starts_with("pagen_")
            || name.ends_with("page")
            || name.ends_with("[page]");
        if !is_counting {
            continue;
        }
        let Some(now) = number(value_now) else { continue };
        match value_before.as_deref().map(number) {
            Some(Some(before)) => return count(Some(before), now),
            Some(None) => {}
            None => return count(None, now),
        }
    }
    // The counter is gone: the first page.
    let lost = old.iter().any(|(name, value_before)| {
        COUNTING.contains(&name.to_ascii_lowercase().as_str())
            && number(value_before).is_some()
            && value(&new, name).is_none()
    });
    if lost && beside == Step::Beside { Step::Back } else { beside }
}

fn count(before: Option<u64>, now: u64) -> Step {
    match before {
        Some(before) if now > before => Step::On { by: Some(now - before) },
        Some(_) => Step::Back,
        // Some count from zero, so 1 may be the second page. A first page has no number, as a rule.
        None if now == 0 => Step::Back,
        None if now == 1 => Step::Beside,
        None if now == 2 => Step::On { by: Some(1) },
        None => Step::On { by: None },
    }
}

/// A path without what counts pages in it, and the count.
fn split_path(path: &str) -> (String, Option<u64>) {
    let mut segments: Vec<String> =
        path.split('/').filter(|segment| !segment.is_empty()).map(str::to_ascii_lowercase).collect();
    // The name of a folder's own page says nothing.
    if let Some(last) = segments.last_mut()
        && let Some((name, extension)) = last.rsplit_once('.')
        && matches!(extension, "html" | "htm" | "php" | "asp" | "aspx" | "shtml" | "jsp" | "jhtml")
    {
        *last = name.to_owned();
    }
    if segments.last().is_some_and(|last| matches!(last.as_str(), "index" | "default")) {
        segments.pop();
    }
    let Some(last) = segments.last().cloned() else { return (String::new(), None) };
    let number = |digits: &str| digits.parse::<u64>().ok().filter(|number| *number < MOST_PAGES);
    let before = segments.len().checked_sub(2).map(|at| segments[at].as_str());
    if let Some(count) = number(&last) {
        if before
            .is_some_and(|before| matches!(before, "page" | "p" | "pages" | "seite" | "pagina" | "offset" | "start"))
        {
            segments.truncate(segments.len() - 2);
            return (segments.join("/"), Some(count));
        }
        // Four digits are a year, and what follows a year is a month.
        let is_date = before.is_some_and(|before| before.len() == 4 && number(before).is_some());
        if last.len() < 4 && !is_date && segments.len() > 1 {
            segments.pop();
            return (segments.join("/"), Some(count));
        }
        return (segments.join("/"), None);
    }
    let digits = last.len() - last.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    if digits > 0
        && digits < 5
        && let Some(count) = number(&last[last.len() - digits..])
    {
        let name = last[..last.len() - digits].trim_end_matches(['-', '_', '=']);
        let is_glued = name.len() == last.len() - digits;
        segments.pop();
        match name {
            "page" | "p" | "index" | "pg" | "seite" | "pagina" | "default" | "list" => {
                return (segments.join("/"), Some(count));
            }
            // A name and a number without anything between is one name.
            _ if is_glued => segments.push(last),
            _ => {
                segments.push(name.to_owned());
                return (segments.join("/"), Some(count));
            }
        }
    }
    (segments.join("/"), None)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEXT: Step = Step::On { by: Some(1) };

    #[track_caller]
    fn check(from: &str, to: &str, expected: Step) {
        let base = Url::parse("http://example.org/").unwrap();
        assert_eq!(step(&base.join(from).unwrap(), &base.join(to).unwrap()), expected, "{from} → {to}");
    }

    #[test]
    fn counting_is_recognised() {
        check("/blog", "/blog/page/2", NEXT);
        check("/blog/page/2/", "/blog/page/3/", NEXT);
        check("/blog/page/2/", "/blog/", Step::Back);
        check("/list?page=2", "/list?page=3", NEXT);
        check("/list?a=b", "/list?a=b&page=2", NEXT);
        check("/list?start=20", "/list?start=40", Step::On { by: Some(20) });
        check("/list?start=20", "/list?start=0", Step::Back);
        check("/categories/help", "/categories/help/p2", NEXT);
        check("/comedy/", "/comedy/index2.html", NEXT);
        check("/information_2.html", "/information_3.html", NEXT);
        check("/information_2.html", "/information.html", Step::Back);
        check("/investments.html", "/investments/page/2.html", NEXT);
        check("/blog/?PAGEN_1=2", "/blog/?PAGEN_1=3", NEXT);
        check("/r/x/", "/r/x/?count=25&after=t3_6kolrt", Step::On { by: None });
        check("/list?page=2", "/list?page=2", Step::Stay);
    }

    #[test]
    fn what_does_not_count_is_somewhere_else() {
        check("/list", "/list?sort=price", Step::Beside);
        check("/list", "/about", Step::Away);
        check("/2024/04/", "/2024/05/", Step::Away);
        check("/2024/", "/2025/", Step::Away);
        check("/post/17/", "/post/a-title/", Step::Away);
        check("/list?id=5", "/list?id=6", Step::Beside);
    }

    #[test]
    fn sites() {
        let same = |a: &str, b: &str| is_same_site(&Url::parse(a).unwrap(), &Url::parse(b).unwrap());
        assert!(same("http://www.a.org/", "https://a.org/"));
        assert!(same("http://blog.a.org/", "https://a.org/"));
        assert!(!same("http://a.org/", "https://b.org/"));
        assert!(!same("http://localhost/", "http://a.localhost/"));
        assert!(!same("http://notme.org/", "http://me.org/"));
    }
}
