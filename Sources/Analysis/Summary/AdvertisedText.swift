import Bluetooth
import Conversations
import Memory
@_spi(Pipeline) import Profiles

/// Decodes the last advertising data of each device with matching profiles: "Windows desktop", "21.5 °C, 40 %".
///
/// Called when a summary is printed, for the devices shown, so that no work is added for each packet.
public final class AdvertisedText {
  private let engine: ProfileEngine
  private let tables: ConversationTables
  /// Most characters of the text.
  private static let maxLength = 100

  /// Decodes with `profiles`; `tables` are those at the end of the capture.
  public init(_ profiles: ProfileSet, _ tables: ConversationTables) {
    engine = ProfileEngine(profiles)
    self.tables = tables
  }

  /// What a profile decodes of a device's data.
  public struct Words: Sendable {
    /// Id and title of the profile.
    public let profile: String, title: String
    /// Its text.
    public let text: String
  }

  /// The text of the best matching profile for a device's data; nil where no profile matches.
  public func words(of device: HeardDevices.Device) -> Words? {
    let address = device.address | UInt64(device.addressType & 1) << 48
    let peer = tables.knownPeer(device.address, type: device.addressType)
    device.data.withBorrowedBytes { data in
      _ = engine.feed(advertisement: data, of: address, isNamed: peer >= 0, version: 0, frame: 0, time: device.last) {
        var facts = tables.facts(ofPeer: peer, database: -1)
        facts.address = DeviceAddress(device.address).description
        return facts
      }
    }
    for message in engine.messages where message.messageNumber >= 0 && message.kind == .message && message.isComplete && !message.hasProblem
    {
      var text: [UInt8] = []
      message.appendSentence(to: &text)
      guard !text.isEmpty else { continue }
      let whole = String(decoding: text, as: UTF8.self)
      return Words(
        profile: message.profile.id, title: message.profile.title,
        text: whole.count > Self.maxLength ? whole.prefix(Self.maxLength - 1) + "…" : whole)
    }
    return nil
  }
}

extension HeardDevices.Device {
  /// The name of the company whose identifier its manufacturer data have; nil where it has none, or is likely wrong: many devices use the identifier of
  /// another company. Where a profile decodes the data, its title has to contain the first word of the name.
  public func companyName(_ words: AdvertisedText.Words?) -> StaticName? {
    guard let name = company.flatMap({ AssignedNumbers.company($0) }) else { return nil }
    guard let words else { return name }
    let first = name.description.prefix { $0.isLetter || $0.isNumber }
    return words.title.lowercased().contains(first.lowercased()) ? name : nil
  }
}
