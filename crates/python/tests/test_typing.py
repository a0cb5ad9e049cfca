"""The stubs describe the compiled module."""

import ast
import pathlib

import windrow
from windrow import _windrow

STUBS = pathlib.Path(windrow.__file__).with_name("_windrow.pyi")


def names(body: list[ast.stmt]) -> set[str]:
    return {node.name for node in body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}


def test_every_name_has_a_stub_and_every_stub_a_name() -> None:
    tree = ast.parse(STUBS.read_text())
    real = {name for name in vars(_windrow) if not name.startswith("_")}
    assert real == names(tree.body)
    for stub in tree.body:
        if not isinstance(stub, ast.ClassDef) or stub.name.endswith("Error") or stub.name == "RepairRefused":
            continue
        members = {name for name in vars(getattr(_windrow, stub.name)) if not name.startswith("_")}
        assert members == {name for name in names(stub.body) if not name.startswith("_")}, stub.name


def test_the_package_exports_all_of_it() -> None:
    assert set(windrow.__all__) - {"read", "SelectorList", "__version__"} == {name for name in vars(_windrow) if not name.startswith("_")}
