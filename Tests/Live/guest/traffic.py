"""The virtual machine's traffic. It creates /run/ready when it is ready, starts when /run/go exists, and creates /run/done at its end.

replay FILE [RATE]      every packet of a btsnoop file (H4), in both directions, RATE packets a second (400)
gatt                    the camera of Samples/ and a phone, both on Bumble; the phone's HCI goes through the kernel
flood COUNT [RATE]      notifications as fast as the kernel accepts them, or RATE a second
unplug COUNT RATE       like flood, but the adapter is removed after COUNT packets, and another one is added
host                    the camera for the kernel's own host, which BlueZ controls
idle                    one adapter without traffic"""
import asyncio
import os
import select
import struct
import sys
import time

import hci


def say(*words):
    print(f"{time.time():.3f}", *words, flush=True)


def mark(name):
    with open(f"/run/{name}", "w"):
        pass


def wait_for_go():
    while not os.path.exists("/run/go"):
        time.sleep(0.02)


def empty(adapter):
    """Reads all waiting packets at both ends, so that no buffer fills."""
    while select.select([adapter.controller], [], [], 0)[0]:
        os.read(adapter.controller, 4096)
    while select.select([adapter.host], [], [], 0)[0]:
        adapter.host.recv(4096)


def records(path):
    """(received, H4 packet) of a btsnoop file."""
    with open(path, "rb") as file:
        data = file.read()
    at = 16
    while at + 24 <= len(data):
        _, size, flags, _, _ = struct.unpack_from(">IIIIq", data, at)
        yield flags & 1, data[at + 24:at + 24 + size]
        at += 24 + size


def replay(path="/setup/gopro.btsnoop", rate="400"):
    adapter = hci.Adapter()
    mark("ready")
    wait_for_go()
    started, count = time.time(), 0
    for received, packet in records(path):
        time.sleep(max(0.0, started + count / float(rate) - time.time()))
        if received:
            os.write(adapter.controller, packet)
        else:
            adapter.host.send(packet)
            os.read(adapter.controller, 4096)                 # wait until it was sent before the next one arrives
        count += 1
        if count % 32 == 0:
            empty(adapter)
    empty(adapter)
    say(f"replayed {count} packets in {time.time() - started:.2f} s")
    mark("done")
    time.sleep(3600)


def notification(number, size=20):
    att = b"\x1b\x39\x00" + struct.pack(">I", number) + bytes(size - 4)
    l2cap = struct.pack("<HH", len(att), 4) + att
    return b"\x02" + struct.pack("<HH", 0x2040, len(l2cap)) + l2cap


def connected():
    """LE Connection Complete: handle 0x0040, as central, to C0:FF:EE:00:00:01, 30 ms, 5 s."""
    return b"\x04\x3e\x13\x01\x00" + struct.pack("<HBB", 0x40, 0, 0) + bytes.fromhex("010000eeffc0") + struct.pack("<HHHB", 24, 0, 500, 0)


def pour(adapter, count, rate):
    os.write(adapter.controller, connected())
    started = time.time()
    for number in range(count):
        if rate:
            time.sleep(max(0.0, started + number / rate - time.time()))
        os.write(adapter.controller, notification(number))
        if number % 64 == 0:
            empty(adapter)
    empty(adapter)
    return time.time() - started


def flood(count="20000", rate="0"):
    adapter = hci.Adapter()
    mark("ready")
    wait_for_go()
    took = pour(adapter, int(count), float(rate))
    say(f"{count} notifications in {took:.2f} s, {int(count) / took:.0f} a second")
    mark("done")
    time.sleep(3600)


def unplug(count="2000", rate="400"):
    adapter = hci.Adapter()
    mark("ready")
    wait_for_go()
    pour(adapter, int(count), float(rate))
    adapter.unplug()
    time.sleep(0.5)
    other = hci.Adapter()
    pour(other, int(count) // 2, float(rate))
    say(f"hci{adapter.index} pulled out after {count}, hci{other.index} came")
    mark("done")
    time.sleep(3600)


def idle():
    adapter = hci.Adapter()
    mark("ready")
    say(f"hci{adapter.index} is silent")
    time.sleep(3600)


class End:
    """One end of the adapter for Bumble: a file descriptor that delivers packets to a sink and accepts packets."""

    def __init__(self, fd):
        self.fd = fd

    def set_packet_sink(self, sink):
        asyncio.get_running_loop().add_reader(self.fd, lambda: sink.on_packet(os.read(self.fd, 4096)))

    def on_packet(self, packet):
        os.write(self.fd, packet)


async def session(adapter):
    import camera
    from bumble.host import Host

    made = camera.App.__init__

    def through_the_kernel(app, *arguments, **options):
        """Connects the phone's radio to the controller side of the adapter, and its host to the other side."""
        made(app, *arguments, **options)
        app.device.host = Host(End(adapter.host.fileno()), End(adapter.host.fileno()))
        End(adapter.controller).set_packet_sink(app.radio)
        app.radio.host = End(adapter.controller)
    camera.App.__init__ = through_the_kernel
    say("the play begins")
    await camera.afternoon(None)


def gatt():
    adapter = hci.Adapter()
    started = time.time()
    import camera                                             # takes long in this machine: imported before anything waits for it
    say(f"Bumble imported in {time.time() - started:.1f} s")
    assert camera
    mark("ready")
    wait_for_go()
    asyncio.run(session(adapter))
    say(f"the play took {time.time() - started:.1f} s")
    mark("done")
    time.sleep(3600)


async def beside():
    import camera
    import stage

    air = stage.Air(1)
    adapter = hci.Adapter(is_raw=False)
    radio = stage.Radio("host", air, "00:00:5E:00:53:11")
    End(adapter.controller).set_packet_sink(radio)
    radio.host = End(adapter.controller)
    await camera.Camera(air, 1).start()
    say(f"hci{adapter.index} is the kernel's")
    mark("ready")
    await asyncio.sleep(3600)


def host():
    asyncio.run(beside())


{f.__name__: f for f in (replay, gatt, flood, unplug, host, idle)}[sys.argv[1]](*sys.argv[2:])
