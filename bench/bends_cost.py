#!/usr/bin/env python3
"""Instructions of a round with numbers that bend and without, counted by callgrind: they do not depend on what else the machine does.

    bends_cost.py [--numbers 20] [--classes K] [--program build/release/tarry]

Rows of so many named numbers, labels 50 rounds late, task `binary`, nothing else set. What a round costs is the difference between 1,500
rounds and 500, reading the log included. With --classes: task `classes`, with neither products nor bends beside nothing set.
"""
import argparse
import json
import math
import pathlib
import random
import re
import subprocess
import tempfile

LATE, SHORT, LONG = 50, 500, 1500


def model_of(classes, bends):
    if classes == 0:
        return {"task": "binary"} | ({} if bends else {"bends": False})
    return {"task": "classes", "classes": [f"c{k}" for k in range(classes)]} | ({} if bends else {"products": 0})


def write_log(path, rounds, options, bends):
    numbers = options.numbers
    draw, waiting = random.Random(1), []
    with open(path, "w", encoding="utf-8") as log:
        write = lambda line: log.write(json.dumps(line) + "\n")
        write({"format": "tarry-replay/2", "model": model_of(options.classes, bends)})
        for t in range(1, rounds + 1):
            row = [draw.gauss(0, 1) for _ in range(numbers)]
            write({"play": t, "features": {f"x{i}": round(x, 4) for i, x in enumerate(row)}})
            chance = 1 / (1 + math.exp(-math.sin(2 * row[0]) - row[-1] * row[numbers // 2]))
            label = int(draw.random() < chance)
            waiting.append((t, label if options.classes == 0 else f"c{(label + t) % options.classes}"))
            if len(waiting) > LATE:
                round_, label = waiting.pop(0)
                write({"label": round_, "value": label})


def instructions(program, log, folder):
    done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder / 'counts'}", program, "replay", log],
                          capture_output=True, text=True, check=True)
    return int(re.search(r"refs:\s+([\d,]+)", done.stderr)[1].replace(",", ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--numbers", type=int, default=20)
    parser.add_argument("--classes", type=int, default=0)
    parser.add_argument("--program", default="build/release/tarry")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder, each = pathlib.Path(name), {}
        for bends in (False, True):
            counts = []
            for rounds in (SHORT, LONG):
                write_log(folder / "log.jsonl", rounds, options, bends)
                counts.append(instructions(options.program, folder / "log.jsonl", folder))
            each[bends] = (counts[1] - counts[0]) / (LONG - SHORT)
        classes = f", {options.classes} classes" if options.classes else ""
        print(f"{options.numbers} numbers{classes}: {each[False] / 1000:.0f} thousand instructions a round without bends, "
              f"{each[True] / 1000:.0f} with ({each[True] / each[False]:.2f} times)")


main()
