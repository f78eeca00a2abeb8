"""Runs the benchmarks round by round, prints one table, and writes build/bench.json.

    bench/table.py [--keep] [--only speed,files] [--since SECONDS]

Fails where a ratio has fallen by a third against the version that was kept last (bench/kept), after measuring again. On a busy machine
nothing is judged. `--keep` writes this version's ratios; `--only` runs the programs of these groups alone. A program that fails costs its
rows, which are named at the end, and nothing is kept then.
"""
import argparse
import json
import os
import subprocess
import sys
import time

import idle
import kept_ratios

ROUNDS = 5
MORE = 5  # rounds at most, for goals that were missed
LIMIT = 15 * 60  # seconds: no round begins that would end later
BENCH = "build/release/bench/update_bench"
DIRECTION = "build/matrix_direction.bin"  # written by ours, read by the rival
ROADS = os.path.join(os.environ.get("TARRY_DATA", "../shared/data"), "transportation-networks")  # rows are left out without it
COSTS = "build/assignment_costs.bin"  # oracle_bench writes it for SciPy
NUMPY = [sys.executable, "bench/numpy_update.py", "10"]
PROGRAMS = [  # each round runs them all, so that a busy moment of the machine hits every contestant
    ("small", [BENCH, "small", "10"]),
    ("dense", [BENCH, "dense", "20"]),
    ("numpy", NUMPY),
    ("numpy", ["env", "OPENBLAS_NUM_THREADS=1", *NUMPY]),  # three times faster where cores are shared: the better counts
    ("sparse", [BENCH, "sparse", "10"]),
    ("cost", [BENCH, "cost", "10"]),
    ("ospf", ["build/release/bench/ospf_bench", "3"]),
    ("numpy", [sys.executable, "bench/numpy_ospf.py", "4"]),
    ("numpy", ["env", "OPENBLAS_NUM_THREADS=1", sys.executable, "bench/numpy_ospf.py", "4"]),
    ("speed", [sys.executable, "bench/speed.py"]),
    ("files", [sys.executable, "bench/files_speed.py"]),
    ("model", ["build/release/bench/model_bench", "build/model_bench"]),
    ("waiting", ["build/release/bench/waiting_bench", "10"]),
    ("python", [sys.executable, "bench/python_speed.py"]),
    ("batch", ["build/release/bench/batch_bench", "50000", "10"]),
    ("matrix", ["build/release/bench/matrix_bench", "5", DIRECTION]),
    ("scipy", [sys.executable, "bench/scipy_matrix.py", "3", DIRECTION]),
    ("scipy", ["env", "OPENBLAS_NUM_THREADS=1", sys.executable, "bench/scipy_matrix.py", "3", DIRECTION]),
    ("oracle", ["build/release/bench/oracle_bench", "20", COSTS]),
    ("scipy", [sys.executable, "bench/scipy_assignment.py", "20", COSTS]),
    ("log", ["build/release/bench/log_bench", "build/log_bench", "speed", "3"]),
    ("damage", ["build/release/bench/log_bench", "build/log_bench", "damage", "100"]),
    ("serve", [sys.executable, "bench/serve_speed.py"]),
    ("routes", ["build/release/bench/route_bench", "10", ROADS]),
    ("scipy", [sys.executable, "bench/scipy_routes.py", "10", ROADS]),
]

