// BothSides: puts what a host logged beside what sniffers heard of the same session.
//
//     let host = try RecordedSession(CaptureFile.open("phone.log"))
//     let heard = try RecordedSession(DecryptingSource(CaptureFile.open("sniffer.pcapng"), decryptor))
//     let match = try SessionMatch(host, heard)
//     match.clock.error                                       // µs
//
// Read first: `RecordedSession` (the PDUs of a capture, without their bytes), `SessionMatch` (which PDU of the host is which of the air, and how
// the clocks differ), `AirSide` (what outputs ask: the packets of the air that belong to a packet of the host).
//
// - A PDU of the host and one of the air are the same where the same side sent the same bytes over connections that belong together, and where
//   the clocks allow it: the air has what a host sends after the host handed it over, and what a host receives before the host has it. These
//   bounds give the difference of the clocks, its drift, and how wrong both can be.
// - What repeats (polls) is matched in order, within the time that the aligned clocks leave.
