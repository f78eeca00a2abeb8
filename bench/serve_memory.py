"""serve_memory.py [THOUSANDS]: what memory `tarry serve` takes over so many thousand decisions (2,500), each labelled a thousand decisions
later, and then with a million that wait. Prints the resident memory on the way, in MiB."""

import json
import pathlib
import shutil
import sys

from serve_speed import FOLDER, ask, serving

BATCH = 1000


def resident(process):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def decide(port, first):
    requests = [{"features": {f"f{i}": (first + j) * 7 % 101 for i in range(10)}} for j in range(BATCH)]
    return [
        entry["ticket"] for entry in ask(port, "POST", "/v1/models/load/decisions", {"requests": requests})["results"]
    ]


def main():
    thousands = int(sys.argv[1]) if len(sys.argv) > 1 else 2500
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    with serving() as (process, port):
        ask(port, "PUT", "/v1/models/load", {"task": "binary"})
        waiting = []
        for thousand in range(thousands):
            tickets = decide(port, thousand * BATCH)
            if waiting:
                ask(
                    port,
                    "POST",
                    "/v1/feedback",
                    [{"ticket": ticket, "label": i % 3 == 0} for i, ticket in enumerate(waiting)],
                )
            waiting = tickets
            if (thousand + 1) % 250 == 0:
                print(
                    json.dumps(
                        {"decisions": (thousand + 1) * BATCH, "waiting": BATCH, "MiB": round(resident(process), 1)}
                    ),
                    flush=True,
                )
        for thousand in range(1000):
            decide(port, thousand * BATCH)
        print(
            json.dumps(
                {"decisions": (thousands + 1000) * BATCH, "waiting": 1_001_000, "MiB": round(resident(process), 1)}
            ),
            flush=True,
        )
    shutil.rmtree(FOLDER)


if __name__ == "__main__":
    main()
