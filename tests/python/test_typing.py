"""The stubs are those of the extension, and the package and its examples are typed strictly."""

import ast
import subprocess
import sys
from pathlib import Path

from conftest import ROOT

import tarry
from tarry import _tarry

PACKAGE = Path(tarry.__file__).parent


def checked(*command):
    done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_stub_is_what_nanobind_tells_of_the_extension(tmp_path):
    """After a change of a signature: python/make_stub, with this interpreter."""
    subprocess.run([sys.executable, "-B", ROOT / "python" / "make_stub", tmp_path / "stub.pyi"], check=True, timeout=120, cwd=tmp_path)
    made, kept = ((folder / name).read_text() for folder, name in ((tmp_path, "stub.pyi"), (PACKAGE, "_tarry.pyi")))
    assert made == kept


def test_the_stub_names_everything_public():
    names = {node.name for node in ast.parse((PACKAGE / "_tarry.pyi").read_text()).body if hasattr(node, "name")}
    assert names >= {name for name in vars(_tarry) if not name.startswith("__")} - {"theory"}


def test_the_package_is_typed(tmp_path):
    modules = [f"-mtarry.{name}" for name in ("testing", "_lab", "_explain", "_late_labels", "_state")]
    checked("mypy", "--strict", "--ignore-missing-imports", "--cache-dir", str(tmp_path), *modules)


def test_the_examples_are_typed(tmp_path):
    checked("mypy", "--strict", "--ignore-missing-imports", "--untyped-calls-exclude=river", "--cache-dir", str(tmp_path), str(ROOT / "examples" / "python"))


def test_the_package_is_marked_as_typed():
    assert (PACKAGE / "py.typed").exists()
    assert (PACKAGE / "_tarry.pyi").exists()
