#!/usr/bin/env python3
"""make_captures.py FOLDER: captures in formats with few real files, written according to the formats' descriptions, each with a
list of what a reader has to find in it (NAME.expected): frame, time in microseconds, kind, direction, adapter, original length, captured
length, payload in hex, and the texts of notes and comments. Lengths and payload are left out (-) where a format recreates them."""
import base64, gzip, io, os, struct, sys, tarfile, zipfile, zlib

FOLDER = sys.argv[1]
os.makedirs(FOLDER, exist_ok=True)
COMMAND, EVENT, ACL, SCO, DIAGNOSTIC, NOTE, ISO, LL, BASEBAND, UNKNOWN, SYSLOG, OPAQUE = 2, 3, 4, 6, 11, 12, 18, 0x80, 0x81, 0x82, 0x83, 0xFF
H4 = {COMMAND: 1, ACL: 2, SCO: 3, EVENT: 4, ISO: 5, DIAGNOSTIC: 7}
NONE = 0xFFFF
T0 = 1_700_000_000_123_456
SNOOP_EPOCH = 0x00DCDDB30F2F8000

RESET = bytes.fromhex('030c00')
COMPLETE = bytes.fromhex('0e0401030c00')
ACL_OUT = bytes.fromhex('400007000300040002b900')
ACL_IN = bytes.fromhex('402007000300040003b900')
VOICE = bytes.fromhex('010003aabbcc')
STREAM = bytes.fromhex('60200800010004001122aabb')
TALK = [(COMMAND, 's', RESET), (EVENT, 'r', COMPLETE), (ACL, 's', ACL_OUT), (ACL, 'r', ACL_IN), (SCO, 's', VOICE), (SCO, 'r', VOICE),
        (ISO, 's', STREAM), (ISO, 'r', STREAM)]


def save(name, data, rows):
    with open(os.path.join(FOLDER, name), 'wb') as f:
        f.write(data)
    with open(os.path.join(FOLDER, name + '.expected'), 'w') as f:
        for frame, row in enumerate(rows, 1):
            f.write('\t'.join(str(column) for column in [frame] + list(row)) + '\n')


def row(time, kind, direction, payload, adapter=NONE, original='-', captured='-', text=''):
    return (time, kind, direction or '-', adapter, original, captured, payload.hex(), text)


# --- btsnoop -----------------------------------------------------------------------------------------------------------------

def snoop(datalink, records):
    out = b'btsnoop\0' + struct.pack('>II', 1, datalink)
    for time, flags, data, original, drops in records:
        out += struct.pack('>IIIIq', original, len(data), flags, drops, time + SNOOP_EPOCH) + data
    return out


def btsnoop_h1():
    records, rows = [], []
    for i, (kind, way, data) in enumerate(TALK[:4]):
        flags = (1 if way == 'r' else 0) | (2 if kind in (COMMAND, EVENT) else 0)
        records.append((T0 + i, flags, data, len(data), 0))
        rows.append(row(T0 + i, kind, way, data, original=len(data), captured=len(data)))
    save('h1.btsnoop', snoop(1001, records), rows)


def btsnoop_h4():
    records, rows = [], []

    def add(time, flags, data, kind, way, payload, original=None, drops=0):
        records.append((time, flags, data, original or len(data), drops))
        rows.append(row(time, kind, way, payload, original=original or len(data), captured=len(data)))

    for i, (kind, way, data) in enumerate(TALK):
        add(T0 + i, 1 if way == 'r' else 0, bytes([H4[kind]]) + data, kind, way, data)
    add(-1_814_400_000_000, 3, b'\x04' + COMPLETE, EVENT, 'r', COMPLETE)          # three weeks before 1970
    add(T0, 0x10, b'\x01' + RESET, COMMAND, 's', RESET)                           # flags as one writer sets them
    add(T0, 0x11, b'\x04' + COMPLETE, EVENT, 'r', COMPLETE)
    add(T0, 1, b'\x07\x01\x02', DIAGNOSTIC, 'r', b'\x01\x02')
    add(T0, 1, b'\x09\x01\x02', UNKNOWN, 'r', b'\x09\x01\x02')
    add(T0, 1, b'\x02' + ACL_IN[:8], ACL, 'r', ACL_IN[:8], original=1 + len(ACL_IN), drops=7)
    add(T0, 0, b'', OPAQUE, 's', b'')
    add(T0, 1, b'\x02' + bytes(70000), ACL, 'r', bytes(70000))
    save('h4.btsnoop', snoop(1002, records), rows)
    whole = snoop(1002, records)
    save('h4-cut.btsnoop', whole[:-1], rows[:-1])
    save('h4.btsnoop.gz', gzip.compress(whole, mtime=0), rows)
    save('h4-two.btsnoop.gz', gzip.compress(whole[:1000], mtime=0) + gzip.compress(whole[1000:], mtime=0), rows)
    save('h4.btsnoop.zlib', zlib.compress(whole), rows)


