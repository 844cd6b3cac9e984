"""BR/EDR in a host's log: L2CAP channels, SDP records, and an RFCOMM session, packet by packet."""
import struct

LOCAL, REMOTE = 0x0041, 0x0042


def crc(data):
    """Frame check sequence of RFCOMM (TS 07.10, 5.2.1.6)."""
    value = 0xFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ 0xE0 if value & 1 else value >> 1
    return 0xFF - value


def element(value):
    """An SDP data element: a UUID of 16 bits as ("uuid", n), a number as (bytes, n), a text, a list."""
    if isinstance(value, str):
        return struct.pack("BB", 0x25, len(value)) + value.encode()
    if isinstance(value, list):
        body = b"".join(map(element, value))
        return struct.pack("BB", 0x35, len(body)) + body
    kind, number = value
    if kind == "uuid":
        return struct.pack(">BH", 0x19, number)
    return bytes([0x08 | {1: 0, 2: 1, 4: 2}[kind]]) + number.to_bytes(kind, "big")


def btsnoop(packets, step=10_000):
    """A btsnoop file of H4 packets with their direction (0 sent, 1 received), `step` microseconds apart."""
    whole = b"btsnoop\0" + struct.pack(">II", 1, 1002)
    for number, (direction, data) in enumerate(packets):
        flags = direction | (2 if data[0] in (1, 4) else 0)
        time = 0x00DCDDB30F2F8000 + 1_770_000_000_000_000 + number * step
        whole += struct.pack(">IIIIq", len(data), len(data), flags, 0, time) + data
    return whole


class Link:
    """One connection. Packets are collected with their direction: 0 sent, 1 received."""

    def __init__(self, address, handle=0x0B, size=1691):
        self.address, self.handle, self.size = address, handle, size
        self.packets = []
        self.signals = [0, 0]
        self.channel = 0
        self.event(0x03, struct.pack("<BH", 0, handle) + address[::-1] + b"\x01\x00")

    def event(self, code, parameters):
        self.packets.append((1, bytes([4, code, len(parameters)]) + parameters))

    def pdu(self, direction, channel, payload):
        frame = struct.pack("<HH", len(payload), channel) + payload
        self.packets.append((direction, b"\x02" + struct.pack("<HH", self.handle | 0x2000, len(frame)) + frame))

    def signal(self, direction, code, number, data):
        self.pdu(direction, 1, struct.pack("<BBH", code, number, len(data)) + data)

    def open(self, psm, asker=0):
        """Opens a channel; `asker` is the direction of the request. Returns its identifiers at this host and at the peer."""
        self.channel += 2
        mine, theirs = LOCAL + self.channel, REMOTE + self.channel
        asked, answered = (mine, theirs) if asker == 0 else (theirs, mine)
        self.signals[asker] += 1
        self.signal(asker, 2, self.signals[asker], struct.pack("<HH", psm, asked))
        self.signal(1 - asker, 3, self.signals[asker], struct.pack("<HHHH", answered, asked, 0, 0))
        for side in (0, 1):
            other = theirs if side == 0 else mine
            own = mine if side == 0 else theirs
            self.signals[side] += 1
            self.signal(side, 4, self.signals[side], struct.pack("<HHBBH", other, 0, 1, 2, self.size))
            self.signal(1 - side, 5, self.signals[side], struct.pack("<HHH", own, 0, 0))
        return mine, theirs

    def close(self, channel, asker=0):
        mine, theirs = channel
        pair = struct.pack("<HH", theirs, mine) if asker == 0 else struct.pack("<HH", mine, theirs)
        self.signals[asker] += 1
        self.signal(asker, 6, self.signals[asker], pair)
        self.signal(1 - asker, 7, self.signals[asker], pair)

    def discover(self, service, record):
        """Requests the peer's records of a service class; `record` has the attributes of the one that it has."""
        channel = self.open(0x0001)
        request = element([("uuid", service)]) + b"\xff\xff" + element([(4, 0x0000FFFF)]) + b"\x00"
        answer = element([record])
        self.pdu(0, channel[1], struct.pack(">BHH", 6, 1, len(request)) + request)
        self.pdu(1, channel[0], struct.pack(">BHHH", 7, 1, len(answer) + 3, len(answer)) + answer + b"\x00")
        self.close(channel)

    def lost(self):
        self.event(0x05, struct.pack("<BHB", 0, self.handle, 0x13))

    def btsnoop(self, step=10_000):
        return btsnoop(self.packets, step)


class Session:
    """An RFCOMM session that this host starts, with one data link to a server of the peer."""

    def __init__(self, link, server, size=128):
        self.link, self.size = link, size
        self.dlci = server << 1
        self.channel = link.open(0x0003)
        self.frame(0, 0, 0x3F)
        self.frame(1, 0, 0x73)
        negotiation = bytes([self.dlci, 0xF0, 7, 0]) + struct.pack("<H", size) + b"\x00\x07"
        self.multiplexer(0, 0x83, negotiation)
        self.multiplexer(1, 0x81, bytes([self.dlci, 0xE0]) + negotiation[2:])
        self.frame(0, self.dlci, 0x3F)
        self.frame(1, self.dlci, 0x73)
        for side in (0, 1):
            self.multiplexer(side, 0xE3, bytes([self.dlci << 2 | 3, 0x8D]))
            self.multiplexer(1 - side, 0xE1, bytes([self.dlci << 2 | 3, 0x8D]))

    def frame(self, direction, dlci, control, data=b"", credits=None):
        # Commands of the side that started the session, and responses to it, have C/R set.
        is_command = control in (0x3F, 0x53, 0xEF, 0xFF)
        address = dlci << 2 | (2 if (direction == 0) == is_command else 0) | 1
        length = bytes([len(data) << 1 | 1]) if len(data) < 128 else struct.pack("<H", len(data) << 1)
        head = bytes([address, control]) + length
        check = crc(head[:2] if control & 0xEF == 0xEF else head)
        credit = b"" if credits is None else bytes([credits])
        self.link.pdu(direction, self.channel[1 - direction], head + credit + data + bytes([check]))

    def multiplexer(self, direction, kind, data):
        self.frame(direction, 0, 0xEF, bytes([kind, len(data) << 1 | 1]) + data)

    def send(self, direction, data, size=None, credits=None):
        """Data, in frames of at most `size` bytes."""
        size = size or self.size - 1
        for start in range(0, len(data), size):
            self.frame(direction, self.dlci, 0xEF if credits is None else 0xFF, data[start:start + size], credits)

    def end(self):
        self.frame(0, self.dlci, 0x53)
        self.frame(1, self.dlci, 0x73)
        self.frame(0, 0, 0x53)
        self.frame(1, 0, 0x73)
        self.link.close(self.channel)
