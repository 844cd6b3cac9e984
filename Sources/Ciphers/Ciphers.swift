// Ciphers: AES, hash functions, P-256 and X25519 of the system's library, and what is made of them: modes of operation, HMAC, HKDF, CMAC.
//
//     let cipher = MessageCipher(.ccm, key: key)
//     let plain = try cipher?.decrypt(bytes, nonce: nonce, tag: tag)
//
// Read first: `Cryptography` (what the system's library does), `MessageCipher` (ECB, CBC, CTR, CCM and GCM over it),
// `MessageDigest` (hashes, HMAC, HKDF and CMAC).
//
// The modes are written here over the library's block cipher, for all systems alike: CommonCrypto and CryptoKit have no CCM, and CryptoKit's GCM
// knows no tags of fewer than 16 bytes. Their tests are the sample data of NIST SP 800-38A, 38C and of the GCM specification, and of RFC 3610.
