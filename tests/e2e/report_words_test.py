"""The report of a table as a person reads it: what it means first, figures without a hole, the winner in sight."""

import csv
import json
import math
import random
import subprocess
import tempfile
import unittest
from pathlib import Path

import axe
from browser import Browser
from program import PROGRAM, ROOT, TIMEOUT

NAN = ("return [...document.querySelectorAll('svg *')].flatMap((e) => [...e.attributes]"
       ".filter((a) => /NaN|undefined|Infinity/.test(a.value)).map((a) => `${e.tagName} ${a.name}=${a.value}`))")


def table(kind, rows=500, seed=3):
    """Six numbers, and a label that is known later: `number`, `classes`, `one`, `noise`."""
    draw = random.Random(seed)
    lines = ["seen_at,known_at,a,b,c,shop,outcome"]
    for i in range(rows):
        a, b, c = (draw.gauss(0, 1) for _ in range(3))
        score = a - 2 * b + draw.gauss(0, 0.5)
        label = {"number": f"{500 + 90 * score:.1f}", "noise": draw.choice(["no", "yes"]), "one": "yes" if i in (150, 400) else "no",
                 "classes": "low" if score < -1 else "high" if score > 1 else "middle"}[kind]
        lines.append(f"{1.7e9 + 600 * i:.0f},{1.7e9 + 600 * i + draw.expovariate(1 / 20000):.0f},{a:.4f},{b:.4f},{c:.4f},"
                     f"{draw.choice(['north', 'south'])},{label}")
    return "\n".join(lines) + "\n"


class Made(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name) / "spring"
        cls.folder.mkdir()
        cls.said = {}

    @classmethod
    def made(cls, kind):
        if kind not in cls.said:
            (cls.folder / f"{kind}.csv").write_text(table(kind))
            done = subprocess.run([PROGRAM, "run", f"{kind}.csv", "--out", kind], cwd=cls.folder, capture_output=True,
                                  timeout=TIMEOUT, check=True)
            cls.said[kind] = done.stdout.decode()
        return cls.folder / kind

    def summary(self, kind):
        return json.loads((self.made(kind) / "summary.json").read_text())


