import Synchronization
import YAML

/// The definition and the compiler of a profile. Releasing their many small parts would delay the first line of a small capture: they are kept with
/// the profile, and its structure, which is rarely needed, is computed on demand.
final class RetainedCompilation: @unchecked Sendable {
  private let definition: Definition
  private let compiler: ProfileCompiler
  private let known = Mutex<ProfileStructure?>(nil)

  init(_ definition: Definition, _ compiler: ProfileCompiler) {
    self.definition = definition
    self.compiler = compiler
  }

  var structure: ProfileStructure {
    known.withLock { known in
      let structure = known ?? definition.structure()
      known = structure
      return structure
    }
  }
}

extension Node {
  /// All words in its texts that may be names of types.
  var words: [String] {
    switch self {
    case .scalar(let scalar): scalar.string.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "-" }.map(String.init)
    case .sequence(let list): list.flatMap(\.words)
    case .mapping(let mapping): mapping.flatMap { $0.key.words + $0.value.words }
    }
  }
}
