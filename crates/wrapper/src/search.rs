//! Search engines: wrappers whose pages are requested by a query and whose results link to other sites.
//!
//! The rules are those of any wrapper; its `search` table describes how to request a page of results. Mistakes in it
//! are found when the file is read. Building an address is linear in the template.

use std::sync::Arc;

use url::Url;

use crate::error::{Errors, WrapperError};
use crate::object::{Object, Objects};
use crate::page::Page;
use crate::run::Extractor;
use crate::typed::Value;
use crate::values::Type;
use crate::wrapper::{Rule, Search, Wrapper};

/// Largest number of result pages per query: no engine serves more, whatever it counts.
const MAX_PAGES: u32 = 100;
/// Largest number of results taken from a page. No engine shows as many.
const MAX_RESULTS: usize = 1000;
/// Placeholders for the query and for the page number.
const QUERY: &str = "{query}";
const PAGE: &str = "{page}";
/// Default name of the field that holds the link.
const LINK: &str = "link";

/// Reports the mistakes in a wrapper's `search`.
pub(crate) fn check(wrapper: &Wrapper, errors: &mut Vec<WrapperError>) {
    let Some(search) = &wrapper.search else { return };
    let mut wrong = |message: String, hint: &str, span| {
        errors.push(WrapperError::BadSearch { message, hint: Some(hint.to_owned()), span });
    };
    let url = &search.url;
    if !url.contains(QUERY) {
        let hint = "put `{query}` where the query belongs: `https://search.example/?q={query}`";
        wrong("the address of a search has no `{query}`".to_owned(), hint, url.span);
    } else if let Err(message) = made(search, "hay", 0) {
        let hint = "an address looks like `https://search.example/?q={query}&page={page}`";
        wrong(format!("the address of the search is invalid: {message}"), hint, url.span);
    }
    if !(1..=MAX_PAGES).contains(&search.pages) {
        wrong(format!("`pages` is {}, which is out of range", search.pages), "use a number from 1 to 100", url.span);
    }
    let links = links(&wrapper.rules);
    match &search.link {
        Some(link) if !links.contains(&&**link) => {
            let known = links.iter().map(|link| format!("`{link}`")).collect::<Vec<_>>().join(", ");
            let hint = if links.is_empty() {
                "no field is of type `url`: `link = { xpath = \".//a/@href\", type = \"url\" }`".to_owned()
            } else {
                format!("the fields of type `url` are {known}")
            };
            wrong(format!("there is no field `{link}` of type `url`"), &hint, link.span);
        }
        None if links.is_empty() => {
            let hint = "add a field to the results, such as `link = { xpath = \".//a/@href\", type = \"url\" }`";
            wrong("the results have no links: no field is of type `url`".to_owned(), hint, url.span);
        }
        _ => {}
    }
}

/// Returns the labels of fields that are addresses. Recursion is as deep as the rules, which their readers bound.
fn links(rules: &[Rule]) -> Vec<&str> {
    let mut labels = Vec::new();
    for rule in rules {
        if rule.rules.is_empty() && rule.ty == Type::Url {
            labels.push(rule.label.as_deref().unwrap_or(&rule.name));
        }
        labels.extend(links(&rule.rules));
    }
    labels
}

/// Builds the address of a page of results, counted from 0.
fn made(search: &Search, query: &str, page: u32) -> Result<Url, String> {
    // `%20` means a space everywhere, `+` only after the question mark.
    let query: String = url::form_urlencoded::byte_serialize(query.as_bytes()).collect::<String>().replace('+', "%20");
    let number = u64::from(search.first) + u64::from(search.step) * u64::from(page);
    let text = search.url.replace(PAGE, &number.to_string()).replace(QUERY, &query);
    let url = Url::parse(&text).map_err(|error| error.to_string())?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        other => Err(format!("`{other}:` addresses are not fetched")),
    }
}

/// A search engine, ready for queries.
#[derive(Debug)]
pub struct Engine {
    search: Search,
    extractor: Extractor,
    link: String,
}

impl Engine {
    /// Creates the engine that a wrapper describes; `None` if it has no `search`.
    ///
    /// # Errors
    ///
    /// Returns the errors of the wrapper, as [`Extractor::new`] does, or of its `search`.
    pub fn new(wrapper: &Wrapper) -> Result<Option<Engine>, Errors> {
        let Some(search) = wrapper.search.clone() else { return Ok(None) };
        let mut errors = Vec::new();
        check(wrapper, &mut errors);
        let extractor = Errors::unless_empty(errors, ()).and_then(|()| Extractor::new(wrapper))?;
        let links = links(&wrapper.rules);
        let usual = links.iter().find(|link| **link == LINK).or(links.first()).map(|link| (*link).to_owned());
        let link = search.link.as_deref().map(str::to_owned).or(usual).unwrap_or_default();
        Ok(Some(Engine { search, extractor, link }))
    }

    /// Returns the address of a page of results, counted from 0; `None` beyond the last one to read.
    pub fn address(&self, query: &str, page: u32) -> Option<Url> {
        (page < self.search.pages).then(|| made(&self.search, query, page).ok()).flatten()
    }

