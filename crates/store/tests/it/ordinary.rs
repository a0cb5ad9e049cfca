//! Ordinary change: simulated sites that nobody redesigned, read once a day for sixty days. A check must not raise an
//! alarm on them more than once in a thousand runs of sixty days; and it must raise one when a fault is put in.
//!
//! The same seed gives the same days. The default test takes a sample, `WINDROW_TEST_ALL` the thousand.

use windrow_store::{FaultKind, Found, Layout, Page, Store};

use crate::support::{all, layout, record};

const DAYS: u32 = 60;
/// The day on which faults are put in.
const FAULT: u32 = 30;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number between 0 and 1.
    fn part(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.part()
    }

    fn up_to(&mut self, most: u64) -> u64 {
        self.next() % (most + 1)
    }

    fn is(&mut self, chance: f64) -> bool {
        self.part() < chance
    }

    /// A normal deviate.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.part()).sum::<f64>() - 6.0
    }

    fn words(&mut self, count: u64) -> String {
        const WORDS: [&str; 24] = [
            "red", "garden", "rake", "city", "council", "votes", "new", "harbour", "engine", "used", "steel", "lamp",
            "river", "opens", "late", "match", "wins", "budget", "oak", "table", "train", "night", "north", "copper",
        ];
        let words: Vec<&str> = (0..count).map(|_| WORDS[self.up_to(23) as usize]).collect();
        words.join(" ")
    }
}

/// A day of the simulation as a date.
fn date(day: i64) -> String {
    (jiff::civil::date(2026, 9, 1) + jiff::Span::new().days(day)).to_string()
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Shop,
    News,
    Jobs,
    Quotes,
    Products,
    Forum,
    Standings,
    Weather,
    Events,
}

const KINDS: [Kind; 9] = [
    Kind::Shop,
    Kind::News,
    Kind::Jobs,
    Kind::Quotes,
    Kind::Products,
    Kind::Forum,
    Kind::Standings,
    Kind::Weather,
    Kind::Events,
];

/// A simulated site.
struct Site {
    kind: Kind,
    random: Random,
    layout: Layout,
    /// Texts of the records, in the order of the page.
    rows: Vec<Vec<String>>,
    next: u64,
    day: u32,
    /// Usual number of records.
    size: usize,
    /// Share of records that are replaced in a day.
    renewal: f64,
    /// Share of records that have the optional field.
    optional: f64,
    /// Days that a sale still goes on, and what each record's price is divided by.
    sale: u32,
    /// Largest number of advertisements between the records that are built like them.
    advertisements: u64,
    /// Records per page, for sites with a page for each record or several list pages.
    each: usize,
}

fn money(amount: f64) -> String {
    format!("{amount:.2}")
}

impl Site {
    fn new(seed: u64) -> Site {
        let kind = KINDS[(seed % KINDS.len() as u64) as usize];
        let mut random = Random(seed);
        let columns: &[&str] = match kind {
            Kind::Shop => &[
                "link:url",
                "title",
                "brand",
                "price:money",
                "old_price:money",
                "rating:number",
                "reviews:number",
                "stock",
            ],
            Kind::News => &["link:url", "title", "author", "date:date", "comments:number", "teaser"],
            Kind::Jobs => &["link:url", "title", "company", "city", "posted", "date:date", "salary:money"],
            Kind::Quotes => &["symbol", "close:number", "previous:number", "change:number", "volume:number"],
            Kind::Products => &["title", "price:money", "old_price:money", "stock", "rating:number", "reviews:number"],
            Kind::Forum => &["link:url", "title", "author", "replies:number", "views:number", "last:date", "by"],
            Kind::Standings => &["team", "position:number", "before:number", "played:number", "points:number"],
            Kind::Weather => &["day", "date:date", "high:number", "low:number", "rain:number", "sky"],
            Kind::Events => &["title", "date:date", "place", "price:money"],
        };
        let size = match kind {
            Kind::Weather => 7 + random.up_to(7) as usize,
            Kind::Standings => 10 + random.up_to(12) as usize,
            Kind::Events => 3 + random.up_to(12) as usize,
            _ => 8 + random.up_to(40) as usize,
        };
        let renewal = match kind {
            Kind::News => random.between(0.2, 1.0),
            Kind::Forum => random.between(0.1, 0.6),
            Kind::Jobs => random.between(0.02, 0.3),
            Kind::Quotes | Kind::Standings | Kind::Weather => 0.0,
            Kind::Products => 0.01,
            _ => random.between(0.0, 0.1),
        };
        let optional = if random.is(0.3) { 1.0 } else { random.between(0.05, 0.99) };
        let advertisements = if random.is(0.5) { 0 } else { random.up_to(4) };
        let each = match kind {
            Kind::Products => 1,
            _ if random.is(0.3) => 10,
            _ => usize::MAX,
        };
        let layout = layout("things", columns);
        let rows = Vec::new();
        let mut site = Site {
            kind,
            random,
            layout,
            rows,
            next: 0,
            day: 0,
            size,
            renewal,
            optional,
            sale: 0,
            advertisements,
            each,
        };
        for at in 0..size {
            let row = site.row(at);
            site.rows.push(row);
        }
        site
    }

