"""The stubs are those of the extension, and the package and its examples are typed strictly."""

import ast
import inspect
import re
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


def stub():
    """Every function and property of the stub: its name, and the names of its arguments."""
    for node in ast.parse((PACKAGE / "_tarry.pyi").read_text()).body:
        if isinstance(node, ast.ClassDef):
            for member in node.body:
                if isinstance(member, ast.FunctionDef):
                    yield f"{node.name}.{member.name}", arguments_of(member)
        elif isinstance(node, ast.FunctionDef):
            yield node.name, arguments_of(node)


def arguments_of(node):
    names = [*node.args.args, *node.args.kwonlyargs, *([node.args.kwarg] if node.args.kwarg else [])]
    return [argument.arg for argument in names if argument.arg != "self"]


def extension():
    """The same of the extension itself, as nanobind tells it."""
    for name, thing in vars(_tarry).items():
        if isinstance(thing, type):
            for member, value in vars(thing).items():
                if member not in OWN and (member, name) not in (("__init__", "Decision"), ("__init__", "Decisions")):
                    yield f"{name}.{member}", told(value)
        elif hasattr(thing, "__nb_signature__"):
            yield name, told(thing)


def told(value):
    if hasattr(value, "__func__"):
        value = value.__func__
    if inspect.isfunction(value):
        return [name for name in inspect.signature(value).parameters if name != "self"]
    if not hasattr(value, "__nb_signature__"):
        return []
    signature = value.__nb_signature__[0][0].split("->")[0]
    return [name for name in re.findall(r"\*{0,2}(\w+)(?=\s*[:,)=])", signature[signature.index("("):]) if name in words(signature)]


def words(signature):
    """What stands before a colon, or after two stars: the names of arguments."""
    return {*re.findall(r"(\w+):", signature), *re.findall(r"\*\*(\w+)", signature)}


OWN = {"__doc__", "__module__", "__new__", "__repr__", "__reduce__", "__nb_signature__", "__str__"}


def test_the_stubs_are_those_of_the_extension():
    assert dict(sorted(stub())) == dict(sorted(extension()))


def test_the_examples_are_typed(tmp_path):
    checked("mypy", "--strict", "--ignore-missing-imports", "--untyped-calls-exclude=river", "--cache-dir", str(tmp_path), str(ROOT / "examples" / "python"))


def test_the_package_is_marked_as_typed():
    assert (PACKAGE / "py.typed").exists()
    assert (PACKAGE / "_tarry.pyi").exists()
