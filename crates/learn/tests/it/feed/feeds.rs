//! Feeds written for a test, in each of the formats.

use windrow_feed::{Item, Options};

use super::site::{ADDRESS, MONTHS, Post};

/// The items of a feed.
#[track_caller]
pub(super) fn items(feed: &str) -> Vec<Item> {
    let options = Options::new().with_base(format!("{ADDRESS}/"));
    windrow_feed::parse(feed.as_bytes(), &options).expect("the test wrote a feed").items
}

/// A text for XML.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A date as RSS has it, at half past nine.
pub(super) fn rfc822(post: &Post) -> String {
    let (year, month, day) = post.day;
    format!("{day} {} {year} 09:30:00 +0000", &MONTHS[month as usize - 1][..3])
}

/// RSS 2.0 with these elements in each item.
pub(super) fn rss_of(posts: &[Post], item: impl Fn(&Post) -> String) -> String {
    let items: String = posts.iter().map(|post| format!("<item>\n{}</item>\n", item(post))).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<rss version=\"2.0\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" \
         xmlns:content=\"http://purl.org/rss/1.0/modules/content/\" \
         xmlns:feedburner=\"http://rssnamespace.org/feedburner/ext/1.0\">\n<channel><title>The meadow</title>\
         <link>{ADDRESS}/</link><description>Hay, mostly</description>\n{items}</channel></rss>\n"
    )
}

/// An element of XML with a text.
pub(super) fn element(name: &str, text: &str) -> String {
    format!("<{name}>{}</{name}>\n", escape(text))
}

/// The elements that all posts have: title, link and date.
pub(super) fn heads(post: &Post) -> String {
    element("title", &post.title) + &element("link", &post.link()) + &element("pubDate", &rfc822(post))
}

/// RSS 2.0 with whole bodies.
pub(super) fn rss(posts: &[Post]) -> String {
    rss_of(posts, |post| heads(post) + &element("description", &post.html()))
}

/// RSS 2.0 that describes each post in these words.
pub(super) fn rss_saying(posts: &[Post], description: impl Fn(&Post) -> String) -> String {
    rss_of(posts, |post| heads(post) + &element("description", &description(post)))
}

/// RSS 0.91, which has no dates.
pub(super) fn rss_091(posts: &[Post]) -> String {
    let item = |post: &Post| {
        format!(
            "<item>{}{}{}</item>\n",
            element("title", &post.title),
            element("link", &post.link()),
            element("description", &post.text())
        )
    };
    let items: String = posts.iter().map(item).collect();
    format!(
        "<?xml version=\"1.0\"?>\n<rss version=\"0.91\"><channel><title>The meadow</title><link>{ADDRESS}/</link>\
         <language>en</language>\n{items}</channel></rss>\n"
    )
}

/// RSS 1.0: items beside the channel, dates and bodies of modules.
pub(super) fn rss_10(posts: &[Post]) -> String {
    let item = |post: &Post| {
        format!(
            "<item rdf:about=\"{0}\">{1}{2}{3}<dc:date>{4}T09:30:00Z</dc:date>\n<content:encoded><![CDATA[{5}]]>\
             </content:encoded></item>\n",
            post.link(),
            element("title", &post.title),
            element("link", &post.link()),
            element("description", &post.paragraphs[0]),
            post.iso(),
            post.html()
        )
    };
    let items: String = posts.iter().map(item).collect();
    format!(
        "<?xml version=\"1.0\"?>\n<rdf:RDF xmlns=\"http://purl.org/rss/1.0/\" \
         xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" \
         xmlns:content=\"http://purl.org/rss/1.0/modules/content/\">\n<channel rdf:about=\"{ADDRESS}/\">\
         <title>The meadow</title><link>{ADDRESS}/</link></channel>\n{items}</rdf:RDF>\n"
    )
}

/// Atom 1.0, its bodies as XHTML.
pub(super) fn atom(posts: &[Post]) -> String {
    let entry = |post: &Post| {
        let author = element("name", &post.author);
        let categories = post.categories.iter().map(|term| format!("<category term=\"{term}\"/>")).collect::<String>();
        format!(
            "<entry>{0}<link rel=\"alternate\" href=\"{1}\"/><id>tag:meadow.example,2005:{2}</id>\
             <published>{3}T09:30:00Z</published><updated>{3}T11:00:00Z</updated><author>{author}</author>{categories}\n\
             <content type=\"xhtml\"><div xmlns=\"http://www.w3.org/1999/xhtml\">{4}</div></content></entry>\n",
            element("title", &post.title),
            post.link(),
            post.number,
            post.iso(),
            post.html()
        )
    };
    let entries: String = posts.iter().map(entry).collect();
    format!(
        "<?xml version=\"1.0\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>The meadow</title>\
         <link rel=\"alternate\" href=\"{ADDRESS}/\"/><id>tag:meadow.example,2005:blog</id>\n{entries}</feed>\n"
    )
}

/// JSON Feed 1.1.
pub(super) fn json(posts: &[Post]) -> String {
    let item = |post: &Post| {
        let link = post.link();
        format!(
            "{{\"id\": {link:?}, \"url\": {link:?}, \"title\": {:?}, \"content_html\": {:?}, \"date_published\": \
             \"{}T09:30:00Z\"}}",
            post.title,
            post.html(),
            post.iso()
        )
    };
    let items: Vec<String> = posts.iter().map(item).collect();
    format!(
        "{{\"version\": \"https://jsonfeed.org/version/1.1\", \"title\": \"The meadow\", \"home_page_url\": \
         \"{ADDRESS}/\", \"items\": [{}]}}",
        items.join(",\n")
    )
}
