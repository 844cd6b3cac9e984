#!/usr/bin/env python3
"""Keyboards of Bumble's stack, from the computer's log: over BR/EDR (HID 1.1.1) with a report map in SDP, and over LE (HOGP 1.0) with one
that is read from GATT. Both type, point and turn the volume up. keyboard.py FILE.btsnoop LE-FILE.btsnoop"""
import asyncio
import struct
import sys

import stage
from bumble import hid, sdp
from bumble.core import UUID, AdvertisingData, PhysicalTransport
from bumble.device import Device, DeviceConfiguration
from bumble.gatt import Characteristic, CharacteristicValue, Descriptor, Service
from bumble.hci import Address
from bumble.host import Host
from bumble.transport.common import AsyncPipeSink
from phone import Phone

COMPUTER, DESK, COUCH = "00:00:5E:00:53:41", "00:00:5E:00:53:42", "F4:3A:91:0C:42:07"
INPUT, OUTPUT, FEATURE = 1, 2, 3


def report_map(pointer):
    """A keyboard with lights (report 1), a mouse with a wheel (2), media keys (3), and a vendor's feature (4)."""
    return bytes.fromhex(
        "05010906a1018501" "050719e029e715002501750195088102" "7508950181" "01"
        "0508190129057501950591" "02" "7503950191" "01" "05071900296515002565750895068100" "c0"
        + pointer +
        "050c0901a1018503" "1500268c0219002a8c02751095018100" "c0"
        "0600ff0901a1018504" "15002" "6ff00750895020902b102" "c0")


# Buttons, then relative X and Y of eight bits and a wheel; or of sixteen bits.
MOUSE = ("05010902a10185020901a100" "05091901290315002501750195038102" "75059501810" "1" "0501093009310938" "1581257f750895038106" "c0c0")
FINE = ("05010902a10185020901a100" "05091901290515002501750195058102" "750395018101" "05010930093116" "0180" "26ff7f751095028106"
        "09381581257f750895018106" "c0c0")

KEYS = {**{chr(97 + n): (0, 4 + n) for n in range(26)}, **{chr(65 + n): (2, 4 + n) for n in range(26)},
        **{str((n + 1) % 10): (0, 30 + n) for n in range(10)}, " ": (0, 44), "\n": (0, 40), ",": (0, 54), ".": (0, 55), "!": (2, 30)}


class Typist:
    """The reports that a device sends; `send` takes a report's number and its data."""

    def __init__(self, send):
        self.send = send

    async def keys(self, modifiers, *codes):
        await self.send(1, bytes([modifiers, 0, *codes]) + bytes(6 - len(codes)))

    async def type(self, text, pace=0.11):
        for letter in text:
            modifiers, code = KEYS[letter]
            if modifiers:
                await self.keys(modifiers)
                await asyncio.sleep(0.04)
            await self.keys(modifiers, code)
            await asyncio.sleep(0.06)
            await self.keys(0)
            await asyncio.sleep(pace)

    async def play(self, move):
        await self.type("Hello, world!\n")
        # Two keys at a time, the second pressed before the first is released; then Ctrl+Alt+Delete.
        await self.keys(0, 0x0B)
        await self.keys(0, 0x0B, 0x0C)
        await self.keys(0, 0x0C)
        await self.keys(0)
        await self.keys(0x01)
        await self.keys(0x05, 0x4C)
        await self.keys(0)
        # Too many keys (HID Usage Tables 1.12, 10: ErrorRollOver).
        await self.keys(0, 1, 1, 1, 1, 1, 1)
        await self.keys(0)
        for step in range(24):
            await move(0, 3 + step % 5, -(step % 3), 0)
            await asyncio.sleep(0.0125)
        await move(1, 0, 0, 0)
        await move(1, 12, 4, 0)
        await move(0, 0, 0, 0)
        await move(2, 0, 0, 0)
        await move(0, 0, 0, 0)
        for _ in range(3):
            await move(0, 0, 0, -1)
        await asyncio.sleep(0.3)
        for code in (0xE9, 0xE9, 0xE2, 0xCD):
            await self.send(3, struct.pack("<H", code))
            await asyncio.sleep(0.08)
            await self.send(3, bytes(2))
            await asyncio.sleep(0.2)


# -- BR/EDR ---------------------------------------------------------------------------------------------------------

