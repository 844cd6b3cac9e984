#!/usr/bin/env python3
"""A controller of rooms and fans with one packet protocol on one characteristic: addresses, a length, a command, typed
objects, a CRC-16/ARC. Packets are split every 20 bytes, so that most messages take two or three. typed_object.py FILE.pcapng"""
import asyncio
import struct
import sys

import stage
from bumble import att
from bumble.core import AdvertisingData
from bumble.gatt import Characteristic, CharacteristicValue, Service
from phone import Phone

NAME, BOX = "RoomBox 0A01", "D8:0A:00:00:01:0A"
SERVICE, EVERYTHING, ABOUT = (f"7d0a{n:04x}-3c1e-4f0b-9d2a-5b6c7d8e9fa0" for n in (1, 2, 3))
APP, NODE = (0x0A0000FE, 2), (0x0A000001, 1)
READ, WRITE = 1, 2
DATA, MULTI = 1, 2
FLOAT = 4


def crc(data):
    """CRC-16/ARC, bit by bit."""
    value = 0
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ 0xA001 if value & 1 else value >> 1
    return value


def frame(to, of, command, payload, damage=0):
    head = struct.pack(">IBIBBHB", *to, *of, len(payload), 0, command) + payload
    return head + struct.pack("<H", crc(head) ^ damage)


def item(number, name):
    return struct.pack(">H", number) + name.encode().ljust(8)[:8]


class Box:
    """Responds to reads with floats and their limits, rejects unknown objects."""

    def __init__(self, air, seed):
        self.radio = stage.Radio("box", air, "00:00:5E:00:53:33", near=-55, acl=27)
        self.device = stage.device(NAME, self.radio, BOX, seed)
        self.values = {7: (0, 0, -40.0, 125.0, 21.5), 8: (1, 0, 0.0, 100.0, 43.25), 300: (0, 2, 0.0, 3000.0, 0.0),
                       301: (0, 0, 0.0, 3000.0, 1420.0)}
        self.buffer = b""
        P, C = Characteristic.Properties, Characteristic
        self.everything = C(EVERYTHING, P.WRITE_WITHOUT_RESPONSE | P.WRITE | P.NOTIFY, C.WRITEABLE, CharacteristicValue(write=self.write))
        about = b"RoomBox 0A01; climate and fans of the first floor; firmware 4.11.2; made for tests"
        self.device.add_services([Service(SERVICE, [self.everything, C(ABOUT, P.READ | P.WRITE, C.READABLE | C.WRITEABLE, about)])])
        self.device.advertising_data = bytes(AdvertisingData([
            (AdvertisingData.FLAGS, b"\x06"), (AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS,
                                               bytes.fromhex(SERVICE.replace("-", ""))[::-1])]))
        self.device.scan_response_data = bytes(AdvertisingData([(AdvertisingData.COMPLETE_LOCAL_NAME, NAME.encode())]))

    def write(self, _, value):
        self.buffer += bytes(value)
        if len(self.buffer) > 10 and len(self.buffer) >= 16 + self.buffer[10]:
            request, self.buffer = self.buffer[:16 + self.buffer[10]], b""
            asyncio.get_running_loop().create_task(self.answer(request))

    async def answer(self, request):
        await asyncio.sleep(0.02)
        command, kind, what = request[13], request[14], request[15]
        numbers = [struct.unpack_from(">H", request, at)[0] for at in range(16, len(request) - 10, 10)]
        known = [self.values[n] for n in numbers if n in self.values]
        if len(known) != len(numbers):
            body = bytes([kind, what, FLOAT, 0, 5])                      # status 5: no such object
        elif command == WRITE:
            number = numbers[0]
            force, _, low, high, _ = self.values[number]
            value = struct.unpack_from(">f", request, len(request) - 6)[0]
            self.values[number] = (1, 0, low, high, value)
            body = struct.pack(">BBBBBfff", kind, what, FLOAT, 1, 0, low, high, value)
        elif kind == DATA:
            body = struct.pack(">BBBBBfff", kind, what, FLOAT, *known[0])
        else:
            body = bytes([kind, what]) + b"".join(struct.pack(">BBfff", *v) for v in known)
        await self.say(frame(APP, NODE, command, body))

    async def say(self, message):
        for at in range(0, len(message), 20):
            await self.device.notify_subscribers(self.everything, message[at:at + 20])


async def run(tape):
    air = stage.Air(4, interval=0.015)
    phone = Phone(air, tape, 4, acl=27)
    box = Box(air, 4)
    await box.device.power_on()
    await box.device.start_advertising(auto_restart=False)
    await phone.device.power_on()
    await asyncio.sleep(0.1)
    connection = await phone.connect(await phone.look(NAME, least=0.6), interval=15)
    await phone.discover()
    await phone.read(ABOUT)                                              # longer than one response: read in parts
    await phone.characteristic[EVERYTHING].subscribe(lambda value: None)

    async def ask(message, respond=False):
        for at in range(0, len(message), 20):
            await phone.write(EVERYTHING, message[at:at + 20], respond)
        await asyncio.sleep(0.4)
    await ask(frame(NODE, APP, READ, bytes([DATA, 1]) + item(7, "TEMP_OUT")))
    await ask(frame(NODE, APP, READ, bytes([MULTI, 1]) + item(7, "TEMP_OUT") + item(8, "HUMIDITY") + item(300, "FAN1")))
    await ask(frame(NODE, APP, WRITE, bytes([DATA, 1]) + item(8, "HUMIDITY") + struct.pack(">f", 55.0)), respond=True)
    await ask(frame(NODE, APP, READ, bytes([DATA, 1]) + item(999, "NOTHERE")))
    await box.say(frame(APP, NODE, READ, struct.pack(">BBBBBfff", DATA, 1, FLOAT, *box.values[301]), damage=0x0100))
    await asyncio.sleep(0.3)

    # A new description, longer than one request: prepared in three parts, then executed.
    client, handle = phone.peer.gatt_client, phone.characteristic[ABOUT].handle
    text = b"RoomBox 0A01; climate and fans, first floor, east"
    for at in range(0, len(text), 18):
        await client.send_request(att.ATT_Prepare_Write_Request(attribute_handle=handle, value_offset=at,
                                                                part_attribute_value=text[at:at + 18]))
    await client.send_request(att.ATT_Execute_Write_Request(flags=1))
    await connection.disconnect(0x13)
    await asyncio.sleep(0.2)


def make():
    tape = stage.Tape()
    stage.play(run(tape), 10)
    return tape.packets


if __name__ == "__main__":
    open(sys.argv[1], "wb").write(stage.pcapng(make(), "one characteristic for everything"))
