"""What workers on Kafka drain, with a broker of one node on this machine: events a second of one worker, two against one, and how
long a worker that was killed takes to go on. Needs a JVM (make packages-kafka). Prints a JSON object for each.

The model is small: 8 dense features, squared loss, delayed gradient descent; half of the events are plays, half late labels. Time is
from the moment a partition is assigned until the last outcome is acknowledged by the broker; processor seconds are the workers',
all threads together. The broker's own are beside them: what an event costs us, and what it costs Kafka."""
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

from processor import processor_seconds

TARRY = "build/release/tarry"
EVENTS = int(sys.argv[1]) if len(sys.argv) > 1 else 400_000
SPEC = {"set": {"type": "linf_ball", "dimension": 8, "radius": 1}, "learner": {"type": "delayed_ogd", "eta": 0.05},
        "loss": {"type": "squared"}}

loader = importlib.machinery.SourceFileLoader("kafka_broker", "deploy/kafka/broker")
broker = importlib.util.module_from_spec(importlib.util.spec_from_loader("kafka_broker", loader))
loader.exec_module(broker)


def write_events(path, models=16):
    draw = random.Random(1)
    played, told = [0] * models, [0] * models
    with open(path, "w") as out:
        for model in range(models):
            out.write(f"m{model}\t{json.dumps({'create': SPEC})}\n")
        for _ in range(EVENTS):
            model = draw.randrange(models)
            if played[model] < told[model] + 20 or draw.random() < 0.5:
                played[model] += 1
                row = ", ".join(f"{draw.uniform(-1, 1):.3f}" for _ in range(8))
                out.write(f'm{model}\t{{"play": true, "features": [{row}]}}\n')
            else:
                told[model] += 1
                out.write(f'm{model}\t{{"label": {told[model]}, "value": {draw.uniform(-1, 1):.3f}}}\n')


class Worker:
    def __init__(self, brokers, prefix, *more):
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen([TARRY, "worker", "--kafka", brokers, "--prefix", prefix, "--group", prefix, "--unsafe-topics",
                                         "--session-ms", "6000", *more], stderr=self.log)

    def said(self, event):
        self.log.seek(0)
        return [line for line in map(json.loads, self.log.read().splitlines()) if line["event"] == event]

    def stop(self):
        self.process.terminate()
        self.process.wait()


def fresh(brokers, prefix, partitions, events):
    where = ["--kafka", brokers, "--prefix", prefix]
    subprocess.run([TARRY, "queue", "create", *where, "--partitions", str(partitions), "--replication", "1"], check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run([TARRY, "queue", "send", *where, events], check=True, stdout=subprocess.DEVNULL)


def drained(workers, partitions):
    """Seconds from the first assignment to the last outcome; each partition is caught up by one of them."""
    while len({line["partition"] for worker in workers for line in worker.said("caught_up")}) < partitions:
        time.sleep(0.05)
    first = min(line["time_ms"] for worker in workers for line in worker.said("assigned"))
    return (max(line["time_ms"] for worker in workers for line in worker.said("caught_up")) - first) / 1000


def costs(cluster, workers, before, seconds):
    """Events a second, and processor microseconds an event: of the workers and, since `before`, of the broker."""
    events = EVENTS + 16
    own = processor_seconds(*(worker.process.pid for worker in workers))
    brokers = processor_seconds(*cluster.pids()) - before
    return {"events_per_second": round(events / seconds), "events_per_processor_second": round(events / own),
            "own_us": round(1e6 * own / events, 2), "broker_us": round(1e6 * brokers / events, 2), "load": round(os.getloadavg()[0], 1)}


def main():
    with tempfile.TemporaryDirectory() as folder:
        events = pathlib.Path(folder) / "events.tsv"
        write_events(events)
        cluster = broker.Cluster(pathlib.Path(folder) / "broker")
        try:
            cluster.start()
            fresh(cluster.brokers, "one", 1, events)
            before = processor_seconds(*cluster.pids())
            worker = Worker(cluster.brokers, "one")
            seconds = drained([worker], 1)
            print(json.dumps({"what": "one worker, one partition", **costs(cluster, [worker], before, seconds)}), flush=True)
            worker.process.kill()
            worker.process.wait()
            again = Worker(cluster.brokers, "one")
            drained([again], 1)
            found = again.said("assigned")[0], again.said("caught_up")[0]
            print(json.dumps({"what": "a worker takes over after a kill", "folded_again": found[1]["events"],
                              "read_ms": found[0]["ms"], "caught_up_ms": found[1]["ms"]}), flush=True)
            again.stop()
            for count in (1, 2):
                fresh(cluster.brokers, f"of-{count}", 4, events)
                before = processor_seconds(*cluster.pids())
                workers = [Worker(cluster.brokers, f"of-{count}") for _ in range(count)]
                seconds = drained(workers, 4)
                print(json.dumps({"what": f"{count} worker{'s' * (count > 1)}, four partitions",
                                  **costs(cluster, workers, before, seconds)}), flush=True)
                for worker in workers:
                    worker.stop()
        finally:
            cluster.stop()


if __name__ == "__main__":
    try:
        broker.fetch()
    except broker.Missing as why:
        sys.exit(f"kafka_drain: {why}")
    main()
