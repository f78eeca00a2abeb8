"""Writes tables that were once misread: ways to write dates and lengths of time, leaks, labels of odd words, footers."""
import datetime as dt
import random

from make_tables import binary, chance, later, save, text, times

N = 36
MONTHS = {"de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(),
          "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(),
          "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split()}


def plain(r, name, header, write, hours=30.0, **more):
    """Two times, as `write` writes them, a number and a label."""
    rows = [[write(at), write(later(r, at, hours)), r.randrange(40), r.choice(["yes", "no"])] for at in times(r, N, 20)]
    save(name, text(header, rows), binary(header[0], header[1], header[3], {header[2]: "number"}, **more))


def dates(r):
    ends = {"feedback_is_days_end": True}
    plain(r, "short_years.csv", ["opened_at", "closed_at", "q", "late"], lambda t: f"{t:%d.%m.%y}", 90, **ends)
    plain(r, "basic_iso.csv", ["opened_at", "closed_at", "q", "late"], lambda t: f"{t:%Y%m%dT%H%M%S}")
    plain(r, "packed_times.csv", ["opened_at", "closed_at", "q", "late"], lambda t: f"{t:%Y%m%d%H%M%S}", told=["half of the labels came within"])
    plain(r, "javascript.csv", ["opened_at", "closed_at", "q", "late"], lambda t: f"{t:%a %b %d %Y %H:%M:%S} GMT+0100 (Central European Standard Time)")
    plain(r, "at_eight.csv", ["opened_at", "closed_at", "q", "late"], lambda t: f"{t:%B} {t.day}, {t.year} at {t:%I:%M %p}")
    plain(r, "ctime.csv", ["opened_at", "closed_at", "q", "late"], lambda t: t.ctime())
    plain(r, "maerz.csv", ["bestellt", "geliefert", "menge", "retour"], lambda t: f"{t.day}. {MONTHS['de'][t.month - 1]} {t.year}", 90, **ends)
    plain(r, "mars.csv", ["vu_le", "connu_le", "pages", "vendu"], lambda t: f"{t.day} {MONTHS['fr'][t.month - 1]} {t.year}", 90, **ends)
    plain(r, "marzo.csv", ["pedido", "resuelto", "cantidad", "devuelto"], lambda t: f"{t.day} de {MONTHS['es'][t.month - 1]} de {t.year}", 90, **ends)


def never(r):
    for name, word in (("year_9999.csv", "9999-12-31"), ("epoch_zero.csv", "1970-01-01")):
        rows = [[f"{at:%Y-%m-%d}", word if chance(r, -0.5) else f"{later(r, at, 90):%Y-%m-%d}", r.randrange(9)] for at in times(r, N, 20)]
        for row in rows:
            row.append("" if row[1] == word else r.choice(["yes", "no"]))
        save(name, text(["start_date", "closed_date", "size", "won"], rows), binary("start_date", "closed_date", "won", {"size": "number"}, feedback_is_days_end=True))
    rows = [[int(at.timestamp()), 0 if chance(r, -0.5) else int(later(r, at, 40).timestamp()), r.randrange(9)] for at in times(r, N)]
    for row in rows:
        row.append("" if row[1] == 0 else r.choice(["yes", "no"]))
    save("ts_zero.csv", text(["created_ts", "closed_ts", "size", "won"], rows), binary("created_ts", "closed_ts", "won", {"size": "number"}, told=["1970"]))


def leaks(r):
    rows = []
    for at in times(r, N):
        left = chance(r, 0)
        rows.append([f"{at:%Y-%m-%d %H:%M}", f"{later(r, at, 90):%Y-%m-%d %H:%M}", r.randrange(9), r.choice(["price", "moved", "bugs"]) if left else "", "yes" if left else "no"])
    save("churn_reason.csv", text(["signup_date", "renewal_date", "seats", "churn_reason", "churned"], rows),
         binary("signup_date", "renewal_date", "churned", {"seats": "number", "churn_reason": "left out"}))
    rows = []
    for at in times(r, N, 20):
        due, paid = at.date() + dt.timedelta(days=14), at.date() + dt.timedelta(days=r.randrange(2, 40))
        late = max(0, (paid - due).days)
        rows.append([at.date(), due, paid, r.randrange(100, 900), late, 5 * (late > 0), "Yes" if late else "No"])
    save("days_late.csv", text(["invoice_date", "due_date", "payment_date", "amount", "days_late", "late_fee", "late"], rows),
         binary("invoice_date", "payment_date", "late", {"amount": "number", "due_date": "date", "days_late": "left out", "late_fee": "left out"},
                feedback_is_days_end=True))
    rows = []
    for at in times(r, N):
        due = at.date() + dt.timedelta(days=14)
        paid = at.date() + dt.timedelta(days=r.randrange(2, 40))
        rows.append([at.date(), due, paid, r.randrange(100, 900), max(0, (paid - due).days), r.choice(["A", "B", "C"])])
    save("days_over.csv", text(["invoice_date", "due_date", "payment_date", "amount", "over", "rating"], rows),
         {**binary("invoice_date", "payment_date", "rating", {"amount": "number", "over": "left out"}, feedback_is_days_end=True), "task": "classes"})
    rows = [[f"{at:%Y-%m-%d %H:%M}", f"{at:%Y-%m-%d %H:%M}", f"{later(r, at, 60):%Y-%m-%d %H:%M}", r.randrange(9), r.choice(["yes", "no"])] for at in times(r, N)]
    save("paid_at_once.csv", text(["Created at", "Paid at", "Fulfilled at", "Items", "Returned"], rows),
         {**binary("Created at", None, "Returned", {"Items": "number"}), "questions": ["feedback"]})


def labels(r):
    def table(name, column, make, expect, seen="asked_at", known="decided_at"):
        rows = [[f"{at:%Y-%m-%d %H:%M}", f"{later(r, at, 50):%Y-%m-%d %H:%M}", r.randrange(20, 60), make()] for at in times(r, N)]
        save(name, text([seen, known, "age", column], rows), {**binary(seen, known, column, {"age": "number"}), **expect})

    table("one_or_two.csv", "credit_risk", lambda: r.choice([1, 2]), {"told": ['"2" is +1']})
    table("sold_for.csv", "sold_price", lambda: f"${r.randrange(80, 500) * 1000:,}", {"task": "number"}, known="sold_at")
    table("spelt.csv", "outcome", lambda: r.choice(["Paid", "paid", "PAID", "Lapsed", "lapsed"]), {"told": ["however it is spelt"]})
    table("yes_spelt.csv", "bought", lambda: r.choice(["Yes", "yes", "YES", "No", "no"]), {"told": ["however it is spelt"]})
    table("pending.csv", "bought", lambda: r.choice(["yes", "no", "pending"]), {"told": ["pending is not a label"]})
    table("marked_x.csv", "Disputed", lambda: r.choice(["X", ""]), {"questions": ["blank"]})
    for name, column, words, plus in (("approved.csv", "decision", ["Approved", "Declined"], "Approved"), ("won.csv", "stage", ["Won", "Lost"], "Won"),
                                      ("kept.csv", "outcome", ["Returned", "Kept"], "Returned"), ("paid.csv", "state_of_bill", ["Paid", "Unpaid"], "Paid")):
        table(name, column, lambda words=words: r.choice(words), {"told": [f'"{plus}" is +1']})
    rows = [[f"{at:%Y-%m-%d %H:%M}", f"{later(r, at, 50):%Y-%m-%d %H:%M}", r.randrange(9), f"{r.choice('€$')}{r.randrange(1, 90)}.50", r.choice(["done", "partly", "refused"])]
            for at in times(r, N)]
    save("currencies.csv", text(["posted_at", "settled_at", "km", "paid_amt", "ending"], rows),
         {**binary("posted_at", "settled_at", "ending", {"km": "number", "paid_amt": "words"}), "task": "classes"})


def cells(r):
    rows = [[f"{at:%Y-%m-%d %H:%M}", f"{later(r, at, 50):%Y-%m-%d %H:%M}", f"00:{r.randrange(60):02}:{r.randrange(60):02}",
             f"{r.randrange(1, 9)}h {r.randrange(60)}m" if i % 5 else f"{r.randrange(60)}m", r.choice(["yes", "no"])] for i, at in enumerate(times(r, N))]
    hours, minutes, seconds = map(int, rows[0][2].split(":"))
    save("lengths.csv", text(["started", "ended", "talk", "queued", "solved"], rows),
         binary("started", "ended", "solved", {"talk": "number", "queued": "number"}, units={"talk": "s", "queued": "s"},
                first={"talk": 3600 * hours + 60 * minutes + seconds}))
    rows = [[f"{at:%d.%m.%Y}", f"{later(r, at, 200):%d.%m.%Y}", f"{r.randrange(1, 900)}.{r.randrange(100, 999)},{r.randrange(10, 99)}{r.choice(['-', ''])}", r.choice(["ja", "nein"])]
            for at in times(r, N, 20)]
    rows[0][2] = "1.234,50-"
    save("sap.csv", text(["Buchung", "Ausgleich", "Betrag", "Mahnung"], rows, ";"),
         binary("Buchung", "Ausgleich", "Mahnung", {"Betrag": "number"}, first={"Betrag": -1234.5}, feedback_is_days_end=True))
    rows = [[f"{at:%Y-%m-%d %H:%M}", f"{later(r, at, 50):%Y-%m-%d %H:%M}", f'="{r.randrange(40):05}"', r.randrange(9), r.choice(["yes", "no"])] for at in times(r, N)]
    rows[0][2] = '="00007"'
    save("formulas.csv", text(["ordered", "delivered", "depot", "items", "late"], rows),
         binary("ordered", "delivered", "late", {"depot": "words", "items": "number"}, words={"depot": "00007"}))
    rows = [[r.choice(["1-", "2", "2-", "3", "3-", "1"]), f"{at:%Y-%m-%d %H:%M}", f"{later(r, at, 50):%Y-%m-%d %H:%M}", f"1.{r.randrange(9)}.{r.randrange(10, 99)}", r.choice(["yes", "no"])]
            for at in times(r, N)]
    save("marks.csv", text(["mark", "asked", "answered", "version", "passed"], rows), binary("asked", "answered", "passed", {"mark": "words", "version": "words"}))


def reasons(r):
    rows = [[f"{at:%Y-%m-%d}", f"{later(r, at, 900):%Y-%m-%d}", f"{r.randrange(30, 90)}000", r.choice(["Sales", "IT"]), r.choice(["moved", "retired", "pay"])] for at in times(r, N, 20)]
    save("exit_reason.csv", text(["hired_on", "left_on", "salary", "team", "exit_reason"], rows),
         {**binary("hired_on", "left_on", "exit_reason", {"salary": "number", "team": "words"}, feedback_is_days_end=True), "task": "classes"})
    rows = [[f"{at:%Y%m%d}{i % 60:04}", f"{at:%Y-%m-%d %H:%M}", f"{later(r, at, 90):%Y-%m-%d %H:%M}", r.randrange(9), r.choice(["yes", "no"])] for i, at in enumerate(times(r, N))]
    save("dated_ids.csv", text(["order_id", "ordered_at", "delivered_at", "items", "late"], rows),
         binary("ordered_at", "delivered_at", "late", {"order_id": "left out", "items": "number"}))


def few(r):
    rows = [[f"2024-03-{d:02} 08:00", f"2024-03-{d + 1:02} 0{d}:30", d % 3, "price" if d % 3 == 1 else "", "yes" if d % 3 == 1 else "no"] for d in range(1, 9)]
    save("few_reasons.csv", text(["signup_date", "renewal_date", "seats", "churn_reason", "churned"], rows),
         binary("signup_date", "renewal_date", "churned", {"seats": "number", "churn_reason": "left out"}))
    rows = [[f"2024-03-{d:02} 08:00", f"2024-03-{d + 1:02} 0{d}:30", d % 5, 1 + (d % 3 == 1)] for d in range(1, 9)]
    save("few_or_two.csv", text(["ordered_at", "delivered_at", "km", "credit_risk"], rows), binary("ordered_at", "delivered_at", "credit_risk", {"km": "number"}))
    rows = [[f"2024-03-{d:02} 08:00", f"2024-03-{d:02} 08:00", d % 5, "yes" if d % 3 else "no"] for d in range(1, 9)]
    save("few_at_once.csv", text(["Created at", "Paid at", "km", "returned"], rows), {**binary("Created at", None, "returned", {"km": "number"}), "questions": ["feedback"]})


def footers(r):
    rows = [[f"{at:%Y-%m-%d %H:%M}", f"{later(r, at, 50):%Y-%m-%d %H:%M}", r.randrange(90), r.choice(["yes", "no"])] for at in times(r, N)]
    body = text(["created_at", "closed_at", "amount", "won"], rows)
    expect = binary("created_at", "closed_at", "won", {"amount": "number"})
    save("total.csv", body + f"Total,,{sum(row[2] for row in rows)},\n\n\n", {**expect, "told": ["line 38"]})
    save("exported.csv", body + "\nExported by the warehouse on 8 May 2024\n", {**expect, "told": ["Exported by"]})


if __name__ == "__main__":
    for i, make in enumerate((dates, never, leaks, labels, cells, footers, reasons, few)):
        make(random.Random(20261117 + i))
