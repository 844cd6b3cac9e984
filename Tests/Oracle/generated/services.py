#!/usr/bin/env python3
"""services.py FOLDER: writes captures with the fields of Bluetooth's services: advertising data, device classes, SDP, OBEX, AVRCP, AVDTP and
media, HFP, HSP, RFCOMM, AVCTP, BNEP, HID, 6LoWPAN and HCRP. All values are from a generator with a fixed seed: the files are the same in every run."""
import json
import os
import random
import struct
import sys

R = random.Random(20221)


def u16(x): return struct.pack("<H", x & 0xFFFF)
def u24(x): return struct.pack("<I", x & 0xFFFFFF)[:3]
def u32(x): return struct.pack("<I", x & 0xFFFFFFFF)
def b16(x): return struct.pack(">H", x & 0xFFFF)
def b24(x): return struct.pack(">I", x & 0xFFFFFF)[1:]
def b32(x): return struct.pack(">I", x & 0xFFFFFFFF)
def b64(x): return struct.pack(">Q", x & (1 << 64) - 1)
def some(n): return bytes(R.randrange(256) for _ in range(n))


def values(width):
    """Edge values, single bits and random values of `width` bits."""
    return [0, (1 << width) - 1] + [1 << i for i in range(width)] + [R.getrandbits(width) for _ in range(3)]


class Capture:
    """A btsnoop file of H4 packets: one link of handle 1 (classic) or 2 (Low Energy), on which channels are opened."""

    def __init__(self):
        self.records = []
        self.identifier = 0
        self.next = 0x40

    def packet(self, data, received):
        self.records.append((data, received))

    def event(self, code, parameters):
        self.packet(bytes([4, code, len(parameters)]) + parameters, True)

    def command(self, opcode, parameters):
        self.packet(bytes([1]) + u16(opcode) + bytes([len(parameters)]) + parameters, False)

    def acl(self, handle, cid, data, received):
        frame = u16(len(data)) + u16(cid) + data
        self.packet(bytes([2]) + u16(handle | 0x2000) + u16(len(frame)) + frame, received)

    def connect(self):
        self.event(3, bytes([0]) + u16(1) + bytes.fromhex("665544332211") + bytes([1, 0]))
        self.event(0x3E, bytes([1, 0]) + u16(2) + bytes([0, 0]) + bytes.fromhex("665544332211") + u16(24) + u16(0) + u16(200) + bytes([0]))

    def channel(self, psm):
        """Opens a classic channel by a request of the host. Returns a function that sends on it."""
        self.identifier += 1
        near, far = self.next, self.next + 1
        self.next += 2
        self.acl(1, 1, bytes([2, self.identifier]) + u16(4) + u16(psm) + u16(near), False)
        self.acl(1, 1, bytes([3, self.identifier]) + u16(8) + u16(far) + u16(near) + u16(0) + u16(0), True)
        return lambda data, received=False: self.acl(1, near if received else far, data, received)

    def credit_channel(self, psm):
        self.identifier += 1
        near, far = self.next, self.next + 1
        self.next += 2
        self.acl(2, 5, bytes([0x14, self.identifier]) + u16(10) + u16(psm) + u16(near) + u16(1280) + u16(1280) + u16(1000), False)
        self.acl(2, 5, bytes([0x15, self.identifier]) + u16(10) + u16(far) + u16(1280) + u16(1280) + u16(1000) + u16(0), True)
        return lambda data, received=False: self.acl(2, near if received else far, u16(len(data)) + data, received)

    def write(self, path):
        with open(path, "wb") as file:
            file.write(b"btsnoop\0" + b32(1) + b32(1002))
            for number, (data, received) in enumerate(self.records):
                kind = (1 if received else 0) | (2 if data[0] in (1, 4) else 0)
                time = 0x00DCDDB30F2F8000 + 1_600_000_000_000_000 + number * 10_000
                file.write(b32(len(data)) + b32(len(data)) + b32(kind) + b32(0) + b64(time) + data)


# Advertising data and device classes

def structure(kind, data): return bytes([len(data) + 1, kind]) + data


def device_classes(c):
    for code in values(24) + [major << 8 | minor << 2 for major in range(32) for minor in (0, 0x15, 0x2A, 0x3F)]:
        c.event(4, bytes.fromhex("010203040506") + u24(code) + bytes([1]))
    for _ in range(6):
        # Inquiry results: one, two, with RSSI, and with data.
        c.event(2, bytes([1]) + some(6) + bytes([1, 0, 0]) + u24(R.getrandbits(24)) + u16(5))
        c.event(0x22, bytes([1]) + some(6) + bytes([1, 0]) + u24(R.getrandbits(24)) + u16(5) + bytes([200]))
        c.command(0x0C24, u24(R.getrandbits(24)))
        c.event(0x0E, bytes([1]) + u16(0x0C23) + bytes([0]) + u24(R.getrandbits(24)))


def advertising(c):
    def report(data):
        """Puts data into an advertising report and, if they fit, into an extended inquiry response."""
        c.event(0x3E, bytes([2, 1, 0, 0]) + bytes.fromhex("010203040506") + bytes([len(data)]) + data + bytes([0xC0]))
        c.event(0x2F, bytes([1]) + bytes.fromhex("010203040506") + bytes([1, 0]) + u24(R.getrandbits(24)) + u16(3) + bytes([0xC0])
                + (data + bytes(240))[:240])

    for flags in values(8):
        report(structure(1, bytes([flags])))
        report(structure(0x11, bytes([flags])))
        report(structure(0x27, bytes([flags])))
        report(structure(0x27, bytes([flags, flags ^ 0x5A])))
        report(structure(0x27, bytes([flags, R.randrange(256), flags])))
        report(structure(0x27, bytes([0, flags, flags, flags, 1, 2])))
        report(structure(0x1B, some(6) + bytes([flags])))
        report(structure(0x3D, bytes([flags, 0x55])))
        report(structure(0x26, bytes([R.randrange(4), flags, 3]) + some(3)))
    report(structure(0x26, bytes([1, 4, 0])))
    for kind in (0x0E, 0x0F, 0x1D, 0x1E, 0x22, 0x23, 0x10, 0x2D):
        report(structure(kind, some(16)))
    for _ in range(3):
        report(structure(0x10, some(8)))
        report(structure(0x28, some(7)))
        report(structure(0x0D, some(3)))
        for size in (33, 57):
            report(structure(0x2C, some(size)))
    for kind in (2, 3, 0x14):
        report(structure(kind, b"".join(u16(0x1800 + R.randrange(16)) for _ in range(3))))
    for kind in (4, 5, 0x1F):
        report(structure(kind, u32(0x1801) + u32(R.getrandbits(32)) + u32(0x110B)))
    for kind in (6, 7, 0x15):
        report(structure(kind, some(16) + bytes.fromhex("fb349b5f80000080001000000f180000") + some(16)))
    # Indoor positioning: with and without each part.
    for flags in range(128):
        data = bytes([flags])
        if flags & 1: data += some(4) if flags & 2 else some(8)
        if flags & 4: data += some(1)
        if flags & 8: data += some(2)
        if flags & 16: data += some(1)
        if flags & 32: data += some(1)
        report(structure(0x25, data))
    report(structure(0x2B, bytes([0]) + some(16) + b16(0x0600)))
    for flags in values(16):
        report(structure(0x2B, bytes([0]) + some(16) + b16(flags) + some(4)))
    for flags in values(8):
        report(structure(0x2B, bytes([1, flags]) + some(8) + b32(R.getrandbits(32)) + some(8)))
    report(structure(0x2B, bytes([2]) + some(26)))
    report(structure(0x2B, bytes([9]) + some(20)))
    report(structure(0x2A, some(20)))
    report(structure(0x29, some(4) + bytes([0, 3]) + some(20)))
    for size in (8, 20):
        report(structure(0x29, some(4) + bytes([0, 0x40 | 4]) + b16(size) + some(5)))
    # Beacons of manufacturers.
    for _ in range(4):
        report(structure(0xFF, u16(0x4C) + bytes([2, 0x15]) + some(16) + b16(R.getrandbits(16)) + b16(R.getrandbits(16)) + some(1)))
        report(structure(0xFF, u16(0x118) + bytes([0xBE, 0xAC]) + some(20) + some(1) + some(1)))
        report(structure(0x16, u16(0xFD6F) + some(20)))
        report(structure(0xFF, u16(0x59) + some(5)))
    # Unknown types, and wrong lengths.
    report(structure(0x77, some(4)))
    report(structure(0x2E, some(6)))
    report(structure(0x1A, u16(100)) + structure(0x2F, u24(100000)))
    report(structure(0x09, b"name") + structure(0x08, b"n") + bytes(5))
    report(structure(0x24, bytes([0x17]) + b"//example.org"))


