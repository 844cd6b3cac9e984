/// An object that its owner keeps alive as long as this value is used. It is not retained, so that it can be copied for each packet.
@usableFromInline
@safe package struct Unretained<Object: AnyObject>: Equatable {
  @usableFromInline package let reference: Unmanaged<Object>

  @inlinable
  @inline(__always)
  package init(_ object: Object) { unsafe reference = unsafe .passUnretained(object) }

  @inlinable
  @inline(__always)
  init(reference: Unmanaged<Object>) { unsafe self.reference = unsafe reference }

  /// The object, retained for as long as it is used.
  @inlinable package var object: Object { unsafe reference.takeUnretainedValue() }

  /// Calls `body` with the object, without retain and release.
  @inlinable
  @inline(__always)
  package func with<Result>(_ body: (Object) -> Result) -> Result { unsafe reference._withUnsafeGuaranteedRef(body) }

  @inlinable
  @inline(__always)
  package static func == (a: Unretained, b: Unretained) -> Bool { unsafe a.reference.toOpaque() == b.reference.toOpaque() }
}
