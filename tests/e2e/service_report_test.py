"""`tarry report`: a page about a period of a service, from its directory, while it runs and after."""

import datetime
import json
import os
import re
import unittest
from pathlib import Path

import axe
from browser import Browser
from program import ROOT, tarry
from service import ServiceTest

SHOTS = Path(os.environ.get("TARRY_SHOTS", ROOT / "build/service_report"))
# As model_section.cpp writes it: the demo is too young for an alarm.
ALARMS = """<h3>What has changed</h3>
<ul class="alarms">
<li data-lasts="true"><strong>Values of &quot;distance_km&quot; differ from what is usual: 38 % are missing (usually 2 %).</strong> Since 2026-03-04 06:00, noticed after 5 hours; it lasts.</li>
</ul>
"""


class ServiceReport(ServiceTest):
    def page(self, *arguments):
        done = tarry("report", *map(str, arguments), "--out", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.decode()

    def refused(self, *arguments, says):
        done = tarry("report", *map(str, arguments), "--out", "-")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stdout, b"")
        self.assertEqual(done.stderr.count(b"\n"), 1)
        self.assertIn(says, done.stderr.decode())

    def test_of_a_service_that_runs_and_of_one_that_has_ended(self):
        service = self.serve()
        for name in ("m", "other"):
            service.create(name, {"task": "binary"})
        for i in range(30):
            ticket = service.decide("m", {"x": i % 2})["ticket"]
            if i < 20:
                service.feedback(ticket=ticket, label=i % 2 == 0)
        self.assertIn("10 rounds, the oldest since", self.page(service.folder))  # the log has them; history comes with the end
        self.assertEqual(service.stop(), 0)
        page = self.page(service.folder)
        self.assertIn("<dd>30; 20 of them have their label, 0 were given up</dd>", page)
        self.assertIn("Too early to judge: 20 of 30 decisions have labels", page)
        self.assertEqual(re.findall(r'<section class="model" id="model-(\w+)">', page), ["m", "other"])
        told = json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', page)[1])
        self.assertEqual([model["name"] for model in told["models"]], ["m", "other"])
        self.assertEqual(sum(quarter[1] for quarter in told["models"][0]["quarters"]), 30)
        self.assertIsNone(re.search(r'(?:src|href)="(?!#)', page))  # nothing is loaded
        only = self.page(service.folder, "--model", "other")
        self.assertNotIn('id="model-m"', only)
        before = datetime.date.today() - datetime.timedelta(days=9)
        self.assertIn("<dd>0; 0 of them", self.page(service.folder, "--to", before.isoformat(), "--days", 1))

    def test_what_is_not_there_is_refused(self):
        service = self.serve()
        service.create("m", {"task": "binary"})
        self.assertEqual(service.stop(), 0)
        self.refused(service.folder, "--model", "n", says='has no model "n"')
        self.refused(service.folder, "--from", "someday", says="--from must be a date such as 2026-03-31 or 2026-03-31T12:30 (someday came)")
        self.refused(service.folder, "--from", "2031-01-01", says="--from must be before")
        self.refused(service.folder, "--to", "2026-02-30", says="--to must be a date")
        self.refused(service.folder, "--from", "2026-01-01", "--days", 3, says="excludes")
        self.refused(service.folder, "--days", -1, says="--days must be above 0")
        self.refused(service.folder / "nowhere", says="not a store")

    def test_in_a_browser_for_everyone(self):
        service = self.serve("--demo")
        self.assertEqual(service.stop(), 0)
        html, charts = self.page(service.folder), '<div class="charts">'
        page = self.folder / "week.html"
        page.write_text(html.replace(charts, ALARMS + charts, 1), encoding="utf-8")
        browser = Browser()
        self.addCleanup(browser.close)
        script = axe.source()  # None: it cannot be had
        for scheme in ("light", "dark"):
            browser.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            for width, height in ((1280, 900), (390, 844)):
                with self.subTest(scheme=scheme, width=width):
                    browser.resize(width, height, phone=width == 390)
                    browser.open(page)
                    browser.next_frame()
                    self.assertEqual(browser.run("return document.documentElement.dataset.theme"), scheme)
                    curves = "return [...document.querySelectorAll('.model')].map((one) => one.querySelectorAll('.curve').length > 0)"
                    self.assertEqual(browser.run(curves), [True, True])
                    self.assertLessEqual(browser.run("return document.documentElement.scrollWidth"), width)
                    if script:
                        self.assertEqual(axe.violations(browser, script), [])
                    browser.screenshot(SHOTS / f"{scheme}-{width}.png")
        self.assertEqual([entry["message"] for entry in browser.console()], [])


if __name__ == "__main__":
    unittest.main()
