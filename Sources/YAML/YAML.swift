// YAML: a text as a tree of nodes that know their line and column. libyaml reads it on all systems.
//
//     guard case .mapping(let keys)? = try compose(yaml: text) else { … }   // throws YAMLError; nil for an empty text
//     for (key, value) in keys { … }
//
// Read first: `Node` (a scalar, a mapping or a sequence), `Node.Mark` (its position in the text), `compose(yaml:)`.
//
// The reader of a node decides on the meaning of scalars: `Node` keeps the text and the quoting. An alias gives the same node as its anchor, not a
// copy, so that a small text does not become a huge tree.
