"""Help, version and the lists of what exists."""

import json
import subprocess
import unittest

from program import PROGRAM, ProgramTest, as_log, header, listed

COMMANDS = ("replay", "oracle", "explain", "tasks", "sets", "learners")


class Help(ProgramTest):
    def test_help_everywhere(self):
        top = "\n".join(self.succeeds("--help"))
        self.assertIn("Usage: tarry", top)
        for command in COMMANDS:
            self.assertIn(command, top)
            for flag in ("--help", "-h"):
                text = "\n".join(self.succeeds(command, flag))
                self.assertIn(f"Usage: tarry {command}", text)

    def test_version_everywhere(self):
        version = self.succeeds("--version")
        self.assertEqual(len(version), 1)
        self.assertRegex(version[0], r"\Atarry \d+\.\d+\.\d+ \(arithmetic \d+\)\Z")
        for command in COMMANDS:
            self.assertEqual(self.succeeds(command, "--version"), version)


class Usage(ProgramTest):
    def test_wrong_arguments(self):
        for arguments, says in (
                ([], "subcommand is required"),
                (["relpay", "x"], ['"relpay"', "known commands: replay, oracle"]),
                (["--frob"], '"--frob"'),
                (["replay"], "log is required"),
                (["replay", "--frob", "x"], "--frob"),
                (["replay", "one", "two"], "two"),
                (["replay", "--summary=maybe", "x"], "--summary"),
                (["oracle"], "--set is required"),
                (["oracle", "--set"], "--set"),
                (["oracle", "--set", "a", "--set", "b"], "--set"),
                (["explain"], "spec is required"),
                (["explain", "binary", "--horizon", "0"], "--horizon"),
                (["explain", "binary", "--gradient-bound", "-1"], "--gradient-bound"),
                (["tasks", "binary"], "binary"),
                (["sets", "simplex"], "simplex"),
                (["sets", "--toml"], "--toml"),
                (["learners", "-x"], "-x")):
            with self.subTest(arguments=arguments):
                done = self.fails(*arguments, says=says)
                self.assertEqual(done.stdout, b"")
                self.assertIn(b"tarry --help", done.stderr)

    def test_control_characters_in_an_argument_stay_on_one_line(self):
        self.fails("replay", "no\nsuch\x1b[31mfile", says="no such [31mfile")


class Lists(ProgramTest):
    def test_text(self):
        for command in ("tasks", "sets", "learners"):
            text = "\n".join(self.succeeds(command))
            for entry in listed(command):
                self.assertIn(f"{entry['name']}\n    {entry['summary']}\n", text)

    def test_json(self):
        names = {command: [entry["name"] for entry in listed(command)] for command in ("sets", "learners")}
        for wanted in ("l1_ball", "simplex", "box", "nuclear_ball"):
            self.assertIn(wanted, names["sets"])
        for wanted in ("delayed_ofw", "delayed_ofw_sc"):
            self.assertIn(wanted, names["learners"])
        for command in ("sets", "learners"):
            self.assertEqual(len(names[command]), len(set(names[command])))
            for entry in listed(command):
                self.assertTrue(entry["summary"])
                self.assertTrue(entry["examples"])
                keys = {key["name"]: key for key in entry["keys"]}
                for key in keys.values():
                    self.assertTrue(key["wanted"])
                for example in entry["examples"]:
                    self.assertEqual(example["type"], entry["name"])
                    self.assertLessEqual(set(example) - {"type"}, set(keys))
                    required = {name for name, key in keys.items() if key["required"]}
                    self.assertLessEqual(required, set(example))

    def test_a_key_left_out_is_named(self):
        for entry in listed("sets"):
            for key in entry["keys"]:
                example = entry["examples"][0]
                if not key["required"]:
                    continue
                short = json.dumps({name: value for name, value in example.items() if name != key["name"]})
                with self.subTest(spec=short):
                    self.fails("oracle", "--set", short, says=[entry["name"], key["name"], "wanted"])


class FullDisk(ProgramTest):
    def test_is_reported(self):
        log = as_log(header(), {"play": 1})
        for arguments in (["replay", "-"], ["replay", "-", "--summary"], ["sets"], ["learners", "--json"], ["--help"],
                          ["--version"]):
            with self.subTest(arguments=arguments), open("/dev/full", "wb") as full:
                done = subprocess.run([PROGRAM, *arguments], input=log, stdout=full, stderr=subprocess.PIPE)
                self.assertEqual(done.stderr, b"tarry: standard output: No space left on device\n")
                self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    unittest.main()
