import Memory
import Testing
import TestSupport

@testable import KaitaiStruct
@_spi(Pipeline) @testable import Profiles

/// Random bytes decoded as every message of every built-in profile give the output that was recorded in ``expected``.
///
/// After an intended change of a profile or of an output, the failure shows the new digest of that profile.
@Suite struct RandomBodyTests {
  /// FNV-1a over all outputs of a profile's random bodies, and how many bodies were decoded to their end.
  private static func digest(_ profile: CompiledProfile) -> (digest: UInt64, whole: Int, total: Int) {
    let runtime = ProfileRuntime(profile)
    var generator = SplitMix(state: 0x51A1)
    var (hash, whole, total): (UInt64, Int, Int) = (0xCBF2_9CE4_8422_2325, 0, 0)
    func add(_ bytes: some Sequence<UInt8>) { for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 } }
    for number in profile.messages.indices {
      guard case .type(let type) = profile.messages[number].body else { continue }
      for _ in 0..<100 {
        // Small numbers are more likely to be lengths and enum values.
        let length = Int.random(in: 0...(Bool.random(using: &generator) ? 12 : 60), using: &generator)
        let bytes = (0..<length).map { _ in
          UInt8.random(in: 0...(Int.random(in: 0..<3, using: &generator) > 0 ? 7 : 255), using: &generator)
        }
        let message = runtime.take()
        message.messageNumber = number
        bytes.withBorrowedBytes { message.take($0) }
        let failure = runtime.parse(type, message)
        total += 1
        if failure == nil { whole += 1 }
        add((failure.map { message.describe(.body($0)) } ?? "").utf8)
        for output in message.outputs() { add(output) }
        runtime.give(Unretained(message))
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
    // If all bodies were too short, the test would compare little.
    #expect(total > 20_000 && whole > total / 5, "\(whole) of \(total)")
  }

  private static let expected: [String: String] = [
    "ab-watch": "57ee5919b0689cd3",
    "abbott-libre": "74c66a137398135c",
    "acconeer-xm122": "a8bff89387791c69", "ag-battery": "b19768f883025ba", "airthings-wave": "74ca489f65e635e6",
    "almendo-blusensor": "97230d4fcec00240", "altbeacon": "e14ae7653491d405", "amazfit-scale": "a7f259a0f016aa89",
    "and-medical": "5bddd32e579e91da",
    "android-auto": "a7a1b8452050b4e8",
    "ant-bms": "3c67a5d0279fa0d7", "ant-bms-legacy": "25b0f4ff34ee3e6d", "ant-bms-serial": "2de35da1baf4ef47",
    "appgate-fitness": "124542ce31c83d9",
    "apple-continuity": "92dfebfd685ba39c",
    "apple-iap": "f951ab6059afb5b",
    "apple-notifications": "5222a251dd464083", "aranet": "911d61d46d0cb9c4", "b-parasite-plant-sensor": "949dba1214205a53",
    "basen-bms": "78fe59a633d595c4",
    "beckett-burner": "45703b896a0aa108",
    "beurer-scale": "71226ab4a5ffc9e4",
    "bj-led": "25bd954d329e7cf5",
    "bk300-battery": "1cdd72dba88ffbe1",
    "bluemaestro-sensor": "aabab79b714205fb",
    "bluetooth-sig": "6504ebbacb31e53b",
    "bluetti": "5b42607b3259a21c",
    "blustream-humidity": "49016e84f681010c",
    "braun-power-battery": "d750541c2fb570c3",
    "bthome": "4a9477cde86b40f6",
    "bthome-v1": "242a145b5663f88e",
    "buknuwo-battery": "98528c22478f4ff6",
    "canon-camera": "f0cb072e8009f7f5",
    "casio-watch": "638ac7a675f4e32f",
    "cat-printer": "519e1c18257a19b1",
    "cbt-power-battery": "8115b8c966c2327",
    "chefiq-thermometer": "7e744f140e2a7bd0",
    "concept2-pm5": "62ff4b3be6a4db53",
    "creabest-battery": "5b8a078b3bc299c4",
    "cycling-power": "7a75898ed3ad2e48",
    "daly-bms": "1411710bbdceefa9",
    "dayton-dsp408": "3528849efb757999",
    "dexcom-cgm": "2c30ed559571b036",
    "domyos-treadmill": "b27d19877f93f6cd",
    "dult": "405046efb6672b36",
    "ecoflow": "d6bdd5d1ace40e0e",
    "ecoworthy-battery": "e89aa3f4c5e8009b",
    "eddystone": "8af9a76fcddfdf71",
    "eg4-battery": "1cc317cd0c67a84",
    "ember-mug": "626d3c47fc9ba9e2",
    "elk-bledom": "87d8df99d24b9b32",
    "estimote-telemetry": "e458af4b108defa",
    "even-g2": "30d9c8d8eb8cf1db",
    "exposure-notification": "47d5923d2776a722",
    "fast-pair": "87f1296237b71c18",
    "find-hub": "b1c04c6aaee98844",
    "fitbit-tracker": "742a4cbd3541f74d",
    "fitness-machine": "cf68a21a75e0adb2",
    "fitpro": "3562a489d61a89d",
    "fossil-watch": "f93c922dc681a84b",
    "gardena-adv": "b98e63a133488d53",
    "garmin-gfdi": "57c8dc00059b0b6c",
    "garmin-varia": "34d9652828b39f9f",
    "garmin-vivosmart": "57c8dc00059b0b6c",
    "glucose-meter": "22855a6a9fcbe47f",
    "gobel-battery": "d4a7ea3f35f771af",
    "google-nearby": "1c130df077ef78c",
    "gopro": "c43911ae61a98e5",
    "govee-thermometer": "303aeeae75fb7b94",
    "greenway-battery": "9a8885ede9eae967",
    "grundfos-mi401": "91e2d885c06e8990",
    "heart-rate": "18ad8a3a22d1427c",
    "hhcc-plant-sensor": "793bd7cc6ccaa0ad",
    "holyiot-beacon": "6ac4c9764a7e1a1a",
    "horizon-treadmill": "f752fa9517398c0f",
    "hormann-door": "813ff072e8b15caa",
    "huami": "ac4967291ca19605",
    "huawei": "28466dc6261e1faf",
    "ideal-led": "bf8fa14e303af6ec",
    "humsienk-battery": "a7279618540d0009",
    "ibeacon": "3aa36653ba22c177",
    "improv-wifi": "d5c940b1f39a9074",
    "inkbird-thermometer": "d744ac9f16dcc15c",
    "insta360": "cdbaba6705805986",
    "jaalee-thermometer": "4b106e980b3a0403",
    "jbd-bms": "2140a291e93917a4", "jinou-thermometer": "18cf576362281d71", "jk-bms": "4c2c8ae5a42beba7",
    "kegtron-meter": "a83563f53b51d097", "laica-scale": "6ed8554f2049eb99", "le-audio": "a7145200ea79c32f",
    "lego-hub": "6f22065093770e3c", "linak-desk": "f1105c47f9468889", "lipower-battery": "b05a2c6ac7177a14",
    "lolan-bms": "813e00e8849d5197",
    "lumentree": "60676624596e39cf", "matter": "d41ad440abfb9280", "matter-adv": "1ce663599864ebc3",
    "mcumgr-smp": "c49c7cf1f8a4eafc",
    "mesh-adv": "bbcabc3ce29afd5f",
    "mesh-proxy": "77ff9c9b4586693f",
    "mibeacon": "93d6c18cbb7d7213",
    "michelin-tyre-sensor": "8641903c1d2b185c",
    "microsoft-adv": "674556f4308671c6",
    "miflora": "d2a6e9c23a9aeb3f",
    "mikrotik-tag": "434a7f99fb1db54f",
    "moat-thermometer": "4cfd513a7013f581",
    "mocreo-sensor": "ed893ea3ae00b82b",
    "mopeka-tank-sensor": "74f28945b10f2670",
    "neey-balancer": "33d4d46e4c3b0eb",
    "nexxtender": "37397673f4181cd7",
    "niimbot": "7e5f01b923f5698a",
    "ninebot-scooter": "610c61b106dbf1e2",
    "nordic-dfu": "33fde8d76890b971",
    "nordic-led-button": "498a60f4eee8aafe",
    "obd-elm327": "80087b0ed6f991d7",
    "offgridtec-battery": "2ad94403b211a4f0",
    "omron-blood-pressure": "d6d7b89ea8e09c1a",
    "open-drone-id": "eede431b328ca6bf",
    "oppo-earbuds": "b27d19877f93f6cd",
    "oral-b-toothbrush": "80c4d3933afeadc5",
    "oras-faucet": "2d983231ea9b8153",
    "oregon-weather": "ece9691a4dfe941e",
    "parrot-minidrone": "fd0aa366394aae35",
    "pebble": "5673da8325dfe6f5",
    "philips-hue": "6abecf3bfe777718",
    "phomemo-printer": "54974e7596398f3",
    "playbulb": "5ec56c9faf6fe11d", "polar-pmd": "48721f59f3d1a744", "pro-bms": "b3a3c5883c25be4c",
    "pongbot-nova": "2ea8f22c588a3a7a",
    "pylontech-battery": "28d880d02c83204a", "qingping-sensor": "8479943b11c2833a", "redodo-litime-battery": "5dabbf076636f54d",
    "renogy-battery": "4596288e95f45af7", "renogy-pro-battery": "9e39bcec4b0edb29", "rigado-bmd": "c75c09baf657c295",
    "ruuvi": "f20001b2d43aac42", "saihang-battery": "71fa252b083153f3", "samsung-smarttag": "a3aa6e98a72043a4",
    "sensirion-sensor": "d9cd50ee5133c229", "sensorpro-thermometer": "460eb03a6bbc22ab", "sensorpush-sensor": "f06d015d7a8657a7",
    "senssun-scale": "f54802475c62cfc0", "seplos-bms-v2": "76ff868adb0446c2", "seplos-bms-v3": "4aa813f1d6f5f92a",
    "sig-body": "8cf6112928b8a6f5",
    "sig-device": "5e58f33c49a43cf",
    "sig-location": "f05dad0af453d787",
    "sig-quantities": "270c5f7a549d59d1",
    "smartdry-sensor": "f8e4a3485071a694", "sok-battery": "b7449a47ad8f8803", "sony-headphones": "d782ba34328df881",
    "sphero": "99170103e0dfbec8", "super-b-epsilon": "5640127d35244639", "super-b-epsilon-v2": "33f75090aced2346",
    "switch2-controller": "732b0aadb284e1b1",
    "switchbot": "79deeea875bab0c8", "switchbot-commands": "722bffd844426117", "tandem-pump": "dcacdb50a972fae4",
    "tdt-bms": "cf3d03390910ee5b",
    "telink-ota": "c8d5b2f6868a4bfd",
    "teltonika-sensor": "d5a260dca90ff48b",
    "thermobeacon-thermometer": "f938565f72f537cb",
    "thermopro-thermometer": "eb1a841f7b04bff2",
    "tianpower-battery": "83c42ac50babb4b7",
    "togrill": "419691f3f027ae59",
    "triones-lamp": "5e3fdf149b64d379",
    "typed-objects": "13997b2b9137c5e3",
    "vatrer-battery": "a1b88b73be2caae9",
    "veryfit-watch": "1a1ff8b4758ad6b8",
    "victron-energy": "bb17a378b6914c41",
    "withings-watch": "1de304dc3f44c1a",
    "xiaogui-scale": "b0b9a6cb4e1b349",
    "xiaomi-activity": "91f2e8308da09cce",
    "xiaomi-scale": "3a0568b6f195aae8",
    "xiaomi-scooter": "625ac2bdd7677447",
    "xiaomi-thermometer-atc": "d819488fad18762a",
    "xyaoled-matrix": "c08b417369983270",
    "yeelight-lamp": "37af7cad6ef86505",
    "zengge-adv": "ec3c84d5994b0476",
    "zengge-lamp": "1573866c5cec79c6",
  ]
}
