"""What `tarry store check`, `dump` and `serve` say of snapshots that are not the store's own, or not what its log folds to, of a torn end and of a key."""

import json
import math
import shutil
import struct
import unittest

from store_reader import ENTRY, RECORD_HEAD, SEAL, SEGMENT_HEAD, Head, Journal, Record, crc32c, read_entry, read_key, read_snapshot
from store_test import TASK, Store


class Checked(Store):
    def fill(self, rounds=20):
        self.start()
        self.assertEqual(self.ask("PUT", "/v1/models/clicks", TASK)[0], 201)
        self.play("clicks", rounds)

    def segment(self):
        return self.data / "journal" / f"{1:020}.log"

    def records(self):
        """(offset, record) of the first segment."""
        data, offset = self.segment().read_bytes(), SEGMENT_HEAD
        salt = Head.of(data).salt
        while record := Record.at(data, offset, salt):
            yield offset, record
            offset += record.size

    def change(self, path, at, *to):
        data = bytearray(path.read_bytes())
        for i, byte in enumerate(to or (data[at] ^ 1,)):
            data[at + i] = byte
        path.write_bytes(data)

    def more(self, rounds):
        for t in range(rounds):
            self.feed(ticket=self.decide("clicks", features={"x": t / 8})["ticket"], label=t % 3 == 0)

    def refused(self, *says):
        """By all that open it, in the same words."""
        self.fails("store", "check", str(self.data), says=says)
        self.fails("store", "dump", str(self.data), "--model", "clicks", says=says)
        refusal = self.refuses_to_start(self.data)
        for text in says:
            self.assertIn(text, refusal.splitlines()[-1])


class Snapshots(Checked):
    def snapshots(self, data=None):
        return sorted(((data or self.data) / "snapshots").iterdir())

    def test_one_of_another_store_is_refused_by_name(self):
        self.fill(30)
        self.stop()
        (other,) = self.snapshots()
        self.data = self.folder / "second"
        self.fill(40)
        self.kill()
        shutil.copy(other, self.data / "snapshots")
        self.refused(other.name, "is a snapshot of another store: move it away")
        self.fails("store", "backup", str(self.data), str(self.folder / "copy"), says="is a snapshot of another store")
        (self.data / "snapshots" / other.name).unlink()
        self.store("check")

    def test_one_of_the_past_before_a_restore_is_refused_by_name(self):
        self.fill(20)
        self.stop()
        copy, again = self.folder / "copy", self.folder / "again"
        self.store("backup", copy)
        self.start()
        self.more(10)
        self.stop()
        past = self.snapshots()[-1]
        self.succeeds("store", "restore", str(copy), str(again))
        self.data = again
        self.start()
        self.more(30)
        self.kill()
        self.store("check")
        shutil.copy(past, self.data / "snapshots")
        self.refused(past.name, "is a snapshot of this store's past before it was restored")

    def test_one_that_is_not_what_the_log_folds_to(self):
        self.fill()
        self.stop()
        said = self.store("check")
        self.assertIn("checked    the structure and the fold of the log; 1 of 1 snapshot compared", said)
        self.assertIn(", arithmetic ", said)
        offset, record = next((offset, record) for offset, record in self.records()
                              if record.kind == ENTRY and isinstance(read_entry(record.payload).get("event", {}).get("value"), bool))
        data = bytearray(self.segment().read_bytes())
        end = offset + RECORD_HEAD + len(record.payload)
        data[end - 2] ^= 1  # the label; behind it stands that there are no features
        struct.pack_into("<I", data, offset, crc32c(data[offset + 4 : offset + record.size], Head.of(data).salt))
        self.segment().write_bytes(data)
        quick = self.store("check", "--quick")
        self.assertIn("checked    the structure alone: nothing was folded", quick)
        (snapshot,) = self.snapshots()
        says = f"{snapshot}: model clicks is not what the log folds to, at entry "
        self.fails("store", "check", str(self.data), says=says)
        self.fails("store", "dump", str(self.data), "--model", "clicks", says=says)

    def test_it_carries_its_log_and_its_arithmetic(self):
        self.fill()
        self.stop()
        journal, snapshot = Journal(self.data / "journal"), read_snapshot(self.snapshots()[0])
        self.assertEqual(snapshot["origin"], (journal.salt, journal.epoch_of(snapshot["position"])))
        self.assertEqual(snapshot["arithmetic"], read_entry(journal.entries[0][2])["arithmetic"])
        self.assertEqual(snapshot["folded_from"], 0)

    def test_every_snapshot_of_a_served_store_is_its_fold(self):
        for seed in range(4):
            self.start("--snapshot-every", "7")
            if seed == 0:
                for name in ("clicks", "gone"):
                    self.assertEqual(self.ask("PUT", f"/v1/models/{name}", TASK)[0], 201)
                self.play("gone", 10)
            self.more(8)
            if seed == 2:
                self.ask("DELETE", "/v1/models/gone")
            (self.stop if seed % 2 else self.kill)()
        said = self.store("check")
        self.assertRegex(said, r"fold of the log; (\d+) of \1 snapshots? compared")
        self.store("compact")
        self.assertRegex(self.store("check"), r"fold of the log; (\d+) of \1 snapshots? compared")


