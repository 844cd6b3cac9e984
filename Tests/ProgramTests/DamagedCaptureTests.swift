import Foundation
import Testing

/// Damaged captures through the whole program, a few of each; CONTRIBUTING.md has the command for many.
@Suite struct DamagedCaptureTests {
  @Test(.enabled(if: Oracle.hasTools, "no python3"))
  func rowsBeforeTheDamageStand() throws {
    let samples = ["gopro.btsnoop", "typed-object.pcapng", "heart-rate.pklg"]
    try Oracle.python(
      "../Fuzz/damage.py",
      ["-n", "5", "-m", "5", Program.path] + samples.map { Program.root.appendingPathComponent("Samples/\($0)").path })
  }
}
