"""Writes twelve tables of the kinds people export: CRM, payments, tickets, bookings, clicks, samples, sensors, loans, staff, parcels, an A/B log, games."""
import datetime as dt
import random

from make_tables import binary, chance, later, save, text, times


def crm(r):
    rows = []
    for i, at in enumerate(times(r, gap=20)):
        amount, won = r.randrange(1, 90) * 500, chance(r, -0.3)
        rows.append([f"0065g{r.randrange(10**9):09}AAA", f"Deal {i}", r.choice(["EMEA", "APAC", "Americas"]), f"USD {amount:,}.00",
                     r.choice(["Web", "Referral", "Trade Show", "Partner"]), r.randrange(10, 5000), f"{at.month}/{at.day}/{at.year}",
                     f"{(c := later(r, at, 900)).month}/{c.day}/{c.year}", "Closed Won" if won else "Closed Lost",
                     "" if won else r.choice(["Price", "Competitor", "No budget"])])
    save("crm.csv", text(["Opportunity ID", "Opportunity Name", "Region", "Amount", "Lead Source", "Employees", "Created Date", "Close Date", "Stage",
                          "Loss Reason"], rows),
         binary("Created Date", "Close Date", "Stage", {"Region": "words", "Amount": "number", "Lead Source": "words", "Employees": "number",
                                                        "Opportunity ID": "left out", "Loss Reason": "left out"},
                feedback_is_days_end=True, first={"Amount": float(rows[0][3][4:].replace(",", ""))}, told=['"Closed Won"']))


def payments(r):
    rows = []
    for at in times(r, n=90, gap=3):
        disputed = chance(r, -1.2)
        done = later(r, at, 400)
        rows.append([f"ch_{r.getrandbits(64):016x}", f"{at:%Y-%m-%d %H:%M:%S} UTC", f"{r.randrange(300, 90000)}", "usd", r.choice(["visa", "mastercard", "amex"]),
                     r.choice(["US", "GB", "DE", "BR"]), r.randrange(0, 99), f"{done:%Y-%m-%d %H:%M:%S} UTC", "true" if disputed else "false",
                     f"{r.randrange(300, 9000) / 100:.2f}" if disputed else "0.00"])
    save("charges.csv", text(["id", "Created (UTC)", "Amount", "Currency", "Card Brand", "Card Issue Country", "Risk Score", "Settled (UTC)", "Disputed",
                              "Dispute Amount"], rows),
         binary("Created (UTC)", "Settled (UTC)", "Disputed", {"id": "left out", "Amount": "number", "Card Brand": "words",
                                                               "Risk Score": "number", "Dispute Amount": "left out"}))


def helpdesk(r):
    words = "refund login order missing late parcel charge twice account locked cannot change address cancel plan".split()
    rows = []
    for i, at in enumerate(times(r, n=80)):
        solved = later(r, at, 30)
        rows.append([48211 + i, f"{at:%Y-%m-%dT%H:%M:%SZ}", " ".join(r.choices(words, k=r.randrange(4, 9))), r.choice(["email", "chat", "phone"]),
                     r.choice(["low", "normal", "high", "urgent"]), r.choice(["vip|eu", "eu", "new|us", "us", "vip|us", "new"]),
                     f"{solved:%Y-%m-%dT%H:%M:%SZ}", f"{int((solved - at).total_seconds() // 3600)}h {int((solved - at).total_seconds() // 60 % 60)}m",
                     r.choice(["Good", "Good", "Bad"])])
    save("helpdesk.csv", text(["Ticket #", "Created at", "Subject", "Channel", "Priority", "Tags", "Solved at", "Resolution time", "Satisfaction"], rows),
         binary("Created at", "Solved at", "Satisfaction", {"Ticket #": "left out", "Subject": "text", "Channel": "words", "Priority": "words", "Tags": "set",
                                                            "Resolution time": "left out"}, told=['"Good"']))


def hotel(r):
    rows = []
    for i, at in enumerate(times(r, n=80, gap=10)):
        arrive = at.date() + dt.timedelta(days=r.randrange(1, 120))
        rows.append([f"BK-{20300 + i}", f"{at:%d %b %Y}", f"{arrive:%d %b %Y}", r.randrange(1, 9), r.randrange(1, 5), f"£{r.randrange(60, 320)}.00",
                     r.choice(["Booking.com", "Direct", "Expedia", "Agent"]), r.choice(["No deposit", "Non refundable", "Refundable"]),
                     r.choice(["Check-Out", "Check-Out", "Canceled"])])
    save("bookings.csv", text(["Booking Ref", "Booked On", "Arrival", "Nights", "Guests", "Rate", "Source", "Deposit Type", "Reservation Status"], rows),
         binary("Booked On", "Arrival", "Reservation Status", {"Booking Ref": "left out", "Nights": "number", "Guests": "number", "Rate": "number",
                                                               "Source": "words", "Deposit Type": "words"}, units={"Rate": "£"}, feedback_is_days_end=True))


