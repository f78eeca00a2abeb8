"""Runs the benchmarks round by round, prints one table, and writes build/bench.json."""
import json
import os
import subprocess
import sys

ROUNDS = 5
PROGRAMS = {  # each round runs them all, so that a busy moment of the machine hits every contestant
    "small": ["build/release/bench/update_bench", "small", "10"],
    "dense": ["build/release/bench/update_bench", "dense", "20"],
    "numpy": [sys.executable, "bench/numpy_update.py", "10"],
    "sparse": ["build/release/bench/update_bench", "sparse", "10"],
}

# What, ours, rival, and the goal: ("faster", x) rival/ours at least x; ("within", x) ours/rival at most x.
ROWS = [
    ("dense update, n = 10^6: against NumPy", "dense/native", "numpy/numpy", ("faster", 12)),
    ("dense update, n = 10^6: against a streaming pass", "dense/native", "dense/stream", ("within", 1.4)),
    ("Algorithm 2, n = 10^6: against a streaming pass", "dense/sc_native", "dense/stream", ("within", 1.4)),
    ("sparse update, n = 10^7: against dense storage", "sparse/sparse", "sparse/dense_given_sparse", ("faster", 300)),
    ("sparse update, n = 10^7: against dense gradients", "sparse/sparse", "sparse/dense_given_dense", ("faster", 300)),
    ("Algorithm 2, sparse, n = 10^7: dense storage", "sparse/sc_sparse", "sparse/sc_dense_given_sparse", ("faster", 300)),
    ("erased against native, n = 8", "small/erased", "small/native", ("within", 1.1)),
    ("erased against native, n = 8, Algorithm 2", "small/sc_erased", "small/sc_native", ("within", 1.1)),
    ("erased against native, n = 10^6", "dense/erased", "dense/native", ("within", 1.05)),
    ("erased against native, n = 10^6, Algorithm 2", "dense/sc_erased", "dense/sc_native", ("within", 1.05)),
]


def measure():
    """The samples of each contestant over all rounds, in seconds for one update."""
    samples = {}
    for done in range(ROUNDS):
        print(f"\rround {done + 1} of {ROUNDS} ...", end="", file=sys.stderr, flush=True)
        for group, command in PROGRAMS.items():
            output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            for line in output.splitlines():
                found = json.loads(line)
                samples.setdefault(f"{group}/{found['name']}", []).extend(found["seconds"])
    print(file=sys.stderr)
    return samples


def compare(best, ours, rival, goal):
    kind, wanted = goal
    ratio = best[rival] / best[ours] if kind == "faster" else best[ours] / best[rival]
    return ratio, ratio >= wanted if kind == "faster" else ratio <= wanted


def in_words(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def machine():
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    return f"{model}, {os.cpu_count()} cores"


def main():
    samples = measure()
    best = {name: min(seconds) for name, seconds in samples.items()}
    results = []
    print(f"{machine()}; the best of {ROUNDS} interleaved rounds\n")
    print(f"{'what':<50} {'ours':>9} {'rival':>9} {'ratio':>8}  {'goal':<8} met")
    for what, ours, rival, goal in ROWS:
        ratio, met = compare(best, ours, rival, goal)
        wanted = f">= {goal[1]}" if goal[0] == "faster" else f"<= {goal[1]}"
        print(f"{what:<50} {in_words(best[ours]):>9} {in_words(best[rival]):>9} {ratio:>8.3g}  {wanted:<8} "
              f"{'yes' if met else 'NO'}")
        results.append({"what": what, "ours": best[ours], "rival": best[rival], "ratio": ratio, "goal": wanted, "met": met})
    with open("build/bench.json", "w") as out:
        json.dump({"machine": machine(), "rows": results, "seconds": samples}, out, indent=1)


main()
