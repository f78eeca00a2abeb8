"""`tarry verify`: every theorem played, the report on standard output, progress on standard error."""

import json
import unittest

from program import ProgramTest, examples, on_a_terminal, tarry


class Verify(ProgramTest):
    @classmethod
    def setUpClass(cls):
        cls.json = tarry("verify", "--quick", "--json")
        cls.text, cls.shown = on_a_terminal("verify", "--quick")

    def test_passes(self):
        self.assertEqual(self.json.returncode, 0, self.json.stderr.decode())
        self.assertEqual(self.text.returncode, 0)
        report = self.text.stdout.decode()
        self.assertRegex(report, r"\n\d{4,} checks, 0 failed\n\Z")
        self.assertNotIn("FAILED", report)
        self.assertIn("ok, caught", report)  # the planted leak

    def test_each_json_line_is_a_check_that_passed(self):
        checks = [json.loads(line) for line in self.json.stdout.splitlines()]
        self.assertTrue(all(check["passed"] is True for check in checks))
        self.assertEqual({check["section"] for check in checks}, {"bounds", "climbs", "answers", "rates", "pools"})
        for check in checks:
            if check["section"] == "bounds" and "bound" in check:
                self.assertLessEqual(check["regret"], check["bound"])
                self.assertTrue(check["feasible"])

    def test_both_reports_count_the_same_checks(self):
        checks = [json.loads(line) for line in self.json.stdout.splitlines()]
        counted = sum(check["section"] != "pools" for check in checks)
        self.assertIn(f"\n{counted} checks, 0 failed\n", self.text.stdout.decode())

    def test_every_learner_is_played(self):
        played = " ".join(json.loads(line)["learner"] for line in self.json.stdout.splitlines())
        for learner in examples("learners"):
            self.assertIn(learner["type"], played)

    def test_climbs_tell_what_they_tried(self):
        climbs = [check for check in map(json.loads, self.json.stdout.splitlines()) if check["section"] == "climbs"]
        self.assertEqual({climb["promise"] for climb in climbs}, {"certificate", "Theorem 12", "section 16"})
        for climb in climbs:
            self.assertGreater(climb["games"], 0)
            if "ratio" in climb:
                self.assertLessEqual(climb["rounds"], 50)

    def test_the_same_program_reports_the_same_bytes(self):
        self.assertEqual(tarry("verify", "--quick", "--json").stdout, self.json.stdout)

    def test_progress_is_plain_lines_elsewhere_than_on_a_terminal(self):
        lines = self.json.stderr.decode().splitlines()
        self.assertGreater(len(lines), 3)
        self.assertLess(len(lines), 30)
        for line in lines:
            self.assertRegex(line, r"\Averify: \d+% \(\d+ of \d+\)\Z")
        self.assertTrue(lines[-1].startswith("verify: 100% "))

    def test_progress_is_a_bar_on_a_terminal_that_leaves_nothing_behind(self):
        self.assertIn("█", self.shown)
        erase = "\x1b[1A\x1b[2K"  # one line up, and clear it
        self.assertEqual(self.shown.count("\n"), self.shown.count(erase))
        self.assertTrue(self.shown.endswith(erase))

    def test_refuses_what_it_does_not_know(self):
        self.fails("verify", "--quickly", says="--quickly")


if __name__ == "__main__":
    unittest.main()
