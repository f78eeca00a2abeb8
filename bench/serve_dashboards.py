"""Durable decisions a second of `tarry serve` with twenty dashboards open, beside none: 64 connections, in turns.

    serve_dashboards.py [SECONDS [TURNS]]     default: 3 seconds, 5 turns of each

The load generator and the readers of the streams have their share of the same cores.
"""
import http.client
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import threading

PROGRAM = "build/release/tarry"
LOAD = pathlib.Path("build/release/bench/serve_load")
CONNECTIONS, DASHBOARDS, MODELS = 64, 20, 50
SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 3
TURNS = int(sys.argv[2]) if len(sys.argv) > 2 else 5
SPEC = {"set": {"type": "simplex", "dimension": 3}, "learner": {"type": "auto"}}


def create(port, name, spec):
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    line.request("PUT", f"/v1/models/{name}", json.dumps(spec), {"Content-Type": "application/json"})
    reply = line.getresponse()
    reply.read()
    line.close()
    if reply.status >= 300:
        raise SystemExit(f"{name}: {reply.status}")


class Dashboard:
    """Somebody who reads the stream and does nothing else."""

    def __init__(self, port):
        self.line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.line.request("GET", "/v1/live?range=10m")
        self.reply = self.line.getresponse()
        self.lines = 0
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        try:
            while self.reply.readline():
                self.lines += 1
        except (OSError, ValueError, AttributeError, http.client.HTTPException):
            pass

    def close(self):
        self.line.sock.shutdown(2)
        self.line.close()


def decisions(port):
    """Seconds for each durable decision, as the load generator saw them."""
    output = subprocess.run([LOAD, str(port), str(CONNECTIONS), str(SECONDS), "decide", "asked"], check=True, capture_output=True, text=True).stdout
    return [line["seconds"][0] for line in map(json.loads, output.splitlines())][0]


def processor(pid):
    """Seconds of the processor that the service has used; what others do on the machine does not change them much."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def decided(port):
    """How many rounds the model has played."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    line.request("GET", "/v1/models")
    models = json.loads(line.getresponse().read())["models"]
    line.close()
    return next(model["rounds"] for model in models if model["name"] == "asked")


def measured(port, pid):
    """Decisions a second, and microseconds of the processor for each."""
    before, used = decided(port), processor(pid)
    rate = 1 / decisions(port)
    return rate, 1e6 * (processor(pid) - used) / (decided(port) - before)


def main():
    with tempfile.TemporaryDirectory(dir="build") as folder:
        command = [PROGRAM, "serve", "--data", f"{folder}/data", "--listen", "127.0.0.1:0", "--without-tokens"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            port = int(re.search(r":(\d+)$", process.stdout.readline())[1])
            create(port, "asked", {"task": "binary"})
            for k in range(MODELS):
                create(port, f"beside-{k}", SPEC)
            decisions(port)  # warm
            without, beside = [], []
            for _ in range(TURNS):
                without.append(measured(port, process.pid))
                open_pages = [Dashboard(port) for _ in range(DASHBOARDS)]
                beside.append(measured(port, process.pid))
                read = sum(page.lines for page in open_pages)
                for page in open_pages:
                    page.close()
                assert read >= DASHBOARDS * (SECONDS - 1), read
            for k, name in enumerate(("decisions a second", "µs of the processor a decision")):
                none, many = ([turn[k] for turn in turns] for turns in (without, beside))
                print(f"{name}: {statistics.median(none):,.1f} without, {statistics.median(many):,.1f} with {DASHBOARDS} dashboards open; "
                      f"ratio {statistics.median(many) / statistics.median(none):.3f} (medians of {TURNS} turns: "
                      f"{', '.join(f'{x:,.0f}' for x in none)} and {', '.join(f'{x:,.0f}' for x in many)})")
        finally:
            process.terminate()
            process.wait()


if __name__ == "__main__":
    main()
