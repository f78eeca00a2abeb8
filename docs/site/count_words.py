#!/usr/bin/env python3
"""count_words.py [--places] [PROGRAM]: counts words that make prose sound translated, in the pages, in the messages and comments of src, and,
where PROGRAM is given, in the help of all its commands. With --places, says where each of them is."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORDS = ("stands", "whoever", "anew", "tells", "is told", "rests", "of which", "that which", "but for", "lies")
FOUND = re.compile(r"\b(" + "|".join(word.replace(" ", r"\s+") for word in WORDS) + r")\b", re.IGNORECASE)
CODE = re.compile(r"^```.*?^```$|<!--.*?-->|`[^`\n]*`", re.DOTALL | re.MULTILINE)
LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"')


def blank(match):
    """What a match has in lines, so that the places of all others stay."""
    return "\n" * match[0].count("\n")


def pages():
    for path in [*ROOT.glob("*.md"), *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs/site").glob("*.md"))]:
        yield path.relative_to(ROOT), CODE.sub(blank, path.read_text())


def sources():
    return sorted(path for path in (ROOT / "src").rglob("*") if path.suffix in (".h", ".cpp"))


def code_of(line):
    """A line up to its comment; `//` inside a text is none."""
    return LITERAL.sub(lambda text: "_" * len(text[0]), line).find("//")


def messages():
    for path in sources():
        kept = []
        for line in path.read_text().splitlines():
            end = code_of(line)
            code = line if end < 0 else line[:end]
            kept.append("" if line.startswith("#include") else " ".join(LITERAL.findall(code)))
        yield path.relative_to(ROOT), "\n".join(kept)


def comments():
    for path in sources():
        lines = path.read_text().splitlines()
        yield path.relative_to(ROOT), "\n".join(line[at:] if (at := code_of(line)) >= 0 else "" for line in lines)


def help_of(program, *command):
    text = subprocess.run([program, *command, "--help"], capture_output=True, text=True, check=True).stdout
    yield " ".join(["tarry", *command, "--help"]), text
    if "Subcommands:" in text:
        for name in re.findall(r"^  ([a-z]\w*) ", text.split("Subcommands:")[1], re.MULTILINE):
            yield from help_of(program, *command, name)


def count(texts):
    """(where, line, word) of all that is found."""
    return [(where, text.count("\n", 0, found.start()) + 1, " ".join(found[1].lower().split()))
            for where, text in texts for found in FOUND.finditer(text)]


def main():
    arguments = [word for word in sys.argv[1:] if word != "--places"]
    kinds = {"pages": pages(), "messages": messages(), "comments": comments()}
    if arguments:
        kinds["help"] = help_of(arguments[0])
    for kind, texts in kinds.items():
        places = count(texts)
        by_word = ", ".join(f"{word} {n}" for word in WORDS if (n := sum(found == word for _, _, found in places)))
        print(f"{kind:9} {len(places):4}   {by_word}")
        if "--places" in sys.argv:
            for where, line, word in places:
                print(f"    {where}:{line}: {word}")


if __name__ == "__main__":
    main()
