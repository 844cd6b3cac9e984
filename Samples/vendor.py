#!/usr/bin/env python3
"""Two controllers, initialized with their manufacturers' commands as by drivers: Intel's, then Broadcom's with Android's extensions.
vendor.py FILE.btsnoop"""
import struct
import sys

import classic

ADDRESS = bytes.fromhex("00005e005323")


def command(opcode, parameters=b""):
    return 0, struct.pack("<BHB", 1, opcode, len(parameters)) + parameters


def event(code, parameters):
    return 1, bytes([4, code, len(parameters)]) + parameters


def both(opcode, parameters=b"", answer=b"", status=0):
    """A command, and the event that completes it."""
    yield command(opcode, parameters)
    yield event(0x0E, struct.pack("<BHB", 1, opcode, status) + answer)


def version(company):
    """Read Local Version Information."""
    return both(0x1001, answer=struct.pack("<BHBHH", 12, 0x0100, 12, company, 0x2100))


def intel():
    yield from version(2)
    yield from both(0xFC05, answer=bytes.fromhex("37 12 01 23 01 0c 20 18 00"))
    yield from both(0xFC11, b"\1\0")
    yield from both(0xFC0D, answer=bytes.fromhex("00 01 00 0027 01 00 00 01 01 01") + ADDRESS[::-1] + bytes.fromhex("0c 20 18 00 00"))
    for kind, size in ((0, 128), (3, 252), (2, 252), (1, 100)):
        yield from both(0xFC09, bytes([kind]) + bytes(size))
    yield event(0xFF, bytes.fromhex("06 00 09fc 00"))
    yield command(0xFC01, bytes.fromhex("00 01 00 01 00080400"))
    yield event(0xFF, bytes.fromhex("02 00 01 01 02 02 00"))
    yield from both(0xFC8B, bytes.fromhex("03 2100 01 05 2800 aabbcc"), bytes.fromhex("2100"))
    yield from both(0xFC52, struct.pack("<Q", 0x6E87))
    yield from both(0xFC2F, ADDRESS[::-1] + bytes(6) + bytes.fromhex("bffecffedbff7b87") + b"\1")
    yield from both(0xFC30, answer=ADDRESS[::-1])
    yield from both(0xFC31, ADDRESS[::-1])
    yield from both(0xFC43, b"\1\0\1")
    yield event(0xFF, bytes.fromhex("16 00"))
    yield from both(0xFC8E, struct.pack("<IBB", 0x000A0B0C, 2, 4) + b"\1\2\3\4")
    yield from both(0xFC3F)
    yield from both(0xFC4D, b"\1")
    yield event(0xFF, bytes.fromhex("08 3412 05 07"))
    yield event(0xFF, bytes.fromhex("01 3512 f0 01"))
    yield event(0xFF, bytes.fromhex("05 02"))
    yield event(0xFF, bytes.fromhex("0f 0100") + bytes(8) + bytes.fromhex("1d5c3b7a") + b"\0")
    yield event(0xFF, bytes.fromhex("11 02"))
    yield event(0xFF, bytes.fromhex("17 00 0100 00 4e00 01020304"))
    yield event(0xFF, bytes.fromhex("17 01 0100 00 4e00 01020304 05"))
    yield event(0xFF, bytes.fromhex("17 02 0100 01020304 05"))
    yield event(0xFF, bytes.fromhex("17 03 0100 0700 05 0000 0300"))
    yield event(0xFF, bytes.fromhex("17 05 0100 0700 05"))
    yield event(0xFF, bytes.fromhex("19 00"))
    yield event(0xFF, b"\x25" + ADDRESS[::-1] + b"\x0d")
    yield event(0xFF, bytes.fromhex("26 0100 01"))
    yield event(0xFF, bytes.fromhex("29 03") + bytes(8))
    yield event(0xFF, b"\x2cready")
    yield from both(0xFC02, status=1)


def broadcom():
    yield from version(15)
    yield from both(0xFC79, answer=bytes.fromhex("6e 01 0100 3304"))
    yield from both(0xFC2E)
    yield from both(0xFC4C, struct.pack("<I", 0x00200000) + bytes(range(16)))
    yield from both(0xFC4D, struct.pack("<IB", 0x00200000, 4), b"\0\1\2\3")
    yield from both(0xFC4E, struct.pack("<I", 0xFFFFFFFF))
    yield from both(0xFC45, b"\1")
    yield from both(0xFC18, struct.pack("<HI", 0, 3_000_000))
    yield from both(0xFC01, ADDRESS[::-1])
    yield from both(0xFC5A, answer=bytes.fromhex("5c0a d121"))
    yield from both(0xFC3B, b"\0")
    yield from both(0xFC1C, bytes.fromhex("00 02 00 01 01"))
    yield from both(0xFC1D, answer=bytes.fromhex("00 02 00 01 01"))
    yield from both(0xFC1E, bytes.fromhex("00 03 02 03 00"))
    yield from both(0xFC6D, bytes.fromhex("01 01 01 02"))
    yield from both(0xFC27, bytes.fromhex("01 0a 0b 01 01 01 01 00 00 00 00 01"))
    yield from both(0xFC7E, bytes.fromhex("01 0200"))
    yield from both(0xFC7E, b"\0")
    yield from both(0xFC57, bytes.fromhex("0b00 01 01"))
    yield from both(0xFD53, answer=bytes.fromhex("10 01 0004 80 01 20 01 5f00 2000 01 01 00 00000000 01"))
    yield from both(0xFD54, bytes.fromhex("01 a000 f000 00 01") + ADDRESS[::-1] + b"\0" + bytes(6) + bytes.fromhex("07 00 01 f9"), b"\1")
    data = bytes.fromhex("020106 0509 4c616d70")
    yield from both(0xFD54, bytes([2, len(data)]) + data.ljust(31, b"\0") + b"\1", b"\2")
    yield from both(0xFD54, bytes.fromhex("04 0153005e0040 01"), b"\4")
    yield from both(0xFD54, bytes.fromhex("05 01 01"), b"\5")
    yield from both(0xFD56, bytes.fromhex("01 01"), b"\1")
    yield from both(0xFD56, bytes.fromhex("02 32 32 50"), b"\2")
    yield from both(0xFD56, bytes.fromhex("03 01 a0000000 40060000 00 01"), b"\3")
    yield from both(0xFD56, bytes.fromhex("04 01"), b"\4\1\1" + ADDRESS[::-1] + bytes.fromhex("00 7f c8 1400"))
    yield from both(0xFD56, bytes.fromhex("04 02"), b"\4", status=0x12)
    yield from both(0xFD57, bytes.fromhex("00 01"), bytes.fromhex("00 01"))
    yield from both(0xFD57, bytes.fromhex("01 00 05 0400 0000 00 80 00"), bytes.fromhex("01 00 1f"))
    yield from both(0xFD57, bytes.fromhex("03 00 05 0f18 ffff"), bytes.fromhex("03 00 1f"))
    yield from both(0xFD57, bytes.fromhex("03 00 06 0f18 ffff"), b"\3", status=7)
    yield from both(0xFD59, answer=struct.pack("<IIII", 1200, 34_000, 560_000, 7))
    yield from both(0xFDC0, b"\1")
    yield event(0xFF, bytes.fromhex("1b 0b60"))


def make():
    return classic.btsnoop([*intel(), *broadcom()])


if __name__ == "__main__":
    with open(sys.argv[1], "wb") as file:
        file.write(make())
