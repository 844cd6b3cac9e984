// YAML: a text as a tree of nodes that know their line and column. libyaml reads it on all systems.
//
//     guard case .mapping(let keys)? = try compose(yaml: text) else { … }   // throws YAMLError; nil for an empty text
//     for (key, value) in keys { … }
//
// Read first: `Node` (a scalar, a mapping or a sequence), `Node.Mark` (where it stands in the text), `compose(yaml:)`.
//
// What scalars mean is decided by who reads them: `Node` keeps the text and how it was quoted. An alias gives the same node as its anchor, not a copy, so
// that a small text does not become a huge tree.
