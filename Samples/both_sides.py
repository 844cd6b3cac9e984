#!/usr/bin/env python3
"""One session recorded by three devices: the logs of a phone and of a lamp (both on Bumble), and the capture of a sniffer. The two pair with
LE Secure Connections, the phone discovers, repeats a read, writes more than one packet holds, and receives notifications of the brightness. For two
seconds the radio is bad. The sniffer's clock has an offset and a drift. It misses packets, and the phone's log lacks one.

both_sides.py FOLDER writes both-phone.btsnoop, both-lamp.btsnoop and both-air.pcapng."""
import asyncio
import pathlib
import random
import struct
import sys

import stage
from bumble import ll
from bumble.core import AdvertisingData, PhysicalTransport
from bumble.gatt import Characteristic, CharacteristicValue, Service
from phone import Phone
from sniffer import ADVERTISING, aes, crc, xor

NAME, LAMP = "Desk Lamp", "F4:3A:91:0C:1A:4D"
SWITCH, BRIGHTNESS, SCENE, ANSWER = "ff01", "ff02", "ff03", "ff04"
INTERVAL = 0.030
AHEAD, GAINS = 2_345_678, 18.2e-6               # µs, and µs in a µs
BAD = (7.0, 9.0)                                # seconds in which the radio is bad


