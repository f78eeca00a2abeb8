"""Seconds a row of whole programs over files: `tarry run` beside Vowpal Wabbit on its own text format, predictions written by both.

Processor seconds, start to end, all threads together. 300,000 rows of eleven numbers and a label as CSV, and the sparse rows of
speed.py (200,000 of 30 among 2^20). `auto` is eight rates of AdaGrad; products and bends are off, as Vowpal Wabbit has none.
"""
import json
import math
import os
import pathlib
import random
import resource
import subprocess
import sys

ROWS, NUMBERS = 300_000, 11
TARRY = os.path.abspath("build/release/tarry")
FLOOR = os.path.abspath("build/release/bench/floor_bench")
EXPERIMENT = """name = "{name}"
checkpoints = 2
comparator = false
products = false
bends = false
keep = "auto"
[stream]
name = "{name}"
{stream}
loss = "logistic"
[delay]
type = "none"
[[learners]]
name = "auto"
type = "auto"
standardise = {standardise}
set = {{ type = "box", dimension = "stream", lower = -10, upper = 10 }}
"""
VW = """import sys, time, vowpalwabbit
start = time.process_time()
vowpalwabbit.Workspace(f"--quiet -b 20 --loss_function logistic -d {sys.argv[1]} -p {sys.argv[2]}").finish()
print(time.process_time() - start)
"""  # without the start of Python


def write_numbers(folder):
    """The same rows as CSV and as Vowpal Wabbit text."""
    csv, vw = folder / "numbers.csv", folder / "numbers.vw"
    if vw.exists():
        return csv, vw
    draw = random.Random(7)
    weights = [draw.gauss(0, 1) for _ in range(NUMBERS)]
    with open(csv, "w") as one, open(vw, "w") as other:
        one.write(",".join(f"x{i}" for i in range(NUMBERS)) + ",answer\n")
        for _ in range(ROWS):
            x = [round(draw.gauss(0, 1), 5) for _ in range(NUMBERS)]
            score = sum(a * b for a, b in zip(x, weights)) / 2
            answer = 1 if draw.random() < 1 / (1 + math.exp(-score)) else -1
            one.write(",".join(map(str, x)) + f",{answer}\n")
            other.write(f"{answer} | " + " ".join(f"x{i}:{value}" for i, value in enumerate(x)) + "\n")
    return csv, vw


def processor_seconds(command, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, cwd=folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def tarry_run(folder, name, stream, standardise):
    file = folder / f"{name}.toml"
    file.write_text(EXPERIMENT.format(name=name, stream=stream, standardise=standardise))
    return processor_seconds([TARRY, "run", file.name, "--fresh", "--jobs", "1"], folder)


def vw_run(folder, file):
    command = [sys.executable, "-c", VW, file.name, f"{file.name}.predictions"]
    return float(subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder).stdout)


def floor_of(csv):
    """A pass over the file's bytes and the kernels of eight rates on as many numbers, an intercept with them."""
    output = subprocess.run([FLOOR, "dense", str(NUMBERS + 1), str(ROWS), csv], check=True, capture_output=True, text=True).stdout
    found = {line["name"]: line["seconds"][0] for line in map(json.loads, output.splitlines())}
    return found["floor_dense"] + found["floor_bytes"]


def measure(folder=pathlib.Path("build/rivals")):
    folder.mkdir(parents=True, exist_ok=True)
    csv, numbers = write_numbers(folder)
    columns = ", ".join(f'"x{i}"' for i in range(NUMBERS))
    found = {"csv": tarry_run(folder, "csv", f'type = "csv"\npath = "{csv.name}"\nlabel = "answer"\nfeatures = [{columns}]', "true") / ROWS,
             "vw_numbers": vw_run(folder, numbers) / ROWS, "floor_csv": floor_of(csv)}
    sparse = folder / "speed.svm"
    if sparse.exists():  # speed.py writes it
        rows = 200_000
        found["sparse"] = tarry_run(folder, "sparse", f'type = "libsvm"\npath = "{sparse.name}"\ndimension = {2**20}\nintercept = false', "false") / rows
        found["vw_sparse"] = vw_run(folder, sparse.with_suffix(".vw")) / rows
    return found


if __name__ == "__main__":
    for name, seconds in measure().items():
        print(json.dumps({"name": name, "seconds": [seconds]}))
