//! The templates of well-known tools, each as it shows a post on index pages and on the post's own page.

use super::feeds::{element, heads, rfc822, rss_of, rss_saying};
use super::site::{Post, Row, Site, frame, words};
use super::{check, check_rows, check_wrapper, lesson, rows, same};

/// Posts by their days.
fn by_days(posts: &[Post], day: impl Fn(&str, &str) -> String, entry: impl Fn(&Post) -> String) -> String {
    let days = posts.chunk_by(|one, other| one.day == other.day);
    days.map(|posts| day(&posts[0].english(), &posts.iter().map(&entry).collect::<String>())).collect()
}

/// Two posts on some days.
fn pairs(post: &mut Post) {
    if matches!(post.number, 1 | 4 | 7 | 10) {
        post.day = super::site::posts()[post.number - 1].day;
    }
}

#[test]
fn blogger() {
    let entry = |post: &Post| {
        format!(
            "<div class='post-outer'><div class='post hentry uncustomized-post-template'>\n<a name='{0}'></a>\n\
             <h3 class='post-title entry-title'>\n<a href='{1}'>{2}</a>\n</h3>\n<div class='post-header'></div>\n\
             <div class='post-body entry-content'>\n<div dir=\"ltr\">{3}</div>\n<div style='clear: both;'></div>\n</div>\n\
             <div class='post-footer'><span class='post-author vcard'>Posted by <span class='fn'>{4}</span></span>\n\
             <span class='post-comment-link'><a href='{1}#comment-form'>{5} comments</a></span></div></div></div>\n",
            4_815_162_342u64 + post.number as u64 * 997,
            post.path,
            post.title,
            post.html(),
            post.author,
            post.number % 4
        )
    };
    let day = |date: &str, entries: &str| {
        format!(
            "<div class=\"date-outer\"><h2 class='date-header'><span>{date}</span></h2>\n<div class=\"date-posts\">\n{entries}\
             </div></div>\n"
        )
    };
    let single = move |post: &Post| {
        day(&post.english(), &entry(post).replace(&format!("<a href='{}'>{}</a>", post.path, post.title), &post.title))
            + "<div class='comments' id='comments'><h4>2 comments:</h4><p>Fine weather to you.</p></div>\n"
    };
    let index = move |posts: &[Post]| format!("<div class='blog-posts hfeed'>\n{}</div>\n", by_days(posts, day, entry));
    check(&Site::new(entry).with_index(index).with_entries(single).with_posts(pairs));
}

#[test]
fn movable_type() {
    let entry = |post: &Post| {
        format!(
            "<a name=\"{0:06}\"></a>\n<h3>{1}</h3>\n{2}<a name=\"more\"></a>\n<span class=\"posted\">Posted by {3} at \
             <a href=\"{4}\">09:30 AM</a> | <a href=\"{4}#comments\">Comments (2)</a></span>\n<br clear=\"all\">\n",
            300 - post.number,
            post.title,
            post.html(),
            post.author,
            post.path
        )
    };
    let day = |date: &str, entries: &str| format!("<h2>{date}</h2>\n{entries}\n");
    let index = move |posts: &[Post]| format!("<div class=\"blog\">\n{}</div>\n", by_days(posts, day, entry));
    check(&Site::new(entry).with_index(index).with_posts(pairs));
}

#[test]
fn typepad() {
    let entry = |post: &Post| {
        format!(
            "<div class=\"entry-category-{0} entry-type-post entry\" id=\"entry-6a{1}\">\n<div class=\"entry-inner\">\n\
             <h3 class=\"entry-header\"><a href=\"{2}\">{3}</a></h3>\n<div class=\"entry-content\">\n\
             <div class=\"entry-body\">{4}</div>\n</div>\n<p class=\"entry-footer\"><span class=\"post-footers\">Posted by \
             {5} on {6}</span> | <a class=\"permalink\" href=\"{2}\">Permalink</a></p>\n</div></div>\n",
            post.categories[0].to_lowercase().replace(' ', "_"),
            1000 + post.number * 37,
            post.path,
            post.title,
            post.html(),
            post.author,
            post.english()
        )
    };
    check(&Site::new(entry).with_entries(move |post| {
        format!(
            "<div id=\"alpha-inner\">{}</div><div class=\"comments\" id=\"comments\"><p>No rain.</p></div>",
            entry(post)
        )
    }));
}

