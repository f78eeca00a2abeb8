"""The documents: their links and paths lead somewhere, and their examples print what they say."""

import re
import sys
import tempfile
import unittest
from pathlib import Path

from program import ROOT, tarry

DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
SOURCES = ROOT / "src" / "tarry"
CODE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
MADE_UP = {"weighted_l1_ball"}  # what docs/adding.md adds


def anchors(text):
    """What can stand behind # for a page: its headings, as forges and the site name them."""
    names = {}
    for heading in re.findall(r"^#+ (.*)$", CODE.sub("", text), re.MULTILINE):
        words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", words.lower()).strip().replace(" ", "-")
        names[name] = names.get(name, 0) + 1
    return {f"{name}-{i}" if i else name for name, count in names.items() for i in range(count)}


class Links(unittest.TestCase):
    def test_every_link_leads_to_a_file(self):
        for document in DOCUMENTS:
            for target in re.findall(r"\]\(([^)#\s]+)", CODE.sub("", document.read_text())):
                if "://" not in target:
                    self.assertTrue((document.parent / target).exists(), f"{document.name}: {target}")

    def test_every_anchor_is_a_heading(self):
        for document in DOCUMENTS:
            for target, anchor in re.findall(r"\]\(([^)#\s]*)#([^)\s]+)\)", CODE.sub("", document.read_text())):
                if "://" not in target:
                    page = document.parent / target if target else document
                    self.assertIn(anchor, anchors(page.read_text()), f"{document.name}: {target}#{anchor}")

    def test_anchors_are_made_as_forges_make_them(self):
        text = "# A set: `l1_ball`, *n* = 2!\n```\n# not this\n```\n## [Costs](x.md)\n## Costs\n"
        self.assertEqual(anchors(text), {"a-set-l1_ball-n--2", "costs", "costs-1"})

    def test_every_page_is_in_the_index_and_in_the_site(self):
        index, site = (ROOT / "docs/README.md").read_text(), (ROOT / "docs/site/zensical.yml").read_text()
        for page in sorted((ROOT / "docs").glob("*.md")):
            if page.name != "README.md":
                self.assertIn(f"]({page.name})", index)
                self.assertIn(f": {page.name}\n", site)

    def test_every_source_that_is_named_exists(self):
        for document in DOCUMENTS:
            for path in re.findall(r"`((?:[a-z_]+/)+[a-z_]+\.(?:h|cpp))`", document.read_text()):
                if Path(path).stem not in MADE_UP:
                    there = [root / path for root in (ROOT, ROOT / "src", SOURCES)]
                    self.assertTrue(any(file.exists() for file in there), f"{document.name}: {path}")

    def test_every_test_that_holds_a_promise_exists(self):
        files = [*(ROOT / "tests" / "e2e").glob("*_test.py"), *(ROOT / "tests" / "python").glob("test_*.py")]
        there = set(re.findall(r"^ *def (test_\w+)", "".join(file.read_text() for file in files), re.MULTILINE))
        named = {(document.name, name) for document in DOCUMENTS for name in re.findall(r"`(test_\w+)`", document.read_text())}
        self.assertGreater(len(named), 10)
        self.assertEqual({one for one in named if one[1] not in there}, set())


class Layers(unittest.TestCase):
    def test_each_folder_is_named_and_says_what_lives_there(self):
        sys.path.insert(0, str(ROOT / "docs" / "site"))
        self.addCleanup(sys.path.pop, 0)
        from code_reference import code_page, layers
        self.assertEqual({name for name, (_, lives) in layers().items() if not lives}, set())
        folders = {path.name for path in SOURCES.iterdir() if path.is_dir()}
        self.assertEqual(set(layers()), folders)
        self.assertLessEqual({f"| `{name}` | {', '.join(uses)} | {lives} |" for name, (uses, lives) in layers().items()},
                             set(code_page().splitlines()))
        section = (ROOT / "docs" / "architecture.md").read_text().split("## Layers")[1].split("\n## ")[0]
        lists = "".join(line for line in section.splitlines() if line.startswith("- **"))
        self.assertEqual(set(re.findall(r"`(\w+)`", lists)), folders)


def block(text, after, kind):
    """The first block of code of a kind after a text."""
    return re.search(rf"^```{kind}\n(.*?)^```$", text[text.index(after):], re.DOTALL | re.MULTILINE).group(1)


class Replay(unittest.TestCase):
    SECOND = """{"label": "order-17", "value": true}
{"label": "order-18", "value": false}
{"void": 3}
{"play": 5, "features": {"article": "book", "price": 15}}
"""

    def test_stopping_and_going_on_gives_the_hash_of_the_whole_history(self):
        first = block((ROOT / "docs" / "replay.md").read_text(), "This is `first.jsonl`", "json")
        with tempfile.TemporaryDirectory() as folder:
            saved, log = Path(folder, "model.tarry"), Path(folder, "first.jsonl")
            log.write_text(first)
            self.assertEqual(tarry("replay", log, "--save", saved).returncode, 0)
            header = first.splitlines()[0] + "\n"
            done = tarry("replay", "-", "--load", saved, "--hash", stdin=header + self.SECOND)
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            other = tarry("replay", "-", "--load", saved, stdin=header.replace("1000", "1001") + self.SECOND)
            self.assertEqual(other.returncode, 2)
            self.assertIn(b"expiry", other.stderr)
        whole = tarry("replay", "-", "--hash", stdin=first + self.SECOND).stdout.decode()
        self.assertEqual(whole.splitlines()[-1], done.stdout.decode().splitlines()[-1])
        self.assertIn('"answer": "duplicate"', whole)


class Snapshots(unittest.TestCase):
    LOG = """{"format": "tarry-replay/2", "model": {"task": "binary"}}
{"play": 1, "features": {"x": 1}}
{"label": 1, "value": true}
"""

    def test_the_bytes_are_those_of_the_page(self):
        bytes_of = block((ROOT / "docs" / "store_format.md").read_text(), "## A model's file", "")
        magic, wanted = re.search(r"^8 bytes  (\w+)$", bytes_of, re.MULTILINE).group(1), int(re.search(r"format: (\d+)", bytes_of).group(1))
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "log.jsonl").write_text(self.LOG)
            done = tarry("replay", Path(folder, "log.jsonl"), "--save", Path(folder, "my.tarry"))
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            file = Path(folder, "my.tarry").read_bytes()
        number = lambda at: int.from_bytes(file[at:at + 8], "little")
        self.assertEqual(file[:8].decode(), magic)
        self.assertEqual(number(8), wanted)
        at = 16
        for says in (rb"\d+\.\d+\.\d+", rb"\{.*\}"):  # the version, the specification
            self.assertRegex(file[at + 8:at + 8 + number(at)], rb"\A" + says)
            at += 8 + number(at)
        self.assertEqual(number(len(file) - 16), len(file) - 16 - (at + 8))  # the state, behind the position


if __name__ == "__main__":
    unittest.main()
