// Captures: reads and writes capture files, and captures live. It knows the kind of a packet (`PacketRecord`), but does not decode it.
//
// Read first: `CaptureFormat` (a file format), `PacketSource` (the source of packets), `PacketBatch` (packets and their bytes).
//
//     let source = try CaptureFile.open("Samples/gopro.btsnoop")
//     let batch = PacketBatch()
//     while try source.read(batch) {
//       for record in batch.records { print(record.frame, record.time, batch.payload(record).count) }
//     }
//
// - Formats: one file for each format. It holds the description (`CaptureFormat`), the reader (`RecordReader`) and the encoder
//   (`CaptureEncoder`). `CaptureFormats.swift` lists them.
// - LinkTypes: the header before a packet in a record, by link type: `LinkType` describes it, `LinkType.all` lists them.
// - IO: opening (`CaptureFile`), reading in batches (`RecordSource`), writing (`CaptureWriter`), inputs and outputs of bytes.
// - Archives: zip and tar, and the selection of the file to read in a bug report.
// - Live: the HCI monitor of this host, and sources that grow while they are read.
//
// To add a format: a file in Formats with `static let myFormat = CaptureFormat(…)`, and a line in CaptureFormats.swift. Detection, `convert --to`,
// file endings, help and error messages follow from it. Fixtures of an independent writer go to Tests/CapturesTests/Fixtures/make_captures.py.
//
// To add a link type: a `static let` in LinkTypes, and a line in `LinkType.all`.
