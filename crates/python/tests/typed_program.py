"""A program that strict type checkers accept. It is checked, not run."""

import windrow

page: windrow.Page = windrow.Page("<ul><li>Oslo<li>Rome</ul>", url="https://example.org/")
wrapper: windrow.Wrapper = windrow.learn(page, city="Oslo", examples=[{"city": "Rome"}])
table: windrow.Table = wrapper.extract(windrow.read_pages("pages/", "archive.warc.gz"))
for row in table:
    city: object = row["city"]
rows: list[dict[str, object]] = table.to_dicts()
warnings: list[str] = table.warnings + wrapper.warnings
found = page.select("li")
if isinstance(found, list):
    paths: list[str] = [node.path for node in found]
try:
    windrow.fetch("https://example.org/", timeout=10)
except windrow.PageError as error:
    hint: str | None = error.hint
lists: list[windrow.Table] = page.discover(all=True)
