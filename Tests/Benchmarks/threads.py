#!/usr/bin/env python3
"""threads.py BTSCRIBE [FORMAT...]: how the work of a timeline is spread over threads.

Instructions per packet and thread, counted by callgrind over two logs of different length, so that the start is not among them. Which of the threads
that write rows gets how many batches is chance under valgrind, which runs one thread at a time: their sum is told as if it were shared equally.
FORMAT is ndjson or csv; without it, both. Needs python3 and valgrind; takes about a minute a format."""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
parser = argparse.ArgumentParser(usage=__doc__)
parser.add_argument("btscribe")
parser.add_argument("formats", nargs="*")
given = parser.parse_args()
few, many = 30_000, 90_000

with tempfile.TemporaryDirectory() as folder:
    work = pathlib.Path(folder)
    # Valgrind cannot read Swift's debug information.
    program = work / "btscribe"
    subprocess.run(["strip", "--strip-debug", "-o", program, given.btscribe], check=True)
    for packets in few, many:
        subprocess.run([sys.executable, here / "phone_log.py", str(packets), work / str(packets)], check=True)

    def counts(packets, threads, form):
        for old in work.glob("counted-*"):
            old.unlink()
        subprocess.run(
            ["valgrind", "--tool=callgrind", "--separate-threads=yes", f"--callgrind-out-file={work}/counted", program, "timeline", "--format", form,
             work / str(packets), "-o", work / "out"], env=dict(os.environ, BTSCRIBE_THREADS=str(threads)), stderr=subprocess.DEVNULL, check=True)
        return [int(re.search(r"^totals: (\d+)", file.read_text(), re.MULTILINE)[1]) for file in sorted(work.glob("counted-*"))]

    print(f"{'':8}{'threads':>8}{'sum':>8}{'reads':>8}{'decodes':>9}{'each that writes':>18}")
    for form in given.formats or ["ndjson", "csv"]:
        for threads in 1, 4, 8:
            less, more = (counts(packets, threads, form) for packets in (few, many))
            costs = [(b - a) / (many - few) for a, b in zip(less, more)]
            total = sum(costs)
            writers = costs[2:]
            shares = [100 * part / total for part in (costs[0], costs[1], sum(writers) / max(1, len(writers)))]
            print(f"{form:8}{threads:8}{total:8.0f}{shares[0]:7.0f}%{shares[1]:8.0f}%" + (f"{shares[2]:17.0f}%" if writers else f"{'':>18}"))
