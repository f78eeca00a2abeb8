"""A report's page in a real browser, over made-up runs: what its tests share."""

import sys
import tempfile
import unittest
from pathlib import Path

from browser import Browser

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "web/report"))
import sample  # noqa: E402

DESKTOP = (1280, 900)
PHONE = (375, 812)


class ReportTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.page = sample.template()

    def setUp(self):
        self.browser.resize(*DESKTOP)

    def tearDown(self):
        said = [entry for entry in self.browser.console() if entry["level"] in ("SEVERE", "WARNING")]
        self.assertEqual(said, [])

    def show(self, kind):
        """Opens a report over one kind of sample; gives its data."""
        data = sample.sample(kind)
        self.show_data(kind, data)
        return data

    def show_data(self, name, data):
        path = self.folder / f"{name}.html"
        path.write_text(sample.fill(self.page, data), encoding="utf-8")
        self.browser.open(path)

    def count(self, selector):
        return self.browser.run("return document.querySelectorAll(arguments[0]).length", selector)

    def text(self, selector):
        return self.browser.run("return document.querySelector(arguments[0]).textContent", selector)

    def paths(self, figure, kind="curve"):
        """The curves of a figure: name and path."""
        return dict(self.browser.run(
            "return [...document.querySelectorAll(arguments[0])].map((p) => [p.dataset.name, p.getAttribute('d')])",
            f"#{figure} .{kind}"))

    def choose(self, name, value):
        self.browser.run("const field = document.querySelector(`select[name=${arguments[0]}]`);"
                         "field.value = arguments[1]; field.dispatchEvent(new Event('change'))", name, value)

    def column(self, heading):
        """A column of the table, from top to bottom."""
        return self.browser.run(
            "const heads = [...document.querySelectorAll('.results thead th')];"
            "const k = heads.findIndex((head) => head.textContent.trim() === arguments[0]);"
            "return [...document.querySelectorAll('.results tbody tr')].map((row) => row.children[k].textContent)",
            heading)

    def sort_by(self, heading):
        self.browser.run("[...document.querySelectorAll('.results thead button')]"
                         ".find((button) => button.textContent.trim() === arguments[0]).click()", heading)

    def assert_fits(self, width):
        wide = self.browser.run("return document.documentElement.scrollWidth")
        self.assertLessEqual(wide, width)
