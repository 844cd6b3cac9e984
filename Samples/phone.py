"""The app's side of a scene: scan, connect, discover, read, write, receive notifications, on Bumble's host."""
import asyncio

import stage
from bumble.att import ATT_Error
from bumble.core import AdvertisingData
from bumble.device import ConnectionParametersPreferences, Peer
from bumble.hci import Phy


class Phone:
    def __init__(self, air, tape, seed, name="Pixel", public="00:00:5E:00:53:11", address="5E:1F:00:00:00:11", **radio):
        self.radio = stage.Radio("phone", air, public, **radio)
        self.device = stage.device(name, self.radio, address, seed)
        self.device.host.snooper = tape
        self.characteristic = {}

    async def look(self, name, least=1.2):
        """Scans for at least `least` seconds and until the name was received; returns the address."""
        found = asyncio.get_running_loop().create_future()

        def advertised(advertisement):
            said = advertisement.data.get(AdvertisingData.COMPLETE_LOCAL_NAME)
            if said == name and not found.done():
                found.set_result(advertisement.address)
        self.device.on("advertisement", advertised)
        await self.device.start_scanning(active=True, scan_interval=60, scan_window=60, filter_duplicates=False)
        await asyncio.sleep(least)
        address = await asyncio.wait_for(found, 20)
        self.device.remove_listener("advertisement", advertised)
        await self.device.stop_scanning()
        await asyncio.sleep(0.08)
        return address

    async def connect(self, address, interval=30, timeout=5000):
        wish = ConnectionParametersPreferences(connection_interval_min=interval, connection_interval_max=interval,
                                               max_latency=0, supervision_timeout=timeout)
        connection = await self.device.connect(address, connection_parameters_preferences={Phy.LE_1M: wish})
        self.peer = Peer(connection)
        return connection

    async def discover(self):
        """Services, includes, characteristics and descriptors of the peer, as a dictionary by UUID."""
        await self.peer.discover_services()
        self.characteristic = {}
        for service in self.peer.services:
            await self.peer.gatt_client.discover_included_services(service)
            await service.discover_characteristics()
            for characteristic in service.characteristics:
                await characteristic.discover_descriptors()
                self.characteristic[str(characteristic.uuid.to_hex_str("-")).lower()] = characteristic
        return self.characteristic

    async def read(self, own):
        try:
            return bytes(await self.characteristic[own].read_value())
        except ATT_Error:
            return None

    async def write(self, own, value, respond=True):
        """Whether the write was accepted."""
        try:
            await self.characteristic[own].write_value(value, with_response=respond)
            return True
        except ATT_Error:
            return False
