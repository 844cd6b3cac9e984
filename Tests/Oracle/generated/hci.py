#!/usr/bin/env python3
"""hci.py FOLDER: writes captures of HCI commands and events, L2CAP and other protocols with filter fields, in which each field of these
protocols occurs: each command, event and its return parameters, with all bits clear, all set, and random values, and lists of every length."""
import pathlib
import random
import struct
import sys

# Commands: opcode and number of bytes of the parameters, if it is constant.
COMMANDS = """
    0401:5 0402:0 0403:9 0404:0 0405:13 0406:3 0407:4 0408:6 0409:7 040a:7 040b:22 040c:6 040d:23 040e:6 040f:4 0411:2 0413:3 0415:2 0417:1
    0419:10 041a:6 041b:2 041c:3 041d:2 041f:2 0420:2 0428:17 0429:21 042a:7 042b:9 042c:6 042d:6 042e:10 042f:6 0430:38 0433:6 0434:7 0435:19
    0436:19 0437:2 0438:33 0439:33 043a:2 043b:2 043c:34 043d:59 043e:63 043f:9 0440:6 0441:11 0442:34 0443:0 0444:12 0445:70 0801:6 0803:10
    0804:2 0805:6 0806:2 0807:20 0809:2 080b:7 080c:2 080d:4 080e:0 080f:2 0810:21 0811:8 0c01:8 0c03:0 0c08:2 0c09:0 0c0a:1 0c0b:0 0c0d:7
    0c12:7 0c13:248 0c14:0 0c15:0 0c16:2 0c17:0 0c18:2 0c19:0 0c1a:1 0c1b:0 0c1c:4 0c1d:0 0c1e:4 0c1f:0 0c20:1 0c21:0 0c22:1 0c23:0 0c24:3
    0c25:0 0c26:2 0c27:2 0c28:4 0c29:0 0c2a:1 0c2b:0 0c2c:1 0c2d:3 0c2e:0 0c2f:1 0c31:1 0c33:7 0c36:2 0c37:4 0c38:0 0c39:0 0c3b:0 0c3c:1 0c3d:0
    0c3e:1 0c3f:10 0c42:0 0c43:1 0c44:0 0c45:1 0c46:0 0c47:1 0c48:0 0c49:1 0c51:0 0c53:2 0c55:0 0c56:1 0c57:0 0c58:0 0c59:1 0c5a:0 0c5b:1 0c5f:3
    0c60:7 0c61:0 0c62:2 0c63:8 0c64:0 0c66:0 0c67:1 0c68:3 0c69:2 0c6a:6 0c6b:2 0c6c:0 0c6d:2 0c6e:10 0c70:30 0c71:9 0c74:1 0c75:1
    0c77:0 0c78:9 0c79:0 0c7a:1 0c7b:2 0c7c:4 0c7d:0 0c7e:0 0c7f:2 0c80:0 0c81:2 1001:0 1002:0 1003:0 1004:1 1005:0 1007:0 1009:0 100a:0 100b:0
    100c:0 1401:2 1402:2 1403:2 1405:2 1406:2 1407:3 1408:2 1409:0 140a:5 140b:30 140c:0 140d:6 1801:0 1802:1 1803:0 1804:1 1807:2 1808:0 1809:1
    180a:4 2001:8 2002:0 2003:0 2005:6 2006:15 2007:0 2008:32 2009:32 200a:1 200b:7 200c:2 200d:25 200e:0 200f:0 2010:0 2011:7 2012:7 2013:14
    2014:5 2015:2 2016:2 2017:32 2018:0 2019:28 201a:18 201b:2 201c:0 201d:1 201e:3 201f:0 2020:14 2021:3 2022:6 2023:0 2024:4 2025:0 2026:64
    2027:39 2028:7 2029:0 202a:0 202b:7 202c:7 202d:1 202e:2 202f:0 2030:2 2031:3 2032:7 2033:3 2034:4 2035:7 2036:25 203a:0 203b:0 203c:1
    203d:0 203e:7 2040:2 2042:6 2044:14 2045:0 2046:2 2047:8 2048:8 2049:0 204a:0 204b:0 204c:0 204d:4 204e:8 2052:2 2056:7 2057:3 2058:0 2059:3
    205a:6 205b:5 205c:8 205d:6 205e:65 205f:1 2060:0 2061:2 2065:1 2066:2 2067:3 2068:31 2069:36 206a:2 206c:1 206d:2 206f:3 2070:3 2071:3
    2072:2 2073:2 2074:2 2075:2 2076:3 2077:3 2078:8 2079:3 207a:4 207c:2 207d:10 207e:12
"""