# What, ours, rival, and the goal: ("faster", x) rival/ours at least x; ("within", x) ours/rival at most x. Without x
# the row only informs.
ROWS = [
    ("dense update, n = 10^6: against NumPy", "dense/native", "numpy/plain", ("faster", 12)),
    ("    against NumPy without temporaries", "dense/native", "numpy/careful", ("faster", None)),
    ("    against a streaming pass", "dense/native", "dense/stream", ("within", 1.4)),
    ("    Algorithm 2 against a streaming pass", "dense/sc_native", "dense/stream", ("within", 1.4)),
    ("sparse update, n = 10^7: against dense gradients", "sparse/sparse", "sparse/dense_given_dense", ("faster", 300)),
    ("    same gradients, dense storage", "sparse/sparse", "sparse/dense_given_sparse", ("faster", 300)),
    ("    Algorithm 2, same gradients, dense storage", "sparse/sc_sparse", "sparse/sc_dense_given_sparse",
     ("faster", 300)),
    ("erased against native, n = 8", "small/erased", "small/native", ("within", 1.1)),
    ("    Algorithm 2", "small/sc_erased", "small/sc_native", ("within", 1.1)),
    ("erased against native, n = 10^6", "dense/erased", "dense/native", ("within", 1.05)),
    ("    Algorithm 2", "dense/sc_erased", "dense/sc_native", ("within", 1.05)),
    ("an OSPF block, n = 10^6, B = 100: against NumPy", "ospf/block", "numpy/ospf", ("faster", 10)),
    ("    against the random generator alone", "ospf/block", "ospf/generator", ("within", 1.5)),
    ("a round at delay 1,000: delayed OFW against BOLD", "ospf/ofw", "ospf/bold", ("faster", None)),
    ("    memory of the learner", "ospf/ofw_bytes", "ospf/bold_bytes", ("faster", None)),
    ("a matrix update, MovieLens-1M's size: against svds", "matrix/update", "scipy/svds", ("faster", 15)),
    ("    one in 64, which certifies anew", "matrix/certify", "scipy/svds", ("faster", None)),
    ("    the search alone, against Spectra", "matrix/pair1", "matrix/spectra1", ("faster", None)),
    ("a top pair to a hundredth of that error: against svds", "matrix/pair0.01", "scipy/svds_hundredth", ("faster", None)),
    ("    against Spectra", "matrix/pair0.01", "matrix/spectra0.01", ("faster", None)),
    ("    all digits, against svds", "matrix/pair0", "scipy/svds_all_digits", ("faster", None)),
    ("    all digits, against Spectra", "matrix/pair0", "matrix/spectra0", ("faster", None)),
    ("a matrix update, a quarter of the entries, against all", "matrix/entries250000", "matrix/update", ("within", None)),
    ("    a sixteenth", "matrix/entries62500", "matrix/update", ("within", None)),
    ("    half of the factors, against all", "matrix/factors50", "matrix/update", ("within", None)),
    ("    a quarter", "matrix/factors25", "matrix/update", ("within", None)),
    ("8 x 8 matrix: factored against dense", "matrix/factored8", "matrix/dense8", ("within", None)),
    ("    16 x 16", "matrix/factored16", "matrix/dense16", ("within", None)),
    ("    64 x 64", "matrix/factored64", "matrix/dense64", ("within", None)),
    ("assignment, 500 x 500: against SciPy", "oracle/assignment", "scipy/assignment", ("faster", 1)),
    ("a tree of shortest paths, SiouxFalls: against SciPy", "routes/tree_SiouxFalls", "scipy/tree_SiouxFalls", ("faster", None)),
    ("    Anaheim", "routes/tree_Anaheim", "scipy/tree_Anaheim", ("faster", None)),
    ("    Chicago-Sketch", "routes/tree_ChicagoSketch", "scipy/tree_ChicagoSketch", ("faster", None)),
    ("the flow oracle, some costs negative, SiouxFalls: against none", "routes/oracle_negative_SiouxFalls",
     "routes/oracle_SiouxFalls", ("within", None)),
    ("    Anaheim", "routes/oracle_negative_Anaheim", "routes/oracle_Anaheim", ("within", None)),
    ("    Chicago-Sketch", "routes/oracle_negative_ChicagoSketch", "routes/oracle_ChicagoSketch", ("within", None)),
    ("a linear program, the direction moving by 1/1000: against cold", "oracle/lp_slow", "oracle/lp_cold", ("faster", 10)),
    ("    moving by 1/10", "oracle/lp_fast", "oracle/lp_cold", ("faster", None)),
    ("    from the stored basis alone", "oracle/lp_search", "oracle/lp_cold", ("faster", None)),
    ("oracle calls of four models with the same events: cached", "oracle/calls_cached", "oracle/calls_plain",
     ("faster", None)),
    ("predict + learn, 2^20 features: auto against Vowpal Wabbit", "speed/auto", "speed/vw", ("faster", 1)),
    ("    adagrad at one rate against Vowpal Wabbit", "speed/adagrad", "speed/vw", ("faster", None)),
    ("    light gauge_ftrl against Vowpal Wabbit", "speed/gauge_ftrl", "speed/vw", ("faster", None)),
    ("    auto, standardising, against Vowpal Wabbit", "speed/auto_standardised", "speed/vw", ("faster", 0.8)),
    ("    the same, 12 of 300 features a row, against Vowpal Wabbit", "speed/narrow", "speed/vw_narrow", ("faster", 0.8)),
    ("    with products, against Vowpal Wabbit's -q ::", "speed/products", "speed/vw_pairs", ("faster", 0.7)),
    ("choose + reward, 10 actions, 20 features: against Vowpal Wabbit's cb_explore_adf", "speed/choose", "speed/vw_choose",
     ("faster", 1)),
    ("    at 2^20 against River's scaler and logistic regression", "speed/auto_standardised", "speed/river_scaled",
     ("faster", 20)),
    ("    auto against River's logistic regression alone", "speed/auto", "speed/river", ("faster", None)),
    ("    features by name, against by number", "speed/named", "speed/auto_standardised", ("within", 1.5)),
    ("    by name, against Vowpal Wabbit reading its text", "speed/named", "speed/vw_text", ("faster", 1)),
    ("    by name, as lines of JSON, against the same", "speed/named_json", "speed/vw_text", ("faster", None)),
    ("tarry run, a CSV of 300,000 x 12, against Vowpal Wabbit on its text", "files/csv", "files/vw_numbers", ("faster", 1.5)),
    ("    the sparse rows, against Vowpal Wabbit on its text", "files/sparse", "files/vw_sparse", ("faster", 1)),
    ("10^6 features, 10^6 waiting: save against a plain write", "model/save", "model/plain_write", ("within", 2)),
    ("    load against a plain write", "model/load", "model/plain_write", ("within", 2)),
    ("    load against a plain read of the file", "model/load", "model/plain_read", ("within", None)),
    ("memory of {\"task\": \"binary\"} after ten features", "model/ten_features_bytes", "model/megabyte_bytes", ("within", 1)),
    ("a round whose delays say nothing: looked at while it is open, against not", "waiting/alike", "waiting/alike_unseen",
     ("within", 1.05)),
    ("    the median of ten alternating pairs", "waiting/pairs_alike", "waiting/one", ("within", 1.05)),
    ("    labels of one class late, so that targets move", "waiting/late", "waiting/late_unseen", ("within", None)),
    ("    moves of targets a round then", "waiting/moves_late", "waiting/one", ("within", None)),
    ("in Python, ten numbers in a dict: auto against River's scaler and logistic regression", "python/auto", "python/river",
     ("faster", 10)),
    ("    the task as it is, with products, bends and trees, against River's scaler and logistic regression", "python/binary",
     "python/river", ("faster", None)),
    ("    auto against Vowpal Wabbit's class", "python/auto", "python/vw", ("faster", 3)),
    ("    adagrad against River's scaler and logistic regression", "python/adagrad", "python/river", ("faster", None)),
    ("    adagrad against Vowpal Wabbit's class", "python/adagrad", "python/vw", ("faster", None)),
    ("    a round on a set written in Python, against the library's own", "python/own_set", "python/set", ("within", None)),
    ("a durable decision over HTTP, 64 connections: against 20,000 a second", "serve/decision", "serve/twenty_thousand",
     ("within", 1)),
    ("    the slowest hundredth, against 10 ms", "serve/decision_p99", "serve/ten_ms", ("within", 1)),
    ("    against a bare server that writes nothing", "serve/decision", "serve/bare_decision", ("within", None)),
    ("    processor time, against the bare server's", "serve/cpu", "serve/bare_cpu", ("within", None)),
    ("    against one sync a request", "serve/decision", "serve/one_sync_decision", ("faster", None)),
    ("    while another model learns, against idle", "serve/busy_decision", "serve/decision", ("within", 1.43)),
    ("    a choice among ten actions, against a decision", "serve/choose_decision", "serve/decision", ("within", 2)),
    ("    decision and label in turn, against decisions alone", "serve/mixed_decision", "serve/decision", ("within", None)),
    ("a snapshot while a million rounds are outstanding: the slowest hundredth, against none",
     "serve/outstanding_1000000_on_decision_p99", "serve/outstanding_1000000_off_decision_p99", ("within", 2)),
    ("    the longest answer, against 100 ms", "serve/outstanding_1000000_on_decision_longest", "serve/hundred_ms", ("within", 1)),
    ("    memory, against 1.3 times that before", "serve/outstanding_1000000_on_memory", "serve/memory", ("within", 1)),
    ("recovery of a million events, against reading the bytes", "serve/recovery", "serve/read", ("within", None)),
    ("a durable record of 200 bytes: our log against RocksDB", "log/own1", "log/rocksdb1", ("faster", None)),
    ("    against SQLite", "log/own1", "log/sqlite1", ("faster", None)),
    ("    64 at a time, against RocksDB", "log/own64", "log/rocksdb64", ("faster", None)),
    ("    64 at a time, against SQLite", "log/own64", "log/sqlite64", ("faster", None)),
    ("logs opened silently with records missing, of 100 with a flipped byte: against RocksDB", "damage/own_flip_silent",
     "damage/rocksdb_flip_silent", ("within", 0)),
    ("    against RocksDB with absolute consistency", "damage/own_flip_silent", "damage/rocksdb_absolute_flip_silent",
     ("within", None)),
    ("    against SQLite", "damage/own_flip_silent", "damage/sqlite_flip_silent", ("within", 0)),
    ("    of 100 with a zeroed page: against RocksDB", "damage/own_zero_silent", "damage/rocksdb_zero_silent", ("within", None)),
    ("    against SQLite", "damage/own_zero_silent", "damage/sqlite_zero_silent", ("within", None)),
    ("    of 100 with a deleted file: against RocksDB", "damage/own_delete_silent", "damage/rocksdb_delete_silent",
     ("within", None)),
    ("    what it takes more, its oracle included, against 5 µs", "python/own_set_more", "python/five_microseconds", ("within", 1)),
    ("    partial_fit, 100,000 x 20 in one batch, one of eight experts, against scikit-learn's SGDClassifier",
     "python/partial_fit_expert", "python/sgd", ("faster", 1)),
    ("    all eight", "python/partial_fit", "python/sgd", ("faster", None)),
    ("    labels of 50,000 rounds in one array, against C++", "python/learn_many", "batch/label", ("within", 1.2)),
    ("    rounds of 50,000 rows in one array, against C++", "python/decide_many", "batch/play", ("within", None)),
    ("    two models in two threads, against one after the other", "python/two_threads", "python/two_in_turn", ("faster", 1.7)),
    ("    memory that a million updates add, against 1 MiB", "python/growth_bytes", "python/megabyte_bytes", ("within", 1)),
    ("    the lock given up, 2^10 numbers: one thread", "python/lock_released_1024", "python/lock_kept_1024", ("within", None)),
    ("        two threads", "python/lock_released_two_1024", "python/lock_kept_two_1024", ("faster", None)),
    ("    the lock given up, 2^14 numbers: one thread", "python/lock_released_16384", "python/lock_kept_16384", ("within", None)),
    ("        two threads", "python/lock_released_two_16384", "python/lock_kept_two_16384", ("faster", None)),
    ("    the lock given up, 2^17 numbers: one thread", "python/lock_released_131072", "python/lock_kept_131072", ("within", None)),
    ("        two threads", "python/lock_released_two_131072", "python/lock_kept_two_131072", ("faster", None)),
    ("n/100 non-zeros, n = 10^4: sparse against dense", "cost/sparse10000", "cost/dense10000", ("within", None)),
    ("    n = 10^5", "cost/sparse100000", "cost/dense100000", ("within", None)),
    ("    n = 10^6", "cost/sparse1000000", "cost/dense1000000", ("within", None)),
    ("an atom of the sparse form, a dense coordinate", "cost/atoms", "cost/coordinate", ("within", None)),
]