def record():
    """The service record of a HID device (HID 1.1.1, 5.3)."""
    element, attribute = sdp.DataElement, sdp.ServiceAttribute
    uuid = lambda number: element.uuid(UUID.from_16_bits(number))
    small, middle, text = element.unsigned_integer_8, element.unsigned_integer_16, lambda value: element.text_string(value)
    protocols = lambda psm: element.sequence([element.sequence([uuid(0x0100), middle(psm)]), element.sequence([uuid(0x0011)])])
    values = {
        0x0000: element.unsigned_integer_32(0x10001), 0x0001: element.sequence([uuid(0x1124)]), 0x0004: protocols(0x11),
        0x0005: element.sequence([uuid(0x1002)]), 0x0006: element.sequence([middle(0x656E), middle(0x6A), middle(0x100)]),
        0x0009: element.sequence([element.sequence([uuid(0x1124), middle(0x0101)])]), 0x000D: element.sequence([protocols(0x13)]),
        0x0100: text(b"Desk keyboard"), 0x0102: text(b"Key Works"), 0x0201: middle(0x0111), 0x0202: small(0xC0), 0x0203: small(33),
        0x0204: element.boolean(True), 0x0205: element.boolean(True),
        0x0206: element.sequence([element.sequence([small(0x22), text(report_map(MOUSE))])]),
        0x0207: element.sequence([element.sequence([middle(0x0409), middle(0x0100)])]), 0x020B: middle(0x0100),
        0x020C: middle(3200), 0x020D: element.boolean(True), 0x020E: element.boolean(True),
    }
    return [attribute(key, value) for key, value in values.items()]


def classic(name, radio):
    made = Device(config=DeviceConfiguration(name=name, classic_enabled=True, le_enabled=False, address=Address(str(radio.public_address))))
    made.host = Host(radio, AsyncPipeSink(radio))
    return made


async def desk(tape):
    air = stage.Air(11, interval=0.0125)
    radios = stage.Radio("computer", air, COMPUTER, first_handle=0x0B), stage.Radio("keyboard", air, DESK, first_handle=0x0B)
    computer, keyboard = classic("Computer", radios[0]), classic("Desk keyboard", radios[1])
    computer.host.snooper = tape
    host, device = hid.Host(computer), hid.Device(keyboard)
    keyboard.sdp_service_records = {0x10001: record()}
    status, answers = hid.Device.GetSetReturn, {(INPUT, 1): bytes(8), (FEATURE, 4): b"\x5a\x01"}
    protocol = [1]

    def get_report(number, kind, size):
        known = answers.get((kind, number))
        if known is None:
            return device.GetSetStatus(status=status.REPORT_ID_NOT_FOUND)
        return device.GetSetStatus(data=known, status=status.SUCCESS)

    def set_report(number, kind, size, data):
        known = (kind, number) in ((OUTPUT, 1), (FEATURE, 4))
        return device.GetSetStatus(status=status.SUCCESS if known else status.ERR_INVALID_PARAMETER)

    def set_protocol(mode):
        protocol[0] = mode
        return device.GetSetStatus(status=status.SUCCESS)

    device.register_get_report_cb(get_report)
    device.register_set_report_cb(set_report)
    device.register_get_protocol_cb(lambda: device.GetSetStatus(data=bytes(protocol), status=status.SUCCESS))
    device.register_set_protocol_cb(set_protocol)
    await keyboard.power_on()
    await keyboard.set_connectable(True)
    await computer.power_on()
    connection = await computer.connect(DESK, transport=PhysicalTransport.BR_EDR)
    await asyncio.sleep(0.1)
    client = sdp.Client(connection, mtu=120)
    await client.connect()
    await client.search_attributes([UUID.from_16_bits(0x1124)], [(0, 0xFFFF)])
    await client.disconnect()
    await host.connect_control_channel()
    await host.connect_interrupt_channel()
    for ask in (host.get_protocol, lambda: host.set_protocol(0), lambda: host.set_protocol(1),
                lambda: host.get_report(INPUT, 1, 0), lambda: host.get_report(FEATURE, 4, 64), lambda: host.get_report(FEATURE, 9, 0),
                lambda: host.set_report(OUTPUT, b"\x01\x00"), lambda: host.set_report(FEATURE, b"\x09\x00")):
        ask()
        await asyncio.sleep(0.05)

    async def send(number, data):
        device.send_data(bytes([number]) + data)
        await asyncio.sleep(0.013)

    typist = Typist(send)
    await typist.play(lambda buttons, x, y, wheel: send(2, struct.pack("<Bbbb", buttons, x, y, wheel)))
    # Caps Lock, and the host switches its light on.
    await typist.keys(0, 0x39)
    host.send_data(b"\x01\x02")
    await typist.keys(0)
    await typist.type("ok")
    # The boot protocol: reports 1 and 2 as defined by the specification (HID 1.1.1, 3.3.2).
    host.set_protocol(0)
    await asyncio.sleep(0.05)
    await typist.type("bios")
    await send(2, bytes([1, 5, 0xFB]))
    await send(2, bytes(3))
    host.set_protocol(1)
    await asyncio.sleep(0.05)
    # A report longer than its map defines.
    await send(1, bytes(10))
    host.suspend()
    await asyncio.sleep(0.2)
    host.exit_suspend()
    await asyncio.sleep(0.05)
    host.virtual_cable_unplug()
    await asyncio.sleep(0.1)
    await connection.disconnect()
    await asyncio.sleep(0.2)


