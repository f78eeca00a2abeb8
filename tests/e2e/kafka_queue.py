"""A real Kafka broker and workers of the real program: what the tests on Kafka share."""

import atexit
import importlib.machinery
import importlib.util
import json
import os
import random
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from program import PROGRAM, ROOT, ProgramTest, as_log, tarry

SOAK = bool(os.environ.get("TARRY_SOAK"))
PATIENCE = 900  # seconds: a machine may be slow, no test may wait for ever

loader = importlib.machinery.SourceFileLoader("kafka_broker", str(ROOT / "deploy" / "kafka" / "broker"))
broker = importlib.util.module_from_spec(importlib.util.spec_from_loader("kafka_broker", loader))
loader.exec_module(broker)

MODELS = {
    "binary": {"task": "binary", "features": {"capacity": 64}},
    "regression": {"task": "regression", "features": {"capacity": 64}, "expiry": {"rounds": 40}},
    "classes": {"task": "classes", "features": {"capacity": 64}, "classes": 4},
    "ratings": {"task": "ratings", "users": 6, "items": 5, "range": [1, 5]},
    "allocation": {"task": "allocation", "options": ["search", "social", "mail"]},
    "plain": {"set": {"type": "linf_ball", "dimension": 4, "radius": 1}, "learner": {"type": "auto"},
              "loss": {"type": "squared"}},
}
POISON = ["", "{", "7", "{}", '{"play": 0}', '{"label": 1}', '{"play": true, "features": {"x": 1e300}}', '{"create": {"task": "none"}}']


def features(kind, draw):
    if kind == "ratings":
        return {"user": draw.randrange(6), "item": draw.randrange(5)}
    if kind == "allocation":
        return None
    if kind == "plain":
        return [round(draw.uniform(-1, 1), 3) for _ in range(4)]
    return {"age": draw.randrange(80), "city": draw.choice(["Paris", "Oslo", "Rome"]), "new": draw.random() < 0.5}


def feedback(kind, key, draw):
    if kind == "allocation":
        return {"receive": key, "gradient": {name: round(draw.uniform(-1, 1), 3) for name in ("search", "social", "mail")}}
    value = {"binary": draw.random() < 0.3, "classes": f"class {draw.randrange(4)}", "ratings": draw.randrange(1, 6)}
    return {"label": key, "value": value.get(kind, round(draw.uniform(-5, 5), 3))}


def history(count, seed=1, poison=0.02):
    """(model, what is sent, whether it is a model's event): creations, plays with keys, feedback late and out of order, repeats of
    both, and poison. One model of each kind."""
    draw = random.Random(seed)
    yield from ((name, json.dumps({"create": spec}), False) for name, spec in MODELS.items())
    waiting, sent, plays = {name: [] for name in MODELS}, [], 0
    for _ in range(count):
        name = draw.choice(list(MODELS))
        if draw.random() < poison:
            yield draw.choice([name, "nobody", "BAD NAME"]), draw.choice(POISON), False
        elif sent and draw.random() < 0.05:
            yield draw.choice(sent[-200:])
        elif len(waiting[name]) < 5 or draw.random() < 0.5:
            plays += 1
            event = {"play": True, "key": f"k{plays}"}
            row = features(name, draw)
            if row is not None:
                event["features"] = row
            waiting[name].append(f"k{plays}")
            sent.append((name, json.dumps(event), True))
            yield sent[-1]
        else:
            key = waiting[name].pop(draw.randrange(len(waiting[name])))
            sent.append((name, json.dumps(feedback(name, key, draw)), True))
            yield sent[-1]


def local_hashes(events):
    """What `tarry replay` makes of each model's events."""
    found = {}
    for name, spec in MODELS.items():
        lines = [line for model, line, is_event in events if model == name and is_event]
        log = as_log({"format": "tarry-replay/2", "model": spec}, *lines)
        done = tarry("replay", "-", "--hash", stdin=log)
        assert done.returncode == 0, done.stderr
        found[name] = json.loads(done.stdout.splitlines()[-1])["hash"]
    return found


class Worker:
    def __init__(self, brokers, prefix, *arguments, group="g", snapshot_every=500, session_ms=2000, program=PROGRAM):
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [program, "worker", "--kafka", brokers, "--prefix", prefix, "--group", f"{prefix}.{group}", "--session-ms",
             str(session_ms), "--snapshot-every", str(snapshot_every), "--unsafe-topics", *arguments],
            stderr=self.log, stdout=subprocess.DEVNULL)

    def lines(self):
        # Where it reads is where it writes: they share one place in the file.
        size = os.fstat(self.log.fileno()).st_size
        return os.pread(self.log.fileno(), size, 0).decode().splitlines()

    def events(self, name=None):
        parsed = [json.loads(line) for line in self.lines() if line.startswith("{") and line.endswith("}")]
        return [line for line in parsed if name in (None, line["event"])]

    def held(self):
        """The partitions that it has now, by its own account."""
        partitions = set()
        for line in self.events():
            if line["event"] == "assigned":
                partitions.add(line["partition"])
            elif line["event"] == "revoked":
                partitions.discard(line["partition"])
        return partitions

    def losses(self):
        return [line for line in self.events("revoked") if line["lost"]]

    def wait_until(self, condition):
        """While it lives; the limit is for a test that would never end, not for a slow machine."""
        end = time.monotonic() + PATIENCE
        while not condition():
            assert self.process.poll() is None, self.lines()[-3:]
            assert time.monotonic() < end, self.lines()[-3:]
            time.sleep(0.05)

    def wait_for(self, name):
        self.wait_until(lambda: self.events(name))

    def signal(self, number):
        self.process.send_signal(number)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        """As a user does; its exit status."""
        if self.process.poll() is None:
            self.process.terminate()
        return self.process.wait(PATIENCE)


