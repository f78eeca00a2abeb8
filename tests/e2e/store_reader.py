"""A second reader of a store's directory, written from docs/store_format.md alone."""

import hashlib
import re
import struct
from pathlib import Path

SEGMENT_HEAD = 64
RECORD_HEAD = 40
LONGEST = 1 << 30
ENTRY, SEAL = 1, 2

TABLE = []
for number in range(256):
    for _ in range(8):
        number = (number >> 1) ^ (0x82F63B78 if number & 1 else 0)
    TABLE.append(number)


def crc32c(data, before=0):
    crc = before ^ 0xFFFFFFFF
    for byte in data:
        crc = (crc >> 8) ^ TABLE[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


class Corrupt(Exception):
    pass


def padded(length):
    return (length + 7) // 8 * 8


class Record:
    """The record at an offset; None from `at` where there is no valid one."""

    def __init__(self, kind, length, position, epoch, synced, payload):
        self.kind, self.position, self.epoch, self.synced, self.payload = kind, position, epoch, synced, payload
        self.size = RECORD_HEAD + padded(length)

    @staticmethod
    def at(data, offset, salt):
        if offset + RECORD_HEAD > len(data):
            return None
        crc, kind, length, position, epoch, synced = struct.unpack_from("<IIQQQQ", data, offset)
        if kind not in (ENTRY, SEAL) or length > LONGEST or offset + RECORD_HEAD + padded(length) > len(data):
            return None
        if crc32c(data[offset + 4 : offset + RECORD_HEAD + padded(length)], salt) != crc:
            return None
        payload = data[offset + RECORD_HEAD : offset + RECORD_HEAD + length]
        return Record(kind, length, position, epoch, synced, payload)


class Head:
    @staticmethod
    def of(data):
        if len(data) < SEGMENT_HEAD or data[:8] != b"TARRYLOG":
            return None
        head = Head()
        head.format, head.first, head.size, head.salt, head.synced, head.before, crc = struct.unpack_from("<7Q", data, 8)
        return head if crc32c(data[:56]) == crc else None


class Journal:
    """All entries; `torn`: (file, offset) of a torn tail. Raises Corrupt."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.entries = []  # (position, epoch, payload)
        self.torn = None
        self.damaged_seals = []
        self.salt = self.before = None
        self.last = 0
        self.named = 0
        self.segments = 0
        self.first = self.read_first()
        firsts = sorted(int(file.name[:20]) for file in self.folder.iterdir() if re.fullmatch(r"\d{20}\.log", file.name))
        if not firsts:
            if (self.folder / "first").exists():
                raise Corrupt("no segments")
            return
        while len(firsts) > 1 and firsts[1] <= self.first:
            firsts.pop(0)
        if firsts[0] > self.first:
            raise Corrupt("the beginning is missing")
        self.first, self.last = firsts[0], firsts[0] - 1
        self.read_segments(firsts)

    def read_first(self):
        file = self.folder / "first"
        if not file.exists():
            return 1
        data = file.read_bytes()
        if len(data) != 24 or data[:8] != b"TARRYFST" or struct.unpack_from("<Q", data, 16)[0] != crc32c(data[:16]):
            raise Corrupt("first")
        return struct.unpack_from("<Q", data, 8)[0]

    def read_segments(self, firsts):
        for i, first in enumerate(firsts):
            name = f"{first:020}.log"
            data = (self.folder / name).read_bytes()
            head = Head.of(data)
            if head is None:
                if i == 0:
                    raise Corrupt(f"{name}: head")
                return self.tear(name, 0, data, firsts[i + 1 :])
            if head.format not in (1, 2) or head.first != first or head.size != len(data):
                raise Corrupt(f"{name}: head")
            if i == 0:
                self.salt, self.before = head.salt, head.before or None
            elif head.salt != self.salt:
                raise Corrupt(f"{name}: salt")
            self.named = max(self.named, head.synced)
            offset = self.follow(data)
            self.segments += 1
            if i + 1 < len(firsts) and firsts[i + 1] == self.last + 1:
                continue
            if i + 1 < len(firsts) or any(data[offset:]):
                return self.tear(name, offset, data, firsts[i + 1 :])
        self.judge()

    def follow(self, data):
        offset = SEGMENT_HEAD
        while record := Record.at(data, offset := self.over_seals(data, offset), self.salt):
            if record.position != self.last + (record.kind == ENTRY):
                break
            if record.kind == ENTRY:
                self.entries.append((record.position, record.epoch, record.payload))
                self.last = record.position
            self.named = max(self.named, record.synced)
            offset += record.size
        return offset

    def over_seals(self, data, offset):
        """Where the next entry is, if only damaged seals lie before it."""
        if Record.at(data, offset, self.salt):
            return offset
        for seals in range(1, 5):
            record = Record.at(data, offset + seals * RECORD_HEAD, self.salt)
            if record and record.kind == ENTRY and record.position == self.last + 1:
                self.damaged_seals += [offset + i * RECORD_HEAD for i in range(seals)]
                return offset + seals * RECORD_HEAD
        return offset

    def epoch_of(self, position):
        return next((epoch for at, epoch, _ in self.entries if at == position), self.before if position == self.first - 1 else None)

    def tear(self, name, offset, data, later):
        self.torn = (name, offset)
        self.look(data, offset)
        for first in later:
            data = (self.folder / f"{first:020}.log").read_bytes()
            if head := Head.of(data):
                self.named = max(self.named, head.synced)
            self.look(data, 0)
        self.judge()

    def look(self, data, offset):
        end = len(data.rstrip(b"\0"))
        for at in range(offset, end, 8):
            if record := Record.at(data, at, self.salt):
                self.named = max(self.named, record.synced)

    def judge(self):
        if self.named > self.last:
            raise Corrupt(f"{self.named} was durable, {self.last} is there")


class Bytes:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        (value,) = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return value

    def raw(self):
        length = self.take("Q")
        if self.at + length > len(self.data):
            raise Corrupt("a text ends early")
        self.at += length
        return self.data[self.at - length : self.at]

    def text(self):
        return self.raw().decode()

    def many(self, take):
        return [take() for _ in range(self.take("Q"))]

    def expect_end(self):
        if self.at != len(self.data):
            raise Corrupt("bytes are left over")


def read_features(data):
    kind = data.take("B")
    if kind == 0:
        return data.many(lambda: data.take("d"))
    if kind == 1:
        return {"indices": data.many(lambda: data.take("q")), "values": data.many(lambda: data.take("d"))}
    return dict(data.many(lambda: (data.text(), read_value(data))))


def read_value(data):
    return [lambda: None, lambda: data.take("d"), lambda: bool(data.take("B")), data.text,
            lambda: data.many(data.text)][data.take("B")]()


def read_round(data):
    number, key = data.take("Q"), data.text()
    return key or number


def read_optional(data):
    return data.take("d") if data.take("B") else None


def read_named(data):
    return dict(data.many(lambda: (data.text(), read_value(data))))


def read_choosing(data):
    choosing = {"context": read_named(data), "actions": data.many(lambda: {"id": data.text(), "features": read_named(data)}),
                "exclude": data.many(data.text)}
    if data.take("B"):
        choosing["shown"] = {"id": data.text(), "probability": read_optional(data)}
    return choosing


def read_event(raw):
    """An event as an object of tarry-replay/2; a play has no number where none was given."""
    data = Bytes(raw)
    version = data.take("B")
    if version not in range(1, 7):
        raise Corrupt("version of an event")
    kind = data.take("B")
    if kind == 0:
        number, key = data.take("Q"), data.text()
        event = {"play": number} | ({"key": key} if key else {})
        if data.take("B"):
            event["features"] = read_features(data)
        if version > 1:
            event |= {name: at for name, at in (("now", read_optional(data)), ("due", read_optional(data))) if at is not None}
        if version == 3:
            event |= read_choosing(data)
    elif kind == 1:
        event = {"receive": read_round(data)}
        gradient = read_features(data)
        event |= gradient if isinstance(gradient, dict) and set(gradient) == {"indices", "values"} else {"gradient": gradient}
    elif kind == 2:
        event = {"label": read_round(data)}
        event["value"] = [lambda: data.take("d"), lambda: bool(data.take("B")), data.text][data.take("B")]()
        if data.take("B"):
            event["features"] = read_features(data)
        if version > 1:
            more = {"revise": bool(data.take("B")), "sequence": read_optional(data), "part": data.text(), "now": read_optional(data)}
            event |= {name: value for name, value in more.items() if value not in (False, None, "")}
        if version == 4:
            event["shown"] = {"id": data.text(), "features": read_named(data), "probability": read_optional(data)}
    elif kind == 5 and version >= 5:
        event = {"loss_of": read_round(data), "loss": data.take("d")}
        if version == 6:
            event["loss"] = [event["loss"], data.take("d")]
    elif kind in (3, 4):
        event = {"expire" if kind == 3 else "void": read_round(data)}
    else:
        raise Corrupt("kind of an event")
    data.expect_end()
    return event


def read_entry(payload):
    data = Bytes(payload)
    version = data.take("B")
    if version not in range(1, 5):
        raise Corrupt("version of an entry")
    kind = data.take("B")
    if (kind in (5, 6)) != (version == 3) or (kind in (7, 8, 9)) != (version == 4):
        raise Corrupt("kind of an entry")
    if kind == 0:
        entry = {"opened": data.take("Q"), "time": data.take("q"), "engine": data.text(),
                 "arithmetic": data.take("Q") if version > 1 else 0}
    elif kind == 1:
        entry = {"create": data.text(), "spec": data.text(), "time": data.take("q")}
    elif kind == 2:
        entry = {"delete": data.take("Q")}
    elif kind == 4:
        entry = {"create": data.text(), "spec": data.text(), "time": data.take("q"), "state": data.raw()}
    elif kind == 6:
        entry = {"model": data.take("Q"), "time": data.take("q"), "activate": data.take("Q")}
    elif kind in (7, 8, 9):
        entry = {"model": data.take("Q"), "time": data.take("q"), ("challenge", "dismiss", "promote")[kind - 7]: data.text()}
        if kind == 7:
            entry["spec"] = data.text()
    else:
        entry = {"model": data.take("Q"), "time": data.take("q")} | ({"deferred": True} if kind == 5 else {})
        if data.take("B"):
            entry["once"] = (data.text(), data.take("Q"), data.take("Q"))
        entry["event"] = read_event(data.raw())
    data.expect_end()
    return entry


def read_snapshot(file):
    data = Path(file).read_bytes()
    if data[:8] != b"TARRYSNP" or len(data) < 32 or struct.unpack_from("<Q", data, len(data) - 8)[0] != crc32c(data[:-8]):
        raise Corrupt(str(file))
    form, length = struct.unpack_from("<Q", data, 8)[0], struct.unpack_from("<Q", data, len(data) - 16)[0]
    state, rest = data[16 : 16 + length], Bytes(data[16 + length : -16])
    snapshot = {"position": rest.take("Q"), "engine": rest.text(), "hash": rest.text(), "models": {}}
    rest.text()
    snapshot |= {"arithmetic": 0, "folded_from": 0, "origin": None}
    if form == 2:
        snapshot["arithmetic"], snapshot["folded_from"] = rest.take("Q"), rest.take("Q")
        if rest.take("B"):
            snapshot["origin"] = (rest.take("Q"), rest.take("Q"))
    elif form != 1:
        raise Corrupt(str(file))
    rest.expect_end()
    if hashlib.sha256(state).hexdigest() != snapshot["hash"] or int(Path(file).name[:20]) != snapshot["position"]:
        raise Corrupt(str(file))
    inside = Bytes(state)
    if inside.take("Q") != 1 or inside.take("Q") != snapshot["position"]:
        raise Corrupt(str(file))
    snapshot["epoch"], snapshot["time"] = inside.take("Q"), inside.take("q")
    for raw in inside.many(inside.raw):
        model = Bytes(raw)
        name = model.text()
        snapshot["models"][name] = {"spec": model.text(), "hash": model.text(), "incarnation": model.take("Q"),
                                    "position": model.take("Q")}
    inside.expect_end()
    return snapshot


def read_key(file):
    data = Path(file).read_bytes()
    if len(data) == 32 and not data.startswith(b"TARRYKEY"):
        return data
    if len(data) != 56 or data[:8] != b"TARRYKEY" or struct.unpack_from("<Q", data, 48)[0] != crc32c(data[:48]):
        raise Corrupt(str(file))
    return data[16:48]
