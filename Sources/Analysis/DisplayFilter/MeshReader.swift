import Bluetooth
import Captures
import Conversations
import Keys
import Memory
@_spi(Pipeline) import Profiles

/// Decodes the Bluetooth Mesh PDUs of each packet for display filters: the PDUs in the packet, and messages whose last segment it contains.
final class MeshReader {
  /// A mesh PDU or message of the current packet.
  struct Part {
    let kind: MeshNetwork.Kind
    let code: UInt32
    let bytes: PDUBytes
    let frames: [Int]
  }

  private(set) var parts: [Part] = []
  private let network: MeshNetwork
  private var arena = Arena()
  private var taken: [MeshNetwork.Part] = []

  init(_ keys: MeshKeys) { network = MeshNetwork(keys) }

  /// Advertising data of mesh: messages, beacons and PB-ADV.
  private static let structures: [(type: UInt32, location: FieldLocation)] = [0x29, 0x2A, 0x2B].map { (type: UInt32) in
    var location = FieldLocation()
    (location.kind, location.source, location.codes) = (.part, .advertisingData, FilterFields.immortal([type]))
    return (type, location)
  }

  /// Takes the current packet of an evaluator. Packets have to come in capture order.
  func read(_ packet: FilterEvaluator) {
    if !parts.isEmpty {
      parts.removeAll(keepingCapacity: true)
      arena.reset()
    }
    let frame = packet.record.frame
    for row in packet.rows {
      switch row.layer {
      case _ where row.layer.carriesAdvertising:
        for (type, location) in Self.structures {
          var visitor = FilterPartVisitor(location: location, pdu: row.pdu)
          Dissection.walk(row, &visitor)
          for part in visitor.parts {
            let bytes = Array(part)
            switch type {
            case 0x29: network.take(bearer: bytes, frame: frame, &taken)
            case 0x2A: network.take(network: bytes, frame: frame, &taken)
            default: network.take(beacon: bytes, &taken)
            }
          }
        }
      case .att:
        guard row.flags.contains(.hasValue), let type = packet.valueType(of: row)?.short16, 0x2ADB...0x2ADE ~= type else { continue }
        let stream = UInt64(UInt32(bitPattern: row.connection)) << 16 | UInt64(type)
        network.take(proxy: Array(row.value), stream: stream, frame: frame, &taken)
      default: break
      }
    }
    for part in taken {
      let bytes = part.bytes.withBorrowedBytes { arena.copy($0) }
      parts.append(Part(kind: part.kind, code: part.code, bytes: bytes, frames: part.frames))
    }
    taken.removeAll(keepingCapacity: true)
  }
}

extension MeshKeys {
  /// The keys that were given for the profile of mesh networks.
  init(_ profiles: ProfileSet?) {
    func keys(_ name: String) -> [[UInt8]] { profiles?.keys.keys(of: "mesh-proxy", name) ?? [] }
    self.init(
      networks: keys("network"), applications: keys("application"), devices: keys("device"),
      indices: keys("iv_index").map { $0.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } })
  }
}

extension FilterSource {
  /// The kind of parts, if the source is one of ``MeshReader``'s.
  var kindOfMesh: MeshNetwork.Kind? {
    switch self {
    case .meshNetwork: .network
    case .meshConfiguration: .configuration
    case .meshTransport: .transport
    case .meshControl: .control
    case .meshMessage: .access
    case .meshProvisioning: .provisioning
    case .meshBeacon: .beacon
    case .meshJoinedAccess: .joinedAccess
    case .meshJoinedControl: .joinedControl
    case .meshJoinedBearer: .joinedBearer
    case .meshJoinedProxy: .joinedProxy
    default: nil
    }
  }
}

