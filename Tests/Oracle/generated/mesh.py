#!/usr/bin/env python3
"""mesh.py FOLDER: writes captures of a Bluetooth Mesh network over advertising and through a proxy: messages of all models in all lengths, messages of
the transport layer, unsegmented and segmented, beacons, provisioning. Beside each capture NAME.json has the options with the keys for tshark and
btscribe. The files are the same in every run."""
import json
import os
import random
import struct
import sys

from services import Capture, b16, b24, structure, u16

R = random.Random(20224)
NETWORK, APPLICATION, DEVICE = (bytes.fromhex(text) for text in (
    "7dd7364cd842ad18c17c2b820c84c3d6", "63964771734fbd76e3b40519d1d94a48", "9d6dd0e96eb25dc19a40ed9914f8f03f"))
IV = bytes.fromhex("12345678")
NODE, PEER = b16(0x1201), b16(3)


def some(count): return bytes(R.randrange(256) for _ in range(count))


def xor(a, b): return bytes(x ^ y for x, y in zip(a, b))


# AES-128 (FIPS 197), which Python's standard library does not have.

def doubled(byte): return byte << 1 ^ (0x11B if byte & 0x80 else 0)


def product(a, b):
    result = 0
    while b:
        result ^= a if b & 1 else 0
        a, b = doubled(a), b >> 1
    return result


def substitution(byte):
    inverse = next((x for x in range(256) if product(byte, x) == 1), 0)
    result = 0x63
    for turn in range(5):
        result ^= (inverse << turn | inverse >> 8 - turn) & 0xFF
    return result


BOX = bytes(substitution(byte) for byte in range(256))


