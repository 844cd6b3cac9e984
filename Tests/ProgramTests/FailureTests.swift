import Foundation
import Testing

/// Errors around the program: every command that reads or writes has a message and a status for them (contract: sysexits.h).
@Suite struct FailureTests {
  /// Runs a shell line. `$B` is a folder of its own with a capture `c.btsnoop`, an empty file, a folder, a FIFO and an unreadable file.
  private func run(_ line: String) throws -> (status: Int32, output: String, errors: String) {
    // Root can read everything, so it runs the line as nobody.
    try Program.shell(
      """
      cd "$TMP" && cp "\(Program.root.path)/Samples/gopro.btsnoop" c.btsnoop && cp "\(Program.root.path)/Samples/btsnoop.ksy" s.ksy || exit 99
      : > empty; mkdir folder closed; mkfifo fifo; cp c.btsnoop secret; cp s.ksy secret.yaml; chmod 000 secret secret.yaml; chmod 555 closed
      nobody() { if [ "$(id -u)" = 0 ]; then chmod 755 "$TMP"; setpriv --reuid 65534 --clear-groups "$@"; else "$@"; fi; }
      \(line)
      """)
  }

  /// Commands that read a capture (or a file) at @.
  static let readers = [
    "timeline @", "summary @", "operations @", "convert --to pcap @ /dev/null", "report @ -o /dev/null --format html",
    "ksy --spec s.ksy @", "redact -q --to pcap @ /dev/null", "convert -q @ made.sqlite", "convert -q --annotate @ made.pcapng", "live -q @",
    "live -q -w made.btsnoop @",
  ]

  @Test(arguments: readers)
  func inputs(command: String) throws {
    func at(_ file: String) -> String { "btscribe " + command.replacingOccurrences(of: "@", with: file) }
    let isCapture = !command.hasPrefix("ksy")

    let missing = try run(at("nothing"))
    #expect(missing.status == 66 && missing.errors == "btscribe: nothing: No such file or directory\n")
    let folder = try run(at("folder"))
    #expect(folder.status == 66 && folder.errors.lowercased().contains("is a directory\n") || folder.errors.contains("it is a directory"))
    // With `live`, an empty file may grow.
    let isFollowed = command.hasPrefix("live")
    let empty = try run((isFollowed ? "timeout 1 " : "") + at("empty"))
    #expect(isFollowed ? [0, 124].contains(empty.status) : empty.status == 65 && empty.errors.hasPrefix("btscribe: empty"))
    // Both are endless: reading them is limited by processor time, which does not depend on the machine's load.
    let noise = try run("ulimit -v 8000000; ulimit -t 60; " + at("/dev/urandom"))
    #expect(noise.status == (isCapture ? 65 : 66) && noise.errors.hasPrefix("btscribe: /dev/urandom"), "\(noise.errors)")
    let zeros = try run("ulimit -v 8000000; ulimit -t 60; " + at("/dev/zero"))
    #expect(zeros.status == (isCapture ? 65 : 66))
    #expect(zeros.errors.contains(isCapture ? "/dev/zero is nothing but zero bytes" : "/dev/zero: File too large"))
    let fifo = try run("cat c.btsnoop > fifo & ulimit -t 60; " + at("fifo"))
    #expect(fifo.status == 0 && !fifo.errors.contains("cut short"), "\(fifo.errors)")
  }

