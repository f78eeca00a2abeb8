"""`tarry replay`: recorded games from files and pipes, and games played one line at a time."""

import json
import math
import subprocess
import unittest

from program import PROGRAM, ROOT, TIMEOUT, ProgramTest, as_log, examples, gradients, header, tarry

GAMES = ROOT / "tests" / "golden" / "games"
ROBIN = sorted(path.name.removesuffix(".log.jsonl") for path in GAMES.glob("robin-*.log.jsonl"))
EXAMPLE = ROOT / "examples" / "replay" / "late_gradients.jsonl"


class Replay(ProgramTest):
    def expect_recorded(self, lines, name):
        recorded = (GAMES / f"{name}.expected.jsonl").read_text().splitlines()
        self.assertEqual(len(lines), len(recorded))
        for line, wanted in zip(map(json.loads, lines), map(json.loads, recorded)):
            self.assertEqual(list(line), ["round", "decision"])
            self.assertEqual(line["round"], wanted["round"])
            self.assertEqual(len(line["decision"]), len(wanted["decision"]))
            for x, y in zip(line["decision"], wanted["decision"]):
                self.assertAlmostEqual(x, y, delta=1e-9)

    def test_plays_a_file(self):
        for name in ("ofw-simplex-heavy", "ofwsc-nuclear_ball-lifo", "ospf-lp_ball-lifo", "gauge-l2_ball-heavy",
                     "dogd-box-uniform", "dogdsc-simplex-fixed7", "bold-l1_ball-heavy", *ROBIN):
            self.expect_recorded(self.succeeds("replay", str(GAMES / f"{name}.log.jsonl")), name)

    def test_every_kind_of_learner_is_recorded(self):
        recorded = set()
        for log in GAMES.glob("*.log.jsonl"):
            with log.open() as lines:
                recorded.add(json.loads(lines.readline())["learner"]["type"])
        # Newer than the recordings: checked against plain ones in tests/unit and tests/e2e.
        unrecorded = {"box_ftrl", "box_ftrl_sc", "adagrad", "patient", "per_block", "stay", "running_share", "delayed_eg",
                      "hedge", "auto", "delayed_mfw", "delayed_bandit_ofw", "infeasible_ogd"}
        self.assertEqual(recorded, {learner["type"] for learner in examples("learners")} - unrecorded)

    def test_plays_standard_input(self):
        log = (GAMES / "ofw-box-uniform.log.jsonl").read_bytes()
        self.expect_recorded(self.succeeds("replay", "-", stdin=log), "ofw-box-uniform")

    def test_line_ends_and_blank_lines_do_not_matter(self):
        name = "ofwsc-l1_ball-fixed7"
        log = (GAMES / f"{name}.log.jsonl").read_bytes()
        plain = self.succeeds("replay", "-", stdin=log)
        self.expect_recorded(plain, name)
        for other in (log.replace(b"\n", b"\r\n"), b"\n \t\n" + log.replace(b"\n", b"\n\n\r\n"), log.rstrip(b"\n")):
            self.assertEqual(self.succeeds("replay", "-", stdin=other), plain)

    def test_a_header_alone_is_a_game_of_no_rounds(self):
        self.assertEqual(self.replays(header()), [])

    def test_sparse_gradients_are_dense_ones_with_zeros_left_out(self):
        dense = self.replays(header(), {"play": 1}, {"receive": 1, "gradient": [0, 2, -3]}, {"play": 2})
        sparse = self.replays(header(), {"play": 1}, {"receive": 1, "indices": [2, 1], "values": [-3, 2]}, {"play": 2})
        self.assertEqual(dense, sparse)
        self.assertNotEqual(dense[0]["decision"], dense[1]["decision"])

    def test_an_empty_sparse_gradient_is_zero(self):
        played = self.replays(header(), {"play": 1}, {"receive": 1, "indices": [], "values": []}, {"play": 2})
        self.assertEqual(played[1]["decision"], [0, 0, 0])

    def test_starts_where_it_is_told(self):
        self.assertEqual(self.replays(header(initial=[0.5, -1, 0]), {"play": 1})[0]["decision"], [0.5, -1, 0])

    def test_initial_may_be_outside_by_rounding(self):
        self.replays(header(initial=[2 + 1e-9, 0, 0]), {"play": 1})

    def test_numbers_survive_to_the_last_bit(self):
        start = [0.1, 1 / 3, 5e-324]
        self.assertEqual(self.replays(header(initial=start), {"play": 1})[0]["decision"], start)
        dense = {"type": "delayed_ofw", "eta": 1, "storage": "dense"}
        negative_zero = self.replays(header(learner=dense, initial=[-0.0, 1, 0]), {"play": 1})[0]["decision"][0]
        self.assertEqual(math.copysign(1, negative_zero), -1)

    def test_keys_may_come_in_any_order(self):
        turned = dict(reversed(header().items()))
        self.assertEqual(self.replays(turned, {"play": 1})[0]["decision"], [0, 0, 0])

    def test_decisions_before_a_bad_line_are_printed(self):
        done = self.refuses(header(), {"play": 1}, {"play": 2}, {"play": 9}, {"play": 3}, says="line 4")
        self.assertEqual([json.loads(line)["round"] for line in done.stdout.splitlines()], [1, 2])

    def test_summary(self):
        text = "\n".join(self.succeeds("replay", "--summary", str(EXAMPLE)))
        for part in ("set ", "learner ", "60 played, 55 answered, 5 still outstanding", "14 at most",
                     "all 60 decisions lie in the set"):
            self.assertIn(part, text)

    def test_summary_of_no_rounds(self):
        text = "\n".join(self.succeeds("replay", "-", "--summary", stdin=as_log(header())))
        self.assertIn("0 played", text)

    def test_the_same_log_gives_the_same_bytes(self):
        path = str(GAMES / "ofw-nuclear_ball-heavy.log.jsonl")
        self.assertEqual(self.succeeds("replay", path), self.succeeds("replay", path))