class Sniffer:
    """The captured packets, with the sniffer's clock."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.packets = []

    def clock(self, seconds):
        return stage.START + AHEAD + round(seconds * (1 + GAINS) * 1e6)

    def hear(self, at, channel, access, pdu, initial, kind, heard=True):
        if not heard:
            return
        frequency = {37: 0, 38: 12, 39: 39}.get(channel, channel + 1 if channel < 11 else channel + 2)
        radio = struct.pack("<BbbBIH", frequency, -44 - self.chance.randrange(8), -128, 0, access, 0x0C13 | kind << 7)
        self.packets.append((self.clock(at), radio + struct.pack("<I", access) + pdu + crc(pdu, initial)))

    def pcapng(self):
        def block(kind, body):
            return struct.pack("<II", kind, len(body) + 12) + body + struct.pack("<I", len(body) + 12)

        out = block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1)) + block(1, struct.pack("<HHI", 256, 0, 0))
        for time, data in sorted(self.packets, key=lambda packet: packet[0]):
            head = struct.pack("<IIIII", 0, time >> 32, time & 0xFFFFFFFF, len(data), len(data))
            out += block(6, head + data + bytes(-len(data) % 4))
        return out


class Side:
    """One end of a connection: the packets to send, and the acknowledgement bits (Core, Vol 6, Part B, 4.5.9)."""

    def __init__(self, controller, address, is_central):
        self.controller, self.address, self.is_central = controller, address, is_central
        self.queue = []                         # (LLID, payload, function called after transmission)
        self.sending = None                     # the packet that is not acknowledged yet
        self.sequence = self.expects = 0
        self.key, self.counter = None, 0


class Connection:
    """Connection events: the central starts each one, and the two alternate until neither has more data, or one does not receive the other."""

    def __init__(self, air, central, peripheral, own, other, interval, timeout):
        self.air = air
        self.central, self.peripheral = Side(central, own, True), Side(peripheral, other, False)
        self.access = air.chance.getrandbits(32) | 0x40000001
        self.initial = air.chance.getrandbits(24)
        self.hop, self.channel = 7, 0
        self.is_open = True
        self.vector = self.diversifier = b""
        now = asyncio.get_running_loop().time()
        request = struct.pack("<I", self.access) + self.initial.to_bytes(3, "little")
        request += struct.pack("<BHHHH", 2, 3, interval, 0, timeout) + bytes.fromhex("ffffffff1f") + bytes([self.hop])
        types = (1 if own.is_random else 0) << 6 | (1 if other.is_random else 0) << 7
        body = bytes(own) + bytes(other) + request
        air.sniffer.hear(now, 37, ADVERTISING, bytes([5 | types, len(body)]) + body, 0x555555, 0)
        self.start = now + 0.0085
        self.number = 0
        asyncio.get_running_loop().call_at(self.start, self.event)

    def put(self, side, kind, payload, then=None):
        side.queue.append((kind, payload, then))

    def encrypt(self, side, header, payload):
        """Core, Vol 6, Part E, 2."""
        nonce = (side.counter | side.is_central << 39).to_bytes(5, "little") + self.vector
        side.counter += 1
        mac = aes(side.key, b"\x49" + nonce + struct.pack(">H", len(payload)))
        mac = aes(side.key, xor(mac, b"\0\1" + bytes([header & 0xE3]) + bytes(13)))
        out = b""
        for number in range(0, len(payload), 16):
            piece = payload[number:number + 16]
            mac = aes(side.key, xor(mac, piece.ljust(16, b"\0")))
            out += xor(piece, aes(side.key, b"\1" + nonce + struct.pack(">H", number // 16 + 1)))
        return out + xor(mac, aes(side.key, b"\1" + nonce + b"\0\0"))[:4]

    def transmit(self, side, other, at):
        """Sends one packet. Returns its end time, whether the other side received it, and whether there is more data."""
        if side.sending is None:
            kind, payload, then = side.queue.pop(0) if side.queue else (1, b"", None)
            if side.key and payload:
                payload = self.encrypt(side, kind, payload)
            side.sending = kind, payload, then
        kind, payload, then = side.sending
        more = bool(side.queue)
        header = kind | side.expects << 2 | side.sequence << 3 | more << 4
        pdu = bytes([header, len(payload)]) + payload
        chance = self.air.chance
        is_bad = BAD[0] <= at < BAD[1]
        self.air.sniffer.hear(
            at, self.channel, self.access, pdu, self.initial, 2 if side.is_central else 3,
            heard=self.air.sniffer.chance.random() >= (0.004 if payload else 0.02) and not self.air.is_missed(side, payload))
        end = at + (80 + 8 * len(payload)) * 1e-6
        if chance.random() < (0.55 if is_bad else 0.03):
            return end, False, more
        if side.sequence == other.expects:
            other.expects ^= 1
            if then:
                self.air.later(end + 0.00012, then)
        return end, True, more

    def acknowledge(self, side, other):
        """`side` has received a packet of the other, whose NESN acknowledges its own packets."""
        if side.sending is not None and other.expects != side.sequence:
            side.sending = None
            side.sequence ^= 1

    def event(self):
        if not self.is_open:
            return
        loop = asyncio.get_running_loop()
        self.channel = (self.channel + self.hop) % 37
        at = loop.time()
        for _ in range(4):
            at, heard, first = self.transmit(self.central, self.peripheral, at)
            if not heard:
                break
            self.acknowledge(self.peripheral, self.central)
            at, heard, second = self.transmit(self.peripheral, self.central, at + 0.00015)
            if not heard:
                break
            self.acknowledge(self.central, self.peripheral)
            if not first and not second:
                break
            at += 0.00015
        self.number += 1
        loop.call_at(self.start + self.number * INTERVAL, self.event)


class Between(stage.Air):
    """The samples' simulated radio with a Link Layer, and a sniffer."""

    def __init__(self, seed):
        super().__init__(seed, interval=INTERVAL)
        self.sniffer = Sniffer(seed + 1)
        self.connections = []
        self.misses = 0
        self.waiting = {}                       # a host's packets that its controller has not sent yet, by controller

    def is_missed(self, side, payload):
        """Whether the sniffer misses this packet: it misses the next packets with data of the peripheral."""
        if side.is_central or not payload or not self.misses:
            return False
        self.misses -= 1
        return True

    def send_advertising_pdu(self, sender_controller, packet):
        now = asyncio.get_running_loop().time()
        if isinstance(packet, ll.ConnectInd):
            to = self.find_le_controller(packet.advertiser_address)
            self.connections.append(Connection(
                self, sender_controller, to, packet.initiator_address, packet.advertiser_address, packet.interval, packet.timeout))
        elif isinstance(packet, ll.AdvInd):
            body = bytes(packet.advertiser_address) + packet.data
            for channel in (37, 38, 39):
                self.sniffer.hear(now + 0.0006 * (channel - 37), channel, ADVERTISING,
                                  bytes([0x40 if packet.advertiser_address.is_random else 0, len(body)]) + body, 0x555555, 0,
                                  heard=self.sniffer.chance.random() < 0.4)
        super().send_advertising_pdu(sender_controller, packet)

    def ends(self, sender, receiver):
        """The open connection between two controllers, and its sides."""
        for one in self.connections:
            if one.is_open and {one.central.controller, one.peripheral.controller} == {sender, receiver}:
                return (one, one.central, one.peripheral) if one.central.controller is sender else (one, one.peripheral, one.central)
        return None, None, None

    def send_acl_data(self, sender_controller, destination_address, transport, data):
        to = self.find_le_controller(destination_address)
        connection, side, _ = self.ends(sender_controller, to)
        if connection is None:
            return
        for at in range(0, len(data), 27):
            isLast = at + 27 >= len(data)

            def through(whole=data):
                to.on_link_acl_data(side.address, PhysicalTransport.LE, whole)
                sender_controller.is_through()
            connection.put(side, 1 if at else 2, data[at:at + 27], through if isLast else None)

    def send_ll_control_pdu(self, sender_address, receiver_address, packet):
        sender, to = self.find_le_controller(sender_address), self.find_le_controller(receiver_address)
        connection, side, other = self.ends(sender, to)
        if connection is None:
            return
        deliver = lambda: to.on_ll_control_pdu(sender_address, packet)
        if isinstance(packet, ll.EncReq):
            central = self.chance.randbytes(12)
            connection.diversifier, connection.vector = central[:8], central[8:]
            connection.long_term_key = packet.ltk[::-1]
            connection.put(side, 3, b"\x03" + packet.rand + struct.pack("<H", packet.ediv) + central, deliver)
        elif isinstance(packet, ll.StartEncRsp):
            # The peripheral's host has the key: LL_ENC_RSP and LL_START_ENC_REQ, then both sides send an encrypted LL_START_ENC_RSP.
            peripheral = self.chance.randbytes(12)
            connection.vector += peripheral[8:]
            key = aes(connection.long_term_key, peripheral[7::-1] + connection.diversifier[::-1])

            def start():
                other.key = side.key = key

                def encrypted():
                    connection.put(side, 3, b"\x06", deliver)
                    sender.is_encrypted()
                connection.put(other, 3, b"\x06", encrypted)
            connection.put(side, 3, b"\x04" + peripheral)
            connection.put(side, 3, b"\x05", start)
        elif isinstance(packet, ll.TerminateInd):
            def end():
                connection.is_open = False
                deliver()
            connection.put(side, 3, b"\x02" + bytes([packet.error_code]), end)
        elif isinstance(packet, ll.FeatureReq):
            connection.put(side, 3, b"\x08" + packet.feature_set, deliver)
        elif isinstance(packet, ll.FeatureRsp):
            connection.put(side, 3, b"\x09" + packet.feature_set, deliver)
        elif isinstance(packet, ll.PeripheralFeatureReq):
            connection.put(side, 3, b"\x0e" + packet.feature_set, deliver)
        else:
            self.later(asyncio.get_running_loop().time() + INTERVAL, deliver)


