"""The report of a run, in a real browser.

The page is built from web/report and filled with made-up runs. A report that the program makes is opened as well: the
one that $TARRY_REPORT names, or one made by $TARRY. Screenshots go to $TARRY_SHOTS (default: build/report).
"""

import json
import os
import re
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from report_page import DESKTOP, PHONE, ROOT, ReportTest, sample

SHOTS = Path(os.environ.get("TARRY_SHOTS", ROOT / "build/report"))
SVG = "{http://www.w3.org/2000/svg}"


class Figures(ReportTest):
    def test_every_figure_is_drawn(self):
        data = self.show("usual")
        learners = {run["learner"] for run in data["runs"]}
        self.assertEqual(self.text("h1"), "quickstart")
        self.assertIn("225 runs: 5 learners, 3 streams, 3 delays, 5 seeds", self.text(".summary"))
        for figure in ("regret", "metric", "outstanding", "time", "memory"):
            curves = self.paths(figure)
            self.assertEqual(set(curves), learners, figure)
            for path in curves.values():
                self.assertRegex(path, r"\AM[\d.]+,-?[\d.]+(L[\d.]+,-?[\d.]+)+\Z")
        self.assertEqual(set(self.paths("regret", "band")), learners)
        self.assertEqual(set(self.paths("regret", "bound")), learners)
        self.assertGreater(self.count("#delays rect[data-bar]"), 5)
        self.assertIn("[[learners]]", self.text("details pre"))
        self.assertIn("</script> and <!-- <script>", self.text("details pre"))

    def test_how_late_labels_are_by_class(self):
        data = sample.sample("one")
        reading = {"stream": data["runs"][0]["stream"], "read_as": ["label late"]}
        data["readings"] = [reading]
        self.show_data("all alike", data)
        self.assertEqual(self.count(".by-class"), 0)
        reading["by_class"] = [{"label": "no", "labels": 1200, "seconds": {"half": 43200, "nine_in_ten": 129600, "longest": 172800}},
                               {"label": "yes", "labels": 400, "seconds": {"half": 259200, "nine_in_ten": 345600, "longest": 432000}}]
        self.show_data("by class", data)
        self.assertEqual(self.text(".by-class caption"), "How late labels are, by class")
        rows = self.browser.run("return [...document.querySelectorAll('.by-class tbody tr')]"
                                ".map((row) => [...row.children].map((cell) => cell.textContent))")
        self.assertEqual(rows, [["no", "1,200", "75.0 %", "", "12 h", "1.5 d", "2 d"], ["yes", "400", "25.0 %", "", "3 d", "4 d", "5 d"]])

    def test_an_interval_is_drawn_where_it_has_width(self):
        self.show("usual")
        self.assertEqual(self.paths("regret", "interval"), {})
        self.choose("stream", "flights")
        self.assertEqual(len(self.paths("regret", "interval")), 5)

    def test_choices_change_what_is_drawn(self):
        self.show("usual")
        before = self.paths("regret")
        self.choose("delay", "pareto 1.5")
        self.assertNotEqual(self.paths("regret"), before)
        self.choose("stream", "clicks")
        self.assertEqual(self.text("#metric h2"), "Log loss over rounds")
        loss = self.paths("metric")
        self.choose("metric", "accuracy")
        self.assertEqual(self.text("#metric h2"), "Accuracy over rounds")
        self.assertNotEqual(self.paths("metric"), loss)

    def test_scales_and_bounds(self):
        self.show("usual")
        log = self.paths("regret")
        self.assertRegex(self.text("#regret .ends"), r"T0\.\d\d")
        self.browser.click("#regret [data-scale=linear]")
        linear = self.paths("regret")
        self.assertEqual(set(linear), set(log))
        self.assertNotEqual(linear, log)
        self.browser.click("#regret input[name=bounds]")
        self.assertEqual(self.paths("regret", "bound"), {})
        self.assertNotEqual(self.paths("regret"), linear)  # the paper is the regret's alone now
        metric = self.paths("metric")
        self.browser.click("#metric [data-scale=log]")
        self.assertNotEqual(self.paths("metric"), metric)

    def test_the_exponent_is_the_summarys(self):
        data = sample.sample("one")
        data["groups"][0]["exponent"] = 0.75
        points = data["runs"][0]["checkpoints"]
        points["regret_high"] = points["regret_low"] = [3 * t ** 0.25 for t in points["round"]]  # not fitted here again
        self.show_data("power", data)
        self.assertIn("T0.75", self.text("#regret .ends"))
        self.assertEqual(self.column("Exponent"), ["0.75"])

    def test_learners_switch_by_mouse_and_keyboard(self):
        self.show("usual")
        before = self.paths("regret")
        self.browser.click("[data-learner='BOLD']")
        self.assertEqual(set(before) - set(self.paths("regret")), {"BOLD"})
        self.assertEqual(set(before) - set(self.paths("memory")), {"BOLD"})
        self.assertEqual(self.browser.run("return document.querySelector('[data-learner=BOLD]').ariaPressed"), "false")
        self.browser.keys("enter")  # the focus stays on the button
        self.assertEqual(self.paths("regret"), before)
        for name in before:
            self.browser.click(f"[data-learner='{name}']")
        self.assertEqual(self.text("#regret .empty"), "No learner is switched on")
        self.browser.click(".legend .quiet-button")
        self.assertEqual(self.paths("regret"), before)

    def test_values_under_the_pointer_and_the_keys(self):
        self.show("usual")
        self.browser.point("#regret .plot")
        self.assertEqual(self.count("#regret .tip:not([hidden]) tr"), 5)
        self.assertEqual(self.count("#regret .crosshair"), 1)
        self.assertRegex(self.text("#regret .tip"), r"\Around \d+.*≤ ")
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.browser.screenshot(SHOTS / "hover.png", whole=False)
        self.browser.run("document.querySelector('#delays .plot').focus()")
        self.browser.keys("right", "right")
        self.assertRegex(self.text("#delays .tip"), r"\Adelay 2–3[\d,]+ answers, [\d.]+ %\Z")
        self.browser.keys("escape")
        self.assertEqual(self.count("#delays .tip:not([hidden])"), 0)


