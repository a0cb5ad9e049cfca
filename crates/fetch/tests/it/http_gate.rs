//! Politeness: places and times.

use std::time::Duration;

use tokio::time::Instant;
use url::Url;
use windrow_fetch::http::Gate;
use windrow_testkit::server::{Reply, Server};

use crate::http_common::{client, config, request};

fn url(text: &str) -> Url {
    Url::parse(text).expect("an address")
}

#[tokio::test(start_paused = true)]
async fn starts_keep_the_configured_rate() {
    let gate = Gate::new(4, Duration::from_millis(5));
    let page = url("http://example.org/");
    let begun = Instant::now();
    for number in 0..200 {
        let _permit = gate.enter(&page).await;
        assert_eq!(begun.elapsed(), Duration::from_millis(5) * number);
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_with_latency_does_not_slow_the_rate() {
    let gate = Gate::new(8, Duration::from_millis(10));
    let begun = Instant::now();
    let mut requests = tokio::task::JoinSet::new();
    for _ in 0..100 {
        let gate = gate.clone();
        requests.spawn(async move {
            let _permit = gate.enter(&url("http://example.org/")).await;
            let started = begun.elapsed();
            // The answer takes longer than five starts, and fewer than the places there are.
            tokio::time::sleep(Duration::from_millis(50)).await;
            started
        });
    }
    let mut starts = requests.join_all().await;
    starts.sort();
    let planned: Vec<Duration> = (0..100).map(|number| Duration::from_millis(10) * number).collect();
    assert_eq!(starts, planned);
}

/// The client enters the gate for each page: with one place, there is one request at a time.
#[tokio::test]
async fn the_client_enters_the_gate() {
    let server = Server::start(|_| Reply::html("page"));
    let client = client(config().with_per_host(1));
    let held = client.gate().enter(&url(&server.url("/"))).await;
    let (asking, page) = (client.clone(), server.url("/page"));
    let asked = tokio::spawn(async move { asking.get(&request(&page)).await.unwrap() });
    // As long as the only place is taken, nothing is asked for, however often the task gets its turn.
    for _ in 0..1000 {
        tokio::task::yield_now().await;
    }
    assert_eq!(server.requests(), 0);
    drop(held);
    asked.await.unwrap();
    assert_eq!(server.requests(), 1);
}

#[tokio::test(start_paused = true)]
async fn places_are_counted_for_each_origin() {
    let gate = Gate::new(2, Duration::ZERO);
    let page = url("http://example.org/a");
    let first = gate.enter(&page).await;
    let second = gate.enter(&url("http://example.org:80/b")).await;
    let wait = Duration::from_secs(60);
    assert!(tokio::time::timeout(wait, gate.enter(&page)).await.is_err(), "both places are taken");
    assert!(gate.try_enter(&page, Instant::now()).is_err());
    // Another scheme, host or port is another origin.
    for other in ["https://example.org/", "http://example.org:8080/", "http://www.example.org/"] {
        assert!(gate.try_enter(&url(other), Instant::now()).is_ok(), "{other}");
    }
    drop(first);
    let third = tokio::time::timeout(wait, gate.enter(&page)).await.expect("a place is free");
    drop((second, third));
}

#[test]
fn a_schedule_can_ask_without_waiting() {
    let gate = Gate::new(10, Duration::from_secs(1));
    let page = url("http://example.org/");
    let now = Instant::now() + Duration::from_secs(10);
    let _first = gate.try_enter(&page, now).unwrap();
    let next = gate.try_enter(&page, now).unwrap_err();
    assert!(next <= now + Duration::from_secs(1) && next > now + Duration::from_millis(900));
    let _second = gate.try_enter(&page, next).expect("at the time that was told");
    // Five milliseconds late costs nothing in the long run, a long pause is not made up for.
    let late = next + Duration::from_millis(1005);
    let _third = gate.try_enter(&page, late).unwrap();
    assert_eq!(gate.try_enter(&page, late).unwrap_err(), next + Duration::from_secs(2));
    let paused = late + Duration::from_secs(100);
    let _fourth = gate.try_enter(&page, paused).unwrap();
    assert!(gate.try_enter(&page, paused).unwrap_err() > paused + Duration::from_millis(900));
}

#[tokio::test(start_paused = true)]
async fn a_hold_takes_back_the_times_of_those_who_wait() {
    let gate = Gate::new(2, Duration::from_millis(50));
    let page = url("http://example.org/");
    drop(gate.enter(&page).await);
    let begun = Instant::now();
    let (waiting, held) = (gate.clone(), page.clone());
    let waiting = tokio::spawn(async move { waiting.enter(&held).await });
    tokio::time::sleep(Duration::from_millis(10)).await;
    gate.hold(&page, Instant::now() + Duration::from_millis(300));
    waiting.await.unwrap();
    assert_eq!(begun.elapsed(), Duration::from_millis(310));
}

#[test]
fn a_slower_origin_is_slower_from_its_next_start() {
    let gate = Gate::new(2, Duration::ZERO);
    let page = url("http://example.org/");
    gate.slow(&page, Duration::from_secs(5));
    let now = Instant::now() + Duration::from_secs(1);
    drop(gate.try_enter(&page, now).expect("the first need not wait"));
    let next = gate.try_enter(&page, now).unwrap_err();
    assert!(next > now + Duration::from_millis(4900), "{:?}", next - now);
    gate.slow(&page, Duration::from_secs(1));
    assert_eq!(gate.try_enter(&page, now).unwrap_err(), next, "never faster again");
}

#[test]
fn idle_origins_are_forgotten() {
    let gate = Gate::new(2, Duration::ZERO);
    let held = gate.try_enter(&url("http://held.example.org/"), Instant::now()).unwrap();
    let _other = gate.try_enter(&url("http://held.example.org/"), Instant::now()).unwrap();
    for number in 0..50_000 {
        drop(gate.try_enter(&url(&format!("http://host{number}.example.org/")), Instant::now()));
    }
    assert!(gate.origins() < 10_000, "{}", gate.origins());
    assert!(gate.try_enter(&url("http://held.example.org/"), Instant::now()).is_err(), "what is in use is kept");
    drop(held);
}
