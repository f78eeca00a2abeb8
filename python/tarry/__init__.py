"""Tarry: predictions, choices and constrained decisions whose feedback comes late.

>>> import tarry
>>> model = tarry.Model("binary")
>>> t = model.decide({"amount": 120, "country": "FR"})
>>> t.prediction
0.5
>>> model.learn(t.ticket, True)
'applied'
"""

from __future__ import annotations

from . import errors
from ._explain import Explanation, explain
from ._lab import Results, run, simulate, verify
from ._late_labels import LateLabels, late_labels
from ._tarry import (
    Choice, Decision, Decisions, Model, Set, __version__, delays, learners, losses, oracle, sets, streams, tasks, theory,
)
from .client import Client
from .errors import (
    BadInput, BadSpec, Conflict, Corrupt, Internal, Io, OutOfMemory, TarryError, UnknownTicket, Unsupported,
)

__all__ = [
    "BadInput", "BadSpec", "Choice", "Client", "Conflict", "Corrupt", "Decision", "Decisions", "Explanation", "Internal", "Io",
    "LateLabels", "Model", "OutOfMemory", "Results", "Set", "TarryError", "UnknownTicket", "Unsupported", "__version__", "delays", "errors",
    "explain", "late_labels", "learners", "losses", "oracle", "run", "sets", "simulate", "streams", "tasks", "theory",
    "verify",
]

for _type in (Choice, Decision, Decisions, Model, Set):
    _type.__module__ = "tarry"
