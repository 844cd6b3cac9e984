import CPcap
import CSQLite
import CYAML
import CZlib
import Output
import Text

#if canImport(Glibc)
  import CCrypto
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Versions of the program and its libraries: `--version --verbose`.
enum Versions {
  static func print() {
    let out = TextBuffer(descriptor: 1)
    for (name, version) in [("btscribe", Btscribe.version), ("Swift", swift)] + libraries {
      out.string(name)
      out.spaces(max(1, 10 - name.count))
      out.string(version)
      out.text("\n")
    }
    try? out.flush()
  }

  /// The version as far as the compiler provides it.
  private static var swift: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }

  /// Each library reports its own version.
  private static var libraries: [(String, String)] {
    var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
    unsafe yaml_get_version(&major, &minor, &patch)
    var found = unsafe [
      ("libpcap", String(cString: pcap_lib_version())), ("libyaml", "\(major).\(minor).\(patch)"),
      ("SQLite", String(cString: sqlite3_libversion())),
      ("zlib", String(cString: zlibVersion())),
    ]
    #if canImport(Glibc)
      unsafe found.append(("OpenSSL", String(cString: OpenSSL_version(OPENSSL_VERSION))))
      var name = [CChar](repeating: 0, count: 64)
      let length = unsafe confstr(Int32(_CS_GNU_LIBC_VERSION), &name, name.count)
      found.append(("libc", String(decoding: name.prefix(max(1, min(length, 64)) - 1).map { UInt8(bitPattern: $0) }, as: UTF8.self)))
    #endif
    return found.sorted { $0.0.lowercased() < $1.0.lowercased() }
  }
}
