#!/usr/bin/env python3
"""A car and a phone, from the car's log, on channels that number their frames (L2CAP, Vol 3, Part A, 8): the phone book (PBAP 1.2) over L2CAP in
enhanced retransmission mode, where one frame is lost and sent again and others are sent twice; browsing of a media player; a channel without
check sequences and with extended control fields, and one in streaming mode that loses a frame. enhanced.py FILE.btsnoop"""
import struct
import sys

import classic
import objects
from objects import CONTINUE, CONNECT, DISCONNECT, GET_FINAL, SENT, RECEIVED, SUCCESS, packet

RETRANSMISSION, STREAMING = 3, 4
RR, REJ, RNR, SREJ = range(4)
BOOK_PSM, SENSOR_PSM, MUSIC_PSM = 0x1005, 0x1007, 0x1009


def check(data):
    """The frame check sequence of L2CAP (Vol 3, Part A, 3.3.5)."""
    value = 0
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ 0xA001 if value & 1 else value >> 1
    return value


class Channel:
    """A channel with a control field; `checked` and `extended` select whether frames have an FCS and extended control fields."""

    def __init__(self, link, psm, mode, size=60, window=8, checked=True, extended=False):
        self.link, self.mode, self.size, self.checked, self.extended = link, mode, size, checked, extended
        self.next, self.expected = [0, 0], [0, 0]
        link.channel += 2
        self.ends = classic.LOCAL + link.channel, classic.REMOTE + link.channel
        mine, theirs = self.ends
        link.signals[0] += 1
        link.signal(SENT, 2, link.signals[0], struct.pack("<HH", psm, mine))
        link.signal(RECEIVED, 3, link.signals[0], struct.pack("<HHHH", theirs, mine, 0, 0))
        timeouts = (2000, 12000) if mode == RETRANSMISSION else (0, 0)
        for side in (SENT, RECEIVED):
            link.signals[side] += 1
            options = struct.pack("<BBH", 1, 2, 1691)
            options += struct.pack("<BBBBBHHH", 4, 9, mode, window if mode == RETRANSMISSION else 0, 3, *timeouts, size)
            if not checked:
                options += bytes([5, 1, 0])
            if extended:
                options += struct.pack("<BBH", 7, 2, 500)
            link.signal(side, 4, link.signals[side], struct.pack("<HH", self.ends[1 - side], 0) + options)
            link.signal(1 - side, 5, link.signals[side], struct.pack("<HHH", self.ends[side], 0, 0) + options[4:15])

    def frame(self, side, control, payload=b"", spoiled=False):
        data = control + payload
        head = struct.pack("<HH", len(data) + 2 * self.checked, self.ends[1 - side])
        if self.checked:
            data += struct.pack("<H", check(head + data) ^ spoiled)
        self.link.pdu(side, self.ends[1 - side], data)

    def information(self, side, segment, payload, number=None, final=0, **how):
        """An I-frame; with `number`, a retransmission."""
        if number is None:
            number = self.next[side]
            self.next[side] += 1
            self.expected[1 - side] = self.next[side]
        wanted = 0 if self.mode == STREAMING else self.expected[side]
        if self.extended:
            control = struct.pack("<I", final << 1 | wanted << 2 | segment << 16 | number << 18)
        else:
            control = struct.pack("<H", (number & 63) << 1 | final << 7 | (wanted & 63) << 8 | segment << 14)
        self.frame(side, control, payload, **how)

    def supervisory(self, side, kind, wanted=None, poll=0, final=0):
        wanted = self.expected[side] if wanted is None else wanted
        if self.extended:
            self.frame(side, struct.pack("<I", 1 | final << 1 | wanted << 2 | kind << 16 | poll << 18))
        else:
            self.frame(side, struct.pack("<H", 1 | kind << 2 | poll << 4 | final << 7 | (wanted & 63) << 8))

    def segments(self, data):
        """The payloads of an SDU's I-frames with their segmentation bits."""
        if len(data) <= self.size:
            return [(0, data)]
        pieces = [data[start:start + self.size] for start in range(0, len(data), self.size)]
        pieces[0] = struct.pack("<H", len(data)) + pieces[0]
        return [(1 if number == 0 else 2 if number == len(pieces) - 1 else 3, piece) for number, piece in enumerate(pieces)]

    def send(self, side, data):
        for segment, piece in self.segments(data):
            self.information(side, segment, piece)

    def close(self):
        self.link.close(self.ends)


