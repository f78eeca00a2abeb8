"""A corpus of tables as strangers have them (tests/tables): each is read as a careful person reads it, or asked about once."""

import json
import os
import pty
import subprocess
import tempfile
import unittest
from pathlib import Path

from program import PROGRAM, ROOT, TIMEOUT, ProgramTest, read_terminal, tarry

TABLES = ROOT / "tests/tables"
KIND = {"number": "number", "words": "words", "text": "text", "set": "set", "date": "time"}


def reading(*arguments):
    return json.loads(tarry("read", *map(str, arguments), "--json").stdout)


def differences(table, expect):
    """Where the reading is not what a careful person reads. README.md beside the tables says what the expectation means."""
    got = reading(table)
    if "refused" in got:
        yield f"refused: {got['refused']}"
        return
    asked = [question["key"] for question in got["questions"]]
    if asked != expect["questions"]:
        yield f"questions: wanted {expect['questions']}, came {got['questions']}"
    for question in got["questions"]:
        if not 1 <= len(question["lines"]) <= 3:
            yield f"a question has {len(question['lines'])} lines: {question}"
    for key, where in (("event", "event_time"), ("feedback", "feedback_time")):
        if got[where] != expect[key]:
            yield f"{key}: wanted {expect[key]}, came {got[where]}"
    if got["label"]["column"] != expect["label"]:
        yield f"label: wanted {expect['label']}, came {got['label']['column']}"
    if "positive" not in asked and got["label"]["kind"] != expect["task"]:
        yield f"task: wanted {expect['task']}, came {got['label']['kind']}"
    if "dates" not in asked and got["end_of_day"] != expect.get("feedback_is_days_end", False):
        yield f"end of day: came {got['end_of_day']}"
    columns = {column["name"]: column for column in got["columns"]}
    for name, kind in expect["columns"].items():
        came = columns[name]
        fits = came["role"] == "ignored" if kind == "left out" else (came["role"], came["kind"]) == ("feature", KIND[kind])
        if not fits:
            yield f"{name}: wanted {kind}, came {came}"
    for name, unit in expect.get("units", {}).items():
        if columns[name].get("unit") != unit:
            yield f"{name}: wanted unit {unit}, came {columns[name]}"
    for name, value in {**expect.get("first", {}), **expect.get("words", {})}.items():
        if columns[name].get("first") != value:
            yield f"{name}: wanted {value} in the first row, came {columns[name]}"
    bad = {(cell["line"], cell["column"], cell["text"]) for cell in got["bad_cells"]}
    for cell in expect.get("missing", []):
        if tuple(cell) not in bad:
            yield f"bad cell {cell} is not named"
    for word in expect.get("told", []):
        if not any(word in note for note in got["notes"]):
            yield f"no note says {word!r}: {got['notes']}"


class Tables(ProgramTest):
    def test_each_is_read_as_a_careful_person_reads_it(self):
        expected = sorted(TABLES.glob("*.expect.json"))
        self.assertGreaterEqual(len(expected), 40)
        for path in expected:
            table = path.with_name(path.name.removesuffix(".expect.json"))
            with self.subTest(table=table.name):
                self.assertEqual(list(differences(table, json.loads(path.read_text()))), [])

    def test_most_need_no_question(self):
        asked = [path.name for path in sorted(TABLES.glob("*.expect.json")) if json.loads(path.read_text())["questions"]]
        self.assertLessEqual(len(asked), 4 + len(list(TABLES.glob("*.expect.json"))) - 40, asked)

    def test_an_answered_question_is_no_question_any_more(self):
        for path in sorted(TABLES.glob("*.expect.json")):
            table = path.with_name(path.name.removesuffix(".expect.json"))
            overrides = []
            for question in reading(table).get("questions", []):
                key, value = question["lines"][0].split("  #")[0].split(" = ", 1)
                overrides += ["--override", f"stream.{key}={value.strip()}"]
            if overrides:
                with self.subTest(table=table.name):
                    self.assertEqual(reading(table, *overrides)["questions"], [])