# What memory and arithmetic allow: the kernels alone over a plain table in the order of the rows, a pass over the same bytes, a plain
# write, a server that does nothing, a loop of Python's with two calls.
FLOORS = {"speed/auto": "speed/floor", "speed/auto_standardised": "speed/floor_standardised",
          "speed/named": "speed/floor_standardised", "speed/named_json": "speed/floor_standardised",
          "speed/narrow": "speed/floor_narrow", "speed/products": "speed/floor_products", "files/sparse": "speed/floor",
          "files/csv": "files/floor_csv", "python/auto": "python/floor", "python/partial_fit": "python/floor_batch",
          "dense/native": "dense/stream", "ospf/block": "ospf/generator", "model/save": "model/plain_write",
          "model/load": "model/plain_read", "serve/decision": "serve/bare_decision", "serve/recovery": "serve/read"}


def measured(command, failed):
    """What one program found: the best time of each contestant, in seconds for one update; nothing where it failed, which is noted."""
    try:
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        said = (getattr(error, "stderr", "") or str(error)).strip().splitlines()
        failed[" ".join(command)] = said[-1] if said else "failed"
        return {}
    found = {}
    for line in done.stdout.splitlines():
        contestant = json.loads(line)
        found[contestant["name"]] = min([found.get(contestant["name"], float("inf")), *contestant["seconds"]])
    return found


