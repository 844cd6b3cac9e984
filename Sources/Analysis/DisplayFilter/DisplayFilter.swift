// Display filters in Wireshark's grammar, with Wireshark's names of fields: man btscribe-filter(5).
//
// FilterSyntax parses an expression into nodes, FilterProgram checks it and compiles it into steps, FilterEvaluator (Filter.swift) runs the steps
// over each packet. FilterFields reads the tables of fields: those of a protocol lie with the protocol (`filterFields` in Bluetooth/Protocols),
// those of the whole packet in Fields/, where computed values have their accessors too.
//
// To add a field: a line in `filterFields` of its protocol. Where the line ends with `=`, a row of the same name in ComputedFields/ computes the values.