# RFCOMM

def fcs(data):
    crc = 0xFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ 0xE0 if crc & 1 else crc >> 1
    return 0xFF - crc


def frame(dlci, cr, control, data=b"", credits=None):
    head = bytes([dlci << 2 | cr << 1 | 1, control])
    length = bytes([len(data) << 1 | 1]) if len(data) < 128 else u16(len(data) << 1)
    check = fcs(head) if control & 0xEF == 0xEF else fcs(head + length)
    return head + length + (bytes([credits]) if credits is not None else b"") + data + bytes([check])


def message(kind, command, data):
    return bytes([kind << 2 | command << 1 | 1, len(data) << 1 | 1]) + data


def rfcomm(c):
    send = c.channel(3)
    send(frame(0, 1, 0x3F))
    send(frame(0, 1, 0x73), True)
    for bits in values(8):
        send(frame(0, 1, 0xEF, message(0x38, bits & 1, bytes([0x0B, bits | 1]))))
        send(frame(0, 0, 0xEF, message(0x38, 1, bytes([bits, R.randrange(256), bits]))), True)
        send(frame(0, 1, 0xEF, message(0x20, bits & 1, bytes([bits, bits ^ 0x33, bits, bits, R.randrange(256), bits, bits, bits]))))
        send(frame(0, 0, 0xEF, message(0x14, 1, bytes([bits | 3, bits]))), True)
        send(frame(0, 1, 0xEF, message(0x24, 1, bytes([bits | 3, bits, bits ^ 1, 1, 2, 3, bits, 5]))))
        send(frame(0, 1, 0xEF, message(0x04, 0, bytes([bits]))))
    send(frame(0, 1, 0xEF, message(0x24, 1, bytes([0x0B]))))
    send(frame(0, 1, 0xEF, message(0x08, 1, b"pattern")))
    for kind in (0x10, 0x18, 0x28, 0x30):
        send(frame(0, 1, 0xEF, message(kind, 1, b"")))
    for channel in range(1, 31):
        send(frame(channel << 1, 1, 0x3F))
        send(frame(channel << 1, 1, 0x73), True)
        send(frame(channel << 1, 1, 0xEF, some(3)))
        send(frame(channel << 1 | 1, 0, 0xFF, some(130), R.randrange(256)), True)
        send(frame(channel << 1, 1, 0xFF, b"", R.randrange(256)))
        send(frame(channel << 1, 1, 0x53 if channel & 1 else 0x1F))
    return send


# SDP: data elements and records

def element(kind, data):
    sizes = {1: 0, 2: 1, 4: 2, 8: 3, 16: 4}
    if kind == 0: return b"\0"
    if kind in (1, 2, 3, 5): return bytes([kind << 3 | sizes[len(data)]]) + data
    if len(data) < 256: return bytes([kind << 3 | 5, len(data)]) + data
    if len(data) < 65536: return bytes([kind << 3 | 6]) + b16(len(data)) + data
    return bytes([kind << 3 | 7]) + b32(len(data)) + data


def n8(x): return element(1, bytes([x & 255]))
def n16(x): return element(1, b16(x))
def n32(x): return element(1, b32(x))
def n64(x): return element(1, b64(x))
def uuid(x): return element(3, b16(x))
def text(x): return element(4, x)
def url(x): return element(8, x)
def yes(x): return element(5, bytes([x]))
def seq(*parts): return element(6, b"".join(parts))


class Database:
    """Answers of an SDP server."""

    def __init__(self, c):
        self.c, self.send, self.transaction = c, c.channel(1), 0

    def pdu(self, code, data, received=False):
        self.send(bytes([code]) + b16(self.transaction) + b16(len(data)) + data, received)

    def search(self, service, *records):
        """A search for a service class, and the records that are found."""
        self.transaction += 1
        self.pdu(6, seq(uuid(service)) + b16(1000) + seq(n32(0xFFFF)) + b"\0")
        lists = seq(*records)
        self.pdu(7, b16(len(lists)) + lists + b"\0", True)

    def record(self, service, *attributes):
        """A record of a service class with attributes: number and value in turn."""
        parts = [n16(0), n32(0x10000 + self.transaction), n16(1), seq(uuid(service))]
        for number, value in attributes:
            parts += [n16(number), value]
        self.search(service, seq(*parts))


