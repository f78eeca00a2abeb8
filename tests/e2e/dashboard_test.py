"""The dashboard before a real service: every kind of feedback is seen where it belongs, and nothing else is asked for.

Screenshots go to $TARRY_SHOTS (default: build/dashboard).
"""

import csv
import gzip
import io
import json
import os
import subprocess
import sys
import time
import unittest
import urllib.request

from dashboard_page import BUDGET, DESKTOP, FLOW, MATRIX, PHONE, ROOT, SHOTS, DashboardTest

sys.path.insert(0, str(ROOT / "web/dashboard"))
import sample  # noqa: E402

SIMPLEX = {"set": {"type": "simplex", "dimension": 3}, "learner": {"type": "delayed_ofw", "eta": 0.1}}


class Feedback(DashboardTest):
    def test_each_kind_is_seen_where_it_belongs(self):
        service = self.serve()
        service.create("flights", {"task": "regression"})
        self.show(service)
        took = {}
        first = service.decide("flights", {"features": {"hour": 1}})
        second = service.decide("flights", {"features": {"hour": 2}})
        took["decisions"] = self.wait("document.querySelector(\"tr[data-model=flights] [data-key=rounds]\")?.textContent === '2'")
        self.assertEqual(self.cell("flights", "outstanding"), "2")
        self.assertRegex(self.cell("flights", "bytes"), r"^[\d.]+ [kM]B$")
        self.assertEqual(self.tile("Waiting for feedback"), "2")

        self.assertEqual(service.feed({"ticket": first["ticket"], "label": 3})[0], 200)
        took["late"] = self.wait("document.querySelector(\"tr[data-model=flights] [data-key=outstanding]\").textContent === '1'")
        self.assertEqual(self.cell("flights", "loss"), "9")
        self.assertEqual(self.count("#delays rect[data-bar]"), 1)

        self.assertTrue(service.feed({"ticket": first["ticket"], "label": 3})[1]["duplicate"])
        took["duplicate"] = self.wait("document.querySelector(\"tr[data-model=flights] [data-key=duplicates]\").textContent === '1'")

        forged = second["ticket"][:-1] + ("A" if second["ticket"][-1] != "A" else "B")
        self.assertEqual(service.feed({"ticket": forged, "label": 3})[0], 403)
        took["forged"] = self.wait("document.querySelector('#errors tbody').textContent.includes('forged')")
        self.assertEqual(self.tile("Refused"), "1")
        self.assertEqual(self.cell("flights", "outstanding"), "1")  # it labelled nothing

        self.assertEqual(service.feed({"ticket": first["ticket"], "label": 4})[0], 409)
        took["conflict"] = self.wait("document.querySelector(\"tr[data-model=flights] [data-key=refused]\").textContent === '1'")
        print("seconds until seen:", {name: round(seconds, 2) for name, seconds in took.items()})

    def test_a_round_that_is_given_up(self):
        service = self.serve()
        service.create("brief", {"task": "regression", "expiry": {"seconds": 6}})
        self.show(service, "#/models/brief")
        made = service.decide("brief", {"features": {"hour": 1}})
        self.wait("document.querySelector('#waiting [data-round]')?.dataset.round === '1'")
        self.wait("document.querySelector('#waiting tbody').textContent === 'None.'")
        self.assertEqual(service.feed({"ticket": made["ticket"], "label": 3})[0], 410)
        self.wait("document.querySelector('#errors tbody').textContent.includes('expired')")


