"""Writes the corpus: small tables as strangers have them, each with what a careful person reads in it."""
import datetime as dt
import gzip
import io
import json
import math
import pathlib
import random
import zoneinfo

HERE = pathlib.Path(__file__).parent
START = dt.datetime(2024, 1, 8, 8, 0)
COURIERS = ["Adler", "Dachs", "Fuchs", "Igel"]


def chance(r, score):
    return r.random() < 1 / (1 + math.exp(-score))


def quote(cell, sep):
    cell = str(cell)
    return '"' + cell.replace('"', '""') + '"' if any(c in cell for c in (sep, '"', "\n")) else cell


def text(header, rows, sep=",", end="\n"):
    return end.join(sep.join(quote(c, sep) for c in row) for row in [header, *rows]) + end


def save(name, body, expect, encoding="utf-8", bom=b""):
    data = body if isinstance(body, bytes) else bom + body.encode(encoding)
    (HERE / name).write_bytes(data)
    (HERE / (name + ".expect.json")).write_text(json.dumps(expect, indent=1, ensure_ascii=False) + "\n")


def times(r, n=60, gap=5.0):
    now = START
    for _ in range(n):
        now += dt.timedelta(minutes=1 + r.expovariate(1 / (60 * gap)))
        yield now.replace(second=0, microsecond=0)


def later(r, at, hours):
    return (at + dt.timedelta(hours=0.2 + r.expovariate(1 / hours))).replace(second=0, microsecond=0)


def binary(event, feedback, label, columns, **more):
    return {"event": event, "feedback": feedback, "label": label, "task": "two classes", "columns": columns, "questions": [], **more}


