"""The rivals of bench/choices: players that choose an action for a row, and later hear what it earned."""
import random
import statistics

import numpy
import vowpalwabbit
from mabwiser.mab import MAB, LearningPolicy

RATES = [0.02, 0.1, 0.5, 2, 8, 32]  # 0.5 is Vowpal Wabbit's own; as in rivals.py
FIRST = ["--squarecb", "--epsilon 0.05"]  # with which rates are compared
THEN = ["--squarecb --gamma_scale 100", "--squarecb --gamma_scale 1000", "--epsilon 0.02", "--epsilon 0.1",
        "--softmax --lambda 10", "--softmax --lambda 100", "--bag 5", "--cover 3", "--first 300", "--first 1000"]
LINEAR = [("LinUCB", alpha) for alpha in (0.1, 0.3, 1.0)] + [("LinTS", alpha) for alpha in (0.05, 0.2, 1.0)]
MOST_SAMPLED = 80  # columns of a row up to which Thompson sampling is played: it decomposes a matrix for each action and round
BATCHED = 100  # columns from which on ten rewards are learnt together


def standardised(table):
    """Rows of (name, value): numbers in units of the whole table's deviations, words as indicators."""
    names = [name for name, x in table.rows[0].items() if not isinstance(x, str)]
    scale = {}
    for name in names:
        column = [row[name] for row in table.rows]
        scale[name] = (statistics.fmean(column), statistics.pstdev(column))
    def features(row):
        for name, x in row.items():
            if isinstance(x, str):
                yield f"{name}={x}", 1.0
            elif scale[name][1] > 0:
                yield name, (x - scale[name][0]) / scale[name][1]
    return [list(features(row)) for row in table.rows]


class VowpalWabbit:
    def __init__(self, stream, rows, options, seed):
        self.actions, self.draws = stream.table.actions, random.Random(seed)
        self.texts = ["shared |s " + " ".join(f"{name}:{x:.6g}" for name, x in row) for row in rows]
        self.costs = (0, -1) if "--offset" not in options else (1, 0)  # without a reward, and with one
        options = options.replace("--offset", "")
        self.vw = vowpalwabbit.Workspace(f"--quiet --cb_explore_adf -q sa --random_seed {seed} {options}")
        self.chosen = {}

    def choose(self, row):
        pmf = self.vw.predict([self.texts[row], *(f"|a {action}" for action in self.actions)])
        at, left = len(pmf) - 1, self.draws.random()
        for i, p in enumerate(pmf):
            left -= p
            if left < 0:
                at = i
                break
        self.chosen[row] = at, max(pmf[at], 1e-6)
        return self.actions[at]

    def learn(self, told):
        for row, reward in told:
            at, p = self.chosen.pop(row)
            lines = [f"0:{self.costs[int(reward)]}:{p:.6g} |a {action}" if i == at else f"|a {action}"
                     for i, action in enumerate(self.actions)]
            self.vw.learn([self.texts[row], *lines])


class Linear:
    def __init__(self, stream, rows, how, seed):
        policy, alpha = how
        slots = {}
        for row in rows:
            for name, _ in row:
                slots.setdefault(name, len(slots))
        self.contexts = numpy.zeros((len(rows), len(slots) + 1))
        self.contexts[:, -1] = 1
        for i, row in enumerate(rows):
            for name, x in row:
                self.contexts[i, slots[name]] = x
        self.batch = 10 if self.contexts.shape[1] > BATCHED else 1
        self.actions = stream.table.actions
        self.mab = MAB(self.actions, getattr(LearningPolicy, policy)(alpha=alpha), seed=seed)
        self.draws, self.chosen, self.waiting, self.fitted = random.Random(seed), {}, [], False

    def choose(self, row):
        x = self.contexts[row : row + 1]
        models = self.mab._imp.arm_to_model  # asked one by one: the package copies all of them for each reward
        action = max(self.actions, key=lambda a: models[a].predict(x)[0]) if self.fitted else self.draws.choice(self.actions)
        self.chosen[row] = action
        return action

    def learn(self, told):
        self.waiting += told
        if len(self.waiting) < self.batch:
            return
        of_action = {}
        for row, reward in self.waiting:
            of_action.setdefault(self.chosen.pop(row), []).append((row, float(reward)))
        for action, pairs in of_action.items():
            rows, rewards = [row for row, _ in pairs], numpy.array([reward for _, reward in pairs])
            if self.fitted:
                self.mab._imp.arm_to_model[action].fit(self.contexts[rows], rewards)
            else:
                self.mab.fit([action] * len(rows), rewards, self.contexts[rows])
                self.fitted = True
        self.waiting = []
