// Comparison: what went otherwise in two captures. Nothing here prints; Output does (`ComparisonText`, `ComparisonJSON`, …).
//
//     capture → Timeline → StepRecorder → Recording ─┐
//                                                    ├→ CaptureComparison → CaptureDifferences
//     capture → Timeline → StepRecorder → Recording ─┘
//
// A `Recording` has one small `Step` for each operation of a capture: what it was, on which attribute, how it ended, and numbers that stand for
// its value and messages. `StepKeys` gives steps of different captures the same number where they mean the same, whatever their time and handle.
// `DeviceMatching` says which device is which, `SessionMatching` which connection; `SequenceAlignment` finds the longest common order.
// `Variation` learns which bytes and fields differ within one capture: these are not reported. `Explanation` says which difference explains the rest.
//
// Read first: `CaptureComparison` (in which order), `Step`, `CaptureDifferences`.
//
// To add something that is compared: put it into `Step` (StepRecorder.swift), into the content of steps (StepKeys.swift), and tell the two apart in
// StepDifferences.swift.
