"""Logs of choices: what other policies would have earned, against a second, plain implementation."""

import bisect
import csv
import io
import json
import math
import random
import subprocess
import tempfile
import unittest
from pathlib import Path

from program import PROGRAM, TIMEOUT, ProgramTest, replay

ACTIONS = ["ice", "soup", "tea"]
ALPHA = 0.05


def make_log(count, seed=3, late=40.0):
    """Rows of a shop that shows one of three offers: how likely each was depends on the weather, rewards come late."""
    draw = random.Random(seed)
    rows = []
    for t in range(count):
        weather, hour = draw.choice(["sun", "rain"]), draw.randrange(24)
        shares = [0.6, 0.3, 0.1] if weather == "sun" else [0.2, 0.5, 0.3]
        action = draw.choices(ACTIONS, shares)[0]
        mean = {"ice": 0.5 if weather == "sun" else 0.1, "soup": 0.4 if weather == "rain" else 0.2, "tea": 0.25}[action]
        rows.append({"event_time": 10 * t, "feedback_time": 10 * t + round(draw.expovariate(1 / late), 3),
                     "weather": weather, "hour": hour, "action": action,
                     "probability": shares[ACTIONS.index(action)], "reward": int(draw.random() < mean),
                     "proposed": "ice" if weather == "sun" else "soup", "shares": shares})
    return rows


