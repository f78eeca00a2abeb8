"""Personalizer's own addresses: statuses, bodies and errors that are theirs, through the same log as everything else."""

import json
import time
import unittest

from program import tarry
from service import PATIENCE, ServiceTest, dumped
from store_reader import Journal, read_entry

KEY = "Ocp-Apim-Subscription-Key"
SPEC = {"task": "choose", "reward": "number", "features": {"capacity": 64}}
WAITS = SPEC | {"expiry": {"seconds": 1, "then": {"label": 0}}}
ACTIONS = [{"id": "news", "features": [{"topic": "world", "length": {"words": 300}}]},
           {"id": "sport", "features": [{"topic": "ball"}]}, {"id": "film", "features": []}]
CONTEXT = [{"user": {"age": 31, "new": True, "tags": ["a", "b"]}}, {"day": "monday", "_note": 1, "action": "scroll"}]


class PersonalizerTest(ServiceTest):
    version = "v1.0"

    def menu(self, spec=SPEC, *options):
        service = self.serve(*options)
        service.create("menu", spec)
        return service

    def ask(self, service, path, body=None, key="menu", method="POST", version=None):
        headers = {KEY: key} if key else {}
        return service.ask(method, f"/personalizer/{version or self.version}/{path}", body, headers)

    def rank(self, service, status=201, **more):
        answer = self.ask(service, "rank", {"contextFeatures": CONTEXT, "actions": ACTIONS} | more)
        self.assert_status(answer, status)
        return answer.json

    def reward(self, service, event, value=1.0):
        answer = self.ask(service, f"events/{event}/reward", {"value": value})
        self.assertEqual((answer.status, answer.body), (204, b""))
        self.assertNotIn("content-length", answer.headers)

    def until_given_up(self, service, rounds):
        end = time.monotonic() + PATIENCE
        while service.model("menu")["outstanding"] > 0:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)
        self.assertEqual(service.model("menu")["rounds"], rounds)

    def assert_error(self, answer, status, code, said=""):
        self.assert_status(answer, status)
        error = answer.json["error"]
        self.assertEqual(error["code"], code)
        self.assertIn(said, error["message"])
        self.assertNotIn("\n", error["message"])


class Rank(PersonalizerTest):
    def test_the_answer_is_theirs(self):
        service = self.menu()
        for self.version in ("v1.0", "v1.1-preview.3"):
            answer = self.rank(service, eventId=f"e-{self.version}")
            self.assertEqual(set(answer), {"ranking", "eventId", "rewardActionId"})
            self.assertEqual(answer["eventId"], f"e-{self.version}")
            self.assertEqual(answer["ranking"][0]["id"], answer["rewardActionId"])
            self.assertEqual({each["id"] for each in answer["ranking"]}, {"news", "sport", "film"})
            self.assertAlmostEqual(sum(each["probability"] for each in answer["ranking"]), 1)
            self.reward(service, answer["eventId"])
        self.assertRegex(self.rank(service)["eventId"], r"\A[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\Z")
        state = service.model("menu")
        self.assertEqual((state["rounds"], state["settled"]), (3, 2))
        self.assert_replays(service, "menu")

    def test_features_have_names(self):
        service = self.menu()
        again = ACTIONS[:2] + [{"id": "film", "features": [{"a": 1}, {"a": 2, "sizes": [3, 4]}]}]
        self.rank(service, eventId="e", actions=again)
        self.assertEqual(service.stop(), 0)
        play = json.loads(dumped(service.folder, "menu").splitlines()[1])
        self.assertEqual(play["context"], {"user.age": 31, "user.new": True, "user.tags": ["a", "b"], "day": "monday",
                                           "context.action": "scroll"})
        self.assertEqual([each.get("features") for each in play["actions"]],
                         [{"topic": "world", "length.words": 300}, {"topic": "ball"}, {"a": 1, "a#2": 2, "sizes.0": 3, "sizes.1": 4}])

    def test_what_is_excluded_keeps_its_place(self):
        service = self.menu()
        for number in range(20):
            answer = self.rank(service, excludedActions=["news", "no such action"], eventId=f"e{number}")
            first, *others = answer["ranking"]
            self.assertEqual(first, {"id": "news", "probability": 0})
            self.assertEqual(others[0]["id"], answer["rewardActionId"])
            self.assertIn(answer["rewardActionId"], ("sport", "film"))
            self.assertEqual(self.rank(service, excludedActions=["sport"])["ranking"][1], {"id": "sport", "probability": 0})

    def test_the_same_event_is_the_same_answer(self):
        service = self.menu(SPEC, "--snapshot-every", "1")
        first = self.rank(service, eventId="e", excludedActions=["sport"])
        for number in range(9):
            self.reward(service, self.rank(service)["eventId"], number % 2)
        self.assertEqual(self.rank(service, eventId="e", excludedActions=["sport"]), first)
        service.kill()
        service.start()
        self.assertEqual(self.rank(service, eventId="e", excludedActions=["sport"]), first)
        other = self.ask(service, "rank", {"actions": ACTIONS, "eventId": "e"})
        self.assert_error(other, 409, "InvalidRankRequest", "with other features")
        self.assertEqual(service.model("menu")["rounds"], 10)
        self.assert_replays(service, "menu")

    def test_a_key_has_its_ranking_at_our_addresses_too(self):
        service = self.menu()
        body = {"context": {"x": 1}, "actions": ["a", "b"], "key": "k"}
        first = service.ask("POST", "/v1/models/menu/choices", body).json
        service.kill()
        service.start()
        again = service.ask("POST", "/v1/models/menu/choices", body).json
        self.assertEqual(again, first | {"answer": "duplicate"})


