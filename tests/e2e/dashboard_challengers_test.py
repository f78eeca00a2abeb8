"""Challengers on a model's page: tried, compared, promoted and removed by buttons."""

import unittest

from dashboard_page import PHONE, SHOTS, DashboardTest


class Challengers(DashboardTest):
    def rounds(self, service, first, count):
        rows = [{"a": (i * 7919) % 13 - 6, "b": (i * 104729) % 11 - 5} for i in range(first, first + count)]
        decided = service.ask("POST", "/v1/models/m/decisions", {"requests": [{"features": row} for row in rows]})[1]
        labels = [{"ticket": one["ticket"], "label": row["a"] * row["b"] > 0} for one, row in zip(decided["results"], rows)]
        self.assertEqual(service.feed(labels)[0], 200)

    def test_a_challenger_is_tried_promoted_and_removed(self):
        service = self.serve()
        service.create("m", {"task": "binary", "features": {"capacity": 64}, "trees": False})  # trees would do without products
        self.rounds(service, 0, 10)
        self.show(service, "#/models/m")
        self.wait("document.querySelector('#challengers .tools button')")
        self.press("#challengers .challengers > .tools button")
        self.wait("document.querySelector('div[data-challenger=no-products]')?.dataset.verdict === 'too early'")
        self.assertIn("no-products has learnt from 0 labels: too early.", self.text("div[data-challenger=no-products]"))
        for first in range(10, 1510, 100):
            self.rounds(service, first, 100)
        self.wait("document.querySelector('div[data-challenger=no-products]')?.dataset.verdict === 'worse'")
        self.assertIn("no-products loses more, by 0.", self.text("div[data-challenger=no-products]"))
        self.wait("document.querySelector('div[data-challenger=no-products] .expected')")
        self.assertRegex(self.text("div[data-challenger=no-products] .expected"), "of the labels of its newest .* decisions are in")
        self.check_access()
        self.browser.run("document.querySelector('#challengers').scrollIntoView()")
        self.browser.screenshot(SHOTS / "challengers.png", whole=False)
        self.browser.resize(*PHONE)
        self.browser.run("document.querySelector('#challengers').scrollIntoView()")
        self.browser.screenshot(SHOTS / "challengers-phone.png", whole=False)
        wide = self.browser.run("return document.documentElement.scrollWidth - window.innerWidth")
        self.assertLessEqual(wide, 0)
        self.press("div[data-challenger=no-products] button[aria-label='Promote no-products']")
        self.wait("document.querySelector('#challengers').textContent.includes('no-products decides.')")
        self.assertEqual(service.ask("GET", "/v1/models/m")[1]["champion"], "no-products")
        self.press("div[data-challenger=original] button[aria-label='Remove original']")
        self.wait("!document.querySelector('div[data-challenger]')")

    def test_what_the_service_says_against_one(self):
        self.allowed = ("422", "400")
        service = self.serve()
        service.create("m", {"task": "binary", "features": {"capacity": 64}})
        self.rounds(service, 0, 10)
        self.show(service, "#/models/m")
        self.wait("document.querySelector('#patch')")
        self.browser.run("document.querySelector('#patch').value = '{\"loss\": \"squared\"}'")
        self.press("#challenge")
        self.wait("document.querySelector('#challengers [role=alert]').textContent.includes('loss must be the model')")
        self.browser.run("document.querySelector('#patch').value = 'no JSON'")
        self.press("#challenge")
        self.wait("document.querySelector('#challengers [role=alert]').textContent.includes('must be a JSON object')")
        self.assertEqual(service.ask("GET", "/v1/models/m/challengers")[1]["challengers"], [])


class Choosing(DashboardTest):
    def test_what_a_challenger_would_have_earned(self):
        service = self.serve()
        service.create("menu", {"task": "choose", "actions": ["soup", "fish", "cake"], "explore": {"type": "epsilon", "epsilon": 0.6},
                                "features": {"capacity": 64}})
        self.assertEqual(service.ask("PUT", "/v1/models/menu/challengers/sure", {"explore": {"type": "epsilon", "epsilon": 0.05}})[0], 201)
        earns = {"soup": 2, "fish": 3, "cake": 7}
        for first in range(0, 1600, 200):
            asked = {"requests": [{"context": {"x": i % 7}} for i in range(first, first + 200)]}
            chosen = service.ask("POST", "/v1/models/menu/choices", asked)[1]["results"]
            service.feed([{"ticket": one["ticket"], "label": (i * 7919 + i // 10) % 10 < earns[one["action"]]}
                          for i, one in enumerate(chosen, first)])
        self.show(service, "#/models/menu")
        self.wait("document.querySelector('div[data-challenger=sure]')?.dataset.verdict === 'better'")
        self.assertIn("sure would have earned more, by 0.", self.text("div[data-challenger=sure]"))
        self.assertIn("Model’s reward", self.text("#challengers thead"))
        self.check_access()


class Without(DashboardTest):
    def test_a_model_without_anything_has_no_empty_cards(self):
        service = self.serve()
        service.create("m", {"task": "binary"})
        self.show(service, "#/models/m")
        self.wait("document.querySelector('#backlog') && document.querySelector('.health').textContent === 'No label has come yet.'")
        for empty in ("loss", "delays", "updates", "quality", "waits", "errors"):
            self.assertTrue(self.browser.run("return document.getElementById(arguments[0]).hidden", empty), empty)

    def test_a_model_without_labels_has_no_challengers(self):
        service = self.serve()
        service.create("m", {"task": "allocation", "options": ["a", "b"]})
        service.decide("m")
        self.show(service, "#/models/m")
        self.wait("document.querySelector('#challengers')")
        self.wait("document.querySelector('#decision svg')")
        self.assertTrue(self.browser.run("return document.querySelector('#challengers').hidden"))


if __name__ == "__main__":
    unittest.main()