def sdp(c):
    d = Database(c)
    # Every kind of element, in an attribute that no service defines.
    kinds = [element(0, b""), yes(0), yes(1), n8(7), n16(700), n32(70000), n64(1 << 40), element(1, some(16)), text(b"text"), text(b"x" * 300),
             url(b"http://example.org"), uuid(0x1101), element(3, b32(0x1101)), element(3, b32(0x12345678)), element(3, some(16)),
             element(3, bytes.fromhex("0000110100001000800000805f9b34fb")), seq(), seq(n8(1), seq(n8(2), uuid(0x110A))),
             element(7, n8(1) + n8(2))]
    kinds += [element(2, bytes([200])), element(2, b16(60000)), element(2, b32(0xFFFFFFFE)), element(2, b64(5)), element(2, some(16))]
    for value in kinds:
        d.record(0x1101, (0x0999, value))
    d.search(0x1101, seq(n16(0), n32(1)), seq(n16(0), n32(2)))
    d.search(0x1101)
    # Universal attributes.
    d.record(0x1101, (2, n32(9)), (3, uuid(0x1101)), (4, seq(seq(uuid(0x0100)), seq(uuid(3), n8(5)))), (5, seq(uuid(0x1002))),
             (6, seq(n16(0x656E), n16(106), n16(0x100), n16(0x6672), n16(106), n16(0x110))), (7, n32(600)), (8, n8(255)),
             (9, seq(seq(uuid(0x1101), n16(0x0102)), seq(uuid(0x110A), n16(0x0103)))), (10, url(b"http://a")), (11, url(b"http://b")),
             (12, url(b"http://c")), (13, seq(seq(seq(uuid(0x0100), n16(0x1B)), seq(uuid(0x17), n16(0x104))))),
             (0x100, text(b"name")), (0x101, text(b"description")), (0x102, text(b"provider")))
    d.record(0x1115, (4, seq(seq(uuid(0x0100), n16(15)), seq(uuid(15), n16(0x100), seq(n16(0x800), n16(0x806))))))
    d.record(0x1801, (4, seq(seq(uuid(0x0100), n16(31)), seq(uuid(7), n16(1), n16(9)))))
    # Attributes of services: numbers of one width each, in all their bits.
    features = {0x110A: [(0x311, 16)], 0x110B: [(0x311, 16)], 0x110C: [(0x311, 16)], 0x110E: [(0x311, 16)], 0x111E: [(0x311, 16)],
                0x111F: [(0x301, 8), (0x311, 16)], 0x1135: [(0x200, 16)], 0x1136: [(0x200, 16)], 0x112F: [(0x314, 8), (0x317, 32), (0x200, 16)],
                0x1132: [(0x315, 8), (0x316, 8), (0x317, 32), (0x200, 16)], 0x1133: [(0x317, 32), (0x200, 16)],
                0x1400: [(0x301, 8), (0x302, 8)], 0x1401: [(0x301, 8), (0x302, 8)], 0x1402: [(0x301, 8), (0x302, 8)],
                0x111A: [(0x310, 8), (0x311, 16), (0x312, 32), (0x313, 64), (0x200, 16)],
                0x111B: [(0x310, 8), (0x311, 16), (0x312, 32), (0x313, 64), (0x200, 16)], 0x111C: [(0x312, 32), (0x200, 16)],
                0x111D: [(0x312, 32), (0x200, 16)], 0x113A: [(0x200, 64), (0x201, 64), (0x202, 16)],
                0x113B: [(0x200, 64), (0x201, 64), (0x202, 16)], 0x113C: [(0x315, 8), (0x317, 32)], 0x113D: [(0x315, 8), (0x317, 32)],
                0x113E: [(0x315, 8), (0x317, 32)], 0x1109: [(0x301, 8)], 0x1108: [(0x302, 8)], 0x1200: [(n, 16) for n in range(0x200, 0x206)],
                0x1113: [(0x307, 8), (0x309, 8)], 0x1114: [(0x307, 8), (0x309, 8)], 0x1124: [(0x200, 16), (0x201, 16), (0x202, 8), (0x203, 8),
                (0x20B, 16), (0x20C, 16), (0x20F, 16), (0x210, 16)], 0x1105: [(0x200, 16)], 0x1106: [(0x200, 16)],
                0x1116: [(0x30A, 16), (0x30B, 16), (0x30C, 32)], 0x1115: [(0x30A, 16)], 0x1117: [(0x30A, 16)], 0x1118: [(0x362, 16), (0x364, 16)]}
    number = {8: n8, 16: n16, 32: n32, 64: n64}
    for service, attributes in features.items():
        for turn in range(max(len(values(width)) for _, width in attributes)):
            listed = []
            for which, width in attributes:
                all_values = values(width)
                listed.append((which, number[width](all_values[turn % len(all_values)])))
            d.record(service, *listed)
    # Lists of formats and stores.
    d.record(0x1105, (0x303, seq(n8(1), n8(2), n8(255))))
    d.record(0x1104, (0x301, seq(n8(1), n8(3), n8(5))))
    d.record(0x1107, (0x301, seq(n8(1))))
    # Booleans.
    for value in (0, 1):
        d.record(0x1124, *[(n, yes(value)) for n in (0x204, 0x205, 0x208, 0x209, 0x20A, 0x20D, 0x20E)])
        d.record(0x1103, (0x305, yes(value)), (0x306, text(b"+++")))
        d.record(0x1111, *[(n, yes(value)) for n in (0x302, 0x303, 0x304, 0x305)])
        d.record(0x1112, (0x302, yes(value)))
        d.record(0x1108, (0x302, yes(value)))
        d.record(0x1200, (0x204, yes(value)))
        for service in (0x1118, 0x1119, 0x1120, 0x1121, 0x1122, 0x1123):
            d.record(service, *[(n, yes(value)) for n in (0x356, 0x35E, 0x366, 0x370, 0x372)])
    # Texts.
    for service in (0x1118, 0x1119, 0x1120, 0x1121, 0x1122, 0x1123):
        for n in (0x350, 0x352, 0x354, 0x358, 0x35A, 0x35C, 0x360, 0x368, 0x36E, 0x374, 0x376, 0x378, 0x37A, 0x37C):
            d.record(service, (n, text(b"text %x" % n)))
        for n in (0x374, 0x376, 0x378, 0x37C):
            d.record(service, (n, url(b"http://text/%x" % n)))
        d.record(service, (0x362, n16(297)), (0x364, n16(210)), (0x352, some_element()))
    for service in (0x1125, 0x1126, 0x1127):
        d.record(service, (0x300, text(b"MFG:x;")), (0x302, text(b"name")), (0x304, text(b"friendly")), (0x306, text(b"place")))
    for service in (0x1113, 0x1114):
        d.record(service, (0x306, n32(0xC0A80001)), (0x307, n8(1)), (0x308, url(b"http://wap")), (0x309, n8(2)))
        d.record(service, (0x306, n32(0xC0A80001)), (0x308, text(b"http://wap")), (0x307, n8(9)), (0x309, n8(1)))
    d.record(0x1116, (0x30D, text(b"192.168.0.0/24")), (0x30E, text(b"fe80::/16")))
    d.record(0x1124, (0x206, seq(seq(n8(0x22), text(some(20))), seq(n8(0x23), text(some(3))))), (0x207, seq(seq(n16(0x409), n16(0x100)))))
    for bits in values(8):
        for service in (0x1400, 0x1401, 0x1402):
            d.record(service, (0x302, n8(bits)), (0x301, n8(bits)),
                     (0x200, seq(seq(n8(1), n16(0x1004), n8(0), text(b"oximeter")), seq(n8(2), n16(bits), n8(1)))))
    # Parts of a response, and errors.
    whole = seq(seq(n16(0), n32(7), n16(0x100), text(b"in three parts, which are put together")))
    d.transaction += 1
    for at in range(0, len(whole), 20):
        d.pdu(6, seq(uuid(0x1101)) + b16(20) + seq(n32(0xFFFF)) + (b"\0" if at == 0 else b"\2" + b16(at)))
        part = whole[at:at + 20]
        d.pdu(7, b16(len(part)) + part + (b"\2" + b16(at + 20) if at + 20 < len(whole) else b"\0"), True)
    d.transaction += 1
    d.pdu(2, seq(uuid(0x1101), uuid(0x110A)) + b16(10) + b"\0")
    d.pdu(3, b16(2) + b16(2) + b32(0x10001) + b32(0x10002) + b"\0", True)
    d.transaction += 1
    d.pdu(4, b32(0x10001) + b16(100) + seq(n16(1), n32(0x00040009)) + b"\0")
    listed = seq(n16(1), seq(uuid(0x1101)), n16(9), seq(seq(uuid(0x1101), n16(0x0102))))
    d.pdu(5, b16(len(listed)) + listed + b"\0", True)
    d.transaction += 1
    d.pdu(2, seq(uuid(0x1101)) + b16(2) + b"\0")
    d.pdu(3, b16(3) + b16(2) + b32(1) + b32(2) + b"\2\1\1", True)
    d.pdu(2, seq(uuid(0x1101)) + b16(2) + b"\2\1\1")
    d.pdu(3, b16(3) + b16(1) + b32(3) + b"\0", True)
    for code in range(7):
        d.transaction += 1
        d.pdu(4, b32(0x10001) + b16(100) + seq(n16(1)) + b"\0")
        d.pdu(1, b16(code), True)