def clicks(r):
    rows = []
    for at in times(r, n=120, gap=0.2):
        buys = chance(r, -0.8)
        rows.append([f"{at.timestamp():.3f}", r.getrandbits(62), r.choice(["728x90", "300x250", "160x600"]), r.choice(["ios", "android", "windows", "macos"]),
                     f"{r.uniform(0.1, 4):.4f}", r.choice(["news", "sports", "weather"]), int(buys), f"{later(r, at, 12).timestamp():.3f}" if buys else ""])
    save("ad_clicks.csv", text(["click_ts", "click_id", "creative_size", "os", "bid_usd", "placement", "converted", "conversion_ts"], rows),
         binary("click_ts", "conversion_ts", "converted", {"click_id": "left out", "creative_size": "words", "os": "words", "bid_usd": "number",
                                                          "placement": "words"}) | {"questions": ["expiry"]})


def samples(r):
    rows = []
    for i, at in enumerate(times(r, n=70)):
        rows.append([f"S24-{i + 118:05}", f"{at:%d.%m.%Y %H:%M}", r.choice(["Blood", "Urine", "Serum"]), f"{r.uniform(3.5, 5.5):.1f} mmol/L".replace(".", ","),
                     r.choice(["<0,5", "0,7", "1,2", "2,9"]), r.randrange(19, 91), r.choice("mf"), f"{later(r, at, 40):%d.%m.%Y %H:%M}",
                     r.choice(["positiv", "negativ", "negativ"])])
    save("lab_samples.csv", text(["Probe", "Entnahme", "Material", "Kalium", "CRP", "Alter", "Geschlecht", "Befund am", "Ergebnis"], rows, ";"),
         binary("Entnahme", "Befund am", "Ergebnis", {"Probe": "left out", "Material": "words", "Kalium": "number", "Alter": "number", "Geschlecht": "words"},
                units={"Kalium": "mmol/L"}, told=['"positiv"']), encoding="utf-8-sig")


def sensors(r):
    rows = []
    for at in times(r, n=90, gap=2):
        temp = r.gauss(64, 8)
        rows.append([f"{at:%Y%m%dT%H%M%SZ}", r.choice(["PX-01", "PX-02", "PX-03"]), f"{temp:.1f} °C", f"{r.uniform(2, 6):.2f} bar", f"{r.uniform(0, 9):.3f}",
                     "NaN" if chance(r, -3) else r.randrange(900, 1500), f"{later(r, at, 70):%Y%m%dT%H%M%SZ}", "FAIL" if chance(r, (temp - 70) / 5) else "OK"])
    save("sensor_checks.csv", text(["reading_time", "unit", "temp", "pressure", "vibration_rms", "rpm", "inspected_time", "inspection_result"], rows),
         binary("reading_time", "inspected_time", "inspection_result", {"unit": "words", "temp": "number", "pressure": "number", "vibration_rms": "number",
                                                                        "rpm": "number"}, units={"temp": "°C", "pressure": "bar"}))


def loans(r):
    rows = []
    for i, at in enumerate(times(r, n=80, gap=14)):
        rows.append([10077430 + i * r.randrange(1, 3) * 7, f"{at:%b-%d-%Y}", f"{r.randrange(20, 350) * 100:,}", r.choice(["36 months", "60 months"]),
                     f"{r.uniform(6, 24):.2f}%", r.choice("ABCDE"), r.choice(["RENT", "OWN", "MORTGAGE"]), f"{r.randrange(30, 150) * 1000:,}",
                     f"{r.uniform(2, 35):.2f}", f"{later(r, at, 24 * 300):%b-%d-%Y}", r.choice(["Fully Paid", "Fully Paid", "Charged Off"])])
    body = text(["member_id", "issue_d", "loan_amnt", "term", "int_rate", "grade", "home_ownership", "annual_inc", "dti", "closed_d", "loan_status"], rows)
    total = sum(int(row[2].replace(",", "")) for row in rows)
    save("loan_book.csv", body + f'Total,,"{total:,}",,,,,,,,\n\n',
         binary("issue_d", "closed_d", "loan_status", {"loan_amnt": "number", "term": "number", "int_rate": "number", "grade": "words",
                                                       "home_ownership": "words", "annual_inc": "number", "dti": "number"},
                units={"int_rate": "%"}, feedback_is_days_end=True, told=["Total"]))