class Reward(PersonalizerTest):
    def test_the_first_counts(self):
        service = self.menu()
        self.rank(service, eventId="a/b c")
        self.reward(service, "a%2Fb%20c", 0.25)
        state = service.hash("menu")
        self.reward(service, "a%2Fb%20c", 0.25)
        self.reward(service, "a%2Fb%20c", 1)
        self.assertEqual(service.hash("menu"), state)
        self.assert_replays(service, "menu")

    def test_or_their_sum(self):
        service = self.menu(SPEC | {"labels": "sum", "revisable": {"seconds": 60}})
        self.rank(service, eventId="e")
        for value in (0.25, 0.25, 0.5):
            self.reward(service, "e", value)
        self.assert_replays(service, "menu")
        told = [json.loads(line) for line in dumped(service.folder, "menu").splitlines()[2:]]
        self.assertEqual([event["value"] for event in told], [0.25, 0.25, 0.5])
        self.assertEqual(len({event["part"] for event in told}), 3)

    def test_none_is_the_default_reward(self):
        service = self.menu(WAITS)
        self.rank(service, eventId="e")
        self.until_given_up(service, 1)
        self.reward(service, "e")  # too late: dropped, as it was there
        self.assertEqual(service.model("menu")["expired"], 1)
        self.assert_replays(service, "menu")


class Deferred(PersonalizerTest):
    def test_what_is_never_activated_teaches_nothing(self):
        service = self.menu(WAITS)
        for number in range(3):
            self.rank(service, eventId=f"e{number}", deferActivation=True)
        self.reward(service, "e1")
        service.kill()
        service.start()
        self.until_given_up(service, 3)
        state = service.model("menu")
        self.assertEqual((state["voided"], state["expired"], state["settled"]), (3, 0, 0))
        told = [line for line in dumped_while(self, service) if "label" in line or "expire" in line]
        self.assertEqual(told, [])

    def test_an_activation_lets_the_reward_through(self):
        service = self.menu(WAITS | {"expiry": {"seconds": 600, "then": {"label": 0}}}, "--snapshot-every", "2")
        for number in range(4):
            self.rank(service, eventId=f"e{number}", deferActivation=True)
        self.reward(service, "e0", 1)  # before
        self.reward(service, "e0", 0)  # and another one, which is dropped
        self.activate(service, "e1")
        self.activate(service, "e1")
        service.kill()
        service.start()
        self.activate(service, "e0")
        self.reward(service, "e1", 0.5)  # after
        self.activate(service, "e2")
        self.rank(service, eventId="shown")
        self.activate(service, "shown")  # it was not deferred
        state = service.model("menu")
        self.assertEqual((state["rounds"], state["settled"], state["outstanding"]), (5, 2, 3))
        service.kill()
        service.start()
        self.assertEqual(service.hash("menu"), state["hash"])
        self.reward(service, "e2", 1)  # it counts by now
        self.reward(service, "e3", 1)  # and this one does not
        self.assertEqual(service.model("menu")["settled"], 3)
        self.assert_replays(service, "menu")
        told = {event["label"]: event["value"] for event in map(json.loads, dumped(service.folder, "menu").splitlines()) if "label" in event}
        self.assertEqual(told, {1: 1, "e1": 0.5, "e2": 1})
        kinds = [read_entry(payload) for _, _, payload in Journal(service.folder / "journal").entries]
        self.assertEqual(sum("activate" in entry for entry in kinds), 3)
        self.assertEqual(sum(entry.get("deferred", False) for entry in kinds), 4)
        self.assertEqual(tarry("store", "check", str(service.folder)).returncode, 0)

    def test_a_wait_in_rounds_does_not_fit(self):
        service = self.menu(SPEC | {"expiry": {"rounds": 5, "then": {"label": 0}}})
        answer = self.ask(service, "rank", {"actions": ACTIONS, "deferActivation": True})
        self.assert_error(answer, 400, "InvalidRankRequest", "seconds, not for rounds")

    def activate(self, service, event):
        answer = self.ask(service, f"events/{event}/activate")
        self.assertEqual((answer.status, answer.body), (204, b""))