def one_round(programs, failed, took=None):
    """The best of each contestant, by name, and which programs gave it. All run in turn, so that a busy minute of the machine hits all.
    `took`: the longest time of each group, in seconds."""
    best, givers, took = {}, {}, {} if took is None else took
    spent = {}
    for group, command in programs:
        began = time.monotonic()
        found = measured(command, failed)
        spent[group] = spent.get(group, 0) + time.monotonic() - began
        for contestant, seconds in found.items():
            name = f"{group}/{contestant}"
            best[name] = min(best.get(name, float("inf")), seconds)
            givers.setdefault(name, []).append((group, command))
    took.update({group: round(max(seconds, took.get(group, 0)), 1) for group, seconds in spent.items()})
    if "cost/dense10000" in best:
        best["cost/coordinate"] = best["cost/dense10000"] / 10_000
    return best, givers


def measure(programs, failed, took, late=0.0):
    """Rounds of everything; then more of those whose goal was missed, which may be the machine's doing. `late`: seconds of LIMIT that are
    gone already."""
    rounds, start, longest = [], time.monotonic() - late, 0.0
    for done in range(ROUNDS):
        began = time.monotonic()
        if began + longest - start > LIMIT:
            break
        print(f"\rround {done + 1} of {ROUNDS} ...", end="", file=sys.stderr, flush=True)
        best, givers = one_round(programs, failed, took)
        rounds.append(best)
        longest = max(longest, time.monotonic() - began)
    for done in range(MORE):
        if time.monotonic() + longest - start > LIMIT:
            break
        missed = [row for row in ROWS if both_in(best, row) and compare(rounds, *row[1:])["met"] is False]
        if not missed:
            break
        print(f"\r{len(missed)} rows again, {done + 1} of {MORE} ...", end="", file=sys.stderr, flush=True)
        rounds.append(one_round(givers_of(missed, givers), failed)[0])
    print("\r" + " " * 40 + "\r", end="", file=sys.stderr)
    return rounds, givers


