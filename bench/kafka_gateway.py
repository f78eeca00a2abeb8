"""How long a decision takes through a gateway at 1,000 a second: one broker, and three with three copies of everything. Gateway, worker,
brokers and load are all on this machine. Needs a JVM (make packages-kafka). Prints a JSON object for each.

    python3 bench/kafka_gateway.py [SECONDS [RATE]]

Each decision has ten numbers by name and an Idempotency-Key. The time is from when it was due (bench/serve_load.cpp), so that a pause
counts for all that had to wait for it. Processor microseconds a decision are those of the gateway, the worker and the brokers, each by
itself."""
import http.client
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

from processor import processor_seconds

TARRY = "build/release/tarry"
LOAD = "build/release/bench/serve_load"
SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 15
RATE = float(sys.argv[2]) if len(sys.argv) > 2 else 1000

loader = importlib.machinery.SourceFileLoader("kafka_broker", "deploy/kafka/broker")
broker = importlib.util.module_from_spec(importlib.util.spec_from_loader("kafka_broker", loader))
loader.exec_module(broker)


def ask(port, method, path, value=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, path, None if value is None else json.dumps(value), {"Content-Type": "application/json"})
    answer = connection.getresponse()
    answer.read()
    return answer.status


def until(truth, seconds=300):
    end = time.monotonic() + seconds
    while not truth():
        if time.monotonic() > end:
            sys.exit("kafka_gateway: it did not get ready")
        time.sleep(0.2)


def measure(nodes, folder):
    cluster = broker.Cluster(folder / f"of-{nodes}", nodes)
    running = []
    try:
        cluster.start()
        where = ["--kafka", cluster.brokers]
        create = [TARRY, "queue", "create", *where, "--partitions", "4", "--replication", str(nodes)]
        until(lambda: subprocess.run(create, capture_output=True).returncode == 0)  # three need a moment to know each other
        until(lambda: subprocess.run([TARRY, "queue", "check", *where], capture_output=True).returncode == 0)
        running.append(subprocess.Popen([TARRY, "worker", *where, "--unsafe-topics"], stderr=subprocess.DEVNULL))
        running.append(subprocess.Popen([TARRY, "serve", *where, "--unsafe-topics", "--without-tokens", "--data", folder / "data", "--listen",
                                         "127.0.0.1:0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))
        port = None
        for line in running[1].stdout:
            if found := re.search(r"serves .*:(\d+)\s*$", line):
                port = int(found.group(1))
                break
        if port is None:
            sys.exit(f"kafka_gateway: the gateway ended: {line.strip()}")
        threading.Thread(target=running[1].stdout.read, daemon=True).start()
        until(lambda: ask(port, "GET", "/readyz") == 200)
        until(lambda: ask(port, "PUT", "/v1/models/load", {"task": "binary"}) in (200, 201))
        load = [LOAD, str(port), "64", str(SECONDS), "decide", "load"]
        subprocess.run([*load, str(RATE / 4)], capture_output=True)  # a broker that has just begun compiles its own code
        parts = {"worker_us": [running[0].pid], "gateway_us": [running[1].pid], "broker_us": cluster.pids()}
        before = {name: processor_seconds(*pids) for name, pids in parts.items()}
        done = subprocess.run([*load, str(RATE)], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"kafka_gateway: {done.stderr.strip()}")
        found = {line["name"]: line["seconds"][0] for line in map(json.loads, done.stdout.splitlines())}
        decisions = SECONDS / found["decision"]
        spent = {name: round(1e6 * (processor_seconds(*pids) - before[name]) / decisions, 1) for name, pids in parts.items()}
        print(json.dumps({"what": f"a decision through the gateway, {nodes} broker{'s' * (nodes > 1)}",
                          "decisions_per_second": round(1 / found["decision"]), **spent,
                          "p50_ms": round(1000 * found["decision_p50"], 2), "p99_ms": round(1000 * found["decision_p99"], 2),
                          "load": round(os.getloadavg()[0], 1)}), flush=True)
    finally:
        for process in running:
            process.terminate()
            process.wait()
        cluster.stop()


def main():
    with tempfile.TemporaryDirectory() as folder:
        for nodes in (1, 3):
            measure(nodes, pathlib.Path(folder))


if __name__ == "__main__":
    try:
        broker.fetch()
    except broker.Missing as why:
        sys.exit(f"kafka_gateway: {why}")
    main()
