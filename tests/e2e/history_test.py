"""Whole histories through the program: `tarry replay` of tarry-replay/2 logs, cut, saved, loaded and hashed."""

import json
import os
import random
import subprocess
import tempfile
import unittest
from pathlib import Path

from program import PROGRAM, TIMEOUT, ProgramTest, as_log, tarry
from same_bits_test import OLD_CPU

CAPACITY = {"capacity": 64}
TASKS = {
    "binary": {"task": "binary", "features": CAPACITY},
    "regression": {"task": "regression", "features": CAPACITY, "expiry": {"rounds": 9}},
    "classes": {"task": "classes", "features": CAPACITY, "classes": 4},
    "ratings": {"task": "ratings", "users": 6, "items": 5, "range": [1, 5]},
    "allocation": {"task": "allocation", "options": ["search", "social", "mail"]},
}


def header(model):
    return {"format": "tarry-replay/2", "model": TASKS[model] if isinstance(model, str) else model}


def history(task, rounds=30, seed=3):
    """Events of a task: keyed plays, late and repeated answers, some given up and some void."""
    draw = random.Random(seed)
    events, waiting = [], []
    for t in range(1, rounds + 1):
        x, city = round(draw.uniform(-1, 1), 3), draw.choice(["Paris", "Oslo", "Lima"])
        play = {"play": t, "key": f"k{t}"}
        if task == "ratings":
            play["features"] = {"user": draw.choice("abcd"), "item": draw.randint(1, 4)}
            answer = {"value": draw.randint(1, 5)}
        elif task == "allocation":
            answer = {"gradient": {"search": x, "mail": -x}}
        else:
            play["features"] = {"x": x, "city": city, "tags": ["a", "b"][: t % 3]}
            late = x + (city == "Oslo") > 0.4
            answer = {"value": {"binary": late, "regression": 100 + 7 * x, "classes": "late" if late else city}[task]}
        events.append(play)
        waiting.append(({"receive" if task == "allocation" else "label": f"k{t}" if t % 2 else t} | answer))
        if t % 7 == 0:
            events.append(dict(play))  # sent again, as it was
            events[-1]["play"] = t + 1
        if t % 11 == 0:
            events.append({"expire": t - 4})
            events.append({"void": f"k{t - 5}"})
        while len(waiting) > 6 or (waiting and draw.random() < 0.3):
            events.append(waiting.pop(draw.randrange(len(waiting))))
            if draw.random() < 0.2:
                events.append(events[-1])
    return events


def run(*arguments, stdin, **environment):
    return subprocess.run(arguments, input=stdin, capture_output=True, timeout=TIMEOUT, env=os.environ | environment)


