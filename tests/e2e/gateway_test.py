"""Gateways in front of workers on a real broker: answers are the service's, and each that was given is in Kafka once."""

import http.client
import json
import os
import tempfile
import threading
import time
import unittest
from pathlib import Path

import axe
from browser import Browser
from kafka_queue import SOAK, QueueTest
from program import ProgramTest, tarry
from service import PATIENCE, Service

DECISIONS = 4000 if SOAK else 400
CLIENTS = 4


def forged(ticket):
    """With one character of its signature changed."""
    return ticket[:-6] + ("A" if ticket[-6] != "A" else "B") + ticket[-5:]


class GatewayTest(QueueTest):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def gateway(self, *options, folder="data", wait_seconds=60):
        service = Service(self.folder / folder, *self.where(), "--group", f"{self.prefix}.g", "--unsafe-topics",
                          "--wait-seconds", str(wait_seconds), *options)
        self.addCleanup(lambda: service.alive() and service.kill())
        return service

    def outcomes(self):
        """(model, outcome) of every event, each once."""
        lines = self.succeeds("queue", "outcomes", *self.where())
        return [(name, json.loads(outcome)) for name, outcome in (line.split("\t") for line in lines)]

    def assert_refused(self, answer, status, code):
        self.assertEqual((answer.status, answer.json["error"]["code"]), (status, code), answer)

    def wait_for(self, truth, what):
        end = time.monotonic() + PATIENCE
        while not truth():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.1)

    def test_a_worker_killed_under_two_gateways_loses_and_doubles_nothing(self):
        self.create(partitions=4)
        gateways = [self.gateway(), self.gateway()]
        workers = [self.worker(), self.worker()]
        models = [f"m{i}" for i in range(8)]
        for i, name in enumerate(models):
            answer = gateways[i % 2].ask("PUT", f"/v1/models/{name}", {"task": "regression", "features": {"capacity": 64}})
            self.assertEqual(answer.status, 201, answer)
        answered, problems = [], []

        def ask(client):
            """Each decision by one gateway, its label by the other, and the label once more."""
            try:
                for i in range(DECISIONS // CLIENTS):
                    name, here, there = models[(client + i) % 8], gateways[i % 2], gateways[1 - i % 2]
                    made = here.ask("POST", f"/v1/models/{name}/decisions", {"features": {"x": i % 7, "c": client}},
                                    {"Idempotency-Key": f"{client}-{i}"})
                    assert made.status == 200, made
                    answered.append((name, made.json))
                    for wanted in (None, True):
                        told = there.feedback(ticket=made.json["ticket"], label=i % 3)
                        assert told.status == 200 and told.json.get("duplicate") == wanted, (told, wanted)
                        assert told.json["round"] == made.json["round"], (told, made)
            except Exception as problem:  # a wrong answer, or a connection that broke
                problems.append(problem)

        clients = [threading.Thread(target=ask, args=(client,)) for client in range(CLIENTS)]
        for client in clients:
            client.start()
        self.wait_for(lambda: len(answered) > DECISIONS // 4 or problems, "decisions are answered")
        workers[0].kill()
        self.worker()
        for client in clients:
            client.join()
        self.assertEqual(problems, [])
        self.assertEqual(len(answered), DECISIONS)
        total, _ = self.settle()
        self.assertEqual(total["errors"], 0)
        plays = [(name, outcome["reply"]) for name, outcome in self.outcomes()
                 if "reply" in outcome and outcome["answer"] == "applied"]
        self.assertEqual(len(plays), DECISIONS)
        by_round = {(name, reply["round"]): reply for name, reply in plays}
        self.assertEqual(len(by_round), DECISIONS)
        for name, decision in answered:
            decision.pop("ticket")
            self.assertEqual(by_round.pop((name, decision["round"])), decision)  # each is there, and no other asked for it
        seen = gateways[0].ask("GET", "/v1/partitions").json["partitions"]
        self.assertEqual(sum(one["events"] for one in seen), total["events"])

    def test_answers_have_the_services_codes(self):
        self.create(partitions=2)
        self.worker()
        here, there = self.gateway(), self.gateway()
        self.assertEqual(here.ask("PUT", "/v1/models/m", {"task": "binary", "expiry": {"seconds": 2}}).status, 201)
        self.assertEqual(there.ask("PUT", "/v1/models/m", {"task": "binary", "expiry": {"seconds": 2}}).status, 200)
        self.assert_refused(there.ask("PUT", "/v1/models/m", {"task": "regression"}), 409, "conflict")
        late = here.decide("m", {"x": 1})
        # What is garbage is answered with an error, and stops nobody.
        self.wait_sent(self.send([("m", "{", False), ("m", '{"label": 1}', False), ("BAD NAME", "{}", False)]), 3)
        first = here.decide("m", {"x": 1}, key="mine")
        self.assertEqual(there.decide("m", {"x": 1}, key="mine"), first | {"answer": "duplicate"})
        self.assertEqual(there.feedback(model="m", key="mine", label=True).json, {"status": "accepted", "round": 2})
        self.assertEqual(here.feedback(ticket=first["ticket"], label=True).json,
                         {"status": "accepted", "round": 2, "duplicate": True})
        self.assert_refused(here.feedback(ticket=first["ticket"], label=False), 409, "conflict")
        self.assert_refused(here.feedback(model="m", key="none", label=False), 404, "unknown_key")
        self.assert_refused(here.feedback(model="none", key="none", label=False), 404, "no_such_model")
        self.assert_refused(here.feedback(ticket=first["ticket"], label="a class"), 422, "bad_input")
        self.assert_refused(here.feedback(ticket=forged(first["ticket"]), label=True), 403, "forged")
        self.assert_refused(here.ask("POST", "/v1/models/m/decisions", b"{"), 400, "bad_json")
        self.assert_refused(here.ask("POST", "/v1/models/m/predict", {"features": {"x": 1}}), 501, "not_at_a_gateway")
        self.assert_refused(here.ask("GET", "/v1/models/m"), 501, "not_at_a_gateway")
        big = {"features": {f"x{i}": 1 for i in range(100_000)}}
        self.assert_refused(here.ask("POST", "/v1/models/m/decisions", big), 413, "too_large")
        self.wait_for(lambda: any(outcome.get("round") == late["round"] and "reply" not in outcome for _, outcome in self.outcomes()),
                      "the owner gives the round up")
        self.assert_refused(there.feedback(ticket=late["ticket"], label=True), 410, "expired")
        self.assertEqual(here.ask("DELETE", "/v1/models/m").json, {"name": "m", "deleted": True})
        self.assert_refused(there.feedback(ticket=first["ticket"], label=True), 500, "lost")
        self.assertEqual(there.ask("PUT", "/v1/models/m", {"task": "binary"}).status, 201)
        there.decide("m", {"x": 1}, key="mine")
        self.assert_refused(here.feedback(ticket=first["ticket"], label=True), 500, "lost")
        self.settle()
        other = self.gateway(folder="of-another-key")
        self.assert_refused(other.feedback(ticket=first["ticket"], label=True), 403, "forged")
        self.assertEqual(here.stop(), 0)

    def test_who_does_not_wait_and_who_waits_in_vain(self):
        self.create(partitions=1)
        gateway = self.gateway(wait_seconds=1)
        spec = {"task": "regression", "features": {"capacity": 64}}
        self.assert_refused(gateway.ask("PUT", "/v1/models/m", spec), 504, "no_outcome")
        later = {"Prefer": "respond-async"}
        queued = gateway.ask("POST", "/v1/models/m/decisions", {"features": {"x": 1}}, later)
        self.assertEqual((queued.status, queued.headers["preference-applied"]), (202, "respond-async"))
        self.assertEqual((queued.json["status"], queued.json["offset"]), ("queued", 1))
        told = gateway.ask("POST", "/v1/feedback", {"ticket": queued.json["ticket"], "label": 2}, later)
        self.assertEqual((told.status, told.json), (202, {"status": "queued", "partition": 0, "offset": 2}))
        once = {"Idempotency-Key": "once"}
        answer = gateway.ask("POST", "/v1/models/m/decisions", {"features": {"x": 2}}, once)
        self.assert_refused(answer, 504, "no_outcome")
        self.assertIn("may still be folded", answer.json["error"]["message"])
        self.assertEqual(gateway.stop(), 0)
        patient = self.gateway(wait_seconds=600)
        hung_up = []

        def wait():
            try:
                hung_up.append(patient.ask("DELETE", "/v1/models/none").status)
            except (OSError, http.client.HTTPException) as problem:
                hung_up.append(problem)

        waits = threading.Thread(target=wait)
        waits.start()
        self.wait_for(lambda: patient.ask("GET", "/v1/partitions").json["waiting"] == 1, "somebody waits")
        self.assertEqual(patient.stop(), 0)  # also while somebody waits
        waits.join()
        self.assertEqual(len(hung_up), 1)
        self.worker().wait_for("caught_up")
        gateway = self.gateway()
        again = gateway.ask("POST", "/v1/models/m/decisions", {"features": {"x": 2}}, once)
        self.assertEqual((again.status, again.json["round"]), (200, 2), again)  # it had been folded, and is not made twice
        self.assertEqual(gateway.feedback(ticket=queued.json["ticket"], label=2).json,
                         {"status": "accepted", "round": 1, "duplicate": True})
        self.assertEqual(gateway.ask("PUT", "/v1/models/m", spec).status, 200)
        total, _ = self.settle()
        self.assertEqual((total["events"], total["errors"]), (8, 1))

    def test_owners_and_takeovers_are_shown(self):
        self.create(partitions=2)
        gateway = self.gateway()
        one = self.worker("--instance", "one")
        seen = lambda: gateway.ask("GET", "/v1/partitions").json["partitions"]
        self.wait_for(lambda: [row["owner"] for row in seen()] == ["one", "one"], "one owns all")
        one.kill()
        self.worker("--instance", "two")
        self.wait_for(lambda: [row["owner"] for row in seen()] == ["two", "two"], "two owns all")
        self.assertEqual([(row["takeovers"], row["lag"]) for row in seen()], [(1, 0), (1, 0)])
        text = gateway.ask("GET", "/metrics").body.decode()
        for line in ('tarry_partition_owner{partition="1",owner="two",host="127.0.0.1"} 1', 'tarry_partition_lag{partition="0"} 0',
                     'tarry_partition_takeovers_total{partition="0"} 1', "tarry_gateway_ready 1"):
            self.assertIn(line + "\n", text)

    def test_the_page_shows_the_partitions(self):
        self.create(partitions=2)
        token = self.succeeds("token", "add", "--data", str(self.folder / "data"), "reader", "--scope", "read")[0]
        gateway = self.gateway()
        self.worker("--instance", "one")
        browser = Browser()
        self.addCleanup(browser.close)
        browser.visit(f"http://127.0.0.1:{gateway.port}/")
        browser.wait_for("return document.querySelector('.live')?.dataset.state === 'token'")
        browser.type("form input", token)
        browser.click("#open")
        browser.wait_for("return document.querySelector('[data-partition=\"1\"]')?.textContent.includes('one')", patience=PATIENCE)
        browser.wait_for("return document.querySelector('.live').dataset.state === 'live'")
        if script := axe.source():
            self.assertEqual(axe.violations(browser, script), [])
        if shots := os.environ.get("TARRY_SHOTS"):
            browser.resize(1280, 900)
            browser.screenshot(Path(shots) / "gateway.png")
        said = [entry["message"] for entry in browser.console() if entry["level"] in ("SEVERE", "WARNING")]
        self.assertEqual([one for one in said if "401" not in one], [])  # the browser tells of the one without a token
        self.assertTrue(browser.run("return document.querySelector('.without-tokens').hidden"))

    def test_the_page_of_one_without_tokens_says_so(self):
        self.create(partitions=1)
        gateway = self.gateway()
        browser = Browser()
        self.addCleanup(browser.close)
        browser.visit(f"http://127.0.0.1:{gateway.port}/")
        browser.wait_for("return document.querySelector('.live')?.dataset.state === 'live'", patience=PATIENCE)
        self.assertIn("runs without tokens", browser.run("return document.querySelector('.without-tokens:not([hidden])')?.textContent ?? ''"))

    def test_brokers_that_are_away_are_said(self):
        self.create(partitions=1)
        self.worker()
        gateway = self.gateway(wait_seconds=2)
        gateway.create("m", {"task": "regression"})
        self.cluster.kill()
        try:
            self.assert_refused(gateway.ask("POST", "/v1/models/m/decisions", {"features": {"x": 1}}), 504, "not_acknowledged")
            self.wait_for(lambda: gateway.ask("GET", "/readyz").status == 503, "it is not ready")
            self.assertEqual(gateway.ask("GET", "/healthz").status, 200)
        finally:
            self.cluster.start()
        self.wait_for(lambda: gateway.ask("GET", "/readyz").status == 200, "it is ready again")
        self.wait_for(lambda: gateway.ask("POST", "/v1/models/m/decisions", {"features": {"x": 1}}).status == 200, "it decides")
        self.settle()

    def test_topics_that_can_lose_data_are_refused(self):
        where = (*self.where(), "--data", str(self.folder / "data"), "--without-tokens")
        self.fails("serve", *where, says=f"there is no topic {self.prefix}.events")
        self.create(partitions=1)
        self.fails("serve", *where, says=["has 1 replicas, fewer than 3", "--unsafe-topics"])


class WithoutABrokerTest(ProgramTest):
    def test_a_broker_that_is_not_there_is_said(self):
        with tempfile.TemporaryDirectory() as folder:
            done = tarry("serve", "--data", folder, "--kafka", "127.0.0.1:1", "--without-tokens")
            message = done.stderr.decode()
            if "built without Kafka" in message:
                self.assertEqual((done.returncode, message.count("\n")), (2, 1), message)
            else:
                self.assertEqual((done.returncode, message.count("\n")), (1, 1), message)
                self.assertIn("no broker answers", message)
            self.fails("serve", "--data", folder, "--kafka", "127.0.0.1:1", "--demo", says="--demo excludes --kafka")


if __name__ == "__main__":
    unittest.main()
