"""Challengers over HTTP: the same rounds unseen, no harm to the model, and promotions that survive kill -9 and replay."""

import json
import random
import threading
import time
import unittest

import kill_test
from program import tarry
from service import PATIENCE, SOAK, ServiceTest

SPEC = {"task": "binary", "features": {"capacity": 64}}
CYCLES = 200 if SOAK else 6


def row(number):
    return {"a": (number * 7919) % 13 - 6, "b": (number * 104729) % 11 - 5}


def truth(number):
    return row(number)["a"] * row(number)["b"] > 0


class Challengers(ServiceTest):
    def play(self, service, model, first, count):
        asked = {"requests": [{"features": row(i), "key": f"k{i}"} for i in range(first, first + count)]}
        answer = service.ask("POST", f"/v1/models/{model}/decisions", asked)
        self.assert_status(answer, 200)
        labels = [{"ticket": one["ticket"], "label": truth(first + i)} for i, one in enumerate(answer.json["results"])]
        self.assertEqual({one["status"] for one in service.ask("POST", "/v1/feedback", labels).json}, {"accepted"})
        return [one["prediction"] for one in answer.json["results"]]

    def listed(self, service, model="m"):
        answer = service.ask("GET", f"/v1/models/{model}/challengers")
        self.assert_status(answer, 200)
        return answer.json

    def state_and_replay(self, service, model):
        """Stops the service; the hash is that of the state at the last promotion and the history since."""
        state = service.model(model)
        self.assertEqual(service.stop(), 0)
        checked = tarry("store", "check", str(service.folder))
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        out = self.folder / "dump.jsonl"
        done = tarry("store", "dump", str(service.folder), "--model", model, "--out", str(out))
        self.assertEqual(done.returncode, 0, done.stderr)
        done = tarry("replay", str(out), "--load", str(out) + ".state", "--hash")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout.splitlines()[-1])["hash"], state["hash"])
        return state

    def test_a_challenger_is_made_compared_and_promoted(self):
        service = self.serve("--snapshot-every", "100")
        service.create("m", SPEC)
        service.create("alone", SPEC)
        self.play(service, "m", 0, 20)
        self.play(service, "alone", 0, 20)
        made = service.ask("PUT", "/v1/models/m/challengers/no-products", {"products": False})
        self.assert_status(made, 201)
        self.assertNotIn("products", made.json["spec"])
        again = service.ask("PUT", "/v1/models/m/challengers/no-products", {"products": 0})
        self.assert_status(again, 200)
        shadowed = [p for i in range(20, 1220, 50) for p in self.play(service, "m", i, 50)]
        alone = [p for i in range(20, 1220, 50) for p in self.play(service, "alone", i, 50)]
        self.assertEqual(shadowed, alone)
        self.assertEqual(service.hash("m") == service.hash("alone"), True)
        (one,) = self.listed(service)["challengers"]
        self.assertEqual((one["name"], one["rounds"], one["labels"]), ("no-products", 1200, 1200))
        self.assertEqual((one["compared"], one["range"]), (1100, 4))
        self.assertLessEqual(one["low"], one["difference"])
        self.assertLessEqual(one["difference"], one["high"])
        self.assertEqual(one["verdict"], "worse", one)  # the label is the sign of a product
        expected = one["expected"]
        self.assertEqual(expected["decisions"] > 0 and expected["share"], 1, expected)  # all labels are in
        self.assertGreater(expected["loss"]["so_far"], one["champion_loss"])
        self.assertLess(expected["gain"]["so_far"], 0)
        self.assertEqual(service.ask("GET", "/v1/models/m/view").json["challengers"]["challengers"][0]["name"], "no-products")
        waiting = service.decide("m", row(5000), key="open")
        promoted = service.ask("POST", "/v1/models/m/promote", {"challenger": "no-products"})
        self.assert_status(promoted, 200)
        self.assertEqual((promoted.json["former"], promoted.json["promoted"]), ("original", True))
        self.assert_status(service.ask("POST", "/v1/models/m/promote", {"challenger": "no-products"}), 200)  # sent again
        self.assertEqual(self.listed(service)["champion"], "no-products")
        repeated = service.ask("POST", "/v1/models/m/decisions", {"features": row(5000), "key": "open"}).json
        self.assertEqual((repeated["prediction"], repeated["ticket"]), (waiting["prediction"], waiting["ticket"]))
        self.assert_status(service.feedback(ticket=waiting["ticket"], label=True), 200)
        self.assert_status(service.ask("PUT", "/v1/models/m", SPEC), 200)  # whoever makes sure of it need not know
        before = service.model("m")
        self.assertEqual((before["champion"], before["before"], before["rounds"]), ("no-products", 20, 1221))
        service.kill()
        service.start()
        self.assertEqual(service.model("m")["hash"], before["hash"])
        self.play(service, "m", 2000, 30)
        refused = tarry("store", "dump", str(service.folder), "--model", "m")
        self.assertNotEqual(refused.returncode, 0)
        self.state_and_replay(service, "m")

    def choose(self, service, first, count):
        """Of three dishes the third earns most; a label is a reward."""
        asked = {"requests": [{"context": {"x": i % 7}, "key": f"c{i}"} for i in range(first, first + count)]}
        answer = service.ask("POST", "/v1/models/menu/choices", asked)
        self.assert_status(answer, 200)
        earns = {"soup": 2, "fish": 3, "cake": 7}
        rewards = [{"ticket": one["ticket"], "label": (i * 7919 + i // 10) % 10 < earns[one["action"]]}
                   for i, one in enumerate(answer.json["results"], first)]
        self.assertEqual({one["status"] for one in service.ask("POST", "/v1/feedback", rewards).json}, {"accepted"})

    def test_a_model_that_chooses_has_one_that_would_have_earned_more(self):
        service = self.serve("--snapshot-every", "300")
        explore = {"type": "epsilon", "epsilon": 0.6}
        service.create("menu", {"task": "choose", "actions": ["soup", "fish", "cake"], "explore": explore, "features": {"capacity": 64}})
        self.choose(service, 0, 50)
        self.assert_status(service.ask("PUT", "/v1/models/menu/challengers/sure", {"explore": {"type": "epsilon", "epsilon": 0.05}}), 201)
        for first in range(50, 1650, 100):
            self.choose(service, first, 100)
        (one,) = self.listed(service, "menu")["challengers"]
        self.assertEqual((one["verdict"], one["rounds"], one["compared"]), ("better", 1600, 1500), one)
        self.assertAlmostEqual(one["reward"] - one["champion_reward"], one["difference"])
        self.assertTrue(0 < one["low"] < one["difference"] < one["high"], one)
        self.assertEqual((one["unrewarded"], "loss" in one, "expected" in one), (0, False, False))
        time.sleep(1.1)  # gauges follow once a second
        self.choose(service, 1650, 10)
        metrics = service.ask("GET", "/metrics").body.decode()
        self.assertRegex(metrics, r'tarry_model_challenger_reward_difference_low{model="menu",challenger="sure"} 0\.')
        self.assert_status(service.ask("POST", "/v1/models/menu/promote", {"challenger": "sure"}), 200)
        self.choose(service, 1660, 300)
        before = service.model("menu")
        service.kill()
        service.start()
        self.assertEqual(service.model("menu")["hash"], before["hash"])
        (one,) = self.listed(service, "menu")["challengers"]
        self.assertEqual((one["name"], one["verdict"] in ("worse", "unclear")), ("original", True), one)
        self.state_and_replay(service, "menu")

    def test_bad_requests_get_one_line_and_change_nothing(self):
        service = self.serve()
        service.create("m", SPEC)
        service.create("menu", {"task": "choose", "reward": "number"})
        self.play(service, "m", 0, 5)
        self.assert_status(service.ask("PUT", "/v1/models/m/challengers/one", {"products": False}), 201)
        before, position = service.hash("m"), service.model("m")["position"]
        path = "/v1/models/m/challengers"
        for method, address, body, status, said in (
            ("PUT", f"{path}/one", {"bends": False}, 409, "the model m has a challenger named one already: "),
            ("PUT", f"{path}/original", {"bends": False}, 409, "original is what the model itself is called"),
            ("PUT", f"{path}/No", {"bends": False}, 400, "a challenger's name must be 1 to 64 of a-z"),
            ("PUT", f"{path}/x", {}, 400, "challenger: say what is to be different"),
            ("PUT", f"{path}/x", [1], 400, "challenger: must be an object"),
            ("PUT", f"{path}/x", {"prodcts": 0}, 400, "prodcts"),
            ("PUT", f"{path}/x", {"task": "regression"}, 422, "challenger: loss must be the model's, "),
            ("PUT", f"{path}/x", {"features": {"capacity": 1 << 30}}, 413, "a model must have at most"),
            ("PUT", "/v1/models/menu/challengers/x", {"products": 0}, 422, "challenger: of a model that chooses, rewards must be true or false"),
            ("PUT", "/v1/models/none/challengers/x", {"products": 0}, 404, "there is no model named none"),
            ("DELETE", f"{path}/two", None, 404, "the model m has no challenger named two"),
            ("POST", "/v1/models/m/promote", {"challenger": "two"}, 404, "the model m has no challenger named two"),
            ("POST", "/v1/models/m/promote", {}, 400, "challenger"),
            ("POST", "/v1/models/m/promote", {"challenger": 3}, 400, "challenger"),
            ("POST", "/v1/models/m/promote", {"challenger": "one", "now": True}, 400, "now"),
            ("POST", f"{path}/one", {"bends": False}, 405, "PUT, DELETE"),
        ):
            answer = service.ask(method, address, body)
            self.assertEqual(answer.status, status, answer)
            self.assertIn(said, answer.json["error"]["message"])
            self.assertNotIn("\n", answer.json["error"]["message"])
        self.assertEqual((service.hash("m"), service.model("m")["position"]), (before, position))
        self.assert_status(service.ask("DELETE", f"{path}/one"), 200)
        self.assertEqual(self.listed(service)["challengers"], [])

    def test_killed_again_and_again(self):
        service = self.serve("--snapshot-every", "60")
        for name in ("returns", "minutes", "menu"):
            service.create(name, {"returns": SPEC, "minutes": {"task": "regression", "features": {"capacity": 64}},
                                  "menu": {"task": "choose", "reward": "number", "features": {"capacity": 64}}}[name])
        load = kill_test.Load(service, seed=7)
        changes = threading.Thread(target=self.change, args=(load,))
        changes.start()
        kill = kill_test.Kill()
        kill.kill_under(service, load, CYCLES)
        changes.join()
        self.assertEqual(load.wrong, [])
        kill.wait_ready(service)
        for (model, number) in sorted(load.labelled, key=str)[:100]:
            answer = service.feedback(ticket=load.decided[model, number]["ticket"], **kill_test.feedback(model, number))
            self.assert_status(answer, 200)
            self.assertTrue(answer.json.get("duplicate"), answer)
        decided = sum(model == "returns" for model, _ in load.decided)
        service.ask("PUT", "/v1/models/returns/challengers/last", {"products": False})
        self.assert_status(service.ask("POST", "/v1/models/returns/promote", {"challenger": "last"}), 200)
        state = self.state_and_replay(service, "returns")
        self.assertEqual(state["rounds"], decided)

    def change(self, load):
        """Challengers come, are promoted and go while the service is killed."""
        draw = random.Random(5)

        def insist(method, path, body=None):
            end = time.monotonic() + PATIENCE
            while time.monotonic() < end:
                try:
                    answer = load.service.ask(method, path, body)
                    if answer.status < 500:
                        return answer
                except Exception:
                    time.sleep(0.01)
            load.wrong.append(f"no answer to {path}")

        step = 0
        while not load.stop.is_set():
            name, step = f"c{step}", step + 1
            insist("PUT", f"/v1/models/returns/challengers/{name}", {"products": draw.randrange(4), "bends": False})
            time.sleep(draw.uniform(0.01, 0.05))
            insist("POST", "/v1/models/returns/promote", {"challenger": name})
            listed = insist("GET", "/v1/models/returns/challengers").json
            if listed["champion"] != name:
                load.wrong.append(f"{name} was promoted, and {listed['champion']} decides")
            if step % 3 == 0:
                for one in listed["challengers"]:
                    insist("DELETE", f"/v1/models/returns/challengers/{one['name']}")


if __name__ == "__main__":
    unittest.main()