def dumped_while(test, service):
    test.assertEqual(service.stop(), 0)
    return dumped(service.folder, "menu").decode().splitlines()[1:]


class Wrong(PersonalizerTest):
    def test_input_that_is_wrong_changes_nothing(self):
        service = self.menu()
        self.rank(service, eventId="e")
        before = service.hash("menu")
        wrong = [({"actions": []}, "at least one action"), ({}, "actions"), ([], "object"), ({"actions": ["news"]}, "object"),
                 ({"actions": ACTIONS, "excludedActions": ["news", "sport", "film"]}, "must leave an action"),
                 ({"actions": [ACTIONS[0], ACTIONS[0]]}, '"news" came twice'), ({"actions": [{"features": []}]}, "id"),
                 ({"actions": ACTIONS, "contextFeatures": {"a": 1}}, "contextFeatures must be an array of objects"),
                 ({"actions": ACTIONS, "contextFeatures": [{"a": 1e200}]}, "a"), ({"actions": [{"id": "x" * 257}]}, "256"),
                 ({"actions": ACTIONS, "eventId": "x" * 257}, "eventId"), ({"actions": ACTIONS, "eventId": 7}, "eventId"),
                 ({"actions": ACTIONS, "deferActivation": "yes"}, "deferActivation"), (b'{"actions": NaN}', "JSON"), (b"", "JSON")]
        for body, said in wrong:
            self.assert_error(self.ask(service, "rank", body), 400, "InvalidRankRequest", said)
        for body in ({"value": None}, {}, {"value": "1"}, b'{"value": NaN}', {"value": True}, b"{", [1], {"value": 1e200}):
            self.assert_error(self.ask(service, "events/e/reward", body), 400, "InvalidRewardRequest")
        self.assert_error(self.ask(service, "events/none/reward", {"value": 1}), 404, "ResourceNotFound")
        self.assert_error(self.ask(service, "events/none/activate"), 404, "ResourceNotFound")
        self.assert_error(self.ask(service, "events/%zz/activate"), 400, "InvalidEventIdToActivate")
        for path in ("multislot/rank", "multislot/events/e/reward", "multislot/events/e/activate"):
            self.assert_error(self.ask(service, path, {}, version="v1.1-preview.3"), 400, "InvalidMultiSlotApiAccess")
        self.assert_error(self.ask(service, "evaluations", method="GET"), 404, "ResourceNotFound")
        self.assert_error(self.ask(service, "rank", method="GET"), 405, "OperationNotAllowed")
        self.assert_error(self.ask(service, "rank", {"actions": ACTIONS}, version="v2.0"), 404, "ResourceNotFound")
        self.assertEqual(service.hash("menu"), before)

    def test_models_that_are_not_there_or_do_not_choose(self):
        service = self.serve()
        service.create("clicks", {"task": "binary", "features": {"capacity": 64}})
        self.assert_error(self.ask(service, "rank", {"actions": ACTIONS}, key="none"), 404, "ResourceNotFound")
        self.assert_error(self.ask(service, "rank", {"actions": ACTIONS}, key="clicks"), 400, "InvalidRankRequest", "chooses")


