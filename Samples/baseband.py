#!/usr/bin/env python3
"""A capture of a BR/EDR sniffer (link type 255): a page, the Link Manager's PDUs of a connection, its pairing and its end, one PDU of each other
kind, and packets without content. baseband.py FILE.pcap"""
import struct
import sys

LAP, UAP, NAP = 0x005311, 0x5E, 0x0000
NULL, POLL, FHS, DM1, DH1, HV3, DM3, DH5 = 0, 1, 2, 3, 4, 7, 10, 15


def crc(data, uap=UAP):
    """The CRC of a payload (Core, Vol 2, Part B, 7.1.2)."""
    state = int(f"{uap:08b}"[::-1], 2) << 8
    for byte in data:
        state ^= byte
        for _ in range(8):
            state = state >> 1 ^ 0x8408 if state & 1 else state >> 1
    return struct.pack("<H", state)


def hec(header, uap=UAP):
    """The HEC of a packet's header of ten bits (7.1.1)."""
    state = int(f"{uap:08b}"[::-1], 2)
    for bit in range(10):
        feedback = (state ^ (header >> bit)) & 1
        state >>= 1
        if feedback:
            state ^= 0xE5
    return state


def packet(kind, payload=b"", rate=0, transport=3, flags=0x0000, channel=40, sequence=0):
    header = 1 | kind << 3 | 1 << 7 | sequence << 9
    if kind == FHS:
        header &= ~7
    # Dewhitened, signal valid, both parts of the address valid, HEC right; data and their CRC if there is a payload.
    flags |= 0x0393 | (0x0C20 if payload else 0)
    pseudo = struct.pack("<BbbBBBhI", channel, -52, -90, 0, transport << 4 | rate, 0, 0, LAP)
    pseudo += LAP.to_bytes(3, "little") + bytes([UAP]) + struct.pack("<IH", header | hec(header) << 10, flags)
    return pseudo + payload


def lmp(opcode, parameters="", peripheral=0):
    """A PDU of the Link Manager in a DM1 packet; opcodes from 0x7F00 on are extended."""
    head = bytes([0xFE | peripheral, opcode & 0xFF]) if opcode >= 0x7F00 else bytes([opcode << 1 | peripheral])
    pdu = head + bytes.fromhex(parameters)
    body = bytes([3 | 1 << 2 | len(pdu) << 3]) + pdu
    # The capturing program marks it as decrypted.
    return packet(DM1, body + crc(body), flags=0x0008, channel=(opcode * 7 + peripheral) % 79)


def pattern(count, first=0x11):
    return bytes((first + 17 * n) & 0xFF for n in range(count)).hex()