def both_in(best, row):
    return row[1] in best and row[2] in best


def givers_of(rows, givers):
    """The programs that these rows need, in their order."""
    wanted = [program for row in rows for name in row[1:3] for program in givers.get(name, [])]
    return [program for program in PROGRAMS if program in wanted]


def compare(rounds, ours, rival, goal):
    """The ratio of the best of each, over all rounds: other programs only ever add time. `low` and `high`: of the ratios within a
    round, both contestants as they were in the same minutes."""
    kind, wanted = goal
    both = [best for best in rounds if ours in best and rival in best]
    over = lambda a, b: a / b if b else 1.0 if a == b else float("inf")  # counts can be 0
    ratio_of = lambda a, b: over(b, a) if kind == "faster" else over(a, b)
    counted = max if ours.startswith("damage/") else min  # of damage that went unnoticed the worst counts
    least = [counted(best[name] for best in both) for name in (ours, rival)]
    ratio = ratio_of(*least)
    apart = [ratio_of(best[ours], best[rival]) for best in both]
    row = {"ours": least[0], "rival": least[1], "ratio": ratio, "low": min(apart), "high": max(apart), "rounds": len(both)}
    row |= {"goal": "", "met": None, "key": f"{ours} / {rival}", "more_is_better": kind == "faster"}
    if wanted is not None:
        row["goal"] = f">= {wanted}" if kind == "faster" else f"<= {wanted}"
        row["met"] = ratio >= wanted if kind == "faster" else ratio <= wanted
    return row


def in_words(seconds, name=""):
    if name.endswith("_bytes"):
        return f"{seconds / 1000:.4g} kB"
    if "/calls_" in name or name.startswith("damage/"):
        return f"{seconds:.0f}"
    for unit, size in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def machine():
    with open("/proc/cpuinfo") as lines:
        model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown CPU")
    return f"{model}, {os.cpu_count()} cores"


def floor_of(rounds, ours):
    """How many times the least time that memory and arithmetic allow, where that is known."""
    both = [best for best in rounds if ours in best and FLOORS.get(ours) in best]
    return min(best[ours] for best in both) / min(best[FLOORS[ours]] for best in both) if both else None


