import pathlib

import pytest

import windrow

ROOT = pathlib.Path(__file__).resolve().parents[3]


@pytest.fixture
def testdata() -> pathlib.Path:
    return ROOT / "testdata"


@pytest.fixture
def ads(testdata: pathlib.Path) -> windrow.Page:
    return windrow.read(testdata / "pages" / "ads" / "page-1.html")


@pytest.fixture
def books(testdata: pathlib.Path) -> windrow.Page:
    return windrow.read(testdata / "pages" / "books" / "page-1.html")
