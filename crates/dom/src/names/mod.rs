//! Element and attribute names as small integers.
//!
//! Names that HTML knows have fixed ids (the constants here), found by one multiplication and one comparison: a name
//! of up to sixteen bytes *is* a `u128`, so comparing it is a single instruction and no string is touched. All other
//! names (`data-product-sku`, `my-widget`) get ids that are specific to the document.
//!
//! # Cost
//!
//! Known name: a load, a multiply, a probe. Unknown name: one hash lookup in the document's table.

mod table;

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

pub use table::*;

/// The id of an element or attribute name within one document.
///
/// Ids of names that HTML knows are the same in every document (the constants of this module).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameId(pub(crate) u32);

impl NameId {
    /// Returns the id as an index, for side tables keyed by name.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Properties of element names in the standard, as bits.
pub(crate) mod traits {
    /// "Special" elements: they stop the search of a stray end tag.
    pub(crate) const SPECIAL: u16 = 1;
    /// Bounds the default scope.
    pub(crate) const SCOPE: u16 = 1 << 1;
    /// Bounds the list item scope (in addition to [`SCOPE`]).
    pub(crate) const LIST_SCOPE: u16 = 1 << 2;
    /// Bounds the button scope (in addition to [`SCOPE`]).
    pub(crate) const BUTTON_SCOPE: u16 = 1 << 3;
    /// Bounds the table scope.
    pub(crate) const TABLE_SCOPE: u16 = 1 << 4;
    /// Closed by "generate implied end tags".
    pub(crate) const IMPLIED: u16 = 1 << 5;
    /// Closed by "generate all implied end tags thoroughly".
    pub(crate) const THOROUGH: u16 = 1 << 6;
    /// Has no end tag and no content.
    pub(crate) const VOID: u16 = 1 << 7;
    /// Starts a new line when shown.
    pub(crate) const BLOCK: u16 = 1 << 8;
    /// Not shown at all.
    pub(crate) const HIDDEN: u16 = 1 << 9;
    /// A start tag that leaves foreign content.
    pub(crate) const BREAKOUT: u16 = 1 << 10;
    /// Determines the insertion mode while it is open.
    pub(crate) const MODE: u16 = 1 << 11;
    /// Its tags have a special meaning in a table cell.
    pub(crate) const IN_CELL: u16 = 1 << 12;
}

const fn contains(list: &[NameId], id: usize) -> bool {
    let mut at = 0;
    while at < list.len() {
        if list[at].0 as usize == id {
            return true;
        }
        at += 1;
    }
    false
}

/// [`traits`] bits of each element name, by id.
pub(crate) static ELEMENT_TRAITS: [u16; ELEMENTS] = {
    use traits::*;
    let mut out = [0u16; ELEMENTS];
    let mut id = 0;
    while id < ELEMENTS {
        let mut bits = 0;
        if contains(
            &[
                ADDRESS,
                APPLET,
                AREA,
                ARTICLE,
                ASIDE,
                BASE,
                BASEFONT,
                BGSOUND,
                BLOCKQUOTE,
                BODY,
                BR,
                table::BUTTON,
                CAPTION,
                CENTER,
                COL,
                COLGROUP,
                DD,
                DETAILS,
                DIR,
                DIV,
                DL,
                DT,
                EMBED,
                FIELDSET,
                FIGCAPTION,
                FIGURE,
                FOOTER,
                FORM,
                FRAME,
                FRAMESET,
                H1,
                H2,
                H3,
                H4,
                H5,
                H6,
                HEAD,
                HEADER,
                HGROUP,
                HR,
                HTML,
                IFRAME,
                IMG,
                INPUT,
                KEYGEN,
                LI,
                LINK,
                LISTING,
                MAIN,
                MARQUEE,
                MENU,
                META,
                NAV,
                NOEMBED,
                NOFRAMES,
                NOSCRIPT,
                OBJECT,
                OL,
                P,
                PARAM,
                PLAINTEXT,
                PRE,
                SCRIPT,
                SEARCH,
                SECTION,
                SELECT,
                SOURCE,
                STYLE,
                SUMMARY,
                table::TABLE,
                TBODY,
                TD,
                TEMPLATE,
                TEXTAREA,
                TFOOT,
                TH,
                THEAD,
                TITLE,
                TR,
                TRACK,
                UL,
                WBR,
                XMP,
            ],
            id,
        ) {
            bits |= SPECIAL;
        }
        if contains(&[APPLET, CAPTION, HTML, table::TABLE, TD, TH, MARQUEE, OBJECT, SELECT, TEMPLATE], id) {
            bits |= SCOPE;
        }
        if contains(&[OL, UL], id) {
            bits |= LIST_SCOPE;
        }
        if contains(&[table::BUTTON], id) {
            bits |= BUTTON_SCOPE;
        }
        if contains(&[HTML, table::TABLE, TEMPLATE], id) {
            bits |= TABLE_SCOPE;
        }
        if contains(&[DD, DT, LI, OPTGROUP, OPTION, P, RB, RP, RT, RTC], id) {
            bits |= IMPLIED | THOROUGH;
        }
        if contains(&[CAPTION, COLGROUP, TBODY, TD, TFOOT, TH, THEAD, TR], id) {
            bits |= THOROUGH;
        }
        if contains(
            &[
                AREA, BASE, BASEFONT, BGSOUND, BR, COL, EMBED, FRAME, HR, IMG, INPUT, KEYGEN, LINK, META, PARAM,
                SOURCE, TRACK, WBR,
            ],
            id,
        ) {
            bits |= VOID;
        }
        if contains(
            &[
                ADDRESS,
                ARTICLE,
                ASIDE,
                BLOCKQUOTE,
                BODY,
                CAPTION,
                CENTER,
                DD,
                DETAILS,
                DIALOG,
                DIR,
                DIV,
                DL,
                DT,
                FIELDSET,
                FIGCAPTION,
                FIGURE,
                FOOTER,
                FORM,
                FRAMESET,
                H1,
                H2,
                H3,
                H4,
                H5,
                H6,
                HEADER,
                HGROUP,
                HR,
                HTML,
                LEGEND,
                LI,
                LISTING,
                MAIN,
                MENU,
                NAV,
                OL,
                OPTGROUP,
                OPTION,
                P,
                PLAINTEXT,
                PRE,
                SEARCH,
                SECTION,
                SUMMARY,
                table::TABLE,
                TBODY,
                TFOOT,
                THEAD,
                TR,
                UL,
                XMP,
            ],
            id,
        ) {
            bits |= BLOCK;
        }
        if contains(
            &[
                AREA, BASE, BASEFONT, DATALIST, HEAD, IFRAME, LINK, META, NOEMBED, NOFRAMES, PARAM, RP, SCRIPT, SOURCE,
                STYLE, TEMPLATE, TITLE, TRACK,
            ],
            id,
        ) {
            bits |= HIDDEN;
        }
        if contains(
            &[
                B,
                BIG,
                BLOCKQUOTE,
                BODY,
                BR,
                CENTER,
                CODE,
                DD,
                DIV,
                DL,
                DT,
                EM,
                EMBED,
                H1,
                H2,
                H3,
                H4,
                H5,
                H6,
                HEAD,
                HR,
                I,
                IMG,
                LI,
                LISTING,
                MENU,
                META,
                NOBR,
                OL,
                P,
                PRE,
                RUBY,
                S,
                SMALL,
                SPAN,
                STRONG,
                STRIKE,
                SUB,
                SUP,
                table::TABLE,
                TT,
                U,
                UL,
                VAR,
            ],
            id,
        ) {
            bits |= BREAKOUT;
        }
        if contains(
            &[BODY, CAPTION, COLGROUP, FRAMESET, HEAD, HTML, table::TABLE, TBODY, TD, TEMPLATE, TFOOT, TH, THEAD, TR],
            id,
        ) {
            bits |= MODE;
        }
        if contains(&[BODY, CAPTION, COL, COLGROUP, HTML, table::TABLE, TBODY, TD, TFOOT, TH, THEAD, TR], id) {
            bits |= IN_CELL;
        }
        out[id] = bits;
        id += 1;
    }
    out
};

impl NameId {
    /// Returns `true` if the standard gives an HTML element with this name any of the `wanted` traits.
    #[inline]
    pub(crate) fn has(self, wanted: u16) -> bool {
        self.traits() & wanted != 0
    }

