//! A site on a bad day: half of its pages fail in some way when they are first asked for, and some always.
//!
//! Page `n` is at `/n`, has a title of its own and links to the next twenty pages and some before it; which page fails how
//! is decided by its number, so that every run meets the same site.

use std::collections::BTreeSet;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use crate::server::{Asked, Fault, Reply};

/// Kind of failure of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Failure {
    /// No answer.
    Silence,
    /// A reset connection.
    Reset,
    /// Status 500.
    Error,
    /// Status 429, to come again in a second.
    TooMany,
    /// Half a body.
    Truncated,
    /// A wrong length.
    Length,
    /// A byte now and then.
    Drip,
    /// A redirect that leads back, always.
    Loop,
    /// A small body that unpacks to a large one, always.
    Bomb,
}

/// Each is a twentieth of the pages.
const FAILURES: [Failure; 9] = [
    Failure::Silence,
    Failure::Reset,
    Failure::Error,
    Failure::TooMany,
    Failure::Truncated,
    Failure::Length,
    Failure::Drip,
    Failure::Loop,
    Failure::Bomb,
];

/// Largest distance between a page and the pages it links to.
const REACH: usize = 20;

/// The site.
#[derive(Debug)]
pub struct FaultySite {
    pages: usize,
    filler: String,
    bomb: Arc<[u8]>,
    /// The pages that were asked for, in order.
    asked: Mutex<Vec<usize>>,
    times: Mutex<Vec<u8>>,
}

impl FaultySite {
    /// A site of so many pages, each of about this many bytes.
    pub fn new(pages: usize, bytes: usize) -> FaultySite {
        let filler = "<p>Hay is cut, dried, raked into windrows and baled before the rain comes.</p>\n";
        let mut bomb = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        for _ in 0..256 {
            bomb.write_all(&[b' '; 1 << 20]).expect("memory takes everything");
        }
        FaultySite {
            pages,
            filler: filler.repeat(bytes / filler.len()),
            bomb: bomb.finish().expect("memory takes everything").into(),
            asked: Mutex::default(),
            times: Mutex::new(vec![0; pages]),
        }
    }

    /// Returns the kind of failure of a page and how often it occurs: always for loops and bombs, else once or twice.
    pub fn failure(page: usize) -> Option<(Failure, u8)> {
        // The first page is where everybody begins.
        if page == 0 {
            return None;
        }
        let number = (page as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let failure = *FAILURES.get(number as usize % 20)?;
        let always = matches!(failure, Failure::Loop | Failure::Bomb);
        Some((failure, if always { u8::MAX } else { 1 + u8::from((number / 20).is_multiple_of(4)) }))
    }

    /// The pages that can be had, and that pages which can be had lead to.
    pub fn expected(&self) -> BTreeSet<usize> {
        let mut found = BTreeSet::from([0]);
        let mut left = vec![0];
        while let Some(page) = left.pop() {
            for next in self.links(page) {
                let can_be_had = FaultySite::failure(next).is_none_or(|(_, times)| times < u8::MAX);
                if can_be_had && found.insert(next) {
                    left.push(next);
                }
            }
        }
        found
    }

    /// The pages that were asked for so far, in order.
    pub fn asked(&self) -> Vec<usize> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn links(&self, page: usize) -> impl Iterator<Item = usize> {
        let back = page.saturating_sub(3)..page;
        back.chain(page + 1..(page + 1 + REACH).min(self.pages))
    }

    /// Answers a request.
    pub fn answer(&self, asked: &Asked) -> Reply {
        let path = asked.path.trim_start_matches('/');
        if path == "robots.txt" {
            return Reply::status(404);
        }
        let path = path.strip_prefix("back/").unwrap_or(path);
        let page = if path.is_empty() { Some(0) } else { path.parse().ok() };
        let Some(page) = page.filter(|page| *page < self.pages) else { return Reply::status(404) };
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(page);
        let times = {
            let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
            times[page] = times[page].saturating_add(1);
            times[page]
        };
        let reply = Reply::html(self.html(page));
        let Some((failure, often)) = FaultySite::failure(page) else { return reply };
        if times > often && often < u8::MAX {
            return reply;
        }
        match failure {
            Failure::Silence => reply.with_fault(Fault::Silence),
            Failure::Reset => reply.with_fault(Fault::Reset),
            Failure::Error => Reply::status(500),
            Failure::TooMany => Reply::status(429).with_header("Retry-After", "1"),
            Failure::Truncated => reply.with_fault(Fault::Truncated),
            Failure::Length => reply.with_fault(Fault::LongLength),
            Failure::Drip => reply.with_fault(Fault::Drip),
            Failure::Loop if asked.path.starts_with("/back/") => Reply::redirect(&format!("/{page}")),
            Failure::Loop => Reply::redirect(&format!("/back/{page}")),
            Failure::Bomb => Reply::new(200, Arc::clone(&self.bomb))
                .with_header("Content-Type", "text/html")
                .with_header("Content-Encoding", "gzip"),
        }
    }

    fn html(&self, page: usize) -> String {
        let links: String = self.links(page).map(|next| format!("<li><a href=/{next}>page {next}</a>")).collect();
        format!("<!doctype html><title>Page {page}</title><h1>Page {page}</h1><ul>{links}</ul>{}", self.filler)
    }
}
