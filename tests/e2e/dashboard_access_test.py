"""The dashboard for everyone: axe finds nothing on any page, and no page is wider than the window."""

import re
import unittest

import axe
from dashboard_page import BUDGET, DESKTOP, FLOW, MATRIX, PHONE, SHOTS, DashboardTest


class Accessible(DashboardTest):
    def test_axe_on_every_page_light_and_dark(self):
        if axe.source() is None:
            self.skipTest("pip could not fetch axe-core")
        service = self.serve()
        self.allowed = ("403",)
        for name, spec in (("flights", {"task": "regression"}), ("roads", FLOW), ("matrix", MATRIX), ("budget", BUDGET)):
            service.create(name, spec)
            features = {"features": {"hour": 1, "city": "Paris"}} if name == "flights" else {}
            made = [service.decide(name, features) for _ in range(3)]
        service.feed({"ticket": made[0]["ticket"], "gradient": {"search": 1}})
        service.create("menu", {"task": "choose"})
        for one in [service.choose("menu", actions=["ice", "soup"]) for _ in range(5)]:
            service.feed({"ticket": one["ticket"], "reward": one["action"] == "ice"})
        service.feed({"ticket": made[0]["ticket"][:-2] + "xx", "label": 1})
        for scheme in ("light", "dark"):
            for width, height in (DESKTOP, PHONE):
                self.browser.resize(width, height, phone=width == PHONE[0])
                for place in ("#/", "#/new", "#/models/flights", "#/models/menu", "#/models/roads", "#/models/matrix", "#/models/budget"):
                    if width == PHONE[0] and place in ("#/models/matrix", "#/models/budget"):
                        continue  # they differ from the others in one picture
                    with self.subTest(place=place, scheme=scheme, width=width):
                        self.show(service, f"{place}?theme={scheme}")
                        if "models" in place:
                            self.wait("document.querySelector('.facts').children.length > 0")
                        self.browser.next_frame()
                        self.check_access()
                        self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth"), width)
                        name = re.sub(r"\W+", "-", place).strip("-") or "overview"
                        self.browser.screenshot(SHOTS / f"real-{name}-{scheme}-{width}.png")


if __name__ == "__main__":
    unittest.main()
