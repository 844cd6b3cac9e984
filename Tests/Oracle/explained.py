#!/usr/bin/env python3
"""explained.py BTSCRIBE CAPTURE…: how many bytes of the packets btscribe and tshark explain, by layer.

A byte is explained if a field gives its meaning. Bytes that a program shows only as bytes are not explained: an ATT value that
no profile decodes, manufacturer data, parameters of vendor commands. The layer is that of btscribe's last row of the frame. Audio, encrypted
data and notes of the capture are left out, because they have nothing to explain. btscribe explains the bytes of the frame
except those that its rows show only as bytes; for tshark, the bytes covered by fields of its tree are counted. Data that tshark reassembled or
decompressed have positions of their own, not those of the frame; they are aligned with the end of their part of the frame. Frames without a row,
such as fragments that a later frame completes, are left out for both. The last line leaves out vendors' logs of controllers."""
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as tree

# Layers without anything to explain.
LEFT_OUT = {"hci.sco", "hci.iso", "a2dp", "note"}
# The H4 type and the header of an ACL packet.
HEADER = 5
# The number of bytes behind a packet's payload on the air: the CRC.
BEHIND = {"btle": 3}
# btscribe's fields for bytes without a meaning, and for whole values shown as bytes.
RAW = {"data", "payload", "parameters", "return_parameters", "more", "value", "part_value", "attribute_value", "part_attribute_value",
       "service_data", "information", "body", "rest", "unknown", "content", "manufacturer_data"}
HEX = re.compile(r"([0-9a-f]{2})+")
# The same of tshark's fields.
THEIR_RAW = re.compile(
    r"(^data\.|^data$|\.data$|\.payload$|\.parameters?$|\.ret_params$|^btatt\.value$|^btcommon\.eir_ad\.entry\.(data|company_data|service_data)|"
    r"^obex\.header\.value\.byte_sequence$|l2cap_data$|\.unknown|\.undecoded|^_ws\.|^fake-field|\.unparsed|\.expert|^btsmp\.unknown|^btspp\.data|reserved)")
# Lists of the offsets of a message's fragments.
PLACES = re.compile(r"\.(fragments|segments)$")