def some_element(): return n64(R.getrandbits(64))


# AVDTP, media, AVCTP and AVRCP

def avdtp(c):
    send = c.channel(0x19)
    label = 0

    def ask(signal, data, answer=None):
        nonlocal label
        send(bytes([label << 4, signal]) + data)
        if answer is not None: send(bytes([label << 4 | 2, signal]) + answer, True)
        label = (label + 1) % 16

    for bits in values(8):
        ask(1, b"", bytes([bits, bits ^ 0x55, 0x08, 0x08]))
        send(bytes([label << 4, bits & 0xC0 | 2, 0x04]))
        ask(2, bytes([bits]), b"")
        ask(6, bytes([bits]))
        ask(3, bytes([bits, bits ^ 3, 1, 0]), b"")
        ask(2, b"\4", bytes([5, 1, bits]))
        ask(2, b"\4", bytes([6, 3, bits, bits, bits ^ 0x0F]))
        ask(2, b"\4", bytes([7, 6, bits & 15, 0, 0xFF, 0xFF, bits, bits ^ 0xFF]))
        ask(2, b"\4", bytes([7, 6, 0, 1, bits, bits, bits, bits ^ 0x81]))
        ask(2, b"\4", bytes([7, 8, 0, 2, bits, bits ^ 0x81, bits, bits ^ 0x7E, bits, 1]))
        ask(2, b"\4", bytes([7, 9, 0, 4, bits, bits, bits ^ 0x81, bits, bits, 3, bits]))
        ask(2, b"\4", bytes([7, 9, 0, 0xFF]) + u32(0x4F) + u16(1) + bytes([bits]))
        ask(2, b"\4", bytes([7, 13, 0, 0xFF]) + u32(0xD7) + u16(0x24) + bytes([bits]) + some(4))
        ask(2, b"\4", bytes([7, 10, 0, 0xFF]) + u32(0x12D) + u16(0xAA) + bytes([bits, bits ^ 0xA5]))
        ask(2, b"\4", bytes([7, 11, 0, 0xFF]) + u32(0x1234) + u16(0x56) + some(3))
        for video in (1, 2, 3, 4, 5):
            ask(2, b"\4", bytes([7, 3, 0x10, video, bits]))
        ask(2, b"\4", bytes([7, 10, 0x10, 0xFF]) + u32(0x1234) + u16(0x56) + some(2))
        ask(2, b"\4", bytes([7, 4, 0x20, 1, bits, bits]))
        ask(2, b"\4", bytes([4, 2, 2, 0, 4, 3, bits, 0, 7]))
    ask(2, b"\4", bytes([7, 8, 0, 0, 0xFF, 0xFF, 2, 53, 1, 2]))
    ask(11, b"\4\1\2\3", b"\4\5")
    for codec in (bytes([7, 6, 0, 0, 0x21, 0x15, 2, 53]), bytes([7, 9, 0, 0xFF]) + u32(0x4F) + u16(1) + b"\x22"):
        media(c, send, codec, ask)


def media(c, send, codec, ask):
    """A stream from its configuration to its end, with and without content protection."""
    for protection in (b"", bytes([4, 2, 2, 0])):
        ask(1, b"", bytes([0x04, 0x08, 0x08, 0x00]))
        ask(3, bytes([1 << 2, 2 << 2, 1, 0]) + codec + protection, b"")
        ask(6, bytes([1 << 2]), b"")
        stream = c.channel(0x19)
        ask(7, bytes([1 << 2]), b"")
        for bits in (0, 1, 2, 3, 0xFC, 0xFF):
            rtp = bytes([0x80, 0x60]) + b16(bits) + b32(1000) + b32(1)
            stream(rtp + (bytes([bits]) if protection else b"") + bytes([1]) + bytes([0x9C, 0x31, 8, 0x55]) + some(20))
        ask(9, bytes([1 << 2]), b"")
        ask(8, bytes([1 << 2]), b"")


