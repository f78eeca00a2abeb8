"""Tarry's `auto` with numbers that bend, with trees and without either, beside linear rivals, pairs, boosted trees and River's trees.

    bends.py [--only NAME] [--present | --uneven | --fresh] [--rivals vw,lightgbm,linear,river,waits] [--boosters N] [--ways WAYS] [--seeds N] [--data DIR]

Without --present, --uneven and --fresh: the ten streams that were fixed before anything was played on them (bend_streams.py). Every contestant learns
each label at the same moment; Vowpal Wabbit and LightGBM also play with a maturity window ("waits": no label is learnt before the wait
in which nine in ten labels come). Metrics (log-loss or RMSE) of the first fifth of the rounds, the last half and all of them. A rival
is the best of its settings in hindsight, apart for each of the three. What everyone did is kept in build/bends/kept (kept_runs.py), Tarry's
runs by a hash of its program. Of seeds after the first there are only the streams whose delays are drawn.
"""
import argparse
import importlib.metadata
import math
import pathlib
import tempfile

from bend_rivals import BOOSTERS, runs_of
from bend_streams import bend_streams
from design_streams import present_streams, uneven_streams
from fresh_streams import fresh_streams
from kept_runs import KeptRuns, hash_of
from tarry_parts import PARTS, WAYS, exact_parts


def variance_of(labels):
    mean = sum(labels) / len(labels)
    return sum((y - mean) ** 2 for y in labels) / len(labels)


def geometric(numbers):
    return math.exp(sum(map(math.log, numbers)) / len(numbers))


def chosen(options, tables):
    """(seed, stream), one at a time; `tables`: where they are written, since others may play the same."""
    data = options.data.absolute()
    for seed in range(1, options.seeds + 1):
        streams = (present_streams(data, tables, seed) if options.present else uneven_streams(data, tables, seed) if options.uneven
                   else fresh_streams(tables, seed) if options.fresh else bend_streams(tables, seed))
        yield from ((seed, stream) for stream in streams if any(part in stream.name for part in options.only.split("|")))


def compete(stream, folder, options):
    """{who: the three metrics}"""
    found = {}
    kept = KeptRuns(folder / "kept", hash_of(stream, "bends", importlib.metadata.version("lightgbm")))
    for run in runs_of(stream, options.rivals.split(","), options.boosters, kept):
        found[run["who"]] = [min(pair) for pair in zip(found.get(run["who"], [math.inf] * 3), run["metrics"])]
    if not options.without_tarry:
        found |= {way: exact_parts(stream.spec, len(stream.rows), folder, **WAYS[way]) for way in options.ways.split("|")}
    return found


def show(stream, found, seed):
    print(f"{stream.name} ({len(stream.rows)} rows, seed {seed}): {', '.join(PARTS)}")
    for who, metrics in found.items():
        half = stream.labels[len(stream.labels) // 2:]
        r2 = f"   R² {1 - metrics[1] ** 2 / variance_of(half):.3f}" if stream.loss == "squared" else ""
        print(f"    {who:<22} " + " ".join(f"{metric:9.4f}" for metric in metrics) + r2, flush=True)


def ratios(all_found):
    """Each of Tarry's ways to the best rival, and `auto` to the others of Tarry's, over all streams."""
    for way in WAYS:
        for name, chosen in (("the best rival", lambda who: who not in WAYS), ("auto, no trees", lambda who: who == "auto, no trees")):
            games = [(found[way], [found[who] for who in found if chosen(who)]) for found in all_found if way in found]
            games = [(own, [min(part) for part in zip(*others)]) for own, others in games if others]
            if games and way != name:
                print(f"{way} / {name}: " + "; ".join(f"{part} {geometric(of):.4f}, worst {max(of):.4f}" for k, part in enumerate(PARTS)
                                                      for of in [[own[k] / best[k] for own, best in games]]))


def spread(by_stream):
    """The least and the largest of each contestant over the seeds of a stream, as shares of their mean."""
    for name, games in by_stream.items():
        if len(games) < 2:
            continue
        print(f"{name}, {len(games)} seeds: mean and spread of the {PARTS[1]}")
        for who in games[0]:
            halves = [game[who][1] for game in games]
            mean = sum(halves) / len(halves)
            print(f"    {who:<22} {mean:9.4f}   {min(halves) / mean - 1:+.2%} to {max(halves) / mean - 1:+.2%}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    parser.add_argument("--only", default="", help="streams whose name contains this, or one of several parted by |")
    parser.add_argument("--present", action="store_true", help="the streams that bends were chosen on")
    parser.add_argument("--uneven", action="store_true", help="streams whose labels come unevenly, or whose rows are words")
    parser.add_argument("--fresh", action="store_true", help="the streams that judge whether trees may be on by default")
    parser.add_argument("--rivals", default="vw,lightgbm,linear,river,waits")
    parser.add_argument("--boosters", type=int, default=len(BOOSTERS))
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--ways", default="|".join(WAYS), help="of Tarry, parted by |")
    parser.add_argument("--without-tarry", action="store_true")
    options = parser.parse_args()
    folder = pathlib.Path("build/bends").absolute()
    folder.mkdir(parents=True, exist_ok=True)
    by_stream = {}
    with tempfile.TemporaryDirectory(dir=folder) as tables:
        for seed, stream in chosen(options, pathlib.Path(tables)):
            found = compete(stream, folder, options)
            show(stream, found, seed)
            by_stream.setdefault(stream.name, []).append(found)
    ratios([games[0] for games in by_stream.values()])
    spread(by_stream)


if __name__ == "__main__":
    main()
