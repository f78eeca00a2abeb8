"""The constants of `auto` that were chosen by measurement, with other values each, and a program in which they can be set: a copy of
the sources that reads them from the environment, so that the sources need no hook for experiments and one build serves all values."""
import dataclasses
import pathlib
import shutil
import subprocess

from tarry_parts import digest_of

PATIENT, WEIGHTS = "src/tarry/learners/combined/patient.cpp", "src/tarry/learners/combined/loss_weights.cpp"
TRIAL, TRAINING, GROWTH = "src/tarry/learners/combined/tree_trial.cpp", "src/tarry/trees/training.cpp", "src/tarry/trees/growth.cpp"
BENDS, PRODUCTS = "src/tarry/features/bends.cpp", "src/tarry/features/products.cpp"
READER = "src/tarry/base/set_outside.h"
READS = """#pragma once
#include <cstdlib>
namespace tarry {
inline double set_outside(const char* name, double otherwise) {
  const char* given = std::getenv(name);
  return given == nullptr ? otherwise : std::strtod(given, nullptr);
}
}  // namespace tarry
"""


@dataclasses.dataclass
class Constant:
    file: str
    variable: str
    now: str
    others: tuple
    text: str = ""  # what is in the source, where it is not a line of its own
    otherwise: str = ""  # and what takes its place

    def edit(self):
        reads = f'set_outside("{self.variable}", {self.now})'
        if self.text:
            return self.file, self.text, self.otherwise.replace("READS", reads)
        return self.file, f"constexpr double {self.variable} = {self.now};", f"const double {self.variable} = {reads};"


CONSTANTS = {
    "η": Constant(PATIENT, "kCaution", "0.25", ("0.125", "0.5")),
    "prior of wide banks": Constant(PATIENT, "kWide", "0.1", ("0.03", "0.3")),
    "sleeping share": Constant(WEIGHTS, "kAwake", "0.3", ("0.1", "0.5")),
    "tile factor": Constant(BENDS, "kTileShare", "1.5", ("1", "2")),
    "tile knots": Constant(BENDS, "kTile", "2", ("1", "2.5"), "kCoarse = 4, kTile = 2;", "kCoarse = 4; const double kTile = READS;"),
    "coarse knots": Constant(BENDS, "kCoarse", "4", ("2", "3"), "constexpr double kCoarse = 4;", "const double kCoarse = READS;"),
    # Rooms are for 16 and 4 knots in a deviation, and for tiles of 32 × 32.
    "fine knots": Constant(BENDS, "kFine", "16", ("8", "12"), "add(Hats(z, kFine, kFar), 0);",
                           "static const double fine = READS; add(Hats(z, fine, kFar), 0);"),
    "product clip": Constant(PRODUCTS, "kFarProduct", "2.5", ("1.5", "5")),
    "product factor": Constant(PRODUCTS, "kShare", "0.5", ("0.25", "1")),
    "odds of trees beforehand": Constant(TRIAL, "kBeforehand", "0.00675", ("0.001", "0.05")),
    "errors by which trees are ahead": Constant(TRIAL, "kSure", "1", ("0", "2")),
    "share of a cohort that counts": Constant(TRIAL, "kNearlyAll", "0.9", ("0.7", "0.97")),
    "labels that a trial remembers": Constant(TRIAL, "kRemembers", "4096", ("1024", "16384")),
    "labels' share that wakes trees": Constant(WEIGHTS, "kTreesCount", "0.65", ("0.4", "0.85")),
    "one-sided share that puts trees to sleep": Constant(WEIGHTS, "kOneSided", "0.01", ("0.003", "0.03")),
    "rate of a tree": Constant(TRAINING, "kRate", "0.15", ("0.1", "0.2")),
    "shrinking of leaves": Constant(GROWTH, "kShrink", "0.3", ("0.1", "1")),
    "rows of a leaf": Constant(GROWTH, "kFewestRows", "10", ("5", "20")),
}
# Hats without tiles where it is 0.
TILES = Constant(BENDS, "tiles", "1", (), "const bool tiles = known <= kMostTiled;",
                 "static const bool wanted = READS > 0; const bool tiles = wanted && known <= kMostTiled;")


def put(root, edits):
    for file, text, other in edits:
        path = root / file
        source = path.read_text()
        assert source.count(text) == 1, f"{file}: {text} is there {source.count(text)} times, not once"
        path.write_text(source.replace(text, other))


def sources():
    listed = subprocess.run(["git", "ls-files"], check=True, capture_output=True, text=True).stdout.split("\n")
    return [name for name in listed if name and pathlib.Path(name).is_file()]


def settable_program(folder, more=()):
    """Kept by a hash of the sources and of the edits, the constants' and `more`."""
    names = sources()
    edits = [constant.edit() for constant in (*CONSTANTS.values(), TILES)] + list(more)
    code = [name for name in names if name.startswith(("src/", "cmake/", "CMake"))]
    program = folder / "programs" / f"tarry-{digest_of(*code, more=repr(edits))[:16]}"
    if program.exists():
        return program
    program.parent.mkdir(parents=True, exist_ok=True)
    root = folder / "sources"
    for name in names:
        copy = root / name
        if not copy.exists() or copy.read_bytes() != pathlib.Path(name).read_bytes():  # others keep their times
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(name, copy)
            shutil.copymode(name, copy)
    (root / READER).write_text(READS)
    put(root, edits)
    for file in {file for file, _, _ in edits}:
        (root / file).write_text('#include "tarry/base/set_outside.h"\n' + (root / file).read_text())
    for command in (["cmake", "--preset", "program"], ["cmake", "--build", "build/release", "--target", "tarry_program"]):
        subprocess.run(command, cwd=root, check=True, capture_output=True)
    shutil.copy(root / "build/release/tarry", program)
    return program
