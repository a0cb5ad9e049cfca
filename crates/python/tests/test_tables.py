"""Learning, extracting, and what comes of the rows."""

import datetime
import gc
import threading

import pytest

import windrow


def test_a_list_is_discovered(books) -> None:
    [table] = books.discover()
    assert len(table) == 8
    assert table[1]["title"] == "The Salt Road"
    assert table[-1]["title"] == "Postcards from the Plateau"
    assert table.wrapper is not None and len(table.wrapper.extract(books)) == 8
    with pytest.raises(IndexError):
        table[8]


def test_one_example_is_enough(ads) -> None:
    wrapper = windrow.learn(ads, title="Baler twine, 12 rolls", price="€ 55")
    rows = wrapper.extract(ads).to_dicts()
    assert [row["title"] for row in rows] == ["Two-wheel rake, hardly used", "Baler twine, 12 rolls", "Old hay wagon"]
    assert rows[0]["price"] == {"amount": 340, "currency": "EUR"}
    assert rows[2]["price"] is None


def test_a_node_shows_a_field(ads) -> None:
    [link] = ads.xpath("//li[2]/h2/a/@href")
    wrapper = windrow.learn(ads, title="Baler twine, 12 rolls", link=link)
    assert wrapper.extract(ads)[0]["link"].endswith("/ad/101")


def test_what_is_not_there_is_an_error(ads) -> None:
    with pytest.raises(windrow.LearnError, match="title"):
        windrow.learn(ads, title="No such advertisement")
    with pytest.raises(windrow.LearnError, match="domain"):
        windrow.learn(ads, domain="no-such-domain")


def test_a_wrapper_is_written_and_read(ads, tmp_path) -> None:
    wrapper = windrow.learn(ads, title="Baler twine, 12 rolls")
    wrapper.save(tmp_path / "ads.toml")
    again = windrow.Wrapper.load(tmp_path / "ads.toml")
    assert again.to_toml() == wrapper.to_toml()
    assert again.lists == wrapper.lists
    with pytest.raises(windrow.WrapperError) as caught:
        windrow.Wrapper('[list.ads]\nrecords = "li["\n')
    assert caught.value.line == 2


def test_pages_are_read_when_rows_are_asked_for(ads) -> None:
    read = []

    def pages():
        for number in range(3):
            read.append(number)
            yield ads

    wrapper = windrow.learn(ads, title="Baler twine, 12 rolls")
    table = wrapper.extract(pages())
    assert read == []
    rows = iter(table)
    next(rows)
    assert read == [0]
    assert len(table) == 9 and read == [0, 1, 2]


def test_an_error_of_the_pages_is_passed_on(ads) -> None:
    def pages():
        yield ads
        raise ValueError("the disk is gone")

    wrapper = windrow.learn(ads, title="Baler twine, 12 rolls")
    with pytest.raises(ValueError, match="the disk is gone"):
        len(wrapper.extract(pages()))
    with pytest.raises(TypeError, match="pages"):
        len(wrapper.extract([3]))  # type: ignore[list-item]


def test_warnings_tell_what_is_thin() -> None:
    items = "".join(f"<li><b>Item {n}</b>{'<i>9 km</i>' if n == 0 else ''}</li>" for n in range(9))
    wrapper = windrow.Wrapper('[list.items]\nrecords = "li"\nfield = { name = "b", way = { css = "i", optional = true } }')
    assert wrapper.extract(windrow.Page(f"<ul>{items}</ul>")).warnings == ["`way` is empty in 8 of 9 rows"]


def test_a_value_knows_its_place(ads) -> None:
    wrapper = windrow.learn(ads, title="Baler twine, 12 rolls", price="€ 55")
    place = wrapper.extract(ads).explain(1, "price")
    assert place["text"] == "€ 55"
    assert place["record"] == "/html[1]/body[1]/ul[1]/li[2]"
    start, end = place["span"]
    assert "55" in ads.html.encode()[start:end].decode()
    with pytest.raises(KeyError):
        wrapper.extract(ads).explain(1, "weight")


