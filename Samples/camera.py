#!/usr/bin/env python3
"""A camera with GoPro's published BLE protocol, and a phone's session with it: advertising, connection, requests, rejections,
pairing, recording, notifications, disconnection. Both ends are on Bumble's stack; the camera's messages are generated after the public
Open GoPro specification. camera.py FILE.btsnoop writes the log of the phone's HCI."""
import asyncio
import copy
import struct
import sys

import stage
from bumble.core import AdvertisingData
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.hci import HCI_REMOTE_USER_TERMINATED_CONNECTION_ERROR as USER_LEFT
from bumble.hci import OwnAddressType
from phone import Phone

NAME, SERIAL = "GoPro 4821", "C3501324504821"
CAMERA = "C0:FF:EE:00:00:01"


def uid(n):
    return f"b5f9{n:04x}-aa8d-11e3-9046-0002a5d5c51b"


SSID, PASSWORD, POWER, STATE = (uid(n) for n in (0x02, 0x03, 0x04, 0x05))
COMMAND, COMMAND_ANSWER, SETTING, SETTING_ANSWER, QUERY, QUERY_ANSWER = (uid(n) for n in range(0x72, 0x78))
NETWORK, NETWORK_ANSWER = uid(0x91), uid(0x92)


def packets(message, size=20, counted=True):
    """Splits a message into packets: the header has the length; the camera numbers continuations, the app does not."""
    if len(message) < 32 and counted:
        head = bytes([len(message)])
    elif len(message) < 8192:
        head = struct.pack(">H", 0x2000 | len(message))
    else:
        head = b"\x40" + struct.pack(">H", len(message))
    out, rest, count = [head + message[:size - len(head)]], message[size - len(head):], 0
    while rest:
        out.append(bytes([0x80 | (count & 15 if counted else 0)]) + rest[:size - 1])
        rest, count = rest[size - 1:], count + 1
    return out


class Joiner:
    """Joins packets to complete messages."""

    def __init__(self, whole):
        self.whole, self.need, self.have = whole, None, b""

    def feed(self, packet):
        first = packet[0]
        if first & 0x80:
            self.have += packet[1:]
        else:
            size = 1 + (first >> 5 & 3)
            self.need = (first & 31) if size == 1 else struct.unpack(">H", packet[:2])[0] & 0x1FFF if size == 2 \
                else struct.unpack(">H", packet[1:3])[0]
            self.have = packet[size:]
        if self.need is not None and len(self.have) >= self.need:
            self.need, message = None, self.have[:self.need]
            self.whole(message)


def counted(*values):
    return b"".join(bytes([len(v)]) + v for v in values)


