//! A small web made for hunting: pharmacies of many layouts, honest and not, sites that only speak of drugs, a register and
//! a search engine. All from a seed, with the truth about every page.
//!
//! Every site has an address of its own on loopback and the engine one more, so that hosts and servers' addresses differ as
//! they do elsewhere. What a culprit does is one of the register's [`Practice`]s; what the shipped rules conclude of it is
//! what is to be found, on the page of that drug and nowhere else.

mod engine;
mod layouts;
mod others;
mod register;
mod score;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub use engine::Engine;
pub use layouts::Layout;
pub use others::Other;
pub use register::{Ad, Drug, Practice};
pub use score::{Rates, Score, Told};
pub use words::{Language, Topic};

use crate::generate::Rng;
use crate::server::{Fault, Reply, Server};
use layouts::Shop;

/// Size of a generated web.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    /// Pharmacies.
    pub shops: usize,
    /// Sites that are none.
    pub others: usize,
    /// Drugs that each shop sells, at most.
    pub drugs: usize,
}

/// A site.
#[derive(Debug)]
pub struct Site {
    /// Its address: `http://127.0.0.2:8000`.
    pub origin: String,
    /// Kind of the site: the layout of a shop, or the kind of another site.
    pub kind: String,
    /// Its pages by their paths.
    pub pages: BTreeMap<String, String>,
    /// Expected findings: the path of a page, and a conclusion.
    pub truth: BTreeSet<(String, &'static str)>,
}

/// Sites, their truth, and the engine that knows them.
#[derive(Debug)]
pub struct Web {
    /// The sites.
    pub sites: Vec<Site>,
    /// The register, as CSV.
    pub register: String,
    engine: Arc<Engine>,
    port: u16,
}

/// A web that is served, until it is dropped.
#[derive(Debug)]
pub struct Served {
    /// Address of the search engine.
    pub search: String,
    servers: Vec<Server>,
    gate: Gate,
}

/// Lets so many requests of a web be answered, and leaves the others without an answer.
#[derive(Debug, Clone)]
struct Gate {
    asked: Arc<AtomicU64>,
    last: Arc<AtomicU64>,
}

impl Gate {
    fn reply(&self, reply: Reply) -> Reply {
        if self.asked.fetch_add(1, Ordering::SeqCst) < self.last.load(Ordering::SeqCst) {
            reply
        } else {
            reply.with_fault(Fault::Silence)
        }
    }
}

impl Served {
    /// Requests so far, by all servers.
    pub fn requests(&self) -> u64 {
        self.servers.iter().map(Server::requests).sum()
    }

    /// Answers this many more requests, and none after them: whoever asks then waits, until he is killed or gives up.
    pub fn stop_after(&self, requests: u64) {
        self.gate.last.store(self.gate.asked.load(Ordering::SeqCst) + requests, Ordering::SeqCst);
    }

    /// Reports whether a request has been left without an answer.
    pub fn has_stopped(&self) -> bool {
        self.gate.asked.load(Ordering::SeqCst) > self.gate.last.load(Ordering::SeqCst)
    }

