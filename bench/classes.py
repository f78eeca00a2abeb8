#!/usr/bin/env python3
"""Tarry's `auto` over three classes or more: with products and bends, with products, and with features alone.

    classes.py [--only NAME] [--data DIR]

Log loss of the first fifth, the last half and the whole, and the ratios of the first two to features alone. Limits were chosen on the
streams marked *. Runs are kept in build/classes/kept.
"""
import argparse
import pathlib

from class_streams import CHOSEN_ON, class_streams
from tarry_parts import PARTS, run_tarry

WAYS = {"features alone": {"products": False, "bends": False}, "products": {"products": True, "bends": False},
        "products and bends": {"products": True, "bends": True}, "nothing said": {}}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    parser.add_argument("--only", default="", help="streams whose name contains this, or one of several parted by |")
    options = parser.parse_args()
    folder = pathlib.Path("build/classes").absolute()
    folder.mkdir(parents=True, exist_ok=True)
    for stream in class_streams(options.data.absolute(), folder):
        if not any(part in stream["name"] for part in options.only.split("|")):
            continue
        mark = "*" if stream["name"] in CHOSEN_ON else ""
        print(f"{stream['name']}{mark}: {stream['rows']} rows, {stream['features']} features, {stream['classes']} classes ({', '.join(PARTS)})")
        alone = None
        for way, keys in WAYS.items():
            parts = run_tarry(stream["spec"], folder, **keys)
            alone = alone or parts
            ratios = " ".join(f"{part / one:6.3f}" for part, one in zip(parts, alone))
            print(f"    {way:<20} " + " ".join(f"{part:7.4f}" for part in parts) + f"   {ratios}", flush=True)


if __name__ == "__main__":
    main()
