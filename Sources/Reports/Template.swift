#if os(Linux)
  import CMustache
#else
  import Mustache
#endif

/// A Mustache template: text with holes, logic-less. What is filled in is escaped for HTML, but for `{{{…}}}`.
struct Template {
  /// What a template sees: texts, truths, lists of texts or contexts, contexts. False leaves a section out.
  typealias Context = [String: Any]

  let text: String

  /// The template filled in, in UTF-8; nil where it has a mistake.
  func render(_ context: Context) -> [UInt8]? {
    #if os(Linux)
      var result: [UInt8] = []
      let data = unsafe Self.value(context)
      defer { unsafe mustache_free(data) }
      var text = text
      let status = text.withUTF8 { bytes in
        unsafe withUnsafeMutablePointer(to: &result) { result in
          unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
            unsafe mustache_render(bytes.baseAddress, bytes.count, data, result) { context, start, count in
              guard let start = unsafe start else { return }
              let piece = unsafe UnsafeRawBufferPointer(start: start, count: count)
              unsafe context?.assumingMemoryBound(to: [UInt8].self).pointee.append(contentsOf: piece)
            }
          }
        }
      }
      return status == 0 ? result : nil
    #else
      return (try? MustacheTemplate(string: text)).map { Array($0.render(context).utf8) }
    #endif
  }

  #if os(Linux)
    private static func value(_ value: Any) -> OpaquePointer? {
      switch value {
      case let truth as Bool: return unsafe mustache_truth(truth ? 1 : 0)
      case let context as Context:
        let object = unsafe mustache_object()
        for (name, value) in context { unsafe mustache_set(object, name, Self.value(value)) }
        return unsafe object
      case let texts as [String]: return unsafe list(texts)
      case let contexts as [Context]: return unsafe list(contexts)
      case var text as String:
        return text.withUTF8 { bytes in
          unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe mustache_text($0.baseAddress, $0.count) }
        }
      default: return unsafe mustache_truth(0)
      }
    }

    private static func list(_ elements: [some Any]) -> OpaquePointer? {
      let list = unsafe mustache_list()
      for element in elements { unsafe mustache_push(list, value(element)) }
      return unsafe list
    }
  #endif
}
