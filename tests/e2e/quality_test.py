"""How good a model is, as far as is known before its labels have come: in a sentence, in numbers, and for Prometheus."""

import json
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

    def test_a_model_from_a_snapshot_says_what_is_not_known_of_its_past(self):
        service = self.with_history()
        state = service.ask("GET", "/v1/models/m/snapshot").body
        kind = {"Content-Type": "application/octet-stream"}
        self.assert_status(service.ask("PUT", "/v1/models/copy/snapshot", state, headers=kind), 201)
        sentence = lambda: service.ask("GET", "/v1/models/copy/quality").json["quality"]["sentence"]
        said = "No label has come since this history began. Of the 60 rounds before this history, neither the losses nor the waits for labels are known."
        self.assertEqual(sentence(), said)
        self.assertNotIn("before this history", self.told(service)["sentence"])
        self.assertEqual(service.stop(), 0)
        service.start()
        self.assertEqual(sentence(), said)

    def points(self, service):
        """The first line of a model's stream."""
        connection = service.connection()
        try:
            connection.request("GET", "/v1/live?range=24h&model=m")
            line = json.loads(connection.getresponse().readline())
        finally:
            connection.close()
        decisions = line["columns"].index("decisions")
        return sum(point[decisions] for point in line["points"]), line["delays"]

    def test_means_of_numbers_and_none_of_classes(self):
        service = self.serve()
        service.create("m", {"task": "regression"})
        for i in range(40):
            service.feedback(ticket=service.decide("m", {"x": i % 2})["ticket"], label=4 + i % 2)
        calibration = service.ask("GET", "/v1/models/m/quality").json["quality"]["calibration"]
        self.assertEqual((calibration["labels"], calibration["outcome"], calibration["error"]), (40, 4.5, None))
        metrics = self.metrics(service)
        self.assertAlmostEqual(metrics["tarry_model_mean_outcome"], 4.5)
        self.assertAlmostEqual(metrics["tarry_model_mean_prediction"], calibration["predicted"], delta=1e-6)
        self.assertNotIn("tarry_model_calibration_error", metrics)
        service.create("kinds", {"task": "classes", "classes": ["a", "b", "c"]})
        service.feedback(ticket=service.decide("kinds", {"x": 1})["ticket"], label="a")
        self.assertIsNone(service.ask("GET", "/v1/models/kinds/quality").json["quality"]["calibration"])
        self.assertNotIn('mean_outcome{model="kinds"}', service.ask("GET", "/metrics").body.decode())
        service.create("fixed", {"set": {"type": "box", "dimension": 1, "lower": 0, "upper": 1}, "learner": {"type": "delayed_ogd", "eta": 0.1}})
        self.assertEqual(service.ask("GET", "/v1/models/fixed/quality").json, {"model": "fixed", "quality": None, "drift": None})

    def with_history(self):
        service = self.serve()
        service.create("m", {"task": "binary"})
        for i in range(60):
            ticket = service.decide("m", {"x": i, "city": "ab"[i % 2]})["ticket"]
            if i % 3:
                service.feedback(ticket=ticket, label=i % 2 == 0)
        return service

    def test_history_survives_a_restart(self):
        service = self.with_history()
        before, points = self.told(service), self.points(service)
        self.assertEqual((before["lately"]["labels"], points[0]), (40, 60))
        self.assertEqual(service.stop(), 0)
        service.start()
        after = self.told(service)
        self.assertEqual(after["reliability"], before["reliability"])
        self.assertEqual(after["lately"]["labels"], 40)
        self.assertEqual(self.points(service), points)
        self.assertEqual(service.ask("GET", "/v1/models/m/view").json["drift"]["features"], 2)
        ticket = service.decide("m", {"x": 1, "city": "a"})["ticket"]
        self.assert_status(service.feedback(ticket=ticket, label=True), 200)
        self.assertEqual(self.told(service)["lately"]["labels"], 41)

    def test_a_damaged_history_is_an_empty_one(self):
        service = self.with_history()
        self.assertEqual(service.stop(), 0)
        files = sorted((self.folder / "data/watch").glob("*"))
        self.assertEqual(len(files), 2)
        for spoil in (lambda b: b[:-5], lambda b: b"", lambda b: b[:40] + b"x" + b[41:], lambda b: b"TARRYWCH" + bytes(40)):
            for file in files:
                file.write_bytes(spoil(file.read_bytes()))
            service.start()
            self.assertEqual(self.told(service)["lately"]["labels"], 0)
            self.assertEqual(self.points(service)[0], 0)
            self.assertEqual(service.stop(), 0)
        (self.folder / "data/watch").rename(self.folder / "elsewhere")
        (self.folder / "data/watch").write_text("no folder")
        service.start()
        self.assertEqual(service.model("m")["rounds"], 60)
        self.assertEqual(service.stop(), 0)

    def test_a_deleted_model_leaves_no_history(self):
        service = self.with_history()
        self.assertEqual(service.stop(), 0)
        service.start()
        self.assert_status(service.ask("DELETE", "/v1/models/m"), 200)
        self.assertEqual(service.stop(), 0)
        self.assertEqual([file.name for file in (self.folder / "data/watch").glob("*")], ["all"])

    def test_a_model_without_a_loss_has_no_quality(self):
        service = self.serve()
        service.create("m", {"set": {"type": "box", "dimension": 1, "lower": 0, "upper": 1}, "learner": {"type": "delayed_ofw", "eta": 0.1}})
        self.assertIsNone(self.told(service))


if __name__ == "__main__":
    unittest.main()
