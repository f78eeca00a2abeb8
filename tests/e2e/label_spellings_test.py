"""One table of spellings of a label through every door of the program: a log, a table, the service. tests/python sends it through Python's."""

import csv
import json
from pathlib import Path

from program import ProgramTest, tarry
from service import ServiceTest

TABLE = json.loads((Path(__file__).parent / "fixtures/label_spellings.json").read_text())
SPELLINGS = [(word, meaning) for meaning in ("true", "false") for word in TABLE[meaning]]
SENTENCE = "label must be a number, true or false ({} came)"


def cell(word):
    return word if isinstance(word, str) else json.dumps(word)


class LabelSpellings(ProgramTest, ServiceTest):
    def log(self, word):
        return [{"format": "tarry-replay/2", "model": {"task": "binary"}}, {"play": 1, "features": {"x": 1}},
                {"label": 1, "value": word}, {"play": 2, "features": {"x": 1}}]

    def table(self, words):
        """An experiment on a table with these labels, and its folder."""
        with (self.folder / "t.csv").open("w", newline="") as file:
            csv.writer(file).writerows([["x", "y"], *([i, cell(word)] for i, word in enumerate(words))])
        spec = self.folder / "t.toml"
        spec.write_text('keep = "m"\n[stream]\ntype = "csv"\npath = "t.csv"\nlabel = "y"\nloss = "logistic"\nfeatures = ["x"]\n'
                        '[[learners]]\nname = "m"\ntask = "binary"\n')
        return spec, self.folder / "out"

    def test_a_log(self):
        meant = {word: self.replays(*self.log(word == "true"))[-1] for word in ("true", "false")}
        self.assertNotEqual(meant["true"], meant["false"])
        for word, meaning in SPELLINGS:
            with self.subTest(word=word):
                self.assertEqual(self.replays(*self.log(word))[-1], meant[meaning])
        for word in TABLE["refused"]:
            self.refuses(*self.log(word), says=SENTENCE.format(word))

    def test_a_table(self):
        spec, out = self.table([word for word, _ in SPELLINGS])
        done = tarry("run", str(spec), "--out", str(out))
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        with (out / "predictions.csv").open(newline="") as file:
            read = [row["label"] for row in csv.DictReader(file)]
        self.assertEqual(read, ["1" if meaning == "true" else "0" for _, meaning in SPELLINGS])
        for word in TABLE["refused"]:
            spec, out = self.table(["yes", word])
            self.fails("run", str(spec), "--out", str(out), says="line 3: " + SENTENCE.format(word))

    def test_yes_and_no_in_any_words_are_two_classes(self):
        rows = [["seen_at", "known_at", "x", "paid"]]
        rows += [[i, i + 3, i % 7, cell(SPELLINGS[i % len(SPELLINGS)][0])] for i in range(60)]
        with (self.folder / "my.csv").open("w", newline="") as file:
            csv.writer(file).writerows(rows)
        done = tarry("run", str(self.folder / "my.csv"), "--out", str(self.folder / "out"))
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        self.assertIn("label paid, the last column; loss logistic\n", done.stdout.decode())

    def test_the_service(self):
        service = self.serve()
        hashes = {}
        for i, (word, meaning) in enumerate(SPELLINGS):
            service.create(f"m{i}", {"task": "binary"})
            ticket = service.decide(f"m{i}", {"x": 1})["ticket"]
            self.assert_status(service.feedback(ticket=ticket, label=word), 200)
            hashes.setdefault(meaning, set()).add(service.hash(f"m{i}"))
            for again, other in SPELLINGS[:: 5]:  # the same in other words is no conflict
                self.assert_status(service.feedback(ticket=ticket, label=again), 200 if other == meaning else 409)
        self.assertEqual([len(hashes[meaning]) for meaning in ("true", "false")], [1, 1])
        self.assertNotEqual(hashes["true"], hashes["false"])
        service.create("refusing", {"task": "binary"})
        for word in TABLE["refused"]:
            ticket = service.decide("refusing", {"x": 1})["ticket"]
            self.assertIn(SENTENCE.format(word), service.feedback(ticket=ticket, label=word).json["error"]["message"])
