//! Weblogs written for a test: posts, and the templates that show them.
//!
//! A test says how one post is shown; what is around it is the same everywhere: a menu, a list of the newest titles at the
//! side that link to the same pages, a footer. The newest posts are in the feed and on the home page, the next are on an
//! older page and in no feed.

use std::sync::Arc;

use windrow_feed::Item;
use windrow_learn::feed::{Error, Lesson, Options, learn};
use windrow_wrapper::Page;

use super::feeds;

/// The weblog's address.
pub(super) const ADDRESS: &str = "https://meadow.example";

/// What an author wrote.
#[derive(Debug, Clone)]
pub(super) struct Post {
    /// Its number, the newest is 0.
    pub(super) number: usize,
    pub(super) title: String,
    /// Its address on the site.
    pub(super) path: String,
    pub(super) day: (i32, u8, u8),
    pub(super) paragraphs: Vec<String>,
    pub(super) author: String,
    pub(super) categories: Vec<String>,
}

const TITLES: [&str; 14] = [
    "Mowing the lower meadow",
    "A baler that ties its own knots",
    "Rain again",
    "Why we stopped turning hay by hand",
    "The barn owl is back",
    "Counting bales with a pencil",
    "What the vet said about clover",
    "New tyres",
    "Letters from readers of this page",
    "Twine or net?",
    "Three days without the tractor",
    "The neighbour's dog and our geese",
    "First cut of the year",
    "How to sharpen a scythe at home",
];

const DAYS: [(i32, u8, u8); 14] = [
    (2013, 8, 7),
    (2013, 8, 5),
    (2013, 7, 31),
    (2013, 7, 24),
    (2013, 7, 19),
    (2013, 7, 3),
    (2013, 6, 28),
    (2013, 6, 11),
    (2013, 5, 30),
    (2013, 5, 16),
    (2013, 5, 2),
    (2013, 4, 22),
    (2012, 12, 13),
    (2012, 11, 9),
];

const WORDS: [&str; 61] = [
    "hay", "field", "morning", "tractor", "we", "slow", "dry", "before", "the", "under", "clover", "rake", "stood",
    "wet", "grass", "left", "behind", "a", "long", "row", "turned", "over", "twice", "and", "nobody", "saw", "how",
    "wind", "came", "from", "river", "with", "small", "clouds", "that", "never", "brought", "rain", "to", "our",
    "hill", "so", "bales", "were", "heavy", "as", "stones", "when", "evening", "fell", "on", "yard", "where", "old",
    "dog", "slept", "near", "gate", "without", "moving", "once",
];

const AUTHORS: [&str; 3] = ["Ada Harrow", "Ben Tedder", "Cora Swathe"];
const CATEGORIES: [&str; 5] = ["Machines", "Weather", "Animals", "Field work", "Letters"];

/// Some words in a row, others for each number.
pub(super) fn words(number: usize, count: usize) -> String {
    let mut state = number as u64 * 2_654_435_761 + 12_345;
    let mut text = String::new();
    for at in 0..count {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let word = WORDS[(state >> 33) as usize % WORDS.len()];
        match at {
            0 => text.extend(word.chars().next().unwrap().to_uppercase().chain(word.chars().skip(1))),
            _ => text.push_str(&format!("{}{word}", if at % 9 == 8 { ", " } else { " " })),
        }
    }
    text + "."
}

/// The posts of a weblog, the newest first.
pub(super) fn posts() -> Vec<Post> {
    let post = |number: usize| {
        let title = TITLES[number].to_owned();
        let (year, month, day) = DAYS[number];
        let letters = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
        let slug: String = title.chars().map(letters).collect();
        let slug = slug.trim_matches('-');
        Post {
            number,
            path: format!("/{year}/{month:02}/{slug}/"),
            title,
            day: (year, month, day),
            paragraphs: (0..2 + number % 3)
                .map(|at| words(number * 16 + at, 18 + (number * 7 + at * 11) % 23))
                .collect(),
            author: AUTHORS[number % AUTHORS.len()].to_owned(),
            categories: (0..1 + number % 2)
                .map(|at| CATEGORIES[(number + at * 2) % CATEGORIES.len()].to_owned())
                .collect(),
        }
    };
    (0..TITLES.len()).map(post).collect()
}

impl Post {
    /// Its absolute address.
    pub(super) fn link(&self) -> String {
        format!("{ADDRESS}{}", self.path)
    }

    /// Its body as HTML.
    pub(super) fn html(&self) -> String {
        self.paragraphs.iter().map(|text| format!("<p>{text}</p>\n")).collect()
    }

    /// Its body as text.
    pub(super) fn text(&self) -> String {
        self.paragraphs.join(" ")
    }

    /// Its day as rows have it.
    pub(super) fn iso(&self) -> String {
        let (year, month, day) = self.day;
        format!("{year:04}-{month:02}-{day:02}")
    }

    /// Its day as the old papers have it: `August 7, 2013`.
    pub(super) fn english(&self) -> String {
        let (year, month, day) = self.day;
        format!("{} {day}, {year}", MONTHS[month as usize - 1])
    }

