"""Names of features that a served model had never seen are counted and shown, with the name that was probably meant."""

import tempfile
import unittest

from program import ProgramTest
from service import Service

WARM_UP = 100  # rounds in which every name is new


class NewNames(ProgramTest):
    def setUp(self):
        self.service = Service(self.enterContext(tempfile.TemporaryDirectory()))
        self.addCleanup(self.service.kill)
        self.service.create("m", {"task": "binary"})
        self.play(WARM_UP, {"amount": 3.5, "city": "Paris"})

    def play(self, count, features):
        answer = self.service.ask("POST", "/v1/models/m/decisions", {"requests": [{"features": features}] * count})
        self.assertEqual(answer.status, 200, answer)

    def news(self):
        return self.service.model("m").get("new_names", [])

    def test_a_name_that_is_new_is_told_with_what_was_meant(self):
        self.assertEqual(self.news(), [])
        self.play(3, {"amuont": 3.5, "city": "Rome"})  # a word that is new is no new name
        self.play(1, {"weather": "wet"})
        typed, other = self.news()
        self.assertEqual((typed["name"], typed["round"], typed["rounds"], typed["like"]), ("amuont", WARM_UP + 1, 3, "amount"))
        self.assertLess(typed["seconds_ago"], 600)
        self.assertEqual((other["name"], other["round"], other["rounds"], other["like"]), ("weather", WARM_UP + 4, 1, None))
        told = self.service.ask("GET", "/v1/models/m/view").json["explained"]["new_names"]
        self.assertEqual(told, f"amuont is new since round {WARM_UP + 1}: did you mean amount?; weather is new since round {WARM_UP + 4}")

    def test_the_state_knows_nothing_of_it(self):
        self.play(1, {"amuont": 1})
        before = self.service.hash("m")
        self.service.kill()
        self.service.start()
        self.assertEqual(self.service.hash("m"), before)
        self.assertEqual(self.news(), [])  # known by now
        self.play(1, {"Amount": 1})
        self.assertEqual([(one["name"], one["like"]) for one in self.news()], [("Amount", "amount")])

    def test_only_some_are_kept(self):
        self.play(1, {f"feature_{i}": 1 for i in range(300)})
        self.assertEqual(len(self.news()), 20)


if __name__ == "__main__":
    unittest.main()
