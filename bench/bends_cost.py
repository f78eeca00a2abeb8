#!/usr/bin/env python3
"""What each kind of expert costs: instructions and microseconds of a round, and memory.

    bends_cost.py [--numbers 20] [--classes K] [--program build/release/tarry] [--rounds 8000] [--without-instructions]

Rows of so many named numbers, labels 50 rounds late, task `binary`, nothing else set. Instructions are counted by callgrind and do not
depend on what else the machine does: the difference between 1,500 rounds and 500, reading the log included. Microseconds are user time, the
least of three, between a fifth of the rounds and all of them, and memory is the most that the whole program takes.
With --classes: task `classes`, with neither products nor bends beside nothing set.
"""
import argparse
import json
import math
import os
import pathlib
import random
import re
import subprocess
import tempfile
import time

LATE, SHORT, LONG, TIMES = 50, 500, 1500, 3
KINDS = {"features alone": {"products": 0, "bends": False}, "products": {"bends": False}, "bends": {"trees": False}, "trees": {}}
KINDS_OF_CLASSES = {"features alone": {"products": 0}, "products and bends": {}}


def write_log(path, rounds, options, keys):
    numbers = options.numbers
    draw, waiting = random.Random(1), []
    task = {"task": "classes", "classes": [f"c{k}" for k in range(options.classes)]} if options.classes else {"task": "binary"}
    with open(path, "w", encoding="utf-8") as log:
        write = lambda line: log.write(json.dumps(line) + "\n")
        write({"format": "tarry-replay/2", "model": task | keys})
        for t in range(1, rounds + 1):
            row = [draw.gauss(0, 1) for _ in range(numbers)]
            write({"play": t, "features": {f"x{i}": round(x, 4) for i, x in enumerate(row)}})
            chance = 1 / (1 + math.exp(-math.sin(2 * row[0]) - row[-1] * row[numbers // 2]))
            label = int(draw.random() < chance)
            waiting.append((t, label if options.classes == 0 else f"c{(label + t) % options.classes}"))
            if len(waiting) > LATE:
                round_, label = waiting.pop(0)
                write({"label": round_, "value": label})


def instructions(program, log):
    done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={log.with_suffix('.counts')}", program, "replay", log],
                          capture_output=True, text=True, check=True)
    return int(re.search(r"refs:\s+([\d,]+)", done.stderr)[1].replace(",", ""))


def used(program, log):
    """Seconds of the processor, and the most memory in kB, looked at until the end: what wait4 says of it begins with Python's own."""
    most = 0
    with subprocess.Popen([program, "replay", log], stdout=subprocess.DEVNULL) as running:
        while os.waitid(os.P_PID, running.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
            found = re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{running.pid}/status").read_text())
            most = max(most, int(found[1]) if found else 0)
            time.sleep(0.002)
        _, status, usage = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
    assert running.returncode == 0, f"{program} replay failed"
    return usage.ru_utime, most


def cost(options, keys, folder):
    def log(rounds):
        path = folder / f"{rounds}.jsonl"
        write_log(path, rounds, options, keys)
        return path

    counted = 0
    if not options.without_instructions:
        counted = (instructions(options.program, log(LONG)) - instructions(options.program, log(SHORT))) / (LONG - SHORT)
    fifth, whole = ([used(options.program, path) for _ in range(TIMES)] for path in map(log, (options.rounds // 5, options.rounds)))
    seconds = min(one for one, _ in whole) - min(one for one, _ in fifth)
    return counted, 1e6 * seconds / (options.rounds - options.rounds // 5), max(kb for _, kb in whole)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--numbers", type=int, default=20)
    parser.add_argument("--classes", type=int, default=0)
    parser.add_argument("--program", default="build/release/tarry")
    parser.add_argument("--rounds", type=int, default=8000)
    parser.add_argument("--without-instructions", action="store_true")
    options = parser.parse_args()
    classes = f", {options.classes} classes" if options.classes else ""
    print(f"{options.numbers} numbers{classes}, a round         instructions    µs   the program's memory after {options.rounds:,} rounds")
    first = None
    with tempfile.TemporaryDirectory() as folder:
        kinds = KINDS_OF_CLASSES if options.classes else KINDS
        for kind, keys in kinds.items():
            counted, each, memory = cost(options, keys, pathlib.Path(folder))
            first = first or counted
            print(f"    {kind:<20} {counted / 1000:12.0f} thousand ({counted / (first or 1):.2f}) {each:7.1f} {memory:9,} kB", flush=True)


main()