# Lists in commands: opcode, number of bytes before the list, offset of the number of elements in them, bytes of each element.
COMMAND_LISTS = [
    (0x0C11, 1, 0, 22), (0x0C35, 1, 0, 4), (0x0C3A, 1, 0, 3), (0x0C6F, 7, 6, 3), (0x0C72, 1, 0, 4), (0x0C73, 2, 1, 3), (0x0C76, 3, 2, 1),
    (0x2039, 2, 1, 4), (0x204F, 7, 6, 1), (0x2050, 7, 6, 1), (0x2051, 5, 4, 1), (0x2053, 6, 5, 1), (0x2054, 5, 4, 1), (0x2055, 4, 3, 1),
    (0x2062, 15, 14, 9), (0x2063, 15, 14, 14), (0x2064, 1, 0, 4), (0x206B, 24, 23, 1), (0x206E, 13, 12, 1),
]

# Events: event code, with 3e before it LE subevent, and number of bytes of the parameters.
EVENTS = """
    01:1 03:11 04:10 05:4 06:3 07:255 08:4 09:3 0a:4 0b:11 0c:8 0d:21 10:1 11:2 12:8 14:6 16:6 17:6 18:23 1a:1 1b:3 1c:5 1d:5 1e:2 1f:7 20:7
    21:22 23:13 2c:17 2d:9 2e:11 30:3 31:6 32:9 33:10 34:6 35:6 36:7 38:4 39:2 3b:10 3c:7 3d:14 40:2 41:1 42:3 43:2 44:1 45:5 46:4 47:3 49:2
    4a:2 4b:15 4c:3 4d:2 4e:9 4f:1 50:29 52:7 53:7 54:0 55:10 56:4 57:2 58:8 3e01:18 3e03:9 3e04:11 3e05:12 3e06:10 3e07:10 3e08:65 3e09:33
    3e0a:30 3e0c:5 3e0e:15 3e10:2 3e11:0 3e12:5 3e13:8 3e14:3 3e17:3 3e18:19 3e19:28 3e1a:6 3e1c:2 3e1e:2 3e1f:4 3e20:4 3e21:8 3e22:19 3e23:11
"""

# Lists in events: event code, or 0x3e00 and the LE subevent, bytes before the list, offset of the number of elements, bytes of each element.
EVENT_LISTS = [
    (0x02, 1, 0, 14), (0x13, 1, 0, 4), (0x15, 1, 0, 22), (0x22, 1, 0, 14), (0x48, 3, 2, 6), (0x51, 18, 17, 1), (0x3E0B, 1, 0, 16), (0x3E0F, 7, 6, 1),
    (0x3E15, 12, 11, 2), (0x3E16, 13, 12, 2), (0x3E1B, 18, 17, 2), (0x3E1D, 14, 13, 2),
]

