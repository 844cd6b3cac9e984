// BothSides: compares a host's log with sniffers' captures of the same session.
//
//     let host = try RecordedSession(CaptureFile.open("phone.log"))
//     let heard = try RecordedSession(DecryptingSource(CaptureFile.open("sniffer.pcapng"), decryptor))
//     let match = try SessionMatch(host, heard)
//     match.clock.error                                       // µs
//
// Read first: `RecordedSession` (the PDUs of a capture, without their bytes), `SessionMatch` (the corresponding PDUs of host and air, and the
// difference of the clocks), `AirSide` (the interface for outputs: the packets on the air for a packet of the host).
//
// - A PDU of the host and one of the air are the same if the same side sent the same bytes over corresponding connections, and the clocks allow it: a
//   sent PDU is on the air after the host passed it to its controller, and a received one is on the air before the host has it. These bounds give the
//   difference of the clocks, its drift, and the error of both.
// - Repeated bytes (polls) are matched in order, within the time that the aligned clocks allow.
