#!/usr/bin/env python3
"""Writes web.warc.gz: a search engine and six small sites of our own, always the same bytes."""
import html
import re
import sys
from pathlib import Path
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).parent.parent / "archives"))
from make import record  # noqa: E402

ENGINE = "https://gleaner.example"
# What `windrow hunt --domain drugs --queries 4` asks for.
QUERIES = ["medicine", "drug", "online pharmacy", "药品"]
SHOWN = 5


def page(language, title, body):
    return f"<!doctype html>\n<html lang={language}>\n<meta charset=utf-8>\n<title>{title}</title>\n{body}"


def frame(shop, title, body, language="en", words=("Home", "All medicines", "Terms")):
    home, products, terms = words
    menu = f"<nav><a href=/>{home}</a> <a href=/products>{products}</a> <a href=/terms>{terms}</a></nav>"
    return page(language, f"{title} - {shop}", f"{menu}\n<main>\n{body}</main>\n")


def table(facts):
    return "<table>\n" + "".join(f"<tr><th>{label}</th><td>{text}</td></tr>\n" for label, text in facts) + "</table>\n"


def definitions(facts):
    return "<dl>\n" + "".join(f"<dt>{label}</dt><dd>{text}</dd>\n" for label, text in facts) + "</dl>\n"


def paragraphs(facts):
    return "".join(f"<p><b>{label}:</b> {text}</p>\n" for label, text in facts)


def brackets(facts):
    return "<div>" + "".join(f"【{label}】{text}<br>\n" for label, text in facts) + "</div>\n"


def shop(name, intro, drugs, layout, **frames):
    """A shop with a list of its drugs and a page for each: path and text."""
    links = "".join(f"<li><a href=/p/{path}>{title}</a> <b>{facts[-1][1]}</b></li>\n" for path, title, facts in drugs)
    yield "/", frame(name, name, f"<h1>{name}</h1>\n<p>{intro}</p>\n", **frames)
    yield "/products", frame(name, "A-Z", f"<h1>A-Z</h1>\n<ul>\n{links}</ul>\n", **frames)
    yield "/terms", frame(name, "Terms", "<p>We deliver within two days.</p>\n", **frames)
    for path, title, facts in drugs:
        yield f"/p/{path}", frame(name, title, f"<h1>{title}</h1>\n{layout(facts)}", **frames)


def facts(generic, code, maker, country, use, dangers, price, **more):
    known = [
        ("Generic name", generic),
        ("Approval number", code),
        ("Manufacturer", maker),
        ("Country of origin", country),
        ("Availability", more.get("availability", "In stock")),
        ("Ingredients", f"{generic}, water" if generic else None),
        ("Indications", use),
        ("Warnings", dangers),
        ("Dosage", "Twice a day"),
        ("Price", price),
    ]
    return [(label, text) for label, text in known if text]


DROPS = facts("cromoglicic acid", "MA-10234", "Oak Labs Ltd", "Ireland", "Hay fever", "Take out contact lenses", "€ 4.10")
SPRAY = facts("xylometazoline", "MA-10457", "Weir &amp; Veit Ltd.", "Ireland", "A blocked nose", "Not for more than a week", "€ 3.95")
RICKYARD = [("drops", "Hayfield Drops", DROPS), ("spray", "Clearmeadow Nasal Spray", SPRAY)]
SWATHE = [
    # Another maker than the register has, and a number that it does not have.
    ("spray", "Clearmeadow Nasal Spray", facts("xylometazoline", "MA-10457", "Goldrick Trading", "Ireland", "A blocked nose", "Not for more than a week", "€ 1.20")),
    ("granules", "Ricksweet Granules", facts("lactulose", "MA-99871", "Rick Remedies", "Ireland", "A slow digestion", "Drink enough water", "€ 14.00")),
    ("drops", "Hayfield Drops", DROPS),
]
NIGHTBARN = [
    # On prescription only, controlled, and sold without; then one that says nothing of its dangers.
    ("syrup", "Nightbarn Syrup", facts("codeine", "MA-12008", "Weir &amp; Veit Ltd.", "Ireland", "A dry cough", "May make you sleepy", "€ 39.00", availability="In stock, no prescription needed")),
    ("balm", "Barley Balm", facts("dexpanthenol", "MA-11020", "Veit", "Austria", "Chapped skin", None, "€ 3.20")),
]


def chinese(generic, code, maker, use, price):
    return [
        ("通用名称", generic), ("批准文号", code), ("生产企业", maker), ("产地", "中国"), ("成份", f"主要成份为{generic}"),
        ("适应症", use), ("禁忌", "对本品过敏者禁用"), ("用法用量", "一次1片，一日3次"), ("价格", price),
    ]