#[test]
fn drupal() {
    let node = |post: &Post, title: &str| {
        format!(
            "<div id=\"node-{0}\" class=\"node node-blog clearfix\">\n{title}\n\
             <div class=\"submitted\">Submitted by <a class=\"username\" href=\"/user/1\">{1}</a> on {2}</div>\n\
             <div class=\"content\"><div class=\"field field-name-body\"><div class=\"field-items\">\
             <div class=\"field-item even\">{3}</div></div></div></div>\n\
             <ul class=\"links inline\"><li><a href=\"{4}#comment-form\">Add new comment</a></li></ul>\n</div>\n",
            900 - post.number,
            post.author,
            post.english(),
            post.html(),
            post.path
        )
    };
    let index = move |post: &Post| node(post, &format!("<h2><a href=\"{}\">{}</a></h2>", post.path, post.title));
    let single = move |post: &Post| format!("<h1 class=\"page-title\">{}</h1>\n{}", post.title, node(post, ""));
    check(&Site::new(index).with_entries(single));
}

#[test]
#[ignore = "known: the first words of a body are taken for a title"]
fn tumblr_without_titles() {
    let entry = |post: &Post| {
        format!(
            "<li class=\"post text\"><div class=\"caption\">{}</div><div class=\"meta\"><a class=\"permalink\" href=\"{}\">{}</a>\
             <a class=\"notes\" href=\"{1}#notes\">{} notes</a></div></li>\n",
            post.html(),
            post.path,
            post.english(),
            post.number * 3 + 2
        )
    };
    let index =
        move |posts: &[Post]| format!("<ol id=\"posts\">\n{}</ol>\n", posts.iter().map(entry).collect::<String>());
    // Such feeds have the first words for a title.
    let feed = |posts: &[Post]| {
        rss_of(posts, |post| {
            let first: Vec<&str> = post.paragraphs[0].split(' ').take(5).collect();
            element("title", &format!("{}...", first.join(" ")))
                + &element("link", &post.link())
                + &element("pubDate", &rfc822(post))
                + &element("description", &post.html())
        })
    };
    let site = Site::new(entry).with_index(index).with_feed(feed).with_frame(without_recent);
    check_rows(&site, |post| Row { title: None, ..post.row() });
}

/// Without the titles at the side.
fn without_recent(kind: &str, content: &str) -> String {
    let html = frame(kind, content);
    let (from, to) = (html.find("<div id=\"side\">").unwrap(), html.find("<div id=\"footer\">").unwrap());
    format!("{}{}", &html[..from], &html[to..])
}

/// Titles and dates on index pages, whole posts on their own pages.
#[test]
fn a_list_of_titles_and_dates() {
    let entry = |post: &Post| {
        format!(
            "<li><span class=\"post-meta\">{}</span> <h2><a class=\"post-link\" href=\"{}\">{}</a></h2></li>\n",
            post.english(),
            post.path,
            post.title
        )
    };
    let index = move |posts: &[Post]| {
        format!("<ul class=\"post-list\">\n{}</ul>\n", posts.iter().map(entry).collect::<String>())
    };
    let single = |post: &Post| {
        format!(
            "<article class=\"post\"><header class=\"post-header\"><h1 class=\"post-title\">{}</h1>\n<p class=\"post-meta\">\
             <time datetime=\"{}\">{}</time></p></header>\n<div class=\"post-content\">{}</div></article>\n",
            post.title,
            post.iso(),
            post.english(),
            post.html()
        )
    };
    let site = Site::new(entry).with_index(index).with_entries(single);
    let wrapper = lesson(&site).wrapper;
    check_wrapper(&wrapper, &Site::new(entry).with_index(index), &|post| Row { body: None, ..post.row() });
    for post in &site.posts {
        let found = rows(&wrapper, &post.link(), &site.page(post).unwrap());
        same(&found, &[Row { link: None, ..post.row() }], &wrapper, &post.path);
    }
}