class Camera:
    """The camera's state and its responses."""

    def __init__(self, air, seed, name=NAME, address=CAMERA, near=-61):
        self.radio = stage.Radio("camera", air, address, near=near)
        self.device = device = stage.device(name, self.radio, address, seed)
        digits = name[-4:]
        self.watched = set()
        self.status = {
            1: b"\1", 2: b"\3", 6: b"\0", 8: b"\0", 9: b"\0", 10: b"\0", 11: b"\0", 13: bytes(4), 17: b"\1", 19: b"\4", 20: b"\1",
            21: bytes.fromhex("00015f90"), 22: b"\0", 23: bytes(4), 24: b"\0", 26: b"\0", 27: b"\0", 28: b"\0", 29: b"",
            30: f"GP2450{digits}".encode(), 31: b"\1", 32: b"\0", 33: b"\0", 34: struct.pack(">I", 5128), 35: struct.pack(">I", 18720),
            38: struct.pack(">I", 214), 39: struct.pack(">I", 37), 41: b"\0", 42: b"\0", 45: b"\0", 49: bytes(4),
            54: struct.pack(">Q", 61865984), 55: b"\1", 56: b"\4", 58: b"\0", 59: bytes(4), 60: struct.pack(">I", 500),
            65: b"\0", 66: b"\0\0\0\0", 67: b"\0\0\0\0", 68: b"\1", 69: b"\0", 70: b"\x49", 74: b"\0", 75: b"\0", 76: b"\1",
            77: b"\1", 78: b"\1", 79: b"\0", 81: b"\1", 82: b"\1", 83: b"\1", 85: b"\0", 86: b"\0", 88: b"\1", 89: b"\x0c",
            93: struct.pack(">I", 0), 94: struct.pack(">I", 0x10000), 95: struct.pack(">I", 0x20000), 96: struct.pack(">I", 1000),
            97: struct.pack(">I", 0), 98: b"\0", 99: bytes(4), 100: bytes(4), 101: b"\0", 102: b"\0", 103: b"\5", 104: b"\0",
            105: b"\0", 106: b"\0", 107: bytes(4), 108: b"\0", 110: b"\0", 111: b"\0", 112: b"\0", 113: b"\0", 114: b"\0",
            115: b"\0", 116: b"\0", 117: struct.pack(">Q", 62367744), 118: bytes(4), 122: b"HERO12 Black"}
        self.setting = {2: b"\x01", 3: b"\x08", 59: b"\x04", 83: b"\x01", 91: b"\x02", 121: b"\x00", 134: b"\x02", 135: b"\x01",
                        156: b"\x64", 162: b"\x00", 167: b"\x04", 175: b"\x01", 182: b"\x01", 183: b"\x00", 184: b"\x00"}
        P, C = Characteristic.Properties, Characteristic
        closed = C.READABLE | C.READ_REQUIRES_ENCRYPTION
        self.answers = {u: C(u, P.NOTIFY, C.READABLE) for u in (COMMAND_ANSWER, SETTING_ANSWER, QUERY_ANSWER, NETWORK_ANSWER)}

        def request(own, answer):
            join = Joiner(lambda message: asyncio.get_running_loop().create_task(self.hear(own, answer, message)))
            return C(own, P.WRITE | P.WRITE_WITHOUT_RESPONSE, C.WRITEABLE, CharacteristicValue(write=lambda _, v: join.feed(bytes(v))))

        pair = lambda own, answer: [request(own, answer), self.answers[answer]]
        self.state = C(STATE, P.READ | P.INDICATE, C.READABLE, b"\x00")
        self.level = C("2A19", P.READ | P.NOTIFY, C.READABLE, b"\x49")
        device.add_services([
            Service("180A", [C("2A29", P.READ, C.READABLE, b"GoPro"), C("2A24", P.READ, C.READABLE, b"HERO12 Black"),
                             C("2A25", P.READ, C.READABLE, SERIAL.encode()), C("2A26", P.READ, C.READABLE, b"H23.01.02.32.00")]),
            Service("180F", [self.level]),
            Service(uid(0x01), [
                C(SSID, P.READ | P.WRITE, closed | C.WRITEABLE, self.status[30]),
                C(PASSWORD, P.READ | P.WRITE, closed | C.WRITEABLE, b"scuba0815-Bdm"),
                C(POWER, P.WRITE, C.WRITEABLE | C.WRITE_REQUIRES_AUTHENTICATION),
                self.state]),
            Service(uid(0x90), pair(NETWORK, NETWORK_ANSWER)),
            Service("FEA6", pair(COMMAND, COMMAND_ANSWER) + pair(SETTING, SETTING_ANSWER) + pair(QUERY, QUERY_ANSWER)),
        ])
        device.advertising_data = bytes(AdvertisingData([
            (AdvertisingData.FLAGS, b"\x06"),
            (AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS, b"\xa6\xfe"),
            (AdvertisingData.MANUFACTURER_SPECIFIC_DATA, bytes.fromhex("f202" "02" "01" "3e" "3300" "a1b2c3d4e5f6" "0f"))]))
        device.scan_response_data = bytes(AdvertisingData([
            (AdvertisingData.COMPLETE_LOCAL_NAME, name.encode()),
            (AdvertisingData.SERVICE_DATA_16_BIT_UUID, b"\xa6\xfe" + bytes.fromhex("c0ffee01") + digits.encode())]))

    async def start(self):
        await self.device.power_on()
        await self.device.start_advertising(own_address_type=OwnAddressType.PUBLIC, auto_restart=False)

    async def say(self, answer, message, size=20):
        for packet in packets(message, size):
            await self.device.notify_subscribers(self.answers[answer], packet)

    async def change(self, **values):
        """Changes statuses, and notifies clients that have registered for them."""
        told = b""
        for key, value in values.items():
            number = int(key[1:])
            self.status[number] = value
            if number in self.watched:
                told += bytes([number]) + counted(value)
        if told:
            await self.say(QUERY_ANSWER, b"\x93\0" + told)

    async def hear(self, own, answer, message):
        await asyncio.sleep(0.012 + self.radio.link.chance.random() * 0.03)
        kind, rest = message[0], message[1:]
        if own == QUERY and kind == 0xF5 and rest[:1] == b"\x72":
            await self.say(answer, b"\xf5\xf2" + self.presets(), size=20)
        elif own == QUERY and kind in (0x13, 0x53, 0x12, 0x52):
            table = self.status if kind & 1 else self.setting
            if kind == 0x53:
                self.watched |= set(rest)
            body = b"".join(bytes([n]) + counted(table[n]) for n in (rest or sorted(table)) if n in table)
            await self.say(answer, bytes([kind, 0]) + body)
        elif own == QUERY and kind == 0x32:
            options = {3: (1, 5, 6, 8, 9, 10), 121: (0, 3, 4, 9)}
            body = b"".join(bytes([n, 1, v]) for n in rest for v in options.get(n, ()))
            await self.say(answer, bytes([kind, 0]) + body)
        elif own == SETTING and kind == 0x5B and rest == b"\x01\x42":
            await self.say(answer, b"\x5b\0")
        elif own == SETTING:
            known = kind in self.setting and not (kind == 3 and rest[1:] == b"\x63")
            if known:
                self.setting[kind] = rest[1:]
            await self.say(answer, bytes([kind, 0 if known else 2]))
        elif own == NETWORK and message[:2] == b"\x02\x02":
            await self.say(answer, b"\x02\x82" + b"\x08\x01\x10\x02")
            await asyncio.sleep(1.4)
            await self.say(answer, b"\x02\x0b" + b"\x08\x05\x10\x01\x18\x02\x20\x01")
        elif own == NETWORK and message[:2] == b"\x02\x03":
            def network(name, bars, mhz, flags):
                entry = b"\x0a" + counted(name) + bytes([0x10, bars, 0x20, mhz & 0x7F | 0x80, mhz >> 7, 0x28, flags])
                return b"\x1a" + counted(entry)
            await self.say(answer, b"\x02\x83\x08\x01\x10\x01" + network(b"Ferienhaus", 3, 2437, 3) + network(b"Hafen Gast", 2, 5180, 0))
        elif own == COMMAND and kind == 0x3C:
            reserved = bytes.fromhex("0100010101" "00025b5d0101")
            body = counted(b"\0\0\0\x3e", b"HERO12 Black", b"0x05", b"H23.01.02.32.00", SERIAL.encode(), b"c0ffee000002", self.status[30])
            await self.say(answer, b"\x3c\0" + body + reserved)
        elif own == COMMAND and kind == 0x51:
            await self.say(answer, b"\x51\0" + counted(b"\2", b"\0"))
        elif own == COMMAND and kind == 0x01:
            await self.say(answer, b"\x01\0")
            on = rest == b"\x01\x01"
            await self.change(_10=b"\1" if on else b"\0", **({} if on else {"_39": struct.pack(">I", 38)}))
        elif own == COMMAND and message[:2] == b"\xf1\x69":
            await self.say(answer, b"\xf1\xe9\x08\x01")
        else:
            await self.say(answer, bytes([kind, 0 if own == COMMAND and kind in (0x05, 0x0D, 0x0F, 0x17, 0x18, 0x3E, 0x40) else 2]))

    def presets(self):
        """NotifyPresetStatus: three groups, the video group with two presets and their settings."""
        def field(number, value):
            if isinstance(value, int):
                out = bytes([number << 3])
                while value > 127:
                    out, value = out + bytes([value & 127 | 128]), value >> 7
                return out + bytes([value])
            length = len(value)
            return bytes([number << 3 | 2]) + (bytes([length]) if length < 128 else bytes([length & 127 | 128, length >> 7])) + value

        def preset(number, mode, title, icon, settings):
            rows = b"".join(field(7, field(1, key) + field(2, value) + field(3, 1)) for key, value in settings)
            return field(1, number) + field(2, mode) + field(3, title) + field(5, 0) + field(6, icon) + rows + field(8, 0)
        video = field(1, 1000) + field(2, preset(0, 12, 0, 0, [(2, 1), (3, 8), (121, 0)])) \
            + field(2, preset(1, 12, 1, 1, [(2, 9), (3, 5), (121, 4)])) + field(3, 1) + field(4, 0)
        photo = field(1, 1001) + field(2, preset(0x10000, 17, 10, 3, [(122, 27)])) + field(3, 1) + field(4, 1)
        lapse = field(1, 1002) + field(2, preset(0x20000, 24, 14, 8, [(5, 5)])) + field(3, 0) + field(4, 2)
        return b"".join(field(1, group) for group in (video, photo, lapse))


