"""The compiled part of Windrow; import `windrow`, which has all of these names."""

import re
from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from .selector import SelectorList

if TYPE_CHECKING:
    import pandas
    import polars

__version__: str

_Path: TypeAlias = str | PathLike[str]
_Shown: TypeAlias = str | Node
_Selected: TypeAlias = list[Node] | str | float | bool

class WindrowError(Exception):
    """The base of all errors of this package."""

    code: str | None
    """A stable name of the error, such as `page::unreadable`."""
    hint: str | None
    """What to do about it."""

class PageError(WindrowError):
    """A page cannot be read or fetched."""

class WrapperError(WindrowError):
    """The text of a wrapper is wrong."""

    line: int | None
    column: int | None

class SelectorError(WindrowError):
    """An XPath expression or CSS selector is wrong."""

    column: int | None

class LearnError(WindrowError):
    """No wrapper can be learned from what was shown."""

class RepairRefused(WindrowError):
    """A repair was refused, since it was not sure."""

class FeedError(WindrowError):
    """The bytes are no feed."""

class StoreError(WindrowError):
    """A store cannot be opened or queried."""

class Page:
    """A page: its source, its address, and its tree."""

    def __new__(cls, html: str | bytes, *, url: str | None = None, name: str | None = None, charset: str | None = None) -> Page: ...
    @property
    def name(self) -> str:
        """The name it was given by: an address, or a file's path."""
    @property
    def url(self) -> str | None:
        """Its address, if it is known."""
    @property
    def html(self) -> str:
        """Its source."""
    @property
    def text(self) -> str:
        """Its visible text."""
    @property
    def notes(self) -> list[str]:
        """Defects of its source."""
    def discover(self, *, all: bool = False) -> list[Table]:
        """Find the lists of the page, the main one first; without `all` only that."""
    def select(self, css: str) -> _Selected:
        """Return the nodes that a CSS selector matches."""
    def xpath(self, expression: str) -> _Selected:
        """Evaluate an XPath 1.0 expression: nodes, a text, a number or a truth value."""
    def structured(self) -> list[dict[str, Any]]:
        """Read what the page says of itself for machines: JSON-LD, microdata, RDFa, Open Graph."""
    def next_page(self) -> str | None:
        """Return the address of the next page of the list, if the page links to one."""

class Node:
    """A node of a page: an element, a text or an attribute."""

    @property
    def text(self) -> str:
        """The text that people read; of an attribute, its value."""
    @property
    def tag(self) -> str:
        """The name of the element or attribute."""
    @property
    def html(self) -> str:
        """The element as HTML."""
    @property
    def attrib(self) -> dict[str, str]:
        """The attributes of the element."""
    @property
    def path(self) -> str:
        """The XPath that selects exactly this node."""
    @property
    def span(self) -> tuple[int, int] | None:
        """The bytes of the source that the node was made from."""
    def select(self, css: str) -> _Selected:
        """Return what a CSS selector matches below this node."""
    def xpath(self, expression: str) -> _Selected:
        """Evaluate an XPath 1.0 expression with this node as its context."""

class Selector:
    """A page or a part of it, to be queried by CSS and XPath as `parsel.Selector` is."""

    def __new__(
        cls,
        text: str | None = None,
        type: str | None = None,
        body: bytes | None = None,
        encoding: str = "utf-8",
        namespaces: Mapping[str, str] | None = None,
        *,
        base_url: str | None = None,
    ) -> Selector: ...
    @property
    def type(self) -> str:
        """The kind of document: always `html`."""
    @property
    def namespaces(self) -> dict[str, str]:
        """The prefixes that XPath expressions may use, with their namespaces."""
    @property
    def base_url(self) -> str | None:
        """The address of the page, if it was given."""
    def css(self, query: str) -> SelectorList:
        """Return what a CSS selector matches here and below, or with `::text` and `::attr(NAME)` texts."""
    def xpath(self, query: str, namespaces: Mapping[str, str] | None = None, **variables: Any) -> SelectorList:
        """Evaluate an XPath 1.0 expression here; keyword arguments are its variables."""
    def jmespath(self, query: str) -> NoReturn:
        """Raise an error: JSON is not what pages are made of."""
    def get(self) -> str:
        """Return the element as HTML, or the text or the value of the attribute."""
    def extract(self) -> str:
        """Return the same as `get`."""
    def getall(self) -> list[str]:
        """Return the same as `get`, in a list."""
    def re(self, regex: str | re.Pattern[str], replace_entities: bool = True) -> list[str]:
        """Return what a regular expression finds in the data."""
    def re_first(self, regex: str | re.Pattern[str], default: str | None = None, replace_entities: bool = True) -> str | None:
        """Return the first thing that a regular expression finds in the data."""
    @property
    def attrib(self) -> dict[str, str]:
        """The attributes of the element."""
    def register_namespace(self, prefix: str, uri: str) -> None:
        """Let XPath expressions use a prefix for a namespace."""
    def drop(self) -> NoReturn:
        """Raise an error: pages are not changed."""

