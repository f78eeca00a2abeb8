"""A store that was written before snapshots knew their log, before there was an arithmetic number and before keys had a checksum: it goes on.

fixtures/store-1.tar.xz is such a directory: `tarry serve` made a model, was stopped (a snapshot), was started again, took more and was killed."""

import json
import tarfile
import unittest
from unittest import mock

import store_reader
from program import ROOT
from store_reader import Journal, read_entry, read_key, read_snapshot
from store_test import Store

FIXTURE = ROOT / "tests" / "e2e" / "fixtures" / "store-1.tar.xz"


class OldStore(Store):
    def setUp(self):
        super().setUp()
        with tarfile.open(FIXTURE) as tar:
            tar.extractall(self.folder, filter="data")
        self.data = self.folder / "store-1"
        self.wanted = json.loads((self.data / "expected.json").read_text())
        (self.data / "expected.json").unlink()

    def warnings(self):
        lines = map(json.loads, (self.folder / "log").read_text().splitlines())
        return [line["why"] for line in lines if line["level"] == "warning" and "arithmetic" in line.get("why", "")]

    def test_the_second_reader_reads_it(self):
        self.assertEqual(len((self.data / "key").read_bytes()), 32)
        journal = Journal(self.data / "journal")
        self.assertEqual(journal.last, self.wanted["position"])
        self.assertEqual(read_entry(journal.entries[0][2])["arithmetic"], 0)
        self.assertIsNone(read_snapshot(next((self.data / "snapshots").iterdir()))["origin"])

    def test_its_events_are_of_the_first_version(self):
        """Without times, corrections or choices. Those after the snapshot are folded when the service goes on; a dump folds them all."""
        journal = Journal(self.data / "journal")
        with mock.patch.object(store_reader, "read_event", side_effect=lambda raw: raw[0]):
            entries = [read_entry(entry[2]) for entry in journal.entries]
        versions = [entry["event"] for entry in entries if "event" in entry]
        self.assertEqual(set(versions), {1})
        self.assertGreater(len(versions), 20)
        kinds = {next(iter(event)) for event in (read_entry(entry[2]).get("event") for entry in journal.entries) if event}
        self.assertLessEqual({"play", "label"}, kinds)

    def test_it_is_checked_and_dumped(self):
        said = self.store("check")
        self.assertIn("arithmetic unknown, not compared: was folded with other arithmetic", said)
        self.assertIn("0 of 1 snapshot compared", said)
        self.assertRegex(self.dumped_hash(self.data, "clicks"), "^[0-9a-f]{64}$")

    def test_it_goes_on_and_says_so_once(self):
        key = (self.data / "key").read_bytes()
        (older,) = (self.data / "snapshots").iterdir()
        at = int(older.name[:20])
        self.start()
        (why,) = self.warnings()
        self.assertRegex(why, rf"^entries {at + 2} to {self.wanted['position']} were written with arithmetic of an unknown number "
                              rf"\(tarry 0\.1\.0\): they are folded from the snapshot at {at} on with arithmetic \d+, and bits may differ")
        self.assertEqual(self.ask("GET", "/v1/models/clicks")[1]["rounds"], self.wanted["rounds"])
        self.assertEqual(self.feed(ticket=self.wanted["ticket"], label=True)[0], 200)
        self.play("clicks", 10)
        wanted = self.hash_of("clicks")
        self.stop()
        self.assertEqual(read_key(self.data / "key"), key)
        self.assertEqual(len((self.data / "key").read_bytes()), 56)
        self.start()
        self.assertEqual(len(self.warnings()), 1)  # still the first
        self.assertEqual(self.hash_of("clicks"), wanted)
        self.stop()
        newer = read_snapshot(max((self.data / "snapshots").iterdir()))
        self.assertEqual(newer["folded_from"], at)
        said = self.store("check")
        self.assertRegex(said, rf"snapshot   at {at}, .*not compared: was folded with other arithmetic")
        self.assertIn("2 of 3 snapshots compared", said)


if __name__ == "__main__":
    unittest.main()
