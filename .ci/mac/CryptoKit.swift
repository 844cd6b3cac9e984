// The declarations of CryptoKit that the sources use. Foundation's DataProtocol and ContiguousBytes are those of Foundation.swift.
import Foundation

public protocol Digest: Hashable, ContiguousBytes, CustomStringConvertible, Sequence where Element == UInt8 {
  static var byteCount: Int { get }
}
extension Digest {
  public func makeIterator() -> Array<UInt8>.Iterator { fatalError() }
  public var description: String { fatalError() }
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
}
public struct SHA256Digest: Digest { public static var byteCount: Int { 32 } }
public protocol HashFunction {
  associatedtype Digest: CryptoKit.Digest
  init()
  mutating func update(bufferPointer: UnsafeRawBufferPointer)
  func finalize() -> Digest
}
extension HashFunction {
  public static func hash<D: DataProtocol>(data: D) -> Digest { fatalError() }
}
public struct SHA256: HashFunction {
  public init() {}
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
  public func finalize() -> SHA256Digest { fatalError() }
}
public enum Insecure {
  public struct SHA1Digest: CryptoKit.Digest { public static var byteCount: Int { 20 } }
  public struct MD5Digest: CryptoKit.Digest { public static var byteCount: Int { 16 } }
  public struct SHA1: HashFunction {
    public init() {}
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
    public func finalize() -> SHA1Digest { fatalError() }
  }
  public struct MD5: HashFunction {
    public init() {}
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
    public func finalize() -> MD5Digest { fatalError() }
  }
}
public struct SharedSecret: ContiguousBytes {
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
}
public enum P256 {
  public enum KeyAgreement {
    public struct PublicKey {
      public init<D: ContiguousBytes>(rawRepresentation: D) throws {}
      public var rawRepresentation: Data { fatalError() }
    }
    public struct PrivateKey {
      public init<Bytes: ContiguousBytes>(rawRepresentation: Bytes) throws {}
      public var publicKey: PublicKey { fatalError() }
      public var rawRepresentation: Data { fatalError() }
      public func sharedSecretFromKeyAgreement(with publicKeyShare: PublicKey) throws -> SharedSecret { fatalError() }
    }
  }
}
public enum Curve25519 {
  public enum KeyAgreement {
    public struct PublicKey {
      public init<D: ContiguousBytes>(rawRepresentation: D) throws {}
      public var rawRepresentation: Data { fatalError() }
    }
    public struct PrivateKey {
      public init<Bytes: ContiguousBytes>(rawRepresentation: Bytes) throws {}
      public var publicKey: PublicKey { fatalError() }
      public var rawRepresentation: Data { fatalError() }
      public func sharedSecretFromKeyAgreement(with publicKeyShare: PublicKey) throws -> SharedSecret { fatalError() }
    }
  }
}