class PageReader(Iterator[Page]):
    """Iterates over the pages of files, folders and archives."""

    def __iter__(self) -> PageReader: ...
    def __next__(self) -> Page: ...
    @property
    def notes(self) -> list[str]:
        """Defects of the pages and archives read so far."""

class RowIterator(Iterator[dict[str, Any]]):
    """Iterates over the rows of a table; pages are read on the way."""

    def __iter__(self) -> RowIterator: ...
    def __next__(self) -> dict[str, Any]: ...

class Table:
    """The rows of one list, from one page or many. Any library that knows the Arrow PyCapsule interface can read it."""

    @property
    def name(self) -> str:
        """The name of the list."""
    @property
    def columns(self) -> list[str]:
        """The names of the columns, lists in records last."""
    @property
    def warnings(self) -> list[str]:
        """Columns that are empty in most rows, and what the rules did not find."""
    @property
    def wrapper(self) -> Wrapper | None:
        """The wrapper that found the rows, for tables of `Page.discover`."""
    def to_dicts(self) -> list[dict[str, Any]]:
        """Return all rows as dictionaries."""
    def to_polars(self) -> polars.DataFrame:
        """Return the table as a polars data frame."""
    def to_pandas(self) -> pandas.DataFrame:
        """Return the table as a pandas data frame (by pyarrow)."""
    def explain(self, row: int, column: str) -> dict[str, Any]:
        """Say where a value stands and which rule found it."""
    def __len__(self) -> int: ...
    def __getitem__(self, row: int) -> dict[str, Any]: ...
    def __iter__(self) -> RowIterator: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

class Wrapper:
    """A wrapper: the rules for one kind of page."""

    def __new__(cls, text: str, *, format: str | None = None) -> Wrapper: ...
    @staticmethod
    def load(path: _Path) -> Wrapper:
        """Read a wrapper from a file."""
    def save(self, path: _Path) -> None:
        """Write the wrapper to a file; the name's ending selects the format."""
    def to_toml(self) -> str:
        """The wrapper as TOML."""
    @property
    def lists(self) -> list[str]:
        """The names of its lists."""
    @property
    def warnings(self) -> list[str]:
        """Notes on how it was learned."""
    def extract(self, pages: Page | Iterable[Page | _Path], *, list: str | None = None) -> Table:
        """Run the wrapper on a page, or on any iterable of pages; these are read when the rows are asked for."""
    def repair(self, page: Page, *, known: Iterable[Page]) -> Wrapper:
        """Mend the wrapper for a redesigned page, from pages on which it still works."""

class Store:
    """A store of records, as `windrow extract --into` writes it."""

    def __new__(cls, address: str) -> Store: ...
    @property
    def lists(self) -> list[str]:
        """The names of its lists."""
    def query(self, sql: str, params: list[str] | None = None) -> list[dict[str, Any]]:
        """Run SQL that only reads; `params` are the values for `?`."""

def learn(
    pages: Page | Iterable[Page],
    *,
    examples: list[Mapping[str, _Shown]] | None = None,
    not_: _Shown | Iterable[_Shown] | None = None,
    feed: bytes | None = None,
    domain: str | None = None,
    schema: Mapping[str, Any] | type | None = None,
    is_list: bool | None = None,
    **fields: _Shown,
) -> Wrapper:
    """Learn a wrapper from the fields of one record, a blog's feed, a domain's vocabulary, or a schema (a Pydantic model or JSON Schema)."""

def fetch(
    url: str,
    *,
    render: bool = False,
    timeout: float | None = None,
    user_agent: str | None = None,
    replay: list[_Path] | None = None,
    allow_private: bool = False,
) -> Page:
    """Fetch a page, politely and with robots.txt obeyed; with `render`, a browser runs its scripts first."""

def read_pages(*paths: _Path) -> PageReader:
    """Read pages: files, folders, and WARC archives, one page after the other."""

def read_feed(data: bytes, *, base: str | None = None) -> dict[str, Any]:
    """Read a feed in any format (RSS, Atom, JSON Feed, CDF)."""
