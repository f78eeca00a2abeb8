"""`tarry explain`: what a specification stands for, and what it costs; `tarry tasks`, whose examples it explains."""

import hashlib
import json
import random
import tempfile
import unittest
from pathlib import Path

from program import ProgramTest, examples, listed

GAME = {"set": {"type": "l2_ball", "dimension": 3, "radius": 2}, "learner": {"type": "delayed_ofw", "eta": 0.1}}


class Explain(ProgramTest):
    def explained(self, spec, *more):
        given = spec if isinstance(spec, str) else json.dumps(spec)
        lines = self.succeeds("explain", given, "--json", *more)
        self.assertEqual(len(lines), 1)
        return json.loads(lines[0])

    def test_a_task_by_its_name_alone(self):
        told = self.explained("binary")
        self.assertEqual(told, self.explained({"task": "binary"}))
        self.assertEqual(told["spec"]["loss"], {"type": "logistic"})
        self.assertEqual(told["dimension"], 262144 + 1024**2 + 1024 * 256 + 64 * 1024 * 32 + 64**2 * 1024)
        self.assertEqual(told["learners"], 29)
        self.assertEqual(told["banks"], ["the features", "products of the first 1024", "numbers that bend, of the first 1024", "boosted trees, and mixtures with them"])
        self.assertEqual(told["update"], "for each of its learners the features' non-zeros, their products and bends")
        self.assertEqual(self.explained({"task": "binary", "bends": False})["learners"], 16)

    def test_files_of_json_and_toml_and_json_itself(self):
        with tempfile.TemporaryDirectory() as folder:
            plain, toml = Path(folder, "model.json"), Path(folder, "model.toml")
            plain.write_text(json.dumps(GAME))
            toml.write_text('[set]\ntype = "l2_ball"\ndimension = 3\nradius = 2.0\n'
                            '[learner]\ntype = "delayed_ofw"\neta = 0.1\n')
            told = self.explained(GAME)
            self.assertEqual(self.explained(str(plain)), told)
            self.assertEqual(self.explained(str(toml)), told)

    def test_models_that_count_seconds_or_cap_probabilities_are_explained(self):
        for spec in ('{"task": "binary", "revisable": {"seconds": 2592000}}',
                     '{"task": "choose", "explore": {"type": "gaps", "cap": 0.4}}'):
            self.assertIn("a waiting round", "\n".join(self.succeeds("explain", spec)), spec)

    def test_a_default_label_is_no_larger_than_labels_may_be(self):
        self.fails("explain", '{"task": "regression", "expiry": {"rounds": 2, "then": {"label": 1e60}}}', says="label must be at most 1e45")

    def test_a_saved_model_says_what_it_knows_about_waiting(self):
        """Labels "yes" come ten times as late as "no"; a window says nothing here."""
        draw = random.Random(3)
        lines, coming = [{"format": "tarry-replay/2", "model": {"task": "binary", "features": {"capacity": 16}, "expiry": {"rounds": 900}}}], {}
        for t in range(1, 2001):
            x, yes = draw.gauss(0, 1), draw.random() < 0.4
            lines.append({"play": t, "features": {"x": x}})
            coming.setdefault(t + int(draw.expovariate(1 / (150 if yes else 15))), []).append({"label": t, "value": yes})
            lines += coming.pop(t, [])
        with tempfile.TemporaryDirectory() as folder:
            log, model = Path(folder, "log.jsonl"), Path(folder, "my.tarry")
            log.write_text("".join(json.dumps(line) + "\n" for line in lines))
            self.succeeds("replay", str(log), "--save", str(model))
            told, text = self.explained(str(model)), "\n".join(self.succeeds("explain", str(model)))
            cut = Path(folder, "cut.tarry")
            cut.write_bytes(model.read_bytes()[:-9])
            self.fails("explain", str(cut), says="cut.tarry: snapshot: ")
        self.assertEqual(told["spec"]["expiry"], {"rounds": 900, "then": "drop"})
        waiting = told["waiting"]
        self.assertEqual(waiting["rounds"], 2000)
        self.assertEqual(waiting["answered"] + waiting["open"] + waiting["given_up"], 2000)
        self.assertEqual(sum(age["open"] for age in waiting["by_age"]), waiting["open"])
        clock, = waiting["believed"]
        self.assertEqual((clock["ages"], clock["from"]), ("rounds", "labels"))
        no, yes = clock["classes"]
        self.assertEqual((no["class"], yes["class"]), ("no", "yes"))
        self.assertGreater(yes["half"], 5 * no["half"])
        at = clock["age"].index(96)
        self.assertGreater(yes["open"][at], no["open"][at] + 0.3)
        self.assertGreater(waiting["moves"], 100)
        self.assertRegex(waiting["late"][0], '^labels of "yes" come later: half of them within about [0-9]+ rounds')
        self.assertRegex(text, r"(?m)^window +900 rounds; then a round is given up$")
        self.assertRegex(text, r'(?m)^waiting +labels of "yes" come later')
        self.assertRegex(text, r"(?m)^ +targets of open rounds have moved [0-9,]+ times, [0-9.]+ a round, by [0-9.]+ of probability on average$")
        self.assertRegex(text, r"(?m)^still open after +rounds +no +yes +all +got that old$")

    def test_a_saved_model_names_features_that_may_be_typing_errors(self):
        """x1 and x2 differ by a letter, and are no errors: both are in every round. Nor is a rare name that is like no other."""
        lines = [{"format": "tarry-replay/2", "model": {"task": "binary", "features": {"capacity": 64}}}]
        for t in range(1, 201):
            name = "amuont" if t in (150, 170, 171) else "amount"
            rare = {"weather": "wet"} if t == 160 else {}
            lines.append({"play": t, "features": {"x1": t % 7, "x2": t % 5, name: t % 11, "city": ["Paris", "Rome"][t % 2], **rare}})
        with tempfile.TemporaryDirectory() as folder:
            log, model = Path(folder, "log.jsonl"), Path(folder, "my.tarry")
            for rounds, wanted in ((200, [{"name": "amuont", "like": "amount", "rounds": 3, "of": 200}]), (149, None)):
                log.write_text("".join(json.dumps(line) + "\n" for line in lines[:rounds + 1]))
                self.succeeds("replay", log, "--save", model)
                self.assertEqual(self.explained(str(model)).get("rare_names"), wanted)
                said = "\n".join(self.succeeds("explain", model))
                self.assertEqual("a rare name       amuont, in 3 of 200 rounds: did you mean amount?" in said, wanted is not None, said)

    def test_geometry(self):
        told = self.explained(GAME)
        self.assertEqual((told["dimension"], told["diameter"], told["can_project"]), (3, 4, True))
        self.assertEqual(told["strong_convexity"], 0.5)
        self.assertNotIn("strong_convexity", self.explained("binary"))

    def test_the_text_begins_with_the_whole_specification(self):
        for spec in ("binary", "ratings", json.dumps(GAME)):
            text = "\n".join(self.succeeds("explain", spec))
            told = self.explained(spec)
            self.assertEqual(json.loads(text.split("\n\n")[0]), told["spec"])
            self.assertIn(told["fingerprint"], text)

    def test_the_fingerprint_is_of_the_canonical_text(self):
        told = self.explained(GAME)
        text = json.dumps(told["spec"]).encode()
        self.assertEqual(told["fingerprint"], hashlib.sha256(text).hexdigest()[:16])
        turned = {key: dict(reversed(GAME[key].items())) for key in ("learner", "set")}
        turned["set"]["radius"] = 2.0
        self.assertEqual(self.explained(turned)["fingerprint"], told["fingerprint"])
        changed = GAME | {"learner": {"type": "delayed_ofw", "eta": 0.2}}
        self.assertNotEqual(self.explained(changed)["fingerprint"], told["fingerprint"])

    def test_a_waiting_round_is_what_the_ledger_keeps(self):
        self.assertEqual(self.explained(GAME)["waiting_round"], {"features": 0, "bytes": 16, "memo": 0})
        # Ten features by number: an index and a value each.
        told = self.explained(GAME | {"set": {"type": "l2_ball", "dimension": 50, "radius": 2}, "loss": "squared"})
        self.assertEqual(told["waiting_round"], {"features": 10, "bytes": 16 + 10 * 16, "memo": 0})

    def test_update_costs(self):
        ofw = {"type": "delayed_ofw", "eta": 0.1}
        ball = {"type": "l1_ball", "dimension": 1 << 40, "radius": 1}
        for set_spec, learner, words in (
                (GAME["set"], ofw, "one oracle call and a pass over 3 coordinates"),
                (ball, ofw, "one oracle call, the gradient's non-zeros and the atoms in the decision"),
                (ball, ofw | {"oracle_calls": 3}, "up to 3 oracle calls, the gradient's non-zeros and the atoms in the decision"),
                ({"type": "nuclear_ball", "rows": 1000, "cols": 1000, "radius": 1}, ofw,
                 "one oracle call, a top singular pair by products with the rows and columns seen"),
                (GAME["set"], ofw | {"sample": True},
                 "one oracle call and a pass over 3 coordinates; the weights of the vertices kept"),
                (GAME["set"], {"type": "delayed_ospf", "setting": "linear", "gradient_bound": 1},
                 "one oracle call and 3 random numbers"),
                (GAME["set"], {"type": "delayed_ogd", "eta": 0.1}, "one projection of 3 coordinates"),
                (GAME["set"], {"type": "gauge_ftrl", "light": True}, "the gradient's non-zeros"),
                (GAME["set"], {"type": "hedge", "learners": [ofw, {"type": "stay"}, ofw]},
                 "2 × one oracle call and a pass over 3 coordinates")):
            with self.subTest(set=set_spec, learner=learner):
                self.assertEqual(self.explained({"set": set_spec, "learner": learner})["update"], words)
        self.assertNotIn("update", self.explained(GAME | {"initial": [1, 0, 0]}))
        ospf = {"type": "delayed_ospf", "horizon": 100, "gradient_bound": 1}
        self.assertNotIn("update", self.explained(GAME | {"learner": ospf}))

    def test_bounds_where_the_theorem_speaks_of_the_horizon(self):
        self.assertNotIn("bound", self.explained(GAME))
        tuned = GAME | {"learner": {"type": "delayed_ofw", "horizon": 10**8, "gradient_bound": 3}}
        bound = self.explained(tuned, "--horizon", "1e8", "--gradient-bound", "3")["bound"]
        self.assertEqual((bound["rounds"], bound["gradient_bound"], bound["trivial"]), (1e8, 3, 1e8 * 3 * 4))
        self.assertLess(bound["regret"], bound["trivial"])
        self.assertIn("convex", bound["holds"])
        drawn = GAME | {"learner": {"type": "delayed_ospf", "setting": "linear", "gradient_bound": 1}}
        bound = self.explained(drawn, "--horizon", "10000")["bound"]
        self.assertAlmostEqual(bound["regret"], 2 * 4 * (0.75 * 5000) ** 0.5, places=6)  # 2DG√(c_n Q)
        self.assertIn("linear losses", bound["holds"])
        for learner in ({"type": "auto"}, {"type": "stay"}, {"type": "gauge_ftrl"}):
            self.assertNotIn("bound", self.explained(GAME | {"learner": learner}, "--horizon", "1000"))
        self.assertIn("says nothing yet", "\n".join(self.succeeds("explain", json.dumps(tuned), "--horizon", "10")))

    def test_what_is_too_large_is_left_out(self):
        box = {"type": "box", "dimension": 1 << 38, "lower": -1, "upper": 1}
        for set_spec, learner in ((box, {"type": "adagrad"}), (box, {"type": "delayed_ogd", "eta": 1}),
                                  (GAME["set"] | {"dimension": 1 << 34}, {"type": "delayed_ogd", "eta": 1})):
            told = self.explained({"set": set_spec, "learner": learner})
            self.assertEqual(told["spec"]["set"], set_spec)
            self.assertNotIn("waiting_round", told)

    def test_wrong_input(self):
        for given, says in (("binry", ["binry", "neither a file nor a task", "ratings"]),
                            ("allocation", ["options"]),
                            ("no/such.json", ["no/such.json", "No such file"]),
                            ('{"task": "binary", "seed": 1}', ["seed"]),
                            ('{"task": 3}', ["task"]),
                            ('{"set": {"type": "cube"}, "learner": {"type": "auto"}}', ["cube"]),
                            ("{", ["JSON"])):
            with self.subTest(given=given):
                self.fails("explain", given, says=says)


class Tasks(ProgramTest):
    def test_every_example_can_be_explained(self):
        self.assertEqual([entry["name"] for entry in listed("tasks")],
                         ["regression", "binary", "classes", "choose", "ratings", "allocation"])
        for example in examples("tasks"):
            with self.subTest(example=example):
                small = example if example["task"] != "classes" or "classes" in example else example | {"classes": 3}
                told = json.loads(self.succeeds("explain", json.dumps(small), "--json")[0])
                self.assertGreater(told["waiting_round"]["bytes"], 0)
                self.assertIn("update", told)


if __name__ == "__main__":
    unittest.main()
