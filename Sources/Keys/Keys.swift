// Keys: finds keys in captures and files, and opens with them what was encrypted on the air.
//
//     let ring = KeyRing([try Key(text: "ltk=0F241772AC270CAFEE654186F0A65D5F")])
//     let source = DecryptingSource(try CaptureFile.open("sniffer.pcapng"), LinkLayerDecryptor(ring, cracks: false))
//
// Read first: `Key` and `KeyRing` (what is known), `LinkLayerDecryptor` (packet by packet), `DecryptingSource` (a capture whose packets are
// decrypted as they are read, so that all that reads captures sees what is inside).
//
// - Cryptography: over the ciphers of the module `Ciphers`, CCM as the Link Layer uses it, CMAC, and Bluetooth's own functions (c1, s1, f4, f5,
//   f6, g2).
// - Pairing: what a pairing on the air gives: temporary keys, short term keys, long term keys.
// - LinkLayer: encrypted connections of a sniffer's capture.
// - Mesh: networks of Bluetooth Mesh, layer by layer.
// - Files: texts that hold keys: a list, BlueZ's info, Android's bt_config.conf; keys that travel in HCI and management records.
//
// All keys are kept with their most significant octet first, as people write them.

// Keys are blocks of 128 bits.
@_exported public import Ciphers
