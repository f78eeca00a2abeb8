"""Durable decisions a second of `tarry serve` with twenty dashboards open, beside none: 64 connections, in turns.

    serve_dashboards.py [SECONDS [TURNS]]     default: 3 seconds, 5 turns of each

The load generator and the readers of the streams have their share of the same cores.
"""
import http.client
import json
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


def main():
    with tempfile.TemporaryDirectory(dir="build") as folder:
        command = [PROGRAM, "serve", "--data", f"{folder}/data", "--listen", "127.0.0.1:0"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            port = int(re.search(r":(\d+)$", process.stdout.readline())[1])
            create(port, "asked", {"task": "binary"})
            for k in range(MODELS):
                create(port, f"beside-{k}", SPEC)
            decisions(port)  # warm
            without, beside = [], []
            for _ in range(TURNS):
                without.append(1 / decisions(port))
                open_pages = [Dashboard(port) for _ in range(DASHBOARDS)]
                beside.append(1 / decisions(port))
                read = sum(page.lines for page in open_pages)
                for page in open_pages:
                    page.close()
                assert read >= DASHBOARDS * (SECONDS - 1), read
            print(f"decisions a second without dashboards: {statistics.median(without):,.0f} (median of {TURNS}: "
                  f"{', '.join(f'{x:,.0f}' for x in without)})")
            print(f"with {DASHBOARDS} dashboards open: {statistics.median(beside):,.0f} ({', '.join(f'{x:,.0f}' for x in beside)})")
            print(f"ratio {statistics.median(beside) / statistics.median(without):.3f}, goal 0.95")
        finally:
            process.terminate()
            process.wait()


if __name__ == "__main__":
    main()
