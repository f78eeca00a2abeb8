"""Tarry's `auto`, nothing set, beside River and Vowpal Wabbit on streams of late labels.

    rivals.py [--kept-rivals | --keep] [--data DIR] [--only NAME] [--seeds N] [--unseen | --windows]

Every contestant sees the same features and learns each label at the same moment; the metric counts every prediction,
also those whose label never came. A rival's grid is chosen in hindsight: the best of its runs on the very stream. Each
rival also plays with a maturity window: it learns no label before the wait in which nine in ten labels of the stream
come, which is known in hindsight too. Where order or delays are drawn there are N seeds; on all but the first, only the
grid's best of the first are tried again. What contestants did is kept in build/rivals/kept, Tarry's by a hash of its program.

That takes hours, mostly of the rivals. With --kept-rivals only Tarry plays, in minutes, beside the best that rivals did before
(bench/kept/rivals.json, of the versions named there); --keep writes that file anew after a run of everybody.
"""
import argparse
import itertools
import json
import math
import os
import pathlib

from kept_rivals import KeptRivals
from late_rivals import LIMIT_S, MATURED, SHOWN, loss_of, rounds_shown, runs_of_rivals, versions
from late_streams import known_streams, spec_with_numbers
from tarry_parts import WAYS as BENDS_WAYS, record_of
from unseen_streams import unseen_streams
from window_streams import window_streams

# Tarry is told which features are numbers, as the rivals are; the first two ways were played before it could be, and still are.
WAYS = {"features alone": BENDS_WAYS["auto, features alone"], "products only": {"products": True, "bends": False}, "auto": BENDS_WAYS["auto"]}
KEPT = 4  # of each rival's grid and schedule, on all seeds but the first
GOAL = 1.03  # on each stream


def run_tarry(stream, folder, way, shown):
    """The metric after each of these numbers of rounds, of a run for each."""
    spec = spec_with_numbers(stream, folder) if way == "auto" else stream.spec
    curve = []
    for rounds in shown:
        record = record_of(spec, folder, "build/release/tarry", None, {}, {"rounds": rounds, "checkpoints": 2, **WAYS[way]})
        (*_, (played, total)), squared = record["losses"]
        assert squared == (stream.loss == "squared") and record["seconds"] < LIMIT_S
        curve.append(math.sqrt(total / played) if squared else total / played)
    answered = sum(map(len, stream.arrivals()))
    assert (played, record["answered"]) == (len(stream.rows), answered), "Tarry saw another schedule"
    return {"who": "tarry", "how": way, "curve": curve, "metric": curve[-1], "tuned": False, "seconds": record["seconds"]}


def order(run):
    return run["metric"] if run["metric"] == run["metric"] else math.inf


def best(runs, who, tuned=True):
    """A contestant as it comes, or the best of all its runs in hindsight."""
    return min((run for run in runs if run["who"] in who and (tuned or not run["tuned"])), key=order)


def matured(run):
    return MATURED in run["how"]


def worth_trying(runs):
    """On other seeds: the best of each rival's grid, with labels as they come and after the wait, and what was not tuned."""
    wanted = [run for run in runs if not run["tuned"]]
    for who, waits in itertools.product(("river", "vw", "vw -q"), (False, True)):
        wanted += sorted((run for run in runs if run["who"] == who and matured(run) == waits), key=order)[:KEPT]
    return {(run["who"], run["how"]) for run in wanted}


def best_by_wait(runs):
    return [min(order(run) for run in runs if matured(run) == waits) for waits in (False, True)]


def cells_of(numbers):
    return " ".join(f"{number:8.4f}" if number < 1e4 else "diverges" for number in numbers)


def row_of(stream, seed, tarry, runs):
    """Prints how everybody did."""
    linear, pairs = best(runs, ("river", "vw")), best(runs, ("vw -q",))
    river, vw = (best(runs, (who,), False) for who in ("river", "vw"))
    shown = [*tarry.values(), river, best(runs, ("river",)), vw, best(runs, ("vw",)), pairs]
    by_wait = best_by_wait(runs)
    of_linear, of_pairs = (tarry["auto"]["metric"] / rival["metric"] for rival in (linear, pairs))
    ratios = {way: run["metric"] / min(by_wait) for way, run in tarry.items()}
    print(f"{stream.name:<39} {seed:>4} {cells_of(map(order, shown))} {of_linear:6.3f} {of_pairs:6.3f} {ratios['auto']:6.3f}")
    print(f"    best linear rival: {linear['who']}, {linear['how']}; with pairs: {pairs['how']}; best of all as labels come "
          f"{by_wait[0]:.4f}, after the wait {by_wait[1]:.4f}", flush=True)
    curves = {way: [a / b for a, b in zip(run["curve"], linear["curve"])] for way, run in tarry.items()}
    return {"stream": stream.name, "metric": loss_of(stream)[2], "rows": len(stream.rows), "seed": seed, "ratios": ratios,
            "ratio_linear": of_linear, "ratio_pairs": of_pairs, "ahead": tarry["auto"]["metric"] <= min(order(river), order(vw)),
            "rounds": rounds_shown(stream), "curves": curves, "runs": [*tarry.values(), *runs]}


