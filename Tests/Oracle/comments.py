#!/usr/bin/env python3
"""comments.py BTSCRIBE CAPTURE…: checks annotated captures with tshark.

Every packet has the bytes, time and length that it has in the capture; every message, finding and operation with a response is a
comment on its frame; filters find them; no comment has a byte that would move a terminal's cursor.
"""
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

from opened import opened

btscribe, captures = sys.argv[1], sys.argv[2:]


def run(*command):
    return subprocess.run(command, check=False, capture_output=True).stdout


def rows(*command):
    return [json.loads(line) for line in run(btscribe, *command).splitlines()]


def packets(path):
    """Time, lengths and hex of every packet, from tshark."""
    out = run("tshark", "-r", path, "-x", "--hexdump", "frames").decode()
    lengths = run("tshark", "-r", path, "-T", "fields", "-e", "frame.number", "-e", "frame.time_epoch", "-e", "frame.len",
                  "-e", "frame.cap_len").decode()
    # Times are compared to the microsecond. tshark's values are wrong if a capture has more than a million of them in a second: not compared.
    rows = []
    for line in lengths.splitlines():
        number, time, length, kept = line.split("\t")
        second, fraction = time.split(".")
        sane = len(fraction) == 9 and not second.startswith("-")
        rows.append((number, int(second) * 1000000 + int(fraction[:-3]) if sane else None, length, kept))
    return rows, out


def same(one, other):
    (rows, bytes), (more, others) = one, other
    return bytes == others and len(rows) == len(more) and all(
        a == b or a[0] == b[0] and a[2:] == b[2:] and None in (a[1], b[1]) for a, b in zip(rows, more))


def comments(path):
    """The comments of each frame, and the interface names, read from the blocks of the file itself."""
    data = open(path, "rb").read()
    found, interfaces, at, frame = {}, [], 0, 0
    while at < len(data):
        kind, length = (int.from_bytes(data[at + i:at + i + 4], "little") for i in (0, 4))
        options = None
        if kind == 1:
            options = at + 16
        if kind == 6:
            frame += 1
            options = at + 28 + (int.from_bytes(data[at + 20:at + 24], "little") + 3) // 4 * 4
        while options is not None and options + 4 <= at + length - 4:
            code, size = (int.from_bytes(data[options + i:options + i + 2], "little") for i in (0, 2))
            value = data[options + 4:options + 4 + size]
            if code == 0:
                break
            if code == 1 and kind == 6:
                found.setdefault(frame, []).append(value)
            if code == 2 and kind == 1:
                interfaces.append(value.decode())
            options += 4 + (size + 3) // 4 * 4
        at += length
    return found, interfaces


def compare(capture):
    """The failures of an annotated capture, and a line of text about it."""
    failures = []
    name = os.path.basename(capture)
    with tempfile.TemporaryDirectory() as folder:
        capture = opened(btscribe, capture, folder)
        annotated = os.path.join(folder, "annotated.pcapng")
        done = subprocess.run([btscribe, "convert", "-q", capture, "-o", annotated, "--annotate"], capture_output=True)
        if done.returncode not in (0, 65) or not os.path.exists(annotated):
            failures.append(f"{name}: not converted: {done.stderr.decode()}")
            return failures, f"{name}: not converted"
        reference = capture
        head = open(capture, "rb").read(16)
        if name.endswith(".pklg") or head[:8] == b"btsnoop\0" and head[12:] == (1001).to_bytes(4, "big"):
            # PacketLogger's headers and HCI without type bytes have no link type of their own.
            reference = os.path.join(folder, "plain.pcapng")
            run(btscribe, "convert", "-q", capture, reference)
        if not same(packets(reference), packets(annotated)):
            failures.append(f"{name}: the packets are not the same")
        found, interfaces = comments(annotated)
        if len(set(interfaces)) != len(interfaces):
            failures.append(f"{name}: interfaces with the same name: {interfaces}")
        told = 0

        def expect(frame, text, what):
            nonlocal told
            told += 1
            if not any(text.encode() in comment for comment in found.get(frame, [])):
                failures.append(f"{name}: frame {frame}: no comment of {what}: {text}")

        last = max(found, default=0)
        for row in rows("timeline", "--format", "ndjson", capture):
            if row["kind"] == "message":
                expect(row["frame"], f"message: {row['profile']} {row['characteristic']}: ", "a message")
            elif row["kind"] == "warning" and not row.get("repeated") and row["frame"] <= last and row["name"] not in ("unjoined-bytes", "start-without-end"):
                # Repeated findings are reported once more at the end, when their packets are written already. Only the beginning is compared, since
                # sentences may have the profile's name of an attribute.
                expect(row["frame"], row["severity"] + ": ", "a finding")
        for row in rows("operations", "--format", "ndjson", capture):
            if row["operation"] in ("read", "write", "mtu", "subscribe") and row["status"] not in ("open", "no answer"):
                expect(row["end_frame"], "operation: ", "an operation")
        for frame, texts in found.items():
            for text in texts:
                if any(byte < 0x20 and byte != 0x0A or byte == 0x7F for byte in text):
                    failures.append(f"{name}: frame {frame}: a control byte in {text!r}")
        # tshark's own filter has to find the comments in the file.
        for word in ("operation: ", "message: ", "battery"):
            listed = run("tshark", "-r", annotated, "-Y", f'frame.comment contains "{word}"', "-T", "fields", "-e", "frame.number")
            theirs = [int(line) for line in listed.split()]
            ours = sorted(frame for frame, texts in found.items() if any(word.encode() in text for text in texts))
            if theirs != ours:
                failures.append(f"{name}: tshark finds \"{word}\" in {len(theirs)} frames, there are {len(ours)}")
        return failures, f"{name}: {len(found)} frames with comments, {told} expected, interfaces {interfaces}"


failures = []
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    for wrong, line in pool.map(compare, captures):
        failures += wrong
        print(line)
for failure in failures[:60]:
    print(failure)
sys.exit(1 if failures else 0)
