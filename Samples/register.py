#!/usr/bin/env python3
"""A module with registers: requests and responses are framed and have a CRC, in one or more packets. Memory is read through another
characteristic, as bytes without framing: only the request gives their number (see bulk.yaml). register.py FILE.btsnoop"""
import asyncio
import struct
import sys

import stage
from bumble.core import AdvertisingData
from bumble.gatt import Characteristic, CharacteristicValue, Service
from phone import Phone

NAME, MODULE = "BMD Register", "E7:42:00:00:00:05"
SERVICE, RX, TX, BULK = (f"2413b33f-707f-90bd-2045-2ab8807571b{n}" for n in "789a")
MEMORY = 0x00FF
REGISTERS = {0x0010: bytes.fromhex("0102030405060708"), 0x0102: b"\x2a", 0xBEEF: bytes(range(64))}


def crc(data):
    """CRC-16/IBM-3740."""
    value = 0xFFFF
    for byte in data:
        value ^= byte << 8
        for _ in range(8):
            value = (value << 1 ^ 0x1021) & 0xFFFF if value & 0x8000 else value << 1
    return value


def request(register, data=b""):
    body = struct.pack(">BH", 2, register) + data
    return bytes([0x3A, len(body)]) + body + struct.pack(">H", crc(body))


async def run(tape):
    air = stage.Air(5, interval=0.020)
    phone = Phone(air, tape, 5, acl=27)
    radio = stage.Radio("module", air, "00:00:5E:00:53:44", near=-48, acl=27)
    module = stage.device(NAME, radio, MODULE, 5)
    buffer = bytearray()
    P, C = Characteristic.Properties, Characteristic
    rx, bulk = C(RX, P.NOTIFY, C.READABLE), C(BULK, P.NOTIFY, C.READABLE)

    async def answer(register, data):
        await asyncio.sleep(0.03)
        if register == MEMORY:
            to, value = bulk, bytes(n * 7 & 255 for n in range(data[0]))
        else:
            to, value = rx, request(register, b"" if data else REGISTERS.get(register, b""))
        for at in range(0, len(value), 20):
            await module.notify_subscribers(to, value[at:at + 20])

    def write(_, value):
        buffer.extend(bytes(value))
        if len(buffer) >= 2 and len(buffer) >= buffer[1] + 4:
            register, data = struct.unpack_from(">H", buffer, 3)[0], bytes(buffer[5:-2])
            buffer.clear()
            asyncio.get_running_loop().create_task(answer(register, data))
    module.add_services([Service(SERVICE, [C(TX, P.WRITE, C.WRITEABLE, CharacteristicValue(write=write)), rx, bulk])])
    module.advertising_data = bytes(AdvertisingData([(AdvertisingData.FLAGS, b"\x06"), (AdvertisingData.COMPLETE_LOCAL_NAME, NAME.encode())]))
    await module.power_on()
    await module.start_advertising(auto_restart=False)
    await phone.device.power_on()
    connection = await phone.connect(await phone.look(NAME, least=0.3), interval=20)
    await phone.discover()
    await phone.characteristic[RX].subscribe(lambda value: None)
    await phone.characteristic[BULK].subscribe(lambda value: None)
    for message in (request(0x0010), request(0x0102, b"\x01"), request(0xBEEF), request(0xBEEF, bytes(range(40))), request(MEMORY, b"\x32"),
                    request(MEMORY, b"\x07")):
        for at in range(0, len(message), 20):
            await phone.write(TX, message[at:at + 20])
        await asyncio.sleep(0.5)
    await connection.disconnect(0x13)
    await asyncio.sleep(0.1)


def make():
    tape = stage.Tape()
    stage.play(run(tape), 5)
    return tape.packets


if __name__ == "__main__":
    open(sys.argv[1], "wb").write(stage.btsnoop(make()))