class Slow(stage.Radio):
    """A controller that reports packets as completed, and a link as encrypted, only when that has happened on the air."""

    def on_le_encryption_change(self, connection, status):
        if connection.role == stage.hci.Role.PERIPHERAL:
            self.changed = connection, status
        else:
            super().on_le_encryption_change(connection, status)

    def is_encrypted(self):
        super().on_le_encryption_change(*self.changed)

    def on_hci_acl_data_packet(self, packet):
        connection = self.find_connection_by_handle(packet.connection_handle)
        if connection is not None:
            self.completing = getattr(self, "completing", []) + [connection.handle]
            connection.assembler.feed_packet(packet)

    def is_through(self):
        if self.completing:
            handle = self.completing.pop(0)
            self.send_hci_packet(stage.hci.HCI_Number_Of_Completed_Packets_Event(connection_handles=[handle], num_completed_packets=[1]))


class Lamp:
    def __init__(self, air, tape, seed):
        self.radio = stage.Radio("lamp", air, "00:00:5E:00:53:44", near=-52)
        self.radio.__class__ = Slow
        self.device = stage.device(NAME, self.radio, LAMP, seed)
        self.device.host.snooper = tape
        P, C = Characteristic.Properties, Characteristic
        self.brightness = C(BRIGHTNESS, P.READ | P.NOTIFY, C.READABLE, b"\x40")
        self.scene = C(SCENE, P.WRITE | P.READ, C.WRITEABLE | C.READABLE, b"")
        self.device.add_services([Service("FF00", [
            C(SWITCH, P.READ | P.WRITE, C.READABLE | C.WRITEABLE | C.WRITE_REQUIRES_ENCRYPTION, CharacteristicValue(
                read=lambda _: b"\x01", write=lambda *_: None)), self.brightness, self.scene])])
        self.device.advertising_data = bytes(AdvertisingData([
            (AdvertisingData.FLAGS, b"\x06"), (AdvertisingData.COMPLETE_LOCAL_NAME, NAME.encode())]))

    async def start(self):
        await self.device.power_on()
        await self.device.start_advertising(auto_restart=False)


