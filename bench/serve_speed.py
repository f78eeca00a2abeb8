"""Durable decisions of `tarry serve`, 64 connections: beside a server that writes nothing, beside one that syncs each request,
idle and while another model learns something expensive; choices among ten actions; with 0, 400,000 and a million rounds outstanding, without snapshots and
while one is saved (serve_snapshots.py); and how long a million events take to recover.

Seconds are the clock's, and the load generator has its share of the same cores; `cpu` is the server's processor time for one
answer, which a busy machine changes less.
"""

import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time

PROGRAM = "build/release/tarry"
BENCH = pathlib.Path("build/release/bench")
FOLDER = pathlib.Path("build/serve_speed")
CONNECTIONS = 64
SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 5
EVENTS = int(sys.argv[2]) if len(sys.argv) > 2 else 200_000  # that recovery is timed on
GOALS = {"twenty_thousand": 1 / 20_000, "ten_ms": 0.01, "hundred_ms": 0.1, "memory": 1.3}

# Small requests, and an update that goes over four million numbers.
EXPENSIVE = {
    "set": {"type": "l1_ball", "dimension": 2_000_000, "radius": 10},
    "loss": {"type": "squared"},
    "learner": {"type": "delayed_ofw", "eta": 0.1, "storage": "dense"},
}


def ask(port, method, path, value=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, path, None if value is None else json.dumps(value), {"Content-Type": "application/json"})
    answer = connection.getresponse()
    data = answer.read()
    connection.close()
    if answer.status >= 300:
        raise SystemExit(f"{method} {path}: {answer.status} {data[:300]!r}")
    return json.loads(data)


@contextlib.contextmanager
def running(command, said):
    """A server, and the port that it tells on a line that has `said` before it."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        found = None
        for line in process.stdout:
            if found := re.search(said + r"([1-9]\d*)", line):
                break
        if not found:
            raise SystemExit(f"{command[0]} did not say where it listens")
        threading.Thread(target=process.stdout.read, daemon=True).start()
        yield process, int(found.group(1))
    finally:
        process.terminate()
        process.wait()


def serving(*options):
    command = [PROGRAM, "serve", "--data", str(FOLDER / "data"), "--listen", "127.0.0.1:0", "--without-tokens", *options]
    return running(command, r"127\.0\.0\.1:")


def processor(process):
    """Seconds of the processor that a process has used, all threads together."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def load(process, port, kind, model="load"):
    """What the load generator saw, by name; `cpu` is the processor's time of the server for one answer."""
    before = processor(process)
    command = [BENCH / "serve_load", str(port), str(CONNECTIONS), str(SECONDS), kind, model]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = {line["name"]: line["seconds"][0] for line in map(json.loads, output.splitlines())}
    return found | {"cpu": (processor(process) - before) / found.pop("answers")}


def named(prefix, found):
    return {f"{prefix}{name}": seconds for name, seconds in found.items()}


@contextlib.contextmanager
def learning(port):
    """Another model that learns all the time, one expensive update after the other."""
    ask(port, "PUT", "/v1/models/expensive", EXPENSIVE)
    stop = threading.Event()
    features = {"indices": [1, 1_000_000], "values": [0.5, 2]}

    def learn():
        while not stop.is_set():
            ticket = ask(port, "POST", "/v1/models/expensive/decisions", {"features": features})["ticket"]
            ask(port, "POST", "/v1/feedback", {"ticket": ticket, "label": 1.5})

    thread = threading.Thread(target=learn)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def recovery():
    """Seconds from the start to readiness with a log of EVENTS, for a million events; and to read its bytes alone."""
    with serving() as (process, port):
        ask(port, "PUT", "/v1/models/load", {"task": "binary"})
        done = 0
        while done < EVENTS:
            requests = [{"features": {f"f{i}": (done + j) * 7 % 101 for i in range(10)}} for j in range(500)]
            reply = ask(port, "POST", "/v1/models/load/decisions", {"requests": requests})
            decisions = reply["results"]
            ask(
                port, "POST", "/v1/feedback", [{"ticket": d["ticket"], "label": d["round"] % 3 == 0} for d in decisions]
            )
            done += 1000
        process.kill()  # no snapshot: all of it is folded again
        process.wait()
    start = time.monotonic()
    with serving() as (_, port):
        while True:
            with contextlib.suppress(SystemExit, OSError):
                ask(port, "GET", "/readyz")
                break
            time.sleep(0.005)
        seconds = time.monotonic() - start
    start = time.monotonic()
    for path in (FOLDER / "data").rglob("*"):
        if path.is_file():
            path.read_bytes()
    read = time.monotonic() - start
    return {"recovery": seconds * 1e6 / EVENTS, "read": read * 1e6 / EVENTS}


def measure():
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    found = dict(GOALS)
    with running([BENCH / "bare_server", "none"], "^") as server:
        found |= named("bare_", load(*server, "decide"))
    with running([BENCH / "bare_server", "sync", str(FOLDER / "synced")], "^") as server:
        found |= named("one_sync_", load(*server, "decide"))
    with serving() as (process, port):
        ask(port, "PUT", "/v1/models/load", {"task": "binary"})
        found |= load(process, port, "decide")
        ask(port, "PUT", "/v1/models/menu", {"task": "choose"})
        found |= named("choose_", load(process, port, "choose", "menu"))
        found |= named("mixed_", load(process, port, "mixed"))
        with learning(port):
            found |= named("busy_", load(process, port, "decide"))
    shutil.rmtree(FOLDER)
    FOLDER.mkdir()
    import serve_snapshots  # which needs what stands above

    found |= serve_snapshots.measure()
    shutil.rmtree(FOLDER)
    FOLDER.mkdir()
    found |= recovery()
    shutil.rmtree(FOLDER)
    return found


if __name__ == "__main__":
    os.chdir(pathlib.Path(__file__).parents[1])
    for name, seconds in measure().items():
        print(json.dumps({"name": name, "seconds": [seconds]}))
