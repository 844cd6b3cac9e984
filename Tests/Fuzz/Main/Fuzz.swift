import FuzzInput

// One layer at a time, because libFuzzer examines all coverage counters of the program for each input. The layer Program has all targets.
#if FUZZ_CODECS
  import FuzzCodecs
  private let targets = FuzzTarget.codecs
#elseif FUZZ_CAPTURES
  import FuzzCaptures
  private let targets = FuzzTarget.captures
#elseif FUZZ_PACKETS
  import FuzzPackets
  private let targets = FuzzTarget.packets
#elseif FUZZ_KAITAISTRUCT
  import FuzzKaitaiStruct
  private let targets = FuzzTarget.descriptions
#elseif FUZZ_PROFILES
  import FuzzProfiles
  private let targets = FuzzTarget.profiles
#elseif FUZZ_FILTERS
  import FuzzFilters
  private let targets = FuzzTarget.filters
#elseif FUZZ_REDACTION
  import FuzzRedaction
  private let targets = FuzzTarget.redactions
#else
  import FuzzProgram
  private let targets = FuzzTarget.all
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The target that libFuzzer runs, chosen once by the first argument.
nonisolated(unsafe) private var target: FuzzTarget?

/// The targets of a layer: `fuzz TARGET [libFuzzer's options and folders]`, `fuzz` alone lists them, `fuzz seeds FOLDER FILE…` writes
/// first inputs for all of them, `fuzz TARGET repeat SEED COUNT FILE INPUT…` runs a target with inputs that are the same in every run, and
/// keeps the current one in FILE. libFuzzer calls this before it reads the arguments.
@c(LLVMFuzzerInitialize)
public func initialize(
  _ count: UnsafeMutablePointer<Int32>, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> Int32 {
  var given = (0..<Int(count.pointee)).compactMap { arguments.pointee[$0].map { String(cString: $0) } }
  #if FUZZ_PROGRAM
    if given.count > 2, given[1] == "seeds" {
      Seeds(given[2]).write(Array(given.dropFirst(3)))
      exit(0)
    }
  #endif
  guard given.count > 1, let found = targets.first(where: { $0.name == given[1] }) else {
    for target in targets { print(target.name) }
    exit(0)
  }
  target = found
  // Objects that are made once, such as the built-in profiles, take longer than the time limit for an input.
  found.run([])
  if given.count > 5, given[2] == "repeat", let seed = UInt64(given[3]), let count = Int(given[4]) {
    var inputs = RepeatableInputs(
      found, seed: seed,
      firstInputs: given.dropFirst(6).map { path in bytes(ofFile: path) ?? { fatalError("\(path) cannot be read") }() })
    inputs.run(count, file: given[5])
    exit(0)
  }
  given[1] = "-max_len=\(found.longest)"
  // libFuzzer keeps the strings until the end.
  arguments.pointee[1] = strdup(given[1])
  return 0
}

/// Runs one input.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
  target?.run(UnsafeRawBufferPointer(start: data, count: size))
  return 0
}
