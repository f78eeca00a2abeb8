"""What a report's figures show of their values, and how the view is chosen and kept in the address; in a real browser."""

import re
import unittest

from report_page import PHONE, ReportTest, sample


def heights(path):
    return [float(y) for y in re.findall(r",(-?[\d.]+)", path)]


class Evaluations(ReportTest):
    def test_policies_stand_with_their_intervals_and_warnings(self):
        data = sample.sample("one")
        run = data["runs"][0]
        judged = {"stream": run["stream"], "delay": run["delay"], "policy": run["learner"], "dr": None,
                  "ips": {"value": 0.25, "low": 0.125, "high": 0.5}, "snips": {"value": 0.375, "low": None, "high": None},
                  "effective_rounds": 1234.4, "warnings": ["weights are 0.5 in the mean"]}
        data["evaluations"] = [judged]
        self.show_data("judged", data)
        cells = self.browser.run("return [...document.querySelectorAll('.board tbody td')].map((cell) => cell.textContent)")
        self.assertEqual(cells, ["–", "–", "0.2500", "0.1250 to 0.5000", "0.3750", "–", "1,234"])
        self.assertEqual(self.text(".board-section .warning"), f"{run['learner']}: weights are 0.5 in the mean.")
        self.browser.resize(*PHONE)
        self.assert_fits(PHONE[0])


class Effects(ReportTest):
    HOUR = {"name": "hour", "unit": "log odds", "whole": True, "at": list(range(24)), "effect": [(hour - 11.5) / 10 for hour in range(24)]}
    WIND = {"name": "wind", "unit": "log odds", "whole": False, "at": [0.5, 1.5, 2.5, 9.5], "effect": [0.1, -0.3, 0.0, 0.2]}

    def show_effects(self, curves):
        data = sample.sample("one")
        data["runs"][0]["quality"] = {"calibration": [], "by_size": [], "classes": [], "confusion": [], "weights": [], "curves": curves}
        self.show_data("effects", data)

    def test_numbers_are_figures_on_one_scale(self):
        self.show_effects([self.HOUR, self.WIND])
        names = self.browser.run("return [...document.querySelectorAll('.effect-figure h3')].map((head) => head.textContent)")
        self.assertEqual(names, ["hour", "wind"])
        self.assertEqual(self.count(".effect-figure .values circle"), 24)  # of few values each is marked
        labels = self.browser.run("return [...document.querySelectorAll('.effect-figure svg')].map((svg) => svg.getAttribute('aria-label'))")
        self.assertEqual(labels[1], "Effect of wind: highest 0.20 at 9.50, lowest −0.30 at 1.50")
        drawn = self.browser.run("return [...document.querySelectorAll('.effect')].map((path) => path.getAttribute('d'))")
        rise = [max(heights(path)) - min(heights(path)) for path in drawn]
        self.assertAlmostEqual(rise[0] / rise[1], 2.3 / 0.5, delta=0.1)
        self.browser.resize(*PHONE)
        self.assert_fits(PHONE[0])

    def test_a_model_without_them_has_no_such_section(self):
        self.show_effects([])
        self.assertFalse(self.browser.run("return document.querySelector('.effects-section').checkVisibility()"))