class Damage(Checked):
    def test_dump_gives_what_it_can_and_says_so(self):
        self.fill()
        self.stop()
        lines = self.succeeds("store", "dump", str(self.data), "--model", "clicks")
        (snapshot,) = (self.data / "snapshots").iterdir()
        self.change(snapshot, 40)
        for more in ((), ("--out", str(self.folder / "out"))):
            done = self.fails("store", "dump", str(self.data), "--model", "clicks", *more,
                              says=f"{snapshot}: snapshot: its checksum does not match")
        self.assertEqual((self.folder / "out").read_text().splitlines(), lines)

    def test_a_key_that_is_damaged_is_refused(self):
        self.fill()
        self.stop()
        read_key(self.data / "key")
        self.change(self.data / "key", 20)
        self.refused(f"{self.data}/key: its checksum does not match")

    def test_what_cannot_be_known_of_a_torn_end_is_said(self):
        self.fill()
        self.kill()
        last = max(offset for offset, record in self.records() if record.kind == ENTRY)
        for offset, record in list(self.records()):
            if offset > last:  # the seal behind it, if there was time for one
                self.change(self.segment(), offset, *bytes(record.size))
        self.change(self.segment(), last + 50)
        position = Journal(self.data / "journal").last + 1
        said = self.store("check")
        self.assertIn(f"torn end   {self.segment()} at offset {last}: entry {position} is not whole there. Nothing says that it was durable", said)
        self.assertIn("which of the two cannot be known", said)

    def test_a_torn_end_that_a_snapshot_has_is_damage(self):
        self.fill()
        self.stop()
        seals = [(offset, record) for offset, record in self.records() if record.kind == SEAL]
        last = max(offset for offset, record in self.records() if record.kind == ENTRY)
        for offset, record in seals:
            if offset > last:
                self.change(self.segment(), offset, *bytes(record.size))
        self.change(self.segment(), last + 50)
        done = self.fails("store", "check", str(self.data), says=[f"{self.segment()}: offset {last}: damaged: position", "has entry"])
        self.assertNotIn(b"torn end", done.stdout)

    def test_a_damaged_seal_loses_nothing(self):
        self.fill()
        self.stop()
        self.start()
        wanted = self.hash_of("clicks")
        self.kill()  # with an entry behind the seal of the first life, and perhaps a seal behind that
        records = list(self.records())
        (seal, entry) = [(a[0], b[1]) for a, b in zip(records, records[1:]) if a[1].kind == SEAL and b[1].kind == ENTRY][-1]
        for offset, record in records:
            if record.kind == SEAL and offset > seal:
                self.change(self.segment(), offset, *bytes(record.size))
        self.change(self.segment(), seal + 9)
        journal = Journal(self.data / "journal")
        self.assertEqual((journal.last, journal.torn, journal.damaged_seals), (entry.position, None, [seal]))
        self.assertIn(f"seal       {self.segment()} at offset {seal}: is damaged; the entries around it are whole", self.store("check"))
        self.start()
        self.assertEqual(self.hash_of("clicks"), wanted)


class NotFinite(Checked):
    def test_a_state_with_such_a_number_is_refused(self):
        self.fill()
        state = bytearray(self.ask("GET", "/v1/models/clicks/snapshot")[1])
        numbers = [at for at in range(len(state) // 4, len(state) - 24) if 1e-3 < abs(struct.unpack_from("<d", state, at)[0]) < 50]
        refused = 0
        for at in numbers[:: max(1, len(numbers) // 60)]:
            changed = bytearray(state)
            struct.pack_into("<d", changed, at, -math.nan)
            struct.pack_into("<Q", changed, len(changed) - 8, crc32c(changed[:-8]))
            status, answer = self.ask("PUT", "/v1/models/other/snapshot", bytes(changed), {"Content-Type": "application/octet-stream"})
            refused += status >= 400 and "finite" in json.dumps(answer)
            if status < 400:  # no number of the state was there: what it answers can be read
                self.decide("other", features={"x": 1})
                self.ask("DELETE", "/v1/models/other")
        self.assertGreater(refused, 10)


if __name__ == "__main__":
    unittest.main()
