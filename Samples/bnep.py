#!/usr/bin/env python3
"""A phone shares its network connection with a tablet (BNEP on L2CAP): every control message and every type of Ethernet frame. bnep.py FILE.btsnoop"""
import struct
import sys

import classic

PHONE, TABLET = bytes.fromhex("00005e005311"), bytes.fromhex("00005e005312")
HANDLE, LOCAL, REMOTE = 0x0B, 0x0041, 0x0042
ARP = bytes.fromhex("0001080006040001") + TABLET + bytes([192, 0, 2, 2]) + bytes(6) + bytes([192, 0, 2, 1])


def packets():
    """Direction (0 sent, 1 received) and H4 packets."""
    event = lambda code, parameters: (1, bytes([4, code, len(parameters)]) + parameters)

    def pdu(direction, channel, payload):
        frame = struct.pack("<HH", len(payload), channel) + payload
        return direction, b"\x02" + struct.pack("<HH", HANDLE | 0x2000, len(frame)) + frame

    signal = lambda direction, code, number, data: pdu(direction, 1, struct.pack("<BBH", code, number, len(data)) + data)
    send, receive = (lambda data: pdu(0, REMOTE, data)), (lambda data: pdu(1, LOCAL, data))
    yield event(0x03, struct.pack("<BH", 0, HANDLE) + TABLET[::-1] + b"\x01\x00")
    yield signal(0, 2, 1, struct.pack("<HH", 0x000F, LOCAL))
    yield signal(1, 3, 1, struct.pack("<HHHH", REMOTE, LOCAL, 0, 0))
    yield signal(0, 4, 2, struct.pack("<HHBBH", REMOTE, 0, 1, 2, 1691))
    yield signal(1, 5, 2, struct.pack("<HHH", LOCAL, 0, 0))
    yield signal(1, 4, 1, struct.pack("<HHBBH", LOCAL, 0, 1, 2, 1691))
    yield signal(0, 5, 1, struct.pack("<HHH", REMOTE, 0, 0))
    yield send(bytes.fromhex("010102" "1116" "1115"))                                       # set up: NAP, PANU
    yield receive(bytes.fromhex("01020000"))
    yield send(bytes.fromhex("01030008" "08000806" "86dd86dd"))                             # filters: network types, multicast
    yield receive(bytes.fromhex("01040000"))
    yield send(bytes.fromhex("0105000c" "01005e000000" "01005e0000ff"))
    yield receive(bytes.fromhex("01060003"))
    yield receive(b"\x00" + b"\xff" * 6 + TABLET + b"\x08\x06" + ARP)                       # general Ethernet
    yield send(b"\x02\x08\x06" + ARP)                                                       # compressed
    yield receive(b"\x03" + TABLET + b"\x08\x06" + ARP)                                     # source only
    yield send(b"\x04" + TABLET + b"\x08\x06" + ARP)                                        # destination only
    yield send(bytes.fromhex("017f"))                                                       # an unknown control message
    yield receive(bytes.fromhex("01007f"))
    yield event(0x05, struct.pack("<BHB", 0, HANDLE, 0x13))


def make():
    return classic.btsnoop(packets())


if __name__ == "__main__":
    open(sys.argv[1], "wb").write(make())
