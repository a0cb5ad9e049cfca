"""Pages: made, opened, fetched, and looked into."""

import pytest

import windrow


def test_text_and_bytes_give_a_page() -> None:
    assert windrow.Page("<p>Größe").text == "Größe"
    assert windrow.Page("<p>Größe".encode("windows-1252"), charset="windows-1252").text == "Größe"
    with pytest.raises(TypeError, match="str or bytes"):
        windrow.Page(3)  # type: ignore[arg-type]


def test_selectors_find_nodes_and_values() -> None:
    page = windrow.Page('<ul><li><a href="/oslo">Oslo</a><li>Rome</ul>', url="https://example.org/")
    nodes = page.select("li")
    assert isinstance(nodes, list)
    assert [node.text for node in nodes] == ["Oslo", "Rome"]
    assert nodes[1].path == "/html[1]/body[1]/ul[1]/li[2]"
    link = nodes[0].xpath("a")
    assert isinstance(link, list) and link[0].attrib == {"href": "/oslo"} and link[0].tag == "a"
    assert page.xpath("count(//li)") == 2.0
    assert page.xpath("string(//a/@href)") == "/oslo"
    assert page.xpath("boolean(//b)") is False


def test_a_wrong_expression_says_where() -> None:
    with pytest.raises(windrow.SelectorError) as caught:
        windrow.Page("").xpath("//li[contain(., 'Oslo')]")
    assert "contain()" in str(caught.value)
    assert caught.value.column == 6
    assert caught.value.hint is not None and "contains" in caught.value.hint


def test_pages_of_files_and_archives(testdata) -> None:
    pages = list(windrow.read_pages(testdata / "archives" / "barn.warc.gz"))
    assert any(page.url == "https://barn.example/ads" for page in pages)
    with pytest.raises(windrow.PageError, match="cannot read"):
        windrow.read(testdata / "no-such-page.html")


def test_pages_are_fetched_from_an_archive(testdata) -> None:
    page = windrow.fetch("https://barn.example/ads", replay=[testdata / "archives" / "barn.warc.gz"])
    assert page.url == "https://barn.example/ads"
    assert page.next_page() == "https://barn.example/ads?page=2"
    with pytest.raises(windrow.PageError):
        windrow.fetch("https://barn.example/none", replay=[testdata / "archives" / "barn.warc.gz"])


def test_structured_data() -> None:
    page = windrow.Page('<script type="application/ld+json">{"@type": "Product", "name": "Rake", "offers": {"price": 9}}</script>')
    [product] = page.structured()
    assert product["type"] == ["Product"]
    assert product["properties"]["name"] == "Rake"
    assert product["properties"]["offers"]["properties"]["price"] == "9"


def test_a_feed_is_read() -> None:
    feed = windrow.read_feed(b"<rss version=2.0><channel><title>News</title><item><title>Hay</title><link>/hay</link></item>", base="https://farm.example/")
    assert feed["title"] == "News"
    assert feed["items"][0]["link"] == "https://farm.example/hay"
    with pytest.raises(windrow.FeedError):
        windrow.read_feed(b"no feed")
