import Testing
@testable import Kaitai

@Suite struct ModuleTests {}