class Saved(ReportTest):
    def saved(self, figure):
        name, text = self.browser.downloaded(lambda: self.browser.click(f"#{figure} .save"))
        self.assertTrue(text.startswith(b'<?xml version="1.0" encoding="UTF-8"?>'))
        return name, ElementTree.fromstring(text)

    def test_each_figure_stands_alone(self):
        self.show("usual")
        self.browser.click("#theme")
        self.browser.click("#theme")
        for figure in ("regret", "metric", "delays", "outstanding", "time", "memory"):
            with self.subTest(figure=figure):
                name, svg = self.saved(figure)
                self.assertEqual(name, f"quickstart_{figure}_random-linear_geometric-50.svg")
                self.assertEqual(svg.tag, SVG + "svg")
                self.assertIn("sans-serif", svg.get("font-family"))
                curves = [path for path in svg.iter(SVG + "path") if path.get("class") == "curve"]
                self.assertEqual(len(curves), 0 if figure == "delays" else 5)
                for path in curves:
                    self.assertRegex(path.get("stroke"), r"\A#[0-9a-f]{6}\Z")
                self.assertNotIn("var(", ElementTree.tostring(svg, encoding="unicode"))

    def test_dark_pages_save_light_pictures(self):
        self.show("many")
        _, light = self.saved("regret")
        self.browser.click("#theme")
        _, dark = self.saved("regret")
        self.assertEqual(ElementTree.tostring(light), ElementTree.tostring(dark))
        self.assertEqual(light.find(SVG + "rect").get("fill"), "#ffffff")

    def test_only_what_is_shown_is_saved(self):
        self.show("usual")
        self.browser.click("[data-learner='BOLD']")
        _, svg = self.saved("regret")
        names = [path.get("data-name") for path in svg.iter(SVG + "path") if path.get("class") == "curve"]
        self.assertEqual(len(names), 4)
        self.assertNotIn("BOLD", names)