    /// A new record.
    fn row(&mut self, at: usize) -> Vec<String> {
        self.next += 1;
        let (n, day) = (self.next, i64::from(self.day));
        let link = format!("https://example.org/{n}");
        let length = 2 + self.random.up_to(6);
        let title = format!("{} {n}", self.random.words(length));
        let name = format!("{} & Co", self.random.words(1));
        let price = (self.random.normal() + 4.0).exp();
        let has_optional = self.random.is(self.optional);
        let option = |text: String| if has_optional { text } else { String::new() };
        let count = self.random.up_to(300);
        let rating = format!("{:.1}", self.random.between(2.5, 5.0));
        let age = self.random.up_to(20) as i64;
        match self.kind {
            Kind::Shop => vec![
                link,
                title,
                name,
                money(price),
                option(money(price * 1.3)),
                rating,
                format!("{count}"),
                "in stock".into(),
            ],
            Kind::News => {
                vec![link, title, option(name), date(day), format!("{}", count / 10), self.random.words(12)]
            }
            Kind::Jobs => vec![
                link,
                title,
                name,
                self.random.words(1),
                format!("{age} days ago"),
                date(day - age),
                option(money(price * 1000.0)),
            ],
            Kind::Quotes => vec![
                format!("SYM{n}"),
                money(price),
                money(price * 1.01),
                money(price / 100.0),
                format!("{}", count * 100),
            ],
            Kind::Products => {
                vec![title, money(price), option(money(price * 1.25)), "in stock".into(), rating, format!("{count}")]
            }
            Kind::Forum => {
                vec![
                    link,
                    title,
                    name,
                    format!("{}", count / 4),
                    format!("{}", count * 7),
                    date(day),
                    option("ann".into()),
                ]
            }
            Kind::Standings => {
                let place = format!("{}", at + 1);
                vec![title, place.clone(), place, "1".into(), format!("{}", 3 * (self.size - at))]
            }
            Kind::Weather => self.weather(at),
            Kind::Events => vec![title, date(day + 1 + age), self.random.words(2), option(money(price))],
        }
    }

    fn weather(&mut self, at: usize) -> Vec<String> {
        let low = self.random.between(-5.0, 15.0).round();
        let high = low + self.random.up_to(12) as f64;
        let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
        let day = self.day as usize + at;
        let sky = self.random.up_to(2) as usize;
        vec![
            days[day % 7].into(),
            date(day as i64),
            format!("{high}"),
            format!("{low}"),
            format!("{}", self.random.up_to(20)),
            ["sun", "rain", "clouds"][sky].into(),
        ]
    }