def avrcp(c):
    send, browse = c.channel(0x17), c.channel(0x1B)
    label = 0

    def control(ctype, opcode, data, received=False, subunit=0x48, header=0):
        nonlocal label
        send(bytes([label << 4 | (2 if received else 0) | header]) + b16(0x110E) + bytes([ctype, subunit, opcode]) + data, received)
        if received: label = (label + 1) % 16

    def vendor(pdu, data, answer=None, ctype=1, response=12, packet=0, at=0x1958):
        head = b24(at) + bytes([pdu, packet])
        control(ctype, 0, b24(at) + bytes([pdu, packet & 0xFC]) + b16(len(data)) + data)
        if answer is not None: control(response, 0, head + b16(len(answer)) + answer, True)

    def browsing(pdu, data, answer):
        nonlocal label
        browse(bytes([label << 4]) + b16(0x110E) + bytes([pdu]) + b16(len(data)) + data)
        browse(bytes([label << 4 | 2]) + b16(0x110E) + bytes([pdu]) + b16(len(answer)) + answer, True)
        label = (label + 1) % 16

    def element(number, value): return b32(number) + b16(106) + b16(len(value)) + value

    for bits in values(8):
        control(bits, 0x7C, bytes([bits, 0]))
        control(9, 0x7C, bytes([bits, 0]), True)
        vendor(0x50, bytes([bits]), bytes([bits ^ 0xFF]), 0, 9)
        vendor(0x31, bytes([13]) + b32(0), bytes([13, bits]), 3, 13)
        vendor(0x30, b"", b32(1000) + b32(500) + bytes([1]), packet=bits & 0xFC)
        control(1, 0x30, bytes([bits] * 5))
        control(12, 0x30, bytes([7, bits]) + b24(0x1958), True)
        control(1, 0x31, bytes([bits] + [255] * 4))
        control(12, 0x31, bytes([bits, 0x48, 255, 255, 255]), True)
    for header in range(2):
        control(1, 0x30, b"\xff" * 5, header=header)
        control(12, 0x30, bytes([7, 0x48]) + b24(0x1958), True, header=header)
    vendor(0x20, b64(0) + bytes([0]), bytes([3]) + element(1, b"title") + element(2, b"artist") + element(7, b"1000"))
    vendor(0x20, b64(0) + bytes([2]) + b32(1) + b32(2), bytes([2]) + element(1, b"title") + element(2, b""))
    vendor(0x10, b"\3", bytes([3, 3, 1, 2, 13]))
    vendor(0x10, b"\2", bytes([2, 2]) + b24(0x1958) + b24(0x2233))
    vendor(0x11, b"", bytes([2, 1, 2]))
    vendor(0x12, b"\2", bytes([3, 1, 2, 3]))
    vendor(0x13, bytes([2, 1, 2]), bytes([2, 1, 1, 2, 3]))
    vendor(0x14, bytes([2, 1, 1, 2, 3]), b"", 0, 9)
    vendor(0x15, bytes([1, 2]), bytes([1, 2]) + b16(106) + bytes([4]) + b"text")
    vendor(0x16, bytes([2, 1, 1]), bytes([1, 1]) + b16(106) + bytes([3]) + b"off")
    vendor(0x17, bytes([1]) + b16(106), b"", 0, 9)
    vendor(0x18, b"\1", b"", 0, 9)
    vendor(0x60, b16(1), b"\4", 0, 9)
    vendor(0x30, b"", b32(1000) + b32(500) + bytes([1]) + b"more")
    for event, data in ((1, b"\1"), (2, b64(5)), (3, b""), (4, b""), (5, b32(9)), (6, b"\1"), (7, b"\1"), (8, bytes([1, 1, 2])), (9, b""),
                        (10, b""), (11, b16(1) + b16(2)), (12, b16(3))):
        vendor(0x31, bytes([event]) + b32(1), bytes([event]) + data, 3, 15)
    vendor(0x99, b"\1\2", b"\3", at=0x1958)
    vendor(0x10, b"\1\2", b"\3", at=0x00E0)
    # A player's features, one at a time and together.
    for bits in values(128)[:130] + [R.getrandbits(128) for _ in range(4)]:
        name = b"player"
        player = b16(1) + bytes([1]) + b32(0) + bytes([1]) + bits.to_bytes(16, "little") + b16(106) + b16(len(name)) + name
        browsing(0x71, bytes([0]) + b32(0) + b32(9) + bytes([255]), b"\4" + b16(1) + b16(1) + bytes([1]) + b16(len(player)) + player)
    folder = b64(2) + bytes([1, 0]) + b16(106) + b16(6) + b"folder"
    song = b64(3) + bytes([0]) + b16(106) + b16(4) + b"song" + bytes([2]) + element(1, b"title") + element(2, b"artist")
    listed = bytes([2]) + b16(len(folder)) + folder + bytes([3]) + b16(len(song)) + song + bytes([3]) + b16(len(song)) + song
    browsing(0x71, bytes([1]) + b32(0) + b32(9) + bytes([2]) + b32(1) + b32(2), b"\4" + b16(1) + b16(3) + listed)
    browsing(0x71, bytes([1]) + b32(0) + b32(9) + bytes([0]), b"\x0b")
    browsing(0x70, b16(1), b"\4" + b16(1) + b32(9) + b16(106) + bytes([2]) + b16(1) + b"a" + b16(2) + b"bc")
    browsing(0x70, b16(1), b"\4" + b16(1) + b32(9) + b16(106) + bytes([0]))
    browsing(0x72, b16(1) + bytes([1]) + b64(2), b"\4" + b32(4))
    browsing(0x73, bytes([1]) + b64(3) + b16(1) + bytes([0]), b"\4" + bytes([1]) + element(1, b"title"))
    browsing(0x73, bytes([1]) + b64(3) + b16(1) + bytes([1]) + b32(1), b"\4" + bytes([1]) + element(1, b"title"))
    browsing(0x75, bytes([1]), b"\4" + b16(1) + b32(7))
    browsing(0x80, b16(106) + b16(4) + b"word", b"\4" + b16(1) + b32(7))
    vendor(0x74, bytes([1]) + b64(3) + b16(1), b"\4", 0, 9)
    vendor(0x90, bytes([1]) + b64(3) + b16(1), b"\4", 0, 9)
    # Fragments.
    vendor(0x20, b64(0) + bytes([0]), bytes([2]) + element(1, b"in two parts"), packet=1)
    vendor(0x40, b"\x20", None, 0)
    head = b24(0x1958) + bytes([0x20, 3])
    control(12, 0, head + b16(10) + element(2, b"ab"), True)
    send(bytes([4, 2]) + b16(0x110E) + bytes([0, 0x48, 0]) + b24(0x1958) + bytes([0x20, 0]))
    send(bytes([12]) + b16(9) + b64(0) + b"\0")
    control(0, 0x7C, bytes([0x7E, 5]) + b24(0x1958) + b16(1))
    control(0, 0x7C, bytes([0x7E, 3, 1, 2, 3]))


# Headsets

def headset(c, service, channel, lines):
    """A server channel from a record, and lines from both sides."""
    d = Database(c)
    d.record(service, (4, seq(seq(uuid(0x0100)), seq(uuid(3), n8(channel)))))
    send = c.channel(3)
    send(frame(0, 1, 0x3F))
    send(frame(0, 1, 0x73), True)
    send(frame(channel << 1, 1, 0x3F))
    send(frame(channel << 1, 1, 0x73), True)
    for line, received in lines:
        send(frame(channel << 1, 0 if received else 1, 0xEF, line), received)


def hands_free(c):
    lines = []
    for bits in list(range(16)):
        lines.append((b"AT+XAPL=05AC-1234-0001,%d\r" % (1 << bits), False))
        lines.append((b"\r\n+XAPL=iPhone,%d\r\n" % (1 << bits), True))
        lines.append((b"AT+BRSF=%d\r" % (1 << bits), False))
        lines.append((b"\r\n+BRSF: %d\r\n" % (1 << bits), True))
        lines.append((b"AT+VGS=%d\r" % bits, False))
        lines.append((b"\r\n+VGM: %d\r\n" % (bits * 2), True))
    for line in (b"AT+BIA=" + b",".join(b"%d" % (n & 1) for n in range(20)), b"AT+BIA=1,,0,,2", b"AT+CMER=3,0,0,1", b"AT+CMER=3,0,0,1,0",
                 b"AT+CMER=1,1,2,3,4", b"AT+CLIP=1", b"AT+CLIP=5", b"AT+CHLD=?", b"AT+CHLD=0", b"AT+CHLD=1", b"AT+CHLD=12", b"AT+CHLD=2",
                 b"AT+CHLD=3", b"AT+CHLD=4", b"AT+CHLD=9", b"AT+VGS=16", b"AT+VGM=20", b"AT+NREC=0", b"AT+NREC=1", b"AT+BVRA=0", b"AT+BVRA=7",
                 b"AT+BCS=1", b"AT+BCS=2", b"AT+BCS=3", b"AT+BAC=1,2", b"AT+BAC=1,7", b"AT+BTRH=0", b"AT+BTRH=5", b"AT+BINP=1", b"AT+BINP=2",
                 b"AT+BIEV=1,1", b"AT+BIEV=99,5", b"AT+BIEV=70000,70000", b"AT+BIND=1,2", b"AT+BIND?", b"AT+BIND=?", b"AT+VTS=1", b"AT+VTS=11",
                 b"AT+VTS=#", b"AT+VTS=a,5", b"AT+CMEE=1", b"AT+CCWA=1", b"AT+COPS=3,0", b"AT+COPS?", b"AT+CNUM", b"AT+CIND?", b"AT+CIND=?",
                 b"AT+CLCC", b"AT+APLEFM=1", b"AT+APLEFM=5", b"AT+APLSIRI?", b"AT+IPHONEACCEV=1,1,5", b"AT+IPHONEACCEV=2,1,5,2,0",
                 b"AT+IPHONEACCEV=1,7,5", b"AT+BLDN", b"AT+CHUP", b"ATA", b"ATD123;", b"ATD>3;", b"AT+CSQ", b"AT+NOTHING=5", b"AT+CKPD=200",
                 b"AT+VGS?", b"AT+VGS=1,2,3", b"AT+BCS=1,5", b"AT+CHLD=1,2", b"AT+CLIP=1,2", b"AT+NREC=0,1", b"AT+BCC", b"AT+CSCS=\"UTF-8\""):
        lines.append((line + b"\r", False))
        lines.append((b"\r\nOK\r\n", True))
    for line in (b"+CIND: " + b",".join(b"%d" % n for n in range(20)), b"+CIND: (\"call\",(0,1)),(\"callsetup\",(0-3))",
                 b"+CIND: " + b",".join(b"(\"x%d\",(0,1))" % n for n in range(20)), b"+CIEV: 1,1", b"+CIEV: 11,5", b"+CIEV: 20,3", b"+CIEV: 21,3",
                 b"+CLIP: \"123\",129", b"+CLIP: \"123\",300,\"sub\",128,\"alpha\",0", b"+CCWA: \"123\",145,1", b"+CLCC: 1,0,0,0,0",
                 b"+CLCC: 1,1,4,0,1,\"123\",129", b"+CNUM: ,\"123\",129,,4", b"+CNUM: ,\"123\",200,5,9,3", b"+COPS: 0,0,\"name\"", b"+BSIR: 1",
                 b"+BSIR: 3", b"+BVRA: 1", b"+BVRA: 2", b"+BTRH: 1", b"+BINP: \"123\"", b"+BCS: 1", b"+BCS: 9", b"+CHLD: (0,1,2,3)",
                 b"+CME ERROR: 30", b"+VGS: 15", b"+VGS: 17", b"RING", b"ERROR", b"BUSY", b"NO CARRIER", b"+APLSIRI:1", b"+APLSIRI:5",
                 b"+BIND: (1,2)", b"+BIND: 1,1", b"+NOTHING: 1"):
        lines.append((b"\r\n" + line + b"\r\n", True))
    for number in range(1, 22):
        lines.append((b"\r\n+CIEV: %d,%d\r\n" % (number, number & 1), True))
    headset(c, 0x111F, 5, lines)