    /// Answers all requests again.
    pub fn resume(&self) {
        self.gate.last.store(u64::MAX, Ordering::SeqCst);
    }
}

/// The address of the site of this number; the engine has 0.
fn host(number: usize) -> Ipv4Addr {
    Ipv4Addr::new(
        127,
        0,
        1 + u8::try_from(number / 200).unwrap_or(u8::MAX),
        1 + u8::try_from(number % 200).unwrap_or(0),
    )
}

/// A port that is free on all of them.
fn port(hosts: usize) -> u16 {
    for _ in 0..50 {
        let Ok(first) = TcpListener::bind((host(0), 0)) else { continue };
        let Ok(port) = first.local_addr().map(|address| address.port()) else { continue };
        if (1..hosts).all(|number| TcpListener::bind((host(number), port)).is_ok()) {
            return port;
        }
    }
    panic!("there is no port of loopback that is free at {hosts} addresses");
}

impl Web {
    /// A web from a seed.
    pub fn new(seed: u64, size: Size) -> Web {
        let mut rng = Rng::new(seed);
        let drugs = register::register(&mut rng, 40);
        let port = port(1 + size.shops + size.others);
        let origin = |number: usize| format!("http://{}:{port}", host(number));
        let mut sites = Vec::new();
        for number in 0..size.shops {
            sites.push(shop(&mut rng, origin(1 + number), &drugs, number, size.drugs));
        }
        let shops: Vec<String> = sites.iter().map(|site| format!("{}/", site.origin)).collect();
        for number in 0..size.others {
            let other = Other::ALL[number % Other::ALL.len()];
            let pages = others::pages(&mut rng, other, &drugs, &shops).into_iter().collect();
            let origin = origin(1 + size.shops + number);
            sites.push(Site { origin, kind: format!("{other:?}"), pages, truth: BTreeSet::new() });
        }
        let mut engine = Engine::default();
        for site in &sites {
            site.pages.iter().for_each(|(path, html)| engine.add(&format!("{}{path}", site.origin), html));
        }
        Web { sites, register: register::csv(&drugs), engine: Arc::new(engine), port }
    }

    /// Everything that is to be found: a page's address and a conclusion.
    pub fn truth(&self) -> BTreeSet<Told> {
        let all = self.sites.iter().flat_map(|site| site.truth.iter().map(move |(path, what)| (site, path, what)));
        all.map(|(site, path, what)| Told { page: format!("{}{path}", site.origin), conclusion: (*what).to_owned() })
            .collect()
    }

    /// Serves all of it.
    pub fn serve(&self) -> Served {
        let address = |number: usize| SocketAddr::from((host(number), self.port));
        let engine = Arc::clone(&self.engine);
        let gate = Gate { asked: Arc::new(AtomicU64::new(0)), last: Arc::new(AtomicU64::new(u64::MAX)) };
        let through = gate.clone();
        let search = Server::start_at(address(0), move |asked| {
            through.reply(match asked.path.split_once("?") {
                Some(("/search", query)) => {
                    let value =
                        |name: &str| query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
                    let number = value("page").and_then(|page| page.parse().ok()).unwrap_or(1);
                    Reply::html(engine.page(&engine::decode(value("q").unwrap_or_default()), number))
                }
                _ => Reply::status(404),
            })
        });
        let mut servers = vec![search];
        for (number, site) in self.sites.iter().enumerate() {
            let pages = site.pages.clone();
            let through = gate.clone();
            servers.push(Server::start_at(address(1 + number), move |asked| {
                through.reply(match pages.get(&asked.path) {
                    Some(html) => Reply::html(html.as_str()),
                    None => Reply::status(404),
                })
            }));
        }
        Served { search: servers[0].url(""), servers, gate }
    }

