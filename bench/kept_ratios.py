"""Ratios of `make bench` kept for each version (bench/kept/VERSION.json), and which rows have become slower since."""
import json
import pathlib
import re

FOLDER = pathlib.Path("bench/kept")
FALLS_BY = 1 / 3


def version(cmake=pathlib.Path("CMakeLists.txt")):
    return re.search(r"project\(tarry VERSION ([0-9.]+)", cmake.read_text()).group(1)


def keep(rows, machine, name, folder=FOLDER):
    """`rows`: each with its key, its ratio and whether more is better."""
    folder.mkdir(exist_ok=True)
    ratios = {row["key"]: float(f"{row['ratio']:.3g}") for row in rows}
    path = folder / f"{name}.json"
    path.write_text(json.dumps({"machine": machine, "ratios": ratios}, indent=1) + "\n")
    return path


def newest(folder=FOLDER):
    """The name of the last version that was kept, and its ratios; None where there is none."""
    files = sorted(folder.glob("[0-9]*.json"), key=lambda file: [int(part) for part in file.stem.split(".")])
    return (files[-1].stem, json.loads(files[-1].read_text())["ratios"]) if files else (None, {})


def slower(rows, kept):
    """Those of the rows that are worse by a third than they were."""
    def fell(row):
        before = kept.get(row["key"])
        if not before or not row["ratio"]:
            return False
        share = row["ratio"] / before if row["more_is_better"] else before / row["ratio"]
        return share < 1 - FALLS_BY
    return [row for row in rows if fell(row)]