/// Cards with a picture and a few words, which are another text than the post; the feed has the whole.
#[test]
fn cards_with_an_excerpt() {
    let teaser = |post: &Post| words(4000 + post.number, 16);
    let entry = move |post: &Post| {
        format!(
            "<article class=\"post-card\"><a class=\"post-card-image\" href=\"{0}\"><img src=\"/i{1}.jpg\" alt=\"\"></a>\n\
             <div class=\"post-card-content\"><a class=\"post-card-link\" href=\"{0}\"><h2 class=\"post-card-title\">{2}</h2>\n\
             <section class=\"post-card-excerpt\"><p>{3}</p></section></a>\n<footer class=\"post-card-meta\">\
             <time datetime=\"{4}\">{5}</time></footer></div></article>\n",
            post.path,
            post.number,
            post.title,
            teaser(post),
            post.iso(),
            post.english()
        )
    };
    let single = |post: &Post| {
        format!(
            "<article class=\"post-full\"><h1 class=\"post-full-title\">{}</h1><time datetime=\"{}\">{}</time>\n\
             <section class=\"post-full-content\">{}</section></article>\n",
            post.title,
            post.iso(),
            post.english(),
            post.html()
        )
    };
    let site = Site::new(entry).with_entries(single);
    let wrapper = lesson(&site).wrapper;
    check_wrapper(&wrapper, &Site::new(entry), &|post| Row { body: Some(teaser(post)), ..post.row() });
    for post in &site.posts {
        let found = rows(&wrapper, &post.link(), &site.page(post).unwrap());
        same(&found, &[Row { link: None, ..post.row() }], &wrapper, &post.path);
    }
}

/// Entries in two columns.
#[test]
fn two_columns() {
    let entry = |post: &Post| {
        format!(
            "<div class=\"story\"><h3><a href=\"{}\">{}</a></h3><p class=\"when\">{}</p><div class=\"body\">{}</div></div>\n",
            post.path,
            post.title,
            post.english(),
            post.html()
        )
    };
    let index = move |posts: &[Post]| {
        let column =
            |posts: &[Post]| format!("<div class=\"column\">\n{}</div>\n", posts.iter().map(entry).collect::<String>());
        posts.chunks(3).map(column).collect::<String>()
    };
    check(&Site::new(entry).with_index(index));
}

/// Tables within tables, no names, capitals.
#[test]
#[ignore = "known: other cells are taken for titles"]
fn tables_of_old() {
    let entry = |post: &Post| {
        format!(
            "<TABLE BORDER=0 WIDTH=100%><TR><TD BGCOLOR=#CCCCCC><FONT FACE=Arial><B>{0}</B></FONT></TD>\
             <TD BGCOLOR=#CCCCCC ALIGN=right><FONT SIZE=1>{1}</FONT></TD></TR>\n\
             <TR><TD COLSPAN=2>{2}<P ALIGN=right><A HREF=\"{3}\">permanent link</A></TD></TR></TABLE><BR>\n",
            post.title,
            post.english(),
            post.html(),
            post.path
        )
    };
    check(&Site::new(entry));
}

/// A site in a script that writes no spaces.
#[test]
fn japanese() {
    const TITLES: [&str; 14] = [
        "牧草を刈る",
        "新しい機械",
        "また雨です",
        "干し草の作り方",
        "フクロウが戻った",
        "俵を数える",
        "獣医の話",
        "新しいタイヤ",
        "読者からの手紙",
        "紐か網か",
        "三日間の休み",
        "隣の犬とガチョウ",
        "今年の初刈り",
        "鎌の研ぎ方",
    ];
    const PARTS: [&str; 10] = [
        "朝から風が強く",
        "川の向こうまで",
        "草を集めました",
        "昼には雨が降り",
        "納屋で休んで",
        "犬は眠っていて",
        "夕方にもう一度",
        "機械を直してから",
        "丘の上の畑へ",
        "誰も来ませんでした",
    ];
    let translate = |post: &mut Post| {
        post.title = TITLES[post.number].to_owned();
        let text = |at: usize| {
            let part = |step: usize| PARTS[(post.number * 7 + at * 3 + step * (1 + post.number % 3)) % PARTS.len()];
            format!("{}、{}、{}{}{}号。", part(0), part(1), part(2), part(3), post.number * 10 + at)
        };
        post.paragraphs = (0..3).map(text).collect();
    };
    let date = |post: &Post| format!("{}年{}月{}日", post.day.0, post.day.1, post.day.2);
    let entry = move |post: &Post| {
        format!(
            "<div class=\"entry\"><h2 class=\"title\"><a href=\"{}\">{}</a></h2><div class=\"day\">{}</div>\n\
             <div class=\"text\">{}</div></div>\n",
            post.path,
            post.title,
            date(post),
            post.html()
        )
    };
    let single = move |post: &Post| {
        format!(
            "<div class=\"full\"><h1 class=\"title\">{}</h1><div class=\"day\">{}</div><div class=\"text\">{}</div></div>\n",
            post.title,
            date(post),
            post.html()
        )
    };
    check(&Site::new(entry).with_entries(single).with_posts(translate));
}

