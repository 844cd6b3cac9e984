import Memory
import Foundation
import Text
import TestSupport

@_spi(Pipeline) @testable import Profiles

/// Vectors beside the package, which are not part of it.
enum Shared {
  /// The folder of the vectors, if it exists.
  static let vectors = SharedFolder.path("vectors")

  /// The lines of a file of vectors, parsed.
  static func lines(_ name: String) throws -> [FieldTree] {
    let text = try String(contentsOfFile: (vectors ?? "") + "/" + name, encoding: .utf8)
    return text.split(separator: "\n").compactMap { FieldTree(json: Array($0.utf8)) }
  }

  /// The folder of the built-in profiles.
  static let builtin = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Sources/CBuiltinProfiles/Profiles")
}

extension FieldTree {
  var text: String? { if case .text(let text) = self { text } else { nil } }
  var list: [FieldTree]? { if case .list(let list) = self { list } else { nil } }
  var object: [(name: String, value: FieldTree)]? { if case .object(let fields) = self { fields } else { nil } }
  var number: Double? {
    switch self {
    case .int(let value): Double(value)
    case .double(let value): value
    case .bool(let truth): truth ? 1 : 0
    default: self["value"]?.number
    }
  }

  /// A value without its name, if it is an enum.
  var plain: FieldTree { self["name"] != nil ? self["value"] ?? self : self }
}

/// Feeds packets to one source of a profile, and returns the messages.
func decode(
  _ set: ProfileSet, _ profile: String, _ source: String, _ packets: [String], _ direction: ValueDirection? = nil, payload: Bool = false,
  name: String? = nil
) throws -> [(message: String?, fields: FieldTree, payload: [UInt8], checksum: ProfileMessage.Checksum, isComplete: Bool, problem: String)]
{
  guard let number = set.number(profile) else { return [] }
  let compiled = try set.profile(number)
  let engine = ProfileEngine(set)
  var facts = PeerFacts()
  facts.name = name
  let link = engine.connect(facts)
  let slot = engine.slot(link, profile: compiled, source: source)
  guard slot >= 0, let number = compiled.source(source) else { return [] }
  let valueDirection = direction ?? compiled.usualDirection(number) ?? .notify
  var found:
    [(message: String?, fields: FieldTree, payload: [UInt8], checksum: ProfileMessage.Checksum, isComplete: Bool, problem: String)] = []
  func take() {
    for message in engine.messages {
      var problem: [UInt8] = []
      message.appendProblem(to: &problem)
      found.append(
        (
          message.name, message.fieldTree, Array(message.payload), message.checksum, message.isComplete,
          String(decoding: problem, as: UTF8.self)
        ))
    }
  }
  for (frame, packet) in packets.enumerated() {
    ([UInt8](hex: packet) ?? []).withBorrowedBytes {
      _ =
        payload
        ? engine.feed(payload: $0, link, slot, valueDirection, frame: frame + 1, time: Int64(frame) * 1000)
        : engine.feed(link, slot, valueDirection, $0, frame: frame + 1, time: Int64(frame) * 1000)
    }
    take()
  }
  engine.finish()
  take()
  return found
}

extension ProfileMessage {
  /// The output of each printer for this message: JSON, the sentence, the lines of `decode`, JSON without hidden fields.
  func outputs() -> [[UInt8]] {
    var json: [UInt8] = []
    appendFieldsJSON(to: &json)
    var words: [UInt8] = []
    appendSentence(to: &words)
    var lines = LineVisitor(TextSink(), problemRange: 0..<0)
    defer { lines.output.deallocate() }
    visitFields(&lines)
    var open = JSONVisitor(TextSink())
    defer { open.output.deallocate() }
    open.leavesHidden = true
    visitFields(&open)
    return [json, words, Array(lines.output.bytes), Array(open.output.bytes)]
  }
}