class ModelPage(DashboardTest):
    def test_by_hand(self):
        service = self.serve()
        service.create("flights", {"task": "regression"})
        self.show(service, "#/models/flights")
        self.wait("document.querySelector('#features').value !== ''")
        self.browser.type("#features", '{"hour": 17, "city": "Paris"}')
        self.browser.type("#key", "order-1")
        self.browser.click("#ask")
        self.wait("document.querySelector('#decided').dataset.status === '200'")
        self.wait("document.querySelector('#waiting tbody').textContent.includes('order-1')")
        self.browser.type("#value", "7")
        self.browser.click("#send")
        self.wait("document.querySelector('#fed').textContent.includes('accepted')")
        self.browser.click("#send")
        self.wait("document.querySelector('#fed').textContent.includes('duplicate')")
        self.browser.type("#ticket", "order-1")
        self.browser.type("#value", "8")
        self.browser.click("#send")
        self.wait("document.querySelector('#fed').dataset.status === '409'")
        self.allowed = ("409",)
        for hour, city in ((1, "Paris"), (9, "Rome"), (17, "Paris"), (23, "Oslo")):
            made = service.decide("flights", {"features": {"hour": hour, "city": city}})
            service.feed({"ticket": made["ticket"], "label": hour})
        self.wait("document.querySelector('#weights rect[data-bar=hour]') !== null")

    def test_the_effect_of_a_number_over_its_values(self):
        service = self.serve()
        service.create("cars", {"task": "regression"})
        for t in range(120):
            hour = t * 7 % 24
            made = service.decide("cars", {"features": {"hour": hour}})
            service.feed({"ticket": made["ticket"], "label": 5 if 6 <= hour < 20 else 1})
        self.show(service, "#/models/cars")
        self.wait("document.querySelectorAll('#effects .values circle').length === 24")
        self.assertEqual(self.browser.run("return document.querySelector('#effect-0').textContent"), "hour")

    def test_requests_can_be_copied(self):
        service = self.serve()
        service.create("flights", {"task": "regression"})
        self.show(service, "#/models/flights")
        self.wait("document.querySelector('#features').value !== ''")
        self.browser.command("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
        self.browser.type("#features", '{"city": "l\'Aquila"}')
        copied = {}
        for name in ("curl", "Python"):
            self.browser.run("navigator.clipboard.text = null; navigator.clipboard.writeText = async (text) => {"
                             "navigator.clipboard.text = text;};")
            self.browser.click(f".by-hand [data-copy={name}]")
            self.browser.wait_for("return navigator.clipboard.text !== null")
            copied[name] = self.browser.run("return navigator.clipboard.text")
        for name, command in (("curl", ["bash", "-c"]), ("Python", ["python3", "-c"])):
            if name == "curl" and subprocess.run(["which", "curl"], capture_output=True, check=False).returncode != 0:
                continue
            done = subprocess.run([*command, copied[name]], capture_output=True, text=True, check=True, timeout=30)
            self.assertIn("ticket", done.stdout)
        self.wait("document.querySelector('.tile-about').textContent.startsWith('2 rounds')")

    def test_the_decision_in_a_picture_that_fits(self):
        service = self.serve()
        for name, spec in (("roads", FLOW), ("matrix", MATRIX), ("budget", BUDGET)):
            service.create(name, spec)
            service.decide(name)
        self.show(service, "#/models/roads")
        self.wait("document.querySelectorAll('#decision [data-edge]').length === 4")
        self.show(service, "#/models/matrix")
        self.wait("document.querySelectorAll('#decision [data-cell]').length === 30")
        self.show(service, "#/models/budget")
        self.wait("document.querySelectorAll('#decision [data-bar]').length === 3")
        self.assertEqual(self.browser.run("return [...document.querySelectorAll('#decision [data-bar]')].map((b) => b.dataset.bar)"),
                         ["search", "social", "mail"])
        status, told = service.ask("POST", "/v1/models/budget/decisions", {})
        self.assertEqual(status, 200)
        self.assertEqual(service.feed({"ticket": told["ticket"], "gradient": {"search": 1, "social": 0, "mail": 0}})[0], 200)

    def test_one_that_chooses(self):
        service = self.serve()
        service.create("menu", {"task": "choose"})
        self.show(service, "#/models/menu")
        chosen = [service.choose("menu", context={"sun": n % 2}, actions=["ice", "soup", "tea"]) for n in range(30)]
        for one in chosen[:20]:
            self.assertEqual(service.feed({"ticket": one["ticket"], "reward": one["action"] == "ice"})[0], 200)
        taken = sorted({one["action"] for one in chosen})
        self.wait(f"document.querySelectorAll('#actions .curve').length === {len(taken)}")
        self.wait("document.querySelectorAll('#reward .curve').length === 2")
        self.assertIn("a default reward counts as one", self.text("#reward figcaption"))
        self.wait("document.querySelectorAll('#compared tbody tr').length === 5")
        self.assertIn("over 20 rounds whose wait is over", self.text("#compared"))
        self.assertIn("always ice", self.text("#compared"))
        self.assertEqual(self.browser.run("return [...document.querySelectorAll('#compared tbody tr')].map((row) => row.lastChild.textContent)"),
                         ["–"] + ["DR"] * 4)
        for n in range(10):  # which explore by now
            service.choose("menu", context={"sun": n % 2}, actions=["ice", "soup", "tea"])
        self.wait("document.querySelector('#exploration').textContent.includes('gives up 0.')")
        self.assertRegex(self.text("#exploration"), r"^Exploration gives up 0\.\d+ \([\d.]+ %\) of the predicted reward a round, lately 0\.")
        self.wait("document.querySelector('#features').value.includes('actions')")
        self.browser.type("#features", '{"context": {"sun": 1}, "actions": ["ice", "soup"]}')
        self.browser.click("#ask")
        self.wait("document.querySelector('#decided').textContent.includes('ranking')")
        # And one that does not has no such figures.
        service.create("flights", {"task": "regression"})
        self.show(service, "#/models/flights")
        self.wait("document.querySelector('.facts').children.length > 0")
        self.assertTrue(self.browser.run("return document.querySelector('#actions').hidden && document.querySelector('#reward').hidden "
                                         "&& document.querySelector('#compared').hidden"))

    def test_one_that_is_not_there(self):
        service = self.serve()
        self.browser.visit(service.address + "#/models/gone")
        self.wait("document.querySelector('.notice').textContent === 'There is no model named gone.'")
        self.allowed = ("404",)


class Create(DashboardTest):
    def test_from_a_task(self):
        service = self.serve()
        self.show(service, "#/new")
        self.browser.type("#name", "clicks")
        self.browser.run("document.querySelector('#start').value = 1; document.querySelector('#start').dispatchEvent(new Event('change'))")
        self.browser.click("#create")
        self.wait("location.hash === '#/models/clicks'")
        self.wait("document.querySelector('#spec pre').textContent.includes('logistic')")

    def test_the_error_stands_at_its_key(self):
        self.allowed = ("400", "422", "409")
        service = self.serve()
        self.show(service, "#/new")
        self.browser.type("#name", "odd")
        wrong = {"set": {"type": "simplex", "dimension": 3, "radius": 1}, "learner": {"type": "delayed_ofw", "eta": -1}}
        for change, line, part in ((lambda spec: spec, 9, "eta must be positive"),
                                   (lambda spec: spec | {"featurs": 1}, 11, "unknown key"),
                                   (lambda spec: {"set": spec["set"] | {"radius": -2}, "learner": {"type": "auto"}}, 5, "radius must be positive")):
            text = json.dumps(change(wrong), indent=2)
            self.browser.run("document.querySelector('#spec').value = arguments[0]", text)
            self.browser.click("#create")
            self.wait("!document.querySelector('#spec-problem').hidden")
            self.assertIn(part, self.text("#spec-problem"))
            self.assertEqual(self.browser.run("return Number(document.querySelector('#spec-problem').dataset.line)"), line, text)
            self.assertEqual(self.browser.run("return document.querySelector('#spec').getAttribute('aria-invalid')"), "true")
            self.check_access()
            self.browser.run("document.querySelector('#spec').dispatchEvent(new Event('input'))")
        self.browser.type("#spec", "{not json")
        self.browser.click("#create")
        self.wait("[...document.querySelectorAll('[role=alert]')].some((one) => one.textContent.includes('not JSON'))")
        service.create("odd", BUDGET)
        self.browser.type("#spec", '{"task": "binary"}')
        self.browser.click("#create")
        self.wait("document.querySelector('#create-problem').textContent.includes('409')")


class Tokens(DashboardTest):
    def test_entered_once_and_refused_in_place(self):
        self.allowed = ("401",)
        service = self.serve()
        made = subprocess.run([os.environ["TARRY"], "token", "add", "--data", str(self.data), "--scope", "read", "--", "dash"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(made.returncode, 0, made.stderr)
        token = made.stdout.split()[-1]
        until = time.monotonic() + 30  # the service looks for new tokens once a second
        while service.ask("GET", "/v1/models")[0] != 401 and time.monotonic() < until:
            time.sleep(0.1)
        self.browser.visit("about:blank")
        self.browser.visit(service.address)
        self.wait("document.querySelector('.token') && !document.querySelector('.token').hidden")
        self.browser.type("#token", "wrong")
        self.browser.click("#open")
        self.wait("document.querySelector('#token-said').textContent.includes('refused this token')")
        self.assertTrue(self.browser.run("return document.querySelector('main > div').hidden"))
        self.check_access()
        self.browser.type("#token", token)
        self.browser.click("#open")
        self.wait_live()
        self.assertTrue(self.browser.run("return document.querySelector('.token').hidden"))
        self.browser.click("nav a:nth-child(2)")
        self.wait_live()  # it is not asked for again
        kept = self.browser.run("return [location.href, document.cookie, JSON.stringify(localStorage), JSON.stringify(sessionStorage),"
                                "...performance.getEntriesByType('resource').map((one) => one.name)].join(' ')")
        self.assertNotIn(token, kept)
        self.assertTrue(self.browser.run("return document.querySelector('.without-tokens').hidden"))

    def test_a_service_without_tokens_says_so(self):
        service = self.serve(demo=True)
        for size in (DESKTOP, PHONE):
            self.browser.resize(*size)
            self.show(service)
            self.wait("!document.querySelector('.without-tokens').hidden")
            self.assertIn("runs without tokens", self.text(".without-tokens"))
            self.check_access()


class Restart(DashboardTest):
    def test_the_page_says_so_and_comes_back(self):
        self.allowed = ("ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONNECTION_RESET")
        service = self.serve()
        service.create("flights", {"task": "regression"})
        service.decide("flights", {"features": {"hour": 1}})
        self.show(service, "#/?filter=fli")
        self.wait("document.querySelector(\"tr[data-model=flights] [data-key=rounds]\").textContent === '1'")
        service.stop(kill=True)
        self.wait("document.querySelector('.live').dataset.state === 'lost'")
        self.assertIn("does not answer; trying again", self.text(".notice"))
        self.assertEqual(self.cell("flights", "rounds"), "1")
        again = self.serve(port=service.port)
        self.wait_live()
        self.assertTrue(self.browser.run("return document.querySelector('.notice').hidden"))
        again.decide("flights", {"features": {"hour": 2}})
        self.wait("document.querySelector(\"tr[data-model=flights] [data-key=rounds]\").textContent === '2'")


class Many(DashboardTest):
    def test_a_thousand_models(self):
        service = self.serve()
        for k in range(1000):
            service.create(f"m{k:03d}", SIMPLEX)
        self.show(service)
        self.wait("document.querySelector('.quiet-words').textContent === '1,000 models'")
        self.assertEqual(self.count(".models tbody tr"), 50)
        longest = self.browser.run(
            "return new Promise((done) => { let last = performance.now(), longest = 0; const end = last + 3000;"
            "const step = (now) => { longest = Math.max(longest, now - last); last = now;"
            "now < end ? requestAnimationFrame(step) : done(longest); }; requestAnimationFrame(step); })")
        print(f"longest frame with a thousand models: {longest:.0f} ms")
        self.browser.click("#after")
        self.wait("document.querySelector('.models tbody tr').dataset.model === 'm050'")
        self.assertIn("part=2", self.browser.run("return location.hash"))
        self.browser.type("#filter", "m99")
        self.wait("document.querySelectorAll('.models tbody tr').length === 10")
        service.decide("m995")
        self.browser.run("[...document.querySelectorAll('.models thead button')].find((b) => b.textContent === 'Rounds').click()")
        self.wait("document.querySelector('.models tbody tr').dataset.model === 'm995'")
        self.assertEqual(self.count("th[aria-sort=descending]"), 1)
        service.ask("DELETE", "/v1/models/m995")
        self.wait("!document.querySelector('tr[data-model=m995]')")


class View(DashboardTest):
    def test_it_is_in_the_address(self):
        service = self.serve()
        service.create("flights", {"task": "regression"})
        self.show(service)
        self.browser.click("[data-choice='3h']")
        self.browser.click("[data-choice=utc]")
        self.browser.click("tr[data-model=flights] a")
        self.wait("document.querySelector('.page h1').textContent === 'flights'")
        place = self.browser.run("return location.hash")
        self.assertEqual(place, "#/models/flights?range=3h&zone=utc")
        self.browser.run("location.reload()")
        self.wait_live()
        self.assertEqual(self.browser.run("return [...document.querySelectorAll('[aria-pressed=true]')].map((b) => b.dataset.choice)"), ["3h", "utc"])
        self.assertEqual(self.text(".page h1"), "flights")
        self.browser.run("history.back()")
        self.wait("document.querySelector('.models')")

    def test_figures_as_files(self):
        service = self.serve()
        service.create("flights", {"task": "regression"})
        for k in range(5):
            made = service.decide("flights", {"features": {"hour": k}})
            service.feed({"ticket": made["ticket"], "label": k})
        self.show(service)
        self.wait("document.querySelector('#outstanding .curve') && document.querySelector('#sync .curve')")
        for figure in ("traffic", "maturity", "loss", "delays", "outstanding", "oldest", "refused", "updates", "backlog", "store", "sync"):
            name, text = self.browser.downloaded(lambda: self.press(f"#{figure} .csv"), ".csv")
            rows = list(csv.reader(io.StringIO(text.decode("utf-8"))))
            self.assertEqual(name, f"tarry_all-models_{figure}.csv")
            self.assertGreater(len(rows), 1, figure)
            self.assertEqual({len(row) for row in rows}, {len(rows[0])}, figure)
        name, text = self.browser.downloaded(lambda: self.press("#traffic .save"))
        self.assertTrue(text.startswith(b"<?xml"))
        name, text = self.browser.downloaded(lambda: self.press(".models-section .csv"), ".csv")
        self.assertIn(b"flights", text)

    def test_values_by_the_keys(self):
        service = self.serve()
        service.create("flights", {"task": "regression"})
        service.decide("flights", {"features": {"hour": 1}})
        self.show(service)
        self.wait("document.querySelector('#outstanding .curve')")
        self.browser.run("document.querySelector('#outstanding .plot').focus()")
        self.browser.keys("left")
        self.assertRegex(self.text("#outstanding .tip"), r"from \d\d:\d\d:\d\d")
        time.sleep(2.5)  # two more lines: what is read stays in sight
        self.assertEqual(self.count("#outstanding .tip:not([hidden])"), 1)

    def test_nothing_comes_from_elsewhere(self):
        service = self.serve()
        with urllib.request.urlopen(urllib.request.Request(service.address, headers={"Accept-Encoding": "gzip"})) as reply:
            packed = reply.read()
            policy = reply.headers["Content-Security-Policy"]
        page = gzip.decompress(packed).decode("utf-8")
        print(f"the dashboard's page: {len(page.encode())} bytes, {len(packed)} compressed")
        self.assertLess(len(packed), 200_000)
        self.assertNotRegex(page, r"(?:src|href)=[\"']?(?:https?:)?//")
        self.assertNotIn("unsafe", policy)
        self.assertIn("default-src 'none'", policy)
        self.assertIn("frame-ancestors 'none'", policy)
        self.show(service)
        loaded = self.browser.run("return performance.getEntriesByType('resource').map((entry) => entry.name)")
        for address in loaded:
            self.assertTrue(address.startswith(service.address), address)


class Elsewhere(DashboardTest):
    def test_under_a_path_behind_a_proxy(self):
        with sample.Sample(models=3, prefix="/ops/tarry") as server:
            self.show(server, "#/models/flights")
            self.wait("document.querySelector('.facts').children.length > 0")
            self.browser.click(".brand")
            self.wait("document.querySelectorAll('.models tbody tr').length === 3")
            for address in self.browser.run("return performance.getEntriesByType('resource').map((one) => one.name)"):
                self.assertTrue(address.startswith(server.address), address)
            self.browser.visit("about:blank")

    def test_many_pages_of_one_service(self):
        with sample.Sample(models=3) as server:
            for k in range(9):  # browsers have six connections for all of them
                self.browser.visit(f"{server.address}?{k}#/models/flights")
                self.wait_live()
                self.wait("document.querySelector('.facts').children.length > 0")
            self.browser.visit("about:blank")

    def test_what_is_half_arrived_is_drawn_as_such(self):
        with sample.Sample(models=3) as server:
            self.show(server, "#/models/flights?range=3h")
            self.wait("document.querySelector('#loss .curve-unripe')")
            self.assertEqual(self.count("#loss .unripe"), 1)
            self.assertEqual(self.count("#loss .curve"), 2)
            self.assertIn("Dashed: fewer than 90 %", self.text("#loss figcaption"))
            self.assertIn("90 % of the labels have come for decisions that are", self.text("#maturity figcaption"))
            self.browser.visit("about:blank")


if __name__ == "__main__":
    unittest.main()
