//! Stores the values of elements in the feed and its items.

use super::{Attributes, Builder, Kind, PersonDraft, attribute};
use crate::content::Slot;
use crate::date;
use crate::markup::collapse;
use crate::model::{Enclosure, Text};
use crate::names::Tag;
use crate::repair::mend;
use crate::uri;

/// Largest number of categories per item: each is compared with the others.
const CATEGORIES: usize = 200;
/// Largest number of the feed's authors that its items inherit.
const INHERITED: usize = 3;

impl<'s> Builder<'s> {
    /// Returns the slot of a summary that begins now.
    pub(super) fn summary_slot(&self) -> Slot {
        match &self.draft {
            Some(draft) if self.asides == 0 && draft.has_only_summary() => Slot::Content,
            _ => Slot::Summary,
        }
    }

    /// Reads the attributes of CDF's channel and items, which correspond to elements of other formats.
    pub(super) fn cdf(&mut self, attributes: Attributes<'_, 's>) {
        if let Some(link) = attribute(attributes, "href") {
            self.set_link(link);
        }
        if let Some(date) = attribute(attributes, "lastmod") {
            self.value(Tag::Updated, date, false);
        }
    }

    /// Handles a link: Atom's is in its attributes, in other formats it is the text.
    pub(super) fn link(&mut self, attributes: Attributes<'_, 's>) -> Kind {
        let href = ["href", "url", "uri"].iter().find_map(|name| attribute(attributes, name));
        let Some(href) = href else { return Kind::Value(Tag::Link) };
        if self.asides > 0 {
            return Kind::Other;
        }
        let relation = attribute(attributes, "rel").unwrap_or("alternate").trim().to_ascii_lowercase();
        let relation = relation.rsplit('/').next().unwrap_or_default();
        let media_type = attribute(attributes, "type").map(|value| value.trim().to_ascii_lowercase());
        let is_page = media_type.as_deref().is_none_or(|media_type| {
            matches!(media_type, "" | "html" | "text/html" | "xhtml" | "application/xhtml+xml")
        });
        let url = uri::join(&self.base, href);
        match (&mut self.draft, relation) {
            (Some(draft), "alternate") if is_page => draft.item.link = Some(url),
            (Some(draft), "alternate") => draft.other_link = Some(url),
            (Some(_), "enclosure") => self.enclosure(attributes),
            (None, "alternate") if is_page => {
                self.feed.link.get_or_insert(url);
            }
            (None, "self") => {
                self.feed.address.get_or_insert(url);
            }
            (None, "next" | "prev-archive") => {
                self.feed.next.get_or_insert(url);
            }
            _ => {}
        }
        Kind::Other
    }

    fn set_link(&mut self, link: &str) {
        let link = link.trim();
        if link.is_empty() || self.asides > 0 {
            return;
        }
        let link = mend(uri::join(&self.base, link));
        match &mut self.draft {
            Some(draft) => draft.item.link = Some(link),
            None => self.feed.link = Some(link),
        }
    }

    /// Sets an identifier. `is_link` says that it is declared to be an address.
    pub(super) fn set_id(&mut self, id: &str, is_link: bool) {
        if id.is_empty() || self.asides > 0 {
            return;
        }
        let Some(draft) = &mut self.draft else { return };
        if is_link {
            draft.permalink = Some(uri::join(&self.base, id));
        }
        let joined = if is_link && uri::is_web(&self.base) { uri::join(&self.base, id) } else { id.to_owned() };
        draft.item.id = Some(mend(joined));
    }

    pub(super) fn enclosure(&mut self, attributes: Attributes<'_, 's>) {
        let url = ["url", "href", "uri"].iter().find_map(|name| attribute(attributes, name));
        let (Some(url), Some(draft), 0) = (url.filter(|url| !url.trim().is_empty()), &mut self.draft, self.asides)
        else {
            return;
        };
        let length = ["length", "filesize"].iter().find_map(|name| attribute(attributes, name));
        draft.item.enclosures.push(Enclosure {
            url: uri::join(&self.base, url),
            media_type: attribute(attributes, "type").map(str::to_owned),
            length: length.and_then(|length| length.trim().parse().ok()),
        });
    }