class Words(Made):
    def test_plain_sgd_stays_in_reach_on_harmless_numbers(self):
        groups = {g["learner"]: g["metrics"]["rmse"] for g in self.summary("number")["groups"] if g["delay"] == "as recorded"}
        self.assertLess(groups["SGD 0.01"], 3 * groups["base rate"])

    def test_a_learner_that_loses_says_so_first_and_its_model_carries_a_warning(self):
        verdict, = self.summary("one")["verdicts"]
        self.assertTrue(verdict["loses"])
        self.assertIn("does not beat base rate here", verdict["says"][0])
        self.assertIn('Almost all labels are "not yes" (498 of 500)', verdict["says"][0])
        self.assertIn("(auto, which does not beat base rate here; continue with", self.said["one"])
        self.assertNotIn("which does not beat", self.said.get("number") or (self.made("number") and self.said["number"]))

    def test_the_confusion_holds_what_the_accuracy_counts(self):
        summary = self.summary("classes")
        run = next(r for r in summary["runs"] if r["learner"] == "auto" and r["delay"] == "as recorded")
        quality = run["quality"]
        self.assertEqual(sorted(quality["classes"]), ["high", "low", "middle"])
        right = sum(quality["confusion"][k][k] for k in range(3))
        self.assertAlmostEqual(right / 500, run["checkpoints"]["metrics"]["accuracy"][-1], delta=0.02)
        self.assertTrue(all(0 <= one["predicted"] <= 1 and one["rounds"] >= 5 for one in quality["calibration"]))

    def test_errors_by_size_and_times_are_those_of_the_table(self):
        run = next(r for r in self.summary("number")["runs"] if r["learner"] == "auto" and r["delay"] == "as recorded")
        bins = run["quality"]["by_size"]
        self.assertEqual(sum(one["rounds"] for one in bins), 500)
        self.assertEqual([one["outcome"] for one in bins], sorted(one["outcome"] for one in bins))
        mean = sum(one["rounds"] * one["error"] for one in bins) / 500
        self.assertAlmostEqual(mean, run["checkpoints"]["metrics"]["mae"][-1], places=6)
        self.assertEqual(run["checkpoints"]["time"][-1], 1.7e9 + 600 * 499)
        reading, = self.summary("number")["readings"]
        self.assertEqual(sum(reading["waits"]["counts"]), 500)
        self.assertEqual({c["name"]: c["role"] for c in reading["columns"]}["outcome"], "label")

    def test_predictions_have_the_probability_of_each_class(self):
        with open(self.made("classes") / "predictions.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(sorted(name for name in rows[0] if name.startswith("p ")), ["p high", "p low", "p middle"])
        for row in rows[100:]:
            chances = {name[2:]: float(p) for name, p in row.items() if name.startswith("p ")}
            self.assertAlmostEqual(sum(chances.values()), 1, places=9)
            self.assertEqual(max(chances, key=chances.get), row["prediction"])

    def test_a_saved_model_explains_a_row(self):
        model = str(self.made("noise") / "model.tarry")
        row = '{"a": 1.5, "b": -0.2, "shop": "north"}'
        told = json.loads(subprocess.run([PROGRAM, "explain", model, "--row", row, "--json"], capture_output=True, check=True).stdout)
        output, = told["outputs"]
        self.assertAlmostEqual(output["base"] + sum(p["adds"] for p in output["parts"]) + output.get("rest", 0), output["score"], delta=1e-9)
        self.assertAlmostEqual(told["prediction"], 1 / (1 + math.exp(-output["score"])), places=12)
        shown = subprocess.run([PROGRAM, "explain", model, "--row", row], capture_output=True, check=True).stdout.decode()
        self.assertRegex(shown, r"prediction 0\.\d+\nlog-odds ")
        self.assertRegex(shown, r"\n +[+-][\d.e-]+  shop=north\n")
        for bad, message in (("{", "--row must be JSON"), ('{"a": {}}', "features.a must be")):
            done = subprocess.run([PROGRAM, "explain", model, "--row", bad], capture_output=True, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn(message, done.stderr.decode())

    def test_a_rival_that_is_not_there_is_told_in_one_line(self):
        self.made("noise")
        done = subprocess.run([PROGRAM, "run", "noise.csv", "--beside", "xgboost"], cwd=self.folder, capture_output=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--beside must be lightgbm (xgboost came)", done.stderr.decode())
        empty = {"PATH": str(self.folder)}
        done = subprocess.run([PROGRAM, "run", "noise.csv", "--beside", "lightgbm"], cwd=self.folder, capture_output=True, check=False, env=empty)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("needs a python3 that has the package lightgbm", done.stderr.decode())


class Page(Made):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def text(self, selector):
        return self.browser.run("return document.querySelector(arguments[0])?.textContent ?? null", selector)

    def show(self, kind, change=lambda data: None, width=1280):
        """The report of a table, with its data changed first."""
        page = (self.made(kind) / "report.html").read_text(encoding="utf-8")
        begin = page.index('<script id="data" type="application/json">') + len('<script id="data" type="application/json">')
        end = page.index("</script>", begin)
        data = json.loads(page[begin:end])
        change(data)
        path = self.folder / f"{kind}-shown.html"
        path.write_text(page[:begin] + json.dumps(data).replace("<", "\\u003c") + page[end:], encoding="utf-8")
        self.browser.resize(width, 900, phone=width < 600)
        self.browser.visit("about:blank")
        self.browser.open(path)
        self.browser.next_frame()

    def test_says_what_it_means_and_whose_it_is(self):
        self.show("one")
        self.assertEqual(self.text("h1"), "spring/one.csv")
        self.assertIn("does not beat base rate here", self.text(".verdict .loses"))
        self.show("number")
        self.assertIn("would have been off by", self.text(".verdict .first"))
        self.assertEqual(self.text("#metric h2"), "Root mean squared error over time")
        self.assertIn("the label", self.text(".columns tbody"))
        page = self.browser.run("return document.body.innerText")
        for odd in ("beyond the paper", "label label", "1 seed"):
            self.assertNotIn(odd, page)

    def test_no_picture_has_a_hole_and_the_winner_is_in_sight(self):
        def astray(data):
            for run in data["runs"]:
                if run["learner"] == "SGD 0.01":
                    run["checkpoints"]["metrics"]["rmse"] = [5e9 for _ in run["checkpoints"]["round"]]
            for board in data["leaderboards"]:
                for row in board["rows"]:
                    if row["learner"] == "SGD 0.01":
                        row["value"] = 5e9
        for scale in ("linear", "logy", "log"):
            self.show("number", astray)
            self.browser.run(f"document.querySelector('#metric [data-scale={scale}]').click()")
            self.browser.next_frame()
            self.assertEqual(self.browser.run(NAN), [], scale)
            seen = self.browser.run(
                "const svg = document.querySelector('#metric svg').getBoundingClientRect();"
                "const path = document.querySelector('#metric .curve[data-name=auto]');"
                "const end = path.getPointAtLength(path.getTotalLength());"
                "return [end.y, svg.height]")
            self.assertGreater(seen[0], 20, scale)
            self.assertLess(seen[0], seen[1] - 40, scale)
            self.assertIn("Off the chart: SGD 0.01 (5.0×10⁹ at the end).", self.text("#metric figcaption"))

    def test_dotted_lines_stay_on_the_paper(self):
        def low(data):
            for run in data["runs"]:
                if run["delay"] == "at once":
                    run["checkpoints"]["metrics"]["rmse"] = [v / 40 for v in run["checkpoints"]["metrics"]["rmse"]]
        for scale in ("linear", "logy"):
            self.show("number", low)
            self.browser.run(f"document.querySelector('#metric [data-scale={scale}]').click()")
            outside = self.browser.run(
                "const clip = document.querySelector('#metric .curves').getAttribute('clip-path');"
                "const axis = Number(document.querySelectorAll('#metric .ticks')[1].children[0].getAttribute('y')) - 18;"
                "return !clip && [...document.querySelectorAll('#metric .beside')].some((p) => {"
                "  const box = p.getBBox(); return box.y + box.height > axis + 2; })")
            self.assertFalse(outside, scale)

    def test_fits_every_width_and_is_accessible(self):
        script = axe.source()
        for kind in ("number", "classes", "one"):
            for width, theme in ((390, "light"), (768, "dark"), (1280, "light" if kind == "one" else "dark")):
                with self.subTest(kind=kind, width=width, theme=theme):
                    self.show(kind, width=width)
                    self.browser.run("if (document.documentElement.dataset.theme !== arguments[0]) document.querySelector('#theme').click()", theme)
                    self.browser.next_frame()
                    self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth"), width)
                    self.assertEqual(self.browser.run(NAN), [])
                    if width == 390:
                        cut = self.browser.run(
                            "return [...document.querySelectorAll('.board, .columns, .by-class')].map((t) => t.closest('.table-box'))"
                            ".filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => box.getAttribute('aria-label'))")
                        self.assertEqual(cut, [])
                    if script is not None and (kind, width) != ("one", 768):
                        self.browser.run(script)
                        self.assertEqual(self.browser.run(axe.CHECK), [])


if __name__ == "__main__":
    unittest.main()
