import Testing
@testable import Captures

@Suite struct ModuleTests {}
