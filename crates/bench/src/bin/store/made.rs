//! Made-up ads of a shop: seven fields of six kinds, two tags each, and the place of every value.

use std::sync::Arc;

use serde_json::json;
use windrow_store::{Column, Found, FoundValue, Kind, Layout, Page, Place, Value, content_hash};

/// Tags of an ad.
pub(crate) const TAGS: usize = 2;

pub(crate) fn layout() -> Layout {
    let of = |label: &str, columns: &[(&str, Kind)]| {
        let column = |(label, kind): &(&str, Kind)| Column {
            label: (*label).into(),
            kind: *kind,
            rule: format!(".//*[@class='{label}']"),
        };
        Layout { label: label.into(), columns: columns.iter().map(column).collect(), ..Layout::default() }
    };
    let mut ads = of(
        "ads",
        &[
            ("title", Kind::Text),
            ("link", Kind::Url),
            ("price", Kind::Money),
            ("posted", Kind::Date),
            ("seller", Kind::Text),
            ("stars", Kind::Number),
            ("text", Kind::Html),
        ],
    );
    ads.lists.push(of("tags", &[("name", Kind::Text), ("votes", Kind::Number)]));
    ads
}

/// A page of ads; with `change`, a twentieth of the prices are others.
pub(crate) fn page(layouts: &Arc<[Layout]>, number: usize, on_page: usize, change: bool) -> Page {
    let records = (0..on_page).map(|n| ad(number * on_page + n, n, change)).collect();
    Page {
        name: format!("https://example.org/list/{number}"),
        hash: content_hash(format!("{number} {change}").as_bytes()),
        layouts: Arc::clone(layouts),
        lists: vec![records],
        left_out: Vec::new(),
    }
}

fn value(value: Value, raw: Option<String>, path: &str, start: u32) -> FoundValue {
    FoundValue { value, raw, place: Some(Place { path: path.into(), span: Some((start, start + 12)) }) }
}

fn ad(id: usize, n: usize, change: bool) -> Found {
    // Prices and dates in no order, as pages have them.
    let mixed = (id as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
    let price = mixed % 100_000 + if change && id.is_multiple_of(20) { 1 } else { 0 };
    let amount = format!("{}.{:02}", price / 100, price % 100);
    let posted = format!("2026-{:02}-{:02}", mixed % 12 + 1, mixed % 28 + 1);
    let start = 1000 + 400 * n as u32;
    let tag = |k: usize| {
        let at = start + 300 + 30 * k as u32;
        Found {
            place: Place {
                path: format!("/html[1]/body[1]/ul[1]/li[{}]/i[{}]", n + 1, k + 1),
                span: Some((at, at + 20)),
            },
            values: vec![
                value(Value::Text(format!("tag {}", (mixed >> k) % 500)), None, "b[1]", at),
                value(Value::Number((mixed % 90).to_string()), Some(format!("({})", mixed % 90)), "u[1]", at + 10),
            ],
            lists: Vec::new(),
        }
    };
    Found {
        place: Place { path: format!("/html[1]/body[1]/ul[1]/li[{}]", n + 1), span: Some((start, start + 400)) },
        values: vec![
            value(Value::Text(format!("Old hay wagon {id}, little used")), None, "h2[1]/a[1]", start + 20),
            value(
                Value::Text(format!("https://example.org/ads/{id}")),
                Some(format!("/ads/{id}")),
                "h2[1]/a[1]/@href",
                start + 40,
            ),
            value(
                Value::Money { amount: amount.clone(), currency: Some("EUR".into()) },
                Some(format!("€ {amount}")),
                "div[1]/span[2]",
                start + 90,
            ),
            value(Value::Text(posted.clone()), Some(posted), "div[1]/time[1]", start + 140),
            value(Value::Text(format!("Seller {}", mixed % 5000)), None, "div[2]/a[1]", start + 180),
            value(Value::Number((mixed % 5 + 1).to_string()), Some("★".into()), "div[2]/span[1]", start + 240),
            value(Value::Text("<p>Stood in a barn, <b>dry</b>. Wheels as new.</p>".into()), None, "p[1]", start + 260),
        ],
        lists: vec![(0..TAGS).map(tag).collect()],
    }
}

/// An ad as people write it down who do not keep where it came from.
pub(crate) fn bare(found: &Found) -> String {
    let text = |at: usize| found.values[at].text().unwrap_or_default();
    let amount = match &found.values[2].value {
        Value::Money { amount, .. } => amount.parse::<f64>().unwrap_or(0.0),
        _ => 0.0,
    };
    let tags = found.lists[0].iter().map(|tag| json!({ "name": tag.values[0].text(), "votes": tag.values[1].text() }));
    json!({
        "title": text(0),
        "link": text(1),
        "price": amount,
        "posted": text(3),
        "seller": text(4),
        "stars": text(5),
        "text": text(6),
        "tags": tags.collect::<Vec<_>>(),
    })
    .to_string()
}