class HistoryTest(ProgramTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def replays(self, model, *events, options=()):
        return [json.loads(x) for x in self.succeeds("replay", "-", *options, stdin=as_log(header(model), *events))]

    def hash_of(self, model, *events):
        return self.replays(model, *events, options=("--hash",))[-1]["hash"]


class Answers(HistoryTest):
    def test_binary_predicts_the_probability_of_true(self):
        events = []
        for t in range(1, 61):
            events += [{"play": t, "features": {"city": "Oslo" if t % 2 else "Lima"}}, {"label": t, "value": t % 2 == 1}]
        replies = self.replays("binary", *events)
        self.assertEqual([r["round"] for r in replies], list(range(1, 61)))
        self.assertEqual(replies[0], {"round": 1, "prediction": 0.5})
        self.assertGreater(replies[-2]["prediction"], 0.8)  # Oslo
        self.assertLess(replies[-1]["prediction"], 0.2)
        self.assertTrue(all(0 < r["prediction"] < 1 for r in replies))

    def test_regression_predicts_in_the_units_of_labels(self):
        events = []
        for t in range(1, 301):
            events += [{"play": t, "features": {"x": t % 5}}, {"label": t, "value": 1000 + 10 * (t % 5)}]
        replies = self.replays("regression", *events)
        self.assertAlmostEqual(replies[-1]["prediction"], 1000, delta=3)
        self.assertAlmostEqual(replies[-2]["prediction"], 1040, delta=3)

    def test_classes_are_named_with_scores_by_name(self):
        events = []
        for t in range(1, 41):
            events += [{"play": t, "features": {"city": f"c{t % 3}"}}, {"label": t, "value": f"class {t % 3}"}]
        replies = self.replays("classes", *events)
        self.assertEqual(replies[0], {"round": 1, "prediction": None, "scores": {}})
        self.assertEqual(list(replies[1]["scores"]), ["class 1"])
        self.assertEqual(replies[-1]["prediction"], "class 1")
        self.assertEqual(list(replies[-1]["scores"]), ["class 1", "class 2", "class 0"])
        self.assertEqual(max(replies[-1]["scores"], key=replies[-1]["scores"].get), "class 1")
        self.assertAlmostEqual(sum(replies[-1]["scores"].values()), 1, delta=1e-12)

    def test_ratings_learn_who_likes_what(self):
        events = []
        for t in range(1, 81):
            user = "kind" if t % 2 else "strict"
            events += [{"play": t, "features": {"user": user, "item": t % 3}},
                       {"label": t, "value": 5 if t % 2 else 1}]
        replies = self.replays("ratings", *events)
        self.assertGreater(replies[-2]["prediction"], 4)
        self.assertLess(replies[-1]["prediction"], 2)

    def test_an_allocation_is_over_its_options(self):
        events = []
        for t in range(1, 31):
            events += [{"play": t}, {"receive": t, "gradient": {"social": -1}}]
        replies = self.replays("allocation", *events)
        self.assertEqual(list(replies[-1]["allocation"]), ["search", "social", "mail"])
        self.assertEqual(list(replies[-1]["allocation"].values()), replies[-1]["decision"])
        self.assertGreater(replies[-1]["allocation"]["social"], 0.8)
        self.assertAlmostEqual(sum(replies[-1]["decision"]), 1, delta=1e-9)

    def test_a_route_is_drawn_for_each_play(self):
        edges = [[0, 1], [1, 3], [0, 2], [2, 3]]
        roads = {"type": "flow", "nodes": 4, "edges": edges, "source": 0, "sink": 3}
        model = {"set": roads, "learner": {"type": "delayed_ofw", "eta": 0.05, "sample": True, "seed": 5}}
        events = [{"play": 1}, {"receive": 1, "gradient": [9, 9, 0, 0]}]
        events += [{"play": t} for t in range(2, 402)]
        replies = self.replays(model, *events)
        routes = [tuple(r["sample"]["indices"]) for r in replies[1:]]
        self.assertEqual(set(routes), {(0, 1), (2, 3)})
        self.assertTrue(all(r["sample"]["values"] == [1, 1] for r in replies))
        self.assertAlmostEqual(routes.count((0, 1)) / 400, replies[-1]["decision"][0], delta=5 * 0.5 / 20)
        cut, state = 150, str(self.folder / "state")
        self.replays(model, *events[:cut], options=("--save", state))
        self.assertEqual(self.replays(model, *events[cut:], options=("--load", state)), replies[cut - 1:])
        plain = model | {"learner": {"type": "delayed_ofw", "eta": 0.05}}
        self.assertTrue(all("sample" not in r for r in self.replays(plain, *events)))

    def test_what_is_late_twice_unknown_or_given_up_is_answered(self):
        x = {"features": {"x": 1}}
        replies = self.replays(
            "binary", {"play": 1, "key": "a"} | x, {"play": 2, "key": "b"} | x, {"play": 3} | x, {"play": 4} | x,
            {"label": "a", "value": True}, {"label": "a", "value": True}, {"label": 1, "value": True},
            {"label": "z", "value": True}, {"label": 9, "value": False}, {"expire": "b"}, {"label": "b", "value": 1},
            {"void": 3}, {"label": 3, "value": 1}, {"expire": 3}, {"play": 5, "key": "a"} | x, {"label": 4, "value": 0})
        self.assertEqual(replies[4:], [
            {"key": "a", "answer": "duplicate"}, {"round": 1, "answer": "duplicate"},
            {"key": "z", "answer": "unknown"}, {"round": 9, "answer": "unknown"},
            {"key": "b", "answer": "expired"}, {"round": 3, "answer": "expired"}, {"round": 3, "answer": "expired"},
            {"round": 1, "prediction": 0.5, "answer": "duplicate"}])

    def test_rounds_given_up_by_count_answer_expired(self):
        model = TASKS["binary"] | {"expiry": {"rounds": 2, "then": {"label": False}}}
        events = [{"play": t, "features": {"x": 1}} for t in range(1, 40)]
        replies = self.replays(model, *events, {"label": 1, "value": True})
        self.assertEqual(replies[-1], {"round": 1, "answer": "expired"})
        self.assertLess(replies[-2]["prediction"], 0.2)


class States(HistoryTest):
    def test_a_log_cut_anywhere_is_the_whole(self):
        for task in TASKS:
            events = history(task)
            whole = self.succeeds("replay", "-", "--hash", stdin=as_log(header(task), *events))
            for cut in sorted({0, 1, len(events) // 3, len(events) // 2, len(events) - 1, len(events)}):
                with self.subTest(task=task, cut=cut):
                    state = str(self.folder / "state")
                    first = self.succeeds("replay", "-", "--save", state, stdin=as_log(header(task), *events[:cut]))
                    second = self.succeeds("replay", "-", "--load", state, "--hash",
                                           stdin=as_log(header(task), *events[cut:]))
                    self.assertEqual(first + second, whole)

    def test_saved_twice_the_same_bytes(self):
        for task in TASKS:
            log = as_log(header(task), *history(task))
            states = []
            for i in range(2):  # each run has its own addresses
                path = self.folder / f"{task}{i}"
                self.succeeds("replay", "-", "--save", str(path), stdin=log)
                states.append(path.read_bytes())
            self.assertEqual(states[0], states[1])
            self.succeeds("replay", "-", "--load", str(path), "--save", str(path), stdin=as_log(header(task)))
            self.assertEqual(path.read_bytes(), states[0])

    def test_an_old_cpu_gives_the_same_bytes(self):
        for task in TASKS:
            log, results = as_log(header(task), *history(task)), []
            for environment in ({}, OLD_CPU):
                path = self.folder / "state"
                done = run(PROGRAM, "replay", "-", "--hash", "--save", str(path), stdin=log, **environment)
                results.append((done.returncode, done.stdout, done.stderr, path.read_bytes()))
            self.assertEqual(results[0][0], 0)
            self.assertEqual(results[0], results[1], task)

    def test_a_task_is_its_expansion(self):
        for task, model in TASKS.items():
            path = self.folder / task
            self.succeeds("replay", "-", "--save", str(path), stdin=as_log(header(task)))
            state = path.read_bytes()  # "TARRYMDL", the format, then the engine and the specification with their lengths
            at = 24 + int.from_bytes(state[16:24], "little")
            expansion = json.loads(state[at + 8 : at + 8 + int.from_bytes(state[at : at + 8], "little")])
            self.assertNotIn("task", expansion)
            events = history(task)
            self.assertEqual(self.hash_of(expansion, *events), self.hash_of(model, *events))
            self.assertEqual(self.hash_of(dict(reversed(expansion.items())), *events), self.hash_of(model, *events))

    def test_another_history_has_another_hash(self):
        events = history("binary")
        self.assertNotEqual(self.hash_of("binary", *events), self.hash_of("binary", *events[:-1]))
        self.assertNotEqual(self.hash_of("binary", *events),
                            self.hash_of(TASKS["binary"] | {"expiry": {"rounds": 1000}}, *events))

    def test_a_state_of_another_model_is_refused(self):
        state = str(self.folder / "state")
        self.succeeds("replay", "-", "--save", state, stdin=as_log(header("binary")))
        other = TASKS["binary"] | {"features": {"capacity": 32}}
        done = tarry("replay", "-", "--load", state, stdin=as_log(header(other)))
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.decode(), "tarry: line 1: snapshot: of another model: set.dimension is 1090592 here "
                                               "and 4345920 in the snapshot\n")

    def test_a_damaged_state_is_refused(self):
        state = self.folder / "state"
        self.succeeds("replay", "-", "--save", str(state), stdin=as_log(header("binary"), *history("binary")))
        whole = state.read_bytes()
        for damaged in (b"", whole[:50], whole[:-1], whole[:100] + b"?" + whole[101:], whole + b"\n"):
            state.write_bytes(damaged)
            done = tarry("replay", "-", "--load", str(state), stdin=as_log(header("binary")))
            self.assertNotEqual(done.returncode, 0)
            self.assertRegex(done.stderr.decode(), r"\Atarry: [^\n]*snapshot: [^\n]+\n\Z")


class BadInput(HistoryTest):
    def test_a_bad_line_is_named_and_nothing_is_saved(self):
        x = {"features": {"x": 1}}
        good = [{"play": 1, "key": "a"} | x, {"play": 2} | x]
        for bad, says in (
            ({"play": 3, "key": "a", "features": {"x": 2}}, 'key "a" was played in round 1 with other features'),
            ({"play": 3, "key": ""} | x, "key must have 1 to 1024 bytes (0 came)"),
            ({"play": 7} | x, "play must be the next round, 3 (play = 7)"),
            ({"play": 3}, "features must come with the play"),
            ({"play": 3, "features": [1, 2]}, "features must be named"),
            ({"play": 3, "features": {"x": {"y": 1}}}, "features.x must be a number"),
            ({"play": 3, "features": {"x" * 1_000_000: 1}}, "at most 1024 bytes long"),
            ({"play": 3, "features": {"x": 1e200}}, "at most 1e100"),
            ('{"play": 3, "features": {"x": NaN}}', "not valid JSON"),
            ('{"play": 3, "features": {"x": 1, "x": 2}}', "twice"),
            ({"play": 3, "void": 1}, 'an event must be one thing ("play" and "void" came)'),
            ({"play": 3, "colour": 1} | x, 'unknown key "colour"'),
            ({"label": 1, "value": "late"}, "label must be a number, true or false (late came)"),
            ({"label": 1, "value": 7}, "label"),
            ({"label": 1, "value": True} | x, "features were given at play"),
            ({"receive": 1, "gradient": [1]}, "give the label"),
            ({"forget": 1}, "an event must have"),
        ):
            with self.subTest(says=says):
                state = self.folder / "state"
                done = tarry("replay", "-", "--save", str(state), stdin=as_log(header("binary"), *good, bad))
                self.assertEqual(done.returncode, 2)
                self.assertRegex(done.stderr.decode(), r"\Atarry: line 4: [^\n]{1,400}\n\Z")
                self.assertIn(says, done.stderr.decode())
                self.assertEqual(len(done.stdout.splitlines()), 2)
                self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_bad_header_is_line_1(self):
        for model, says in (({"task": "magic"}, "task must be one of"), ({"task": "binary", "x": 1}, 'unknown key "x"'),
                            ({"set": {"type": "simplex", "dimension": 2}}, "learner is missing"), (3, "model")):
            done = tarry("replay", "-", stdin=as_log(header(model)))
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr.decode(), r"\Atarry: line 1: [^\n]+\n\Z")
            self.assertIn(says, done.stderr.decode())

    def test_a_state_that_cannot_be_written_is_an_error(self):
        done = tarry("replay", "-", "--save", str(self.folder / "none" / "state"), stdin=as_log(header("binary")))
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr.decode(), r"\Atarry: [^\n]*cannot be written[^\n]*\n\Z")
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
