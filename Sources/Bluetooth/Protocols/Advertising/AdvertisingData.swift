import PacketCodecs

/// Advertising, scan response and extended inquiry response data (Core, Vol 3, Part C, 11; Core Supplement, Part A).
public enum AdvertisingData {
  /// The type of a structure; unknown types are kept as numbers.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    /// The type byte.
    public let rawValue: UInt8
    /// Makes a type from its byte.
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Its name in the assigned numbers, or nil.
    public var name: StaticName? { AdvertisingData.structures.name(UInt32(rawValue)) }
  }

  /// A structure: its type, and the range of its data.
  public struct Structure: Sendable {
    /// The type.
    public let kind: Kind
    /// The range of its data (after the type byte), limited to the bytes present.
    public let data: Range<Int>
    /// The structure is truncated.
    public let isCut: Bool

    @inlinable
    init(kind: Kind, data: Range<Int>, isCut: Bool) {
      self.kind = kind
      self.data = data
      self.isCut = isCut
    }
  }

  /// Goes through the structures in a part of `bytes`, without copying. A length of zero ends them early (the rest is padding).
  public struct Cursor: Sendable {
    /// Offset of the next structure.
    public var at: Int
    /// Offset at which the data ends.
    public let end: Int

    /// Goes through `range`, which is limited to the end of the bytes.
    @inlinable
    public init(_ range: Range<Int>, in bytes: RawSpan) {
      at = min(max(range.lowerBound, 0), bytes.byteCount)
      end = max(at, min(range.upperBound, bytes.byteCount))
    }

    /// The next structure, or nil at the end.
    @inlinable
    public mutating func next(_ bytes: RawSpan) -> Structure? {
      guard at < end, end <= bytes.byteCount else { return nil }
      let length = Int(bytes.byte(at))
      guard length > 0, at &+ 1 < end else { return nil }
      let kind = Kind(rawValue: bytes.byte(at &+ 1))
      let stop = at &+ 1 &+ length
      let data = (at &+ 2)..<min(stop, end)
      at = min(stop, end)
      return Structure(kind: kind, data: data, isCut: stop > end)
    }
  }

  /// Reports the structures in a part of `bytes` to `visitor`, as an array of objects with the name of `field`.
  @inlinable
  public static func walk<Visitor: FieldVisitor>(
    _ bytes: RawSpan, in range: Range<Int>, as field: Field, _ visitor: inout Visitor
  ) {
    var cursor = Cursor(range, in: bytes)
    let start = cursor.at
    visitor.beginArray(field, at: start)
    while cursor.at < cursor.end {
      let at = cursor.at
      guard let structure = cursor.next(bytes) else { break }
      visitor.beginObject(field, at: at)
      head.walk(bytes, in: at..<(at &+ 2), &visitor)
      let row = structures[UInt32(structure.kind.rawValue)]
      (row?.parameters ?? structures.unknown).walk(bytes, in: structure.data, &visitor)
      if structure.isCut {
        let needed = Int(bytes.byte(at)) &+ 1
        visitor.problem(.short(field, offset: at, needed: needed, available: cursor.at &- at))
      }
      visitor.endObject(field, at: at..<cursor.at)
    }
    // Remaining zeros are padding (Part C, 11); other bytes are surplus.
    var rest = cursor.at
    while rest < cursor.end, bytes.byte(rest) == 0 { rest &+= 1 }
    visitor.endArray(field, at: start..<cursor.end)
    if rest < cursor.end { visitor.problem(.surplus(cursor.at..<cursor.end)) }
  }

  /// All structures by type; their layouts start after the type byte.
  public static let structures = PDUTable(text)
  /// Length and type of a structure.
  @usableFromInline static let head = structures.layout("head")

  static let text: StaticString = """
    @unknown
      data:b*
    @head
      length:u8 type:x8{ad-type}

    0x01 Flags
      flags:x8{ad-flags} ?+1(more_flags:b*)
    0x02 Incomplete List of 16-bit Service or Service Class UUIDs
      service_uuids[*]:uuid16
    0x03 Complete List of 16-bit Service or Service Class UUIDs
      service_uuids[*]:uuid16
    0x04 Incomplete List of 32-bit Service or Service Class UUIDs
      service_uuids[*]:uuid32
    0x05 Complete List of 32-bit Service or Service Class UUIDs
      service_uuids[*]:uuid32
    0x06 Incomplete List of 128-bit Service or Service Class UUIDs
      service_uuids[*]:uuid128
    0x07 Complete List of 128-bit Service or Service Class UUIDs
      service_uuids[*]:uuid128
    0x08 Shortened Local Name
      local_name:text*
    0x09 Complete Local Name
      local_name:text*
    0x0a Tx Power Level
      tx_power_level:i8*dBm
    0x0d Class of Device
      class_of_device:x24
    0x0e Simple Pairing Hash C-192
      simple_pairing_hash:b16!
    0x0f Simple Pairing Randomizer R-192
      simple_pairing_randomizer:b16!
    # Extended inquiry responses have a device identification here, out-of-band data a key.
    0x10 Device ID or Security Manager TK Value
      ?=16(security_manager_tk_value:b16!) ?=8(vendor_id_source:x16{id-source} vendor_id:x16 product_id:x16 version:x16)
    0x11 Security Manager Out of Band Flags
      security_manager_oob_flags:x8{oob-flags}
    0x12 Peripheral Connection Interval Range
      connection_interval_min:u16{any-interval}*1.25ms connection_interval_max:u16{any-interval}*1.25ms
    0x14 List of 16-bit Service Solicitation UUIDs
      service_uuids[*]:uuid16
    0x15 List of 128-bit Service Solicitation UUIDs
      service_uuids[*]:uuid128
    0x16 Service Data - 16-bit UUID
      service_uuid:uuid16 service_data:b*
    0x17 Public Target Address
      target_addresses[*]:addr
    0x18 Random Target Address
      target_addresses[*]:raddr
    0x19 Appearance
      appearance:x16{appearance}
    0x1a Advertising Interval
      advertising_interval:u16*0.625ms
    0x1b LE Bluetooth Device Address
      le_bluetooth_device_address:uaddr :bits8(address_type:1{address-type} -:7)
    0x1c LE Role
      le_role:u8{le-role}
    0x1d Simple Pairing Hash C-256
      simple_pairing_hash:b16!
    0x1e Simple Pairing Randomizer R-256
      simple_pairing_randomizer:b16!
    0x1f List of 32-bit Service Solicitation UUIDs
      service_uuids[*]:uuid32
    0x20 Service Data - 32-bit UUID
      service_uuid:uuid32 service_data:b*
    0x21 Service Data - 128-bit UUID
      service_uuid:uuid128 service_data:b*
    0x22 LE Secure Connections Confirmation Value
      confirmation_value:b16!
    0x23 LE Secure Connections Random Value
      random_value:b16!
    0x24 URI
      uri_scheme:x8{uri-scheme} ?uri_scheme>=0xc0(uri_scheme_continuation:x8) uri:text*
    0x25 Indoor Positioning
      configuration:x8 data:b*
    0x26 Transport Discovery Data
      transports[*]:(organization_id:u8{organization} tds_flags:x8 transport_data_length:u8 transport_data:b(transport_data_length))
    0x27 LE Supported Features
      le_features:b*
    0x28 Channel Map Update Indication
      channel_map:b5 instant:u16
    # Mesh Protocol, 5.2.1 and 5.3. The last segment's number, a segment's number or the opcode of the bearer's control.
    0x29 PB-ADV
      link_id:x32be transaction_number:u8 :bits8(gpcf:2{mesh-gpcf} gpcf_parameter:6)
      ?gpcf==0(total_length:u16be fcs:x8 provisioning_data:b*)
      ?gpcf==2(provisioning_data:b*)
      ?gpcf==3(?gpcf_parameter==0(device_uuid:b16) ?gpcf_parameter==2(reason:u8{mesh-link-close}))
      ?+1(data:b*)
    # 3.4.4
    0x2a Mesh Message
      :bits8(nid:7 ivi:1) obfuscated:b6 encrypted:b*
    # 3.10
    0x2b Mesh Beacon
      beacon_type:u8{mesh-beacon}
      ?beacon_type==0(device_uuid:b16 oob_information:x16be{mesh-oob} ?+4(uri_hash:b4))
      ?beacon_type==1(flags:x8{mesh-beacon-flags} network_id:b8 iv_index:u32be authentication_value:b8)
      ?beacon_type==2(random:b13 obfuscated_private_beacon_data:b5 authentication_tag:b8)
      ?+1(beacon_data:b*)
    0x2c BIGInfo
      biginfo:b*
    0x2d Broadcast_Code
      broadcast_code:b16!
    0x2e Resolvable Set Identifier
      hash:x24 prand:x24
    0x2f Advertising Interval - long
      ?=4(advertising_interval:u32*0.625ms) ?=3(advertising_interval:u24*0.625ms)
    0x30 Broadcast_Name
      broadcast_name:text*
    0x31 Encrypted Advertising Data
      randomizer:b5 payload:b(*-4) mic:b4
    0x32 Periodic Advertising Response Timing Information
      rsp_aa:x32 num_subevents:u8 subevent_interval:u8*1.25ms response_slot_delay:u8*1.25ms response_slot_spacing:u8*0.125ms
    0x34 Electronic Shelf Label
      esl_payload:b*
    0x3d 3D Information Data
      data:b*
    0xff Manufacturer Specific Data
      company_identifier:x16{company} data:b*
    """

  static let enumerationText: StaticString = """
    flags ad-flags
      0 le limited discoverable mode
      1 le general discoverable mode
      2 br/edr not supported
      3 simultaneous le and br/edr to same device capable (controller)
      4 simultaneous le and br/edr to same device capable (host)
    flags oob-flags
      0 oob data present
      1 le supported (host)
      2 simultaneous le and br/edr to same device capable (host)
      3 random address
    enum id-source
      1 bluetooth sig
      2 usb implementer's forum
    enum le-role
      0 only peripheral role supported
      1 only central role supported
      2 peripheral role preferred
      3 central role preferred
    enum uri-scheme
      0x01 none
      0x02 aaa:
      0x04 about:
      0x0b content:
      0x10 data:
      0x14 file:
      0x15 ftp:
      0x16 http:
      0x17 https:
      0x1d ipp:
      0x2f mailto:
      0x48 sip:
      0x49 sips:
      0x4b sms:
      0x55 tel:
      0x59 urn:
      0x5b ws:
      0x5c wss:
    enum organization
      1 bluetooth sig
      2 wi-fi alliance neighbor awareness networking
      3 wi-fi alliance service advertisement
    enum mesh-beacon
      0 unprovisioned device
      1 secure network
      2 mesh private
    enum mesh-gpcf
      0 transaction start
      1 transaction acknowledgment
      2 transaction continuation
      3 bearer control
    enum mesh-link-close
      0 success
      1 timeout
      2 fail
    flags mesh-oob
      0 other
      1 electronic or uri
      2 2d machine-readable code
      3 bar code
      4 near field communication
      5 number
      6 string
      7 certificate
      8 provisioning records
      11 on box
      12 inside box
      13 on piece of paper
      14 inside manual
      15 on device
    flags mesh-beacon-flags
      0 key refresh
      1 iv update
    """
}