def ours(program, capture):
    """For each frame its layer, and how many of its bytes btscribe shows as bytes only."""
    layers, raw, read = {}, collections.Counter(), collections.Counter()
    run = subprocess.Popen([program, "timeline", "-V", "-q", "--format", "ndjson", capture], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def plain(value, name=""):
        if isinstance(value, dict):
            return sum(plain(one, key) for key, one in value.items())
        if isinstance(value, list):
            return sum(plain(one, name) for one in value)
        return len(value) // 2 if name in RAW and isinstance(value, str) and HEX.fullmatch(value) else 0

    for line in run.stdout:
        row = json.loads(line)
        if row["kind"] == "packet":
            layers[row["frame"]] = row.get("layer", "")
            raw[row["frame"]] = max(raw[row["frame"]], plain(row.get("fields", {})))
        elif row["kind"] == "warning" and row["name"] == "unknown-packet-type":
            # The finding gives the packet's type.
            read[row["frame"]] += 1
        elif row["kind"] == "message":
            # A message that a profile decodes covers its payload, except for fields that are bytes only.
            payload = len(row.get("payload", "")) // 2
            frames = row.get("frames") or [row["frame"]]
            for frame in frames:
                read[frame] += max(0, payload - plain(row.get("fields", {}))) // len(frames)
    run.wait()
    return {frame: (layer, max(0, raw[frame] - read[frame])) for frame, layer in layers.items()}


def theirs(capture):
    """For each frame its number of bytes, how many of them a field of tshark explains, and how many of these are before the reassembled data."""
    run = subprocess.Popen(["tshark", "-n", "-r", capture, "-T", "pdml"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    frames = {}

    def cover(node, covered):
        name, size = node.get("name") or "", int(node.get("size") or 0)
        children = [one for one in node if one.tag in ("field", "proto")]
        # A field whose only children are tshark's remarks is not a list.
        if children and not (name and all((one.get("name") or "").startswith("_ws.") for one in children)):
            for one in children if not PLACES.search(name) else []:
                cover(one, covered)
            return
        if node.tag == "field" and size and not THEIR_RAW.search(name) and node.get("hide") != "yes":
            covered.update(range(int(node.get("pos")), int(node.get("pos")) + size))

    def end(node):
        """Where a protocol and its fields end, in bytes of the buffer they were read from."""
        own = int(node.get("pos") or 0) + int(node.get("size") or 0)
        return max([own] + [end(one) for one in node if one.tag in ("field", "proto")])

    def explained(protocols, size):
        """The explained bytes of a frame, and how many of them are before the reassembled data."""
        covered, before = set(), None
        # Where the last protocol of the frame itself ends, and which data sources are not the frame.
        last, stop, sources = -1, size, []
        for proto in protocols:
            start, length = int(proto.get("pos") or 0), int(proto.get("size") or 0)
            if start < last or not sources and start + length > size:
                sources.append([])
            last = start
            if sources:
                sources[-1].append(proto)
            else:
                stop = min(size, start + length) - BEHIND.get(proto.get("name"), 0) if length else stop
                cover(proto, covered)
        for source in sources:
            before = len(covered) if before is None else before
            there = set()
            for proto in source:
                cover(proto, there)
            shift = stop - max(end(proto) for proto in source)
            covered.update(place + shift for place in there if 0 <= place + shift < stop)
        return covered, len(covered) if before is None else before

    number, parser = 0, tree.iterparse(run.stdout)
    while True:
        try:
            _, node = next(parser)
        except (StopIteration, tree.ParseError):
            # Bytes that tshark cannot decode, or not to their end, are not explained.
            break
        if node.tag != "packet":
            continue
        number += 1
        size, protocols = 0, []
        for proto in node:
            name = proto.get("name")
            if name == "frame":
                size = int(proto.get("size") or 0)
            elif name != "geninfo" and proto.get("pos") is not None:
                protocols.append(proto)
        covered, before = explained(protocols, size)
        frames[number] = (size, sum(1 for place in covered if place < size), min(size, before))
        node.clear()
    run.wait()
    return frames


def main():
    program, captures = sys.argv[1], sys.argv[2:]
    total, mine, other = collections.Counter(), collections.Counter(), collections.Counter()
    worst = collections.Counter()

    def both(capture):
        return ours(program, capture), theirs(capture)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for capture, (rows, frames) in zip(captures, pool.map(both, captures)):
            for frame, (size, known, headers) in frames.items():
                layer, raw = rows.get(frame, ("", 0))
                if not layer or layer in LEFT_OUT or layer == "ll" or size == 0:
                    continue
                # A row of a reassembled PDU also shows bytes of earlier frames: of this frame no more is counted than the bytes behind its headers.
                raw = min(raw, max(0, size - max(HEADER, headers))) if raw > size else raw
                total[layer] += size
                mine[layer] += max(0, size - raw)
                other[layer] += known
                worst[os.path.basename(capture), layer] += min(raw, size)
    for name, counts in [("all", sum(total.values()))] + total.most_common():
        size = counts
        a, b = (sum(mine.values()), sum(other.values())) if name == "all" else (mine[name], other[name])
        print(f"{name:16} {size:9} bytes  btscribe {100 * a / size:5.1f} %  tshark {100 * b / size:5.1f} %{'  behind' if a < b else ''}")
    size = sum(count for layer, count in total.items() if layer != "vendor")
    a, b = (sum(count for layer, count in counts.items() if layer != "vendor") for counts in (mine, other))
    print(f"{'without vendor':16} {size:9} bytes  btscribe {100 * a / max(size, 1):5.1f} %  tshark {100 * b / max(size, 1):5.1f} %")
    print("most that btscribe does not explain:")
    for (capture, layer), count in worst.most_common(12):
        print(f"  {count:8} {layer:16} {capture}")


if __name__ == "__main__":
    main()
