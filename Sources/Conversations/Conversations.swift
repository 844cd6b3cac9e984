// Conversations: the state of a capture, from packet to packet. One pass over the packets reassembles fragments and SDUs, matches responses to
// requests, follows connections, and learns names and attributes.
//
//     var tracker = ConversationTracker(.rows)
//     while try source.read(batch.packets) {
//       tracker.process(batch)                                    // batch.rows, batch.valueEvents, batch.findings
//     }
//     tracker.finish(batch)                                       // what was still open
//
// Read first: `ConversationTracker` (the pass), `PacketRow` (its result for a packet), `ConversationTables` (the peers, connections and attributes that
// rows refer to by index).
//
// - Tracker: the pass, a file for each protocol that has state (`ConversationTracker+ATT.swift`, …); stateless protocols need none here. Rows, values
//   for profiles, findings.
// - Tables: peers, connections, attributes and services seen so far; the state of a connection while it is open (`Link`).
// - GATT: attribute tables from outside the capture.
//
// An ATT notification: `acl` → `fragment` → `pdu` (ConversationTracker+ACL.swift) → `att` → `value` (ConversationTracker+ATT.swift), which sets
// the attribute of the row and appends a `ValueEvent` for profiles.
