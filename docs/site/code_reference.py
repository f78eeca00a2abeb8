"""The code's part of the reference: every folder of src/tarry with what lives there and what it may use, from the lines of its
CMakeLists.txt, and every code of an error with what it becomes at each door, from base/error.h and base/error.cpp."""

import re
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2] / "src/tarry"
LAYER = re.compile(r"^ *tarry_layer\((\w+)([^)]*)\)(?: *# (.*))?$", re.MULTILINE)
CODE = re.compile(r"^ *(k\w+), *// (.*)$", re.MULTILINE)
ROW = re.compile(r'\{Code::(\w+), "(\w+)", (\d), (\d+), "(\w+)"')


def layers():
    """{folder: (the folders it may use, what lives there)}, the lowest first."""
    found = {}
    for name, rest, lives in LAYER.findall((SOURCES / "CMakeLists.txt").read_text()):
        depends = re.search(r"DEPENDS ([a-z_ ]+)", rest)
        found[name] = (depends[1].split() if depends else [], lives)
    return found | {"cli": (["all"], "the program")}


def errors():
    """{code: (when, exit status, HTTP status, Python's exception)}."""
    when = dict(CODE.findall((SOURCES / "base/error.h").read_text()))
    return {name: (when.get(code, ""), *rest) for code, name, *rest in ROW.findall((SOURCES / "base/error.cpp").read_text())}


def code_page():
    lines = ["# Layers and error codes", "", "Taken from the sources when this site was built.", "", "## Layers", "",
             "| folder | may use | what lives there |", "|---|---|---|"]
    lines += [f"| `{name}` | {', '.join(uses)} | {lives} |" for name, (uses, lives) in layers().items()]
    lines += ["", "## Error codes", "", "| code | when | exit status | HTTP | Python |", "|---|---|---|---|---|"]
    lines += [f"| `{name}` | {when} | {status} | {http} | `{python}` |" for name, (when, status, http, python) in errors().items()]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    print(code_page())
