#!/usr/bin/env python3
"""speed.py BTSCRIBE: how fast, how big, how soon, beside tshark, btmon and the floor; what must hold is a ratio.

  --packets N   of the generated log (1000000)      --long N    of the one whose memory is compared (4 times as many)
  --rounds R    of btscribe's jobs (5)              --peers R   of tshark's and btmon's (1; 0: without them)
  --only WORDS  thresholds whose name has a word    --work DIR  for the generated logs

In every round each job runs once, in turn, so that a change of the machine's speed hits all alike; medians are printed.
Status 1 when a threshold does not hold. Needs python3 and cc; tshark and bluez for the comparison."""
import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

here = pathlib.Path(__file__).resolve().parent
parser = argparse.ArgumentParser(usage=__doc__)
parser.add_argument("btscribe")
parser.add_argument("--packets", type=int, default=1_000_000)
parser.add_argument("--long", type=int, default=0)
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--peers", type=int, default=1)
parser.add_argument("--only", nargs="*", default=[])
parser.add_argument("--work", default=os.path.join(tempfile.gettempdir(), "btscribe-speed"))
given = parser.parse_args()
program = os.path.abspath(given.btscribe)
work = pathlib.Path(given.work)
work.mkdir(parents=True, exist_ok=True)


def log(packets, *options):
    path = work / f"phone-{packets}{''.join(options)}.btsnoop"
    if not path.exists():
        part = path.with_suffix(".part")
        subprocess.run([sys.executable, here / "phone_log.py", str(packets), part, *options], check=True)
        part.rename(path)
    return str(path)


