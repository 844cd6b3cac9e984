// Display filters with Wireshark's grammar and field names: man btscribe-filter(5).
//
// FilterSyntax parses an expression into nodes, FilterProgram checks it and compiles it into steps, FilterEvaluator (Filter.swift) runs the steps for
// each packet. FilterFields reads the tables of fields: those of a protocol are in its folder (`filterFields` in Bluetooth/Protocols), those of the
// packet itself in ComputedFields/, together with the accessors of computed values.
//
// To add a field: a line in `filterFields` of its protocol. If the line ends with `=`, a row with the same name in ComputedFields/ computes the
// values.
