"""Exact worst cases of Algorithm 1 (delayed OFW) in short games, by semidefinite programs (PEPit), over every convex set of diameter 1 in
any dimension, every start and all gradients of length at most 1. `bench/worst_cases` runs it in a virtual environment.

The Gram matrix of gradients, start, vertices and comparator is the unknown. The set is the hull of these points, so that "v is the oracle's
answer" and "no two points are further apart than 1" are linear in it. The step of the line search is not. So there are two numbers:

  at most   the program in which an iterate after a step is any point that satisfies the line search's optimality, the oracle's inequalities
            and the diameter: no game is worse
  at least  the program for given steps σ, with the line search's optimality as a constraint, climbed over σ: a game, and a set, that
            has this regret

Beside them stand what a climb over gradients finds on a few fixed sets, as `tarry verify` climbs, and the bound of docs/theory.md.
"""

import argparse
import math
import random
import warnings

from PEPit import PEP, Point

DELAYS = {
    "none": lambda t, rounds: 1,
    "fixed 2": lambda t, rounds: 2,
    "fixed 4": lambda t, rounds: 4,
    "last first": lambda t, rounds: 1 + 2 * (3 - (t - 1) % 4),  # of four rounds the last is answered first, then one a round
}


def arrivals(delay, rounds):
    """For each round, the rounds whose gradients arrive at its end, in ascending order."""
    due = [[] for _ in range(rounds + 1)]
    for t in range(1, rounds + 1):
        end = t + DELAYS[delay](t, rounds) - 1
        if end <= rounds:
            due[end].append(t)
    return due


def outstanding(delay, rounds):
    return sum(min(DELAYS[delay](t, rounds) - 1, rounds - t) for t in range(1, rounds + 1))


def bound(delay, rounds):
    """Theorem 4.2 at Theorem 1's step, D = G = 1."""
    eta = rounds ** -0.75
    return 1 / eta + 2 * rounds ** 0.75 + eta / 2 * (rounds + outstanding(delay, rounds))


def program(delay, rounds, steps=None):
    """The largest regret; with `steps`, those of the line search. Also the iterates' steps, as far as they can be told."""
    problem, eta = PEP(), rounds ** -0.75
    start, best = Point(), Point()
    members, gradients, made = [start, best], [], []
    y, total, loss = start, None, None
    due = arrivals(delay, rounds)
    segments = []
    for t in range(1, rounds + 1):
        g = Point()
        problem.add_constraint(g ** 2 <= 1)
        gradients.append(g)
        cost = g * (y - best)
        loss = cost if loss is None else loss + cost
        if t == rounds:  # what comes after the last play changes nothing
            break
        for k in due[t]:
            total = gradients[k - 1] if total is None else total + gradients[k - 1]
            c = eta * total + 2 * (y - start)
            v = Point()
            made.append((c, v))
            members.append(v)
            if steps is None:
                after = Point()
                slope = eta * total + 2 * (after - start)
                problem.add_constraint(slope * (y - after) >= 0)
                problem.add_constraint(slope * (v - after) >= 0)
                problem.add_constraint((after - y) * (v - after) >= 0)
                members.append(after)
                segments.append((y, v, after))
            else:
                step = steps[len(made) - 1]
                after = y + step * (v - y)
                slope = (eta * total + 2 * (after - start)) * (v - y)
                if step <= 0:
                    problem.add_constraint(slope >= 0)
                elif step >= 1:
                    problem.add_constraint(slope <= 0)
                else:
                    problem.add_constraint(slope == 0)
            y = after
    for c, v in made:
        for z in members:
            if z is not v:
                problem.add_constraint(c * (v - z) <= 0)
    for i, a in enumerate(members):
        for b in members[:i]:
            problem.add_constraint((a - b) ** 2 <= 1)
    problem.set_performance_metric(loss)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what is not solved to the end is told below
        value = problem.solve(verbose=0, wrapper="cvxpy", solver="CLARABEL")
    solved = problem.wrapper.prob.status == "optimal"
    if steps is not None and not solved:
        return float("-inf"), []
    guessed = []
    for y, v, after in segments:
        length = ((v - y) ** 2).eval()
        guessed.append(min(1.0, max(0.0, ((after - y) * (v - y)).eval() / length)) if length > 1e-9 else 0.0)
    return value if solved else float("nan"), guessed


