#!/usr/bin/env python3
"""filters.py BTSCRIBE [SHARED-CAPTURES]: every filter of filters.txt through `tshark -Y` and `btscribe timeline -Y`; the frames that pass
must be the same. With - for BTSCRIBE only tshark's side is printed, to see that a filter says something. Frames that
Tests/known-differences.md lists under the field of the filter do not count."""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

from fields import explained, known

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent


def shark(path, expression=None):
    done = subprocess.run(["tshark", "-n", "-r", path, "-T", "fields", "-e", "frame.number"] + (["-Y", expression] if expression else []),
                          capture_output=True, text=True)
    if done.returncode not in (0, 2) or "tshark: \"" in done.stderr or "is not a valid" in done.stderr:
        return None, done.stderr.strip().splitlines()[-1]
    return {int(line) for line in done.stdout.split()}, ""


def scribe(program, path, expression=None):
    command = [program, "timeline", "--format", "ndjson"] + (["-Y", expression] if expression else []) + [path]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 65):
        return None, f"status {done.returncode}: {done.stderr.strip().splitlines()[-1:]}"
    rows = (json.loads(line) for line in done.stdout.splitlines())
    return {row["frame"] for row in rows if row["kind"] in ("packet", "note")}, ""


def main():
    program = sys.argv[1]
    shared = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    verdicts, asked = collections.Counter(), []
    rows = [row for row in known() if not isinstance(row[2], str)]
    for line in (here / "filters.txt").read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        name, expression = line.split("\t")
        path = root / name if name.startswith("Samples/") else shared / name if shared else None
        if path is None or not path.exists():
            verdicts["skipped"] += 1
            continue
        asked.append((name, path, expression))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = pool.map(lambda one: (shark(str(one[1]), one[2]), None if program == "-" else scribe(program, str(one[1]), one[2])), asked)
    for (name, path, expression), ((theirs, problem), mine) in zip(asked, answers):
        if theirs is None:
            print(f"{name}\t{expression}: tshark: {problem}")
            verdicts["refused by tshark"] += 1
            continue
        if program == "-":
            print(f"{len(theirs):6} of {len(shark(str(path))[0]):6}  {name}\t{expression}")
            continue
        ours, problem = mine
        if ours is None:
            print(f"{name}\t{expression}: btscribe: {problem}")
            verdicts["refused by btscribe"] += 1
            continue
        names = set(re.findall(r"[a-z_0-9]+(?:\.[a-z_0-9]+)*", expression))
        different = {frame for frame in theirs ^ ours if not any(explained(rows, path.name, name, frame) for name in names)}
        lost, surplus = sorted(theirs & different), sorted(ours & different)
        if theirs != ours and not different:
            verdicts["different as known"] += 1
        elif lost or surplus:
            print(f"{name}\t{expression}: tshark {len(theirs)}, btscribe {len(ours)}; lost {lost[:8]}, surplus {surplus[:8]}")
            verdicts["different"] += 1
        else:
            verdicts["equal"] += 1
    if program != "-":
        print("; ".join(f"{count} {what}" for what, count in verdicts.items()))
    sys.exit(1 if any(v for k, v in verdicts.items() if k not in ("equal", "different as known", "skipped")) else 0)


main()
