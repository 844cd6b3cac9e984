#!/usr/bin/env python3
"""Damages good samples in one way each, according to the file's name. Needs no Bumble: it works on the bytes of gopro.btsnoop,
heart-rate.btsnoop, typed-object.pcapng and heart-rate.pklg. make_broken.py FOLDER"""
import pathlib
import struct
import sys

HEADER = b"btsnoop\0" + struct.pack(">II", 1, 1002)
here = pathlib.Path(__file__).resolve().parent


class Record:
    """One record of a btsnoop file; fields that are not changed are written as they were read."""

    def __init__(self, original, flags, drops, time, data, included=None):
        self.original, self.flags, self.drops, self.time, self.data, self.included = original, flags, drops, time, data, included

    def bytes(self):
        included = len(self.data) if self.included is None else self.included
        return struct.pack(">IIIIq", self.original, included, self.flags, self.drops, self.time) + self.data

    def copy(self, **changes):
        made = Record(self.original, self.flags, self.drops, self.time, self.data, self.included)
        for name, value in changes.items():
            setattr(made, name, value)
        if "data" in changes and "original" not in changes:
            made.original = len(made.data)
        return made

    # Properties by which the code below selects records.
    acl = property(lambda self: self.data[0] == 2)
    starts = property(lambda self: self.acl and self.data[2] >> 4 & 3 != 1)
    att = property(lambda self: self.data[9:] if self.starts and self.data[7:9] == b"\4\0" else b"")
    handle = property(lambda self: struct.unpack_from("<H", self.att, 1)[0] if len(self.att) > 2 else None)
    value = property(lambda self: self.att[3:] if self.att[:1] in (b"\x12", b"\x1b", b"\x52") else b"")


def read(name):
    data, at, records = (here / name).read_bytes(), 16, []
    while at < len(data):
        original, included, flags, drops, time = struct.unpack_from(">IIIIq", data, at)
        records.append(Record(original, flags, drops, time, data[at + 24:at + 24 + included]))
        at += 24 + included
    return records


def whole(records, header=HEADER):
    return header + b"".join(r.bytes() for r in records)


def index(records, test, count=1):
    """The index of the count-th record for which the test is true."""
    for at, record in enumerate(records):
        if test(record):
            count -= 1
            if count == 0:
                return at
    raise LookupError


REQUESTS = {0x02: 0x03, 0x04: 0x05, 0x06: 0x07, 0x08: 0x09, 0x0A: 0x0B, 0x0C: 0x0D, 0x10: 0x11, 0x12: 0x13, 0x16: 0x17, 0x18: 0x19, 0x1D: 0x1E}


def settled(records, end):
    """How many of the first `end` records to keep so that no request is outstanding."""
    open_request, keep = None, end
    for at, record in enumerate(records[:end]):
        code = record.att[0] if record.att else None
        if code in REQUESTS:
            open_request = code
        elif code == 1 or (open_request is not None and code == REQUESTS[open_request]):
            open_request = None
        if open_request is None:
            keep = at + 1
    return keep


def without(records, *places):
    return [r for at, r in enumerate(records) if at not in places]


def longest(records):
    """The indexes of the packets of the longest response: a start with a 13-bit length, then continuations."""
    best, run = [], []
    for at, r in enumerate(records):
        if r.att[:1] == b"\x1b" and r.value:
            if r.value[0] & 0xE0 == 0x20:
                run = [at]
            elif r.value[0] & 0x80 and run:
                run.append(at)
            if len(run) > len(best):
                best = list(run)
    return best


