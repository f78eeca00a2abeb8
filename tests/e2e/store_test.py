"""`tarry store`, and the directory of a service as a second reader sees it."""

import json
import random
import shutil
import struct
import unittest

import serve_test
import store_reader
from program import TIMEOUT, ProgramTest, tarry
from store_reader import ENTRY, SEAL, Corrupt, Journal, crc32c, padded, read_entry, read_snapshot

TASK = {"task": "binary", "features": {"capacity": 64}}
SALT = 0xABCD


class Store(ProgramTest):
    """A service that is started and stopped, and its directory."""

    setUp, start, kill, stop, ask, feed = (
        getattr(serve_test.ServeTest, name) for name in ("setUp", "start", "kill", "stop", "ask", "feed"))

    def refuses_to_start(self, data):
        """What a service says that does not start there, with status 2; empty: it does, and runs."""
        ours, self.data = self.data, data
        (self.folder / "log").unlink(missing_ok=True)
        try:
            self.start()
            return ""
        except AssertionError:
            self.assertEqual(self.process.wait(TIMEOUT), 2)
            return (self.folder / "log").read_text()
        finally:
            self.data = ours

    def decide(self, name, **body):
        status, answer = self.ask("POST", f"/v1/models/{name}/decisions", body)
        self.assertEqual(status, 200, answer)
        return answer

    def play(self, name, rounds=20, seed=1):
        draw = random.Random(seed)
        waiting = []
        for t in range(rounds):
            features = {"x": draw.uniform(-1, 1), "city": f"{name}-Lima", "new": t % 3 == 0, "tags": ["a", "b"][: t % 3], "none": None}
            waiting.append(self.decide(name, features=features, **({"key": f"k{t}"} if t % 4 == 0 else {}))["ticket"])
            if t % 5 == 4:
                self.feed(ticket=waiting.pop(draw.randrange(len(waiting))), **({"void": True} if t % 2 else {"label": t % 3 == 0}))
                self.feed(model=name, key=f"k{t - 4 - (t - 4) % 4}", label=True)
        return self.hash_of(name)

    def hash_of(self, name):
        return self.ask("GET", f"/v1/models/{name}")[1]["hash"]

    def fill(self):
        self.start()
        for name in ("clicks", "gone"):
            self.assertEqual(self.ask("PUT", f"/v1/models/{name}", TASK)[0], 201)
        hashes = [self.play(name) for name in ("clicks", "gone")]
        return hashes[0]

    def store(self, command, *arguments):
        return "\n".join(self.succeeds("store", command, str(self.data), *map(str, arguments)))

    def dumped_hash(self, data, name, *arguments):
        out = self.folder / f"{name}.jsonl"
        said = self.succeeds("store", "dump", str(data), "--model", name, "--out", str(out))
        command = said[-1].split()
        self.assertEqual(command[:2], ["tarry", "replay"])
        hash_ = json.loads(self.succeeds(*command[1:])[-1])["hash"]
        self.assertIn(hash_, said[0])
        return hash_


