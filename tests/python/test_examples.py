"""The examples run and print what they promise; so does the Python of the documents."""

import re
import subprocess
import sys

import pytest
from conftest import ROOT

EXAMPLES = sorted((ROOT / "examples" / "python").glob("*.py"))


def run(path):
    done = subprocess.run([sys.executable, "-B", path], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(path):
    assert run(path).strip()


def test_ratings_are_learnt():
    first, last = map(float, re.findall(r"(\d\.\d\d)$", run(ROOT / "examples" / "python" / "ratings.py"), re.MULTILINE))
    assert last < 0.6 * first


def test_late_labels_meet_their_rounds():
    ours, theirs = map(float, re.findall(r"(\d\.\d+)$", run(ROOT / "examples" / "python" / "river_delays.py"), re.MULTILINE))
    assert ours < theirs


@pytest.mark.parametrize("document", ["README.md", "docs/python.md", "docs/choose.md"])
def test_the_python_of_a_document_runs(document, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```$", (ROOT / document).read_text(), re.DOTALL | re.MULTILINE)
    assert blocks
    names = {}
    for block in blocks:
        exec(compile(block, document, "exec"), names)  # noqa: S102


def test_an_apprentice_goes_live():
    said = run(ROOT / "examples" / "choose" / "apprentice.py")
    old, would, live = map(float, re.findall(r"0\.\d{3}", said))
    assert would > old and live > old + 0.04, said