def make():
    link = classic.Link(objects.PHONE)
    record = objects.record(0x112F, 19, "Phonebook")
    link.discover(0x112F, record + [(2, 0x0200), (2, BOOK_PSM)])
    channel = Channel(link, BOOK_PSM, RETRANSMISSION)
    hello = lambda code, *parts: packet(code, b"\x10\x00" + struct.pack(">H", 1000), *parts)

    channel.send(SENT, hello(CONNECT, objects.target(objects.PBAP), objects.parameters((0x10, struct.pack(">I", 0x1F)))))
    channel.supervisory(RECEIVED, RR)
    channel.send(RECEIVED, hello(SUCCESS, objects.connection(1), objects.who(objects.PBAP)))
    channel.supervisory(SENT, RR)
    # A request in three segments, the last of which is retransmitted after a poll.
    question = packet(GET_FINAL, objects.connection(1), objects.name("telecom/pb.vcf"), objects.kind("x-bt/phonebook"),
                      objects.parameters((6, struct.pack(">Q", 0x85)), (7, b"\1"), (4, b"\xff\xff")))
    channel.send(SENT, question)
    last = channel.segments(question)[-1]
    channel.supervisory(SENT, RR, poll=1)
    channel.supervisory(RECEIVED, RR, wanted=channel.next[SENT] - 1, final=1)
    channel.information(SENT, *last, number=channel.next[SENT] - 1)
    channel.supervisory(RECEIVED, RR)
    # The response: its third frame is lost, requested again by SREJ, and comes after later frames.
    pieces = channel.segments(packet(CONTINUE, objects.body(objects.BOOK[:300])))
    first = channel.next[RECEIVED]
    for number, (segment, piece) in enumerate(pieces):
        if number == 2:
            channel.next[RECEIVED] += 1
            continue
        channel.information(RECEIVED, segment, piece)
        if number == 3:
            channel.expected[SENT] = first + 2
            channel.supervisory(SENT, SREJ)
    channel.information(RECEIVED, *pieces[2], number=first + 2, final=1)
    channel.expected[SENT] = channel.next[RECEIVED]
    channel.supervisory(SENT, RNR)
    channel.supervisory(SENT, RR)
    # The next response: its second frame is damaged, and all frames from there on are requested again.
    channel.send(SENT, packet(GET_FINAL, objects.connection(1)))
    pieces = channel.segments(packet(CONTINUE, objects.body(objects.BOOK[300:420])))
    first = channel.next[RECEIVED]
    for number, (segment, piece) in enumerate(pieces):
        channel.information(RECEIVED, segment, piece, spoiled=number == 1)
    channel.expected[SENT] = first + 1
    channel.supervisory(SENT, REJ)
    for number, (segment, piece) in enumerate(pieces[1:], 1):
        channel.information(RECEIVED, segment, piece, number=first + number)
    channel.expected[SENT] = channel.next[RECEIVED]
    channel.send(SENT, packet(GET_FINAL, objects.connection(1)))
    channel.send(RECEIVED, packet(SUCCESS, objects.end(objects.BOOK[420:])))
    channel.send(SENT, packet(DISCONNECT, objects.connection(1)))
    channel.send(RECEIVED, packet(SUCCESS))
    channel.supervisory(SENT, RR)
    channel.close()

    # Remote control with its browsing channel: a folder's items in one response of several segments.
    control = link.open(0x0017)
    browsing = Channel(link, 0x001B, RETRANSMISSION, size=40)
    ask = lambda transaction, pdu, data: bytes([transaction << 4, 0x11, 0x0E, pdu]) + struct.pack(">H", len(data)) + data
    answer = lambda transaction, pdu, data: bytes([transaction << 4 | 2, 0x11, 0x0E, pdu]) + struct.pack(">H", len(data)) + data
    browsing.send(SENT, ask(1, 0x70, struct.pack(">H", 1)))
    browsing.send(RECEIVED, answer(1, 0x70, struct.pack(">BHIHB", 4, 1, 3, 106, 0)))
    browsing.send(SENT, ask(2, 0x71, struct.pack(">BIIB", 1, 0, 2, 0)))
    items = b""
    for number, title in enumerate(("Morning", "Noon", "A long way home at night"), 1):
        item = struct.pack(">QBBHH", number, 2, 0, 106, len(title)) + title.encode()
        items += struct.pack(">BH", 2, len(item)) + item
    browsing.send(RECEIVED, answer(2, 0x71, struct.pack(">BHH", 4, 1, 3) + items))
    browsing.supervisory(SENT, RR)
    browsing.close()
    link.close(control)

    # Extended control fields without check sequences, and numbers beyond 63.
    sensor = Channel(link, SENSOR_PSM, RETRANSMISSION, checked=False, extended=True)
    for number in range(70):
        sensor.send(RECEIVED, f"sensor {number}".encode() if number % 30 else b"calibration " * 12)
        if number % 10 == 9:
            sensor.supervisory(SENT, RR)
    sensor.close()

    # Streaming: the third frame is lost.
    music = Channel(link, MUSIC_PSM, STREAMING)
    for number in range(5):
        for segment, piece in music.segments(f"block {number} ".encode() * 16):
            if number == 2 and segment == 3:
                music.next[RECEIVED] += 1
                continue
            music.information(RECEIVED, segment, piece)
    music.close()
    link.lost()
    return link.btsnoop()


if __name__ == "__main__":
    open(sys.argv[1], "wb").write(make())