class Doors(ProgramTest):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    def test_what_is_no_text_is_refused_by_name(self):
        for name, content, says in (("a.xlsx", b"PK\x03\x04\x14\x00xl/workbook.xml", "is an Excel workbook (.xlsx)"),
                                    ("a.parquet", b"PAR1\x15\x04", "is a Parquet file"),
                                    ("a.zip", b"PK\x03\x04\x14\x00a.csv", "is a ZIP archive"),
                                    ("a.csv", b"SQLite format 3\x00", "is an SQLite database"),
                                    ("a.feather", b"ARROW1\x00\x00", "is an Arrow (Feather) file"),
                                    ("b.csv", b"<!DOCTYPE html><html>", "is a web page"),
                                    ("a.json", b'[{"a": 1}, {"a": 2}]', "is a JSON array")):
            self.fails("run", self.file(name, content), says=says)
            self.assertIn(says, reading(self.folder / name)["refused"])

    def test_a_table_is_one_whatever_its_name(self):
        rows = "".join(f"2024-01-{d:02},2024-02-{d:02},{d % 5},{'ny'[d % 2]}\n" for d in range(1, 29))
        for name in ("export", "table.data"):
            done = tarry("run", self.file(name, "asked_at,known_at,x,late\n" + rows), "--out", str(self.folder / "out"))
            self.assertEqual(done.returncode, 0, done.stderr)
        self.fails("run", self.file("packed", b"PAR1\x15\x04"), says="is a Parquet file")
        self.fails("run", self.file("spec", "rounds = 3, 4\n"), says="not valid TOML")

    def test_a_table_without_a_header_is_refused(self):
        rows = "".join(f"2024-01-{d:02},2024-02-{d:02},{d},{'ny'[d % 2]}\n" for d in range(1, 29))
        self.fails("run", self.file("a.csv", rows), says='line 1 must name the columns, but looks like a row ("2024-01-01")')

    def test_init_writes_the_open_questions(self):
        rows = "".join(f"2024-01-{d:02},{d % 5},{'ny'[d % 2]}\n" for d in range(1, 29))
        path = self.folder / "my.toml"
        done = tarry("init", "--csv", self.file("my.csv", "signup_date,logins,churned\n" + rows), str(path))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1 open question", done.stdout.decode())
        text = path.read_text()
        self.assertIn('# feedback = "none"    # known at once\n# feedback = "3 days"', text)
        self.fails("run", str(path), says='feedback = "none"')
        path.write_text(text.replace('# feedback = "3 days"', 'feedback = "3 days"').replace('task = "regression"', 'task = "binary"'))
        done = tarry("run", str(path), "--out", str(self.folder / "out"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("labels known after 3 days", done.stdout.decode())

    def test_questions_are_answered_on_a_terminal(self):
        rows = "".join(f"2024-01-{d:02},{d % 5},{'ny'[d % 2]}\n" for d in range(1, 29))
        path = self.file("my.csv", "signup_date,logins,churned\n" + rows)
        ours, theirs = pty.openpty()
        program = subprocess.Popen([PROGRAM, "run", path, "--out", str(self.folder / "out")], stdin=theirs, stdout=subprocess.PIPE,
                                   stderr=theirs)
        os.close(theirs)
        os.write(ours, b"2\n")
        shown = read_terminal(ours)
        out = program.communicate(timeout=TIMEOUT)[0].decode()
        self.assertEqual(program.returncode, 0, shown)
        self.assertIn("1 to 2, or another value for feedback [1]:", shown)
        self.assertIn("--override stream.feedback='3 days'", shown)
        self.assertIn("labels known after 3 days", out)

    def test_a_word_that_never_has_a_time_is_asked_about(self):
        rows = "".join(f"2024-01-{d:02} 10:00,{f'2024-02-{d:02} 10:00' if d % 3 else ''},{d % 5},{'paid' if d % 3 else 'unpaid'}\n"
                       for d in range(1, 29))
        path = self.file("my.csv", "issued_at,paid_at,size,status\n" + rows)
        question, = reading(path)["questions"]
        self.assertEqual((question["key"], question["lines"]), ("expiry", ['expiry = { days = 30, label = "unpaid" }']))
        said = ["--override", 'stream.expiry={ days = 30, label = "unpaid" }']
        got = reading(path, *said)
        self.assertEqual((got["label"]["kind"], got["label"]["positive"]), ("two classes", "paid"))
        self.assertIn('a row without paid_at is "unpaid" after 30 days', got["notes"])
        done = tarry("run", path, "--out", str(self.folder / "out"), *said)
        self.assertEqual(done.returncode, 0, done.stderr)
        predictions = (self.folder / "out/predictions.csv").read_text().splitlines()[1:]
        self.assertEqual({line.split(",")[3] for line in predictions}, {"0", "1"})


if __name__ == "__main__":
    unittest.main()
