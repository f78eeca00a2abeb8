"""What Tarry's `auto` loses on the first fifth of a stream, on its last half and on all of it, from one run, which is kept."""
import hashlib
import json
import math
import pathlib
import shutil
import subprocess

from kept_runs import KeptRuns

PARTS = ("first fifth", "last half", "whole")
CHECKPOINTS = 400  # log-spaced: the nearest ones to a fifth and to half of the rounds are about 1 % off


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


def parts_of(run):
    sums, squared = losses(run)
    size = sums[-1][0]
    nearest = lambda rounds: min(sums, key=lambda one: abs(one[0] - rounds))
    fifth, half, whole = nearest(size / 5), nearest(size / 2), sums[-1]
    means = [fifth[1] / fifth[0], (whole[1] - half[1]) / (size - half[0]), whole[1] / size]
    return [math.sqrt(mean) for mean in means] if squared else means


def digest_of(*paths):
    digest = hashlib.sha256()
    for path in paths:
        digest.update(pathlib.Path(path).read_bytes())
    return digest.hexdigest()


def run_tarry(spec, folder, program="build/release/tarry", learner=None, **keys):
    """`spec`: the keys of a stream. `learner`: those of `auto`. `keys`: of the experiment, such as products and bends. The same stream, played by the same
    program in the same way, is not played again."""
    text = "\n".join([lines({"name": "parts", "checkpoints": CHECKPOINTS, "comparator": False, "standardise": True, **keys}),
                      '[set]\ntype = "box"\ndimension = "stream"\nlower = -10\nupper = 10\n[stream]', lines({"name": "stream", **spec}),
                      '[[delays]]\ntype = "recorded"\n[[learners]]', lines({"type": "auto", **(learner or {})}), ""])
    kept = KeptRuns(folder / "kept", digest_of(spec["path"], program))
    if kept.find("auto", text) is None:
        experiment, out = folder / "auto.toml", folder / "out"
        experiment.write_text(text)
        shutil.rmtree(out, ignore_errors=True)
        subprocess.run([program, "run", experiment, "--jobs", "1", "--out", out], check=True, capture_output=True)
        run = json.loads((out / "summary.json").read_text())["runs"][0]
        kept.keep({"who": "auto", "how": text, "parts": parts_of(run)})
    return kept.find("auto", text)["parts"]
