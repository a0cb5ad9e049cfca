//! An item under construction: decides which of several titles, summaries and links to keep.

use crate::content::Slot;
use crate::model::{Item, Text};
use crate::uri;

/// An item whose element is open.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) item: Item,
    /// Depth of the title kept, unless it is only that of a file.
    title_level: Option<usize>,
    /// Depth of the summary kept.
    summary_level: Option<usize>,
    /// `true` if the summary is that of a file.
    summary_is_media: bool,
    /// `true` if there was a content.
    pub(super) has_content: bool,
    /// Identifier that may serve as a link.
    pub(super) permalink: Option<String>,
    /// Link to something that is not a page.
    pub(super) other_link: Option<String>,
}

impl Draft {
    /// Returns `true` if a second summary is to be used as the content: feeds with two have a short one and a long
    /// one.
    pub(super) fn has_only_summary(&self) -> bool {
        self.item.summary.is_some() && !self.summary_is_media && !self.has_content
    }

    /// Offers a title. The first one is kept, but a less deep one replaces those of parts; that of a file is kept
    /// only if there is no other.
    pub(super) fn title(&mut self, text: &Text, level: usize, slot: Slot) {
        let plain = text.plain();
        if plain.is_empty() || self.title_level.is_some_and(|taken| taken <= level) {
            return;
        }
        if slot == Slot::Title {
            self.title_level = Some(level);
        } else if self.item.title.is_some() {
            return;
        }
        self.item.title = Some(plain);
    }

    /// Offers a summary. The last one is kept, but not that of a part.
    pub(super) fn summary(&mut self, text: Text, level: usize, slot: Slot) {
        let media = slot == Slot::MediaSummary;
        let better = self.item.summary.is_none()
            || !media && (self.summary_is_media || self.summary_level.is_none_or(|taken| level <= taken));
        if better && !text.value.is_empty() {
            self.item.summary = Some(text);
            self.summary_level = Some(level);
            self.summary_is_media = media;
        }
    }

    /// Offers a content. The first one that is not empty is kept.
    pub(super) fn content(&mut self, text: Text) {
        if self.item.body.is_none() && !text.value.is_empty() {
            self.item.body = Some(text);
        }
    }

    /// Returns the item at the end of its element. `inherited` are the feed's authors.
    pub(super) fn finish(self, inherited: &[String]) -> Item {
        let mut item = self.item;
        if item.link.is_none() {
            item.link = self.permalink.filter(|link| uri::is_web(link)).or(self.other_link);
        }
        if item.body.is_none() {
            item.body.clone_from(&item.summary);
        }
        if item.authors.is_empty() {
            item.authors = inherited.to_vec();
        }
        item
    }
}
