"""Single rounds, looked up by key, ticket or number: what was asked and answered, and what came of it."""

import json
import time
import unittest
import urllib.parse

from program import tarry
from service import ServiceTest


class Rounds(ServiceTest):
    def look(self, service, model="m", **query):
        answer = service.ask("GET", f"/v1/models/{model}/rounds?{urllib.parse.urlencode(query)}")
        self.assert_status(answer, 200)
        return answer.json

    def refused(self, service, status, code, query, model="m"):
        answer = service.ask("GET", f"/v1/models/{model}/rounds{query}")
        self.assert_status(answer, status)
        self.assertEqual(answer.json["error"]["code"], code)
        self.assertNotIn("\n", answer.json["error"]["message"])

    def test_a_round_from_its_play_to_its_label(self):
        service = self.serve()
        service.create("m", {"task": "binary"})
        service.create("other", {"task": "regression"})
        for i in range(300):  # more than one mark
            service.decide("m", {"x": i % 7, "city": "Oslo"}, key=f"k{i}")
            if i % 10 == 0:
                service.decide("other", {"x": 1}, key=f"k{i}")
        asked = service.decide("m", {"x": 3, "city": "Rome"}, key="a b&c")
        waiting = self.look(service, key="a b&c")
        self.assertEqual((waiting["round"], waiting["state"], waiting["key"]), (301, "waiting", "a b&c"))
        self.assertEqual((waiting["features"], waiting["prediction"]), ({"x": 3, "city": "Rome"}, asked["prediction"]))
        self.assertEqual((waiting["feedback"], waiting["unknown"]), ([], []))
        self.assertLess(abs(waiting["played"] - time.time()), 60)
        self.assertLess(waiting["waits"], 60)
        (output,) = waiting["now"]["explanation"]["outputs"]
        added = output["base"] + sum(part["adds"] for part in output["parts"]) + output.get("rest", 0)
        self.assertAlmostEqual(added, output["score"])
        self.assertEqual(service.feedback(ticket=asked["ticket"], label="yes").json["status"], "accepted")
        for query in ({"key": "a b&c"}, {"round": 301}, {"ticket": asked["ticket"]}):
            answered = self.look(service, **query)
            self.assertEqual((answered["state"], answered["prediction"]), ("answered", asked["prediction"]))
            (label,) = answered["feedback"]
            self.assertEqual(label["label"], "yes")
            self.assertGreaterEqual(label["after"], 0)
            self.assertNotIn("waits", answered)
        service.feedback(model="m", key="k7", void=True)
        self.assertEqual(self.look(service, key="k7")["state"], "void")
        self.assertEqual(self.look(service, "other", key="k20")["features"], {"x": 1})
        self.assertEqual(self.look(service, round=7)["key"], "k6")
        self.refused(service, 404, "unknown_key", "?key=nobody")
        self.refused(service, 404, "unknown_round", "?round=302")
        self.refused(service, 404, "unknown_alarm", "?alarm=1")
        self.refused(service, 404, "unknown_ticket", f"?ticket={asked['ticket']}", "other")
        self.refused(service, 404, "no_such_model", "?round=1", "nobody")
        self.refused(service, 403, "forged", "?ticket=abc")
        for bad in ("", "?round=0", "?round=x", "?key=", "?key=a&round=1", "?name=a"):
            self.refused(service, 400, "bad_query", bad)
        asked_of_store = {"--key": "a b&c", "--ticket": asked["ticket"], "--round": "301"}
        refused = tarry("store", "round", str(service.folder), "--model", "m", "--round", "1")
        self.assertEqual(refused.returncode, 2)  # the service runs
        over_http = self.look(service, key="a b&c")
        service.stop()
        for option, value in asked_of_store.items():
            done = tarry("store", "round", str(service.folder), "--model", "m", option, value)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout), over_http)
        for wrong, says in ((("--key", "nobody"), "no decision was made under this key"), (("--round", "302"), "round 302 was not played"),
                            (("--ticket", "abc"), "--ticket: this ticket was not made by this store"), ((), "Exactly 1 option from"), (("--key", ""), "says which one")):
            done = tarry("store", "round", str(service.folder), "--model", "m", *wrong)
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1), done.stderr)
            self.assertIn(says, done.stderr.decode())
        done = tarry("store", "round", str(service.folder), "--model", "nobody", "--round", "1")
        self.assertIn(b'has no model "nobody"', done.stderr)
        again = self.serve()  # marks survive, and so does what the log has
        answered = self.look(again, key="a b&c")
        self.assertEqual((answered["features"]["city"], answered["feedback"][0]["label"]), ("Rome", "yes"))
        self.assertEqual(answered["prediction"], asked["prediction"])

    def test_without_keys_and_of_classes_and_choices(self):
        service = self.serve()
        service.create("c", {"task": "classes", "classes": ["small", "large"]})
        first = service.ask("POST", "/v1/models/c/decisions", {"features": {"x": 1}}).json
        service.feedback(ticket=first["ticket"], label="large")
        self.assertEqual(self.look(service, "c", round=1)["prediction"], first["prediction"])
        service.create("menu", {"task": "choose", "actions": ["ice", "soup"]})
        chosen = service.ask("POST", "/v1/models/menu/choices", {"context": {"sun": True}, "key": "v"}).json
        told = self.look(service, "menu", key="v")
        self.assertEqual((told["action"], told["probability"]), (chosen["action"], chosen["probability"]))
        self.assertEqual(told["context"], {"sun": True})
        self.assertNotIn("now", told)

    def test_a_model_that_was_deleted_shows_nothing(self):
        service = self.serve()
        service.create("m", {"task": "binary"})
        ticket = service.decide("m", {"secret": 1}, key="mine")["ticket"]
        service.ask("DELETE", "/v1/models/m")
        self.refused(service, 404, "no_such_model", "?key=mine")
        service.create("m", {"task": "binary"})
        service.decide("m", {"x": 1})
        self.refused(service, 404, "unknown_key", "?key=mine")
        self.refused(service, 404, "unknown_ticket", f"?ticket={ticket}")
        self.assertNotIn("secret", json.dumps(self.look(service, round=1)))

    def test_a_backup_has_what_the_dashboard_remembers(self):
        service = self.serve()
        service.create("m", {"task": "binary"})
        for i in range(10):
            service.decide("m", {"x": i}, key=f"k{i}")
        service.stop()
        self.assertTrue(any((service.folder / "watch").iterdir()))
        done = tarry("store", "backup", str(service.folder), str(self.folder / "copy"))
        self.assertEqual(done.returncode, 0, done.stderr)
        names = sorted(path.name for path in (service.folder / "watch").iterdir())
        self.assertEqual(sorted(path.name for path in (self.folder / "copy" / "watch").iterdir()), names)

    def test_expired_before_a_promotion_stays_expired(self):
        service = self.serve()
        spec = {"task": "binary", "expiry": {"rounds": 3}}
        service.create("m", spec)
        tickets = [service.decide("m", {"x": i}, key=f"k{i}")["ticket"] for i in range(6)]
        self.assert_status(service.ask("PUT", "/v1/models/m/challengers/c", {"products": False}), 201)
        self.assert_status(service.feedback(ticket=tickets[0], label=True), 410)
        self.assert_status(service.ask("POST", "/v1/models/m/promote", {"challenger": "c"}), 200)
        self.assert_status(service.feedback(ticket=tickets[0], label=True), 410)
        self.assertEqual(service.feedback(ticket=tickets[5], label=True).json["status"], "accepted")
        self.assertTrue(service.feedback(ticket=tickets[5], label=True).json["duplicate"])


