"""Workers on a real broker: every event has its outcome, equal to the bit, and the models end as a local replay of the same events
does. What happens when something dies is in kafka_kills_test.py."""

import glob
import json
import signal
import tempfile
import time
import unittest
from pathlib import Path

from program import PROGRAM, ProgramTest, as_log, tarry
from kafka_queue import MODELS, SOAK, QueueTest, history, local_hashes

LIBRARY = next(iter(glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")), None)
COUNT = 20_000 if SOAK else 3_000


class KafkaTest(QueueTest):
    def test_outcomes_equal_a_local_replay_line_by_line(self):
        self.create(partitions=3)
        events = list(history(COUNT))
        self.wait_sent(self.send(events), len(events))
        worker = self.worker()
        total = self.ends_as_replayed(events)
        self.assertEqual(total["repeated"], 0)
        self.assertGreater(total["errors"], 10)
        self.assertEqual(worker.stop(), 0)
        outcomes = {name: [] for name in MODELS}
        for line in self.succeeds("queue", "outcomes", *self.where()):
            name, outcome = line.split("\t")
            if name in outcomes:
                outcomes[name].append(json.loads(outcome))
        for name, spec in MODELS.items():
            lines = [line for model, line, is_event in events if model == name and is_event]
            replies = self.replays({"format": "tarry-replay/2", "model": spec}, *lines)
            ours = [outcome for outcome in outcomes[name] if outcome.get("reply") and outcome["answer"] == "applied"]
            theirs = [reply for reply in replies if "answer" not in reply]
            self.assertEqual([outcome["reply"] for outcome in ours], theirs)
        total, _, _ = self.check()
        self.assertEqual(total["snapshot"], total["events"])  # it saved all as it stopped

    def test_a_repeated_key_has_its_first_outcome(self):
        self.create(partitions=1)
        lines = ['{"create": {"task": "allocation", "options": ["a", "b"]}}', '{"play": true, "key": "k"}',
                 '{"receive": "k", "gradient": {"a": 1}}', '{"play": true, "key": "l"}', '{"play": true, "key": "k"}']
        events = [("m", line, True) for line in lines]
        self.wait_sent(self.send(events), len(events))
        self.worker()
        self.settle()
        outcomes = [json.loads(line.split("\t")[1]) for line in self.succeeds("queue", "outcomes", *self.where())]
        self.assertEqual([outcome["answer"] for outcome in outcomes], ["applied"] * 4 + ["duplicate"])
        self.assertEqual(outcomes[4]["reply"], outcomes[1]["reply"])

    def test_overdue_rounds_are_given_up_by_the_owner(self):
        self.create(partitions=1)
        lines = ['{"create": {"task": "binary", "expiry": {"seconds": 1}}}', '{"play": true, "key": "k", "features": {"x": 1}}']
        self.wait_sent(self.send([("m", line, True) for line in lines]), 2)
        self.worker()
        end = time.monotonic() + 60
        outcomes = []
        while len(outcomes) < 3:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.3)
            outcomes = [json.loads(line.split("\t")[1]) for line in self.succeeds("queue", "outcomes", *self.where())]
        self.assertGreater(outcomes[2].pop("arithmetic"), 0)
        self.assertEqual(outcomes[2], {"offset": 2, "answer": "applied", "round": 1})
        self.wait_sent(self.send([("m", '{"label": "k", "value": true}', True)]), 1)
        self.settle()
        last = json.loads(self.succeeds("queue", "outcomes", *self.where())[-1].split("\t")[1])
        self.assertEqual(last["answer"], "expired")

    @unittest.skipUnless(LIBRARY, "libfaketime is not installed")
    def test_a_clock_that_jumps_gives_up_nothing_until_somebody_looked(self):
        """It jumps back: the client for Kafka waits by the wall clock, and would wait for as long as one jumped ahead that is not
        the machine's own. What a jump ahead does is in tests/unit/kafka/expiry_time_test.cpp."""
        self.create(partitions=1)
        with tempfile.TemporaryDirectory() as folder:
            clock, program = Path(folder) / "clock", Path(folder) / "tarry"
            clock.write_text("+0\n")
            program.write_text(f"#!/bin/sh\nexport LD_PRELOAD={LIBRARY} FAKETIME_TIMESTAMP_FILE={clock} FAKETIME_NO_CACHE=1 "
                               f"DONT_FAKE_MONOTONIC=1 FAKETIME_DONT_FAKE_MONOTONIC=1\nexec {PROGRAM} \"$@\"\n")
            program.chmod(0o755)
            worker = self.worker(program=str(program))
            worker.wait_for("caught_up")
            lines = ['{"create": {"task": "binary", "expiry": {"seconds": 8}}}', '{"play": true, "key": "k", "features": {"x": 1}}']
            self.wait_sent(self.send([("m", line, True) for line in lines]), 2)
            outcomes = lambda: self.succeeds("queue", "outcomes", *self.where())
            worker.wait_until(lambda: len(outcomes()) == 2)
            clock.write_text("-30h\n")
            worker.wait_for("clock")
            self.assertRegex(worker.events("clock")[0]["why"], r"1 days [56] h before")
            time.sleep(10)
            self.assertEqual(len(outcomes()), 2)
            worker.signal(signal.SIGUSR1)
            worker.wait_until(lambda: len(outcomes()) == 3)
            self.assertEqual(worker.events("clock")[1]["why"], "expiry by time goes on")
            self.assertEqual(worker.stop(), 0, worker.lines()[-3:])

    def test_a_history_moves_from_a_store_to_kafka_and_back(self):
        self.create(partitions=3)
        events = list(history(1500, poison=0))
        with tempfile.TemporaryDirectory() as folder:
            wanted = local_hashes(events)
            log = Path(folder) / "log.jsonl"
            for name, spec in MODELS.items():
                log.write_bytes(as_log({"format": "tarry-replay/2", "model": spec}, *(line for model, line, is_event in events
                                                                                     if model == name and is_event)))
                self.succeeds("store", "import", f"{folder}/before", "--model", name, str(log))
                dumped = "\n".join(self.succeeds("store", "dump", f"{folder}/before", "--model", name))
                self.succeeds("queue", "import", *self.where(), "--model", name, stdin=dumped)
            self.worker()
            _, hashes = self.settle()
            self.assertEqual(hashes, wanted)
            for name in MODELS:
                log.write_text("\n".join(self.succeeds("queue", "export", *self.where(), "--model", name)))
                said = json.loads(self.succeeds("store", "import", f"{folder}/after", "--model", name, str(log))[0])
                self.assertEqual(said["hash"], wanted[name])
        self.fails("queue", "export", *self.where(), "--model", "nobody", says="there is no model nobody")

    def test_topics_that_can_lose_data_are_refused(self):
        self.fails("worker", *self.where(), says=f"there is no topic {self.prefix}.events")
        self.create(partitions=1)
        self.fails("worker", *self.where(), says=["has 1 replicas, fewer than 3", "--unsafe-topics"])
        self.fails("queue", "create", *self.where(), "--partitions", "1", "--replication", "1", says="exists already")

    def test_a_broker_that_is_not_there_is_said(self):
        self.fails("worker", "--kafka", "127.0.0.1:1", says="no broker answers", status=1)
        self.fails("worker", "--kafka", "127.0.0.1:1", "--kafka-setting", "x", says="--kafka-setting must be key=value")
        self.fails("worker", "--kafka", "127.0.0.1:1", "--kafka-setting", "x=1", says="x")


class WithoutABrokerTest(ProgramTest):
    def test_help_names_every_option(self):
        text = "\n".join(self.succeeds("worker", "--help"))
        for option in ("--kafka", "--group", "--instance", "--snapshot-every", "--unsafe-topics"):
            self.assertIn(option, text)
