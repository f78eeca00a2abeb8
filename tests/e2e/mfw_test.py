"""`delayed_mfw` against a second, plain implementation: whole games through `tarry replay`, with drawn delays."""

import json
import math
import random
import unittest

from program import ProgramTest, as_log


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


class Ball:
    """The l2 ball: its best point in a direction, and its numbers for the two kinds of copies."""

    def __init__(self, n, radius):
        self.spec = {"type": "l2_ball", "dimension": n, "radius": radius}
        self.n, self.radius, self.mu, self.start = n, radius, 1 / radius**2, [0.0] * n

    def best(self, c):
        norm = math.sqrt(dot(c, c))
        return [-self.radius * x / norm if norm > 0 else 0.0 for x in c]


class Simplex:
    def __init__(self, n):
        self.spec = {"type": "simplex", "dimension": n}
        self.n, self.start = n, [1 / n] * n

    def best(self, c):
        at = min(range(self.n), key=lambda i: c[i])
        return [1.0 if i == at else 0.0 for i in range(self.n)]


class GaugeCopy:
    """theory.md 7.2, light: x = min(1, h/λ) v with λ = 2√(S/μ)."""

    def __init__(self, over):
        self.over, self.g, self.total, self.s = over, [0.0] * over.n, 0.0, 0.0

    def play(self, _):
        kept = self.total
        if self.s == 0 or not any(self.g):
            return [0.0] * self.over.n, kept
        v = self.over.best(self.g)
        share = min(1.0, -dot(self.g, v) / (2 * math.sqrt(self.s / self.over.mu)))
        return [share * x for x in v], kept

    def learn(self, gradient, kept):
        q = math.sqrt(dot(gradient, gradient))
        self.s += q * (q + self.total - kept)
        self.total += q
        self.g = [a + b for a, b in zip(self.g, gradient)]


class PerturbedCopy:
    """theory.md 6.1, anytime: LMO(ĝ − v/δ) with 1/δ = 2G√(c_n Q)."""

    def __init__(self, over, bound, draws):
        self.over, self.bound, self.draws, self.g, self.q, self.out = over, bound, draws, [0.0] * over.n, 0.0, 0

    def play(self, t):
        n = self.over.n
        c_n = math.exp(math.lgamma(n / 2 + 1) - math.lgamma(n / 2 + 0.5)) / math.sqrt(math.pi)
        self.q += self.out + 0.5
        self.out += 1
        scale = 2 * self.bound * math.sqrt(c_n * self.q)
        return self.over.best([g - scale * v for g, v in zip(self.g, self.draws[t])]), None

    def learn(self, gradient, _):
        self.out -= 1
        self.g = [a + b for a, b in zip(self.g, gradient)]


class Plain:
    """Meta-Frank-Wolfe as the papers write it, with every point of every round kept."""

    def __init__(self, over, copies):
        self.over, self.copies, self.rounds = over, copies, []

    def play(self):
        x, points, kept = self.over.start, [], []
        for k, copy in enumerate(self.copies, start=1):
            v, own = copy.play(len(self.rounds))
            points.append(x)
            kept.append(own)
            x = [(1 - 2 / (k + 1)) * a + 2 / (k + 1) * b for a, b in zip(x, v)]
        self.rounds.append((points, kept))
        return x

    def learn(self, t, gradient_at):
        for copy, point, own in zip(self.copies, *self.rounds[t]):
            copy.learn(gradient_at(point), own)


