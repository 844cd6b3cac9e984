@testable import Conversations
import Testing
import TestSupport

/// Services are found by their channels as a search of all of them finds them.
@Suite struct ServiceIndexTests {
  @Test(arguments: 0..<8)
  func findsWhatASearchFinds(seed: UInt64) {
    var random = SplitMix(state: seed)
    func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
    var services: [OfferedService] = []
    var index = ServiceIndex()
    func isOf(_ service: OfferedService, _ peer: Int32, _ connection: Int32) -> Bool {
      service.peer == peer && (peer >= 0 || service.connection == connection)
    }
    for _ in 0..<600 {
      var service = OfferedService(peer: Int32(below(3)) - 1, connection: Int32(below(2)), isLocal: below(2) == 0)
      service.rfcommChannel = UInt8(below(4))
      service.psm = UInt16(below(4))
      service.objectPSM = UInt16(below(5))
      service.hardcopyDataPSM = UInt16(below(8))
      service.hardcopyNotificationPSM = UInt16(below(8))
      let known = services.firstIndex {
        $0.isLocal == service.isLocal && isOf($0, service.peer, service.connection) && $0.rfcommChannel == service.rfcommChannel
          && $0.psm == service.psm
      }
      #expect(index.same(as: service) == known)
      if let known {
        let old = services[known]
        services[known].objectPSM = service.objectPSM
        services[known].hardcopyDataPSM = service.hardcopyDataPSM
        index.take(services[known], known, instead: old)
      } else {
        index.take(service, services.count)
        services.append(service)
      }
      let (peer, connection, isLocal) = (Int32(below(3)) - 1, Int32(below(2)), [nil, false, true][below(3)])
      let channel = UInt8(1 + below(3))
      let first = services.firstIndex {
        $0.rfcommChannel == channel && isOf($0, peer, connection) && (isLocal == nil || isLocal == $0.isLocal)
      }
      #expect(index.first(peer, connection, isLocal: isLocal, rfcommChannel: channel) == Int32(first ?? -1))
      let psm = UInt16(1 + below(7))
      let all = services.indices.filter {
        let service = services[$0]
        return service.isLocal == (isLocal ?? false) && isOf(service, peer, connection)
          && [service.psm, service.objectPSM, service.hardcopyDataPSM, service.hardcopyNotificationPSM].contains(psm)
      }
      #expect(index.all(peer, connection, isLocal: isLocal ?? false, psm: psm) == all.map(Int32.init))
      #expect(index.firstObjects(psm: psm) == services.firstIndex { $0.objectPSM == psm })
    }
  }
}