def test_dates_and_lists_have_their_types() -> None:
    rules = '[list.days]\nrecords = "li"\nfield = { day = { css = "b", type = "date" } }\nlist = { tags = { records = "i" } }'
    page = windrow.Page("<html lang=en><ul><li><b>3 March 2026</b><i>wet</i><i>cold</i></ul>")
    [row] = windrow.Wrapper(rules).extract(page).to_dicts()
    assert row == {"day": datetime.date(2026, 3, 3), "tags": ["wet", "cold"]}


def test_arrow_by_polars_pyarrow_pandas_and_duckdb(ads) -> None:
    polars = pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    duckdb = pytest.importorskip("duckdb")
    wrapper = windrow.learn(ads, title="Baler twine, 12 rolls", price="€ 55")
    table = wrapper.extract(ads)
    frame = table.to_polars()
    assert frame["title"].to_list() == [row["title"] for row in table]
    assert frame["price"].struct.field("amount").to_list() == [340.0, 55.0, None]
    assert isinstance(frame, polars.DataFrame)
    assert pyarrow.table(table).num_rows == 3
    assert len(table.to_pandas()) == 3
    arrow = pyarrow.table(table)
    assert duckdb.sql("select count(*) from arrow").fetchall() == [(3,)]
    assert arrow.schema.field("price").type.num_fields == 2


def test_a_stream_keeps_no_rows(ads) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    wrapper = windrow.learn(ads, title="Baler twine, 12 rolls")
    table = wrapper.extract(ads for _ in range(4000))
    reader = pyarrow.RecordBatchReader.from_stream(table)
    sizes = [batch.num_rows for batch in reader]
    assert sum(sizes) == 12000 and max(sizes) <= 8192
    assert len(table) == 0, "the rows have passed through"


def test_a_stream_passes_errors_on(ads) -> None:
    pyarrow = pytest.importorskip("pyarrow")

    def pages():
        yield ads
        raise ValueError("the disk is gone")

    wrapper = windrow.learn(ads, title="Baler twine, 12 rolls")
    with pytest.raises(Exception, match="the disk is gone"):
        pyarrow.table(wrapper.extract(pages()))


def test_threads_share_a_wrapper(books) -> None:
    wrapper = windrow.learn(books, title="The Salt Road")
    counts = []
    threads = [threading.Thread(target=lambda: counts.append(len(wrapper.extract([books] * 50)))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [400] * 4


def test_a_wrapper_is_repaired_or_refused(testdata, ads) -> None:
    wrapper = windrow.Wrapper.load(testdata / "wrappers" / "ads" / "offers.toml")
    redesigned = windrow.read(testdata / "redesigned" / "ads.html")
    assert len(wrapper.extract(redesigned)) == 0
    mended = wrapper.repair(redesigned, known=[ads])
    titles = [row["title"] for row in mended.extract(redesigned)]
    assert set(row["title"] for row in wrapper.extract(ads)) <= set(titles)
    with pytest.raises(windrow.RepairRefused) as caught:
        wrapper.repair(windrow.Page("<p>Gone"), known=[ads])
    assert caught.value.hint


def test_feeds_and_domains_are_evidence(testdata) -> None:
    blog = testdata / "blog"
    home = windrow.Page((blog / "home.html").read_text(), url="https://example.org/")
    wrapper = windrow.learn(home, feed=(blog / "feed.xml").read_bytes())
    assert any("title" in wrapper.extract(home, list=name).columns for name in wrapper.lists)
    pages = sorted((testdata / "domain" / "drugstore").glob("*.html"))
    drugs = windrow.learn([windrow.read(page) for page in pages], domain="drugs")
    assert len(drugs.extract(pages)) > 0


def test_a_wrong_list_is_named(ads) -> None:
    wrapper = windrow.learn(ads, title="Baler twine, 12 rolls")
    with pytest.raises(windrow.WrapperError) as caught:
        wrapper.extract(ads, list="cars")
    assert wrapper.lists[0] in str(caught.value)


def test_nothing_leaks_when_a_stream_is_dropped(ads) -> None:
    wrapper = windrow.learn(ads, title="Baler twine, 12 rolls")
    for _ in range(100):
        wrapper.extract(ads).__arrow_c_stream__()
    gc.collect()
