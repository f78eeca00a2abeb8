"""POST /v1/models?from=csv: a table becomes a model, with the losses of `tarry run` to the bit; questions are asked all at once."""

import gzip
import json
import tempfile
import unittest
from importlib.util import find_spec
from pathlib import Path

from program import ROOT, ProgramTest, tarry
from service import Service

TABLES = ROOT / "tests/tables"
CSV = {"Content-Type": "text/csv"}


def loss_of_run(table, out, *overrides):
    """What `tarry run` tells of `auto` with the true delays."""
    done = tarry("run", str(table), "--out", str(out), *(part for one in overrides for part in ("--override", one)))
    assert done.returncode == 0, done.stderr
    groups = json.loads((Path(out) / "summary.json").read_text())["groups"]
    return next(g["metrics"] for g in groups if g["learner"] == "auto" and g["delay"] == "as recorded")


class FromTable(ProgramTest):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.service = Service(cls.folder / "data")
        cls.addClassCleanup(cls.service.kill)

    def post(self, name, body, query="", headers=CSV):
        return self.service.ask("POST", f"/v1/models?from=csv&name={name}{query}", body, headers)

    def test_one_table_has_one_loss_at_every_door(self):
        for name, metric in (("parcels.csv", "log_loss"), ("invoices.csv", "log_loss"), ("house_prices.csv", "rmse"), ("cases.csv", "log_loss"),
                             ("excel_unicode.txt", "log_loss"), ("crm.csv", "log_loss"), ("reviews.csv", "log_loss"), ("game_sessions.csv", "rmse")):
            with self.subTest(table=name):
                made = self.post(name.split(".")[0], (TABLES / name).read_bytes())
                self.assertEqual(made.status, 201, made)
                told = loss_of_run(TABLES / name, self.folder / name)
                self.assertEqual(made.json["metrics"][metric], told[metric])
                self.assertEqual(made.json["reading"]["questions"], [])
                self.assertEqual(self.service.model(name.split(".")[0])["rounds"], made.json["rows"])
                if metric == "log_loss":
                    self.assertEqual(made.json["loss"], told[metric])

    @unittest.skipUnless(find_spec("tarry") and find_spec("pandas"), "needs the Python package")
    def test_python_has_the_same_loss(self):
        import pandas
        import tarry as package

        for name in ("parcels.csv", "house_prices.csv", "cases.csv"):
            made = self.post("py-" + name.split(".")[0].replace("_", "-"), (TABLES / name).read_bytes())
            self.assertEqual(package.late_labels(pandas.read_csv(TABLES / name, dtype=str)).loss, made.json["loss"])

    def test_the_model_is_that_of_the_run(self):
        made = self.post("same", (TABLES / "parcels.csv").read_bytes())
        self.assertEqual(made.status, 201, made)
        loss_of_run(TABLES / "parcels.csv", self.folder / "same")
        again = self.service.ask("PUT", "/v1/models/same/snapshot", (self.folder / "same/model.tarry").read_bytes())
        self.assertEqual(again.status, 200, again)  # in this state already
        decided = self.service.decide("same", {"distance_km": 12.5, "courier": "Dachs"})
        self.assertTrue(0 <= decided["prediction"] <= 1)

    def test_questions_come_at_once_with_their_answers(self):
        asked = self.post("asked", (TABLES / "unpaid.csv").read_bytes())
        self.assertEqual((asked.status, asked.json["error"]["code"]), (422, "open_questions"))
        question, = asked.json["questions"]
        self.assertEqual((question["key"], question["query"]), ("expiry", ["expiry.days=30&expiry.label=unpaid"]))
        made = self.post("asked", (TABLES / "unpaid.csv").read_bytes(), "&" + question["query"][0])
        self.assertEqual(made.status, 201, made)
        told = loss_of_run(TABLES / "unpaid.csv", self.folder / "asked", 'stream.expiry={ days = 30, label = "unpaid" }')
        self.assertEqual(made.json["loss"], told["log_loss"])
        rows = "".join(f"2024-01-{d:02},{d % 5},{'ny'[d % 2]}\n" for d in range(1, 29))
        asked = self.post("wait", f"signup date,logins,churned\n{rows}".encode())
        self.assertEqual(asked.json["questions"][0]["query"], ["feedback=none", "feedback=3%20days"])
        self.assertEqual(self.post("wait", f"signup date,logins,churned\n{rows}".encode(), "&feedback=3+days").status, 201)

    def test_every_question_of_the_corpus_is_answered_by_its_query(self):
        for path in sorted(TABLES.glob("*.expect.json")):
            if not json.loads(path.read_text())["questions"] or path.name.startswith("packed"):
                continue
            body = path.with_name(path.name.removesuffix(".expect.json")).read_bytes()
            name = path.name.split(".")[0]
            with self.subTest(table=path.name):
                queries = "".join("&" + question["query"][0] for question in self.post(name, body).json["questions"])
                self.assertEqual(self.post(name, body, queries).status, 201)

    def test_bad_input_is_refused_by_name(self):
        table = (TABLES / "parcels.csv").read_bytes()
        for query, key, says in (("?name=a", "from", "from must be csv (it is missing)"), ("?from=xml&name=a", "from", '"xml" came'),
                                 ("?from=csv", "name", "name must be 1 to 64"), ("?from=csv&name=A", "name", '"A" came'),
                                 ("?from=csv&name=a&path=/etc/passwd", "path", 'no key "path"'), ("?from=csv&name=a&name=b", "name", "must come once"),
                                 ("?from=csv&name=a&label=%G1", None, "two hexadecimal digits"), ("?from=csv&name=a&label", "label", "must have a value"),
                                 ("?from=csv&name=a&expiry.days=x", "expiry.days", "must be a number")):
            answer = self.service.ask("POST", "/v1/models" + query, table, CSV)
            self.assertEqual((answer.status, answer.json["error"]["code"], answer.json["error"].get("key")), (400, "bad_query", key), query)
            self.assertIn(says, answer.json["error"]["message"])
        for body, says in ((b"", "is empty"), (b"a,b\n", "has no rows"), (b"PK\x03\x04\x14\x00xl/workbook.xml", "is an Excel workbook"),
                           (gzip.compress(table), "gzip"), (b"asked_at,known_at,x,late\n2024-01-01,2024-01-02,1\n", "has 3 cells"),
                           (table.replace(b"2024-01-08", b"yesterday!", 1), "line 2")):
            answer = self.post("bad", body)
            self.assertEqual((answer.status, answer.json["error"]["code"]), (422, "unreadable_table"), answer)
            self.assertIn(says, answer.json["error"]["message"])
        answer = self.post("bad", table, "&label=nothing")
        self.assertEqual(answer.status, 422)
        self.assertIn("nothing", answer.json["error"]["message"])
        self.assertEqual(self.post("bad", table, headers={"Content-Type": "text/plain"}).status, 415)
        with self.service.connect() as connection:  # which is refused before its body comes
            connection.sendall(b"POST /v1/models?from=csv&name=bad HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\n"
                               b"Content-Length: 9000000\r\n\r\n")
            self.assertIn(b" 413 ", connection.recv(1000))
        self.assertEqual(self.service.ask("GET", "/v1/models/bad").status, 404)  # nothing was made

    def test_a_name_that_is_there_stays(self):
        table = (TABLES / "parcels.csv").read_bytes()
        self.assertEqual(self.post("taken", table).status, 201)
        self.assertEqual(self.post("taken", table).status, 200)
        self.service.decide("taken", {"distance_km": 3})
        self.assertEqual(self.post("taken", table).status, 409)

    def test_it_survives_a_kill(self):
        with tempfile.TemporaryDirectory() as folder:
            service = Service(folder)
            try:
                made = service.ask("POST", "/v1/models?from=csv&name=kept", (TABLES / "parcels.csv").read_bytes(), CSV)
                self.assertEqual(made.status, 201, made)
                before = service.hash("kept")
                service.kill()
                service.start()
                self.assertEqual(service.hash("kept"), before)
            finally:
                service.kill()


if __name__ == "__main__":
    unittest.main()
