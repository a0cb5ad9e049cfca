#!/usr/bin/env python3
"""Writes barn.warc.gz and pharmacies.warc.gz: small sites of our own, always the same bytes."""
import gzip
import uuid
from pathlib import Path

SITE = "https://barn.example"
ADS = [
    ("rake", "Two-wheel rake, hardly used", "€ 340", "Folds for the road. Pick up near Tønder."),
    ("twine", "Baler twine, 12 rolls", "€ 55", "Sisal. Dry store, no mice."),
    ("wagon", "Old hay wagon", "€ 900", "Needs a new floor & one wheel."),
    ("fork", "Hay fork, ash handle", "€ 18", "Three tines, one slightly bent."),
    ("net", "Bale net, two rolls", "€ 120", "1.23 m × 3000 m."),
]
PAGES = [ADS[:2], ADS[2:4], ADS[4:]]


def document(title, body, extra=""):
    return f"<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n<title>{title}</title>\n{extra}{body}"


def ads(number):
    items = "".join(
        f"<li class=ad><h2><a href=/ad/{name}>{title}</a></h2> <b class=price>{price}</b></li>\n"
        for name, title, price, _ in PAGES[number - 1]
    )
    links = []
    for other in range(1, len(PAGES) + 1):
        address = "/ads" if other == 1 else f"/ads?page={other}"
        links.append(f"<b>{other}</b>" if other == number else f"<a href='{address}'>{other}</a>")
    if number < len(PAGES):
        links.append(f"<a href='/ads?page={number + 1}'>Next</a>")
    feed = "<link rel=alternate type=application/rss+xml href=/feed.xml title='New ads'>\n"
    return document(f"Ads, page {number}", f"<h1>Ads</h1>\n<ul>\n{items}</ul>\n<nav class=pager>{' '.join(links)}</nav>\n", feed)


def feed():
    items = "".join(
        f"<item><title>{title}</title><link>{SITE}/ad/{name}</link>"
        f"<pubDate>Mon, {day:02} Jun 2026 08:00:00 +0200</pubDate><description>{text.replace('&', '&amp;')}</description></item>\n"
        for day, (name, title, _, text) in zip((1, 8, 15, 22, 29), ADS)
    )
    return f"<?xml version='1.0'?>\n<rss version='2.0'><channel><title>The barn</title><link>{SITE}/ads</link>\n{items}</channel></rss>\n"


def answers():
    html = "text/html; charset=utf-8"
    yield "/", "301 Moved Permanently", [("Location", "/ads")], ""
    yield "/ads", "200 OK", [("Content-Type", html)], ads(1)
    yield "/ads?page=2", "200 OK", [("Content-Type", html)], ads(2)
    yield "/ads?page=3", "200 OK", [("Content-Type", html)], ads(3)
    for name, title, price, text in ADS:
        body = f"<h1>{title}</h1>\n<p class=price>{price}</p>\n<p class=text>{text.replace('&', '&amp;')}</p>\n"
        yield f"/ad/{name}", "200 OK", [("Content-Type", html)], document(title, body)
    yield "/feed.xml", "200 OK", [("Content-Type", "application/rss+xml")], feed()


def record(address, status, headers, body, ip=None):
    """One answer as a WARC record, packed."""
    body = body.encode()
    lines = [f"HTTP/1.1 {status}"] + [f"{name}: {value}" for name, value in headers]
    block = "\r\n".join(lines + [f"Content-Length: {len(body)}", "", ""]).encode() + body
    fields = [
        "WARC/1.1",
        "WARC-Type: response",
        f"WARC-Record-ID: <urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, address)}>",
        "WARC-Date: 2026-07-01T06:00:00Z",
        f"WARC-Target-URI: {address}",
        *([f"WARC-IP-Address: {ip}"] if ip else []),
        "Content-Type: application/http; msgtype=response",
        f"Content-Length: {len(block)}",
    ]
    return gzip.compress("\r\n".join(fields + ["", ""]).encode() + block + b"\r\n\r\n", mtime=0)


def pharmacies():
    """The pages of testdata/audit/pharmacy, as three shops would have them."""
    pages = Path(__file__).parent.parent / "audit" / "pharmacy"
    shops = {
        "https://clearmeadow.example": ["honest", "incomplete"],
        "https://goldrick.example": ["counterfeit", "unapproved"],
        "http://rx.example:8080": ["prescription"],
    }
    for shop, names in shops.items():
        for name in names:
            body = (pages / f"{name}.html").read_text()
            yield f"{shop}/{name}", "200 OK", [("Content-Type", "text/html; charset=utf-8")], body


def write(name, answers):
    (Path(__file__).parent / name).write_bytes(b"".join(record(*answer) for answer in answers))


if __name__ == "__main__":
    write("barn.warc.gz", ((SITE + path, *rest) for path, *rest in answers()))
    write("pharmacies.warc.gz", pharmacies())
