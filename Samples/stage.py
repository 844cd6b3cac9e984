"""A deterministic environment for Bumble's stack, in which the same scene gives the same bytes: a clock that jumps instead of waiting,
seeded randomness and keys, and a simulated radio between the controllers with realistic delays."""
import asyncio
import random
import secrets
import selectors
import struct

from bumble import crypto, hci, ll
from bumble.controller import Controller
from bumble.core import PhysicalTransport
from bumble.device import Device, DeviceConfiguration
from bumble.hci import Address
from bumble.host import Host
from bumble.link import LocalLink
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.snoop import Snooper
from bumble.transport.common import AsyncPipeSink

BTSNOOP_EPOCH = 0x00DCDDB30F2F8000      # 1970-01-01 in the time of btsnoop, microseconds
START = 1_795_167_000_000_000           # 2026-11-20 09:30:00 UTC, where every scene begins


# -- the clock ------------------------------------------------------------------------------------------------------

class JumpSelector(selectors.DefaultSelector):
    """Where a selector would sleep, the clock jumps ahead."""

    loop = None

    def select(self, timeout=None):
        ready = super().select(0)
        if not ready:
            if timeout is None:
                raise RuntimeError("everybody waits and nothing is scheduled")
            self.loop.now += max(timeout, 0)
        return ready


class JumpLoop(asyncio.SelectorEventLoop):
    def __init__(self):
        self.now = 0.0
        selector = JumpSelector()
        selector.loop = self
        super().__init__(selector)

    def time(self):
        return self.now


def play(scene, seed):
    """Runs the coroutine `scene` on the jumping clock; randomness, key pairs included, follows from the seed."""
    chance = random.Random(seed)
    secrets.token_bytes = lambda n=32: chance.randbytes(n)
    secrets.randbelow = lambda n: chance.randrange(n)
    crypto.EccKey.generate = classmethod(lambda kind: kind.from_private_key_bytes(b"\0" + chance.randbytes(31)))
    random.seed(seed)
    loop = JumpLoop()
    asyncio.set_event_loop(loop)
    try:
        return loop.run_until_complete(scene)
    finally:
        loop.close()


# -- the air --------------------------------------------------------------------------------------------------------

class InOrder(dict):
    """A set that keeps its order, for the link's controllers."""

    def add(self, item):
        self[item] = None

    def remove(self, item):
        self.pop(item)


class Air(LocalLink):
    """The simulated radio between the controllers: data are sent in connection events, most advertisements arrive."""

    def __init__(self, seed, interval=0.030):
        super().__init__()
        self.controllers = InOrder()
        self.chance = random.Random(seed)
        self.interval = interval
        self.busy = {}

    def event(self, sender, receiver):
        """When the next packet of this direction has arrived: up to four in a connection event, 0.7 ms apart."""
        key = (sender, receiver)
        number = int(asyncio.get_running_loop().time() / self.interval) + 1
        last, count = self.busy.get(key, (0, 0))
        if last < number:
            last, count = number, 0
        elif count < 3:
            count += 1
        else:
            last, count = last + 1, 0
        self.busy[key] = (last, count)
        return self.through(sender, receiver)

    def through(self, sender, receiver):
        """When the last packet of this direction has arrived."""
        number, count = self.busy.get((sender, receiver), (0, 0))
        return number * self.interval + 0.0004 + count * 0.0007

    def later(self, at, call, *arguments):
        asyncio.get_running_loop().call_at(at, call, *arguments)

    def send_acl_data(self, sender_controller, destination_address, transport, data):
        if transport == PhysicalTransport.BR_EDR:
            to = self.find_classic_controller(destination_address)
            return self.later(self.event(sender_controller, to), to.on_link_acl_data, sender_controller.public_address, transport, data)
        to = self.find_le_controller(destination_address)
        own = sender_controller.le_connections.get(destination_address)
        if to is not None and own is not None:
            self.later(self.event(sender_controller, to), to.on_link_acl_data, own.self_address, PhysicalTransport.LE, data)

    def send_ll_control_pdu(self, sender_address, receiver_address, packet):
        sender, to = self.find_le_controller(sender_address), self.find_le_controller(receiver_address)
        if to is not None:
            self.later(self.event(sender, to), to.on_ll_control_pdu, sender_address, packet)

    def send_advertising_pdu(self, sender_controller, packet):
        now = asyncio.get_running_loop().time()
        for to in list(self.controllers):
            if to is not sender_controller and (hasattr(packet, "interval") or self.chance.random() < 0.8):
                self.later(now + 0.0005 + self.chance.random() * 0.008, to.on_ll_advertising_pdu, packet)


