"""Models that track some of their rounds: against a second, plain implementation (theory.md 21), and at every door."""

import json
import math
import random
import tempfile
import unittest
from pathlib import Path

from program import ProgramTest, tarry
from service import ServiceTest

LOW = 0xFFFFFFFF


def uniform(seed, position, stream=0x747261636B6564):
    """Philox 4x32-10, the top 53 of its first 64 bits."""
    a, b, c, d = position & LOW, position >> 32, stream & LOW, stream >> 32
    k, m = seed & LOW, seed >> 32
    for _ in range(10):
        left, right = 0xD2511F53 * a, 0xCD9E8D57 * c
        a, b, c, d = (right >> 32) ^ b ^ k, right & LOW, (left >> 32) ^ d ^ m, left & LOW
        k, m = (k + 0x9E3779B9) & LOW, (m + 0xBB67AE85) & LOW
    return (((a | b << 32) >> 11) + 0.5) * 2.0**-53


class Plain:
    """Which rounds are kept, and with which probability: every round keeps its own thresholds."""

    def __init__(self, most, seed):
        self.most, self.seed, self.kept, self.seen = most, seed, set(), {}

    def play(self, t):
        self.kept.add(t)
        if len(self.kept) <= self.most:
            return
        ranked = sorted(self.kept, key=lambda k: uniform(self.seed, k) * (t - k + 1))
        stay = self.most - self.most // 8
        first = ranked[stay]
        threshold = uniform(self.seed, first) * (t - first + 1)
        self.kept = set(ranked[:stay])
        for k in self.kept:
            self.seen.setdefault(k, []).append(threshold / (t - k + 1))

    def chance(self, k):
        return min([1.0, *self.seen.get(k, [])])


class Games(ProgramTest):
    def game(self, most, seed, rounds, longest):
        draw, plain = random.Random(seed), Plain(most, seed)
        model = {"set": {"type": "l2_ball", "dimension": 2, "radius": 1}, "learner": {"type": "delayed_ogd", "eta": 0.05},
                 "tracked": {"rounds": most, "seed": seed}}
        log, due, wanted, x, pending = [], {}, [], [0.0, 0.0], [0.0, 0.0]
        for t in range(1, rounds + 1):
            x = [a - 0.05 * g for a, g in zip(x, pending)]
            size, pending = math.hypot(*x), [0.0, 0.0]
            x = [a / max(1.0, size) for a in x]
            log.append({"play": t})
            plain.play(t)
            wanted.append((t, list(x)))
            due.setdefault(t + draw.randrange(longest), []).append(t)
            for k in due.pop(t, []):
                angle = draw.uniform(0, 7)
                gradient = [math.cos(angle), math.sin(angle)]
                log.append({"receive": k, "gradient": gradient})
                if k in plain.kept:
                    plain.kept.remove(k)
                    pending = [p + g / plain.chance(k) for p, g in zip(pending, gradient)]
                else:
                    wanted.append((k, "untracked"))
        lines = self.replays({"format": "tarry-replay/2", "model": model}, *log)
        untracked = 0
        for line, (t, what) in zip(lines, wanted, strict=True):
            self.assertEqual(line["round"], t)
            if what == "untracked":
                self.assertEqual(line["answer"], "untracked")
                untracked += 1
            else:
                self.assertLess(max(abs(a - b) for a, b in zip(line["decision"], what)), 1e-9)
        return untracked

    def test_plays_as_the_plain_one(self):
        self.assertGreater(self.game(2, 0, 60, 20), 10)
        self.assertGreater(self.game(7, 3, 300, 60), 50)
        self.assertGreater(self.game(40, 11, 600, 300), 50)
        self.assertEqual(self.game(50, 1, 200, 50), 0)

    def test_a_table_with_more_labels_than_are_tracked(self):
        with tempfile.TemporaryDirectory() as folder:
            rows = ["made,known,x,late"] + [f"{t},{t + 40},{t % 5},{int(t % 5 > 2)}" for t in range(300)]
            Path(folder, "late.csv").write_text("\n".join(rows) + "\n")
            Path(folder, "late.toml").write_text(
                'name = "late"\nkeep = "auto"\n[stream]\ntype = "csv"\npath = "late.csv"\nlabel = "late"\nloss = "logistic"\nfeatures = ["x"]\n'
                'event_time = "made"\nfeedback_time = "known"\n[set]\ntype = "box"\ndimension = "stream"\nlower = -5\nupper = 5\n'
                '[delay]\ntype = "recorded"\n[learner]\nname = "auto"\ntype = "auto"\ntracked = 10\n')
            done = tarry("run", f"{folder}/late.toml", "--out", f"{folder}/out")
            self.assertEqual(done.returncode, 0, done.stderr)
            fate = [line.rsplit(",", 1)[1] for line in Path(folder, "out/predictions.csv").read_text().splitlines()[1:]]
        self.assertEqual(set(fate), {"came", "untracked", "on its way"})
        self.assertGreater(fate.count("came"), 10)


class Doors(ServiceTest):
    MODEL = {"task": "binary", "features": {"capacity": 16}, "tracked": 20}

    def test_the_service_keeps_no_more_and_says_so(self):
        service = self.serve()
        service.create("m", self.MODEL)
        tickets = [service.decide("m", {"x": k % 3}, key=f"k{k}")["ticket"] for k in range(200)]
        described = service.model("m")
        self.assertLessEqual(described["outstanding"], 20)
        self.assertEqual(described["outstanding"] + described["untracked"], 200)
        service.kill()
        service.start()
        answers = [service.feedback(ticket=ticket, label=True) for ticket in tickets]
        for answer in answers:
            self.assert_status(answer, 200)
        dropped = [k for k, answer in enumerate(answers) if answer.json.get("untracked")]
        self.assertEqual(len(dropped), described["untracked"])
        again = service.feedback(model="m", key=f"k{dropped[0]}", label=False)
        self.assertTrue(again.json["untracked"])
        kept = next(k for k in range(200) if k not in dropped)
        self.assertTrue(service.feedback(ticket=tickets[kept], label=True).json["duplicate"])
        self.assertEqual(service.model("m")["settled"], 200 - len(dropped))
        self.assertIn(f'tarry_feedback_total{{status="untracked"}} {len(dropped) + 1}', service.ask("GET", "/metrics").body.decode())
        self.assert_replays(service, "m")

    def test_refuses_what_does_not_go_together(self):
        service = self.serve()
        answer = service.ask("PUT", "/v1/models/n", self.MODEL | {"revisable": 100})
        self.assertIn("tracked", answer.json["error"]["message"])
        answer = service.ask("PUT", "/v1/models/n", self.MODEL | {"tracked": 1})
        self.assert_status(answer, 400)
        self.assertIn("2 or more", json.dumps(answer.json))
        service.create("m", self.MODEL)
        answer = service.ask("PUT", "/v1/models/m/challengers/x", {"products": False})
        self.assert_status(answer, 422)
        self.assertIn("tracked", answer.json["error"]["message"])


if __name__ == "__main__":
    unittest.main()
