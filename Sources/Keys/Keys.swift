// Keys: finds keys in captures and files, and decrypts packets of the air with them.
//
//     let ring = KeyRing([try Key(text: "ltk=0F241772AC270CAFEE654186F0A65D5F")])
//     let source = DecryptingSource(try CaptureFile.open("sniffer.pcapng"), LinkLayerDecryptor(ring, cracks: false))
//
// Read first: `Key` and `KeyRing` (known keys), `LinkLayerDecryptor` (packet by packet), `DecryptingSource` (a capture whose packets are decrypted
// while they are read, so that all its readers get plaintext).
//
// - Cryptography: over the ciphers of the module `Ciphers`, CCM as the Link Layer uses it, CMAC, and Bluetooth's own functions (c1, s1, f5, h6,
//   h7, h8).
// - Pairing: the keys from a pairing on the air: temporary keys, short term keys, long term keys.
// - LinkLayer: encrypted connections of a sniffer's capture.
// - Mesh: networks of Bluetooth Mesh, layer by layer.
// - Files: texts with keys: a list, BlueZ's info, Android's bt_config.conf; keys in HCI and management records.
//
// All keys are stored with their most significant octet first, as in their text form.

// Keys are blocks of 128 bits.
@_exported public import Ciphers
