"""The leaderboard of a run with predictions: on the terminal, in summary.json, and in the report, in a real browser."""

import json
import tempfile
import unittest
from pathlib import Path

from browser import Browser
from program import ROOT, ProgramTest, tarry

SPEC = """name = "board"
rounds = 300
comparator = false
[set]
type = "l2_ball"
dimension = "stream"
radius = 2
[stream]
type = "sparse_regression"
dimension = 6
non_zeros = 2
density = 3
[[delays]]
name = "at once"
type = "none"
[[delays]]
name = "late"
type = "geometric"
mean = 40
lost = 0.2
[[learners]]
name = "slow"
type = "delayed_ogd"
eta = 1e-9
[[learners]]
name = "quick"
type = "delayed_ogd"
eta = 0.02
[[learners]]
name = "middling"
type = "delayed_ogd"
eta = 0.002
"""


class Made(ProgramTest):
    """One run; what every test looks at."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.out = Path(folder.name)
        (cls.out / "spec.toml").write_text(SPEC)
        done = tarry("run", str(cls.out / "spec.toml"), "--out", str(cls.out))
        assert done.returncode == 0, done.stderr
        cls.printed = done.stdout.decode()
        cls.summary = json.loads((cls.out / "summary.json").read_text())


class Numbers(Made):
    def test_learners_are_ranked_with_and_without_delay_side_by_side(self):
        table = self.printed.split("leaderboard, delay late\n\n")[1].split("\n\n")[0].splitlines()
        self.assertEqual(table[0].split(), ["rank", "learner", "rmse", "undelayed", "lateness", "costs", "labels", "lost",
                                             "on", "their", "way"])
        rows = [line.split() for line in table[2:]]
        self.assertEqual([row[:2] for row in rows], [["1", "quick"], ["2", "middling"], ["3", "slow"]])
        board = next(b for b in self.summary["leaderboards"] if b["delay"] == "late")
        for row, kept in zip(rows, board["rows"]):
            self.assertAlmostEqual(float(row[2]), kept["value"], delta=1e-3)
            self.assertAlmostEqual(float(row[3]), kept["undelayed"], delta=1e-3)
            self.assertAlmostEqual(float(row[4]), 100 * kept["lateness"], delta=0.051)
            self.assertAlmostEqual(float(row[6]), 100 * kept["lost"], delta=0.051)
            self.assertAlmostEqual(float(row[8]), 100 * kept["on_its_way"], delta=0.051)

    def test_numbers_are_those_of_the_groups(self):
        groups = {(g["delay"], g["learner"]): g for g in self.summary["groups"]}
        self.assertEqual([b["delay"] for b in self.summary["leaderboards"]], ["at once", "late"])
        at_once, late = self.summary["leaderboards"]
        self.assertEqual((at_once["compared_to"], late["compared_to"], late["metric"]), (None, "at once", "rmse"))
        for row in late["rows"]:
            value = groups["late", row["learner"]]["metrics"]["rmse"]
            undelayed = groups["at once", row["learner"]]["metrics"]["rmse"]
            self.assertEqual((row["value"], row["undelayed"]), (value, undelayed))
            self.assertAlmostEqual(row["lateness"], value / undelayed - 1)
            run = next(r for r in self.summary["runs"] if (r["delay"], r["learner"]) == ("late", row["learner"]))
            self.assertAlmostEqual(row["lost"], run["delays"]["lost"] / 300)
            self.assertAlmostEqual(row["on_its_way"], run["delays"]["on_its_way"] / 300)
            self.assertAlmostEqual(row["lost"], 0.2, delta=0.07)
            self.assertGreater(row["on_its_way"], 0.02)

    def test_streams_without_predictions_have_no_leaderboard(self):
        with tempfile.TemporaryDirectory() as out:
            done = tarry("run", str(ROOT / "examples/quickstart.toml"), "--out", out, "--override", "rounds=50",
                         "--override", "seeds=1")
            self.assertEqual(done.returncode, 0)
            self.assertNotIn("leaderboard", done.stdout.decode())
            self.assertEqual(json.loads((Path(out) / "summary.json").read_text())["leaderboards"], [])


class Report(Made):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)
        cls.browser.open(cls.out / "report.html")

    def tearDown(self):
        said = [entry for entry in self.browser.console() if entry["level"] in ("SEVERE", "WARNING")]
        self.assertEqual(said, [])

    def choose(self, delay):
        self.browser.run("const field = document.querySelector('select[name=delay]');"
                         "field.value = arguments[0]; field.dispatchEvent(new Event('change'))", delay)

    def rows(self):
        return self.browser.run("return [...document.querySelectorAll('.board tbody tr')]"
                                ".map((row) => [...row.children].map((cell) => cell.textContent))")

    def test_shows_the_board_of_the_chosen_delay(self):
        self.choose("late")
        board = next(b for b in self.summary["leaderboards"] if b["delay"] == "late")
        rows = self.rows()
        self.assertEqual([row[1] for row in rows], [row["learner"] for row in board["rows"]])
        for shown, kept in zip(rows, board["rows"]):
            self.assertAlmostEqual(float(shown[2]), kept["value"], delta=1e-3)
            self.assertAlmostEqual(float(shown[3]), kept["undelayed"], delta=1e-3)
            self.assertEqual(shown[5].replace("−", "-").replace(",", ""), f"{100 * kept['lateness']:+.1f} %"
                             if abs(kept["lateness"]) >= 5e-4 else "0.0 %")
        self.choose("at once")
        self.assertEqual(len(self.rows()[0]), 5)  # rank, learner, metric, lost, on their way: nothing to compare with

    def test_draws_each_pair_on_one_scale(self):
        self.choose("late")
        board = next(b for b in self.summary["leaderboards"] if b["delay"] == "late")
        places = self.browser.run(
            "return [...document.querySelectorAll('.pair')].map((svg) =>"
            " ['.off', '.on'].map((one) => Number(svg.querySelector(one).getAttribute('cx'))))")
        values = [(row["undelayed"], row["value"]) for row in board["rows"]]
        ordered = sorted((value, place) for pair in zip(values, places) for value, place in zip(*pair))
        self.assertEqual([place for _, place in ordered], sorted(place for _, place in ordered))
        self.assertLess(ordered[0][1] + 50, ordered[-1][1])

    def curves(self, kind):
        return dict(self.browser.run(
            "return [...document.querySelectorAll(`#metric .${arguments[0]}`)]"
            ".map((p) => [p.dataset.name, p.getAttribute('d')])", kind))

    def test_curves_of_all_learners_run_beside_those_without_delay(self):
        self.browser.open(self.out / "report.html")
        late, beside = self.curves("curve"), self.curves("beside")  # it starts with the late labels
        self.assertEqual(set(late), {"slow", "quick", "middling"})
        self.assertEqual(set(beside), set(late))
        self.assertNotEqual(beside["quick"], late["quick"])
        self.assertIn("Dotted: with no delay (at once).", self.browser.run(
            "return document.querySelector('#metric figcaption').textContent"))
        self.choose("at once")
        self.assertEqual(set(self.curves("curve")), set(late))
        self.assertEqual(self.curves("beside"), {})

    def test_fits_a_phone_and_follows_the_theme(self):
        self.choose("late")
        colour = "return document.querySelector('.pair .on').getAttribute('fill')"
        before = self.browser.run(colour)
        self.browser.click("#theme")
        self.assertNotEqual(self.browser.run(colour), before)
        self.browser.click("#theme")
        self.browser.resize(375, 812, phone=True)
        self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth"), 375)
        self.browser.resize(1280, 900)


class Readings(unittest.TestCase):
    def test_the_report_says_how_the_data_was_read(self):
        with tempfile.TemporaryDirectory() as out:
            data = ROOT / "examples/late_labels.csv"
            done = tarry("run", str(ROOT / "examples/late_labels.toml"), "--out", out, "--override",
                         f"stream.path={data}", "--override", "rounds=60")
            self.assertEqual(done.returncode, 0, done.stderr)
            browser = Browser()
            self.addCleanup(browser.close)
            browser.open(Path(out) / "report.html")
            rows = browser.run("return [...document.querySelectorAll('.columns tbody tr')]"
                               ".map((row) => [...row.children].map((cell) => cell.textContent))")
            self.assertIn(["created_at", "when the row was seen", "time", ""], rows)
            self.assertIn(["order_id", "left out", "words", "no word comes twice"], rows)
            said = browser.run("return document.querySelector('.reading').textContent")
            self.assertIn("Half of the labels came within", said)


if __name__ == "__main__":
    unittest.main()