def attained(delay, rounds, guessed, evaluations, seed):
    """The best of a climb over the steps of the line search."""
    draw = random.Random(seed)

    def regret(steps):
        try:
            value = program(delay, rounds, steps)[0]
        except Exception:  # infeasible: no game has these steps
            return float("-inf")
        return value if value is not None else float("-inf")

    best, value = list(guessed), regret(guessed)
    size = 0.2
    for _ in range(evaluations if guessed else 0):
        other = list(best)
        at = draw.randrange(len(other))
        other[at] = min(1.0, max(0.0, other[at] + size * draw.gauss(0, 1)))
        now = regret(other)
        if now > value:
            best, value, size = other, now, min(0.4, size * 1.5)
        else:
            size = max(1e-3, size * 0.93)
    return value, best


# Sets of diameter 1 for the climb: the oracle's answer to c.
def interval(c):
    return [-0.5 if c[0] > 0 else 0.5]


def ball(c):
    length = math.sqrt(sum(x * x for x in c))
    return [-x / (2 * length) if length > 0 else 0.0 for x in c]


def triangle(c):
    corners = ([0.0, 0.0], [1.0, 0.0], [0.5, math.sqrt(3) / 2])
    return min(corners, key=lambda v: v[0] * c[0] + v[1] * c[1])


SETS = {"interval": (1, interval), "disc": (2, ball), "ball": (3, ball), "triangle": (2, triangle)}


def regret_of(game, start, delay, oracle):
    """Algorithm 1 as the paper has it, in plain words, against these gradients."""
    rounds, n = len(game), len(start)
    eta, due = rounds ** -0.75, arrivals(delay, rounds)
    y, total, loss, everything = list(start), [0.0] * n, 0.0, [0.0] * n
    for t in range(1, rounds + 1):
        loss += sum(g * x for g, x in zip(game[t - 1], y))
        everything = [a + g for a, g in zip(everything, game[t - 1])]
        for k in due[t]:
            total = [a + g for a, g in zip(total, game[k - 1])]
            c = [eta * a + 2 * (x - x1) for a, x, x1 in zip(total, y, start)]
            v = oracle(c)
            gap = -sum(ci * (vi - x) for ci, vi, x in zip(c, v, y))
            width = sum((vi - x) ** 2 for vi, x in zip(v, y))
            step = min(1.0, max(0.0, gap / (2 * width))) if width > 0 else 0.0
            y = [x + step * (vi - x) for x, vi in zip(y, v)]
    return loss - sum(a * x for a, x in zip(everything, oracle(everything)))


def climbed(delay, rounds, games, seed):
    """The largest regret that a climb over gradients and starts finds on one of SETS, and on which."""
    best = (0.0, "")
    for name, (n, oracle) in SETS.items():
        draw = random.Random(seed)
        unit = lambda: (lambda g: [x / math.sqrt(sum(y * y for y in g)) for x in g])([draw.gauss(0, 1) for _ in range(n)])
        vertex = lambda: list(oracle(unit()))
        for _ in range(3):
            game, start = [unit() for _ in range(rounds)], vertex()
            value = regret_of(game, start, delay, oracle)
            for _ in range(games):
                other, began = [list(g) for g in game], start
                if draw.random() < 0.1:
                    began = vertex()
                else:
                    at = draw.randrange(rounds)
                    other[at] = unit() if draw.random() < 0.5 else list(other[draw.randrange(rounds)])
                now = regret_of(other, began, delay, oracle)
                if now >= value:
                    game, start, value = other, began, now
            best = max(best, (value, name))
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", default="2,4,8")
    parser.add_argument("--delays", default=",".join(DELAYS))
    parser.add_argument("--climb", type=int, default=60, help="programs for each number under `at least`")
    parser.add_argument("--games", type=int, default=1500, help="games of each climb on a fixed set")
    given = parser.parse_args()
    print("| delay | T | climb, on | worst case: at least | at most | Theorem 4.2 |")
    print("|---|---|---|---|---|---|")
    for delay in given.delays.split(","):
        for rounds in map(int, given.rounds.split(",")):
            most, guessed = program(delay, rounds)
            least, _ = attained(delay, rounds, guessed, given.climb, seed=rounds)
            found, where = climbed(delay, rounds, given.games, seed=rounds)
            print(f"| {delay} | {rounds} | {found:.3f}, {where} | {least:.3f} | {most:.3f} | {bound(delay, rounds):.3f} |", flush=True)


if __name__ == "__main__":
    main()