def packets():
    fhs = struct.pack("<Q", 0x1_2345_6789 & (1 << 34) - 1 | LAP << 34 | 1 << 58 | 1 << 60)
    fhs += bytes([UAP]) + struct.pack("<H", NAP) + (0x5A020C).to_bytes(3, "little") + struct.pack("<I", 1 | 0x0ABCDE << 3)
    yield packet(FHS, fhs + crc(fhs), flags=0x0008)
    yield packet(POLL)
    yield packet(NULL)
    features, more = "fffe8ffedbff5b87", "0f00000000000000"
    yield lmp(39, features)
    yield lmp(40, "bffe8dfe9bff5987")
    yield lmp(0x7F03, "0102" + more)
    yield lmp(0x7F04, "01020b00000000000000")
    yield lmp(0x7F03, "0202" + "7f0f000000000000")
    yield lmp(0x7F04, "0202" + "5f03000000000000")
    yield lmp(37, "0b0f003412")
    yield lmp(38, "090f004361")
    yield lmp(51)
    yield lmp(3, "33")
    yield lmp(1, "00")
    yield lmp(2, "000c" + b"Kitchen door".hex() + "0000")
    yield lmp(0x7F19, "010003")
    yield lmp(0x7F1A, "030002")
    yield lmp(61, "010230")
    yield lmp(3, "3d")
    yield lmp(62, pattern(16))
    yield lmp(3, "3e")
    yield lmp(63, pattern(16, 3), 1)
    yield lmp(64, pattern(16, 5))
    yield lmp(3, "40", 0)
    yield lmp(65, pattern(16, 7))
    yield lmp(3, "41")
    yield lmp(11, pattern(16, 9))
    yield lmp(12, "c0ffee01")
    yield lmp(15, "01")
    yield lmp(3, "0f")
    yield lmp(16, "10")
    yield lmp(4, "1025")
    yield lmp(16, "07")
    yield lmp(3, "10")
    yield lmp(49)
    yield lmp(49, "", 1)
    # An L2CAP connection request, unfragmented, and a fragmented PDU.
    frame = struct.pack("<HH", 8, 1) + struct.pack("<BBHHH", 2, 1, 4, 1, 0x40)
    body = bytes([2 | 1 << 2 | len(frame) << 3]) + frame
    yield packet(DH1, body + crc(body), flags=0x0008)
    long = struct.pack("<HH", 60, 0x40) + bytes(range(40))
    body = struct.pack("<H", 2 | 1 << 2 | len(long) << 3) + long
    yield packet(DM3, body + crc(body), flags=0x0008)
    body = struct.pack("<H", 1 | 1 << 2 | 20 << 3) + bytes(range(40, 60))
    yield packet(DH5, body + crc(body), flags=0x0008)
    body = struct.pack("<H", 2 | 1 << 2 | 12 << 3) + struct.pack("<HH", 8, 0x41) + bytes(8)
    yield packet(DH1, body + crc(body), rate=1, flags=0x0008)
    yield packet(HV3, bytes(range(30)), transport=1)
    yield packet(DM1, b"\x0b\x66\x11\x22", flags=0x0100 - 0x0100)
    # One PDU of each other kind.
    for opcode, parameters in [
        (5, ""), (6, "3412"), (8, pattern(16)), (9, pattern(16, 2)), (10, pattern(16, 4)), (13, pattern(16, 6)), (14, pattern(16, 8)),
        (18, ""), (19, "78563412"), (20, "0001" + "44332211"), (21, "0002" + "88776655"), (23, "05" + "0200" + "4006" + "0400" + "0100"),
        (24, ""), (31, "00"), (32, "00"), (33, ""), (34, ""), (35, ""), (36, "2b"), (41, "2800" "01"), (42, "3000" "02"),
        (43, "01" "02" "00" "06" "02" "02"), (44, "01" "13"), (45, "05"), (46, "03"), (47, ""), (48, "14" "0a"), (50, ""),
        (52, "8403" + "1153005e0000"), (53, "00" "01"), (54, "00" "02"), (55, "007d"), (56, ""),
        (58, ""), (59, "feff"), (60, "78563412" "01" + "fffffffffffffffffe3f"), (66, pattern(16, 1)),
        (0x7F05, "01" "78563412" "ecff" "02" "01" "11223344"), (0x7F06, "01"), (0x7F07, "9cff" "03" "14"), (0x7F0B, "01"),
        (0x7F0C, "01" "02" "03" "00" "0c" "04" "07" "26" "1e00" "3c00" "02" "00"), (0x7F01, "7f0c"), (0x7F0D, "01" "13"),
        (0x7F02, "7f0d20"), (0x7F10, "01" "4006" "007d"), (0x7F11, pattern(10, 0x1B)), (0x7F15, "02" "9001" "78563412"),
        (0x7F16, "04" "2003" "44332211"), (0x7F17, ""), (0x7F18, ""), (0x7F1B, ""), (0x7F1C, ""), (0x7F1D, ""), (0x7F1E, "01"),
        (0x7F1F, "01"), (0x7F20, "24"), (0x7F21, ""), (0x7F22, ""), (0x7F23, "01" + pattern(14)), (0x7F24, "02" "28" "03" + pattern(12)),
        (0x7F25, "01" "02" "05" "78563412"), (99, "0102"),
    ]:
        yield lmp(opcode, parameters)
    yield lmp(17, pattern(16, 0xA0))
    yield lmp(3, "11")
    # Encrypted: its content is unknown.
    yield packet(DM1, bytes.fromhex("9a5c1173e8204d"), flags=0)[:-1]
    yield lmp(7, "13")


def make():
    whole = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 255)
    for number, data in enumerate(packets()):
        # Some packets were not received completely: one has a wrong CRC.
        if data[22:24] == b"\x0b\x66" or data[22:24] == b"\x9a\x5c":
            flags = struct.unpack_from("<H", data, 20)[0] & ~0x0808
            data = data[:20] + struct.pack("<H", flags) + data[22:]
        whole += struct.pack("<IIII", 1_770_000_000, number * 1250, len(data), len(data)) + data
    return whole


if __name__ == "__main__":
    open(sys.argv[1], "wb").write(make())