    /// Returns all trait bits of this name.
    #[inline]
    pub(crate) fn traits(self) -> u16 {
        ELEMENT_TRAITS.get(self.index()).copied().unwrap_or(0)
    }
}

/// Number of slots of the static table: four times the names, so that most probes end at once.
const SLOTS: usize = 2048;
const EMPTY: u16 = u16::MAX;

/// Packs a name of at most sixteen bytes into an integer; longer names have no key.
const fn key_of(name: &[u8]) -> u128 {
    let mut key = 0u128;
    let mut at = 0;
    while at < name.len() {
        key |= (name[at] as u128) << (8 * at);
        at += 1;
    }
    key
}

#[inline]
const fn slot_of(key: u128) -> usize {
    let folded = (key as u64) ^ ((key >> 64) as u64).rotate_left(23);
    (folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 53) as usize
}

static KEYS: [u128; STATIC.len()] = {
    let mut out = [0u128; STATIC.len()];
    let mut id = 0;
    while id < STATIC.len() {
        let name = STATIC[id].as_bytes();
        assert!(name.len() <= 16);
        out[id] = key_of(name);
        id += 1;
    }
    out
};

static INDEX: [u16; SLOTS] = {
    let mut out = [EMPTY; SLOTS];
    let mut id = 0;
    while id < STATIC.len() {
        let mut slot = slot_of(KEYS[id]);
        while out[slot] != EMPTY {
            slot = (slot + 1) % SLOTS;
        }
        out[slot] = id as u16;
        id += 1;
    }
    out
};

/// Number of slots of the table of short names.
const SHORT_SLOTS: usize = 1024;

/// The names of up to eight bytes, with key and id side by side: one load finds both. An empty slot has the key zero.
static SHORT: [(u64, u16); SHORT_SLOTS] = {
    let mut out = [(0, 0); SHORT_SLOTS];
    let mut id = 0;
    while id < STATIC.len() {
        if STATIC[id].len() <= 8 {
            let mut slot = short_slot(KEYS[id] as u64);
            while out[slot].0 != 0 {
                slot = (slot + 1) % SHORT_SLOTS;
            }
            out[slot] = (KEYS[id] as u64, id as u16);
        }
        id += 1;
    }
    out
};

#[inline]
const fn short_slot(key: u64) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 54) as usize
}

