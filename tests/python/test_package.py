"""The wheel itself: what it holds and needs, and that its docstrings tell the truth."""

import doctest
import importlib
import re
import subprocess
from pathlib import Path

import pytest

import tarry
from conftest import ROOT

PACKAGE = Path(tarry.__file__).parent
# What every Linux has, by the policies of manylinux: the C library, the compiler's, zlib, and the loader.
EVERYWHERE = re.compile(r"(libc|libm|libdl|libpthread|librt|libgcc_s|libstdc\+\+|libz|ld-linux-x86-64|linux-vdso)\.so")


def test_it_is_the_installed_one():
    assert ROOT not in PACKAGE.parents or "site-packages" in PACKAGE.parts


def test_it_brings_the_libraries_it_needs():
    extension = next(PACKAGE.glob("_tarry*.so"))
    lines = subprocess.run(["ldd", extension], capture_output=True, text=True, check=True).stdout.splitlines()
    needed = [line.split("=>")[-1].split("(")[0].strip() or line.strip() for line in lines]
    outside = [path for path in needed if "tarry.libs" not in path and not EVERYWHERE.search(path)]
    assert outside == []


def test_its_version_is_the_programs():
    assert re.search(rf"VERSION {re.escape(tarry.__version__)} ", (ROOT / "CMakeLists.txt").read_text())


def names_of(module):
    return [name for name in module.__all__ if not name.startswith("__")]


@pytest.mark.parametrize("module", ["tarry", "tarry.river", "tarry.sklearn"])
def test_everything_public_says_what_it_is(module):
    module = importlib.import_module(module)
    for name in names_of(module):
        thing = getattr(module, name)
        assert thing.__doc__, name
        if isinstance(thing, type):
            for member in vars(thing):
                if not member.startswith("_") and not isinstance(getattr(thing, member), (int, str, float)):
                    assert getattr(thing, member).__doc__, f"{name}.{member}"


@pytest.mark.parametrize("module", ["tarry", "tarry._explain", "tarry._lab", "tarry._late_labels", "tarry.river", "tarry.sklearn"])
def test_docstrings_of_modules_run(module):
    failed, tried = doctest.testmod(importlib.import_module(module), extraglobs={"tarry": tarry})
    assert failed == 0
    assert tried > 0


@pytest.mark.parametrize("thing", [tarry.Model.decide, tarry.Model.learn, tarry.oracle], ids=lambda thing: thing.__name__)
def test_docstrings_of_the_extension_run(thing):
    test = doctest.DocTestParser().get_doctest(thing.__doc__, {}, thing.__name__, None, 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0
