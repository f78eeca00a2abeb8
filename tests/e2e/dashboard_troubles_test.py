"""What is wrong with a model, on its page: since when, and where to look."""

import sys
import unittest
from unittest import mock

from dashboard_page import PHONE, ROOT, SHOTS, DashboardTest

sys.path.insert(0, str(ROOT / "web/dashboard"))
import sample  # noqa: E402


class Troubles(DashboardTest):
    def test_what_is_wrong_since_when_and_where_to_look(self):
        quality = sample.Made.quality

        def in_trouble(made, now):
            told = quality(made, now)
            told["quality"]["troubles"] = [{"what": what, "since": now - 7_200_000, "look": "Look."} for what in ("overdue", "worse", "miscalibrated")]
            return told

        with sample.Sample(models=3) as server, mock.patch.object(sample.Made, "quality", in_trouble):
            self.browser.resize(*PHONE, phone=True)
            self.show(server, "#/models/conversions?zone=utc")
            self.wait("document.querySelectorAll('.troubles li').length === 3")
            self.assertRegex(self.text(".troubles li"), r"^labels overdue since .*\d\d:\d\d.*: rounds that have waited longest$")
            self.check_access()
            for what, place in (("overdue", "#waiting"), ("worse", "#expected"), ("miscalibrated", "#reliability")):
                self.press(f".troubles [data-what={what}] button")
                top = f"document.querySelector('{place}').getBoundingClientRect().top"
                self.wait(f"{top} > 0 && {top} < 200")
            self.browser.screenshot(SHOTS / "troubles.png", whole=False)
            self.browser.visit("about:blank")


if __name__ == "__main__":
    unittest.main()