extension FilterEvaluator {
  /// Reads the values of a field at one of its locations in the parts of a packet.
  func read(_ mesh: MeshReader, _ location: FieldLocation, _ field: FilterField, _ values: inout ContiguousArray<FilterValue>) {
    let kind = location.source.kindOfMesh
    for part in mesh.parts where part.kind == kind && location.has(part.code) {
      if location.kind == .named {
        walk(part.bytes, location, field, &values) { Mesh.walkMessage(part.bytes.span, part.code, &$0) }
      } else if location.conditions.allSatisfy({ $0.holds(part.bytes) }) {
        takeAll(part.bytes, location, field, &values)
      }
    }
  }

  fileprivate func parts(_ kind: MeshNetwork.Kind) -> [MeshReader.Part] { mesh?.parts.filter { $0.kind == kind } ?? [] }

  /// The packets with the segments of a message.
  fileprivate func frames(_ kind: MeshNetwork.Kind, _ values: inout ContiguousArray<FilterValue>) {
    for part in parts(kind) { for frame in part.frames { values.append(FilterValue(Int128(frame))) } }
  }

  fileprivate func counts(_ kind: MeshNetwork.Kind, _ values: inout ContiguousArray<FilterValue>) {
    for part in parts(kind) { values.append(FilterValue(Int128(part.frames.count))) }
  }

  fileprivate func lengths(_ kind: MeshNetwork.Kind, _ values: inout ContiguousArray<FilterValue>) {
    for part in parts(kind) { values.append(FilterValue(Int128(part.bytes.count))) }
  }
}

/// Fields of Bluetooth Mesh that no layout describes: reassembly (`*.fragment`), and payloads that are not decoded.
extension FilterRow {
  static let mesh: [FilterRow] = [
    FilterRow("btmesh.segmented.access.fragment") { $0.frames(.joinedAccess, &$1) },
    FilterRow("btmesh.segmented.access.fragment.count") { $0.counts(.joinedAccess, &$1) },
    FilterRow("btmesh.segmented.access.reassembled.length") { $0.lengths(.joinedAccess, &$1) },
    FilterRow("btmesh.segmented.control.fragment") { $0.frames(.joinedControl, &$1) },
    FilterRow("btmesh.segmented.control.fragment.count") { $0.counts(.joinedControl, &$1) },
    FilterRow("btmesh.segmented.control.reassembled.length") { $0.lengths(.joinedControl, &$1) },
    FilterRow("pbadv.gen_prov.gpp.fragment") { $0.frames(.joinedBearer, &$1) },
    FilterRow("pbadv.gen_prov.gpp.fragment.count") { $0.counts(.joinedBearer, &$1) },
    FilterRow("pbadv.gen_prov.gpp.reassembled.length") { $0.lengths(.joinedBearer, &$1) },
    FilterRow("btmproxy.fragment") { $0.frames(.joinedProxy, &$1) },
    FilterRow("btmproxy.fragment.count") { $0.counts(.joinedProxy, &$1) },
    FilterRow("btmproxy.reassembled.length") { $0.lengths(.joinedProxy, &$1) },
    FilterRow("btmproxy.control.list_item") { packet, values in
      for part in packet.parts(.configuration) where part.code == 1 {
        guard let operation = part.bytes.u8(9), 1...2 ~= operation & 0x3F else { continue }
        for at in stride(from: 10, through: part.bytes.count - 10, by: 2) {
          if let item = part.bytes.u16be(at) { values.append(FilterValue(Int128(item))) }
        }
      }
    },
    sensor("btmesh.model.sensor_status.mpid.format") { $0.isLong ? 1 : 0 },
    sensor("btmesh.model.sensor_status.mpid.format_a.length") { $0.isLong ? nil : $0.length },
    sensor("btmesh.model.sensor_status.mpid.format_a.property_id") { $0.isLong ? nil : $0.property.map { Int($0) } },
    sensor("btmesh.model.sensor_status.mpid.format_b.length") { $0.isLong ? $0.length : nil },
    sensor("btmesh.model.sensor_status.mpid.format_b.property_id") { $0.isLong ? $0.property.map { Int($0) } : nil },
    FilterRow("btmesh.cntr.unknownpayload") { packet, values in
      for part in packet.parts(.control) where part.code > 10 && part.bytes.count > 0 { packet.append(part.bytes, &values) }
    },
    FilterRow("btmesh.not_decoded_yet") { packet, values in
      for part in packet.parts(.control) where part.code > 10 && part.bytes.count > 0 || 7...8 ~= part.code && part.bytes.count > 1 {
        unsafe values.append(FilterValue(nil, 0))
      }
    },
    FilterRow("btmesh.model.parameters") { packet, values in
      for part in packet.parts(.access) where Mesh.messages[part.code] == nil {
        let parameters = part.bytes.from(part.code < 0x80 ? 1 : part.code > 0xFFFF ? 3 : 2)
        if parameters.count > 0 { packet.append(parameters, &values) }
      }
    },
    FilterRow("btmesh.unknown_payload") { packet, values in
      for part in packet.parts(.access) where Mesh.messages[part.code] != nil {
        var surplus = SurplusVisitor()
        Mesh.walkMessage(part.bytes.span, part.code, &surplus)
        if surplus.isThere { unsafe values.append(FilterValue(nil, 0)) }
      }
    },
  ]
}