def as_csv(rows, without=("shares",)):
    text = io.StringIO()
    writer = csv.DictWriter(text, [name for name in rows[0] if name not in without], extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


# ---- the second implementation

def psi(bet, c):
    y = c * bet
    return (-math.log1p(-y) - y) / c ** 2 if y > 1e-4 else bet ** 2 * (1 / 2 + y / 3 + y ** 2 / 4 + y ** 3 / 5)


def lower_bound(terms, alpha):
    """Of (term, the least it could be): where bets of 4, 2, 1, … together have won 1/alpha."""
    bets = [4 * 2.0 ** -j for j in range(20)]
    costs, total = [0.0] * len(bets), 0.0
    for n, (term, least) in enumerate(terms):
        guess = max(least, min(1.0, (0.5 + total) / (1 + n)))
        for j, bet in enumerate(bets):
            costs[j] = costs[j] + psi(bet, guess - least) * (term - guess) ** 2 if bet * (guess - least) < 1 else math.inf
        total += term

    def wealth(excess):
        return math.fsum(math.exp(min(600, bet * excess - cost)) for bet, cost in zip(bets, costs)) / len(bets)

    low, high = 0.0, 1e9
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if wealth(middle) < 1 / alpha else (low, middle)
    return (total - high) / len(terms)


def estimates(rounds, least_probability=None):
    """Of (weight, reward, {action: policy's share}, {action: prediction}, taken): rewards from 0 to 1."""
    n = len(rounds)
    weights = [w for w, *_ in rounds]
    ips = math.fsum(w * r for w, r, *_ in rounds) / n
    snips = math.fsum(w * r for w, r, *_ in rounds) / math.fsum(weights)
    half = 1.959963984540054 * math.sqrt(math.fsum((w * (r - snips)) ** 2 for w, r, *_ in rounds)) / math.fsum(weights)
    said = {"ips": (ips, lower_bound([(w * r, 0) for w, r, *_ in rounds], ALPHA / 2),
                    1 - lower_bound([(w * (1 - r), 0) for w, r, *_ in rounds], ALPHA / 2)),
            "snips": (snips, snips - half, snips + half),
            "effective_rounds": math.fsum(weights) ** 2 / math.fsum(w * w for w in weights)}
    direct = [math.fsum(share[a] * f[a] for a in share) for _, _, share, f, _ in rounds]
    terms = [d + w * (r - f[taken]) for d, (w, r, _, f, taken) in zip(direct, rounds)]
    said["dr"] = (math.fsum(terms) / n, None, None)
    if least_probability:
        down = [max(share[a] * f[a] for a in share) / least_probability for _, _, share, f, _ in rounds]
        up = [max(share[a] * (1 - f[a]) for a in share) / least_probability for _, _, share, f, _ in rounds]
        low = lower_bound([(z, d - x) for z, d, x in zip(terms, direct, down)], ALPHA / 2)
        high = 1 - lower_bound([(1 - z, 1 - d - x) for z, d, x in zip(terms, direct, up)], ALPHA / 2)
        said["dr"] = (said["dr"][0], low, high)
    return said


def rankings(rows, spec):
    """What a model of this specification said of each action, when rewards came as they did."""
    actions = list(dict.fromkeys(row["action"] for row in rows))  # as they come
    events, rewarded = [], sorted((row["feedback_time"], t) for t, row in enumerate(rows) if row["reward"] != "")
    for t, row in enumerate(rows):
        for _, k in rewarded[bisect.bisect_left(rewarded, (rows[t - 1]["event_time"], -1)) if t else 0:
                             bisect.bisect_left(rewarded, (row["event_time"], -1))]:
            events.append({"label": k + 1, "value": rows[k]["reward"]})
        events.append({"play": t + 1, "context": {"hour": row["hour"], "weather": row["weather"]}, "actions": actions,
                       "shown": {"id": row["action"], "probability": row["probability"]}})
    return [{each["id"]: (each["probability"], each["reward"]) for each in answer["ranking"]}
            for answer in replay(spec, events)]


class Logged(ProgramTest):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def tarry(self, *arguments):
        return subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, timeout=TIMEOUT)

    def judge(self, text, *more, name="shop.csv"):
        (self.folder / name).write_text(text)
        done = self.tarry("run", name, "--out", "out", "--fresh", *more)
        self.assertEqual(done.returncode, 0, done.stderr.decode()[-600:])
        self.shown = done.stdout.decode()
        summary = json.loads((self.folder / "out/summary.json").read_text())
        return {one["policy"]: one for one in summary["evaluations"]}

    def assert_estimates(self, told, wanted, policy):
        for name in ("ips", "snips", "dr"):
            for end, value in zip(("value", "low", "high"), wanted[name]):
                if value is None:
                    self.assertIsNone(told[name][end], (policy, name, end))
                else:
                    self.assertAlmostEqual(told[name][end], value, delta=1e-9, msg=(policy, name, end))
        self.assertAlmostEqual(told["effective_rounds"], wanted["effective_rounds"], delta=1e-6, msg=policy)

    def as_logged(self, model, events):
        lines = [{"format": "tarry-replay/2", "model": {"task": "choose", **model}}, *events]
        return self.judge("\n".join(map(json.dumps, lines)) + "\n", name="own.jsonl")

    def choice(self, number, **more):
        return {"play": number, "context": {}, "actions": ["a", "b"], **more}

    def test_parts_of_a_reward_add_up(self):
        events = []
        for number in range(1, 41):
            events += [self.choice(number), {"label": number, "value": 1, "part": "x"}, {"label": number, "value": 2, "part": "y"}]
        told = self.as_logged({"reward": "number", "rewards": "sum", "revisable": {"rounds": 100}}, events)
        self.assertEqual(told["as logged"]["ips"]["value"], 3)

    def test_what_a_model_gave_up_by_its_age_earned_the_default(self):
        events = []
        for number in range(1, 101):
            events.append(self.choice(number))
            if number % 10 == 0:
                events.append({"label": number, "value": True})
        told = self.as_logged({"expiry": {"rounds": 5, "then": {"label": False}}}, events)
        self.assertAlmostEqual(told["as logged"]["ips"]["value"], 10 / 96, delta=1e-12)  # the last four are open

    def test_an_excluded_action_may_be_shown(self):
        events = []
        for number in range(1, 101):
            shown = {"shown": {"id": "b", "probability": 0.5}, "exclude": ["b"]} if number % 2 else {"shown": {"id": "a", "probability": 0.5}}
            events += [self.choice(number, **shown), {"label": number, "value": 10 if number % 2 else 1}]
        told = self.as_logged({"reward": "number"}, events)
        self.assertAlmostEqual(told["as logged"]["ips"]["value"], 5.5, delta=1e-12)
        self.assertLess(told["uniform"]["ips"]["value"], 7)

    def test_a_second_implementation_says_the_same(self):
        rows = make_log(300)
        told = self.judge(as_csv(rows), "--override", "stream.policies=[\"proposed\"]",
                          "--override", "stream.least_probability=0.1", "--override", "stream.ignore=[]")
        said = rankings(rows, {"task": "choose"})
        greedy = rankings(rows, {"task": "choose", "explore": "none"})
        uniform = dict.fromkeys(ACTIONS, 1 / 3)
        one = {a: {b: float(a == b) for b in ACTIONS} for a in ACTIONS}
        policies = {"auto": [{a: p for a, (p, _) in r.items()} for r in said],
                    "auto, best only": [{a: p for a, (p, _) in r.items()} for r in greedy],
                    "uniform": [uniform] * len(rows), "proposed": [one[row["proposed"]] for row in rows]}
        for policy, shares in policies.items():
            rounds = [(share[row["action"]] / row["probability"], row["reward"], share,
                       {a: f for a, (_, f) in ranking.items()}, row["action"])
                      for row, share, ranking in zip(rows, shares, said)]
            self.assert_estimates(told[policy], estimates(rounds, 0.1), policy)
        mean = math.fsum(row["reward"] for row in rows) / len(rows)
        for name in ("ips", "snips", "dr"):
            self.assertAlmostEqual(told["as logged"][name]["value"], mean, delta=1e-12)
        self.assertIn("policy", self.shown)
        self.assertIn("95 %, at any time", self.shown)

    def test_rewards_of_any_size_and_policies_of_ones_own(self):
        """Rewards from -2 to 3, and a column with the probability that another rule would have had."""
        rows = make_log(150)
        for row in rows:
            row["p_new"] = 0.5 if row["action"] == "ice" else 0.25
        changed = [row | {"reward": 5 * row["reward"] - 2} for row in rows]
        (self.folder / "log.csv").write_text(as_csv(changed))
        (self.folder / "log.toml").write_text("""name = "log"
[stream]
type = "logged"
path = "log.csv"
reward_range = [-2, 3]
policies = ["p_new", "proposed"]
[delay]
type = "recorded"
[[learners]]
policy = { probability = "p_new" }
[[learners]]
policy = { always = "soup" }
[[learners]]
task = "choose"
""")
        done = self.tarry("run", "log.toml", "--out", "out")
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        told = {one["policy"]: one for one in json.loads((self.folder / "out/summary.json").read_text())["evaluations"]}
        for policy, share in (("p_new", lambda row: row["p_new"]), ("always soup", lambda row: row["action"] == "soup")):
            weights = [share(row) / row["probability"] for row in rows]
            plain = [(w, row["reward"]) for w, row in zip(weights, rows)]
            ips = told[policy]["ips"]
            self.assertAlmostEqual(ips["value"], math.fsum(w * (5 * r - 2) for w, r in plain) / len(plain), delta=1e-9)
            low = lower_bound([(w * r, 0) for w, r in plain], ALPHA / 2)
            high = 1 - lower_bound([(w * (1 - r), 0) for w, r in plain], ALPHA / 2)
            self.assertAlmostEqual(ips["low"], 5 * max(0, low) - 2, delta=1e-9)
            self.assertAlmostEqual(ips["high"], 5 * min(1, high) - 2, delta=1e-9)
        self.assertIsNone(told["p_new"]["dr"], "of the other actions nothing is known")
        said = rankings(changed, {"task": "choose", "reward": "number"})
        shares = [{a: p for a, (p, _) in ranking.items()} for ranking in said]
        clipped = [{a: min(3, max(-2, f)) for a, (_, f) in ranking.items()} for ranking in said]
        terms = [sum(share[a] * f[a] for a in share) + share[row["action"]] / row["probability"] * (row["reward"] - f[row["action"]])
                 for row, share, f in zip(changed, shares, clipped)]
        self.assertAlmostEqual(told["choose"]["dr"]["value"], math.fsum(terms) / len(terms), delta=1e-9)

    def test_init_writes_what_run_would_judge(self):
        rows = make_log(60)
        told = self.judge(as_csv(rows))
        (self.folder / "sub").mkdir()
        done = self.tarry("init", "--csv", "shop.csv", "sub/own.toml")
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        done = self.tarry("run", "sub/own.toml", "--out", "again")
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        again = json.loads((self.folder / "again/summary.json").read_text())["evaluations"]
        self.assertEqual(again, list(told.values()))

    def test_without_a_least_probability_dr_has_no_interval(self):
        told = self.judge(as_csv(make_log(100)))
        self.assertIsNone(told["uniform"]["dr"]["low"])
        self.assertIsNotNone(told["uniform"]["ips"]["low"])

    def test_only_rounds_whose_wait_was_over_count(self):
        rows = make_log(200, late=300.0)
        over = [row for row in rows if row["event_time"] + 500 <= max(r["feedback_time"] for r in rows)]
        told = self.judge(as_csv(rows), "--override", "stream.reward_wait=500")
        mean = sum(row["reward"] for row in over if row["feedback_time"] <= row["event_time"] + 500) / len(over)
        self.assertAlmostEqual(told["as logged"]["ips"]["value"], mean, delta=1e-12)

    def test_open_rewards_widen_intervals(self):
        rows = make_log(200)
        narrow = self.judge(as_csv(rows))["as logged"]["ips"]
        for row in rows[::10]:
            row["reward"] = row["feedback_time"] = ""
        wide = self.judge(as_csv(rows))["as logged"]["ips"]
        self.assertLess(wide["low"], narrow["low"])
        self.assertGreater(wide["high"], narrow["high"])
        self.assertIn("20 rewards have not come", self.shown)

    def test_missing_support_is_said(self):
        rows = make_log(400)
        kept = [row for row in rows if row["action"] != "tea"]  # its rows were lost: what is left does not add up
        self.judge(as_csv(kept), "--override", 'stream.actions=["ice", "soup", "tea"]')
        self.assertIn("warning: uniform: weights are", self.shown)
        self.judge(as_csv(kept), "--override", 'stream.actions=["ice", "soup", "tea"]', "--override",
                   'learners=[{policy={always="tea"}}]')
        self.assertRegex(self.shown, r"always tea +0\.\d+ +- +0\.0000 +0\.0000 to 1\.000 +- +- +-\n")
        self.assertIn("warning: always tea: weights are 0.000 in the mean", self.shown)

    def test_dsjson(self):
        rows = make_log(150)
        lines = [json.dumps({"_label_cost": -row["reward"], "_label_probability": row["probability"],
                             "_label_Action": ACTIONS.index(row["action"]) + 1, "_labelIndex": ACTIONS.index(row["action"]),
                             "Timestamp": "2019-11-12T14:22:37.2290000Z", "Version": "1", "EventId": str(t),
                             "a": [2, 1, 3], "p": [row["shares"][1], row["shares"][0], row["shares"][2]],
                             "c": {"User": [{"weather": row["weather"]}, {"hour": row["hour"]}], "_synthetic": False,
                                   "_multi": [{"_tag": a, "i": {"constant": 1, "id": a}, "Topic": [{"kind": a}]}
                                              for a in ACTIONS]}}) for t, row in enumerate(rows)]
        lines.insert(3, json.dumps({"RewardValue": 1, "EventId": "lost"}))
        lines.insert(9, json.dumps(json.loads(lines[0]) | {"_skipLearn": True}))
        told = self.judge("\n".join(lines) + "\n", name="log.dsjson")
        rounds = [(1 / 3 / row["probability"], row["reward"]) for row in rows]
        self.assertAlmostEqual(told["uniform"]["ips"]["value"], math.fsum(w * r for w, r in rounds) / len(rows), delta=1e-9)
        self.assertIsNotNone(told["auto"]["dr"]["low"], "all probabilities are in the log")
        self.assertIn("150 choices", self.shown)
        done = self.tarry("run", "log.dsjson", "--override", "stream.action=arm")
        self.assertEqual((done.returncode, done.stderr.decode().splitlines()[-1]),
                         (2, 'tarry: log.dsjson: logged: action must be for a log in CSV, which this is not (action = "arm")'))
        none = json.loads(lines[0])
        none["p"], none["a"] = [0.0, 0.9, 0.1], [1, 2, 3]  # the first is never taken
        none["_label_Action"], none["_label_probability"] = 2, 0.9
        self.judge("\n".join([*lines, json.dumps(none)]) + "\n", name="log.dsjson")
        self.assertIn("actions that the log cannot have taken", self.shown)

    def test_a_log_of_our_own(self):
        spec = {"task": "choose", "features": {"capacity": 64}, "explore": {"type": "epsilon", "epsilon": 0.4}}
        draw, events = random.Random(2), []
        for t in range(1, 121):
            events.append({"play": t, "context": {"weather": draw.choice(["sun", "rain"])}, "actions": ACTIONS}
                          | ({"exclude": ["tea"]} if t % 10 == 0 else {}))
            if t > 5:
                events.append({"label": t - 5, "value": draw.random() < 0.3})
        answers = replay(spec, events)
        told = self.judge("\n".join(json.dumps(x) for x in [{"format": "tarry-replay/2", "model": spec}, *events]) + "\n",
                          name="log.jsonl")
        rewards = {event["label"]: event["value"] for event in events if "label" in event}
        terms = [1 / sum(each["probability"] > 0 for each in answer["ranking"]) / answer["probability"] * rewards[answer["round"]]
                 for answer in answers if answer["round"] in rewards]
        self.assertAlmostEqual(told["uniform"]["ips"]["value"], math.fsum(terms) / len(terms), delta=1e-9)

    def test_what_is_wrong_is_one_line(self):
        rows = make_log(20)
        def with_cell(column, value):
            return as_csv([row | ({column: value} if t == 4 else {}) for t, row in enumerate(rows)])
        given = 'name = "x"\n[stream]\ntype = "logged"\npath = "log.csv"\n{}\n[[learners]]\n{}\n'
        uniform = 'policy = "uniform"'
        for text, keys, learner, wanted in [
                (with_cell("probability", 0), "", uniform, "log.csv: row 5: probability must be above 0 and at most 1 (0 came)"),
                (with_cell("probability", 1.5), "", uniform, "log.csv: row 5: probability must be above 0 and at most 1 (1.5 came)"),
                (with_cell("probability", 1e-300), "", uniform,
                 "log.csv: row 5: probability must be at least 1e-9, or one round would outweigh all others (1e-300 came)"),
                (with_cell("probability", "NaN"), "", uniform, "log.csv: row 5: probability must be given (nothing came)"),
                (with_cell("reward", "inf"), "", uniform, 'log.csv: line 6: reward must be a finite number ("inf" came)'),
                (with_cell("reward", 3), "reward_range = [0, 1]", uniform, "log.csv: row 5: reward must be within reward_range, 0 to 1 (3 came)"),
                (as_csv(rows), 'action = "arm"', uniform, 'log.csv: no column "arm" for action (columns: event_time, feedback_time, weather, hour, action, probability, reward, proposed)'),
                (as_csv(rows, ("shares", "event_time")), 'feedback_time = "feedback_time"', uniform, "logged: feedback_time needs event_time"),
                (as_csv(rows), "least_probability = 0.5", uniform, "must not be below least_probability, 0.5"),
                (as_csv(rows), "reward_range = [1, 0]", uniform, "reward_range must be the lowest and the highest reward, [0, 1]"),
                (as_csv(rows), "", 'policy = "best"', "policy must be \"logged\", \"uniform\""),
                (as_csv(rows), "", 'policy = { always = "cake" }', 'policy: always must name an action of the log ("cake" came)'),
                (as_csv(rows), "", 'policy = { column = "proposed" }', 'policy: "proposed" must be a column that the stream names in policies'),
                (as_csv(rows), "", 'task = "binary"', 'is a log of choices, for models that choose'),
                ("", "", uniform, "log.csv: is empty (wanted a log of choices)"),
                ("action,probability,reward\n", "", uniform, "log.csv: has no rows after its header"),
        ]:
            (self.folder / "log.csv").write_text(text)
            (self.folder / "x.toml").write_text(given.format(keys, learner))
            done = self.tarry("run", "x.toml")
            message = done.stderr.decode()
            self.assertEqual((done.returncode, message.count("\n")), (2, 1), message)
            self.assertIn(wanted, message)


if __name__ == "__main__":
    unittest.main()
