#!/usr/bin/env python3
"""guard.py BTSCRIBE: what a packet costs in instructions, and whether that is still within bounds.

Instructions hardly depend on what else a machine does. They are counted by perf, or where that may not count by valgrind; each job runs over two
logs of different length, so that the difference is the cost of packets alone, without that of starting. Status 1 when a bound does not hold.
Takes half a minute with perf, a minute with valgrind, which is too slow for the outputs that cost most and for those without profiles, and says so;
needs python3 and one of the two.
--work DIR: for the generated logs."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
parser = argparse.ArgumentParser(usage=__doc__)
parser.add_argument("btscribe")
parser.add_argument("--work", default=os.path.join(tempfile.gettempdir(), "btscribe-guard"))
given = parser.parse_args()
work = pathlib.Path(given.work)
work.mkdir(parents=True, exist_ok=True)
program = os.path.abspath(given.btscribe)

# Instructions per packet of the phone's log, a fifth above the measured value; for starting, those of a run over a small capture.
BOUNDS = {
    "timeline": (["timeline"], 5700),
    "timeline --no-profiles": (["timeline", "--no-profiles"], 2850),
    "timeline --format ndjson": (["timeline", "--format", "ndjson"], 7850),
    "timeline --format ndjson --no-profiles": (["timeline", "--format", "ndjson", "--no-profiles"], 3900),
    "summary": (["summary"], 3900),
    "summary --no-profiles": (["summary", "--no-profiles"], 2400),
}
# More expensive outputs, written to a file.
LONG = {
    "timeline --format csv": ("timeline --format csv LOG -o OUT.csv", 9_000),
    "report, HTML": ("report LOG -o OUT.html", 25_300),
    "report, Markdown": ("report LOG -o OUT.md", 16_100),
    "convert, SQLite": ("convert LOG -o OUT.sqlite", 61_400),
    "convert, annotated pcapng": ("convert --annotate LOG -o OUT.pcapng", 19_000),
    "redact": ("redact LOG OUT.btsnoop", 41_000),
    # The sum for both captures.
    "diff": ("diff LOG LOG -o OUT.json", 49_500),
}
START = 375_000_000


def by_perf(command):
    run = subprocess.run(["perf", "stat", "-x,", "-e", "instructions:u", *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    found = re.search(r"^(\d+),,instructions", run.stderr, re.MULTILINE)
    return int(found[1]) if found else None


def by_valgrind(command):
    run = subprocess.run(
        ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", *command], stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True)
    found = re.search(r"I +refs: +([\d,]+)", run.stderr)
    return int(found[1].replace(",", "")) if found else None


def counter():
    for tool, count in ("perf", by_perf), ("valgrind", by_valgrind):
        if shutil.which(tool) and count(["/bin/true"]):
            return tool, count
    sys.exit("guard.py: needs perf that may count instructions, or valgrind")


def log(packets):
    path = work / f"phone-{packets}.btsnoop"
    if not path.exists():
        subprocess.run([sys.executable, here / "phone_log.py", str(packets), path], check=True)
    return str(path)


tool, count = counter()
if tool == "valgrind":
    # Valgrind cannot read Swift's debug information.
    stripped = str(work / "btscribe")
    subprocess.run(["strip", "--strip-debug", "-o", stripped, program], check=True)
    program = stripped
few, many = (30_000, 90_000) if tool == "perf" else (21_000, 31_000)
logs = log(few), log(many)
# A summary analyses a bounded number of values of unknown streams, whatever the log's length. That cost varies a little from run
# to run: it is small beside that of many packets.
long_logs = log(few), log(7 * few)
print(f"instructions, counted by {tool}")
holds = True
for name, (words, bound) in BOUNDS.items():
    if tool == "valgrind" and "--no-profiles" in words:
        print(f"        {name:40} is not counted: what it does is a part of the job above")
        continue
    least, most = long_logs if words[0] == "summary" else logs
    packets = 6 * few if words[0] == "summary" else many - few
    cost = (count([program, *words, most]) - count([program, *words, least])) / packets
    holds = holds and cost <= bound
    print(f"{'ok    ' if cost <= bound else 'MISSED'}  {name:40} {cost:9.0f} a packet, at most {bound}")
for name, (words, bound) in LONG.items():
    if tool != "perf":
        print(f"        {name:40} is not counted: valgrind takes too long for it")
        continue
    few_cost, many_cost = (count([program, *words.replace("LOG", log).replace("OUT", str(work / "out")).split()]) for log in logs)
    cost = (many_cost - few_cost) / (many - few)
    holds = holds and cost <= bound
    print(f"{'ok    ' if cost <= bound else 'MISSED'}  {name:40} {cost:9.0f} a packet, at most {bound}")
start = count([program, "timeline", str(here.parent.parent / "Samples/gopro.btsnoop")])
holds = holds and start <= START
print(f"{'ok    ' if start <= START else 'MISSED'}  {'from the start to the end of a small capture':40} {start / 1e6:9.0f} million, at most {START / 1e6:.0f}")
sys.exit(0 if holds else 1)