KANGMIN = [
    ("1", "康必欣片", chinese("布洛芬", "国药准字H20051234", "云山仁康制药有限公司", "用于缓解头痛、牙痛", "¥18.00")),
    ("2", "清咽宁胶囊", chinese("穿心莲内酯", "国药准字Z19998877", "东湖百草药业有限公司", "用于咽喉肿痛", "¥25.50")),
]


def diary():
    posts = [
        ("On buying medicine", "Before you buy a medicine from an online pharmacy, look for its approval number. Mine had none, and the dosage was a guess."),
        ("A drug for hay fever", "My doctor gave me a new drug. The warnings fill a page; the price does not bear thinking about."),
    ]
    links = "".join(f"<li><a href=/{number}>{title}</a></li>" for number, (title, _) in enumerate(posts))
    yield "/", page("en", "Hay diary", f"<h1>Hay diary</h1><ul>{links}</ul>\n")
    for number, (title, text) in enumerate(posts):
        yield f"/{number}", page("en", f"{title} - Hay diary", f"<h1>{title}</h1>\n<p>{text}</p>\n")


def tools():
    facts = [("Manufacturer", "Weir Tools"), ("Price", "€ 34.00"), ("Weight", "1.4 kg"), ("Availability", "In stock")]
    yield "/", page("en", "Weir Tools", "<h1>Weir Tools</h1>\n<p>The best medicine for a meadow is a <a href=/rake>rake</a>.</p>\n")
    yield "/rake", page("en", "Meadow rake - Weir Tools", f"<h1>Meadow rake</h1>\n{table(facts)}")


ZH = {"language": "zh", "words": ("首页", "全部药品", "服务条款")}
SITES = [
    ("rickyard.example", "192.0.2.10", list(shop("Rickyard Pharmacy", "An online pharmacy: every medicine with its leaflet.", RICKYARD, table))),
    ("swathe-pills.example", "192.0.2.20", list(shop("Swathe Pills", "Any drug, any medicine, at once.", SWATHE, definitions))),
    ("nightbarn.example", "192.0.2.30", list(shop("Nightbarn", "Your discreet online pharmacy.", NIGHTBARN, paragraphs))),
    ("kangmin.example", "192.0.2.40", list(shop("康民大药房", "网上药店，药品齐全。", KANGMIN, brackets, **ZH))),
    ("hay-diary.example", "192.0.2.50", list(diary())),
    ("weir-tools.example", "192.0.2.60", list(tools())),
]


def words(text):
    """Words, and every two letters of scripts without spaces."""
    found = []
    for run in re.findall(r"\w+", text.lower()):
        east = len(run) > 1 and ord(run[0]) > 0x2E80
        found += [run[at : at + 2] for at in range(len(run) - 1)] if east else [run]
    return found


def results(query):
    """Addresses and titles: those first that have the query's words most often; of a site, the best page."""
    scored = []
    for host, _, pages in SITES:
        found = []
        for path, text in pages:
            title = re.search("<title>(.*?)</title>", text).group(1)
            has = words(re.sub("<[^>]*>", " ", text))
            score = sum(has.count(word) for word in words(query)) / len(has)
            found.append((-score, f"https://{host}{path}", html.unescape(title)))
        if min(found)[0] < 0:
            scored.append(min(found))
    return [(address, title) for _, address, title in sorted(scored)]


def result_page(query, number):
    all_results = results(query)
    shown = all_results[SHOWN * (number - 1) : SHOWN * number]
    items = "".join(f"<li><h3><a href=\"{address}\">{html.escape(title)}</a></h3><cite>{address}</cite></li>\n" for address, title in shown)
    more = len(all_results) > SHOWN * number
    pager = f"<p><a href=\"/?q={quote(query)}&amp;page={number + 1}\">Next</a></p>\n" if more else ""
    return page("en", f"{query} - Gleaner", f"<h1>Gleaner</h1>\n<ol class=results>\n{items}</ol>\n{pager}")


def main():
    kind = [("Content-Type", "text/html; charset=utf-8")]
    out = b""
    for query in QUERIES:
        for number in (1, 2, 3):
            address = f"{ENGINE}/?q={quote(query)}&page={number}"
            out += record(address, "200 OK", kind, result_page(query, number), "192.0.2.1")
    for host, ip, pages in SITES:
        for path, text in pages:
            out += record(f"https://{host}{path}", "200 OK", kind, text, ip)
    (Path(__file__).parent / "web.warc.gz").write_bytes(out)


if __name__ == "__main__":
    main()
