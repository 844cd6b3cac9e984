// Bluetooth: the packets of the specifications. Names and layouts of PDUs, enumerations, assigned numbers. It holds no state of a capture.
//
// A layout is a text (`connection_handle:u16{handle} reason:u8{status}`, see Layout/Layout.swift), compiled once; it walks over the bytes of a PDU
// and passes each field to a `FieldVisitor`. Nothing is copied, all lengths are checked, secrets are marked in the layout.
//
//     var visitor = MyVisitor()                                   // field(_:_:at:in:), problem(_:), …
//     HCI.walkCommand(bytes, &visitor)                            // a protocol by its name
//     row.layer.walk(bytes, PDUContext(), &visitor)               // the protocol of a number, through the registry
//
// Read first: `PDUTable` (PDUs by their codes), `FieldVisitor` (receives the fields of a walk), `ProtocolDescription` (names, channels and readers of
// a protocol).
//
// - Layout: the layout language and its interpreter.
// - AssignedNumbers: names of the Bluetooth SIG's numbers, UUIDs, device addresses. The tables are files of the target CAssignedNumbers.
// - Registry: all protocols, by number, channel and PSM.
// - Protocols: a folder for each.
//
// To add a protocol: a folder below Protocols with a type that conforms to `ProtocolDescription` (BNEP is an example that needs no state) and its
// number, and a line in Registry/ProtocolRegistry.swift. Channels of its PSMs, its rows in every format, its names and its filter fields follow from
// the description. Only state that the conversation tracker keeps for it is written elsewhere: ConversationTracker+….swift.