# Command Complete: opcode and number of bytes of the return parameters.
RETURNS = """
    0402:1 0403:1 0404:1 0408:7 040b:7 040c:7 040d:7 040e:7 041a:7 0420:4 042b:7 042c:7 042d:7 042e:7 042f:7 0430:7 0433:7 0434:7 043b:3 0440:7
    0441:4 0442:8 0445:7 0809:4 080c:5 080d:3 080e:3 080f:1 0811:3 0c01:1 0c03:1 0c05:1 0c08:3 0c09:2 0c0a:1 0c0b:1 0c0d:5 0c11:2 0c12:3 0c13:1
    0c14:249 0c15:3 0c16:1 0c17:3 0c18:1 0c19:2 0c1a:1 0c1b:5 0c1c:1 0c1d:5 0c1e:1 0c1f:2 0c20:1 0c21:2 0c22:1 0c23:4 0c24:1 0c25:3 0c26:1
    0c27:5 0c28:3 0c29:2 0c2a:1 0c2b:2 0c2c:1 0c2d:4 0c2e:2 0c2f:1 0c31:1 0c33:1 0c35:0 0c36:5 0c37:3 0c38:2 0c3a:1 0c3b:2 0c3c:1 0c3d:2 0c3e:1
    0c3f:1 0c42:2 0c43:1 0c44:2 0c45:1 0c46:2 0c47:1 0c48:2 0c49:1 0c52:1 0c55:2 0c56:1 0c57:33 0c58:2 0c59:1 0c5a:2 0c5b:1 0c60:7 0c61:3 0c62:1
    0c63:1 0c65:1 0c66:2 0c67:1 0c68:6 0c69:5 0c6a:1 0c6c:3 0c6d:1 0c6e:1 0c6f:1 0c70:32 0c71:1 0c72:1 0c73:1 0c74:2 0c75:2 0c76:2 0c77:8
    0c78:3 0c79:2 0c7a:1 0c7b:5 0c7c:3 0c7d:65 0c7e:3 0c7f:1 0c80:3 0c81:1 1001:9 1002:65 1003:9 1004:11 1005:8 1007:2 1009:7 100a:7 100c:3
    1401:5 1402:3 1403:4 1405:4 1406:14 1408:4 1409:31 140a:40 140b:2 140d:1 1801:2 1802:1 1803:1 1804:1 1807:1 1808:1 1809:1 180a:3
    2001:1 2002:4 2003:9 2005:1 2006:1 2007:2 2008:1 2009:1 200a:1 200b:1 200c:1 200e:1 200f:2 2010:1 2011:1 2012:1 2014:1 2015:8 2017:17 2018:9
    201a:3 201b:3 201c:9 201d:1 201e:1 201f:3 2020:3 2021:3 2022:3 2023:5 2024:1 2027:1 2028:1 2029:1 202a:2 202b:7 202c:7 202d:1 202e:1 202f:9
    2030:5 2031:1 2033:1 2034:1 2035:1 2036:2 2037:1 2038:1 2039:1 203a:3 203b:2 203c:1 203d:1 203e:1 203f:1 2040:1 2041:1 2042:1 2045:1 2046:1
    2047:1 2048:1 2049:1 204a:2 204b:3 204c:5 204d:1 204e:1 204f:1 2050:1 2051:1 2052:1 2053:3 2054:3 2055:3 2056:3 2057:3 2058:5 2059:1 205a:3
    205b:3 205c:3 205d:1 205f:1 2060:7 2061:12 2065:2 2067:3 206c:2 206e:3 206f:3 2070:3 2071:3 2072:15 2073:15 2074:1 2075:31 2076:6 2078:3
    2079:3 207a:3 207c:1 207d:1
"""

# Lists in return parameters, in the form of those in commands.
RETURN_LISTS = [(0x0C39, 2, 1, 3), (0x2062, 3, 2, 2), (0x2063, 3, 2, 2)]


class Capture:
    """A btsnoop file of HCI packets with their H4 type."""

    def __init__(self, kind=1002):
        self.kind = kind
        self.records = []

    def add(self, packet, flags):
        self.records.append((packet, flags))

    def command(self, opcode, parameters):
        self.add(struct.pack("<BHB", 1, opcode, len(parameters)) + parameters, 2)

    def event(self, code, parameters):
        if code >= 0x3E00:
            code, parameters = 0x3E, bytes([code & 255]) + parameters
        self.add(bytes([4, code, len(parameters)]) + parameters, 3)

    def complete(self, opcode, parameters):
        self.event(0x0E, struct.pack("<BH", 1, opcode) + parameters)

    def acl(self, handle, data, received=0, start=2):
        self.add(struct.pack("<BHH", 2, handle | start << 12, len(data)) + data, received)

    def l2cap(self, handle, cid, data, received=0):
        self.acl(handle, struct.pack("<HH", len(data), cid) + data, received)

    def write(self, path):
        with open(path, "wb") as file:
            file.write(b"btsnoop\0" + struct.pack(">II", 1, self.kind))
            for index, (packet, flags) in enumerate(self.records):
                file.write(struct.pack(">IIIIq", len(packet), len(packet), flags, 0, 0x00E03AB44A676000 + index * 1000) + packet)


def sizes(text):
    """Pairs of code and number of bytes."""
    return [(int(code, 16), int(size)) for code, size in (word.split(":") for word in text.split())]


def values(numbers, size):
    """Bytes with all bits clear, all set, and at random."""
    yield bytes(size)
    yield b"\xff" * size
    for most in (4, 256, 256, 256):
        yield bytes(numbers.randrange(most) for _ in range(size))