class Ranges(ReportTest):
    def show_metric(self, name, early):
        """One learner whose log loss is `early` for five rounds, then falls from 0.7 to 0.5."""
        data = sample.sample("one")
        points = data["runs"][0]["checkpoints"]
        points["metrics"] = {"log_loss": [early if t < 6 else 0.7 - 0.2 * t / 2000 for t in points["round"]]}
        self.show_data(name, data)

    def test_the_first_points_do_not_rule_the_range(self):
        self.show_metric("early", 9.0)
        plot = self.browser.run("return document.querySelector('#metric .plot').clientHeight")
        drawn = heights(self.paths("metric")["delayed OFW"])
        self.assertGreater(max(drawn[5:]) - min(drawn[5:]), 0.5 * plot)
        self.assertLess(min(drawn[:5]), 0)  # off the chart
        self.assertIn("The first rounds are off the chart.", self.text("#metric figcaption"))
        self.browser.click("#metric input[name=all]")
        drawn = heights(self.paths("metric")["delayed OFW"])
        self.assertGreaterEqual(min(drawn), 0)
        self.assertLess(max(drawn[5:]) - min(drawn[5:]), 0.1 * plot)
        self.assertNotIn("off the chart", self.text("#metric figcaption"))
        self.assertIn("all=metric", self.browser.run("return location.hash"))

    def test_a_calm_start_needs_no_choice(self):
        self.show_metric("calm", 0.72)
        self.assertEqual(self.count("#metric input[name=all]"), 0)

    def test_lines_far_apart_start_on_logarithms(self):
        data = sample.sample("bare")
        for run in data["runs"]:
            high = 30 if run["learner"] == "delayed OGD" else 0.5
            run["checkpoints"]["metrics"] = {"log_loss": [high + 0.1 / t for t in run["checkpoints"]["round"]]}
        self.show_data("apart", data)
        self.assertEqual(self.text("#metric [aria-pressed=true]"), "Log")
        ticks = self.browser.run("return [...document.querySelectorAll('#metric .ticks')[1].children].map((t) => t.textContent)")
        self.assertEqual(ticks[0], "0")  # rounds stay as they are

    def test_ticks_are_numbers_that_people_write(self):
        self.show("usual")
        ticks = self.browser.run("return [...document.querySelectorAll('#regret .ticks text')].map((t) => t.textContent)")
        self.assertIn("1", ticks)
        self.assertIn("1,000", ticks)
        self.assertEqual([tick for tick in ticks if tick.startswith("10") and tick.strip("10,")], [])
        self.assertEqual(self.count("#regret .axis"), 1)

    def test_long_delays_are_written_out(self):
        data = sample.sample("one")
        data["runs"][0]["delays"] |= {"histogram": [3] * 16, "largest": 60000}
        self.show_data("late", data)
        ticks = self.browser.run("return [...document.querySelectorAll('#delays .ticks text')].map((t) => t.textContent)")
        self.assertTrue({"16,384", "65,536"} & set(ticks), ticks)
        self.assertFalse([tick for tick in ticks if "Ki" in tick])


class Lines(ReportTest):
    def test_lines_that_coincide_are_named(self):
        data = sample.sample("bare")
        first = data["runs"][0]["learner"]
        same = {run["seed"]: run["checkpoints"] for run in data["runs"] if run["learner"] == first}
        for run in data["runs"]:
            if run["learner"] == "delayed OGD":
                run["checkpoints"] = same[run["seed"]]
        self.show_data("same", data)
        self.assertEqual(self.text("#metric .same"), f"The lines of {first} and delayed OGD coincide.")

    def test_one_line_tells_how_many_wait(self):
        data = sample.sample("bare")
        for run in data["runs"]:
            run["checkpoints"]["outstanding"] = [min(t, 40) for t in run["checkpoints"]["round"]]
        self.show_data("wait", data)
        self.assertEqual(list(self.paths("outstanding")), ["every learner"])
        self.assertIn("The same for every learner.", self.text("#outstanding figcaption"))

    def test_no_figure_of_delays_where_there_are_none(self):
        data = sample.sample("bare")
        for run in data["runs"]:
            run["delays"] |= {"lost": 0, "largest": 1, "histogram": [run["rounds"]]}
        self.show_data("at-once", data)
        hidden = self.browser.run("return [...document.querySelectorAll('figure[hidden]')].map((f) => f.id)")
        self.assertEqual(set(hidden), {"regret", "delays", "outstanding", "calibration", "by-size"})
        self.assertFalse(self.browser.run("return document.querySelector('.without').hidden"))

    def test_columns_without_a_number_are_left_out(self):
        data = sample.sample("bare")
        for run in data["runs"]:
            run["oracle_calls"] = 0
            run["checkpoints"]["bound"] = [1e17 for _ in run["checkpoints"]["round"]]  # of a regret that nobody asked for
        self.show_data("columns", data)
        heads = self.browser.run("return [...document.querySelectorAll('.results thead th')].map((th) => th.textContent)")
        self.assertIn("Loss", heads)
        self.assertFalse([head for head in heads if "Bound" in head or "Calls" in head])


