"""Seconds for one example, predicted and learnt: Tarry beside Vowpal Wabbit and River on the same rows.

Seconds are the processor's, all threads together, so that a busy machine does not count. 200,000 rows of 30 indicators
among 2^20, the frequent ones far more frequent than the rare, as words are; rows of 12 among 300, with their products
(Vowpal Wabbit's -q ::); and choices of one of ten actions in a context of twenty numbers, each rewarded at once.
"""
import json
import math
import os
import pathlib
import random
import subprocess
import time

import vowpalwabbit
from river import linear_model, preprocessing

ROWS, NONZERO, BITS = 200_000, 30, 20
NARROW_ROWS, NARROW_NONZERO, NARROW = 50_000, 12, 300
ROWS_IN_PYTHON, CHOICES = 20_000, 20_000
BENCH = "build/release/bench/predict_bench"
FLOOR = "build/release/bench/floor_bench"
VW = f"--quiet -b {BITS} --noconstant --loss_function logistic"


def write_rows(folder, name, rows, nonzero, size):
    """The rows as LIBSVM and as Vowpal Wabbit text."""
    svm, vw = folder / f"{name}.svm", folder / f"{name}.vw"
    if vw.exists():
        return svm, vw
    draw = random.Random(3)
    weight = [draw.gauss(0, 1) for _ in range(4096)]
    with open(svm, "w") as one, open(vw, "w") as other:
        for _ in range(rows):
            # The rank of a word has about the density 1/rank; its place is a hash of the rank.
            ranks = {int(math.exp(draw.random() * math.log(size))) for _ in range(nonzero + 6)}
            while len(ranks) < nonzero:
                ranks.add(int(math.exp(draw.random() * math.log(size))))
            places = sorted(rank * 2654435761 % size for rank in draw.sample(sorted(ranks), nonzero))
            score = sum(weight[place % 4096] for place in places) / 3
            label = 1 if draw.random() < 1 / (1 + math.exp(-score)) else -1
            one.write(f"{label} " + " ".join(f"{place + 1}:1" for place in places) + "\n")
            other.write(f"{label} | " + " ".join(map(str, places)) + "\n")
    return svm, vw


def vw_loop(vw, rows=ROWS, options=""):
    """Its own loop over its own binary cache of the file: nothing of Python in it."""
    cache = f"{vw}.cache"
    if not os.path.exists(cache):
        vowpalwabbit.Workspace(f"{VW} -d {vw} --cache_file {cache}").finish()
    start = time.process_time()
    workspace = vowpalwabbit.Workspace(f"{VW} {options} -d {vw} --cache_file {cache}")
    seconds = time.process_time() - start
    workspace.finish()
    return seconds / rows


def vw_text(vw, rows=ROWS, options=""):
    start = time.process_time()
    vowpalwabbit.Workspace(f"{VW} {options} -d {vw}").finish()
    return (time.process_time() - start) / rows


def write_choices(folder):
    """Ten actions and twenty numbers, as Vowpal Wabbit text; the action taken and its cost stand with it, so that nothing is drawn."""
    path = folder / "choices.vw"
    if not path.exists():
        draw = random.Random(5)
        with open(path, "w") as out:
            for _ in range(CHOICES):
                taken, cost = draw.randrange(10), -draw.randrange(2)
                out.write("shared |s " + " ".join(f"f{i}:{draw.gauss(0, 1):.6g}" for i in range(20)) + "\n")
                out.writelines(f"{f'0:{cost}:0.1 ' if a == taken else ''}|a a{a}\n" for a in range(10))
                out.write("\n")
    return path


def vw_choose(path):
    """`--squarecb` over its text or its cache, whichever is faster."""
    options = f"--quiet -b {BITS} --cb_explore_adf --squarecb -q sa -d {path}"
    cache = f"{path}.cache"
    if not os.path.exists(cache):
        vowpalwabbit.Workspace(f"{options} --cache_file {cache}").finish()
    seconds = []
    for more in ("", f" --cache_file {cache}"):
        start = time.process_time()
        vowpalwabbit.Workspace(options + more).finish()
        seconds.append((time.process_time() - start) / CHOICES)
    return min(seconds)


def river(vw, model):
    with open(vw) as lines:
        rows = [(dict.fromkeys(line.split()[2:], 1.0), line[0] != "-") for _, line in zip(range(ROWS_IN_PYTHON), lines)]
    start = time.process_time()
    for x, y in rows:
        model.predict_proba_one(x)
        model.learn_one(x, y)
    return (time.process_time() - start) / len(rows)


def measure():
    """One round: the seconds of one example, by contestant. Vowpal Wabbit reads its text or its cache, whichever is faster."""
    folder = pathlib.Path("build/rivals")
    folder.mkdir(parents=True, exist_ok=True)
    svm, vw = write_rows(folder, "speed", ROWS, NONZERO, 2**BITS)
    narrow_svm, narrow_vw = write_rows(folder, "narrow", NARROW_ROWS, NARROW_NONZERO, NARROW)
    found = {}
    for program in ([BENCH, svm], [BENCH, narrow_svm, str(NARROW)], [FLOOR, svm], [FLOOR, narrow_svm, str(NARROW)]):
        output = subprocess.run(program, check=True, capture_output=True, text=True).stdout
        found |= {line["name"]: line["seconds"][0] for line in map(json.loads, output.splitlines())}
    output = subprocess.run(["build/release/bench/choose_bench"], check=True, capture_output=True, text=True).stdout
    found |= {"choose": json.loads(output)["seconds"][0], "vw_choose": vw_choose(write_choices(folder))}
    text = vw_text(vw)
    for name, options in (("vw_narrow", ""), ("vw_pairs", "-q ::")):
        found[name] = min(f(narrow_vw, NARROW_ROWS, options) for f in (vw_loop, vw_text))
    return found | {"vw": min(vw_loop(vw), text), "vw_text": text, "river": river(vw, linear_model.LogisticRegression()),
                    "river_scaled": river(vw, preprocessing.StandardScaler() | linear_model.LogisticRegression())}


if __name__ == "__main__":
    for name, seconds in measure().items():
        print(json.dumps({"name": name, "seconds": [seconds]}))
