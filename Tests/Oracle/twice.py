#!/usr/bin/env python3
"""twice.py BTSCRIBE CAPTURE…: checks that no object in the NDJSON rows of a capture has a key twice. Prints each layer with such a key, and its first
row; status 1 if there is one. Captures that cannot be read have no rows."""
import concurrent.futures
import json
import os
import subprocess
import sys


def twice(capture):
    """The first row of each layer and key, and the number of rows."""
    found, keys, rows = {}, [], 0

    def pairs(members):
        whole = dict(members)
        if len(whole) < len(members):
            names = [name for name, _ in members]
            keys.extend({name for name in names if names.count(name) > 1})
        return whole

    run = subprocess.Popen([sys.argv[1], "timeline", "-V", "-q", "--format", "ndjson", capture], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    for line in run.stdout:
        row = json.loads(line, object_pairs_hook=pairs)
        rows += 1
        for key in keys:
            found.setdefault((row.get("layer", row["kind"]), key), row.get("frame"))
        keys.clear()
    return found, rows


with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    results = list(pool.map(twice, sys.argv[2:]))
for capture, (found, _) in zip(sys.argv[2:], results):
    for (layer, key), frame in found.items():
        print(f"{os.path.basename(capture)} packet {frame}, {layer}: {key} twice")
print(f"{sum(rows for _, rows in results)} rows of {len(results)} captures")
sys.exit(1 if any(found for found, _ in results) or not any(rows for _, rows in results) else 0)