class QueueTest(ProgramTest):
    nodes, settings = 1, ""
    always = False  # a short one, for every run
    cluster, missing = None, None  # of the class that has `nodes`

    @classmethod
    def setUpClass(cls):
        if not cls.always and not SOAK and not os.environ.get("TARRY_BROKER"):
            cls.missing = "brokers are started where TARRY_BROKER or TARRY_SOAK is set"
            return
        if "built without Kafka" in tarry("queue", "check", "--kafka", "127.0.0.1:1").stderr.decode():
            cls.missing = "this build has no Kafka"
            return
        try:
            broker.fetch()
        except broker.Missing as why:
            cls.missing = str(why)
            return
        cls.folder = tempfile.TemporaryDirectory()
        for attempt in range(3):  # a port may be taken by somebody else before the broker has it
            cls.cluster = broker.Cluster(Path(cls.folder.name) / str(attempt), cls.nodes, settings=cls.settings)
            atexit.register(cls.cluster.stop)
            try:
                return cls.cluster.start()
            except RuntimeError:
                cls.cluster.stop()
                if attempt == 2:
                    raise

    @classmethod
    def tearDownClass(cls):
        if cls.cluster is not None:
            cls.cluster.stop()
            cls.folder.cleanup()

    def setUp(self):
        if self.missing:
            self.skipTest(self.missing)
        self.brokers = self.cluster.brokers
        self.prefix = self._testMethodName.replace("_", "-")
        self.workers = []
        self.senders = []

    def tearDown(self):
        for process in [worker.process for worker in getattr(self, "workers", [])] + getattr(self, "senders", []):
            if process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.kill()
                process.wait()
            for pipe in (process.stdout, process.stderr):
                if pipe is not None:
                    pipe.close()
        for worker in getattr(self, "workers", []):
            worker.log.close()

    def create(self, partitions=2, replication=1):
        end = time.monotonic() + PATIENCE  # three nodes need a moment to know each other
        while True:
            done = tarry("queue", "create", *self.where(), "--partitions", str(partitions), "--replication", str(replication))
            if done.returncode == 0:
                return
            self.assertLess(time.monotonic(), end, done.stderr)
            time.sleep(0.5)

    def where(self):
        return "--kafka", self.brokers, "--prefix", self.prefix

    def worker(self, *arguments, **options):
        self.workers.append(Worker(self.brokers, self.prefix, *arguments, **options))
        return self.workers[-1]

    def send(self, events, rate=None):
        """Starts to send; wait_sent() ends it."""
        text = "".join(f"{model}\t{value}\n" for model, value, _ in events)
        limit = ("--rate", str(rate)) if rate else ()
        with tempfile.TemporaryFile() as file:
            file.write(text.encode())
            file.seek(0)
            self.senders.append(subprocess.Popen([PROGRAM, "queue", "send", *self.where(), *limit], stdin=file,
                                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE))
        return self.senders[-1]

    def wait_sent(self, sender, count):
        out, error = sender.communicate(timeout=PATIENCE)
        self.assertEqual(error, b"")
        self.assertEqual(json.loads(out), {"sent": count})

    def check(self):
        """(all partitions in one, hashes of the models) from `tarry queue check`, and its exit status."""
        done = tarry("queue", "check", *self.where())
        total, hashes = {}, {}
        for line in map(json.loads, done.stdout.splitlines()):
            if "model" in line:
                hashes[line["model"]] = line["hash"]
                continue
            for key, value in line.items():
                total[key] = total.get(key, 0) + value
        return total, hashes, done

    def settle(self, events=0, meanwhile=lambda: None):
        """Waits until every event has its outcome, and checks all of them."""
        end = time.monotonic() + PATIENCE
        while True:
            total, hashes, done = self.check()
            if (total.get("missing") == 0 and total["events"] >= events) or time.monotonic() > end:
                break
            meanwhile()
            for worker in self.workers:
                if worker.process.poll() not in (None, 0, -signal.SIGKILL):
                    self.fail(f"a worker ended: {worker.lines()[-1]}")
            time.sleep(0.3)
        self.assertEqual(done.returncode, 0, (total, done.stderr))
        for key in ("missing", "different", "not_compared", "overtaken", "snapshot_differs"):
            self.assertEqual(total[key], 0, total)
        return total, hashes

    def ends_as_replayed(self, events):
        total, hashes = self.settle(len(events))
        self.assertEqual(total["events"], len(events))
        self.assertEqual(hashes, local_hashes(events))
        return total