# -- LE -------------------------------------------------------------------------------------------------------------

async def couch(tape):
    air = stage.Air(12, interval=0.015)
    phone = Phone(air, tape, 12, name="Tablet", acl=27)
    radio = stage.Radio("keyboard", air, "00:00:5E:00:53:43", near=-58, acl=27)
    device = stage.device("Couch keyboard", radio, COUCH, 12)
    P, C = Characteristic.Properties, Characteristic
    reference = lambda number, kind: Descriptor("2908", Descriptor.READABLE, bytes([number, kind]))
    inputs = {n: C("2A4D", P.READ | P.NOTIFY, C.READABLE, bytes(size), [reference(n, INPUT)]) for n, size in ((1, 8), (2, 6), (3, 2))}
    lights = C("2A4D", P.READ | P.WRITE | P.WRITE_WITHOUT_RESPONSE, C.READABLE | C.WRITEABLE, b"\0", [reference(1, OUTPUT)])
    feature = C("2A4D", P.READ | P.WRITE, C.READABLE | C.WRITEABLE, b"\x5a\x01", [reference(4, FEATURE)])
    taken = lambda: CharacteristicValue(write=lambda connection, value: None)
    device.add_services([
        Service("1812", [
            C("2A4E", P.READ | P.WRITE_WITHOUT_RESPONSE, C.READABLE | C.WRITEABLE, b"\x01"), *inputs.values(), lights, feature,
            C("2A4B", P.READ, C.READABLE, report_map(FINE)), C("2A22", P.READ | P.NOTIFY, C.READABLE, bytes(8)),
            C("2A32", P.READ | P.WRITE | P.WRITE_WITHOUT_RESPONSE, C.READABLE | C.WRITEABLE, b"\0"),
            C("2A4A", P.READ, C.READABLE, bytes.fromhex("11010003")), C("2A4C", P.WRITE_WITHOUT_RESPONSE, C.WRITEABLE, taken())]),
        Service("180F", [C("2A19", P.READ | P.NOTIFY, C.READABLE, b"\x51")]),
        Service("180A", [C("2A50", P.READ, C.READABLE, bytes.fromhex("02e70300010100"))])])
    device.advertising_data = bytes(AdvertisingData([
        (AdvertisingData.FLAGS, b"\x06"), (AdvertisingData.APPEARANCE, struct.pack("<H", 961)),
        (AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS, b"\x12\x18"),
        (AdvertisingData.COMPLETE_LOCAL_NAME, b"Couch keyboard")]))
    await device.power_on()
    await device.start_advertising(auto_restart=False)
    await phone.device.power_on()
    connection = await phone.connect(await phone.look("Couch keyboard", least=0.3), interval=15)
    await phone.discover()
    service = next(one for one in phone.peer.services if one.uuid == UUID("1812"))
    for characteristic in service.characteristics:
        if characteristic.properties & P.READ:
            await characteristic.read_value()
        for descriptor in characteristic.descriptors:
            if descriptor.type == UUID("2908"):
                await descriptor.read_value()
    await phone.write("2a4e", b"\x01", respond=False)
    for characteristic in service.characteristics:
        if characteristic.uuid == UUID("2A4D") and characteristic.properties & P.NOTIFY:
            await characteristic.subscribe(lambda value: None)

    async def send(number, data):
        await device.notify_subscribers(inputs[number], data)
        await asyncio.sleep(0.016)

    typist = Typist(send)
    await typist.play(lambda buttons, x, y, wheel: send(2, struct.pack("<Bhhb", buttons, x, y, wheel)))
    await typist.keys(0, 0x39)
    await [one for one in service.characteristics if one.handle == lights.handle][0].write_value(b"\x02")
    await typist.keys(0)
    await send(1, bytes(9))
    await phone.write("2a4c", b"\x00", respond=False)
    await asyncio.sleep(0.2)
    await connection.disconnect()
    await asyncio.sleep(0.2)


def make():
    """Returns the logs of the desk's keyboard and of the couch's."""
    tapes = stage.Tape(), stage.Tape()
    stage.play(desk(tapes[0]), 411)
    stage.play(couch(tapes[1]), 412)
    return [tape.packets for tape in tapes]


if __name__ == "__main__":
    for name, packets in zip(sys.argv[1:], make()):
        open(name, "wb").write(stage.btsnoop(packets))
