"""A sniffer's capture of isochronous streams: a loudspeaker's broadcast in two streams (BIS), encrypted with the code "Foyer 1", and a stream of an
earpiece's connection (CIS), encrypted with the key of that connection. Some packets are missed. Link Layer packets in a pcapng."""
import struct

from bumble.crypto import aes_cmac
from sniffer import Air, Connection, aes, xor

CODE = b"Foyer 1"
SYNC, SYNC_INITIAL = 0x7A3B5C1D, 0x123456
SEED, BASE = 0x5A83C16E, 0x3C5A
INTERVAL = 10_000                               # µs


def ccm(key, vector, counter, direction, masked, payload):
    """Core, Vol 6, Part E, 2, for any mask of the header."""
    nonce = (counter | direction << 39).to_bytes(5, "little") + vector
    mac = aes(key, b"\x49" + nonce + struct.pack(">H", len(payload)))
    mac = aes(key, xor(mac, b"\0\1" + bytes([masked]) + bytes(13)))
    out = b""
    for number in range(0, len(payload), 16):
        piece = payload[number:number + 16]
        mac = aes(key, xor(mac, piece.ljust(16, b"\0")))
        out += xor(piece, aes(key, b"\1" + nonce + struct.pack(">H", number // 16 + 1)))
    return out + xor(mac, aes(key, b"\1" + nonce + b"\0\0"))[:4]


def group_key(diversifier):
    """Core, Vol 6, Part B, 4.4.6.10: h7, h6 and h8."""
    code = CODE.ljust(16, b"\0")[::-1]
    long_term = aes_cmac(b"BIG2", aes_cmac(code, bytes(12) + b"BIG1"))
    return aes_cmac(b"BIG3", aes_cmac(long_term, diversifier[::-1]))


def stream_address(number):
    """Core, Vol 6, Part B, 2.1.2."""
    d = (35 * number + 42) % 128
    bits = [d >> n & 1 for n in range(7)]
    word = [bits[0]] * 6 + [bits[1], bits[6], bits[1], 0, bits[5], bits[4], 0, bits[3], bits[2], 0]
    return SEED ^ int("".join(map(str, word)), 2) << 16


def vector(base, access):
    return xor(base[:4], struct.pack("<I", access)) + base[4:]


def broadcast(air):
    giv, diversifier = air.chance.randbytes(8), air.chance.randbytes(16)
    key = group_key(diversifier)
    count = 48_120
    first = 600 | 0 << 14 | INTERVAL // 1250 << 15 | 2 << 27
    info = struct.pack("<I", first) + struct.pack("<I", 4 | 2 << 5 | 2500 << 8 | 0 << 28)
    info += struct.pack("<I", 5000 | 1 << 20 | 40 << 24) + b"\0" + struct.pack("<I", SEED) + struct.pack("<I", 10_000 | 40 << 20)
    info += struct.pack("<H", BASE) + bytes.fromhex("ffffffff1f") + count.to_bytes(5, "little") + giv + diversifier
    header = b"\x00" + bytes([len(info) + 1, 0x2C]) + info
    body = bytes([len(header)]) + header + b"\x05\x30Hall"
    air.send(SYNC, 0x07, body, SYNC_INITIAL, 1, 12)
    start = air.time + 600 * 30
    for event in range(12):
        for number in (1, 2):
            access = stream_address(number)
            for burst in range(2):
                air.time = start + event * INTERVAL + (number - 1) * 5000 + burst * 2500
                data = bytes((number, event, burst)) + air.chance.randbytes(23)
                header = 0 | event % 8 << 2
                payload = ccm(key, vector(giv, access), count + 2 * event + burst, 1, header & 0xC3, data)
                air.send(access, header, payload, BASE << 8 | number, 6, 3 + event, heard=air.chance.random() > 0.1)
    air.time += 50_000


def connected(air):
    key = air.chance.randbytes(16)
    one = Connection(air, 0x61A2B3C4)
    one.start(key, 0x4E21, 0x1122334455667788)
    access = 0x4F7E19A2
    one.talk(True, 3, b"\x21" + struct.pack("<I", access) + bytes.fromhex("f40100 100e00 100e00") + struct.pack("<H", 20))
    start = air.time + 40_000
    for event in range(16):
        for central in (True, False):
            air.time = start + event * INTERVAL + (0 if central else 700)
            header = event % 2 << 3
            data = bytes((central, event)) + air.chance.randbytes(38)
            payload = ccm(one.key, vector(one.vector, access), event, central, header & 0xA3, data)
            air.send(access, header, payload, 0x5A5A5A, 4 if central else 5, 5 + event, heard=air.chance.random() > 0.1)
    one.end()
    return key


def make():
    """Returns the capture, and the key of the earpiece's connection."""
    air = Air(5211)
    broadcast(air)
    key = connected(air)
    return air.pcapng(), f"code={CODE.ljust(16, bytes(1))[::-1].hex()}  # Foyer 1\nltk={key.hex()}\n"