    /// Returns `true` if the address contains the page number. Otherwise the link to the next page is found on the
    /// page.
    pub fn is_numbered(&self) -> bool {
        self.search.url.contains(PAGE)
    }

    /// Returns the number of result pages to read per query.
    pub fn pages(&self) -> u32 {
        self.search.pages
    }

    /// Returns the links of the results on a page, in order and without duplicates. If a link to the engine itself
    /// has another address in its query, it is a redirect that counts clicks, and that other address is returned.
    pub fn results(&self, page: impl Into<Arc<Page>>) -> Vec<Url> {
        let page = page.into();
        let own = page.url().and_then(Url::host_str).map(str::to_owned);
        let extraction = self.extractor.extract(page);
        let mut results = Vec::new();
        self.gather(extraction.objects(), &mut |url: Url| {
            let counted = url.host_str().map(str::to_owned) == own;
            let meant = if counted { led_to(&url).unwrap_or(url) } else { url };
            if results.len() < MAX_RESULTS && !results.contains(&meant) {
                results.push(meant);
            }
        });
        results
    }

    /// Passes the links to `take`. Recursion is as deep as the rules, which their compiler bounds.
    fn gather(&self, objects: Objects<'_>, take: &mut impl FnMut(Url)) {
        for object in objects {
            if object.is_set() {
                self.gather(object.objects(), take);
            } else if object.label() == self.link {
                address(object).into_iter().for_each(&mut *take);
            }
        }
    }
}

fn address(object: Object<'_>) -> Option<Url> {
    let Value::Url(text) = object.value() else { return None };
    let url = Url::parse(&text).ok()?;
    matches!(url.scheme(), "http" | "https").then_some(url)
}

/// Returns the address contained in the query of another.
fn led_to(url: &Url) -> Option<Url> {
    let mut values = url.query_pairs().filter_map(|(_, value)| Url::parse(&value).ok());
    values.find(|target| matches!(target.scheme(), "http" | "https"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::{self, Format};

    const RULES: &str = r#"
        [search]
        url = "https://find.example/s?q={query}&from={page}"
        first = 0
        step = 10

        [list.results]
        records = "li"
        field.link = { xpath = "a/@href", type = "url" }
        field.title = "a"
    "#;

    fn engine(text: &str) -> Result<Option<Engine>, Errors> {
        files::read(text, Format::Toml).and_then(|wrapper| Engine::new(&wrapper))
    }

    fn complaint(text: &str) -> String {
        engine(text).unwrap_err().0[0].to_string()
    }

    #[test]
    fn addresses_are_made_of_queries_and_numbers() {
        let engine = engine(RULES).unwrap().unwrap();
        let address = |query: &str, page| engine.address(query, page).map(|url| url.to_string());
        assert_eq!(address("hay rake", 0).unwrap(), "https://find.example/s?q=hay%20rake&from=0");
        assert_eq!(address("a&b=c #+", 2).unwrap(), "https://find.example/s?q=a%26b%3Dc%20%23%2B&from=20");
        assert_eq!(address("药品", 1).unwrap(), "https://find.example/s?q=%E8%8D%AF%E5%93%81&from=10");
        // A text that looks like a place for another is only a text.
        assert_eq!(address("{page}", 0).unwrap(), "https://find.example/s?q=%7Bpage%7D&from=0");
        assert_eq!(address("x", 3), None);
    }

    #[test]
    fn results_lead_out_each_once() {
        let engine = engine(RULES).unwrap().unwrap();
        let page = "<ul><li><a href=https://a.example/x>A</a><li><a href='/go?u=https%3A%2F%2Fb.example%2F&n=1'>B</a>\
                    <li><a href=https://a.example/x>A again</a><li><a href=mailto:us@find.example>Write</a>\
                    <li><a href=/about>About</a><li>Nothing</ul>";
        let page = Page::from_text("r", page).with_url(Url::parse("https://find.example/s?q=x").unwrap());
        let results: Vec<String> = engine.results(page).iter().map(Url::to_string).collect();
        assert_eq!(results, ["https://a.example/x", "https://b.example/", "https://find.example/about"]);
    }

    #[test]
    fn what_is_wrong_with_a_search_is_told() {
        assert!(engine("field.a = \"b\"").unwrap().is_none());
        let with = |search: &str| format!("[search]\n{search}\n[list.r]\nrecords = \"li\"\nfield.link = \"a\"");
        assert_eq!(complaint(&with("pages = 2")), "`search` needs `url`");
        assert_eq!(complaint(&with("url = \"https://a.example/\"")), "the address of a search has no `{query}`");
        let wrong = complaint(&RULES.replace("https://", "ftp://"));
        assert_eq!(wrong, "the address of the search is invalid: `ftp:` addresses are not fetched");
        assert_eq!(
            complaint(&with("url = \"https://a.example/{query}\"")),
            "the results have no links: no field is of type `url`"
        );
        assert_eq!(complaint(&RULES.replace("first = 0", "link = \"lnk\"")), "there is no field `lnk` of type `url`");
        assert_eq!(complaint(&RULES.replace("first = 0", "pages = 0")), "`pages` is 0, which is out of range");
    }
}
