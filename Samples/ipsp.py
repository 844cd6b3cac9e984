#!/usr/bin/env python3
"""A sensor communicates over IPv6 with its router (IPSP on a credit-based channel): every form of a compressed header. ipsp.py FILE.btsnoop"""
import struct
import sys

import classic

ROUTER, SENSOR = bytes.fromhex("00005e005321"), bytes.fromhex("00005e005322")
HANDLE, LOCAL, REMOTE = 0x0C, 0x0041, 0x0045
GLOBAL = bytes.fromhex("20010db8000000000000000000000001")
LINK = bytes.fromhex("fe80000000000000") + bytes.fromhex("02005efffe005321")


def iphc(tf, nh, hlim, cid, sac, sam, m, dac, dam, inline=b""):
    return struct.pack(">H", 3 << 13 | tf << 11 | nh << 10 | hlim << 8 | cid << 7 | sac << 6 | sam << 4 | m << 3 | dac << 2 | dam) + inline


def packets():
    """Direction (0 sent, 1 received) and H4 packets."""
    event = lambda code, parameters: (1, bytes([4, code, len(parameters)]) + parameters)

    def pdu(direction, channel, payload):
        frame = struct.pack("<HH", len(payload), channel) + payload
        return direction, b"\x02" + struct.pack("<HH", HANDLE | (0x2000 if direction else 0), len(frame)) + frame

    signal = lambda direction, code, number, data: pdu(direction, 5, struct.pack("<BBH", code, number, len(data)) + data)
    whole = lambda data: struct.pack("<H", len(data)) + data
    send, receive = (lambda data: pdu(0, REMOTE, whole(data))), (lambda data: pdu(1, LOCAL, whole(data)))
    yield event(0x3E, struct.pack("<BBHBB6sHHHB", 1, 0, HANDLE, 0, 0, SENSOR[::-1], 24, 0, 200, 0))
    yield signal(0, 20, 1, struct.pack("<HHHHH", 0x23, LOCAL, 1280, 230, 10))
    yield signal(1, 21, 1, struct.pack("<HHHHH", REMOTE, 1280, 230, 10, 0))
    # Router solicitation and advertisement, neighbour solicitation and advertisement: elided addresses, multicast.
    yield receive(iphc(3, 0, 3, 0, 0, 3, 1, 0, 3, b"\x3a\x02") + bytes.fromhex("8500abcd00000000") + b"\x01\x01" + SENSOR)
    yield send(
        iphc(3, 0, 3, 0, 0, 3, 0, 0, 3, b"\x3a") + bytes.fromhex("8600123440800708") + bytes(8)
        + b"\x03\x04\x40\xc0" + struct.pack(">IIQ", 86400, 3600, 0)[:12] + GLOBAL[:16])
    yield receive(iphc(3, 0, 3, 0, 0, 1, 0, 0, 1, b"\x3a" + LINK[8:] + LINK[8:]) + bytes.fromhex("8700bead00000000") + LINK + b"\x21\x02" + bytes(14))
    yield send(iphc(3, 0, 3, 0, 0, 0, 0, 0, 0, b"\x3a" + LINK + GLOBAL) + bytes.fromhex("8800feed60000000") + LINK)
    # Echo, with inline hop limit and traffic class.
    yield send(iphc(2, 0, 0, 0, 0, 3, 0, 0, 3, b"\x2e\x3a\x20") + bytes.fromhex("8000c0de00010002") + b"hello")
    yield receive(iphc(2, 0, 2, 0, 0, 3, 0, 0, 3, b"\x2e\x3a") + bytes.fromhex("8100c0df00010002") + b"hello")
    # UDP: compressed in its four forms, and uncompressed.
    yield receive(iphc(3, 1, 2, 1, 1, 3, 0, 1, 3, b"\x01") + bytes.fromhex("f0" "4e21" "4e22" "abcd") + bytes.fromhex("440101"))
    yield send(iphc(3, 1, 2, 0, 0, 2, 0, 0, 2, b"\x12\x34\x56\x78") + bytes.fromhex("f1" "4e21" "16" "abcd") + b"a")
    yield receive(iphc(3, 1, 1, 0, 0, 3, 0, 0, 3) + bytes.fromhex("f2" "16" "4e21" "abcd") + b"b")
    yield send(iphc(1, 1, 2, 0, 0, 3, 0, 0, 3, b"\x01\x23\x45") + bytes.fromhex("f3" "12" "abcd") + b"c")
    yield receive(iphc(0, 0, 2, 0, 0, 3, 0, 0, 3, b"\x2e\x01\x23\x45\x11") + bytes.fromhex("4e214e22000aabcd") + b"de")
    # Multicast, contexts, an extension header, TCP.
    yield send(iphc(3, 0, 3, 0, 0, 3, 1, 0, 1, b"\x11" + bytes.fromhex("020000000016")) + bytes.fromhex("4e214e210009abcd") + b"f")
    yield send(iphc(3, 0, 3, 0, 0, 3, 1, 0, 2, b"\x11" + bytes.fromhex("05000001")) + bytes.fromhex("4e214e210009abcd") + b"g")
    yield receive(iphc(3, 1, 2, 0, 0, 3, 0, 0, 3) + bytes.fromhex("e0" "3a" "06" "010400000000") + bytes.fromhex("8000c0de00010003") + b"h")
    yield send(iphc(3, 0, 2, 0, 1, 1, 0, 0, 3, b"\x06" + LINK[8:]) + bytes.fromhex("c0de01bb00000001000000005002040000000000"))
    # An uncompressed packet, and an unknown one.
    yield receive(b"\x41" + struct.pack(">IHBB", 6 << 28, 12, 58, 255) + LINK + GLOBAL + bytes.fromhex("8000c0de00010004") + b"plain"[:4])
    yield receive(bytes.fromhex("c0deadbeef"))
    # An SDU of two frames.
    long = iphc(3, 1, 2, 0, 0, 3, 0, 0, 3) + bytes.fromhex("f0" "4e21" "4e22" "abcd") + bytes(range(200)) + bytes(60)
    cut = whole(long)
    yield pdu(1, LOCAL, cut[:230])
    yield pdu(1, LOCAL, cut[230:])
    yield signal(0, 22, 2, struct.pack("<HH", LOCAL, 2))
    yield event(0x05, struct.pack("<BHB", 0, HANDLE, 0x13))


def make():
    return classic.btsnoop(packets())


if __name__ == "__main__":
    open(sys.argv[1], "wb").write(make())