class Cipher:
    def __init__(self, key):
        words, constant = [key[at:at + 4] for at in range(0, 16, 4)], 1
        for at in range(4, 44):
            word = words[-1]
            if at % 4 == 0:
                word = xor(bytes(BOX[byte] for byte in word[1:] + word[:1]), bytes([constant, 0, 0, 0]))
                constant = doubled(constant)
            words.append(xor(words[at - 4], word))
        self.keys = [b"".join(words[at:at + 4]) for at in range(0, 44, 4)]

    def encrypt(self, block):
        state = xor(block, self.keys[0])
        for number, key in enumerate(self.keys[1:], 1):
            state = [BOX[state[(at + 4 * (at % 4)) % 16]] for at in range(16)]
            if number < 10:
                mixed = []
                for column in range(0, 16, 4):
                    a = state[column:column + 4]
                    mixed += [doubled(a[at]) ^ doubled(a[(at + 1) % 4]) ^ a[(at + 1) % 4] ^ a[(at + 2) % 4] ^ a[(at + 3) % 4] for at in range(4)]
                state = mixed
            state = xor(state, key)
        return bytes(state)

    def cmac(self, message):
        """RFC 4493."""
        def key(block):
            number = int.from_bytes(block, "big") << 1
            return ((number ^ (0x87 if number >> 128 else 0)) & (1 << 128) - 1).to_bytes(16, "big")
        first = key(self.encrypt(bytes(16)))
        last = message[(len(message) - 1) // 16 * 16:] if message else b""
        rest = message[:len(message) - len(last)]
        last = xor(last, first) if len(last) == 16 else xor((last + b"\x80" + bytes(16))[:16], key(first))
        state = bytes(16)
        for at in range(0, len(rest), 16):
            state = self.encrypt(xor(state, rest[at:at + 16]))
        return self.encrypt(xor(state, last))

    def ccm(self, nonce, message, check):
        """RFC 3610, with a length of two bytes and no additional authenticated data."""
        padded = message + bytes(-len(message) % 16)
        state = self.encrypt(bytes([(check - 2) // 2 << 3 | 1]) + nonce + b16(len(message)))
        for at in range(0, len(padded), 16):
            state = self.encrypt(xor(state, padded[at:at + 16]))
        stream = b"".join(self.encrypt(b"\1" + nonce + b16(number)) for number in range(len(padded) // 16 + 1))
        return xor(message, stream[16:]) + xor(state, stream)[:check]


def salt(text): return Cipher(bytes(16)).cmac(text)


K2 = Cipher(Cipher(salt(b"smk2")).cmac(NETWORK))
FIRST = K2.cmac(b"\0\1")
SECOND = K2.cmac(FIRST + b"\0\2")
SEALING, PRIVACY, IDENTIFIER = Cipher(SECOND), Cipher(K2.cmac(SECOND + b"\0\3")), FIRST[15] & 0x7F
CIPHERS = {True: Cipher(APPLICATION), False: Cipher(DEVICE)}
KIND = {True: 0x40 | Cipher(Cipher(salt(b"smk4")).cmac(APPLICATION)).cmac(b"id6\1")[15] & 0x3F, False: 0}
# More bits than the 13 in a segment's SeqZero.
sequence = 0x3129A0


def advance(count=1):
    global sequence
    sequence += count
    return sequence


def network(transport, is_control=False, is_proxy=False, number=None, hops=4, recipient=PEER):
    head = bytes([is_control << 7 | hops]) + b24(number or advance()) + NODE
    nonce = (b"\3\0" if is_proxy else b"\0" + head[:1]) + head[1:] + b"\0\0" + IV
    sealed = SEALING.ccm(nonce, recipient + transport, 8 if is_control else 4)
    mask = PRIVACY.encrypt(bytes(5) + IV + sealed[:7])
    return bytes([(IV[3] & 1) << 7 | IDENTIFIER]) + xor(head, mask) + sealed


def access(message, is_application=True, is_long=False, is_whole=True):
    number = advance()
    nonce = bytes([1 if is_application else 2, is_long << 7]) + b24(number) + NODE + PEER + IV
    sealed = CIPHERS[is_application].ccm(nonce, message, 8 if is_long else 4)
    if is_whole:
        return [network(bytes([KIND[is_application]]) + sealed, number=number)]
    return segments(KIND[is_application], sealed, 12, number, is_long)


def segments(kind, message, size, number, is_long=False, is_control=False):
    pieces = [message[at:at + size] for at in range(0, len(message), size)]
    advance(len(pieces) - 1)
    return [network(bytes([0x80 | kind]) + b24(is_long << 23 | (number & 0x1FFF) << 10 | at << 5 | len(pieces) - 1) + piece, is_control,
                    number=number + at) for at, piece in enumerate(pieces)]


def heard(c, kind, data):
    data = structure(kind, data)
    c.event(0x3E, bytes([2, 1, 3, 1]) + bytes.fromhex("01005e0053c1") + bytes([len(data)]) + data + bytes([0xC4]))


def models(c):
    codes = [bytes([code]) for code in range(0x70)] + [b16(code) for code in [*range(0x8000, 0x8052), *range(0x8200, 0x82A2)]]
    for code in codes:
        for length in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 20, 24, 25, 26, 27, 30):
            heard(c, 0x2A, access(code + some(length))[0])
    for code in (b"\xc1\x05\0", b"\xff\xff\xff", b"\x7f"):
        for length in (0, 4, 11):
            heard(c, 0x2A, access(code + some(length))[0])
    # Composition data of a node: elements with models of the SIG and of vendors.
    for elements in ([(0, 0)], [(1, 0), (0, 1)], [(3, 2), (2, 0), (1, 1)]):
        data = b"\2" + some(11) + b"".join(some(2) + bytes(counts) + some(2 * counts[0] + 4 * counts[1]) for counts in elements)
        heard(c, 0x2A, access(data)[0])


def sensors(c):
    """Values of device properties: the sizes of each property's fields, columns in their order."""
    for number, sizes in ((0x01, (1, 1, 1)), (0x0D, (3,)), (0x29, (1,)), (0x2B, (3,)), (0x2E, (2,)), (0x32, (4,)), (0x36, (3,)), (0x42, (1,)), (0x4C, (2,)),
                          (0x4D, (1,)), (0x4F, (1,)), (0x54, (2,)), (0x57, (2,)), (0x60, (1, 1, 3)), (0x61, (2, 2, 1)), (0x62, (3, 3, 1)), (0x64, (2, 2, 1)),
                          (0x65, (2, 2, 1)), (0x68, (2,)), (0x6A, (3,)), (0x75, (2,)), (0x02, (3,)), (0x14, (9,)), (0x82, (4,)), (0xB3, (1,)), (0xFFFE, (2,)),
                          (0xFFFF, (2,)), (0x7F, (4,)), (0x1234, (2,))):
        size = sum(sizes)

        def value():
            # A coefficient is a float, of which tshark prints six digits.
            return struct.pack("<f", R.randrange(-4000, 4000) / 8) if number == 0x32 else some(size)

        heard(c, 0x2A, access(b"\x53" + u16(number) + value())[0])
        heard(c, 0x2A, access(b"\x54" + u16(number) + value() + (value() if size < 7 else b""))[0])
        for code in (0x55, 0x56, 0x57):
            if size < 5:
                heard(c, 0x2A, access(bytes([code]) + u16(number) + b"\x03" + value() + value() + some(1) + value() + value())[0])
            if size < 6:
                heard(c, 0x2A, access(bytes([code]) + u16(number) + b"\x83" + some(5) + value() + value())[0])
        if len(sizes) == 1:
            heard(c, 0x2A, access(b"\x52" + bytes([size - 1 << 1 | 1]) + u16(number) + value())[0])
            if number < 0x800:
                heard(c, 0x2A, access(b"\x52" + u16(number << 5 | size - 1 << 1) + value())[0])
        else:
            # What a characteristic is about stands before the borders of its column.
            heard(c, 0x2A, access(b"\x52" + bytes([size - 1 << 1 | 1]) + u16(number) + value())[0])


def layers(c):
    for code in [*range(14), 0x15, 0x7F]:
        for length in range(12):
            heard(c, 0x2A, network(bytes([code]) + some(length), is_control=True))
    for message in (b"\x80\3" + some(4), b"\0" + some(19), b"\xc1\x05\0" + some(20), b"\x82\2\1\5"):
        for is_application in (True, False):
            for is_long in (True, False):
                for piece in access(message, is_application, is_long, is_whole=False):
                    heard(c, 0x2A, piece)
            heard(c, 0x2A, access(message, is_application)[0])
    for code in (0, 3, 10):
        for piece in segments(code, some(11), 8, advance(), is_control=True):
            heard(c, 0x2A, piece)
    # PDUs that no key decrypts, and ones that are too short.
    for length in (1, 5, 8, 14, 20, 29):
        heard(c, 0x2A, bytes([IDENTIFIER]) + some(length))
        heard(c, 0x2A, bytes([0x15]) + some(length))


def beacons():
    for length in (3, 18, 22, 25):
        yield b"\0" + some(length)
        yield b"\1" + some(length)
    for flags in (0, 1, 2, 3, 4):
        yield b"\1" + bytes([flags]) + some(20)
    for bit in range(16):
        yield b"\0" + some(16) + b16(1 << bit) + some(4)
    yield b"\2" + some(26)
    yield b"\7" + some(3)


def provisionings():
    lengths = {0: 1, 1: 11, 2: 5, 3: 64, 4: 0, 5: 16, 6: 16, 7: 33, 8: 0, 9: 1}
    for kind, length in lengths.items():
        yield bytes([kind]) + some(length)
        yield bytes([kind]) + some(length + 1)
    for value in (0, 1, 8, 9):
        yield b"\1" + bytes([value, 0, 1, 1, 1, value, 0, 1, value, 0, 1])
        yield b"\1" + bytes([value, 0, 0, 0, 0, value, 1, 0, value, 1, 0])
        yield b"\x09" + bytes([value])
        for method in range(5):
            for action in (0, 1, 3, 4, 5):
                yield b"\2" + bytes([0, value & 1, method, action, value])
    for kind in (10, 13, 0x20, 0x3F, 0x40):
        yield bytes([kind]) + some(3)


def provisioning(c):
    for beacon in beacons():
        heard(c, 0x2B, beacon)
    link = some(4)
    for number, operation in enumerate((b"\3" + some(16), b"\3" + some(18), b"\7", b"\7\1", b"\x0b\1", b"\x0b\1\2")):
        heard(c, 0x29, link + bytes([number]) + operation)
    for number, pdu in enumerate(provisionings()):
        pieces = [pdu[:20]] + [pdu[at:at + 23] for at in range(20, len(pdu), 23)]
        if number % 60 == 0:
            link = some(4)
        for place, piece in enumerate(pieces):
            start = bytes([len(pieces) - 1 << 2]) + b16(len(pdu)) + some(1)
            heard(c, 0x29, link + bytes([number % 60]) + (start if place == 0 else bytes([place << 2 | 2])) + piece)
        heard(c, 0x29, link + bytes([number % 60 + 0x80, 1]))


def proxy(c):
    # The handles of the provisioning and proxy services and of their characteristics.
    c.acl(2, 4, b"\x10" + u16(1) + u16(0xFFFF) + u16(0x2800), False)
    c.acl(2, 4, b"\x11\x06" + u16(1) + u16(5) + u16(0x1828) + u16(6) + u16(20) + u16(0x1827), True)
    for handle, properties, uuid in ((2, 4, 0x2ADD), (4, 16, 0x2ADE), (7, 4, 0x2ADB), (9, 16, 0x2ADC)):
        c.acl(2, 4, b"\x08" + u16(handle) + u16(0xFFFF) + u16(0x2803), False)
        c.acl(2, 4, b"\x09\x07" + u16(handle) + bytes([properties]) + u16(handle + 1) + u16(uuid), True)

    def write(handle, value): c.acl(2, 4, b"\x52" + u16(handle) + value, False)
    def notify(handle, value): c.acl(2, 4, b"\x1b" + u16(handle) + value, True)

    for beacon in beacons():
        notify(5, b"\1" + beacon)
    for message in (b"\x82\2\1\5", b"\x80\3" + some(4)):
        pdu = access(message)[0]
        write(3, b"\0" + pdu)
        for place, piece in ((0x40, pdu[:9]), (0x80, pdu[9:15]), (0xC0, pdu[15:])):
            notify(5, bytes([place]) + piece)
    for message in (b"\0\0", b"\0\1", b"\0\5", b"\1" + some(2), b"\2" + some(6), b"\3\0" + b16(2), b"\3\7" + b16(2), b"\7abc", b"\x20ab"):
        write(3, b"\2" + network(message, True, True, hops=0, recipient=bytes(2)))
    write(3, b"\2" + network(b"\0\0", True, True, hops=1, recipient=bytes(2)))
    write(3, b"\2" + network(b"\0\0", True, True, hops=0))
    write(3, b"\2" + network(b"\0\0", True, False, hops=0, recipient=bytes(2)))
    for pdu in provisionings():
        if len(pdu) < 40:
            write(8, b"\3" + pdu)
        else:
            for place, piece in ((0x43, pdu[:20]), (0x83, pdu[20:40]), (0xC3, pdu[40:])):
                notify(10, bytes([place]) + piece)


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    keys = {name: key.hex() for name, key in (("network", NETWORK), ("application", APPLICATION), ("device", DEVICE), ("iv_index", IV))}
    # tshark reassembles segments when it reads a capture for the second time.
    options = {"btscribe": [f"--key=mesh-proxy.{name}={key}" for name, key in keys.items()],
               "tshark": ["-2", "-o", 'uat:btmesh_nw_keys:"0x{network}","0x{application}","0x{iv_index}"'.format(**keys),
                          "-o", 'uat:btmesh_dev_keys:"0x{device}","0x1201"'.format(**keys)]}
    for build in (models, layers, provisioning, proxy, sensors):
        c = Capture()
        c.connect()
        build(c)
        path = os.path.join(folder, f"mesh-{build.__name__}.btsnoop")
        c.write(path)
        with open(path + ".json", "w") as file:
            json.dump(options, file)


if __name__ == "__main__":
    main()
