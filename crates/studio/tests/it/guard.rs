//! Whom the studio answers.

use serde_json::json;

use crate::support::Running;

#[test]
fn a_call_needs_the_token() {
    let studio = Running::new();
    let host = studio.address.clone();
    let reply = studio.look("/api/v1/start");
    assert_eq!((reply.status, reply.json()["code"].as_str()), (403, Some("studio::token")));
    let wrong = studio.token.replace(|letter: char| letter.is_ascii_hexdigit(), "0");
    let reply = studio.speak("GET", "/api/v1/start", &[("Host", &host), ("X-Windrow-Token", &wrong)], "");
    assert_eq!(reply.status, 403);
    let reply = studio.speak("GET", "/api/v1/start", &[("Host", &host), ("X-Windrow-Token", &studio.token)], "");
    assert_eq!(reply.status, 200);
    assert_eq!(reply.json()["version"], env!("CARGO_PKG_VERSION"));
}

/// A name that was a server's and became 127.0.0.1 (DNS rebinding) is not one of ours.
#[test]
fn other_hosts_are_refused() {
    let studio = Running::new();
    let port = studio.address.rsplit(':').next().unwrap();
    let others = ["evil.example".to_owned(), format!("evil.example:{port}"), "127.0.0.1:1".to_owned(), String::new()];
    for host in others {
        let token = studio.token.clone();
        let reply = studio.speak("GET", "/api/v1/start", &[("Host", &host), ("X-Windrow-Token", &token)], "");
        assert_eq!(reply.status, 403, "{host}");
        assert_eq!(studio.speak("GET", "/", &[("Host", &host)], "").status, 403, "{host}");
    }
    let local = format!("localhost:{port}");
    assert_eq!(
        studio.speak("GET", "/api/v1/start", &[("Host", &local), ("X-Windrow-Token", &studio.token)], "").status,
        200
    );
}

/// Even a site that learned the token cannot use it from a browser.
#[test]
fn other_sites_are_refused() {
    let studio = Running::new();
    let host = studio.address.clone();
    let token = ("X-Windrow-Token", studio.token.as_str());
    for foreign in [("Origin", "http://evil.example"), ("Origin", "null"), ("Sec-Fetch-Site", "cross-site")] {
        let reply = studio.speak("GET", "/api/v1/start", &[("Host", &host), token, foreign], "");
        assert_eq!((reply.status, reply.json()["code"].as_str()), (403, Some("studio::origin")), "{foreign:?}");
    }
    // Nothing tells a browser that another site may ask.
    let asked = [("Host", host.as_str()), ("Origin", "http://evil.example"), ("Access-Control-Request-Method", "POST")];
    let reply = studio.speak("OPTIONS", "/api/v1/run", &asked, "");
    assert_eq!(reply.header("access-control-allow-origin"), None, "{}", reply.headers);
}

#[test]
fn views_need_their_key() {
    let studio = Running::new();
    let page = studio.open_page("<p>x");
    let view = page["view"].as_str().unwrap();
    assert_eq!(studio.look(view).status, 200);
    let wrong = format!("/view/{}/{}", "0".repeat(32), page["id"]);
    assert_eq!(studio.look(&wrong).status, 403);
    let asset = format!("/asset/{}/{}?u=http%3A%2F%2F127.0.0.1%2F", "0".repeat(32), page["id"]);
    assert_eq!(studio.look(&asset).status, 403);
}

#[test]
fn answers_say_what_they_are() {
    let studio = Running::new();
    let page = studio.open_page("<p>x<script>1</script>");
    let reply = studio.look(page["view"].as_str().unwrap());
    let policy = reply.header("content-security-policy").unwrap();
    for part in
        ["default-src 'none'", "script-src 'nonce-", "sandbox allow-scripts", "base-uri 'none'", "form-action 'none'"]
    {
        assert!(policy.contains(part), "{policy}");
    }
    assert!(!policy.contains("allow-same-origin") && !policy.contains("script-src 'unsafe"), "{policy}");
    assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(reply.header("referrer-policy"), Some("no-referrer"));
    // The one script that runs is ours, and its nonce is another each time.
    assert_eq!(reply.text().matches("<script").count(), 1);
    let again = studio.look(page["view"].as_str().unwrap());
    assert_ne!(again.header("content-security-policy"), Some(policy));
}

#[test]
fn bad_requests_are_told() {
    let studio = Running::new();
    let reply = studio.ask("run", &json!({ "page": "one" }));
    assert_eq!((reply.status, reply.json()["code"].as_str()), (422, Some("studio::request")));
    let reply = studio.ask("run", &json!({ "page": 99, "rules": { "text": "" } }));
    assert_eq!((reply.status, reply.json()["code"].as_str()), (404, Some("studio::no_page")));
    let reply = studio.ask("nothing", &json!({}));
    assert!(matches!(reply.status, 404 | 405), "{}", reply.status);
}