/// Does the same as [`fixed`] for a name of one to eight bytes.
#[inline]
pub(crate) fn fixed_short(key: u64) -> Option<NameId> {
    let mut slot = short_slot(key);
    loop {
        let (found, id) = SHORT[slot];
        if found == key {
            return Some(NameId(id as u32));
        }
        if found == 0 {
            return None;
        }
        slot = (slot + 1) % SHORT_SLOTS;
    }
}

/// Returns the number of names with a fixed id.
pub(crate) const fn fixed_len() -> usize {
    STATIC.len()
}

/// Returns the fixed id of a name given by its packed key.
#[inline]
pub(crate) fn fixed(key: u128) -> Option<NameId> {
    let mut slot = slot_of(key);
    loop {
        let id = INDEX[slot];
        if id == EMPTY {
            return None;
        }
        if KEYS[id as usize] == key {
            return Some(NameId(id as u32));
        }
        slot = (slot + 1) % SLOTS;
    }
}

/// Largest number of names: ids have 24 bits. A page would need tens of megabytes of distinct names to reach it; the
/// last id then stands for all further ones.
const MAX_NAMES: usize = 1 << 24;

/// The names of one document: the fixed ones and its own.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    text: String,
    /// End of each own name in `text`.
    ends: Vec<u32>,
    index: HashTable<u32>,
    /// Seeded, since an attacker may choose the names; ids follow first use, so the seed never shows.
    hasher: RandomState,
}