def lists(numbers, size, place, element):
    """Bytes before a list, with the number of elements among them, followed by as many elements."""
    for count in (0, 1, 2, 3, 7):
        for most in (4, 256):
            head = bytearray(numbers.randrange(most) for _ in range(size))
            head[place] = count
            yield bytes(head) + bytes(numbers.randrange(most) for _ in range(count * element))


def commands(numbers):
    capture = Capture()
    for opcode, size in sizes(COMMANDS):
        for parameters in values(numbers, size):
            capture.command(opcode, parameters)
    for opcode, size, place, element in COMMAND_LISTS:
        for parameters in lists(numbers, size, place, element):
            capture.command(opcode, parameters)
    # Location: texts.
    for text in (b"DE\x20a", b"\0\0\0b", b"GB-c"):
        capture.command(0x0C65, bytes([len(capture.records) & 1]) + text[:2] + text[3:] + bytes([numbers.randrange(256)]))
    for opcode in (0xFC01, 0xFFFF):
        capture.command(opcode, b"")
        capture.command(opcode, b"\1\2\3")
    # Set Event Filter: the parameters depend on the types of the filter and of the condition.
    for kind in range(4):
        for condition in range(4):
            for _ in range(3):
                size = {1: 6, 2: 6}.get(condition, 0) + (1 if kind == 2 else 0)
                parameters = bytes([kind, condition] if kind in (1, 2) else [kind])
                capture.command(0x0C05, parameters + bytes(numbers.randrange(256) for _ in range(size if kind in (1, 2) else 0)))
    # Scanning and initiating PHYs: a set of parameters for each bit.
    for phys in range(8):
        bits = bin(phys & 5).count("1")
        capture.command(0x2041, bytes([1, 0, phys & 5]) + bytes(numbers.randrange(256) for _ in range(5 * bits)))
        bits = bin(phys).count("1")
        capture.command(0x2043, bytes([0, 1, 1, 1, 2, 3, 4, 5, 6, phys]) + bytes(numbers.randrange(256) for _ in range(16 * bits)))
    return capture


def events(numbers):
    capture = Capture()
    for code, size in sizes(EVENTS):
        for parameters in values(numbers, size):
            capture.event(code, parameters)
    for code, size, place, element in EVENT_LISTS:
        for parameters in lists(numbers, size, place, element):
            capture.event(code, parameters)
    # Features by page.
    for page in range(6):
        for features in values(numbers, 8):
            capture.event(0x23, struct.pack("<BHBB", 0, 1, page, 2) + features)
    # Extended inquiry results have one response; advertising reports of each type, without and with data.
    for _ in range(6):
        capture.event(0x2F, b"\x01" + bytes(numbers.randrange(256) for _ in range(14)) + bytes(240))
        report = bytes(numbers.randrange(256) for _ in range(23))
        capture.event(0x3E0D, b"\x01" + report + b"\x00")
        capture.event(0x3E0D, b"\x02" + 2 * (report + b"\x03\x02\x01\x06"))
    return capture


def returns(numbers):
    """Command Complete of every command."""
    capture = Capture()
    for opcode, size in sizes(RETURNS):
        for parameters in values(numbers, size):
            # Of a command that failed too, except that nothing is told of versions that change.
            capture.complete(opcode, parameters)
    for opcode, size, place, element in RETURN_LISTS:
        for parameters in lists(numbers, size, place, element):
            capture.complete(opcode, parameters)
    for size in (1, 4):
        capture.complete(0xFC01, bytes(size))
    # Two bytes more than the specification has; without them tshark finds it malformed.
    for parameters in values(numbers, 11):
        capture.complete(0x1407, parameters)
    for aware, text in enumerate((b"DEa", b"\0\0b", b"GBc")):
        capture.complete(0x0C64, bytes([0, min(aware, 1)]) + text + bytes([numbers.randrange(256)]))
    for fec in (0, 1):
        capture.complete(0x0C51, bytes([0, fec]) + bytes(240))
    # One transport layer with two baud rates in each direction.
    for layer in (0, 1, 2):
        capture.complete(0x140C, bytes([0, 1, layer, 2]) + bytes(numbers.randrange(256) for _ in range(16)))
    for page in range(6):
        for features in values(numbers, 8):
            capture.complete(0x1004, bytes([0, page, 2]) + features)
    for standard in (0, 1, 2, 5):
        for vendor in (0, 1, 2, 3):
            codecs = bytes(numbers.randrange(256) for _ in range(standard))
            capture.complete(0x100B, bytes([0, standard]) + codecs + bytes([vendor])
                             + bytes(numbers.randrange(256) for _ in range(4 * vendor)))
    return capture


