#!/usr/bin/env python3
"""The Python peers: lexbor (selectolax), lxml, parsel and extruct, on the pages that `inputs` and `pattern` wrote.

    peers.py parse INPUTS OUT.csv [ROUNDS]
    peers.py each INPUTS OUT.csv [ROUNDS] [FOLDER...]
    peers.py xpath INPUTS OUT.csv [ROUNDS]
    peers.py extract INPUTS OUT.csv [ROUNDS]
    peers.py pattern INPUTS OUT.csv [ROUNDS]
    peers.py extruct INPUTS OUT.csv [ROUNDS] [FOLDER...]

FOLDER is a part of the corpus, such as details; without one, all pages are taken.
One thread, each page's fastest run, collection of garbage off; as the Rust programs do it.
"""

import csv
import gc
import sys
from pathlib import Path
from time import perf_counter_ns

from lxml import etree, html
from parsel import Selector
from selectolax.lexbor import LexborHTMLParser

# As in crates/bench/src/expressions.rs.
EXPRESSIONS = {
    "absolute": "/html/body/div/div/div/a",
    "attribute": "//div[@class]//a/@href",
    "contains": "//div[contains(@class, 'content')]//p",
    "following-sibling": "//li/following-sibling::li[1]/a",
    "text": "//a/text()",
    "positional": "//ul/li[2]/a[1]",
}


def fastest(rounds, work):
    """The shortest time of `work` in nanoseconds, and what it gave."""
    best, result = None, None
    for _ in range(rounds):
        result = None  # dropped outside of the measured time
        start = perf_counter_ns()
        result = work()
        time = perf_counter_ns() - start
        best = time if best is None else min(best, time)
    return best, result


def lxml_parser():
    # huge_tree: pages are not refused for their depth; the text is UTF-8 whatever a meta element says.
    return html.HTMLParser(encoding="utf-8", huge_tree=True)


def lxml_document(source):
    try:
        return html.document_fromstring(source, parser=lxml_parser())
    except etree.ParserError:  # an empty page
        return None


def lxml_nodes(root):
    """Elements, comments and texts below the document."""
    if root is None:
        return 0
    count = 0
    for node in root.getroottree().iter():
        count += 1 + bool(node.text if isinstance(node.tag, str) else False) + bool(node.tail)
    return count


def lexbor_nodes(tree):
    return sum(1 for _ in tree.root.traverse(include_text=True)) if tree.root else 0


PARSERS = {
    "lexbor (selectolax)": (LexborHTMLParser, lexbor_nodes),
    "lxml": (lxml_document, lxml_nodes),
}


def pages(folder):
    return sorted(folder.glob("*.html"))


def named(inputs, folders):
    """The whole pages of these parts of the corpus, with their names."""
    names = dict(csv.reader((inputs / "pages.csv").open()))
    for path in pages(inputs / "whole"):
        name = names[path.stem]
        if not folders or name.split("/")[0] in folders:
            yield name, path.read_bytes()


def parse(inputs, out, rounds):
    out.writerow(["pages", "parser", "bytes", "nodes", "seconds"])
    for kind in ["whole", "markup"]:
        total, sums = 0, {name: [0, 0] for name in PARSERS}
        for path in pages(inputs / kind):
            source = path.read_bytes()
            total += len(source)
            for name, (parser, count) in PARSERS.items():
                time, tree = fastest(rounds, lambda: parser(source))
                sums[name][0] += time
                sums[name][1] += count(tree)
        for name, (time, nodes) in sums.items():
            out.writerow([kind, name, total, nodes, time / 1e9])


def each(inputs, out, rounds, *folders):
    """Lexbor's parsing, page by page: what `discover`, `learn` and `domain` are measured by."""
    out.writerow(["page", "peer", "ns", "nodes"])
    for name, source in named(inputs, folders):
        time, tree = fastest(rounds, lambda: LexborHTMLParser(source))
        out.writerow([name, "lexbor (selectolax)", time, lexbor_nodes(tree)])


def extruct(inputs, out, rounds, *folders):
    """What extruct needs for the structured data of a page, in the syntaxes that Windrow reads; the last column is items."""
    from extruct import extract

    syntaxes = ["json-ld", "microdata", "rdfa", "opengraph"]

    def items(source):
        found = extract(source, base_url="https://example.org/", syntaxes=syntaxes, errors="ignore", encoding="UTF-8")
        return sum(map(len, found.values()))

    out.writerow(["page", "peer", "ns", "nodes"])
    for name, source in named(inputs, folders):
        time, found = fastest(rounds, lambda: items(source))
        out.writerow([name, "extruct", time, found])


def xpath(inputs, out, rounds):
    names = dict(csv.reader((inputs / "pages.csv").open()))
    compiled = {name: etree.XPath(text) for name, text in EXPRESSIONS.items()}
    out.writerow(["page", "expression", "peer", "ns", "results"])
    for path in pages(inputs / "whole"):
        root = lxml_document(path.read_bytes())
        if root is None:
            continue
        tree = root.getroottree()
        for name, run in compiled.items():
            time, found = fastest(rounds, lambda: run(tree))
            out.writerow([names[path.stem], name, "lxml", time, len(found)])


def extract(inputs, out, rounds):
    """The fields of the wrapper in crates/bench/src/bin/extract.rs."""

    def values(text):
        page = Selector(text=text, type="html", huge_tree=True)
        found = [page.xpath("string(//title)").get(), page.xpath("//meta[@name='description']/@content").get()]
        for item in page.xpath("//ul/li[a]"):
            found.append(item.xpath("string(a)").get())
            found.append(item.xpath("a/@href").get())
        return found

    names = dict(csv.reader((inputs / "pages.csv").open()))
    out.writerow(["page", "peer", "ns", "values"])
    for path in pages(inputs / "whole"):
        text = path.read_bytes().decode()
        time, found = fastest(rounds, lambda: values(text))
        out.writerow([names[path.stem], "parsel", time, sum(1 for value in found if value)])


def pattern(inputs, out, rounds):
    """The fields of the specification in crates/bench/src/weather.rs, by lxml and XPath."""
    rows = etree.XPath("//table[2]//tr[td]")
    texts = etree.XPath("td/text()")
    link = etree.XPath("td/a/@href")
    city = etree.XPath("td/a/text()")

    def values(source):
        found = []
        for row in rows(lxml_document(source)):
            country, weather, range_today, tomorrow, range_tomorrow = texts(row)
            high, low = range_today.split("/")
            high_tomorrow, low_tomorrow = range_tomorrow.split("/")
            found.append(
                (country, link(row)[0], city(row)[0], weather, high, low, tomorrow, high_tomorrow, low_tomorrow)
            )
        return found

    source = (inputs / "weather.html").read_bytes()
    time, found = fastest(max(rounds // 5, 1), lambda: values(source))
    out.writerow(["peer", "bytes", "values", "seconds"])
    out.writerow(["lxml and XPath", len(source), sum(map(len, found)), time / 1e9])


def main():
    mode, inputs, file = sys.argv[1:4]
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 15
    folders = sys.argv[5:]
    modes = {"parse": parse, "each": each, "xpath": xpath, "extract": extract, "pattern": pattern, "extruct": extruct}
    gc.disable()
    with open(file, "w", newline="") as handle:
        modes[mode](Path(inputs), csv.writer(handle, lineterminator="\n"), rounds, *folders)


if __name__ == "__main__":
    main()
