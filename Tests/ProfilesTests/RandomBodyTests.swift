import Testing

@testable import KaitaiStruct
@_spi(Pipeline) @testable import Profiles

/// Random bytes read as every message of every built-in profile give what they gave when ``expected`` was recorded.
///
/// After a change of a profile, or of an output that is meant, the failure names the new digest of that profile.
@Suite struct RandomBodyTests {
  /// All that the printers make of a message: JSON, the line in words, the lines of `decode`, JSON without hidden fields.
  private static func outputs(_ message: ProfileMessage) -> [[UInt8]] {
    var json: [UInt8] = []
    message.appendFieldsJSON(to: &json)
    var words: [UInt8] = []
    message.appendSay(to: &words)
    var lines = LineVisitor()
    message.visitFields(&lines)
    var open = JSONVisitor(TextSink())
    defer { open.output.deallocate() }
    open.leavesHidden = true
    message.visitFields(&open)
    return [json, words, lines.output, Array(open.output.bytes)]
  }

  /// FNV-1a over everything that a profile makes of its random bodies, and how many of these were read to their end.
  private static func digest(_ profile: CompiledProfile) -> (digest: UInt64, whole: Int, total: Int) {
    let runtime = ProfileRuntime(profile)
    var generator = SplitMix(seed: 0x51A1)
    var (hash, whole, total): (UInt64, Int, Int) = (0xCBF2_9CE4_8422_2325, 0, 0)
    func add(_ bytes: some Sequence<UInt8>) { for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 } }
    for number in profile.messages.indices {
      guard case .type(let type) = profile.messages[number].body else { continue }
      for _ in 0..<100 {
        // Small numbers are lengths and choices more often than others.
        let length = Int.random(in: 0...(Bool.random(using: &generator) ? 12 : 60), using: &generator)
        let bytes = (0..<length).map { _ in
          UInt8.random(in: 0...(Int.random(in: 0..<3, using: &generator) > 0 ? 7 : 255), using: &generator)
        }
        let message = runtime.take()
        message.messageNumber = number
        bytes.withUnsafeBytes { message.take($0) }
        let failure = runtime.parse(type, message)
        total += 1
        if failure == nil { whole += 1 }
        add((failure.map { message.describe(.body($0)) } ?? "").utf8)
        for output in outputs(message) { add(output) }
        runtime.give(.passUnretained(message))
      }
    }
    return (hash, whole, total)
  }

  @Test func builtInProfilesReadRandomBodiesAsRecorded() throws {
    let set = try ProfileSet()
    var (whole, total) = (0, 0)
    for summary in set.summaries {
      let profile = try set.profile(summary.number)
      let result = Self.digest(profile)
      if result.total == 0 { continue }
      let digest = String(result.digest, radix: 16)
      #expect(Self.expected[profile.id] == digest, "\"\(profile.id)\": \"\(digest)\",")
      whole += result.whole
      total += result.total
    }
    // Bodies that all end too early would compare little.
    #expect(total > 20_000 && whole > total / 5, "\(whole) of \(total)")
  }

  private static let expected: [String: String] = [
    "adv-bthome": "7810430563cca234", "adv-govee": "303aeeae75fb7b94", "adv-inkbird": "d744ac9f16dcc15c",
    "adv-qingping": "8479943b11c2833a", "adv-sensorpro": "460eb03a6bbc22ab", "airthings-wave": "74ca489f65e635e6",
    "altbeacon": "e14ae7653491d405", "apple-continuity": "92dfebfd685ba39c", "aranet": "2b00ca15ed318195",
    "blemon-acconeer": "a8bff89387791c69", "blemon-almendo": "97230d4fcec00240", "blemon-amazfit": "23054738ec32c0bf",
    "blemon-beckett": "45703b896a0aa108", "blemon-blustream": "49016e84f681010c", "blemon-chefiq": "7e744f140e2a7bd0",
    "blemon-hhcc": "793bd7cc6ccaa0ad", "blemon-hormann": "813ff072e8b15caa", "blemon-jaalee": "4b106e980b3a0403",
    "blemon-kegtron": "a83563f53b51d097", "blemon-laica": "16af10bab20e37e4", "blemon-mikrotik": "5ea26148c8498090",
    "blemon-moat": "4cfd513a7013f581", "blemon-oras": "2d983231ea9b8153", "blemon-sensirion": "d9cd50ee5133c229",
    "blemon-smartdry": "f8e4a3485071a694", "blemon-teltonika": "d5a260dca90ff48b", "blemon-xiaogui": "d301236ea83efd4f",
    "bluetooth-sig": "1954852b6decd02c", "bms-ag": "cb75fc81cec76534", "bms-ant": "c31b3910f7dcab93", "bms-ant-leg": "25b0f4ff34ee3e6d",
    "bms-braunpwr": "f90891caf40d7d65", "bms-buknuwo": "c4c4aa69bc6a9d92", "bms-cbtpwr": "8115b8c966c2327",
    "bms-cbtpwr-vb": "5b8a078b3bc299c4", "bms-daly": "144365b3af1de4b5", "bms-ecoworthy": "e89aa3f4c5e8009b",
    "bms-eg4": "6d48af88b2856136", "bms-gobel": "7a0dad59b9d008f1", "bms-greenway": "523cbbc2a5f45ca8", "bms-humsienk": "a7279618540d0009",
    "bms-jbd": "89e5b1536fcf4ef6", "bms-lipower": "b86b346c2a2580ae", "bms-ogt": "2ad94403b211a4f0", "bms-pro": "b3a3c5883c25be4c",
    "bms-pylontech": "9fcd7a3d44aebaf0", "bms-redodo": "5dabbf076636f54d", "bms-renogy-pro": "9c0d72d4eba88b6f",
    "bms-saihang": "71fa252b083153f3", "bms-seplos-v2": "e41963956a87ffd5", "bms-superb": "5640127d35244639",
    "bms-superb-v2": "33f75090aced2346", "bms-tdt": "ab18686d805702bb", "bms-tianpwr": "83c42ac50babb4b7",
    "bms-vatrer": "d5b9f2e0f8ae4c69", "bthome": "b0c507b8c3c54c34", "dult": "405046efb6672b36", "eddystone": "8af9a76fcddfdf71",
    "estimote-telemetry": "e458af4b108defa", "exposure-notification": "47d5923d2776a722", "fast-pair": "a4c72d5b61a73b0c",
    "find-hub": "b1c04c6aaee98844", "fitpro": "3562a489d61a89d", "gardena-adv": "b98e63a133488d53", "garmin-gfdi": "57c8dc00059b0b6c",
    "garmin-varia": "34d9652828b39f9f", "garmin-vivosmart": "57c8dc00059b0b6c", "google-nearby": "1c130df077ef78c",
    "gopro": "c43911ae61a98e5", "heart-rate": "18ad8a3a22d1427c", "horizon-treadmill": "8cf572199bbf55c8", "huami": "5ec87f1c011526c",
    "ibeacon": "f8fe8c8d324c35b7", "lumentree": "60676624596e39cf", "matter-adv": "1ce663599864ebc3", "mcumgr-smp": "c49c7cf1f8a4eafc",
    "mesh-adv": "bbcabc3ce29afd5f", "mesh-proxy": "d59cd9948d314334", "mibeacon": "ba3f38cc28e18bbe", "microsoft-adv": "674556f4308671c6",
    "miflora": "d2a6e9c23a9aeb3f", "nexxtender": "9788c26816c97347", "niimbot": "7e5f01b923f5698a", "open-drone-id": "d74dc79c527f8123",
    "oregon-weather": "ece9691a4dfe941e", "playbulb": "5ec56c9faf6fe11d", "polar-pmd": "48721f59f3d1a744",
    "rigado-bmd": "c75c09baf657c295", "ruuvi": "c6fca610837bd060", "samsung-smarttag": "a3aa6e98a72043a4", "sphero": "99170103e0dfbec8",
    "switchbot": "79deeea875bab0c8", "telink-ota": "4a5bbb0d08c1e01b", "togrill": "419691f3f027ae59", "typed-objects": "13997b2b9137c5e3",
    "xiaomi-activity": "fb5714a0f7687a96", "zengge-adv": "ec3c84d5994b0476",
  ]
}

/// The generator of Steele, Lea and Flood: the same numbers everywhere.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