def main():
    r = random.Random(20240108)

    # 0. times since 1970 beside small numbers whose names sound like times
    own = random.Random(4)
    now, rows = 1372032000, []
    for _ in range(60):
        now += own.randrange(3600, 90000)
        lead, cancelled = own.choice([0, 1, 2, 5, 9, 14, 30, 45, 60, 90, 120]), own.random() < 0.3
        days = own.randrange(0, lead + 1) if cancelled else lead + own.randrange(1, 8)
        rows.append([now, own.choice(["City", "Resort"]), lead, own.randrange(0, 4), int(cancelled), now + 86400 * days])
    save("rooms.csv", text(["known_at", "hotel", "lead_time", "sampled_visits", "cancelled", "label_at"], rows),
         binary("known_at", "label_at", "cancelled", {"lead_time": "number", "sampled_visits": "number", "hotel": "words"}))

    # 1. the plain case
    rows = []
    for i, at in enumerate(times(r)):
        km = round(r.uniform(1, 40), 1)
        rows.append([f"P{1000 + i}", f"{at:%Y-%m-%dT%H:%M}", f"{later(r, at, 20):%Y-%m-%dT%H:%M}", km, r.choice(COURIERS),
                     "yes" if chance(r, km / 10 - 2) else "no"])
    save("parcels.csv", text(["order_id", "created_at", "delivered_at", "distance_km", "courier", "late"], rows),
         binary("created_at", "delivered_at", "late", {"distance_km": "number", "courier": "words", "order_id": "left out"}))

    # 2. known_at / label_at, hidden among other columns
    rows = [[r.randrange(18, 80), f"{at:%Y-%m-%d %H:%M:%S}", r.choice(["web", "shop", "phone"]), int(chance(r, -1)), f"{later(r, at, 90):%Y-%m-%d %H:%M:%S}"]
            for at in times(r)]
    save("known_label_at.csv", text(["age", "known_at", "channel", "complained", "label_at"], rows),
         binary("known_at", "label_at", "complained", {"age": "number", "channel": "words"}))

    # 3. invoices in dollars
    rows = []
    for at in times(r, gap=9):
        amount = r.lognormvariate(6.5, 1)
        rows.append([f"{at:%Y-%m-%d}", f"{later(r, at, 24 * 25):%Y-%m-%d}", f"${amount:,.2f}", r.choice(["Ace", "Bolt", "Crane", "Dune"]),
                     "late" if chance(r, math.log(amount) - 7) else "in time"])
    save("invoices.csv", text(["issued_on", "settled_on", "amount", "customer", "payment"], rows),
         binary("issued_on", "settled_on", "payment", {"amount": "number", "customer": "words"}, units={"amount": "$"},
                first={"amount": float(rows[0][2].replace("$", "").replace(",", ""))}, feedback_is_days_end=True))

    # 4. a German shop: other names, other marks
    rows = []
    for at in times(r, gap=8):
        price = r.lognormvariate(5.5, 1.2)
        euro = f"{price:,.2f}".replace(",", "_").replace(".", ",").replace("_", ".")
        rows.append([f"{at:%d.%m.%Y %H:%M}", f"{later(r, at, 200):%d.%m.%Y %H:%M}", f"€{euro}", f"{r.uniform(0, 5):.2f}".replace(".", ","),
                     r.choice(["Schuhe", "Hemd", "Mütze"]), "ja" if chance(r, -1) else "nein"])
    save("bestellungen.csv", text(["Bestellt", "Entschieden", "Preis", "Bewertung", "Ware", "Zurückgeschickt"], rows, ";"),
         binary("Bestellt", "Entschieden", "Zurückgeschickt", {"Preis": "number", "Bewertung": "number", "Ware": "words"}, units={"Preis": "€"},
                first={"Bewertung": float(rows[0][3].replace(",", "."))}))

    # 5. dates with the month's name
    rows = [[f"{at:%d-%b-%Y}", f"{later(r, at, 300):%d-%b-%Y}", f"${r.randrange(20, 120) * 1000:,}", r.randrange(300, 850), r.choice("YN")]
            for at in times(r, gap=9)]
    save("loan_decisions.csv", text(["application_date", "decision_date", "income", "score", "approved"], rows),
         binary("application_date", "decision_date", "approved", {"income": "number", "score": "number"}, units={"income": "$"},
                feedback_is_days_end=True))

    # 6. an American time of day, and a text
    words = "printer screen login slow broken cable invoice password wifi mail app update error window".split()
    rows = [[f"{at:%b %d %Y %I:%M %p}", f"{later(r, at, 30):%b %d %Y %I:%M %p}", " ".join(r.sample(words, 4)), r.choice(["low", "mid", "high"]),
             r.choice(["True", "False"])] for at in times(r)]
    save("tickets.csv", text(["opened", "closed", "subject", "priority", "escalated"], rows),
         binary("opened", "closed", "escalated", {"subject": "text", "priority": "words"}))

    # 7. seconds since 1970
    rows = [[int(at.timestamp()), int(later(r, at, 50).timestamp()), round(r.gauss(70, 9), 2), round(r.gauss(3, 1), 3), int(chance(r, -1.5))]
            for at in times(r)]
    save("pumps.csv", text(["ts", "checked_ts", "temperature", "vibration", "failure"], rows),
         binary("ts", "checked_ts", "failure", {"temperature": "number", "vibration": "number"}))

    # 8. milliseconds, and an amount that grows like a time
    rows, total = [], 1_700_000_000
    for at in times(r):
        total += r.randrange(10, 9000)
        rows.append([int(at.timestamp() * 1000), total, r.choice(["card", "wire"]), int(later(r, at, 40).timestamp() * 1000), r.choice(["ok", "fraud", "ok", "ok"])])
    save("payments_ms.csv", text(["created", "balance", "kind", "reviewed", "verdict"], rows),
         binary("created", "reviewed", "verdict", {"balance": "number", "kind": "words"}))

    # 9. ISO weeks
    rows = []
    for i in range(60):
        at = dt.date(2023, 1, 4) + dt.timedelta(weeks=i)
        known = at + dt.timedelta(weeks=r.randrange(1, 6))
        rows.append(["{}-W{:02}-{}".format(*at.isocalendar()), "{}-W{:02}-{}".format(*known.isocalendar()), r.choice(["north", "south"]), round(r.uniform(2, 9), 1), r.randrange(100, 900)])
    save("weekly_sales.csv", text(["week", "reported_week", "region", "spend", "sales"], rows),
         {**binary("week", "reported_week", "sales", {"region": "words", "spend": "number"}, feedback_is_days_end=True), "task": "number"})

    # 10. day first, shown by a day above 12
    rows = [[f"{at:%d/%m/%Y}", f"{later(r, at, 400):%d/%m/%Y}", r.randrange(1, 9), r.choice(["pass", "fail"])] for at in times(r, gap=12)]
    save("exams.csv", text(["sat_on", "marked_on", "attempts", "result"], rows),
         binary("sat_on", "marked_on", "result", {"attempts": "number"}, feedback_is_days_end=True))

    # 11. month first, twelve hours
    rows = [[f"{at.month}/{at.day}/{at.year} {at:%I:%M %p}", f"{(k := later(r, at, 60)).month}/{k.day}/{k.year} {k:%I:%M %p}", r.randrange(1, 6), r.choice(["yes", "no"])]
            for at in times(r, gap=12)]
    save("appointments.csv", text(["booked", "attended_or_missed", "guests", "missed"], rows),
         binary("booked", "attended_or_missed", "missed", {"guests": "number"}))

    # 12. a zone in the event, a day only in the feedback
    rows = [[f"{at:%Y-%m-%dT%H:%M:%S}+02:00", f"{later(r, at, 10):%Y-%m-%d}", round(r.uniform(0, 1), 3), r.choice(["yes", "no"])] for at in times(r)]
    save("same_day.csv", text(["seen_at", "answer_date", "score", "replied"], rows),
         binary("seen_at", "answer_date", "replied", {"score": "number"}, feedback_is_days_end=True))

    # 13. local times over a change of clocks
    rows, berlin = [], zoneinfo.ZoneInfo("Europe/Berlin")
    at = dt.datetime(2024, 10, 26, 20, tzinfo=dt.timezone.utc)
    for _ in range(60):
        at += dt.timedelta(minutes=15)
        rows.append([f"{at.astimezone(berlin):%Y-%m-%d %H:%M}", f"{(at + dt.timedelta(minutes=r.randrange(5, 300))).astimezone(berlin):%Y-%m-%d %H:%M}",
                     r.randrange(10, 90), int(chance(r, -1))])
    save("clocks_back.csv", text(["start_time", "end_time", "load", "tripped"], rows),
         binary("start_time", "end_time", "tripped", {"load": "number"}, told=["clock"]))

    # 14. one letter among numbers
    rows = [[f"{at:%Y-%m-%d %H:%M}", f"{later(r, at, 24):%Y-%m-%d %H:%M}", r.randrange(18, 80), r.choice(["a", "b"]), r.choice(["yes", "no"])] for at in times(r)]
    rows[17][2] = "4O"
    save("typo.csv", text(["asked_at", "answered_at", "age", "group", "bought"], rows),
         binary("asked_at", "answered_at", "bought", {"age": "number", "group": "words"}, missing=[[19, "age", "4O"]]))

    # 15. an infinity, and a dash
    rows = [[f"{at:%Y-%m-%d %H:%M}", f"{later(r, at, 24):%Y-%m-%d %H:%M}", round(r.gauss(0, 2), 2), round(r.uniform(0, 9), 1), r.choice(["yes", "no"])] for at in times(r)]
    rows[4][2], rows[30][3] = "inf", "-"
    save("infinite.csv", text(["asked_at", "answered_at", "ratio", "rate", "bought"], rows),
         binary("asked_at", "answered_at", "bought", {"ratio": "number", "rate": "number"}, missing=[[6, "ratio", "inf"]]))

    # 16. per cent, and kilograms
    rows = [[f"{at:%Y-%m-%d %H:%M}", f"{later(r, at, 48):%Y-%m-%d %H:%M}", f"{r.randrange(0, 100)} %", f"{r.uniform(1, 30):.1f} kg", r.choice(["yes", "no"])] for at in times(r)]
    save("discounts.csv", text(["sent_at", "outcome_at", "discount", "weight", "redeemed"], rows),
         binary("sent_at", "outcome_at", "redeemed", {"discount": "number", "weight": "number"}, units={"discount": "%", "weight": "kg"},
                first={"weight": float(rows[0][3].split()[0])}))

    # 17. accountants' minus
    rows = [[f"{at:%Y-%m-%d}", f"{later(r, at, 300):%Y-%m-%d}", f"({v:,})" if (v := r.randrange(5, 4000)) % 3 == 0 else f"{v:,}", r.choice(["rent", "wages", "fuel"]), r.choice(["approved", "disputed"])]
            for at in times(r, gap=9)]
    cell = rows[0][2]
    save("ledger.csv", text(["booked_on", "audited_on", "balance", "account", "finding"], rows),
         binary("booked_on", "audited_on", "finding", {"balance": "number", "account": "words"},
                first={"balance": float(cell.strip("()").replace(",", "")) * (-1 if "(" in cell else 1)}, feedback_is_days_end=True))

    # 18. spaces between thousands, commas for points, in a comma-separated file
    rows = [[f"{at:%Y-%m-%d %H:%M}", f"{later(r, at, 100):%Y-%m-%d %H:%M}", f"{r.randrange(1000, 90000):,}".replace(",", " "), f"{r.uniform(1, 9):.2f}".replace(".", ","), r.choice(["oui", "non"])] for at in times(r)]
    save("surfaces.csv", text(["vu_le", "decide_le", "surface", "note", "vendu"], rows),
         binary("vu_le", "decide_le", "vendu", {"surface": "number", "note": "number"}, first={"surface": float(rows[0][2].replace(" ", "")), "note": float(rows[0][3].replace(",", "."))}))

    # 19. a review in many words
    good, bad = "love great perfect happy quick fits lovely warm".split(), "broke late torn cheap small ugly cold wrong".split()
    rows = []
    for at in times(r):
        sad = chance(r, 0)
        rows.append([f"{at:%Y-%m-%d %H:%M}", f"{later(r, at, 100):%Y-%m-%d %H:%M}", ("It " + " ".join(r.sample(bad if sad else good, 3)) + ", " + " ".join(r.sample(words, 3))).capitalize(), r.randrange(1, 4), "yes" if sad else "no"])
    save("reviews.csv", text(["written_at", "handled_at", "review", "items", "refunded"], rows),
         binary("written_at", "handled_at", "refunded", {"review": "text", "items": "number"}))

    # 20. lists
    rows = [[f"{at:%Y-%m-%d %H:%M}", f"{later(r, at, 30):%Y-%m-%d %H:%M}", "|".join(r.sample(["sport", "news", "art", "food", "film"], r.randrange(1, 4))), r.randrange(10, 300), r.choice(["click", "skip", "skip"])] for at in times(r)]
    save("articles.csv", text(["shown_at", "decided_at", "topics", "length", "reaction"], rows),
         binary("shown_at", "decided_at", "reaction", {"topics": "set", "length": "number"}))

    # 21. dates as features
    rows = [[f"{at:%Y-%m-%d %H:%M}", f"{later(r, at, 100):%Y-%m-%d %H:%M}", f"{dt.date(r.randrange(1950, 2005), r.randrange(1, 13), r.randrange(1, 28))}", f"{(at - dt.timedelta(days=r.randrange(1, 400))).date()}", r.choice(["yes", "no"])] for at in times(r)]
    save("members.csv", text(["renewal_asked_at", "renewal_answered_at", "birth_date", "joined", "renewed"], rows),
         binary("renewal_asked_at", "renewal_answered_at", "renewed", {"birth_date": "date", "joined": "date"}))

    # 22. Excel's "Unicode text"
    rows = [[f"{at:%Y-%m-%d %H:%M}", f"{later(r, at, 30):%Y-%m-%d %H:%M}", r.choice(["Málaga", "Łódź", "Köln"]), r.randrange(1, 9), r.choice(["yes", "no"])] for at in times(r)]
    head = ["departed", "arrived", "town", "stops", "delayed"]
    save("excel_unicode.txt", text(head, rows, "\t", "\r\n"), binary("departed", "arrived", "delayed", {"town": "words", "stops": "number"}, words={"town": rows[0][2]}), "utf-16-le", b"\xff\xfe")

    # 23. Latin-1
    rows = [[f"{at:%Y-%m-%d %H:%M}", f"{later(r, at, 30):%Y-%m-%d %H:%M}", r.choice(["Málaga", "Köln", "Orléans"]), r.randrange(1, 9), r.choice(["yes", "no"])] for at in times(r)]
    save("latin.csv", text(head, rows), binary("departed", "arrived", "delayed", {"town": "words", "stops": "number"}, words={"town": rows[0][2]}), "latin-1")

    # 24. a mark of byte order, semicolons
    save("marked.csv", text(head, rows, ";", "\r\n"), binary("departed", "arrived", "delayed", {"town": "words", "stops": "number"}, words={"town": rows[0][2]}), "utf-8", b"\xef\xbb\xbf")

    # 25. JSON lines
    lines = io.StringIO()
    for at in times(r):
        record = {"requested_at": f"{at:%Y-%m-%dT%H:%M:%SZ}", "answered_at": f"{later(r, at, 20):%Y-%m-%dT%H:%M:%SZ}", "model": r.choice(["s", "m", "l"]), "tokens": r.randrange(10, 4000), "helpful": chance(r, 0)}
        if r.random() < 0.2:
            del record["tokens"]
        lines.write(json.dumps(record) + "\n")
    save("requests.jsonl", lines.getvalue(), binary("requested_at", "answered_at", "helpful", {"model": "words", "tokens": "number"}))

    # 26. gzip
    rows = [[f"{at:%Y-%m-%d %H:%M}", f"{later(r, at, 30):%Y-%m-%d %H:%M}", r.randrange(1, 99), r.choice(["yes", "no"])] for at in times(r)]
    save("packed.csv.gz", gzip.compress(text(["posted_at", "moderated_at", "reports", "removed"], rows).encode(), mtime=0), binary("posted_at", "moderated_at", "removed", {"reports": "number"}))

    # 27. bars between columns
    save("bars.psv", text(["posted_at", "moderated_at", "reports", "removed"], rows, "|"), binary("posted_at", "moderated_at", "removed", {"reports": "number"}))

    # 28. commas, quotes and lines inside cells
    rows = [[f"{at:%Y-%m-%d %H:%M}", f"{later(r, at, 30):%Y-%m-%d %H:%M}", f'{" ".join(r.sample(words, 3))},\n"{" ".join(r.sample(words, 2))}"', r.randrange(1, 99), r.choice(["spam", "ham"])] for at in times(r)]
    save("mails.csv", text(["received", "judged", "body", "links", "verdict"], rows), binary("received", "judged", "verdict", {"body": "text", "links": "number"}))

    # 29. every spelling of "missing"
    rows = [[f"{at:%Y-%m-%d %H:%M}", f"{later(r, at, 30):%Y-%m-%d %H:%M}", r.choice(["NA", "n/a", "NULL", "?", "-", "", r.randrange(5), r.randrange(5), r.randrange(5)]), r.choice(["red", "blue", "N/A", ""]), r.choice(["yes", "no"])] for at in times(r)]
    save("holes.csv", text(["asked_at", "answered_at", "children", "colour", "bought"], rows), binary("asked_at", "answered_at", "bought", {"children": "number", "colour": "words"}))

    # 30. several classes
    rows = [[f"{at:%Y-%m-%d %H:%M}", f"{later(r, at, 30):%Y-%m-%d %H:%M}", r.randrange(18, 80), r.choice(["mail", "phone"]), r.choice(["solved", "refund", "exchange", "none"])] for at in times(r)]
    save("cases.csv", text(["opened_at", "closed_at", "age", "channel", "outcome"], rows), {**binary("opened_at", "closed_at", "outcome", {"age": "number", "channel": "words"}), "task": "classes"})

    # 31. a number to predict, in money
    rows = [[f"{at:%Y-%m-%d %H:%M}", f"{later(r, at, 300):%Y-%m-%d %H:%M}", (rooms := r.randrange(1, 7)), r.choice(["flat", "house"]), f"£{rooms * 90000 + r.randrange(50000):,}"] for at in times(r)]
    save("house_prices.csv", text(["listed_at", "sold_at", "rooms", "kind", "price"], rows), {**binary("listed_at", "sold_at", "price", {"rooms": "number", "kind": "words"}, units={"price": "£"}), "task": "number"})

    # 32. −1 and 1
    rows = [[f"{at:%Y-%m-%d %H:%M}", f"{later(r, at, 30):%Y-%m-%d %H:%M}", round(r.gauss(0, 1), 3), round(r.gauss(0, 1), 3), r.choice([-1, 1])] for at in times(r)]
    save("signs.csv", text(["t", "t_label", "x1", "x2", "y"], rows), binary("t", "t_label", "y", {"x1": "number", "x2": "number"}))

    # 33. the label in front, called target
    rows = [[r.choice(["yes", "no"]), round(r.gauss(0, 1), 3), f"{at:%Y-%m-%d %H:%M}", f"{later(r, at, 30):%Y-%m-%d %H:%M}", r.choice("abc")] for at in times(r)]
    save("target_first.csv", text(["target", "x", "event_time", "feedback_time", "kind"], rows), binary("event_time", "feedback_time", "target", {"x": "number", "kind": "words"}))

    # 34. a third time, which lies after the label
    rows = [[f"{at:%Y-%m-%d %H:%M}", f"{(k := later(r, at, 30)):%Y-%m-%d %H:%M}", f"{later(r, k, 200):%Y-%m-%d %H:%M}", r.randrange(1, 5), r.choice(["yes", "no"])] for at in times(r)]
    save("third_time.csv", text(["opened_at", "resolved_at", "archived_at", "impact", "breached"], rows), binary("opened_at", "resolved_at", "breached", {"impact": "number", "archived_at": "left out"}))

    # 35. codes that are not amounts
    rows = [[f"{at:%Y-%m-%d %H:%M}", f"{later(r, at, 30):%Y-%m-%d %H:%M}", r.choice([1010, 2044, 3307, 4890]), f"{r.choice([1067, 10115, 80331, 4109]):05}", r.randrange(1, 60), r.choice(["yes", "no"])] for at in times(r)]
    save("codes.csv", text(["ordered_at", "decided_at", "store_id", "zip", "items", "returned"], rows), binary("ordered_at", "decided_at", "returned", {"store_id": "words", "zip": "words", "items": "number"}))

    # 36. yes and no among the features
    rows = [[f"{at:%Y-%m-%d %H:%M}", f"{later(r, at, 30):%Y-%m-%d %H:%M}", r.choice(["true", "false"]), r.choice(["Y", "N"]), r.randrange(20), r.choice(["won", "lost"])] for at in times(r)]
    save("deals.csv", text(["created_at", "closed_at", "existing", "discounted", "calls", "deal"], rows), binary("created_at", "closed_at", "deal", {"existing": "words", "discounted": "words", "calls": "number"}))

    # 37. not in order of time, and some labels that never came
    rows = [[f"{at:%Y-%m-%d %H:%M}", f"{later(r, at, 30):%Y-%m-%d %H:%M}", r.randrange(20), r.choice(["good", "bad"])] for at in times(r)]
    for i in range(3, 60, 9):
        rows[i][1] = rows[i][3] = ""
    r.shuffle(rows)
    save("shuffled.csv", text(["produced_at", "tested_at", "batch", "quality"], rows), binary("produced_at", "tested_at", "quality", {"batch": "number"}))

    # 38. a title above the header
    rows = [[f"{at:%Y-%m-%d %H:%M}", f"{later(r, at, 30):%Y-%m-%d %H:%M}", r.randrange(20), r.choice(["yes", "no"])] for at in times(r)]
    save("titled.csv", "Export of 8 May 2024\n\n" + text(["created_at", "closed_at", "calls", "won"], rows), binary("created_at", "closed_at", "won", {"calls": "number"}))

    # 39. paid or unpaid: only one of the words ever has a time
    rows = []
    for at in times(r, gap=8):
        paid = chance(r, 1)
        rows.append([f"{at:%Y-%m-%d %H:%M}", f"{later(r, at, 150):%Y-%m-%d %H:%M}" if paid else "", round(r.uniform(5, 500), 2), r.choice(["card", "bill"]), "paid" if paid else "unpaid"])
    save("unpaid.csv", text(["ordered_at", "paid_at", "amount", "method", "status"], rows), {**binary("ordered_at", "paid_at", "status", {"amount": "number", "method": "words"}), "questions": ["expiry"]})

    # 40. nobody says when the label was known
    rows = [[f"{at:%Y-%m-%d}", r.randrange(1, 50), r.choice(["basic", "plus"]), r.choice(["yes", "no"])] for at in times(r, gap=9)]
    save("churn.csv", text(["signup_date", "logins", "plan", "churned"], rows), {**binary("signup_date", None, "churned", {"logins": "number", "plan": "words"}), "questions": ["feedback"]})

    # 41. no time at all
    rows = [[round(r.gauss(5, 1), 1), round(r.gauss(3, 1), 1), r.choice(["setosa", "virginica", "versicolor"])] for _ in range(60)]
    save("flowers.csv", text(["sepal", "petal", "species"], rows), {**binary(None, None, "species", {"sepal": "number", "petal": "number"}), "task": "classes", "questions": ["feedback"]})

    # 42. day or month first: nobody can know
    rows = [[f"{d:02}/{m:02}/2024", f"{d + 1:02}/{m + 1:02}/2024", r.randrange(9), r.choice(["yes", "no"])] for m in range(1, 11) for d in range(1, 7)]
    save("either_way.csv", text(["sent_on", "answered_on", "pages", "accepted"], rows), {**binary("sent_on", "answered_on", "accepted", {"pages": "number"}), "questions": ["dates"]})


if __name__ == "__main__":
    main()
