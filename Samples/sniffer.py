"""A sniffer's capture of a lamp: it is paired with a passkey, its keys are distributed, it reconnects with one of them, and a third
connection has an unknown key. A packet is retransmitted, and the sniffer misses some. Link Layer packets in a pcapng."""
import random
import struct

from bumble.crypto import builtin

START = 1_795_167_000_000_000           # 2026-11-20 09:30:00 UTC, as in the other samples
PASSKEY = 240_981
LAMP = bytes.fromhex("010000eeffc0")                            # C0:FF:EE:00:00:01, in transmission order
PHONE = bytes.fromhex("1153005e0000")                           # 00:00:5E:00:53:11
ADVERTISING = 0x8E89BED6


def aes(key, block):
    """One block; key and block have their most significant octet first."""
    return builtin._ECB(key).encrypt(block)


def xor(a, b):
    return bytes(x ^ y for x, y in zip(a, b))


def c1(key, chance, request, response):
    """Core, Vol 3, Part H, 2.2.3, with the phone public and the lamp random."""
    first = response[::-1] + request[::-1] + bytes([1, 0])
    second = bytes(4) + PHONE[::-1] + LAMP[::-1]
    return aes(key, xor(aes(key, xor(chance, first)), second))


def crc(pdu, initial):
    """Core, Vol 6, Part B, 3.1.1."""
    state = int(f"{initial:024b}"[::-1], 2)
    for byte in pdu:
        for bit in range(8):
            feedback = (state ^ byte >> bit) & 1
            state = state >> 1 ^ (0xDA6000 if feedback else 0)
    return state.to_bytes(3, "little")


