"""docs/sets.md has a row for every set that the program knows, with all of its keys, and its command prints what it says."""

import json
import re
import subprocess
import unittest

from program import PROGRAM, ROOT, ProgramTest

PAGE = (ROOT / "docs" / "sets.md").read_text()


class SetsPage(ProgramTest):
    def test_every_set_has_a_row_with_its_keys(self):
        sets = [json.loads(line) for line in self.succeeds("sets", "--json")]
        rows = {}
        for line in PAGE.splitlines():
            if found := re.match(r"\| `(\w+)` \|", line):
                rows.setdefault(found.group(1), line)
        for entry in sets:
            with self.subTest(set=entry["name"]):
                self.assertIn(entry["name"], rows)
                for key in entry["keys"]:
                    self.assertIn(f"`{key['name']}`", rows[entry["name"]])
        self.assertEqual(set(rows), {entry["name"] for entry in sets})

    def test_its_command_prints_what_it_says(self):
        command = re.search(r"```sh\n(.*?)```", PAGE, re.DOTALL).group(1).replace("build/release/tarry", PROGRAM)
        printed = re.search(r"prints `([^`]*)`", PAGE).group(1)
        self.assertEqual(subprocess.run(command, shell=True, capture_output=True, text=True).stdout.strip(), printed)


if __name__ == "__main__":
    unittest.main()
