// Analysis: from packets to rows, messages, findings, operations and summaries. Nothing here prints; Output does.
//
// A capture runs through one pipeline (Pipeline/Timeline.swift):
//
//     PacketSource → BatchProducer (ConversationTracker) → ProfileDecoder → EventSink
//
// The producer passes on batches of rows that no longer change. The decoder adds, in order, the messages that profiles make of values, and findings.
// A sink receives all events: a printer, a filter before another sink, `Summary`, `Operations`. Long captures run on two threads; if a sink has a
// `MessageRenderer`, the second thread decodes and renders messages (`DecodeWorker`, `RenderedBatch`).
//
// Read first: `Timeline` (the pipeline), `EventSink` (its output), `ProfileDecoder` (the order of events).
//
// - Pipeline: readers, threads, batches, links between connections and profiles.
// - Findings: `LinkDiagnostics` examines rows, `MessageDiagnostics` messages, `SubscriptionTracker` tracks subscriptions for both.
// - Operations: one row for a request with its response, and for procedures of several packets (connecting, pairing, discovery).
// - Summary: adapters, devices, connections, GATT tables and traffic of a capture, in bounded memory.
// - DisplayFilter: display filters with Wireshark's field names.
//
// To add a finding: a case of `Finding.Kind` (Conversations), its row in Findings/FindingTexts.swift, and the call that reports it:
// `report(.myFinding(…), …)` in the conversation tracker (single packets), `LinkDiagnostics` (rows) or `MessageDiagnostics` (messages). A packet
// sequence that has the finding and one that almost has it go to Tests/AnalysisTests/FindingCaseTests.swift, which does not compile without them.
//
// To add an operation: a case of `Operation.Kind`, and the rows that begin and end it in the file of their protocol (Operations+ATT.swift,
// Operations+Link.swift, Operations+LinkLayer.swift): `begin`, `change`, `end`.
//
// To add a row of the summary: count it in `Summary.packet(_:_:isPart:)`, and write it in Output (SummaryText, SummaryJSON).