extension FilterRow {
  /// A field of the property headers in a Sensor Status.
  fileprivate static func sensor(_ line: StaticString, _ value: @escaping @Sendable (Mesh.SensorHead) -> Int?) -> FilterRow {
    FilterRow(line) { packet, values in
      for part in packet.parts(.access) where part.code == 0x52 {
        let bytes = part.bytes.span
        var at = 1
        while let head = Mesh.SensorHead(bytes, at) {
          if let number = value(head) { values.append(FilterValue(Int128(number))) }
          at += (head.isLong ? 3 : 2) + head.valueLength
        }
      }
    }
  }

  /// A byte range of the messages with an opcode that have a sensor's values.
  fileprivate static func sensorPart(_ line: StaticString, _ code: UInt32, _ kind: Mesh.SensorPart) -> FilterRow {
    FilterRow(line) { packet, values in
      for part in packet.parts(.access) where part.code == code {
        Mesh.walkSensorMessage(part.bytes.span, code) { found, range in
          guard found == kind else { return }
          if kind == .interval {
            values.append(FilterValue(Int128(part.bytes.u8(range.lowerBound) ?? 0)))
          } else {
            packet.append(part.bytes.slice(range.lowerBound, range.count), &values)
          }
        } number: { _, _ in
        }
      }
    }
  }

  /// The numbers of a characteristic in sensor values.
  fileprivate static func property(_ line: StaticString, _ kind: Mesh.Characteristic) -> FilterRow {
    FilterRow(line) { packet, values in
      for part in packet.parts(.access) {
        Mesh.walkSensorMessage(part.bytes.span, part.code) { _, _ in
        } number: { found, range in
          guard found == kind else { return }
          var bits: UInt64 = 0
          for at in range.reversed() { bits = bits << 8 | UInt64(part.bytes.u8(at) ?? 0) }
          switch kind {
          case .coefficient:
            // In billionths, like all numbers with decimals.
            let number = Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
            if number.isFinite, abs(number) < 1e18 { values.append(FilterValue(Int128((number * 1e9).rounded()))) }
          case .temperature, .temperature8: values.append(FilterValue(FilterEvaluator.signed(bits, range.count)))
          default: values.append(FilterValue(Int128(bits)))
          }
        }
      }
    }
  }

