"""The constants of `auto` that were chosen by measurement, with other values each, and programs built with those: a copy of the sources
in which one number is another, so that the sources need no hook for experiments."""
import pathlib
import shutil
import subprocess

from tarry_parts import digest_of

PATIENT, WEIGHTS = "src/tarry/learners/combined/patient.cpp", "src/tarry/learners/combined/loss_weights.cpp"
BENDS, BENDS_H, PRODUCTS = "src/tarry/features/bends.cpp", "src/tarry/features/bends.h", "src/tarry/features/products.cpp"


def one(file, text, values):
    """A constant that is written once: {value: edits}."""
    return {value: [(file, text, text.rsplit("= ", 1)[0] + f"= {value};")] for value in values}


# Each: what it is now, and for every other value the (file, text, other text) that make it so. Rooms are for 256 hats and 32 × 32 tiles.
CONSTANTS = {
    "η": ("0.25", one(PATIENT, "kCaution = 0.25;", ["0.125", "0.5"])),
    "prior of wide banks": ("0.1", one(PATIENT, "kWide = 0.1;", ["0.03", "0.3"])),
    "sleeping share": ("0.3", one(WEIGHTS, "kAwake = 0.3;", ["0.1", "0.5"])),
    "tile factor": ("1.5", one(BENDS, "kTileShare = 1.5;", ["1", "2"])),
    "tile knots": ("2", {"1": [(BENDS, "kTile = 2;", "kTile = 1;")], "2.5": [(BENDS, "kTile = 2;", "kTile = 2.5;")]}),
    "coarse knots": ("4", {"2": [(BENDS, "kCoarse = 4,", "kCoarse = 2,")], "3": [(BENDS, "kCoarse = 4,", "kCoarse = 3,")]}),
    "fine knots": ("16", {str(n): [(BENDS_H, "kFine = 16;", f"kFine = {n};"), (BENDS, "2 * 6 * 16 + 1", f"2 * 6 * {n} + 1")]
                          for n in (8, 12)}),
    "product clip": ("2.5", one(PRODUCTS, "kFarProduct = 2.5;", ["1.5", "5"])),
}


def put(root, edits):
    for file, text, other in edits:
        path = root / file
        source = path.read_text()
        assert source.count(text) == 1, f"{file}: {text} is there {source.count(text)} times, not once"
        path.write_text(source.replace(text, other))


def sources():
    listed = subprocess.run(["git", "ls-files"], check=True, capture_output=True, text=True).stdout.split("\n")
    return [name for name in listed if name and pathlib.Path(name).is_file()]


def program_with(edits, folder):
    """Built in one copy of the sources, edited and put back, so that only what includes the constant is compiled again. Kept by a
    hash of the sources and the edits."""
    names = sources()
    code = [name for name in names if name.startswith(("src/", "cmake/", "CMake"))]
    kept = folder / "programs" / digest_of(*code)[:16]
    program = kept / ("tarry-" + "-".join(other.strip(" ,;").replace(" ", "").replace("*", "x") for _, _, other in edits))
    if program.exists():
        return program
    kept.mkdir(parents=True, exist_ok=True)
    root = folder / "sources"
    for name in names:
        copy = root / name
        if not copy.exists() or copy.read_bytes() != pathlib.Path(name).read_bytes():  # others keep their times
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(name, copy)
            shutil.copymode(name, copy)
    put(root, edits)
    for command in (["cmake", "--preset", "release"], ["cmake", "--build", "--preset", "release", "--target", "tarry_program"]):
        subprocess.run(command, cwd=root, check=True, capture_output=True)
    shutil.copy(root / "build/release/tarry", program)
    return program
