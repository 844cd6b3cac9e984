#!/usr/bin/env python3
"""attributes.py FOLDER: writes captures with every attribute value that Wireshark 4.0 decodes: each characteristic and descriptor with random
values of all lengths, all flags clear, set and one by one, all operations of the control points, read, written, notified and indicated.
The captures are the same in every run."""
import pathlib
import random
import struct
import sys

# The descriptors and characteristics of the Bluetooth SIG that have fields of their own.
SIG = ([*range(0x2900, 0x2907), *range(0x2908, 0x290F)]
       + [*range(0x2A00, 0x2A05), *range(0x2A06, 0x2A22), *range(0x2A23, 0x2A2D), *range(0x2A2F, 0x2A32), *range(0x2A34, 0x2A4B), 0x2A4C, 0x2A4D]
       + [*range(0x2A4E, 0x2A61), *range(0x2A63, 0x2A7C), *range(0x2A7D, 0x2ACA), 0x2ACC, *range(0x2ACD, 0x2AD3), *range(0x2AD3, 0x2ADF)])
# The micro:bit's characteristics, by the part of the UUID in which they differ.
MICROBIT = [0x0D2D, 0x127B, 0x1B25, 0x23C4, 0x386C, 0x5404, 0x5899, 0x7B77, 0x8D00, 0x9250, 0x93AF, 0x93B0, 0x93B1, 0x93EE, 0x9715, 0x9775, 0xB84C,
            0xB9FE, 0xC306, 0xCA4B, 0xD822, 0xDA90, 0xDA91, 0xFB11, 0xFB24]
LONG = [f"e95d{part:04x}251d470aa062fa1922dfa9a8" for part in MICROBIT] + [
    "000015311212efde1523785feabcd123", "000015321212efde1523785feabcd123",      # Nordic's old firmware update
    "6e400002b5a3f393e0a9e50e24dcca9e", "6e400003b5a3f393e0a9e50e24dcca9e"]      # Nordic's UART
VENDOR = "5a3e%04x7b1c4d2e9f80a1b2c3d4e5f6"
# Texts, whose values are letters.
TEXTS = {0x2901, 0x2A00, 0x2A24, 0x2A25, 0x2A26, 0x2A27, 0x2A28, 0x2A29, 0x2A3D, 0x2A87, 0x2A8A, 0x2A90, 0x2AA2, 0x2AB5, 0x2AB6, 0x2AB7, 0x2AB9,
         0x2ABE, "6e400002b5a3f393e0a9e50e24dcca9e", "6e400003b5a3f393e0a9e50e24dcca9e", "e95d93ee251d470aa062fa1922dfa9a8"}
# Texts behind the given number of bytes, the first of which is one of these.
MIXED = {0x2A46: (2, range(256)), 0x2AA4: (1, range(16)), 0x2AC7: (1, range(1, 5)), 0x2AD3: (2, range(8))}
# Control points and similar characteristics: the highest opcode, the opcode of responses, texts after some.
OPERATIONS = {0x290A: (8, None), 0x290E: (4, None), 0x2A50: (4, None), 0x2A52: (6, 6), 0x2A55: (4, 0x10), 0x2A66: (15, 0x20), 0x2A6B: (8, 0x20),
              0x2A9F: (3, 0x20), 0x2AAC: (28, 28), 0x2AC5: (7, 0x60), 0x2AC6: (8, 0x70), 0x2AD9: (20, 0x80),
              0x2ADA: (21, None), "000015311212efde1523785feabcd123": (17, 0x10)}
# Categories of appearance that have subcategories.
CATEGORIES = [3, 4, 12, 13, 14, 15, 17, 18, 49, 51, 53, 81]