def btsnoop_monitor():
    cases = [(12, NONE, b'Linux version 6.1\0'), (0, 0, bytes(16)), (8, 0, b''), (10, 0, bytes(8)), (14, 1, bytes(20)), (2, 0, RESET),
             (3, 0, COMPLETE), (4, 1, ACL_OUT), (5, 1, ACL_IN), (6, 0, VOICE), (7, 0, VOICE), (18, 0, STREAM), (19, 0, STREAM),
             (11, 0, b'\x01\x02'), (13, 0, b'\x06\x05bthd\0hello\0'), (16, 1, bytes(6)), (17, 1, bytes(6)), (15, 1, bytes(4)), (9, 0, b''),
             (1, 0, b''), (40, 0, b'\x01'), (300, 0, b'\x01')]
    kinds = {4: ACL, 5: ACL, 6: SCO, 7: SCO, 18: ISO, 19: ISO, 300: OPAQUE}
    ways = {2: 's', 3: 'r', 4: 's', 5: 'r', 6: 's', 7: 'r', 18: 's', 19: 'r'}
    texts = {12: 'Linux version 6.1', 13: 'bthd: hello'}
    rows = [row(T0 + i, kinds.get(op, op), ways.get(op), data, adapter=index, original=len(data), captured=len(data), text=texts.get(op, ''))
            for i, (op, index, data) in enumerate(cases)]
    save('monitor.btsnoop', snoop(2001, [(T0 + i, index << 16 | op, data, len(data), 0) for i, (op, index, data) in enumerate(cases)]), rows)
    for order in '<>':
        packets = [(T0 + i, struct.pack('>HH', index, op) + data, None) for i, (op, index, data) in enumerate(cases)]
        save(f'monitor-{"little" if order == "<" else "big"}.pcap', pcap(order, False, 254, packets), rows)


def slip(data):
    return b'\xc0' + b''.join({0xC0: b'\xdb\xdc', 0xDB: b'\xdb\xdd'}.get(b, bytes([b])) for b in data) + b'\xc0'


def uart_frame(kind, data, sequence, reliable=True, crc=False):
    head = bytes([sequence | (0x40 if crc else 0) | (0x80 if reliable else 0), kind | (len(data) & 15) << 4, len(data) >> 4])
    return slip(head + bytes([(0xFF - sum(head)) & 0xFF]) + data + (b'\x12\x34' if crc else b''))


def uart():
    odd = bytes.fromhex('402007000300040003c0db')
    for name, datalink, types in (('three-wire', 1004, {COMMAND: 1, ACL: 2, SCO: 3, EVENT: 4}), ('bcsp', 1003, {COMMAND: 5, EVENT: 5, ACL: 6, SCO: 7})):
        link = 15 if datalink == 1004 else 1
        sent = [(0, uart_frame(link, b'\x01\x7e', 0, False)), (0, uart_frame(types[COMMAND], RESET, 0)), (0, uart_frame(types[COMMAND], RESET, 0)),
                (1, uart_frame(types[EVENT], COMPLETE, 0, crc=True)), (0, uart_frame(0, b'', 0, False)), (0, uart_frame(types[ACL], ACL_OUT, 1))]
        long = uart_frame(types[ACL], odd, 1)
        sent += [(1, long[:7]), (0, uart_frame(types[SCO], VOICE, 0, False)), (1, long[7:12]), (1, long[12:] + uart_frame(types[ACL], ACL_IN, 2))]
        broken = bytearray(uart_frame(types[ACL], ACL_IN, 3))
        broken[4] ^= 1
        sent += [(1, bytes(broken)), (1, uart_frame(types[EVENT], COMPLETE, 4))]
        got = [(1, COMMAND, 's', RESET), (3, EVENT, 'r', COMPLETE), (5, ACL, 's', ACL_OUT), (7, SCO, 's', VOICE), (9, ACL, 'r', odd), (9, ACL, 'r', ACL_IN),
               (11, EVENT, 'r', COMPLETE)]
        save(f'{name}.btsnoop', snoop(datalink, [(T0 + i, flags, data, len(data), 0) for i, (flags, data) in enumerate(sent)]),
             [row(T0 + i, kind, way, data) for i, kind, way, data in got])


