"""The report's maps of road networks, in a real browser."""

import unittest

from report_page import PHONE, ReportTest, sample

BRAESS = {"nodes": 4, "from": [0, 0, 2, 2, 3], "to": [2, 3, 3, 1, 1], "free": [1e-8, 50, 10, 50, 1e-8],
          "x": [0, 4, 2, 2], "y": [1, 1, 2, 0],
          "equilibrium": {"flow": [4, 2, 2, 2, 4], "time": [40, 52, 12, 52, 40]}}


def with_roads(network):
    """A sample of one learner whose seeds all drove the links of the middle route."""
    data = sample.sample("one")
    for run in data["runs"]:
        run["roads"] = {"flow": [6, 0, 6, 0, 6], "time": [60, 50, 16, 50, 60]}
    data["networks"] = [{"stream": data["runs"][0]["stream"], **network}]
    return data


class Roads(ReportTest):
    def links(self, name):
        return self.browser.run(
            "return [...document.querySelectorAll(`[data-map='${arguments[0]}'] path[data-link]`)]"
            ".sort((a, b) => a.dataset.link - b.dataset.link)"
            ".map((p) => [Number(p.getAttribute('stroke-width')), p.getAttribute('stroke'), p.textContent])", name)

    def test_width_is_flow_and_colour_is_time(self):
        data = with_roads(BRAESS)
        self.show_data("braess", data)
        learner = data["runs"][0]["learner"]
        self.assertEqual(self.count("[data-map]"), 2)
        links = self.links(learner)
        self.assertEqual(len(links), 5)
        self.assertGreater(links[0][0], 5 * links[1][0])
        self.assertEqual(links[1][1], links[3][1])  # as on an empty road
        self.assertNotEqual(links[0][1], links[1][1])
        self.assertEqual(links[2][2], "3 to 4: flow 6.000, time 16.00")
        even = self.links("users’ equilibrium")
        self.assertAlmostEqual((even[0][0] - 0.4) / (even[1][0] - 0.4), 2, delta=0.05)
        self.assertLess(even[0][0], links[0][0])

    def test_hidden_learners_have_no_map(self):
        self.show_data("hidden", with_roads(BRAESS))
        self.browser.run("document.querySelector('.chip').click()")
        self.assertEqual(self.count("[data-map]"), 1)

    def test_places_are_made_up_where_there_are_none(self):
        self.show_data("placeless", with_roads({**BRAESS, "x": [], "y": []}))
        self.assertEqual(self.count("[data-map] path[data-link]"), 10)
        self.assertNotIn("NaN", self.browser.run("return document.querySelector('.maps').innerHTML"))
        self.assertIn("made up", self.text(".roads-section .note"))

    def test_maps_fit_a_phone(self):
        self.browser.resize(*PHONE)
        self.show_data("phone", with_roads(BRAESS))
        self.assert_fits(PHONE[0])

    def test_reports_without_roads_have_no_maps(self):
        self.show("usual")
        self.assertEqual(self.count(".roads-section *"), 0)


if __name__ == "__main__":
    unittest.main()