class Table(ReportTest):
    @staticmethod
    def numbers(texts):
        return [float(re.sub(",", "", text).replace("−", "-")) for text in texts]

    def test_sorts_by_any_heading(self):
        self.show("usual")
        self.assertEqual(len(self.column("Learner")), 45)
        first = self.column("Learner")
        for heading in ("Loss", "Bound", "µs/round", "Exponent"):
            self.sort_by(heading)
            up = self.numbers(self.column(heading))
            self.assertEqual(up, sorted(up), heading)
            self.sort_by(heading)
            down = self.numbers(self.column(heading))
            self.assertEqual(down, sorted(up, reverse=True), heading)
        self.assertEqual(self.count("th[aria-sort=descending]"), 1)
        self.sort_by("Learner")
        self.assertEqual(self.column("Learner"), sorted(first, key=str.lower))

    def test_missing_numbers_come_last(self):
        self.show("usual")
        for _ in range(2):
            self.sort_by("RMSE")
            self.assertEqual(self.column("RMSE")[-1], "–")
            self.assertNotEqual(self.column("RMSE")[0], "–")

    def test_numbers_are_the_means_over_seeds(self):
        data = self.show("usual")
        self.browser.click("input[name=only]")
        self.assertEqual(len(self.column("Learner")), 5)
        at = self.column("Learner").index("gauge FTRL")
        ends = [run["checkpoints"]["regret_high"][-1] for run in data["runs"]
                if (run["stream"], run["delay"], run["learner"]) == ("random linear", "geometric 50", "gauge FTRL")]
        self.assertAlmostEqual(self.numbers(self.column("Regret"))[at], sum(ends) / len(ends), delta=0.06)

    def test_the_choice_above_narrows_it(self):
        self.show("usual")
        self.browser.click("input[name=only]")
        self.choose("stream", "flights")
        heads = self.browser.run("const heads = document.querySelectorAll('.results th[scope=col]');"
                                 "return [...heads].map((head) => head.textContent)")
        self.assertIn("RMSE", heads)
        self.assertNotIn("Accuracy", heads)
        self.assertNotIn("Stream", heads)


class Kinds(ReportTest):
    def test_one_run(self):
        self.show("one")
        self.assertEqual(len(self.paths("regret")), 1)
        self.assertEqual(self.count(".band"), 0)
        self.assertEqual(self.count(".choices .choice:not([hidden])"), 0)

    def test_missing_regret(self):
        self.show("bare")
        self.assertTrue(self.browser.run("return document.querySelector('#regret').hidden"))
        self.assertEqual(len(self.paths("metric")), 4)

    def test_regret_on_one_stream_alone(self):
        data = sample.sample("usual")
        for run in data["runs"]:
            if run["stream"] == "flights":
                run["checkpoints"] |= {"regret_low": None, "regret_high": None, "bound": None}
        self.show_data("some", data)
        before = self.paths("regret")
        self.assertEqual(len(before), 5)
        self.choose("stream", "flights")
        self.assertTrue(self.browser.run("return document.querySelector('#regret').hidden"))
        self.choose("stream", "random linear")
        self.assertFalse(self.browser.run("return document.querySelector('#regret').hidden"))
        self.assertEqual(self.paths("regret"), before)

    def test_negative_regret(self):
        self.show("negative")
        self.assertEqual(len(self.paths("regret")), 4)  # it starts with linear axes
        self.browser.click("#regret [data-scale=log]")
        self.assertEqual(self.text("#regret .empty"), "No positive regret to draw on logarithmic axes")

    def test_no_runs(self):
        self.show_data("empty", sample.sample("one") | {"runs": []})
        self.assertEqual(self.text(".problem:not(noscript *)"), "This run holds no results.")

    def test_a_far_bound_does_not_flatten_the_regret(self):
        data = sample.sample("one")
        points = data["runs"][0]["checkpoints"]
        points["bound"] = [1e8 * t for t in points["round"]]
        points["outstanding"] = [0 for t in points["round"]]
        self.show_data("far", data)
        for scale in ("log", "linear"):
            self.browser.click(f"#regret [data-scale={scale}]")
            heights = [float(y) for y in re.findall(r",([\d.]+)", self.paths("regret")["delayed OFW"])]
            self.assertEqual(len(heights), len(points["round"]))
            self.assertGreater(max(heights) - min(heights), 150)
            self.assertIn("off the chart for delayed OFW (2.0×10¹¹ in the end)", self.text("#regret figcaption"))
        self.assertNotIn("NaN", self.paths("outstanding")["delayed OFW"])

    def test_two_hundred_runs_draw_quickly(self):
        redraw = ("const times = []; for (let i = 0; i < 5; ++i) { const from = performance.now();"
                  "document.querySelector('#theme').click(); times.push(performance.now() - from); }"
                  "return Math.min(...times)")
        spent = {}
        for kind in ("one", "many"):
            self.show(kind)
            spent[kind] = self.browser.run(redraw)
        self.assertLess(spent["many"], 100 * spent["one"])  # of so many more lines, each with more points

    def test_what_was_not_recorded_is_left_out(self):
        data = sample.sample("one")
        points = data["runs"][0]["checkpoints"]
        for key in ("outstanding", "seconds", "state_bytes", "oracle_calls", "bound", "regret_low"):
            points[key] = None
        points["regret_high"][3:9] = [None] * 6
        data["runs"][0] |= {"delays": None, "seconds": None, "state_bytes": None, "oracle_calls": None}
        self.show_data("gaps", data)
        self.assertEqual(self.paths("regret")["delayed OFW"].count("M"), 2)
        self.assertEqual(self.count("figure:not([hidden]) .empty"), 0)  # no box without anything in it
        shown = self.browser.run("return [...document.querySelectorAll('figure:not([hidden])')].map((f) => f.id)")
        self.assertEqual(shown, ["regret", "metric"])