class App(Phone):
    """Sends one request at a time on each characteristic, and waits for responses."""

    def __init__(self, air, tape, seed, **radio):
        super().__init__(air, tape, seed, **radio)
        self.heard = asyncio.Queue()

    def beside(self):
        """The same phone's app for a second camera."""
        other = copy.copy(self)
        other.heard, other.characteristic = asyncio.Queue(), {}
        return other

    async def listen(self, own):
        join = Joiner(lambda message: self.heard.put_nowait((own, message)))
        await self.characteristic[own].subscribe(lambda value: join.feed(bytes(value)))

    async def ask(self, own, message, pause=0.25, answers=1):
        for packet in packets(message, counted=False) if len(message) > 19 else packets(message):
            await self.characteristic[own].write_value(packet, with_response=True)
        for _ in range(answers):
            await asyncio.wait_for(self.heard.get(), 30)
        await asyncio.sleep(pause)


async def afternoon(tape):
    air = stage.Air(1)
    phone = App(air, tape, 1)
    camera = Camera(air, 1)
    await camera.start()
    stage.Neighbour(air, "D4:12:77:0A:00:21", bytes.fromhex("020106" "03031d18" "08ff5701" "0012e4019c"), 0.31, -78,
                    bytes.fromhex("0c09") + b"Scale Bad 2").start()
    stage.Neighbour(air, "E9:50:3C:81:00:42", bytes.fromhex("02011a" "1bff7500" "0218" + "5a" * 22), 0.24, -84).start()
    await phone.device.power_on()
    await asyncio.sleep(0.2)

    address = await phone.look(NAME)
    connection = await phone.connect(address)
    await connection.get_remote_le_features()
    await phone.peer.request_mtu(185)
    await phone.discover()
    await phone.read("2a00")
    await phone.read("2a24")
    await phone.read("2a19")

    # Switching Wi-Fi on is rejected before pairing, and accepted afterwards.
    await phone.write(POWER, b"\x01")
    await phone.read(SSID)
    await connection.pair()
    await asyncio.sleep(0.15)
    await phone.write(POWER, b"\x01")
    await phone.read(SSID)
    await phone.read(PASSWORD)

    for own in (COMMAND_ANSWER, SETTING_ANSWER, QUERY_ANSWER, NETWORK_ANSWER):
        await phone.listen(own)
    await phone.characteristic[STATE].subscribe(lambda value: None, prefer_notify=False)
    camera.state.value = b"\x04"
    await camera.device.indicate_subscribers(camera.state)
    await asyncio.sleep(0.3)

    await phone.ask(COMMAND, b"\x51")                                                     # Open GoPro version
    await phone.ask(COMMAND, b"\x3c")                                                     # hardware
    await phone.ask(COMMAND, b"\x0d" + counted(struct.pack(">HBBBBB", 2026, 11, 20, 9, 30, 12)))
    await phone.ask(QUERY, bytes.fromhex("53" "01" "02" "0a" "21" "23" "27" "46"))        # register for these statuses
    await phone.ask(QUERY, b"\x13")                                                       # every status
    await phone.ask(QUERY, b"\x12" + bytes(sorted(camera.setting)) + bytes([176, 186, 187, 190]))   # a request of two packets
    await phone.ask(QUERY, b"\x32\x03\x79")                                               # the possible settings
    await phone.ask(SETTING, b"\x03\x01\x05")                                             # 60 frames a second
    await phone.ask(SETTING, b"\x03\x01\x63")                                             # an unsupported setting
    await phone.ask(QUERY, b"\xf5\x72\x08\x01\x08\x02")                                   # presets
    await phone.ask(NETWORK, b"\x02\x02", answers=2)                                      # Wi-Fi networks around
    await phone.ask(NETWORK, b"\x02\x03\x08\x00\x10\x64\x18\x01")
    await phone.ask(SETTING, b"\x5b\x01\x42", pause=0.8)                                  # keep alive
    await phone.ask(COMMAND, b"\xf1\x69\x08\x02")                                         # the app takes control
    await phone.ask(COMMAND, b"\x01\x01\x01", pause=1.1, answers=2)                       # record, and the notification that it causes
    await camera.change(_70=b"\x48", _35=struct.pack(">I", 18700))                        # the battery level decreases meanwhile
    camera.level.value = b"\x48"
    await phone.ask(SETTING, b"\x5b\x01\x42", pause=0.4)
    await phone.ask(COMMAND, b"\x01\x01\x00", pause=0.6, answers=2)
    await phone.read("2a19")
    await phone.ask(COMMAND, b"\x05")                                                     # sleep
    await connection.disconnect(USER_LEFT)
    await asyncio.sleep(0.2)


