#!/usr/bin/env python3
"""Writes the made-up deliveries of late_labels.csv:

    python3 examples/late_labels.py > examples/late_labels.csv

A parcel is promised for a day; whether it came late is known when it comes. It depends on the distance, the weight, the
courier, the district and the weather, and drifts with the season. One in fifty is never heard of again.
"""

import math
import random
from datetime import datetime, timedelta

ROWS = 800
COURIERS = {"Adler": -0.7, "Biene": 0.1, "Condor": 0.9, "Dachs": 0.2}
DISTRICTS = {"centre": 0.5, "harbour": 0.9, "hills": 0.3, "north": -0.6, "south": -0.4}
WEATHER = {"dry": -0.3, "rain": 0.4, "snow": 1.5}


def main():
    draw = random.Random(5)
    asked = datetime(2024, 1, 8, 7, 0)
    print("order_id,created_at,delivered_at,distance_km,weight_kg,courier,district,weather,late")
    for row in range(ROWS):
        asked += timedelta(minutes=round(draw.expovariate(1 / 120)))
        distance, weight = draw.lognormvariate(2, 0.6), draw.lognormvariate(0.5, 0.8)
        courier, district = draw.choice(list(COURIERS)), draw.choice(list(DISTRICTS))
        winter = math.cos(2 * math.pi * asked.timetuple().tm_yday / 366)
        weather = draw.choices(list(WEATHER), [6, 3, max(0.1, winter)])[0]
        score = (-1.2 + 0.9 * math.log(distance / 7) + 0.5 * math.log(weight / 1.6) + COURIERS[courier] +
                 DISTRICTS[district] + WEATHER[weather])
        late = draw.random() < 1 / (1 + math.exp(-1.5 * score))
        hours = draw.lognormvariate(2.5, 0.6) + (30 if late else 0)
        known = (asked + timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M")
        lost, unweighed = draw.random() < 0.02, draw.random() < 0.03
        print(f"{100000 + row:x}", asked.strftime("%Y-%m-%dT%H:%M"), "" if lost else known, f"{distance:.1f}",
              "" if unweighed else f"{weight:.1f}", courier, district, weather,
              "" if lost else "yes" if late else "no", sep=",")


if __name__ == "__main__":
    main()