class Interactive(ProgramTest):
    """A program that reads each decision before it writes the next line must never wait for more than that."""

    def setUp(self):
        self.game = subprocess.Popen([PROGRAM, "replay", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE)
        self.addCleanup(self.end)

    def end(self):
        self.game.kill()
        self.game.communicate()

    def say(self, line):
        self.game.stdin.write(as_log(line))
        self.game.stdin.flush()

    def play(self, t):
        self.say({"play": t})
        answer = json.loads(self.game.stdout.readline())
        self.assertEqual(answer["round"], t)
        return answer["decision"]

    def test_each_decision_comes_before_the_next_line(self):
        self.say(header())
        for t in range(1, 50):
            decision = self.play(t)
            self.assertLessEqual(sum(map(abs, decision)), 2 + 1e-9)
            if t > 3:  # the gradient of (x - 0.4)² / 2 at a point three rounds old
                self.say({"receive": t - 3, "gradient": [x - 0.4 for x in decision]})
        self.assertNotEqual(decision, [0, 0, 0])
        _, errors = self.game.communicate(timeout=TIMEOUT)
        self.assertEqual((self.game.returncode, errors), (0, b""))

    def test_a_line_in_pieces_is_one_line(self):
        self.say(header())
        for piece in (b'{"pl', b'ay"', b": 1}", b"\n"):
            self.game.stdin.write(piece)
            self.game.stdin.flush()
        self.assertEqual(json.loads(self.game.stdout.readline())["round"], 1)

    def test_a_bad_line_ends_the_game_at_once(self):
        self.say(header())
        self.play(1)
        self.say({"play": 7})
        self.assertEqual(self.game.wait(timeout=TIMEOUT), 2)
        self.assertIn(b"play = 7", self.game.stderr.read())


class EveryGame(ProgramTest):
    """Each example of each set with each example of each learner that takes it is a game that can be played."""

    # May refuse a set.
    CHOOSY = ("gauge_ftrl", "delayed_ogd", "delayed_ogd_sc", "box_ftrl", "box_ftrl_sc", "adagrad", "patient", "per_block",
              "delayed_eg", "running_share",
              "delayed_mfw", "delayed_bandit_ofw")

    def play(self, set_spec, dimension, learner):
        """Whether there was a game; a learner that cannot be had on the set must say what it needs."""
        start = header(set=set_spec, learner=learner)
        g = gradients(dimension, 3)
        events = [{"play": 1}, {"play": 2}, {"play": 3}, {"receive": 2, "gradient": g[0]}, {"play": 4},
                  {"receive": 1, "indices": [dimension - 1], "values": [3]}, {"receive": 4, "gradient": g[1]},
                  {"play": 5}, {"receive": 5, "gradient": g[2]}, {"play": 6}]
        done = tarry("replay", "-", "--summary", stdin=as_log(start, *events))
        if done.returncode == 0:
            self.assertIn("all 6 decisions lie in the set", done.stdout.decode())
            return True
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr.decode(), r"\Atarry: line 1: \w+: needs a [^\n]+\n\Z")
        self.assertIn(learner["type"], self.CHOOSY)
        return False

    def test_every_pair(self):
        sets, learners = examples("sets"), examples("learners")
        self.assertGreater(len(sets), 20)
        self.assertGreater(len(learners), 15)
        played = dict.fromkeys((learner["type"] for learner in learners), 0)
        for set_spec in sets:
            dimension = len(self.replays(header(set=set_spec), {"play": 1})[0]["decision"])
            for learner in learners:
                with self.subTest(set=set_spec, learner=learner):
                    played[learner["type"]] += self.play(set_spec, dimension, learner)
        for learner, games in played.items():  # the choosy ones have at least some set; the others were played on all
            self.assertGreater(games, 0, learner)


if __name__ == "__main__":
    unittest.main()
