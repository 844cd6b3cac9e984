#!/usr/bin/env python3
"""links.py FOLDER: writes a capture of classic links with state over time: who is the central, modes, commands that wait for an event, fragmented
PDUs, channels that open and close, voice."""
import pathlib
import struct
import sys

from hci import Capture

STATUS, COMPLETE = 0x0F, 0x03


def address(number):
    return bytes([number, 2, 3, 4, 5, 6])


def pending(log, opcode, parameters):
    """A command, and its Command Status."""
    log.command(opcode, parameters)
    log.event(STATUS, struct.pack("<BBH", 0, 1, opcode))


def talk(log, handle):
    """An echo request and its response."""
    log.l2cap(handle, 1, bytes([8, 1, 0, 0]))
    log.l2cap(handle, 1, bytes([9, 1, 0, 0]), 1)


def links(log):
    # This host connects, and a role switch makes the other side the central.
    pending(log, 0x0405, address(1) + bytes([0x18, 0xCC, 1, 0, 0, 0, 1]))
    log.event(COMPLETE, bytes([0, 0x0B, 0]) + address(1) + bytes([1, 0]))
    talk(log, 0x0B)
    pending(log, 0x0803, struct.pack("<HHHHH", 0x0B, 800, 400, 4, 1))
    log.event(0x14, struct.pack("<BHBH", 0, 0x0B, 2, 400))
    talk(log, 0x0B)
    pending(log, 0x080B, address(1) + b"\1")
    log.event(0x12, b"\0" + address(1) + b"\1")
    talk(log, 0x0B)
    pending(log, 0x0804, struct.pack("<H", 0x0B))
    log.event(0x14, struct.pack("<BHBH", 0, 0x0B, 0, 0))
    talk(log, 0x0B)
    # An echo in three packets, each way.
    for received in (0, 1):
        frame = struct.pack("<HH", 54, 1) + bytes([8 + received, 2, 50, 0]) + bytes(50)
        log.acl(0x0B, frame[:20], received)
        log.acl(0x0B, frame[20:40], received, 1)
        log.acl(0x0B, frame[40:], received, 1)
    # A channel from each side.
    for received in (0, 1):
        log.l2cap(0x0B, 1, bytes([2, 3, 4, 0]) + struct.pack("<HH", 0x1001, 0x40 + received), received)
        log.l2cap(0x0B, 1, bytes([3, 3, 8, 0]) + struct.pack("<HHHH", 0x50 + received, 0x40 + received, 0, 0), 1 - received)
        log.l2cap(0x0B, 0x50 + received, b"abc", received)
        log.l2cap(0x0B, 0x40 + received, b"def", 1 - received)
        log.l2cap(0x0B, 1, bytes([6, 4, 4, 0]) + struct.pack("<HH", 0x50 + received, 0x40 + received), received)
        log.l2cap(0x0B, 1, bytes([7, 4, 4, 0]) + struct.pack("<HH", 0x50 + received, 0x40 + received), 1 - received)
    # Two other devices connect; this host stays peripheral of one, and becomes the central of the other.
    for number, role in ((2, 1), (3, 0)):
        log.event(0x04, address(number) + bytes([4, 1, 0x20, 1]))
        pending(log, 0x0409, address(number) + bytes([role]))
        log.event(COMPLETE, bytes([0, 0x0B + number, 0]) + address(number) + bytes([1, 0]))
        talk(log, 0x0B + number)
    # Commands for a link, one after the other and at the same time.
    pending(log, 0x0411, struct.pack("<H", 0x0B))
    log.event(0x06, struct.pack("<BH", 0, 0x0B))
    pending(log, 0x0413, struct.pack("<HB", 0x0B, 1))
    log.event(0x08, struct.pack("<BHB", 0, 0x0B, 1))
    pending(log, 0x041B, struct.pack("<H", 0x0B))
    pending(log, 0x041D, struct.pack("<H", 0x0B))
    pending(log, 0x041B, struct.pack("<H", 0x0D))
    log.event(0x0C, struct.pack("<BHBHH", 0, 0x0B, 9, 15, 1))
    log.event(0x0B, struct.pack("<BH8s", 0, 0x0B, b"\xff" * 8))
    log.event(0x0B, struct.pack("<BH8s", 0, 0x0D, b"\xff" * 8))
    # Voice.
    pending(log, 0x0428, struct.pack("<HIIHHBH", 0x0B, 8000, 8000, 10, 0x60, 1, 0x3F))
    log.event(0x2C, bytes([0, 0x20, 0]) + address(1) + bytes([2, 12, 4, 60, 0, 60, 0, 2]))
    for flags in (0, 1):
        log.add(bytes([3]) + struct.pack("<HB", 0x20, 6) + bytes(6), flags)
    for handle in (0x0B, 0x0D, 0x0E):
        pending(log, 0x0406, struct.pack("<HB", handle, 0x13))
        log.event(0x05, struct.pack("<BHB", 0, handle, 0x16))
    return log


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    links(Capture()).write(folder / "links.btsnoop")


if __name__ == "__main__":
    main()
