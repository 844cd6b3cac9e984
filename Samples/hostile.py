#!/usr/bin/env python3
"""A device whose names contain HTML, a terminal's escape sequences and a spreadsheet's formula. hostile.py FILE.btsnoop"""
import asyncio
import sys

import stage
from bumble.core import AdvertisingData
from bumble.gatt import Characteristic, Service
from phone import Phone

SHORT = "=1+1<b>\x1b[2J\x07|"
LONG = "=HYPERLINK(\"http://example.invalid\")<script>alert(1)</script>\x1b]0;owned\x07\x1b[31m\u202egnp.\r\n\0--"


async def run(tape):
    air = stage.Air(6)
    phone = Phone(air, tape, 6)
    radio = stage.Radio("device", air, "00:00:5E:00:53:55", near=-50)
    device = stage.device(LONG, radio, "DB:AD:00:00:00:06", 6)
    P, C = Characteristic.Properties, Characteristic
    note = C("2A3D", P.READ | P.NOTIFY, C.READABLE, b"'; DROP TABLE rows; --\xff\xfe\x1b[8m")
    device.add_services([Service("1800", [note])])
    device.advertising_data = bytes(AdvertisingData([(AdvertisingData.FLAGS, b"\x06"),
                                                     (AdvertisingData.COMPLETE_LOCAL_NAME, SHORT.encode())]))
    await device.power_on()
    await device.start_advertising(auto_restart=False)
    await phone.device.power_on()
    connection = await phone.connect(await phone.look(SHORT, least=0.3))
    await phone.peer.request_mtu(185)
    await phone.discover()
    await phone.read("2a00")
    await phone.characteristic["2a3d"].subscribe(lambda value: None)
    await phone.read("2a3d")
    await device.notify_subscribers(note)
    await asyncio.sleep(0.1)
    await connection.disconnect(0x13)
    await asyncio.sleep(0.1)


def make():
    tape = stage.Tape()
    stage.play(run(tape), 6)
    return tape.packets


if __name__ == "__main__":
    open(sys.argv[1], "wb").write(stage.btsnoop(make()))
