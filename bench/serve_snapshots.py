"""serve_snapshots.py [SECONDS [PAIRS [OUTSTANDING …]]]: answers of `tarry serve` while it saves a snapshot, beside the same service that
saves none, with so many rounds outstanding (0, 400,000 and a million). 64 connections send decisions and their labels in turn.

Each pair is one run without snapshots and one in which a snapshot is due after every 5,000 entries, so that one is nearly always
being saved, both on copies of one prepared state; what is printed are the medians over the pairs. `memory` is the largest resident
memory of a run over that before its load.
"""

import contextlib
import json
import os
import pathlib
import shutil
import statistics
import sys
import threading

from serve_speed import FOLDER, ask, load, serving

OUTSTANDING = (0, 400_000, 1_000_000)
EVERY = {"off": 0, "on": 5_000}  # entries between snapshots: nearly always one is being saved
BATCH = 1000


def resident(process):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])


def prepare(outstanding):
    """A store whose model has so many rounds outstanding, saved when the service ended."""
    shutil.rmtree(FOLDER / "data", ignore_errors=True)
    with serving("--snapshot-every", "0") as (_, port):
        ask(port, "PUT", "/v1/models/load", {"task": "binary"})
        for first in range(0, outstanding, BATCH):
            numbers = range(first, first + BATCH)
            requests = [{"features": {f"f{i}": j * 7 % 101 for i in range(10)}, "key": f"key-{j}"} for j in numbers]
            ask(port, "POST", "/v1/models/load/decisions", {"requests": requests})
    (FOLDER / "data").rename(FOLDER / "prepared")


@contextlib.contextmanager
def largest(process):
    """The largest resident memory meanwhile, as the one entry of a list."""
    seen, stop = [resident(process)], threading.Event()

    def look():
        while not stop.wait(0.02):
            seen[0] = max(seen[0], resident(process))

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield seen
    finally:
        stop.set()
        thread.join()


def saved_or_begun():
    return {(path.name, path.stat().st_mtime) for path in (FOLDER / "data/snapshots").iterdir()}


def run(every):
    shutil.rmtree(FOLDER / "data", ignore_errors=True)
    shutil.copytree(FOLDER / "prepared", FOLDER / "data")
    before = saved_or_begun()
    with serving("--snapshot-every", str(every)) as (process, port):
        ask(port, "GET", "/readyz")
        resting = resident(process)
        with largest(process) as seen:
            found = load(process, port, "mixed")
        if every > 0 and saved_or_begun() == before:
            raise SystemExit("no snapshot was begun: give it more seconds")
        process.kill()
        return found | {"memory": seen[0] / resting}


def measure(pairs=1, outstanding=OUTSTANDING):
    """Medians by name: rounds outstanding, whether snapshots were on, and what was timed."""
    found = {}
    for count in outstanding:
        shutil.rmtree(FOLDER / "prepared", ignore_errors=True)
        prepare(count)
        seen = {}
        for _ in range(pairs):
            for word, every in EVERY.items():
                for name, value in run(every).items():
                    seen.setdefault(f"outstanding_{count}_{word}_{name}", []).append(value)
        found |= {name: statistics.median(values) for name, values in seen.items()}
    shutil.rmtree(FOLDER / "prepared")
    shutil.rmtree(FOLDER / "data")
    return found


if __name__ == "__main__":
    os.chdir(pathlib.Path(__file__).parents[1])
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    wanted = [int(word) for word in sys.argv[3:]] or OUTSTANDING
    for name, value in measure(int(sys.argv[2]) if len(sys.argv) > 2 else 10, wanted).items():
        print(json.dumps({"name": name, "seconds": [value]}))
    print(json.dumps({"name": "machine's load", "seconds": [os.getloadavg()[0]]}))
