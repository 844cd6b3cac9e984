// Ciphers: AES, hash functions, P-256 and X25519 of the system's library, and algorithms built on them: modes of operation, HMAC, HKDF, CMAC.
//
//     let cipher = MessageCipher(.ccm, key: key)
//     let plain = try cipher?.decrypt(bytes, nonce: nonce, tag: tag)
//
// Read first: `Cryptography` (functions of the system's library), `MessageCipher` (ECB, CBC, CTR, CCM and GCM with them), `MessageDigest` (hashes,
// HMAC, HKDF and CMAC).
//
// The modes are implemented here with the library's block cipher, for all systems: CommonCrypto and CryptoKit have no CCM, and CryptoKit's GCM has no
// tags of fewer than 16 bytes. Their tests are the sample data of NIST SP 800-38A, 38C and of the GCM specification, and of RFC 3610.
