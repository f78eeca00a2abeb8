"""The documents' commands that need the package print what the documents show."""

import sys
from pathlib import Path

import pytest
from conftest import PROGRAM, ROOT

sys.path.insert(0, str(ROOT / "tests" / "e2e"))
import shown  # noqa: E402

WITH_PACKAGE = [path for path in shown.documents() if "<!-- the same, with the Python package -->" in path.read_text()]


@pytest.mark.parametrize("path", WITH_PACKAGE, ids=lambda path: path.stem)
def test_what_a_document_shows_is_not_stale(path):
    document = shown.Document(path, Path(PROGRAM).resolve())
    assert "the Python package" not in document.skipped
    assert [(command, shown.less_times(printed)) for command, _, printed in document.stale] == []


def test_first_steps_are_among_them():
    assert "first_steps" in [path.stem for path in WITH_PACKAGE]