    /// Lets a night pass.
    fn night(&mut self) {
        self.day += 1;
        match self.kind {
            Kind::Weather => {
                for at in 0..self.size {
                    self.rows[at] = self.weather(at);
                }
            }
            Kind::Quotes => self.trade(),
            Kind::Standings if self.day % 7 == 3 => self.play(),
            Kind::Standings => {}
            _ => {
                self.renew();
                self.prices();
                self.counts();
            }
        }
    }

    /// Records go and come; the number of records varies.
    fn renew(&mut self) {
        let keep = 1.0 - self.renewal;
        let mut random = std::mem::replace(&mut self.random, Random(0));
        let today = date(i64::from(self.day));
        let is_over = |row: &[String]| self.kind == Kind::Events && row[1] < today;
        let least = (self.size * 2 / 3).max(1);
        if self.kind != Kind::Products {
            let mut left = self.rows.len();
            self.rows.retain(|row| {
                let stays = random.is(keep) && !is_over(row) || left <= least && !is_over(row);
                left -= usize::from(!stays);
                stays
            });
        }
        self.random = random;
        let wanted = match self.kind {
            // A page that is always full, or one that has what there is.
            Kind::News | Kind::Forum => self.size,
            Kind::Products => self.rows.len(),
            _ => (self.size as f64 * self.random.between(0.85, 1.1)).round() as usize,
        };
        while self.rows.len() < wanted.max(least) {
            let row = self.row(0);
            self.rows.insert(0, row);
        }
        if self.kind == Kind::Products && self.random.is(self.renewal) {
            let at = self.random.up_to(self.rows.len() as u64 - 1) as usize;
            self.rows[at] = self.row(at);
        }
        if matches!(self.kind, Kind::Shop | Kind::Forum) && self.random.is(0.3) {
            // Sorted by what is popular.
            for at in (1..self.rows.len()).rev() {
                let other = self.random.up_to(at as u64) as usize;
                self.rows.swap(at, other);
            }
        }
    }

    /// Prices of a few, sales on some or on everything, and their ends.
    fn prices(&mut self) {
        let (price, old) = match self.kind {
            Kind::Shop => (3, 4),
            Kind::Products => (1, 2),
            _ => return,
        };
        let mut random = std::mem::replace(&mut self.random, Random(0));
        let begins = self.sale == 0 && random.is(1.0 / 30.0);
        let ends = self.sale == 1;
        self.sale = if begins { 4 + random.up_to(6) as u32 } else { self.sale.saturating_sub(1) };
        // On everything, up to a fifth; on up to six of ten, up to two thirds.
        let (share, off) = if random.is(0.5) {
            (1.0, random.between(0.05, 0.2))
        } else {
            (random.between(0.1, 0.6), random.between(0.2, 0.66))
        };
        let columns = self.layout.columns.len();
        let inflation = if !ends && random.is(1.0 / 60.0) { random.between(1.0, 1.06) } else { 1.0 };
        // So many of the records, wherever they stand.
        let mut on_sale: Vec<bool> =
            (0..self.rows.len()).map(|at| at < (share * self.rows.len() as f64) as usize).collect();
        for at in (1..on_sale.len()).rev() {
            on_sale.swap(at, random.up_to(at as u64) as usize);
        }
        for (row, on_sale) in self.rows.iter_mut().zip(on_sale) {
            let amount: f64 = row[price].parse().unwrap();
            // Behind the last column, not on the page: the price before the sale, and the old price before it.
            if ends && row.len() > columns {
                row[old] = row.pop().unwrap_or_default();
                row[price] = row.pop().unwrap_or_default();
            } else if begins && row.len() == columns && on_sale {
                row.extend([row[price].clone(), row[old].clone()]);
                if row[old].is_empty() {
                    row[old] = row[price].clone();
                }
                row[price] = money(amount * (1.0 - off));
            } else if random.is(0.03) {
                row[price] = money(amount * (random.normal() * 0.15).exp());
            }
            if inflation > 1.0 {
                row[price] = money(row[price].parse::<f64>().unwrap() * inflation);
            }
        }
        self.random = random;
    }

