"""Single rounds on the dashboard, found by key or number; and a model made from a file."""

import unittest

from dashboard_page import DESKTOP, PHONE, SHOTS, DashboardTest


class Rounds(DashboardTest):
    def setUp(self):
        super().setUp()
        self.service = self.serve()
        self.service.create("m", {"task": "binary"})
        for i in range(30):
            ticket = self.service.decide("m", {"features": {"amount": i % 7, "city": "Oslo"}, "key": f"order-{i}"})["ticket"]
            if i % 3:
                self.service.feed({"ticket": ticket, "label": i % 7 > 3})

    def find(self, text):
        self.browser.run("document.querySelector('#find').value = arguments[0]", text)
        self.press("#find-button")

    def test_a_round_is_found_from_its_models_page(self):
        self.allowed = ("rounds?key=7",)
        self.show(self.service, "#/models/m")
        self.wait("document.querySelector('#waiting tbody tr[data-round]')")
        self.find("order-4")
        self.wait("document.querySelector('.page h1').textContent === 'Round 5'")
        self.assertIn("order-4", self.text(".summary"))
        self.assertIn("after the decision", self.text("#round .facts"))
        self.assertIn("Oslo", self.text("#features"))
        self.wait("document.querySelector('#explanation svg')")
        for size, name in ((DESKTOP, "round"), (PHONE, "round-phone")):
            self.browser.resize(*size)
            self.check_access()
            self.browser.screenshot(SHOTS / f"{name}.png")
            self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth - window.innerWidth"), 0)
        self.find("#1")
        self.wait("document.querySelector('.page h1').textContent === 'Round 1'")
        self.assertIn("waiting, for", self.text("#round .facts"))
        self.find("7")  # no key: then a number
        self.wait("document.querySelector('.page h1').textContent === 'Round 7'")

    def test_what_cannot_be_found_is_said(self):
        self.allowed = ("404",)
        self.show(self.service, "#/models/m/rounds?find=nobody")
        self.wait("document.querySelector('.rounds [role=alert]')?.hidden === false")
        self.assertIn("no decision was made under this key", self.text(".rounds [role=alert]"))
        self.check_access()

    def test_a_model_goes_on_from_a_file(self):
        self.show(self.service, "#/new")
        self.browser.run(
            "document.querySelector('#name').value = 'copy';"
            "return fetch('v1/models/m/snapshot').then((r) => r.blob()).then((b) => {"
            "const all = new DataTransfer(); all.items.add(new File([b], 'model.tarry'));"
            "document.querySelector('#file').files = all.files; })")
        self.check_access()
        self.browser.screenshot(SHOTS / "new-upload.png")
        self.press("#upload")
        self.wait("document.querySelector('.page h1')?.textContent === 'copy'")
        old, copy = (self.service.ask("GET", f"/v1/models/{name}")[1] for name in ("m", "copy"))
        self.assertEqual(copy["rounds"], 30)
        self.assertGreater(copy["delays"]["answered"], 0)
        for key in ("settled", "delays", "maturity"):  # a restored model knows how its labels came
            self.assertEqual(copy[key], old[key])


if __name__ == "__main__":
    unittest.main()
