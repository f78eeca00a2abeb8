"""The best that rivals did on the streams of bench/rivals, in bench/kept/rivals.json: to play Tarry beside them in minutes. A figure is of
a stream and a seed, and holds for no other rows, labels or times: their hash is beside it."""
import json
import pathlib

from kept_runs import hash_of

FILE = pathlib.Path("bench/kept/rivals.json")
WAITS = ("as labels come", "after the wait")


class KeptRivals:
    def __init__(self, file=FILE):
        self.file = file
        whole = json.loads(file.read_text()) if file.exists() else {"versions": {}, "best": []}
        self.versions, self.best = whole["versions"], {(one["stream"], one["seed"]): one for one in whole["best"]}

    def find(self, stream, seed):
        """The best of both grids, for each of WAITS, or why there is none."""
        one = self.best.get((stream.name, seed))
        if one is None:
            return None, "no rival has played it"
        if one["hash"] != hash_of(stream):
            return None, "the stream has changed since rivals played it"
        return [one[when] for when in WAITS], None

    def keep(self, stream, seed, metrics, versions):
        """Of other versions of the rivals nothing stays."""
        if versions != self.versions:
            self.versions, self.best = versions, {}
        figures = {when: float(f"{metric:.5g}") for when, metric in zip(WAITS, metrics)}
        self.best[stream.name, seed] = {"stream": stream.name, "seed": seed, "hash": hash_of(stream)} | figures

    def write(self):
        about = ("The best log loss or RMSE of River's and Vowpal Wabbit's grids, in hindsight, pairs included, as in the table of "
                 "bench/seen/rivals.md. Written by bench/rivals --keep.")
        lines = ",\n".join(f"  {json.dumps(one)}" for _, one in sorted(self.best.items()))
        self.file.write_text(f'{{\n "about": {json.dumps(about)},\n "versions": {json.dumps(self.versions)},\n "best": [\n{lines}\n ]\n}}\n')
