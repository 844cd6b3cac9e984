/* The declarations of CommonCrypto's CommonCryptor.h and CommonCryptoError.h that the sources use. */
#include "darwin.h"
typedef int32_t CCCryptorStatus;
enum { kCCSuccess = 0 };
typedef struct _CCCryptor *CCCryptorRef;
enum { kCCEncrypt = 0, kCCDecrypt };
typedef uint32_t CCOperation;
enum { kCCAlgorithmAES128 = 0, kCCAlgorithmAES = 0, kCCAlgorithmDES };
typedef uint32_t CCAlgorithm;
enum { kCCOptionPKCS7Padding = 0x0001, kCCOptionECBMode = 0x0002 };
typedef uint32_t CCOptions;
CCCryptorStatus CCCryptorCreate(CCOperation op, CCAlgorithm alg, CCOptions options, const void *key, size_t keyLength, const void *iv,
                                CCCryptorRef *cryptorRef);
CCCryptorStatus CCCryptorRelease(CCCryptorRef cryptorRef);
CCCryptorStatus CCCryptorUpdate(CCCryptorRef cryptorRef, const void *dataIn, size_t dataInLength, void *dataOut, size_t dataOutAvailable,
                                size_t *dataOutMoved);
