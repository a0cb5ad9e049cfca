"""`windrow.Selector` against `parsel.Selector`: the same answers to the same questions."""

import pathlib
import pickle
import weakref

import parsel
import pytest

import windrow

CSS = ["a::attr(href)", "li", "h1::text", "ul > li a::text", "li:first-child", ".price::text", "[href^='/ad']::text", "p, h2"]
XPATH = ["//a/@href", "//li[2]", "count(//li)", "//ul/li[last()]//text()", "string(//h1)", "//li[.//a]", "boolean(//table)", "./body//p"]


def pages(folder: pathlib.Path) -> list[pathlib.Path]:
    return sorted((folder / "pages").glob("*/page-1.html"))


def plain(texts: list[str]) -> list[str]:
    """Texts and addresses as they are; of elements, which each library writes in its own way, what they begin with."""
    return [text if not text.startswith("<") else text.split(">")[0].split()[0].rstrip(">") for text in texts]


@pytest.mark.parametrize("query", CSS)
def test_css_selects_what_parsel_selects(testdata: pathlib.Path, query: str) -> None:
    compare(testdata, lambda selector: selector.css(query))


@pytest.mark.parametrize("query", XPATH)
def test_xpath_selects_what_parsel_selects(testdata: pathlib.Path, query: str) -> None:
    compare(testdata, lambda selector: selector.xpath(query))


def test_selectors_are_asked_from_what_was_found(testdata: pathlib.Path) -> None:
    compare(testdata, lambda selector: selector.css("ul").css("li").xpath("./a | .//a").css("a::text"))


def compare(testdata: pathlib.Path, ask) -> None:  # type: ignore[no-untyped-def]
    found = 0
    for path in pages(testdata):
        # As browsers read the page: what libxml2 makes of unclosed elements is another matter.
        text = windrow.Selector(windrow.read(path).html).get()
        if "<template" in text:
            continue  # its content is no part of the page to a browser, and is to libxml2
        own, peer = ask(windrow.Selector(text)).getall(), ask(parsel.Selector(text)).getall()
        assert plain(own) == plain(peer), path
        found += len(own)
    assert found > 0


def test_regular_expressions() -> None:
    text = "<p>A: 12 &amp; &copy; 13</p><p>B: 7</p>"
    for selector in (windrow.Selector(text), parsel.Selector(text)):
        assert selector.css("p::text").re(r"(\w): (\d+)") == ["A", "12", "B", "7"]
        assert selector.css("p::text").re_first(r"(?P<extract>\d+)") == "12"
        assert selector.css("p::text").re_first("x", "none") == "none"
        assert selector.xpath("//p/text()").re(".*")[0].startswith("A: 12 & ©")


def test_variables_and_namespaces() -> None:
    selector = windrow.Selector("<p id=a>x</p><p id=b>y</p><svg><title>z</title></svg>")
    assert selector.xpath("//p[@id=$id]/text()", id="b").get() == "y"
    selector.register_namespace("s", "http://www.w3.org/2000/svg")
    assert selector.xpath("//s:title/text()").get() == "z"


def test_lists_behave_as_lists() -> None:
    found = windrow.Selector("<ul><li class=x>a<li>b<li>c</ul>").css("li")
    assert isinstance(found[1:], windrow.SelectorList) and len(found[1:]) == 2
    assert found.attrib == {"class": "x"} and found[1].attrib == {}
    assert found.css("::text").getall() == ["a", "b", "c"]
    assert windrow.Selector("<p>").css("b").get("none") == "none"
    assert repr(found[0]) == "<Selector query='li' data='<li class=\"x\">a</li>'>"


def test_what_is_not_there_says_so() -> None:
    selector = windrow.Selector("<p>x")
    for ask in (selector.drop, lambda: selector.jmespath("a"), lambda: windrow.Selector("{}", type="json")):
        with pytest.raises(NotImplementedError):
            ask()
    with pytest.raises(ValueError, match="XPath error"):
        selector.xpath("//[")
    with pytest.raises(TypeError):
        pickle.dumps(selector)
    assert weakref.ref(selector)() is selector


def test_bytes_have_an_encoding() -> None:
    assert windrow.Selector(body="<p>Größe".encode("latin-1"), encoding="latin-1").css("p::text").get() == "Größe"
