import Testing
@testable import Timeline

@Suite struct ModuleTests {}
