"""Labels that take the place of others: the same at every door, and through kills."""

import http.client
import random
import time
import unittest

from program import log_of, replay
from service import PATIENCE, ServiceTest, dumped, replayed_hash

SPEC = {"task": "binary", "features": {"capacity": 64}, "revisable": 1000}


def features(number):
    return {"x": number % 17, "city": ["Paris", "Oslo", "Lima"][number % 3]}


class Doors(ServiceTest):
    def test_replay(self):
        play = {"play": 1, "key": "a", "features": features(1)}
        first, other = {"label": "a", "value": True}, {"label": "a", "value": False}
        told = replay(SPEC, [play, first, other, other | {"revise": True}, first, other | {"revise": True}])
        answers = [line.get("answer") for line in told[1:]]
        self.assertEqual(answers, ["conflict", "duplicate", "duplicate"])  # what is applied is not answered
        plain = {"task": "binary", "features": {"capacity": 64}}
        told = replay(plain, [play, first, first, other, other | {"revise": True}])
        self.assertEqual([line.get("answer") for line in told[1:]], ["duplicate", "conflict", "conflict"])

    def test_http(self):
        service = self.serve()
        service.create("m", SPEC)
        service.create("last", SPEC | {"labels": "last"})
        service.create("sum", {"task": "regression", "features": {"capacity": 64}, "labels": "sum"})
        service.create("timed", SPEC | {"revisable": {"seconds": 3600}})
        ticket = service.decide("m", features(1))["ticket"]

        def fed(**item):
            answer = service.feedback(**item)
            return (answer.status, answer.json.get("duplicate", False)) if answer.status == 200 else answer.status

        self.assertEqual(fed(ticket=ticket, label=True), (200, False))
        self.assertEqual(fed(ticket=ticket, label=False), 409)
        self.assertEqual(fed(ticket=ticket, label=False, revise=True), (200, False))
        self.assertEqual(fed(ticket=ticket, label=False, revise=True), (200, True))
        self.assertEqual(fed(ticket=ticket, label=True), (200, True))  # the first one, sent again
        ticket = service.decide("last", features(1))["ticket"]
        for label, sequence, wanted in ((True, 2, False), (False, 1, True), (False, 3, False), (True, 2, True)):
            self.assertEqual(fed(ticket=ticket, label=label, sequence=sequence), (200, wanted))
        self.assertEqual(fed(ticket=ticket, label=True, sequence=3), 409)
        ticket = service.decide("sum", features(1))["ticket"]
        for label, part, wanted in ((2, "a", False), (3, "b", False), (2, "a", True)):
            self.assertEqual(fed(ticket=ticket, label=label, part=part), (200, wanted))
        self.assertEqual(fed(ticket=ticket, label=2), 422)
        self.assertEqual(fed(ticket=ticket, label=9, part="a"), 409)
        ticket = service.decide("timed", features(1), due=time.time() + 3600)["ticket"]
        self.assertEqual(fed(ticket=ticket, label=True), (200, False))
        self.assertEqual(fed(ticket=ticket, label=False, revise=True), (200, False))
        refused = service.ask("PUT", "/v1/models/n", {"set": {"type": "box", "dimension": 2, "lower": -1, "upper": 1},
                                                      "learner": {"type": "adagrad"}, "loss": "logistic", "revisable": 5})
        self.assertIn("These can: ", refused.json["error"]["message"])
        self.assert_replays(service, "m", "last", "sum", "timed")


class Kill(ServiceTest):
    def test_no_revision_is_lost_or_counted_twice(self):
        """One client that insists: what it said, in that order and once each, is what the service has learnt."""
        draw = random.Random(25)
        service = self.serve("--snapshot-every", "40")
        service.create("m", SPEC)
        said, open_rounds, labelled = [], [], {}

        def insist(path, body, headers=None):
            end = time.monotonic() + PATIENCE
            for attempt in range(1000):
                if draw.random() < 0.02:
                    service.kill()
                    service.start()
                try:
                    answer = service.ask("POST", path, body, headers)
                    if answer.status not in (409, 503) or b"in_flight" not in answer.body:
                        if draw.random() < 0.3 and attempt < 3:
                            continue  # as if it had not come
                        return answer
                except (OSError, http.client.HTTPException):
                    pass
                self.assertLess(time.monotonic(), end)
            raise AssertionError("no answer")

        for number in range(1, 220):
            answer = insist("/v1/models/m/decisions", {"features": features(number), "key": f"k{number}"})
            self.assert_status(answer, 200)
            said.append({"play": number, "key": f"k{number}", "features": features(number)})
            open_rounds.append(number)
            if draw.random() < 0.8:
                k = open_rounds.pop(draw.randrange(len(open_rounds)))
                labelled[k] = (k % 5 == 0, 1)
                self.assert_status(insist("/v1/feedback", {"model": "m", "key": f"k{k}", "label": k % 5 == 0}), 200)
                said.append({"label": f"k{k}", "value": k % 5 == 0})
            if labelled and draw.random() < 0.3:
                k = draw.choice(sorted(labelled))
                label, sequence = labelled[k]
                labelled[k] = (not label, sequence + 1)
                item = {"label": not label, "revise": True, "sequence": sequence + 1}
                self.assert_status(insist("/v1/feedback", {"model": "m", "key": f"k{k}"} | item), 200)
                said.append({"label": f"k{k}", "value": not label, "revise": True, "sequence": sequence + 1})
                if draw.random() < 0.3:  # the one before, late: it changes nothing
                    late = {"label": label} | ({"revise": True, "sequence": sequence} if sequence > 1 else {})
                    answer = service.ask("POST", "/v1/feedback", {"model": "m", "key": f"k{k}"} | late)
                    self.assertTrue(answer.json.get("duplicate"), answer)
        self.assertEqual(replayed_hash(log_of(SPEC, said)), service.hash("m"))
        self.assert_replays(service, "m")


if __name__ == "__main__":
    unittest.main()
