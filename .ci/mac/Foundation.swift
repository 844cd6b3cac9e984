// The declarations of Foundation that swift-argument-parser and CryptoKit.swift use. The sources of btscribe use no Foundation.
public protocol ContiguousBytes {
  func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R
}
public protocol DataProtocol: RandomAccessCollection where Element == UInt8 {}
extension Array: DataProtocol where Element == UInt8 {}
extension Array: ContiguousBytes where Element == UInt8 {}
public struct Data: DataProtocol, ContiguousBytes {
  public var startIndex: Int { 0 }
  public var endIndex: Int { 0 }
  public subscript(position: Int) -> UInt8 { 0 }
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
}
open class NSError: Error {}
public protocol LocalizedError: Error {
  var errorDescription: String? { get }
}
extension Error {
  public var localizedDescription: String { "" }
}
open class JSONEncoder {
  public struct OutputFormatting: OptionSet, Sendable {
    public var rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let prettyPrinted = OutputFormatting(rawValue: 1)
    public static let sortedKeys = OutputFormatting(rawValue: 2)
  }
  public var outputFormatting: OutputFormatting = []
  public init() {}
  open func encode<T: Encodable>(_ value: T) throws -> Data { fatalError() }
}
extension String {
  public enum Encoding { case utf8 }
  public init?(data: Data, encoding: Encoding) { fatalError() }
}