def kept_row_of(stream, seed, tarry, kept):
    """Prints how Tarry did, beside what rivals did before."""
    by_wait, why_not = kept.find(stream, seed)
    start = f"{stream.name:<39} {seed:>4} {cells_of(run['metric'] for run in tarry.values())}"
    if by_wait is None:
        print(f"{start} not compared: {why_not}", flush=True)
        return None
    ratios = {way: run["metric"] / min(by_wait) for way, run in tarry.items()}
    print(f"{start} {cells_of(by_wait):>19} {ratios['auto']:6.3f}", flush=True)
    return {"stream": stream.name, "seed": seed, "ratios": ratios, "runs": list(tarry.values())}


def geometric(numbers):
    numbers = list(numbers)
    return math.exp(sum(map(math.log, numbers)) / len(numbers))


def by_stream(rows):
    names = dict.fromkeys(row["stream"] for row in rows)
    return {name: [row for row in rows if row["stream"] == name] for name in names}


def summary(rows):
    """Each stream over its seeds: the means and the worst of Tarry's ratios to the best of all rivals, pairs and maturity windows included."""
    print(f"\n{'over seeds, to the best of all rivals':<39} seeds " + " ".join(f"{way:>14}  worst" for way in WAYS))
    means = {way: {} for way in WAYS}
    for name, own in by_stream(rows).items():
        cells = []
        for way in WAYS:
            ratios = [row["ratios"][way] for row in own]
            means[way][name] = geometric(ratios)
            cells.append(f"{means[way][name]:14.3f} {max(ratios):6.3f}")
        print(f"{name:<39} {len(own):>5} " + " ".join(cells))
    for way, of in means.items():
        least, *others = sorted(of, key=of.get)
        without = f", without {least} {geometric(of[name] for name in others):.3f}" if others else ""
        print(f"{way}: geometric mean of {len(of)} streams {geometric(of.values()):.3f}{without}; ahead on {sum(x < 1 for x in of.values())}; "
              f"above {GOAL}: {', '.join(name for name in of if of[name] > GOAL) or 'none'}")


def show_curves(rows):
    print(f"\n{'to the best linear rival after':<39} " + " ".join(f"{rounds:>8}" for rounds in SHOWN) + "      all")
    for name, own in by_stream(rows).items():
        print(name)
        for way in WAYS:
            curve = [geometric(row["curves"][way][i] for row in own) for i in range(len(own[0]["rounds"]))]
            cells = [f"{x:8.3f}" for x in curve[:-1]] + [" " * 8] * (len(SHOWN) - len(curve) + 1) + [f"{curve[-1]:8.3f}"]
            print(f"    {way:<35} " + " ".join(cells))


def chosen(options, folder):
    """(seed, stream), one at a time."""
    for seed in range(1, options.seeds + 1):
        known = () if options.unseen or options.windows else known_streams(options.data.absolute(), folder, seed)
        unseen = () if options.windows else unseen_streams(folder, seed)
        for stream in itertools.chain(window_streams(folder, seed), unseen, known):
            if any(part in stream.name for part in options.only.split("|")) and (seed == 1 or stream.drawn):
                yield seed, stream


OURS = f"{'stream':<39} {'seed':>4} {'alone':>8} {'products':>8} {'auto':>8}"
HEADER = f"{OURS} {'River':>8} {'tuned':>8} {'VW':>8} {'tuned':>8} {'VW -q':>8}  /linear  / -q  / all"
KEPT_HEADER = f"{OURS} {'rivals':>8} {'waiting':>8} auto / best"


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    parser.add_argument("--only", default="", help="streams whose name contains this, or one of several parted by |")
    parser.add_argument("--seeds", type=int, help="5; with --kept-rivals 1")
    parser.add_argument("--unseen", action="store_true", help="only the streams that no design was chosen on before bends and trees")
    parser.add_argument("--windows", action="store_true", help="only the streams with a real window")
    whether = parser.add_mutually_exclusive_group()
    whether.add_argument("--kept-rivals", action="store_true", help="play Tarry alone, beside bench/kept/rivals.json")
    whether.add_argument("--keep", action="store_true", help="write the rivals' best to bench/kept/rivals.json")
    options = parser.parse_args()
    options.seeds = options.seeds or (1 if options.kept_rivals else 5)
    return options


def main():
    options = read_options()
    folder = pathlib.Path("build/rivals").absolute()
    folder.mkdir(parents=True, exist_ok=True)
    kept, rows, wanted = KeptRivals(), [], {}
    print(f"rivals kept: {kept.versions}\n{KEPT_HEADER}" if options.kept_rivals else HEADER)
    for seed, stream in chosen(options, folder):
        shown = [len(stream.rows)] if options.kept_rivals else rounds_shown(stream)
        tarry = {way: run_tarry(stream, folder, way, shown) for way in WAYS}
        if options.kept_rivals:
            rows.append(kept_row_of(stream, seed, tarry, kept))
            continue
        runs = runs_of_rivals(stream, folder, wanted.get(stream.name))
        if seed == 1:
            wanted[stream.name] = worth_trying(runs)
        rows.append(row_of(stream, seed, tarry, runs))
        kept.keep(stream, seed, best_by_wait(runs), versions())
        pathlib.Path("build/rivals.json").write_text(json.dumps({"load": os.getloadavg()[0], "rows": rows}, indent=1))
    if options.keep:
        kept.write()
    compared = [row for row in rows if row]
    if compared:
        summary(compared)
    if compared and not options.kept_rivals:
        show_curves(compared)


if __name__ == "__main__":
    main()
