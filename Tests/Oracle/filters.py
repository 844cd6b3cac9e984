#!/usr/bin/env python3
"""filters.py BTSCRIBE [SHARED-CAPTURES]: runs every filter of filters.txt with `tshark -Y` and `btscribe timeline -Y`; the frames that pass
must be the same. With - for BTSCRIBE only tshark's frames are printed, to check that a filter matches something. Frames that
Tests/known-differences.md lists for the filter's field are ignored."""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from fields import explained, known

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent


# tshark evaluates all filters of a capture in one pass.
LISTEN = """
local function listen(number, filter)
  local made, tap = pcall(Listener.new, nil, filter)
  if not made then print("refused", number, (tostring(tap):gsub("%s+", " "))) return end
  function tap.packet(frame) print("passed", number, frame.number) end
end
"""


def shark(path, expressions):
    """For each filter the frames that pass it in tshark, or the reason why it was rejected."""
    passed, refused = {expression: set() for expression in expressions}, {}
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(LISTEN + "".join(f"listen({number}, {json.dumps(expression)})\n" for number, expression in enumerate(expressions)))
        script.flush()
        done = subprocess.run(["tshark", "-n", "-q", "-X", f"lua_script:{script.name}", "-r", path], capture_output=True, text=True)
    for line in done.stdout.splitlines():
        what, number, said = line.split("\t", 2)
        if what == "passed":
            passed[expressions[int(number)]].add(int(said))
        else:
            refused[expressions[int(number)]] = said
    if done.returncode not in (0, 2):
        refused = {expression: done.stderr.strip()[-300:] for expression in expressions}
    return passed, refused


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
    of_path = collections.defaultdict(lambda: ["frame"])
    for _, path, expression in asked:
        of_path[path].append(expression)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        theirs_of = dict(zip(of_path, pool.map(lambda path: shark(str(path), of_path[path]), of_path)))
        answers = pool.map(lambda one: None if program == "-" else scribe(program, str(one[1]), one[2]), asked)
    for (name, path, expression), mine in zip(asked, answers):
        passed, refused = theirs_of[path]
        theirs = passed[expression]
        if expression in refused or not passed["frame"]:
            print(f"{name}\t{expression}: tshark: {refused.get(expression, 'nothing read')}")
            verdicts["refused by tshark"] += 1
            continue
        if program == "-":
            print(f"{len(theirs):6} of {len(passed['frame']):6}  {name}\t{expression}")
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
