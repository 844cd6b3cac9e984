/// What modules above this one have to know of a protocol beside its PDUs. A protocol lists its traits in its ``ProtocolDescription``, so that a new
/// one is not forgotten where rows are folded, filtered, redacted or compared.
public struct ProtocolTraits: OptionSet, Sendable {
  /// A bit for each trait.
  public let rawValue: UInt8

  /// Makes a set from its bits.
  @inlinable
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Its PDUs are not decoded: printers show their bytes.
  static var isOpaque: ProtocolTraits { ProtocolTraits(rawValue: 1) }
  /// Its PDUs carry packets of the Internet protocols, and also have the filter fields of these.
  static var carriesInternet: ProtocolTraits { ProtocolTraits(rawValue: 2) }
  /// Some of its PDUs have advertising data among their fields.
  static var carriesAdvertising: ProtocolTraits { ProtocolTraits(rawValue: 4) }
  /// Its PDUs are audio or other media: they are folded, and have zeros in redacted captures.
  static var isMedia: ProtocolTraits { ProtocolTraits(rawValue: 8) }
  /// Its PDUs are lines with AT commands and their results, which ``HFP`` decodes.
  static var hasCommandLines: ProtocolTraits { ProtocolTraits(rawValue: 16) }
  /// Its PDUs carry data whose protocol the registry does not have.
  static var carriesUnknownData: ProtocolTraits { ProtocolTraits(rawValue: 32) }
  /// Its PDUs do not travel between devices: the host and its controller exchange them, or they describe the capture.
  static var isLocal: ProtocolTraits { ProtocolTraits(rawValue: 64) }
}

extension ProtocolID {
  /// The protocol's PDUs are not decoded: printers show their bytes.
  public var isOpaque: Bool { traits.contains(.isOpaque) }

  /// The protocol's PDUs carry packets of the Internet protocols.
  public var carriesInternet: Bool { traits.contains(.carriesInternet) }

  /// Some of the protocol's PDUs have advertising data among their fields.
  public var carriesAdvertising: Bool { traits.contains(.carriesAdvertising) }

  /// The protocol's PDUs are audio or other media.
  public var isMedia: Bool { traits.contains(.isMedia) }

  /// The protocol's PDUs are lines with AT commands and their results, which ``HFP`` decodes.
  public var hasCommandLines: Bool { traits.contains(.hasCommandLines) }

  /// The protocol's PDUs carry data whose protocol the registry does not have: channels with an unknown PSM or service.
  public var carriesUnknownData: Bool { traits.contains(.carriesUnknownData) }

  /// The protocol's PDUs do not travel between devices: the host and its controller exchange them, or they describe the capture.
  public var isLocal: Bool { traits.contains(.isLocal) }

  private var traits: ProtocolTraits { ProtocolRegistry.traits[Int(rawValue)] }
}
