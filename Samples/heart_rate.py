#!/usr/bin/env python3
"""A heart-rate strap and a phone with extended advertising: the strap advertises, is connected and subscribed to, goes out of range,
reconnects still subscribed, and is disconnected. heart_rate.py FILE.btsnoop"""
import asyncio
import struct
import sys

import stage
from bumble.att import ATT_Error
from bumble.core import AdvertisingData
from bumble.gatt import Characteristic, CharacteristicValue, Service
from phone import Phone

NAME, STRAP = "Pulse HR 07", "F4:3A:91:0C:77:07"
MEASUREMENT, LOCATION, CONTROL, LEVEL = "2a37", "2a38", "2a39", "2a19"


class Strap:
    def __init__(self, air, seed):
        self.radio = stage.Radio("strap", air, "00:00:5E:00:53:22", near=-67, acl=27)
        self.device = stage.device(NAME, self.radio, STRAP, seed)
        self.energy = 12
        P, C = Characteristic.Properties, Characteristic

        def control(_, value):
            if bytes(value) != b"\x01":
                raise ATT_Error(0x80)                   # Control Point Not Supported
            self.energy = 0
        self.measurement = C(MEASUREMENT, P.NOTIFY, C.READABLE)
        self.level = C(LEVEL, P.READ | P.NOTIFY, C.READABLE, b"\x5f")
        self.device.add_services([
            Service("180D", [self.measurement, C(LOCATION, P.READ, C.READABLE, b"\x01"),
                             C(CONTROL, P.WRITE, C.WRITEABLE, CharacteristicValue(write=control))]),
            Service("180F", [self.level]),
            Service("180A", [C("2A29", P.READ, C.READABLE, b"Pulse Works")])])
        self.device.advertising_data = bytes(AdvertisingData([
            (AdvertisingData.FLAGS, b"\x06"), (AdvertisingData.APPEARANCE, struct.pack("<H", 833)),
            (AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS, bytes.fromhex("0d180f18")),
            (AdvertisingData.TX_POWER_LEVEL, b"\x04")]))
        self.device.scan_response_data = bytes(AdvertisingData([(AdvertisingData.COMPLETE_LOCAL_NAME, NAME.encode())]))

    async def start(self):
        await self.device.start_advertising(auto_restart=False)

    async def beat(self, rate, contact=True, intervals=(), energy=False, wide=False, force=False):
        flags = (1 if wide else 0) | (6 if contact else 4) | (8 if energy else 0) | (16 if intervals else 0)
        value = bytes([flags]) + (struct.pack("<H", rate) if wide else bytes([rate]))
        if energy:
            value += struct.pack("<H", self.energy)
        value += b"".join(struct.pack("<H", round(ms * 1.024)) for ms in intervals)
        for connection in list(self.device.connections.values()):
            await self.device.notify_subscriber(connection, self.measurement, value, force=force)


async def run(tape):
    air = stage.Air(3, interval=0.050)
    phone = Phone(air, tape, 3, extended=True, acl=27)
    strap = Strap(air, 3)
    await strap.device.power_on()
    await strap.start()
    stage.Neighbour(air, "F0:11:22:0B:33:44", bytes.fromhex("020104" "1116aafe20000bb81a400001e24000bc614e"), 0.4, -88).start()
    await phone.device.power_on()
    await asyncio.sleep(0.2)

    connection = await phone.connect(await phone.look(NAME), interval=50)
    await connection.get_remote_le_features()
    await phone.peer.request_mtu(247)
    await phone.discover()
    await phone.read("2a29")
    await phone.read(LOCATION)
    await phone.read(LEVEL)
    heard = []
    await phone.characteristic[LEVEL].subscribe(heard.append)
    await phone.characteristic[MEASUREMENT].subscribe(heard.append)
    await strap.beat(0, contact=False)                       # not on the skin yet
    await asyncio.sleep(1)
    for second in range(8):
        rate = 71 + second
        strap.energy += 1
        await strap.beat(rate, intervals=[60000 / rate, 60000 / rate + 9] if second % 2 else [60000 / rate], energy=second % 4 == 3)
        await asyncio.sleep(1)
    await phone.write(CONTROL, b"\x01")                      # reset the energy
    await phone.write(CONTROL, b"\x02")                      # rejected
    await strap.beat(300, intervals=[200, 201], energy=True, wide=True)
    strap.level.value = b"\x5e"
    await strap.device.notify_subscribers(strap.level)
    await asyncio.sleep(1)

    # Out of range: neither side receives the other until the supervision timeout.
    phone.radio.lose(connection.handle)
    strap.radio.lose(strap.radio.first_handle)
    await asyncio.sleep(2.5)
    await strap.start()
    connection = await phone.connect(await phone.look(NAME, least=0.4), interval=50)
    await asyncio.sleep(0.3)
    for second in range(3):                                  # the strap restores the subscription, without a packet in the log
        await strap.beat(96 - second, intervals=[625 + 7 * second], force=True)
        await asyncio.sleep(1)
    await phone.peer.request_mtu(247)
    await phone.discover()
    await phone.characteristic[MEASUREMENT].subscribe(heard.append)
    await strap.beat(88, intervals=[682])
    await asyncio.sleep(0.5)
    await phone.characteristic[MEASUREMENT].unsubscribe(heard.append, force=True)
    await asyncio.sleep(0.2)
    await list(strap.device.connections.values())[0].disconnect(0x13)
    await asyncio.sleep(0.3)


def make():
    tape = stage.Tape()
    stage.play(run(tape), 77)
    return tape.packets


if __name__ == "__main__":
    open(sys.argv[1], "wb").write(stage.btsnoop(make()))
