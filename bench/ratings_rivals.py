"""Ratings that come late: Tarry beside River's BiasedMF on one pass over MovieLens-100K. Usage: ratings_rivals.py [--data DIR]

Everyone sees the same ratings in the same order, learns each at the same moment, and is judged by all its predictions,
clipped to 1 … 5, also where the rating never came. Tarry plays the learners of examples/movielens.toml as they are. River
plays its documentation's settings for this very data set, and a grid of which the best is chosen in hindsight.
"""
import argparse
import itertools
import json
import math
import pathlib
import random
import shutil
import subprocess

from river import optim, reco

DELAYS = {"none": (0, 0), "10 % lost": (0, 0.1), "geometric 1000": (1000, 0), "geometric 1000, 10 % lost": (1000, 0.1)}
RATES = list(itertools.product([0.01, 0.025, 0.05], [0.025, 0.05, 0.1]))  # of biases, of factors
DOCUMENTED = (0.025, 0.05)


def ratings(path, order):
    rows = [line.split("\t") for line in path.read_text().splitlines()]
    if order == "time":
        rows.sort(key=lambda row: int(row[3]))
    else:
        random.Random(1).shuffle(rows)
    return [(user, item, float(rating)) for user, item, rating, _ in rows]


def feedback_times(count, mean, lost):
    """When each rating is known: just before the round that it is first of use to, or never."""
    draw = random.Random(2)
    times = []
    for t in range(count):
        delay = 1 + math.floor(math.log(1 - draw.random()) / math.log1p(-1 / mean)) if mean else 1
        times.append(None if draw.random() < lost else t + delay - 0.5)
    return times


def progressive(model, rows, times):
    """RMSE and MAE of a model of River's."""
    order = sorted((time, k) for k, time in enumerate(times) if time is not None)
    squares = absolute = at = 0
    for t, (user, item, rating) in enumerate(rows):
        while at < len(order) and order[at][0] < t:
            model.learn_one(*rows[order[at][1]])
            at += 1
        error = min(5.0, max(1.0, model.predict_one(user, item))) - rating
        squares += error * error
        absolute += abs(error)
    return math.sqrt(squares / len(rows)), absolute / len(rows)


def biased_mf(bias_rate, latent_rate):
    return reco.BiasedMF(n_factors=10, bias_optimizer=optim.SGD(bias_rate), latent_optimizer=optim.SGD(latent_rate),
                         weight_initializer=optim.initializers.Zeros(),
                         latent_initializer=optim.initializers.Normal(mu=0.0, sigma=0.1, seed=73), l2_bias=0.0,
                         l2_latent=0.0)


def tarry(rows, times, folder):
    """RMSE and MAE by learner."""
    path = folder / "ratings.csv"
    with open(path, "w") as out:
        out.write("user,item,rating,time,known\n")
        for t, ((user, item, rating), known) in enumerate(zip(rows, times)):
            out.write(f"{user},{item},{rating:g},{t},{'' if known is None else known}\n")
    shutil.rmtree(folder / "out", ignore_errors=True)  # results kept there would not be played again
    stream = f'stream={{type="ratings", path="{path}", order="time", feedback_time="known", range=[1, 5]}}'
    overrides = [stream, 'delays=[{type="recorded"}]', "checkpoints=2"]
    subprocess.run(["build/release/tarry", "run", "examples/movielens.toml", "--out", folder / "out",
                    *(word for override in overrides for word in ("--override", override))], check=True, capture_output=True)
    runs = json.loads((folder / "out" / "summary.json").read_text())["runs"]
    assert all(run["rounds"] == len(rows) for run in runs), "Tarry saw another stream"
    metrics = [run["checkpoints"]["metrics"] for run in runs]
    return {run["learner"]: (m["rmse"][-1], m["mae"][-1]) for run, m in zip(runs, metrics)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    options = parser.parse_args()
    folder = pathlib.Path("build/ratings_rivals").absolute()
    folder.mkdir(parents=True, exist_ok=True)
    results = []
    for order in ("shuffled", "time"):
        rows = ratings(options.data / "movielens-100k" / "u.data", order)
        for delay, (mean, lost) in DELAYS.items():
            times = feedback_times(len(rows), mean, lost)
            grid = {rates: progressive(biased_mf(*rates), rows, times) for rates in RATES}
            best = min(grid, key=lambda rates: grid[rates][0])
            contestants = {f"Tarry, {name}": metrics for name, metrics in tarry(rows, times, folder).items()}
            contestants["River, BiasedMF as documented"] = grid[DOCUMENTED]
            contestants[f"River, BiasedMF, best rates {best}"] = grid[best]
            print(f"\n{order}, delay {delay}", flush=True)
            for name, (rmse, mae) in contestants.items():
                print(f"  {name:<45} RMSE {rmse:.4f}  MAE {mae:.4f}", flush=True)
            results.append({"order": order, "delay": delay, "contestants": contestants})
    pathlib.Path("build/ratings_rivals.json").write_text(json.dumps(results, indent=1))


main()
