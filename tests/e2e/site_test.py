"""The site that `make docs` builds, opened from disk: search finds pages, and nothing is asked of another host."""

import html
import json
import re
import shutil
import sys
import unittest

from browser import Browser
from program import PROGRAM, ROOT

sys.path.insert(0, str(ROOT / "docs" / "site"))
from count_words import help_of
from reference import KINDS, listed

SITE = ROOT / "build" / "site"
REQUESTED = """
    const named = [...document.querySelectorAll("script[src], img[src], iframe[src], link[href]")].map((e) => e.src || e.href);
    return named.concat(performance.getEntriesByType("resource").map((entry) => entry.name));"""
ASK = """
    const picture = new Image();
    return new Promise((done) => { picture.onerror = () => setTimeout(() => done(0), 100); picture.src = "http://127.0.0.1:9/nothing"; });"""


@unittest.skipUnless((SITE / "index.html").exists(), "build/site is not there; make docs builds it")
@unittest.skipUnless(shutil.which("chromedriver"), "there is no chromedriver")
class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)
        cls.browser.resize(1280, 900)

    def search(self, words):
        """The addresses of what search finds, from the page that is open."""
        self.browser.click(".md-search__button")
        self.browser.keys(*words)
        return self.browser.run("""
            const begin = Date.now();
            return new Promise((done) => {
              const look = () => {
                const roots = [...document.querySelectorAll("*")].map((element) => element.shadowRoot).filter(Boolean);
                const links = roots.flatMap((root) => [...root.querySelectorAll("[role=listbox] a")]).map((a) => a.href);
                if (links.length || Date.now() - begin > 20000) done(links);
                else setTimeout(look, 50);
              };
              look();
            });""")

    def test_search_works_from_disk(self):
        for page, words, found in [("index.html", "trace norm", "matrices.html"), ("api/python.html", "predict_many", "python.html")]:
            with self.subTest(page):
                self.browser.open(SITE / page)
                links = self.search(words)
                self.assertTrue(any(found in link for link in links), links)
                self.assertTrue(all(link.startswith("file:") for link in links))

    def test_search_has_every_command_option_and_key(self):
        items = json.loads((SITE / "search.json").read_text())["items"]
        words = set(re.findall(r"[\w-]+", html.unescape(" ".join(f"{item['title']} {item['text']}" for item in items))))
        entries = [entry for kind in KINDS for entry in listed(PROGRAM, kind)]
        wanted = {entry["name"] for entry in entries} | {key["name"] for entry in entries for key in entry["keys"]}
        for command, text in help_of(PROGRAM):
            wanted |= {*command.split(), *re.findall(r"(?<![\w-])--[a-z-]+", text)}
        self.assertGreater(len(wanted), 250)
        self.assertEqual(sorted(name for name in wanted if name not in words), [])

    def elsewhere(self):
        return [name for name in self.browser.run(REQUESTED) if not name.startswith(("file:", "data:", "blob:", "javascript:"))]

    def test_nothing_comes_from_another_host(self):
        for page in ("index.html", "gallery.html", "api/cpp/index.html", "gallery/demo/report.html"):
            with self.subTest(page):
                self.browser.open(SITE / page)
                self.browser.next_frame()
                self.assertEqual(self.elsewhere(), [])
                self.assertEqual([line for line in self.browser.console() if line["level"] == "SEVERE"], [])
        self.browser.run(ASK)
        self.assertEqual(self.elsewhere(), ["http://127.0.0.1:9/nothing"])  # it would have been noticed
        self.browser.console()

    def test_formulas_are_drawn(self):
        self.browser.open(SITE / "theory.html")
        self.browser.next_frame()
        given, drawn = self.browser.run("""
            const given = [...document.querySelectorAll(".arithmatex")];
            return [given.length, given.filter((element) => element.querySelector(".katex")).length];""")
        self.assertGreater(given, 50)
        self.assertEqual(drawn, given)
        self.assertEqual([line for line in self.browser.console() if line["level"] == "SEVERE"], [])

    def test_the_gallery_opens_its_reports(self):
        self.browser.open(SITE / "gallery.html")
        links = self.browser.run("return [...document.querySelectorAll('a[href$=\"report.html\"]')].map((a) => a.href)")
        self.assertGreaterEqual(len(links), 8)
        for link in links:
            self.assertTrue((SITE / link.split("/site/")[1]).exists(), link)


if __name__ == "__main__":
    unittest.main()
