"""One real broker, in a minute: decisions and labels, a worker that is killed, one that is thrown out, and the hashes of a local
replay. The long counts are in kafka_kills_test.py.

A worker that is killed comes back under its own name, so that nothing here waits for a session to time out; and sessions are so long
that a busy machine, on which heartbeats come late, does not end them by itself."""

import unittest

from kafka_queue import QueueTest, history

SESSION_MS = 120_000  # nothing may depend on its end
EVENTS = 400


class ShortTest(QueueTest):
    always = True

    def named(self, name, **options):
        return self.worker("--instance", name, session_ms=SESSION_MS, **options)

    def test_a_killed_worker_comes_back_and_every_hash_is_equal(self):
        self.create(partitions=2)
        events = list(history(EVENTS))
        half = len(events) // 2
        self.wait_sent(self.send(events[:half]), half)
        workers = [self.named("one", snapshot_every=50), self.named("two", snapshot_every=50)]
        self.settle(half)
        for worker in workers:
            worker.wait_until(lambda: len(worker.held()) == 1)
        sender = self.send(events[half:], rate=2 * EVENTS)
        workers[0].kill()
        self.workers.remove(workers[0])
        workers[0].log.close()
        workers[0] = self.named("one", snapshot_every=50)
        self.wait_sent(sender, len(events) - half)
        self.ends_as_replayed(events)
        for worker in workers:
            self.assertEqual(worker.stop(), 0, worker.lines()[-3:])

    def test_a_worker_that_was_fenced_comes_back(self):
        """Another one took its name, for a while."""
        self.create(partitions=1)
        events = list(history(EVENTS, seed=2))
        half = len(events) // 2
        first = self.named("same")
        first.wait_until(lambda: first.held() == {0})
        self.wait_sent(self.send(events[:half]), half)
        second = self.named("same")
        first.wait_for("fenced")
        second.kill()
        self.workers.remove(second)
        second.log.close()
        first.wait_until(lambda: first.held() == {0})
        said = first.events("fenced")[0]
        self.assertEqual((said["instance"], said["back_in_ms"]), ("same", 500))
        self.wait_sent(self.send(events[half:]), len(events) - half)
        self.ends_as_replayed(events)
        self.assertEqual(first.stop(), 0, first.lines()[-3:])


if __name__ == "__main__":
    unittest.main()