def signaling(numbers):
    """L2CAP's commands and options, and flags of the Security Manager."""
    capture = Capture()
    capture.event(0x03, struct.pack("<BH6sBB", 0, 0x40, b"\1\2\3\4\5\6", 1, 0))
    capture.event(0x3E01, struct.pack("<BHBB6sHHHB", 0, 0x41, 0, 0, b"\6\2\3\4\5\6", 24, 0, 200, 0))
    count = 0

    def some(size):
        return bytes(numbers.randrange(256) for _ in range(size))

    def command(code, data, received=1, handle=0x40, channel=1):
        nonlocal count
        count = count % 255 + 1
        capture.l2cap(handle, channel, struct.pack("<BBH", code, count, len(data)) + data, received)

    for reason, size in ((0, 0), (1, 2), (2, 4)):
        command(0x01, struct.pack("<H", reason) + some(size))
    command(0x02, struct.pack("<HH", 1, 0x51), 0)
    command(0x03, struct.pack("<HHHH", 0x60, 0x51, 0, 0))
    # Configuration: each option alone, none, all; hints.
    options = [bytes([kind, size]) + some(size) for kind, size in
               ((1, 2), (2, 2), (3, 22), (4, 9), (5, 1), (6, 16), (7, 2), (0x81, 2), (0x89, 3))]
    for option in options + [b"", b"".join(options), b"\3\x16" + bytes(22), b"\6\x10" + b"\xff" * 16]:
        for flags in (0, 1, 0xFFFF, 0x1234):
            command(0x04, struct.pack("<HH", 0x60, flags) + option, 0)
            command(0x05, struct.pack("<HHH", 0x51, flags, numbers.randrange(3)) + option)
    for size in (0, 1, 5):
        command(0x08, some(size), 0)
        command(0x09, some(size))
    for kind, size in ((1, 2), (2, 4), (3, 8), (4, 3)):
        command(0x0A, struct.pack("<H", kind), 0)
        for parameters in values(numbers, size):
            command(0x0B, struct.pack("<HH", kind, 0) + parameters)
        command(0x0B, struct.pack("<HH", kind, 1))
    for _ in range(4):
        command(0x0C, struct.pack("<HHB", 3, 0x70, numbers.randrange(256)), 0)
        command(0x0D, some(4) + bytes(4))
        command(0x0E, some(3), 0)
        command(0x0F, some(4))
        command(0x10, some(4))
        command(0x11, some(2))
    for bits in (0, 0xFF, 0x20, 0xC5):
        capture.l2cap(0x41, 6, bytes([1, 3, 0, bits, 16, bits, bits ^ 0xFF]), 0)
        capture.l2cap(0x41, 6, bytes([2, 3, 0, bits, 16, bits, bits ^ 0xFF]), 1)
        capture.l2cap(0x41, 6, bytes([0x0B, bits]), 1)
    return capture


def data(numbers):
    """Voice, isochronous and ACL data with all flags."""
    capture = Capture()
    capture.event(0x03, struct.pack("<BH6sBB", 0, 0x40, b"\1\2\3\4\5\6", 1, 0))
    capture.event(0x2C, struct.pack("<BH6sBBBHHB", 0, 0x50, b"\1\2\3\4\5\6", 2, 6, 1, 60, 60, 2))
    capture.event(0x3E19, struct.pack("<BH", 0, 0x60) + bytes(25))
    for flags in range(16):
        for size in (0, 1, 10):
            payload = bytes(numbers.randrange(256) for _ in range(size))
            capture.add(struct.pack("<BHB", 3, 0x50 | flags << 12, size) + payload, numbers.randrange(2))
    for flags in range(16):
        payload = (bytes(4) if flags & 4 else b"") + (b"" if flags & 1 else struct.pack("<HH", flags, 4)) + b"abcd"
        capture.add(struct.pack("<BHH", 5, 0x60 | flags << 12, len(payload)) + payload, numbers.randrange(2))
    for flags in range(16):
        capture.acl(0x40, b"\4\0\x41\0abcd", 0, flags)
    return capture


