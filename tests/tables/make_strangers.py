"""Writes exports that were misread when they were first tried: words for missing values, remarks below, limits of measurement, names that suit both times."""
import datetime as dt
import random

from make_tables import binary, chance, later, save, text, times


def klinik(r):
    """A German ward: k.A. for missing, decimal commas, codes with a point that are no numbers."""
    rows = []
    for i, at in enumerate(times(r, n=80)):
        rows.append([f"{700100 + i}", f"{at:%d.%m.%Y %H:%M}", f"{later(r, at, 90):%d.%m.%Y %H:%M}", r.randrange(19, 95), r.choice(["I21.4", "J18.9", "S72.0", "E11.9"]),
                     "k.A." if r.random() < 0.1 else f"{r.gauss(37.6, 0.8):.1f}".replace(".", ","), r.choice(["Notfall", "geplant"]), "ja" if chance(r, -1) else "nein"])
    save("klinik.csv", text(["Fall-Nr.", "Aufnahme", "Entlassung", "Alter", "Diagnose", "Temperatur", "Einweisung", "Wiederaufnahme"], rows, ";"),
         binary("Aufnahme", "Entlassung", "Wiederaufnahme", {"Fall-Nr.": "left out", "Alter": "number", "Diagnose": "words", "Temperatur": "number", "Einweisung": "words"}))


def preamble(r):
    """A report: a title and a date above, a total and a footnote below."""
    rows = []
    for i, at in enumerate(times(r, n=60, gap=8)):
        rows.append([f"{at:%d %B %Y}", r.choice(["North", "South"]), f"{r.randrange(10, 900)}.{r.randrange(10)}0", f"{later(r, at, 300):%d %B %Y}", r.choice(["Approved", "Rejected"])])
    body = text(["Submitted", "Region", "Amount", "Decided", "Decision"], rows)
    total = sum(float(row[2]) for row in rows)
    save("preamble.csv", "Claims report,,,,\nGenerated 2024-04-01 06:00,,,,\n,,,,\n" + body + f"Total,,{total:.2f},,\n* preliminary figures,,,,\n",
         binary("Submitted", "Decided", "Decision", {"Region": "words", "Amount": "number"}, feedback_is_days_end=True))


def claims(r):
    """Seconds since 1970 as floats, accountants' brackets, four spellings of nothing; open claims have no decision yet."""
    rows = []
    for i, at in enumerate(times(r, n=90, gap=6)):
        seen, done = at.replace(tzinfo=dt.timezone.utc).timestamp(), later(r, at, 300).replace(tzinfo=dt.timezone.utc).timestamp()
        is_open = i > 80 and r.random() < 0.7
        amount = r.randrange(-200000, 900000) / 100
        rows.append([f"C{i:05}", f"{seen:.1f}", f"({-amount:,.2f})" if amount < 0 else f"{amount:,.2f}", r.choice(["NULL", "#N/A", "-", "", "12", "4", "31", "7", "22", "9"]),
                     r.choice(["auto", "home"]), "NULL" if is_open else f"{done:.1f}", "" if is_open else r.choice(["T", "F", "F"])])
    save("claims.csv", text(["claim_no", "reported_ts", "adjustment", "months_insured", "line", "decision_ts", "fraud"], rows),
         binary("reported_ts", "decision_ts", "fraud", {"claim_no": "left out", "adjustment": "number", "months_insured": "number", "line": "words"}))


def labs(r):
    """Results beyond what the device measures."""
    rows = []
    for at in times(r, n=80):
        value = r.choice(["<0.5", ">100"]) if r.random() < 0.12 else f"{r.uniform(1, 90):.1f}"
        rows.append([f"{at:%Y-%m-%d %H:%M}", value, r.randrange(20, 90), r.choice(["<18", "18 to 65", ">65"]), f"{later(r, at, 40):%Y-%m-%d %H:%M}", r.choice(["positive", "negative"])])
    save("labs.csv", text(["collected_at", "crp", "beds", "age_band", "reported_at", "culture"], rows),
         binary("collected_at", "reported_at", "culture", {"crp": "number", "beds": "number", "age_band": "words"}, told=["counts as its limit"]))


def zakazy(r):
    """Russia: a unit that is an abbreviation."""
    rows = [[f"{at:%d.%m.%Y %H:%M}", r.choice(["Москва", "Казань"]), f"{r.randrange(100, 9000)} руб.", f"{later(r, at, 50):%d.%m.%Y %H:%M}", r.choice(["да", "нет"])]
            for at in times(r, n=60)]
    save("zakazy.csv", text(["Дата заказа", "Город", "Сумма", "Дата доставки", "Возврат"], rows, ";"),
         binary("Дата заказа", "Дата доставки", "Возврат", {"Город": "words", "Сумма": "number"}, units={"Сумма": "руб."}, first={"Сумма": float(rows[0][2].split()[0])}))


if __name__ == "__main__":
    for i, make in enumerate((klinik, preamble, claims, labs, zakazy)):
        make(random.Random(20261117 + i))
