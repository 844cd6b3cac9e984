#!/usr/bin/env python3
"""A phone receives a mesh network over advertising, with the bytes of the Mesh Protocol's sample data (8.3, 8.4, 8.7): messages of one and of two
segments, beacons of every kind, provisioning of a device. mesh.py FILE.btsnoop"""
import struct
import sys

import classic

NODE, DEVICE, PROVISIONER = (bytes.fromhex(text) for text in ("01005e0053c1", "02005e0053c2", "03005e0053c3"))
# The base point of P-256 is used as a public key.
PUBLIC_KEY = bytes.fromhex(
    "036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5")
LINK = bytes.fromhex("23af5850")


def heard(address, kind, data):
    """An advertising report (ADV_NONCONN_IND) of one AD structure."""
    body = bytes([len(data) + 1, kind]) + data
    report = struct.pack("<BBBB6sB", 2, 1, 3, 1, address, len(body)) + body + b"\xc4"
    return 1, struct.pack("BBB", 4, 0x3E, len(report)) + report


def transaction(address, number, pdu):
    """PB-ADV (5.3.1): 20 bytes after the first header, 23 after the others."""
    pieces = [pdu[:20]] + [pdu[at:at + 23] for at in range(20, len(pdu), 23)]
    start = struct.pack(">BHB", len(pieces) - 1 << 2, len(pdu), classic.crc(pdu))
    for index, piece in enumerate(pieces):
        yield heard(address, 0x29, LINK + bytes([number]) + (start if index == 0 else bytes([index << 2 | 2])) + piece)


def packets():
    yield heard(DEVICE, 0x2B, bytes.fromhex("0070cf7c9732a345b691494810d2e9cbf44020"))
    yield heard(DEVICE, 0x2B, bytes.fromhex("0070cf7c9732a345b691494810d2e9cbf44020d97478b3"))
    yield heard(PROVISIONER, 0x29, LINK + bytes.fromhex("000370cf7c9732a345b691494810d2e9cbf4"))
    yield heard(DEVICE, 0x29, LINK + bytes.fromhex("0007"))
    yield from transaction(PROVISIONER, 0, bytes.fromhex("0000"))
    yield heard(DEVICE, 0x29, LINK + bytes.fromhex("0001"))
    yield from transaction(DEVICE, 0x80, bytes.fromhex("0101000100000000000000 00"))
    yield from transaction(PROVISIONER, 1, bytes.fromhex("020000000000"))
    yield from transaction(PROVISIONER, 2, PUBLIC_KEY)
    yield from transaction(DEVICE, 0x81, bytes.fromhex("0904"))
    yield heard(PROVISIONER, 0x29, LINK + bytes.fromhex("000b02"))
    for message in (
        "68eca487516765b5e5bfdacbaf6cb7fb6bff871f035444ce83a670df",
        "68d4c826296d7979d7dbc0c9b4d43eebec129d20a620d01e",
        "68cab5c5348a230afba8c63d4e686364979deaf4fd40961145939cda0e",
        "681615b5dd4a846cae0c032bf0746f44f1b8cc8ce5edc57e55beed49c0",
        "68110edeecd83c3010a05e1b23a926023da75d25ba91793736",
    ):
        yield heard(NODE, 0x2A, bytes.fromhex(message))
    yield heard(NODE, 0x2B, bytes.fromhex("01003ecaff672f673370123456788ea261582f364f6f"))
    yield heard(NODE, 0x2B, bytes.fromhex("02435f18f85cf78a3121f58478a561e488e7cbf3174f022a514741"))


def make():
    return classic.btsnoop(packets())


if __name__ == "__main__":
    with open(sys.argv[1], "wb") as file:
        file.write(make())
