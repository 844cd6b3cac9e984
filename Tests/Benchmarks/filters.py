#!/usr/bin/env python3
"""filters.py BTSCRIBE [--packets N]: what a display filter costs for each packet, and that it allocates nothing for one.

A phone's log of N and of 2 N packets goes through `timeline -q -Y FILTER > /dev/null`, with filters that pass nothing, so that nothing is
printed. The processor's time is what the second N packets take beyond the same without a test (`frame.number == 0`); allocations are counted by a library
in front of malloc. Ends with 1 where a limit is missed."""
import argparse
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
BASE = "frame.number == 0"
FILTERS = [
    "btatt.opcode == 0xff",
    "btatt.handle == 0xffff",
    "btatt.value contains de:ad:be:ef:de:ad",
    "btatt.value[0:4] == de:ad:be:ef && btatt.handle == 0x10",
    "btatt.value matches \"q{9}z\"",
    "bthci_acl.chandle == 0xeee || bthci_evt.code == 0xee",
    "!(btatt || bthci_evt || bthci_cmd || bthci_acl || hci_h4)",
    "btatt.opcode in {0xe0, 0xe2, 0xe4 .. 0xe8}",
    "len(btatt.value) > 6000",
    "frame.time_delta > 5000 && btatt",
    "bluetooth.addr == 00:00:00:00:00:01",
    "btcommon.eir_ad.entry.company_id == 0xfffe",
    "btatt.uuid16 == 0xfffe",
    "upper(btatt.device_name) == \"NOBODY\"",
]
COUNTER = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdatomic.h>
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);
static atomic_long count;
void *malloc(size_t n) { count++; return __libc_malloc(n); }
void *calloc(size_t n, size_t m) { count++; return __libc_calloc(n, m); }
void *realloc(void *p, size_t n) { count++; return __libc_realloc(p, n); }
int posix_memalign(void **p, size_t a, size_t n) { count++; *p = __libc_memalign(a, n); return *p ? 0 : 12; }
__attribute__((destructor)) static void tell(void) {
  const char *path = getenv("COUNT");
  FILE *file = path ? fopen(path, "w") : 0;
  if (file) { fprintf(file, "%ld\n", (long)count); fclose(file); }
}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--packets", type=int, default=500_000)
    parser.add_argument("--ratio", type=float, default=2, help="most that a filter may cost, as a part of the rest of the timeline")
    parser.add_argument("--folder", default=None, help="where the logs are kept")
    arguments = parser.parse_args()
    folder = pathlib.Path(arguments.folder or tempfile.gettempdir()) / "btscribe-bench"
    folder.mkdir(exist_ok=True)
    logs = []
    for packets in (arguments.packets, 2 * arguments.packets):
        path = folder / f"phone-{packets}.btsnoop"
        if not path.exists():
            subprocess.run([sys.executable, here / "phone_log.py", str(packets), str(path)], check=True)
        logs.append(path)
    library = folder / "count-malloc.so"
    built = subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-x", "c", "-", "-o", library], input=COUNTER, text=True)
    counts = built.returncode == 0 and sys.platform == "linux"

    def command(filter, log):
        return [arguments.program, "timeline", "-q", "--no-profiles", "--color", "never", "-Y", filter, log]

    def seconds(filter, log):
        # Processor time of all threads, on which other processes have less influence than on elapsed time.
        best = 1e9
        for _ in range(3):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(command(filter, log), check=True, stdout=subprocess.DEVNULL)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        return best

    def allocations(filter, log):
        told = folder / "count"
        environment = dict(os.environ, LD_PRELOAD=str(library), COUNT=str(told))
        subprocess.run(command(filter, log), check=True, stdout=subprocess.DEVNULL, env=environment)
        return int(told.read_text())

    growth = lambda measure, filter: (measure(filter, logs[1]) - measure(filter, logs[0])) / arguments.packets
    floor = growth(seconds, BASE)
    ground = growth(allocations, BASE) if counts else 0
    missed = 0
    print(f"{'ns/packet':>10}  {'mallocs/packet':>14}  filter")
    print(f"{floor * 1e9:10.0f}  {ground:14.4f}  {BASE} (the whole timeline without printing)")
    for filter in FILTERS:
        cost = (growth(seconds, filter) - floor) * 1e9
        more = growth(allocations, filter) - ground if counts else 0
        bad = cost > arguments.ratio * floor * 1e9 or more > 0.01
        missed += bad
        print(f"{cost:+10.0f}  {more:+14.4f}  {filter}{'   MISSED' if bad else ''}")
    sys.exit(1 if missed else 0)


main()
