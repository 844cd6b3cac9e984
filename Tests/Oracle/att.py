#!/usr/bin/env python3
"""btscribe's timeline against tshark, packet by packet.

att.py BTSCRIBE CAPTURE…   every ATT PDU, of hosts and of sniffers (frame, direction, connection, opcode, handle, value where tshark shows one; the
                           peer's address; the handles in lists), and the numbers of all HCI commands and events.

Every difference is printed. Those in known-differences.md, with the reason why tshark is wrong, are counted separately; an entry
there that does not occur any more is a difference too. Status 1 if there are others.
"""
import collections
import concurrent.futures
import fnmatch
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from opened import opened

here = pathlib.Path(__file__).resolve().parent
# PDUs with one handle of their own, or of the request that they respond to; the others contain lists or none.
ONE_HANDLE = {0x01, 0x0A, 0x0B, 0x0C, 0x0D, 0x12, 0x13, 0x16, 0x17, 0x1B, 0x1D, 0x1E, 0x52, 0xD2}
ANSWERS = {0x0B, 0x0D, 0x13, 0x1E}          # have no handle of their own: tshark shows the request's
HANDLE_LISTS = {0x05, 0x07, 0x09, 0x11, 0x0E, 0x20, 0x23}
ZERO = "00:00:00:00:00:00"


def tshark(capture, fields, only):
    command = ["tshark", "-n", "-r", capture, "-Y", only, "-T", "fields", "-E", "separator=/t", "-E", "occurrence=a", "-E", "aggregator=,"]
    for field in fields:
        command += ["-e", field]
    done = subprocess.run(command, capture_output=True, text=True)
    for line in done.stdout.splitlines():
        yield dict(zip(fields, line.split("\t")))


def first(text, base=16):
    return int(text.split(",")[0], base) if text else None


def shark_rows(capture):
    """tshark's fields of every frame with ATT, an HCI command or an HCI event."""
    fields = ["frame.number", "hci_h4.direction", "frame.p2p_dir", "hci_mon.opcode", "bthci_acl.chandle", "btatt.opcode", "btatt.handle",
              "btatt.value", "bthci_acl.src.bd_addr", "bthci_acl.dst.bd_addr", "bthci_cmd.opcode", "bthci_evt.code",
              "bthci_evt.le_meta_subevent", "packetlogger.type", "btle.access_address"]
    for row in tshark(capture, fields, "btatt || bthci_cmd || bthci_evt"):
        said = {"frame": int(row["frame.number"])}
        sent = {"0x00": True, "0x01": False}.get(row["hci_h4.direction"])
        if sent is None and row["hci_mon.opcode"]:
            sent = int(row["hci_mon.opcode"]) in (2, 4, 6, 18)
        if sent is None and row["packetlogger.type"]:
            sent = int(row["packetlogger.type"], 0) in (0, 2)
        if sent is None and row["frame.p2p_dir"] and not row["btle.access_address"]:
            sent = row["frame.p2p_dir"] == "0"
        said["sent"] = sent
        if row["btatt.opcode"]:
            said["att"] = first(row["btatt.opcode"])
            said["connection"] = first(row["bthci_acl.chandle"])            # none between sniffed devices
            said["handles"] = [int(h, 16) for h in row["btatt.handle"].split(",") if h]
            said["value"] = row["btatt.value"].replace(":", "") if row["btatt.value"] and "," not in row["btatt.value"] else None
            peer = row["bthci_acl.dst.bd_addr" if sent else "bthci_acl.src.bd_addr"].split(",")[0]
            said["peer"] = peer if peer not in ("", ZERO) else None
        elif row["bthci_cmd.opcode"] and not row["bthci_evt.code"]:
            said["command"] = first(row["bthci_cmd.opcode"])
        elif row["bthci_evt.code"]:
            said["event"] = first(row["bthci_evt.code"])
            said["subevent"] = first(row["bthci_evt.le_meta_subevent"])
        yield said


def scribe_rows(program, capture):
    done = subprocess.run([program, "timeline", "--format", "ndjson", capture], capture_output=True, text=True)
    if done.returncode not in (0, 65):
        print(f"{os.path.basename(capture)}: btscribe ended with {done.returncode}: {done.stderr.strip()[-300:]}")
        sys.exit(2)
    rows = {}
    for number, line in enumerate(done.stdout.splitlines(), 1):
        try:
            row = json.loads(line)
        except ValueError as error:
            print(f"{os.path.basename(capture)}: line {number} is no JSON: {error}: {line[:200]}")
            sys.exit(2)
        if row.get("kind") == "packet":
            rows[row["frame"]] = row
    return rows


def handles_in(fields):
    """The attribute handles in the decoded fields, in order."""
    found = []

    def walk(value, key):
        if isinstance(value, dict):
            for name, inner in value.items():
                walk(inner, name)
        elif isinstance(value, list):
            for inner in value:
                walk(inner, key)
        elif isinstance(value, int) and not isinstance(value, bool) and key.endswith(("handle", "handles")):
            found.append(value)
    walk(fields or {}, "")
    return found


