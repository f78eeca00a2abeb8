#!/usr/bin/env python3
"""A report over made-up runs, for work on the page and for its test.

    sample.py OUT.html [KIND]    KIND is one of usual, one, many, bare, negative, long (default: usual)
"""

import json
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PLACE = '<script id="data" type="application/json">{}</script>'

# name: (scale and exponent of the regret, exponent of the bound, µs a round, bytes)
LEARNERS = {
    "delayed OFW": (1.6, 0.74, 0.75, 1.1, 1680),
    "delayed OFW (strongly convex)": (3.4, 0.62, 0.667, 1.4, 1744),
    "gauge FTRL": (1.9, 0.53, 0.5, 2.9, 2210),
    "delayed OGD": (1.5, 0.51, 0.5, 8.3, 1690),
    "BOLD": (2.6, 0.66, 0.75, 1.9, 48200),
    "delayed OSPF": (2.2, 0.71, 0.667, 5.2, 3350),
    "hedge": (2.0, 0.57, None, 9.7, 9800),
    "auto": (1.8, 0.56, None, 3.3, 2900),
}
DELAYS = {"geometric 50": 50, "fixed 1": 1, "pareto 1.5": 120, "uniform 1–400": 200, "growing 0.5": 90}
SPEC = """name = "{name}"
rounds = {rounds}
seeds = [1, 2, 3, 4, 5]

[[streams]]
type = "random_linear"   # a comment with <b>markup</b>, </script> and <!-- <script> in it
dimension = 100

[[delays]]
type = "geometric"
mean = 50

[[learners]]
type = "delayed_ofw"
"""


def checkpoints(rounds):
    """1, 2, 4 … then about sixteen a doubling."""
    return sorted({min(rounds, round(2 ** (k / 16))) for k in range(16 * math.ceil(math.log2(rounds)) + 1)} | {rounds})


def delay_counts(mean, rounds, numbers):
    drawn = [max(1, round(numbers.expovariate(1 / mean))) if mean > 1 else 1 for _ in range(min(rounds, 2000))]
    answered = [d for t, d in enumerate(drawn, 1) if t + d <= len(drawn) + 1]
    counts = [0] * (max(answered, default=1).bit_length())
    for d in answered:
        counts[d.bit_length() - 1] += 1
    return {"mean": sum(drawn) / len(drawn), "largest": max(drawn), "lost": 0, "answered": len(answered),
            "most_outstanding": round(1.4 * mean) + 3, "histogram": counts}


def metrics_of(stream, rounds, slowness, numbers):
    if stream == "random linear":
        return {}
    fall = [slowness / math.sqrt(t) for t in rounds]
    noise = [numbers.gauss(0, 0.03) / t ** 0.35 for t in rounds]
    if stream == "flights":
        return {"rmse": [18 + 30 * f + 8 * e for f, e in zip(fall, noise)],
                "mae": [11 + 19 * f + 5 * e for f, e in zip(fall, noise)]}
    return {"log_loss": [0.42 + 0.3 * f + e for f, e in zip(fall, noise)],
            "accuracy": [max(0.4, 0.83 - 0.33 * f + e) for f, e in zip(fall, noise)],
            "auc": [max(0.4, 0.88 - 0.38 * f + e) if t > 9 else None for t, f, e in zip(rounds, fall, noise)]}


