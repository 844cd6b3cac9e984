#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The system's message for an error number.
package func systemMessage(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }

/// The value of a variable of the process's environment, or nil.
package func environmentVariable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }

/// The folder for temporary files.
package var temporaryFolder: String { environmentVariable("TMPDIR") ?? "/tmp" }
