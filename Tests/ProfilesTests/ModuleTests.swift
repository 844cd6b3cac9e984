import Testing
@testable import Profiles

@Suite struct ModuleTests {}
