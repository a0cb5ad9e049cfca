"""Lists of selectors, as `css` and `xpath` of `windrow.Selector` return them."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from typing import Any, SupportsIndex, overload

from ._windrow import Selector

__all__ = ["SelectorList"]

# The names of the characters that mean something in HTML stay as they are written.
_ENTITY = re.compile(r"&(?!lt;|amp;)(?:#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);?")


def find(regex: str | re.Pattern[str], text: str, replace_entities: bool = True) -> list[str]:
    """Return what a regular expression finds: its group `extract`, or else its groups, or else all that it matches."""
    pattern = re.compile(regex, re.UNICODE) if isinstance(regex, str) else regex
    if "extract" in pattern.groupindex:
        match = pattern.search(text)
        found = [match.group("extract")] if match and match.group("extract") is not None else []
    else:
        found = []
        for match in pattern.finditer(text):
            found.extend(match.groups() if pattern.groups else [match.group()])
    texts = ["" if one is None else one for one in found]
    return [_ENTITY.sub(lambda entity: html.unescape(entity.group()), one) for one in texts] if replace_entities else texts


class SelectorList(list[Selector]):
    """Selectors, which can be queried together."""

    @overload
    def __getitem__(self, at: SupportsIndex) -> Selector: ...
    @overload
    def __getitem__(self, at: slice) -> SelectorList: ...
    def __getitem__(self, at: SupportsIndex | slice) -> Selector | SelectorList:
        found = super().__getitem__(at)
        return self.__class__(found) if isinstance(at, slice) else found  # type: ignore[arg-type, return-value]

    def __getstate__(self) -> None:
        raise TypeError("can't pickle SelectorList objects")

    def css(self, query: str) -> SelectorList:
        """Return what a CSS selector matches in each of these."""
        return self.__class__(found for own in self for found in own.css(query))

    def xpath(self, query: str, namespaces: dict[str, str] | None = None, **variables: Any) -> SelectorList:
        """Return what an XPath expression finds from each of these."""
        return self.__class__(found for own in self for found in own.xpath(query, namespaces, **variables))

    def re(self, regex: str | re.Pattern[str], replace_entities: bool = True) -> list[str]:
        """Return what a regular expression finds in each of these."""
        return [found for own in self for found in own.re(regex, replace_entities)]

    def re_first(self, regex: str | re.Pattern[str], default: str | None = None, replace_entities: bool = True) -> str | None:
        """Return the first thing that a regular expression finds."""
        for own in self:
            for found in own.re(regex, replace_entities):
                return found
        return default

    def getall(self) -> list[str]:
        """Return the data of each."""
        return [own.get() for own in self]

    extract = getall

    def get(self, default: str | None = None) -> str | None:
        """Return the data of the first."""
        return self[0].get() if self else default

    extract_first = get

    def drop(self) -> None:
        """Raise an error: pages are not changed."""
        for own in self:
            own.drop()

    @property
    def attrib(self) -> dict[str, str]:
        """The attributes of the first."""
        return self[0].attrib if self else {}
