"""Ratings: predicted first, learnt when they come, from files of any of the known formats."""

import json
import tempfile
import unittest
from pathlib import Path

from program import ROOT, ProgramTest, tarry

EXAMPLE = str(ROOT / "examples" / "movielens.toml")
TABS = "".join(f"{u}\t{(7 * u + 3 * k) % 10}\t{1 + (u + k) % 5}\t{100 * k + u}\n" for k in range(6) for u in range(50))


class Ratings(ProgramTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def arguments(self, text, *overrides, keys=""):
        path = self.folder / "ratings"
        path.write_text(text)
        stream = f'stream={{name="ratings", type="ratings", path="{path}"{keys}}}'
        words = [word for override in (stream, *overrides) for word in ("--override", override)]
        return ("run", EXAMPLE, "--out", str(self.folder / "out"), *words)

    def test_every_format_gives_the_same_game(self):
        rows = [line.split("\t") for line in TABS.splitlines()]
        formats = [TABS, "".join("::".join(row) + "\n" for row in rows),
                   "userId,movieId,rating,timestamp\n" + "".join(",".join(row) + "\n" for row in rows),
                   "when,stars,who,what\n" + "".join(f"{t},{r}.0,{u},{i}\n" for u, i, r, t in rows)]
        seen = []
        for text in formats:
            keys = ', order="time"'
            if text.startswith("when"):
                keys += ', user="who", item="what", rating="stars", time="when"'
            done = tarry(*self.arguments(text, keys=keys))
            self.assertEqual(done.returncode, 0, done.stderr.decode())
            runs = json.loads((self.folder / "out" / "summary.json").read_text())["runs"]
            self.assertEqual(runs[0]["rounds"], 300)
            seen.append([(run["learner"], run["checkpoints"]["metrics"], run["top"]) for run in runs])
        for other in seen[1:]:
            self.assertEqual(other, seen[0])

    def test_lists_what_chosen_users_have_not_rated(self):
        done = tarry(*self.arguments(TABS, 'top={users=[7], count=3}'))
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        self.assertIn("for user 7 (ratings, ", done.stdout.decode())
        rated = {line.split("\t")[1] for line in TABS.splitlines() if line.startswith("7\t")}
        for run in json.loads((self.folder / "out" / "summary.json").read_text())["runs"]:
            [top] = run["top"]
            self.assertEqual((top["user"], len(top["items"])), ("7", 3))
            self.assertFalse(rated & set(top["items"]))
            self.assertEqual(top["predictions"], sorted(top["predictions"], reverse=True))

    def test_likes_are_predicted_by_the_logistic_loss(self):
        done = tarry(*self.arguments(TABS, keys=', like=4, loss="logistic"'))
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        self.assertIn("log_loss", done.stdout.decode())

    def test_bad_input_is_one_clear_line(self):
        for text, overrides, keys, says in (
                (TABS + "1\t2\n", (), "", "line 301: must be user, item, rating and perhaps a time (2 cells came)"),
                (TABS + "1\t2\tnan\t5\n", (), "", 'line 301: rating must be a finite number ("nan" came)'),
                (TABS + "1\t2\t6\t5\n", (), ", range=[1, 5]", 'line 301: rating must be from 1 to 5 ("6" came)'),
                (TABS, (), ", users=20", 'line 21: user "20" is number 21, and there is room for 20 (users = 20)'),
                (TABS, (), ", items=5", "and there is room for 5 (items = 5)"),
                ("", (), "", "ratings: is empty (wanted ratings)"),
                ("user,item,rating\n", (), "", "has no ratings after its header"),
                ("user,item,stars\n1,2,3\n", (), "", "line 1: no column for the rating: wanted rating"),
                (TABS, ("set.parts.0.radius=0",), "", "nuclear_ball: radius must be positive (radius = 0)"),
                (TABS, ('top={users=["nobody"]}',), "", 'top: stream ratings has no user "nobody"'),
                (TABS, (), ', order="backwards"', "order must be one of"),
        ):
            with self.subTest(says):
                overrides = overrides if any("top=" in o for o in overrides) else (*overrides, "top={users=[1]}")
                self.fails(*self.arguments(text, *overrides, keys=keys), says=says)


if __name__ == "__main__":
    unittest.main()
