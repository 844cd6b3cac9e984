import Foundation
import Testing

/// Files that the program finds by itself, and endless inputs.
@Suite struct FoundFileTests {
  /// Runs a shell line in a folder of its own with a capture `c` and a profile `good.yaml`.
  private func run(_ line: String) throws -> (status: Int32, output: String, errors: String) {
    try Program.shell(
      """
      cd "$TMP" && cp "\(Program.root.path)/Samples/gopro.btsnoop" c && ulimit -t 60 && ulimit -v 8000000
      printf 'profile: good\\nmatch: {names: [GoPro 4821], services: [fea6]}\\ncharacteristics: {a: {uuid: b5f90072-aa8d-11e3-9046-0002a5d5c51b, write: bytes}}\\n' > good.yaml
      printf 'profile: bad\\ncharacteristics: {a: {uuid: fff1, value: t}}\\ntypes: {t: {seq: [{id: x, size-eos: maybe}]}}\\n' > bad.yaml
      \(line)
      """)
  }

  /// The pipe has no writer: reading it would never end.
  @Test(arguments: ["timeline c", "summary c", "profiles list"])
  func aPipeThatIsCalledLikeAProfile(command: String) throws {
    let result = try run("mkfifo x.btscribe.yaml; timeout 60 btscribe \(command) > /dev/null")
    #expect(result.status == 0, "\(result.status)")
    #expect(result.errors.contains("x.btscribe.yaml: not a regular file"), "\(result.errors)")
  }

  @Test func importsThatArePipes() throws {
    let result = try run(
      "mkfifo p.ksy; printf 'meta: {id: s, imports: [p]}\\nseq: [{id: a, type: p}]\\n' > s.ksy; timeout 60 btscribe ksy --spec s.ksy c")
    #expect(result.status == 65 && result.errors.contains("p"), "\(result.status) \(result.errors)")
  }

  /// A file that the user names may be a pipe.
  @Test func namedPipes() throws {
    let result = try run("mkfifo p.yaml; cat good.yaml > p.yaml & timeout 60 btscribe --profile ./p.yaml c > /dev/null")
    #expect(result.status == 0 && result.errors == "", "\(result.errors)")
  }

  @Test func profilesOfTheFolderAreReported() throws {
    let used = try run("cp good.yaml good.btscribe.yaml; btscribe c > /dev/null")
    #expect(used.status == 0 && used.errors == "btscribe: using profile good of this folder: good.btscribe.yaml\n", "\(used.errors)")
    let unused = try run("sed 's/fea6/1234/' good.yaml > good.btscribe.yaml; btscribe c > /dev/null")
    #expect(unused.status == 0 && unused.errors == "", "\(unused.errors)")
  }

  @Test(arguments: [
    "timeline @ c", "summary @ c", "operations @ c", "report @ --format markdown -o - c", "convert @ -Y btatt c x.pcap", "infer @ c",
    "redact @ c x.btsnoop", "live -q @ c", "profiles list @",
  ])
  func aProfileThatIsAskedForMustLoad(command: String) throws {
    let result = try run("btscribe \(command.replacing("@", with: "--profile ./bad.yaml")) > /dev/null")
    #expect(result.status == 65 && result.errors.hasPrefix("btscribe: ./bad.yaml:3:"), "\(result.status) \(result.errors)")
  }

  @Test func aMarkAtTheStart() throws {
    let result = try run("(printf '\\357\\273\\277'; cat good.yaml) > mark.yaml; btscribe profiles check ./mark.yaml")
    #expect(result.status == 0 && result.output.contains("good"), "\(result.errors)")
  }

  /// The time is linear in their number, not quadratic.
  @Test func thousandsOfProfiles() throws {
    let result = try run(
      """
      for i in $(seq 3000); do
        printf 'profile: p%d\\nmatch: {services: [1234]}\\ncharacteristics: {a: {uuid: fff1, value: bytes}}\\n' $i > p$i.btscribe.yaml
      done
      btscribe profiles list | wc -l; btscribe c > /dev/null
      """)
    #expect(result.status == 0 && result.errors == "")
    #expect(Int(result.output.filter(\.isNumber)) ?? 0 > 3000)
  }

  /// A file of a kilobyte does not make a tree of a gigabyte.
  @Test func aDescriptionWithinItself() throws {
    let result = try run(
      """
      printf 'meta: {id: e, endian: le}\\nseq: [{id: a, type: u1}]\\n' > e.ksy
      printf 'instances: {x: {pos: 0, type: e, repeat: expr, repeat-expr: 3}}\\n' >> e.ksy
      head -c 1000 c > small; btscribe ksy --spec e.ksy small | wc -c
      """)
    #expect(Int(result.output.filter(\.isNumber)) ?? .max < 16 << 20, "\(result.output)\(result.errors)")
  }

  @Test func checksumsOfAPipe() throws {
    #expect(try run("printf '00\\n01\\n' | btscribe crc --algorithm sum8 -").output.split(separator: "\n").count == 2)
    let endless = try run("yes 00 | btscribe crc --algorithm sum8 -")
    #expect(endless.status == 65 && endless.errors.contains("MiB"), "\(endless.errors)")
  }

  /// One interrupt ends the program.
  @Test(arguments: ["live -q -", "timeline -"])
  func anInterruptEndsEndlessInput(command: String) throws {
    let endless = try run("timeout -s INT -k 50 1 btscribe \(command) < /dev/zero > /dev/null; echo $?")
    #expect(["0\n", "65\n", "66\n", "124\n", "130\n"].contains(endless.output), "\(endless.output)")
    let packets = try run(
      """
      (cat c; while tail -c +17 c; do :; done) 2> /dev/null | timeout -s INT -k 50 1 btscribe \(command) > /dev/null 2>&1; echo $?
      """)
    #expect(["0\n", "124\n", "130\n"].contains(packets.output), "\(packets.output)")
  }

  @Test(arguments: [
    ("-c -5 c", 64), ("-c 0 c", 64), ("summary -c -5 c", 64), ("convert -c -5 c x.pcap", 64), ("live -c -5 c", 64), ("tcp:", 64),
    ("tcp:nonsense", 64), ("tcp:host:port", 64), ("tcp:127.0.0.1:1", 69), ("live tcp:127.0.0.1:1", 69), ("tcp:nothing.invalid:8872", 69),
  ])
  func statuses(command: String, status: Int) throws {
    let result = try run("btscribe \(command) > /dev/null")
    #expect(result.status == Int32(status) && result.errors.hasPrefix("btscribe: "), "\(result.status) \(result.errors)")
  }

  /// A recording on a full disk ends with a complete block.
  @Test(arguments: ["large.pcapng", "large.btsnoop"])
  func recordingsEndWhole(file: String) throws {
    let result = try run(
      """
      (cat c; for i in $(seq 40); do tail -c +17 c; done) > many
      (ulimit -f 333; btscribe live -q -w \(file) many > /dev/null 2>&1); btscribe summary \(file) > /dev/null && test $(wc -c < \(file)) -gt 150000
      """)
    #expect(result.status == 0, "\(result.errors)")
  }
}
