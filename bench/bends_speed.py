#!/usr/bin/env python3
"""Processor time of `auto` on streams whose numbers bend, beside Vowpal Wabbit's plain update and LightGBM's retraining.

    bends_speed.py [--only NAME]

µs of the processor a row, for predicting it and learning its label: `tarry run` on the table, the reading included; Vowpal Wabbit on a file
in its own format, labels at once; LightGBM (100 trees of 15 leaves) fitted whenever a tenth more labels have come, its fits and predictions
alone. The streams are those of fresh_streams.py.
"""
import argparse
import heapq
import pathlib
import resource
import subprocess
import tempfile
import time

import vowpalwabbit

from bend_rivals import BOOSTERS, LightGbm
from fresh_streams import fresh_streams
from tarry_parts import lines

WAYS = {"auto": {}, "without trees": {"trees": False}, "without bends": {"bends": False}}


def tarry_seconds(stream, folder, keys):
    text = "\n".join([lines({"name": "speed", "comparator": False, "standardise": True, "checkpoints": 2, **keys}),
                      '[set]\ntype = "box"\ndimension = "stream"\nlower = -10\nupper = 10\n[stream]', lines({"name": "stream", **stream.spec}),
                      '[[delays]]\ntype = "recorded"\n[[learners]]\ntype = "auto"\n'])
    experiment = folder / "speed.toml"
    experiment.write_text(text)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(["build/release/tarry", "run", experiment, "--jobs", "1", "--fresh", "--out", folder / "out"], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def vw_seconds(stream, folder):
    path = folder / "rows.vw"
    with open(path, "w") as out:
        for row, label in zip(stream.rows, stream.labels):
            out.write(f"{label:g} |f " + " ".join(f"{i}:{x:.6g}" for i, x in row) + "\n")
    began = time.process_time()
    vowpalwabbit.Workspace(f"--quiet --loss_function {stream.loss} -d {path}").finish()
    return time.process_time() - began


def lightgbm_seconds(stream):
    rival, waiting = LightGbm(stream, BOOSTERS[0]), []
    began = time.process_time()
    for row, then in enumerate(stream.feedback_time):
        while waiting and waiting[0][0] < stream.event_time[row]:
            rival.learn(heapq.heappop(waiting)[1])
        rival.predict(row)
        if then is not None:
            heapq.heappush(waiting, (then, row))
    return time.process_time() - began


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    print(f"{'µs a row':<28}" + "".join(f"{name:>16}" for name in (*WAYS, "Vowpal Wabbit", "LightGBM")) + "   auto / VW   LightGBM / auto")
    with tempfile.TemporaryDirectory() as own:
        folder = pathlib.Path(own)
        for stream in fresh_streams(folder, 1):
            if not any(part in stream.name for part in options.only.split("|")):
                continue
            of = [min(tarry_seconds(stream, folder, keys) for _ in range(3)) for keys in WAYS.values()]
            of += [min(vw_seconds(stream, folder) for _ in range(3)), lightgbm_seconds(stream)]
            print(f"{stream.name:<28}" + "".join(f"{1e6 * seconds / len(stream.rows):16.1f}" for seconds in of)
                  + f"{of[0] / of[3]:12.1f}{of[4] / of[0]:18.1f}", flush=True)


if __name__ == "__main__":
    main()