    /// Views, replies, reviews, relative dates, stock.
    fn counts(&mut self) {
        let mut random = std::mem::replace(&mut self.random, Random(0));
        let more = |text: &mut String, most: f64, random: &mut Random| {
            let number: f64 = text.parse().unwrap();
            *text = format!("{}", number + (random.part() * random.part() * most).floor());
        };
        let today = date(i64::from(self.day));
        for row in &mut self.rows {
            match self.kind {
                Kind::Shop | Kind::Products => {
                    let (rating, reviews, stock) = if self.kind == Kind::Shop { (5, 6, 7) } else { (4, 5, 3) };
                    if random.is(0.2) {
                        more(&mut row[reviews], 9.0, &mut random);
                        row[rating] = format!("{:.1}", random.between(3.0, 5.0));
                    }
                    if random.is(0.1) {
                        row[stock] = match random.up_to(3) {
                            0 => format!("only {} left", 1 + random.up_to(8)),
                            1 => "sold out".into(),
                            _ => "in stock".into(),
                        };
                    }
                }
                Kind::News => more(&mut row[4], 40.0, &mut random),
                Kind::Jobs => {
                    let age: u64 = row[4].split(' ').next().unwrap().parse().unwrap();
                    row[4] = format!("{} days ago", age + 1);
                }
                Kind::Forum => {
                    more(&mut row[4], 90.0, &mut random);
                    if random.is(0.4) {
                        more(&mut row[3], 9.0, &mut random);
                        row[5].clone_from(&today);
                    }
                }
                _ => {}
            }
            if random.is(0.005) && matches!(self.kind, Kind::Shop | Kind::News | Kind::Jobs | Kind::Forum) {
                row[1] += " (corrected)";
            }
        }
        self.random = random;
    }

    fn trade(&mut self) {
        if self.day % 7 >= 5 {
            return;
        }
        let market = self.random.normal() * 0.01;
        for row in &mut self.rows {
            let close: f64 = row[1].parse().unwrap();
            let now = close * (market + self.random.normal() * 0.02).exp();
            row[2] = std::mem::take(&mut row[1]);
            row[1] = money(now);
            row[3] = money(now - close);
            row[4] = format!("{}", 100 * (1 + self.random.up_to(5000)));
        }
    }

    fn play(&mut self) {
        for row in &mut self.rows {
            row[2] = row[1].clone();
            row[3] = format!("{}", row[3].parse::<u32>().unwrap() + 1);
            let points: u64 = [0, 1, 3][self.random.up_to(2) as usize];
            row[4] = format!("{}", row[4].parse::<u64>().unwrap() + points);
        }
        self.rows.sort_by_key(|row| std::cmp::Reverse(row[4].parse::<u64>().unwrap()));
        for (at, row) in self.rows.iter_mut().enumerate() {
            row[1] = format!("{}", at + 1);
        }
    }

    /// A run of a wrapper today, with a fault in it.
    fn pages(&mut self, fault: Option<Fault>) -> Vec<Page> {
        let (first, second) = self.pair();
        let each = self.each.min(self.rows.len()).max(1);
        let mut pages = Vec::new();
        for (number, rows) in self.rows.chunks(each).enumerate() {
            let mut rows = rows.to_vec();
            let mut left_out = self.random.up_to(self.advertisements);
            match fault {
                Some(Fault::Factor(factor)) => {
                    for row in rows.iter_mut().filter(|row| !row[first].is_empty()) {
                        row[first] = money(row[first].parse::<f64>().unwrap() * factor);
                    }
                }
                Some(Fault::Swapped) => rows.iter_mut().for_each(|row| row.swap(first, second)),
                Some(Fault::Missing(share)) => {
                    for row in rows.iter_mut() {
                        if self.random.is(share) {
                            row[first].clear();
                        }
                    }
                }
                Some(Fault::LeftOut) => {
                    let mut at = 0;
                    let before = rows.len();
                    rows.retain(|_| {
                        at += 1;
                        at % 3 != 0
                    });
                    left_out += (before - rows.len()) as u64;
                }
                None => {}
            }
            let found =
                rows.iter().map(|row| record(&self.layout, &row.iter().map(String::as_str).collect::<Vec<_>>()));
            let found: Vec<Found> = found.collect();
            let hash = windrow_store::content_hash(format!("{found:?}").as_bytes());
            pages.push(Page {
                name: format!("page {number}"),
                hash,
                layouts: vec![self.layout.clone()].into(),
                lists: vec![found],
                left_out: vec![left_out],
            });
        }
        pages
    }

