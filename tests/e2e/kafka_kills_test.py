"""Workers and brokers that are killed, frozen, moved and doubled while events flow: every event has its outcome, equal to the bit, and
the models end as a local replay of the same events does. Small counts with TARRY_BROKER, the long ones with TARRY_SOAK."""

import json
import random
import signal
import sys
import time

from program import tarry
from kafka_queue import PATIENCE, SOAK, QueueTest, history, local_hashes

COUNT = 20_000 if SOAK else 3_000
WORKER_KILLS = 1000 if SOAK else 5
BROKER_KILLS = 200 if SOAK else 5
FREEZES = 20 if SOAK else 1
REBALANCES = 100 if SOAK else 5
TORN = 40 if SOAK else 6


def parts(events, count):
    """The same events in so many pieces, in order."""
    return [events[len(events) * i // count:len(events) * (i + 1) // count] for i in range(count)]


def say(*words):
    """Where a long run stands."""
    if SOAK:
        print(time.strftime("%H:%M:%S"), *words, file=sys.stderr, flush=True)


class WorkersTest(QueueTest):
    def test_workers_killed_again_and_again(self):
        """Two come back under their own names at once and keep their partitions; of the third somebody else takes over."""
        self.create(partitions=6)
        draw = random.Random(2)
        names = {0: ("--instance", "one"), 1: ("--instance", "two"), 2: ()}
        running = [self.worker(*names[i]) for i in names]
        events = list(history(COUNT))
        for i, part in enumerate(parts(events, WORKER_KILLS)):
            sender = self.send(part, rate=max(1, 2 * len(part)))  # half a second
            victim = 2 if i % 10 == 4 else i % 2
            running[victim].wait_for("assigned")  # it has work
            time.sleep(draw.uniform(0, 0.5))
            running[victim].kill()
            self.workers.remove(running[victim])
            running[victim].log.close()
            running[victim] = self.worker(*names[victim])
            self.wait_sent(sender, len(part))
            if i % 50 == 49:
                say(i + 1, "workers killed")
        self.ends_as_replayed(events)
        for worker in running:
            self.assertEqual(worker.stop(), 0, worker.lines()[-3:])

    def test_frozen_owners_wake_up_and_harm_nothing(self):
        self.create()
        events = list(history(COUNT))
        pair = [self.worker()]
        pair[0].wait_until(lambda: pair[0].held() == {0, 1})
        pair.append(self.worker())
        for i, part in enumerate(parts(events, FREEZES)):
            sender = self.send(part, rate=max(1, len(part) / 4))
            frozen, other = pair[i % 2], pair[1 - i % 2]
            frozen.wait_until(frozen.held)
            losses = len(frozen.losses())
            frozen.signal(signal.SIGSTOP)
            other.wait_until(lambda: other.held() == {0, 1})
            frozen.signal(signal.SIGCONT)
            frozen.wait_until(lambda: len(frozen.losses()) > losses)  # it has noticed
            self.wait_sent(sender, len(part))
            say(i + 1, "owners frozen")
        self.ends_as_replayed(events)

    def test_two_owners_at_once_say_the_same(self):
        self.create()
        events = list(history(COUNT))
        sender = self.send(events, rate=COUNT / 5)
        self.worker(group="a")
        self.worker(group="b")
        self.wait_sent(sender, len(events))
        total = self.ends_as_replayed(events)
        self.assertGreater(total["repeated"], 0)  # or nothing was shown
        lines = self.succeeds("queue", "outcomes", *self.where())
        self.assertEqual(len(lines), len(events))  # a reader sees each once

    def test_workers_come_and_go_under_load(self):
        self.create(partitions=6)
        draw = random.Random(3)
        events = list(history(COUNT))
        running = [self.worker()]
        for i, part in enumerate(parts(events, REBALANCES)):
            sender = self.send(part, rate=max(1, len(part)))
            running[0].wait_until(lambda: set().union(*(worker.held() for worker in running)) == set(range(6)))
            if len(running) == 1 or (len(running) < 4 and draw.random() < 0.5):
                running.append(self.worker())
                running[-1].wait_for("assigned")
            else:
                leaving = running.pop(draw.randrange(len(running)))
                self.assertEqual(leaving.stop(), 0, leaving.lines()[-3:])
            self.wait_sent(sender, len(part))
            if i % 20 == 19:
                say(i + 1, "times workers came or went")
        self.ends_as_replayed(events)

    def test_workers_killed_while_they_save(self):
        """Snapshots of several chunks, one after the other: a kill falls among them."""
        self.create(partitions=1)
        big = {"set": {"type": "linf_ball", "dimension": 400_000, "radius": 1}, "learner": {"type": "delayed_ogd", "eta": 0.1},
               "loss": {"type": "squared"}}
        events = [("big", json.dumps({"create": big}), True)]
        for i in range(1, 400):
            events.append(("big", json.dumps({"play": True, "features": {"indices": [i, 1000 * i], "values": [1, i / 7]}}), True))
            events.append(("big", json.dumps({"label": i, "value": i % 3}), True))
        self.wait_sent(self.send(events), len(events))
        for i in range(TORN):
            worker = self.worker("--instance", "one", snapshot_every=7)
            worker.wait_for("assigned")
            time.sleep(0.05 + 0.04 * i)
            worker.kill()
        self.worker("--instance", "one", snapshot_every=200)
        total, hashes = self.settle(len(events))
        self.assertEqual(total["events"], len(events))
        replayed = tarry("replay", "-", "--hash", stdin="\n".join(
            [json.dumps({"format": "tarry-replay/2", "model": big}), *(line for _, line, _ in events[1:])]))
        self.assertEqual(hashes["big"], json.loads(replayed.stdout.splitlines()[-1])["hash"])


class BrokersTest(QueueTest):
    """Three brokers. Whoever comes back leads again at once, so partitions move between brokers that live, too."""
    nodes = 3
    settings = "leader.imbalance.check.interval.seconds=2\nleader.imbalance.per.broker.percentage=0"

    def setUp(self):
        super().setUp()
        self.ended = 0

    def start(self):
        self.create(partitions=4, replication=3)
        running = [self.worker(session_ms=15_000), self.worker(session_ms=15_000)]
        for worker in running:
            worker.wait_for("assigned")
        return running

    def test_brokers_killed_in_turn_and_all_at_once(self):
        running = self.start()
        events = list(history(COUNT))
        plan, killed = [], 0
        while killed < BROKER_KILLS:  # 1, 2, all; 3, 1, all; …
            plan.append(() if len(plan) % 3 == 2 else ((len(plan) - len(plan) // 3) % 3 + 1,))
            killed += len(plan[-1]) or 3
        draw = random.Random(4)
        for nodes, part in zip(plan, parts(events, len(plan))):
            sender = self.send(part, rate=max(1, len(part) / 4))
            self.wait_until_sending(sender)
            time.sleep(draw.uniform(0, 2))
            self.cluster.kill(*nodes)
            time.sleep(draw.uniform(0, 3))
            self.cluster.start(*nodes)
            self.start_again(running)
            self.wait_sent(sender, len(part))
            say("killed", nodes or "all brokers")
        self.all_is_there(events, running)
        say(killed, "brokers killed,", self.ended, "workers ended and were started again")

    def test_brokers_that_freeze(self):
        if not SOAK:
            self.skipTest("brokers are frozen in make soak (TARRY_SOAK)")
        running = self.start()
        events = list(history(COUNT))
        for i, part in enumerate(parts(events, 6)):
            sender = self.send(part, rate=len(part) / 20)
            self.wait_until_sending(sender)
            frozen = self.cluster.running[i % 3 + 1]
            frozen.send_signal(signal.SIGSTOP)
            time.sleep(14)  # longer than the other brokers wait for it
            frozen.send_signal(signal.SIGCONT)
            self.start_again(running)
            self.wait_sent(sender, len(part))
            say("froze broker", i % 3 + 1)
        self.all_is_there(events, running)

    def wait_until_sending(self, sender):
        """It has found the topics: from here on no broker may be there."""
        end = time.monotonic() + PATIENCE
        before = self.ends()
        while self.ends() == before and sender.poll() is None and time.monotonic() < end:
            time.sleep(0.1)

    def ends(self):
        return sum(file.stat().st_size for file in self.cluster.folder.glob(f"*/log/{self.prefix}.events-*/*.log"))

    def all_is_there(self, events, running):
        total, hashes = self.settle(len(events), lambda: self.start_again(running))
        self.assertEqual(total["events"], len(events))  # nothing twice: the sender lived
        self.assertEqual(hashes, local_hashes(events), total)
        for worker in running:
            self.assertEqual(worker.stop(), 0, worker.lines()[-3:])

    def start_again(self, running):
        """As whoever looks after them does: a worker may end where it cannot know what was delivered."""
        for i, worker in enumerate(running):
            if worker.process.poll() is not None:
                self.assertEqual(worker.process.returncode, 1, worker.lines()[-3:])
                say("ended:", worker.lines()[-1])
                self.ended += 1
                self.workers.remove(worker)
                worker.log.close()
                running[i] = self.worker(session_ms=15_000)