class Metrics(ServiceTest):
    def test_challengers_are_told(self):
        service = self.serve()
        service.create("m", {"task": "binary", "features": {"capacity": 64}})
        service.ask("PUT", "/v1/models/m/challengers/no-products", {"products": False})
        for first in range(0, 600, 100):
            rows = [{"a": (i * 7919) % 13 - 6, "b": (i * 104729) % 11 - 5} for i in range(first, first + 100)]
            made = service.ask("POST", "/v1/models/m/decisions", {"requests": [{"features": row} for row in rows]}).json
            service.ask(
                "POST",
                "/v1/feedback",
                [
                    {"ticket": one["ticket"], "label": row["a"] * row["b"] > 0}
                    for one, row in zip(made["results"], rows)
                ],
            )
        time.sleep(1.1)  # figures are looked at once a second
        service.decide("m", {"a": 1, "b": 1})
        labels = '{model="m",challenger="no-products"}'
        text = service.ask("GET", "/metrics").body.decode()
        told = {
            line.split("{")[0]: float(line.split()[-1])
            for line in text.splitlines()
            if labels in line and not line.startswith("#")
        }
        (one,) = service.ask("GET", "/v1/models/m/challengers").json["challengers"]
        self.assertEqual(told["tarry_model_challenger_compared"], one["compared"])
        self.assertAlmostEqual(told["tarry_model_challenger_loss"], one["loss"])
        self.assertAlmostEqual(told["tarry_model_challenger_champion_loss"], one["champion_loss"])
        self.assertAlmostEqual(told["tarry_model_challenger_difference_low"], one["low"])
        self.assertAlmostEqual(told["tarry_model_challenger_difference_high"], one["high"])
        self.assertEqual(told["tarry_model_challenger_failed"], 0)
        service.ask("DELETE", "/v1/models/m/challengers/no-products")
        self.assertNotIn(labels, service.ask("GET", "/metrics").body.decode())


if __name__ == "__main__":
    unittest.main()
