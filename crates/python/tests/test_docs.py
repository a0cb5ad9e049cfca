"""The examples of the guide and of the package's own documentation run and print what they show."""

import doctest
import os
import pathlib

import windrow

ROOT = pathlib.Path(__file__).resolve().parents[3]


def test_the_guide(monkeypatch) -> None:
    monkeypatch.chdir(ROOT)
    # A long table is shown by its beginning.
    failed, tried = doctest.testfile(os.fspath(ROOT / "docs" / "python.md"), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert tried > 20 and failed == 0


def test_the_module() -> None:
    failed, tried = doctest.testmod(windrow)
    assert tried > 0 and failed == 0