def plain_headset(c):
    lines = []
    for line in (b"AT+CKPD=200", b"AT+CKPD=100", b"AT+VGS=5", b"AT+VGS=16", b"AT+VGM=15", b"AT+VGM=77", b"AT+BRSF=1", b"AT+NOTHING", b"AT+VGS=1,2"):
        lines.append((line + b"\r", False))
        lines.append((b"\r\nOK\r\n", True))
    for line in (b"RING", b"+VGS=5", b"+VGM: 20", b"+VGM=99", b"ERROR", b"+OTHER: 5"):
        lines.append((b"\r\n" + line + b"\r\n", True))
    headset(c, 0x1112, 6, lines)


# OBEX

def objects(c, service, channel, target, tags):
    """A session with a profile, one parameter at a time."""
    d = Database(c)
    d.record(service, (4, seq(seq(uuid(0x0100)), seq(uuid(3), n8(channel)), seq(uuid(8)))))
    send = c.channel(3)
    send(frame(0, 1, 0x3F))
    send(frame(0, 1, 0x73), True)
    send(frame(channel << 1, 1, 0x3F))
    send(frame(channel << 1, 1, 0x73), True)

    def data(packet, received=False): send(frame(channel << 1, 0 if received else 1, 0xEF, packet), received)

    def packet(code, body, received=False): data(bytes([code]) + b16(3 + len(body)) + body, received)

    def header(kind, value): return bytes([kind]) + (b16(3 + len(value)) if kind >> 6 < 2 else b"") + value

    def get(headers, answer=b""):
        packet(0x83, headers)
        packet(0xA0, answer, True)

    connect = bytes([0x10, 0]) + b16(0x1000)
    packet(0x80, connect + header(0x46, target))
    packet(0xA0, connect + header(0xCB, b32(1)) + header(0x4A, target), True)
    for tag, value in tags:
        parameter = bytes([tag, len(value)]) + value
        get(header(0xCB, b32(1)) + header(0x4C, parameter), header(0x4C, parameter))
    get(header(0xCB, b32(1)) + header(0x4C, b"".join(bytes([tag, len(value)]) + value for tag, value in tags[:12])))
    # Headers that no profile defines, and all standard ones.
    for value in (0, 1, 200, 255):
        get(header(0xC0, b32(value)) + header(0xC3, b32(value)) + header(0xC4, b32(value)) + header(0xCF, b32(value)) + header(0xD6, b32(value)))
        get(header(0x93, bytes([value])) + header(0x94, bytes([value & 3])) + header(0x97, bytes([value])) + header(0x98, bytes([value])))
    get(header(0x50, some(2)) + header(0x51, b"class"))
    get(header(0x01, "name\0".encode("utf-16-be")) + header(0x42, b"x-bt/phonebook\0") + header(0x44, b"20220101T000000Z"))
    session = bytes([0, 6]) + some(6) + bytes([1, 16]) + some(16) + bytes([2, 16]) + some(16) + bytes([3, 1, 9]) + bytes([4, 4]) + b32(77)
    for code in range(5):
        packet(0x87, header(0x52, session + bytes([5, 1, code])))
        packet(0xA0, header(0x52, session), True)
    packet(0x87, header(0x52, bytes([9, 3, 1, 2, 3])))
    for bits in values(8):
        get(header(0x4D, bytes([0, 16]) + some(16) + bytes([1, 1, bits]) + bytes([2, 6, 0]) + b"realm"))
    get(header(0x4E, bytes([0, 16]) + some(16) + bytes([1, 4]) + b"user" + bytes([2, 16]) + some(16)))
    get(header(0x4D, bytes([7, 2, 1, 2])))
    # Folders.
    for name, flags in (("telecom", 2), ("pb", 2), ("", 3), ("", 2), ("other", 0), ("up", 3)):
        wide = (name + "\0").encode("utf-16-be") if name else b""
        packet(0x85, bytes([flags, 0]) + header(0xCB, b32(1)) + header(0x01, wide))
        packet(0xA0, b"", True)
    packet(0x85, bytes([3, 0]) + header(0xCB, b32(1)))
    packet(0xA0, b"", True)
    # A fragmented packet.
    long = bytes([0x02]) + b16(3 + 3 + 400) + header(0x48, some(400))
    for at in range(0, len(long), 120):
        data(long[at:at + 120])
    packet(0x90, b"", True)
    packet(0x81, b"")
    packet(0xA0, b"", True)