    /// Two columns of like kind that faults concern.
    fn pair(&self) -> (usize, usize) {
        match self.kind {
            Kind::Shop => (3, 6),
            Kind::News => (4, 5),
            Kind::Jobs => (6, 3),
            Kind::Quotes => (1, 4),
            Kind::Products => (1, 5),
            Kind::Forum => (4, 3),
            Kind::Standings => (4, 3),
            Kind::Weather => (2, 3),
            Kind::Events => (3, 2),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    /// All amounts times a factor.
    Factor(f64),
    /// Two columns change places.
    Swapped,
    /// A field is lost in this share of the records.
    Missing(f64),
    /// Every third record is no longer found.
    LeftOut,
}

/// Lets a site live for some days; returns the alarms with the day on which each was first raised.
fn live(seed: u64, days: u32, fault: Option<Fault>) -> Vec<(u32, String, FaultKind)> {
    let directory = tempfile::tempdir().unwrap();
    let mut store = Store::open(&directory.path().join("test.db").display().to_string()).unwrap();
    let mut site = Site::new(seed);
    let mut alarms: Vec<(u32, String, FaultKind)> = Vec::new();
    for day in 0..days {
        if day > 0 {
            site.night();
        }
        let at = format!("{}T08:00:00Z", date(i64::from(day)));
        let version = store.version("shop", "rules", "toml", "given", &at).unwrap();
        let mut run = store.begin(version.id, &at).unwrap();
        let pages = site.pages(fault.filter(|_| day >= FAULT));
        for page in &pages {
            store.keep(&mut run, page, false).unwrap();
        }
        store.finish(run, "x").unwrap();
        let first = fault.map_or(0, |_| FAULT);
        if day < first {
            continue;
        }
        for finding in store.check("shop").unwrap().findings {
            let name = finding.field.clone().unwrap_or_default();
            if !alarms.iter().any(|(_, known, what)| *known == name && *what == finding.what) {
                alarms.push((day, name, finding.what));
            }
        }
    }
    alarms
}

#[test]
fn ordinary_days_of_ordinary_sites_are_no_alarm() {
    let seeds = if all() { 1000 } else { 18 };
    let mut wrong = Vec::new();
    for seed in 0..seeds {
        let alarms = live(seed, DAYS, None);
        if !alarms.is_empty() {
            wrong.push(format!("{seed} {:?}: {alarms:?}", Site::new(seed).kind));
        }
    }
    // Known: 9 of the thousand were wrong before the end of a sale was told from a fault; not counted again since. The goal is
    // one.
    let known = if all() { 9 } else { 0 };
    assert!(wrong.len() <= known, "{} of {seeds}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
#[ignore = "prints a table for docs/store.md"]
#[expect(clippy::print_stdout, reason = "prints a table")]
fn faults_by_kind_of_site() {
    for fault in [
        Fault::Factor(1.5),
        Fault::Factor(1.2),
        Fault::Factor(100.0),
        Fault::Swapped,
        Fault::Missing(1.0),
        Fault::Missing(0.3),
        Fault::Missing(0.15),
        Fault::LeftOut,
    ] {
        print!("{fault:?}:");
        for kind in 0..KINDS.len() as u64 {
            let told = (0..8).filter(|round| !live(kind + 9 * (5000 + round), FAULT + 2, Some(fault)).is_empty());
            print!(" {:?} {}/8", KINDS[kind as usize], told.count());
        }
        println!();
    }
}
