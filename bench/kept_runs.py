"""What rivals did on a stream, kept in a file named after a hash of the stream and of the rivals' versions: a run of bench/rivals
that was stopped goes on where it was, and after a change to Tarry only Tarry plays again."""
import hashlib
import json
import os


def hash_of(stream, *others):
    """Of the stream and of whatever else decides what a rival does there."""
    digest = hashlib.sha256()
    for part in (others, stream.loss, stream.rows, stream.labels, sorted(stream.numbers), stream.event_time, stream.feedback_time):
        digest.update(repr(part).encode())
        digest.update(b"\n")
    return digest.hexdigest()


class KeptRuns:
    """Runs by contestant and setting. Written after each new one."""

    def __init__(self, folder, name):
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"{name}.json"
        self.runs = self.written()

    def written(self):
        return json.loads(self.path.read_text()) if self.path.exists() else {}

    def find(self, who, how):
        return self.runs.get(f"{who}: {how}")

    def keep(self, run):
        self.runs = self.written() | {f"{run['who']}: {run['how']}": run}  # another process may have written, too
        unfinished = self.path.with_suffix(f".{os.getpid()}.new")
        unfinished.write_text(json.dumps(self.runs))
        unfinished.replace(self.path)
