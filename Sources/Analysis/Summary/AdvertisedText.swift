import Bluetooth
import Conversations
import Memory
@_spi(Pipeline) import Profiles

/// Decodes the last advertising data of each device with matching profiles: "Windows desktop", "21.5 °C, 40 %".
///
/// Called when a summary is printed, for the devices shown, so that no work is added for each packet.
public final class AdvertisedText {
  private let engine: ProfileEngine
  private let tables: Tables
  /// Most characters of the text.
  private static let maxLength = 100

  /// Decodes with `profiles`; `tables` are those at the end of the capture.
  public init(_ profiles: ProfileSet, _ tables: Tables) {
    engine = ProfileEngine(profiles)
    self.tables = tables
  }

  /// The id of the best matching profile for a device's data, and its text; nil where no profile matches.
  public func words(of device: HeardDevices.Device) -> (profile: String, text: String)? {
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
      return (message.profile.id, whole.count > Self.maxLength ? whole.prefix(Self.maxLength - 1) + "…" : whole)
    }
    return nil
  }
}
