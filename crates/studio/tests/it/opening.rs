//! Opening pages, what they look like, and what they may load.

use std::fs;

use serde_json::json;
use windrow_testkit::server::{Reply as Served, Server};

use crate::support::{Running, node};

/// The address of an asset as the view has it.
fn asset(view: &str) -> String {
    let at = view.find("/asset/").unwrap_or_else(|| panic!("no asset: {view}"));
    view[at..].split(['"', '&', ' ']).next().unwrap().to_owned()
}

#[test]
fn files_come_with_what_lies_beside_them() {
    let folder = std::env::temp_dir().join(format!("windrow-studio-{}", std::process::id()));
    fs::create_dir_all(folder.join("in")).unwrap();
    fs::write(folder.join("secret.css"), "p{color:red}").unwrap();
    fs::write(folder.join("in/style.css"), "p{background:url(i.png)}").unwrap();
    fs::write(folder.join("in/page.html"), "<link rel=stylesheet href=style.css><title>A  page</title><p>x").unwrap();
    let path = folder.join("in/page.html").display().to_string();
    let studio = Running::new();
    let page = studio.call("pages", &json!({ "kind": "file", "path": path }))["page"].clone();
    assert_eq!((page["title"].as_str(), page["name"].as_str()), (Some("A page"), Some(path.as_str())));
    let view = studio.look(page["view"].as_str().unwrap()).text();
    let css = studio.look(&asset(&view));
    assert_eq!((css.status, css.header("content-type")), (200, Some("text/css")));
    assert!(css.text().starts_with("p{background:url(\"/asset/"), "{}", css.text());
    // Not what lies outside of its folder, nor on the web.
    let own = asset(&view);
    let base = own.split('?').next().unwrap();
    let outside = url::Url::from_file_path(folder.join("secret.css")).unwrap();
    let dots = url::Url::from_file_path(folder.join("in")).unwrap().to_string() + "/%2e%2e/secret.css";
    for address in [outside.as_str(), &dots, "file:///etc/passwd", "http://127.0.0.1:9/x.css"] {
        let quoted: String = url::form_urlencoded::byte_serialize(address.as_bytes()).collect();
        assert_eq!(studio.look(&format!("{base}?u={quoted}")).status, 404, "{address}");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn pages_of_the_web_load_through_the_studio() {
    let other = Server::start(|_| Served::new(200, *b"GIF89a").with_header("Content-Type", "image/gif"));
    let elsewhere = other.url("/i.gif");
    let web = Server::start(move |asked| match asked.path.as_str() {
        "/" => Served::html(format!("<img src=a.gif><img src='{elsewhere}'><img src=page.html>")),
        "/a.gif" => Served::new(200, *b"GIF89a"),
        _ => Served::html("<script>1</script>"),
    });
    let studio = Running::new();
    let page = studio.call("pages", &json!({ "kind": "address", "url": web.url("/") }))["page"].clone();
    let view = studio.look(page["view"].as_str().unwrap()).text();
    let assets: Vec<String> = view.split("src=\"").skip(1).map(asset).collect();
    assert_eq!(assets.len(), 3, "{view}");
    let status = |at: usize| studio.look(&assets[at]).status;
    // What stands beside the page; not what a page leads to on this machine, and nothing but images, styles and fonts.
    assert_eq!([status(0), status(1), status(2)], [200, 404, 404]);
    assert_eq!(other.requests(), 0);
}

#[test]
fn archives_are_listed_and_opened() {
    let archive = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/archives/barn.warc.gz");
    let studio = Running::new();
    let opened = studio.call("pages", &json!({ "kind": "file", "path": archive }));
    assert_eq!(opened["kind"], "archive");
    let first = opened["entries"][0]["url"].as_str().unwrap();
    let page = studio.call("pages", &json!({ "kind": "file", "path": archive, "url": first }))["page"].clone();
    assert_eq!(page["url"], first);
    let reply = studio.ask("pages", &json!({ "kind": "file", "path": archive, "url": "http://none.example/" }));
    assert_eq!((reply.status, reply.json()["code"].as_str()), (422, Some("page::unreadable")));
}

#[test]
fn places_are_told_step_by_step() {
    let html = "<body><ul><li class=ad><b class=price>€ 340</b> now<li class=ad><b class=price>€ 55</b> then</ul>";
    let studio = Running::new();
    let page = studio.open_page(html);
    let place = |spot| studio.call(&format!("pages/{}/place", page["id"]), &json!({ "spot": spot }));
    let price = place(json!({ "node": node(html, "li:last-child b") }));
    assert_eq!(price["path"], "/html[1]/body[1]/ul[1]/li[2]/b[1]");
    let steps: Vec<&str> =
        price["steps"].as_array().unwrap().iter().map(|step| step["text"].as_str().unwrap()).collect();
    assert_eq!(steps, ["html[1]", "body[1]", "ul[1]", "li[2]", "b[1]"]);
    assert_eq!(price["steps"][3]["node"], node(html, "li:last-child"));
    assert_eq!((price["value"].as_str(), price["name"].as_str()), (Some("€ 55"), Some("price")));
    let text = place(json!({ "node": node(html, "li"), "text": 0 }));
    assert_eq!(
        (text["path"].as_str(), text["value"].as_str()),
        (Some("/html[1]/body[1]/ul[1]/li[1]/text()[1]"), Some("now"))
    );
    for wrong in [
        json!({ "node": 9999 }),
        json!({ "node": node(html, "ul"), "text": 5 }),
        json!({ "node": node(html, "ul"), "attribute": "id" }),
    ] {
        let reply = studio.ask(&format!("pages/{}/place", page["id"]), &json!({ "spot": wrong }));
        assert_eq!((reply.status, reply.json()["code"].as_str()), (422, Some("studio::no_place")), "{wrong}");
    }
}

#[test]
fn what_was_given_is_open() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/pages/ads/page-1.html");
    let studio = Running::with(|config| {
        config.pages = vec![path.to_owned(), "no/such.html".to_owned()];
        config.rules = Some(("ads.toml".to_owned(), "[list.ads]\nrecords = \"li\"\n".to_owned()));
    });
    let reply =
        studio.speak("GET", "/api/v1/start", &[("Host", &studio.address), ("X-Windrow-Token", &studio.token)], "");
    let start = reply.json();
    assert_eq!(start["pages"][0]["name"], path);
    assert_eq!(start["failures"][0]["code"], "page::unreadable");
    assert_eq!((start["file"].as_str(), start["rules"]["form"].as_str()), (Some("ads.toml"), Some("toml")));
}
