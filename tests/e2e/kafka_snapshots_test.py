"""What snapshots carry: a broker that really compacts their topic, and a change of the program's version."""

import os
import stat
import tempfile
import time
from pathlib import Path

from program import PROGRAM, tarry
from kafka_queue import PATIENCE, SOAK, QueueTest, history

COUNT = 20_000 if SOAK else 3_000


class CompactionTest(QueueTest):
    def test_the_broker_compacts_the_snapshots(self):
        """Small segments that are closed soon, so that the cleaner has something to do, as it has after an hour elsewhere."""
        self.create(partitions=1)
        self.cluster.tool("kafka.admin.ConfigCommand", "--alter", "--entity-type", "topics", "--entity-name", f"{self.prefix}.snapshots",
                          "--add-config", "segment.ms=500,min.cleanable.dirty.ratio=0.01,delete.retention.ms=100")
        events = list(history(COUNT))
        written, end = 0, time.monotonic() + PATIENCE
        rest, step = events, len(events) // 12
        while rest or not self.cleaned_to(written):
            part, rest = rest[:step], rest[step:]
            if part:
                self.wait_sent(self.send(part), len(part))
            before = self.worker("--instance", "one", snapshot_every=50)
            before.wait_for("caught_up")
            time.sleep(0.6)  # the segment is old enough to be closed by what is written next
            before.kill()
            written += sum(line["bytes"] for line in before.events("saved"))
            self.assertLess(time.monotonic(), end, (written, self.bytes_there()))
        worker = self.worker("--instance", "one")
        worker.wait_for("caught_up")
        self.assertGreater(worker.events("assigned")[0]["next"], len(events) * 3 // 4)  # from a snapshot, not from the first event
        total = self.ends_as_replayed(events)
        self.assertGreater(total["snapshot"], 0)
        self.assertEqual(worker.stop(), 0)

    def cleaned_to(self, written):
        """Whether most of what was written is gone from the disk."""
        return 0 < self.bytes_there() < written / 2

    def bytes_there(self):
        return sum(file.stat().st_size for file in self.cluster.folder.glob(f"1/log/{self.prefix}.snapshots-0/*.log"))


class VersionsTest(QueueTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if cls.missing:
            return
        cls.programs = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.programs.cleanup)
        cls.version = tarry("--version").stdout.decode().split()[1]
        cls.other, cls.other_version = cls.of_another_version()

    @classmethod
    def of_another_version(cls):
        """The same program that takes itself for another one: its version is overwritten wherever it stands."""
        begin = cls.version[:4].encode()
        other = b"9" + begin[1:]
        program = Path(cls.programs.name) / "tarry"
        program.write_bytes(Path(PROGRAM).read_bytes().replace(begin, other))
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        said = os.popen(f"{program} --version").read().split()
        assert said == ["tarry", "9" + cls.version[1:]], said
        return str(program), said[1]

    def first(self, worker, event):
        worker.wait_for(event)
        return worker.events(event)[0]

    def test_drained_by_one_version_and_continued_by_the_next(self):
        self.create(partitions=1)
        events = list(history(COUNT))
        half = len(events) // 2
        self.wait_sent(self.send(events[:half]), half)
        old = self.worker(program=self.other)
        self.assertEqual(self.first(old, "started")["engine"], self.other_version)
        self.settle(half)
        self.assertEqual(old.stop(), 0)
        self.wait_sent(self.send(events[half:]), len(events) - half)
        new = self.worker()
        self.assertEqual(self.first(new, "started")["engine"], self.version)
        self.assertEqual(self.first(new, "assigned")["next"], half)  # nothing of the other version is folded again
        self.ends_as_replayed(events)
        self.assertEqual(new.stop(), 0)

    def test_what_another_version_answered_is_not_folded_again(self):
        self.create(partitions=1)
        events = list(history(COUNT))
        half = len(events) // 2
        self.wait_sent(self.send(events[:half]), half)
        old = self.worker("--instance", "one", program=self.other, snapshot_every=1_000_000)
        old.wait_for("caught_up")
        old.kill()  # it has answered more than it has saved
        refused = self.worker("--instance", "one")
        self.assertEqual(refused.process.wait(PATIENCE), 2)
        said = refused.lines()[-1]
        for part in (f"were answered by tarry {self.other_version}, and this is {self.version}: versions do not mix", "SIGTERM"):
            self.assertIn(part, said)
        self.workers.remove(refused)
        refused.log.close()
        again = self.worker("--instance", "one", program=self.other)  # as it said
        again.wait_for("caught_up")
        self.assertEqual(again.stop(), 0)
        self.wait_sent(self.send(events[half:]), len(events) - half)
        new = self.worker("--instance", "one")
        self.assertEqual(self.first(new, "assigned")["next"], half)
        self.ends_as_replayed(events)