class Keys(PersonalizerTest):
    def token(self, name, *words):
        done = tarry("token", "add", name, "--data", str(self.folder / "data"), *words)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout.decode().strip()

    def test_a_key_selects_its_model(self):
        admin = {"Authorization": "Bearer " + self.token("admin", "--scope", "admin,decide,feedback,read")}
        front, plain = self.token("front", "--model", "menu"), self.token("plain", "--scope", "decide")
        told = self.token("told", "--model", "menu", "--scope", "feedback")
        service = self.serve()
        self.assert_status(service.ask("PUT", "/v1/models/menu", SPEC, admin), 201)
        answer = self.ask(service, "rank", {"actions": ACTIONS, "eventId": "e"}, key=front)
        self.assert_status(answer, 201)
        self.assertEqual(self.ask(service, "events/e/reward", {"value": 1}, key=told).status, 204)
        for key in (None, "", "wrong", front + "x", "menu"):
            self.assert_error(self.ask(service, "rank", {"actions": ACTIONS}, key=key), 401, "401", "subscription key")
        self.assert_error(self.ask(service, "rank", {"actions": ACTIONS}, key=plain), 403, "OperationNotAllowed", "selects no model")
        self.assert_error(self.ask(service, "rank", {"actions": ACTIONS}, key=told), 403, "OperationNotAllowed", "scope decide")
        self.assert_error(self.ask(service, "configurations/service", {}, key=front, method="PUT"), 403, "OperationNotAllowed", "admin")
        # And it opens nothing else.
        for method, path in (("GET", "/v1/models/menu"), ("POST", "/v1/models/menu/choices"), ("POST", "/v1/feedback"), ("GET", "/metrics")):
            self.assertEqual(service.ask(method, path, {} if method == "POST" else None, {"Authorization": f"Bearer {front}"}).status, 403)
        listed = tarry("token", "list", "--data", str(self.folder / "data")).stdout.decode()
        self.assertRegex(listed, r"front +decide, feedback, read \(Personalizer: menu\)")
        self.assertEqual(service.stop(), 0)
        self.assertNotIn(front, "".join(service.said))

    def test_the_log_names_no_event(self):
        service = self.menu(SPEC, "--log-requests")
        self.rank(service, eventId="ann-smith")
        self.reward(service, "ann-smith")
        self.assertEqual(service.stop(), 0)
        self.assertNotIn("ann-smith", "".join(service.said))
        self.assertIn("/personalizer/v1.0/events/{eventId}/reward", "".join(service.said))


class Configuration(PersonalizerTest):
    GIVEN = {"rewardWaitTime": "PT10M", "defaultReward": 0.0, "rewardAggregation": "earliest", "explorationPercentage": 0.1,
             "modelExportFrequency": "PT5M", "logRetentionDays": -1}

    def put(self, service, **more):
        return self.ask(service, "configurations/service", self.GIVEN | more, method="PUT")

    def test_it_makes_the_model_and_is_told_again(self):
        service = self.serve()
        self.assert_error(self.ask(service, "configurations/service", method="GET"), 404, "ResourceNotFound")
        for _ in range(2):
            self.assert_status(self.put(service), 200)
        told = self.ask(service, "configurations/service", method="GET").json
        self.assertEqual({key: told[key] for key in self.GIVEN if key != "modelExportFrequency"},
                         {key: self.GIVEN[key] for key in self.GIVEN if key != "modelExportFrequency"} | {"rewardWaitTime": "PT600S"})
        spec = service.model("menu")["spec"]
        self.assertEqual(spec["expiry"], {"seconds": 600, "then": {"label": 0}})
        self.assertEqual(spec["choose"]["explore"]["epsilon"], 0.1)
        self.assert_status(self.ask(service, "configurations/service", told, method="PUT"), 200)
        self.assert_error(self.put(service, defaultReward=1.0), 409, "InvalidServiceConfiguration", "expiry")
        self.assert_error(self.put(service, defaultReward=1.0), 409, "InvalidServiceConfiguration", "nothing of a model's configuration can change")
        self.assertEqual(self.rank(service)["ranking"][0]["probability"], 1 - 0.1 * 2 / 3)

    def test_rewards_that_add_up(self):
        service = self.serve()
        self.assert_status(self.put(service, rewardAggregation="sum", rewardWaitTime="P1DT12H"), 200)
        self.assertEqual(service.model("menu")["spec"]["expiry"]["seconds"], 129600)
        self.assertEqual(self.ask(service, "configurations/service", method="GET").json["rewardAggregation"], "sum")

    def test_what_has_no_counterpart(self):
        service = self.serve()
        for more in ({"rewardAggregation": "mean"}, {"learningMode": "Apprentice"}, {"logRetentionDays": 90}, {"logMirrorEnabled": True},
                     {"isAutoOptimizationEnabled": True}, {"rewardWaitTime": "10 minutes"}, {"rewardWaitTime": "PT"}, {"rewardWaitTime": "PT0S"},
                     {"explorationPercentage": 2}, {"defaultReward": "none"}):
            self.assert_error(self.put(service, **more), 400, "InvalidServiceConfiguration")
        self.assertEqual(service.ask("GET", "/v1/models").json["models"], [])


if __name__ == "__main__":
    unittest.main()
