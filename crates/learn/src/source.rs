//! A page to learn from: its document, and what is known of it besides.

use std::borrow::Cow;
use std::sync::Arc;

use url::Url;
use windrow_dom::Document;
use windrow_wrapper::Page;
use windrow_wrapper::values::Hints;

/// A page as a learner sees it. Made from a [`Document`] alone, or from a [`Page`], which also knows its name and its
/// address: these help to name lists and to choose types.
#[derive(Debug, Clone)]
pub struct Source<'p> {
    pub(crate) document: &'p Document,
    pub(crate) hints: Cow<'p, Hints>,
    pub(crate) name: &'p str,
    pub(crate) url: Option<&'p Url>,
}

impl<'p> From<&'p Document> for Source<'p> {
    fn from(document: &'p Document) -> Source<'p> {
        Source { document, hints: Cow::Owned(Hints::from_document(document, None)), name: "", url: None }
    }
}

impl<'p> From<&'p Arc<Page>> for Source<'p> {
    fn from(page: &'p Arc<Page>) -> Source<'p> {
        Source::from(&**page)
    }
}

impl<'p> From<&'p Page> for Source<'p> {
    fn from(page: &'p Page) -> Source<'p> {
        let document = page.document();
        Source { document, hints: Cow::Borrowed(page.hints()), name: page.name(), url: page.url().or(page.base()) }
    }
}
