"""Models that choose: the same at every door, and through a kill."""

import json
import tempfile
import unittest
from pathlib import Path

from program import log_of, replay, tarry
from service import ServiceTest, dumped

SPEC = {"task": "choose", "features": {"capacity": 64}}
ACTIONS = ["ice", {"id": "soup", "features": {"price": 3}}, {"id": "tea"}]


class Choose(ServiceTest):
    def choose(self, service, **body):
        answer = service.ask("POST", "/v1/models/menu/choices", {"context": {"weather": "sun"}, "actions": ACTIONS} | body)
        self.assert_status(answer, 200)
        return answer.json

    def test_replay(self):
        play = {"play": True, "context": {"weather": "sun"}, "actions": ACTIONS, "key": "a"}
        first, again = replay(SPEC, [play, {"label": 1, "value": True}, play])
        self.assertEqual([each["id"] for each in first["ranking"]], ["ice", "soup", "tea"])
        self.assertAlmostEqual(sum(each["probability"] for each in first["ranking"]), 1)
        self.assertEqual((again["action"], again["probability"], again["answer"]),
                         (first["action"], first["probability"], "duplicate"))
        done = tarry("replay", "-", stdin=log_of(SPEC, [play | {"exclude": ["cake"]}]))
        self.assertEqual((done.returncode, done.stderr.decode()),
                         (2, 'tarry: line 2: exclude must name an action ("cake" came)\n'))

    def test_http(self):
        service = self.serve()
        service.create("menu", SPEC)
        first = self.choose(service, key="a")
        self.assertEqual(service.feedback(ticket=first["ticket"], reward=True).status, 200)
        for number in range(30):
            chosen = self.choose(service, exclude=["tea"] if number % 3 == 0 else [])
            self.assertEqual(service.feedback(ticket=chosen["ticket"], reward=chosen["action"] == "soup").status, 200)
        shown = self.choose(service, shown={"id": "ice", "probability": 0.5})
        self.assertEqual(shown["shown"], "ice")
        service.kill()
        service.start()
        again = self.choose(service, key="a")
        for name in ("action", "probability", "ticket"):
            self.assertEqual(again[name], first[name])
        many = service.ask("POST", "/v1/models/menu/choices", {"requests": [{"actions": ["a", "b"]}, {"actions": ["a", "a"]}]})
        self.assertIn(many.json["results"][0]["action"], ("a", "b"))
        self.assertEqual(many.json["results"][1]["error"]["message"], 'actions must have different ids ("a" came twice)')
        self.assert_replays(service, "menu")

    def test_an_apprentice(self):
        """The same figures over HTTP, and of a model that was saved."""
        service = self.serve()
        service.create("menu", SPEC)
        plays, agreed = [], 0
        for number in range(40):
            shown = {"id": "ice" if number % 4 else "soup", "probability": 0.75 if number % 4 else 0.25}
            chosen = self.choose(service, shown=shown)
            agreed += chosen["action"] == shown["id"]
            self.assertEqual(service.feedback(ticket=chosen["ticket"], reward=number % 4 == 0).status, 200)
            plays += [{"play": number + 1, "context": {"weather": "sun"}, "actions": ACTIONS, "shown": shown},
                      {"label": number + 1, "value": number % 4 == 0}]
        told = service.ask("GET", "/v1/models/menu").json["apprentice"]
        self.assertEqual((told["shown"], told["agreed"], told["judged"], told["as_shown"]), (40, agreed, 40, 0.25))
        self.assertLess(told["ips"]["low"], told["ips"]["value"])
        with tempfile.TemporaryDirectory() as folder:
            saved = str(Path(folder) / "menu.tarry")
            self.assertEqual(tarry("replay", "-", "--save", saved, stdin=log_of(SPEC, plays)).returncode, 0)
            explained = tarry("explain", saved, "--json")
            self.assertEqual(json.loads(explained.stdout)["apprentice"], told, explained.stderr)
            self.assertIn(f"agrees in {agreed} of 40 rounds", tarry("explain", saved).stdout.decode())

    def test_what_a_service_chose_can_be_judged(self):
        service = self.serve()
        service.create("menu", SPEC)
        for number in range(40):
            chosen = self.choose(service)
            self.assertEqual(service.feedback(ticket=chosen["ticket"], reward=number % 4 == 0).status, 200)
        self.assertEqual(service.stop(), 0)
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "menu.jsonl"
            log.write_bytes(dumped(service.folder, "menu"))
            done = tarry("run", str(log), "--out", folder)
            self.assertEqual(done.returncode, 0, done.stderr.decode()[-300:])
            judged = {one["policy"]: one for one in json.loads((Path(folder) / "summary.json").read_text())["evaluations"]}
        self.assertEqual(judged["as logged"]["ips"]["value"], 0.25)
        self.assertEqual(judged["as logged"]["effective_rounds"], 40)
        self.assertIsNotNone(judged["uniform"]["dr"]["low"], "all probabilities are known again")

    def test_what_is_wrong_changes_nothing(self):
        service = self.serve()
        service.create("menu", SPEC)
        service.create("plain", {"task": "binary", "features": {"capacity": 64}})
        before = service.hash("menu")
        wrong = [{"actions": []}, {}, {"actions": ACTIONS, "exclude": ["ice", "soup", "tea"]}, {"actions": ["a", "a"]},
                 {"actions": ["a"], "shown": "b"}, {"actions": ["a"], "shown": {"id": "a", "probability": 0}},
                 {"actions": ["a"], "shown": {"id": "a", "probability": 1.5}}, {"actions": [1]}, {"actions": ["a"], "features": {}}]
        for body in wrong:
            answer = service.ask("POST", "/v1/models/menu/choices", body)
            self.assertIn(answer.status, (400, 409, 422), body)
            self.assertEqual(answer.json["error"]["message"].count("\n"), 0)
        self.assertEqual(service.ask("POST", "/v1/models/menu/decisions", {"features": {"x": 1}}).status, 422)
        self.assertEqual(service.ask("POST", "/v1/models/plain/choices", {"actions": ["a"]}).status, 422)
        self.assertEqual(service.hash("menu"), before)

    def test_what_was_shown_is_known_with_the_reward(self):
        """One call, the same at every door: over HTTP, by ticket and by key, in the log, and played again."""
        service = self.serve()
        service.create("menu", SPEC)
        plays = []
        for number in range(40):
            chosen = self.choose(service, exclude=["tea"], key=f"visit-{number}")
            shown = {"id": "tea" if number % 2 else "soup", "probability": 0.5} | ({} if number % 2 else {"features": {"price": 3}})
            named = {"ticket": chosen["ticket"]} if number % 4 < 2 else {"model": "menu", "key": f"visit-{number}"}
            told = named | {"reward": number % 2 == 1, "shown": shown}
            self.assertEqual(service.feedback(**told).status, 200)
            self.assertTrue(service.feedback(**told).json["duplicate"])
            plays += [{"play": number + 1, "context": {"weather": "sun"}, "actions": ACTIONS, "exclude": ["tea"], "key": f"visit-{number}"},
                      {"label": number + 1, "value": number % 2 == 1, "shown": shown}]
        rewards = {each["id"]: each["reward"] for each in self.choose(service)["ranking"]}
        self.assertGreater(rewards["tea"], 0.8)
        self.assertLess(rewards["soup"], 0.2)
        state = service.model("menu")
        self.assertEqual((state["voided"], state["settled"], state["apprentice"]["shown"]), (0, 40, 40))
        self.assertEqual(state["compared"]["rounds"], 40)
        self.assertEqual(state["compared"]["earned"]["value"], 0.5)
        plays.append({"play": 41, "context": {"weather": "sun"}, "actions": ACTIONS})
        again = tarry("replay", "-", "--hash", stdin=log_of(SPEC, plays))
        self.assertEqual(json.loads(again.stdout.splitlines()[-1])["hash"], service.hash("menu"), again.stderr)
        service.kill()
        service.start()
        self.assertEqual(service.hash("menu"), json.loads(again.stdout.splitlines()[-1])["hash"])
        wrong = service.ask("POST", "/v1/feedback", {"model": "menu", "key": "visit-1", "void": True, "shown": "tea"})
        self.assertEqual(wrong.status, 400)
        self.assert_replays(service, "menu")

    def test_what_simple_rules_would_have_earned(self):
        """The same figures on the model's page, in its description, and of a model that was saved."""
        service = self.serve()
        service.create("menu", SPEC)
        for number in range(60):
            chosen = self.choose(service)
            self.assertEqual(service.feedback(ticket=chosen["ticket"], reward=chosen["action"] == "soup").status, 200)
        told = service.model("menu")["compared"]
        self.assertEqual(told["rounds"], 60)
        self.assertEqual(told["always"][0]["id"], "soup")
        self.assertLess(told["uniform"]["dr"]["low"], 1 / 3)
        self.assertGreater(told["uniform"]["dr"]["high"], 1 / 3)
        soup = told["always"][0]
        self.assertTrue(1 / 3 < soup["dr"]["low"] < 1 <= soup["dr"]["high"], soup)
        self.assertEqual(told["exploration"]["rounds"], 60)
        self.assertTrue(0 < told["exploration"]["lately"]["share"] < 1)
        self.assertEqual(service.ask("GET", "/v1/models/menu/view").json["compared"], told)
        with tempfile.TemporaryDirectory() as folder:
            saved = Path(folder) / "menu.tarry"
            saved.write_bytes(service.ask("GET", "/v1/models/menu/snapshot").body)
            explained = tarry("explain", str(saved), "--json")
            self.assertEqual(json.loads(explained.stdout)["compared"], told, explained.stderr)
            text = tarry("explain", str(saved)).stdout.decode()
            self.assertIn("60 rounds that are over earned", text)
            self.assertIn("always soup: ", text)
            self.assertRegex(text, r"exploration +gives up 0\.\d+ \([\d.]+ %\) of the predicted reward a round, lately 0\.")


if __name__ == "__main__":
    unittest.main()
