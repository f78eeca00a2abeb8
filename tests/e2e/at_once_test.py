"""The same thing from many clients at the same moment: it happens once, and everybody is told the same."""

import threading
import unittest
from concurrent.futures import ThreadPoolExecutor

from service import SOAK, ServiceTest

CLIENTS = 16
ROUNDS = 500 if SOAK else 30


class AtOnce(ServiceTest):
    def setUp(self):
        super().setUp()
        self.service = self.serve()
        self.service.create("m", {"task": "binary", "features": {"capacity": 64}})
        self.clients = ThreadPoolExecutor(CLIENTS)
        self.addCleanup(self.clients.shutdown)

    def at_once(self, *calls):
        """The answers to calls that begin together."""
        gate = threading.Barrier(len(calls))

        def call(one):
            gate.wait()
            return self.service.ask(*one)

        return list(self.clients.map(call, calls))

    def test_one_idempotency_key(self):
        for i in range(ROUNDS):
            key = {"Idempotency-Key": f"key-{i}"}
            answers = self.at_once(*[("POST", "/v1/models/m/decisions", {"features": {"x": i}}, key)] * CLIENTS)
            for answer in answers:
                self.assert_status(answer, 200, 409)
                if answer.status == 409:
                    self.assertEqual(answer.json["error"]["code"], "in_flight")
            tickets = {answer.json["ticket"] for answer in answers if answer.status == 200}
            self.assertEqual(len(tickets), 1)
            other = self.service.ask("POST", "/v1/models/m/decisions", {"features": {"x": -1}}, key)
            self.assert_status(other, 422)
        self.assertEqual(self.service.model("m")["rounds"], ROUNDS)
        self.assert_replays(self.service, "m")

    def test_one_key_of_the_clients_own(self):
        for i in range(ROUNDS):
            answers = self.at_once(
                *[("POST", "/v1/models/m/decisions", {"features": {"x": i}, "key": f"order-{i}"})] * CLIENTS
            )
            self.assertEqual(
                {(answer.status, answer.json["ticket"]) for answer in answers}, {(200, answers[0].json["ticket"])}
            )
        self.assertEqual(self.service.model("m")["rounds"], ROUNDS)

    def test_one_label(self):
        for i in range(ROUNDS):
            ticket = self.service.decide("m", {"x": i})["ticket"]
            answers = self.at_once(*[("POST", "/v1/feedback", {"ticket": ticket, "label": True})] * CLIENTS)
            self.assertEqual({answer.status for answer in answers}, {200})
            self.assertEqual(sum(not answer.json.get("duplicate") for answer in answers), 1)
        self.assert_replays(self.service, "m")

    def test_labels_that_contradict_each_other(self):
        for i in range(ROUNDS):
            ticket = self.service.decide("m", {"x": i})["ticket"]
            answers = self.at_once(
                *[("POST", "/v1/feedback", {"ticket": ticket, "label": j % 2 == 0}) for j in range(CLIENTS)]
            )
            self.assertEqual({answer.status for answer in answers}, {200, 409})
            self.assertEqual(sum(answer.status == 200 and not answer.json.get("duplicate") for answer in answers), 1)
            self.assertEqual(sum(answer.status == 409 for answer in answers), CLIENTS // 2)
        self.assert_replays(self.service, "m")

    def test_a_label_in_one_batch_twice(self):
        ticket = self.service.decide("m", {"x": 1})["ticket"]
        item = {"ticket": ticket, "label": True}
        first, again, other = self.service.ask("POST", "/v1/feedback", [item, item, item | {"label": False}]).json
        self.assertEqual((first["status"], first.get("duplicate")), ("accepted", None))
        self.assertTrue(again["duplicate"])
        self.assertEqual(other["error"]["status"], 409)

    def test_a_model_is_made_and_deleted_once(self):
        answers = self.at_once(*[("PUT", "/v1/models/n", {"task": "binary"})] * CLIENTS)
        self.assertEqual(sorted(answer.status for answer in answers), [200] * (CLIENTS - 1) + [201])
        answers = self.at_once(*[("DELETE", "/v1/models/n")] * CLIENTS)
        self.assertEqual(sum(answer.status in (200, 204) for answer in answers), 1, answers)
        self.assertEqual(sum(answer.status == 404 for answer in answers), CLIENTS - 1)


if __name__ == "__main__":
    unittest.main()