async def run(tape, other):
    air = Between(24)
    phone = Phone(air, tape, 24)
    phone.radio.__class__ = Slow
    lamp = Lamp(air, other, 24)
    await lamp.start()
    await phone.device.power_on()
    await asyncio.sleep(0.3)
    connection = await phone.connect(await phone.look(NAME, least=0.6), interval=30)
    await phone.peer.request_mtu(185)
    await phone.discover()
    await phone.write(SWITCH, b"\x01")                       # rejected: not encrypted
    await connection.pair()
    await phone.write(SWITCH, b"\x01")
    heard = []
    await phone.characteristic[BRIGHTNESS].subscribe(heard.append)
    loop = asyncio.get_running_loop()

    async def fade():
        for step in range(40):
            if step == 14:
                air.misses = 1
            await lamp.device.notify_subscribers(lamp.brightness, bytes([64 + 4 * step]))
            await asyncio.sleep(0.19)

    fading = loop.create_task(fade())
    for scene in range(3):
        await phone.write(SCENE, bytes([scene]) + bytes((17 * scene + 5 * index) & 0xFF for index in range(60)))
        await asyncio.sleep(0.2)
    while loop.time() < BAD[1] + 1:                          # the same request and response, again and again
        await phone.read(SWITCH)
        await asyncio.sleep(0.09 + 0.05 * air.chance.random())
    await fading
    await asyncio.sleep(0.2)
    await connection.disconnect()
    await asyncio.sleep(0.5)
    return air.sniffer


def make():
    """Returns the logs of phone and lamp, and the sniffer's capture."""
    tape, other = stage.Tape(), stage.Tape()
    sniffer = stage.play(run(tape, other), 2401)
    # The phone's log lacks one notification.
    values = [index for index, (_, received, packet) in enumerate(tape.packets) if packet[0] == 2 and received and packet[9:10] == b"\x1b"]
    del tape.packets[values[5]]
    return tape.packets, other.packets, sniffer.pcapng()


def write(folder):
    phone, lamp, air = make()
    (folder / "both-phone.btsnoop").write_bytes(stage.btsnoop(phone))
    (folder / "both-lamp.btsnoop").write_bytes(stage.btsnoop(lamp))
    (folder / "both-air.pcapng").write_bytes(air)


if __name__ == "__main__":
    write(pathlib.Path(sys.argv[1]))