def once(command, stdin=None):
    """Elapsed seconds, processor seconds, peak megabytes and the status of one run, whose standard output is discarded."""
    started = time.perf_counter()
    with open(stdin or os.devnull, "rb") as source:
        process = subprocess.Popen(command, stdin=source, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return time.perf_counter() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, process.returncode


capture, bare, other = log(given.packets), log(given.packets, "--no-discovery"), log(given.packets, "--seed=7")
longer = log(given.long or given.packets * 4)
small = str(here.parent.parent / "Samples/gopro.btsnoop")
floor = work / "floor"
subprocess.run(["cc", "-O3", "-o", floor, here / "floor.c"], check=True)
fields = ["-Y", "btatt", "-T", "fields", "-e", "frame.number", "-e", "btatt.opcode", "-e", "btatt.handle", "-e", "btatt.value"]
# Other outputs: their words before and behind the capture, and their most processor time as a multiple of that of NDJSON.
outputs = {
    "csv": (["timeline", "--format", "csv"], [], 1.2),
    "markdown": (["report", "--format", "markdown", "-o", os.devnull], [], 2),
    "html": (["report", "--format", "html", "-o", os.devnull], [], 2.5),
    "annotated pcapng": (["convert", "-q", "--annotate", "--to", "pcapng"], [str(work / "annotated.pcapng")], 2.5),
    "redact": (["redact", "-q"], [str(work / "redacted.btsnoop")], 2.5),
    "sqlite": (["convert", "-q", "--to", "sqlite"], [str(work / "rows.sqlite")], 5),
}
jobs = {
    "floor": [floor, capture],
    "timeline": [program, "timeline", capture],
    "ndjson": [program, "timeline", "--format", "ndjson", capture],
    "summary": [program, "summary", capture],
    "diff, the same": [program, "diff", capture, capture],
    "diff, another": [program, "diff", capture, other],
    **{name: [program, *words, capture, *target] for name, (words, target, _) in outputs.items()},
}
peers = {
    "tshark": ["tshark", "-n", "-r", capture],
    "tshark fields": ["tshark", "-n", "-r", capture, *fields],
    "btmon -r": ["btmon", "-r", bare],
    "btmon -a": ["btmon", "-a", capture],
}
measured = {name: [] for name in [*jobs, *peers]}
for command in jobs.values():
    once(command)
for number in range(max(given.rounds, given.peers)):
    for name, command in {**jobs, **peers}.items():
        if number < (given.peers if name in peers else given.rounds) and shutil.which(command[0]):
            measured[name].append(once(command))
wall = {name: statistics.median(run[0] for run in runs) for name, runs in measured.items() if runs}
spent = {name: statistics.median(run[1] for run in runs) for name, runs in measured.items() if runs}
size = os.path.getsize(capture)
print(f"{given.packets} packets, {size / 1e6:.0f} MB; medians of {given.rounds} rounds, of {given.peers} for the others")
print(f"{'':16} {'wall s':>8} {'cpu s':>8} {'peak MB':>8} {'Mpackets/s':>11} {'status':>7}")
for name, runs in measured.items():
    if runs:
        print(f"{name:16} {wall[name]:8.3f} {spent[name]:8.3f} {max(r[2] for r in runs):8.1f} "
              f"{given.packets / wall[name] / 1e6:11.2f} {runs[-1][3]:7}")
memory = {name: once(jobs[name][:-1] + [longer])[2] for name in ("timeline", "ndjson", "summary")}
piped = {name: once([program, name, "-"], stdin=longer)[2] for name in ("timeline", "summary")}
crowd = {name: once([program, name, log(given.packets, "--crowd")])[2] for name in ("timeline", "summary")}
start = statistics.median(once([program, "timeline", "-c", "1", small])[0] for _ in range(21)) * 1000
with tempfile.TemporaryDirectory() as folder:
    stripped = os.path.join(folder, "btscribe")
    subprocess.run(["strip", "-o", stripped, program], check=True)
    megabytes = os.path.getsize(stripped) / 1e6


def peak(name):
    return max(run[2] for run in measured[name])


verdicts = []


def threshold(name, value, limit, least):
    """Prints one line; `least` is true if the limit is a minimum, and false if it is a maximum."""
    if value is None or (given.only and not any(word in name for word in given.only)):
        return
    holds = value >= limit if least else value <= limit
    verdicts.append(holds)
    print(f"{'ok    ' if holds else 'MISSED'}  {name:52} {value:8.1f}  {'at least' if least else 'at most':8} {limit}")


def times(one, other):
    return wall[other] / wall[one] if one in wall and other in wall else None


print()
threshold("timeline, times faster than tshark's text", times("timeline", "tshark"), 25, True)
threshold("timeline, times faster than btmon -r", times("timeline", "btmon -r"), 60, True)
threshold("ndjson, times faster than tshark -T fields", times("ndjson", "tshark fields"), 30, True)
threshold("summary, times faster than btmon -a", times("summary", "btmon -a"), 8, True)
for name, (_, _, most) in outputs.items():
    threshold(f"{name}, processor time of ndjson, times", spent[name] / spent["ndjson"], most, False)
    threshold(f"{name}, peak memory in MB", peak(name), 64, False)
threshold("summary, times slower than the floor", wall["summary"] / wall["floor"], 5, False)
for name in ("timeline", "ndjson", "summary"):
    threshold(f"{name}, peak memory in MB", peak(name), 32, False)
    threshold(f"{name}, peak memory of {(given.long or given.packets * 4) // given.packets} times as many packets", memory[name] / peak(name), 1.1, False)
for name in ("timeline", "summary"):
    threshold(f"{name} from a pipe, peak memory in MB", piped[name], 32, False)
    threshold(f"{name} where no device is heard twice, peak memory", crowd[name], 32, False)
for name in ("diff, the same", "diff, another"):
    threshold(f"{name}, seconds for a million packets each", wall[name] * 1e6 / given.packets, 5, False)
    threshold(f"{name}, peak memory in MB", peak(name), 128, False)
threshold("first line of a small file, ms", start, 8, False)
threshold("stripped binary, MB", megabytes, 25, False)
sys.exit(0 if all(verdicts) else 1)
