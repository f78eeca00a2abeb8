"""A store's directory that is moved, replaced or restored over while `tarry serve` has it: one line, and nothing is written elsewhere."""

import json
import shutil
import unittest

import serve_test
from program import TIMEOUT, tarry

CHANGED = "was moved, removed or replaced while it was in use"


class Moved(unittest.TestCase):
    setUp, start, kill, ask, decide = (getattr(serve_test.ServeTest, name) for name in ("setUp", "start", "kill", "ask", "decide"))

    def begin(self):
        self.start()
        self.assertEqual(self.ask("PUT", "/v1/models/m", serve_test.BALL)[0], 201)
        for _ in range(5):
            self.decide()

    def ends(self, why):
        """By itself, with a status and one line."""
        self.assertEqual(self.process.wait(TIMEOUT), 1)
        log = (self.folder / "log").read_text()
        errors = [line for line in map(json.loads, log.splitlines()) if line["level"] == "error"]
        self.assertEqual(len(errors), 1, log)
        self.assertIn(why, errors[0]["why"])

    def files(self, folder):
        return sorted(str(file.relative_to(folder)) for file in folder.rglob("*"))

    def test_a_moved_directory_ends_it(self):
        self.begin()
        elsewhere = self.folder / "elsewhere"
        self.data.rename(elsewhere)
        self.ends(f"{self.data}: {CHANGED}")
        self.assertFalse(self.data.exists())
        self.data = elsewhere
        self.start()
        self.assertEqual(self.ask("GET", "/v1/models/m")[1]["rounds"], 5)

    def test_a_directory_that_was_restored_over_is_left_as_it_is(self):
        self.begin()
        copy = self.folder / "copy"
        self.assertEqual(tarry("store", "backup", str(self.data), str(copy)).returncode, 0)
        shutil.rmtree(self.data)
        self.assertEqual(tarry("store", "restore", str(copy), str(self.data)).returncode, 0)
        files = self.files(self.data)
        self.ends(CHANGED)
        self.assertEqual(self.files(self.data), files)
        self.start()
        self.assertEqual(self.ask("GET", "/v1/models/m")[1]["rounds"], 5)

    def test_files_that_were_copied_over_end_it(self):
        self.begin()
        copy = self.folder / "copy"
        self.assertEqual(tarry("store", "backup", str(self.data), str(copy)).returncode, 0)
        self.decide()
        shutil.copytree(copy, self.data, dirs_exist_ok=True)
        self.ends("was written over while it was in use")

    def test_one_service_at_a_time_without_the_lock_file(self):
        self.begin()
        (self.data / "lock").unlink()
        first, port, self.process = self.process, self.port, None
        with self.assertRaises(AssertionError):
            self.start()
        self.assertEqual(self.process.wait(TIMEOUT), 2)
        self.process.stdout.close()
        self.process, self.port = first, port
        self.assertIn(f"{self.data}: another process uses this store", (self.folder / "log").read_text())
        self.assertIn("another process", tarry("store", "check", str(self.data)).stderr.decode())
        self.decide()


if __name__ == "__main__":
    unittest.main()