def staff(r):
    rows = []
    for i, at in enumerate(times(r, n=70, gap=100)):
        left = chance(r, 0)
        rows.append([1001 + i, f"{at:%m/%d/%Y}", r.choice(["Sales", "R&D", "HR", "IT"]), r.choice(["Manager", "Analyst", "Director"]), f"${r.randrange(38, 140) * 1000:,}",
                     r.randrange(1, 6), r.choice(["Y", "N"]), f"{later(r, at, 24 * 200):%m/%d/%Y}" if left else "12/31/9999", "Yes" if left else "No",
                     r.choice(["Better offer", "Moved", "Retired"]) if left else "N/A"])
    save("attrition.csv", text(["EmployeeNumber", "HireDate", "Department", "JobRole", "Salary", "JobSatisfaction", "OverTime", "TerminationDate",
                                "Attrition", "TermReason"], rows),
         binary("HireDate", "TerminationDate", "Attrition", {"EmployeeNumber": "left out", "Department": "words", "Salary": "number", "JobSatisfaction": "number",
                                                             "OverTime": "words", "TermReason": "left out"}, units={"Salary": "$"}, feedback_is_days_end=True)
         | {"questions": ["expiry"]})


def tracking(r):
    rows = []
    for at in times(r, n=80, gap=4):
        done = later(r, at, 60)
        rows.append([f"1Z{r.randrange(10**10):010}", f"{at:%Y-%m-%d %H:%M:%S+01:00}", r.choice(["Hamburg", "Lyon", "Turin", "Graz"]),
                     r.choice(["Express", "Standard"]), f"{r.uniform(0.2, 30):.1f} kg", r.randrange(1, 1500), f"{done:%Y-%m-%d %H:%M:%S+01:00}",
                     round((done - at).total_seconds() / 3600, 2), r.choice(["On time", "On time", "Late"])])
    save("tracking.csv", text(["tracking_number", "shipped_at", "origin", "service", "weight", "distance", "delivered_at", "transit_hours", "delivery_status"], rows),
         binary("shipped_at", "delivered_at", "delivery_status", {"tracking_number": "left out", "origin": "words", "service": "words", "weight": "number",
                                                                  "distance": "number", "transit_hours": "left out"}, units={"weight": "kg"}))


def ab_log(r):
    rows = []
    for at in times(r, n=100, gap=1):
        shown = at + dt.timedelta(seconds=r.randrange(59), milliseconds=r.randrange(999))
        rows.append([f"{shown.isoformat(timespec='milliseconds')}Z", f"{r.getrandbits(48):012x}", r.choice(["control", "variant_b"]), r.choice(["mobile", "desktop"]),
                     r.choice(["/home", "/pricing", "/blog"]), r.randrange(0, 40), f"{later(r, shown, 3).isoformat()}Z", r.choice([0, 0, 1])])
    save("ab_log.tsv", text(["exposed_at", "visitor", "variant", "device", "page", "prior_visits", "outcome_at", "converted"], rows, "\t"),
         binary("exposed_at", "outcome_at", "converted", {"visitor": "left out", "variant": "words", "device": "words", "page": "words", "prior_visits": "number"}))


def games(r):
    rows = []
    for at in times(r, n=90, gap=2):
        rows.append([f"player{r.randrange(40)}", f"{at:%a %b %d %Y %H:%M:%S} GMT+0000 (Coordinated Universal Time)", f"00:{r.randrange(60):02}:{r.randrange(60):02}",
                     r.randrange(1, 60), r.choice(["easy", "normal", "hard"]), r.choice(["TRUE", "FALSE"]),
                     f"{later(r, at, 24):%a %b %d %Y %H:%M:%S} GMT+0000 (Coordinated Universal Time)", f"{max(0.0, r.gauss(4, 3)):.2f}"])
    save("game_sessions.csv", text(["player", "session_start", "playtime", "level", "difficulty", "tutorial_done", "spend_checked_at", "spend_next_day"], rows),
         {**binary("session_start", "spend_checked_at", "spend_next_day", {"player": "words", "playtime": "number", "level": "number", "difficulty": "words",
                                                                         "tutorial_done": "words"}), "task": "number"})


if __name__ == "__main__":
    for i, make in enumerate((crm, payments, helpdesk, hotel, clicks, samples, sensors, loans, staff, tracking, ab_log, games)):
        make(random.Random(20261116 + i))