class Radio(Controller):
    """A controller with delays, which splits data for its host by the buffer size, and has a signal strength."""

    def __init__(self, name, air, address, first_handle=0x0040, acl=251, extended=False, near=-60):
        super().__init__(name, link=air, public_address=address)
        self.first_handle = first_handle
        self.le_acl_data_packet_length = self.supported_max_tx_octets = self.supported_max_rx_octets = acl
        self.total_num_le_acl_data_packets = 8
        self.manufacturer_company_identifier = 0x000F
        self.near = near
        self.extended = extended
        self.quiet_until = 0.0
        if not extended:
            self.le_features &= ~hci.LeFeatureMask.LE_EXTENDED_ADVERTISING

    def allocate_connection_handle(self):
        used = {c.handle for c in [*self.le_connections.values(), *self.classic_connections.values()]}
        return next(h for h in range(self.first_handle, 0xEFF) if h not in used)

    def on_hci_le_set_extended_scan_parameters_command(self, command):
        self.le_scan_type = command.scan_types[0]
        return super().on_hci_le_set_extended_scan_parameters_command(command)

    def send_hci_packet(self, packet):
        if self.extended and isinstance(packet, hci.HCI_LE_Connection_Complete_Event):
            none = Address("00:00:00:00:00:00", Address.PUBLIC_DEVICE_ADDRESS)
            packet = hci.HCI_LE_Enhanced_Connection_Complete_Event(
                status=packet.status, connection_handle=packet.connection_handle, role=packet.role,
                peer_address_type=packet.peer_address_type, peer_address=packet.peer_address,
                local_resolvable_private_address=none, peer_resolvable_private_address=none,
                connection_interval=packet.connection_interval, peripheral_latency=packet.peripheral_latency,
                supervision_timeout=packet.supervision_timeout, central_clock_accuracy=packet.central_clock_accuracy)
        loop = asyncio.get_running_loop()
        self.quiet_until = max(self.quiet_until + 0.00006, loop.time() + 0.00015 + self.link.chance.random() * 0.0006)
        if self.host:
            loop.call_at(self.quiet_until, self.host.on_packet, bytes(packet))

    def on_hci_acl_data_packet(self, packet):
        connection = self.find_connection_by_handle(packet.connection_handle)
        if connection is None:
            return
        connection.assembler.feed_packet(packet)
        done = hci.HCI_Number_Of_Completed_Packets_Event(connection_handles=[connection.handle], num_completed_packets=[1])
        find = self.link.find_classic_controller if connection.transport == PhysicalTransport.BR_EDR else self.link.find_le_controller
        to = find(connection.peer_address)
        loop = asyncio.get_running_loop()
        loop.call_at(max(self.link.through(self, to) + 0.0003, loop.time()), self.send_hci_packet, done)

    def on_link_acl_data(self, sender_address, transport, data):
        is_classic = transport == PhysicalTransport.BR_EDR
        connection = (self.classic_connections if is_classic else self.le_connections).get(sender_address)
        if connection is None:
            return
        size = 1021 if is_classic else self.le_acl_data_packet_length
        for at in range(0, len(data), size):
            piece = data[at:at + size]
            self.send_hci_packet(hci.HCI_AclDataPacket(connection.handle, 1 if at else 2, 0, len(piece), piece))

    def on_advertising_pdu(self, pdu):
        if self.le_scan_enable:
            sender = self.link.find_le_controller(pdu.advertiser_address)
            strength = sender.near + self.link.chance.randrange(-4, 5)
            self.report(0, pdu.advertiser_address, pdu.data, strength)
            if self.le_scan_type == 1 and sender.le_legacy_advertiser.scan_response_data:
                self.report(4, pdu.advertiser_address, sender.le_legacy_advertiser.scan_response_data, strength)
        wanted = self.pending_le_connection
        if wanted and wanted.peer_address == pdu.advertiser_address:
            self.create_le_connection(pdu.advertiser_address)

    def report(self, kind, address, data, strength):
        event = hci.HCI_LE_Advertising_Report_Event
        if not self.extended:
            self.send_hci_packet(event([event.Report(event_type=kind, address_type=address.address_type, address=address,
                                                     data=data, rssi=strength)]))
            return
        event = hci.HCI_LE_Extended_Advertising_Report_Event
        legacy = 0x13 if kind == 0 else 0x1B                      # ADV_IND, or SCAN_RSP to one, as legacy PDUs
        self.send_hci_packet(event([event.Report(
            event_type=legacy, address_type=address.address_type, address=address, primary_phy=1, secondary_phy=0,
            advertising_sid=0xFF, tx_power=127, rssi=strength, periodic_advertising_interval=0, direct_address_type=0,
            direct_address=Address("00:00:00:00:00:00", Address.PUBLIC_DEVICE_ADDRESS), data=data)]))

    def lose(self, handle):
        """The other side is out of range: the supervision timeout expires."""
        self.on_le_disconnected(self.find_le_connection_by_handle(handle), 0x08)