def monitor(numbers):
    """Records of the Linux monitor."""
    capture = Capture(2001)

    def record(opcode, payload, adapter=0):
        capture.add(payload, adapter << 16 | opcode)

    record(0, b"\1\0\1\2\3\4\5\6hci0\0\0\0\0")
    for flags in (0, 1, 0xFFFFFFFF, 0x01234567):
        for kind, name in ((2, b"btmgmt"), (0, b"bluetoothd\0\0\0\0\0\0"), (1, b"")):
            record(14, struct.pack("<IHBHIB", 7, kind, 1, 22, flags, len(name)) + name, 0xFFFF)
    for priority in (0, 3, 7):
        record(13, bytes([priority, 11]) + b"bluetoothd\0hello\0", 0xFFFF)
    return capture


ADVERTISING = 0x8E89BED6


def checked(pdu, start):
    """A PDU and its CRC (Core, Vol 6, Part B, 3.1.1)."""
    state = int(f"{start:024b}"[::-1], 2)
    for byte in pdu:
        for bit in range(8):
            feedback = (state ^ byte >> bit) & 1
            state = state >> 1 ^ 0xDA6000 if feedback else state >> 1
    return pdu + struct.pack("<I", state)[:3]


class Air:
    """A pcap file of Link Layer packets: link type 256 with a radio header, 272 with that of nRF Sniffer, or 255 of the baseband."""

    def __init__(self, kind=256):
        self.kind = kind
        self.packets = []

    def add(self, access, pdu, start, channel, direction=0):
        self.packets.append(struct.pack("<BbbBIH", channel, -50, -100, 0, access, 0x0C13 | direction << 7)
                            + struct.pack("<I", access) + checked(pdu, start))

    def write(self, path):
        with open(path, "wb") as file:
            file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, self.kind))
            for index, packet in enumerate(self.packets):
                file.write(struct.pack("<IIII", 1_700_000_000 + index, 0, len(packet), len(packet)) + packet)


# Control PDUs: opcode and number of bytes, without those that change the meaning of later packets.
CONTROL = {
    0x07: 1, 0x08: 8, 0x09: 8, 0x0C: 5, 0x0D: 1, 0x0E: 8, 0x0F: 23, 0x10: 23, 0x11: 2, 0x12: 0, 0x13: 0, 0x14: 8, 0x15: 8, 0x16: 2, 0x17: 2,
    0x19: 2, 0x1A: 1, 0x1B: 0, 0x1C: 34, 0x1D: 1, 0x1E: 1, 0x1F: 35, 0x20: 8, 0x21: 15, 0x22: 3, 0x23: 3, 0x24: 4, 0x25: 4,
}


def link_layer(numbers):
    """Advertising PDUs with each header, a connection with each control PDU."""
    air = Air()

    def some(size):
        return bytes(numbers.randrange(256) for _ in range(size))

    def advertise(kind, body, bits=0, channel=0):
        air.add(ADVERTISING, bytes([kind | bits, len(body)]) + body, 0x555555, channel)

    bodies = {0: some(6) + b"\2\1\6", 1: some(12), 2: some(6), 3: some(12), 4: some(6) + b"\2\1\6", 6: some(6)}
    for kind in (0, 1, 2, 3, 4, 6, *range(9, 16)):
        for bits in (0, 0x10, 0x20, 0x40, 0x80, 0xF0):
            advertise(kind, bodies.get(kind, some(6)), bits)
    # Extended PDUs with every combination of header fields.
    for flags in range(256):
        fields = b"".join(some(size) for bit, size in enumerate((6, 6, 1, 2, 3, 18, 1)) if flags >> bit & 1)
        header = bytes([flags]) + fields + (b"" if flags % 3 else b"\2\1\4")
        body = bytes([len(header) | numbers.randrange(3) << 6]) + header + (b"\2\1\6" if flags & 1 else b"")
        advertise(7, body, numbers.choice((0, 0x50, 0xB0)), numbers.choice((0, 5)))
    advertise(7, b"\0")
    advertise(7, b"\x40\2\1\6")
    # On the coded PHY a byte gives the coding.
    for coding in (0, 1, 2, 0xFF):
        air.packets.append(struct.pack("<BbbBIHIB", 0, -50, -100, 0, ADVERTISING, 0x8C13, ADVERTISING, coding)
                           + checked(bytes([2, 9]) + some(6) + b"\2\1\6", 0x555555))
    access, start, sequence = 0x50655DA1, 0x332211, [0, 0]
    request = some(12) + struct.pack("<I", access) + b"\x11\x22\x33\1" + struct.pack("<HHHH", 6, 24, 0, 200) + b"\xff\xff\xff\xff\x1f\xa5"
    advertise(5, request, 0x20)

    def send(kind, body, side, bits=0, tone=None):
        head = kind | sequence[side] << 3 | bits | (0 if tone is None else 0x20)
        sequence[side] ^= 1
        pdu = bytes([head, len(body)]) + (b"" if tone is None else bytes([tone])) + body
        air.add(access, pdu, start, 3, 2 + side)

    for opcode, size in CONTROL.items():
        for parameters in values(numbers, size):
            send(3, bytes([opcode]) + parameters, numbers.randrange(2), numbers.choice((0, 0x40, 0x80, 0xC0, 0x10, 4)))
    for tone in (0, 0xFF, 0x35, 0xCA):
        send(2, b"\3\0\4\0\x0a\3\0", 0, 0, tone)
        send(3, b"\x12", 0, 0, tone)
    send(3, b"\x03" + some(22), 0)
    send(3, b"\x04" + some(12), 1)
    return air


