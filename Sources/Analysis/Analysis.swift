// Analysis: from packets to rows, messages, findings, operations and summaries. Nothing here prints; Output does.
//
// A capture runs through one pipeline (Pipeline/Timeline.swift):
//
//     PacketSource → BatchProducer (ConversationTracker) → ProfileDecoder → EventSink
//
// The producer hands on batches of rows that do not change any more. The decoder adds, in order, the messages that profiles make of values, and
// findings. A sink receives all of it: a printer, a filter in front of another sink, `Summary`, `Operations`. Long captures run on two threads;
// where a sink has a `MessageRenderer`, the second one decodes and renders messages (`DecodeWorker`, `RenderedBatch`).
//
// Read first: `Timeline` (the pipeline), `EventSink` (what comes out of it), `ProfileDecoder` (in which order).
//
// - Pipeline: readers, threads, batches, links between connections and profiles.
// - Findings: `LinkDiagnostics` looks at rows, `MessageDiagnostics` at messages, `SubscriptionTracker` follows subscriptions for both.
// - Operations: one row for a request with its response, and for procedures of several packets (connecting, pairing, discovery).
// - Summary: adapters, devices, connections, GATT tables and traffic of a capture, in bounded memory.
// - DisplayFilter: display filters in Wireshark's names.
//
// To add a finding: a case of `Finding.Kind` (Conversations), its row in Findings/FindingTexts.swift, and the place that reports it:
// `report(.myFinding(…), …)` in the conversation tracker (single packets), `LinkDiagnostics` (rows) or `MessageDiagnostics` (messages). A scene
// that has it and one that comes near go to Tests/AnalysisTests/FindingCaseTests.swift, which does not compile without them.
//
// To add an operation: a case of `Operation.Kind`, and the rows that begin and end it in the file of their protocol (Operations+ATT.swift,
// Operations+Link.swift, Operations+LinkLayer.swift): `begin`, `change`, `end`.
//
// To add a row of the summary: count it in `Summary.packet(_:_:isPart:)`, and write it in Output (SummaryText, SummaryJSON).
