"""What each kind of expert in `auto` is worth, and what each chosen constant costs on streams it was not chosen on.

    ablation.py [--only NAME] [--rows N] [--constants NAME,NAME] [--no-kinds] [--uneven] [--data DIR]

First, `auto` with one kind of expert after the other, on the streams that bends were chosen on and on the ten others (bend_streams.py):
log loss or RMSE of the first fifth, the last half and the whole. Then, for each constant (chosen_constants.py): the value that is best in
the geometric mean over all other streams, by the whole, and what it loses on the stream left out, beside the present value. With --uneven:
on streams where trees may do harm instead, since their labels come unevenly or their rows are words. Runs are kept in build/ablation/kept by
a hash of the stream and of the program, so a run that was stopped goes on.
"""
import argparse
import math
import pathlib

from bend_streams import bend_streams
from chosen_constants import CONSTANTS, TILES, settable_program
from design_streams import present_streams, uneven_streams
from tarry_parts import PARTS, run_tarry

KINDS = {"features alone": {"products": False, "bends": False}, "+ products": {"bends": False}, "+ hats": {"trees": False},
         "+ tiles": {"trees": False}, "+ forgetting": {"trees": False}, "+ trees": {}}


def streams(data, folder, only, rows, uneven):
    for group in ([uneven_streams(data, folder)] if uneven else [present_streams(data, folder), bend_streams(folder, 1)]):
        for stream in group:
            if any(part in stream.name for part in only.split("|")):
                yield stream, {"rounds": min(rows, len(stream.rows))} if rows else {}


def kinds(chosen, folder, program):
    print(f"each kind of expert ({', '.join(PARTS)})")
    for stream, limit in chosen:
        print(f"{stream.name} ({len(stream.rows)} rows)")
        for kind, keys in KINDS.items():
            constants = {TILES.variable: "0"} if kind == "+ hats" else {}
            learner = {"forgets": True} if kind == "+ forgetting" else None  # `forgets = false` would switch trees off, too
            parts = run_tarry(stream.spec, folder, program, learner, constants, **limit, **keys)
            print(f"    {kind:<16} " + " ".join(f"{part:9.4f}" for part in parts), flush=True)


def mean(losses, others):
    return math.exp(sum(math.log(losses[name]) for name in others) / len(others))


def left_out(name, chosen, folder, program):
    """For each stream the value that the others would choose."""
    constant = CONSTANTS[name]
    present = constant.now
    lost = lambda stream, value, limit: run_tarry(stream.spec, folder, program, constants={constant.variable: value} if value != present else {},
                                                  checkpoints=2, **limit)[2]
    whole = {value: {stream.name: lost(stream, value, limit) for stream, limit in chosen} for value in (present, *constant.others)}
    print(f"{name}: {present} now; " + ", ".join(f"{value}: {mean(whole[value], whole[present]) / mean(whole[present], whole[present]):.4f}"
                                                 for value in constant.others) + " of it in the geometric mean")
    for stream, _ in chosen:
        rest = [other for other in whole[present] if other != stream.name]
        value = min(whole, key=lambda one: mean(whole[one], rest) if rest else 0)
        ratios = " ".join(f"{other}: {whole[other][stream.name] / whole[present][stream.name]:.4f}" for other in constant.others)
        print(f"    {stream.name:<42} {ratios}; the others choose {value} ({whole[value][stream.name] / whole[present][stream.name]:.4f})", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    parser.add_argument("--only", default="", help="streams whose name contains this, or one of several parted by |")
    parser.add_argument("--rows", type=int, default=0, help="of each stream, the first so many")
    parser.add_argument("--constants", default=",".join(CONSTANTS), help="empty: none")
    parser.add_argument("--no-kinds", action="store_true")
    parser.add_argument("--uneven", action="store_true", help="streams whose labels come unevenly, or whose rows are words")
    options = parser.parse_args()
    folder = pathlib.Path("build/ablation").absolute()
    folder.mkdir(parents=True, exist_ok=True)
    chosen = list(streams(options.data.absolute(), folder, options.only, options.rows, options.uneven))
    program = settable_program(folder)
    first = min(chosen, key=lambda one: len(one[0].rows))[0].spec
    assert run_tarry(first, folder, program) == run_tarry(first, folder), "a program in which constants can be set plays otherwise"
    if not options.no_kinds:
        kinds(chosen, folder, program)
    for name in filter(None, options.constants.split(",")):
        left_out(name, chosen, folder, program)


if __name__ == "__main__":
    main()