class View(ReportTest):
    def hash(self):
        return self.browser.run("return location.hash")

    def rounds(self, figure):
        return self.browser.run(
            "return [...document.querySelectorAll(`#${arguments[0]} .ticks`)].at(-1).textContent", figure)

    def test_a_link_shows_the_same_view(self):
        self.show("usual")
        self.assertEqual(self.hash(), "")
        self.choose("stream", "clicks")
        self.choose("delay", "pareto 1.5")
        self.choose("metric", "accuracy")
        self.browser.click("#regret [data-scale=linear]")
        self.browser.click("#regret input[name=bounds]")
        self.browser.click("[data-learner='BOLD']")
        self.browser.click("input[name=only]")
        self.sort_by("Loss")
        self.sort_by("Loss")
        figures = ("regret", "metric", "outstanding", "memory")
        before = [self.paths(figure) for figure in figures]
        table = self.column("Loss")
        address = self.browser.run("return location.href")
        self.browser.visit("about:blank")
        self.browser.visit(address)
        self.assertEqual([self.paths(figure) for figure in figures], before)
        self.assertEqual(self.column("Loss"), table)
        self.assertEqual(self.text("#metric h2"), "Accuracy over rounds")
        self.assertEqual(self.browser.run("return location.href"), address)

    def test_an_address_that_asks_for_what_is_not_there(self):
        self.show("usual")
        before = self.paths("regret")
        self.browser.run("location.hash = '#stream=none&delay=none&metric=none&hide=nobody&axes.regret=cubic&rounds=9-3'")
        self.browser.next_frame()
        self.assertEqual(self.paths("regret"), before)
        self.browser.run("location.hash = '#delay=fixed+1'")  # as a reader would type it
        self.browser.wait_for("return document.querySelector('select[name=delay]').value === 'fixed 1'")

    def test_zoom_by_mouse(self):
        self.show("usual")
        self.choose("stream", "flights")
        before = self.paths("metric")
        self.browser.drag("#metric .plot", -200, 0)
        self.assertRegex(self.hash(), r"rounds=\d+-\d+")
        low, high = map(int, re.search(r"rounds=(\d+)-(\d+)", self.hash()).groups())
        self.assertTrue(0 < low < high < 2000, (low, high))
        self.assertNotEqual(self.paths("metric"), before)
        self.assertEqual(self.count("button[name=unzoom]"), 5)  # every figure over rounds shows the same ones
        self.browser.point("#metric .plot")
        read = int(re.match(r"round ([\d,]+)", self.text("#metric .tip")).group(1).replace(",", ""))
        self.assertTrue(low <= read <= high)
        self.browser.click("#metric button[name=unzoom]")
        self.assertEqual(self.paths("metric"), before)
        self.assertNotIn("rounds=", self.hash())

    def test_zoom_by_keys(self):
        self.show("usual")
        before = self.paths("regret")
        self.browser.run("document.querySelector('#regret .plot').focus()")
        self.browser.keys("+")
        self.assertIn("rounds=", self.hash())
        closer = self.paths("regret")
        self.assertNotEqual(closer, before)
        self.browser.keys("+")
        self.assertNotEqual(self.paths("regret"), closer)
        self.browser.keys("0")
        self.assertEqual(self.paths("regret"), before)
        self.browser.keys("+", "-", "-")
        self.assertEqual(self.paths("regret"), before)

    def test_a_click_is_no_zoom(self):
        self.show("usual")
        self.browser.drag("#metric .plot", 0, 2)
        self.assertEqual(self.hash(), "")

    def test_tables_scroll_inside_themselves(self):
        for width, height in ((1280, 900), (390, 800), PHONE):
            self.browser.resize(width, height, phone=width < 500)
            self.show("usual")
            self.assert_fits(width)
            inside = self.browser.run("const box = document.querySelector('.results-section .table-box');"
                                      "return [box.scrollWidth, box.clientWidth, getComputedStyle(box).overflowX]")
            self.assertEqual(inside[2], "auto")
            if width < 500:
                self.assertGreater(inside[0], inside[1])


if __name__ == "__main__":
    unittest.main()
