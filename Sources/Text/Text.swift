// Text: output in UTF-8, gathered in memory and handed on in large pieces. No `String` is made for a packet.
//
//     let out = TextBuffer(to: file)                                // file: any TextDestination
//     out.text("handle ")                                           // what stands in the program
//     out.hex(UInt64(handle), digits: 4)
//     out.untrusted(name, .terminal)                                // what came from the air: control characters are escaped
//     try out.finish()
//
// Read first: `TextBuffer`, `TextBuffer.Escape` (how untrusted text is escaped for a terminal, JSON, …), `TextDestination` (where it goes).
//
// - TextBuffer+Cursor.swift: for hot paths, writing at a pointer after room was made once.
// - CSVWriter.swift: lines of CSV, with quotes where a field needs them.
// - Bytes+Text.swift: numbers and text at the end of an array of bytes, where no buffer is at hand.
// - YAMLQuoting.swift: a text in double quotes, as YAML wants it.