impl Names {
    /// Returns the string of an id.
    #[inline]
    pub(crate) fn get(&self, id: NameId) -> &str {
        match STATIC.get(id.index()) {
            Some(name) => name,
            None => self.own(id.index() - STATIC.len()),
        }
    }

    fn own(&self, at: usize) -> &str {
        let start = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        &self.text[start..self.ends[at] as usize]
    }

    /// Returns the id of a name, if this document (or HTML) has it.
    pub(crate) fn find(&self, name: &str) -> Option<NameId> {
        if name.len() <= 16
            && let Some(id) = fixed(key_of(name.as_bytes()))
        {
            return Some(id);
        }
        self.find_own(name, self.hasher.hash_one(name))
    }

    fn find_own(&self, name: &str, hash: u64) -> Option<NameId> {
        self.index
            .find(hash, |&at| self.own(at as usize) == name)
            .map(|&at| NameId((STATIC.len() + at as usize) as u32))
    }

    /// Returns the id of a name, adding it if it is new.
    pub(crate) fn intern(&mut self, name: &str) -> NameId {
        if name.len() <= 16
            && let Some(id) = fixed(key_of(name.as_bytes()))
        {
            return id;
        }
        self.intern_own(name)
    }

    /// Does the same as [`Names::intern`] for a name known not to be a fixed one.
    pub(crate) fn intern_own(&mut self, name: &str) -> NameId {
        let hashed = self.hasher.hash_one(name);
        if let Some(id) = self.find_own(name, hashed) {
            return id;
        }
        if self.len() >= MAX_NAMES {
            return NameId(MAX_NAMES as u32 - 1);
        }
        let at = self.ends.len() as u32;
        self.text.push_str(name);
        self.ends.push(self.text.len() as u32);
        let (text, ends, hasher) = (&self.text, &self.ends, &self.hasher);
        self.index.insert_unique(hashed, at, |&other| {
            let other = other as usize;
            let start = if other == 0 { 0 } else { ends[other - 1] as usize };
            hasher.hash_one(&text[start..ends[other] as usize])
        });
        NameId(STATIC.len() as u32 + at)
    }

    /// Returns the number of ids assigned: every id's index is below this.
    pub(crate) fn len(&self) -> usize {
        STATIC.len() + self.ends.len()
    }

    /// Returns the number of heap bytes.
    pub(crate) fn heap(&self) -> usize {
        self.text.capacity() + self.ends.capacity() * 4 + self.index.allocation_size()
    }

    pub(crate) fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_names_have_their_constants() {
        let names = Names::default();
        assert_eq!(names.find("div"), Some(DIV));
        assert_eq!(names.find("href"), Some(HREF));
        assert_eq!(names.get(ANNOTATION_XML), "annotation-xml");
        for (id, name) in STATIC.iter().enumerate() {
            assert_eq!(names.find(name), Some(NameId(id as u32)), "{name}");
        }
    }

    #[test]
    fn own_names_are_interned_once() {
        let mut names = Names::default();
        let first = names.intern("data-product-sku");
        for at in 0..1000 {
            names.intern(&format!("x-{at}"));
        }
        assert_eq!(names.intern("data-product-sku"), first);
        assert_eq!(names.find("x-999").map(|id| names.get(id).to_owned()), Some("x-999".to_owned()));
        assert_eq!(names.find("x-1000"), None);
    }
}
