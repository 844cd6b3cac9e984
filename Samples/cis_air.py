#!/usr/bin/env python3
"""A sniffer's capture of unencrypted isochronous streams: a connection sets up a connected stream, a broadcast changes its channels and
ends. Link Layer packets with header in a pcap. cis_air.py FILE.pcap"""
import struct
import sys

ADVERTISING, ACCESS, STREAM, BROADCAST = 0x8E89BED6, 0x50655D33, 0x7A3B5C1D, 0x2C5A83C1
CENTRAL, PERIPHERAL = bytes.fromhex("00005e005331"), bytes.fromhex("00005e005332")


def packet(kind, access, pdu, rf):
    """LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR; `kind` is the header's PDU type (0 advertising, 2 to 6 data)."""
    flags = 0x0001 | 0x0002 | 0x0010 | 0x0400 | 0x0800 | kind << 7
    return struct.pack("<BbbBIH", rf, -60, -128, 0, access, flags) + struct.pack("<I", access) + pdu + b"\0\0\0"


def packets():
    link = struct.pack("<I3sBHHHH5sB", ACCESS, b"\x4c\xb7\x17", 3, 0, 24, 0, 42, b"\xff\xff\xff\xff\x1f", 5)
    yield packet(0, ADVERTISING, bytes([5, 34]) + CENTRAL[::-1] + PERIPHERAL[::-1] + link, 0)
    sequence = {2: 0, 3: 0}

    def control(side, opcode, parameters):
        header = 3 | sequence[side] << 3
        sequence[side] ^= 1
        return packet(side, ACCESS, bytes([header, len(parameters) + 1, opcode]) + parameters, 4)

    three = lambda number: struct.pack("<I", number)[:3]
    request = struct.pack("<BBBBHH", 1, 2, 2, 2, 0x8000 | 100, 40) + three(10_000) + three(10_000) + struct.pack("<HHB", 100, 40, 3)
    request += three(2_500) + struct.pack("<BBBH", 0x21, 4, 5, 8) + three(600) + three(9_000) + struct.pack("<H", 17)
    yield control(2, 0x1F, request)
    yield control(3, 0x20, three(700) + three(8_000) + struct.pack("<H", 18))
    yield control(2, 0x21, struct.pack("<I", STREAM) + three(750) + three(5_000) + three(4_000) + struct.pack("<H", 19))
    yield packet(4, STREAM, bytes([0x02, 4]) + b"\1\2\3\4", 10)
    yield packet(5, STREAM, bytes([0x56, 0]), 10)
    yield packet(4, STREAM, bytes([0x0A | 0x10, 2]) + b"\5\6", 12)
    yield control(2, 0x22, bytes([1, 2, 0x13]))
    yield packet(6, BROADCAST, bytes([0x02 | 0x20 | 3 << 2, 5]) + b"hello", 20)
    yield packet(6, BROADCAST, bytes([0x03 | 3 << 2, 8, 0]) + b"\xff\xff\xff\xff\x0f" + struct.pack("<H", 900), 20)
    yield packet(6, BROADCAST, bytes([0x03 | 4 << 2, 4, 1, 0x16]) + struct.pack("<H", 960), 20)


def make():
    whole = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 256)
    for number, data in enumerate(packets()):
        whole += struct.pack("<IIII", 1_770_000_000, number * 10_000, len(data), len(data)) + data
    return whole


if __name__ == "__main__":
    with open(sys.argv[1], "wb") as file:
        file.write(make())
