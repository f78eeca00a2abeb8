"""`choose`, nothing set, beside tuned rivals on tables of classes played as choices (docs/benchmarks.md, Choices).

    choices.py [--data DIR] [--only NAME] [--seeds N] [--rivals]

A rival's grid is chosen in hindsight: the best of its runs on the very stream. On all seeds but the first, only the best
of the first are played again. What rivals earned is kept under a hash of the stream.
"""
import argparse
import heapq
import json
import math
import os
import pathlib
import shutil
import subprocess
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import choice_rivals
from choice_streams import DELAYS, LISTED, table_of, with_delay

LIMIT_S = 240  # for one run of one contestant
KEPT = 3  # of the rivals, on all seeds but the first
FOLDER = pathlib.Path("build/choices")


def play(stream, player):
    """The mean reward of a player, or nothing where it takes too long."""
    coming, rewards, start = [], 0, time.perf_counter()
    for row, label in enumerate(stream.table.labels):
        told = []
        while coming and coming[0][0] <= row:
            told.append(heapq.heappop(coming)[1:])
        if told:
            player.learn(told)
        reward = player.choose(row) == label
        rewards += reward
        heapq.heappush(coming, (row + stream.revealed(row, reward), row, reward))
        if row % 64 == 0 and time.perf_counter() - start > LIMIT_S:
            return None
    return rewards / len(stream.table.labels)


def kept(stream, who, make):
    path = FOLDER / "kept" / f"{stream.hash}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    results = json.loads(path.read_text()) if path.exists() else {}
    if who not in results:
        results[who] = play(stream, make())
        path.write_text(json.dumps(results, indent=1))
    return results[who] or 0.0


def rivals(stream, only=None):
    """{who: mean reward}. `only`: those that are played."""
    rows = choice_rivals.standardised(stream.table)
    columns = len({name for row in rows for name, _ in row}) + 1
    earned = {}

    def vw(options):
        earned["vw " + options] = kept(stream, "vw " + options,
                                       lambda: choice_rivals.VowpalWabbit(stream, rows, options, stream.seed))
        return earned["vw " + options]

    def linear(how):
        if how[0] == "LinTS" and columns > choice_rivals.MOST_SAMPLED:
            return
        who = f"{how[0]} {how[1]:g}"
        earned[who] = kept(stream, who, lambda: choice_rivals.Linear(stream, rows, how, stream.seed))

    if only is not None:
        for who in only:
            vw(who[3:]) if who.startswith("vw ") else linear((who.split()[0], float(who.split()[1])))
        return earned
    for explore in choice_rivals.FIRST:
        for rate in choice_rivals.RATES:
            vw(f"{explore} -l {rate:g}")
    rate = max(choice_rivals.RATES, key=lambda r: max(vw(f"{explore} -l {r:g}") for explore in choice_rivals.FIRST))
    for explore in choice_rivals.THEN:
        vw(f"{explore} -l {rate:g}")
    for options in sorted(earned, key=earned.get)[-3:]:
        vw(options[3:] + " --offset")
    for how in choice_rivals.LINEAR:
        linear(how)
    return earned


def toml(value):
    return "{ " + ", ".join(f"{k} = {toml(v)}" for k, v in value.items()) + " }" if isinstance(value, dict) else json.dumps(value)


def tarry(stream, program="build/release/tarry", task=None):
    spec, out = FOLDER / "choose.toml", FOLDER / "out"
    keys = lambda table: "\n".join(f"{key} = {toml(value)}" for key, value in table.items())
    spec.write_text(f'name = "choices"\nseeds = [{stream.seed}]\ncheckpoints = 10\n[stream]\nname = "stream"\n'
                    f'{keys(stream.write(FOLDER))}\n[[delays]]\ntype = "recorded"\n[[learners]]\n'
                    f'{keys({"task": "choose", **(task or {})})}\n')
    shutil.rmtree(out, ignore_errors=True)
    subprocess.run([program, "run", spec, "--jobs", "1", "--out", out], check=True, capture_output=True, timeout=LIMIT_S)
    run = json.loads((out / "summary.json").read_text())["runs"][0]
    assert run["rounds"] == len(stream.table.labels)
    return run["checkpoints"]["metrics"]["reward"][-1]


def geometric(numbers):
    return math.exp(sum(map(math.log, numbers)) / len(numbers))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    parser.add_argument("--only", default="", help="tables whose name contains this")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--rivals", action="store_true", help="play the rivals alone, to keep what they earn")
    options = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    print(f"{'table':<10} {'delay':<16} {'seed':>4} {'choose':>8} {'rival':>8} {'ratio':>7}   the best rival")
    cells, best = [], {}
    for seed in range(1, options.seeds + 1):
        for name in LISTED:
            if options.only not in name:
                continue
            table = table_of(name, options.data.absolute(), seed)
            for delay in DELAYS:
                stream = with_delay(table, delay, seed)
                earned = rivals(stream, best.get((name, delay)))
                order = sorted(earned, key=earned.get, reverse=True)
                best.setdefault((name, delay), order[:KEPT])
                own = math.nan if options.rivals else tarry(stream)
                cells.append({"table": name, "delay": delay, "seed": seed, "choose": own, "rivals": earned,
                              "best": order[0], "ratio": own / earned[order[0]]})
                print(f"{name:<10} {delay:<16} {seed:>4} {own:8.4f} {earned[order[0]]:8.4f} {cells[-1]['ratio']:7.3f}   "
                      f"{order[0]}", flush=True)
                pathlib.Path("build/choices.json").write_text(json.dumps({"load": os.getloadavg()[0], "cells": cells}, indent=1))
    if options.rivals:
        return
    print(f"\n{'over seeds':<10} {'delay':<16} {'choose':>8} {'rival':>8} {'ratio':>7} {'worst':>7}")
    ratios = []
    for name, delay in dict.fromkeys((cell["table"], cell["delay"]) for cell in cells):
        own = [cell for cell in cells if (cell["table"], cell["delay"]) == (name, delay)]
        ratios.append(geometric([cell["ratio"] for cell in own]))
        means = [sum(values) / len(own) for values in ([c["choose"] for c in own], [c["rivals"][c["best"]] for c in own])]
        print(f"{name:<10} {delay:<16} {means[0]:8.4f} {means[1]:8.4f} {ratios[-1]:7.3f} {min(c['ratio'] for c in own):7.3f}")
    print(f"geometric mean {geometric(ratios):.3f} (goal: at least 1.00), lowest {min(ratios):.3f} (goal: at least 0.97)")


if __name__ == "__main__":
    main()
