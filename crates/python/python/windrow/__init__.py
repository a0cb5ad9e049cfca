"""Windrow turns web pages into tables.

>>> import windrow
>>> page = windrow.Page("<ul><li><b>Rake</b> <i>12 km</i><li><b>Twine</b> <i>7 km</i><li><b>Wagon</b> <i>3 km</i></ul>")
>>> wrapper = windrow.learn(page, title="Twine")
>>> [row["title"] for row in wrapper.extract(page)]
['Rake', 'Twine', 'Wagon']
"""

from __future__ import annotations

import os

from ._windrow import (
    FeedError,
    LearnError,
    Node,
    Page,
    PageError,
    PageReader,
    RepairRefused,
    RowIterator,
    Selector,
    SelectorError,
    Store,
    StoreError,
    Table,
    WindrowError,
    Wrapper,
    WrapperError,
    __version__,
    fetch,
    learn,
    read_feed,
    read_pages,
)
from .selector import SelectorList

__all__ = [
    "FeedError",
    "LearnError",
    "Node",
    "Page",
    "PageError",
    "PageReader",
    "RepairRefused",
    "RowIterator",
    "Selector",
    "SelectorError",
    "SelectorList",
    "Store",
    "StoreError",
    "Table",
    "WindrowError",
    "Wrapper",
    "WrapperError",
    "__version__",
    "fetch",
    "learn",
    "read",
    "read_feed",
    "read_pages",
]


def read(path: str | os.PathLike[str]) -> Page:
    """Read one page from a file."""
    for page in read_pages(path):
        return page
    raise PageError(f"there is no page in {os.fspath(path)!r}")