class Capture:
    """A btsnoop file of H4 packets with one connection, in which this host is the client."""

    def __init__(self):
        self.records = []
        self.handles = {}
        # LE Connection Complete, and a larger MTU than any value needs.
        self.packet(True, bytes([4, 0x3E, 19, 1, 0, 0x40, 0, 0, 0]) + bytes.fromhex("665544332211") + struct.pack("<HHHB", 24, 0, 200, 1))
        self.att(False, b"\x02" + struct.pack("<H", 512))
        self.att(True, b"\x03" + struct.pack("<H", 512))

    def packet(self, received, data):
        time = 0x00E03AB44A676000 + 1_000_000_000 + 1000 * len(self.records)
        flags = (1 if received else 0) | (2 if data[0] in (1, 4) else 0)
        self.records.append(struct.pack(">IIIIQ", len(data), len(data), flags, 0, time) + data)

    def att(self, received, pdu):
        header = struct.pack("<HHHH", 0x40 | (0x2000 if received else 0), len(pdu) + 4, len(pdu), 4)
        self.packet(received, b"\x02" + header + pdu)

    def discover(self, uuids):
        """Discovers a vendor's service, and in it the characteristics, or one with all the descriptors."""
        def data(uuid):
            return struct.pack("<H", uuid) if isinstance(uuid, int) else bytes.fromhex(uuid)[::-1]

        def declare(handle, uuid):
            self.att(False, b"\x08" + struct.pack("<HHH", handle, 0xFFFF, 0x2803))
            declaration = struct.pack("<HBH", handle, 0xFF, handle + 1) + data(uuid)
            self.att(True, b"\x09" + bytes([len(declaration)]) + declaration)

        self.att(False, b"\x10" + struct.pack("<HHH", 1, 0xFFFF, 0x2800))
        self.att(True, b"\x11\x14" + struct.pack("<HH", 1, 0xFFFF) + data(VENDOR % 0))
        handle = 2
        if uuids[0] == 0x2900:
            declare(handle, VENDOR % 1)
            handle += 2
        for uuid in uuids:
            if uuids[0] == 0x2900:
                self.att(False, b"\x04" + struct.pack("<HH", handle, 0xFFFF))
                self.att(True, b"\x05\x01" + struct.pack("<H", handle) + data(uuid))
            else:
                declare(handle, uuid)
                handle += 1
            self.handles[uuid] = handle
            handle += 1

    def carry(self, uuid, way, value):
        """Transports a value of an attribute in one of the possible PDUs."""
        handle = struct.pack("<H", self.handles[uuid])
        if way == "read":
            self.att(False, b"\x0a" + handle)
            self.att(True, b"\x0b" + value)
        elif way == "read by type":
            self.att(False, b"\x08" + handle + handle + struct.pack("<H", uuid))
            self.att(True, b"\x09" + bytes([len(value) + 2]) + handle + value)
        elif way == "write":
            self.att(False, b"\x12" + handle + value)
            self.att(True, b"\x13")
        elif way == "command":
            self.att(False, b"\x52" + handle + value)
        elif way == "notification":
            self.att(True, b"\x1b" + handle + value)
        else:
            self.att(True, b"\x1d" + handle + value)
            self.att(False, b"\x1e")

    def save(self, path):
        path.write_bytes(b"btsnoop\0" + struct.pack(">II", 1, 1002) + b"".join(self.records))


WAYS = ["read", "read by type", "write", "command", "notification", "indication"]


