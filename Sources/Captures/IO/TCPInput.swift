// The socket types belong to the first module that includes their header, which in a clean build is this one.
import CPcap

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileInput {
  /// Connects to `tcp:HOST:PORT`, which may send a capture in any format: Android's snoop port (8872) sends btsnoop.
  static func connect(_ address: String) throws(CaptureError) -> FileInput {
    let rest = address.dropFirst(4)
    guard let colon = rest.lastIndex(of: ":"), let port = UInt16(rest[rest.index(after: colon)...]), colon > rest.startIndex else {
      throw .misnamed(path: address, reason: "it is not of the form tcp:HOST:PORT")
    }
    var host = String(rest[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = AF_UNSPEC
    // SOCK_STREAM, which is 1 on all systems; libpcap's header hides the name of Glibc's module.
    unsafe hints.ai_socktype = 1
    var found: UnsafeMutablePointer<addrinfo>?
    let code = unsafe getaddrinfo(host, String(port), &hints, &found)
    if code != 0 {
      throw unsafe .unavailable(what: "\(address): \(gai_strerror(code).map { unsafe String(cString: $0) } ?? "unknown host")")
    }
    defer { unsafe freeaddrinfo(found) }
    var reason = "no address"
    var next = unsafe found
    while let candidate = unsafe next?.pointee {
      let descriptor = unsafe socket(candidate.ai_family, candidate.ai_socktype, candidate.ai_protocol)
      if descriptor >= 0 {
        #if canImport(Glibc)
          let status = unsafe Glibc.connect(descriptor, candidate.ai_addr, candidate.ai_addrlen)
        #else
          let status = unsafe Darwin.connect(descriptor, candidate.ai_addr, candidate.ai_addrlen)
        #endif
        if status == 0 { return FileInput(descriptor: descriptor, path: address) }
        reason = systemMessage(errno)
        _ = close(descriptor)
      } else {
        reason = systemMessage(errno)
      }
      unsafe next = unsafe candidate.ai_next
    }
    throw .unavailable(what: "\(address): \(reason)")
  }
}
