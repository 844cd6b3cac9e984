// Text: output in UTF-8, buffered in memory and written in large pieces. No `String` is made for a packet.
//
//     let out = TextBuffer(to: file)                                // file: any TextDestination
//     out.text("handle ")                                           // a literal of the program
//     out.hex(UInt64(handle), digits: 4)
//     out.untrusted(name, .terminal)                                // text from the air: control characters are escaped
//     try out.finish()
//
// Read first: `TextBuffer`, `TextBuffer.Escape` (how untrusted text is escaped for a terminal, JSON, …), `TextDestination` (the file or pipe).
//
// - TextBuffer+Cursor.swift: for hot paths, writing through a pointer after memory was reserved once.
// - CSVWriter.swift: lines of CSV, with quotes where a field needs them.
// - Bytes+Text.swift: appends numbers and text to an array of bytes, where there is no buffer.
// - CivilDate.swift: dates of the calendar, and days since 1970.
// - YAMLQuoting.swift: a text in double quotes, as YAML wants it.
