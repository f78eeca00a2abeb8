"""What Tarry's `auto` loses on the first fifth of a stream, on its last half and on all of it, from runs that are kept."""
import functools
import hashlib
import json
import math
import os
import pathlib
import resource
import subprocess
import tempfile

from kept_runs import KeptRuns

PARTS = ("first fifth", "last half", "whole")
WAYS = {"auto": {}, "auto, no trees": {"trees": False}, "auto, no bends": {"bends": False}, "auto, features alone": {"products": False, "bends": False}}
CHECKPOINTS = 400  # log-spaced: the nearest ones to a fifth and to half of the rounds are about 1 % off; more take longer than the rounds


def toml(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(inner)}" for key, inner in value.items()) + " }"
    return json.dumps(value)


def lines(table):
    return "\n".join(f"{key} = {toml(value)}" for key, value in table.items())


def losses(run):
    """(rounds, the sum of losses until then) at each checkpoint."""
    checkpoints = run["checkpoints"]
    metrics = checkpoints["metrics"]
    means = [x * x for x in metrics["rmse"]] if "rmse" in metrics else metrics["log_loss"]
    return [(rounds, rounds * mean) for rounds, mean in zip(checkpoints["round"], means)], "rmse" in metrics


def parts_of(sums, squared):
    size = sums[-1][0]
    nearest = lambda rounds: min(sums, key=lambda one: abs(one[0] - rounds))
    fifth, half, whole = nearest(size / 5), nearest(size / 2), sums[-1]
    means = [fifth[1] / fifth[0], (whole[1] - half[1]) / (size - half[0]), whole[1] / size]
    return [math.sqrt(mean) for mean in means] if squared else means


def digest_of(*paths, more=""):
    digest = hashlib.sha256(more.encode())
    for path in paths:
        digest.update(digest_at(path, os.stat(path).st_mtime_ns))
    return digest.hexdigest()


@functools.cache
def digest_at(path, _):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).digest()


def played(*how):
    """(rounds, the sum of losses until then) at each checkpoint, and whether they are squared errors."""
    return record_of(*how)["losses"]


def record_of(spec, folder, program, learner, constants, keys):
    """Its losses, how many labels came, and the processor's seconds. The same stream, played by the same program in the same way, is not played
    again."""
    text = "\n".join([*(f"# {name} = {value}" for name, value in constants.items()),
                      lines({"name": "parts", "comparator": False, "standardise": True, **keys}),
                      '[set]\ntype = "box"\ndimension = "stream"\nlower = -10\nupper = 10\n[stream]', lines({"name": "stream", **spec}),
                      '[[delays]]\ntype = "recorded"\n[[learners]]', lines({"type": "auto", **(learner or {})}), ""])
    kept = KeptRuns(folder / "kept", digest_of(spec["path"], program))
    how = text.replace(spec["path"], pathlib.Path(spec["path"]).name)
    if kept.find("auto", how) is None:
        with tempfile.TemporaryDirectory(dir=folder) as own:
            experiment, out = pathlib.Path(own) / "auto.toml", pathlib.Path(own) / "out"
            experiment.write_text(text)
            before = children_s()
            subprocess.run([program, "run", experiment, "--jobs", "1", "--out", out], check=True, capture_output=True, env=os.environ | constants)
            run = json.loads((out / "summary.json").read_text())["runs"][0]
        kept.keep({"who": "auto", "how": how, "losses": losses(run), "answered": run["delays"]["answered"], "seconds": children_s() - before})
    return kept.find("auto", how)


def children_s():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_tarry(spec, folder, program="build/release/tarry", learner=None, constants=None, **keys):
    """The parts, nearly. `spec`: the keys of a stream. `learner`: those of `auto`. `constants`: set in a program in which they can be
    (chosen_constants.py). `keys`: of the experiment, such as products and bends."""
    return parts_of(*played(spec, folder, program, learner, constants or {}, {"checkpoints": CHECKPOINTS, **keys}))


def exact_parts(spec, size, folder, program="build/release/tarry", **keys):
    """The parts of `size` rounds, from runs of a fifth, of half and of all of them."""
    sums = []
    for rounds in (size // 5, size // 2, size):
        found, squared = played(spec, folder, program, None, {}, {"rounds": rounds, "checkpoints": 2, **keys})
        sums.append(found[-1])
    return parts_of(sums, squared)