/// What the feed says in markup, the page says in other markup: pictures of other sizes, links that are counted.
#[test]
#[ignore = "known: what all entries say is taken for the template, though the feed says it, too"]
fn other_markup_in_the_feed() {
    let page = |post: &Post| {
        format!(
            "<p><img src=\"/small/{0}.jpg\" class=\"left\" alt=\"A bale\"></p>{1}<p>More at <a href=\"/go?{0}\">mill {0}</a> &amp; here.</p>",
            post.number,
            post.html()
        )
    };
    let entry = move |post: &Post| {
        format!(
            "<div class=\"post\"><h2><a href=\"{}\">{}</a></h2><p class=\"date\">{}</p><div class=\"text\">{}</div></div>\n",
            post.path,
            post.title,
            post.english(),
            page(post)
        )
    };
    let feed = |posts: &[Post]| {
        rss_saying(posts, |post| {
            format!(
                "<img src=\"https://cdn.example/{0}.jpg\" width=\"900\"/><br/>{1}<p>More at <b>mill {0}</b> &#38; here.</p>\
                 <img width=\"1\" src=\"https://count.example/\"/>",
                post.number,
                post.html()
            )
        })
    };
    let site = Site::new(entry).with_feed(feed);
    check_rows(&site, |post| Row {
        body: Some(format!("{} More at mill {} & here.", post.text(), post.number)),
        ..post.row()
    });
}

/// The same text is on the page twice: shortened in front, whole below.
#[test]
fn a_slider_in_front_of_the_entries() {
    let entry = |post: &Post| {
        format!(
            "<div class=\"post\"><h2><a href=\"{}\">{}</a></h2><p class=\"date\">{}</p><div class=\"text\">{}</div></div>\n",
            post.path,
            post.title,
            post.english(),
            post.html()
        )
    };
    let index = move |posts: &[Post]| {
        let slide = |post: &Post| {
            format!(
                "<div class=\"slide\"><h3><a href=\"{}\">{}</a></h3><p>{}</p></div>\n",
                post.path, post.title, post.paragraphs[0]
            )
        };
        let slides: String = posts.iter().take(3).map(slide).collect();
        format!("<div class=\"slider\">\n{slides}</div>\n{}", posts.iter().map(entry).collect::<String>())
    };
    check(
        &Site::new(entry)
            .with_index(index)
            .with_feed(|posts| rss_of(posts, |post| heads(post) + &element("description", &post.html()))),
    );
}

/// List items in which nothing is named.
#[test]
#[ignore = "known: other parts are taken for titles"]
fn items_of_a_list_without_names() {
    let entry = |post: &Post| {
        format!(
            "<li><b>{}</b> <i>{}</i><div>{}</div><small>Posted by us | <a href=\"{}\">Link</a></small></li>\n",
            post.title,
            post.english(),
            post.html(),
            post.path
        )
    };
    let index = move |posts: &[Post]| format!("<ul>\n{}</ul>\n", posts.iter().map(entry).collect::<String>());
    check(&Site::new(entry).with_index(index));
}

/// Entries that are a row of texts and links, and only comments tell where bodies begin and end.
#[test]
#[ignore = "known: a link of the footer is taken for an entry"]
fn bodies_between_comments() {
    let entry = |post: &Post| {
        format!(
            "<a href=\"{}\">{}</a> on <i>{}</i><br>\n<!-- begin -->{}<!-- end -->\n<hr>\n",
            post.path,
            post.title,
            post.english(),
            post.paragraphs.join("<br>\n")
        )
    };
    let site = Site::new(entry);
    check(&site.with_feed(|posts| rss_saying(posts, |post| post.paragraphs.join("<br>\n"))));
}

#[test]
fn a_lead_story_of_another_template() {
    let entry = |post: &Post| {
        format!(
            "<div class=\"teaser\"><h3><a href=\"{}\">{}</a></h3><p class=\"date\">{}</p><div class=\"text\">{}</div></div>\n",
            post.path,
            post.title,
            post.english(),
            post.html()
        )
    };
    let index = move |posts: &[Post]| {
        let lead = &posts[0];
        let rest: String = posts[1..].iter().map(entry).collect();
        format!(
            "<section class=\"lead\"><h2><a href=\"{}\">{}</a></h2><span class=\"when\">{}</span>\
             <div class=\"abstract\">{}</div></section>\n<section class=\"list\">{rest}</section>\n",
            lead.path,
            lead.title,
            lead.english(),
            lead.html()
        )
    };
    check(&Site::new(entry).with_index(index));
}