def nordic(numbers):
    """Headers of nRF Sniffer of all versions."""
    air = Air(272)
    advertisement = struct.pack("<I", ADVERTISING) + checked(bytes([0, 9]) + bytes(range(6)) + b"\2\1\6", 0x555555)
    message = struct.pack("<IBB", 0x12345678, 2, 7) + b"\3\0\4\0\x0a\3\0\1\2\3"
    for version in (1, 2, 3):
        for packet, kind in ((advertisement, 2), (message, 6)):
            for flags in (0, 1, 2, 4, 8, 0x10, 0x80, 0x8F, 0x0F, 0x1E) + ((0x21,) if version > 1 else ()):
                for channel in (37, 39, 36, 7):
                    size = 10 + len(packet)
                    lengths = bytes([6, size, 1]) if version == 1 else struct.pack("<HB", size, version)
                    head = bytes([numbers.randrange(128)]) + lengths + struct.pack("<HB", len(air.packets), kind)
                    head += bytes([10, flags, channel, numbers.randrange(100)])
                    head += struct.pack("<HI", numbers.randrange(65536), numbers.randrange(1 << 31))
                    # On the coded PHY a byte gives the coding.
                    air.packets.append(head + (packet[:4] + b"\1" + packet[4:-1] if flags & 0x70 == 0x20 else packet))
    return air


def link_manager(numbers):
    """Link Manager PDUs: accepted and not accepted ones of each escape, and unknown ones."""
    air = Air(255)

    def send(pdu):
        body = bytes([3 | 1 << 2 | len(pdu) << 3]) + pdu
        state = int(f"{0x5E:08b}"[::-1], 2) << 8
        for byte in body:
            state ^= byte
            for _ in range(8):
                state = state >> 1 ^ 0x8408 if state & 1 else state >> 1
        air.packets.append(struct.pack("<BbbBBBhI", 40, -52, -90, 0, 0x30, 0, 0, 0x5311) + b"\x11\x53\0\x5e"
                           + struct.pack("<IH", 0x99, 0x0FBB) + body + struct.pack("<H", state))

    for escape in (0x7C, 0x7D, 0x7E, 0x7F):
        for opcode in (0x00, 0x0C, 0xFF):
            send(bytes([0xFE, 1, escape, opcode]))
            send(bytes([0xFE, 2, escape, opcode, 6]))
    for opcode in (0, 99, 122):
        send(bytes([opcode << 1]) + bytes(numbers.randrange(256) for _ in range(2)))
    send(b"\xfe\x40\1\2")
    return air


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in CAPTURES.items():
        make(random.Random(name)).write(folder / name)


CAPTURES = {
    "hci-commands.btsnoop": commands,
    "hci-events.btsnoop": events,
    "hci-returns.btsnoop": returns,
    "hci-data.btsnoop": data,
    "l2cap-signaling.btsnoop": signaling,
    "monitor.btsnoop": monitor,
    "link-layer.pcap": link_layer,
    "nordic.pcap": nordic,
    "link-manager.pcap": link_manager,
}

if __name__ == "__main__":
    main()