    /// The wrapper of the engine's results, as the hunter needs it.
    pub fn wrapper(&self) -> String {
        format!(
            "name = \"gleaner\"\n\n[search]\nurl = \"http://{}:{}/search?q={{query}}&page={{page}}\"\n\n\
             [list.results]\nrecords = \".results li\"\n\n[list.results.field]\n\
             link = {{ xpath = \"h3/a/@href\", type = \"url\" }}\ntitle = \"h3\"\n",
            host(0),
            self.port
        )
    }
}

/// A pharmacy. Every other one is honest.
fn shop(rng: &mut Rng, origin: String, drugs: &[Drug], number: usize, most: usize) -> Site {
    let layout = Layout::ALL[number % Layout::ALL.len()];
    // Whole rounds of layouts, then the next language, so that each layout meets each of them.
    let language = match (number + number / Layout::ALL.len()) % 5 {
        0 | 2 => Language::English,
        1 | 3 => Language::Chinese,
        _ => Language::German,
    };
    let is_culprit = (number / 2 + number) % 2 == 1;
    let name = match language {
        Language::English => format!("{} Pharmacy", rng.pick(&["Rickyard", "Swathe", "Meadow", "Barley", "Tedder"])),
        Language::Chinese => format!("{}大药房", rng.pick(&["百姓", "康民", "同福", "益生", "仁德"])),
        Language::German => format!("{}-Apotheke", rng.pick(&["Linden", "Rathaus", "Heuhof", "Adler", "Wiesen"])),
    };
    let shop = Shop::new(rng, name, language, layout);
    let own: Vec<&Drug> = drugs.iter().filter(|drug| drug.language == language).collect();
    let count = (most / 2).max(3) + rng.below(most / 2 + 1);
    let mut ads: Vec<Ad> = Vec::new();
    let mut tries = 0;
    while ads.len() < count && tries < 1000 {
        tries += 1;
        // A culprit has half of its things in order.
        let practice = (is_culprit && ads.len().is_multiple_of(2))
            .then(|| Practice::ALL[(number * 5 + ads.len() / 2 + tries / 40) % Practice::ALL.len()]);
        let drug = own[rng.below(own.len())];
        let Some(ad) = register::ad(rng, drugs, drug, practice) else { continue };
        if !ads.iter().any(|known| known.name == ad.name) {
            ads.push(ad);
        }
    }
    let mut site =
        Site { origin, kind: format!("{layout:?} {language:?}"), pages: BTreeMap::new(), truth: BTreeSet::new() };
    let all: Vec<&Ad> = ads.iter().collect();
    let terms = match language {
        Language::English => "<p>We send medicine to all countries. Prices include taxes.</p>",
        Language::Chinese => "<p>本店药品均为正品，支持七天退换。</p>",
        Language::German => "<p>Wir liefern Arzneimittel innerhalb von zwei Tagen.</p>",
    };
    for path in ["/terms", "/contact", "/cart"] {
        site.pages.insert(path.to_owned(), shop.page("…", terms));
    }
    if layout == Layout::Together {
        site.pages.insert("/".to_owned(), shop.page(&shop.name, "<p><a href=\"/products/\">➔</a></p>"));
        site.pages.insert("/products/".to_owned(), shop.together(&shop.name, &all));
        for ad in &ads {
            site.truth.extend(ad.expected.iter().map(|what| ("/products/".to_owned(), *what)));
        }
        return site;
    }
    let listed: Vec<(String, &Ad)> =
        all.iter().enumerate().map(|(at, ad)| (format!("/p/{}", 1000 + at * 7), *ad)).collect();
    for (at, (path, ad)) in listed.iter().enumerate() {
        let related: Vec<(String, &Ad)> =
            listed.iter().cycle().skip(at + 1).take(rng.below(4).min(listed.len() - 1)).cloned().collect();
        site.pages.insert(path.clone(), shop.detail(ad, &related));
        site.truth.extend(ad.expected.iter().map(|what| (path.clone(), *what)));
    }
    let lists: Vec<&[(String, &Ad)]> = listed.chunks(5).collect();
    for (at, list) in lists.iter().enumerate() {
        let path = if at == 0 { "/products/".to_owned() } else { format!("/products/page/{}/", at + 1) };
        let numbers = (1..=lists.len()).map(|other| match (other == at + 1, other) {
            (true, _) => format!("<span>{other}</span> "),
            (false, 1) => "<a href=\"/products/\">1</a> ".to_owned(),
            (false, _) => format!("<a href=\"/products/page/{other}/\">{other}</a> "),
        });
        let pager = format!("<div class=\"pagination\">{}</div>", numbers.collect::<String>());
        site.pages.insert(path, shop.page(&shop.name, &format!("{}\n{pager}", shop.offers(list))));
    }
    let best: Vec<(String, &Ad)> = listed.iter().take(3).cloned().collect();
    site.pages
        .insert("/".to_owned(), shop.page(&shop.name, &format!("<h1>{}</h1>\n{}", shop.name, shop.offers(&best))));
    site
}
