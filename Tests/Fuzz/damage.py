#!/usr/bin/env python3
"""Damaged captures, through the whole program: cut at random places, and with one byte in a hundred changed.

    damage.py [-n CUTS] [-m CHANGES] [--seed NUMBER] BTSCRIBE CAPTURE...

Nothing crashes, nothing hangs, the exit status is 0 or 65 (malformed), and the rows of all packets that are complete before
the damage are those of the undamaged capture. The ends of packets are computed here, from the formats' descriptions.
"""

import argparse
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import time

# Keys of a row whose value may come from later packets of the same batch: responses, and names that were not known before.
LATER = ("response_frame", "latency_us", "peer_name", "peer_identity", "uuid", "uuid_name", "uuid_source")
OTHERS = (
    ["timeline", "-V", "-x"],
    ["summary"],
    ["summary", "--format", "json"],
    ["operations", "--format", "ndjson"],
    ["timeline", "-Y", "btatt || bthci_evt.code == 0x3e"],
)


def ends(data):
    """Offsets behind each packet; None for any file that does not consist of packets."""
    found = []
    if data.startswith(b"btsnoop\0"):
        datalink = struct.unpack(">I", data[12:16])[0] if len(data) >= 16 else 0
        at = 16
        while at + 24 <= len(data):
            at += 24 + struct.unpack(">I", data[at + 4 : at + 8])[0]
            if at > len(data):
                break
            found.append(at)
        return found if datalink in (1001, 1002, 2001) else None
    order = {b"\xd4\xc3\xb2\xa1": "<", b"\x4d\x3c\xb2\xa1": "<", b"\xa1\xb2\xc3\xd4": ">", b"\xa1\xb2\x3c\x4d": ">"}.get(data[:4])
    if order:
        at = 24
        while at + 16 <= len(data):
            at += 16 + struct.unpack(order + "I", data[at + 8 : at + 12])[0]
            if at > len(data):
                break
            found.append(at)
        return found
    if data.startswith(b"\n\r\r\n"):
        order = "<" if data[8:12] == b"\x4d\x3c\x2b\x1a" else ">"
        at = 0
        while at + 12 <= len(data):
            kind, length = struct.unpack(order + "II", data[at : at + 8])
            if length < 12 or at + length > len(data):
                break
            at += length
            if kind in (2, 3, 6):
                found.append(at)
        return found
    for order in "><":
        at, found = 0, []
        while at + 4 <= len(data):
            length = struct.unpack(order + "I", data[at : at + 4])[0]
            if length < 9 or length > 1 << 20 or at + 4 + length > len(data):
                break
            at += 4 + length
            found.append(at)
        if len(found) > 2:
            return found
    return None


class Failure(Exception):
    pass


def run(command, stdin=None):
    """The program's output, if it ended normally."""
    try:
        done = subprocess.run(command, input=stdin, capture_output=True, timeout=120)
    except subprocess.TimeoutExpired:
        raise Failure("hangs")
    if done.returncode not in (0, 65):
        raise Failure(f"status {done.returncode}: {done.stderr[-300:].decode(errors='replace')}")
    if done.returncode == 65 and not done.stderr.strip():
        raise Failure("status 65 without a word")
    return done.stdout


def lines(program, data):
    """Rows of packets that the program prints for a pipe, which it reads once; unchanged."""
    output = run([program, "timeline", "--format", "ndjson", "-"], data)
    return [line for line in output.splitlines() if line.startswith(b'{"kind":"packet"')]


def facts(line):
    """A row without the keys whose value may come from later packets."""
    row = json.loads(line)
    for key in LATER:
        row.pop(key, None)
    return row


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-n", type=int, default=200, help="cuts of each capture")
    parser.add_argument("-m", type=int, default=100, help="times that one byte in a hundred of each capture is changed")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--most", type=int, default=1 << 20, help="bytes of a capture that are used")
    parser.add_argument("program")
    parser.add_argument("captures", nargs="+")
    given = parser.parse_args()
    seed = given.seed if given.seed is not None else int.from_bytes(os.urandom(4), "big")
    print(f"seed {seed}")
    chance = random.Random(seed)
    started = time.monotonic()
    failures = runs = compared = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in given.captures:
            with open(path, "rb") as file:
                whole = file.read(given.most)
            stops = ends(whole)
            before = lines(given.program, whole)
            frames = [json.loads(line)["frame"] for line in before]
            kinds = [("cut", n) for n in range(given.n)] + [("changed", n) for n in range(given.m)]
            for kind, number in kinds:
                if kind == "cut":
                    first = chance.randrange(len(whole) + 1)
                    data = whole[:first]
                else:
                    # Every other time only bytes behind a random offset are damaged, so that intact packets precede them.
                    start = chance.randrange(len(whole)) if number % 2 else 0
                    bad = bytearray(whole)
                    places = [chance.randrange(start, len(whole)) for _ in range(max(1, (len(whole) - start) // 100))]
                    for place in places:
                        bad[place] = chance.randrange(256)
                    data, first = bytes(bad), min(places)
                try:
                    after = lines(given.program, data)
                    if stops is not None:
                        safe = sum(1 for stop in stops if stop <= first)
                        expected = before[: sum(1 for frame in frames if frame <= safe)]
                        compared += len(expected)
                        for place, line in enumerate(expected):
                            found = after[place] if place < len(after) else b"null"
                            if found != line and (found == b"null" or facts(found) != facts(line)):
                                raise Failure(f"row {place} of {len(expected)} before the damage differs:\n  {line}\n  {found}")
                    damaged = os.path.join(folder, "damaged")
                    with open(damaged, "wb") as file:
                        file.write(data)
                    command = chance.choice(OTHERS)
                    run([given.program, command[0], damaged] + command[1:])
                    runs += 2
                except Failure as failure:
                    failures += 1
                    kept = f"damaged-{os.path.basename(path)}-{kind}-{number}"
                    with open(kept, "wb") as file:
                        file.write(data)
                    print(f"{kept}: first damage at byte {first}: {failure}", flush=True)
            print(f"{os.path.basename(path)}: {len(kinds)} times, {len(before)} rows", flush=True)
    print(
        f"{len(given.captures)} captures, each cut {given.n} times and changed {given.m} times: {runs} runs, "
        f"{compared} rows before the damage compared, {failures} failures, {time.monotonic() - started:.0f} s"
    )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
