// Conversations: the state of a capture, from packet to packet. One pass over the packets joins fragments and channels, pairs requests with answers,
// follows connections, and learns names and attributes.
//
//     var tracker = ConversationTracker(.rows)
//     while try source.read(batch.packets) {
//       tracker.process(batch)                                    // batch.rows, batch.valueEvents, batch.findings
//     }
//     tracker.finish(batch)                                       // what was still open
//
// Read first: `ConversationTracker` (the pass), `PacketRow` (what it makes of a packet), `Tables` (what rows point to: peers, connections,
// attributes).
//
// - Tracker: the pass, a file for each protocol that has state (`ConversationTracker+ATT.swift`, …); the others need none here. Rows, values for
//   profiles, findings.
// - Tables: what is known of peers, connections, attributes and services; what is kept of a connection while it lives (`Link`).
// - GATT: attribute tables from outside the capture.
//
// An ATT notification: `acl` → `fragment` → `pdu` (ConversationTracker+ACL.swift) → `att` → `value` (ConversationTracker+ATT.swift), which sets
// the attribute of the row and appends a `ValueEvent` for profiles.