  @Test(
    .enabled(if: getuid() != 0 || FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv"), "root, and no setpriv"),
    arguments: readers)
  func unreadableInput(command: String) throws {
    let result = try run("nobody btscribe " + command.replacingOccurrences(of: "@", with: "secret"))
    #expect(result.status == 77 && result.errors.hasPrefix("btscribe: secret: ") && result.errors.contains("Permission denied"))
  }

  /// A requested part that is missing is an error, and not left out silently.
  @Test func whatIsNotThereIsReported() throws {
    let member = try run("btscribe summary --member nothing c.btsnoop")
    #expect(member.status == 64 && member.output.isEmpty, "\(member.status)")
    #expect(member.errors.contains("c.btsnoop: it is not an archive, so no file in it ends with nothing"), "\(member.errors)")
    let archive = try run("tar cf a.tar c.btsnoop && btscribe summary --member c.btsnoop a.tar")
    #expect(archive.status == 0 && archive.output.contains("btsnoop (H4)"), "\(archive.errors)")
    let topic = try run("btscribe help nothing")
    #expect(topic.status == 64 && topic.errors == "btscribe: no command is called \"nothing\"\n" && topic.output.isEmpty, "\(topic.errors)")
    for known in ["help", "help timeline", "help profiles list", "help help"] {
      let help = try run("btscribe \(known)")
      #expect(help.status == 0 && help.output.contains("USAGE"), "\(known)")
    }
  }

  /// Output about a capture does not overwrite it.
  @Test(arguments: [
    "timeline -o c.btsnoop", "summary -o ./c.btsnoop", "summary --gatt-out c.btsnoop", "operations -o link", "live -q -w c.btsnoop",
    "live -q -o c.btsnoop", "report --format html -o c.btsnoop", "fields -e frame.number -o c.btsnoop", "ksy --spec s.ksy -o c.btsnoop",
  ])
  func outputOverInput(command: String) throws {
    let result = try run(
      "ln -s c.btsnoop link; cp c.btsnoop before; timeout 60 btscribe \(command) c.btsnoop; s=$?; cmp c.btsnoop before || s=1; exit $s")
    #expect(result.status == 64 && result.errors.contains("is a file that is read"), "\(result.errors)")
  }

  /// Nor if a shell opened it as standard input or output.
  @Test(arguments: [
    "redact -q - c.btsnoop < c.btsnoop", "redact -q c.btsnoop - 1<> c.btsnoop", "redact -q c.btsnoop - >> c.btsnoop",
    "redact -q --check - < c.btsnoop >> c.btsnoop", "convert -q - c.btsnoop < c.btsnoop", "timeline - -o c.btsnoop < c.btsnoop",
    "timeline c.btsnoop >> c.btsnoop", "summary c.btsnoop -o /dev/stdout >> c.btsnoop", "operations c.btsnoop >> c.btsnoop",
    "keys c.btsnoop >> c.btsnoop", "fields -e frame.number c.btsnoop 1<> c.btsnoop", "report --format markdown -o - c.btsnoop >> c.btsnoop",
  ])
  func outputOverInputThatTheShellOpened(command: String) throws {
    let result = try run("cp c.btsnoop before; timeout 60 btscribe \(command); s=$?; cmp c.btsnoop before || s=1; exit $s")
    #expect(result.status == 64 && result.errors.contains("is a file that is read"), "\(result.errors)")
  }

  /// Nor does it overwrite keys, tables or profiles that are read with it.
  @Test(arguments: [
    "timeline -o other --keys other c.btsnoop", "summary -o other --gatt other c.btsnoop", "operations -o other --profile other c.btsnoop",
    "redact --to btsnoop --profile other c.btsnoop other", "fields -e frame.number -o other --keys other c.btsnoop",
  ])
  func outputOverWhatIsReadBeside(command: String) throws {
    let result = try run(
      "echo something > other; cp other before; timeout 60 btscribe \(command); s=$?; cmp other before || s=1; exit $s")
    #expect(result.status == 64 && result.errors.contains("other is a file that is read"), "\(command): \(result.errors)")
  }

  /// Nor do commands about profiles overwrite the profile, and parts of a capture the capture that is split.
  @Test(arguments: [
    "profiles check p.yaml -o p.yaml", "profiles test p.yaml -o p.yaml", "profiles show --format html p.yaml -o p.yaml",
    "profiles list --profile p.yaml -o p.yaml", "profiles watch p.yaml c.btsnoop -o p.yaml",
    "decode --profile p.yaml --characteristic a 01 -o p.yaml", "infer --with p.yaml c.btsnoop -o p.yaml",
    "convert -q --split connection part out.btsnoop",
  ])
  func outputOverAProfile(command: String) throws {
    let result = try run(
      """
      printf 'profile: x\ncharacteristics: {a: {handle: 0x10, notify: m}}\ntypes: {m: {seq: [{id: p, type: u1}]}}\n' > p.yaml
      btscribe convert -q --split connection c.btsnoop out.btsnoop; part=$(ls out-* | head -n 1); cp c.btsnoop $part; ln -s $part part
      cp p.yaml before; cp $part whole
      timeout 60 btscribe \(command); s=$?; cmp p.yaml before || s=1; cmp $part whole || s=1; exit $s
      """)
    #expect(result.status == 64 && result.errors.contains("is a file that is read"), "\(result.errors)")
  }

  /// A checksum search in too many frames ends, and reports it.
  @Test func aSearchForChecksumsThatTakesTooLong() throws {
    let frames = "for i in $(seq 1000 2600); do printf '%s%0400d\\n' $i $((i * i * i)); done"
    let result = try run("\(frames) | timeout 120 btscribe crc --identify -")
    #expect(result.status == 0 && result.errors.contains("the search was ended early"), "\(result)")
  }

  /// `-o /dev/stdout` writes to standard output, and does not replace the file behind it.
  @Test func standardOutputByItsName() throws {
    let result = try run("(echo head; btscribe summary c.btsnoop -o /dev/stdout || exit 1; echo tail) > f && head -1 f && tail -1 f")
    #expect(result.status == 0 && result.output.hasPrefix("head\n") && result.output.hasSuffix("tail\n"), "\(result)")
  }

  /// Packets and text of one recording need separate files.
  @Test func oneFileForPacketsAndText() throws {
    let result = try run("btscribe live -q -w both -o both c.btsnoop; s=$?; test ! -e both || s=1; exit $s")
    #expect(result.status == 64 && result.errors.contains("both packets and text"), "\(result.errors)")
  }

  /// A recording reports what the format of its file cannot hold: here one packet of the Link Layer, which btsnoop has no place for.
  @Test func aRecordingWithoutPackets() throws {
    let pcap =
      #"printf '\324\303\262\241\002\0\004\0\0\0\0\0\0\0\0\0\377\377\0\0\373\0\0\0\0\0\0\0\0\0\0\0\013\0\0\0\013\0\0\0\326\276\211\216\0\001\1\2\3\4\5'"#
    let none = try run("\(pcap) | btscribe live -q - -w none.btsnoop")
    #expect(none.status == 65 && none.errors.contains("can have none of the packets"), "\(none)")
    #expect(none.errors.contains("as the format has no place for them"), "\(none)")
    let all = try run("\(pcap) | btscribe live -q - -w all.pcapng")
    #expect(all.status == 0 && !all.errors.contains("no place"), "\(all)")
  }

  /// Instances that print the same bytes again and again.
  @Test func aDescriptionThatPrintsWithoutEnd() throws {
    let result = try run(
      #"printf 'meta: {id: all}\nseq: [{id: rows, type: row, repeat: eos}]\ntypes: {row: {seq: [{id: a, type: u1}], instances: {all: {pos: 0, size-eos: true, io: _root._io}}}}\n' > all.ksy; "#
        + "head -c 30000 /dev/zero > zeros; ulimit -v 1000000; btscribe ksy --format json --spec all.ksy zeros")
    #expect(result.status == 65 && result.errors.contains("nothing is printed") && result.output.isEmpty, "\(result.errors)")
  }

  /// Bytes of a channel that is not decoded are in the output for programs, too.
  @Test func bytesOfChannels() throws {
    let lines = try run(
      #"printf '\324\303\262\241\002\0\004\0\0\0\0\0\0\0\0\0\377\377\0\0\311\0\0\0\0\0\0\0\0\0\0\0\017\0\0\0\017\0\0\0\0\0\0\0\002\100\0\006\0\002\0\100\0\252\273' "#
        + "| btscribe - --format ndjson")
    #expect(lines.output.contains(#""layer":"l2cap""#) && lines.output.contains(#""data":"aabb""#), "\(lines)")
  }

  /// Commands that write results.
  static let writers = [
    "timeline c.btsnoop", "timeline --format ndjson c.btsnoop", "summary c.btsnoop", "summary --format json c.btsnoop",
    "operations c.btsnoop",
    "operations --format json c.btsnoop", "ksy --spec s.ksy c.btsnoop", "convert --to pcapng c.btsnoop -", "profiles list",
    "profiles show gopro", "fields", "crc --list", "decode --profile gopro --characteristic command 0201 0117",
    "--help", "live -q c.btsnoop", "live -q --format ndjson c.btsnoop", "redact -q c.btsnoop -", "encode --profile gopro command id=sleep",
    "profiles check gopro", "profiles test gopro", "report --format html c.btsnoop -o -", "report --format markdown c.btsnoop -o -",
    "crc --algorithm CRC-16/ARC 00", "timeline --format csv c.btsnoop",
  ]

  @Test(arguments: writers)
  func fullDisk(command: String) throws {
    let result = try run("btscribe \(command) > /dev/full")
    #expect(result.status == 74, "\(result.errors)")
    #expect(result.errors == "btscribe: standard output: No space left on device\n")
  }

  /// The result of a check is also its exit status, unless the result could not be written.
  @Test func checkOnAFullDisk() throws {
    let result = try run("btscribe redact --check c.btsnoop > /dev/full")
    #expect(result.status == 74 && result.errors == "btscribe: standard output: No space left on device\n", "\(result.errors)")
  }

  @Test(arguments: writers)
  func closedPipe(command: String) throws {
    let result = try run("mkfifo gone; { exec < gone; } & { sleep 0.2; btscribe \(command); echo $? > status; } > gone; cat status")
    #expect(result.output == "0\n" && result.errors == "", "\(result.output)\(result.errors)")
  }

  @Test(arguments: [
    "timeline c.btsnoop -o @", "summary c.btsnoop -o @", "operations c.btsnoop -o @", "report c.btsnoop --format html -o @",
    "ksy --spec s.ksy c.btsnoop -o @", "convert -q --to pcapng c.btsnoop @", "summary c.btsnoop --gatt-out @",
    "redact -q --to btsnoop c.btsnoop @", "convert -q --annotate --to pcapng c.btsnoop @", "convert -q --to sqlite c.btsnoop @",
    "live -q c.btsnoop -o @", "report c.btsnoop --format markdown -o @", "profiles list -o @",
    "decode --profile gopro --characteristic command 0201 0117 -o @", "encode --profile gopro command id=sleep -o @",
  ])
  func outputs(command: String) throws {
    func at(_ file: String) -> String { "btscribe " + command.replacingOccurrences(of: "@", with: file) + " > /dev/null" }
    for (file, reason) in [
      ("/dev/full", "No space left on device"), ("folder", "Is a directory"), ("nowhere/file", "No such file or directory"),
    ] {
      let result = try run(at(file))
      // SQLite seeks in its file.
      let wanted = command.contains("sqlite") && file == "/dev/full" ? "an SQLite file has to be a plain file" : reason
      #expect(result.status == 74 && result.errors == "btscribe: \(file): \(wanted)\n", "\(file): \(result.status) \(result.errors)")
    }
    // A limit on the size of files, in blocks of 512 bytes.
    let limited = try run("ulimit -f 1; " + at("large"))
    if ["summary c.btsnoop --gatt-out", "decode", "encode"].contains(where: command.hasPrefix) { return }
    // SQLite does not report why it could not write.
    let wanted = command.contains("sqlite") ? "disk I/O error" : "File too large"
    #expect(limited.status == 74 && limited.errors == "btscribe: large: \(wanted)\n", "\(limited.status) \(limited.errors)")
  }

  /// A recording that cannot be written is an error; the display goes on to its end.
  @Test(arguments: [
    ("folder.btsnoop", "Is a directory"), ("nowhere/file.btsnoop", "No such file or directory"), ("large.pcapng", "File too large"),
  ])
  func recordings(file: String, reason: String) throws {
    let result = try run(
      """
      mkdir folder.btsnoop; (head -c 16 c.btsnoop; for i in $(seq 40); do tail -c +17 c.btsnoop; done) > many.btsnoop
      ulimit -f 200; btscribe live -q -w \(file) many.btsnoop > /dev/null
      """)
    #expect(result.status == 74 && result.errors.contains("btscribe: \(file): \(reason)\n"), "\(result.status) \(result.errors)")
  }

  /// If the system has no more memory, one line reports it, and no incomplete file is left.
  @Test(
    .enabled(if: FailureTests.isGNU, "the message is told by GNU's C library"),
    arguments: ["timeline c.btsnoop", "report c.btsnoop -o out.html"])
  func memory(command: String) throws {
    // The initial memory of the program differs between machines: the limit is lowered until it is not enough.
    let result = try run(
      """
      for size in $(seq 200000 -1000 8000); do
        (ulimit -v $size; exec btscribe \(command) > result 2> errors); status=$?
        if [ $status != 0 ]; then cat errors >&2; ls; exit $status; fi
      done
      """)
    #expect(result.status == 71 && result.errors == "btscribe: the system gives no more memory\n", "\(result.status) \(result.errors)")
    #expect(!result.output.contains("part"), "\(result.output)")
  }
  #if canImport(Glibc)
    static let isGNU = true
  #else
    static let isGNU = false
  #endif

  /// If the system has no threads, one thread does all the work.
  @Test(
    .enabled(
      if: ["prlimit", "setpriv"].allSatisfy { FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)") },
      "no prlimit, or no setpriv"), arguments: ["infer c.btsnoop", "summary c.btsnoop c.btsnoop", "timeline c.btsnoop"])
  func threads(command: String) throws {
    let result = try run(
      """
      export BTSCRIBE_THREADS=4
      btscribe \(command) > wanted; chmod 755 "$TMP"; as=; [ "$(id -u)" != 0 ] || as="setpriv --reuid 65534 --clear-groups"
      timeout 60 $as prlimit --nproc=0 btscribe \(command) > result; status=$?
      cmp wanted result || exit 98; exit $status
      """)
    #expect(result.status == 0 && result.errors == "", "\(result.status) \(result.errors)")
  }

  @Test(arguments: ["timeline --profile @ c.btsnoop", "profiles check @", "timeline --gatt @ c.btsnoop", "ksy --spec @ c.btsnoop"])
  func sideFiles(command: String) throws {
    func at(_ file: String) -> String { "btscribe " + command.replacingOccurrences(of: "@", with: file) + " > /dev/null" }
    for (file, status, reason) in [
      ("./nothing", 66, "No such file or directory"), ("./folder", 66, "Is a directory"), ("./empty", 65, "the file is empty"),
      ("/dev/zero", 66, "File too large"),
    ] {
      let result = try run("ulimit -v 8000000; ulimit -t 60; " + at(file))
      #expect(
        result.status == Int32(status) && result.errors.hasPrefix("btscribe: \(file):") && result.errors.contains(reason),
        "\(file): \(result.status) \(result.errors)")
    }
    if getuid() != 0 || FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv") {
      let result = try run("nobody " + at("./secret.yaml"))
      #expect(result.status == 77 && result.errors == "btscribe: ./secret.yaml: Permission denied\n", "\(result.status) \(result.errors)")
    }
  }

  /// Files are read with read(2), not mapped: a file that is truncated meanwhile ends early, without SIGBUS.
  @Test func aFileThatShrinks() throws {
    let result = try run(
      """
      for i in $(seq 300); do cat c.btsnoop; done > many; cp c.btsnoop long; tail -c +17 -q $(yes c.btsnoop | head -300) >> long
      btscribe timeline --format ndjson long > rows & sleep 0.05; truncate -s 4000 long; wait $!; echo $?
      """)
    #expect(["0\n", "65\n"].contains(result.output), "\(result.output)\(result.errors)")
  }
}
