#!/usr/bin/env python3
"""phone_log.py PACKETS FILE [--no-discovery] [--crowd] [--seed N]: writes a long log of a phone, btsnoop with H4 packets, the same bytes every time.
The phone scans, is connected to a camera of the Open GoPro protocol, whose statuses it requests (responses of one to eight notifications), and to a
sensor that streams. --no-discovery leaves the characteristic declarations out: btmon 5.66 crashes on them. --crowd: every advertisement is from another
device, as in a city where all devices change their private addresses."""
import argparse
import random
import struct

parser = argparse.ArgumentParser()
parser.add_argument("packets", type=int)
parser.add_argument("file")
parser.add_argument("--no-discovery", action="store_true")
parser.add_argument("--crowd", action="store_true")
parser.add_argument("--seed", type=int, default=20261120)
given = parser.parse_args()

chance = random.Random(given.seed)
CAMERA, SENSOR = 0x0040, 0x0041
QUERY, ANSWER, STREAM = 0x0037, 0x0039, 0x0012
clock = 0x00DCDDB30F2F8000 + 1_795_167_000_000_000
pending, written = [], 0


def put(flags, packet):
    global clock, written
    clock += chance.randrange(40, 9000)
    written += 1
    pending.append(struct.pack(">IIIIq", len(packet), len(packet), flags, 0, clock) + packet)


def event(body):
    put(3, b"\x04" + body)


def att(connection, received, pdu):
    frame = struct.pack("<HH", len(pdu), 4) + pdu
    put(int(received), b"\x02" + struct.pack("<HH", connection | (0x2000 if received else 0), len(frame)) + frame)


def connect(connection, address):
    event(b"\x3e\x13\x01\x00" + struct.pack("<H", connection) + b"\0\0" + bytes.fromhex(address)[::-1] + struct.pack("<HHHB", 24, 0, 500, 0))
    att(connection, False, b"\x02\x05\x02")
    att(connection, True, b"\x03\xb9\x00")


def declare(connection, rows):
    """Read By Type responses, as when an app discovers characteristics, and the subscriptions that follow."""
    att(connection, False, b"\x08\x01\x00\xff\xff\x03\x28")
    body = b"".join(struct.pack("<HBH", handle - 1, properties, handle) + bytes.fromhex(uuid.replace("-", ""))[::-1] for handle, properties, uuid in rows)
    att(connection, True, b"\x09\x15" + body)
    att(connection, False, b"\x08" + struct.pack("<HH", rows[-1][0] + 1, 0xFFFF) + b"\x03\x28")
    att(connection, True, b"\x01\x08" + struct.pack("<H", rows[-1][0] + 1) + b"\x0a")
    for handle, properties, _ in rows:
        if properties & 0x10:
            att(connection, False, b"\x12" + struct.pack("<H", handle + 1) + b"\x01\x00")
            att(connection, True, b"\x13")


def advertisement():
    manufacturer = b"\xf2\x02" + chance.randbytes(8)
    data = b"\x02\x01\x06\x03\x03\xa6\xfe" + bytes([len(manufacturer) + 1, 0xFF]) + manufacturer
    address = chance.randbytes(5) + b"\x5e" if given.crowd else bytes([chance.randrange(40), 0, 0, 0, 0x5E, 0xC0])
    event(bytes([0x3E, 12 + len(data), 2, 1, 0, 1]) + address + bytes([len(data)]) + data
          + bytes([chance.randrange(160, 220)]))


def question():
    wanted = [chance.choice((1, 2, 10, 33, 34, 35, 38, 39, 54, 70, 82, 96, 97, 117)) for _ in range(chance.randrange(1, 9))]
    request = bytes([0x13, *wanted])
    att(CAMERA, False, b"\x12" + struct.pack("<H", QUERY) + bytes([len(request)]) + request)
    event(b"\x13\x05\x01" + struct.pack("<HH", CAMERA, 1))
    att(CAMERA, True, b"\x13")
    sizes = {34: 4, 35: 4, 38: 4, 39: 4, 54: 8, 96: 4, 97: 4, 117: 8}
    message = b"\x13\0" + b"".join(bytes([n, sizes.get(n, 1)]) + bytes(sizes.get(n, 1) - 1) + bytes([chance.randrange(256)]) for n in wanted)
    head = bytes([len(message)]) if len(message) < 32 else struct.pack(">H", 0x2000 | len(message))
    packets, rest = [head + message[:20 - len(head)]], message[20 - len(head):]
    while rest:
        packets.append(bytes([0x80 | len(packets) - 1 & 15]) + rest[:19])
        rest = rest[19:]
    for packet in packets:
        att(CAMERA, True, b"\x1b" + struct.pack("<H", ANSWER) + packet)


with open(given.file, "wb") as out:
    out.write(b"btsnoop\0" + struct.pack(">II", 1, 1002))
    connect(CAMERA, "c0ffee000001")
    connect(SENSOR, "d4ca6e000002")
    if not given.no_discovery:
        gopro = "b5f9{:04x}-aa8d-11e3-9046-0002a5d5c51b"
        declare(CAMERA, [(QUERY, 0x08, gopro.format(0x76)), (ANSWER, 0x10, gopro.format(0x77))])
        declare(SENSOR, [(STREAM, 0x10, "f000aa01-0451-4000-b000-000000000000")])
    while written < given.packets:
        dice = chance.random()
        if dice < 0.25:
            advertisement()
        elif dice < 0.45:
            question()
        else:
            att(SENSOR, True, b"\x1b" + struct.pack("<H", STREAM) + chance.randbytes(chance.choice((20, 20, 20, 60, 182))))
        if len(pending) > 20000:
            out.write(b"".join(pending))
            pending.clear()
    out.write(b"".join(pending))
