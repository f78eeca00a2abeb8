"""?explain=1: what each feature adds to a prediction, over HTTP."""

import unittest

from service import ServiceTest


def row(i):
    return {"x": i % 17, "city": ["Paris", "Oslo", "Lima"][i % 3]}


def total(output):
    return output["base"] + sum(part["adds"] for part in output["parts"]) + output.get("rest", 0)


class Explained(ServiceTest):
    def taught(self, service, name, task, label):
        service.create(name, {"task": task})
        for i in range(60):
            ticket = service.decide(name, row(i))["ticket"]
            self.assertEqual(service.feedback(ticket=ticket, label=label(i)).status, 200)

    def ask(self, service, path, body):
        answer = service.ask("POST", path, body)
        self.assertEqual(answer.status, 200, answer)
        return answer.json

    def test_a_prediction_and_a_decision_say_what_each_feature_adds(self):
        service = self.serve()
        self.taught(service, "m", "binary", lambda i: i % 17 > 8)
        self.taught(service, "c", "classes", lambda i: ["low", "middle", "high"][i % 17 // 6])
        plain = self.ask(service, "/v1/models/m/predict", {"features": row(5)})
        self.assertNotIn("explanation", plain)
        told = self.ask(service, "/v1/models/m/predict?explain=1", {"features": row(5)})
        self.assertEqual(told["prediction"], plain["prediction"])
        output, = told["explanation"]["outputs"]
        self.assertEqual(told["explanation"]["score_is"], "log-odds")
        self.assertAlmostEqual(total(output), output["score"], delta=1e-9)
        self.assertIn("x", [part["name"] for part in output["parts"]])
        many = self.ask(service, "/v1/models/c/predict?explain=1", {"requests": [{"features": row(5)}, {"features": row(16)}]})
        for one in many["results"]:
            outputs = one["explanation"]["outputs"]
            self.assertEqual({o["class"] for o in outputs}, {"low", "middle", "high"})
            for each in outputs:
                self.assertAlmostEqual(total(each), each["score"], delta=1e-9)
                self.assertAlmostEqual(each["probability"], one["scores"][each["class"]], places=12)
        decided = self.ask(service, "/v1/models/m/decisions?explain=1", {"features": row(5), "key": "once"})
        self.assertAlmostEqual(total(decided["explanation"]["outputs"][0]), decided["explanation"]["outputs"][0]["score"], delta=1e-9)
        again = self.ask(service, "/v1/models/m/decisions?explain=1", {"features": row(5), "key": "once"})
        self.assertEqual(again["answer"], "duplicate")

    def test_what_cannot_be_explained_is_refused(self):
        service = self.serve()
        service.create("shares", {"task": "allocation", "options": ["a", "b"]})
        service.create("m", {"task": "binary"})
        answer = service.ask("POST", "/v1/models/shares/decisions?explain=1", {})
        self.assertGreaterEqual(answer.status, 400)
        self.assertIn("only a model that predicts labels", answer.json["error"]["message"])
        answer = service.ask("POST", "/v1/models/m/predict?explain=please", {"features": row(1)})
        self.assertEqual(answer.status, 400)
        self.assertIn("explain must be 1 or 0 (explain=please came)", answer.json["error"]["message"])


if __name__ == "__main__":
    unittest.main()