async def two_at_once(tape):
    """Two cameras answer at the same time: their fragments arrive in turns."""
    air = stage.Air(2)
    cameras = [Camera(air, 2), Camera(air, 3, "GoPro 0815", "C0:FF:EE:00:00:02", -70)]
    left = App(air, tape, 2)
    right = left.beside()
    for camera in cameras:
        await camera.start()
    await left.device.power_on()
    connections = []
    for app, name in ((left, "GoPro 4821"), (right, "GoPro 0815")):
        connections.append(await app.connect(await app.look(name, least=0.3)))
        await app.peer.request_mtu(185)
        await app.discover()
        await app.listen(QUERY_ANSWER)
        await app.listen(COMMAND_ANSWER)
    await asyncio.gather(left.ask(COMMAND, b"\x3c"), right.ask(COMMAND, b"\x3c"))
    await asyncio.gather(left.ask(QUERY, b"\x13"), right.ask(QUERY, b"\x13"))
    await connections[0].disconnect(USER_LEFT)
    await asyncio.sleep(0.3)
    left.radio.lose(0x0041)
    await asyncio.sleep(0.2)


def make(scene=afternoon, seed=4821):
    tape = stage.Tape()
    stage.play(scene(tape), seed)
    return tape.packets


if __name__ == "__main__":
    open(sys.argv[1], "wb").write(stage.btsnoop(make()))