def compare(said, row):
    """The differences in one frame, as (what, tshark's, btscribe's)."""
    if row is None:
        yield "row", "an ATT PDU" if "att" in said else "an HCI packet", "nothing"
        return
    if said["sent"] is not None and row.get("direction") != ("sent" if said["sent"] else "received"):
        yield "direction", "sent" if said["sent"] else "received", row.get("direction")
    if "command" in said:
        if row.get("layer") != "hci.command" or row.get("opcode") != said["command"]:
            yield "command", f"{said['command']:#06x}", f"{row.get('layer')} {row.get('opcode')}"
        return
    if "event" in said:
        if row.get("layer") != "hci.event" or row.get("opcode") != said["event"]:
            yield "event", f"{said['event']:#04x}", f"{row.get('layer')} {row.get('opcode')}"
        elif said["subevent"] is not None and row.get("subevent") != said["subevent"]:
            yield "subevent", f"{said['subevent']:#04x}", row.get("subevent")
        return
    if row.get("layer") != "att":
        yield "layer", "att", row.get("layer")
        return
    opcode = said["att"]
    if row.get("opcode") != opcode:
        yield "opcode", f"{opcode:#04x}", row.get("opcode")
        return
    if said["connection"] is not None and row.get("connection") != said["connection"]:
        yield "connection", f"{said['connection']:#06x}", row.get("connection")
    if opcode in ONE_HANDLE and said["handles"] and row.get("handle") != said["handles"][0]:
        yield "handle", f"{said['handles'][0]:#06x}", row.get("handle")
    if opcode in HANDLE_LISTS and said["handles"]:
        mine = handles_in(row.get("fields"))
        missing = [h for h in said["handles"] if h not in mine]
        if missing:
            yield "handles", ",".join(f"{h:#06x}" for h in said["handles"]), ",".join(f"{h:#06x}" for h in mine) or "none"
    if said["value"] is not None and row.get("value", "") != said["value"]:
        yield "value", said["value"], row.get("value")
    if said["peer"] is not None and row.get("peer") != said["peer"]:
        yield "peer", said["peer"], row.get("peer")


def known():
    """Rows of the table: (capture, what, first frame, last frame) → times seen; frames are N, N-M or *."""
    out = []
    path = here.parent / "known-differences.md"
    for line in path.read_text().splitlines() if path.exists() else []:
        cells = [c.strip().strip("`") for c in line.strip().strip("|").split("|")]
        if len(cells) < 4 or not cells[1] or cells[0] in ("capture", "") or set(cells[0]) <= {"-", ":"}:
            continue
        # Rows on filter fields are used by fields.py.
        if any(sign in cells[1] for sign in ".*"):
            continue
        ranges = []
        for part in cells[2].split(","):
            low, _, high = part.strip().partition("-")
            ranges.append((0, 1 << 62) if low == "*" else (int(low), int(high or low)))
        out.append({"capture": cells[0], "what": cells[1], "ranges": ranges, "seen": 0})
    return out


def main():
    program, captures = sys.argv[1], sys.argv[2:]
    accepted, left, total = known(), 0, collections.Counter()
    pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())

    def both(capture):
        with tempfile.TemporaryDirectory() as folder:
            path = opened(program, capture, folder)
            return list(shark_rows(path)), scribe_rows(program, path)

    for capture, (dissected, rows) in zip(captures, pool.map(both, captures)):
        name = os.path.basename(capture)
        counts, differences, frames = collections.Counter(), [], set()
        for said in dissected:
            counts["att" if "att" in said else "hci"] += 1
            if "att" in said:
                frames.add(said["frame"])
                counts["handles"] += bool(said["handles"])
                counts["values"] += said["value"] is not None
            for what, theirs, ours in compare(said, rows.get(said["frame"])):
                differences.append((said["frame"], what, theirs, ours))
        if counts["att"] or counts["hci"]:
            for frame, row in rows.items():
                if row.get("layer") == "att" and frame not in frames:
                    differences.append((frame, "only-here", "no ATT PDU", f"opcode {row.get('opcode')} {row.get('name')}"))
        new = []
        for difference in differences:
            rule = next((k for k in accepted if fnmatch.fnmatch(name, k["capture"]) and k["what"] == difference[1]
                         and any(low <= difference[0] <= high for low, high in k["ranges"])), None)
            if rule:
                rule["seen"] += 1
            else:
                new.append(difference)
        print(f"{name}: {counts['att']} ATT PDUs ({counts['handles']} with handles, {counts['values']} with values), "
              f"{counts['hci']} commands and events, {len(new)} differences, {len(differences) - len(new)} known")
        by_kind = collections.Counter(d[1] for d in new)
        shown = collections.Counter()
        for frame, what, theirs, ours in new:
            shown[what] += 1
            if shown[what] <= 8:
                print(f"  #{frame} {what}: tshark {theirs}, btscribe {ours}")
        for what, count in by_kind.items():
            if count > 8:
                print(f"  {what}: {count - 8} more")
        left += len(new)
        total.update(counts)
    names = {os.path.basename(c) for c in captures}
    for rule in accepted:
        if rule["seen"] == 0 and any(fnmatch.fnmatch(n, rule["capture"]) for n in names):
            print(f"known-differences.md: {rule['capture']} {rule['what']}: does not occur any more")
            left += 1
    print(f"{total['att']} ATT PDUs, {total['handles']} with handles, {total['values']} with values; "
          f"{total['hci']} HCI commands and events; {left} differences")
    sys.exit(1 if left else 0)


if __name__ == "__main__":
    main()
