"""Lists and claims in the documents are those of the program: learners, streams, delays, keys, options, columns, metrics and error codes."""

import json
import re
import sys
import tempfile
import unittest
from pathlib import Path

from program import PROGRAM, ROOT, ProgramTest, listed, tarry

SOURCES = ROOT / "src" / "tarry"


def page(name):
    return (ROOT / "docs" / name).read_text()


def section(text, heading):
    """What is below a heading, up to the next one of its level or above."""
    level = heading.split(" ")[0]
    return re.split(rf"^#{{1,{len(level)}}} ", text.split(f"\n{heading}", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]


def rows(text):
    """The first cells of all rows of tables, and the words in code in each."""
    return [re.findall(r"`([^`]+)`", line.split(" | ")[0]) for line in text.splitlines() if line.startswith("| ")]


def first_words(text):
    return {word.split(" ")[0].strip("[]") for cell in rows(text) for word in cell}


class Folder(ProgramTest):
    def setUp(self):
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        self.folder = Path(held.name)

    def says(self, text, pattern):
        """As assertRegex, but a failure does not show the whole page."""
        self.assertTrue(re.search(pattern, text), f"{pattern} is not there")


class Registries(Folder):
    def test_every_learner_has_a_section_with_examples_of_its_keys(self):
        parts = re.split(r"^### ", section(page("learners.md"), "## One by one"), flags=re.MULTILINE)[1:]
        of = {name: part for part in parts for name in re.findall(r"`(\w+)`", part.splitlines()[0])}
        keys = {entry["name"]: {key["name"] for key in entry["keys"]} for entry in listed("learners")}
        self.assertEqual(set(of) - {"sample"}, set(keys))  # `sample` is a key of two
        for name, part in of.items():
            examples = [json.loads(code) for code in re.findall(r"`(\{[^`]*\})`", part.splitlines()[1])]
            with self.subTest(learner=name):
                self.assertTrue(name == "sample" or name in {example["type"] for example in examples})
                for example in examples:
                    self.assertLessEqual(set(example) - {"type"}, keys[example["type"]])


class Keys(Folder):
    def known(self, done):
        return set(re.search(r"known keys: ([^)]*)", done.stderr.decode())[1].split(", "))

    def test_those_of_an_experiment(self):
        (self.folder / "a.toml").write_text("no_such_key = 1\n")
        known = self.known(self.fails("run", self.folder / "a.toml", says="no_such_key"))
        example = "\n".join(self.succeeds("init", "-"))
        for key in known:
            self.assertRegex(example, rf"\b{key}\b")

    def test_those_of_a_model(self):
        game = '"set": {"type": "simplex", "dimension": 3}, "learner": {"type": "delayed_ofw", "eta": 1}'
        known = self.known(self.fails("explain", f'{{{game}, "no_such_key": 1}}', says="no_such_key")) - {"task"}
        self.assertEqual(first_words(section(page("model.md"), "## What a model is made from").split("### ")[0]), known)

    def test_those_of_events(self):
        text = section(page("replay.md"), "## A model's history: `tarry-replay/2`") + page("late_labels.md") + page("choose.md")
        for event, more in (("play", ""), ("label", '"value": 1, '), ("receive", '"gradient": [1], '), ("expire", ""), ("void", "")):
            log = f'{{"format": "tarry-replay/2", "model": {{"task": "binary"}}}}\n{{"{event}": 1, {more}"no_such_key": 1}}\n'
            for key in self.known(self.fails("replay", "-", stdin=log, says="no_such_key")):
                with self.subTest(event=event, key=key):
                    self.says(text, rf'[`"]{key}\b')

    def test_those_of_features(self):
        known = self.known(self.fails("explain", '{"task": "binary", "features": {"no_such_key": 1}}', says="no_such_key"))
        self.assertEqual(first_words(section(page("features.md"), "## Slots")) | {"interactions"}, known)


class Python(unittest.TestCase):
    def defined(self, *files):
        texts = [(ROOT / "python" / "tarry" / file).read_text() for file in files]
        return {name for text in texts for name in re.findall(r"^ *(?:def|class) (\w+)", text, re.MULTILINE)}

    def test_methods_that_the_page_names(self):
        text = section(page("python.md"), "## Models")
        named = set(re.findall(r"`([a-z_]+)`", text.split("Features are")[0]))
        self.assertGreater(len(named), 10)
        self.assertEqual(named - self.defined("_tarry.pyi"), set())

    def test_names_of_modules_that_the_page_names(self):
        files = ("__init__.py", "_lab.py", "_late_labels.py", "_tarry.pyi", "client.py", "errors.py", "river.py", "sklearn.py", "testing.py",
                 "_replies.py")
        named = {word for words in re.findall(r"tarry\.((?:\w+\.)*\w+)", page("python.md")) for word in words.split(".")}
        self.assertEqual(named - self.defined(*files) - {Path(file).stem for file in files}, set())


class Commands(ProgramTest):
    def options(self, *command):
        found = re.findall(r"^  (?:-\w,)?(--[a-z-]+)", "\n".join(self.succeeds(*command, "--help")), re.MULTILINE)
        return set(found) - {"--help", "--version"}

    def test_options_of_verify(self):
        self.assertEqual(set(re.findall(r"--[a-z-]+", page("verify.md").split("tarry verify", 2)[2].splitlines()[0])), self.options("verify"))

    def test_options_of_workers_and_gateways(self):
        for option in self.options("worker"):
            with self.subTest(option=option):
                self.assertIn(option, page("distributed.md"))


class Addresses(unittest.TestCase):
    """Those of docs/http.md are those of /openapi.json."""

    @classmethod
    def setUpClass(cls):
        sys.path.insert(0, str(ROOT / "docs" / "site"))
        cls.addClassCleanup(sys.path.pop, 0)
        from service_reference import description
        cls.whole = description(PROGRAM)

    def shown(self):
        """(method, path) of all in the list."""
        text = page("http.md").split("The addresses, and")[1].split("\n## ")[0]
        for methods, path in re.findall(r"`([A-Z, ]+) (/[^`? ]*)", text):
            for method in methods.split(", "):
                yield method.lower(), path.replace("NAME", "{name}").replace("CHALLENGER", "{challenger}")

    def test_addresses(self):
        there = {(method, path) for path, methods in self.whole["paths"].items() if "personalizer" not in path
                 for method in methods if method != "parameters"}
        self.assertEqual(set(self.shown()), there)

    def test_keys_of_feedback(self):
        text = section(page("http.md"), "## Feedback") + section(page("http.md"), "### Choices")
        for key in self.whole["components"]["schemas"]["FeedbackItem"]["properties"]:
            with self.subTest(key=key):
                self.assertRegex(text, rf'[`"]{key}\b')

    def test_codes_of_errors(self):
        folders = ("service", "gateway", "hosting", "kafka", "base")
        text = "\n".join(path.read_text() for folder in folders for path in sorted((SOURCES / folder).rglob("*.[ch]*")))
        named = dict(re.findall(r'(k\w+) = "([a-z_]+)"', text))
        codes = set(re.findall(r'\b(?:Refusal|Rejection)\(\s*[^,;"]*,\s*"(\w+)"', text)) | set(re.findall(r'\{Code::\w+, "(\w+)"', text))
        codes |= {named[name] for name in re.findall(r"\bRejection\(\s*[^,;]*,\s*std::string\((k\w+)\)", text)}
        described = self.whole["components"]["schemas"]["Error"]["properties"]["error"]["properties"]["code"]["x-codes"]
        self.assertGreater(len(codes), 40)
        self.assertEqual(set(described), codes)
        shown = set(re.findall(r"`([a-z]+(?:_[a-z]+)*)`", section(page("http.md"), "## Errors"))) - {"code", "key", "questions"}
        self.assertGreater(len(shown), 5)
        self.assertEqual(shown - codes, set())


class Written(Folder):
    def test_columns_of_the_curves(self):
        (self.folder / "a.toml").write_text('rounds = 8\n[set]\ntype = "simplex"\ndimension = 3\n[stream]\ntype = "constant"\ndimension = 3\n'
                                            '[learner]\ntype = "delayed_ofw"\neta = 0.1\n')
        self.assertEqual(tarry("run", self.folder / "a.toml", "--out", self.folder / "out").returncode, 0)
        columns = (self.folder / "out/curves.csv").read_text().splitlines()[0].split(",")
        listed_there = page("lab.md").split("with the columns\n\n")[1].split("\n- metrics")[0]
        self.assertEqual([word for line in listed_there.splitlines() for word in re.findall(r"`(\w+)`", line.split(": ")[0])], columns)

    def test_metrics(self):
        texts = [path.read_text() for folder in ("gateway", "service") for path in (SOURCES / folder).rglob("*.cpp")]
        exported = {name for text in texts for name in re.findall(r"\b(tarry_[a-z_]+)", text)}
        pages = "".join(page(name) for name in ("http.md", "service.md", "distributed.md", "dashboard.md"))
        self.assertEqual(set(re.findall(r"\b(tarry_[a-z_]+)", pages)) - exported, set())
        sys.path.insert(0, str(ROOT / "docs" / "site"))
        self.addCleanup(sys.path.pop, 0)
        from service_reference import metrics
        self.assertGreater(len(metrics()), 40)
        self.assertEqual({name for name in exported if not name.endswith(("_bucket", "_sum", "_count"))}, set(metrics()))
        self.assertEqual({name for name, help in metrics().items() if not help}, set())

    def test_codes_of_errors(self):
        code = (SOURCES / "base" / "error.cpp").read_text()
        table = {cells[0]: cells[1:] for cells in re.findall(r'\{Code::\w+, "(\w+)", (\d), (\d+), "(\w+)"', code)}
        self.assertGreater(len(table), 5)
        sys.path.insert(0, str(ROOT / "docs" / "site"))
        self.addCleanup(sys.path.pop, 0)
        from code_reference import code_page
        shown = {}
        for line in code_page().splitlines():
            if found := re.match(r"\| `(\w+)` \| .+ \| (\d) \| (\d+) \| `(\w+)` \|", line):
                shown[found[1]] = found.groups()[1:]
        self.assertEqual(shown, table)


BOX = '{type = "box", lower = -1, upper = 1, dimension = 3}'
BASE = '{type = "delayed_ofw", eta = 0.01}'
# A game without delay and loss for each learner, on a set that it accepts.
GAMES = {
    "delayed_ofw": "eta = 0.01", "delayed_ofw_sc": "beta = 0.5", "delayed_ospf": 'setting = "linear"\ngradient_bound = 1', "gauge_ftrl": "",
    "box_ftrl": f"set = {BOX}", "box_ftrl_sc": f"beta = 0.5\nset = {BOX}", "adagrad": f"set = {BOX}", "auto": f"set = {BOX}",
    "hedge": f"learners = [{BASE}, {BASE}]", "patient": f"set = {BOX}", "stay": "", "running_share": f"set = {BOX}",
    "delayed_eg": 'set = {type = "simplex", dimension = 3}', "delayed_ogd": "eta = 0.1", "delayed_ogd_sc": "beta = 0.5",
    "bold": f"base = {BASE}", "round_robin": f"delay = 3\nbase = {BASE}", "infeasible_ogd": "eta = 0.1\nslack = 0.1",
    "delayed_mfw": "oracle_calls = 2", "delayed_bandit_ofw": "horizon = 40\nlipschitz = 1\nloss_range = [-1, 1]",
    "per_block": f'learners = [{BASE}, {BASE}]\nset = {{type = "product", parts = [{{type = "l2_ball", dimension = 2, radius = 1}}, '
                 '{type = "l2_ball", dimension = 1, radius = 1}]}',
}


class Certificates(Folder):
    def test_those_without_one_are_the_ones_named(self):
        self.assertEqual(set(GAMES), {entry["name"] for entry in listed("learners")})
        spec = 'rounds = 40\ncomparator = false\n[set]\ntype = "l2_ball"\ndimension = 3\nradius = 1\n[stream]\ntype = "constant"\ndimension = 3\n'
        for name, keys in GAMES.items():
            spec += f'[[learners]]\nname = "{name}"\ntype = "{name}"\n{keys}\n'
        (self.folder / "a.toml").write_text(spec)
        self.assertEqual(tarry("run", self.folder / "a.toml", "--out", self.folder / "out").returncode, 0)
        groups = json.loads((self.folder / "out/summary.json").read_text())["groups"]
        named = re.search(r"These never have one:\n\n- (.*);\n", page("verify.md"))[1]
        self.assertEqual({group["learner"] for group in groups if group["bound"] is None}, set(re.findall(r"`(\w+)`", named)))


class Site(ProgramTest):
    def test_the_generated_reference_has_every_key_and_command(self):
        sys.path.insert(0, str(ROOT / "docs" / "site"))
        self.addCleanup(sys.path.pop, 0)
        from reference import KINDS, keys_page, options_page
        keys, options = keys_page(PROGRAM), options_page(PROGRAM)
        for kind in KINDS:
            for entry in listed(kind):
                self.assertIn(f"### `{entry['name']}`\n", keys)
                for key in entry["keys"]:
                    self.assertIn(f"| `{key['name']}` | ", keys)
        self.assertIn("\n[[learners]]\n", keys.split("## Experiments\n")[1])
        for command in ("tarry run", "tarry token add", *(f"tarry store {name}" for name in self.subcommands("store"))):
            self.assertIn(f"## {command}\n", options)
        for command in set(re.findall(r"`tarry store (\w+)", page("store.md"))):
            self.assertIn(command, self.subcommands("store"))

    def subcommands(self, *command):
        text = "\n".join(self.succeeds(*command, "--help")).split("Subcommands:")[1]
        return re.findall(r"^  (\w+) ", text, re.MULTILINE)


class Words(unittest.TestCase):
    def test_those_that_sound_translated_are_counted_outside_of_code(self):
        sys.path.insert(0, str(ROOT / "docs" / "site"))
        self.addCleanup(sys.path.pop, 0)
        import count_words
        text = count_words.CODE.sub(count_words.blank, "It stands.\n```\nanew\n```\n`lies`, but\nfor that; outlies\n")
        self.assertEqual(count_words.count([("a", text)]), [("a", 1, "stands"), ("a", 5, "but for")])
        self.assertEqual(count_words.code_of('f("http://x");  // anew'), 16)


class Citation(ProgramTest):
    def test_it_names_this_version(self):
        version = re.search(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)[1]
        self.assertRegex(self.succeeds("--version")[0], rf"\Atarry {re.escape(version)}\b")


class Questions(unittest.TestCase):
    def test_each_is_answered_with_a_link_that_leads_somewhere(self):
        from docs_test import anchors
        text = (ROOT / "docs" / "site" / "questions.md").read_text()
        answers = re.findall(r"^\d+\. \*\*(.+\?)\*\*(.*)$", text, re.MULTILINE)
        self.assertEqual(len(answers), 10)
        for question, answer in answers:
            with self.subTest(question=question):
                links = re.findall(r"\]\(\.\./([\w-]+\.md)(?:#([\w-]+))?\)", answer)
                self.assertTrue(links)
                for name, anchor in links:
                    self.assertTrue((ROOT / "docs" / name).exists(), name)
                    if anchor:
                        self.assertIn(anchor, anchors(page(name)))


if __name__ == "__main__":
    unittest.main()
