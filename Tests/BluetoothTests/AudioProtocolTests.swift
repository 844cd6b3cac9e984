import Testing

@testable import Bluetooth

/// Audio over BR/EDR: streams, their media, and remote control; records of services. Bytes are those of the specifications' examples and of real
/// traffic.
@Suite struct AudioProtocolTests {
  private func described<Description: ProtocolDescription>(
    _ protocol: Description.Type, _ text: String, _ opcode: UInt32 = 0
  ) -> (name: String, json: String, problems: [String]) {
    let bytes = hex(text)
    var context = PDUContext()
    context.opcode = opcode
    var visitor = JSONVisitor()
    Description.walk(bytes.span.bytes, context, &visitor)
    return (Description.name(of: bytes.span.bytes, context).description, visitor.json, visitor.problems)
  }

  @Test func tablesAreRight() {
    for table in [AVDTP.signals, A2DP.codecs, AVRCP.pdus, AVRCP.frames, AVRCP.rejected, SDP.records] { #expect(table.problems == []) }
    #expect(ProtocolRegistry.isOnChannels(.a2dp) && ProtocolRegistry.isOnChannels(.avrcp))
    #expect(ProtocolRegistry.envelope(.avrcp) == .avctp && ProtocolRegistry.isEnvelope(.avctp))
    #expect(ProtocolRegistry.envelope(.att) == nil && !ProtocolRegistry.isEnvelope(.att))
  }

  @Test func streamsAreConfigured() {
    let discovered = described(AVDTP.self, "02 01 14 08 08 08")
    #expect(discovered.name == "Discover Response")
    #expect(discovered.json.hasSuffix(#""in_use":false,"seid":2,"type":"sink","media_type":"audio"}]}"#), "\(discovered.json)")
    // SBC at 48 kHz, joint stereo, 16 blocks, 8 subbands, loudness, bitpool 2 to 53.
    let set = described(AVDTP.self, "40 03 04 04 01 00 07 06 00 00 11 15 02 35")
    #expect(set.name == "Set Configuration")
    #expect(set.problems == [])
    #expect(set.json.contains(#""acp_seid":1"#) && set.json.contains(#""int_seid":1"#))
    #expect(
      set.json.contains(
        #""audio_codec_type":"sbc","sbc_channel_modes":["joint stereo"],"sbc_frequencies":["48000"],"sbc_allocation_methods":["loudness"],"sbc_subbands":["8"],"sbc_block_lengths":["16"],"minimum_bitpool":2,"maximum_bitpool":53}"#
      ), "\(set.json)")
    let aptX = described(AVDTP.self, "12 02 01 00 07 09 00 ff 4f 00 00 00 01 00 f2")
    #expect(aptX.json.contains(#""aptx_channel_modes":["stereo"],"aptx_frequencies":["48000","44100","32000","16000"]"#), "\(aptX.json)")
    let aac = described(AVDTP.self, "42 02 07 08 00 02 80 01 8c 83 e8 00")
    #expect(aac.json.contains(#""aac_frequencies":["48000","44100"]"#) && aac.json.contains(#""aac_bit_rate":256000,"#), "\(aac.json)")
    #expect(described(AVDTP.self, "33 07 04 31").name == "Start Reject")
    #expect(described(AVDTP.self, "33 07 04 31").json.hasSuffix(#""acp_seid":1,"error_code":"bad state"}"#))
    #expect(described(AVDTP.self, "01 3f").name == "General Reject")
    // The fields of a start packet are decoded once the other packets' data are appended to it.
    #expect(described(AVDTP.self, "46 02 02 01 00").json.hasSuffix(#""data":"0100"}"#))
    #expect(described(AVDTP.self, "46 02 02 01 00", AVDTP.joined).json.hasSuffix(#""service_category":"media transport","length":0}]}"#))
    #expect(described(AVDTP.self, "4e 01").name == "End of a Signal")
    #expect(described(AVDTP.self, "").json == "{}")
    let stream = AVDTP.stream(hex("01 00 07 09 00 ff 2d010000 aa00 3c 04 02 0200").span.bytes, in: 0..<16)
    #expect(stream.codec == .ldac)
  }

  @Test func mediaHaveFrames() {
    // One SBC frame: 16 kHz, 4 blocks, mono, loudness, 4 subbands, bitpool 2: 4 + 2 + 1 bytes.
    #expect(A2DP.frameSize(hex("9c 00 02 00").span.bytes, 0) == 7)
    // 48 kHz, 16 blocks, joint stereo, 8 subbands, bitpool 53 (A2DP, 12.9): 4 + 8 + (8 + 16 * 53) / 8.
    #expect(A2DP.frameSize(hex("9c fd 35 00").span.bytes, 0) == 119)
    let packet = "80 60 0002 00000500 00000000 01 9c 00 02 aa 11 22 33"
    let media = described(A2DP.self, packet, A2DP.opcode(.sbc, isProtected: false))
    #expect(media.name == "SBC")
    #expect(media.problems == [])
    #expect(media.json.contains(#""sequence_number":2,"timestamp":1280"#))
    #expect(media.json.hasSuffix(#""bitpool":2,"crc_check":170,"audio_data":"112233"}]}"#), "\(media.json)")
    #expect(A2DP.sequenceNumber(hex(packet).span.bytes, 1) == 2)
    #expect(A2DP.frameCount(hex(packet).span.bytes, 1) == 1)
    #expect(described(A2DP.self, packet).json.hasPrefix(#"{"media_data":"8060"#))
    #expect(described(A2DP.self, "11 22", A2DP.opcode(.aptX, isProtected: false)).json == #"{"media_data":"1122"}"#)
    // Nothing is decoded for a codec that only its vendor knows, or without a complete RTP header of version 2.
    #expect(described(A2DP.self, packet, A2DP.opcode(.other, isProtected: false)).json.hasPrefix(#"{"media_data":"8060"#))
    #expect(A2DP.sequenceNumber(hex(packet).span.bytes, A2DP.opcode(.other, isProtected: false)) == nil)
    for packet in [
      "40 60 0002 00000500 00000000 01 9c", "81 60 0002 00000500 00000000 01 9c", "90 60 0002 00000500 00000000 0000 0001 9c", "80",
    ] {
      #expect(described(A2DP.self, packet, A2DP.opcode(.sbc, isProtected: false)).json.hasPrefix(#"{"media_data":""#), "\(packet)")
      #expect(A2DP.sequenceNumber(hex(packet).span.bytes, 1) == nil && A2DP.frameCount(hex(packet).span.bytes, 1) == nil)
    }
  }