  /// Values of sensors, and the numbers in them (Mesh Model, 4.2.5 to 4.2.16).
  static let meshSensors: [FilterRow] = [
    sensorPart("btmesh.model.sensor_status.raw_value", 0x52, .value),
    sensorPart("btmesh.model.sensor_column_status.raw_value_a", 0x53, .start),
    sensorPart("btmesh.model.sensor_column_status.raw_value_b", 0x53, .width),
    sensorPart("btmesh.model.sensor_column_status.raw_value_c", 0x53, .height),
    sensorPart("btmesh.model.sensor_series_status.raw_value_a", 0x54, .start),
    sensorPart("btmesh.model.sensor_series_status.raw_value_b", 0x54, .width),
    sensorPart("btmesh.model.sensor_series_status.raw_value_c", 0x54, .height),
    sensorPart("btmesh.model.sensor_cadence_set.status_trigger_delta_down", 0x55, .deltaDown),
    sensorPart("btmesh.model.sensor_cadence_set.status_trigger_delta_up", 0x55, .deltaUp),
    sensorPart("btmesh.model.sensor_cadence_set.status_min_interval", 0x55, .interval),
    sensorPart("btmesh.model.sensor_cadence_set.fast_cadence_low", 0x55, .fastLow),
    sensorPart("btmesh.model.sensor_cadence_set.fast_cadence_high", 0x55, .fastHigh),
    sensorPart("btmesh.model.sensor_cadence_set.remainder_not_dissected", 0x55, .remainder),
    sensorPart("btmesh.model.sensor_cadence_set_unacknowledged.status_trigger_delta_down", 0x56, .deltaDown),
    sensorPart("btmesh.model.sensor_cadence_set_unacknowledged.status_trigger_delta_up", 0x56, .deltaUp),
    sensorPart("btmesh.model.sensor_cadence_set_unacknowledged.status_min_interval", 0x56, .interval),
    sensorPart("btmesh.model.sensor_cadence_set_unacknowledged.fast_cadence_low", 0x56, .fastLow),
    sensorPart("btmesh.model.sensor_cadence_set_unacknowledged.fast_cadence_high", 0x56, .fastHigh),
    sensorPart("btmesh.model.sensor_cadence_set_unacknowledged.remainder_not_dissected", 0x56, .remainder),
    sensorPart("btmesh.model.sensor_cadence_status.status_trigger_delta_down", 0x57, .deltaDown),
    sensorPart("btmesh.model.sensor_cadence_status.status_trigger_delta_up", 0x57, .deltaUp),
    sensorPart("btmesh.model.sensor_cadence_status.status_min_interval", 0x57, .interval),
    sensorPart("btmesh.model.sensor_cadence_status.fast_cadence_low", 0x57, .fastLow),
    sensorPart("btmesh.model.sensor_cadence_status.fast_cadence_high", 0x57, .fastHigh),
    sensorPart("btmesh.model.sensor_cadence_status.remainder_not_dissected", 0x57, .remainder),
    property("btmesh.property.boolean", .boolean),
    property("btmesh.property.coefficient", .coefficient),
    property("btmesh.property.count_16", .count16),
    property("btmesh.property.electric_current", .electricCurrent),
    property("btmesh.property.energy", .energy),
    property("btmesh.property.generic_level", .genericLevel),
    property("btmesh.property.illuminance", .illuminance),
    property("btmesh.property.index", .index),
    property("btmesh.property.perceived_lightness", .perceivedLightness),
    property("btmesh.property.percentage_8", .percentage8),
    property("btmesh.property.percentage_change_16", .percentageChange16),
    property("btmesh.property.temperature", .temperature),
    property("btmesh.property.temperature_8", .temperature8),
    property("btmesh.property.time_decihour_8", .timeDecihour8),
    property("btmesh.property.time_millisecond_24", .timeMillisecond24),
    property("btmesh.property.time_second_16", .timeSecond16),
  ]
}

/// Finds bytes after the last field of a layout, or after the last complete element of its list.
private struct SurplusVisitor: FieldVisitor {
  private(set) var isThere = false
  private var lists = 0

  mutating func field(_ field: Field, _ value: FieldValue, at range: Range<Int>, in bytes: RawSpan) {}
  mutating func beginArray(_ field: Field, at offset: Int) { lists += 1 }
  mutating func endArray(_ field: Field, at range: Range<Int>) { lists -= 1 }
  mutating func problem(_ problem: FieldProblem) {
    switch problem {
    case .surplus: isThere = true
    case .short(let field, _, _, let available): isThere = isThere || lists > 0 && field.width > 0 && available > 0
    case .outOfRange: break
    }
  }
}
