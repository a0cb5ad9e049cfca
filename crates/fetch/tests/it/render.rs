//! Pages after their scripts, from a real browser, off a server on loopback. Without a browser these tests say so and
//! pass.
#![allow(clippy::print_stderr)] // Tests that are skipped say so.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use url::Url;
use windrow_fetch::render::{Browser, Config, LocalPage, RenderError, Rendered};
use windrow_testkit::server::{Asked, Fault, Reply, Server};

/// A browser, unless there is none.
async fn browser(config: Config) -> Option<Browser> {
    match Browser::launch(config).await {
        Ok(browser) => Some(browser),
        Err(RenderError::NoBrowser) => {
            eprintln!("skipped: there is no browser on this machine");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// Settings that give a busy machine time; where a test is about a bound, it says which.
fn patient() -> Config {
    Config::default().with_timeout(Duration::from_secs(120))
}

fn address(server: &Server, path: &str) -> Url {
    Url::parse(&server.url(path)).unwrap()
}

/// Renders `/` of a site.
async fn render(
    config: Config,
    handler: impl Fn(&Asked) -> Reply + Send + Sync + 'static,
) -> Option<Result<Rendered, RenderError>> {
    let server = Server::start(handler);
    let browser = browser(config).await?;
    let rendered = browser.render(&address(&server, "/")).await;
    browser.close().await;
    Some(rendered)
}

/// Renders one page that is all of its site.
async fn page(config: Config, html: &'static str) -> Option<Rendered> {
    let site = move |asked: &Asked| match asked.path.as_str() {
        "/" => Reply::html(html),
        _ => Reply::status(404),
    };
    Some(render(config, site).await?.unwrap())
}

fn has_note(rendered: &Rendered, words: &str) -> bool {
    rendered.notes.iter().any(|note| note.contains(words))
}

const LIST: &str = "<!DOCTYPE html><title>Ships</title><ul id=list></ul><script>
    setTimeout(async () => {
        for (const name of await (await fetch('/ships')).json()) {
            const item = document.createElement('li');
            item.textContent = name;
            list.append(item);
        }
    }, 300);
</script>";

#[tokio::test(flavor = "multi_thread")]
async fn a_list_that_scripts_fetch_is_there() {
    let site = |asked: &Asked| match asked.path.as_str() {
        "/ships" => Reply::new(200, *br#"["Ariadne","Boreas"]"#).after(Duration::from_millis(700)),
        _ => Reply::html(LIST).with_header("X-Seen", "1"),
    };
    let Some(rendered) = render(patient(), site).await else { return };
    let rendered = rendered.unwrap();
    assert!(rendered.html.starts_with("<!DOCTYPE html>\n<html>"), "{}", rendered.html);
    assert!(rendered.html.contains("<li>Ariadne</li><li>Boreas</li>"), "{}", rendered.html);
    assert_eq!(rendered.notes, Vec::<String>::new());
    assert_eq!((rendered.status.as_u16(), rendered.media_type.as_str()), (200, "text/html"));
    let answer = rendered.into_answer();
    assert_eq!((answer.media_type().as_deref(), answer.charset()), (Some("text/html"), Some("utf-8")));
    assert_eq!((answer.header("x-seen"), answer.header("content-length")), (Some("1"), None));
    assert_eq!(answer.url.path(), "/");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_that_timers_fill_is_there() {
    let html = "<p id=a></p><script>setTimeout(() => a.textContent = 'late \u{1F33E} ' + '\\ud800', 300)</script>";
    let Some(rendered) = page(patient(), html).await else { return };
    assert!(rendered.html.contains("<p id=\"a\">late \u{1F33E} \u{FFFD}</p>"), "{}", rendered.html);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_address_is_that_in_the_end() {
    let site = |asked: &Asked| match asked.path.as_str() {
        "/" => Reply::redirect("/moved"),
        "/moved" => Reply::html("<script>location.replace('/scripted')</script>"),
        "/scripted" => {
            Reply { status: 203, ..Reply::html("<script>history.pushState(0, '', '/pushed?a#b')</script>here") }
        }
        _ => Reply::status(404),
    };
    let Some(rendered) = render(patient(), site).await else { return };
    let rendered = rendered.unwrap();
    assert_eq!(&rendered.url[url::Position::BeforePath..], "/pushed?a#b");
    assert_eq!(rendered.status.as_u16(), 203);
    assert!(rendered.html.contains("here"), "{}", rendered.html);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_page_is_a_page() {
    let Some(rendered) = render(patient(), |_| Reply { status: 404, ..Reply::html("<p>no such ship") }).await else {
        return;
    };
    let rendered = rendered.unwrap();
    assert_eq!(rendered.status.as_u16(), 404);
    assert!(rendered.html.contains("no such ship"));

    let rendered = render(patient(), |_| Reply::status(503)).await.unwrap().unwrap();
    assert_eq!((rendered.status.as_u16(), rendered.html.as_str()), (503, ""));
    assert!(has_note(&rendered, "no body"), "{:?}", rendered.notes);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_never_goes_quiet_has_a_bound() {
    let site = |asked: &Asked| match asked.path.as_str() {
        "/" => Reply::html("<p>first<script>const ask = () => fetch('/more').then(ask); ask()</script>"),
        _ => Reply::new(200, *b"more").after(Duration::from_millis(100)),
    };
    let Some(rendered) = render(patient().with_timeout(Duration::from_secs(20)), site).await else { return };
    let rendered = rendered.unwrap();
    assert!(rendered.html.contains("<p>first"), "{}", rendered.html);
    assert!(has_note(&rendered, "still used the network after 20 s"), "{:?}", rendered.notes);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_stays_open_is_not_waited_for() {
    let site = |asked: &Asked| match asked.path.as_str() {
        "/" => Reply::html("<p>first<script>fetch('/poll'); new EventSource('/events')</script>"),
        "/poll" | "/events" => Reply::status(200).with_fault(Fault::Silence),
        _ => Reply::status(404),
    };
    let config = patient().with_patience(Duration::from_secs(1));
    let Some(rendered) = render(config, site).await else { return };
    let rendered = rendered.unwrap();
    assert!(rendered.html.contains("<p>first"));
    assert!(has_note(&rendered, "1 request not answered within 1 s"), "{:?}", rendered.notes);
}

#[tokio::test(flavor = "multi_thread")]
async fn endless_scripts_are_ended() {
    let config = patient().with_timeout(Duration::from_secs(10));
    let endless = "<p>before</p><script>while (true) {}</script><p>after</p>";
    let Some(rendered) = page(config.clone(), endless).await else { return };
    assert!(rendered.html.contains("<p>before</p>"), "{}", rendered.html);
    assert!(has_note(&rendered, "did not end"), "{:?}", rendered.notes);

    // Ended, it begins again at once.
    let again = "<p>before</p><script>setInterval(() => { while (true) {} }, 0)</script>";
    let site = move |_: &Asked| Reply::html(again);
    match render(config, site).await.unwrap() {
        Ok(rendered) => assert!(rendered.html.contains("<p>before</p>"), "{}", rendered.html),
        Err(error) => assert!(matches!(error, RenderError::TimedOut { .. }), "{error}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_waits_for_a_person() {
    let html = "<p id=a>0</p><script>
        alert('stop'); a.textContent = [confirm('sure?'), prompt('name?')].join();
        window.open('/popup'); window.open('/popup', '', 'noopener');
        navigator.geolocation.getCurrentPosition(() => {}, error => a.textContent += ' ' + error.code);
        onbeforeunload = event => event.preventDefault();
    </script>";
    let Some(rendered) = page(patient(), html).await else { return };
    assert!(rendered.html.contains("<p id=\"a\">false, 1</p>"), "{}", rendered.html);
    assert!(has_note(&rendered, "3 dialogs were dismissed"), "{:?}", rendered.notes);
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_cannot_lie_to_the_reader() {
    let html = "<!DOCTYPE html><p>true</p><img name=documentElement><script>
        Object.defineProperty(Element.prototype, 'outerHTML', { get: () => 'false' });
        String.prototype.toWellFormed = () => 'false';
    </script>";
    let Some(rendered) = page(patient(), html).await else { return };
    assert!(rendered.html.contains("<p>true</p>"), "{}", rendered.html);
}

#[tokio::test(flavor = "multi_thread")]
async fn private_addresses_are_out_of_reach() {
    let inside =
        Arc::new(Server::start(|_| Reply::new(200, *b"secret").with_header("Access-Control-Allow-Origin", "*")));
    let port = inside.address().port();
    let html = format!(
        "<p id=a>own </p><script>
        const ask = url => fetch(url).then(r => r.text()).then(t => a.textContent += t, () => a.textContent += 'no ');
        ask('http://127.0.0.1:{port}/'); ask('http://localhost:{port}/'); ask('/hop');
        new WebSocket('ws://127.0.0.1:{port}/');
        new Worker('data:text/javascript,fetch(\"http://127.0.0.1:{port}/\")');
        </script><iframe src='http://127.0.0.1:{port}/'></iframe><img src='http://127.0.0.1:{port}/'>"
    );
    let to = inside.url("/");
    let site = move |asked: &Asked| match asked.path.as_str() {
        "/hop" | "/main" => Reply::redirect(&to),
        _ => Reply::html(html.clone()),
    };
    let server = Server::start(site);
    let Some(browser) = browser(patient().with_images(true)).await else { return };
    let rendered = browser.render(&address(&server, "/")).await.unwrap();
    assert!(rendered.html.contains("<p id=\"a\">own no no no </p>"), "{}", rendered.html);
    assert!(has_note(&rendered, "may not reach the private address 127.0.0.1"), "{:?}", rendered.notes);
    let redirected = browser.render(&address(&server, "/main")).await;
    assert!(matches!(redirected, Err(RenderError::Private { .. })), "{redirected:?}");
    // What a page leads to may not be private itself.
    let linked = browser.render_linked(&address(&server, "/")).await;
    assert!(matches!(linked, Err(RenderError::Private { .. })), "{linked:?}");
    assert_eq!(inside.requests(), 0);

    let open = Browser::launch(patient().with_allow_private(true)).await.unwrap();
    let rendered = open.render_linked(&address(&server, "/")).await.unwrap();
    assert!(rendered.html.contains("secretsecretsecret"), "{}", rendered.html);
}

/// Datagrams go around the guard's connections, so a page must not be able to send any. That a browser without our
/// settings does send them is shown beside the settings, in `render/process.rs`.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_sends_no_datagrams() {
    let canary = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    canary.set_nonblocking(true).unwrap();
    let port = canary.local_addr().unwrap().port();
    // Each place says what came of its attempt: the document is read when all have.
    let attempt = format!(
        "const attempt = async () => {{
            const connection = new RTCPeerConnection({{ iceServers: [{{ urls: 'stun:127.0.0.1:{port}' }}] }});
            connection.createDataChannel('x');
            await connection.setLocalDescription(await connection.createOffer());
            while (connection.iceGatheringState !== 'complete') await new Promise(done => setTimeout(done, 50));
        }};
        const transport = async () => {{ await new WebTransport('https://127.0.0.1:{port}/').ready; }};
        const report = say => Promise.allSettled([attempt(), transport()]).then(ends =>
            say(ends.map(end => end.reason ? end.reason.name : 'made').join()));"
    );
    let frame = format!("<script>{attempt} report(text => parent.postMessage('frame ' + text, '*'))</script>");
    let worker = format!("{attempt} report(text => postMessage('worker ' + text))");
    let html = format!(
        "<!DOCTYPE html><p id=a></p><iframe src=/frame></iframe><iframe id=blank></iframe><script>{attempt}
        const add = text => a.textContent += text + '; ';
        onmessage = event => add(event.data);
        const worker = new Worker('/worker.js');
        worker.onmessage = event => add(event.data);
        report(text => add('page ' + text));
        add('blank ' + typeof blank.contentWindow.RTCPeerConnection);
        // Keeps the network busy until all have reported.
        const wait = () => a.textContent.split('; ').length < 5 ? fetch('/wait').then(wait) : 0; wait();
        </script>"
    );
    let site = move |asked: &Asked| match asked.path.as_str() {
        "/frame" => Reply::html(frame.clone()),
        "/worker.js" => Reply::new(200, worker.clone().into_bytes()).with_header("Content-Type", "text/javascript"),
        "/wait" => Reply::new(200, *b"").after(Duration::from_millis(100)),
        _ => Reply::html(html.clone()),
    };
    let Some(rendered) = render(patient().with_timeout(Duration::from_secs(120)), site).await else { return };
    let rendered = rendered.unwrap();
    for place in ["page", "frame", "worker"] {
        assert!(rendered.html.contains(&format!("{place} ReferenceError,")), "{}", rendered.html);
    }
    assert!(rendered.html.contains("blank undefined"), "{}", rendered.html);
    assert!(canary.recv(&mut [0; 2000]).is_err(), "a datagram got out: {}", rendered.html);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_documents_are_made_of_is_loaded() {
    let server = Server::start(|asked: &Asked| match asked.path.as_str() {
        "/" => Reply::html(
            "<link rel=stylesheet href=/style.css><img src=/image.png><video src=/film.mp4></video><script src=/a.js></script>",
        ),
        "/a.js" => Reply::new(200, *b"document.body.append('scripted')").with_header("Content-Type", "text/javascript"),
        path => panic_unless_style(path),
    });
    let Some(browser) = browser(patient().with_user_agent("windrow-test/1")).await else { return };
    let rendered = browser.render(&address(&server, "/")).await.unwrap();
    assert!(rendered.html.contains("scripted"));
    // The page, its script, its style, and an icon if the browser wants one.
    assert!(server.requests() <= 4, "{}", server.requests());
}

fn panic_unless_style(path: &str) -> Reply {
    assert!(matches!(path, "/style.css" | "/favicon.ico"), "{path} is not to be asked for");
    Reply::new(200, *b"").with_header("Content-Type", "text/css")
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_share_nothing_and_the_user_agent_is_ours() {
    let seen = Arc::new(std::sync::Mutex::new(Vec::new()));
    let kept = Arc::clone(&seen);
    let server = Server::start(move |asked: &Asked| {
        if asked.path == "/" {
            let agent = asked.header("user-agent").unwrap_or_default().to_owned();
            kept.lock().unwrap().push((agent, asked.header("cookie").is_some()));
        }
        Reply::html(
            "<p id=a></p><script>a.textContent = document.cookie + localStorage.length; localStorage.a = 1</script>",
        )
        .with_header("Set-Cookie", "a=b")
    });
    let Some(browser) = browser(patient().with_user_agent("windrow-test/1")).await else { return };
    for _ in 0..2 {
        let rendered = browser.render(&address(&server, "/")).await.unwrap();
        assert!(rendered.html.contains("a=b0"), "{}", rendered.html);
    }
    let ours = ("windrow-test/1".to_owned(), false);
    assert_eq!(*seen.lock().unwrap(), [ours.clone(), ours]);
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_and_traffic_have_bounds() {
    let large = "<script>document.write('x'.repeat(2e6))</script>";
    let config = patient().with_max_size(1_000_000);
    let Some(rendered) = render(config, move |_| Reply::html(large)).await else { return };
    assert!(matches!(rendered, Err(RenderError::TooLarge { limit: 1_000_000, .. })), "{rendered:?}");

    let site = |asked: &Asked| match asked.path.as_str() {
        "/" => Reply::html("<p>first<script>fetch('/much')</script>"),
        _ => Reply::new(200, vec![b'x'; 3_000_000]),
    };
    let rendered = render(patient().with_max_traffic(1_000_000), site).await.unwrap().unwrap();
    assert!(has_note(&rendered, "cut off after 1000000 bytes"), "{:?}", rendered.notes);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_page_is_an_error() {
    let attachment = |_: &Asked| {
        Reply::new(200, *b"a,b")
            .with_header("Content-Type", "text/csv")
            .with_header("Content-Disposition", "attachment")
    };
    let Some(rendered) = render(patient(), attachment).await else { return };
    assert!(matches!(&rendered, Err(RenderError::Failed { cause, .. }) if cause.contains("text/csv")), "{rendered:?}");

    let closed = render(patient(), |_| Reply::status(200).with_fault(Fault::Reset)).await.unwrap();
    assert!(matches!(closed, Err(RenderError::Failed { .. })), "{closed:?}");
    let config = patient().with_timeout(Duration::from_secs(1));
    let silent = render(config, |_| Reply::status(200).with_fault(Fault::Silence)).await.unwrap();
    assert!(matches!(silent, Err(RenderError::TimedOut { .. })), "{silent:?}");
}

#[tokio::test]
async fn what_is_not_there_is_said() {
    let nowhere = Browser::launch(patient().with_program("/nowhere/chromium")).await;
    assert!(
        matches!(&nowhere, Err(RenderError::Start { program, .. }) if program == "/nowhere/chromium"),
        "{nowhere:?}"
    );
    let help = miette::Diagnostic::help(&RenderError::NoBrowser).unwrap().to_string();
    expect_test::expect!["install Chromium (`apt install chromium`), or set WINDROW_BROWSER to the path of a browser"]
        .assert_eq(&help);
    let Some(browser) = browser(patient()).await else { return };
    let file = browser.render(&Url::parse("file:///etc/hostname").unwrap()).await;
    assert!(matches!(file, Err(RenderError::Scheme { .. })), "{file:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_rendered_with_what_stands_beside_it() {
    let Some(browser) = browser(patient()).await else { return };
    let server = Server::start(|_| Reply::new(200, *b"outside").with_header("Access-Control-Allow-Origin", "*"));
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("site");
    std::fs::create_dir(&site).unwrap();
    std::fs::write(folder.path().join("secret.txt"), "secret").unwrap();
    std::fs::write(site.join("list.json"), r#"["Ariadne","Boreas"]"#).unwrap();
    let script = "const add = text => document.querySelector('ul').insertAdjacentHTML('beforeend', `<li>${text}</li>`);
        const read = (url, name) => fetch(url).then(r => r.ok ? r.text() : Promise.reject()).then(add, () => add('no ' + name));
        (async () => {
            const ships = await fetch('list.json').then(r => r.json()).catch(() => ['no list']);
            ships.forEach(add);
            await read('../secret.txt', 'secret'); await read('file:///etc/hostname', 'file');
            await read('OUTSIDE', 'network');
        })();";
    std::fs::write(site.join("app.js"), script.replace("OUTSIDE", &server.url("/"))).unwrap();
    let html = "<!DOCTYPE html><meta charset=windows-1252><p>caf\u{e9}</p><ul></ul><script src=app.js></script>";
    let html: Vec<u8> = html.chars().map(|letter| letter as u8).collect();
    let page = LocalPage::new(html.clone()).in_file(&site.join("page.html"));
    let rendered = browser.render_file(page.clone()).await.unwrap();
    assert!(rendered.html.contains("<p>caf\u{e9}</p>"), "{}", rendered.html);
    let listed = "<li>Ariadne</li><li>Boreas</li><li>no secret</li><li>no file</li><li>no network</li>";
    assert!(rendered.html.contains(listed), "{}", rendered.html);
    assert!(has_note(&rendered, "tried to use the network"), "{:?}", rendered.notes);
    // With the network, it runs its script and cannot read; private addresses stay closed.
    let rendered = browser.render_file(page.with_network(true)).await.unwrap();
    assert!(
        rendered.html.contains("<li>no list</li><li>no secret</li><li>no file</li><li>no network</li>"),
        "{}",
        rendered.html
    );
    assert!(has_note(&rendered, "private address 127.0.0.1"), "{:?}", rendered.notes);
    assert_eq!(server.requests(), 0);
    // Standard input has no folder.
    let rendered = browser.render_file(LocalPage::new(html)).await.unwrap();
    assert!(!rendered.html.contains("<li>"), "{}", rendered.html);
}

/// The processes whose arguments mention `word`: their ids. Linux only; empty elsewhere.
fn processes(word: &str) -> Vec<u32> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let ids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    ids.filter(|id| {
        std::fs::read(format!("/proc/{id}/cmdline")).is_ok_and(|line| String::from_utf8_lossy(&line).contains(word))
    })
    .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_dies_is_replaced_and_leaves_nothing() {
    // The user agent stands in the arguments of all of this browser's processes, and of no other's.
    let mark = format!("windrow-test-mark-{}", std::process::id());
    let server = Server::start(|_| Reply::html("<p>here"));
    let Some(browser) = browser(patient().with_user_agent(&mark)).await else { return };
    browser.render(&address(&server, "/")).await.unwrap();
    if processes(&mark).is_empty() {
        eprintln!("skipped: processes cannot be listed here");
        return;
    }
    let profile = profile_of(processes(&mark)[0]);
    assert!(profile.is_dir(), "{profile:?}");
    // As when memory runs out: its own processes first, the shell that waits for it is not told.
    for id in processes(&mark) {
        if std::fs::read_to_string(format!("/proc/{id}/comm")).is_ok_and(|name| name.trim() != "sh") {
            let _ = std::process::Command::new("kill").args(["-9", &id.to_string()]).status();
        }
    }
    // Noticed at once or by the next render, which may be the one that fails.
    let mut rendered = browser.render(&address(&server, "/")).await;
    if matches!(rendered, Err(RenderError::BrowserDied { .. })) {
        rendered = browser.render(&address(&server, "/")).await;
    }
    assert!(rendered.unwrap().html.contains("here"));
    drop(browser);
    let patience = Instant::now() + Duration::from_secs(300);
    while !processes(&mark).is_empty() && Instant::now() < patience {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(processes(&mark), Vec::<u32>::new());
    assert!(!profile.exists(), "{profile:?} is left behind");
}

fn profile_of(process: u32) -> PathBuf {
    let line = std::fs::read(format!("/proc/{process}/cmdline")).unwrap();
    let text = String::from_utf8_lossy(&line).replace('\0', " ");
    let start = text.find("--user-data-dir=").unwrap() + "--user-data-dir=".len();
    PathBuf::from(text[start..].split(' ').next().unwrap())
}

/// Each page keeps its network busy until four have been asked for: one after the other, none would come to rest.
#[tokio::test(flavor = "multi_thread")]
async fn pages_are_rendered_beside_each_other() {
    let pages = std::sync::atomic::AtomicU64::new(0);
    let server = Arc::new(Server::start(move |asked: &Asked| match asked.path.as_str() {
        "/" => {
            pages.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            Reply::html(
                "<p>Boreas<script>const wait = async () => {
                    while (await (await fetch('/pages')).text() < 4) await new Promise(done => setTimeout(done, 50));
                }; wait()</script>",
            )
        }
        "/pages" => Reply::new(200, pages.load(std::sync::atomic::Ordering::SeqCst).to_string().into_bytes()),
        _ => Reply::status(404),
    }));
    let Some(browser) = browser(patient().with_parallel(4)).await else { return };
    let browser = Arc::new(browser);
    let mut renders = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let (browser, server) = (Arc::clone(&browser), Arc::clone(&server));
        renders.spawn(async move { browser.render(&address(&server, "/")).await.unwrap() });
    }
    let rendered = renders.join_all().await;
    assert!(rendered.iter().all(|rendered| rendered.html.contains("Boreas")), "{rendered:?}");
    assert!(rendered.iter().all(|rendered| rendered.notes.is_empty()), "{rendered:?}");
}

/// Not a test of its own: the program that [`a_killed_program_leaves_no_browser`] kills.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "started by another test"]
async fn held_browser() {
    let Ok(mark) = std::env::var("WINDROW_TEST_MARK") else { return };
    let _browser = Browser::launch(patient().with_user_agent(mark)).await.unwrap();
    tokio::time::sleep(Duration::from_secs(600)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_program_leaves_no_browser() {
    if browser(patient()).await.is_none() {
        return;
    }
    let mark = format!("windrow-test-killed-{}", std::process::id());
    let mut program = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["render::held_browser", "--exact", "--ignored"])
        .env("WINDROW_TEST_MARK", &mark)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let wait = async |done: &dyn Fn() -> bool| {
        let patience = Instant::now() + Duration::from_secs(300);
        while !done() && Instant::now() < patience {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        done()
    };
    // A page's process is there: the browser is up.
    let is_up = wait(&|| processes(&mark).len() > 3).await;
    let profile = processes(&mark).first().map(|id| profile_of(*id));
    program.kill().unwrap();
    program.wait().unwrap();
    if !is_up && !std::path::Path::new("/proc/self/cmdline").exists() {
        eprintln!("skipped: processes cannot be listed here");
        return;
    }
    assert!(is_up);
    assert!(wait(&|| processes(&mark).is_empty()).await, "{:?} outlive the program", processes(&mark));
    let profile = profile.unwrap();
    assert!(wait(&|| !profile.exists()).await, "{profile:?} is left behind");
}