def device(name, radio, address, seed):
    """A Bumble host on a radio; `address` is its random address, the radio's own address is its public one."""
    config = DeviceConfiguration(name=name, address=Address(address), advertising_interval_min=100, advertising_interval_max=100)
    config.irk = random.Random(f"irk {name} {seed}").randbytes(16)
    made = Device(config=config)
    made.host = Host(radio, AsyncPipeSink(radio))
    delegate = PairingDelegate(io_capability=PairingDelegate.NO_OUTPUT_NO_INPUT)
    made.pairing_config_factory = lambda connection: PairingConfig(sc=True, mitm=False, bonding=True, delegate=delegate)
    return made


class Neighbour(Radio):
    """Another device, which only advertises."""

    def __init__(self, air, address, data, every, near, response=b""):
        super().__init__("neighbour", air, address, near=near)
        self.random_address = Address(address)
        self.data, self.every = data, every
        self.le_legacy_advertiser.scan_response_data = response

    def start(self):
        self.send_advertising_pdu(ll.AdvInd(advertiser_address=self.random_address, data=self.data))
        asyncio.get_running_loop().call_later(self.every + self.link.chance.random() * 0.01, self.start)


# -- the tape -------------------------------------------------------------------------------------------------------

class Tape(Snooper):
    """The packets of the host's HCI: (microseconds since 1970, received, H4 packet)."""

    def __init__(self, start=START):
        self.packets, self.start, self.last = [], start, 0

    def snoop(self, hci_packet, direction):
        now = self.start + round(asyncio.get_running_loop().time() * 1_000_000)
        self.last = max(now, self.last + 7 + len(hci_packet) // 4)
        self.packets.append((self.last, int(direction) == 1, bytes(hci_packet)))


def btsnoop(packets, link=1002):
    """The packets as a btsnoop file; 1002 keeps the H4 type byte, with 1001 the flags give the type."""
    out = [b"btsnoop\0" + struct.pack(">II", 1, link)]
    for time, received, packet in packets:
        flags = int(received) | (2 if packet[0] in (1, 4) else 0)
        body = packet if link == 1002 else packet[1:]
        out.append(struct.pack(">IIIIq", len(body), len(body), flags, 0, time + BTSNOOP_EPOCH) + body)
    return b"".join(out)


MONITOR = {(1, False): 2, (4, True): 3, (2, False): 4, (2, True): 5, (3, False): 6, (3, True): 7, (5, False): 18, (5, True): 19}


def monitor(packets, address, name="hci0"):
    """The packets as a Linux monitor's log (btsnoop 2001), with the adapter added and removed."""
    bus = bytes.fromhex(address.replace(":", ""))[::-1]
    first, last = packets[0][0], packets[-1][0]
    rows = [(first - 900, 0xFFFF, 12, b"Linux version 6.1.0 (x86_64)\0"), (first - 800, 0xFFFF, 12, b"Bluetooth subsystem version 2.22\0"),
            (first - 700, 0, 0, bytes([0, 1]) + bus + name.encode().ljust(8, b"\0")), (first - 500, 0, 8, b""),
            (first - 300, 0, 10, bus + struct.pack("<H", 0x000F))]
    rows += [(time, 0, MONITOR[packet[0], received], packet[1:]) for time, received, packet in packets]
    rows += [(last + 4000, 0, 9, b""), (last + 5000, 0, 1, b"")]
    out = [b"btsnoop\0" + struct.pack(">II", 1, 2001)]
    for time, adapter, opcode, body in rows:
        out.append(struct.pack(">IIIIq", len(body), len(body), adapter << 16 | opcode, 0, time + BTSNOOP_EPOCH) + body)
    return b"".join(out)


def packetlogger(packets, little=False):
    """The packets in the format of Apple's PacketLogger."""
    kinds = {(1, False): 0, (4, True): 1, (2, False): 2, (2, True): 3}
    out = []
    for time, received, packet in packets:
        head = struct.pack("<III" if little else ">III", len(packet) + 8, time // 1_000_000, time % 1_000_000)
        out.append(head + bytes([kinds[packet[0], received]]) + packet[1:])
    return b"".join(out)


def pcapng(packets, comment=None):
    """The packets as pcapng, link type 201: four bytes of direction before each packet."""
    def block(kind, body):
        body += bytes(-len(body) % 4)
        return struct.pack("<II", kind, len(body) + 12) + body + struct.pack("<I", len(body) + 12)

    def option(code, value):
        return struct.pack("<HH", code, len(value)) + value + bytes(-len(value) % 4)
    end = option(0, b"")
    out = [block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1) + option(4, b"btscribe Samples/stage.py") + end),
           block(1, struct.pack("<HHI", 201, 0, 0) + option(2, b"hci0") + option(9, b"\x06") + end)]
    for number, (time, received, packet) in enumerate(packets):
        data = struct.pack(">I", int(received)) + packet
        options = option(2, struct.pack("<I", 1 if received else 2))
        if number == 0 and comment:
            options = option(1, comment.encode()) + options
        out.append(block(6, struct.pack("<IIIII", 0, time >> 32, time & 0xFFFFFFFF, len(data), len(data))
                         + data + bytes(-len(data) % 4) + options + end))
    return b"".join(out)