    /// As the row that should come out of an index page.
    pub(super) fn row(&self) -> Row {
        Row {
            title: Some(self.title.clone()),
            link: Some(self.link()),
            date: Some(self.iso()),
            body: Some(self.text()),
            author: None,
            categories: Vec::new(),
        }
    }
}

/// The months in English.
pub(super) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// An entry as it comes out of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) title: Option<String>,
    pub(super) link: Option<String>,
    pub(super) date: Option<String>,
    pub(super) body: Option<String>,
    pub(super) author: Option<String>,
    pub(super) categories: Vec<String>,
}

type OnPost = Box<dyn Fn(&Post) -> String>;
type OnPosts = Box<dyn Fn(&[Post]) -> String>;

/// A weblog: its posts and its templates.
pub(super) struct Site {
    pub(super) posts: Vec<Post>,
    /// So many posts are in the feed and on the home page, and as many on the older page.
    pub(super) shown: usize,
    /// So many pages of posts are learned from.
    pub(super) learned: usize,
    feed: OnPosts,
    index: OnPosts,
    entry: Option<OnPost>,
    frame: fn(&str, &str) -> String,
}

impl Site {
    /// A weblog that shows each post so on index pages, and has no others; its feed is RSS 2.0 with whole bodies.
    pub(super) fn new(index: impl Fn(&Post) -> String + 'static) -> Site {
        Site {
            posts: posts(),
            shown: 6,
            learned: 4,
            feed: Box::new(feeds::rss),
            index: Box::new(move |posts| posts.iter().map(&index).collect()),
            entry: None,
            frame,
        }
    }

    /// The same with pages of single posts.
    pub(super) fn with_entries(mut self, entry: impl Fn(&Post) -> String + 'static) -> Site {
        self.entry = Some(Box::new(entry));
        self
    }

    /// The same with another feed.
    pub(super) fn with_feed(mut self, feed: impl Fn(&[Post]) -> String + 'static) -> Site {
        self.feed = Box::new(feed);
        self
    }

    /// The same with index pages that show posts together.
    pub(super) fn with_index(mut self, index: impl Fn(&[Post]) -> String + 'static) -> Site {
        self.index = Box::new(index);
        self
    }

    /// The same with something else around its content: of the kind of page, and the content.
    pub(super) fn with_frame(mut self, frame: fn(&str, &str) -> String) -> Site {
        self.frame = frame;
        self
    }

    /// The same with other posts.
    pub(super) fn with_posts(mut self, change: impl Fn(&mut Post)) -> Site {
        self.posts.iter_mut().for_each(change);
        self
    }

    pub(super) fn items(&self) -> Vec<Item> {
        feeds::items(&(self.feed)(&self.posts[..self.shown]))
    }

    /// The home page's source.
    pub(super) fn home(&self) -> String {
        (self.frame)("home", &(self.index)(&self.posts[..self.shown]))
    }

    /// The source of the page behind it.
    pub(super) fn older(&self) -> String {
        (self.frame)("home paged", &(self.index)(&self.posts[self.shown..self.shown * 2]))
    }

    /// The source of a post's own page.
    pub(super) fn page(&self, post: &Post) -> Option<String> {
        Some((self.frame)("single", &self.entry.as_ref()?(post)))
    }

    /// Whether posts have pages of their own.
    pub(super) fn has_pages(&self) -> bool {
        self.entry.is_some()
    }

    /// What is learned from.
    pub(super) fn pages(&self) -> Vec<Arc<Page>> {
        let own = self.posts[..self.learned].iter().filter_map(|post| Some((post.link(), self.page(post)?)));
        let home = (format!("{ADDRESS}/"), self.home());
        std::iter::once(home).chain(own).map(|(name, html)| Arc::new(Page::from_text(name, html))).collect()
    }

    pub(super) fn learn(&self, options: &Options) -> Result<Lesson, Error> {
        learn(&self.items(), &self.pages(), options)
    }
}

/// What is around the content of a page: a class for its kind, and the newest posts once more.
pub(super) fn frame(kind: &str, content: &str) -> String {
    let recent = posts().into_iter().take(5);
    let recent: String =
        recent.map(|post| format!("<li><a href=\"{}\">{}</a></li>\n", post.path, post.title)).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head><title>The meadow</title></head>\n<body class=\"{kind}\">\n\
         <div id=\"header\"><h1 class=\"site\"><a href=\"/\">The meadow</a></h1>\n\
         <ul class=\"menu\"><li><a href=\"/\">Home</a></li><li><a href=\"/about/\">About</a></li></ul></div>\n\
         <div id=\"content\">\n{content}</div>\n\
         <div id=\"side\"><h2>Recent posts</h2><ul class=\"recent\">\n{recent}</ul></div>\n\
         <div id=\"footer\">Made by hand since 2005. <a href=\"/imprint/\">Imprint</a></div>\n</body></html>\n"
    )
}