def values(uuid, rng):
    """Values for an attribute."""
    if uuid in TEXTS:
        for length in (1, 2, 7, 30, 100):
            yield bytes(rng.choice(b"abcdefghijklmnopqrstuvwxyz ABC-0123456789.") for _ in range(length))
        if isinstance(uuid, int):
            yield "Grüße 東京".encode()
        return
    if uuid == 0x2A01:
        for category in CATEGORIES:
            for kind in (0, 1, 2, 5):
                yield struct.pack("<H", category << 6 | kind)
    if uuid == 0x2A2A:
        # Lists of certifications: one with its parts, one of a regulation, one of another kind.
        body = bytes([1, 2]) + struct.pack("<HH", 3, 6) + rng.randbytes(6)
        items = [bytes([2, 1]) + struct.pack("<H", len(body)) + body, bytes([2, 2]) + struct.pack("<H", 2) + rng.randbytes(2),
                 bytes([0xFE, 9]) + struct.pack("<H", 5) + rng.randbytes(5)]
        for chosen in (items[:1], items[1:2], items[2:], items, []):
            joined = b"".join(chosen)
            yield struct.pack("<HH", len(chosen), len(joined) + 4) + joined
        return
    if uuid in MIXED:
        # Texts behind numbers: random numbers, and only letters in the texts.
        before, first = MIXED[uuid]
        for number in first:
            for length in (0, 1, 2, 5, 30):
                letters = bytes(rng.choice(b"abcdefghijklmnopqrstuvwxyz ABC") for _ in range(length))
                yield bytes([number]) + rng.randbytes(before - 1) + letters
        if uuid != 0x2AC7:
            return
    # Short values, limits, and the flags of the first bytes one by one, all but one, and at random.
    for length in range(25):
        yield rng.randbytes(length)
    for edge in (b"\0", b"\xff", b"\x7f", b"\x80"):
        yield edge * 60
    for bit in range(32):
        one = (1 << bit).to_bytes(4, "little")
        yield one + rng.randbytes(60)
        yield bytes(byte ^ 0xFF for byte in one) + rng.randbytes(60)
    for first in range(32):
        yield bytes([first]) + rng.randbytes(60)
    for _ in range(30):
        yield rng.randbytes(64)
    if uuid in OPERATIONS:
        last, answer = OPERATIONS[uuid]
        for operation in range(last + 1):
            for second in (0, 1, 2, 3, 4, 5, 6, 7):
                yield bytes([operation, second, 1]) + rng.randbytes(20)
            for length in range(12):
                yield bytes([operation]) + rng.randbytes(length)
        for request in range(last + 2) if answer else []:
            for result in (1, 2, 6):
                for length in (0, 1, 2, 3, 4, 7, 12, 20):
                    yield bytes([answer, request, result]) + (b"route"[:length] if uuid == 0x2A6B else rng.randbytes(length))
    if uuid == 0x2AA7:
        # Glucose measurements begin with their size.
        for _ in range(30):
            measurement = rng.randbytes(rng.randrange(5, 15))
            yield bytes([len(measurement) + 1]) + measurement


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    parts = {"att-descriptors": [uuid for uuid in SIG if uuid < 0x2A00],
             "att-sig-1": [uuid for uuid in SIG if 0x2A00 <= uuid < 0x2A60],
             "att-sig-2": [uuid for uuid in SIG if 0x2A60 <= uuid < 0x2A9B],
             "att-sig-3": [uuid for uuid in SIG if 0x2A9B <= uuid],
             "att-vendors": LONG}
    for name, uuids in parts.items():
        rng = random.Random(name)
        capture = Capture()
        capture.discover(uuids)
        for uuid in uuids:
            for number, value in enumerate(values(uuid, rng)):
                if uuid == 0x2905:
                    value = value[:len(value) & ~1]
                if uuid == 0x2AA5:
                    # Continued features go on for five bytes at most.
                    value = value[:7] + bytes(byte & 0x7F for byte in value[7:])
                if uuid == 0x290D and len(value) == 1:
                    continue        # tshark prints nothing for it
                if uuid == 0x2AC7 and value[:1] in (b"\1", b"\2", b"\3", b"\4") and not value[1:].isalpha():
                    value = b"\x08" + value[1:]
                way = WAYS[number % len(WAYS)] if number % 3 else "notification"
                if len(value) < 22 and uuid not in TEXTS and uuid != 0x2A2A:
                    # tshark drops the request if a value is too short.
                    way = "command" if number % 2 else "notification"
                if way == "read by type" and uuid in LONG:
                    way = "read"
                capture.carry(uuid, way, value)
        # Signed values, and a list of attributes with an invalid UUID size.
        capture.att(False, b"\xd2" + struct.pack("<H", capture.handles[uuids[0]]) + (b"name" if uuids[0] == 0x2A00 else bytes(4)) + rng.randbytes(12))
        capture.att(False, b"\x04" + struct.pack("<HH", 1, 3))
        capture.att(True, b"\x05\x03" + struct.pack("<HH", 1, 3))
        capture.save(folder / f"{name}.btsnoop")


if __name__ == "__main__":
    main()