class Games(ProgramTest):
    T = 60

    def game(self, over, learner, copies, features, seed=1):
        """Squared losses; features "play", "label" or, for linear losses, "none"."""
        draw = random.Random(seed)
        plain, due, log, wanted = Plain(over, copies), {}, [], []
        model = {"set": over.spec, "learner": {"type": "delayed_mfw", **learner}}
        if features != "none":
            model["loss"] = "squared"
        for t in range(self.T):
            row, label = [draw.gauss(0, 1) for _ in range(over.n)], draw.gauss(0, 1)
            x = plain.play()
            wanted.append([dot(row, x)] if features == "play" else x)
            log.append({"play": t + 1, **({"features": row} if features == "play" else {})})
            due.setdefault(t + draw.choice([0, 0, 1, 3, 11, 1000]), []).append((t, row, label))
            for k, a, y in sorted(due.get(t, []), key=lambda _: draw.random()):
                if features == "none":
                    plain.learn(k, lambda _, a=a: a)
                    log.append({"receive": k + 1, "gradient": a})
                    continue
                plain.learn(k, lambda point, a=a, y=y: [2 * (dot(a, point) - y) * v for v in a])
                log.append({"label": k + 1, "value": y, **({"features": a} if features == "label" else {})})
        lines = [json.loads(line) for line in
                 self.succeeds("replay", "-", stdin=as_log({"format": "tarry-replay/2", "model": model}, *log))]
        self.assertEqual(len(lines), self.T)
        for line, want in zip(lines, wanted):
            came = [line["prediction"]] if features == "play" else line["decision"]
            for x, y in zip(came, want):
                self.assertAlmostEqual(x, y, delta=1e-9, msg=line)

    def test_gauge_copies(self):
        for features in ("play", "label", "none"):
            for calls in (1, 2, 7):
                ball = Ball(3, 1.5)
                self.game(ball, {"oracle_calls": calls}, [GaugeCopy(ball) for _ in range(calls)], features)

    def test_perturbed_copies(self):
        for over in (Simplex(4), Ball(3, 2)):
            for features in ("play", "label", "none"):
                calls, draw = 5, random.Random(7)
                draws = [[[draw.uniform(-0.5, 0.5) for _ in range(over.n)] for _ in range(calls)] for _ in range(self.T)]
                copies = [PerturbedCopy(over, 3, [of_round[k] for of_round in draws]) for k in range(calls)]
                learner = {"oracle_calls": calls, "copies": "perturbed", "gradient_bound": 3, "perturbations": draws}
                self.game(over, learner, copies, features)

    def test_a_seed_does_no_harm_where_the_set_chooses_copies_that_do_not_draw(self):
        ball = Ball(2, 1)
        self.game(ball, {"oracle_calls": 2, "seed": 3}, [GaugeCopy(ball) for _ in range(2)], "play")

    def test_one_gradient_for_all_copies_is_one_copy(self):
        """Without a loss, gauge copies all learn the same, and their mean is any one of them."""
        ball = Ball(3, 1)
        self.game(ball, {"oracle_calls": 6}, [GaugeCopy(ball)], "none")


class Refusals(ProgramTest):
    def refused(self, over, learner, says):
        model = {"set": over, "learner": {"type": "delayed_mfw", **learner}}
        self.fails("replay", "-", stdin=as_log({"format": "tarry-replay/2", "model": model}), says=says)

    def test_says_what_is_missing(self):
        simplex, ball = {"type": "simplex", "dimension": 3}, {"type": "l2_ball", "dimension": 3, "radius": 1}
        self.refused(simplex, {"oracle_calls": 2}, "needs gradient_bound")
        self.refused(simplex, {"oracle_calls": 2, "copies": "gauge"}, "strongly convex set that contains the origin")
        self.refused(simplex, {"oracle_calls": 0, "gradient_bound": 1}, "oracle_calls")
        self.refused(simplex, {"gradient_bound": 1}, "oracle_calls")
        self.refused(ball, {"oracle_calls": 2, "copies": "gauge", "seed": 3}, "copies = ")
        self.refused(ball, {"oracle_calls": 2, "copies": "several"}, "copies")
        self.refused(ball, {"oracle_calls": 2, "copies": "perturbed", "gradient_bound": 1,
                            "perturbations": [[[0, 0, 0]]]}, "2 arrays")


if __name__ == "__main__":
    unittest.main()