def rows_of(rounds):
    """Those of ROWS that were measured."""
    return [{"what": row[0], "ours_is": row[1], "rival_is": row[2], **compare(rounds, *row[1:]), "floor": floor_of(rounds, row[1])}
            for row in ROWS if both_in(rounds[0], row)]


def show(rows, busy):
    print(f"{'what':<50} {'ours':>8} {'rival':>8} {'ratio':>7}  {'in a round':<15} {'floor x':>7}  {'goal':<7} met")
    for row in rows:
        verdict = "busy" if busy and row["met"] is False else {True: "yes", False: "NO", None: ""}[row["met"]]
        times = f"{in_words(row['ours'], row['ours_is']):>8} {in_words(row['rival'], row['rival_is']):>8} {row['ratio']:>7.3g}"
        within = f"{row['low']:.3g} to {row['high']:.3g}"
        floor = f"{row['floor']:.3g}" if row["floor"] else ""
        print(f"{row['what']:<50} {times}  {within:<15} {floor:>7}  {row['goal']:<7} {verdict}".rstrip())


def show_floors(best):
    """What the least work of a row is: cache lines of 64 bytes, each read and written, and operations of floating point."""
    floors = [name for name in best if f"{name}_lines" in best]
    if floors:
        print(f"\n{'the floor of a row':<50} {'time':>8} {'lines':>7} {'bytes':>7} {'flops':>7}")
    for name in floors:
        lines, flops = best[f"{name}_lines"], best[f"{name}_flops"]
        print(f"{name:<50} {in_words(best[name]):>8} {lines:>7.4g} {64 * lines:>7.4g} {flops:>7.4g}")


def fallen(rounds, givers, failed):
    """The version that was kept last, and the rows that are slower than then by a third, measured twice."""
    name, before = kept_ratios.newest()
    slow = kept_ratios.slower(rows_of(rounds), before)
    if slow:
        keys = {row["key"] for row in slow}
        rounds.append(one_round(givers_of([row for row in ROWS if f"{row[1]} / {row[2]}" in keys], givers), failed)[0])
        slow = kept_ratios.slower(rows_of(rounds), before)
    return name, slow


def options_given():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keep", action="store_true", help="write this version's ratios to bench/kept")
    parser.add_argument("--since", type=float, default=time.time(), metavar="SECONDS",
                        help="when the whole began, since 1970: its 15 minutes count from then")
    parser.add_argument("--only", metavar="GROUPS", help="run these groups of programs alone, with commas between them")
    options = parser.parse_args()
    unknown = set((options.only or "").split(",")) - {""} - {group for group, _ in PROGRAMS}
    if unknown:
        parser.error(f"--only must name groups of programs ({', '.join(sorted(unknown))} came)")
    return options


def main():
    options, failed, took = options_given(), {}, {}
    programs = [program for program in PROGRAMS if not options.only or program[0] in options.only.split(",")]
    load, free = os.getloadavg()[0], idle.idle_share()
    rounds, givers = measure(programs, failed, took, time.time() - options.since)
    free = min(free, idle.idle_share())
    busy = free < idle.ENOUGH
    name, slow = (None, []) if busy else fallen(rounds, givers, failed)
    rows = rows_of(rounds)
    minutes = (time.time() - options.since) / 60
    print(f"{machine()}, load {load:.1f} before the start; the best of {len(rounds)} rounds; {minutes:.1f} minutes\n")
    show(rows, busy)
    show_floors(rounds[0])
    with open("build/bench.json", "w") as out:
        json.dump({"machine": machine(), "load": load, "idle": free, "took": took, "rows": rows, "rounds": rounds}, out, indent=1)
    for command, said in failed.items():
        print(f"\nfailed, and its rows are missing: {command}: {said}")
    if busy:
        print(f"\nThe machine is too busy to judge: {free:.0%} of its processors were idle, and {idle.ENOUGH:.0%} are wanted.")
        return 1 if failed else 0
    for row in slow:
        print(f"\nslower than {name} by more than a third: {row['what'].strip()} ({row['key']}: {row['ratio']:.3g})")
    if options.keep and not (slow or failed or options.only):
        print(f"\nkept: {kept_ratios.keep(rows, machine(), kept_ratios.version())}")
    return 1 if slow or failed else 0


if __name__ == "__main__":
    sys.exit(main())
