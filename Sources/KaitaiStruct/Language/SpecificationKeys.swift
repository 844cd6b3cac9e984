import Memory

/// The keys of each kind of mapping in a specification: those that the loader accepts, and that a schema for editors lists.
package enum SpecificationKeys {
  /// Keys of a type, and of the file itself.
  package static let type = ["meta", "doc", "doc-ref", "to-string", "params", "seq", "types", "instances", "enums"]
  /// Keys of `meta`.
  package static let meta = [
    "application", "bit-endian", "encoding", "endian", "file-extension", "id", "imports", "ks-debug", "ks-opaque-types", "ks-version",
    "ks-zero-copy-substream", "license", "tags", "title", "xref",
  ]
  /// Keys of a field in `seq`.
  package static let member = [
    "id", "doc", "doc-ref", "contents", "type", "repeat", "repeat-expr", "repeat-until", "if", "size", "size-eos", "process", "enum",
    "encoding", "pad-right", "terminator", "consume", "include", "eos-error", "parent", "valid",
  ]
  /// Keys of an instance.
  package static let instance = member.filter { $0 != "id" } + ["pos", "io", "value"]
  /// Keys of a parameter.
  package static let parameter = ["id", "type", "doc", "doc-ref", "enum"]
  /// Keys of a type or a byte order that depends on a value.
  package static let switches = ["switch-on", "cases"]
  /// Keys of `valid`.
  package static let valid = ["eq", "min", "max", "any-of", "expr", "in-enum"]
  /// Keys of an enum's entry that is more than a name.
  package static let enumEntry = ["id", "doc", "doc-ref"]

  /// All keys.
  package static var all: Set<String> { Set(type + meta + instance + parameter + switches + valid + enumEntry) }
}
