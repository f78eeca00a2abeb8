"""The reference of the site: every task, set, learner, loss, delay and stream with its keys, an experiment with all of its own, and every
command with its options, as the program itself lists them."""

import json
import subprocess
import sys

from count_words import help_of

KINDS = ("tasks", "sets", "learners", "losses", "delays", "streams")


def listed(program, kind):
    done = subprocess.run([program, kind, "--json"], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def cell(text):
    return text.replace("|", "\\|").replace("<", "&lt;")


def section(entry):
    lines = [f"### `{entry['name']}`", "", cell(entry["summary"]), ""]
    if entry["keys"]:
        lines += ["| key | wanted | default |", "|---|---|---|"]
        for key in entry["keys"]:
            default = "required" if key["required"] else cell(str(key.get("default", "")))
            lines.append(f"| `{key['name']}` | {cell(key['wanted'])} | {default} |")
        lines.append("")
    return "\n".join([*lines, "```json", *(json.dumps(one, ensure_ascii=False) for one in entry["examples"]), "```", ""])


def keys_page(program):
    parts = ["# Everything a specification can name\n\nWhat `tarry tasks`, `tarry sets` and the others list. Made when this site was built.\n"]
    for kind in KINDS:
        parts += [f"## {kind.capitalize()}\n", *(section(entry) for entry in listed(program, kind))]
    example = subprocess.run([program, "init", "-"], capture_output=True, text=True, check=True).stdout
    parts.append(f"## Experiments\n\nWhat `tarry init` writes. [The lab](lab.md) explains it.\n\n```toml\n{example.strip()}\n```\n")
    return "\n".join(parts)


def options_page(program):
    parts = ["# Options of all commands\n\nWhat `tarry COMMAND --help` prints. Made when this site was built.\n"]
    for command, text in help_of(program):
        parts.append(f"## {command.removesuffix(' --help')}\n\n```\n{text.strip()}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    print(keys_page(sys.argv[1]))
    print(options_page(sys.argv[1]))
