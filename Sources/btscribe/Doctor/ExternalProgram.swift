import Captures

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs another program for its output. The program gets no input; its run time and output are bounded.
struct ExternalProgram {
  /// The outcome of a run.
  enum Outcome: Equatable {
    /// It ended by itself. `text` has standard output and standard error together.
    case ended(status: Int32, text: [UInt8])
    /// It was stopped, as it took too long.
    case timedOut
    /// It was stopped, as it printed more than ``maxBytes``.
    case endless
    /// It could not be started; the system's reason.
    case failed(String)
  }

  /// The program's file.
  let path: String
  /// Seconds that a run may take.
  let seconds: Int

  /// Most bytes that a run may print.
  static let maxBytes = 4 << 20

  /// The running process group, 0 for none; read by the signal handler.
  nonisolated(unsafe) private static var running: sig_atomic_t = 0

  /// The file that the shell would run by this name. Only absolute paths of PATH count: programs in the current folder are not run.
  static func find(_ name: String) -> String? {
    guard let path = environmentVariable("PATH") else { return nil }
    for folder in path.split(separator: ":") where folder.hasPrefix("/") {
      let file = "\(folder)/\(name)"
      if isExecutable(file) { return file }
    }
    return nil
  }

  /// A regular file that this user may run.
  static func isExecutable(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }

  /// Ends the running process group. Async-signal-safe.
  static func stop() {
    let group = unsafe running
    if group > 0 { kill(-group, SIGKILL) }
  }

  /// Runs it and waits for its end.
  func run(_ arguments: [String]) -> Outcome {
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { return .failed(systemMessage(errno)) }
    defer { close(ends[0]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    var process: pid_t = 0
    let code = start(arguments, writingTo: ends[1], &process)
    close(ends[1])
    guard code == 0 else { return .failed(systemMessage(code)) }
    unsafe Self.running = process
    defer { unsafe Self.running = 0 }
    return follow(process, reading: ends[0])
  }

  /// Reads its output until it has ended. Its background processes, such as the server of adb, are not waited for.
  private func follow(_ process: pid_t, reading descriptor: Int32) -> Outcome {
    let deadline = LiveStop.now() + Int64(seconds) * 1_000_000
    var text: [UInt8] = []
    var isOpen = true
    while true {
      var status: Int32 = 0
      // The remaining output is read after its end was seen.
      let hasEnded = unsafe waitpid(process, &status, WNOHANG) == process
      if isOpen { isOpen = Self.read(descriptor, &text) }
      if text.count > Self.maxBytes {
        if !hasEnded { Self.end(process) }
        return .endless
      }
      // The status for a signal is that of a shell: 128 and the signal's number.
      if hasEnded { return .ended(status: status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F, text: text) }
      if LiveStop.now() > deadline {
        Self.end(process)
        return .timedOut
      }
      var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      _ = unsafe poll(&wanted, isOpen ? 1 : 0, 10)
    }
  }

  /// Reads the available output. Returns false at the end.
  private static func read(_ descriptor: Int32, _ text: inout [UInt8]) -> Bool {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while text.count <= maxBytes {
      #if canImport(Glibc)
        let count = unsafe Glibc.read(descriptor, &chunk, chunk.count)
      #else
        let count = unsafe Darwin.read(descriptor, &chunk, chunk.count)
      #endif
      if count == 0 { return false }
      if count < 0 { return errno == EAGAIN || errno == EINTR }
      text += chunk[..<count]
    }
    return true
  }

  private static func end(_ process: pid_t) {
    kill(-process, SIGKILL)
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
  }

  private func start(_ arguments: [String], writingTo output: Int32, _ process: inout pid_t) -> Int32 {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
      let environment = unsafe _NSGetEnviron().pointee
    #else
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
      let environment = unsafe environ
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, output, 2)
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // Its own group, so that its children are stopped with it; and default signal handling.
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGPIPE, SIGXFSZ] { unsafe sigaddset(&signals, signal) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    var words: [UnsafeMutablePointer<CChar>?] = unsafe ([path] + arguments).map { unsafe strdup($0) }
    defer { for index in unsafe words.indices { unsafe free(words[index]) } }
    unsafe words.append(nil)
    return unsafe posix_spawn(&process, path, &actions, &attributes, words, environment)
  }

}

extension ExternalProgram.Outcome {
  /// Its output as lines; nil where it did not end by itself.
  var lines: [String]? {
    guard case .ended(_, let text) = self else { return nil }
    return text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether the program ended with status 0.
  var isSuccess: Bool { if case .ended(0, _) = self { true } else { false } }

  /// Why the program `name` gave no result.
  func complaint(_ name: String, seconds: Int) -> String {
    switch self {
    case .timedOut: return "\(name) gave no answer within \(seconds) s"
    case .endless: return "\(name) prints without an end"
    case .failed(let reason): return "\(name) cannot be run: \(reason)"
    case .ended(let status, _):
      let lastLine = (lines ?? []).last { $0.contains { $0 != " " } }.map { ": \($0.prefix(200))" } ?? ""
      return "\(name) ended with status \(status)\(lastLine)"
    }
  }
}

/// Quotes texts for shell commands that are shown to the user.
enum Shell {
  /// A word that a shell takes literally: quoted where it has characters other than letters, digits and harmless signs.
  static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty && !word.hasPrefix("~")
      && word.utf8.allSatisfy {
        Unicode.Scalar($0).properties.isAlphabetic && $0 < 0x80 || (0x30...0x39).contains($0) || "-_./:@%+=,".utf8.contains($0)
      }
    return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}

/// The command that installs programs on this system.
enum Installer {
  /// The package managers, with their names of the packages of adb and tshark.
  private static let managers = [
    ("apt-get", "sudo apt install", "adb", "tshark"), ("dnf", "sudo dnf install", "android-tools", "wireshark-cli"),
    ("pacman", "sudo pacman -S", "android-tools", "wireshark-cli"), ("zypper", "sudo zypper install", "android-tools", "wireshark"),
    ("brew", "brew install", "android-platform-tools", "wireshark"),
  ]
  #if canImport(Darwin)
    private static let opener = "open"
  #else
    private static let opener = "xdg-open"
  #endif

  static var adb: String {
    for (manager, command, package, _) in managers where ExternalProgram.find(manager) != nil { return "\(command) \(package)" }
    return "\(opener) https://developer.android.com/tools/releases/platform-tools"
  }

  static var tshark: String {
    for (manager, command, _, package) in managers where ExternalProgram.find(manager) != nil { return "\(command) \(package)" }
    return "\(opener) https://www.wireshark.org/download.html"
  }
}
