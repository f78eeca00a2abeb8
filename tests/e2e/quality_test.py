"""How good a model is, as far as is known before its labels have come: in a sentence, in numbers, and for Prometheus."""

import re
import time
import unittest

from service import PATIENCE, ServiceTest


class Quality(ServiceTest):
    def told(self, service):
        view = service.ask("GET", "/v1/models/m/view")
        self.assert_status(view, 200)
        return view.json["quality"]

    def metrics(self, service):
        text = service.ask("GET", "/metrics").body.decode()
        return {name: float(value) for name, value in re.findall(r'^(tarry_\w+)\{model="m"\} (\S+)$', text, re.MULTILINE)}

    def test_a_model_is_judged_once_its_labels_allow_it(self):
        service = self.serve()
        service.create("m", {"task": "binary"})
        self.assertEqual(self.told(service)["sentence"], "No label has come yet.")
        self.assertNotIn("tarry_model_loss", self.metrics(service))
        ends = time.monotonic() + PATIENCE
        tickets = []
        while self.told(service)["health"] != "better":
            self.assertLess(time.monotonic(), ends, self.told(service))
            for i in range(20):
                tickets.append((service.decide("m", {"x": "ab"[i % 2]})["ticket"], i % 2 == 0))
            for ticket, label in tickets[:-20]:
                service.feedback(ticket=ticket, label=label)
            tickets = tickets[-20:]
        quality = self.told(service)
        self.assertRegex(quality["sentence"], r"^With \d+ % of the labels in, the model is expected to lose \d+ % less than a constant")
        lately = quality["lately"]
        self.assertLess(lately["loss"]["low"], lately["loss"]["expected"] + 1e-9)
        self.assertGreater(lately["gain"]["low"], 0)
        metrics = self.metrics(service)
        self.assertLess(metrics["tarry_model_loss"], metrics["tarry_model_constant_loss"])
        self.assertGreater(metrics["tarry_model_expected_gain_low"], 0)
        self.assertAlmostEqual(metrics["tarry_model_mean_outcome"], 0.5, delta=0.05)
        self.assertGreater(metrics["tarry_model_labels_share"], 0.1)

    def test_a_model_without_a_loss_has_no_quality(self):
        service = self.serve()
        service.create("m", {"set": {"type": "box", "dimension": 1, "lower": 0, "upper": 1}, "learner": {"type": "delayed_ofw", "eta": 0.1}})
        self.assertIsNone(self.told(service))


if __name__ == "__main__":
    unittest.main()
