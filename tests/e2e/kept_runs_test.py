"""What rivals did is kept (bench/kept_runs.py, bench/kept_rivals.py): found again for the same stream, and for no other. Tarry is told which
features of a stream are numbers (bench/late_streams.py), and sees the same rows."""

import csv
import dataclasses
import sys
import tempfile
import unittest
from pathlib import Path

from program import ROOT

sys.path.insert(0, str(ROOT / "bench"))
from kept_rivals import KeptRivals
from kept_runs import KeptRuns, hash_of
from late_streams import WORD_SLOTS, LateStream, fnv1a, spec_with_numbers, written

STREAM = LateStream("made up", "logistic", [[(0, 1.0)], [(0, 2.0)]], [1.0, -1.0], {0}, [0.0, 1.0], [0.5, None], {})
RUN = {"who": "vw", "how": "rate 0.5", "curve": [0.7, float("inf")], "metric": float("inf"), "tuned": True, "seconds": 1.0}


class KeptRunsTest(unittest.TestCase):
    def test_any_difference_makes_another_hash(self):
        others = {"loss": "squared", "rows": [[(0, 1.0)], [(0, 2.5)]], "labels": [1.0, 1.0], "numbers": set(), "event_time": [0.0, 2.0],
                  "feedback_time": [0.5, 3.0]}
        hashes = {hash_of(dataclasses.replace(STREAM, **{key: value}), ["1.0"]) for key, value in others.items()}
        hashes |= {hash_of(STREAM, ["1.0"]), hash_of(STREAM, ["1.1"])}
        self.assertEqual(len(hashes), len(others) + 2)
        self.assertIn(hash_of(dataclasses.replace(STREAM, name="of another name"), ["1.0"]), hashes)

    def test_a_run_is_found_again(self):
        with tempfile.TemporaryDirectory() as folder:
            KeptRuns(Path(folder, "kept"), "a").keep(RUN)
            self.assertEqual(KeptRuns(Path(folder, "kept"), "a").find("vw", "rate 0.5"), RUN)
            self.assertIsNone(KeptRuns(Path(folder, "kept"), "a").find("vw -q", "rate 0.5"))
            self.assertIsNone(KeptRuns(Path(folder, "kept"), "b").find("vw", "rate 0.5"))
            self.assertEqual([file.name for file in Path(folder, "kept").iterdir()], ["a.json"])


class KeptRivalsTest(unittest.TestCase):
    def test_the_best_of_a_stream_and_seed_is_found_again_unless_the_stream_has_changed(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "rivals.json")
            kept = KeptRivals(file)
            kept.keep(STREAM, 1, [0.51234567, 0.5], {"vw": "1"})
            kept.write()
            self.assertEqual(KeptRivals(file).find(STREAM, 1), ([0.51235, 0.5], None))
            self.assertEqual(KeptRivals(file).find(STREAM, 2), (None, "no rival has played it"))
            changed = dataclasses.replace(STREAM, labels=[1.0, 1.0])
            self.assertEqual(KeptRivals(file).find(changed, 1), (None, "the stream has changed since rivals played it"))
            kept.keep(STREAM, 2, [0.5, 0.5], {"vw": "2"})  # other rivals
            self.assertIsNone(kept.find(STREAM, 1)[0])

    def test_what_is_committed_was_measured_with_named_versions_on_23_streams(self):
        kept = KeptRivals(ROOT / "bench" / "kept" / "rivals.json")
        self.assertEqual((set(kept.versions), len([one for one in kept.best if one[1] == 1])), ({"river", "vowpalwabbit"}, 23))


class NumbersTest(unittest.TestCase):
    def test_indicators_beside_numbers_become_words_in_slots_of_their_own(self):
        rows = [[(0, 2.5), (1, 1.0)], [(2, 1.0)]]
        with tempfile.TemporaryDirectory() as folder:
            stream = written("made up", "made_up", rows, [1.0, -1.0], {0}, [0.0, 1.0], [0.5, None], Path(folder))
            spec = spec_with_numbers(stream, Path(folder))
            with open(spec["path"], newline="") as file:
                lines = list(csv.DictReader(file))
        self.assertEqual((spec["features"], spec["missing"]), (["x0"], "absent"))
        words = spec["categorical"]
        self.assertEqual(len({fnv1a(f"{word}=1") % WORD_SLOTS for word in words}), 2)
        self.assertEqual([[line[name] for name in ("event", "feedback", "label", "x0", *words)] for line in lines],
                         [["0.0", "0.5", "1.0", "2.5", "1", ""], ["1.0", "", "-1.0", "0", "", "1"]])

    def test_nothing_changes_where_no_feature_is_a_number(self):
        self.assertEqual(spec_with_numbers(dataclasses.replace(STREAM, numbers=set(), spec={"features": ["x"]}), None), {"features": ["x"]})


if __name__ == "__main__":
    unittest.main()
