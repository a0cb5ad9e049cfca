//! An item while it is read: which of several titles, summaries and links it keeps.

use crate::content::Slot;
use crate::model::{Item, Text};
use crate::uri;

/// An item that is open.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) item: Item,
    /// How deep the title is that was taken, if it is not one of a file only.
    title_level: Option<usize>,
    /// How deep the summary is.
    summary_level: Option<usize>,
    /// Whether the summary is that of a file.
    summary_is_media: bool,
    /// Whether a content was seen.
    pub(super) has_content: bool,
    /// An identifier that may serve as a link.
    pub(super) permalink: Option<String>,
    /// A link to something that is no page.
    pub(super) other_link: Option<String>,
}

impl Draft {
    /// Whether a second summary is to be taken as the content: feeds with two mean a short one and a long one.
    pub(super) fn has_only_summary(&self) -> bool {
        self.item.summary.is_some() && !self.summary_is_media && !self.has_content
    }

    /// Takes a title: the first, but one that is less deep before those of parts; that of a file only if there is no
    /// other.
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

    /// Takes a summary: the last, but none of a part.
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

    /// Takes a content: the first that is not empty.
    pub(super) fn content(&mut self, text: Text) {
        if self.item.body.is_none() && !text.value.is_empty() {
            self.item.body = Some(text);
        }
    }

    /// The item, when its element has ended. `inherited`: the feed's authors.
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