class Air:
    """The packets so far, and the random generator of the keys."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.packets = []
        self.time = START

    def send(self, access, header, payload, initial, kind, channel, heard=True):
        pdu = bytes([header, len(payload)]) + payload
        flags = 0x0C13 | kind << 7
        radio = struct.pack("<BbbBIH", channel, -48, -128, 0, access, flags)
        if heard:
            self.packets.append((self.time, radio + struct.pack("<I", access) + pdu + crc(pdu, initial)))
        self.time += 150 + 8 * (len(payload) + 10)

    def advertise(self):
        self.send(ADVERTISING, 0x40, LAMP + bytes.fromhex("020106") + b"\x05\x09Lamp", 0x555555, 0, 0)

    def pcapng(self):
        def block(kind, body):
            return struct.pack("<II", kind, len(body) + 12) + body + struct.pack("<I", len(body) + 12)

        out = block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1)) + block(1, struct.pack("<HHI", 256, 0, 0))
        for time, data in self.packets:
            head = struct.pack("<IIIII", 0, time >> 32, time & 0xFFFFFFFF, len(data), len(data))
            out += block(6, head + data + bytes(-len(data) % 4))
        return out


class Connection:
    """One connection: sequence bits, and encryption once there is a key."""

    def __init__(self, air, access):
        self.air, self.access = air, access
        self.initial = air.chance.getrandbits(24)
        self.bits = {True: 1, False: 1}
        self.last = {}
        self.key = None
        air.advertise()
        data = struct.pack("<I", access) + self.initial.to_bytes(3, "little")
        data += struct.pack("<BHHHH", 2, 3, 24, 0, 200) + bytes.fromhex("ffffffff1f") + bytes([9])
        air.send(ADVERTISING, 0x85, PHONE + LAMP + data, 0x555555, 0, 0)
        air.time += 30_000

    def put(self, central, kind, payload, heard=True, again=False):
        """A packet of one side; the other responds with an empty one if it has no data."""
        if not again:
            self.bits[central] ^= 1
            header = kind | self.bits[central] << 3 | (1 - self.bits[not central]) << 2
            if self.key and payload:
                payload = self.encrypt(central, header, payload)
            self.last[central] = header, payload
        header, payload = self.last[central]
        self.air.send(self.access, header, payload, self.initial, 2 if central else 3, 10 + self.air.time // 30_000 % 20, heard)

    def talk(self, central, kind, payload, heard=True, again=False):
        """A connection event in which one side sends data."""
        if central:
            self.put(True, kind, payload, heard)
            if again:
                self.put(True, kind, payload, again=True)
            self.put(False, 1, b"")
        else:
            self.put(True, 1, b"")
            self.put(False, kind, payload, heard)
        self.air.time += 30_000 - self.air.time % 30_000

    def say(self, central, channel, pdu, **how):
        self.talk(central, 2, struct.pack("<HH", len(pdu), channel) + pdu, **how)

    def pair(self, central, pdu):
        self.say(central, 6, pdu)

    def att(self, central, text, **how):
        self.say(central, 4, bytes.fromhex(text.replace(" ", "")), **how)

    def encrypt(self, central, header, payload):
        """Core, Vol 6, Part E, 2."""
        counter = self.counters[central]
        self.counters[central] += 1
        nonce = (counter | central << 39).to_bytes(5, "little") + self.vector
        padded = payload + bytes(-len(payload) % 16)
        mac = aes(self.key, b"\x49" + nonce + struct.pack(">H", len(payload)))
        mac = aes(self.key, xor(mac, b"\0\1" + bytes([header & 0xE3]) + bytes(13)))
        out = b""
        for number in range(0, len(padded), 16):
            piece = padded[number:number + 16]
            mac = aes(self.key, xor(mac, piece))
            out += xor(piece, aes(self.key, b"\1" + nonce + struct.pack(">H", number // 16 + 1)))
        return out[:len(payload)] + xor(mac, aes(self.key, b"\1" + nonce + b"\0\0"))[:4]

    def start(self, key, ediv=0, rand=0):
        """Starts encryption with a long or short term key."""
        central, peripheral = self.air.chance.randbytes(12), self.air.chance.randbytes(12)
        self.talk(True, 3, b"\x03" + struct.pack("<QH", rand, ediv) + central)
        self.talk(False, 3, b"\x04" + peripheral)
        self.talk(False, 3, b"\x05")
        self.vector = central[8:] + peripheral[8:]
        self.counters = {True: 0, False: 0}
        self.key = aes(key, peripheral[7::-1] + central[7::-1])
        self.talk(True, 3, b"\x06")
        self.talk(False, 3, b"\x06")

    def pause(self, key, ediv, rand):
        """Pauses encryption, and starts it with another key."""
        self.talk(True, 3, b"\x0a")
        self.talk(False, 3, b"\x0b")
        self.key = None
        self.talk(True, 3, b"\x0b")
        self.start(key, ediv, rand)

    def end(self):
        self.talk(True, 3, b"\x02\x13")
        self.air.time += 500_000


def make():
    air = Air(1009)
    first = Connection(air, 0x50A1B2C3)
    request, response = bytes.fromhex("01040005100203"), bytes.fromhex("02000005100203")
    temporary = PASSKEY.to_bytes(16, "big")
    phone, lamp = air.chance.randbytes(16), air.chance.randbytes(16)
    first.pair(True, request)
    first.pair(False, response)
    first.pair(True, b"\x03" + c1(temporary, phone, request, response)[::-1])
    first.pair(False, b"\x03" + c1(temporary, lamp, request, response)[::-1])
    first.pair(True, b"\x04" + phone[::-1])
    first.pair(False, b"\x04" + lamp[::-1])
    first.start(aes(temporary, lamp[8:] + phone[8:]))
    key, ediv, rand = air.chance.randbytes(16), air.chance.getrandbits(16), air.chance.getrandbits(64)
    first.pair(False, b"\x06" + key[::-1])
    first.pair(False, b"\x07" + struct.pack("<HQ", ediv, rand))
    first.pair(False, b"\x08" + air.chance.randbytes(16))
    first.pair(False, b"\x09\x01" + LAMP)
    first.pair(True, b"\x08" + air.chance.randbytes(16))
    first.pair(True, b"\x09\x00" + PHONE)
    first.att(True, "0a 0300")
    first.att(False, "0b 4c616d70")
    first.att(True, "52 0c00 01", again=True)
    for level in range(100, 94, -1):
        first.att(False, f"1b 0f00 {level:02x}", heard=level not in (98, 97))
    first.end()

    second = Connection(air, 0x60B2C3D4)
    second.start(key, ediv, rand)
    second.att(True, "12 0c00 00")
    second.att(False, "13")
    second.pause(key, ediv, rand)
    second.att(True, "0a 0f00")
    second.att(False, "0b 5f")
    second.end()

    third = Connection(air, 0x70C3D4E5)
    third.start(air.chance.randbytes(16))
    third.att(True, "12 0c00 01")
    third.att(False, "13")
    third.end()
    return air.pcapng()