class Commands(Store):
    def test_dump_gives_the_hash_of_the_service(self):
        wanted = self.fill()
        self.kill()
        self.assertEqual(self.dumped_hash(self.data, "clicks"), wanted)
        lines = self.succeeds("store", "dump", str(self.data), "--model", "clicks")
        self.assertEqual(lines, (self.folder / "clicks.jsonl").read_text().splitlines())
        self.start()
        self.assertEqual(self.hash_of("clicks"), wanted)
        self.stop()
        self.assertEqual(self.dumped_hash(self.data, "clicks"), wanted)

    def test_what_was_dumped_can_be_played_with_other_learners(self):
        self.fill()
        self.stop()
        self.dumped_hash(self.data, "clicks")
        spec = self.folder / "again.toml"
        spec.write_text(f"""
            name = "again"
            stream = {{type = "log", path = "{self.folder}/clicks.jsonl"}}
            delay = {{type = "recorded"}}
            learners = [{{task = "binary", features = {{capacity = 32}}}}]
        """)
        done = tarry("run", str(spec), "--out", str(self.folder / "run"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("again: 1 run of 20 rounds", done.stdout.decode())

    def test_backup_of_a_running_store(self):
        wanted = self.fill()
        copy, again = self.folder / "copy", self.folder / "again"
        self.assertRegex(self.store("backup", copy), r"^copied positions 1 to \d+, 0 snapshots and the key to ")
        late = self.decide("clicks", features={"x": 1})["ticket"]
        self.stop()
        self.succeeds("store", "restore", str(copy), str(again))
        self.assertEqual(self.dumped_hash(again, "clicks"), wanted)
        self.data = again
        self.start()
        self.assertEqual(self.hash_of("clicks"), wanted)
        self.assertEqual(self.feed(ticket=late, label=True)[1]["error"]["code"], "lost")

    def test_compact_forgets_deleted_models(self):
        wanted = self.fill()
        self.stop()  # a snapshot that has both
        self.start()
        self.ask("DELETE", "/v1/models/gone")
        self.kill()
        here = lambda word: [file for file in self.data.rglob("*") if file.is_file() and word in file.read_bytes()]
        self.assertEqual(len(here(b"gone-Lima")), 3)  # the log, a snapshot, what the dashboard remembers
        said = self.store("compact")
        self.assertRegex(said, r"^\d+ entries of 1 deleted model emptied, 1 snapshot rewritten, 0 torn ends removed$")
        self.assertEqual(here(b"gone-Lima"), [])
        self.assertNotEqual(here(b"clicks-Lima"), [])
        self.assertEqual(self.dumped_hash(self.data, "clicks"), wanted)
        self.assertIn("0 entries of 1 deleted model emptied, 0 snapshots", self.store("compact"))
        self.store("check")
        self.start()
        self.assertEqual(self.hash_of("clicks"), wanted)

    def test_refusals(self):
        self.fails("store", says="subcommand is required")
        for command in ("check", "compact"):
            self.fails("store", command, str(self.folder), says=[str(self.folder), "not a store"])
        self.fill()
        for arguments in (["check"], ["dump", "--model", "clicks"], ["compact"]):
            self.fails("store", arguments[0], str(self.data), *arguments[1:], says="another process uses this store")
        self.stop()
        self.fails("store", "dump", str(self.data), "--model", "none", says='there is no model "none"')
        self.fails("store", "dump", str(self.data), says="--model is required")
        self.fails("store", "backup", str(self.data), str(self.folder), says="is not empty")
        copy = self.folder / "copy"
        self.store("backup", copy)
        (copy / "unfinished").touch()
        self.fails("serve", "--data", str(copy), "--listen", "127.0.0.1:0", "--without-tokens", says="a copy that was not finished", status=2)

    def test_check_says_where_the_damage_is(self):
        self.fill()
        self.stop()
        said = self.store("check")
        for text in ("log        positions 1 to ", "model      clicks: ", "snapshot   at ", "key        there"):
            self.assertIn(text, said)
        segment = self.data / "journal" / f"{1:020}.log"
        whole = bytearray(segment.read_bytes())
        whole[64 + 50] ^= 1
        segment.write_bytes(whole)
        self.fails("store", "check", str(self.data), says=f"{segment}: offset 64: damaged: position 1 should be here")
        self.fails("serve", "--data", str(self.data), "--listen", "127.0.0.1:0", "--without-tokens", says="offset 64: damaged")
        whole[64 + 50] ^= 1
        segment.write_bytes(whole)
        snapshot = next((self.data / "snapshots").iterdir())
        harmed = bytearray(snapshot.read_bytes())
        harmed[40] ^= 1
        snapshot.write_bytes(harmed)
        self.fails("store", "check", str(self.data), says=f"{snapshot}: snapshot: its checksum does not match")


class SecondReader(Store):
    def test_it_reads_what_the_service_wrote(self):
        wanted = self.fill()
        position = self.ask("GET", "/v1/models/clicks")[1]["position"]
        self.stop()
        journal = Journal(self.data / "journal")
        self.assertIsNone(journal.torn)
        self.assertEqual(journal.named, journal.last)
        entries = [(position, read_entry(payload)) for position, _, payload in journal.entries]
        self.assertIn("opened", entries[0][1])
        created = {entry["create"]: position for position, entry in entries if "create" in entry}
        events = [entry["event"] for _, entry in entries if entry.get("model") == created["clicks"]]
        lines = [json.loads(line) for line in self.succeeds("store", "dump", str(self.data), "--model", "clicks")]
        rounds = 0
        for event, line in zip(events, lines[1:], strict=True):
            if "play" in event:
                rounds += 1
                event["play"] = event["play"] or rounds
            self.assertEqual(event, line)
        (file,) = (self.data / "snapshots").iterdir()
        snapshot = read_snapshot(file)
        self.assertEqual(snapshot["position"], journal.last)
        self.assertEqual(snapshot["models"]["clicks"]["hash"], wanted)
        self.assertEqual(snapshot["models"]["clicks"]["incarnation"], created["clicks"])
        self.assertEqual(snapshot["models"]["clicks"]["position"], position)

    def test_it_reads_losses_at_one_and_two_points_and_challengers(self):
        ball = {"type": "l2_ball", "dimension": 2, "radius": 1}
        for name, probes, loss in (("one", {}, 0.5), ("two", {"probes": 2}, [0.5, 0.25])):
            model = {"set": ball, "learner": {"type": "delayed_bandit_ofw", "horizon": 10, "lipschitz": 1, **probes}}
            log = self.folder / f"{name}.jsonl"
            log.write_text("".join(json.dumps(line) + "\n" for line in (
                {"format": "tarry-replay/2", "model": model}, {"play": 1}, {"loss_of": 1, "loss": loss})))
            self.succeeds("store", "import", str(self.data), "--model", name, str(log))
        self.start()
        self.ask("PUT", "/v1/models/clicks", TASK)
        for name in ("keen", "dull"):
            self.assertEqual(self.ask("PUT", f"/v1/models/clicks/challengers/{name}", {"products": False})[0], 201)
        self.assertEqual(self.ask("DELETE", "/v1/models/clicks/challengers/dull")[0], 200)
        self.assertEqual(self.ask("POST", "/v1/models/clicks/promote", {"challenger": "keen"})[0], 200)
        self.stop()
        entries = [read_entry(payload) for _, _, payload in Journal(self.data / "journal").entries]
        losses = [entry["event"] for entry in entries if "loss_of" in entry.get("event", {})]
        self.assertEqual(losses, [{"loss_of": 1, "loss": 0.5}, {"loss_of": 1, "loss": [0.5, 0.25]}])
        changes = [entry for entry in entries if {"challenge", "dismiss", "promote"} & set(entry)]
        self.assertEqual([list(entry.items())[2] for entry in changes],
                         [("challenge", "keen"), ("challenge", "dull"), ("dismiss", "dull"), ("promote", "keen")])
        self.assertNotIn("products", json.loads(changes[0]["spec"]))

    def test_both_say_the_same_of_damage(self):
        draw = random.Random(4)
        verdicts = set()
        for case in range(60):
            path = self.folder / f"case{case}"
            write_store(path, [b"\1\2" + struct.pack("<Q", 0)] * 3 + entries_of(draw, 20), draw)
            harm(path / "journal", draw)
            done = tarry("store", "check", str(path))
            try:
                journal = Journal(path / "journal")
                ours = f"positions {journal.first} to {journal.last}" if journal.last >= journal.first else "empty"
                ours = (0, ours, f"{journal.torn[0]} at offset {journal.torn[1]}:" if journal.torn else "key ")
            except Corrupt:
                ours = (2, "", "")
            verdicts.add((ours[0], "torn" if ".log" in ours[2] else ""))
            self.assertEqual(done.returncode, ours[0], (case, done.stderr))
            for text in ours[1:]:
                self.assertIn(text, done.stdout.decode(), case)
        self.assertEqual(verdicts, {(0, ""), (0, "torn"), (2, "")})  # all three came

    def test_a_pruned_store_is_dumped_as_a_state_and_what_came_since(self):
        spec = {"set": {"type": "l2_ball", "dimension": 2, "radius": 1}, "learner": {"type": "delayed_ogd", "eta": 0.1}}
        engine = self.succeeds("--version")[0].split()[1].encode()
        entries = [b"\1\0" + struct.pack("<Qq", 5, 0) + text(engine),
                   b"\1\1" + text(b"m") + text(json.dumps(spec).encode()) + struct.pack("<q", 0)]
        entries += [event(2, b"\1\0" + struct.pack("<Q", 0) + text(b"") + b"\0") for _ in range(40)]  # plays
        self.data.mkdir()
        write_store(self.data, entries, random.Random(1), last_size=1024)
        (self.data / "key").write_bytes(bytes(32))
        for t in (1, 2, 3):
            self.start("--keep", "2")
            self.decide("m")
            self.stop()
        segments = sorted(file.name for file in (self.data / "journal").glob("*.log"))
        self.assertNotIn(f"{1:020}.log", segments)
        self.start()
        self.decide("m")
        wanted = self.hash_of("m")
        self.kill()
        self.fails("store", "dump", str(self.data), "--model", "m", says="give --out FILE")
        self.assertEqual(self.dumped_hash(self.data, "m"), wanted)
        self.assertTrue((self.folder / "m.jsonl.state").exists())
        self.assertEqual(len((self.folder / "m.jsonl").read_text().splitlines()), 2)


def text(raw):
    return struct.pack("<Q", len(raw)) + raw


def event(incarnation, raw):
    return b"\1\3" + struct.pack("<Qq", incarnation, 0) + b"\0" + text(raw)


def entries_of(draw, count):
    """Entries that any store may have, of several lengths."""
    return [b"\1\0" + struct.pack("<Qq", draw.getrandbits(64), draw.randrange(9)) + text(b"x" * draw.randrange(60)) for _ in range(count)]


def record(kind, position, synced, payload=b""):
    rest = struct.pack("<IQQQQ", kind, len(payload), position, 77, synced) + payload.ljust(padded(len(payload)), b"\0")
    return struct.pack("<I", crc32c(rest, SALT)) + rest


def write_store(path, entries, draw, last_size=0):
    """A store with small segments, some of them sealed, the way the page says."""
    journal = path / "journal"
    journal.mkdir(parents=True)
    (path / "snapshots").mkdir()
    head = b"TARRYFST" + struct.pack("<Q", 1)
    (journal / "first").write_bytes(head + struct.pack("<Q", crc32c(head)))
    size, synced, position = last_size or draw.choice((512, 1024)), 0, 0
    while entries:
        first, named, body = position + 1, synced, b""
        while entries and len(body) + store_reader.RECORD_HEAD + padded(len(entries[0])) + 144 <= size:
            position += 1
            body += record(ENTRY, position, synced, entries.pop(0))
            if draw.random() < 0.5:
                synced = position - draw.randrange(2)
        if draw.random() < 0.5:
            body += record(SEAL, position, synced)
        if entries and draw.random() < 0.5:
            body += record(SEAL, position, synced)
        head = b"TARRYLOG" + struct.pack("<6Q", 1, first, size, SALT, named, 0)
        (journal / f"{first:020}.log").write_bytes((head + struct.pack("<Q", crc32c(head)) + body).ljust(size, b"\0"))


def harm(journal, draw):
    """One of: nothing, a flipped byte, zeros, an absurd length, a cut, a file that is gone."""
    file = draw.choice(sorted(journal.iterdir()))
    data = bytearray(file.read_bytes())
    at = draw.randrange(len(data))
    kind = draw.choice(("nothing", "flip", "flip", "zeros", "length", "tail", "cut", "gone"))
    if kind == "tail":  # what a loss of power does
        file = max(journal.glob("*.log"))
        data = bytearray(file.read_bytes())
        at = len(data.rstrip(b"\0")) - draw.randrange(1, 60)
    if kind == "flip":
        data[at] ^= 1 << draw.randrange(8)
    elif kind in ("zeros", "tail"):
        data[at : at + 32] = bytes(len(data[at : at + 32]))
    elif kind == "length" and len(data) > 100:
        data[72:80] = struct.pack("<Q", draw.getrandbits(64))
    elif kind == "cut":
        del data[at:]
    if kind == "gone":
        file.unlink()
    else:
        file.write_bytes(data)


if __name__ == "__main__":
    unittest.main()
