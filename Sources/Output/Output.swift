// Output: everything that is written, a folder for each form. What is written comes from Analysis, in order, and no printer changes it.
//
//     let printer = TextPrinter(TextBuffer(to: file))               // an `EventSink`
//     let timeline = Timeline(source, options: options)
//     let outcome = try timeline.run(facts, to: printer)            // facts: what is known of the file
//
// Read first: `FieldPrinter` (the smallest `EventSink`: names of fields in, columns out), `TextPrinter` (the timeline for people),
// `ReportDocument` (a report as data, which `HTMLWriter` and `MarkdownWriter` write).
//
// - Text: the timeline (`TextPrinter` and its extensions), `SummaryText`, `OperationText`. Operations are put in words in OperationDescription.swift.
// - JSON, CSV, SQLite: rows for programs. Keys and columns of rows are listed in Schema.
// - Report: gathers (`Report`), and makes the document (`ReportBuilder`). HTML, Markdown: write documents; each escapes texts for its format.
// - Comparison, Inference, Profile, Air: what `diff`, `infer`, `profiles show` and sniffers beside a host's log give.
// - Pcapng: a capture with its messages as comments. Objects: files that OBEX transferred.
//
// To add an output: a folder with an `EventSink`, and a case of the `Format` of its command.