class Page(ReportTest):
    def test_dark_and_light(self):
        self.show("usual")
        paper = "return getComputedStyle(document.body).backgroundColor"
        stroke = "return document.querySelector('#regret .curve').getAttribute('stroke')"
        before = self.browser.run(paper), self.browser.run(stroke)
        self.browser.click("#theme")
        after = self.browser.run(paper), self.browser.run(stroke)
        self.assertNotEqual(before[0], after[0])
        self.assertNotEqual(before[1], after[1])
        self.browser.click("#theme")
        self.assertEqual((self.browser.run(paper), self.browser.run(stroke)), before)

    def test_follows_the_system(self):
        self.show("one")
        for scheme in ("dark", "light"):
            wish = {"name": "prefers-color-scheme", "value": scheme}
            self.browser.command("Emulation.setEmulatedMedia", features=[wish])
            self.browser.next_frame()
            self.assertEqual(self.browser.run("return document.documentElement.dataset.theme"), scheme)

    def test_fits_desktop_and_phone(self):
        for kind in ("usual", "one", "many", "bare", "negative", "long"):
            for width, height in (DESKTOP, PHONE):
                with self.subTest(kind=kind, width=width):
                    self.browser.resize(width, height, phone=width == PHONE[0])
                    self.show(kind)
                    self.assert_fits(width)
                    self.browser.screenshot(SHOTS / f"{kind}-{width}.png")
        self.browser.resize(*DESKTOP)
        self.show("usual")
        self.choose("stream", "flights")
        self.browser.click("#theme")
        self.browser.screenshot(SHOTS / "dark-1280.png")

    def test_prints_light(self):
        self.show("usual")
        self.browser.click("#theme")
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.browser.print_pdf(SHOTS / "print.pdf")
        self.browser.next_frame()
        self.assertGreater((SHOTS / "print.pdf").stat().st_size, 20000)
        self.assertEqual(self.browser.run("return document.documentElement.dataset.theme"), "dark")

    def test_everything_reachable_has_a_name(self):
        self.show("usual")
        nameless = self.browser.run(
            "return [...document.querySelectorAll('button, select, input, [tabindex]')].filter((e) =>"
            " !(e.ariaLabel || e.getAttribute('aria-labelledby') || e.textContent.trim() || e.closest('label')))"
            ".map((e) => e.outerHTML.slice(0, 80))")
        self.assertEqual(nameless, [])

    def test_loads_nothing(self):
        self.show("usual")
        loaded = self.browser.run("return performance.getEntriesByType('resource').map((entry) => entry.name)")
        self.assertEqual(loaded, [])


class Made(ReportTest):
    """A report that the program wrote."""

    def made(self):
        if report := os.environ.get("TARRY_REPORT"):
            return Path(report)
        if "TARRY" not in os.environ:
            self.skipTest("no program to make a report")
        spec = self.folder / "spec.toml"
        awkward = '# <!-- <script> </script> & "quotes"\n'
        spec.write_text((ROOT / "examples/quickstart.toml").read_text(encoding="utf-8") + awkward, encoding="utf-8")
        subprocess.run([os.environ["TARRY"], "run", spec, "--out", self.folder / "run", "--override", "rounds=300"],
                       check=True, capture_output=True, timeout=120)
        return self.folder / "run/report.html"

    def test_shows_its_runs(self):
        path = self.made()
        text = path.read_text(encoding="utf-8")
        before, after = sample.PLACE.split("{}")
        self.assertEqual(text.count(before), 1)
        data = json.loads(text.split(before)[1].split(after)[0])
        self.assertEqual(data["format"], "tarry-run/1")
        self.browser.open(path)
        first = data["runs"][0]
        here = {run["learner"] for run in data["runs"]
                if (run["stream"], run["delay"]) == (first["stream"], first["delay"])}
        self.assertEqual(self.text("h1"), data["name"])
        self.assertEqual(len(self.paths("metric")), len(here))
        self.assertEqual(self.text("details pre"), data["spec"])
        for width, height in (DESKTOP, PHONE):
            self.browser.resize(width, height, phone=width == PHONE[0])
            self.browser.open(path)
            self.assert_fits(width)
            self.browser.screenshot(SHOTS / f"made-{width}.png")


if __name__ == "__main__":
    unittest.main()
