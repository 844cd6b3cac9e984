#!/usr/bin/env python3
"""LE Audio on Bumble's stack, from the phone's log: the left one of a pair of earbuds is paired, its capabilities are read, two streams are configured,
music plays for a second and a half, one operation is rejected, the volume is changed, a broadcast source is added, and all streams are released.
le_audio.py FILE.btsnoop"""
import asyncio
import struct
import sys

import stage
from bumble import hci
from bumble.core import AdvertisingData
from bumble.device import CigParameters
from bumble.gatt import Characteristic
from bumble.profiles import ascs, bap, bass, cap, csip, gmap, le_audio, pacs, tmap, vcs
from bumble.profiles.le_audio import Metadata
from phone import Phone

NAME, BUD = "Earbud L", "F4:3A:91:0C:AD:01"
SIRK = bytes.fromhex("cdcc72dd868ccdce22fda121097d7d45")     # the example of CSIS 1.0.1, A.2
CODE = b"Foyer 1".ljust(16, b"\0")
INTERVAL = 0.010


class Radio(stage.Radio):
    """A controller with isochronous streams: SDUs arrive an interval later, and some are lost."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.iso_data_packet_length = 251
        self.streams = {}

    def on_le_cis_established(self, cig_id, cis_id):
        link = next(one for one in [*self.central_cis_links.values(), *self.peripheral_cis_links.values()]
                    if (one.cig_id, one.cis_id) == (cig_id, cis_id))
        self.send_hci_packet(hci.HCI_LE_CIS_Established_Event(
            status=0, connection_handle=link.handle, cig_sync_delay=7_410, cis_sync_delay=7_410 - 3_705 * (cis_id - 1),
            transport_latency_c_to_p=17_410, transport_latency_p_to_c=17_410, phy_c_to_p=2, phy_p_to_c=2, nse=3, bn_c_to_p=1,
            bn_p_to_c=1 if cis_id == 1 else 0, ft_c_to_p=2, ft_p_to_c=2 if cis_id == 1 else 0, max_pdu_c_to_p=120,
            max_pdu_p_to_c=40 if cis_id == 1 else 0, iso_interval=8))

    def on_hci_packet(self, packet):
        if isinstance(packet, hci.HCI_IsoDataPacket):
            return self.send_stream(packet)
        return super().on_hci_packet(packet)

    def send_stream(self, packet):
        link = self.find_iso_link_by_handle(packet.connection_handle)
        loop = asyncio.get_running_loop()
        done = hci.HCI_Number_Of_Completed_Packets_Event(connection_handles=[packet.connection_handle], num_completed_packets=[1])
        loop.call_later(INTERVAL, self.send_hci_packet, done)
        if link is None or link.acl_connection is None:
            return
        to = self.link.find_le_controller(link.acl_connection.peer_address)
        loop.call_later(INTERVAL + 0.0004 * self.link.chance.random(), to.receive_stream, link.cig_id, link.cis_id, packet,
                        self.link.chance.random() > 0.06)

    def receive_stream(self, cig_id, cis_id, packet, heard):
        """Lost packets are delivered without data, marked as lost (Core, Vol 4, Part E, 5.4.5)."""
        link = next((one for one in [*self.central_cis_links.values(), *self.peripheral_cis_links.values()]
                     if (one.cig_id, one.cis_id) == (cig_id, cis_id)), None)
        if link is None:
            return
        # One SDU of every hundred is not delivered at all: its number is missing.
        number = self.streams[link.handle] = self.streams.get(link.handle, -1) + 1
        if number % 100 == 57:
            return
        data = packet.iso_sdu_fragment if heard else b""
        stamp = round(asyncio.get_running_loop().time() * 1_000_000) & 0xFFFFFFFF
        self.send_hci_packet(hci.HCI_IsoDataPacket(
            connection_handle=link.handle, data_total_length=8 + len(data), ts_flag=1, time_stamp=stamp, pb_flag=2,
            packet_sequence_number=number & 0xFFFF, packet_status_flag=0,
            # Bumble has one bit for the status, which has two: 2 means that the SDU was lost.
            iso_sdu_length=len(data) | (0 if heard else 0x8000), iso_sdu_fragment=data))


class Earbud:
    def __init__(self, air, seed):
        self.radio = Radio("earbud", air, "00:00:5E:00:53:AD", near=-49, first_handle=0x0050)
        self.device = stage.device(NAME, self.radio, BUD, seed)
        self.device.cis_enabled = True
        capabilities = bap.CodecSpecificCapabilities(
            supported_sampling_frequencies=bap.SupportedSamplingFrequency.from_hz([16_000, 32_000, 48_000]),
            supported_frame_durations=bap.SupportedFrameDuration.DURATION_7500_US_SUPPORTED
            | bap.SupportedFrameDuration.DURATION_10000_US_SUPPORTED | bap.SupportedFrameDuration.DURATION_10000_US_PREFERRED,
            supported_audio_channel_count=[1], min_octets_per_codec_frame=30, max_octets_per_codec_frame=155,
            supported_max_codec_frames_per_sdu=1)
        record = lambda context: pacs.PacRecord(
            coding_format=hci.CodingFormat(hci.CodecID.LC3), codec_specific_capabilities=capabilities,
            metadata=Metadata([Metadata.Entry(Metadata.Tag.PREFERRED_AUDIO_CONTEXTS, struct.pack("<H", context))]))
        media, talk = bap.ContextType.MEDIA, bap.ContextType.CONVERSATIONAL
        set_member = csip.CoordinatedSetIdentificationService(
            set_identity_resolving_key=SIRK, set_identity_resolving_key_type=csip.SirkType.PLAINTEXT, coordinated_set_size=2,
            set_member_lock=csip.MemberLock.UNLOCKED, set_member_rank=1)
        self.streams = ascs.AudioStreamControlService(self.device, sink_ase_id=[1, 2], source_ase_id=[3])
        self.volume = vcs.VolumeControlService(volume_setting=96)
        for ase in self.streams.ase_state_machines.values():
            ase.supported_presentation_delay_min, ase.supported_presentation_delay_max = 20_000, 40_000
            ase.preferred_presentation_delay_min = ase.preferred_presentation_delay_max = 40_000
            ase.preferred_phy = 2
        self.device.add_services([
            set_member, cap.CommonAudioServiceService(set_member), self.streams, self.volume, bass.BroadcastAudioScanService(),
            tmap.TelephonyAndMediaAudioService(tmap.Role.CALL_TERMINAL | tmap.Role.UNICAST_MEDIA_RECEIVER),
            gmap.GamingAudioService(gmap.GmapRole.UNICAST_GAME_TERMINAL, ugt_features=gmap.UgtFeatures.UGT_SINK),
            pacs.PublishedAudioCapabilitiesService(
                supported_source_context=talk | media, supported_sink_context=talk | media, available_source_context=talk,
                available_sink_context=talk | media, sink_pac=[record(media)], sink_audio_locations=bap.AudioLocation.FRONT_LEFT,
                source_pac=[record(talk)], source_audio_locations=bap.AudioLocation.FRONT_LEFT)])
        self.device.advertising_data = bytes(AdvertisingData([
            (AdvertisingData.FLAGS, b"\x06"), (AdvertisingData.APPEARANCE, struct.pack("<H", 0x0941)),
            (AdvertisingData.COMPLETE_LOCAL_NAME, NAME.encode())])) + bytes.fromhex("0416531801")
        self.device.scan_response_data = bytes(bap.UnicastServerAdvertisingData(
            announcement_type=bap.AnnouncementType.TARGETED, available_audio_contexts=talk | media)) \
            + set_member.get_advertising_data()


def lc3(frequency, octets, location):
    return bytes(bap.CodecSpecificConfiguration(
        sampling_frequency=bap.SamplingFrequency.from_hz(frequency), frame_duration=bap.FrameDuration.DURATION_10000_US,
        audio_channel_allocation=location, octets_per_codec_frame=octets, codec_frames_per_sdu=1))


async def run(tape):
    air = stage.Air(21, interval=0.030)
    earbud = Earbud(air, 21)
    phone = Phone.__new__(Phone)
    phone.radio = Radio("phone", air, "00:00:5E:00:53:11", first_handle=0x0040)
    phone.device = stage.device("Pixel", phone.radio, "5E:1F:00:00:00:11", 21)
    phone.device.cis_enabled = True
    phone.device.host.snooper = tape
    await earbud.device.power_on()
    await earbud.device.start_advertising(auto_restart=False)
    await phone.device.power_on()
    connection = await phone.connect(await phone.look(NAME, least=0.4))
    await connection.pair()
    await phone.peer.request_mtu(247)
    await phone.discover()
    for own in ("2bc9", "2bca", "2bcb", "2bcc", "2bcd", "2bce", "2b84", "2b85", "2b87", "2b51", "2c00", "2b7d"):
        await phone.read(own)

    service = next(one for one in phone.peer.services if one.uuid.to_hex_str() == "184E")
    for characteristic in service.characteristics:
        if characteristic.properties & Characteristic.Properties.NOTIFY:
            if characteristic.properties & Characteristic.Properties.READ:
                await characteristic.read_value()
            await characteristic.subscribe(lambda value: None)
    point = next(one for one in service.characteristics if one.uuid.to_hex_str() == "2BC6")

    async def control(operation, pause=0.15):
        await point.write_value(bytes(operation), with_response=False)
        await asyncio.sleep(pause)

    codec = hci.CodingFormat(hci.CodecID.LC3)
    left = bap.AudioLocation.FRONT_LEFT
    await control(ascs.ASE_Config_Codec(
        ase_id=[1, 3], target_latency=[3, 2], target_phy=[2, 2], codec_id=[codec, codec],
        codec_specific_configuration=[lc3(48_000, 120, left), lc3(16_000, 40, left)]))
    # Streaming needs the QoS first: an ASE without it is not enabled.
    media = Metadata([Metadata.Entry(Metadata.Tag.STREAMING_AUDIO_CONTEXTS, struct.pack("<H", bap.ContextType.MEDIA)),
                      Metadata.Entry(Metadata.Tag.CCID_LIST, b"\x07")])
    await control(ascs.ASE_Enable(ase_id=[1], metadata=[bytes(media)]))
    await control(ascs.ASE_Config_QOS(
        ase_id=[1, 3], cig_id=[1, 1], cis_id=[1, 1], sdu_interval=[10_000, 10_000], framing=[0, 0], phy=[2, 2], max_sdu=[120, 40],
        retransmission_number=[5, 2], max_transport_latency=[20, 20], presentation_delay=[40_000, 40_000]))
    talk = Metadata([Metadata.Entry(Metadata.Tag.STREAMING_AUDIO_CONTEXTS, struct.pack("<H", bap.ContextType.CONVERSATIONAL))])
    handles = await phone.device.setup_cig(CigParameters(
        cig_id=1, sdu_interval_c_to_p=10_000, sdu_interval_p_to_c=10_000, max_transport_latency_c_to_p=20,
        max_transport_latency_p_to_c=20, cis_parameters=[CigParameters.CisParameters(
            cis_id=1, max_sdu_c_to_p=120, max_sdu_p_to_c=40, rtn_c_to_p=5, rtn_p_to_c=2)]))
    await control(ascs.ASE_Enable(ase_id=[1, 3], metadata=[bytes(media), bytes(talk)]))
    stream, = await phone.device.create_cis([(handles[0], connection)])
    await asyncio.sleep(0.1)
    for direction in (stream.Direction.HOST_TO_CONTROLLER, stream.Direction.CONTROLLER_TO_HOST):
        await stream.setup_data_path(direction)
    await control(ascs.ASE_Receiver_Start_Ready(ase_id=[3]))
    far = next(iter(earbud.device.cis_links.values()))
    for number in range(150):
        stream.write(bytes((number, 0)) + air.chance.randbytes(118))
        if number % 2 == 0 or number > 40:
            far.write(bytes((number, 1)) + air.chance.randbytes(38))
        await asyncio.sleep(INTERVAL)
        if number == 60:
            volume = (await phone.read("2b7d"))[2]
            await phone.write("2b7e", bytes([vcs.VolumeControlPointOpcode.SET_ABSOLUTE_VOLUME, volume, 140]))
    await control(ascs.ASE_Update_Metadata(ase_id=[1], metadata=[bytes(talk)]))
    await control(ascs.ASE_Disable(ase_id=[3]))
    await control(ascs.ASE_Receiver_Stop_Ready(ase_id=[3]))
    await control(ascs.ASE_Release(ase_id=[1, 3]), 0.3)
    await stream.disconnect()
    await asyncio.sleep(0.1)
    await phone.device.send_sync_command(hci.HCI_LE_Remove_CIG_Command(cig_id=1))
    # The earbud is to receive a broadcast instead.
    await phone.write("2bc7", bytes(bass.RemoteScanStartedOperation()), respond=False)
    await phone.write("2bc7", bytes(bass.AddSourceOperation(
        hci.Address("C4:2B:7A:10:55:01"), 1, 0x3C5A11, bass.PeriodicAdvertisingSyncParams.SYNCHRONIZE_TO_PA_PAST_NOT_AVAILABLE, 0xFFFF,
        [bass.SubgroupInfo(1, b"")])), respond=False)
    await phone.write("2bc7", bytes(bass.SetBroadcastCodeOperation(1, CODE)), respond=False)
    await asyncio.sleep(0.1)
    await connection.disconnect()
    await asyncio.sleep(0.2)


def make():
    """Returns the phone's log."""
    tape = stage.Tape()
    stage.play(run(tape), 521)
    return tape.packets


if __name__ == "__main__":
    open(sys.argv[1], "wb").write(stage.btsnoop(make()))
