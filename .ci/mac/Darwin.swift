// The Swift declarations that Apple's module Darwin adds to its C library, as far as the sources use them.
@_exported import Darwin

public var errno: Int32 {
  get { __error().pointee }
  set { __error().pointee = newValue }
}
public var stdin: UnsafeMutablePointer<FILE> {
  get { __stdinp }
  set { __stdinp = newValue }
}
public var stdout: UnsafeMutablePointer<FILE> {
  get { __stdoutp }
  set { __stdoutp = newValue }
}
public var stderr: UnsafeMutablePointer<FILE> {
  get { __stderrp }
  set { __stderrp = newValue }
}

public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>

public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { fatalError() }
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { fatalError() }
public func fcntl(_ descriptor: Int32, _ command: Int32) -> Int32 { fatalError() }
public func fcntl(_ descriptor: Int32, _ command: Int32, _ value: Int32) -> Int32 { fatalError() }
public func fcntl(_ descriptor: Int32, _ command: Int32, _ pointer: UnsafeMutableRawPointer) -> Int32 { fatalError() }
public func ioctl(_ descriptor: CInt, _ request: UInt, _ value: CInt) -> CInt { fatalError() }
public func ioctl(_ descriptor: CInt, _ request: UInt, _ pointer: UnsafeMutableRawPointer) -> CInt { fatalError() }
public func ioctl(_ descriptor: CInt, _ request: UInt) -> CInt { fatalError() }
public var TIOCGWINSZ: UInt { 0x4008_7468 }

public var SIG_DFL: sig_t? { nil }
public var SIG_IGN: sig_t { fatalError() }

public var S_IFMT: mode_t { 0o170000 }
public var S_IFIFO: mode_t { 0o010000 }
public var S_IFCHR: mode_t { 0o020000 }
public var S_IFDIR: mode_t { 0o040000 }
public var S_IFREG: mode_t { 0o100000 }
public var S_IFLNK: mode_t { 0o120000 }

public func floor(_ x: Float) -> Float { fatalError() }
public func ceil(_ x: Float) -> Float { fatalError() }
public func round(_ x: Float) -> Float { fatalError() }
public func pow(_ x: Float, _ y: Float) -> Float { fatalError() }
public func sqrt(_ x: Float) -> Float { fatalError() }

public var CLOCK_REALTIME: clockid_t { _CLOCK_REALTIME }
public var CLOCK_MONOTONIC: clockid_t { _CLOCK_MONOTONIC }
public var CLOCK_THREAD_CPUTIME_ID: clockid_t { _CLOCK_THREAD_CPUTIME_ID }
