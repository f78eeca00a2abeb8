"""docs/sets.md has a row for every set that the program knows, and its command prints what it says."""

import json
import re
import subprocess
import unittest

from program import PROGRAM, ROOT, ProgramTest

PAGE = (ROOT / "docs" / "sets.md").read_text()


class SetsPage(ProgramTest):
    def test_every_set_has_a_row(self):
        sets = {json.loads(line)["name"] for line in self.succeeds("sets", "--json")}
        self.assertEqual(set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)), sets)

    def test_its_command_prints_what_it_says(self):
        command = re.search(r"```sh\n(.*?)```", PAGE, re.DOTALL).group(1).replace("build/release/tarry", PROGRAM)
        printed = re.search(r"prints `([^`]*)`", PAGE).group(1)
        self.assertEqual(subprocess.run(command, shell=True, capture_output=True, text=True).stdout.strip(), printed)


if __name__ == "__main__":
    unittest.main()