def make(folder):
    gopro, strap = read("gopro.btsnoop"), read("heart-rate.btsnoop")
    data = whole(gopro)
    put = lambda name, content: (folder / name).write_bytes(content)
    connected = index(gopro, lambda r: r.data[:2] == b"\x04\x3e" and r.data[3] == 1)
    end = settled(gopro, connected + 60)
    short = gopro[connected - 24:end]                # a few advertisements, the connection, the first requests
    answer = longest(gopro)
    start = answer[0]
    # The changed records from the advertisement to a little after the long response.
    story = lambda records: whole(records[connected - 24:settled(records, answer[-1] + 40)])

    # The container
    put("cut-in-header.btsnoop", whole(short) + gopro[end].bytes()[:13])
    put("cut-in-packet.btsnoop", whole(short) + gopro[end].bytes()[:-4])
    put("cut-in-file-header.btsnoop", HEADER[:11])
    put("empty.btsnoop", HEADER)
    lying = list(short)
    lying[40] = lying[40].copy(included=0x7FFFFFF0)
    put("length-lies.btsnoop", whole(lying))
    put("unknown-datalink.btsnoop", whole(short, b"btsnoop\0" + struct.pack(">II", 1, 1077)))
    put("unknown-version.btsnoop", whole(short, b"btsnoop\0" + struct.pack(">II", 7, 1002)))
    put("not-a-capture.jpg", bytes.fromhex("ffd8ffe000104a46494600010100000100010000ffdb004300") + bytes(64) + bytes.fromhex("ffd9"))
    pcapng = (here / "typed-object.pcapng").read_bytes()
    put("cut-in-block.pcapng", pcapng[:len(pcapng) * 2 // 3 - 60])
    logger = (here / "heart-rate.pklg").read_bytes()
    put("cut-in-packet.pklg", logger[:len(logger) // 2 + 3])

    # Loss and time in the container
    dropped = without(gopro, *range(start + 4, start + 9))
    dropped = [r.copy(drops=5 if at >= start + 4 else 0) for at, r in enumerate(dropped)]
    put("drops.btsnoop", story(dropped))
    put("snaplen.btsnoop", whole([r.copy(data=r.data[:14], original=r.original) for r in gopro[connected - 24:settled(gopro, start + 40)]]))
    put("clock-jumps-back.btsnoop", whole([r.copy(time=r.time - (0 if at < 50 else 86_400_000_000)) for at, r in enumerate(short)]))
    put("before-1970.btsnoop", whole([r.copy(time=r.time - 1_797_000_000_000_000) for r in short]))

    # HCI and L2CAP
    pieces = index(strap, lambda r: r.acl and not r.starts)
    region = lambda records: whole(records[max(0, pieces - 40):settled(records, pieces + 40)])
    put("fragment-without-start.btsnoop", region(without(strap, pieces - 1)))
    put("start-without-end.btsnoop", region(without(strap, pieces)))
    first = strap[pieces - 1]
    put("l2cap-length-lies.btsnoop", region([r.copy(data=r.data[:5] + b"\xf0\xff" + r.data[7:]) if r is first else r for r in strap]))
    victim = index(short, lambda r: r.att[:1] == b"\x09")
    put("acl-length-lies.btsnoop", whole([r.copy(data=r.data[:3] + b"\xff\x03" + r.data[5:]) if at == victim else r
                                          for at, r in enumerate(short)]))
    put("att-too-short.btsnoop", whole([r.copy(data=b"\x02\x40\x20\x06\x00\x02\x00\x04\x00\x1b\x2f") if at == victim else r
                                        for at, r in enumerate(short)]))
    event = index(short, lambda r: r.data[:2] == b"\x04\x3e")
    put("event-length-lies.btsnoop", whole([r.copy(data=r.data[:2] + b"\xfa" + r.data[3:]) if at == event else r
                                            for at, r in enumerate(short)]))
    put("advertising-length-lies.btsnoop", whole([r.copy(data=r.data[:14] + b"\x7f" + r.data[15:]) if at == event else r
                                                  for at, r in enumerate(short)]))
    put("unknown-types.btsnoop", whole(short[:30] + [short[30].copy(data=b"\x77" + bytes(9)), short[30].copy(data=b""),
                                                     short[30].copy(data=b"\x04\xe7\x02\xab\xcd")] + short[30:]))

    # Connections, and what is known about them
    put("mid-connection.btsnoop", whole(gopro[start - 40:settled(gopro, answer[-1] + 40)]))
    discovery = [at for at, r in enumerate(gopro) if r.att[:1] in (b"\x04", b"\x05", b"\x08", b"\x09", b"\x10", b"\x11")
                 or (r.att[:1] == b"\x01" and r.att[1:2] in (b"\x04", b"\x08", b"\x10"))]
    put("no-discovery.btsnoop", whole(without(gopro, *discovery)[connected - 24:]))
    query = gopro[start].handle
    asked = [at for at, r in enumerate(gopro) if r.att[:1] == b"\x12" and r.handle == query + 1]
    replies = [next(n for n in range(at, len(gopro)) if gopro[n].att[:1] == b"\x13") for at in asked]
    put("unsubscribed.btsnoop", whole(without(gopro, *asked, *replies)[connected - 24:]))

    # Messages in several packets
    put("counter-gap.btsnoop", story(without(gopro, answer[6])))
    put("counter-repeated.btsnoop", story(gopro[:answer[6] + 1] + [gopro[answer[6]].copy(time=gopro[answer[6]].time + 200)]
                                          + gopro[answer[6] + 1:]))
    put("overtaken.btsnoop", story(without(gopro, *answer[9:])))
    too_short = gopro[start].data[:12] + struct.pack(">H", 0x2000 | 200) + gopro[start].data[14:]
    put("surplus.btsnoop", story([r.copy(data=too_short) if at == start else r for at, r in enumerate(gopro)]))
    reserved = gopro[start].data[:12] + b"\x7f" + gopro[start].data[13:]
    put("reserved-header.btsnoop", story([r.copy(data=reserved) if at == start else r for at, r in enumerate(gopro)]))


if __name__ == "__main__":
    make(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else here)
