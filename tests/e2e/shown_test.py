"""What the documents show of commands is what they print now (tests/e2e/shown.py --update writes it anew)."""

import tempfile
import unittest
from pathlib import Path

import shown
from program import PROGRAM

PROGRAM = Path(PROGRAM).resolve()


class Documents(unittest.TestCase):
    maxDiff = None

    def test_nothing_is_stale(self):
        paths = shown.documents()
        self.assertLessEqual({"lab.md", "learners.md", "first_steps.md", "README.md"}, {path.name for path in paths})
        for path in paths:
            document = shown.Document(path, PROGRAM)
            for command, was, now in document.stale:
                with self.subTest(document=path.name, command=command):
                    self.assertEqual(shown.less_times(was), shown.less_times(now))


class Marks(unittest.TestCase):
    def again(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "page.md")
            path.write_text(text)
            return shown.Document(path, PROGRAM)

    def test_blocks_words_and_sessions_are_written_anew(self):
        page = ("Has <!-- shown by: echo 3 -->{}<!-- end --> lines.\n\n<!-- file a.txt -->\n```\none\ntwo\n```\n\n"
                "<!-- shown by: cat a.txt -->\n```\n{}```\n\n<!-- shown by its commands -->\n```console\n$ true\n"
                "$ wc -l < a.txt\n{}$ tarry --version | cut -c 1-5\ntarry\n```\n\n<!-- shown by: echo '|x|' -->\n{}<!-- end -->\n")
        fresh = page.format("3", "one\ntwo\n", "2\n", "|x|\n")
        self.assertEqual(self.again(fresh).stale, [])
        document = self.again(page.format("4", "", "5\n\n7\n", "|y|\n"))
        self.assertEqual(document.text, fresh)
        self.assertEqual(len(document.stale), 4)

    def test_times_do_not_count(self):
        table = "learner  loss  µs/round  kB\n───────  ────  ────────  ──\nauto        1  {}  2\n\nrank{}\n"
        self.assertEqual(shown.less_times(table.format("  0.25", "")), shown.less_times(table.format("122.25", "")))
        self.assertNotEqual(shown.less_times(table.format("1", "")), shown.less_times(table.format("1", "s")))

    def test_what_takes_long_is_run_when_asked_for(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "page.md")
            path.write_text("<!-- shown at length by: echo 2 -->\n```\n1\n```\n")
            self.assertEqual(shown.Document(path, PROGRAM, long=False).stale, [])
            self.assertEqual(len(shown.Document(path, PROGRAM, long=True).stale), 1)

    def test_a_command_that_fails_is_an_error(self):
        with self.assertRaisesRegex(RuntimeError, "nothing_of_the_kind"):
            self.again("<!-- shown by: tarry sets nothing_of_the_kind -->\n```\n```\n")


if __name__ == "__main__":
    unittest.main()