  @Test func remoteControl() {
    let volume = described(AVRCP.self, "10 110e 00 48 00 001958 50 00 0001 40")
    #expect(volume.name == "Set Absolute Volume")
    #expect(volume.json.contains(#""volume":64"#) && volume.problems == [])
    let title = described(AVRCP.self, "12 110e 0c 48 00 001958 20 00 000e 01 00000001 006a 0005 48656c6c6f")
    #expect(title.name == "Get Element Attributes Response")
    #expect(
      title.json.hasSuffix(
        #""attributes":[{"attribute_id":"title","character_set":"utf-8","value_length":5,"attribute_value":"Hello"}]}"#), "\(title.json)")
    #expect(described(AVRCP.self, "12 110e 0a 48 00 001958 31 00 0001 01").name == "Register Notification Reject")
    #expect(described(AVRCP.self, "10 110e 00 48 7c 44 00").json.contains(#""operation_id":"play","is_released":false"#))
    #expect(described(AVRCP.self, "12 110e 09 48 7c c4 00").name == "Pass Through Response")
    let folder = described(AVRCP.self, "00 110e 71 000a 00 00000000 00000009 ff", AVRCP.browsing)
    #expect(folder.name == "Get Folder Items")
    #expect(folder.json.hasSuffix(#""scope":"media player list","start_item":0,"end_item":9,"attribute_count":255}"#), "\(folder.json)")
    // Fragmented parameters are not decoded before they are reassembled.
    let part = "12 110e 0c 48 00 001958 20 01 0003 01 0000"
    #expect(described(AVRCP.self, part).json.hasSuffix(#""data":"010000"}"#))
    #expect(described(AVRCP.self, part + "0001 006a 0001 41", AVRCP.joined).json.hasSuffix(#""attribute_value":"A"}]}"#))
    #expect(described(AVCTP.self, "13 110e").name == "Invalid Profile")
    // Invalid numbers.
    let status = "12 110e 0c 48 00 001958 30 00 0009 "
    #expect(
      described(AVRCP.self, status + "ffffffff ffffffff 00").json.contains(
        #""song_length":"not known","song_position":"not known","play_status""#))
    #expect(described(AVRCP.self, status + "fffffffe 00000005 00").json.contains(#""song_length":4294967294,"song_position":5"#))
    #expect(
      described(AVRCP.self, "12 110e 0f 48 00 001958 31 00 0005 05 ffffffff").json.hasSuffix(#""song_position":"no track selected"}"#))
    #expect(
      described(AVRCP.self, "12 110e 0f 48 00 001958 31 00 0009 02 ffffffffffffffff").json.hasSuffix(#""identifier":"no track selected"}"#))
    #expect(
      described(AVRCP.self, "12 110e 0f 48 00 001958 31 00 0009 02 0000000000000000").json.hasSuffix(#""identifier":"the selected track"}"#)
    )
  }

  @Test func recordsTellTheirService() {
    // The hands-free record of a real headset, reassembled from two responses.
    let list =
      "36 0032 36 002f 09 0001 35 06 19 111e 19 1203 09 0004 35 0c 35 03 19 0100 35 05 19 0003 08 03 09 0009 35 08 35 06 19 111e 09 0106 "
      + "09 0311 09 003b"
    let record = described(SDP.self, list, 7)
    #expect(record.name == "Attributes")
    #expect(record.problems == [])
    #expect(record.json.contains(#""service_class_id_list":["111e","1203"]"#), "\(record.json)")
    #expect(record.json.contains(#""protocol_descriptor_list":[{"protocol":"0100"},{"protocol":"0003","protocol_channel":3}]"#))
    #expect(record.json.contains(#""bluetooth_profile_descriptor_list":[{"profile":"111e","profile_version":262}]"#))
    #expect(record.json.contains(#""hfp_hands_free_features":["ec and/or nr","#))
    // The record's service is known only from the request.
    #expect(described(SDP.self, "35 08 35 06 09 0311 09 0001", 0x110B_0007).json.contains(#""a2dp_sink_features":["headphone"]"#))
    let request = described(SDP.self, "06 0001 000f 35 03 19 111e 0030 35 05 0a 0000ffff 00")
    #expect(
      request.json
        == #"{"pdu_id":6,"transaction_id":1,"parameter_length":15,"service_search_pattern":["111e"],"maximum_attribute_byte_count":48,"attribute_id_list":[{"attribute_range_from":0,"attribute_range_to":65535}],"continuation_length":0}"#
    )
    // A response with a continuation is shown as bytes.
    #expect(described(SDP.self, "07 0001 0007 0002 3603 02 0010").json.contains(#""attribute_data":"3603","continuation_length":2"#))
  }
}
