// Output: everything that is written, a folder for each form. Printers get rows, messages and findings from Analysis in order, and do not change
// them.
//
//     let printer = TextPrinter(TextBuffer(to: file))               // an `EventSink`
//     let timeline = Timeline(source, options: options)
//     let outcome = try timeline.run(facts, to: printer)            // facts: known facts about the file
//
// Read first: `FieldPrinter` (the smallest `EventSink`: names of fields in, columns out), `TextPrinter` (the timeline for people),
// `ReportDocument` (a report as data, which `HTMLWriter` and `MarkdownWriter` write).
//
// - Text: the timeline (`TextPrinter` and its extensions), `SummaryText`, `OperationText`. OperationDescription.swift describes operations.
// - JSON, CSV, SQLite: rows for programs. Keys and columns of rows are listed in Schema.
// - Report: gathers (`Report`), and makes the document (`ReportBuilder`). HTML, Markdown: write documents; each escapes texts for its format.
// - Comparison, Inference, Profile, Air: the output of `diff`, `infer`, `profiles show`, and of sniffers' captures of the same session.
// - AnnotatedCapture: a capture in pcapng with its messages as comments. Objects: files that OBEX transferred.
//
// To add an output: a folder with an `EventSink`, and a case of the `Format` of its command.