# --- pcap --------------------------------------------------------------------------------------------------------------------

def pcap(order, nano, linktype, packets):
    out = struct.pack(order + 'IHHiIII', 0xA1B23C4D if nano else 0xA1B2C3D4, 2, 4, 0, 0, 262144, linktype)
    for time, data, original in packets:
        out += struct.pack(order + 'IIII', time // 1000000, time % 1000000 * (1000 if nano else 1), len(data), original or len(data)) + data
    return out


def pcap_hci():
    for order in '<>':
        for nano in (False, True):
            name = f'{"little" if order == "<" else "big"}-{"nano" if nano else "micro"}'
            packets, rows = [], []
            for i, (kind, way, data) in enumerate(TALK):
                packets.append((T0 + i, bytes([H4[kind]]) + data, None))
                known = way if kind in (COMMAND, EVENT) else None
                rows.append(row(T0 + i, kind, known, data, original=len(data) + 1, captured=len(data) + 1))
            packets.append((T0, b'\x02' + ACL_IN[:8], 1 + len(ACL_IN)))
            rows.append(row(T0, ACL, None, ACL_IN[:8], original=1 + len(ACL_IN), captured=9))
            save(f'h4-{name}.pcap', pcap(order, nano, 187, packets), rows)
            packets, rows = [], []
            for i, (kind, way, data) in enumerate(TALK):
                packets.append((T0 + i, struct.pack('>I', way == 'r') + bytes([H4[kind]]) + data, None))
                rows.append(row(T0 + i, kind, way, data, original=len(data) + 1, captured=len(data) + 1))
            save(f'phdr-{name}.pcap', pcap(order, nano, 201, packets), rows)


ADVERTISEMENT = struct.pack('<I', 0x8E89BED6) + bytes.fromhex('020c332211eeffc0020106020a00' + '588644')
DATA = struct.pack('<I', 0x50655D33) + bytes.fromhex('0600' + 'aabbcc')


def radio(channel=0, signal=0, phy=0, flags=0):
    return f'radio {channel} {signal} {phy} {flags}'


SIGNAL, CHECKED, GOOD, ENCRYPTED, DECRYPTED, CRC, AUXILIARY, MIC, STRAY = (1 << i for i in range(9))


def pcap_link_layer():
    save('ll.pcap', pcap('<', False, 251, [(T0, ADVERTISEMENT, None), (T0, DATA[:6], len(DATA))]),
         [row(T0, LL, None, ADVERTISEMENT, text=radio(flags=CRC)), row(T0, LL, None, DATA[:6], text=radio())])

    def header(rf, signal, flags, reference=0x8E89BED6):
        return struct.pack('<BbbBIH', rf, signal, 0, 0, reference, flags)
    cases = [(header(0, -50, 0x0C13), ADVERTISEMENT, None, radio(37, -50, 0, SIGNAL | CHECKED | GOOD | CRC)),
             (header(12, -51, 0x0413), ADVERTISEMENT, None, radio(38, -51, 0, SIGNAL | CHECKED | CRC)),
             (header(39, 0, 0x0001), ADVERTISEMENT, None, radio(39, 0, 0, CRC)),
             (header(1, -1, 0x4D13, 0x50655D33), DATA, 'c', radio(0, -1, 1, SIGNAL | CHECKED | GOOD | CRC)),
             (header(38, -1, 0x8D93, 0x50655D33), DATA, 'p', radio(36, -1, 2, SIGNAL | CHECKED | GOOD | CRC)),
             (header(13, -1, 0x3D0B), DATA, 'c', radio(11, -1, 0, SIGNAL | CHECKED | GOOD | CRC | DECRYPTED | MIC)),
             (header(11, -1, 0x3C93), ADVERTISEMENT, None, radio(10, -1, 0, SIGNAL | CHECKED | GOOD | CRC | AUXILIARY)),
             (header(11, -1, 0x0013), DATA, None, radio(10, -1, 0, SIGNAL | CRC | STRAY))]
    for order in '<>':
        save(f'll-phdr-{"little" if order == "<" else "big"}.pcap', pcap(order, False, 256, [(T0, h + p, None) for h, p, _, _ in cases]),
             [row(T0, LL, way, p, original=10 + len(p), captured=10 + len(p), text=t) for _, p, way, t in cases])

    def nordic(version, packet, id, flags, channel, rssi):
        inner = bytes([10, flags, channel, rssi]) + struct.pack('<HI', 3, 1000)
        if version == 0:
            return b'\xbe\xef' + bytes([6]) + struct.pack('<H', 9) + bytes(2) + inner + packet
        head = struct.pack('<BBBBHB', 4, 6, 10 + len(packet), 1, 9, id) if version == 1 else struct.pack('<BHBHB', 4, 10 + len(packet), version, 9, id)
        return head + inner + packet
    for version in range(4):
        cases = [(nordic(version, ADVERTISEMENT, 2 if version == 3 else 6, 1, 37, 60), ADVERTISEMENT, None, radio(37, -60, 0, SIGNAL | CHECKED | GOOD | CRC)),
                 (nordic(version, DATA, 6, 3, 5, 61), DATA, 'c', radio(5, -61, 0, SIGNAL | CHECKED | GOOD | CRC)),
                 (nordic(version, DATA, 6, 4, 5, 61), DATA, 'p', radio(5, -61, 0, SIGNAL | CHECKED | CRC | ENCRYPTED)),
                 (nordic(version, DATA, 6, 15, 5, 61), DATA, 'c', radio(5, -61, 0, SIGNAL | CHECKED | GOOD | CRC | DECRYPTED | MIC))]
        if version > 1:
            cases.append((nordic(version, DATA, 6, 0x21, 5, 61), DATA, 'p', radio(5, -61, 2, SIGNAL | CHECKED | GOOD | CRC)))
        if version == 3:
            cases.append((nordic(3, ADVERTISEMENT, 2, 0x11, 5, 61), ADVERTISEMENT, None, radio(5, -61, 1, SIGNAL | CHECKED | GOOD | CRC | AUXILIARY)))
        for linktype in (272, 157):
            save(f'nordic-{version}-{linktype}.pcap', pcap('<', False, linktype, [(T0, h, None) for h, _, _, _ in cases]),
                 [row(T0, LL, way, p, text=t) for _, p, way, t in cases])

    fields = struct.pack('<HHBHBIbbbB', 30006, 12, 0, 2426, 0, 99, -40, -60, -50, 3)
    ppi = struct.pack('<BBHI', 0, 0, 8 + len(fields) + 6, 147) + struct.pack('<HH', 9, 2) + b'\0\0' + fields
    other = struct.pack('<BBHI', 0, 0, 8, 105) + b'\x80\0'
    save('ppi.pcap', pcap('<', False, 192, [(T0, ppi + ADVERTISEMENT, None), (T0, other, None)]),
         [row(T0, LL, None, ADVERTISEMENT, text=radio(38, -50, 0, SIGNAL | CRC)), row(T0, OPAQUE, None, other)])

    # Records of 271 bytes; the low half of the time counts 32 ticks a microsecond, up to 5000.
    def smartrf(number, time, packet, channel, good):
        ticks = time * 32
        rest = packet + bytes([21, channel | (0x80 if good else 0)])
        return (struct.pack('<BIQHB', 1, number, (ticks // 5000 << 16) + ticks % 5000, len(rest) + 1, len(rest)) + rest).ljust(271, b'\0')
    cases = [(0, ADVERTISEMENT, 37, True, CHECKED | GOOD | CRC), (7_000_001, ADVERTISEMENT, 38, False, CHECKED | CRC),
             (7_000_157, DATA, 5, True, CHECKED | GOOD | CRC), (3_600_000_000, ADVERTISEMENT, 9, True, CHECKED | GOOD | CRC | AUXILIARY)]
    records = [smartrf(4 + i, t, p, c, good) for i, (t, p, c, good, _) in enumerate(cases)]
    rows = [row(t, LL, None, p, original=len(p), captured=len(p), text=radio(c, 0, 0, flags)) for t, p, c, _, flags in cases]
    save('smartrf.psd', b''.join(records), rows)
    save('smartrf-cut.psd', b''.join(records)[:-1], rows[:3])
    save('smartrf-cut-form.psd', records[0] + b'\2' + records[1][1:], rows[:1])
    baseband = struct.pack('<BbbBBBhIIIH', 7, -70, 0, 0, 0, 0, 0, 0x9E8B33, 0, 0, 3) + b'\x01\x02'
    save('baseband.pcap', pcap('<', False, 255, [(T0, baseband, None)]), [row(T0, BASEBAND, None, b'\x01\x02', text=radio(7, -70, 0, SIGNAL))])


def usb():
    long_event = b'\x3e\x20' + bytes(range(32))
    setup = bytes([0x20, 0, 0, 0, 0, 0])
    descriptor = bytes.fromhex('12010002e0010140870a2900100100000001')
    # (submit, transfer, endpoint, device, setup, data) -> (kind, way, payload)
    plain = [(False, 2, 0x80, 5, None, descriptor, OPAQUE, None, descriptor),
             (True, 2, 0x00, 5, setup + struct.pack('<H', 3), RESET, COMMAND, 's', RESET),
             (False, 2, 0x00, 5, None, b'', OPAQUE, None, b''),
             (True, 1, 0x81, 5, None, b'', OPAQUE, None, b''),
             (False, 1, 0x81, 5, None, COMPLETE, EVENT, 'r', COMPLETE),
             (False, 1, 0x81, 5, None, long_event[:16], OPAQUE, None, long_event[:16]),
             (True, 3, 0x02, 5, None, ACL_OUT, ACL, 's', ACL_OUT),
             (False, 1, 0x81, 5, None, long_event[16:32], OPAQUE, None, long_event[16:32]),
             (False, 1, 0x81, 5, None, long_event[32:], EVENT, 'r', long_event),
             (False, 3, 0x82, 5, None, ACL_IN, ACL, 'r', ACL_IN),
             (False, 1, 0x81, 9, None, b'\x00\x01\x02\x03', OPAQUE, None, b'\x00\x01\x02\x03')]   # a mouse
    get_descriptor = bytes.fromhex('8006000100001200')
    for order in '<>':
        for linktype in (189, 220):
            packets, rows = [], []

            def add(submit, transfer, endpoint, device, setup, data, kind, way, payload):
                head = struct.pack(order + 'QBBBBHBBqiiII', 77, ord('S' if submit else 'C'), transfer, endpoint, device, 1, 0 if setup else 0x2D,
                                   0 if data else ord('<'), T0 // 1000000, T0 % 1000000, 0, len(data), len(data))
                head += setup or bytes(8)
                if linktype == 220:
                    head += struct.pack(order + 'iiII', 1, 0, 0, 0)
                packets.append((T0, head + data, None))
                rows.append(row(T0, kind, way, payload))
            add(True, 2, 0x80, 5, get_descriptor, b'', OPAQUE, None, b'')
            for one in plain:
                add(*one)
            save(f'usb-{linktype}-{"little" if order == "<" else "big"}.pcap', pcap(order, False, linktype, packets), rows)
    packets, rows = [], []
    for submit, transfer, endpoint, device, setup, data, kind, way, payload in plain:
        control = transfer == 2
        body = (setup + data) if setup else data
        head = struct.pack('<HQIHBHHBBI', 28 if control else 27, 77, 0, 9, 0 if submit else 1, 1, device, endpoint, transfer, len(body))
        if control:
            head += bytes([0 if submit else 3])
        packets.append((T0, head + body, None))
        rows.append(row(T0, kind, way, payload))
    save('usbpcap.pcap', pcap('<', False, 249, packets), rows)


# --- pcapng ------------------------------------------------------------------------------------------------------------------

def pad(data):
    return data + bytes(-len(data) % 4)


def block(order, kind, body):
    body = pad(body)
    return struct.pack(order + 'II', kind, 12 + len(body)) + body + struct.pack(order + 'I', 12 + len(body))


def options(order, *pairs):
    out = b''.join(struct.pack(order + 'HH', code, len(value)) + pad(value) for code, value in pairs)
    return out + struct.pack(order + 'HH', 0, 0) if pairs else b''


def pcapng():
    out, rows = b'', []
    for order in '<>':
        def section():
            return block(order, 0x0A0D0D0A, struct.pack(order + 'IHHq', 0x1A2B3C4D, 1, 0, -1) + options(order, (4, b'a script'), (1, b'a section')))

        def interface(linktype, snap=0, *opts):
            return block(order, 1, struct.pack(order + 'HHI', linktype, 0, snap) + options(order, *opts))

        def packet(number, units, data, *opts, original=None):
            return block(order, 6, struct.pack(order + 'IIIII', number, units >> 32, units & 0xFFFFFFFF, len(data), original or len(data)) + pad(data)
                         + options(order, *opts))
        out += section()
        out += interface(201, 0, (2, b'hci1'), (3, b'the second'))
        out += interface(187, 64, (2, b'uart'), (9, b'\x09'))
        out += interface(254, 0, (9, bytes([0x80 | 20])))
        out += interface(251, 0, (9, b'\x03'), (14, struct.pack(order + 'q', 1_600_000_000)))
        out += interface(1)
        out += block(order, 0x0BAD, struct.pack(order + 'I', 1) + b'custom')
        out += packet(0, T0, struct.pack('>I', 1) + b'\x04' + COMPLETE, (1, 'ein Kommentar: äöü'.encode()), (1, b'another'), (2, struct.pack(order + 'I', 1)))
        rows.append(row(T0, EVENT, 'r', COMPLETE, adapter=1, text='ein Kommentar: äöü|another'))
        out += packet(1, T0 * 1000 + 999, b'\x02' + ACL_IN, (2, struct.pack(order + 'I', 1)), original=100)
        rows.append(row(T0, ACL, 'r', ACL_IN, original=100, captured=1 + len(ACL_IN)))
        out += packet(1, T0 * 1000, b'\x02' + ACL_OUT, (2, struct.pack(order + 'I', 2)), (4, struct.pack(order + 'Q', 3)))
        rows.append(row(T0, ACL, 's', ACL_OUT))
        units = (T0 << 20) // 1_000_000
        out += packet(2, units, struct.pack('>HH', 3, 5) + ACL_IN)
        rows.append(row(units * 1_000_000 >> 20, ACL, 'r', ACL_IN, adapter=3))
        out += packet(3, 100_000_005, ADVERTISEMENT)
        rows.append(row(1_600_000_000_000_000 + 100_000_005_000, LL, None, ADVERTISEMENT, text=radio(flags=CRC)))
        out += packet(4, T0, b'\xff' * 14)
        rows.append(row(T0, OPAQUE, None, b'\xff' * 14))
        out += block(order, 4, struct.pack(order + 'HH', 0, 0))
        out += block(order, 5, struct.pack(order + 'III', 0, 0, 0) + options(order, (5, struct.pack(order + 'Q', 12))))
        out += section()
        out += interface(187, 8)
        simple = b'\x02' + ACL_IN
        out += block(order, 3, struct.pack(order + 'I', len(simple)) + simple[:8])
        # An interface with another name, or without one, is another adapter.
        rows.append(row(0, ACL, None, ACL_IN[:7], original=len(simple), captured=8, adapter=2))
        out += block(order, 2, struct.pack(order + 'HHIIII', 0, 0, T0 >> 32, T0 & 0xFFFFFFFF, 4, 4) + b'\x01' + RESET)
        rows.append(row(T0, COMMAND, 's', RESET, adapter=2))
    save('everything.pcapng', out, rows)


# --- PacketLogger ------------------------------------------------------------------------------------------------------------

def packet_logger():
    syslog = struct.pack('<I', 311) + b'\0bluetoothd\0sender\0com.apple.bt\0Server\0Device is near\0'
    cases = [(0x00, COMMAND, 's', RESET, ''), (0xF6, OPAQUE, None, b'?', ''), (0x12, ISO, 's', STREAM, ''), (0x13, ISO, 'r', STREAM, ''),
             (0x01, EVENT, 'r', COMPLETE, ''), (0x02, ACL, 's', ACL_OUT, ''), (0x03, ACL, 'r', ACL_IN, ''), (0x08, SCO, 's', VOICE, ''),
             (0x09, SCO, 'r', VOICE, ''), (0x0A, BASEBAND, 's', b'\x51', ''), (0x0B, BASEBAND, 'r', b'\x51', ''),
             (0xF7, SYSLOG, None, syslog, 'bluetoothd[311] com.apple.bt:Server: Device is near')]
    for kind in range(0xF8, 0xFF):
        cases.append((kind, NOTE, None, b'text of %02x\0' % kind, 'text of %02x' % kind))
    cases.append((0xFC, NOTE, None, b'no end', 'no end'))
    for order in '<>':
        out = b''.join(struct.pack(order + 'III', 9 + len(data), T0 // 1000000, T0 % 1000000 + i) + bytes([kind]) + data
                       for i, (kind, _, _, data, _) in enumerate(cases))
        rows = [row(T0 + i, kind, way, data, original=1 + len(data), captured=1 + len(data), text=text) for i, (_, kind, way, data, text) in enumerate(cases)]
        name = f'{"little" if order == "<" else "big"}.pklg'
        save(name, out, rows)
        save('log-first-' + name, out[len(out) - 9 - 4 - 6:] + out, [row(T0 + len(cases) - 1, NOTE, None, b'no end', text='no end')] + rows)


# --- Android and iOS ---------------------------------------------------------------------------------------------------------

def android():
    types = {(EVENT, 'r'): 0x10, (ACL, 'r'): 0x11, (SCO, 'r'): 0x12, (ISO, 'r'): 0x17, (COMMAND, 's'): 0x20, (ACL, 's'): 0x21, (SCO, 's'): 0x22, (ISO, 's'): 0x2D}
    reports = {}
    for version in (1, 2):
        out, rows, time = b'', [], T0
        for i, (kind, way, data) in enumerate(TALK):
            delta = 1000 * i
            time += delta
            kept = data if version == 1 else data[:8]
            head = struct.pack('<HIB', 1 + len(kept), delta, types[kind, way]) if version == 1 else struct.pack('<HHIB', 1 + len(kept), 1 + len(data), delta, types[kind, way])
            out += head + kept
            rows.append(row(time, kind, way, kept, original=1 + len(data) if version == 2 else 1 + len(kept), captured=1 + len(kept)))
        text = base64.encodebytes(bytes([version]) + struct.pack('<Q', time) + zlib.compress(out)).decode()
        report = '=' * 56 + '\n== dumpstate: 2026-01-31\n' + 'noise\n' * 50000 + f'--- BEGIN:BTSNOOP_LOG_SUMMARY ({len(out)} bytes in) ---\n' + text
        report += '--- END:BTSNOOP_LOG_SUMMARY ---\nmore\n'
        reports[version] = (report.encode(), rows)
        save(f'bugreport-v{version}.txt', report.encode(), rows)

    def log(start, n=1):
        talk = [(kind, way, bytes([H4[kind]]) + data) for kind, way, data in TALK] * n
        rows = [row(T0 + start + i, kind, way, data[1:], original=len(data), captured=len(data)) for i, (kind, way, data) in enumerate(talk)]
        return snoop(1002, [(T0 + start + i, 1 if way == 'r' else 0, data, len(data), 0) for i, (kind, way, data) in enumerate(talk)]), rows
    now, now_rows = log(1000)
    last, last_rows = log(0, 5)
    logs = 'FS/data/misc/bluetooth/logs/'

    def archive(members, method=zipfile.ZIP_DEFLATED):
        out = io.BytesIO()
        with zipfile.ZipFile(out, 'w', method) as z:
            for name, data in members:
                # The time of a member is constant, so that the files are reproducible.
                member = zipfile.ZipInfo(name)
                member.compress_type = method
                z.writestr(member, data)
        return out.getvalue()
    members = [('version.txt', b'1'), ('bugreport-x.txt', reports[2][0]), (logs + 'btsnooz_hci.log', now[:200]), (logs + 'btsnoop_hci.log.last', last),
               (logs + 'btsnoop_hci.log', now)]
    save('bugreport.zip', archive(members), now_rows)
    save('bugreport-stored.zip', archive(members, zipfile.ZIP_STORED), now_rows)
    save('join-bugreport.zip', archive(members), last_rows + now_rows)
    save('bugreport-filtered.zip', archive([(logs + 'btsnoop_hci.log', snoop(1002, [])), (logs + 'btsnoop_hci.log.filtered', now)]), now_rows)
    save('bugreport-text-only.zip', archive(members[:2]), reports[2][1])
    save('report-in-report.zip', archive([('inner.zip', archive(members))]), now_rows)

    def tar(members, mode):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode='w') as t:
            for name, data in members:
                info = tarfile.TarInfo(name)
                info.size = len(data)
                t.addfile(info, io.BytesIO(data))
        return gzip.compress(out.getvalue(), mtime=0) if mode == 'w:gz' else out.getvalue()
    apple = b''.join(struct.pack('<III', 9 + len(data), T0 // 1000000, T0 % 1000000) + bytes([kind]) + data for kind, data in ((0, RESET), (1, COMPLETE)))
    older = b''.join(struct.pack('<III', 9 + len(data), T0 // 1000000 - 60, T0 % 1000000) + bytes([kind]) + data for kind, data in ((0, RESET), (1, COMPLETE)) * 9)
    apple_rows = [row(T0, COMMAND, 's', RESET), row(T0, EVENT, 'r', COMPLETE)]
    deep = 'sysdiagnose_' + 'x' * 120 + '/logs/Bluetooth/'
    inside = [(deep + 'bluetoothd.log', b'text'), (deep + 'bluetoothd-hci-2026-01-30.pklg', older), (deep + 'bluetoothd-hci-latest.pklg', apple)]
    save('sysdiagnose.tar.gz', tar(inside, 'w:gz'), apple_rows)
    save('sysdiagnose.tar', tar(inside, 'w'), apple_rows)
    save('join-sysdiagnose.tar.gz', tar(inside, 'w:gz'), [row(T0 - 60_000_000, *r[1:3], bytes.fromhex(r[6])) for r in apple_rows * 9] + apple_rows)

    cut = [(T0, 3, b'\x04' + COMPLETE, 7, 0), (T0, 1, b'\x02' + ACL_IN + b'abc', 50, 0), (T0, 1, (b'\x02' + ACL_IN + b'abcdefgh')[:14], 60, 0)]
    save('headers.btsnoop', snoop(1002, [cut[0], (T0, 1, (b'\x02' + ACL_IN + b'xyz')[:14], 60, 0)]),
         [row(T0, EVENT, 'r', COMPLETE), row(T0, ACL, 'r', (ACL_IN + b'xyz')[:13], original=60)])
    save('memory.btsnoop', snoop(1002, [cut[0], (T0, 1, (b'\x02' + ACL_IN + b'xyz')[:15], 60, 0), (T0, 0, b'\x03', 30, 0)]),
         [row(T0, EVENT, 'r', COMPLETE), row(T0, ACL, 'r', (ACL_IN + b'xyz')[:14], original=60), row(T0, SCO, 's', b'', original=30)])
    hidden = struct.pack('<HHHH', 0x2040, 14, 10, 0x41) + b'PROHIBITED'
    save('prohibited.btsnoop', snoop(1002, [(T0, 1, b'\x02' + hidden, 80, 0)]), [row(T0, ACL, 'r', hidden, original=80)])
    save('snaplen.btsnoop', snoop(1002, [(T0, 1, b'\x02' + ACL_IN[:9], 12, 0)]), [row(T0, ACL, 'r', ACL_IN[:9], original=12)])


for make in (btsnoop_h1, btsnoop_h4, btsnoop_monitor, uart, pcap_hci, pcap_link_layer, usb, pcapng, packet_logger, android):
    make()
