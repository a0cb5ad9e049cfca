"""How pages, tables and wrappers show themselves in a notebook."""

import windrow


def test_a_table_shows_its_rows_with_their_places(ads) -> None:
    wrapper = windrow.learn(ads, title="Baler twine, 12 rolls", price="€ 55")
    html = wrapper.extract(ads)._repr_html_()
    assert html.count("<tr>") == 4
    assert "<th>title</th><th>price</th>" in html
    assert "h2[1]/a[1]" in html or "h2/a" in html
    assert "css" in wrapper._repr_html_()


def test_nothing_of_a_page_becomes_markup() -> None:
    page = windrow.Page("<ul><li><b>&lt;script&gt;alert(1)&lt;/script&gt;</b><li><b>&quot; onclick=</b></ul>", name="<img src=x>")
    table = windrow.Wrapper('[list.items]\nrecords = "li"\nfield = { name = "b" }').extract(page)
    for html in (page._repr_html_(), table._repr_html_()):
        assert "<script" not in html and "<img" not in html and '" onclick' not in html


def test_pages_are_not_read_to_show_a_table(ads) -> None:
    def pages():
        raise AssertionError("read")
        yield ads

    wrapper = windrow.learn(ads, title="Baler twine, 12 rolls")
    assert "not read yet" in wrapper.extract(pages())._repr_html_()


def test_a_long_table_is_cut() -> None:
    page = windrow.Page("<ul>" + "".join(f"<li><b>{n}</b>" for n in range(50)) + "</ul>")
    html = windrow.Wrapper('[list.items]\nrecords = "li"\nfield = { name = "b" }').extract(page)._repr_html_()
    assert html.count("<tr>") == 21 and "20 of 50 rows" in html