def phone_book(c):
    tags = []
    for tag, width in ((1, 8), (3, 8), (4, 16), (5, 16), (6, 64), (7, 8), (8, 16), (9, 8), (12, 64), (14, 8), (15, 8), (16, 32)):
        tags += [(tag, value.to_bytes(width // 8, "big")) for value in (values(width) if width != 16 else [0, 65535, 77])]
    tags += [(2, b"name"), (10, some(16)), (11, some(16)), (13, some(16)), (0x77, some(3)), (4, b"\1")]
    objects(c, 0x112F, 7, bytes.fromhex("796135f0f0c511d809660800200c9a66"), tags)


def messages(c):
    tags = [(5, b"20220101T000000"), (6, b"20220202T000000"), (7, b"recipient"), (8, b"originator"), (0x19, b"20220101T000000+0100")]
    for tag, width in ((1, 16), (2, 16), (3, 8), (4, 8), (9, 8), (0x0A, 8), (0x0B, 8), (0x0C, 8), (0x0D, 8), (0x0E, 8), (0x0F, 8), (0x10, 32),
                       (0x11, 16), (0x12, 16), (0x13, 8), (0x14, 8), (0x15, 8), (0x16, 8), (0x17, 8), (0x18, 8), (0x1B, 32), (0x1D, 32),
                       (0x28, 16), (0x29, 32)):
        tags += [(tag, value.to_bytes(width // 8, "big")) for value in (values(width) if width != 16 else [0, 65535, 77])]
    objects(c, 0x1132, 8, bytes.fromhex("bb582b40420c11dbb0de0800200c9a66"), tags)


def images(c):
    tags = []
    for tag, width in ((1, 16), (2, 16), (3, 8), (4, 32), (5, 32), (6, 32), (7, 8), (8, 8), (10, 8)):
        tags += [(tag, value.to_bytes(width // 8, "big")) for value in [0, (1 << width) - 1, 1, R.getrandbits(width)]]
    tags += [(9, bytes.fromhex("0000111b00001000800000805f9b34fb"))]
    objects(c, 0x111A, 9, bytes.fromhex("e33d954583744ad79ec5c16be31ede8e"), tags)


def printing(c):
    tags = []
    for tag, width in ((1, 32), (2, 32), (3, 32), (4, 32)):
        tags += [(tag, value.to_bytes(width // 8, "big")) for value in [0, (1 << width) - 1, 1, R.getrandbits(width)]]
    objects(c, 0x1118, 10, bytes.fromhex("0000111800001000800000805f9b34fb"), tags)


def beacons(c):
    for data in (u16(0x4C) + b"\x02\x15" + some(20) + b"\xc5", u16(0x4C) + b"\x10\x05" + some(5), u16(0x118) + b"\xbe\xac" + some(20) + b"\xc5\x42",
                 u16(0x118) + b"\xbe\xad" + some(20)):
        data = structure(0xFF, data)
        c.event(0x3E, bytes([2, 1, 3, 1]) + bytes.fromhex("01005e0053c1") + bytes([len(data)]) + data + bytes([0xC0]))


def serial_lines(c):
    """A modem and a GNSS receiver, on RFCOMM channels that records name."""
    d = Database(c)
    send = c.channel(3)
    send(frame(0, 1, 0x3F))
    send(frame(0, 1, 0x73), True)
    for service, channel, lines in ((0x1103, 12, (b"ATE0\r", b"AT+CSQ\r")), (0x1135, 13, (b"$GPGGA,1,2*3C\r\n", b"$GPRMC,4*5D\r\n"))):
        d.record(service, (4, seq(seq(uuid(0x0100)), seq(uuid(3), n8(channel)))))
        send(frame(channel << 1, 1, 0x3F))
        send(frame(channel << 1, 1, 0x73), True)
        for line in lines:
            send(frame(channel << 1, 1, 0xEF, line))
            send(frame(channel << 1, 0, 0xEF, b"\r\nOK\r\n"), True)


def calendar(c):
    tags = [(tag, text) for tag in (4, 5, 0x0B, 0x0E) for text in (b"20220101T000000", b"20220101T000000+0100")] + [(0x0A, b"mailto:anna@example.org")]
    for tag, width in ((1, 8), (2, 8), (3, 8), (6, 32), (7, 8), (8, 8), (9, 32), (0x0C, 8), (0x0D, 8), (0x41, 16), (0x42, 16), (0x43, 8), (0x44, 8),
                       (0x46, 16)):
        tags += [(tag, value.to_bytes(width // 8, "big")) for value in (values(width) if width != 16 else [0, 65535, 77])]
    objects(c, 0x113C, 11, bytes.fromhex("0000113c00001000800000805f9b34fb"), tags + [(0x77, some(3)), (6, b"\1")])


# BNEP, HID and 6LoWPAN

def ethernet(c):
    send = c.channel(0x0F)
    for first in (0, 1, 2, 3, 0xFF, 0x33, 0x55):
        for kind in (0x0800, 0x86DD, 0x88CC, 0x05DC, 0x0003, 0x0100, 0x05FF):
            send(bytes([0, first]) + some(5) + bytes([first]) + some(5) + b16(kind) + some(20))
            send(bytes([2]) + b16(kind) + some(20))
            send(bytes([3, first]) + some(5) + b16(kind) + some(20), True)
            send(bytes([4, first]) + some(5) + b16(kind) + some(20))


def human(c):
    send = c.channel(0x11)
    for first in range(256):
        send(bytes([first]) + bytes([1, 2, 3])[:first & 3])


def sim_access(c):
    Database(c).record(0x112D, (4, seq(seq(uuid(0x100)), seq(uuid(3), n8(9)))))
    send = c.channel(3)
    send(frame(0, 1, 0x3F))
    send(frame(0, 1, 0x73), True)
    send(frame(18, 1, 0x3F))
    send(frame(18, 1, 0x73), True)

    def say(kind, *parameters, received=False):
        body = bytes([kind, len(parameters), 0, 0])
        for number, value in parameters:
            body += bytes([number, 0]) + b16(len(value)) + value + bytes(-len(value) % 4)
        send(frame(18, 0 if received else 1, 0xEF, body), received)

    for kind in range(0x16):
        say(kind, received=kind & 1 == 1)
    for value in (0, 1, 2, 4, 7, 8, 0x10, 0x20, 0x40, 0x80, 0xFF):
        for number in (1, 2, 3, 7, 8, 9):
            say(1, (number, bytes([value])), received=True)
        say(0, (0, b16(value << 3)))
        say(0, (0, b16(value)), (0x20, some(value % 9)))
        say(1, (2, bytes([value])), (1, bytes([value & 3])), received=True)


def health(c):
    Database(c).record(0x1401, (4, seq(seq(uuid(0x100), n16(0x1001)), seq(uuid(0x1E), n16(0x100)))))
    send = c.channel(0x1001)
    lengths = {0: 3, 1: 4, 2: 3, 3: 2, 4: 3, 5: 2, 6: 3, 7: 2, 8: 3, 0x11: 2, 0x12: 8, 0x13: 13, 0x14: 15, 0x15: 14}
    for code, length in lengths.items():
        for _ in range(3):
            send(bytes([code]) + some(length), code & 1 == 0)
        send(bytes([code]) + bytes([255] * length), code & 1 == 0)
        send(bytes([code, 0]) + some(length + 1), code & 1 == 0)


def hardcopy(c):
    """A printer with its three channels; it opens the last one itself, to the host's own record."""
    d = Database(c)
    d.record(0x1126, (4, seq(seq(uuid(0x100), n16(0x1001)), seq(uuid(0x12)))),
             (0x0D, seq(seq(seq(uuid(0x100), n16(0x1003)), seq(uuid(0x14))))))
    own = seq(seq(n16(0), n32(0x10001), n16(1), seq(uuid(0x1125)), n16(4), seq(seq(uuid(0x100), n16(0x1005)), seq(uuid(0x16)))))
    d.pdu(6, seq(uuid(0x1125)) + b16(1000) + seq(n32(0xFFFF)) + b"\0", True)
    d.pdu(7, b16(len(own)) + own + b"\0")
    control, data = c.channel(0x1001), c.channel(0x1003)
    c.identifier += 1
    near, far = c.next, c.next + 1
    c.next += 2
    c.acl(1, 1, bytes([2, c.identifier]) + u16(4) + u16(0x1005) + u16(far), True)
    c.acl(1, 1, bytes([3, c.identifier]) + u16(8) + u16(near) + u16(far) + u16(0) + u16(0), False)
    transaction = 0

    def ask(number, request, *answers):
        nonlocal transaction
        for answer in answers:
            transaction += 1
            control(b16(number) + b16(transaction) + b16(len(request)) + request)
            control(b16(number) + b16(transaction) + b16(len(answer)) + answer, True)

    done = b16(1)
    for value in (0, 1, 0xFFFF, 0xFFFFFFFF, R.getrandbits(32)):
        ask(1, b32(value), done, b16(0), b16(0xFFFF))
        ask(2, b"", done + b32(value), b16(2))
        ask(3, b32(value), done + b32(value))
        ask(4, b32(value), done + b32(value))
        ask(9, bytes([value & 1]) + b32(value) + b32(value >> 3), done + b32(value) + b32(value >> 5))
        ask(10, b"", done + b32(value))
        ask(6, b16(value) + b16(value >> 1), done + b"MFG:Example;MDL:Paper;")
        c.acl(1, near, b16(1) + b32(value), True)
    for bits in values(8):
        ask(5, b"", done + bytes([bits]))
    for number in (7, 8):
        ask(number, b"", done)
    for number in (0, 0x0B, 0x8000, 0xFFFF):
        ask(number, some(3), done + some(2), done)
        c.acl(1, near, b16(number) + some(3), True)
    ask(1, b32(1) + b"\5", done + b"\6")
    c.acl(1, near, b16(1) + b32(7) + b"\1", True)
    c.acl(1, far, b16(1) + b32(7), False)
    data(b"\x1b%-12345X@PJL\r\n" + some(30))
    data(b"@PJL INFO STATUS\r\n", True)


def video(c):
    """Two video streams, the second with a vendor's codec and protection."""
    send = c.channel(0x19)
    for number, (codec, more) in enumerate(((bytes([1, 0x80]), b""), (bytes([255]) + u32(0x4F) + u16(9) + b"\1", bytes([4, 2]) + u16(2))), 1):
        send(bytes([0x00, 1]))
        send(bytes([0x02, 1, 1 << 2, 0x10, 2 << 2, 0x10]), True)
        configuration = bytes([1, 0, 7, len(codec) + 1, 0x10]) + codec + more
        send(bytes([0x10, 2, number << 2]))
        send(bytes([0x12, 2]) + configuration, True)
        send(bytes([0x30, 3, number << 2, (number + 4) << 2]) + configuration)
        send(bytes([0x32, 3]), True)
        send(bytes([0x40, 6, number << 2]))
        send(bytes([0x42, 6]), True)
        media = c.channel(0x19)
        send(bytes([0x50, 7, number << 2]))
        send(bytes([0x52, 7]), True)
        near, far = c.next - 2, c.next - 1
        for packet in range(4):
            media(bytes([0x80, 0x60]) + b16(packet) + b32(packet * 100) + b32(1) + some(20))
        send(bytes([0x60, 8, number << 2]))
        send(bytes([0x62, 8]), True)
        c.acl(1, 1, bytes([6, 0x70 + number]) + u16(4) + u16(far) + u16(near), False)
        c.acl(1, 1, bytes([7, 0x70 + number]) + u16(4) + u16(far) + u16(near), True)


def legacy_glasses(c):
    """Announcements of the 3D television's manufacturer, from before the profile, and the length of out-of-band data."""
    for bits in values(8):
        data = structure(0xFF, u16(0x0F) + bytes([0, bits, R.randrange(256)])) + structure(0x0B, u16(300))
        c.event(0x3E, bytes([2, 1, 0, 0]) + bytes.fromhex("010203040506") + bytes([len(data)]) + data + bytes([0xC0]))


def glasses(c):
    send = c.channel(0x21)
    for value in values(8):
        send(bytes([0, value, value]))
    send(b"\0\1\2\3")
    send(b"\5\1\2")


def six_lowpan(c):
    send = c.credit_channel(0x23)
    for first in range(0x60, 0x80):
        for second in (0, 0x10, 0x20, 0x30, 0x33, 0x03, 0x02, 0x01, 0x08, 0x09, 0x0A, 0x0B, 0x45, 0x55, 0x66, 0x77, 0x80, 0xF7, 0x0C, 0x85, 0x8C):
            data = bytes([first, second])
            if second & 0x80: data += some(1)
            data += some((4, 3, 1, 0)[first >> 3 & 3])
            if not first & 4: data += bytes([59])
            if not first & 3: data += some(1)
            source = second >> 4 & 3
            if second & 0x40: data += some((0, 8, 2, 0)[source])
            else: data += some((16, 8, 2, 0)[source])
            target = second & 3
            if second & 8: data += some((6, 0, 0, 0)[target]) if second & 4 else some((16, 6, 4, 1)[target])
            elif second & 4: data += some((0, 8, 2, 0)[target])
            else: data += some((16, 8, 2, 0)[target])
            if first & 4:
                head = R.choice((0xF0, 0xF1, 0xF2, 0xF3, 0xF4, 0xF7))
                data += bytes([head]) + some((4, 3, 3, 1)[head & 3]) + (b"" if head & 4 else some(2)) + b"data"
            else:
                data += some(4)
            send(data)
    base = bytes([0x7E, 0x33])
    for extension in (0xE0, 0xE2, 0xE4, 0xE6, 0xE8):
        send(base + bytes([extension, 59, 6]) + some(6) + b"data")
        send(base + bytes([extension | 1, 6]) + some(6) + bytes([0xF3]) + some(3) + b"data")
    # A complete header, the header of RFC 4944, meshes, fragments, routing headers.
    whole = bytes([0x41, 0x60, 0, 0, 0]) + b16(8) + bytes([17, 64]) + some(32) + b16(1) + b16(2) + b16(8) + b16(0)
    send(whole)
    for encoding in values(8):
        send(bytes([0x42, encoding]) + (bytes([R.choice((0, 0x20, 0x40, 0x80, 0xE0))]) if encoding & 7 == 3 else b"") + some(50))
    for mesh in range(0x80, 0xC0):
        size = (1 if mesh & 15 == 15 else 0) + (2 if mesh & 0x20 else 8) + (2 if mesh & 0x10 else 8)
        send(bytes([mesh]) + some(size))
    send(bytes([0x50, 7]))
    for size in (24, 48):
        send(b16(0xC000 | size) + b16(size) + whole[:25])
        send(b16(0xE000 | size) + b16(size) + bytes([3]) + whole[25:])
    for first in (0xE8, 0xE9, 0xEA, 0xEB):
        send(bytes([first, 1]) + b16(R.getrandbits(16)) + b16(50))
        send(bytes([first, 2]) + b16(R.getrandbits(10)) + b16(50))
    send(some(3))
    send(b"\0" + some(10))


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for build in (device_classes, advertising, rfcomm, sdp, avdtp, avrcp, hands_free, plain_headset, phone_book, messages, images, printing,
                  ethernet, human, six_lowpan, sim_access, health, glasses, hardcopy, video,
                  legacy_glasses, calendar, beacons, serial_lines):
        c = Capture()
        c.connect()
        build(c)
        path = os.path.join(folder, "services-" + build.__name__.replace("_", "-") + ".btsnoop")
        c.write(path)
        # tshark needs settings: that a service uses OBEX, which profile's parameters these are, and the format of manufacturer data.
        told = {calendar: ["btrfcomm.dlci==22,obex", "obex.profile==0,obex.parameter.bt.ctn"],
                beacons: ["btcommon.eir_ad.manufacturer_company_id==0x004c,ibeacon", "btcommon.eir_ad.manufacturer_company_id==0x0118,alt_beacon"]}
        if build in told:
            with open(path + ".json", "w") as file:
                json.dump({"tshark": [word for rule in told[build] for word in ("-d", rule)], "btscribe": []}, file)


if __name__ == "__main__":
    main()
