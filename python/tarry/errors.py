"""The errors that Tarry raises, with the program's messages. Most are also a ValueError, KeyError, OSError or MemoryError."""

from __future__ import annotations

__all__ = [
    "BadInput", "BadSpec", "Conflict", "Corrupt", "Internal", "Io", "OutOfMemory", "TarryError", "UnknownTicket",
    "Unsupported",
]


class TarryError(Exception):
    """Every error that Tarry itself raises."""


class BadSpec(TarryError, ValueError):
    """A specification has a wrong, missing or unknown key."""


class BadInput(TarryError, ValueError):
    """Data (features, a label, a gradient) is malformed or impossible."""


class Conflict(TarryError, ValueError):
    """Well formed, but it contradicts something earlier, such as a key with other features."""


class Unsupported(TarryError, ValueError):
    """Well formed, but this set or learner cannot do it."""


class Corrupt(TarryError, ValueError):
    """A snapshot fails its checksum or ends early."""


class UnknownTicket(TarryError, KeyError):
    """No round of this model has this ticket."""

    def __str__(self) -> str:
        return Exception.__str__(self)  # a KeyError would show its message in quotes


class Io(TarryError, OSError):
    """The operating system refused to read or write."""


class OutOfMemory(TarryError, MemoryError):
    """It does not fit into memory."""


class Internal(TarryError, RuntimeError):
    """A bug in Tarry."""
