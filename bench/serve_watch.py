"""Durable decisions and their labels a second of `tarry serve`, beside one that keeps no history (--without-watch): 64 connections, in turns.

    serve_watch.py [SECONDS [PAIRS]]     default: 3 seconds, 10 pairs

Both services run all the time; the load goes to one after the other, in changing order. The load generator has its share of the cores.
"""
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

from serve_dashboards import CONNECTIONS, LOAD, PROGRAM, create, decided

SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 3
PAIRS = int(sys.argv[2]) if len(sys.argv) > 2 else 10


def start(folder, *options):
    command = [PROGRAM, "serve", "--data", str(folder), "--listen", "127.0.0.1:0", "--without-tokens", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    port = int(re.search(r":(\d+)$", process.stdout.readline())[1])
    create(port, "asked", {"task": "binary"})
    return process, port


def user_seconds(pid):
    """Of the processor, without what the system does for it: syncs take as long as others let them."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return int(fields[11]) / os.sysconf("SC_CLK_TCK")


def measured(process, port):
    """Decisions a second, and microseconds of the processor for each with its label."""
    before, used = decided(port), user_seconds(process.pid)
    command = [LOAD, str(port), str(CONNECTIONS), str(SECONDS), "mixed", "asked"]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    made = decided(port) - before
    assert output, "no load"
    return made / SECONDS, 1e6 * (user_seconds(process.pid) - used) / made


def main():
    with tempfile.TemporaryDirectory(dir="build") as folder:
        services = []
        try:
            for name, options in (("on", ()), ("off", ("--without-watch",))):
                services.append(start(pathlib.Path(folder) / name, *options))
            for service in services:
                measured(*service)  # warm
            rates, costs = [], []
            for k in range(PAIRS):
                order = (0, 1) if k % 2 == 0 else (1, 0)
                told = {which: measured(*services[which]) for which in order}
                rates.append(told[0][0] / told[1][0])
                costs.append(told[0][1] / told[1][1])
                print(json.dumps({"on": [round(x, 1) for x in told[0]], "off": [round(x, 1) for x in told[1]]}), flush=True)
            for name, ratios in (("decisions a second", rates), ("user time a decision", costs)):
                print(f"{name}: {statistics.median(ratios):.3f} of that without history, the median of {PAIRS} pairs "
                      f"({min(ratios):.3f} to {max(ratios):.3f})")
        finally:
            for process, _ in services:
                process.terminate()
                process.wait()


if __name__ == "__main__":
    main()
