@_spi(Pipeline) import Analysis
import Bluetooth
import Conversations

/// Compares the permissions of attributes, as far as captures show them: accesses that one device refused because of permissions or security (Core,
/// Vol 3, Part F, 3.4.1.1), and the other one allowed over a link in the same state.
struct PermissionComparison {
  private let a: CaptureComparison.Side, b: CaptureComparison.Side
  private let shapes: [StepKeys.Shape]

  /// Whether the link was encrypted. A capture that began later shows it only from the start of encryption on.
  private enum Link: UInt8 { case plain, encrypted, unknown }

  /// An attribute, the kind of access, and the state of the link.
  private struct Access: Hashable {
    var location: UInt64
    var link: Link
  }

  private struct Seen {
    /// The first step.
    var step: Int32
    var isAllowed = false
    /// The first refusal, or 0.
    var refusal: UInt8 = 0
  }

  init(_ a: CaptureComparison.Side, _ b: CaptureComparison.Side, _ shapes: [StepKeys.Shape]) {
    self.a = a
    self.b = b
    self.shapes = shapes
  }

  /// Adds the differences, unless a row already has the results of that operation in both captures.
  func compare(_ deviceA: ComparedDevice, _ deviceB: ComparedDevice, device: Int, _ result: inout CaptureDifferences) {
    let (mine, theirs) = (seen(deviceA, a), seen(deviceB, b))
    var differing: [(location: UInt64, a: Seen, b: Seen)] = []
    for (access, before) in mine {
      guard let after = theirs[access], before.isAllowed != after.isAllowed, (before.isAllowed ? before : after).refusal == 0,
        (before.isAllowed ? after : before).refusal != 0
      else { continue }
      differing.append((access.location, before, after))
    }
    guard !differing.isEmpty else { return }
    var reported: Set<UInt64> = []
    for row in result.rows
    where row.device == device && row.subject == .operation && row.change == .changed
      && row.changes.contains(where: { $0.field == "status" })
    {
      reported.insert(shapes[Int(row.key)].location)
    }
    differing.sort { $0.a.step < $1.a.step }
    for difference in differing where reported.insert(difference.location).inserted {
      let step = a.recording.steps[Int(difference.a.step)]
      var row = CaptureDifferences.Row(change: .changed, subject: .attribute(entry(difference.a.step, difference.b.step)))
      row.changes = [
        CaptureDifferences.FieldChange(
          field: step.kind == .read ? "reading" : "writing", a: Self.words(difference.a), b: Self.words(difference.b))
      ]
      row.device = device
      row.order = (Int(step.frame), 0, 2)
      result.add(row)
    }
  }

  private func seen(_ device: ComparedDevice, _ side: CaptureComparison.Side) -> [Access: Seen] {
    var found: [Access: Seen] = [:]
    for session in device.sessions where session.connection >= 0 {
      let connection = side.recording.tables.connections[Int(session.connection)]
      for index in session.steps {
        let step = side.recording.steps[Int(index)]
        switch step.kind {
        case .read, .write, .preparedWrite, .subscribe, .unsubscribe: break
        default: continue
        }
        guard side.recording.context(step).handle != 0 else { continue }
        let refusal = step.ending == .failed && step.domain == .att && Self.refusals.contains(step.status) ? step.status : 0
        guard step.ending == .succeeded || refusal != 0 else { continue }
        let isEncrypted = connection.encryptedFrame != 0 && Int(step.frame) > connection.encryptedFrame
        let access = Access(
          location: shapes[Int(side.keys[Int(index)])].location,
          link: isEncrypted ? .encrypted : connection.startFrame == 0 ? .unknown : .plain)
        var seen = found[access] ?? Seen(step: index)
        if refusal == 0 { seen.isAllowed = true } else if seen.refusal == 0 { seen.refusal = refusal }
        found[access] = seen
      }
    }
    return found
  }

  /// Read not permitted, write not permitted, insufficient authentication, authorization, encryption key size, encryption.
  private static let refusals: Set<UInt8> = [0x02, 0x03, 0x05, 0x08, 0x0C, 0x0F]

  private static func words(_ seen: Seen) -> String { seen.isAllowed ? "allowed" : "\(Status.failure(seen.refusal, .att))" }

  private func entry(_ stepA: Int32, _ stepB: Int32) -> CaptureDifferences.AttributeEntry {
    let (mine, theirs) = (a.recording.context(a.recording.steps[Int(stepA)]), b.recording.context(b.recording.steps[Int(stepB)]))
    var entry = CaptureDifferences.AttributeEntry(kind: "attribute", uuid: "", handles: [mine.handle, theirs.handle], owner: "")
    let tables = a.recording.tables
    if mine.attribute >= 0, case let attribute = tables.attributes[Int(mine.attribute)], attribute.uuid >= 0 {
      entry.kind = attribute.kind == .value ? "characteristic" : attribute.kind == .descriptor ? "descriptor" : "attribute"
      entry.uuid = tables.uuids[Int(attribute.uuid)].description
    }
    return entry
  }
}