def run(stream, delay, learner, seed, rounds, regret="known"):
    numbers = random.Random(f"{stream}/{delay}/{learner}/{seed}")
    scale, power, bound_power, cost, state = LEARNERS.get(learner, (2.0, 0.6, 0.75, 2.0, 2000))
    mean = DELAYS[delay]
    t = checkpoints(rounds)
    slow = scale * (1 + mean / 80) ** 0.5
    walk, high = 0.0, []
    for a, b in zip([0, *t], t):
        walk += numbers.gauss(0, 0.18) * math.sqrt(b - a)
        high.append(slow * b ** power * (1 + 1.5 / b) + walk * slow * b ** (power - 0.5) * 0.4)
    if regret == "negative":
        high = [-v for v in high]
    gap = 0.16 if stream == "flights" else 0.0
    seconds, clock = [], 0.0
    for a, b in zip([0, *t], t):
        clock += (b - a) * cost * 1e-6 * (1 + 4 / b) * numbers.uniform(0.93, 1.12)
        seconds.append(clock)
    waiting = [min(b, mean) * (1 + 0.25 * numbers.gauss(0, 1) / math.sqrt(min(b, mean))) for b in t]
    known = regret != "missing"
    allowed = 6.5 * scale * (1 + mean / 50) ** 0.5
    return {
        "stream": stream, "delay": delay, "learner": learner, "set": "l1_ball", "seed": seed, "rounds": rounds,
        "checkpoints": {
            "round": t, "loss": [0.31 * b + h for b, h in zip(t, high)],
            "regret_low": [h - gap * abs(h) for h in high] if known else None, "regret_high": high if known else None,
            "bound": [allowed * b ** bound_power for b in t] if bound_power and known else None,
            "outstanding": [max(0, round(w)) for w in waiting], "oracle_calls": [max(0, b - mean) for b in t],
            "seconds": seconds, "state_bytes": [state + 24 * round(w) for w in waiting],
            "metrics": metrics_of(stream, t, slow, numbers)},
        "delays": delay_counts(mean, rounds, numbers), "seconds": clock, "state_bytes": state + 24 * mean,
        "oracle_calls": max(0, rounds - mean)}


def sample(kind="usual"):
    """The data of one kind of run."""
    names = list(LEARNERS)
    streams, delays, learners, seeds, rounds, regret = ["random linear"], list(DELAYS)[:1], names[:4], 5, 2000, "known"
    if kind == "usual":
        streams, delays, learners = ["random linear", "flights", "clicks"], list(DELAYS)[:3], names[:5]
    elif kind == "one":
        learners, seeds = names[:1], 1
    elif kind == "many":
        delays, learners, rounds = list(DELAYS), names, 100000
    elif kind == "bare":
        regret = "missing"
    elif kind == "negative":
        regret = "negative"
    elif kind == "long":
        learners = ["delayed online Frank–Wolfe with the delay-aware step and restarts as the horizon doubles",
                    "a_learner_whose_name_was_written_without_any_space_by_a_program_that_makes_names", *names[:2]]
    runs = [run(stream, delay, learner, seed + 1, rounds, regret)
            for stream in streams for delay in delays for learner in learners for seed in range(seeds)]
    if kind == "long":
        for each in runs:
            each["stream"] = "a synthetic stream with a name that is long enough to need more than one line on a phone"
    groups = [{"stream": each["stream"], "delay": each["delay"], "learner": each["learner"],
               "exponent": LEARNERS.get(each["learner"], (2.0, 0.6))[1] if regret == "known" else None}
              for each in runs if each["seed"] == 1]
    return {"format": "tarry-run/1", "name": {"usual": "quickstart"}.get(kind, kind), "version": "0.2.0",
            "spec": SPEC.format(name=kind, rounds=rounds), "made": "2026-11-15T05:00:00Z", "groups": groups,
            "runs": runs}


def template():
    """The page as the build puts it together."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        subprocess.run(["cmake", "-D", f"SOURCE={ROOT / 'web/report'}", "-D", f"HTML={page}",
                        "-P", str(ROOT / "cmake/embed_page.cmake")], check=True)
        return page.read_text(encoding="utf-8")


def fill(page, data):
    """The page with data in its place; the program does the same."""
    text = json.dumps(data, allow_nan=False, ensure_ascii=False).replace("<", "\\u003c")
    assert page.count(PLACE) == 1
    return page.replace(PLACE, PLACE.replace("{}", text))


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(fill(template(), sample(*sys.argv[2:3])), encoding="utf-8")
