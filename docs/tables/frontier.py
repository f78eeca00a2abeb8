"""frontier.py calls | rates: Meta-Frank-Wolfe beside delayed_ofw at equal oracle calls, and the exponents of newer learners in T and in
the delay (docs/for_research.md). `tarry` is found in the PATH; `rates` takes minutes."""

import json
import math
import subprocess
import sys
import tempfile

LEARNER = """
[[learners]]
name = "{type} {calls}"
type = "{type}"
oracle_calls = {calls}
gradient_bound = {bound}
{more}
"""
CALLS = """name = "calls"
horizons = [4096]
seeds = 3
gap = 1e-4
[set]
type = "l1_ball"
dimension = 20
radius = 2
[[delays]]
name = "none"
type = "none"
[[delays]]
name = "geometric, mean 100"
type = "geometric"
mean = 100
"""
STREAM = """
[[streams]]
name = "{loss}"
type = "sparse_regression"
dimension = 20
non_zeros = 5
density = 5
noise = 0.1
loss = "{loss}"
"""
RATES = """name = "rates"
horizons = [{horizon}]
seeds = 16
[set]
{over}
[stream]
{stream}
dimension = 4
[delay]
type = "fixed"
delay = {delay}
[learner]
{learner}
"""
BALL, SIMPLEX = 'type = "l2_ball"\ndimension = 4\nradius = 1', 'type = "simplex"\ndimension = 4'
COPIES = 'type = "delayed_mfw"\noracle_calls = 8\ncopies = "{}"\n'
BANDIT = 'type = "delayed_bandit_ofw"\nhorizon = "rounds"\nlipschitz = 1\nlargest_delay = {delay}\n'
DESCENT = 'type = "infeasible_ogd"\nhorizon = "rounds"\ngradient_bound = 1\nmean_delay = {{delay}}\noracle = "{}"'
# What is played over which set, and the stream for exponents in T: of one sign where learners have none that is harder.
RATED = {
    "`delayed_mfw`, gauge": (BALL, COPIES.format("gauge"), 'type = "sign_blocks"\nblock = 1'),
    "`delayed_mfw`, perturbed": (SIMPLEX, COPIES.format("perturbed") + "gradient_bound = 1", 'type = "sign_blocks"\nblock = 1'),
    "`delayed_bandit_ofw`": (BALL, BANDIT + "loss_range = [-1, 1]", 'type = "constant"'),
    "`delayed_bandit_ofw`, two values": (BALL, BANDIT + "probes = 2", 'type = "constant"'),
    "`infeasible_ogd`, separation": (BALL, DESCENT.format("separation"), 'type = "constant"'),
    "`infeasible_ogd`, linear": (BALL, DESCENT.format("linear"), 'type = "constant"'),
}


def groups(experiment):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["tarry", "run", "-", "--out", folder], input=experiment.encode(), check=True, capture_output=True)
        with open(folder + "/summary.json") as summary:
            return json.load(summary)["groups"]


def calls():
    of = {"delayed_ofw": 'horizon = "rounds"', "delayed_mfw": 'copies = "perturbed"'}
    experiment = CALLS + "".join(STREAM.format(loss=loss) for loss in ("logistic", "squared"))
    for count in (1, 16, 64):
        for name, more in of.items():
            experiment += LEARNER.format(type=name, calls=count, bound=5, more=more)
    found = {(g["stream"], g["delay"], g["learner"]): g for g in groups(experiment)}
    print("| loss, delay | K | `delayed_ofw`: regret, certificate | `delayed_mfw`: regret, certificate |\n|---|---|---|---|")
    for loss in ("logistic", "squared"):
        for delay in ("none", "geometric, mean 100"):
            for count in (1, 16, 64):
                cells = [found[loss, delay, f"{name} {count}"] for name in of]
                print(f"| {loss}, {delay} | {count} | " + " | ".join(f"{g['regret_high']:.0f}, {g['bound']:.0f}" for g in cells) + " |")


def slope(xs, ys):
    xs, ys = [math.log(x) for x in xs], [math.log(y) for y in ys]
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - mx) * (y - my) for x, y in zip(xs, ys)) / sum((x - mx) ** 2 for x in xs)


def rates():
    print("| learner | exponent in T, T = 2^8 … 2^16, d = 1 | exponent in d, d = 1 … 256, T = 2^14 |\n|---|---|---|")
    horizons, delays = [2**k for k in range(8, 17)], [4**k for k in range(5)]
    for name, (over, learner, stream) in RATED.items():

        def regret(horizon, delay, played):
            experiment = RATES.format(horizon=horizon, delay=delay, over=over, stream=played, learner=learner.replace("{delay}", str(delay)))
            return groups(experiment)[0]["regret_high"]

        in_t = slope(horizons, [regret(t, 1, stream) for t in horizons])
        in_d = slope(delays, [regret(2**14, d, f'type = "sign_blocks"\nblock = {d}') for d in delays])
        print(f"| {name} | {in_t:.2f} | {in_d:.2f} |", flush=True)


if __name__ == "__main__":
    {"calls": calls, "rates": rates}[sys.argv[1]]()