    pub(super) fn category(&mut self, name: &str) {
        let Some(draft) = self.draft.as_mut().filter(|_| self.asides == 0) else { return };
        let name = mend(collapse(name));
        let known = &mut draft.item.categories;
        if !name.is_empty() && known.len() < CATEGORIES && !known.contains(&name) {
            known.push(name);
        }
    }

    /// Stores the text of a plain element. For `flag`, see [`super::Open::flag`].
    pub(super) fn value(&mut self, tag: Tag, text: &str, flag: bool) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        match tag {
            Tag::Link => self.set_link(text),
            Tag::Id => self.set_id(text, flag),
            Tag::Published | Tag::Updated | Tag::Created => self.date(tag, text),
            Tag::Category if !flag => self.category(text),
            Tag::Keywords => text.split(',').for_each(|name| self.category(name)),
            Tag::Language if self.draft.is_none() && self.asides == 0 => {
                self.feed.language = Some(text.replace('_', "-"));
            }
            Tag::OriginalLink => {
                if let Some(draft) = &mut self.draft {
                    draft.item.original_link = Some(uri::join(&self.base, text));
                }
            }
            Tag::Name => self.person.name = Some(mend(collapse(text))),
            Tag::Email => self.person.email = Some(text.to_owned()),
            _ => {}
        }
    }

    fn date(&mut self, tag: Tag, text: &str) {
        if self.asides > 0 {
            return;
        }
        let Some(date) = date::parse(text) else {
            self.bad_dates += 1;
            self.first_bad_date.get_or_insert_with(|| text.chars().take(60).collect());
            return;
        };
        let Some(draft) = &mut self.draft else { return };
        match tag {
            Tag::Published => draft.item.published = Some(date),
            Tag::Updated => draft.item.updated = Some(date),
            _ => draft.item.created = Some(date),
        }
    }

    pub(super) fn end_author(&mut self, text: &str) {
        let PersonDraft { name, email } = std::mem::take(&mut self.person);
        let text = mend(collapse(text));
        let author = name.or_else(|| (!text.is_empty()).then(|| name_of(&text).to_owned())).or(email);
        let Some(author) = author.filter(|author| !author.is_empty() && self.asides == 0) else { return };
        match &mut self.draft {
            Some(draft) if draft.item.authors.len() < CATEGORIES && !draft.item.authors.contains(&author) => {
                draft.item.authors.push(author);
            }
            None if self.feed_authors.len() < INHERITED => self.feed_authors.push(author),
            _ => {}
        }
    }

    /// Handles the end of a text that may contain markup.
    pub(super) fn end_content(&mut self) {
        let Some(content) = self.content.take() else { return };
        let (slot, level) = (content.slot, content.level);
        let text = content.finish(!self.feed.format.is_atom());
        if self.asides > 0 {
            return;
        }
        let text = text.with_base(&self.base);
        let Some(draft) = &mut self.draft else {
            self.feed_text(slot, level, &text);
            return;
        };
        match slot {
            Slot::Title | Slot::MediaTitle => draft.title(&text, level, slot),
            Slot::Summary | Slot::MediaSummary => draft.summary(text, level, slot),
            Slot::Content => {
                draft.has_content = true;
                draft.content(text);
            }
            Slot::Subtitle => {}
        }
    }

    fn feed_text(&mut self, slot: Slot, level: usize, text: &Text) {
        let plain = text.plain();
        if plain.is_empty() {
            return;
        }
        match slot {
            Slot::Title if self.feed_title_level.is_none_or(|taken| level < taken) => {
                self.feed_title_level = Some(level);
                self.feed.title = Some(plain);
            }
            Slot::Summary | Slot::Subtitle => {
                self.feed.description.get_or_insert(plain);
            }
            _ => {}
        }
    }
}

/// Returns the name in `joe@farm.example (Joe)` or `Joe <joe@farm.example>`.
fn name_of(text: &str) -> &str {
    let inside = |open: char, close: char| {
        let (before, rest) = text.split_once(open)?;
        let (inside, _) = rest.rsplit_once(close)?;
        Some((before.trim(), inside.trim()))
    };
    match (inside('(', ')'), inside('<', '>')) {
        (Some((before, inside)), _) if before.contains('@') && !inside.is_empty() => inside,
        (Some((before, inside)), _) if inside.contains('@') && !before.is_empty() => before,
        (_, Some((before, inside))) if inside.contains('@') && !before.is_empty() => before,
        _ => text,
    }
}
